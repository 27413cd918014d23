"""Rewrite of the integer reading's reductions to dequantizing ones in f64, to which all theorems apply."""

from __future__ import annotations

from collections.abc import Iterator

from interp.engine.memo import once
from interp.engine.quant import in_f64, round_parameters
from interp.engine.retyped import retype_op
from spec.accumulator import Reading
from spec.integer_reading import in_integers
from spec.ir import Op, Value, nested_ops
from spec.types import QuantizedType

SCALES_DIFFER = "in the integer reading: operands and accumulators have different scales"
FAR_FROM_THE_ENDS = 2.0**-900, 2.0**900  # of f64
MOVES = {"stablehlo.return", "stablehlo.constant"}


def dequantizing_op(op: Op, reading: Reading) -> Op | None:
    """Return the reduction whose dequantize reading is the integer reading of this one, or None.

    THEOREM: it is the same reduction with the expressed type f64. f64 has a precision of 53, and stored
    elements have at most 32 bits, so that every |q|, |zero_point| and |q - zero_point| is below 2^34: with
    equal scales the error before rounding is below 5 * 2^34 * 2^-53, and the result is that of integers q -
    zero_point.
    Assumptions: operands, bodies and results have the same scale when rounded to their expressed types, and
    it is far from the ends of f64's range; the operations of the bodies are those of the integer reading.
    """
    return _in_units(op) if reading.is_integer else op


@once
def _in_units(op: Op) -> Op | None:
    types = [value.type.element_type for value in _values(op)]
    quantized = [type for type in types if isinstance(type, QuantizedType)]
    if not quantized:
        return op
    if any(not type.is_per_tensor or not type.storage_type.is_integer for type in quantized):
        return None
    scales = {round_parameters(type).scales for type in quantized}
    if len(scales) > 1 or not FAR_FROM_THE_ENDS[0] < scales.pop()[0] < FAR_FROM_THE_ENDS[1]:
        return None
    inner = [each for region in op.regions for each in nested_ops(region)]
    computes = all(each.name in MOVES or (in_integers(each) and not _multiplies(each)) for each in inner)
    return retype_op(op, in_f64) if computes else None


def _multiplies(op: Op) -> bool:
    return op.name == "stablehlo.multiply"


def _values(op: Op) -> Iterator[Value]:
    yield from (*op.operands, *op.results)
    for region in op.regions:
        yield from region.arguments
        for inner in nested_ops(region):
            yield from (*inner.operands, *inner.results)
