"""Operators that move elements: they keep the numbers, and quantized types, as they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np

from interp.apps.onnx.loading.node import Build, Node
from interp.loading.build import I64, Folds
from spec.ir import Value
from spec.types import TensorType


def reshape(n: Node) -> Value:
    """Return x in another shape: 0 keeps a size (unless `allowzero`), -1 stands for what is left."""
    x = n.raw_value(0)
    shape = n.parameter("shape", 1)
    if not n.attribute("allowzero", 0):
        if any(size == 0 and d >= x.type.rank for d, size in enumerate(shape)):
            raise n.malformed_error(f"shape {shape} keeps a dimension that the operand does not have")
        shape = [x.type.shape[d] if size == 0 else size for d, size in enumerate(shape)]
    if shape.count(-1) == 1:
        others = int(np.prod([size for size in shape if size != -1], dtype=object))
        whole = x.type.size // others if others > 0 and x.type.size % others == 0 else -1
        shape = [whole if size == -1 else size for size in shape]
    return reshape_to(n, x, shape)


def reshape_to(n: Node, x: Value, shape: Sequence[int]) -> Value:
    """Return x in a shape of as many elements; `Malformed` if it has more or fewer."""
    if min(shape, default=1) < 0 or int(np.prod(shape, dtype=object)) != x.type.size:
        raise n.malformed_error(f"{list(x.type.shape)} cannot have the shape {list(shape)}")
    try:
        return n.b.reshape(x, shape)
    except ValueError:
        return n.b.reshape(n.plain(x), shape)


def flatten(n: Node) -> Value:
    x = n.raw_value(0)
    axis = n.attribute("axis", 1)
    if not -x.type.rank <= axis <= x.type.rank:
        raise n.malformed_error(f"axis {axis} is out of range for rank {x.type.rank}")
    axis += x.type.rank if axis < 0 else 0
    sizes = x.type.shape
    return reshape_to(n, x, [int(np.prod(sizes[:axis])), int(np.prod(sizes[axis:]))])


def squeeze(n: Node) -> Value:
    x = n.raw_value(0)
    axes = n.parameter("axes", 1)
    if axes is None:
        axes = [d for d, size in enumerate(x.type.shape) if size == 1]
    axes = n.places(axes, x.type.rank)
    if any(x.type.shape[d] != 1 for d in axes):
        raise n.malformed_error(f"axes {axes} of {list(x.type.shape)} do not all have one element")
    return reshape_to(n, x, [size for d, size in enumerate(x.type.shape) if d not in axes])


def unsqueeze(n: Node) -> Value:
    x = n.raw_value(0)
    axes = n.parameter("axes", 1)
    places = n.places(axes, x.type.rank + len(axes))
    shape = list(x.type.shape)
    for d in sorted(places):
        shape.insert(d, 1)
    return reshape_to(n, x, shape)


def transpose(n: Node) -> Value:
    x = n.raw_value(0)
    permutation = n.attribute("perm", list(range(x.type.rank))[::-1])
    if sorted(permutation) != list(range(x.type.rank)):
        raise n.malformed_error(f"perm {permutation} is not a permutation of {x.type.rank} dimensions")
    return n.b.transpose(x, permutation)


def concat(n: Node) -> Value:
    values = [n.raw_value(k) for k in range(len(n.inputs))]
    if len({v.type.element_type for v in values}) > 1 or not values[0].type.is_quantized:
        values = n.values()
    axis = n.axis(1, values[0].type.rank)
    others = {tuple(s for d, s in enumerate(v.type.shape) if d != axis) for v in values}
    if len(others) > 1 or len({v.type.rank for v in values}) > 1:
        raise n.malformed_error("the shapes differ", ", ".join(repr(v.type) for v in values))
    return n.b.concatenate(values, axis)


def split(n: Node) -> Sequence[Value]:
    """Return the parts: of the given sizes, or of equal size but for the last."""
    x = n.raw_value(0)
    axis, count = n.axis(0, x.type.rank), len(n.proto.output)
    size = x.type.shape[axis]
    part = -(-size // max(n.attribute("num_outputs", count), 1))
    equal = [max(0, min(part, size - k * part)) for k in range(count)]
    sizes = n.parameter("split", 1, equal)
    if sum(sizes) != size or min(sizes, default=0) < 0 or len(sizes) != count:
        raise n.malformed_error(f"parts {sizes} of a dimension of {size}, for {count} outputs")
    ends = list(accumulate(sizes))
    pairs = zip(ends, sizes, strict=True)
    return [n.b.slice_in(x, axis, end - each, end) for end, each in pairs]


def slices(n: Node) -> Value:
    """Return a slice along each axis, bounds cut to the size; a negative step reverses.

    A start before the front is the first element for a negative step, too, other than Python has it.
    """
    x = n.raw_value(0)
    starts, ends = n.parameter("starts", 1), n.parameter("ends", 2)
    axes = n.places(n.parameter("axes", 3, list(range(len(starts)))), x.type.rank)
    steps = n.integers(4) if n.has(4) else [1] * len(starts)
    if not len(starts) == len(ends) == len(axes) == len(steps) or 0 in steps:
        raise n.malformed_error(f"starts {starts}, ends {ends}, axes {axes}, steps {steps} do not fit")
    whole = [slice(0, size, 1) for size in x.type.shape]
    for axis, *ends_and_step in zip(axes, starts, ends, steps, strict=True):
        size = x.type.shape[axis]
        first, stop, step = slice(*ends_and_step).indices(size)
        whole[axis] = slice(max(first, 0) if size else first, stop, step)
    return slice_at(n, x, whole)


def slice_at(n: Node, x: Value, parts: Sequence[slice]) -> Value:
    """Return x at Python's slices, whose bounds are within the sizes."""
    counts = [len(range(p.start, p.stop, p.step)) for p in parts]
    back = [d for d, p in enumerate(parts) if p.step < 0]
    pairs = list(zip(parts, counts, strict=True))
    lows = [p.start + (c - 1) * p.step if p.step < 0 and c else p.start for p, c in pairs]
    lows = [low if c else 0 for low, c in zip(lows, counts, strict=True)]
    strides = [abs(p.step) for p in parts]
    limits = [low + (c - 1) * s + 1 if c else low for low, c, s in zip(lows, counts, strides, strict=True)]
    return n.b.reverse(n.b.slice(x, lows, limits, strides), back)


def gather(n: Node) -> Value:
    x = n.raw_value(0)
    axis = n.axis(0, x.type.rank)
    if x.type.is_quantized and not x.type.quantized_element_type.is_per_tensor:
        x = n.plain(x)
    return n.b.gather(x, indices(n, 1, x.type.shape[axis]), axis)


def indices(n: Node, k: int, sizes: int | Sequence[int]) -> Value:
    """Return an input of indices counted from the front; sizes: of the dimension that each of them is for."""
    if n.symbol(k).is_known:
        array = n.constant(k)
        if not ((np.negative(sizes) <= array) & (array < sizes)).all():
            raise n.malformed_error(f"indices are out of range for a dimension of {sizes}")
        return n.b.array(np.where(array < 0, array + sizes, array), n.type(k).element_type)
    x = n.value(k)
    negative = n.b.compare("LT", x, n.b.full(0, x.type))
    from_end = n.b.binary("add", x, n.b.array(np.asarray(sizes), x.type.tensor_element_type))
    return n.b.select(negative, from_end, x)


def take(n: Node, x: Value, places: Sequence[int] | np.ndarray, axis: int) -> Value:
    """Return the slices of x at known places along an axis."""
    if list(places) == list(range(x.type.shape[axis])):
        return x
    return n.b.gather(x, n.b.array(np.asarray(places, np.int64), I64), axis)


def expand(n: Node) -> Value:
    x = n.raw_value(0)
    shape = n.integers(1)
    try:
        return n.b.broadcast(x, np.broadcast_shapes(x.type.shape, tuple(shape)))
    except ValueError as error:
        raise n.malformed_error("the shapes do not fit", str(error)) from None


def tile(n: Node) -> Value:
    x = n.raw_value(0)
    for axis, count in enumerate(n.integers(1)):
        if not 0 <= count * x.type.size < 1 << 31:
            raise n.malformed_error(f"{count} repetitions of {list(x.type.shape)}")
        x = n.b.concatenate([x] * count, axis) if count else n.b.slice_in(x, axis, 0, 0)
    return x


def pad(n: Node) -> Value:
    x = n.raw_value(0) if n.attribute("mode", "constant") != "constant" else n.value(0)
    rank = x.type.rank
    pads = n.parameter("pads", 1, n.attribute("paddings"))
    axes = n.places(n.integers(3), rank) if n.has(3) else list(range(rank))
    if len(pads) != 2 * len(axes):
        raise n.malformed_error(f"{len(pads)} pads for {len(axes)} axes")
    padding = [(0, 0)] * rank
    for k, axis in enumerate(axes):
        padding[axis] = pads[k], pads[k + len(axes)]
    if any(size + low + high < 0 for size, (low, high) in zip(x.type.shape, padding, strict=True)):
        raise n.malformed_error(f"pads {pads} cut more than there is of {list(x.type.shape)}")
    if n.attribute("mode", "constant") != "constant":
        return pad_by_index(n, x, padding)
    given = n.value(2) if n.has(2) else None
    scalar = (
        n.b.reshape(given, ()) if given else n.b.full(n.attribute("value", 0), x.type.tensor_element_type)
    )
    return n.b.pad(x, scalar, padding)


def pad_by_index(n: Node, x: Value, padding: Sequence[tuple[int, int]]) -> Value:
    """Return x padded with elements of its own: edge, reflect, wrap."""
    for axis, (low, high) in enumerate(padding):
        size = x.type.shape[axis]
        if low > 0 or high > 0:
            if not size or max(low, high) > 1 << 20:
                raise n.malformed_error(f"pads {low, high} of a dimension of {size}")
            mode = {"edge": "edge", "reflect": "reflect", "wrap": "wrap"}[n.attribute("mode")]
            places = np.pad(np.arange(size), (max(low, 0), max(high, 0)), mode)  # type: ignore[call-overload]
            x = take(n, x, places, axis)
        if low < 0 or high < 0:
            x = n.b.slice_in(x, axis, max(0, -low), x.type.shape[axis] - max(0, -high))
    return x


def depth_to_space(n: Node) -> Value:
    x = n.raw_value(0)
    block, (batch, depth, height, width) = n.attribute("blocksize"), x.type.shape
    inner = depth // (block * block)
    column_first = n.attribute("mode", "DCR") == "CRD"
    shape = [inner, block, block] if column_first else [block, block, inner]
    order = (0, 1, 4, 2, 5, 3) if column_first else (0, 3, 4, 1, 5, 2)
    x = n.b.transpose(reshape_to(n, x, [batch, *shape, height, width]), order)
    return n.b.reshape(x, [batch, inner, height * block, width * block])


def space_to_depth(n: Node) -> Value:
    x = n.raw_value(0)
    block, (batch, depth, height, width) = n.attribute("blocksize"), x.type.shape
    shape = [batch, depth, height // block, block, width // block, block]
    order = (0, 1, 3, 5, 2, 4) if n.attribute("mode", "DCR") == "CRD" else (0, 3, 5, 1, 2, 4)
    x = n.b.transpose(reshape_to(n, x, shape), order)
    return n.b.reshape(x, [batch, depth * block * block, height // block, width // block])


def reverse_up_to(b: Folds, x: Value, lengths: Value, time_axis: int) -> Value:
    """Return x with the first `lengths[k]` steps of element k of the batch reversed.

    The first two dimensions are time and batch, in the order that `time_axis` says.
    """
    first, second, *rest = x.type.shape
    grid = TensorType((first, second), I64)
    steps, places = (b.iota(grid.shape, d, I64) for d in (time_axis, 1 - time_axis))
    ends = b.place(lengths, grid.shape, (1 - time_axis,))
    back = b.binary_scalar("subtract", b.binary("subtract", ends, steps), 1)
    steps = b.select(b.compare("LT", steps, ends), back, steps)
    rows = (steps, places) if time_axis == 0 else (places, steps)
    index = b.binary("add", b.binary_scalar("multiply", rows[0], second), rows[1])
    flat = b.reshape(x, (first * second, *rest))
    return b.gather(flat, index, 0)


def reverse_sequence(n: Node) -> Value:
    x = n.value(0)
    time_axis, batch_axis = n.attribute("time_axis", 0), n.attribute("batch_axis", 1)
    if {time_axis, batch_axis} != {0, 1} or x.type.rank < 2:
        raise n.malformed_error(f"time_axis {time_axis} and batch_axis {batch_axis} of {x.type!r}")
    if n.type(1).shape != (x.type.shape[batch_axis],):
        raise n.malformed_error(f"lengths are {n.type(1)!r}", f"expected {x.type.shape[batch_axis]} of them")
    return reverse_up_to(n.b, x, n.b.convert(n.value(1), I64), time_axis)


TABLE: dict[str, Build] = {
    "Concat": concat,
    "DepthToSpace": depth_to_space,
    "Expand": expand,
    "Flatten": flatten,
    "Gather": gather,
    "Pad": pad,
    "Reshape": reshape,
    "ReverseSequence": reverse_sequence,
    "Slice": slices,
    "SpaceToDepth": space_to_depth,
    "Split": split,
    "Squeeze": squeeze,
    "Tile": tile,
    "Transpose": transpose,
    "Unsqueeze": unsqueeze,
}
