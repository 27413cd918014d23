"""Origins of a value's element: which operation computed it, in which run and activation of a region."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from interp.backends import State
from interp.engine.evaluate import Listener, Place
from interp.engine.memo import once
from interp.engine.walk import BRANCHES, LOOP, is_passed_on
from interp.recorder.event import short, signature
from interp.recorder.names import qualifier, qualify, stem
from spec.errors import Malformed
from spec.ir import Module, Op, Region, callee_names, inner_regions

# Activations of regions: which run of a call, loop or branch ran a region, and in which of its runs.
#
# The operations of a region run once in each of its activations. So activation 3 of a function's body holds
# the run 3 of each operation in it, counted from 0.

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


Index = tuple[int, ...]


class Cell(NamedTuple):
    """Element `at` of result `k` of an operation's run; of its operand `-1 - k`, if k is negative."""

    op: Op
    run: int
    k: int
    at: Index

    @property
    def key(self) -> tuple[int, int, int, Index]:
        return id(self.op), self.run, self.k, self.at


class Origin(NamedTuple):
    """Cell that holds the same number as another one.

    `stops` says why no operation before it is known; then `name` is that of the argument that it is.
    """

    cell: Cell
    stops: str = ""
    name: str = ""


class Origins:
    """Finder of the operations that computed a run's values; `listen` runs the program with a listener."""

    def __init__(self, module: Module, entry: str, listen: Callable[[Activations], None]) -> None:
        self.module, self.entry, self.listen = module, entry, listen
        self.scopes = scopes(module)

    @cached_property
    def activations(self) -> Activations:
        found = Activations(self.module)
        self.listen(found)
        return found

    def name(self, cell: Cell) -> str:
        """Return the name of a result: `%4`, `@pool/%4#2`."""
        return qualify(cell.op.results[cell.k].name, qualifier(self.module, cell.op), cell.run)

    def operand(self, cell: Cell, position: int, index: Index) -> Origin:
        """Return the origin of an element of an operand of a cell's operation."""
        read = Cell(cell.op, cell.run, -1 - position, index)
        name = cell.op.operands[position].name
        return self._definition_origin(read, name, self.scopes.of_op[id(cell.op)], cell.run)

    def _definition_origin(self, read: Cell, name: str, scope: Scope, run: int) -> Origin:
        """Return the origin of the value `name`, as it is in activation `run` of a scope's region."""
        definition = scope.defined.get(name)
        if definition and definition.op:
            return Origin(Cell(definition.op, run, definition.k, read.at))
        region, parent = scope.region, scope.parent
        if definition and parent is None and scope.function == self.entry:
            return Origin(read, f"argument {definition.k} of @{self.entry}", name)
        ran = self.activations.caller(region, run)
        outer = self.scopes.of_op[id(ran.op)]
        if definition is None:  # a value from outside the region
            return self._definition_origin(read, name, outer, ran.run)
        if parent is None or (
            parent.name == LOOP and (is_passed_on(parent, definition.k) or run == ran.first)
        ):
            return self._definition_origin(read, ran.op.operands[definition.k].name, outer, ran.run)
        if parent.name == LOOP:
            count = run - ran.first
            return Origin(read, self._iteration(parent, ran.run, definition.k, count, read.at), name)
        return Origin(read, f"argument of the region of {signature(parent)}", name)

    def result_origin(self, cell: Cell) -> Origin | None:
        """Return the origin of a result of a call, branch or loop; None for other operations."""
        op = cell.op
        if callee_names(op):
            return self._return_origin(cell, self.module[callee_names(op)[0]].body)
        if op.name in BRANCHES:
            taken = [r for r in op.regions if self.activations.within(op, cell.run, r)]
            if len(taken) == 1:
                return self._return_origin(cell, taken[0])
            return Origin(cell, "returned by a branch without operations")
        return self._loop_origin(cell) if op.name == LOOP else None

    def _return_origin(self, cell: Cell, region: Region) -> Origin:
        """Return the origin of what a region returned in the run of a call or branch."""
        scope, name = self.scopes.of_region[id(region)], region.returns[cell.k].name
        definition = scope.defined.get(name)
        if definition and definition.op is None:
            return self.operand(cell, definition.k, cell.at)
        ran = self.activations.within(cell.op, cell.run, region)
        if ran is None:
            return Origin(cell, "returned by a region that did not run to its end")
        return self._definition_origin(cell, name, scope, ran.first)

    def _loop_origin(self, cell: Cell) -> Origin:
        """Return the origin of a loop's result: its operand if the loop did not change it."""
        body = cell.op.regions[1]
        ran = self.activations.within(cell.op, cell.run, body)
        if is_passed_on(cell.op, cell.k) or (ran is None and len(body.ops) > 1):
            return self.operand(cell, cell.k, cell.at)
        if ran is None:
            return Origin(cell, "returned by a loop whose body has no operations")
        count = ran.last - ran.first + 1
        return Origin(cell, self._iteration(cell.op, cell.run, cell.k, count, cell.at))

    def _iteration(self, loop: Op, run: int, k: int, count: int, index: Index) -> str:
        """Return the line for the value that iteration `count` of a loop returned, and how to go on."""
        where = f"iteration {count} of {short(loop)} {stem(self.name(Cell(loop, run, 0, index)))}"
        body, ran = loop.regions[1], self.activations.within(loop, run, loop.regions[1])
        definition = self.scopes.of_region[id(body)].defined.get(body.returns[k].name)
        if ran is None or definition is None or definition.op is None:
            return f"returned by {where}"
        last = self.name(Cell(definition.op, ran.first + count - 1, definition.k, index))
        return f"returned by {where}: explain('{last}', {index})"


# Single elements of a run's values, read while the program runs again.

Key = tuple[int, int, int, Index]


class Enough(Exception):
    """Exception that ends a run once every element was read."""


class Reading(Listener):
    """Listener that reads single elements of results and operands."""

    sees_nodes = False

    def __init__(self, cells: Sequence[Cell]) -> None:
        self.count, self.found = len(cells), dict[Key, Any]()
        self.runs = Counter[int]()  # by the identity of an operation
        self.wanted: dict[tuple[int, int], list[Cell]] = {}
        for cell in cells:
            self.wanted.setdefault((id(cell.op), cell.run), []).append(cell)

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is not None:
            return
        for cell in self.wanted.get((id(op), self.runs[id(op)]), ()):
            x = results[cell.k] if cell.k >= 0 else operands[-1 - cell.k]
            if len(cell.at) == x.ndim:  # else a body that runs on whole batches
                self.found[cell.key] = x[cell.at].item()
        self.runs[id(op)] += 1
        if len(self.found) == self.count:
            raise Enough
