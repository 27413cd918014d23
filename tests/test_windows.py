"""Windows against a plain gather: random shapes, strides, dilations, padding, bodies and schedules."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product

import jax
import numpy as np
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY, Namespace, numpy_backend, windows
from interp.backends.jax_backend import jax_namespace
from interp.engine.evaluate import Listener
from interp.kernels.reduce_window import running
from interp.speed.integer_bodies import on_integers
from spec.ir import Op, Region, Value
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized
from tests.library import builders
from tests.library.builders import combining, module, operands, reduce_window, results, selecting, windows_in
from tests.library.strategies.programs import (
    Program,
    body,
    padding,
    reduce_windows,
    select_and_scatters,
    stored,
    with_data,
)
from tests.test_engine import RANDOM, SCHEDULES, same
from tests.test_engine import agree as agree_with_oracle

COMPILED = st.sampled_from(["left", "balanced", "blocks(2)"])
I8, I32 = make_quantized("i8", "f32", 0.3, 5), make_quantized("i32", "f32", 0.3, 5)


class Watching(Listener):
    """Sees nodes, so that no fast path runs and nothing is done box by box."""


@st.composite
def pools(draw: st.DrawFn) -> Program:
    """reduce_window of one op, of types and shapes for which fast paths hold, or nearly."""
    narrow, wide = draw(st.sampled_from([(I8, I32), (I8, I8), (I8, replace(I32, zero_points=(0,)))]))
    if draw(st.booleans()):
        narrow, wide = ELEMENT_TYPES["i8"], ELEMENT_TYPES[draw(st.sampled_from(["i8", "i32"]))]
    shape = tuple(draw(st.integers(0, 12)) for _ in range(draw(st.integers(1, 3))))
    window = tuple(draw(st.integers(1, 9)) for _ in shape)
    strides, dilations, base = (tuple(draw(st.integers(1, 3)) for _ in shape) for _ in range(3))
    pads = tuple(draw(st.just((8, 8)) | st.just(padding(draw))) for _ in shape)
    attributes = builders.windowing(window, strides, base, dilations, pads)
    out = windows_in(shape, attributes)
    region = combining(draw(st.sampled_from(["add", "maximum", "minimum"])), wide)
    op = Op("stablehlo.reduce_window", operands(shape, [narrow]), results(out, [wide]), attributes, (region,))
    return with_data(draw, op)


def gathered(op: Op, x: np.ndarray, value: np.ndarray) -> np.ndarray:
    """The windows of a reduce_window, `[windows, positions]`: every one looked up on its own."""
    low = [low for low, _ in op["padding"]]
    rows = []
    for index in np.ndindex(op.result.type.shape):
        row = []
        for offset in np.ndindex(*op["window_dimensions"]):
            dimensions = zip(index, op["window_strides"], offset, op["window_dilations"], low, strict=True)
            place = [i * s + o * d - first for i, s, o, d, first in dimensions]
            found = [divmod(p, b) for p, b in zip(place, op["base_dilations"], strict=True)]
            whole = all(rest == 0 and 0 <= p < n for (p, rest), n in zip(found, x.shape, strict=True))
            row.append(x[tuple(p for p, _ in found)] if whole else value)
        rows.append(row)
    n = int(np.prod(op["window_dimensions"]))
    return np.array(rows, x.dtype).reshape(*op.result.type.shape, n)


def by_gather(program: Program, tree: str) -> np.ndarray:
    """A reduce_window as the `reduce` of its gathered windows: another kernel, watched."""
    op = program.module.main.body.ops[0]
    table = gathered(op, *program.args)
    (source,), (init,) = op.operands[:1], op.operands[1:]
    table_value = replace(source, type=TensorType(table.shape, source.type.element_type))
    attributes = {"dimensions": (table.ndim - 1,)}
    reduce = Op("stablehlo.reduce", (table_value, init), op.results, attributes, op.regions)
    outs = interp.run(module(reduce), table, program.args[1], schedule=tree, listeners=[Watching()])
    return outs[0].storage


@settings(RANDOM, max_examples=75)
@given(pools(), SCHEDULES)
def test_windows_are_what_a_gather_finds(program: Program, tree: object) -> None:
    assume(program.module.main.body.ops[0].result.type.size < 300)
    expected = by_gather(program, str(tree))
    (quick,) = interp.run(program.module, *program.args, schedule=str(tree))
    (watched,) = interp.run(program.module, *program.args, schedule=str(tree), listeners=[Watching()])
    note(f"gather {expected!r}\nquick {quick.storage!r}")
    assert same(quick.storage, expected)
    assert same(watched.storage, expected)


@settings(RANDOM, max_examples=12)
@given(pools(), COMPILED)
def test_compiled_windows_are_what_a_gather_finds(program: Program, tree: str) -> None:
    assume(program.module.main.body.ops[0].result.type.size < 300)
    (out,) = interp.compile(program.module, schedule=tree)(*program.args)
    assert same(np.asarray(out), by_gather(program, tree))


@settings(RANDOM, max_examples=50)
@given(st.one_of(reduce_windows(), pools(), select_and_scatters()), SCHEDULES, st.integers(1, 9))
def test_small_boxes_give_the_same_bits(program: Program, tree: object, box: int) -> None:
    """There are as many boxes as a large program has."""
    whole = interp.run(program.module, *program.args, schedule=str(tree))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numpy_backend, "BOX", box)
        parts = interp.run(program.module, *program.args, schedule=str(tree))
    assert all(same(a.storage, b.storage) for a, b in zip(whole, parts, strict=True))


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_padding_of_another_type_than_what_it_pads(compiled: bool) -> None:
    """The init, 1000, is too large for the operand's type: 1000 + (1000 + 1 + 2), twice."""
    i8, i32 = ELEMENT_TYPES["i8"], ELEMENT_TYPES["i32"]
    program = module(reduce_window("add", i8, i32, (2,), (3,), padding=((1, 1),), init=i32))
    run = interp.compile(program) if compiled else partial(interp.run, program)
    (out,) = run(np.int8([1, 2]), np.int32(1000))
    assert np.asarray(out).tolist() == [2003, 2003]


@st.composite
def ties(draw: st.DrawFn) -> Program:
    """select_and_scatter of few distinct numbers, overlapping windows, and a body that order matters to."""
    shape = tuple(draw(st.integers(1, 7)) for _ in range(draw(st.integers(1, 2))))
    element = draw(st.sampled_from([I8, replace(I8, scales=(0.5,)), make_quantized("i16", "f16", 0.3)]))
    window = tuple(draw(st.integers(1, 4)) for _ in shape)
    strides = tuple(draw(st.integers(1, 3)) for _ in shape)
    pads = tuple(draw(st.sampled_from([(0, 0), (1, 1), (3, 0), (-1, 1), (0, -3), (0, 4)])) for _ in shape)
    attributes = {"window_dimensions": window, "window_strides": strides, "padding": pads}
    source = windows_in(shape, attributes)
    select = selecting(element, draw(st.sampled_from(["GE", "GT", "LE", "LT", "EQ", "NE"])))
    scatter = draw(st.sampled_from(["add", "other"]))
    regions = (select, combining("add", element) if scatter == "add" else body(draw, [element]))
    shapes = shape, source, ()
    args = tuple(Value(f"%arg{i}", TensorType(s, element)) for i, s in enumerate(shapes))
    op = Op("stablehlo.select_and_scatter", args, results(shape, [element]), attributes, regions)
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    operand = rng.integers(0, 3, shape).astype(element.storage_type.numpy)
    return Program(module(op), (operand, *(stored(rng, value.type) for value in args[1:])))


@settings(RANDOM, max_examples=75)
@given(ties(), SCHEDULES)
def test_ties_and_overlaps_equal_the_oracle(program: Program, tree: object) -> None:
    agree_with_oracle(program, tree)


@pytest.mark.slow("compiles many programs")
@settings(RANDOM, max_examples=10)
@given(ties(), COMPILED)
def test_compiled_ties_and_overlaps_equal_eager(program: Program, tree: str) -> None:
    (eager,) = interp.run(program.module, *program.args, schedule=tree, listeners=[Watching()])
    (out,) = interp.compile(program.module, schedule=tree)(*program.args)
    assert same(np.asarray(out), eager.storage)


@pytest.mark.slow("compiles each", rows=2)
@pytest.mark.parametrize("xp", [NUMPY, jax_namespace()], ids=["numpy", "jax"])
@pytest.mark.parametrize("name", ["add", "maximum"])
def test_running_windows_are_the_sums_of_their_positions(xp: Namespace, name: str) -> None:
    """All widths to 20, so that there is every pattern of doublings; strides and dilations around them."""
    x = np.random.default_rng(3).integers(-9, 9, 60).astype(np.int32)
    widths = range(1, 21) if xp is NUMPY else (2, 7, 20)
    for window, stride, dilation in product(widths, (1, 5), (1, 2)):
        size = (len(x) - (window - 1) * dilation - 1) // stride + 1
        places = np.arange(size)[:, None] * stride + np.arange(window) * dilation
        expected = x[places].sum(1) if name == "add" else x[places].max(1)
        shape = windows.Windows([window], [stride], [dilation])
        run = lambda x, shape=shape, size=size: running(xp, getattr(xp, name), x, shape, [size])
        found = run(x) if xp is NUMPY else jax.jit(run)(x)
        assert np.array_equal(found, expected), (window, stride, dilation)


def test_a_long_running_window_takes_few_combinations() -> None:
    """1000 positions: nine doublings, and one step for each of the five further ones in 0b1111101000."""
    combined = []
    x = np.ones(2000, np.int32)
    count = lambda a, b: combined.append(len(a)) or a + b
    found = running(NUMPY, count, x, windows.Windows([1000], [1], [1]), [1001])
    assert found.tolist() == [1000] * 1001
    assert len(combined) == 9 + 5


def test_running_windows_take_the_way_of_less_work() -> None:
    """Window - 1 combinations of the result's size, or of the operand's one for each doubling and step."""
    for window, stride, size in product(range(1, 40), (1, 2, 5), (1, 50)):
        doublings = window.bit_length() - 1
        steps = doublings + sum(window >> k & 1 for k in range(doublings))
        combined = []
        count = lambda a, b, combined=combined: combined.append(len(a)) or a + b
        x = np.ones((size - 1) * stride + window, np.int32)
        found = running(NUMPY, count, x, windows.Windows([window], [stride], [1]), [size])
        assert found.tolist() == [window] * size
        assert len(combined) == (window - 1 if window - 1 <= stride * steps else steps)


def test_no_running_window_fits_fewer_elements() -> None:
    for n in range(16):
        found = running(NUMPY, np.add, np.ones(n, np.int32), windows.Windows([16], [1], [1]), [0])
        assert found.tolist() == []


@pytest.mark.parametrize("name", ["add", "maximum", "minimum", "compare"])
@pytest.mark.parametrize(
    "type",
    [
        I8,
        make_quantized("i8", "f32", 0.5, -128),
        make_quantized("u8", "f32", 0.3, 255),
        make_quantized("i4", "bf16", 0.3),
        replace(make_quantized("i8", "f32", 0.5, -50), storage_min=-50, storage_max=50),
    ],
    ids=repr,
)
def test_bodies_on_integers_are_the_bodies(name: str, type: QuantizedType) -> None:
    """All pairs of stored numbers."""
    region = combining("add" if name == "compare" else name, type)
    if name == "compare":
        pred = Value("%p", TensorType((), ELEMENT_TYPES["i1"]))
        compare = Op("stablehlo.compare", region.arguments, (pred,), {"comparison_direction": "GT"})
        region = Region(region.arguments, (compare, Op("stablehlo.return", (pred,), ())))
    column = np.arange(type.storage_min, type.storage_max + 1).astype(type.storage_type.numpy)
    shape = TensorType((len(column),) * 2, type)
    values = tuple(replace(value, type=shape) for value in region.arguments)
    inner = region.ops[0]
    out = replace(inner.result, type=TensorType(shape.shape, inner.result.type.element_type))
    lhs = np.repeat(column, len(column)).reshape(shape.shape)
    (expected,) = interp.run(module(replace(inner, operands=values, results=(out,))), lhs, lhs.T.copy())
    function = on_integers(region)
    assert function is not None
    assert same(function(NUMPY, lhs, lhs.T), expected.storage)


def test_bodies_that_integers_would_do_otherwise() -> None:
    """-125 comes back as -124 from bf16 at 0.3; sums of two i32 pass what f32 holds; two operands are two."""
    assert on_integers(combining("maximum", make_quantized("i8", "bf16", 0.3))) is None
    assert on_integers(combining("add", I32)) is None
    assert on_integers(combining("multiply", I8)) is None
    lhs, rhs = (Value(f"%{n}", TensorType((), I8)) for n in "ab")
    twice = Op("stablehlo.add", (lhs, lhs), (Value("%c", lhs.type),))
    assert on_integers(Region((lhs, rhs), (twice, Op("stablehlo.return", twice.results, ())))) is None


@pytest.mark.slow("compiles each", rows=1)
@pytest.mark.parametrize("xp", [NUMPY, jax_namespace()], ids=["numpy", "jax"])
@given(st.integers(0, 4), st.integers(-9, 3), st.integers(-9, 3), st.integers(0, 2))
@settings(RANDOM, max_examples=75)
def test_padding_is_that_of_its_index_map(
    xp: Namespace, size: int, low: int, high: int, interior: int
) -> None:
    """Nothing is left where more is cut off than there is."""
    x, edge = np.arange(1, size + 1), (low, high, interior)
    taken = windows.padded_index(size, edge)
    expected = np.array([x[i] if i >= 0 else 0 for i in taken], int)
    assert xp.pad_with(xp.asarray(x), xp.asarray(0), [edge]).tolist() == expected.tolist()


@given(
    st.lists(st.integers(0, 6), max_size=3).flatmap(
        lambda shape: st.tuples(st.just(shape), st.tuples(*[st.integers(1, 4)] * len(shape)))
    ),
    st.integers(1, 40),
)
@settings(RANDOM, max_examples=100)
def test_boxes_make_up_the_space(spaces: tuple[list[int], tuple[int, ...]], most: int) -> None:
    shape, least = spaces
    covered = np.zeros(shape, int)
    for box in windows.boxes(shape, least, most):
        covered[box] += 1
    assert (covered == 1).all()


@given(st.integers(1, 5000), st.integers(0, 2**32))
@settings(RANDOM, max_examples=15)
def test_a_choice_by_bits_is_a_choice(n: int, seed: int) -> None:
    """Above and below the number of elements from which on it is made so; -0 and NaN included."""
    rng = np.random.default_rng(seed)
    pick = rng.integers(0, 2, n).astype(bool)
    for dtype in (np.int8, np.uint16, np.float32, np.float64, bool):
        pool = np.array([0.0, -0.0, np.nan, 3.0] if dtype in (np.float32, np.float64) else [0, 1, 1, 3])
        x, y = (rng.choice(pool.astype(dtype), n) for _ in range(2))
        found = NUMPY.where(pick, x, y)
        assert found.dtype == dtype
        assert found.tobytes() == np.where(pick, x, y).tobytes()
    assert NUMPY.where(pick, np.ones(n, np.int8), 0.5).dtype == np.float64
