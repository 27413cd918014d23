"""What is noteworthy about an operation's result: pure functions of its operands and result (carriers)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from interp.namespace import NUMPY
from interp.ops import contraction, conversion, elementwise
from interp.quant import dequantize, spread
from interp.tracing.exact import FORMULAS, Array, Number, Type, fractions, rounding_error, steps
from spec.ir import Op
from spec.types import ElementType, QuantizedType

WATCHED = {*elementwise.KERNELS, *conversion.KERNELS} - {"stablehlo.bitcast_convert", "quant.scast"}
DEQUANTIZING = {*WATCHED, *contraction.KERNELS}
_SHIFTS = {"shift_left", "shift_right_arithmetic", "shift_right_logical"}
_WRAPPING = {"abs", "add", "convert", "divide", "multiply", "negate", "power", "subtract"}
_ROUNDED = {"add", "multiply", "subtract"}


class Judgement(NamedTuple):
    """One kind of event at the positions of `mask`, the worst where `severity` is largest.

    `exact` gives the exact value at a flat position, where there is one.
    """

    kind: str
    mask: Array
    severity: Array
    exact: Callable[[int], Number | None]


def of_op(op: Op, operands: Sequence[Array], result: Array, rounding: bool) -> Iterator[Judgement]:
    """Everything about one operation; the rounding of a plain float operation only on request."""
    types = [value.type.element_type for value in op.operands]
    if op.name in DEQUANTIZING:
        for x, type in zip(operands, types, strict=True):
            yield from _literal_reading(x, type, result.shape)
    if op.name not in WATCHED:
        return
    name, element = _formula(op), op.result.type.element_type
    if isinstance(element, QuantizedType):
        yield from _quantized(op, name, types, operands, element, result)
    elif element.is_integer:
        yield from _integer(name, types, operands, element, result)
    elif element.kind in ("float", "complex"):
        yield from _float(name, types, operands, result)
        if rounding and element.kind == "float" and name in _ROUNDED:
            yield from _float_rounding(name, operands[0], operands[1], result)


def _formula(op: Op) -> str:
    """The operation's name in `FORMULAS`: every change of type is a `convert`."""
    return "convert" if op.name in conversion.KERNELS else op.name.removeprefix("stablehlo.")


def of_conversion(
    source: Type, destination: Type, before: Array, after: Array, lossless: bool
) -> Iterator[Judgement]:
    """A conversion that a reduction made; `lossless`: any change of value counts, as of a leaf."""
    if source == destination:
        return
    yield from _literal_reading(before, source, before.shape)
    if isinstance(destination, QuantizedType):
        s = steps("convert", [source], destination, [before], after)
        wrong = s.misrounded()
        saturated = wrong & s.saturated()
        yield Judgement("saturate", saturated, np.abs(s.difference), s.value)
        nan = np.isnan(s.difference)
        yield Judgement("nan", nan, nan, no_value)
        rest = s.changed() if lossless else wrong
        kind = "lossy_convert" if lossless else "inexact"
        yield Judgement(kind, rest & ~saturated & ~nan, np.abs(s.difference), s.value)
    elif isinstance(destination, ElementType) and destination.is_integer:
        yield from _integer("convert", [source], [before], destination, after)
    elif isinstance(source, ElementType) and source.kind == destination.kind == "float":
        yield from _float("convert", [source], [before], after)
        if lossless:
            lost = (before != after) & np.isfinite(after)
            wide = before.astype(np.float64)
            yield Judgement("lossy_convert", lost, np.abs(wide - after), lambda at: float(wide.flat[at]))


def of_sum(element: ElementType, a: Array, b: Array, total: Array, rounding: bool) -> Iterator[Judgement]:
    """One addition of a contraction's fold."""
    if element.is_integer:
        yield from _integer("add", [element, element], (a, b), element, total)
    elif element.kind in ("float", "complex"):
        yield from _float("add", [element, element], (a, b), total)
    if rounding and element.kind == "float":
        yield from _float_rounding("add", a, b, total)


def _float_rounding(name: str, a: Array, b: Array, result: Array) -> Iterator[Judgement]:
    """`inexact` for one float operation."""
    error = rounding_error(name, a, b, result)
    mask = (error != 0) & np.isfinite(a) & np.isfinite(b)
    yield Judgement(
        "inexact", mask, np.nan_to_num(np.abs(error), nan=np.inf), _exactly(name, (a, b), result.shape)
    )


def _quantized(
    op: Op, name: str, types: list[Type], operands: Sequence[Array], element: QuantizedType, result: Array
) -> Iterator[Judgement]:
    """Saturation; what else differs from exact arithmetic came through lost digits, infinity or NaN."""
    known = name in FORMULAS
    if known:
        s = steps(name, types, element, operands, result)
    else:
        expressed = _expressed(op, name, types, operands, element)
        s = steps("convert", [element.expressed_type], element, [expressed], result)
    wrong = s.misrounded()
    if not wrong.any():
        return
    saturated = wrong & s.saturated()
    yield Judgement("saturate", saturated, np.abs(s.difference), s.value)
    rest = wrong & ~saturated
    if rest.any():
        expressed = np.broadcast_to(_expressed(op, name, types, operands, element), result.shape)
        nan, inf = rest & np.isnan(expressed), rest & np.isinf(expressed)
        yield Judgement("nan", nan, nan, no_value)
        yield Judgement("inf", inf, np.abs(s.difference), s.value)
        yield Judgement("inexact", rest & np.isfinite(s.difference) & known, np.abs(s.difference), s.value)


def _expressed(
    op: Op, name: str, types: list[Type], operands: Sequence[Array], element: QuantizedType
) -> Array:
    """The float value that was quantized to give the result."""
    values = [
        dequantize(NUMPY, x, t) if isinstance(t, QuantizedType) else x
        for x, t in zip(operands, types, strict=True)
    ]
    if name == "convert":
        return values[0]
    plain = [t.expressed_type if isinstance(t, QuantizedType) else t for t in types]
    return elementwise.apply(NUMPY, op, plain, element.expressed_type, values)


def _integer(
    name: str, types: list[Type], operands: Sequence[Array], element: ElementType, result: Array
) -> Iterator[Judgement]:
    """What the specification leaves open: wrap, division by zero, wide shifts, floats out of range."""
    if name in _SHIFTS:
        amount = np.broadcast_to(operands[1], result.shape)
        beyond = (amount < 0) | (amount >= element.bits)
        yield Judgement("unspecified", beyond, beyond, no_value)
    if name in ("divide", "remainder"):
        zero = np.broadcast_to(operands[1] == 0, result.shape)
        yield Judgement("unspecified", zero, zero, no_value)
        operands = [operands[0], np.where(operands[1] == 0, 1, operands[1])]
        result = np.where(zero, operands[0], result)
    if name == "convert" and isinstance(types[0], ElementType) and types[0].kind == "float":
        x = operands[0].astype(np.float64)
        nan = np.isnan(x)
        beyond = (x >= float(element.max_value + 1)) | (x <= float(element.min_value - 1))
        yield Judgement("nan", nan, nan, no_value)
        yield Judgement("saturate", beyond, np.abs(x), lambda at: float(x.flat[at]))
    elif name in _WRAPPING:
        formula = np.power if name == "power" else FORMULAS[name]
        exact = formula(*(x.astype(np.float64) for x in operands))
        error = np.abs(exact - result.astype(np.float64))
        wrapped = error >= 2.0 ** (element.bits - 1)
        yield Judgement("wrap", wrapped, error, _exactly(name, operands, result.shape))


def _float(name: str, types: list[Type], operands: Sequence[Array], result: Array) -> Iterator[Judgement]:
    """NaN and infinities that no operand brought in."""
    if np.isfinite(result).all():
        return
    floats = [x for x, type in zip(operands, types, strict=True) if x.dtype.kind in "fc"]
    bad = [np.broadcast_to(~np.isfinite(x), result.shape) for x in floats]
    finite = ~np.logical_or.reduce(bad) if bad else np.ones(result.shape, bool)
    old_nan = (
        np.logical_or.reduce([np.broadcast_to(np.isnan(x), result.shape) for x in floats]) if bad else ~finite
    )
    nan, inf = np.isnan(result) & ~old_nan, np.isinf(result) & finite
    yield Judgement("nan", nan, nan, no_value)
    yield Judgement("inf", inf, inf, _exactly(name, operands, result.shape))


def _literal_reading(x: Array, type: Type, shape: tuple[int, ...]) -> Iterator[Judgement]:
    """Erratum E1: read literally, `q - zero_point` wraps in the storage type."""
    if not isinstance(type, QuantizedType):
        return
    storage = type.storage_type
    difference = x.astype(np.int64) - spread(NUMPY, type.zero_points, np.int64, type, x.shape)
    wraps = (difference < storage.min_value) | (difference > storage.max_value)
    if wraps.any():
        wraps, difference = np.broadcast_to(wraps, shape), np.broadcast_to(difference, shape)
        yield Judgement("erratum", wraps, np.abs(difference), lambda at: int(difference.flat[at]))


def _exactly(name: str, operands: Sequence[Array], shape: tuple[int, ...]) -> Callable[[int], Number | None]:
    """The exact value of a plain operation at a flat position; None where it has none or is absurdly long."""

    def value(at: int) -> Number | None:
        picked = [np.broadcast_to(x, shape).flat[at] for x in operands]
        if name not in FORMULAS or not np.isfinite(np.asarray(picked, complex)).all():
            return None
        exact: Any = fractions(np.asarray([x.item() for x in picked], object))
        return None if name == "divide" and exact[1] == 0 else FORMULAS[name](*exact)

    return value


def no_value(at: int) -> None:
    return None
