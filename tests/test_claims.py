"""Every claim about sums held against brute force: bounds, suggestions, headroom, verdicts and lint.

`tests/library/strategies/sums_drawn.py` draws the programs by seed. `explored` takes as many seeds as
there is time for.
"""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import interp
from interp.execute.run import run
from interp.questions.bounds import Bounds, bounds
from interp.questions.scatters import SELECTED
from interp.questions.verdicts import verdicts
from interp.recorder.event import number as number_text
from interp.recorder.recorded import Capture, Reduction
from spec.schedule import parse
from spec.types import QuantizedType, parse_element_type
from tests.library import builders
from tests.library.builders import quantized as quantized_text
from tests.library.builders import windowing
from tests.library.oracles.claims_checked import (
    SCHEDULES,
    TRIED,
    check_claims,
    check_events,
    data,
    schedules_held,
)
from tests.library.oracles.exact_model import contiguous, modelled, windowed, wrong_node
from tests.library.strategies.sums_drawn import NOTHING, Drawn, drawn, program

MORE = pytest.mark.slow("brute force over more programs")


def reduction(draw: Drawn, schedule: str) -> Reduction:
    capture = Capture(draw.module, parse(schedule))
    with np.errstate(all="ignore"):
        run(draw.module, *draw.args, schedule=schedule, listeners=(capture,))
    (found,) = capture.found
    return found


def explored(seed: int) -> None:
    """Hold every claim about one program against brute force."""
    rng = Random(seed)
    draw = drawn(rng)
    schedule = "left" if draw.unordered else rng.choice(SCHEDULES)
    check_claims(draw, reduction(draw, schedule), rng)
    check_lint(draw, rng)


# Lint

OVERFLOW = re.compile(
    r"(\d+) elements of at (?:most|least) (-?\d+) and (\d+) init values of at (?:most|least) (-?\d+) "
    r"(may )?reach (-?\d+); .* ends at (-?\d+) "
    r"\((?:proven safe up to (\d+) elements(?: with one init value)?; )?in steps"
)


def check_lint(draw: Drawn, rng: Random) -> None:
    evidence = {s.code: s.evidence for s in interp.lint(draw.module)}
    if "lint_overflow" in evidence:
        check_overflow(draw, evidence["lint_overflow"], rng)
    model = modelled(draw.type)
    if draw.windows and not draw.selected:
        fewest = min(sum(k is not None for k in row) for row in draw.windows)
        assert ("lint_empty_window" in evidence) == (fewest == 0)
    first = model.converted(draw.init, modelled(draw.start))
    if draw.known and draw.windows and draw.body == "add":
        assert ("lint_init" in evidence) == (first != model.z)


def may_be_nan(draw: Drawn) -> bool:
    """Return whether conversion may give NaN: it takes a number between the bounds farthest."""
    return isinstance(draw.type, QuantizedType) and draw.type.expressed_type.special in ("fn", "fnuz")


def check_overflow(draw: Drawn, text: str, rng: Random) -> None:
    match = OVERFLOW.match(text)
    assert match, text
    may, total, end, safe = match[5], int(match[6]), int(match[7]), int(match[8] or 0)
    model, sources = modelled(draw.type), (modelled(draw.source), modelled(draw.start))
    assert end in (model.low - model.z, model.high - model.z)
    assert abs(total) > abs(end)
    reached: list[int] = []
    for values, first in data(draw, rng):
        converted, one = [model.converted(q, sources[0]) for q in values], model.converted(first, sources[1])
        for row in draw.leaves(converted, one):
            reached += [q - model.z for q in contiguous(row, model.z).values()]
    best = max(reached) if end >= 0 and total > 0 else min(reached)
    assert abs(best) <= abs(total), (best, text)
    tried = sources[0].high - sources[0].low < TRIED or not may_be_nan(draw)
    assert may or not tried or best == total, (best, text)
    for count in {min(safe, 6), min(safe, 2)} if match[8] else ():
        for values, first in data(draw._replace(values=[sources[0].z] * count), rng):
            if len(values) != count:
                continue
            row = [
                model.converted(q, s) for q, s in ((first, sources[1]), *((v, sources[0]) for v in values))
            ]
            assert not (wrong := wrong_node(model, "add", row)), (count, text, wrong)


@pytest.mark.parametrize("first", [0, *(pytest.param(k, marks=MORE) for k in (20, 40))])
def test_every_claim_about_random_reductions(first: int) -> None:
    for seed in range(first, first + 20):
        explored(seed)


@pytest.mark.parametrize("seed", range(20))
def test_a_run_in_what_is_suggested_has_no_event(seed: int) -> None:
    rng = Random(seed)
    draw = drawn(rng)
    schedule = rng.choice(SCHEDULES)
    claims = bounds(reduction(draw, schedule))
    check_events(claims, draw.args, {*schedules_held(claims), schedule})


# By name


def reduced(source: str, type: str, row: list[int], init: int = 0, **windows: Any) -> Drawn:
    """A sum of a row, or its windows."""
    kinds = [parse_element_type(quantized_text(text)) for text in (source, source, type)]
    nothing = Drawn(NOTHING, (), *kinds, "add", [[*range(len(row))]], row, init, False)
    if not windows:
        return program(nothing, (), {"dimensions": (0,)})
    rows = list(windowed(len(row), *windows["padding"], 1, windows["window"], windows["stride"], 1))
    attributes = windowing((windows["window"],), (windows["stride"],), (1,), (1,), (windows["padding"],))
    return program(nothing._replace(windows=rows), (len(rows),), attributes)


def held(draw: Drawn) -> Bounds:
    """Return the statements about a run in order, after they have been held against brute force."""
    claims = check_claims(draw, reduction(draw, "left"), Random(0))
    check_lint(draw, Random(0))
    check_events(claims, draw.args, schedules_held(claims))
    return claims


def test_storage_that_ends_beyond_the_expressed_type_is_not_suggested() -> None:
    """100 * 4 rounds to 384, which is 192 * 2; 3 * 192 needs 16 bits, where 65535 is NaN in f8E4M3FN.

    Any data may be 255 * 4, which is NaN.
    """
    claims = held(reduced("u8:f8E4M3FN, 4.0", "u8:f8E4M3FN, 2.0", [100] * 3))
    assert claims.by_value is not None
    assert claims.by_value[:3] == (0, 576, 10)
    assert not claims.by_value.exact
    assert (claims.by_type, claims.headroom) == (None, -2)
    assert "become NaN or infinite in f8E4M3FN" in claims.missing[0]
    assert claims.suggestion.why == "the storage bound 65,535 is NaN in f8E4M3FN"


def test_an_accumulator_that_ends_at_no_number_says_nothing_of_room() -> None:
    """All that is converted to it becomes 0, as clamping gives NaN; in u8 100 stays 100."""
    claims = held(reduced("u8:f8E4M3FN, 1.0", "u32:f8E4M3FN, 1.0", [100] * 3))
    assert claims.by_type is not None
    assert claims.by_type[:3] == (0, 4 * 256, 11)
    assert (claims.headroom, claims.suggested) == (None, None)
    assert "headroom unknown; suggested: none, " in repr(claims)


def test_elements_that_no_window_reads_are_held_as_well() -> None:
    """Only 1 and 2 are read; 30 steps of 8.0 are 240 steps of 1.0, which i8 has not.

    Any data may be 127 * 8, beyond what bf16 is proven to add.
    """
    claims = held(reduced("i8:bf16, 8.0", "i32:bf16, 1.0", [1, 30, 2], window=1, stride=2, padding=(0, 0)))
    assert claims.by_value is not None
    assert claims.by_value[:3] == (0, 16, 6)
    next_type = "!quant.uniform<i16:bf16, 1.000000e+00> is the next storage type"
    assert repr(claims.suggestion) == f"i9 for these inputs; {next_type}"


def test_any_data_in_the_order_of_the_run_may_have_the_init_value_several_times() -> None:
    """8 elements and one init value fit i16 (28,800 at most); with a block for each element they do not."""
    draw = reduced("i8<0:100>:f32, 32.0", "i32:f32, 1.0", [0] * 8, 100)
    assert repr(bounds(reduction(draw, "left")).suggestion) == "!quant.uniform<i16:f32, 1.000000e+00>"
    twice = bounds(reduction(draw, "blocks(1)")).suggestion  # 51,200 at most
    assert repr(twice) == "i17; !quant.uniform<i32:f32, 1.000000e+00> is the next storage type"


def test_a_zero_point_far_from_the_nodes_needs_no_table_of_them() -> None:
    """Nodes of 8 bits about a zero point of 32 bits."""
    q = "u32<0:4294967295>:f32, 1.0:4294967290"
    assert held(reduced(q, q, [3, 3], 4294967290)).suggested is None


def test_an_expressed_type_without_zero_is_the_reason() -> None:
    q = "u8:f8E8M0FNU, 1.0"
    claims = bounds(reduction(reduced(q, q, [1, 2]), "left"))
    assert claims.suggestion.why == "f8E8M0FNU has no zero"


def test_safe_is_safe_towards_both_ends() -> None:
    """258 elements of 127 fit i16, and 256 of -128."""
    draw = reduced("i8:f32, 0.5", "i16:f32, 0.5", [0] * 300)
    (suspicion,) = (s for s in interp.lint(draw.module) if s.code == "lint_overflow")
    assert suspicion.rule == "sums of data in range can overflow the accumulator"
    assert "300 elements of at most 127 and 1 init values of at most 127 reach 38227" in suspicion.evidence
    assert "(proven safe up to 255 elements with one init value;" in suspicion.evidence  # it may be -128


def test_lint_finds_the_number_that_conversion_takes_farthest() -> None:
    """255 * 4 is NaN in f8E4M3FN, and stored as 0; 112 * 4 = 448 is the largest of which 224 is made."""
    held(reduced("u8:f8E4M3FN, 4.0", "u8:f8E4M3FN, 2.0", [100] * 3))
    draw = reduced("i32:f8E4M3FN, 1.0", "i32<-448:448>:f8E4M3FN, 1.0", [0] * 2)
    evidence = {s.code: s.evidence for s in interp.lint(draw.module)}["lint_overflow"]
    assert "2 elements of at most 448 and 1 init values of at most 448 reach 1344" in evidence


def test_the_sum_of_sizes_is_not_rounded_down_in_f64() -> None:
    """2^53 + 1 is no f64; added up in f64 it seems to be 2^53."""
    for row, kind in (([2.0**53, 1.0], "inexact"), ([2.0**53 - 2, 1.0], "safe")):
        assert interp.trace(builders.reduced("2xf64"), np.array(row), np.float64(0)).verdict().kinds == kind


def test_the_order_that_is_given_overflows_nowhere() -> None:
    """i8 wraps twice and is right in order; another schedule does not wrap."""
    found = interp.trace(builders.reduced("3xi8"), np.int8([100, 100, -100]), np.int8(0)).verdict()
    order = found.schedule(())
    assert order is not None
    assert not any(taken.marks for taken in found.reduction.element(()).replay(order))


def test_where_another_order_selects_otherwise_only_this_one_is_judged() -> None:
    """74 stands for NaN in f8E4M3FN: no schedule has it, so that a tree decides what a window selects."""
    (draw,) = (d for seed in (2740,) if (d := drawn(Random(seed))).unordered)
    first, second = (reduction(draw, schedule) for schedule in ("left", "random(3)"))
    assert [part.column(0) for part in first.parts] != [part.column(0) for part in second.parts]
    assert set(verdicts(first).kinds.ravel()) == {"unknown"}
    assert (bounds(first).by_value, bounds(first).missing[1]) == (None, SELECTED)


def test_scales_beyond_f64_of_each_other_are_linted() -> None:
    """A scale that no number of f64 holds is linted too."""
    held(reduced("i8:f64, 1.0e300", "i8:f64, 1.0e-20", [0, 1]))
    assert number_text(Fraction(10**400, 3)) == "3.333333333e+399"
