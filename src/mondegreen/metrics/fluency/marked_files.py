"""Reading references whose disfluent words are marked: by case, by tags, by edits or a ledger."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from mondegreen.data.pairs.parts import parted
from mondegreen.data.pairs.tagged import Tagged, has_tags, read_tagged
from mondegreen.data.pairs.texts import Side, text_parts
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.errors import DataError
from mondegreen.provenance.ledger import fluency_tags, read_ledger
from mondegreen.text.segment import split


def marked_parts(side: Side, ledger: Path | None) -> Iterator[Transcripts]:
    """Yield references and, where something other than case marks disfluent words, their tags.

    Raises:
        DataError: naming the file, the line, what is wrong and what to do.
    """
    if ledger is not None:
        yield from _marked_by_ledger(side, ledger)
    elif side.path.is_file() and has_tags(side.path, side.format):
        for found in parted(read_tagged(side.path, side.format)):
            yield _marked_by_record(side.path, found)
    else:
        yield from text_parts(side)


def _marked_by_record(path: Path, found: Sequence[Tagged]) -> Transcripts:
    return Transcripts(
        path,
        has_ids=True,
        ids=[one.id for one in found],
        texts=[" ".join(one.words) for one in found],
        extra=[one.columns for one in found],
        items=[one.words for one in found],
        tags=[one.tags for one in found],
    )


def _marked_by_ledger(side: Side, path: Path) -> Iterator[Transcripts]:
    ledger = read_ledger(path)
    known = 0
    for part in text_parts(side):
        known += sum(id in ledger for id in part.ids)
        words = [split(text) for text in part.texts]
        entries = [ledger.get(id, []) for id in part.ids]
        yield replace(part, items=words, tags=list(map(fluency_tags, words, entries)))
    if ledger and not known:
        raise DataError(
            f"{path}: none of its ids (such as {next(iter(ledger))!r}) is in {side.path}; write "
            "the perturbed set as .jsonl, which keeps them"
        )


class Upper:
    """Counts the hypotheses in upper case, which the reference uses to mark disfluent words."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.upper = self.filled = 0

    def add(self, texts: Sequence[str]) -> None:
        """Count hypotheses."""
        self.upper += sum(map(str.isupper, texts))
        self.filled += sum(map(bool, texts))

    def refuse(self) -> None:
        """Refuse hypotheses that are mostly in upper case."""
        if 2 * self.upper > self.filled:
            raise DataError(
                f"{self.path}: the hypotheses are in upper case, which marks disfluent words in "
                "the reference; give them in lower case"
            )
