"""The nodes of a program's graphs, by the names that a trace and a survey give to operations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from interp.apps.model_explorer.shades import Shades, shade
from interp.recorder.event import short
from interp.recorder.names import Named, find, operations
from spec.errors import Malformed
from spec.ir import Module

Worse = Callable[[float, float], float]


class Node(NamedTuple):
    """A node: its graph and its id there."""

    graph: str
    id: str


class Kind(NamedTuple):
    """A kind of node data: its name, and the number and the colour of each node; counts add up."""

    name: str
    numbers: Mapping[Node, float]
    colors: Mapping[Node, str]
    counts: bool = False


class Nodes:
    """The nodes of the graphs of a program."""

    def __init__(self, program: Module) -> None:
        self.program = program
        self.known = operations(program)
        self.by_name = {str(named): named for named in self.known}

    def named(self, name: str, kind: str) -> Node:
        """Return the node of an operation, `%4`, `@pool/%4`, or of one of its runs, `%4#2`.

        `Malformed` if there is none, or if it is of another kind than `add` or the like.
        """
        run = re.sub(r"#\d+$", "", name)
        named = self.by_name.get(name) or self.by_name.get(run) or find(name, self.known, "operation")
        if short(named.op) != kind:
            what = f"{name} is {short(named.op)}, and was {kind} in the survey"
            raise Malformed("the survey is of another program", what)
        return _node(named)

    def of(self, module: Module) -> Mapping[int, Node]:
        """Return the nodes of a module's operations, by `id(op)`; `Malformed` if it is another program.

        The names of values may differ, as between text and bytecode.
        """
        if module is not self.program and module != self.program:
            remedy = "give the program that ran: if sizes were unknown, interp.refine(m, x), written as text"
            raise Malformed("the trace is of another program", remedy)
        pairs = zip(operations(module), self.known, strict=True)
        return {id(ours.op): _node(shown) for ours, shown in pairs}


def _node(named: Named) -> Node:
    return Node(named.function, named.op.results[0].name)


def worst(found: Iterable[tuple[Node, float]], of: Worse = max) -> dict[Node, float]:
    """Return one number for each node: the largest, or what `of` chooses from two."""
    numbers: dict[Node, float] = {}
    for node, number in found:
        numbers[node] = of(numbers.get(node, number), number)
    return numbers


def shaded(name: str, numbers: Mapping[Node, float], shades: Shades, counts: bool = False) -> Kind:
    """Return node data with the colours of the numbers."""
    return Kind(name, numbers, {node: shade(number, shades) for node, number in numbers.items()}, counts)
