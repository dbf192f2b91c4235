"""Normalisers: what is made equal before words are compared. Each is pinned by its name."""

from __future__ import annotations

import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path

from mondegreen.errors import DataError, MissingExtraError, unknown
from mondegreen.metrics.normalisation.rules import Rules, read_rules
from mondegreen.text.items import Item
from mondegreen.text.patterns import lazy_pattern

Normaliser = Callable[[str], str]
_NAMES = ("none", "basic", "whisper")
_BRACKETS = lazy_pattern(r"[<\[][^>\]]*[>\]]")
_OUTER = lazy_pattern(r"(?<![^\W_])'|'(?![^\W_])")
"""Apostrophes that are not within a word."""


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
    plain = unicodedata.normalize("NFKC", _BRACKETS.sub(" ", text)).lower().replace("’", "'")  # noqa: RUF001
    return " ".join(_OUTER.sub(" ", plain.translate(_SPACES)).split())


class _Spaces(dict[int, str | int]):
    """Punctuation, symbols, spaces and control characters become spaces; apostrophes stay."""

    def __missing__(self, code: int) -> str | int:
        blank = chr(code) != "'" and unicodedata.category(chr(code))[0] in "PSZC"
        self[code] = " " if blank else code
        return self[code]


_SPACES = _Spaces()


def _whisper() -> Normaliser:
    try:
        from whisper_normalizer.english import EnglishTextNormalizer
    except ImportError:
        raise MissingExtraError.of("whisper", "Whisper's normalisation") from None
    found: Normaliser = EnglishTextNormalizer()
    return found


def prepared(items: list[Item], prepare: Normaliser | None, *, lower: bool) -> list[Item]:
    """Apply a normaliser to texts or token lists, and put them into lower case.

    Where there is nothing to do, it is the same list.
    """
    found = items
    if prepare is not None:
        found = [prepare(item if isinstance(item, str) else " ".join(item)) for item in found]
    if lower:
        found = [
            item.lower() if isinstance(item, str) else [word.lower() for word in item]
            for item in found
        ]
    return found
