"""The constraints that depend on the process grid, which are checked when a program runs on one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from spec.errors import Violation
from spec.grid import Grid, ProcessId
from spec.ir import RUN_PARALLEL, Module, Op, Region, Value, callee_names
from spec.processes import by_channel, by_device, cross_partition, flattened_ids
from spec.program_grid import programs
from spec.rules.collective_rows import is_gathered, is_scattered
from spec.rules.constraint import C, Constraint, violations
from spec.rules.members import ids, shape
from spec.shardings import MANUAL, manual


@dataclass(frozen=True)
class OnGrid:
    """An operation on a process grid; the sizes of the grid are members like the operation's own."""

    op: Op
    grid: Grid

    def __getitem__(self, name: str) -> Any:
        return getattr(self.grid, name) if name in Grid._fields else self.op[name]

    @property
    def operands(self) -> tuple[Value, ...]:
        return self.op.operands

    @property
    def results(self) -> tuple[Value, ...]:
        return self.op.results

    @property
    def groups(self) -> list[list[ProcessId]]:
        """The process groups of all_gather, all_reduce and reduce_scatter."""
        return by_device(self.op)(self.grid, self.op["replica_groups"])


GRID = "num_replicas, num_partitions"


def size_by_device(on: OnGrid) -> int:
    """Return how many ids all groups of an all_gather, all_reduce or reduce_scatter must have together."""
    return on.grid.num_processes if by_device(on.op) is flattened_ids else on.grid.num_replicas


def size_by_channel(on: OnGrid) -> int:
    return on.grid.num_partitions if by_channel(on.op) is cross_partition else on.grid.num_replicas


def count_row(number: int, size: Callable[[OnGrid], int], words: str) -> Constraint:
    return C(
        number,
        f"size(replica_groups) = {words}",
        lambda on: len(ids(on["replica_groups"])) == size(on),
        f"replica_groups, channel_id, {GRID}",
    )


def below_row(number: int, name: str) -> Constraint:
    return C(
        number,
        f"0 <= {name} < N, which is num_replicas, or num_partitions if channel_id > 0",
        lambda on: all(0 <= id < size_by_channel(on) for id in ids(on[name])),
        f"{name}, channel_id, {GRID}",
    )


BY_DEVICE = "num_replicas, or num_processes if use_global_device_ids = true"
BY_CHANNEL = "num_replicas, or num_partitions if channel_id > 0"


def each_size(holds: Callable[[OnGrid, int], bool]) -> Callable[[OnGrid], bool]:
    """Return whether a row holds for the size of every process group."""
    return lambda on: all(holds(on, len(group)) for group in on.groups)


ON_GRID: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.all_gather": (
        count_row(3, size_by_device, BY_DEVICE),
        C(
            6,
            "dim(results..., all_gather_dim) = dim(operands..., all_gather_dim) * dim(process_groups, 1)",
            each_size(lambda on, count: is_gathered(on.op, count)),
            f"all_gather_dim, replica_groups, {GRID}, type(operands...), type(results...)",
        ),
    ),
    "stablehlo.all_reduce": (count_row(2, size_by_device, BY_DEVICE),),
    "stablehlo.all_to_all": (count_row(6, size_by_channel, BY_CHANNEL),),
    "stablehlo.collective_broadcast": (below_row(2, "replica_groups"),),
    "stablehlo.collective_permute": (below_row(4, "source_target_pairs"),),
    "stablehlo.collective_reduce": (below_row(2, "replica_groups"),),
    "stablehlo.reduce_scatter": (
        C(
            1,
            "dim(operand, scatter_dimension) % dim(process_groups, 1) = 0",
            each_size(lambda on, count: shape(on.operands[0])[on["scatter_dimension"]] % count == 0),
            f"scatter_dimension, replica_groups, {GRID}, type(operands...)",
        ),
        count_row(4, size_by_device, BY_DEVICE),
        C(
            8,
            "dim(result, scatter_dimension) = dim(operand, scatter_dimension) / dim(process_groups, 1)",
            each_size(lambda on, count: is_scattered(on.op, count)),
            f"scatter_dimension, replica_groups, {GRID}, type(operands...), type(results...)",
        ),
    ),
    "stablehlo.recv": (below_row(4, "source_target_pairs"),),
    "stablehlo.send": (below_row(4, "source_target_pairs"),),
}


def verify_on_grid(module: Module, name: str, grid: Grid) -> Iterator[Violation]:
    """Yield the violations of these rows by a function, and all functions it runs, on a grid."""
    yield from _check_function(module, name, grid, set())


def _check_function(module: Module, name: str, grid: Grid, seen: set[tuple[str, Grid]]) -> Iterator[Violation]:
    if (name, grid) in seen:
        return
    seen.add((name, grid))
    yield from _check_region(module, module[name].body, grid, seen)


def _check_region(
    module: Module, region: Region, grid: Grid, seen: set[tuple[str, Grid]]
) -> Iterator[Violation]:
    for op in region.ops:
        if rows := ON_GRID.get(op.name, ()):
            short = op.name.rpartition(".")[2]
            yield from violations(rows, OnGrid(op, grid), short, op.location, "strict", "stablehlo")
        inner = grid
        if op.name == RUN_PARALLEL:
            inner = Grid(len(programs(op)), len(programs(op)[0]))
        if op.name == MANUAL:
            inner = Grid(1, manual(op).num_devices)
        for other in callee_names(op):
            yield from _check_function(module, other, inner, seen)
        for body in op.regions:
            yield from _check_region(module, body, inner, seen)
