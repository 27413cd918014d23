"""Claims about results that `raise_qdq` makes: by how many steps they may differ from the float program's."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, inf, isfinite

from interp.apps.quantization.symbols import (
    FREE,
    PROVEN,
    Constant,
    Pending,
    Stored,
    Symbol,
    has_normal_scales,
    is_kept,
    multiplier_error,
)
from interp.engine.facts import facts
from spec.types import QuantizedType

CHOOSING = {"select", "reduce", "reduce_window"}  # and reductions that wait are maxima and minima
ROUNDED = 2.0**-10  # of a step: at least this much is allowed for the rounding of quotients


def differing(x: Symbol, type: QuantizedType, lost: bool, ties: str) -> int | None:
    """Return the most steps by which a value may differ from the float program's in a type, or None.

    Numbers that are at most e steps apart are rounded to integers at most ceil(e) apart. A flow that rounds
    `ties` up computes in integers: equal numbers in the middle of two integers become different ones. None
    where no bound is proven: after an error in a float operation, and in expressed types narrower than f32
    unless the same operations are computed on the same numbers. Where the type's own numbers change when they
    are quantized again, that counts: the float program does it to what has the type already, and the
    specification's choices to what they choose. NaN is stored as 0, which a clamp that waits for it moves.
    """
    same, is_typed = has_same_bits(x, lost), isinstance(x, Stored) and x.type == type
    changes = (is_typed or _chooses(x)) and not is_kept(type)
    if (changes and not has_normal_scales(type)) or (_chooses(x) and _may_be_nan(x)):
        return None
    if same and is_typed and not changes:
        return 0
    if same and ties == "even" and not changes:
        return 0 if type.expressed_type.precision >= PROVEN or not _widens(x, type) else None
    error = x.error if isinstance(x, Stored) else _in_integers(x) if same else inf
    steps = error / min(type.scales)
    if type.expressed_type.precision < PROVEN or not isfinite(steps):
        return None
    return ceil(steps + _quotients(type) + _multipliers(x, type, ties))


def has_same_bits(x: Symbol, lost: bool) -> bool:
    """Return whether a value, as a float, has the bits of the float program's, given the same inputs.

    lost: whether a number with an error went into a float operation of the region.
    """
    return not lost and not any(_errors(x))


def _errors(x: Symbol) -> Iterator[float]:
    """Yield the errors of the stored numbers of which a value is computed."""
    if isinstance(x, Stored):
        yield x.error
    for operand in x.operands if isinstance(x, Pending) else ():
        yield from _errors(operand)


def _chooses(x: Symbol) -> bool:
    """Return whether a value is clamped or chosen among others once it has its type."""
    if isinstance(x, Pending) and x.op.name.partition(".")[2] in CHOOSING:
        return True
    operands = x.operands if isinstance(x, Pending) else ()
    return (isinstance(x, Stored | Pending) and x.clamp != FREE) or any(map(_chooses, operands))


def _may_be_nan(x: Symbol) -> bool:
    """Return whether a value that waits is computed by an operation that may make NaN of numbers."""
    names = "divide log log_plus_one power remainder rsqrt sqrt".split()
    return isinstance(x, Pending) and (
        x.op.name.partition(".")[2] in names or any(map(_may_be_nan, x.operands))
    )


def _widens(x: Symbol, type: QuantizedType) -> bool:
    """Return whether an elementwise operation gets operands or a result of one storage that not all have.

    A number keeps its value in wider storage if a float holds quotients of its size to a quarter. A range
    within its storage is widened, too.
    """
    if not isinstance(x, Pending):
        return False
    types = [type, *(each.type for each in x.operands if isinstance(each, Stored))]
    if facts(x.op).family == "elementwise" and any(map(_is_narrow, types)):
        return True
    return len({each.storage_type for each in types}) > 1 or any(_widens(each, type) for each in x.operands)


def _is_narrow(type: QuantizedType) -> bool:
    whole = type.storage_type.min_value, type.storage_type.max_value
    return (type.storage_min, type.storage_max) != whole


def _in_integers(x: Symbol) -> float:
    """Bound how far a sum that is exact in integers is from the float program's, apart from its quotient.

    The float program rounds each operand's integer, its product with a scale, and the sum. What is computed
    of one number, or by multiplying, is as exact as its quotient: `_quotients` bounds it.
    """
    if not isinstance(x, Pending):
        return 0.0
    inner = sum(_in_integers(each) for each in x.operands)
    if x.op.name not in ("stablehlo.add", "stablehlo.subtract"):
        return inner
    return inner + sum(2 * each.rounding if isinstance(each, Stored) else _unit(each) for each in x.operands)


def _unit(x: Symbol) -> float:
    """Return four units of roundoff of a constant in f32."""
    return 2.0**-22 * abs(x.splat or 0.0) if isinstance(x, Constant) else 0.0


def _multipliers(x: Symbol, type: QuantizedType, ties: str) -> float:
    """Bound, in steps, the rounding of multipliers: of a sum together, else of each operand alone."""
    if not isinstance(x, Pending):
        return multiplier_error([x], type, ties) if isinstance(x, Stored) else 0.0
    if type.is_per_axis:  # it is computed in float
        return 0.0
    if x.op.name not in ("stablehlo.add", "stablehlo.subtract"):
        return max((_multipliers(each, type, ties) for each in x.operands), default=0.0)
    return multiplier_error([each for each in x.operands if isinstance(each, Stored | Constant)], type, ties)


def _quotients(type: QuantizedType) -> float:
    """Bound, in steps, the rounding of two numbers divided by a scale within the range of a type.

    The float program rounds a quotient once. A rescaling rounds an integer, its product with a scale, and the
    quotient: four units of roundoff of the largest quotient that is not clipped; one more for their products.
    """
    points = (0, *type.zero_points)
    ends = (end - zero for end in (type.storage_min, type.storage_max) for zero in points)
    return max(ROUNDED, 5 * 2.0**-type.expressed_type.precision * max(map(abs, ends)))


def sum_error(x: Stored, y: Stored) -> float:
    """Bound how far the stored sum of two values of one type is from the sum of their stored numbers.

    Both are dequantized, which rounds an integer and a product, and added; the quotient by the scale is
    rounded, and then to an integer. In units of roundoff of the numbers: two, one more for the sum, and one.
    Where all that is less than half a step, the integer is the sum. Premise: the sum is not clipped.
    """
    unit = 2.0**-x.type.expressed_type.precision
    off = 4.5 * unit * (x.magnitude + y.magnitude)  # half a unit for products of units
    return 0.0 if off < 0.5 else (off + 0.5) * max(x.type.scales)
