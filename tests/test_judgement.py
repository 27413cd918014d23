"""Judgements of sums by their ranges: what they say of the accumulator, and the edge of a proof on floats."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.questions.proving.judgement import UNKNOWN, Judgement, judge_floats
from interp.theory.sums import Ends, Leaves, ends_of
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, make_quantized
from tests.library.builders import reduced

F16 = ELEMENT_TYPES["f16"]
OP = reduced("4xf16").main.body.ops[0]


def judged(type: ElementType | QuantizedType, least: object, greatest: object) -> Judgement:
    ends = ends_of(np.asarray(least), np.asarray(greatest))
    return Judgement(OP, type, UNKNOWN, "", "", ends, (-128, 127), ends)


def proof(x: list[float]) -> str:
    args = {0: np.float16(x), 1: np.float16(0)}
    return interp.prove(reduced(f"{len(x)}xf16"), args).rows[0].verdict


def test_float_sums_that_rounding_makes_infinite_are_not_proved() -> None:
    """From 32,768 on, f16 has every 32nd number: 65,440 + 17 is 65,472, and after two more it is infinite."""
    x = [65440.0, 17.0, 17.0, 17.0]
    assert sum(x) < 65504  # the largest number
    total = np.float16(0)
    with np.errstate(over="ignore"):
        for leaf in np.float16(x):
            total = np.float16(total + leaf)
    assert np.isinf(total)
    assert proof(x) != "proved"
    assert proof([60000.0, 17.0, 17.0, 17.0]) == "proved"


@pytest.mark.parametrize("n", [1, 5, 100])
def test_the_bound_on_float_sums_is_that_of_its_theorem(n: int) -> None:
    """Proved if the magnitudes times (1 + 2^-11)^n are at most 65,504: a little below, and not above."""
    most = 65504 / (1 + 2.0**-11) ** n
    for factor, verdict in ((1.001, "unknown"), (1 / (1 + 2.0**-11) ** 2 - 1e-6, "proved")):
        leaf = np.full((n, 1), most / n * factor)
        assert judge_floats(OP, F16, Leaves(-leaf, leaf)).verdict == verdict


def test_an_accumulator_is_signed_unless_it_is_an_unsigned_integer() -> None:
    """0 to 200 has 8 bits, and 9 with a sign; the steps of a quantized type have a sign."""
    assert [judged(ELEMENT_TYPES[name], 0, 200).bits for name in ("ui8", "i8")] == [8, 9]
    assert judged(make_quantized("u8", "f32", 0.5, 8), 0, 200).bits == 9
    assert judged(ELEMENT_TYPES["ui8"], -1, 200).bits == 9


def test_the_farthest_place_beyond_the_limits() -> None:
    i8 = ELEMENT_TYPES["i8"]
    assert judged(i8, [[-128, 0]], [[0, 127]]).beyond is None
    assert judged(i8, [[-128, 0, 1]], [[0, 128, 127]]).beyond == ((None, 1), 1)
    assert judged(i8, [[-130], [-129]], [[0], [128]]).beyond == ((0, None), -1)
    nothing = np.zeros(0, int)
    assert Judgement(OP, i8, UNKNOWN, "", "", Ends(nothing, nothing), (-128, 127)).beyond is None
