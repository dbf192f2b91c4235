"""Sheets for blind readers: utterances of all operators of a language, shuffled, with controls.

    python bench/reading_sheets.py ../shared/data/xsid OUT [de it nl ja zh es fr hi]

CODE.sheet.tsv has a number and a text; CODE.key.tsv says what made it. Sentences of xSID come from
the second half of the validation set, those of es, fr and hi from tests/data.
"""

from __future__ import annotations

import random
import re
import sys
from pathlib import Path

from languages import utterances

import mondegreen as mg
from mondegreen.language.offers import offer
from mondegreen.operators.registry import OPERATORS

EACH, CONTROLS, SEED = 20, 15, 2031
NEVER = ("tfidf", "spoken")  # learns from data; changes only what is written otherwise


def shown(utterance: mg.Utterance) -> str:
    """Return the text of an utterance as people write it."""
    text = re.sub(r" ([,.?!;])", r"\1", utterance.text)
    return re.sub(r"([¿¡]) |(?<=[a-zà])' ", lambda found: found.group().strip(), text)


def rows(path: Path, code: str) -> list[tuple[str, str, str]]:
    """Return operator, text and source of all that readers of a language see."""
    data = utterances(path)
    data = data[len(data) // 2 :] if path.suffix == ".conll" else data
    draw = random.Random(f"{SEED} {code}")
    found = [("control", shown(one), shown(one)) for one in draw.sample(data, CONTROLS)]
    for operator in OPERATORS.own:
        if not offer(operator, code) or operator in NEVER:
            continue
        made = list(mg.perturb(data, operator, language=code, seed=SEED))
        changed = [one for one in made if one.edits]
        for one in draw.sample(changed, min(EACH, len(changed))):
            found.append((operator, shown(one.utterance), shown(one.parent)))
    draw.shuffle(found)
    return found


def main() -> None:
    """Write a sheet and a key per language."""
    folder, target, *codes = map(str, sys.argv[1:])
    own = Path(__file__).parents[1] / "tests" / "data"
    for code in codes or ["de", "it", "nl", "ja", "zh", "es", "fr", "hi"]:
        path = Path(folder) / f"{code}.valid.conll"
        path = path if path.exists() else own / f"requests.{code}.txt"
        sheet, key = (Path(target) / f"{code}.{name}.tsv" for name in ("sheet", "key"))
        with sheet.open("w", encoding="utf-8") as readers, key.open("w", encoding="utf-8") as keys:
            for number, (operator, text, source) in enumerate(rows(path, code), start=1):
                readers.write(f"{number}\t{text}\n")
                keys.write(f"{number}\t{operator}\t{text}\t{source}\n")


if __name__ == "__main__":
    main()
