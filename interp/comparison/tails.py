"""Pairs that differ by constant factors and offsets: batch norm merged into weights, and sums of integers.

A contraction and the multiplications and additions by constants that alone follow it are its tail. Each value
of a tail is `g * c + b`, where c is the contraction; g and b are numbers per channel. If one program merges
factors of its tail into the weights and the other does not, their contractions do not mean the same, although
they stand at the same place. So where the tails of a pair have other operations,

* a value of one is the partner of a value of the other where the constants prove it: `g W` is the same but
  for the rounding of one of them to its type (a step of it), and b is the same;
* integers that count in units of unknown scales are partners of nothing but integers; the last product before
  an offset has the scales, where the weights agree but for one common factor, that of the activations;
* the ends of both tails stay partners, as a guess: there all factors have been applied;
* every other pair between the tails is left out, with the reason.

Where both tails have the same operations, nothing was merged, and the pair is as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from interp.backends import Array, fl
from interp.comparison.landmarks import Landmark, Landmarks, is_conversion
from interp.engine.facts import facts
from interp.execute.run import run
from interp.recorder.event import short
from spec.errors import InterpError
from spec.ir import Func, Module, Op, Value, return_only
from spec.types import QuantizedType

SPREADS = ("stablehlo.broadcast_in_dim", "stablehlo.reshape")
LARGEST = 1 << 22  # numbers of a constant that is looked at


def constant_value(func: Func, value: Value) -> Array | None:
    """Return the real numbers of a value that depends on no argument; None if there are too many."""
    if value.type.size > LARGEST:
        return None
    body = replace(return_only(func.body, [value]), arguments=())
    alone = replace(func, name="main", body=body, results=(value.type,), public=True)
    try:
        (result,) = run(Module({"main": alone}))
    except InterpError:
        return None
    return np.asarray(result.dequantize(), np.float64)


@dataclass(frozen=True, eq=False)
class Weights:
    """Constant weights of a contraction with the output channels first, and the step of each channel.

    channel: the dimension of the contraction's result along which channels lie; None if there are several.
    """

    numbers: Array
    steps: Array
    channel: int | None


@dataclass(frozen=True, eq=False)
class Tail:
    """A contraction and what alone follows it: landmarks, and the factor and the offset of each value."""

    landmarks: Sequence[Landmark]
    factors: Sequence[Array]
    offsets: Sequence[Array]
    weights: Weights | None

    @property
    def names(self) -> list[str]:
        """The operations behind the contraction."""
        return [short(x.op) for x in self.landmarks[1:]]


def tail(side: Landmarks, start: Landmark, counts: bool = False) -> Tail:
    """Return the tail of a contraction; if it `counts`, products with one unknown number belong to it.

    Such a number is the scale of the activations, which may depend on the arguments; its factor is left out.
    """
    weights = _weights(side, start.op)
    channel = weights.channel if weights else None
    landmarks, factors, offsets = [start], [np.ones(1)], [np.zeros(1)]
    while found := _next(side, landmarks[-1], channel, counts):
        landmark, factor, offset = found
        landmarks.append(landmark)
        factors.append(factors[-1] * factor)
        offsets.append(offsets[-1] * factor + offset)
    return Tail(landmarks, factors, offsets, weights)


def _next(
    side: Landmarks, last: Landmark, channel: int | None, counts: bool
) -> tuple[Landmark, Array, Array] | None:
    """Return the affine operation that alone reads a landmark, with its factor and its offset."""
    users = side.users[last.last_value.name]
    if len(users) != 1:
        return None
    op = users[0]
    landmark = side.by_result.get(op.results[0].name) if len(op.results) == 1 else None
    if landmark is None or landmark.value.type.shape != last.value.type.shape:
        return None
    row = facts(op)
    if row.scales and all(map(_is_whole, side.users[op.results[0].name])):
        return None  # a simulated quantization begins
    if short(op) == "batch_norm_inference":
        return _batch_norm_factor(side, landmark, last, channel)
    affine = row.scales or row.error == "sum"
    if not affine or (short(op) == "divide" and op.operands[1].name == last.last_value.name):
        return None
    others = [v for v in op.operands if v.name != last.last_value.name]
    if len(others) != 1:
        return None
    one, zero = np.ones(1), np.zeros(1)
    if counts and row.scales and _is_one_number(side, others[0]):
        return landmark, one, zero
    number = _per_channel(side, others[0], channel)
    if number is None:
        return None
    if short(op) == "multiply":
        return landmark, number, zero
    if short(op) == "divide":
        return (landmark, one / number, zero) if number.all() else None
    if short(op) == "add":
        return landmark, one, number
    first = op.operands[0].name == last.last_value.name
    return (landmark, one, -number) if first else (landmark, -one, number)


def _is_whole(op: Op) -> bool:
    """Return whether an operation gives whole numbers."""
    types = [v.type for v in op.results]
    return facts(op).error == "rounded to integer" or (
        is_conversion(op) and not types[0].is_quantized and types[0].storage_type.is_integer
    )


def _batch_norm_factor(
    side: Landmarks, landmark: Landmark, last: Landmark, channel: int | None
) -> tuple[Landmark, Array, Array] | None:
    """Return the factor and the offset of a batch norm by constants, whose features are the channels."""
    op = landmark.op
    if channel not in (None, op["feature_index"]):
        return None
    if op.operands[0].name != last.last_value.name or not all(map(side.is_static, op.operands[1:])):
        return None
    known = [constant_value(side.func, v) for v in op.operands[1:]]
    if any(x is None for x in known):
        return None
    scale, offset, mean, variance = (np.asarray(x) for x in known)
    factor = scale / np.sqrt(variance + op["epsilon"])
    return landmark, factor, offset - mean * factor


def _per_channel(side: Landmarks, value: Value, channel: int | None) -> Array | None:
    """Return a constant operand as a number, or one for each channel; None if it differs elsewhere."""
    if not side.is_static(value):
        return None
    op = side.producers.get(value.name)
    while op is not None and (is_conversion(op) or op.name == "stablehlo.broadcast_in_dim"):
        kept = op.attributes.get("broadcast_dimensions")
        if kept is not None:
            small = op.operands[0]
            if small.type.size == 1 or (len(kept) == 1 and kept[0] == channel and small.type.rank == 1):
                known = constant_value(side.func, small)
                return None if known is None else known.reshape(-1)
            break
        op = side.producers.get(op.operands[0].name)
    known = constant_value(side.func, value)
    if known is None or known.size == 0:
        return None
    if channel is not None:
        rows = np.moveaxis(known, channel, 0).reshape(known.shape[channel], -1)
        return rows[:, 0] if (rows == rows[:, :1]).all() else None
    return known.reshape(-1)[:1] if (known == known.flat[0]).all() else None


def _is_one_number(side: Landmarks, value: Value) -> bool:
    """Return whether all elements of a value that depends on the arguments are the same number."""
    while value.type.size != 1:
        op = side.producers.get(value.name)
        if op is None or not (is_conversion(op) or op.name in SPREADS):
            return False
        value = op.operands[0]
    return not side.is_static(value)


def _weights(side: Landmarks, op: Op) -> Weights | None:
    """Return the constant weights of a contraction, if just one of its operands is constant."""
    static = [side.is_static(v) for v in op.operands[:2]]
    if sum(static) != 1:
        return None
    which = static.index(True)
    value = op.operands[which]
    numbers = constant_value(side.func, value)
    if numbers is None:
        return None
    own, channel = _channels(op, which)
    size = 1 if own is None else numbers.shape[own]
    rows = (numbers if own is None else np.moveaxis(numbers, own, 0)).reshape(size, -1)
    return Weights(rows, _steps(side, value, size), channel)


def _channels(op: Op, which: int) -> tuple[int | None, int | None]:
    """Return the dimension of channels in the weights and in the result; None where there are several."""
    if op.name == "stablehlo.convolution":
        if which != 1:
            return None, None
        return op["kernel_output_feature_dimension"], op["output_feature_dimension"]
    sides = ("lhs", "rhs")
    used = {*op[f"{sides[which]}_contracting_dimensions"], *op[f"{sides[which]}_batching_dimensions"]}
    free = [d for d in range(op.operands[which].type.rank) if d not in used]
    if len(free) != 1:
        return None, None
    rank = op.result.type.rank
    return free[0], rank - 1 if which else len(op["lhs_batching_dimensions"])


def _steps(side: Landmarks, value: Value, channels: int) -> Array:
    """Return by how much a number of each channel may have been rounded to the narrowest type on its way."""
    known: Value | None = value
    while known is not None:
        element = known.type.element_type
        if isinstance(element, QuantizedType):
            scales = np.asarray([fl(s, element.expressed_type) for s in element.scales], np.float64)
            return np.broadcast_to(scales if len(scales) == channels else scales.max(), channels)
        if element.is_integer:
            return np.ones(channels)
        op = side.producers.get(known.name)
        passes = op is not None and op.operands and (is_conversion(op) or facts(op).moves)
        known = op.operands[0] if op is not None and passes else None
    return np.zeros(channels)


def is_same_value(left: Tail, i: int, right: Tail, j: int) -> bool:
    """Return whether value i of one tail is value j of the other, by their constants.

    PREMISE: both contractions have the same activations. Weights are rounded to their types once, by at most
    a step; what merging rounds in floats is at most 2^-18 of the largest weight. Offsets are rounded to wide
    types, by at most 2^-8 of the largest.
    """
    x, y = _effective(left, i), _effective(right, j)
    if x is None or y is None or x[0].shape != y[0].shape:
        return False
    (a, da, b), (c, dc, d) = x, y
    slack = 1.01 * (da + dc) + 2.0**-18 * np.maximum(np.abs(a), np.abs(c)).max(initial=0.0)
    offsets = np.abs(b - d) <= 2.0**-8 * np.maximum(np.abs(b), np.abs(d)).max(initial=0.0)
    return bool((np.abs(a - c) <= slack).all() and offsets.all())


def _unit(left: Tail, right: Tail, counts: tuple[bool, bool]) -> float | None:
    """Return the factor of the right contraction that makes the last products before offsets the same.

    None where there is none, or where integers meet no product: it is the scale of the activations.
    """
    i, j = _last_scale_place(left), _last_scale_place(right)
    if (counts[0] and not i) or (counts[1] and not j):
        return None
    x, y = _effective(left, i), _effective(right, j)
    if x is None or y is None or x[0].shape != y[0].shape or not y[0].any():
        return None
    unit = float((x[0] * y[0]).sum() / (y[0] * y[0]).sum())
    return unit if unit > 0 and is_same_value(left, i, _in_units(right, unit), j) else None


def _in_units(side: Tail, unit: float) -> Tail:
    """Return a tail whose contraction counts in other units, which the last product before an offset ends."""
    return replace(side, factors=[factor * unit for factor in side.factors])


def _effective(side: Tail, k: int) -> tuple[Array, Array, Array] | None:
    """Return the weights with the factor of a value of the tail in them, their steps, and the offset.

    None where they are not known.
    """
    if side.weights is None:
        return None
    factor, offset = side.factors[k], side.offsets[k]
    channels = len(side.weights.numbers)
    if any(x.size not in (1, channels) for x in (factor, offset)):
        return None
    column = np.broadcast_to(factor, channels).reshape(-1, 1)
    steps = np.abs(column) * side.weights.steps.reshape(-1, 1)
    return side.weights.numbers * column, steps, np.broadcast_to(offset, channels).reshape(-1, 1)


def pairs(
    left: Tail, right: Tail, counts: tuple[bool, bool], same: bool = False
) -> Iterator[tuple[Landmark, Landmark]]:
    """Yield the values of two tails that mean the same; counts: whether each contraction sums integers.

    same: the contractions are the same function of the arguments, whatever they read.
    """
    if same:
        channels = max(x.size for side in (left, right) for x in (*side.factors, *side.offsets))
        one = Weights(np.ones((channels, 1)), np.zeros(channels), None)
        left, right = replace(left, weights=one), replace(right, weights=one)
    ends = len(left.landmarks) - 1, len(right.landmarks) - 1
    first = [_last_scale_place(side) if each else 0 for side, each in zip((left, right), counts, strict=True)]
    unit = _unit(left, right, counts) if any(counts) else 1.0
    known = []
    if unit is not None:
        scaled = _in_units(right, unit)
        places = ((i, j) for i in range(first[0], ends[0] + 1) for j in range(first[1], ends[1] + 1))
        known = [(i, j) for i, j in places if is_same_value(left, i, scaled, j)]
    if not any(i == ends[0] or j == ends[1] for i, j in known):
        known.append(ends)
    taken: tuple[set[int], set[int]] = set(), set()
    for i, j in known:
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            yield left.landmarks[i], right.landmarks[j]


def _last_scale_place(side: Tail) -> int:
    """Return the place of the last value of a tail without an offset."""
    return max(k for k, offset in enumerate(side.offsets) if not offset.any())
