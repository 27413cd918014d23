"""Runs of saturating additions are shifts up to the edge of that theorem; how NumPy finds them."""

from __future__ import annotations

from functools import reduce
from itertools import accumulate, chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.engine.evaluate import Listener
from interp.execute.plan import Seen
from interp.speed import jax_impl, numpy_impl, order_free, saturating_fold
from interp.speed.numpy_impl import by_leaf
from interp.speed.saturating_fold import IntegerStep, Run, Shift, Stored, composition
from spec.schedule import LEFT
from spec.types import QuantizedType, make_quantized
from tests.library import builders
from tests.library.builders import module

NUMBERS = st.lists(st.integers(-9, 9), max_size=12)
I8 = make_quantized("i8", "f32", 0.3)
TYPES = [
    (I8, I8),
    (make_quantized("i8", "f32", 0.3, -128),) * 2,
    (make_quantized("u8", "f32", 0.3, 7),) * 2,
    (make_quantized("i8", "f32", 0.3, 100, storage_min=-20), make_quantized("i16", "f32", 0.3, -9)),
    (make_quantized("i16", "f32", 0.25, 5),) * 2,
    (make_quantized("i4", "f32", 0.5, 1), make_quantized("i8", "f32", 0.5, 3)),
]


def run_of(numbers: list[int]) -> Run:
    prefixes = list(accumulate(numbers, initial=0))
    return Run(*map(np.array, (prefixes[-1], min(prefixes), max(prefixes))))


def walked(numbers: list[int], number: int, low: int, high: int) -> int:
    return reduce(lambda at, step: min(max(at + step, low), high), numbers, number)


def shifted(shift: Shift, number: int) -> int:
    return int(np.clip(number + shift.sum, shift.least, shift.greatest))


@settings(deadline=None, max_examples=250)
@given(NUMBERS, st.integers(-9, 3), st.integers(0, 25))
def test_a_run_of_saturating_additions_is_a_shift_or_forgets(
    numbers: list[int], low: int, width: int
) -> None:
    run, high = run_of(numbers), low + width
    ends = [walked(numbers, number, low, high) for number in range(low, high + 1)]
    if run.forgets(low, high):
        assert len({*ends}) == 1
    else:
        assert ends == [shifted(run.clamp(low, high), number) for number in range(low, high + 1)]


@pytest.mark.parametrize("sign", [1, -1])
def test_a_run_is_no_shift_beyond_the_width(sign: int) -> None:
    """Up by 10 and back is a shift in a range of 10; up by 11 and back ends at one number."""
    for far, forgets in ((10, False), (11, True)):
        numbers = [sign * far, -sign * far]
        run = run_of(numbers)
        ends = [walked(numbers, number, 0, 10) for number in range(11)]
        shift = run.clamp(0, 10)
        assert run.forgets(0, 10) == forgets
        assert (shift.least > shift.greatest) == forgets
        assert (ends == [shifted(shift, number) for number in range(11)]) or forgets
        assert {*ends} == {0 if sign > 0 else 10}


@settings(deadline=None, max_examples=100)
@given(st.lists(NUMBERS, min_size=1, max_size=7), st.integers(0, 12))
def test_shifts_and_runs_are_composed(parts: list[list[int]], width: int) -> None:
    runs = [run_of(part) for part in parts]
    numbers = [*chain(*parts)]
    assert reduce(lambda first, second: first.then(second, NUMPY), runs) == run_of(numbers)
    if not any(run.forgets(0, width) for run in runs):
        level = Shift(*map(np.stack, zip(*(run.clamp(0, width) for run in runs), strict=True)))
        found = composition(NUMPY, level)
        for number in range(width + 1):
            assert shifted(found, number) == walked(numbers, number, 0, width)


def fold_of(x: np.ndarray, dimensions: tuple[int, ...], types: tuple[QuantizedType, QuantizedType]) -> Stored:
    order = (*dimensions, *(d for d in range(x.ndim) if d not in dimensions))
    n = int(np.prod([x.shape[d] for d in dimensions]))
    these = order_free.Reduction("add", types[0], types[0], types[1], n, 1)
    return Stored(NUMPY, these, x, order, len(dimensions), np.array(0), lambda *_: None, numpy_impl)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boxes and groups so small that a hundred leaves fill many."""
    for name, size in (("BOX", 40), ("ROWS", 4), ("PART", 16)):
        monkeypatch.setattr(numpy_impl, name, size)
    for unit in (saturating_fold, numpy_impl, jax_impl):
        monkeypatch.setattr(unit, "FEW", 16)
    monkeypatch.setattr(saturating_fold, "TRIED", ())


@pytest.mark.slow("draws for each type", rows=12)
@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("types", TYPES, ids=lambda types: f"{types[0]!r}")
@pytest.mark.parametrize("dimensions", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (2, 0, 1)])
def test_runs_are_sums_and_extremes_of_prefixes(
    types: tuple[QuantizedType, QuantizedType], dimensions: tuple[int, ...]
) -> None:
    """Wherever the leaves lie, also at the ends of their range."""
    source = types[0]
    ends, dtype = (source.storage_min, source.storage_max), NUMPY.carrier(source.storage_type)
    rng = np.random.default_rng(1)
    for x in (
        rng.integers(*ends, (9, 8, 37), dtype, endpoint=True),
        np.full((9, 8, 37), ends[0], dtype),
        np.full((9, 8, 37), ends[1], dtype),
    ):
        fold = fold_of(x[..., None], dimensions, types)
        step = saturating_fold.step_of(fold.reduction)
        assert isinstance(step, IntegerStep)
        found, rank = numpy_impl.runs(fold, step), fold.rank
        numbers = fold.leaves.reshape(-1, *fold.leaves.shape[rank:]).astype(np.int64) + step.offset
        prefixes = np.concatenate([np.zeros_like(numbers[:1]), numbers.cumsum(0)])
        assert (found.sum == prefixes[-1]).all()
        assert (found.least == prefixes.min(0)).all()
        assert (found.greatest == prefixes.max(0)).all()


@st.composite
def rarely_saturating(draw: st.DrawFn) -> tuple[tuple[QuantizedType, QuantizedType], np.ndarray]:
    """Leaves about the zero point: few others, small ones, or many large ones somewhere."""
    types = draw(st.sampled_from(TYPES))
    source = types[0]
    shape = draw(st.sampled_from([(170,), (5, 34), (34, 5), (70, 20), (3, 4, 29), (2, 3, 11, 4), (130, 12)]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    ends = source.storage_min, source.storage_max
    anything = rng.integers(*ends, shape, np.int64, endpoint=True) - source.zero_point
    rare = draw(st.sampled_from([0.0, 0.01, 0.1, 1.0]))
    numbers = np.where(rng.random(shape) < rare, anything, rng.integers(*draw(NEAR), shape, endpoint=True))
    numbers.reshape(-1)[len(anything.ravel()) // draw(st.integers(1, 4)) :] //= draw(
        st.sampled_from([1, 200])
    )
    stored = (numbers + source.zero_point).clip(*ends)
    return types, stored.astype(NUMPY.carrier(source.storage_type))


NEAR = st.sampled_from([(0, 0), (-1, 1), (0, 1), (-3, 3), (-60, 60)])


@pytest.mark.slow("many random folds")
@pytest.mark.usefixtures("small")
@settings(deadline=None, max_examples=125)
@given(rarely_saturating(), st.data())
def test_parts_that_forget_and_others_are_the_fold(
    drawn: tuple[tuple[QuantizedType, QuantizedType], np.ndarray], data: st.DataObject
) -> None:
    types, x = drawn
    count = data.draw(st.integers(1, x.ndim))
    dimensions = tuple(sorted(data.draw(st.permutations(range(x.ndim)))[:count]))
    program = module(builders.reduce("add", types[0], types[1], x.shape, dimensions))
    init = np.array(data.draw(st.integers(types[0].storage_min, types[0].storage_max)), x.dtype)
    before = x.copy()
    (fast,) = interp.run(program, x, init)
    (plain,) = interp.run(program, x, init, listeners=[Listener()])
    assert fast == plain
    assert (x == before).all()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("dimensions", [(1,), (0, 1)])
def test_a_composition_is_told_where_leaves_lie_together(dimensions: tuple[int, ...]) -> None:
    """The first of the two halves of each row forgets."""
    x = np.zeros((12, 64), np.int8)
    x[:, :32] = np.random.default_rng(2).integers(-127, 127, (12, 32))
    program, heard = module(builders.reduce("add", I8, I8, x.shape, dimensions)), Seen(LEFT)
    (fast,) = interp.run(program, x, np.int8(3), listeners=[heard])
    (plain,) = interp.run(program, x, np.int8(3), listeners=[Listener()])
    assert fast == plain
    assert [theorem for row in heard.plan.rows for theorem, _ in row.tried] == ["composition"]
    (compiled,) = interp.compile(program)(x, np.int8(3))
    assert np.array_equal(plain.storage, np.asarray(compiled))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16])
@pytest.mark.parametrize("to", [np.int16, np.int32, np.float32, np.intp])
@pytest.mark.parametrize("shape", [(7, 1), (13, 2), (4, 3), (1, 4), (3, 5), (2, 3, 6)])
def test_leaves_are_turned_and_converted(dtype: type, to: type, shape: tuple[int, ...]) -> None:
    least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    x = np.random.default_rng(3).integers(least, greatest, shape, dtype, endpoint=True)
    x.flat[:2] = least, greatest
    before = x.copy()
    found = by_leaf(np.moveaxis(x, -1, 0), np.dtype(to))
    assert found.dtype == to
    assert found.flags.c_contiguous
    assert (found == np.moveaxis(before, -1, 0)).all()
    assert (x == before).all()
