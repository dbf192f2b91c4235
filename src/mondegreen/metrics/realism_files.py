"""Judge simulated recogniser errors that are in files, or in lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mondegreen.data import format_of
from mondegreen.data.layout import HYP, ReadOptions
from mondegreen.data.pairs.table import Pairs, read_pairs
from mondegreen.data.pairs.texts import Side, read_texts
from mondegreen.errors import DataError
from mondegreen.metrics import realism as judging


def realism(
    real: Path | str | tuple[Sequence[str], Sequence[str]],
    made: Path | str | Sequence[str],
    *,
    format: str | None = None,
    map: str | Mapping[str, str] = "",
) -> judging.Realism:
    """Judge simulated recogniser errors: can a classifier tell them from real ones?

    Args:
        real: a table with the columns ref and hyp; or references and what a recogniser heard.
        made: such a table with the same ids, or simulated texts: a file of perturb, lines in the
            order of ``real``, or a list.
        format: the format of the files, if it is not recognised by name and content.
        map: the columns of tables that have other names, such as ``ref=said,hyp=heard``.

    Raises:
        DataError: if a file cannot be read, if pairs lack a simulated text, or if too few
            utterances have errors on both sides.
    """
    if isinstance(real, tuple):
        refs, hyps = real
        if isinstance(made, Path | str):
            made = list(read_texts(Side(Path(made), format)).texts)
        return judging.realism(refs, hyps, made)
    pairs = read_pairs(Path(real), format=format, columns=map)
    texts = _made(pairs, Path(made), format, map) if isinstance(made, Path | str) else made
    return judging.realism(pairs.refs, pairs.hyps, texts)


def _made(
    real: Pairs, path: Path, format: str | None, map: str | Mapping[str, str]
) -> Sequence[str]:
    """Return the simulated texts in the order of the real pairs."""
    table = path.suffix in (".tsv", ".csv") and format is None
    if table or _has_pairs(path, format, map):
        pairs = read_pairs(path, format=format, columns=map)
        by_id = dict(zip(pairs.ids, pairs.hyps, strict=True))
    else:
        file = read_texts(Side(path, format))
        if not file.has_ids and len(file.texts) == len(real.ids):
            return list(file.texts)
        by_id = {}
        for id, text in zip(file.ids, file.texts, strict=True):
            by_id[id] = by_id[id.rsplit("/", 2)[0]] = text
    missing = [id for id in real.ids if id not in by_id]
    if missing:
        raise DataError(
            f"{path}: {len(missing):,} pairs of {real.path} have no simulated text (such as "
            f"{missing[0]!r}); give one per id, or as many lines"
        )
    return [by_id[id] for id in real.ids]


def _has_pairs(path: Path, format: str | None, map: str | Mapping[str, str]) -> bool:
    found = format_of(path, format)
    if found.records is None:
        return False
    first = next(iter(found.records(path)), None)
    heard = dict(ReadOptions.parse(map).columns).get(HYP, HYP)
    return first is not None and heard in first[1] and "edits" not in first[1]
