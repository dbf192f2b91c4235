"""The training jobs of scripts/nature_tables.py, their input and their results."""

from __future__ import annotations

import gzip
import json
import lzma
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from mondegreen.types import Prediction, Slot, Utterance

DATA = {"atis": "ATIS", "snips": "SNIPS", "nlued": "NLU-ED"}
GROUPS = ("nature", "nature.paper")
"""The groups of operators that make the test sets."""
AUGMENT = "augment"
"""The group of operators that augments the training data: the paper's six, none of its ten."""
KINDS = ("joint-bert", "stack-prop", "bi-rnn", "crf")
JUDGES = ("joint-bert", "crf")
"""Models that choose the Hard sets: the first of them that has results."""
PLAIN, AUGMENTED = "plain", "augmented"
SEEDS = (0, 1)
"""The tables are for the first seed; the others show how much results depend on the seed."""
SETTINGS: dict[str, dict[str, Any]] = {
    "joint-bert": {"batch": 64, "epochs": 20, "patience": 4, "encoder_rate": 1.5e-4},
    "stack-prop": {"batch": 64, "epochs": 24, "patience": 5, "encoder_rate": 1.5e-4},
    "bi-rnn": {"batch": 64, "epochs": 40, "patience": 8, "rate": 2e-3},
    "crf": {},
}
_AUGMENTED_EPOCHS = 0.6
"""The share of the epochs for augmented data, which is twice as large: 1.2 times the steps."""


class Pack(msgspec.Struct):
    """The input of the jobs of one data set."""

    train: list[Utterance]
    valid: list[Utterance]
    more_train: list[Utterance]
    more_valid: list[Utterance]
    units: list[Utterance]
    """The distinct utterances of all test sets; the model predicts each once."""
    sets: dict[str, dict[str, list[int]]]
    """Per group, its test sets as positions in ``units``; equal lines are the same utterance."""
    changed: dict[str, dict[str, list[bool]]]
    """Per group and operator, whether each line of its set differs from the original."""


class Job(NamedTuple):
    """One training job: a model on a data set, plain or augmented."""

    kind: str
    data: str
    training: str
    seed: int = SEEDS[0]

    @property
    def name(self) -> str:
        """The name of the job's files."""
        return f"{self.kind}.{self.data}.{self.training}.{self.seed}"


def jobs() -> list[Job]:
    """Return all jobs: those for the tables first, and of these the longest first."""
    return [
        Job(kind, data, training, seed)
        for seed in SEEDS
        for data in reversed(DATA)
        for training in (AUGMENTED, PLAIN)
        for kind in ("stack-prop", "bi-rnn", "joint-bert", "crf")
    ]


def write_pack(pack: Pack, path: Path) -> None:
    """Write a pack atomically."""
    part = path.with_suffix(".part")
    part.write_bytes(lzma.compress(msgspec.json.encode(pack), preset=4))
    part.replace(path)


def read_pack(work: Path, data: str) -> Pack:
    """Read the pack of a data set."""
    return msgspec.json.decode(
        lzma.decompress((work / "pack" / f"{data}.json.xz").read_bytes()), type=Pack
    )


def run_job(work: Path, job: Job, encoder: Path, device: str) -> None:
    """Train unless the model exists, predict all test sets, and write the predictions."""
    from mondegreen.models.reference import load_folder, train

    results, model_folder = work / "results", work / "models" / job.name
    results.mkdir(exist_ok=True)
    model_folder.parent.mkdir(exist_ok=True)
    pack = read_pack(work, job.data)
    began = time.monotonic()
    if not model_folder.exists():
        _train(train, job, pack, model_folder, encoder, device)
    trained = time.monotonic()
    model: Any = load_folder(model_folder)
    lines = list(_predictions(model, pack.units, losses=job.kind in JUDGES))
    log = {
        "job": job._asdict(),
        "signature": model.signature,
        "train_seconds": round(trained - began, 1),
        "predict_seconds": round(time.monotonic() - trained, 1),
        **({} if job.kind == "crf" else _log(model)),
    }
    part = results / f"{job.name}.part"
    part.write_bytes(gzip.compress(b"\n".join([msgspec.json.encode(log), *lines]), mtime=0))
    part.replace(results / f"{job.name}.jsonl.gz")
    print(json.dumps(log), flush=True)


def _log(model: Any) -> dict[str, Any]:
    """Return how a neural model was trained."""
    import torch

    return {
        "settings": msgspec.to_builtins(model.about.recipe) | {"encoder": _encoder_name(model)},
        "losses": [round(loss, 4) for loss in model.about.losses],
        "scores": [round(score, 4) for score in model.about.scores],
        "torch": str(torch.__version__),
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
    }


def _train(train: Any, job: Job, pack: Pack, folder: Path, encoder: Path, device: str) -> None:
    augmented = job.training == AUGMENTED
    options = dict(SETTINGS[job.kind])
    if job.kind != "crf":
        import torch

        # one core per job; threads of several jobs would wait for each other
        torch.set_num_threads(1)
        torch.set_float32_matmul_precision("high")
        options["device"] = device
    if job.kind in ("joint-bert", "stack-prop"):
        options["encoder"] = str(encoder)
    if augmented and "epochs" in options:
        options["epochs"] = round(options["epochs"] * _AUGMENTED_EPOCHS)
    data = pack.more_train if augmented else pack.train
    dev = pack.more_valid if augmented else pack.valid
    train(job.kind, data, folder, dev=dev, seed=job.seed, **options)


def _encoder_name(model: Any) -> str:
    return Path(model.about.recipe.encoder or "").name


def _predictions(model: Any, units: Sequence[Utterance], *, losses: bool) -> Iterator[bytes]:
    found = model.predict(units)
    nats = model.losses(units) if losses else [None] * len(units)
    for prediction, loss in zip(found, nats, strict=True):
        slots = [(slot.label, slot.start, slot.end) for slot in prediction.slots or ()]
        yield msgspec.json.encode((prediction.label, slots, loss and round(loss, 4)))


class Result(NamedTuple):
    """The result of a job."""

    log: dict[str, Any]
    predictions: list[Prediction]
    losses: list[float | None]


def read_result(work: Path, job: Job) -> Result:
    """Read the result of a job; predictions are in the order of the units."""
    path = work / "results" / f"{job.name}.jsonl.gz"
    first, *lines = gzip.decompress(path.read_bytes()).splitlines()
    rows = [msgspec.json.decode(line) for line in lines]
    predictions = [
        Prediction(str(i), tuple(Slot(*slot) for slot in slots), label)
        for i, (label, slots, _) in enumerate(rows)
    ]
    return Result(msgspec.json.decode(first), predictions, [loss for _, _, loss in rows])


def run_all(
    wanted: Sequence[Job], work: Path, encoder: Path, device: str, *, at_once: int, minutes: float
) -> list[Job]:
    """Run the jobs that are not done, ``at_once`` in parallel; return those that remain."""
    ends = time.monotonic() + 60 * minutes
    waiting = [job for job in wanted if not done(work, job)]
    running: dict[Job, subprocess.Popen[bytes]] = {}
    while (waiting or running) and time.monotonic() < ends:
        while waiting and len(running) < at_once:
            job = waiting.pop(0)
            running[job] = _start(work, job, encoder, device)
        time.sleep(0.5)
        running = {job: process for job, process in running.items() if process.poll() is None}
    for process in running.values():
        process.terminate()
        process.wait()
    return [job for job in wanted if not done(work, job)]


def done(work: Path, job: Job) -> bool:
    """Return whether a job has a result."""
    return (work / "results" / f"{job.name}.jsonl.gz").exists()


def _start(work: Path, job: Job, encoder: Path, device: str) -> subprocess.Popen[bytes]:
    (work / "logs").mkdir(exist_ok=True)
    script = Path(__file__).with_name("nature_tables.py")
    arguments = [*map(str, job), "--work", str(work), "--encoder", str(encoder), "--device", device]
    with (work / "logs" / f"{job.name}.txt").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, str(script), "job", *arguments], stdout=log, stderr=log
        )


def collect(work: Path, target: Path) -> None:
    """Write all results and logs into one archive."""
    import tarfile

    with tarfile.open(target, "w") as archive:
        for folder in ("results", "logs"):
            for path in sorted((work / folder).glob("*")):
                archive.add(path, f"{folder}/{path.name}")


def shrink(folder: Path, texts: Iterable[Sequence[str]], target: Path) -> None:
    """Compress an encoder for a slow connection.

    Embeddings of pieces that do not occur in the texts become zero; the jobs never read them. The
    weights are rounded to bfloat16, with eight bits of precision, as in training.
    """
    import torch
    from safetensors.torch import load_file

    from mondegreen.models.neural.pieces import PieceSplitter

    pieces = PieceSplitter.read(folder, 512)
    used = {pieces.start, pieces.end, pieces.padding}
    for tokens in texts:
        used.update(*pieces.of(tokens))
    target.mkdir(parents=True, exist_ok=True)
    index, blocks = [], []
    for name, weight in load_file(folder / "model.safetensors").items():
        if name.startswith("cls."):
            continue
        pruned = weight
        if "word_embeddings" in name:
            pruned = torch.zeros_like(weight)
            rows = sorted(used)
            pruned[rows] = weight[rows]
        raw = pruned.to(torch.bfloat16).contiguous().view(torch.uint8).reshape(-1, 2)
        index.append((name, list(weight.shape)))
        blocks += [raw[:, half].contiguous().numpy().tobytes() for half in (0, 1)]
    (target / "weights.gz").write_bytes(gzip.compress(b"".join(blocks), 6, mtime=0))
    (target / "weights.json").write_text(json.dumps(index), encoding="utf-8")
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(folder / name, target / name)


def unshrink(folder: Path) -> None:
    """Turn a compressed encoder back into a Hugging Face folder."""
    if (folder / "model.safetensors").exists() or not (folder / "weights.gz").exists():
        return
    import torch
    from safetensors.torch import save_file

    raw = gzip.decompress((folder / "weights.gz").read_bytes())
    weights, at = {}, 0
    for name, shape in json.loads((folder / "weights.json").read_text(encoding="utf-8")):
        n = int(torch.tensor(shape).prod())
        halves = [
            torch.frombuffer(bytearray(raw[at + part * n : at + (part + 1) * n]), dtype=torch.uint8)
            for part in (0, 1)
        ]
        both = torch.stack(halves, 1).contiguous().view(torch.bfloat16)
        weights[name] = both.reshape(shape).to(torch.float16)
        at += 2 * n
    save_file(weights, folder / "model.part", metadata={"format": "pt"})
    (folder / "model.part").replace(folder / "model.safetensors")
