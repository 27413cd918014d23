"""The last rescaling of a region's output: from which type, and by how many steps it may differ."""

from __future__ import annotations

from math import ceil, isfinite

from interp.quantization.symbols import Pending, Stored, Symbol
from spec.types import QuantizedType

ROUNDED = 2.0**-10  # of a step: what rounding in the formula of `quantize` may add


def differing(x: Symbol, type: QuantizedType, lost: bool, ties: str) -> int | None:
    """Return the most steps by which a value may differ from the float program's in a type, or None.

    Numbers that are at most e steps apart are rounded to integers at most ceil(e) apart, equal ones in the
    middle of two integers to different ones where `ties` are not rounded to the even one, as floats are.
    """
    steps = _differing(x, type, lost)
    kept = isinstance(x, Stored) and x.type == type
    return steps if steps is None or ties == "even" or kept else max(steps, 1)


def _differing(x: Symbol, type: QuantizedType, lost: bool) -> int | None:
    parts = x.operands if isinstance(x, Pending) else (x,)
    errors = [each.error for each in parts if isinstance(each, Stored)]
    if isinstance(x, Stored):
        steps = x.error / min(type.scales)
    elif lost or any(errors):
        return None
    else:
        return 0
    return None if not isfinite(steps) else ceil(steps + ROUNDED) if steps else 0


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
