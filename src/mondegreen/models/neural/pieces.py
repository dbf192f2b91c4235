"""The pieces (subwords) into which a pretrained encoder splits tokens."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from transformers import AutoTokenizer

from mondegreen.errors import DataError


class PieceSplitter:
    """Splits tokens into pieces, one token at a time, so that each piece belongs to one token."""

    def __init__(self, tokenizer: Any, limit: int) -> None:
        self.tokenizer = tokenizer
        self.limit = limit
        """Maximum number of pieces that the encoder reads, with the special pieces at both ends."""
        self.padding = tokenizer.pad_token_id or 0
        self.start = _known(tokenizer.cls_token_id, tokenizer.bos_token_id)
        self.end = _known(tokenizer.sep_token_id, tokenizer.eos_token_id)
        self._unknown = _known(tokenizer.unk_token_id, self.end)
        self._cut: dict[str, tuple[int, ...]] = {}

    @classmethod
    def read(cls, folder: Path | str, limit: int) -> PieceSplitter:
        """Read the tokenizer of a Hugging Face folder.

        Raises:
            DataError: if the folder contains no tokenizer.
        """
        try:
            tokenizer = AutoTokenizer.from_pretrained(
                folder, add_prefix_space=True, trust_remote_code=False
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataError(f"{folder}: the tokenizer cannot be read: {error}") from error
        return cls(tokenizer, limit)

    def of(self, tokens: Iterable[str]) -> list[tuple[int, ...]]:
        """Return the pieces of each token: at least one, if necessary the unknown piece."""
        wanted = list(tokens)
        new = [token for token in dict.fromkeys(wanted) if token not in self._cut]
        if new:
            cut = self.tokenizer(
                [[token] for token in new], is_split_into_words=True, add_special_tokens=False
            )["input_ids"]
            for token, ids in zip(new, cut, strict=True):
                self._cut[token] = tuple(ids) or (self._unknown,)
        return [self._cut[token] for token in wanted]


def _known(*choices: int | None) -> int:
    for choice in choices:
        if choice is not None:
            return choice
    raise DataError("the tokenizer has no special piece for the start or the end of a text")
