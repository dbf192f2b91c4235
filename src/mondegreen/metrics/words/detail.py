"""What a score of words keeps beside its counts: the pairs, their alignment, and entities."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mondegreen.align import Alignment
from mondegreen.kernel import align_nist, cores
from mondegreen.metrics.words.steps import Aligned
from mondegreen.text.items import Item

if TYPE_CHECKING:
    from mondegreen.metrics.words.forgiving import Forgiven


class WordDetail(Aligned):
    """The pairs as they were compared, their alignment, and the texts as they were written.

    ``classes`` has the counts of each class of entities; ``None`` if none are looked for.
    ``forgiven`` lists what was written in another way, if that is asked for.
    """

    def __init__(
        self,
        refs: Sequence[Item],
        hyps: Sequence[Item],
        alignment: Alignment,
        written: tuple[Sequence[Item], Sequence[Item]],
        classes: Mapping[str, Any] | None = None,
        forgiven: Sequence[Forgiven] = (),
    ) -> None:
        self.refs = refs
        self.hyps = hyps
        self.alignment = alignment
        self.written = written
        self.classes = classes
        self.forgiven = forgiven

    @property
    def types(self) -> Mapping[str, Any] | None:
        """The counts of each class of entities; ``None`` if none are looked for."""
        return self.classes

    def nist_steps(self) -> Iterator[list[int]]:
        """Yield the steps of each pair by sclite's costs and ties, which MAPSSWE is defined on."""
        steps, ends = align_nist(list(self.refs), list(self.hyps), cores())
        start = 0
        for end in ends.tolist():
            yield steps[start:end].tolist()
            start = end
