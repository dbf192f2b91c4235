"""All types of disfluency together, as frequent as in real speech."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import ClassVar

from mondegreen.draw import Draw
from mondegreen.language.detection import ENGLISH
from mondegreen.language.disfluency.borrowed import is_borrowed
from mondegreen.language.disfluency.gaps import MARK_OF
from mondegreen.language.disfluency.lexicon import (
    EARLY,
    KIND_OF,
    PARTIAL,
    REPAIR,
    REPAIRED_WORDS,
    REPEAT,
    RESTART,
    Lexicon,
)
from mondegreen.language.disfluency.marked import is_repair
from mondegreen.language.disfluency.values import LabelValues, files_in, values_of
from mondegreen.language.english import english_words
from mondegreen.language.offers import offer, require_offer
from mondegreen.operators.amounts import Amount, Chance, Once
from mondegreen.operators.discourse import Discourse, Pauses
from mondegreen.operators.disfluent import (
    DisfluencyOperator,
    FunctionFlags,
    Insertion,
    flags_in,
    rounded_rate,
    within_slot,
    without_final_punctuation,
)
from mondegreen.operators.gap_places import GapPlaces, edit_kind, profile_gaps
from mondegreen.operators.partials import Partials
from mondegreen.operators.recent import recent
from mondegreen.operators.repairs import LONGER, Repairs
from mondegreen.operators.repeats import Repeats
from mondegreen.operators.restarts import Restarts
from mondegreen.text.words import is_any_mark
from mondegreen.types import Edit, Utterance

_TERMS = english_words("terms", "disfluencies")  # after words that would otherwise stand
_ATTEMPTS, _CONTENTS = 6, 2  # types to draw, and contents of each, until one can be said at a site
_COMING = 8  # words after a site that a reparandum may use
_EARLIEST = 4  # words to skip at most to one that is said too early
_ROUNDS = 4  # enough to bring the shares within a few hundredths
_SCALE = 1 << 20

Reparandum = Callable[[Utterance, int, int, Draw], tuple[str, ...] | None]
"""Returns about as many words to insert before a site as asked for, or none."""


@dataclass(frozen=True)
class Disfluencies(DisfluencyOperator):
    """Insert all types of disfluency: fillers, repeats, partials, repairs, restarts and markers.

    Where they are inserted, and what, depends on the words before and after, as counted in the
    profile: "uh" often follows "and", and "the" is often repeated. Over an utterance, each type is
    as frequent as in the profile. With the default amount many short utterances stay fluent, as in
    real speech. Within a slot only filled pauses are inserted.

    Args:
        profile: ``assistant`` (requests to assistants, the default), ``conversation`` (American
            telephone conversations), or a file written by ``mondegreen fit disfluency``.
        terms: editing terms that may precede a repair, such as ["no wait"]; empty for the built-in
            English list.
        values: the values of each slot label: a file written by ``mondegreen fit values``, a data
            set with slots, or the labels with their values; repairs then say a wrong value of the
            slot first. By default, those of the data.
        language: code of the language; see: mondegreen languages. With a profile of your own, any.
    """

    name: ClassVar[str] = "disfluencies"
    version: ClassVar[int] = 6
    learnt: ClassVar[str] = "values"
    kind: ClassVar[str] = "disfluency"
    example: ClassVar[str] = "play some jazz by miles davis in the kitchen"

    terms: tuple[str, ...] = ()
    values: str | LabelValues = ""
    language: str = ENGLISH

    def __post_init__(self) -> None:
        Repairs(self.profile, self.terms, self.values)  # validates these three parameters
        if not self._has_own_profile:
            require_offer(self.name, self.language)

    @property
    def languages(self) -> frozenset[str] | None:
        """The language of the profile; any language if the user gives a profile."""
        return None if self._has_own_profile else frozenset((self.language,))

    @property
    def default(self) -> Amount:
        """Once for requests, all of which were made disfluent; else the rate in the profile.

        With a rate an utterance may stay unchanged.
        """
        if self._profile.lexicon is not None:
            return Once()
        return Chance(rounded_rate(self._profile.total / self._profile.words))

    @cached_property
    def _parts(self) -> tuple[DisfluencyOperator, ...]:
        return (
            self._repeats,
            self._partials,
            self._repairs,
            self._restarts,
            *((Discourse(self.profile),) if self.language == ENGLISH else ()),
            Pauses(self.profile, self.language),
        )

    @cached_property
    def _counts(self) -> tuple[int, ...]:
        return tuple(self._profile.count(part.kind) for part in self._parts)

    @cached_property
    def _places(self) -> GapPlaces | None:
        """Where disfluencies are likely; ``None`` for a profile of version 1."""
        if is_borrowed(self._profile_name, self.language):
            return None
        gaps = profile_gaps(self._profile_name, self.language)
        return GapPlaces(gaps, self._repairs.likely_sites) if gaps else None

    @cached_property
    def _repairs(self) -> Repairs:
        return Repairs(self.profile, self.terms, self.values, language=self._listed)

    @cached_property
    def _restarts(self) -> Restarts:
        return Restarts(self.profile, self.terms, self._listed)

    @property
    def _listed(self) -> str:
        """The language whose words are used in repairs; English for one without a folder."""
        return self.language if offer(Repairs.name, self.language) else ENGLISH

    @cached_property
    def _repeats(self) -> Repeats:
        return Repeats(self.profile, self.terms, self.language)

    @cached_property
    def _partials(self) -> Partials:
        return Partials(self.profile, self.terms, self.language)

    @cached_property
    def _lexicon(self) -> Lexicon:
        return self._profile.words_of_speech

    @cached_property
    def _correcting(self) -> tuple[str, ...]:
        """What may follow a word that would otherwise stand beside its correction."""
        known = _TERMS if self.language == ENGLISH else self._lexicon.terms
        return self.terms or known or self._lexicon.pauses

    def sites(self, utterance: Utterance) -> range:
        """Return the position before every token, and the end if no punctuation is there."""
        n = len(utterance.tokens)
        open_end = self._places is not None and n and utterance.tokens[-1][-1].isalnum()
        return range(n + 1) if open_end else range(n)

    def site_weights(self, utterance: Utterance) -> Sequence[float] | None:
        """Return how likely each site is, by the words before and after it."""
        if self._places is None:
            return None
        return self._places.weights(utterance)[: len(self.sites(utterance))]

    def propose(self, utterance: Utterance, site: int, draw: Draw) -> Sequence[Edit]:
        """Insert the disfluency."""
        return self.inserted(utterance, site, draw)

    def insertion(self, utterance: Utterance, site: int, draw: Draw) -> Insertion | None:
        """Draw a type, with a preference for types that suit the position, then its words."""
        if self._places is not None:
            return self._placed(self._places, utterance, site, draw)
        shares = list(self._shares(flags_in(utterance, self.code))[site])
        found = None
        while found is None and any(shares):
            part = draw.weighted(shares)
            found = self._parts[part].insertion(utterance, site, draw)
            shares[part] = 0
            if self.language == ENGLISH:
                break
        return found

    def _placed(
        self, places: GapPlaces, utterance: Utterance, site: int, draw: Draw
    ) -> Insertion | None:
        """Draw types, and contents of each, until one of them can be said here."""
        for _ in range(_ATTEMPTS):
            kind = places.draw_kind(utterance, site, draw)
            if kind is None:
                return None
            for _ in range(_CONTENTS):
                content = places.draw_content(utterance, site, kind, draw)
                found = self._said(content, utterance, site, draw)
                if found is not None:
                    return found
        return None

    def _said(self, content: str, utterance: Utterance, site: int, draw: Draw) -> Insertion | None:
        """Return a content in words; ``None`` if it cannot be said here."""
        if utterance.slots and _is_unclear(content, utterance, site):
            content = f"{REPAIR}{min(_COMING, len(content.split()) + 1)}"
        if _needs_term(content.rpartition(" ")[2], utterance, site):
            content += f" {draw.choice(self._correcting)}"
        words = self._words(content, utterance, site, draw)
        if not words:
            return None
        first, *rest = content.split()
        corrected = KIND_OF.get(first[0]) == "repair" and not any(
            piece[0] in KIND_OF for piece in rest
        )
        return Insertion(
            edit_kind(content, self._lexicon), words, (len(words) - len(rest)) * corrected
        )

    def _words(
        self, content: str, utterance: Utterance, site: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return the words of a content; ``None`` if a part of it cannot be said here."""
        said: tuple[str, ...] = ()
        for piece in reversed(content.split()):
            if piece[0] not in KIND_OF:
                said = (piece, *said)
                continue
            words = self._piece(piece, utterance, site, draw)
            if not words:
                return None
            coming = words + utterance.tokens[site : site + _COMING]
            said, utterance, site = words + said, Utterance("", coming), 0
        return said

    def _piece(
        self, piece: str, utterance: Utterance, site: int, draw: Draw
    ) -> tuple[str, ...] | None:
        """Return a reparandum that suits the words that follow; ``None`` if nothing suits."""
        mark, size = piece[0], piece[1:]
        coming = utterance.tokens[site : site + _COMING]
        if mark == EARLY:
            words = _early(utterance, site, coming, [int(at) for at in size.split(",")])
            return words if self.language == ENGLISH else _without_marks(words)
        if mark in MARK_OF:
            words = tuple(size.split("_"))
            if is_repair(words, coming) == (mark == REPAIRED_WORDS) and words[0] != coming[0]:
                return words
            mark, size = MARK_OF[mark], str(len(words))
        if int(size) > len(coming):
            return None
        if mark in (REPAIR, RESTART) and self.language != ENGLISH:
            return _early_words(utterance, site, coming, int(size), draw)
        return self._by_mark[mark](utterance, site, int(size), draw)

    @cached_property
    def _by_mark(self) -> dict[str, Reparandum]:
        return {
            REPEAT: self._repeats.reparandum,
            PARTIAL: self._partials.reparandum,
            REPAIR: self._repairs.of_size,
            RESTART: self._restarts.reparandum,
        }

    @cached_property
    def _shares(self) -> Callable[[FunctionFlags], list[list[int]]]:
        """A function that returns the weight of each type at each position."""
        parts, counts = self._parts, self._counts

        @recent
        @lru_cache(maxsize=50_000)
        def shares(flags: FunctionFlags) -> list[list[int]]:
            return balanced([part.weights(flags) for part in parts], counts)

        return shares

    def learning_from(self, data: Iterable[Utterance], seed: int) -> Disfluencies:  # noqa: ARG002 (values alone)
        """Return disfluencies with the slot values of the data, unless the user gave others."""
        found = tuple(values_of(data).items()) if self.can_learn else ()
        return replace(self, values=found) if found else self

    def resources(self) -> Sequence[Path]:
        """Return the files that the user gave."""
        return (*super().resources(), *files_in(self.values))


def _early_words(
    utterance: Utterance, site: int, coming: Sequence[str], size: int, draw: Draw
) -> tuple[str, ...] | None:
    """Return words that come later: the mistake that needs no knowledge of the language."""
    farthest = min(_EARLIEST, len(coming) - size)
    if farthest < 1:
        return None
    start = 1 + draw.below(farthest)
    return _without_marks(_early(utterance, site, coming, range(start, start + size)))


def _without_marks(words: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """Return words unless one of them is a punctuation mark, which nobody says too early."""
    return None if words is None or any(map(is_any_mark, words)) else words


def _early(
    utterance: Utterance, site: int, coming: Sequence[str], offsets: Sequence[int]
) -> tuple[str, ...] | None:
    """Return coming words that are said too early; ``None`` if there are not as many."""
    if offsets[-1] >= len(coming) or within_slot(utterance, site):
        return None
    return without_final_punctuation([coming[at] for at in offsets])


def _is_unclear(content: str, utterance: Utterance, site: int) -> bool:
    """Return whether it would not be clear which words of a value are taken back.

    Beside a slot a correction says another value and nothing else; the words of the corpus, or
    words that come later, would be taken for a value.
    """
    marked = [piece for piece in content.split() if piece[0] in KIND_OF]
    repairs = [piece for piece in marked if KIND_OF[piece[0]] == "repair"]
    if not repairs or (len(marked) == 1 and content[0] == REPAIR):
        return False
    reach = max(map(_reach, repairs))
    return any(site <= slot.start <= site + reach for slot in utterance.slots)


def _reach(piece: str) -> int:
    """Return how many words after its site a correction may concern."""
    mark, size = piece[0], piece[1:]
    if mark == EARLY:
        return int(size.split(",")[-1]) + 1
    return int(size) + LONGER if mark == REPAIR else size.count("_") + 1


def _needs_term(piece: str, utterance: Utterance, site: int) -> bool:
    """Return whether both words would stand if no editing term followed a correction.

    They would if the speaker does not go back ("rock jazz"), and a value of a slot must be clear.
    """
    if not piece.startswith(REPAIR):
        return False
    size = int(piece[1:])
    return size == 1 or any(site <= slot.start < site + size + LONGER for slot in utterance.slots)


def balanced(weights: Sequence[Sequence[int]], counts: Sequence[int]) -> list[list[int]]:
    """Return the weight of each type at each position.

    A type prefers some positions to others. Still, every position must be equally likely, and over
    all positions each type must keep its share. Rows and columns are scaled in turn, by iterative
    proportional fitting, until both conditions hold.

    Args:
        weights: for each type, its preference for each position.
        counts: for each type, how frequent it is.

    >>> balanced([[2000, 0], [1000, 1000]], [1, 3])
    [[521032, 527544], [0, 1048576]]
    """
    positions = range(len(weights[0]))
    wanted = [count * len(positions) / max(1, sum(counts)) for count in counts]
    table = [[float(weight) for weight in row] for row in weights]
    for _ in range(_ROUNDS):
        for row, share in zip(table, wanted, strict=True):
            scale = share / (sum(row) or 1.0)
            row[:] = [cell * scale for cell in row]
        for position in positions:
            scale = 1 / (sum(row[position] for row in table) or 1.0)
            for row in table:
                row[position] *= scale
    return [[round(row[position] * _SCALE) for row in table] for position in positions]
