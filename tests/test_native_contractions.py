"""Ordered contractions that a compiled program calls: the bits of the fold, on a CPU of this process only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.backends.jax_backend import jax_namespace
from interp.engine.evaluate import Listener
from interp.execute.plan import NONE
from interp.speed import jax_native, jax_products, native_products, numpy_products
from interp.speed.counted_sums import LOOP
from interp.speed.problem import Dot
from spec.ir import Module
from tests.library.builders import contracting, convolution, single
from tests.library.strategies.programs import stored

jax = pytest.importorskip("jax")
pytest.importorskip("llvmlite", reason="it has no wheel here")
Kind = pytest.importorskip("interp.speed.product_blocks").Kind
product_units = pytest.importorskip("interp.speed.product_blocks")
CALL = "interp_sums_f32"
SLOW = pytest.mark.slow("numba compiles loops of another type")
MANY = numpy_products.MANY


@pytest.fixture(autouse=True)
def always() -> Iterator[None]:
    """Call compiled code for small contractions, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jax_native, "MANY", 1)
        patch.setattr(numpy_products, "MANY", 1)
        yield


def dot(element: str, m: int, n: int, k: int) -> Module:
    types = f"2x{m}x{k}x{element}; 2x{k}x{n}x{element} -> 2x{m}x{n}x{element}"
    return single("dot_general", types, **{**contracting(2), **BATCHES})


BATCHES = {
    "lhs_batching_dimensions": (0,),
    "rhs_batching_dimensions": (0,),
    "rhs_contracting_dimensions": (1,),
}
WINDOWS = {
    "padding": ((2, 3), (1, 0)),
    "lhs_dilation": (2, 1),
    "rhs_dilation": (1, 2),
    "window_strides": (2, 1),
    "window_reversal": (True, False),
}


def is_the_fold(module: Module, *args: Any) -> None:
    """A listener that sees nodes has the fold run as it is written."""
    (fold,) = interp.run(module, *args, listeners=[Listener()])
    found = np.asarray(interp.compile(module)(*args)[0])
    assert found.tobytes() == np.ascontiguousarray(fold.storage).tobytes()


def test_xla_calls_compiled_code_here() -> None:
    """The other tests of this file would pass without it, too."""
    for kind in (Kind("f32"), Kind("f32", own=True)):
        assert jax_native.works(jax_namespace(), kind)
    text = jax.jit(interp.compile(dot("f32", 2, 20, 3))).lower(*arguments(dot("f32", 2, 20, 3))).as_text()
    assert CALL in text


def arguments(module: Module, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [
        rng.normal(size=v.type.shape).astype(v.type.storage_type.numpy, copy=False)
        for v in module.main.inputs
    ]


@pytest.mark.parametrize(("m", "n", "k"), [(5, 33, 19), (37, 3, 6), (1, 1, 7)])
@pytest.mark.parametrize("element", ["f32", "bf16", *(pytest.param(t, marks=SLOW) for t in ("f64", "f16"))])
def test_any_bits_give_the_bits_of_the_fold(element: str, m: int, n: int, k: int) -> None:
    """NaN, infinities, signed zeros and subnormals among them; vectors along either side."""
    module, rng = dot(element, m, n, k), np.random.default_rng(m)
    is_the_fold(module, *(stored(rng, value.type) for value in module.main.inputs))
    is_the_fold(module, *arguments(module))


@pytest.mark.parametrize("element", ["f32", "bf16"])
@pytest.mark.parametrize(("n", "k"), [(33, 19), (3, 70), (16, 64)])
def test_weights_that_lie_by_column_are_not_laid_out_anew(element: str, n: int, k: int) -> None:
    """Rows of a right operand, in runs of 64 at most."""
    types = f"2x5x{k}x{element}; 2x{n}x{k}x{element} -> 2x5x{n}x{element}"
    sides = contracting(2) | BATCHES | {"rhs_contracting_dimensions": (2,)}
    lie_by_column(single("dot_general", types, **sides))


@pytest.mark.parametrize("element", ["f32", "bf16", pytest.param("f64", marks=SLOW)])
@pytest.mark.parametrize(("m", "n", "k"), [(1, 1041, 19), (3, 130, 8), (2, 16, 3), (4, 1041, 2)])
def test_few_sums_of_many_columns(element: str, m: int, n: int, k: int) -> None:
    """Stretches of columns and what is left of them; eight products at a time and what is left of those."""
    module, rng = dot(element, m, n, k), np.random.default_rng(n)
    is_the_fold(module, *(stored(rng, value.type) for value in module.main.inputs))
    is_the_fold(module, *arguments(module))


def test_few_sums_start_from_zero_and_keep_subnormal_numbers() -> None:
    """Products that underflow, and signed zeros, whose sum from +0 is +0."""
    module = dot("f32", 1, 40, 9)
    x = np.resize(np.float32([2.0**-75, -(2.0**-80), -0.0]), (2, 1, 9))
    w = np.resize(np.float32([2.0**-74, 2.0**-69, -0.0, 0.0, 1.5]), (2, 9, 40))
    is_the_fold(module, x, w)
    is_the_fold(module, np.full_like(x, -0.0), np.abs(w))


@pytest.mark.parametrize("element", ["f32", "bf16", pytest.param("f64", marks=SLOW)])
@pytest.mark.parametrize(("m", "n", "k"), [(1, 100, 70), (9, 33, 64), (3, 31, 67)])
def test_columns_are_turned(element: str, m: int, n: int, k: int) -> None:
    """A few numbers of each column in registers, and those that are left; the last column repeated."""
    types = f"2x{m}x{k}x{element}; 2x{n}x{k}x{element} -> 2x{m}x{n}x{element}"
    sides = contracting(2) | BATCHES | {"rhs_contracting_dimensions": (2,)}
    lie_by_column(single("dot_general", types, **sides))


@pytest.mark.parametrize("left", ["f32", "!quant.uniform<i8:f32, 0.3:5>"])
@pytest.mark.parametrize("parameters", ["<i8:f32, 0.3>", "<i8:f32:0, {SCALES}>"])
def test_stored_weights_that_lie_by_column(left: str, parameters: str) -> None:
    scales = ", ".join(str(0.3 + c / 8) for c in range(33))
    right = f"!quant.uniform{parameters.replace('SCALES', scales)}"
    result = "f32" if left == "f32" else "!quant.uniform<i8:f32, 2.3:-4>"
    sides = contracting(1) | {"rhs_contracting_dimensions": (1,)}
    lie_by_column(single("dot_general", f"5x70x{left}; 33x70x{right} -> 5x33x{result}", **sides))


def lie_by_column(module: Module) -> None:
    """The bits of the fold, compiled and not, where machine code reads the right operand as it lies."""
    rng = np.random.default_rng(3)
    args = [stored(rng, v.type) for v in module.main.inputs]
    is_the_fold(module, *args)
    assert interp.run(module, *args)[0] == interp.run(module, *args, listeners=[Listener()])[0]


def test_a_transposed_matrix_is_read_as_it_lies() -> None:
    """XLA is asked neither to transpose it nor to widen it to f64, in which the engine would carry it."""

    def scores(x: Any, words: Any) -> Any:
        return x @ words.T

    x, words = (np.random.default_rng(n).normal(size=(n, 70)).astype(np.float32) for n in (5, 40))
    module = interp.load(jax.jit(scores).lower(x, words))
    is_the_fold(module, x, words)
    text = jax.jit(interp.compile(module)).lower(x, words).compile().as_text()
    assert CALL in text
    assert "transpose(" not in text
    assert "f64[" not in text


@pytest.mark.slow("compiles each", rows=4)
@pytest.mark.parametrize("weight", [0.3, np.inf, np.nan])
@pytest.mark.parametrize(
    ("types", "groups"),
    [
        ("2x5x6x4xf32; 3x2x4x18xf32 -> 2x6x5x18xf32", {}),
        ("2x5x6x4xf32; 3x2x2x4xf32 -> 2x6x5x4xf32", {"feature_group_count": 2}),
        ("2x5x6x4xf32; 3x2x1x4xf32 -> 2x6x5x4xf32", {"feature_group_count": 4}),
        ("2x5x6x3xf32; 3x2x3x4xf32 -> 1x6x5x4xf32", {"batch_group_count": 2}),
    ],
)
def test_windows_are_those_of_the_fold(types: str, groups: dict[str, int], weight: float) -> None:
    """A hole is a zero product, whatever the weight."""
    module = convolution(types, "b01f 01io b01f", **WINDOWS, **groups)
    x, w = arguments(module)
    w[0, 0, 0] = weight
    is_the_fold(module, x, w)
    is_the_fold(module, x * np.float32(2.0**-130), w)


def test_several_threads_do_not_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    """More threads than blocks of columns, which then share one."""
    module = dot("f32", 37, 40, 30)
    monkeypatch.setattr(jax_native, "threads", lambda: 3)
    monkeypatch.setattr(native_products, "SHARE", 8)
    monkeypatch.setattr(native_products, "WORK", 1 << 10)
    kind = native_products.kind_of(problem := Dot(*arguments(module)), "f32")
    assert native_products.describe(problem, kind, 3)[product_units.THREADS] == 3
    is_the_fold(module, *arguments(module))


WEIGHT = "<i8<-127:127>:f32, 0.3>"
BY_CHANNEL = f"<i8:f32:1, {{{', '.join(['0.3', '0.7'] * 10)}}}>"
EDGES = "<i8:f32, 1.0e-42>", "<i8:f32, 1.2e30>", "<i8:f32, 1.3e30>", "<i8:f32, 3.0e38>"
PAIRS = [(x, WEIGHT) for x in ("0.3", "0.3:5", "1.0e-40:5")] + [("0.3:5", w) for w in (BY_CHANNEL, *EDGES)]


@pytest.mark.slow("compiles each", rows=2)
@pytest.mark.parametrize(("parameters", "weight"), PAIRS)
def test_quantized_contractions_with_real_scales(parameters: str, weight: str) -> None:
    """The last scale is subnormal: XLA would flush every product to zero.

    Of the weights that are not dequantized by machine code, the last are infinite.
    """
    type = f"!quant.uniform<i8<-127:127>:f32, {parameters}>"
    weight = f"!quant.uniform{weight}"
    module = single("dot_general", f"9x70x{type}; 70x20x{weight} -> 9x20x{type}", **contracting(1))
    rng = np.random.default_rng(2)
    args = [stored(rng, v.type) for v in module.main.inputs]
    is_the_fold(module, *args)
    assert interp.run(module, *args)[0] == interp.run(module, *args, listeners=[Listener()])[0]


@pytest.mark.parametrize("x", ["i8:f32, 0.3:5", "i8:f32, 1.3e-40:-128", "i8:f32, 1.3e30:5"])
@pytest.mark.parametrize("groups", [1, 2, 4])
def test_windows_of_stored_weights(groups: int, x: str) -> None:
    """Holes, and scales of each output; depthwise with the last.

    The last type is not dequantized by machine code, with a scale near infinity.
    """
    scales = ", ".join(f"{0.1 * k + 0.2}" for k in range(8))
    x, y = f"!quant.uniform<{x}>", "!quant.uniform<i8:f32, 2.3:-4>"
    w = f"!quant.uniform<i8:f32:3, {{{scales}}}>"
    types = f"2x5x6x4x{x}; 3x2x{4 // groups}x8x{w} -> 2x6x5x8x{y}"
    module = convolution(types, "b01f 01io b01f", **WINDOWS, feature_group_count=groups)
    rng = np.random.default_rng(5)
    args = [stored(rng, v.type) for v in module.main.inputs]
    is_the_fold(module, *args)
    assert interp.run(module, *args)[0] == interp.run(module, *args, listeners=[Listener()])[0]
    text = jax.jit(interp.compile(module)).lower(*args).as_text()
    assert ("sums_stored_both_f32" in text) == ("e30" not in x)


@pytest.mark.parametrize("result", ["i32", "!quant.uniform<i8:f32, 0.7>"])
def test_holes_are_laid_out_by_compiled_code(result: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stored numbers of 8 bits need no padding that XLA compiles for their shape."""
    monkeypatch.setattr(jax_products, "MANY", 1)
    x, w = ("i8", "i8") if result == "i32" else (f"!quant.uniform<i8:f32, 0.5{z}>" for z in (":9", ""))
    module = convolution(f"2x5x6x3x{x}; 3x2x3x4x{w} -> 2x6x5x4x{result}", "b01f 01io b01f", **WINDOWS)
    rng = np.random.default_rng(3)
    args = [stored(rng, v.type) for v in module.main.inputs]
    is_the_fold(module, *args)
    text = jax.jit(interp.compile(module)).lower(*args).as_text()
    assert jax_products.TARGET in text
    assert "stablehlo.pad" not in text


@given(st.data())
@settings(max_examples=20)
def test_holes_are_those_of_a_padding(data: st.DataObject) -> None:
    """Around and between elements, of any rank."""
    shape = data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    edge = st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))
    edges = [data.draw(edge) for _ in shape]
    assume(any(map(any, edges)))
    xp, x, hole = jax_namespace(), np.arange(np.prod(shape), dtype=np.int8).reshape(shape), -100
    with jax.enable_x64(True):
        found = jax.jit(lambda x: jax_products.call_handler(xp, x, hole, edges))(x)
    assert np.array_equal(found, numpy_products.pad_factors(NUMPY, x, hole, edges))


def test_batches_of_a_compiled_program() -> None:
    module = dot("f32", 4, 17, 5)
    x, w = arguments(module)
    several = np.stack([x, 2 * x, x + 1])
    found = jax.vmap(interp.compile(module), in_axes=(0, None))(several, w)[0]
    for one, sums in zip(several, found, strict=True):
        assert interp.run(module, one, w)[0].storage.tobytes() == np.asarray(sums).tobytes()


def test_exported_and_lowered_programs_call_nothing() -> None:
    """They may run where we are not."""
    module = dot("f32", 4, 17, 5)
    args = arguments(module)
    exported = jax.export.export(jax.jit(interp.compile(module)))(*args)
    assert CALL not in exported.mlir_module()
    assert CALL not in repr(interp.lower(module))
    (expected,) = interp.run(module, *args)
    found = jax.export.deserialize(exported.serialize()).call(*args)
    assert np.asarray(found[0]).tobytes() == expected.storage.tobytes()


def test_where_the_call_does_not_work_xla_computes_the_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(xp: object, kind: object) -> str:
        raise RuntimeError("no such version")

    jax_native.works.cache_clear()
    monkeypatch.setattr(jax_native, "register_handler", refused)
    try:
        assert not jax_native.works(jax_namespace(), Kind("f32"))
        module = dot("f32", 4, 17, 5)
        is_the_fold(module, *arguments(module))
    finally:
        jax_native.works.cache_clear()


def test_a_product_by_library_of_f32_is_one_of_f32() -> None:
    """Stored numbers are multiplied and their sums are stored; every NaN is the one quiet NaN."""
    module = dot("f32", 4, 5, 17)
    compiled = interp.compile(module, contractions="library")
    left, right = arguments(module)
    left[0, 0, 0], left[0, 1, 0] = np.uint32(0xFFC12345).view(np.float32), np.inf
    assert "f64" not in jax.jit(compiled).lower(left, right).as_text()
    (expected,) = interp.run(module, left, right, contractions="library")
    found = np.asarray(compiled(left, right)[0])
    assert np.array_equal(found.view(np.uint32)[np.isnan(found)], [0x7FC00000] * np.isnan(found).sum())
    np.testing.assert_allclose(found, expected.storage, rtol=1e-5)


def test_few_products_pay_where_numpy_rounds_in_several_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^14 products of bf16 run in the loop, and of f32 step by step."""
    monkeypatch.setattr(numpy_products, "MANY", MANY)
    for element, expected in (("bf16", LOOP), ("f16", LOOP), ("f32", NONE)):
        module = single(
            "dot_general", f"16x64x{element}; 64x16x{element} -> 16x16x{element}", **contracting(1)
        )
        ((theorem, _), *_) = interp.plan(module).rows[0].tried
        assert theorem == expected
