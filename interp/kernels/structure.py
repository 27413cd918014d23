"""Operations that create or move elements without computing: constant, iota and the shape operations.

The storage of a quantized element is moved unchanged.
"""

from __future__ import annotations

from collections.abc import Callable

from interp.backends import Array, Namespace
from interp.backends.windows import limit_steps
from interp.engine.prepared import Preparation
from interp.engine.quant import convert, quantize
from interp.engine.storage import expressed_type
from spec.ir import Op
from spec.types import ELEMENT_TYPES, QuantizedType

Function = Callable[..., Array]


def constant(xp: Namespace, op: Op) -> Function:
    """`output = value`."""
    dense, type = op["value"], op.result.type
    output = xp.constant_tensor(dense.data, type.storage_type, type.shape, dense.splat)
    return lambda: output


def iota(xp: Namespace, op: Op) -> Function:
    """`output[output_index] = output_index[iota_dimension]`, quantized where the output is."""
    type, d = op.result.type, op["iota_dimension"]
    element, index = type.element_type, xp.arange(type.shape[d]).astype(xp.int64)
    column = convert(xp, index, ELEMENT_TYPES["i64"], expressed_type(element))
    if isinstance(element, QuantizedType):
        column = quantize(xp, column, element)
    sizes = [type.shape[d] if k == d else 1 for k in range(type.rank)]
    output = xp.broadcast_to(column.reshape(sizes), type.shape)
    return lambda: output


def broadcast_in_dim(xp: Namespace, op: Op) -> Function:
    """`result[i] = operand[j]`, where `j[d] = i[broadcast_dimensions[d]]`, or 0 for size 1."""
    order, sizes, result = *_placement(op), op.result.type.shape
    if sizes == [*result] and order == sorted(order):
        return lambda operand: operand.reshape(sizes)
    return lambda operand: xp.broadcast_to(xp.transpose(operand, order).reshape(sizes), result)


def _placement(op: Op) -> tuple[list[int], list[int]]:
    """Return how a result orders an operand's dimensions, and their sizes, 1 where it repeats them."""
    dimensions, shape = op["broadcast_dimensions"], op.operand.type.shape
    order = sorted(range(len(shape)), key=dimensions.__getitem__)
    sizes = [1] * op.result.type.rank
    for d, size in zip(dimensions, shape, strict=True):
        sizes[d] = size
    return order, sizes


def reshape(xp: Namespace, op: Op) -> Function:
    """`result` has the elements of `operand` in the same row-major order."""
    shape = op.result.type.shape
    return lambda operand: operand.reshape(shape)


def transpose(xp: Namespace, op: Op) -> Function:
    """`result[i] = operand[j]`, where `i[d] = j[permutation[d]]`."""
    permutation = op["permutation"]
    return lambda operand: xp.transpose(operand, permutation)


def slice_(xp: Namespace, op: Op) -> Function:
    """`result[result_index] = operand[start_indices + result_index * strides]`."""
    strides = limit_steps(op["strides"], op.operands[0].type.shape)
    parts = zip(op["start_indices"], op["limit_indices"], strides, strict=True)
    index = tuple(slice(*part) for part in parts)
    return lambda operand: operand[index]


def pad(xp: Namespace, op: Op) -> Function:
    """`result[edge_padding_low + i * (interior_padding + 1)] = operand[i]`, elsewhere `padding_value`."""
    edges = list(zip(op["edge_padding_low"], op["edge_padding_high"], op["interior_padding"], strict=True))
    return lambda operand, padding_value: xp.pad_with(operand, padding_value, edges)


def concatenate(xp: Namespace, op: Op) -> Function:
    """`result` is `inputs` one after another along `dimension`."""
    dimension = op["dimension"]
    return lambda *inputs: xp.concatenate(inputs, axis=dimension)


def reverse(xp: Namespace, op: Op) -> Function:
    """`result[result_index] = operand[operand_index]`, where indices in `dimensions` count from the end."""
    dimensions = op["dimensions"]
    return lambda operand: xp.flip(operand, dimensions)


def keep_storage(prepare: Preparation, moved: int | None = None) -> Preparation:
    """Return a preparation whose results are known in storage where the first operand is: it moves that, too.

    moved: how many operands have the elements, if others have indices.
    """

    def prepare_both(xp: Namespace, op: Op) -> Function:
        move, types = prepare(xp, op), [value.type.element_type for value in op.operands[:moved]]
        are_floats = all(type == SPREAD[0] for type in types)

        def move_both(*operands: Array) -> Array:
            result, makers = move(*operands), [xp.maker(x) for x in operands[:moved]]
            if makers[0] is None or not (are_floats or all(makers)):
                return result

            def move_stored() -> Array | None:
                stored = [make() if make else None for make in makers]
                if stored[0] is None or not (are_floats or all(x is not None for x in stored)):
                    return None
                given = zip(operands, stored, strict=False)
                every = [xp.encode(x, SPREAD[0]) if y is None else y for x, y in given]
                return move(*every, *operands[len(every) :])

            return xp.keep_stored(result, move_stored)

        return move if xp.in_place else move_both

    return prepare_both


def _keep_spread(xp: Namespace, op: Op) -> Function:
    """Return `broadcast_in_dim`, whose results are known as what they repeat."""
    move, (order, sizes), shape = broadcast_in_dim(xp, op), _placement(op), op.result.type.shape
    if not xp.chains or op.operand.type.element_type not in SPREAD:
        return keep_storage(broadcast_in_dim)(xp, op)
    return lambda operand: xp.keep_spread(move(operand), operand, order, sizes, shape)


SPREAD = ELEMENT_TYPES["f32"], ELEMENT_TYPES["i1"]
MOVES: dict[str, Preparation] = {
    "stablehlo.reshape": reshape,
    "stablehlo.transpose": transpose,
    "stablehlo.slice": slice_,
    "stablehlo.pad": pad,
    "stablehlo.concatenate": concatenate,
    "stablehlo.reverse": reverse,
}

PREPARED: dict[str, Preparation] = {
    "stablehlo.constant": constant,
    "arith.constant": constant,
    "stablehlo.iota": iota,
    **{name: keep_storage(prepare) for name, prepare in MOVES.items()},
    "stablehlo.broadcast_in_dim": _keep_spread,
}
