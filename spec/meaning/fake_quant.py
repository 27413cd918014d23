"""Fake quantization by a range, as TensorFlow computes it, and regions that simulate quantization."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import floor
from typing import NamedTuple

from spec.formats import round_to
from spec.ir import Op
from spec.meaning import numbers
from spec.meaning.index import Context, Index, Meaning, Results, Tensor, build, index_space
from spec.meaning.notation import dequantize, fold, quantize
from spec.meaning.sums import sum_of_numbers
from spec.op_attributes import FORMS, attribute_or_default, axis_of, bounds
from spec.quant_kinds import Spec
from spec.quantized import QuantizedType
from spec.rules.quant_dialect import F32
from spec.types import TensorType


def f32(f: Callable[..., float]) -> Callable[..., float]:
    """Return an arithmetic function of f32."""
    return lambda *xs: f(*xs, F32)


add, subtract, multiply, divide = (
    f32(f) for f in (numbers.add, numbers.subtract, numbers.multiply, numbers.divide)
)
minimum, maximum = f32(numbers.minimum), f32(numbers.maximum)
down = f32(numbers.round_toward_negative)


class Nudged(NamedTuple):
    """Range whose grid has a number zero: the grid's step, its reciprocal, the bounds, and that zero."""

    scale: float
    inverse: float
    least: float
    most: float
    zero: float


def nudge(least: float, most: float, quant_min: float, quant_max: float) -> Nudged:
    """Return the range on the grid of whole steps, `quant_min` to `quant_max` of them."""
    steps, width = subtract(quant_max, quant_min), subtract(most, least)
    scale, inverse = divide(width, steps), divide(steps, width)
    from_min = subtract(quant_min, divide(least, scale))
    inside = quant_min <= from_min <= quant_max
    zero_point = float(floor(Fraction(from_min) + Fraction(1, 2))) if inside else quant_max
    zero_point = quant_min if from_min < quant_min else zero_point
    low, high = (multiply(subtract(bound, zero_point), scale) for bound in (quant_min, quant_max))
    return Nudged(scale, inverse, low, high, down(add(multiply(numbers.negate(low, F32), inverse), 0.5)))


def grid(op: Op) -> tuple[float, float]:
    return float(attribute_or_default(op, "narrow_range")), float(
        2 ** attribute_or_default(op, "num_bits") - 1
    )


def ranges(op: Op, operands: Sequence[Tensor]) -> Callable[[Index], tuple[float, float]]:
    """Return the function that gives the range of an element by its index."""
    axis = axis_of(op)
    if FORMS[op.name].vars:
        place = lambda index: () if axis is None else (index[axis],)
        return lambda index: (operands[-2][place(index)], operands[-1][place(index)])
    known = [(round_to(low, F32), round_to(high, F32)) for low, high in bounds(op)]
    return lambda index: known[0 if axis is None else index[axis]]


def fake_quant(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """floor((clamp(inputs) - nudged_min) * inverse - zero + 0.5) * scale; 0 where min = max = 0"""
    inputs, at, divides = operands[0], ranges(op, operands), FORMS[op.name].divides

    def element(index: Index) -> float:
        if at(index) == (0, 0):
            return 0.0
        n = nudge(*at(index), *grid(op))
        shifted = subtract(maximum(minimum(inputs[index], n.most), n.least), n.least)
        scaled = divide(shifted, n.scale) if divides else multiply(shifted, n.inverse)
        return multiply(down(add(subtract(scaled, n.zero), 0.5)), n.scale)

    return (build(op.result.type, element),)


def gradient(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Pass the gradient inside the range; sum it below into that of min, above into that of max."""
    gradients, inputs, at, axis = operands[0], operands[1], ranges(op, operands), axis_of(op)

    def part(index: Index) -> int:
        """Return 0 inside the range, 1 below and 2 above it; none of them for NaN."""
        if at(index) == (0, 0):
            return 0
        n, x = nudge(*at(index), *grid(op)), inputs[index]
        return 1 if x < n.least else 2 if x > n.most else 0 if n.least <= x <= n.most else -1

    def mask(index: Index, wanted: int) -> float:
        return multiply(gradients[index], float(part(index) == wanted))

    def total(wanted: int) -> Callable[[Index], float]:
        def sum_slice(place: Index) -> float:
            here = [i for i in index_space(inputs.type.shape) if axis is None or i[axis] == place[0]]
            leaves = [(0.0,), *((mask(i, wanted),) for i in here)]
            step = lambda a, b: (add(a, b),)
            sum = sum_of_numbers(leaves, F32)
            return fold(step, leaves, [True] * len(leaves), context.schedule, True, sum)[0]

        return sum_slice

    rules = [lambda index: mask(index, 0), total(1), total(2)]
    return tuple(build(v.type, rule) for v, rule in zip(op.results, rules, strict=False))


MEANINGS: dict[str, Meaning] = {
    name: gradient if form.gradient else fake_quant for name, form in FORMS.items()
}


# The operations that the quant dialect had once: statistics, and regions that simulate quantization.


def identity(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = arg"""
    return tuple(operands)


def simulate(value: Tensor, spec: Spec) -> Tensor:
    """Return dequantize(quantize(value)) for a uniform spec, else the value itself."""
    if not isinstance(spec, QuantizedType):
        return value
    return dequantize(quantize(value, TensorType(value.type.shape, spec)))


def region(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """outputs = simulated(body(simulated(inputs)...))"""
    (body,) = context.bodies
    results = body(*map(simulate, operands, op["input_specs"]))
    return tuple(map(simulate, results, op["output_specs"]))


SIMULATION_MEANINGS: dict[str, Meaning] = {
    "quant.stats": identity,
    "quant.stats_ref": identity,
    "quant.coupled_ref": identity,
    "quant.region": region,
}
