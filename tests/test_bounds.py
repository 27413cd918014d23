"""`bounds` against all trees and all data, to the bit; and programs with another accumulator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import unescape
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from test_verdicts import SUMS, plain

import interp
from interp.apps.reports.page import page
from interp.questions.bounds import NOWHERE, Bound, Bounds, bounds, with_storage
from interp.questions.verdicts import verdicts
from interp.recorder.recorded import Reduction
from interp.rewrite.with_accumulator import with_accumulator
from spec.ir import Module
from spec.schedule import Schedule
from spec.types import ELEMENT_TYPES, QuantizedType, integer
from tests.library import builders
from tests.library.builders import function, quantized, reduced, scattered, windowed
from tests.library.oracles.bodies import addition_is_integer
from tests.library.oracles.trees import nodes, trees
from tests.library.strategies.programs import Program

I32 = integer(32, True)
POOL = "testdata/programs/overflowing_pool"
PADDED: Any = {"strides": (2,), "padding": ((2, 1),)}


def found(module: Module, args: Sequence[Any], schedule: str = "left") -> Reduction:
    with np.errstate(all="ignore"):  # signalling NaNs become quiet ones
        return interp.trace(module, *args, kinds=(), schedule=schedule).reduction()


def widened(module: Module) -> Module:
    """Return the program with an accumulator in which nothing here clamps."""
    (op, *_) = (op for op in module.main.body.ops if op.regions)
    return with_accumulator(module, op.result.name, with_storage(op.result.type.element_type, I32))


def leaves(reduction: Reduction) -> list[tuple[list[int], Schedule]]:
    """Return the leaves of every element, less the zero point, and the schedule of the run."""
    zero_point = getattr(reduction.types[0], "zero_point", 0)
    elements = [reduction.element(index) for index in np.ndindex(reduction.shape)]
    return [([x - zero_point for x in element.values()], element.schedule) for element in elements]


def sums(numbers: Sequence[int]) -> Iterator[int]:
    """Return the sums of all nodes of all trees."""
    for root in trees(0, len(numbers)):
        yield from nodes(root, numbers)


def along(numbers: Sequence[int], schedule: Schedule) -> list[int]:
    """Return the sums of all nodes of one tree."""
    partial = list(numbers)
    for lhs, rhs in schedule.steps(len(numbers), True):
        partial.append(partial[lhs] + partial[rhs])
    return partial


def holds(bound: Bound, bits: int) -> bool:
    low = -(2 ** (bits - 1)) if bound.signed else 0
    return bits > 0 and low <= bound.least and bound.greatest < low + 2**bits


def agrees(bound: Bound | None, numbers: Sequence[int], zero_point: int) -> bool:
    """The bound is that of the numbers, and its bits are just enough."""
    assert bound is not None
    ends = min(numbers) + zero_point, max(numbers) + zero_point
    return (
        (bound.least, bound.greatest) == ends
        and holds(bound, bound.bits)
        and not holds(bound, bound.bits - 1)
    )


# By value and by schedule

SMALL = SUMS.filter(lambda program: program.module.main.results[0].size > 0)


@pytest.mark.slow("enumerates trees")
@given(SMALL, st.sampled_from(("left", "balanced", "blocks(2)", "windows(2)", "random(7)")))
def test_these_inputs_in_any_order_and_in_this_one(program: Program, schedule: str) -> None:
    """Against the sums of all trees over what the same program with a wide accumulator adds; of operands of
    the accumulator's own type, which nothing converts, over these."""
    type = program.module.main.results[0].element_type
    assume(isinstance(type, QuantizedType))
    (op, *_) = program.module.main.body.ops
    types = {value.type.element_type for value in op.operands[-2:]}
    assume(type not in types or types == {type})
    given = bounds(found(program.module, program.args, schedule))
    assume(given.by_value and max(map(abs, given.by_value[:2])) < 2**31)
    wide = program.module if types == {type} else widened(program.module)
    assume(types == {type} or wide.main.results[0].element_type not in types)
    elements = leaves(found(wide, program.args, schedule))
    assume(max(len(numbers) for numbers, _ in elements) <= 6)
    zero_point = type.zero_point  # type: ignore[union-attr]
    assert agrees(given.by_value, [x for numbers, _ in elements for x in sums(numbers)], zero_point)
    assert agrees(given.by_schedule, [x for element in elements for x in along(*element)], zero_point)


def test_what_only_chooses_reaches_its_leaves_in_any_order() -> None:
    """The leaves are those that the verdict sums, even where the expressed type would round them."""
    for combine in ("maximum", "add"):
        type = quantized("u16:bf16, 0.5:10560")
        module = reduced(f"1x{type}", body=combine)
        found_bounds = bounds(found(module, (np.uint16([65535]), np.uint16(10560))))
        assert found_bounds.by_value == found_bounds.by_schedule
        assert found_bounds.by_value[:3] == (10560, 65535, 16)  # type: ignore[index]


@settings(max_examples=120)
@given(st.data(), st.integers(-3, 3), st.sampled_from(("0.5", "0.3")))
def test_one_bit_less_overflows(data: st.DataObject, zero_point: int, scale: str) -> None:
    """No schedule overflows in storage of just these bits; some schedule does in one bit less."""
    x, y = quantized("i8:f32, 0.5:3"), quantized(f"i32:f32, {scale}:{zero_point}")
    module, args = data.draw(
        st.sampled_from(((reduced(f"6x{x}", y), 6), (windowed(f"3x{x}", (3,), y, **PADDED), 3)))
    )
    stored = st.integers(-128, 127)
    inputs = np.int8(data.draw(st.lists(stored, min_size=args, max_size=args))), np.int8(data.draw(stored))
    program = Program(module, inputs)
    type = module.main.results[0].element_type
    bound = bounds(found(module, inputs)).by_value
    assert bound is not None
    assume(bound.bits > 3)
    assert not overflows(program, type, bound.bits)
    assert overflows(program, type, bound.bits - 1)


def overflows(program: Program, type: Any, bits: int) -> bool:
    """Return whether some schedule, or the conversion of a leaf, overflows."""
    ends = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    narrow = replace(with_storage(type, I32), storage_min=ends[0], storage_max=ends[1])
    module = with_accumulator(program.module, program.module.main.body.ops[0].result.name, narrow)
    with np.errstate(all="ignore"):
        trace = interp.trace(module, *program.args, kinds="saturate")
    converted = any(event.what.startswith("operand") for event in trace.events)
    return converted or bool((verdicts(trace.reduction()).kinds != "safe").any())


# By type


def cases() -> Iterator[tuple[str, Module]]:
    """Programs of so few elements that all their data can be tried."""
    for source, wide in product(
        ("i2:f32, 0.5", "u2:f32, 0.5:2", "i2<-1:1>:f32, 0.75"), ("i8:f32, 0.25:3", "u8:f32, 0.3")
    ):
        if source[0] == wide[0]:
            x, y = quantized(source), quantized(wide)
            yield f"reduce {source} in {wide}", reduced(f"3x{x}", y)
            yield f"windows {source} in {wide}", windowed(f"3x{x}", (3,), y, **PADDED)
    x, y = quantized("i2:f32, 0.5:-1"), quantized("i16:f32, 0.125:-1")
    yield "no positive number", reduced(f"2x{quantized('i2<-2:-1>:f32, 0.5:-1')}", y, init=x)
    yield "plain integers", reduced("3xi2", "i8")
    yield "plain windows", windowed("3xi2", (3,), "i8", **PADDED)
    yield "maximum", reduced(f"3x{x}", y, "maximum")
    x = quantized("i2<-1:0>:f32, 0.5:-1")
    yield "select_and_scatter", scattered(f"3x{x}", (2,), y)


def data(module: Module) -> Iterator[list[np.ndarray]]:
    """All arguments."""
    columns = []
    for value in module.main.inputs:
        element, storage = value.type.element_type, value.type.storage_type
        low, high = storage.min_value, storage.max_value
        if isinstance(element, QuantizedType):
            low, high = element.storage_min, element.storage_max
        every = product(range(low, high + 1), repeat=value.type.size)
        columns.append([np.array(x, storage.numpy).reshape(value.type.shape) for x in every])
    for row in product(*columns):
        yield list(row)


@pytest.mark.slow("enumerates trees", rows=3)
@pytest.mark.parametrize(("name", "module"), list(cases()), ids=[name for name, _ in cases()])
def test_any_data_in_any_order(name: str, module: Module) -> None:
    """Against all trees over all data; the first data say as much as the last."""
    numbers: set[int] = set()
    bound: Bound | None = None
    wide = widened(module) if module.main.results[0].is_quantized else module
    for args in data(module):
        bound = bound or bounds(found(module, args)).by_type
        for own, _ in leaves(found(wide, args)):
            numbers.update(own if name == "maximum" else sums(own))
    zero_point = getattr(module.main.results[0].element_type, "zero_point", 0)
    assert agrees(bound, sorted(numbers), zero_point)
    assert bounds(found(module, args)).by_type == bound


def test_an_init_value_that_the_program_has_is_known() -> None:
    q = quantized("i8:f32, 0.5")
    for init in (0, 100, -100):
        module = function(
            f"(%x: tensor<3x{q}>) -> tensor<{q}>",
            f'%i = "stablehlo.constant"() {{value = dense<{init}> : tensor<i8>}} : () -> tensor<{q}>',
            "%0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]"
            f" : (tensor<3x{q}>, tensor<{q}>) -> tensor<{q}>",
        )
        bound = bounds(found(module, (np.zeros(3, np.int8),))).by_type
        assert bound is not None
        assert (bound.least, bound.greatest) == (3 * -128 + min(init, 0), 3 * 127 + max(init, 0))


# What is said of them


def headroom(given: Bounds, index: tuple[int, ...]) -> int:
    """Return by trial the most doublings of the sums that fit."""
    element = given.reduction.element(index)
    type: Any = given.reduction.types[0]
    low, high = type.storage_min - type.zero_point, type.storage_max - type.zero_point
    reach = list(sums([x - type.zero_point for x in element.values()]))
    fitting = [k for k in range(-20, 20) if all(low <= x * 2.0**k <= high for x in reach)]
    return fitting[-1]


@settings(max_examples=120)
@given(st.lists(st.integers(-128, 127), min_size=5, max_size=5).filter(lambda rows: any(x - 3 for x in rows)))
def test_headroom(rows: list[int]) -> None:
    q, wide = quantized("i8:f32, 0.5:3"), quantized("i16<-300:500>:f32, 0.5:-2")
    given = bounds(found(reduced(f"5x{q}", wide), (np.int8(rows), np.int8(3))))
    assert given.headroom == headroom(given, ())


@settings(max_examples=120)
@given(
    st.lists(st.integers(-20, 20), min_size=3, max_size=3).filter(any),
    st.sampled_from([(0, 500, 0), (-500, 0, 0), (-300, 500, -300), (5, 500, 5), (-9, -2, -2)]),
)
def test_headroom_where_zero_is_at_the_end_of_the_range(row: list[int], ends: tuple[int, ...]) -> None:
    """No halving brings a sum of 1 into a range that ends at 0, and none is said to."""
    low, high, zero_point = ends
    q, wide = quantized("i8:f32, 0.5"), quantized(f"i16<{low}:{high}>:f32, 0.5:{zero_point}")
    given = bounds(found(reduced(f"3x{q}", wide), (np.int8(row), np.int8(0))))
    reach = list(sums([0, *row]))
    low, high = low - zero_point, high - zero_point
    fits = [k for k in range(-20, 20) if all(low <= x * 2.0**k <= high for x in reach)]
    if fits and any(reach):
        assert (given.headroom, given.room) == (fits[-1], f"{fits[-1]} bits")
    elif not fits:
        assert (given.headroom, given.room) == (NOWHERE, "-")
        assert "headroom -;" in repr(given)


def test_exactness_is_the_bound_of_the_expressed_type() -> None:
    """bf16 adds integers exactly up to 2^8 if the scale is a power of two, up to 2^4 otherwise."""
    for scale, precision in (("0.5", 8), ("0.3", 12)):
        q, wide = quantized(f"i8:bf16, {scale}"), quantized(f"i32:bf16, {scale}")
        module = reduced(f"2x{q}", wide)
        bound = bounds(found(module, (np.int8([100, 100]), np.int8(0)))).by_value
        assert bound is not None
        assert (bound.greatest, bound.precision, bound.exact) == (200, precision, precision <= 8)


@pytest.mark.parametrize(("scale", "precision"), [(64.0, 8), (64.00001, 12), (60.035, 12)])
def test_the_precision_suffices_in_types_that_round_the_scale_otherwise(scale: float, precision: int) -> None:
    """f8E5M2FNUZ has 56 and 64, and rounds 60.035 to a power of two; bf16, of 8 bits, rounds it to 60.

    By hand, -128 - 86 in bf16: 86 * 60 = 5160 is 5152 there, 7680 + 5152 = 12832 is 12800, a tie to even, and
    12800 / 60 is nearest to 213, not to 214. Sums of two i8 need 8 bits themselves.
    """
    q = quantized(f"i8:f8E5M2FNUZ, {scale}")
    bound = bounds(found(reduced(f"1x{q}", q), (np.int8([0]), np.int8(0)))).by_type
    assert bound is not None
    assert (bound.least, bound.greatest, bound.precision, bound.exact) == (-256, 254, precision, False)
    wide = quantized(f"i16:bf16, {scale}")
    (total,) = interp.run(reduced(f"1x{wide}", wide), np.int16([-86]), np.int16(-128))
    assert total.storage == (-213 if scale == 60.035 else -214)


def test_suggestions_are_types_that_verification_takes() -> None:
    q = quantized("i8:f32, 0.5:3")
    for storage, n, expected in (
        ("i32", 3, "i16"),
        ("i8", 300, "i32"),
        ("i16", 100, "i16"),
        ("i16", 1, "i16"),
    ):
        wide = quantized(f"{storage}:f32, 0.5:3")
        module = reduced(f"{n}x{q}", wide)
        given = bounds(found(module, (np.full(n, 3, np.int8), np.int8(3))))
        assert repr(given.suggested) == quantized(f"{expected}:f32, 5.000000e-01:3")
        assert interp.verify(with_accumulator(module, "%0", repr(given.suggested)), "mlir") == []


SCHEDULES = ("left", "balanced", "blocks(2)", "blocks(32)", "windows(2)", "random(7)")
WRONG = ("saturate", "inexact", "inf", "nan")


@st.composite
def small_reductions(draw: st.DrawFn) -> Program:
    """Draw reductions of a row whose expressed type, scale or storage may be too small."""
    expressed = draw(st.sampled_from(("f16", "bf16", "f32", "f64")))
    scale = draw(st.sampled_from(("1.0", "0.3", "255.5", "511.0", "32.0", "9.5e-7", "2048.0")))
    narrow, wide = draw(st.sampled_from((("i8", "i8"), ("u8", "u8"), ("u8", "i32"), ("i16", "i16"))))
    q, y = (quantized(f"{bits}:{expressed}, {scale}:{draw(st.integers(0, 7))}") for bits in (narrow, wide))
    rows = st.integers(0, 127) if narrow == "i8" else st.integers(0, 255)
    row = draw(st.lists(st.one_of(rows, st.just(120)), min_size=1, max_size=9))
    combine = draw(st.sampled_from(("add", "add", "maximum")))
    module = reduced(f"{len(row)}x{q}", y, combine)
    dtype = module.main.inputs[0].type.storage_type.numpy
    return Program(module, (np.array(row, dtype), np.array(draw(rows), dtype)))


@pytest.mark.slow("enumerates trees")
@given(st.one_of(small_reductions(), small_reductions(), SMALL), st.sampled_from(SCHEDULES))
def test_in_what_is_suggested_no_sum_is_wrong(program: Program, schedule: str) -> None:
    """The suggestion holds in the schedule of the run, and in every one if the init value is zero:
    blocks have it several times.
    """
    assume(program.module.main.results[0].is_quantized)
    run = found(program.module, program.args, schedule)
    suggestion = bounds(run).suggestion
    if suggestion.type is None:
        assert suggestion.why
        return
    module = with_accumulator(program.module, run.name, suggestion.type)
    zero = run.init[0] == run.types[0].zero_point  # type: ignore[union-attr]
    for order in SCHEDULES if zero else {schedule, "left", "balanced", "random(7)"}:
        trace = interp.trace(module, *program.args, schedule=order, kinds=WRONG)
        assert [event for event in trace.events if event.op.result.name == run.name] == []


@settings(max_examples=120)
@given(small_reductions())
def test_the_narrowest_is_suggested_and_where_none_is_a_assumption_fails(program: Program) -> None:
    """The specification's side of the assumption is held against the sums of the same leaves."""
    run = found(program.module, program.args)
    given = bounds(run)
    assume(run.is_sum and given.by_value)
    type: Any = run.types[0]
    sources = max(value.type.storage_type.bits for value in program.module.main.inputs)
    least, greatest, *_ = given.by_value  # type: ignore[misc]
    signed, proven = type.storage_type.kind == "signed" or least < 0, []
    for bits in (4, 8, 16, 32):
        tried = with_storage(type, integer(bits, signed))
        held = tried.storage_min <= min(least, type.zero_point) and greatest <= tried.storage_max
        if bits >= sources and held and addition_is_integer(tried, least, greatest):
            proven.append(tried)
    assert (given.suggested is None) == (not proven)
    if proven and given.suggestion.scope == "these inputs":
        assert given.suggested == proven[0]


@pytest.mark.parametrize(
    ("type", "row", "suggestion"),
    [
        ("u8:f16, 255.5", [200, 200], "none, a proof needs p >= 13 and f16 has 11"),
        ("u8:f16, 511.0", [90, 90], "none, a proof needs p >= 12 and f16 has 11"),
        (
            "u8:f16, 511.0",
            [50, 50],
            "ui7 for these inputs; !quant.uniform<u8:f16, 5.110000e+02> is the next storage type",
        ),
        ("u16:f16, 511.0", [50, 50], "none, 511 * 2^8 is beyond f16"),
        ("u8:bf16, 1.0", [255] * 7, "none, a proof needs p >= 11 and bf16 has 8"),
        ("u8:bf16, 1.0", [25] * 7, "!quant.uniform<u8:bf16, 1.000000e+00> for these inputs"),  # 175 is ui8
        (
            "u8:f16, 1.0",
            [255] * 7,  # and an init: at most 8 * 255
            "ui11; !quant.uniform<u16:f16, 1.000000e+00> is the next storage type",
        ),
        ("i32:f64, 1.0", [2**31 - 1] * 2, "none, 33 bits are needed and there are at most 32"),
    ],
)
def test_every_place_gives_the_suggestion_or_what_is_missing(
    type: str, row: list[int], suggestion: str
) -> None:
    q = quantized(type)
    module = reduced(f"{len(row)}x{q}")
    dtype = module.main.inputs[0].type.storage_type.numpy
    trace = interp.trace(module, np.array(row, dtype), np.array(0, dtype))
    given = trace.bounds()
    assert repr(given.suggestion) == suggestion
    assert f"suggested: {suggestion}" in repr(given)
    short = given.suggested.storage_type.name if given.suggested else ""
    assert repr(trace.summary()).endswith(given.suggestion.text(short, is_short=True))
    found_there = unescape(page(trace))
    assert suggestion in found_there
    assert (f"({given.suggestion.bits} bits are needed)" in found_there) == bool(given.suggestion.bits)


@settings(max_examples=15)
@given(st.lists(st.integers(-128, 127), min_size=2, max_size=6), st.booleans())
def test_the_suggested_bits_are_the_fewest_that_hold_every_sum(row: list[int], is_zero: bool) -> None:
    init = 0 if is_zero else 127
    module = reduced(f"{len(row)}xi8")
    trace = interp.trace(module, np.array(row, np.int8), np.array(init, np.int8))
    count = len(row) + 1  # with an init that may be any number
    bits = next(b for b in range(8, 32) if -(2 ** (b - 1)) <= -128 * count <= 127 * count < 2 ** (b - 1))
    found = trace.bounds().suggestion
    assert (found.bits, found.scope) == (bits, "any data")
    assert repr(found) == (f"i{bits}; i16 is the next storage type" if bits < 16 else "i16")
    nodes = np.cumsum([init, *row])[1:].tolist()
    needed = next(b for b in range(1, 32) if all(-(2 ** (b - 1)) <= x < 2 ** (b - 1) for x in nodes))
    explained = trace.explain("%0", ())
    assert explained.bits == needed
    is_off = not -128 <= nodes[-1] <= 127
    assert (f"its sums need {needed} bits of 8" in repr(explained)) == is_off


def test_what_only_chooses_needs_no_sums() -> None:
    """2^8 * 511 is not finite in f16, but every number up to 128 comes back."""
    q = quantized("u8:f16, 511.0")
    module = reduced(f"2x{q}", body="maximum")
    given = bounds(found(module, (np.uint8([100, 128]), np.uint8(0))))
    assert repr(given.suggestion) == "!quant.uniform<u8:f16, 5.110000e+02> for these inputs"
    given = bounds(found(module, (np.uint8([100, 129]), np.uint8(0))))
    assert given.suggested is None


def test_unsigned_sums_that_are_negative_need_a_sign() -> None:
    """u8 with the zero point 100: -100 + -100 + 100."""
    q = quantized("u8:f32, 1.0:100")
    module = reduced(f"3x{q}")
    bound = bounds(found(module, (np.uint8([0, 0, 200]), np.uint8(100)))).by_value
    assert bound is not None
    assert (bound.least, bound.greatest, bound.signed, bound.bits) == (-100, 200, True, 9)


def test_plain_integers_beyond_64_bits() -> None:
    given = bounds(plain("i64", "add", [[2**62, 2**62, 2**62]], 0).reduction)
    assert given.by_value is not None
    assert (given.by_value.greatest, given.by_value.bits) == (3 * 2**62, 65)
    assert given.suggested is None
    assert bounds(plain("ui64", "add", [[2**63, 2**63]], 0).reduction).by_value[1] == 2**64  # type: ignore[index]


def test_a_scalar_in_a_window_of_no_dimensions() -> None:
    ui64 = ELEMENT_TYPES["ui64"]
    sum_of_one = builders.module(builders.reduce_window("add", ui64, ui64, (), ()))
    found = interp.trace(sum_of_one, np.uint64(2**64 - 3), np.uint64(5)).bounds()
    assert found.by_value is not None
    assert found.by_value[:3] == (5, 2**64 + 2, 65)


@pytest.mark.parametrize(
    ("dtype", "most"), [("int64", 2**63 - 1), ("uint32", 2**32 - 1), ("uint64", 2**64 - 1)]
)
@pytest.mark.parametrize("size", [0, 1])
def test_the_greatest_init_value_keeps_its_digits_as_padding(dtype: str, most: int, size: int) -> None:
    """By hand: a window of two places folds the init, the input if there is one, and the init as padding.

    i64 holds 2^63 - 1, and f64 holds neither that nor 2^64 - 1.
    """
    source, signed = dtype.replace("int", "i"), dtype[0] == "i"
    for body, greatest in (("maximum", most), ("minimum", most), ("add", 3 * most)):
        module = windowed(f"{size}x{source}", (2,), "", body, padding=((0, 2 - size),))
        bound = bounds(found(module, (np.zeros(size, dtype), np.array(4, dtype)))).by_type
        assert bound is not None
        assert (bound.greatest, bound.bits) == (greatest, greatest.bit_length() + signed)


@pytest.mark.parametrize(("element", "body"), [("f32", "add"), ("i8", "multiply"), ("i1", "add")])
def test_what_is_not_known_is_said(element: str, body: str) -> None:
    given = bounds(plain(element, body, [[1, 1]], 1).reduction)
    assert given.by_type is given.by_value is given.by_schedule is given.headroom is given.suggested is None
    assert "unknown: no theorem about this body on these types" in repr(given)


# Another accumulator


def pool() -> tuple[Module, np.ndarray]:
    return interp.load(f"{POOL}.mlir"), np.load(f"{POOL}.npz")["arg0"]


def test_the_pool_put_right() -> None:
    m, x = pool()
    given = bounds(found(m, (x,)))
    assert (given.by_type[:3], given.headroom) == ((-65536, 65024, 17), -1)  # type: ignore[index]
    assert repr(given.suggested) == "!quant.uniform<i32:f32, 6.250000e-03>"
    wide = with_accumulator(m, "sum", given.suggested)
    assert wide.main.results == m.main.results
    trace = interp.trace(wide, x)
    assert not trace.events
    assert verdicts(trace.reduction()).counts == {"safe": 48}
    step = float(m.main.results[0].quantized_element_type.scale)
    means = x.astype(float)[0].reshape(20, 20, 3)
    exact = np.array(
        [[means[i : i + 8, j : j + 8].mean((0, 1)) for j in range(0, 13, 4)] for i in range(0, 13, 4)]
    )
    wrong = [np.abs(t.results[0].dequantize()[0] - exact * step).max() for t in (interp.trace(m, x), trace)]
    assert wrong[1] <= step / 2 * 1.001 < wrong[0]
    narrow = with_accumulator(wide, "%sum", "!quant.uniform<i16:f32, 6.250000e-03>")
    assert narrow == m == with_accumulator(wide, "%sum", "i16")


def test_results_that_others_use_are_converted_back() -> None:
    q = quantized("i8:f32, 0.5")
    text = f"""func.func @main(%x: tensor<2x4x{q}>, %init: tensor<{q}>) -> (tensor<2x1x{q}>, tensor<2x{q}>) {{
      %sum = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1]
        : (tensor<2x4x{q}>, tensor<{q}>) -> tensor<2x{q}>
      %column = stablehlo.reshape %sum : (tensor<2x{q}>) -> tensor<2x1x{q}>
      %twice = stablehlo.add %sum, %sum : tensor<2x{q}>
      return %column, %twice : tensor<2x1x{q}>, tensor<2x{q}>
    }}"""
    m = interp.load(text)
    x = np.int8([[100, 100, -50, -100], [1, 2, 3, 4]])
    assert interp.run(m, x, np.int8(0))[0].storage.tolist() == [[-23], [10]]
    wide = with_accumulator(m, "%sum", quantized("i16:f32, 0.5"))
    column, twice = interp.run(wide, x, np.int8(0))
    assert (column.storage.tolist(), twice.storage.tolist()) == ([[50], [10]], [100, 20])
    assert interp.run(interp.load(repr(wide)), x, np.int8(0)) == (column, twice)
    assert sum(op.name == "stablehlo.uniform_quantize" for op in wide.ops()) == 2


def test_plain_integers_are_converted_back() -> None:
    module = reduced("3xi8")
    wide = with_accumulator(module, "%0", "i32")
    x = np.int8([100, 100, -100])
    assert interp.run(wide, x, np.int8(0))[0].storage == interp.run(module, x, np.int8(0))[0].storage == 100
    assert [op.name for op in wide.main.body.ops][1:] == ["stablehlo.convert", "func.return"]


def test_what_cannot_be_retyped() -> None:
    m, _ = pool()
    with pytest.raises(interp.Malformed, match=r"no reduction %9\n  reductions: %sum"):
        with_accumulator(m, "%9", "i32")
    with pytest.raises(interp.Violation):
        with_accumulator(m, "%sum", "!quant.uniform<i4:f32, 6.250000e-03>")
    with pytest.raises(interp.Malformed):
        with_accumulator(m, "%sum", "!quant.uniform<i99:f32, 1.0>")


def test_sums_of_converted_bytes_are_suggested_by_their_own_range() -> None:
    """Four leaves of i32 could need i34; but they were i8, and no sum of these leaves 10 bits."""
    text = """func.func @main(%x: tensor<4xi8>) -> tensor<i32> {
      %0 = stablehlo.convert %x : (tensor<4xi8>) -> tensor<4xi32>
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1 = stablehlo.reduce(%0 init: %c) applies stablehlo.add across dimensions = [0]
        : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
      return %1 : tensor<i32>
    }"""
    answer = interp.trace(text, np.array([-128, -128, -128, 100], np.int8)).bounds()
    assert answer.by_type is not None
    assert answer.by_type.bits == 34
    assert repr(answer.suggestion) == "i10 for these inputs; i32 is the next storage type"


def test_no_type_is_suggested_where_the_expressed_type_saturates() -> None:
    """f4E2M1FN ends at 6, and has neither infinity nor NaN: an init of 255 becomes 6 without a clamp."""
    q = quantized("u8:f4E2M1FN, 1.7:65")
    module = reduced(f"0x{q}")
    given = bounds(found(module, (np.zeros(0, np.uint8), np.uint8(0))))
    assert given.suggestion.scope != "any data"


def test_a_suggestion_rounds_no_leaf_to_its_bound() -> None:
    """-1 of scale 12.5 is -12 in f8E5M2, and -12 + 3 = -9, which it rounds to -8: its numbers are 2 apart.

    In i4 that saturates, as `quantize` is asked for -9; i8 holds it, and -8 is what is stored.
    """
    source, type = "!quant.uniform<i2:f8E5M2, 12.5>", "!quant.uniform<u2:f8E5M2, 1.0:3>"
    text = f"""func.func @main(%x: tensor<1x{source}>, %i: tensor<{source}>) -> tensor<{type}> {{
      %0 = "stablehlo.reduce"(%x, %i) ({{
      ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
        %m = stablehlo.minimum %a, %b : tensor<{type}>
        stablehlo.return %m : tensor<{type}>
      }}) {{dimensions = array<i64: 0>}} : (tensor<1x{source}>, tensor<{source}>) -> tensor<{type}>
      return %0 : tensor<{type}>
    }}"""
    args = np.int8([-1]), np.int8(-1)
    suggested = interp.trace(interp.load(text), *args).bounds().suggested
    assert suggested is None or suggested.storage_type.bits > 4
    for bits, saturates in ((4, True), (8, False)):
        wide = text.replace(type, f"!quant.uniform<i{bits}:f8E5M2, 1.0:3>")
        events = interp.trace(interp.load(wide), *args).events
        assert any(event.kind == "saturate" for event in events) == saturates
