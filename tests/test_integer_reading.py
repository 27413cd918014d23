"""The integer reading: its values by hand, its accumulators, what it refuses, and exact quotients."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.engine.in_integers import LIMIT, rescale
from spec.accumulator import Accumulator, Reading, accumulator_of, reading_named
from spec.errors import Malformed, Unsupported, Violation
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.types import parse_type
from tests.library.builders import contracting, module, operation, reduced, single

Q = "!quant.uniform<i8:f32, 0.5:3>"
BF16 = "!quant.uniform<i8:bf16, 0.3>"
TINY = "!quant.uniform<i8:f32, 1.0e-30>"


def ran(program: interp.Module, *args: Any, **options: Any) -> list[int]:
    """The stored elements that the engine gives, and the oracle too."""
    stored = [
        np.asarray(x, v.type.storage_type.numpy) for x, v in zip(args, program.main.inputs, strict=True)
    ]
    (ours,) = interp.run(program, *stored, reading="integer", **options)
    tensors = [
        Tensor(v.type, tuple(x.ravel().tolist())) for x, v in zip(stored, program.main.inputs, strict=True)
    ]
    reading = reading_named("integer", options.get("accumulator"))
    (theirs,) = evaluate(program, tensors, reading=reading)
    assert ours.storage.ravel().tolist() == list(theirs.elements)
    return list(theirs.elements)


def by_hand(name: str, types: str, *args: Any, **attributes: Any) -> list[int]:
    options = {key: attributes.pop(key) for key in ("accumulator",) if key in attributes}
    return ran(single(name, types, **attributes), *args, **options)


def test_elementwise_operations_are_those_of_integers() -> None:
    assert by_hand("add", f"3x{Q}; 3x{Q} -> 3x{Q}", [100, -128, 4], [100, -128, 5]) == [127, -128, 6]
    assert by_hand("subtract", f"2x{Q}; 2x{Q} -> 2x{Q}", [100, 3], [-100, 4]) == [127, 2]
    assert by_hand("negate", f"3x{Q} -> 3x{Q}", [3, 4, -128]) == [3, 2, 127]
    assert by_hand("abs", f"2x{Q} -> 2x{Q}", [2, -128]) == [4, 127]
    # In bf16, 0.3 * 125 is 37.5, and 37.5 / 0.30078125 is 124.7 rounded to 124.5, which goes to 124.
    assert by_hand("maximum", f"2x{BF16}; 2x{BF16} -> 2x{BF16}", [-125, 7], [-126, 9]) == [-125, 9]
    clamp = f"{BF16}; 2x{BF16}; {BF16} -> 2x{BF16}"
    assert by_hand("clamp", clamp, -125, [-128, 127], 125) == [-125, 125]


def test_operands_of_other_parameters_are_rescaled_first() -> None:
    """Each is rounded, half to even, and not clamped: 5 * 0.5 is 2.5 and 7 * 0.5 is 3.5 in units of 1."""
    half, one, big = (f"!quant.uniform<i8:f32, {scale}>" for scale in ("0.5", "1.0", "100.0"))
    assert by_hand("add", f"2x{half}; 2x{half} -> 2x{one}", [5, 7], [5, 7]) == [4, 8]
    assert by_hand("subtract", f"1x{big}; 1x{big} -> 1x{one}", [100], [99]) == [100]
    moved = "!quant.uniform<i8:f32, 1.0:10>"
    assert by_hand("minimum", f"1x{moved}; 1x{one} -> 1x{moved}", [13], [2]) == [12]


def test_compare_uses_floats_where_parameters_differ() -> None:
    wide = "!quant.uniform<i16:f16, 1.0>"
    equal = single("compare", f"1x{wide}; 1x{wide} -> 1xi1", comparison_direction="EQ")
    x, y = np.int16([4097]), np.int16([4096])  # equal in f16
    assert interp.run(equal, x, y)[0].storage.tolist() == [True]
    assert interp.run(equal, x, y, reading="integer")[0].storage.tolist() == [False]
    other = "!quant.uniform<i16:f16, 1.0:1>"
    unequal = single("compare", f"1x{wide}; 1x{other} -> 1xi1", comparison_direction="EQ")
    assert interp.run(unequal, x, y, reading="integer")[0].storage.tolist() == [True]


def test_a_zero_point_beyond_the_range_of_the_accumulator() -> None:
    moved, plain = "!quant.uniform<u32:f32, 0.5:2147483650>", "!quant.uniform<u32:f32, 0.5>"
    types = f"1x2x{moved}; 2x1x{plain} -> 1x1x!quant.uniform<i32:f32, 0.25>"
    sums = (3 - 2147483650) * 7 + (2**32 - 4 - 2147483650)
    wrapped = (sums + 2**31) % 2**32 - 2**31
    assert by_hand("dot_general", types, [[3, 2**32 - 4]], [[7], [1]], **contracting(1)) == [wrapped]


DOT = f"1x3x{Q}; 3x1x!quant.uniform<i8:f32, 2.0> -> 1x1x!quant.uniform<i32:f32, 1.0>"


@pytest.mark.parametrize(
    ("accumulator", "expected"),
    [
        (None, 12 * 10 - 3 * 10 - 2 * 10),
        (32, 70),
        ("i8", 70),
        ("i7", 70 - 128),
        ("i8 saturate", 127 - 7 * 10),  # 0 + 120 + 20 is clamped, then 70 less
        ("i7 saturate", 63 - 7 * 10),
    ],
)
def test_sums_of_products_are_held_by_the_accumulator(accumulator: Any, expected: int) -> None:
    """Products 12 * 10, 2 * 10, -7 * 10 of q - 3 in this order; scales 0.5 * 2.0 = 1.0."""
    dot = single("dot_general", DOT, **contracting(1))
    options = {} if accumulator is None else {"accumulator": accumulator}
    assert ran(dot, [[15, 5, -4]], [[10], [10], [10]], **options) == [expected]


def test_a_product_is_requantized_by_the_exact_quotient() -> None:
    """m = 5 * 7 in units of 0.5 * 0.5, so 8.75, is 35 / 12 in units of 3: 2.92; 6 * 1 is a tie: 0.5."""
    half, three = "!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i8:f32, 3.0:-5>"
    assert by_hand("multiply", f"2x{half}; 2x{half} -> 2x{three}", [5, 6], [7, 1]) == [3 - 5, 0 - 5]
    assert by_hand(
        "multiply", f"1x{half}; 1x{half} -> 1x{half}", [100], [100], accumulator="i8 saturate"
    ) == [64]


def test_an_accumulator_is_stored_as_it_is_where_the_result_has_its_type() -> None:
    """fl(0.1) * fl(0.1) is not fl(0.01); 0.0100000007... is its nearest number of f32."""
    tenth = "!quant.uniform<i16:f32, 0.1>"
    product = float(np.float32(np.float32(0.1) * np.float32(0.1)))
    types = f"1x1x{tenth}; 1x1x{tenth} -> 1x1x!quant.uniform<i32:f32, {product!r}>"
    dot = single("dot_general", types, **contracting(1))
    assert ran(dot, [[32767]], [[32767]]) == [32767**2]
    assert ran(dot, [[32767]], [[32767]], accumulator="i33") != [32767**2]


def test_bodies_of_reductions_act_on_integers() -> None:
    program = reduced(f"3x{BF16}")
    assert ran(program, [-125, 0, 0], 0) == [-125]
    wide = reduced(f"3x{Q}", "!quant.uniform<i32:f32, 1.0>")
    assert ran(wide, [8, 10, 3], 3) == [2 + 4]  # 2.5 and 3.5, each converted on its own


def test_other_operations_are_as_in_dequantize() -> None:
    for name in ("exponential", "uniform_quantize"):
        program = single(name, f"3x{Q} -> 3x{BF16.replace('bf16', 'f32')}")
        x = np.int8([-128, 5, 127])
        assert interp.run(program, x, reading="integer") == interp.run(program, x)


# What is refused ---------------------------------------------------------------------------------------


def test_a_scale_product_that_is_not_normal_is_a_violation() -> None:
    product = single("multiply", f"1x{TINY}; 1x{TINY} -> 1x{Q}")
    with pytest.raises(Violation, match=r"integer_reading_c1.*scales(.|\n)*is 0\.0 in f32"):
        interp.run(product, np.int8([1]), np.int8([1]), reading="integer")
    interp.run(product, np.int8([1]), np.int8([1]))
    with pytest.raises(Violation, match="integer_reading_c1"):
        interp.compile(product, reading="integer")


def test_an_algorithm_is_refused() -> None:
    fields = {"lhs_precision_type": "f32", "rhs_precision_type": "f32", "accumulation_type": "f32"}
    types = {name: parse_type(f"tensor<{type}>").element_type for name, type in fields.items()}
    counts = dict.fromkeys(("lhs_component_count", "rhs_component_count", "num_primitive_operations"), 1)
    one = parse_type("tensor<1x1x!quant.uniform<i8:f32, 1.0>>")
    attributes = {**contracting(1), **types, **counts, "allow_imprecise_accumulation": False}
    dot = module(operation("dot_general", [one, one], one, **attributes))
    with pytest.raises(Unsupported, match=r"dot_general with an algorithm, in the integer reading"):
        interp.run(dot, np.int8([[1]]), np.int8([[1]]), reading="integer")


@pytest.mark.parametrize("given", ["i1", "i65", "u8", "i8 clamps", 0, 1.5, True, "", [32]])
def test_a_wrong_accumulator_says_what_is_expected(given: Any) -> None:
    with pytest.raises(Malformed, match=r"accumulator(.|\n)*2 to 64 bits"):
        accumulator_of(given)


@pytest.mark.parametrize("text", ["i32", "i16 saturate", "i5"])
def test_an_accumulator_is_read_as_it_prints(text: str) -> None:
    assert repr(accumulator_of(text)) == text
    assert accumulator_of(accumulator_of(text)) == accumulator_of(text)


def test_readings_print_and_are_checked() -> None:
    assert accumulator_of("i16 wrap") == accumulator_of(16) == Accumulator(16)
    assert repr(reading_named("integer")) == "integer, accumulator i32"
    assert repr(reading_named("dequantize")) == "dequantize"
    assert reading_named(Reading("integer"), "i8") == Reading("integer", Accumulator(8), is_asked=True)
    with pytest.raises(Malformed, match=r"not a reading(.|\n)*known: dequantize, integer"):
        reading_named("float")
    with pytest.raises(Malformed, match=re.escape('expected reading="integer" beside it')):
        reading_named("dequantize", "i32")


# Exact quotients ---------------------------------------------------------------------------------------


@st.composite
def quotients(draw: st.DrawFn) -> tuple[int, list[int], Fraction]:
    """Integers and a ratio: any, of scales, or one with ties; near the limits too."""
    bits = draw(st.sampled_from([1, 7, 8, 16, 31, 32, 47, 63]))
    scale = st.floats(2.0**-20, 2.0**20, width=32).map(Fraction)
    ratio = draw(
        st.one_of(
            st.fractions(Fraction(1, 10**6), Fraction(10**6), max_denominator=10**9),
            st.tuples(scale, scale, scale).map(lambda s: s[0] * s[1] / s[2]),
            st.tuples(st.integers(1, 99), st.integers(-80, 70)).map(lambda p: p[0] * Fraction(2) ** p[1]),
        )
    )
    ends = [0, 1, -1, (1 << bits) - 1, -(1 << bits)]
    half = ratio.denominator // 2
    ties = [k * half for k in (1, 3, -5) if half and abs(k * half) < 1 << bits]
    return bits, [*ends, *ties, *draw(st.lists(st.integers(-(1 << bits), (1 << bits) - 1)))], ratio


@settings(deadline=None)
@given(quotients())
def test_rescaling_is_the_exact_quotient_rounded_once(drawn: tuple[int, list[int], Fraction]) -> None:
    bits, numbers, ratio = drawn
    with np.errstate(all="ignore"):
        found = rescale(NUMPY, np.array(numbers, np.int64), [ratio], (), bits)
    assert found.tolist() == [min(max(round(x * ratio), -LIMIT), LIMIT) for x in numbers]


# Events, and questions about reductions ------------------------------------------------------------------


def test_events_of_sums_of_products_and_of_results() -> None:
    """0 + 120, 120 + 20, then 70 less; the result is stored in i8 of scale 0.5: 70 * 2 saturates."""
    narrow = DOT.replace("<i32:f32, 1.0>", "<i8:f32, 0.5>")
    dot = single("dot_general", narrow, **contracting(1))
    args = np.int8([[15, 5, -4]]), np.int8([[10], [10], [10]])
    for accumulator, kinds in (
        ("i32", {"saturate": 1}),
        ("i8", {"wrap": 2, "saturate": 1}),  # 140 wraps to -116, and -116 - 70 wraps back to 70
        ("i8 saturate", {"saturate": 1}),  # 57 * 2 is stored
    ):
        trace = interp.trace(dot, *args, reading="integer", accumulator=accumulator)
        assert dict(trace.counts) == kinds, accumulator
    (group,) = trace.groups
    assert group.first.operands == (120, 20)
    assert (group.first.exact, group.first.stored, group.first.leaves) == (140, 127, (0, 2))


def test_events_of_elementwise_operations() -> None:
    def kinds(name: str, types: str, *args: Any, **options: Any) -> dict[str, int]:
        stored = [np.int8(x) for x in args]
        return dict(interp.trace(single(name, types), *stored, reading="integer", **options).counts)

    half = "!quant.uniform<i8:f32, 0.5>"
    # 5 and 5 halves are rounded to 2 and 2, but sum up to 5; 100 + 100 saturates; E1 is about floats.
    assert kinds("add", f"1x{half}; 1x{half} -> 1x!quant.uniform<i8:f32, 1.0>", [5], [5]) == {"inexact": 1}
    assert kinds("add", f"2x{Q}; 2x{Q} -> 2x{Q}", [100, 1], [100, -120]) == {"saturate": 1}
    assert kinds("multiply", f"1x{half}; 1x{half} -> 1x{half}", [12], [12], accumulator="i8") == {"wrap": 1}
    with pytest.raises(interp.Finding, match="saturate x 1"):
        interp.run(
            single("negate", f"1x{half} -> 1x{half}"), np.int8([-128]), reading="integer", fail_on="saturate"
        )


def test_questions_about_a_reduction_are_answered_in_the_reading_that_ran() -> None:
    program, x, init = reduced(f"4x{BF16}"), np.int8([100, 100, -100, -100]), np.int8(0)
    trace = interp.trace(program, x, init, reading="integer")
    assert repr(trace.verdict()).splitlines()[0].endswith("schedule left, integer reading")
    assert trace.verdict().counts == {"order-dependent": 1}
    assert interp.trace(program, x, init).verdict().counts == {"inexact": 1}
    assert trace.reduction("%0").accumulators[0].item() == trace.results[0].storage.item() == -73
    assert "order-dependent" in repr(trace.summary())
    assert trace.shrink().args[0].tolist() != x.tolist()


def test_steps_and_pages_are_in_the_reading_that_ran(tmp_path: Any) -> None:
    program, x, init = reduced(f"4x{BF16}"), np.int8([100, 100, -100, -100]), np.int8(0)
    walk = interp.step(program, x, init, reading="integer")
    assert "saturate" in repr(walk.until("saturate"))
    trace = interp.trace(program, x, init, reading="integer")
    page = trace.report(tmp_path / "page.html").read_text().replace("\n", "")
    assert "<dt>reading of quantized operations</dt><dd>integer</dd>" in page
    assert '"reading": "integer"' in trace.to_json()
    with pytest.raises(Unsupported, match="integer reading"):
        trace.budget()


def test_reductions_of_several_scales_are_not_asked_about() -> None:
    program = reduced(f"2x{Q}", "!quant.uniform<i32:f32, 1.0>")
    trace = interp.trace(program, np.int8([4, 6]), np.int8(3), reading="integer")
    assert dict(trace.counts) == {"lossy_convert": 2}  # 0.5 and 1.5
    assert not trace.reductions


def test_plan_names_the_theorems_of_the_reading() -> None:
    program = reduced(f"4x{BF16}")
    assert "no bound" in repr(interp.plan(program)) or "plain fold" in repr(interp.plan(program))
    assert "saturating addition in [-128, 127]" in repr(interp.plan(program, reading="integer"))
    mixed = reduced(f"4x{Q}", "!quant.uniform<i32:f32, 1.0>")
    assert "different scales" in repr(interp.plan(mixed, reading="integer"))


# The program without quantized types, and beside floats ---------------------------------------------------


def test_the_lowered_program_has_the_bits_of_the_reading() -> None:
    dot = single("dot_general", DOT.replace("<i32:f32, 1.0>", "<i8:f32, 0.7:2>"), **contracting(1))
    args = np.int8([[15, 5, -4]]), np.int8([[10], [11], [12]])
    options = {"reading": "integer", "accumulator": "i8 saturate"}
    plain = interp.lower(dot, **options)
    assert not any(word in repr(plain) for word in ("!quant", "f32", "f64"))
    expected = interp.run(dot, *args, **options)[0].storage
    assert interp.run(plain, *args)[0].storage.tolist() == expected.tolist()


def test_compare_claims_no_bound_in_the_integer_reading() -> None:
    program = single("add", f"1x{Q}; 1x{Q} -> 1x{Q}")
    found = interp.compare(program, np.int8([5]), np.int8([6]), reading="integer")
    assert found.ok
    assert np.isinf(found.bounds[0]).all()
    assert found.outputs[0].storage.tolist() == [8]


def test_compare_measures_and_says_that_nothing_is_bounded() -> None:
    """5 + 5 halves, each rounded to 2 in units of 1, are 4 and not 5."""
    half, one = "!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i8:f32, 1.0>"
    program = single("add", f"1x{half}; 1x{half} -> 1x{one}")
    five = np.int8([5])
    report = interp.compare(program, five, five, reading="integer")
    assert (report.results[0].largest_error, report.results[0].largest_steps) == (1.0, 1.0)
    assert (report.ok, report.results[0].verdict) == (True, "no bound")
    assert "no bound after operations on integers" in repr(report)
    assert interp.compare(program, five, five).note == ""
