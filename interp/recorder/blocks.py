"""Sums by blocks of scales of one run: integers within each block, and their scaled sums across all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isfinite
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine import additions, float_sums
from interp.engine.additions import WIDE, Addition, Terms
from interp.engine.block_scales import digits_of_scales
from interp.engine.fold import Leaves
from interp.engine.recipes import times_scales
from interp.kernels.block_sums import digits_of_sums, edges_of, scales_of_blocks
from interp.recorder.detect_sums import addition_events
from interp.recorder.leaves import Part
from interp.recorder.products import DOT, NO_FACTOR, Products, product_terms
from interp.speed.exact_contraction import accumulation_type
from spec.accumulation import Accumulation
from spec.accumulator import Reading
from spec.errors import Unsupported
from spec.ir import Op
from spec.recipes import QWIX
from spec.trees import ZERO
from spec.types import ElementType

Scales = tuple[Array, Array]  # of lhs and of rhs


def part_of_terms(terms: Terms, first: int, last: int) -> Terms:
    """Return the terms of one block."""
    return terms._replace(
        n=last - first,
        at=lambda i: terms.at(first + i),
        exponents=lambda i, normalized: terms.exponents(first + i, normalized),
    )


def scaled_terms(op: Op, reading: Reading, sums: list[Array], scales: list[Scales]) -> Terms:
    """Return the sums of blocks times both scales, as terms that are not rounded yet."""
    element = accumulation_type(op)
    if reading.recipe == QWIX:
        rows = [
            times_scales(NUMPY, x, pair, element).astype(np.float64)
            for x, pair in zip(sums, scales, strict=True)
        ]
        own = lambda i, normalized: float_sums.exponents(rows[i], element)
        return Terms(len(rows), rows.__getitem__, element, own)
    _refuse_long(op, sums)
    factors = [(x.astype(np.float64), lhs * rhs) for x, (lhs, rhs) in zip(sums, scales, strict=True)]
    bits = max(digits_of_sums(op, reading.accumulator), 24 if any(x.dtype.kind == "f" for x in sums) else 0)
    held = bits + digits_of_scales(op) <= float_sums.MOST

    def powers(i: int, normalized: bool) -> Array:
        if normalized:
            return np.frexp(factors[i][0] * factors[i][1])[1] - 1
        return sum((_exponent(x) for x in factors[i]), np.zeros((), np.int64))

    return Terms(
        len(factors),
        lambda i: factors[i][0] * factors[i][1],
        element,
        powers,
        held,
        None if held else lambda i: float_sums.product_to_odd(NUMPY, *factors[i]),
        None if held else factors.__getitem__,
    )


def _exponent(x: Array) -> Array:
    """Return exponents of numbers, 0 for zeros."""
    return np.where(x == 0, 0, np.frexp(x)[1] - 1)


def _refuse_long(op: Op, sums: list[Array]) -> None:
    """Raise `Unsupported` for sums that f64 does not hold, and floats that are not finite."""
    if any((np.abs(x) >= 2.0**float_sums.MOST).any() or not np.isfinite(x).all() for x in sums):
        verdict = f"{op.name} by blocks along an accumulation, with sums beyond 2^53"
        raise Unsupported(verdict, "leave the accumulation out", op.location)


@dataclass(frozen=True, eq=False)
class BlockProducts(Products):
    """The products of one block: those from `first` to before `last` of the whole sums."""

    first: int = 0
    last: int = 0

    @property
    def n(self) -> int:
        return self.last - self.first

    def _leaves(self) -> Leaves:
        whole, first, last = super()._leaves(), self.first, self.last
        stack = lambda: tuple(x[first:last] for x in whole.stack())
        return Leaves(self.n, lambda i: whole.at(first + i), stack)

    def places(self, elements: Array) -> tuple[Array, Array]:
        left, right = super().places(elements)
        return left[self.first : self.last], right[self.first : self.last]


class Block(NamedTuple):
    """The sum of one block for one result element, and what became of it.

    first, last: its leaves, both included, numbered in the whole sum from 1. additions: the nodes within it.
    exact: the sum that no accumulator holds; held: the one that its accumulator holds. scales: of lhs and of
    rhs. stored: their product with `held` in the expressed type. nodes: the exact values of the leaves and
    of the sums below its nodes.
    """

    number: int
    first: int
    last: int
    additions: tuple[Addition, ...]
    exact: int
    held: Fraction | float
    scales: tuple[float, float]
    stored: float
    nodes: tuple[int, ...]

    @property
    def events(self) -> Counter[str]:
        """The events within the block, by kind."""
        return Counter(found.kind for each in self.additions for found in addition_events(each))

    @property
    def place(self) -> str:
        """The block, its leaves and its events as text: `block 1, leaves 3..4, wrap x 2`."""
        return ", ".join([f"block {self.number}", f"leaves {self.first}..{self.last}", *self.events_text])

    @property
    def events_text(self) -> list[str]:
        """The events by kind as text: `wrap`, `wrap x 2`."""
        return [kind if n == 1 else f"{kind} x {n:,}" for kind, n in self.events.items()]

    @property
    def term(self) -> Fraction | float:
        """The sum that is held times both scales, exactly; an infinity or NaN as it is."""
        return self.held * self.scale if isinstance(self.held, Fraction) else self.held

    @property
    def scale(self) -> Fraction:
        """The product of both scales, exactly."""
        return Fraction(self.scales[0]) * Fraction(self.scales[1])


class BlockSums(NamedTuple):
    """One result element: its blocks, the nodes of the sum across them, and the result of that sum."""

    blocks: tuple[Block, ...]
    across: tuple[Addition, ...]


@dataclass(frozen=True, eq=False)
class ByBlocks:
    """The sums by blocks of one run of a contraction.

    products: the integers of the whole sums. within, across: the accumulations of a block and of the sums of
    blocks, with a type in every node of `within`. asked: whether the run was asked for them, else they are
    the schedule's and the accumulator's. reading: that of the run.
    """

    products: Products
    within: Accumulation
    across: Accumulation
    reading: Reading
    asked: bool

    @property
    def op(self) -> Op:
        return self.products.op

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The first leaf of each block, from 0, and that of the next one."""
        return edges_of(self.op)

    @property
    def element_type(self) -> ElementType:
        """The type of the sum across blocks."""
        return accumulation_type(self.op)

    @property
    def manner(self) -> str:
        """The types and the order of the additions, as text."""
        how = f"scales({self.within!r}; {self.across!r})"
        return f"along {how}, in {len(self.edges)} blocks"

    def products_of(self, number: int) -> BlockProducts:
        """Return the products of one block."""
        whole = self.products
        return BlockProducts(whole.op, whole.sides, whole.multiply, whole.type, None, *self.edges[number])

    @cached_property
    def scales(self) -> list[Scales]:
        """The scales of lhs and of rhs for every sum of each block, in the normal form."""
        return scales_of_blocks(NUMPY, self.op, self.products.geometry, self.edges)

    @cached_property
    def terms(self) -> tuple[Terms, tuple[int, ...], Callable[[Array], Array]]:
        """The products of the whole sums, the shape of each, and what arranges sums as the result."""
        return product_terms(self.products.geometry, self.products.numbers, [WIDE, WIDE], self.within)

    @cached_property
    def sums(self) -> list[Array]:
        """The sums that the accumulators hold, by block, in the normal form."""
        terms, shape, _ = self.terms
        zero = np.zeros(shape, np.int64)
        add = lambda edge: additions.sums(self.within, part_of_terms(terms, *edge), zero, WIDE)
        with np.errstate(all="ignore"):
            return [np.broadcast_to(add(edge), shape) for edge in self.edges]

    def leaves_of(self, number: int) -> Array:
        """Return the products [leaves, elements] of one block, of all result elements."""
        return np.stack([self.arrange(self.terms[0].at(i)).reshape(-1) for i in range(*self.edges[number])])

    def arrange(self, x: Array) -> Array:
        """Return numbers of the normal form in the shape of the result."""
        return self.terms[2](x)

    @property
    def exact_results(self) -> Array:
        """The sums of exact blocks times their scales, in f64."""
        total, (terms, _, _) = np.zeros(self.op.result.type.shape), self.terms
        for edge, (lhs, rhs) in zip(self.edges, self.scales, strict=True):
            exact = sum((terms.at(i) for i in range(*edge)), np.zeros((), np.int64))
            total = total + self.arrange(exact * (lhs * rhs))
        return total

    @cached_property
    def part(self) -> Part:
        """The scaled sums of blocks as leaves of the sum across them, in the expressed type."""
        terms = scaled_terms(self.op, self.reading, self.sums, self.scales)
        at = lambda k: self._round_term(terms, k)
        leaves = Leaves(terms.n, lambda k: (at(k),), lambda: (np.stack([*map(at, range(terms.n))]),))
        return Part(leaves, self.products.part.columns)

    def element(self, index: tuple[int, ...]) -> BlockSums:
        """Return the blocks of one result element and the sum across them, with all their nodes."""
        terms, scales = self._element_terms(index)
        heard: list[list[Addition]] = [[] for _ in self.edges]
        across, start = list[Addition](), np.zeros((1, 1, 1))
        with np.errstate(all="ignore"):
            sums = [
                additions.sums(
                    self.within,
                    part_of_terms(terms, *edge),
                    start.astype(np.int64),
                    WIDE,
                    False,
                    nodes.append,
                )
                for edge, nodes in zip(self.edges, heard, strict=True)
            ]
            scaled = scaled_terms(self.op, self.reading, sums, scales)
            additions.sums(self.across, scaled, start, self.element_type, hear=across.append)
            stored = [float(self._round_term(scaled, k).item()) for k in range(scaled.n)]
        blocks = list[Block]()
        for k, (first, last) in enumerate(self.edges):
            leaves = [int(terms.at(i).item()) for i in range(first, last)]
            exact = sum(leaves), _exactly(sums[k].item()), tuple(float(x.item()) for x in scales[k])
            nodes = _exact_nodes(leaves, heard[k], self.within)
            blocks.append(Block(k, first + 1, last, tuple(heard[k]), *exact, stored[k], nodes))  # type: ignore
        return BlockSums(tuple(blocks), tuple(across))

    def _element_terms(self, index: tuple[int, ...]) -> tuple[Terms, list[Scales]]:
        """Return the products of one result element as terms, and the scales of its blocks."""
        flat = int(np.ravel_multi_index(index, self.op.result.type.shape)) if index else 0
        places = [x.reshape(-1) for x in self.products.places(np.array([flat]))]
        lhs, rhs = (x.reshape(-1)[at] for x, at in zip(self.products.numbers, places, strict=True))
        lhs = np.where(places[0] == NO_FACTOR, np.zeros_like(lhs), lhs)
        terms, shape, _ = product_terms(DOT, (lhs[None, None], rhs[None, :, None]), [WIDE, WIDE], self.within)
        at = self.products.normal_place(flat)
        one = lambda x: x.reshape(-1)[at].reshape(shape)
        return terms, [(one(lhs), one(rhs)) for lhs, rhs in self.scales]

    @np.errstate(all="ignore")
    def _round_term(self, terms: Terms, k: int) -> Array:
        """Return the scaled sum of a block in the expressed type, rounded once."""
        odd = terms.at(k) if terms.to_odd is None else terms.to_odd(k)
        return np.asarray(NUMPY.round_to(np.asarray(odd, np.float64), self.element_type))


def _exactly(x: float) -> Fraction | float:
    """Return a number as a fraction, unless it is an infinity or NaN."""
    return Fraction(x) if isfinite(x) else x


def _exact_nodes(leaves: list[int], nodes: Sequence[Addition], within: Accumulation) -> tuple[int, ...]:
    """Return the leaves of a block, and the sums below its nodes that nothing holds."""
    start = 0 if within.without_init else 1
    exact = {ZERO: 0, 0: 0} | {k + start: x for k, x in enumerate(leaves)}
    for node in nodes:
        exact[node.number] = sum(exact[child] for child in node.children)
    return tuple(exact.values())
