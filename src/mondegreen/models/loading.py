"""From how a model is named to the model: by its prefix, its ending, or what lies in its folder."""

from __future__ import annotations

from pathlib import Path

from mondegreen.errors import ModelError
from mondegreen.models.protocol import Model

WAYS = """a folder made by mondegreen train, a Hugging Face folder (config.json), a predictions \
file (.jsonl), python:package.module:function, command:PROGRAM ARGUMENTS, or http://…"""
TIMEOUT, RETRIES, CONCURRENCY = 120.0, 3, 4


def load_model(
    spec: str | Path,
    *,
    batch: int | None = None,
    timeout: float = TIMEOUT,
    retries: int = RETRIES,
    concurrency: int = CONCURRENCY,
) -> Model:
    """Reach a model.

    Args:
        spec: a folder, a predictions file, ``python:…``, ``command:…``, ``http://…``.
        batch: how many utterances at once; the model's own choice otherwise.
        timeout: seconds that a batch of a function, a program or a server may take.
        retries: how often an HTTP model is asked again after a fault that may pass.
        concurrency: how many batches an HTTP model is asked at a time.

    Raises:
        ModelError: if there is no such model, or if it does not come up.
    """
    if batch is not None and batch < 1:
        raise ModelError(f"a batch is of 1 or more utterances, got {batch}")
    if timeout <= 0 or retries < 0 or concurrency < 1:
        raise ModelError(
            "timeout must be above 0, retries 0 or more, concurrency 1 or more; got "
            f"{timeout:g}, {retries}, {concurrency}"
        )
    text = str(spec)
    if spec == "":
        raise ModelError(f"no model is named; give {WAYS}")
    way, _, rest = text.partition(":")
    if way in ("http", "https"):
        from mondegreen.models.http import HttpModel

        model: Model = HttpModel(text, timeout, retries, concurrency, size=batch or HttpModel.size)
    elif way == "python":
        from mondegreen.models.callable import CallableModel

        model = CallableModel.named(rest, timeout)
    elif way == "command":
        from mondegreen.models.command import CommandModel

        model = CommandModel(rest, timeout)
    elif way == "predictions" or text.endswith((".jsonl", ".ndjson")):
        from mondegreen.models.predictions_file import PredictionsFile

        model = PredictionsFile.read(Path(rest if way == "predictions" else text))
    else:
        model = _of_folder(text)
    if batch is not None and way not in ("http", "https"):
        model.batch = batch
    return model


def _of_folder(name: str) -> Model:
    folder = Path(name)
    if not folder.exists():
        raise ModelError(f"{name}: there is no such model; give {WAYS}")
    if not folder.is_dir():
        raise ModelError(f"{folder}: a file, but no .jsonl with predictions; give {WAYS}")
    from mondegreen.models.reference import CARD, load_folder

    if (folder / CARD).exists():
        return load_folder(folder)
    if (folder / "config.json").exists():
        from mondegreen.models.neural.huggingface import HuggingFace

        return HuggingFace.load(folder)
    raise ModelError(f"{folder}: neither {CARD} nor config.json is in it; give {WAYS}")
