"""Accumulators that hardware may have: a type, what it does on overflow, and how it groups products."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.fold import Leaves, Node, fold
from interp.engine.in_integers import held
from spec.accumulator import Accumulator
from spec.errors import Malformed
from spec.schedule import LEFT, Schedule
from spec.types import ELEMENT_TYPES, ElementType

OWN = {"f16": np.float16, "f32": np.float32, "f64": np.float64}  # rounded once: 24 >= 2 * 11 + 2
CELLS = 1 << 22  # leaves of a chain that NumPy adds
FLOATS = ("f16", "bf16", "f32", "f64")
NAMED = {"maddubs": "i16 saturate blocks(2) i32"}  # x86's pmaddubsw, and vpdpbusd without its sum of four
_TEXT = re.compile(
    r"(i[0-9]{1,2}(?: (?:wrap|saturate))?|f16|bf16|f32|f64)"
    r"(?: (blocks|split)\(([1-9][0-9]*)\)(?: (i[0-9]{1,2}(?: (?:wrap|saturate))?|f16|bf16|f32|f64))?)?"
)
EXPECTED = (
    'expected "i16", "i20 saturate", "f16", "i16 saturate blocks(4) i32": sums of 4 products, summed in i32;'
    ' "i16 split(4) i32": 4 accumulators in turn, summed in i32; or "maddubs"'
)
Held = Accumulator | ElementType


@dataclass(frozen=True)
class Hardware:
    """An accumulator: sums are kept in `inner`; with a `size`, groups of products are, and summed in `outer`.

    grouping: "blocks" of `size` neighbours, or "split": `size` accumulators that take turns.
    """

    inner: Held
    grouping: str = ""
    size: int = 0
    outer: Held | None = None
    name: str = ""

    @property
    def outer_held(self) -> Held:
        """The accumulator that has the final sum."""
        return self.outer or self.inner

    def groups(self, n: int) -> list[range]:
        """Return the numbers of the products, of n, in each group that is summed apart."""
        if self.grouping == "split":
            return [range(i, n, self.size) for i in range(min(self.size, n))]
        size = self.size or 1
        return [range(i, min(i + size, n)) for i in range(0, n, size)]

    def __repr__(self) -> str:
        if self.name or not self.grouping:
            return self.name or _text(self.inner)
        return f"{_text(self.inner)} {self.grouping}({self.size}) {_text(self.outer_held)}"


def hardware(given: str | Hardware | Accumulator) -> tuple[Hardware, ...]:
    """Return the accumulators that a name means: both overflow modes if it names an integer type alone."""
    if isinstance(given, Hardware):
        return (given,)
    if isinstance(given, Accumulator):
        return (Hardware(given),)
    text = NAMED.get(given.strip(), given.strip()) if isinstance(given, str) else ""
    match = _TEXT.fullmatch(text)
    if not match:
        raise Malformed(f"{given!r} is not an accumulator", EXPECTED)
    inner, grouping, size, outer = match.groups()
    name = given.strip() if given.strip() in NAMED else ""
    both = [inner] if inner in FLOATS or " " in inner else [f"{inner} wrap", f"{inner} saturate"]
    last = None if outer is None else _held(outer)
    return tuple(Hardware(_held(one), grouping or "", int(size or 0), last, name) for one in both)


def one(given: int | str | Hardware | Accumulator) -> Hardware:
    """Return the accumulator that a width or a name means; one of integers wraps unless its name says so."""
    if isinstance(given, int):
        return Hardware(Accumulator(given))
    return hardware(given)[0]


def _held(text: str) -> Held:
    if text in FLOATS:
        return ELEMENT_TYPES[text]
    width, _, mode = text.partition(" ")
    return Accumulator(int(width[1:]), mode == "saturate")


def _text(kept: Held) -> str:
    return repr(kept) if isinstance(kept, ElementType) or kept.saturates else f"{kept!r} wrap"


class Arithmetic(NamedTuple):
    """Functions with which a number is added: as it enters, and to another; `hold` is of the init."""

    enter: Callable[[Array], Array]
    add: Callable[[Array, Array], Array]
    hold: Callable[[Array], Array] | None = None  # as `enter`
    dtype: Any = None  # NumPy's, if its own addition has the bits of `add`


def accumulated(
    leaves: Leaves,
    size: int | tuple[int, ...],
    machine: Hardware,
    schedule: Schedule,
    init: Array | int = 0,
    arithmetic_of: Callable[[Held], Arithmetic] | None = None,
) -> Array:
    """Return the sums of leaves `[size]` from init in an accumulator, in a schedule.

    Groups are each summed one after the other, from 0, and the schedule is that of the groups' sums.
    arithmetic_of: the arithmetic of an accumulator, by default `arithmetic`.
    """
    of = arithmetic_of or arithmetic
    seed = np.broadcast_to(init, size)
    if not machine.grouping:
        return _fold(leaves, seed, of(machine.inner), schedule)
    groups = machine.groups(leaves.n)

    def part(i: int) -> State:
        rows = groups[i]
        own = Leaves(len(rows), lambda j: leaves.at(rows[j]), lambda: (_stacked(leaves, rows),))
        return (_fold(own, np.zeros(size, np.int64), of(machine.inner), LEFT),)

    sums = Leaves(len(groups), part, lambda: (np.stack([part(i)[0] for i in range(len(groups))]),))
    return _fold(sums, seed, of(machine.outer_held), schedule)


def _stacked(leaves: Leaves, rows: range) -> Array:
    return np.stack([leaves.at(i)[0] for i in rows])


def _fold(leaves: Leaves, init: Array, arithmetic: Arithmetic, schedule: Schedule) -> Array:
    enter, add, hold, dtype = arithmetic
    if dtype is not None and leaves.n * init.size <= CELLS and (order := chain(schedule, leaves.n + 1)):
        with np.errstate(all="ignore"):
            every = np.concatenate([(hold or enter)(init)[None], enter(leaves.stack()[0])])
            return np.asarray(np.add.accumulate(every[order].astype(dtype), axis=0)[-1], np.float64)
    rows = Leaves(leaves.n, lambda i: (enter(leaves.at(i)[0]),), lambda: (enter(leaves.stack()[0]),))
    body: Callable[[State, State, Node], State] = lambda a, b, node: (add(a[0], b[0]),)
    with np.errstate(all="ignore"):
        (total,), _ = fold(NUMPY, body, ((hold or enter)(init),), rows, schedule)
    return np.asarray(total)


def chain(schedule: Schedule, n: int) -> list[int] | None:
    """Return in which order a schedule adds n leaves one after the other, None if it is another tree.

    A sum does not depend on which of its two operands is the first, so that a leaf may be either.
    """
    if schedule == LEFT:
        return [*range(n)]
    if schedule.name != "tree" or n < 2:
        return None
    order = list[int]()
    for k, (lhs, rhs) in enumerate(schedule.steps(n, True)):
        pair, root = [lhs, rhs], n + k - 1  # the node before this one
        if k:
            if root not in pair:
                return None
            pair.remove(root)
        if any(leaf >= n for leaf in pair):
            return None
        order += pair
    return order


def arithmetic(kept: Held) -> Arithmetic:
    """Return the arithmetic of an accumulator, on integers in int64 or on floats in f64.

    An integer is held after it was added: a product that an accumulator does not hold can leave it in range.
    """
    if isinstance(kept, ElementType):
        enter = lambda x: NUMPY.round_to(x.astype(np.float64), kept).astype(np.float64)
        return Arithmetic(enter, lambda a, b: enter(a + b), dtype=OWN.get(kept.name))
    enter = lambda x: x.astype(np.int64)
    hold = lambda x: held(NUMPY, enter(x), kept)
    return Arithmetic(enter, lambda a, b: held(NUMPY, a + b, kept), hold)
