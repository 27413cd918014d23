"""Conversion to blocks with one power of two as scale (OCP MX): the five rules in use, each with its source.

A block of numbers becomes elements of a narrow float and a scale of f8E8M0FNU: element * scale is the number,
rounded. The rules differ in which power of two that is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from interp.backends.dtypes import numpy_dtype
from spec.errors import Malformed, one_of
from spec.types import ELEMENT_TYPES, ElementType

Array = np.ndarray
ELEMENTS = ("f8E4M3FN", "f8E5M2", "f6E2M3FN", "f6E3M2FN", "f4E2M1FN")
LEAST, MOST = -127, 127  # exponents of f8E8M0FNU


class Blocks(NamedTuple):
    """Elements in the shape of the array, and scales with the last dimension divided by the block's size."""

    elements: Array
    scales: Array

    def dequantize(self) -> Array:
        """Return elements times scales, exactly, in f64."""
        size = self.elements.shape[-1] // self.scales.shape[-1]
        scales = np.repeat(self.scales.astype(np.float64), size, axis=-1)
        return np.asarray(self.elements.astype(np.float64) * scales)


class Rule(NamedTuple):
    """A rule: the exponent of the scale for the largest magnitude of a block, and where it is used.

    An infinite magnitude has the exponent 128; of `nearest` it is NaN.
    """

    exponent: Callable[[Array, ElementType], Array]
    source: str


def largest(type: ElementType) -> float:
    """Return the largest number of a format."""
    return float(ml_dtypes.finfo(numpy_dtype(type)).max)


def _exponent(amax: Array) -> Array:
    """Return floor(log2(amax)) for finite positive numbers, 128 for infinity."""
    return np.where(np.isfinite(amax), np.frexp(np.where(np.isfinite(amax), amax, 1.0))[1] - 1, 128)


def _greatest(type: ElementType) -> int:
    """Return the exponent of the largest number of a format."""
    return int(np.frexp(largest(type))[1]) - 1


def _floor(amax: Array, type: ElementType) -> Array:
    return _exponent(amax) - _greatest(type)


def _ceil(amax: Array, type: ElementType) -> Array:
    exponent = _exponent(amax)
    whole = np.isfinite(amax) & (np.ldexp(1.0, np.minimum(exponent, MOST)) == amax)
    return exponent + np.where(whole | np.isinf(amax), 0, 1) - _greatest(type)


def _even(amax: Array, type: ElementType) -> Array:
    """Round the magnitude to the digits of the elements first, half up."""
    exponent = _exponent(amax)
    digits = np.floor(np.ldexp(np.where(np.isfinite(amax), amax, 1.0), type.mantissa - exponent) + 0.5)
    return np.where(np.isfinite(amax), exponent + (digits >= 2 ** (type.mantissa + 1)), 128) - _greatest(type)


def _rceil(amax: Array, type: ElementType) -> Array:
    """Return the least exponent for which no element is beyond the largest number."""
    exponent = _exponent(amax) - _greatest(type)
    finite = np.where(np.isfinite(amax), amax, 0.0)
    beyond = finite > np.ldexp(largest(type), np.minimum(exponent, MOST))
    return np.where(np.isfinite(amax), exponent + beyond, MOST)


def _nearest(amax: Array, type: ElementType) -> Array:
    """Round amax / 2^emax to the nearest power of two, 1.5 up."""
    exponent = _exponent(amax)
    upper = np.ldexp(np.where(np.isfinite(amax), amax, 1.0), -exponent) >= 1.5
    return np.where(np.isfinite(amax), exponent + upper - _greatest(type), MOST + 1)


RULES: dict[str, Rule] = {
    "floor": Rule(_floor, "OCP Microscaling Formats 1.0, 6.3; torchao ScaleCalculationMode.FLOOR"),
    "ceil": Rule(_ceil, "torchao ScaleCalculationMode.CEIL"),
    "even": Rule(_even, "torchao ScaleCalculationMode.EVEN"),
    "rceil": Rule(_rceil, "cuBLAS, PTX cvt.rp.satfinite.ue8m0x2.f32; JAX, Qwix, torchao RCEIL"),
    "nearest": Rule(_nearest, "XLA block_scaling_rewriter, __op$quantize"),
}


def to_mx(x: Any, element: str = "f8E4M3FN", block: int = 32, rule: str = "floor") -> Blocks:
    """Return an array of f32 or narrower floats in blocks along its last dimension, by a rule of `RULES`.

    A block of zeros has the scale 2^-127, and one with a NaN is NaN. Elements are rounded to nearest, half to
    even, and saturate. `Malformed` for other arrays, elements and rules, and where the block does not divide.
    """
    type = ELEMENT_TYPES[one_of(ELEMENTS, element, "type of elements")]
    formula = RULES[one_of(RULES, rule, "rule of scales")].exponent
    array = np.asarray(x)
    if array.dtype == np.float64 or not array.ndim or block < 1 or array.shape[-1] % block:
        evidence = f"expected floats of at most 32 bits, in blocks of {block} along the last dimension"
        raise Malformed(f"an array of {array.dtype}{list(array.shape)}", evidence)
    wide = array.astype(np.float64).reshape(*array.shape[:-1], array.shape[-1] // block, block)
    amax = np.abs(wide).max(axis=-1, initial=0.0)
    broken = np.isnan(amax)
    known = np.where(broken | (amax == 0), 1.0, amax)
    exponents = np.where(amax == 0, LEAST, np.clip(formula(known, type), LEAST, MOST + 1))
    if rule != "nearest":
        exponents = np.minimum(exponents, MOST)
    broken = broken | (exponents > MOST)
    scales = np.where(broken, np.nan, np.ldexp(1.0, np.minimum(exponents, MOST)))
    with np.errstate(invalid="ignore"):
        quotients = wide / np.where(broken, 1.0, scales)[..., None]
        elements = np.clip(quotients, -largest(type), largest(type)).astype(np.float32)
    return Blocks(
        elements.reshape(array.shape).astype(numpy_dtype(type)), scales.astype(ml_dtypes.float8_e8m0fnu)
    )
