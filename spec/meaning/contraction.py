"""dot_general and convolution: fold(add, [0] + products) by the schedule, with products in index order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from spec.accumulation import Accumulation
from spec.integer_reading import in_integers, sums_blocks
from spec.ir import Op
from spec.meaning import integer_reading
from spec.meaning.elementwise import ADD, MULTIPLY, kind
from spec.meaning.index import Context, Index, Meaning, Results, Tensor, build, index_space
from spec.meaning.integer_arithmetic import with_scales
from spec.meaning.notation import convert, dequantize_op_quantize, expressed_type, fold
from spec.meaning.reduction import refuse
from spec.meaning.structure import pad_to
from spec.meaning.sums import Number, Product, Sum
from spec.op_attributes import algorithm_error, algorithm_of
from spec.types import ElementType, TensorType

ZERO = {"boolean": False, "integer": 0, "float": 0.0, "complex": 0j}
Factors = Iterator[tuple[Any, Any]]


def dot_general(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = reduce([multiply(lhs_slice, rhs_slice)], [0], contracting dimensions, add)

    With an algorithm, operands are converted to their precision types, dequantized if need be (erratum E30);
    products and sums are rounded to its accumulation type, and results converted from it (E29).
    """
    if error := algorithm_error(op):
        raise error
    algorithm = algorithm_of(op)
    type = algorithm.accumulation_type if algorithm else expressed_type(op.result.type).tensor_element_type
    lhs_batching, lhs_contracting = op["lhs_batching_dimensions"], op["lhs_contracting_dimensions"]
    rhs_batching, rhs_contracting = op["rhs_batching_dimensions"], op["rhs_contracting_dimensions"]

    def dot(lhs: Tensor, rhs: Tensor) -> Tensor:
        if algorithm:
            lhs = convert(lhs, TensorType(lhs.type.shape, algorithm.lhs_precision_type))
            rhs = convert(rhs, TensorType(rhs.type.shape, algorithm.rhs_precision_type))
        lhs_result = [d for d in range(lhs.type.rank) if d not in (*lhs_batching, *lhs_contracting)]
        rhs_result = [d for d in range(rhs.type.rank) if d not in (*rhs_batching, *rhs_contracting)]
        lhs_dimensions = (*lhs_batching, *lhs_result, *lhs_contracting)
        rhs_dimensions = (*rhs_batching, *rhs_result, *rhs_contracting)
        n, m = len(lhs_batching), len(lhs_batching) + len(lhs_result)

        def factors(i: Index) -> Factors:
            for k in index_space([lhs.type.shape[d] for d in lhs_contracting]):
                lhs_index = place((*i[:m], *k), lhs_dimensions)
                rhs_index = place((*i[:n], *i[m:], *k), rhs_dimensions)
                yield lhs[lhs_index], rhs[rhs_index]

        return contract(op, type, context, factors)

    return (contract_operands(op, operands, context, dot),)


def convolution(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_shape(:, output_spatial_index, :)] = dot_general(reversed_lhs_window, rhs)"""

    def convolve(lhs: Tensor, rhs: Tensor) -> Tensor:
        source = padded_lhs(op, lhs)
        batches = lhs.type.shape[op["input_batch_dimension"]]
        *window, features, output_features = (rhs.type.shape[d] for d in rhs_dimensions(op))
        feature_groups, batch_groups = op["feature_group_count"], op["batch_group_count"]

        def factors(result_index: Index) -> Factors:
            batch, *output_spatial_index, feature = (result_index[d] for d in result_dimensions(op))
            batch += split(feature, output_features, batch_groups, batches)
            first = split(feature, output_features, feature_groups, features * feature_groups)
            start = Index(output_spatial_index) * op["window_strides"]
            for k in index_space(window):
                spatial = start + reversed_index(k, window, op["window_reversal"]) * op["rhs_dilation"]
                for c in range(features):
                    lhs_index = place((batch, *spatial, first + c), lhs_dimensions(op))
                    yield source[lhs_index], rhs[place((*k, c, feature), rhs_dimensions(op))]

        return contract(op, expressed_type(op.result.type).tensor_element_type, context, factors)

    return (contract_operands(op, operands, context, convolve),)


def lhs_dimensions(op: Op) -> tuple[int, ...]:
    return op["input_batch_dimension"], *op["input_spatial_dimensions"], op["input_feature_dimension"]


def rhs_dimensions(op: Op) -> tuple[int, ...]:
    features = op["kernel_input_feature_dimension"], op["kernel_output_feature_dimension"]
    return *op["kernel_spatial_dimensions"], *features


def result_dimensions(op: Op) -> tuple[int, ...]:
    return op["output_batch_dimension"], *op["output_spatial_dimensions"], op["output_feature_dimension"]


def padded_lhs(op: Op, lhs: Tensor) -> Tensor:
    """pad(lhs, padding_value, lhs_padding[:, 0], lhs_padding[:, 1], lhs_base_dilations - 1)

    The padding value is None: its products are zero, even with an infinite weight.
    """

    def lhs_shape(hw: Iterable[int]) -> Index:
        return place((0, *hw, 0), lhs_dimensions(op))

    low, high = (lhs_shape(pair[end] for pair in op["padding"]) for end in (0, 1))
    interior = lhs_shape(dilation - 1 for dilation in op["lhs_dilation"])
    between = Index(max(size - 1, 0) for size in lhs.type.shape) * interior
    sizes = Index(lhs.type.shape) + low + between + high
    type = TensorType(tuple(max(size, 0) for size in sizes), lhs.type.element_type)
    return pad_to(lhs, None, low, interior, type)


def reversed_index(k: Index, shape: Sequence[int], window_reversal: Sequence[bool]) -> Index:
    """Return the index whose element reverse() puts at k."""
    return Index(n - 1 - i if r else i for i, n, r in zip(k, shape, window_reversal, strict=True))


def split(feature: int, features: int, groups: int, size: int) -> int:
    """Return the start of the slice of an lhs dimension, of this size, for an output feature's group."""
    return feature // (features // groups) * (size // groups)


def place(values: Sequence[int], dimensions: Sequence[int]) -> Index:
    """Return the index with `index[dimensions[i]] = values[i]`."""
    return Index(value for _, value in sorted(zip(dimensions, values, strict=True)))


def contract_operands(
    op: Op, operands: Sequence[Tensor], context: Context, contraction: Callable[..., Tensor]
) -> Tensor:
    """Return a contraction of the dequantized operands, or, in the integer reading, of their integers."""
    if context.reading.is_integer and (in_integers(op) or sums_blocks(op)):
        return contraction(*map(with_scales, operands))
    return dequantize_op_quantize(contraction, *operands, result_type=op.result.type)


def contract(op: Op, type: ElementType, context: Context, factors: Callable[[Index], Factors]) -> Tensor:
    """Return result[i] = fold(add, [0] + products of factors(i)), rounded to `type` or the expressed type."""
    if context.reading.is_integer and (in_integers(op) or sums_blocks(op)):
        return integer_reading.contract(op, context, factors)
    result_type = expressed_type(op.result.type)
    add, multiply, zero = ADD[kind(type)], MULTIPLY[kind(type)], ZERO[kind(type)]

    def dot_product(i: Index) -> Any:
        pairs = list(factors(i))
        leaves = [(zero,), *((zero if x is None else multiply(x, y, type),) for x, y in pairs)]
        body = lambda x, y: (add(x, y, type),)
        return fold(
            body, leaves, [True] * len(leaves), context.schedule, True, adding(op, type, pairs, context)
        )[0]

    return convert(build(TensorType(result_type.shape, type), dot_product), result_type)


def adding(op: Op, type: ElementType, pairs: Sequence[tuple[Any, Any]], context: Context) -> Sum | None:
    """Return the sum of products that a contraction is: of numbers in the types that are multiplied."""
    if not isinstance(context.schedule, Accumulation):
        return None
    algorithm, values = algorithm_of(op), op.operands[:2]
    types = [expressed_type(value.type).tensor_element_type for value in values]
    if algorithm:
        types = [algorithm.lhs_precision_type, algorithm.rhs_precision_type]
    if not all(t.is_integer or t.kind == "float" for t in (*types, type)):
        refuse(context.schedule, f"sums of {type!r}")
        return None
    term = lambda x, y: Number(0, type) if x is None else Product(Number(x, types[0]), Number(y, types[1]))
    return Sum([Number(0, type), *(term(x, y) for x, y in pairs)], type, lambda total: (total,))


MEANINGS: dict[str, Meaning] = {
    "stablehlo.convolution": convolution,
    "stablehlo.dot_general": dot_general,
}
