"""Other operators of com.microsoft: an LSTM of integers, normalization of groups, inverses, distances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod

import numpy as np

from interp.apps.onnx.loading import constants, indexing, movement, sampling
from interp.apps.onnx.loading.contractions import in_f32, product
from interp.apps.onnx.loading.fused_operators import fast_gelu
from interp.apps.onnx.loading.indexing import gather_points
from interp.apps.onnx.loading.linear_algebra import LARGEST_MATRIX
from interp.apps.onnx.loading.node import Build, Node, Symbol
from interp.apps.onnx.loading.normalization import standardize
from interp.apps.onnx.loading.ordering import index_of_extreme
from interp.apps.onnx.loading.quantized_operators import quantize_by_range
from interp.apps.onnx.loading.recurrent import Cell, lstm
from interp.loading.build import F32, I32, I64, Folds
from interp.loading.folding import fold
from spec.ir import Value

# DynamicQuantizeLSTM, which onnxruntime's quantizer makes of LSTM


@dataclass
class QuantizedCell(Cell):
    """A cell whose products are of integers: x and states are quantized by their ranges."""

    def __post_init__(self) -> None:
        for k in (1, 2):
            if self.n.type(k).rank != 3:
                raise self.n.malformed_error(
                    f"input {k} is {self.n.type(k)!r}", "expected (1 or 2, ..., ...)"
                )
        turned = [Symbol(self.n.b.transpose(self.n.value(k), (0, 2, 1))) for k in (1, 2)]
        whole, self.n = self.n, replace(self.n, inputs=[self.n.inputs[0], *turned, *self.n.inputs[3:8]])
        super().__post_init__()
        self.n = whole
        self.w, self.r = (self.center(v, k) for v, k in ((self.w, 9), (self.r, 11)))

    def parameters(self, k: int) -> Value:
        """Return scales or zero points (directions, 1 or rows)."""
        rows = self.n.type(k).size // self.directions
        if rows not in (1, self.gates * self.hidden) or rows * self.directions != self.n.type(k).size:
            raise self.n.malformed_error(
                f"input {k} is {self.n.type(k)!r}", "expected one, or one of each row"
            )
        return self.n.b.reshape(self.n.value(k), (self.directions, rows))

    def center(self, weights: Value, k: int) -> Value:
        """Return weights minus their zero points, in i32."""
        b = self.n.b
        points = b.convert(self.parameters(k), I32)
        points = b.reshape(points, (*points.type.shape, 1))
        return b.binary("subtract", b.convert(weights, I32), points)

    def project(self, x: Value) -> Value:
        return self.multiply(self.n.b, x, self.w, self.parameters(8))

    def recur(self, b: Folds, h: Value, r: Value) -> Value:
        return self.multiply(b, h, r, self.parameters(10))

    def multiply(self, b: Folds, x: Value, weights: Value, scales: Value) -> Value:
        """Return the products of each direction, of x in 8 bits: (D, ..., K) x (D, rows, K)."""
        parts = []
        for d in range(self.directions):
            stored, scale, point = quantize_by_range(b, b.row(x, d, 0))
            centred = b.binary("subtract", *(b.convert(v, I32) for v in (stored, point)))
            last = centred.type.rank - 1
            sums = b.dot_general(centred, b.row(weights, d, 0), ((), ()), ((last,), (1,)), I32)
            out = b.binary("multiply", b.convert(sums, F32), b.binary("multiply", b.row(scales, d, 0), scale))
            parts.append(b.reshape(out, (1, *out.type.shape)))
        return b.concatenate(parts, 0)


# Normalization of groups of features


def group_norm(n: Node) -> Value:
    """Return x standardized in each group of features, scaled and moved; `activation` 1 is SiLU."""
    return normalize_groups(n, n.value(0))


def skip_group_norm(n: Node) -> Sequence[Value]:
    """Return the group norm of x + skip + bias, and that sum; skip may be one number for each feature."""
    b, x, skip = n.b, n.value(0), n.value(3)
    if skip.type.rank == 2:
        skip = b.reshape(skip, (skip.type.shape[0], 1, 1, skip.type.shape[1]))
    total = b.binary("add", x, skip)
    total = b.binary("add", total, n.value(4)) if n.has(4) else total
    return [normalize_groups(n, total), total][: len(n.proto.output)]


def normalize_groups(n: Node, x: Value) -> Value:
    b, groups, is_last = n.b, n.attribute("groups", 0), n.attribute("channels_last", 1)
    element, shape = x.type.tensor_element_type, x.type.shape
    features = shape[-1] if is_last else shape[1]
    if x.type.rank != 4 or groups < 1 or features % groups:
        raise n.malformed_error(f"{groups} groups of the features of {x.type!r}")
    wide = b.transpose(b.convert(x, F32), (0, 3, 1, 2)) if is_last else b.convert(x, F32)
    grouped = b.reshape(wide, (wide.type.shape[0], groups, wide.type.size // (wide.type.shape[0] * groups)))
    out, *_ = standardize(b, grouped, [2], n.attribute("epsilon", 1e-5))
    out = b.reshape(out, wide.type.shape)
    scale, offset = (b.place(b.convert(n.value(k), F32), wide.type.shape, (1,)) for k in (1, 2))
    out = b.binary("add", b.binary("multiply", out, scale), offset)
    if n.attribute("activation", 0):
        out = b.binary("multiply", out, b.unary("logistic", out))
    return b.convert(b.transpose(out, (0, 2, 3, 1)) if is_last else out, element)


# Sums and products with what follows them


def bias_add(n: Node) -> Value:
    return n.b.binary("add", n.b.binary("add", n.value(0), n.value(1)), n.value(2))


def gemm_fast_gelu(n: Node) -> Value:
    out = in_f32(n, n.value(0), n.value(1), product)
    return fast_gelu(n.b, n.b.binary("add", out, n.value(2)) if n.has(2) else out)


# Matrices


def inverse(n: Node) -> Value:
    """Return the inverses of square matrices, by elimination with the largest magnitude of each column."""
    x, b = n.value(0), n.b
    element, shape = x.type.tensor_element_type, x.type.shape
    size = shape[-1] if shape else 0
    if x.type.rank < 2 or size != shape[-2]:
        raise n.malformed_error(f"expected square matrices, got {x.type!r}")
    if size > LARGEST_MATRIX:
        raise n.unsupported_error(f"matrices of {size} rows", f"expected at most {LARGEST_MATRIX}")
    rows = b.reshape(b.convert(x, F32) if element.bits <= 16 else x, (prod(shape[:-2]), size, size))
    unit = b.broadcast(b.array(np.eye(size), rows.type.tensor_element_type), rows.type.shape)
    rows = b.concatenate([rows, unit], 2)
    for k in range(size):
        rows = eliminate_column(b, rows, k)
    return b.convert(b.reshape(b.slice_in(rows, 2, size, 2 * size), shape), element)


def eliminate_column(b: Folds, rows: Value, k: int) -> Value:
    """Return matrices (count, size, columns) whose column k is 1 in row k and 0 elsewhere."""
    count, size, _ = rows.type.shape
    column = b.unary("abs", b.reshape(b.slice_in(rows, 2, k, k + 1), (count, size)))
    is_left = b.compare("GE", b.iota((count, size), 1, I64), b.full(k, I64))
    place = index_of_extreme(b, b.select(is_left, column, b.full(-1, column.type)), "maximum", 1)
    chosen = gather_points(b, rows, b.reshape(place, (count, 1)), [0], [1], 2)
    number = b.iota(rows.type.shape, 1, I64)
    is_chosen = b.compare("EQ", number, b.place(place, rows.type.shape, [0]))
    others = b.select(is_chosen, b.slice_in(rows, 1, k, k + 1), rows)
    row = b.binary("divide", chosen, b.slice_in(chosen, 2, k, k + 1))
    left = b.binary("subtract", others, b.binary("multiply", b.slice_in(others, 2, k, k + 1), row))
    return b.select(b.compare("EQ", number, b.full(k, I64)), row, left)


def distances(n: Node) -> Value:
    """Return the distance of each row of A to each row of B, or with `sqeuclidean` its square."""
    (x, y), b = (n.value(0), n.value(1)), n.b
    if (x.type.rank, y.type.rank) != (2, 2) or x.type.shape[1] != y.type.shape[1]:
        raise n.malformed_error(f"expected rows of one size, got {x.type!r} and {y.type!r}")
    shape = (x.type.shape[0], *y.type.shape)
    apart = b.binary("subtract", b.place(x, shape, [0, 2]), b.place(y, shape, [1, 2]))
    total = fold(b, b.binary("multiply", apart, apart), "add", [2])
    return total if n.attribute("metric", "sqeuclidean") == "sqeuclidean" else b.unary("sqrt", total)


# What ONNX has today, too


def expand_dims(n: Node) -> Value:
    x = n.raw_value(0)
    axis = n.place(n.integers(1)[0], x.type.rank + 1)
    return movement.reshape_to(n, x, [*x.type.shape[:axis], 1, *x.type.shape[axis:]])


MICROSOFT: dict[str, Build] = {
    "BiasAdd": bias_add,
    "CDist": distances,
    "DynamicQuantizeLSTM": partial(lstm, make=QuantizedCell),
    "ExpandDims": expand_dims,
    "GatherND": indexing.TABLE["GatherND"],
    "GemmFastGelu": gemm_fast_gelu,
    "GridSample": sampling.grid_sample,
    "GroupNorm": group_norm,
    "Inverse": inverse,
    "Pad": movement.pad,
    "Range": constants.number_range,
    "SkipGroupNorm": skip_group_norm,
}
