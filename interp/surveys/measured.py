"""A metric over samples: sums for the program and for its reference."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from interp.engine.tensor import Tensor
from spec.errors import Malformed


@dataclass(frozen=True)
class Measured:
    """Sums of a metric's numbers for the program and for its reference, and how many numbers they are."""

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
        count: int,
    ) -> Measured:
        """Return the metric of one batch; of numbers for each sample, the first `count` are taken."""
        numbers = [_numbers(metric([x.dequantize() for x in side], target), count) for side in (ours, theirs)]
        ours_sum, reference = (sum(map(Fraction, side.tolist()), Fraction(0)) for side in numbers)
        return cls(ours_sum, reference, len(numbers[0]))

    def __add__(self, other: Measured) -> Measured:
        return Measured(self.ours + other.ours, self.reference + other.reference, self.number + other.number)

    @property
    def means(self) -> tuple[float, float]:
        """The mean for the program, and for the reference."""
        return float(self.ours / self.number), float(self.reference / self.number)


def _numbers(found: Any, count: int) -> np.ndarray:
    array = np.atleast_1d(np.asarray(found, np.float64))
    if array.ndim != 1 or not np.isfinite(array).all():
        raise Malformed(
            "a metric that is no number", f"expected one, or one for each sample; got {found!r:.80}"
        )
    return array[:count] if array.size > 1 else array
