"""Profiles of recognisers: what was learnt from pairs of reference and hypothesis."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from mondegreen.data.files.by_content import by_content
from mondegreen.data.files.compression import read_small
from mondegreen.data.files.output import whole_file
from mondegreen.errors import DataError
from mondegreen.language.languages import ENGLISH, language_codes
from mondegreen.language.simulation.honesty import lie
from mondegreen.resources import read_resource

VERSION = 6
"""Raised when the meaning of a profile's numbers changes."""
PLACES = ("start", "middle", "end")
"""Where words are added: before the first word, between two words, after the last word."""
BUILT_IN = {
    "slurp": "recogniser.en.json.gz",
    "moonshine": "recogniser.moonshine.en.json.gz",
    "google": "recogniser.google.en.json.gz",
    "amazon": "recogniser.amazon.en.json.gz",
}
"""The files of the built-in profiles by their names; the first is the default."""
_HOW = "make it with: mondegreen fit recogniser PAIRS -o FILE"

Counts = Mapping[str, int]
Offsets = tuple[float, float, float]
"""What a word adds to the log odds of the gap before it, of itself and of the gap after it; what
two words add to those of the first, of the gap between them and of the second."""


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """The errors of the pairs, per word of the references, and the share of empty hypotheses."""

    wer: float
    substitutions: float
    deletions: float
    insertions: float
    empty: float


class Habits(msgspec.Struct, frozen=True, kw_only=True):
    """How a recogniser writes.

    Of the errors in which that is possible, the share that writes a number as it is read, a word
    as two (``do n't``), and two words as one.
    """

    read: float
    apart: float
    together: float


class AddedWeights(msgspec.Struct, frozen=True, kw_only=True):
    """What decides which words are added in a gap.

    How much the words beside the gap count, and how many additions after the word before it the
    usual additions are worth.
    """

    context: float
    usual: float


class SeveralWeights(msgspec.Struct, frozen=True, kw_only=True):
    """What decides which words one is heard as that becomes several, and what two become."""

    splits: tuple[float, ...]
    joins: tuple[float, ...]


class RecogniserProfile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A recogniser's habits: where it errs, and what it then writes.

    ``words`` and ``gaps`` are the weights of the log odds that a word is in error and that words
    are added in a gap; ``offsets`` and ``bigrams`` correct the log odds of single words, of two in
    a row, and of the gaps beside them. ``common``, ``neighbour`` and ``beside`` say how much the
    errors of an utterance, of neighbouring words, and of a gap and the words beside it go together,
    ``shorter`` how much more those of short words, ``runs`` in which share of the utterances errors
    come in long runs.
    ``kinds`` are the weights of the kinds of error, ``shifts`` what is added to each kind,
    ``kinds_before`` counts of the kinds by a word and the next one;
    ``choices`` are the weights of the words that may replace a word, ``nearness`` what is added for
    each step of unlikeness, of short and long words without and with wrong neighbours; ``several``
    are the weights of words that are divided and joined. ``heard``, ``joined`` and
    ``added`` are counts of what became of words, of two words together, and of added words by
    place, ``added_after`` by the word before them. ``ref_words`` and ``hyp_words`` count the words
    of the pairs, ``hyp_bigrams`` each two words in a row of the hypotheses. ``levels`` are pairs of
    the error rate asked for and the rate of errors to draw. ``language`` is the code of the
    language, ``begun_with`` the name of the profile with which the fit began.
    """

    version: int
    source: str
    pairs: int
    total: int
    rates: Rates
    words: tuple[float, ...]
    gaps: tuple[float, ...]
    offsets: Mapping[str, Offsets]
    bigrams: Mapping[str, Offsets]
    common: float
    neighbour: float
    shorter: float
    runs: float
    beside: float
    kinds: tuple[tuple[float, ...], ...]
    shifts: tuple[float, ...]
    kinds_before: Mapping[str, tuple[int, ...]]
    choices: tuple[tuple[float, ...], ...]
    nearness: tuple[tuple[float, ...], ...]
    several: SeveralWeights
    heard: Mapping[str, Counts]
    joined: Mapping[str, Counts]
    added: Mapping[str, Counts]
    added_after: Mapping[str, Counts]
    additions: AddedWeights
    habits: Habits
    ref_words: Counts
    hyp_words: Counts
    hyp_bigrams: Counts
    levels: tuple[tuple[float, float], ...]
    language: str = ENGLISH
    begun_with: str = ""

    def save(self, path: Path, *, force: bool = False) -> None:
        """Write the profile as JSON, compressed if the name ends in ``.gz``."""
        content = msgspec.json.encode(self)
        with whole_file(path, force=force) as file:
            file.write(content)  # a name in .gz is compressed


class _Version(msgspec.Struct):
    version: int


@by_content
def read_recogniser(path: str) -> RecogniserProfile:
    """Read a profile that ``mondegreen fit recogniser`` has written, or a built-in one by its name.

    The empty name is the first of the built-in ones. A file of the same name is read as ``./name``.

    Raises:
        DataError: if there is no such file, or it is not a profile of this version.
    """
    name = path or next(iter(BUILT_IN))
    if name in BUILT_IN:
        return _decoded(f"the built-in profile {name}", read_resource(BUILT_IN[name]))
    try:
        profile = _decoded(path, read_small(Path(path)))
    except FileNotFoundError:
        raise DataError(
            f"{path}: there is no such file, and no built-in profile of this name "
            f"({', '.join(BUILT_IN)}); {_HOW}"
        ) from None
    except OSError as error:
        raise DataError(f"{path}: not a profile of a recogniser ({error}); {_HOW}") from None
    if profile.language not in language_codes():
        raise DataError(f"{path}: a profile of the language {profile.language!r:.20}; {_HOW}")
    wrong = lie(msgspec.to_builtins(profile), msgspec.to_builtins(read_recogniser("")))
    if wrong:
        raise DataError(f"{path}: not a profile of a recogniser ({wrong}); {_HOW}")
    return profile


def _decoded(name: str, content: bytes) -> RecogniserProfile:
    try:
        version = msgspec.json.decode(content, type=_Version).version
        if version != VERSION:
            raise DataError(
                f"{name}: a profile of version {version}, but this mondegreen reads version "
                f"{VERSION}; {_HOW}"
            )
        return msgspec.json.decode(content, type=RecogniserProfile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(f"{name}: not a profile of a recogniser ({error}); {_HOW}") from None
