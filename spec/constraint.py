"""Constraints as rows, violations as values, errata as a table, and `verify`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Constraint(NamedTuple):
    """`C(5, "is_unique(dimensions)", lambda op: ..., show="dimensions")`: one row of the specification."""

    number: int
    formula: str
    holds: Callable[[Any], bool]
    show: str = ""


class OpSpec(NamedTuple):
    """An op of the specification: its constraint rows and its literal meaning."""

    constraints: tuple[Constraint, ...]
    meaning: Callable[..., Any]
