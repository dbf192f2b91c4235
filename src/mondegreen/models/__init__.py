"""Models: one protocol for all of them, reached in many ways, and reference models to train."""
