"""Values, in plain Python: whether two texts say the same, and where they part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Apart = tuple[str, str, str]
"""What two texts both say, and what each of them says next."""
Span = tuple[int, int, int, int]
"""Words of two texts: where they start and end in the one, and in the other."""


class Values:
    """Compares texts of one language. The twin leaves all to functions in Python."""

    def __init__(
        self,
        _tables: Callable[[], dict[str, Any]],
        _char: Callable[[int], tuple[int, int, str, str, str, str]],
        _plain: Callable[[str], str],
        _key: Callable[[str], str],
        apart: Callable[[str, str], Apart | None],
        stretches: Callable[[Sequence[str], Sequence[str]], list[Span]],
        /,
    ) -> None:
        self._apart, self._stretches = apart, stretches

    def same(self, refs: Sequence[str], hyps: Sequence[str], /) -> list[bool]:
        """Return for each pair whether both say the same."""
        return [parts is None for parts in self.apart(refs, hyps)]

    def apart(self, refs: Sequence[str], hyps: Sequence[str], /) -> list[Apart | None]:
        """Return for each pair where its texts part; ``None`` if they say the same."""
        return [self._apart(ref, hyp) for ref, hyp in zip(refs, hyps, strict=True)]

    def stretches(self, ref: Sequence[str], hyp: Sequence[str], /) -> list[Span]:
        """Return the stretches of words that say the same in the best alignment."""
        return self._stretches(ref, hyp)
