"""Events of sums along an accumulation: where the result of a node is not the sum of what entered it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import numpy as np

from interp.engine.additions import Addition, sum_of_many, sum_of_two
from interp.recorder.exact import Array
from interp.recorder.judgement import Judgement, mask_events, no_value


def addition_events(addition: Addition) -> Iterator[Judgement]:
    """Yield where integers wrap or saturate, and where a sum of floats is rounded, infinite or NaN."""
    entries = [np.broadcast_to(x, addition.total.shape) for x in addition.entries]
    if addition.type.is_integer:
        yield from _integer_addition_events(addition, entries)
        return
    total, inside = addition.total, np.all([np.isfinite(x) for x in entries], axis=0)
    known = ~np.any([np.isnan(x) for x in entries], axis=0)
    yield from mask_events("nan", np.isnan(total) & known, np.full(total.shape, np.nan), no_value)
    yield from mask_events("inf", np.isinf(total) & inside, total, _exactly(entries))
    exact, error = sum_of_two(*entries) if len(entries) == 2 else sum_of_many(entries)
    differs = inside & np.isfinite(total) & ((exact != total) | (error != 0))
    with np.errstate(invalid="ignore"):
        difference = np.where(exact != total, exact - total, error)
    yield from mask_events("inexact", differs, difference, _exactly(entries))


def _integer_addition_events(addition: Addition, entries: list[Array]) -> Iterator[Judgement]:
    """Yield where an accumulator of integers does not hold the sum.

    A sum of int64 that wraps there is off by 2^64, which f64 tells from 0.
    """
    kind = "saturate" if addition.saturates else "wrap"
    with np.errstate(over="ignore"):
        whole = sum(entries[1:], entries[0])
    error = sum(x.astype(np.float64) for x in entries) - addition.total.astype(np.float64)
    beyond = (whole != addition.total) | (np.abs(error) >= 2.0 ** (addition.type.bits - 1))
    yield from mask_events(kind, beyond, np.asarray(error), lambda at: sum(int(x.flat[at]) for x in entries))


def _exactly(entries: list[Array]) -> Callable[[int], Fraction]:
    return lambda at: sum((Fraction(float(x.flat[at])) for x in entries), Fraction(0))
