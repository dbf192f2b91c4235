"""What ``mg.perturb`` and ``mg.augment`` return: variants to iterate over, or to write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path

from mondegreen.data.files.lines import Meter
from mondegreen.data.pairs.parts import parted
from mondegreen.engines import Workers
from mondegreen.engines.calls import Portable
from mondegreen.errors import OutputError
from mondegreen.perturbation.augmentation import engine_of
from mondegreen.perturbation.engine import Engine
from mondegreen.perturbation.preparation import (
    LearnFrom,
    learning,
    prepare,
    prepare_stream,
    reader_of,
)
from mondegreen.perturbation.recipe import Recipe
from mondegreen.types import Utterance, Variant
from mondegreen.variants.jobs import WriteJob, WrittenOutput
from mondegreen.variants.sources import Data, FileSource, MemorySource, source_of
from mondegreen.variants.writing import Extras

_PART = 4096  # utterances that are sent to a worker together


@dataclass(frozen=True)
class RecipeWork(Portable):
    """Makes the variants of a part by one recipe, wherever it is called."""

    recipe: Recipe

    @cached_property
    def _engine(self) -> Engine:
        return engine_of(self.recipe)

    def __call__(self, part: Sequence[Utterance]) -> list[Variant]:
        """Return the variants of the utterances of a part, in order."""
        return list(self._engine.run(part))


class Variants(Iterator[Variant]):
    """The variants of data, in order, and the recipe that makes them.

    Nothing is read, learnt or made before it is asked for.

    Args:
        draft: the recipe, before its operators have learnt from the data.
        data: a file, utterances, texts, a data frame, or a source.
        learn_from: what operators learn from; by default, the data.
        learns: whether operators learn; those of a user's recipe do not.
        workers: where the work runs; ``None`` for this process.
    """

    def __init__(
        self,
        draft: Recipe,
        data: Data | MemorySource,
        *,
        learn_from: LearnFrom | None = None,
        learns: bool = True,
        workers: Workers | None = None,
    ) -> None:
        self._draft = draft
        self._source = data if isinstance(data, MemorySource) else source_of(data)
        self._learn_from = learn_from if learns or learn_from is not None else ()
        self._workers = workers

    @cached_property
    def recipe(self) -> Recipe:
        """The recipe, with what its operators have learnt."""
        source, learn_from = self._source, self._learn_from
        if not source.is_stream:
            return prepare(self._draft, source.read, learn_from)
        if isinstance(source, FileSource):  # its language is looked at when it is read
            return learning(self._draft, reader_of(learn_from or ()))
        recipe, source.data = prepare_stream(self._draft, source.read(), learn_from)
        return recipe

    @property
    def signature(self) -> str:
        """The recipe in one line."""
        return self.recipe.signature

    @cached_property
    def _made(self) -> Iterator[Variant]:
        recipe, utterances = self.recipe, self._source.read()
        if self._workers is None:
            return engine_of(recipe).variants(utterances)
        parts = parted(utterances, _PART)
        return chain.from_iterable(self._workers.map(RecipeWork(recipe), parts))

    def __iter__(self) -> Iterator[Variant]:  # noqa: PYI034 (a call less per variant)
        return self._made

    def __next__(self) -> Variant:
        return next(self._made)

    def write(
        self,
        path: Path | str,
        *,
        to: str | None = None,
        ledger: Path | str | None = None,
        marked: Path | str | None = None,
        force: bool = False,
        meter: Meter | None = None,
        on_note: Callable[[str], object] | None = None,
    ) -> tuple[WrittenOutput, ...]:
        """Write the variants, with a manifest that ``mondegreen verify`` accepts.

        The bytes are those of the commands ``perturb`` and ``augment``. Of shards (a path such as
        ``in-*.jsonl``), those that were finished at an earlier start are not worked on again.
        Utterances in memory are written beside the output, so that it can be verified.

        Args:
            path: the file or folder to write. With several operators, a name with ``{op}`` in it,
                or a folder for one output per operator; of shards, with ``*``, a file for each.
            to: the format; by default by its name, else that of the source.
            ledger: a file for every edit as a JSON line.
            marked: a file for the reference of ``score fluency``.
            force: replace existing outputs.
            meter: called with the number of bytes that each step has read.
            on_note: called with what an earlier start has finished.

        Raises:
            OutputError: if an output exists, or cannot be written.
        """
        extras = Extras(
            None if ledger is None else Path(ledger),
            None if marked is None else Path(marked),
            meter=meter,
        )
        recipe, source = self.recipe, self._again()
        learnt = Path(self._learn_from) if isinstance(self._learn_from, str | Path) else None
        job = WriteJob(recipe, source, self._workers, learnt, extras, force=force)
        return job.write(Path(path), to, on_note)

    def _again(self) -> MemorySource:
        """Return the source from the beginning; what can be read only once is kept in memory."""
        source = self._source
        if not isinstance(source, FileSource) and source.is_stream:
            if "_made" in vars(self):
                raise OutputError(
                    "the data can be read only once, and has been read; give a list or a file"
                )
            source.data = list(source.read())
        return source
