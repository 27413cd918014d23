"""Operators with subgraphs: If, Loop and Scan, as regions, or unrolled where shapes or sequences need it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from interp.apps.onnx.loading.build import I1, I64, Folds
from interp.apps.onnx.loading.node import Build, Node, Symbol, element_of, plain, value_in
from spec.errors import InterpError
from spec.ir import Region, Value
from spec.types import TensorType

MOST = 1 << 12  # iterations of a loop that is unrolled


def branch(n: Node) -> list[Symbol]:
    """Return the outputs of the branch that the condition chooses, or both as regions."""
    graphs = [n.attribute("then_branch"), n.attribute("else_branch")]
    if not n.symbol(0).is_known and (results := _branches(n, graphs)):
        return results
    chosen = graphs[0 if n.constant(0).all() else 1]
    return n.scope.graph(chosen, [], n.b)


def _branches(n: Node, graphs: Sequence[Any]) -> list[Symbol]:
    """Return the results of `stablehlo.if`; none if the branches differ in types, or cannot be regions."""
    regions, types = [], []
    for graph in graphs:
        inner = n.b.inner()
        try:
            values = tensors(inner, n.scope.graph(graph, [], inner))
        except InterpError:
            return []
        if values is None:
            return []
        regions.append(inner.block((), values))
        types.append([v.type for v in values])
    if types[0] != types[1] or not types[0]:
        return []
    predicate = n.b.reshape(n.value(0), ())
    return [Symbol(v) for v in n.b.emit_all("if", [predicate], types[0], tuple(regions))]


def tensors(b: Folds, symbols: Sequence[Symbol]) -> list[Value] | None:
    """Return symbols as plain values of a block; None if one of them is not a tensor."""
    if not all(symbol.is_tensor for symbol in symbols):
        return None
    return [plain(b, value_in(b, symbol)) for symbol in symbols]


# Loops: a subgraph that is repeated, with values that it carries on, and results that are stacked.


@dataclass
class Stack:
    """Where the slices of all iterations are stacked: an axis, which counts from the front, or backwards."""

    axis: int = 0
    backwards: bool = False


Feed = Callable[[Folds, Symbol, Symbol, list[Symbol]], list[Symbol]]


@dataclass
class Loop:
    """A subgraph that a node repeats.

    count: the most iterations, or None. condition: whether to begin, or None if only `count` ends the loop;
    the graph's first output then says whether to go on. feed: returns the graph's inputs from the iteration,
    the condition and the values carried on. stacks: those of the graph's last outputs.
    """

    n: Node
    graph: Any
    count: Symbol | None
    condition: Symbol | None
    carried: list[Symbol]
    feed: Feed
    stacks: list[Stack] = field(default_factory=list)

    def results(self) -> list[Symbol]:
        """Return the last carried values, and the stacks; as a `while` if there can be one."""
        results = self.as_while()
        if not results:  # perhaps it needs to know how often it repeats
            for symbol, title in ((self.count, "its trip count"), (self.condition, "its condition")):
                if symbol is not None:
                    self.n.constant_of(symbol, title)
            results = self.as_while() or self.unrolled()
        return results

    def step(
        self, b: Folds, k: Symbol, condition: Symbol, carried: list[Symbol]
    ) -> tuple[Symbol, list[Symbol], list[Symbol]]:
        """Append one iteration, and return the next condition, the values carried on, and the slices."""
        outputs = self.n.scope.graph(self.graph, self.feed(b, k, condition, carried), b)
        first = 0 if self.condition is None else 1
        wanted = first + len(self.carried) + len(self.stacks)
        if len(outputs) != wanted:
            raise self.n.malformed_error(f"its subgraph has {len(outputs)} outputs", f"expected {wanted}")
        last = first + len(self.carried)
        return (outputs[0] if first else true()), outputs[first:last], outputs[last:]

    # As an operation

    def as_while(self) -> list[Symbol]:
        """Return the results of `stablehlo.while`; none if shapes change, or sequences are carried."""
        begins = self.condition is None or (self.condition.is_known and self.condition.to_array().all())
        counts = None if self.count is None or not self.count.is_known else int(self.count.to_array().item())
        if (self.stacks and counts is None) or (counts is not None and counts <= 0):
            return []
        start = tensors(self.n.b, self.carried)
        if start is None:
            return []
        for goes_on in [True, False] if begins and self.count is not None else [False]:
            try:
                built = self._while(start, counts, goes_on)
            except InterpError:
                return []
            if built or self.condition is None:
                return built
        return []

    def _while(self, start: list[Value], counts: int | None, goes_on: bool) -> list[Symbol]:
        """Return the results if the condition always is true (goes_on), or for one that is computed."""
        outer = self.n.b
        inner, names = outer.inner(), [f"{v.name}" for v in start]
        k, on = Value(inner.fresh("iteration"), SCALAR), Value(inner.fresh("condition"), FLAG)
        carried = [Value(inner.fresh(name), v.type) for name, v in zip(names, start, strict=True)]
        condition = true() if goes_on else Symbol(on)
        after, values, slices = self.step(inner, Symbol(k), condition, [Symbol(v) for v in carried])
        following, parts = tensors(inner, values), tensors(inner, slices)
        if following is None or parts is None or [v.type for v in following] != [v.type for v in start]:
            return []
        if not goes_on and self.stacks:
            return []
        if goes_on and not (after.is_known and after.to_array().all()):
            return []
        stacks, buffers = [], []
        for stack, part in zip(self.stacks, parts, strict=True):
            shape = list(part.type.shape)
            shape.insert(stack.axis % (len(shape) + 1), counts or 0)
            buffers.append(outer.full(0, TensorType(tuple(shape), part.type.element_type)))
            stacks.append(Value(inner.fresh(part.name), buffers[-1].type))
        filled = [
            inner.put_row(whole, part, place(inner, k, counts, stack), stack.axis % whole.type.rank)
            for stack, whole, part in zip(self.stacks, stacks, parts, strict=True)
        ]
        state = [outer.full(0, I64), *start, *buffers]
        arguments = [k, *carried, *stacks]
        results = [inner.binary_scalar("add", k, 1), *following, *filled]
        if not goes_on:
            begin = self.condition or true()
            state.append(outer.reshape(plain(outer, value_in(outer, begin)), ()))
            arguments.append(on)
            results.append(inner.reshape(plain(inner, value_in(inner, after)), ()))
        test = self._test(arguments, goes_on)
        body = inner.block(arguments, results)
        types = [v.type for v in state]
        ends = outer.emit_all("while", state, types, (test, body))
        return [Symbol(v) for v in ends[1 : 1 + len(start) + len(buffers)]]

    def _test(self, arguments: list[Value], goes_on: bool) -> Region:
        """Return the region that decides whether there is another iteration."""
        inner = self.n.b.inner()
        copies = [Value(inner.fresh(v.name), v.type) for v in arguments]
        tests = [] if goes_on else [copies[-1]]
        if self.count is not None:
            limit = inner.reshape(plain(inner, value_in(inner, self.count.copy())), ())
            tests.insert(0, inner.compare("LT", copies[0], limit))
        test = tests[0] if len(tests) == 1 else inner.binary("and", *tests)
        return inner.block(copies, [test])

    # As a copy for each iteration

    def unrolled(self) -> list[Symbol]:
        """Return the results of as many copies of the subgraph as there are iterations."""
        n, carried = self.n, self.carried
        most = None if self.count is None else int(n.constant_of(self.count, "its trip count").item())
        slices: list[list[Symbol]] = [[] for _ in self.stacks]
        condition, k = self.condition or true(), 0
        while (most is None or k < most) and n.constant_of(condition, "its condition").all():
            if k == MOST:
                raise n.unsupported_error(f"more than {MOST} iterations, whose shapes or sequences differ")
            condition, carried, parts = self.step(
                n.b, Symbol(array=np.asarray(k, np.int64)), condition, carried
            )
            for each, part in zip(slices, parts, strict=True):
                each.append(part)
            k += 1
        if not k and self.stacks:
            return [*carried, *self.empty_stacks()]
        return [*carried, *(self.stack(*pair) for pair in zip(self.stacks, slices, strict=True))]

    def stack(self, stack: Stack, parts: list[Symbol]) -> Symbol:
        b = self.n.b
        values = tensors(b, parts)
        if values is None or len({v.type for v in values}) > 1:
            raise self.n.malformed_error(f"its iterations give {parts}", "expected tensors of one shape")
        axis = stack.axis % (values[0].type.rank + 1)
        shape = list(values[0].type.shape)
        shape.insert(axis, 1)
        rows = [b.reshape(v, shape) for v in values]
        return Symbol(b.concatenate(rows[::-1] if stack.backwards else rows, axis))

    def empty_stacks(self) -> list[Symbol]:
        """Return the stacks of no iterations, of the shapes that the subgraph declares."""
        found = []
        for stack, info in zip(self.stacks, list(self.graph.output)[-len(self.stacks) :], strict=True):
            shape = [max(d.dim_value, 0) for d in info.type.tensor_type.shape.dim]
            shape.insert(stack.axis % (len(shape) + 1), 0)
            element = element_of(info.type.tensor_type.elem_type)
            found.append(Symbol(self.n.b.full(0, TensorType(tuple(shape), element))))
        return found


SCALAR, FLAG = TensorType((), I64), TensorType((), I1)


def true() -> Symbol:
    return Symbol(array=np.asarray(True))


def place(b: Folds, k: Value, count: int | None, stack: Stack) -> Value:
    """Return the index of an iteration along an axis of `count` elements."""
    return b.binary("subtract", b.full((count or 0) - 1, I64), k) if stack.backwards else k


def loop(n: Node) -> list[Symbol]:
    """Repeat a subgraph up to a trip count, and as long as its condition is true."""
    count, condition = (n.symbol(k) if n.has(k) else None for k in (0, 1))
    carried = [symbol for symbol in n.inputs[2:] if symbol is not None]
    graph = n.attribute("body")
    stacks = [Stack()] * (len(graph.output) - 1 - len(carried))
    feed: Feed = lambda b, k, condition, carried: [k, condition, *carried]
    results = Loop(n, graph, count, condition or true(), carried, feed, stacks).results()
    return results[: len(n.proto.output)]


def scan(n: Node) -> list[Symbol]:
    """Repeat a subgraph for the slices of some inputs; before version 9, for each element of a batch."""
    if n.version < 9:
        return scan_batches(n)
    count = n.attribute("num_scan_inputs")
    symbols = [n.symbol(k) for k in range(len(n.inputs))]
    if not 0 < count <= len(symbols):
        raise n.malformed_error(f"num_scan_inputs {count} of {len(symbols)} inputs")
    stacks = [
        [Stack(*pair) for pair in zip(axes, map(bool, directions), strict=True)]
        for axes, directions in (
            (n.attribute(f"scan_{what}_axes", [0] * size), n.attribute(f"scan_{what}_directions", [0] * size))
            for what, size in (("input", count), ("output", _outputs(n, len(symbols) - count)))
        )
    ]
    return scan_over(n, symbols[:-count], symbols[-count:], stacks[0], stacks[1])


def _outputs(n: Node, states: int) -> int:
    return max(0, len(n.attribute("body").output) - states)


def scan_over(
    n: Node,
    states: list[Symbol],
    inputs: list[Symbol],
    slicing: list[Stack],
    stacks: list[Stack],
) -> list[Symbol]:
    """Repeat a node's subgraph for the slices of inputs."""
    values = [plain(n.b, value_in(n.b, symbol)) for symbol in inputs]
    axes = [n.place(stack.axis, v.type.rank) for stack, v in zip(slicing, values, strict=True)]
    sizes = {v.type.shape[axis] for v, axis in zip(values, axes, strict=True)}
    if len(sizes) != 1:
        raise n.malformed_error(f"the scanned inputs have {sorted(sizes)} slices", "expected as many of each")
    (size,) = sizes

    def feed(b: Folds, k: Symbol, _: Symbol, carried: list[Symbol]) -> list[Symbol]:
        index = value_in(b, k.copy())
        rows = zip(values, axes, slicing, strict=True)
        return [*carried, *(Symbol(b.row_at(v, place(b, index, size, s), axis)) for v, axis, s in rows)]

    count = Symbol(array=np.asarray(size, np.int64))
    return Loop(n, n.attribute("body"), count, None, states, feed, stacks).results()


def scan_batches(n: Node) -> list[Symbol]:
    """Return the results of Scan 8: each element of the batch has its own length, and zeros behind it."""
    count, lengths = n.attribute("num_scan_inputs"), n.value(0) if n.has(0) else None
    values = [n.value(k) for k in range(1, len(n.inputs))]
    directions = [Stack(0, bool(d)) for d in n.attribute("directions", [0] * count)]
    states = len(values) - count
    stacks = [Stack()] * _outputs(n, states)
    batches = []
    for k in range(values[0].type.shape[0]):
        rows = [Symbol(n.b.row(v, k, 0)) for v in values]
        size = rows[-1].type.shape[0]
        if lengths is not None:
            length = int(n.known(lengths, "input 0").reshape(-1)[k])
            if not 0 <= length <= size:
                raise n.malformed_error(f"a length of {length} for {size} slices")
            for row in rows[states:]:
                row.value = n.b.slice_in(value_in(n.b, row), 0, 0, length)
        ends = tensors(n.b, scan_over(n, rows[:states], rows[states:], directions, stacks)) or []
        behind = [pad_behind(n.b, v, size) for v in ends[states:]]
        batches.append([n.b.reshape(v, (1, *v.type.shape)) for v in [*ends[:states], *behind]])
    return [Symbol(n.b.concatenate(parts, 0)) for parts in zip(*batches, strict=True)]


def pad_behind(b: Folds, x: Value, size: int) -> Value:
    """Return x with zeros behind its rows, up to a size."""
    padding = [(0, size - x.type.shape[0]), *[(0, 0)] * (x.type.rank - 1)]
    return b.pad(x, b.full(0, TensorType((), x.type.element_type)), padding)


TABLE: dict[str, Build] = {"If": branch, "Loop": loop, "Scan": scan}
