"""The sdy dialect: computations written for one device of a mesh, and hints about sharding."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.processes import Process, ProcessGrid, Slices, coordinates, slices
from interp.kernels.communication import meeting
from spec.grid import MANUAL, Axis, Manual, Mesh, manual
from spec.ir import Op


def manual_computation(ctx: Context, op: Op, *operands: Array) -> State:
    """Run the body on each device's part of the operands, and assemble the results."""
    layout = manual(op)
    if ctx.process.grid.mesh == layout.mesh:
        return _inside(ctx, op, operands, layout)
    grid = ProcessGrid(1, layout.num_devices)
    grid.mesh = layout.mesh
    if not ctx.xp.in_place:
        return _run_compiled(ctx, op, operands, layout, grid)
    bodies = [partial(_on_device, ctx, op, operands, layout, process) for process in grid.processes]
    return _join(ctx.xp, op, layout, dict(enumerate(grid.run(bodies))))


def _run_compiled(ctx: Context, op: Op, operands: State, layout: Manual, grid: ProcessGrid) -> State:
    """Return the results of devices that run compiled code at the same time."""

    def on_device(number: Array, *operands: Array) -> State:
        return _on_device(ctx, op, operands, layout, Process(grid, number))

    stacked = ctx.xp.on_devices(on_device, layout.num_devices, operands)
    given = {k: tuple(x[k] for x in stacked) for k in range(layout.num_devices)}
    return _join(ctx.xp, op, layout, given)


def _on_device(ctx: Context, op: Op, operands: State, layout: Manual, process: Process) -> State:
    """Return the results of the body on one device."""
    (body,) = op.regions
    rows = zip(operands, body.arguments, layout.operands, strict=True)
    parts = [_part(ctx.xp, x, layout.mesh, process, axes, v.type.shape) for x, v, axes in rows]
    return ctx._replace(process=process).run(body, parts)


def _part(
    xp: Namespace,
    x: Array,
    mesh: Mesh,
    process: Process,
    axes: Sequence[Sequence[Axis]],
    shape: Sequence[int],
) -> Array:
    """Return the part of an operand that a device has."""
    if process.is_known:
        return x[slices(mesh, process.number, axes, shape)]
    starts = [[part.start for part in slices(mesh, k, axes, shape)] for k in coordinates(mesh)]
    first = xp.asarray(starts)[process.number]
    for d, size in enumerate(shape):
        x = x if x.shape[d] == size else xp.take(x, first[d] + xp.arange(size), axis=d)
    return x


def _inside(ctx: Context, op: Op, operands: State, layout: Manual) -> State:
    """Return the results within another manual computation on this mesh, whose devices exchange parts."""
    mine = _on_device(ctx, op, operands, layout, ctx.process)
    place = coordinates(layout.mesh)
    inner, outer = (
        [d for d, (name, _) in enumerate(layout.mesh.axes) if (name in layout.axes) == own]
        for own in (True, False)
    )
    along: dict[tuple[int, ...], list[int]] = {}
    for device in sorted(place, key=lambda k: [place[k][d] for d in inner]):
        along.setdefault(tuple(place[device][d] for d in outer), []).append(device)
    groups = list(map(tuple, along.values()))
    met, _ = meeting(ctx, op, groups, mine)
    return _join(ctx.xp, op, layout, dict(zip(groups[0], met, strict=True)))


class _Part(NamedTuple):
    """The part of a result that a device has, and its slices of the whole."""

    array: Array
    where: Slices


def _join(xp: Namespace, op: Op, layout: Manual, given: Mapping[int, State]) -> State:
    """Return each result, assembled from the parts of all devices; equal parts may be on several devices."""
    results = []
    for k, axes in enumerate(layout.results):
        parts = {}
        for device, own in given.items():
            where = slices(layout.mesh, device, axes, own[k].shape)
            parts[tuple(part.start for part in where)] = _Part(own[k], where)
        results.append(_assemble(xp, list(parts.values()), 0))
    return tuple(results)


def _assemble(xp: Namespace, parts: Sequence[_Part], d: int) -> Array:
    """Concatenate the parts of a tensor along dimension d and all later ones."""
    if d == parts[0].array.ndim:
        return parts[0].array
    rows: dict[int, list[_Part]] = {}
    for part in parts:
        rows.setdefault(part.where[d].start, []).append(part)
    arrays = [_assemble(xp, rows[start], d + 1) for start in sorted(rows)]
    return arrays[0] if len(arrays) == 1 else xp.concatenate(arrays, axis=d)


def identity(ctx: Context, op: Op, operand: Array) -> State:
    """`result = input`."""
    return (operand,)


def named_computation(ctx: Context, op: Op, *operands: Array) -> State:
    """Return the results of the body."""
    (body,) = op.regions
    return ctx.run(body, operands)


def sharding_group(ctx: Context, op: Op, operand: Array) -> State:
    """Return nothing: the operation only asks to shard the operand like others."""
    return ()


KERNELS: dict[str, Callable[..., Any]] = {
    MANUAL: manual_computation,
    "sdy.named_computation": named_computation,
    "sdy.sharding_group": sharding_group,
    "sdy.all_gather": identity,
    "sdy.all_slice": identity,
    "sdy.all_to_all": identity,
    "sdy.collective_permute": identity,
    "sdy.propagation_barrier": identity,
    "sdy.reshard": identity,
    "sdy.sharding_constraint": identity,
}
