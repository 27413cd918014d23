"""`Trace.matrix` of a contraction: its sums in other accumulators and schedules, against the exact sums."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import isfinite

import numpy as np

from interp.backends import Array
from interp.engine.accumulators import FLOATS, Hardware, accumulated, hardware
from interp.engine.fold import Leaves
from interp.engine.markup import aligned
from interp.engine.stored import is_stored_as_integer
from interp.reductions.products import Products
from interp.reductions.recorded import Reduction
from spec.accumulator import Accumulator
from spec.errors import Malformed, Unsupported
from spec.schedule import Schedule, parse

INTEGERS = ("i16", "i20", "i24", "i32", *FLOATS[:3])
BYTES = 8  # bits of factors whose products are added in pairs
CELLS = 1 << 20  # products at a time
EXACT = 2**53  # the largest sum that f64 has with all smaller ones


@dataclass(frozen=True, eq=False)
class Accumulation:
    """The sums of a contraction in one accumulator and schedule; `errors` are less the exact sums."""

    machine: Hardware
    schedule: Schedule
    accumulators: Array = field(repr=False)
    errors: Array = field(repr=False)

    @property
    def error(self) -> float:
        """The largest error; infinite where a sum is, or is NaN."""
        return float(np.nan_to_num(np.abs(self.errors), nan=np.inf, posinf=np.inf).max(initial=0))

    @property
    def wrong(self) -> int:
        """The number of result elements whose sums are not exact."""
        return int(np.count_nonzero(self.errors))


@dataclass(frozen=True, eq=False)
class WhatIf:
    """Sums of a contraction by accumulator and schedule; `exact` are those that nothing rounds or clamps.

    Where the operands represent quantized numbers, the products are those of the integers `q - zero_point`.
    Floats are summed in f64, compensated, for `exact`.
    """

    reduction: Reduction
    machines: tuple[Hardware, ...]
    schedules: tuple[Schedule, ...]
    exact: Array = field(repr=False)
    cells: tuple[Accumulation, ...] = field(repr=False)

    def cell(self, accumulator: str | Hardware, schedule: str | Schedule = "left") -> Accumulation:
        """Return the sums in an accumulator, such as `"i16 saturate"`, and a schedule."""
        wanted = hardware(accumulator), parse(schedule)
        for cell in self.cells:
            if wanted == ((cell.machine,), cell.schedule):
                return cell
        evidence = f"accumulators: {', '.join(map(repr, self.machines))}\nschedules: {self.schedules!r}"
        raise Malformed(f"no cell {accumulator!r}, {schedule!r}", evidence)

    def schedule_matters(self, machine: Hardware) -> bool:
        """Return whether two of the schedules give different sums."""
        first, *others = (cell for cell in self.cells if cell.machine == machine)
        return any(not np.array_equal(first.accumulators, c.accumulators, equal_nan=True) for c in others)

    def __repr__(self) -> str:
        lines = [
            f"{self.reduction.heading}: {self.reduction.size:,} sums of {self.reduction.n:,} products",
            f"largest error{' of integers' if _is_whole(self.reduction) else ''} (sums that are not exact)",
            "~: the schedule matters",
        ]
        rows = [["", *map(repr, self.schedules), ""]]
        for machine in self.machines:
            cells = [self.cell(machine, schedule) for schedule in self.schedules]
            texts = [f"{_shown(cell.error)} ({cell.wrong:,})" for cell in cells]
            rows.append([f"  {machine!r}", *texts, "~" if self.schedule_matters(machine) else ""])
        return "\n".join([*lines, *aligned(rows)])


def _shown(error: float) -> str:
    return f"{error:,.0f}" if error >= 1 and error.is_integer() and isfinite(error) else f"{error:.4g}"


def _is_whole(reduction: Reduction) -> bool:
    assert reduction.products
    return is_stored_as_integer(reduction.products.type)


def what_if(
    reduction: Reduction,
    given: Sequence[str | Hardware | Accumulator] | None,
    schedules: tuple[Schedule, ...],
) -> WhatIf:
    """Sum a contraction's products in accumulators, by default the usual ones of hardware."""
    whole = reduction.in_integers() or reduction
    products = whole.products
    assert products
    names = _usual(products) if given is None else given
    machines = tuple(dict.fromkeys(machine for each in names for machine in hardware(each)))
    _refuse(whole, machines)
    exact = np.empty(whole.size, object if _is_whole(whole) else np.float64)
    sums = {(machine, schedule): np.empty(whole.size) for machine in machines for schedule in schedules}
    for columns, leaves in _chunks(products, whole.size):
        exact[columns] = _exact(leaves)
        some = _leaves(leaves)
        for (machine, schedule), found in sums.items():
            found[columns] = accumulated(some, leaves.shape[1], machine, schedule)
    with np.errstate(invalid="ignore"):
        numbers = exact.astype(np.float64)
        cells = [
            Accumulation(*key, *(each.reshape(whole.shape) for each in (x, x - numbers)))
            for key, x in sums.items()
        ]
    return WhatIf(whole, machines, schedules, exact.reshape(whole.shape), tuple(cells))


def _usual(products: Products) -> tuple[str, ...]:
    """Return the usual accumulators; pairs in i16 only for factors of 8 bits."""
    if not is_stored_as_integer(products.type):
        return FLOATS[:3]
    pairs = all(high - low < 1 << BYTES for low, high in products.ranges)
    return (*INTEGERS, *(["maddubs"] if pairs else []))


def _refuse(whole: Reduction, machines: Sequence[Hardware]) -> None:
    """Refuse complex numbers, integer accumulators of floats, and integer sums that f64 does not hold."""
    assert whole.products
    if whole.op.result.type.storage_type.kind == "complex":
        raise Unsupported(f"{whole.name} multiplies complex numbers", "accumulators hold real ones")
    if _is_whole(whole):
        most = max(map(abs, whole.products.possible)) * max(whole.n, 1)
        if most > EXACT:
            raise Unsupported(f"sums of {whole.name} may reach {most:,}", f"expected at most {EXACT:,}")
        return
    for machine in machines:
        if any(isinstance(kept, Accumulator) for kept in (machine.inner, machine.outer)):
            evidence = "integers accumulate integers: plain ones, or those of quantized operands"
            raise Unsupported(f"{whole.name} multiplies floats, got the accumulator {machine!r}", evidence)


def _chunks(products: Products, size: int) -> Iterator[tuple[Array, Array]]:
    """Yield flat result indices, and the exact products of these elements, [products, elements]."""
    step = max(1, CELLS // max(1, products.n))
    exact = products
    if not is_stored_as_integer(products.type):  # f64 has the product of two f32 numbers
        exact = replace(products, multiply=lambda a, b: a.astype(np.float64) * b)
    for first in range(0, size, step):
        columns = np.arange(first, min(first + step, size))
        yield columns, exact.of_elements(columns)


def _leaves(stacked: Array) -> Leaves:
    return Leaves(len(stacked), lambda i: (stacked[i],), lambda: (stacked,))


def _exact(leaves: Array) -> Array:
    """Return exact sums of integers, and compensated ones of floats."""
    if leaves.dtype.kind != "f":
        return leaves.sum(0, dtype=object if leaves.dtype == object else np.int64).astype(object)
    total = np.zeros(leaves.shape[1])
    lost = np.zeros(leaves.shape[1])
    for x in leaves.astype(np.float64):
        after = total + x
        back = after - total
        lost += (total - (after - back)) + (x - back)
        total = after
    return total + lost
