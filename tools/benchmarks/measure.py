"""Measurement: several candidates do the same work in turn, and times are compared round by round."""

from __future__ import annotations

import gc
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

SAMPLE = 20e-3  # seconds that one sample takes at least: quick calls are repeated
TRIALS = 3  # calls, the least of which says how quick one is: the first finds its operands in no cache


class Unavailable(Exception):
    """Raised if a candidate or a workload cannot run here, with the reason."""


class Seconds(float):
    """Seconds that a call has measured itself, on another clock: of a processor, not of the day."""


class Call(NamedTuple):
    """A candidate to time: the result of its first call, and a function that times one call in seconds."""

    result: Any
    clock: Callable[[int], float]


class Timing(NamedTuple):
    """Seconds per element, one number a round; `shrunk`: measured on this many times fewer elements."""

    samples: tuple[float, ...]
    shrunk: int = 1

    @property
    def median(self) -> float:
        return float(np.median(self.samples))

    @property
    def spread(self) -> tuple[float, float]:
        """The 10th and the 90th percentile."""
        low, high = np.percentile(self.samples, (10, 90))
        return float(low), float(high)

    def ratios(self, other: Timing) -> Timing:
        """Return the ratios of these times to another's, round by round."""
        pairs = zip(self.samples, other.samples, strict=True)
        return Timing(tuple(ours / theirs for ours, theirs in pairs), max(self.shrunk, other.shrunk))


def local(call: Callable[[], Any]) -> Call:
    """Return a call in this process."""
    return Call(call(), partial(clocked, call))


def clocked(call: Callable[[], Any], number: int) -> float:
    """Return the seconds of one call: the mean of `number`, without pauses of the garbage collector."""
    collects = gc.isenabled()
    gc.disable()
    try:
        start = perf_counter()
        for _ in range(number):
            call()
        return (perf_counter() - start) / number
    finally:
        if collects:
            gc.enable()


def interleaved(
    calls: Mapping[str, Call], elements: Mapping[str, int], rounds: int, advance: Callable[[], object]
) -> dict[str, Timing]:
    """Return seconds per element of every candidate, one per round; each round begins with another candidate.

    A quick call is made once before it is timed: caches then hold its own operands, not another's.
    """
    names, most = list(calls), max(elements.values())
    trials = {name: min(calls[name].clock(1) for _ in range(TRIALS)) for name in names}
    numbers = {name: math.ceil(SAMPLE / max(seconds, 1e-9)) for name, seconds in trials.items()}
    samples: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        first = turn % len(names)
        for name in names[first:] + names[:first]:
            if numbers[name] > 1:
                calls[name].clock(1)
            samples[name].append(calls[name].clock(numbers[name]) / elements[name])
            advance()
    return {name: Timing(tuple(s), most // elements[name]) for name, s in samples.items()}


def growth(elements: Sequence[int], seconds: Sequence[float]) -> float:
    """Return the exponent of the power of the size that the time follows: 1 is linear."""
    return float(np.polyfit(np.log(elements), np.log(seconds), 1)[0])
