"""Groups and blocks of utterances: speakers, calls, sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from mondegreen.errors import DataError


def labels_of(ids: Sequence[str], groups: Sequence[str] | Mapping[str, str]) -> list[str]:
    """Return the group of each utterance: one per utterance, or by its id.

    Raises:
        DataError: if an utterance has no group.
    """
    if isinstance(groups, Mapping):
        missing = next((id for id in ids if id not in groups), None)
        if missing is not None:
            raise DataError(f"utterance {missing!r} has no group; give one for every id")
        return [groups[id] for id in ids]
    if len(groups) != len(ids):
        raise DataError(f"{len(groups)} groups for {len(ids)} utterances; give one each")
    return list(groups)


def by_block(
    table: npt.NDArray[np.int64], blocks: Sequence[str] | Sequence[int]
) -> npt.NDArray[np.int64]:
    """Return the sums of each block: what a blocked bootstrap draws.

    Raises:
        DataError: if there is not one block per utterance.
    """
    if len(blocks) != len(table):
        raise DataError(f"{len(blocks)} blocks for {len(table)} utterances; give one each")
    numbers = {name: i for i, name in enumerate(dict.fromkeys(blocks))}
    sums = np.zeros((len(numbers), table.shape[1]), np.int64)
    np.add.at(sums, [numbers[name] for name in blocks], table)
    return sums
