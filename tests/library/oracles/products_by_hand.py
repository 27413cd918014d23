"""The factors of every result element of a contraction, by index loops over the specification's formulas."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from spec.ir import Op

Index = tuple[int, ...]
Pair = tuple[Index | None, Index]  # None: padding, or a hole of dilation


def space(shape: Any) -> Iterator[Index]:
    yield from product(*map(range, shape))


def pairs(op: Op, index: Index) -> list[Pair]:
    """Return the indices of both factors of each product of one result element, in index order."""
    return list((_dot if op.name == "stablehlo.dot_general" else _window)(op, index))


def numbers(op: Op, lhs: np.ndarray, rhs: np.ndarray, index: Index) -> list[int]:
    """Return the products of one result element as Python integers."""
    return [0 if i is None else int(lhs[i]) * int(rhs[j]) for i, j in pairs(op, index)]


def _dot(op: Op, index: Index) -> Iterator[Pair]:
    lhs, rhs = (value.type.shape for value in op.operands)
    lhs_batch, lhs_summed = op["lhs_batching_dimensions"], op["lhs_contracting_dimensions"]
    rhs_batch, rhs_summed = op["rhs_batching_dimensions"], op["rhs_contracting_dimensions"]
    lhs_free = [d for d in range(len(lhs)) if d not in (*lhs_batch, *lhs_summed)]
    rhs_free = [d for d in range(len(rhs)) if d not in (*rhs_batch, *rhs_summed)]
    batch, rest = index[: len(lhs_batch)], index[len(lhs_batch) :]
    left, right = rest[: len(lhs_free)], rest[len(lhs_free) :]
    for k in space(lhs[d] for d in lhs_summed):
        i = dict(zip((*lhs_batch, *lhs_free, *lhs_summed), (*batch, *left, *k), strict=True))
        j = dict(zip((*rhs_batch, *rhs_free, *rhs_summed), (*batch, *right, *k), strict=True))
        yield tuple(i[d] for d in sorted(i)), tuple(j[d] for d in sorted(j))


def _window(op: Op, index: Index) -> Iterator[Pair]:
    lhs, rhs = (value.type.shape for value in op.operands)
    batch, channel = index[op["output_batch_dimension"]], index[op["output_feature_dimension"]]
    at = [index[d] for d in op["output_spatial_dimensions"]]
    sizes = [rhs[d] for d in op["kernel_spatial_dimensions"]]
    features, channels = rhs[op["kernel_input_feature_dimension"]], rhs[op["kernel_output_feature_dimension"]]
    of_batch = channel // (channels // op["batch_group_count"])
    of_group = channel // (channels // op["feature_group_count"])
    batch += of_batch * (lhs[op["input_batch_dimension"]] // op["batch_group_count"])
    for *k, c in space([*sizes, features]):
        place: list[int | None] = []
        for d, dimension in enumerate(op["input_spatial_dimensions"]):
            step = sizes[d] - 1 - k[d] if op["window_reversal"][d] else k[d]
            padded = at[d] * op["window_strides"][d] + step * op["rhs_dilation"][d] - op["padding"][d][0]
            own, hole = divmod(padded, op["lhs_dilation"][d])
            place.append(own if not hole and 0 <= own < lhs[dimension] else None)
        i = dict(zip(op["input_spatial_dimensions"], place, strict=True))
        i |= {op["input_batch_dimension"]: batch, op["input_feature_dimension"]: of_group * features + c}
        j = dict(zip(op["kernel_spatial_dimensions"], k, strict=True))
        j |= {op["kernel_input_feature_dimension"]: c, op["kernel_output_feature_dimension"]: channel}
        source = tuple(i[d] for d in sorted(i))
        known = None if None in source else tuple(int(x or 0) for x in source)
        yield known, tuple(j[d] for d in sorted(j))
