"""sort and map: eager and compiled, against the oracle, NumPy, JAX and the reference interpreter."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from unittest.mock import patch

import jax
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.execute.run import run
from interp.speed.comparators import keys_of
from spec import schedule
from spec.ir import Module, Op, Value
from spec.types import ELEMENT_TYPES, make_quantized
from tests import test_compile, test_engine
from tests.library.builders import module, operands, results
from tests.library.strategies.programs import Program
from tests.library.strategies.sorting_programs import I1, Code, canonical, compared, maps, sorts
from tests.test_engine import RANDOM, same
from tests.test_reference import ask, plain_same_type, reference  # noqa: F401


@settings(RANDOM, max_examples=150)
@given(st.one_of(sorts(), maps()))
def test_sorts_and_maps_equal_the_oracle(program: Program) -> None:
    test_engine.agree(program, schedule.LEFT)
    interp.load(repr(program.module))  # jaxlib accepts it


@pytest.mark.slow("compiles many programs")
@settings(RANDOM, max_examples=4)
@given(test_compile.few(st.one_of(sorts(), maps())))
def test_compiled_sorts_and_maps_equal_eager(programs: list[Program]) -> None:
    test_compile.agree(programs, "left")


# Others' sorts.

KEYS = st.sampled_from(["float32", "int8", "uint16", "bool", "complex64", "float64"])


def data(draw: st.DrawFn, dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    """Few distinct elements: zeros of both signs, NaNs and infinities among the floats."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    few = [0.0, -0.0, 1.5, -1.5, np.nan, np.inf, -np.inf, 2.0]
    if np.dtype(dtype).kind in "fc":
        x = rng.choice(few, shape).astype(dtype)
        return x + 1j * rng.choice(few[:4], shape) if np.dtype(dtype).kind == "c" else x
    return rng.integers(0, 5, shape).astype(dtype)


@st.composite
def sorted_by_jax(draw: st.DrawFn) -> tuple[list[np.ndarray], int, int]:
    """Operands, a dimension, and how many of the operands are keys."""
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)))
    operands = [data(draw, draw(KEYS), shape) for _ in range(draw(st.integers(1, 3)))]
    return operands, draw(st.integers(0, len(shape) - 1)), draw(st.integers(1, len(operands)))


@settings(RANDOM, max_examples=5)
@given(test_compile.few(sorted_by_jax()))
def test_what_jax_lowers_is_sorted_as_by_xla(drawn: list[tuple[list[np.ndarray], int, int]]) -> None:
    ways = [{"dimension": dimension, "num_keys": keys} for _, dimension, keys in drawn]
    together = lambda *xs: [jax.lax.sort(x, **way) for x, way in zip(xs, ways, strict=True)]
    operands = [tuple(arrays) for arrays, _, _ in drawn]
    with jax.enable_x64(True):
        f = jax.jit(together).lower(*operands)
        module, expected = interp.load(f), jax.tree.leaves(f.compile()(*operands))
    for ours, theirs in zip(run(module, *jax.tree.leaves(operands)), expected, strict=True):
        assert same(ours.storage, np.asarray(theirs))


@settings(RANDOM)
@given(st.lists(st.lists(st.integers(0, 3), min_size=7, max_size=7), min_size=1, max_size=3), st.booleans())
def test_an_order_of_keys_is_lexsort(columns: list[list[int]], descending: bool) -> None:
    code = Code(*[ELEMENT_TYPES["i8"]] * (len(columns) + 1))
    less = ordered(code, range(len(columns)), "GT" if descending else "LT")
    keys, places = np.int8(columns), np.arange(7, dtype=np.int8)
    (*_, order) = run(sort(code, less, (7,)), *keys, places)
    expected = np.lexsort([-x if descending else x for x in keys[::-1]])
    assert order.storage.tolist() == expected.tolist()


def ordered(code: Code, chosen: Sequence[int], direction: str) -> Value:
    """The lexicographic order of operands."""
    first, *others = chosen
    pair = code.arguments[2 * first : 2 * first + 2]
    less = compared(code, pair, direction, False)
    if not others:
        return less
    equal = compared(code, pair, "EQ", False)
    return code.emit("select", I1, equal, ordered(code, others, direction), less)


def sort(code: Code, less: Value, shape: tuple[int, ...]) -> Module:
    types = [v.type.element_type for v in code.arguments[::2]]
    attributes = {"dimension": -1, "is_stable": True}
    inputs = operands(shape, types)[: len(types)]
    return module(Op("stablehlo.sort", inputs, results(shape, types), attributes, (code.region(less),)))


@pytest.mark.slow("runs the reference interpreter")
@settings(RANDOM)
@given(st.one_of(sorts(["order"]), maps()).filter(plain_same_type))
def test_sorts_and_maps_equal_the_reference(
    reference: subprocess.Popen,  # noqa: F811
    program: Program,
) -> None:
    """But where equals are asked for with `<=`, and for NaNs, which are no strict weak order.

    The reference interpreter ignores TOTALORDER.
    """
    op = program.module.main.body.ops[0]
    assume(all(v.type.size for v in op.operands))
    assume(not any(np.isnan(x).any() for x in program.args if x.dtype.kind == "f"))
    directions = {inner.attributes.get("comparison_direction") for inner in op.regions[0].ops}
    assume(op.name == "stablehlo.map" or not directions & {"LE", "GE"})
    assume(not any("TOTALORDER" in inner.attributes.values() for inner in op.regions[0].ops))
    assume(op.attributes.get("is_stable", True))
    for x, y in zip(run(program.module, *program.args), ask(reference, program), strict=True):
        assert same(x.storage, y.astype(x.storage.dtype, copy=False))


# The fast path, at the edges of its theorem.

F32 = ELEMENT_TYPES["f32"]


def by_network(program: Module, *args: np.ndarray) -> list[np.ndarray]:
    """The results of the network alone."""
    with patch("interp.kernels.sorting.keys_of", lambda comparator: None):
        return [x.storage for x in run(program, *args)]


EDGES = {
    "zeros": [0.0, -0.0, 1.0, -0.0, 0.0],
    "one nan": [2.0, np.nan, 1.0, 3.0, 0.5],
    "negative nan": [2.0, -np.nan, np.nan, -np.inf, 0.5],
    "plain": [2.0, 7.0, -1.0, 2.0, 0.5],
}


@pytest.mark.parametrize("numbers", EDGES.values(), ids=EDGES)
@pytest.mark.parametrize("direction", ["LT", "LE", "GT", "GE"])
@pytest.mark.parametrize("way", ["IEEE", "total", "canonical", "magnitude"])
def test_keys_sort_as_the_network_does(numbers: list[float], direction: str, way: str) -> None:
    """Alone, and with the places that the elements had."""
    x, places = np.float32(numbers), np.arange(5, dtype=np.int8)
    for others in ([], [ELEMENT_TYPES["i8"]]):
        code = Code(F32, *others)
        change = {"canonical": canonical, "magnitude": lambda code, x: code.emit("abs", F32, x)}
        sides = [change.get(way, lambda code, x: x)(code, side) for side in code.arguments[:2]]
        less = compared(code, sides, direction, way in ("total", "canonical"))
        program, args = sort(code, less, (5,)), (x, places)[: 1 + len(others)]
        assert keys_of(program.main.body.ops[0].regions[0]) is not None
        for ours, expected in zip(run(program, *args), by_network(program, *args), strict=True):
            assert same(ours.storage, expected)


@pytest.mark.parametrize("wrong", ["NE", "another key", "one side", "equal in total order"])
def test_what_is_no_order_of_keys_is_not_taken_for_one(wrong: str) -> None:
    code = Code(F32, F32)
    a, b, c, d = code.arguments
    if wrong == "NE":
        found = compared(code, [a, b], "NE", False)
    elif wrong == "another key":
        found = compared(code, [a, d], "LT", False)
    elif wrong == "one side":
        found = compared(code, [a, c], "LT", False)
    else:
        less, rest = compared(code, [a, b], "LT", False), compared(code, [c, d], "LT", False)
        found = code.emit("select", I1, compared(code, [a, b], "EQ", True), rest, less)
    assert keys_of(code.region(found)) is None


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint64", "int32"])
def test_the_order_of_integers_is_stable_in_every_width(dtype: str) -> None:
    """Sort the whole range of a type, where words of number and place would be too long, and a part."""
    info, rng = np.iinfo(dtype), np.random.default_rng(1)
    for low, high in ((info.min, info.max), (0, 3), (info.max - 3, info.max)):
        for x in (
            rng.integers(low, high, (4, 300), dtype, endpoint=True),
            rng.choice(np.array([low, high], dtype), (4, 300)),
        ):
            assert np.array_equal(NUMPY.stable_order(x), np.argsort(x, axis=-1, kind="stable"))
    assert NUMPY.stable_order(np.zeros((2, 0), dtype)).shape == (2, 0)


# Events.


def test_a_map_reports_where_it_saturates() -> None:
    q = make_quantized("i8", "f32", 0.5)
    code = Code(q)
    total = code.emit("add", q, *code.arguments)
    op = Op(
        "stablehlo.map",
        operands((3,), [q] * 2)[:2],
        results((3,), [q]),
        {"dimensions": (0,)},
        (code.region(total),),
    )
    trace = interp.trace(module(op), np.int8([1, 100, 2]), np.int8([1, 100, 2]))
    assert trace.counts["saturate"] == 1
    assert [event.index for event in trace.events if event.kind == "saturate"] == [(1,)]


def test_a_comparator_reports_nothing() -> None:
    """The specification does not say how often a comparator is called."""
    q = make_quantized("i8", "f32", 0.5)
    code = Code(q)
    doubled = [code.emit("add", q, x, x) for x in code.arguments]
    trace = interp.trace(sort(code, compared(code, doubled, "LT", False), (4,)), np.int8([100, 120, -128, 3]))
    assert not any(trace.counts.values())
