"""Sums over windows, which ONNX has as AveragePool and as a Conv with ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interp.onnx.graph import Writer
from interp.suite.foreign import onnx_folds, views
from interp.suite.foreign.onnx_graph import dtype_of
from interp.suite.foreign.translation import Operand, need
from spec.ir import Op


def reduce_window(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write MaxPool, or a sum as a Conv with ones: each product is exact."""
    seen = views.fold(op, operands)
    if seen.body != "add":
        return onnx_folds.reduce_window(graph, op, operands)
    type = seen.x.type.tensor_element_type
    need(type.kind == "float", f"no pool that adds {type}")
    need(seen.has_identity or not views.window(op).is_padded, "padding with another value than 0")

    def write(x: str, channels: int, options: dict[str, Any]) -> str:
        ones = np.ones((channels, 1, *options["kernel_shape"]), dtype_of(type))
        return graph.add("Conv", x, graph.hold(ones), group=channels, **options)

    handle = onnx_folds.pooled(graph, op, seen.x, write)
    return Operand(
        handle if seen.has_identity else graph.add("Add", handle, seen.init.handle), op.result.type
    )
