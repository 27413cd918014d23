"""Contractions by theorem: at the edge of each premise, just beyond it, and on random programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.engine.evaluate import Listener
from interp.execute.plan import Seen
from interp.speed.exact_contraction import Plain, Ring, Terms, premise_of
from spec.ir import Module, Op
from spec.schedule import parse
from tests.library.builders import contracting, convolution, single
from tests.library.strategies import op_programs
from tests.library.strategies.programs import Program, stored

BINARY = "!quant.uniform<i8<-127:127>:f32, 0.5>"
MOVED = "!quant.uniform<i8:f32, 0.25:3>"
THREE = "!quant.uniform<i8<-127:127>:f32, 0.75>"
PER_AXIS = "!quant.uniform<i8<-127:127>:f32:1, {0.5, 0.75}>"
REAL = "!quant.uniform<i8<-127:127>:f32, 0.3>"
HALF = "!quant.uniform<i8<-8:8>:f16, 0.5>"
WIDE = "!quant.uniform<i32:f32, 0.25>"


def dot(lhs: str, rhs: str, result: str, n: int) -> Module:
    return single("dot_general", f"3x{n}x{lhs}; {n}x2x{rhs} -> 3x2x{result}", **contracting(1))


def contraction(module: Module) -> Op:
    return next(op for op in module.ops() if op.name in ("stablehlo.dot_general", "stablehlo.convolution"))


def theorems(module: Module, *args: Any, schedule: str = "left") -> list[str]:
    """The fast paths that a run took."""
    seen = Seen(parse(schedule))
    interp.run(module, *args, schedule=schedule, listeners=[seen])
    return [theorem for row in seen.rows for theorem, _ in row.tried]


def is_the_fold(module: Module, *args: Any, schedule: str = "left") -> None:
    """A listener that sees nodes has the fold run as it is written."""
    (fold,) = interp.run(module, *args, schedule=schedule, listeners=[Listener()])
    assert interp.run(module, *args, schedule=schedule)[0] == fold
    if schedule in ("left", "balanced"):
        compiled = np.asarray(interp.compile(module, schedule=schedule)(*args)[0])
        assert compiled.tobytes() == np.ascontiguousarray(fold.storage).tobytes()


@pytest.mark.parametrize(
    ("lhs", "rhs", "result", "most"),
    [
        (BINARY, BINARY, WIDE, 2**24 // 127**2),
        (MOVED, BINARY, WIDE, 2**24 // (131 * 127)),
        (THREE, BINARY, WIDE, 2**24 // (3 * 127**2)),
        (THREE, THREE, "f32", 2**24 // (9 * 127**2)),
        (BINARY, PER_AXIS, WIDE, 2**24 // (3 * 127**2)),
        (HALF, HALF, "!quant.uniform<i8:f16, 0.5>", 2**11 // 64),
        ("i8", "i8", "f32", 2**24 // 2**14),
        ("i4", "i4", "f16", 2**11 // 64),
    ],
)
def test_types_allow_as_many_products_as_the_precision_holds(
    lhs: str, rhs: str, result: str, most: int
) -> None:
    for n, always in ((most, True), (most + 1, False)):
        terms = premise_of(contraction(dot(lhs, rhs, result, n)))
        assert isinstance(terms, Terms)
        assert terms.always == always


@pytest.mark.parametrize(
    ("lhs", "rhs", "result", "why"),
    [
        (REAL, BINARY, WIDE, "operand %arg0: scale 0.3 times 127 steps rounds in f32"),
        ("f32", "f32", "f32", "operand %arg0: products and sums of f32 may round"),
        ("f32", BINARY, "f32", "operand %arg0: products and sums of f32 may round"),
        ("i8", "i8", "f8E5M2", None),
        ("i16", "i16", "f32", "a product of 32768 and 32768 steps of these scales rounds in f32"),
        ("i1", "i1", "i1", "sums in i1"),
        ("complex<f32>", "complex<f32>", "complex<f32>", "sums in complex<f32>"),
    ],
)
def test_types_that_allow_nothing_say_why(lhs: str, rhs: str, result: str, why: str | None) -> None:
    premise = premise_of(contraction(dot(lhs, rhs, result, 1)))
    assert isinstance(premise, Plain)
    assert why is None or premise.why == why


@pytest.mark.parametrize(
    ("significand", "exact"),
    [(2**17 - 1, True), (2**17 + 1, False)],
)
def test_a_scale_may_have_as_many_bits_as_the_steps_leave(significand: int, exact: bool) -> None:
    """128 steps of a scale of 17 bits are 24 bits; of 18 bits, one more."""
    type = f"!quant.uniform<i8:f32, {significand / 2**20!r}>"
    one = "!quant.uniform<i8<-1:1>:f32, 1.0>"
    assert isinstance(premise_of(contraction(dot(type, one, "f32", 1))), Terms) == exact


@pytest.mark.parametrize(("exponent", "exact"), [(-63, True), (-64, False), (51, True), (52, False)])
def test_scales_are_neither_subnormal_nor_infinite(exponent: int, exact: bool) -> None:
    """2^-126 is the least normal f32, and 2^127 the largest power: 24 bits more than 2^103."""
    type = f"!quant.uniform<i8:f32, {2.0**exponent!r}>"
    assert isinstance(premise_of(contraction(dot(type, type, "f32", 1))), Terms) == exact


def test_integers_are_a_ring() -> None:
    assert premise_of(contraction(dot("i8", "i8", "i32", 5))) == Ring(2**14, never_wraps=True)


def full(n: int, sign: int = 1) -> tuple[np.ndarray, np.ndarray]:
    return np.full((3, n), 127, np.int8), np.full((n, 2), sign * 127, np.int8)


def test_data_decide_beyond_the_types() -> None:
    """One product more than the types allow; a smaller weight makes room for it."""
    n = 2**24 // 127**2 + 1
    module = dot(BINARY, BINARY, WIDE, n)
    lhs, rhs = full(n)
    assert theorems(module, lhs, rhs) == ["plain fold"]
    is_the_fold(module, lhs, rhs)
    rhs[0] = 1
    assert theorems(module, lhs, rhs) == ["exact sums by data"]
    is_the_fold(module, lhs, rhs)


def test_beyond_the_bound_the_order_counts() -> None:
    """127^2 times an odd number beyond 2^24 is no f32: exact sums would be another result."""
    n = 2**24 // 127**2 + 100
    module = dot(BINARY, BINARY, WIDE, n)
    lhs, rhs = full(n)
    assert interp.run(module, lhs, rhs)[0].storage[0, 0] != n * 127**2
    is_the_fold(module, lhs, rhs)


def with_constant(value: int, n: int) -> Module:
    lines = [
        f'%w = "stablehlo.constant"() {{value = dense<{value}> : tensor<{n}x2xi8>}} '
        f": () -> tensor<{n}x2x{BINARY}>",
        f"%0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] "
        f": (tensor<3x{n}x{BINARY}>, tensor<{n}x2x{BINARY}>) -> tensor<3x2x{WIDE}>",
        f"return %0 : tensor<3x2x{WIDE}>",
    ]
    head = f"func.func @main(%x: tensor<3x{n}x{BINARY}>) -> tensor<3x2x{WIDE}> {{"
    return interp.load("\n".join([head, *lines, "}"]))


@pytest.mark.parametrize(("value", "theorem"), [(64, "exact sums by constants"), (127, "plain fold")])
def test_constant_weights_decide_before_anything_runs(value: int, theorem: str) -> None:
    module, (lhs, _) = with_constant(value, 2000), full(2000)
    assert theorems(module, lhs) == [theorem]
    is_the_fold(module, lhs)


INTEGER_TYPES = ("i2", "i4", "i8", "i16", "i32", "i64", "ui4", "ui8", "ui32", "ui64")


@given(st.data())
def test_sums_of_integers_wrap_as_the_fold_does(data: st.DataObject) -> None:
    lhs, rhs, result = (data.draw(st.sampled_from(INTEGER_TYPES)) for _ in range(3))
    module = dot(lhs, rhs, result, data.draw(st.integers(0, 70)))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    args = [stored(rng, value.type) for value in module.main.inputs]
    (fold,) = interp.run(module, *args, listeners=[Listener()])
    assert interp.run(module, *args)[0] == fold


@pytest.mark.parametrize("n", [1024, 1025, 3000])
def test_blocks_of_integers_are_exact_in_floats(n: int) -> None:
    """1,024 products of the least i8 are 2^24; one more, an odd one, would be lost in f32."""
    module = dot("i8", "i8", "i32", n)
    lhs, rhs = np.full((3, n), -128, np.int8), np.full((n, 2), -128, np.int8)
    rhs[-1], lhs[:, -1] = 1, 1
    out = interp.run(module, lhs, rhs)[0].storage
    assert (out == (n - 1) * 2**14 + 1).all()
    assert (np.asarray(interp.compile(module)(lhs, rhs)[0]) == out).all()


@st.composite
def exact_programs(draw: st.DrawFn) -> Program:
    """Contractions in any layout, on types whose sums are exact; zero points, scales per axis, holes."""
    drawn = draw(st.sampled_from([op_programs.dots(), op_programs.convolutions()]))
    return draw(drawn.filter(lambda p: isinstance(premise_of(contraction(p.module)), Ring | Terms)))


@given(exact_programs(), st.sampled_from(["left", "balanced", "blocks(2)", "random(3)"]))
def test_random_contractions_are_their_folds(program: Program, schedule: str) -> None:
    is_the_fold(program.module, *program.args, schedule=schedule)


def test_holes_are_zeros_beside_a_zero_point() -> None:
    """A hole is the stored zero point of lhs, which stands for zero."""
    module = convolution(
        f"1x4x2x{MOVED}; 3x1x4x{BINARY} -> 1x6x4x{WIDE}",
        "b0f 0io b0f",
        padding=((2, 1),),
        lhs_dilation=(2,),
        window_strides=(1,),
        rhs_dilation=(2,),
        feature_group_count=2,
    )
    rng = np.random.default_rng(0)
    args = [rng.integers(-127, 128, v.type.shape, np.int8) for v in module.main.inputs]
    assert theorems(module, *args) == ["exact sums"]
    is_the_fold(module, *args)


@pytest.mark.parametrize("types", [("i8", "i8", "i32"), (BINARY, BINARY, WIDE)])
def test_a_small_padded_convolution_compiles_right(types: tuple[str, str, str]) -> None:
    """XLA's own convolution of i8 gives other numbers here, different ones in each run."""
    lhs, rhs, result = types
    signature = f"1x1x1x64x{lhs}; 3x3x64x64x{rhs} -> 1x1x1x64x{result}"
    module = convolution(signature, "b01f 01io b01f", padding=((1, 1), (1, 1)))
    rng = np.random.default_rng(1)
    args = [rng.integers(-127, 128, value.type.shape, np.int8) for value in module.main.inputs]
    is_the_fold(module, *args)
