"""The constraint rows of send, recv, infeed, outfeed, the process ids, and asynchronous operations."""

from __future__ import annotations

from collections.abc import Sequence

from spec.ir import Op, Value
from spec.rules.collective_rows import is_table, pairs_rows
from spec.rules.common import SHOWN, scalar
from spec.rules.constraint import C, Constraint, Input
from spec.rules.tuples import is_token
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
        lambda op: all(is_tensor(value.type) for value in op.results[:-1]),
        "type(results...)",
    ),
    C(3, "is_token(type(results[-1]))", lambda op: is_token(op.results[-1]), "type(results...)"),
)

OUTFEED = (TAKES_PAYLOAD, string_row(3, "outfeed_config"), GIVES_TOKEN)


def transfer(host: tuple[int, ...]) -> tuple[Constraint, ...]:
    """Return the rows of the inputs that define a message's channel; `host` are the host's channel types."""

    def is_typed(op: Op) -> bool:
        return op["channel_type"] in (host if op["is_host_transfer"] else (DEVICE_TO_DEVICE,))

    return (
        scalar(2, "channel_id"),
        Input(
            4,
            "is_host_transfer: constant of type i1",
            lambda op: isinstance(op["is_host_transfer"], bool),
            "is_host_transfer",
        ),
        Input(
            5,
            "source_target_pairs: 2-dimensional tensor constant of type si64",
            lambda op: is_table(op["source_target_pairs"]),
            "source_target_pairs",
        ),
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
    Input(2, "body: a region", lambda op: len(op.regions) == 1),
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
