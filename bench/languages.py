"""What the operators of the table do to xSID: the share changed, and whether labels are kept.

    python bench/languages.py /path/to/xsid [de it nl ja zh de-ba gsw es fr hi]

Spanish, French and Hindi are not in xSID; their requests are our own, in tests/data.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mondegreen as mg
from mondegreen.language.offers import offer
from mondegreen.operators.registry import OPERATORS

LANGUAGES = ["de", "it", "nl", "ja", "zh", "de-ba", "gsw", "es", "fr", "hi"]
CODES = {"de-ba": "de", "gsw": "de"}


OWN = Path(__file__).parents[1] / "tests" / "data"


def bracketed(text: str, id: str, label: str) -> mg.Utterance:
    """Read an utterance with its slots in brackets: "play [artist:nina simone]".

    >>> bracketed("play [artist:nina simone]", "1", "music").slots
    (Slot(label='artist', start=1, end=3),)
    """
    tokens: list[str] = []
    slots: list[mg.Slot] = []
    start, name = 0, ""
    for piece in text.split():
        word = piece
        if word.startswith("["):
            name, _, word = word[1:].partition(":")
            start = len(tokens)
        tokens.append(word.removesuffix("]"))
        if word.endswith("]"):
            slots.append(mg.Slot(name, start, len(tokens)))
    return mg.Utterance(id, tuple(tokens), tuple(slots), label)


def utterances(path: Path) -> list[mg.Utterance]:
    """Read xSID: number, word, intent, tag; an empty word is left out. Or our own requests."""
    if path.suffix == ".txt":
        lines = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        return [bracketed(text, str(n), label) for n, (label, text) in enumerate(lines)]
    found: list[mg.Utterance] = []
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("# ")]
        rows = [row for row in rows if row[1].strip()]
        tokens = tuple("".join(row[1].split()) for row in rows)
        slots: list[mg.Slot] = []
        for at, (*_, tag) in enumerate(rows):
            if (
                tag.startswith("I-")
                and slots
                and slots[-1].end == at
                and slots[-1].label == tag[2:]
            ):
                slots[-1] = mg.Slot(tag[2:], slots[-1].start, at + 1)
            elif tag != "O":
                slots.append(mg.Slot(tag[2:], at, at + 1))
        found.append(mg.Utterance(str(len(found)), tokens, tuple(slots), rows[0][2]))
    return found


def main() -> None:
    """Print one row per operator and language."""
    folder, *wanted = sys.argv[1:]
    for name in wanted or LANGUAGES:
        path, code = Path(folder) / f"{name}.valid.conll", CODES.get(name, name)
        data = utterances(path if path.exists() else OWN / f"requests.{code}.txt")
        for operator in OPERATORS.own:
            if not offer(operator, code) or operator == "tfidf":
                continue
            changed = kept = 0
            for one in mg.perturb(data, operator, language=code, seed=7):
                changed += one.utterance.tokens != one.parent.tokens
                labels = [[slot.label for slot in two.slots] for two in (one.utterance, one.parent)]
                kept += labels[0] == labels[1] and one.utterance.label == one.parent.label
            n = len(data)
            print(f"{name}\t{operator}\t{changed / n:.3f}\t{kept / n:.3f}", flush=True)


if __name__ == "__main__":
    main()
