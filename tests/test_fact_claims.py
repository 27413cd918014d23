"""The claims of the table of facts are true: tried on all small numbers by the oracle, and on programs."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise, product
from math import isnan
from typing import Any

import numpy as np
import pytest

from interp.comparison import error_bound
from interp.engine.facts import FACTS, Facts
from interp.engine.storage import identity
from interp.recorder.exact import FORMULAS
from tests.library.oracles.single_operations import (
    F32,
    F64,
    I1,
    I4,
    NUMBERS,
    Q4,
    UI4,
    axes_of,
    operation,
    results,
    tables,
    tabulated,
)

PYTHON: dict[str, Callable[[int, int], object]] = {
    "add": operator.add,
    "and": operator.and_,
    "divide": operator.truediv,
    "maximum": max,
    "minimum": min,
    "multiply": operator.mul,
    "or": operator.or_,
    "remainder": operator.mod,
    "shift_left": operator.lshift,
    "shift_right_arithmetic": operator.rshift,
    "shift_right_logical": operator.rshift,
    "subtract": operator.sub,
    "xor": operator.xor,
}


# What a row may claim.


def is_monotone(name: str, row: Facts) -> bool:
    tried = tables(name, Q4, F32, *(() if row.wraps else (I4, UI4)))
    return name == "constant" or (bool(tried) and all(follows(table, "+" * table.ndim) for _, table in tried))


def has_trend(name: str, row: Facts) -> bool:
    """Return whether floats, in which a NaN shows, follow the trend; of a conversion, a vector that rises."""
    tried = [table for _, table in tables(name, F32)]
    tried = tried or results(name, np.array([-8, -3, 2, 7]), np.array([0, 1, 5, 7]))
    return len(row.trend) == tried[0].ndim and all(follows(table.astype(float), row.trend) for table in tried)


def follows(table: np.ndarray, trend: str) -> bool:
    """Return whether numbers never fall along an axis with `+`, and never rise along one with `-`."""
    lines = (
        line if sign == "+" else -line
        for axis, (sign, size) in enumerate(zip(trend, table.shape, strict=True))
        for line in np.moveaxis(table, axis, -1).reshape(-1, size)
    )
    steps = (step for line in lines for step in pairwise(line) if not any(map(isnan, step)))
    return all(below <= above for below, above in steps)


def is_associative(name: str) -> bool:
    """Return whether an operation is associative and commutative on integers and booleans."""
    tried = tables(name, I4, UI4, I1, rank=2)
    numbered = [np.vectorize(NUMBERS[type].index)(table) for type, table in tried]
    laws = ((at == at.T).all() and (at[at] == at[:, at]).all() for at in numbered)
    return len(tried) > 1 and all(laws)


def has_identity(name: str) -> bool:
    for type, table in tables(name, *NUMBERS, rank=2):
        neutral = identity(operation(name, type, 2, 1))
        if neutral not in NUMBERS[type] or tuple(table[NUMBERS[type].index(neutral)]) != NUMBERS[type]:
            return False
    return is_associative(name)


def is_idempotent(name: str) -> bool:
    tried = tables(name, *NUMBERS, rank=2)
    return bool(tried) and all(tuple(table.diagonal()) == NUMBERS[type] for type, table in tried)


def exact(name: str, *numbers: Any) -> Fraction | None:
    """Return what the formula gives, None for a division by zero."""
    if name == "divide" and numbers[1] == 0:
        return None
    found = FORMULAS[name](*(np.array(Fraction(x), object) for x in numbers))
    return Fraction(np.asarray(found, object).item())


def is_exact(name: str) -> bool:
    """Return whether a formula, rounded to f32, gives the oracle's result on short numbers."""
    numbers = (-3.0, -1.5, -0.5, 0.25, 1.0, 2.0, 100.0)
    table = tabulated(name, F32, numbers)
    if table is None:
        return name == "convert"
    wanted = [exact(name, *x) for x in product(*axes_of(name, F32, numbers))]
    return all(x is not None and np.float32(float(x)) == y for x, y in zip(wanted, table.flat, strict=True))


def does_wrap(name: str) -> bool:
    """Return whether an exact result on small integers exceeds their type; not for `power` and `convert`."""
    tried = [type for type, _ in tables(name, I4, UI4)]
    found = ((type, exact(name, *x)) for type in tried for x in product(*axes_of(name, type)))
    return any(x is not None and not type.min_value <= int(x) <= type.max_value for type, x in found)  # type: ignore[union-attr]


def does_shift(name: str) -> bool:
    f, numbers = FORMULAS[name], range(-3, 4)
    if getattr(f, "nin", 0) != 2 or name == "divide":
        return False
    return all(f(a - z, b - z) == f(a, b) - f(z, z) for a, b, z in product(numbers, repeat=3))


def undefined(name: str) -> str:
    """Return what Python refuses."""
    for least, what in ((0, "zero divisor"), (-1, "shift amount")):
        try:
            PYTHON[name](1, least)
        except (ZeroDivisionError, ValueError):
            return what
    return ""


def is_bounded(name: str, row: Facts) -> bool:
    """Return whether operands that are off by e, at most, move a result no further than the rule says."""
    near = (-0.2, -0.1, 0.0, 0.1, 0.2)
    numbers = (-2.5, -0.7, 0.0, 0.3, 2.5)
    axis = tuple(sorted({x + e for x in numbers for e in near}))
    table = tabulated(name, F64, axis)
    assert table is not None, name
    values = table.astype(np.float64)
    for x in product(numbers, repeat=table.ndim):
        y = values[tuple(map(axis.index, x))]
        for e in product((0.0, 0.2), repeat=table.ndim):
            within = [[abs(z - a) <= d for z in axis] for a, d in zip(x, np.multiply(e, 1.001), strict=True)]
            with np.errstate(all="ignore"):
                rule = error_bound.ELEMENTWISE_RULES[row.error]
                bound = rule(np.abs(y) + 1e-300, np.array(x), np.array(e))
            if np.isfinite(y) and (np.abs(values[np.ix_(*within)] - y) > bound + 1e-9).any():
                return False
    return True


def has_extremes_there(name: str, row: Facts) -> bool:
    """Return whether no number of a box lies beyond its corners, and zero, where the row has that."""
    numbers = (-2.5, -1.0, -0.5, 0.5, 2.5, 4.0)
    table, axes = tabulated(name, F32, numbers), axes_of(name, F32, numbers)
    assert table is not None
    for box in product(*([(i, j) for j in range(len(axis)) for i in range(j + 1)] for axis in axes)):
        signs = [axis[i] * axis[j] < 0 for axis, (i, j) in zip(axes, box, strict=True)]
        if name == "divide" and signs[1]:  # by what may be zero
            continue
        corners = [table[at] for at in product(*box)]
        corners += [0] if row.extremes == "corners or zero" and signs[0] else []
        inside = table[tuple(slice(i, j + 1) for i, j in box)].astype(float)
        if inside.min() < min(corners) or inside.max() > max(corners):
            return False
    return True


X, ORDER = np.array([3, -1, 2, 5]), [1, 2, 0, 3]


def does_batch(name: str) -> bool:
    """Return whether elements in another place give their results there."""
    here, there = results(name, X, X[ORDER])
    return here.shape == X.shape and (here[ORDER] == there).all()


def does_move(name: str) -> bool:
    """Return whether results are operands, each of the place that its index says."""
    here, mapped = results(name, X, X - 3)
    return set(here.flat) <= {*X} and (mapped == here - 3).all()


def does_clip(name: str) -> bool:
    """Return whether every result is one of the operands, and not one that another operand selects."""
    types = (Q4, F32, I4, UI4)
    picks = all(
        y in x
        for type, table in tables(name, *types)
        for x, y in zip(product(*axes_of(name, type)), table.flat, strict=True)
    )
    return picks and bool(tables(name, *types)) and is_monotone(name, FACTS[f"stablehlo.{name}"])


CLAIMS: dict[str, Callable[[str, Facts], bool]] = {
    "batches": lambda name, row: does_batch(name),
    "exact": lambda name, row: is_exact(name),
    "identity": lambda name, row: has_identity(name),
    "clips": lambda name, row: does_clip(name),
    "nonnegative": lambda name, row: all(
        not (table.astype(float) < 0).any() for _, table in tables(name, F32)
    ),
    "idempotent": lambda name, row: is_idempotent(name),
    "monotone": is_monotone,
    "trend": has_trend,
    "extremes": has_extremes_there,
    "shifts": lambda name, row: does_shift(name),
}


def false_claims(name: str, row: Facts) -> list[str]:
    """Return the columns of a row that claim what is not so."""
    short = name.removeprefix("stablehlo.")
    found = [column for column, holds in CLAIMS.items() if getattr(row, column) and not holds(short, row)]
    if row.moves and not does_move(short):
        found.append("error")
    if row.error in error_bound.ELEMENTWISE_RULES and not is_bounded(short, row):
        found.append("error")
    if short in FORMULAS and short != "convert" and row.wraps != does_wrap(short):
        found.append("wraps")
    if row.undefined != (undefined(short) if short in PYTHON else ""):
        found.append("undefined")
    return found


@pytest.mark.parametrize("name", FACTS)
def test_no_claim_is_false(name: str) -> None:
    assert false_claims(name, FACTS[name]) == []


@pytest.mark.parametrize("name", [name for name, row in FACTS.items() if row.family == "elementwise"])
def test_no_law_is_forgotten(name: str) -> None:
    row, short = FACTS[name], name.removeprefix("stablehlo.")
    assert bool(row.identity) == is_associative(short)
    assert row.idempotent == is_idempotent(short)
    assert row.shifts == (row.exact and does_shift(short))


WRONG = [
    ("select", {"clips": True}),
    ("abs", {"clips": True}),
    ("cosine", {"nonnegative": True}),
    ("subtract", {"identity": "zero"}),
    ("multiply", {"identity": "zero"}),
    ("add", {"idempotent": True}),
    ("xor", {"idempotent": True}),
    ("subtract", {"monotone": True}),
    ("multiply", {"monotone": True}),
    ("sine", {"monotone": True}),
    ("negate", {"trend": "+"}),
    ("subtract", {"trend": "++"}),
    ("abs", {"trend": "+"}),
    ("abs", {"extremes": "corners"}),
    ("sine", {"extremes": "corners"}),
    ("multiply", {"shifts": True}),
    ("maximum", {"wraps": True}),
    ("negate", {"wraps": False}),
    ("multiply", {"undefined": "zero divisor"}),
    ("remainder", {"undefined": ""}),
    ("multiply", {"error": "sum"}),
    ("exponential", {"error": "wave"}),
    ("sine", {"error": "sigmoid"}),
    ("ceil", {"error": "largest"}),
    ("reverse", {"batches": True}),
    ("iota", {"batches": True}),
    ("bitcast_convert", {"batches": True}),
    ("negate", {"error": "moved"}),
    ("iota", {"error": "moved"}),
]


@pytest.mark.parametrize(("name", "wrong"), WRONG)
def test_a_false_claim_shows(name: str, wrong: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    row = FACTS[f"stablehlo.{name}"]._replace(**wrong)
    monkeypatch.setitem(FACTS, f"stablehlo.{name}", row)
    assert false_claims(f"stablehlo.{name}", row) == [*wrong]
