"""What a fit begins with: the weights of a built-in profile, as far as few pairs say little."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from mondegreen.errors import DataError
from mondegreen.language.languages import language as language_of
from mondegreen.language.simulation.additions import Added
from mondegreen.language.simulation.profile import (
    BUILT_IN,
    Counts,
    RecogniserProfile,
    SeveralWeights,
    read_recogniser,
)
from mondegreen.language.simulation.regression import (
    NO_KINDS,
    USUAL_CHOICES,
    ChoiceProblems,
    KindProblems,
)
from mondegreen.language.simulation.several import USUAL_SEVERAL

NEAREST, NONE = "nearest", "none"
"""Take the built-in profile by which the errors are likeliest; begin with none."""

_USUALLY_ADDED = 10  # additions of a place that those of the start are worth
_WHOLE = 20  # what counts are multiplied by

Rows = Sequence[Sequence[float]]


class Start(NamedTuple):
    """Weights if there is nothing to learn from, and the name of the profile that has them."""

    name: str = ""
    choices: Rows = USUAL_CHOICES
    several: SeveralWeights = USUAL_SEVERAL
    kinds: Rows = NO_KINDS
    added: Mapping[str, Counts] = MappingProxyType({})

    @classmethod
    def of(cls, name: str, profile: RecogniserProfile) -> Start:
        """Return the weights of a profile."""
        return cls(name, profile.choices, profile.several, profile.kinds, profile.added)

    def with_added(self, found: Added) -> Added:
        """Return the words that were added, with some of the start.

        Only shares count, so all counts are multiplied to make whole numbers of them.
        """
        return found._replace(
            places={
                place: _merged(counts, self.added.get(place, {}))
                for place, counts in found.places.items()
            }
        )


def _merged(own: Counts, usual: Counts) -> dict[str, int]:
    """Return the counts of words that were added, with some that are usual elsewhere."""
    total = sum(usual.values())
    if not total:
        return dict(own)
    found = {words: _WHOLE * count for words, count in own.items()}
    for words, count in usual.items():
        some = round(_WHOLE * _USUALLY_ADDED * count / total)
        if some:
            found[words] = found.get(words, 0) + some
    return found


def beginnings(name: str, language: str) -> list[Start]:
    """Return the starts to choose from.

    Args:
        name: of a built-in profile, or of several with commas between them, or a file;
            ``nearest`` for all built-in ones of the language, or ``none``.
        language: the code of the language.

    Raises:
        DataError: if there is no such profile, or it is one of another language.
    """
    if name == NONE:
        return [Start()]
    if name == NEAREST:
        known = [one for one, file in BUILT_IN.items() if f".{language}." in file]
        return [Start.of(one, read_recogniser(one)) for one in known] or [Start()]
    several = name.split(",")
    return [_start(one, language) for one in (several if set(several) <= {*BUILT_IN} else [name])]


def _start(name: str, language: str) -> Start:
    profile = read_recogniser(name)
    if profile.language != language:
        raise DataError(
            f"{name}: a profile of {language_of(profile.language).name}, but the pairs are in "
            f"{language_of(language).name}; begin with {NONE!r} or a profile of that language"
        )
    return Start.of(name, profile)


def nearest_start(starts: Sequence[Start], kinds: KindProblems, choices: ChoiceProblems) -> Start:
    """Return the start by whose weights the errors of pairs are likeliest."""
    if len(starts) == 1:
        return starts[0]
    return max(
        starts,
        key=lambda one: kinds.log_likelihood(one.kinds) + choices.log_likelihood(one.choices),
    )
