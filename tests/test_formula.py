"""Formulas of the specification as checks: their notation, and that rows without a predicate are formulas."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from spec.ir import Op, Value
from spec.rules.formula import parse
from spec.rules.verify import CONSTRAINTS
from spec.types import parse_type

FORMULAS = sorted({row.formula for rows in CONSTRAINTS.values() for row in rows if row.holds is None})


def op(operands: str, results: str = "f32", name: str = "test.op", **attributes: Any) -> Op:
    """Return an operation whose values have these types, `2x3xf32; f32`."""
    values = lambda text, letter: tuple(
        Value(f"%{letter}{k}", parse_type(f"tensor<{type.strip()}>"))
        for k, type in enumerate(text.split(";"))
    )
    return Op(name, values(operands, "x"), values(results, "y"), attributes)


@pytest.mark.parametrize(
    ("formula", "holds", "fails"),
    [
        ("0 <= d < rank(operand)", {"d": 1}, {"d": 2}),
        ("0 <= d < rank(operand)", {"d": (0, 1)}, {"d": (0, 2)}),
        ("0 <= d < rank(operand)", {"d": ()}, {"d": (-1,)}),
        ("0 <= a <= b <= shape(operand)", {"a": (0, 1), "b": (2, 3)}, {"a": (0, 3), "b": (2, 2)}),
        ("size(d) = rank(operand)", {"d": (5, 5)}, {"d": (5,)}),
        ("size(a) == size(b)", {"a": (1,), "b": (2,)}, {"a": (1,), "b": ()}),
        ("is_unique(a + b)", {"a": (0,), "b": (1,)}, {"a": (0,), "b": (0,)}),
        ("is_unique(a) and is_sorted(a)", {"a": (1, 4)}, {"a": (4, 1)}),
        ("a = 1 or b = 1", {"a": 1, "b": 2}, {"a": 2, "b": 2}),
        ("k not in d", {"k": 2, "d": (0, 1)}, {"k": 1, "d": (0, 1)}),
        ("if k = 1, then d = 0", {"k": 2, "d": 5}, {"k": 1, "d": 5}),
        ("!(k = 1)", {"k": 2}, {"k": 1}),
        ("d = k < 2 ? shape(operand)[k] : 1", {"d": 3, "k": 1}, {"d": 3, "k": 2}),
        ("d = range(rank(operand))", {"d": (0, 1)}, {"d": (1, 0)}),
        ("dim(operand, d...) = (k)", {"d": (1, 1), "k": 3}, {"d": (0, 1), "k": 3}),
        ("dim(operand, k) % n = 0", {"k": 1, "n": 3}, {"k": 1, "n": 2}),
        ("dim(operand, -1) = n", {"n": 3}, {"n": 2}),
        ("a... = DEFAULT", {"a": ("DEFAULT", "DEFAULT")}, {"a": ("DEFAULT", "HIGH")}),
        ("-R <= d < R", {"d": -1, "R": 1}, {"d": 1, "R": 1}),
        ("a[:-1] = b", {"a": (1, 2), "b": (1,)}, {"a": (1, 2), "b": (2,)}),
        ("a[d] <= 1", {"a": (5, 1), "d": (1,)}, {"a": (5, 1), "d": (0, 1)}),
        ("k = size(a) / 2", {"k": 1, "a": (1, 1)}, {"k": 1, "a": (1, 1, 1)}),
        (
            "d = ceil((b - a) / k)",
            {"d": (1, 2), "a": (0, 0), "b": (2, 3), "k": 2},
            {"d": (1, 1), "a": (0, 0), "b": (2, 3), "k": 2},
        ),
        (
            "d = ceil((b - a) / k)",
            {"d": (2, 1), "a": (0, 0), "b": (3, 3), "k": (2, 3)},
            {"d": (1, 1), "a": (0, 0), "b": (3, 3), "k": (2, 3)},
        ),
        ("is_unique(a[:, 1])", {"a": ((0, 1), (0, 2))}, {"a": ((0, 1), (2, 1))}),
        ("dim(a, 1) = 2", {"a": ((0, 1), (0, 2))}, {"a": ((0, 1), (0,))}),
        ("-R <= d < R, where R = rank(operand)", {"d": -2}, {"d": 2}),
        (
            "0 <= all < 3 and is_unique(all), where all = [d] + a",
            {"d": 0, "a": (1, 2)},
            {"d": 0, "a": (1, 0)},
        ),
        ("is_empty(a) or k in a", {"a": (), "k": 0}, {"a": (1,), "k": 0}),
        ("is_namespaced_op_name(k)", {"k": "a.b"}, {"k": "a"}),
        ("size(a) + 2 * size(b) = 5", {"a": (1,), "b": (1, 1)}, {"a": (1, 1), "b": (1,)}),
    ],
)
def test_notation(formula: str, holds: dict[str, Any], fails: dict[str, Any]) -> None:
    """On an operand of shape (2, 3)."""
    check = parse(formula)
    assert check(op("2x3xf32", **holds))
    assert not check(op("2x3xf32", **fails))


@pytest.mark.parametrize(
    ("formula", "operands", "results", "holds"),
    [
        ("same(shape(operands...))", "2xf32; 2xi8", "f32", True),
        ("same(shape(operands...))", "2xf32; 3xi8", "f32", False),
        ("shape(operands...) = shape(results...)", "2xf32; 3xi8", "2xi1; 3xi1", True),
        ("shape(operands...) = shape(results...)", "2xf32; 3xi8", "3xi1; 2xi1", False),
        ("shape(operands...) = shape(results...)", "2xf32; 3xi8", "2xi1", False),
        ("type(operands...) = type(result)", "2xf32; 2xf32", "2xf32", True),
        ("type(operands...) = type(result)", "2xf32; 3xf32", "2xf32", False),
        ("type(lhs) = type(rhs) = type(result)", "2xf32; 2xf32", "3xf32", False),
        ("size(operand) = size(result)", "2x3xf32", "6xf32", True),
        ("size(operand) = size(result)", "2x3xf32", "5xf32", False),
        (
            "is_quantized(operands...)",
            "!quant.uniform<i8:f32, 0.5>; !quant.uniform<i8:f32, 0.5>",
            "f32",
            True,
        ),
        ("is_quantized(operands...)", "!quant.uniform<i8:f32, 0.5>; f32", "f32", False),
        ("zero_points(rhs) = 0", "f32; 2x!quant.uniform<i8:f32:0, {0.5,0.25}>", "f32", True),
        ("zero_points(rhs) = 0", "f32; 2x!quant.uniform<i8:f32:0, {0.5,0.25:1}>", "f32", False),
        ("is_quantized(lhs) = is_quantized(rhs)", "f32; !quant.uniform<i8:f32, 0.5>", "f32", False),
        ("expressed_type(lhs) = element_type(rhs)", "!quant.uniform<i8:f32, 0.5>; f32", "f32", True),
        ("is_empty(results[:-1]) or is_tensor(type(results[:-1]))", "f32", "f32; f32", True),
        ("is_empty(results[:-1]) or is_tensor(type(results[:-1]))", "f32", "f32", True),
        (
            "element_type(operands[i]) = element_type(results[i]) for all i in [0,N)",
            "f32; i8",
            "f32; i8",
            True,
        ),
        (
            "element_type(operands[i]) = element_type(results[i]) for all i in [0,N)",
            "f32; i8",
            "i8; f32",
            False,
        ),
        ("lhs, rhs and result have the same shape", "2xf32; 2xi8", "2xi1", True),
        ("lhs, rhs and result have the same shape", "2xf32; 2xi8", "3xi1", False),
        ("is_token(type(results[-1]))", "f32", "f32", False),
        ("is_complex(lhs) implies is_complex(rhs)", "complex<f32>; f32", "f32", False),
        ("complex_element_type(element_type(lhs)) = element_type(rhs)", "complex<f64>; f64", "f32", True),
        ("is_float(lhs) implies is_float(rhs)", "f32; i8", "f32", False),
        ("is_float(lhs) implies is_float(rhs)", "i8; i8", "f32", True),
    ],
)
def test_types(formula: str, operands: str, results: str, holds: bool) -> None:
    assert bool(parse(formula)(op(operands, results))) == holds


@pytest.mark.parametrize(
    ("formula", "error"),
    [
        ("0 <= d", LookupError),
        ("d = 1 or k = 1", LookupError),  # also if the first side holds
        ("rank(operands[7]) = 1", LookupError),
        ("k < (0, 1)", TypeError),
        ("a < b", ValueError),  # lists of different sizes have no order
        ("zero_points(operand) = 0", TypeError),
    ],
)
def test_what_cannot_be_judged_raises(formula: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        parse(formula.replace("(0, 1)", "a"))(op("2xf32", k="x", a=(1, 2), b=(1,)))


@pytest.mark.parametrize(
    "text", ["", "a b", "a <", "f(a", "a ? b", "sizes(a) = 1", "a; b", "if a then b", "1 $ 2"]
)
def test_prose_is_no_formula(text: str) -> None:
    with pytest.raises(SyntaxError):
        parse(text)


@pytest.mark.parametrize("formula", FORMULAS)
def test_a_row_without_a_predicate_is_a_formula(formula: str) -> None:
    parse(formula)


def test_most_rows_that_are_not_about_inputs_are_checked_by_their_formula() -> None:
    formulas = [row.holds is None for row in chain(*CONSTRAINTS.values()) if row.letter != "i"]
    assert sum(formulas) >= 405
