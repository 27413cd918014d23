"""Operations that make or move elements without computing: constant, iota and the shape operations.

A quantized element moves as its storage.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.backends import Array, State
from interp.engine.evaluate import Context
from interp.engine.quant import convert, quantize
from interp.engine.stored import expressed
from spec.ir import Op
from spec.types import ELEMENT_TYPES, QuantizedType


def constant(ctx: Context, op: Op) -> State:
    """`output = value`."""
    dense, type = op["value"], op.result.type
    value = ctx.xp.constant(dense.data, type.storage_type, type.shape, dense.splat)
    return (ctx.xp.broadcast_to(value, type.shape) if type.rank else value,)


def iota(ctx: Context, op: Op) -> State:
    """`output[output_index] = output_index[iota_dimension]`, quantized where the output is."""
    type, d = op.result.type, op["iota_dimension"]
    element, index = type.element_type, ctx.xp.arange(type.shape[d]).astype(ctx.xp.int64)
    column = convert(ctx.xp, index, ELEMENT_TYPES["i64"], expressed(element))
    if isinstance(element, QuantizedType):
        column = quantize(ctx.xp, column, element)
    sizes = [type.shape[d] if k == d else 1 for k in range(type.rank)]
    return (ctx.xp.broadcast_to(column.reshape(sizes), type.shape),)


def broadcast_in_dim(ctx: Context, op: Op, operand: Array) -> State:
    """`result[i] = operand[j]`, where `j[d] = i[broadcast_dimensions[d]]`, or 0 for size 1."""
    dimensions, shape = op["broadcast_dimensions"], op.operand.type.shape
    order = sorted(range(len(shape)), key=dimensions.__getitem__)
    sizes = [1] * op.result.type.rank
    for d, size in zip(dimensions, shape, strict=True):
        sizes[d] = size
    moved = ctx.xp.transpose(operand, order).reshape(sizes)
    return (ctx.xp.broadcast_to(moved, op.result.type.shape),)


def reshape(ctx: Context, op: Op, operand: Array) -> State:
    """`result` has the elements of `operand` in the same row-major order."""
    return (operand.reshape(op.result.type.shape),)


def transpose(ctx: Context, op: Op, operand: Array) -> State:
    """`result[i] = operand[j]`, where `i[d] = j[permutation[d]]`."""
    return (ctx.xp.transpose(operand, op["permutation"]),)


def slice_(ctx: Context, op: Op, operand: Array) -> State:
    """`result[result_index] = operand[start_indices + result_index * strides]`."""
    parts = zip(op["start_indices"], op["limit_indices"], op["strides"], strict=True)
    return (operand[tuple(slice(*part) for part in parts)],)


def pad(ctx: Context, op: Op, operand: Array, padding_value: Array) -> State:
    """`operand` at `edge_padding_low + operand_index * (interior_padding + 1)`, elsewhere `padding_value`."""
    edges = zip(op["edge_padding_low"], op["edge_padding_high"], op["interior_padding"], strict=True)
    return (ctx.xp.padded(operand, padding_value, list(edges)),)


def concatenate(ctx: Context, op: Op, *inputs: Array) -> State:
    """`result` is `inputs` one after another along `dimension`."""
    return (ctx.xp.concatenate(inputs, axis=op["dimension"]),)


def reverse(ctx: Context, op: Op, operand: Array) -> State:
    """`result[result_index] = operand[operand_index]`, where indices in `dimensions` count from the end."""
    return (ctx.xp.flip(operand, op["dimensions"]),)


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.constant": constant,
    "arith.constant": constant,
    "stablehlo.iota": iota,
    "stablehlo.broadcast_in_dim": broadcast_in_dim,
    "stablehlo.reshape": reshape,
    "stablehlo.transpose": transpose,
    "stablehlo.slice": slice_,
    "stablehlo.pad": pad,
    "stablehlo.concatenate": concatenate,
    "stablehlo.reverse": reverse,
}
