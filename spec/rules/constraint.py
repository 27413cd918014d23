"""Constraints as rows and violations as values; rows that several ops have, each under its own number."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from spec.errors import Location, Violation
from spec.ir import Op
from spec.rules.formula import parse
from spec.rules.members import is_integer_constant, is_integers, is_quantized, is_sub_channel, show, values

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


# Constraint rows that several ops have, each under its own number.

SHOWN = "type(operands...), type(results...)"


def vector(number: int, *names: str) -> Constraint:
    """Return the row for inputs that are lists of integers."""
    formula = f"{', '.join(names)}: 1-dimensional tensor constant of type si64"
    return Input(number, formula, lambda op: all(is_integers(op[name]) for name in names), ", ".join(names))


def scalar(number: int, name: str, type: str = "si64") -> Constraint:
    """Return the row for an input that is one integer."""
    return Input(number, f"{name}: constant of type {type}", lambda op: is_integer_constant(op[name]), name)


def tensors(count: int, formula: str, holds: Callable[[Op], bool] = lambda op: True) -> Constraint:
    """Return the row for `count` operands and one result, none quantized by blocks; `holds` may add to it."""
    return Input(
        1,
        formula,
        lambda op: (
            len(op.operands) == count
            and len(op.results) == 1
            and not any(map(is_sub_channel, values(op)))
            and holds(op)
        ),
        SHOWN,
    )


def size_row(number: int, name: str, of: str) -> Constraint:

    return C(number, f"size({name}) = rank({of})", show=f"{name}, rank({of})")


def positive(number: int, name: str) -> Constraint:
    return C(number, f"0 < {name}", show=name)


def inside(number: int, name: str, of: str) -> Constraint:
    return C(number, f"0 <= {name} < rank({of})", show=f"{name}, rank({of})")


def unique(number: int, name: str) -> Constraint:
    return C(number, f"is_unique({name})", show=name)


def padding_row(number: int, of: str) -> Constraint:
    return C(number, f"shape(padding) = [rank({of}), 2]", show=f"padding, rank({of})")


def renumber(row: Constraint, number: int) -> Constraint:
    """Return the same row, as a row of another op."""
    return row._replace(number=number)


def uses_quantized(op: Op) -> bool:
    return any(map(is_quantized, values(op)))


def when_quantized(number: int, formula: str, holds: Predicate | None = None) -> Constraint:
    """Return a row of the specification's block `If the operation uses quantized tensors`."""
    return C(number, formula, holds, SHOWN, when=uses_quantized)


def num_windows(
    shape: Sequence[int],
    padding: Sequence[tuple[int, int]],
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    base_dilations: Sequence[int],
    window_dilations: Sequence[int],
) -> tuple[int, ...]:
    """is_empty_window ? 0 : floor((padded_input_shape - dilated_window_shape) / window_strides) + 1."""

    def along(n: int, pad: tuple[int, int], size: int, stride: int, base: int, dilation: int) -> int:
        dilated_input = 0 if n == 0 else (n - 1) * base + 1
        padded_input = pad[0] + dilated_input + pad[1]
        dilated_window = 0 if size == 0 else (size - 1) * dilation + 1
        is_empty_window = padded_input == 0 or dilated_window > padded_input
        return 0 if is_empty_window else (padded_input - dilated_window) // stride + 1

    columns = (shape, padding, window_dimensions, window_strides, base_dilations, window_dilations)
    return tuple(along(*column) for column in zip(*columns, strict=True))
