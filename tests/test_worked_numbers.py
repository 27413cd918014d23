"""The worked numbers of the contract, by hand: every implementation must give them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

import interp
from spec.ir import Module
from tests.library.builders import oracle, quantized, reduction

Run = Callable[..., tuple[int, ...]]


def on_arrays(run: Callable[..., Sequence[np.ndarray]]) -> Run:
    """An implementation that takes storage arrays, on lists of storage."""

    def f(module: Module, *operands: Sequence[int]) -> tuple[int, ...]:
        types = [v.type for v in module.main.inputs]
        args = [
            np.array(x, t.storage_type.numpy).reshape(t.shape) for x, t in zip(operands, types, strict=True)
        ]
        (result,) = run(module, args)
        return tuple(np.asarray(result).ravel().tolist())

    return f


IMPLEMENTATIONS: dict[str, Run] = {
    "oracle": oracle,
    "engine": on_arrays(lambda module, args: interp.run(module, *args)),
    "compiled": on_arrays(lambda module, args: interp.compile(module)(*args)),
}
each = pytest.mark.parametrize("run", IMPLEMENTATIONS.values(), ids=IMPLEMENTATIONS.keys())

I8 = quantized("i8:f32, 0.5:3")
FINE = quantized("i32:f32, 0.25")
COARSE = quantized("i8:f32, 1.0:0")
WIDE = quantized("i32:f32, 1.0")
ALL = "dimensions = array<i64: 0>"
PAIRS = "window_dimensions = array<i64: 2>"


@each
def test_windows_of_two(run: Run) -> None:
    """0.5 * (a - 3 + b - 3) / 0.5 + 3 is a + b - 3."""
    module = reduction("reduce_window", f"6x{I8}", I8, I8, f"5x{I8}", PAIRS)
    assert run(module, [1, 2, 3, 4, 5, 100], [3]) == (0, 2, 4, 6, 102)


@each
def test_sum_in_a_wider_type_of_another_scale(run: Run) -> None:
    """0.5 * (-2 - 1 + 0 + 1 + 2 + 97) is 48.5, and 48.5 / 0.25 is 194."""
    module = reduction("reduce", f"6x{I8}", I8, FINE, FINE, ALL)
    assert run(module, [1, 2, 3, 4, 5, 100], [3]) == (194,)


@each
@pytest.mark.parametrize(("combine", "expected"), [("add", 15), ("maximum", 10)])
def test_body_of_another_scale(run: Run, combine: str, expected: int) -> None:
    """5.0 and 10.0; the reference interpreter converts nothing and answers 39 and 23."""
    module = reduction("reduce_window", f"2x{I8}", I8, COARSE, f"1x{COARSE}", PAIRS, combine)
    assert run(module, [13, 23], [3]) == (expected,)


ACCUMULATED = np.add.accumulate(np.full(200_000, 255, np.float32))


def accumulation(count: int) -> Module:
    return reduction("reduce", f"{count}x{WIDE}", WIDE, WIDE, WIDE, ALL)


def test_a_float_accumulator_drifts() -> None:
    """200,000 times 255 from the left in f32, as NumPy accumulates; the exact sum is 51,000,000."""
    assert int(ACCUMULATED[-1]) == 51_134_204


@each
@pytest.mark.parametrize("start", [65_700, 131_500, 199_800])
def test_a_wide_accumulator_is_a_float(run: Run, start: int) -> None:
    """The f32 accumulator is tried where it begins to lose ones, where it loses twos, and at the end."""
    expected = int(ACCUMULATED[start + 199])
    assert run(accumulation(200), [255] * 200, [int(ACCUMULATED[start - 1])]) == (expected,)
