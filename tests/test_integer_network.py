"""A network in the integer reading: every accumulator and logit is that of an independent int64 program."""

from __future__ import annotations

import sys
from fractions import Fraction

import numpy as np
import pytest

import interp
from tests.test_demo import TOOLS

sys.path.insert(0, str(TOOLS))

from benchmarks.integer_network import Network, rescaled, sums


@pytest.fixture(scope="module")
def network() -> Network:
    """ResNet-18 of 64 x 64 pixels, 4 channels in its first stage, and 10 classes."""
    return Network(64, 4, 10)


def test_every_accumulator_and_logit_is_equal(network: Network) -> None:
    module = interp.load(network.text)
    assert interp.verify(module) == []
    found = interp.run(module, *[value.stored for value in network.arguments], reading="integer")
    assert len(found) == 21 + 1 + 1
    for result, value in zip(found, network.outputs, strict=True):
        np.testing.assert_array_equal(np.asarray(result), value.stored)


def test_the_network_tells_recipes_apart(network: Network) -> None:
    """Its numbers do not vanish, and the dequantize reading gives others."""
    assert all(value.stored.std() > 10 for value in network.outputs)
    found = interp.run(interp.load(network.text), *[value.stored for value in network.arguments])
    pairs = zip(found, network.outputs, strict=True)
    assert any((np.asarray(result) != value.stored).any() for result, value in pairs)


def test_the_other_program_by_hand() -> None:
    """Ties go to even, in both directions; a window of 2 by 2 ones sums four numbers."""
    halves = rescaled(np.array([[1, 3, -1, -3, 5]]), np.array([Fraction(1, 2)] * 5))
    assert halves.tolist() == [[0, 2, 0, -2, 2]]
    x = np.arange(9).reshape(1, 3, 3, 1)
    assert sums(x, np.ones((2, 2, 1, 1), np.int64), 1, 0).ravel().tolist() == [8, 12, 20, 24]
