"""Tokens of other languages with their pronunciations; numbers are read aloud."""

from __future__ import annotations

from mondegreen.errors import OperatorError
from mondegreen.language.dictation import dictated_tokens
from mondegreen.language.languages import language
from mondegreen.language.sounds.pronunciations import Pronounced
from mondegreen.language.sounds.tongues import Sounds, listed_sounds, sounds_of
from mondegreen.text.words import core_of
from mondegreen.values import LANGUAGES


def pronounced_in(token: str, code: str) -> Pronounced:
    """Return a token with its pronunciation in IPA, and the source of it.

    Raises:
        MissingExtraError: if the package with the pronunciations is not installed.
        OperatorError: if there are no pronunciations of the language.
    """
    if not language(code).sounds:
        raise OperatorError(f"there are no pronunciations of {language(code).name}")
    core = core_of(token)
    said: Sounds = ()
    source = "aloud"
    if any(map(str.isdigit, core)) and code in LANGUAGES:
        words = (word for one in dictated_tokens((token,), code, frozenset()) for word in one.words)
        said = tuple(sound for word in words for sound in sounds_of(word, code))
    else:
        said = sounds_of(core, code)
        source = "dictionary" if listed_sounds(core, code) else "model"
    return Pronounced(token, (said,) if said else (), source)
