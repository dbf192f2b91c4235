"""The data in the package: 607 hand-written requests, and thousands made from templates.

There are templates in English and in German.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import as_file, files

from mondegreen.data import read
from mondegreen.data.templates import Templates
from mondegreen.errors import DataError, unknown
from mondegreen.types import Utterance

_FOLDER = files("mondegreen.resources") / "sample"
ENGLISH = "en"
TRAIN, TEST = 2000, 200


def sample(part: str = "test") -> Iterator[Utterance]:
    """Yield the hand-written utterances: ``train`` (425) or ``test`` (182); see the CARD.md.

    >>> utterance = next(sample())
    >>> utterance.label, utterance.text
    ('play_music', 'i want to hear dancing queen')
    """
    with as_file(_FOLDER / f"{part}.jsonl") as path:
        yield from read(path)


def request_languages() -> tuple[str, ...]:
    """Return the codes of the languages in which there are templates.

    >>> request_languages()
    ('de', 'en')
    """
    found = (one.name.split(".") for one in _FOLDER.iterdir() if one.name.startswith("requests"))
    return tuple(sorted(parts[1] if len(parts) > 2 else ENGLISH for parts in found))  # noqa: PLR2004


def requests(
    train: int = TRAIN, test: int = TEST, language: str = ENGLISH
) -> tuple[list[Utterance], list[Utterance]]:
    """Return requests made from the templates: a training part and a test part.

    They are always the same. No text is in both parts, and some values and templates occur only in
    the test part. Unlike the hand-written sample, this is enough data to train a small model.

    >>> train, test = requests()
    >>> len(train), len(test), len({utterance.label for utterance in train})
    (2000, 200, 10)
    >>> test[0].text
    'play coldplay on tidal please'

    Raises:
        DataError: if there are no templates in the language.
    """
    if language not in request_languages():
        raise DataError(unknown("language of requests", language, request_languages()))
    name = "requests.txt" if language == ENGLISH else f"requests.{language}.txt"
    templates = Templates.read((_FOLDER / name).read_text(encoding="utf-8").splitlines())
    seen: set[str] = set()
    trained = list(templates.for_training().draws("train", train, seen))
    return trained, list(templates.draws("test", test, seen))
