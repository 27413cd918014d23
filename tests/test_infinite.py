"""The guess which values have infinities, so that calibration compiles a program once."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp
from interp.apps.quantization.calibrate import Calibration
from interp.apps.quantization.on_device import Compiled, perhaps_infinite

WEIGHTS = np.random.default_rng(0).normal(size=(4, 4)).astype("f")
X = np.random.default_rng(1).normal(size=(6, 4)).astype("f")


def attention(x: Any) -> Any:
    """Return causal attention of one head."""
    scores = jnp.where(np.tril(np.ones((6, 6), bool)), x @ WEIGHTS @ x.T, -jnp.inf)
    return jax.nn.softmax(scores) @ x


def test_a_mask_is_told_before_the_first_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """One program is compiled, and it has the infinities: those above the diagonal, 15 of 36."""
    made: list[Any] = []
    reducing = Compiled.reducing
    monkeypatch.setattr(Compiled, "reducing", lambda self: made.append(self) or reducing(self))
    calibration = Calibration(interp.load((attention, (X,))))
    calibration.add(X)
    found = [each.layer for each in calibration.statistics.values()]
    assert {int(each.infinities[0]) for each in found} == {0, 15}
    assert len(made) == 1


def test_what_an_infinite_constant_reaches() -> None:
    module = interp.load("""func.func @main(%x: tensor<2xf32>, %p: tensor<2xi1>) ->
        (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<2xbf16>) {
      %c = stablehlo.constant dense<[1.0, 0xFF800000]> : tensor<2xf32>
      %i = stablehlo.constant dense<0xFF800000> : tensor<f32>
      %s = stablehlo.select %p, %x, %c : tensor<2xi1>, tensor<2xf32>
      %d = stablehlo.subtract %s, %x : tensor<2xf32>
      %e = stablehlo.exponential %d : tensor<2xf32>
      %m = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [0]
        : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
      %b = stablehlo.convert %d : (tensor<2xf32>) -> tensor<2xbf16>
      return %s, %d, %e, %m, %b : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>, tensor<2xbf16>
    }""")
    assert perhaps_infinite(module.main) == {0, 1, 4}
