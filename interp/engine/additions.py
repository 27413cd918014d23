"""Sums of arrays along the tree of an accumulation, each node in its arithmetic, on NumPy.

Numbers are in f64, integers in int64.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from functools import partial, reduce
from typing import NamedTuple, TypeVar

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.float_sums import (
    MOST,
    exponents,
    flush,
    fused_sum,
    in_f64,
    is_rounded_twice,
    multiply_and_add,
    settle,
    sum_of_many,
    sum_of_two,
    sum_products,
)
from interp.engine.in_integers import hold
from interp.engine.quant import Type, dequantize
from interp.engine.storage import storage
from interp.engine.work import beat
from spec.accumulation import Accumulation
from spec.errors import Unsupported
from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree
from spec.types import ElementType, QuantizedType, integer

WIDE = integer(64, True)  # the type of integers that are added
CELLS = 1 << 22  # leaves of a chain that NumPy adds
OWN = {"f16": np.float16, "f32": np.float32, "f64": np.float64}  # the types in which NumPy adds


class Adding(NamedTuple):
    """An accumulation, and what its nodes and terms are where it does not say.

    declared: the type of nodes that name none, by default that of the operation; `saturates` is of integers.
    factors: a type that factors are rounded to before they are multiplied.
    """

    accumulation: Accumulation
    declared: ElementType | None = None
    saturates: bool = False
    factors: ElementType | None = None


def adds_integers(accumulation: Accumulation) -> bool:
    """Return whether a node has a type of integers, so that quantized elements are `q - zero_point`."""
    return any(a.element_type and a.element_type.is_integer for a in accumulation.arithmetics)


def summand_type(type: Type, accumulation: Accumulation) -> ElementType:
    """Return the type of the numbers that a sum of elements of a type adds."""
    if not isinstance(type, QuantizedType):
        return type
    return WIDE if adds_integers(accumulation) else type.expressed_type


def summands(x: Array, type: Type, accumulation: Accumulation) -> Array:
    """Return elements as the numbers that are added: int64 or f64."""
    own = summand_type(type, accumulation)
    if isinstance(type, QuantizedType):
        x = x.astype(np.int64) - type.zero_point if own == WIDE else np.asarray(dequantize(NUMPY, x, type))
    if storage(own).is_integer:
        return x.astype(np.int64)
    return enter(x.astype(np.float64), own, accumulation)


def enter(x: Array, type: ElementType, accumulation: Accumulation) -> Array:
    """Return numbers of a type as an accumulation takes them: floats are rounded and flushed."""
    if type.kind != "float":
        return x
    inputs = accumulation.inputs
    if inputs.element_type is not None:
        x = settle(x, None, inputs.element_type, inputs)
    return flush(x, type) if accumulation.flushes_inputs else x


class Terms(NamedTuple):
    """The n elements, or products, of sums: `at(i)` is number i of every sum, in int64 or f64.

    type: the type of elements, or of the init beside products. exponents: of number i the exponents, their
    own if asked for, else, of a product, the sum of its factors'. is_held: whether f64 holds the numbers; if
    it does not, `at` rounds them, `to_odd` rounds them to odd, and `factors` are those of a product.
    """

    n: int
    at: Callable[[int], Array]
    type: ElementType
    exponents: Callable[[int, bool], Array]
    is_held: bool = True
    to_odd: Callable[[int], Array] | None = None
    factors: Callable[[int], tuple[Array, Array]] | None = None


class Addition(NamedTuple):
    """A node that was added: what entered it, its result, and the leaves below it, from first to last.

    Its number, and those of its children, are those of the tree; children that are absent are left out.
    """

    entries: tuple[Array, ...]
    total: Array
    type: ElementType
    saturates: bool
    first: int
    last: int
    arithmetic: Arithmetic
    number: int
    children: tuple[int, ...]
    given: tuple[Array, ...]  # the numbers of the children, before any rounding of what enters


Hear = Callable[[Addition], None]


class Value(NamedTuple):
    """A value of a tree: numbers of a type, that of the node or leaf `number`."""

    numbers: Array
    type: ElementType
    first: int
    last: int
    number: int


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
        is_known = arithmetic.kind != "fused" and arithmetic.rounding != "toward zero"
        if not terms.is_held and not is_known:
            raise Unsupported(f"{accumulation!r} of products of f64", "expected sums to nearest, not fused")
        bits = arithmetic.bits + 2 + len(node.children).bit_length()
        if arithmetic.kind == "fused" and (bits > MOST or "f64" in (terms.type.name, type.name)):
            most = MOST - 2 - len(node.children).bit_length()
            evidence = f"expected types up to f32, and at most {most} bits"
            raise Unsupported(f"a fused node of {len(node.children)} terms in {accumulation!r}", evidence)


V = TypeVar("V")


def walk(
    tree: Tree, leaves: Set[int], leaf: Callable[[int], V], add: Callable[[int, Node, Sequence[V]], V]
) -> V:
    """Return the root of a tree of which these leaves are present, at least one.

    add: takes the number of a node, the node with the children that are present, and their values. A node
    with one child that is present is that child, and with none it is absent.
    """
    values = dict[int, V]()
    value = lambda child: values.pop(child) if child >= tree.n else leaf(child)
    for k, node in enumerate(tree.nodes, tree.n):
        here = [c for c in node.children if c == ZERO or c in leaves or c in values]
        numbers = [c for c in here if c != ZERO]
        if len(here) > 1 and numbers:
            mark = here.index(node.factor) if node.factor in here else None
            part = node if len(here) == len(node.children) else Node(tuple(here), node.arithmetic, mark)
            values[k] = add(k, part, [value(c) for c in here])
        elif numbers:
            values[k] = value(numbers[0])
    return value(tree.root)


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
            return Value(np.zeros_like(self.init), self.terms.type, 0, 0, ZERO)
        numbers = self.terms.at(child - self.has_init) if child or not self.has_init else self.init
        return Value(np.asarray(numbers), self.terms.type, child, child, child)

    def is_term(self, child: int) -> bool:
        return self.has_init <= child < self.n

    def add_all(self, tree: Tree, leaves: Set[int], hear: Hear | None) -> Array:
        """Return the root of a tree of which these leaves are present, at least one."""
        return walk(tree, leaves, self.leaf, partial(self.add, hear)).numbers

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

    def add(self, hear: Hear | None, number: int, node: Node, children: Sequence[Value]) -> Value:
        type = node.arithmetic.element_type or self.declared
        first, last = min(x.first for x in children), max(x.last for x in children)
        saturates = node.arithmetic.saturates or (self.saturates and not node.arithmetic.type)
        adding = self.integers if type.is_integer else self.floats
        entries, total = adding(node, children, type, saturates)
        if hear is not None:
            known = type, saturates, first, last, node.arithmetic, number
            numbers, given = zip(*((child.number, child.numbers) for child in children), strict=True)
            hear(Addition(tuple(entries), total, *known, numbers, given))
        return Value(total, type, first, last, number)

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
        unrounded = [k for k in range(len(children)) if self.is_unrounded(node, k)]
        if unrounded and not self.terms.is_held:
            total, error = self.sum_products(node, entries, unrounded)
        elif arithmetic.kind == "fused":
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

    def is_unrounded(self, node: Node, position: int) -> bool:
        """Return whether a product enters a node as it is."""
        kind = node.arithmetic.kind
        unrounded = position == node.unrounded if kind == "fma" else kind == "exact"
        return unrounded and not node.arithmetic.products and self.is_term(node.children[position])

    def sum_products(
        self, node: Node, entries: Sequence[Array], unrounded: Sequence[int]
    ) -> tuple[Array, Array]:
        """Return the sum of products that f64 does not hold and of other numbers, and its error's sign."""
        assert self.terms.factors is not None
        factors = [self.terms.factors(node.children[k] - self.has_init) for k in unrounded]
        others = [x for k, x in enumerate(entries) if k not in unrounded]
        if len(factors) == len(others) == 1:
            return multiply_and_add(*factors[0], others[0])
        return sum_products(factors, others)

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
