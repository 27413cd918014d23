"""Quantized types that materialization derives: accumulators, wider storage, constants, moved axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from interp.backends import fl
from interp.theory.addition import choice_is_exact
from interp.theory.contracted_bounds import channels
from spec.ir import Op
from spec.types import QuantizedType, TensorType, integer


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


def accumulator(like: QuantizedType, scales: Sequence[float], axis: int | None = None) -> QuantizedType:
    """Return i32 with zero point 0 and these scales, per axis where there are several."""
    if axis is None or len(scales) == 1:
        axis, scales = None, scales[:1]
    wide = replace(
        like,
        scales=tuple(scales),
        zero_points=(0,) * len(scales),
        quantization_dimension=axis,
        block_sizes=None,
    )
    return stored_in(wide, 32)


def product_type(op: Op, left: QuantizedType, right: QuantizedType) -> QuantizedType | None:
    """Return the type of a contraction's sums: the product of the scales; None where there is none."""
    scales = [fl(left.scale, left.expressed_type) * fl(scale, right.expressed_type) for scale in right.scales]
    if not all(is_scale(scale, left) for scale in scales):
        return None
    if not right.is_per_axis:
        return accumulator(left, scales)
    placed = dict(channels(op)[1])
    axis = placed.get(right.quantization_dimension or 0)
    return None if axis is None else accumulator(left, scales, axis)


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
    """Return the type after an operation that moves elements; None where the axis does not survive."""
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
