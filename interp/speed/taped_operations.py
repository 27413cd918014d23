"""Operations that a tape computes, one row each: how it writes one.

Each gives the bits of the operation's kernel in the schedule `left`: the same roundings in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from interp.backends import fl
from interp.backends.windows import limit_steps
from interp.engine.facts import facts
from interp.speed import native_products
from interp.speed.tape import (
    WORD,
    Array,
    Tape,
    address,
    keep_as,
    layout,
    pad,
    reshape,
    view_by_strides,
    write_as,
    write_copy,
    write_doubtful,
    write_elementwise,
    write_fold,
    write_take,
)
from interp.speed.taped_contractions import convolution, dot_general
from interp.speed.taped_conversions import WRITE as CONVERSIONS
from interp.speed.taped_conversions import Kept, Task, takes, takes_fold, through_floats
from interp.speed.taped_integers import Bounds
from spec.ir import Op
from spec.op_attributes import has_algorithm
from spec.types import ELEMENT_TYPES, is_tensor

F32 = ELEMENT_TYPES["f32"]
MOST = 1 << 25  # elements of a value
PRODUCTS = 1 << 26  # of a contraction, from which on it is left to as many threads as MANY, or more
MANY = 4


Write = Callable[[Tape, Task], Array]


def is_taped(op: Op, constants: Sequence[Array | None], bounds: Kept, result: Bounds | None) -> bool:
    """Return whether a tape computes an operation: one result, of types that it keeps, of a size that pays.

    constants: the operands that are constant, None for the others. bounds: of the integers of the operands.
    """
    if op.name not in WRITE or len(op.results) != 1 or has_algorithm(op):
        return False
    values = (*op.operands, *op.results)
    if not all(is_tensor(v.type) and 0 < v.type.size < MOST for v in values):
        return False
    folds = bool(op.regions)
    if not (takes_fold(op, _body(op), bounds) if folds else takes(op, bounds, result, ARITY.get(op.name))):
        return False
    if (op.name in FROM_CONSTANTS or _has_holes(op)) and constants[1] is None and not _is_finite(op):
        return False
    if op.name == "stablehlo.convolution" and not _is_usual(op, constants[1]):
        return False
    return work(op) < PRODUCTS or native_products.threads() < MANY


def _is_finite(op: Op) -> bool:
    """Return whether the weights of a convolution are finite by their type."""
    return op.name == "stablehlo.convolution" and op.operands[1].type.element_type != F32


def _has_holes(op: Op) -> bool:
    """Return whether windows meet padding, or holes of a dilated operand."""
    names = {"stablehlo.convolution": "lhs_dilation", "stablehlo.reduce_window": "base_dilations"}
    return op.name in names and (any(map(any, op["padding"])) or any(d != 1 for d in op[names[op.name]]))


def _is_usual(op: Op, weights: Array | None) -> bool:
    """Return whether a hole may be multiplied: a product with a finite weight adds a zero, which is none."""
    finite = _is_finite(op) or (weights is not None and bool(np.isfinite(weights).all()))
    return op["batch_group_count"] == 1 and (finite or not _has_holes(op))


def work(op: Op) -> int:
    """Return about how many numbers an operation computes."""
    if facts(op).family == "contraction":
        dimension = "kernel_output_feature_dimension"
        outputs = op.operands[1].type.shape[op[dimension]] if dimension in op.attributes else None
        if outputs is None:
            return op.result.type.size * prod(
                op.operands[0].type.shape[d] for d in op["lhs_contracting_dimensions"]
            )
        return op.result.type.size * (op.operands[1].type.size // outputs)
    if op.name == "stablehlo.reduce_window":
        return op.result.type.size * prod(op["window_dimensions"])
    return max(v.type.size for v in (*op.operands, op.result))


def _body(op: Op) -> str | None:
    """Return the elementwise operation that a region applies to its two arguments, or None."""
    (region,) = op.regions
    if len(region.ops) != 2 or len(region.arguments) != 2:
        return None
    (only, _), names = region.ops, [v.name for v in region.arguments]
    takes = sorted(v.name for v in only.operands) == sorted(names)
    gives = [v.name for v in region.returns] == [v.name for v in only.results]
    types = {v.type.element_type for v in (*region.arguments, *only.results)}
    name = only.name.removeprefix("stablehlo.")
    return name if name in FOLDED and takes and gives and len(types) == 1 else None


def _elementwise(tape: Tape, task: Task) -> Array:
    out = tape.array(task.op.result.type.shape, _common_layout(task.operands))
    write_elementwise(tape, task.op.name.removeprefix("stablehlo."), out, *task.operands)
    return out


def _arithmetic(tape: Tape, task: Task) -> Array:
    """Write an operation on floats, or on integers: as words if an operand or the result is one."""
    name, words = task.op.name.removeprefix("stablehlo."), _has_words(task)
    operands = [keep_as(tape, x, WORD) for x in task.operands] if words else task.operands
    if name == "multiply" and not words and task.bounds[0]:
        name = "multiply_whole"
    out = tape.array(task.op.result.type.shape, _common_layout(operands), operands[0].dtype)
    write_elementwise(tape, f"{name}_words" if words else name, out, *operands)
    return out if out.dtype == task.dtype else write_as(tape, tape.temporary(out), task.dtype)


def _has_words(task: Task) -> bool:
    return WORD in (task.dtype, *(x.dtype for x in task.operands))


def _common_layout(operands: Sequence[Array]) -> list[int]:
    """Return the layout of the operand that repeats the least."""
    return layout(
        max(operands, key=lambda x: prod(n for n, step in zip(x.shape, x.strides, strict=True) if step))
    )


def _clamp(tape: Tape, task: Task) -> Array:
    words = _has_words(task)
    operands = [keep_as(tape, x, WORD) for x in task.operands] if words else task.operands
    low, x, high = (np.broadcast_to(y, task.op.result.type.shape) for y in operands)
    out, suffix = tape.array(x.shape, layout(x), x.dtype), "_words" if words else ""
    write_elementwise(tape, f"maximum{suffix}", out, x, low)
    write_elementwise(tape, f"minimum{suffix}", out, out, high)
    return out if out.dtype == task.dtype else write_as(tape, tape.temporary(out), task.dtype)


def _doubtful(tape: Tape, task: Task) -> Array:
    name = task.op.name.removeprefix("stablehlo.")
    return write_doubtful(tape, name, task.function, task.operands[0])


def _batch_norm(tape: Tape, task: Task) -> Array:
    """Write `(x - mean) / sqrt(variance + epsilon) * scale + offset`, step by step."""
    x, scale, offset, mean, variance = task.operands
    shape, d = x.shape, task.op["feature_index"]
    epsilon = tape.zeros([1])
    epsilon[...] = fl(task.op["epsilon"], ELEMENT_TYPES["f32"])
    deviation = tape.temporary(tape.array(variance.shape))
    write_elementwise(tape, "add", deviation, variance, np.broadcast_to(epsilon, variance.shape))
    write_elementwise(tape, "sqrt", deviation, deviation)

    def wide(y: Array) -> Array:
        return view_by_strides(y, shape, [y.strides[0] if k == d else 0 for k in range(len(shape))])

    out = tape.array(shape, layout(x))
    write_elementwise(tape, "subtract", out, x, wide(mean))
    write_elementwise(tape, "divide", out, out, wide(deviation))
    write_elementwise(tape, "multiply", out, wide(scale), out)
    write_elementwise(tape, "add", out, out, wide(offset))
    return out


def _gather(tape: Tape, task: Task) -> Array:
    """Write a gather of constant indices; where each element comes from, the kernel tells for 0, 1, ..."""
    x, index = task.operands
    return write_take(tape, x, task.function(np.arange(x.size).reshape(x.shape), index))


def _broadcast(tape: Tape, task: Task) -> Array:
    (x,), shape, dimensions = task.operands, task.op.result.type.shape, task.op["broadcast_dimensions"]
    strides = [0] * len(shape)
    for d, (step, size) in enumerate(zip(x.strides, x.shape, strict=True)):
        strides[dimensions[d]] = 0 if size == 1 else step
    return view_by_strides(x, shape, strides)


def _reshape(tape: Tape, task: Task) -> Array:
    return reshape(tape, task.operands[0], task.op.result.type.shape)


def _transpose(tape: Tape, task: Task) -> Array:
    return task.operands[0].transpose(task.op["permutation"])


def _slice(tape: Tape, task: Task) -> Array:
    steps = limit_steps(task.op["strides"], task.op.operands[0].type.shape)
    parts = zip(task.op["start_indices"], task.op["limit_indices"], steps, strict=True)
    return task.operands[0][tuple(slice(*part) for part in parts)]


def _dynamic_slice(tape: Tape, task: Task) -> Array:
    x = task.operands[0]
    out = tape.array(task.op.result.type.shape, layout(x), task.dtype)
    _copy_at(tape, task, out, _corner(x, out.shape), 1)
    return out


def _dynamic_update_slice(tape: Tape, task: Task) -> Array:
    """Write the update into the operand itself, if nothing else reads that, or else into a copy."""
    x, update = (keep_as(tape, y, task.dtype) for y in task.operands[:2])
    whole = x.dtype == task.operands[0].dtype and all(
        step or n == 1 for step, n in zip(x.strides, x.shape, strict=True)
    )
    out = x if task.spare and whole else write_copy(tape, x, layout(x))
    _copy_at(tape, task, _corner(out, update.shape), update, 0)
    return out


def _corner(x: Array, sizes: Sequence[int]) -> Array:
    return x[tuple(map(slice, sizes))]


def _copy_at(tape: Tape, task: Task, out: Array, x: Array, moved: int) -> None:
    """Write a copy of x; the slice that is moved, `out` or `x`, begins at the operation's start indices."""
    slice_of = (out, x)[moved]
    starts = task.operands[-out.ndim :] if out.ndim else ()
    rows = zip(starts, task.op.operands[0].type.shape, slice_of.shape, slice_of.strides, strict=True)
    words = [[address(i), i.dtype == WORD, n - size, step] for i, n, size, step in rows if n > size]
    located = tape.write(
        "locate", [0, address(slice_of), len(words), *(word for row in words for word in row)]
    )
    write_elementwise(tape, "copy", out, x)
    located[0] = tape.code[-1][1].ctypes.data + 8 * moved


def _reverse(tape: Tape, task: Task) -> Array:
    return np.flip(task.operands[0], task.op["dimensions"])


def _concatenate(tape: Tape, task: Task) -> Array:
    d, start = task.op["dimension"], 0
    out = tape.array(task.op.result.type.shape, layout(task.operands[0]), task.dtype)
    for x in (keep_as(tape, x, task.dtype) for x in task.operands):
        part = [slice(None)] * out.ndim
        part[d] = slice(start, start + x.shape[d])
        write_elementwise(tape, "copy", out[tuple(part)], x)
        start += x.shape[d]
    return out


def _pad(tape: Tape, task: Task) -> Array:
    edges = list(
        zip(
            task.op["edge_padding_low"],
            task.op["edge_padding_high"],
            task.op["interior_padding"],
            strict=True,
        )
    )
    x, value = (keep_as(tape, x, task.dtype) for x in task.operands)
    return pad(tape, x, value[()], edges, layout(x))


def _reduce(tape: Tape, task: Task) -> Array:
    x, init = (keep_as(tape, x, task.dtype) for x in task.operands)
    dimensions = sorted(task.op["dimensions"])
    results = [d for d in range(x.ndim) if d not in dimensions]
    return write_fold(tape, str(_body(task.op)), x, init, dimensions, results)


def _reduce_window(tape: Tape, task: Task) -> Array:
    x, init = (keep_as(tape, x, task.dtype) for x in task.operands)
    edges = [(*edge, d - 1) for edge, d in zip(task.op["padding"], task.op["base_dilations"], strict=True)]
    if any(map(any, edges)):
        x = pad(tape, x, init[()], edges, layout(x))
    shape, sizes = task.op.result.type.shape, task.op["window_dimensions"]
    strides, dilations = (
        limit_steps(task.op[name], x.shape) for name in ("window_strides", "window_dilations")
    )
    moves = [step * by for step, by in zip(x.strides, strides, strict=True)]
    within = [step * by for step, by in zip(x.strides, dilations, strict=True)]
    view, rank = view_by_strides(x, (*shape, *sizes), (*moves, *within)), len(shape)
    return write_fold(tape, str(_body(task.op)), view, init, range(rank, 2 * rank), range(rank))


FROM_CONSTANTS = "stablehlo.gather", "stablehlo.pad"  # whose second operand is a constant on a tape
FOLDED = "add", "multiply", "maximum", "minimum"
ARITY = {"stablehlo.gather": 1}  # operands in f32; all, unless said here
DOUBTFUL = "exponential", "logistic", "tanh", "rsqrt"
ELEMENTWISE = "divide", "negate", "abs", "sqrt", "round_nearest_even", "floor", "ceil"
ARITHMETIC = "add", "subtract", "multiply", "maximum", "minimum"
WRITE: dict[str, Write] = {
    **{f"stablehlo.{name}": through_floats(_elementwise) for name in ELEMENTWISE},
    **{f"stablehlo.{name}": through_floats(_arithmetic) for name in ARITHMETIC},
    **CONVERSIONS,
    **{f"stablehlo.{name}": _doubtful for name in DOUBTFUL},
    "stablehlo.batch_norm_inference": _batch_norm,
    "stablehlo.gather": _gather,
    "stablehlo.clamp": through_floats(_clamp),
    "stablehlo.broadcast_in_dim": _broadcast,
    "stablehlo.reshape": _reshape,
    "stablehlo.transpose": _transpose,
    "stablehlo.slice": _slice,
    "stablehlo.dynamic_slice": _dynamic_slice,
    "stablehlo.dynamic_update_slice": _dynamic_update_slice,
    "stablehlo.reverse": _reverse,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.pad": _pad,
    "stablehlo.reduce": _reduce,
    "stablehlo.reduce_window": _reduce_window,
    "stablehlo.dot_general": through_floats(dot_general),
    "stablehlo.convolution": through_floats(convolution),
}
