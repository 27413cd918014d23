"""Quantized types of tensors whose scale and zero point stand behind them among the inputs of a node."""

from __future__ import annotations

from typing import Any

import numpy as np

from interp.apps.onnx.loading.build import F32, I32
from interp.apps.onnx.loading.node import Node, Symbol
from interp.apps.onnx.loading.static import of, smallest_normal
from interp.apps.onnx.loading.tensors import stored
from spec.ir import Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType


def of_storage(storage: ElementType, scales: Any, points: Any = 0, axis: int | None = None) -> QuantizedType:
    """Return the type with these scales in f32, and with these zero points or one for all."""
    numbers = tuple(map(float, np.asarray(scales, np.float32).reshape(-1)))
    return of(storage, F32, numbers, tuple(np.broadcast_to(points, len(numbers)).tolist()), axis)


def type_at(n: Node, k: int, axis: int = 0) -> QuantizedType | None:
    """Return the type of the tensor at input k; None if its parameters are not known, or no type has them.

    axis: the dimension that several scales belong to.
    """
    storage, x = n.type(k).storage_type, n.type(k)
    if not n.symbol(k + 1).is_known or not (n.inputs[k + 2] is None or n.symbol(k + 2).is_known):
        return None
    scales = n.known(k + 1).reshape(-1)
    points = n.known(k + 2).reshape(-1) if n.has(k + 2) else np.zeros(1, np.int64)
    if n.has(k + 2) and n.type(k + 2).storage_type != storage:
        raise n.malformed(f"a zero point of {n.type(k + 2)!r} for {x!r}")
    if points.size not in (1, scales.size) or (scales.size > 1 and scales.size != x.shape[axis]):
        raise n.malformed(f"{scales.size} scales and {points.size} zero points for {x!r}")
    return typed(storage, scales, points, axis % x.rank if scales.size > 1 else None)


def result_type(n: Node, k: int) -> QuantizedType | None:
    """Return the type of the result, whose scale is input k and whose zero point follows it."""
    if not n.symbol(k).is_known or (n.has(k + 1) and not n.symbol(k + 1).is_known):
        return None
    storage = n.type(k + 1).storage_type if n.has(k + 1) else n.type(0).storage_type
    points = n.known(k + 1).reshape(-1) if n.has(k + 1) else np.zeros(1, np.int64)
    scales = n.known(k).reshape(-1)
    if scales.size != 1 or points.size != 1:
        raise n.malformed(f"{scales.size} scales and {points.size} zero points for the result")
    return typed(storage, scales, points, None)


def typed(storage: ElementType, scales: Any, points: Any, axis: int | None) -> QuantizedType | None:
    """Return the type, or None if the scales are not normal positive numbers of f32."""
    normal = scales.dtype == np.float32 and np.isfinite(scales).all()
    if not normal or not storage.is_integer or (scales < smallest_normal(F32)).any():
        return None
    return of_storage(storage, scales, points.astype(np.int64), axis)


def as_type(n: Node, symbol: Symbol, type: QuantizedType) -> Value:
    """Return a tensor's stored numbers in a quantized type; a constant is written in it."""
    if symbol.value is None:
        return n.b.array(stored(symbol.known(), type.storage_type), type)
    return n.b.bitcast(symbol.value, type)


def signed(n: Node, x: Value) -> Value:
    """Return the same numbers in signed storage: stored numbers and zero point move by half the range."""
    type = x.type.quantized_element_type
    if type.storage_type.kind == "signed":
        return x
    storage = ELEMENT_TYPES[f"i{type.storage_type.bits}"]
    return n.b.quantize(x, of_storage(storage, type.scale, type.zero_point + storage.min_value))


def moved(n: Node, x: Value) -> Value:
    """Return stored numbers less their zero points, as 32-bit integers."""
    type = x.type.quantized_element_type
    wide = n.b.convert(n.plain(x), I32)
    points = n.b.array(np.asarray(type.zero_points, np.int32), I32)
    if type.quantization_dimension is None:
        return n.b.binary("subtract", wide, n.b.reshape(points, ()))
    return n.b.binary("subtract", wide, n.b.place(points, wide.type.shape, (type.quantization_dimension,)))
