"""Agents: every way to reach one, and what the caller needs to know of its answers."""
