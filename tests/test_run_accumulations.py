"""Runs along accumulations: the engine against the oracle, bit for bit, and the events of their nodes."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import interp
from interp.engine import float_sums
from interp.engine.bodies import only_op
from interp.recorder.recorder import Recorder
from spec.accumulation import Accumulation
from spec.ir import Op, Region
from spec.meaning.index import Tensor
from spec.meaning.sums import exact_sum
from tests.library.oracles.accumulated_by_hand import (
    CONVOLUTION,
    DOT,
    REDUCE,
    SCATTER,
    SELECT,
    WINDOW,
    oracle,
)
from tests.library.oracles.on_grid import Task, evaluate_parallel
from tests.library.strategies.accumulations import (
    DTYPES,
    float_accumulations,
    integer_accumulations,
    real,
)
from tests.library.strategies.parallel_programs import OnGrid, collectives

seeds, sizes = st.integers(0, 1 << 30), st.integers(0, 11)
load = cache(interp.load)


def check(text: str, args: list[np.ndarray], accumulation: str, reading: str = "dequantize") -> None:
    """Assert that a run has the bits of the oracle, or both refuse."""
    module = load(text)
    expected: Any
    try:
        expected = np.asarray(oracle(module, args, accumulation, reading), object)
    except interp.Unsupported:
        with pytest.raises(interp.Unsupported):
            interp.run(module, *args, accumulator=accumulation, reading=reading)
        return
    (found,) = interp.run(module, *args, accumulator=accumulation, reading=reading)
    got = np.asarray(found.storage).reshape(-1)
    if got.dtype.kind == "f" or got.dtype.kind == "V":
        got, wanted = got.astype(np.float64), expected.astype(np.float64)
        assert np.array_equal(np.isnan(got), np.isnan(wanted)), accumulation
        numbers = ~np.isnan(got)
        assert got[numbers].tobytes() == wanted[numbers].tobytes(), (accumulation, got, wanted)
    else:
        assert got.tolist() == expected.tolist(), accumulation


@given(
    float_accumulations,
    seeds,
    st.integers(0, 11),
    st.sampled_from(["f32", "f16", "bf16"]),
)
@settings(max_examples=150)
def test_dot_products_of_floats_are_those_of_the_oracle(
    accumulation: str, seed: int, k: int, type: str
) -> None:
    rng = np.random.default_rng(seed)
    dtype = DTYPES[type]
    args = [real(rng, (2, k), dtype), real(rng, (k, 2), dtype)]
    check(DOT.format(m=2, k=k, n=2, lhs=type, rhs=type, result=type), args, accumulation)


@given(
    float_accumulations,
    seeds,
    st.integers(0, 11),
    st.sampled_from(["f32", "f16", "f64"]),
)
@settings(max_examples=100)
def test_reductions_of_floats_are_those_of_the_oracle(
    accumulation: str, seed: int, k: int, type: str
) -> None:
    rng = np.random.default_rng(seed)
    args = [real(rng, (3, k), DTYPES[type]), real(rng, (), DTYPES[type])]
    if type == "f64" and "fused" in accumulation:
        with pytest.raises(interp.Unsupported, match="expected types up to f32"):
            interp.run(
                load(REDUCE.format(m=3, k=9, type=type, op="add")),
                np.ones((3, 9)),
                0.0,
                accumulator="star fused(4)",
            )
        return
    check(REDUCE.format(m=3, k=k, type=type, op="add"), args, accumulation)


@given(integer_accumulations, seeds, sizes, st.booleans())
@settings(max_examples=120)
def test_sums_of_integers_are_those_of_the_oracle(accumulation: str, seed: int, k: int, dot: bool) -> None:
    rng = np.random.default_rng(seed)
    if dot:
        args = [rng.integers(-128, 128, shape).astype(np.int8) for shape in ((2, k), (k, 2))]
        check(DOT.format(m=2, k=k, n=2, lhs="i8", rhs="i8", result="i32"), args, accumulation)
    else:
        x = rng.integers(-(2**31), 2**31, (3, k)) >> rng.integers(0, 31, (3, k))
        args = [x.astype(np.int32), np.asarray(rng.integers(-300, 300), np.int32)]
        check(REDUCE.format(m=3, k=k, type="i32", op="add"), args, accumulation)


NARROW, RIGHT = "!quant.uniform<i8:f32, 0.5:3>", "!quant.uniform<i8<-127:127>:f32, 0.25>"
RESULT = "!quant.uniform<i16:f32, 0.37:-4>"


@given(integer_accumulations | float_accumulations, seeds, st.integers(1, 9))
@settings(max_examples=80)
def test_quantized_sums_are_those_of_the_oracle(accumulation: str, seed: int, k: int) -> None:
    """In the dequantize reading; a contraction in integers is the integer reading's, tested below."""
    rng = np.random.default_rng(seed)
    args = [rng.integers(-128, 128, (2, k)).astype(np.int8), np.asarray(rng.integers(-9, 9), np.int8)]
    parsed = Accumulation.parse(accumulation)
    if all(a.type for a in parsed.arithmetics):
        check(REDUCE.format(m=2, k=k, type=NARROW, op="add"), args, accumulation)
    whole = any(a.element_type and a.element_type.is_integer for a in parsed.arithmetics)
    saturates = any(a.saturates for a in parsed.arithmetics)
    if not (whole or saturates):
        sides = [rng.integers(-127, 128, shape).astype(np.int8) for shape in ((2, k), (k, 2))]
        check(DOT.format(m=2, k=k, n=2, lhs=NARROW, rhs=RIGHT, result=RESULT), sides, accumulation)


@given(integer_accumulations, seeds, st.integers(1, 9))
@settings(max_examples=80)
def test_the_integer_reading_is_that_of_the_oracle(accumulation: str, seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    args = [rng.integers(-127, 128, shape).astype(np.int8) for shape in ((2, k), (k, 2))]
    check(DOT.format(m=2, k=k, n=2, lhs=NARROW, rhs=RIGHT, result=RESULT), args, accumulation, "integer")


@given(float_accumulations, seeds)
@settings(max_examples=40)
def test_windows_and_convolutions_are_those_of_the_oracle(accumulation: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    check(
        WINDOW.format(k=6, type="f32"), [real(rng, (6,), np.float32), real(rng, (), np.float32)], accumulation
    )
    args = [real(rng, (1, 6, 2), np.float32), real(rng, (3, 2, 2), np.float32)]
    check(CONVOLUTION.format(lhs="f32", rhs="f32", result="f32"), args, accumulation)


def test_dequantized_numbers_are_summed_as_the_integers_that_they_represent() -> None:
    """100 * 127 * 3 is 38,100 steps of 1/4: i16 saturates at 32,767."""
    narrow, wide = "tensor<3x!quant.uniform<i8:f32, 0.5>>", "tensor<3xf32>"
    module = interp.load(f"""func.func @main(%x: {narrow}, %w: {narrow}) -> tensor<f32> {{
      %y = stablehlo.uniform_dequantize %x : ({narrow}) -> {wide}
      %z = stablehlo.uniform_dequantize %w : ({narrow}) -> {wide}
      %0 = stablehlo.dot_general %y, %z, contracting_dims = [0] x [0] : ({wide}, {wide}) -> tensor<f32>
      return %0 : tensor<f32>
    }}""")
    args = np.full(3, 100, np.int8), np.full(3, 127, np.int8)
    for accumulation, total in (
        ("lanes(2: left in i16 saturate; left in i32) from zero", 25400 + 12700),
        ("blocks(3: right in i16 saturate; left in i32)", 32767),
        ("star in i16", 38100 - 65536),
        ("pairwise fma", 38100),
    ):
        assert interp.run(module, *args, accumulator=accumulation)[0].storage == total / 4
    with pytest.raises(interp.Finding, match="saturate x 1"):
        interp.run(
            module, *args, accumulator="blocks(3: left in i16 saturate; left in i32)", fail_on="saturate"
        )


def test_events_are_those_of_the_nodes() -> None:
    """9 + 9 leaves i5 in each of two blocks; 2^24 + 1 is rounded in f32, and not in f64."""
    whole = interp.load(REDUCE.format(m=1, k=4, type="i32", op="add"))
    x = np.int32([[9, 9, -9, -9]])
    for kind, mode in (("wrap", ""), ("saturate", " saturate")):
        recorder = Recorder([kind])
        interp.run(
            whole, x, np.int32(0), accumulator=f"blocks(2: left in i5{mode}; left in i32)", listeners=recorder
        )
        assert recorder.counts == {kind: 2}
        interp.run(
            whole, x, np.int32(0), accumulator="tree((0 1 3) (2 4)) in i5", fail_on=("wrap", "saturate")
        )
    with pytest.raises(interp.Finding, match=r"wrap x 2[\s\S]*9 \+ 9 -> -14 \(exact 18\)"):
        interp.run(whole, x, np.int32(0), accumulator="left in i5", fail_on="wrap")  # and -14 - 9 -> 9
    real = interp.load(REDUCE.format(m=1, k=2, type="f32", op="add"))
    x = np.float32([[2.0**24, 1]])
    with pytest.raises(interp.Finding, match="inexact x 1"):
        interp.run(real, x, np.float32(0), accumulator="star exact", fail_on="inexact")
    with pytest.raises(interp.Finding, match="inf x 1"):
        interp.run(real, np.float32([[3e38, 3e38]]), np.float32(0), accumulator="star", fail_on="inf")
    interp.run(real, np.float32([[3e38, 3e38]]), np.float32(0), accumulator="left toward zero", fail_on="inf")


def test_an_accumulation_has_its_own_order() -> None:
    module = interp.load(DOT.format(m=1, k=3, n=1, lhs="f32", rhs="f32", result="f32"))
    args = np.ones((1, 3), np.float32), np.ones((3, 1), np.float32)
    with pytest.raises(interp.Malformed, match="its own order"):
        interp.run(module, *args, accumulator="left fma", schedule="balanced")
    value = Accumulation.parse("lanes(2: left fma; balanced)")
    assert interp.run(module, *args, accumulator=value) == interp.run(module, *args, accumulator=repr(value))
    assert interp.run(module, *args, accumulator={"%0": value})[0].storage == 3
    with pytest.raises(interp.Malformed, match=r"an explicit tree has 2 leaves, got 4\n.*accumulator="):
        interp.run(module, *args, accumulator="tree(0 1)")


@given(st.lists(st.floats(allow_subnormal=True), min_size=3, max_size=6))
@example([-1.7e308, -1.7e308, float("inf")])
@settings(max_examples=200)
def test_sums_of_many_are_exact(numbers: list[float]) -> None:
    """Against fractions: the nearest number of f64, and the sign of the error."""
    with np.errstate(all="ignore"):
        total, error = float_sums.sum_of_many([np.array([x]) for x in numbers])
    exact = exact_sum([Fraction(x) if np.isfinite(x) and x else x for x in numbers])
    if not isinstance(exact, Fraction):
        assert str(float(total[0])) == str(exact)
    elif np.isfinite(total[0]):
        assert float(exact) == total[0]
        assert np.sign(exact - Fraction(float(total[0]))) == error[0]


SCALES = st.integers(-1074, 1000)


@given(st.lists(st.tuples(st.integers(-(2**53), 2**53), SCALES), min_size=3, max_size=3), st.booleans())
@example([(3, -1074), (1, -1), (0, 0)], False)
@example([(3, -540), (5, -540), (-1, -1074)], False)
@settings(max_examples=100)
def test_a_product_and_a_sum_are_rounded_once(numbers: list[tuple[int, int]], cancels: bool) -> None:
    """Against fractions; the third number may nearly cancel the product of the others."""
    with np.errstate(all="ignore"):
        a, b, c = (np.ldexp(np.float64(m), max(e - 53 * (e > -900), -1074)) for m, e in numbers)
        c = -(a * b) if cancels and np.isfinite(a * b) else c
        total, error = float_sums.multiply_and_add(a, b, c)
    if not np.isfinite([a, b, c]).all():
        return
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    try:
        nearest = float(exact)
    except OverflowError:
        assert np.isinf(total)
        return
    assert total == nearest
    assert error == (exact > nearest) - (exact < nearest)


@pytest.mark.parametrize("accumulation", ["left fma", "star exact", "left(2) exact"])
@pytest.mark.parametrize("lhs", [[-np.inf, 1, 1], [-np.inf, 2.0**1000, 1], [1, -np.inf, 2.0**1000]])
def test_a_product_beyond_f64_is_finite_beside_an_infinity(accumulation: str, lhs: list[float]) -> None:
    """2^2000 enters unrounded, so that minus infinity plus it is no NaN."""
    rhs = [1, 2.0**1000, 2.0**1000]
    args = [np.array([lhs], np.float64), np.array(rhs, np.float64).reshape(3, 1)]
    module = interp.load(DOT.format(m=1, n=1, k=3, lhs="f64", rhs="f64", result="f64"))
    found = interp.run(module, *args, accumulator=accumulation)[0].storage
    assert found.ravel().tolist() == [-np.inf] == oracle(module, args, accumulation, "dequantize")


SUMS = "!quant.uniform<i32:f32, 0.125>"  # the product of the scales: a result is its accumulator


@given(integer_accumulations | float_accumulations, seeds, st.integers(1, 9))
@settings(max_examples=60)
def test_the_matrix_has_the_sums_of_a_run(accumulation: str, seed: int, k: int) -> None:
    """Of integers as the accumulators hold them, of floats in f32; `matrix` keeps the root in its type."""
    rng = np.random.default_rng(seed)
    parsed = Accumulation.parse(accumulation)
    last = parsed.tree(k + 1).nodes[-1].arithmetic.type or "f32"
    if any((a.element_type and a.element_type.is_integer) or a.saturates for a in parsed.arithmetics):
        args = [rng.integers(-127, 128, shape).astype(np.int8) for shape in ((2, k), (k, 2))]
        module, reading = load(DOT.format(m=2, k=k, n=2, lhs=NARROW, rhs=RIGHT, result=SUMS)), "integer"
    else:
        args, reading = [real(rng, shape, np.float32) for shape in ((2, k), (k, 2))], "dequantize"
        module = load(DOT.format(m=2, k=k, n=2, lhs="f32", rhs="f32", result="f32"))
    if k == 1 and parsed.without_init:  # no node rounds a product alone
        return
    (found,) = interp.run(module, *args, accumulator=accumulation, reading=reading)
    cell = interp.trace(module, *args).matrix(types=parsed).cell(parsed)
    with np.errstate(over="ignore", invalid="ignore"):
        sums = cell.accumulators.astype(np.float32) if last == "f64" else cell.accumulators
    np.testing.assert_array_equal(found.storage.astype(np.float64), sums.astype(np.float64))


def test_a_matrix_names_accumulations() -> None:
    module = interp.load(DOT.format(m=1, k=3, n=1, lhs="f32", rhs="f32", result="f32"))
    x = np.float32([[2.0**24, 1, 1]])
    t = interp.trace(module, x, np.ones((3, 1), np.float32))
    found = t.matrix(types=["f32", "star exact"], schedules=["left", "balanced"])
    assert "star exact" in repr(found)
    assert [found.cell("star exact", s).error for s in ("left", "balanced")] == [0, 0]
    assert [found.cell("f32", s).error for s in ("left", "balanced")] == [2, 0]
    assert not found.schedule_matters(Accumulation.parse("star exact"))
    with pytest.raises(interp.Unsupported, match="multiplies floats, got the accumulator"):
        t.matrix(types="left in i16")


RETURNS = Region((), (Op("stablehlo.return", (), ()),))
DUPLICATES = np.array([[0], [2], [2], [3], [0], [2], [9], [2], [1]], np.int32)


@given(float_accumulations, seeds, st.sampled_from(["f32", "f16"]))
@settings(max_examples=60)
def test_scattered_floats_are_those_of_the_oracle(accumulation: str, seed: int, type: str) -> None:
    """Updates that land on one element, by `scatter` and by the windows that choose it."""
    rng, dtype = np.random.default_rng(seed), DTYPES[type]
    args = [real(rng, (4,), dtype), rng.permutation(DUPLICATES), real(rng, (9,), dtype)]
    check(SCATTER.format(type=type), args, accumulation)
    args = [real(rng, (9,), dtype), real(rng, (9,), dtype), real(rng, (), dtype)]
    check(SELECT.format(type=type), args, accumulation)


@given(integer_accumulations, seeds)
@settings(max_examples=60)
def test_scattered_integers_are_those_of_the_oracle(accumulation: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = lambda *shape: (rng.integers(-(2**31), 2**31, shape) >> rng.integers(0, 31, shape)).astype("i4")
    check(SCATTER.format(type="i32"), [numbers(4), rng.permutation(DUPLICATES), numbers(9)], accumulation)
    check(SELECT.format(type="i32"), [numbers(9), numbers(9), numbers()], accumulation)


@given(integer_accumulations | float_accumulations, seeds, st.sampled_from(["dequantize", "integer"]))
@settings(max_examples=60)
def test_scattered_quantized_numbers_are_those_of_the_oracle(
    accumulation: str, seed: int, reading: str
) -> None:
    """Where no node names a type, the body adds along the tree."""
    rng = np.random.default_rng(seed)
    numbers = lambda *shape: rng.integers(-128, 128, shape).astype(np.int8)
    args = [numbers(4), rng.permutation(DUPLICATES), numbers(9)]
    check(SCATTER.format(type=NARROW), args, accumulation, reading)
    check(SELECT.format(type=NARROW), [numbers(9), numbers(9), numbers()], accumulation, reading)
    check(REDUCE.format(m=2, k=5, type=NARROW, op="add"), [numbers(2, 5), numbers()], accumulation, reading)


@pytest.mark.parametrize("order", ["left", "balanced", "right", "star", "lanes(2)", "left(3)"])
def test_quantized_elements_without_types_are_added_by_the_body(order: str) -> None:
    numbers = np.random.default_rng(3).integers(-128, 128, (3, 9)).astype(np.int8)
    check(REDUCE.format(m=3, k=9, type=NARROW, op="add"), [numbers, np.int8(5)], order)
    check(REDUCE.format(m=3, k=9, type=NARROW, op="add"), [numbers, np.int8(5)], f"{order} without init")


def test_events_of_scattered_sums_say_where_they_are() -> None:
    """Element 2 gets 100 and 60, beyond i8; by the windows that choose it, too."""
    args = np.int32([0, 0, 5, 0]), np.int32([[2], [2], *[[9]] * 7]), np.int32([100, 60, *[0] * 7])
    recorder = Recorder(["saturate", "wrap"], 9)
    (out,) = interp.run(
        load(SCATTER.format(type="i32")), *args, accumulator="left in i8 saturate", listeners=[recorder]
    )
    assert out.storage.tolist() == [0, 0, 127, 0]
    (event,) = recorder.kept
    assert (event.kind, event.index, event.exact, event.stored) == ("saturate", (2,), 165, 127)
    x, source = np.zeros(9, np.int32), np.zeros(9, np.int32)
    x[4], source[[3, 5]] = 9, (100, 60)
    recorder = Recorder(["saturate", "wrap"], 9)
    (out,) = interp.run(
        load(SELECT.format(type="i32")),
        x,
        source,
        np.int32(1),
        accumulator="left in i8",
        listeners=[recorder],
    )
    assert out.storage.tolist() == [1, 1, 1, 1, 161 - 256, 1, 1, 1, 1]
    (event,) = recorder.kept
    assert (event.kind, event.index, event.exact, event.stored) == ("wrap", (4,), 161, 161 - 256)


@given(collectives(), integer_accumulations | float_accumulations)
@settings(max_examples=120, deadline=None)
def test_collectives_are_those_of_the_oracle(program: OnGrid, accumulation: str) -> None:
    """Sums over the processes, of any types and groups; what is not a sum of numbers is refused."""
    assume(all(value.type.size for value in program.module.main.inputs))  # the oracle refuses numbers
    grid, ops = program.grid._asdict(), program.module.main.body.ops
    run = lambda: interp.run_parallel(program.module, program.args, **grid, accumulator=accumulation)
    if only_op(ops[0].regions[-1] if ops[0].regions else RETURNS) != "add":
        with pytest.raises(interp.Unsupported, match=r"cannot be summed|is not used"):
            run()
        return
    try:
        expected = over_processes(program, accumulation)
    except interp.Unsupported:
        expected = None
    kind = ops[0].operands[0].type.storage_type.kind
    nodes = [a.element_type for a in Accumulation.parse(accumulation).arithmetics]
    is_of_integers = any(type and type.is_integer for type in nodes)
    if expected is None or kind == "boolean" or (kind == "float" and is_of_integers):
        with pytest.raises(interp.Unsupported):
            run()
        return
    stored = [[x.storage.astype(object).ravel().tolist() for x in results] for results in run()]
    assert repr(stored) == repr(expected)


def over_processes(program: OnGrid, accumulation: str) -> list[list[list[Any]]]:
    """Return the stored elements of each result of each process, by the oracle."""
    inputs = program.module.main.inputs
    tasks = {
        id: Task(
            "main", [Tensor(v.type, tuple(x.ravel().tolist())) for x, v in zip(row, inputs, strict=True)]
        )
        for id, row in zip(program.grid.process_ids, program.args, strict=True)
    }
    done = evaluate_parallel(program.module, program.grid, tasks, Accumulation.parse(accumulation))  # type: ignore[arg-type]
    return [[list(x.elements) for x in results] for results, _ in done.values()]
