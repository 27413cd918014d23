"""The dimension of each value of a program along which its samples lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from interp.engine.facts import facts
from interp.recorder.event import short
from spec.ir import Func, Op, Value, captures
from spec.types import TensorType, is_tensor

Axes = Mapping[str, int | None]  # by name; None: not in one dimension; values without samples are left out
Given = Sequence[tuple[Value, int]]  # what an operation reads of the samples


def sample_axes(func: Func, size: int | None, inputs: Sequence[str] | None = None) -> Axes:
    """Return where the samples lie that are along the first dimension, of this size, of these arguments.

    inputs: the names of the arguments that have samples, by default of all.
    """
    names = [v.name for v in func.inputs] if inputs is None else inputs
    axes: dict[str, int | None] = {name: 0 for name in names if size is not None}
    for op in func.body.ops[:-1]:
        for k, result in enumerate(op.results):
            read = [(v, axes[v.name]) for v in _read(op, k) if v.name in axes]
            given = [(v, axis) for v, axis in read if axis is not None]
            if not read:
                continue
            found = _axis(op, result, given) if len(given) == len(read) else None
            axes[result.name] = found if found is not None and _size(result, found) == size else None
    return axes


def _read(op: Op, k: int) -> Sequence[Value]:
    """Return the values on which result k of an operation may depend."""
    return (op.operands[k],) if short(op) == "optimization_barrier" else (*op.operands, *captures(op))


def _size(value: Value, axis: int) -> int | None:
    shape = value.type.shape if is_tensor(value.type) else ()
    return shape[axis] if axis < len(shape) else None


def _axis(op: Op, result: Value, given: Given) -> int | None:
    """Return the dimension of a result, which `sample_axes` checks to have the samples' size."""
    if rule := RULES.get(short(op)):
        return rule(op, given)
    axes = {axis for _, axis in given}
    axis = axes.pop()
    return None if axes or not _keeps(op, axis) or not is_tensor(result.type) else axis


ALONG = {"reverse": "dimensions", "concatenate": "dimension", "sort": "dimension"}  # what mixes samples


def _keeps(op: Op, axis: int) -> bool:
    """Return whether an operation acts on each sample apart, where its operands have it."""
    name = short(op)
    if name in ALONG:
        rank = op.operands[0].type.rank  # a sort may count its dimension from the last one
        return axis not in [d % rank for d in _numbers(op[ALONG[name]])]
    if name == "pad":
        return not any(op[f"edge_padding_{end}"][axis] for end in ("low", "high"))
    if name == "reduce_window":
        return int(op["window_dimensions"][axis]) == 1 and not any(op["padding"][axis])
    return facts(op).batches or name in ("slice", "optimization_barrier")


def _numbers(x: int | Sequence[int]) -> Sequence[int]:
    return (x,) if isinstance(x, int) else x


def _transpose(op: Op, given: Given) -> int | None:
    return [*op["permutation"]].index(given[0][1])


def _broadcast(op: Op, given: Given) -> int | None:
    return int(op["broadcast_dimensions"][given[0][1]])


def _reshape(op: Op, given: Given) -> int | None:
    """Return the dimension of the same size with as many elements before it."""
    (value, axis), shape = given[0], op.result.type.shape
    assert isinstance(value.type, TensorType)
    before = prod(value.type.shape[:axis])
    alike = (d for d in range(len(shape)) if prod(shape[:d]) == before and shape[d] == value.type.shape[axis])
    return next(alike, None)


def _reduce(op: Op, given: Given) -> int | None:
    axes = {axis for _, axis in given}
    axis = axes.pop()
    return None if axes or axis in op["dimensions"] else axis - sum(d < axis for d in op["dimensions"])


def _contract(op: Op, given: Given) -> int | None:
    """Return the place of a batching or of a free dimension; samples of both operands must be batched."""
    found = set()
    batched = len(op["lhs_batching_dimensions"])
    for k, side in enumerate(("lhs", "rhs")):
        batching, summed = op[f"{side}_batching_dimensions"], op[f"{side}_contracting_dimensions"]
        free = [d for d in range(op.operands[k].type.rank) if d not in (*batching, *summed)]
        start = batched + (len(op.result.type.shape) - batched - len(free)) * k
        places = {d: i for i, d in enumerate(batching)} | {d: start + i for i, d in enumerate(free)}
        found |= {places.get(axis) for value, axis in given if value.name == op.operands[k].name}
    return found.pop() if len(found) == 1 else None


def _convolve(op: Op, given: Given) -> int | None:
    (value, axis), *others = given
    kept = (
        value.name == op.operands[0].name
        and axis == op["input_batch_dimension"]
        and op["batch_group_count"] == 1
    )
    return int(op["output_batch_dimension"]) if kept and not others else None


def _recast(op: Op, given: Given) -> int | None:
    """Return the same dimension, if the bits of each element become one other element."""
    return given[0][1] if op.operand.type.rank == op.result.type.rank else None


RULES: dict[str, Callable[[Op, Given], int | None]] = {
    "bitcast_convert": _recast,
    "transpose": _transpose,
    "broadcast_in_dim": _broadcast,
    "reshape": _reshape,
    "reduce": _reduce,
    "dot_general": _contract,
    "convolution": _convolve,
}
