"""Multipliers that a program gives a requantization: the integers of LiteRT's and TOSA's kernels.

`uniform_quantize` of a quantized operand with the attribute `interp.requantize` computes, in the integer
reading, `clamp(round(m * multiplier * 2^(shift - 31)) + zero_point)` by the named rounding, for `m = q -
zero_point` of the operand. It replaces the recipe, which is a choice of the implementation. The dequantize
reading does not look at it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from spec.attributes import Opaque
from spec.errors import Malformed
from spec.ir import Op

NAME = "interp.requantize"
DOUBLE, SINGLE, F64 = "double", "single", "f64"
ROUNDINGS = {
    DOUBLE: "RDByPOT(SRDHM(wrap(m << max(shift, 0)), multiplier), max(-shift, 0))",
    SINGLE: "(m * multiplier + 2^(30 - shift)) >> (31 - shift)",
    F64: "f64(m) * f64(multiplier * 2^(shift - 31)), half away from zero",
}
FORM = (
    "expected {multiplier = array<i64: ...>, shift = array<i64: ...>, rounding = "
    + " or ".join(f'"{rounding}"' for rounding in ROUNDINGS)
    + "}, and axis = ... if there are several"
)
# As text has lists, and as portable artifacts have them: `array<i64: 5, 7>`, `dense<[5, 7]> : tensor<2xi64>`,
# `dense<5> : tensor<2xi64>`, and hexadecimal bytes of long ones.
_LIST = re.compile(
    r"(multiplier|shift) = (?:array<i64(?::\s*([-\d,\s]*))?>"
    r'|dense<(?:\[?([-\d,\s]*)\]?|"0x([\dA-F]*)")> : tensor<(\d+)xi64>)'
)
_MOST = 1 << 24  # channels


class Multipliers(NamedTuple):
    """Multipliers and shifts, one pair or one for each index of the dimension `axis`, and the rounding."""

    multipliers: tuple[int, ...]
    shifts: tuple[int, ...]
    rounding: str
    axis: int | None = None

    @property
    def attribute(self) -> Opaque:
        """The attribute as MLIR's text."""
        lists = [f"array<i64: {', '.join(map(str, numbers))}>" for numbers in self[:2]]
        axis = "" if self.axis is None else f"axis = {self.axis} : i64, "
        rounding = f'rounding = "{self.rounding}"'
        return Opaque(f"{{{axis}multiplier = {lists[0]}, {rounding}, shift = {lists[1]}}}")


def has_multipliers(op: Op) -> bool:
    """Return whether a program gives the multipliers of a requantization."""
    return NAME in op.attributes


def multipliers_in(op: Op) -> Multipliers:
    """Return the multipliers that a program gives an operation; `Malformed` if they have another form."""
    if error := multipliers_error(op):
        raise error
    known = _parse(repr(op.attributes[NAME]))
    assert known is not None
    return known


def multipliers_error(op: Op) -> Malformed | None:
    """Return what is wrong with the multipliers that a program gives an operation, or None."""
    text = repr(op.attributes[NAME])
    known = _parse(text)
    reason = "it has another form" if known is None else _reason(known, op.result.type.shape)
    verdict, evidence = f"{NAME} of {op.name}: {reason}", f"{FORM}\ngot {text[:200]}"
    return Malformed(verdict, evidence, op.location) if reason else None


@lru_cache
def _parse(text: str) -> Multipliers | None:
    lists = {match[1]: found for match in _LIST.finditer(text) if (found := _numbers(*match.groups()[1:]))}
    rounding, axis = re.search(r'rounding = "(\w+)"', text), re.search(r"axis = (\d+)", text)
    if len(lists) < 2 or rounding is None:
        return None
    place = int(axis[1]) if axis else None
    return Multipliers(lists["multiplier"], lists["shift"], rounding[1], place)


def _numbers(array: str | None, dense: str | None, data: str | None, size: str | None) -> tuple[int, ...]:
    """Return the numbers of a list in one of its forms."""
    if data and len(data) % 16 == 0:
        return struct.unpack(f"<{len(data) // 16}q", bytes.fromhex(data))
    found = tuple(int(x) for x in (array or dense or "").split(",") if x.strip())
    return found * min(int(size), _MOST) if size and len(found) == 1 else found


def _reason(known: Multipliers, shape: Sequence[int]) -> str:
    """Return what is wrong with multipliers for a result of a shape, or ""."""
    size = len(known.multipliers)
    bits, most = (53, 1023) if known.rounding == F64 else (31, 30)
    if known.rounding not in ROUNDINGS:
        return f"unknown rounding {known.rounding!r}"
    if len(known.shifts) != size:
        return f"{size} multipliers and {len(known.shifts)} shifts"
    if known.axis is None and size != 1:
        return f"{size} multipliers without an axis"
    if known.axis is not None and (known.axis >= len(shape) or shape[known.axis] != size):
        return f"{size} multipliers along dimension {known.axis} of {list(shape)}"
    if not all(0 <= m < 1 << bits for m in known.multipliers):
        return f"a multiplier is not in [0, 2^{bits})"
    if not all(-most <= shift <= most for shift in known.shifts) and known.rounding == F64:
        return f"a shift is not in [-{most}, {most}]"
    if not all(-31 <= shift <= most for shift in known.shifts) and known.rounding != F64:
        return f"a shift is not in [-31, {most}]"
    return ""
