"""Constraints as rows, violations as values: how a row is judged and what evidence it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from spec.errors import Location, Violation
from spec.members import show

Predicate = Callable[[Any], bool]


class Constraint(NamedTuple):
    """`C(5, "is_unique(dimensions)", lambda op: ..., show="dimensions")`: one row of the specification.

    `holds` judges the text, on an `Op` or a `TensorType`. Where jaxlib's verifier accepts something else,
    that is `mlir`; where the reduction RFC does, that is `rfc`. `show` names the values of the evidence line.
    `letter` is the specification's label: c for constraints, i for inputs, o for outputs.
    """

    number: int
    formula: str
    holds: Predicate
    show: str = ""
    mlir: Predicate | None = None
    rfc: Predicate | None = None
    letter: str = "c"

    def predicate(self, mode: str, dialect: str) -> Predicate:
        """Return the judge in this mode ("strict" or "mlir") and dialect ("stablehlo" or "rfc")."""
        if dialect == "rfc" and self.rfc:
            return self.rfc
        return self.mlir if mode == "mlir" and self.mlir else self.holds

    @property
    def label(self) -> str:
        """`c5`: with the op's name in front the code of the error, the test and the file in testdata."""
        return f"{self.letter}{self.number}"


class OpSpec(NamedTuple):
    """An op of the specification: its constraint rows and its literal meaning."""

    constraints: tuple[Constraint, ...]
    meaning: Callable[..., Any]


C = Constraint


def Input(number: int, formula: str, holds: Predicate, show: str = "") -> Constraint:
    """Make a row of the specification's table of inputs: `(I3) dimensions: 1-dimensional tensor constant`."""
    return Constraint(number, formula, holds, show, letter="i")


# What a predicate meets on an op whose operands, attributes or regions are missing or of another kind.
_UNEVALUABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def violations(
    rows: Iterable[Constraint], subject: Any, name: str, where: Location, mode: str, dialect: str
) -> list[Violation]:
    """Return the rows that do not hold for an op or a type, in the specification's order.

    A row that cannot be evaluated is skipped where another one says why; if none does, it is violated itself.
    """
    violated, unread = [], []
    for row in rows:
        try:
            if not row.predicate(mode, dialect)(subject):
                violated.append(row)
        except _UNEVALUABLE:
            unread.append(row)
    return [
        Violation(f"{name}_{row.label}", row.formula, show(subject, row.show), where)
        for row in violated or unread[:1]
    ]
