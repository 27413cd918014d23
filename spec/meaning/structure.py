"""Ops that create or move elements, whose storage is unchanged; and bits of elements, reinterpreted (E17)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import copysign, inf, isinf, isnan, nan
from typing import Any

from spec.attributes import Dense
from spec.formats import exponent_of, least_exponent, power_of_two, wrap
from spec.ir import Op
from spec.meaning.index import Context, Index, Meaning, Results, Tensor, build
from spec.meaning.integers import pattern
from spec.meaning.notation import convert_element, dequantize_op_quantize, expressed_type
from spec.types import ElementType, TensorType, complex_part, integer

# Bits of elements as unsigned numbers, which bitcast_convert and quant.scast reinterpret (E17).


def to_bits(element: Any, type: ElementType) -> int:
    """Return the bit pattern of an element; the real part of a complex number is the lower half."""
    if type.kind == "complex":
        part = complex_part(type)
        return to_bits(element.real, part) | to_bits(element.imag, part) << part.bits
    return _float_bits(element, type) if type.kind == "float" else pattern(int(element), type)


def from_bits(bits: int, type: ElementType) -> Any:
    """Return the element of a bit pattern; the payload of a NaN is lost."""
    if type.kind == "complex":
        part = complex_part(type)
        return complex(from_bits(bits % (1 << part.bits), part), from_bits(bits >> part.bits, part))
    if type.kind == "float":
        return _float(bits, type)
    return bool(bits) if type.kind == "boolean" else wrap(bits, type)


def nan_bits(type: ElementType) -> int:
    """Return the bits of the quiet NaN with a clear sign bit, or of the only NaN of a format."""
    ones = (1 << (type.exponent + type.mantissa)) - 1
    if type.special == "ieee":
        return ones ^ ((1 << (type.mantissa - 1)) - 1)
    return ones + 1 if type.special == "fnuz" else ones


def _float_bits(x: float, type: ElementType) -> int:
    if isnan(x):
        return nan_bits(type)
    sign = (copysign(1.0, x) < 0) << (type.exponent + type.mantissa)
    if isinf(x):
        return sign | (((1 << type.exponent) - 1) << type.mantissa)
    if x == 0:
        return sign
    exponent = max(exponent_of(Fraction(x)), least_exponent(type))
    significand = int(abs(Fraction(x)) / power_of_two(exponent - type.mantissa))
    if type.special == "fnu":
        return exponent + type.bias
    return sign | (significand + ((exponent - least_exponent(type)) << type.mantissa))


def _float(bits: int, type: ElementType) -> float:
    magnitude = bits % (1 << (type.exponent + type.mantissa))
    if _is_nan(bits, magnitude, type):
        return nan
    field, mantissa = divmod(magnitude, 1 << type.mantissa)
    sign = -1.0 if bits > magnitude else 1.0
    if type.special == "ieee" and field == (1 << type.exponent) - 1:
        return sign * inf
    hidden = 1 if field or type.special == "fnu" else 0
    exponent = field - type.bias if hidden else least_exponent(type)
    return sign * float((mantissa + (hidden << type.mantissa)) * power_of_two(exponent - type.mantissa))


def _is_nan(bits: int, magnitude: int, type: ElementType) -> bool:
    if type.special in ("fn", "fnu"):
        return magnitude == nan_bits(type)
    if type.special == "fnuz":
        return bits == nan_bits(type)
    return type.special == "ieee" and magnitude > ((1 << type.exponent) - 1) << type.mantissa


SI64 = integer(64, signed=True)


def constant(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """output = value"""
    value, type = op["value"], op.result.type
    elements = decode(value, type.storage_type)
    return (Tensor(type, elements * type.size if value.splat else elements),)


def decode(value: Dense, type: ElementType) -> tuple[Any, ...]:
    """Return the elements of a constant, each from the little-endian bytes of its container."""
    size = next(size for size in (1, 2, 4, 8, 16) if size * 8 >= type.bits)
    chunks = (value.data[i : i + size] for i in range(0, len(value.data), size))
    return tuple(from_bits(int.from_bytes(chunk, "little") % (1 << type.bits), type) for chunk in chunks)


def iota(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """output[output_index] = output_index[iota_dimension], quantized where the output is."""
    type, d = expressed_type(op.result.type), op["iota_dimension"]

    def output() -> Tensor:
        return build(type, lambda output_index: convert_element(output_index[d], SI64, type.storage_type))

    return (dequantize_op_quantize(output, result_type=op.result.type),)


def broadcast_in_dim(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[i] = operand[operand_index], operand_index[d] = i[broadcast_dimensions[d]], or 0 for size 1."""
    (operand,) = operands

    def operand_index(result_index: Index) -> Index:
        sizes = zip(operand.type.shape, op["broadcast_dimensions"], strict=True)
        return Index(0 if size == 1 else result_index[d] for size, d in sizes)

    return (build(op.result.type, lambda result_index: operand[operand_index(result_index)]),)


def reshape(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = operand[operand_index], the same position in lexicographic order."""
    return (Tensor(op.result.type, operands[0].elements),)


def transpose(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = operand[operand_index] where result_index[d] = operand_index[permutation[d]]."""
    (operand,) = operands
    inverse = [op["permutation"].index(d) for d in range(operand.type.rank)]
    return (build(op.result.type, lambda result_index: operand[Index(result_index[d] for d in inverse)]),)


def slice(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = operand[start_indices + result_index * strides]"""
    (operand,) = operands
    return (build(op.result.type, lambda i: operand[i * op["strides"] + op["start_indices"]]),)


def pad(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """operand[i] where result_index = edge_padding_low + i * (interior_padding + 1), else padding_value."""
    operand, padding_value = operands
    padding = op["edge_padding_low"], op["interior_padding"]
    return (pad_to(operand, padding_value.item, *padding, op.result.type),)


def pad_to(
    operand: Tensor, padding_value: Any, low: Sequence[int], interior: Sequence[int], type: TensorType
) -> Tensor:
    """Return the operand padded to `type`, whose sizes determine the padding at the high end."""
    steps = Index(interior) + 1

    def element(result_index: Index) -> Any:
        offset = result_index - low
        operand_index = Index(i // step for i, step in zip(offset, steps, strict=True))
        is_element = operand_index * steps == offset and operand_index.inside(operand.type.shape)
        return operand[operand_index] if is_element else padding_value

    return build(type, element)


def concatenate(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[i0, ..., id, ..., iR-1] = inputs[k][i0, ..., kd, ..., iR-1], id = d0 + ... + dk-1 + kd."""
    return (join_parts(operands, op["dimension"], op.result.type),)


def join_parts(parts: Sequence[Tensor], d: int, type: TensorType) -> Tensor:
    """Return the parts concatenated along a dimension."""
    places = [(x, i) for x in parts for i in range(x.type.shape[d])]

    def element(index: Index) -> object:
        x, i = places[index[d]]
        return x[(*index[:d], i, *index[d + 1 :])]

    return build(type, element)


def reverse(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """operand_index[d] = dim(result, d) - result_index[d] - 1 if d in dimensions, else result_index[d]."""
    (operand,) = operands
    shape, dimensions = operand.type.shape, op["dimensions"]

    def operand_index(result_index: Index) -> Index:
        return Index(shape[d] - i - 1 if d in dimensions else i for d, i in enumerate(result_index))

    return (build(op.result.type, lambda result_index: operand[operand_index(result_index)]),)


MEANINGS: dict[str, Meaning] = {
    "arith.constant": constant,
    "stablehlo.broadcast_in_dim": broadcast_in_dim,
    "stablehlo.concatenate": concatenate,
    "stablehlo.constant": constant,
    "stablehlo.iota": iota,
    "stablehlo.pad": pad,
    "stablehlo.reshape": reshape,
    "stablehlo.reverse": reverse,
    "stablehlo.slice": slice,
    "stablehlo.transpose": transpose,
}
