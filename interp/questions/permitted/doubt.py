"""Functions whose results in `run` may differ within a row of the agreement table, and their effects."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from interp.backends import State
from interp.backends.functions import FUNCTIONS, correctly_rounded
from interp.engine.evaluate import Listener, Place
from interp.engine.stored import expressed_type
from interp.execute.agreement import AGREEMENT, Agreement
from spec.ir import Func, Module, Op, callee_names, captures
from spec.permitted import Membership

ROWS = {row.what: row for row in AGREEMENT if (row.left, row.right) == ("run", "oracle")}


class Doubted(NamedTuple):
    """The row of a function on which a result depends; `function` is the operation if it is the result."""

    row: Agreement
    function: Op | None = None

    @property
    def text(self) -> str:
        within = f"{self.row.figure} {self.row.unit}"
        return f"named schedules do not give it, but `run` gives {self.row.what} only within {within}"


def doubts(module: Module, func: Func) -> list[Doubted | None]:
    """Return, for each result of a function, the row on which it depends, or None."""
    known: dict[str, Doubted] = {}
    for op in func.body.ops[:-1]:
        row, before = row_of(module, op), [known.get(v.name) for v in (*op.operands, *captures(op))]
        earlier = next((found for found in before if found), None)
        if earlier:
            known.update((value.name, Doubted(earlier.row)) for value in op.results)
        elif row:
            is_function = op.name.removeprefix("stablehlo.") in FUNCTIONS
            known.update((value.name, Doubted(row, op if is_function else None)) for value in op.results)
    return [known.get(value.name) for value in func.body.returns]


def row_of(module: Module, op: Op) -> Agreement | None:
    """Return the row of an operation, or of an operation in its regions or callees; None if there is none."""
    types = {expressed_type(v.type.element_type).name for v in (*op.operands, *op.results)}
    name = op.name.removeprefix("stablehlo.")
    row = next((ROWS[what] for what in (f"{name} on {type}" for type in sorted(types)) if what in ROWS), None)
    regions = (*op.regions, *(module[callee].body for callee in callee_names(op)))
    inside = (row_of(module, inner) for region in regions for inner in region.ops)
    return row or next(filter(None, inside), None)


@dataclass(eq=False)
class Function(Listener):
    """Listener that keeps the operands and the result of an operation, a function of plain f64."""

    op: Op
    seen: tuple[State, Any] | None = field(default=None)

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if op is self.op:
            self.seen = operands, results[0]

    def judge(self, at: int, given: Any) -> Membership | None:
        """Judge the element at a flat index by the correctly rounded result, or return None."""
        if self.seen is None or self.op.result.type.is_quantized:
            return None
        operands, result = self.seen
        x = [float(np.broadcast_to(operand, result.shape).flat[at]) for operand in operands]
        y = float(result.flat[at])
        if not (y and isfinite(y) and all(map(isfinite, x))):
            return None
        right = correctly_rounded(self.op.name.removeprefix("stablehlo."), *x)
        if right == float(given):
            return Membership(
                "permitted", "the correctly rounded result of a function that `run` gives nearly"
            )
        return Membership("not permitted", f"the correctly rounded result is {right!r}")
