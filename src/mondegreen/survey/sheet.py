"""A rating sheet: utterances evenly over operators and data sets, untouched ones among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from pathlib import Path

import msgspec

from mondegreen.draw import Draw, key_of, prefix_of
from mondegreen.errors import DataError
from mondegreen.perturbation.suite_recipe import OPERATOR, ORIGINAL
from mondegreen.suites.reading import Case, Suite, open_suite
from mondegreen.types import Utterance


class Question(msgspec.Struct, frozen=True):
    """One line of a sheet. ``operator`` is empty for a control: an utterance as it was."""

    item: str
    suite: str
    operator: str
    utterance: Utterance


def draw_questions(
    suites: Sequence[Path | str], *, n: int = 120, controls: int = 12, seed: int = 0
) -> list[Question]:
    """Draw the questions of a sheet from one suite a data set, in random order.

    Args:
        suites: folders of suites.
        n: changed utterances, evenly over data sets and operators.
        controls: untouched utterances, evenly over data sets.
        seed: another seed draws others.

    Raises:
        DataError: if the suites have not as many.
    """
    opened = [open_suite(folder) for folder in suites]
    changed = [
        _drawn(suite, entry.name, seed)
        for suite in opened
        for entry in suite.manifest.sets
        if entry.kind == OPERATOR
    ]
    found = [*_evenly(changed, n, "changed utterances")]
    found += _evenly([_drawn(suite, ORIGINAL, seed) for suite in opened], controls, "controls")
    found.sort(key=lambda one: _chance(seed, "order", one))
    return [
        msgspec.structs.replace(one, item=f"q{number:03}")
        for number, one in enumerate(found, start=1)
    ]


def _drawn(suite: Suite, name: str, seed: int) -> list[Question]:
    """The cases of a set that were changed, or of the original all, in random order."""
    cases = (case for case in suite.cases(suite[name]) if case.edits or name == ORIGINAL)
    questions = [_question(suite, name, case) for case in cases]
    return sorted(questions, key=lambda one: _chance(seed, name, one))


def _question(suite: Suite, name: str, case: Case) -> Question:
    return Question("", suite.folder.name, "" if name == ORIGINAL else name, case.utterance)


def _chance(seed: int, what: str, one: Question) -> int:
    return Draw(
        key_of(prefix_of(seed, f"survey/{what}/{one.suite}/{one.operator}"), one.utterance), 0
    ).below(2**62)


def _evenly(sets: Sequence[Sequence[Question]], n: int, what: str) -> list[Question]:
    """Take from each set in turn."""
    turns: Iterable[Question | None] = (one for turn in zip_longest(*sets) for one in turn)
    found = [one for one in turns if one is not None]
    if len(found) < n:
        raise DataError(f"the suites have {len(found)} {what}, fewer than {n}; ask for fewer")
    return found[:n]
