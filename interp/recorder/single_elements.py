"""Single elements of a run's values, read while the program runs again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from interp.backends import State
from interp.engine.evaluate import Listener, Place
from interp.recorder.origins import Cell
from spec.ir import Op

Index = tuple[int, ...]
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
