"""Known mistakes of implementations: the oracle with one rule changed.

Each gives the answer of a wrong implementation on a case, so that arguments can be chosen that reveal it, and
a wrong answer can be named. Mistakes known from StableHLO's passes, ONNX or XLA say so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction
from math import floor, isfinite, isnan, trunc
from typing import Any
from unittest.mock import patch

from cases.block_mistakes import BLOCKS
from spec.elements import ELEMENT_TYPES, integer
from spec.formats import round_to
from spec.meaning import integer_arithmetic, integers, notation, reduction
from spec.meaning.index import Tensor, build
from spec.meaning.numbers import add, divide, maximum, minimum, multiply, rne
from spec.quantized import QuantizedType, storage_range
from spec.types import TensorType

Changed = Callable[[], AbstractContextManager[Any]]
F32 = ELEMENT_TYPES["f32"]
dequantize, quantize_element, convert, fold = (
    notation.dequantize,
    notation.quantize_element,
    notation.to_destination_type,
    notation.fold,
)


def quantizing(function: Callable[..., int]) -> Changed:
    return lambda: patch.object(notation, "quantize_element", function)


def dequantizing(stored: Callable[[int, QuantizedType], int]) -> Changed:
    """Read stored elements in another way before they are dequantized."""

    def changed(x: Tensor) -> Tensor:
        element = notation.quantized_element_type(x.type)
        return dequantize(Tensor(x.type, tuple(stored(q, element) for q in x.elements)))

    return lambda: patch.object(notation, "dequantize", changed)


def converting(function: Callable[..., Tensor]) -> Changed:
    return lambda: patch.object(integer_arithmetic, "to_destination_type", function)


def folding(function: Callable[..., Any]) -> Changed:
    """Put `function(body, leaves, present, schedule, seeded)` in place of `fold`, except for `select`."""

    def changed(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool, _: Any = None) -> Any:
        return (function if seeded else fold)(body, leaves, present, schedule, seeded)

    return lambda: patch.object(reduction, "fold", changed)


def scaled(x: float, type: QuantizedType, scale: float) -> float:
    return divide(x, scale, type.expressed_type)


def clamped(value: float, type: QuantizedType) -> int:
    return (
        type.storage_max
        if value == float("inf")
        else min(max(rne(value), type.storage_min), type.storage_max)
    )


def zero_point_last(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
    a = scaled(x, type, scale)
    return clamped(rne(a) + zero_point, type) if isfinite(a) else quantize_element(x, type, scale, zero_point)


def rounded(to_integer: Callable[[Fraction], int]) -> Callable[..., int]:
    def changed(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
        b = add(scaled(x, type, scale), float(zero_point), type.expressed_type)
        return (
            clamped(to_integer(Fraction(b)), type)
            if isfinite(b)
            else quantize_element(x, type, scale, zero_point)
        )

    return changed


def away(x: Fraction) -> int:
    return floor(abs(x) + Fraction(1, 2)) * (1 if x >= 0 else -1)


def unlimited(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
    """Clamp to the range of the storage type, not to storage_min and storage_max."""
    low, high = storage_range(type.storage_type)
    b = add(scaled(x, type, scale), float(zero_point), type.expressed_type)
    if not isfinite(b):
        return quantize_element(x, type, scale, zero_point)
    return min(max(rne(b), low), high)


def wrapped(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
    b = add(scaled(x, type, scale), float(zero_point), type.expressed_type)
    if not isfinite(b):
        return quantize_element(x, type, scale, zero_point)
    return integers.wrap(rne(b), type.storage_type)


def rounded_bound_wraps(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
    """Convert storage_max to 2147483648.0 and back to i32: the least integer, as on x86."""
    b = add(scaled(x, type, scale), float(zero_point), type.expressed_type)
    T = type.expressed_type
    low, high = round_to(type.storage_min, T), round_to(type.storage_max, T)
    value = minimum(maximum(low, b, T), high, T)
    return (
        integers.wrap(rne(value), type.storage_type)
        if isfinite(value)
        else quantize_element(x, type, scale, 0)
    )


def reciprocal(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
    T = type.expressed_type
    b = add(multiply(x, divide(1.0, scale, T), T), float(zero_point), T)
    return clamped(b, type) if isfinite(b) else quantize_element(x, type, scale, zero_point)


def nan_to_zero_point(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
    return zero_point if isnan(x) else quantize_element(x, type, scale, zero_point)


def nan_to_storage_min(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
    return type.storage_min if isnan(x) else quantize_element(x, type, scale, zero_point)


def signed(q: int, type: QuantizedType) -> int:
    return integers.wrap(q, integer(type.storage_type.bits, True))


@contextmanager
def unsigned_read_as_signed() -> Iterator[None]:
    """Read the stored bits as signed, and saturate at the largest signed number."""

    def changed(x: float, type: QuantizedType, scale: float, zero_point: int) -> int:
        return min(
            quantize_element(x, type, scale, zero_point), integer(type.storage_type.bits, True).max_value
        )

    with quantizing(changed)(), dequantizing(signed)():
        yield


def wrapping_subtraction(q: int, type: QuantizedType) -> int:
    return integers.wrap(q - type.zero_point, type.storage_type) + type.zero_point


def as_stored(x: Tensor, E: Any) -> Tensor:
    """Convert nothing: take the stored integers for those of the body's type."""
    if not isinstance(E, QuantizedType):
        return convert(x, E)
    return Tensor(TensorType(x.type.shape, E), tuple(integers.wrap(q, E.storage_type) for q in x.elements))


def init_as_stored(x: Tensor, E: Any) -> Tensor:
    return as_stored(x, E) if x.type.rank == 0 else convert(x, E)


def inputs_only_rescaled(x: Tensor, E: Any) -> Tensor:
    """Convert as if the zero points were 0."""
    if not isinstance(E, QuantizedType) or x.type.element_type == E:
        return convert(x, E)
    source = notation.quantized_element_type(x.type)
    ratio = Fraction(source.scale) / Fraction(E.scale)
    return build(TensorType(x.type.shape, E), lambda i: clamped(rne(x[i] * ratio), E))


def merged(x: Tensor, E: Any) -> Tensor:
    """Convert by one scale, s1 / s2, and one offset, z2 - z1 * s1 / s2, all in f32."""
    if not isinstance(E, QuantizedType) or x.type.element_type == E:
        return convert(x, E)
    source = notation.quantized_element_type(x.type)
    scale = divide(round_to(source.scale, F32), round_to(E.scale, F32), F32)
    offset = add(float(E.zero_point), -multiply(float(source.zero_point), scale, F32), F32)
    return build(
        TensorType(x.type.shape, E), lambda i: clamped(add(multiply(float(x[i]), scale, F32), offset, F32), E)
    )


def numbers_of(leaves: Sequence[Any]) -> list[Fraction]:
    return [
        Fraction(notation.dequantize(leaf[0]).item) if leaf[0].type.is_quantized else Fraction(leaf[0].item)
        for leaf in leaves
    ]


def once(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
    """Sum the leaves exactly, and put the sum into the accumulator once at the end."""
    leaves = [leaf for leaf, here in zip(leaves, present, strict=True) if here]
    total, type = sum(numbers_of(leaves)), leaves[0][0].type
    if not type.is_quantized:
        return (Tensor(type, (round_to(total, type.element_type),)),)
    E = type.element_type
    exact = total / Fraction(round_to(E.scale, E.expressed_type)) + E.zero_point
    return (Tensor(type, (clamped(rne(exact), E),)),)


def in_integers(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
    """Add stored integers, a + b - zero_point; at 32 bits that wraps."""

    def changed(a: Tensor, b: Tensor) -> Any:
        E = notation.quantized_element_type(a.type)
        total = a.item + b.item - E.zero_point
        wide = E.storage_type.bits == 32
        return (Tensor(a.type, (integers.wrap(total, E.storage_type) if wide else clamped(total, E),)),)

    return fold(changed, leaves, present, schedule, seeded)


def saturating(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
    def changed(a: Tensor, b: Tensor) -> Any:
        E = a.type.storage_type
        return (Tensor(a.type, (min(max(a.item + b.item, E.min_value), E.max_value),)),)

    return fold(changed, leaves, present, schedule, seeded)


def of_stored(choose: Callable[..., Any]) -> Callable[..., Any]:
    """Take the maximum or minimum of the stored integers, without requantizing."""

    def changed(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
        kept = [leaf for leaf, here in zip(leaves, present, strict=True) if here]
        return choose(kept, key=lambda leaf: leaf[0].item)

    return changed


@contextmanager
def in_the_inputs_type() -> Iterator[None]:
    """Round or wrap every step to the type that leaves have before conversion."""
    narrow: list[Any] = []

    def noted(x: Tensor, E: Any) -> Tensor:
        narrow.append(x.type.element_type)
        return convert(x, E)

    def narrowed(x: Tensor) -> Tensor:
        T = narrow[0]
        if isinstance(T, QuantizedType) or T.kind not in ("signed", "unsigned", "float"):
            return x
        return Tensor(x.type, (round_to(x.item, T) if T.kind == "float" else integers.wrap(x.item, T),))

    def changed(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
        return fold(lambda *x: tuple(map(narrowed, body(*x))), leaves, present, schedule, seeded)

    with converting(noted)(), folding(changed)():
        yield


def descending(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
    return fold(body, [leaves[0], *leaves[:0:-1]], [present[0], *present[:0:-1]], schedule, seeded)


def swapped(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
    n = len(leaves[0])
    return fold(lambda *x: body(*x[n:], *x[:n]), leaves, present, schedule, seeded)


def last_only(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
    """Overwrite: of the values scattered to one place only the last remains."""
    last = max(i for i, here in enumerate(present) if here)
    kept = [here and i in (0, last) for i, here in enumerate(present)]
    return fold(body, leaves, kept, schedule, seeded)


def no_padding(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
    """Leave padding and holes out of the window."""
    kept = [
        here and (i == 0 or leaf is not leaves[0])
        for i, (leaf, here) in enumerate(zip(leaves, present, strict=True))
    ]
    return fold(body, leaves, kept, schedule, seeded)


def zero_padding(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
    """Take padding and holes for stored zeros, not for the init value."""
    init = leaves[0]
    zero = tuple(Tensor(x.type, (type(x.item)(0),)) for x in init)
    replaced = [zero if i and leaf is init else leaf for i, leaf in enumerate(leaves)]
    return fold(body, replaced, present, schedule, seeded)


def placed(arrange: Callable[[Sequence[Any]], list[Any]]) -> Changed:
    """Put the init at other places, or there several times: the specification allows that."""

    def changed(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
        return fold(body, arrange(leaves), arrange(present), schedule, False)

    return folding(changed)


def interspersed(body: Any, leaves: Any, present: Any, schedule: Any, seeded: bool) -> Any:
    """Fold init . (init . x0) . (init . x1) ..., as StableHLO's interpreter scatters."""
    nodes, here = [leaves[0]], [True]
    for leaf, exists in zip(leaves[1:], present[1:], strict=True):
        nodes, here = [*nodes, leaves[0], leaf], [*here, exists, exists]
    return fold(body, nodes, here, schedule, False)


INITS: dict[str, Changed] = {
    "init value last": placed(lambda x: [*x[1:], x[0]]),
    "init value twice": placed(lambda x: [x[0], *x]),
    "init value before every element": folding(interspersed),
    "init value first and last": placed(lambda x: [*x, x[0]]),
}

MISTAKES: dict[str, Changed] = {
    "zero point added after rounding, as ONNX": quantizing(zero_point_last),
    "ties rounded away from zero": quantizing(rounded(away)),
    "rounded toward zero": quantizing(rounded(trunc)),
    "rounded down": quantizing(rounded(floor)),
    "storage_min and storage_max ignored, as StableHLO's passes at 32 bits": quantizing(unlimited),
    "wrapped instead of saturated": quantizing(wrapped),
    "the rounded bound converted back with overflow, as x86": quantizing(rounded_bound_wraps),
    "multiplied by the reciprocal of the scale": quantizing(reciprocal),
    "NaN quantized to the zero point": quantizing(nan_to_zero_point),
    "NaN quantized to storage_min": quantizing(nan_to_storage_min),
    "unsigned storage read as signed, as StableHLO's passes": dequantizing(signed),
    "unsigned storage read and saturated as signed": unsigned_read_as_signed,
    "zero point subtracted in the storage type, the literal text": dequantizing(wrapping_subtraction),
    "stored integers not converted to the body's type, as StableHLO's passes": converting(as_stored),
    "init value not converted": converting(init_as_stored),
    "converted without zero points": converting(inputs_only_rescaled),
    "converted with one merged scale, as StableHLO's passes": converting(merged),
    "accumulated exactly and stored once": folding(once),
    "accumulated in integers, which wrap at 32 bits, as StableHLO's passes": folding(in_integers),
    "accumulated in the inputs' type": in_the_inputs_type,
    "saturated instead of wrapped": folding(saturating),
    "largest stored integer, not requantized": folding(of_stored(max)),
    "least stored integer, not requantized": folding(of_stored(min)),
    "elements in descending order": folding(descending),
    "operands of the body swapped": folding(swapped),
    "scattered values overwrite each other": folding(last_only),
    "padding left out, as XLA": folding(no_padding),
    "padding with stored zeros": folding(zero_padding),
    **BLOCKS,
}
