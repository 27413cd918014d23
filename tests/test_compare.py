"""`compare`: the float reference, XLA, and what is reported of the two. Numbers by hand."""

from __future__ import annotations

from pathlib import Path

import jax.numpy as jnp
import numpy as np
import pytest

from interp.backends.dtypes import numpy_dtype
from interp.comparison.compare import compare
from interp.comparison.comparison import Comparison, report
from interp.engine.evaluate import Listener
from interp.engine.tensor import Tensor
from interp.execute.run import run
from interp.loading.load import load
from interp.rewrite.float_reference import entry_module, float_reference
from spec.errors import Malformed, Unsupported
from spec.ir import Module
from spec.types import ELEMENT_TYPES, TensorType, make_quantized
from tests.library.builders import chained, contracting, reduced, single, windowed

HALF = make_quantized("i8", "f32", 0.5, 3)


def program(signature: str, *lines: str, aliases: str = "", more: str = "") -> Module:
    """`@main` with these lines; `!q` is i8 of scale 0.5 and zero point 3, `!w` an accumulator for it."""
    return load(f"""
      !q = !quant.uniform<i8:f32, 0.5:3>
      !w = !quant.uniform<i32:f32, 0.5:3>
      {aliases}
      func.func @main{signature} {{
        {chr(10).join(lines)}
      }}
      {more}
    """)


Q, W = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i32:f32, 0.5:3>"


def total(element: str, n: int, combine: str = "add", wide: str = "") -> Module:
    return reduced(f"{n}x{element}", wide, combine)


# The float reference.


def test_the_float_reference_has_no_quantized_types() -> None:
    m = program(
        "(%x: tensor<2xf32>) -> tensor<2xf32>",
        '%c = "stablehlo.constant"() {value = dense<[5, 1]> : tensor<2xi8>} : () -> tensor<2x!q>',
        "%q = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!q>",
        "%s = stablehlo.add %q, %c : tensor<2x!q>",
        "%y = stablehlo.uniform_dequantize %s : (tensor<2x!q>) -> tensor<2xf32>",
        "return %y : tensor<2xf32>",
    )
    text = repr(float_reference(m))
    assert "quant" not in text
    assert "dense<[1.0, -1.0]> : tensor<2xf32>" in text  # (5 - 3) / 2, (1 - 3) / 2
    names = [op.name for op in float_reference(m).ops()]
    assert names == ["stablehlo.constant", "stablehlo.add", "func.return"]


def test_the_mean_idiom_is_a_multiplication() -> None:
    m = single("bitcast_convert", f"2x{W} -> 2x!quant.uniform<i32:f32, 0.125:3>")
    found = compare(m, np.array([7, 1], np.int32))  # 2.0 and -1.0, a quarter of which are
    assert found.reference[0].tolist() == [0.5, -0.25]
    assert found.ok
    assert found.results[0].bound == 0


@pytest.mark.parametrize("result", ["i8", "!quant.uniform<i8:f32, 0.5:4>"])
def test_other_storage_reinterpretations_have_no_float_reference(result: str) -> None:
    m = program(
        f"(%x: tensor<2x!q>) -> tensor<2x{result}>",
        f"%y = stablehlo.bitcast_convert %x : (tensor<2x!q>) -> tensor<2x{result}>",
        f"return %y : tensor<2x{result}>",
    )
    with pytest.raises(Unsupported, match="reinterprets storage") as raised:
        compare(m, np.zeros(2, np.int8))
    assert raised.value.where.line > 0
    found = compare(m, np.zeros(2, np.int8), against=lambda x: x * 0)
    assert found.results[0].bound is None


@pytest.mark.slow("compiles each", rows=4)
@pytest.mark.parametrize("n", [1, 2, 33, 1000])
@pytest.mark.parametrize(
    ("combine", "expected"), [("add", lambda n: n + 5), ("multiply", lambda n: 5), ("maximum", lambda n: 5)]
)
def test_the_init_value_counts_once(n: int, combine: str, expected: object) -> None:
    """XLA itself counts it once per block of 32, or not at all for a single element (E9)."""
    found = compare(total("f32", n, combine), np.ones(n, np.float32), np.float32(5))
    assert found.reference[0].item() == expected(n)  # type: ignore[operator]
    assert found.ok


def test_padding_is_made_of_init_values() -> None:
    m = windowed("3xf32", (2,), padding=((1, 1),))
    found = compare(m, np.array([1, 2, 4], np.float32), np.float32(10))
    assert found.reference[0].tolist() == [10 + 10 + 1, 10 + 1 + 2, 10 + 2 + 4, 10 + 4 + 10]
    assert found.ok


def test_functions_are_called_by_name_and_what_is_not_called_needs_no_float_reference() -> None:
    m = program(
        "(%x: tensor<2x!q>) -> tensor<2x!q>",
        "%y = func.call @twice(%x) : (tensor<2x!q>) -> tensor<2x!q>",
        "return %y : tensor<2x!q>",
        more="""
          func.func @twice(%x: tensor<2x!q>) -> tensor<2x!q> {
            %y = stablehlo.add %x, %x : tensor<2x!q>
            return %y : tensor<2x!q>
          }
          func.func @bits(%x: tensor<2x!q>) -> tensor<2xi8> {
            %y = stablehlo.bitcast_convert %x : (tensor<2x!q>) -> tensor<2xi8>
            return %y : tensor<2xi8>
          }
        """,
    )
    x = np.array([5, 1], np.int8)
    assert compare(m, x).reference[0].tolist() == [2, -2]
    assert compare(m, x, function="twice").reference[0].tolist() == [2, -2]
    assert set(entry_module(m, m["twice"]).functions) == {"main"}


def test_bodies_may_be_calls() -> None:
    m = program(
        "(%x: tensor<40x!q>, %i: tensor<!q>) -> tensor<!w>",
        '%r = "stablehlo.reduce"(%x, %i) ({',
        "  ^bb0(%a: tensor<!w>, %b: tensor<!w>):",
        "    %c = func.call @plus(%a, %b) : (tensor<!w>, tensor<!w>) -> tensor<!w>",
        "    stablehlo.return %c : tensor<!w>",
        "}) {dimensions = array<i64: 0>} : (tensor<40x!q>, tensor<!q>) -> tensor<!w>",
        "return %r : tensor<!w>",
        more="""
          func.func private @plus(%a: tensor<!w>, %b: tensor<!w>) -> tensor<!w> {
            %c = stablehlo.add %a, %b : tensor<!w>
            return %c : tensor<!w>
          }
        """,
    )
    found = compare(m, np.full(40, 5, np.int8), np.int8(4))  # 40 ones and a half
    assert found.reference[0].item() == 40.5
    assert found.results[0].bound == 0


# Types.


def test_64_bit_types_are_not_narrowed() -> None:
    m = program(
        "(%x: tensor<1xi64>, %y: tensor<1xf64>) -> (tensor<1xi64>, tensor<1xf64>)",
        "%a = stablehlo.add %x, %x : tensor<1xi64>",
        "%b = stablehlo.add %y, %y : tensor<1xf64>",
        "return %a, %b : tensor<1xi64>, tensor<1xf64>",
    )
    found = compare(m, np.array([2**40 + 1]), np.array([1 + 2.0**-50]))
    assert found.reference[0].tolist() == [2**41 + 2]
    assert found.reference[1].tolist() == [2 + 2.0**-49]


@pytest.mark.parametrize("element", ["i4", "ui4", "i1", "bf16", "f16", "f8E5M2"])
def test_narrow_types_reach_xla(element: str) -> None:
    m = single("reverse", f"3x{element} -> 3x{element}", dimensions=(0,))
    x = np.array([0, 1, 1]).astype(ELEMENT_TYPES[element].numpy)
    found = compare(m, x)
    assert found.ok
    assert found.results[0].disagreeing == 0
    assert found.results[0].bound == 0


def test_a_bf16_sum_that_xla_keeps_wider_stays_within_the_bound() -> None:
    found = compare(total("bf16", 1000), np.ones(1000, "bfloat16"), np.zeros((), "bfloat16"))
    assert float(found.outputs[0].storage) == 256
    assert found.ok
    bound = found.results[0].bound
    assert bound is not None
    assert bound >= 744


def test_plain_and_rfc_operands_are_widened_for_xla() -> None:
    found = compare(total("i8", 3, wide="i32"), np.array([100, 100, 100], np.int8), np.int8(1))
    assert found.reference[0].item() == 301
    assert found.results[0].bound == 0


def test_few_numbers_go_to_a_type_with_many_parameters() -> None:
    """All 16 numbers of an i4 are fewer than the elements, and each slice makes something else of them."""
    few, many = "!quant.uniform<i4:f32, 0.5>", "!quant.uniform<i4:f32:1, {0.5, 0.25:1}>"
    m = single("uniform_quantize", f"30x2x{few} -> 30x2x{many}")
    x = np.arange(60, dtype=np.int8).reshape(30, 2) % 16 - 8
    found = compare(m, x)
    assert found.ok
    assert found.results[0].saturated == np.count_nonzero((x[:, 1] > 3) | (x[:, 1] < -4))


# The report.


def tensor(storage: list[int]) -> Tensor:
    return Tensor(TensorType((len(storage),), HALF), np.array(storage, np.int8))


def plain(element: str, *elements: float) -> Tensor:
    type = TensorType((len(elements),), ELEMENT_TYPES[element])
    return Tensor(type, np.array(elements, type.storage_type.numpy))


INF, NAN = np.inf, np.nan
REPORTS = {
    "in real units and in steps: 5 and 7 stand for 1 and 2": (tensor([5, 7]), [1.0, 1.5], [0.0, 0.5], {
        "largest_error": 0.5, "mean_error": 0.25, "largest_steps": 1.0, "mean_steps": 0.5, "ok": True,
        "bound": pytest.approx(0.5), "sqnr": pytest.approx(10 * np.log10((1 + 2.25) / 0.25))}),
    "beyond its bound": (tensor([5, 7]), [1.0, 1.5], [0.0, 0.4], {"beyond": 1, "ok": False}),
    "saturated": (tensor([5, 127]), [1.0, 100], [0.0, NAN], {"saturated": 1, "bound": 0, "ok": True}),
    # The largest error is of an element without a bound: it does not contradict the bound of the other.
    "the bound of another": (tensor([5, 127]), [1.0, 1049.2], [0.0, NAN], {
        "largest_error": pytest.approx(987.2), "bound": 0, "bounded": 1, "bounded_error": 0,
        "verdict": "holds for 1; 1 saturated"}),
    "saturated everywhere": (tensor([5, 127]), [1.0, 1049.2], [NAN, NAN], {
        "bound": None, "verdict": "no bound; 2 saturated"}),
    "no elements": (tensor([]), [], [], {"verdict": "no elements"}),
    # Neither 0 nor infinite decibels: that would say that nothing differs.
    "no finite elements": (plain("f32", INF), [1.0], [INF], {
        "mean_error": None, "sqnr": None, "largest_error": INF}),
    "squares that overflow": (plain("f64", 2e200), [1e201], [0.0], {
        "sqnr": pytest.approx(20 * np.log10(1.25))}),
    "no bound": (tensor([5, 7]), [1.0, 9.0], [INF, INF], {"bound": None, "ok": True}),
    "not finite": (plain("f32", INF, NAN, 1, 2), [INF, NAN, INF, 1], [0.0, 0, 0, 2], {
        "not_finite": 1, "beyond": 1, "disagreeing": 2, "largest_error": INF,
        "mean_error": pytest.approx(1.0)}),
}  # fmt: skip


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_of_errors_and_bounds(name: str) -> None:
    ours, reference, bounds, expected = REPORTS[name]
    dtype = np.float64 if ours.type.storage_type.bits == 64 else np.float32
    found = report(ours, np.array(reference, dtype), np.array(bounds))
    assert {key: getattr(found, key) for key in expected} == expected


@pytest.mark.parametrize(
    ("bounds", "verdict"),
    [
        ([0.0, 0, 0], "holds for 3"),
        ([0.0, np.nan, np.inf], "holds for 1; 1 saturated; 1 without a bound"),
        ([0.0, np.inf, np.inf], "holds for 1; 2 without a bound"),
        ([np.inf, np.nan, np.nan], "no bound; 2 saturated"),
        ([np.inf] * 3, "no bound"),
    ],
)
def test_the_verdict_counts_what_it_is_about(bounds: list[float], verdict: str) -> None:
    x = tensor([5, 7, 9])
    assert report(x, x.dequantize(), np.array(bounds)).verdict == verdict
    wrong = report(x, x.dequantize() + 1, np.array(bounds)).verdict
    assert wrong == verdict.replace("holds for ", f"FAILS at {bounds.count(0)} of ")


def test_means_and_sqnr_are_of_finite_elements_and_say_so() -> None:
    type = TensorType((4,), ELEMENT_TYPES["f32"])
    ours = Tensor(type, np.array([np.inf, np.nan, 3, 1e30], np.float32))
    reference = np.array([np.inf, 1, 4, 1e30], np.float32)
    found = report(ours, reference, np.full(4, np.inf))
    assert (found.left_out, found.mean_error) == (2, 0.5)
    assert found.sqnr == pytest.approx(600)  # 10 log10(1e60 + 16)
    shown = repr(Comparison((found,), "title", (ours,), (reference,), (np.full(4, np.inf),)))
    assert shown.splitlines()[-1] == "result 0: mean and SQNR are of the 2 finite elements; 2 are not"


def test_integers_are_counted() -> None:
    """0.1 and 0.2 are positive, and quantize to 0."""
    m = program(
        "(%x: tensor<4xf32>) -> tensor<4xi1>",
        "%q = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!q>",
        '%c = "stablehlo.constant"() {value = dense<3> : tensor<4xi8>} : () -> tensor<4x!q>',
        "%p = stablehlo.compare GT, %q, %c : (tensor<4x!q>, tensor<4x!q>) -> tensor<4xi1>",
        "return %p : tensor<4xi1>",
    )
    found = compare(m, np.array([-1, 0.1, 0.2, 0.3], np.float32))  # in halves: -1, 0, 0, 0.5
    assert found.outputs[0].storage.tolist() == [False, False, False, True]
    (result,) = found.results
    assert (result.disagreeing, result.bound, result.ok) == (2, None, True)
    assert result.largest_error is None


def test_exact_integers_that_differ_are_a_finding() -> None:
    m = chained("x: 2xi32", "add x x")
    found = compare(m, np.array([1, 2]), against=lambda x: x * x)
    assert (found.results[0].disagreeing, found.ok) == (1, False)


def test_saturation_is_reported_where_it_happened() -> None:
    m = reduced(f"2x3x{Q}", dimensions=(1,))
    x = np.array([[1, 2, 3], [100, 100, 100]], np.int8)
    for schedule in ("left", "balanced", "blocks(2)", "random(1)"):
        found = compare(m, x, np.int8(3), schedule=schedule)
        assert np.isnan(found.bounds[0]).tolist() == [False, True]
        assert (found.results[0].saturated, found.ok) == (1, True)
        assert found.results[0].largest_error == (97 * 3 - 124) / 2


def test_saturation_stays_in_sight() -> None:
    """A clamped value that later fits again is still no longer the float's."""
    m = chained(f"x: 2x{Q}", "s = add x x", "subtract s x")
    found = compare(m, np.array([100, 10], np.int8))
    assert found.outputs[0].storage.tolist() == [127 - 100 + 3, 10]
    assert np.isnan(found.bounds[0]).tolist() == [True, False]


@pytest.mark.parametrize(
    ("element", "most"),
    [
        ("f32", np.inf),
        ("f8E5M2", np.inf),
        ("f8E4M3FN", 448),
        ("f8E4M3FNUZ", 240),
        ("f8E5M2FNUZ", 57344),
        ("f8E4M3B11FNUZ", 30),
        ("f4E2M1FN", 6),
    ],
)
def test_channels_that_do_not_clip_have_a_reference_in_every_format(element: str, most: float) -> None:
    """Zero is the least number of channel 0, the greatest of channel 1, and neither of channel 2.

    A bound of infinity for the others was NaN in formats that have none. `most` is the largest number.
    """
    q = f"!quant.uniform<i4:{element}:0, {{0.5:-8, 0.5:7, 0.5}}>"
    m = single("uniform_quantize", f"3x5x{element} -> 3x5x{q}")
    x = np.array([[-most, -2, 0, 2, most]] * 3, numpy_dtype(ELEMENT_TYPES[element]))
    found = compare(m, x)
    (reference,) = found.reference
    wanted = [[0, 0, 0, 2, most], [-most, -2, 0, 0, 0], [-most, -2, 0, 2, most]]
    assert np.array_equal(reference.astype(np.float64), wanted)
    assert found.ok


def test_a_schedule_that_counts_init_values_has_no_bound() -> None:
    args = np.ones(8, np.float32), np.float32(1)
    assert compare(total("f32", 8), *args, schedule="blocks(4)").results[0].bound is None
    assert compare(total("f32", 8), args[0], np.float32(0), schedule="blocks(4)").results[0].bound == 0


def test_the_outputs_are_those_of_run() -> None:
    m, x, i = total(Q, 50, wide=W), np.arange(50, dtype=np.int8), np.int8(7)
    for schedule in ("left", "balanced"):
        assert compare(m, x, i, schedule=schedule).outputs == run(m, x, i, schedule=schedule)


def test_listeners_are_called_as_by_run() -> None:
    class Count(Listener):
        nodes = 0

        def on_node(self, *_: object) -> None:
            self.nodes += 1

    count = Count()
    compare(total(Q, 50, wide=W), np.arange(50, dtype=np.int8), np.int8(7), listeners=[count])
    assert count.nodes == 50


def test_it_prints_an_aligned_table() -> None:
    found = compare(total(Q, 50, wide=W), np.arange(50, dtype=np.int8), np.int8(7))
    title, head, row = repr(found).splitlines()
    assert title == "@main against its float reference (types stripped) on XLA, schedule left"
    assert head.index("type") == row.index("tensor<")
    assert "holds" in row


# Your own function.


def test_against_your_own_function() -> None:
    m, x = total(Q, 5, wide=W), np.array([5, 7, 9, 1, 3], np.int8)
    found = compare(m, x, np.int8(3), against=lambda x, init: init + jnp.sum(x))
    assert found.ok
    assert found.reference[0].item() == 1 + 2 + 3 - 1 + 0
    assert repr(found).startswith("@main against <lambda> on XLA")


def test_another_function_is_a_finding() -> None:
    m, x = total(Q, 5, wide=W), np.array([5, 7, 9, 1, 3], np.int8)
    found = compare(m, x, np.int8(3), against=lambda x, init: jnp.max(x))
    assert not found.ok
    assert "FAILS at 1" in repr(found)
    own = "every bound holds against the program's own float reference (types stripped)"
    assert found.note == f"{own}: <lambda> computes other numbers, up to 2 apart from it"


def test_results_of_other_shapes_are_refused() -> None:
    m, x = total(Q, 5, wide=W), np.zeros(5, np.int8)
    with pytest.raises(Malformed, match="other shapes"):
        compare(m, x, np.int8(3), against=lambda x, init: x)


# What XLA refuses.


def test_a_float_reference_that_xla_refuses_runs_on_this_engine() -> None:
    m = single("dot_general", "2x2xi2; 2x2xi2 -> 2x2xi2", **contracting(1))
    found = compare(m, *np.ones((2, 2, 2), np.int8))
    assert found.witness.startswith("this engine, schedule left (XLA does not run the float reference: ")
    assert found.reference[0].tolist() == [[-2, -2], [-2, -2]]  # 1 + 1, modulo 4


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [("reduce_window", ([1, 2], 7), []), ("select_and_scatter", ([1, 2], [], 7), [7, 7])],
)
def test_padding_that_cuts_off_more_than_there_is(name: str, args: list[object], expected: list[int]) -> None:
    """XLA would abort the process."""
    case = load(Path(__file__).parent.parent / f"testdata/{name}/negative_padding_of_all.mlir")
    compared = compare(case, *map(np.int32, args))
    assert [out.tolist() for out in compared.reference] == [expected]
    assert compared.ok
