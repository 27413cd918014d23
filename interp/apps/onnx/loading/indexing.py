"""Operators that read or write single elements, at indices that count from the end if they are negative.

ONNX leaves open what an index out of range does. One that is constant is an error; of those that the program
computes, reads go to the nearest element, and writes are left out, as StableHLO has it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interp.apps.onnx.loading.movement import indices
from interp.apps.onnx.loading.node import Build, Node
from interp.loading.build import I64, Folds
from interp.loading.folding import scatter
from spec.ir import Value

BODIES = {"add": "add", "mul": "multiply", "max": "maximum", "min": "minimum"}


def gather_elements(n: Node) -> Value:
    """Return x at indices along an axis; the other indices are those of the result."""
    x = readable(n, 0)
    axis = n.axis(0, x.type.rank)
    places = indices(n, 1, x.type.shape[axis])
    return gather_along(n, x, places, axis)


def gather_along(n: Node, x: Value, places: Value, axis: int) -> Value:
    x = n.b.slice(x, [0] * x.type.rank, box(n, x, places, axis), [1] * x.type.rank)
    others = [d for d in range(x.type.rank) if d != axis]
    return gather_points(n.b, x, places, others, [axis], x.type.rank)


def box(n: Node, x: Value, places: Value, axis: int) -> list[int]:
    """Return the sizes of the part of x that indices along an axis can reach."""
    sizes = list(places.type.shape)
    if len(sizes) != x.type.rank or any(
        size > whole for d, (size, whole) in enumerate(zip(sizes, x.type.shape, strict=True)) if d != axis
    ):
        raise n.malformed_error(f"indices of shape {sizes} for {x.type!r} along axis {axis}")
    sizes[axis] = x.type.shape[axis]
    return sizes


def readable(n: Node, k: int) -> Value:
    """Return an input whose elements can be taken apart: of a quantized type only if it is per tensor."""
    x = n.raw_value(k)
    is_per_axis = x.type.is_quantized and not x.type.quantized_element_type.is_per_tensor
    return n.plain(x) if is_per_axis else x


def gather_nd(n: Node) -> Value:
    """Return the slices of x at index vectors, which are the last dimension of the indices."""
    x, batch = readable(n, 0), n.attribute("batch_dims", 0)
    axes = vector_axes(n, x, batch)
    places = indices(n, 1, [x.type.shape[d] for d in axes])
    return gather_points(n.b, x, places, list(range(batch)), axes, places.type.rank - 1)


def vector_axes(n: Node, x: Value, batch: int) -> list[int]:
    """Return the dimensions of x that an index vector is for."""
    shape = n.type(1).shape
    if not shape or not 0 <= batch < len(shape) or x.type.shape[:batch] != shape[:batch]:
        raise n.malformed_error(f"indices of shape {list(shape)} for {x.type!r}, batch_dims {batch}")
    if not 1 <= shape[-1] <= x.type.rank - batch:
        raise n.malformed_error(f"index vectors of {shape[-1]} numbers for {x.type!r}, batch_dims {batch}")
    return list(range(batch, batch + shape[-1]))


def scatter_elements(n: Node) -> Value:
    """Return x with updates written, or folded, at indices along an axis."""
    x, updates = n.value(0), n.value(2)
    axis = n.axis(0, x.type.rank)
    places = indices(n, 1, x.type.shape[axis])
    if updates.type.shape != places.type.shape:
        raise n.malformed_error(f"updates {updates.type!r} for indices {places.type!r}")
    sizes = box(n, x, places, axis)
    others = [d for d in range(x.type.rank) if d != axis]
    part = n.b.slice(x, [0] * x.type.rank, sizes, [1] * x.type.rank)
    part = scatter_points(n, part, places, updates, others, [axis], x.type.rank)
    if tuple(sizes) == x.type.shape:
        return part
    zeros = [n.b.full(0, I64)] * x.type.rank
    return n.b.emit("dynamic_update_slice", [x, part, *zeros], x.type)


def scatter_nd(n: Node) -> Value:
    """Return x with slices written, or folded, at index vectors."""
    x, updates = n.value(0), n.value(2)
    axes = vector_axes(n, x, 0)
    places = indices(n, 1, [x.type.shape[d] for d in axes])
    if updates.type.shape != (*places.type.shape[:-1], *x.type.shape[len(axes) :]):
        raise n.malformed_error(f"updates {updates.type!r} for indices {places.type!r} and {x.type!r}")
    return scatter_points(n, x, places, updates, [], axes, places.type.rank - 1)


def tensor_scatter(n: Node) -> Value:
    """Return a cache with an update written along an axis, for each batch from its own index on."""
    cache, update = n.value(0), n.value(1)
    axis = n.axis(-2, cache.type.rank)
    shape, count = cache.type.shape, update.type.shape[axis]
    if axis == 0 or update.type.shape != (*shape[:axis], count, *shape[axis + 1 :]) or count > shape[axis]:
        raise n.malformed_error(f"an update {update.type!r} of {cache.type!r} along axis {axis}")
    steps = n.b.iota((shape[0], count), 1, I64)
    if n.has(2):
        first = n.b.convert(n.value(2), I64)
        steps = n.b.binary("add", n.b.place(first, steps.type.shape, [0]), steps)
    if n.attribute("mode", "linear") == "circular":
        steps = n.b.binary_scalar("remainder", steps, shape[axis])
    order = [0, axis, *(d for d in range(1, len(shape)) if d != axis)]
    return scatter_points(n, cache, steps, n.b.transpose(update, order), [0], [axis], 2)


def one_hot(n: Node) -> Value:
    """Return the value "on" at each index, counted along a new axis, and the value "off" elsewhere."""
    depth, places = n.integers(1)[0], n.b.convert(n.value(0), I64)
    axis = n.axis(-1, places.type.rank + 1)
    if depth < 0:
        raise n.malformed_error(f"a depth of {depth}")
    negative = n.b.compare("LT", places, n.b.full(0, places.type))
    places = n.b.select(negative, n.b.binary_scalar("add", places, depth), places)
    shape = (*places.type.shape[:axis], depth, *places.type.shape[axis:])
    spread = n.b.place(places, shape, [d for d in range(len(shape)) if d != axis])
    values = n.value(2)
    off, on = (n.b.reshape(n.b.slice_in(values, 0, k, k + 1), ()) for k in (0, 1))
    return n.b.select(n.b.compare("EQ", n.b.iota(shape, axis, I64), spread), on, off)


def triangle(n: Node) -> Value:
    """Return the upper or the lower triangle of matrices, from a diagonal on, and zeros elsewhere."""
    x = n.value(0)
    if x.type.rank < 2:
        raise n.malformed_error(f"expected matrices, got {x.type!r}")
    shape = x.type.shape[-2:]
    row, column = (n.b.iota(shape, d, I64) for d in (0, 1))
    diagonal = n.b.reshape(n.value(1), ()) if n.has(1) else n.b.full(0, I64)
    way = "GE" if n.attribute("upper", 1) else "LE"
    keeps = n.b.compare(way, n.b.binary("subtract", column, row), diagonal)
    return n.b.select(keeps, x, n.b.full(0, x.type))


# The gather and the scatter of StableHLO at points.
#
# batching: dimensions of x that are also those of the indices. axes: dimensions of x that an index is for.
# index_vector_dim: where the vectors of indices are, the rank of the indices if there is one for each.


def gather_points(
    b: Folds, x: Value, places: Value, batching: Sequence[int], axes: Sequence[int], index_vector_dim: int
) -> Value:
    """Return the slices of x at points; the dimensions of the indices come first."""
    lead = [size for d, size in enumerate(places.type.shape) if d != index_vector_dim]
    single = (*batching, *axes)
    shape = (*lead, *(size for d, size in enumerate(x.type.shape) if d not in single))
    attributes = {
        "offset_dims": tuple(range(len(lead), len(shape))),
        "collapsed_slice_dims": tuple(sorted(axes)),
        "operand_batching_dims": tuple(batching),
        "start_indices_batching_dims": tuple(batching),
        "start_index_map": tuple(axes),
        "index_vector_dim": index_vector_dim,
        "slice_sizes": tuple(1 if d in single else size for d, size in enumerate(x.type.shape)),
        "indices_are_sorted": False,
    }
    return b.emit("gather", [x, places], replace(x.type, shape=shape), (), **attributes)


def scatter_points(
    n: Node,
    x: Value,
    places: Value,
    updates: Value,
    batching: Sequence[int],
    axes: Sequence[int],
    index_vector_dim: int,
) -> Value:
    """Return x with updates at points: written, or folded as the attribute `reduction` says."""
    reduction = n.attribute("reduction", "none")
    if reduction not in ("none", *BODIES):
        raise n.malformed_error(f"reduction {reduction!r}", f"expected none, {', '.join(BODIES)}")
    return scatter(n.b, x, places, updates, BODIES.get(reduction, ""), batching, axes, index_vector_dim)


TABLE: dict[str, Build] = {
    "GatherElements": gather_elements,
    "GatherND": gather_nd,
    "OneHot": one_hot,
    "Scatter": scatter_elements,
    "ScatterElements": scatter_elements,
    "ScatterND": scatter_nd,
    "TensorScatter": tensor_scatter,
    "Trilu": triangle,
}
