"""Operators that move stored numbers: shapes, slices, padding, joins, and blocks of images."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert.contractions import images
from interp.apps.litert.node import Build, Node, Result, with_element
from spec.ir import Value
from spec.types import QuantizedType, TensorType


def as_output(n: Node, k: int = 0) -> Value:
    """Return an input in the type of the output, whatever the scales."""
    if n.tensor(k).storage != n.out().storage:
        raise n.malformed_error(
            f"input {k} of {n.type(k)!r} for {n.out().type!r}", "expected one storage type"
        )
    return with_element(n.b, n.value(k), n.out().element)


def reshape(n: Node) -> Result:
    """Return the elements in another shape: that of the constant or the options, or of the output."""
    wanted = n.integers(1) if n.is_known(1) else n.option("shape") or list(n.out().shape)
    size = n.type(0).size
    if wanted.count(-1) == 1:
        rest = prod(k for k in wanted if k != -1)
        wanted = [size // rest if k == -1 and rest else k for k in wanted]
    if prod(wanted) != size and prod(n.out().shape) == size:
        wanted = list(n.out().shape)  # the constant has the batch size of another call
    if prod(wanted) != size and len(unknown := n.out().unknown) == 1 and len(wanted) > unknown[0]:
        rest = prod(k for d, k in enumerate(wanted) if d != unknown[0])
        wanted[unknown[0]] = size // rest if rest else 0
    return to_shape(n, wanted)


def to_shape(n: Node, shape: Sequence[int]) -> Result:
    if prod(shape) != n.type(0).size or min(shape, default=0) < 0:
        raise n.malformed_error(f"{n.type(0)!r} in the shape {list(shape)}")
    if n.is_known(0):
        return n.constant(0).reshape(tuple(shape))
    return n.b.reshape(as_output(n), shape)


def expand_dims(n: Node) -> Result:
    (axis,) = n.integers(1)
    shape = list(n.type(0).shape)
    shape.insert(n.place(axis, len(shape) + 1), 1)
    return to_shape(n, shape)


def squeeze(n: Node) -> Result:
    shape = n.type(0).shape
    named = {n.place(axis, len(shape)) for axis in n.option("dimensions")}
    return to_shape(n, [size for d, size in enumerate(shape) if size != 1 or (named and d not in named)])


def transpose(n: Node) -> Result:
    permutation = n.integers(1)
    rank = n.type(0).rank
    places = [n.place(p, rank) for p in permutation]
    if sorted(places) != list(range(rank)):
        raise n.malformed_error(f"permutation {permutation} of rank {rank}")
    if n.is_known(0):
        return np.transpose(n.constant(0), places)
    return n.b.transpose(as_output(n), places)


def shape_of(n: Node) -> Result:
    return np.asarray(n.type(0).shape, n.out().storage.numpy)


def rank_of(n: Node) -> Result:
    return np.asarray(n.type(0).rank, n.out().storage.numpy)


def update_slice(n: Node) -> Value:
    """Return DYNAMIC_UPDATE_SLICE; the starts are moved so that the update fits."""
    b, x, new, starts = n.b, as_output(n), as_output(n, 1), n.value(2)
    if new.type.rank != x.type.rank or starts.type.shape != (x.type.rank,):
        raise n.malformed_error(f"{new.type!r} at {starts.type!r} in {x.type!r}")
    places = [b.row(starts, k, 0) for k in range(x.type.rank)]
    return b.emit("dynamic_update_slice", [x, new, *places], x.type)


def pad(n: Node) -> Value:
    """Return a padded tensor; PAD fills with the zero point of the output."""
    pairs = [(int(low), int(high)) for low, high in n.constant(1).reshape(-1, 2)]
    element = n.out().element
    if n.has(2):
        fill = n.b.reshape(as_output(n, 2), ())
    else:
        point = element.zero_points[0] if isinstance(element, QuantizedType) else 0
        fill = n.b.full(point, TensorType((), element))
    return n.b.pad(as_output(n), fill, pairs)


def mirror_pad(n: Node) -> Value:
    x, pairs = as_output(n), n.constant(1).reshape(-1, 2).tolist()
    for axis, (low, high) in enumerate(pairs):
        size, skip = x.type.shape[axis], 1 - n.option("mode")  # 0: without the end, 1: with it
        if max(low, high) > size - skip or min(low, high) < 0:
            raise n.malformed_error(f"padding {low}, {high} of {size} elements")
        before = n.b.reverse(n.b.slice_in(x, axis, skip, skip + low), [axis]) if low else None
        end = size - skip
        after = n.b.reverse(n.b.slice_in(x, axis, end - high, end), [axis]) if high else None
        x = n.b.concatenate([v for v in (before, x, after) if v is not None], axis)
    return x


def slice_(n: Node) -> Value:
    x, starts, sizes = as_output(n), n.integers(1), n.integers(2)
    limits = [
        size if count == -1 else start + count
        for size, start, count in zip(x.type.shape, starts, sizes, strict=True)
    ]
    check_bounds(n, starts, limits, x.type.shape)
    return n.b.slice(x, starts, limits, [1] * x.type.rank)


def check_bounds(n: Node, starts: Sequence[int], limits: Sequence[int], shape: Sequence[int]) -> None:
    rows = zip(starts, limits, shape, strict=True)
    if not all(0 <= start <= limit <= size for start, limit, size in rows):
        raise n.malformed_error(f"elements {list(starts)} to {list(limits)} of {list(shape)}")


def strided_slice(n: Node) -> Result:
    """Return a slice as NumPy has it: masks say which ends are open and which dimensions are dropped."""
    begin, end, strides = n.integers(1), n.integers(2), n.integers(3)
    if n.option("ellipsis") or n.option("new_axis"):
        raise n.unsupported_error("STRIDED_SLICE with an ellipsis or a new axis")
    shape = n.type(0).shape
    if len({len(begin), len(end), len(strides)}) > 1 or len(begin) > len(shape) or 0 in strides:
        raise n.malformed_error(f"{begin} to {end} by {strides} of {list(shape)}")
    places, dropped = [], []
    for d, (first, last, stride) in enumerate(zip(begin, end, strides, strict=True)):
        bit = 1 << d
        if n.option("offset"):
            last += first
        if n.option("shrink_axis") & bit:
            if n.option("begin") & bit:  # an open end wins, unlike in NumPy
                first = 0 if stride > 0 else -1
            at = first + shape[d] if first < 0 else first
            if not 0 <= at < shape[d]:
                raise n.malformed_error(f"element {first} of {shape[d]}")
            places.append(slice(at, at + 1, 1))
            dropped.append(d)
            continue
        open_first, open_last = n.option("begin") & bit, n.option("end") & bit
        places.append(slice(None if open_first else first, None if open_last else last, stride))
    if n.is_known(0):
        found = n.constant(0)[tuple(places)]
        return found.reshape([s for d, s in enumerate(found.shape) if d not in dropped])
    return n.b.reshape(
        cut(n, as_output(n), places), [s for d, s in enumerate(_cut_shape(shape, places)) if d not in dropped]
    )


def _cut_shape(shape: Sequence[int], places: Sequence[slice]) -> list[int]:
    sizes = [len(range(*p.indices(size))) for p, size in zip(places, shape, strict=False)]
    return [*sizes, *shape[len(places) :]]


def cut(n: Node, x: Value, places: Sequence[slice]) -> Value:
    ranges = [range(*p.indices(size)) for p, size in zip(places, x.type.shape, strict=False)]
    ranges += [range(size) for size in x.type.shape[len(places) :]]
    back = [d for d, r in enumerate(ranges) if r.step < 0]
    ordered = [r[::-1] if r.step < 0 else r for r in ranges]
    ends = [max(r.start, r[-1] + 1 if r else r.start) for r in ordered]
    return n.b.reverse(n.b.slice(x, [r.start for r in ordered], ends, [r.step for r in ordered]), back)


def concatenate(n: Node) -> Value:
    """Return tensors joined; those of u8 with other scales are rescaled."""
    values = n.values()
    axis, element = n.place(n.option("axis"), values[0].type.rank), n.out().element
    differ = any(v.type.element_type != element for v in values)
    if differ and isinstance(element, QuantizedType) and element.storage_type.name == "ui8":
        values = [rescale(n, k, element) for k in range(len(n.inputs))]
    joined = n.b.concatenate([with_element(n.b, v, element) for v in values], axis)
    return fixed.activate(n, joined)


def rescale(n: Node, k: int, type: QuantizedType) -> Value:
    """Return an input of u8 in the output's units, half away from zero, in steps of f32."""
    source = n.quantized_type(k)
    if source == type:
        return n.value(k)
    scale = np.float32(source.scale) * (np.float32(1) / np.float32(type.scale))
    bias = np.float32(-source.zero_point) * scale
    steps = lambda q: fixed.half_away(q.astype(np.float32) * scale + bias).astype(np.int64)
    return fixed.tabulate(n, lambda q: steps(q) + type.zero_point, k)


def pack(n: Node) -> Result:
    rank = n.type(0).rank + 1
    axis = n.place(n.option("axis"), rank)
    if all(n.is_known(k) for k in range(len(n.inputs))):
        return np.stack([n.constant(k) for k in range(len(n.inputs))], axis)
    shape = list(n.type(0).shape)
    shape.insert(axis, 1)
    return n.b.concatenate([n.b.reshape(as_output(n, k), shape) for k in range(len(n.inputs))], axis)


def unpack(n: Node) -> list[Value]:
    x = as_output(n)
    axis = n.place(n.option("axis"), x.type.rank)
    return [n.b.row(x, k, axis) for k in range(x.type.shape[axis])]


def split(n: Node) -> list[Value]:
    x, count = as_output(n, 1), len(n.outputs)
    (axis,) = n.axes(0, x.type.rank)
    if x.type.shape[axis] % count:
        raise n.malformed_error(f"{x.type.shape[axis]} elements in {count} parts")
    return parts(n, x, axis, [x.type.shape[axis] // count] * count)


def split_by(n: Node) -> list[Value]:
    x, sizes = as_output(n), n.integers(1)
    (axis,) = n.axes(2, x.type.rank)
    if sizes.count(-1) == 1:
        rest = x.type.shape[axis] - sum(size for size in sizes if size != -1)
        sizes = [rest if size == -1 else size for size in sizes]
    return parts(n, x, axis, sizes)


def parts(n: Node, x: Value, axis: int, sizes: Sequence[int]) -> list[Value]:
    if sum(sizes) != x.type.shape[axis] or min(sizes, default=0) < 0:
        raise n.malformed_error(f"{x.type.shape[axis]} elements in parts of {list(sizes)}")
    ends = np.cumsum(sizes).tolist()
    return [n.b.slice_in(x, axis, end - size, end) for end, size in zip(ends, sizes, strict=True)]


def tile(n: Node) -> Value:
    x, counts = as_output(n), n.integers(1)
    for axis, count in enumerate(counts):
        if not 0 <= count <= 1 << 20:
            raise n.malformed_error(f"{count} copies along dimension {axis}")
        x = n.b.concatenate([x] * count, axis) if count else n.b.slice_in(x, axis, 0, 0)
    return x


def broadcast_to(n: Node) -> Value:
    return n.b.broadcast(as_output(n), n.integers(1))


def fill(n: Node) -> Value:
    return n.b.broadcast(n.b.reshape(as_output(n, 1), ()), n.integers(0))


def reverse(n: Node) -> Value:
    x = as_output(n)
    return n.b.reverse(x, n.axes(1, x.type.rank))


def space_to_depth(n: Node) -> Value:
    x, size = images(n, 0), n.option("block_size")
    if size < 1 or x[1] % size or x[2] % size:
        raise n.malformed_error(f"blocks of {size} in {list(x)}")
    cut_up = n.b.reshape(as_output(n), (x[0], x[1] // size, size, x[2] // size, size, x[3]))
    order = n.b.transpose(cut_up, (0, 1, 3, 2, 4, 5))
    return n.b.reshape(order, (x[0], x[1] // size, x[2] // size, size * size * x[3]))


def depth_to_space(n: Node) -> Value:
    x, size = images(n, 0), n.option("block_size")
    if size < 1 or x[3] % (size * size):
        raise n.malformed_error(f"blocks of {size} in {list(x)}")
    cut_up = n.b.reshape(as_output(n), (x[0], x[1], x[2], size, size, x[3] // (size * size)))
    order = n.b.transpose(cut_up, (0, 1, 3, 2, 4, 5))
    return n.b.reshape(order, (x[0], x[1] * size, x[2] * size, x[3] // (size * size)))


def space_to_batch(n: Node) -> Value:
    """Return blocks of padded space as more batches."""
    blocks, pads = n.integers(1), n.constant(2).reshape(-1, 2).tolist()
    element = n.out().element
    x, count = as_output(n), len(blocks)
    rest = x.type.rank - 1 - count
    point = element.zero_points[0] if isinstance(element, QuantizedType) else 0
    fill_ = n.b.full(point, TensorType((), element))
    x = n.b.pad(x, fill_, [(0, 0), *map(tuple, pads), *[(0, 0)] * rest])
    spatial = x.type.shape[1 : 1 + count]
    tail = x.type.shape[1 + count :]
    inner = [k for size, block in zip(spatial, blocks, strict=True) for k in (size // block, block)]
    cut_up = n.b.reshape(x, (x.type.shape[0], *inner, *tail))
    order = [2 * k + 2 for k in range(count)] + [0] + [2 * k + 1 for k in range(count)]
    order += list(range(1 + 2 * count, cut_up.type.rank))
    shape = (x.type.shape[0] * prod(blocks), *inner[::2], *tail)
    return n.b.reshape(n.b.transpose(cut_up, order), shape)


def batch_to_space(n: Node) -> Value:
    blocks, crops = n.integers(1), n.constant(2).reshape(-1, 2).tolist()
    x, count = as_output(n), len(blocks)
    shape, tail = x.type.shape, x.type.shape[1 + count :]
    batch = shape[0] // prod(blocks)
    cut_up = n.b.reshape(x, (*blocks, batch, *shape[1:]))
    order = [count] + [k for d in range(count) for k in (count + 1 + d, d)]
    order += list(range(2 * count + 1, cut_up.type.rank))
    sizes = [size * block for size, block in zip(shape[1:], blocks, strict=False)]
    whole = n.b.reshape(n.b.transpose(cut_up, order), (batch, *sizes, *tail))
    starts = [0, *(low for low, _ in crops), *[0] * len(tail)]
    limits = [batch, *(size - high for size, (_, high) in zip(sizes, crops, strict=True)), *tail]
    check_bounds(n, starts, limits, whole.type.shape)
    return n.b.slice(whole, starts, limits, [1] * whole.type.rank)


TABLE: dict[str, Build] = {
    "BATCH_TO_SPACE_ND": batch_to_space,
    "BROADCAST_TO": broadcast_to,
    "CONCATENATION": concatenate,
    "DEPTH_TO_SPACE": depth_to_space,
    "EXPAND_DIMS": expand_dims,
    "DYNAMIC_UPDATE_SLICE": update_slice,
    "FILL": fill,
    "MIRROR_PAD": mirror_pad,
    "PACK": pack,
    **dict.fromkeys(("PAD", "PADV2"), pad),
    "RANK": rank_of,
    "RESHAPE": reshape,
    "REVERSE_V2": reverse,
    "SHAPE": shape_of,
    "SLICE": slice_,
    "SPACE_TO_BATCH_ND": space_to_batch,
    "SPACE_TO_DEPTH": space_to_depth,
    "SPLIT": split,
    "SPLIT_V": split_by,
    "SQUEEZE": squeeze,
    "STRIDED_SLICE": strided_slice,
    "TILE": tile,
    "TRANSPOSE": transpose,
    "UNPACK": unpack,
}
