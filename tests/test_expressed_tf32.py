"""Quantized types whose numbers are tf32: computed with 11 significant bits, compared with f32."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.engine.evaluate import Listener
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor

SCALES = st.sampled_from([0.5, 0.3, 1e-3, 1.7, 3e4])
OPERATIONS = {"add": 2, "multiply": 2, "maximum": 2, "tanh": 1, "divide": 2}


def quantized(storage: str, scale: float, zero_point: int) -> str:
    return f"!quant.uniform<{storage}:tf32, {scale}:{zero_point}>"


@pytest.mark.slow("XLA compiles 30 programs")
@settings(max_examples=30)
@given(
    name=st.sampled_from(sorted(OPERATIONS)),
    scales=st.tuples(SCALES, SCALES),
    zero_point=st.integers(-128, 127),
)
def test_oracle_engine_and_compiled_agree_and_the_bound_holds(
    name: str, scales: tuple[float, float], zero_point: int
) -> None:
    """For every stored number at once."""
    source, result = quantized("i8", scales[0], zero_point), quantized("i8", scales[1], 3)
    operands, types = (", ".join([each] * OPERATIONS[name]) for each in ("%x", f"tensor<256x{source}>"))
    m = interp.load(f"""func.func @main(%x: tensor<256x{source}>) -> tensor<256x{result}> {{
      %0 = "stablehlo.{name}"({operands}) : ({types}) -> tensor<256x{result}>
      return %0 : tensor<256x{result}>
    }}""")
    stored = np.arange(-128, 128, dtype=np.int8)
    (wanted,) = evaluate(m, [Tensor(m.main.inputs[0].type, tuple(stored.tolist()))])
    assert interp.run(m, stored)[0].storage.ravel().tolist() == list(wanted.elements)
    assert interp.run(m, stored, listeners=[Listener()])[0].storage.tolist() == list(wanted.elements)
    assert np.asarray(interp.compile(m)(stored)[0]).tolist() == list(wanted.elements)
    assert interp.compare(m, stored).ok


def test_a_sum_in_tf32_stops_at_2_to_the_11() -> None:
    """Each sum has 11 significant bits: beyond 2048 a step of 1 is lost."""
    wide = quantized("i32", 1.0, 0)
    m = interp.load(f"""func.func @main(%x: tensor<3000x{wide}>, %i: tensor<{wide}>) -> tensor<{wide}> {{
      %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]
        : (tensor<3000x{wide}>, tensor<{wide}>) -> tensor<{wide}>
      return %0 : tensor<{wide}>
    }}""")
    ones, zero = np.ones(3000, np.int32), np.int32(0)
    assert interp.run(m, ones, zero)[0].item() == 2048
    assert interp.trace(m, ones, zero).counts == {"inexact": 952}


@pytest.mark.parametrize("expressed", ["f80", "f128"])
def test_a_wider_expressed_type_is_refused_by_name(expressed: str) -> None:
    type = f"tensor<4x{quantized('i8', 0.5, 3).replace('tf32', expressed)}>"
    m = interp.load(f"func.func @main(%x: {type}) -> {type} {{ return %x : {type} }}")
    with pytest.raises(interp.Violation, match=rf"(?s)quantized_type_c4.*{expressed}"):
        interp.run(m, np.int8([1, 2, 3, 4]))
