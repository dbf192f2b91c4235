"""A rating sheet as an HTML page or as a CSV table."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from mondegreen.report.frames import colours_of, parts_of
from mondegreen.report.pages import STYLE, environment, inlined
from mondegreen.survey.sheet import SheetQuestion

_SCRIPT = Path(__file__).parent / "survey.js"


def sheet_page(questions: Sequence[SheetQuestion], title: str) -> str:
    """Return the sheet as a self-contained HTML page that saves the answers as CSV."""
    colours = colours_of({slot.label for one in questions for slot in one.utterance.slots})
    items = [
        {
            "item": one.item,
            "label": one.utterance.label,
            "parts": parts_of(one.utterance.tokens, one.utterance.slots, colours),
        }
        for one in questions
    ]
    page = environment().get_template("survey.html")
    return page.render(questions=items, title=title, **inlined(style=STYLE, script=_SCRIPT))


def sheet_table(questions: Sequence[SheetQuestion]) -> str:
    """Return the sheet as CSV, with three empty columns for the answers."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(("item", "text", "labels", "intent label", "slots", "intent", "natural"))
    for one in questions:
        utterance = one.utterance
        slots = "; ".join(
            f"{s.label}: {' '.join(utterance.tokens[s.start : s.end])}" for s in utterance.slots
        )
        writer.writerow((one.item, utterance.text, slots, utterance.label or "", "", "", ""))
    return text.getvalue()
