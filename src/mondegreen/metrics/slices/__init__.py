"""Properties that failures share more often than chance would have it."""
