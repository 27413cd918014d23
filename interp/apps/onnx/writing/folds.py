"""Sums over windows, which ONNX has only as a Conv with ones, and means, which it has as operators."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from interp.apps.onnx.writing.graph import Writer
from interp.apps.runtimes import onnx_folds, views
from interp.apps.runtimes.onnx_graph import dtype_of
from interp.apps.runtimes.translation import Operand, need
from interp.engine.leaf_counts import window_of
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
        sums = graph.add("Conv", x, graph.hold(ones), group=channels, **options)
        graph.pools[sums] = x, options
        return sums

    handle = onnx_folds.write_pool(graph, op, seen.x, write)
    return Operand(
        handle if seen.has_identity else graph.add("Add", handle, seen.init.handle), op.result.type
    )


def refuse_steps(op: Op) -> None:
    """Refuse an accumulator that may round or saturate after each step, which a float sum does not."""
    leaf, accumulator = (v.type.quantized_element_type for v in (op.operands[0], op.result))
    types = {v.type.element_type for v in op.regions[0].arguments}
    need(types == {accumulator} and accumulator.is_per_tensor and leaf.is_per_tensor, "several accumulators")
    need(op.regions[0].ops[0].name == "stablehlo.add", "quantized products, which are rounded at each step")
    need(accumulator.scale <= leaf.scale, "an accumulator with a larger scale than its leaves")
    if accumulator.storage_max - accumulator.storage_min >= 2**32 - 1:
        return
    shape = op.operands[0].type.shape
    number = prod(window_of(op) or (shape[k] for k in op["dimensions"]))
    ends = [abs(end - leaf.zero_point) for end in (leaf.storage_min, leaf.storage_max)]
    holds = number * max(ends) <= min(accumulator.storage_max, -accumulator.storage_min)
    same = accumulator.scale == leaf.scale and accumulator.zero_point == 0
    need(holds and same, f"an accumulator of {accumulator.storage_type}, which may saturate at each step")


def divide_by(graph: Writer, x: str, number: int) -> str:
    """Write the division by an integer: a sum by the number of its terms is AveragePool or ReduceMean."""
    made = graph.maker(x)
    if made is not None and made.op_type == "Transpose":
        inner = graph.maker(made.input[0])
        found = average(graph, inner, number) if inner is not None else None
        return graph.transpose(found, made.attribute[0].ints) if found else quotient(graph, x, number)
    found = average(graph, made, number) if made is not None else None
    return found or quotient(graph, x, number)


def average(graph: Writer, made: Any, number: int) -> str | None:
    """Return the mean in the place of a node that sums that number of elements, or None."""
    name = made.output[0]
    if name in graph.pools and prod(graph.pools[name][1]["kernel_shape"]) == number:
        x, options = graph.pools[name]
        return graph.add("AveragePool", x, count_include_pad=1, **options)
    if graph.sums.get(name) == number:
        return graph.add("ReduceMean", *made.input, keepdims=0, noop_with_empty_axes=1)
    return None


def quotient(graph: Writer, x: str, number: int) -> str:
    return graph.add("Div", x, graph.hold(np.array(number, np.float32)))


def reduce(graph: Writer, op: Op, operands: Sequence[Operand]) -> Operand:
    """Write a reduction, and note how many elements a sum has."""
    found = onnx_folds.reduce(graph, op, operands)
    made = graph.maker(found.handle)
    if made is not None and made.op_type == "ReduceSum":
        graph.sums[found.handle] = prod(op.operands[0].type.shape[k] for k in op["dimensions"])
    return found
