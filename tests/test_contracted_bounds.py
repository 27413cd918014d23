"""The extreme sums of contractions with known right factors, against every left operand of a small type."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from interp.theory.contractions import Factor, bounded_factor, constant_factor, extreme_sums
from spec.ir import Module
from tests.library.builders import contracting, convolution, single
from tests.library.oracles.products_by_hand import numbers, space

DOT = single("dot_general", "2x3xi8; 3x2xi8 -> 2x2xi32", **contracting(1))
WINDOWS = convolution("1x4x1xi8; 2x1x2xi8 -> 1x5x2xi32", "b0f 0io b0f", padding=((1, 1),))
DILATED = convolution("1x2x2xi8; 2x1x2xi8 -> 1x2x2xi32", "b0f 0io b0f", feature_group_count=2,
                      lhs_dilation=(2,), window_reversal=(True,))  # fmt: skip
BATCHED = convolution("2x2x1xi8; 1x1x4xi8 -> 1x2x4xi32", "b0f 0io b0f", batch_group_count=2)


@pytest.mark.parametrize("module", [DOT, WINDOWS, DILATED, BATCHED], ids=["dot", "holes", "groups", "batch"])
@pytest.mark.parametrize(("low", "high"), [(-2, 1), (1, 2), (0, 3)])
def test_extremes_are_those_of_all_left_operands(module: Module, low: int, high: int) -> None:
    op = module.main.body.ops[0]
    lhs, rhs = (value.type.shape for value in op.operands)
    weights = np.random.default_rng(3).integers(-5, 6, rhs)
    found = extreme_sums(op, bounded_factor((low, high), lhs), constant_factor(weights))
    least, greatest = (np.broadcast_to(end, op.result.type.shape) for end in found[:2])
    channel = op["output_feature_dimension"] if op.name == "stablehlo.convolution" else 1
    ends: dict[int, list[int]] = {}
    choices = range(low, high + 1)
    for values in product((low, high) if len(choices) > 2 else choices, repeat=int(np.prod(lhs))):
        x = np.array(values).reshape(lhs)
        for index in space(op.result.type.shape):
            terms = [0, *numbers(op, x, weights, index)]
            sums = [sum(terms[a:b]) for a in range(len(terms)) for b in range(a + 1, len(terms) + 1)]
            ends.setdefault(index[channel], []).extend((min(sums), max(sums)))
    for index in space(op.result.type.shape):
        known = ends[index[channel]]
        assert (least[index], greatest[index]) == (min(known), max(known))


def test_ranges_of_each_feature_are_honoured() -> None:
    op = DOT.main.body.ops[0]
    weights = np.array([[1, -1], [2, 3], [-4, 5]])
    lhs = Factor(np.array([[0, -1, 2]]), np.array([[1, 1, 2]]), (2, 3))
    found = extreme_sums(op, lhs, constant_factor(weights))
    assert found.least.tolist() == [[-10, -4]]  # 0 or 1; -2..2; -8: the node of the last two
    assert found.greatest.tolist() == [[3, 13]]


def test_weights_of_64_bits_do_not_overflow() -> None:
    op = single("dot_general", "2x3xi64; 3x2xi64 -> 2x2xi64", **contracting(1)).main.body.ops[0]
    most = 2**63 - 1
    found = extreme_sums(op, bounded_factor((-(2**63), most), (2, 3)), constant_factor(np.full((3, 2), most)))
    assert found.greatest.tolist() == [[3 * most**2] * 2]
    assert found.least.tolist() == [[-3 * most * 2**63] * 2]


def test_factors_beyond_i64_may_have_small_products() -> None:
    op = single("dot_general", "2x3xui64; 3x2xui64 -> 2x2xui64", **contracting(1)).main.body.ops[0]
    found = extreme_sums(
        op, bounded_factor((0, 2**64 - 1), (2, 3)), constant_factor(np.zeros((3, 2), np.uint64))
    )
    assert [end.tolist() for end in found] == [[[0, 0]], [[0, 0]]]
