"""Draw the questions of a rating sheet, spread evenly over operators and data sets."""

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


class SheetQuestion(msgspec.Struct, frozen=True):
    """One question of a sheet; ``operator`` is empty for a control, an unchanged utterance."""

    item: str
    suite: str
    operator: str
    utterance: Utterance


def draw_questions(
    suites: Sequence[Path | str], *, n: int = 120, controls: int = 12, seed: int = 0
) -> list[SheetQuestion]:
    """Draw the questions of a sheet from suites, one per data set, in random order.

    Args:
        suites: folders of suites.
        n: the number of changed utterances, spread evenly over data sets and operators.
        controls: the number of unchanged utterances, spread evenly over data sets.
        seed: another seed draws other utterances.

    Raises:
        DataError: if the suites have fewer utterances.
    """
    opened = [open_suite(folder) for folder in suites]
    changed = [
        _shuffled(suite, entry.name, seed)
        for suite in opened
        for entry in suite.manifest.sets
        if entry.kind == OPERATOR
    ]
    found = [*_evenly(changed, n, "changed utterances")]
    found += _evenly([_shuffled(suite, ORIGINAL, seed) for suite in opened], controls, "controls")
    found.sort(key=lambda one: _random_key(seed, "order", one))
    return [
        msgspec.structs.replace(one, item=f"q{number:03}")
        for number, one in enumerate(found, start=1)
    ]


def divided(questions: Sequence[SheetQuestion], groups: int) -> list[list[SheetQuestion]]:
    """Divide the changed utterances among groups of raters; each group gets all controls.

    The utterances of each operator and data set are divided evenly.
    """
    changed = sorted(
        (one for one in questions if one.operator), key=lambda one: (one.operator, one.suite)
    )
    shares = [{one.item for one in changed[group::groups]} for group in range(groups)]
    return [[one for one in questions if not one.operator or one.item in share] for share in shares]


def _shuffled(suite: Suite, name: str, seed: int) -> list[SheetQuestion]:
    """Return the changed cases of a set, or all of the original set, in random order."""
    cases = (case for case in suite.cases(suite[name]) if case.edits or name == ORIGINAL)
    questions = [_question(suite, name, case) for case in cases]
    return sorted(questions, key=lambda one: _random_key(seed, name, one))


def _question(suite: Suite, name: str, case: Case) -> SheetQuestion:
    return SheetQuestion("", suite.folder.name, "" if name == ORIGINAL else name, case.utterance)


def _random_key(seed: int, purpose: str, one: SheetQuestion) -> int:
    return Draw(
        key_of(prefix_of(seed, f"survey/{purpose}/{one.suite}/{one.operator}"), one.utterance), 0
    ).below(2**62)


def _evenly(sets: Sequence[Sequence[SheetQuestion]], n: int, noun: str) -> list[SheetQuestion]:
    """Return ``n`` questions, taken from each set in turn."""
    in_turn: Iterable[SheetQuestion | None] = (one for turn in zip_longest(*sets) for one in turn)
    found = [one for one in in_turn if one is not None]
    if len(found) < n:
        raise DataError(
            f"the suites have {len(found)} {noun}, fewer than {n}; give a smaller number"
        )
    return found[:n]
