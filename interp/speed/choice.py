"""Choice of a fast path for a `reduce`, decided by types first and then by the data."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from types import ModuleType
from typing import NamedTuple

import numpy as np

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.memo import once
from interp.engine.quant import to_destination_type
from interp.engine.storage import storage_range
from interp.speed import numpy_impl
from interp.speed.integer_bodies import SCALES_DIFFER, dequantizing_op
from interp.speed.order_free import Form, Plain, Reduction, init_shift, order_free, reduction_of
from interp.speed.saturating_fold import Step, Stored, left, step_of
from interp.theory.quantized_arithmetic import TABLE_BITS
from spec.accumulator import Reading
from spec.ir import Op
from spec.schedule import Schedule
from spec.types import QuantizedType

INIT = 33  # bits of an init value less its zero point
BLOCK = 4096  # leaves between two sums that are looked at


def implementation(xp: Namespace) -> ModuleType:
    """Return the module that runs fast paths on this namespace; a run on NumPy does not import the other."""
    if xp.in_place:
        return numpy_impl
    from interp.speed import jax_impl

    return jax_impl


class Choice(NamedTuple):
    """The fast paths that may apply to a reduction by its types, shapes and schedule."""

    dimensions: tuple[int, ...]
    reduction: Reduction
    form: Form | Plain
    step: Step | Plain
    init_shift: int | None

    def convert_init(self, xp: Namespace, init: Array) -> Array:
        """Return the init value in the accumulation type."""
        accumulation = self.reduction.accumulation
        if self.init_shift is None:
            return to_destination_type(xp, init, self.reduction.init, accumulation)
        assert isinstance(accumulation, QuantizedType)
        moved = init.astype(xp.int64) + self.init_shift if self.init_shift else init
        return moved.astype(xp.carrier(accumulation.storage_type))


def choice_of(op: Op, schedule: Schedule, reading: Reading) -> Choice | Plain:
    """Return the fast paths to try for a `reduce`, or why there are none."""
    read = dequantizing_op(op, reading)
    return Plain(SCALES_DIFFER) if read is None else _choice_of(read, schedule)


@once
def _choice_of(op: Op, schedule: Schedule) -> Choice | Plain:
    dimensions, shape = tuple(sorted(op["dimensions"])), op.operands[0].type.shape
    reduction = reduction_of(op, 0, schedule, prod(shape[d] for d in dimensions))
    if isinstance(reduction, Plain):
        return reduction
    if 0 in shape:
        return Plain("it has no elements")
    form = order_free(reduction)
    step = step_of(reduction) if schedule.name == "left" else Plain(form.why)
    return Choice(dimensions, reduction, form, step, init_shift(op))


def accumulators(
    ctx: Context,
    op: Op,
    operands: State,
    plain: Callable[[], State],
    looped: Callable[[], State | None],
) -> State:
    """Return the accumulators of a fold along `dimensions`.

    `plain()` computes them node by node; `looped()` in one compiled loop, or returns None.
    """
    choice, watched = choice_of(op, ctx.schedule, ctx.reading), ctx.is_watched
    if isinstance(choice, Plain):
        return plain()
    form = ctx.permit(choice.form if isinstance(choice.form, Form) else None)
    xp, x = ctx.xp, operands[0]
    init = choice.convert_init(xp, operands[1])

    def tell(theorem: str, why: str) -> None:
        for listener in ctx.listeners:
            listener.on_fast_path(op, theorem, why)
            if watched:
                listener.on_leaves(op, 0, operands[0])
                listener.on_convert(op, 1, operands[1], init)

    if form and form.within is None:
        tell(form.theorem, form.why)
        total = implementation(xp).combine_along(xp, x, choice.dimensions, form.combine, form.dtype)
        return (form.finish(xp, total, init),)
    fold = make_fold(ctx, choice, x, init, tell)
    usual = watched or isinstance(choice.step, Plain)
    otherwise = (lambda: plain()[0]) if usual else (lambda: left(fold, choice.step, looped))  # type: ignore[arg-type]
    return (by_data(fold, form, ctx.schedule, otherwise) if form else otherwise(),)


def make_fold(
    ctx: Context, choice: Choice, x: Array, init: Array, tell: Callable[[str, str], None]
) -> Stored:
    """Return the leaves of a reduction, transposed on demand; with no dimensions to reduce, one leaf."""
    kept = (d for d in range(x.ndim) if d not in choice.dimensions)
    order = (*choice.dimensions, *kept)
    rank, machine = len(choice.dimensions), implementation(ctx.xp)
    fold = Stored(ctx.xp, choice.reduction, x, order, rank, init, tell, machine)
    return fold if choice.dimensions else fold.of(x[None], 1)


def by_data(fold: Stored, form: Form, schedule: Schedule, otherwise: Callable[[], Array]) -> Array:
    """Add integers if no node leaves `form.within`, else call `otherwise`; an init outside needs no check."""
    xp, size = fold.xp, block_size(form)
    if not size:
        return otherwise()
    assert form.within is not None
    (low, high), init = form.within, fold.init.astype(xp.int64)
    least, greatest, total = fold.implementation.branch(
        xp,
        (low <= init) & (init <= high),
        lambda: nodes(fold, form, schedule, size),
        lambda: (init, init, xp.broadcast_to(fold.init, fold.leaves.shape[fold.rank :])),
    )

    def fast() -> Array:
        fold.tell(f"{form.theorem} by data", f"nodes lie in [{least}, {greatest}], in {[*form.within]}")  # type: ignore[misc]
        return total

    return fold.implementation.branch(xp, (low <= least) & (greatest <= high), fast, otherwise)


def nodes(fold: Stored, form: Form, schedule: Schedule, size: int) -> tuple[Array, Array, Array]:
    """Return the least and the greatest bound of all nodes, from sums of blocks, and the roots as integers.

    Under `left` a node is a prefix sum. In any tree it is the difference of two prefix sums, plus as many
    inits as the schedule repeats.
    """
    source, _, accumulation = form.reduction.quantized_types
    zero_point, more = accumulation.zero_point, form.reduction.inits - 1
    offset = form.shift - zero_point
    low, high = min(source.storage_min + offset, 0), max(source.storage_max + offset, 0)
    xp = fold.xp
    sums, counts = block_sums(fold, form, size)
    seed = fold.init.astype(xp.int64) - zero_point
    least, greatest, total = prefixes(fold, seed, sums.astype(xp.int64) + counts * offset, counts, low, high)
    if schedule.name != "left":
        beside = greatest - least + more * xp.abs(seed)
        least, greatest = -beside, beside
    root = (total + more * seed + zero_point).astype(fold.init.dtype)
    return least.min() + zero_point, greatest.max() + zero_point, root


def block_size(form: Form) -> int:
    """Return how many leaves at a time have sums in a quarter of the range; 0 if not even one has.

    It is 0 also if i64 may not hold the numbers of `prefixes`, which are sums times leaves.
    """
    source, _, accumulation = form.reduction.quantized_types
    if source.storage_type.bits > TABLE_BITS:
        return 0
    assert form.within is not None
    ends = (end + form.shift - accumulation.zero_point for end in storage_range(source))
    farthest = max(map(abs, ends))
    if (form.reduction.n * farthest + (1 << INIT)) * farthest >= 1 << 60:
        return 0
    return min(BLOCK, (form.within[1] - form.within[0]) // (4 * farthest))


def prefixes(
    fold: Stored, seed: Array, sums: Array, counts: Array, low: int, high: int
) -> tuple[Array, Array, Array]:
    """Return the least and greatest bound of 0 and all prefix sums of `seed` and the leaves, and the total.

    THEOREM: let P and Q be prefix sums m leaves apart, whose numbers lie in [low, high]. The prefix j leaves
    after P is at least P + low * j and at least Q - high * (m - j), so never below the value where these are
    equal, (P * high - Q * low + m * low * high) / (high - low). The upper bound follows in the same way.
    """
    xp = fold.xp
    start = xp.broadcast_to(seed, sums.shape[1:])[None]
    known = xp.cumsum(xp.concatenate([start, sums]), axis=0)
    before, after, hull = known[:-1], known[1:], counts * (low * high)
    least = (before * high - after * low + hull) // (high - low)
    greatest = -((before * low - after * high + hull) // (high - low))
    return xp.minimum(least.min(0), 0), xp.maximum(greatest.max(0), 0), known[-1]


def block_sums(fold: Stored, form: Form, size: int) -> tuple[Array, Array]:
    """Return the sums of consecutive blocks of at most `size` stored leaves, and each block's length."""
    xp, leaves, rank = fold.xp, fold.leaves, fold.rank
    combined = lambda x, axes: fold.implementation.combine_along(xp, x, axes, "add", form.dtype)
    inner = rank
    while inner and prod(leaves.shape[inner - 1 : rank]) <= size:
        inner -= 1
    within, ones = prod(leaves.shape[inner:rank]), [1] * (leaves.ndim - rank)
    if inner == 0:
        return combined(leaves[None], range(1, rank + 1)), xp.asarray([within]).reshape(1, *ones)
    split, outer, size = inner - 1, leaves.shape[: inner - 1], size // within
    size = next((c for c in range(size, size // 2, -1) if leaves.shape[split] % c == 0), size)
    whole, every = leaves.shape[split] // size, [slice(None)] * (inner - 1)
    parts = [leaves[(*every, slice(whole * size))].reshape(*outer, whole, size, *leaves.shape[inner:])]
    counts = [np.full((*outer, whole), size * within)]
    if rest := leaves.shape[split] - whole * size:
        parts.append(leaves[(*every, None, slice(whole * size, None))])
        counts.append(np.full((*outer, 1), rest * within))
    sums = xp.concatenate([combined(part, range(inner, rank + 1)) for part in parts], axis=split)
    lengths = xp.asarray(np.concatenate(counts, axis=split)).reshape(-1, *ones)
    return sums.reshape(-1, *leaves.shape[rank:]), lengths
