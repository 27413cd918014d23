"""The factors of a contraction's products, in the reading of the run and as integers."""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.in_integers import integers
from interp.engine.prepared import function_of
from interp.engine.quant import Type
from interp.engine.stored import storage_range
from interp.fastpaths.exact_contraction import accumulation_type, sums_plain_integers
from interp.ops import OPERATIONS
from interp.ops.contraction import factors, multiplication
from interp.reductions.products import Products, Range, Side
from interp.reductions.widths import narrowest
from spec.accumulator import Reading
from spec.integer_reading import in_integers
from spec.ir import Module, Op, Value
from spec.schedule import LEFT
from spec.types import ElementType, QuantizedType, integer

WIDEST = 63  # bits of an integer product that int64 holds


def products(op: Op, module: Module, operands: State, reading: Reading, grids: Grids) -> Products:
    """Return the products of a contraction in a reading: exact integers, or rounded floats."""
    known = [grids.side(value, x) for value, x in zip(op.operands[:2], operands, strict=False)]
    whole = integer_products(op, (known[0], known[1])) if known[0] and known[1] else None
    if whole and (sums_plain_integers(op) or (reading.is_integer and in_integers(op))):
        return whole
    context = Context(NUMPY, module, LEFT, OPERATIONS)
    numbers = lambda k: lambda: factors(context, op, *operands[:2])[k]
    multiply = np.errstate(all="ignore")(lambda a, b: multiplication(context, op)[0](a, b))
    left, right = (Side(x, numbers(k)) for k, x in enumerate(operands[:2]))
    return Products(op, (left, right), multiply, accumulation_type(op), whole)


def integer_products(op: Op, sides: tuple[Side, Side]) -> Products:
    """Return the exact products of integers."""
    left, right = (side.range or (0, 0) for side in sides)
    found = [a * b for a in left for b in right]
    type = _holding(min(found), max(found))
    dtype = np.dtype(np.int64 if type.bits <= WIDEST else object)
    wide = lambda side: side._replace(numbers=lambda: side.numbers().astype(dtype))
    return Products(op, (wide(sides[0]), wide(sides[1])), np.multiply, type)


def factor_range(type: Type) -> Range:
    """Return the least and the greatest factor of an element type, of a quantized one `q - zero_point`."""
    low, high = storage_range(type)
    points = type.zero_points if isinstance(type, QuantizedType) else (0,)
    return low - max(points), high - min(points)


def _holding(least: int, greatest: int) -> ElementType:
    """Return the narrowest integer type that holds these numbers; beyond 64 bits, of Python's integers."""
    bits = narrowest(least, greatest, least < 0)
    if bits <= WIDEST:
        return integer(max(bits, 2), least < 0)
    kind = "signed" if least < 0 else "unsigned"
    return ElementType(f"{'i' if least < 0 else 'ui'}{bits}", kind, bits, "object")


class Grid(NamedTuple):
    """A float array of a run, and the integers of which it holds multiples."""

    array: weakref.ref[Any]
    side: Side


class Grids:
    """The float arrays of a run that hold dequantized numbers, with their integers `q - zero_point`.

    An array is known by its identity, so that calls do not hide where it came from. Operations that only move
    elements move the integers alike.
    """

    def __init__(self) -> None:
        self.known: dict[int, Grid] = {}

    def side(self, value: Value, x: Array) -> Side | None:
        """Return an operand as integers, or None if it is not known to hold any."""
        type = value.type.element_type
        if isinstance(type, QuantizedType):
            whole = type.storage_type.is_integer and not type.block_sizes
            return Side(x, lambda: integers(NUMPY, x, type), factor_range(type)) if whole else None
        if type.is_integer:
            return Side(x, lambda: x, factor_range(type))
        grid = self.known.get(id(x))
        return grid.side if grid and grid.array() is x else None

    def on_op(self, module: Module, op: Op, operands: State, results: State) -> None:
        """Remember what an operation dequantizes or moves."""
        if len(op.operands) != 1 or len(results) != 1 or not isinstance(results[0], np.ndarray):
            return
        (value,), (x,) = op.operands, operands
        if op.results[0].type.is_quantized or facts(op).family not in ("conversion", "structure"):
            return
        if value.type.is_quantized and facts(op).reference == "alias":
            side = self.side(value, x)
            known = side and side._replace(stored=x)
        elif facts(op).moves and not value.type.is_quantized and id(x) in self.known:
            side = self.side(value, x)
            known = side and _moved(module, op, side)
        else:
            return
        if known:
            self._remember(results[0], known)

    def _remember(self, x: Array, side: Side) -> None:
        key = id(x)
        self.known[key] = Grid(weakref.ref(x, lambda _: self.known.pop(key, None)), side)


def _moved(module: Module, op: Op, side: Side) -> Side:
    context = Context(NUMPY, module, LEFT, OPERATIONS)
    function, alone = function_of(op, NUMPY, OPERATIONS)
    move = lambda x: np.asarray(function(x) if alone else function(context, op, x)[0])
    return Side(move(side.stored), lambda: move(side.numbers()), side.range)
