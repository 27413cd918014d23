"""Contractions in order: the compiled loop has the bits of the fold, and rounds where the fold does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.engine.evaluate import Listener
from interp.speed import native_products, numpy_products
from spec.ir import Module
from spec.types import ElementType
from tests.library.builders import contracting, convolution, single
from tests.library.strategies import op_programs
from tests.library.strategies.programs import Program, stored

pytest.importorskip("llvmlite", reason="it has no wheel here")
machine_code = pytest.importorskip("interp.backends.machine_code")
product_code = pytest.importorskip("interp.speed.product_code")
Kind = product_code.Kind
rounding_numba = pytest.importorskip("interp.speed.counted_numba")
FLOATS = ("f32", "f64", "bf16", "f16")


@pytest.fixture(autouse=True)
def always() -> Iterator[None]:
    """Compile small contractions, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numpy_products, "MANY", 1)
        yield


def dot(element: str, m: int, n: int, k: int) -> Module:
    return single(
        "dot_general", f"{m}x{k}x{element}; {k}x{n}x{element} -> {m}x{n}x{element}", **contracting(1)
    )


def is_the_fold(module: Module, *args: np.ndarray) -> None:
    (fold,) = interp.run(module, *args, listeners=[Listener()])
    assert interp.run(module, *args)[0] == fold


@pytest.mark.parametrize("element", FLOATS)
@given(m=st.integers(0, 9), n=st.integers(0, 40), k=st.integers(0, 11), seed=st.integers(0, 999))
def test_any_bits_give_the_bits_of_the_fold(element: str, m: int, n: int, k: int, seed: int) -> None:
    """NaN, infinities, signed zeros and subnormals among them; vectors along either side."""
    module, rng = dot(element, m, n, k), np.random.default_rng(seed)
    is_the_fold(module, *(stored(rng, value.type) for value in module.main.inputs))


@pytest.mark.parametrize("element", FLOATS)
def test_sums_round_after_each_product_and_each_addition(element: str) -> None:
    """Numbers of one magnitude, so that nearly every step rounds."""
    module, rng = dot(element, 5, 33, 100), np.random.default_rng(1)
    dtype = module.main.inputs[0].type.storage_type.numpy
    is_the_fold(module, *(rng.normal(size=v.type.shape).astype(dtype) for v in module.main.inputs))


@pytest.mark.slow("compiles each", rows=2)
@pytest.mark.parametrize("element", FLOATS)
def test_compiled_sums_are_those_of_the_fold(element: str) -> None:
    """Among them subnormal numbers, which XLA would flush, and products that it would fuse with a sum."""
    module = dot(element, 5, 33, 19)
    compiled, dtype = interp.compile(module), module.main.inputs[0].type.storage_type.numpy
    rng = np.random.default_rng(3)
    draws = [[stored(rng, value.type) for value in module.main.inputs] for _ in range(6)]
    for scale in (1.0, 1e-19):
        draws.append([(rng.normal(size=v.type.shape) * scale).astype(dtype) for v in module.main.inputs])
    for args in draws:
        (fold,) = interp.run(module, *args, listeners=[Listener()])
        assert np.asarray(compiled(*args)[0]).tobytes() == fold.storage.tobytes()


@pytest.mark.parametrize("weight", [0.3, np.inf])
def test_compiled_windows_are_those_of_the_fold(weight: float) -> None:
    module = convolution(
        "2x5x6xf32; 3x3x4xf32 -> 2x8x4xf32",
        "b0f 0io b0f",
        padding=((2, 3),),
        lhs_dilation=(2,),
        rhs_dilation=(3,),
        window_strides=(1,),
        window_reversal=(True,),
        feature_group_count=2,
    )
    rng = np.random.default_rng(4)
    x, w = (rng.normal(size=value.type.shape).astype(np.float32) for value in module.main.inputs)
    w[0, 0, 0] = weight
    is_the_fold(module, x, w)
    assert (
        np.asarray(interp.compile(module)(x, w)[0]).tobytes() == interp.run(module, x, w)[0].storage.tobytes()
    )


def is_float(program: Program) -> bool:
    types = [value.type.element_type for op in program.module.ops() for value in op.operands[:2]]
    return any(not isinstance(type, ElementType) or type.kind == "float" for type in types)


@given(st.one_of(op_programs.dots(), op_programs.convolutions()).filter(is_float))
def test_random_contractions_are_their_folds(program: Program) -> None:
    is_the_fold(program.module, *program.args)


@pytest.mark.parametrize("weight", [1.0, np.inf, np.nan])
@pytest.mark.parametrize("outputs", [1, 3])
def test_holes_are_zero_products_whatever_the_weight(weight: float, outputs: int) -> None:
    module = convolution(
        f"1x3x4xf32; 2x1x{4 * outputs}xf32 -> 1x4x{4 * outputs}xf32",
        "b0f 0io b0f",
        padding=((1, 1),),
        feature_group_count=4,
    )
    x, w = np.ones((1, 3, 4), np.float32), np.full((2, 1, 4 * outputs), weight, np.float32)
    is_the_fold(module, x, w)
    assert np.isfinite(interp.run(module, x, w)[0].storage).all() == np.isfinite(weight)


def test_several_threads_do_not_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    module, rng = dot("f32", 64, 40, 30), np.random.default_rng(2)
    args = [rng.normal(size=value.type.shape).astype(np.float32) for value in module.main.inputs]
    (alone,) = interp.run(module, *args)
    monkeypatch.setattr(native_products, "threads", lambda: 3)
    monkeypatch.setattr(native_products, "SHARE", 8)
    monkeypatch.setattr(native_products, "WORK", 1 << 10)
    assert interp.run(module, *args)[0] == alone
    is_the_fold(module, *args)


@pytest.mark.slow("numba compiles each", rows=1)
@pytest.mark.parametrize("element", FLOATS)
def test_no_product_is_fused_with_a_sum(element: str) -> None:
    """The assembly of what runs has vectors of products and of sums, and no instruction that does both."""
    fused = {"fmadd", "fmla", "fmsub", "fnmadd"}
    assert not instructions(Kind(element), fused)
    assert instructions(Kind(element), {"mulp", "fmul"})
    assert instructions(Kind("f32", fused=True), fused)


def instructions(kind: Any, names: set[str]) -> set[str]:
    """Return the instructions of a kind of sums that have one of these names in theirs."""
    lines = machine_code.assembly(product_code.write_module(kind)).splitlines()
    words = {line.split()[0] for line in lines if line.split()}
    return {word for word in words if any(name in word for name in names)}


def test_rounding_by_bits_is_that_of_the_types() -> None:
    """Every f32 of 16 upper bits and a few lower ones, against NumPy and ml_dtypes."""
    bits = (np.arange(2**16, dtype=np.uint32)[:, None] << 16) | np.uint32(
        [0, 1, 0x0FFF, 0x1000, 0x7FFF, 0x8000, 0x8001, 0xFFFF]
    )
    numbers = bits.ravel().view(np.float32)
    numbers = numbers[~np.isnan(numbers)]
    for fl, dtype in ((rounding_numba._to_f16, np.float16), (rounding_numba._to_bf16, ml_dtypes.bfloat16)):
        with np.errstate(all="ignore"):
            expected = numbers.astype(dtype).astype(np.float32)
        found = np.array([fl(x) for x in numbers[::17]], np.float32)
        assert np.array_equal(found, expected[::17])


def test_an_operation_that_a_survey_runs_often_is_compiled_when_that_pays(monkeypatch) -> None:
    """Until then its products are folded, and the survey has the bits that it has without machine code."""
    module, n = dot("f32", 3, 5, 64), 64
    rng = np.random.default_rng(0)
    draw = lambda: tuple(rng.normal(size=v.type.shape).astype("f") for v in module.main.inputs)
    samples = [draw() for _ in range(20)]
    monkeypatch.setattr(numpy_products, "MANY", 1 << 20)
    calls: list[object] = []

    def sums(problem: Any, *rest: Any) -> Any:
        calls.append(problem)
        return native(problem, *rest)

    native = native_products.sums
    assert native_products.works(Kind("f32"))
    monkeypatch.setattr(native_products, "sums", sums)
    mixed = interp.survey(module, samples, against=dot("f32", 3, 5, n))
    compiled = len(calls)
    monkeypatch.setattr(numpy_products, "STEPS", 1 << 30)
    assert repr(interp.survey(dot("f32", 3, 5, n), samples, against=dot("f32", 3, 5, n))) == repr(mixed)
    assert len(calls) == compiled == 2 * (len(samples) - (1 << 10) // n)  # the program and its reference
