"""Fast paths: each equals the plain fold, up to the edge of its assumptions, and is refused beyond it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, note, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY, Namespace, loops
from interp.backends.jax_backend import jax_namespace
from interp.engine.evaluate import Listener
from interp.engine.quant import dequantize, quantize, to_destination_type
from interp.execute.plan import Seen
from interp.speed import choice, jax_impl, numpy_impl, order_free, saturating_fold
from interp.theory.quantized_arithmetic import conversion_shift, conversion_table, exact_sums
from spec.ir import Op, Value
from spec.schedule import LEFT, parse
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized
from tests.library.builders import Element, module, reduce, windowed
from tests.library.oracles.bodies import addition_is_integer
from tests.library.strategies.programs import Program, quantized_types, stored
from tests.test_engine import agree

RANDOM = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
SCHEDULES = st.sampled_from(["left", "left", "left", "balanced", "blocks(2)", "blocks(3)", "random(5)"])
WHOLE = ("add", "multiply", "maximum", "minimum", "and", "or", "xor")


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thresholds so small that a dozen leaves pass them."""
    monkeypatch.setattr(saturating_fold, "TRIED", (1, 2))
    for unit in (saturating_fold, jax_impl, numpy_impl):
        monkeypatch.setattr(unit, "FEW", 4)
    monkeypatch.setattr(numpy_impl, "PART", 2)
    monkeypatch.setattr(numpy_impl, "ROWS", 2)
    monkeypatch.setattr(numpy_impl, "BOX", 8)
    monkeypatch.setattr(choice, "BLOCK", 3)
    monkeypatch.setattr(jax_impl, "BOX", 4)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Element, Element]:
    """An element type, and one to accumulate in: often with the same scale, so that conversion is a shift."""
    if draw(st.integers(0, 4)) == 0:
        sign, bits = draw(st.sampled_from(("i", "ui"))), draw(st.sampled_from((2, 4, 8, 16)))
        wide = draw(st.sampled_from([b for b in (bits, 8, 32, 64) if b >= bits]))
        other = sign if draw(st.integers(0, 3)) else draw(st.sampled_from(("i", "ui")))
        return ELEMENT_TYPES[f"{sign}{bits}"], ELEMENT_TYPES[f"{other}{wide}"]
    if draw(st.integers(0, 4)) == 0:  # a dozen leaves may pass the range, and seldom do
        return make_quantized("i4", "f32", 0.5, 1), make_quantized(
            "i8", "f32", 0.5, 3, storage_min=-60, storage_max=60
        )
    source = draw(quantized_types())
    if draw(st.booleans()):
        return source, source
    wide = draw(quantized_types(source.expressed_type.name, source.storage_type.bits))
    if draw(st.integers(0, 3)):
        wide = replace(wide, scales=source.scales)
    return source, wide


@st.composite
def programs(draw: st.DrawFn) -> Program:
    source, accumulation = draw(pairs())
    names = WHOLE if not isinstance(source, QuantizedType) else ("add", "add", "maximum", "minimum")
    shape = tuple(draw(st.sampled_from(((12,), (17,), (5, 7), (13, 2), (2, 13), (3, 4, 5), (2, 0), ()))))
    dimensions = tuple(draw(st.permutations(range(len(shape)))))[: draw(st.integers(min(1, len(shape)), 3))]
    op = reduce(draw(st.sampled_from(names)), source, accumulation, shape, dimensions)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return Program(module(op), tuple(stored(rng, v.type) for v in op.operands))


def test_fast_paths_equal_the_plain_fold() -> None:
    """Every form is met: the equality would prove nothing about one that is not."""
    seen: Counter[str] = Counter()

    @settings(RANDOM, max_examples=200)
    @given(programs(), SCHEDULES)
    def check(program: Program, tree: str) -> None:
        listener = Seen(parse(tree))
        (fast,) = interp.run(program.module, *program.args, schedule=tree, listeners=[listener])
        (plain,) = interp.run(program.module, *program.args, schedule=tree, listeners=[Listener()])
        note(f"{listener.plan!r}\nfast {fast!r}\nplain {plain!r}")
        seen.update(theorem for row in listener.plan.rows for theorem, _ in row.tried)
        assert fast == plain

    check()
    assert set(seen) >= {"integer addition", "integer addition by data", "forgetting", "composition"}
    assert set(seen) >= {"left fold", "maximum of storage", "minimum of storage", "plain fold"}


@settings(RANDOM, max_examples=50)
@given(programs(), SCHEDULES)
def test_fast_paths_equal_the_oracle(program: Program, tree: str) -> None:
    agree(program, parse(tree))


@settings(RANDOM, max_examples=8)
@given(programs(), st.sampled_from(["left", "left", "balanced", "blocks(3)"]))
def test_compiled_fast_paths_equal_the_plain_fold(program: Program, tree: str) -> None:
    (plain,) = interp.run(program.module, *program.args, schedule=tree, listeners=[Listener()])
    (compiled,) = interp.compile(program.module, schedule=tree)(*program.args)
    assert np.array_equal(plain.storage, np.asarray(compiled))


# The assumptions, at their edges.


@settings(RANDOM, max_examples=100)
@given(quantized_types())
def test_exact_sums_are_what_the_specification_proves(type: QuantizedType) -> None:
    """For wide storage the bound is no less: it fails one unit further."""
    assume(type.storage_type.bits > 8 or type.storage_max - type.storage_min < 20)
    exact, zero_point = exact_sums(type), type.zero_point
    whole = 2 * type.storage_min - zero_point, 2 * type.storage_max - zero_point
    if exact is not None:
        assert addition_is_integer(type, *exact)
    if type.storage_type.bits > 8 and exact != whole:
        least, greatest = exact or (zero_point, zero_point)
        outside = zero_point if exact is None else greatest + 1 if greatest < whole[1] else least - 1
        assert not addition_is_integer(type, min(least, outside), max(greatest, outside))


@settings(RANDOM, max_examples=75)
@given(quantized_types(), st.data())
def test_a_shift_is_what_conversion_does(source: QuantizedType, data: st.DataObject) -> None:
    """Convert all of narrow storage, and the ends and the numbers near zero of wide storage."""
    wide = data.draw(quantized_types(source.expressed_type.name, source.storage_type.bits))
    destination = replace(wide, scales=source.scales)
    shift = conversion_shift(source, destination)
    ends = np.array([source.storage_min, source.zero_point, source.storage_max])
    some = np.clip(ends[:, None] + np.arange(-40, 41), source.storage_min, source.storage_max)
    given = some.astype(NUMPY.carrier(source.storage_type))
    with np.errstate(all="ignore"):
        found = to_destination_type(NUMPY, given, source, destination)
    if shift is not None:
        assert (found == some + shift).all()
    elif source.storage_type.bits <= 16:
        assert len(set((conversion_table(source, destination) - np.arange(*_span(source))).tolist())) > 1


def _span(type: QuantizedType) -> tuple[int, int]:
    return type.storage_min, type.storage_max + 1


I8, I32 = make_quantized("i8", "f32", 0.3, 0), make_quantized("i32", "f32", 0.3, 0)


def form_of(op: Op, tree: str = "left") -> order_free.Form | order_free.Plain:
    n = op.operands[0].type.size
    found = order_free.reduction_of(op, 0, parse(tree), n)
    return found if isinstance(found, order_free.Plain) else order_free.order_free(found)


@pytest.mark.parametrize(("scale", "n"), [(0.3, 8191), (1.0, 131071)])
def test_types_prove_a_sum_up_to_the_last_leaf(scale: float, n: int) -> None:
    """Leaves and an init of -128 reach 2^20, or 2^24 with a power of two as scale; one more passes it."""
    source, accumulation = (replace(type, scales=(scale,)) for type in (I8, I32))
    last, beyond = (form_of(reduce("add", source, accumulation, (m,), (0,))) for m in (n, n + 1))
    assert isinstance(last, order_free.Form)
    assert last.within is None
    assert isinstance(beyond, order_free.Form)
    assert beyond.within == (-(2**20), 2**20) if scale == 0.3 else (-(2**24), 2**24)


def test_a_sum_beyond_the_bound_is_not_that_of_the_integers() -> None:
    """The largest leaves lead past 2^24 * 0.3, where f32 has no place for a step; data decide against."""
    scale, n = 0.3, 170_000
    source, accumulation = replace(I8, scales=(scale,)), replace(I32, scales=(scale,))
    program, x = module(reduce("add", source, accumulation, (n, 1), (0,))), np.full((n, 1), 127, np.int8)
    listener = Seen(LEFT)
    (out,) = interp.run(program, x, np.int8(0), listeners=[listener])
    stepwise = "compiled loop" if loops.available() else "left fold"
    assert [theorem for row in listener.plan.rows for theorem, _ in row.tried] == [stepwise]
    assert out.storage[0] != 127 * n
    x[::2] = -127
    (out,) = interp.run(program, x, np.int8(0), listeners=[listener])
    assert listener.plan.rows[-1].tried[0][0] == "integer addition by data"
    assert out.storage[0] == 0


def test_data_prove_a_sum_for_a_schedule() -> None:
    """The prefixes of 31 times -4 and 32 times 7 lie in [-124, 100], but the second half of a tree clamps."""
    four, eight = make_quantized("i4", "f32", 0.5, 0), make_quantized("i8", "f32", 0.5, 0)
    program = module(reduce("add", four, eight, (63,), (0,)))
    x = np.int8([-4] * 31 + [7] * 32)
    for tree, theorem, result in (("left", "integer addition by data", 100), ("balanced", "plain fold", 3)):
        listener = Seen(parse(tree))
        (out,) = interp.run(program, x, np.int8(0), schedule=tree, listeners=[listener])
        assert (listener.plan.rows[0].tried[0][0], out.storage) == (theorem, result)


def test_maxima_of_another_sign_are_those_of_converted_leaves() -> None:
    """255 is -1 in i8: conversion before the choice, which keeps no order."""
    unsigned, signed = ELEMENT_TYPES["ui8"], ELEMENT_TYPES["i8"]
    op = reduce("maximum", unsigned, signed, (2,), (0,))
    assert isinstance(form_of(op), order_free.Plain)
    assert interp.run(module(op), np.uint8([255, 1]), np.uint8(0))[0].storage == 1


def test_saturating_addition_needs_its_premise() -> None:
    """101 + 0 is not 101 steps of 0.3 any more in `i8:bf16`: none of it is integer addition."""
    narrow = make_quantized("i8", "bf16", 0.3, 0)
    assert isinstance(form_of(reduce("add", narrow, narrow, (9,), (0,))), order_free.Plain)
    assert isinstance(form_of(reduce("maximum", narrow, narrow, (9,), (0,))), order_free.Plain)


@pytest.mark.parametrize("name", ["and", "or", "xor"])
def test_bits_of_a_sign_stay_in_their_width(name: str) -> None:
    """-1 of i4 is 15 of ui4, with an even or odd number of inits."""
    op = reduce(name, ELEMENT_TYPES["i4"], ELEMENT_TYPES["ui4"], (3,), (0,))
    program = Program(module(op), (np.int8([-1, -1, -1]), np.array(-1, np.int8)))
    for tree in ("left", "blocks(2)"):
        (compiled,) = interp.compile(program.module, schedule=tree)(*program.args)
        (plain,) = interp.run(program.module, *program.args, schedule=tree, listeners=[Listener()])
        assert interp.run(program.module, *program.args, schedule=tree)[0] == plain
        assert compiled == plain.storage


def test_a_sum_along_no_dimension_is_one_of_the_accumulation_type() -> None:
    """JAX adds i64 and ui64 in f64."""
    op = reduce("add", ELEMENT_TYPES["i64"], ELEMENT_TYPES["ui64"], (2,), ())
    args = np.array([2**62 + 1, -1]), np.array(2)
    (compiled,) = interp.compile(module(op))(*args)
    assert interp.run(module(op), *args)[0].storage.tolist() == compiled.tolist() == [2**62 + 3, 1]


@pytest.mark.slow("compiles each", rows=1)
@pytest.mark.parametrize("columns", [(), (3,), (20,)])
def test_leaves_that_move_nothing_forget_nothing(columns: tuple[int, ...]) -> None:
    """They lead from the least number, 0, to 0, but from no other one."""
    source, type = make_quantized("u8", "f32", 0.7, 100), make_quantized("u8", "f32", 0.3, 64, storage_max=64)
    op = reduce("add", source, type, (12, *columns), (0,))
    program = Program(module(op), (np.full((12, *columns), 100, np.uint8), np.uint8(80)))
    (out,) = interp.run(program.module, *program.args)
    assert (out.storage == 17).all()
    assert np.array_equal(interp.compile(program.module)(*program.args)[0], out.storage)


@pytest.mark.parametrize("columns", [(), (20,)])
def test_wide_leaves_lose_their_zero_point_before_they_are_rounded(columns: tuple[int, ...]) -> None:
    """2^24 + 3 less 1 is a number of f32, and not what is left of 2^24 + 4, which is one as well."""
    type = make_quantized("i32", "f32", 1.0, 1, storage_min=-(2**31), storage_max=2**31 - 128)
    op = reduce("add", type, type, (3, *columns), (0,))
    program = Program(module(op), (np.full((3, *columns), 2**24 + 3, np.int32), np.array(1, np.int32)))
    (out,) = interp.run(program.module, *program.args)
    assert (out.storage == 3 * 2**24 + 8).all()
    assert np.array_equal(interp.compile(program.module)(*program.args)[0], out.storage)
    assert isinstance(
        saturating_fold.step_of(order_free.Reduction("add", type, type, type, 3, 1)), order_free.Plain
    )


@st.composite
def float_types(draw: st.DrawFn) -> QuantizedType:
    """Accumulation types of steps in f32: wide ones with the zero point 0, others up to 2^24 with any."""
    scale = draw(st.sampled_from((0.3, 0.25, 0.007, 1.0, 3.0, 2.0**-100, 7e28)))
    if draw(st.booleans()):
        return make_quantized(draw(st.sampled_from(("i32", "u32"))), "f32", scale)
    low, high = draw(st.sampled_from(((-(2**24), 2**24), (-(2**24), -1), (-1000, 2**23 + 1), (-128, 127))))
    return make_quantized(
        "i32", "f32", scale, draw(st.integers(low, high)), storage_min=low, storage_max=high
    )


def some_stored(rng: np.random.Generator, type: QuantizedType, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers near the ends of the range, around the zero point at every distance, and anywhere."""
    low, high = type.storage_min, type.storage_max
    near = rng.choice([low, high, type.zero_point], shape)
    distance = (rng.integers(-2, 3, shape) * 2.0 ** rng.integers(0, 32, shape)).astype(np.int64)
    found = np.where(rng.random(shape) < 0.8, near + distance, rng.integers(low, high, shape, endpoint=True))
    return found.clip(low, high).astype(NUMPY.carrier(type.storage_type))


def at_once(xp: Namespace, run: Callable[[], Any]) -> Any:
    """Return a result; XLA compiles all operations together, which takes less time than each by itself."""
    return run() if xp is NUMPY else jax.jit(run)()


@pytest.mark.parametrize("xp", [NUMPY, jax_namespace()], ids=["numpy", "jax"])
@settings(RANDOM, max_examples=10)
@given(float_types(), st.integers(0, 2**32), st.booleans())
def test_steps_in_floats_are_additions_as_specified(
    xp: Namespace, type: QuantizedType, number: int, narrow: bool
) -> None:
    """Steps start in the range and beyond both of its ends, where sums, quotients and products round."""
    rng = np.random.default_rng(number)
    source = make_quantized("i8", "f32", type.scale, 3) if narrow else type
    step = saturating_fold.float_step(these := order_free.Reduction("add", source, source, type, 5, 1), "")
    assert isinstance(step, saturating_fold.FloatStep)
    x, states = some_stored(rng, source, (5, 600)), some_stored(rng, type, (600,))
    expected = states
    with np.errstate(all="ignore"):
        for leaf in to_destination_type(NUMPY, x, source, type):
            total = dequantize(NUMPY, expected, type) + dequantize(NUMPY, leaf, type)
            expected = quantize(NUMPY, total, type)
        with jax.enable_x64(True):
            fold = saturating_fold.Stored(
                xp, these, xp.asarray(x), (0, 1), 1, None, lambda *_: None, choice.implementation(xp)
            )
            found = at_once(xp, lambda: fold.steps(xp.asarray(states), step))
            assert (np.asarray(found) == expected).all()


def test_steps_in_floats_need_their_assumptions() -> None:
    """2^24 + 3 is no f32, so less a zero point it is another number; and a sum of infinities is none."""
    beyond = make_quantized("i32", "f32", 1.0, 1, storage_min=0, storage_max=2**24 + 4)
    these = order_free.Reduction("add", beyond, beyond, beyond, 1, 1)
    assert isinstance(saturating_fold.float_step(these, ""), order_free.Plain)
    at_bound = replace(beyond, storage_max=2**24)
    assert isinstance(
        saturating_fold.float_step(these._replace(accumulation=at_bound), ""), saturating_fold.FloatStep
    )
    step = saturating_fold.FloatStep("", beyond, beyond)
    x, states = np.array([[1]], np.int32), np.array([2**24 + 3], np.int32)
    with jax.enable_x64(True):
        fold = saturating_fold.Stored(
            jax_namespace(), these, jax.numpy.asarray(x), (0, 1), 1, None, None, jax_impl
        )  # type: ignore[arg-type]
        assert fold.steps(states, step) != states
    infinite = make_quantized("i32", "f32", 2.0**97)
    assert saturating_fold.float_step(these._replace(accumulation=infinite), "so") == order_free.Plain("so")
    finite = make_quantized("i32", "f32", float(np.nextafter(np.float32(2.0**97), np.float32(0))))
    assert isinstance(
        saturating_fold.float_step(these._replace(accumulation=finite), ""), saturating_fold.FloatStep
    )


def test_no_leaf_is_looked_at_where_the_init_is_beyond_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, nodes = [], choice.nodes
    monkeypatch.setattr(choice, "nodes", lambda fold, *rest: looked.append(fold) or nodes(fold, *rest))
    op = reduce("add", I8, I32, (12, 3), (0,))
    program = module(replace(op, operands=(op.operands[0], Value("%init", TensorType((), I32)))))
    least, greatest = exact_sums(I32)
    inits = least - 1, least, greatest, greatest + 1
    for init in inits:
        (out,) = interp.run(program, np.zeros((12, 3), np.int8), np.array(init, np.int32))
        assert out.storage.tolist() == [init] * 3
    assert [int(fold.init) for fold in looked] == [*inits[1:3]]


@settings(RANDOM, max_examples=15)
@given(
    st.sampled_from([np.int8, np.uint8, np.int16, np.uint16]),
    st.sampled_from([1, 7, 8, 9, 255, 256, 257, 530, 65535, 65536, 65537]),
    st.integers(0, 2),
)
def test_sums_in_f32_are_those_of_integers(dtype: type, n: int, dimension: int) -> None:
    """Drawn are the least and greatest numbers, a leaf more than fit in an integer, and sums below 2^24."""
    least, greatest = np.iinfo(dtype).min, np.iinfo(dtype).max
    x = np.random.default_rng(n).integers(least, greatest, (n, 2, 2), dtype, endpoint=True)
    x[:, 0] = least, greatest
    x = np.moveaxis(x, 0, dimension)
    combined = partial(jax_impl.combine_along, jax_namespace())
    with jax.enable_x64(True):
        found = jax.jit(lambda x: combined(x, [dimension], "add", np.dtype(np.int64)))(x)
    assert (np.asarray(found) == x.sum(dimension, dtype=np.int64)).all()


@settings(RANDOM, max_examples=150)
@given(st.data())
def test_steps_in_floats_of_python_are_those_of_numpy(data: st.DataObject) -> None:
    """Steps start anywhere in the range, also on ties and where sums, quotients and products round."""
    bits, scale = data.draw(st.sampled_from((8, 16, 32))), data.draw(st.sampled_from((0.3, 0.25, 0.007, 3.0)))
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    whole = bits < 32
    zero_point = data.draw(st.integers(max(low, -99), min(high, 99))) if whole else 0
    type = make_quantized(f"i{bits}", "f32", scale, zero_point)
    start = data.draw(
        st.sampled_from((low, -(2**24), 0, 2**23, 2**24, 2**29, high)).map(lambda q: min(max(q, low), high))
    )
    reach = data.draw(st.sampled_from((1, 100, 2**20)))
    halves = st.lists(st.integers(-2 * reach, 2 * reach), min_size=1, max_size=30)
    values = np.float32(data.draw(halves)) * np.float32(scale / 2)
    real = dequantize(NUMPY, np.array(start, NUMPY.carrier(type.storage_type)), type)
    fast, plain = (
        through(np.array(real), iter([values[:7], values[7:]] if len(values) > 7 else [values]), type)
        for through in (numpy_impl._in_floats, numpy_impl._in_arrays)
    )
    assert fast == plain


def test_per_axis_types_have_no_fast_path() -> None:
    type = replace(I8, scales=(0.3, 0.5), zero_points=(0, 0), quantization_dimension=1)
    op = reduce("add", type, I32, (3, 2), (0,))
    assert form_of(op) == order_free.Plain("its types are neither all integers nor all quantized per tensor")


@settings(RANDOM, max_examples=100)
@given(st.lists(st.lists(st.integers(-9, 5), min_size=3, max_size=3), min_size=1, max_size=6), st.data())
def test_prefixes_lie_between_what_block_sums_allow(blocks: list[list[int]], data: st.DataObject) -> None:
    seed = data.draw(st.integers(-20, 20))
    fold = saturating_fold.Stored(NUMPY, None, None, (), 1, None, lambda *_: None, numpy_impl)  # type: ignore[arg-type]
    sums, counts = np.array([sum(b) for b in blocks]), np.full(len(blocks), 3)
    least, greatest, last = choice.prefixes(fold, np.int64(seed), sums, counts, -9, 5)
    true = list(accumulate((v for b in blocks for v in b), initial=seed))
    assert least <= min(true)
    assert max(true) <= greatest
    assert last == true[-1]
    worst = [seed, *(seed - 9 * k for k in range(1, 4))]
    assert choice.prefixes(fold, np.int64(seed), np.array([-27]), np.array([3]), -9, 5)[0] == min(0, *worst)


def test_block_sums_are_those_of_consecutive_leaves() -> None:
    x = np.arange(2 * 3 * 5 * 4).reshape(2, 3, 5, 4).astype(np.int16)
    form = order_free.Form("", "", None, "add", np.dtype(np.int64))  # type: ignore[arg-type]
    fold = saturating_fold.Stored(NUMPY, None, x, (0, 1, 2, 3), 3, None, lambda *_: None, numpy_impl)  # type: ignore[arg-type]
    for size in range(1, 40):
        sums, counts = choice.block_sums(fold, form, size)
        ends = counts.ravel().cumsum()
        assert counts.max() <= size
        assert ends[-1] == 30
        whole = np.concatenate([np.zeros((1, 4), int), x.reshape(30, 4).cumsum(0)])
        assert (sums.cumsum(0) == whole[ends]).all()


@pytest.mark.slow("compiles each", rows=2)
@pytest.mark.parametrize("xp", [NUMPY, jax_namespace()], ids=["numpy", "jax"])
@pytest.mark.parametrize("dimensions", [(2,), (1, 2), (0, 1, 2)])
def test_steps_and_their_composition_are_the_loop_over_leaves(
    xp: Namespace, dimensions: tuple[int, ...]
) -> None:
    """Wherever the reduced dimensions lie; most sums of three leaves clamp in i8, and none in i32."""
    x = np.random.default_rng(1).integers(-99, 100, (5, 6, 7), np.int8)
    order = (*dimensions, *(d for d in range(3) if d not in dimensions))
    leaves = x.transpose(order).reshape(-1, *(x.shape[d] for d in order[len(dimensions) :])).astype(int)
    clamped = np.zeros_like(leaves[0])
    for leaf in leaves:
        clamped = np.clip(clamped + leaf, -128, 127)
    with jax.enable_x64(True):
        for accumulation, expected in ((I8, clamped), (I32, leaves.sum(0))):
            these = order_free.Reduction("add", I8, I8, accumulation, len(leaves), 1)
            seed = xp.zeros(expected.shape, NUMPY.carrier(accumulation.storage_type))
            machine = choice.implementation(xp)
            fold = saturating_fold.Stored(
                xp, these, xp.asarray(x), order, len(dimensions), seed, lambda *_: None, machine
            )
            step = saturating_fold.step_of(these)
            assert not isinstance(step, order_free.Plain)
            whole = lambda fold=fold, step=step, seed=seed: fold.steps(seed, step)
            assert (np.asarray(at_once(xp, whole)) == expected).all()
            if isinstance(step, saturating_fold.IntegerStep):
                parts = lambda fold=fold, step=step, seed=seed: saturating_fold.compose(fold, step, seed)
                assert (np.asarray(at_once(xp, parts)) == expected).all()
        assert isinstance(step, saturating_fold.FloatStep)


# What is printed.


def test_a_plan_says_what_is_tried_and_what_ran() -> None:
    program = module(reduce("add", I8, I8, (600, 2), (0,)))
    assert repr(interp.plan(program)) == (
        "reduce %0\n"
        "  forgetting, if the last leaves decide: saturating addition in [-128, 127]\n"
        "  else left fold: saturating addition in [-128, 127]"
    )
    x = np.full((600, 2), 127, np.int8)
    steps = "reduce %0\n  composition: of 600 clamped shifts: saturating addition in [-128, 127]"
    assert repr(interp.plan(program, x, np.int8(0))) == steps
    watched = Seen(LEFT)
    interp.run(program, x, np.int8(0), listeners=[watched, Listener()])
    assert repr(watched.plan) == "reduce %0\n  plain fold: its nodes are watched"


def test_a_plan_of_every_operation() -> None:
    """A plan says what types decide about windows, and that a program without reductions has none."""
    assert "wrapping add: i32 is a ring modulo 2^32" in repr(interp.plan(windowed("8xi8", (2,), "i32")))
    padded = windowed("8xi8", (2,), "i32", init=ELEMENT_TYPES["i32"])
    for args in ((), (np.ones(8, np.int8), np.int32(0))):
        assert "plain fold: the padding is of another type" in repr(interp.plan(padded, *args))
    empty = interp.load("func.func @main(%x: tensor<i8>) -> tensor<i8> { return %x : tensor<i8> }")
    assert repr(interp.plan(empty)) == "no reductions"
