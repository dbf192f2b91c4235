"""Masked language models from Hugging Face, run by torch, on a GPU if there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mondegreen.errors import MissingExtraError, OperatorError

BATCH = 256
_HUB = "hub:"


class HubModel:
    """A masked language model from a folder, or from the hub with the name ``hub:NAME``.

    Scores are rounded to a thousandth: their last bits depend on the batch, and must not decide
    between two words.
    """

    batch = BATCH

    def __init__(self, name: str) -> None:
        source = _source_of(name)
        try:
            import torch
            from transformers import AutoConfig, AutoModelForMaskedLM, AutoTokenizer
        except ImportError:
            raise MissingExtraError.of("neural", "Masked language models by name") from None
        self._torch = torch
        try:
            with _quiet():
                # a missing model fails here, after one request
                AutoConfig.from_pretrained(source, trust_remote_code=False)
                self._tokenizer = AutoTokenizer.from_pretrained(source, trust_remote_code=False)
                model, info = AutoModelForMaskedLM.from_pretrained(
                    source, output_loading_info=True, trust_remote_code=False
                )
        except (OSError, ValueError, KeyError, ImportError) as error:
            reason = str(error).strip().splitlines()[0]
            raise OperatorError(f"{name!r} is not a masked language model: {reason}") from None
        if info["missing_keys"]:
            raise OperatorError(
                f"{name!r} has no head that fills a masked word: {min(info['missing_keys'])} is "
                "missing; name a model that was trained or fine-tuned as a masked language model"
            )
        if self._tokenizer.mask_token is None:
            raise OperatorError(f"{name!r} has no mask token; name a masked language model")
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model: Any = model.float().eval().to(self._device)
        heads = [part for part in model.children() if part is not model.base_model]
        self._head: Any = heads[0] if len(heads) == 1 else None
        self.mask = str(self._tokenizer.mask_token)
        self.mask_id = int(self._tokenizer.mask_token_id)
        size = int(model.config.vocab_size)
        pieces = self._tokenizer.convert_ids_to_tokens(list(range(min(size, len(self._tokenizer)))))
        self.vocabulary: list[str] = [piece or "" for piece in pieces]

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of the pieces of each text."""
        rows: list[list[int]] = self._tokenizer(list(texts), truncation=False)["input_ids"]
        return rows

    def best(
        self, rows: Sequence[Sequence[int]], pieces: NDArray[np.int64], most: int
    ) -> list[list[int]]:
        """Return, per row, the positions in ``pieces`` of those that fit the mask best."""
        torch, device = self._torch, self._device
        with torch.inference_mode():
            scores = self._scores(rows)[:, torch.from_numpy(pieces).to(device)]
            ranked = torch.sort(scores, dim=1, descending=True, stable=True).indices[:, :most]
        found: list[list[int]] = ranked.tolist()
        return found

    def _scores(self, rows: Sequence[Sequence[int]]) -> Any:
        torch, device = self._torch, self._device
        width = max(map(len, rows))
        ids = np.full((len(rows), width), int(self._tokenizer.pad_token_id or 0))
        attention = np.zeros_like(ids)
        for i, row in enumerate(rows):
            ids[i, : len(row)] = row
            attention[i, : len(row)] = 1
        masks = [list(row).index(self.mask_id) for row in rows]
        inputs = {
            "input_ids": torch.from_numpy(ids).to(device),
            "attention_mask": torch.from_numpy(attention).to(device),
        }
        if self._head is None:
            logits = self._model(**inputs).logits[range(len(rows)), masks]
        else:  # the head is half of the work, and only one position per row is needed
            logits = self._head(self._model.base_model(**inputs)[0][range(len(rows)), masks])
        return torch.round(logits, decimals=3)


def _source_of(name: str) -> str:
    """Return the folder of a model, or its name on the hub.

    Raises:
        OperatorError: if there is no such folder.
    """
    if name.startswith(_HUB):
        return name.removeprefix(_HUB)
    if not (Path(name) / "config.json").is_file():
        raise OperatorError(
            f"{name}: is not a Hugging Face folder (no config.json); for a masked language model "
            f"of the hub write {_HUB}{name}"
        )
    return name


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence the messages of the libraries; errors are still raised."""
    from huggingface_hub.utils import logging as fetching
    from transformers.utils import logging

    levels = logging.get_verbosity(), fetching.get_verbosity()
    logging.set_verbosity(logging.CRITICAL)
    fetching.set_verbosity(logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(levels[0])
        fetching.set_verbosity(levels[1])
        logging.enable_progress_bar()
