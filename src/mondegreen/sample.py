"""The data that the package carries: 607 assistant utterances with slots and intents."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files

from mondegreen.data import read
from mondegreen.types import Utterance


def sample(part: str = "test") -> Iterator[Utterance]:
    """Yield the embedded utterances: ``train`` (425) or ``test`` (182); see its CARD.md.

    >>> said = next(sample())
    >>> said.label, said.text
    ('play_music', 'i want to hear dancing queen')
    """
    with as_file(files("mondegreen.resources") / "sample" / f"{part}.jsonl") as path:
        yield from read(path)
