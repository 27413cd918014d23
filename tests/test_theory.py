"""The theory of sums, held against every node that a schedule has, and the precision of additions."""

from __future__ import annotations

from itertools import accumulate, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.apps.reports.head import verdict
from interp.theory.addition import addition_is_integer, is_shift, precision
from interp.theory.sums import Ends, Leaves, contiguous, ends_of, prefixes
from spec.schedule import Schedule, parse
from spec.types import quantized
from tests.builders import reduced

NUMBERS = st.integers(-9, 9)
RANGES = st.tuples(NUMBERS, NUMBERS).map(sorted)
SCHEDULES = st.sampled_from(["left", "balanced", "blocks(1)", "blocks(2)", "blocks(3)", "random(4)"]).map(
    parse
)


def nodes(leaves: list[int], init: int, schedule: Schedule) -> list[int]:
    """Return every node of a fold of additions, as the schedule lists them."""
    if schedule.name != "blocks":
        values = [init, *leaves]
        for lhs, rhs in schedule.steps(len(values), True):
            values.append(values[lhs] + values[rhs])
        return values
    size = schedule.argument
    assert isinstance(size, int)
    blocks = [[init, *leaves[k : k + size]] for k in range(0, len(leaves), size)] or [[init]]
    sums = [list(accumulate(block)) for block in blocks]
    return [*leaves, *(x for each in sums for x in each), *accumulate(each[-1] for each in sums)]


def stacked(rows: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the greatest ends of ranges."""
    low, high = (np.array([row[end] for row in rows], np.int64) for end in (0, 1))
    return low, high


@given(st.lists(RANGES, max_size=4), RANGES, SCHEDULES, st.integers(1, 2))
def test_the_extremes_of_ranges_are_those_of_all_their_ends(
    rows: list[list[int]], start: list[int], schedule: Schedule, copies: int
) -> None:
    leaves = Leaves(*stacked(rows), copies, ends_of(*map(np.int64, start)))
    every = [
        node
        for numbers in product(*(row for row in rows for _ in range(copies)))
        for init in start
        for node in nodes(list(numbers), init, schedule)
    ]
    if (found := leaves.in_schedule(schedule)) is None:
        assert (copies, schedule.name) == (2, "random")
    else:
        assert found.hull == (min(every), max(every))
    trees = leaves.any_schedule()
    assert trees is not None
    if not schedule.may_repeat_init:
        assert trees.hull[0] <= min(every) <= max(every) <= trees.hull[1]
    numbers = [row for row in rows for _ in range(copies)]
    spans = [[start, *numbers][i:j] for i in range(len(numbers) + 1) for j in range(i + 1, len(numbers) + 2)]
    sums = [[sum(row[end] for row in span) for span in spans] for end in (0, 1)]
    assert trees.hull == (min(sums[0]), max(sums[1]))


@given(st.lists(st.tuples(NUMBERS, st.booleans()), max_size=6), NUMBERS)
def test_an_absent_leaf_is_no_node(rows: list[tuple[int, bool]], init: int) -> None:
    values = np.array([[x] for x, _ in rows], np.int64).reshape(-1, 1)
    present = np.array([[here] for _, here in rows], bool).reshape(-1, 1)
    blocks = [(values[k : k + 2], present[k : k + 2]) for k in range(0, len(rows), 2)]
    here, start = [x for x, present in rows if present], np.array([init])
    every = nodes(here, init, parse("left"))
    assert prefixes(start, blocks).hull == (min(every), max(every))
    sums = [sum([init, *here][i:j]) for i in range(len(here) + 1) for j in range(i + 1, len(here) + 2)]
    found = contiguous(start, blocks)
    assert Ends(found.least, found.greatest).hull == (min(sums), max(sums))


@pytest.mark.parametrize("shape", [(0,), (0, 3), (0, 0)])
@pytest.mark.parametrize("schedule", ["left", "balanced", "blocks(3)"])
def test_a_sum_without_leaves_is_its_init(shape: tuple[int, ...], schedule: str) -> None:
    nothing = np.zeros(shape, np.int64)
    leaves = Leaves(nothing, nothing, init=ends_of(np.full(shape[1:], -2), np.full(shape[1:], 3)))
    expected = (-2, 3) if 0 not in shape[1:] else (0, 0)
    for found in (leaves.any_schedule(), leaves.in_schedule(parse(schedule))):
        assert found is not None
        assert found.hull == expected


@pytest.mark.parametrize(
    ("scale", "binary"), [(0.5, True), (0.50001, True), (0.501, False), (2.0**-15, False), (2.0**-14, True)]
)
def test_the_precision_is_that_of_the_scale_as_the_type_rounds_it(scale: float, binary: bool) -> None:
    """f16 rounds 0.50001 to 0.5: additions then round nothing, and `add` needs 11 bits and not 15."""
    type = quantized("i16", "f16", scale)
    assert is_shift(type) == binary
    assert precision(type, 0, 2032) == (11 if binary else 15)
    proven = addition_is_integer(type, np.array([0]), np.array([2032]))
    assert bool(proven.all()) == (type.expressed_type.precision >= precision(type, 0, 2032))


def test_a_fold_in_blocks_has_no_node_that_only_absent_leaves_make() -> None:
    """The second block of 3 has one leaf, 20,000: no node adds it twice."""
    numbers = np.array([30000, -30000, -20000, 20000])
    found = Leaves(numbers, numbers).in_schedule(parse("blocks(3)"))
    assert found is not None
    assert found.hull == (-30000, 30000)


@pytest.mark.parametrize(
    ("schedule", "init", "ends"), [("blocks(1)", 10, (-20, 100)), ("blocks(2)", 20, (-20, 90))]
)
def test_a_proof_knows_where_a_schedule_repeats_the_init(
    schedule: str, init: int, ends: tuple[int, int]
) -> None:
    """By hand: blocks of one make -10, 100, 0, -10 of the leaves; their sums are 90, 90, 80.

    Blocks of two make 90 and -10, whose sum is 80. In another order, 90 and all inits are 130, beyond i8.
    """
    x = np.array([-20, 90, -10, -20], np.int8)
    proof = interp.prove(reduced("4xi8"), {0: x, 1: np.int8(init)}, schedule=schedule)
    assert proof.rows[0].verdict == "proved"
    assert proof.rows[0].judgement.ends is not None
    assert proof.rows[0].judgement.ends.hull == ends


def test_the_headline_gives_each_operation_its_own_total() -> None:
    """Four sums of the same numbers wrap, two elements each: the worst of them has two of the eight."""
    text = "func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {\n"
    text += "".join(f"  %{k} = stablehlo.add %x, %x : tensor<2xi8>\n" for k in range(4))
    t = interp.trace(text + "  return %3 : tensor<2xi8>\n}", np.array([100, -100], np.int8))
    found = verdict(t, [], []).found
    assert found.endswith("8 warnings (wrap × 8) in 4 operations, worst in add %0, which has 2")
