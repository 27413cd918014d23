"""The walk back from an accumulation to the arguments that may make it overflow.

It carries wishes (see `adjoint`) from results to operands, as if every operation were linear: with slope 1
where it is monotone, with the other factor in a product. So the arguments are those that give the extreme sum
in a first layer with constant weights; behind others they are a guess, which a run confirms or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.facts import facts
from interp.engine.prepared import function_of
from interp.engine.quant import spread
from interp.engine.stored import to_reals
from interp.kernels import OPERATIONS
from interp.questions.proving.adjoint import convolution_wish, dot_wish, window_wish
from interp.questions.proving.forward import Step
from interp.questions.proving.movement import data_of, moves
from interp.questions.proving.ranges import Range, has_order
from interp.questions.proving.reductions import accumulates
from spec.ir import Op
from spec.types import TOKEN, QuantizedType

Place = tuple[int | None, ...]  # see `Judgement.beyond`
Wishes = dict[int, Array]  # by the identity of a range
SLOPE = {"stablehlo.multiply", "stablehlo.divide"}
PASSED = {"stablehlo.optimization_barrier", "stablehlo.bitcast_convert", "stablehlo.if", "stablehlo.case"}


def arguments(
    steps: Sequence[Step], target: Step, index: Place, side: int, given: Sequence[Range]
) -> list[Array]:
    """Return stored arguments, in the given ranges, to make a sum at `index` as great or as small as can be.

    side: 1 for great, -1 for small.
    """
    wish = np.zeros(target.op.results[0].type.shape)
    wish[_full(index, wish.shape)] = side
    wishes: Wishes = {id(target.results[0]): wish}
    last = next(k for k, step in enumerate(steps) if step is target)
    for step in reversed(steps[: last + 1]):
        for k, result in enumerate(step.results):
            if (wanted := wishes.pop(id(result), None)) is not None and wanted.any():
                for operand, own in _operand_wishes(step, k, wanted):
                    if not operand.is_point and own is not None:
                        wishes[id(operand)] = wishes.get(id(operand), 0) + own
    return [_argument(x, wishes.get(id(x))) for x in given]


def _full(index: Place, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return an index into the result: in its middle, far from padding, where all elements are alike."""
    return tuple(n // 2 if i is None else i for i, n in zip(index, shape, strict=True))


def _argument(x: Range, wish: Array | None) -> Any:
    """Return the argument in a range that follows a wish, and is nearest to zero where there is none."""
    if x.type == TOKEN:
        return ()
    element, dtype = x.type.element_type, x.least.dtype
    zero: Array = np.zeros((), dtype)
    if isinstance(element, QuantizedType):
        zero = spread(NUMPY, element.zero_points, dtype, element, x.type.shape)
    least, greatest = x.full
    value = np.clip(np.broadcast_to(zero, x.type.shape), least, greatest)
    if wish is not None:
        value = np.where(wish > 0, greatest, np.where(wish < 0, least, value))
    return NUMPY.encode(value.astype(x.least.dtype), x.type.storage_type)


def _operand_wishes(step: Step, k: int, wish: Array) -> list[tuple[Range, Array | None]]:
    """Return the operands of a step, each with the wish about it."""
    op, operands = step.op, step.operands
    family = facts(op).family
    if op.name in PASSED or len(operands) == len(step.results) > 1:
        same = operands[k :: len(step.results)]
        return [(x, wish) for x in same if x.type.shape == wish.shape]
    if family == "contraction":
        return _factors(op, operands, wish)
    if accumulates(op):
        return _leaves(op, k, operands, wish)
    if moves(op):
        return _movement_wishes(op, operands, wish)
    if family in ("elementwise", "conversion", "simulation"):
        return [(x, _fit(own, x)) for x, own in _slopes(op, operands, wish)]
    return []


def _fit(wish: Array, x: Range) -> Array:
    return wish if wish.shape == x.type.shape else np.asarray(wish.sum()).reshape((1,) * x.type.rank)


def _slopes(op: Op, operands: Sequence[Range], wish: Array) -> list[tuple[Range, Array]]:
    if op.name in SLOPE:
        first, second = operands
        if op.name == "stablehlo.divide":
            return [(first, wish * np.where(_farthest(second) < 0, -1.0, 1.0))]
        own = wish * _farthest(second)
        return [(first, own), (second, wish * _following(first, own))]
    if op.name == "stablehlo.abs":
        return [(operands[0], wish * np.where(_farthest(operands[0]) < 0, -1.0, 1.0))]
    if op.name == "stablehlo.select":
        return [(x, wish) for x in operands[1:]]
    trend = facts(op).trend or "+" * len(operands)
    return [
        (x, (wish if sign == "+" else -wish) * _unit(x) / _unit_of(op))
        for x, sign in zip(operands, trend, strict=True)
        if has_order(x.type)
    ]


def _unit(x: Range) -> float:
    element = x.type.element_type
    return float(max(element.scales)) if isinstance(element, QuantizedType) else 1.0


def _unit_of(op: Op) -> float:
    element = op.result.type.element_type
    return float(max(element.scales)) if isinstance(element, QuantizedType) else 1.0


def _real(x: Range, end: Array) -> Array:
    """Return the finite real numbers of an end, in the tensor's shape."""
    full = np.broadcast_to(end, x.type.shape)
    return np.nan_to_num(to_reals(full, x.type.element_type).astype(np.float64))


def _farthest(x: Range) -> Array:
    """Return the ends that are farther from zero."""
    low, high = (_real(x, end) for end in (x.least, x.greatest))
    return np.where(np.abs(low) > np.abs(high), low, high)


def _following(x: Range, wish: Array) -> Array:
    """Return the ends that follow a wish; where there is none, those that are farther from zero."""
    low, high = (_real(x, end) for end in (x.least, x.greatest))
    return np.where(wish > 0, high, np.where(wish < 0, low, _farthest(x)))


def _factors(op: Op, operands: Sequence[Range], wish: Array) -> list[tuple[Range, Array | None]]:
    """Return the wishes about both factors of a contraction; the second follows what the first will be."""
    rule: Any = dot_wish if op.name == "stablehlo.dot_general" else convolution_wish
    lhs, rhs = operands
    first = rule(op, wish, _farthest(rhs), 0)
    if first is None or rhs.is_point:
        return [(lhs, first)]
    return [(lhs, first), (rhs, rule(op, wish, _following(lhs, first), 1))]


def _leaves(op: Op, k: int, operands: Sequence[Range], wish: Array) -> list[tuple[Range, Array | None]]:
    """Return the wishes about the elements and the init of a reduction."""
    n, x = len(op.results), operands[k]
    if op.name == "stablehlo.reduce":
        spread_out = np.expand_dims(wish, tuple(op["dimensions"]))
        init = np.asarray(wish.sum())
        return [(x, np.broadcast_to(spread_out, x.type.shape)), (operands[n + k], init)]
    if op.name == "stablehlo.reduce_window":
        return [(x, window_wish(op, wish)), (operands[n + k], np.asarray(wish.sum()))]
    side = float(np.sign(wish.sum()))
    return [(x, np.full(x.type.shape, side)) for x in operands]


def _movement_wishes(op: Op, operands: Sequence[Range], wish: Array) -> list[tuple[Range, Array | None]]:
    """Return the wishes about operands whose elements are moved: their numbers are moved, too."""
    data = data_of(op)
    function, alone = function_of(op, NUMPY, OPERATIONS)
    if not alone or not all(x.is_point for k, x in enumerate(operands) if k not in data):
        return [(operands[k], _fit(wish, operands[k])) for k in data if not operands[k].type.rank]
    counted, start = [], 0
    for k, x in enumerate(operands):
        size = x.type.size
        counted.append(np.arange(start, start + size).reshape(x.type.shape) if k in data else x.full[0])
        start += size if k in data else 0
    source = np.asarray(function(*counted)).reshape(-1)
    sums = np.bincount(source, wish.reshape(-1), start)
    found: list[tuple[Range, Array | None]] = []
    for k in data:
        size = operands[k].type.size
        found.append((operands[k], sums[:size].reshape(operands[k].type.shape)))
        sums = sums[size:]
    return found
