"""Functions from Arrow to Arrow, for Spark, Dask, Polars, DuckDB, Ray Data and Hugging Face.

Both are values that travel by pickle and hash the same every time. They take a ``RecordBatch`` or a
``Table`` (or a mapping of lists) and return the same. What they make of a row depends on nothing
but the row, so the result is the same however the data is parted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from mondegreen.data.layout import ReadOptions, layout_of
from mondegreen.data.pairs.parts import LineNumbers
from mondegreen.data.pairs.transcripts import Transcripts
from mondegreen.data.records import utterance_of
from mondegreen.engines.calls import Portable
from mondegreen.errors import DataError, MissingExtraError
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import References
from mondegreen.metrics.scores.score import Score
from mondegreen.perturbation.augmentation import engine_of
from mondegreen.perturbation.columnar import rewrite_lines
from mondegreen.perturbation.engine import Engine, run_together
from mondegreen.perturbation.languages import LOOKED_AT
from mondegreen.perturbation.preparation import LearnFrom, checked, learning, reader_of
from mondegreen.perturbation.recipe import Operators, Recipe
from mondegreen.types import Utterance, Variant

EDITS = "edits"
_NOWHERE = Path("a batch")


def _without_views(pa: Any, schema: Any) -> Any:
    """Return a schema whose texts are not views, on which few functions of Arrow work."""
    for at, field in enumerate(schema):
        if pa.types.is_string_view(field.type):
            schema = schema.set(at, field.with_type(pa.string()))
    return schema


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise MissingExtraError.of("datasets", "Arrow tables") from None
    return pa


class Perturb(Portable):
    """Perturbs the utterances of Arrow data; all other columns are kept.

    A function of batches does not see the whole data. Operators therefore learn nothing from it,
    and the signature says so, unless you give what they learn from, or the recipe of all data:
    ``Perturb(mg.perturb(data, "recogniser", seed=7).recipe)``. For the same reason, the language of
    each batch is looked at, unless you name it or give a recipe.

    The columns are those of JSONL: ``text``, and if there are such columns ``tokens``, ``tags`` and
    ``id``. Rows are repeated if an utterance has several variants, and left out if it has none.

    Args:
        operators: names, signatures, groups, operators, or a recipe.
        seed: another seed gives other edits.
        once: make one edit per utterance.
        rate: probability of editing each site; at least one edit per utterance.
        chance: probability of editing each site; an utterance may stay unchanged.
        severity: share of the words to change; at least one edit per utterance.
        variants: variants per utterance and operator.
        mix: one operator per variant, drawn at random.
        protect: words or phrases to leave unchanged.
        protect_slots: leave slots unchanged: all of them, or those with the labels given.
        protect_codes: leave numbers, codes, e-mail addresses, URLs, file names and quotations
            unchanged.
        skip_unchangeable: leave out variants without edits.
        language: the code of the data's language, such as ``de``; by default it is found out, and
            operators that do not know it refuse.
        learn_from: what operators learn from: a file, utterances or texts.
        map: the columns that have other names, such as ``text=query``.
        edits: add a column ``edits`` with the edits as JSON.

    >>> import pyarrow as pa
    >>> noisy = Perturb("fillers", seed=7)(pa.table({"text": ["play some jazz"], "n": [1]}))
    >>> noisy.to_pylist()
    [{'text': 'play um some jazz', 'n': 1}]
    """

    def __init__(
        self,
        operators: Operators | Recipe,
        *,
        seed: int = 0,
        once: bool = False,
        rate: float | None = None,
        chance: float | None = None,
        severity: float | None = None,
        variants: int = 1,
        mix: bool = False,
        protect: Iterable[str] = (),
        protect_slots: bool | Iterable[str] = False,
        protect_codes: bool = True,
        skip_unchangeable: bool = False,
        language: str | None = None,
        learn_from: LearnFrom | None = None,
        map: str = "",
        edits: bool = False,
    ) -> None:
        recipe = Recipe.build(
            operators,
            seed=seed,
            once=once,
            rate=rate,
            chance=chance,
            severity=severity,
            variants=variants,
            mix=mix,
            protect=protect,
            protect_slots=protect_slots,
            protect_codes=protect_codes,
            skip_unchangeable=skip_unchangeable,
            language=language,
        )
        self.recipe = recipe if learn_from is None else learning(recipe, reader_of(learn_from))
        self.map = map
        self.edits = edits

    @property
    def signature(self) -> str:
        """The recipe in one line; it says so if operators could have learnt from data."""
        return self.recipe.signature

    @cached_property
    def _engine(self) -> Engine:
        return engine_of(self.recipe)

    def _check_language(self, texts: Iterable[str]) -> None:
        checked(self.recipe, texts)

    def __call__(self, batch: Any) -> Any:
        """Return the batch with its utterances perturbed.

        Raises:
            DataError: naming the row that is not an utterance.
            OperatorError: if an operator does not know the language of the batch.
        """
        pa = _pyarrow()
        if isinstance(batch, Mapping):
            return self(pa.table(dict(batch))).to_pydict()
        plain = _without_views(pa, batch.schema)
        if plain != batch.schema:
            return self(batch.cast(plain))
        try:
            batch.validate(full=True)  # a stranger's batch may lead out of its memory
            return self._perturbed(pa, batch)
        except pa.ArrowException as error:
            raise DataError(f"a batch that cannot be read or changed: {error}") from None

    def _perturbed(self, pa: Any, batch: Any) -> Any:
        rewritten = self._rewritten_columns(pa, batch)
        if rewritten is not None:
            return type(batch).from_arrays(rewritten, schema=batch.schema)
        rows, variants = self._made(batch)
        columns = {
            name: batch.column(name).take(pa.array(rows, pa.int64())) for name in batch.schema.names
        }
        columns |= self._changed(pa, batch.schema, variants)
        if self.edits:
            found = (msgspec.json.encode(variant.edits).decode() for variant in variants)
            columns[EDITS] = pa.array(found, pa.string())
        made = pa.table if isinstance(batch, pa.Table) else pa.RecordBatch.from_pydict
        kept = None if self.edits else batch.schema.metadata  # it may describe every column
        return made(columns).replace_schema_metadata(kept)

    def _rewritten_columns(self, pa: Any, batch: Any) -> list[Any] | None:
        """Return all columns, made without an object per row; ``None`` if that cannot be done."""
        import pyarrow.compute as pc

        roles = {column: role for role, column in ReadOptions.parse(self.map).columns}
        names = [roles.get(name, name) for name in batch.schema.names]
        layout = layout_of(tuple(names))
        moved = (layout.tokens, layout.tags, layout.slots, layout.entities, layout.annotated)
        if self.edits or any(moved) or layout.values or len(layout.texts) != 1:
            return None
        columns = list(batch.columns)
        at = names.index(layout.texts[0])
        text = self._rewritten(pa, columns[at])
        if text is None:
            return None
        columns[at] = text
        for place in (names.index(name) for name in layout.ids):
            ids = columns[place]
            if ids.null_count or len(layout.ids) > 1:
                return None
            if pa.types.is_string(ids.type):
                end = f"/{self.recipe.operators[0].name}/0"
                columns[place] = pc.binary_join_element_wise(ids, end, "")
        return columns

    def _rewritten(self, pa: Any, texts: Any) -> Any:
        """Return texts perturbed by the kernel without an object per row; ``None`` if it cannot."""
        import pyarrow.compute as pc

        is_text = pa.types.is_string(texts.type) or pa.types.is_large_string(texts.type)
        if not is_text or texts.null_count or not len(texts):
            return None
        whole = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
        listed = pa.ListArray.from_arrays([0, len(texts)], whole.cast(pa.large_string()))
        joined = pc.binary_join(listed, pa.scalar("\n", pa.large_string()))
        raw = joined[0].as_buffer().to_pybytes() + b"\n"
        self._check_language(texts.slice(0, LOOKED_AT).to_pylist())
        if raw.count(b"\n") != len(texts):
            return None  # a text has a line break
        made = rewrite_lines(self._engine, raw)
        if made is None:
            return None
        ends = np.flatnonzero(np.frombuffer(made.raw, np.uint8) == ord("\n"))
        offsets = np.concatenate([[0], ends - np.arange(len(ends))])
        buffers = [
            pa.py_buffer(offsets.astype(np.int64)),
            pa.py_buffer(made.raw.replace(b"\n", b"")),
        ]
        found = pa.LargeStringArray.from_buffers(len(texts), *buffers)
        return found.cast(texts.type)

    def _made(self, batch: Any) -> tuple[list[int], list[Variant]]:
        reading = ReadOptions.parse(self.map)
        utterances = []
        for row, record in enumerate(batch.to_pylist()):
            try:
                utterances.append(utterance_of(record, str(row + 1), reading))
            except DataError as error:
                raise DataError(f"row {row + 1} of a batch: {error}") from None
        self._check_language(one.text for one in utterances)
        rows, variants = [], []
        for row, (_, (made,)) in enumerate(run_together([self._engine], utterances)):
            for variant in made:
                rows.append(row)
                variants.append(variant)
        return rows, variants

    def _changed(self, pa: Any, schema: Any, variants: Sequence[Variant]) -> dict[str, Any]:
        """Return the columns that hold what an edit changes."""
        reading = ReadOptions.parse(self.map)
        roles = {column: role for role, column in reading.columns}
        given = {roles.get(name, name): name for name in schema.names}
        layout = layout_of(tuple(given))
        moved = (*layout.slots, *layout.entities, *layout.annotated, *layout.values)
        if moved:
            raise DataError(f"the column {moved[0]} cannot be kept; give tokens and tags instead")
        types = {name: schema.field(column).type for name, column in given.items()}
        made = [variant.utterance for variant in variants]
        found: dict[str, list[Any]] = {}
        for name in layout.texts[:1]:
            listed = pa.types.is_list(types[name])
            found[name] = [list(one.tokens) if listed else one.text for one in made]
        for name in layout.tokens:
            found[name] = [list(one.tokens) for one in made]
        for name in layout.tags:
            found[name] = [list(one.tags) for one in made]
        for name in layout.ids:
            if pa.types.is_string(types[name]):
                found[name] = [one.id for one in made]
        return {given[name]: pa.array(values, types[name]) for name, values in found.items()}

    def texts(self, texts: Any) -> Any:
        """Return an array of texts with each perturbed; for functions of one column.

        Raises:
            DataError: if the recipe makes other than one variant per text.
        """
        pa = _pyarrow()
        if self.recipe.skip or self.recipe.variants > 1 or len(self.recipe.operators) > 1:
            raise DataError("a function of one column makes one variant per text, by one operator")
        if pa.types.is_string_view(texts.type):
            return self.texts(texts.cast(pa.string())).cast(texts.type)
        made = self._rewritten(pa, texts)
        if made is not None:
            return made
        listed = texts.to_pylist()
        said = [text for text in listed if text is not None]
        self._check_language(said)
        found = self._engine.run(Utterance.of("", text) for text in said)
        changed = (variant.utterance.text for variant in found)
        filled = [None if text is None else next(changed) for text in listed]
        return pa.array(filled, pa.large_string()).cast(texts.type)


class Counts(Portable):
    """Counts of a metric for Arrow data with references and hypotheses.

    The result has one row per row, with the counts of the metric as columns. Sum the columns, over
    all rows or over groups, and give the sums to :meth:`rates`.

    Args:
        metric: the name of a metric that compares texts, such as ``words``.
        ref: the column of the references.
        hyp: the column of the hypotheses.
        keep: other columns to keep, such as the speaker.
        settings: the settings of the metric, such as ``ignore_case=True``.

    >>> import pyarrow as pa
    >>> counts = Counts("words")
    >>> found = counts(pa.table({"ref": ["play some jazz"], "hyp": ["play jazz"]}))
    >>> counts.rates({name: found[name].to_pylist()[0] for name in found.column_names})["wer"]
    0.3333333333333333
    """

    def __init__(
        self,
        metric: str,
        *,
        ref: str = "ref",
        hyp: str = "hyp",
        keep: Sequence[str] = (),
        **settings: Any,
    ) -> None:
        self.metric = metric
        self.ref, self.hyp = ref, hyp
        self.keep = tuple(keep)
        self.settings = settings

    def __call__(self, batch: Any) -> Any:
        """Return the counts of each row.

        Raises:
            DataError: if a column is missing.
        """
        pa = _pyarrow()
        if isinstance(batch, Mapping):
            return self(pa.table(dict(batch))).to_pydict()
        missing = [n for n in (self.ref, self.hyp, *self.keep) if n not in batch.schema.names]
        if missing:
            there = ", ".join(batch.schema.names)
            raise DataError(f"there is no column {' or '.join(missing)} (the columns: {there})")
        score = self._score(batch)
        taken = [name for name in self.keep if name in score.all_columns()]
        if taken:
            raise DataError(f"the column {taken[0]} to keep has the name of a count; rename it")
        columns = {name: batch.column(name) for name in self.keep}
        table = score.table()
        columns |= {
            name: pa.array(table[:, at], pa.int64()) for at, name in enumerate(score.all_columns())
        }
        if isinstance(batch, pa.Table):
            return pa.table(columns)
        return pa.RecordBatch.from_pydict(columns)

    def _score(self, batch: Any) -> Score:
        metric = METRICS.imported(self.metric)
        refs, hyps = (batch.column(name).to_pylist() for name in (self.ref, self.hyp))
        ids = LineNumbers(range(1, len(refs) + 1))
        file = Transcripts(_NOWHERE, has_ids=False, ids=ids, texts=refs)
        return metric.score(References(file, refs), hyps, metric.settings(**self.settings))

    def rates(self, sums: Mapping[str, Any]) -> dict[str, float | None]:
        """Return the rates of the sums of columns; ``None`` where the denominator is 0.

        Rates of columns that these settings do not count are left out.
        """
        found: dict[str, float | None] = {}
        for rate in METRICS.imported(self.metric).rates:
            try:
                over, under = rate.ratio(sums)
            except KeyError:  # counted with other settings only
                continue
            found[rate.name] = over / under if under else None
        return found
