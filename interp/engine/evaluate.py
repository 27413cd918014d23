"""The loop over operations, the context that a kernel gets, and operands that are constant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, Namespace, State
from interp.engine.facts import facts
from interp.engine.fold import NOTHING, Body, Elementwise, Leaves, Node, Sums, Tally
from interp.engine.memo import once
from interp.engine.prepared import Code, Operations, code, function_of
from interp.engine.processes import ALONE, RUNNING, Process
from interp.engine.work import beat
from spec.accumulator import LITERAL, Reading
from spec.errors import Bug, Malformed, several, short_text
from spec.ir import Module, Op, Region, Value, callee_names, nested_ops
from spec.schedule import LEFT, Schedule

if TYPE_CHECKING:
    from interp.engine.additions import Adding, Addition


ACROSS = -1  # in place of the number of a block: the sum across all blocks


@dataclass(frozen=True)
class Place:
    """Place where a body runs: the operation, which of its regions, and the node of its reduction.

    `columns` are the flat indices of the result elements in the batch; None for all, in the result's shape.
    block: in a contraction that is summed by blocks of scales, the number of the block, or `ACROSS`.
    """

    op: Op
    region: int
    node: Node
    columns: Array | None = None
    block: int | None = None


class Listener:
    """Base of objects that observe a run: every operation, and every node of a fold.

    Arrays are carriers and must not be changed. A listener with `sees_nodes` false lets fast paths run; they
    have no nodes, and call `on_fast_path`. A listener that sees nodes may return from `instead` a fast path
    that it allows all the same.
    """

    sees_nodes = True

    @property
    def process(self) -> tuple[int, int] | None:
        """The ids of replica and partition of the process that runs; None if there is only one process."""
        return RUNNING.get()

    def instead(self, form: Any) -> Any:
        """Return a fast path that keeps this listener's events exact, or None if there is none.

        form: the fast path that would run if there were no listener.
        """
        return None

    def tally(self, op: Op) -> Tally | None:
        """Return what to count in the loop of a left fold in place of seeing its nodes; None to see them."""
        return None if self.sees_nodes else NOTHING

    def sums(self, op: Op) -> Sums | None:
        """Return what to know of a contraction's sums instead of seeing its nodes; None to see them."""
        return None if self.sees_nodes else Sums(frozenset())

    def on_reading(self, reading: Reading) -> None:
        """Hear, before `on_start`, in which reading of quantized operations the program runs."""

    def on_start(self, module: Module) -> None:
        """Hear that a program begins, before its first operation."""

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        """Hear the results of an operation; inside a body, at `place`, the arrays are batches."""

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        """Hear how a reduction converted one of its operands to the body's type."""

    def on_precision(self, op: Op, operand: int, before: Array, after: Array) -> None:
        """Hear how a contraction rounded a dequantized operand to its algorithm's precision type."""

    def on_leaves(self, op: Op, operand: int, before: Array) -> None:
        """Hear, in place of `on_convert`, that a fast path takes an operand without converting it."""

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        """Hear how a fold's accumulator was converted to the type of a result."""

    def on_fold(self, op: Op, region: int, init: State | None, leaves: Leaves, columns: Array | None) -> None:
        """Hear the init and the leaves before they are folded; `columns` restricts the result elements."""

    def on_group(self, op: Op, processes: Sequence[tuple[int, int]], first: tuple[int, ...]) -> None:
        """Hear whose operands a collective of one operand folds, before it does.

        first: the index in them that becomes index 0 of the result, () if it is 0.
        """

    def on_fast_path(self, op: Op, theorem: str, why: str) -> None:
        """Hear that a fast path, justified by `theorem`, replaces a fold; `why` tells why it applies."""

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        """Hear the results of a body for `lhs` and `rhs`."""

    def on_block(self, place: Place, operands: State, total: Array) -> None:
        """Hear what an accumulator holds of a sum of two integers, within a block of a contraction.

        place: its node has the leaves of the whole sum.
        """

    def on_scaled(self, place: Place, operands: State, result: Array) -> None:
        """Hear the sums of a block, the products of their scales, and the scaled sums.

        place: its node is the leaf of the sum across blocks.
        """

    def on_sums(self, op: Op, adding: Adding, reading: Reading) -> None:
        """Hear, before an operation adds along an accumulation, which it is, and in which reading."""

    def on_addition(self, place: Place, addition: Addition) -> None:
        """Hear a node of sums along an accumulation: what entered it, and the result."""

    def on_empty_window(self, op: Op, where: Array) -> None:
        """Hear the source indices whose select_and_scatter windows lie wholly in padding (erratum E8)."""

    def on_equal_indices(self, op: Op, where: Array) -> None:
        """Hear which updates of a scatter violate its `unique_indices`: an earlier one has the same index."""


def listening(listeners: Listener | Iterable[Listener]) -> tuple[Listener, ...]:
    """Return the listeners as a tuple; one alone is accepted. `Malformed` for anything else."""
    found = several(listeners, "listeners", alone=Listener)
    for listener in found:
        if not isinstance(listener, Listener):
            raise Malformed(
                f"{short_text(listener)} is not a listener", "expected an instance of interp.Listener"
            )
    return found


class Context(NamedTuple):
    """Everything that a kernel may use besides its operands; `env` has the values a region may capture.

    process: the process of a grid that runs; by default it is the only one. along: the function that folds
    instead of the schedule, called with this context and the arguments of `kernels.reduce.fold_leaves`.
    around: returns the function to call for an operation in place of its own.
    """

    xp: Namespace
    module: Module
    schedule: Schedule
    operations: Operations
    listeners: tuple[Listener, ...] = ()
    contractions: str = "fold"
    env: Mapping[str, Array] = MappingProxyType({})
    place: Place | None = None
    process: Process = ALONE
    reading: Reading = LITERAL
    along: Callable[..., tuple[State, Array | None]] | None = None
    around: Callable[[Op, Callable[..., Any]], Callable[..., Any]] | None = None

    @property
    def is_watched(self) -> bool:
        """Return whether a listener wants to see the nodes of folds, so that fast paths need permission."""
        return bool(self.listeners) and any(listener.sees_nodes for listener in self.listeners)

    def permit(self, form: Any) -> Any:
        """Return the fast path as restricted by all listeners that see nodes, or None if one forbids it."""
        for listener in self.listeners:
            if listener.sees_nodes and form is not None:
                form = listener.instead(form)
        return form

    def sums(self, op: Op) -> tuple[Sums, ...] | None:
        """Return what the listeners want to know of a contraction's sums; None if one must see the nodes."""
        wanted = tuple(listener.sums(op) for listener in self.listeners)
        return None if None in wanted else tuple(sums for sums in wanted if sums and sums.kinds)

    def run(self, region: Region, args: Sequence[Array]) -> State:
        """Return the values that a region returns for its arguments."""
        return self.running(region)(args)

    def running(self, region: Region) -> Callable[[Sequence[Array]], State]:
        """Return the function `run` for one region, which is then looked up only once."""
        return partial(self._run, code(region, self.xp, self.operations, self.reading))

    def _run(self, code: Code, args: Sequence[Array]) -> State:
        captured, rest, steps, computing, returns, size = code
        frame = [*map(self.env.__getitem__, captured), *args, *rest]
        steps = steps if self.listeners else computing
        if self.around:
            steps = [step._replace(function=self.around(step.op, step.function)) for step in steps]
        for op, function, alone, taken, results, around, dead in steps:
            beat()
            operands = taken(frame)
            if alone:
                frame[results] = (function(*operands),)
            else:
                ctx = self._replace(env={v: frame[k] for v, k in around.items()}) if around else self
                frame[results] = function(ctx, op, *operands)
            for listener in self.listeners:
                listener.on_op(op, tuple(operands), tuple(frame[results]), self.place)
            for k in dead:
                frame[k] = None
        if len(frame) != size:
            raise Bug("a region got other arguments than it takes, or a kernel returned other results")
        return tuple(returns(frame))

    def is_elementwise(self, region: Region) -> bool:
        """Return whether a region on 0-d tensors may run on whole batches at once."""
        known = self.operations.elementwise
        plain = all(op.name in known or callee_names(op) for op in region.ops[:-1])
        return plain and all(self.is_elementwise(self.module[name].body) for name in _callees(region))

    def call(self, function: str, args: Sequence[Array]) -> State:
        """Return the results of a function of the module, called by its name."""
        return self.run(self.module[function].body, args)

    def elements(self, region: Region, args: State, batched: bool) -> State:
        """Return the results of a region on 0-d tensors for each element of equally shaped arrays.

        batched: the region is elementwise, so that it runs once on whole arrays.
        """
        shape = args[0].shape
        if batched:
            return tuple(self.xp.broadcast_to(x, shape) for x in self.run(region, args))
        if not args[0].size:
            return tuple(self.xp.zeros(shape, self.xp.carrier(v.type.storage_type)) for v in region.returns)
        return self.xp.per_element(lambda *elements: self.run(region, elements), args)

    def body(self, op: Op, region: int, columns: Array | None = None) -> Body:
        """Return a region as the body of a fold over batches of result elements, `columns` if given."""
        code = op.regions[region]
        batched = self.is_elementwise(code)

        def apply(lhs: State, rhs: State, node: Node) -> State:
            place = Place(op, region, node, columns)
            here = self._replace(place=place) if self.listeners else self
            results = here.elements(code, (*lhs, *rhs), batched)
            for listener in self.listeners:
                listener.on_node(place, lhs, rhs, results)
            return results

        def combine(xp: Namespace, lhs: State, rhs: State) -> State:
            return self._replace(xp=xp, listeners=()).elements(code, (*lhs, *rhs), batched)

        return Elementwise(apply, combine) if batched and not self.is_watched else apply


@once
def _callees(region: Region) -> list[str]:
    """Return the functions that a region calls, in program order."""
    return [name for op in region.ops[:-1] for name in callee_names(op)]


# Operands that depend on constants alone: they are computed once, by the kernels on NumPy.

FAMILIES = ("elementwise", "conversion", "structure")


def constant_operand(ctx: Context, op: Op, k: int) -> Array | None:
    """Return the value of an operand, as a NumPy carrier, or None if it may depend on arguments."""
    table = _definitions(ctx.module).get(id(op))
    if table is None:
        return None
    ctx = Context(NUMPY, ctx.module, LEFT, ctx.operations)
    with np.errstate(all="ignore"):
        return _value(ctx, table, op.operands[k])


@once
def _definitions(module: Module) -> dict[int, Mapping[str, Op | None]]:
    """Return, by `id(op)`, the operation that defines each name of its function; None if it is not one."""
    found: dict[int, Mapping[str, Op | None]] = {}
    for func in module.functions.values():
        table: dict[str, Op | None] = {value.name: None for value in func.inputs}
        for op in nested_ops(func.body):
            found[id(op)] = table
            for region in op.regions:
                table.update({value.name: None for value in region.arguments})
            for value in op.results:
                table[value.name] = None if value.name in table else op
    return found


def _value(ctx: Context, table: Mapping[str, Op | None], value: Value) -> Array | None:
    op = table.get(value.name)
    if op is None or op.regions or facts(op).family not in FAMILIES or op.name == "stablehlo.custom_call":
        return None
    operands = [_value(ctx, table, each) for each in op.operands]
    if any(x is None for x in operands) or op.name not in ctx.operations.kernels:
        return None
    function, alone = function_of(op, ctx.xp, ctx.operations)
    results = (function(*operands),) if alone else function(ctx, op, *operands)
    return results[[each.name for each in op.results].index(value.name)]
