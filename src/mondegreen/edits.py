"""Applying edits: the only place that moves slots and makes new text (docs/design/0001)."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter

from mondegreen.kernel import compiled
from mondegreen.kernel.rewriting import rewrite
from mondegreen.types import Edit, Slot, Utterance, Variant

_PLACE = attrgetter("start", "end")


def apply_edits(utterance: Utterance, edits: Iterable[Edit], *, id: str) -> Variant:
    """Return the variant that results from applying edits to an utterance.

    Slots move with their tokens. A token inserted at the edge of a slot stays outside the slot; a
    token inserted inside a slot becomes part of it; a token that replaces another stays in its
    slot. A slot whose words change keeps the words of the source as its value: they are what the
    speaker meant. Characters outside the edits are unchanged.

    >>> utterance = Utterance("u1", ("play", "miles", "davis"), (Slot("artist", 1, 3),))
    >>> filler = Edit(1, 1, ("uh",), "fillers", "filler")
    >>> variant = apply_edits(utterance, [filler], id="u1/0").utterance
    >>> variant.text, variant.slots
    ('play uh miles davis', (Slot(label='artist', start=2, end=4),))
    >>> misheard = Edit(1, 2, ("mails",), "speako", "speako")
    >>> apply_edits(utterance, [misheard], id="u1/0").utterance.values
    {'artist': ['miles davis']}

    Raises:
        EditError: if edits overlap or lie outside the utterance, or cross or erase a slot.
    """
    ordered = tuple(sorted(edits, key=_PLACE))
    made = None if compiled is None else compiled.rewrite(utterance, ordered, Slot, id)
    if made is None:
        tokens, slots, raw = rewrite(utterance, ordered)
        made = Utterance(id, tokens, slots, utterance.label, raw, utterance.extra)
    return Variant(made, utterance, ordered)
