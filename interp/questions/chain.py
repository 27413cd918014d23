"""`explain` of an element that no fold computed: back to the nearest reductions, constants and arguments.

The values are not kept from the run: the program runs again, and gives only the elements that are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from interp.engine.arguments import function_named
from interp.engine.evaluate import Listener
from interp.engine.facts import facts
from interp.engine.markup import Display
from interp.execute.record import Record
from interp.execute.run import run
from interp.questions.links import Link, exact_result, marks_of, text, type_at
from interp.recorder.event import short
from interp.recorder.layers import layer_of
from interp.recorder.names import Named, find, operations
from interp.recorder.origins import NOT_RUN, Cell, Enough, Origin, Origins, Reading
from spec.errors import Malformed, whole
from spec.ir import Op
from spec.types import is_tensor

# The elements of an operation's operands from which one element of its result comes.

Index = tuple[int, ...]
Numbers = Sequence[Any] | None  # of the deciding elements, once they are known


class Source(NamedTuple):
    """The element `at` of operand number `operand`.

    `followed` is false for an operand that is read but has no part in the result: it was not selected.
    """

    operand: int
    at: Index
    followed: bool = True


def deciding(op: Op, index: Index) -> tuple[Source, ...]:
    """Return the elements whose values decide which other elements are read: indices and predicates."""
    name = op.name.removeprefix("stablehlo.")
    if name == "select":
        return (_same_index(op, 0, index),)
    if name == "dynamic_slice":
        return tuple(Source(k, ()) for k in range(1, len(op.operands)))
    if name == "dynamic_update_slice":
        return tuple(Source(k, ()) for k in range(2, len(op.operands)))
    return _start_indices(op, index) if name == "gather" else ()


def sources(op: Op, k: int, index: Index, decided: Sequence[Any]) -> tuple[Source, ...] | None:
    """Return the elements from which element `index` of result `k` comes, apart from the deciding ones.

    decided: the values of the deciding elements. None if the operation neither computes element by element
    nor moves elements.
    """
    if not all(is_tensor(value.type) for value in (*op.operands, *op.results)):
        return None
    name = op.name.removeprefix("stablehlo.")
    if move := _MOVES.get(name):
        return (move(op, index, decided),)
    if name == "optimization_barrier":
        return (Source(k, index),)
    if name == "select":
        chosen = 1 if decided[0] else 2
        return tuple(_same_index(op, at, index)._replace(followed=at == chosen) for at in (1, 2))
    shape = op.results[k].type.shape
    if facts(op).moves and op.operands[0].type.shape == shape:  # over a mesh, or a simulation's statistics
        return (Source(0, index),)
    if _is_elementwise(op) and op.operands and all(x.type.shape in (shape, ()) for x in op.operands):
        return tuple(_same_index(op, at, index) for at in range(len(op.operands)))
    return None


def _is_elementwise(op: Op) -> bool:
    """Return whether each element of the one result is computed from those at its index."""
    row = facts(op)
    by_element = row.batches or row.error in ("converted", "reinterpreted")
    return by_element and row.family in ("elementwise", "conversion") and len(op.results) == 1


def _same_index(op: Op, operand: int, index: Index) -> Source:
    """Return an operand's element at the result's index; that of a scalar has no index."""
    return Source(operand, index if op.operands[operand].type.rank else ())


def _reshape(op: Op, index: Index, _: Numbers) -> Source:
    flat = np.ravel_multi_index(index, op.result.type.shape) if index else 0
    shape = op.operand.type.shape
    return Source(0, _integers(np.unravel_index(flat, shape)) if shape else ())


def _transpose(op: Op, index: Index, _: Numbers) -> Source:
    found = dict(zip(op["permutation"], index, strict=True))
    return Source(0, tuple(found[d] for d in range(len(index))))


def _broadcast(op: Op, index: Index, _: Numbers) -> Source:
    sizes = zip(op["broadcast_dimensions"], op.operand.type.shape, strict=True)
    return Source(0, tuple(0 if size == 1 else index[d] for d, size in sizes))


def _slice(op: Op, index: Index, _: Numbers) -> Source:
    along = zip(op["start_indices"], index, op["strides"], strict=True)
    return Source(0, tuple(start + i * stride for start, i, stride in along))


def _reverse(op: Op, index: Index, _: Numbers) -> Source:
    sizes = enumerate(zip(index, op.result.type.shape, strict=True))
    return Source(0, tuple(n - 1 - i if d in op["dimensions"] else i for d, (i, n) in sizes))


def _concatenate(op: Op, index: Index, _: Numbers) -> Source:
    d = op["dimension"]
    at = index[d]
    for k, value in enumerate(op.operands):
        if at < value.type.shape[d]:
            return Source(k, (*index[:d], at, *index[d + 1 :]))
        at -= value.type.shape[d]
    raise AssertionError("the operands of a concatenate make up its result")


def _pad(op: Op, index: Index, _: Numbers) -> Source:
    """Return the operand's element there, or the padding value."""
    along = zip(index, op["edge_padding_low"], op["interior_padding"], strict=True)
    placed = [divmod(i - low, interior + 1) for i, low, interior in along]
    sizes = op.operands[0].type.shape
    if all(rest == 0 and 0 <= at < n for (at, rest), n in zip(placed, sizes, strict=True)):
        return Source(0, tuple(at for at, _ in placed))
    return Source(1, ())


def _dynamic_slice(op: Op, index: Index, starts: Numbers) -> Source:
    begin = _clamp_starts(starts or (), op.operands[0].type.shape, op["slice_sizes"])
    return Source(0, tuple(first + i for first, i in zip(begin, index, strict=True)))


def _dynamic_update_slice(op: Op, index: Index, starts: Numbers) -> Source:
    sizes = op.operands[1].type.shape
    begin = _clamp_starts(starts or (), op.operands[0].type.shape, sizes)
    at = tuple(i - first for i, first in zip(index, begin, strict=True))
    inside = all(0 <= i < n for i, n in zip(at, sizes, strict=True))
    return Source(1, at) if inside else Source(0, index)


def _clamp_starts(starts: Sequence[Any], shape: Index, sizes: Index) -> Index:
    """Return start indices moved so that a slice of these sizes lies in the shape."""
    return tuple(min(max(int(x), 0), n - size) for x, n, size in zip(starts, shape, sizes, strict=True))


def _start_indices(op: Op, index: Index) -> tuple[Source, ...]:
    """Return the elements of a gather's `start_indices` that an element of the result reads."""
    shape, vector = op.operands[1].type.shape, op["index_vector_dim"]
    batch = [i for d, i in enumerate(index) if d not in op["offset_dims"]]
    if vector == len(shape):
        return (Source(1, tuple(batch)),)
    return tuple(Source(1, (*batch[:vector], k, *batch[vector:])) for k in range(shape[vector]))


def _gather(op: Op, index: Index, starts: Numbers) -> Source:
    shape, vector = op.operands[0].type.shape, op["index_vector_dim"]
    batch = [i for d, i in enumerate(index) if d not in op["offset_dims"]]
    found = [0] * len(shape)
    for d, start in zip(op["start_index_map"], starts or (), strict=True):
        found[d] = min(max(int(start), 0), shape[d] - op["slice_sizes"][d])
    for d, of in zip(op["operand_batching_dims"], op["start_indices_batching_dims"], strict=True):
        found[d] += batch[of - (of > vector)]
    inner = {*op["collapsed_slice_dims"], *op["operand_batching_dims"]}
    for d, of in zip((d for d in range(len(shape)) if d not in inner), op["offset_dims"], strict=True):
        found[d] += index[of]
    return Source(0, tuple(found))


def _integers(index: Sequence[Any]) -> Index:
    return tuple(map(int, index))


_MOVES: dict[str, Callable[[Op, Index, Numbers], Source]] = {
    "broadcast_in_dim": _broadcast,
    "concatenate": _concatenate,
    "dynamic_slice": _dynamic_slice,
    "dynamic_update_slice": _dynamic_update_slice,
    "gather": _gather,
    "pad": _pad,
    "reshape": _reshape,
    "reverse": _reverse,
    "slice": _slice,
    "transpose": _transpose,
}


Key = tuple[int, int, int, Index]
MOST = 1 << 14  # elements of a chain


class Step(NamedTuple):
    """The origins of what an element was computed from, those that are `followed`, or why it `stops`.

    `name` is that of an argument.
    """

    origins: tuple[Origin, ...]
    followed: tuple[bool, ...] = ()
    stops: str = ""
    name: str = ""


NOT_SELECTED = Step((), (), "not selected")


@dataclass(frozen=True, repr=False)
class Chain(Display):
    """The origin of one element: its link, which leads to those that it was computed from."""

    link: Link

    @property
    def links(self) -> tuple[Link, ...]:
        """Every element of the chain, each once, the explained one first."""
        found: dict[int, Link] = {}
        waiting = [self.link]
        while waiting:
            link = waiting.pop()
            if id(link) not in found:
                found[id(link)] = link
                waiting += reversed(link.sources)
        return tuple(found.values())

    @property
    def ends(self) -> tuple[Link, ...]:
        """The elements at which the chain stops."""
        return tuple(link for link in self.links if link.stops)

    def _repr_text_(self) -> str:
        return text(self.links)


def named_operation(record: Record, name: Any) -> Named | None:
    """Return the operation that a name means, unless it is recorded leaf by leaf; None for a reduction.

    Without a name it is the operation with the worst event that is shown.
    """
    known = operations(record.module)
    if name is not None:
        named = find(name, known, "operation")
        return None if facts(named.op).is_recorded else named
    worst = next((group.worst for group in record.shown), None)
    if worst is None or facts(worst.op).is_recorded:
        return None
    return find(worst.op, known, "operation")._replace(run=worst.run)


def chain(record: Record, named: Named, index: Any = None, k: int = 0) -> Chain:
    """Explain element `index` of result `k` of an operation; without an index, that of its worst event."""
    if whole(k, "result") >= len(named.op.results) or not is_tensor(named.op.results[k].type):
        raise Malformed(f"no tensor is result {k} of {named}", f"it has {len(named.op.results)} results")
    root = Cell(named.op, named.run or 0, k, _index(record, named, index, k))
    walk = _Walk(record)
    walk.grow(root)
    return Chain(walk.link(root))


def _index(record: Record, named: Named, index: Any, k: int) -> Index:
    """Check an index of a result; None gives that of the worst event, or else the first."""
    shape = named.op.results[k].type.shape
    if index is None:
        events = [g.worst for g in record.groups if g.first.op is named.op and g.worst.what == "result"]
        own = [event.index for event in events if event.run == (named.run or 0)]
        index = next((at for at in own if at is not None and k == 0), (0,) * len(shape))
    given = tuple(index) if isinstance(index, tuple | list) else (index,)
    sizes = zip(given, shape, strict=False)
    if len(given) != len(shape) or not all(whole(i, "index") < n for i, n in sizes):
        raise Malformed(f"{index!r} is not an index of {named}", f"its shape is {shape}")
    return tuple(map(int, given))


class _Walk:
    """The elements found so far, by their keys: the steps that lead to them, and their stored values."""

    def __init__(self, record: Record) -> None:
        self.record = record
        entry = function_named(record.module, record.options.get("function", "main")).name
        self.origins = Origins(record.module, entry, self._listen)
        self.cells: dict[Key, Cell] = {}
        self.steps: dict[Key, Step] = {}
        self.values: dict[Key, Any] = {}

    def _listen(self, listener: Listener) -> None:
        with suppress(Enough):
            run(self.record.module, *self.record.args, **{**self.record.options, "listeners": (listener,)})

    def grow(self, root: Cell) -> None:
        """Find every element behind `root`; elements behind indices need the values of these first."""
        waiting = [root]
        while waiting or len(self.values) < len(self.cells):
            waiting = self._expand(waiting)
            missing = [cell for key, cell in self.cells.items() if key not in self.values]
            reading = Reading(missing)
            self._listen(reading)
            self.values |= reading.found
            if any(cell.key not in self.values for cell in missing):
                name = self.origins.name(root)
                raise Malformed(f"{name} has no element {root.at} in this run", NOT_RUN)

    def _expand(self, cells: Sequence[Cell]) -> list[Cell]:
        """Take the steps from these elements as far as known; return those that wait for values."""
        stack, waiting = list(cells), list[Cell]()
        while stack:
            cell = stack.pop()
            self.cells[cell.key] = cell
            if cell.key in self.steps:
                continue
            step = self._step(cell)
            if step is None:
                waiting.append(cell)
                continue
            self.steps[cell.key] = step
            for origin, followed in zip(step.origins, step.followed, strict=True):
                self.cells[origin.cell.key] = origin.cell
                if origin.stops:
                    self.steps[origin.cell.key] = Step((), (), origin.stops, origin.name)
                elif followed:
                    stack.append(origin.cell)
        return waiting

    def _step(self, cell: Cell) -> Step | None:
        """Return the step back from an element; None if indices must be read first, which are noted."""
        op, index = cell.op, cell.at
        if len(self.steps) >= MOST:
            return Step((), (), f"cut here, after {MOST:,} elements: {_ask(self.origins.name(cell), index)}")
        if (passed := self.origins.result_origin(cell)) is not None:
            same = passed.cell.key == cell.key
            return Step((), (), passed.stops) if same else Step((passed,), (True,))
        first = deciding(op, index)
        origins = [self.origins.operand(cell, each.operand, each.at) for each in first]
        if any(origin.cell.key not in self.values for origin in origins):
            for origin in origins:
                self.cells[origin.cell.key] = origin.cell
            return None
        found = sources(op, cell.k, index, [self.values[origin.cell.key] for origin in origins])
        if found is None:
            return Step((), (), _stop(op, self.origins.name(cell), index))
        every = (*first, *found)
        origins += [self.origins.operand(cell, each.operand, each.at) for each in found]
        return Step(tuple(origins), tuple(each.followed for each in every))

    def link(self, root: Cell) -> Link:
        """Return the link of an element, after those of the elements before it."""
        links: dict[Key, Link] = {}
        stack = [root]
        while stack:
            cell = stack[-1]
            before = [origin.cell for origin in self.steps.get(cell.key, NOT_SELECTED).origins]
            if todo := [each for each in before if each.key not in links]:
                stack += todo
                continue
            links[cell.key] = self._link(cell, [links[each.key] for each in before])
            stack.pop()
        return links[root.key]

    def _link(self, cell: Cell, before: Sequence[Link]) -> Link:
        stored, step = self.values[cell.key], self.steps.get(cell.key, NOT_SELECTED)
        if cell.k < 0:
            type = type_at(cell.op.operands[-1 - cell.k], cell.at)
            return Link(step.name, None, cell.at, type, stored, stops=step.stops)
        name, layer = self.origins.name(cell), layer_of(self.record.module, cell.op)
        type = type_at(cell.op.results[cell.k], cell.at)
        if step.stops or not facts(cell.op).computes or len(before) != len(cell.op.operands):
            return Link(name, cell.op, cell.at, type, stored, None, (), tuple(before), step.stops, layer)
        types, numbers = [link.type for link in before], [link.stored for link in before]
        exact = exact_result(cell.op, types, numbers, type)
        marks = marks_of(cell.op, types, numbers, type, stored, self.record.reading)
        return Link(name, cell.op, cell.at, type, stored, exact, marks, tuple(before), layer=layer)


def _stop(op: Op, name: str, index: Index) -> str:
    """Return why the chain stops at an operation, and how to go on."""
    if facts(op).is_recorded:
        return _ask(name, index)
    if not op.operands:
        return short(op)
    return f"{short(op)} is not followed element by element"


def _ask(name: str, index: Index) -> str:
    return f"explain('{name}', {index})"
