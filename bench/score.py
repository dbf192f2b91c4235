"""Scoring compared with other tools: 100,000 pairs of 9.6 words, earnings21, one long pair.

    make bench

Needs the real data sets beside the project (../shared/data), the tools of the dependency group
bench, and for the command line sclite (Debian: sctk). Every result is checked.
"""

from __future__ import annotations

import gc
import json
import random
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import jiwer
from rapidfuzz.distance import Levenshtein

import mondegreen as mg
from mondegreen.data.pairs.joining import paired
from mondegreen.data.pairs.texts import Side, read_texts
from mondegreen.language.sounds.alike import _lexicon
from mondegreen.language.sounds.phonology import feature_system
from mondegreen.language.sounds.pronunciations import dictionary
from mondegreen.text.segment import has_unspaced
from perturb import DATA, HEADER, sentences
from timing import best, machine, row

N = 100_000
FILLERS = ("UM", "UH", "I MEAN")


def pairs() -> tuple[list[str], list[str]]:
    """Return references, and hypotheses with 15 % random word edits."""
    rng = random.Random(0)
    refs = [" ".join(utterance.tokens) for utterance in sentences(N)]
    vocabulary = sorted({word for ref in refs[:20_000] for word in ref.split()})
    hyps = []
    for ref in refs:
        words: list[str] = []
        for word in ref.split():
            chance = rng.random()
            if chance >= 0.05:
                words.append(word if chance >= 0.10 else rng.choice(vocabulary))
            if chance > 0.95:
                words.append(rng.choice(vocabulary))
        hyps.append(" ".join(words))
    return refs, hyps


def disfluent(refs: list[str]) -> list[str]:
    """Return references with fillers and repeats in UPPERCASE."""
    rng = random.Random(1)
    made = []
    for ref in refs:
        words: list[str] = []
        for word in ref.split():
            chance = rng.random()
            if chance < 0.08:
                words.append(word.upper())
            elif chance < 0.14:
                words.append(rng.choice(FILLERS))
            words.append(word)
        made.append(" ".join(words))
    return made


def against_word_scorers(refs: list[str], hyps: list[str]) -> list[str]:
    """Compare WER with alignments, from two lists of texts."""
    ours, score = best(lambda: mg.score.words(refs, hyps), runs=5)
    theirs, found = best(lambda: jiwer.process_words(refs, hyps), runs=2)
    assert score["wer"].value is not None
    assert abs(score["wer"].value - found.wer) < 1e-12
    split, edits = best(
        lambda: [Levenshtein.editops(r.split(), h.split()) for r, h in zip(refs, hyps, strict=True)]
    )
    assert sum(map(len, edits)) == score["wer"].numerator
    spaced = [pair for pair in zip(refs, hyps, strict=True) if not has_unspaced(pair)]
    plain, _ = best(lambda: mg.score.words(*map(list, zip(*spaced, strict=True))), runs=5)
    others = f"the same / without {len(refs) - len(spaced)} pairs in other scripts"
    return [
        row("words, alignment kept / jiwer.process_words", N / ours, N / theirs, "pairs/s", 25),
        row(others, N / ours, len(spaced) / plain, "pairs/s", 1),
        row("the same / split + rapidfuzz editops", N / ours, N / split, "pairs/s", 2),
    ]


def evaluator(ref: list[str], hyp: list[str]) -> list[int]:
    """Count like the published FER/DER evaluator: dynamic programming with floats, in Python."""
    epsilon = [1e-7 if word.isupper() else 0.0 for word in ref]
    cost = [[3.0 * j for j in range(len(hyp) + 1)]]
    back = [["i"] * (len(hyp) + 1)]
    for e, word in zip(epsilon, ref, strict=True):
        lower, above = word.lower(), cost[-1]
        row_, steps = [above[0] + 3 - e], ["d"]
        for j, heard in enumerate(hyp):
            least, step = (above[j] + e, "m") if lower == heard else (above[j] + 4 + e, "s")
            deleted = above[j + 1] + 3 - e
            if deleted < least:
                least, step = deleted, "d"
            inserted = row_[j] + 3 + e
            if inserted < least:
                least, step = inserted, "i"
            row_.append(least)
            steps.append(step)
        cost.append(row_)
        back.append(steps)
    counts, i, j = [0] * 8, len(ref), len(hyp)
    while i or j:
        step = back[i][j] if i else "i"
        marked = step != "i" and ref[i - 1].isupper()
        counts["msdi".index(step) + 4 * marked] += 1
        i -= step != "i"
        j -= step != "d"
    return counts


def against_evaluator(refs: list[str], hyps: list[str]) -> list[str]:
    """Compare the fluent and disfluent error rates."""
    marked = disfluent(refs)
    ours, score = best(lambda: mg.score.fluency(marked, hyps), runs=5)
    few = 5_000
    theirs, counts = best(
        lambda: [evaluator(r.split(), h.split()) for r, h in zip(marked[:few], hyps, strict=False)],
        runs=1,
    )
    same = sum(a == b for a, b in zip(score.counts[:few, :8].tolist(), counts, strict=True))
    assert same > 0.99 * few  # its rounding errors decide some ties
    both, _ = best(lambda: mg.score.fluency(marked, hyps, threads=2), runs=5)
    peer = few / theirs
    return [
        row("fluency / the published evaluator's loop", N / ours, peer, "pairs/s", 60),
        row("the same on two threads", N / both, peer, "pairs/s", 60),
    ]


def against_phonologic() -> list[str]:
    """Compare phoneme and feature error rates of transcripts of 13 phonemes."""
    import phonologic

    rng = random.Random(4)
    symbols = feature_system("hayes-arpabet").symbols
    refs = [" ".join(rng.choices(symbols, k=13)) for _ in range(20_000)]
    hyps = [
        " ".join(p if rng.random() > 0.2 else rng.choice(symbols) for p in ref.split())
        for ref in refs
    ]
    ours, score = best(lambda: mg.score.phonemes(refs, hyps))
    peer, few = phonologic.load("hayes-arpabet"), 200

    def both() -> list[tuple[float, float]]:
        return [
            (peer.phoneme_edit_distance(r, h).cost, peer.feature_edit_distance(r, h).cost)
            for r, h in zip(refs[:few], hyps[:few], strict=True)
        ]

    theirs, costs = best(both, runs=1)
    for (phoneme_cost, feature_cost), counts in zip(costs, score.counts.tolist(), strict=False):
        assert phoneme_cost == sum(counts[1:4])
        assert feature_cost == counts[5] / 4
    return [
        row("phonemes and features / phonologic", len(refs) / ours, few / theirs, "pairs/s", 1000)
    ]


def against_long_pairs() -> list[str]:
    """Compare earnings21: 44 calls, three recognisers, from lists of tokens."""
    folder = DATA / "asr" / "earnings21"
    refs = read_texts(Side(folder / "ref.tsv"))
    refs_tokens = [text.split() for text in refs.texts]
    heard = [
        [text.split() for text in paired(refs, read_texts(Side(folder / f"{name}.tsv")))]
        for name in ("amazon", "google", "rev_kaldi")
    ]
    ours, scores = best(lambda: [mg.score.words(refs_tokens, hyps) for hyps in heard])
    theirs, edits = best(
        lambda: [
            [Levenshtein.editops(r, h) for r, h in zip(refs_tokens, hyps, strict=True)]
            for hyps in heard
        ]
    )
    for score, found in zip(scores, edits, strict=True):
        assert score["wer"].numerator == sum(map(len, found))
    return [
        row(
            "earnings21, 3 systems, 44 calls / rapidfuzz editops",
            132 / ours,
            132 / theirs,
            "calls/s",
            1,
        )
    ]


def on_the_command_line(refs: list[str], hyps: list[str]) -> list[str]:
    """Compare command lines: from files to a table, with the start of the process."""
    rows = []
    with TemporaryDirectory() as name:
        folder = Path(name)
        for side, texts in (("ref", refs), ("hyp", hyps)):
            (folder / f"{side}.txt").write_text("".join(f"{text}\n" for text in texts))
            trn = "".join(f"{text} (s-{i})\n" for i, text in enumerate(texts))
            (folder / f"{side}.trn").write_text(trn)
        files = ["--ref", "ref.txt", "--hyp", "hyp.txt"]
        command = [sys.executable, "-m", "mondegreen", "score", "words", *files]
        ours = _time(command, folder)
        bare = _time([*command, "--no-intervals"], folder)
        texterrors = str(Path(sys.executable).parent / "texterrors")
        peers = {"texterrors -s": [texterrors, "-s", "ref.txt", "hyp.txt"]}
        if shutil.which("sctk"):
            sclite = ["sctk", "sclite", "-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "rm"]
            peers["sclite"] = [*sclite, "-o", "sum", "stdout"]
        for peer, arguments in peers.items():
            theirs = _time(arguments, folder)
            rows.append(
                row(f"command line, intervals / {peer}", N / ours, N / theirs, "pairs/s", 20)
            )
            rows.append(
                row(f"command line, no intervals / {peer}", N / bare, N / theirs, "pairs/s", 20)
            )
    return rows


def _time(command: list[str], folder: Path) -> float:
    seconds, _ = best(
        lambda: subprocess.run(command, cwd=folder, check=True, capture_output=True), runs=2
    )
    return seconds


MEASURE = """
import json, sys, time
import mondegreen as mg
from mondegreen.language.sounds.alike import _lexicon
from mondegreen.language.sounds.phonology import feature_system
from mondegreen.language.sounds.pronunciations import dictionary
refs, hyps = (open(path, encoding="utf-8").read().splitlines() for path in sys.argv[1:])
began = time.perf_counter()
score = mg.score.words(refs, hyps)
assert score["wer"].value is not None
seconds = time.perf_counter() - began
greatest = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps([seconds, int(greatest.split()[1]) / 1024]))
"""


def memory_and_long_pair(refs: list[str], hyps: list[str]) -> list[str]:
    """Measure time and peak memory, each in a new process."""
    rng = random.Random(2)
    long = " ".join(f"w{rng.randrange(5000)}" for _ in range(N))
    heard = " ".join(word for word in long.split() if rng.random() > 0.1)
    lines = ["| what | seconds | greatest memory, MB | wanted, MB |", "|---|---|---|---|"]
    with TemporaryDirectory() as name:
        for what, wanted, references, hypotheses in (
            ("100,000 pairs, alignment kept", 200, refs, hyps),
            ("one pair of 100,000 and 90,000 words", 500, [long], [heard]),
        ):
            files = [Path(name) / "ref", Path(name) / "hyp"]
            for file, texts in zip(files, (references, hypotheses), strict=True):
                file.write_text("\n".join(texts), encoding="utf-8")
            command = [sys.executable, "-c", MEASURE, *map(str, files)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            seconds, memory = json.loads(done.stdout)
            lines.append(f"| {what} | {seconds:.2f} | {memory:.0f} | {wanted} |")
    return lines


def sound_alike_speed() -> str:
    """Return new word types per second, with the twelve nearest words in the lexicon."""
    lexicon = _lexicon("features", "common")
    ways = [way[0].split() for way in list(dictionary().values())[::60][:2000]]
    queries = [[lexicon.numbers[phoneme] for phoneme in way] for way in ways]
    seconds, found = best(lambda: [lexicon.search.find(query, 12) for query in queries], runs=1)
    assert all(len(hits) == 12 for hits in found)
    speed = f"{len(queries) / seconds:,.0f} types/s (500 wanted)"
    return f"sound-alikes over {len(lexicon.words):,} pronunciations: {speed}"


def import_time() -> str:
    """Return the time of ``import mondegreen`` without the start of Python."""
    empty, _ = best(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True), runs=10)
    full, _ = best(
        lambda: subprocess.run([sys.executable, "-c", "import mondegreen"], check=True), runs=10
    )
    used, _ = best(
        lambda: subprocess.run(
            [sys.executable, "-c", "import mondegreen as m; m.score"], check=True
        ),
        runs=10,
    )
    return f"import mondegreen: {full - empty:.3f} s; with mg.score loaded: {used - empty:.3f} s"


def main() -> None:
    """Run all benchmarks and print Markdown."""
    refs, hyps = pairs()
    gc.freeze()
    print(machine("mondegreen", "jiwer", "rapidfuzz", "texterrors"))
    print(f"\n{HEADER}")
    for lines in (
        against_word_scorers(refs, hyps),
        against_evaluator(refs, hyps),
        against_phonologic(),
        against_long_pairs(),
        on_the_command_line(refs, hyps),
    ):
        print("\n".join(lines), flush=True)
    print("\n" + "\n".join(memory_and_long_pair(refs, hyps)))
    print("\n" + import_time())
    print("\n" + sound_alike_speed())


if __name__ == "__main__":
    main()
