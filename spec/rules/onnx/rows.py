"""Rows of constraints on nodes: what must hold, the values that show it, and what to do where it does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from spec.elements import ElementType
from spec.errors import Violation
from spec.onnx.node import ONNX_NAMES, Node, Since, type_names
from spec.rules.constraint import Constraint, violations

Predicate = Callable[[Node], bool]


class Row(NamedTuple):
    """A constraint, and a function that returns what to do where it does not hold."""

    constraint: Constraint
    fix: Callable[[Node], str]


def row(letter: str, number: int, formula: str, holds: Predicate, show: str, fix: str) -> Row:
    """Return a row whose advice is the same for each node."""
    return Row(Constraint(number, formula, holds, show, letter=letter), lambda node: fix)


def type_row(number: int, name: str, types: Since, optional: bool = False) -> Row:
    """Return the row for an input that has one of some types, some of them only since a version."""

    def holds(node: Node) -> bool:
        return (optional and not node.has(name)) or node.element(name).name in type_names(types, node.version)

    shown = f"element_type({name}), version"
    return Row(
        Constraint(number, f"{name}: tensor of a type of its version", holds, shown, letter="i"),
        lambda node: type_advice(node.element(name) if node.has(name) else None, types, node.version),
    )


def type_advice(type: ElementType | None, types: Since, version: int) -> str:
    """Return which types a version takes, and since when it takes this one, if ever."""
    listed = f"version {version} takes {', '.join(onnx_name(name) for name in type_names(types, version))}"
    since = types.get(type.name) if type else None
    return f"{listed}; {onnx_name(type.name)} since version {since}" if type and since else listed


def onnx_name(name: str) -> str:
    """Return ONNX's name of an element type, and its own where it is another one."""
    return ONNX_NAMES.get(name, name)


def refusals(rows: tuple[Row, ...], node: Node) -> list[Violation]:
    """Return the violations of a node's rows, each with its advice."""
    code = f"onnx_{snake(node.operator)}"
    fixes = {f"{code}_{each.constraint.label}": each.fix for each in rows}
    constraints = [each.constraint for each in rows]
    found = violations(constraints, node, code, node.location, "strict", "onnx")
    return [
        Violation(v.code, v.formula, f"{v.evidence}\n{fixes[v.code](node)}", node.location) for v in found
    ]


def snake(operator: str) -> str:
    """Return the operator's name in lower case: quantize_linear, matmul_integer, qlinear_conv."""
    words = operator.replace("QLinear", "Qlinear").replace("MatMul", "Matmul")
    return "".join(f"_{c.lower()}" if c.isupper() else c for c in words).removeprefix("_")
