"""Requests drawn from templates and lists of values: many labelled utterances of a short text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle

from mondegreen.draw import Draw, prefix_of
from mondegreen.errors import DataError
from mondegreen.kernel import key
from mondegreen.types import Slot, Utterance

_CHOICE = re.compile(r"\(([^()]*)\)")
_SLOT = re.compile(r"\{(\w+)(?::(\w+))?\}")
_OPENING = re.compile(r"(slot|intent) (\w+)$")
_VALUE_STEP, _TEMPLATE_STEP = 6, 10  # every sixth value, every tenth template is held out
_PATIENCE = 20  # draws for each request; short templates give many a text twice


@dataclass(frozen=True)
class Templates:
    """Values of slots, and templates of intents; some of both are kept from the training part.

    >>> lines = ["slot song", "  jolene, halo", "intent play", "  play {song}( now|)"]
    >>> said = Templates.read(lines).draw("u1", "play", Draw(1, 0))
    >>> said.text, said.tags, said.label
    ('play jolene', ('O', 'B-song'), 'play')
    """

    values: dict[str, list[str]] = field(default_factory=dict)
    intents: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def read(cls, lines: Iterable[str]) -> Templates:
        """Read ``slot NAME`` and ``intent NAME``, each followed by what belongs to it, indented.

        Raises:
            DataError: naming the line that says neither, or the list that is not there.
        """
        made = cls()
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
                made._take(*section, text)
        made._check()
        return made

    def _take(self, kind: str, name: str, text: str) -> None:
        if kind == "intent":
            self.intents.setdefault(name, []).append(text)
        else:
            values = (value.strip() for value in text.split(","))
            self.values.setdefault(name, []).extend(filter(None, values))

    def _check(self) -> None:
        for template in (one for found in self.intents.values() for one in found):
            for label, name in _SLOT.findall(template):
                if (name or label) not in self.values:
                    raise DataError(f"{template!r}: there is no list of values {name or label!r}")

    def for_training(self) -> Templates:
        """Return these without what is held out: every sixth value, every tenth template."""
        return Templates(
            {name: _without(found, _VALUE_STEP) for name, found in self.values.items()},
            {name: _without(found, _TEMPLATE_STEP) for name, found in self.intents.items()},
        )

    def draw(self, id: str, intent: str, draw: Draw) -> Utterance:
        """Draw a template of an intent, and a value for each of its slots."""
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
        """Yield ``n`` requests unlike each other and unlike those seen, intent after intent.

        Raises:
            DataError: if the templates do not give as many.
        """
        prefix = prefix_of(0, name)
        intents = cycle(self.intents)
        made = 0
        for attempt in range(_PATIENCE * n):
            draw = Draw(key(prefix, str(attempt)), 0)
            said = self.draw(f"{name}-{made + 1:04}", next(intents), draw)
            if said.text not in seen:
                seen.add(said.text)
                made += 1
                yield said
            if made == n:
                return
        raise DataError(f"{name}: the templates give {made:,} different requests, not {n:,}")


def _without(found: Sequence[str], step: int) -> list[str]:
    return [one for i, one in enumerate(found, 1) if i % step]


def _with_articles(tokens: Sequence[str]) -> Iterator[str]:
    """Say "an" for "a" before a vowel."""
    for word, following in zip(tokens, (*tokens[1:], ""), strict=True):
        yield "an" if word == "a" and following.startswith(tuple("aeiou")) else word
