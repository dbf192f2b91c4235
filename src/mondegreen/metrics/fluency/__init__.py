"""Fluent and disfluent words."""
