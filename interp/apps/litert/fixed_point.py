"""Fixed-point arithmetic of LiteRT's kernels: multipliers, requantization, and plain integers.

`D` of docs/litert.md is `doubly_rounded` below, on values of a program; `R` is `narrow`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import frexp

import numpy as np

from interp.apps.litert.node import F32, F64, I32, I64, Node
from interp.engine.recipes import normalize
from interp.loading.build import Folds
from spec.faults import NAME as NAME_OF_FAULT
from spec.ir import Value
from spec.multipliers import NAME, Multipliers
from spec.types import QuantizedType, TensorType

HALF = 1 << 30
RECTIFIERS = ("RELU", "RELU6", "RELU_N1_TO_1", "RELU_0_TO_1")
HIGHEST = 30  # the largest shift to the left


def quantize_multiplier(n: Node, real: float) -> tuple[int, int]:
    """Return LiteRT's multiplier of 31 bits and shift of a number; those below 2^-32 become 0."""
    if real == 0 or frexp(real)[1] < -40:
        return 0, 0
    multiplier, shift = normalize(abs(real), 31)
    if shift > HIGHEST:
        raise n.unsupported_error(f"a multiplier of {real!r}", "expected less than 2^30")
    multiplier = -multiplier if real < 0 else multiplier
    return (multiplier, shift) if shift >= -31 else (0, 0)


def nearest_power(scale: float) -> int | None:
    """Return the exponent of the power of two that LiteRT takes a scale for, or None if none is near."""
    exponent = float(np.log2(np.float32(scale), dtype=np.float32))
    nearest = round(exponent)
    return nearest if abs(exponent - nearest) < 1e-3 else None


def ratio(*scales: float) -> float:
    """Return `s_l * s_r / s_y`, or `s_x / s_y`, every step in f64."""
    *sources, target = map(float, scales)
    return float(np.prod(np.asarray(sources, np.float64)) / target)


def ratios(scale: float, scales: Sequence[float], target: float) -> list[float]:
    """Return `s_l * s_r / s_y` for each s_r, every step in f64."""
    found: list[float] = (np.float64(scale) * np.asarray(scales, np.float64) / np.float64(target)).tolist()
    return found


def ratio32(*scales: float) -> float:
    """Return `s_l * s_r / s_y`, every step in f32."""
    *sources, target = map(np.float32, scales)
    return float(np.prod(np.asarray(sources, np.float32), dtype=np.float32) / target)


def multipliers_of(n: Node, reals: Sequence[float], axis: int | None) -> Multipliers:
    """Return the multipliers that LiteRT rounds products with twice."""
    pairs = [quantize_multiplier(n, real) for real in reals]
    place = axis if len(pairs) > 1 else None
    return Multipliers(tuple(m for m, _ in pairs), tuple(s for _, s in pairs), "double", place)


def in_f64(reals: Sequence[float], axis: int | None) -> Multipliers:
    """Return multipliers that are numbers of f64, as FULLY_CONNECTED has them."""
    pairs = [frexp(real) for real in reals]
    factors, shifts = tuple(int(m * 2**53) for m, _ in pairs), tuple(e - 22 for _, e in pairs)
    return Multipliers(factors, shifts, "f64", axis if len(pairs) > 1 else None)


def requantize(b: Folds, x: Value, type: QuantizedType, by: Multipliers) -> Value:
    """Return the integers `q - zero_point` of x times the multipliers, stored in another type."""
    result = TensorType(x.type.shape, type)
    return b.emit("uniform_quantize", [x], result, (), **{NAME: by.attribute})


# On plain integers


def doubly_rounded(b: Folds, x: Value, pair: tuple[int, int]) -> Value:
    """Return x times a multiplier, rounded twice; x and the result are of i32."""
    multiplier, shift = pair
    left = b.binary_scalar("multiply", x, 1 << shift) if shift > 0 else x
    high = high_product(b, left, b.full(multiplier, I32))
    return divide_by_power(b, high, -shift) if shift < 0 else high


def high_product(b: Folds, x: Value, y: Value) -> Value:
    """Return SaturatingRoundingDoublingHighMul of values of i32, not both the least number."""
    product = b.binary("multiply", b.convert(x, I64), b.convert(y, I64))
    is_negative = b.compare("LT", product, b.full(0, I64))
    nudge = b.select(is_negative, b.full(1 - HALF, I64), b.full(HALF, I64))
    return b.convert(b.binary_scalar("divide", b.binary("add", product, nudge), 1 << 31), I32)


def divide_by_power(b: Folds, x: Value, exponent: int | Value) -> Value:
    """Return x / 2^exponent, rounded half away from zero."""
    element = x.type.tensor_element_type
    zero, one = b.full(0, element), b.full(1, element)
    if isinstance(exponent, int):
        if exponent == 0:
            return x
        exponent = b.full(exponent, element)
    mask = b.binary("subtract", b.binary("shift_left", one, exponent), one)
    rest = b.binary("and", x, mask)
    up = b.select(b.compare("LT", x, zero), one, zero)
    threshold = b.binary("add", b.binary("shift_right_arithmetic", mask, one), up)
    more = b.select(b.compare("GT", rest, threshold), one, zero)
    return b.binary("add", b.binary("shift_right_arithmetic", x, exponent), more)


def narrow(b: Folds, x: Value, pairs: Sequence[tuple[int, int]], axis: int) -> Value:
    """Return x of i64 times multipliers that are reduced to 15 bits, cut to i32."""
    factors = [(m + (1 << 15)) >> 16 if m < 0x7FFF0000 else 0x7FFF for m, _ in pairs]
    shifts = [15 - s for _, s in pairs]
    halves = [1 << (s - 1) for s in shifts]
    factor, shift, half = (along(b, numbers, x, axis) for numbers in (factors, shifts, halves))
    total = b.binary("add", b.binary("multiply", x, factor), half)
    return b.convert(b.binary("shift_right_arithmetic", total, shift), I32)


def narrow_sums(n: Node, x: Value, pairs: Sequence[tuple[int, int]], axis: int) -> Value:
    """Return sums of 64 bits times multipliers, as `narrow` does; of at most 2^7."""
    if any(shift > 7 for _, shift in pairs):
        raise n.unsupported_error("a multiplier beyond 2^7 for sums of 64 bits")
    return narrow(n.b, x, pairs, axis)


def along(b: Folds, numbers: Sequence[float], x: Value, axis: int) -> Value:
    """Return numbers of x's type, one for all or one for each index of an axis, that broadcast to x."""
    element = x.type.tensor_element_type
    if len(numbers) == 1:
        return b.full(numbers[0], element)
    return b.place(b.array(np.asarray(numbers, element.numpy), element), x.type.shape, (axis,))


def by_f64(b: Folds, x: Value, reals: Sequence[float], axis: int) -> Value:
    """Return integers times numbers of f64, rounded half away from zero, in f64."""
    wide = b.convert(x, F64)
    return b.unary("round_nearest_afz", b.binary("multiply", wide, along(b, reals, wide, axis)))


def store(b: Folds, m: Value, type: QuantizedType, ends: tuple[int, int] | None = None) -> Value:
    """Return integers `q - zero_point` as stored elements of a type, clamped."""
    low, high = ends or (type.storage_min, type.storage_max)
    q = b.binary_scalar("add", m, type.zero_point) if type.zero_point else m
    return b.bitcast(b.convert(b.clamp(low, q, high), type.storage_type), type)


def shift_left(b: Folds, x: Value, bits: int) -> Value:
    return b.binary_scalar("multiply", x, 1 << bits)


# Fused activations


def limits(name: str, type: QuantizedType) -> tuple[int, int]:
    """Return the least and the greatest stored element that an activation lets through."""
    scale, point = np.float32(type.scale), type.zero_point
    least, most = {
        "NONE": (None, None),
        "RELU": (0.0, None),
        "RELU6": (0.0, 6.0),
        "RELU_N1_TO_1": (-1.0, 1.0),
        "RELU_0_TO_1": (0.0, 1.0),
    }[name]
    stored_end = lambda real: point + int(half_away(np.float32(real) / scale))
    low = type.storage_min if least is None else max(type.storage_min, stored_end(least))
    high = type.storage_max if most is None else min(type.storage_max, stored_end(most))
    return low, high


def half_away(x: np.ndarray | np.floating) -> np.ndarray:
    """Return numbers rounded to integers, half away from zero, in their type."""
    whole = np.trunc(x)
    return np.asarray(whole + np.where(np.abs(x - whole) >= 0.5, np.sign(x), 0).astype(np.asarray(x).dtype))


def activate(n: Node, x: Value) -> Value:
    """Return the fused activation of a value, quantized or float."""
    return activate_by(n, x, n.activation)


def activate_by(n: Node, x: Value, name: str) -> Value:
    if name == "NONE":
        return x
    element = x.type.element_type
    if isinstance(element, QuantizedType):
        if name not in RECTIFIERS:
            raise n.unsupported_error(f"the activation {name} of {element!r}")
        low, high = limits(name, element)
        return x if (low, high) == (element.storage_min, element.storage_max) else n.b.clamp(low, x, high)
    if name == "TANH" and element == F32:
        fault = {NAME_OF_FAULT: f"{n.content.operator} of LiteRT leaves out its activation TANH"}
        return n.b.emit("convert", [x], x.type, (), **fault)
    if element == F32 and name == "RELU":
        return n.b.binary_scalar("maximum", x, 0.0)
    ends = {
        "RELU6": (0, 6),
        "RELU_N1_TO_1": (-1, 1),
        "RELU_0_TO_1": (0, 1),
        "RELU": (0, x.type.storage_type.max_value if element != F32 else 0),
    }
    if name not in ends:
        raise n.unsupported_error(f"the activation {name}")
    return n.b.clamp(ends[name][0], x, ends[name][1])


def tabulate(n: Node, function: Callable[[np.ndarray], np.ndarray], k: int = 0) -> Value:
    """Return an operator on each stored element of an input as a table of all its results.

    function: takes all stored numbers of the input, as int64, and returns the stored numbers of the result.
    """
    source, type = n.quantized_type(k), n.result()
    if source.storage_type.bits > 16:
        raise n.unsupported_error(f"elements of {source!r}", "expected 8 or 16 bits")
    q = np.arange(source.storage_type.min_value, source.storage_type.max_value + 1, dtype=np.int64)
    results = np.clip(function(q), type.storage_min, type.storage_max)
    table = n.b.array(results.astype(type.storage_type.numpy), type)
    places = n.b.convert(n.storage(k), I32)
    return n.b.gather(table, n.b.binary_scalar("subtract", places, int(q[0])), 0)
