"""Rates with confidence: exact binomial sums, coverage counted exactly, and looks after every sample."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

import interp
from interp.apps.surveys.rates import (
    anytime,
    interval,
    rate_anytime,
    rate_at_most,
    rate_between,
    upper_bound,
)
from spec.errors import Malformed


def at_most(k: int, n: int, p: Fraction) -> Fraction:
    """Return the probability of at most k events, exactly."""
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k + 1)), Fraction(0))


@pytest.mark.parametrize(("k", "n"), [(0, 1), (0, 100), (1, 3), (3, 40), (39, 40), (7, 12)])
def test_an_upper_bound_is_where_the_binomial_sum_crosses(k: int, n: int) -> None:
    bound, tail = upper_bound(k, n), Fraction(1, 20)
    assert at_most(k, n, Fraction(bound) * (1 - Fraction(1, 10**9))) > tail
    assert at_most(k, n, Fraction(bound) * (1 + Fraction(1, 10**9))) < tail


def test_no_event_in_n_samples_bounds_the_rate_by_three_in_n() -> None:
    for n in (100, 10_000, 10**7):
        assert upper_bound(0, n) == pytest.approx(1 - 0.05 ** (1 / n), rel=1e-9)
        assert 2.9 < n * upper_bound(0, n) < 3


def test_intervals_are_those_of_each_side() -> None:
    """From 3 of 40: tables of Clopper and Pearson's intervals have 0.0157 to 0.2039."""
    assert interval(3, 40) == pytest.approx((0.01574, 0.20386), abs=1e-5)
    assert interval(0, 40)[0] == 0
    assert interval(40, 40)[1] == 1
    low, high = interval(37, 40)
    assert (1 - high, 1 - low) == pytest.approx(interval(3, 40))


@pytest.mark.parametrize("n", [1, 7, 30])
def test_bounds_hold_as_often_as_they_say(n: int) -> None:
    """The coverage at every rate of a grid, summed exactly over what can be counted."""
    uppers = [upper_bound(k, n) for k in range(n + 1)]
    ranges = [interval(k, n) for k in range(n + 1)]
    for p in (Fraction(k, 97) for k in range(1, 97)):
        chances = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
        covered = sum(c for k, c in enumerate(chances) if p <= uppers[k])
        assert covered >= Fraction(19, 20)
        between = sum(c for k, c in enumerate(chances) if ranges[k][0] <= p <= ranges[k][1])
        assert between >= Fraction(19, 20)


# At any time


@pytest.mark.parametrize("p", [0.01, 0.2, 0.5])
def test_whoever_looks_after_every_sample_is_rarely_wrong(p: float) -> None:
    """300 runs of 600 samples: at most 5 % may ever leave out the true rate; over 28 do once in 1,000 trials.

    Clopper and Pearson's interval, looked at as often, is wrong in far more of them.
    """
    rng, runs, length = np.random.default_rng(7), 300, 600
    counts = np.cumsum(rng.random((runs, length)) < p, axis=1)
    looks = [*range(1, 30), *range(30, length + 1, 30)]
    pairs = sorted({(int(counts[run, n - 1]), n) for run in range(runs) for n in looks})
    kinds: list[tuple[Any, bool]] = [(anytime, True), (interval, False)]
    for bounds, is_valid in kinds:
        allowed = {(k, n): bounds(k, n)[0] <= p <= bounds(k, n)[1] for k, n in pairs}
        wrong = sum(not all(allowed[int(counts[run, n - 1]), n] for n in looks) for run in range(runs))
        assert (wrong <= 28) == is_valid, wrong


@pytest.mark.parametrize("n", [1, 5, 40])
def test_the_mean_likelihood_ratio_is_a_martingale(n: int) -> None:
    """Its mean over n samples is 1 at the true rate, which Ville's inequality needs."""
    from math import exp

    from interp.apps.surveys.rates import _log_martingale

    for p in (0.03, 0.5, 0.9):
        mean = sum(
            comb(n, k) * p**k * (1 - p) ** (n - k) * exp(_log_martingale(k, n, p)) for k in range(n + 1)
        )
        assert mean == pytest.approx(1)


def test_bounds_at_any_time_are_wider_and_shrink() -> None:
    for k, n in ((0, 100), (3, 40), (500, 1000)):
        low, high = anytime(k, n)
        assert low <= interval(k, n)[0]
        assert interval(k, n)[1] < high
    assert anytime(50, 100)[1] > anytime(500, 1000)[1] > anytime(5000, 10_000)[1] > 0.5
    assert anytime(0, 1)[1] < 1
    assert (anytime(0, 9)[0], anytime(9, 9)[1]) == (0, 1)


@pytest.mark.parametrize(("k", "n"), [(0, 0), (-1, 3), (4, 3)])
def test_rates_that_there_are_not(k: int, n: int) -> None:
    with pytest.raises(Malformed, match="expected at least one sample"):
        anytime(k, n)


def test_a_rate_states_its_premise() -> None:
    said = "95% confidence, if drawn independently"
    assert str(rate_at_most("a", 0, 100)) == f"a: 0 of 100, a rate of at most 0.0295 ({said})"
    assert str(rate_between("a", 3, 40)) == f"a: 3 of 40, a rate from 0.0157 to 0.204 ({said})"
    assert "at any time" in str(rate_anytime("a", 3, 40))


# Rates of a survey


Q = "!quant.uniform<i8:f32, 0.5>"
PROGRAM = f"""func.func @main(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {{
  %q = stablehlo.uniform_quantize %x : (tensor<4x2xf32>) -> tensor<4x2x{Q}>
  %r = stablehlo.add %q, %q : tensor<4x2x{Q}>
  %d = stablehlo.uniform_dequantize %r : (tensor<4x2x{Q}>) -> tensor<4x2xf32>
  return %d : tensor<4x2xf32>
}}"""
# 100 saturates, and so does the sum with itself; 40 only the sum; 1 nothing.
X = np.ones((99, 2), np.float32)
X[[3, 50]], X[7, 1], X[98] = 100, 40, 40


def batches(x: np.ndarray, **choice: Any) -> Any:
    return interp.batched(interp.load(PROGRAM), x, **choice)


def test_samples_with_an_overflow_are_counted_once() -> None:
    """98 is the last of a batch that is filled up; 3 overflows in two operations and four numbers."""
    found = interp.survey(PROGRAM, batches(X), rates=True)
    assert found.overflowing == 4
    assert found.rates[0] == rate_at_most("samples with an overflow", 4, 99)
    assert str(found.rates[0]) in repr(found)
    assert sum(e.count for e in found.events) == 2 * 2 * 2 + 1 + 2


def test_without_counting_no_overflow_still_bounds_the_rate() -> None:
    assert interp.survey(PROGRAM, batches(X)).rates == ()
    assert interp.survey(PROGRAM, batches(X)).overflowing is None
    clean = interp.survey(PROGRAM, batches(np.ones((96, 2), np.float32)))
    assert clean.overflowing == 0
    assert clean.rates[0].high == upper_bound(0, 96)


def test_numbers_clipped_at_their_zero_point_are_no_overflow() -> None:
    relu = PROGRAM.replace("i8:f32, 0.5", "u8:f32, 0.5")
    found = interp.survey(relu, interp.batched(interp.load(relu), -X), rates=True)
    assert any(e.clips for e in found.events)
    assert found.overflowing == sum(not e.clips for e in found.events) == 0


def test_a_metric_of_0_and_1_has_a_rate() -> None:
    pairs = [((X[4 * k : 4 * k + 4],), X[4 * k : 4 * k + 4, 0] > 50) for k in range(24)]
    found = interp.survey(PROGRAM, pairs, lambda results, target: target)
    assert found.rates[-1] == rate_between("samples of metric 1", 2, 96)
    half = interp.survey(PROGRAM, pairs, lambda results, target: target / 2)
    assert "samples of metric 1" not in repr(half)
    one = interp.survey(PROGRAM, pairs, lambda results, target: 1)  # of the batch, not of each sample
    assert "samples of metric 1" not in repr(one)


def test_a_survey_stops_when_the_rate_is_known() -> None:
    clean = np.ones((4000, 2), np.float32)
    below = interp.survey(PROGRAM, batches(clean), until=0.05)
    assert below.samples < 400
    assert below.is_decided
    assert not below.partial
    assert anytime(0, below.samples)[1] < 0.05 <= anytime(0, below.samples - 4)[1]
    assert below.rates[0].is_anytime
    above = interp.survey(PROGRAM, batches(100 * clean), until=0.05)
    assert above.samples < 20
    open_ = interp.survey(PROGRAM, batches(clean[:40]), until=0.05)
    assert (open_.samples, open_.is_decided, open_.partial) == (40, False, True)
    assert "undecided: is the rate of overflowing samples below 0.05?" in repr(open_)


def test_a_stop_in_one_of_several_shards_is_refused() -> None:
    with pytest.raises(Malformed, match="until= in one of several shards"):
        interp.survey(PROGRAM, batches(X), until=0.5, shard=(0, 2))
    with pytest.raises(Malformed, match="expected a rate"):
        interp.survey(PROGRAM, batches(X), until=1.5)
