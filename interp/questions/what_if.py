"""Sums of the products of a contraction in other accumulators and schedules, and their exact sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from interp.backends import Array
from interp.engine import additions
from interp.engine.accumulators import FLOATS, Hardware, hardware
from interp.engine.additions import Terms
from interp.engine.stored import is_stored_as_integer
from interp.engine.work import beat
from interp.execute.along import WIDE, flushed, holds_products, odd_product, own_exponents, widest
from interp.kernels.contraction import factor_types
from interp.recorder.products import Products
from interp.recorder.recorded import Reduction
from interp.speed.exact_contraction import accumulation_type
from spec.accumulation import Accumulation
from spec.accumulation_text import NAMES
from spec.accumulator import Accumulator
from spec.errors import Unsupported
from spec.schedule import Schedule
from spec.types import ElementType

INTEGERS = ("i16", "i20", "i24", "i32", *FLOATS[:3])
BYTES = 8  # bits of factors whose products are added in pairs
CELLS = 1 << 20  # products at a time
KEPT = 16  # times so many that are kept
Machine = Hardware | Accumulation
EXACT = 2**53  # the largest sum that f64 has with all smaller ones


def products_of(
    reduction: Reduction, given: Sequence[str | Machine | Accumulator] | None
) -> tuple[Reduction, tuple[Machine, ...], Chunks]:
    """Return a contraction (of integers, if it is one), its accumulators, and its products."""
    whole = reduction.in_integers() or reduction
    assert whole.products
    names = _usual(whole.products) if given is None else given
    machines = tuple(dict.fromkeys(machine for each in names for machine in machines_named(each)))
    _refuse(whole, machines)
    return whole, machines, Chunks(whole.products, whole.size)


def machines_named(given: str | Machine | Accumulator) -> tuple[Machine, ...]:
    """Return the accumulation that is named, or the accumulators: two for an integer type alone."""
    if isinstance(given, Accumulation) or (isinstance(given, str) and given.strip().startswith(NAMES)):
        return (Accumulation.parse(given),)
    return hardware(given)


def sums_in(chunks: Chunks, machine: Machine, schedules: Sequence[Schedule]) -> list[Array]:
    """Return all sums in an accumulator, for each schedule."""
    if isinstance(machine, Accumulation):
        return [chunks.sums(machine)] * len(schedules)
    return [chunks.sums(Accumulation.of(repr(machine), schedule)) for schedule in schedules]


def _usual(products: Products) -> tuple[str, ...]:
    """Return the usual accumulators; pairs in i16 only for factors of 8 bits."""
    if not is_stored_as_integer(products.type):
        return FLOATS[:3]
    pairs = all(high - low < 1 << BYTES for low, high in products.ranges)
    return (*INTEGERS, *(["maddubs"] if pairs else []))


def _refuse(whole: Reduction, machines: Sequence[Machine]) -> None:
    """Refuse complex numbers, integer accumulators of floats, and integer sums that f64 does not hold."""
    assert whole.products
    if whole.op.result.type.storage_type.kind == "complex":
        raise Unsupported(f"{whole.name} multiplies complex numbers", "accumulators hold real ones")
    if is_stored_as_integer(whole.products.type):
        most = max(map(abs, whole.products.possible)) * max(whole.n, 1)
        if most > EXACT:
            raise Unsupported(f"sums of {whole.name} may reach {most:,}", f"expected at most {EXACT:,}")
        return
    for machine in machines:
        held = machine if isinstance(machine, Accumulation) else Accumulation.of(repr(machine))
        if any(a.element_type and a.element_type.is_integer for a in held.arithmetics):
            evidence = "integers accumulate integers: plain ones, or those of quantized operands"
            raise Unsupported(f"{whole.name} multiplies floats, got the accumulator {machine!r}", evidence)


class Chunks:
    """The exact products of a contraction, some result elements at a time; few are computed once only."""

    def __init__(self, products: Products, size: int) -> None:
        self.products, self.size = products, size
        self.step = max(1, CELLS // max(1, products.n))
        self.is_whole = is_stored_as_integer(products.type)
        if not self.is_whole:  # f64 has the product of two f32 numbers
            self.products = replace(products, multiply=lambda a, b: a.astype(np.float64) * b)
        self.known: dict[int, Array] = {}

    def exact(self) -> Array:
        """Return the sums that nothing rounds or clamps: of floats in f64, compensated."""
        return self.each(_exact, object if self.is_whole else np.float64)

    def each(self, f: Callable[[Array, Array], Array], dtype: Any) -> Array:
        """Return `f` of the products [products, elements] of all elements, and the numbers of these."""
        with np.errstate(all="ignore"):
            return self._each(f, np.empty(self.size, dtype))

    def _each(self, f: Callable[[Array, Array], Array], found: Array) -> Array:
        for first in range(0, self.size, self.step):
            beat("elements", first, self.size)
            columns = np.arange(first, min(first + self.step, self.size))
            leaves = self.known.get(first)
            if leaves is None:
                leaves = self.products.of_elements(columns)
                if len(self.known) < KEPT:
                    self.known[first] = leaves
            found[columns] = f(leaves, columns)
        return found

    def sums(self, accumulation: Accumulation) -> Array:
        """Return the sums of all elements along an accumulation, in f64."""
        op = self.products.op
        declared = accumulation_type(op)
        if self.is_whole and not declared.is_integer:  # of dequantized numbers
            declared = Accumulator().type
        types = [WIDE, WIDE] if self.is_whole else list(factor_types(op))

        def add(leaves: Array, columns: Array) -> Array:
            terms = self._terms(leaves, columns, types, accumulation)
            init = np.zeros(len(columns), np.int64 if self.is_whole else np.float64)
            return additions.sums(accumulation, terms, init, declared).astype(np.float64)

        return self.each(add, np.float64)

    def _terms(
        self, leaves: Array, columns: Array, types: list[ElementType], accumulation: Accumulation
    ) -> Terms:
        whole, (left, right) = self.is_whole, types
        flushes = accumulation.flushes_inputs and not whole

        def of(multiply: Callable[[Array, Array], Array]) -> Array:
            """Return a function of the factors, in f64, instead of the products."""
            if flushes:
                flush = lambda a, b: multiply(flushed(a.astype(np.float64), left), flushed(b, right))
            else:
                flush = lambda a, b: multiply(a.astype(np.float64), b.astype(np.float64))
            return replace(self.products, multiply=flush).of_elements(columns)

        numbers = of(np.multiply) if flushes else leaves.astype(np.int64 if whole else np.float64)
        each = lambda a, b: additions.exponents(a, left) + additions.exponents(b, right)
        shared = cache(lambda: of(each))
        exponents = lambda i, own: own_exponents(numbers[i]) if own else shared()[i]
        held = whole or holds_products(types)
        to_odd = None if held else of(odd_product).__getitem__
        own = WIDE if whole else widest(types)
        return Terms(len(numbers), numbers.__getitem__, own, exponents, held, to_odd)


def _exact(leaves: Array, columns: Array) -> Array:
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
