"""A metric over samples: sums for the program and for its reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from interp.apps.surveys.measure import Samples
from interp.engine.tensor import Tensor
from spec.errors import Malformed


@dataclass(frozen=True)
class Measured:
    """Sums of a metric's numbers for the program and for its reference, and how many samples they are of."""

    ours: Fraction
    reference: Fraction
    number: int

    @classmethod
    def of(
        cls,
        metric: Callable[[Sequence[np.ndarray], Any], Any],
        ours: Sequence[Tensor],
        theirs: Sequence[Tensor],
        target: Any,
        samples: Samples,
    ) -> Measured:
        """Return the metric of the samples of one batch that count; one number stands for each of them."""
        target, sums = samples.kept(target), []
        for side in (ours, theirs):
            numbers = _numbers(metric([samples.kept(x.dequantize()) for x in side], target))
            times = samples.count if len(numbers) == 1 else 1
            sums.append((times * sum(map(Fraction, numbers.tolist()), Fraction(0)), times * len(numbers)))
        return cls(sums[0][0], sums[1][0], sums[0][1])

    def __add__(self, other: Measured) -> Measured:
        return Measured(self.ours + other.ours, self.reference + other.reference, self.number + other.number)

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
