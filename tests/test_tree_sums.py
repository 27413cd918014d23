"""Sums of elements along trees by machine code: the bits of the nodes one by one, and of the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import interp
from interp.speed import native_products, tree_sums
from tests.library.oracles.accumulated_by_hand import REDUCE, SCATTER, WINDOW, oracle
from tests.library.strategies.accumulations import DTYPES, float_accumulations, real
from tests.test_tree_contractions import Kinds, alike

pytest.importorskip("llvmlite", reason="it has no wheel here")

seeds = st.integers(0, 1 << 30)
TYPES = {**DTYPES, "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2}
COLUMNS = """
func.func @main(%x: tensor<{shape}x{type}>, %init: tensor<{type}>) -> tensor<{result}{type}> {{
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = {dimensions}
    : (tensor<{shape}x{type}>, tensor<{type}>) -> tensor<{result}{type}>
  return %0 : tensor<{result}{type}>
}}"""
PATTERNS = ("left", "right", "lanes(16)", "lanes(5: left fma; balanced)", "vector(4: left fma; balanced)")
PATTERNS += ("pairwise", "blocks(8)", "balanced fma", "random(3)", "left flush", "lanes(4) fma flush")
PATTERNS += (
    "blocks(8) from zero",
    "lanes(16) init last",
    "left in bf16",
    "pairwise in f16",
    "lanes(3) in f64",
)
INITS = (0.0, -0.0, 1.5, -(2.0**-130), np.inf, np.nan)


@pytest.fixture(autouse=True)
def kinds() -> Iterator[Kinds]:
    """Call machine code for small sums, too; return the kinds of sums that it computes."""
    called, known = Kinds(), native_products.sums

    def spy(problem: Any, kind: Any, *rest: Any, **more: Any) -> np.ndarray:
        if len(rest) == 1:  # those that try the code out name scales
            called.append(kind)
        return known(problem, kind, *rest, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_sums, "LEAST", 1)
        patch.setattr(tree_sums.native_products, "sums", spy)
        yield called


def run(module: Any, args: list[Any], accumulation: str) -> np.ndarray:
    return np.asarray(interp.run(module, *args, accumulator=accumulation)[0].storage)


def one_by_one(module: Any, args: list[Any], accumulation: str) -> np.ndarray:
    """Return the result node by node, without machine code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tree_sums, "LEAST", 1 << 60)
        return run(module, args, accumulation)


def reduction(shape: tuple[int, ...], dimensions: tuple[int, ...], type: str) -> Any:
    result = "".join(f"{n}x" for d, n in enumerate(shape) if d not in dimensions)
    text = "x".join(map(str, shape))
    return interp.load(COLUMNS.format(shape=text, type=type, result=result, dimensions=list(dimensions)))


@given(float_accumulations, seeds, st.integers(1, 12), st.sampled_from([*TYPES]), st.sampled_from(INITS))
@settings(max_examples=150, deadline=None)
@example("blocks(3)", 3, 11, "f32", 1.5)
@example("left in bf16", 3, 11, "f32", -0.0)
def test_sums_are_those_of_the_oracle(accumulation: str, seed: int, k: int, type: str, start: float) -> None:
    module = interp.load(REDUCE.format(m=2, k=k, type=type, op="add"))
    dtype = TYPES[type]
    with np.errstate(over="ignore"):
        args = [real(np.random.default_rng(seed), (2, k), dtype), np.array(start, dtype)]
    try:
        one_by_one(module, args, accumulation)
    except interp.Unsupported:
        with pytest.raises(interp.Unsupported):
            run(module, args, accumulation)
        return
    alike(run(module, args, accumulation), oracle(module, args, accumulation))


@given(
    st.sampled_from(PATTERNS),
    st.sampled_from(["", " inputs flush", " inputs in bf16"]),
    seeds,
    st.sampled_from(["f32", "f64", "bf16", "f16"]),
    st.sampled_from(INITS),
    st.sampled_from([(0,), (1,), (2,), (0, 1), (1, 2), (0, 2), (0, 1, 2)]),
    st.data(),
)
@settings(max_examples=120, deadline=None)
def test_any_dimensions_and_sizes(
    pattern: str, inputs: str, seed: int, type: str, start: float, dimensions: Any, data: st.DataObject
) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 21), min_size=3, max_size=3)))
    head, word, tail = pattern.partition(" from zero" if "from zero" in pattern else " init last")
    accumulation = f"{head}{inputs}{word}{tail}"
    with np.errstate(over="ignore"):
        args = [real(np.random.default_rng(seed), shape, TYPES[type]), np.array(start, TYPES[type])]
    module = reduction(shape, dimensions, type)
    alike(run(module, args, accumulation), one_by_one(module, args, accumulation))


@pytest.mark.parametrize("type", ["f32", "f64", "bf16", "f16"])
@pytest.mark.parametrize("pattern", ["lanes(16)", "pairwise", "blocks(8)", "random(3)"])
@pytest.mark.parametrize("start", [0.0, -0.0, 3.0])
def test_the_code_adds(type: str, pattern: str, start: float, kinds: Kinds) -> None:
    """Rows and columns that are no multiples of a vector, of which no element is left out."""
    rng = np.random.default_rng(2)
    sizes = ((37, 67), (0,)), ((67, 37), (1,)), ((5, 37, 13), (1,)), ((37, 64), (0,)), ((64, 37), (1,))
    for shape, dimensions in (*sizes, ((3, 37, 40), (1,)), ((5, 37), (1,))):
        module = reduction(shape, dimensions, type)
        args = [rng.integers(-9, 9, shape).astype(TYPES[type]), np.array(start, TYPES[type])]
        count = len(kinds)
        found = run(module, args, pattern)
        assert len(kinds) == count + 1
        places = {"lanes(16)": 16, "blocks(8)": 5}.get(pattern, 1)
        expected = args[0].astype(np.float64).sum(axis=dimensions) + places * start
        assert np.array_equal(found.astype(np.float64), expected)


def test_zeros_keep_their_sign_without_an_init_of_plus_zero(kinds: Kinds) -> None:
    module = reduction((9, 3), (0,), "f32")
    x, minus = np.full((9, 3), -0.0, np.float32), np.array(-0.0, np.float32)
    for pattern in ("lanes(4)", "pairwise", "blocks(2)"):
        assert np.signbit(run(module, [x, minus], pattern)).all()
        assert not np.signbit(run(module, [x, np.float32(0)], pattern)).any()
        assert np.signbit(run(module, [x, np.float32(0)], f"{pattern} without init")).all()
    assert len(kinds) == 9


@pytest.mark.parametrize("bits", [0x7F800001, 0x7FFFFFFF, 0xFF800001, 0x7FC00000])
def test_every_nan_of_f32_is_one_in_a_narrower_sum(bits: int, kinds: Kinds) -> None:
    module = reduction((9, 3), (0,), "f32")
    x = np.ones((9, 3), np.float32)
    x[4, 1] = np.array(bits, np.uint32).view(np.float32)
    found = run(module, [x, np.float32(0)], "lanes(4) in bf16")
    assert kinds
    assert np.isnan(found).tolist() == [False, True, False]


def test_elements_round_once_where_they_enter_a_narrower_sum(kinds: Kinds) -> None:
    """Half of bf16's last place beside 1 is lost from each element, and not from their exact sum."""
    module = reduction((4, 2), (0,), "f32")
    x = np.full((4, 2), 1 + 2.0**-8, np.float32)
    for type in ("bf16", "f16"):
        found = run(module, [x, np.float32(0)], f"pairwise in {type}")
        alike(found, [4.0 if type == "bf16" else 4 + 2.0**-6] * 2)
    assert [kind.name for kind in kinds] == ["bf16", "f16"]


@pytest.mark.parametrize("exponent", [-126, -104, -103, -79, -78])
def test_sums_flush_where_an_element_is_less_than_the_theorem_asks(exponent: int, kinds: Kinds) -> None:
    """Elements of at least 2^-78 are multiples of 2^-101, and sums of them are no subnormal numbers."""
    x = np.array([[1 + 2.0**-23], [-1]], np.float32) * np.float32(2.0**exponent)
    module, args = reduction((2, 1), (0,), "f32"), [x, np.float32(0)]
    found = run(module, args, "left flush")
    assert kinds[-1].flushes == (exponent < -78)
    alike(found, oracle(module, args, "left flush"))
    assert (found == 0).all() == (exponent <= -104)


def test_an_element_that_is_not_rounded_has_no_narrower_code(kinds: Kinds) -> None:
    module, x = reduction((4, 1), (0,), "f64"), np.full((4, 1), 1 + 2.0**-24 + 2.0**-30)
    alike(run(module, [x, np.float64(0)], "left in f32"), [4.0 + 2.0**-21])
    assert [kind.name for kind in kinds] == ["f32"]
    found = run(module, [x, np.float64(0)], "left fma in f32")
    alike(found, oracle(module, [x, np.float64(0)], "left fma in f32"))
    assert len(kinds) == 1


def test_a_quantized_sum_in_floats() -> None:
    type = "!quant.uniform<i8:f32, 0.1:3>"
    module, rng = reduction((40, 5), (0,), type), np.random.default_rng(1)
    x, init = rng.integers(-128, 128, (40, 5)).astype(np.int8), np.int8(7)
    for pattern in ("lanes(4) in f32", "blocks(8) in f32", "pairwise in bf16"):
        found = run(module, [x, init], pattern)
        assert found.ravel().tolist() == oracle(module, [x, init], pattern)
        assert found.tolist() == one_by_one(module, [x, init], pattern).tolist()


def test_what_has_no_code(kinds: Kinds) -> None:
    """Nodes of several types, toward zero or fused have none; integers and the listeners' nodes neither."""
    module, x = reduction((9, 3), (0,), "f32"), np.ones((9, 3), np.float32)
    for pattern in (
        *("blocks(4: left in f16; left in f64) from zero", "left toward zero", "left(4) fused(9)"),
        *("left fma in bf16", "left exact", "left in f8E4M3FN"),
    ):
        run(module, [x, np.float32(0)], pattern)
    whole = reduction((9, 3), (0,), "i32")
    run(whole, [x.astype(np.int32), np.int32(0)], "lanes(4)")
    interp.trace(module, x, np.float32(0), accumulator="lanes(4)")
    assert not kinds


def test_windows_and_scatter_keep_their_bits() -> None:
    rng = np.random.default_rng(3)
    window, scatter = (interp.load(text.format(k=60, type="f32")) for text in (WINDOW, SCATTER))
    x, update = rng.normal(size=60).astype(np.float32), rng.normal(size=9).astype(np.float32)
    index = rng.integers(0, 4, (9, 1)).astype(np.int32)
    for start in (0.0, 1.5):
        for pattern in ("lanes(2)", "pairwise", "blocks(2)"):
            args = [x, np.float32(start)]
            found = run(window, args, pattern)
            alike(found, oracle(window, args, pattern))
            args = [x[:4], index, update]
            alike(run(scatter, args, pattern), oracle(scatter, args, pattern))


def test_several_operands_are_left_to_the_body() -> None:
    """A sum of two operands is no sum of one, so that an accumulation does not take it."""
    two = """
    func.func @main(%x: tensor<9xf32>, %y: tensor<9xf32>, %i: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      %0:2 = "stablehlo.reduce"(%x, %y, %i, %i) <{dimensions = array<i64: 0>}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
        %1 = stablehlo.add %a, %c : tensor<f32>
        %2 = stablehlo.add %b, %d : tensor<f32>
        stablehlo.return %1, %2 : tensor<f32>, tensor<f32>
      }) : (tensor<9xf32>, tensor<9xf32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)
      return %0#0, %0#1 : tensor<f32>, tensor<f32>
    }"""
    x = np.random.default_rng(0).normal(size=(2, 9)).astype(np.float32)
    plain = interp.run(two, *x, np.float32(0))
    with pytest.raises(interp.InterpError):
        interp.run(two, *x, np.float32(0), accumulator={"%0": "lanes(4)"})
    assert [y.storage.tobytes() for y in plain]


@pytest.mark.parametrize("type", ["f32", "f64", "bf16", "f16"])
@pytest.mark.parametrize("is_native", [True, False])
def test_compiled_sums(type: str, is_native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """By machine code, and step by step where there is none."""
    pytest.importorskip("jax")
    from interp.speed import jax_trees

    known, called = jax_trees.call_handler, Kinds()
    monkeypatch.setattr(jax_trees, "call_handler", lambda *x, **y: called.append(x) or known(*x, **y))
    if not is_native:
        monkeypatch.setattr(jax_trees, "works", lambda xp, kind: False)
    module = reduction((3, 29, 5), (1,), type)
    for pattern in ("lanes(4)", "lanes(5: left flush; balanced flush) inputs flush"):
        compiled = interp.compile(module, accumulator=pattern)
        for seed, start in product(range(2), (0.0, -0.0, 1.5)):
            with np.errstate(over="ignore"):
                x = real(np.random.default_rng(seed), (3, 29, 5), TYPES[type])
            args = [x, np.array(start, TYPES[type])]
            alike(np.asarray(compiled(*args)[0]), one_by_one(module, args, pattern))
    assert bool(called) == is_native


def test_what_is_not_compiled() -> None:
    pytest.importorskip("jax")
    for pattern in ("left toward zero", "left in bf16", "pairwise inputs in bf16"):
        with pytest.raises(interp.Unsupported):
            interp.compile(reduction((9, 3), (0,), "f32"), accumulator=pattern)
    with pytest.raises(interp.Unsupported):
        interp.compile(
            reduction((9, 3), (0,), "!quant.uniform<i8:f32, 0.1:3>"), accumulator="pairwise in f32"
        )
