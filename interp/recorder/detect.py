"""Detection of events: pure functions of an operation's operands and result (carriers)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import isfinite
from typing import Any, TypeGuard

import numpy as np

from interp.backends import NUMPY, fl, max_finite
from interp.engine.facts import facts, facts_of
from interp.engine.quant import Type, convert, in_f64, scaled_and_moved, spread
from interp.engine.storage import (
    convert_leaves,
    expressed_type,
    storage,
    storage_range,
    stored_numbers,
    to_reals,
)
from interp.kernels import elementwise
from interp.recorder.batch import Judgement, mask_events, no_value
from interp.recorder.exact import (
    FORMULAS,
    ROUNDING,
    WIDER,
    Array,
    Number,
    formula,
    fractions,
    rounding_error,
    steps,
    units_of,
)
from spec.ir import Op
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType

# Events of one quantized result: saturation, rounding, and intermediate infinities and NaN.

F64 = ELEMENT_TYPES["f64"]
DOUBT = 2.0**-40  # relative: functions in f64 are a few units of the last place off, and decide no tie


def quantized_events(
    op: Op, name: str, types: list[Type], operands: Sequence[Array], element: QuantizedType, result: Array
) -> Iterator[Judgement]:
    """Yield saturation, and other differences from exact arithmetic: lost digits, infinity or NaN."""
    if name in FORMULAS:
        s = steps(name, types, element, operands, result)
        wrong = s.is_misrounded()
    else:
        s = steps("convert", [F64], element, [_in_f64(op, name, types, operands, element)], result)
        wrong = s.is_misrounded() & ~(np.abs(s.difference) <= 0.5 + DOUBT * (1 + np.abs(result)))
    suspect = wrong | (result == stored_nan(element)) if may_be_nan(name, (*types, element)) else wrong
    if not suspect.any():
        return
    saturated = wrong & s.is_saturated()
    yield from mask_events("saturate", saturated, s.difference, s.value)
    rest = suspect & ~saturated
    if rest.any():
        nan, inf = on_the_way(_quantized_value(op, name, types, operands, element), element, result.shape)
        yield from mask_events("nan", rest & nan, nan, no_value)
        rest &= wrong
        yield from mask_events("inf", rest & inf, s.difference, s.value)
        yield from mask_events("inexact", rest & np.isfinite(s.difference), s.difference, s.value)


def on_the_way(x: Array, type: QuantizedType, shape: tuple[int, ...]) -> tuple[Array, Array]:
    """Return where quantizing x, in the carrier of the expressed type, meets a NaN; and where an infinity.

    The numbers on the way are x, its quotient by the scale, and the sum with the zero point.
    """
    x = np.broadcast_to(x, shape)
    with np.errstate(all="ignore"):
        moved = scaled_and_moved(NUMPY, x, type)
    return np.isnan(moved), np.isinf(x) | np.isinf(moved)


def stored_nan(type: QuantizedType) -> int:
    """Return the stored number that NaN becomes: 0, clamped (erratum E4)."""
    low, high = storage_range(type)
    return min(max(0, low), high)


@cache
def may_be_nan(name: str, types: tuple[Type, ...]) -> bool:
    """Return whether a quantized result may pass through NaN although the exact result is a number.

    That requires an intermediate infinity, or an overflow in a format without infinities. `types` are the
    types of the operands and of the result.
    """
    numbers = [t for t in types if isinstance(t, QuantizedType)]
    floats = any(isinstance(t, ElementType) and t.kind == "float" for t in types)
    if floats or any(not t.is_per_tensor or t.expressed_type.special != "ieee" for t in numbers):
        return True
    sizes = [np.abs(to_reals(np.array(storage_range(t)), t)).max() for t in numbers]
    sizes += [abs(fl(t.zero_point, t.expressed_type)) for t in numbers]
    return not sum(sizes) <= min(max_finite(t.expressed_type) for t in numbers)


def _in_f64(op: Op, name: str, types: list[Type], operands: Sequence[Array], element: QuantizedType) -> Array:
    """Return the exact function of the dequantized operands, to the precision of f64.

    If the exact function has no value, as for a negative number to a fractional power, use the rounded
    result.
    """
    values = [
        to_reals(x, in_f64(t)) if isinstance(t, QuantizedType) else x.astype(np.float64)
        for x, t in zip(operands, types, strict=True)
    ]
    exact = elementwise.prepare(NUMPY, op, [F64] * len(values), F64)(*values)
    if not np.isnan(exact).any():
        return exact
    return np.where(np.isnan(exact), _quantized_value(op, name, types, operands, element), exact)


def _quantized_value(
    op: Op, name: str, types: list[Type], operands: Sequence[Array], element: QuantizedType
) -> Array:
    """Return the float that was quantized to give the result."""
    values = list(map(to_reals, operands, types))
    if name == "convert":
        return convert(NUMPY, values[0], expressed_type(types[0]), element.expressed_type)
    return elementwise.prepare(NUMPY, op, [*map(expressed_type, types)], element.expressed_type)(*values)


def operation_events(op: Op, operands: Sequence[Array], result: Array, rounding: bool) -> Iterator[Judgement]:
    """Yield all events of one operation; with `rounding`, also those of rounded plain float operations."""
    if not facts(op).computes:
        return
    types = [value.type.element_type for value in op.operands]
    for x, type in zip(operands, types, strict=True):
        yield from operand_events(x, type, result.shape)
    name, element = formula(op), op.result.type.element_type
    if isinstance(element, QuantizedType):
        yield from quantized_events(op, name, types, operands, element, result)
    elif element.is_integer:
        yield from _integer(name, types, operands, element, result)
    elif element.kind in ("float", "complex"):
        yield from _float(name, types, operands, result)
        if rounding and element.kind == "float" and facts(op).error in ("sum", "product"):
            yield from _float_rounding(name, operands[0], operands[1], result)


def fault_events(op: Op, result: Array) -> Iterator[Judgement]:
    """Yield where the kernel that an operation stands for has a fault."""
    is_such = op.result.type.storage_type.name == "i1"
    mask = result.astype(bool) if is_such else np.ones(result.shape, bool)
    yield from mask_events("fault", mask, mask, no_value)


def conversion_events(
    source: Type, destination: Type, before: Array, after: Array, lossless: bool
) -> Iterator[Judgement]:
    """Yield the events of a conversion in a reduction; if `lossless`, every change of a value is an event."""
    if source == destination:
        return
    if (numbers := _few_numbers(source, destination, before.size)) is None:
        if lossless or not is_testable(destination, source):
            yield from _conversion_events(source, destination, before, after, lossless)
            return
        at = doubtful(source, destination, before, after)
        few = before.reshape(-1)[at], after.reshape(-1)[at]
        yield from relocate(_conversion_events(source, destination, *few, lossless), at)
        return
    for known in every_conversion(source, destination, lossless):
        mask, error = np.zeros(len(numbers), bool), np.zeros(len(numbers), known.error.dtype)
        mask[known.at], error[known.at] = True, known.error
        place = before.astype(np.intp) - int(numbers[0])
        exact = lambda at, known=known, place=place: known.exact(int(place.flat[at]))
        yield from mask_events(known.kind, mask[place], error[place], exact)


def may_convert_noticeably(source: Type, destination: Type, before: Array) -> bool:
    """Return whether converting these leaves may cause an event; True if the types are too wide to try."""
    if source == destination:
        return False
    if (numbers := _few_numbers(source, destination, 2**16)) is None:
        return True
    events = every_conversion(source, destination, lossless=True)
    if not events or not before.size:
        return False
    noticed = np.concatenate([found.at for found in events])
    mask = np.zeros(len(numbers), bool)
    mask[noticed] = True
    return bool(mask[before.astype(np.intp) - int(numbers[0])].any())


def _few_numbers(type: Type, destination: Type, size: int) -> Array | None:
    """Return all stored numbers of a type, ascending, or None if they are more than 256 and than `size`.

    Also return None if the conversion depends on the position, since one of the types has several scales.
    """
    held = storage(type)
    same = _is_same_everywhere(type) and _is_same_everywhere(destination)
    if not (held.is_integer and same and 2**held.bits <= max(size, 256)):
        return None
    return stored_numbers(type)


def _is_same_everywhere(type: Type) -> bool:
    """Return whether a stored number represents the same value at every index: not in per-axis types."""
    return not isinstance(type, QuantizedType) or type.is_per_tensor


@cache
def every_conversion(source: Type, destination: Type, lossless: bool) -> tuple[Judgement, ...]:
    """Return the events of converting every stored number; their positions are those in ascending order."""
    before = _few_numbers(source, destination, 2**16)
    assert before is not None
    after = convert_leaves(before, source, destination)
    with np.errstate(all="ignore"):
        return tuple(_conversion_events(source, destination, before, after, lossless))


def _conversion_events(
    source: Type, destination: Type, before: Array, after: Array, lossless: bool
) -> Iterator[Judgement]:
    yield from operand_events(before, source, before.shape)
    if isinstance(destination, QuantizedType):
        s = steps("convert", [source], destination, [before], after)
        wrong = s.is_misrounded()
        saturated = wrong & s.is_saturated()
        yield from mask_events("saturate", saturated, s.difference, s.value)
        reals = convert(NUMPY, to_reals(before, source), expressed_type(source), destination.expressed_type)
        nan, inf = on_the_way(reals, destination, after.shape)
        nan &= ~saturated
        yield from mask_events("nan", nan, nan, no_value)
        yield from mask_events("inf", wrong & inf & ~saturated, s.difference, s.value)
        rest = s.is_changed() if lossless else wrong
        kind = "lossy_convert" if lossless else "inexact"
        yield from mask_events(kind, rest & ~saturated & ~nan, s.difference, s.value)
    elif isinstance(destination, ElementType) and destination.is_integer:
        yield from _integer("convert", [source], [before], destination, after)
    elif isinstance(source, ElementType) and destination.kind == "float" and source.kind != "complex":
        yield from _float("convert", [source], [before], after)
        if lossless:
            wide = before.astype(np.float64)
            lost = ((wide != after) | (wide.astype(before.dtype) != before)) & np.isfinite(after)
            yield from mask_events("lossy_convert", lost, wide - after, lambda at: before.flat[at].item())


def sum_events(
    element: ElementType, operands: Sequence[Array], total: Array, rounding: bool
) -> Iterator[Judgement]:
    """Yield the events of one addition in a contraction's fold."""
    if element.is_integer:
        yield from _integer("add", [element, element], operands, element, total)
    elif element.kind in ("float", "complex"):
        yield from _float("add", [element, element], operands, total)
    if rounding and element.kind == "float":
        yield from _float_rounding("add", operands[0], operands[1], total)


def _float_rounding(name: str, a: Array, b: Array, result: Array) -> Iterator[Judgement]:
    """Yield `inexact` for one float operation."""
    error = rounding_error(name, a, b, result)
    mask = (error != 0) & np.isfinite(a) & np.isfinite(b)
    yield from mask_events("inexact", mask, error, _exactly(name, (a, b), result.shape))


def _integer(
    name: str, types: list[Type], operands: Sequence[Array], element: ElementType, result: Array
) -> Iterator[Judgement]:
    """Yield what the specification leaves open: wraps, division by zero, wide shifts, floats out of range."""
    row = facts_of(name)
    if row.undefined == "shift amount":
        amount = np.broadcast_to(operands[1], result.shape)
        beyond = (amount < 0) | (amount >= element.bits)
        yield from mask_events("unspecified", beyond, beyond, no_value)
    if row.undefined == "zero divisor":
        zero = np.broadcast_to(operands[1] == 0, result.shape)
        yield from mask_events("unspecified", zero, zero, no_value)
        operands = [operands[0], np.where(operands[1] == 0, 1, operands[1])]
        result = np.where(zero, operands[0], result)
    if name == "convert" and isinstance(types[0], ElementType) and types[0].kind in ("float", "complex"):
        x = operands[0].real.astype(np.float64)  # the imaginary part is dropped
        nan = np.isnan(x)
        beyond = (x >= float(element.max_value + 1)) | (np.trunc(x) < float(element.min_value))
        yield from mask_events("nan", nan, nan, no_value)
        yield from mask_events("saturate", beyond, x, lambda at: float(x.flat[at]))
    elif row.error == "sum" and result.itemsize in WIDER:
        error = FORMULAS[name](*operands, dtype=WIDER[result.itemsize])
        error -= result
        yield from mask_events("wrap", error != 0, error, _exactly(name, operands, result.shape))
    elif row.wraps:
        exactly = np.power if name == "power" else FORMULAS[name]
        exact = exactly(*(x.astype(np.float64) for x in operands))
        error = exact - result.astype(np.float64)
        wrapped = np.abs(error) >= 2.0 ** (element.bits - 1)
        yield from mask_events("wrap", wrapped, error, _exactly(name, operands, result.shape))


def _float(name: str, types: list[Type], operands: Sequence[Array], result: Array) -> Iterator[Judgement]:
    """Yield NaN and infinities that arise from operands that are finite numbers."""
    if np.isfinite(result).all():
        return
    floats = [x for x, type in zip(operands, types, strict=True) if x.dtype.kind in "fc"]
    new = []
    for is_such in (np.isnan, np.isinf):
        old = np.zeros(result.shape, bool)
        for x in floats:
            old |= is_such(x)
        new.append(is_such(result) & ~old)
    nan, inf = new
    yield from mask_events("nan", nan, nan, no_value)
    yield from mask_events("inf", inf, inf, _exactly(name, operands, result.shape))


def operand_events(x: Array, type: Type, shape: tuple[int, ...]) -> Iterator[Judgement]:
    """Yield where `q - zero_point` would wrap if read literally, in storage (E1); `shape` is the result's."""
    if not isinstance(type, QuantizedType) or (type.is_per_tensor and type.zero_point == 0):
        return
    storage, zero_point = type.storage_type, _zero_point(type, x)
    if type.is_per_tensor:  # one bound is out of reach
        wraps = x < storage.min_value + zero_point if zero_point > 0 else x > storage.max_value + zero_point
    else:
        wraps = (x < storage.min_value + zero_point) | (x > storage.max_value + zero_point)
    if wraps.any():
        wraps = np.broadcast_to(wraps, shape)
        difference = np.broadcast_to(x.astype(np.int64) - zero_point, shape)
        yield from mask_events("erratum", wraps, difference, lambda at: int(difference.flat[at]))


def _zero_point(type: QuantizedType, x: Array) -> Any:
    return type.zero_point if type.is_per_tensor else spread(NUMPY, type.zero_points, np.int64, type, x.shape)


def _exactly(name: str, operands: Sequence[Array], shape: tuple[int, ...]) -> Callable[[int], Number | None]:
    """Return the exact result of a plain operation on reals at a flat position, or None if there is none."""

    def value(at: int) -> Number | None:
        picked = [np.broadcast_to(x, shape).flat[at] for x in operands]
        if name not in FORMULAS or np.iscomplexobj(picked) or not np.isfinite(np.asarray(picked)).all():
            return None
        exact: Any = fractions(np.asarray([x.item() for x in picked], object))
        return None if name == "divide" and exact[1] == 0 else FORMULAS[name](*exact)

    return value


# A test in a few whole-array operations that nearly every quantized element passes: it has no event


def is_testable(destination: Type, source: Type) -> TypeGuard[QuantizedType]:
    """Return whether a conversion has no event where its result is less than half a step off.

    THEOREM: it is rounded well there, hence not saturated. In IEEE's formats a NaN is off by NaN. Reading the
    operand has no event, as there is no zero point to subtract.
    """
    if not isinstance(destination, QuantizedType) or not destination.is_per_tensor:
        return False
    plain = isinstance(source, ElementType) and source.kind == "float"
    moves = isinstance(source, QuantizedType) and (not source.is_per_tensor or source.zero_point)
    ieee = destination.expressed_type.special == "ieee"
    finite = ieee and isfinite(fl(destination.zero_point, destination.expressed_type))
    return finite and (plain or not (isinstance(source, ElementType) or moves))


def doubtful(source: Type, destination: QuantizedType, before: Array, after: Array) -> Array:
    """Return the flat positions where a conversion may have an event.

    THEOREM: where the difference is computed as less than half a step, no number in it is more than half a
    step greater than the largest stored one, which bounds the errors of its rounding (`steps`).
    """
    _, (unit,) = units_of("convert", (source,), destination, ())
    zero_point = destination.zero_point
    largest = max(abs(end - zero_point) for end in storage_range(destination))
    most = 0.5 - ROUNDING * (3 + 3 * largest)
    with np.errstate(over="ignore", invalid="ignore"):
        difference = np.multiply(before.reshape(-1), unit, dtype=np.float64)
        stored = after.reshape(-1)
        difference -= stored.astype(np.float64) - zero_point if zero_point else stored
        np.abs(difference, out=difference)
        return np.flatnonzero(~(difference < most))


def relocate(judgements: Iterator[Judgement], at: Array) -> Iterator[Judgement]:
    """Yield judgements of the elements at these ascending positions as judgements of all elements."""
    for each in judgements:
        exact = lambda k, each=each: each.exact(int(np.searchsorted(at, k)))
        yield each._replace(at=at[each.at], exact=exact)
