"""The transpose of contractions and windows: how a wish about results becomes one about operands.

A wish is an array of the shape of a tensor: positive where its elements should be great, negative where they
should be small, by how much that matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from string import ascii_letters

import numpy as np

from interp.backends import Array
from interp.theory.factor_ranges import positions
from spec.ir import Op


def dot_wish(op: Op, wish: Array, other: Array, k: int) -> Array:
    """Return the wish about operand k of a dot_general, if the other operand has these numbers."""
    letters = iter(ascii_letters)
    names = [[next(letters) for _ in value.type.shape] for value in op.operands]
    for kind in ("batching", "contracting"):
        pairs = zip(op[f"lhs_{kind}_dimensions"], op[f"rhs_{kind}_dimensions"], strict=True)
        for left, right in pairs:
            names[1][right] = names[0][left]
    batch = [names[0][d] for d in op["lhs_batching_dimensions"]]
    summed = {names[0][d] for d in op["lhs_contracting_dimensions"]}
    free = [name for side in names for name in side if name not in summed and name not in batch]
    formula = f"{''.join(batch + free)},{''.join(names[1 - k])}->{''.join(names[k])}"
    return np.einsum(formula, wish, other, optimize=True)


def convolution_wish(op: Op, wish: Array, other: Array, k: int) -> Array | None:
    """Return the wish about operand k of a convolution, or None if it groups batches."""
    if op["batch_group_count"] != 1:
        return None
    out = _transpose(op, wish, "output", "output")
    result = np.zeros(_sizes(op, k))
    other = _transpose(op, other, *_names(1 - k))
    groups = op["feature_group_count"]
    for at, outs, ins in _window_positions([positions(op)[d] for d in range(len(op["window_strides"]))]):
        taken = out[np.ix_(range(len(out)), *outs)]
        taken = taken.reshape(len(out), *map(len, outs), groups, out.shape[-1] // groups)
        if k == 0:
            weights = other[at].reshape(other.shape[-2], groups, out.shape[-1] // groups)
            found = np.einsum("...go,igo->...gi", taken, weights)
            place = np.ix_(range(len(out)), *ins)
            result[place] += found.reshape(result[place].shape)
        else:
            left = other[np.ix_(range(len(out)), *ins)]
            left = left.reshape(*taken.shape[:-2], groups, result.shape[-2])
            flat = (x.reshape(-1, *x.shape[-2:]) for x in (taken, left))
            result[at] += np.einsum("ngo,ngi->igo", *flat).reshape(result.shape[-2:])
    return result.transpose(np.argsort(_dimensions(op, *_names(k))))


def _names(k: int) -> tuple[str, str]:
    return ("input", "input") if k == 0 else ("kernel", "kernel")


def _dimensions(op: Op, prefix: str, _: str) -> list[int]:
    """Return the dimensions of an operand or the result: batch, spatial, feature; of a kernel, its own."""
    if prefix == "kernel":
        features = op["kernel_input_feature_dimension"], op["kernel_output_feature_dimension"]
        return [*op["kernel_spatial_dimensions"], *features]
    ends = op[f"{prefix}_batch_dimension"], op[f"{prefix}_feature_dimension"]
    return [ends[0], *op[f"{prefix}_spatial_dimensions"], ends[1]]


def _transpose(op: Op, x: Array, prefix: str, other: str) -> Array:
    return x.transpose(_dimensions(op, prefix, other))


def _sizes(op: Op, k: int) -> list[int]:
    return [op.operands[k].type.shape[d] for d in _dimensions(op, *_names(k))]


def window_wish(op: Op, wish: Array) -> Array:
    """Return the wish about the operand of a reduce_window."""
    shape = op.operands[0].type.shape
    result = np.zeros(shape)
    for _, outs, ins in _window_positions([_window(op, d) for d in range(len(shape))]):
        result[np.ix_(*ins)] += wish[np.ix_(*outs)]
    return result


def _window(op: Op, d: int) -> tuple[Array, Array]:
    """Return the operand's index along a dimension at [position, window], and where it is one."""
    size, outputs = op.operands[0].type.shape[d], op.results[0].type.shape[d]
    start = np.arange(outputs) * op["window_strides"][d] - op["padding"][d][0]
    at = np.arange(op["window_dimensions"][d]) * op["window_dilations"][d]
    index, rest = np.divmod(start[None, :] + at[:, None], op["base_dilations"][d])
    return index, (rest == 0) & (index >= 0) & (index < size)


def _window_positions(columns: Sequence[tuple[Array, Array]]):  # type: ignore[no-untyped-def]
    """Yield each position in a window, with the results that reach an element from it, and these elements."""
    for at in product(*(range(len(index)) for index, _ in columns)):
        outs = [np.flatnonzero(inside[k]) for k, (_, inside) in zip(at, columns, strict=True)]
        yield at, outs, [index[k][out] for k, (index, _), out in zip(at, columns, outs, strict=True)]
