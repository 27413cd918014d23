"""Reductions that run again, stand in regions, or have other types around them, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from spec.ir import Module
from spec.types import ELEMENT_TYPES
from tests.library.builders import function, module, reduced
from tests.library.builders import reduce as reduce_op

Q = "!quant.uniform<i8:f32, 0.5>"
WIDE = "!quant.uniform<i16:f32, 0.5>"


def reduce(x: str, init: str, body: str, types: tuple[str, str, str], inside: str) -> str:
    """A reduction along dimension 0; `types` of the input, the init and the result."""
    return f""""stablehlo.reduce"({x}, {init}) ({{
      ^bb0(%a: tensor<{inside}>, %b: tensor<{inside}>):
        %s = stablehlo.{body} %a, %b : tensor<{inside}>
        stablehlo.return %s : tensor<{inside}>
      }}) {{dimensions = array<i64: 0>}} : (tensor<{types[0]}>, tensor<{types[1]}>) -> tensor<{types[2]}>"""


def called_twice(n: int) -> Module:
    x, scalar = f"tensor<{n}x{Q}>", f"tensor<{Q}>"
    return interp.load(f"""
      func.func private @g(%x: {x}, %i: {scalar}) -> {scalar} {{
        %0 = {reduce("%x", "%i", "add", (f"{n}x{Q}", Q, Q), Q)}
        return %0 : {scalar}
      }}
      func.func @main(%x: {x}, %i: {scalar}) -> {scalar} {{
        %0 = call @g(%x, %i) : ({x}, {scalar}) -> {scalar}
        %1 = call @g(%x, %0) : ({x}, {scalar}) -> {scalar}
        return %1 : {scalar}
      }}""")


def test_questions_are_about_the_run_of_the_first_event() -> None:
    """The first run sums 0 + 100; the second 100 + 100, which is beyond 127."""
    t = interp.trace(called_twice(1), np.int8([100]), np.int8(0))
    assert t.reduction() is t.reductions["@g/%0#2"]
    assert t.verdict().counts["inevitable"] == 1
    assert t.bounds().by_value.greatest == 200
    assert "exactly 200" in repr(t.explain())


def test_the_event_of_a_second_run_can_be_shrunk() -> None:
    t = interp.trace(called_twice(3), np.int8([30, 30, 30]), np.int8(0))
    assert t.has("saturate")
    assert t.shrink().leaves == 2


def test_a_breakpoint_in_a_second_run_names_that_run() -> None:
    t = interp.trace(called_twice(1), np.int8([100]), np.int8(0), break_on="saturate")
    assert t.reduction() is t.reductions["@g/%0#2"]


def test_an_accumulator_inside_a_region_can_be_changed() -> None:
    scalar = f"tensor<{Q}>"
    module = function(
        f"(%p: tensor<i1>, %x: tensor<2x{Q}>, %i: {scalar}) -> {scalar}",
        '%r = "stablehlo.if"(%p) ({',
        f"  %0 = {reduce('%x', '%i', 'add', (f'2x{Q}', Q, Q), Q)}",
        f"  stablehlo.return %0 : {scalar}",
        f"}}, {{ stablehlo.return %i : {scalar} }}) : (tensor<i1>) -> {scalar}",
        f"return %r : {scalar}",
    )
    args = np.bool_(True), np.int8([100, 100]), np.int8(-100)
    t = interp.trace(module, *args)
    wide = interp.with_accumulator(module, t.reduction().name, t.bounds().suggested)
    assert interp.run(wide, *args)[0].storage == 100
    assert not interp.trace(wide, *args).has("saturate")


def test_a_suggested_type_can_be_applied_beside_a_result_of_another_scale() -> None:
    """Erratum E14: 28 steps of 0.5 are 7 of 2.0, and i4 ends at 7."""
    i4, result = "!quant.uniform<i4:f32, 0.5>", "!quant.uniform<i4:f32, 2.0>"
    module = reduced(f"4x{i4}", result=result)
    args = np.int8([7, 7, 7, 7]), np.int8(0)
    assert interp.run(module, *args)[0].storage == 2  # 7 steps of 0.5, where the body saturates
    wide = interp.with_accumulator(module, "%0", interp.trace(module, *args).bounds().suggested)
    assert wide.main.results[0].element_type == module.main.results[0].element_type
    assert interp.run(wide, *args)[0].storage == 7


def test_candidates_that_an_init_forbids_are_left_out(tmp_path: Path) -> None:
    """Erratum E12: an i16 init does not promote to i8, which would be a candidate of the input's."""
    t = interp.trace(reduced(f"3x{Q}", WIDE, init=WIDE), np.int8([1, 2, 3]), np.int16(0))
    assert {type.storage_type.bits for type in t.matrix().types} == {16, 32}
    assert t.report(tmp_path / "page.html").exists()


def test_a_node_has_the_events_of_the_operand_that_is_told() -> None:
    i8 = ELEMENT_TYPES["i8"]
    program = module(reduce_op("add", i8, i8, (3,), arity=2))
    t = interp.trace(program, np.int8([1, 2, 3]), np.int8([100, 100, 3]), np.int8(0), np.int8(0))
    assert t.explain(index=(), k=0).first_bad is None
    assert t.explain(index=(), k=1).first_bad.kinds == ["wrap"]


@pytest.mark.parametrize("scale", ["1.7e307", "1.0e-320"])
def test_values_beyond_the_largest_float_are_told(scale: str, tmp_path: Path) -> None:
    q = f"!quant.uniform<u8:f64, {scale}>"
    t = interp.trace(reduced(f"1x{q}", body="maximum"), np.uint8([200]), np.uint8(0))
    assert "200" in repr(t.explain(index=()))
    assert t.report(tmp_path / "page.html").exists()


def test_a_program_whose_only_function_has_another_name_is_reported(tmp_path: Path) -> None:
    module = interp.load(f"""func.func @pool(%x: tensor<2x{Q}>, %i: tensor<{Q}>) -> tensor<{Q}> {{
      %0 = {reduce("%x", "%i", "add", (f"2x{Q}", Q, Q), Q)}
      return %0 : tensor<{Q}>
    }}""")
    t = interp.trace(module, np.int8([100, 100]), np.int8(0))
    assert "@pool" in t.report(tmp_path / "page.html").read_text()
    assert '"reading": "dequantize"' in t.to_json()


INITS = "with one init value"


@pytest.mark.parametrize(("init", "said"), [(0, False), (30, True)])
def test_sums_of_several_inits_are_spoken_of_apart(init: int, said: bool) -> None:
    """Leaves 10, 10, 10, 10: 40 and the init once are safe in i8; `blocks(1)` adds 30 five times, 190."""
    m = reduced(f"4x{Q}")
    trace = interp.trace(m, np.full(4, 10, np.int8), np.int8(init), schedule="blocks(1)")
    assert trace.has("saturate") is said
    verdict, bounds = repr(trace.verdict()), trace.bounds()
    assert ("1 safe:            no schedule with one init value overflows" in verdict) is said
    assert ("1 went wrong in this one, which repeats it" in verdict) is said
    assert (f"these inputs, any schedule {INITS}" in repr(bounds)) is said
    assert f"any data, any schedule {INITS}" in repr(bounds)  # the init is an argument: it may be any other
    assert bounds.proviso == f", in any schedule {INITS}, and in this one"


def test_of_a_constant_init_of_zero_all_schedules_are_spoken_of() -> None:
    m = function(
        f"(%x: tensor<4x{Q}>) -> tensor<{Q}>",
        f"%i = stablehlo.constant() {{value = dense<0> : tensor<i8>}} : () -> tensor<{Q}>",
        f"%0 = {reduce('%x', '%i', 'add', (f'4x{Q}', Q, Q), Q)}",
    )
    trace = interp.trace(m, np.full(4, 10, np.int8), schedule="blocks(1)")
    assert INITS not in repr(trace.bounds()) + repr(trace.verdict())
