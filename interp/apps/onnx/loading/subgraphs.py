"""Operators with subgraphs: If, Loop and Scan, as regions, or unrolled where shapes or sequences need it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from interp.apps.onnx.loading.node import Build, Node, Symbol, element_of, plain, value_in
from interp.loading.build import I1, I64, Folds
from spec.errors import InterpError
from spec.ir import Region, Value
from spec.types import TensorType

MOST = 1 << 10  # iterations of a loop that is unrolled


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
    predicate = scalar(n.b, n.symbol(0))
    return [Symbol(v) for v in n.b.emit_all("if", [predicate], types[0], tuple(regions))]


def tensors(b: Folds, symbols: Sequence[Symbol]) -> list[Value] | None:
    """Return symbols as plain values of a block; None if one of them is not a tensor."""
    if not all(symbol.is_tensor for symbol in symbols):
        return None
    return [plain(b, value_in(b, symbol)) for symbol in symbols]


# Loops: a subgraph that is repeated, with values that it carries on, and results that are stacked.


@dataclass
class Stack:
    """Place where all iterations stack their slices: an axis, counted from the front, or backwards."""

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
    is_counted: bool = False  # the condition is true `count` times

    def results(self) -> list[Symbol]:
        """Return the last carried values, and the stacks; as a `while` if there can be one."""
        if results := self.as_while():
            return results
        if self.stacks and self.condition is not None and (number := self.iterations()):
            how_many = self.n.evaluate(number, "the number of its iterations")
            self.n.b.ops.pop()  # the loop that counts them, which is not needed now
            self.count, self.condition, self.is_counted = Symbol(array=how_many), true(), True
        for symbol, title in ((self.count, "its trip count"), (self.condition, "its condition")):
            if symbol is not None:
                self.n.constant_of(symbol, title)
        return self.as_while() or self.unroll()

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
        count = None if self.count is None or not self.count.is_known else int(self.count.to_array().item())
        if (self.stacks and count is None) or (count is not None and count <= 0):
            return []
        if begins and self.count is not None and (ends := self._while(True, self.stacks, count or 0)):
            return [Symbol(v) for v in ends[1:]]
        if self.stacks or self.condition is None:
            return []
        return [Symbol(v) for v in self._while(False, [], 0)[1:-1]]

    def iterations(self) -> Value | None:
        """Return how often the subgraph repeats; None if it cannot be a `while`."""
        return next(iter(self._while(False, [], 0)), None)

    def _while(self, goes_on: bool, stacks: list[Stack], count: int) -> Sequence[Value]:
        """Return the last state of `while`: iterations, carried values, stacks, and the condition.

        goes_on: whether the condition always is true, and not a part of the state.
        """
        try:
            return self._write_while(goes_on, stacks, count)
        except InterpError:  # the error of the unrolled loop, if there is one, says what cannot be done
            return []

    def _write_while(self, goes_on: bool, stacks: list[Stack], count: int) -> Sequence[Value]:
        outer, inner = self.n.b, self.n.b.inner()
        start = tensors(outer, self.carried)
        if start is None:
            return []
        k, on = Value(inner.fresh("iteration"), SCALAR), Value(inner.fresh("condition"), FLAG)
        carried = [Value(inner.fresh(v.name), v.type) for v in start]
        condition = true() if goes_on else Symbol(on)
        after, values, slices = self.step(inner, Symbol(k), condition, [Symbol(v) for v in carried])
        following, parts = tensors(inner, values), tensors(inner, slices if stacks else [])
        if following is None or parts is None or [v.type for v in following] != [v.type for v in start]:
            return []
        if goes_on and not self.is_counted and not (after.is_known and after.to_array().all()):
            return []
        axes = [stack.axis % (part.type.rank + 1) for stack, part in zip(stacks, parts, strict=True)]
        shapes = [(*v.type.shape[:d], count, *v.type.shape[d:]) for d, v in zip(axes, parts, strict=True)]
        types = [replace(v.type, shape=shape) for v, shape in zip(parts, shapes, strict=True)]
        whole = [Value(inner.fresh(v.name), type) for v, type in zip(parts, types, strict=True)]
        rows = zip(whole, parts, stacks, axes, strict=True)
        filled = [inner.put_row(x, part, place(inner, k, count, s), axis) for x, part, s, axis in rows]
        state = [outer.full(0, I64), *start, *(outer.full(0, type) for type in types)]
        arguments, results = [k, *carried, *whole], [inner.binary_scalar("add", k, 1), *following, *filled]
        if not goes_on:
            state.append(scalar(outer, self.condition or true()))
            arguments.append(on)
            results.append(scalar(inner, after))
        regions = self._test(arguments, goes_on), inner.block(arguments, results)
        return outer.emit_all("while", state, [v.type for v in state], regions)

    def _test(self, arguments: list[Value], goes_on: bool) -> Region:
        """Return the region that decides whether there is another iteration."""
        inner = self.n.b.inner()
        copies = [Value(inner.fresh(v.name), v.type) for v in arguments]
        tests = [] if goes_on else [copies[-1]]
        if self.count is not None:
            tests.insert(0, inner.compare("LT", copies[0], scalar(inner, self.count.copy())))
        test = tests[0] if len(tests) == 1 else inner.binary("and", *tests)
        return inner.block(copies, [test])

    # As a copy for each iteration

    def unroll(self) -> list[Symbol]:
        """Return the results of as many copies of the subgraph as there are iterations."""
        n, carried = self.n, self.carried
        most = None if self.count is None else int(n.constant_of(self.count, "its trip count").item())
        slices: list[list[Symbol]] = [[] for _ in self.stacks]
        condition, k = self.condition or true(), 0
        while (most is None or k < most) and n.constant_of(condition, "its condition").all():
            if k == MOST or (k == 1 and (most or 0) > MOST and condition.is_known):
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


def scalar(b: Folds, symbol: Symbol) -> Value:
    """Return a tensor of one element without dimensions."""
    return b.reshape(plain(b, value_in(b, symbol)), ())


def place(b: Folds, k: Value, count: int, stack: Stack) -> Value:
    """Return the index of an iteration along an axis of `count` elements."""
    return b.binary("subtract", b.full(count - 1, I64), k) if stack.backwards else k


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
            length = int(n.evaluate(lengths, "input 0").reshape(-1)[k])
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
