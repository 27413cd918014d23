"""Runtimes with formats of their own: what they can express, what they run, and how they are judged.

Each expectation has a reason apart from the runtime: its documentation, or arithmetic that is exact.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from interp.apps.runtimes import views
from interp.apps.runtimes.runtimes import RUNTIMES, missing
from interp.apps.runtimes.translation import NotExpressible, Operand, Reply
from interp.apps.suite import compilers
from interp.apps.suite.conformance import conformance
from interp.apps.suite.implementations import implementation, running
from interp.apps.suite.report import Report, as_dict, as_text
from interp.loading.load import load
from spec.errors import Malformed, Unsupported
from spec.ir import Op


def needs(name: str) -> pytest.MarkDecorator:
    absent = missing(name)
    return pytest.mark.skipif(bool(absent), reason=f"{RUNTIMES[name].command} ({', '.join(absent)} missing)")


@pytest.mark.parametrize("name", RUNTIMES)
def test_an_absent_runtime_is_named_with_the_command_that_installs_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interp.apps.runtimes.runtimes.find_spec", lambda package: None)
    with pytest.raises(Unsupported, match=f"{name} needs .*: not installed") as error:
        implementation(name)
    assert error.value.evidence == RUNTIMES[name].command


INVALID = "an invalid program, which only a reader of StableHLO refuses"
NARROW = "storage bounds narrower than the type"
# For each runtime, cases of the suite: the verdict, and the operators that ran or the reason why none did.
CASES: dict[str, dict[str, tuple[str, str]]] = {
    "onnxruntime": {
        # Each is documented to round the exact quotient to a neighbour: the integer reading permits it.
        "quantized/add_u8": ("conforms", "QLinearAdd ui8"),
        "quantized/logistic_u8": ("conforms", "QLinearSigmoid ui8"),
        "quantized/maximum_u8": ("conforms", "QDQ Max ui8"),
        "contraction/dot_type_u8": ("conforms", "QLinearMatMul ui8"),
        "contraction/conv_feature_groups_quantized": ("conforms", "QLinearConv i8"),
        # Order-free bodies, on stored integers of equal parameters.
        "reduce/accumulator_saturating_u8_maximum": ("conforms", "ReduceMax ui8"),
        # ONNX's document: y = saturate(round(x / y_scale) + y_zero_point).
        "uniform_quantize/values_u16": ("wrong", "QuantizeLinear ui16"),
        # StableHLO's maximum propagates NaN.
        "reduce/nan_maximum": ("wrong", "ReduceMax f32"),
        "select_and_scatter/first_f32": ("not expressible", "select_and_scatter: no operator for it"),
        "uniform_quantize/values_i32": ("not expressible", "ONNX's QuantizeLinear has no int32"),
        "reduce/accumulator_narrow_range_add": ("not expressible", f"reduce: {NARROW}"),
        "reduce/c1_shapes_differ": ("not expressible", INVALID),
    },
    "litert": {
        "contraction/dot_contracted_in_order_quantized": ("conforms", "BATCH_MATMUL i8"),
        "contraction/conv_strides_quantized": ("conforms", "CONV_2D i8"),
        # Integers of 8 bits without a scale wrap in StableHLO's own operators.
        "integer/add_i8": ("conforms", "STABLEHLO_ADD i8"),
        "reduce_window/geometry_sum_0": ("conforms", "STABLEHLO_REDUCE_WINDOW add i32"),
        "reduce/along_17_0_maximum": ("conforms", "REDUCE_MAX i8, MAXIMUM i8"),
        # The quantization specification of TensorFlow Lite wants equal parameters: through floats.
        "quantized/maximum_u8": ("conforms", "QDQ MAXIMUM ui8"),
        "select_and_scatter/first_f32": ("not expressible", "select_and_scatter: no operator for it"),
        "reduce/expressed_f64": ("not expressible", "expressed type f64"),
    },
    # Its kernel of SUM for i8 is broken: constants such as -1 for every element.
    "litert-reference": {"reduce/saturates_i8": ("wrong", "SUM i8")},
    "tosa": {
        "contraction/dot_type_u8": ("not expressible", "dot_general: products of ui8"),
        "contraction/conv_plain_quantized": ("conforms", "CONV2D i8, RESCALE"),
        "quantized/add_u8": ("conforms", "RESCALE, ADD i32, RESCALE ui8"),
        "reduce/along_17_0_sum": ("conforms", "REDUCE_SUM i32"),
        # REQUIRE of TOSA's specification: sums stay in 32 bits.
        "reduce/wrapping_integers_i32": ("unsupported", "REDUCE_SUM i32"),
    },
    "torch": {
        "contraction/dot_type_u8": ("conforms", "quantized.matmul ui8"),
        "quantized/add_u8": ("conforms", "quantized.add ui8"),
        "quantized/maximum_u8": ("conforms", "QDQ maximum ui8"),
        "reduce/along_17_0_maximum": ("conforms", "amax i8"),
        "uniform_quantize/values_i16": ("not expressible", "uniform_quantize: quantized i16"),
    },
}
QUESTIONS = [pytest.param(name, case, marks=needs(name)) for name, cases in CASES.items() for case in cases]


@lru_cache
def judged(name: str) -> Report:
    """Return the report on the cases of a runtime, whose process starts once."""
    return conformance(name, filter=list(CASES[name]))


@pytest.mark.parametrize(("name", "case"), QUESTIONS)
def test_a_runtime(name: str, case: str) -> None:
    outcome = next(o for o in judged(name).outcomes if o.case.id == case)
    how = ", ".join(outcome.how) if outcome.how else outcome.detail
    assert ("conforms" if outcome.conforms else outcome.verdict, how) == CASES[name][case]
    assert outcome.verdict != "wrong" or outcome.detail.startswith(f"{how}: expected ")


@needs("onnxruntime")
def test_what_is_not_expressible_is_counted_and_no_failure() -> None:
    onnx_report = judged("onnxruntime")
    inexpressible = [o for o in onnx_report.outcomes if o.verdict == "not expressible"]
    rest = Report("onnxruntime", tuple(o for o in onnx_report.outcomes if o.conforms or o in inexpressible))
    assert (rest.ok, onnx_report.ok) == (True, False)
    assert rest.conclusion.endswith(f"{len(inexpressible)} more are not expressible")
    assert {row["conforms"] for row in as_dict(rest)["cases"]} == {True, None}
    assert "operators that ran" in as_text(rest)
    assert Report("numpy", ()).verdicts[-1] != "not expressible"


@needs("onnxruntime")
def test_the_recipe_of_a_kernel_is_among_those_that_are_named() -> None:
    """QLinearMatMul is documented to rescale in floats and to add the zero point after rounding."""
    found = next(o for o in judged("onnxruntime").outcomes if o.case.id == "contraction/dot_type_u8")
    assert found.recipes is not None
    assert "onnx" in found.recipes
    assert "gemmlowp" not in found.recipes


# Compilers that read StableHLO: IREE, and plugins of PJRT.


def test_a_plugin_that_is_not_there_is_named() -> None:
    with pytest.raises(Malformed, match=r"pjrt:nowhere\.so: there is no such file"):
        implementation("pjrt:nowhere.so")


def test_how_iree_compile_ends_is_told() -> None:
    message = "Error invoking iree-compile\nError code: {}\nDiagnostics:\nwhy\n\nInvoked with:\n x"
    assert compilers.failure(message.format(1)) == Reply("unsupported", message="why")
    assert compilers.failure(message.format(-8)) == Reply("crashed", message="iree-compile: signal 8\nwhy")


PLUGIN = "lammps_jax_pjrt_cpu"  # a package with XLA's plugin for the CPU
# Cases with f64, elements of 4 bits, several results, and quantized types, which XLA refuses.
OF_PLUGIN = {
    "float/remainder_f64": "exact",
    "integer/add_i4": "exact",
    "quantized/add_u8": "unsupported",
    "reduce/c1_shapes_differ": "refused",
    "sort/canonical_zeros_and_nans": "exact",
}


@pytest.mark.skipif(find_spec(PLUGIN) is None, reason=f"pip install {PLUGIN.replace('_', '-')}")
def test_a_plugin_of_pjrt() -> None:
    found = find_spec(PLUGIN)
    assert found is not None
    assert found.origin is not None
    path = Path(found.origin).with_name("pjrt_c_api_cpu_plugin.so")
    report = conformance(f"pjrt:{path}", filter=list(OF_PLUGIN))
    assert {o.case.id: o.verdict for o in report.outcomes} == OF_PLUGIN


# Adding in i32 is exact; IREE has no reduce of quantized types, and sums u8 as i8.
OF_IREE = {
    "float/add_f64": "exact",
    "integer/add_i4": "unsupported",
    "quantized/add_u8": "wrong",
    "reduce/c1_shapes_differ": "refused",
    "reduce/saturates_i8": "unsupported",
}


@pytest.mark.skipif(not compilers.has_iree(), reason=f"pip install {' '.join(compilers.IREE)}")
def test_iree() -> None:
    report = conformance("iree", filter=list(OF_IREE))
    assert {o.case.id: o.verdict for o in report.outcomes} == OF_IREE


# Operators that accept what they then ignore: why nothing is translated to them.


@needs("litert")
def test_stablehlo_add_of_litert_adds_stored_integers_of_quantized_tensors() -> None:
    from interp.apps.runtimes.litert_model import RESOLVERS, Operator, Slot, one_operator, run

    q = Slot("int8", (2,), [0.5], [3])
    x = np.int8([100, 4])
    model = one_operator(Operator("STABLEHLO_ADD"), [q, q], q)
    meant = np.clip(2 * (x.astype(int) - 3) + 3, -128, 127)
    for resolver in RESOLVERS:
        (given,) = run(model, [x, x], resolver)
        assert given.tolist() == (x + x).tolist() != meant.tolist()


@needs("litert")
def test_average_pool_of_litert_ignores_that_the_scales_differ() -> None:
    from interp.apps.runtimes.litert_model import RESOLVERS, Operator, Slot, one_operator, run

    options = {"padding": 1, "filterHeight": 1, "filterWidth": 2, "strideH": 1, "strideW": 2}
    operand, result = Slot("int8", (1, 1, 4, 1), [0.5], [0]), Slot("int8", (1, 1, 2, 1), [0.25], [0])
    model = one_operator(Operator("AVERAGE_POOL_2D", "Pool2DOptions", options), [operand], result)
    x = np.int8([8, 12, 20, 24])
    for resolver in RESOLVERS:
        (given,) = run(model, [x.reshape(operand.shape)], resolver)
        assert given.ravel().tolist() == x.reshape(2, 2).mean(1).tolist()
        assert (given.ravel() * 0.25).tolist() != (x.reshape(2, 2) * 0.5).mean(1).tolist()


# What needs no runtime.


def first_op(program: str) -> tuple[Op, list[Operand]]:
    """Return the first operation of a program, with operands whose elements are zeros."""
    main = load(program).main
    op = main.body.ops[0]
    return op, [Operand(v.name, v.type, np.zeros(v.type.shape, np.int8)) for v in op.operands]


REDUCE = """
func.func @main(%x: tensor<4x{leaf}>, %init: tensor<{leaf}>) -> tensor<{body}> {{
  %0 = "stablehlo.reduce"(%x, %init) ({{
  ^bb0(%a: tensor<{body}>, %b: tensor<{body}>):
    %1 = stablehlo.{name} %a, %b : tensor<{body}>
    stablehlo.return %1 : tensor<{body}>
  }}) {{dimensions = array<i64: 0>}} : (tensor<4x{leaf}>, tensor<{leaf}>) -> tensor<{body}>
  return %0 : tensor<{body}>
}}"""
Q, WIDE = "!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i32:f32, 0.5>"


@pytest.mark.parametrize(
    ("leaf", "body", "name", "expected"),
    [
        (Q, Q, "add", True),  # 0 + x = x
        (Q, Q, "maximum", False),  # the least number is -128, not 0
        (Q, WIDE, "add", False),  # init is converted first, and so is not known to be 0
        ("i8", "i8", "multiply", False),
        ("i8", "i8", "or", True),
    ],
)
def test_an_init_value_is_left_out_only_if_it_changes_nothing(
    leaf: str, body: str, name: str, expected: bool
) -> None:
    seen = views.fold(*first_op(REDUCE.format(leaf=leaf, body=body, name=name)))
    assert (seen.body, seen.has_identity) == (name, expected)


def test_a_body_that_does_not_commute_is_not_expressible() -> None:
    with pytest.raises(NotExpressible, match="a body of subtract"):
        views.fold(*first_op(REDUCE.format(leaf="i8", body="i8", name="subtract")))


def test_the_operators_that_ran_are_known_of_a_crash() -> None:
    assert running(["running:", "INFO: ready", "running:SUM i8, ADD i8", "abort"]) == ("SUM i8", "ADD i8")
    assert running(["running:SUM i8", "running:"]) == ()
