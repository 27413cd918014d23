"""Contractions: sums of products in i32, each proven to hold them, split, or named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import ceil, inf, log2, prod

import numpy as np

from interp.apps.quantization.accumulators import (
    LIMIT,
    Range,
    accumulator,
    contraction_range,
    product_type,
)
from interp.apps.quantization.rules_elementwise import move
from interp.apps.quantization.symbols import (
    FREE,
    Forms,
    Pending,
    Plain,
    Stored,
    Symbol,
    common_storage,
    is_scale,
    stored_in,
)
from interp.backends.dtypes import numpy_dtype
from interp.engine.storage import to_reals
from interp.theory.contractions import channels, contracting, number_of_products
from spec.ir import Op, Value
from spec.types import QuantizedType, TensorType


def contraction(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return a contraction of quantized operands in i32, or of a float one with quantized weights."""
    left, right = operands
    if isinstance(right, Stored) and has_blocks(right):
        return contract_blocks(t, op, left, right)
    if isinstance(left, Stored) and has_blocks(left):
        return _swap_operands(t, op, left, right, contract_blocks)
    if isinstance(left, Plain) and isinstance(right, Stored):
        return _hybrid(t, op, left, right)
    stored = [t.apply_clamp(x) for x in operands]
    if stored[0] is None or stored[1] is None:
        return None
    return _contract(t, op, stored[0], stored[1])


def _hybrid(t: Forms, op: Op, left: Plain, right: Stored) -> Sequence[Symbol] | None:
    """Return a float contracted with quantized weights, which the operation dequantizes itself."""
    if any(right.type.zero_points) or right.clamp != FREE:
        return None
    if right.type.is_per_axis and right.type.quantization_dimension not in dict(channels(op)[1]):
        return None  # no contraction takes scales along a dimension that it sums over
    t.lost |= right.error > 0
    operands = [left.value, t.flow.hybrid(right)]
    value = t.writer.emit(op.name.partition(".")[2], operands, op.result.type, **op.attributes)
    t.choices.note(t.writer.hint, op.name, "float", "a float is contracted with quantized weights")
    return [Plain(value)]


def _contract(t: Forms, op: Op, left: Stored, right: Stored) -> Sequence[Symbol] | None:
    swap = op.name == "stablehlo.dot_general" and left.data is not None and right.data is None
    if swap or not left.type.is_per_tensor:
        return _swap_operands(t, op, left, right, _contract_stored)
    left, right = _one_storage(t, op, left, right)
    type = product_type(op, left.type, right.type)
    if type is None:
        return None
    return [_accumulate(t, op, left, right, type)]


def _one_storage(t: Forms, op: Op, left: Stored, right: Stored) -> tuple[Stored, Stored]:
    """Return operands of one storage type, the right one with zero point 0."""
    bits, signed = common_storage([left.type, right.type])
    points = right.type.zero_points
    if any(points):
        wide = 16 if bits == 8 else 32
        text = (
            f"{points[0]} of the right operand: both operands become i{wide}, the right one with zero point 0"
        )
        t.choices.note(t.writer.hint, op.name, "zero point", text)
        symmetric = replace(stored_in(right.type, wide), zero_points=(0,) * len(points))
        right = replace(t.flow.rescale(right, symmetric), steps=right.steps)
        bits, signed = wide, True
    return _widen(t, left, bits, signed), _widen(t, right, bits, signed)


def _widen(t: Forms, x: Stored, bits: int, signed: bool) -> Stored:
    """Return a value in other storage with the same numbers, bounded as it was."""
    if (x.type.storage_type.bits, x.type.storage_type.min_value < 0) == (bits, signed):
        return x
    kept = replace(
        stored_in(x.type, bits, signed), storage_min=x.type.storage_min, storage_max=x.type.storage_max
    )
    return replace(t.flow.rescale(x, kept), steps=x.steps)


def _accumulate(t: Forms, op: Op, left: Stored, right: Stored, type: QuantizedType) -> Stored:
    found = contraction_range(op, left, right)
    if not found.fits and (parts := _parts(op, left, right)):
        return _split(t, op, left, right, type, parts)
    result = t.flow.contraction(op, left, right, type, (found.least, found.greatest))
    name = result.name(t.writer.hint)
    if found.fits:
        text = f"i32 holds sums of up to {found.magnitude:,} steps, proven by {_basis(found)}"
        t.choices.note(name, op.name, "accumulator", text)
    else:
        seen = t.evidence(type)
        text = f"i32 is not proven: sums may reach {found.magnitude:,} of {LIMIT:,} steps by {_basis(found)}"
        t.choices.note(name, op.name, "accumulator", f"{text}; {seen}", holds=False)
    return replace(result, error=_error(op, left, right, result) if found.fits else inf)


def _error(op: Op, left: Stored, right: Stored, result: Stored) -> float:
    """Bound the difference of float sums of products, in any order, from exact ones."""
    if left.error or right.error:
        return inf
    contracted, _ = channels(op)
    return (prod(right.shape[d] for d in contracted) + 2) * 2 * result.rounding


def _basis(found: Range) -> str:
    return "the constant weights" if found.basis == "constants" else "the types"


def _parts(op: Op, left: Stored, right: Stored) -> list[tuple[int, int]]:
    """Return pieces of the only contracted dimension whose sums i32 holds; none if there is no such split."""
    if op.name != "stablehlo.dot_general" or len(op["lhs_contracting_dimensions"]) != 1:
        return []
    size = right.shape[op["rhs_contracting_dimensions"][0]]
    pieces = 2
    while pieces <= size:
        edges = [size * k // pieces for k in range(pieces + 1)]
        parts = list(pairwise(edges))
        if all(_piece_fits(op, left, right, part) for part in parts):
            return parts
        pieces *= 2
    return []


def _piece_fits(op: Op, left: Stored, right: Stored, part: tuple[int, int]) -> bool:
    return contraction_range(*_piece(op, left, right, part)).fits


def _piece(op: Op, left: Stored, right: Stored, part: tuple[int, int]) -> tuple[Op, Stored, Stored]:
    """Return a contraction of a slice, with symbols that have the shapes and constants of the slices."""
    cut = [
        _cut(x, op[f"{side}_contracting_dimensions"][0], part) for side, x in (("lhs", left), ("rhs", right))
    ]
    operands = tuple(
        Value(v.name, TensorType(x.shape, v.type.element_type)) for v, x in zip(op.operands, cut, strict=True)
    )
    return replace(op, operands=operands), cut[0], cut[1]


def _cut(x: Stored, d: int, part: tuple[int, int]) -> Stored:
    shape = tuple(part[1] - part[0] if k == d else n for k, n in enumerate(x.shape))
    data = None if x.data is None else np.take(x.data, range(*part), axis=d)
    return replace(x, shape=shape, data=data, value=None)


def _split(
    t: Forms, op: Op, left: Stored, right: Stored, type: QuantizedType, parts: list[tuple[int, int]]
) -> Stored:
    """Return the sum of partial contractions, each rounded to steps in which i32 holds the whole sum."""
    total = contraction_range(op, left, right)
    shift = max(0, total.magnitude.bit_length() - 30)
    coarse = accumulator(type, [s * 2**shift for s in type.scales], type.quantization_dimension)
    most = (total.magnitude >> shift) + len(parts)
    sums = []
    for part in parts:
        piece, *cut = _piece(op, left, right, part)
        operands = [
            x if x.data is not None else t.flow.slice(whole, op[f"{side}_contracting_dimensions"][0], part)
            for x, whole, side in zip(cut, (left, right), ("lhs", "rhs"), strict=True)
        ]
        found = contraction_range(piece, *cut)
        held = t.flow.contraction(piece, operands[0], operands[1], type, (found.least, found.greatest))
        sums.append(replace(t.flow.rescale(held, coarse), steps=(np.asarray(-most), np.asarray(most))))
    text = f"{len(parts)} parts, whose sums i32 holds, are added in steps 2^{shift} times as large"
    t.choices.note(t.writer.hint, op.name, "split", text, holds=most <= LIMIT)
    result = sums[0]
    for each in sums[1:]:
        result = t.flow.add(result, each, result.steps)
    error = _error(op, left, right, result) + len(parts) * max(coarse.scales) / 2
    return replace(result, error=error)


Contract = Callable[[Forms, Op, Symbol, Stored], Sequence[Symbol] | None]


def _contract_stored(t: Forms, op: Op, left: Symbol, right: Stored) -> Sequence[Symbol] | None:
    assert isinstance(left, Stored)
    return _contract(t, op, left, right) if left.type.is_per_tensor else None


def _swap_operands(
    t: Forms, op: Op, left: Stored, right: Symbol, contract: Contract
) -> Sequence[Symbol] | None:
    """Return a dot_general with its operands exchanged, so that the constant stands on the right."""
    if op.name != "stablehlo.dot_general":
        return None
    batch = len(op["lhs_batching_dimensions"])
    free = [x.type.rank - batch - len(op["lhs_contracting_dimensions"]) for x in op.operands]
    first, second = range(batch, batch + free[1]), range(batch + free[1], batch + sum(free))
    order = (*range(batch), *second, *first)  # of the exchanged result's dimensions, as they were
    shape = tuple(op.result.type.shape[order.index(d)] for d in range(len(order)))
    kept = {k: v for k, v in op.attributes.items() if not k.startswith(("lhs_", "rhs_"))}
    for side, other in (("lhs", "rhs"), ("rhs", "lhs")):
        kept |= {
            f"{side}_{kind}": op[f"{other}_{kind}"]
            for kind in ("batching_dimensions", "contracting_dimensions")
        }
    if "precision_config" in kept:
        kept["precision_config"] = tuple(kept["precision_config"])[::-1]
    result = Value(op.result.name, TensorType(shape, op.result.type.element_type))
    exchanged = replace(op, operands=op.operands[::-1], results=(result,), attributes=kept)
    found = contract(t, exchanged, right, left)
    if found is None:
        return None
    if isinstance(found[0], Plain):
        return [Plain(t.writer.emit("transpose", [found[0].value], op.result.type, permutation=order))]
    back = Op("stablehlo.transpose", (result,), op.results, {"permutation": order}, location=op.location)
    return move(t, back, found)


# Weights with a scale per block: no integer is the sum of products whose scales change along it.
#
# So a float operand stays one, and the operation dequantizes the weights itself; and of a quantized operand,
# sums are rounded once to the result's type, or to i32 in steps so small that f32 adds a bias exactly.

STEPS = 19  # bits of sums in i32: f32 adds such integers exactly, whatever their scale


def has_blocks(x: Symbol) -> bool:
    """Return whether a value is a constant with a scale for each block."""
    return isinstance(x, Stored) and x.data is not None and x.type.block_sizes is not None


def contract_blocks(t: Forms, op: Op, left: Symbol, right: Stored) -> Sequence[Symbol] | None:
    """Return a contraction whose right operand has blocks, or None if it is computed in float."""
    if right.clamp != FREE:
        return None
    if isinstance(left, Plain):
        return [_hybrid_of_blocks(t, op, left, right)]
    stored = t.apply_clamp(left)
    if stored is None or not stored.type.is_per_tensor:
        return None
    if t.flow.name == "codegen" or not any(isinstance(spec, QuantizedType) for spec in t.specs):
        return [
            _hybrid_of_blocks(t, op, Plain(t.as_float(stored)), right)
        ]  # no type for the sums follows from it
    operands = _widen_both(t, stored, right)
    if op.results[0].name in t.returned:
        return [Pending(op, operands, _in_type)]
    result = _in_steps(t, op, *operands)
    return None if result is None else [result]


def _hybrid_of_blocks(t: Forms, op: Op, left: Plain, right: Stored) -> Symbol:
    """Return a float contracted with weights that the operation dequantizes itself: every bit is the same."""
    operands = [left.value, t.flow.hybrid(right)]
    value = t.writer.emit(op.name.partition(".")[2], operands, op.result.type, **op.attributes)
    text = f"a float is contracted with weights that have {_blocks(right.type)}"
    t.choices.note(t.writer.hint, op.name, "float", text)
    return Plain(value)


def _blocks(type: QuantizedType) -> str:
    sizes = " x ".join(str(size) for _, size in type.block_sizes or ())
    return f"{len(type.scales):,} scales, in blocks of {sizes}"


def _widen_both(t: Forms, left: Stored, right: Stored) -> tuple[Stored, Stored]:
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
