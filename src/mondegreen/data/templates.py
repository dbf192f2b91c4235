"""Labelled requests made from templates and lists of values, drawn at random."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle

from mondegreen.draw import Draw, prefix_of
from mondegreen.errors import DataError
from mondegreen.kernel import key
from mondegreen.text.patterns import lazy_pattern
from mondegreen.types import Slot, Utterance

_CHOICE = lazy_pattern(r"\(([^()]*)\)")
_SLOT = lazy_pattern(r"\{(\w+)(?::(\w+))?\}")
_OPENING = lazy_pattern(r"(slot|intent) (\w+)$")
_VALUE_STEP, _TEMPLATE_STEP = 6, 10  # every sixth value, every tenth template is held out
_PATIENCE = 20  # draws per request; short templates often give the same text


@dataclass(frozen=True)
class Templates:
    """The values of slots and the templates of intents; some of both are held out for testing.

    >>> lines = ["slot song", "  jolene, halo", "intent play", "  play {song}( now|)"]
    >>> utterance = Templates.read(lines).draw("u1", "play", Draw(1, 0))
    >>> utterance.text, utterance.tags, utterance.label
    ('play jolene', ('O', 'B-song'), 'play')
    """

    values: dict[str, list[str]] = field(default_factory=dict)
    intents: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, lines: Iterable[str]) -> Templates:
        """Read ``slot NAME`` or ``intent NAME``, followed by indented lines of values or templates.

        Raises:
            DataError: naming the line that is neither, or a missing list of values.
        """
        templates = cls()
        section: tuple[str, str] | None = None
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            opening = _OPENING.match(line.rstrip())
            if opening:
                section = opening[1], opening[2]
            elif section is None or not line.startswith(" "):
                raise DataError(f"line {number}: neither 'slot NAME' nor 'intent NAME': {text!r}")
            else:
                templates._add(*section, text)
        templates._check()
        return templates

    def _add(self, kind: str, name: str, text: str) -> None:
        if kind == "intent":
            self.intents.setdefault(name, []).append(text)
        else:
            values = (value.strip() for value in text.split(","))
            self.values.setdefault(name, []).extend(filter(None, values))

    def _check(self) -> None:
        for template in (one for found in self.intents.values() for one in found):
            for label, name in _SLOT.findall(template):
                if (name or label) not in self.values:
                    raise DataError(
                        f"{template!r}: there is no list of values for {name or label!r}"
                    )

    def for_training(self) -> Templates:
        """Return the part for training, without every sixth value and every tenth template."""
        return Templates(
            {name: _without(found, _VALUE_STEP) for name, found in self.values.items()},
            {name: _without(found, _TEMPLATE_STEP) for name, found in self.intents.items()},
        )

    def draw(self, id: str, intent: str, draw: Draw) -> Utterance:
        """Return a request: a random template of an intent, with a random value for each slot."""
        chosen = _CHOICE.sub(
            lambda found: draw.choice(found[1].split("|")), draw.choice(self.intents[intent])
        )
        tokens: list[str] = []
        slots: list[Slot] = []
        used: set[str] = set()
        for word in chosen.split():
            found = _SLOT.fullmatch(word)
            if found is None:
                tokens.append(word)
                continue
            unused = [value for value in self.values[found[2] or found[1]] if value not in used]
            value = draw.choice(unused)
            used.add(value)
            slots.append(Slot(found[1], len(tokens), len(tokens) + len(value.split())))
            tokens += value.split()
        return Utterance(id, tuple(_with_articles(tokens)), tuple(slots), intent)

    def draws(self, name: str, n: int, seen: set[str]) -> Iterator[Utterance]:
        """Yield ``n`` requests with different texts that are not in ``seen``, intent by intent.

        Raises:
            DataError: if the templates give fewer different texts.
        """
        prefix = prefix_of(0, name)
        intents = cycle(self.intents)
        made = 0
        for attempt in range(_PATIENCE * n):
            draw = Draw(key(prefix, str(attempt)), 0)
            utterance = self.draw(f"{name}-{made + 1:04}", next(intents), draw)
            if utterance.text not in seen:
                seen.add(utterance.text)
                made += 1
                yield utterance
            if made == n:
                return
        raise DataError(f"{name}: the templates give {made:,} different requests, not {n:,}")


def _without(found: Sequence[str], step: int) -> list[str]:
    return [one for i, one in enumerate(found, 1) if i % step]


def _with_articles(tokens: Sequence[str]) -> Iterator[str]:
    """Write "an" instead of "a" before a vowel."""
    for word, following in zip(tokens, (*tokens[1:], ""), strict=True):
        yield "an" if word == "a" and following.startswith(tuple("aeiou")) else word
