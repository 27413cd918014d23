"""Weights quantized in blocks, as onnxruntime packs them: MatMulNBits and GatherBlockQuantized.

A weight is `(stored - zero_point) * scale`, each block of a row with its own scale and zero point. That is
computed in f32, and a product with the weights is one of floats: what `accuracy_level` allows a runtime to
do with the other operand, it need not do. Numbers of blocks have a dimension for the block before the one
for the element in it.
"""

from __future__ import annotations

from math import prod
from typing import NamedTuple

import numpy as np

from interp.apps.onnx.loading.contractions import in_f32
from interp.apps.onnx.loading.node import Build, Node
from interp.loading.build import F32, Folds
from spec.ir import Value
from spec.types import ELEMENT_TYPES, ElementType

UI8, I8 = ELEMENT_TYPES["ui8"], ELEMENT_TYPES["i8"]


class Blocks(NamedTuple):
    """Stored weights of a shape, in blocks of `size` along an axis; parameters have 1 element in a block."""

    stored: Value
    scales: Value
    zero_points: Value
    shape: tuple[int, ...]
    axis: int
    size: int


def matmul_n_bits(n: Node) -> Value:
    """Return A times the transposed (N, K) weights, plus the bias."""
    x, bits = n.value(0), n.attribute("bits", 4)
    rows, columns = n.attribute("N", 0), n.attribute("K", 0)
    if n.attribute("weight_prepacked", 0):
        raise n.unsupported_error("weights that are packed for one device", "expected weight_prepacked 0")
    if n.has(4):
        raise n.unsupported_error("g_idx, an order of groups of its own", "expected columns in order")
    size = block_size(n, bits, 0)
    packed, per_row = n.constant(1), -(-columns // size)
    if packed.size == 0 or packed.size != rows * per_row * size * bits // 8:
        evidence = f"N is {rows}, K {columns}, block_size {size}, bits {bits}"
        raise n.malformed_error(f"weights of shape {list(packed.shape)}", evidence)
    if x.type.rank < 1 or x.type.shape[-1] != columns:
        raise n.malformed_error(f"K is {columns}, but A is {x.type!r}")
    stored = unpack(packed.reshape(rows, -1), bits)[:, :columns]
    w = dequantize(n.b, in_blocks(n, stored, 1, size, bits, 1 << (bits - 1)))
    out = in_f32(n, x, n.b.convert(w, x.type.tensor_element_type), by_transposed)
    return n.b.binary("add", out, n.value(5)) if n.has(5) else out


def by_transposed(n: Node, x: Value, w: Value, element: ElementType) -> Value:
    """Return the product of the last dimension of x with the last one of w."""
    return n.b.dot_general(x, w, ((), ()), ((x.type.rank - 1,), (1,)), element)


def matmul_bnb4(n: Node) -> Value:
    raise n.unsupported_error("weights of 4 bits that number floats of a table", "expected MatMulNBits")


def gather_block_quantized(n: Node) -> Value:
    """Return the slices of dequantized weights at indices; zeros where an index is out of range."""
    element, bits = n.type(0).storage_type, n.attribute("bits", 4)
    if not element.is_integer:
        raise n.unsupported_error(f"weights of {element}", "expected integers of 2, 4 or 8 bits")
    bits = bits if element == UI8 else element.bits
    size = block_size(n, bits, 128)
    data = n.constant(0)
    stored = unpack(data, bits) if element == UI8 and bits < 8 else data.astype(np.int64)
    axis, blocked = n.axis(0, stored.ndim, "gather_axis"), n.axis(1, stored.ndim, "quantize_axis")
    if axis == blocked:
        raise n.unsupported_error("an axis that is both gathered and in blocks")
    default = 1 << (bits - 1) if element == UI8 else 0
    weights = in_blocks(n, stored, blocked, size, bits, default)
    return take_or_zero(n.b, weights, n.value(1), axis)


def take_or_zero(b: Folds, weights: Blocks, indices: Value, axis: int) -> Value:
    """Return the dequantized slices at indices, negative ones from the end, or zeros."""
    count, rank = weights.shape[axis], indices.type.rank
    negative = b.compare("LT", indices, b.full(0, indices.type))
    places = b.select(negative, b.binary_scalar("add", indices, count), indices)
    inside = b.clamp(0, places, count - 1)
    at = axis + (axis > weights.axis)

    def take(x: Value) -> Value:
        """Return the slices; where all have one number, that."""
        if x.type.shape[at] == count:
            return b.gather(x, inside, at)
        return b.reshape(x, (*x.type.shape[:at], *[1] * rank, *x.type.shape[at + 1 :]))

    shape = (*weights.shape[:axis], *indices.type.shape, *weights.shape[axis + 1 :])
    blocked = weights.axis + (rank - 1) * (axis < weights.axis)
    stored, scales, zero_points = map(take, weights[:3])
    out = dequantize(b, Blocks(stored, scales, zero_points, shape, blocked, weights.size))
    found = b.compare("EQ", inside, places)
    return b.select(b.place(found, shape, range(axis, axis + rank)), out, b.full(0, out.type))


def block_size(n: Node, bits: int, default: int) -> int:
    """Return the size of the blocks; raise an error unless the operators define it, and the bits."""
    size = int(n.attribute("block_size", default))
    if bits not in (2, 4, 8):
        raise n.unsupported_error(f"weights of {bits} bits", "expected 2, 4 or 8")
    if size < 16 or size & (size - 1):
        raise n.malformed_error(f"block_size is {size}", "expected a power of two, at least 16")
    return size


def unpack(packed: np.ndarray, bits: int) -> np.ndarray:
    """Return the numbers in bytes along the last dimension, those of the low bits first."""
    numbers = np.asarray(packed, np.int64)[..., None] >> np.arange(0, 8, bits) & ((1 << bits) - 1)
    return numbers.reshape(*packed.shape[:-1], -1)


def in_blocks(n: Node, stored: np.ndarray, axis: int, size: int, bits: int, default: int) -> Blocks:
    """Return stored weights with the scales at input 2 and the zero points at input 3, else the default."""
    count = -(-stored.shape[axis] // size)
    behind = [(0, count * size - s if d == axis else 0) for d, s in enumerate(stored.shape)]
    apart = (*stored.shape[:axis], count, size, *stored.shape[axis + 1 :])
    element = I8 if stored.min(initial=0) < 0 else UI8
    whole = np.pad(stored, behind).reshape(apart).astype(np.int8 if element == I8 else np.uint8)
    shape = (*apart[: axis + 1], 1, *apart[axis + 2 :])
    scales = n.b.reshape(n.value(2), shaped_as(n, n.type(2).shape, shape, axis))
    if not n.has(3):
        zero_points = n.b.full(default, F32)
        zero_points = n.b.reshape(zero_points, [1] * len(shape))
    elif n.type(3).storage_type == UI8 and bits < 8:
        points = unpack(n.constant(3).reshape(*stored.shape[:axis], -1), bits)[..., :count]
        zero_points = n.b.array(points.reshape(shape).astype(np.uint8), UI8)
    else:
        zero_points = n.b.reshape(n.value(3), shaped_as(n, n.type(3).shape, shape, axis))
    return Blocks(n.b.array(whole, element), scales, zero_points, stored.shape, axis, size)


def shaped_as(n: Node, given: tuple[int, ...], shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    """Return the shape of parameters with a dimension of 1 for elements of a block; sizes of 1 may stay."""
    if prod(given) == prod(shape):
        return shape
    found = (*given[: axis + 1], 1, *given[axis + 1 :])
    if len(found) != len(shape) or any(s not in (1, t) for s, t in zip(found, shape, strict=True)):
        raise n.malformed_error(f"scales or zero points of shape {list(given)}", f"blocks: {list(shape)}")
    return found


def dequantize(b: Folds, weights: Blocks) -> Value:
    """Return `(stored - zero_point) * scale`, computed in f32, in the type of the scales."""
    q, scales, points = (b.convert(x, F32) for x in weights[:3])
    real = b.binary("multiply", b.binary("subtract", q, points), scales)
    sizes = list(weights.shape)
    sizes[weights.axis] = -(-sizes[weights.axis] // weights.size) * weights.size
    whole = b.slice_in(b.reshape(real, sizes), weights.axis, 0, weights.shape[weights.axis])
    return b.convert(whole, weights.scales.type.tensor_element_type)


MICROSOFT: dict[str, Build] = {
    "GatherBlockQuantized": gather_block_quantized,
    "MatMulBnb4": matmul_bnb4,
    "MatMulNBits": matmul_n_bits,
}
