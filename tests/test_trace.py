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

import interp
from interp.recorder.event import KINDS
from spec.ir import Module
from spec.schedule import parse
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, parse_element_type
from tests.library.builders import (
    chained,
    contracting,
    convolution,
    module,
    operation,
    quantized,
    reduction,
    scattered,
    single,
)
from tests.library.strategies.programs import quantized_types, stored

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


inf, nan = math.inf, math.nan
UNIT, HALVES, WIDE16, TENTHS16 = (
    quantized(text) for text in ("i8:f32, 1.0", "i8:f32, 0.5", "i32:f16, 1.0", "i32:f16, 0.3")
)
CLAMPED, ROWS, FAR = (
    quantized(text) for text in ("i8<5:100>:f32, 1.0:10", "i8:f32:0, {1.0, 3.0}", "i8:f32, 1.0:-128")
)
COLUMNS = "{0}; {0} -> {0}"
# Name, type of the columns or whole signature, columns, numbers of events, and what some of these say.
OPERATIONS = [
    # Integers wrap; the worst is the farthest from the exact number.
    ("subtract", "1xui8", [[3], [5]], {"wrap": 1}, [{"exact": -2, "stored": 254}]),
    ("multiply", "1xi32", [[2**20], [2**20]], {"wrap": 1}, [{"exact": 2**40, "stored": 0}]),
    ("multiply", "1xui64", [[2**63], [2]], {"wrap": 1}, [{"exact": 2**64, "stored": 0}]),
    ("add", "1xi64", [[2**63 - 1], [1]], {"wrap": 1}, [{"exact": 2**63, "stored": -(2**63)}]),
    ("negate", "1xi4 -> 1xi4", [[-8]], {"wrap": 1}, [{"exact": 8, "stored": -8}]),
    ("abs", "1xi8 -> 1xi8", [[-128]], {"wrap": 1}, [{"exact": 128, "stored": -128}]),
    ("divide", "1xi16", [[-(2**15)], [-1]], {"wrap": 1}, [{"exact": 2**15, "stored": -(2**15)}]),
    ("multiply", "4xi8", [[100, 127, 100, 0], [3, 127, 4, 0]], {"wrap": 3},
     [{"exact": 300, "index": (0,)}, {"exact": 127 * 127, "index": (1,)}]),
    ("convert", "3xi32 -> 3xui8", [[255, 256, -1]], {"wrap": 2}, []),
    # The specification leaves some results open, and none of ordinary operands.
    *((name, "1xi8", [[x], [y]], {"unspecified": 1}, []) for name, x, y in (
        ("divide", 7, 0), ("remainder", 7, 0), ("shift_left", 1, 8), ("shift_right_logical", 1, -1),
        ("shift_right_arithmetic", 1, 100))),
    *((name, "4xi8", [[7, -7, 1, 0], [1, 2, 3, 7]], {}, []) for name in (
        "divide", "remainder", "shift_left", "shift_right_logical")),
    # A float becomes an integer; NaN becomes zero, clamped to the range.
    ("convert", "5xf32 -> 5xi8", [[1.5, 127.9, 128.0, -1e30, nan]], {"saturate": 2, "nan": 1},
     [{"kind": "nan", "stored": 0}]),
    ("uniform_quantize", f"3xf32 -> 3x{CLAMPED}", [[nan, 3.0, 91.0]], {"saturate": 1, "nan": 1},
     [{"kind": "nan", "index": (0,), "stored": 5}, {"kind": "saturate", "index": (2,), "exact": 101}]),
    # Only a new NaN or infinity counts, and one operation of floats may round.
    ("add", "4xf32", [[inf, inf, nan, 3e38], [-inf, 1, 1, 3e38]], {"nan": 1, "inf": 1}, []),
    ("maximum", "2xf16", [[inf, nan], [1, 1]], {}, []),
    ("add", "1xf32", [[1.0], [1e-9]], {}, []),
    # 100 * 2000 is beyond f16; so are both operands of the maximum, and the difference of infinities is NaN.
    ("multiply", f"1x{WIDE16}", [[100], [2000]], {"inexact": 1, "inf": 1}, [
        {"kind": "inexact", "exact": 200_000}, {"kind": "inf", "exact": 200_000}]),
    ("maximum", f"1x{TENTHS16}", [[-1190639369], [1994039150]], {"inexact": 1, "inf": 1}, [
        {"kind": "inexact", "exact": 1994039150, "stored": 2147483647}, {"kind": "inf"}]),
    ("subtract", f"1x{TENTHS16}", [[10**9], [10**9 - 5]], {"inexact": 1, "nan": 1}, [
        {"kind": "inexact", "exact": 5, "stored": 0}]),
    # 1 / 0 is infinite and stops at the bound; 0 / 0 is NaN.
    ("divide", f"4x{UNIT}", [[1, -1, 0, 6], [0, 0, 0, 3]], {"saturate": 2, "nan": 1}, [
        {"kind": "saturate", "stored": 127}]),
    # exp(5) is 148.4, in halves 296.8; exp(4) is 54.6.
    ("exponential", f"2x{HALVES} -> 2x{HALVES}", [[8, 10]], {"saturate": 1}, [
        {"index": (1,), "exact": pytest.approx(296.826318)}]),
    # Rows in steps of 1 and of 3: 130 saturates only the first, 4.5 is a tie in both.
    ("uniform_quantize", f"2x2xf32 -> 2x2x{ROWS}", [[[130, 4.5], [130, 4.5]]], {"saturate": 1}, [
        {"index": (0, 0), "exact": 130, "stored": 127}]),
    # f32 holds 2**24 and 2**24 + 2, nothing between.
    ("add", f"2x{WIDE}", [[2**24, 5], [1, 6]], {"inexact": 1}, [{"exact": 2**24 + 1, "stored": 2**24}]),
    # 127 - (-128) does not fit in i8 (erratum E1).
    ("uniform_dequantize", f"2x{FAR} -> 2xf32", [[-2, 127]], {"erratum": 1}, [{"index": (1,), "exact": 255}]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "signature", "columns", "counts", "told"), OPERATIONS)
def test_an_operation_has_its_events(
    name: str, signature: str, columns: list[Any], counts: dict[str, int], told: list[dict[str, Any]]
) -> None:
    program = single(name, signature if "->" in signature else COLUMNS.format(signature))
    inputs = zip(columns, program.main.inputs, strict=True)
    trace = interp.trace(program, *(np.array(x).astype(v.type.storage_type.numpy) for x, v in inputs))
    assert trace.counts == counts
    said = [
        {key: getattr(event, key) for key in ("kind", "index", "exact", "stored")} for event in trace.events
    ]
    assert all(any(fields.items() <= event.items() for event in said) for fields in told), said


def test_a_float_sum_that_overflows_is_inexact() -> None:
    """IEEE 754 says so; from infinity on the sum is exact."""
    for largest, type in ((3e38, "f32"), (1.7e308, "f64")):
        module = reduction("reduce", f"3x{type}", type, type, type, ALL)
        x = np.array([largest, largest, 1.0], type.replace("f", "float"))
        trace = interp.trace(module, x, np.zeros((), x.dtype))
        assert only(trace, "inexact", "inf").counts == {"inexact": 1, "inf": 1}


def test_digits_lost_in_a_float_accumulator() -> None:
    """bf16 counts to 256 and stays there; the sum of 1000 ones loses 744 of them."""
    module = reduction("reduce", "1000xbf16", "bf16", "bf16", "bf16", ALL)
    ones = np.ones(1000).astype("bfloat16")
    (group,) = only(interp.trace(module, ones, np.zeros((), "bfloat16")), "inexact").groups
    assert (group.count, group.first.leaves) == (744, (0, 257))
    assert group.first.explanation == "256 + 1 -> 256 (exact 257)"


def test_a_leaf_changes_value() -> None:
    """3.0 in steps of 2.0 is a tie and becomes 2; 150 steps do not fit."""
    types = quantized("i8:f32, 3.0"), quantized("i8:f32, 2.0")
    module = reduction("reduce", f"4x{types[0]}", types[0], types[1], types[1], ALL)
    trace = interp.trace(module, np.array([1, 2, 100, 4], np.int8), np.int8(0))
    converted = [event for event in trace.events if event.leaves is None]
    lossy, high = (next(e for e in converted if e.kind == kind) for kind in ("lossy_convert", "saturate"))
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


def test_a_fault_is_at_the_true_elements_of_the_operation_that_names_it() -> None:
    module = interp.load(
        """func.func @main(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi1> {
          %0 = stablehlo.compare GT, %x, %y {interp.fault = "kernel K is wrong"}
            : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi1>
          return %0 : tensor<4xi1>
        }"""
    )
    trace = interp.trace(module, np.int8([1, 5, 2, 9]), np.int8([1, 3, 4, 8]))
    (group,) = only(trace, "fault").groups
    assert (group.count, group.first.index) == (2, (1,))
    assert "kernel K is wrong" in repr(trace)


def test_every_kind_has_a_test_above() -> None:
    source = Path(__file__).read_text()
    assert [kind for kind in KINDS if f'"{kind}"' not in source] == [], "write a test of these events above"


# Where


@settings(max_examples=120)
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
        assert group.size == max(abs(exact) - (127 if exact > 0 else 128) for _, _, exact in expected)


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


@settings(max_examples=120)
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


@settings(max_examples=120)
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
    monkeypatch.setattr("interp.recorder.detect._in_f64", cbrt)
    source, result = (f"tensor<1x!quant.uniform<i8:f32, {scale}>>" for scale in (1.0, 4.0))
    m = interp.load(f"""func.func @main(%x: {source}) -> {result} {{
      %0 = "stablehlo.cbrt"(%x) : ({source}) -> {result}
      return %0 : {result}
    }}""")
    trace = interp.trace(m, np.int8([8]))
    assert trace.results[0].storage.tolist() == [0]
    assert [event.kind for event in trace.events] == kinds
