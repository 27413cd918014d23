"""Ops that create or move elements. The storage of quantized tensors is moved unchanged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from spec.ir import Dense, Op
from spec.meaning import bits
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Index, Tensor, build
from spec.meaning.notation import convert_element, dequantize_op_quantize, expressed_type
from spec.types import ElementType, TensorType, integer

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
    return tuple(bits.from_bits(int.from_bytes(chunk, "little") % (1 << type.bits), type) for chunk in chunks)


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
    d = op["dimension"]
    places = [(input, kd) for input in operands for kd in range(input.type.shape[d])]

    def element(index: Index) -> Any:
        input, kd = places[index[d]]
        return input[(*index[:d], kd, *index[d + 1 :])]

    return (build(op.result.type, element),)


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
