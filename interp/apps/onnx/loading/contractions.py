"""Operators that multiply and sum: MatMul, Gemm, Conv, ConvTranspose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from interp.apps.onnx.loading.node import Build, Node, spatial_padding, window_reach
from interp.loading.build import F32, Folds
from spec.ir import Value

Contract = Callable[[Node, Value, Value, Any], Value]


def matmul(n: Node) -> Value:
    return in_f32(n, n.value(0), n.value(1), product)


def in_f32(n: Node, x: Value, y: Value, contract: Contract) -> Value:
    """Return a contraction; floats of 16 bits are summed in f32, which ONNX leaves open and runtimes do."""
    element = x.type.tensor_element_type
    accumulator = F32 if element.kind == "float" and element.bits <= 16 else element
    out = contract(n, n.b.convert(x, accumulator), n.b.convert(y, accumulator), accumulator)
    return n.b.convert(out, element)


def product(n: Node, x: Value, y: Value, element: Any = None) -> Value:
    """Return NumPy's `matmul`: batches broadcast, vectors are a row and a column that disappear."""
    if not x.type.rank or not y.type.rank:
        raise n.malformed_error("expected at least one dimension of each operand")
    row, column = x.type.rank == 1, y.type.rank == 1
    x = n.b.reshape(x, (1, *x.type.shape)) if row else x
    y = n.b.reshape(y, (*y.type.shape, 1)) if column else y
    if x.type.shape[-1] != y.type.shape[-2]:
        raise n.malformed_error(f"inner sizes differ: {list(x.type.shape)} and {list(y.type.shape)}")
    out = _multiply_batches(n.b, x, y, element)
    shape = list(out.type.shape)
    if column:
        del shape[-1]
    if row:
        del shape[-1 - (not column)]
    return n.b.reshape(out, shape)


def _multiply_batches(b: Folds, x: Value, y: Value, element: Any) -> Value:
    """Return the products of matrices; a single matrix on the right needs no batch."""
    if y.type.rank == 2:
        return b.dot_general(x, y, ((), ()), ((x.type.rank - 1,), (0,)), element)
    batch = np.broadcast_shapes(x.type.shape[:-2], y.type.shape[:-2])
    x, y = (b.broadcast(v, (*batch, *v.type.shape[-2:])) for v in (x, y))
    rank = len(batch)
    dimensions = tuple(range(rank))
    return b.dot_general(x, y, (dimensions, dimensions), ((rank + 1,), (rank,)), element)


def gemm(n: Node) -> Value:
    """Return alpha * A B + beta * C."""
    x, y = (n.value(k) for k in (0, 1))
    out = in_f32(n, x, y, product_of)
    if (alpha := n.attribute("alpha", 1.0)) != 1:
        out = n.b.binary_scalar("multiply", out, alpha)
    if not n.has(2):
        return out
    c = n.value(2)
    if (beta := n.attribute("beta", 1.0)) != 1:
        c = n.b.binary_scalar("multiply", c, beta)
    return n.b.binary("add", out, c)


def product_of(n: Node, x: Value, y: Value, element: Any = None) -> Value:
    """Return the product of two matrices, each transposed if an attribute says so."""
    left = 0 if n.attribute("transA", 0) else 1
    right = 1 if n.attribute("transB", 0) else 0
    if (x.type.rank, y.type.rank) != (2, 2) or x.type.shape[left] != y.type.shape[right]:
        raise n.malformed_error(f"expected matrices that fit, got {x.type!r} and {y.type!r}")
    return n.b.dot_general(x, y, ((), ()), ((left,), (right,)), element)


def conv(n: Node) -> Value:
    out = in_f32(n, n.value(0), n.value(1), convolve)
    return with_bias(n, out, n.value(2)) if n.has(2) else out


def with_bias(n: Node, x: Value, bias: Value) -> Value:
    """Return x plus one number for each feature."""
    if bias.type.shape != x.type.shape[1:2]:
        raise n.malformed_error(f"a bias of shape {list(bias.type.shape)} for {x.type.shape[1]} features")
    return n.b.binary("add", x, n.b.place(bias, x.type.shape, (1,)))


def convolve(n: Node, x: Value, kernel: Value, element: Any = None) -> Value:
    """Return the convolution of x with a kernel, as the attributes of Conv say."""
    check_kernel(n, x, kernel)
    sizes, rank = kernel.type.shape[2:], x.type.rank - 2
    strides, dilations = n.attribute("strides", [1] * rank), n.attribute("dilations", [1] * rank)
    padding = spatial_padding(n, x.type.shape[2:], window_reach(sizes, dilations), strides)
    groups = n.attribute("group", 1)
    if groups < 1 or x.type.shape[1] != kernel.type.shape[1] * groups or kernel.type.shape[0] % groups:
        raise n.malformed_error(f"{groups} groups do not fit {x.type!r} and {kernel.type!r}")
    return n.b.convolution(x, kernel, strides, padding, dilations, groups, element=element)


def check_kernel(n: Node, x: Value, kernel: Value) -> None:
    """Raise `Malformed` unless operand, kernel and attributes have one rank."""
    rank = x.type.rank - 2
    if rank < 1 or kernel.type.rank != x.type.rank:
        raise n.malformed_error(
            f"expected (batch, features, ...) and a kernel, got {x.type!r}, {kernel.type!r}"
        )
    said = n.attribute("kernel_shape")
    if said is not None and tuple(said) != kernel.type.shape[2:]:
        raise n.malformed_error(f"kernel_shape {said}, but the kernel is {kernel.type!r}")
    for name, count in (("strides", rank), ("dilations", rank), ("pads", 2 * rank)):
        given = n.attribute(name)
        if given is not None and (len(given) != count or min(given) < (name != "pads")):
            raise n.malformed_error(f"{name} {given} for {rank} spatial dimensions")


def conv_transpose(n: Node) -> Value:
    out = in_f32(n, n.value(0), n.value(1), convolve_transposed)
    return with_bias(n, out, n.value(2)) if n.has(2) else out


def convolve_transposed(n: Node, x: Value, kernel: Value, element: Any = None) -> Value:
    """Return the convolution with the reversed kernel of x with `strides - 1` zeros between elements."""
    check_kernel(n, x, kernel)
    rank, groups = x.type.rank - 2, n.attribute("group", 1)
    inputs, outputs, *sizes = kernel.type.shape
    if groups < 1 or inputs % groups or x.type.shape[1] != inputs:
        raise n.malformed_error(f"{groups} groups do not fit {x.type!r} and {kernel.type!r}")
    dilations = n.attribute("dilations", [1] * rank)
    reach = window_reach(sizes, dilations)
    strides = n.attribute("strides", [1] * rank)
    cuts = _cut(n, x.type.shape[2:], reach, strides)
    grouped = n.b.reshape(kernel, (groups, inputs // groups, outputs, *sizes))
    grouped = n.b.transpose(grouped, (0, 2, 1, *range(3, 3 + rank)))
    kernel = n.b.reshape(grouped, (groups * outputs, inputs // groups, *sizes))
    kernel = n.b.reverse(kernel, range(2, rank + 2))
    padding = [(r - 1 - low, r - 1 - high) for r, (low, high) in zip(reach, cuts, strict=True)]
    return n.b.convolution(x, kernel, [1] * rank, padding, dilations, groups, strides, element)


def _cut(
    n: Node, sizes: Sequence[int], reach: Sequence[int], strides: Sequence[int]
) -> list[tuple[int, int]]:
    """Return how many elements of the whole result are cut before and after, negative to add."""
    rank = len(sizes)
    extra = n.attribute("output_padding", [0] * rank)
    wanted = given = n.attribute("output_shape")  # without it, `auto_pad` asks for a size, and adds nothing
    how = n.attribute("auto_pad", "NOTSET")
    pads = n.attribute("pads", [0] * 2 * rank)
    if wanted is None and how in ("NOTSET", "VALID"):
        return [(pads[d], pads[d + rank] - extra[d]) for d in range(rank)]
    wanted = wanted[-rank:] if wanted else [size * s for size, s in zip(sizes, strides, strict=True)]
    cuts = []
    for size, r, s, more, target in zip(sizes, reach, strides, extra, wanted, strict=True):
        total = s * (size - 1) + more + r - target
        total = total if given else max(total, 0)
        before = total // 2 if how == "SAME_UPPER" else total - total // 2
        before = max(before, 0)  # what is missing is added behind
        cuts.append((before, total - before - more))
    return cuts


TABLE: dict[str, Build] = {"Conv": conv, "ConvTranspose": conv_transpose, "Gemm": gemm, "MatMul": matmul}
