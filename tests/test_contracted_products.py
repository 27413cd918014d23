"""Products of a contraction's factors between ends, against index loops over the specification's formulas."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from interp.theory import contractions
from interp.theory.contractions import (
    Factor,
    Window,
    bounded_factor,
    channels,
    constant_factor,
    contracting,
    extreme_sums,
    leaf_products,
    most_products,
    number_of_products,
    on_result,
    windows,
)
from spec.ir import Op
from tests.library.builders import contracting as summing
from tests.library.builders import convolution, op
from tests.library.oracles.products_by_hand import pairs, space

RNG = np.random.default_rng(4)
ROWS = op("dot_general", "2x3xi8; 3x2xi8 -> 2x2xi32", **summing(1))
BATCHES = op(
    "dot_general",
    "2x4x3x5xi8; 4x5x2x3xi8 -> 4x3x3xi32",
    lhs_batching_dimensions=(1,),
    rhs_batching_dimensions=(0,),
    lhs_contracting_dimensions=(3, 0),
    rhs_contracting_dimensions=(1, 2),
)
TWO_BATCHES = op(
    "dot_general",
    "2x3x4xi8; 4x3x2xi8 -> 3x2xi32",
    lhs_batching_dimensions=(1, 0),
    rhs_batching_dimensions=(1, 2),
    lhs_contracting_dimensions=(2,),
    rhs_contracting_dimensions=(0,),
)
DOTS = [ROWS, BATCHES, TWO_BATCHES]
PADDED = convolution(
    "1x3x4x2xi8; 2x3x2x3xi8 -> 1x3x4x3xi32", "b01f 01io b01f", padding=((1, 0), (1, 1))
).main.body.ops[0]
GROUPED = convolution(
    "2x5x6xi8; 2x3x4xi8 -> 4x2x6xi32",
    "b0f 0io fb0",
    padding=((2, 3),),
    lhs_dilation=(2,),
    rhs_dilation=(3,),
    window_strides=(2,),
    window_reversal=(True,),
    feature_group_count=2,
).main.body.ops[0]
OUTSIDE = convolution("1x1x1xi8; 1x1x1xi8 -> 1x2x1xi32", "b0f 0io b0f", padding=((3, -2),)).main.body.ops[0]
THREE_GROUPS = convolution(
    "1x2x6xi8; 2x2x6xi8 -> 1x1x6xi32", "b0f 0io b0f", feature_group_count=3
).main.body.ops[0]
CONVOLUTIONS = [PADDED, GROUPED, OUTSIDE, THREE_GROUPS]


def corners(a: tuple[int, int], b: tuple[int, int]) -> list[int]:
    return [x * y for x in a for y in b]


@pytest.mark.parametrize("known", [(True, True), (False, True), (True, False), (False, False)])
@pytest.mark.parametrize("dot", DOTS)
def test_products_of_a_dot_end_at_corners(dot: Op, known: tuple[bool, bool]) -> None:
    factors = []
    for value, is_known in zip(dot.operands, known, strict=True):
        least = RNG.integers(-9, 10, value.type.shape)
        greatest = least if is_known else least + RNG.integers(0, 9, value.type.shape)
        factors.append(Factor(least, greatest, value.type.shape))
    low, high = (np.broadcast_to(x, (len(x), *dot.result.type.shape)) for x in leaf_products(dot, *factors))
    for index in space(dot.result.type.shape):
        for k, places in enumerate(pairs(dot, index)):
            ends = [(int(x.least[i]), int(x.greatest[i])) for x, i in zip(factors, places, strict=True)]
            assert (low[k][index], high[k][index]) == (min(corners(*ends)), max(corners(*ends)))


@pytest.mark.parametrize("contraction", CONVOLUTIONS)
def test_products_of_a_convolution_end_at_corners_of_all_positions(contraction: Op) -> None:
    """The left ends differ by feature only. A product is 0 where a position has padding or a hole."""
    left, right = (value.type.shape for value in contraction.operands)
    feature = contraction["input_feature_dimension"]
    sizes = [n if d == feature else 1 for d, n in enumerate(left)]
    least = RNG.integers(-9, 10, sizes)
    lhs = Factor(least, least + RNG.integers(0, 9, sizes), left)
    rhs = constant_factor(RNG.integers(-9, 10, right))
    channel = contraction["output_feature_dimension"]
    found: dict[tuple[int, int], list[int]] = {}
    for index in space(contraction.result.type.shape):
        for k, (i, j) in enumerate(pairs(contraction, index)):
            numbers = [0]
            if i is not None:
                at = tuple(x if d == feature else 0 for d, x in enumerate(i))
                numbers = [int(end[at]) * int(rhs.least[j]) for end in (lhs.least, lhs.greatest)]
            found.setdefault((k, index[channel]), []).extend(numbers)
    low, high = leaf_products(contraction, lhs, rhs)
    for (k, c), numbers in found.items():
        ends = [x[k].reshape(-1)[c] for x in (low, high)]
        assert ends == [min(numbers), max(numbers)]
    assert len(low) == number_of_products(contraction)


@pytest.mark.parametrize("contraction", [*DOTS, *CONVOLUTIONS])
def test_the_most_products_are_those_of_the_fullest_window(contraction: Op) -> None:
    full = [[i for i, _ in pairs(contraction, index)] for index in space(contraction.result.type.shape)]
    assert most_products(contraction) == max(sum(i is not None for i in row) for row in full)
    assert number_of_products(contraction) == len(full[0])


@pytest.mark.parametrize("contraction", [*DOTS, PADDED, GROUPED])
def test_sums_of_right_factors_have_the_shape_of_the_result(contraction: Op) -> None:
    rhs = RNG.integers(-9, 10, contraction.operands[1].type.shape)
    summed, kept = channels(contraction)
    sums = np.broadcast_to(on_result(contraction, rhs.sum(summed), kept), contraction.result.type.shape)
    for index in space(sums.shape):
        assert sums[index] == sum(int(rhs[j]) for _, j in pairs(contraction, index))
    assert sorted(summed) == sorted(contracting(contraction))
    order = [tuple(j[d] for d in summed) for _, j in pairs(contraction, (0,) * sums.ndim)]
    assert order == list(space(rhs.shape[d] for d in summed))


@pytest.mark.parametrize(("low", "high"), [(-2, -1), (1, 2), (-2, 1), (0, 1), (-1, 0)])
@pytest.mark.parametrize("weights", [(-2, 3), (4, 1), (-1, -5)])
def test_extreme_sums_are_those_of_every_window(low: int, high: int, weights: tuple[int, int]) -> None:
    """Windows of two, each with one element, of which some are padding; one of padding alone."""
    for sizes in ((2, ((1, 1),)), (1, ((1, 0),)), (1, ((3, 0),))):
        n, ((before, after),) = sizes
        outputs = n + before + after - 1
        module = convolution(
            f"1x{n}x1xi8; 2x1x1xi8 -> 1x{outputs}x1xi32", "b0f 0io b0f", padding=((before, after),)
        )
        contraction = module.main.body.ops[0]
        sums = [0]
        for index in space((1, outputs, 1)):
            ends = [
                (0,) if i is None else (low * w, high * w)
                for (i, _), w in zip(pairs(contraction, index), weights, strict=True)
            ]
            for a, b in product(*ends):
                sums += [a, b, a + b]
        rhs = constant_factor(np.array(weights).reshape(2, 1, 1))
        found = extreme_sums(contraction, bounded_factor((low, high), (1, n, 1)), rhs)
        assert found.hull == (min(sums), max(sums))


@pytest.mark.parametrize(("low", "high"), [(-2, -1), (1, 2), (-2, 1), (0, 1), (-1, 0)])
@pytest.mark.parametrize("weights", [(1, -9, 1, -9), (-9, 1, -9, 1), (2, -1, -3, 1)])
def test_extreme_sums_skip_the_padding_within_a_window(low: int, high: int, weights: tuple[int, ...]) -> None:
    """One column of a window of 2x2 may be padding, so that products that are no neighbours are summed."""
    contraction = convolution(
        "1x2x2x1xi8; 2x2x1x1xi8 -> 1x1x3x1xi32", "b01f 01io b01f", padding=((0, 0), (1, 1))
    ).main.body.ops[0]
    rhs = np.array(weights).reshape(2, 2, 1, 1)
    least, greatest = [0], [0]
    for index in space((1, 1, 3, 1)):
        ends = [
            (0, 0) if i is None else (low * int(rhs[j]), high * int(rhs[j]))
            for i, j in pairs(contraction, index)
        ]
        for a, b in combinations(range(5), 2):
            least.append(sum(map(min, ends[a:b])))
            greatest.append(sum(map(max, ends[a:b])))
    found = extreme_sums(contraction, bounded_factor((low, high), (1, 2, 2, 1)), constant_factor(rhs))
    assert found.hull == (min(least), max(greatest))


def test_a_convolution_without_a_window_has_one_kind_which_is_empty() -> None:
    contraction = convolution("1x1x1xi8; 2x1x1xi8 -> 1x0x1xi32", "b0f 0io b0f").main.body.ops[0]
    (kind,) = windows(contraction, False)
    assert isinstance(kind, Window)
    assert (kind.always.tolist(), kind.never.tolist()) == ([False, False], [True, True])
    assert list(windows(ROWS, False)) == [None]
    assert most_products(contraction) == 0


def test_rows_share_their_ends_beyond_a_number_of_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """2 products (times 3 with the batch) of 2 rows and 2 columns, 3 batches: 24 in all."""
    batched = op(
        "dot_general",
        "3x2x2xi8; 3x2x2xi8 -> 3x2x2xi32",
        lhs_batching_dimensions=(0,),
        rhs_batching_dimensions=(0,),
        lhs_contracting_dimensions=(2,),
        rhs_contracting_dimensions=(1,),
    )
    least = np.arange(12).reshape(3, 2, 2)
    lhs, rhs = Factor(least, least + 1, (3, 2, 2)), constant_factor(np.ones((3, 2, 2), int))
    for most, rows in ((24, 2), (23, 1)):
        monkeypatch.setattr(contractions, "MOST", most)
        low, high = leaf_products(batched, lhs, rhs)
        assert low.shape == high.shape == (2, 3, rows, 2)
        for k, b, row in product(range(2), range(3), range(2)):
            ends = [4 * b + 2 * row + k] * 2 if rows == 2 else [4 * b + k, 4 * b + 2 + k]
            own = min(row, rows - 1)
            assert low[k, b, own].tolist() == [ends[0]] * 2
            assert high[k, b, own].tolist() == [ends[1] + 1] * 2


def test_rows_of_a_small_dot_have_their_own_ends() -> None:
    """64 products."""
    small = op("dot_general", "4x4xi8; 4x4xi8 -> 4x4xi32", **summing(1))
    least = np.arange(16).reshape(4, 4)
    low, _ = leaf_products(small, Factor(least, least + 1, (4, 4)), constant_factor(np.ones((4, 4), int)))
    assert low[:, :, 0].tolist() == least.T.tolist()


def test_a_factor_is_as_large_as_its_farthest_number() -> None:
    assert bounded_factor((-9, 3), (2, 2)).magnitude == 9
    assert bounded_factor((-2, 3), (2, 2)).magnitude == 3
    assert constant_factor(np.array([[1, -7]])).magnitude == 7
    assert constant_factor(np.zeros((0, 2), int)).magnitude == 0


def test_a_factor_keeps_its_ends_in_another_dtype() -> None:
    factor = Factor(np.array([[1, 5]], object), np.array([[6], [9]], object), (2, 2)).astype(
        np.dtype(np.int64)
    )
    assert (factor.least.dtype, factor.greatest.dtype) == (np.int64, np.int64)
    assert (factor.least.tolist(), factor.greatest.tolist()) == ([[1, 5]], [[6], [9]])
    known = constant_factor(np.array([[4]], object)).astype(np.dtype(np.int64))
    assert known.is_known
    assert known.least.tolist() == [[4]]


def test_ends_are_joined_along_dimensions_only_where_they_differ() -> None:
    factor = Factor(np.array([[1, 5]]), np.array([[6, 8], [9, 7]]), (2, 2))
    joined = factor.widen_along([0])
    assert (joined.least.tolist(), joined.greatest.tolist()) == ([[1, 5]], [[9, 8]])
    joined = factor.widen_along([1])
    assert (joined.least.tolist(), joined.greatest.tolist()) == ([[1]], [[8], [9]])
    assert factor.widen_along([]) is factor
    known = constant_factor(np.array([[4]]))
    assert known.widen_along([0, 1]).is_known
