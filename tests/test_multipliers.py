"""Requantizations whose multipliers the program gives: engine, oracle and compiler, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.execute.calling import READS
from interp.execute.lower import save
from spec.accumulator import Reading
from spec.errors import Malformed
from spec.ir import Defaults, Func, Module, Op, Region, Value
from spec.multipliers import NAME, ROUNDINGS, Multipliers, multipliers_in
from spec.types import TensorType, make_quantized
from tests.test_engine import RANDOM
from tests.test_recipes import Program, agree

INTEGER = Reading("integer")
SOURCE, TARGET = make_quantized("i32", "f32", 0.125, 3), make_quantized("i8", "f32", 0.5, -7)


def requantizing(known: Multipliers, shape: tuple[int, ...]) -> Module:
    x, y = (Value(n, TensorType(shape, t)) for n, t in (("%x", SOURCE), ("%y", TARGET)))
    op = Op("stablehlo.uniform_quantize", (x,), (y,), {NAME: known.attribute})
    body = Region((x,), (op, Op("func.return", (y,), ())))
    return interp.load(repr(Module({"main": Func("main", body, (y.type,))})))


@st.composite
def multipliers(draw: st.DrawFn) -> tuple[Multipliers, int]:
    rounding = draw(st.sampled_from(list(ROUNDINGS)))
    axis = draw(st.sampled_from([None, 1]))
    count, bits = 1 if axis is None else 3, 53 if rounding == "f64" else 31
    edges = st.sampled_from([0, 1, (1 << (bits - 1)), (1 << bits) - 1])
    factor = edges | st.integers(0, (1 << bits) - 1)
    factors = tuple(draw(st.lists(factor, min_size=count, max_size=count)))
    shifts = draw(st.lists(st.integers(-31, 5), min_size=count, max_size=count))
    shifts = [shift - 22 if rounding == "f64" else shift for shift in shifts]
    return Multipliers(factors, tuple(shifts), rounding, axis), draw(st.integers(0, 99))


@settings(RANDOM, max_examples=60)
@given(multipliers())
def test_engine_and_oracle_agree(drawn: tuple[Multipliers, int]) -> None:
    known, seed = drawn
    rng = np.random.default_rng(seed)
    wide, narrow = rng.integers(-(2**31), 2**31, (2, 3)), rng.integers(-999, 999, (2, 3))
    x = np.where(rng.random((2, 3)) < 0.5, wide, narrow).astype(np.int32)
    agree(Program(requantizing(known, (2, 3)), (x,)), "left", INTEGER)


def test_the_program_decides_and_neither_the_recipe_nor_the_dequantize_reading() -> None:
    module = requantizing(Multipliers((1 << 30,), (0,), "single"), (4,))  # a half, and not an eighth
    x = np.array([3 + 5, 3 - 5, 3 + 8, 3], np.int32)
    results = [interp.run(module, x, reading="integer", recipe=recipe)[0] for recipe in (None, "gemmlowp")]
    assert [result.tolist() for result in results] == [[-4, -9, -3, -7]] * 2
    assert interp.run(module, x)[0].tolist() == [-6, -8, -5, -7]
    assert np.asarray(interp.compile(module, reading="integer")(x)[0]).tolist() == [-4, -9, -3, -7]


def test_f64_rounds_halves_away_from_zero() -> None:
    module = requantizing(Multipliers((1,), (30,), "f64"), (4,))  # a half
    x = np.array([3 + 1, 3 - 1, 3 + 3, 3 - 3], np.int32)
    assert interp.run(module, x, reading="integer")[0].tolist() == [-6, -8, -5, -9]


@pytest.mark.parametrize(
    ("known", "reason"),
    [
        (Multipliers((1, 2), (0, 0), "single"), "2 multipliers without an axis"),
        (Multipliers((1, 2), (0, 0), "single", 0), "2 multipliers along dimension 0"),
        (Multipliers((1,), (0, 0), "single"), "1 multipliers and 2 shifts"),
        (Multipliers((1,), (0,), "half"), "unknown rounding 'half'"),
        (Multipliers((1 << 31,), (0,), "double"), r"not in \[0, 2\^31\)"),
        (Multipliers((1,), (31,), "double"), r"a shift is not in \[-31, 30\]"),
    ],
)
def test_what_a_program_may_not_give_is_refused(known: Multipliers, reason: str) -> None:
    module = requantizing(known, (4,))
    with pytest.raises(Malformed, match=reason):
        interp.run(module, np.zeros(4, np.int32), reading="integer")


def test_another_form_is_refused() -> None:
    text = repr(requantizing(Multipliers((1,), (0,), "double"), (4,))).replace("multiplier", "factor")
    with pytest.raises(Malformed, match=r"another form\n.*expected \{multiplier = array"):
        interp.run(interp.load(text), np.zeros(4, np.int32), reading="integer")


def test_permits_takes_the_result_that_the_program_says_and_no_other() -> None:
    module = requantizing(Multipliers((1 << 30,), (0,), "single"), (2,))
    x = np.array([3 + 5, 3 - 5], np.int32)
    results = [np.array(y, np.int8) for y in ([-4, -9], [-6, -8])]
    judged = [interp.permits(module, [x], [y], reading="integer") for y in results]
    assert [one.ok for one in judged] == [True, False]


def test_a_module_says_how_it_runs_where_nobody_else_does() -> None:
    plain = requantizing(Multipliers((1 << 30,), (0,), "single"), (2,))
    own = interp.load(repr(replace(plain, defaults=Defaults("integer", "tflite_double", "litert"))))
    x = np.array([3 + 5, 3 - 5], np.int32)
    assert "interp.defaults" in repr(own)
    assert own != plain
    assert interp.run(own, x)[0].tolist() == [-4, -9]
    assert interp.run(own, x, reading="dequantize")[0].tolist() == [-6, -8]
    assert interp.trace(own, x).reading == Reading("integer", chosen="tflite_double")
    assert interp.trace(own, x, recipe="exact").reading == Reading("integer", chosen="exact")
    assert np.asarray(interp.compile(own)(x)[0]).tolist() == [-4, -9]
    assert not interp.lower(own).defaults


def test_every_verb_that_takes_a_reading_takes_the_default_of_the_module() -> None:
    takes = {n for n in interp.VERBS if {"reading", "options"} & {*signature(getattr(interp, n)).parameters}}
    assert takes == {*READS}


def test_the_command_takes_the_default_of_the_module(tmp_path: Path, capsys: Any) -> None:
    plain = requantizing(Multipliers((1 << 30,), (0,), "single"), (2,))
    path, x = tmp_path / "m.mlir", tmp_path / "x.npy"
    save(replace(plain, defaults=Defaults("integer", "tflite_double", "litert")), path)
    np.save(x, np.array([3 + 5, 3 - 5], np.int32))
    for flags, expected in (([], "[-4, -9]"), (["--reading", "dequantize"], "[-6, -8]")):
        assert main(["run", str(path), str(x), *flags]) == 0
        assert expected in capsys.readouterr().out


@pytest.mark.parametrize("channels", [1, 3, 200])
def test_a_portable_artifact_keeps_the_multipliers(channels: int, tmp_path: Path) -> None:
    numbers = [(1 << 30) + 7 * k for k in range(channels)]
    axis = 0 if channels > 1 else None
    module = requantizing(Multipliers(tuple(numbers), (-2,) * channels, "double", axis), (channels,))
    save(module, path := tmp_path / "m.mlirbc")
    (op,) = [op for op in interp.load(path).ops() if op.name == "stablehlo.uniform_quantize"]
    assert multipliers_in(op) == Multipliers(tuple(numbers), (-2,) * channels, "double", axis)
