"""What the speaker meant by each slot."""
