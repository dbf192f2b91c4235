"""Where a long pair can be cut: in runs of words that both sides surely share.

A network alignment takes time with the product of both lengths. An ordinary alignment is a
thousand times as fast; where it finds a long run of plain words that are equal on both sides, both
sides can be cut in its middle, and the parts resolved one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mondegreen.align import DELETION, INSERTION, MATCH, align
from mondegreen.align.costs import UNIT
from mondegreen.text.patterns import lazy_pattern

_RUN = 6  # equal words that make a cut safe
_PART = 150  # words between two cuts, at least
_CELLS = 100_000  # a smaller pair is aligned as a whole
_PLAIN = lazy_pattern(r"[^{}()@;/]*[^{}()@;/-]")
_UNLIKE = "\0ref", "\0hyp"


def cuts(ref: Sequence[str], hyp: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield places in both sides, in order, between tokens that match on either side of the place.

    >>> said = [str(number) for number in range(1000)]
    >>> list(cuts(said, said))[:2]
    [(150, 150), (300, 300)]
    """
    if len(ref) * len(hyp) < _CELLS:
        return
    sides = [
        [token if _PLAIN.fullmatch(token) else unlike for token in side]
        for side, unlike in zip((ref, hyp), _UNLIKE, strict=True)
    ]
    i = j = run = last = 0
    for step in align([sides[0]], [sides[1]], UNIT).of(0).tolist():
        run = run + 1 if step == MATCH else 0
        i += step != INSERTION
        j += step != DELETION
        if run >= _RUN and i - _RUN // 2 - last >= _PART:
            last = i - _RUN // 2
            run = 0
            yield last, j - _RUN // 2
