"""The event `absorbed`: additions of floats whose result is one of their operands."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import interp
from interp.answers.trace import Trace

BF16 = ml_dtypes.bfloat16


def product(n: int, values: list[float], **options: object) -> Trace:
    """Trace a product of one row of these numbers, then ones up to n, with a column of ones, in bf16."""
    types = f"(tensor<1x{n}xbf16>, tensor<{n}x1xbf16>) -> tensor<1x1xbf16>"
    text = f"""func.func @main(%a: tensor<1x{n}xbf16>, %b: tensor<{n}x1xbf16>) -> tensor<1x1xbf16> {{
      %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : {types}
      return %0 : tensor<1x1xbf16> }}"""
    row = np.array([values + [1.0] * (n - len(values))], BF16)
    return interp.trace(text, row, np.ones((n, 1), BF16), **options)


def test_ones_beyond_256_are_absorbed_in_bf16() -> None:
    trace = product(1024, [])
    (group,) = (group for group in trace.groups if group.kind == "absorbed")
    assert (group.count, group.severity) == (768, "warning")
    assert "256 + 1 -> 256, 768 absorbed in all; schedule blocks(16) absorbs nothing" in repr(trace)


@pytest.mark.parametrize("order", ["blocks(16)", "blocks(32)"])
def test_the_order_that_the_event_names_absorbs_nothing(order: str) -> None:
    trace = product(1024, [], schedule=order)
    assert not trace.has("absorbed")
    assert trace.results[0].item() == 1024


def test_less_than_half_a_step_of_the_result_is_information() -> None:
    """1 is a quarter of a step of 512 in bf16: one such leaf changes no digit."""
    (group,) = (group for group in product(2, [512.0]).groups if group.kind == "absorbed")
    assert (group.count, group.severity) == (1, "information")


def test_zeros_and_infinities_absorb_nothing() -> None:
    assert not product(3, [0.0, 0.0, 3.0]).has("absorbed")
    assert not product(3, [np.inf]).has("absorbed")
