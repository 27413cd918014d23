"""What is known of all schedules at once: the least and greatest result, and where every one agrees.

Vectorised over result elements: leaves are stacked, `[leaves, elements]`, leaf 0 being the init value.
"""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

import numpy as np

from interp.closed import only_op
from interp.judging.premise import addition_is_integer
from interp.namespace import NUMPY, fl
from interp.quant import dequantize, quantize
from spec.ir import Op, Region
from spec.types import ElementType, QuantizedType

Combine = Callable[[np.ndarray, np.ndarray], np.ndarray]

# Ordered operands give ordered results; a constant is an operand that never moves.
MONOTONE = {"add", "clamp", "constant", "maximum", "minimum"}
# On plain elements these are associative and commutative: integers wrap, so sums and products are too.
ASSOCIATIVE = {
    "integer": {"add", "multiply", "maximum", "minimum", "and", "or", "xor"},
    "boolean": {"add", "multiply", "maximum", "minimum", "and", "or", "xor"},
    "float": {"maximum", "minimum"},
}
IDEMPOTENT = {"maximum", "minimum", "and", "or"}
STEPS = 10_000  # after which a fixpoint is given up


def is_monotone(body: Region) -> bool:
    """Whether the body on one operand grows with both arguments, as long as no NaN arises."""
    return len(body.arguments) == 2 and all(
        short(op) in MONOTONE
        and all(_is_ordered(value.type.element_type, op) for value in (*op.operands, *op.results))
        for op in body.ops[:-1]
    )


def _is_ordered(type: ElementType | QuantizedType, op: Op) -> bool:
    """Stored integers, where what they stand for is finite; integers, but they wrap in sums; floats."""
    if not isinstance(type, QuantizedType):
        return type.kind == "float" or (type.is_integer and short(op) != "add")
    ends = np.array([type.storage_min, type.storage_max], NUMPY.carrier(type.storage_type))
    finite = bool(np.isfinite(dequantize(NUMPY, ends, type)).all())
    return (
        finite
        and fl(type.scale, type.expressed_type) > 0
        and isfinite(fl(type.zero_point, type.expressed_type))
    )


def extremes(
    leaves: np.ndarray, combine: Combine, any_number_of_inits: bool
) -> tuple[np.ndarray, np.ndarray] | None:
    """The least and the greatest permitted result per element, of a monotone body; None where a NaN may be.

    By dynamic programming over intervals: n^3 / 3 applications for n leaves.
    """
    ends = [_extreme(leaves, combine, pick, any_number_of_inits) for pick in (np.minimum, np.maximum)]
    if any(end is None for end in ends):
        return None
    least, greatest = ends
    return least, greatest  # type: ignore[return-value]


def _extreme(leaves: np.ndarray, combine: Combine, pick: np.ufunc, inits: bool) -> np.ndarray | None:
    """The extreme of an interval is that of the body on the extremes of its two parts, over all splits."""
    init = _fixpoint(leaves[0], lambda x: pick(x, combine(x, x))) if inits else None
    elements = leaves[1:] if inits else leaves
    n = len(elements)
    if inits and init is None:
        return None
    if n == 0:
        return init
    table = np.zeros((2, n, n + 1, *leaves.shape[1:]), leaves.dtype)
    starting, ending = table  # by first (last) element of the interval, and by its length
    for length in range(1, n + 1):
        value = elements
        if length > 1:
            lhs, rhs = starting[: n - length + 1, 1:length], ending[length - 1 :, length - 1 : 0 : -1]
            value = pick.reduce(combine(lhs, rhs), axis=1)
        if init is not None:
            beside = init

            def step(x: np.ndarray, beside: np.ndarray = beside) -> np.ndarray:
                there = np.broadcast_to(beside, x.shape)
                return pick(x, pick(combine(x, there), combine(there, x)))

            closed = _fixpoint(value, step)
            if closed is None:
                return None
            value = closed
        starting[: n - length + 1, length] = ending[length - 1 :, length] = value
    return starting[0, n] if np.isfinite(table).all() else None


def _fixpoint(x: np.ndarray, step: Callable[[np.ndarray], np.ndarray]) -> np.ndarray | None:
    for _ in range(STEPS):
        after = step(x)
        if (after == x).all():
            return x
        x = after
    return None


def agreed(body: Region, leaves: np.ndarray, any_number_of_inits: bool) -> np.ndarray:
    """Per element whether all schedules give what a left fold gives, with the init or, if that is allowed,
    without.

    Where the body is associative and commutative on these leaves, and repeating the init value does nothing.
    """
    name, nowhere = only_op(body), np.zeros(leaves.shape[1:], bool)
    type = body.arguments[0].type.element_type
    if isinstance(type, QuantizedType):
        return {"add": _sums, "maximum": _chosen, "minimum": _chosen}.get(name, lambda *_: nowhere)(
            type, leaves, any_number_of_inits
        )
    kind = "integer" if type.is_integer else type.kind
    if name not in ASSOCIATIVE.get(kind, ()):
        return nowhere
    if name in IDEMPOTENT or (kind == "boolean" and name != "xor") or not any_number_of_inits:
        return ~nowhere
    return leaves[0] == (1 if name == "multiply" else 0)


def _sums(type: QuantizedType, leaves: np.ndarray, any_number_of_inits: bool) -> np.ndarray:
    """Saturating addition of integers, where no contiguous sum leaves the range."""
    numbers = leaves.astype(np.int64) - type.zero_point
    before = np.concatenate([np.zeros_like(numbers[:1]), np.cumsum(numbers, 0)])
    greatest = (before[1:] - np.minimum.accumulate(before, 0)[:-1]).max(0) + type.zero_point
    least = (before[1:] - np.maximum.accumulate(before, 0)[:-1]).min(0) + type.zero_point
    inside = (least >= type.storage_min) & (greatest <= type.storage_max)
    integer = addition_is_integer(type, least, greatest)
    return inside & integer & (numbers[0] == 0 if any_number_of_inits else True)


def _chosen(type: QuantizedType, leaves: np.ndarray, any_number_of_inits: bool) -> np.ndarray:
    """`maximum` and `minimum` take one of the leaves, if quantizing gives each of them back."""
    carried = leaves.astype(NUMPY.carrier(type.storage_type))
    with np.errstate(all="ignore"):
        return (quantize(NUMPY, dequantize(NUMPY, carried, type), type) == carried).all(0)


def short(op: Op) -> str:
    return op.name.removeprefix("stablehlo.")
