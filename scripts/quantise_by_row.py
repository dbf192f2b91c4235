"""Make the predictions of a dynamically quantised ONNX model independent of the batch.

    pip install onnx
    cd src/mondegreen/resources/small-mlm
    python ../../../../scripts/quantise_by_row.py SOURCE/model.int8.onnx model.int8.onnx

``DynamicQuantizeLinear`` uses one scale for a whole batch, so that the prediction for an utterance
depends on the others in the batch. This script gives every row (the vector of one token) its own
scale. The weights are unchanged, and rounding is finer.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

DYNAMIC = "DynamicQuantizeLinear"
CONSTANTS = {
    "row_one": np.float32(1),
    "row_top": np.float32(127),
    "row_least": np.float32(1e-9),
    "row_zero": np.uint8(128),
}


def by_row(node: onnx.NodeProto) -> list[onnx.NodeProto]:
    """Return the nodes that quantise each row by its greatest absolute value."""
    (values,) = node.input
    quantised, scale, zero = node.output
    return [
        helper.make_node("Abs", [values], [f"{scale}_abs"]),
        helper.make_node("ReduceMax", [f"{scale}_abs"], [f"{scale}_max"], axes=[-1], keepdims=1),
        helper.make_node("Max", [f"{scale}_max", "row_least"], [f"{scale}_reach"]),
        helper.make_node("Div", [f"{scale}_reach", "row_top"], [scale]),
        helper.make_node("Div", ["row_top", f"{scale}_reach"], [f"{scale}_inverse"]),
        helper.make_node("Mul", [values, f"{scale}_inverse"], [f"{scale}_scaled"]),
        helper.make_node("QuantizeLinear", [f"{scale}_scaled", "row_one", "row_zero"], [quantised]),
        helper.make_node("Identity", ["row_zero"], [zero]),
    ]


def scaled_by_row(nodes: list[onnx.NodeProto], scales: set[str]) -> list[onnx.NodeProto]:
    """Apply the scales of the rows in a separate step, after those of the weights.

    Otherwise, a runtime that fuses integer products with their scales uses one scale for all rows.
    """
    waiting: dict[str, str] = {}  # the scales of rows by the product of both scales
    done = []
    for node in nodes:
        done.append(node)
        if node.op_type != "Mul":
            continue
        rows = next((name for name in node.input if name in scales), None)
        product = next((name for name in node.input if name in waiting), None)
        if rows is not None and not node.output[0].endswith("_scaled"):
            waiting[node.output[0]] = rows
            node.input[list(node.input).index(rows)] = "row_one"
        elif product is not None:
            (result,) = node.output
            node.output[0] = f"{result}_unscaled"
            done.append(helper.make_node("Mul", [node.output[0], waiting[product]], [result]))
    return done


def main() -> None:
    """Read a model, change it and write it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    arguments = parser.parse_args()
    model = onnx.load(arguments.source)
    graph = model.graph
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        nodes += by_row(node) if node.op_type == DYNAMIC else [node]
    scales = {node.output[1] for node in graph.node if node.op_type == DYNAMIC}
    nodes = scaled_by_row(nodes, scales)
    del graph.node[:]
    graph.node.extend(nodes)
    graph.initializer.extend(
        numpy_helper.from_array(value, name) for name, value in CONSTANTS.items()
    )
    onnx.checker.check_model(model)
    onnx.save(model, arguments.target)
    print(f"{arguments.target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
