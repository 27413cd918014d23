"""Recipes of requantization: how integers in units of one scale become integers in units of another.

The specification leaves it to the implementation, as it leaves the reading (`spec.accumulator`). A recipe
receives the scales, s_l and s_r of the operands and s_y of the result, and not a rounded product of them.
"""

from __future__ import annotations

from typing import NamedTuple

from spec.errors import UNKNOWN, Location, Malformed, Unspecified, one_of
from spec.ir import Op

SPECIFICATION, EXACT, FLOAT, ONNX = "specification", "exact", "float", "onnx"
TFLITE_SINGLE, TFLITE_DOUBLE, GEMMLOWP, TOSA = "tflite_single", "tflite_double", "gemmlowp", "tosa"
ONNXRUNTIME, QWIX = "onnxruntime", "qwix"
IN_ONNX = ONNX, ONNXRUNTIME  # which differ in sums of elements
NARROW, WIDE = (
    32,
    48,
)  # bits of accumulators that fixed-point recipes multiply by 31 or 15 bits
LARGEST_RATIO = 2.0**22  # of scales in onnxruntime's sums: with it, sums fit the i32 that they are rounded to
# Operations whose kernels in LiteRT compute the real multiplier in f32, and not in f64.
IN_F32 = ("stablehlo.abs", "stablehlo.multiply")


class Recipe(NamedTuple):
    """A recipe: what it does, what it rounds in order, its formula for a contraction, and its source."""

    sentence: str
    order: str
    formula: str
    source: str


RECIPES = {
    SPECIFICATION: Recipe(
        "to_destination_type from the accumulator's type with the scale fl(s_l * s_r)",
        "scale product, accumulator, real number, quotient and sum with zp, each to the expressed type; rne",
        "rne(clamp(fl(fl(fl(acc) * fl(s_l * s_r) / s_y) + fl(zp))))",
        "StableHLO specification, Quantization computations",
    ),
    EXACT: Recipe(
        "the exact quotient, rounded once, half to even",
        "rne",
        "clamp(rne(acc * s_l * s_r / s_y) + zp)",
        "the nearest integer",
    ),
    FLOAT: Recipe(
        "one multiplier of f32, computed in f64",
        "multiplier to f32; accumulator and product to f32; rne",
        "clamp(rne(f32(f32(acc) * f32(s_l * s_r / s_y))) + zp)",
        "the shortcut of float implementations; XNNPACK's MUL comes near",
    ),
    ONNX: Recipe(
        "as ONNX: f32 throughout, the zero point added after rounding",
        "scale product, multiplier, accumulator and product to f32; rne",
        "clamp(rne(f32(f32(acc) * f32(f32(s_l * s_r) / s_y))) + zp)",
        "ONNX QLinearMatMul, QLinearConv, QuantizeLinear; XNNPACK's matrix products",
    ),
    ONNXRUNTIME: Recipe(
        "as onnx; elements are added by ratios of scales, with fused multiply-adds",
        "ratios and a constant to f32; each multiply-add to f32; rne",
        "add: clamp(rne(fma(q_l, r_l, fma(q_r, r_r, zp - fma(r_l, zp_l, r_r * zp_r))))), r = s / s_y, in f32",
        "ONNX Runtime, MLAS, QLinearAdd on x86 with AVX2",
    ),
    TFLITE_SINGLE: Recipe(
        "fixed point, a multiplier of 31 bits, rounded half up",
        "multiplier to 31 bits; product half up",
        "clamp(((acc * M + 2^(30 - e)) >> (31 - e)) + zp), (M, e) = quantized(s_l * s_r / s_y)",
        "LiteRT, MultiplyByQuantizedMultiplier with single rounding",
    ),
    TFLITE_DOUBLE: Recipe(
        "fixed point, a multiplier of 31 bits, rounded twice",
        "multiplier to 31 bits; high half of the doubled product half up; its shift half away from zero",
        "clamp(RDByPOT(SRDHM(wrap(acc << max(e, 0)), M), max(-e, 0)) + zp)",
        "LiteRT, MultiplyByQuantizedMultiplier with double rounding",
    ),
    GEMMLOWP: Recipe(
        "fixed point, a multiplier of f32 below 1, rounded twice",
        "scale product and multiplier to f32; high half of the doubled product half up; its shift half away",
        "clamp(RDByPOT(SRDHM(acc, M), -e) + zp), 0 < f32(f32(s_l * s_r) / s_y) < 1",
        "gemmlowp, doc/quantization_example.cc",
    ),
    TOSA: Recipe(
        "fixed point, RESCALE with one rounding, half up",
        "multiplier to 31 bits; product half up",
        "clamp(((acc * M + 2^(shift - 1)) >> shift) + zp), shift = 31 - e in [2, 62]",
        "TOSA 1.0, RESCALE with scale32 and SINGLE_ROUND",
    ),
    QWIX: Recipe(
        "the accumulator times one scale, then the other, in the expressed type, as Qwix's programs do",
        "accumulator, product with s_l and product with s_r, quotient and sum with zp, each; rne",
        "rne(clamp(fl(fl(fl(fl(fl(acc) * s_l) * s_r) / s_y) + fl(zp))))",
        "Qwix 0.1.8, dot_general of tiles: a convert and two multiplications",
    ),
}


def recipe_named(name: str | None, integer: bool) -> str:
    """Return the recipe of that name, "" for the default; without integers there is only `specification`."""
    if name is None or name == "":
        return ""
    one_of(RECIPES, name, "recipe of requantization")
    if not integer and name != SPECIFICATION:
        evidence = 'expected reading="integer" beside it; the dequantize reading has the specification\'s'
        raise Malformed(f"the recipe {name} is about integers", evidence)
    return name if integer else ""


def undefined_error(recipe: str, op: Op, reason: str) -> Unspecified:
    """Return the error of a recipe that does not say what an operation does."""
    evidence = f"{reason}\nanother recipe, such as {EXACT}, defines it"
    return Unspecified(f"the recipe {recipe} does not define this {op.name}", evidence, op.location)


def beyond(found: str, expected: str, where: Location = UNKNOWN) -> Unspecified:
    """Return the error of an integer or multiplier outside of what a recipe defines."""
    return Unspecified(
        "the recipe of requantization does not define this", f"{found}; expected {expected}", where
    )
