"""The smallest slice of a program on which two implementations differ, and one element of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from pathlib import Path

import numpy as np

from interp.apps.blaming.cut import Flat, before, cut
from interp.apps.blaming.search import Delta
from interp.apps.diagnosing.search import differing
from interp.backends import Array
from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import facts
from interp.engine.inputs import write_program
from interp.engine.tensor import Tensor
from interp.engine.work import Covered, Work
from interp.execute.run import run
from interp.questions.permitted.results import equal
from interp.recorder.event import short
from spec.attributes import Dense
from spec.errors import UNKNOWN, InterpError
from spec.ir import Module, Op, Region, Value
from spec.types import TensorType, is_tensor

# A slice of elementwise operations on one element: the operands of the first result that differs.

Index = tuple[int, ...]
FAMILIES = ("elementwise", "conversion")


def one_element(
    module: Module, args: Sequence[Array], xs: Sequence[Array], ys: Sequence[Array]
) -> tuple[Module, list[Array]] | None:
    """Return the program of one element of a result in which `xs` and `ys` differ, and its arguments.

    None if an operation is not elementwise, a broadcast or a reshape, or an element needs two of one value.
    """
    body = module.main.body
    for value, x, y in zip(body.returns, xs, ys, strict=True):
        if len(places := np.argwhere(np.atleast_1d(~equal(x, y)))):
            index = tuple(map(int, places[0])) if x.ndim else ()
            chosen = _choose_elements(body.ops[:-1], value, index)
            return None if chosen is None else _program(module, args, value, chosen)
    return None


def _choose_elements(ops: Sequence[Op], value: Value, index: Index) -> dict[str, Index] | None:
    """Return the element of each value on which one element of a result depends, by name."""
    chosen = {value.name: index}
    for op in reversed(ops):
        if not any(v.name in chosen for v in op.results):
            continue
        if len(op.results) > 1 or op.regions:
            return None
        for operand in op.operands:
            at = _operand_index(op, operand, chosen[op.result.name])
            if at is None or chosen.setdefault(operand.name, at) != at:
                return None
    return chosen


def _operand_index(op: Op, operand: Value, index: Index) -> Index | None:
    """Return which element of an operand an element of the result needs, None if that is not known."""
    types = [v.type for v in (operand, op.result)]
    if any(not is_tensor(t) or t.is_quantized or None in t.shape for t in types):
        return None
    shape, name = operand.type.shape, short(op)
    if name == "broadcast_in_dim":
        places = (index[d] for d in op["broadcast_dimensions"])
        return tuple(0 if size == 1 else k for size, k in zip(shape, places, strict=True))
    if name == "reshape":
        flat = int(np.ravel_multi_index(index, op.result.type.shape)) if index else 0
        return tuple(map(int, np.unravel_index(flat, shape))) if shape else ()
    row = facts(op)
    if row.family not in FAMILIES or not row.batches:
        return None
    return index if shape == op.result.type.shape else () if not shape else None


def _program(
    module: Module, args: Sequence[Array], value: Value, chosen: Mapping[str, Index]
) -> tuple[Module, list[Array]]:
    """Return the program on tensors of one element each, and its arguments."""
    main = module.main
    body = _Body(chosen)
    pairs = [(v, x) for v, x in zip(main.inputs, args, strict=True) if v.name in chosen]
    ops = [body.op(op) for op in main.body.ops[:-1] if op.results[0].name in chosen]
    end = replace(main.body.ops[-1], operands=(body.value(value),))
    region = Region(tuple(body.value(v) for v, _ in pairs), (*ops, end))
    functions = {**module.functions, main.name: replace(main, body=region, results=(body.value(value).type,))}
    arrays = [np.ascontiguousarray(x[chosen[v.name]]).reshape(1) for v, x in pairs]
    return replace(module, functions=functions), arrays


@dataclass
class _Body:
    """Writer of operations whose values have one element each."""

    chosen: Mapping[str, Index]
    values: dict[str, Value] = field(default_factory=dict)

    def value(self, old: Value) -> Value:
        type = TensorType((1,), old.type.element_type)
        return self.values.setdefault(old.name, replace(old, type=type))

    def op(self, op: Op) -> Op:
        results = tuple(map(self.value, op.results))
        operands = tuple(map(self.value, op.operands))
        attributes = dict(op.attributes)
        if short(op) == "broadcast_in_dim":
            attributes["broadcast_dimensions"] = (0,)
        if isinstance(dense := attributes.get("value"), Dense):
            attributes["value"] = _element(dense, self.chosen[op.result.name], results[0].type)
        return replace(op, operands=operands, results=results, attributes=attributes)


def _element(dense: Dense, index: Index, type: TensorType) -> Dense:
    """Return the constant of one element of a constant."""
    size = numpy_dtype(type.storage_type).itemsize
    shape = dense.type.shape
    assert prod(shape) > 0
    place = 0 if dense.splat or not shape else int(np.ravel_multi_index(index, shape))
    return Dense(type, bytes(dense.data)[place * size : (place + 1) * size], splat=True)


POINTS = 8  # values of which the first that differs is looked for
DEPTHS = (1, 2, 3, 5, 8)  # operations in a row that are tried before halving
Runs = Callable[[Module, Sequence[Array]], list[Array]]


@dataclass(frozen=True, eq=False)
class Slice:
    """Operations of a program, as a program of their own, on which an implementation still differs.

    cause: the pass that makes the difference, "" if none is named. operations: each with its place and its
    name in the whole program. module, args: the slice, and the values that its arguments had in a run of the
    whole program by the engine. theirs: the implementation's results. others: the results without the cause.
    ours: those of the engine. unequal: the number of elements, of `size`, in which `theirs` are not `others`.
    minimal: no operation can be left out; it is false if the deadline came before, or if the implementation
    gave no results on some slice that was tried. failure: why there are no results of the implementation
    ("XLA's process died (signal 11)"), "" if there are. permitted: the reading in which some schedule of the
    specification gives `theirs`, "" if none is known to.
    """

    cause: str
    operations: tuple[str, ...]
    module: Module
    args: tuple[Array, ...]
    theirs: tuple[Array, ...]
    others: tuple[Array, ...]
    ours: tuple[Array, ...]
    minimal: bool
    failure: str = ""
    permitted: str = ""

    @property
    def unequal(self) -> int:
        """The number of elements that differ: all, if there are no results."""
        return self.size if self.failure else differing(self.theirs, self.others)

    @property
    def size(self) -> int:
        """The number of elements of all results."""
        return sum(x.size for x in self.others)

    @property
    def by_engine(self) -> bool:
        """Return whether the engine gives the results without the cause, bit for bit."""
        return differing(self.ours, self.others) == 0

    @property
    def first(self) -> tuple[int, tuple[int, ...]]:
        """The first result with a difference, and the index of its first element that differs."""
        for k, (x, y) in enumerate(zip(self.theirs, self.others, strict=True)):
            if len(places := np.argwhere(np.atleast_1d(~equal(x, y)))):
                return k, tuple(map(int, places[0])) if x.ndim else ()
        raise ValueError("no difference")

    def save(self, folder: str | Path, name: str = "slice") -> list[Path]:
        """Write the program and its arguments, `slice.mlir` and `slice0.npy`, ..., and return the files."""
        return write_program(self.module, self.args, Path(folder), name)


@dataclass
class Slicer:
    """Search for the smallest slice on which `left` and `right` differ.

    proof: the results of both and of the engine on the slice that was last seen to differ. refused: the
    number of slices on which one of the two gave no results.
    """

    program: Flat
    left: Runs
    right: Runs
    work: Work
    schedule: str = "left"
    mode: str = "mlir"
    proof: tuple[list[Array], list[Array], list[Array]] = field(default=([], [], []))
    refused: int = 0

    def smallest(self, cause: str = "") -> Slice | None:
        """Return the smallest slice with a difference, None if the whole function has none, cut this way."""
        near = self.work.attempt(self.suspects)
        if near is None:
            self.work.covered.append(Covered("operations", 0, len(self.program.ops)))
        if not near:
            return None
        search = Delta(self.differs, self.work, "operations")
        self.refused = 0
        ops = search.smallest(near)
        return self.slice(ops, cause, not search.late and not self.refused)

    def suspects(self) -> Sequence[Op]:
        """Return some operations that differ, none if the whole function does not; `OutOfTime` if late."""
        near = self._near()
        return near if near is not self.program.ops or self.differs(near) else ()

    def _near(self) -> Sequence[Op]:
        """Return some operations that differ, near the first whose result differs where several are returned.

        All operations if there are none: what differs may need more than these, and only halving finds it.
        """
        ops: Sequence[Op] = self.program.ops
        while len(ops) > 2 * POINTS:
            step = -(-len(ops) // POINTS)
            place = self._first(ops, ops[step - 1 :: step])
            if place is None:
                return ops
            near = (ops[max(0, place * step - more) : (place + 1) * step] for more in (0, step))
            window = next((each for each in near if self.differs(each)), None)
            if window is None:
                return ops
            ops = window
        place = self._first(ops, ops)
        slices = (before(self.program, ops[place], depth) for depth in DEPTHS) if place is not None else ()
        return next((each for each in slices if self.differs(each)), ops)

    def _first(self, ops: Sequence[Op], wanted: Sequence[Op]) -> int | None:
        """Return the place of the first of some operations whose results differ, None if there is none."""
        module, args = cut(self.program, ops, wanted)
        sides = (self._run(self.left, module, args), self._run(self.right, module, args))
        owners = [k for k, op in enumerate(wanted) for _ in op.results]
        triples = zip(owners, *sides, strict=False)
        return next((k for k, x, y in triples if differing([x], [y])), None)

    def _run(self, runs: Runs, module: Module, args: Sequence[Array]) -> list[Array]:
        try:
            return runs(module, args)
        except InterpError:
            return []

    def slice(self, ops: Sequence[Op], cause: str, minimal: bool) -> Slice | None:
        """Return the slice that was seen to differ; of one element, if that is enough to differ."""
        module, args = cut(self.program, ops)
        small = one_element(module, args, *self.proof[:2])
        if small is not None and self.work.attempt(lambda: self._differs(*small)):
            module, args = small
        theirs, others, ours = self.proof
        again = self.work.attempt(lambda: self.left(module, args))
        if again is not None and not differing(again, others):
            return None  # not the same results twice
        named = tuple(map(self.heading, ops))
        return Slice(cause, named, module, tuple(args), tuple(theirs), tuple(others), tuple(ours), minimal)

    def heading(self, op: Op) -> str:
        """Return an operation's place in the source, without its callers, and its name in the program."""
        at = op.location
        label = at.name.partition(", called at")[0].partition("called at")[0]
        name = f"{short(op)} {self.program.name(op)}"
        return name if at == UNKNOWN else f"{at._replace(name=label)} {name}"

    def differs(self, ops: Sequence[Op]) -> bool:
        """Return whether the two differ on the slice of some operations; not if one of them gives nothing."""
        return self._differs(*cut(self.program, ops))

    def _differs(self, module: Module, args: Sequence[Array]) -> bool:
        """Return whether the left one differs from the engine, and from the right one."""
        try:
            theirs, ours = self.left(module, args), self.engine(module, args)
            if not differing(theirs, ours):
                return False
            others = self.right(module, args)
        except InterpError:
            self.refused += 1
            return False
        if differing(theirs, others):
            self.proof = theirs, others, ours
            return True
        return False

    def engine(self, module: Module, args: Sequence[Array]) -> list[Array]:
        """Return the results of the engine."""
        return [x.storage for x in run(module, *args, schedule=self.schedule, mode=self.mode) if _is(x)]


def _is(x: object) -> bool:
    return isinstance(x, Tensor)
