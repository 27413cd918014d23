"""Trees that `permits` finds for a result, and known accumulations that it names beside them."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.questions.permitted.known import candidates
from interp.questions.permitted.witness import witnesses
from spec.accumulation import Accumulation
from tests.library.devices.float_sums import left
from tests.library.oracles.accumulated_by_hand import DOT

N = 64


def add(lhs: tuple[np.ndarray, ...], rhs: tuple[np.ndarray, ...]) -> tuple[np.ndarray]:
    return (lhs[0] + rhs[0],)


def program(n: int = N) -> str:
    return DOT.format(m=2, k=n, n=2, lhs="f32", rhs="f32", result="f32")


def fused(x: np.ndarray, y: np.ndarray, lanes: int = 1) -> np.ndarray:
    """Add products in turn to each of some sums, each rounded once: f64 holds them, but for a few ties."""
    sums = np.zeros((lanes, len(x), y.shape[1]), np.float32)
    for k in range(x.shape[1]):
        product = x[:, k, None].astype(np.longdouble) * y[k].astype(np.longdouble)
        sums[k % lanes] = (sums[k % lanes].astype(np.longdouble) + product).astype(np.float32)
    while len(sums) > 1:
        sums = sums[::2] + sums[1::2]
    return sums[0]


def factors(n: int = N) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    return rng.normal(size=(2, n)).astype(np.float32), rng.normal(size=(n, 2)).astype(np.float32)


@pytest.mark.parametrize("n", [2, 3, 40, 300])
def test_a_tree_that_is_found_has_the_result(n: int) -> None:
    """The results of 8 sums from the right; the trees are folded here, node by node."""
    x = np.random.default_rng(n).normal(size=(n, 8)).astype(np.float32)
    wanted = left(x[::-1].T)
    reaches = [lambda states, w=w: next((s for s in states if s[0] == w), None) for w in wanted.tolist()]
    found = dict(witnesses(add, x, reaches, lambda count: True, True))
    assert len(found) == 8
    for column, schedule in found.items():
        nodes = list(x[:, column])
        for lhs, rhs in schedule.steps(n, True):  # raises unless the tree has all leaves in order
            nodes.append(nodes[lhs] + nodes[rhs])
        assert nodes[-1] == wanted[column]


def test_nothing_is_found_without_room_nor_for_what_no_tree_gives() -> None:
    x = np.ones((10, 1), np.float32)
    assert not list(witnesses(add, x, [lambda states: None], lambda count: True, True))
    assert not list(witnesses(add, x, [lambda states: states[0]], lambda count: False, True))


def test_no_result_of_fused_lanes_is_unknown_and_they_are_named() -> None:
    x, y = factors()
    found = interp.permits(program(), (x, y), (fused(x, y, 16),))
    assert found.places == {"within": 4}
    assert found.along == ("lanes(16: left fma; balanced)", 4, 4)
    assert "4 of 4 as along lanes(16: left fma; balanced)" in repr(found)


def test_what_no_schedule_gives_is_outside_where_fma_gives_it() -> None:
    """2^-24 is lost in every order of rounded products; an fma keeps it."""
    x = np.float32([[1 + 2.0**-12, 1, 0], [1, 1, 1]])
    y = np.float32([[1 + 2.0**-12, 1], [-(1 + 2.0**-11), 1], [0, 1]])
    given = fused(x, y)
    assert given[0, 0] == 0  # the sum of the first product alone is rounded: only the second keeps its part
    given = fused(x[:, [1, 0, 2]], y[[1, 0, 2]])
    assert given[0, 0] == 2.0**-24
    found = interp.permits(program(3), (x[:, [1, 0, 2]], y[[1, 0, 2]]), (given,))
    assert found.places == {"within": 3, "outside the specification": 1}
    assert found.along == ("left fma", 4, 4)


def test_a_wrong_result_gets_no_accumulation() -> None:
    x, y = factors(16)
    given = fused(x, y)
    given[0, 0] += 1
    found = interp.permits(program(16), (x, y), (given,))
    assert found.place[0][0, 0] == "wrong"
    assert found.along is None or found.along[1] < 4


@pytest.mark.parametrize("types", [("f32", "f32"), ("f16", "f32"), ("f8E4M3FN", "f32"), ("i8", "i32")])
def test_every_candidate_is_an_accumulation_and_no_schedule(types: tuple[str, str]) -> None:
    lhs, result = types
    m = interp.load(DOT.format(m=2, k=4, n=2, lhs=lhs, rhs=lhs, result=result))
    texts = list(candidates(m, "main"))
    assert len(texts) == len(set(texts))
    assert bool(texts) == (result == "f32")
    assert all(isinstance(Accumulation.parse(text), Accumulation) for text in texts)
    assert ("nvidia.h100.e4m3" in texts) == (lhs == "f8E4M3FN")
