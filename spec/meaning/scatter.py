"""scatter: each element of inputs, folded with the updates that land on it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Index, Tensor, index_space
from spec.meaning.integer_arithmetic import entering
from spec.meaning.notation import fold
from spec.meaning.reduced_sums import adding
from spec.meaning.reduction import Leaf, argument_types, results_of, scalars


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
