"""Plain text in, plain text out: variants without a Python object per utterance.

For recipes of one operator that the kernel knows. The result is that of the engine; lines that are
out of the ordinary are left to it.
"""

from __future__ import annotations

from typing import NamedTuple

from mondegreen.perturbation.engine import Engine
from mondegreen.text.verbatim import look_of, verbatim_spans
from mondegreen.types import Utterance


class LinesMade(NamedTuple):
    """Lines with their edits, and how many were read, changed and edited."""

    raw: bytes
    read: int
    changed: int
    edits: int


def rewrite_lines(engine: Engine, raw: bytes) -> LinesMade | None:
    r"""Return the variant of each line of a block of UTF-8 text.

    ``None`` if the recipe or the text needs the engine: several variants, protected phrases, an
    operator that the kernel does not know, or line breaks other than ``\n``.

    >>> from mondegreen.operators import parse_all
    >>> from mondegreen.perturbation.recipe import Recipe
    >>> engine = Engine(Recipe(tuple(parse_all("fillers")), seed=7))
    >>> made = rewrite_lines(engine, b"play some jazz\nstop\n")
    >>> made is None or made.raw
    b'play um some jazz\nstop um\n'
    """
    plan = engine.line_plan
    if plan is None or b"\r" in raw or b"\0" in raw or raw.startswith(b"\xef\xbb\xbf"):
        return None
    rewriter, prefix, threshold, share = plan
    codes = engine.recipe.protection.codes
    look, spans = (look_of, verbatim_spans) if codes else (None, None)
    made, left, read, changed, edits = rewriter.rewrite_lines(
        raw, prefix, threshold, share, look, spans
    )
    if not left:
        return LinesMade(made, read, changed, edits)
    pieces, done = [], 0
    (operator,) = engine.recipe.operators
    for number, place, start, end in left:
        utterance = Utterance.of(str(number + 1), raw[start:end].decode())
        variant = engine.variant(utterance, operator)
        pieces += [made[done:place], variant.utterance.text.encode()]
        done = place
        changed += bool(variant.edits)
        edits += len(variant.edits)
    return LinesMade(b"".join([*pieces, made[done:]]), read, changed, edits)
