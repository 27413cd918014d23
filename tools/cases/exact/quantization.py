"""Quantized elements and conversions: stored integers and numbers, by the specification's formulas."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import isinf, isnan
from typing import Any

from cases.exact.floats import Unknown, add, divide, fl, multiply
from spec.types import ElementType, QuantizedType, TensorType

Type = ElementType | QuantizedType
parameter = lru_cache(typed=True)(fl)  # of parameters alone, since -0.0 would be taken for 0.0


def parameters(type: QuantizedType, shape: tuple[int, ...], index: tuple[int, ...]) -> tuple[float, int]:
    """Return the scale and the zero point of an element."""
    if type.quantization_dimension is not None:
        k = index[type.quantization_dimension]
    elif type.block_sizes:
        sizes, k = dict(type.block_sizes), 0
        for d, n in enumerate(type.parameters_shape):
            k = k * n + index[d] // sizes.get(d, shape[d])
    else:
        k = 0
    return type.scales[k], type.zero_points[k]


def scalar_at(type: TensorType, index: tuple[int, ...]) -> Type:
    """Return the type of one element, with the only parameters that concern it."""
    E = type.element_type
    if not isinstance(E, QuantizedType) or E.is_per_tensor:
        return E
    scale, zero_point = parameters(E, type.shape, index)
    none = {"quantization_dimension": None, "block_sizes": None, "parameters_shape": ()}
    return replace(E, scales=(scale,), zero_points=(zero_point,), **none)


def dequantize(q: int, type: QuantizedType, scale: float, zero_point: int) -> float:
    """Return fl(fl(q - zero_point) * scale)."""
    t = type.expressed_type.name
    return multiply(fl(q - zero_point, t), parameter(scale, t), t)


def moved(x: float, type: QuantizedType, scale: float, zero_point: int) -> float:
    """Return fl(fl(x / scale) + fl(zero_point))."""
    t = type.expressed_type.name
    return add(divide(fl(x, t), parameter(scale, t), t), parameter(zero_point, t), t)


def quantize(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
    """Return the stored integer: divide, add the zero point, clamp, round half to even, saturate."""
    low, high, t = type.storage_min, type.storage_max, type.expressed_type.name
    b = moved(x, type, scale, zero_point)
    if isnan(b):
        return min(max(0, low), high)
    if isnan(parameter(low, t)) or isnan(parameter(high, t)):
        raise Unknown("a storage bound is no number of the expressed type")
    if isinf(b):
        return high if b > 0 else low
    return min(max(round(Fraction(min(max(b, parameter(low, t)), parameter(high, t)))), low), high)


def wrapped(x: int, type: ElementType) -> int:
    """Return x modulo 2^bits, in the range of the type."""
    x %= 1 << type.bits
    return x - (1 << type.bits) if type.kind == "signed" and x >> (type.bits - 1) else x


def truncated(x: float, type: ElementType) -> int:
    if isnan(x):
        return 0
    low, high = type.min_value, type.max_value
    if isinf(x):
        return high if x > 0 else low
    return min(max(int(x), low), high)


def converted(x: Any, source: ElementType, result: ElementType) -> Any:
    """Return a plain element in another plain type."""
    if source.kind == "complex" or result.kind == "complex":
        part = lambda t: ELEMENT(t) if t.kind == "complex" else t
        real, imag = x if source.kind == "complex" else (x, 0.0)
        real = converted(real, part(source), part(result))
        return (real, fl(float(imag), part(result).name)) if result.kind == "complex" else real
    if result.kind == "boolean":
        return x != 0
    if result.kind == "float":
        return fl(x if isinstance(x, float) else int(x), result.name)
    return truncated(x, result) if source.kind == "float" else wrapped(int(x), result)


def ELEMENT(type: ElementType) -> ElementType:
    """Return the type of a complex number's parts."""
    from spec.types import ELEMENT_TYPES

    return ELEMENT_TYPES[type.name[8:-1]]


def to_destination_type(x: Any, source: Type, result: Type) -> Any:
    """Convert an element of a per-tensor or plain type to another (E2)."""
    if source == result:
        return x
    if isinstance(source, QuantizedType):
        x, source = dequantize(x, source, source.scale, source.zero_point), source.expressed_type
    if isinstance(result, QuantizedType):
        x = converted(x, source, result.expressed_type)
        return quantize(x, result, result.scale, result.zero_point)
    return converted(x, source, result)
