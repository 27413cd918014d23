"""Events: every kind by hand, and all counts against exact arithmetic element by element."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from programs import quantized_types, stored

import interp
from interp.events.event import KINDS
from spec.ir import Module
from spec.schedule import parse
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, parse_element_type
from tests.builders import (
    chained,
    contracting,
    conversion,
    convolution,
    module,
    operation,
    quantized,
    reduction,
    scattered,
    single,
)

I8 = quantized("i8:f32, 0.5:3")
WIDE = quantized("i32:f32, 1.0")
ALL = "dimensions = array<i64: 0>"
SCHEDULES = ("left", "balanced", "blocks(3)", "random(5)")
Element = ElementType | QuantizedType


def elementwise(name: str, types: list[Element], result: Element, shape: tuple[int, ...] = (4,)) -> Module:
    return module(operation(name, [TensorType(shape, t) for t in types], TensorType(shape, result)))


def plain(name: str, type: str, *columns: list[Any], mode: str = "mlir") -> interp.Trace:
    """The trace of one plain operation on one-dimensional operands."""
    element = ELEMENT_TYPES[type]
    arrays = [np.array(column).astype(np.dtype(element.numpy)) for column in columns]
    module = elementwise(name, [element] * len(columns), element, arrays[0].shape)
    return interp.trace(module, *arrays, mode=mode)


def only(trace: interp.Trace, *kinds: str) -> interp.Trace:
    """The same trace after a check of what there is in it."""
    assert set(trace.counts) == set(kinds)
    return trace


# Every kind by hand


def test_saturation_says_where_and_what() -> None:
    """The sum of a and b is a + b - 3 in i8:f32, 0.5:3; results are clamped to 127."""
    module = reduction("reduce", f"2x3x{I8}", I8, I8, f"2x{I8}", "dimensions = array<i64: 1>")
    rows = np.array([[1, 2, 3], [100, 40, 90]], np.int8)
    trace = only(interp.trace(module, rows, np.int8(3)), "saturate")
    (group,) = trace.groups
    assert group.count == 2
    first, worst = trace.events
    assert (first.index, first.leaves, first.operands) == ((1,), (0, 2), (100, 40))
    assert (first.exact, first.stored) == (137, 127)
    assert (worst.leaves, worst.operands, worst.exact) == ((0, 3), (127, 90), 214)
    assert repr(trace) == (
        "<text>:5:16 reduce %0: saturate x 2, first at result (1,), leaves 0..2: 100 + 40 -> 127 (exact 137)"
        "; worst at result (1,), leaves 0..3: 127 + 90 -> 127 (exact 214)"
    )


def test_the_worst_is_the_farthest_from_exact() -> None:
    trace = plain("multiply", "i8", [100, 127, 100, 0], [3, 127, 4, 0])
    (group,) = only(trace, "wrap").groups
    assert (group.count, group.first.exact, group.worst.index, group.worst.exact) == (3, 300, (1,), 127 * 127)


@pytest.mark.parametrize(
    ("name", "type", "columns", "exact", "stored"),
    [
        ("subtract", "ui8", [[3], [5]], -2, 254),
        ("multiply", "i32", [[2**20], [2**20]], 2**40, 0),
        ("multiply", "ui64", [[2**63], [2]], 2**64, 0),
        ("add", "i64", [[2**63 - 1], [1]], 2**63, -(2**63)),
        ("negate", "i4", [[-8]], 8, -8),
        ("abs", "i8", [[-128]], 128, -128),
        ("divide", "i16", [[-(2**15)], [-1]], 2**15, -(2**15)),
    ],
)
def test_integers_wrap(name: str, type: str, columns: list[Any], exact: int, stored: int) -> None:
    (event,) = only(plain(name, type, *columns), "wrap").events
    assert (event.exact, event.stored) == (exact, stored)


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("divide", [[7], [0]]),
        ("remainder", [[7], [0]]),
        ("shift_left", [[1], [8]]),
        ("shift_right_logical", [[1], [-1]]),
        ("shift_right_arithmetic", [[1], [100]]),
    ],
)
def test_what_the_specification_leaves_open(name: str, columns: list[Any]) -> None:
    only(plain(name, "i8", *columns), "unspecified")


@pytest.mark.parametrize("name", ["divide", "remainder", "shift_left", "shift_right_logical"])
def test_nothing_is_open_for_ordinary_operands(name: str) -> None:
    only(plain(name, "i8", [7, -7, 1, 0], [1, 2, 3, 7]))


def test_a_float_becomes_an_integer() -> None:
    module = conversion("stablehlo.convert", "5xf32", "5xi8")
    x = np.array([1.5, 127.9, 128.0, -1e30, np.nan], np.float32)
    trace = only(interp.trace(module, x), "saturate", "nan")
    assert trace.counts == {"saturate": 2, "nan": 1}
    assert next(e for e in trace.events if e.kind == "nan").stored == 0


def test_an_integer_becomes_narrower() -> None:
    trace = interp.trace(
        conversion("stablehlo.convert", "3xi32", "3xui8"), np.array([255, 256, -1], np.int32)
    )
    assert only(trace, "wrap").counts["wrap"] == 2


def test_nan_is_quantized_to_zero_clamped() -> None:
    type = quantized("i8<5:100>:f32, 1.0:10")
    module = conversion("stablehlo.uniform_quantize", "3xf32", f"3x{type}")
    trace = only(interp.trace(module, np.array([np.nan, 3.0, 91.0], np.float32)), "nan", "saturate")
    nan, high = (e for kind in ("nan", "saturate") for e in trace.events if e.kind == kind)
    assert (nan.index, nan.stored, high.index, high.exact) == ((0,), 5, (2,), 101)


def test_only_a_new_nan_or_infinity_counts() -> None:
    inf = np.inf
    assert plain("add", "f32", [inf, inf, np.nan, 3e38], [-inf, 1, 1, 3e38]).counts == {"nan": 1, "inf": 1}
    only(plain("maximum", "f16", [inf, np.nan], [1, 1]))


def test_an_infinity_on_the_way_to_a_quantized_result() -> None:
    """100 * 2000 is beyond f16, so the product is infinite, though -100 * 2000 + 2000 * 100 is 0."""
    element = interp_type("i32:f16, 1.0")
    trace = interp.trace(elementwise("multiply", [element] * 2, element, (1,)), *int32([100], [2000]))
    trace = only(trace, "inexact", "inf")
    assert [event.exact for event in trace.events] == [200_000, 200_000]


def test_an_infinity_or_a_nan_on_the_way_is_inexact_too() -> None:
    """Both operands are infinite in f16: the larger one, which the range holds, is not what comes out, and
    the difference of two infinities is a NaN, stored as 0."""
    element = interp_type("i32:f16, 0.3")
    arguments = int32([-1190639369], [1994039150])
    greater = interp.trace(elementwise("maximum", [element] * 2, element, (1,)), *arguments)
    assert only(greater, "inexact", "inf").results[0].storage.tolist() == [2147483647]
    assert [event.exact for event in greater.events] == [1994039150, 1994039150]
    less = interp.trace(elementwise("subtract", [element] * 2, element, (1,)), *int32([10**9], [10**9 - 5]))
    assert only(less, "inexact", "nan").results[0].storage.tolist() == [0]
    assert next(event for event in less.events if event.kind == "inexact").exact == 5


def test_a_float_sum_that_overflows_is_inexact() -> None:
    """IEEE 754 says so; from infinity on the sum is exact."""
    for largest, type in ((3e38, "f32"), (1.7e308, "f64")):
        module = reduction("reduce", f"3x{type}", type, type, type, ALL)
        x = np.array([largest, largest, 1.0], type.replace("f", "float"))
        trace = interp.trace(module, x, np.zeros((), x.dtype))
        assert only(trace, "inexact", "inf").counts == {"inexact": 1, "inf": 1}


def test_division_by_a_quantized_zero() -> None:
    """1 / 0 is infinite and stops at the bound; 0 / 0 is NaN."""
    element = interp_type("i8:f32, 1.0")
    columns = (np.array(column, np.int8) for column in ([1, -1, 0, 6], [0, 0, 0, 3]))
    trace = only(interp.trace(elementwise("divide", [element] * 2, element), *columns), "saturate", "nan")
    assert trace.counts == {"saturate": 2, "nan": 1}
    assert [event.stored for event in trace.events if event.kind == "saturate"] == [127]


def test_a_transcendental_operation_saturates() -> None:
    """exp(5) is 148.4, in halves 296.8; exp(4) is 54.6."""
    element = interp_type("i8:f32, 0.5")
    trace = interp.trace(elementwise("exponential", [element], element, (2,)), np.array([8, 10], np.int8))
    (event,) = only(trace, "saturate").events
    assert event.index == (1,)
    assert float(event.exact) == pytest.approx(296.826318)


def test_parameters_per_axis() -> None:
    """Rows in steps of 1 and of 3: 130 saturates only the first, 4.5 is a tie in both."""
    type = quantized("i8:f32:0, {1.0, 3.0}")
    module = conversion("stablehlo.uniform_quantize", "2x2xf32", f"2x2x{type}")
    trace = interp.trace(module, np.array([[130, 4.5], [130, 4.5]], np.float32))
    (event,) = only(trace, "saturate").events
    assert (event.index, event.exact) == ((0, 0), 130)
    assert trace.results[0].storage.tolist() == [[127, 4], [43, 2]]


def test_digits_lost_in_a_quantized_accumulator() -> None:
    """f32 holds 2**24 and 2**24 + 2, nothing between."""
    element = interp_type("i32:f32, 1.0")
    trace = interp.trace(elementwise("add", [element] * 2, element, (2,)), *int32([2**24, 5], [1, 6]))
    (event,) = only(trace, "inexact").events
    assert (event.exact, event.stored) == (2**24 + 1, 2**24)


def test_digits_lost_in_a_float_accumulator() -> None:
    """bf16 counts to 256 and stays there; the sum of 1000 ones loses 744 of them."""
    module = reduction("reduce", "1000xbf16", "bf16", "bf16", "bf16", ALL)
    ones = np.ones(1000).astype("bfloat16")
    (group,) = only(interp.trace(module, ones, np.zeros((), "bfloat16")), "inexact").groups
    assert (group.count, group.first.leaves) == (744, (0, 257))
    assert group.first.explanation == "256 + 1 -> 256 (exact 257)"


def test_a_single_float_operation_may_round() -> None:
    only(plain("add", "f32", [1.0], [1e-9]))


def test_a_leaf_changes_value() -> None:
    """3.0 in steps of 2.0 is a tie and becomes 2; 150 steps do not fit."""
    types = quantized("i8:f32, 3.0"), quantized("i8:f32, 2.0")
    module = reduction("reduce", f"4x{types[0]}", types[0], types[1], types[1], ALL)
    trace = interp.trace(module, np.array([1, 2, 100, 4], np.int8), np.int8(0))
    lossy, high = (next(e for e in trace.events if e.kind == kind) for kind in ("lossy_convert", "saturate"))
    assert (lossy.what, lossy.index, lossy.exact, lossy.stored) == ("operand %input", (0,), Fraction(3, 2), 2)
    assert (high.what, high.index, high.exact) == ("operand %input", (2,), 150)


def test_an_empty_window() -> None:
    """Windows of one element, two steps apart, padded in front: the first lies in the padding."""
    trace = interp.trace(scatter(), np.array([1, 2, 3], np.int8), np.array([5, 6], np.int8), np.int8(0))
    (event,) = only(trace, "empty_window").events
    assert (event.what, event.index) == ("window", (0,))


@pytest.mark.parametrize(
    ("combine", "type", "identity", "other"),
    [
        ("add", I8, 3, 4),
        ("add", "i8", 0, 1),
        ("maximum", I8, -128, -127),
        ("minimum", "ui8", 255, 0),
        ("multiply", quantized("i8:f32, 0.5:3"), 5, 3),
        ("and", "i8", -1, 0),
        ("and", "ui8", 255, 254),
        ("or", "i1", 0, 1),
        ("maximum", "f32", -np.inf, 0.0),
    ],
)
def test_an_init_value_that_is_no_identity(combine: str, type: str, identity: Any, other: Any) -> None:
    module = reduction("reduce", f"2x{type}", type, type, type, ALL, combine)
    dtype = np.dtype(module.main.inputs[1].type.storage_type.numpy)
    kinds = {"kinds": ("non_identity_init",)}
    x = np.zeros(2, dtype)
    assert not interp.trace(module, x, np.array(identity, dtype), **kinds).events
    (event,) = interp.trace(module, x, np.array(other, dtype), **kinds).events
    assert (event.what, event.exact) == ("init value %init", identity)


def test_the_literal_reading_of_dequantize() -> None:
    """127 - (-128) does not fit in i8 (erratum E1)."""
    module = conversion("stablehlo.uniform_dequantize", f"2x{quantized('i8:f32, 1.0:-128')}", "2xf32")
    (event,) = only(interp.trace(module, np.array([-2, 127], np.int8)), "erratum").events
    assert (event.index, event.exact) == ((1,), 255)


def test_every_kind_has_a_test_above() -> None:
    source = Path(__file__).read_text()
    assert all(f'"{kind}"' in source for kind in KINDS)


# Where


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-128, 127), min_size=1, max_size=9), st.sampled_from(SCHEDULES))
def test_the_nodes_of_the_tree(leaves: list[int], schedule: str) -> None:
    """Saturations of an i8 sum under any schedule, replayed on integers over the schedule's own steps."""
    type = quantized("i8:f32, 1.0")
    module = reduction("reduce", f"{len(leaves)}x{type}", type, type, type, ALL)
    trace = interp.trace(module, np.array(leaves, np.int8), np.int8(0), schedule=schedule)
    values, spans = [0, *leaves], [(i, i) for i in range(len(leaves) + 1)]
    expected = []
    for lhs, rhs in parse(schedule).steps(len(values), True):
        exact = values[lhs] + values[rhs]
        values.append(min(max(exact, -128), 127))
        spans.append((spans[lhs][0], spans[rhs][1]))
        if exact != values[-1]:
            expected.append((spans[-1], (values[lhs], values[rhs]), exact))
    assert set(trace.counts) <= {"saturate"}
    assert trace.counts["saturate"] == len(expected)
    if expected:
        (group,) = trace.groups
        first = group.first.leaves, group.first.operands, group.first.exact
        assert first in (expected if schedule.startswith("blocks") else expected[:1])  # side by side
        assert group.severity == max(abs(exact) - (127 if exact > 0 else 128) for _, _, exact in expected)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_an_absent_leaf_is_no_event(schedule: str) -> None:
    """Every window picks its largest element; 100 and 100 meet at operand index 1 and nowhere else."""
    trace = interp.trace(
        scatter(stride=1, window=2, low=0),
        np.array([0, 9, 0], np.int8),
        np.array([100, 100], np.int8),
        np.int8(0),
        schedule=schedule,
    )
    (event,) = only(trace, "wrap").events
    assert (event.what, event.index, event.operands, event.stored) == ("result", (1,), (100, 100), -56)


def test_the_result_index_of_a_dot_product() -> None:
    m = single("dot_general", "2x2xi8; 2x3xi8 -> 2x3xi8", **contracting(1))
    x, y = np.array([[1, 1], [100, 100]], np.int8), np.array([[0, 0, 1], [0, 0, 1]], np.int8)
    (event,) = only(interp.trace(m, x, y), "wrap").events
    assert (event.index, event.leaves, event.explanation) == ((1, 2), (0, 2), "100 + 100 -> -56 (exact 200)")


def test_the_result_index_of_a_convolution() -> None:
    """Results laid out [feature, batch, spatial]; only feature 1 at position 2 of image 0 adds up to 200."""
    m = convolution("1x3x2xi8; 1x2x2xi8 -> 2x1x3xi8", "b0f 0io fb0")
    x, w = np.zeros((1, 3, 2), np.int8), np.array([[[0, 1], [0, 1]]], np.int8)
    x[0, 2] = 100
    (event,) = only(interp.trace(m, x, w), "wrap").events
    assert (event.index, event.leaves) == ((1, 0, 2), (0, 2))


def test_the_result_of_a_contraction_saturates() -> None:
    q, x = quantized("i8:f32, 1.0"), np.array([10, 20], np.int8)
    m = single("dot_general", f"2x{q}; 2x{q} -> {q}", **contracting())
    (event,) = only(interp.trace(m, x, x), "saturate").events
    assert (event.exact, event.stored) == (500, 127)


# Counts against exact arithmetic

EXACT: dict[str, Callable[..., Fraction]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
    "maximum": max,
    "minimum": min,
    "negate": lambda a: -a,
    "abs": abs,
}


def real(q: int, type: QuantizedType) -> Fraction:
    return (int(q) - type.zero_point) * step(type)


def clamped(exact: int, type: QuantizedType) -> int:
    """The bound that `exact` is beyond, as the expressed type holds it; infinite where it is beyond none."""
    for bound, beyond in (
        (type.storage_min, exact < type.storage_min),
        (type.storage_max, exact > type.storage_max),
    ):
        if beyond:
            return round(sorted([type.storage_min, cast(bound, type), type.storage_max])[1])
    return 2**99


def cast(x: float, type: QuantizedType) -> float:
    with np.errstate(over="ignore"):
        return float(np.float64(x).astype(np.dtype(type.expressed_type.numpy)))


def step(type: QuantizedType) -> Fraction:
    """The scale as the expressed type holds it."""
    return Fraction(cast(type.scale, type))


@settings(max_examples=120, deadline=None)
@given(st.data(), st.sampled_from(sorted(EXACT)))
def test_quantized_results_are_judged_as_fractions_judge_them(data: st.DataObject, name: str) -> None:
    result = data.draw(quantized_types())
    n = 1 if name in ("negate", "abs") else 2
    others = [data.draw(quantized_types(result.expressed_type.name)) for _ in range(n)]
    points = st.integers(result.storage_min, result.storage_max)
    types = [replace(result, scales=t.scales, zero_points=(data.draw(points),)) for t in others]
    assume(all(step(t) > 0 for t in (*types, result)))
    bounds = result.storage_min, result.storage_max
    assume(all(abs(cast(bound, result) - bound) <= 1 for bound in bounds))  # else nothing is a bound
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    shape = (3, 4)
    arguments = [stored(rng, TensorType(shape, t)) for t in types]
    if name == "divide":
        arguments[1] = np.where(arguments[1] == types[1].zero_point, types[1].storage_max, arguments[1])
        assume(types[1].storage_max != types[1].zero_point)
    trace = interp.trace(elementwise(name, types, result, shape), *arguments)
    expected = {"saturate": 0, "other": 0}
    for index in product(*map(range, shape)):
        operands = [real(x[index], t) for x, t in zip(arguments, types, strict=True)]
        exact = round(EXACT[name](*operands) / step(result) + result.zero_point)
        given_ = int(trace.results[0].storage[index])
        if exact != given_:
            expected["saturate" if given_ == clamped(exact, result) else "other"] += 1
    assert trace.counts["saturate"] == expected["saturate"]
    assert trace.counts["inexact"] == expected["other"]


def test_a_bound_stored_for_a_value_within_the_range_is_no_saturation() -> None:
    """Near 9,351 f16 holds multiples of 8: both bounds are 9,352 there, and so is every result.

    Exact results in steps: -0.29, which rounds to the zero point 9,351, and -0.59, beyond the range.
    """
    result = interp_type("i16<9351:9352>:f16, 1.7:9351")
    operand = interp_type("i16<9351:9352>:f16, 0.5:9352")
    module = elementwise("add", [operand, operand], result, (2,))
    trace = interp.trace(module, np.array([9352, 9351], np.int16), np.array([9351, 9351], np.int16))
    assert trace.results[0].storage.tolist() == [9352, 9352]
    assert trace.counts == {"inexact": 1, "saturate": 1}
    assert {(event.kind, event.index) for event in trace.events} == {("inexact", (0,)), ("saturate", (1,))}
    scalars = elementwise("add", [operand, operand], result, ())
    assert interp.trace(scalars, np.int16(9352), np.int16(9351)).counts == {"inexact": 1}


@settings(max_examples=120, deadline=None)
@given(
    st.data(),
    st.sampled_from(["f16", "bf16", "f32", "f64"]),
    st.sampled_from(["add", "subtract", "multiply"]),
)
def test_float_accumulators_are_judged_as_fractions_judge_them(
    data: st.DataObject, type: str, name: str
) -> None:
    floats = st.floats(2.0**-60, 2.0**60) | st.sampled_from([0.0, 1.0, 0.1, 3.0])
    dtype = np.dtype(ELEMENT_TYPES[type].numpy)
    with np.errstate(over="ignore"):
        a, b = (np.array(data.draw(floats)).astype(dtype) for _ in range(2))
    assume(np.isfinite(a.astype(float)) and np.isfinite(b.astype(float)))
    module = reduction("reduce", f"1x{type}", type, type, type, ALL, name)
    trace = interp.trace(module, b[None], a, kinds=("inexact",))
    total = float(trace.results[0].storage)
    assume(np.isfinite(total) and (total == 0 or abs(total) > 1e-35))
    exact = EXACT[name](Fraction(float(a)), Fraction(float(b)))
    assert trace.has("inexact") == (exact != Fraction(total))


# Using it


def test_a_trace_changes_no_result_and_keeps_little() -> None:
    module = reduction("reduce", f"40x30x{I8}", I8, I8, f"40x{I8}", "dimensions = array<i64: 1>")
    x = np.full((40, 30), 100, np.int8)
    trace = interp.trace(module, x, np.int8(3))
    assert trace.results == interp.run(module, x, np.int8(3))
    assert trace.counts["saturate"] == 40 * 29
    assert len(trace.events) == 2


def test_fail_on_raises_the_first_event() -> None:
    module = reduction("reduce", f"3x{I8}", I8, I8, I8, ALL)
    assert interp.run(module, np.array([1, 2, 3], np.int8), np.int8(3), fail_on=["saturate"])
    with pytest.raises(
        interp.Finding, match=r"saturate x 2\n  first at result \(\), leaves 0..2.*100 \+ 50 -> 127"
    ):
        interp.run(module, np.array([100, 50, 20], np.int8), np.int8(3), fail_on=["wrap", "saturate"])
    with pytest.raises(interp.Malformed, match="'overflow' is not a kind of event"):
        interp.run(module, np.array([1, 2, 3], np.int8), np.int8(3), fail_on=["overflow"])
    for one in ("saturate", iter(["saturate"])):
        with pytest.raises(interp.Finding, match="saturate x 2"):
            interp.run(module, np.array([100, 50, 20], np.int8), np.int8(3), fail_on=one)


def test_a_quiet_run() -> None:
    assert repr(plain("add", "i8", [1, 2], [3, 4])) == "no events"


def interp_type(text: str) -> QuantizedType:
    """`i32:f32, 1.0` as a type."""
    type = parse_element_type(f"!quant.uniform<{text}>")
    assert isinstance(type, QuantizedType)
    return type


def int32(*columns: list[int]) -> list[np.ndarray]:
    return [np.array(column, np.int32) for column in columns]


def scatter(stride: int = 2, window: int = 1, low: int = 1) -> Module:
    """select_and_scatter of i8, maximum and sum, of two windows over three elements."""
    return scattered("3xi8", (window,), strides=(stride,), padding=((low, 0),))


def test_the_exact_value_of_a_transcendental_is_not_that_of_its_type() -> None:
    """exp(11.5) / 0.5 = 197431.542; in f16 exp(11) is 59872, and exp(11.5) infinite."""
    m = chained("x: 2x!quant.uniform<u16:f16, 0.5>", "exponential x")
    trace = interp.trace(m, np.uint16([22, 23]))
    assert [event.kind for event in trace.events] == ["saturate", "saturate"]
    for event, x in zip(trace.events, (11.0, 11.5), strict=True):
        assert float(event.exact) == pytest.approx(2 * math.exp(x), rel=1e-12)


def test_a_nan_is_told_where_the_stored_zero_is_the_exact_result() -> None:
    """5 * 20000 is infinite in f16, and infinity less infinity NaN, which is stored as 0; 6 - 5 is 1."""
    m = chained(f"x y: 3x{quantized('i8:f16, 20000.0')}", "subtract x y")
    trace = interp.trace(m, np.int8([5, 6, 1]), np.int8([5, 5, 1]), kinds="nan")
    assert trace.counts == {"nan": 2}


def test_a_power_that_only_rounding_makes_whole_saturates() -> None:
    """30 steps of fl(0.1) are 3.00000004, in f32 3: (-12.8)^3 is -20971.5 steps."""
    m = chained(f"x y: 1x{quantized('i8:f32, 0.1')}", "power x y")
    (event,) = interp.trace(m, np.int8([-128]), np.int8([30])).events
    assert (event.kind, event.stored) == ("saturate", -128)
    assert float(event.exact) == pytest.approx(-20971.5, abs=1)


@pytest.mark.parametrize(
    ("name", "element", "x", "stored", "exact"),
    [
        ("log", "i8:bf16, 0.5:-128", -124, -126, math.log(2) / 0.5 - 128),
        ("floor", "i8:f8E5M2, 0.5", -126, -128, -126.0),
    ],
)
def test_a_function_whose_type_has_too_few_digits_is_inexact(
    name: str, element: str, x: int, stored: int, exact: float
) -> None:
    """log(2) in steps of a half is 1.386, and bf16 adds -128 to that; -63 is -64 in f8E5M2."""
    (event,) = interp.trace(chained(f"x: 1x{quantized(element)}", f"{name} x"), np.int8([x])).events
    assert (event.kind, event.stored) == ("inexact", stored)
    assert float(event.exact) == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize(("error", "kinds"), [(1e-15, []), (1e-3, ["inexact"])])
def test_a_function_in_f64_decides_no_tie(
    monkeypatch: pytest.MonkeyPatch, error: float, kinds: list[str]
) -> None:
    """cbrt(8) is half a step of 4, stored as 0; an f64 that is a little larger would be rounded to 1."""
    cbrt = lambda *_: np.array([2.0 + error])
    monkeypatch.setattr("interp.events.quantized_results._in_f64", cbrt)
    source, result = (f"tensor<1x!quant.uniform<i8:f32, {scale}>>" for scale in (1.0, 4.0))
    m = interp.load(f"""func.func @main(%x: {source}) -> {result} {{
      %0 = "stablehlo.cbrt"(%x) : ({source}) -> {result}
      return %0 : {result}
    }}""")
    trace = interp.trace(m, np.int8([8]))
    assert trace.results[0].storage.tolist() == [0]
    assert [event.kind for event in trace.events] == kinds
