"""Contractions whose scales per block are values, as composites that take elements and scales as operands.

Scales that follow from data, or are arguments, have no type. So what Qwix writes for them, or the
decomposition of `xla.scaled_dot`, stays as it is, but as the decomposition of one composite:
`interp.scaled_dot` of stored elements and scales. Two forms are recognized: elements are scaled and then
contracted; or integers are contracted block by block, each along a batching dimension, scaled and added.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import NamedTuple

import numpy as np

from interp.apps.quantization.block_weights import (
    CONTRACTIONS,
    CONVERT,
    MOVES,
    MULTIPLY,
    SUBTRACT,
    summed_dimensions,
)
from interp.apps.quantization.constants import CONSTANTS
from interp.apps.quantization.rules import body_of
from interp.loading.writer import drop_unused
from spec.attributes import Symbol
from spec.ir import Func, Module, Op, Region, Value
from spec.types import is_tensor

NAME = "interp.scaled_dot"
FEW = 8  # bits of elements that have scales
Made = Mapping[str, Op]


class Composite(NamedTuple):
    """A contraction that became a composite: its result, the operations inside, and its blocks in words.

    inside: the names of the results of these operations.
    """

    value: str
    merged: tuple[str, ...]
    blocks: str
    inside: frozenset[str]


@dataclass
class Walk:
    """Elements, scales and zero points of a contraction, and the operations between.

    All by names. Elements come first as operands of the composite.
    """

    made: Made
    elements: dict[str, Value] = field(default_factory=dict)
    scales: dict[str, Value] = field(default_factory=dict)
    inside: dict[str, Op] = field(default_factory=dict)

    def copy(self) -> Walk:
        return Walk(self.made, dict(self.elements), dict(self.scales), dict(self.inside))

    def behind(self, value: Value, *names: str) -> Value:
        """Return the value at which operations of these names, on their first operands, begin."""
        while (op := self.made.get(value.name)) is not None and op.name in names:
            self.inside[value.name] = op
            value = op.operands[0]
        return value

    def scale(self, value: Value) -> Value:
        """Return where a scale or zero point begins."""
        value = self.behind(value, *MOVES, CONVERT)
        self.scales[value.name] = value
        return value

    def element(self, value: Value) -> Value:
        """Return where stored elements begin."""
        value = self.behind(value, *MOVES)
        self.elements[value.name] = value
        return value

    @property
    def operands(self) -> tuple[Value, ...]:
        return tuple({**self.elements, **self.scales}.values())


def outline_scaled(module: Module) -> tuple[Module, tuple[Composite, ...]]:
    """Return the program whose contractions with scales per block as values are composites, and these."""
    main, functions, found = module.main, dict(module.functions), list[Composite]()
    made = {v.name: op for op in main.body.ops for v in op.results}
    ops = list[Op]()
    for op in main.body.ops:
        match = scaled_products(op, made) or scaled_sums(op, made)
        if match is None:
            ops.append(op)
            continue
        walk, blocks = match
        name = next(n for k in range(len(functions) + 1) if (n := f"{NAME}.{k}") not in functions)
        body = (*in_order(walk), op)
        region = Region(walk.operands, (*body, Op("func.return", op.results, ())))
        functions[name] = Func(name, region, (op.result.type,), public=False)
        attributes = {"name": NAME, "decomposition": Symbol(name)}
        ops.append(Op("stablehlo.composite", walk.operands, op.results, attributes, (), op.location))
        merged = tuple(x.name.partition(".")[2] for x in body if x.name not in CONSTANTS)
        found.append(Composite(op.result.name, merged, blocks, frozenset(walk.inside)))
    functions[main.name] = replace(main, body=replace(main.body, ops=drop_unused(ops)))
    return (replace(module, functions=functions), tuple(found)) if found else (module, ())


def in_order(walk: Walk) -> list[Op]:
    return [op for name, op in walk.made.items() if name in walk.inside]


# Elements that are multiplied with their scales, and then contracted.


def scaled_products(op: Op, made: Made) -> tuple[Walk, str] | None:
    """Return how a contraction's operands are scaled block by block by values, or None."""
    if op.name not in CONTRACTIONS:
        return None
    walk, blocks = Walk(made), list[str]()
    for k, value in enumerate(op.operands[:2]):
        side = scaled_operand(value, walk)
        if side is None:
            walk.elements[value.name] = value
            continue
        walk, elements, scales = side
        size = block_size(op, k, scales, in_order(walk))
        if not size or (is_constant(elements, made) and is_constant(scales, made)):
            return None  # scales of rows alone, or constants that have no type for another reason
        blocks.append(f"the {('left', 'right')[k]} operand in blocks of {size}")
    return (walk, ", ".join(blocks)) if blocks else None


def scaled_operand(value: Value, walk: Walk) -> tuple[Walk, Value, Value] | None:
    """Return the walk beyond an operand that is a product, and where its elements and scales begin."""
    product = walk.copy()
    inner = product.behind(value, *MOVES)
    op = product.made.get(inner.name)
    for k in range(2 if op is not None and op.name == MULTIPLY else 0):
        assert op is not None
        found = product.copy()
        found.inside[inner.name] = op
        elements = stored_elements(op.operands[k], found)
        if elements is not None:
            return found, elements, found.scale(op.operands[1 - k])
    return None


def stored_elements(value: Value, walk: Walk) -> Value | None:
    """Return where elements of few bits begin that are moved, converted, and less a zero point; else None."""
    op = walk.made.get(value.name)
    while op is not None and op.name in (*MOVES, SUBTRACT):
        walk.inside[value.name] = op
        if op.name == SUBTRACT:
            walk.scale(op.operands[1])
        value = op.operands[0]
        op = walk.made.get(value.name)
    if op is None or op.name != CONVERT or not is_small(op.operand):
        return None
    walk.inside[value.name] = op
    return walk.element(op.operand)


def is_small(value: Value) -> bool:
    """Return whether a value has plain elements of few bits, as integers or floats are stored."""
    return is_tensor(value.type) and not value.type.is_quantized and 1 < value.type.storage_type.bits <= FEW


def is_constant(value: Value, made: Made) -> bool:
    op = made.get(value.name)
    return op is not None and op.name in CONSTANTS


def block_size(op: Op, k: int, scales: Value, inside: Sequence[Op]) -> int:
    """Return how many elements along the sums share a scale of operand k; 0 where all of them do."""
    numbers = {scales.name: np.arange(scales.type.size).reshape(scales.type.shape)}
    for each in inside:
        x = next((numbers[v.name] for v in each.operands if v.name in numbers), None)
        if x is not None:
            numbers[each.result.name] = MOVES[each.name](each, x) if each.name in MOVES else x
    table = numbers[op.operands[k].name]
    for d in summed_dimensions(op, k):
        rows = np.moveaxis(table, d, 0).reshape(table.shape[d], -1)
        changes = np.flatnonzero((rows[1:] != rows[:-1]).any(axis=1)) + 1
        if changes.size:
            return int(changes[0])
    return 0


# Integers that are contracted in blocks, the sums multiplied by scales, and added.


def scaled_sums(op: Op, made: Made) -> tuple[Walk, str] | None:
    """Return how products of integers, a block along a batching dimension each, are scaled and added."""
    if op.name != "stablehlo.reduce" or len(op.operands) != 2 or body_of(op) != "add":
        return None
    walk = Walk(made)
    init = op.operands[1]
    if is_constant(init, made):
        walk.inside[init.name] = made[init.name]
    else:
        walk.scales[init.name] = init
    dot = scaled_dot(op.operands[0], walk)
    if dot is None or not set(op["dimensions"]) <= set(range(len(dot["lhs_batching_dimensions"]))):
        return None
    for value in dot.operands:
        walk.element(value)
    walk.scales = dict(reversed(walk.scales.items()))  # the last factor was met first
    size = prod(dot.operands[0].type.shape[d] for d in dot["lhs_contracting_dimensions"])
    return walk, f"both operands in blocks of {size}, each summed in {dot.result.type.storage_type.name}"


def scaled_dot(value: Value, walk: Walk) -> Op | None:
    """Return the product of integers that is converted and multiplied by scales, at least once."""
    count = 0
    while (op := walk.made.get(value.name)) is not None and op.name == MULTIPLY:
        walk.inside[value.name] = op
        one, other = op.operands
        value, factor = (one, other) if is_scaled_dot(one, walk.made) else (other, one)
        walk.scale(factor)
        count += 1
    if op is None or not count or op.name != CONVERT:
        return None
    dot = walk.made.get(op.operand.name)
    if dot is None or dot.name != "stablehlo.dot_general" or not dot.result.type.storage_type.is_integer:
        return None
    walk.inside |= {value.name: op, dot.result.name: dot}
    return dot


def is_scaled_dot(value: Value, made: Made) -> bool:
    """Return whether a value is a converted contraction, perhaps multiplied."""
    op = made.get(value.name)
    if op is not None and op.name == MULTIPLY:
        return any(is_scaled_dot(v, made) for v in op.operands)
    source = made.get(op.operand.name) if op is not None and op.name == CONVERT else None
    return source is not None and source.name in CONTRACTIONS
