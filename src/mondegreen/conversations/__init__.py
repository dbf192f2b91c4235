"""Conversations: a caller for voice agents that needs no language model."""
