"""Constraints as rows and violations as values; rows that several ops have, each under its own number."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from spec.errors import Location, Violation
from spec.ir import Op, Region
from spec.rules.formula import parse
from spec.rules.members import (
    MEMBERS,
    TYPE_MEMBERS,
    element_type,
    expressed_type,
    function_type,
    is_integer,
    is_integer_constant,
    is_integers,
    is_per_tensor,
    is_quantized,
    is_sub_channel,
    kind,
    rank,
    shape,
    value_of,
    values,
)
from spec.types import QuantizedType, TensorType

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


def Input(number: int, formula: str, holds: Predicate | None = None, show: str | None = None) -> Constraint:
    """Return a row of the specification's table of inputs: `(I3) dimensions: 1-dimensional constant`.

    holds: the check, where the text is none of `KINDS` and `VALUES`. show: by default the names in the text.
    """
    names, _, text = formula.partition(": ")
    shown = names if show is None else show
    return Constraint(number, formula, holds or is_of_kind(names.split(", "), text), shown, letter="i")


def is_of_kind(names: list[str], text: str) -> Predicate:
    """Return whether attributes or values with these names are what a text of the specification says."""
    if text in VALUES:
        return lambda op: all(VALUES[text](value_of(op, name)) for name in names)
    words = re.split(", and |, | and ", text.removeprefix("enum of "))
    holds = words.__contains__ if text.startswith("enum of ") else KINDS[text]
    return lambda op: all(holds(op[name]) for name in names)


def is_table(x: Any) -> bool:
    """Return whether a value is a 2-dimensional constant of type si64."""
    return isinstance(x, tuple) and all(map(is_integers, x))


# Attributes, and then values, by their text in the tables of inputs.
KINDS: dict[str, Predicate] = {
    "1-dimensional tensor constant of type si64": is_integers,
    "2-dimensional tensor constant of type si64": is_table,
    "constant of type si64": is_integer_constant,
    "constant of type si32": is_integer_constant,
    "constant of type i1": lambda x: isinstance(x, bool),
    "constant of type f32": lambda x: isinstance(x, float),
    "constant of type string": lambda x: isinstance(x, str),
    "string": lambda x: isinstance(x, str),
    "list of types": lambda x: isinstance(x, tuple),
}
VALUES: dict[str, Predicate] = {
    "0-dimensional": lambda x: rank(x) == 0,
    "1-dimensional tensor of integer type": lambda x: rank(x) == 1 and is_integer(x),
    "2-dimensional tensor of integer type": lambda x: rank(x) == 2 and is_integer(x),
    "tensor of integer type": lambda x: is_integer(x),
    "tensor of type i1": lambda x: kind(element_type(x)) == "boolean",
    "tensor or per-tensor quantized tensor": is_per_tensor,
    "variadic number of tensors or per-tensor quantized tensors": lambda xs: all(map(is_per_tensor, xs)),
    "variadic number of 0-dimensional tensors or per-tensor quantized tensors": lambda xs: all(
        rank(x) == 0 for x in xs
    ),
}


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


# The evidence line of a violation.

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "rank": rank,
    "shape": shape,
    "element_type": element_type,
    "expressed_type": expressed_type,
    "type": lambda x: function_type(x) if isinstance(x, Region) else x.type,
    "size": len,
}
_NAME = re.compile(r"(?:(?P<function>\w+)\()?(?P<member>\w+)(?P<each>\.\.\.|\[0\])?\)?")


def named_value(subject: Op | TensorType, name: str) -> Any:
    """Return the value of a name: `dimensions`, `rank(inputs[0])`, `shape(inputs...)`, `zero_points`."""
    function, member, each = _NAME.fullmatch(name).group("function", "member", "each")  # type: ignore[union-attr]
    if isinstance(subject, TensorType):
        return _type_member(subject, function, member)
    value = MEMBERS[member](subject) if member in MEMBERS else subject[member]
    apply = FUNCTIONS[function] if function else lambda x: x
    return tuple(map(apply, value)) if each == "..." else apply(value[0] if each else value)


def _type_member(type: TensorType, function: str | None, member: str) -> Any:
    if isinstance(type.element_type, QuantizedType) and member in TYPE_MEMBERS:
        value = TYPE_MEMBERS[member](type.element_type)
        return len(value) if function == "size" else value
    return {"rank": type.rank, "shape": type.shape}[function or member]


def show(subject: Op | TensorType, names: str) -> str:
    """Return the evidence line: `dimensions = (1, 1), rank(inputs[0]) = 1`."""
    shown = []
    for name in filter(None, names.split(", ")):
        try:
            shown.append(f"{name} = {_text(named_value(subject, name))}")
        except (LookupError, ValueError, AttributeError, TypeError):
            shown.append(f"{name} is missing")
    return ", ".join(shown)


def _text(value: Any) -> str:
    """Return a value as the evidence shows it; a long table of scales is abbreviated."""
    if isinstance(value, tuple) and any(isinstance(x, TensorType | QuantizedType) for x in value):
        return f"({', '.join(map(_text, value))}{',' * (len(value) == 1)})"
    if isinstance(value, TensorType | QuantizedType):
        return value.brief
    return value if isinstance(value, str) else repr(value)


# Constraint rows that several ops have, each under its own number.

SHOWN = "type(operands...), type(results...)"


def vector(number: int, *names: str) -> Constraint:
    """Return the row for inputs that are lists of integers."""
    return Input(number, f"{', '.join(names)}: 1-dimensional tensor constant of type si64")


def scalar(number: int, name: str, type: str = "si64") -> Constraint:
    """Return the row for an input that is one integer."""
    return Input(number, f"{name}: constant of type {type}")


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
