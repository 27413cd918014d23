"""`budget`: each source of error alone, sums in rational arithmetic, and the programs of the chain."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.backends import max_finite
from interp.comparison.budget import PARTS, Budget, ResultBudget
from interp.comparison.locality import Reals, is_real, real_numbers, switch_operations
from interp.engine.quant import Type
from interp.execute.xla import run_on_xla
from interp.rewrite.float_reference import float_reference
from interp.rewrite.inlining import inline_calls
from interp.rewrite.stages import STAGES, make_stage
from spec.ir import Module
from spec.schedule import parse
from spec.types import QuantizedType
from tests.library.builders import contracting, function, quantized, reduced, single
from tests.library.oracles.by_hand import real, requantized, steps
from tests.library.strategies.programs import PROGRAMS, Program, leaves, quantized_types


def sum_of(input: str, init: str, body: str, n: int, combine: str = "add") -> Module:
    return reduced(f"{n}x{input}", body, combine, init=init)


def parts(found: Budget, index: tuple[int, ...] = ()) -> dict[str, Fraction]:
    """The parts of the first result that are not zero."""
    values = {name: found[name].at(index) for name in PARTS}
    return {name: value for name, value in values.items() if value}


def budget(module: Module, *args: Any, inputs: Any = None, **options: Any) -> Budget:
    found = interp.trace(module, *args, **options).budget(inputs)
    for result in found.results:
        check_sums(result)
    return found


def check_sums(result: ResultBudget) -> None:
    for index in np.ndindex(result.type.shape):
        if result.total.counted[index]:
            assert sum(part.at(index) for part in result.parts) == result.total.at(index)
            rows = result.parts[0], *result.switches
            assert sum(row.at(index) for row in rows) == result.total.at(index)


# Each source of error alone


def test_conversion_alone() -> None:
    """0.25, 0.75 and 1.25 in steps of a half: 0, 1 and 1."""
    fine, coarse = quantized("i8:f32, 0.25"), quantized("i16:f32, 0.5")
    found = budget(sum_of(fine, fine, coarse, 3), np.array([1, 3, 5], np.int8), np.int8(0))
    assert parts(found) == {"conversion": Fraction(2) - Fraction(9, 4)}


def test_saturation_alone() -> None:
    """100 + 100 + 5 in steps of a half, up to 127."""
    narrow = quantized("i8:f32, 0.5")
    found = budget(sum_of(narrow, narrow, narrow, 3), np.array([100, 100, 5], np.int8), np.int8(0))
    assert parts(found) == {"saturation": Fraction(127 - 205, 2)}


def test_a_leaf_that_saturates_is_saturation() -> None:
    coarse, fine = quantized("i8:f32, 1.0"), quantized("i8:f32, 0.5")
    found = budget(sum_of(coarse, coarse, fine, 2), np.array([100, -90], np.int8), np.int8(0))
    assert parts(found) == {"saturation": Fraction(127 - 128, 2) - 10}


def test_rounding_of_sums_alone() -> None:
    """A zero point of 2^24 + 1 is 2^24 in f32, so that quantizing takes 1 off the sum of 1 and 1."""
    point = 2**24 + 1
    wide = quantized(f"i32:f32, 1.0:{point}")
    found = budget(sum_of(wide, wide, wide, 1), np.array([point + 1], np.int32), np.int32(point + 1))
    assert parts(found) == {"accumulation rounding": Fraction(-1)}


def test_rounding_of_inputs_alone() -> None:
    narrow = quantized("i8:f32, 0.5")
    m = sum_of(narrow, narrow, narrow, 2)
    found = budget(m, np.array([3, 5], np.int8), np.int8(0), inputs=[[1.625, 2.25], None])
    assert parts(found) == {"input rounding": Fraction(1, 8)}
    assert "inputs=" not in repr(found)


def test_rounding_of_results_alone() -> None:
    narrow, wide = quantized("i8:f32, 0.5"), quantized("i32:f32, 0.5")
    m = reduced(f"2x{narrow}", wide, result=quantized("i32:f32, 2.0"))  # erratum E14
    found = budget(m, np.array([3, 4], np.int8), np.int8(0))
    assert parts(found) == {"output rounding": Fraction(1, 2)}
    assert "inputs=" in repr(found)


def test_the_floats_rounding_alone() -> None:
    """0.1 + 0.1 + 0.7 - 0.9 in f32 is -2^-24; our sum of integers is 0."""
    tenth = quantized("i8:f32, 0.1")
    found = budget(sum_of(tenth, tenth, tenth, 4), np.array([1, 1, 7, -9], np.int8), np.int8(0))
    assert set(parts(found)) == {"float arithmetic"}
    assert found.total.after == 0
    assert found.total.before != 0


# The chain, on random programs

SCHEDULES = st.sampled_from(["left", "balanced", "blocks(3)", "random(5)"])


def numbers_at(module: Module, stage: str, args: tuple[Any, ...], schedule: str = "left") -> list[Any]:
    """The results of a stage of the chain on stored arguments."""
    reals = [real_numbers(x, v.type) for x, v in zip(args, module.main.inputs, strict=True)]
    return Reals(parse(schedule), "fold").run(make_stage(module, stage), reals)


def has_reference(module: Module) -> bool:
    try:
        float_reference(module)
    except interp.Unsupported:
        return False
    return any(type.is_quantized for type in module.main.results)


@settings(max_examples=6, deadline=None)
@given(PROGRAMS, SCHEDULES)
def test_the_parts_sum_to_the_total(program: Program, schedule: str) -> None:
    """The parts lead from XLA's very result to the run's."""
    assume(leaves(program) < 500 and has_reference(program.module))
    inputs = program.module.main.inputs
    try:
        reals = [interp.Tensor(v.type, x).dequantize() for v, x in zip(inputs, program.args, strict=True)]
        reference = run_on_xla(float_reference(program.module), reals)
        found = budget(program.module, *program.args, schedule=schedule)
    except interp.Unsupported as error:
        assume("XLA does not run" not in error.verdict)
        raise
    results = interp.run(program.module, *program.args, schedule=schedule)
    for result in found.results:
        assert same(result.total.before, reference[result.number])
        assert same(result.total.after, results[result.number].dequantize())
        chain = [part.before for part in result.parts] + [result.total.after]
        assert all(a.after is b for a, b in zip(result.parts, chain[1:], strict=True))


def same(a: Any, b: Any) -> bool:
    return np.array_equal(a, np.asarray(b).astype(np.float64), equal_nan=True)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])
@given(PROGRAMS, SCHEDULES)
def test_only_clipping_is_missing_from_the_last_stage(program: Program, schedule: str) -> None:
    """The last stage gives the program's results where nothing saturates.

    Assumption: the expressed types hold the ranges, so that neither infinity nor NaN takes part.
    """
    assume(leaves(program) < 500 and has_reference(program.module))
    values = [v for op in program.module.ops() for v in (*op.operands, *op.results)]
    assume(all(holds_its_range(v.type.element_type) for v in values))
    t = interp.trace(program.module, *program.args, schedule=schedule)
    assume(not t.has("saturate", "nan", "inf"))
    for x, result in zip(
        numbers_at(program.module, "rounded", program.args, schedule), t.results, strict=True
    ):
        assert same(np.asarray(x).astype(np.float64), result.dequantize())


def holds_its_range(type: Type) -> bool:
    if not isinstance(type, QuantizedType):
        return True
    return 2.0 ** (type.storage_type.bits + 2) * max(type.scale, 1) < max_finite(type.expressed_type)


@settings(max_examples=20, deadline=None)
@given(PROGRAMS, SCHEDULES)
def test_operations_lead_from_the_exact_program_to_the_run(program: Program, schedule: str) -> None:
    assume(leaves(program) < 500 and has_reference(program.module))
    module, args = inline_calls(program.module, program.module.main), program.args
    reals = [real_numbers(x, v.type) for x, v in zip(args, module.main.inputs, strict=True)]
    before, switches, _ = switch_operations(module, Reals(parse(schedule), "fold"), reals, args)
    wanted = numbers_at(module, "exact", args, schedule)
    results = interp.run(module, *args, schedule=schedule)
    for k, type in enumerate(module.main.results):
        if is_real(type):
            assert same(before[k], np.asarray(wanted[k]).astype(np.float64))
            assert same(switches[-1].results[k], results[k].dequantize())


@st.composite
def sums(draw: st.DrawFn) -> tuple[Module, list[int], int, QuantizedType, QuantizedType]:
    """A sum in f32 of types up to 16 bits, whose real sums f64 holds."""
    source = draw(quantized_types("f32").filter(lambda t: t.storage_type.bits <= 16))
    bits = source.storage_type.bits
    body = draw(
        st.one_of(st.just(source), quantized_types("f32", bits).filter(lambda t: t.storage_type.bits <= 16))
    )
    numbers = st.integers(source.storage_min, source.storage_max)
    x = draw(st.lists(numbers, max_size=8))
    return sum_of(repr(source), repr(source), repr(body), len(x)), x, draw(numbers), source, body


@settings(max_examples=120)
@given(sums())
def test_every_program_of_the_chain_by_hand(
    case: tuple[Module, list[int], int, QuantizedType, QuantizedType],
) -> None:
    """Sums in exact arithmetic, and the unbounded accumulator in NumPy's f32 and Python's integers."""
    module, x, init, source, body = case
    args = tuple(np.array(q, np.dtype(source.storage_type.numpy)) for q in (x, init))
    values = [init, *x]
    exact = [(q - source.zero_point) * Fraction(float(np.float32(source.scale))) for q in values]
    stored = [requantized(q, source, body) for q in values]
    scale = Fraction(float(np.float32(body.scale)))
    total = stored[0]
    for q in stored[1:]:
        total = steps(real(total, body) + real(q, body), body)
    wanted = [
        sum(exact),
        sum(exact),
        sum((q - body.zero_point) * scale for q in stored),
        (total - body.zero_point) * scale,
        Fraction(float(real(total, body))),
    ]
    chain = [numbers_at(module, stage, args)[0] for stage in STAGES]
    assert [Fraction(float(number)) for number in chain] == wanted


# Programs of several operations

POOL = Path(__file__).parent.parent / "testdata/programs/overflowing_pool"


def pool() -> tuple[Module, np.ndarray]:
    return interp.load(POOL.with_suffix(".mlir")), np.load(POOL.with_suffix(".npz"))["arg0"]


def program(*lines: str, arguments: str, result: str, more: str = "") -> Module:
    """`@main`; !a is i8, !c an i16 in steps of four of its own, both exact in f32."""
    aliases = "!a = !quant.uniform<i8:f32, 0.5>\n!c = !quant.uniform<i16:f32, 2.0>"
    return function(f"({arguments}) -> {result}", *lines, before=aliases, after=more)


def add(name: str, x: str, n: int, source: str = "!a", body: str = "!a") -> str:
    return f"""{name} = "stablehlo.reduce"({x}, %i) ({{
      ^bb0(%l: tensor<{body}>, %r: tensor<{body}>):
        %s = stablehlo.add %l, %r : tensor<{body}>
        stablehlo.return %s : tensor<{body}>
      }}) {{dimensions = array<i64: 0>}} : (tensor<{n}x{source}>, tensor<!a>) -> tensor<{body}>"""


def test_the_pool_overflows_where_its_events_say() -> None:
    module, x = pool()
    t = interp.trace(module, x)
    found = t.budget()
    check_sums(found.results[0])
    reduction = found.operations[0]
    assert (reduction.value, t.reduction().name) == ("%sum", "%sum")
    saturated = t.reductions["%sum"].results[0] != exact_sums(x)
    assert np.array_equal(found["saturation"].error != 0, saturated)
    assert np.array_equal(reduction.local.error != 0, saturated)
    assert not parts(found, (0, 0, 0, 0)).keys() & {"conversion", "accumulation rounding"}


def exact_sums(x: np.ndarray) -> np.ndarray:
    """Return the sums of the pool's windows, in steps of its accumulator."""
    starts = [4 * i for i in range(4)]
    rows = [[x[:, i : i + 8, j : j + 8].astype(np.int64).sum((1, 2)) for j in starts] for i in starts]
    return np.moveaxis(np.array(rows), 2, 0) * 8


def test_an_operations_own_error_and_what_it_inherits() -> None:
    """127 is stored of 150 steps; in steps of four that is 31.75, so 32: 0.5 more.

    Without clipping 37.5 of them are 38: 1 more. So of the whole error, 64 - 75, clipping is 64 - 76.
    """
    m = program(
        add("%t", "%x", 2),
        "%y = stablehlo.uniform_quantize %t : (tensor<!a>) -> tensor<!c>",
        arguments="%x: tensor<2x!a>, %i: tensor<!a>",
        result="tensor<!c>",
    )
    found = budget(m, np.array([100, 50], np.int8), np.int8(0))
    half = Fraction(1, 2)
    assert [op.op.name for op in found.operations] == ["stablehlo.reduce", "stablehlo.uniform_quantize"]
    assert [op.local.at(()) for op in found.operations] == [-23 * half, half]
    assert [op.inherited.at(()) for op in found.operations] == [0, -23 * half]
    assert [row.at(()) for row in found.results[0].switches] == [0, -23 * half, half]
    assert parts(found) == {"saturation": Fraction(64 - 76), "output rounding": Fraction(1)}


def test_what_a_program_quantizes_first_is_input() -> None:
    m = program(
        "%q = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!a>",
        add("%t", "%q", 2),
        arguments="%x: tensor<2xf32>, %i: tensor<!a>",
        result="tensor<!a>",
    )
    found = budget(m, np.array([1.125, 2.25], np.float32), np.int8(0))
    assert parts(found) == {"input rounding": Fraction(1 + 2) - Fraction(27, 8)}


def test_what_a_reduction_reduces_is_rounded_before() -> None:
    """1.5 * 0.5 = 0.75 lies between two steps: the sum of two of them is 1.5, or 2 as stored."""
    m = program(
        "%q = stablehlo.multiply %x, %x : tensor<2x!a>",
        add("%t", "%q", 2),
        arguments="%x: tensor<2x!a>, %i: tensor<!a>",
        result="tensor<!a>",
    )
    found = budget(m, np.array([3, 1], np.int8), np.int8(0))
    assert parts(found) == {"input rounding": Fraction(0) + 2 - Fraction(5, 2)}


def test_a_sum_beyond_its_range_is_saturation_for_the_next_reduction_too() -> None:
    m = program(
        add("%t", "%x", 2),
        "%u = stablehlo.broadcast_in_dim %t, dims = [] : (tensor<!a>) -> tensor<1x!a>",
        add("%v", "%u", 1, "!a", "!c"),
        arguments="%x: tensor<2x!a>, %i: tensor<!a>",
        result="tensor<!c>",
    )
    found = budget(m, np.array([100, 52], np.int8), np.int8(0))
    assert parts(found) == {"saturation": Fraction(64 - 76)}


def test_bodies_that_call_and_that_use_outer_values() -> None:
    m = program(
        """%t = "stablehlo.reduce"(%x, %i) ({
          ^bb0(%l: tensor<!a>, %r: tensor<!a>):
            %s = func.call @sum(%l, %r) : (tensor<!a>, tensor<!a>) -> tensor<!a>
            %m = stablehlo.minimum %s, %k : tensor<!a>
            stablehlo.return %m : tensor<!a>
          }) {dimensions = array<i64: 0>} : (tensor<3x!a>, tensor<!a>) -> tensor<!a>""",
        arguments="%x: tensor<3x!a>, %i: tensor<!a>, %k: tensor<!a>",
        result="tensor<!a>",
        more="""func.func private @sum(%l: tensor<!a>, %r: tensor<!a>) -> tensor<!a> {
          %s = stablehlo.add %l, %r : tensor<!a>
          return %s : tensor<!a>
        }""",
    )
    args = np.array([-100, -100, 100], np.int8), np.int8(0), np.int8(90)
    values = [numbers_at(m, stage, args)[0].item() for stage in STAGES]
    assert values == [-50, -50, -50, -50, -50]
    assert interp.run(m, *args)[0].dequantize() == -14
    args = np.array([100, 100, -10], np.int8), np.int8(0), np.int8(90)
    assert {numbers_at(m, stage, args)[0].item() for stage in STAGES} == {40}


def test_a_contraction_rounds_its_sums_in_the_expressed_type() -> None:
    """2048 + 1 is 2048 in f16, and so is 2048 + 1 + 1 from the left; 2050 is a step."""
    q = quantized("i16:f16, 1.0")
    m = single("dot_general", f"3x{q}; 3x{q} -> {q}", **contracting())
    found = budget(m, np.array([2048, 1, 1], np.int16), np.array([1, 1, 1], np.int16))
    assert found["accumulation rounding"].at(()) == -2
    assert set(parts(found)) <= {"accumulation rounding", "float arithmetic"}


def test_every_program_prints_and_the_bounded_ones_are_legal() -> None:
    module, x = pool()
    programs = interp.trace(module, x).budget().programs
    assert list(programs) == list(PARTS)
    assert repr(programs["saturation"].main.body) == repr(module.main.body)
    assert all(map(repr, programs.values()))
    for name in ("float arithmetic", "saturation"):
        assert interp.verify(interp.load(repr(programs[name])), mode="mlir") == []


# What is left out, and what is refused


def test_what_is_not_finite_does_not_count() -> None:
    m = function(
        "(%x: tensor<2x!quant.uniform<i8:f16, 1.0>>) -> tensor<2xf16>",
        "%y = stablehlo.uniform_dequantize %x : (tensor<2x!quant.uniform<i8:f16, 1.0>>) -> tensor<2xf16>",
        "%z = stablehlo.exponential %y : tensor<2xf16>",
    )
    (result,) = budget(m, np.array([0, 100], np.int8)).results
    assert (result.not_finite, result.total.worst, result.total.largest) == (1, (0,), 0)
    assert "1 not finite" in "\n".join(result.lines())


def test_a_program_without_quantized_types_has_no_budget() -> None:
    with pytest.raises(interp.Unsupported, match="no quantized types"):
        budget(sum_of("f32", "f32", "f32", 2), np.zeros(2, np.float32), np.float32(0))


def test_a_result_that_is_no_number_has_no_budget() -> None:
    m = program(
        "%y = stablehlo.compare LT, %x, %x : (tensor<!a>, tensor<!a>) -> tensor<i1>",
        arguments="%x: tensor<!a>",
        result="tensor<i1>",
    )
    with pytest.raises(interp.Unsupported, match="is a real number"):
        budget(m, np.int8(0))


def test_growth_beyond_64_bits() -> None:
    """256^9 steps of i16, whose type holds 2^15; and 256^17, which f32 does not hold."""
    type = quantized("i16:f32, 1.0")
    found = budget(sum_of(type, type, type, 9, "multiply"), np.full(9, 256, np.int16), np.int16(1))
    assert parts(found) == {"saturation": Fraction(2**15 - 1 - 2**72)}
    found = budget(sum_of(type, type, type, 17, "multiply"), np.full(17, 256, np.int16), np.int16(1))
    assert found.results[0].not_finite == 1


@pytest.mark.parametrize(
    ("inputs", "verdict"),
    [
        ([[0.5, 1.0]], "1 inputs for 2 arguments"),
        ([[0.5], None], "float64[1]"),
        ([[0.5, np.nan], None], "float64[2]"),
        ([["a", "b"], None], "<U1[2]"),
    ],
)
def test_inputs_that_are_none(inputs: Any, verdict: str) -> None:
    type = quantized("i8:f32, 0.5")
    with pytest.raises(interp.Malformed) as raised:
        budget(sum_of(type, type, type, 2), np.zeros(2, np.int8), np.int8(0), inputs=inputs)
    assert verdict in raised.value.verdict


def test_the_command_line_prints_it(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert main(["trace", f"{POOL}.mlir", f"{POOL}.npz", "--budget", "--html", str(page)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert "saturation " in page.read_text("utf-8").partition('id="budget"')[2]
    assert any(line.startswith("accumulation rounding") for line in shown)
    assert any("reduce_window %sum " in line and line.split()[-1] == "8" for line in shown)
