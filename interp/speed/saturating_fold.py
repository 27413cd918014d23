"""Fast paths of a left fold of quantized additions that may clamp: cheap steps, and skipping early ones.

This is written over an array namespace; `Stored.implementation` is the module of the functions that differ
between NumPy and XLA.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from math import ceil, isfinite, prod
from types import ModuleType
from typing import NamedTuple

import numpy as np

from interp.backends import Array, Namespace, State
from interp.engine.storage import storage_range
from interp.speed.order_free import Plain, Reduction, smallest_integer
from interp.theory.quantized_arithmetic import adds_integers, conversion_shift, real_ends
from spec.types import QuantizedType

# Sequences of saturating additions as functions of the starting number, and their composition.
#
# This is written over an array namespace; each array holds one function per element.


class Shift(NamedTuple):
    """The function `q -> clamp(q + sum, least, greatest)`."""

    sum: Array
    least: Array
    greatest: Array

    def then(self, other: Shift, clip: Callable[..., Array]) -> Shift:
        """Return the composition of both functions: this one is applied first."""
        least, greatest = (clip(end + other.sum, other.least, other.greatest) for end in self[1:])
        return Shift(self.sum + other.sum, least, greatest)


def composition(xp: Namespace, level: Shift) -> Shift:
    """Compose the functions along the first dimension, pairing neighbours round after round."""
    while (n := len(level.sum)) > 1:
        pairs = n // 2 * 2
        even, odd, rest = (
            Shift(*(x[part] for x in level))
            for part in (slice(0, pairs, 2), slice(1, pairs, 2), slice(pairs, None))
        )
        level = Shift(*map(lambda *x: xp.concatenate(x), even.then(odd, xp.clip), rest))
    return Shift(*(x[0] for x in level))


class Run(NamedTuple):
    """Numbers to add in sequence: their sum, and the least and the greatest of 0 and their prefix sums."""

    sum: Array
    least: Array
    greatest: Array

    def then(self, other: Run, xp: Namespace) -> Run:
        """Return this run followed by the other as one run."""
        least = xp.minimum(self.least, self.sum + other.least)
        return Run(self.sum + other.sum, least, xp.maximum(self.greatest, self.sum + other.greatest))

    def forgets(self, low: int, high: int) -> Array:
        """Return where the result of the run is the same for every starting number.

        THEOREM: it is if two prefix sums differ by more than `high - low`. If the later one is greater, any
        number, which is at least `low` at the first of them, reaches `high` before the second, and from there
        on all take the same course. The other case is symmetric.
        """
        return self.greatest - self.least > high - low

    def clamp(self, low: int, high: int) -> Shift:
        """Return the additions, which saturate at `low` and `high`, as one shift.

        THEOREM: they are a shift unless the run forgets. From `low`, a run that saturates only below ends at
        `low` plus the sum minus the least prefix sum; it never exceeds `high` on the way, so that saturating
        above changes nothing. The same holds from `high`. From a number between, it ends at the shifted
        number, clamped by those two results.
        """
        return Shift(self.sum, low + self.sum - self.least, high + self.sum - self.greatest)


TRIED = (128, 2048)  # how many last leaves may decide
SMALL = 2.0**-100  # scales from here on meet no subnormal number, which XLA would flush
FEW = 1024  # columns: with fewer, parts of the fold run side by side


class IntegerStep(NamedTuple):
    """The step `number -> clamp(number + leaf + offset)` on stored numbers minus the zero point."""

    theorem: str
    offset: int
    zero_point: int
    low: int
    high: int
    dtype: np.dtype


class FloatStep(NamedTuple):
    """A step as the specification defines it, in the expressed type f32."""

    theorem: str
    source: QuantizedType
    accumulation: QuantizedType

    @property
    def keeps_leaves(self) -> bool:
        """Return whether conversion keeps the real values of leaves: equal scales, and conversion is a shift.

        The real value of a leaf is then computed from the leaf itself: `(fl(q) - zero_point) * scale` in f32.
        """
        source, accumulation = self.source, self.accumulation
        return source.scale == accumulation.scale and conversion_shift(source, accumulation) is not None


Step = IntegerStep | FloatStep


@cache
def step_of(reduction: Reduction) -> Step | Plain:
    """Return the step by which a left fold of additions takes one more leaf, or why no theorem applies."""
    if reduction.operation != "add" or len(reduction.quantized_types) < 3:
        return Plain("its steps are not quantized additions")
    integer = integer_step(reduction)
    return integer if isinstance(integer, IntegerStep) else float_step(reduction, integer.why)


def integer_step(reduction: Reduction) -> IntegerStep | Plain:
    """Return the step in integers, or why there is none.

    THEOREM: it is `q -> clamp(q + leaf - zero_point)` if conversion is a shift, and `exact_sums` holds every
    sum of two stored numbers.
    """
    source, _, accumulation = reduction.quantized_types
    shift, zero_point = conversion_shift(source, accumulation), accumulation.zero_point
    low, high = accumulation.storage_min - zero_point, accumulation.storage_max - zero_point
    if shift is None:
        return Plain(f"conversion from {source!r} to {accumulation!r} is not a shift")
    if not adds_integers(accumulation):
        return Plain(f"sums of two of {accumulation!r} may pass the bound of integer addition")
    offset = shift - zero_point
    reached = max(map(abs, (low, high, offset, source.storage_min, source.storage_max)))
    theorem = f"saturating addition in [{accumulation.storage_min}, {accumulation.storage_max}]"
    return IntegerStep(theorem, offset, zero_point, low, high, smallest_integer(2, -reached, reached))


def float_step(reduction: Reduction, why: str) -> FloatStep | Plain:
    """Return the step in f32, or why there is none.

    THEOREM: a step in f32 needs no integers, and never decreases as the accumulator grows, since each of its
    operations keeps order. `quantize` ends with a rounded float; dequantizing that float gives what
    dequantizing its integer gives, if the zero point is 0 (both round in the same way), or if every stored
    number, up to 2^24, is an f32. No NaN arises if both types are finite at the ends of their storage ranges.
    """
    source, _, accumulation = reduction.quantized_types
    finite = all(isfinite(end) for type in (source, accumulation) for end in real_ends(type))
    if accumulation.expressed_type.name != "f32" or not finite or accumulation.scale < SMALL:
        return Plain(why)
    if accumulation.zero_point and max(-accumulation.storage_min, accumulation.storage_max) > 2**24:
        return Plain(f"{accumulation!r} has a zero point, and stores numbers that f32 rounds")
    return FloatStep(f"steps in f32: {why}", source, accumulation)


class Stored(NamedTuple):
    """A fold's leaves before conversion: `x`, reduced over the first `rank` dimensions of `order`.

    `leaves` is transposed only on demand, since XLA copies every operand of a branch. `init` is converted.
    `tell(theorem, why)` reports the fast path that was used. implementation: `numpy_impl` or `jax_impl`.
    """

    xp: Namespace
    reduction: Reduction
    x: Array
    order: tuple[int, ...]
    rank: int
    init: Array
    tell: Callable[[str, str], None]
    implementation: ModuleType

    @property
    def leaves(self) -> Array:
        return self.xp.transpose(self.x, self.order)

    def of(self, leaves: Array, rank: int) -> Stored:
        """Return the same fold over other leaves, which are transposed already."""
        return self._replace(x=leaves, order=tuple(range(leaves.ndim)), rank=rank)

    def last(self, count: int) -> Stored:
        """Return the fold of the last `count` leaves, or of a few more."""
        leaves, rank = self.leaves, self.rank
        inner = prod(leaves.shape[1:rank])
        if rank > 1 and inner >= count:
            return self.of(leaves[-1], rank - 1).last(count)
        return self.of(leaves[-ceil(count / inner) :], rank)

    def side_by_side(self) -> Stored:
        """Return the fold with its first reduced dimension as the first dimension of columns."""
        first, others, kept = self.order[0], self.order[1 : self.rank], self.order[self.rank :]
        return self._replace(order=(*others, first, *kept), rank=self.rank - 1)

    def steps(self, states: Array, step: Step) -> Array:
        """Return the states after a step for each leaf; their last dimensions are those of the columns."""
        return self.implementation.steps(self, states, step)

    def from_both_ends(self, step: Step) -> tuple[Array, Array]:
        """Return the results of folds that start at the least and at the greatest stored number."""
        xp, type, kept = self.xp, self.reduction.quantized_types[2], self.leaves.shape[self.rank :]
        ends = xp.asarray(storage_range(type), xp.carrier(type.storage_type))
        states = xp.array(xp.broadcast_to(ends.reshape(2, *[1] * len(kept)), (2, *kept)))
        least, greatest = self.steps(states, step)
        return least, greatest


def left(fold: Stored, step: Step, looped: Callable[[], State | None] = lambda: None) -> Array:
    """Return the accumulators of a left fold, from its last leaves if those decide, else from all."""
    otherwise = lambda: _whole(fold, step, looped)
    for count in reversed(TRIED):
        if 4 * count <= fold.reduction.n and count * longest(fold.reduction) >= width(fold.reduction):
            otherwise = partial(forgetting, fold, step, count, otherwise)
    return otherwise()


def width(reduction: Reduction) -> int:
    """Return how far apart the ends of the accumulation type's storage range are."""
    low, high = storage_range(reduction.quantized_types[2])
    return high - low


def longest(reduction: Reduction) -> int:
    """Estimate the largest change that one leaf can cause."""
    source, _, accumulation = reduction.quantized_types
    farthest = max(abs(end - source.zero_point) for end in storage_range(source))
    return int(farthest * source.scale / accumulation.scale) + 1


def forgetting(fold: Stored, step: Step, count: int, otherwise: Callable[[], Array]) -> Array:
    """Return the accumulators from the last `count` leaves if they decide, else `otherwise()`.

    THEOREM: if the last leaves lead from both ends of the storage range to the same number, it is the result.
    A step never decreases as the accumulator grows, so the result from any accumulator lies between those
    from the least and the greatest one. A fold that clamps above and below soon forgets how it began.
    """
    least, greatest = fold.last(count).from_both_ends(step)

    def fast() -> Array:
        fold.tell("forgetting", f"the last {count} leaves decide: {step.theorem}")
        return least

    return fold.implementation.branch(fold.xp, (least == greatest).all(), fast, otherwise)


def _whole(fold: Stored, step: Step, looped: Callable[[], State | None]) -> Array:
    seed = fold.xp.array(fold.xp.broadcast_to(fold.init, fold.leaves.shape[fold.rank :]))
    n = fold.reduction.n
    if isinstance(step, IntegerStep) and n >= 4 * FEW and fold.implementation.composes(fold):
        fold.tell("composition", f"of {n} clamped shifts: {step.theorem}")
        return compose(fold, step, seed)
    if (found := looped()) is not None:
        return found[0]
    fold.tell("left fold", step.theorem)
    return fold.steps(seed, step)


def compose(fold: Stored, step: IntegerStep, seed: Array) -> Array:
    """Return the accumulators by composing parts of the fold, which run side by side as additional columns.

    THEOREM: a part of a fold of saturating additions is `q -> clamp(q + sum, least, greatest)`: `sum` is the
    sum of its leaves, and `least` and `greatest` are its results from the ends of the storage range. For one
    leaf that is the step, and two such functions compose to another one.
    """
    leaves, rank = fold.leaves, fold.rank
    if rank > 1:
        if len(leaves) >= FEW // 4:
            return _through(fold.side_by_side(), step, seed)
        for part in leaves:
            seed = compose(fold.of(part, rank - 1), step, seed)
        return seed
    if not (parts := fold.implementation.parts(len(leaves))):
        return fold.steps(seed, step)
    size = len(leaves) // parts
    split = leaves[: parts * size].reshape(parts, size, *leaves.shape[1:])
    seed = _through(fold.of(split, 2).side_by_side(), step, seed)
    return fold.of(leaves[parts * size :], 1).steps(seed, step)


def _through(fold: Stored, step: IntegerStep, seed: Array) -> Array:
    """Return `seed` after all parts; the parts are the first dimension that is not reduced."""
    xp = fold.xp
    sum, least, greatest = composition(xp, fold.implementation.shifts(fold, step))
    return xp.clip(seed.astype(xp.int64) + sum, least, greatest).astype(seed.dtype)
