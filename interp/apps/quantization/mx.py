"""Conversion to blocks of narrow floats with one scale each: OCP MX by five rules, NVFP4 in three forms.

An MX block becomes elements of a narrow float and a scale of f8E8M0FNU: element * scale is the number,
rounded. The rules differ in which power of two that is. A block of NVFP4 is 16 elements of f4E2M1FN with a
scale of f8E4M3FN, and one f32 scales all blocks; the forms are three libraries' arithmetic, step by step.
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
    """Elements in the shape of the array, and scales with the last dimension divided by the block's size.

    global_scale: an f32 that scales all blocks of NVFP4.
    """

    elements: Array
    scales: Array
    global_scale: float = 1.0

    def dequantize(self) -> Array:
        """Return elements times scales, exactly, in f64."""
        size = self.elements.shape[-1] // self.scales.shape[-1]
        scales = np.repeat(self.scales.astype(np.float64), size, axis=-1)
        return np.asarray(self.elements.astype(np.float64) * scales * self.global_scale)


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
    array = _accept(x, block)
    wide = _cut(array.astype(np.float64), block)
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


def _accept(x: Any, block: int) -> Array:
    """Return an array of floats that blocks divide."""
    array = np.asarray(x)
    if array.dtype == np.float64 or not array.ndim or block < 1 or array.shape[-1] % block:
        evidence = f"expected floats of at most 32 bits, in blocks of {block} along the last dimension"
        raise Malformed(f"an array of {array.dtype}{list(array.shape)}", evidence)
    return array


def _cut(x: Array, block: int) -> Array:
    return x.reshape(*x.shape[:-1], x.shape[-1] // block, block)


# NVFP4

F32 = np.float32
FOUR, SCALE = 6.0, 448.0  # the largest numbers of f4E2M1FN and of f8E4M3FN
LEAST_NORMAL = 2.0**-6  # of f8E4M3FN
ROOT_OF_TINY = np.sqrt(np.finfo(F32).tiny)
Scaled = tuple[Array, Array]  # quotients that become elements, and scales


class Form(NamedTuple):
    """A library's arithmetic: from blocks in f32 and the scale for all to quotients and scales of blocks.

    nan: the element that NaN becomes.
    """

    scale: Callable[[Array, np.float32 | None], Scaled]
    source: str
    nan: float = -0.0


def _round_scale(scale: Array, least: float) -> Array:
    """Return f8E4M3FN scales, of which NaN alone is beyond the largest number."""
    return np.clip(scale, F32(least), F32(SCALE)).astype(ml_dtypes.float8_e4m3fn)


def _jax(x: Array, g: np.float32 | None) -> Scaled:
    """Divide by the scale for all, then by the block's, which may be 0."""
    x = x / (F32(1) if g is None else g)
    scales = _round_scale(_largest_of(x) / F32(FOUR), 0.0)
    return x / scales.astype(F32)[..., None], scales


def _torchao(x: Array, g: np.float32 | None) -> Scaled:
    """Multiply by a reciprocal; a block's scale is at least the least normal f8E4M3FN."""
    one = F32(1)
    scale = _largest_of(x) / F32(FOUR)
    scales = _round_scale(scale if g is None else scale / g, LEAST_NORMAL)
    reciprocal = (one if g is None else one / g) / scales.astype(F32)
    return x * reciprocal[..., None], scales


def _qwix(x: Array, g: np.float32 | None) -> Scaled:
    """Divide by the block's scale, which is 1 for numbers near 0; there is no scale for all."""
    if g is not None:
        raise Malformed("a scale for all blocks", "expected None: Qwix has one level of scales")
    scale = _largest_of(x) / F32(FOUR)
    scales = _round_scale(np.where(scale < ROOT_OF_TINY, F32(1), scale), -SCALE)
    return x / scales.astype(F32)[..., None], scales


def _largest_of(x: Array) -> Array:
    return np.asarray(np.abs(x).max(axis=-1, initial=F32(0)))


FORMS: dict[str, Form] = {
    "jax": Form(_jax, "jax.nn.scaled_dot_general, get_scaled_dot_general_config('nvfp4'); JAX 0.10.2"),
    "torchao": Form(
        _torchao, "torchao.prototype.mx_formats.nvfp4_tensor.nvfp4_quantize; torchao 0.18.0", 2.0
    ),
    "qwix": Form(_qwix, "qwix._src.core.qarray, qtype 'nvfp4'; Qwix 0.1.8"),
}


def global_scale_of(x: Any) -> np.float32:
    """Return the scale for all blocks that lets the largest of them have the scale 448 (torchao)."""
    return np.float32(np.abs(np.asarray(x, F32)).max(initial=F32(0)) / F32(SCALE * FOUR))


def to_nvfp4(x: Any, global_scale: float | None = None, form: str = "jax", block: int = 16) -> Blocks:
    """Return an array of f32 or narrower floats in blocks of 16 along its last dimension, as a library does.

    global_scale: one f32 for all blocks, which is divided out first; None: there is none. Each step is
    rounded to f32, and subnormal numbers are kept. `Malformed` for other arrays and forms, and for a scale
    for all where a form has none.
    """
    library = FORMS[one_of(FORMS, form, "form of NVFP4")]
    array = _accept(x, block)
    g = None if global_scale is None else F32(global_scale)
    with np.errstate(all="ignore"):
        quotients, scales = library.scale(_cut(array.astype(F32), block), g)
        finite = np.where(np.isnan(quotients), F32(library.nan), np.clip(quotients, F32(-FOUR), F32(FOUR)))
    elements = finite.astype(ml_dtypes.float4_e2m1fn)
    return Blocks(elements.reshape(array.shape), scales, 1.0 if g is None else float(g))
