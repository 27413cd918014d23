"""Ordered sums of products in a compiled loop that counts their events: how many, the first and the worst."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import inf, log2, prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, windows
from interp.engine.evaluate import Context
from interp.engine.fold import Extreme, Found
from interp.engine.quant import Type, round_parameters
from interp.engine.storage import storage_range
from interp.speed.native_products import threads
from interp.speed.numpy_products import ORDERED_TILE, ROWS, VECTOR, matrices, multiply_tiles, panels, pays
from interp.speed.problem import Convolution, Problem
from interp.theory.contractions import number_of_products
from spec.accumulator import Accumulator
from spec.ir import Op
from spec.schedule import LEFT
from spec.types import ElementType, QuantizedType

# Ordered sums of products, with counts of their events: how many, the first and the worst.

Numbers = np.ndarray
RANGE = 1 << 30  # integers within which a sum and a product fit into int32


class Held(NamedTuple):
    """Rule by which an accumulator of integers holds a sum; with `products` it wraps products, too."""

    least: int
    most: int
    saturates: bool
    products: bool

    @property
    def name(self) -> str:
        """A name without signs, one for each value."""
        words = ["saturates" if self.saturates else "wraps", *["whole"] * self.products]
        return f"{'_'.join(words)}_{self.most - self.least:x}_{self.most:x}"


class Place(NamedTuple):
    """A sum with an event: the leaf, its flat index, and the sum before and the product that met there."""

    leaf: int
    column: int
    before: Numbers
    product: Numbers

    @property
    def extreme(self) -> Extreme:
        return Extreme(self.column, self.leaf + 1, self.before, self.product)  # leaf 0 is the init value


def largest(factors: Numbers) -> float:
    """Return the size of the largest factor."""
    return float(np.abs(factors).max(initial=0))


def stays_finite(sizes: Sequence[float], n: int, element: ElementType) -> bool:
    """Return whether no sum of n products of factors up to these sizes can overflow, always rounded up."""
    if not all(map(np.isfinite, sizes)):
        return False
    growth = (n + 1) * log2(1 + 2.0**-element.precision)
    return not all(sizes) or sum(map(log2, (*sizes, max(n, 1)))) + growth < element.bias


def sum_floats(problem: Problem, element: ElementType) -> tuple[Numbers, Found | None] | None:
    """Return ordered sums of floats, and which are not exact; None where the loop does not pay, or overflows.

    A hole may be multiplied, as in `numpy_products.ordered`: a zero of either sign adds nothing.
    """
    sizes = [largest(x) for x in (problem.left, problem.right)]
    if not pays(problem.n * prod(problem.shape)) or not stays_finite(sizes, problem.n, element):
        return None
    return _sum(problem, NUMPY.carrier(element), "inexact", element.name, None)


def sum_integers(problem: Problem, held: Held, kind: str) -> tuple[Numbers, Found | None] | None:
    """Return ordered sums of integers in an accumulator, and which left its range; None if it is too wide."""
    if not pays(problem.n * prod(problem.shape)) or max(held.most, -held.least) >= 2**62:
        return None
    sizes = [int(np.abs(x.astype(np.int64)).max(initial=0)) for x in (problem.left, problem.right)]
    product = prod(sizes)
    if product >= 2**62 and not held.products:
        return None
    dtype = np.int32 if product < RANGE and max(held.most, -held.least) < RANGE else np.int64
    return _sum(problem, np.dtype(dtype), kind, held.name, held)


def _sum(
    problem: Problem, dtype: np.dtype, kind: str, name: str, held: Held | None
) -> tuple[Numbers, Found | None]:
    from interp.speed.counted_numba import counting

    size = np.dtype(np.float64) if name in ("bf16", "f16") else dtype
    counter = Counter(problem, dtype, size, counting(name, held))
    sums = multiply_tiles(problem, dtype, counter.product, ORDERED_TILE, threads())
    return sums, counter.events(kind)


class Counter:
    """The sums of one contraction, judged tile after tile, in several threads.

    A tile whose first or worst event is not better than a known one does not name it; `size` is the dtype of
    errors.
    """

    def __init__(self, problem: Problem, dtype: np.dtype, size: np.dtype, loops: Any) -> None:
        self.problem, self.size, self.loops = problem, size, loops
        self.panels = [panels(pad_axis(matrix.astype(dtype, copy=False), 0)) for matrix in matrices(problem)]
        self.numbers: list[int] = []
        self.firsts: list[Place] = []
        self.worsts: list[tuple[float, Place]] = []

    def product(self, left: Numbers, box: windows.Box) -> Numbers:
        """Return ordered sums of products [batch, m, k] by [batch, k, n]."""
        return np.stack([self._sum_batch(batch, rows, box) for batch, rows in enumerate(left)])

    def events(self, kind: str) -> Found | None:
        """Return the events of all tiles."""
        if not self.firsts:
            return None
        first, (_, worst) = min(self.firsts, key=_order), min(self.worsts, key=_badness)
        return Found(kind, sum(self.numbers), first.extreme, worst.extreme)

    def _sum_batch(self, batch: int, left: Numbers, box: windows.Box) -> Numbers:
        m, parts, start = len(left), [], 0
        rows = pad_axis(pad_axis(left, 0), 1)
        for panel in self.panels[batch]:
            columns = range(start, start := start + panel.shape[1])
            flat = partial(self._flat, batch, box, columns)
            turned = len(columns) < VECTOR and len(columns) < m
            parts.append(
                self._sum_turned(rows, panel, flat) if turned else self._sum_panel(rows, panel, flat)
            )
        return np.concatenate(parts, axis=1)[:m]

    def _sum_turned(self, left: Numbers, right: Numbers, flat: Callable[[int], int]) -> Numbers:
        """Return the sums with vectors along the rows, as there are too few columns for one."""
        outputs = right.shape[1]
        return self._sum_panel(pad_axis(right.T, 0), np.ascontiguousarray(left.T), flat, outputs)[:outputs].T

    def _sum_panel(
        self, left: Numbers, right: Numbers, flat: Callable[[int], int], turned: int = 0
    ) -> Numbers:
        """Return sums, and note their events. flat: a place by its key. turned: how many outputs are rows."""
        keys = (1, turned) if turned else (right.shape[1], 1)
        totals, sizes = np.zeros((len(left), right.shape[1]), left.dtype), np.zeros(right.shape[1], self.size)
        number, size, leaf, key = self.loops.counted(totals, left, right, sizes, *keys)
        if not number:
            return totals

        def place(leaf: int, key: int) -> Place:
            row, column = divmod(key, turned)[::-1] if turned else divmod(key, right.shape[1])
            return Place(leaf, flat(key), *self.loops.steps(left[row], right[:, column], leaf))

        self.numbers.append(number)
        worst = float(size), place(leaf, key)
        if not self.worsts or _badness(worst) < _badness(self.worsts[-1]):
            self.worsts.append(worst)
        end = self.problem.n
        if self.firsts:
            known = self.firsts[-1]
            end = known.leaf + (flat(0) < known.column)
        leaf, key = self.loops.first(left, right, end, *keys)
        if leaf < end:
            self.firsts.append(place(leaf, key))
        return totals

    def _flat(self, batch: int, box: windows.Box, columns: range, key: int) -> int:
        """Return the place among all sums of a row of a tile and a column of a panel."""
        problem, (row, column) = self.problem, divmod(key, len(columns))
        sizes = problem.sizes if isinstance(problem, Convolution) else problem.shape[1:2]
        index = np.unravel_index(row, [part.stop - part.start for part in box])
        moved = [int(i) + part.start for i, part in zip(index, box, strict=True)]
        position = int(np.ravel_multi_index(moved, tuple(sizes))) if sizes else 0
        outputs = problem.shape[-1]
        if isinstance(problem, Convolution):
            return position * outputs + batch * (outputs // problem.groups) + columns[column]
        return (batch * sizes[0] + position) * outputs + columns[column]


def pad_axis(x: Numbers, axis: int) -> Numbers:
    """Return a matrix with zeros at an end, to a multiple of `ROWS`; they change no sum."""
    shape = list(x.shape)
    shape[axis] = -(-shape[axis] // ROWS) * ROWS
    whole = np.zeros(shape, x.dtype)
    whole[: x.shape[0], : x.shape[1]] = x
    return whole


def _order(place: Place) -> tuple[int, int]:
    return place.leaf, place.column


def _badness(worst: tuple[float, Place]) -> tuple[float, int, int]:
    return -worst[0], *_order(worst[1])


LOOP = "compiled loop"
IN_ORDER = "in order, every product and sum rounded"
COUNTED = f"{IN_ORDER}, events counted beside"
Otherwise = Callable[[], Array]


def are_unwatched(ctx: Context, op: Op, element: ElementType, factors: Sequence[Array] = ()) -> bool:
    """Return whether the sums of floats have no event that a listener wants to hear of.

    Without `inexact` these are NaN and infinities: factors exclude them if they, or their types, are small.
    """
    wanted = ctx.sums(op)
    kinds = frozenset({"inexact"}) if wanted is None else frozenset().union(*(each.kinds for each in wanted))
    if "inexact" in kinds or not kinds:
        return not kinds
    types = [value.type.element_type for value in op.operands]
    sizes = [largest(x) for x in factors] if factors else [_largest(type) for type in types]
    return stays_finite(sizes, number_of_products(op), element)


def _largest(type: Type) -> float:
    """Return a bound of the numbers of a quantized type, rounded or not; infinity for other types."""
    if not isinstance(type, QuantizedType):
        return inf
    ends = [[end - zero_point for end in storage_range(type)] for zero_point in type.zero_points]
    pairs = zip(ends, round_parameters(type).scales, strict=True)
    return max(2 * max(map(abs, both)) * scale for both, scale in pairs)


def counted_floats(
    ctx: Context, op: Op, problem: Problem, element: ElementType, otherwise: Otherwise
) -> Array:
    """Return ordered sums of floats, and tell which are not exact; `otherwise()` if that is not counted."""
    if not _suffices(ctx, op):
        return otherwise()
    return _tell(ctx, op, sum_floats(problem, element), otherwise)


def counted_integers(
    ctx: Context,
    op: Op,
    problem: Problem,
    accumulator: Accumulator | ElementType,
    wraps_products: bool,
    otherwise: Otherwise,
) -> Array:
    """Return ordered sums of integers that wrap or saturate, and tell which do."""
    if not _suffices(ctx, op):
        return otherwise()
    saturates = isinstance(accumulator, Accumulator) and accumulator.saturates
    type = accumulator.type if isinstance(accumulator, Accumulator) else accumulator
    held = Held(type.min_value, type.max_value, saturates, wraps_products)
    kind = "saturate" if saturates else "wrap"
    return _tell(ctx, op, sum_integers(problem, held, kind), otherwise)


def _suffices(ctx: Context, op: Op) -> bool:
    """Return whether a left fold may run in a loop that counts what all listeners want to know."""
    wanted = ctx.sums(op)
    counts = wanted is not None and all(sums.done for sums in wanted)
    return counts and ctx.schedule == LEFT and ctx.xp.in_place


def _tell(ctx: Context, op: Op, counted: tuple[Array, Found | None] | None, otherwise: Otherwise) -> Array:
    if counted is None:
        return otherwise()
    total, found = counted
    for listener in ctx.listeners:
        listener.on_fast_path(op, LOOP, COUNTED)
    for sums in ctx.sums(op) or ():
        if found and sums.done and found.kind in sums.kinds:
            sums.done(found)
    return total
