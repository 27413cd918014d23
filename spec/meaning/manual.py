"""The sdy dialect: computations written for one device of a mesh, and hints about sharding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from spec.grid import Grid
from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Index, Tensor, build, index_space
from spec.processes import Process, take_turns
from spec.rules.manual import RESHARDINGS
from spec.shardings import MANUAL, Axis, Manual, Mesh, manual
from spec.types import TensorType

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
