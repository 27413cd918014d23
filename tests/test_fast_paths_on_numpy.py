"""Fast paths on NumPy: boxes of leaves, steps and runs at the sizes of real programs."""

from __future__ import annotations

import numpy as np
import pytest

import interp
from interp.backends import NUMPY, fl
from interp.engine.quant import dequantize, quantize, to_destination_type
from interp.speed import numpy_impl, saturating_fold
from interp.speed.numpy_impl import boxes, combine_along
from interp.speed.saturating_fold import FloatStep, IntegerStep
from spec.types import ELEMENT_TYPES, QuantizedType, make_quantized
from tests.library.builders import module, reduce
from tests.test_fast_paths import some_stored
from tests.test_saturating_runs import fold_of

I8, FINER = make_quantized("i8", "f32", 0.3, 5), make_quantized("i8", "f32", 0.2, -3)
SOME = make_quantized("i8", "f32", 0.3, 100, storage_min=-20, storage_max=110)
WIDE, WIDER = make_quantized("i32", "f32", 0.3), make_quantized("i32", "f32", 0.2)


@pytest.mark.parametrize("name", ["maximum", "minimum", "add", "bitwise_xor"])
@pytest.mark.parametrize("dtype", [np.int8, np.int16])
@pytest.mark.parametrize(
    ("shape", "dimensions", "turned"),
    [
        ((3, 64), (1,), False),
        ((3, 63), (1,), False),
        ((64,), (0,), False),
        ((2, 3, 80), (2,), False),
        ((2, 8, 9), (1, 2), False),
        ((8, 9), (0, 1), False),
        ((2, 70, 3), (1,), False),
        ((70, 80), (0,), False),
        ((2, 64, 2), (0, 2), False),
        ((64, 3), (1,), True),
        ((70, 80), (1,), True),
        ((), (), False),
        ((64,), (), False),
    ],
)
def test_rows_are_combined_wherever_they_lie(
    name: str, dtype: type, shape: tuple[int, ...], dimensions: tuple[int, ...], turned: bool
) -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(-128, 128, shape[::-1] if turned else shape).astype(np.int8)
    x = x.T if turned else x
    found = combine_along(NUMPY, x, dimensions, name, np.dtype(dtype))
    kept = [d for d in range(x.ndim) if d not in dimensions]
    rows = np.transpose(x, [*kept, *dimensions]).reshape(*(shape[d] for d in kept), -1).astype(dtype)
    expected = rows[..., 0]
    for k in range(1, rows.shape[-1]):
        expected = getattr(np, name)(expected, rows[..., k])
    assert found.dtype == dtype
    assert np.array_equal(found, expected)


@pytest.mark.parametrize(
    ("rank", "block", "lengths"),
    [
        (1, 11, [1] * 5),
        (1, 24, [2, 2, 1]),
        (1, 1000, [5]),
        (2, 2, [1] * 20),
        (2, 7, [2, 2] * 5),
        (2, 11, [3, 1] * 5),
        (2, 12, [4] * 5),
        (2, 25, [8, 8, 4]),
        (3, 2, [2, 1] * 20),
        (3, 7, [6, 6] * 5),
    ],
)
def test_boxes_are_the_leaves_in_order(rank: int, block: int, lengths: list[int]) -> None:
    """A box has as many leaves as `block` allows, of one index where its own are more, and at least one."""
    x = np.arange(60).reshape(5, 4, 3)
    found = list(boxes(x, rank, block))
    assert [len(box) for box in found] == lengths
    assert np.array_equal(np.concatenate(found), x.reshape(-1, *x.shape[rank:]))


@pytest.mark.slow("draws for each type", rows=5)
@pytest.mark.parametrize("shape", [(2, 35_000), (9_000, 4), (17_000, 4), (8_000, 9), (30, 300, 9)])
@pytest.mark.parametrize(
    "types",
    [(I8, I8), (SOME, make_quantized("i16", "f32", 0.3, -9)), (make_quantized("u8", "f32", 0.3, 200),) * 2],
)
def test_integer_steps_are_the_loop_over_leaves(
    shape: tuple[int, ...], types: tuple[QuantizedType, QuantizedType]
) -> None:
    """There are more leaves than a block has, both ends of the range at once, few columns and many."""
    rng, (source, accumulation) = np.random.default_rng(1), types
    x = some_stored(rng, source, shape)
    rank = x.ndim - 1
    fold = fold_of(x, tuple(range(rank)), types)
    step = saturating_fold.step_of(fold.reduction)
    assert isinstance(step, IntegerStep)
    ends = accumulation.storage_min, accumulation.storage_max
    states = np.stack([np.full(shape[rank:], end, accumulation.storage_type.numpy) for end in ends])
    expected = states.astype(int)
    for leaf in x.reshape(-1, *shape[rank:]).astype(int):
        expected = np.clip(expected + leaf - source.zero_point, *ends)
    before = x.copy(), states.copy()
    found = fold.steps(states, step)
    assert found.dtype == states.dtype
    assert np.array_equal(found, expected)
    assert np.array_equal(x, before[0])
    assert np.array_equal(states, before[1])


@pytest.mark.parametrize("columns", [1, 4, 5])
@pytest.mark.parametrize(
    "types",
    [
        (I8, I8),
        (SOME, make_quantized("i32", "f32", 0.3)),
        (I8, FINER),
        (SOME, FINER),
        (WIDE, WIDE),
        (WIDER, WIDE),
        (WIDER, FINER),
    ],
)
def test_float_steps_are_additions_as_specified(
    types: tuple[QuantizedType, QuantizedType], columns: int
) -> None:
    """Leaves kept, looked up and computed; four columns from two states each are few, and five are many."""
    rng, (source, accumulation) = np.random.default_rng(1), types
    x, states = some_stored(rng, source, (3, 7, columns)), some_stored(rng, accumulation, (2, columns))
    fold = fold_of(x, (0, 1), types)
    step = FloatStep("", source, accumulation)
    expected, before = states, (x.copy(), states.copy())
    for leaf in to_destination_type(NUMPY, x.reshape(21, columns), source, accumulation):
        total = dequantize(NUMPY, expected, accumulation) + dequantize(NUMPY, leaf, accumulation)
        expected = quantize(NUMPY, total, accumulation)
    found = fold.steps(states, step)
    assert found.dtype == states.dtype
    assert np.array_equal(found, expected)
    assert np.array_equal(x, before[0])
    assert np.array_equal(states, before[1])


def test_parts_of_a_composition_and_where_there_is_one() -> None:
    """A part has 1024 leaves, and columns are few below as many."""
    assert [numpy_impl.parts(n) for n in (0, 1023, 1024, 2047, 3 * 1024, 2**20, 2**21)] == [
        0,
        0,
        1,
        1,
        3,
        1024,
        1024,
    ]
    for columns, composes in ((1023, True), (1024, False)):
        x = np.zeros((2, 3, columns), np.int8)
        assert numpy_impl.composes(fold_of(x, (1, 0), (I8, I8))) == composes
        assert numpy_impl.composes(fold_of(x, (1, 2), (I8, I8)))
        assert numpy_impl.composes(fold_of(np.zeros((columns, 2, 3), np.int8), (1, 2), (I8, I8)))
        assert numpy_impl.composes(fold_of(np.zeros((columns, 2, 3), np.int8), (2, 1), (I8, I8))) == composes


@pytest.mark.slow("draws for each type", rows=5)
@pytest.mark.parametrize("shape", [(9_000,), (2, 9_000), (9_000, 2), (2, 9_000, 3)])
@pytest.mark.parametrize("forgetting", [(), (0,), (2,), (1, 6), (7,)])
def test_compositions_of_the_usual_sizes_are_the_fold(
    shape: tuple[int, ...], forgetting: tuple[int, ...]
) -> None:
    """Eight parts of these leaves forget where they began."""
    axis, rng = shape.index(9_000), np.random.default_rng(1)
    numbers = rng.integers(-1, 2, shape)
    leaves = np.moveaxis(numbers, axis, 0)
    for part in forgetting:
        leaves[1125 * part : 1125 * part + 900] = rng.integers(-99, 99, (900, *leaves.shape[1:]))
    expected = np.full(leaves.shape[1:], 90)
    for leaf in leaves:
        expected = np.clip(expected + leaf, -133, 122)
    op = reduce("add", I8, I8, shape, (axis,))
    (out,) = interp.run(module(op), (numbers + 5).astype(np.int8), np.int8(95))
    assert np.array_equal(out.storage, expected + 5)


@pytest.mark.parametrize(
    ("least", "greatest", "zero_point", "shift"),
    [
        (-20, 20, 0, 0),
        (-20, 20, 20, 0),
        (-20, 20, -20, 0),
        (-40, 0, 0, 0),
        (0, 40, 0, 0),
        (30, 100, 30, 0),
        (-30, 20, -30, -25),
    ],
)
def test_sums_of_leaves_fit_their_integers(
    least: int, greatest: int, zero_point: int, shift: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four leaves pass 127 or -128 or do not, as numbers less their zero point; seventy do."""
    monkeypatch.setattr(numpy_impl, "ROWS", 4)
    ends = {"storage_min": least, "storage_max": greatest}
    moved = {name: end + shift for name, end in ends.items()}
    source = make_quantized("i8", "f32", 0.3, zero_point, **ends)
    accumulation = make_quantized("i8", "f32", 0.3, zero_point + shift, **moved)
    for end in (least, greatest):
        fold = fold_of(np.full((70, 2), end, np.int8), (0,), (source, accumulation))
        step = saturating_fold.step_of(these := fold.reduction._replace(init=accumulation))
        assert isinstance(step, IntegerStep)
        number = 70 * (end - zero_point)
        found = numpy_impl.runs(fold._replace(reduction=these), step)
        assert [x.tolist() for x in found] == [[number] * 2, [min(number, 0)] * 2, [max(number, 0)] * 2]


@pytest.mark.parametrize("first", [0.0, -0.0])
def test_a_rounded_zero_keeps_its_sign_whichever_was_rounded_before(first: float) -> None:
    for number in (first, -first, first):
        assert np.signbit(fl(number, ELEMENT_TYPES["f16"])) == np.signbit(number)
