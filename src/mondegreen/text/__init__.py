"""Text: splitting it into tokens, and looking at tokens as words."""
