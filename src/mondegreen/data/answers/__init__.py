"""Answers of models, and the cases of tool calls that they answer."""
