"""Operations that a recipe of requantization does not define, by their types."""

from __future__ import annotations

from spec.accumulator import Reading
from spec.elements import ElementType, integer
from spec.errors import UNKNOWN, InterpError, Location, Unspecified
from spec.integer_reading import ELEMENTWISE, has_equal_scales, reads_integers
from spec.ir import Op
from spec.quantized import QuantizedType
from spec.recipes import (
    EXACT,
    FLOAT,
    GEMMLOWP,
    ONNX,
    SPECIFICATION,
    TFLITE_DOUBLE,
    TFLITE_SINGLE,
    TOSA,
    undefined_error,
)

I32 = integer(32, True)
ALONE = "it multiplies matrices; operands and result of anything else have equal scales"
SUMS = {"stablehlo.add", "stablehlo.subtract"}
TWO_INPUTS = {
    TFLITE_SINGLE: SUMS,
    TFLITE_DOUBLE: SUMS,
    TOSA: {*SUMS, "stablehlo.maximum", "stablehlo.minimum"},
}


def out_of_scope(op: Op, reading: Reading) -> InterpError | None:
    """Return why the recipe does not define an operation that the reading computes with integers, or None."""
    recipe = reading.recipe
    if recipe in (EXACT, FLOAT, SPECIFICATION) or not reads_integers(op, reading):
        return None
    if op.name == "stablehlo.compare":
        return None
    reason = _types_reason(recipe, op, reading)
    return undefined_error(recipe, op, reason) if reason else None


def conversion_error(
    recipe: str, source: QuantizedType, result: QuantizedType, where: Location = UNKNOWN
) -> Unspecified | None:
    """Return why a recipe does not define a requantization from one type to another, or None."""
    reason = ""
    if recipe == GEMMLOWP:
        reason = ALONE
    elif recipe == ONNX and result.storage_type.bits > 16:
        reason = f"QuantizeLinear has no results in {result.storage_type}"
    elif recipe == TOSA:
        reason = _rescale_reason(source.storage_type, any(source.zero_points), result)
    verdict = f"the recipe {recipe} does not define a requantization to {result!r}"
    return Unspecified(verdict, reason, where) if reason else None


def _types_reason(recipe: str, op: Op, reading: Reading) -> str:
    """Return what in the operation's types the recipe does not define, or ""."""
    result = op.result.type.quantized_element_type
    alone = op.name in ELEMENTWISE and op.name != "stablehlo.multiply"
    if op.name == "stablehlo.uniform_quantize" or (alone and has_equal_scales(op)):
        return ""  # see `conversion_error`
    if recipe == GEMMLOWP and op.name in ELEMENTWISE:
        return ALONE
    if recipe == ONNX and result.storage_type.bits > 16 and not _keeps(op, reading):
        return f"QuantizeLinear and its like have no results in {result.storage_type}"
    if recipe == TOSA and not _keeps(op, reading) and (reason := _rescale_reason(I32, False, result)):
        return reason
    if recipe in TWO_INPUTS and alone and op.name != "stablehlo.abs":
        return _two_inputs_reason(recipe, op)
    return ""


def _rescale_reason(source: ElementType, moved: bool, result: QuantizedType) -> str:
    """Return what RESCALE does not define: zero points beyond 8 bits, and some unsigned integers."""
    if (moved and source.bits != 8) or (any(result.zero_points) and result.storage_type.bits != 8):
        return "RESCALE has zero points of integers of 8 bits only"
    kinds = source.kind, result.storage_type.kind
    if kinds == ("unsigned", "unsigned") or (
        "unsigned" in kinds and 32 in (source.bits, result.storage_type.bits)
    ):
        return f"RESCALE takes {source} to {result.storage_type} in no mode"
    return ""


def _keeps(op: Op, reading: Reading) -> bool:
    """Return whether a product is stored as its accumulator holds it, as far as its storage type says."""
    product = op.name not in ELEMENTWISE and op.name != "stablehlo.uniform_quantize"
    return product and op.result.type.storage_type == reading.accumulator.type


def _two_inputs_reason(recipe: str, op: Op) -> str:
    if op.name not in TWO_INPUTS[recipe]:
        names = sorted(name.removeprefix("stablehlo.") for name in (*TWO_INPUTS[recipe], "stablehlo.abs"))
        return f"of operations on several scales it has {', '.join(names)}"
    types = [value.type.quantized_element_type for value in (*op.operands, *op.results)]
    if not all(type.is_per_tensor for type in types):
        return "it has one scale per tensor"
    if len({type.storage_type for type in types}) > 1 or types[0].storage_type.bits not in (8, 16):
        return "operands and results are all of one type of 8 or 16 bits"
    if types[0].storage_type.bits == 16 and any(type.zero_point for type in types):
        return "integers of 16 bits have zero point 0"
    return _unsigned_reason(types) if recipe == TOSA else ""


def _unsigned_reason(types: list[QuantizedType]) -> str:
    return "" if types[0].storage_type.kind == "signed" else "its operands are signed"
