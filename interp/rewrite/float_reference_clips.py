"""The activation in a result's type: its float reference clips at zero where the type does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.backends import NUMPY, max_finite
from interp.backends.dtypes import numpy_dtype
from interp.engine.clipping import GREATEST, LEAST, ends_at_zero, may_clip
from interp.engine.facts import facts
from interp.engine.quant import spread
from interp.rewrite.float_reference_rules import Original, Rewritten, dense_of
from spec.ir import Dense, Op, Value
from spec.types import QuantizedType, TensorType

CHOICES = {LEAST: "stablehlo.maximum", GREATEST: "stablehlo.minimum"}


def clipping(at: Original, ops: Sequence[Op], results: Sequence[Value]) -> Rewritten | None:
    """Return the operations and the results with a clip at the end, or None where nothing is to be clipped.

    `ops` are all operations of the block so far, those of the result last: which then gets another name.
    """
    if not clips(at.op):
        return None
    type, (value,) = at.op.result.type.quantized_element_type, results
    ends = set(ends_at_zero(type)) - {0}
    known = {v.name: op for op in ops for v in op.results}
    if ends == {LEAST} and is_nonnegative(value, known):
        return None
    before, new = list(ops), value
    if value.name == at.op.result.name:
        new = at.fresh("unclipped", value.type)
        before[-1] = replace(before[-1], results=(new,))
    result = Value(at.op.result.name, value.type)
    return Rewritten((*before, *clip(at, new, result, [0.0] * len(type.zero_points))), (result,))


def clips(op: Op) -> bool:
    """Return whether the reference clips the result of an operation, unless it shows that it need not."""
    return may_clip(op) and not _is_clipped_already(op)


def clip(at: Original, value: Value, result: Value, zeros: Sequence[float]) -> list[Op]:
    """Return operations that clip a value at zero as its type does: `zeros` stand for its zero points."""
    type = at.op.result.type.quantized_element_type
    ends, ops = sorted(set(ends_at_zero(type)) - {0}), list[Op]()
    for end in ends:
        clipped = result if end == ends[-1] else at.fresh("partly", value.type)
        bound = at.fresh(f"zero{end + 1}.", value.type)
        dense = _bounds(type, value.type, end, zeros)
        ops.append(at.new("stablehlo.constant", [], [bound], value=dense))
        ops.append(at.new(CHOICES[end], [value, bound], [clipped]))
        value = clipped
    return ops


def _is_clipped_already(op: Op) -> bool:
    """Return whether an operation moves or rescales numbers that the same ends have clipped before."""
    row = facts(op)
    if row.error in ("constant", "iota") or not op.operands:
        return True
    element, before = op.result.type.quantized_element_type, op.operands[0].type.element_type
    if not isinstance(before, QuantizedType) or not (row.moves or row.error == "converted"):
        return False
    if row.moves:
        return before == element
    return len({*ends_at_zero(before)} | {*ends_at_zero(element)}) == 1


def is_nonnegative(value: Value, known: Mapping[str, Op]) -> bool:
    """Return whether a value is never negative, as its operation shows; `known` has operations by results."""
    op = known.get(value.name)
    if op is None:
        return False
    if facts(op).nonnegative:
        return True
    if op.name == "stablehlo.constant":
        return _least(op["value"]) >= 0
    if op.name == "stablehlo.maximum":
        return any(is_nonnegative(x, known) for x in op.operands)
    if op.name == "stablehlo.clamp":
        return is_nonnegative(op.operands[0], known) and is_nonnegative(op.operands[2], known)
    row = facts(op)
    if row.error == "converted" or (row.moves and op.name != "stablehlo.pad"):
        return all(is_nonnegative(x, known) for x in op.operands)
    return False


def _least(dense: Any) -> float:
    """Return the least number of a constant of floats or integers; not a number of others."""
    if not isinstance(dense, Dense) or dense.type.storage_type.kind not in ("float", "signed", "unsigned"):
        return float("nan")
    numbers = np.frombuffer(dense.data, numpy_dtype(dense.type.storage_type)).astype(np.float64)
    return float(numbers.min(initial=0.0))


def _bounds(type: QuantizedType, plain: TensorType, end: int, zeros: Sequence[float]) -> Dense:
    """Return zero where the type clips at this end, and the last number or infinity where it does not."""
    ends = ends_at_zero(type)
    if all(x == end for x in ends):
        return Dense(plain, dense_of(zeros[0], TensorType((), plain.element_type)).data, splat=True)
    element = plain.storage_type
    beyond = np.inf if element.special == "ieee" else max_finite(element)  # an infinity may be NaN
    pairs = zip(zeros, ends, strict=True)
    limits = tuple(float(zero) if x == end else end * beyond for zero, x in pairs)
    return dense_of(np.broadcast_to(spread(NUMPY, limits, np.float64, type, plain.shape), plain.shape), plain)
