"""`compile` against `run`, bit for bit, over random programs: one set of kernels, two array namespaces."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given, note, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import interp
from interp.backends.dtypes import numpy_dtype
from interp.engine.evaluate import Listener, Place
from interp.execute.compile import compile
from interp.execute.run import run
from spec.accumulator import LITERAL, Reading
from spec.elements import ELEMENT_TYPES, FLOATS, ElementType
from spec.errors import Malformed, Unsupported
from spec.ir import Op
from spec.readings import reading_error
from tests.library.builders import chained, contracting, convolution, function, reduced, single
from tests.library.strategies.op_programs import FAMILIES
from tests.library.strategies.programs import PROGRAMS, Program, joined
from tests.test_engine import RANDOM, READINGS, _examples, same

SCHEDULES = st.sampled_from(["left", "balanced", "blocks(2)", "blocks(3)"])
T = TypeVar("T")
LEAST = {"float64": 2.0**-1022, "complex128": 2.0**-480}  # complex operations multiply parts on their way


class MeetsSubnormal(Listener):
    """Listener that tells whether any f64 on the way is subnormal: XLA flushes those (`AGREEMENT`)."""

    met = False

    def look(self, *arrays: np.ndarray) -> None:
        for x in map(np.asarray, arrays):
            if least := LEAST.get(x.dtype.name):
                parts = np.abs([x.real, x.imag])
                self.met |= bool(((parts < least) & (parts != 0)).any())

    def on_op(self, op: Op, operands: tuple, results: tuple, place: Place | None) -> None:
        self.look(*operands, *results)

    def on_node(self, place: Place, lhs: tuple, rhs: tuple, results: tuple) -> None:
        self.look(*lhs, *rhs, *results)


def few(one: SearchStrategy[T]) -> SearchStrategy[list[T]]:
    return st.lists(one, min_size=3, max_size=3)


def agree(programs: list[Program], tree: str, reading: Reading = LITERAL) -> None:
    """Compile programs side by side, which takes less time than one after the other."""
    kept, eager = [], []
    for module, args in programs:
        watch = MeetsSubnormal()
        if not reading_error(module, "main", reading):
            results = run(module, *args, schedule=tree, reading=reading, listeners=[watch])
            if not watch.met:
                kept.append(Program(module, args))
                eager += results
    assume(kept)
    program = joined(kept)
    compiled = compile(program.module, schedule=tree, reading=reading)(*program.args)
    for ours, theirs in zip(eager, compiled, strict=True):
        note(f"eager    {ours.storage!r}\ncompiled {theirs!r}")
        assert same(ours.storage, np.asarray(theirs))


@settings(RANDOM, max_examples=8)
@given(few(PROGRAMS), SCHEDULES, READINGS)
def test_compiled_reductions_equal_eager(programs: list[Program], tree: str, reading: Reading) -> None:
    agree(programs, tree, reading)


@pytest.mark.slow("compiles a program of each family")
@pytest.mark.parametrize("family", FAMILIES)
def test_compiled_ops_equal_eager(family: str) -> None:
    @settings(RANDOM, max_examples=3)
    @given(few(FAMILIES[family]), SCHEDULES, READINGS)
    def check(programs: list[Program], tree: str, reading: Reading) -> None:
        agree(programs, tree, reading)

    check()


@pytest.mark.slow("compiles each", rows=5)
@pytest.mark.parametrize("type", FLOATS, ids=repr)
def test_every_float_format_is_carried(type: ElementType) -> None:
    """All codes negated, and their bits as integers and back, where those have the width; XLA has no f6."""
    t, bits = f"tensor<4x4x{type}>", f"tensor<4x4xui{type.bits}>"
    there_and_back = [
        f"%1 = stablehlo.bitcast_convert %0 : ({t}) -> {bits}",
        f"%2 = stablehlo.bitcast_convert %1 : ({bits}) -> {t}",
    ]
    last = there_and_back if type.bits != 6 else [f"%2 = stablehlo.negate %0 : {t}"]
    module = function(f"(%x: {t}) -> {t}", f"%0 = stablehlo.negate %x : {t}", *last)
    codes = np.arange(16, dtype=f"u{max(type.bits // 8, 1)}").reshape(4, 4)
    codes <<= max(type.bits - 4, 0)  # of every sign and size
    x = codes.view(numpy_dtype(type))
    if type.bits == 6:
        for verb in (compile, interp.lower, lambda module: interp.compare(module, x)):
            with pytest.raises(Unsupported, match=f"XLA has no {type}"):
                verb(module)
        return
    (eager,) = run(module, x)
    assert same(eager.storage, np.asarray(compile(module)(x)[0]))
    assert same(eager.storage, run(interp.lower(module), x)[0].storage)


def test_compiled_function_is_a_jax_function() -> None:
    """It can be jitted again, vmapped and exported, with 64-bit types off outside."""
    first, second = _examples(2)
    f = compile(first.module)
    expected = [run(p.module, *p.args)[0].storage for p in (first, second)]
    assert np.array_equal(jax.jit(f)(*first.args)[0], expected[0])
    batch = [np.stack(pair) for pair in zip(first.args, second.args, strict=True)]
    assert np.array_equal(jax.vmap(f)(*batch)[0], np.stack(expected))
    exported = jax.export.export(jax.jit(f))(*first.args)
    assert "!quant" not in exported.mlir_module()
    assert np.array_equal(exported.call(*first.args)[0], expected[0])


DIVISION = function(
    "(%x: tensor<99xf64>) -> tensor<99xf64>",
    "%c = stablehlo.constant dense<49.0> : tensor<99xf64>",
    "%0 = stablehlo.divide %x, %c : tensor<99xf64>",
)


def summed(rows: int, columns: int, scale: float) -> interp.Module:
    """Columns of i8 added up in i32, with an init value of i32."""
    narrow, wide = (f"!quant.uniform<{storage}:f32, {scale}>" for storage in ("i8", "i32"))
    return reduced(f"{rows}x{columns}x{narrow}", wide, init=wide)


@pytest.mark.parametrize(
    ("module", "others"),
    [(DIVISION, []), (summed(20, 9, 0.3), [np.int32(12_345_678)])],
    ids=["once", "steps"],
)
def test_a_divisor_that_vmap_broadcasts_divides(module: interp.Module, others: list[np.integer]) -> None:
    """XLA would multiply by its reciprocal, which rounds otherwise; once, and after each of many steps."""
    type, rng = module.main.inputs[0].type, np.random.default_rng(1)
    x = rng.integers(-128, 128, (2, 3, *type.shape)).astype(type.storage_type.numpy)
    expected = [[run(module, one, *others)[0].storage for one in some] for some in x]
    with jax.enable_x64(True):
        along_rows = jax.vmap(lambda x: compile(module)(x, *map(jnp.asarray, others)))
        assert np.array_equal(jax.vmap(along_rows)(x)[0], expected)


CHAINS = {
    "dequantized": """!narrow = !quant.uniform<i8:f64, 0.3>
    func.func @main(%x: tensor<99x!narrow>, %y: tensor<99xf64>) -> tensor<99xf64> {
      %0 = stablehlo.uniform_dequantize %x : (tensor<99x!narrow>) -> tensor<99xf64>
      %1 = stablehlo.add %0, %y : tensor<99xf64>
      return %1 : tensor<99xf64>
    }""",
    "converted": """func.func @main(%x: tensor<99xi8>, %y: tensor<99xf64>) -> tensor<99xf64> {
      %c = stablehlo.constant dense<0.3> : tensor<99xf64>
      %0 = stablehlo.convert %x : (tensor<99xi8>) -> tensor<99xf64>
      %1 = stablehlo.multiply %0, %c : tensor<99xf64>
      %2 = stablehlo.subtract %y, %1 : tensor<99xf64>
      return %2 : tensor<99xf64>
    }""",
}


@pytest.mark.parametrize("name", CHAINS)
def test_products_and_sums_are_not_contracted(name: str) -> None:
    """LLVM knows that a converted integer is no NaN, and sees through what would tell NaN apart."""
    rng, module = np.random.default_rng(1), interp.load(CHAINS[name])
    args = rng.integers(-128, 128, 99).astype(np.int8), rng.standard_normal(99)
    assert same(run(module, *args)[0].storage, np.asarray(compile(module)(*args)[0]))


@pytest.mark.parametrize("n", [1, 129])
def test_a_loop_of_one_step_is_not_contracted(n: int) -> None:
    """The product that dequantizes a leaf would meet the accumulator's sum without a loop between them."""
    module = summed(n, 99, 0.7)
    x = np.random.default_rng(1).integers(-128, 128, (n, 99)).astype(np.int8)
    expected = run(module, x, np.int32(16_000_001))[0].storage
    assert np.array_equal(compile(module)(x, np.int32(16_000_001))[0], expected)


@pytest.mark.slow("compiles each", rows=4)
@pytest.mark.parametrize("type", ["f16", "bf16", "f32", "f64"])
@pytest.mark.parametrize("expression", ["add %x, %zero", "add %zero, %x", "subtract %x, %less"])
def test_minus_zero_plus_a_constant_zero_is_zero(type: str, expression: str) -> None:
    """XLA would replace the sum by %x."""
    tensor = f"tensor<{type}>"
    module = function(
        f"(%x: {tensor}) -> {tensor}",
        f"%zero = stablehlo.constant dense<0.0> : {tensor}",
        f"%less = stablehlo.constant dense<-0.0> : {tensor}",
        f"%0 = stablehlo.{expression} : {tensor}",
    )
    x = np.array(-0.0, module.main.inputs[0].type.storage_type.numpy)
    expected = run(module, x)[0].storage
    assert not np.signbit(expected)
    assert same(expected, np.asarray(compile(module)(x)[0]))


@pytest.mark.parametrize("strict", [jax.numpy_dtype_promotion("strict"), jax.numpy_rank_promotion("raise")])
def test_what_jax_may_promote_is_the_callers_own_business(strict: AbstractContextManager) -> None:
    signature, padding = "1x3x3x5xi8; 2x2x5x1xi8 -> 1x4x4x1xi8", ((1, 1), (1, 1))
    module = convolution(signature, "b01f 01io b01f", padding=padding)
    args = [np.arange(45, dtype=np.int8).reshape(1, 3, 3, 5), np.ones((2, 2, 5, 1), np.int8)]
    with strict:
        for tree in ("left", "balanced"):
            expected = run(module, *args, schedule=tree)[0].storage
            assert np.array_equal(compile(module, schedule=tree)(*args)[0], expected)


def test_random_trees_are_eager_only() -> None:
    with pytest.raises(Unsupported, match=r"random\(3\)"):
        compile(_examples(1)[0].module, schedule="random(3)")


def compiled(type: str) -> Callable[..., tuple[jax.Array, ...]]:
    return interp.compile(chained(f"x: {type}", "add x x"))


def test_arrays_of_jax_are_converted_as_others_are() -> None:
    """100 + 100 wraps in i8 whatever integer dtype it came in; f16 widens to f32; bf16 comes as its bits."""
    assert compiled("2xi8")(jnp.array([100, 3]))[0].tolist() == [-56, 6]
    assert compiled("2xf32")(jnp.array([1, -1], jnp.float16))[0].tolist() == [2, -2]
    assert compiled("2xi64")(jnp.array([2**30, 1]))[0].tolist() == [2**31, 2]
    assert compiled("1xbf16")(jnp.array([0x3F80], jnp.uint16))[0].tolist() == [2]
    with pytest.raises(Malformed, match="out of the range"):
        compiled("1xi8")(jnp.array([300]))
    with pytest.raises(Malformed, match="takes 1 arguments, 2 given"):
        compiled("1xi8")(jnp.int8([1]), jnp.int8([1]))


@pytest.mark.parametrize("traced", [jax.jit, jax.vmap, lambda f: lambda x: jax.eval_shape(f, x)])
@pytest.mark.parametrize(
    "x", [np.ones((3, 2), np.int32), np.ones((3, 4), np.int8), np.ones((3, 2), np.float32)]
)
def test_tracers_must_be_of_the_parameters_type(traced: Callable[..., Any], x: np.ndarray) -> None:
    type = "2xi8" if traced is jax.vmap else "3x2xi8"
    with pytest.raises(Malformed, match="is traced as"):
        traced(compiled(type))(x)


def test_there_is_no_gradient_of_zeros() -> None:
    square = compiled("2xf32")
    with pytest.raises(Unsupported, match="no gradient"):
        jax.grad(lambda x: square(x)[0].sum())(jnp.float32([1, 2]))


def test_zero_plus_minus_zero_is_zero() -> None:
    """XLA would replace `0 + x` by x, which is wrong for -0: the product -1 * 0."""
    dot = single("dot_general", "1xf16; 1xf16 -> f16", **contracting())
    args = np.float16([-1]), np.float16([0])
    assert not np.signbit(interp.run(dot, *args)[0].storage)
    assert not np.signbit(np.asarray(interp.compile(dot)(*args)[0]))


@pytest.mark.parametrize("schedule", ["left", "balanced", "blocks(2)"])
def test_a_sum_of_nothing_in_a_type_without_zero_is_nan(schedule: str) -> None:
    """f8E8M0FNU has powers of two alone, and NaN."""
    one = "f8E8M0FNU"
    m = single("dot_general", f"1x0x{one}; 0x1x{one} -> 1x1x{one}", **contracting(1))
    args = (np.zeros((1, 0), ml_dtypes.float8_e8m0fnu), np.zeros((0, 1), ml_dtypes.float8_e8m0fnu))
    for (out,) in (interp.run(m, *args, schedule=schedule), interp.compile(m, schedule=schedule)(*args)):
        assert np.isnan(np.asarray(out, np.float32)).all()


@pytest.mark.parametrize("leaves", [[-87221193, -87221195], [0, -87221195], [-87221195, 0], [68555841] * 2])
def test_a_left_fold_saturates_at_the_rounded_bounds(leaves: list[int]) -> None:
    """f32 has 24 bits: between 2^26 and 2^27 it rounds to multiples of 8, and so it does the bounds (E3).

    -87221195 is rounded to -87221192, which is above it; 68555841 to 68555840. A sum beyond them ends there.
    """
    type = "!quant.uniform<i32<-87221195:68555841>:f32, 1.000000e-01>"
    text = f"""func.func @main(%x: tensor<2x{type}>, %i: tensor<{type}>) -> tensor<{type}> {{
      %0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0]
        : (tensor<2x{type}>, tensor<{type}>) -> tensor<{type}>
      return %0 : tensor<{type}>
    }}"""
    expected = 68555840 if leaves[0] > 0 else -87221192
    program, args = interp.load(text), (np.array(leaves, np.int32), np.int32(0))
    assert interp.run(program, *args)[0].storage == expected
    assert compile(program)(*args)[0] == expected


@pytest.mark.parametrize("element", ["f8E5M2", "f8E4M3", "f8E4M3FN", "f8E3M4", "bf16", "f16", "f32"])
def test_every_nan_is_stored_as_one(element: str) -> None:
    """Also where a program reads its bits, which have a sign."""
    type, bits = f"tensor<2x{element}>", f"tensor<2xi{ELEMENT_TYPES[element].bits}>"
    text = f"""func.func @main(%x: tensor<2xf64>) -> ({type}, {bits}) {{
  %0 = stablehlo.convert %x : (tensor<2xf64>) -> {type}
  %1 = stablehlo.bitcast_convert %0 : ({type}) -> {bits}
  return %0, %1 : {type}, {bits}
}}"""
    module, x = interp.load(text), np.array([np.nan, -np.nan])
    stored, read = (np.asarray(found) for found in compile(module)(x))
    assert stored.tobytes() == read.tobytes() == run(module, x)[0].storage.tobytes()
    assert read[0] == read[1] > 0
