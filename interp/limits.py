"""Sizes: what cannot fit into memory is refused before anything runs."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from math import prod

from interp.memo import once
from interp.namespace import NUMPY
from spec.errors import Location, Malformed, Unsupported
from spec.ir import Func, Module, Op, Value, walk
from spec.verify import callees

VARIABLE = "INTERP_MEMORY"


def memory() -> int:
    """How many bytes an array may have: what the environment's `INTERP_MEMORY` says, or the machine has."""
    given = os.environ.get(VARIABLE)
    if given is None:
        return _of_the_machine()
    if not (given.isascii() and given.isdecimal()):
        raise Malformed(f"{VARIABLE}={given}", "give it a number of bytes")
    return int(given)


@cache
def _of_the_machine() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def refuse_sizes(module: Module, func: Func) -> None:
    """Raises `Unsupported` where one array of one operation would be larger than the memory."""
    limit = memory()
    for what, shape, size, where in _largest(module, func.name, limit):
        refuse_size(what, shape, size, limit, where)


@once
def _largest(module: Module, function: str, limit: int) -> list[tuple[str, Sequence[int], int, Location]]:
    """The arrays of a function and of what it calls that are larger than the limit."""
    return [
        (what, shape, size, op.location)
        for name in (function, *sorted(callees(module, function)))
        for op in walk(module[name].body)
        for what, shape, size in _arrays(op)
        if prod(shape) * size > limit
    ]


def refuse_size(what: str, shape: Sequence[int], size: int, limit: int, where: Location) -> None:
    if (needed := prod(shape) * size) > limit:
        sizes = "x".join(map(str, shape))
        evidence = f"{sizes} elements of {size} bytes, the limit is {limit:,}: set {VARIABLE} to raise it"
        raise Unsupported(f"{what} needs {needed:,} bytes", evidence, where)


def bytes_of(value: Value) -> int:
    """Of one element in its carrier."""
    return NUMPY.carrier(value.type.storage_type).itemsize


def _arrays(op: Op) -> Iterator[tuple[str, Sequence[int], int]]:
    """What an operation allocates, where it is large: the name, the shape and the bytes of an element."""
    for value in op.results:
        yield f"result {value.name}", value.type.shape, bytes_of(value)
    if "window_dimensions" in op.attributes:
        yield "the table of a window", op["window_dimensions"], 8
    if "padding" in op.attributes:
        yield f"{op.operands[0].name}, padded,", _padded(op), bytes_of(op.operands[0])
        yield "a table of indices", [max(_padded(op), default=1)], 8
    if op.name in ("stablehlo.iota", "stablehlo.pad"):
        yield "a table of indices", [max(op.result.type.shape, default=1)], 8


def _padded(op: Op) -> list[int]:
    """The shape of the first operand with its padding and dilation holes."""
    shape = list(op.operands[0].type.shape)
    dimensions = op.attributes.get("input_spatial_dimensions", range(len(shape)))
    dilations = op.attributes.get("lhs_dilation", op.attributes.get("base_dilations", [1] * len(shape)))
    for d, (low, high), dilation in zip(dimensions, op["padding"], dilations, strict=True):
        shape[d] = low + max((shape[d] - 1) * dilation + 1, 0) + high
    return shape
