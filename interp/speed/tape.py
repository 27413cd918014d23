"""Tape of machine instructions, and the arrays of f32 and words that it works on, which live as long as it.

A plan is made with NumPy's arrays: a view (transposed, broadcast, sliced) is one of NumPy, and an instruction
keeps addresses and strides of the arrays that it was written for. Arrays that no value needs any more are
used again. One run at a time may use a tape; `run` tells where another one does.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Sequence
from math import prod
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from interp.backends import windows
from interp.backends.functions import rounded_to_odd
from interp.engine.work import beat

Array = np.ndarray
F32, WORD = np.dtype(np.float32), np.dtype(np.int32)
SIZE = F32.itemsize
ALIGNED = 64  # bytes: of an array's start, and of the slack behind it


class Doubtful(NamedTuple):
    """An instruction that may leave doubtful results: its function in Python, and its arrays."""

    name: str
    function: Callable[[Array], Array]
    out: Array
    x: Array


class Tape:
    """Instructions in order, each a function of the library and words, and the memory of their arrays."""

    def __init__(self) -> None:
        from interp.speed.tape_code import COLUMNS, DOUBTS, library

        self.library, self.columns = library(), COLUMNS  # of a panel
        self.code: list[tuple[int, Array]] = []
        self.doubts = np.zeros(1 + 2 * DOUBTS, np.int64)  # their number, and pairs of addresses
        self.doubtful: dict[int, Doubtful] = {}  # by number of the instruction
        self.free: list[Array] = []
        self.bytes = 0
        self.passing: list[Array] = []
        self.lasting: set[int] = set()  # identities of blocks that are not used again
        self.busy: list[Array] = []  # blocks of what loops carry that are being written
        self.lock = Lock()
        self.keep: list[Any] = []  # arrays of which the words have addresses

    def block(self, size: int) -> Array:
        """Return aligned bytes that are not in use, with slack behind them."""
        fitting = [x for x in self.free if size <= x.size <= 4 * size + 4096]
        if fitting:
            best = min(fitting, key=lambda x: x.size)
            self.free = [x for x in self.free if x is not best]
            return best
        self.bytes += size
        whole = np.zeros(size + 3 * ALIGNED, np.uint8)
        start = -whole.ctypes.data % ALIGNED
        block = np.frombuffer(whole.data[start : start + size + ALIGNED], np.uint8)
        self.keep.append(block)
        return block

    def array(self, shape: Sequence[int], order: Sequence[int] | None = None, dtype: np.dtype = F32) -> Array:
        """Return a new array; `order` lists its dimensions from the outermost in memory."""
        order = range(len(shape)) if order is None else order
        sizes = [shape[d] for d in order]
        block = self.block(prod(shape) * SIZE)
        x = np.ndarray(sizes, dtype, block)
        return x.transpose(np.argsort(order))

    def zeros(self, shape: Sequence[int], order: Sequence[int] | None = None, dtype: np.dtype = F32) -> Array:
        """Return a new array of zeros to which no instruction writes that is not written for it."""
        free, self.free = self.free, []
        x = self.array(shape, order, dtype)
        self.free = free
        self.lasting.add(id(block_of(x)))
        return x

    def temporary(self, x: Array) -> Array:
        """Let an array be used again once the operation is written that is being written."""
        block = block_of(x)
        assert block is not None
        self.passing.append(block)
        return x

    def release(self, block: Array) -> None:
        """Let a block be used again by instructions that are written from now on; not one of `zeros`."""
        if id(block) not in self.lasting and all(block is not each for each in self.busy):
            self.free.append(block)

    def write(self, name: str, words: Iterable[int]) -> Array:
        """Write an instruction, and return its words, which may be replaced until the tape runs."""
        self.code.append((self.library[name], np.array([int(word) for word in words], np.int64)))
        return self.code[-1][1]

    def finish(self) -> None:
        """End the writing of instructions."""
        rows = [(address, words.ctypes.data) for address, words in self.code]
        self.tape = np.array(rows, np.int64).reshape(-1, 2)
        kind = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * 3)
        self.execute, self.address = kind(self.library["execute"]), self.tape.ctypes.data

    def run(self) -> None:
        """Execute all instructions; the caller has the lock."""
        number, self.doubts[0] = 0, 0
        while number < len(self.code):
            number = self.execute(self.address, number, len(self.code))
            if self.doubts[0]:
                self._decide(self.doubtful[number - 1])
            beat()

    def _decide(self, doubtful: Doubtful) -> None:
        """Compute the doubtful results of an instruction again."""
        count, pairs = int(self.doubts[0]), self.doubts[1:].reshape(-1, 2)
        self.doubts[0] = 0
        if count > len(pairs):
            doubtful.out[...] = doubtful.function(doubtful.x)
            return
        for to, operand in pairs[:count].tolist():
            y = rounded_to_odd(doubtful.name, ctypes.c_float.from_address(operand).value)
            ctypes.c_float.from_address(to).value = float(np.float32(y))


def block_of(x: Array) -> Array | None:
    """Return the block of bytes that an array of a tape lies in."""
    while isinstance(x, np.ndarray) and x.dtype != np.uint8:
        x = x.base  # type: ignore[assignment]
    return x if isinstance(x, np.ndarray) else None


def layout(x: Array) -> list[int]:
    """Return the dimensions from the outermost in memory; those that are repeated come first."""
    return sorted(range(x.ndim), key=lambda d: (x.strides[d] != 0, -abs(x.strides[d])))


def address(x: Array) -> int:
    """Return the address of the first element."""
    return x.__array_interface__["data"][0]


def view_by_strides(x: Array, shape: Sequence[int], strides: Sequence[int]) -> Array:
    """Return a view of the same memory from the first element on."""
    block = block_of(x)
    if block is None:
        return np.lib.stride_tricks.as_strided(x, shape, strides)
    return np.ndarray(shape, x.dtype, block, address(x) - address(block), strides)


def collapse(shape: Sequence[int], *strides: Sequence[int]) -> tuple[list[int], list[list[int]]]:
    """Join neighbouring dimensions that all arrays step through evenly; leave out those of size 1."""
    sizes: list[int] = []
    steps: list[list[int]] = [[] for _ in strides]
    for d, size in enumerate(shape):
        if size == 1:
            continue
        here = [each[d] for each in strides]
        if sizes and all(each[-1] == step * size for each, step in zip(steps, here, strict=True)):
            sizes[-1] *= size
            for each, step in zip(steps, here, strict=True):
                each[-1] = step
            continue
        sizes.append(size)
        for each, step in zip(steps, here, strict=True):
            each.append(step)
    return sizes, steps


def write_elementwise(tape: Tape, name: str, out: Array, *operands: Array) -> None:
    """Write `out[...] = name(*operands)`; all have one shape."""
    arrays, order = (out, *operands), layout(out)
    sizes, steps = collapse([out.shape[d] for d in order], *([x.strides[d] for d in order] for x in arrays))
    while len(sizes) < 2:
        sizes.insert(0, 1)
        for each in steps:
            each.insert(0, SIZE if len(sizes) == 2 and len(each) == 0 else 0)
    if sizes[-1] == 1:  # one element
        steps = [[*each[:-1], SIZE] for each in steps]
    *tables, rows, n = sizes
    words = [*map(address, arrays), prod(tables), len(tables), rows, n]
    words += [each[-1] for each in steps] + [each[-2] for each in steps]
    tape.write(name, [*words, *tables, *(step for each in steps for step in each[:-2])])


def write_doubtful(tape: Tape, name: str, function: Callable[[Array], Array], x: Array) -> Array:
    """Write a function whose results may be doubtful: see `tape_functions`. function: the same in Python."""
    out = tape.array(x.shape, layout(x))
    if any(n > 1 and a != b for n, a, b in zip(x.shape, x.strides, out.strides, strict=True)):
        x = tape.temporary(write_copy(tape, x, layout(x)))
    tape.doubtful[len(tape.code)] = Doubtful(name, function, out, x)
    tape.write(name, [tape.doubts.ctypes.data, address(out), address(x), out.size])
    return out


def write_take(tape: Tape, x: Array, index: Array) -> Array:
    """Write `x.flat[index]`."""
    offsets = np.ascontiguousarray(windows.grid(x.shape, x.strides).ravel()[index])
    tape.keep.append(offsets)
    out = tape.array(index.shape, dtype=x.dtype)
    tape.write("take", [address(out), address(x), address(offsets), offsets.size])
    return out


def write_fold(
    tape: Tape, name: str, x: Array, init: Array, dimensions: Sequence[int], results: Sequence[int]
) -> Array:
    """Write a left fold over `dimensions`, in index order, for each index of `results`, and return it.

    The shape of the result is that of the dimensions in `results`.
    """
    shape = [x.shape[d] for d in results]
    strides = [x.strides[d] for d in results]
    order = sorted(range(len(shape)), key=lambda d: -abs(strides[d]))
    out = tape.array(shape, order, x.dtype)
    sizes, (to, steps) = collapse(
        [shape[d] for d in order], [out.strides[d] for d in order], [strides[d] for d in order]
    )
    leaf_sizes, (leaf_steps,) = collapse([x.shape[d] for d in dimensions], [x.strides[d] for d in dimensions])
    if not sizes:
        sizes, to, steps = [1], [SIZE], [SIZE]
    if not leaf_sizes:
        leaf_sizes, leaf_steps = [1], [0]
    *rows, n = sizes
    *leaf_rows, leaves = leaf_sizes
    words = [address(out), address(x), address(init), prod(rows), len(rows), n, steps[-1]]
    words += [prod(leaf_rows), len(leaf_rows), leaves, leaf_steps[-1]]
    suffix = "_words" if x.dtype == WORD else ""
    tape.write(f"fold_{name}{suffix}", [*words, *rows, *to[:-1], *steps[:-1], *leaf_rows, *leaf_steps[:-1]])
    return out


def pad(tape: Tape, x: Array, value: Any, edges: Sequence[windows.Edge], order: Sequence[int]) -> Array:
    """Write a copy of x, padded and dilated; the padding is written now, and stays."""
    shape, taken, there = zip(*map(windows.placement, x.shape, edges), strict=True)
    whole = tape.zeros(shape, order, x.dtype)
    whole[...] = value
    if whole[there].size:
        write_elementwise(tape, "copy", whole[there], x[taken])
    return whole


def write_copy(tape: Tape, x: Array, order: Sequence[int] | None = None) -> Array:
    """Write a copy of x, row-major unless an order of dimensions is given."""
    out = tape.array(x.shape, order, x.dtype)
    write_elementwise(tape, "copy", out, x)
    return out


def keep_as(tape: Tape, x: Array, dtype: np.dtype) -> Array:
    """Return whole numbers of f32 as words, or words that f32 has in f32, for one operation."""
    y = write_as(tape, x, dtype)
    return y if y is x or block_of(y) is None else tape.temporary(y)


def write_as(tape: Tape, x: Array, dtype: np.dtype) -> Array:
    """Write whole numbers of f32 as words, or words that f32 has in f32."""
    if x.dtype == dtype:
        return x
    if block_of(x) is None:
        tape.keep.append(x.astype(dtype))
        return tape.keep[-1]
    out = tape.array(x.shape, layout(x), dtype)
    write_elementwise(tape, "whole_word" if dtype == WORD else "float", out, x)
    return out


def reshape(tape: Tape, x: Array, shape: Sequence[int]) -> Array:
    """Return x in another shape: a view, or a copy where there is none."""
    y = x.reshape(shape)
    if np.may_share_memory(x, y):
        return y
    return write_copy(tape, x).reshape(shape)
