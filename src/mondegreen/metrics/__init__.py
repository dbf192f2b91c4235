"""Counts an utterance at a time, and the rates that are read off their sums."""
