"""Tool calls and their arguments."""
