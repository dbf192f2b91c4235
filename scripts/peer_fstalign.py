"""The cases of fstalign's test suite, for ``peer_suites.py``."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import mondegreen as mg

Found = tuple[str, list[int], list[int], str]
"""The name of a case, the expected figures and ours, and a reason why these may differ."""

REASONS = {
    ".*: oracle_1": "lattices are not read; --oracle takes lists",
    ".* with (case and )?punctuation.*": "punctuation is no word: --punctuation scores it",
}
FEWER = "not the cheapest alignment there; no more errors here"
DEARER = re.compile(
    r".*: syn_4|adapted: (syn_5|syn_7 \(hyp2\)|short file|wer \(nlp.*"
    r"|wer with case\(.*|align_[56] .*)"
)


_SECTION = re.compile(r'SECTION\("(.*?)"\) \{(.*?)\n  \}', re.DOTALL)
_CALL = re.compile(r'command\("\w+", approach, "(\S+)", "(\S+)"(.*?)\)[;)+]', re.DOTALL)


def fstalign(folder: Path) -> Iterator[Found]:
    """Score the cases of fstalign that say how many words are wrong."""
    source = (folder / "test/fstalign_Test.cc").read_text(encoding="utf-8")
    for way, part in zip(
        ("standard", "adapted"), source.split("TEST_CASE_METHOD")[1:], strict=True
    ):
        for name, body in _SECTION.findall(part):
            call = _CALL.search(body)
            rate = re.search(r'"WER: (\d+)/(\d+)', body)
            kinds = re.search(r"INS:(\d+) DEL:(\d+) SUB:(\d+)", body)
            if rate is None:
                continue  # alignments, and figures of speakers and entities
            theirs = [int(rate[1]), int(rate[2])]
            if kinds and sum(map(int, kinds.groups())) == theirs[0]:
                theirs += map(int, kinds.groups())
            full = f"{way}: {name}"
            ours = _fstalign(folder, call, body)[: len(theirs)] if call else []
            yield full, theirs, ours, _reason(full, theirs, ours)
    yield from _distances((folder / "test/fast-d-tests.cc").read_text(encoding="utf-8"))


def _reason(name: str, theirs: list[int], ours: list[int]) -> str:
    if DEARER.fullmatch(name) and ours[0] <= theirs[0]:
        return FEWER
    return next((why for pattern, why in REASONS.items() if re.fullmatch(pattern, name)), "")


def _distances(source: str) -> Iterator[Found]:
    """Compare the distances of written-out sequences."""
    for part in source.split("TEST_CASE(")[1:]:
        rows = re.findall(r"vint (\w+) = \{([\d, ]*)\}", part)
        texts = {name: row.replace(",", " ") for name, row in rows}
        found = re.findall(r"GetEditDistance\((\w+), (\w+)\) == (\d+)", part)
        theirs = [int(distance) for one, two, distance in found if {one, two} <= set(texts)]
        pairs = [(texts[one], texts[two]) for one, two, _ in found if {one, two} <= set(texts)]
        ours = [int(mg.score.words([one], [two])["wer"].numerator) for one, two in pairs]
        if theirs:
            yield "distances: " + part.split('"')[1], theirs, ours, ""


def _fstalign(folder: Path, call: re.Match[str], body: str) -> list[int]:
    data = folder / "test/data"
    spoken = re.search(r'"(\S+norm\.json)"', call[3])
    with TemporaryDirectory() as place:
        texts: list[str] = []
        for file in call.groups()[:2]:
            copy = Path(shutil.copy(data / file, place))
            if spoken and not texts:
                shutil.copy(data / spoken[1], copy.with_suffix(".norm.json"))
            texts.append(_text(copy))
        same: list[list[str]] = []
        if own := re.search(r'TEST_DATA \+ "(\S+rules.txt)"', call[3]):
            same += _equivalent(data / own[1])
        elif "TEST_SYNONYMS" in call[3]:
            same += _equivalent(folder / "sample_data/synonyms.rules.txt")
        known = {one[0] for one in same}
        made = _made(texts, cut="true" not in call[3], joined="disable-hyphen" not in body)
        same += [one for one in made if one[0] not in known]
        rules = Path(place, "rules.toml")
        rules.write_text(f"equivalent = {json.dumps(same)}\n", encoding="utf-8")
        score = mg.score.words(
            texts[:1], texts[1:], costs="fstalign", ignore_case="--use-case" not in body,
            alternatives=True, normalise=str(rules) if same else "none",
        )  # fmt: skip
    counts, wer = score.sums(), score["wer"]
    kinds = (counts[kind] for kind in ("insertions", "deletions", "substitutions"))
    return [int(wer.numerator), int(wer.denominator), *kinds]


def _made(texts: list[str], *, cut: bool, joined: bool) -> Iterator[list[str]]:
    """Yield the synonyms that fstalign makes itself: words without their hyphens."""
    for word in sorted(set(" ".join(texts).lower().split())):
        if cut and re.fullmatch(r"[^-]+-", word):
            yield [word, word[:-1]]
        elif joined and re.fullmatch(r"[^-]+(-[^-]+)+", word):
            yield [word, word.replace("-", " ")]


def _text(path: Path) -> str:
    """Return all words of a file."""
    if path.suffix == ".nlp" and path.stat().st_size:
        return " ".join(one.text for one in mg.read(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    return " ".join(line.split()[4] if path.suffix == ".ctm" else line for line in lines if line)


def _equivalent(path: Path) -> Iterator[list[str]]:
    """Yield the synonyms of a file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        left, bar, right = line.partition("|")
        if bar and not line.startswith("#"):
            yield [left.strip(), *(one.strip() for one in right.split(";"))]
