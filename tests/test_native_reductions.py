"""Integers combined by machine code: the bits of a loop over Python's integers, wherever the operand lies."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.engine.evaluate import Listener
from interp.speed import native_reductions
from spec.types import make_quantized
from tests.library import builders

pytest.importorskip("llvmlite", reason="it has no wheel here")
COMBINED: dict[str, Any] = {
    "add": lambda x, y: x + y,
    "bitwise_and": lambda x, y: x & y,
    "bitwise_or": lambda x, y: x | y,
    "bitwise_xor": lambda x, y: x ^ y,
    "maximum": max,
    "minimum": min,
}
PAIRS = [("i1", "i4"), ("i1", "i1"), ("i1", "i2"), ("u1", "i4"), ("u1", "u1"), ("i2", "i8"), ("i4", "i4")]
PAIRS += [("i8", "i8"), ("u2", "u8"), ("?", "?")]


@pytest.fixture(autouse=True)
def always() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_reductions, "MANY", 1)
        yield


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_bits_are_those_of_a_loop(data: st.DataObject) -> None:
    source, dtype = map(np.dtype, data.draw(st.sampled_from(PAIRS)))
    names = sorted(set(COMBINED) - ({"add"} if source == np.bool_ else set()))
    name = data.draw(st.sampled_from(names))
    shape = data.draw(st.lists(st.sampled_from([1, 2, 3, 9, 17]), max_size=3))
    shape.insert(data.draw(st.integers(0, len(shape))), data.draw(st.sampled_from([16, 63, 600])))
    axes = data.draw(st.permutations(range(len(shape))))
    reduced = data.draw(st.sets(st.sampled_from(range(len(shape))), min_size=1))
    seed = data.draw(st.integers(0, 9))
    x = np.random.default_rng(seed).integers(-(2**63), 2**63 - 1, shape).astype(source).transpose(axes)
    found = native_reductions.combine_along(x, sorted(reduced), name, dtype)
    if found is None:  # its rows are too short, in memory
        return
    kept = [d for d in range(x.ndim) if d not in reduced]
    rows = x.transpose(*kept, *sorted(reduced)).reshape(*(x.shape[d] for d in kept), -1)
    numbers = rows.reshape(-1, rows.shape[-1]).tolist()
    expected = [reduce(COMBINED[name], row) % 2 ** (8 * dtype.itemsize) for row in numbers]
    unsigned = np.dtype(f"u{dtype.itemsize}")
    assert found.dtype == dtype
    assert found.shape == rows.shape[:-1]
    assert found.ravel().view(unsigned).tolist() == expected


@pytest.mark.parametrize("source", ["i1", "u1"])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("end", ["min", "max"])
def test_sums_of_ends_do_not_wrap_on_the_way(source: str, axis: int, end: str) -> None:
    number = getattr(np.iinfo(source), end)
    x = np.full((700, 700), number, source)
    found = native_reductions.combine_along(x, (axis,), "add", np.dtype(np.int32))
    assert found is not None
    assert set(found.tolist()) == {700 * int(number)}


@pytest.mark.parametrize(
    ("shape", "strides", "dimensions", "names"),
    [
        ((64, 64), (64, 1), (1,), "add i1 i4"),
        ((64, 64), (64, 1), (0,), "maximum i1 i1"),
        ((64, 64), (1, 64), (0,), "add i1 i4"),
        ((2, 3, 64, 5), (960, 320, 5, 1), (0, 2, 3), "add i1 i4"),
    ],
)
def test_large_operands_are_combined_by_machine_code(
    shape: tuple[int, ...], strides: tuple[int, ...], dimensions: tuple[int, ...], names: str
) -> None:
    combine, *dtypes = names.split()
    assert native_reductions.plan_of(shape, strides, dimensions, combine, *map(np.dtype, dtypes))


@pytest.mark.parametrize(
    ("shape", "strides", "dimensions", "names"),
    [
        ((64, 64), (128, 1), (1,), "add i1 i4"),  # with gaps
        ((64, 64), (0, 1), (1,), "add i1 i4"),
        ((64, 64), (-64, 1), (1,), "add i1 i4"),
        ((64, 64), (64, 1), (), "add i1 i4"),
        ((4096, 2), (2, 1), (1,), "add i1 i4"),  # too short
        ((64, 64), (64, 1), (1,), "multiply i1 i4"),
        ((64, 64), (256, 4), (1,), "add i4 i1"),
        ((64, 64), (256, 4), (1,), "add f4 f4"),
    ],
)
def test_other_operands_are_left_to_numpy(
    shape: tuple[int, ...], strides: tuple[int, ...], dimensions: tuple[int, ...], names: str
) -> None:
    combine, *dtypes = names.split()
    assert not native_reductions.plan_of(shape, strides, dimensions, combine, *map(np.dtype, dtypes))


@pytest.mark.parametrize("dimensions", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("body", ["add", "maximum"])
def test_programs_give_the_fold(dimensions: tuple[int, ...], body: str) -> None:
    stored, wide = (make_quantized(element, "f32", 0.3, 5) for element in ("i8", "i32"))
    accumulation = wide if body == "add" else stored
    program = builders.module(builders.reduce(body, stored, accumulation, (40, 48), dimensions))
    rng = np.random.default_rng(0)
    args = rng.integers(-128, 128, (40, 48), np.int8), np.int8(3)
    (fast,), (fold,) = interp.run(program, *args), interp.run(program, *args, listeners=[Listener()])
    assert np.array_equal(fast.storage, fold.storage)
