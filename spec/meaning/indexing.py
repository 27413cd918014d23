"""Ops with start indices or geometry as operands: dynamic slices, gather, scatter and the dynamic ops."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from spec.errors import Unspecified
from spec.ir import Op
from spec.meaning import contraction, structure
from spec.meaning.index import Context, Index, Meaning, Results, Tensor, build, index_space
from spec.meaning.integer_arithmetic import entering
from spec.meaning.notation import fold
from spec.meaning.reduction import Leaf, adding, argument_types, results_of, scalars
from spec.rules.dynamism import DYNAMIC, static


def dynamic_slice(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = slice(operand, adjusted_start_indices, adjusted_start_indices + slice_sizes, 1s)"""
    operand, *start_indices = operands
    starts = zip(start_indices, operand.type.shape, op["slice_sizes"], strict=True)
    adjusted_start_indices = [clamp(start.elements[0], dim - size) for start, dim, size in starts]
    return (build(op.result.type, lambda result_index: operand[result_index + adjusted_start_indices]),)


def dynamic_update_slice(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = update at adjusted_start_indices + update_index, operand elsewhere"""
    operand, update, *start_indices = operands
    starts = zip(start_indices, operand.type.shape, update.type.shape, strict=True)
    adjusted_start_indices = [clamp(start.elements[0], dim - size) for start, dim, size in starts]

    def element(result_index: Index) -> Any:
        update_index = result_index - adjusted_start_indices
        return update[update_index] if update_index.inside(update.type.shape) else operand[result_index]

    return (build(op.result.type, element),)


def clamp(start: int, most: int) -> int:
    return max(0, min(start, most))


def gather(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = operand[full_start_index + full_batching_index + full_offset_index]"""
    operand, start_indices = operands
    shape, vector = operand.type.shape, op["index_vector_dim"]
    dropped = {*op["collapsed_slice_dims"], *op["operand_batching_dims"]}
    if 0 in shape and 0 not in op.result.type.shape:
        raise Unspecified("gather reads an element of nothing", f"operand: {op.operands[0]!r}", op.location)

    def operand_index(result_index: Index) -> Index:
        batch_index = [i for d, i in enumerate(result_index) if d not in op["offset_dims"]]
        offset_index = iter(i for d, i in enumerate(result_index) if d in op["offset_dims"])
        total = [0] * len(shape)
        starts = start_index(start_indices, batch_index, vector)
        for d, start in zip(op["start_index_map"], starts, strict=True):
            read = 1 if d in dropped else op["slice_sizes"][d]  # also where a dropped slice has size 0
            total[d] += clamp(start, shape[d] - read)
        batching = zip(op["operand_batching_dims"], op["start_indices_batching_dims"], strict=True)
        for d, d_batching in batching:
            total[d] += batch_index[d_batching - (d_batching > vector)]
        for d in range(len(shape)):
            if d not in dropped:
                total[d] += next(offset_index)
        return Index(total)

    return (build(op.result.type, lambda result_index: operand[operand_index(result_index)]),)


MEANINGS: dict[str, Meaning] = {
    "stablehlo.dynamic_slice": dynamic_slice,
    "stablehlo.dynamic_update_slice": dynamic_update_slice,
    "stablehlo.gather": gather,
}


# scatter: each element of inputs, folded with the updates that land on it.


def scatter(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results...[result_index] = fold(update_computation, [inputs...[result_index]] + landing updates...)

    The updates are in ascending order of their index. The schedule's tree is over the leaves of one element:
    its own value, which is leaf 0 and occurs once, followed by the updates that land on it. The schedule
    `left` is therefore `exec(index_space(updates[0]), inputs)`. An update whose result_index is out of bounds
    is ignored.
    """
    n = len(op.results)
    types = argument_types(op.regions[0])
    inputs = [entering(x, E, context.reading) for x, E in zip(operands[:n], types[:n], strict=True)]
    updates = [entering(x, E, context.reading) for x, E in zip(operands[n + 1 :], types[n:], strict=True)]
    landing: dict[Index, list[Index]] = defaultdict(list)
    for update_index in index_space(updates[0].type.shape):
        landing[result_index(op, operands[n], update_index)].append(update_index)

    def accumulate(index: Index) -> Leaf:
        leaves = [scalars(inputs, index), *(scalars(updates, i) for i in landing[index])]
        sum = adding(op.regions[0], leaves, context)
        return fold(context.bodies[0], leaves, [True] * len(leaves), context.schedule, False, sum)

    return results_of(op, types[:n], accumulate, context)


def result_index(op: Op, scatter_indices: Tensor, update_index: Index) -> Index:
    """full_start_index + full_batching_index + full_window_index"""
    vector, rank = op["index_vector_dim"], op.operands[0].type.rank
    update_scatter_index = [i for d, i in enumerate(update_index) if d not in op["update_window_dims"]]
    update_window_index = iter(update_index[d] for d in op["update_window_dims"])
    total = [0] * rank
    starts = start_index(scatter_indices, update_scatter_index, vector)
    for d_input, start in zip(op["scatter_dims_to_operand_dims"], starts, strict=True):
        total[d_input] += start
    batching = zip(op["input_batching_dims"], op["scatter_indices_batching_dims"], strict=True)
    for d_input, d_start in batching:
        total[d_input] += update_scatter_index[d_start - (0 if d_start < vector else 1)]
    for d_input in range(rank):
        if d_input not in op["inserted_window_dims"] and d_input not in op["input_batching_dims"]:
            total[d_input] += next(update_window_index)
    return Index(total)


def start_index(indices: Tensor, at: Sequence[int], vector: int) -> list[int]:
    """indices[i0, ..., :, ..., iN], with `:` inserted at `vector`, if that is a dimension of indices."""
    if vector == len(indices.type.shape):
        return [indices[Index(at)]]
    return [indices[Index([*at[:vector], k, *at[vector:]])] for k in range(indices.type.shape[vector])]


SCATTER_MEANINGS: dict[str, Meaning] = {"stablehlo.scatter": scatter}


# Ops whose geometry is an operand, by the static op with these elements; and get_dimension_size.


def dynamic(meaning: Meaning) -> Meaning:
    """Return the meaning of an op from that of its static op, with operands in place of attributes."""

    def identical(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
        positions = DYNAMIC[op.name].geometry.values()
        made = static(op, [nest(operands[k].type.shape, operands[k].elements) for k in positions])
        return meaning(made, [x for k, x in enumerate(operands) if k not in positions], context)

    return identical


def nest(shape: Sequence[int], elements: Sequence[Any]) -> Any:
    """Return the elements of a list or a matrix as tuples."""
    if len(shape) == 1:
        return tuple(elements)
    rows, columns = shape
    return tuple(tuple(elements[i * columns : (i + 1) * columns]) for i in range(rows))


def get_dimension_size(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = dim(operand, dimension)"""
    return (Tensor(op.result.type, (operands[0].type.shape[op["dimension"]],)),)


DYNAMISM_MEANINGS: dict[str, Meaning] = {
    "stablehlo.dynamic_broadcast_in_dim": dynamic(structure.broadcast_in_dim),
    "stablehlo.dynamic_conv": dynamic(contraction.convolution),
    "stablehlo.dynamic_gather": dynamic(gather),
    "stablehlo.dynamic_iota": dynamic(structure.iota),
    "stablehlo.dynamic_pad": dynamic(structure.pad),
    "stablehlo.dynamic_reshape": dynamic(structure.reshape),
    "stablehlo.get_dimension_size": get_dimension_size,
    "stablehlo.real_dynamic_slice": dynamic(structure.slice),
}
