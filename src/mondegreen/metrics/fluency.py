"""Fluency: errors on the words that should stay, and on the disfluent ones that should go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from mondegreen import __version__
from mondegreen.align import DELETION, INSERTION, Alignment, Marks, align
from mondegreen.align.costs import FLUENCY
from mondegreen.align.items import Item, listed, words_of
from mondegreen.errors import DataError
from mondegreen.language.segment import mostly_unspaced, split
from mondegreen.metrics.score import Ratio, Score, check_sides, numbers, with_totals
from mondegreen.metrics.words import WordDetail

COLUMNS = (
    "fluent_copies",
    "fluent_substitutions",
    "fluent_deletions",
    "fluent_insertions",
    "disfluent_copies",
    "disfluent_substitutions",
    "disfluent_deletions",
    "disfluent_insertions",
    "wrong",
    "utterances",
)
RATES: dict[str, Ratio] = {
    "fluent_error_rate": lambda s: (
        s["fluent_substitutions"] + s["fluent_deletions"] + s["fluent_insertions"],
        s["fluent_copies"] + s["fluent_substitutions"] + s["fluent_deletions"],
    ),
    "disfluent_error_rate": lambda s: (
        s["disfluent_copies"] + s["disfluent_substitutions"] + s["disfluent_insertions"],
        s["disfluent_copies"] + s["disfluent_substitutions"] + s["disfluent_deletions"],
    ),
    "edited_precision": lambda s: (
        s["disfluent_deletions"], s["disfluent_deletions"] + s["fluent_deletions"],
    ),
    "edited_recall": lambda s: (
        s["disfluent_deletions"],
        s["disfluent_copies"] + s["disfluent_substitutions"] + s["disfluent_deletions"],
    ),
    "edited_f1": lambda s: (
        2 * s["disfluent_deletions"],
        2 * s["disfluent_deletions"] + s["fluent_deletions"]
        + s["disfluent_copies"] + s["disfluent_substitutions"],
    ),
}  # fmt: skip
INSERTIONS = ("fluent", "region")
FLUENT_TAGS = frozenset(("O", "C", ""))


def fluency(
    refs: Sequence[Item],
    hyps: Sequence[Item],
    *,
    tags: Sequence[Sequence[str]] | None = None,
    fluent_tags: Collection[str] = FLUENT_TAGS,
    ids: Sequence[str] | None = None,
    keep: Sequence[str] = (),
    insertions: str = "fluent",
    threads: int = 1,
) -> Score:
    """Score recognition and disfluency removal together.

    Args:
        refs: what was said; disfluent words in UPPERCASE, unless ``tags`` mark them.
        hyps: what the system gave back.
        tags: for each reference, a tag a word; any but ``fluent_tags`` marks a disfluent word.
        fluent_tags: tags of fluent words.
        ids: the utterances' names; their numbers otherwise.
        keep: words in upper case that are fluent, such as "I".
        insertions: ``fluent``, or ``region``: beside a disfluent word an insertion is disfluent.
        threads: how many to use.

    >>> score = fluency(["UH play THE the jazz"], ["play the jaws"])
    >>> score["fluent_error_rate"].value, score["disfluent_error_rate"].value
    (0.3333333333333333, 0.0)

    Raises:
        DataError: if tags and words do not fit, or nothing pairs up.
    """
    if insertions not in INSERTIONS:
        raise DataError(f"insertions must be {' or '.join(INSERTIONS)}, got {insertions!r}")
    check_sides(refs, hyps, ids)
    refs, hyps = listed(refs), listed(hyps)
    if tags is not None and len(tags) != len(refs):
        raise DataError(f"{len(tags)} rows of tags for {len(refs)} references; give one each")
    if mostly_unspaced(hyps):
        refs, hyps = _split_all(refs), _split_all(hyps)
    said, flags = _marked(refs, tags, fluent_tags, tuple(keep))
    marks = Marks(flags, tuple(keep), regions=insertions == "region")
    alignment = align(said, hyps, FLUENCY, marks=marks, threads=threads)
    marking = "tags" if tags is not None else "upper" + (f"-{'+'.join(keep)}" if keep else "")
    return Score(
        "fluency",
        f"mondegreen|fluency|marks:{marking}|insertions:{insertions}|costs:fluency|v:{__version__}",
        COLUMNS,
        with_totals(alignment.counts, [0, 1, 1, 1, 1, 1, 0, 1]),
        RATES,
        tuple(ids) if ids is not None else numbers(len(said)),
        None,
        FluencyDetail(refs, hyps, alignment, flags, tuple(keep)),
    )


class FluencyDetail(WordDetail):
    """The pairs with their alignment, and which words are disfluent."""

    def __init__(
        self,
        refs: Sequence[Item],
        hyps: Sequence[Item],
        alignment: Alignment,
        flags: list[bytes | None] | None,
        keep: tuple[str, ...],
    ) -> None:
        super().__init__(refs, hyps, alignment)
        self._flags = flags
        self._keep = keep

    def sides(self, item: int) -> tuple[str, str]:
        """The reference with disfluent words, and only those, in UPPERCASE; and the hypothesis."""
        words = words_of(self.refs[item])
        flags = self._flags[item] if self._flags is not None else None
        if flags is None:
            flags = bytes(word.isupper() and word not in self._keep for word in words)
        marked = (w.upper() if flag else w.lower() for w, flag in zip(words, flags, strict=True))
        return " ".join(marked), " ".join(words_of(self.hyps[item]))


def _marked(
    refs: list[Item],
    tags: Sequence[Sequence[str]] | None,
    fluent: Collection[str],
    keep: tuple[str, ...],
) -> tuple[list[Item], list[bytes | None] | None]:
    """References to compare and their marks; none where the kernel can tell them by their case."""
    if tags is not None:
        words = [words_of(ref) for ref in refs]
        for number, (ref, row) in enumerate(zip(words, tags, strict=True), start=1):
            if len(ref) != len(row):
                raise DataError(f"utterance {number}: {len(row)} tags for {len(ref)} words")
        return list(words), [bytes(tag not in fluent for tag in row) for row in tags]
    by_hand = [
        i
        for i, ref in enumerate(refs)
        if not (isinstance(ref, str) and ref.isascii()) and not _is_plain(ref)
    ]
    if not by_hand:
        return refs, None
    said, flags = list(refs), [None] * len(refs)  # type: list[Item], list[bytes | None]
    for i in by_hand:
        ref = words_of(refs[i])
        flags[i] = bytes(word.isupper() and word not in keep for word in ref)
        lower = [word.lower() for word in ref]
        said[i] = " ".join(lower) if isinstance(refs[i], str) else lower
    return said, flags


def _split_all(items: list[Item]) -> list[Item]:
    """Written characters instead of words, where a text is not split already."""
    return [split(item) if isinstance(item, str) else item for item in items]


def _is_plain(item: Item) -> bool:
    """Tell whether the kernel can tell the case: letters beyond ASCII must have none."""
    if isinstance(item, str):
        return item.isascii() or _is_caseless(item)
    return all(word.isascii() or _is_caseless(word) for word in item)


def _is_caseless(text: str) -> bool:
    """Tell whether the letters beyond ASCII have no case, so that the kernel can tell it."""
    beyond = "".join(char for char in text if not char.isascii())
    return beyond.lower() == beyond.upper() == beyond


def by_type(score: Score, tags: Sequence[Sequence[str]]) -> dict[str, Counter[str]]:
    """Return for each tag how many of its words the system dropped, kept or changed.

    The tag of fluent words tells what the system lost with the disfluencies (over-deletion).
    """
    found: dict[str, Counter[str]] = {}
    for item, row in enumerate(tags):
        steps = [step for step in score.detail.of(item).tolist() if step != INSERTION]
        for tag, step in zip(row, steps, strict=True):
            outcome = "dropped" if step == DELETION else "changed" if step else "kept"
            found.setdefault(tag, Counter())[outcome] += 1
    return found
