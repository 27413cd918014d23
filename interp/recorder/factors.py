"""The factors of a contraction's products, in the reading of the run and as integers."""

from __future__ import annotations

import numpy as np

from interp.backends import NUMPY, State
from interp.engine.evaluate import Context
from interp.kernels import OPERATIONS
from interp.kernels.contraction import factors, multiplication
from interp.recorder.grids import Grids
from interp.recorder.products import Products, Side
from interp.speed.exact_contraction import accumulation_type, sums_plain_integers
from interp.theory.widths import narrowest
from spec.accumulator import Reading
from spec.integer_reading import in_integers
from spec.ir import Module, Op
from spec.schedule import LEFT
from spec.types import ElementType, integer

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
    return all((scales == scales.take([0], d)).all() for d in _summed(op, k))


def _summed(op: Op, k: int) -> list[int]:
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
