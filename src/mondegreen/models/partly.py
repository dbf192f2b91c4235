"""Batches that are sent in parts: an error of one part leaves the answers of the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from mondegreen.errors import ModelError, PartlyError
from mondegreen.types import Prediction, Utterance


def gathered(
    pool: ThreadPoolExecutor,
    ask: Callable[[Sequence[Utterance]], list[Prediction]],
    parts: Sequence[Sequence[Utterance]],
) -> list[Prediction]:
    """Ask about all parts at the same time, and return their answers in order.

    Raises:
        PartlyError: with the answers that came, if some parts have none.
    """
    found: list[Prediction | None] = []
    first: ModelError | None = None
    for part, one in zip(parts, [pool.submit(ask, part) for part in parts], strict=True):
        try:
            found += one.result()
        except ModelError as error:
            first = first or error
            found += [None] * len(part)
    if first is not None:
        raise PartlyError(str(first), found)
    return [one for one in found if one is not None]
