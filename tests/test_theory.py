"""The theory of sums, held against every node that a schedule has, and the precision of additions."""

from __future__ import annotations

from itertools import accumulate, combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.apps.reports.findings import verdict
from interp.theory.quantized_arithmetic import addition_is_integer, is_shift, precision
from interp.theory.sums import Ends, Leaves, contiguous, ends_of, exact, integer_dtype, prefixes, subset_sums
from spec.schedule import Schedule, parse
from spec.types import make_quantized
from tests.library.builders import reduced

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


# Leaves of two result elements, in their two rows: what holds of one holds of each.
COLUMNS = np.array([[3, -7], [-4, 5], [9, 2], [-1, -6], [2, 8]]).T
STARTS = np.array([1, -2])


def subsets(leaves: list[int]) -> list[list[int]]:
    return [list(x) for n in range(len(leaves) + 1) for x in combinations(leaves, n)]


@pytest.mark.parametrize("size", [1, 2, 5])
def test_folds_in_any_order_have_the_sums_of_all_subsets(size: int) -> None:
    """And the leaves, which are nodes; the init is in every sum that is not of one leaf."""
    leaves = COLUMNS.T
    found = subset_sums(STARTS, [(leaves[k : k + size], None) for k in range(0, len(leaves), size)])
    for k, (column, init) in enumerate(zip(COLUMNS.tolist(), STARTS.tolist(), strict=True)):
        every = [*column, *(init + sum(x) for x in subsets(column))]
        assert (found.least[k], found.greatest[k], found.total[k]) == (
            min(every),
            max(every),
            init + sum(column),
        )


@pytest.mark.parametrize("copies", [1, 2])
@pytest.mark.parametrize("seed", [None, STARTS])
def test_ranges_of_several_results_are_ranges_of_each(copies: int, seed: np.ndarray | None) -> None:
    """Of leaves in ranges of -1 to +2 around their numbers."""
    low, high = COLUMNS.T - 1, COLUMNS.T + 2
    leaves = Leaves(low, high, copies, None if seed is None else ends_of(seed, seed + 1))
    schedule = parse("blocks(3)")
    answers = leaves.any_order(), leaves.total(), leaves.any_schedule(), leaves.in_schedule(schedule)
    for k in range(2):
        rows = [[x] * copies for x in zip(low[:, k].tolist(), high[:, k].tolist(), strict=True)]
        ends = [[row[end] for copied in rows for row in copied] for end in (0, 1)]
        inits = [0, 0] if seed is None else [int(seed[k]), int(seed[k]) + 1]
        partial = [
            [sum(min(x, 0) for x in [inits[0], *ends[0]])],
            [sum(max(x, 0) for x in [inits[1], *ends[1]])],
        ]
        whole = [[inits[end] + sum(ends[end])] for end in (0, 1)]
        neighbours = [
            [sum([inits[end], *ends[end]][i:j]) for j in range(1, len(ends[0]) + 2) for i in range(j)]
            for end in (0, 1)
        ]
        nodes_ = [nodes(ends[end], inits[end], schedule) for end in (0, 1)]
        for found, expected in zip(answers, (partial, whole, neighbours, nodes_), strict=True):
            assert found is not None
            assert (found.least[k], found.greatest[k]) == (min(expected[0]), max(expected[1]))
        magnitudes = [max(map(abs, pair)) for pair in zip(*ends, strict=True)]
        assert leaves.magnitude[k] == sum(magnitudes) + max(map(abs, inits))


def test_more_leaves_than_asked_for_are_not_unrolled() -> None:
    """Five leaves of two results are ten; of no result they are five, which have to be stacked."""
    leaves = Leaves(COLUMNS.T, COLUMNS.T)
    assert leaves.any_schedule(most=10) is not None
    assert leaves.any_schedule(most=9) is None
    nothing = np.zeros((5, 0), np.int64)
    assert Leaves(nothing, nothing).any_schedule(most=5) is not None
    assert Leaves(nothing, nothing).any_schedule(most=4) is None
    assert leaves.any_schedule() is not None


def test_sums_beyond_i64_are_integers_of_python() -> None:
    for n, end in ((1, 2**62 - 1), (2**31, -(2**31) + 1)):
        assert integer_dtype(n, 0, end).name == "int64"
    for n, end in ((1, -(2**62)), (2**31, 2**31)):
        assert integer_dtype(n, end, 0).name == "object"
    assert exact(*[np.array([2**61 - 1])] * 2).least.dtype == np.int64  # twice, with the init
    leaves = exact(*[np.array([2**61] * 4)] * 2)
    assert leaves.total().hull == (2**63, 2**63)
    assert leaves.any_order().hull == (0, 2**63)


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
    ("scale", "binary", "needed"),
    [
        (0.5, True, 11),
        (0.50001, True, 15),
        (0.501, False, 15),
        (2.0**-15, False, 15),
        (2.0**-14, True, 11),
    ],
)
def test_the_precision_is_that_of_the_scale_as_every_type_rounds_it(
    scale: float, binary: bool, needed: int
) -> None:
    """f16 rounds 0.50001 to 0.5, so that its own additions round nothing. A type of 12 bits could keep it."""
    type = make_quantized("i16", "f16", scale)
    assert is_shift(type) == binary
    assert precision(type, 0, 2032) == needed
    proven = addition_is_integer(type, np.array([0]), np.array([2032]))
    assert bool(proven.all()) == binary


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
