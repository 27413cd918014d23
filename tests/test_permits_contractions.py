"""Judgements of contractions' results against all trees over their products."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from spec.ir import Module
from tests.library.builders import contracting, convolution, single
from tests.library.oracles.products_by_hand import pairs, space
from tests.library.oracles.trees import Brute

DOT = single("dot_general", "2x4xf16; 4x2xf16 -> 2x2xf16", **contracting(1))
WINDOWS = convolution("1x3x2xf16; 2x2x2xf16 -> 1x4x2xf16", "b0f 0io b0f", padding=((1, 1),))
HALF = np.float16


def results_of(module: Module, lhs: np.ndarray, rhs: np.ndarray, index: tuple[int, ...]) -> set[float]:
    """Return the results of all trees, with up to two inits, over the rounded products."""
    products = [
        (float(HALF(lhs[i]) * HALF(rhs[j])) if i is not None else 0.0,)
        for i, j in pairs(module.main.body.ops[0], index)
    ]
    brute = Brute(lambda a, b: (float(HALF(a[0]) + HALF(b[0])),))
    return {state[0] for state in brute.with_inits((0.0,), products, 2).values()}


@pytest.mark.parametrize("module", [DOT, WINDOWS], ids=["dot", "windows"])
@pytest.mark.parametrize("seed", range(3))
def test_a_result_is_permitted_if_some_tree_gives_it(module: Module, seed: int) -> None:
    rng = np.random.default_rng(seed)
    shapes = [value.type.shape for value in module.main.inputs]
    lhs, rhs = ((rng.normal(size=shape) * 2.0 ** rng.integers(0, 7, shape)).astype(HALF) for shape in shapes)
    shape = module.main.results[0].shape
    permitted = {index: results_of(module, lhs, rhs, index) for index in space(shape)}
    (left,) = interp.run(module, lhs, rhs)
    for move in range(-3, 4):
        given = left.storage.copy()
        for _ in range(abs(move)):
            given = np.nextafter(given, HALF(np.inf if move > 0 else -np.inf))
        (verdicts,) = interp.permits(module, [lhs, rhs], [given]).verdicts
        for index in space(shape):
            expected = (
                ("exact", "permitted") if float(given[index]) in permitted[index] else ("not permitted",)
            )
            assert verdicts[index] in expected


def test_2048_and_two_ones_are_never_2052() -> None:
    module = single("dot_general", "1x3xf16; 3x1xf16 -> 1x1xf16", **contracting(1))
    args = HALF([[2048, 1, 1]]), np.ones((3, 1), HALF)
    judged = interp.permits(module, args, [HALF([[2052]])])
    assert judged.is_refuted
    assert "outside [2048.0, 2050.0]" in repr(judged)
    assert interp.permits(module, args, [HALF([[2050]])]).ok


def test_the_reading_is_that_of_the_contraction() -> None:
    q, w = "!quant.uniform<i8:f32, 0.3>", "!quant.uniform<i8<-127:127>:f32, 0.7>"
    module = single("dot_general", f"1x3x{q}; 3x1x{w} -> 1x1x{q}", **contracting(1))
    args = np.int8([[3, 4, 5]]), np.int8([[9], [-8], [7]])
    (left,) = interp.run(module, *args)
    judged = interp.permits(module, args, [left.storage])
    assert (judged.ok, judged.reading) == (True, "dequantize")
    assert interp.permits(module, args, [left.storage + np.int8(3)]).is_refuted
