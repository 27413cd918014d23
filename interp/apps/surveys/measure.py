"""The statistics of one batch: a layer's numbers beside those of the reference."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from interp.apps.surveys.layer import BINS, Layer, Noisiest, Span, Worst
from interp.comparison.comparison import sqnr, squares, total
from interp.engine.markup import Display, align, join_lines
from interp.engine.storage import storage_range
from interp.engine.tensor import Tensor
from spec.errors import Malformed, short_text

Array = np.ndarray
Shape = tuple[int, ...]
Metric = Callable[[Sequence[np.ndarray], Any], Any]


@dataclass(frozen=True)
class Samples:
    """The samples of a batch: the number of the first one, how many count, and the batch's size.

    `size` is None where arguments and results do not share their first dimension: then the whole batch is one
    sample. `axis` is the dimension of a value along which they lie, or None. `numbers` are those of the
    samples that count, if they do not follow the first one.
    """

    first: int
    count: int
    size: int | None
    axis: int | None = 0
    numbers: tuple[int, ...] | None = None

    def of(self, x: Array) -> Array:
        """Return the numbers that count, a row for each sample, or one row where samples cannot be told."""
        if self.size is None or self.axis is None:
            return x.reshape(1, -1)
        return np.moveaxis(x, self.axis, 0)[: self.count].reshape(self.count, -1)

    def place(self, row: int, column: int, shape: Shape) -> tuple[int, ...]:
        """Return the index of a number in an array of this shape."""
        if self.size is None or self.axis is None:
            return tuple(map(int, np.unravel_index(column, shape)))
        rest = shape[: self.axis] + shape[self.axis + 1 :]
        index = list(map(int, np.unravel_index(column, rest))) if rest else []
        return (*index[: self.axis], row, *index[self.axis :])

    def select(self, x: Any) -> Any:
        """Return an array or a sequence of the batch's size without the samples that fill it up."""
        filled = self.size is not None and self.count < self.size and np.shape(x)[:1] == (self.size,)
        return x[: self.count] if filled else x

    def span(self, row: int, rows: int) -> Span:
        """Return the samples that a row may come from, the first and the last."""
        numbers = range(self.first, self.first + self.count) if self.numbers is None else self.numbers
        return (numbers[row], numbers[row]) if rows == self.count else (min(numbers), max(numbers))

    def at(self, index: tuple[int, ...] | None) -> Span:
        """Return the samples that the number at an index may come from."""
        known = index and self.size is not None and self.axis is not None
        return self.span(index[self.axis or 0], self.count) if index and known else self.span(0, 0)


class Named(NamedTuple):
    """The names of a pair of values, how they were matched, and the name of the layer around the first."""

    name: str
    partner: str
    op: str
    how: str
    layer: str = ""


def measure_layer(
    named: Named, ours: Tensor, reference: Tensor, stored: Tensor | None, samples: Samples
) -> Layer:
    """Return the statistics of a pair of values in one batch."""
    value, expected = samples.of(_wide(ours)), samples.of(_wide(reference))
    with np.errstate(all="ignore"):
        error = np.abs(value - expected)
    finite = np.isfinite(error)
    if not finite.all():
        error[(value == expected) | (np.isnan(value) & np.isnan(expected))] = 0
        finite = np.isfinite(error) & np.isfinite(expected)
    noise = squares(_where(finite, error))
    noisiest = max(range(len(noise)), key=noise.__getitem__)
    kept = stored if stored is not None else ours
    least, most, histogram = _range_of(kept, samples)
    return Layer(
        **named._asdict(),
        type=kept.type,
        elements=error.size,
        unequal=int(np.count_nonzero(error)),
        not_finite=int(np.count_nonzero(~np.isfinite(error))),
        signal=total(squares(_where(finite, np.abs(expected)))),
        noise=total(noise),
        worst=_worst(error, value, expected, ours.shape, samples),
        noisiest=Noisiest(Fraction(noise[noisiest]), samples.span(noisiest, len(noise))),
        least=least,
        most=most,
        histogram=histogram,
    )


def _where(finite: Array, x: Array) -> Array:
    return x if finite.all() else np.where(finite, x, 0)


def _wide(x: Tensor) -> Array:
    real = x.dequantize()
    return real.astype(np.complex128 if np.iscomplexobj(real) else np.float64)


def _worst(error: Array, value: Array, expected: Array, shape: Shape, samples: Samples) -> Worst | None:
    """Return the first element with the largest error, infinite where only one side is finite."""
    if not error.any():
        return None
    if np.isnan(error).any():
        error = np.where(np.isnan(error), np.inf, error)
    row, column = np.unravel_index(int(error.argmax()), error.shape)
    return Worst(
        float(error[row, column]),
        samples.span(int(row), len(error)),
        samples.place(int(row), int(column), shape),
        value[row, column].item(),
        expected[row, column].item(),
    )


def _range_of(x: Tensor, samples: Samples) -> tuple[int | None, int | None, Array | None]:
    """Return the extreme stored numbers and their histogram; None for each if the value is not quantized."""
    if not x.type.is_quantized:
        return None, None, None
    numbers = samples.of(np.asarray(x.storage)).astype(np.int64)
    low, high = storage_range(x.type.element_type)
    counts = np.bincount(((numbers - low) * BINS // (high - low + 1)).ravel(), minlength=BINS)
    return (int(numbers.min()), int(numbers.max()), counts) if numbers.size else (None, None, counts)


# A metric over samples: sums for the program and for its reference


def metric_named(metric: str | Metric | None) -> Metric | None:
    """Return the function of a metric; `Malformed` for other names than "accuracy"."""
    if metric is None or callable(metric):
        return metric
    if metric == "accuracy":
        return accuracy
    raise Malformed(f"no metric {short_text(metric)}", 'expected "accuracy" or a function (results, target)')


def accuracy(results: Sequence[np.ndarray], target: Any) -> np.ndarray:
    """Return, for each row of the first result, whether its largest number is at the target's index."""
    rows = np.asarray(results[0], np.float64)
    labels = np.asarray(target)
    if rows.ndim != 2 or labels.shape != rows.shape[:1]:
        raise Malformed(
            "accuracy needs a result of rows, and a target with an index for each",
            f"result {rows.shape}, target {labels.shape}",
        )
    return rows.argmax(axis=1) == labels


@dataclass(frozen=True)
class Measured:
    """Sums of a metric's numbers for the program and for its reference, and how many samples they are of.

    `is_share`: whether each sample has a number of its own, 0 or 1.
    """

    ours: Fraction
    reference: Fraction
    number: int
    is_share: bool = False

    @classmethod
    def of(
        cls,
        metric: Metric,
        ours: Sequence[Tensor],
        theirs: Sequence[Tensor],
        target: Any,
        samples: Samples,
    ) -> Measured:
        """Return the metric of the samples of one batch that count; one number stands for each of them."""
        target, sums, is_share = samples.select(target), [], samples.size is not None
        for side in (ours, theirs):
            numbers = _numbers(metric([samples.select(x.dequantize()) for x in side], target))
            times = samples.count if len(numbers) == 1 else 1
            is_share &= len(numbers) == samples.count and bool(np.isin(numbers, (0, 1)).all())
            sums.append((times * sum(map(Fraction, numbers.tolist()), Fraction(0)), times * len(numbers)))
        return cls(sums[0][0], sums[1][0], sums[0][1], is_share)

    def __add__(self, other: Measured) -> Measured:
        ours, reference = self.ours + other.ours, self.reference + other.reference
        return Measured(ours, reference, self.number + other.number, self.is_share and other.is_share)

    @property
    def means(self) -> tuple[float, float]:
        """The mean for the program, and for the reference."""
        return float(self.ours / self.number), float(self.reference / self.number)


def _numbers(found: Any) -> np.ndarray:
    array = np.atleast_1d(np.asarray(found, np.float64))
    if array.ndim != 1 or not np.isfinite(array).all():
        raise Malformed(
            "a metric that is no number", f"expected one, or one for each sample; got {found!r:.80}"
        )
    return array


# The ranking of layers by what their quantization costs, as sums over samples


@dataclass(frozen=True)
class Effect:
    """Effect of some layers' quantization on the first result: sums of squares, and the metric."""

    signal: Fraction
    noise: Fraction
    metric: Measured | None

    def __add__(self, other: Effect) -> Effect:
        metric = self.metric + other.metric if self.metric and other.metric else None
        return Effect(self.signal + other.signal, self.noise + other.noise, metric)

    @property
    def sqnr(self) -> float:
        """The signal-to-noise ratio of the result in dB; infinite if nothing changed."""
        return sqnr(self.signal, self.noise)


def measure_effect(
    results: Sequence[Tensor],
    expected: Sequence[Tensor],
    metric: Metric | None,
    target: Any,
    samples: Samples,
) -> Effect:
    """Return how far the first result is from the one expected, and the metric of both."""
    layer = measure_layer(Named("", "", "", ""), results[0], expected[0], None, samples)
    judged = Measured.of(metric, results, expected, target, samples) if metric else None
    return Effect(layer.signal, layer.noise, judged)


@dataclass(frozen=True)
class Ranked:
    """One layer: the effect of its quantization alone, and of all layers but this one."""

    layer: str
    alone: Effect
    without: Effect

    def __add__(self, other: Ranked) -> Ranked:
        return Ranked(self.layer, self.alone + other.alone, self.without + other.without)


@dataclass(frozen=True, repr=False)
class Ranking(Display):
    """Layers, the one that costs most first; `whole` is the effect of all of them. `a + b` adds samples.

    A layer's quantization is that of its value and of the constants that its operation reads, simulated in
    the reference: quantized, and dequantized. Constants that merge several of the reference's are left out.
    """

    samples: int
    layers: tuple[Ranked, ...]
    whole: Effect

    def __add__(self, other: Ranking) -> Ranking:
        known = {x.layer: x for x in other.layers}
        if known.keys() != {x.layer for x in self.layers}:
            raise Malformed("rankings of other programs", "only rankings of one program add up")
        layers = (x + known[x.layer] for x in self.layers)
        return Ranking(self.samples + other.samples, in_order(layers), self.whole + other.whole)

    def _repr_text_(self) -> str:
        head = ["layer", "SQNR alone", "SQNR without"]
        head += ["metric alone", "metric without"] if self.whole.metric else []
        rows = [[x.layer, *_cells(x.alone, x.without)] for x in self.layers]
        whole = ["all", *_cells(self.whole, self.whole)]
        title = f"sensitivity of result 0 to the quantization of each layer: {self.samples:,} samples"
        return join_lines([title, *align([head, *rows, whole])])


def _cells(*effects: Effect) -> list[str]:
    metrics = [f"{x.metric.means[0]:.4g}" for x in effects if x.metric]
    return [*(f"{x.sqnr:.4g}" for x in effects), *metrics]


def in_order(layers: Iterable[Ranked]) -> tuple[Ranked, ...]:
    """Return layers by what they cost alone, the most first."""
    return tuple(sorted(layers, key=lambda x: (x.alone.sqnr, x.layer)))
