"""Normalisers: what is made equal before words are compared. Each is pinned by its name."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Callable
from functools import partial
from itertools import chain, filterfalse
from pathlib import Path
from typing import TypeGuard

from mondegreen.errors import DataError, MissingExtraError, unknown
from mondegreen.metrics.normalisation.rules import Rules, read_rules, without_brackets
from mondegreen.text.items import Item
from mondegreen.text.patterns import lazy_pattern

Normaliser = Callable[[str], str]
_NAMES = ("none", "basic", "whisper")
_OUTER = lazy_pattern(r"(?<![^\W_])'|'(?![^\W_])")
"""Apostrophes that are not within a word."""
_ZERO_WIDTH_SPACE = "\u200b"
_TURKISH = lazy_pattern("[\u0130\u0131]")
_TURKISH_CAPITALS = str.maketrans("I\u0130", "\u0131i")


def normaliser(name: str) -> Normaliser | None:
    """Return a normaliser by its name or its file of rules; ``None`` for ``none``.

    Raises:
        DataError: if no normaliser has that name, or if a rule is wrong.
        MissingExtraError: if its package is not installed.
    """
    if _is_file(name):
        return read_rules(name)
    if name not in _NAMES:
        raise DataError(f"{unknown('normaliser', name, _NAMES)} A file of rules must exist.")
    if name == "none":
        return None
    if name == "basic":
        return basic
    warnings.warn(
        "the whisper normaliser is for English, and strips fillers (hmm, mm, mhm, uh, um): a score "
        "after it cannot tell who keeps them",
        stacklevel=3,
    )
    return _whisper()


def _is_file(name: str) -> bool:
    return Path(name).suffix in (".toml", ".glm") and Path(name).is_file()


def writes_alternatives(prepare: Normaliser | None) -> bool:
    """Return whether a normaliser writes alternatives such as ``{ going to / gonna }``."""
    return isinstance(prepare, Rules) and prepare.alternatives


def offers_alternatives(prepare: Normaliser | None) -> TypeGuard[Rules]:
    """Return whether a normaliser offers alternatives in references: words that are the same."""
    return isinstance(prepare, Rules) and bool(prepare.equal)


def name_of(function: Normaliser) -> str:
    """Return the name of a user's function, for signatures.

    >>> name_of(str.lower)
    'str.lower'
    """
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return name if module in ("", "builtins") else f"{module}.{name}"


def label(name: str) -> str:
    """Return a normaliser's name with the version of what it runs, for signatures."""
    if _is_file(name):
        return read_rules(name).name
    if name != "whisper":
        return name
    from importlib.metadata import version

    return f"whisper-{version('whisper-normalizer')}"


def basic(text: str) -> str:
    """Lower-case, without punctuation and symbols; apostrophes within words stay.

    >>> basic("Play  «Jazz», it's <noise> 7:30!")
    "play jazz it's 7 30"
    """
    plain = lower_case(unicodedata.normalize("NFKC", without_brackets(text))).replace("’", "'")  # noqa: RUF001
    return " ".join(_OUTER.sub(" ", plain.translate(_SPACES)).split())


class _Spaces(dict[int, str | int]):
    """Punctuation, symbols, spaces and control characters become spaces; apostrophes stay.

    Marks of format within words, such as soft hyphens and zero-width joiners, become nothing.
    """

    def __missing__(self, code: int) -> str | int:
        category = unicodedata.category(chr(code))
        blank = chr(code) != "'" and category[0] in "PSZC"
        within = category == "Cf" and chr(code) != _ZERO_WIDTH_SPACE
        self[code] = "" if within else " " if blank else code
        return self[code]


_SPACES = _Spaces()


def _whisper() -> Normaliser:
    try:
        from whisper_normalizer.english import EnglishTextNormalizer
    except ImportError:
        raise MissingExtraError.of("whisper", "Whisper's normalisation") from None
    found: Normaliser = EnglishTextNormalizer()

    def normalise(text: str) -> str:
        try:
            return found(text)
        except (AssertionError, ValueError, OverflowError, ArithmeticError) as error:
            raise DataError(
                f"the whisper normaliser cannot read {text!r:.60} ({type(error).__name__}: "
                f"{error!s:.60}); leave the utterance out, or use --normalise basic"
            ) from None

    return normalise


def lower_case(text: str, *, turkish: bool = False) -> str:
    r"""Return a text in lower case, by Turkish rules if it is Turkish.

    It is if it has a letter that only Turkish and its relatives have, or if ``turkish`` says so.

    >>> lower_case("IRMA"), lower_case("\u0130ZM\u0130R"), lower_case("KIZ", turkish=True)
    ('irma', 'izmir', 'k\u0131z')
    """
    turkish = turkish or (not text.isascii() and _TURKISH.search(text) is not None)
    return (text.translate(_TURKISH_CAPITALS) if turkish else text).lower()


def lowered(refs: list[Item], hyps: list[Item]) -> tuple[list[Item], list[Item]]:
    """Return both sides in lower case; a pair is Turkish if either of its texts is."""
    texts = [[_text(item) for item in side] for side in (refs, hyps)]
    found = [[*map(_lowered, side)] for side in (refs, hyps)]
    others = filterfalse(str.isascii, chain(*texts))
    if any(map(_TURKISH.search, others)):
        for at, pair in enumerate(zip(*texts, strict=True)):
            if any(map(_TURKISH.search, pair)):
                found[0][at] = _lowered(refs[at], turkish=True)
                found[1][at] = _lowered(hyps[at], turkish=True)
    return found[0], found[1]


def _text(item: Item) -> str:
    return item if isinstance(item, str) else " ".join(item)


def _lowered(item: Item, *, turkish: bool = False) -> Item:
    one = partial(lower_case, turkish=True) if turkish else str.lower
    return one(item) if isinstance(item, str) else [*map(one, item)]


def prepared(items: list[Item], prepare: Normaliser | None) -> list[Item]:
    """Apply a normaliser to texts or token lists; without one, it is the same list."""
    return items if prepare is None else [prepare(_text(item)) for item in items]
