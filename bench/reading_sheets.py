"""Sheets for blind readers: utterances of all operators of a language, shuffled, with controls.

    python bench/reading_sheets.py OUT [de fr es it nl hi zh ja]

CODE.sheet.tsv has a number and a text; CODE.key.tsv says what made it. The requests are our own, in
tests/data; controls are some of them, unchanged.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

import mondegreen as mg
from languages import OWN, utterances
from mondegreen.language.offers import WHERE, entry
from mondegreen.operators.registry import OPERATORS

EACH, CONTROLS, SEED = 20, 15, 2031
_WIDE = "\u3000-\u9fff\uff00-\uffef"
_SPACES = re.compile(rf" (?=[,.?!;])|(?<=[{_WIDE}]) | (?=[{_WIDE}])")


def shown(utterance: mg.Utterance) -> str:
    """Return the text of an utterance as people write it."""
    return _SPACES.sub("", utterance.text).replace("¿ ", "¿")


def rows(code: str) -> list[tuple[str, str, str]]:
    """Return operator, text and source of all that readers of a language see."""
    data = utterances(OWN / f"requests.{code}.txt")
    draw = random.Random(f"{SEED} {code}")
    found = [("control", shown(one), shown(one)) for one in draw.sample(data, CONTROLS)]
    for operator in OPERATORS.own:
        if (
            entry(operator, code).offered in (False, WHERE) or operator == "tfidf"
        ):  # learns from data
            continue
        made = [one for one in mg.perturb(data, operator, language=code, seed=SEED) if one.edits]
        some = draw.sample(made, min(EACH, len(made)))
        found += [(operator, shown(one.utterance), shown(one.parent)) for one in some]
    draw.shuffle(found)
    return found


def main() -> None:
    """Write a sheet and a key per language."""
    target, *codes = sys.argv[1:]
    for code in codes or ["de", "fr", "es", "it", "nl", "hi", "zh", "ja"]:
        sheet, key = (Path(target) / f"{code}.{name}.tsv" for name in ("sheet", "key"))
        with sheet.open("w", encoding="utf-8") as readers, key.open("w", encoding="utf-8") as keys:
            for number, (operator, text, source) in enumerate(rows(code), start=1):
                readers.write(f"{number}\t{text}\n")
                keys.write(f"{number}\t{operator}\t{text}\t{source}\n")


if __name__ == "__main__":
    main()
