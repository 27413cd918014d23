"""Fake quantization of TensorFlow and the quant dialect, read as types that a program was trained with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp
from interp.apps.quantization.kernels import definitions
from interp.apps.quantization.spellings import fake_type, with_pairs
from spec.ir import Module

SLICES = "min = [-1.0 : f32, -3.0 : f32], max = [2.0 : f32, 1.0 : f32], axis = 1 : i64"
RANGE = "min = -1.5 : f32, max = 2.25 : f32"
EIGHT, FOUR = "num_bits = 8 : i64", "num_bits = 4 : i64"
FAKES = {
    "const": f'"quant.const_fake_quant"(%y) {{{RANGE}, {EIGHT}, narrow_range = false}}',
    "axis": f'"quant.const_fake_quant_per_axis"(%y) {{{SLICES}, {EIGHT}, narrow_range = true}}',
    "args": f'"tf.FakeQuantWithMinMaxArgs"(%y) {{{RANGE}, {FOUR}}}',
    "vars": f'"tf.FakeQuantWithMinMaxVars"(%y, %low, %high) {{{EIGHT}, narrow_range = false}}',
}
SCALARS = {"vars": ", tensor<f32>, tensor<f32>"}


def program(form: str, low: str = "-2.0", result: str = "z") -> Module:
    """Return the fake quantization of numbers 3x2, and their product with constants."""
    return interp.load(f"""func.func @main(%y: tensor<3x2xf32>) -> tensor<3x2xf32> {{
      %low = stablehlo.constant dense<{low}> : tensor<f32>
      %high = stablehlo.constant dense<6.0> : tensor<f32>
      %w = stablehlo.constant dense<[[0.5, -0.25], [1.0, 0.75]]> : tensor<2x2xf32>
      %f = {FAKES[form]} : (tensor<3x2xf32>{SCALARS.get(form, "")}) -> tensor<3x2xf32>
      %z = stablehlo.dot_general %f, %w, contracting_dims = [1] x [0]
        : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
      return %{result} : tensor<3x2xf32>
    }}""")


def fake(module: Module) -> Any:
    return next(op for op in module.ops() if "ake" in op.name)


@pytest.mark.parametrize("form", FAKES)
def test_the_type_has_the_grid_of_the_operation(form: str) -> None:
    """Apart from ties, which random numbers avoid, both choose the same number of it."""
    module = program(form, result="f")
    type = fake_type(fake(module), definitions(module))
    assert type is not None
    axis = [-1 if d == type.quantization_dimension else 1 for d in range(2)]
    scale, point = (np.reshape(n, axis if type.is_per_axis else ()) for n in (type.scales, type.zero_points))
    for x in (np.random.default_rng(1).normal(size=(50, 3, 2)) * 3).astype("f"):
        stored = np.clip(np.rint(x / scale) + point, type.storage_min, type.storage_max)
        (found,) = interp.run(module, x)
        np.testing.assert_allclose(found.storage, (stored - point) * scale, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("form", "text"),
    [("const", "<i8:f32, 0.014705882407724857:-26>"), ("args", "<i8<-8:7>:f32, 2.500000e-01:-2>")],
)
def test_the_types_are_as_calculated_by_hand(form: str, text: str) -> None:
    """3.75 / 255 and 102 - 128; 3.75 / 15 and 6 - 8."""
    assert repr(fake_type(fake(program(form)), {})) == f"!quant.uniform{text}"


@pytest.mark.parametrize("form", ["const", "vars"])
def test_a_program_keeps_the_types_that_it_was_trained_with(form: str) -> None:
    x = (np.random.default_rng(1).normal(size=(3, 2)) * 2).astype("f")
    q = interp.quantize(program(form), [(x,)])
    decision = q.decision("%y")
    module = program(form)
    assert (decision.constraint, decision.type) == ("uniform", fake_type(fake(module), definitions(module)))
    assert q.fully_quantized
    assert not [op for op in q.module.ops() if "ake" in op.name]
    found, simulated = (interp.run(q.stages[name], x)[0].storage for name in ("materialize", "propagate"))
    assert np.abs(found - simulated).max() <= 1.01 * q.decision("%z").type.scale


def test_what_has_no_type_stays() -> None:
    """A range that is not known, one of zero alone, and a result that is read elsewhere."""
    assert fake_type(fake(program("vars")), {}) is None
    module = program("vars", low="6.0")
    assert fake_type(fake(module), definitions(module)) is None
    returned = program("const", result="f")
    assert with_pairs(returned) == returned
