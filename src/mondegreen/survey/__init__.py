"""Asking people whether labels still fit: a rating sheet, and what the raters said."""
