"""Scores: counts per utterance, rates, rows, parts."""
