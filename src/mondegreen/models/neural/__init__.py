"""Neural reference models: shared tensors and training loop, one file per network."""

from __future__ import annotations

from mondegreen.errors import MissingExtraError

try:
    import safetensors
    import torch
    import transformers
except ImportError as error:
    raise MissingExtraError.of("neural", "Neural models") from error

__all__ = ["safetensors", "torch", "transformers"]
