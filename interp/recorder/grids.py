"""Float arrays of a run that hold dequantized numbers: where they come from, and the integers that they are.

THEOREM (choices): dequantization never decreases when the stored number grows. So a maximum or a minimum of
dequantized numbers of one type is the dequantized maximum or minimum of their integers; the same holds of
every operation that returns some of its operands' elements. A number that is the same everywhere, such as an
init value or padding, does not disturb if it is a dequantized number of that type. Nor does an init value
that is never returned; a bound or an alternative that is none may be returned for other data.
That is decided by data: each element of the result must be the dequantized number of one integer, and of no
other; where numbers are rounded or overflow, neighbours may share theirs.
"""

from __future__ import annotations

import weakref
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.bodies import only_op
from interp.engine.evaluate import Context
from interp.engine.facts import facts, facts_of
from interp.engine.in_integers import integers
from interp.engine.prepared import function_of
from interp.engine.quant import Type, dequantize, quantize, spread
from interp.engine.storage import storage_range
from interp.kernels import OPERATIONS
from interp.kernels.contraction import factors, multiplication
from interp.recorder.products import Products, Range, Side
from interp.speed.exact_contraction import accumulation_type, sums_plain_integers
from interp.theory.sums import narrowest
from spec.accumulator import Reading
from spec.integer_reading import in_integers
from spec.ir import Module, Op, Value
from spec.schedule import LEFT
from spec.types import ElementType, QuantizedType, integer


def factor_range(type: Type) -> Range:
    """Return the least and the greatest factor of an element type, of a quantized one `q - zero_point`."""
    low, high = storage_range(type)
    points = type.zero_points if isinstance(type, QuantizedType) else (0,)
    return low - max(points), high - min(points)


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
        """Remember what an operation dequantizes, moves or chooses."""
        if len(results) != 1 or not isinstance(results[0], np.ndarray) or op.results[0].type.is_quantized:
            return
        if known := self._derive_side(module, op, operands, results[0]):
            self._remember(results[0], known)

    def _derive_side(self, module: Module, op: Op, operands: State, result: Array) -> Side | None:
        """Return the result of an operation as integers, or None if it is not known to hold any."""
        if len(op.operands) == 1 and facts(op).family in ("conversion", "structure"):
            (value,), (x,) = op.operands, operands
            side = self.side(value, x)
            if value.type.is_quantized and facts(op).reference == "alias":
                return side and _dequantize(x, value.type.element_type, side)
            if facts(op).moves and not value.type.is_quantized and id(x) in self.known:
                return side and _move(module, op, side)
            return None
        return self._pick_side(op, operands, result) if picks(op) else None

    def _pick_side(self, op: Op, operands: State, result: Array) -> Side | None:
        """Return elements of dequantized numbers of one type as integers: see the theorem."""
        expressed, types, numbers = op.results[0].type.element_type, set[Type | None](), list[Array]()
        for value, x in zip(op.operands, operands, strict=True):
            if value.type.element_type == expressed:
                side = self.side(value, x)
                if side is None and not _is_uniform(x):
                    return None
                types |= {side.type} if side else set()
                numbers += [] if side or facts(op).folds else [x]
        type = types.pop() if len(types) == 1 else None
        if not isinstance(type, QuantizedType) or not type.is_per_tensor or type.expressed_type != expressed:
            return None
        with np.errstate(all="ignore"):
            stored = np.asarray(quantize(NUMPY, result, type))
            if not all(_is_only(np.asarray(quantize(NUMPY, x, type)), type, x) for x in (result, *numbers)):
                return None
        return Side(stored, lambda: integers(NUMPY, stored, type), factor_range(type), type)

    def _remember(self, x: Array, side: Side) -> None:
        key = id(x)
        self.known[key] = Grid(weakref.ref(x, lambda _: self.known.pop(key, None)), side)


def _dequantize(x: Array, type: Type, side: Side) -> Side:
    known = side._replace(stored=x, type=type)
    if not isinstance(type, QuantizedType) or type.is_per_tensor:
        return known
    scales = lambda: np.broadcast_to(spread(NUMPY, type.scales, np.float64, type, x.shape), x.shape)
    return known._replace(scales=scales)


def _move(module: Module, op: Op, side: Side) -> Side:
    context = Context(NUMPY, module, LEFT, OPERATIONS)
    function, alone = function_of(op, NUMPY, OPERATIONS)
    move = lambda x: np.asarray(function(x) if alone else function(context, op, x)[0])
    scales = side.scales
    moved = scales and (lambda: move(scales()))
    return Side(move(side.stored), lambda: move(side.numbers()), side.range, side.type, moved)


def picks(op: Op) -> bool:
    """Return whether each element of an operation's result is one of its operands' elements."""
    if facts(op).folds:
        body = only_op(op.regions[0]) if len(op.results) == 1 else ""
        return facts_of(body).chooses
    return facts(op).picks


def _is_only(stored: Array, type: QuantizedType, result: Array) -> bool:
    """Return whether these integers, and neither of their neighbours, dequantize to the result."""
    low, high = storage_range(type)
    near = stored - (stored > low), stored + (stored < high)
    shared = [(dequantize(NUMPY, x, type) == result) & (x != stored) for x in near]
    return np.array_equal(dequantize(NUMPY, stored, type), result) and not np.any(shared)


def _is_uniform(x: Array) -> bool:
    """Return whether an array is one number everywhere."""
    return bool(np.size(x)) and bool((x == np.reshape(x, -1)[0]).all())


# The factors of a contraction's products, in the reading of the run and as integers


WIDEST = 63  # bits of an integer product that int64 holds


def products(op: Op, module: Module, operands: State, reading: Reading, grids: Grids) -> Products:
    """Return the products of a contraction in a reading: exact integers, or rounded floats."""
    known = [grids.side(value, x) for value, x in zip(op.operands[:2], operands, strict=False)]
    summable = all(side and _has_one_scale(op, k, side) for k, side in enumerate(known))
    whole = integer_products(op, (known[0], known[1])) if known[0] and known[1] and summable else None
    if whole and (sums_plain_integers(op) or (reading.is_integer and in_integers(op))):
        return whole
    context = Context(NUMPY, module, LEFT, OPERATIONS)
    numbers = lambda k: lambda: factors(context, op, *operands[:2])[k]
    multiply = np.errstate(all="ignore")(lambda a, b: multiplication(context, op)[0](a, b))
    left, right = (Side(x, numbers(k)) for k, x in enumerate(operands[:2]))
    return Products(op, (left, right), multiply, accumulation_type(op), whole)


def products_by_blocks(op: Op, operands: State) -> Products:
    """Return the products `q - zero_point` of a contraction along whose sums scales change."""

    def side(value: Value, x: Array) -> Side:
        type = value.type.quantized_element_type
        return Side(x, lambda: integers(NUMPY, x, type), factor_range(type))

    return integer_products(op, (side(op.operands[0], operands[0]), side(op.operands[1], operands[1])))


def integer_products(op: Op, sides: tuple[Side, Side]) -> Products:
    """Return the exact products of integers."""
    left, right = (side.range or (0, 0) for side in sides)
    found = [a * b for a in left for b in right]
    type = _holding(min(found), max(found))
    dtype = np.dtype(np.int64 if type.bits <= WIDEST else object)
    wide = lambda side: side._replace(numbers=lambda: np.asarray(side.numbers()).astype(dtype))
    return Products(op, (wide(sides[0]), wide(sides[1])), np.multiply, type)


def _has_one_scale(op: Op, k: int, side: Side) -> bool:
    """Return whether the numbers of operand k that a sum takes have one scale, which no integers show."""
    if side.scales is None or not side.stored.size:
        return True
    scales = side.scales()
    return all((scales == scales.take([0], d)).all() for d in _summed_dimensions(op, k))


def _summed_dimensions(op: Op, k: int) -> list[int]:
    """Return the dimensions of an operand along which a sum takes several of its numbers."""
    if op.name == "stablehlo.dot_general":
        return [*op[f"{('lhs', 'rhs')[k]}_contracting_dimensions"]]
    name = ("input", "kernel")[k]
    features = "input_feature_dimension" if k == 0 else "kernel_input_feature_dimension"
    each = op.operands[1].type.shape[op["kernel_input_feature_dimension"]]
    return [*op[f"{name}_spatial_dimensions"], *([op[features]] if each > 1 else [])]


def _holding(least: int, greatest: int) -> ElementType:
    """Return the narrowest integer type that holds these numbers; beyond 64 bits, of Python's integers."""
    bits = narrowest(least, greatest, least < 0)
    if bits <= WIDEST:
        return integer(max(bits, 2), least < 0)
    kind = "signed" if least < 0 else "unsigned"
    return ElementType(f"{'i' if least < 0 else 'ui'}{bits}", kind, bits, "object")
