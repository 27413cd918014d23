"""Sums of arrays along the tree of an accumulation, each node in its arithmetic, on NumPy.

Numbers are in f64, integers in int64. A sum that f64 does not hold is its rounded value and the sign of the
error, which decide the rounding to any narrower type.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from fractions import Fraction
from functools import reduce
from math import fsum, inf
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array
from interp.backends.dtypes import numpy_dtype
from interp.engine.in_integers import hold
from interp.engine.work import beat
from spec.accumulation import Accumulation
from spec.errors import Unsupported
from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree
from spec.types import ElementType

MOST = 53  # bits of f64
CELLS = 1 << 22  # leaves of a chain that NumPy adds
OWN = {"f16": np.float16, "f32": np.float32, "f64": np.float64}  # the types in which NumPy adds


class Terms(NamedTuple):
    """The n elements, or products, of sums: `at(i)` is number i of every sum, in int64 or f64.

    type: the type of elements, or of the init beside products. exponents: of number i the exponents, their
    own if asked for, else, of a product, the sum of its factors'. is_held: whether f64 holds the numbers; if
    it does not, `at` rounds them, and `to_odd` rounds them to odd.
    """

    n: int
    at: Callable[[int], Array]
    type: ElementType
    exponents: Callable[[int, bool], Array]
    is_held: bool = True
    to_odd: Callable[[int], Array] | None = None


class Addition(NamedTuple):
    """A node that was added: what entered it, its result, and the leaves below it, from first to last."""

    entries: tuple[Array, ...]
    total: Array
    type: ElementType
    saturates: bool
    first: int
    last: int


Hear = Callable[[Addition], None]


class Value(NamedTuple):
    """A value of a tree: numbers of a type."""

    numbers: Array
    type: ElementType
    first: int
    last: int


def sums(
    accumulation: Accumulation,
    terms: Terms,
    init: Array,
    declared: ElementType,
    saturates: bool = False,
    hear: Hear | None = None,
    has_init: bool = True,
    present: Sequence[bool] | None = None,
) -> Array:
    """Return the values of the root: int64, or f64; the init is leaf 0, and a leaf alone is not rounded.

    declared: the type of nodes that name none; one of integers wraps, or `saturates`. has_init: whether there
    is an init; else its array has only the shape. present: which elements there are; an absent one is left
    out of its node, and a node of one child is that child.
    """
    has_init = has_init and (not accumulation.without_init or terms.n == 0)
    if present is not None and not (has_init or any(present)):
        return init
    tree = accumulation.tree(terms.n + has_init, has_init)
    refuse(accumulation, tree, terms, declared)
    nodes = _Nodes(terms, np.asarray(init), declared, saturates, has_init, tree.n)
    if present is None:
        if hear is None and (total := nodes.add_chain(tree)) is not None:
            return total
        return nodes.add_all(tree, set(range(tree.n)), hear)
    return nodes.add_all(
        tree, {int(k) + has_init for k in np.flatnonzero(present)} | set(range(has_init)), hear
    )


def refuse(accumulation: Accumulation, tree: Tree, terms: Terms, declared: ElementType) -> None:
    """Raise `Unsupported` for sums that are not computed: of floats in integers, or of too many bits."""
    types = [terms.type] * tree.n
    for node in tree.nodes:
        arithmetic, type = node.arithmetic, node.arithmetic.element_type or declared
        if type.is_integer and any(c != ZERO and not types[c].is_integer for c in node.children):
            raise Unsupported(
                f"{accumulation!r} adds floats in {type!r}", "floats cannot be summed in integers"
            )
        types.append(type)
        plain = arithmetic.kind == "plain" and arithmetic.rounding != "toward zero"
        if not terms.is_held and not plain:
            raise Unsupported(f"{accumulation!r} of products of f64", "expected plain nodes, to nearest")
        bits = arithmetic.bits + 2 + len(node.children).bit_length()
        if arithmetic.kind == "fused" and (bits > MOST or "f64" in (terms.type.name, type.name)):
            most = MOST - 2 - len(node.children).bit_length()
            evidence = f"expected types up to f32, and at most {most} bits"
            raise Unsupported(f"a fused node of {len(node.children)} terms in {accumulation!r}", evidence)


class _Nodes:
    """The leaves and the nodes of one kind of sums."""

    def __init__(
        self, terms: Terms, init: Array, declared: ElementType, saturates: bool, has_init: bool, n: int
    ) -> None:
        self.terms, self.init, self.declared, self.saturates = terms, init, declared, saturates
        self.has_init, self.n = has_init, n

    def leaf(self, child: int) -> Value:
        beat()
        if child == ZERO:
            return Value(np.zeros_like(self.init), self.terms.type, 0, 0)
        if child == 0 and self.has_init:
            return Value(self.init, self.terms.type, 0, 0)
        return Value(np.asarray(self.terms.at(child - self.has_init)), self.terms.type, child, child)

    def is_term(self, child: int) -> bool:
        return self.has_init <= child < self.n

    def add_all(self, tree: Tree, leaves: Set[int], hear: Hear | None) -> Array:
        """Return the root of a tree of which these leaves are present, at least one."""
        values = dict[int, Value]()

        def value(child: int) -> Value:
            return values.pop(child) if child >= tree.n else self.leaf(child)

        for k, node in enumerate(tree.nodes):
            here = [c for c in node.children if c == ZERO or c in leaves or c in values]
            numbers = [c for c in here if c != ZERO]
            if len(here) > 1 and numbers:
                mark = here.index(node.factor) if node.factor in here else None
                part = node if len(here) == len(node.children) else Node(tuple(here), node.arithmetic, mark)
                values[tree.n + k] = self.add(part, [value(c) for c in here], hear)
            elif numbers:
                values[tree.n + k] = value(numbers[0])
        return value(tree.root).numbers

    def add_chain(self, tree: Tree) -> Array | None:
        """Return the root of plain nodes that add one leaf after the other in one type; None for other trees.

        THEOREM: NumPy's sum in f16 is that in f32, rounded, and so rounded once, since 24 >= 2 * 11 + 2; sums
        that wrap are those modulo 2^bits, in any order.
        """
        order, (arithmetic, *others) = chain(tree), tree.arithmetics or (PLAIN,)
        type, rounding = arithmetic.element_type or self.declared, arithmetic.rounding
        is_plain = arithmetic == Arithmetic(type=arithmetic.type, rounding=rounding)
        known = type.is_integer or (type.name in OWN and rounding != "toward zero" and self.terms.is_held)
        if order is None or others or not (is_plain and known) or tree.n * self.init.size > CELLS:
            return None
        rows = np.stack([np.broadcast_to(self.leaf(i).numbers, self.init.shape) for i in order])
        if not type.is_integer:
            numbers = rows if rows.dtype.kind == "f" else in_f64(rows)
            entries = settle(numbers, None, type, arithmetic).astype(OWN[type.name])
            return np.asarray(np.add.accumulate(entries, axis=0)[-1], np.float64)
        saturates = arithmetic.saturates or (self.saturates and not arithmetic.type)
        if not saturates:
            return hold(NUMPY, rows.sum(axis=0, dtype=np.int64), type, False)
        if self.has_init:
            rows[np.array(order) == 0] = hold(NUMPY, self.init, type, True)
        return reduce(lambda total, row: hold(NUMPY, total + row, type, True), rows)

    def add(self, node: Node, children: Sequence[Value], hear: Hear | None) -> Value:
        type = node.arithmetic.element_type or self.declared
        first, last = min(x.first for x in children), max(x.last for x in children)
        saturates = node.arithmetic.saturates or (self.saturates and not node.arithmetic.type)
        adding = self.integers if type.is_integer else self.floats
        entries, total = adding(node, children, type, saturates)
        if hear is not None:
            hear(Addition(tuple(entries), total, type, saturates, first, last))
        return Value(total, type, first, last)

    def integers(
        self, node: Node, children: Sequence[Value], type: ElementType, saturates: bool
    ) -> tuple[list[Array], Array]:
        """Return what enters, and the sum of integers as their accumulator holds it."""
        entries = list[Array]()
        for at, child in zip(node.children, children, strict=True):
            numbers = child.numbers.astype(np.int64, copy=False)
            if at == 0 and self.has_init:
                numbers = hold(NUMPY, numbers, type, saturates)
            elif node.arithmetic.product_type and self.is_term(at):
                numbers = hold(NUMPY, numbers, node.arithmetic.product_type, saturates)
            entries.append(numbers)
        if saturates and len(entries) > 2:  # int64 may not hold the sum
            exact = sum(numbers.astype(object) for numbers in entries)
            return entries, np.clip(exact, type.min_value, type.max_value).astype(np.int64)
        return entries, hold(NUMPY, sum(entries[1:], entries[0]), type, saturates)

    def floats(
        self, node: Node, children: Sequence[Value], type: ElementType, saturates: bool
    ) -> tuple[list[Array], Array]:
        """Return what enters, and the sum, rounded once."""
        arithmetic = node.arithmetic
        entries = [self.entry(node, k, child, type) for k, child in enumerate(children)]
        if arithmetic.kind == "fused":
            exponents = [
                self.exponents(node, k, x, e) for k, (x, e) in enumerate(zip(children, entries, strict=True))
            ]
            total, error = fused_sum(entries, exponents, arithmetic)
        elif len(entries) == 2 and is_rounded_twice(arithmetic, type):
            total, error = entries[0] + entries[1], None
        elif len(entries) == 2:
            total, error = sum_of_two(*entries)
        else:
            total, error = sum_of_many(entries)
        return entries, settle(total, error, type, arithmetic)

    def entry(self, node: Node, position: int, child: Value, type: ElementType) -> Array:
        """Return what enters for a child, in f64."""
        arithmetic, at = node.arithmetic, node.children[position]
        unrounded, is_term = position == node.unrounded, self.is_term(at)
        own = (arithmetic.product_type if is_term else None) or type
        rounds = not unrounded and (arithmetic.kind in ("plain", "fma") or (is_term and arithmetic.products))
        numbers = child.numbers
        if is_term and self.terms.to_odd is not None and own.name != "f64":
            numbers = self.terms.to_odd(at - self.has_init)
        if numbers.dtype.kind != "f":
            numbers = in_f64(numbers)
        if not rounds or (not is_term and child.type == own and not arithmetic.flush):
            return numbers.astype(np.float64, copy=False)
        return settle(numbers, None, own, arithmetic)

    def exponents(self, node: Node, position: int, child: Value, entry: Array) -> Array:
        """Return the exponents that a fused node sees of what enters for a child."""
        arithmetic, at = node.arithmetic, node.children[position]
        if self.is_term(at) and not arithmetic.products:
            return self.terms.exponents(at - self.has_init, arithmetic.normalized)
        own = (arithmetic.product_type if self.is_term(at) else None) or child.type
        return exponents(entry, own)


def chain(tree: Tree) -> list[int] | None:
    """Return in which order a tree adds its leaves one after the other; None if it is another tree.

    A sum does not depend on which of its two children is the first, so that a leaf may be either.
    """
    order = list[int]()
    for k, node in enumerate(tree.nodes):
        children, before = list(node.children), tree.n + k - 1
        if k and before in children:
            children.remove(before)
        if len(children) != (1 if k else 2) or any(child >= tree.n for child in children):
            return None
        order += children
    return order or None


def is_rounded_twice(arithmetic: Arithmetic, type: ElementType) -> bool:
    """Return whether sums of two may be rounded to f64, and then to the type.

    THEOREM: a sum of two numbers of p bits, rounded to nearest to the 53 of f64 and then to p bits, is the
    sum rounded once, where 53 >= 2 p + 2; to f64 there is one rounding.
    """
    narrow = 2 * type.precision + 2 <= MOST or type.name == "f64"
    return narrow and arithmetic.kind == "plain" and not (arithmetic.rounding or arithmetic.products)


def in_f64(x: Array) -> Array:
    """Return integers in f64, rounded to odd where it does not hold them."""
    numbers = np.asarray(x).astype(np.float64)
    far = np.abs(numbers) >= 2.0**MOST
    if far.any():
        exact = np.asarray(x)[far].astype(object)
        error = [float(int(a) - int(b)) for a, b in zip(exact, numbers[far], strict=True)]
        numbers[far] = to_odd(numbers[far], np.asarray(error))
    return numbers


def sum_of_two(a: Array, b: Array) -> tuple[Array, Array]:
    """Return the sum in f64 and its error, a number of f64 (TwoSum); of an overflow, the error's sign."""
    total = a + b
    part = total - a
    error = (a - (total - part)) + (b - part)
    error = np.where(np.isfinite(total) & np.isfinite(error), error, 0.0)
    overflows = np.isinf(total) & np.isfinite(a) & np.isfinite(b)
    return total, np.where(overflows, -np.sign(total), error)


def sum_of_many(entries: Sequence[Array]) -> tuple[Array, Array]:
    """Return exact sums, rounded to f64, and the sign of their errors."""
    rows = np.stack(np.broadcast_arrays(*entries)).astype(np.float64)
    flat = rows.reshape(len(rows), -1)
    totals = np.where(np.isfinite(flat), 0.0, flat).sum(axis=0)  # infinities and NaN
    errors = np.zeros(flat.shape[1])
    for column in np.flatnonzero(np.isfinite(flat).all(axis=0)):
        numbers = flat[:, column].tolist()
        try:
            total = fsum(numbers)
            error = fsum([*numbers, -total])
        except OverflowError:
            total, error = _beyond_fsum(numbers)
        negative = total == 0 and bool(np.signbit(flat[:, column]).all())
        totals[column], errors[column] = (-0.0 if negative else total), np.sign(error)
    return totals.reshape(rows.shape[1:]), errors.reshape(rows.shape[1:])


def _beyond_fsum(numbers: Sequence[float]) -> tuple[float, float]:
    """Return an exact sum, rounded to f64, and the sign of its error, where partial sums overflow."""
    exact = sum(map(Fraction, numbers), Fraction(0))
    sign = 1.0 if exact > 0 else -1.0
    try:
        total = float(exact)
    except OverflowError:
        return sign * inf, -sign
    return total, float((exact > total) - (exact < total))


def fused_sum(
    entries: Sequence[Array], exponents: Sequence[Array], arithmetic: Arithmetic
) -> tuple[Array, Array]:
    """Return sums of the parts above the grid below the largest exponent; f64 holds them."""
    counts = [(x != 0) & np.isfinite(x) for x in entries]
    largest = np.stack(
        np.broadcast_arrays(*(np.where(c, e, -(1 << 20)) for c, e in zip(counts, exponents, strict=True)))
    ).max(axis=0)
    unit = np.where(largest == -(1 << 20), 0, largest) - arithmetic.bits
    to_integer = np.rint if arithmetic.nearest else np.trunc
    special = sum(np.where(np.isfinite(x), 0.0, x) for x in entries)
    finite = [np.where(c, x, 0.0) for c, x in zip(counts, entries, strict=True)]
    total = sum(to_integer(np.ldexp(x, -unit)).astype(np.int64) for x in finite).astype(np.float64)
    if arithmetic.cut is not None:
        step = np.maximum(np.frexp(total)[1] - 1 - arithmetic.cut, 0)
        total = np.ldexp(np.trunc(np.ldexp(total, -step)), step)
    scaled = np.ldexp(total, unit) + 0.0
    return np.where(np.isfinite(special), scaled, special), np.zeros(scaled.shape)


def exponents(x: Array, type: ElementType) -> Array:
    """Return the exponents of numbers; subnormal ones have the least of their type."""
    found = np.frexp(x)[1] - 1
    return found if type.is_integer else np.maximum(found, least_exponent(type))


def least_exponent(type: ElementType) -> int:
    """Return the exponent of the least normal number of a format."""
    return -type.bias if type.special == "fnu" else 1 - type.bias


def settle(total: Array, error: Array | None, type: ElementType, arithmetic: Arithmetic) -> Array:
    """Return `total + error` rounded to a type, in f64; only the error's sign counts.

    THEOREM: a sum that is rounded to odd in f64 rounds to a type of at most 51 bits, to nearest or toward
    zero, as the exact sum does.
    """
    total = np.asarray(total, np.float64)
    toward_zero = arithmetic.rounding == "toward zero"
    if type.name == "f64":
        if toward_zero and error is not None:
            away = (error != 0) & (np.sign(error) != np.sign(total))
            total = np.where(away, np.nextafter(total, 0.0), total)
        result = total
    else:
        odd = total if error is None else to_odd(total, error)
        result = chop(odd, type) if toward_zero else np.asarray(NUMPY.round_to(odd, type)).astype(np.float64)
    return flush(result, type) if arithmetic.flush else result


def to_odd(total: Array, error: Array) -> Array:
    """Return rounded numbers, where they are not exact, with an odd last bit."""
    even = np.ascontiguousarray(total).view(np.int64).reshape(np.shape(total)) & 1 == 0
    away = np.nextafter(total, np.copysign(np.inf, error))
    return np.where((error != 0) & (even | np.isinf(total)), away, total)


def chop(x: Array, type: ElementType) -> Array:
    """Return numbers rounded toward zero to a type; finite numbers stay finite."""
    finite = np.isfinite(x)
    unit = np.maximum(np.frexp(x)[1] - 1, least_exponent(type)) - type.mantissa
    whole = np.ldexp(np.trunc(np.ldexp(np.where(finite, x, 0.0), -unit)), unit)
    import ml_dtypes  # only where numbers are chopped

    most = float(ml_dtypes.finfo(numpy_dtype(type)).max)
    cut = np.where(finite, np.copysign(np.clip(whole, -most, most), x), x)
    return np.asarray(NUMPY.round_to(cut, type)).astype(np.float64)


def flush(x: Array, type: ElementType) -> Array:
    """Return zeros of the same sign in place of subnormal numbers."""
    return np.where(np.abs(x) < 2.0 ** least_exponent(type), np.copysign(0.0, x), x)
