"""Chains of elementwise operations that a compiled program calls: the bits of the operations one by one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.backends import NUMPY
from interp.backends.functions import rounded_to_odd
from interp.backends.jax_backend import jax_namespace
from interp.engine.evaluate import Listener
from interp.speed import jax_chains, jax_native
from spec.elements import ELEMENT_TYPES
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from tests.library.strategies.programs import Program
from tests.library.strategies.taped_programs import SPECIAL, Chain, taped
from tests.test_engine import oracle_tensor, stored

jax = pytest.importorskip("jax")
pytest.importorskip("llvmlite", reason="it has no wheel here")
chain_code = pytest.importorskip("interp.speed.chain_code")
CALL = "interp_chain_"
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def always() -> Iterator[None]:
    """Call compiled code for small arrays, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jax_chains, "MANY", 1)
        patch.setattr(jax_native, "MANY", 1)
        yield


def bits(results: Any) -> list[bytes]:
    return [np.ascontiguousarray(getattr(x, "storage", x)).tobytes() for x in results]


def compiled_text(module: Module, *args: Any) -> str:
    return jax.jit(interp.compile(module)).lower(*args).compile().as_text()


def has_the_bits_of_steps(module: Module, *args: Any) -> None:
    """A listener that sees nodes has every operation run as it is written."""
    expected = bits(interp.run(module, *args, listeners=[Listener()]))
    assert bits(interp.compile(module)(*args)) == expected


def loaded(arguments: str, result: str, *lines: str) -> Module:
    """`main` of arguments; the last line defines %y, the result."""
    body = "\n  ".join(lines)
    return interp.load(f"func.func @main({arguments}) -> {result} {{\n  {body}\n  return %y : {result}\n}}")


def test_xla_calls_compiled_code_here() -> None:
    """The other tests of this file would pass without it, too."""
    assert jax_chains.works(jax_namespace())


STEPS: list[Callable[..., None]] = [Chain.elementwise, Chain.unary, Chain.bias, Chain.clamp, Chain.reduce]


@pytest.mark.slow("XLA compiles each", rows=5)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.__name__)
@settings(max_examples=4)
@given(data=st.data())
def test_a_chain_has_the_bits_of_the_steps(step: Callable[..., None], data: st.DataObject) -> None:
    """Values are used again and again, moved, reduced and multiplied between them."""
    program: Program = data.draw(taped(step))
    has_the_bits_of_steps(program.module, *program.args)


def any_bits(*shape: int) -> np.ndarray:
    """Return any bits, with special numbers among them."""
    rng = np.random.default_rng(len(shape))
    x = rng.integers(0, 2**32, shape, np.uint32).view(np.float32)
    return np.where(rng.integers(0, 3, shape) == 0, rng.choice(SPECIAL, shape), x)


LINES = (
    "%wide = stablehlo.broadcast_in_dim %scale, dims = [2] : (tensor<5xf32>) -> tensor<3x7x5xf32>",
    "%rows = stablehlo.broadcast_in_dim %row, dims = [0, 1, 2] : (tensor<3x7x1xf32>) -> tensor<3x7x5xf32>",
    "%half = stablehlo.constant dense<0.5> : tensor<3x7x5xf32>",
    "%0 = stablehlo.multiply %x, %wide : tensor<3x7x5xf32>",
    "%1 = stablehlo.subtract %0, %rows : tensor<3x7x5xf32>",
    "%2 = stablehlo.compare LT, %1, %half : (tensor<3x7x5xf32>, tensor<3x7x5xf32>) -> tensor<3x7x5xi1>",
    "%3 = stablehlo.divide %1, %x : tensor<3x7x5xf32>",
    "%4 = stablehlo.maximum %3, %wide : tensor<3x7x5xf32>",
    "%y = stablehlo.select %2, %4, %0 : tensor<3x7x5xi1>, tensor<3x7x5xf32>",
)
TYPES = "%x: tensor<3x7x5xf32>, %scale: tensor<5xf32>, %row: tensor<3x7x1xf32>"


def test_a_chain_of_rows_and_columns_is_one_call_with_the_bits_of_the_oracle() -> None:
    module = loaded(TYPES, "tensor<3x7x5xf32>", *LINES)
    args = any_bits(3, 7, 5), any_bits(5), any_bits(3, 7, 1)
    text = compiled_text(module, *args)
    assert text.count(CALL) == 1
    assert "f64[" not in text.partition("ENTRY")[2]
    tensors = [oracle_tensor(x, v.type) for x, v in zip(args, module.main.inputs, strict=True)]
    oracle = stored(evaluate(module, tensors)[0])
    expected = np.where(np.isnan(oracle), np.float32(np.nan), oracle)
    assert bits(interp.compile(module)(*args)) == bits([expected])


DIRECTIONS = "EQ", "NE", "LT", "LE", "GT", "GE"


@pytest.mark.slow("XLA compiles each", rows=3)
@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "divide", "maximum", "minimum", *DIRECTIONS])
def test_pairs_of_special_numbers(name: str) -> None:
    """Every number beside every other, and what NaN compares to."""
    x, y = (np.ascontiguousarray(a) for a in np.meshgrid(SPECIAL, SPECIAL))
    type = "tensor<12x12xf32>"
    if name in DIRECTIONS:
        lines = (
            f"%0 = stablehlo.compare {name}, %a, %b : ({type}, {type}) -> tensor<12x12xi1>",
            f"%y = stablehlo.select %0, %a, %b : tensor<12x12xi1>, {type}",
        )
    else:
        lines = (f"%y = stablehlo.{name} %a, %b : {type}",)  # type: ignore[assignment]
    module = loaded(f"%a: {type}, %b: {type}", type, *lines)
    assert CALL in compiled_text(module, x, y)
    has_the_bits_of_steps(module, x, y)


@pytest.mark.parametrize("name", ["exponential", "logistic", "rsqrt", "tanh"])
def test_functions_are_rounded_correctly(name: str) -> None:
    """Also where f64 took some results of `logistic` for ties."""
    rng = np.random.default_rng(3)
    usual = np.float32(np.abs(rng.normal(size=300)) * 10.0 ** rng.integers(-8, 2, 300))
    ties = np.arange(0x35600000, 0x37830000, 0x40000, dtype=np.uint32).view(np.float32)
    x = np.concatenate([usual, ties[: len(ties) // 8 * 8], np.float32([chain_code.MISSED[0], 2**-15])])
    x = x if name == "rsqrt" else np.concatenate([x, -x])
    x = np.abs(x) if name == "rsqrt" else x
    type = f"tensor<{x.size}xf32>"
    module = loaded(f"%x: {type}", type, f"%y = stablehlo.{name} %x : {type}")
    exact = np.array([rounded_to_odd(name, float(number)) for number in x])
    expected = NUMPY.round_to(exact, ELEMENT_TYPES["f32"]).astype(np.float32)
    found = np.asarray(interp.compile(module)(x)[0])
    assert found.tolist() == expected.tolist()


def test_a_gelu_is_one_call() -> None:
    x = np.random.default_rng(0).normal(size=(9, 37)).astype(np.float32)
    module = interp.load(jax.jit(jax.nn.gelu).lower(x))
    text = compiled_text(module, x)
    assert text.count(CALL) == 1
    assert "f64[" not in text
    has_the_bits_of_steps(module, x)
    has_the_bits_of_steps(module, any_bits(9, 37))


def test_values_used_in_a_branch_and_after_it() -> None:
    """What a branch computes belongs to the branch."""

    def f(x: Any, yes: Any) -> Any:
        y = x * 3 + 1
        z = jax.lax.cond(yes, lambda: y.reshape(-1).sum() + (y @ y), lambda: y - 2)
        return z * (y @ y) + y

    x = np.random.default_rng(0).normal(size=(6, 6)).astype(np.float32)
    for yes in (True, False):
        has_the_bits_of_steps(interp.load(jax.jit(f).lower(x, yes)), x, np.bool_(yes))


def test_a_batch_has_the_bits_of_its_elements() -> None:
    x = np.random.default_rng(0).normal(size=(3, 4, 5)).astype(np.float32)
    call = interp.compile(interp.load(jax.jit(jax.nn.gelu).lower(x[0])))
    found = np.asarray(jax.vmap(call)(x)[0])
    assert found.tobytes() == np.stack([np.asarray(call(part)[0]) for part in x]).tobytes()


def test_an_exported_program_calls_nothing() -> None:
    x = np.random.default_rng(0).normal(size=(4, 5)).astype(np.float32)
    module = interp.load(jax.jit(jax.nn.gelu).lower(x))
    exported = jax.export.export(jax.jit(interp.compile(module)))(x)
    assert CALL not in exported.mlir_module()
    assert bits(exported.call(x)) == bits(interp.run(module, x))


def test_what_is_divided_among_devices_stays_so() -> None:
    """XLA divides no call: it would give every device the whole array."""
    command = [sys.executable, "-m", "tests.library.children.divided_chain_child"]
    found = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert found.stdout.split("\n")[:2] == ["Explicit True 0", "Auto True 0"]


def test_dimensions_are_joined_where_the_same_arrays_vary() -> None:
    """Words: rows, elements of a row, outer dimensions, their sizes, each array's steps in bytes."""
    words, repeated = chain_code.describe(
        (2, 3, 1, 5), [((2, 3, 1, 5), 4), ((1, 3, 1, 5), 4), ((2, 1, 1, 1), 1)]
    )
    assert words.tolist() == [2, 15, 1, 2, 60, 0, 1]
    assert repeated == [False, False, True]
    words, repeated = chain_code.describe((4, 5), [((4, 5), 4), ((1, 1), 4)])
    assert (words.tolist(), repeated) == ([1, 20, 0], [False, True])


@pytest.mark.parametrize("name", ["maximum", "minimum", "add"])
@pytest.mark.parametrize(("operand", "dimensions"), [("4xf32", []), ("1x4xf32", [0])])
def test_a_reduction_of_one_number_takes_the_init(name: str, operand: str, dimensions: list[int]) -> None:
    """JAX leaves it out where nothing is reduced, and XLA where the dimensions are of size 1."""
    reduced = f"stablehlo.reduce(%x init: %c) applies stablehlo.{name} across dimensions = {dimensions}"
    module = loaded(
        f"%x: tensor<{operand}>",
        "tensor<4xf32>",
        "%c = stablehlo.constant dense<0.5> : tensor<f32>",
        f"%y = {reduced} : (tensor<{operand}>, tensor<f32>) -> tensor<4xf32>",
    )
    x = np.float32([-1, 2, 0.25, np.nan])
    has_the_bits_of_steps(module, x.reshape(module.main.inputs[0].type.shape))


def test_a_cache_is_changed_and_read_as_it_is_stored() -> None:
    """Nothing of it is widened to f64; NaNs become the one NaN."""

    def step(cache: Any, row: Any, k: Any) -> Any:
        cache = jax.lax.dynamic_update_slice(cache, row * 2, (k, 0))
        return cache, jax.lax.dynamic_slice(cache, (k, 0), (2, 5)) @ cache.T, cache[np.array([[3], [0]])]

    cache, row, k = any_bits(6, 5), any_bits(1, 5), np.int32(7)
    module = interp.load(jax.jit(step).lower(cache, row, k))
    assert "f64[6,5]" not in compiled_text(module, cache, row, k)
    has_the_bits_of_steps(module, cache, row, k)
