"""SOFTMAX and LOG_SOFTMAX: of integers in fixed point, by tables of exponentials and plain integers.

Of 8 bits: exponentials in Q0.31, their sum in Q12.19, its reciprocal by three Newton steps. Of 16 bits:
tables of 513 numbers, between which the kernel interpolates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from interp.apps.litert import fixed_point as fixed
from interp.apps.litert import gemmlowp
from interp.apps.litert.gemmlowp import divide, exponential
from interp.apps.litert.node import F32, I32, I64, Build, Node
from interp.backends import NUMPY
from interp.engine.recipes import alone
from interp.engine.recipes import doubly_rounded as double
from interp.loading.build import Folds
from spec.ir import Value
from spec.types import TensorType

Array = np.ndarray
SUM_LIMIT = 512  # from which on LiteRT aborts
STEEPEST = 1 << 30  # a multiplier from which on only the largest elements of a row count


def softmax(n: Node) -> Value:
    if n.tensor(0).element == F32:
        return softmax_of_floats(n)
    bits = n.quantized_type(0).storage_type.bits, n.result().storage_type.bits
    if bits[0] == 8:
        return softmax_8(n, bits[1])
    if bits == (16, 16):
        return softmax_16(n)
    raise n.unsupported_error(
        f"{n.type(0)!r} to {n.out().type!r}", "expected 16 bits in both, or 8 bits first"
    )


def softmax_of_floats(n: Node) -> Value:
    """Return exp(x - maximum) / sum, each element divided by the sum."""
    b, x = n.b, n.value(0)
    last, beta = x.type.rank - 1, np.float32(n.option("beta"))
    lowest = b.full(-np.inf, TensorType((), F32))
    difference = b.binary("subtract", x, keep(b, b.reduce(x, lowest, "maximum", [last]), x))
    powers = b.unary("exponential", b.binary_scalar("multiply", difference, float(beta)))
    total = b.reduce(powers, b.full(0.0, TensorType((), F32)), "add", [last])
    return b.binary("divide", powers, keep(b, total, x))


def keep(b: Folds, row: Value, x: Value) -> Value:
    """Return a number for each row of x, for all elements of the row."""
    return b.place(row, x.type.shape, range(x.type.rank - 1))


def distance(n: Node) -> Value:
    """Return how far each element is below the largest of its row, as i32."""
    b, x = n.b, n.b.convert(n.storage(0), I32)
    least = b.full(I32.min_value, TensorType((), I32))
    top = b.reduce(x, least, "maximum", [x.type.rank - 1])
    return b.binary("subtract", keep(b, top, x), x)


def look_up(n: Node, table: Array, places: Value) -> Value:
    return n.b.gather(n.b.array(np.asarray(table, np.int32), I32), places, 0)


class Exponentials(NamedTuple):
    """The distances of 8 bits that count, scaled to Q5.26, and exponentials of these in Q0.31."""

    least: int
    scaled: Array
    powers: Array
    pair: tuple[int, int]


def exponentials(n: Node, beta: float) -> Exponentials:
    """Return a table of `exp(-beta * scale * k)` for all distances k of 8 bits."""
    real = min(beta * n.quantized_type(0).scale * (1 << 26), 2.0**31 - 1)
    pair = fixed.quantize_multiplier(n, min(real, float(STEEPEST - 1)))
    least = -int(np.floor(31 * (1 << 26) / 2.0 ** pair[1])) if pair[1] > 0 else -255
    least = 0 if real >= STEEPEST else least
    differences = -np.arange(256, dtype=np.int64)
    scaled = double(NUMPY, np.maximum(differences, least), alone(pair))
    return Exponentials(least, scaled, np.where(differences >= least, exponential(scaled), 0), pair)


def softmax_8(n: Node, bits: int) -> Value:
    """Return the softmax of 8 bits in units of 2^-bits."""
    b, type = n.b, n.result()
    powers = exponentials(n, float(np.float32(n.option("beta")))).powers
    away = distance(n)
    shown = look_up(n, powers, away)
    parts = look_up(n, divide(powers, gemmlowp.SUM_BITS), away)
    scale, more = gemmlowp.reciprocal(b, add_up(n, parts))
    product = fixed.high_product(b, keep(b, scale, shown), shown)
    exponent = b.binary_scalar("add", keep(b, more, shown), 31 - bits)
    if shown.type.shape[-1] * 2 >= SUM_LIMIT:  # exponents of 31 and more
        product, exponent = b.convert(product, I64), b.convert(exponent, I64)
    quotient = b.convert(fixed.divide_by_power(b, product, exponent), I32)
    point = type.storage_type.min_value
    return fixed.store(b, b.binary_scalar("add", quotient, point - type.zero_point), type)


def add_up(n: Node, parts: Value) -> Value:
    """Return the sums of rows in Q12.19, in i32; of those beyond the largest, all results are 0, too."""
    b, last = n.b, parts.type.rank - 1
    count = parts.type.shape[last]
    if count < SUM_LIMIT:
        return b.reduce(parts, b.full(0, TensorType((), I32)), "add", [last])
    total = b.reduce(b.convert(parts, I64), b.full(0, TensorType((), I64)), "add", [last])
    fraction = 31 - gemmlowp.SUM_BITS
    fault = f"LiteRT stops where the sum of exponentials reaches {SUM_LIMIT}, in units of 2^-{fraction}"
    limit = b.broadcast(b.full(SUM_LIMIT << fraction, I64), total.type.shape)
    n.compare_at_fault(fault, "GE", total, limit)
    return b.convert(b.binary_scalar("minimum", total, I32.max_value), I32)


# 16 bits


def table_of(function: Callable[[Array], Array], low: float, high: float, steps: float, kind: type) -> Array:
    """Return 513 numbers of i16, in some steps to 1, with the kernel's correction at each interval's middle.

    kind: the floats of the kernel. The function is of arrays of these. Where it is infinite, a number may be
    NaN, which processors store as 0.
    """
    step = (kind(high) - kind(low)) / kind(512)
    places = kind(low) + np.arange(513, dtype=kind) * step
    values = function(places).astype(kind) * kind(steps)
    middles = fixed.half_away(function(places[:512] + step / kind(2)).astype(kind) * kind(steps))
    samples = fixed.half_away(values[:512])
    between = fixed.half_away((values[1:] + samples) / kind(2))
    last = fixed.half_away(function(np.asarray([high], kind)).astype(kind) * kind(steps))
    corrected = samples - fixed.half_away((between - middles) / kind(2))
    return np.nan_to_num(np.clip(np.append(corrected, last), -32768, 32767), nan=0).astype(np.int64)


def look_up_16(x: Array, table: Array) -> Array:
    """Return a function of i16 between the numbers of its table; a slope and the result have 16 bits, too."""
    place = 256 + (x >> 7)
    low, slope = table[place], wrap16(table[np.minimum(place + 1, 512)] - table[place])
    return wrap16(low + ((slope * (x & 0x7F) + (1 << 6)) >> 7))


def wrap16(x: Array) -> Array:
    return (x + (1 << 15)) % (1 << 16) - (1 << 15)


def softmax_16(n: Node) -> Value:
    b, type = n.b, n.result()
    beta = float(np.float32(n.option("beta")))
    pair = fixed.quantize_multiplier(n, n.quantized_type(0).scale * beta / (10.0 / 65535.0))
    differences = -np.arange(65536, dtype=np.int64)
    scaled = double(NUMPY, differences, alone(pair))
    symmetric = np.clip(scaled + 32767, -32768, 32767)
    powers = look_up_16(symmetric, table_of(np.exp, -10.0, 0.0, 32768.0, np.float64))
    inverse = look_up_16(
        np.arange(-32768, 32768), table_of(lambda x: 1 / (1 + x), 0.0, 1.0, 32768.0, np.float64)
    )
    shown = look_up(n, powers, distance(n))
    total = b.reduce(shown, b.full(0, TensorType((), I32)), "add", [shown.type.rank - 1])
    zeros = b.unary("count_leading_zeros", total)
    # the sum, less 1, with its highest bit at 2^14
    shift = b.binary_scalar("add", zeros, -15)
    left = b.binary("shift_left", total, b.clamp(0, shift, 31))
    right = b.clamp(0, b.unary("negate", shift), 31)
    half = b.binary("shift_right_logical", b.binary("shift_left", b.full(1, I32), right), b.full(1, I32))
    rounded = b.binary("shift_right_arithmetic", b.binary("add", total, half), right)
    moved = b.select(b.compare("GE", shift, b.full(0, I32)), left, rounded)
    place = b.clamp(-32768, b.binary_scalar("add", moved, -(1 << 16) - (1 << 15)), 32767)
    scale = look_up(n, inverse, b.binary_scalar("add", place, 32768))
    product = b.binary("multiply", shown, keep(b, scale, shown))
    exponent = b.binary("subtract", b.full(31, I32), keep(b, zeros, shown))
    bit = b.binary("shift_left", b.full(1, I32), b.binary_scalar("add", exponent, -1))
    quotient = b.binary("shift_right_arithmetic", b.binary("add", product, bit), exponent)
    return fixed.store(b, b.clamp(0, quotient, 32767), type)


def log_softmax(n: Node) -> Value:
    if n.tensor(0).element == F32:
        return log_softmax_of_floats(n)
    b, type, source = n.b, n.result(), n.quantized_type(0)
    if source.storage_type.name != "i8" or (type.scale, type.zero_point) != (1 / 16, 127):
        raise n.unsupported_error(f"{n.type(0)!r} to {n.out().type!r}", "expected i8, to i8 of 1/16 and 127")
    if n.type(0).shape[-1] >= 1 << gemmlowp.SUM_BITS:
        raise n.unsupported_error(f"rows of {n.type(0).shape[-1]}", "expected fewer than 4096 elements")
    known, away = exponentials(n, 1.0), distance(n)
    parts = look_up(n, divide(known.powers, gemmlowp.SUM_BITS), away)
    zero = b.full(0, TensorType((), I32))
    log = gemmlowp.logarithm(b, b.reduce(parts, zero, "add", [away.type.rank - 1]))
    multiplier, shift = known.pair
    inverse = fixed.quantize_multiplier(n, (1 << (31 - shift)) / multiplier)
    furthest = fixed.doubly_rounded(b, b.binary_scalar("add", log, I32.min_value), inverse)
    furthest = b.binary_scalar("maximum", furthest, known.least - 1)
    difference = b.binary("subtract", look_up(n, known.scaled, away), keep(b, log, away))
    stored = b.clamp(-128, b.binary_scalar("add", fixed.divide_by_power(b, difference, 22), 127), 127)
    is_near = b.compare("GT", b.unary("negate", away), keep(b, furthest, away))
    stored = b.select(is_near, stored, b.full(-128, I32))
    return b.bitcast(b.convert(stored, type.storage_type), type)


def log_softmax_of_floats(n: Node) -> Value:
    b, x = n.b, n.value(0)
    last = x.type.rank - 1
    lowest = b.full(-np.inf, TensorType((), F32))
    difference = b.binary("subtract", x, keep(b, b.reduce(x, lowest, "maximum", [last]), x))
    total = b.reduce(b.unary("exponential", difference), b.full(0.0, TensorType((), F32)), "add", [last])
    return b.binary("subtract", difference, keep(b, b.unary("log", total), x))


TABLE: dict[str, Build] = {"LOG_SOFTMAX": log_softmax, "SOFTMAX": softmax}
