"""Conversations: whether the task was done, and what went wrong on the way."""
