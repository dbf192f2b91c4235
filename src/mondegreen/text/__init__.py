"""Text: splitting text into tokens, and tokens into word and punctuation."""
