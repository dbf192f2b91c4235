"""The data that the package carries: 607 requests written by hand, thousands from templates."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files

from mondegreen.data import read
from mondegreen.data.templates import Templates
from mondegreen.types import Utterance

_FOLDER = files("mondegreen.resources") / "sample"
TRAIN, TEST = 2000, 200


def sample(part: str = "test") -> Iterator[Utterance]:
    """Yield the embedded utterances: ``train`` (425) or ``test`` (182); see its CARD.md.

    >>> said = next(sample())
    >>> said.label, said.text
    ('play_music', 'i want to hear dancing queen')
    """
    with as_file(_FOLDER / f"{part}.jsonl") as path:
        yield from read(path)


def requests(train: int = TRAIN, test: int = TEST) -> tuple[list[Utterance], list[Utterance]]:
    """Return requests drawn from the embedded templates: a training and a test part.

    Always the same ones; no text is in both, and some values and templates are in the test part
    alone. Enough for a small model to be good at, which the hand-written sample is not.

    >>> train, test = requests()
    >>> len(train), len(test), len({said.label for said in train})
    (2000, 200, 10)
    >>> test[0].text
    'play coldplay on tidal please'
    """
    templates = Templates.read((_FOLDER / "requests.txt").read_text(encoding="utf-8").splitlines())
    seen: set[str] = set()
    trained = list(templates.for_training().draws("train", train, seen))
    return trained, list(templates.draws("test", test, seen))
