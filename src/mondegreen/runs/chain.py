"""Reading the stages of a chain: predictions, SLURP's predictions, and sets of runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from mondegreen.data import format_of, read
from mondegreen.data.formats.format import Record
from mondegreen.errors import DataError
from mondegreen.runs.reading import open_run
from mondegreen.runs.selection import Filter
from mondegreen.types import Utterance

_SQLITE = b"SQLite format 3\0"

Slots = tuple[tuple[str, str], ...]


class StageAnswer(NamedTuple):
    """A label, and slots as label and words; ``None`` where the file has none.

    ``of`` is the id of the utterance, where this is the answer to one of its recordings.
    """

    label: str | None
    slots: Slots | None
    of: str = ""


def _slots(found: Sequence[tuple[str, str]]) -> Slots:
    return tuple(sorted((label, " ".join(words.lower().split())) for label, words in found))


class ChainGold(NamedTuple):
    """What should be answered to each utterance, and of which utterance each recording is.

    ``texts`` has the words of each utterance.
    """

    answers: dict[str, StageAnswer]
    recordings: dict[str, str]
    texts: dict[str, str]


def read_gold(path: Path, format: str | None = None, map: str = "") -> ChainGold:
    """Read gold labels.

    Raises:
        DataError: if the file cannot be read, or has neither labels nor slots.
    """
    records = _records(path)
    if records and {"slurp_id", "tokens", "entities"} <= records[0].keys():
        return _slurp_gold(records, path)
    utterances = list(read(path, format, map=map))
    answers = {one.id: _answer(one) for one in utterances}
    if not any(answer.label or answer.slots for answer in answers.values()):
        raise DataError(f"{path}: no utterance has a slot or a label to compare with")
    return ChainGold(answers, {}, {one.id: one.text for one in utterances})


def _slurp_gold(records: Sequence[Record], path: Path) -> ChainGold:
    answers: dict[str, StageAnswer] = {}
    recordings: dict[str, str] = {}
    texts: dict[str, str] = {}
    for number, record in enumerate(records, start=1):
        row: Any = record
        with _in_record(path, number):
            id, words = str(row["slurp_id"]), [str(token["surface"]) for token in row["tokens"]]
            slots = [
                (str(one["type"]), " ".join(words[i] for i in one["span"]))
                for one in row["entities"]
            ]
            answers[id] = StageAnswer(f"{row['scenario']}_{row['action']}", _slots(slots))
            texts[id] = " ".join(words)
            recordings.update((str(one["file"]), id) for one in row.get("recordings", ()))
    return ChainGold(answers, recordings, texts)


@contextmanager
def _in_record(path: Path, number: int) -> Iterator[None]:
    """Say which record of a file of SLURP is not one.

    Raises:
        DataError: if what is inside fails.
    """
    try:
        yield
    except (KeyError, TypeError, AttributeError, IndexError, ValueError) as error:
        raise DataError(
            f"{path}, record {number}: not as SLURP writes it ({type(error).__name__}: {error})"
        ) from None


def _answer(utterance: Utterance) -> StageAnswer:
    found = [
        (slot.label, slot.value or " ".join(utterance.tokens[slot.start : slot.end]))
        for slot in utterance.slots
    ]
    return StageAnswer(utterance.label, _slots(found))


def read_stage(path: Path, gold: ChainGold) -> dict[str, StageAnswer]:
    """Read the predictions of a stage, by the ids of the gold utterances or of their recordings.

    Raises:
        DataError: if the file cannot be read, or an id is unknown.
    """
    known = gold.answers
    found = _read_slurp(path, gold.recordings) if _is_slurp(path) else _by_id(path, known)
    odd = [id for id, answer in found.items() if (answer.of or id) not in known]
    if odd:
        raise DataError(f"{path}: the id {odd[0]!r} is not in the gold labels ({len(odd):,} such)")
    if not found:
        raise DataError(f"{path}: there are no predictions")
    return found


def _by_id(path: Path, known: Mapping[str, StageAnswer]) -> dict[str, StageAnswer]:
    """Read predictions; those of a format without ids are those of the gold utterances, in order.

    Raises:
        DataError: if a format without ids has another number of predictions.
    """
    found = [(one.id, _answer(one)) for one in read(path, None)]
    if format_of(path).has_ids and {id for id, _ in found} & known.keys():
        return dict(found)
    by_number = [id for id, _ in found] == [str(n) for n in range(1, len(found) + 1)]
    if not by_number or {id for id, _ in found} <= known.keys():
        return dict(found)
    if len(found) != len(known):
        raise DataError(
            f"{path}: has no ids, and {len(found):,} predictions for {len(known):,} utterances; "
            "give each prediction the id of its utterance"
        )
    return {id: answer for id, (_, answer) in zip(known, found, strict=True)}


def _records(path: Path) -> list[Record]:
    found = format_of(path, "jsonl" if path.suffix == ".jsonl" else None)
    return [record for _, record in found.records(path)] if found.records is not None else []


def _is_slurp(path: Path) -> bool:
    first = next(iter(_records(path)), None)
    return first is not None and {"scenario", "action", "entities"} <= first.keys()


def _read_slurp(path: Path, recordings: Mapping[str, str]) -> dict[str, StageAnswer]:
    """Read SLURP's predictions: per ``slurp_id``, or per ``file`` of a recording."""
    found: dict[str, StageAnswer] = {}
    for number, record in enumerate(_records(path), start=1):
        with _in_record(path, number):
            entities: Any = record["entities"]
            slots = _slots([(str(one["type"]), str(one["filler"])) for one in entities])
            label = f"{record['scenario']}_{record['action']}"
            id = str(record["slurp_id"] if "slurp_id" in record else record["file"])
        if id in found:
            raise DataError(f"{path}, record {number}: the id {id!r} occurs twice")
        if "slurp_id" in record:
            found[id] = StageAnswer(label, slots)
        elif id not in recordings:
            raise DataError(f"{path}: the recording {id!r} is not in the gold labels")
        else:
            found[id] = StageAnswer(label, slots, recordings[id])
    return found


def is_run(path: Path) -> bool:
    """Return whether a path, without ``#SET``, is a run."""
    file, _ = run_and_set(path)
    if not file.is_file():
        return False
    with file.open("rb") as content:
        return content.read(len(_SQLITE)) == _SQLITE


def run_and_set(path: Path) -> tuple[Path, str]:
    """Return the parts of ``RUN#SET``; the name of the set is empty for the first one.

    >>> run_and_set(Path("a.run#typo"))
    (PosixPath('a.run'), 'typo')
    """
    file, _, name = str(path).partition("#")
    return Path(file), name


def right_in_run(path: Path) -> dict[str, bool]:
    """Return which utterances of a set of a run are right, by the ids of their sources.

    Raises:
        DataError: if it is not a run, or has no such set.
    """
    file, name = run_and_set(path)
    if not is_run(path):
        raise DataError(f"{file}: not a run; give runs for all stages, or predictions for all")
    with open_run(file) as run:
        chosen = name or run.sets[0].name
        run.set(chosen)  # raises for an unknown name
        return {(item.parent or item.id): not item.wrong for item in run.items(Filter(set=chosen))}
