"""Ranges of types and known values; those of operations, against every number between operands' ends."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from itertools import product

import numpy as np
import pytest

from interp.backends import NUMPY
from interp.engine.prepared import function_of
from interp.kernels import OPERATIONS
from interp.questions.proving.elementwise import elementwise
from interp.questions.proving.ranges import (
    Range,
    anywhere,
    between,
    compact,
    ends_of,
    finite_range,
    has_order,
    hull,
    type_range,
    value_range,
    widen_along,
)
from spec.types import (
    ELEMENT_TYPES,
    TOKEN,
    ElementType,
    QuantizedType,
    TensorType,
    make_quantized,
    parse_element_type,
)
from tests.library.builders import operation

Element = ElementType | QuantizedType
INF = float("inf")
I8, I1, F32, F64 = (ELEMENT_TYPES[name] for name in ("i8", "i1", "f32", "f64"))
SPANS = [(a, b) for a in (-128, -127, -3, 0, 2, 100) for b in (-128, -1, 0, 1, 3, 127) if a < b]


def range_of(type: TensorType, least: float, greatest: float) -> Range:
    dtype = NUMPY.carrier(type.storage_type)
    return between(type, np.array([least], dtype), np.array([greatest], dtype))


def ends(
    name: str, types: list[Element], result: Element, spans: list[tuple[float, float]]
) -> tuple[float, float]:
    """Return the ends of an operation's one element for those of its operands."""
    inputs = [TensorType((1,), t) for t in types]
    op = operation(name, inputs, TensorType((1,), result))
    function = function_of(op, NUMPY, OPERATIONS)[0]
    operands = [range_of(type, *span) for type, span in zip(inputs, spans, strict=True)]
    with np.errstate(all="ignore"):
        found = elementwise(op, operands, function)
    return found.least.item(), found.greatest.item()


FUNCTIONS: dict[str, Callable[..., int]] = {
    "abs": abs,
    "negate": lambda x: -x,
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "maximum": max,
    "minimum": min,
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_integers_have_their_extremes_or_the_whole_type_where_one_wraps(name: str) -> None:
    f, arity = FUNCTIONS[name], 1 if name in ("abs", "negate") else 2
    for spans in product(SPANS, repeat=arity):
        values = [f(*x) for x in product(*spans)]
        if name == "abs" and spans[0][0] <= 0 <= spans[0][1]:
            values.append(0)
        fits = min(values) >= -128 and max(values) <= 127
        expected = (min(values), max(values)) if fits else (-128, 127)
        assert ends(name, [I8] * arity, I8, list(spans)) == expected, spans


def test_a_choice_has_the_range_of_what_may_be_chosen() -> None:
    chosen: list[tuple[float, float]] = [(-3, 5), (4, 9)]
    for pred, expected in (((False, True), (-3, 9)), ((True, True), (-3, 5)), ((False, False), (4, 9))):
        type = TensorType((1,), I1)
        op = operation("select", [type, *[TensorType((1,), I8)] * 2], TensorType((1,), I8))
        known = np.array([pred[0]])
        first = Range(type, known, known if pred[0] == pred[1] else np.array([pred[1]]))
        operands = [first, *(range_of(TensorType((1,), I8), *x) for x in chosen)]
        found = elementwise(op, operands, function_of(op, NUMPY, OPERATIONS)[0])
        assert (found.least.item(), found.greatest.item()) == expected


def test_a_choice_that_is_known_element_by_element_has_the_range_of_each() -> None:
    type, pred = TensorType((2,), I8), TensorType((2,), I1)
    op = operation("select", [pred, type, type], type)
    known = np.array([True, False])
    operands = [Range(pred, known, known), range_of(type, -3, 5), range_of(type, 4, 9)]
    found = elementwise(op, operands, function_of(op, NUMPY, OPERATIONS)[0])
    assert (found.least.tolist(), found.greatest.tolist()) == ([-3, 4], [5, 9])


@pytest.mark.parametrize(
    ("name", "nan"), [("maximum", False), ("minimum", False), ("negate", False), ("add", True)]
)
def test_an_infinity_makes_a_nan_where_it_is_subtracted_only(name: str, nan: bool) -> None:
    type, arity = TensorType((1,), F32), 1 if name == "negate" else 2
    op = operation(name, [type] * arity, type)
    operands = [range_of(type, -np.inf, np.inf)] * arity
    with np.errstate(all="ignore"):
        found = elementwise(op, operands, function_of(op, NUMPY, OPERATIONS)[0])
    assert (found.least.item(), found.greatest.item(), found.nan) == (-np.inf, np.inf, nan)


def test_stored_bits_under_another_sign_are_not_converted() -> None:
    """The bits of u8 from 100 to 200 are those of i8 from 100 to 127 and from -128 to -56."""
    assert ends("bitcast_convert", [ELEMENT_TYPES["ui8"]], I8, [(100, 200)]) == (-128, 127)
    assert ends("bitcast_convert", [ELEMENT_TYPES["ui8"]], I8, [(1, 2)]) == (-128, 127)


def test_a_hull_holds_all_ranges_and_may_be_no_number_if_one_may() -> None:
    type = TensorType((1,), F32)
    nan = Range(type, np.float32([5]), np.float32([6]), True)
    found = hull([range_of(type, -1, 2), range_of(type, 1, 3), nan])
    assert (found.least.item(), found.greatest.item(), found.nan) == (-1, 6, True)
    assert not hull([range_of(type, -1, 2), range_of(type, 1, 3)]).nan


def test_roots_of_quantized_numbers_begin_at_zero() -> None:
    """0 to 8 in steps of 0.5: roots go from 0 to 2.83, which is 6 steps; below 0 there are none."""
    q = make_quantized("i8", "f32", 0.5)
    assert ends("sqrt", [q], q, [(0, 16)]) == (0, 6)
    assert ends("sqrt", [q], q, [(-1, 16)]) == (-128, 127)


@pytest.mark.parametrize("x", [(-1.5, 2.25), (0.1, 0.3), (-30.0, 10.0)])
def test_functions_of_f64_are_moved_outward_and_exact_ones_are_not(x: tuple[float, float]) -> None:
    """NumPy's exponential is off by less than 4 ulp; the exact one lies strictly within the range."""
    low, high = ends("exponential", [F64], F64, [x])
    with localcontext(prec=60):
        exact = [Decimal(end).exp() for end in x]
    assert Decimal(low) < exact[0] < exact[1] < Decimal(high)
    assert low <= np.exp(x[0]) * (1 - 2 * 2.0**-53)
    assert high >= np.exp(x[1]) * (1 + 2 * 2.0**-53)
    assert (low, high) == pytest.approx(tuple(map(float, exact)), rel=2.0**-48)
    assert ends("add", [F64, F64], F64, [x, (1.0, 2.0)]) == (x[0] + 1, x[1] + 2)
    assert ends("sqrt", [F64], F64, [(4.0, 9.0)]) == (2, 3)


# Ranges themselves. A number of a type without an order has no ends: it may be anything.

PAIR = TensorType((2, 3), F32)
UNORDERED = [parse_element_type(text) for text in ("complex<f32>", "!quant.uniform<f8E4M3FN:f32, 0.5>")]


def parts(x: Range) -> tuple[object, object, bool]:
    return x.least.tolist(), x.greatest.tolist(), x.nan


@pytest.mark.parametrize(
    ("type", "expected"),
    [
        (F32, (-INF, INF)),
        (ELEMENT_TYPES["f8E4M3FN"], (-448.0, 448.0)),
        (I1, (False, True)),
        (ELEMENT_TYPES["ui4"], (0, 15)),
        (make_quantized("i8", "f32", 0.5, 3, storage_min=-127), (-127, 127)),
    ],
)
def test_a_type_ends_at_its_farthest_elements(type: Element, expected: tuple[float, float]) -> None:
    assert ends_of(type) == expected
    found = type_range(TensorType((2, 3), type))
    is_float = expected[1] in (INF, 448.0)
    assert parts(found) == ([[expected[0]]], [[expected[1]]], is_float)
    assert found.least.dtype == NUMPY.carrier(found.type.storage_type)


@pytest.mark.parametrize("type", UNORDERED)
def test_a_type_without_an_order_has_no_known_ends(type: Element) -> None:
    tensor = TensorType((2, 3), type)
    x = range_of(TensorType((1,), I8), 1, 2)
    assert not has_order(tensor)
    known = value_range(tensor, np.zeros((2, 3)))
    for found in (type_range(tensor), finite_range(tensor), known, hull([known]), anywhere(tensor, x)):
        assert found.nan
        assert found.least.shape == found.greatest.shape == (1, 1)


def test_numbers_have_an_order_and_tokens_have_none() -> None:
    assert not has_order(TOKEN)
    for type in (I1, I8, F32, make_quantized("i8", "f32", 0.5)):
        assert has_order(TensorType((2,), type))


def test_a_parameter_is_a_finite_number() -> None:
    most = float(np.finfo(np.float32).max)
    assert parts(finite_range(PAIR)) == ([[-most]], [[most]], False)
    assert parts(finite_range(TensorType((2,), I8))) == ([-128], [127], False)


def test_a_known_value_is_a_point_unless_one_element_is_not_a_number() -> None:
    found = value_range(PAIR, np.float32([[1, 2, 3], [1, 2, 3]]))
    assert parts(found) == ([[1, 2, 3]], [[1, 2, 3]], False)
    assert found.is_point
    assert parts(value_range(PAIR, np.float32([[1, 2, 3], [1, 2, np.nan]]))) == ([[-INF]], [[INF]], True)
    assert parts(value_range(TensorType((2,), I8), np.int8([5, 5]))) == ([5], [5], False)


def test_a_point_is_known_element_by_element() -> None:
    """Floats of equal ends may be zeros of two signs: they are one number only if the ends are one array."""
    type, known = TensorType((2,), F32), np.float32([1, 2])
    assert Range(type, known, known).is_point
    assert not Range(type, known, known, True).is_point
    assert not Range(type, known, known.copy()).is_point
    whole, one = TensorType((2,), I8), np.int8([1, 2])
    assert Range(whole, one, one.copy()).is_point
    assert not Range(whole, one, one.copy(), True).is_point
    assert not Range(whole, one, np.int8([1, 3])).is_point
    assert not Range(whole, one, np.int8([2, 3])).is_point


def test_a_range_is_finite_if_all_its_elements_are() -> None:
    type, one = TensorType((2,), F32), np.float32([1, 1])
    assert Range(type, one, one).is_finite
    assert not Range(type, one, one, True).is_finite
    assert not Range(type, one, np.float32([1, INF])).is_finite
    assert not Range(type, np.float32([-INF, 1]), one).is_finite


def test_ends_are_written_out_in_the_shape_of_the_type() -> None:
    least, greatest = Range(PAIR, np.float32([[1], [2]]), np.float32([[3, 4, 5]])).full
    assert least.tolist() == [[1, 1, 1], [2, 2, 2]]
    assert greatest.tolist() == [[3, 4, 5], [3, 4, 5]]


def test_ends_of_which_one_is_not_a_number_say_nothing() -> None:
    one, none = np.float32([[1]]), np.float32([[np.nan]])
    assert parts(between(PAIR, one, 2 * one)) == ([[1]], [[2]], False)
    assert parts(between(PAIR, one, 2 * one, True)) == ([[1]], [[2]], True)
    for ends in ((one, none), (none, one)):
        assert parts(between(PAIR, *ends)) == ([[-INF]], [[INF]], True)
    for end in between(TensorType((), F32), np.float32(1), np.float32(2)).ends:
        assert isinstance(end, np.ndarray)
    assert between(PAIR, one, one).is_point
    assert not between(PAIR, one, one.copy()).is_point


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (np.int8([[1, 2], [1, 2]]), [[1, 2]]),
        (np.int8([[1, 1], [2, 2], [3, 3]]), [[1], [2], [3]]),
        (np.int8([[1, 1], [1, 1], [2, 2]]), [[1], [1], [2]]),
        (np.int8([7, 7, 7]), [7]),
        (np.int8([1, 2]), [1, 2]),
        (np.int8([1, 2])[::-1], [2, 1]),
        (np.broadcast_to(np.int8([[1], [2]]), (2, 3)), [[1], [2]]),
        (np.float32([0.5, 0.5]), [0.5]),
        (np.zeros((0, 2), np.int8), []),
    ],
)
def test_elements_that_are_alike_along_a_dimension_are_written_once(
    x: np.ndarray, expected: list[object]
) -> None:
    assert compact(x).tolist() == expected


def test_zeros_of_two_signs_are_not_alike_and_nothing_is_compact_along_all_else() -> None:
    assert np.signbit(compact(np.float32([0.0, -0.0]))).tolist() == [False, True]
    assert compact(np.zeros((0, 2), np.int8)).shape == (0, 1)
    assert compact(np.zeros((2, 0), np.int8)).shape == (1, 0)


def test_ends_are_joined_along_dimensions() -> None:
    x = Range(PAIR, np.float32([[1, 5, 3], [4, 2, 6]]), np.float32([[7, 7, 9], [8, 6, 9]]), True)
    assert parts(widen_along(x, [0])) == ([[1, 2, 3]], [[8, 7, 9]], True)
    assert parts(widen_along(x, [1])) == ([[1], [2]], [[9], [9]], True)
    assert parts(anywhere(TensorType((4, 5), F32), x)) == ([[1]], [[9]], True)
    assert parts(anywhere(TensorType((), F32), x)) == (1, 9, True)


def test_no_elements_may_be_any_number() -> None:
    nothing = np.zeros((0, 3), np.int8)
    x = Range(TensorType((0, 3), I8), nothing, nothing)
    assert parts(widen_along(x, [0])) == ([[-128]], [[127]], False)
    assert parts(anywhere(TensorType((2,), I8), x)) == ([-128], [127], False)
