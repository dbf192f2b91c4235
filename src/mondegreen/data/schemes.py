"""Tagging schemes, read strictly: only well-formed spans are slots, as in seqeval's strict mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from mondegreen.errors import DataError, unknown
from mondegreen.types import Slot, slots_of_tags

ReadTags = Callable[[Sequence[str]], tuple[Slot, ...]]
"""Returns the slots of the tags of one utterance."""
LENIENT: ReadTags = slots_of_tags
AUTO = "auto"
_OUTSIDE = ("O", "")


class Scheme(NamedTuple):
    """The prefixes of a scheme, and what two neighbouring tags mean.

    A rule has three letters: the prefix of a tag (``*`` for any), the prefix of the tag after it,
    and whether their labels are the same (``=``), different (``/``) or either (``*``).

    Args:
        prefixes: the prefixes that may occur.
        starts: neighbours of which the second starts a slot.
        continues: neighbours of which the second continues the slot of the first.
        ends: neighbours of which the first may end a slot.
    """

    prefixes: str
    starts: str
    continues: str
    ends: str

    def slots(self, parts: Sequence[tuple[str, str]]) -> tuple[Slot, ...]:
        """Return the well-formed slots of tags that are parted into prefix and label."""
        closed = [*parts, _OUTSIDE]
        slots = []
        before, i = _OUTSIDE, 0
        while i < len(parts):
            start, (_, label) = i, closed[i]
            i += 1
            if holds(self.starts, before, closed[start]):
                while holds(self.continues, closed[i - 1], closed[i]):
                    i += 1
                if holds(self.ends, closed[i - 1], closed[i]):
                    slots.append(Slot(label, start, i))
            before = closed[i - 1]
        return tuple(slots)


SCHEMES = {
    "iob1": Scheme("IOB", "OI* II/ BI* IB= BB=", "BI= II=", "II/ IO* IB* BO* BI/ BB="),
    "iob2": Scheme("IOB", "*B*", "BI= II=", "IO* II/ IB* BO* BI/ BB*"),
    "ioe1": Scheme("IOE", "OI* II/ EI* EE=", "II= IE=", "II/ IO* IE/ EI= EE="),
    "ioe2": Scheme("IOE", "OI* OE* EI* EE* II/ IE/", "IE= II=", "E**"),
    "iobes": Scheme("IOBES", "*B* *S*", "BI= BE= II= IE=", "S** E**"),
    "bilou": Scheme("BILOU", "*B* *U*", "BI= BL= II= IL=", "U** L**"),
}
DETECTED = ("iob2", "ioe2", "iobes", "bilou")


def read_tags(scheme: str | None) -> ReadTags:
    """Return how to read tags: leniently for ``None``, else strictly in a scheme.

    >>> read_tags("iob2")(["I-artist", "B-song", "I-song", "I-genre"])
    (Slot(label='song', start=1, end=3),)

    Raises:
        DataError: if there is no such scheme.
    """
    if scheme is None:
        return LENIENT
    if scheme not in SCHEMES:
        raise DataError(unknown("scheme", scheme, SCHEMES))
    return partial(_strict, SCHEMES[scheme])


def _strict(scheme: Scheme, tags: Sequence[str]) -> tuple[Slot, ...]:
    return scheme.slots([_parts(scheme, i, tag) for i, tag in enumerate(tags)])


def _parts(scheme: Scheme, i: int, tag: str) -> tuple[str, str]:
    if tag == "O":
        return _OUTSIDE
    prefix, dash, label = tag.partition("-")
    if len(prefix) != 1 or prefix not in scheme.prefixes or not (dash and label):
        wanted = ", ".join(f"{one}-label" for one in scheme.prefixes if one != "O")
        raise DataError(f"tag {i} is {tag!r}; write O, {wanted}")
    return prefix, label


def holds(rules: str, first: tuple[str, str], second: tuple[str, str]) -> bool:
    """Return whether one of the rules holds for two neighbouring tags: prefix and label each."""
    same = "=" if first[1] == second[1] else "/"
    return any(
        rule[0] in ("*", first[0]) and rule[1] in ("*", second[0]) and rule[2] in ("*", same)
        for rule in rules.split()
    )
