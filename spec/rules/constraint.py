"""Constraints as rows and violations as values: the check of a row, and the evidence that it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from spec.errors import Location, Violation
from spec.rules.formula import parse
from spec.rules.members import show

Predicate = Callable[[Any], bool]


class Constraint(NamedTuple):
    """One row of the specification: `C(5, "is_unique(dimensions)", show="dimensions")`.

    The formula is the check (`spec.rules.formula`), of an `Op` or a `TensorType`; `holds` is the check where
    the formula is not an expression. The row is about what `when` holds for. `mlir` is the check of jaxlib's
    verifier, and `rfc` that of the reduction RFC, where they differ. `show` names the values of the evidence
    line. `letter` is the specification's label: c for constraints, i for inputs, o for outputs; r is for the
    RFC's own rows.
    """

    number: int
    formula: str
    holds: Predicate | None = None
    show: str = ""
    mlir: Predicate | None = None
    rfc: Predicate | None = None
    letter: str = "c"
    when: Predicate | None = None

    def check(self, subject: Any) -> bool:
        """Return whether the row holds by the specification's text."""
        if self.when and not self.when(subject):
            return True
        return bool((self.holds or parse(self.formula))(subject))

    def predicate(self, mode: str, dialect: str) -> Predicate:
        """Return the check in this mode ("strict" or "mlir") and dialect ("stablehlo" or "rfc")."""
        if dialect == "rfc" and self.rfc:
            return self.rfc
        return self.mlir if mode == "mlir" and self.mlir else self.check

    @property
    def label(self) -> str:
        """The row's label, `c5`; with the op's name it is the code of error, test and case."""
        return f"{self.letter}{self.number}"


C = Constraint


def Input(number: int, formula: str, holds: Predicate, show: str = "") -> Constraint:
    """Return a row of the specification's table of inputs: `(I3) dimensions: 1-dimensional constant`."""
    return Constraint(number, formula, holds, show, letter="i")


# What a predicate meets on an op whose operands, attributes or regions are missing or of another kind.
_UNEVALUABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError)


def violations(
    rows: Iterable[Constraint], subject: Any, name: str, where: Location, mode: str, dialect: str
) -> list[Violation]:
    """Return violations of the rows that do not hold for an op or a type, in the specification's order.

    A row that cannot be evaluated is ignored if another one is violated, which explains it; otherwise the row
    itself counts as violated.
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
