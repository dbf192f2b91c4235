"""What scripts/fuzz.py feeds damaged input to: each target has seeds and a call."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import mondegreen as mg
from fuzz_scores import BFCL, CASES, PAIRS, Pair
from mondegreen.data import FORMATS
from mondegreen.data.dialogues.pipecat import scenarios_of
from mondegreen.data.dialogues.reading import read_cases
from mondegreen.data.pairs.texts import Side
from mondegreen.data.sample import sample
from mondegreen.language.disfluency.profile import CONVERSATION, named_profile, read_profile
from mondegreen.language.disfluency.values import read_values
from mondegreen.language.vocabulary.common import CommonWords
from mondegreen.language.vocabulary.tfidf import TfIdf
from mondegreen.metrics import METRICS
from mondegreen.metrics.metric import Files
from mondegreen.models.callable import CallableModel
from mondegreen.models.predictions_file import PredictionsFile
from mondegreen.models.reference import load_folder
from mondegreen.models.wire import decode_json
from mondegreen.provenance.ledger import read_ledger
from mondegreen.provenance.verify import verify
from mondegreen.report.opening import open_source
from mondegreen.report.source import Query
from mondegreen.runs.results import compute_scores
from mondegreen.types import Prediction

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
DATA = list(islice(sample(), 12))
_SEED_BYTES = 6000
_ROWS = 500


def put(path: Path, content: bytes) -> None:
    """Write a new file, so that one that is mapped into memory keeps its pages."""
    path.unlink(missing_ok=True)
    path.write_bytes(content)


class Target(NamedTuple):
    """Something that reads input."""

    name: str
    seeds: list[bytes]
    call: Callable[[bytes, Path], object]


def drain(rows: Any) -> None:
    """Read all of it."""
    deque(islice(rows, _ROWS), maxlen=0)


def targets(folder: Path) -> Iterator[Target]:
    """Yield all targets; their seeds are made in a folder."""
    yield from _formats(folder)
    yield from _metrics()
    yield from _language(folder)
    yield from _made(folder)
    yield from _models(folder)
    yield from _dialogues(folder)
    yield Target("signature", _signatures(), lambda content, _: _operator(content))


def _shared_files() -> Iterator[tuple[str, bytes]]:
    """Yield the beginnings of real files, by their endings."""
    if not SHARED.is_dir():
        return
    kept: dict[str, int] = {}
    for path in sorted(SHARED.rglob("*")):
        ending = path.suffix
        if path.is_file() and kept.get(ending, 0) < 4 and path.stat().st_size < 50_000_000:
            kept[ending] = kept.get(ending, 0) + 1
            with path.open("rb") as file:
                content = file.read(_SEED_BYTES)
            if b"\0" not in content:
                yield ending, content


def _formats(folder: Path) -> Iterator[Target]:
    real: dict[str, list[bytes]] = {}
    for ending, content in _shared_files():
        real.setdefault(ending, []).append(content)
    for name in FORMATS:
        format = FORMATS[name]
        suffix = (format.suffixes or ("",))[0]
        path = folder / f"seed-{name}{suffix}"
        seeds = [content for one in format.suffixes for content in real.get(one, [])]
        with suppress(mg.MondegreenError):  # some formats are only read
            mg.write(DATA, path, format=name)
        if path.is_file():
            seeds.append(path.read_bytes())
        if name in ("calls", "turns"):
            seeds = [CASES]

        def named(content: bytes, work: Path, name: str = name, suffix: str = suffix) -> None:
            put(work / f"x{suffix}", content)
            drain(mg.read(work / f"x{suffix}", name))

        def guessed(content: bytes, work: Path, suffix: str = suffix) -> None:
            put(work / f"x{suffix}", content)
            drain(mg.read(work / f"x{suffix}"))

        if seeds:
            yield Target(f"read {name}", seeds, named)
            yield Target(f"read {name}, guessed", seeds, guessed)
    folders = [path for path in folder.iterdir() if path.is_dir()]
    for made in folders:
        yield from _folder_files(made)


def _folder_files(made: Path) -> Iterator[Target]:
    """Yield a target per file of a folder of data, such as seq.in; the others stay whole."""
    parts = {path.name: path.read_bytes() for path in made.iterdir() if path.is_file()}
    for name, seed in parts.items():

        def call(content: bytes, work: Path, name: str = name) -> None:
            for part, whole in parts.items():
                put(work / part, content if part == name else whole)
            drain(mg.read(work))

        yield Target(f"read {made.name}/{name}", [seed], call)


def _metrics() -> Iterator[Target]:
    texts = "\n".join(one.text for one in DATA).encode() + b"\n"
    rows = b"".join(
        json.dumps({"id": one.id, "text": one.text, "tags": one.tags, "label": one.label}).encode()
        + b"\n"
        for one in DATA
    )
    for name in METRICS:
        if name in PAIRS:
            yield from _paired(name, PAIRS[name])
            continue

        def call(content: bytes, work: Path, name: str = name) -> None:
            ending = ".jsonl" if content[:1] == b"{" else ".txt"
            _score(name, Pair(ending, content, content), work)

        yield Target(f"score {name}", [texts, rows], call)


def _paired(name: str, pair: Pair) -> Iterator[Target]:
    """Yield a target for each side of a metric; the other side stays whole."""

    def said(content: bytes, work: Path) -> None:
        _score(name, pair._replace(ref=content), work)

    def heard(content: bytes, work: Path) -> None:
        _score(name, pair._replace(hyp=content), work)

    yield Target(f"score {name}, ref", [pair.ref], said)
    yield Target(f"score {name}, hyp", [pair.hyp], heard)


def _score(name: str, pair: Pair, work: Path) -> None:
    metric = METRICS[name]
    settings = metric.settings()
    paths = [work / f"{side}{pair.ending}" for side in ("ref", "hyp")]
    for path, content in zip(paths, (pair.ref, pair.hyp), strict=True):
        put(path, content)
    ref, hyp = map(Side, paths)
    refs, (hyps,) = metric.whole(Files(ref, (hyp,)), settings)
    metric.score(refs, hyps, settings).estimates(intervals=False)


def _language(folder: Path) -> Iterator[Target]:
    texts = [one.text for one in DATA]
    CommonWords.fit(texts).save(folder / "words.txt")
    TfIdf.fit(texts).save(folder / "tfidf.tsv")
    named_profile(CONVERSATION).save(folder / "profile.json")
    values = json.dumps({"artist": ["miles davis", "nina simone"]}).encode()

    def perturb(operator: str) -> Callable[[bytes, Path], object]:
        def call(content: bytes, work: Path) -> None:
            put(work / "x", content)
            drain(mg.perturb(DATA[:3], operator.format(str(work / "x")), seed=1))

        return call

    def read(reader: Callable[[str], object]) -> Callable[[bytes, Path], object]:
        def call(content: bytes, work: Path) -> None:
            put(work / "x", content)
            reader(str(work / "x"))

        return call

    profile = (folder / "profile.json").read_bytes()
    table = (folder / "tfidf.tsv").read_bytes()
    yield Target("profile", [profile], read(read_profile))
    yield Target("profile in disfluencies", [profile], perturb("disfluencies(profile={!r})"))
    yield Target("profile in repeats", [profile], perturb("repeats(profile={!r})"))
    yield Target("words", [(folder / "words.txt").read_bytes()], read(CommonWords.load))
    yield Target("tfidf", [table], read(TfIdf.load))
    yield Target("tfidf in the operator", [table], perturb("tfidf(table={!r})"))
    yield Target("values", [values], read(read_values))


def _answer(batch: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"label": "play", "tags": ["O"] * len(one["tokens"])} for one in batch]


def _made(folder: Path) -> Iterator[Target]:
    """Yield what this package has made: outputs, suites, runs, rows of scores."""
    source = folder / "source.jsonl"
    mg.write(DATA, source)
    from mondegreen.cli.main import main

    perturbed = folder / "p.jsonl"
    ledger = folder / "p.ledger"
    base = ["perturb", str(source), "-o", str(perturbed), "--op", "typo", "-q"]
    main([*base, "--ledger", str(ledger)])
    manifest = next(folder.glob("p.jsonl.*")).read_bytes()
    manifest_name = next(folder.glob("p.jsonl.*")).name

    def check(content: bytes, work: Path) -> None:
        put(work / "source.jsonl", source.read_bytes())
        put(work / "p.jsonl", perturbed.read_bytes())
        put(work / "p.ledger", ledger.read_bytes())
        put(work / manifest_name, content)
        drain(verify(work / "p.jsonl"))

    yield Target("manifest", [manifest], check)

    def entries(content: bytes, work: Path) -> None:
        put(work / "x", content)
        read_ledger(work / "x")

    yield Target("ledger", [ledger.read_bytes()], entries)
    suite = mg.suite(source, folder / "suite", "typo", random=1)
    yield from _suite_files(suite.folder, source)
    run = folder / "a.run"
    mg.evaluate(suite, CallableModel(_answer, "fuzz"), run).close()
    yield Target("run", [run.read_bytes()], _read_run)
    items = folder / "items.jsonl"
    texts = folder / "texts.txt"
    texts.write_text("\n".join(one.text for one in DATA))
    sides = ["--ref", str(texts), "--hyp", str(texts)]
    main(["score", "words", *sides, "--items", str(items), "--no-intervals", "--json"])
    yield Target("items", [items.read_bytes()], _show)


def _suite_files(made: Path, source: Path) -> Iterator[Target]:
    parts = {path.relative_to(made): path.read_bytes() for path in made.rglob("*.json*")}
    for name, seed in parts.items():

        def call(content: bytes, work: Path, name: Path = name) -> None:
            put(work / "source.jsonl", source.read_bytes())
            for part, whole in parts.items():
                (work / "suite" / part).parent.mkdir(parents=True, exist_ok=True)
                put(work / "suite" / part, content if part == name else whole)
            found = mg.open_suite(work / "suite")
            for entry in found.manifest.sets:
                drain(found.cases(entry))
            drain(verify(work / "suite"))

        yield Target(f"suite {name}", [seed], call)


def _read_run(content: bytes, work: Path) -> None:
    put(work / "x.run", content)
    with mg.open_run(work / "x.run") as run:
        for one in run.sets:
            drain(run.items())
            run.score(one.name)
        compute_scores(run)
    _show_source(work / "x.run")


def _show(content: bytes, work: Path) -> None:
    put(work / "items.jsonl", content)
    _show_source(work / "items.jsonl")


def _show_source(path: Path) -> None:
    source = open_source(path)
    try:
        source.overview  # noqa: B018 (computed when it is read)
        drain(source.page(Query()).rows)
        drain(source.rows(Query()))
    finally:
        source.close()


def _models(folder: Path) -> Iterator[Target]:
    answers = _answer([{"tokens": one.tokens} for one in DATA])
    slots = [{"id": one.id, "slots": [[0, 1, "x"]], "scores": {"a": 0.5}} for one in DATA]
    lines = b"".join(json.dumps(one).encode() + b"\n" for one in slots)

    def file(content: bytes, work: Path) -> None:
        put(work / "x.jsonl", content)
        PredictionsFile.read(work / "x.jsonl").predict(DATA)

    yield Target("model predictions", [lines, _predictions()], file)

    def function(content: bytes, _work: Path) -> None:
        CallableModel(lambda _: decode_json(content, "the answer"), "fuzz").predict(DATA)

    whole = [json.dumps(answers).encode(), json.dumps(slots).encode()]
    yield Target("model answers (python, command, http)", whole, function)
    labelled = [mg.Utterance.of(str(i), text, (), text[:4]) for i, text in enumerate(_TEXTS * 3)]
    for kind in ("linear", "crf"):
        mg.train(kind, labelled, folder / kind)
        yield from _model_files(folder / kind)


def _dialogues(folder: Path) -> Iterator[Target]:
    """Yield the files of conversations, and texts that are compared."""
    ours = folder / "cases.jsonl"
    ours.write_bytes(PAIRS["conversations"].ref)
    evals = scenarios_of(read_cases(ours), "evals").encode()
    for ending, seeds in ((".jsonl", [PAIRS["conversations"].ref, BFCL]), (".yaml", [evals])):

        def cases(content: bytes, work: Path, ending: str = ending) -> None:
            put(work / f"x{ending}", content)
            read_cases(work / f"x{ending}")

        yield Target(f"cases {ending}", seeds, cases)

    def compared(content: bytes, _work: Path) -> None:
        ref, _, hyp = content.decode(errors="surrogateescape").partition("\t")
        for language in ("en", "de", "zh"):
            mg.same([ref], [hyp], language=language)

    pairs = ["8:55 a.m.\teight fifty five a m", "23,50 €\tvierundzwanzig Euro", "ZK3\tz k three"]
    yield Target("same", [pair.encode() for pair in pairs], compared)


_TEXTS = ["play some jazz", "stop it now", "play a song", "stop this"]


def _predictions() -> bytes:
    found = [Prediction(one.id, one.slots, one.label) for one in DATA]
    return b"".join(
        json.dumps({"id": one.id, "label": one.label, "tags": tags.tags}).encode() + b"\n"
        for one, tags in zip(found, DATA, strict=True)
    )


def _model_files(made: Path) -> Iterator[Target]:
    parts = {path.name: path.read_bytes() for path in made.iterdir()}
    for name, seed in parts.items():

        def call(content: bytes, work: Path, name: str = name) -> None:
            for part, whole in parts.items():
                put(work / part, content if part == name else whole)
            load_folder(work).predict(DATA)

        yield Target(f"model {made.name}/{name}", [seed], call)


def _signatures() -> list[bytes]:
    named = ["typo", "fillers(language='de')", "synonyms.any(source='thesaurus')", "nature"]
    return [name.encode() for name in [*named, "disfluencies(terms=['no wait'])", "repeats"]]


def _operator(content: bytes) -> None:
    text = content.decode(errors="surrogateescape")
    if "python:" not in text and "hub:" not in text:  # code that the user names is trusted
        drain(mg.perturb(DATA[:2], text, seed=1))
