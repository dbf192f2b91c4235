"""Expressions for the kernel: what Python's own parser makes of them, as tables of numbers."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from mondegreen.values.characters import DECIMAL_FLAG, SPACE_FLAG, WORD_FLAG

_PARSER: Any = import_module("re._parser")
_CASES: Any = import_module("re._casefix")._EXTRA_CASES  # noqa: SLF001 (as `re` itself does)
_LOWER: Any = import_module("_sre").unicode_tolower
_OPS = (
    "char",
    "set",
    "split",
    "repeat",
    "loop",
    "enter",
    "mark",
    "ahead",
    "behind",
    "end",
    "match",
)
_CHAR, _SET, _SPLIT, _REPEAT, _LOOP, _ENTER, _MARK, _AHEAD, _BEHIND, _END, _MATCH = range(len(_OPS))
_CATEGORIES = {
    "CATEGORY_DIGIT": (DECIMAL_FLAG, 0), "CATEGORY_NOT_DIGIT": (DECIMAL_FLAG, 1),
    "CATEGORY_SPACE": (SPACE_FLAG, 0), "CATEGORY_NOT_SPACE": (SPACE_FLAG, 1),
    "CATEGORY_WORD": (WORD_FLAG, 0), "CATEGORY_NOT_WORD": (WORD_FLAG, 1),
}  # fmt: skip
_FOREVER = 1 << 30
Node = tuple[int, int, int, int, int, int, list[int]]
Item = tuple[int, int, int]


def expression(pattern: re.Pattern[str] | None, *, guess: bool = False) -> dict[str, Any] | None:
    """Return the tables of an expression: nodes, sets of characters, names of groups."""
    if pattern is None:
        return None
    made = _Compiler(ignores_case=bool(pattern.flags & re.IGNORECASE))
    start = made.sequence(_PARSER.parse(pattern.pattern, pattern.flags), made.node(_MATCH))
    return {
        "nodes": made.nodes,
        "sets": made.sets,
        "start": start,
        "ignores_case": made.ignores_case,
        "loops": made.loops,
        "groups": dict(pattern.groupindex),
        "guess": guess,
    }


class _Compiler:
    """Makes nodes from what the parser found, from the end to the start."""

    def __init__(self, *, ignores_case: bool) -> None:
        self.ignores_case = ignores_case
        self.nodes: list[Node] = []
        self.sets: list[tuple[bool, list[Item]]] = []
        self.loops = 0

    def node(
        self, op: int, after: int = 0, a: int = 0, b: int = 0, c: int = 0, d: int = 0,
        branches: tuple[int, ...] = (),
    ) -> int:  # fmt: skip
        """Add a node; return its number."""
        self.nodes.append((op, after, a, b, c, d, list(branches)))
        return len(self.nodes) - 1

    def sequence(self, parts: Any, after: int) -> int:
        """Add a sequence before what follows it; return where it starts."""
        for op, value in reversed(list(parts)):
            after = getattr(self, f"_{str(op).lower()}")(value, after)
        return after

    def _literal(self, value: int, after: int) -> int:
        if not self.ignores_case:
            return self.node(_CHAR, after, value)
        lower = _LOWER(value)
        if lower in _CASES:
            return self.node(_SET, after, self._set([("LITERAL", value)]))
        return self.node(_CHAR, after, lower)

    def _in(self, items: Any, after: int) -> int:
        return self.node(_SET, after, self._set([(str(op), value) for op, value in items]))

    def _set(self, items: list[tuple[str, Any]]) -> int:
        negated = items[0][0] == "NEGATE"
        found: list[Item] = []
        for op, value in items[negated:]:
            if op == "LITERAL":
                found += [(0, one, 0) for one in self._cases(value)]
            elif op == "RANGE":
                found.append((1, *value))
                if self.ignores_case and value[1] < ord("\u0100"):
                    range_ = range(value[0], value[1] + 1)
                    found += [(0, one, 0) for char in range_ for one in self._cases(char)]
            else:
                found.append((2, *_CATEGORIES[str(value)]))
        self.sets.append((negated, found))
        return len(self.sets) - 1

    def _cases(self, char: int) -> list[int]:
        if not self.ignores_case:
            return [char]
        lower = _LOWER(char)
        return [lower, *_CASES.get(lower, ())]

    def _branch(self, value: Any, after: int) -> int:
        starts = tuple(self.sequence(one, after) for one in value[1])
        return self.node(_SPLIT, branches=starts)

    def _subpattern(self, value: Any, after: int) -> int:
        group, _, _, inside = value
        if group is None:
            return self.sequence(inside, after)
        end = self.node(_MARK, after, 2 * group + 1)
        return self.node(_MARK, self.sequence(inside, end), 2 * group)

    def _max_repeat(self, value: Any, after: int) -> int:
        least, most, inside = value
        most = min(int(most), _FOREVER)
        if (least, most) == (0, 1):
            return self.node(_SPLIT, branches=(self.sequence(inside, after), after))
        if len(inside) == 1 and str(inside[0][0]) in ("IN", "LITERAL"):
            op, one = inside[0]
            items = [("LITERAL", one)] if str(op) == "LITERAL" else [(str(o), v) for o, v in one]
            return self.node(_REPEAT, after, self._set(items), least, most)
        loop = self.loops
        self.loops += 1
        place = self.node(_LOOP, after, loop, least, most)
        body = self.sequence(inside, place)
        self.nodes[place] = (_LOOP, after, loop, least, most, body, [])
        return self.node(_ENTER, place, loop)

    def _assert(self, value: Any, after: int, *, negated: bool = False) -> int:
        direction, inside = value
        start = self.sequence(inside, self.node(_MATCH, 0, 1))
        op = _AHEAD if direction > 0 else _BEHIND
        return self.node(op, after, start, int(negated), inside.getwidth()[0])

    def _assert_not(self, value: Any, after: int) -> int:
        return self._assert(value, after, negated=True)

    def _at(self, value: Any, after: int) -> int:
        if str(value) != "AT_END":
            raise NotImplementedError(f"the kernel does not know {value}")
        return self.node(_END, after)
