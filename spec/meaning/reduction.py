"""reduce, reduce_window, select_and_scatter: static geometry that builds leaves, then one `fold`.

The constraint rows are in `spec/rules/reduction.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any

from spec.accumulation import Accumulation
from spec.errors import Unsupported
from spec.ir import Op, Region
from spec.meaning.index import Context, Index, Meaning, Order, Results, Tensor, build, index_space
from spec.meaning.integer_arithmetic import entering
from spec.meaning.notation import dequantize, fold, quantize, zero_point_at
from spec.meaning.sums import Number, Sum
from spec.types import ElementType, QuantizedType, TensorType, integer

# Reductions whose body adds, as sums: the numbers of their leaves, for accumulations with an arithmetic.


def adds(body: Region) -> bool:
    """Return whether a body returns the sum of its two arguments, and does nothing else."""
    first = body.ops[0]
    two = len(body.arguments) == 2 and {*first.operands} == {*body.arguments}
    return two and first.name == "stablehlo.add" and first.results == body.returns


def adding(body: Region, leaves: Sequence[tuple[Tensor, ...]], context: Context) -> Sum | None:
    """Return the sum that a fold of a body is, or None if it does not add.

    Quantized elements are added as `q - zero_point` where a node has a type of integers, else as the numbers
    that they represent.
    """
    accumulation = context.schedule
    if not isinstance(accumulation, Accumulation) or not adds(body):
        return None
    type = body.arguments[0].type
    element = type.element_type
    if isinstance(element, QuantizedType):
        return _quantized_sum(type, element, leaves, accumulation)
    if not (element.is_integer or element.kind == "float"):
        refuse(accumulation, f"sums of {element!r}")
        return None
    return Sum(
        [Number(leaf.item, element) for (leaf,) in leaves],
        element,
        lambda total: (Tensor(type, (total,)),),
    )


def _quantized_sum(
    type: TensorType, element: QuantizedType, leaves: Sequence[tuple[Tensor, ...]], accumulation: Accumulation
) -> Sum | None:
    arithmetics = accumulation.arithmetics
    if not all(arithmetic.type for arithmetic in arithmetics):
        refuse(accumulation, f"sums of {element!r} in nodes that name no type")
        return None
    real = TensorType((), element.expressed_type)
    if not any(a.element_type and a.element_type.is_integer for a in arithmetics):
        numbers = [Number(dequantize(leaf).item, element.expressed_type) for (leaf,) in leaves]
        return Sum(numbers, element.expressed_type, lambda x: (quantize(Tensor(real, (x,)), type),))
    point, wide = zero_point_at(type, ()), integer(64, True)

    def state(total: Any) -> tuple[Tensor]:
        return (Tensor(type, (min(max(total + point, element.storage_min), element.storage_max),)),)

    return Sum([Number(leaf.item - point, wide) for (leaf,) in leaves], wide, state)


def refuse(accumulation: Accumulation, what: str) -> None:
    """Raise `Unsupported` for an accumulation that names an arithmetic; the order alone is of any body."""
    if not accumulation.is_plain:
        raise Unsupported(f"{what} in the accumulation {accumulation!r}", "expected an order alone")


Leaf = tuple[Tensor, ...]  # one 0-dimensional tensor for each of the N operands


def reduce(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results...[j0, ..., jR-1] = reduce(inputs...[j0, ..., :, ..., jR-1]), with : inserted at dimensions."""
    inputs, init = enter_operands(op, operands, context)

    def leaves(j: Index) -> Iterator[Leaf]:
        free = iter(j)
        axes = [
            range(n) if d in op["dimensions"] else (next(free),) for d, n in enumerate(inputs[0].type.shape)
        ]
        return (scalars(inputs, index) for index in product(*axes))

    return reduce_leaves(op, context, init, leaves)


def reduce_window(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results...[result_index] = reduce(windows, init_values, axes(inputs...), body)

    The windows are slices of the padded inputs; padding and the holes of base dilation are converted init
    values, ordinary leaves (erratum E10).
    """
    inputs, init = enter_operands(op, operands, context)
    low = [low for low, _ in op["padding"]]

    def leaf(position: Index) -> Leaf:
        holes = [i % dilation for i, dilation in zip(position, op["base_dilations"], strict=True)]
        index = Index(i // dilation for i, dilation in zip(position, op["base_dilations"], strict=True))
        return init if any(holes) or not index.inside(inputs[0].type.shape) else scalars(inputs, index)

    def leaves(result_index: Index) -> Iterator[Leaf]:
        window_start = result_index * op["window_strides"]
        for offset in index_space(op["window_dimensions"]):
            yield leaf(window_start + offset * op["window_dilations"] - low)

    return reduce_leaves(op, context, init, leaves)


def select_and_scatter(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = reduce([source_values], [init_value], [0], scatter)

    source_values are the elements of `source` whose window selected `result_index`.
    """
    operand, source, init_value = operands
    select, scatter = context.bodies
    E = argument_types(op.regions[1])[0]
    sources, init = (entering(x, E, context.reading) for x in (source, init_value))
    windows = {i: window(op, i) for i in index_space(source.type.shape)}
    selected = {i: selected_index(operand, windows[i], select, context.schedule) for i in windows}

    def accumulate(result_index: Index) -> Leaf:
        candidates = [i for i in windows if result_index in windows[i]]
        leaves = [(init,), *(scalars([sources], i) for i in candidates)]
        present = [True, *(selected[i] == result_index for i in candidates)]
        sum = adding(op.regions[1], leaves, context)
        return fold(scatter, leaves, present, context.schedule, True, sum)

    return results_of(op, [E], accumulate, context)


def selected_index(
    operand: Tensor, positions: Sequence[Index], select: Callable[..., Results], schedule: Order
) -> Index | None:
    """Return the index that `select(arg0, arg1) ? arg0 : arg1` keeps of a window, without an init.

    It is None for a window with no position inside the operand (erratum E8).
    """

    def body(a: Index, b: Index) -> tuple[Index]:
        (wins,) = select(*scalars([operand], a), *scalars([operand], b))
        return (a,) if wins.item else (b,)

    present = [i.inside(operand.type.shape) for i in positions]
    if not any(present):
        return None
    (survivor,) = fold(body, [(i,) for i in positions], present, schedule, seeded=False)
    return survivor


def window(op: Op, source_index: Index) -> list[Index]:
    """Return the operand indices of a window in ascending order, including those outside the operand."""
    start = source_index * op["window_strides"] - [low for low, _ in op["padding"]]
    return [start + offset for offset in index_space(op["window_dimensions"])]


def enter_operands(op: Op, operands: Sequence[Tensor], context: Context) -> tuple[list[Tensor], Leaf]:
    """Return inputs and init_values in the types of the body's arguments, each from its own type (E12)."""
    types = argument_types(op.regions[0])
    tensors = [entering(x, E, context.reading) for x, E in zip(operands, types, strict=True)]
    n = len(op.results)
    return tensors[:n], tuple(tensors[n:])


def reduce_leaves(op: Op, context: Context, init: Leaf, leaves: Callable[[Index], Iterator[Leaf]]) -> Results:
    """Return fold(body, [init] + leaves(j)) for each result index j."""

    def accumulate(j: Index) -> Leaf:
        nodes = [init, *leaves(j)]
        sum = adding(op.regions[0], nodes, context)
        return fold(context.bodies[0], nodes, [True] * len(nodes), context.schedule, True, sum)

    return results_of(op, argument_types(op.regions[0])[: len(op.results)], accumulate, context)


def results_of(
    op: Op,
    types: Sequence[ElementType | QuantizedType],
    accumulate: Callable[[Index], Leaf],
    context: Context,
) -> Results:
    """Return the accumulators of all result indices, in the types of the results (E7, E14)."""
    shape = op.results[0].type.shape
    accumulators = {j: accumulate(j) for j in index_space(shape)}
    tensors = (
        build(TensorType(shape, E), lambda j, k=k: accumulators[j][k].item)  # type: ignore[misc]
        for k, E in enumerate(types)
    )
    return tuple(
        entering(x, result.type.element_type, context.reading)
        for x, result in zip(tensors, op.results, strict=True)
    )


def argument_types(body: Region) -> list[ElementType | QuantizedType]:
    """Return E0, ..., EN-1, E0, ..., EN-1 of a body."""
    return [argument.type.element_type for argument in body.arguments]


def scalars(tensors: Sequence[Tensor], index: Sequence[int]) -> Leaf:
    """Return the elements at an index as 0-dimensional tensors."""
    return tuple(Tensor(TensorType((), x.type.element_type), (x[index],)) for x in tensors)


MEANINGS: dict[str, Meaning] = {
    "stablehlo.reduce": reduce,
    "stablehlo.reduce_window": reduce_window,
    "stablehlo.select_and_scatter": select_and_scatter,
}
