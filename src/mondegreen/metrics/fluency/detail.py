"""What a score of fluency keeps beside its counts: pairs, alignment, and which words are marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from mondegreen.align import DELETION, INSERTION, Alignment
from mondegreen.metrics.fluency.disfluent_words import MarkedReferences, case_flags
from mondegreen.metrics.words.detail import WordDetail
from mondegreen.text.items import Item, words_of


class FluencyDetail(WordDetail):
    """The pairs with their alignment, and which words are disfluent."""

    def __init__(
        self,
        refs: Sequence[Item],
        hyps: Sequence[Item],
        alignment: Alignment,
        marked: MarkedReferences,
        written: tuple[Sequence[Item], Sequence[Item]],
    ) -> None:
        super().__init__(refs, hyps, alignment, written)
        self.alignment = alignment
        self.tags = marked.tags
        self._flags = marked.flags

    @property
    def types(self) -> dict[str, Counter[str]]:
        """For each tag, how many of its words the system dropped, kept or changed.

        The row of the fluent tag shows what the system lost with the disfluencies (over-deletion).
        Empty where the references have no tags.
        """
        found: dict[str, Counter[str]] = {}
        for item, row in enumerate(self.tags or ()):
            steps = [step for step in self.alignment.of(item).tolist() if step != INSERTION]
            for tag, step in zip(row, steps, strict=True):
                outcome = "dropped" if step == DELETION else "changed" if step else "kept"
                found.setdefault(tag, Counter())[outcome] += 1
        return found

    def nist_steps(self) -> Iterator[list[int]]:
        """Yield the steps of each pair, by the costs of fluency."""
        return (self.alignment.of(item).tolist() for item in range(len(self.refs)))

    def marked_words(self, item: int) -> list[str]:
        """Return the words of a reference, its disfluent words in UPPERCASE however marked."""
        words = words_of(self.refs[item])
        flags = self._flags[item] if self._flags is not None else None
        if flags is None:
            return words
        return [w.upper() if flag else w for w, flag in zip(words, flags, strict=True)]

    def sides(self, item: int) -> tuple[str, str]:
        """Return the reference, with only its disfluent words in UPPERCASE, and the hypothesis."""
        words = words_of(self.refs[item])
        flags = self._flags[item] if self._flags is not None else None
        if flags is None:
            flags = bytes(case_flags(words, ()))
        marked = (w.upper() if flag else w.lower() for w, flag in zip(words, flags, strict=True))
        return " ".join(marked), " ".join(words_of(self.hyps[item]))
