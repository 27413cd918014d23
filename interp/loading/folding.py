"""Folds and sorts of values of a program, by the name of an operation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interp.loading.build import F32, I1, Folds, Window
from spec.ir import Op, Region, Value
from spec.types import ElementType, TensorType

SMALLEST = {"maximum": True, "minimum": False}  # whether the identity is the least number


def identity_of(body: str, x: TensorType) -> int | float:
    """Return the stored number that a body leaves every other unchanged with."""
    if x.is_quantized:
        type = x.quantized_element_type
        return type.storage_min if SMALLEST[body] else type.storage_max
    element = x.tensor_element_type
    if body in ("add", "multiply"):
        return int(body == "multiply")
    if element.kind == "float":
        return -np.inf if SMALLEST[body] else np.inf
    if element.kind == "boolean":
        return int(not SMALLEST[body])
    return element.min_value if SMALLEST[body] else element.max_value


def init(b: Folds, body: str, x: Value) -> Value:
    return b.full(identity_of(body, x.type), TensorType((), x.type.element_type))


def fold(b: Folds, x: Value, body: str, dimensions: Sequence[int]) -> Value:
    """Return x folded along dimensions; sums of 16-bit floats are kept in f32, as runtimes do."""
    if not dimensions:
        return x
    element = x.type.element_type
    if body != "add" or not isinstance(element, ElementType) or element.kind != "float" or element.bits > 16:
        return b.reduce(x, init(b, body, x), body, dimensions)
    wide = b.convert(x, F32)
    return b.convert(b.reduce(wide, init(b, body, wide), body, dimensions), element)


def running_fold(
    b: Folds, x: Value, body: str, axis: int, exclusive: bool = False, reverse: bool = False
) -> Value:
    """Return the fold of all elements up to each one along an axis, or from it on in reverse.

    exclusive: without the element itself.
    """
    if not x.type.size:
        return x
    size, shift = x.type.shape[axis], int(exclusive)
    ends = (size - 1 + shift, -shift)
    ones, none = [1] * x.type.rank, [(0, 0)] * x.type.rank
    dimensions, padding = list(ones), list(none)
    dimensions[axis] = size
    padding[axis] = ends[::-1] if reverse else ends
    window = Window(tuple(dimensions), tuple(ones), tuple(ones), tuple(padding))
    return b.reduce_window(x, init(b, body, x), body, window)


def sort(b: Folds, values: Sequence[Value], axis: int, way: str) -> tuple[Value, ...]:
    """Return values sorted along an axis by the first of them, stably; floats in total order."""
    scalars = [TensorType((), v.type.element_type) for v in values]
    arguments = tuple(Value(b.fresh(hint), type) for type in scalars for hint in ("a", "b"))
    key = scalars[0].tensor_element_type
    kind = {"float": "TOTALORDER", "signed": "SIGNED"}.get(key.kind, "UNSIGNED")
    inner = Folds(b.taken, [], b.location, b.hint, {}, b)
    attributes = {"comparison_direction": way, "compare_type": kind}
    compared = inner.emit("compare", arguments[:2], TensorType((), I1), (), **attributes)
    region = Region(arguments, (*inner.ops, Op("stablehlo.return", (compared,), ())))
    types = [v.type for v in values]
    return b.emit_all("sort", values, types, (region,), dimension=axis, is_stable=True)


def scatter(
    b: Folds,
    x: Value,
    places: Value,
    updates: Value,
    body: str,
    batching: Sequence[int],
    axes: Sequence[int],
    index_vector_dim: int,
) -> Value:
    """Return x with updates at points, folded by a body, or written if there is none.

    batching: dimensions of x that are also those of the indices. axes: dimensions of x that an index is for.
    index_vector_dim: where the vectors of indices are, the rank of the indices if there is one for each.
    """
    lead = len(places.type.shape) - (index_vector_dim < places.type.rank)
    attributes = {
        "update_window_dims": tuple(range(lead, updates.type.rank)),
        "inserted_window_dims": tuple(axes),
        "input_batching_dims": tuple(batching),
        "scatter_indices_batching_dims": tuple(batching),
        "scatter_dims_to_operand_dims": tuple(axes),
        "index_vector_dim": index_vector_dim,
        "indices_are_sorted": False,
        "unique_indices": False,
    }
    scalar = TensorType((), x.type.element_type)
    region = b.body(body, scalar) if body else _last(b, scalar)
    return b.emit("scatter", [x, places, updates], x.type, (region,), **attributes)


def _last(b: Folds, type: TensorType) -> Region:
    """Return a body that gives its second argument."""
    arguments = tuple(Value(b.fresh(hint), type) for hint in ("a", "b"))
    return Region(arguments, (Op("stablehlo.return", arguments[1:], ()),))
