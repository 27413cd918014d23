"""Operations that the integer reading computes with integers, and those of them that it refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product

from spec.accumulator import Reading
from spec.elements import ElementType
from spec.errors import InterpError, Unsupported, Violation
from spec.formats import largest, least_exponent, round_all, round_to
from spec.ir import Op, Value
from spec.multipliers import has_multipliers
from spec.op_attributes import has_algorithm
from spec.recipes import IN_ONNX
from spec.types import QuantizedType

ELEMENTWISE = {
    f"stablehlo.{name}"
    for name in "abs add clamp compare maximum minimum multiply negate select subtract".split()
}
CONTRACTIONS = {f"stablehlo.{name}" for name in ("convolution", "dot_general", "dynamic_conv")}
PRODUCTS = {*CONTRACTIONS, "stablehlo.multiply"}


def in_integers(op: Op) -> bool:
    """Return whether the integer reading computes an operation with integers; else it is as in `dequantize`.

    All its operands and results must be quantized, except the `pred` of select, the result of compare and the
    padding of dynamic_conv. The operands of compare must have equal parameters. A contraction along whose
    sums a scale changes has no integer that is its sum: see `sums_blocks`.
    """
    if op.name not in ELEMENTWISE and op.name not in CONTRACTIONS:
        return False
    operands = list(op.operands)
    if op.name == "stablehlo.select":
        operands = operands[1:]
    if op.name in CONTRACTIONS:
        return _has_integer_factors(op) and not is_summed_by_blocks(op)
    if op.name == "stablehlo.compare":
        return all(_as_integers(operands)) and len({_parameters(value) for value in operands}) == 1
    return all(_as_integers([*operands, *op.results]))


def sums_blocks(op: Op) -> bool:
    """Return whether the integer reading sums a contraction by blocks: integers within, floats across them.

    A block ends where a scale of either operand changes along the sum, for any result.
    """
    return op.name in CONTRACTIONS and _has_integer_factors(op) and is_summed_by_blocks(op)


def _has_integer_factors(op: Op) -> bool:
    return all(_as_integers([*op.operands[:2], *op.results]))


def is_summed_by_blocks(op: Op) -> bool:
    """Return whether a scale of either operand of a contraction changes along its sums.

    Only types with blocks can: (C16) and (C29) exclude an axis that is summed over.
    """
    types = (value.type.element_type for value in op.operands[:2])
    if not any(isinstance(type, QuantizedType) and type.block_sizes is not None for type in types):
        return False
    from spec.parameter_tables import changes_along_sums  # which few programs need

    return changes_along_sums(op)


def has_products(op: Op) -> bool:
    """Return whether the integer reading computes products of integers for an operation."""
    return op.name in PRODUCTS and in_integers(op)


def uses_accumulator(op: Op, reading: Reading) -> bool:
    """Return whether a reading keeps products of an operation, or their sums, in its accumulator.

    The recipes of ONNX multiply elements as floats.
    """
    in_floats = op.name == "stablehlo.multiply" and reading.recipe in IN_ONNX
    return reading.is_integer and (has_products(op) or sums_blocks(op)) and not in_floats


def requantizes(op: Op) -> bool:
    """Return whether an operation converts integers of one scale to those of another."""
    return op.name == "stablehlo.uniform_quantize" and all(_as_integers([*op.operands, *op.results]))


def reads_integers(op: Op, reading: Reading) -> bool:
    """Return whether a reading computes an operation with integers.

    `uniform_quantize` of a quantized operand means what the specification says of it, unless a recipe of
    requantization is chosen, or the program gives its multipliers.
    """
    chosen = bool(reading.chosen) or has_multipliers(op)
    return reading.is_integer and (in_integers(op) or (chosen and requantizes(op)))


def has_equal_scales(op: Op) -> bool:
    """Return whether all quantized operands and results have the same scales, so that nothing is rescaled."""
    types = [value.type.element_type for value in (*op.operands, *op.results)]
    quantized = [type for type in types if isinstance(type, QuantizedType)]
    return len({(scales(type), type.quantization_dimension, type.block_sizes) for type in quantized}) == 1


def has_integers(op: Op) -> bool:
    """Return whether the integer reading may give other results, including conversions in reductions."""
    if not op.regions:
        return in_integers(op) or sums_blocks(op) or (has_multipliers(op) and requantizes(op))
    values = (*op.operands, *op.results, *(value for region in op.regions for value in region.arguments))
    return any(value.type.is_quantized for value in values)


def _as_integers(values: Iterable[Value]) -> Iterator[bool]:
    for value in values:
        type = value.type.element_type
        yield isinstance(type, QuantizedType) and type.storage_type.is_integer


def _parameters(value: Value) -> object:
    """Return the rounded scales and zero points of a quantized value, with their axis or block sizes."""
    type = value.type.quantized_element_type
    return scales(type), type.zero_points, type.quantization_dimension, type.block_sizes


def scales(type: QuantizedType) -> tuple[float, ...]:
    """Return the scales of a type as its expressed type holds them."""
    return round_all(type.scales, type.expressed_type)


def refusal(op: Op) -> InterpError | None:
    """Return why the integer reading refuses an operation that it computes with integers, or None."""
    if not has_products(op) and not sums_blocks(op):
        return None
    if has_algorithm(op):
        verdict = f"{op.name} with an algorithm, in the integer reading"
        evidence = 'an algorithm is about floats: drop it, or use reading="dequantize"'
        return Unsupported(verdict, evidence, op.location)
    if error := _block_refusal(op):
        return error
    expressed = op.result.type.quantized_element_type.expressed_type
    lhs, rhs = (value.type.quantized_element_type for value in op.operands[:2])
    ends = [(min(known), max(known)) for known in map(scales, (lhs, rhs))]
    for pair in product(*ends):
        if not is_normal(rounded := round_to(pair[0] * pair[1], expressed), expressed):
            formula = "the product of the scales of lhs and rhs is a normal number of the expressed type"
            evidence = f"{pair[0]!r} * {pair[1]!r} is {rounded!r} in {expressed!r}"
            return Violation("integer_reading_c1", formula, evidence, op.location)
    return None


def _block_refusal(op: Op) -> Unsupported | None:
    """Return why a contraction with scales per block is not built, or None."""
    if op.name not in CONTRACTIONS or not any(
        v.type.quantized_element_type.block_sizes for v in op.operands[:2]
    ):
        return None
    lhs, result = op.operands[0].type.quantized_element_type, op.result.type.quantized_element_type
    if result.expressed_type.name == "f64":
        advice = 'their products do not fit into 64 bits: use reading="dequantize"'
        return Unsupported("scales per block in f64, in the integer reading", advice, op.location)
    if op.name == "stablehlo.dot_general" or lhs.is_per_tensor:
        return None
    fixed = [*op["input_spatial_dimensions"]]
    fixed += [op["input_feature_dimension"]] if op["feature_group_count"] > 1 else []
    fixed += [op["input_batch_dimension"]] if op["batch_group_count"] > 1 else []
    if all(lhs.parameters_shape[d] == 1 for d in fixed):
        return None
    advice = 'scales of lhs may change along batches and features, without groups: use reading="dequantize"'
    return Unsupported(
        "scales per block along the windows of lhs, in the integer reading", advice, op.location
    )


def is_normal(x: float, type: ElementType) -> bool:
    """Return whether a float is finite in its format, and neither zero nor subnormal."""
    return 2.0 ** least_exponent(type) <= x <= largest(type)
