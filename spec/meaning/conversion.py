"""Conversions of StableHLO, casts of the `quant` dialect, and custom calls of PyTorch's exporter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isfinite, isnan
from typing import Any

from spec.errors import Finding, Unsupported
from spec.ir import Op
from spec.meaning import notation
from spec.meaning.index import Context, Meaning, Results, Tensor, index_space
from spec.meaning.notation import dequantize, quantize
from spec.meaning.structure import decode, from_bits, to_bits
from spec.op_attributes import maximal, minimal, probe_value, tolerance
from spec.rules.conversion import DEQUANTIZE_CALL, QUANTIZE_CALL
from spec.types import ElementType, complex_part

# Checks within a program: custom calls that compare a value with the expected one.

Holds = Callable[[Op, ElementType, Any, Any], bool]


def equal(op: Op, type: ElementType, actual: Any, expected: Any) -> bool:
    """actual = expected as numbers: NaN equals nothing, and -0 equals +0."""
    return bool(actual == expected)


def almost_equal(op: Op, type: ElementType, actual: Any, expected: Any) -> bool:
    """Each part is equal, or NaN in both, or finite in both and abs(actual - expected) <= tolerance."""
    return all(
        a == b or (isnan(a) and isnan(b)) or (isfinite(a) and isfinite(b) and abs(a - b) <= tolerance(op))
        for a, b in zip(parts(actual), parts(expected), strict=True)
    )


def close(op: Op, type: ElementType, actual: Any, expected: Any) -> bool:
    """min_ulp_difference <= ulp_difference(actual, expected) <= max_ulp_difference"""
    part = complex_part(type) if type.kind == "complex" else type
    pairs = zip(parts(actual), parts(expected), strict=True)
    return minimal(op) <= max(ulp_difference(a, b, part) for a, b in pairs) <= maximal(op)


def ulp_difference(a: float, b: float, type: ElementType) -> float:
    """Return the number of steps of the type between two numbers; infinite if one is not finite."""
    if to_bits(a, type) == to_bits(b, type) or (isnan(a) and isnan(b)):
        return 0
    if not (isfinite(a) and isfinite(b)):
        return float("inf")
    return abs(distance_from_zero(a, type) - distance_from_zero(b, type))


def distance_from_zero(x: float, type: ElementType) -> int:
    """Return how many numbers of the type lie between 0 and x, negative for a negative x."""
    sign = 1 << (type.bits - 1)
    pattern = to_bits(x, type)
    return sign - pattern if pattern >= sign else pattern


def parts(x: Any) -> tuple[float, ...]:
    return (x.real, x.imag) if isinstance(x, complex) else (x,)


def expected_by(op: Op, operands: Sequence[Tensor], context: Context) -> Tensor:
    """Return the second operand, or the value that a probe saw, or the constant in the attribute `value`."""
    if len(operands) == 2:
        return operands[1]
    if "probe_id" in op.attributes:
        found: Tensor = probe_value(op, context.process.probed)
        return found
    value, type = op["value"], operands[0].type
    elements = decode(value, type.storage_type)
    return Tensor(type, elements * type.size if value.splat else elements)


def expect(holds: Holds) -> Meaning:
    """Return the check that every element satisfies a predicate."""

    def check(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
        actual, expected = operands[0], expected_by(op, operands, context)
        for index in index_space(actual.type.shape):
            if not holds(op, actual.type.storage_type, actual[index], expected[index]):
                verdict = f"{op['call_target_name']} does not hold at {list(index)}"
                raise Finding(verdict, f"got {actual[index]}, expected {expected[index]}", op.location)
        return tuple(Tensor(v.type, (True,) * v.type.size) for v in op.results)

    return check


def alike(op: Op, type: ElementType, actual: Any, expected: Any) -> bool:
    """Floats are almost equal, and all other elements are equal."""
    holds = almost_equal if type.kind in ("float", "complex") else equal
    return holds(op, type, actual, expected)


def probe(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = operand"""
    context.process.probed.setdefault(op.attributes.get("probe_id", ""), []).append(operands[0])
    return tuple(operands)[: len(op.results)]


CHECKS: dict[str, Meaning] = {
    "check.eq": expect(alike),
    "check.expect_eq": expect(equal),
    "check.expect_eq_const": expect(equal),
    "check.expect_almost_eq": expect(almost_equal),
    "check.expect_almost_eq_const": expect(almost_equal),
    "check.expect_close": expect(close),
    "check.expect_serialized_eq": expect(equal),
    "interpreter.print": probe,
    "interpreter.probe": probe,
}


def convert(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[i] = operand[i] in the element type of the result."""
    (operand,) = operands
    return (notation.convert(operand, op.result.type),)


def bitcast_convert(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """bits(result) = bits(operand): one little-endian string of bits, split differently (erratum E17)."""
    (operand,) = operands
    source, target = operand.type.storage_type, op.result.type.storage_type
    whole = 0
    for k, value in enumerate(operand.elements):
        whole |= to_bits(value, source) << (k * source.bits)
    cut = (whole >> (k * target.bits) for k in range(op.result.type.size))
    return (Tensor(op.result.type, tuple(from_bits(b % (1 << target.bits), target) for b in cut)),)


def uniform_quantize(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = quantize(is_quantized(operand) ? dequantize(operand) : operand, type(result))"""
    (operand,) = operands
    return (quantize(dequantize(operand) if operand.type.is_quantized else operand, op.result.type),)


def uniform_dequantize(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = dequantize(operand)"""
    (operand,) = operands
    return (dequantize(operand),)


def custom_call(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return the result of the op that `call_target_name` names, as PyTorch's exporter writes quantize."""
    target = op["call_target_name"]
    if target not in CUSTOM_CALLS:
        known = f"custom calls with a meaning here: {', '.join(CUSTOM_CALLS)}"
        raise Unsupported(f"custom_call @{target} has no meaning here", known, op.location)
    return CUSTOM_CALLS[target](op, operands, context)


CUSTOM_CALLS = {
    QUANTIZE_CALL: uniform_quantize,
    DEQUANTIZE_CALL: uniform_dequantize,
    **CHECKS,
}

MEANINGS: dict[str, Meaning] = {
    "stablehlo.convert": convert,
    "stablehlo.bitcast_convert": bitcast_convert,
    "stablehlo.uniform_quantize": uniform_quantize,
    "stablehlo.uniform_dequantize": uniform_dequantize,
    "stablehlo.custom_call": custom_call,
    "quant.qcast": uniform_quantize,  # erratum E16
    "quant.dcast": uniform_dequantize,
    "quant.scast": bitcast_convert,
}
