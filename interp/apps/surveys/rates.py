"""Rates over samples with their confidence, after a number of samples fixed before, or at any time.

PREMISE of both: the samples are drawn independently from the population that the rate is about, and one of
them has the event with the same probability p. Then k of n samples have it by the binomial distribution.

THEOREM (Clopper and Pearson, 1934): the p at which k or fewer of n samples have probability 1 - level is an
upper bound of the true rate with at least that confidence. For k = 0 it is 1 - (1 - level)^(1/n), which is
about 3/n at 95 %. The number n must not depend on what was seen.

THEOREM (Ville, 1939; Robbins, 1970): for any prior on q, the mean of (q/p)^k ((1-q)/(1-p))^(n-k) over q is a
nonnegative martingale that starts at 1, if p is the true rate. It reaches 1/a at any time with probability at
most a. So the rates at which it is below 1/a contain the true one at all times together, with confidence
1 - a: whoever looks after every batch and stops when it pleases keeps the confidence. The prior here is
Beta(1/2, 1/2), whose mean is a quotient of Beta functions.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, lgamma, log, log1p
from typing import NamedTuple

from spec.errors import Malformed

LEVEL = 0.95
CLOSE = 2.0**-50  # relative width of the interval in which a bound was found


def upper_bound(events: int, samples: int, level: float = LEVEL) -> float:
    """Return the largest rate at which at most `events` of `samples` have probability 1 - level or more."""
    _check(events, samples)
    if events == samples:
        return 1.0
    tail = log(1 - level)
    return _last(lambda p: _log_at_most(events, samples, p) >= tail, events / samples, 1.0)


def interval(events: int, samples: int, level: float = LEVEL) -> tuple[float, float]:
    """Return Clopper and Pearson's interval of a rate; each side misses it with half of 1 - level."""
    half = (1 + level) / 2
    low = 1 - upper_bound(samples - events, samples, half)
    return low, upper_bound(events, samples, half)


def anytime(events: int, samples: int, level: float = LEVEL) -> tuple[float, float]:
    """Return the rates that the confidence sequence holds possible after so many samples."""
    _check(events, samples)
    most, mean = -log(1 - level), events / samples
    possible = lambda p: _log_martingale(events, samples, p) < most
    low = 0.0 if events == 0 else 1 - _last(lambda q: possible(1 - q), 1 - mean, 1.0)
    return low, 1.0 if events == samples else _last(possible, mean, 1.0)


def _check(events: int, samples: int) -> None:
    if not 0 <= events <= samples or not samples:
        raise Malformed(
            f"{events} events in {samples} samples", "expected at least one sample, and not more events"
        )


def _last(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Return, by bisection, where a condition that holds at `low` ends below `high`; it is rounded up."""
    while high - low > CLOSE * high:
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return high


def _log_at_most(events: int, samples: int, p: float) -> float:
    """Return the logarithm of the probability of at most so many events at a rate."""
    if not 0 < p < 1:
        return 0.0 if p <= 0 or events == samples else -inf
    from scipy.special import bdtr  # a run does not need it

    if events == 0:
        return samples * log1p(-p)
    found = float(bdtr(events, samples, p))
    return log(found) if found > 0 else -inf


def _log_martingale(events: int, samples: int, p: float) -> float:
    """Return the logarithm of the mean likelihood over the prior, divided by that at a rate."""
    if (events and p <= 0) or (events < samples and p >= 1):
        return inf
    mixture = _log_beta(events + 0.5, samples - events + 0.5) - _log_beta(0.5, 0.5)
    likelihood = (events * log(p) if events else 0.0) + (
        (samples - events) * log1p(-p) if events < samples else 0.0
    )
    return mixture - likelihood


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


# The rates of a survey


class Rate(NamedTuple):
    """A rate over samples: what was counted, in how many samples of how many, and the rates that it allows.

    `low` and `high` hold with confidence `level`, at a number of samples that was fixed before, or at any
    time.
    """

    what: str
    events: int
    samples: int
    low: float
    high: float
    is_anytime: bool = False
    level: float = LEVEL

    def __str__(self) -> str:
        bounds = f"of at most {self.high:.3g}" if not self.low else f"from {self.low:.3g} to {self.high:.3g}"
        when = ", at any time" if self.is_anytime else ""
        count = f"{self.events:,} of {self.samples:,}"
        premise = f"{self.level:.0%} confidence{when}, if drawn independently"
        return f"{self.what}: {count}, a rate {bounds} ({premise})"


def rate_at_most(what: str, events: int, samples: int) -> Rate:
    """Return a rate that is wanted low, with its upper bound alone."""
    return Rate(what, events, samples, 0.0, upper_bound(events, samples))


def rate_between(what: str, events: int, samples: int) -> Rate:
    """Return a rate with its bounds on both sides."""
    return Rate(what, events, samples, *interval(events, samples))


def rate_anytime(what: str, events: int, samples: int) -> Rate:
    """Return a rate with bounds that hold however often one looked before."""
    return Rate(what, events, samples, *anytime(events, samples), is_anytime=True)
