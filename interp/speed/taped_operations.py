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
    SIZE,
    WORD,
    Array,
    Left,
    Tape,
    collapse,
    keep_as,
    layout,
    pad,
    place_table,
    reshape,
    view_by_strides,
    write_as,
    write_copy,
    write_doubtful,
    write_elementwise,
    write_fold,
    write_own_products,
    write_sums,
    write_take,
)
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
    if not (takes_fold(op, _body(op)) if folds else takes(op, bounds, result, ARITY.get(op.name))):
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


# Contractions: see `tape_code.write_products`.


def _dot_general(tape: Tape, task: Task) -> Array:
    sides = []
    for side, x in zip(("lhs", "rhs"), task.operands, strict=True):
        batch, summed = task.op[f"{side}_batching_dimensions"], task.op[f"{side}_contracting_dimensions"]
        free = [d for d in range(x.ndim) if d not in (*batch, *summed)]
        sides.append((x, batch, summed, free))
    (x, batch, summed, free), (y, batch_y, summed_y, free_y) = sides
    sizes = lambda x, dimensions: [x.shape[d] for d in dimensions]
    steps = lambda x, dimensions: [x.strides[d] for d in dimensions]
    runs, (run_steps,) = collapse(sizes(x, summed), steps(x, summed))
    groups, (group_steps,) = collapse(sizes(x, batch), steps(x, batch))
    if len(runs) > 1 or len(groups) > 1:
        x = tape.temporary(write_copy(tape, x, [*batch, *free, *summed]))
        runs, (run_steps,) = collapse(sizes(x, summed), steps(x, summed))
        groups, (group_steps,) = collapse(sizes(x, batch), steps(x, batch))
    count, m, n, k = (prod(sizes(*each)) for each in ((x, batch), (x, free), (y, free_y), (x, summed)))
    right = y.transpose([*batch_y, *summed_y, *free_y])
    right = right.reshape(count, k, n) if task.constants[1] else reshape(tape, right, (count, k, n))
    out = tape.array((count, m, n), dtype=task.dtype)
    places, offsets = place_table(tape, sizes(x, free), steps(x, free)), place_table(tape, [1], [0])
    run = k, run_steps[0] if run_steps else SIZE
    of_group = group_steps[0] if group_steps else 0
    left = Left(x, places, offsets, run, of_group)
    write_sums(tape, left, right, task.constants[1], out, _most(task))
    return out.reshape(task.op.result.type.shape)


def _most(task: Task) -> Sequence[int]:
    """Return the largest integers of both operands, 0 for floats."""
    return [max(map(abs, bounds)) if bounds else 0 for bounds in task.bounds]


def _convolution(tape: Tape, task: Task) -> Array:
    x = task.operands[0].transpose(_dimensions(task.op, "input_batch", "input_spatial", "input_feature"))
    w = task.operands[1].transpose(
        _dimensions(task.op, "kernel_spatial", "kernel_input_feature", "kernel_output_feature")
    )
    order = _dimensions(task.op, "output_batch", "output_spatial", "output_feature")
    groups, features, outputs = task.op["feature_group_count"], w.shape[-2], w.shape[-1]
    own = features == 1 and groups == outputs > 1 and task.dtype != WORD
    edges = [(*edge, d - 1) for edge, d in zip(task.op["padding"], task.op["lhs_dilation"], strict=True)]
    edges = [(0, 0, 0), *edges, (0, 0, 0)]
    if any(map(any, edges)):
        x = pad(tape, x, 0.0, edges, range(x.ndim) if own else layout(x))
    elif own and (x.strides[-1] != SIZE or task.constants[0]):
        x = tape.temporary(write_copy(tape, x))
    strides, dilation = (
        limit_steps(task.op[name], x.shape[1:-1]) for name in ("window_strides", "rhs_dilation")
    )
    sizes = [task.op.result.type.shape[d] for d in order]
    moves = [step * by for step, by in zip(x.strides[1:-1], strides, strict=True)]
    places = place_table(tape, sizes[:-1], [x.strides[0], *moves])
    within, start = [], 0
    rows = zip(x.strides[1:-1], w.shape, dilation, task.op["window_reversal"], strict=False)
    for step, size, by, is_reversed in rows:
        start += step * by * (size - 1) if is_reversed else 0
        within.append(-step * by if is_reversed else step * by)
    offsets = place_table(tape, w.shape[:-2], within, start)
    out = tape.array(sizes, dtype=task.dtype)
    flat, rows_of = out.reshape(-1, outputs), prod(w.shape[:-1])
    right = w.reshape(rows_of, outputs) if task.constants[1] else reshape(tape, w, (rows_of, outputs))
    if own:
        write_own_products(tape, x, places, offsets, right, flat, task.constants[1])
    else:
        columns = outputs // groups
        grouped = right.reshape(rows_of, groups, columns).swapaxes(0, 1)
        sums = flat.reshape(-1, groups, columns).swapaxes(0, 1)
        of_group = features * x.strides[-1]
        left = Left(x, places, offsets, (features, x.strides[-1]), of_group)
        write_sums(tape, left, grouped, task.constants[1], sums, _most(task))
    return out.transpose(sorted(range(len(order)), key=order.__getitem__))


def _dimensions(op: Op, *names: str) -> tuple[int, ...]:
    every: list[int] = []
    for name in names:
        every += op[f"{name}_dimensions"] if name.endswith("spatial") else [op[f"{name}_dimension"]]
    return tuple(every)


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
    "stablehlo.reverse": _reverse,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.pad": _pad,
    "stablehlo.reduce": _reduce,
    "stablehlo.reduce_window": _reduce_window,
    "stablehlo.dot_general": through_floats(_dot_general),
    "stablehlo.convolution": through_floats(_convolution),
}
