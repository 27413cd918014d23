"""Large windows: what memory holds runs without tables of windows times positions; the rest is refused."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import interp
from spec.types import ELEMENT_TYPES
from tests.library.builders import convolution, module, reduce_window, scattered

MEGABYTE = 1 << 20


@contextmanager
def at_most(size: int) -> Iterator[None]:
    """Fail where the peak of what Python and NumPy allocate is larger."""
    tracemalloc.start()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < size
    finally:
        tracemalloc.stop()


def cumulative(n: int, element: str = "f32", body: str = "add") -> interp.Module:
    """A reduce_window as wide as its operand: what `jnp.cumsum` becomes."""
    type = ELEMENT_TYPES[element]
    return module(reduce_window(body, type, type, (n,), (n,), padding=((n - 1, 0),)))


def scattering(n: int, window: int) -> interp.Module:
    """A select_and_scatter of windows with padding, each one element further."""
    return scattered(f"{n}xf32", (window,), padding=((window - 1, 0),))


def convolving(n: int, window: int) -> interp.Module:
    low, high = window // 2, window - 1 - window // 2
    signature = f"1x{n}x1xf32; {window}x1x1xf32 -> 1x{n}x1xf32"
    return convolution(signature, "b0f 0io b0f", padding=((low, high),))


def test_a_cumulative_sum_of_floats_needs_no_table() -> None:
    """It was 8 bytes for each of 16,000,000 leaves."""
    n = 4000
    x = np.arange(n, dtype=np.float32) % 7
    with at_most(8 * MEGABYTE):
        (out,) = interp.run(cumulative(n), x, np.float32(0))
    assert out.storage.tolist() == np.cumsum(x).tolist()


def test_a_long_cumulative_sum_of_integers_runs() -> None:
    n = 200_000
    x = np.arange(n, dtype=np.int32) % 7
    (out,) = interp.run(cumulative(n, "i32"), x, np.int32(0))
    assert out.storage.tolist() == np.cumsum(x, dtype=np.int32).tolist()


def test_select_and_scatter_needs_no_table() -> None:
    """Windows ascend, so that each selects its last element; the source is all ones."""
    n, window = 3000, 200
    x = np.arange(n, dtype=np.float32)
    with at_most(8 * MEGABYTE):
        (out,) = interp.run(scattering(n, window), x, np.ones(n, np.float32), np.float32(0))
    assert out.storage.tolist() == [1.0] * n


def test_a_padded_convolution_needs_no_table() -> None:
    n, window = 3000, 1501
    x, kernel = np.arange(n, dtype=np.float32) % 5, np.ones(window, np.float32)
    with at_most(8 * MEGABYTE):
        (out,) = interp.run(convolving(n, window), x.reshape(1, n, 1), kernel.reshape(window, 1, 1))
    assert out.storage.ravel().tolist() == np.convolve(x, kernel, "same").tolist()


# What a window of 100,000 positions over 200,000 elements does to a machine, in small -------------------

WINDOW, SIZE, LIMIT = 3_000, 6_000, 32 * MEGABYTE


def stacked(m: interp.Module, *args: Any) -> Any:
    return interp.trace(m, *args, schedule="balanced")


def jitted(m: interp.Module, *args: Any) -> Any:
    return interp.compile(m, schedule="blocks(32)")(*args)


def balanced(m: interp.Module, *args: Any) -> Any:
    return interp.run(m, *args, schedule="balanced")


REFUSED: dict[str, tuple[Callable[[], interp.Module], Callable[..., Any], str]] = {
    "trace": (lambda: cumulative(SIZE), stacked, "a schedule that takes all leaves at once"),
    "compile": (lambda: cumulative(SIZE), jitted, "a schedule that takes all leaves at once"),
    "convolution": (lambda: convolving(SIZE, WINDOW), balanced, "a sum that takes all products at once"),
    "covering": (
        lambda: scattering(SIZE, WINDOW),
        lambda m, *args: interp.compile(m)(*args),
        "the tables of what may select an element",
    ),
    "permits": (
        lambda: cumulative(SIZE),
        lambda m, *args: interp.permits(m, args, [np.full(SIZE, np.float32(-1))], schedules=()),
        "judging 6,000 elements of %0",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused_before_it_is_made(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, use, what = REFUSED[name]
    monkeypatch.setenv("INTERP_MEMORY", str(LIMIT))
    module = make()
    args = [np.zeros(value.type.shape, np.float32) for value in module.main.inputs]
    with pytest.raises(interp.Unsupported, match=f"{what} needs .* bytes"):
        use(module, *args)
