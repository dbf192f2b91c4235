"""Variants of data: made one after the other, or written with their manifest and ledger."""

from mondegreen.variants.face import augment, perturb
from mondegreen.variants.result import Variants

__all__ = ["Variants", "augment", "perturb"]
