"""Limits of memory: a program whose arrays cannot fit is refused before it runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from math import prod
from typing import NamedTuple

from interp.backends import NUMPY
from interp.engine.memo import once
from spec.errors import Location, Malformed, Unsupported
from spec.ir import Func, Module, Op, Value, callees, nested_ops

VARIABLE = "INTERP_MEMORY"
INDEX = 8  # bytes
# Operations with `padding`, each with its attributes of spatial dimensions ("": all are) and of dilations.
PADDED = {
    "stablehlo.convolution": ("input_spatial_dimensions", "lhs_dilation"),
    "stablehlo.reduce_window": ("", "base_dilations"),
    "stablehlo.select_and_scatter": ("", ""),
}


class Size(NamedTuple):
    """The size of one array; `itemsize` is in bytes."""

    shape: Sequence[int]
    itemsize: int


Held = Callable[[Op], Iterator[tuple[str, Sequence[Size]]]]


def memory() -> int:
    """Return the limit on the size of arrays, in bytes: `INTERP_MEMORY`, or the machine's memory."""
    given = os.environ.get(VARIABLE)
    if given is None:
        return _physical_memory()
    if not (given.isascii() and given.isdecimal()):
        raise Malformed(f"{VARIABLE}={given}", "give it a number of bytes")
    return int(given)


@cache
def _physical_memory() -> int:
    return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def refuse_sizes(module: Module, func: Func) -> None:
    """Raise `Unsupported` if the arrays that one operation holds at once are larger than the memory."""
    _refuse(module, func, _arrays_at_once)


def refuse_tables(module: Module, func: Func) -> None:
    """Raise `Unsupported` if the index tables, which XLA also needs, are larger than the memory."""
    _refuse(module, func, _tables)


def _refuse(module: Module, func: Func, held: Held) -> None:
    limit = memory()
    for what, arrays, where in _largest(module, func.name, held, limit):
        refuse_size(what, arrays, limit, where)


@once
def _largest(
    module: Module, function: str, held: Held, limit: int
) -> list[tuple[str, Sequence[Size], Location]]:
    """Return the groups of arrays, held at once by a function or its callees, that exceed the limit."""
    return [
        (what, arrays, op.location)
        for name in (function, *sorted(callees(module, function)))
        for op in nested_ops(module[name].body)
        for what, arrays in held(op)
        if _bytes(arrays) > limit
    ]


def refuse_size(what: str, arrays: Sequence[Size], limit: int, where: Location) -> None:
    """Raise `Unsupported` if arrays that are held at once need more bytes than the limit."""
    if (needed := _bytes(arrays)) > limit:
        sizes = " and ".join(f"{'x'.join(map(str, a.shape))} elements of {a.itemsize} bytes" for a in arrays)
        evidence = f"{sizes}, the limit is {limit:,}: set {VARIABLE} to raise it"
        raise Unsupported(f"{what} needs {needed:,} bytes", evidence, where)


def _bytes(arrays: Sequence[Size]) -> int:
    return sum(prod(array.shape) * array.itemsize for array in arrays)


def bytes_of(value: Value) -> int:
    """Return the bytes of one element in its carrier."""
    return NUMPY.carrier(value.type.storage_type).itemsize


def _arrays_at_once(op: Op) -> Iterator[tuple[str, Sequence[Size]]]:
    """Yield the arrays that any run of an operation holds at once, each group with a name for errors."""
    for value in op.results:
        yield f"result {value.name}", [Size(value.type.shape, bytes_of(value))]
    if op.name in ("stablehlo.iota", "stablehlo.pad"):
        yield "a table of indices", [Size([max(op.result.type.shape, default=1)], INDEX)]
    if op.name in PADDED:
        padded = Size(_padded_shape(op), bytes_of(op.operands[0]))
        yield f"{op.operands[0].name}, padded,", [padded]
        yield "a table of indices", [Size([max(padded.shape, default=1)], INDEX)]
        for what, arrays in _tables(op):
            yield f"{op.operands[0].name}, padded, with {what}", [padded, *arrays]


def _tables(op: Op) -> Iterator[tuple[str, Sequence[Size]]]:
    """Yield the tables that an operation needs on NumPy and XLA alike, each with a name for errors."""
    if op.name == "stablehlo.select_and_scatter":
        yield "the table of a window", [Size(op["window_dimensions"], INDEX)]


def _padded_shape(op: Op) -> list[int]:
    """Return the shape of the first operand with its padding and dilation holes."""
    shape = list(op.operands[0].type.shape)
    spatial, dilated = PADDED[op.name]
    dimensions = op[spatial] if spatial else range(len(shape))
    dilations = op[dilated] if dilated else [1] * len(shape)
    for d, (low, high), dilation in zip(dimensions, op["padding"], dilations, strict=True):
        shape[d] = low + max((shape[d] - 1) * dilation + 1, 0) + high
    return shape
