"""The constraint rows of communication between processes, and those that depend on the process grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spec.errors import Violation
from spec.grid import MANUAL, Grid, ProcessId, manual, programs
from spec.ir import RUN_PARALLEL, Module, Op, Region, Value, callee_names
from spec.processes import by_channel, by_device, cross_partition, flattened_ids
from spec.rules.collectives import is_gathered, is_scattered, pairs_rows
from spec.rules.constraint import SHOWN, C, Constraint, Input, scalar, violations
from spec.rules.control import is_token
from spec.rules.members import ids, shape
from spec.types import ELEMENT_TYPES, FutureType, TensorType, is_tensor

DEVICE_TO_DEVICE, DEVICE_TO_HOST, HOST_TO_DEVICE = 1, 2, 3
TRANSFER = "channel_type, is_host_transfer, source_target_pairs"


def are_payload(values: Sequence[Value]) -> bool:
    """Return whether values are tensors followed by one token."""
    return all(is_tensor(value.type) for value in values[:-1]) and is_token(values[-1])


def only_token(values: Sequence[Value]) -> bool:
    return len(values) == 1 and is_token(values[0])


def string_row(number: int, name: str) -> Constraint:
    formula = f"{name}: constant of type string"
    return Input(number, formula, lambda op: isinstance(op.attributes.get(name, ""), str), name)


TAKES_TOKEN = Input(1, "token: token", lambda op: only_token(op.operands), "type(operands...)")
GIVES_TOKEN = Constraint(
    1, "result: token", lambda op: only_token(op.results), "type(results...)", letter="o"
)
TAKES_PAYLOAD = Input(
    1, "inputs: tensors; token: token", lambda op: are_payload(op.operands), "type(operands...)"
)

PROCESS_ID = (
    Constraint(
        1,
        "result: 0-dimensional tensor of type ui32",
        lambda op: not op.operands and op.result.type == TensorType((), ELEMENT_TYPES["ui32"]),
        SHOWN,
        letter="o",
    ),
)

INFEED = (
    TAKES_TOKEN,
    string_row(2, "infeed_config"),
    C(1, "0 < size(results)", show="size(results)"),
    C(
        2,
        "is_empty(result[:-1]) or is_tensor(type(results[:-1]))",
        show="type(results...)",
    ),
    C(3, "is_token(type(results[-1]))", show="type(results...)"),
)

OUTFEED = (TAKES_PAYLOAD, string_row(3, "outfeed_config"), GIVES_TOKEN)


def transfer(host: tuple[int, ...]) -> tuple[Constraint, ...]:
    """Return the rows of the inputs that define a message's channel; `host` are the host's channel types."""

    def is_typed(op: Op) -> bool:
        return op["channel_type"] in (host if op["is_host_transfer"] else (DEVICE_TO_DEVICE,))

    return (
        scalar(2, "channel_id"),
        Input(4, "is_host_transfer: constant of type i1"),
        Input(5, "source_target_pairs: 2-dimensional tensor constant of type si64"),
        *pairs_rows(1),
        C(
            5,
            "channel_type: the host's if is_host_transfer = true, else DEVICE_TO_DEVICE",
            is_typed,
            TRANSFER,
        ),
        C(
            6,
            "if is_host_transfer = false, source_target_pairs is not empty",
            lambda op: op["is_host_transfer"] or len(op["source_target_pairs"]) > 0,
            TRANSFER,
        ),
    )


SEND = (TAKES_PAYLOAD, *transfer((DEVICE_TO_HOST,)), GIVES_TOKEN)
# The text has DEVICE_TO_HOST here too; every producer writes HOST_TO_DEVICE.
RECV = (
    TAKES_TOKEN,
    *transfer((HOST_TO_DEVICE, DEVICE_TO_HOST)),
    Constraint(
        1,
        "results: tensors, and then a token",
        lambda op: are_payload(op.results),
        "type(results...)",
        letter="o",
    ),
)

ASYNCHRONOUS = {
    f"stablehlo.{name}"
    for name in "all_gather all_reduce all_to_all collective_permute reduce_scatter collective_broadcast "
    "slice dynamic_slice dynamic_update_slice".split()
}


def inner(op: Op) -> Op:
    """Return the operation in the body."""
    return op.regions[0].ops[0]


def passes_arguments(op: Op) -> bool:
    """Return whether the operation in the body takes the body's arguments, or the operands themselves."""
    taken, own = inner(op).operands, op.regions[0].arguments
    types = [value.type for value in op.operands]
    return taken == (own or op.operands) and [value.type for value in taken] == types


ASYNC_START = (
    Input(2, "body: a region", lambda op: len(op.regions) == 1, ""),
    C(1, "body contains a single operation and a return", lambda op: len(op.regions[0].ops) == 2),
    C(
        2,
        "the operation in body is a collective or a slice",
        lambda op: inner(op).name in ASYNCHRONOUS,
        "type(body)",
    ),
    C(3, "the operation in body takes the operands", passes_arguments, "type(operands...), type(body)"),
    C(
        4,
        "if the operation in body returns T, result has type future<T>",
        lambda op: op.result.type == FutureType(types=tuple(v.type for v in inner(op).results)),
        "type(result), type(body)",
    ),
)

ASYNC_DONE = (
    C(
        1,
        "if operand has type future<T>, results have type T",
        lambda op: op.operand.type == FutureType(types=tuple(v.type for v in op.results)),
        SHOWN,
    ),
)

CONSTRAINTS: dict[str, tuple[Constraint, ...]] = {
    "stablehlo.async_done": ASYNC_DONE,
    "stablehlo.async_start": ASYNC_START,
    "stablehlo.infeed": INFEED,
    "stablehlo.outfeed": OUTFEED,
    "stablehlo.partition_id": PROCESS_ID,
    "stablehlo.recv": RECV,
    "stablehlo.replica_id": PROCESS_ID,
    "stablehlo.send": SEND,
}


# The constraints that depend on the process grid, which are checked when a program runs on one.


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


def _check_function(
    module: Module, name: str, grid: Grid, seen: set[tuple[str, Grid]]
) -> Iterator[Violation]:
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
