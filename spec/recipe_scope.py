"""Operations that a recipe of requantization does not define, by their types."""

from __future__ import annotations

from spec.accumulator import Reading
from spec.errors import InterpError
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
    undefined,
)

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
    reason = _of_types(recipe, op, reading)
    return undefined(recipe, op, reason) if reason else None


def _of_types(recipe: str, op: Op, reading: Reading) -> str:
    """Return what in the operation's types the recipe does not define, or ""."""
    result = op.result.type.quantized_element_type
    alone = op.name in ELEMENTWISE and op.name != "stablehlo.multiply"
    if alone and has_equal_scales(op):
        return ""
    if recipe == GEMMLOWP and (alone or op.name in ("stablehlo.multiply", "stablehlo.uniform_quantize")):
        return "it multiplies matrices; operands and result of anything else have equal scales"
    if recipe == ONNX and result.storage_type.bits > 16 and not _keeps(op, reading):
        return f"QuantizeLinear and its like have no results in {result.storage_type}"
    if recipe == TOSA and any(result.zero_points) and result.storage_type.bits != 8:
        return f"RESCALE adds zero points to integers of 8 bits; {result!r}"
    if recipe in TWO_INPUTS and alone and op.name != "stablehlo.abs":
        return _of_two_inputs(recipe, op)
    return ""


def _keeps(op: Op, reading: Reading) -> bool:
    """Return whether a product is stored as its accumulator holds it, as far as its storage type says."""
    product = op.name not in ELEMENTWISE and op.name != "stablehlo.uniform_quantize"
    return product and op.result.type.storage_type == reading.accumulator.type


def _of_two_inputs(recipe: str, op: Op) -> str:
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
    return _unsigned(types) if recipe == TOSA else ""


def _unsigned(types: list[QuantizedType]) -> str:
    return "" if types[0].storage_type.kind == "signed" else "its operands are signed"
