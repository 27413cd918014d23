"""Saturating sums of products of two 32-bit storages, which 64 bits do not hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.kernels.integer_reading import clamp, narrow, plus, product, whole
from spec.accumulator import accumulator_of, reading_named
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.schedule import parse
from tests.library.builders import contracting, convolution, single

LEFT, RIGHT = "!quant.uniform<i32:f64, 0.5:-2147483648>", "!quant.uniform<i32:f64, 0.25>"
SYMMETRIC = "!quant.uniform<i32:f64, 0.5>"
POSITIVE = "!quant.uniform<u32:f64, 0.25>"
UNSIGNED = "!quant.uniform<u32:f64, 0.5:4294967295>"
RESULT = "!quant.uniform<u32:f64, 1.0e+9:7>"
LEAST, MOST = -(2**31), 2**31 - 1
ACCUMULATORS = ("i32 saturate", "i48 saturate", "i62 saturate", "i63 saturate", "i64 saturate")


def both(program: interp.Module, *args: np.ndarray, schedule: str, accumulator: str) -> list[int]:
    """Return the stored elements that the engine gives, and the oracle too."""
    options = {"reading": "integer", "accumulator": accumulator, "schedule": schedule}
    (ours,) = interp.run(program, *args, **options)
    pairs = zip(program.main.inputs, args, strict=True)
    tensors = [Tensor(v.type, tuple(x.ravel().tolist())) for v, x in pairs]
    reading = reading_named("integer", accumulator)
    (theirs,) = evaluate(program, tensors, parse(schedule), reading=reading)
    assert ours.storage.ravel().tolist() == list(theirs.elements)
    return list(theirs.elements)


@given(st.lists(st.integers(-(2**32) + 1, 2**32 - 1), min_size=4, max_size=4), st.sampled_from(ACCUMULATORS))
def test_pairs_are_exact_integers(xs: list[int], accumulator: str) -> None:
    a, b, c, d = (np.array([x], np.int64) for x in xs)
    total = plus(product(a, b), product(c, d))
    exact = xs[0] * xs[1] + xs[2] * xs[3]
    assert whole(total).item() == exact
    type = accumulator_of(accumulator).type
    held = narrow(clamp(NUMPY, total, accumulator_of(accumulator)))
    assert held.item() == min(max(exact, type.min_value), type.max_value)


@pytest.mark.parametrize("accumulator", ACCUMULATORS)
@pytest.mark.parametrize("schedule", ["left", "balanced", "blocks(2)"])
def test_oracle_and_engine_agree(accumulator: str, schedule: str) -> None:
    """Products of up to 2^63; a balanced tree adds two of them before anything is clamped."""
    rng = np.random.default_rng(0)
    scale = 0.125 * 2.0 ** (accumulator_of(accumulator).bits - 32)  # what the accumulator holds fits into i32
    result = f"!quant.uniform<i32:f64, {scale}>"
    dot = single("dot_general", f"4x5x{SYMMETRIC}; 5x3x{RIGHT} -> 4x3x{result}", **contracting(1))
    x, y = (rng.integers(LEAST, MOST, shape).astype(np.int32) for shape in ((4, 5), (5, 3)))
    x[:, -1], y[-1] = [1, 20, -300, 4000], [5, 60, 700]  # after what is clamped
    found = both(dot, x, y, schedule=schedule, accumulator=accumulator)
    assert len(set(found)) > 2


def test_two_products_cancel_before_they_are_clamped() -> None:
    """A balanced tree of 0, a, b, -b, where a is small, adds b and -b first; in order b is clamped."""
    result = "!quant.uniform<i32:f64, 0.125>"
    dot = single("dot_general", f"1x3x{SYMMETRIC}; 3x1x{RIGHT} -> 1x1x{result}", **contracting(1))
    x, y = np.array([[1, MOST, MOST]], np.int32), np.array([[5], [MOST], [-MOST]], np.int32)
    left, balanced = (
        both(dot, x, y, schedule=schedule, accumulator="i32 saturate") for schedule in ("left", "balanced")
    )
    assert left == [LEAST]
    assert balanced == [5]


def test_unsigned_storage_and_padding() -> None:
    """q - zero_point has 33 bits; holes are zero products."""
    program = convolution(
        f"1x3x1x{UNSIGNED}; 2x1x2x{POSITIVE} -> 1x4x2x{RESULT}", "b0f 0io b0f", padding=((1, 1),)
    )
    x = np.array([[[0], [2**32 - 1], [5]]], np.uint32)
    y = np.array([[[MOST, 2**32 - 1]], [[3, MOST]]], np.uint32)
    for accumulator in ("i40 saturate", "i64 saturate"):
        both(program, x, y, schedule="left", accumulator=accumulator)


def test_multiply() -> None:
    program = single("multiply", f"3x{LEFT}; 3x{LEFT} -> 3x{LEFT}")
    x, y = np.array([MOST, MOST, 0], np.int32), np.array([MOST, LEAST, -5], np.int32)
    for accumulator in ACCUMULATORS:
        both(program, x, y, schedule="left", accumulator=accumulator)


def test_compiled_it_has_the_same_bits() -> None:
    dot = single("dot_general", f"2x3x{LEFT}; 3x2x{RIGHT} -> 2x2x{LEFT}", **contracting(1))
    x = np.array([[LEAST, MOST, 5], [MOST, MOST, MOST]], np.int32)
    y = np.array([[MOST, 1], [LEAST, -1], [3, MOST]], np.int32)
    options = {"reading": "integer", "accumulator": "i50 saturate"}
    (eager,) = interp.run(dot, x, y, **options)
    (compiled,) = interp.compile(dot, **options)(x, y)
    np.testing.assert_array_equal(np.asarray(compiled), eager.storage)


def test_a_trace_reports_the_exact_sum() -> None:
    dot = single("dot_general", f"1x2x{LEFT}; 2x1x{RIGHT} -> 1x1x{LEFT}", **contracting(1))
    x, y = np.array([[MOST, MOST]], np.int32), np.array([[MOST], [MOST]], np.int32)
    trace = interp.trace(dot, x, y, reading="integer", accumulator="i32 saturate")
    assert trace.counts["saturate"] == 2
    exact = (2**32 - 1) * MOST
    assert [event.exact for event in trace.events] == [exact, MOST + exact]
