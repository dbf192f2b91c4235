"""Variants of data: made one after the other, or written with their manifest and ledger."""

from typing import TYPE_CHECKING

from mondegreen.lazily import lazily

if TYPE_CHECKING:
    from mondegreen.variants.face import augment as augment
    from mondegreen.variants.face import perturb as perturb
    from mondegreen.variants.result import Variants as Variants

_HOMES = {
    "Variants": "mondegreen.variants.result",
    "augment": "mondegreen.variants.face",
    "perturb": "mondegreen.variants.face",
}
__all__ = [*_HOMES]
__getattr__ = lazily(__name__, _HOMES)
