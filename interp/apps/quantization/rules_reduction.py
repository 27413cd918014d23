"""Reductions: sums in i32 and one rescaling afterwards, maxima and minima in their own type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf, prod

from interp.apps.quantization.accumulators import LIMIT, of_sum
from interp.apps.quantization.forms import Forms
from interp.apps.quantization.symbols import FREE, Constant, Pending, Stored, Symbol, clamped, sum_error
from interp.apps.quantization.types import accumulator
from spec.ir import Op
from spec.types import QuantizedType


def reduction(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return a reduction with a body of one operation: a sum, a maximum or a minimum."""
    if len(operands) != 2 or not isinstance(operands[1], Constant) or operands[1].splat is None:
        return None
    x, start, body = operands[0], operands[1].splat, body_of(op)
    if body == "add" and start == 0:
        return summed(t, op, x)
    if body not in ("maximum", "minimum"):
        return None
    found = extreme(t, op, operands, body)
    if found is None:
        return None
    return [clamped(found, *((start, inf) if body == "maximum" else (-inf, start)))]


def body_of(op: Op, region: int = -1) -> str:
    """Return the name of the only operation of a body, on both of its arguments, or ""."""
    body = op.regions[region]
    if len(body.ops) != 2 or len(body.arguments) != 2:
        return ""
    inner = body.ops[0]
    both = {v.name for v in inner.operands} == {v.name for v in body.arguments}
    return inner.name.partition(".")[2] if both and body.returns == inner.results else ""


def count_of(op: Op) -> int:
    """Return how many elements one result is made of, at most."""
    if op.name == "stablehlo.reduce_window":
        return prod(op["window_dimensions"])
    return prod(op.operands[0].type.shape[d] for d in op["dimensions"])


def summed(t: Forms, op: Op, x: Symbol) -> Sequence[Symbol] | None:
    """Return sums in i32, of zero point 0."""
    settled = t.settled(x)
    if settled is None or not settled.type.is_per_tensor:
        return None
    found = of_sum(count_of(op), settled)
    text = f"i32 holds sums of {count_of(op):,} elements, up to {found.magnitude:,} steps, proven by the type"
    if not found.fits:
        seen = t.observed(settled.type)
        text = f"i32 is not proven: sums of {count_of(op):,} elements may reach {found.magnitude:,}; {seen}"
    type = accumulator(settled.type, settled.type.scales)
    result = t.flow.reduced(op, settled, "add", type, (found.least, found.greatest))
    t.choices.note(result.name(t.writer.hint), op.name, "accumulator", text, holds=found.fits)
    return [replace(result, error=_error(count_of(op), settled, result, found.fits))]


def _error(count: int, x: Stored, result: Stored, fits: bool) -> float:
    """Bound how far a sum of `count` numbers is from the float program's; infinite unless i32 holds it.

    Each addition may round: in floats by a unit of the greatest partial sum, in the accumulator as
    `sum_error` says.
    """
    return count * (x.error + result.rounding + sum_error(result, result)) if fits else inf


def extreme(t: Forms, op: Op, operands: Sequence[Symbol], body: str) -> Stored | Pending | None:
    """Return maxima or minima in the operand's own type: no number is made that was not there."""
    x = operands[0]
    if isinstance(x, Stored) and x.type.is_per_tensor:
        found = t.flow.reduced(op, replace(x, clamp=FREE), body, x.type, x.steps)
        return replace(found, clamp=x.clamp, error=x.error)
    if isinstance(x, Pending):
        return Pending(op, tuple(operands), lambda t, y, type: _extreme(t, y, body, type))
    return None


def _extreme(t: Forms, x: Pending, body: str, type: QuantizedType) -> Stored:
    """Return maxima or minima of a value that was brought to a type: quantization is monotone."""
    if not type.is_per_tensor:
        return t.flow.quantized(t.as_float(replace(x, clamp=FREE)), type)
    return t.flow.reduced(x.op, t.typed(x.operands[0], type), body, type, None)


def select_and_scatter(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return the source scattered to the selected elements, added in i32."""
    operand, source, start = operands
    held, added = t.settled(operand), t.settled(source)
    if held is None or added is None or not isinstance(start, Constant) or start.splat != 0:
        return None
    if body_of(op) != "add" or not held.type.is_per_tensor or not added.type.is_per_tensor:
        return None
    if body_of(op, 0) != "compare":
        return None
    windows, strides = op["window_dimensions"], op["window_strides"]
    count = prod(-(-window // stride) for window, stride in zip(windows, strides, strict=True))
    found = of_sum(count, added)
    text = f"i32 holds sums of up to {count} elements, {found.magnitude:,} steps, proven by the type"
    if not found.fits:
        text = f"i32 is not proven: sums of {count} elements may reach {found.magnitude:,} of {LIMIT:,}"
    type = accumulator(added.type, added.type.scales)
    result = t.flow.scattered(op, held, added, type, (found.least, found.greatest))
    t.choices.note(result.name(t.writer.hint), op.name, "accumulator", text, holds=found.fits)
    return [replace(result, error=_error(count, added, result, found.fits))]
