"""Surveys: ask people whether labels still fit, and score their answers."""
