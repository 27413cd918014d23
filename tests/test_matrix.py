"""`matrix`: every cell against Python's integers and NumPy's f32, and its specification against `run`."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.questions.arithmetics import ARITHMETICS
from spec.ir import Module
from spec.schedule import parse
from spec.types import ELEMENT_TYPES, QuantizedType, parse_element_type
from spec.types import make_quantized as type_of
from tests.library.builders import quantized, reduced, scattered, windowed
from tests.library.oracles.by_hand import clamp, real, requantized, steps
from tests.library.strategies.programs import quantized_types

SCHEDULES = ("left", "balanced", "blocks(3)", "random(5)", "windows(2)")


def sums_of(source: Any, init: Any, body: Any, shape: tuple[int, int]) -> Module:
    return reduced(f"{shape[0]}x{shape[1]}x{source!r}", repr(body), dimensions=(1,), init=repr(init))


@st.composite
def narrow(draw: st.DrawFn, least_bits: int = 2) -> QuantizedType:
    return draw(quantized_types("f32", least_bits).filter(lambda t: t.storage_type.bits <= 16))


@st.composite
def cases(draw: st.DrawFn) -> tuple[Module, list[list[int]], int, list[QuantizedType]]:
    source, init = draw(narrow()), draw(narrow())
    init = replace(
        init, storage_type=source.storage_type, storage_min=source.storage_min, spelling=source.spelling
    )
    init = replace(init, storage_max=source.storage_max, zero_points=source.zero_points)
    bits = source.storage_type.bits
    types = [draw(narrow(bits)), draw(narrow(bits))]
    numbers = st.integers(source.storage_min, source.storage_max)
    n = draw(st.integers(0, 8))
    rows = draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=1, max_size=3))
    return sums_of(source, init, types[0], (len(rows), n)), rows, draw(numbers), types


@given(cases(), st.sampled_from(SCHEDULES))
def test_every_cell_by_hand(
    case: tuple[Module, list[list[int]], int, list[QuantizedType]], schedule: str
) -> None:
    module, rows, init, types = case
    source, start = (v.type.element_type for v in module.main.inputs)
    dtype = np.dtype(source.storage_type.numpy)
    x = np.array(rows, dtype).reshape(len(rows), -1)
    t = interp.trace(module, x, np.array(init, dtype))
    found = t.matrix(types=types, schedules=[schedule])
    assert len(found.cells) == len(set(types)) * len(ARITHMETICS)
    for cell in found.cells:
        type = cell.type
        first = converted(init, start, type)
        leaves = [[first, *(converted(q, source, type) for q in row)] for row in rows]
        wanted = [folded(row, BY_HAND[cell.arithmetic], type, schedule) for row in leaves]
        assert cell.accumulators.tolist() == wanted
        scale = fl(type.scale)
        exact = [number(init, start) + sum(number(q, source) for q in row) for row in rows]
        errors = [(q - type.zero_point) * scale - e for q, e in zip(wanted, exact, strict=True)]
        assert [int(e) * cell.unit for e in cell.errors] == errors
        assert found.error(type, cell.arithmetic, schedule) == max(map(abs, errors))
        assert cell.wrong == sum(abs(error) > scale / 2 for error in errors)


def fl(x: float) -> Fraction:
    return Fraction(float(np.float32(x)))


def number(q: int, type: QuantizedType) -> Fraction:
    return (q - type.zero_point) * fl(type.scale)


def stored(x: np.float32, type: QuantizedType) -> int:
    return clamp(steps(x, type), type)


def converted(q: int, source: QuantizedType, destination: QuantizedType) -> int:
    return clamp(requantized(q, source, destination), destination)


def wrapped(q: int, type: QuantizedType) -> int:
    bits = type.storage_type.bits
    low = q & ((1 << bits) - 1)
    return low - (1 << bits) if type.storage_type.kind == "signed" and low >> (bits - 1) else low


BY_HAND = {
    "specification": lambda a, b, type: stored(np.float32(real(a, type) + real(b, type)), type),
    "wrap": lambda a, b, type: wrapped(a + b - type.zero_point, type),
    "saturate": lambda a, b, type: clamp(a + b - type.zero_point, type),
    "exact": lambda a, b, type: a + b - type.zero_point,
}


def folded(leaves: list[int], add: Any, type: QuantizedType, schedule: str) -> int:
    nodes = list(leaves)
    for lhs, rhs in parse(schedule).steps(len(leaves), True):
        nodes.append(add(nodes[lhs], nodes[rhs], type))
    return nodes[-1]


SCALES = st.one_of(st.sampled_from([0.1, 300.0, 1.0, 2.0**-60]), st.floats(1e-300, 1e300))


@settings(max_examples=25, deadline=None)
@given(SCALES, SCALES, st.lists(st.integers(-128, 127), max_size=4), st.integers(-128, 127))
def test_errors_are_exact_whatever_the_scales(source: float, own: float, x: list[int], point: int) -> None:
    """The accumulators may all be 0 where a step, in the common unit, is beyond 64 bits."""
    types = [type_of("i8", "f64", source), type_of("i8", "f64", own, point)]
    m = sums_of(types[0], types[0], types[0], (1, len(x)))
    found = interp.trace(m, np.array([x], np.int8).reshape(1, -1), np.int8(0)).matrix(types=types)
    for cell in found.cells:
        (q,) = cell.accumulators.tolist()
        error = (q - cell.type.zero_point) * Fraction(cell.type.scale) - sum(x) * Fraction(types[0].scale)
        assert (int(cell.errors[0]) * cell.unit, cell.error) == (error, abs(error))
        assert cell.wrong == (abs(error) > Fraction(cell.type.scale) / 2)
    assert len(repr(found).splitlines()) >= 6


def test_a_step_beyond_64_bits_of_the_unit() -> None:
    """1 + 2 + 3 tenths in steps of 300 are none, in every arithmetic."""
    tenths, coarse = parse_element_type(quantized("i8:f64, 0.1")), quantized("i8:f64, 300.0")
    t = interp.trace(sums_of(tenths, tenths, tenths, (1, 3)), np.array([[1, 2, 3]], np.int8), np.int8(0))
    found = t.matrix(types=coarse)
    assert {found.error(coarse, name, "left") for name in ARITHMETICS} == {6 * Fraction(0.1)}
    assert repr(found).splitlines()[-1].split()[:4] == ["every", "arithmetic", "6", "(0)"]


# Against run


POOL = "testdata/programs/overflowing_pool"


@pytest.mark.slow("enumerates trees", rows=2)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_the_specification_is_what_runs(schedule: str, request: pytest.FixtureRequest) -> None:
    """Under its own type and under others, that the program was given in its text."""
    path = request.config.rootpath / POOL
    text, x = path.with_suffix(".mlir").read_text(), np.load(path.with_suffix(".npz"))["arg0"]
    own = "!quant.uniform<i16:f32, 6.250000e-03>"
    found = interp.trace(interp.load(text), x).matrix(schedules=[schedule])
    assert own in text
    for type in found.types:
        t = interp.trace(interp.load(text.replace(own, repr(type))), x, schedule=schedule)
        (result,) = t.reductions["%sum"].results
        assert np.array_equal(found.cell(type, "specification", schedule).accumulators, result)


@pytest.mark.parametrize("schedule", ["left", "balanced", "random(5)"])
def test_padding_is_made_of_init_values(schedule: str) -> None:
    """An init of 1.0: two, one, none, none and one of it in front of, or behind, the window's elements."""
    q = quantized("i8:f32, 0.5")
    m = windowed(f"4x{q}", (3,), padding=((2, 1),))
    found = interp.trace(m, np.array([100, 60, -3, 5], np.int8), np.int8(2)).matrix(schedules=[schedule])
    exact = found.cell(q, "exact", schedule)
    assert exact.accumulators.tolist() == [100 + 6, 160 + 4, 157 + 2, 62 + 2, 2 + 4]
    assert (exact.error, exact.wrong) == (0, 0)
    assert found.cell(q, "saturate", schedule).wrong == 2
    assert found.cell(q, "wrap", schedule).error == 128


def test_what_blocks_add_is_in_the_error() -> None:
    """An init for each of two blocks, where the exact sum has one."""
    q = quantized("i8:f32, 0.5")
    m = sums_of(parse_element_type(q), parse_element_type(q), parse_element_type(q), (1, 4))
    found = interp.trace(m, np.ones((1, 4), np.int8), np.int8(6)).matrix(schedules=["left", "blocks(2)"])
    assert [found.error(q, "exact", schedule) for schedule in ("left", "blocks(2)")] == [0, 3]


def test_scattered_sums() -> None:
    """Windows of two, stride one, each choosing 9: it gets both sources, and the others none."""
    q = quantized("i8:f32, 1.0")
    m = scattered(f"3x{q}", (2,))
    args = np.array([1, 9, 1], np.int8), np.array([100, 60], np.int8), np.int8(3)
    found = interp.trace(m, *args).matrix(schedules=["left", "balanced"])
    for schedule in ("left", "balanced"):
        rows = {name: found.cell(q, name, schedule) for name in ARITHMETICS}
        assert rows["exact"].accumulators.tolist() == [3, 163, 3]
        assert rows["saturate"].accumulators.tolist() == [3, 127, 3]
        assert rows["wrap"].accumulators.tolist() == [3, 163 - 256, 3]
        assert rows["specification"].error == 36
        assert rows["exact"].error == 0


def test_integers_wrap() -> None:
    i64 = ELEMENT_TYPES["i64"]
    m = sums_of(i64, i64, i64, (1, 3))
    found = interp.trace(m, np.array([[2**62, 2**62, -1]]), np.int64(0)).matrix()
    assert found.types == (i64,)
    assert found.cell("i64", "exact", "left").accumulators.tolist() == [2**63 - 1]
    assert found.error("i64", "specification", "left") == 0  # there and back
    found = interp.trace(m, np.array([[2**62, 2**62, 7]]), np.int64(0)).matrix()
    assert found.error("i64", "specification", "left") == found.error("i64", "wrap", "left") == 2**64
    assert found.error("i64", "saturate", "left") == 8


def test_the_default_types() -> None:
    source, own = quantized("i8:f32, 0.5:3"), quantized("i16:f32, 0.25:200")
    m = sums_of(parse_element_type(source), parse_element_type(source), parse_element_type(own), (1, 2))
    found = interp.trace(m, np.ones((1, 2), np.int8), np.int8(0)).matrix()
    assert [repr(type) for type in found.types] == [
        quantized(parameters)
        for parameters in (
            "i16:f32, 2.500000e-01:200",
            "i32:f32, 2.500000e-01:200",
            "i8:f32, 5.000000e-01:3",
            "i16:f32, 5.000000e-01:3",
            "i32:f32, 5.000000e-01:3",
        )
    ]


def test_the_order_matters_where_a_sum_clamps() -> None:
    q = parse_element_type(quantized("i8:f32, 1.0"))
    t = interp.trace(sums_of(q, q, q, (1, 3)), np.array([[100, 60, -100]], np.int8), np.int8(0))
    found = t.matrix(schedules=["left", "random(0)", "tree(2 3, 1 4, 0 5)"])
    assert found.schedule_matters(q, "specification")
    assert not found.schedule_matters(q, "wrap")
    assert found.disagrees(found.cell(q, "saturate", "left"))
    assert not found.disagrees(found.cell(q, "saturate", "tree(2 3, 1 4, 0 5)"))
    lines = repr(found).splitlines()
    assert lines[4].split() == ["!quant.uniform<i8:f32,", "1.000000e+00>", "(its", "own)"]
    assert lines[5].split() == ["specification", "33", "(1)*", *lines[5].split()[3:5], "0", "(0)", "~"]
    assert lines[6].split()[:3] == ["wrap", "0", "(0)"]
    assert lines[6].split()[-1] != "~"
    assert lines[-1].split()[:4] == ["every", "arithmetic", "0", "(0)"]  # in i32


# What is refused


def test_what_is_no_sum_of_integers() -> None:
    q = quantized("i8:f32, 1.0")
    largest = reduced(f"2x3x{q}", body="maximum", dimensions=(1,))
    with pytest.raises(interp.Unsupported, match="is not a sum of integers"):
        interp.trace(largest, np.zeros((2, 3), np.int8), np.int8(0)).matrix()
    f32 = ELEMENT_TYPES["f32"]
    with pytest.raises(interp.Unsupported, match="is not a sum of integers"):
        interp.trace(sums_of(f32, f32, f32, (1, 2)), np.zeros((1, 2), np.float32), np.float32(0)).matrix()


def test_types_that_do_not_fit_and_cells_that_are_none() -> None:
    q = parse_element_type(quantized("i16:f32, 1.0"))
    t = interp.trace(sums_of(q, q, q, (1, 2)), np.zeros((1, 2), np.int16), np.int16(0))
    for type in ("i8:f32, 1.0", "i16:f16, 1.0"):
        with pytest.raises(interp.Violation):
            t.matrix(types=[quantized(type)])
    with pytest.raises(interp.Malformed, match="out of expressed type range"):
        t.matrix(types=[quantized("i16:f32, 0.0")])
    with pytest.raises(interp.Malformed, match="not a schedule"):
        t.matrix(schedules=["upwards"])
    with pytest.raises(interp.Malformed, match="arithmetics: specification, wrap, saturate, exact"):
        t.matrix().cell(q, "modulo", "left")
    with pytest.raises(interp.Unsupported, match="several scales"):
        t.matrix(types=quantized("i16:f32:0, {0.5, 0.25}"))


def test_one_type_and_one_schedule_need_no_list() -> None:
    q = parse_element_type(quantized("i16:f32, 1.0"))
    t = interp.trace(sums_of(q, q, q, (1, 2)), np.zeros((1, 2), np.int16), np.int16(0))
    wide = quantized("i32:f32, 1.0")
    found = t.matrix("%0", wide, "balanced")
    assert (found.types, list(map(repr, found.schedules))) == ((parse_element_type(wide),), ["balanced"])
    assert t.matrix(types=q).types == (q,)
