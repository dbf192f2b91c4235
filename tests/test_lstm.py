"""The BiLSTM that reads padded batches on a CPU is the one that reads packed batches."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")


def test_padded_and_packed_batches_give_the_same_states_and_gradients() -> None:
    from mondegreen.models.neural.layers import BiLstm

    torch.manual_seed(0)
    reader, lengths = BiLstm(6, 8), torch.tensor([9, 1, 4, 7])
    states = torch.randn(4, 9, 6, requires_grad=True)
    weights = torch.randn(4, 9, 8)
    found = []
    for read in (reader._packed, reader._padded):  # noqa: SLF001 (both ways)
        out = read(states, lengths)
        found.append(
            [out, *torch.autograd.grad((out * weights).sum(), [states, *reader.parameters()])]
        )
    for packed, padded in zip(*found, strict=True):
        torch.testing.assert_close(packed, padded, rtol=1e-4, atol=1e-5)
    assert not found[1][0][1, 1:].any()
