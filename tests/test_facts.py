"""The table of facts: a row for every operation, and code for every name in a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

import pytest

from interp.comparison import error_bound
from interp.engine.facts import CALLS, FACTS, Bound, Facts, Reference
from interp.kernels import FAMILIES, conversion, custom_calls
from interp.questions import lint
from interp.rewrite import float_reference
from interp.speed import order_free
from spec import integer_reading
from spec.rules.verify import CONSTRAINTS

Table = Mapping[str, Facts]


def misplaced(table: Table) -> list[str]:
    """Return the operations whose row or kernel is missing, or in another family."""
    kernels = {name: family for family, kernels in FAMILIES.items() for name in kernels}
    rows = {name: row.family for name, row in table.items()}
    return sorted({name for name, _ in kernels.items() ^ rows.items()} | rows.keys() ^ CONSTRAINTS.keys())


def without_code(table: Table) -> list[str]:
    """Return the dicts that lack the code of a row, or have code of no row."""

    def named(has: Callable[[Facts], object]) -> set[str]:
        return {name.removeprefix("stablehlo.") for name, row in table.items() if has(row)}

    elementwise = {*error_bound.ELEMENTWISE_RULES, "selected", "parts", "unknown"}
    others = {*error_bound.RULES}
    forms = order_free.COMBINE
    agree = {
        "ELEMENTWISE": {f"stablehlo.{name}" for name in named(lambda row: row.is_whole) - {"convert"}}
        == integer_reading.ELEMENTWISE - {"stablehlo.compare"},
        "COMBINE": all(named(lambda row: row.identity) == {*forms[kind]} for kind in forms),
        "FINISH": {name for kind in forms.values() for name in kind.values()} == {*order_free.FINISH},
        "LEAVES": {n for n, row in table.items() if row.family == "reduction"} == {*lint.LEAVES},
        "error_bound.RULES": {r.error for r in table.values() if r.family != "elementwise"} == others,
        "error_bound_elementwise.RULES": {r.error for r in table.values() if r.family == "elementwise"}
        == elementwise,
        "Bound": members(Bound) == elementwise | others,
        "float_reference.RULES": {row.reference for row in table.values()} == {*float_reference.RULES},
        "Reference": members(Reference) == {*float_reference.RULES},
        "CALLS": CALLS.keys() == (conversion.CUSTOM_CALLS | custom_calls.LAPACK_CALLS).keys(),
    }
    return [name for name, holds in agree.items() if not holds]


def members(literal: Any) -> set[str]:
    """Return the strings of a union of literals."""
    return {text for part in get_args(literal) for text in members(part) or {part}}


def test_every_operation_has_a_row_and_every_rule_its_code() -> None:
    assert misplaced(FACTS) == []
    assert without_code(FACTS) == []


@pytest.mark.parametrize("name", FACTS)
def test_a_missing_row_shows(name: str) -> None:
    assert misplaced({key: row for key, row in FACTS.items() if key != name}) == [name]


@pytest.mark.parametrize(
    ("name", "column", "shown"),
    [
        ("negate", {"formula": None}, ["ELEMENTWISE"]),
        ("xor", {"identity": ""}, ["COMBINE"]),
        ("sqrt", {"error": "moved"}, ["error_bound_elementwise.RULES"]),
        ("reverse", {"error": "sum"}, ["error_bound.RULES"]),
        ("compare", {"reference": "same"}, ["float_reference.RULES"]),
        ("reduce", {"family": "control"}, ["LEAVES"]),
    ],
)
def test_a_row_that_disagrees_with_the_code_shows(name: str, column: Any, shown: list[str]) -> None:
    name = f"stablehlo.{name}"
    assert without_code({**FACTS, name: FACTS[name]._replace(**column)}) == shown
