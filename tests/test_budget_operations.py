"""The budget by operation: calls are entered, several operations share a row where time is short."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

import interp
from interp.command.data import as_json
from interp.comparison.budget import Budget
from interp.rewrite.inlining import inline_calls
from spec.attributes import Symbol
from spec.ir import Module, Op, Region, Value
from tests.library.builders import chained, contracting, function, quantized, single

Q = quantized("i8:f32, 0.5")
CALLS = f"""
!q = {Q}
func.func @main(%x: tensor<3x!q>) -> tensor<3x!q> {{
  %0 = call @double(%x) : (tensor<3x!q>) -> tensor<3x!q>
  %1:2 = call @twice(%0) : (tensor<3x!q>) -> (tensor<3x!q>, tensor<3x!q>)
  %2 = stablehlo.add %1#1, %0 : tensor<3x!q>
  return %2 : tensor<3x!q>
}}
func.func private @double(%x: tensor<3x!q>) -> tensor<3x!q> {{
  %0 = stablehlo.add %x, %x : tensor<3x!q>
  return %0 : tensor<3x!q>
}}
func.func private @twice(%x: tensor<3x!q>) -> (tensor<3x!q>, tensor<3x!q>) {{
  %0 = call @double(%x) : (tensor<3x!q>) -> tensor<3x!q>
  %1 = stablehlo.multiply %0, %x : tensor<3x!q>
  return %x, %1 : tensor<3x!q>, tensor<3x!q>
}}
"""
X = np.array([3, 20, -90], np.int8)


def budget(work: int | None = None) -> Budget:
    return interp.trace(interp.load(CALLS), X).budget(work=work)


def test_calls_are_entered_and_told_by_their_site() -> None:
    """-45 twice is -64 for -90, twice is -64 for -128, times -64 is 63.5, and -64 more is -0.5."""
    found = budget()
    names = [switch.name for switch in found.switches]
    assert names == [
        "arguments",
        "<text>:10:8 (called at <text>:4:8) add @double/%0",
        "<text>:10:8 (called at <text>:14:8, called at <text>:5:10) add @double/%0#2",
        "<text>:15:8 (called at <text>:5:10) multiply @twice/%1",
        "<text>:6:8 add %2",
    ]
    exact = Fraction(-90 * -180 - 90)
    after = [
        exact,
        Fraction(-64 * -128 - 64),
        Fraction(-64 * -64 - 64),
        Fraction(127, 2) - 64,
        Fraction(-1, 2),
    ]
    rows = [row.at((2,)) for row in found.results[0].switches]
    assert rows == [0, *(b - a for a, b in pairwise(after))]
    assert "call " not in repr(found)
    assert "2 add nothing" in repr(found)


def test_an_inlined_program_runs_and_prints_as_before() -> None:
    module = interp.load(CALLS)
    flat = inline_calls(module, module.main)
    assert interp.run(flat, X) == interp.run(interp.load(repr(flat)), X) == interp.run(module, X)
    assert not any(op.name == "func.call" for op in flat.ops())


def test_a_value_that_is_named_like_a_callees_keeps_its_name() -> None:
    """The inlined program has a `%double.0`, and now calls `@double` once more."""
    module = interp.load(CALLS)
    main = inline_calls(module, module.main).main
    again = Value("%again", main.results[0])
    call = Op("func.call", main.body.returns, (again,), {"callee": Symbol("double")})
    body = Region(main.inputs, (*main.body.ops[:-1], call, Op("func.return", (again,), ())))
    more = Module({"main": replace(main, body=body), "double": module["double"]})
    assert interp.run(inline_calls(more, more.main), X) == interp.run(more, X)


def test_operations_that_take_too_long_share_a_row() -> None:
    """The first switch after which nothing has run is free; all others wait for the last."""
    alone, shared = budget(), budget(work=0)
    assert [len(switch.ops) for switch in alone.switches] == [0, 1, 1, 1, 1]
    assert sum(len(switch.ops) for switch in shared.switches) == 4
    assert len(shared.switches) < len(alone.switches)
    assert "several operations" in repr(shared)
    assert "several operations" not in repr(alone)
    for index in np.ndindex(3):
        sums = {sum(row.at(index) for row in found.results[0].switches) for found in (alone, shared)}
        assert len(sums) == 1
    assert {op.value: op.local.largest for op in alone.operations} == {
        op.value: op.local.largest for op in shared.operations
    }


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    interp.trace(interp.load(CALLS), X).budget(progress=lambda *step: told.append(step))
    assert [done for _, done, _ in told] == [0, 1, 2, 3, 0, 1, 2, 3]
    assert all(total == 4 for _, _, total in told)


# Examples by name: the totals, and what of them is saturation


def test_quantizing_clips() -> None:
    m = single("uniform_quantize", f"4xf32 -> 4x{quantized('i8:f32, 0.1')}")
    found = interp.trace(m, np.array([1, 2, 100, -1000], np.float32)).budget()
    tenth = Fraction(float(np.float32(0.1)))
    assert found["saturation"].error[:2].tolist() == [0, 0]
    assert found["saturation"].largest == pytest.approx(1000 - 12.8)
    assert found["saturation"].at((2,)) == Fraction(float(np.float32(127 * tenth))) - 100
    assert found["input rounding"].largest < 1e-4
    assert found["output rounding"].largest < 1e-4


def test_adding_clips() -> None:
    found = interp.trace(chained(f"x: {quantized('i8:f32, 1.0')}", "add x x"), np.int8(127)).budget()
    assert (found["saturation"].at(()), found["output rounding"].at(())) == (-127, 0)


def test_a_contraction_clips() -> None:
    q = quantized("i8:f32, 1.0")
    m = single("dot_general", f"4x3x{q}; 3x8x{q} -> 4x8x{q}", **contracting(1))
    rng = np.random.default_rng(0)
    x, y = rng.integers(-128, 128, (4, 3)), rng.integers(-10, 10, (3, 8))
    exact = x @ y
    clipped = np.clip(exact, -128, 127) - exact
    assert np.count_nonzero(clipped) == 28
    found = interp.trace(m, x.astype(np.int8), y.astype(np.int8)).budget()
    assert np.array_equal(found["saturation"].error, clipped)
    assert np.array_equal(found.total.error, clipped)


def test_a_cast_that_quantizes_clips() -> None:
    """`quant.qcast` of 63.75 in halves rounds 127.5 to 128, which is out of range, as 64 is."""
    m = single("quant.qcast", f"3xf32 -> 3x{quantized('i8:f32, 0.5')}")
    found = interp.trace(m, np.array([63.75, 64, -70.25], np.float32)).budget()
    assert found["saturation"].error.tolist() == [-0.5, -0.5, 6]
    assert found["input rounding"].error.tolist() == [0.25, 0, 0.25]


def test_the_reverse_of_a_cast_that_quantizes() -> None:
    """`quant.dcast` of what `quant.qcast` stored, or would store without bounds."""
    q = f"tensor<2x{quantized('i8:f32, 0.5:3')}>"
    m = function(
        "(%x: tensor<2xf32>) -> tensor<2xf32>",
        f"%0 = quant.qcast %x : tensor<2xf32> to {q}",
        f"%1 = quant.dcast %0 : {q} to tensor<2xf32>",
    )
    found = interp.trace(m, np.array([1.25, 1000.0], np.float32)).budget()
    assert found["saturation"].error.tolist() == [0, 62 - 1000]
    assert found["input rounding"].error.tolist() == [0.25, 0]


def test_infinity_on_the_way_does_not_count() -> None:
    """The sum of 60000 and 60000 is infinite in f16, and 127 steps of it are stored."""
    q = quantized("i8:f16, 600.0")
    found = interp.trace(chained(f"x: 2x{q}", "add x x"), np.int8([100, 3])).budget()
    assert found.results[0].not_finite == 1
    assert found.total.at((1,)) == 0


def test_a_number_within_half_a_step_of_the_range_is_rounded() -> None:
    """Half to even: 127.5 steps are 128, which is clipped; -128.5 are -128."""
    m = single("uniform_quantize", f"4xf32 -> 4x{quantized('i8:f32, 1.0')}")
    found = interp.trace(m, np.array([127.25, 127.5, -128.5, -128.75], np.float32)).budget()
    assert found["saturation"].error.tolist() == [0, -1, 0, 1]
    assert found["input rounding"].error.tolist() == [-0.25, 0.5, 0.5, -0.25]


def test_a_stored_number_that_is_not_the_nearest_is_rounding() -> None:
    """Nothing was clipped where no bound is stored for a number beyond the range."""
    m = chained(f"x: 5x{quantized('i8:f32, 1.0')}", "negate x")
    found = interp.trace(m, np.int8([5, 127, 127, -100, 100])).budget(
        inputs=[[9.0, 100.0, 200.25, -300.0, 300.0]]
    )
    assert found["input rounding"].error.tolist() == [4, -27, 0.25, -200, 200]
    assert found["saturation"].error.tolist() == [0, 0, 73, 0, 0]


def test_what_float_arithmetic_alone_takes_beyond_the_range_is_not_clipped() -> None:
    """13 tenths are 6.5 fifths, which is 6, to even; f32 finds 6.5000005, and 7 is beyond the range."""
    m = single("uniform_quantize", f"{quantized('i8:f32, 0.1')} -> {quantized('i8<-8:6>:f32, 0.2')}")
    assert np.float32(13) * np.float32(0.1) / np.float32(0.2) > 6.5
    t = interp.trace(m, np.int8(13))
    assert t.counts["saturate"] == 0
    assert t.budget()["saturation"].at(()) == 0


# Zero points at an end of the range: clipping there is what the program means


def parts(found: Budget) -> dict[str, list[float]]:
    """The parts that are not zero, element by element."""
    rows = {part.name: part.error.reshape(-1).tolist() for part in found.results[0].parts}
    return {name: row for name, row in rows.items() if any(row)}


def same_as_compare(module: Module, *args: np.ndarray) -> Budget:
    """The budget, whose total is what `compare` measures, against a reference of the same name."""
    found, (report,) = interp.trace(module, *args).budget(), interp.compare(module, *args).results
    assert (found.total.largest, found.total.count) == (report.largest_error, report.disagreeing)
    assert f"({interp.compare(module, *args).reference_name})" in found.title
    rows = (*found.results[0].before, *found.results[0].switches)
    total = sum(row.error for row in rows)
    assert np.array_equal(total, found.total.error)
    return found


@pytest.mark.parametrize(("zero_point", "sign"), [(-128, 1), (127, -1)])
def test_quantizing_clips_at_zero_without_an_error(zero_point: int, sign: int) -> None:
    """In steps of one: -5 and -0.25 are below zero, 300 is 45 beyond the range, 2.25 is rounded to 2."""
    m = single("uniform_quantize", f"4xf32 -> 4x{quantized(f'i8:f32, 1.0:{zero_point}')}")
    found = same_as_compare(m, np.array([-5, 300, -0.25, 2.25], np.float32) * np.float32(sign))
    assert parts(found) == {"saturation": [0, -45 * sign, 0, 0], "input rounding": [0, 0, 0, -0.25 * sign]}


def test_a_contraction_clips_at_zero_without_an_error() -> None:
    """In steps of two: -7 is below zero; 5 is 2.5 steps and 127.5 before zero, so 2 steps; 600 is 510."""
    types = f"3x1x{quantized('i8:f32, 1.0')}; 1x1x{quantized('i8:f32, 1.0')}"
    m = single("dot_general", f"{types} -> 3x1x{quantized('i8:f32, 2.0:-128')}", **contracting(1))
    found = same_as_compare(m, np.int8([[-7], [5], [60]]), np.int8([[1]]))
    assert parts(found) == {"output rounding": [0, -1, 0]}
    found = same_as_compare(m, np.int8([[-7], [4], [60]]), np.int8([[10]]))
    assert parts(found) == {"saturation": [0, 0, 510 - 600]}


def test_each_channel_clips_at_its_own_end() -> None:
    """Zero is the least number of the first channel, the greatest of the second and neither of the third."""
    q = "!quant.uniform<i8:f32:1, {1.0:-128, 1.0:127, 1.0:0}>"
    m = single("uniform_quantize", f"2x3xf32 -> 2x3x{q}")
    found = same_as_compare(m, np.array([[-300] * 3, [300] * 3], np.float32))
    assert parts(found) == {"saturation": [0, 300 - 255, 300 - 128, 255 - 300, 0, 127 - 300]}
    assert np.array_equal(found.total.after.reshape(-1), [0, -255, -128, 255, 0, 127])


BODIES = {
    "written out": "stablehlo.subtract %l, %r : tensor<!e>",
    "in a callee": "func.call @minus(%l, %r) : (tensor<!e>, tensor<!e>) -> tensor<!e>",
}


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("is_called", [False, True])
def test_a_reduction_does_not_clip_at_zero(body: str, is_called: bool) -> None:
    """1 - 3 is -2 for a reduction, whose range is no activation, and 0 for an operation of that type."""
    types = "(tensor<1x!e>, tensor<!e>) -> tensor<!e>"
    reduction = f"""%t = "stablehlo.reduce"(%x, %i) ({{
      ^bb0(%l: tensor<!e>, %r: tensor<!e>):
        %s = {BODIES[body]}
        stablehlo.return %s : tensor<!e>
      }}) {{dimensions = array<i64: 0>}} : {types}"""
    m = function(
        "(%x: tensor<1x!e>, %i: tensor<!e>) -> (tensor<!e>, tensor<!e>)",
        f"%t = func.call @total(%x, %i) : {types}" if is_called else reduction,
        "%y = stablehlo.reshape %x : (tensor<1x!e>) -> tensor<!e>",
        "%d = func.call @minus(%i, %y) : (tensor<!e>, tensor<!e>) -> tensor<!e>",
        "return %t, %d : tensor<!e>, tensor<!e>",
        before=f"!e = {quantized('i8:f32, 1.0:-128')}",
        after=f"""func.func private @minus(%l: tensor<!e>, %r: tensor<!e>) -> tensor<!e> {{
          %0 = stablehlo.subtract %l, %r : tensor<!e>
          return %0 : tensor<!e>
        }}
        func.func private @total(%x: tensor<1x!e>, %i: tensor<!e>) -> tensor<!e> {{
          {reduction}
          return %t : tensor<!e>
        }}""",
    )
    args = np.int8([3 - 128]), np.int8(1 - 128)
    found, report = interp.trace(m, *args).budget(), interp.compare(m, *args)
    assert [result.total.before for result in found.results] == [-2, 0]
    assert [result.total.after for result in found.results] == [0, 0]
    assert [x.largest_error for x in report.results] == [2, 0]
    assert parts(found) == {"saturation": [2]}
    assert not any(part.count for part in found.results[1].parts)
    assert report.reference_name == "types stripped, clipped at the zero point of %0"


def test_a_composite_clips_at_zero_inside_its_decomposition_alone() -> None:
    """2 - 3 is clipped, and negated 0; 300 - 0 is beyond the range of the difference by 45."""
    m = function(
        "(%x: tensor<2x!e>, %y: tensor<2x!e>) -> tensor<2x!s>",
        """%0 = stablehlo.composite "my.minus" %x, %y {decomposition = @minus}
          : (tensor<2x!e>, tensor<2x!e>) -> tensor<2x!s>""",
        before=f"!e = {quantized('i8:f32, 2.0:-128')}\n!s = {quantized('i16:f32, 1.0')}",
        after="""func.func private @minus(%l: tensor<2x!e>, %r: tensor<2x!e>) -> tensor<2x!s> {
          %d = stablehlo.subtract %l, %r : (tensor<2x!e>, tensor<2x!e>) -> tensor<2x!d>
          %0 = stablehlo.uniform_quantize %d : (tensor<2x!d>) -> tensor<2x!s>
          return %0 : tensor<2x!s>
        }""".replace("!d", quantized("i8:f32, 1.0:-128")),
    )
    found = same_as_compare(m, np.int8([1 - 128, 150 - 128]), np.int8([3 - 128, 0 - 128]))
    assert parts(found) == {"saturation": [0, -45]}


def test_a_function_of_a_reduction_alone_clips_nothing() -> None:
    m = function(
        "(%x: tensor<1x!e>, %i: tensor<!e>) -> tensor<!e>",
        """%t = "stablehlo.reduce"(%x, %i) ({
          ^bb0(%l: tensor<!e>, %r: tensor<!e>):
            %s = func.call @minus(%l, %r) : (tensor<!e>, tensor<!e>) -> tensor<!e>
            stablehlo.return %s : tensor<!e>
          }) {dimensions = array<i64: 0>} : (tensor<1x!e>, tensor<!e>) -> tensor<!e>""",
        "return %t : tensor<!e>",
        before=f"!e = {quantized('i8:f32, 1.0:-128')}",
        after="""func.func private @minus(%l: tensor<!e>, %r: tensor<!e>) -> tensor<!e> {
          %0 = stablehlo.subtract %l, %r : tensor<!e>
          return %0 : tensor<!e>
        }""",
    )
    assert interp.compare(m, np.int8([3 - 128]), np.int8(1 - 128)).reference_name == "types stripped"


# A float program that a program carries


def test_a_carried_float_program_is_the_reference_and_a_part() -> None:
    """The weight 0.375 became 0.25; then -0.625 is -2.5 steps of a quarter, which are -2, to even."""
    floats = function(
        "(%x: tensor<3xf32>) -> tensor<3xf32>",
        "%w = stablehlo.constant dense<0.375> : tensor<3xf32>",
        "%y = stablehlo.multiply %x, %w : tensor<3xf32>",
    )
    m = function(
        "(%x: tensor<3xf32>) -> tensor<3xf32>",
        "%q = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!q>",
        '%w = "stablehlo.constant"() {value = dense<1> : tensor<3xi8>} : () -> tensor<3x!w>',
        "%p = stablehlo.multiply %q, %w : (tensor<3x!q>, tensor<3x!w>) -> tensor<3x!w>",
        "%y = stablehlo.uniform_dequantize %p : (tensor<3x!w>) -> tensor<3xf32>",
        before=f"!q = {Q}\n!w = {quantized('i8:f32, 0.25')}",
    )
    x = np.array([1, -2.5, 40], np.float32)
    found = same_as_compare(replace(m, reference=floats, origin="my float program"), x)
    assert "(my float program) on XLA" in found.title
    rounding = {"output rounding": [0, 0.125, 0]}
    assert parts(found) == {"weights and folding": [-0.125, 0.3125, -5], **rounding}
    assert next(iter(found.programs)) == "weights and folding"
    assert found.total.before.tolist() == [0.375, -0.9375, 15]
    assert parts(same_as_compare(m, x)) == rounding
    rows = json.loads(as_json("budget", found))["rows"]
    assert next(row["part"] for row in rows if row["by"] == "operation") == "weights and folding"
