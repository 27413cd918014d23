"""Strides and dilations up to 2^63 - 1, along dimensions in which nothing lies a step further."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import interp
from interp.backends import windows
from spec.types import ELEMENT_TYPES
from tests.library.builders import convolution, module, reduce_window, scattered, single

LONG = (2**31, 2**61, 2**62, 2**63 - 1)
F32 = ELEMENT_TYPES["f32"]


def number_of_windows(size: int, window: int, stride: int, dilation: int) -> int:
    """Count the positions at which a window lies inside, one after another."""
    span = (window - 1) * dilation + 1 if window else 0
    return sum(1 for start in range(size + 1) if start % stride == 0 and 0 < start + span <= size) + (
        window == 0 and size == 0
    )


def test_a_limited_step_makes_the_same_windows() -> None:
    for size, window, stride, dilation in product(range(5), range(1, 4), range(1, 9), range(1, 9)):
        (s,), (d,) = windows.limit_steps((stride,), (size,)), windows.limit_steps((dilation,), (size,))
        assert s <= size + 1
        assert number_of_windows(size, window, s, d) == number_of_windows(size, window, stride, dilation)
        if number_of_windows(size, window, stride, dilation) > 1:
            assert s == stride
        if number_of_windows(size, window, stride, dilation) and window > 1:
            assert d == dilation


@pytest.mark.parametrize("long", LONG)
@pytest.mark.parametrize("element", ["f32", "ui32", "!quant.uniform<i8:f32, 0.5>"])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", ["window_strides", "rhs_dilation", "lhs_dilation"])
def test_a_convolution_of_one_position(long: int, element: str, reverse: bool, name: str) -> None:
    """One window of one number along the first dimension, two along the second: [1, 2] by [3, 4]."""
    result = element.replace("i8", "i32").replace("0.5", "0.25")
    found = convolution(
        f"1x1x2x1x{element}; 1x2x1x1x{element} -> 1x1x1x1x{result}",
        "b01f 01io b01f",
        **{name: (long, 1), "window_reversal": (reverse, reverse)},
    )
    dtype = {"f": np.float32, "u": np.uint32, "!": np.int8}[element[0]]
    args = np.array([1, 2], dtype).reshape(1, 1, 2, 1), np.array([3, 4], dtype).reshape(1, 2, 1, 1)
    wanted = [1 * 4 + 2 * 3 if reverse else 1 * 3 + 2 * 4]
    assert interp.verify(found) == []
    for schedule in ("left", "balanced"):
        assert interp.run(found, *args, schedule=schedule)[0].storage.ravel().tolist() == wanted
    assert interp.trace(found, *args).results[0].storage.ravel().tolist() == wanted
    assert interp.prove(found)


@pytest.mark.parametrize("long", LONG)
@pytest.mark.parametrize("name", ["strides", "dilations", "base"])
def test_a_window_of_one_number(long: int, name: str) -> None:
    given: dict[str, Any] = {name: (long, 1)}
    found = module(reduce_window("add", F32, F32, (1, 2), (1, 2), **given))
    args = np.array([[1, 2]], np.float32), np.float32(0)
    assert interp.run(found, *args)[0].storage.tolist() == [[3]]
    assert interp.trace(found, *args).results[0].storage.tolist() == [[3]]
    assert interp.lint(found) == []
    assert interp.prove(found)


@pytest.mark.parametrize("long", LONG)
def test_a_dilation_that_leaves_no_window(long: int) -> None:
    found = module(reduce_window("add", F32, F32, (3,), (2,), dilations=(long,)))
    assert interp.run(found, np.ones(3, np.float32), np.float32(0))[0].storage.tolist() == []
    assert interp.lint(found) == []  # there is none that could be empty


@pytest.mark.parametrize("long", LONG)
def test_a_scatter_from_one_window(long: int) -> None:
    found = scattered("2xf32", (2,), strides=(long,))
    args = np.array([1, 2], np.float32), np.array([5], np.float32), np.float32(0)
    assert interp.run(found, *args)[0].storage.tolist() == [0, 5]
    assert interp.prove(found)


@pytest.mark.parametrize("long", LONG)
def test_a_slice_of_one_element(long: int) -> None:
    places = {"start_indices": (1,), "limit_indices": (4,), "strides": (long,)}
    found = single("slice", "4xi32 -> 1xi32", **places)
    assert interp.run(found, np.arange(4, dtype=np.int32))[0].storage.tolist() == [1]
    assert np.asarray(interp.compile(found)(np.arange(4, dtype=np.int32))[0]).tolist() == [1]


def test_what_padding_leaves_is_padded_alike() -> None:
    """Against the index of every position: sizes, edges and holes, the edges cutting off all or nothing."""
    for size, low, high, hole in product(range(4), range(-4, 4), range(-4, 4), range(3)):
        wanted = windows.padded_index(size, (low, high, hole)).tolist()
        (part,), ((before, after, inside),) = windows.trim((size,), [(low, high, hole)])
        assert min(before, after, inside) >= 0
        found: list[int] = [-1] * before
        for k in range(part.start, part.stop):
            found += [-1] * (inside * (k > part.start)) + [k]
        assert found + [-1] * after == wanted


@pytest.mark.parametrize("long", LONG)
@pytest.mark.parametrize(
    ("size", "edge", "wanted"),
    [
        (3, lambda n: (-n, n, 0), [9, 9, 9]),
        (3, lambda n: (n - 1, 1 - n, 0), [9, 9, 9]),
        (1, lambda n: (1, 0, n - 1), [9, 0]),
        (2, lambda n: (-n, 0, n - 1), [1]),
        (2, lambda n: (1, 1 - n, n - 2), [9, 0]),
        (0, lambda n: (-n, n, 0), []),
        (0, lambda n: (1 - n, n, n - 1), [9]),
    ],
)
def test_padding_that_another_cuts_off(long: int, size: int, edge: Any, wanted: list[int]) -> None:
    """XLA ends the process where an edge alone exceeds what it can count."""
    low, high, hole = edge(long)
    signature = f"{size}xf32; f32 -> {len(wanted)}xf32"
    edges = {"edge_padding_low": (low,), "edge_padding_high": (high,), "interior_padding": (hole,)}
    found = single("pad", signature, **edges)
    args = np.arange(size, dtype=np.float32), np.float32(9)
    assert interp.verify(found) == []
    assert interp.run(found, *args)[0].storage.tolist() == wanted
    assert np.asarray(interp.compile(found)(*args)[0]).tolist() == wanted
