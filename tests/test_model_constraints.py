"""Constraints on a model: by value, operation, kernel and element type, of the program and of the user."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.apps.quantization.constraints import Any, Calibrated, NoQuant, Uniform, constrain
from interp.apps.quantization.kernels import is_unconstrained, kernels, specs_of
from interp.apps.quantization.pipeline import fuse
from interp.apps.quantization.propagate import propagation
from interp.apps.quantization.targets import TARGETS
from spec.errors import Malformed
from spec.ir import Module

TRAINED = """
func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %q = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.25:3>>
  %d = stablehlo.uniform_dequantize %q : (tensor<4x!quant.uniform<i8:f32, 0.25:3>>) -> tensor<4xf32>
  %a = stablehlo.abs %d : tensor<4xf32>
  %r = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  %s = stablehlo.uniform_dequantize %r : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  %n = stablehlo.negate %s : tensor<4xf32>
  %e = stablehlo.exponential %a : tensor<4xf32>
  return %n, %e : tensor<4xf32>, tensor<4xf32>
}"""
MIXED = """
func.func @main(%x: tensor<4xf32>, %y: tensor<4xbf16>) -> tensor<4xf32> {
  %a = stablehlo.abs %x : tensor<4xf32>
  %b = stablehlo.negate %y : tensor<4xbf16>
  %c = stablehlo.convert %b : (tensor<4xbf16>) -> tensor<4xf32>
  %s = stablehlo.add %a, %c : tensor<4xf32>
  return %s : tensor<4xf32>
}"""
X = np.array([0.3, -1.1, 2.0, 0.0], np.float32)


def specs(module: Module) -> dict[str, list[str]]:
    """Return the specs of each region by its result's name; "" for a port without a constraint."""
    return {
        op.results[0].name: ["" if is_unconstrained(s) else repr(s) for s in specs_of(op)]
        for op in kernels(module)
    }


def test_pairs_of_quantize_and_dequantize_are_types_that_training_chose() -> None:
    """%a is also read as a float: its pair binds the reader of %s alone."""
    found = constrain(fuse(interp.load(TRAINED), TARGETS["int8"]))
    quarter, half = "!quant.uniform<i8:f32, 2.500000e-01:3>", "!quant.uniform<i8:f32, 5.000000e-01>"
    assert specs(found) == {"%a": [quarter, ""], "%n": [half, ""]}
    assert "stablehlo.uniform_quantize" not in {op.name for op in found.ops()}
    program = interp.load(TRAINED)
    simulated = interp.run(propagation(found, "int8").module, X)
    exact = interp.run(program, X)
    assert (simulated[0].storage == exact[0].storage).all()


def test_constraints_name_operations_kernels_and_element_types() -> None:
    fused = fuse(interp.load(MIXED), TARGETS["int8"])
    by_operation = specs(constrain(fused, {"stablehlo.add": NoQuant(), "generic.abs": Any(8)}))
    assert by_operation["%s"] == ["f32"] * 3
    assert by_operation["%a"] == ["!quant.any<i8:f32>"] * 2
    by_type = specs(constrain(fused, {"bf16": Calibrated(-1.0, 1.0)}))
    assert by_type == {
        "%a": ["", ""],
        "%b": ["!quant.calibrated<bf16<-1.000000e+00:1.000000e+00>>"] * 2,
        "%s": ["", "", ""],
    }


def test_bf16_values_are_quantized_with_bf16_expressed() -> None:
    fused = fuse(interp.load(MIXED), TARGETS["int8"])
    found = propagation(constrain(fused, {"bf16": Calibrated(-1.0, 1.0)}))
    (decided,) = {repr(each.type.expressed_type) for each in found.decisions}
    assert decided == "bf16"
    assert {each.kernel for each in found.open} == {"generic.abs %a", "generic.add %s"}


def test_not_quantized_is_stronger_than_a_type_and_a_type_than_a_range() -> None:
    fused = fuse(interp.load(MIXED), TARGETS["int8"])
    half = Uniform("!quant.uniform<i8:f32, 0.5>")
    both = specs(constrain(fused, {"%a": [Calibrated(0.0, 1.0), half], "%x": [half, NoQuant()]}))
    assert both["%a"] == ["f32", "!quant.uniform<i8:f32, 5.000000e-01>"]


def test_the_widest_of_several_widths_counts() -> None:
    fused = fuse(interp.load(MIXED), TARGETS["int8"])
    assert specs(constrain(fused, {"%a": [Any(4), Any(16), Any(8)]}))["%a"][1] == "!quant.any<i16:f32>"


def test_constraints_inside_a_region_reach_its_kernel_only() -> None:
    """%p, between a contraction and its clamp, is no port: no constraint can reach it."""
    text = """
    func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<2x2xf32>
      %p = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      %r = stablehlo.maximum %p, %zero : tensor<2x2xf32>
      return %r : tensor<2x2xf32>
    }"""
    fused = fuse(interp.load(text), TARGETS["int8"])
    assert [op["logical_kernel"] for op in kernels(fused)] == ["generic.dot_general_clamp"]
    with pytest.raises(Malformed, match=r"'%p' reaches no port"):
        constrain(fused, {"%p": Calibrated(0.0, 1.0)})


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (Any(1), "expected a number of bits, from 2 to 32"),
        (Calibrated(1.0, 1.0), "expected min < max"),
        (Calibrated(0.0, float("inf")), "both finite"),
        (Uniform("!quant.any<i8:f32>"), "is not a uniform type"),
        (Uniform("!quant.uniform<i8:bf16, 0.5>"), "does not express f32"),
        ("i8", r"expected Uniform\(type\)"),
    ],
)
def test_what_is_no_constraint_is_refused(wrong: object, said: str) -> None:
    fused = fuse(interp.load(MIXED), TARGETS["int8"])
    with pytest.raises(Malformed, match=said):
        constrain(fused, {"%a": wrong})  # type: ignore[dict-item]
