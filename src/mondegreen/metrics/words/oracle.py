"""Oracle: the best of several hypotheses per utterance, as an n-best list allows."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mondegreen.align import align
from mondegreen.align.costs import UNIT
from mondegreen.errors import DataError
from mondegreen.text.items import Item


def best_of(refs: Sequence[Item], nbests: Sequence[Sequence[Item]]) -> list[Item]:
    """Return for each reference the hypothesis of its list with the fewest errors.

    Of equally good ones, the first counts. An empty list stands for silence.

    >>> best_of(["play jazz"], [["play jaws", "play jazz", "stop"]])
    ['play jazz']

    Raises:
        DataError: if there is not one list per reference.
    """
    if len(refs) != len(nbests):
        raise DataError(f"{len(refs)} references and {len(nbests)} n-best lists do not pair up")
    if any(isinstance(one, str) for one in nbests):
        raise DataError("an n-best list is a list of texts, got a text")
    places = [place for place, one in enumerate(nbests) for _ in one]
    flat = [hyp for one in nbests for hyp in one]
    counts = align([refs[place] for place in places], flat, UNIT).counts
    errors = counts[:, 1:4].sum(axis=1) if flat else np.zeros(0, np.int64)
    found: list[Item] = ["" for _ in refs]
    best: dict[int, int] = {}
    for place, hyp, wrong in zip(places, flat, errors.tolist(), strict=True):
        if place not in best or wrong < best[place]:
            best[place] = wrong
            found[place] = hyp
    return found
