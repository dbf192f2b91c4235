"""Corrections outside slots: of numbers, nouns, verbs and beginnings of phrases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from mondegreen.language.disfluency.corrections import (
    CALENDAR,
    LAST,
    LINK,
    NUMBER,
    Role,
    role_of,
    words_in,
)
from mondegreen.language.disfluency.utterance_kinds import COMMAND, kind_of_utterance, word_list
from mondegreen.language.english import english_words
from mondegreen.language.vocabulary.substitutes import agrees, article_before
from mondegreen.language.vocabulary.tagger import tag
from mondegreen.language.vocabulary.thesaurus import is_lemma
from mondegreen.operators.correction import (
    PHRASE,
    REPEAT,
    START,
    VALUE,
    Correction,
    Wrong,
    has_article,
    phrase_begin,
)
from mondegreen.operators.disfluent import without_final_punctuation
from mondegreen.text.words import is_acronym, is_mark, like
from mondegreen.types import Slot, Utterance

_NAMES = frozenset(("NOUN", "PROPN"))
_MODIFIERS = frozenset(("ADJ", "NOUN"))
_OBJECTS = frozenset(("DET", "NOUN", "PROPN", "NUM"))
_OPENERS = word_list("openers")
_OWNERS, _COUNTING, _PARTICLES = map(words_in, ("owners", "counting", "particles"))
_SUBJECTS, _MODALS, _QUESTIONS = map(words_in, ("subjects", "modals", "questions"))
_WANTING, _WOULD = map(words_in, ("wanting", "would"))
_NO_MODIFIER, _NO_HEAD = map(words_in, ("no_modifier", "no_head"))
_GENERIC, _NOT_GENERIC = map(words_in, ("generic", "not_generic"))
_ONE, _SINGULAR = english_words("places", "one"), english_words("places", "singular")
_SINGULAR_ARTICLE = english_words("places", "singular_article")
_INFINITIVE, _PLEASE = english_words("places", "infinitive"), english_words("places", "please")
_YOU = english_words("places", "you")
_AGAIN = 2  # words of a beginning that is said twice
_CLAUSE = 5  # words before a verb in which its clause begins


class WordCorrections:
    """The corrections of an utterance outside its slots, by site.

    Args:
        utterance: the utterance.
    """

    def __init__(self, utterance: Utterance) -> None:
        self._tokens, self._slots = utterance.tokens, utterance.slots
        self._by_site: dict[int, list[Correction]] = {}

    @cached_property
    def by_site(self) -> dict[int, list[Correction]]:
        """The corrections at each site."""
        self._quantities()
        for at, role in enumerate(self._roles):
            if at not in self._inside and not is_mark(self._tokens[at]):
                self._at(at, role)
        self._again()
        return self._by_site

    def changed_slot(self, slot: Slot) -> Sequence[tuple[str, ...]]:
        """Return a value with another number or day, or another noun, as far as one is known."""
        start, end = slot.start, slot.end
        role = self._roles[start]
        if end - start == 1 and not role.quantity:
            return self._agreeing(start, role.noun or role.adjective)
        odd = sum(self._roles[at].quantity == "" for at in range(start, end))
        at = self._changed(start, end) if odd <= 1 and role.core not in _OWNERS else None
        return () if at is None else self._run(start, end, at)

    @cached_property
    def _tags(self) -> tuple[str, ...]:
        return tag(self._tokens)

    @cached_property
    def _roles(self) -> list[Role]:
        return list(map(role_of, self._tokens))

    @cached_property
    def _inside(self) -> frozenset[int]:
        return frozenset(at for slot in self._slots for at in range(slot.start, slot.end))

    def _add(self, site: int, at: int, wrong: Wrong, term: str, weight: float) -> None:
        """Add a correction of what begins at a position, said from a site on."""
        if wrong:
            found = Correction(self._tokens[site:at], wrong, term, weight)
            self._by_site.setdefault(site, []).append(found)

    def _from_phrase(self, at: int, others: Wrong, term: str, weight: float) -> None:
        """Add a correction with and without the words with which its phrase begins."""
        if not others:
            return
        begin = phrase_begin(self._tokens, self._slots, at)
        if begin == at or not has_article(self._tokens, at):
            self._add(at, at, others, term, weight)
        if begin < at:
            self._add(begin, at, others, "value" if term == "number" else term, weight)

    def _quantities(self) -> None:
        """Add corrections of numbers, dates and times outside slots, each as a whole."""
        at, n = 0, len(self._tokens)
        while at < n:
            if self._roles[at].quantity in (NUMBER, CALENDAR) and at not in self._inside:
                end = self._quantity_end(at)
                changed = self._changed(at, end) if self._is_counted(at, end) else None
                if changed is not None:
                    self._from_phrase(at, self._run(at, end, changed), "number", VALUE)
                at = end
            at += 1

    def _quantity_end(self, at: int) -> int:
        end = at + 1
        while end < len(self._tokens) and end not in self._inside and not self._roles[end - 1].ends:
            kind = self._roles[end].quantity
            if kind == LINK and end + 1 < len(self._tokens):
                follows = self._roles[end + 1].quantity
                if follows not in (NUMBER, CALENDAR, LAST) and self._tokens[end] != ".":
                    break
                if self._tokens[end] == "." and follows not in (NUMBER, LAST):
                    break
            elif kind not in (NUMBER, CALENDAR, LAST):
                break
            end += 1
        return end

    def _changed(self, start: int, end: int) -> int | None:
        """Return which word of a number or date is said wrong: a calendar word, else the first."""
        known = [at for at in range(start, end) if self._roles[at].near]
        if end - start > 1 and any(self._roles[at].quantity == "" for at in range(start, end)):
            known = [at for at in known if not self._roles[at].ambiguous]
        days = [at for at in known if self._roles[at].quantity == CALENDAR]
        return next(iter(days or known), None)

    def _run(self, start: int, end: int, at: int) -> Sequence[tuple[str, ...]]:
        """Return a number or date with another word at a position, as a whole."""
        words = without_final_punctuation(self._tokens[start:end])
        cut = at - start
        return [
            (*words[:cut], *like(words[cut], (other,)), *words[cut + 1 :])
            for other in self._roles[at].near
            if other not in _SINGULAR or not self._is_plural(at + 1)
        ]

    def _is_plural(self, at: int) -> bool:
        return at < len(self._tokens) and self._roles[at].core.endswith("s")

    def _is_counted(self, start: int, end: int) -> bool:
        """Return whether a number is a value: not "one" in "this one", no part of a name."""
        roles, tags = self._roles, self._tags
        before = tags[start - 1] if start else ""
        after = tags[end] if end < len(tags) else ""
        if before == "PROPN" or after == "PROPN":
            return False
        if end - start > 1:
            return True
        if roles[start].ambiguous:
            return roles[start].core in _ONE and after == "NOUN" and before in ("ADP", "VERB", "")
        if roles[start].quantity == CALENDAR:
            return not after.startswith("V")
        counted = after == "NOUN" and before not in ("NOUN", "ADJ", "NUM")
        last = after in ("", "PUNCT", "ADP", "CCONJ") and start > 0
        return counted or (last and roles[start - 1].core in _COUNTING)

    def _at(self, at: int, role: Role) -> None:
        """Add what may be corrected at a word outside slots."""
        part = self._tags[at]
        if part in _NAMES and role.noun:
            self._noun(at, role.noun)
        elif role.adjective and self._follows(at, _NAMES):
            self._from_phrase(at, self._agreeing(at, role.adjective), "value", PHRASE)
        elif part == "VERB":
            self._verb(at, role)
        if part == "DET" or role.core in _OWNERS:
            self._modified(at)
        self._beginning(at, role, part)

    def _noun(self, at: int, others: tuple[str, ...]) -> None:
        """Add another noun, if this one is no part of a compound."""
        before = self._tags[at - 1] if at else ""
        if self._follows(at, _NAMES) or before in _NAMES:
            return
        self._from_phrase(at, self._agreeing(at, others), "value", PHRASE)

    def _follows(self, at: int, parts: frozenset[str]) -> bool:
        ends = self._roles[at].ends or at + 1 == len(self._tokens)
        return not ends and self._tags[at + 1] in parts

    def _agreeing(self, at: int, others: Sequence[str]) -> Sequence[tuple[str, ...]]:
        (word,) = without_final_punctuation(self._tokens[at : at + 1])
        word = word.lower() if is_acronym(self._tokens, at) else word
        return [like(word, (other,)) for other in others if agrees(self._tokens, at, other)]

    def _verb(self, at: int, role: Role) -> None:
        """Add another verb, in a command or after "to", "can i", "how do i"."""
        clause = self._clause(at)
        if clause is None or role.ends or self._inside.intersection(range(clause, at)):
            return
        others = [(other,) for other in role.verb]
        phrasal = at + 1 < len(self._roles) and self._roles[at + 1].core in _PARTICLES
        if others and not phrasal:
            self._add(at, at, [like(self._tokens[at], one) for one in others], "verb", PHRASE)
        if clause == at:
            return
        asked = any(word.core in _YOU for word in self._roles[clause:at])
        if asked and role.core not in _NOT_GENERIC:
            others = others or [(other,) for other in sorted(_GENERIC) if other != role.core]
        self._add(clause, at, others, "verb", PHRASE)

    def _clause(self, at: int) -> int | None:
        """Return where the clause of a verb in its base form begins; ``None`` for other forms."""
        words = [role.core for role in self._roles[max(0, at - _CLAUSE) : at]]
        n, shift = len(words), at - len(words)
        if n and words[-1] in _INFINITIVE:
            begin = n - 1
            if begin and words[begin - 1] in _WANTING:
                begin -= 1
                while begin and words[begin - 1] in _WOULD | _SUBJECTS:
                    begin -= 1
            inverted = begin > 0 and words[begin] in _SUBJECTS and words[begin - 1] in _MODALS
            return shift + begin - inverted
        back = n - (n > 0 and words[-1] in _PLEASE)
        if back > 1 and words[back - 1] in _SUBJECTS and words[back - 2] in _MODALS:
            begin = back - 2
            asked = begin > 0 and words[begin - 1] in _QUESTIONS
            return shift + begin - asked
        opened = all(word in _OPENERS for word in words) and shift == 0
        return at if opened and kind_of_utterance(self._tokens) == COMMAND else None

    def _modified(self, at: int) -> None:
        """Add a noun without its modifiers: "my account i mean my checking account"."""
        end = at + 1
        while end < len(self._tokens) and self._is_modifier(end):
            end += 1
        if end == at + 1 or end == len(self._tokens) or not self._is_head(end):
            return
        (head,) = without_final_punctuation(self._tokens[end : end + 1])
        article = article_before(self._tokens[at], head)
        self._add(at, at, [(article, head)], "noun", PHRASE)
        if at and phrase_begin(self._tokens, self._slots, at) < at and not self._roles[at - 1].ends:
            self._add(at - 1, at, [(article, head)], "noun", PHRASE)

    def _is_modifier(self, at: int) -> bool:
        role, token = self._roles[at], self._tokens[at]
        if self._tags[at] not in _MODIFIERS or role.ends or at in self._inside:
            return False
        fits = token.isalpha() and token.islower() and role.core not in _NO_MODIFIER
        return fits and self._follows(at, _MODIFIERS)

    def _is_head(self, at: int) -> bool:
        role = self._roles[at]
        if self._tags[at] != "NOUN" or at in self._inside or role.core in _NO_HEAD:
            return False
        if role.core.endswith("s") and is_lemma(role.core[:-1], "VERB"):
            return False  # it may be a verb: "when my loan starts"
        return self._tokens[at].islower() and not self._follows(at, _NAMES)

    def _beginning(self, at: int, role: Role, part: str) -> None:
        """Add another first word of a phrase: a determiner, a preposition, the first of all."""
        weight = START
        if at == 0 and role.opening and len(self._tokens) > 1:
            self._add(
                at, at, [like(self._tokens[at], (one,)) for one in role.opening], "start", weight
            )
        if role.determiner and self._follows(at, _MODIFIERS) and at > 0 and part != "ADP":
            others = [one for one in role.determiner if self._may_begin(at, one)]
            wrong = [(article_before(one, self._tokens[at + 1]),) for one in others]
            self._add(at, at, wrong, "start", weight)
            if phrase_begin(self._tokens, self._slots, at) == at - 1:
                self._add(at - 1, at, wrong, "start", weight)
        after_name = at > 0 and self._tags[at - 1] in _NAMES
        if role.preposition and part == "ADP" and after_name and self._follows(at, _OBJECTS):
            self._add(at, at, [(one,) for one in role.preposition], "start", weight)

    def _may_begin(self, at: int, other: str) -> bool:
        plural = any(map(self._is_plural, range(at + 1, min(at + 3, len(self._tokens)))))
        return other not in _SINGULAR_ARTICLE or not plural

    def _again(self) -> None:
        """Add the beginning, which is said twice if nothing else can be corrected."""
        tokens = self._tokens
        if not tokens or is_mark(tokens[0]):
            return
        size = max(self._beginnings(), default=1)
        words = without_final_punctuation(tokens[:size])
        self._by_site.setdefault(0, []).append(Correction((), [words], "again", REPEAT))

    def _beginnings(self) -> Iterator[int]:
        """Yield how many words a speaker may say again: up to a function word or a verb."""
        for size in range(1, min(_AGAIN, len(self._tokens) - 1) + 1):
            role = self._roles[size - 1]
            if size - 1 in self._inside or is_mark(self._tokens[size - 1]):
                return
            if self._tags[size - 1] not in ("NOUN", "PROPN", "ADJ", "NUM"):
                yield size
            if role.ends:
                return
