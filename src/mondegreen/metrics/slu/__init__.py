"""Slots, intents and whole frames."""
