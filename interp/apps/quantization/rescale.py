"""The last rescaling of a region's output: from which type, and by how many steps it may differ."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, inf, isfinite

from interp.apps.quantization.symbols import PROVEN, Constant, Pending, Stored, Symbol
from spec.types import QuantizedType

ROUNDED = 2.0**-10  # of a step: at least this much is allowed for the rounding of quotients


def differing(x: Symbol, type: QuantizedType, lost: bool, ties: str) -> int | None:
    """Return the most steps by which a value may differ from the float program's in a type, or None.

    Numbers that are at most e steps apart are rounded to integers at most ceil(e) apart. A flow that rounds
    `ties` up computes in integers: equal numbers in the middle of two integers become different ones. None
    where no bound is proven: after an error in a float operation, and in expressed types narrower than f32
    unless the same operations are computed on the same numbers.
    """
    same = has_same_bits(x, lost)
    if same and isinstance(x, Stored) and x.type == type:
        return 0
    if same and ties == "even":
        return 0 if type.expressed_type.precision >= PROVEN or not _widens(x, type) else None
    error = x.error if isinstance(x, Stored) else _in_integers(x) if same else inf
    steps = error / min(type.scales)
    if type.expressed_type.precision < PROVEN or not isfinite(steps):
        return None
    return ceil(steps + _quotients(type))


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


def _widens(x: Symbol, type: QuantizedType) -> bool:
    """Return whether an elementwise operation gets operands or a result of one storage that not all have.

    A number keeps its value in wider storage if a float holds quotients of its size to a quarter.
    """
    operands = x.operands if isinstance(x, Pending) else ()
    storages = {each.type.storage_type for each in operands if isinstance(each, Stored)} | {type.storage_type}
    return len(storages) > 1 or any(_widens(each, type) for each in operands)


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


def _quotients(type: QuantizedType) -> float:
    """Bound, in steps, the rounding of two numbers divided by a scale within the range of a type.

    The float program rounds a quotient once. A rescaling rounds an integer, its product with a scale, and the
    quotient: four units of roundoff of the largest quotient that is not clipped; one more for their products.
    """
    ends = (end - zero for end in (type.storage_min, type.storage_max) for zero in type.zero_points)
    return max(ROUNDED, 5 * 2.0**-type.expressed_type.precision * max(map(abs, ends)))


def source(x: Symbol) -> str:
    """Return the form of a value in words."""
    if isinstance(x, Stored):
        return short(x.type)
    return "a waiting " + x.op.name.partition(".")[2] if isinstance(x, Pending) else "a float"


def short(type: QuantizedType) -> str:
    """Return a type in few words: its scale, or how many it has."""
    if type.is_per_tensor:
        return repr(type)
    return f"{type.spelling} with {len(type.scales)} scales"
