"""Profiles of disfluency: counts from a corpus that operators draw from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from mondegreen.data import read
from mondegreen.data.files.by_content import by_content
from mondegreen.data.files.compression import read_small
from mondegreen.data.files.output import whole_file
from mondegreen.data.pairs.tagged import has_tags, read_tagged
from mondegreen.data.pairs.texts import Side, table_rows
from mondegreen.errors import DataError
from mondegreen.language.disfluency.gaps import Gaps, gaps_of
from mondegreen.language.disfluency.lexicon import ENGLISH, REPARANDA, TYPES, Lexicon, lexicon_for
from mondegreen.language.disfluency.marked import (
    Disfluency,
    Marked,
    disfluencies,
    marked_by_case,
    marked_by_tags,
)
from mondegreen.language.disfluency.pairs import cuts_of, lexicon_of, marked_by_pairs
from mondegreen.resources import read_resource

VERSION = 3
_LONGEST = 6  # words of a reparandum; longer ones are counted as this long
_MOST = 10**12  # so that weights can be added and scaled
_PAIR = ("fluent", "disfluent")
_PHRASES = 12  # discourse markers and fillers to store, the most frequent ones


class Reparanda(msgspec.Struct, frozen=True, gc=False):
    """Counts of the reparanda of one type.

    ``lengths`` are the numbers of reparanda of one word, of two words, and so on. ``pauses`` is how
    many are followed by a filled pause, ``terms`` how many by words such as "i mean", ``function``
    how many begin with a function word.
    """

    lengths: tuple[int, ...]
    pauses: int = 0
    terms: int = 0
    function: int = 0

    @property
    def count(self) -> int:
        """The number of reparanda."""
        return sum(self.lengths)

    @property
    def mean(self) -> float | None:
        """The mean number of words; ``None`` if there are no reparanda."""
        total = sum(size * n for size, n in enumerate(self.lengths, start=1))
        return total / self.count if self.count else None


Places = tuple[int, int]
"""How often a phrase opens a turn, and how often it comes later."""


class DisfluencyProfile(msgspec.Struct, frozen=True, kw_only=True):
    """The disfluencies of a corpus, as counts.

    ``words`` counts only the fluent words, so that rates are disfluencies per fluent word. ``gaps``
    counts what is inserted between which words; profiles of version 1 do not have it. ``lexicon``
    are the words by which disfluencies were recognised; ``None`` for the built-in English ones.
    ``cuts`` are the numbers of words broken off after one letter, after two, and so on; if there
    are none, words break off by their sounds and end in a dash.
    """

    words: int
    disfluent_words: int
    reparanda: Mapping[str, Reparanda]
    discourse: Mapping[str, Places]
    fillers: Mapping[str, Places]
    discourse_count: int
    filler_count: int
    gaps: Gaps | None = None
    lexicon: Lexicon | None = None
    cuts: tuple[int, ...] = ()
    version: int = 1

    def __post_init__(self) -> None:
        missing = [kind for kind in REPARANDA if kind not in self.reparanda]
        if missing:
            raise DataError(f"a profile needs all types of reparanda; {missing[0]!r} is missing")
        if self.version > VERSION:
            raise DataError(
                f"a profile of version {self.version}, and this release reads version {VERSION}; "
                "install a newer mondegreen"
            )
        if self.words < 1:
            raise DataError("a profile needs fluent words to compute rates; the corpus has none")
        for name, count in _counts("profile", msgspec.to_builtins(self)):
            if not 0 <= count <= _MOST:
                raise DataError(f"a profile counts from 0 to {_MOST:,}; {name} is {count}")

    @property
    def words_of_speech(self) -> Lexicon:
        """The pauses, markers, editing terms and function words."""
        return self.lexicon or ENGLISH

    def count(self, kind: str) -> int:
        """Return the number of disfluencies of a type."""
        if kind in self.reparanda:
            return self.reparanda[kind].count
        return self.discourse_count if kind == "discourse" else self.filler_count

    def rate(self, kind: str) -> float:
        """Return the number of disfluencies of a type per fluent word.

        >>> round(100 * named_profile(CONVERSATION).rate("repeat"), 2)
        2.2
        """
        return self.count(kind) / self.words

    @property
    def total(self) -> int:
        """The number of disfluencies of all types."""
        return sum(map(self.count, TYPES))

    def save(self, path: Path, *, force: bool = False) -> None:
        """Write the profile as JSON; ``force`` replaces an existing file."""
        with whole_file(path, force=force) as file:
            file.write(msgspec.json.encode(self) + b"\n")


def read_marked(
    path: Path, format: str | None = None, keep: Collection[str] = ()
) -> Iterator[Marked]:
    """Yield the turns of a corpus whose disfluent words are marked.

    They are marked by a column ``tags`` or by edits if the file has them, else by UPPERCASE.
    ``keep`` are words in upper case that are fluent, such as "I".

    Raises:
        DataError: if the file cannot be read, or a tag is unknown.
    """
    if not has_tags(path, format):
        yield from (marked_by_case(turn.text, keep) for turn in read(path, format))
        return
    for tagged in read_tagged(path, format):
        try:
            yield marked_by_tags(tagged.words, tagged.tags)
        except DataError as error:
            raise DataError(f"{path}: utterance {tagged.id!r}: {error}") from None


def read_fluent_pairs(path: Path, format: str | None = None) -> list[tuple[str, str]] | None:
    """Read the columns ``fluent`` and ``disfluent`` of a table; ``None`` if it has no such columns.

    Raises:
        DataError: if the file cannot be read, or a row lacks one of the two.
    """
    try:
        records = table_rows(Side(path, format))
    except DataError:
        return None  # not a table
    pairs: list[tuple[str, str]] = []
    for number, record in records:
        missing = [name for name in _PAIR if record.get(name) is None]
        if len(missing) == len(_PAIR) and not pairs:
            return None
        if missing:
            raise DataError.at(path, number, f"there is no {missing[0]!r}; every pair needs both")
        pairs.append((str(record["fluent"]), str(record["disfluent"])))
    return pairs


def profile_of_pairs(pairs: Sequence[tuple[str, str]], language: str = "en") -> DisfluencyProfile:
    """Return the profile of pairs of a fluent and a disfluent text.

    >>> said = [("play jazz", "play uh jazz"), ("stop the music", "stop the the music")]
    >>> profile = profile_of_pairs(said)
    >>> profile.rate("repeat"), profile.fillers
    (0.2, {'uh': (0, 1)})

    Args:
        pairs: the texts.
        language: code of their language, whose pauses and editing terms are known; others are
            learnt from the pairs.

    Raises:
        DataError: if no pair is made disfluent by inserted words alone.
    """
    lexicon = lexicon_of(pairs, lexicon_for(language))
    turns = list(marked_by_pairs(pairs, lexicon))
    if not turns:
        raise DataError("no pair has words that were inserted into its fluent text, and only those")
    return profile_of(turns, lexicon, cuts_of(turns))


def profile_of(
    turns: Iterable[Marked], lexicon: Lexicon | None = None, cuts: tuple[int, ...] = ()
) -> DisfluencyProfile:
    """Return the profile of a corpus.

    >>> from mondegreen.language.disfluency.marked import marked_by_case
    >>> profile = profile_of([marked_by_case("UH play THE the jazz")])
    >>> profile.rate("repeat"), profile.reparanda["repeat"].lengths, profile.fillers
    (0.3333333333333333, (1,), {'uh': (1, 0)})

    Raises:
        DataError: if the corpus has no fluent words.
    """
    words = disfluent = 0
    listed = list(turns)
    found: dict[str, list[Disfluency]] = {kind: [] for kind in TYPES}
    for turn in listed:
        fluent = sum(role == "O" for role in turn.roles)
        words += fluent
        disfluent += len(turn.words) - fluent
        for one in disfluencies(turn):
            found[one.kind].append(one)
    return DisfluencyProfile(
        words=words,
        disfluent_words=disfluent,
        reparanda={kind: _reparanda(found[kind], lexicon or ENGLISH) for kind in REPARANDA},
        discourse=_places(found["discourse"]),
        fillers=_places(found["filler"]),
        discourse_count=len(found["discourse"]),
        filler_count=len(found["filler"]),
        gaps=gaps_of(listed, lexicon or ENGLISH),
        lexicon=lexicon,
        cuts=cuts,
        version=VERSION,
    )


def _reparanda(found: list[Disfluency], lexicon: Lexicon) -> Reparanda:
    sizes = Counter(min(len(one.words), _LONGEST) for one in found)
    terms = Counter(one.term for one in found)
    lengths = tuple(sizes[size] for size in range(1, max(sizes, default=0) + 1))
    function = sum(lexicon.is_function(one.words[0]) for one in found)
    return Reparanda(lengths, terms["pause"], terms["editing"], function)


def _places(found: list[Disfluency]) -> dict[str, Places]:
    opening: Counter[str] = Counter()
    later: Counter[str] = Counter()
    for one in found:
        (opening if one.opens else later)[" ".join(one.words)] += 1
    ranked = sorted((opening + later).items(), key=lambda item: (-item[1], item[0]))
    return {phrase: (opening[phrase], later[phrase]) for phrase, _ in ranked[:_PHRASES]}


def _counts(name: str, part: Any) -> Iterator[tuple[str, int]]:
    """Yield all numbers of a profile, each with the name of its part."""
    if isinstance(part, int):
        yield name, part
    elif isinstance(part, Mapping):
        for key, value in part.items():
            yield from _counts(key, value)
    elif isinstance(part, list | tuple):
        for value in part:
            yield from _counts(name, value)


ASSISTANT, CONVERSATION = "assistant", "conversation"
"""Names of built-in profiles: requests to assistants, and telephone conversations."""
_BUILT_IN = {
    (ASSISTANT, "en"): "languages/en/disfluency.assistant.json.gz",
    (ASSISTANT, "de"): "languages/de/disfluency.assistant.json.gz",
    (ASSISTANT, "fr"): "languages/fr/disfluency.assistant.json.gz",
    (ASSISTANT, "hi"): "languages/hi/disfluency.assistant.json.gz",
    (CONVERSATION, "en"): "languages/en/disfluency.conversation.json.gz",
}


def profile_languages(name: str) -> frozenset[str]:
    """Return the codes of the languages for which a built-in profile was fitted.

    >>> sorted(profile_languages("assistant"))
    ['de', 'en', 'fr', 'hi']
    """
    return frozenset(language for known, language in _BUILT_IN if known == name)


def named_profile(name: str, language: str = "en") -> DisfluencyProfile:
    """Return a built-in profile by its name, or that of a file.

    Raises:
        DataError: if there is no such file, if it is not a profile, or if a built-in profile was
            not fitted to the language.
    """
    if name not in (ASSISTANT, CONVERSATION):
        return read_profile(name)
    if (name, language) not in _BUILT_IN:
        known = ", ".join(sorted(profile_languages(name)))
        raise DataError(f"the profile {name} was fitted to {known}, not to {language}")
    return _built_in(_BUILT_IN[name, language])


@cache
def _built_in(resource: str) -> DisfluencyProfile:
    return msgspec.json.decode(read_resource(resource), type=DisfluencyProfile)


@by_content
def read_profile(path: str) -> DisfluencyProfile:
    """Read a profile that ``mondegreen fit disfluency`` has written.

    Raises:
        DataError: if there is no such file, or it is not a profile.
    """
    try:
        return msgspec.json.decode(read_small(Path(path)), type=DisfluencyProfile)
    except FileNotFoundError:
        raise DataError(f"{path}: there is no such file; see: mondegreen fit disfluency") from None
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DataError(
            f"{path}: not a profile of disfluencies ({error}); see: mondegreen fit disfluency"
        ) from None
