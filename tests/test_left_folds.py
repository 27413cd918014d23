"""Left folds of quantized additions: their steps by type, which leaves are tried, how parts are composed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from interp.backends import NUMPY
from interp.speed import numpy_impl, saturating_fold
from interp.speed.order_free import Plain, Reduction
from interp.speed.saturating_fold import FloatStep, IntegerStep, Step, Stored, step_of
from spec.types import ELEMENT_TYPES, QuantizedType, make_quantized

I8, I32 = make_quantized("i8", "f32", 0.3), make_quantized("i32", "f32", 0.3)
UNSIGNED, SHORT = make_quantized("u8", "f32", 0.3, 7), make_quantized("i16", "f32", 0.3)
FINER, COARSE = make_quantized("i16", "f32", 0.1), make_quantized("i8", "bf16", 0.3)
SMALLEST = make_quantized("i32", "f32", 2.0**-100)
POINTED = make_quantized("i32", "f32", 0.3, 1, storage_min=-(2**24), storage_max=2**24)
LARGEST = make_quantized("i32", "f32", 2.0**97)


def within(low: int, high: int, zero_point: int = 0) -> QuantizedType:
    return replace(I8, storage_min=low, storage_max=high, zero_points=(zero_point,))


def adding(source: QuantizedType, accumulation: QuantizedType, n: int = 3) -> Reduction:
    return Reduction("add", source, source, accumulation, n, 1)


@pytest.mark.parametrize(
    ("type", "offset", "low", "high", "bits"),
    [
        (I8, 0, -128, 127, 16),
        (within(-63, 63), 0, -63, 63, 8),
        (within(-64, 60), 0, -64, 60, 16),
        (within(-60, 64), 0, -60, 64, 16),
        (within(-62, -1, -2), 2, -60, 1, 8),
        (within(-100, 90, 5), -5, -105, 85, 16),
        (SHORT, 0, -(2**15), 2**15 - 1, 32),
    ],
)
def test_saturating_steps_are_of_the_smallest_integers_that_hold_sums(
    type: QuantizedType, offset: int, low: int, high: int, bits: int
) -> None:
    theorem = f"saturating addition in [{type.storage_min}, {type.storage_max}]"
    expected = IntegerStep(theorem, offset, type.zero_point, low, high, np.dtype(f"int{bits}"))
    assert step_of(adding(type, type)) == expected


def test_saturating_steps_shift_leaves() -> None:
    wide = replace(SHORT, zero_points=(5,))
    theorem = "saturating addition in [-32768, 32767]"
    expected = IntegerStep(theorem, -7, 5, -32773, 32762, np.dtype(np.int32))
    assert step_of(adding(UNSIGNED, wide)) == expected


NO_ADDITION = "its steps are not quantized additions"
NO_SHIFT = "conversion from {0!r} to {1!r} is not a shift"
PASSES = "sums of two of {1!r} may pass the bound of integer addition"
ZERO_POINT = "{1!r} has a zero point, and stores numbers that f32 rounds"


@pytest.mark.parametrize(
    ("source", "accumulation", "why"),
    [
        (COARSE, COARSE, PASSES),
        (LARGEST, LARGEST, PASSES),
        (I8, LARGEST, NO_SHIFT),
        (LARGEST, I32, NO_SHIFT),
        (I8, replace(SMALLEST, scales=(2.0**-101,)), NO_SHIFT),
        (POINTED, replace(POINTED, storage_max=2**24 + 1), ZERO_POINT),
        (POINTED, replace(POINTED, storage_min=-(2**24) - 1), ZERO_POINT),
    ],
)
def test_types_without_steps_say_why(source: QuantizedType, accumulation: QuantizedType, why: str) -> None:
    assert step_of(adding(source, accumulation)) == Plain(why.format(source, accumulation))
    assert step_of(adding(source, accumulation)._replace(operation="maximum")) == Plain(NO_ADDITION)
    assert step_of(adding(source, ELEMENT_TYPES["i32"])) == Plain(NO_ADDITION)


@pytest.mark.parametrize(
    ("source", "accumulation", "why"),
    [
        (I8, FINER, NO_SHIFT),
        (UNSIGNED, I8, NO_SHIFT),
        (I8, I32, PASSES),
        (SMALLEST, SMALLEST, PASSES),
        (POINTED, POINTED, PASSES),
    ],
)
def test_other_steps_are_those_of_f32(source: QuantizedType, accumulation: QuantizedType, why: str) -> None:
    theorem = f"steps in f32: {why.format(source, accumulation)}"
    assert step_of(adding(source, accumulation)) == FloatStep(theorem, source, accumulation)


@pytest.mark.parametrize(
    ("source", "accumulation", "keeps"),
    [
        (I8, I32, True),
        (I8, FINER, False),
        (I8, within(-10, 10), False),  # clamps
        (within(0, 1), replace(I8, scales=(0.31,)), False),  # adds 0 to both, which stand for others then
    ],
)
def test_leaves_stand_for_the_same_after_a_shift_of_their_scale(
    source: QuantizedType, accumulation: QuantizedType, keeps: bool
) -> None:
    assert FloatStep("", source, accumulation).keeps_leaves == keeps


def fold_of(x: np.ndarray, rank: int, reduction: Reduction, init: int = 0) -> tuple[Stored, list[str]]:
    told: list[str] = []
    start = np.array(init, NUMPY.carrier(reduction.quantized_types[2].storage_type))
    tell = lambda theorem, why: told.append(f"{theorem}: {why}")
    return Stored(NUMPY, reduction, x, tuple(range(x.ndim)), rank, start, tell, numpy_impl), told


@pytest.mark.parametrize(
    ("count", "shape"),
    [
        (1, (1,)),
        (3, (3,)),
        (4, (4,)),
        (5, (2, 4)),
        (8, (2, 4)),
        (12, (3, 4)),
        (13, (2, 3, 4)),
        (25, (3, 3, 4)),
        (99, (3, 3, 4)),
    ],
)
def test_the_last_leaves_are_whole_rows(count: int, shape: tuple[int, ...]) -> None:
    x = np.arange(72).reshape(3, 3, 4, 2)
    last = fold_of(x, 3, adding(I8, I8))[0].last(count)
    assert last.rank == len(shape)
    assert last.leaves.shape == (*shape, 2)
    assert last.leaves.ravel().tolist() == [*range(72 - last.leaves.size, 72)]


def test_leaves_lead_from_both_ends() -> None:
    x = np.int8([[100, 0], [100, 1], [-50, 2]])
    fold, _ = fold_of(x, 1, adding(I8, I8)._replace(init=within(-5, 5)))
    least, greatest = fold.from_both_ends(saturating(fold))
    assert (least.tolist(), greatest.tolist()) == ([22, -125], [77, 127])


def saturating(fold: Stored) -> Step:
    step = step_of(fold.reduction)
    assert not isinstance(step, Plain)
    return step


@pytest.mark.parametrize(
    ("high", "n", "tried"),
    [
        (9, 7, []),
        (9, 8, [2]),
        (9, 11, [2]),
        (9, 12, [2, 3]),
        (10, 8, []),
        (10, 12, [3]),
        (18, 12, [3]),
        (19, 12, []),
    ],
)
def test_a_quarter_of_the_leaves_is_tried_where_it_may_cross_the_range(
    monkeypatch: pytest.MonkeyPatch, high: int, n: int, tried: list[int]
) -> None:
    """One leaf moves an accumulator in [-9, high] by 9 at most, about."""
    counts: list[int] = []
    forgetting = lambda fold, step, count, otherwise: counts.append(count) or otherwise()
    monkeypatch.setattr(saturating_fold, "TRIED", (2, 3))
    monkeypatch.setattr(saturating_fold, "forgetting", forgetting)
    reduction = adding(within(-8, 7), within(-9, high), n)
    fold, told = fold_of(np.ones(n, np.int8), 1, reduction)
    assert saturating_fold.left(fold, saturating(fold)) == min(n, high)
    assert counts == tried
    assert told == [f"left fold: saturating addition in [-9, {high}]"]


def test_a_leaf_moves_by_its_distance_from_zero_in_steps_of_the_accumulator() -> None:
    """0 to 255 about 100 reach 155, and 155 * 0.7 / 0.3 is 361.7."""
    source = make_quantized("u8", "f32", 0.7, 100)
    assert saturating_fold.longest(adding(source, within(-9, 20))) == 362
    assert saturating_fold.longest(adding(replace(source, zero_points=(155,)), within(-9, 20))) == 362
    assert saturating_fold.width(adding(source, within(-9, 20))) == 29


@pytest.mark.parametrize(
    ("x", "found", "theorem"),
    [
        ([0] * 9 + [100] * 3, 127, "forgetting: the last 3 leaves decide"),
        ([0] * 9 + [-100] * 3, -128, "forgetting: the last 3 leaves decide"),
        ([0] * 10 + [100] * 2, 127, "left fold"),
        ([1] * 12, 17, "left fold"),
    ],
)
def test_last_leaves_decide_where_both_ends_lead_to_one_number(
    monkeypatch: pytest.MonkeyPatch, x: list[int], found: int, theorem: str
) -> None:
    """Three leaves of 100 lead from -128 to 127, and two of them to 72."""
    monkeypatch.setattr(saturating_fold, "TRIED", (3,))
    fold, told = fold_of(np.int8(x), 1, adding(I8, I8, 12), 5)
    assert saturating_fold.left(fold, saturating(fold)) == found
    assert told == [f"{theorem}: saturating addition in [-128, 127]"]


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """16 columns are many, 4 leaves two parts, and no last leaves tried."""
    monkeypatch.setattr(saturating_fold, "TRIED", ())
    monkeypatch.setattr(numpy_impl, "PART", 2)
    for unit in (saturating_fold, numpy_impl):
        monkeypatch.setattr(unit, "FEW", 16)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("accumulation", "n", "columns", "theorem"),
    [
        (I8, 63, 1, "left fold: saturating addition in [-128, 127]"),
        (I8, 64, 1, "composition: of 64 clamped shifts: saturating addition in [-128, 127]"),
        (I8, 64, 16, "left fold: saturating addition in [-128, 127]"),
        (I32, 64, 1, f"left fold: steps in f32: {PASSES.format(I8, I32)}"),
    ],
)
def test_many_leaves_of_few_columns_are_composed(
    accumulation: QuantizedType, n: int, columns: int, theorem: str
) -> None:
    x = np.full((n, columns), 1, np.int8)
    fold, told = fold_of(x, 1, adding(I8, accumulation, n), 2)
    assert saturating_fold.left(fold, saturating(fold)).tolist() == [n + 2] * columns
    assert told == [theorem]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("shape", [(3, 5, 7), (7, 3, 5), (1, 2, 40), (3, 1, 1), (4, 4, 4)])
@pytest.mark.parametrize("zero_point", [0, 20])
def test_compositions_are_walks(shape: tuple[int, ...], rank: int, zero_point: int) -> None:
    """Row after row where rows are fewer than 4, else side by side; then what is beyond the last part."""
    type = within(-90, 100, zero_point)
    rng = np.random.default_rng(4)
    x = rng.integers(-90, 100, (*shape, 3), np.int8, endpoint=True)
    fold, _ = fold_of(x, rank, adding(type, type))
    step = saturating(fold)
    assert isinstance(step, IntegerStep)
    seed = rng.integers(-90, 100, x.shape[rank:], np.int8, endpoint=True)
    walked = seed.astype(int)
    for leaf in x.reshape(-1, *x.shape[rank:]).astype(int):
        walked = (walked + leaf - zero_point).clip(-90, 100)
    assert (saturating_fold.compose(fold, step, seed) == walked).all()
