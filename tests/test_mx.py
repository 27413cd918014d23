"""Conversion to OCP MX: the rules of scales, on the numbers where they part."""

from __future__ import annotations

import math

import numpy as np
import pytest

from interp.quantization.mx import ELEMENTS, RULES, to_mx
from spec.errors import Malformed
from spec.formats import largest
from spec.types import ELEMENT_TYPES

E4M3, F4 = "f8E4M3FN", "f4E2M1FN"
ORDER = ("floor", "ceil", "even", "rceil", "nearest")
# By element and largest number: the exponent of the scale, by each rule in this order, and the element.
TABLE = [
    (E4M3, 448, (0, 1, 0, 0, 1), (448, 224, 448, 448, 224)),
    (E4M3, 449, (0, 1, 0, 1, 1), (448, 224, 448, 224, 224)),
    (E4M3, 511, (0, 1, 1, 1, 1), (448, 256, 256, 256, 256)),
    (E4M3, 1.9, (-8, -7, -8, -7, -7), (448, 240, 448, 240, 240)),
    (E4M3, 256, (0, 0, 0, 0, 0), (256,) * 5),
    (F4, 7, (0, 1, 1, 1, 1), (6, 4, 4, 4, 4)),  # 3.5 is a tie, to even
    (E4M3, 1e-39, (-127,) * 5, (0.171875,) * 5),
    (E4M3, 0, (-127,) * 5, (0,) * 5),
]


@pytest.mark.parametrize(("element", "number", "exponents", "elements"), TABLE)
def test_the_rules_part_as_their_sources_say(
    element: str, number: float, exponents: tuple[int, ...], elements: tuple[float, ...]
) -> None:
    x = np.array([[number, 0]], np.float32)
    found = [to_mx(x, element, 2, rule) for rule in ORDER]
    assert [math.log2(float(y.scales[0, 0])) for y in found] == list(exponents)
    assert [float(y.elements[0, 0]) for y in found] == list(elements)


@pytest.mark.parametrize(
    ("number", "scales"), [(np.nan, [np.nan] * 5), (np.inf, [2.0**120] * 3 + [2.0**127, np.nan])]
)
def test_what_is_not_finite(number: float, scales: list[float]) -> None:
    found = [to_mx(np.array([number, 1], np.float32), block=2, rule=rule).scales[0] for rule in ORDER]
    assert np.array_equal(np.asarray(found, np.float64), scales, equal_nan=True)


@pytest.mark.parametrize("element", ELEMENTS)
def test_rceil_never_saturates_and_floor_is_at_most_one_below(element: str) -> None:
    x = np.random.default_rng(1).standard_normal((50, 8)).astype(np.float32) * 100
    most = largest(ELEMENT_TYPES[element])
    up, down = (to_mx(x, element, 8, rule) for rule in ("rceil", "floor"))
    ratio = np.abs(x).max(axis=-1) / up.scales[:, 0].astype(np.float64)
    assert (ratio <= most).all()
    assert (ratio > most / 2).all()
    assert set((up.scales.astype(np.float64) / down.scales.astype(np.float64)).ravel()) <= {1.0, 2.0}


def test_other_arrays_are_refused() -> None:
    assert set(RULES) == set(ORDER)
    for x in (np.zeros(3, np.float32), np.zeros(32, np.float64)):
        with pytest.raises(Malformed, match="in blocks of 32"):
            to_mx(x)
