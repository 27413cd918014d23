"""dot_general and convolution: fold(add, [0] + products) under the schedule, the products in given order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from spec.constraint import OpSpec
from spec.evaluate import Context, Results
from spec.index import Index, Tensor, build, index_space
from spec.ir import Op
from spec.notation import dequantize_op_quantize, expressed, fold
from spec.ops.elementwise import ADD, MULTIPLY, kind

ZERO = {"boolean": False, "integer": 0, "float": 0.0, "complex": 0j}
Factors = Iterator[tuple[Any, Any] | None]  # None is a zero product: padding, or a hole of dilation


def dot_general(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = reduce([multiply(lhs_slice, rhs_slice)], [0], contracting dimensions, add)"""
    lhs_batching, lhs_contracting = op["lhs_batching_dimensions"], op["lhs_contracting_dimensions"]
    rhs_batching, rhs_contracting = op["rhs_batching_dimensions"], op["rhs_contracting_dimensions"]

    def dot(lhs: Tensor, rhs: Tensor) -> Tensor:
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

        return contract(op, context, factors)

    return (dequantize_op_quantize(dot, *operands, result_type=op.result.type),)


def convolution(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_shape(:, output_spatial_index, :)] = dot_general(reversed_lhs_window, rhs)"""
    lhs_dimensions = (
        op["input_batch_dimension"],
        *op["input_spatial_dimensions"],
        op["input_feature_dimension"],
    )
    rhs_dimensions = (
        *op["kernel_spatial_dimensions"],
        op["kernel_input_feature_dimension"],
        op["kernel_output_feature_dimension"],
    )

    def convolve(lhs: Tensor, rhs: Tensor) -> Tensor:
        batches, *lhs_sizes, _ = (lhs.type.shape[d] for d in lhs_dimensions)
        *window, features, output_features = (rhs.type.shape[d] for d in rhs_dimensions)

        def factors(result_index: Index) -> Factors:
            batch, feature = (
                result_index[op["output_batch_dimension"]],
                result_index[op["output_feature_dimension"]],
            )
            output_spatial_index = Index(result_index[d] for d in op["output_spatial_dimensions"])
            batch += split(feature, output_features, op["batch_group_count"], batches)
            first = split(
                feature, output_features, op["feature_group_count"], features * op["feature_group_count"]
            )
            for k in index_space(window):
                spatial = input_spatial_index(op, output_spatial_index, k, window)
                for c in range(features):
                    if spatial is None or not spatial.inside(lhs_sizes):
                        yield None
                    else:
                        lhs_index = place((batch, *spatial, first + c), lhs_dimensions)
                        yield lhs[lhs_index], rhs[place((*k, c, feature), rhs_dimensions)]

        return contract(op, context, factors)

    return (dequantize_op_quantize(convolve, *operands, result_type=op.result.type),)


def input_spatial_index(op: Op, output: Index, k: Index, window: Sequence[int]) -> Index | None:
    """Where kernel position k meets the lhs for an output position; None in a hole of `lhs_dilation`."""
    reversed_k = Index(
        n - 1 - i if r else i for i, n, r in zip(k, window, op["window_reversal"], strict=True)
    )
    low = [low for low, _ in op["padding"]]
    padded = output * op["window_strides"] + reversed_k * op["rhs_dilation"] - low
    index = Index(i // dilation for i, dilation in zip(padded, op["lhs_dilation"], strict=True))
    return index if index * op["lhs_dilation"] == padded else None


def split(feature: int, features: int, groups: int, size: int) -> int:
    """Where the slice of an lhs dimension of that size begins, for the group of an output feature."""
    return feature // (features // groups) * (size // groups)


def place(values: Sequence[int], dimensions: Sequence[int]) -> Index:
    """The index with `index[dimensions[i]] = values[i]`."""
    return Index(value for _, value in sorted(zip(dimensions, values, strict=True)))


def contract(op: Op, context: Context, factors: Callable[[Index], Factors]) -> Tensor:
    """result[i] = fold(add, [0] + products of factors(i)), in the result's element or expressed type."""
    result_type = expressed(op.result.type)
    type = result_type.storage_type
    add, multiply, zero = ADD[kind(type)], MULTIPLY[kind(type)], ZERO[kind(type)]

    def dot_product(i: Index) -> Any:
        products = (zero if pair is None else multiply(*pair, type) for pair in factors(i))
        leaves = [(zero,), *((product,) for product in products)]
        body = lambda x, y: (add(x, y, type),)
        return fold(body, leaves, [True] * len(leaves), context.schedule, seeded=True)[0]

    return build(result_type, dot_product)


OPS = {
    "stablehlo.convolution": OpSpec((), convolution),
    "stablehlo.dot_general": OpSpec((), dot_general),
}
