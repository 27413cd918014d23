"""Convolutions of integers: ConvInteger, where the operands are 8-bit numbers less a zero point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from interp.apps.onnx.writing.graph import Writer
from interp.apps.runtimes import onnx_folds
from interp.apps.runtimes.onnx_graph import OnnxGraph
from interp.apps.runtimes.translation import NotExpressible, Operand, need
from spec.ir import Op, Value

ADVICE = "ConvInteger has 8-bit operands less a constant"


def is_of_integers(op: Op) -> bool:
    return (
        not any(v.type.is_quantized for v in (*op.operands, *op.results))
        and op.result.type.storage_type.is_integer
    )


def integer_conv(graph: Writer, op: Op, made: Mapping[str, Op], held: Mapping[str, Operand]) -> Operand:
    """Write ConvInteger of what was converted to i32, which gives the same integers modulo 2**32."""
    need(op.result.type.storage_type.name == "i32", ADVICE)
    pairs = [centred(v, made, held) for v in op.operands]
    points = [graph.hold(np.array(zero, x.type.storage_type.numpy)) for x, zero in pairs]
    sources = [x for x, _ in pairs]

    def write(
        _: OnnxGraph, op: Op, lhs: Operand, rhs: Operand, operator: str, options: dict[str, Any]
    ) -> str:
        return graph.add(f"{operator}Integer", lhs.handle, rhs.handle, *points, **options)

    return onnx_folds.convolution(graph, op, sources, write)


def centred(value: Value, made: Mapping[str, Op], held: Mapping[str, Operand]) -> tuple[Operand, int]:
    """Return the 8-bit numbers that a value is converted from, and the zero point that it subtracts."""
    op, zero = made.get(value.name), 0
    if op is not None and op.name == "stablehlo.subtract":
        numbers = np.unique(held[op.operands[1].name].known("a zero point"))
        need(numbers.size == 1, ADVICE)
        zero, op = int(numbers[0]), made.get(op.operands[0].name)
    if op is None or op.name != "stablehlo.convert":
        raise NotExpressible(ADVICE)
    x = held[op.operands[0].name]
    type = x.type.storage_type
    need(not x.type.is_quantized and type.is_integer and type.bits == 8, ADVICE)
    need(type.min_value <= zero <= type.max_value, ADVICE)
    return x, zero
