"""The walk back from an accumulation to the arguments that may make it overflow.

It carries wishes (see `adjoint`) from results to operands, as if every operation were linear: with slope 1
where it is monotone, with the other factor in a product. So the arguments are those that give the extreme sum
in a first layer with constant weights; behind others they are a guess, which a run confirms or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from string import ascii_letters
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.facts import facts
from interp.engine.prepared import function_of
from interp.engine.quant import spread
from interp.engine.storage import to_reals
from interp.engine.walk import BRANCHES
from interp.kernels import OPERATIONS
from interp.questions.proving.elementwise import data_of, moves
from interp.questions.proving.forward import Step
from interp.questions.proving.ranges import Range, has_order
from interp.questions.proving.reductions import accumulates
from interp.theory.contractions import positions
from spec.ir import Op
from spec.types import TOKEN, QuantizedType

# The transpose of contractions and windows: how a wish about results becomes one about operands.
#
# A wish is an array of the shape of a tensor: positive where its elements should be great, negative where
# they should be small, by how much that matters.


def dot_wish(op: Op, wish: Array, other: Array, k: int) -> Array:
    """Return the wish about operand k of a dot_general, if the other operand has these numbers."""
    letters = iter(ascii_letters)
    names = [[next(letters) for _ in value.type.shape] for value in op.operands]
    for kind in ("batching", "contracting"):
        pairs = zip(op[f"lhs_{kind}_dimensions"], op[f"rhs_{kind}_dimensions"], strict=True)
        for left, right in pairs:
            names[1][right] = names[0][left]
    batch = [names[0][d] for d in op["lhs_batching_dimensions"]]
    summed = {names[0][d] for d in op["lhs_contracting_dimensions"]}
    free = [name for side in names for name in side if name not in summed and name not in batch]
    formula = f"{''.join(batch + free)},{''.join(names[1 - k])}->{''.join(names[k])}"
    return np.einsum(formula, wish, other, optimize=True)


def convolution_wish(op: Op, wish: Array, other: Array, k: int) -> Array | None:
    """Return the wish about operand k of a convolution, or None if it groups batches."""
    if op["batch_group_count"] != 1:
        return None
    out = _transpose(op, wish, "output", "output")
    result = np.zeros(_sizes(op, k))
    other = _transpose(op, other, *_names(1 - k))
    groups = op["feature_group_count"]
    for at, outs, ins in _window_positions([positions(op)[d] for d in range(len(op["window_strides"]))]):
        taken = out[np.ix_(range(len(out)), *outs)]
        taken = taken.reshape(len(out), *map(len, outs), groups, out.shape[-1] // groups)
        if k == 0:
            weights = other[at].reshape(other.shape[-2], groups, out.shape[-1] // groups)
            found = np.einsum("...go,igo->...gi", taken, weights)
            place = np.ix_(range(len(out)), *ins)
            result[place] += found.reshape(result[place].shape)
        else:
            left = other[np.ix_(range(len(out)), *ins)]
            left = left.reshape(*taken.shape[:-2], groups, result.shape[-2])
            flat = (x.reshape(-1, *x.shape[-2:]) for x in (taken, left))
            result[at] += np.einsum("ngo,ngi->igo", *flat).reshape(result.shape[-2:])
    return result.transpose(np.argsort(_dimensions(op, *_names(k))))


def _names(k: int) -> tuple[str, str]:
    return ("input", "input") if k == 0 else ("kernel", "kernel")


def _dimensions(op: Op, prefix: str, _: str) -> list[int]:
    """Return the dimensions of an operand or the result: batch, spatial, feature; of a kernel, its own."""
    if prefix == "kernel":
        features = op["kernel_input_feature_dimension"], op["kernel_output_feature_dimension"]
        return [*op["kernel_spatial_dimensions"], *features]
    ends = op[f"{prefix}_batch_dimension"], op[f"{prefix}_feature_dimension"]
    return [ends[0], *op[f"{prefix}_spatial_dimensions"], ends[1]]


def _transpose(op: Op, x: Array, prefix: str, other: str) -> Array:
    return x.transpose(_dimensions(op, prefix, other))


def _sizes(op: Op, k: int) -> list[int]:
    return [op.operands[k].type.shape[d] for d in _dimensions(op, *_names(k))]


def window_wish(op: Op, wish: Array) -> Array:
    """Return the wish about the operand of a reduce_window."""
    shape = op.operands[0].type.shape
    result = np.zeros(shape)
    for _, outs, ins in _window_positions([_window(op, d) for d in range(len(shape))]):
        result[np.ix_(*ins)] += wish[np.ix_(*outs)]
    return result


def _window(op: Op, d: int) -> tuple[Array, Array]:
    """Return the operand's index along a dimension at [position, window], and where it is one."""
    size, outputs = op.operands[0].type.shape[d], op.results[0].type.shape[d]
    start = np.arange(outputs) * op["window_strides"][d] - op["padding"][d][0]
    at = np.arange(op["window_dimensions"][d]) * op["window_dilations"][d]
    index, rest = np.divmod(start[None, :] + at[:, None], op["base_dilations"][d])
    return index, (rest == 0) & (index >= 0) & (index < size)


def _window_positions(columns: Sequence[tuple[Array, Array]]):  # type: ignore[no-untyped-def]
    """Yield each position in a window, with the results that reach an element from it, and these elements."""
    for at in product(*(range(len(index)) for index, _ in columns)):
        outs = [np.flatnonzero(inside[k]) for k, (_, inside) in zip(at, columns, strict=True)]
        yield at, outs, [index[k][out] for k, (index, _), out in zip(at, columns, outs, strict=True)]


Place = tuple[int | None, ...]  # see `Judgement.beyond`
Wishes = dict[int, Array]  # by the identity of a range
SLOPE = {"stablehlo.multiply", "stablehlo.divide"}
PASSED = {"stablehlo.optimization_barrier", "stablehlo.bitcast_convert", *BRANCHES}


def arguments(
    steps: Sequence[Step], target: Step, result: int, index: Place, side: int, given: Sequence[Range]
) -> list[Array]:
    """Return stored arguments, in the given ranges, to make a sum at `index` as great or as small as can be.

    result: the number of the target's result that is the sum. side: 1 for great, -1 for small.
    """
    wish = np.zeros(target.op.results[result].type.shape)
    wish[_full(index, wish.shape)] = side
    wishes: Wishes = {id(target.results[result]): wish}
    last = next(k for k, step in enumerate(steps) if step is target)
    for step in reversed(steps[: last + 1]):
        for k, x in enumerate(step.results):
            if (wanted := wishes.pop(id(x), None)) is not None and wanted.any():
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
