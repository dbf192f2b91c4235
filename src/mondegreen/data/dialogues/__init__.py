"""Dialogues: what a caller wants over several turns, and what was said and called."""
