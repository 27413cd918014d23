"""Functions of open accuracy: spans of what JAX documents, and how `judge` uses them."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.backends.functions import correctly_rounded
from interp.questions.permitted.function_accuracy import DOCUMENTED, function_span, units
from interp.theory.sums import Ends
from spec.types import ELEMENT_TYPES
from tests.library.builders import single

GROWING = ("cbrt", "exponential", "exponential_minus_one", "log", "log_plus_one", "logistic", "tanh")
NUMBERS = st.floats(1 / 64, 8, width=16)


@given(st.sampled_from(["f32", "bf16", "f16"]), st.floats(width=16, allow_nan=False, allow_infinity=False))
def test_the_unit_is_the_distance_to_the_next_number(element: str, x: float) -> None:
    """Counted in exact numbers, at ends of binades and among subnormals, too."""
    type = ELEMENT_TYPES[element]
    size = abs(Fraction(float(NUMPY.round_to(np.float64(x), type))))
    exponent = 1 - type.bias
    while size >= Fraction(2) ** (exponent + 1):
        exponent += 1
    assert units(type, np.float64(size)) == Fraction(2) ** (exponent - type.mantissa)


@pytest.mark.parametrize("element", DOCUMENTED)
@pytest.mark.parametrize("name", DOCUMENTED["f32"])
@given(NUMBERS, st.floats(-1, 1))
def test_a_device_that_is_as_accurate_as_documented_is_within(
    name: str, element: str, x: float, error: float
) -> None:
    """And one that is far beyond, by twice the figure and two units, is not."""
    type, arity = ELEMENT_TYPES[element], 2 if name == "atan2" else 1
    op = single(name, f"{f'1x{element}; ' * (arity - 1)}1x{element} -> 1x{element}").main.body.ops[0]
    operands = [float(NUMPY.round_to(np.float64(x / (k + 1)), type)) for k in range(arity)]
    right = correctly_rounded(name, *operands)
    unit, most = float(units(type, np.float64(right))), max(DOCUMENTED[element][name])
    span = function_span(op, [Ends(np.array([x]), np.array([x])) for x in operands])
    assert span is not None
    if np.isfinite(span.least).all():
        given = right + error * most * unit
        assert span.least[0] <= given <= span.greatest[0]
        far = (2 * most + 12) * unit
        assert span.least[0] > right - far
        assert span.greatest[0] < right + far


@given(st.sampled_from(GROWING), st.tuples(NUMBERS, NUMBERS, NUMBERS))
def test_between_two_operands_a_growing_function_lies_between_its_results(
    name: str, numbers: tuple[float, float, float]
) -> None:
    low, middle, high = sorted(numbers)
    op = single(name, "1xf32 -> 1xf32").main.body.ops[0]
    span = function_span(op, [Ends(np.array([low]), np.array([high]))])
    assert span is not None
    assert span.least[0] <= correctly_rounded(name, middle) <= span.greatest[0]


def test_of_a_function_that_rises_and_falls_only_points_are_known() -> None:
    op = single("sine", "2xf32 -> 2xf32").main.body.ops[0]
    span = function_span(op, [Ends(np.array([1.5, 1.0]), np.array([1.6, 1.0]))])
    assert span is not None
    assert np.isfinite(span.least).tolist() == [False, True]
    with localcontext(prec=40):
        assert span.least[1] < float(Decimal("0.8414709848078965066525023216302989996")) < span.greatest[1]


SOFTMAX = """func.func @main(%x: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<2x64xf32>
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x64xf32>, tensor<f32>) -> tensor<2xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<2xf32>) -> tensor<2x64xf32>
  %p = stablehlo.divide %e, %b : tensor<2x64xf32>
  return %p : tensor<2x64xf32>
}"""


@pytest.mark.parametrize(("units_off", "verdict"), [(100, "within the bound"), (5000, "improbable")])
def test_a_softmax_is_one_layer_of_functions_and_sums(units_off: int, verdict: str) -> None:
    """Each exponential is off by so many units, in a direction of its own; added in NumPy's order."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(2, 64)).astype(np.float32)
    e = np.exp(x) * (1 + rng.choice([-1, 1], x.shape).astype(np.float32) * np.float32(units_off * 2**-24))
    (layer,) = interp.judge(SOFTMAX, {"x": x, "out0": e / e.sum(1, keepdims=True)}).layers
    assert layer.verdict == verdict
    assert layer.narrower is None  # nothing is proved of functions


def test_a_quantized_function_may_be_a_step_off_where_the_real_one_is_near_a_tie() -> None:
    type = "!quant.uniform<i8:f32, 0.0078125>"
    text = f"""func.func @main(%x: tensor<1xf32>) -> tensor<1x{type}> {{
      %e = stablehlo.tanh %x : tensor<1xf32>
      %q = stablehlo.uniform_quantize %e : (tensor<1xf32>) -> tensor<1x{type}>
      return %q : tensor<1x{type}>
    }}"""
    x = np.float32([np.arctanh(40.5 / 128)])
    (right,) = interp.run(text, x)
    verdicts = {}
    for step in (-1, 0, 1, 5):
        (layer,) = interp.judge(text, {"x": x, "out0": right.storage + np.int8(step)}).layers
        verdicts[step] = layer.verdict
    assert verdicts[0] == "exact"
    assert sorted([verdicts[-1], verdicts[1]]) == ["improbable", "within the bound"]
    assert verdicts[5] == "improbable"


COMPLEX = ("abs", "divide", "exponential", "multiply", "sign", "sqrt")


@pytest.mark.parametrize("name", COMPLEX)
@pytest.mark.parametrize("element", ["complex<f32>", "complex<f64>"])
def test_no_digit_of_a_complex_function_is_judged(name: str, element: str) -> None:
    """IEEE says nothing of complex numbers; a right real part permits no imaginary part."""
    result = element[8:-1] if name == "abs" else element
    operands = "; ".join([f"2x{element}"] * (2 if name in ("divide", "multiply") else 1))
    module, type = single(name, f"{operands} -> 2x{result}"), ELEMENT_TYPES[element].numpy
    x = [np.array([1.3 + 0.3j, 2.7 - 2j], type), np.array([1.1 + 0.7j, 2 + 1j], type)]
    args = x[: len(module.main.inputs)]
    (right,) = interp.run(module, *args)
    off = (right.storage * (1 + 2**-20)).astype(right.storage.dtype)
    for numbers in [off] if name == "abs" else [off, (right.storage.real + 7j).astype(type)]:
        assert set(interp.permits(module, args, [numbers]).counts) == {"unknown"}


@pytest.mark.parametrize("name", ["logistic", "tanh"])
def test_of_an_operand_that_may_be_nan_nothing_is_known(name: str) -> None:
    """Not even that the function is bounded; of an infinity as such its result is."""
    op = single(name, "2xf32 -> 2xf32").main.body.ops[0]
    span = function_span(op, [Ends(np.array([-np.inf, np.inf]), np.array([np.inf, np.inf]))])
    assert span is not None
    assert np.isfinite(span.least).tolist() == np.isfinite(span.greatest).tolist() == [False, True]


def test_near_the_largest_number_a_device_may_have_an_infinity() -> None:
    """Of TPUs 1,772 units are documented: the exact result is 123 units below the largest number."""
    module = single("exponential_minus_one", "1xf32 -> 1xf32")
    x = np.array([88.72283], np.float32)
    (layer,) = interp.judge(module, {"arg0": x, "out0": np.float32([np.inf])}).layers
    assert layer.verdict == "unknown"
