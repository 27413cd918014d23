"""Types that materialization derives, and symbols for float values of a region, with their forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, prod
from typing import Any, NamedTuple

import numpy as np

from interp.apps.quantization.constants import fold_operation
from interp.apps.quantization.decisions import Choices
from interp.apps.quantization.kernels import program_name
from interp.backends import fl
from interp.loading.writer import Writer, collapse_repeats
from interp.theory.quantized_arithmetic import choice_is_exact
from spec.ir import Op, Value
from spec.types import QuantizedType, TensorType, integer, is_tensor, make_quantized

# Quantized types that materialization derives: accumulators, wider storage, constants, moved axes.


def stored_in(type: QuantizedType, bits: int, signed: bool = True) -> QuantizedType:
    """Return a type with other storage, of its whole range, and the same scales and zero points."""
    element = integer(bits, signed)
    return replace(
        type,
        storage_type=element,
        storage_min=element.min_value,
        storage_max=element.max_value,
        spelling=element.name.removeprefix("u").replace("i", "u") if not signed else element.name,
    )


def is_scale(scale: float, type: QuantizedType) -> bool:
    """Return whether a number is a normal one of the expressed type, so that a type can have it as scale."""
    rounded = fl(scale, type.expressed_type)
    return 2.0 ** (1 - type.expressed_type.bias) <= rounded < float("inf")


def has_normal_scales(type: QuantizedType) -> bool:
    """Return whether products with the scales of a type are rounded relatively, as normal numbers are."""
    return min(type.scales) >= 2.0 ** (type.expressed_type.precision - type.expressed_type.bias)


def is_kept(type: QuantizedType) -> bool:
    """Return whether `quantize(dequantize(q))` is q for every stored number of a type."""
    pairs = set(zip(type.scales, type.zero_points, strict=True))
    slices = (replace(type, scales=(s,), zero_points=(z,), quantization_dimension=None) for s, z in pairs)
    return all(choice_is_exact(each, each.storage_min, each.storage_max) for each in slices)


def times(type: QuantizedType, factor: float) -> QuantizedType | None:
    """Return the type of the same stored numbers times a factor, or None where that is not a scale."""
    scales = tuple(fl(scale, type.expressed_type) * factor for scale in type.scales)
    return replace(type, scales=scales) if factor > 0 and all(is_scale(s, type) for s in scales) else None


def common_storage(types: Sequence[QuantizedType]) -> tuple[int, bool]:
    """Return the width and signedness that hold the stored numbers of all types."""
    signed = any(type.storage_type.min_value < 0 for type in types)
    bits = max(
        type.storage_type.bits * (2 if signed and type.storage_type.min_value == 0 else 1) for type in types
    )
    return bits, signed


def moved_type(op: Op, type: QuantizedType) -> QuantizedType | None:
    """Return the type after an operation that moves elements; None where axis or blocks do not survive."""
    if type.block_sizes is not None:
        return None
    if not type.is_per_axis:
        return type
    axis = type.quantization_dimension or 0
    source, target = op.operands[0].type, op.results[0].type
    if op.name == "stablehlo.transpose":
        return replace(type, quantization_dimension=op["permutation"].index(axis))
    if op.name == "stablehlo.broadcast_in_dim":
        place = op["broadcast_dimensions"][axis]
        fits = target.shape[place] == source.shape[axis]
        return replace(type, quantization_dimension=place) if fits else None
    if op.name == "stablehlo.reshape":
        place = _same_place(source, target, axis)
        return None if place is None else replace(type, quantization_dimension=place)
    return None


def _same_place(source: TensorType, target: TensorType, axis: int) -> int | None:
    """Return the dimension of a reshaped tensor that is dimension `axis` of the source."""
    before, size = prod(source.shape[:axis]), source.shape[axis]
    places = [d for d in range(target.rank) if target.shape[d] == size and prod(target.shape[:d]) == before]
    return places[0] if places else None


class Clamp(NamedTuple):
    """Bounds that wait until a value has its type: quantization is monotone, so the bits are the same."""

    low: float = -inf
    high: float = inf

    def within(self, low: float, high: float) -> Clamp:
        """Return this clamp followed by another."""
        return Clamp(min(max(self.low, low), high), max(min(self.high, high), low))


FREE = Clamp()
PROVEN = 24  # bits of precision of f32: errors of narrower floats are not bounded


@dataclass(frozen=True, eq=False)
class Plain:
    """A value of the new program as it is: a float, an integer, a token."""

    value: Value

    @property
    def shape(self) -> tuple[int, ...]:
        return self.value.type.shape


@dataclass(frozen=True, eq=False)
class Constant:
    """A constant of a plain type; an array that repeats along a dimension is a view of stride 0."""

    type: TensorType
    array: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape

    @property
    def splat(self) -> float | None:
        """The only number in it, or None if there are several."""
        first = self.array.reshape(-1)[:1] if self.array.size else self.array
        if not first.size or not (collapse_repeats(self.array) == first).all():
            return None
        return float(first[0])


@dataclass(frozen=True, eq=False)
class Stored:
    """A quantized value of the new program, of logical type `type`.

    value: None for a constant that is not written yet. Its own type may have another scale: factors are
    pushed forward, and merged into the next rescaling. data: the stored numbers of a constant.
    steps: the least and the greatest stored number less the zero point, arrays that broadcast to the shape.
    bounds: the operations that clamp it.
    error: how far the number may be from the float program's, given the same inputs of the region.
    """

    value: Value | None
    shape: tuple[int, ...]
    type: QuantizedType
    steps: tuple[Any, Any]
    data: np.ndarray | None = None
    clamp: Clamp = FREE
    bounds: tuple[Op, ...] = ()
    error: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "steps", tuple(np.asarray(end, object) for end in self.steps))

    def name(self, hint: str) -> str:
        """Return the name of its value in the new program, or a hint for one that is not written."""
        return hint if self.value is None else self.value.name

    @cached_property
    def magnitude(self) -> int:
        """The largest number of steps in either direction."""
        return largest(self.steps)

    @property
    def rounding(self) -> float:
        """Two units of roundoff of the largest number: how far two float operations may move it.

        Infinite where that is not proven: where the expressed type is narrower than f32, a number overflows
        it, or the rounding of a product with a scale is not relative, as it is of normal numbers.
        """
        type, most = self.type.expressed_type, self.magnitude * max(self.type.scales)
        if type.precision < PROVEN or not has_normal_scales(self.type) or most >= 2.0 ** (type.bias - 1):
            return inf
        return 2.0 ** (1 - type.precision) * most

    def choice_error(self, ties: str) -> float:
        """Bound how far a clamp, a maximum or a minimum moves stored numbers that it chooses.

        The specification's, which round `ties` to even, dequantize and quantize them: that rounds four times.
        """
        least, most = (int(end) + self.type.zero_point for end in (self.steps[0].min(), self.steps[1].max()))
        if ties != "even" or choice_is_exact(self.type, least, most):
            return 0.0
        unit = 2.0**-self.type.expressed_type.precision
        off = 4.5 * unit * (self.magnitude + abs(self.type.zero_point))
        return inf if self.rounding == inf else 0.0 if off < 0.5 else (off + 0.5) * self.type.scale

    def move_error(self, type: QuantizedType, ties: str) -> float:
        """Bound how far a rescaling to another type moves a number."""
        if self.type == type:
            return 0.0
        return (0.5 + multiplier_error([self], type, ties)) * max(type.scales) + self.rounding


def multiplier_error(terms: Iterable[Stored | Constant], type: QuantizedType, ties: str) -> float:
    """Bound, in steps of a type, the rounding of the multipliers by which a flow brings a sum to that type.

    Of a flow that rounds `ties` up, multipliers have 31 bits of the largest one: each is off by half a place.
    One alone, as all that are rounded to even, is as exact as a quotient of floats. Constants are one step.
    """
    known = [x for x in terms if isinstance(x, Constant) or x.data is None] if ties == "up" else []
    ratios = {ratio for x in known for ratio in _ratios(x, type)}
    magnitude = sum(x.magnitude if isinstance(x, Stored) else 1 for x in known)
    return 2.0**-31 * max(ratios) * magnitude if len(ratios) > 1 else 0.0


def _ratios(x: Stored | Constant, type: QuantizedType) -> list[float]:
    """Return by what the steps of a value are multiplied; one number where floats take it to another axis."""
    if isinstance(x, Constant):
        return [abs(x.splat or 0.0) / type.scale]
    if len({x.type.quantization_dimension, type.quantization_dimension} - {None}) > 1:
        return [1.0]
    return (np.asarray(x.type.scales) / np.asarray(type.scales)).tolist()


@dataclass(frozen=True, eq=False)
class Pending:
    """An operation that waits for the type of its result; its operands are symbols.

    decide: returns it as a stored value of a type, given the translation, itself and the type.
    """

    op: Op
    operands: tuple[Symbol, ...]
    decide: Callable[[Any, Pending, QuantizedType], Stored]
    clamp: Clamp = FREE
    bounds: tuple[Op, ...] = ()  # that clamp it

    @property
    def shape(self) -> tuple[int, ...]:
        return self.op.result.type.shape


Symbol = Plain | Constant | Stored | Pending
Clampable = Stored | Pending


def largest(ends: Iterable[Any]) -> int:
    """Return the largest magnitude of integers in some arrays."""
    arrays = (np.asarray(end, object) for end in ends)
    return max((max(-int(x.min()), int(x.max())) for x in arrays if x.size), default=0)


def add_clamp(x: Clampable, low: float, high: float, *ops: Op) -> Clampable:
    """Return a value with another clamp after its own, and the operations that it stands for."""
    return replace(x, clamp=x.clamp.within(low, high), bounds=(*x.bounds, *ops))


def whole_range(type: QuantizedType) -> tuple[Any, Any]:
    """Return the steps of all stored numbers of a type: of one zero point, or the extremes of several."""
    points = type.zero_points
    return np.asarray(type.storage_min - max(points), object), np.asarray(
        type.storage_max - min(points), object
    )


# The forms of a value while a block is rewritten: quantized in a type, or float.

WIDEST = 16  # bits of storage that an elementwise operation takes: those of accumulators lie beyond f32


class Forms:
    """The block that is written, its flow and its decisions, and the forms of its values."""

    def __init__(self, writer: Writer, flow: Any, choices: Choices) -> None:
        self.writer, self.flow, self.choices = writer, flow, choices
        self.specs: tuple[Any, ...] = ()  # of the results of the region that is rewritten
        self.returned: set[str] = set()  # the names of these results inside of the region
        self.lost = False  # whether a number with an error went into a float operation
        self.in_island = False  # whether the region stays in float as a whole
        self.origins: dict[str, str] = {}  # of floats by the name that operations use, with their own name

    def as_stored(self, x: Symbol, type: QuantizedType) -> Stored:
        """Return a value in a quantized type."""
        key = (x, type)
        return self.writer.find(key) or self.writer.keep(key, self._as_stored(x, type))

    def _as_stored(self, x: Symbol, type: QuantizedType) -> Stored:
        if isinstance(x, Constant):
            return self.flow.quantize_constant(x, type)
        if isinstance(x, Plain):
            return self.flow.quantize(x.value, type)
        if type.is_per_axis:
            self._note_bounds(x, "its result is quantized per axis")
        if isinstance(x, Stored):
            return self.flow.finish(x, type, x.clamp)
        return self.flow.finish(x.decide(self, x, type), type, x.clamp)

    def as_typed(self, x: Symbol, type: TensorType) -> Value:
        """Return the value for an operand: a float, or the stored tensor where its type is quantized."""
        if is_tensor(type) and type.is_quantized and not (has_blocks(type) and isinstance(x, Plain)):
            return self.flow.value(self.as_stored(x, type.quantized_element_type))
        return self.as_float(x)

    def as_float(self, x: Symbol) -> Value:
        """Return the value of a plain type."""
        if isinstance(x, Plain):
            return x.value
        return self.writer.find(x) or self.writer.keep(x, self._as_float(x))

    def _as_float(self, x: Symbol) -> Value:
        if isinstance(x, Constant):
            return self.writer.constant(x.array, x.type)
        if isinstance(x, Stored):
            self.lost |= x.error > 0
            value = self.flow.dequantize(replace(x, clamp=FREE))
        else:
            assert isinstance(x, Pending)
            why = reason(x.op, x.operands, self.origins)
            self.choices.note(
                x.op.results[0].name, x.op.name, "float", f"computed in float: {why}", holds=False
            )
            operands = [self.as_float(each) for each in x.operands]
            name, type = x.op.name.partition(".")[2], x.op.result.type
            value = self.writer.emit(name, operands, type, x.op.regions, **x.op.attributes)
        self._note_bounds(x, "its operand is a float")
        return value if x.clamp == FREE else self.flow.clamp_float(value, x.clamp)

    def _note_bounds(self, x: Clampable, why: str) -> None:
        """Note the operations that clamp a value as computed in float."""
        for op in x.bounds if x.clamp != FREE else ():
            name = op.results[0].name
            self.choices.note(name, op.name, "float", f"computed in float: {why}", holds=False)

    def apply_clamp(self, x: Symbol) -> Stored | None:
        """Return a value in its own quantized type, with its bounds applied, if it has such a type."""
        if not isinstance(x, Stored):
            return None
        if x.clamp == FREE:
            return x
        if not x.type.is_per_tensor or not self.flow.holds(x.type, x.clamp):
            return None
        key = ("settled", x)
        error = x.error + x.choice_error(self.flow.ties)
        return self.writer.find(key) or self.writer.keep(key, replace(self.as_stored(x, x.type), error=error))

    def evidence(self, type: QuantizedType) -> str:
        """Return what the types of a region's results, chosen by calibration, say about its sums."""
        ends = [
            (end - spec.zero_point) * spec.scale
            for spec in self.specs
            if isinstance(spec, QuantizedType) and spec.is_per_tensor
            for end in (spec.storage_min, spec.storage_max)
        ]
        if not ends:
            return "no range of its results is known"
        steps = max(map(abs, ends)) / min(type.scales)
        found = f"results from {min(ends):.3g} to {max(ends):.3g} need {steps:,.0f} steps"
        return f"{found}, by calibration; sums on the way, and inputs unlike the samples, are unproven"

    def like(self, x: Constant) -> QuantizedType:
        """Return i8 with the expressed type of a constant."""
        return make_quantized("i8", x.type.tensor_element_type.name, 1.0)

    def move_constant(self, op: Op, x: Stored) -> np.ndarray:
        """Return the stored numbers of a constant after an operation that moves elements."""
        assert x.data is not None
        plain = TensorType(x.shape, x.type.storage_type)
        result = replace(op.result.type, element_type=x.type.storage_type)
        moved = replace(
            op, operands=(replace(op.operands[0], type=plain),), results=(Value("%moved", result),)
        )
        return fold_operation(moved, [x.data])[0]


def has_blocks(type: TensorType) -> bool:
    """Return whether a type has a scale for each block: no operation of StableHLO takes it."""
    return type.is_quantized and type.quantized_element_type.block_sizes is not None


def reason(op: Op, operands: Sequence[Symbol], origins: Mapping[str, str], known: bool = True) -> str:
    """Return why an operation was left in float; `origins` tell it of operands that are floats."""
    name = op.name.partition(".")[2]
    if known and any(isinstance(x, Pending) for x in operands):
        waits = next(x for x in operands if isinstance(x, Pending))
        return f"its operand {waits.op.results[0].name} has no quantized type of its own"
    for v, x in zip(op.operands, operands, strict=True):
        if isinstance(x, Plain) and getattr(v.type.element_type, "kind", "") == "float":
            return f"its operand {origins.get(v.name, f'{program_name(v.name)} is a float')}"
    if not known:
        return f"{name} has no quantized form here"
    if any(isinstance(x, Constant) and x.splat is None for x in operands):
        return "a constant of several numbers has no quantized type"
    if any(isinstance(x, Stored) and not x.type.is_per_tensor for x in operands):
        return f"{name} takes no operand that is quantized per axis"
    if any(isinstance(x, Stored) and x.type.storage_type.bits > WIDEST for x in operands):
        return "its operand is an accumulator, and has no narrower type here"
    return f"{name} has no quantized form for these types"
