"""seqeval's schemes: tokens, entities and the detection of a scheme."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from itertools import chain
from typing import ClassVar

from mondegreen.data.schemes import DETECTED, SCHEMES, Scheme, holds

Tagged = list[list[str]]
NO_LABEL = "_"


class Entity:
    """An entity: the number of its sentence, its first token, the end, and its label."""

    def __init__(self, sent_id: int | None, start: int, end: int, tag: str) -> None:
        self.sent_id = sent_id
        self.start = start
        self.end = end
        self.tag = tag

    def __repr__(self) -> str:
        return f"({self.sent_id}, {self.tag}, {self.start}, {self.end})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entity) and self.to_tuple() == other.to_tuple()

    def __hash__(self) -> int:
        return hash(self.to_tuple())

    def to_tuple(self) -> tuple[int | None, str, int, int]:
        """Return the sentence, the label, the first token and the end."""
        return self.sent_id, self.tag, self.start, self.end


class Prefix(enum.Flag):
    """The prefixes of tags."""

    I = enum.auto()  # noqa: E741 (seqeval's name)
    O = enum.auto()  # noqa: E741
    B = enum.auto()
    E = enum.auto()
    S = enum.auto()
    U = enum.auto()
    L = enum.auto()
    ANY = I | O | B | E | S | U | L


class Token:
    """A tag, parted into prefix and label."""

    table: ClassVar[Scheme]

    def __init__(self, token: str, suffix: bool = False, delimiter: str = "-") -> None:  # noqa: FBT001, FBT002 (as seqeval)
        self.token = token
        letter, tag = (token[-1], token[:-1]) if suffix else (token[0], token[1:])
        self.prefix = Prefix.__members__[letter]
        self.tag = tag.strip(delimiter) or NO_LABEL

    def __repr__(self) -> str:
        return self.token

    @property
    def part(self) -> tuple[str, str]:
        """The letter of the prefix, and the label."""
        return str(self.prefix.name), self.tag

    def is_valid(self) -> bool:
        """Return true.

        Raises:
            ValueError: if the scheme has no such prefix.
        """
        if str(self.prefix.name) not in self.table.prefixes:
            allowed = "|".join(self.table.prefixes)
            raise ValueError(
                f"Invalid token is found: {self.token}. Allowed prefixes are: {allowed}."
            )
        return True

    def is_start(self, prev: Token) -> bool:
        """Return whether the token starts an entity after ``prev``."""
        return holds(self.table.starts, prev.part, self.part)

    def is_inside(self, prev: Token) -> bool:
        """Return whether the token continues the entity of ``prev``."""
        return holds(self.table.continues, prev.part, self.part)

    def is_end(self, prev: Token) -> bool:
        """Return whether ``prev`` ends an entity before this token."""
        return holds(self.table.ends, prev.part, self.part)


class IOB1(Token):
    """I inside; B only where an entity follows another one of the same label."""

    table = SCHEMES["iob1"]


class IOB2(Token):
    """B begins every entity."""

    table = SCHEMES["iob2"]


class IOE1(Token):
    """I inside; E only where an entity precedes another one of the same label."""

    table = SCHEMES["ioe1"]


class IOE2(Token):
    """E ends every entity."""

    table = SCHEMES["ioe2"]


class IOBES(Token):
    """B begins, E ends, S is a whole entity."""

    table = SCHEMES["iobes"]


class BILOU(Token):
    """B begins, L ends, U is a whole entity."""

    table = SCHEMES["bilou"]


class Tokens:
    """The tags of one sentence."""

    def __init__(
        self,
        tokens: list[str],
        scheme: type[Token],
        suffix: bool = False,  # noqa: FBT001, FBT002 (as seqeval)
        delimiter: str = "-",
        sent_id: int | None = None,
    ) -> None:
        self.outside_token = scheme("O", suffix=suffix, delimiter=delimiter)
        self.tokens = [scheme(token, suffix=suffix, delimiter=delimiter) for token in tokens]
        self.sent_id = sent_id

    @property
    def entities(self) -> list[Entity]:
        """The well-formed entities of the sentence.

        Raises:
            ValueError: if a prefix is not of the scheme.
        """
        for token in self.tokens:
            token.is_valid()
        table = self.outside_token.table
        parts = [token.part for token in self.tokens]
        return [
            Entity(self.sent_id, slot.start, slot.end, slot.label) for slot in table.slots(parts)
        ]


class Entities:
    """The entities of sentences."""

    def __init__(
        self,
        sequences: Tagged,
        scheme: type[Token],
        suffix: bool = False,  # noqa: FBT001, FBT002 (as seqeval)
        delimiter: str = "-",
    ) -> None:
        self.entities = [
            Tokens(tags, scheme, suffix, delimiter, number).entities
            for number, tags in enumerate(sequences)
        ]

    def filter(self, tag_name: str) -> set[Entity]:
        """Return the entities of one label."""
        return {entity for entity in chain(*self.entities) if entity.tag == tag_name}

    @property
    def unique_tags(self) -> set[str]:
        """The labels that occur."""
        return {entity.tag for entity in chain(*self.entities)}


_BY_NAME: dict[str, type[Token]] = {"iob2": IOB2, "ioe2": IOE2, "iobes": IOBES, "bilou": BILOU}


def auto_detect(
    sequences: Tagged,
    suffix: bool = False,  # noqa: FBT001, FBT002 (as seqeval)
    delimiter: str = "-",
) -> type[Token]:
    """Return the scheme of tags, by their prefixes: IOB2, IOE2, IOBES or BILOU.

    Raises:
        ValueError: if the prefixes are of none of them.
    """
    prefixes = {_prefix(tag, suffix, delimiter) for tags in sequences for tag in tags}
    inside = prefixes - {"O"}
    for name in DETECTED:
        if inside - {"I"} and inside <= set(SCHEMES[name].prefixes):
            return _BY_NAME[name]
    raise ValueError(f"This scheme is not supported: {_listed(prefixes)}")


def _prefix(tag: str, suffix: bool, delimiter: str) -> str:  # noqa: FBT001 (as seqeval)
    try:
        return Token(tag, suffix=suffix, delimiter=delimiter).part[0]
    except KeyError:
        raise ValueError(f"This scheme is not supported: {tag}") from None


def _listed(prefixes: Iterable[str]) -> str:
    return ", ".join(sorted(prefixes))
