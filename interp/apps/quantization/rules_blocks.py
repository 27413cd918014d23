"""Contractions with constant weights that have a scale for each block.

No integer is the sum of products whose scales change along it. So a float operand stays one, and the
operation dequantizes the weights itself; and of a quantized operand, sums are rounded once to the result's
type, or to i32 in steps so small that f32 adds a bias to them exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, log2

import numpy as np

from interp.apps.quantization.accumulators import accumulator
from interp.apps.quantization.symbols import (
    FREE,
    Forms,
    Pending,
    Plain,
    Stored,
    Symbol,
    common_storage,
    has_scales_per_block,
    is_scale,
    stored_in,
)
from interp.backends.dtypes import numpy_dtype
from interp.engine.storage import to_reals
from interp.theory.contractions import contracting, number_of_products
from spec.ir import Op
from spec.types import QuantizedType

STEPS = 19  # bits of sums in i32: f32 adds such integers exactly, whatever their scale


def has_blocks(x: Symbol) -> bool:
    """Return whether a value is a constant with a scale for each block."""
    return isinstance(x, Stored) and x.data is not None and has_scales_per_block(x.type)


def contract_blocks(t: Forms, op: Op, left: Symbol, right: Stored) -> Sequence[Symbol] | None:
    """Return a contraction whose right operand has blocks, or None if it is computed in float."""
    if right.clamp != FREE:
        return None
    if isinstance(left, Plain):
        return [_hybrid(t, op, left, right)]
    stored = t.apply_clamp(left)
    if stored is None or not stored.type.is_per_tensor:
        return None
    if t.flow.name == "codegen" or not any(isinstance(spec, QuantizedType) for spec in t.specs):
        return [_hybrid(t, op, Plain(t.as_float(stored)), right)]  # no type for the sums follows from it
    operands = _widen(t, stored, right)
    if t.is_returned(op):
        return [Pending(op, operands, _in_type)]
    result = _in_steps(t, op, *operands)
    return None if result is None else [result]


def _hybrid(t: Forms, op: Op, left: Plain, right: Stored) -> Symbol:
    """Return a float contracted with weights that the operation dequantizes itself: every bit is the same."""
    operands = [left.value, t.flow.hybrid(right)]
    value = t.writer.emit(op.name.partition(".")[2], operands, op.result.type, **op.attributes)
    text = f"a float is contracted with weights that have {_blocks(right.type)}"
    t.choices.note(t.writer.hint, op.name, "float", text)
    return Plain(value)


def _blocks(type: QuantizedType) -> str:
    sizes = " x ".join(str(size) for _, size in type.block_sizes or ())
    return f"{len(type.scales):,} scales, in blocks of {sizes}"


def _widen(t: Forms, left: Stored, right: Stored) -> tuple[Stored, Stored]:
    """Return operands of one storage type, each within its own bounds."""
    bits, signed = common_storage([left.type, right.type])
    types = [_keep_bounds(x.type, stored_in(x.type, bits, signed)) for x in (left, right)]
    if left.type.storage_type != types[0].storage_type:
        left = replace(t.flow.rescale(left, types[0]), steps=left.steps)
    if right.type.storage_type != types[1].storage_type:
        assert right.data is not None
        right = t.flow.constant(right.data.astype(numpy_dtype(types[1].storage_type)), types[1])
    return left, right


def _keep_bounds(narrow: QuantizedType, wide: QuantizedType) -> QuantizedType:
    return replace(wide, storage_min=narrow.storage_min, storage_max=narrow.storage_max)


def _in_type(t: Forms, x: Pending, type: QuantizedType) -> Stored:
    """Return the contraction in the type of its result: one rounding, as in the program."""
    left, right = x.operands
    assert isinstance(left, Stored)
    assert isinstance(right, Stored)
    found = t.flow.contraction(x.op, left, right, type, None)
    text = f"no integer holds sums of {_blocks(right.type)}: they are rounded once, to the type of the result"
    t.choices.note(found.name(t.writer.hint), x.op.name, "accumulator", text)
    return found


def _in_steps(t: Forms, op: Op, left: Stored, right: Stored) -> Stored | None:
    """Return the contraction in i32, in steps of a power of two in which no sum exceeds 2^19."""
    assert right.data is not None
    weights = np.abs(to_reals(np.asarray(right.data), right.type).astype(np.float64))
    largest = float(weights.sum(axis=contracting(op)).max(initial=0)) * left.magnitude * left.type.scale
    scale = 2.0 ** (ceil(log2(largest)) - STEPS) if largest else 1.0
    if not is_scale(scale, left.type):
        return None
    type = accumulator(left.type, [scale])
    most = np.asarray(ceil(largest / scale) + 1, object)
    found = t.flow.contraction(op, left, right, type, (-most, most))
    text = f"i32 in steps of {scale:g} holds sums of up to {most:,} steps, proven by the constant weights"
    t.choices.note(found.name(t.writer.hint), op.name, "accumulator", f"{text}, of {_blocks(right.type)}")
    return replace(found, error=(number_of_products(op) + 2) * 2 * found.rounding + scale / 2)
