"""The event `inf`: an infinity met while quantizing is told wherever it changed the result."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from spec.ir import Module
from spec.types import QuantizedType, TensorType, make_quantized
from tests.library.builders import module, operation, reduce
from tests.test_bound import F16, LEVELS


def infinite(trace: interp.Trace) -> list[int]:
    return sorted(event.index[0] for event in trace.kept)


def quantizing(type: QuantizedType, n: int) -> Module:
    return module(operation("uniform_quantize", [TensorType((n,), F16)], TensorType((n,), type)))


def meets_infinity(x: np.ndarray, type: QuantizedType) -> np.ndarray:
    """Return whether the sum with the zero point is infinite, in NumPy's own halves."""
    with np.errstate(over="ignore", invalid="ignore"):
        quotient = (x.astype(np.float64) / float(np.float16(type.scale))).astype(np.float16)
        return np.isinf(quotient + np.float16(type.zero_point))


def rounded(x: float, type: QuantizedType) -> int:
    """The exact result: one rounding to the nearest stored number, half to even, and saturation."""
    whole = round(Fraction(x) / Fraction(float(np.float16(type.scale))) + type.zero_point)
    return min(max(whole, type.storage_min), type.storage_max)


@given(LEVELS, st.lists(st.floats(width=16, allow_nan=False, allow_infinity=False), min_size=1, max_size=6))
@settings(max_examples=100, deadline=None)
def test_an_infinity_while_quantizing_that_changed_the_result(
    type: QuantizedType, values: list[float]
) -> None:
    x = np.array(values, np.float16)
    trace = interp.trace(quantizing(type, len(x)), x, kinds="inf", keep=len(x))
    stored = trace.results[0].storage
    changed = [int(stored[k]) != rounded(value, type) for k, value in enumerate(x.tolist())]
    assert infinite(trace) == (meets_infinity(x, type) & changed).nonzero()[0].tolist()


def test_an_infinity_while_converting_a_leaf() -> None:
    """7000 / 0.1 is beyond f16: the leaf becomes the greatest stored number, 30,000 steps away."""
    source = make_quantized("i32", "f16", 1.0)
    wide = replace(make_quantized("i32", "f16", 0.1), storage_min=-200_000, storage_max=100_000)
    program = module(reduce("add", source, wide, (1, 2)))
    trace = interp.trace(program, np.int32([[7000, 1]]), np.int32(0), keep=9)
    inf, *others = (event for event in trace.events if event.kind == "inf")
    assert (inf.stored, round(inf.exact)) == (100_000, 70_017)
    assert not others
