"""Errors come first, and information is shown where it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from tests.library.builders import contracting, quantized, reduction, single

ALL = "dimensions = array<i64: 0>"


def test_an_accumulator_that_saturates_is_an_error_and_clipping_a_warning() -> None:
    text = """
    func.func @main(%x: tensor<3x!q>, %y: tensor<2xf32>, %init: tensor<!q>) -> (tensor<2x!q>, tensor<!q>) {
      %0 = stablehlo.uniform_quantize %y : (tensor<2xf32>) -> tensor<2x!q>
      %1 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0]
        : (tensor<3x!q>, tensor<!q>) -> tensor<!q>
      return %0, %1 : tensor<2x!q>, tensor<!q>
    }"""
    module = interp.load("!q = !quant.uniform<i8:f32, 1.0>\n" + text)
    trace = interp.trace(module, np.int8([100, 20, 20]), np.float32([1000, 0.3]), np.int8(0))
    found = [(group.severity, group.kind, group.first.op.name) for group in trace.groups]
    assert found == [
        ("error", "saturate", "stablehlo.reduce"),
        ("warning", "saturate", "stablehlo.uniform_quantize"),
    ]


def test_a_saturating_accumulator_is_told_apart_from_its_clipped_result() -> None:
    type = quantized("i8:f32, 1.0")
    module = single("dot_general", f"1x4x{type}; 4x2x{type} -> 1x2x{type}", **contracting(1))
    args = np.int8([[100, 100, 100, -100]]), np.int8([[100, 1]] * 4)
    trace = interp.trace(module, *args, reading="integer", accumulator="i15 saturate")
    (over, clipped) = [group for group in trace.groups if group.kind == "saturate"]
    assert (over.severity, over.count, over.first.leaves) == ("error", 2, (0, 2))
    assert (clipped.severity, clipped.count, clipped.first.leaves) == ("warning", 2, None)


@pytest.mark.parametrize(("type", "severity"), [("i8", "warning"), ("ui8", "information")])
def test_unsigned_integers_wrap_by_design_but_not_in_sums(type: str, severity: str) -> None:
    module = single("add", f"2x{type}; 2x{type} -> 2x{type}")
    x = np.array([100, 3]).astype("uint8" if type == "ui8" else "int8") * 2 + 1
    most = np.full(2, 255 if type == "ui8" else 127, x.dtype)
    (group,) = interp.trace(module, most, most).groups
    assert group.severity == severity
    summed = reduction("reduce", f"2x{type}", type, type, type, ALL)
    (group, *_) = interp.trace(summed, most, np.zeros((), x.dtype)).groups
    assert (group.kind, group.severity) == ("wrap", "error")


def test_information_is_hidden_unless_it_is_asked_for() -> None:
    module = reduction("reduce", "3xbf16", "bf16", "bf16", "bf16", ALL)
    args = np.array([256, 3, 3]).astype("bfloat16"), np.zeros((), "bfloat16")
    trace = interp.trace(module, *args, keep=5)
    assert repr(trace) == "no errors or warnings\ninformation: inexact x 2"
    assert (trace.shown, trace.kept, len(trace.table())) == ((), (), 0)
    assert trace.counts == trace.hidden_counts == {"inexact": 2}
    asked = interp.trace(module, *args, keep=5, kinds="inexact")
    assert len(asked.shown) == 1
    assert len(asked.kept) == len(asked.table()) == 2
    assert "inexact x 2, first at" in repr(asked)
