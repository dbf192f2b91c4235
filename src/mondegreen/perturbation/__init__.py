"""Perturbation: recipes, the engine that makes variants by them, and augmentation."""
