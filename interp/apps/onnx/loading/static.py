"""Quantized types for scales and zero points that are known, and the theorems that they give ONNX's bits.

Let u = 2**-p for the precision p of the expressed type, s a normal scale, z a zero point, and q an integer.

Quantize. Without zero points `uniform_quantize` rounds x / s and saturates, as ONNX does. With them ONNX
adds z after the rounding, and StableHLO before. So q = round(x / s) is stored first, in i32 with the zero
point 0, and quantized again: fl(fl(fl(q s) / s) + z). Each of the three roundings has a relative error of at
most u where q s is neither subnormal nor infinite, so that the sum is off by less than 1/2, and rounds to
q + z, if (2 + u) u |q| (1 + u) + u |q + z| < 1/2. All steps are monotone in q. Hence it is enough that this
holds for q + z in the storage range: beyond, results are no nearer to it, and saturate.

Dequantize. StableHLO rounds q - z, and its product with s, to the expressed type; ONNX to f32 here, and then
to the type of y (erratum E42). They are equal if that is f32. In f16 and bf16 they are equal if q - z is
exact, which has at most p bits then: the product of 2 p <= 24 bits is exact in f32.
"""

from __future__ import annotations

from fractions import Fraction
from math import isfinite

from interp.backends import fl
from spec.elements import ELEMENT_TYPES, ElementType
from spec.onnx.node import Node
from spec.quantized import QuantizedType

EXPRESSED = ("f32", "f16", "bf16")
I32 = ELEMENT_TYPES["i32"]
HALF = Fraction(1, 2)


def quantized_to(node: Node, storage: ElementType, expressed: ElementType) -> QuantizedType | None:
    """Return the type to which `uniform_quantize` gives the bits of QuantizeLinear, or None."""
    type = known_type(node, "y", storage, expressed)
    return type if type and (not any(type.zero_points) or requantizes_exactly(type)) else None


def dequantized_from(node: Node, result: ElementType) -> QuantizedType | None:
    """Return the type from which `uniform_dequantize` gives the bits of DequantizeLinear, or None."""
    type = known_type(node, "x", node.element("x"), result)
    return type if type and dequantizes_exactly(type) else None


def known_type(node: Node, name: str, storage: ElementType, expressed: ElementType) -> QuantizedType | None:
    """Return the quantized type of known parameters, or None if there is none, or they are not known."""
    scales = node.known.get(f"{name}_scale")
    zero_points = node.known.get(f"{name}_zero_point", None if node.has(f"{name}_zero_point") else ())
    if scales is None or zero_points is None or node["block_size"]:
        return None
    rounded = tuple(fl(s, expressed) for s in scales)
    if not storage.is_integer or expressed.name not in EXPRESSED or rounded != tuple(map(float, scales)):
        return None
    if not all(isfinite(s) and s >= smallest_normal(expressed) for s in rounded):
        return None
    points = tuple(map(int, zero_points)) or (0,) * len(scales)
    axis = node["axis"] % node["x"].type.rank if len(scales) > 1 else None
    return of(storage, expressed, rounded, points, axis)


def of(
    storage: ElementType,
    expressed: ElementType,
    scales: tuple[float, ...],
    zero_points: tuple[int, ...],
    axis: int | None,
) -> QuantizedType:
    """Return a quantized type whose storage has its whole range."""
    bounds = storage.min_value, storage.max_value
    spelling = storage.name.removeprefix("u").replace("i", "u") if storage.kind == "unsigned" else ""
    return QuantizedType(storage, *bounds, expressed, scales, zero_points, axis, spelling=spelling)


def smallest_normal(type: ElementType) -> float:
    return float(2.0 ** (1 - type.bias))


def wide(type: QuantizedType) -> QuantizedType:
    """Return the type of 32 bits with the same scales, and zero points 0."""
    zeros = (0,) * len(type.scales)
    return of(I32, type.expressed_type, type.scales, zeros, type.quantization_dimension)


def requantizes_exactly(type: QuantizedType) -> bool:
    """Return whether the theorem on quantization holds for each scale and zero point."""
    u = Fraction(1, 2**type.expressed_type.precision)
    top = max(abs(type.storage_min), abs(type.storage_max))
    for scale, zero_point in zip(type.scales, type.zero_points, strict=True):
        q = max(abs(type.storage_min - zero_point), abs(type.storage_max - zero_point))
        if not (2 + u) * u * q * (1 + u) + u * top < HALF:
            return False
        if not isfinite(fl(q * scale, type.expressed_type)):
            return False
    return True


def dequantizes_exactly(type: QuantizedType) -> bool:
    """Return whether the theorem on dequantization holds for each zero point."""
    precision = type.expressed_type.precision
    if type.expressed_type.name == "f32":
        return True
    ends = (abs(end - z) for z in type.zero_points for end in (type.storage_min, type.storage_max))
    return all(end.bit_length() <= precision for end in ends)
