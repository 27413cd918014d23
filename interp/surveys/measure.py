"""The statistics of one batch: a layer's numbers beside those of the reference."""

from __future__ import annotations

from fractions import Fraction
from math import isfinite
from typing import NamedTuple

import numpy as np

from interp.engine.stored import storage_range
from interp.engine.tensor import Tensor
from interp.surveys.layer import BINS, Layer, Noisiest, Span, Worst

Array = np.ndarray


class Samples(NamedTuple):
    """The samples of a batch: the number of the first one, how many count, and the batch's size.

    `size` is None where arguments and results do not share their first dimension: then the whole batch is one
    sample.
    """

    first: int
    count: int
    size: int | None

    def of(self, x: Array) -> Array:
        """Return the numbers that count, a row for each sample, or one row where samples cannot be told."""
        if self.size is None or x.shape[:1] != (self.size,):
            return x.reshape(1, -1)
        return x[: self.count].reshape(self.count, -1)

    def span(self, row: int, rows: int) -> Span:
        """Return the samples that a row may come from."""
        if rows == self.count:
            return self.first + row, self.first + row
        return self.first, self.first + self.count - 1


class Named(NamedTuple):
    """The names of a pair of values, and how they were matched."""

    name: str
    partner: str
    op: str
    how: str


def measured(named: Named, ours: Tensor, reference: Tensor, stored: Tensor | None, samples: Samples) -> Layer:
    """Return the statistics of a pair of values in one batch."""
    value, expected = samples.of(_wide(ours)), samples.of(_wide(reference))
    with np.errstate(all="ignore"):
        error = np.abs(value - expected)
    error[(value == expected) | (np.isnan(value) & np.isnan(expected))] = 0
    finite = np.isfinite(error) & np.isfinite(expected)
    noise = _squares(np.where(finite, error, 0))
    noisiest = noise.index(max(noise))
    kept = stored if stored is not None else ours
    return Layer(
        *named,
        type=kept.type,
        elements=error.size,
        unequal=int(np.count_nonzero(error)),
        not_finite=int(np.count_nonzero(~np.isfinite(error))),
        signal=sum(_squares(np.where(finite, np.abs(expected), 0)), Fraction(0)),
        noise=sum(noise, Fraction(0)),
        worst=_worst(error, value, expected, ours.shape, samples),
        noisiest=Noisiest(noise[noisiest], samples.span(noisiest, len(noise))),
        **_range_of(kept, samples),
    )


def _wide(x: Tensor) -> Array:
    real = x.dequantize()
    return real.astype(np.complex128 if np.iscomplexobj(real) else np.float64)


def _squares(x: Array) -> list[Fraction]:
    """Return the sum of the squares of each row: that of f64, or an exact one where f64 overflows."""
    with np.errstate(over="ignore"):
        sums = np.einsum("ij,ij->i", x, x)
    pairs = zip(sums.tolist(), x, strict=True)
    return [Fraction(s) if isfinite(s) else sum(Fraction(v) ** 2 for v in row.tolist()) for s, row in pairs]


def _worst(
    error: Array, value: Array, expected: Array, shape: tuple[int, ...], samples: Samples
) -> Worst | None:
    """Return the first element with the largest error, infinite where only one side is finite."""
    if not error.any():
        return None
    error = np.where(np.isnan(error), np.inf, error)
    row, column = np.unravel_index(int(error.argmax()), error.shape)
    index = np.unravel_index(int(row) * error.shape[1] + int(column), shape)
    return Worst(
        float(error[row, column]),
        samples.span(int(row), len(error)),
        tuple(map(int, index)),
        value[row, column].item(),
        expected[row, column].item(),
    )


def _range_of(x: Tensor, samples: Samples) -> dict[str, int | Array]:
    """Return the extreme stored numbers and their histogram; nothing if the value is not quantized."""
    if not x.type.is_quantized:
        return {}
    numbers = samples.of(np.asarray(x.storage)).astype(np.int64)
    low, high = storage_range(x.type.element_type)
    counts = np.bincount(((numbers - low) * BINS // (high - low + 1)).ravel(), minlength=BINS)
    ends = {"least": int(numbers.min()), "most": int(numbers.max())} if numbers.size else {}
    return {**ends, "histogram": counts}
