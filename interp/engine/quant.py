"""Quantization over an array namespace: `dequantize`, `quantize`, `to_destination_type`.

It follows "Quantization computations" in the specification, with errata E1 to E5. Arrays are carriers; the
carrier of a quantized element is its storage integer.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from interp.backends import Array, Namespace, fl_all
from interp.engine.memo import once
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, complex_part

Type = ElementType | QuantizedType
# The storage type of programs that round and never clip (`remove_bounds` in `bodies.py`): MLIR has no such
# storage, so no program that was read has it.
UNBOUNDED = ELEMENT_TYPES["f64"]


def dequantize(xp: Namespace, x: Array, type: QuantizedType) -> Array:
    """Dequantize: `fl(fl(q - zero_point) * scale)`, with an exact subtraction (E1)."""
    expressed = type.expressed_type
    if _is_exact_in_f32(type):
        if xp.computes_in(expressed):
            return _in_f32(xp, x, type)
        if (
            min(round_parameters(type).scales) >= 2.0**-126
        ):  # no result is subnormal, which a compiler may flush
            single = _in_f32(xp, x, type)
            wide = xp.prevent_contraction(single).astype(xp.carrier(expressed))
            return xp.keep_stored(wide, lambda: single)
    exact = x.astype(xp.float64) - _parameter(xp, type.zero_points, xp.float64, type, x.shape)
    difference = xp.round_to(exact, expressed)
    scale = _parameter(xp, round_parameters(type).scales, difference.dtype, type, x.shape)
    real = xp.round_to(xp.multiply(difference, scale), expressed)
    if type.storage_type == UNBOUNDED:  # q may be larger than every number of the expressed type
        scale = _parameter(xp, round_parameters(type).scales, xp.float64, type, x.shape)
        real = xp.where(xp.isfinite(real), real, xp.round_to(exact * scale, expressed))
    return real


def _is_exact_in_f32(type: QuantizedType) -> bool:
    """Return whether f32 holds the exact difference of a stored number and a zero point, and f32 is meant."""
    small = type.storage_type.is_integer and type.storage_type.bits <= 16
    return small and type.expressed_type.name == "f32"


def _in_f32(xp: Namespace, x: Array, type: QuantizedType) -> Array:
    zero_points, scales = type.zero_points, round_parameters(type).scales
    moved = x.astype(xp.float32)
    if any(zero_points):
        moved = moved - _parameter(xp, zero_points, xp.float32, type, x.shape)
    return moved * _parameter(xp, scales, xp.float32, type, x.shape)


def quantize(xp: Namespace, x: Array, type: QuantizedType, computed: bool = False) -> Array:
    """Quantize `x`, in the carrier of the expressed type: divide, add the zero point, clamp, `rne`, saturate.

    The bounds of the clamp are rounded (E3); NaN gives 0, clamped into the storage range (E4). computed: x is
    itself a rounded result, which `beyond` takes into account.
    """
    if type.storage_type == UNBOUNDED:
        return _quantize_unclipped(xp, x, type, computed)
    if (single := xp.storage(x)) is not None and _quantizes_in_f32(type) and single.dtype == xp.float32:
        return xp.traced_once(_quantized_from_f32, type=type)(single)
    return xp.traced_once(_quantize_carrier, type=type)(x)


def _quantize_carrier(xp: Namespace, x: Array, type: QuantizedType) -> Array:
    """Quantize numbers in their carrier."""
    bounds = type.storage_min, type.storage_max
    low, high = round_parameters(type).bounds
    whole = xp.rint(xp.clip(scaled_and_moved(xp, x, type), low, high))
    if (low, high) != bounds:  # the expressed type has rounded a bound: the float clamp was not the last word
        whole = xp.clip(whole.astype(xp.float64), float(bounds[0]), float(bounds[1]))
    nan = float(min(max(0, bounds[0]), bounds[1]))
    return xp.where(xp.isnan(whole), nan, whole).astype(xp.carrier(type.storage_type))


def _quantizes_in_f32(type: QuantizedType) -> bool:
    """Return whether `quantize` may take subnormal numbers of f32, its operands and results, for zeros.

    THEOREM: divided by a scale of at least 2^-120 they stay below 2^-6, too little to change what is rounded
    to a whole number after the zero point was added.
    """
    return _is_exact_in_f32(type) and min(round_parameters(type).scales) >= 2.0**-120


def _quantized_from_f32(xp: Namespace, x: Array, type: QuantizedType) -> Array:
    """Quantize numbers of f32 with one detour through f64: for the quotient, as in `scaled_and_moved`."""
    scale = _parameter(xp, round_parameters(type).scales, xp.float64, type, x.shape)
    moved = xp.divide(x.astype(xp.float64), scale).astype(xp.float32)
    if any(type.zero_points):
        moved = moved + _parameter(xp, type.zero_points, xp.float32, type, x.shape)
    low, high = type.storage_min, type.storage_max
    whole = xp.rint(xp.clip(moved, float(low), float(high)))
    whole = xp.where(xp.isnan(whole), xp.float32(min(max(0, low), high)), whole)
    return whole.astype(xp.int32).astype(xp.carrier(type.storage_type))


def _quantize_unclipped(xp: Namespace, x: Array, type: QuantizedType, computed: bool) -> Array:
    """Quantize like `quantize`, but leave numbers beyond the storage range unclamped."""
    inside = quantize(xp, x, _bound_storage(type)).astype(xp.float64)
    whole = xp.rint(scaled_and_moved(xp, x, type)).astype(xp.float64)
    whole = xp.where(xp.isfinite(whole), whole, xp.rint(_exactly_moved(xp, x, type)))
    return xp.where(beyond(xp, x, type, computed), whole, inside)


def _exactly_moved(xp: Namespace, x: Array, type: QuantizedType) -> Array:
    """Return `x / scale + zero_point` in f64."""
    scale = _parameter(xp, round_parameters(type).scales, xp.float64, type, x.shape)
    zero_point = _parameter(xp, type.zero_points, xp.float64, type, x.shape)
    return xp.divide_exactly(x.astype(xp.float64), scale) + zero_point


def beyond(xp: Namespace, x: Array, type: QuantizedType, computed: bool = False) -> Array:
    """Return where the nearest integer (half to even) lies beyond the storage range; true for NaN.

    A computed x may seem to be beyond only because it was rounded to the expressed type. A few units in its
    last place, at most a quarter of a step, are tolerated; half a step beyond a bound is always beyond.
    """
    least, most = type.storage_min, type.storage_max
    units = 2.0 ** (2 - type.expressed_type.precision) * max(abs(least), abs(most))
    edge = 0.5 + computed * min(0.25, units)
    exact = _exactly_moved(xp, x, type)
    half = xp.where((exact == most + 0.5) | (exact == least - 0.5), xp.rint(exact), float(least))
    return ~((exact >= least - edge) & (exact <= most + edge)) | (half < least) | (half > most)


@once
def _bound_storage(type: QuantizedType) -> QuantizedType:
    """Return the type with 64-bit storage for a storage type without bounds."""
    return replace(type, storage_type=ELEMENT_TYPES["i64"])


def scaled_and_moved(xp: Namespace, x: Array, type: QuantizedType) -> Array:
    """Return `fl(fl(x / scale) + fl(zero_point))` in the expressed type."""
    expressed = type.expressed_type
    scale = _parameter(xp, round_parameters(type).scales, x.dtype, type, x.shape)
    zero_point = _parameter(xp, round_parameters(type).zero_points, x.dtype, type, x.shape)
    # A reciprocal in f64 is as good for narrower types: a quotient where it is not is subnormal and too
    # small to count.
    divide = xp.divide_exactly if expressed.name == "f64" else xp.divide
    scaled = xp.round_to(divide(x, scale), expressed)
    if not any(type.zero_points) and type.storage_type.is_integer:  # which has no -0 that 0 would change
        return scaled
    return xp.round_to(xp.add(scaled, zero_point), expressed)


class Rounded(NamedTuple):
    """Scales, zero points and storage bounds as the expressed type holds them."""

    scales: tuple[float, ...]
    zero_points: tuple[float, ...]
    bounds: tuple[float, ...]


@once
def round_parameters(type: QuantizedType) -> Rounded:
    """Return the scales, zero points and storage bounds of a type, rounded to its expressed type."""
    bounds = type.storage_min, type.storage_max
    lists = type.scales, type.zero_points, bounds
    return Rounded(*(fl_all(values, type.expressed_type) for values in lists))


def in_f64(type: QuantizedType) -> QuantizedType:
    """Return the quantized type with f64 as its expressed type: exact for storage of up to 29 bits."""
    scales = fl_all(type.scales, type.expressed_type)
    return replace(type, expressed_type=ELEMENT_TYPES["f64"], scales=scales)


def _parameter(
    xp: Namespace, values: tuple[Any, ...], dtype: Any, type: QuantizedType, shape: tuple[int, ...]
) -> Any:
    """Return scales or zero points to compute with: a Python number if per tensor, else an array."""
    if not type.is_per_tensor:
        return spread(xp, values, dtype, type, shape)
    (value,) = values
    return value


def spread(
    xp: Namespace, values: tuple[Any, ...], dtype: Any, type: QuantizedType, shape: tuple[int, ...]
) -> Array:
    """Return a parameter as an array that broadcasts against `shape`: per tensor, per axis or per block."""
    if type.is_per_tensor:
        (value,) = values
        return xp.asarray(value, dtype)
    table = xp.asarray(values, dtype)
    if type.quantization_dimension is not None:
        return table.reshape([-1 if d == type.quantization_dimension else 1 for d in range(len(shape))])
    table, blocks = table.reshape(type.parameters_shape), dict(type.block_sizes or ())
    for axis, size in enumerate(shape):
        if table.shape[axis] != size:
            table = xp.repeat(table, blocks.get(axis, size), axis=axis)
    return table


def to_destination_type(xp: Namespace, x: Array, source: Type, destination: Type) -> Array:
    """Requantize, quantize, dequantize or convert, as `reduce_implicit_convert` of the RFC does (E2)."""
    if source is destination or source == destination:
        return x
    computed = False
    if isinstance(source, QuantizedType):
        x, source, computed = dequantize(xp, x, source), source.expressed_type, True
    if isinstance(destination, QuantizedType):
        return quantize(xp, convert(xp, x, source, destination.expressed_type), destination, computed)
    return convert(xp, x, source, destination)


def convert(xp: Namespace, x: Array, source: ElementType, destination: ElementType) -> Array:
    """Convert elements; where the specification is silent, integers wrap and floats saturate as in XLA."""
    if source == destination:
        return x
    if source.kind == "complex" or destination.kind == "complex":
        return _convert_complex(xp, x, source, destination)
    if destination.kind == "boolean":
        return x != 0
    if destination.kind == "float":
        if source.kind == "float":
            return xp.round_to(x, destination)
        return xp.integer_to_float(x, destination)
    if source.kind == "float":
        return float_to_integer(xp, x, destination)
    return wrap(xp, x.astype(xp.carrier(destination)), destination)


def _convert_complex(xp: Namespace, x: Array, source: ElementType, destination: ElementType) -> Array:
    """Convert to or from complex: a real number has the imaginary part 0, which a real result drops."""
    real, imag = complex_parts(xp, x, source)
    if destination.kind != "complex":
        return convert(xp, real, complex_part(source), destination)
    real, imag = (convert(xp, p, complex_part(source), complex_part(destination)) for p in (real, imag))
    return xp.join_complex(real, imag, xp.carrier(destination))


def complex_parts(xp: Namespace, x: Array, type: ElementType) -> tuple[Array, Array]:
    """Return the real and imaginary parts of x in the carrier of their type; a real x is the only part."""
    carrier = xp.carrier(complex_part(type))
    return xp.real(x).astype(carrier), xp.imag(x).astype(carrier)


def float_to_integer(xp: Namespace, x: Array, type: ElementType) -> Array:
    """Truncate toward zero and saturate; NaN gives 0."""
    least, most, dtype = type.min_value, type.max_value, xp.carrier(type)
    whole = xp.maximum(xp.where(xp.isnan(x), xp.zeros_like(x), xp.trunc(x)), float(least))
    beyond = whole >= float(most)  # which of 64 bits is one more
    return xp.where(beyond, xp.asarray(most, dtype), xp.where(beyond, 0.0, whole).astype(dtype))


def wrap(xp: Namespace, x: Array, type: ElementType) -> Array:
    """Wrap integers to the type's width in two's complement, as their container may be wider."""
    return wrap_word(x, xp.carrier(type).itemsize * 8, type)


def wrap_word(x: Array, width: int, type: ElementType) -> Array:
    """Wrap words of `width` bits to the width of a type of their own signedness."""
    spare = width - type.bits
    return (x << spare) >> spare if spare else x


def wrap_whole(x: Array, type: ElementType) -> Array:
    """Wrap whole numbers to the type's width: integers of any size, or finite floats."""
    low = type.min_value
    return (x - low) % (1 << type.bits) + low
