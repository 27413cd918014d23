"""Folds along the tree of an accumulation, literally: a node adds what enters it exactly, and rounds once.

Numbers are exact: a `Fraction`, or a float where it is a zero with its sign, an infinity or NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import copysign, isfinite, isnan, nan, trunc
from typing import Any, NamedTuple

from spec.accumulation import Accumulation
from spec.errors import Unsupported
from spec.formats import exponent_of, largest, least_exponent, power_of_two, round_to, wrap
from spec.meaning import integers
from spec.meaning.numbers import rne
from spec.trees import ZERO, Arithmetic, Node, Tree
from spec.types import ElementType

Exact = Fraction | float
State = tuple[Any, ...]


class Number(NamedTuple):
    """A number of an element type: an element, the init, or the result of a node; exact as a fraction."""

    value: Any
    type: ElementType


class Product(NamedTuple):
    """An unrounded product of two numbers."""

    lhs: Number
    rhs: Number


Term = Number | Product


@dataclass(frozen=True)
class Sum:
    """A fold as a sum: its terms, the declared type of its nodes, and the state that a total means.

    saturates: a declared type of integers clamps instead of wrapping.
    """

    terms: Sequence[Term]
    type: ElementType
    state: Callable[[Any], State]
    saturates: bool = False


def fold(
    accumulation: Accumulation,
    body: Callable[..., State],
    leaves: Sequence[State],
    present: Sequence[bool],
    has_init: bool,
    adding: Sum | None = None,
) -> State:
    """Fold the leaves along the accumulation's tree, in its arithmetic where they are those of a sum.

    Leaf 0 is the init if there is one. A node without an absent child's value has one child less, and a node
    of one child is that child. A body that is no sum takes the tree alone: it combines the children of a node
    from the left, without zeros.
    """
    first = int(has_init and accumulation.without_init and len(leaves) > 1)
    tree = accumulation.tree(len(leaves) - first, has_init and not first)
    here = list(present[first:])
    is_binary = all(len(node.children) == 2 and ZERO not in node.children for node in tree.nodes)
    if adding is None or (accumulation.is_plain and is_binary):
        states = [leaf if p else None for leaf, p in zip(leaves[first:], here, strict=True)]
        total = _walk(tree, states, lambda node, states: _from_the_left(body, states))
    else:
        terms = [_enter(t, accumulation) for t in adding.terms[first:]]
        adder = _Adder(tree, adding, has_init and not first)
        total = _walk(tree, [t if p else None for t, p in zip(terms, here, strict=True)], adder.add)
        if total is not None:
            total = adding.state(to_declared(total, adding.type, adding.saturates))
    if total is None and first and present[0]:
        return leaves[0]
    assert total is not None, "no leaf is present"
    return total


def _from_the_left(body: Callable[..., State], children: Sequence[Any]) -> State:
    total, *rest = (child for child in children if child is not None)
    for child in rest:
        total = tuple(body(*total, *child))
    return total


def _walk(tree: Tree, values: list[Any], combine: Callable[[Node, list[Any]], Any]) -> Any:
    """Return the value of the root; `combine` takes a node and its children's values, None for a zero."""
    for node in tree.nodes:
        here = [c for c in node.children if c == ZERO or values[c] is not None]
        several = len(here) > 1 and any(c != ZERO for c in here)
        children = [None if c == ZERO else values[c] for c in here]
        if several:
            mark = None if node.factor is None or node.factor not in here else here.index(node.factor)
            values.append(combine(Node(tuple(here), node.arithmetic, mark), children))
        else:
            values.append(next((child for child in children if child is not None), None))
    return values[tree.root]


class _Adder:
    """The nodes of one sum."""

    def __init__(self, tree: Tree, adding: Sum, has_init: bool) -> None:
        self.tree, self.adding, self.has_init = tree, adding, has_init

    def add(self, node: Node, children: Sequence[Term | None]) -> Number:
        """Return the result of a node; None is a zero."""
        arithmetic = node.arithmetic
        type = arithmetic.element_type or self.adding.type
        if type.is_integer:
            return self.add_integers(node, children, type)
        entries = [self.entry(node, p, child, type) for p, child in enumerate(children)]
        if arithmetic.kind == "fused":
            total = fused_sum(entries, arithmetic)
        else:
            total = exact_sum([value for value, _ in entries])
        return Number(round_number(total, type, arithmetic), type)

    def entry(self, node: Node, position: int, child: Term | None, type: ElementType) -> tuple[Exact, int]:
        """Return what enters for a child, and the exponent that a fused node sees."""
        arithmetic, at = node.arithmetic, node.children[position]
        if child is None:
            return 0.0, 0
        is_leaf = self.has_init <= at < self.tree.n
        unrounded = position == node.unrounded
        if is_leaf and arithmetic.product_type and not unrounded:
            child = Number(
                round_number(exact(child), arithmetic.product_type, arithmetic), arithmetic.product_type
            )
        elif arithmetic.kind in ("plain", "fma") and not unrounded:
            child = Number(round_number(exact(child), type, arithmetic), type)
        return exact(child), exponent(child, arithmetic.normalized)

    def add_integers(self, node: Node, children: Sequence[Term | None], type: ElementType) -> Number:
        """Return the sum of integers, wrapped or clamped; so is an init before it enters."""
        saturates = node.arithmetic.saturates or (self.adding.saturates and not node.arithmetic.type)
        total = 0
        for at, child in zip(node.children, children, strict=True):
            value = 0 if child is None else integer_of(child)
            if at == 0 and self.has_init:
                value = hold(value, type, saturates)
            elif node.arithmetic.product_type and self.has_init <= at < self.tree.n:
                value = hold(value, node.arithmetic.product_type, saturates)
            total += value
        return Number(hold(total, type, saturates), type)


def exact(x: Term) -> Exact:
    """Return a term as an exact number."""
    if isinstance(x, Number):
        return Fraction(x.value) if isfinite(x.value) and x.value != 0 else float(x.value)
    lhs, rhs = exact(x.lhs), exact(x.rhs)
    if isinstance(lhs, Fraction) and isinstance(rhs, Fraction):
        return lhs * rhs
    stand = [(-1.0 if v < 0 else 1.0) if isinstance(v, Fraction) else v for v in (lhs, rhs)]
    return stand[0] * stand[1]  # a zero, an infinity or NaN


def exponent(x: Term, normalized: bool) -> int:
    """Return the exponent of a term in a fused node; that of a product is the sum of its factors'.

    A subnormal number has the least exponent of its type.
    """
    if isinstance(x, Product):
        value = exact(x)
        if normalized:
            return exponent_of(value) if isinstance(value, Fraction) else 0
        return exponent(x.lhs, normalized) + exponent(x.rhs, normalized)
    if x.value == 0 or not isfinite(x.value):
        return 0
    at = exponent_of(Fraction(x.value))
    return at if x.type.is_integer else max(at, least_exponent(x.type))


def exact_sum(values: Sequence[Exact]) -> Exact:
    """Return the sum; a zero has the sign of zeros that all have it, else +."""
    special = [value for value in values if not isinstance(value, Fraction) and not isfinite(value)]
    if special:
        alike = not any(map(isnan, special)) and len(set(special)) == 1
        return special[0] if alike else nan
    total = sum((Fraction(value) for value in values), Fraction(0))
    if total != 0:
        return total
    return -0.0 if all(isinstance(v, float) and copysign(1.0, v) < 0 for v in values) else 0.0


def fused_sum(entries: Sequence[tuple[Exact, int]], arithmetic: Arithmetic) -> Exact:
    """Return the sum of entries that are cut to a grid: `bits` fraction bits below the largest exponent."""
    numbers = [(value, e) for value, e in entries if isinstance(value, Fraction)]
    special = [value for value, _ in entries if isinstance(value, float) and not isfinite(value)]
    if special or not numbers:
        return exact_sum(special) if special else 0.0
    unit = power_of_two(max(e for _, e in numbers) - arithmetic.bits)
    to_integer = rne if arithmetic.nearest else trunc
    total = sum((to_integer(value / unit) * unit for value, _ in numbers), Fraction(0))
    if total and arithmetic.cut is not None:
        step = power_of_two(exponent_of(total) - arithmetic.cut)
        total = trunc(total / step) * step
    return total or 0.0


def round_number(x: Exact, type: ElementType, arithmetic: Arithmetic) -> float:
    """Return a number rounded to a float type, to nearest or toward zero, and flushed."""
    result = toward_zero(x, type) if arithmetic.rounding == "toward zero" else round_to(x, type)
    return flush(result, type) if arithmetic.flush else result


def toward_zero(x: Exact, type: ElementType) -> float:
    """Return the number of a type that is next to x toward zero; beyond the largest, the largest."""
    if isinstance(x, float):
        return round_to(x, type)
    unit = power_of_two(max(exponent_of(x), least_exponent(type)) - type.mantissa)
    value = trunc(x / unit) * unit
    if abs(value) > Fraction(largest(type)):
        return copysign(largest(type), value)
    return round_to(value or copysign(0.0, x), type)


def flush(x: float, type: ElementType) -> float:
    """Return a zero of the same sign in place of a subnormal number."""
    subnormal = x != 0 and isfinite(x) and exponent_of(x) < least_exponent(type)
    return copysign(0.0, x) if subnormal else x


def _enter(x: Term, accumulation: Accumulation) -> Term:
    """Return a term whose floats are rounded and flushed as the inputs of an accumulation are."""
    if isinstance(x, Product):
        return Product(*(_enter_number(factor, accumulation) for factor in x))
    return _enter_number(x, accumulation)


def _enter_number(x: Number, accumulation: Accumulation) -> Number:
    if x.type.kind != "float":
        return x
    value, type = x.value, accumulation.inputs.element_type
    if type is not None:
        value = round_number(
            Fraction(value) if isfinite(value) and value else value, type, accumulation.inputs
        )
    return Number(flush(value, x.type) if accumulation.flushes_inputs else value, x.type)


def integer_of(x: Term) -> int:
    """Return a term as an integer."""
    for number in (x,) if isinstance(x, Number) else x:
        if not number.type.is_integer:
            raise Unsupported(f"numbers of {number.type!r} are summed in integers", "expected integers")
    return int(x.value) if isinstance(x, Number) else int(x.lhs.value) * int(x.rhs.value)


def hold(x: int, type: ElementType, saturates: bool) -> int:
    return integers.saturate(x, type) if saturates else wrap(x, type)


def to_declared(x: Term, type: ElementType, saturates: bool = False) -> Any:
    """Return a term in the declared type: rounded to nearest; an integer wraps, and a float saturates."""
    if not type.is_integer:
        return round_to(exact(x), type)
    if isinstance(x, Number) and not x.type.is_integer:
        whole = float(rne(x.value)) if isfinite(x.value) else x.value
        return integers.saturate(whole, type)
    return hold(integer_of(x), type, saturates)


def sum_of_numbers(leaves: Sequence[State], type: ElementType) -> Sum:
    """Return the sum of leaves that are numbers of the declared type."""
    return Sum([Number(value, type) for (value,) in leaves], type, lambda total: (total,))
