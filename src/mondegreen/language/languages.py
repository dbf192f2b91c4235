"""Languages as values: everything that operators ask a language, read from one folder each."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files

import msgspec

from mondegreen.errors import OperatorError, unknown

ENGLISH = "en"
KEYS = "keys"
"""How letters are typed that no input method turns into other characters."""
FOLDER = "languages"
"""The folder of all languages among the resources; each has a folder with its code as name."""
_FILE = "language.toml"


class FilledPauses(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The filled pauses of a language.

    ``pauses`` are only used as pauses; ``ambiguous`` are also words, with their meanings.
    """

    pauses: tuple[str, ...]
    ambiguous: dict[str, str]
    source: str
    checked: str = ""


class FillerPlaces(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Fillers by place, and the words by which places and kinds of utterances are found.

    ``opening`` come first. ``command``, ``question`` and ``otherwise`` come after the verb, which
    is one of ``verbs``, and its ``pronouns``; ``otherwise`` also before an ``unsure`` word, which
    may be a pronoun or not. ``close_…`` come last, after an utterance that ends
    in one of ``endings``, or a question that ends in one of ``question_endings``, is polite
    already, asks something, or demands something; ``close_after`` follow a full stop, the first of
    them also a question mark.
    """

    opening: tuple[str, ...] = ()
    verbs: str = ""
    pronouns: str = ""
    command: tuple[str, ...] = ()
    question: tuple[str, ...] = ()
    otherwise: tuple[str, ...] = ()
    questions: str = ""
    unsure: str = ""
    polite: str = ""
    close_command: tuple[str, ...] = ()
    close_question: tuple[str, ...] = ()
    close_polite: tuple[str, ...] = ()
    close_after: tuple[str, ...] = ()
    endings: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    question_endings: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


class Offer(msgspec.Struct, frozen=True, array_like=True):
    """How well an operator works in a language, and how that was measured."""

    well: str
    measured: str


class Language(msgspec.Struct, frozen=True, kw_only=True, dict=True, forbid_unknown_fields=True):
    """What the package knows of a language: the file ``language.toml`` of its folder.

    ``segments`` and ``sounds`` name the package that finds words and pronunciations, if one is
    needed. ``near`` is the language whose disfluency profile is borrowed. ``capitals`` says which
    words have them: all ``nouns``, only the ``first`` word and names, or ``none``. ``function``
    are its function words. ``articles`` agree with the word after them, ``clinging`` words follow
    others without anything between, ``unstressed`` ones without a pause; ``final`` ones end a
    sentence and are not said twice. Letters that stand ``together`` for one sound are not broken
    apart, those after ``^`` at the start of a word. ``slips`` and
    ``classes`` are words that are said for each other by mistake. ``offers`` has the operators that
    work, ``refused`` reasons why others do not.
    """

    name: str
    fillers: FilledPauses
    code: str = ""
    spaced: bool = True
    direction: str = "ltr"
    keyboard: str = "qwerty"
    input: str = KEYS
    letters: str = ""
    segments: str = ""
    sounds: str = ""
    near: str = ""
    capitals: str = "first"
    markers: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    function: str = ""
    articles: str = ""
    clinging: str = ""
    unstressed: str = ""
    together: str = ""
    final: str = ""
    crude: str = ""
    places: FillerPlaces = FillerPlaces()
    restarts: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    slips: dict[str, str] = msgspec.field(default_factory=dict)
    classes: dict[str, str] = msgspec.field(default_factory=dict)
    offers: dict[str, Offer] = msgspec.field(default_factory=dict)
    refused: dict[str, str] = msgspec.field(default_factory=dict)

    def __hash__(self) -> int:
        return hash(self.code)

    @cached_property
    def function_words(self) -> frozenset[str]:
        """The function words."""
        return frozenset(self.function.split())

    @cached_property
    def clinging_words(self) -> frozenset[str]:
        """The words that follow others without anything between."""
        return frozenset(self.clinging.split())

    @cached_property
    def unpaused(self) -> frozenset[str]:
        """The words before which nobody pauses."""
        return self.clinging_words | set(self.unstressed.split())

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs with which requests and questions begin."""
        return frozenset(self.places.verbs.split())

    @cached_property
    def question_words(self) -> frozenset[str]:
        """The words with which questions begin."""
        return frozenset(self.places.questions.split())

    @cached_property
    def said_again(self) -> frozenset[str]:
        """The function words that are said again before a corrected value: "to boston, to"."""
        others = {*self.places.verbs.split(), *self.places.pronouns.split(), *self.question_words}
        return self.function_words - others

    def openings(self, *, question: bool) -> tuple[tuple[str, ...], ...]:
        """Return false starts of a question or of a demand, word by word."""
        listed = self.restarts.get("questions" if question else "openings", ())
        return tuple(tuple(one.split()) for one in listed)

    @cached_property
    def mistaken_for(self) -> Mapping[str, tuple[str, ...]]:
        """What may be said by mistake for a word: a slip, or another word of its class."""
        listed = (words.split() for words in self.classes.values())
        found = {
            word: tuple(other for other in words if other != word)
            for words in listed
            for word in words
        }
        return found | {word: tuple(others.split()) for word, others in self.slips.items()}

    @cached_property
    def in_class(self) -> frozenset[str]:
        """The words of all classes: days, numbers and other values."""
        return frozenset(word for words in self.classes.values() for word in words.split())


@cache
def language_codes() -> tuple[str, ...]:
    """Return the codes of all languages that have a folder.

    >>> {"de", "en", "zh"} <= set(language_codes())
    True
    """
    folder = files("mondegreen.resources").joinpath(FOLDER)
    return tuple(sorted(one.name for one in folder.iterdir() if one.joinpath(_FILE).is_file()))


@cache
def language(code: str) -> Language:
    """Return a language by its code.

    >>> language("de").name, language("de").keyboard
    ('German', 'qwertz')

    Raises:
        OperatorError: if it has no folder.
    """
    if code not in language_codes():
        raise OperatorError(f"{unknown('language', code, language_codes())}")
    source = files("mondegreen.resources").joinpath(FOLDER, code, _FILE)
    found = msgspec.toml.decode(source.read_bytes(), type=Language)
    return msgspec.structs.replace(found, code=code)
