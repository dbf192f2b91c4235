"""Models: one protocol, several ways to reach a model, and reference models to train."""
