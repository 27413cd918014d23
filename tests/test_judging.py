"""The assumption of monotonicity that `permits` rests on, and theorems on all schedules, beside all trees."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.questions.permitted import sufficient_schedules
from interp.questions.permitted.extremes import extremes, is_monotone
from interp.questions.permitted.search import combination, fold_leaves
from interp.questions.permitted.sufficient_schedules import (
    Work,
    _is_associative,
    few_schedules,
    few_suffice,
    is_lattice,
    requantize_leaves,
    unanimous,
)
from interp.questions.permitted.targets import parts, restrict
from interp.theory.sums import Ends
from spec.ir import Module, Op, Region
from spec.permitted import TooMany, Values
from spec.types import ELEMENT_TYPES, make_quantized
from tests.library.builders import chained, module, scattered, value
from tests.library.oracles import bodies
from tests.test_permits import one, program
from tests.test_permits_all_trees import (
    Brute,
    Builder,
    composed,
    draw_body,
    draw_element,
    draw_type,
    key,
    stored,
    worst,
)
from tests.test_permits_all_trees import program as rows_of

SEEDS = st.integers(0, 2**32)
I32 = ELEMENT_TYPES["i32"]
NO_MODULE = Module({})


def types_of(region: Region) -> list[Any]:
    return [v.type.element_type for v in region.returns]


def columns(leaves: list[Any], types: list[Any]) -> Any:
    """Leaves as `[leaves, 1]`, in the carriers of their types."""
    from interp.backends import NUMPY

    stores = [v.storage_type if hasattr(v, "storage_type") else v for v in types]
    arrays = [stored([leaf[k] for leaf in leaves], t, len(leaves), 1) for k, t in enumerate(types)]
    return tuple(NUMPY.decode(x, t) for x, t in zip(arrays, stores, strict=True))


# NaN on the way


OVERFLOWING = make_quantized("i8", "f8E4M3FN", 2.0, storage_max=126)
ROW = [np.array([[126, 111, 126, 37]], np.int8), np.int8(-121)]


@pytest.mark.parametrize(("inits", "result"), [("any", -128), ("any", 0), ("one", 0)])
def test_a_sum_that_becomes_nan_is_stored_as_0(inits: str, result: int) -> None:
    """The sum of 252 and 222 is NaN in numbers up to 448: then 0, from which three inits lead to -128."""
    m = program(OVERFLOWING, (1, 4))
    assert interp.run(m, *ROW, schedule="random(5)")[0].storage.tolist() == [0]
    judged = interp.permits(m, ROW, [np.array([result], np.int8)], inits=inits)
    assert one(judged)[0] == "permitted", judged


def test_with_one_init_minus_128_is_refuted_there() -> None:
    judged = interp.permits(program(OVERFLOWING, (1, 4)), ROW, [np.array([-128], np.int8)], inits="one")
    assert one(judged)[0] == "not permitted"


@given(SEEDS)
def test_bodies_called_monotone_on_ranges_are(seed: int) -> None:
    """All pairs of the ranges; the engine and the oracle say the same of them."""
    r = random.Random(seed)
    type = draw_type(r, (2, 3, 4))
    b = Builder([type])
    region = b.region([composed(r, b, 0)])
    ranges = [sorted(draw_element(r, type) for _ in range(2)) for _ in range(2)]
    arrays = [Ends(*(np.array([end]) for end in ends)) for ends in ranges]
    with np.errstate(all="ignore"):
        found = is_monotone(region, arrays).item()
    assert found == bodies.is_monotone(region, [tuple(ends) for ends in ranges])
    if found:
        body = Brute(region).body
        (low, high), (left, right) = ranges
        table = {(x, y): body((x,), (y,)) for x in range(low, high + 1) for y in range(left, right + 1)}
        assert all(
            table[x, y] <= table[after]
            for x, y in table
            for after in ((x + 1, y), (x, y + 1))
            if after in table
        )


@pytest.mark.parametrize(
    ("expressed", "scale", "greatest", "holds"),
    [
        ("f8E4M3FN", 1.0, 127, True),  # 254 is a number
        ("f8E4M3FN", 2.0, 127, False),  # 508 is NaN
        ("f8E4M3FN", 2.0, 116, True),  # 464 is halfway from 448, to even: still a number
        ("f8E4M3FN", 2.0, 120, False),
        ("f8E5M2FNUZ", 400.0, 127, False),
        ("f6E3M2FN", 2.0, 127, True),  # has no NaN
        ("f16", 400.0, 127, True),  # infinities of one sign only
        ("f16", 1000.0, 127, False),  # 127 and -127 are infinities that may meet
        ("f8E8M0FNU", 1.0, 127, False),  # has no zero
    ],
)
def test_the_edge_of_the_premise(expressed: str, scale: float, greatest: int, holds: bool) -> None:
    region = program(make_quantized("i8", expressed, scale), (1, 1)).main.body.ops[0].regions[0]
    ends = Ends(np.array([-greatest]), np.array([greatest]))
    with np.errstate(all="ignore"):
        assert is_monotone(region, [ends, ends]).item() is holds
    assert bodies.is_monotone(region, [(-greatest, greatest)] * 2) is holds


@pytest.mark.parametrize(("greatest", "holds"), [(112, True), (255, False)])
def test_a_quotient_by_the_scale_may_become_nan(greatest: int, holds: bool) -> None:
    """64 + 64 is a number of f8E4M3FN, and 128 / 0.25 none: 255 + 255 is stored as 0."""
    region = program(make_quantized("u8", "f8E4M3FN", 0.25), (1, 1)).main.body.ops[0].regions[0]
    assert bodies.body_of(region)((255,), (255,)) == (0,)
    ends = Ends(np.array([0]), np.array([greatest]))
    with np.errstate(all="ignore"):
        assert is_monotone(region, [ends, ends]).item() is holds
    assert bodies.is_monotone(region, [(0, greatest)] * 2) is holds


@given(SEEDS)
def test_extremes_that_hold_bound_every_tree(seed: int) -> None:
    """One operand or several, with one init; NaN, infinities and overflows among the leaves."""
    r = random.Random(seed)
    region = draw_body(r)
    types = types_of(region)
    leaves = [tuple(draw_element(r, t) for t in types) for _ in range(r.randint(1, 6))]
    with np.errstate(all="ignore"):
        found = extremes(region, columns(leaves, types), combination(NO_MODULE, region), False)
    if found is not None and found.hold.item():
        for state in Brute(region).results(leaves).values():
            ends = zip(found.least, state, found.greatest, strict=True)
            assert all(low.item() <= x <= high.item() for low, x, high in ends), (leaves, state)


def test_windows_that_compare_nan_are_unknown() -> None:
    """A select of NaN may select otherwise in another schedule: infinities of f16 times zero are none,
    but zero in f8E8M0FNU is NaN, and neither greater nor less."""
    type = make_quantized("i8", "f8E8M0FNU", 1.0)
    m = scattered(f"3x{type!r}", (3,), body="maximum")
    args = [np.array([4, 0, 1], np.int8), np.array([2], np.int8), np.int8(1)]
    orders = {tuple(interp.run(m, *args, schedule=f"random({k})")[0].storage.tolist()) for k in range(8)}
    assert len(orders) > 1
    for outs in orders:
        judged = interp.permits(m, args, [np.array(outs, np.int8)], schedules=["left"])
        assert "not permitted" not in judged.counts, judged


def test_nan_in_a_format_without_nan_is_minus_zero() -> None:
    """0 / 0 in f6E2M3FN: the zero point, as the oracle has it."""
    type = make_quantized("u8", "f6E2M3FN", 3.0, 1)
    outs = interp.run(chained(f"a b: 2x{type!r}", "divide a b"), *[np.array([1, 2], np.uint8)] * 2)
    assert outs[0].storage.tolist() == [1, 1]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("name", ["f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ", "f8E5M2"])
def test_a_format_without_minus_zero_rounds_to_zero(name: str, compiled: bool) -> None:
    """A negative quotient that underflows, converted to f32; f8E5M2 has -0."""
    narrow, f32 = ELEMENT_TYPES[name], ELEMENT_TYPES["f32"]
    a, b, q, r = value("a", narrow, 1), value("b", narrow, 1), value("q", narrow, 1), value("r", f32, 1)
    divide, convert = Op("stablehlo.divide", (a, b), (q,)), Op("stablehlo.convert", (q,), (r,))
    m = module(divide, convert)
    least = 2.0 ** (1 - narrow.bias - narrow.mantissa)
    args = [stored([x], narrow, 1) for x in (-least, 16.0)]
    outs = interp.compile(m)(*args) if compiled else interp.run(m, *args)
    zero = np.asarray(outs[0].storage if hasattr(outs[0], "storage") else outs[0])
    assert zero.tolist() == [0.0]
    assert bool(np.signbit(zero[0])) == (name == "f8E5M2")


# Theorems


@given(SEEDS)
def test_what_is_told_is_all_there_is(seed: int) -> None:
    """All trees give what the few schedules give if `few_suffice` holds; else what it names, if anything."""
    r = random.Random(seed)
    region, inits = draw_body(r), r.random() < 0.5
    types = types_of(region)
    n = r.randint(2, 4) if inits else r.randint(2, 6)
    leaves = [tuple(draw_element(r, t) for t in types) for _ in range(n)]
    arrays, combine, brute = columns(leaves, types), combination(NO_MODULE, region), Brute(region)
    with np.errstate(all="ignore"):
        known, among = few_suffice(region, arrays, combine, inits, Work(1 << 20))
        alike = unanimous(region, arrays, combine, inits, Work(1 << 20)).item()
        results = [fold_leaves(combine, arrays, schedule) for schedule in few_schedules(n, inits)]
    telling_states = {key(tuple(x[0].item() for x in result)) for result in results}
    every = set(brute.with_inits(leaves[0], leaves[1:], 2) if inits else brute.results(leaves))
    if known.item() or alike:
        assert every <= telling_states
    elif among:
        assert every <= {*map(key, among[0]), *([key(leaves[1])] if inits and n == 2 else [])}


@given(SEEDS)
def test_every_tree_of_a_few_leaves(seed: int) -> None:
    r = random.Random(seed)
    region = draw_body(r)
    types = types_of(region)
    leaves = [tuple(draw_element(r, t) for t in types) for _ in range(r.randint(1, 5))]
    arrays, combine = columns(leaves, types), combination(NO_MODULE, region)
    found = sufficient_schedules.every_tree(arrays, combine)
    states = [key(tuple(x[k, 0].item() for x in found.results)) for k in range(len(found.results[0]))]
    assert set(states) == set(Brute(region).results(leaves))
    for k, state in enumerate(states):
        again = fold_leaves(combine, arrays, found.schedule(k)) if len(leaves) > 1 else [x[0] for x in arrays]
        assert key(tuple(x[0].item() for x in again)) == state


@pytest.mark.parametrize("name", ["maximum", "remainder"])
def test_leaves_of_an_elementwise_body_settle_on_what_they_stand_for(name: str) -> None:
    """f32 has no 2^24 + 1."""
    wide = make_quantized("i32", "f32", 1.0)
    body = Builder([wide])
    region = body.region([body.emit(name, wide, body.lhs[0], body.rhs[0])])
    (found,) = requantize_leaves(region, (np.int32([[2**24 + 1], [3]]),))
    assert found.tolist() == [[2**24], [3]]


def test_eight_leaves_and_an_init_have_as_many_nodes_as_are_counted() -> None:
    region = Builder([I32])
    body = region.region([region.emit("add", I32, region.lhs[0], region.rhs[0])])
    found = sufficient_schedules.every_tree(
        (np.ones((sufficient_schedules.LEAVES, 1), np.int32),), combination(NO_MODULE, body)
    )
    nodes = sum(len(x[0]) for (first, last), x in found.values.items() if last - first > 1)
    assert nodes == sufficient_schedules.APPLICATIONS
    assert len(found.results[0]) == 1430


@given(SEEDS)
def test_parts_depend_on_no_other_operands(seed: int) -> None:
    r = random.Random(seed)
    region = draw_body(r)
    types = types_of(region)
    whole = Brute(region)
    for part in parts(region):
        own = Brute(restrict(region, part))
        for _ in range(5):
            lhs, rhs = (tuple(draw_element(r, t) for t in types) for _ in range(2))
            picked = [tuple(side[k] for k in part) for side in (lhs, rhs)]
            assert key(own.body(*picked)) == key(tuple(whole.body(lhs, rhs)[k] for k in part))


@given(SEEDS)
def test_settled_leaves_give_the_same_results(seed: int) -> None:
    r = random.Random(seed)
    region = draw_body(r)
    types = types_of(region)
    leaves = [tuple(draw_element(r, t) for t in types) for _ in range(2)]
    again = [
        tuple(x.item() for x in pair)
        for pair in zip(*requantize_leaves(region, columns(leaves, types)), strict=True)
    ]
    brute = Brute(region)
    assert key(brute.body(*leaves)) == key(brute.body(*again)) == key(brute.body(leaves[0], again[1]))


# How much is known


def argmax(type: Any, n: int, rows: int, direction: str) -> Module:
    b = Builder([type, I32])
    return rows_of(b.region(b.select(direction)), rows, n)


@pytest.mark.slow("long sums", rows=2)
@pytest.mark.parametrize("inits", ["one", "any"])
@pytest.mark.parametrize(
    ("type", "greatest"),
    [
        (make_quantized("i16", "f32", 0.3), [3, 50, 399]),
        (make_quantized("i8", "bf16", 0.1), [50]),
        (I32, [3, 50, 399]),
    ],
)
def test_four_hundred_leaves_of_argmax_are_not_unknown(type: Any, greatest: list[int], inits: str) -> None:
    """The winner, another of its value (or none has it), one of less, and a mixture of two.

    In i8:bf16 with scale 0.1 some numbers change whenever they are selected.
    """
    n, rows = 400, 4
    low = getattr(type, "storage_min", -1000)
    rng = np.random.default_rng(2)
    x = rng.integers(-100, 101, (rows, n)).astype(np.dtype(getattr(type, "storage_type", type).numpy))
    x[:, greatest] = 120
    args = [x, np.tile(np.arange(n, dtype=np.int32), (rows, 1)), x.dtype.type(low), np.int32(-1)]
    m = argmax(type, n, rows, "GT")
    values, places = (out.storage.copy() for out in interp.run(m, *args))
    places[1], values[2], places[2] = greatest[0] + (len(greatest) == 1), x[2, 7], 7
    places[3] = 8
    judged = interp.permits(m, args, [values, places], inits=inits)
    kinds = [worst(judged, row) for row in range(rows)]
    assert kinds == ["exact", *["not permitted"] * 3], judged


@pytest.mark.slow("long sums", rows=1)
@pytest.mark.parametrize("inits", ["one", "any"])
def test_the_two_greatest_of_many(inits: str) -> None:
    """Maxima and minima alone: what is associative on false and true is so on all numbers."""
    type = make_quantized("i16", "bf16", 0.5)
    b = Builder([type, type])
    (p, q), (r, s) = b.lhs, b.rhs
    low = b.emit("maximum", type, b.emit("minimum", type, p, r), b.emit("maximum", type, q, s))
    m = rows_of(b.region([b.emit("maximum", type, p, r), low]), 3, 200)
    x = np.random.default_rng(4).integers(-(2**15), 2**15, (3, 200)).astype(np.int16)
    least = np.int16(-(2**15))
    args = [x, np.full_like(x, least), least, least]
    first, second = (out.storage.copy() for out in interp.run(m, *args))
    second[1], first[2] = x[1, 5], x[2, 5]
    judged = interp.permits(m, args, [first, second], inits=inits)
    assert judged.verdicts[0].tolist() == ["exact", "exact", "not permitted"], judged
    assert judged.verdicts[1].tolist() == ["exact", "not permitted", "exact"], judged


@given(SEEDS)
def test_maxima_and_minima_of_any_kind(seed: int) -> None:
    """Associative or not: what is told of two operands that mix is what trees give."""
    r = random.Random(seed)
    b, inits = Builder([I32, I32]), r.random() < 0.5
    found = [*b.lhs, *b.rhs]
    for _ in range(r.randint(2, 4)):
        found.append(b.emit(r.choice(["maximum", "minimum"]), I32, *r.sample(found, 2)))
    region = b.region(found[-2:])
    leaves = [(r.randint(0, 4), r.randint(0, 4)) for _ in range(4)]
    arrays, combine, brute = columns(leaves, [I32, I32]), combination(NO_MODULE, region), Brute(region)
    if is_lattice(region) and _is_associative(region, inits):
        results = [fold_leaves(combine, arrays, schedule) for schedule in few_schedules(4, inits)]
        every = brute.with_inits(leaves[0], leaves[1:], 3) if inits else brute.results(leaves)
        assert set(every.values()) <= {tuple(x[0].item() for x in result) for result in results}


def test_three_inits_may_be_more_than_two() -> None:
    """The three greatest, where an init is (5, 3, 1): two of them make (5, 5, 3), three (5, 5, 5)."""
    b = Builder([I32] * 3)
    (p, q, u), (r, s, v) = b.lhs, b.rhs
    least = lambda x, y: b.emit("minimum", I32, x, y)
    most = lambda *xs: xs[0] if len(xs) == 1 else b.emit("maximum", I32, xs[0], most(*xs[1:]))
    third = most(u, v, least(p, s), least(q, r))
    region = b.region([most(p, r), most(q, s, least(p, r)), third])
    assert is_lattice(region)
    assert _is_associative(region, False)
    assert not _is_associative(region, True)
    state = {key((5, 5, 5))}
    assert state <= set(Brute(region).with_inits((5, 3, 1), [(0, 0, 0)], 3))


def test_a_set_that_is_too_large_takes_no_time() -> None:
    """The pairs are counted before any is made."""
    values = Values(lambda lhs, rhs: lhs, limit=1000)
    many = sum(1 << values.number((k,)) for k in range(20_000))
    start = time.perf_counter()
    with pytest.raises(TooMany, match="too large"):
        values.apply(dict.fromkeys(range(20_000), many))
    assert time.perf_counter() - start < 5
    assert values.limit == 1000  # what was refused costs nothing


def test_eight_leaves_are_never_unknown() -> None:
    """However many rows, and whatever is allowed for a search: two operands that multiply and add."""
    type = make_quantized("i16", "bf16", 0.37, 5)
    b = Builder([type, type])
    body = b.region(
        [b.emit(name, type, x, y) for name, x, y in zip(("multiply", "add"), b.lhs, b.rhs, strict=True)]
    )
    rng = np.random.default_rng(6)
    args = [rng.integers(-300, 300, (20, 8)).astype(np.int16) for _ in range(2)]
    outs = [rng.integers(-3000, 3000, 20).astype(np.int16) for _ in range(2)]
    judged = interp.permits(
        rows_of(body, 20, 8), [*args, np.int16(3), np.int16(9)], outs, inits="one", most=1, limit=1
    )
    assert not judged.counts["unknown"]
