"""Activations of regions: which run of a call, loop or branch ran a region, and in which of its runs.

The operations of a region run once in each of its activations. So activation 3 of a function's body holds
the run 3 of each operation in it, counted from 0.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from interp.backends import State
from interp.engine.evaluate import Listener, Place
from interp.engine.memo import once
from spec.errors import Malformed
from spec.ir import Module, Op, Region, callee_names

NOT_RUN = "it did not run, or only in the body of a reduction: explain the reduction"


class Ran(NamedTuple):
    """One run of a call, loop or branch, in which a region had the activations `first`, ..., `last`."""

    op: Op
    run: int
    first: int
    last: int


class Definition(NamedTuple):
    """Definition of a value: result `k` of `op`, or argument `k` of the region if `op` is None."""

    op: Op | None
    k: int


class Scope(NamedTuple):
    """The values that a region defines, and the operation whose region it is (None for a function's body)."""

    region: Region
    parent: Op | None
    function: str
    defined: Mapping[str, Definition]


class Scopes(NamedTuple):
    """The scopes of a module, by the identity of the operations in them, and of their regions."""

    of_op: Mapping[int, Scope]
    of_region: Mapping[int, Scope]


@once
def scopes(module: Module) -> Scopes:
    """Return the scope of every operation and of every region of a module."""
    found = Scopes({}, {})
    waiting: list[tuple[Region, Op | None, str]] = [(f.body, None, f.name) for f in module.functions.values()]
    while waiting:
        region, parent, function = waiting.pop()
        defined = {value.name: Definition(None, k) for k, value in enumerate(region.arguments)}
        defined |= {value.name: Definition(op, k) for op in region.ops for k, value in enumerate(op.results)}
        scope = Scope(region, parent, function, defined)
        found.of_region[id(region)] = scope  # type: ignore[index]
        for op in region.ops:
            found.of_op[id(op)] = scope  # type: ignore[index]
            waiting += [(inner, op, function) for inner in op.regions]
    return found


class Activations(Listener):
    """Listener that counts the runs of operations, and keeps which run of an operation ran a region."""

    sees_nodes = False

    def __init__(self, module: Module) -> None:
        self.module = module
        self.runs = Counter[int]()  # by the identity of an operation
        self.found = defaultdict[int, list[Ran]](list)  # by the identity of a region

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is None:
            for region in inner_regions(self.module, op):
                self._note(op, region)
            self.runs[id(op)] += 1

    def _note(self, op: Op, region: Region) -> None:
        count, ran = self.runs[id(region.ops[0])], self.found[id(region)]
        first = ran[-1].last + 1 if ran else 0
        if count > first:
            ran.append(Ran(op, self.runs[id(op)], first, count - 1))

    def caller(self, region: Region, activation: int) -> Ran:
        """Return the run of the call, loop or branch to which an activation of a region belongs."""
        for ran in self.found[id(region)]:
            if ran.first <= activation <= ran.last:
                return ran
        raise Malformed("the operation has no such run", NOT_RUN)

    def within(self, op: Op, run: int, region: Region) -> Ran | None:
        """Return the activations of a region in one run of its operation; None if there were none."""
        return next((ran for ran in self.found[id(region)] if ran.op is op and ran.run == run), None)


def inner_regions(module: Module, op: Op) -> tuple[Region, ...]:
    """Return the regions that an operation runs: its own, and those of the functions it calls."""
    return (*op.regions, *(module[name].body for name in callee_names(op)))
