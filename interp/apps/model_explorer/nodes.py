"""The nodes of a program's graphs, by the names that a trace and a survey give to operations."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from decimal import Decimal
from math import isfinite
from typing import NamedTuple

from interp.recorder.event import short
from interp.recorder.names import Named, find, operations
from interp.recorder.severity import ERROR, INFORMATION, WARNING
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

    def find(self, name: str, kind: str) -> Node:
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


def color_nodes(name: str, numbers: Mapping[Node, float], shades: Shades, counts: bool = False) -> Kind:
    """Return node data with the colours of the numbers."""
    return Kind(name, numbers, {node: shade(number, shades) for node, number in numbers.items()}, counts)


# Colours of node data: from pale to dark the worse a number is, as seen by colour-blind readers, too


FINE, SLIGHT, NOTABLE, BAD, WORST = "#e5f5e0", "#fff7bc", "#fec44f", "#d95f0e", "#8c2d04"
BY_SEVERITY = {ERROR: WORST, WARNING: NOTABLE, INFORMATION: FINE}
EXACT = 1 << 53  # integers that JavaScript has


class Shades(NamedTuple):
    """Colours of numbers: `colors[k]` up to `limits[k]`, the last colour beyond the last limit."""

    limits: tuple[float, ...]
    colors: tuple[str, ...]


SHARES = Shades((0, 0.001, 0.01, 0.1), (FINE, SLIGHT, NOTABLE, BAD, WORST))
ERRORS = Shades((0.5, 1, 4, 32), (FINE, SLIGHT, NOTABLE, BAD, WORST))  # steps; rounding alone gives 0.5
ROOM = Shades((-0.5, 0.5, 1.5, 3.5), (WORST, BAD, NOTABLE, SLIGHT, FINE))  # bits
NOISE = Shades((10, 20, 30, 40), (WORST, BAD, NOTABLE, SLIGHT, FINE))  # dB of signal to noise
COUNTS = Shades((0,), (FINE, NOTABLE))


def shade(number: float, shades: Shades) -> str:
    """Return the colour of a number, infinite ones included."""
    limits, colors = shades
    return next((color for limit, color in zip(limits, colors, strict=False) if number <= limit), colors[-1])


def result(number: float, color: str) -> dict[str, str | float]:
    """Return a number and its colour; a float has four digits, and what JSON has no number for is text."""
    return {"value": _value(number), "bgColor": color}


def _value(number: float) -> str | float:
    if isinstance(number, int) and abs(number) <= EXACT:
        return number
    with suppress(OverflowError):
        if isfinite(rounded := float(f"{number:.4g}")):
            return rounded
        if not isfinite(number):
            return "∞" if number > 0 else "-∞"
    return f"{Decimal(number):.3e}"
