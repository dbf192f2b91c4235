"""What is made equal before words are compared."""
