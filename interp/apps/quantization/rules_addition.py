"""Sums of two values: a bias in the accumulator's type, an operand in finer steps, or a sum that waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

import numpy as np

from interp.apps.quantization.accumulators import LIMIT
from interp.apps.quantization.forms import Forms
from interp.apps.quantization.rules_elementwise import waiting
from interp.apps.quantization.symbols import Constant, Stored, Symbol, sum_error
from interp.apps.quantization.types import accumulator
from interp.loading.writer import collapsed
from spec.ir import Op

EXACT_BITS = 20  # f32 adds integers of so many bits exactly, whatever their scale: its precision less 4


def add(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return a sum; a constant is added in the other operand's accumulator."""
    x, y = operands if isinstance(operands[1], Constant) else operands[::-1]
    return _with_constant(t, op, x, y, 1) if isinstance(y, Constant) else _of_two(t, op, operands)


def subtract(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return a difference; a constant is subtracted in the other operand's accumulator."""
    x, y = operands
    return _with_constant(t, op, x, y, -1) if isinstance(y, Constant) else waiting(t, op, operands)


def _with_constant(t: Forms, op: Op, x: Symbol, y: Constant, sign: int) -> Sequence[Symbol] | None:
    """Return the sum of a stored value and a constant, which is quantized in steps of i32."""
    settled = t.settled(x)
    if settled is None:
        return None
    wide = (
        settled
        if settled.type.storage_type.bits == 32 and not any(settled.type.zero_points)
        else finer(t, settled)
    )
    constant = t.flow.of_constant(replace(y, array=y.array * y.array.dtype.type(sign)), wide.type)
    bounds = _bounds(constant)
    steps = tuple(np.asarray(end, object) + bound for end, bound in zip(wide.steps, bounds, strict=True))
    result = t.flow.added(wide, constant, steps)
    _note(t, op, result, y.array)
    error = wide.error + max(wide.type.scales) / 2 + result.rounding + sum_error(wide, constant)
    return [replace(result, error=error if _is_held(y, wide) and result.magnitude <= LIMIT else inf)]


def _is_held(y: Constant, wide: Stored) -> bool:
    """Return whether i32 holds every number of a constant in the steps of a value, and no number is NaN."""
    most = np.max(np.abs(collapsed(y.array).astype(np.float64)), initial=0)
    return bool(most < LIMIT * min(wide.type.scales))


def _bounds(x: Stored) -> tuple[np.ndarray, np.ndarray]:
    """Return the stored numbers of a constant along the dimensions in which they differ."""
    assert x.data is not None
    numbers = collapsed(x.data).astype(np.int64)
    return numbers, numbers


def _note(t: Forms, op: Op, result: Stored, constant: np.ndarray) -> None:
    most, name = result.magnitude, t.writer.hint
    text = f"a constant of {collapsed(constant).size} numbers is added in i32, in steps of {_scales(result)}"
    text += f"; sums reach {most:,}"
    if most > LIMIT:
        t.choices.note(name, op.name, "bias", f"{text}, beyond i32", holds=False)
    elif most > 2**EXACT_BITS:
        off = max(1, most >> 23)
        text += (
            f", beyond 2^{EXACT_BITS}: where an add is computed in f32 it may be off by about {off:,} steps"
        )
        t.choices.note(name, op.name, "bias", text, holds=False)
    else:
        t.choices.note(name, op.name, "bias", f"{text}, where f32 is exact")


def _scales(x: Stored) -> str:
    least, most = min(x.type.scales), max(x.type.scales)
    return f"{least:.3g}" if least == most else f"{least:.3g} to {most:.3g}"


def finer(t: Forms, x: Stored) -> Stored:
    """Return a value in i32 with zero point 0, in the smallest steps that keep f32 exact."""
    spare = max(0, EXACT_BITS - x.magnitude.bit_length() - 1)
    type = accumulator(x.type, [s / 2**spare for s in x.type.scales], x.type.quantization_dimension)
    steps = tuple(np.asarray(end, object) * 2**spare for end in x.steps)
    return replace(t.flow.rescaled(x, type), steps=steps, error=x.error)


def _of_two(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return the sum of two stored values: in i32 if one is an accumulator, else where its type is known."""
    settled = [t.settled(x) for x in operands]
    found = [x for x in settled if x is not None]
    if len(found) < 2 or not any(x.type.storage_type.bits == 32 for x in found):
        return waiting(t, op, operands)
    wide, other = sorted(found, key=_rank)
    if any(wide.type.zero_points) or (other.type.is_per_axis and not wide.type.is_per_axis):
        return None
    brought = t.flow.rescaled(other, wide.type)
    added = _bounds(brought) if brought.data is not None else _brought(other, wide)
    steps = tuple(np.asarray(end, object) + more for end, more in zip(wide.steps, added, strict=True))
    result = t.flow.added(wide, replace(brought, steps=added), steps)
    if brought.data is not None:
        _note(t, op, result, brought.data)
    else:
        text = f"two values are added in i32, in steps of {_scales(result)}; sums reach {result.magnitude:,}"
        fits = result.magnitude <= LIMIT
        text += "" if fits else f" of {LIMIT:,} by the types: not proven"
        t.choices.note(t.writer.hint, op.name, "accumulator", text, holds=fits)
    moved = 0.0 if other.type == wide.type else max(wide.type.scales) / 2 + other.rounding
    held = replace(brought, steps=added)
    error = wide.error + other.error + moved + result.rounding + sum_error(wide, held)
    return [replace(result, error=error if result.magnitude <= LIMIT else inf)]


def _rank(x: Stored) -> tuple[int, bool, bool]:
    """Return what decides whose type a sum has: the least rank."""
    return -x.type.storage_type.bits, x.data is not None, not x.type.is_per_axis


def _brought(x: Stored, wide: Stored) -> tuple[int, int]:
    """Return the ends of a value in the steps of another."""
    most = int(x.magnitude * max(x.type.scales) / min(wide.type.scales)) + 1
    return -most, most
