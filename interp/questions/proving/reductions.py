"""Accumulations by a body: reduce, reduce_window, select_and_scatter, scatter, all_reduce, reduce_scatter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.bodies import body_ops
from interp.engine.facts import facts
from interp.engine.in_integers import integers
from interp.engine.leaf_counts import dilation_factors, landing, source_count, window_count
from interp.engine.quant import Type
from interp.engine.requantizing import entering
from interp.engine.storage import expressed_type, is_stored_as_integer, storage_range, to_reals, zero_point
from interp.kernels import KERNELS, collectives
from interp.questions.proving.elementwise import has_numbers
from interp.questions.proving.judgement import (
    PROVED,
    Judgement,
    fits,
    judge_floats,
    judge_integers,
    total,
    unknown_judgement,
    without_leaves,
)
from interp.questions.proving.ranges import Range, between, has_order, type_range, widen_along
from interp.theory.quantized_arithmetic import addition_is_integer, choice_is_exact
from interp.theory.sums import Ends, Leaves, as_array, ends_of, exact
from spec.ir import Op, Region
from spec.schedule import Schedule
from spec.types import QuantizedType, TensorType

# The leaves of accumulations by a body, as ends after their conversion to the accumulation type.


def leaves_of(ctx: Any, op: Op, k: int, operands: Sequence[Range], type: Type) -> Leaves | None:
    """Return the ends of the leaves of result k as steps or floats; None if one may be NaN or infinite."""
    n, name = len(op.results), op.name.removeprefix("stablehlo.")
    entered = lambda x: _enter(ctx, x, type)
    if name == "reduce":
        x, init = entered(operands[k]), entered(operands[n + k])
        return x and init and _reduce_leaves(op, operands[k].type.shape, x, init, type)
    if name == "reduce_window":
        x, init = entered(_window_range(op, operands[k])), entered(operands[n + k])
        return x and init and _window_leaves(op, x, init, type)
    if name == "select_and_scatter":
        source = widen_along(operands[1], range(operands[1].type.rank))
        x, init = entered(source), entered(operands[2])
        return x and init and _optional_leaves(x, init, source_count(op).most, type, op.results[k].type)
    if name == "scatter":
        update = widen_along(operands[n + 1 + k], range(operands[n + 1 + k].type.rank))
        x, init = entered(update), entered(operands[k])
        return x and init and _optional_leaves(x, init, landing(op).most, type, op.results[k].type)
    x = entered(
        widen_along(operands[k], [op["scatter_dimension"]]) if name == "reduce_scatter" else operands[k]
    )
    return x and _collective_leaves(op, x, type)


def _enter(ctx: Any, x: Range, type: Type) -> Ends | None:
    """Return the ends of leaves after conversion to the accumulation type: steps, or floats."""
    if not has_order(x.type):
        return None
    source, ends = x.type.element_type, (x.least, x.greatest)
    if source != type:
        if x.nan or not keeps_order(source, type, ends):
            return _all_of(type, x.type.rank)
        ends = tuple(entering(ctx, end, source, type) for end in ends)
    if not is_stored_as_integer(type):
        floats = tuple(end.astype(np.float64) for end in ends)
        return None if x.nan or not all(np.isfinite(end).all() for end in floats) else Ends(*floats)
    steps = (integers(NUMPY, end, type) if isinstance(type, QuantizedType) else end for end in ends)
    return Ends(*(np.asarray(end).astype(object) for end in steps))


def _all_of(type: Type, rank: int) -> Ends | None:
    """Return the ends of everything that an integer type holds; None for floats."""
    if not is_stored_as_integer(type):
        return None
    ends = (np.full((1,) * rank, end - zero_point(type), object) for end in storage_range(type))
    return Ends(*ends)


def _make_leaves(type: Type, low: Array, high: Array, copies: int, init: Ends | None) -> Leaves:
    if is_stored_as_integer(type):
        return exact(low, high, copies, init)
    return Leaves(low, high, copies, init)


def _reduce_leaves(op: Op, shape: tuple[int, ...], x: Ends, init: Ends, type: Type) -> Leaves:
    """Return the leaves along the reduced dimensions, which count as copies if all are alike."""
    dims = sorted(op["dimensions"])
    kept = [d for d in range(len(shape)) if d not in dims]
    alike = all(end.shape[d] == 1 for end in x for d in dims)
    count, seed = prod(shape[d] for d in dims), _seed(init, len(kept))
    if not count:
        nothing = np.zeros((0,) + (1,) * len(kept), x.least.dtype)
        return _make_leaves(type, nothing, nothing, 1, seed)

    def stack(end: Array) -> Array:
        sizes = [n if alike or d in kept else shape[d] for d, n in enumerate(end.shape)]
        return (
            np.broadcast_to(end, sizes).transpose([*dims, *kept]).reshape(-1, *(end.shape[d] for d in kept))
        )

    return _make_leaves(type, stack(x.least), stack(x.greatest), count if alike else 1, seed)


def _seed(init: Ends, rank: int) -> Ends:
    return Ends(*(end.reshape((1,) * rank) for end in init))


def _window_range(op: Op, x: Range) -> Range:
    """Return the operand with ends that are the same along the dimensions of windows."""
    columns = op["window_strides"], dilation_factors(op, "base_dilations"), op["window_dimensions"]
    moved = [d for d in range(x.type.rank) if any(c[d] != 1 for c in columns) or any(op["padding"][d])]
    return widen_along(x, moved)


def _window_leaves(op: Op, x: Ends, init: Ends, type: Type) -> Leaves:
    """Return the leaves of windows; those in the padding are init values."""
    fewest, _, positions = window_count(op)
    seed, ends = _seed(init, x.least.ndim), x
    if fewest < positions:
        ends = x.join(seed)
    return _make_leaves(type, ends.least[None], ends.greatest[None], positions, seed)


def _optional_leaves(x: Ends, init: Ends, most: int, type: Type, result: TensorType) -> Leaves:
    """Return at most this many leaves; any of them may be absent, and then adds nothing."""
    ends = Ends(*(end.reshape((1,) * result.rank) for end in x))
    ends = ends.join(Ends(*(np.zeros_like(end) for end in ends)))
    seed = init if init.least.ndim == result.rank else _seed(init, result.rank)
    return _make_leaves(type, ends.least[None], ends.greatest[None], most, seed)


def _collective_leaves(op: Op, x: Ends, type: Type) -> Leaves | None:
    """Return the leaves of a collective, one from each process; None if their number is unknown."""
    groups = op["replica_groups"]
    by_device = "use_global_device_ids" in op.attributes
    if not groups or (by_device and not op["use_global_device_ids"] and op["channel_id"] > 0):
        return None
    most = max(sum(member >= 0 for member in group) for group in groups)
    return _make_leaves(type, x.least[None], x.greatest[None], most, None)


def keeps_order(source: Type, destination: Type, ends: Sequence[Array]) -> bool:
    """Return whether a conversion of what lies between the ends keeps order, and makes no NaN."""
    quantized = [type for type in (source, destination) if isinstance(type, QuantizedType)]
    if not quantized and is_stored_as_integer(destination):
        low, high = storage_range(destination)
        return all(bool(np.all((low <= x.astype(object)) & (x.astype(object) <= high))) for x in ends)
    return all(map(has_numbers, quantized)) and all(np.isfinite(to_reals(x, source)).all() for x in ends)


def repeating(leaves: Leaves, schedule: Schedule) -> Leaves:
    """Return leaves whose init stands for all that a schedule has of it."""
    if leaves.init is None or not any(end.any() for end in leaves.init):
        return leaves
    whole = leaves.least.dtype.kind in "iO"
    dtype = object if whole else np.float64
    ends = (np.asarray(end.astype(dtype) * schedule.most_inits(leaves.n), dtype) for end in leaves.init)
    init = ends_of(
        *(f(end, np.zeros_like(end)) for f, end in zip((np.minimum, np.maximum), ends, strict=True))
    )
    more = Leaves(leaves.least, leaves.greatest, leaves.copies, init)
    return exact(*more) if whole else more


ROUNDING = "no theorem: additions in this type may round"
BODY = "no theorem about this body"
WINDOWED = {"stablehlo.reduce", "stablehlo.reduce_window"}
HARMLESS = {"moved", "constant", "selected", "largest", "reduced"}


def accumulates(op: Op) -> bool:
    """Return whether an operation combines elements by a body."""
    return facts(op).reduces or op.name in collectives.FOLDS


def judge_sums(ctx: Any, op: Op, operands: Sequence[Range]) -> tuple[list[Judgement], list[Range]]:
    """Judge the sums of an operation, and return the ranges of its results."""
    if op.name in collectives.FOLDS:
        return _collective(ctx, op, operands)
    inner = body_ops(ctx.module, op.regions[-1])
    found = [_one(ctx, op, k, combining, operands) for k, combining in enumerate(inner)]
    judgements = [
        replace(judgement, result=k, inner=inner[k]) for k, (judgement, _) in enumerate(found) if judgement
    ]
    return judgements, [result for _, result in found]


def _collective(ctx: Any, op: Op, operands: Sequence[Range]) -> tuple[list[Judgement], list[Range]]:
    """Judge each operand of a collective apart, since the body takes two elements of one of them."""
    judgements, results = [], []
    (inner,) = body_ops(ctx.module, op.regions[-1])
    for k, value in enumerate(op.results):
        judgement, result = _one(ctx, collectives.select_operand(op, k), 0, inner, operands[k : k + 1])
        judgements += [replace(judgement, inner=inner)] if judgement else []
        always = op.name != "stablehlo.collective_reduce"  # which gives 0 except in the root
        results.append(result if always else type_range(value.type))
    return judgements, results


def _one(
    ctx: Any, op: Op, k: int, inner: Op | None, operands: Sequence[Range]
) -> tuple[Judgement | None, Range]:
    """Judge the sum of operand k, which `inner` adds, if it adds."""
    result, body = op.results[k].type, op.regions[-1]
    type = body.arguments[k].type.element_type
    if inner is None or len({body.arguments[k].type, inner.result.type}) > 1:
        return (None if _only_chooses(body) else unknown_judgement(op, type, BODY)), type_range(result)
    if facts(inner).chooses or inner.name in ("stablehlo.and", "stablehlo.or"):
        chooses = facts(inner).chooses or _kind(type) == "boolean"  # bits of integers mix
        return None, _choice_range(ctx, op, k, operands) if chooses else type_range(result)
    if inner.name != "stablehlo.add" or not has_order(inner.result.type) or _kind(type) == "boolean":
        return unknown_judgement(op, type, BODY), type_range(result)
    if not result.size:
        return without_leaves(op, type), type_range(result)
    leaves = leaves_of(ctx, op, k, operands, type)
    if leaves is None:
        return unknown_judgement(
            op, type, "a leaf may be NaN or infinite, or how many there are is unknown"
        ), type_range(result)
    own = leaves  # of which a schedule makes its own tree
    if ctx.schedule.may_repeat_init:
        leaves = repeating(leaves, ctx.schedule)
    if not is_stored_as_integer(type):
        return _floats(op, k, type, leaves)
    return _integers(ctx, op, k, type, leaves, own)


def _kind(type: Type) -> str:
    return expressed_type(type).kind if not isinstance(type, QuantizedType) else type.storage_type.kind


def _only_chooses(body: Region) -> bool:
    """Return whether a body computes no number, as that of an argmax: it compares and selects."""
    known = {"stablehlo.compare", "stablehlo.and", "stablehlo.or", "stablehlo.not"}
    return all(op.name in known or facts(op).error in HARMLESS for op in body.ops[:-1])


def _integers(ctx: Any, op: Op, k: int, type: Type, leaves: Leaves, own: Leaves) -> tuple[Judgement, Range]:
    """Judge a sum of integers; in `leaves` the init stands for as many as a schedule has of it."""
    z, result = zero_point(type), op.results[k].type
    low, high = storage_range(type)
    judgement = judge_integers(op, type, (low - z, high - z), leaves, ctx.schedule, own)
    if judgement.ends is not None and isinstance(type, QuantizedType) and not ctx.reading.is_integer:
        hull = [np.array([end + z], object) for end in judgement.ends.hull]
        if judgement.verdict == PROVED and not addition_is_integer(type, *hull).all():
            return unknown_judgement(op, type, ROUNDING, judgement.needed), type_range(result)
    sums = leaves.total()
    if not (
        fits(sums, (low - z, high - z))
        and (judgement.verdict == PROVED or not isinstance(type, QuantizedType))
    ):
        return judgement, type_range(result)
    dtype = NUMPY.carrier(op.regions[-1].arguments[k].type.storage_type)
    ends = [as_array(end + z).astype(dtype) for end in sums]
    return judgement, result_range(ctx, op, k, type, ends)


def result_range(ctx: Any, op: Op, k: int, type: Type, ends: Sequence[Array]) -> Range:
    """Return the range of a result for the ends of its accumulator, converted to the result's type."""
    result = op.results[k].type
    if result.element_type == type:
        return between(result, *ends)
    if not keeps_order(type, result.element_type, ends):
        return type_range(result)
    return between(result, *(entering(ctx, end, type, result.element_type) for end in ends))


def _floats(op: Op, k: int, type: Any, leaves: Leaves) -> tuple[Judgement, Range]:
    judgement, result = judge_floats(op, type, leaves), op.results[k].type
    if judgement.verdict != PROVED or result.element_type != type:
        return judgement, type_range(result)
    dtype = NUMPY.carrier(type)
    ends = (NUMPY.round_to(end, type).astype(dtype) for end in total(type, leaves))
    return judgement, between(result, *ends)


def _choice_range(ctx: Any, op: Op, k: int, operands: Sequence[Range]) -> Range:
    """Return the range of a body that returns one of its leaves: its kernel's results for both ends.

    THEOREM: such a body is monotone, in any tree. A type in which a number changes when it is quantized again
    has its own range, as has a result of another type than the leaves.
    """
    result = op.results[k].type
    types = {value.type.element_type for value in (*op.operands, *op.results)}
    if len(op.operands) != 2 or len(types) > 1 or op.name not in WINDOWED or not has_order(result):
        return type_range(result)
    type = result.element_type
    if isinstance(type, QuantizedType) and not (ctx.reading.is_integer or _keeps_numbers(type)):
        return type_range(result)
    kernel: Any = KERNELS[op.name]
    least, greatest = (kernel(ctx, op, *each)[0] for each in zip(*(x.full for x in operands), strict=True))
    return between(result, least, greatest, any(x.nan for x in operands))


def _keeps_numbers(type: QuantizedType) -> bool:
    """Return whether every stored number is the same when it is quantized again."""
    return type.is_per_tensor and choice_is_exact(type, *storage_range(type))
