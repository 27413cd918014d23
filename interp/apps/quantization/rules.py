"""`RULES`: the function that materializes each operation of a region, by name; None leaves it in float."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from math import inf, prod

import numpy as np

from interp.apps.quantization.accumulators import LIMIT, accumulator, sum_range
from interp.apps.quantization.claims import sum_error
from interp.apps.quantization.rules_contraction import contraction
from interp.apps.quantization.rules_elementwise import divide, join, keep_bounds, move, multiply, waiting
from interp.apps.quantization.symbols import (
    FREE,
    WIDEST,
    Constant,
    Forms,
    Pending,
    Stored,
    Symbol,
    add_clamp,
)
from interp.engine.facts import STABLEHLO
from interp.engine.leaf_counts import WINDOW, reduce_count, window_count
from interp.kernels.floats import FLOAT
from interp.loading.writer import collapse_repeats
from spec.ir import Op
from spec.types import QuantizedType

# Reductions: sums in i32 and one rescaling afterwards, maxima and minima in their own type


def reduction(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return a reduction with a body of one operation: a sum, a maximum or a minimum."""
    if len(operands) != 2 or not isinstance(operands[1], Constant) or operands[1].splat is None:
        return None
    x, start, body = operands[0], operands[1].splat, body_of(op)
    if body == "add" and start == 0:
        return sum_elements(t, op, x)
    if body not in ("maximum", "minimum"):
        return None
    found = extreme(t, op, operands, body)
    if found is None:
        return None
    return [add_clamp(found, *((start, inf) if body == "maximum" else (-inf, start)))]


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


def sum_elements(t: Forms, op: Op, x: Symbol) -> Sequence[Symbol] | None:
    """Return sums in i32, of zero point 0."""
    settled = t.apply_clamp(x)
    if settled is None or not settled.type.is_per_tensor:
        return None
    found = sum_range(count_of(op), settled)
    text = f"i32 holds sums of {count_of(op):,} elements, up to {found.magnitude:,} steps, proven by the type"
    if not found.fits:
        seen = t.evidence(settled.type)
        text = f"i32 is not proven: sums of {count_of(op):,} elements may reach {found.magnitude:,}; {seen}"
    type = accumulator(settled.type, settled.type.scales)
    result = t.flow.reduce(op, settled, "add", type, (found.least, found.greatest))
    t.choices.note(result.name(t.writer.hint), op.name, "accumulator", text, holds=found.fits)
    return [replace(result, error=_error(count_of(op), settled, result, found.fits))]


def _error(count: int, x: Stored, result: Stored, fits: bool) -> float:
    """Bound how far a sum of `count` numbers is from the float program's; infinite unless i32 holds it.

    Each addition may round: in floats by a unit of the greatest partial sum, in the accumulator as
    `sum_error` says.
    """
    return count * (x.error + result.rounding + sum_error(result, result)) if fits else inf


def extreme(t: Forms, op: Op, operands: Sequence[Symbol], body: str) -> Stored | Pending | None:
    """Return maxima or minima in the operand's own type: no number is made that was not there.

    Of no elements the result is the init value, which that type may not hold: it waits for the result's type.
    """
    x = operands[0]
    fewest = (window_count if op.name == WINDOW else reduce_count)(op).fewest
    if isinstance(x, Stored) and x.type.is_per_tensor and fewest:
        found = t.flow.reduce(op, replace(x, clamp=FREE), body, x.type, x.steps)
        error = x.error + count_of(op) * x.choice_error(t.flow.ties)
        return replace(found, clamp=x.clamp, bounds=x.bounds, error=error)
    if isinstance(x, Pending) or (isinstance(x, Stored) and x.type.is_per_tensor):
        return Pending(op, tuple(operands), lambda t, y, type: _extreme(t, y, body, type))
    return None


def _extreme(t: Forms, x: Pending, body: str, type: QuantizedType) -> Stored:
    """Return maxima or minima of a value that was brought to a type: quantization is monotone."""
    if not type.is_per_tensor:
        return t.flow.quantize(t.as_float(replace(x, clamp=FREE)), type)
    return t.flow.reduce(x.op, t.as_stored(x.operands[0], type), body, type, None)


def select_and_scatter(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return the source scattered to the selected elements, added in i32.

    The result has a bound if the float program selects the same: of numbers that have no error, and that
    floats tell apart as integers do.
    """
    operand, source, start = operands
    held, added = t.apply_clamp(operand), t.apply_clamp(source)
    if held is None or added is None or not isinstance(start, Constant) or start.splat != 0:
        return None
    if body_of(op) != "add" or not held.type.is_per_tensor or not added.type.is_per_tensor:
        return None
    if body_of(op, 0) != "compare":
        return None
    windows, strides = op["window_dimensions"], op["window_strides"]
    count = prod(-(-window // stride) for window, stride in zip(windows, strides, strict=True))
    found = sum_range(count, added)
    text = f"i32 holds sums of up to {count} elements, {found.magnitude:,} steps, proven by the type"
    if not found.fits:
        text = f"i32 is not proven: sums of {count} elements may reach {found.magnitude:,} of {LIMIT:,}"
    type = accumulator(added.type, added.type.scales)
    result = t.flow.scatter(op, held, added, type, (found.least, found.greatest))
    t.choices.note(result.name(t.writer.hint), op.name, "accumulator", text, holds=found.fits)
    alike = not held.error and held.rounding < inf and held.type.storage_type.bits <= WIDEST
    return [replace(result, error=_error(count, added, result, found.fits and alike))]


# Sums of two values: a bias in the accumulator's type, an operand in finer steps, or a sum that waits


EXACT_BITS = 20  # f32 adds integers of so many bits exactly, whatever their scale: its precision less 4


def add(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return a sum; a constant is added in the other operand's accumulator."""
    x, y = operands if isinstance(operands[1], Constant) else operands[::-1]
    return _with_constant(t, op, x, y, 1) if isinstance(y, Constant) else _sum_of_two(t, op, operands)


def subtract(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return a difference; a constant is subtracted in the other operand's accumulator."""
    x, y = operands
    return _with_constant(t, op, x, y, -1) if isinstance(y, Constant) else waiting(t, op, operands)


def _with_constant(t: Forms, op: Op, x: Symbol, y: Constant, sign: int) -> Sequence[Symbol] | None:
    """Return the sum of a stored value and a constant, which is quantized in steps of i32."""
    settled = t.apply_clamp(x)
    if settled is None:
        return None
    wide = (
        settled
        if settled.type.storage_type.bits == 32 and not any(settled.type.zero_points)
        else finer(t, settled)
    )
    constant = t.flow.quantize_constant(replace(y, array=y.array * y.array.dtype.type(sign)), wide.type)
    bounds = _bounds(constant)
    steps = tuple(np.asarray(end, object) + bound for end, bound in zip(wide.steps, bounds, strict=True))
    result = t.flow.add(wide, constant, steps)
    _note(t, op, result, y.array)
    error = wide.error + max(wide.type.scales) / 2 + result.rounding + sum_error(wide, constant)
    return [replace(result, error=error if _is_held(y, wide) and result.magnitude <= LIMIT else inf)]


def _is_held(y: Constant, wide: Stored) -> bool:
    """Return whether i32 holds every number of a constant in the steps of a value, and no number is NaN."""
    most = np.max(np.abs(collapse_repeats(y.array).astype(np.float64)), initial=0)
    return bool(most < LIMIT * min(wide.type.scales))


def _bounds(x: Stored) -> tuple[np.ndarray, np.ndarray]:
    """Return the stored numbers of a constant along the dimensions in which they differ."""
    assert x.data is not None
    numbers = collapse_repeats(x.data).astype(np.int64)
    return numbers, numbers


def _note(t: Forms, op: Op, result: Stored, constant: np.ndarray) -> None:
    most, name = result.magnitude, t.writer.hint
    size = collapse_repeats(constant).size
    text = f"a constant of {size} numbers is added in i32, in steps of {_scales(result)}"
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
    return replace(t.flow.rescale(x, type), steps=steps, error=x.error)


def _sum_of_two(t: Forms, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol] | None:
    """Return the sum of two stored values: in i32 if one is an accumulator, else where its type is known."""
    settled = [t.apply_clamp(x) for x in operands]
    found = [x for x in settled if x is not None]
    if len(found) < 2 or not any(x.type.storage_type.bits == 32 for x in found):
        return waiting(t, op, operands)
    wide, other = sorted(found, key=_rank)
    if any(wide.type.zero_points) or (other.type.is_per_axis and not wide.type.is_per_axis):
        return None
    brought = t.flow.rescale(other, wide.type)
    added = _bounds(brought) if brought.data is not None else _ends(other, wide)
    steps = tuple(np.asarray(end, object) + more for end, more in zip(wide.steps, added, strict=True))
    result = t.flow.add(wide, replace(brought, steps=added), steps)
    if brought.data is not None:
        _note(t, op, result, brought.data)
    else:
        text = f"two values are added in i32, in steps of {_scales(result)}; sums reach {result.magnitude:,}"
        fits = result.magnitude <= LIMIT
        text += "" if fits else f" of {LIMIT:,} by the types: not proven"
        t.choices.note(t.writer.hint, op.name, "accumulator", text, holds=fits)
    moved, held = other.move_error(wide.type, t.flow.ties), replace(brought, steps=added)
    error = wide.error + other.error + moved + result.rounding + sum_error(wide, held)
    return [replace(result, error=error if result.magnitude <= LIMIT else inf)]


def _rank(x: Stored) -> tuple[int, bool, bool]:
    """Return what decides whose type a sum has: the least rank."""
    return -x.type.storage_type.bits, x.data is not None, not x.type.is_per_axis


def _ends(x: Stored, wide: Stored) -> tuple[int, int]:
    """Return the ends of a value in the steps of another."""
    most = int(x.magnitude * max(x.type.scales) / min(wide.type.scales)) + 1
    return -most, most


Rule = Callable[[Forms, Op, Sequence[Symbol]], Sequence[Symbol] | None]
JOINING = "concatenate pad select dynamic_update_slice".split()


def _all(names: Iterable[str], rule: Rule) -> dict[str, Rule]:
    return {f"stablehlo.{name}": rule for name in names}


RULES: dict[str, Rule] = (
    _all((name for name in FLOAT if STABLEHLO[name].error != "parts"), waiting)
    | _all((name for name, row in STABLEHLO.items() if row.moves or row.error == "placed"), move)
    | _all(JOINING, join)
    | _all((name for name, row in STABLEHLO.items() if row.clips), keep_bounds)
    | _all((name for name, row in STABLEHLO.items() if row.family == "contraction"), contraction)
    | _all((name for name, row in STABLEHLO.items() if row.folds), reduction)
    | _all(["select_and_scatter"], select_and_scatter)
    | _all(["add"], add)
    | _all(["subtract"], subtract)
    | _all(["multiply"], multiply)
    | _all(["divide"], divide)
)
