"""Loops that numba compiles: a step of a fold, recorded as code on numbers, over leaves and columns.

Compiling takes about a second, and is not done for folds that take less. The code is kept by its text: folds
of equal bodies share it, whatever their shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from interp.backends.base import Array, Chunk, Combine, Dtypes, Namespace, State
from interp.backends.scalar_backend import Recording, Scalar

DTYPES = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 bool".split()
WORTH = 1 << 26  # of `work`, from which on compiling takes less time than NumPy does
NOTICED = WORTH >> 6  # of `work`, below which a fold is not even counted
CALL = 600  # columns that NumPy computes in the time of a call
FEW = 8  # columns, up to which one after the other is folded, its state in registers
BLOCK = 1 << 16  # elements
TILE = 256  # columns at least, and more of few leaves
STATE = 1 << 17  # bytes
LOOKED_AT = 1 << 20  # elements, after which counts are looked at,
LEAST_LEAVES, MOST_LEAVES = 1 << 6, 1 << 14  # or so many leaves: counts of 16 bits hold them

FEW_COLUMNS = """
def loop(n, columns, {parameters}):
    for j in range(columns):
        {load_states}
        for i in range(n):
            {load_leaves}
            {code}
            {states} = {results}
        {store_states}
"""
MANY_COLUMNS = """
def loop(n, columns, {parameters}):
    for i in range(n):
        for j in range(columns):
            {load_states}
            {load_leaves}
            {code}
            {states} = {results}
            {store_states}
"""


class Step(NamedTuple):
    """A recorded step: lines that make `results` of numbers s0, s1, ... (state) and x0, x1, ... (leaf)."""

    constants: tuple[str, ...]
    lines: tuple[str, ...]
    results: tuple[str, ...]
    state: tuple[str, ...]  # dtypes
    leaf: tuple[str, ...]

    def source(self, few: bool) -> str:
        """Return the loop as Python source."""
        states, leaves = range(len(self.state)), range(len(self.leaf))
        parts = {
            "parameters": [", ".join([*(f"xs{k}" for k in leaves), *(f"ss{k}" for k in states)])],
            "load_states": [f"s{k} = ss{k}[j]" for k in states],
            "load_leaves": [f"x{k} = xs{k}[i, j]" for k in leaves],
            "code": self.lines,
            "states": [", ".join(f"s{k}" for k in states)],
            "results": [", ".join(self.results)],
            "store_states": [f"ss{k}[j] = s{k}" for k in states],
        }
        template = FEW_COLUMNS if few else MANY_COLUMNS
        return "\n".join([*self.constants, *_fill(template, parts)])


def _fill(template: str, parts: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of a template; a line that is one field becomes as many as its part has."""
    for line in template.splitlines():
        field = line.strip().removeprefix("{").removesuffix("}")
        if field in parts:
            indent = line[: -len(line.lstrip())]
            yield from (indent + text for text in parts[field])
        else:
            yield line.format(**{name: part[0] if part else "pass" for name, part in parts.items()})


def record_step(arrays: Namespace, combine: Combine, state: Dtypes, leaf: Dtypes) -> Step:
    """Record a step of a fold; `Unrecordable` if it is more than straight-line code on numbers."""
    xp = Recording(arrays)
    before = tuple(Scalar(xp, dtype, f"s{k}") for k, dtype in enumerate(state))
    taken = tuple(Scalar(xp, dtype, f"x{k}") for k, dtype in enumerate(leaf))
    after = combine(xp, before, taken)
    results = tuple(xp.cast(x, dtype).name for x, dtype in zip(after, state, strict=True))
    lines = tuple(f"{number.name} = {text}" for text, number in xp.lines.items())
    constants = tuple(f"{name} = {text}" for text, name in xp.constants.items())
    names = (tuple(dtype.name for dtype in dtypes) for dtypes in (state, leaf))
    return Step(constants, lines, results, *names)


@dataclass(frozen=True)
class Compiled:
    """A left fold that is compiled, or will be when it is called."""

    step: Step

    def __call__(
        self, state: State, blocks: Iterable[State], look: Callable[[Chunk], None] | None = None
    ) -> State:
        shape = state[0].shape
        columns = prod(shape)
        after = tuple(np.array(np.broadcast_to(x, shape)).reshape(columns) for x in state)
        loop = compile_loop(self.step.source(columns <= FEW), self.step.leaf, self.step.state)
        first = 0
        for block in blocks:
            leaves = [np.broadcast_to(x, (len(x), *shape)).reshape(len(x), columns) for x in block]
            for rows, part in _parts(leaves, sum(x.itemsize for x in after)):
                copied = tuple(np.require(x[rows, part], requirements=["C", "A"]) for x in leaves)
                views = tuple(x[part] for x in after)
                if look is None:
                    loop(*copied[0].shape, *copied, *views)
                else:
                    _looked_at(look, loop, first + rows.start, part.start, copied, views)
            first += len(leaves[0])
        return tuple(x.reshape(shape) for x in after)


def _looked_at(
    look: Callable[[Chunk], None], loop: Any, first: int, column: int, leaves: State, state: State
) -> None:
    """Run a loop for a few leaves at a time, so that an event among them is found soon."""
    n, columns = leaves[0].shape
    height = min(MOST_LEAVES, max(LEAST_LEAVES, LOOKED_AT // max(columns, 1)))
    for start in range(0, n, height):
        part = tuple(x[start : start + height] for x in leaves)
        before = tuple(x.copy() for x in state)
        loop(*part[0].shape, *part, *state)
        look(Chunk(first + start, column, part, before, state, loop))


def _parts(leaves: Sequence[Array], state: int) -> Iterator[tuple[slice, slice]]:
    """Yield ranges of leaves and columns: all, or what fits a cache; `state` has so many bytes a column."""
    n, columns = leaves[0].shape
    whole = all(x.flags.c_contiguous for x in leaves) and columns * state <= STATE
    width = columns if whole else min(columns, max(TILE, BLOCK // max(n, 1)))
    height = n if whole else BLOCK // max(width, 1)
    for first in range(0, columns, max(width, 1)):
        for row in range(0, n, max(height, 1)):
            yield slice(row, row + height), slice(first, first + width)


work_done: Counter[str] = Counter()


def loop_of(
    arrays: Namespace, combine: Combine, state: Dtypes, leaf: Dtypes, n: int, columns: int
) -> Compiled | None:
    """Return the loop for `Namespace.loop` once compiling it is worthwhile."""
    if (work := n * (columns + CALL)) < NOTICED:
        return None
    try:
        step = record_step(arrays, combine, state, leaf)
    except NotImplementedError:
        return None
    work_done[text := step.source(few=False)] += work
    return Compiled(step) if work_done[text] >= WORTH and available() else None


def worth(n: int, columns: int) -> bool:
    """Return whether one fold takes longer than compiling."""
    return n * (columns + CALL) >= WORTH


@cache
def available() -> bool:
    """Return whether numba is installed and compiles; importing it takes as long as compiling a loop."""
    try:
        from numba.core import config
    except ImportError:
        return False
    return not getattr(config, "DISABLE_JIT", False)


@cache
def compile_loop(source: str, leaf: tuple[str, ...], state: tuple[str, ...]) -> Callable[..., None]:
    """Compile a loop: no products are fused with sums, and nothing is assumed of NaN and infinities."""
    from numba import from_dtype, int64
    from numba.core.types import Array

    from interp.backends import compiling, scalar_functions

    names: dict[str, Any] = {**scalar_functions.FUNCTIONS, "inf": np.inf, "nan": np.nan}
    names["__name__"] = scalar_functions.__name__  # a module to import, for code that is read from a file
    names |= {dtype: getattr(np, dtype) for dtype in DTYPES}
    exec(source, names)
    leaves = [Array(from_dtype(np.dtype(dtype)), 2, "C", readonly=True) for dtype in leaf]
    states = [Array(from_dtype(np.dtype(dtype)), 1, "C") for dtype in state]
    loop = compiling.jit_cached(names["loop"], source)
    loop.compile((int64, int64, *leaves, *states))
    return loop
