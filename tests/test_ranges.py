"""Scale and zero point from a range: every formula against exact rational arithmetic."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interp.apps.quantization import ranges
from interp.apps.quantization.ranges import (
    FORMULAS,
    bias_scales,
    fewer_bits,
    half_away,
    parameters,
    single,
    uniform,
)
from spec.errors import Malformed

STORAGE = [(-128, 127), (-127, 127), (0, 255), (1, 255), (-8, 7), (-32768, 32767), (-(2**31), 2**31 - 1)]
NUMBERS = st.floats(-1e6, 1e6).map(single) | st.sampled_from([0.0, -0.0, 1.0, -1.0, 127.5, 6.0])
SIGNED = [bounds for bounds in STORAGE if bounds[0] < 0]
CLOSE = Fraction(2) ** -50


RANGES = st.builds(lambda a, b: (min(a, b), max(a, b)), NUMBERS, NUMBERS).filter(lambda r: r[1] - r[0] > 1e-3)


def is_nearly(found: float, exact: Fraction, relative: Fraction = CLOSE) -> bool:
    return abs(Fraction(found) - exact) <= relative * abs(exact)


def whole(exact: Fraction, tie: Callable[[int], int]) -> int | None:
    """Return the nearest integer; None next to a tie, where f64 may take either side."""
    floor = math.floor(exact)
    rest = exact - floor
    if rest == Fraction(1, 2):
        return tie(floor)
    return None if abs(rest - Fraction(1, 2)) < Fraction(1, 10**6) else floor + (rest > Fraction(1, 2))


def agrees(found: int, exact: int | None, storage: tuple[int, int]) -> bool:
    """Return whether a zero point is the exact one; f64 may be one off among 2**32 steps."""
    return exact is None or abs(found - exact) <= (storage[1] > 2**30)


def away(floor: int) -> int:
    return floor if floor < 0 else floor + 1


def even(floor: int) -> int:
    return floor + floor % 2


def exact_mlir(low: Fraction, high: Fraction, least: int, most: int) -> tuple[Fraction, int | None]:
    scale = (high - low) / (most - least)
    by_low, by_high = least - low / scale, most - high / scale  # equal as rational numbers
    assert by_low == by_high
    return scale, least if by_low < least else most if by_low > most else whole(by_low, away)


@given(RANGES, st.sampled_from(STORAGE))
def test_mlirs_scale_is_the_width_over_the_steps(ends: tuple[float, float], storage: tuple[int, int]) -> None:
    scale, zero_point = exact_mlir(*map(Fraction, ends), *storage)
    found = parameters(*ends, *storage, formula="mlir")
    assert is_nearly(found.scale, scale)
    assert zero_point in (None, found.zero_point) or (
        storage[1] > 2**30 and abs(found.zero_point - zero_point) < 2
    )


@given(RANGES, st.sampled_from(STORAGE))
def test_tflites_range_holds_zero(ends: tuple[float, float], storage: tuple[int, int]) -> None:
    low, high = min(Fraction(ends[0]), Fraction(0)), max(Fraction(ends[1]), Fraction(0))
    scale, zero_point = exact_mlir(low, high, *storage)
    found = parameters(*ends, *storage)
    assert is_nearly(found.scale, scale, Fraction(2) ** -23)
    assert found.scale == single(found.scale)
    assert storage[0] <= found.zero_point <= storage[1]
    assert zero_point in (None, found.zero_point) or (
        storage[1] > 2**30 and abs(found.zero_point - zero_point) < 2
    )


@given(RANGES, st.sampled_from(STORAGE))
def test_ai_edges_zero_point_rounds_half_to_even(ends: tuple[float, float], storage: tuple[int, int]) -> None:
    low, high = min(Fraction(ends[0]), Fraction(0)), max(Fraction(ends[1]), Fraction(0))
    scale = max(high - low, Fraction(1, 10**9)) / (storage[1] - storage[0])
    found = parameters(*ends, *storage, formula="ai_edge")
    assert is_nearly(found.scale, scale)
    expected = whole(storage[0] - low / scale, even)
    assert agrees(found.zero_point, expected, storage)


@given(RANGES, st.sampled_from(SIGNED))
def test_symmetric_scales_have_the_zero_point_zero(
    ends: tuple[float, float], storage: tuple[int, int]
) -> None:
    most = max(map(abs, map(Fraction, ends)))
    narrow = -storage[1], storage[1]
    weights = parameters(*ends, *narrow, formula="tensorflow_weights")
    edge = parameters(*ends, *storage, formula="ai_edge_symmetric")
    qwix = parameters(*ends, *storage, formula="qwix_symmetric")
    assert {p.zero_point for p in (weights, edge, qwix)} == {0}
    assert is_nearly(weights.scale, most / storage[1])
    assert is_nearly(edge.scale, most / storage[1])
    assert is_nearly(qwix.scale, most / (storage[1] + Fraction(1, 2)))


@given(RANGES, st.sampled_from(STORAGE), st.sampled_from(["tflite", "ai_edge"]))
def test_a_quantized_range_with_zero_loses_no_more_than_a_step(
    ends: tuple[float, float], storage: tuple[int, int], formula: str
) -> None:
    scale, zero_point = (Fraction(x) for x in parameters(*ends, *storage, formula=formula))
    reach = (storage[0] - zero_point) * scale, (storage[1] - zero_point) * scale
    slack = scale * (1 if storage[1] < 2**30 else 300)  # f32 holds scales of i32 to 2**-24
    assert reach[0] <= min(Fraction(ends[0]), 0) + slack
    assert reach[1] >= max(Fraction(ends[1]), 0) - slack


@pytest.mark.parametrize(
    ("formula", "ends", "storage", "expected"),
    [  # worked by hand
        ("mlir", (-127.5, 127.5), (-128, 127), (1.0, -1)),  # -0.5, away from zero
        ("mlir", (3.0, 3.0), (-128, 127), (1.0, -128)),
        ("mlir", (1.0, 256.0), (0, 255), (1.0, 0)),  # shifted: zero lies below the range
        ("mlir", (-256.0, -1.0), (0, 255), (1.0, 255)),
        ("tensorflow", (0.0, 0.0), (-128, 127), (1e-6 / 255, 0)),
        ("tensorflow", (2.0, 2.0), (0, 200), ((2.0 + 5e-7) / 200, 0)),
        ("tflite", (1.0, 255.0), (0, 255), (1.0, 0)),
        ("tflite", (-63.75, 0.0), (0, 255), (0.25, 255)),
        ("ai_edge", (0.0, 0.0), (-128, 127), (1e-9 / 255, -128)),
        ("ai_edge", (-0.5, 254.5), (0, 255), (1.0, 0)),  # 0.5 to even
        ("ai_edge", (-1.5, 253.5), (0, 255), (1.0, 2)),  # 1.5 to even
        ("ai_edge_symmetric", (-2.0, 1.0), (0, 255), (2 / 127, 128)),
        ("qwix_symmetric", (-255.0, 1.0), (-128, 127), (2.0, 0)),
    ],
)
def test_worked_numbers(
    formula: str, ends: tuple[float, float], storage: tuple[int, int], expected: tuple[float, int]
) -> None:
    found = parameters(*ends, *storage, formula=formula)
    assert (found.scale, found.zero_point) == (pytest.approx(expected[0], rel=1e-15), expected[1])


def test_every_formula_names_its_source() -> None:
    assert all(row.source for row in FORMULAS.values())
    assert all(row.parameters is getattr(ranges, name) for name, row in FORMULAS.items())


@given(st.floats(-1e15, 1e15) | st.integers(-1000, 1000).map(lambda n: n / 2))
def test_halves_round_away_from_zero(x: float) -> None:
    exact = Fraction(x)
    nearest = half_away(x)
    assert abs(exact - nearest) <= Fraction(1, 2)
    assert abs(exact - nearest) < Fraction(1, 2) or abs(nearest) > abs(exact)


@pytest.mark.parametrize(
    ("low", "high", "storage"),
    [
        (1.0, 0.0, (0, 1)),
        (math.nan, 1.0, (0, 1)),
        (0.0, math.inf, (0, 1)),
        (-1e308, 1e308, (0, 1)),
        (0.0, 1.0, (1, 1)),
    ],
)
def test_what_is_no_range_is_refused(low: float, high: float, storage: tuple[int, int]) -> None:
    with pytest.raises(Malformed, match="no "):
        parameters(low, high, *storage)


def test_a_scale_that_is_not_finite_is_refused() -> None:
    with pytest.raises(Malformed, match=r"no scale .*\n.*tflite gives inf"):
        parameters(0.0, 1e300, 0, 255)  # no f32
    with pytest.raises(Malformed, match="not a formula"):
        parameters(0.0, 1.0, 0, 255, formula="mine")


def test_types_have_one_scale_or_one_for_each_slice() -> None:
    weights = uniform(-1.0, 1.0, formula="tensorflow_weights", narrow=True)
    assert (weights.storage_min, weights.storage_max, weights.scales) == (-127, 127, (1 / 127,))
    per_axis = uniform([-1.0, -2.0], [0.5, 4.0], "u8", "bf16", formula="ai_edge", axis=1)
    assert per_axis.scales == (1.5 / 255, 6 / 255)
    assert per_axis.zero_points == (170, 85)
    assert (per_axis.quantization_dimension, per_axis.expressed_type.name) == (1, "bf16")
    with pytest.raises(Malformed, match="2 ranges"):
        uniform([-1.0, -2.0], [0.5, 4.0])


@given(st.floats(0.0, 1e3), st.floats(1e-9, 1.0), st.floats(1e-9, 1.0))
def test_a_bias_takes_half_of_i32_at_most(largest: float, input_scale: float, weight_scale: float) -> None:
    scale, weights = bias_scales(largest, input_scale, weight_scale)
    assert Fraction(largest) / Fraction(scale) <= Fraction(2**31 - 1, 2) * (1 + CLOSE)
    assert is_nearly(scale, Fraction(input_scale) * Fraction(weights))
    assert weights >= weight_scale or is_nearly(weights, Fraction(weight_scale))


def test_fewer_bits_keep_the_ends() -> None:
    """255 steps of 0.1 from -12.8 become 15 steps of 1.7."""
    found = fewer_bits(ranges.Parameters(0.1, 0), (-128, 127), -8, 7)
    assert found.scale == pytest.approx(1.7)
    assert found.zero_point == 0  # 127 / 17 = 7.47 steps below 7
