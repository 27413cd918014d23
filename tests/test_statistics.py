"""Statistics of calibration: merged as if seen at once, and ranges as their sources define them."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interp.apps.quantization.methods import (
    METHODS,
    Method,
    brute_force,
    divergence,
    entropy_threshold,
    error,
    expanding,
    magnitudes,
    method_named,
)
from interp.apps.quantization.statistics import (
    Extent,
    Histogram,
    Statistics,
    histogram_of,
    merged,
    statistics_of,
)
from spec.errors import Malformed

SAMPLE = st.lists(st.floats(-1e4, 1e4, width=32), min_size=1, max_size=6)
SAMPLES = st.lists(SAMPLE, min_size=1, max_size=5)
BINS = 8


def counted(histogram: Histogram, numbers: list[float]) -> bool:
    """Return whether the histogram's only slice counts these numbers, by exact arithmetic."""
    (exponent,), (first,), counts = histogram.exponents, histogram.firsts, histogram.counts[0]
    width = Fraction(2) ** int(exponent)
    exact = Counter(math.floor(Fraction(x) / width) - int(first) for x in numbers)
    return exact == {k: int(n) for k, n in enumerate(counts) if n}


def same(a: Histogram, b: Histogram) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a.fields, b.fields, strict=True))


@given(SAMPLES)
def test_merged_histograms_count_every_number(samples: list[list[float]]) -> None:
    merged = reduce(add, (histogram_of(np.array(x), BINS) for x in samples))
    assert counted(merged, list(itertools.chain(*samples)))
    assert merged.counts.shape == (1, BINS)


@given(SAMPLE, SAMPLE, SAMPLE)
def test_histograms_merge_in_any_order_and_grouping(a: list[float], b: list[float], c: list[float]) -> None:
    x, y, z = (histogram_of(np.array(numbers), BINS) for numbers in (a, b, c))
    assert same((x + y) + z, x + (y + z))
    assert same(x + y, y + x)


@given(SAMPLE)
def test_a_histogram_is_no_coarser_than_it_must_be(numbers: list[float]) -> None:
    """But for one step, and for numbers so close that their bins would be far from zero."""
    h = histogram_of(np.array(numbers), BINS)
    width, span = 2.0 ** int(h.exponents[0]), max(numbers) - min(numbers)
    reach = max(map(abs, numbers)) * 2.0**-19
    assert width <= max(4 * span / (BINS - 1), 2 * reach, 2.0**-126)


def test_an_empty_histogram_is_neutral() -> None:
    some, none = histogram_of(np.array([1.0, 5.0]), BINS), histogram_of(np.array([np.nan]), BINS)
    assert counted(some + none, [1.0, 5.0])
    assert counted(none + some, [1.0, 5.0])
    assert not (none + none).counts.any()


@given(st.lists(st.lists(st.floats(-100, 100, width=32), min_size=4, max_size=4), min_size=2, max_size=4))
def test_slices_are_merged_each_by_itself_and_as_a_whole(rows: list[list[float]]) -> None:
    x = np.array(rows)
    half = histogram_of(x[:, :2], BINS) + histogram_of(x[:, 2:], BINS)
    assert all(counted(half.part(slice(k, k + 1)), row) for k, row in enumerate(rows))
    assert counted(half.whole(), list(x.ravel()))
    assert counted(half.part(slice(0, 1)).coarse(2), rows[0])


def gathered(samples: list[list[float]], bins: int | None = None) -> Statistics:
    return reduce(add, (statistics_of(np.array(x), bins=bins) for x in samples))


@given(SAMPLES)
def test_ends_and_averages_are_those_of_a_loop_over_the_samples(samples: list[list[float]]) -> None:
    layer = gathered(samples).layer
    assert minmax_of(layer, "minmax") == (min(map(min, samples)), max(map(max, samples)))
    lows, highs = list(map(min, samples)), list(map(max, samples))
    assert minmax_of(layer, "average") == pytest.approx((np.mean(lows), np.mean(highs)), abs=1e-9)
    moving = [lows[0], highs[0]]
    for low, high in zip(lows[1:], highs[1:], strict=True):
        moving = [0.95 * moving[0] + 0.05 * low, 0.95 * moving[1] + 0.05 * high]
    assert minmax_of(layer, "moving_average") == pytest.approx(moving, abs=1e-9)
    numbers = list(itertools.chain(*samples))
    assert float(layer.squares[0]) == pytest.approx(math.fsum(x * x for x in numbers))
    assert (layer.samples[0], layer.count[0]) == (len(samples), len(numbers))


def minmax_of(x: Extent, method: str) -> tuple[float, float]:
    low, high = METHODS[method].range(x)
    return float(low[0]), float(high[0])


@given(SAMPLES, SAMPLES, SAMPLES)
def test_the_moving_average_may_be_grouped_but_not_reordered(
    a: list[list[float]], b: list[list[float]], c: list[list[float]]
) -> None:
    x, y, z = gathered(a), gathered(b), gathered(c)
    left, right = (minmax_of(s.layer, "moving_average") for s in ((x + y) + z, x + (y + z)))
    assert left == pytest.approx(right, abs=1e-9)
    assert left == pytest.approx(minmax_of(gathered(a + b + c).layer, "moving_average"), abs=1e-9)


def test_the_moving_average_depends_on_the_order() -> None:
    a, b = gathered([[0.0]]), gathered([[1.0]])
    assert minmax_of((a + b).layer, "moving_average") == pytest.approx((0.05, 0.05))
    assert minmax_of((b + a).layer, "moving_average") == pytest.approx((0.95, 0.95))


def test_infinities_are_left_out_and_counted() -> None:
    x = statistics_of(np.array([[1.0, np.inf], [-np.inf, -3.0], [np.inf, np.inf]]), axis=0, bins=BINS)
    assert x.layer.infinities.tolist() == [4]
    assert x.slices is not None
    assert x.slices.infinities.tolist() == [1, 1, 2]
    assert x.slices.samples.tolist() == [1, 1, 0]
    both = x + statistics_of(np.array([[2.0, 2.0]] * 3), axis=0, bins=BINS)
    assert both.slices is not None
    for method in METHODS.values():
        low, high = method.range(both.slices)
        assert np.all(np.isfinite(low) & np.isfinite(high)), method
    assert both.slices.moving_low.tolist() == pytest.approx([1.05, -2.75, 2.0])


def test_shards_are_merged_by_key() -> None:
    a, b, c = (gathered([[x]]) for x in (1.0, 2.0, 3.0))
    both = merged({"x": a, "y": b}, {"y": c, "z": c})
    assert {key: minmax_of(x.layer, "minmax") for key, x in both.items()} == {
        "x": (1.0, 1.0),
        "y": (2.0, 3.0),
        "z": (3.0, 3.0),
    }


def test_what_does_not_fit_is_refused() -> None:
    whole, slices = statistics_of(np.ones((2, 3))), statistics_of(np.ones((2, 3)), axis=1)
    with pytest.raises(Malformed, match="other axes"):
        whole + slices
    with pytest.raises(Malformed, match="other shapes"):
        slices + statistics_of(np.ones((2, 4)), axis=1)
    with pytest.raises(Malformed, match="only one"):
        whole + statistics_of(np.ones((2, 3)), bins=BINS)
    with pytest.raises(Malformed, match="no histogram"):
        METHODS["percentile"].range(whole.layer)
    with pytest.raises(Malformed, match="not a method"):
        method_named("least")
    with pytest.raises(Malformed, match="known: low, high"):
        method_named("percentile", top=99)
    with pytest.raises(Malformed, match="known: 4, 8 bits"):
        method_named("rms", bits=6).range(whole.layer)


# Fits
# -------------------------------------------------------------------------------------------------


def test_percentiles_cut_the_shares_they_name() -> None:
    x = statistics_of(np.arange(1024) / 1024, bins=2048)  # one number in every bin of 1 / 2048 or none
    low, high = method_named("percentile", low=10, high=90).range(x.layer)
    assert low[0] == pytest.approx(0.1, abs=0.002)
    assert high[0] == pytest.approx(0.9, abs=0.002)
    assert isinstance(METHODS["percentile"], Method)


MIDS = st.lists(st.integers(0, 9), min_size=2, max_size=6)


def histogram_by_hand(freq: list[int], first: int) -> tuple[np.ndarray, np.ndarray]:
    return (first + np.arange(len(freq)) + 0.5) * 0.25, np.array(freq, float)


def error_by_hand(mids: np.ndarray, freq: np.ndarray, low: float, high: float) -> float:
    scale = (high - low) / 255
    zero_point = round(-low / scale)
    total = 0.0
    for mid, n in zip(mids.tolist(), freq.tolist(), strict=True):
        stored = min(max(round(mid / scale) + zero_point, 0), 255)
        total += n * (mid - (stored - zero_point) * scale) ** 2
    return total


@given(MIDS, st.integers(-8, 3))
def test_brute_force_tries_all_pairs(freq: list[int], first: int) -> None:
    mids, freq_ = histogram_by_hand(freq, first)
    pairs = [(a, b) for a, b in itertools.product(mids.tolist(), repeat=2) if a < b]
    errors = {pair: error_by_hand(mids, freq_, *pair) for pair in pairs}
    found = brute_force(mids, freq_)
    assert found in errors
    assert errors[found] == pytest.approx(min(errors.values()), rel=1e-9, abs=1e-12)
    assert error(mids, freq_, mids[:1], mids[-1:])[0] == pytest.approx(
        error_by_hand(mids, freq_, mids[0], mids[-1])
    )


@given(MIDS, st.integers(-8, 3), st.booleans())
def test_a_range_expands_from_its_start_to_both_sides_in_turn(
    freq: list[int], first: int, from_most: bool
) -> None:
    mids, freq_ = histogram_by_hand(freq, first)
    start, last = (freq.index(max(freq)) if from_most else len(freq) // 2), len(freq) - 1
    # as many steps to the left as to the right, or one more, until one side is at its end
    ways = [(max(start - (k + 1) // 2, 0), min(start + k // 2, last)) for k in range(1, 2 * len(freq) + 2)]
    visited = {(a, b) for a, b in ways if (a, b) != (start, start)}
    low, high = expanding(mids, freq_, from_most)
    ends = int(np.searchsorted(mids, low)), int(np.searchsorted(mids, high))
    errors = {(a, b): error_by_hand(mids, freq_, mids[a], mids[b]) for a, b in visited}
    assert ends[0] <= start <= ends[1]
    if ends in errors:  # near an end of the histogram one side alone goes on
        assert errors[ends] <= min(errors.values()) * (1 + 1e-9) + 1e-12


def test_octav_and_rms_clip_the_tail_of_normal_numbers() -> None:
    """Four bits pay for clipping; both come near the clipping of least error, 2.5 to 2.7 sigma."""
    rng = np.random.default_rng(0)
    x = statistics_of(rng.normal(size=200_000), bins=2048).layer
    (octav,), (rms,) = (method_named(name, bits=4).range(x)[1] for name in ("octav", "rms"))
    assert 2.4 < octav < 2.8
    assert 2.4 < rms < 2.8
    (low,), (high,) = METHODS["mse"].range(x)
    assert -5.2 < low < -3.3  # eight bits clip less
    assert 3.3 < high < 5.2


def test_octavs_steps_are_those_of_the_numbers_themselves() -> None:
    """The histogram loses nothing of numbers in the middle of their bins."""
    numbers = np.array([0.125, 0.375, -0.625, 2.125, 3.875, -7.875])
    x = statistics_of(numbers, bins=64).layer
    assert x.histogram is not None
    assert x.histogram.exponents.tolist() == [-2]
    clip, share = 1.0, 4.0**-8 / 3
    for _ in range(10):
        beyond = [abs(v) for v in numbers if abs(v) >= clip]
        clip = sum(beyond) / ((1 - share) * len(beyond) + share * len(numbers))
    assert METHODS["octav"].range(x)[1][0] == pytest.approx(clip)


def test_the_divergence_is_that_of_the_definition() -> None:
    counts = np.array([4.0, 0.0, 2.0, 2.0, 1.0, 3.0, 0.0, 1.0])
    # the first six bins, two groups: 4 0 2 | 2 1 3; the seventh and eighth count in the sixth
    p = [4 / 13, 0, 2 / 13, 2 / 13, 1 / 13, 4 / 13]
    q = [3 / 12, 0, 3 / 12, 2 / 12, 2 / 12, 2 / 12]
    exact = sum(a * math.log(a / b) for a, b in zip(p, q, strict=True) if a)
    assert divergence(counts, 6, 2) == pytest.approx(exact)


@given(SAMPLE)
def test_magnitudes_of_both_signs_share_bins(numbers: list[float]) -> None:
    counts, width = magnitudes(histogram_of(np.array(numbers), BINS))
    assert counts.sum() == len(numbers)
    assert (len(counts) - 1) * width <= max(map(abs, numbers)) <= len(counts) * width


def test_entropy_cuts_a_far_outlier_and_no_more() -> None:
    rng = np.random.default_rng(1)
    body = rng.normal(size=100_000)
    x = statistics_of(np.append(body, 40.0), bins=2048).layer
    assert x.histogram is not None
    (low,), (high,) = METHODS["entropy"].range(x)
    assert 2.5 < high < 10
    assert low == pytest.approx(-high, rel=0.6)
    even = histogram_of(rng.uniform(-1, 1, 50_000), 2048)  # nothing to cut
    assert entropy_threshold(even, 128) > 0.95


def test_every_method_names_its_source() -> None:
    assert all(method.source for method in METHODS.values())
