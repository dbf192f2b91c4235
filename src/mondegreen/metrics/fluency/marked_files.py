"""Reading references whose disfluent words are marked, and hypotheses, whole or in parts."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from mondegreen.data.pairs.parts import in_step, parted, read_once, transcript_parts
from mondegreen.data.pairs.tagged import Tagged, has_tags, read_tagged
from mondegreen.data.pairs.transcripts import Transcripts, paired, read_transcripts
from mondegreen.errors import DataError
from mondegreen.metrics.metric import Files, Part, References
from mondegreen.provenance.ledger import fluency_tags, read_ledger
from mondegreen.text.segment import mostly_unspaced, split


class MarkedBy(Protocol):
    """The setting that says what marks the disfluent words."""

    @property
    def ledger(self) -> Path | None:
        """The ledger of a perturbed file."""


def read_refs(path: Path, format: str | None, settings: MarkedBy) -> References:
    """Read references and, where something other than case marks disfluent words, their tags."""
    if settings.ledger is not None:
        return _marked_by_ledger(read_transcripts(path, format), settings.ledger)
    if not has_tags(path, format):
        file = read_transcripts(path, format)
        return References(file, file.texts)
    return _marked_by_record(path, list(read_tagged(path, format)))


def _marked_by_record(path: Path, found: Sequence[Tagged]) -> References:
    file = Transcripts(
        path,
        has_ids=True,
        ids=[one.id for one in found],
        texts=[" ".join(one.words) for one in found],
        extra=[one.columns for one in found],
    )
    return References(file, [one.words for one in found], [one.tags for one in found])


def parts(files: Files, settings: MarkedBy) -> Iterator[Part]:
    """Yield the corpus in parts; the first one decides whether its script has spaces."""
    if settings.ledger is not None or read_once(files.ref):  # a ledger is read whole anyway
        refs = read_refs(files.ref, files.format, settings)
        yield Part(
            refs, tuple(read_hyps(refs, path, files.hyp_format, settings) for path in files.hyps)
        )
        return
    upper = [_Upper(path) for path in files.hyps]
    traits: dict[str, bool] = {}
    for refs, hyps in _in_step(files):
        traits = traits or {"unspaced": mostly_unspaced(refs.file.texts)}
        if refs.tags is None:
            for side, texts in zip(upper, hyps, strict=True):
                side.add(texts)
        yield Part(refs._replace(traits=traits), hyps)
    for side in upper:
        side.refuse()


def _in_step(files: Files) -> Iterator[tuple[References, tuple[Sequence[str], ...]]]:
    sides = [transcript_parts(path, files.hyp_format) for path in files.hyps]
    if not has_tags(files.ref, files.format):
        refs = transcript_parts(files.ref, files.format, files.meter)
        for ref, *hyps in in_step(refs, *sides):
            yield References(ref, ref.texts), tuple(hyp.texts for hyp in hyps)
        return
    marked: deque[References] = deque()

    def files_ofparts() -> Iterator[Transcripts]:
        for part in parted(read_tagged(files.ref, files.format)):
            marked.append(_marked_by_record(files.ref, part))
            yield marked[-1].file

    for _, *hyps in in_step(files_ofparts(), *sides):
        yield marked.popleft(), tuple(hyp.texts for hyp in hyps)


def _marked_by_ledger(file: Transcripts, path: Path) -> References:
    ledger = read_ledger(path)
    if ledger and not ledger.keys() & set(file.ids):
        raise DataError(
            f"{path}: none of its ids (such as {next(iter(ledger))!r}) is in {file.path}; write "
            "the perturbed set as .jsonl, which keeps them"
        )
    words = [split(text) for text in file.texts]
    entries = [ledger.get(id, []) for id in file.ids]
    return References(file, words, list(map(fluency_tags, words, entries)))


def read_hyps(
    refs: References,
    path: Path,
    format: str | None,
    settings: MarkedBy,  # noqa: ARG001
) -> Sequence[str]:
    """Read hypotheses; refuse those in upper case, which marks disfluent words in references."""
    hyps = paired(refs.file, read_transcripts(path, format))
    if refs.tags is None:
        upper = _Upper(path)
        upper.add(hyps)
        upper.refuse()
    return hyps


class _Upper:
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
