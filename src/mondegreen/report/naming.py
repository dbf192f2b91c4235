"""Names for display, and a score in one sentence."""

from __future__ import annotations

from mondegreen.metrics.scores.score import Score

_MANY = 100_000  # utterances, above which a sentence does not wait for a bootstrap
_SHORT = ("wer", "mer", "wil", "cer", "ser", "f1")


def spaced(name: str) -> str:
    """Return the name of a rate for display.

    >>> spaced("e2e_accuracy"), spaced("slot_f1")
    ('end-to-end accuracy', 'slot F1')
    """
    words = name.replace("e2e", "end-to-end").split("_")
    return " ".join(word.upper() if word in _SHORT else word for word in words)


def sentence_of(score: Score) -> str:
    """Return a score in one sentence: its main rate, and how many utterances have an error."""
    rates = score.estimates(bootstrap=len(score) <= _MANY)
    main = next(rate for rate in rates if rate.name == score.main)
    if main.value is None:
        return f"{len(score):,} utterances; {main.name} has the denominator 0."
    name = spaced(main.name)
    wrong = int(score.sums()["wrong"])
    between = (
        "" if main.low is None or main.high is None
        else f" (95 %: {100 * main.low:.1f} to {100 * main.high:.1f})"
    )  # fmt: skip
    return (
        f"{name[:1].upper()}{name[1:]} {100 * main.value:.1f} %{between}; {wrong:,} of "
        f"{len(score):,} utterances have an error."
    )
