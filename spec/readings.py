"""Readings: ways to execute quantized operations; and operations that a recipe does not define."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spec.accumulator import DEQUANTIZE, INTEGER, LITERAL, Reading
from spec.elements import ElementType, integer
from spec.errors import UNKNOWN, InterpError, Location, Unspecified
from spec.integer_reading import ELEMENTWISE, has_equal_scales, reads_integers, refusal, sums_blocks
from spec.ir import Module, Op, Value, callees, nested_ops
from spec.multipliers import has_multipliers, multipliers_error
from spec.quantized import QuantizedType
from spec.recipes import (
    EXACT,
    FLOAT,
    GEMMLOWP,
    IN_ONNX,
    ONNXRUNTIME,
    QWIX,
    SPECIFICATION,
    TFLITE_DOUBLE,
    TFLITE_SINGLE,
    TOSA,
    undefined_error,
)

# Operations that a recipe of requantization does not define, by their types.

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
    if reading.is_integer and reading.chosen not in ("", EXACT, QWIX) and sums_blocks(op):
        return undefined_error(recipe, op, "it sums blocks of several scales: a sum has no scale of its own")
    if has_multipliers(op) and reads_integers(op, reading):
        return multipliers_error(op)
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
    if recipe in (GEMMLOWP, QWIX):
        reason = ALONE
    elif recipe in IN_ONNX and result.storage_type.bits > 16:
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
    if recipe in (GEMMLOWP, QWIX) and op.name in ELEMENTWISE:
        return ALONE
    if recipe in IN_ONNX and result.storage_type.bits > 16 and not _keeps(op, reading):
        return f"QuantizeLinear and its like have no results in {result.storage_type}"
    if recipe == TOSA and not _keeps(op, reading) and (reason := _rescale_reason(I32, False, result)):
        return reason
    if recipe == ONNXRUNTIME and op.name == "stablehlo.add":
        return _sums_reason(op)
    if recipe in TWO_INPUTS and alone and op.name != "stablehlo.abs":
        return _two_inputs_reason(recipe, op)
    return ""


def _sums_reason(op: Op) -> str:
    """Return why onnxruntime's QLinearAdd does not take these types, or ""."""
    types = [value.type.quantized_element_type for value in (*op.operands, *op.results)]
    if not all(type.is_per_tensor for type in types):
        return "QLinearAdd has one scale per tensor"
    if len({type.storage_type for type in types}) > 1 or types[0].storage_type.bits != 8:
        return "QLinearAdd has operands and a result of one type of 8 bits"
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


# Readings: ways to execute quantized operations, a choice that the specification leaves open.
#
# See "Execution semantics of quantized operation" in the specification (docs/spec.md:7429 of StableHLO
# 1.20). The default is `READING`. A verdict names the reading for which it holds, or any reading if a
# program has no operation on which readings may differ.

READING, ANY = DEQUANTIZE, "any"
NOT_JUDGED = "the integer reading is not judged"
NOT_PERMITTED = f"not permitted in the {READING} reading; {NOT_JUDGED}"
OPEN = f"not permitted in the {READING} reading, and not known of the {INTEGER} reading"
ELSEWHERE = f"permitted in the {INTEGER} reading"

# From a float or to one, or of the storage alone: one meaning. From quantized to quantized they may differ.
CONVERSIONS = {f"quant.{name}" for name in ("qcast", "dcast", "scast")} | {
    f"stablehlo.{name}" for name in ("uniform_quantize", "uniform_dequantize", "custom_call")
}
CONTRACTIONS = {f"stablehlo.{name}" for name in ("dot_general", "convolution")}
# What hands elements on as they are stored. The operations of a body are looked at by themselves.
MOVES = (
    {"arith.constant", "func.call", "func.return"}
    | {f"quant.{name}" for name in ("coupled_ref", "region", "return", "stats", "stats_ref")}
    | {
        f"stablehlo.{name}"
        for name in """bitcast_convert broadcast_in_dim case concatenate constant dynamic_broadcast_in_dim
        dynamic_gather dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice gather
        get_dimension_size if map optimization_barrier pad real_dynamic_slice reduce reduce_window reshape
        return reverse scatter select_and_scatter slice sort transpose while""".split()
    }
)


def reading_of(module: Module, function: str = "main", reading: Reading = LITERAL) -> str:
    """Return the reading for which a verdict on a function's run holds, or `ANY` if all readings agree."""
    name = module.main.name if function == "main" else function  # the only public one has any name
    return reading.name if any(map(may_differ, _operations(module, name))) else ANY


def reading_error(module: Module, function: str, reading: Reading) -> InterpError | None:
    """Return the reason why a function cannot run in a reading, or None if it can."""
    if not reading.is_integer:
        return None
    errors = (refusal(op) or out_of_scope(op, reading) for op in _operations(module, function))
    return next(filter(None, errors), None)


def in_reading(reading: str) -> str:
    """Return the words ` in the dequantize reading`, or "" for any reading."""
    return "" if reading == ANY else f" in the {reading} reading"


def may_differ(op: Op) -> bool:
    """Return whether readings may give different results for an operation, apart from its regions.

    False is certain: no value is quantized, or elements are only moved, or an operand is a float (the
    specification defines a contraction of a float and a quantized operand). True is not certain.
    """
    arguments = [value for region in op.regions for value in region.arguments]
    values = [value.type for value in (*op.operands, *op.results, *arguments)]
    if op.name in CONVERSIONS:
        return all(any(_is_quantized(side)) for side in (op.operands, op.results))
    if op.name in CONTRACTIONS:
        return all(_is_quantized(op.operands))
    quantized = {type.element_type for type in values if type.is_quantized}
    return len(quantized) > (op.name in MOVES)


def _is_quantized(values: Iterable[Value]) -> Iterator[bool]:
    return (value.type.is_quantized for value in values)


def _operations(module: Module, function: str) -> Iterator[Op]:
    """Yield the operations of a function and of those that it calls."""
    for name in (function, *sorted(callees(module, function))):
        yield from nested_ops(module[name].body)
