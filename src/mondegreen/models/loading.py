"""Load a model by its name: its prefix, its file extension, or the files in its folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from mondegreen.errors import ModelError, PluginError
from mondegreen.models.protocol import Model
from mondegreen.plugins import Registry

WAYS = """a folder made by mondegreen train, a Hugging Face folder (config.json), a predictions \
file (.jsonl), python:package.module:function, command:PROGRAM ARGUMENTS, http://…, or \
openai:BASE_URL#MODEL"""
TIMEOUT, RETRIES, CONCURRENCY = 120.0, 3, 4
TOOL_CHOICE = "auto"


class Reach(NamedTuple):
    """How to reach a model that is outside this process.

    ``batch`` is ``None`` if the model chooses its own batch size, and ``temperature`` is ``None``
    if the server chooses it.
    """

    batch: int | None = None
    timeout: float = TIMEOUT
    retries: int = RETRIES
    concurrency: int = CONCURRENCY
    temperature: float | None = None
    tool_choice: str = TOOL_CHOICE
    max_tokens: int | None = None


Factory = Callable[[str, Reach], Model]
"""Makes a model from the part of its name after the prefix."""

_HERE = "mondegreen.models.loading"
MODELS: Registry[Factory] = Registry(
    "kind of model",
    "mondegreen.models",
    {
        "http": f"{_HERE}:_http",
        "https": f"{_HERE}:_https",
        "openai": f"{_HERE}:_openai",
        "python": f"{_HERE}:_python",
        "command": f"{_HERE}:_command",
        "predictions": f"{_HERE}:_predictions",
    },
)
"""Factories by the prefix of the name; packages add others by entry points."""


def load_model(
    spec: str | Path,
    *,
    batch: int | None = None,
    timeout: float = TIMEOUT,
    retries: int = RETRIES,
    concurrency: int = CONCURRENCY,
    temperature: float | None = None,
    tool_choice: str = TOOL_CHOICE,
    max_tokens: int | None = None,
) -> Model:
    """Load a model by its name.

    Args:
        spec: a folder, a predictions file, ``python:…``, ``command:…``, ``http://…``,
            ``openai:BASE_URL#MODEL``, or a prefix that a plugin adds.
        batch: utterances per batch; by default the model's preferred number.
        timeout: seconds that a function, a program or a server may take per batch.
        retries: how often a failed batch is sent to a server again.
        concurrency: how many batches are sent to a server at the same time.
        temperature: the temperature of an ``openai:`` model; by default the server's.
        tool_choice: the field of requests to an ``openai:`` model: ``auto``, ``required``, or
            ``named`` for the first tool.
        max_tokens: the longest answer of an ``openai:`` model; by default the server's limit.

    Raises:
        ModelError: if there is no such model, or if it cannot be loaded.
    """
    if batch is not None and batch < 1:
        raise ModelError(f"a batch must have 1 utterance or more, got {batch}")
    if timeout <= 0 or retries < 0 or concurrency < 1:
        raise ModelError(
            "timeout must be above 0, retries 0 or more, concurrency 1 or more; got "
            f"{timeout:g}, {retries}, {concurrency}"
        )
    if spec == "":
        raise ModelError(f"no model is named; give {WAYS}")
    reach = Reach(batch, timeout, retries, concurrency, temperature, tool_choice, max_tokens)
    model = _load(str(spec), reach)
    if batch is not None and not model.batch_is_set:
        model.batch = batch
    return model


def _load(text: str, reach: Reach) -> Model:
    prefix, colon, rest = text.partition(":")
    if colon and prefix in MODELS:
        try:
            return MODELS[prefix](rest, reach)
        except PluginError as error:
            raise ModelError(str(error)) from None
    if text.endswith((".jsonl", ".ndjson")):
        return _predictions(text, reach)
    return _load_folder(text)


def _http(rest: str, reach: Reach, scheme: str = "http") -> Model:
    from mondegreen.models.http import HttpModel

    size = reach.batch or HttpModel.size
    url = f"{scheme}:{rest}"
    return HttpModel(url, reach.timeout, reach.retries, reach.concurrency, size=size)


def _https(rest: str, reach: Reach) -> Model:
    return _http(rest, reach, "https")


def _openai(rest: str, reach: Reach) -> Model:
    from mondegreen.models.openai import OpenAIModel

    return OpenAIModel(
        rest,
        timeout=reach.timeout,
        retries=reach.retries,
        concurrency=reach.concurrency,
        temperature=reach.temperature,
        tool_choice=reach.tool_choice,
        max_tokens=reach.max_tokens,
        size=reach.batch,
    )


def _python(rest: str, reach: Reach) -> Model:
    from mondegreen.models.callable import CallableModel

    return CallableModel.named(rest, reach.timeout)


def _command(rest: str, reach: Reach) -> Model:
    from mondegreen.models.command import CommandModel

    return CommandModel(rest, reach.timeout)


def _predictions(rest: str, reach: Reach) -> Model:  # noqa: ARG001 (the signature of a factory)
    from mondegreen.models.predictions_file import PredictionsFile

    return PredictionsFile.read(Path(rest))


def _load_folder(name: str) -> Model:
    folder = Path(name)
    if not folder.exists():
        raise ModelError(f"{name}: there is no such model; give {WAYS}")
    if not folder.is_dir():
        raise ModelError(f"{folder}: is a file, but not a .jsonl file of predictions; give {WAYS}")
    from mondegreen.models.reference import CARD, load_folder

    if (folder / CARD).exists():
        return load_folder(folder)
    if (folder / "config.json").exists():
        from mondegreen.models.neural.huggingface import HuggingFace

        return HuggingFace.load(folder)
    raise ModelError(f"{folder}: contains neither {CARD} nor config.json; give {WAYS}")
