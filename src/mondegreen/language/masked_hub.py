"""Masked language models of Hugging Face, by torch, on a GPU where there is one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mondegreen.errors import MissingExtraError, OperatorError

BATCH = 256


class HubModel:
    """A masked language model by its name on the hub, or from a folder.

    Scores are rounded to a thousandth, so that the last bits, which depend on what else is in a
    batch, do not decide between two words.
    """

    batch = BATCH

    def __init__(self, name: str) -> None:
        if ("/" in name or "\\" in name or name.startswith(".")) and _like_a_path(name):
            raise OperatorError(f"there is no folder {name!r} with a masked language model")
        try:
            import torch
            from transformers import AutoModelForMaskedLM, AutoTokenizer
        except ImportError:
            raise MissingExtraError.of("neural", "Masked language models by name") from None
        self._torch = torch
        try:
            with _quiet():
                self._tokenizer = AutoTokenizer.from_pretrained(name)
                model, told = AutoModelForMaskedLM.from_pretrained(name, output_loading_info=True)
        except (OSError, ValueError, KeyError, ImportError) as error:
            reason = str(error).strip().splitlines()[0]
            raise OperatorError(f"{name!r} is no masked language model: {reason}") from None
        if told["missing_keys"]:
            raise OperatorError(
                f"{name!r} has no head that fills a masked word: {min(told['missing_keys'])} is "
                "missing; name a model that was trained or fine-tuned as a masked language model"
            )
        if self._tokenizer.mask_token is None:
            raise OperatorError(f"{name!r} has no mask token; name a masked language model")
        self._device = "cuda" if torch.cuda.is_available() else "cpu"
        self._model: Any = model.eval().to(self._device)
        self.mask = str(self._tokenizer.mask_token)
        self.mask_id = int(self._tokenizer.mask_token_id)
        size = int(model.config.vocab_size)
        pieces = self._tokenizer.convert_ids_to_tokens(list(range(min(size, len(self._tokenizer)))))
        self.vocabulary = [piece or "" for piece in pieces]

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the numbers of the pieces of each text."""
        rows: list[list[int]] = self._tokenizer(list(texts), truncation=False)["input_ids"]
        return rows

    def scores(self, rows: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """Return for each row the score of every piece at its masked place."""
        torch = self._torch
        padding = int(self._tokenizer.pad_token_id or 0)
        width = max(map(len, rows))
        numbers = torch.full((len(rows), width), padding, dtype=torch.long)
        attention = torch.zeros_like(numbers)
        for i, row in enumerate(rows):
            numbers[i, : len(row)] = torch.tensor(row)
            attention[i, : len(row)] = 1
        masks = torch.tensor([list(row).index(self.mask_id) for row in rows])
        with torch.inference_mode():
            logits = self._model(
                input_ids=numbers.to(self._device), attention_mask=attention.to(self._device)
            ).logits
            of_masks = logits[torch.arange(len(rows), device=self._device), masks.to(self._device)]
            rounded = torch.round(of_masks.float(), decimals=3)
        scores: NDArray[np.float32] = rounded.cpu().numpy()
        return scores


def _like_a_path(name: str) -> bool:
    """Tell whether a name says a folder that is not there, and not a model of some owner's."""
    path = Path(name)
    owned = name.count("/") == 1 and not name.startswith((".", "/", "~"))
    return not path.is_dir() and not owned


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the library from reporting on standard error; what matters is raised."""
    from transformers.utils import logging

    level = logging.get_verbosity()
    logging.set_verbosity(logging.CRITICAL)
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        logging.enable_progress_bar()
