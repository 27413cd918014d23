"""Scale and zero point from a range of real numbers: the formulas in use, each a row with its source.

A formula takes the least and the greatest number, and the bounds of the storage (narrow ones where it is
narrow). All compute in f64, as their sources do. They differ in whether the range is made to hold zero, how
zero points round, and what becomes of a range without a width.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from spec.errors import Malformed, one_of
from spec.quant_kinds import AnyQuantizedType
from spec.types import QuantizedType, make_quantized

Array = np.ndarray
DBL_EPSILON = 2.0**-52
# Ranges of weights and activations up to this width are widened by TensorFlow, on both sides of zero.
SMALL_RANGE = 1e-6
# The least range of ai-edge-quantizer, so that no scale is zero.
LEAST_RANGE = 1e-9
# A bias of TensorFlow takes at most half of the range of i32.
LARGEST_BIAS = (2**31 - 1) / 2


class Parameters(NamedTuple):
    """A scale and a zero point."""

    scale: float
    zero_point: int


class Formula(NamedTuple):
    """A function from `(low, high, storage_min, storage_max)` to scale and zero point, and its source."""

    parameters: Callable[[float, float, int, int], Parameters]
    source: str


def mlir(low: float, high: float, least: int, most: int) -> Parameters:
    """Return the width over the steps, and the zero point from the end that gives the smaller error.

    A range without zero keeps its width, and is moved until it has zero at one end.
    """
    if abs(high - low) < DBL_EPSILON:
        return Parameters(1.0, least)
    scale = (high - low) / (most - least)
    if math.isinf(scale):  # newer MLIR gives no type
        return Parameters(scale, least)
    errors = abs(least) + abs(low / scale), abs(most) + abs(high / scale)
    zero_point = least - low / scale if errors[0] < errors[1] else most - high / scale
    if zero_point < least:
        return Parameters(scale, least)
    return Parameters(scale, most if zero_point > most else half_away(zero_point))


def tensorflow(low: float, high: float, least: int, most: int) -> Parameters:
    """Return MLIR's parameters; a very small range is widened first."""
    if high - low <= SMALL_RANGE:
        low, high = min(low, -SMALL_RANGE / 2), max(high, SMALL_RANGE / 2)
    return mlir(low, high, least, most)


def tensorflow_weights(low: float, high: float, least: int, most: int) -> Parameters:
    """Return TensorFlow's parameters of the range `-m` to `m`, where m is the largest magnitude."""
    bound = max(abs(low), abs(high))
    return tensorflow(-bound, bound, least, most)


def tflite(low: float, high: float, least: int, most: int) -> Parameters:
    """Return MLIR's parameters of the range with zero, its ends and the scale in f32."""
    low, high = single(min(low, 0.0)), single(max(high, 0.0))
    scale, zero_point = mlir(low, high, least, most)
    return Parameters(single(scale), zero_point)


def ai_edge(low: float, high: float, least: int, most: int) -> Parameters:
    """Return the width of the range with zero over the steps; the zero point is rounded half to even."""
    low, high = min(low, 0.0), max(high, 0.0)
    scale = max(high - low, LEAST_RANGE) / (most - least)
    return Parameters(scale, round(least - low / scale))


def ai_edge_symmetric(low: float, high: float, least: int, most: int) -> Parameters:
    """Return the largest magnitude over the largest stored number; unsigned storage has its zero midway."""
    bound = max(abs(low), abs(high), LEAST_RANGE)
    if least < 0:
        return Parameters(bound / most, 0)
    return Parameters(bound / ((most - 1) / 2), (most + 1) // 2)


def qwix_symmetric(low: float, high: float, least: int, most: int) -> Parameters:
    """Return the largest magnitude over half a step more than the largest stored number."""
    return Parameters(max(abs(low), abs(high), LEAST_RANGE) / (most + 0.5), 0)


FORMULAS: dict[str, Formula] = {
    "mlir": Formula(mlir, "MLIR, fakeQuantAttrsToType"),
    "tensorflow": Formula(tensorflow, "TensorFlow, GetQuantizedType with ExpandVerySmallRange"),
    "tensorflow_weights": Formula(
        tensorflow_weights, "TensorFlow, GetUniformQuantizedTypeForWeight, symmetric"
    ),
    "tflite": Formula(tflite, "TFLiteConverter 2.21, activations (measured on five ranges)"),
    "ai_edge": Formula(ai_edge, "ai-edge-quantizer, tensor_zp_scale_from_min_max, asymmetric"),
    "ai_edge_symmetric": Formula(
        ai_edge_symmetric, "ai-edge-quantizer, tensor_zp_scale_from_min_max, symmetric"
    ),
    "qwix_symmetric": Formula(qwix_symmetric, "Qwix 0.1.8, symmetric scales of its exported programs"),
}


def parameters(low: float, high: float, least: int, most: int, formula: str = "tflite") -> Parameters:
    """Return scale and zero point of a range by a formula of `FORMULAS`.

    Raises `Malformed` if the range is not one of finite numbers, or so large that it has no scale.
    """
    row = FORMULAS[one_of(tuple(FORMULAS), formula, "formula")]
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise Malformed(f"no range of finite numbers: {low} to {high}", "expected low <= high, both finite")
    if not least < most:
        raise Malformed(f"no storage range: {least} to {most}", "expected storage_min < storage_max")
    if math.isinf(high - low):
        raise Malformed(f"no scale for {low} to {high}", "the range is wider than the largest number of f64")
    found = row.parameters(low, high, least, most)
    if not (math.isfinite(found.scale) and found.scale > 0):
        raise Malformed(f"no scale for {low} to {high}", f"the formula {formula} gives {found.scale}")
    return found


# The formulas by which `quantize` makes types of ranges.
ASYMMETRIC, SYMMETRIC = "tflite", "ai_edge_symmetric"


def range_parameters(low: float, high: float, storage: AnyQuantizedType, symmetric: bool) -> Parameters:
    """Return scale and zero point of a range in a storage, as `quantize` chooses them."""
    least, most = storage.storage_min, storage.storage_max
    if low == high == 0:
        return Parameters(1.0, 0 if least < 0 or not symmetric else (most + 1) // 2)
    return parameters(low, high, least, most, SYMMETRIC if symmetric else ASYMMETRIC)


def symmetric_scales(bounds: Array, storage: AnyQuantizedType) -> Array:
    """Return, for each bound m, the scale of `range_parameters(-m, m, storage, symmetric=True)`, in f64.

    Raises `Malformed` if the range of one is not finite, or as wide as no number of f64.
    """
    most = storage.storage_max if storage.storage_min < 0 else (storage.storage_max - 1) / 2
    if not (bounds <= np.finfo(np.float64).max / 2).all():
        worst = float(np.abs(bounds).max())
        range_parameters(-worst, worst, storage, True)  # raises what is wrong with it
    return np.where(bounds == 0, 1.0, np.maximum(bounds, LEAST_RANGE) / most)


def uniform(
    low: float | Sequence[float],
    high: float | Sequence[float],
    storage: str = "i8",
    expressed: str = "f32",
    *,
    formula: str = "tflite",
    narrow: bool = False,
    axis: int | None = None,
) -> QuantizedType:
    """Return the quantized type for a range, or for one range for each slice along `axis`.

    narrow: without the least stored number, -127 to 127.
    """
    whole = make_quantized(storage, expressed, 1.0)
    least, most = whole.storage_min + narrow, whole.storage_max
    lows, highs = (list(x) if isinstance(x, Sequence) else [x] for x in (low, high))
    if axis is None and len(lows) != 1:
        raise Malformed(f"{len(lows)} ranges for one scale", "give the axis along which they are")
    found = [parameters(a, b, least, most, formula) for a, b in zip(lows, highs, strict=True)]
    return make_quantized(
        storage,
        expressed,
        [p.scale for p in found],
        [p.zero_point for p in found],
        storage_min=least,
        storage_max=most,
        quantization_dimension=axis,
    )


def bias_scales(largest: float, input_scale: float, weight_scale: float) -> tuple[float, float]:
    """Return the scales of a bias in i32 and of its weights, as TensorFlow chooses them.

    largest: the largest magnitude of the bias. Its scale is the product of the other two; where the bias
    would take more than half of i32, both scales are raised, so that the product still holds.
    """
    scale = input_scale * weight_scale
    if largest / scale < LARGEST_BIAS:
        return scale, weight_scale
    scale = largest / LARGEST_BIAS
    return scale, scale / input_scale


def fewer_bits(wide: Parameters, wide_range: tuple[int, int], least: int, most: int) -> Parameters:
    """Return parameters for storage of fewer bits from those of 8 bits, as TensorFlow's kernels do."""
    rate = (wide_range[1] - wide_range[0]) / (most - least)
    return Parameters(wide.scale * rate, most - half_away((wide_range[1] - wide.zero_point) / rate))


def half_away(x: float) -> int:
    """Return the nearest integer, ties away from zero, as C's `round`."""
    whole = math.trunc(x)  # x - whole is exact
    return whole + int(math.copysign(1, x)) if abs(x - whole) >= 0.5 else whole


def single(x: float) -> float:
    """Return the nearest number of f32; infinite beyond them."""
    try:
        (rounded,) = struct.unpack("<f", struct.pack("<f", x))
    except OverflowError:
        return math.copysign(math.inf, x)
    return float(rounded)
