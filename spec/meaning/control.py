"""Ops that run functions or regions: calls, loops, maps, sorts, devices, grids; barriers, tuples, tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, product
from typing import Any

from spec.grid import MANUAL, Axis, Grid, Manual, Mesh, infeed, manual, programs
from spec.ir import Op
from spec.meaning.index import Context, Index, Meaning, Results, Tensor, build, index_space
from spec.processes import Process, take_turns
from spec.rules.control import RESHARDINGS
from spec.types import TensorType


def call(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return the results of the function that `callee` names."""
    return context.call(op["callee"].name, operands)


def composite(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results = decomposition(inputs...)"""
    return context.call(op["decomposition"].name, operands)


def while_(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """internal_state = operand; while cond(internal_state): internal_state = body(internal_state)"""
    cond, body = context.bodies
    state = tuple(operands)
    while cond(*state)[0].elements[0]:
        state = body(*state)
    return state


def case(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = selected_branch(), branches[index] if 0 <= index < size(branches), else branches[-1]"""
    index = operands[0].elements[0]
    return context.bodies[index if 0 <= index < len(context.bodies) else -1]()


def if_(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = pred ? true_branch() : false_branch()"""
    true_branch, false_branch = context.bodies
    return true_branch() if operands[0].elements[0] else false_branch()


def map_(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result[result_index] = computation(inputs...[result_index])"""
    (computation,) = context.bodies

    def element(result_index: Index) -> Any:
        args = (Tensor(TensorType((), x.type.element_type), (x[result_index],)) for x in operands)
        return computation(*args)[0].item

    return (build(op.result.type, element),)


def optimization_barrier(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = operand"""
    return tuple(operands)


MEANINGS: dict[str, Meaning] = {
    "func.call": call,
    "stablehlo.composite": composite,
    "stablehlo.while": while_,
    "stablehlo.case": case,
    "stablehlo.if": if_,
    "stablehlo.optimization_barrier": optimization_barrier,
    "stablehlo.map": map_,
}


# Tuples and tokens: values that are not tensors. A tuple's elements are its values; a token has none.


def tuple_(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = (val...)"""
    return (Tensor(op.result.type, tuple(operands)),)


def get_tuple_element(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = operand[index]"""
    (operand,) = operands
    return (operand.elements[op["index"]],)


def after_all(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = a token, which comes after all inputs"""
    return (Tensor(op.result.type, ()),)


TUPLE_MEANINGS: dict[str, Meaning] = {
    "stablehlo.tuple": tuple_,
    "stablehlo.get_tuple_element": get_tuple_element,
    "stablehlo.after_all": after_all,
    "stablehlo.create_token": after_all,
}


# sort: slices along a dimension, ordered by a network of comparisons.
#
# The specification determines the result only if the comparator is a strict weak order and the sort is
# stable. Here every comparator has one result, whatever `is_stable` says. Of two items a and b, a comes
# first
#
# - if comparator(a, b) and not comparator(b, a), and second in the opposite case; - if both or neither
# hold, and a is before b in the input.
#
# The exchanges of `exchanges(n)` are made one after another. For a strict weak order they sort stably.


def sort(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results_together[result_slice] = sort(inputs_together[result_slice], comparator_together)"""
    (comparator,) = context.bodies
    shape = operands[0].type.shape
    adjusted_dimension = op["dimension"] if op["dimension"] >= 0 else len(shape) + op["dimension"]

    def comparator_together(lhs: Index, rhs: Index) -> bool:
        args = [scalar(x, index) for x in operands for index in (lhs, rhs)]
        return comparator(*args)[0].item

    def precedes(a: Index, b: Index) -> bool:
        less, greater = comparator_together(a, b), comparator_together(b, a)
        return less if less != greater else a < b

    operand_index: dict[Index, Index] = {}
    for result_slice in slices(shape, adjusted_dimension):
        operand_index |= zip(result_slice, in_order(result_slice, precedes), strict=True)
    return tuple(build(x.type, lambda i, x=x: x[operand_index[i]]) for x in operands)  # type: ignore[misc]


def scalar(x: Tensor, index: Index) -> Tensor:
    return Tensor(TensorType((), x.type.element_type), (x[index],))


def slices(shape: Sequence[int], d: int) -> Iterator[list[Index]]:
    """Yield the indices of each slice [ri0, ..., :, ..., riR-1], with : at dimension d."""
    for start in index_space((*shape[:d], 1, *shape[d + 1 :])):
        yield [Index((*start[:d], k, *start[d + 1 :])) for k in range(shape[d])]


def in_order(items: Sequence[Index], precedes: Callable[[Index, Index], bool]) -> list[Index]:
    """Return the items after all exchanges, each of which puts the preceding item at the lower place."""
    items = list(items)
    for low, high in exchanges(len(items)):
        if precedes(items[high], items[low]):
            items[low], items[high] = items[high], items[low]
    return items


def exchanges(n: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of places of Batcher's merge exchange (Knuth, volume 3, algorithm 5.2.2M), in order."""
    top = next(2**t for t in count() if 2 ** (t + 1) >= n)
    p = top
    while p > 0:
        q, r, d = top, 0, p
        while True:
            yield from ((i, i + d) for i in range(n - d) if i & p == r)
            if q == p:
                break
            d, q, r = q - p, q // 2, p
        p //= 2


SORTING_MEANINGS: dict[str, Meaning] = {"stablehlo.sort": sort}


# The sdy dialect: computations written for one device of a mesh, and hints about sharding.

Place = Mapping[str, int]  # the coordinate of a device along each axis


def manual_computation(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results = the body's results for each device's part of the operands, assembled"""
    layout = manual(op)
    if context.process.mesh == layout.mesh:
        return inside(op, operands, context, layout)
    places = devices(layout.mesh)
    tasks = {}
    for device, place in places.items():
        parts = parts_of(op, operands, layout, place)
        tasks[0, device] = lambda process, parts=parts: on_device(op, context, process, parts, layout)
    done = take_turns(Grid(1, len(places)), tasks)
    return join(op, layout, {device: done[0, device].results for device in places})


def on_device(op: Op, context: Context, process: Process, parts: list[Tensor], layout: Manual) -> Results:
    process.mesh = layout.mesh
    (body,) = context.at(process).bodies
    return body(*parts)


def inside(op: Op, operands: Sequence[Tensor], context: Context, layout: Manual) -> Results:
    """Return the results within another manual computation on this mesh, whose devices exchange parts."""
    places = devices(layout.mesh)
    me = context.process.id
    (body,) = context.bodies
    mine = body(*parts_of(op, operands, layout, places[me[1]]))
    outer = [name for name, _ in layout.mesh.axes if name not in layout.axes]
    group = [(0, k) for k, place in places.items() if all(place[a] == places[me[1]][a] for a in outer)]
    met = context.process.meet(op, group, mine)
    return join(op, layout, {k: results for (_, k), results in zip(group, met, strict=True)})


def devices(mesh: Mesh) -> dict[int, Place]:
    """Return the coordinates of each device, by its id."""
    names, sizes = [name for name, _ in mesh.axes], [size for _, size in mesh.axes]
    places = [dict(zip(names, place, strict=True)) for place in product(*map(range, sizes))]
    ids = mesh.device_ids or range(len(places))
    return dict(sorted(zip(ids, places, strict=True), key=lambda pair: pair[0]))


def number_along(axes: Sequence[Axis], place: Place, mesh: Mesh) -> tuple[int, int]:
    """Return the number of the part of a dimension that a device has, and the number of parts."""
    number, count, sizes = 0, 1, dict(mesh.axes)
    for axis in axes:
        whole = sizes[axis.name]
        size = axis.size or whole
        coordinate = place[axis.name] // (whole // (axis.pre_size * size)) % size
        number, count = number * size + coordinate, count * size
    return number, count


def start_of(shape: Sequence[int], dimensions: Sequence[Sequence[Axis]], place: Place, mesh: Mesh) -> Index:
    """Return the index at which the part of a device begins; parts have this shape."""
    return Index(
        number_along(axes, place, mesh)[0] * size for axes, size in zip(dimensions, shape, strict=True)
    )


def parts_of(op: Op, operands: Sequence[Tensor], layout: Manual, place: Place) -> list[Tensor]:
    """Return the part of each operand that a device has."""
    rows = zip(operands, op.regions[0].arguments, layout.operands, strict=True)
    return [part(x, value.type, start_of(value.type.shape, d, place, layout.mesh)) for x, value, d in rows]


def part(x: Tensor, type: TensorType, start: Index) -> Tensor:
    return build(type, lambda index: x[index + start])


def join(op: Op, layout: Manual, parts: Mapping[int, Results]) -> Results:
    """Return each result, assembled from the parts of all devices; devices with the same part agree."""
    places, results = devices(layout.mesh), []
    for k, value in enumerate(op.results):
        elements: dict[Index, Any] = {}
        for device, own in parts.items():
            shape = own[k].type.shape
            start = start_of(shape, layout.results[k], places[device], layout.mesh)
            elements.update({index + start: own[k][index] for index in index_space(shape)})
        results.append(build(value.type, elements.__getitem__))
    return tuple(results)


def identity(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = input"""
    return tuple(operands)


def named_computation(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results = body(operands...)"""
    (body,) = context.bodies
    return body(*operands)


def sharding_group(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return nothing: the operation only asks to shard the operand like others."""
    return ()


MANUAL_MEANINGS: dict[str, Meaning] = {
    MANUAL: manual_computation,
    "sdy.named_computation": named_computation,
    "sdy.sharding_group": sharding_group,
    **{f"sdy.{name}": identity for name in RESHARDINGS},
}


# interpreter.run_parallel, which runs functions of its module on a process grid.


def run_parallel(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """results = results of programs[replica_id][partition_id]; each takes the next operands in turn"""
    names = programs(op)
    grid = Grid(len(names), len(names[0]))
    payloads = [context.call(name, ()) for name in infeed(op)]
    rest, tasks = list(operands), {}
    for id in grid.process_ids:
        name = names[id[0]][id[1]]
        count = len(context.module[name].inputs)
        args, rest = rest[:count], rest[count:]
        tasks[id] = lambda process, name=name, args=args: context.at(process).call(name, args)
    done = take_turns(grid, tasks, dict.fromkeys(grid.process_ids, payloads))
    return tuple(x for results, _ in done.values() for x in results)


GRID_MEANINGS: dict[str, Meaning] = {"interpreter.run_parallel": run_parallel}
