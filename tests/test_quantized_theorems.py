"""Theorems about quantized types: by value at their edges, and against every pair of stored numbers."""

from __future__ import annotations

from dataclasses import replace
from math import nextafter

import numpy as np
import pytest

import interp
from interp.backends import NUMPY
from interp.engine.evaluate import Listener
from interp.engine.quant import dequantize, quantize, to_destination_type
from interp.execute.plan import Seen
from interp.theory.quantized_arithmetic import (
    conversion_shift,
    conversion_table,
    converted_range,
    exact_range,
    exact_sums,
    integer_bound,
    keeps_order,
    real_ends,
    real_leaves,
    requantizes_to_itself,
)
from spec.elements import FLOATS
from spec.schedule import LEFT
from spec.types import QuantizedType, make_quantized
from tests.library.builders import module
from tests.library.oracles.bodies import addition_is_integer
from tests.test_fast_paths_by_type import summing

SCALES = (2.0**-16, 2.0**-10, 2.0**-7, 0.25, 0.3, 0.5, 1.0, 1.7, 2.0, 3.0, 4.0, 6.0, 2.0**10)
BOUND = 2**20  # of f32 and a scale that is no power of two
BF16 = make_quantized("i16", "bf16", 0.3, storage_min=-20, storage_max=20)


def wide(least: int, greatest: int, zero_point: int = 0, scale: float = 0.3) -> QuantizedType:
    return make_quantized("i32", "f32", scale, zero_point, storage_min=least, storage_max=greatest)


@pytest.mark.parametrize(
    ("storage", "expressed", "scale", "bound"),
    [
        ("i8", "f32", 0.3, 2**20),
        ("i8", "f32", 0.25, 2**24),
        ("i8", "f32", 2.0**-126, 2**24),  # the least normal number
        ("i8", "f32", 2.0**-127, 2**20),
        ("i8", "f32", 2.0**103, 2**24),
        ("i8", "f32", 2.0**104, 2**20),
        ("i8", "f32", 2.0**106, 2**20),
        ("i8", "f32", 2.0**107, -1),
        ("i8", "f32", float(np.nextafter(np.float32(2.0**107), np.float32(0))), 2**20),
        ("i8", "f32", 1e-46, -1),  # the scale 0
        ("i8", "f64", 0.3, 2**49),
        ("i8", "f64", 2.0**970, 2**53),
        ("i8", "f64", 2.0**971, 2**49),
        ("i8", "f64", nextafter(2.0**974, 0.0), 2**49),
        ("i8", "f64", 2.0**974, -1),
        ("i8", "bf16", 0.3, 2**4),
        ("i8", "bf16", 0.5, 2**8),
        ("i8", "f16", 0.3, 2**7),
        ("i32", "f16", 0.5, 2**11),  # its storage bounds are infinite
        ("i8", "f8E4M3FN", 0.3, 1),
        ("i8", "f8E4M3FN", 0.5, 2**4),
        ("i16", "f8E4M3FN", 0.5, -1),  # its storage bounds are NaN
        ("u16", "f8E4M3FN", 0.5, -1),
        ("i8", "f8E4M3B11FNUZ", 0.5, -1),
        ("i4", "f8E4M3B11FNUZ", 0.5, 2**4),
        ("i8", "f8E5M2", 0.3, -1),
        ("i8", "f8E5M2", 0.5, 2**3),
        ("i8", "f8E3M4", 0.5, 2),  # 2^5 is beyond 15.5
        ("i8", "f6E2M3FN", 1.0, 1),  # 2^4 is beyond 7.5
        ("i8", "f6E2M3FN", 4.0, -1),
        ("i8", "f4E2M1FN", 1.0, 2**2),
        ("i8", "f4E2M1FN", 2.0, -1),  # 2 * 2^2 is beyond 6
        ("u8", "f8E8M0FNU", 1.0, -1),
    ],
)
def test_a_bound_is_a_power_of_two(storage: str, expressed: str, scale: float, bound: int) -> None:
    assert integer_bound(make_quantized(storage, expressed, scale)) == bound


@pytest.mark.parametrize(
    ("type", "sums", "stored"),
    [
        (make_quantized("i2", "f8E5M2", 0.3), (-4, 2), (-2, 1)),  # tried
        (BF16, (-16, 16), (-16, 16)),
        (make_quantized("i8", "f32", 0.3, 5), (-261, 249), (-128, 127)),
        (make_quantized("u8", "f32", 0.3, 5), (-5, 505), (0, 255)),
        (make_quantized("i32", "f32", 0.3), (-BOUND, BOUND), (-BOUND, BOUND)),
        (make_quantized("i32", "f32", 0.3, 7), (7 - BOUND, BOUND), (7 - BOUND, BOUND)),
        (make_quantized("i32", "f32", 0.3, -7), (-BOUND, BOUND - 7), (-BOUND, BOUND - 7)),
        (make_quantized("i32", "f32", 0.3, BOUND), (0, BOUND), (0, BOUND)),
        (make_quantized("i32", "f32", 0.3, -BOUND), (-BOUND, 0), (-BOUND, 0)),
        (make_quantized("i32", "f32", 0.3, BOUND + 1), None, None),
        (make_quantized("i32", "f32", 0.3, -BOUND - 1), None, None),
        (wide(-1000, 2 * BOUND), (-2000, BOUND), (-1000, BOUND)),
        (wide(-2 * BOUND, 1000), (-BOUND, 2000), (-BOUND, 1000)),
        (wide(-5, 9, 3), (-13, 15), (-5, 9)),
        (make_quantized("i8", "bf16", 0.3), (-16, 16), (-16, 16)),
        (make_quantized("i8", "bf16", 0.3, storage_min=-20, storage_max=20), (-40, 40), (-20, 20)),  # tried
        (make_quantized("i8", "f16", 0.3, 3), (-259, 251), (-128, 127)),  # tried
        (make_quantized("i2", "f8E8M0FNU", 1.0), None, None),
        (make_quantized("u16", "f8E8M0FNU", 1.0, 1, storage_min=1, storage_max=2), None, None),
    ],
)
def test_sums_are_exact_up_to_a_bound(
    type: QuantizedType, sums: tuple[int, int] | None, stored: tuple[int, int] | None
) -> None:
    assert exact_sums(type) == sums
    assert exact_range(type) == stored


@pytest.mark.slow("draws for each type", rows=15)
@pytest.mark.parametrize("expressed", [type.name for type in FLOATS])
@pytest.mark.parametrize("storage", ["u2", "i4", "u4", "i8"])
def test_sums_within_a_bound_are_those_of_integers(storage: str, expressed: str) -> None:
    """Every pair of stored numbers; in wider storage too, where none is tried."""
    for scale in SCALES:
        for zero_point in (0, 1):
            narrow = make_quantized(storage, expressed, scale, zero_point)
            ends = {"storage_min": narrow.storage_min, "storage_max": narrow.storage_max}
            bounded = make_quantized("i16", expressed, scale, zero_point, **ends)
            for type in (narrow, bounded):
                exact = exact_sums(type)
                assert exact is None or sums_are_those_of_integers(type, *exact)
            assert exact is None or addition_is_integer(bounded, *exact)


def sums_are_those_of_integers(type: QuantizedType, least: int, greatest: int) -> bool:
    low, high = type.storage_min, type.storage_max
    stored = np.arange(max(low, least), min(high, greatest) + 1)
    with np.errstate(all="ignore"):
        real = dequantize(NUMPY, stored.astype(NUMPY.carrier(type.storage_type)), type)
        found = quantize(NUMPY, NUMPY.round_to(np.add.outer(real, real), type.expressed_type), type)
    sums = np.add.outer(stored, stored) - type.zero_point
    return bool((found == sums.clip(low, high))[(least <= sums) & (sums <= greatest)].all())


@pytest.mark.parametrize(
    ("source", "accumulation", "result"),
    [
        (make_quantized("i2", "f4E2M1FN", 4.0), make_quantized("i8", "f4E2M1FN", 4.0), 2),  # 8 saturates to 6
        (
            replace(wide(0, 1), expressed_type=FLOATS[5]),
            make_quantized("i32", "f8E4M3FN", 0.3),
            0,
        ),  # NaN as bound
    ],
)
def test_small_floats_that_overflow_are_no_integers(
    source: QuantizedType, accumulation: QuantizedType, result: int
) -> None:
    op = summing(1, source, source, accumulation)
    ones = np.ones(10, source.storage_type.numpy)
    args, heard = (ones, np.zeros((), ones.dtype)), Seen(LEFT)
    (fast,) = interp.run(module(op), *args, listeners=[heard])
    (plain,) = interp.run(module(op), *args, listeners=[Listener()])
    assert fast == plain
    assert fast.storage == result
    assert heard.plan.rows[0].tried[0][0] != "integer addition"


@pytest.mark.parametrize(
    ("source", "destination", "shift", "keeps", "requantizes", "range"),
    [
        # Wide storage, by theorem: at the edge of the bound, of the storage range, and beyond.
        (wide(0, 9, 5), wide(-5, 4), -5, True, True, (-5, 4)),
        (wide(0, 9, 5), wide(-4, 4), None, False, True, (-4, 4)),
        (wide(0, 9, 5), wide(-5, 3), None, False, True, (-5, 3)),
        (wide(0, BOUND - 3), wide(0, 2**30, 3), 3, True, True, (3, BOUND)),
        (wide(0, BOUND - 2), wide(0, 2**30, 3), None, False, False, (0, 2**30)),
        (wide(3 - BOUND, 0), wide(-(2**30), 0, -3), -3, True, True, (-BOUND, -3)),
        (wide(2 - BOUND, 0), wide(-(2**30), 0, -3), None, False, False, (-(2**30), 0)),
        (wide(2**30, 2**30 + 9, 2**30), wide(0, 99, 7), 7 - 2**30, True, True, (7, 16)),
        (wide(-9, 9), wide(-9, 9), 0, True, True, (-9, 9)),
        (wide(-BOUND - 1, 0), wide(-BOUND - 1, 0), 0, True, False, (-BOUND - 1, 0)),
        (wide(0, BOUND + 1), wide(0, BOUND + 1), 0, True, False, (0, BOUND + 1)),
        (wide(-9, 9), wide(-9, 8, BOUND + 1), None, False, False, (-9, 8)),
        (wide(-9, 9, scale=0.3), wide(-9, 10, scale=0.1), None, False, True, (-9, 10)),
        (wide(-9, 9, scale=0.3), wide(-9, 10, scale=float(np.float32(0.3))), 0, True, True, (-9, 9)),
        (wide(0, 9, scale=0.5), make_quantized("i32", "f64", 0.5), None, False, True, (-(2**31), 2**31 - 1)),
        # Narrow storage, tried.
        (
            make_quantized("i16", "f32", 0.1),
            make_quantized("i32", "f32", 0.3),
            None,
            True,
            True,
            (-10923, 10922),
        ),
        (
            make_quantized("i16", "f32", 0.3),
            make_quantized("i32", "f32", 0.3, 7),
            7,
            True,
            True,
            (-32761, 32774),
        ),
        (
            make_quantized("i8", "f32", 0.5),
            make_quantized("i8", "f32", 0.5, 3),
            None,
            True,
            True,
            (-125, 127),
        ),
        (make_quantized("i2", "f32", 0.5, 1), make_quantized("i8", "f64", 0.5), -1, True, True, (-3, 0)),
        (make_quantized("i2", "f32", 1.0), make_quantized("i8", "f32", 0.5, 3), None, True, True, (-1, 5)),
        (make_quantized("i8", "bf16", 0.3), make_quantized("i8", "bf16", 0.3), 0, True, False, (-128, 127)),
        (make_quantized("i4", "f32", 1e38), make_quantized("i4", "f32", 1e38), 0, True, False, (-8, 7)),
        (BF16, replace(BF16, storage_min=-30), 0, True, True, (-20, 20)),  # beyond the bound 16
        # 32 is beyond f8E4M3B11FNUZ, so NaN, so 0.
        (
            make_quantized("u2", "f8E4M3B11FNUZ", 16.0),
            make_quantized("u4", "f8E4M3B11FNUZ", 16.0),
            None,
            False,
            True,
            (0, 1),
        ),
    ],
)
def test_conversion_is_a_table_or_a_shift(
    source: QuantizedType,
    destination: QuantizedType,
    shift: int | None,
    keeps: bool,
    requantizes: bool,
    range: tuple[int, int],
) -> None:
    assert conversion_shift(source, destination) == shift
    assert keeps_order(source, destination) is keeps
    assert requantizes_to_itself(source, destination) is requantizes
    assert converted_range(source, destination) == range
    if shift is not None:
        ends = np.array([source.storage_min, source.storage_max], np.int32)
        found = to_destination_type(NUMPY, ends, source, destination)
        assert found.tolist() == [source.storage_min + shift, source.storage_max + shift]


def test_a_table_begins_with_the_least_number() -> None:
    source, destination = make_quantized("i2", "f32", 1.0), make_quantized("i8", "f32", 0.5, 3)
    table, real = conversion_table(source, destination), real_leaves(source, destination)
    assert (table.dtype, table.tolist()) == (np.int8, [-1, 1, 3, 5])
    assert (real.dtype, real.tolist()) == (np.float32, [-2, -1, 0, 1])
    assert not table.flags.writeable
    assert not real.flags.writeable
    low, high = real_ends(destination)
    assert (low.dtype, float(low), float(high)) == (np.float32, -65.5, 62.0)
    with np.errstate(all="raise"):
        assert np.isinf(real_ends(make_quantized("i8", "f32", 3e38))).all()
        assert real_leaves(replace(source, scales=(3e38,)), make_quantized("i8", "f32", 3e38))[0] == -np.inf
