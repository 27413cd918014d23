"""Multipliers that a program gives, used in another way, and faults of kernels that do not occur."""

from __future__ import annotations

from dataclasses import replace
from math import ldexp

from interp.engine.memo import once
from interp.engine.recipes import normalize
from spec.faults import has_fault
from spec.ir import Op
from spec.multipliers import DOUBLE, F64, NAME, SINGLE, Multipliers, has_multipliers, multipliers_in

FIRST = "the first"  # multiplier of several, for all channels
LEAST = -31  # shift of a multiplier of 31 bits

# What a device does with the multipliers that a program gives, in words.
WAYS = {
    SINGLE: "products of sums and the given multipliers are rounded once, half up",
    DOUBLE: "products of sums and the given multipliers, of 31 bits, are rounded twice",
    F64: "products of sums and the given multipliers are rounded once, as numbers of f64",
    FIRST: "the multiplier of the first channel is that of all (per tensor in place of per channel)",
}


def may_differ(way: str, op: Op) -> bool:
    """Return whether a way is another one than that which the program gives an operation."""
    if not has_multipliers(op):
        return False
    known = multipliers_in(op)
    return (
        len(set(zip(known.multipliers, known.shifts, strict=True))) > 1
        if way == FIRST
        else way != known.rounding
    )


def is_boolean_fault(op: Op) -> bool:
    """Return whether an operation is true where a kernel has a fault."""
    return has_fault(op) and op.result.type.storage_type.kind == "boolean"


@once
def give_otherwise(op: Op, way: str) -> Op:
    """Return an operation with its multipliers in another way."""
    known = multipliers_in(op)
    pairs = list(zip(known.multipliers, known.shifts, strict=True))
    if way == FIRST:
        pairs, rounding = pairs[:1] * len(pairs), known.rounding
    else:
        pairs, rounding = [_pair(known.rounding == F64, way == F64, *pair) for pair in pairs], way
    new = Multipliers(tuple(m for m, _ in pairs), tuple(s for _, s in pairs), rounding, known.axis)
    return replace(op, attributes={**op.attributes, NAME: new.attribute})


def _pair(is_wide: bool, wants_wide: bool, multiplier: int, shift: int) -> tuple[int, int]:
    """Return a multiplier and its shift in 31 bits, or in 53."""
    if is_wide == wants_wide:
        return multiplier, shift
    if wants_wide:
        return multiplier << 22, shift - 22
    found = normalize(ldexp(multiplier, shift - 31), 31) if multiplier else (0, 0)
    return found if found[1] >= LEAST else (0, 0)
