"""Reductions of the integer reading as reductions of whole numbers, about which all theorems hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from interp.engine.memo import once
from interp.engine.quant import rounded
from interp.engine.retyped import retyped_op
from spec.accumulator import Reading
from spec.integer_reading import in_integers
from spec.ir import Op, Value, walk
from spec.types import ELEMENT_TYPES, QuantizedType

SCALES_DIFFER = "in the integer reading: operands and accumulators have different scales"
# What only moves stored elements, beside the operations that the integer reading computes with integers.
MOVES = {"stablehlo.return", "stablehlo.constant"}


def of_reading(op: Op, reading: Reading) -> Op | None:
    """Return the reduction whose dequantized elements are those of the integer reading, or None.

    THEOREM: of equal scales it does not matter what they are. With scale 1 in f64, which holds every stored
    element, zero point and sum of two exactly, `dequantize` gives q - zero_point and `quantize` adds the zero
    point and saturates: the integer reading. Assumptions: the scales of operands, bodies and results, rounded
    to their expressed types, are one; the operations of the bodies are those of that reading.
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
    if len({rounded(type).scales for type in quantized}) > 1:
        return None
    inner = [each for region in op.regions for each in walk(region)]
    computes = all(each.name in MOVES or (in_integers(each) and not _multiplies(each)) for each in inner)
    return retyped_op(op, of_whole_numbers) if computes else None


def of_whole_numbers(type: QuantizedType) -> QuantizedType:
    """Return a type whose elements stand for `q - zero_point`, exactly."""
    return replace(type, expressed_type=ELEMENT_TYPES["f64"], scales=(1.0,) * len(type.scales))


def _multiplies(op: Op) -> bool:
    return op.name == "stablehlo.multiply"


def _values(op: Op) -> Iterator[Value]:
    yield from (*op.operands, *op.results)
    for region in op.regions:
        yield from region.arguments
        for inner in walk(region):
            yield from (*inner.operands, *inner.results)
