"""Findings in legal programs: each row is found in a program that has it, not in the nearest one without."""

from __future__ import annotations

from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import interp
from interp.__main__ import main
from interp.engine.leaf_counts import in_windows, source_count
from spec.ir import Op, module_text
from tests.library.strategies.programs import PROGRAMS, Program, select_and_scatters

I8 = "!quant.uniform<i8:f32, 0.5>"
I32 = "!quant.uniform<i32:f32, 0.5>"


def reduction(
    type: str = I8,
    accumulator: str = "",
    init: str = "0",
    combine: str = "add",
    n: int = 1,
    window: str = "",
    result: int = 0,
    init_type: str = "",
    made: str = "",
) -> interp.Module:
    """One reduction of `n` elements, with `window` attributes a reduce_window.

    Its init value is a constant, an argument (`init=""`), or what the line `made` makes.
    """
    E, start = accumulator or type, init_type or type
    op, shape = ("reduce_window", f"{result}x") if window else ("reduce", "")
    attributes = window or "dimensions = array<i64: 0>"
    storage = start.partition("<")[2].partition(":")[0] if start.startswith("!") else start
    cast = "quant.scast" if start.startswith("!") else "stablehlo.convert"
    known = (
        f"""%c = stablehlo.constant dense<{init}> : tensor<{storage}>
        %init = "{cast}"(%c) : (tensor<{storage}>) -> tensor<{start}>"""
        if init
        else ""
    )
    argument = "" if init else f", %init: tensor<{start}>"
    return interp.load(f"""
      func.func @main(%x: tensor<{n}x{type}>{argument}) -> tensor<{shape}{E}> {{
        {made or known}
        %0 = "stablehlo.{op}"(%x, %init) ({{
        ^bb0(%a: tensor<{E}>, %b: tensor<{E}>):
          %1 = stablehlo.{combine} %a, %b : tensor<{E}>
          stablehlo.return %1 : tensor<{E}>
        }}) {{{attributes}}} : (tensor<{n}x{type}>, tensor<{start}>) -> tensor<{shape}{E}>
        return %0 : tensor<{shape}{E}>
      }}""")


def found(module: interp.Module) -> dict[str, str]:
    return {suspicion.code: suspicion.evidence for suspicion in interp.lint(module)}


@pytest.mark.parametrize(
    ("combine", "identity"), [("add", 0), ("maximum", -128), ("minimum", 127), ("multiply", 2)]
)
def test_init(combine: str, identity: int) -> None:
    """1.0 is stored as 2 where the scale is 0.5."""
    assert "lint_init" not in found(reduction(combine=combine, init=str(identity)))
    for other in {-128, -1, 0, 1, 2, 126, 127} - {identity}:
        evidence = found(reduction(combine=combine, init=str(other)))["lint_init"]
        assert evidence == f"init_values[0] = {other}, the identity of {combine} is {identity}"


def test_an_argument_is_no_known_init() -> None:
    assert found(reduction(combine="maximum", init="")) == {}


def test_nor_is_what_an_unknown_operation_makes() -> None:
    made = '%init = "stablehlo.custom_call"() {call_target_name = "three"} : () -> tensor<i8>'
    assert "lint_init" not in found(reduction("i8", made=made))


def test_an_init_of_another_type_is_converted_first() -> None:
    """Storage 5 with zero point 5 is 0.0; with zero point 0 it is 2.5, stored as 5 in steps of 0.5."""
    other = "!quant.uniform<i8:f32, 0.5:5>"
    assert "lint_init" not in found(reduction(init="5", init_type=other))
    assert found(reduction(init="0", init_type=other))["lint_init"].startswith("init_values[0] = -5,")


@pytest.mark.parametrize(
    ("accumulator", "count", "explanation"),
    [
        ("!quant.uniform<i8:f32, 1.0>", 128, "lossy_convert"),  # odd multiples of 0.5
        ("!quant.uniform<i8:f32, 0.25>", 128, "saturate"),  # -128..-65 and 64..127 are beyond -32..31.75
        ("!quant.uniform<i8:f32, 0.5:10>", 10, "saturate"),  # the greatest ten move beyond 127
        ("!quant.uniform<i16<-100:127>:f32, 0.5>", 28, "saturate"),
    ],
)
def test_promotion(accumulator: str, count: int, explanation: str) -> None:
    evidence = found(reduction(accumulator=accumulator, combine="maximum"))["lint_promotion"]
    assert f"{explanation} for {count} of 256 stored values" in evidence


@pytest.mark.parametrize("accumulator", [I8, I32, "!quant.uniform<i16:f32, 0.25:-9>"])
def test_promotion_without_loss(accumulator: str) -> None:
    assert "lint_promotion" not in found(reduction(accumulator=accumulator))


def test_narrower_floats_lose_what_mlir_accepts() -> None:
    assert "f32 to bf16: lossy_convert" in found(reduction("f32", "bf16", init="0.0"))["lint_promotion"]
    assert "lint_promotion" not in found(reduction("bf16", "f32", init="0.0"))


def test_the_loss_is_shown_exactly() -> None:
    """-127 steps of 0.5 are -63.5 steps of 1.0."""
    evidence = found(reduction(accumulator="!quant.uniform<i8:f32, 1.0>"))["lint_promotion"]
    assert "-127 -> -64 (exact -63.5)" in evidence


@pytest.mark.parametrize(
    ("accumulator", "init", "fits"),
    [
        ("!quant.uniform<i16:f32, 0.5>", "0", 256),  # 256 * -128 = -32768
        ("!quant.uniform<i16<-1000:32767>:f32, 0.5>", "0", 7),  # 7 * 128 = 896
        ("!quant.uniform<i16:f32, 0.5>", "127", 256),  # and 127 * 257 = 32639
        ("!quant.uniform<i8:f32, 0.5>", "0", 1),
    ],
)
def test_overflow(accumulator: str, init: str, fits: int) -> None:
    assert "lint_overflow" not in found(reduction(accumulator=accumulator, init=init, n=fits))
    evidence = found(reduction(accumulator=accumulator, init=init, n=fits + 1))["lint_overflow"]
    assert f"safe up to {fits} elements" in evidence


def test_overflow_of_integers() -> None:
    """i32 holds 2**24 - 1 elements of i8 at -128 and one more, but no second of i32."""
    assert "lint_overflow" not in found(reduction("i8", "i32", n=2**24))
    assert "lint_overflow" in found(reduction("i8", "i32", n=2**24 + 1))
    assert "lint_overflow" in found(reduction("i32", n=2))
    assert "lint_overflow" not in found(reduction("i32", n=2, combine="maximum"))


def test_the_bound_is_reached() -> None:
    """A reduction called safe does not saturate at the ends of the range; with one element more it does."""
    accumulator = "!quant.uniform<i16:f32, 0.5>"
    for n, events in ((256, 0), (257, 1)):
        trace = interp.trace(reduction(accumulator=accumulator, n=n), np.full(n, -128, np.int8))
        assert bool(trace.has("saturate")) == bool(events)
        assert ("lint_overflow" in found(reduction(accumulator=accumulator, n=n))) == bool(events)


WINDOW = """window_dimensions = array<i64: 2>, window_strides = array<i64: 1>,
  base_dilations = array<i64: {base}>, window_dilations = array<i64: 1>,
  padding = dense<[[{low}, 0]]> : tensor<1x2xi64>"""


def test_padding() -> None:
    unpadded, padded = (WINDOW.format(base=1, low=low) for low in (0, 1))
    assert "lint_padding" not in found(reduction(n=3, window=unpadded, result=2, init="3"))
    assert "lint_padding" not in found(reduction(n=3, window=padded, result=3, init="0"))
    evidence = found(reduction(n=3, window=padded, result=3, init="3"))["lint_padding"]
    assert evidence == "up to 1 of 2 positions of a window are padding or holes: init_values[0] = 3"
    assert "lint_padding" not in found(reduction(n=3, window=padded, result=3, init="3", combine="maximum"))
    assert "lint_padding" in found(reduction(n=3, window=WINDOW.format(base=2, low=0), result=4, init="3"))
    assert "lint_padding" in found(reduction("i8", n=3, window=padded, result=3, init="3", combine="xor"))


def test_empty_window() -> None:
    row = "lint_empty_window"
    assert found(reduction(n=3, window=WINDOW.format(base=1, low=2), result=4))[row].endswith("no element")
    assert row not in found(reduction(n=3, window=WINDOW.format(base=1, low=1), result=3))
    assert row in found(reduction(n=3, window=WINDOW.format(base=3, low=0), result=6))  # between two elements
    assert row not in found(reduction(n=3, window=WINDOW.format(base=2, low=0), result=4))
    assert row in found(reduction(n=0))


def test_a_program_that_breaks_a_constraint_is_not_linted() -> None:
    module = interp.load(Path("testdata/reduce/c5_duplicate.mlir").absolute(), checked=False)
    assert interp.verify(module, mode="mlir")
    assert interp.lint(module) == []


@pytest.mark.slow("runs many programs")
@given(PROGRAMS)
def test_empty_windows_are_those_that_the_trace_meets(program: Program) -> None:
    """Empty windows of select_and_scatter are events; and no program makes lint stumble."""
    codes = found(program.module)
    op = program.module.main.body.ops[0]
    if op.name == "stablehlo.select_and_scatter" and op.results[0].type.size:
        events = interp.trace(program.module, *program.args).has("empty_window")
        assert ("lint_empty_window" in codes) == bool(events)


def test_elements_in_windows_by_enumeration() -> None:
    """Along one dimension, against positions written down one by one."""
    for size, low, high, base, window, stride, dilation in product(
        (0, 1, 3), (-1, 0, 2), (0, 1), (1, 2), (1, 3), (1, 2), (1, 2)
    ):
        dilated = (size - 1) * base + 1 if size else 0
        padded, span = low + dilated + high, (window - 1) * dilation + 1
        if padded < 0 or dilated + min(low, 0) < 0:
            continue
        elements = {low + i * base for i in range(size)}
        expected = [
            sum(first + k * dilation in elements for k in range(window))
            for first in range(0, padded - span + 1, stride)
        ]
        assert in_windows(size, (low, high), base, window, stride, dilation).tolist() == expected


@settings(max_examples=120)
@given(select_and_scatters())
def test_scattered_sources_by_enumeration(program: Program) -> None:
    op: Op = program.module.main.body.ops[0]
    operand, source = (value.type.shape for value in op.operands[:2])
    counts = dict.fromkeys(product(*map(range, operand)), 0)
    for window in product(*map(range, source)):
        for offset in product(*map(range, op["window_dimensions"])):
            columns = zip(window, op["window_strides"], offset, op["padding"], strict=True)
            position = tuple(w * s + o - low for w, s, o, (low, _) in columns)
            if position in counts:
                counts[position] += 1
    assert source_count(op).most == max(counts.values(), default=0) or not prod(operand)


SUSPICIOUS = Path("testdata/programs/saturating_sum.current.mlirbc").absolute()


def test_the_command_prints_the_line_and_a_caret(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = Path("testdata/reduce/c5_duplicate.mlir").read_text()
    (source := tmp_path / "p.mlir").write_text(text)
    assert main(["verify", str(source)]) == 1
    head, _, line, caret = capsys.readouterr().out.splitlines()
    place, column = map(int, head.removeprefix(f"{source}:").split(": ")[0].split(":"))
    assert line == "  " + text.splitlines()[place - 1]
    assert caret == " " * (column + 1) + "^"
    assert line[column + 1 :].startswith('"stablehlo.reduce"')


def test_of_bytecode_it_prints_the_operation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(SUSPICIOUS), "--lint"]) == 0
    none, head, _, line, caret = capsys.readouterr().out.splitlines()
    assert none == "no violations (strict)"
    assert head.startswith("saturating_sum.mlir:7:26: lint_overflow: ")
    assert line in "\n".join(f"  {line}" for line in module_text(interp.load(SUSPICIOUS)).splitlines())
    assert line[caret.index("^") :].startswith('"stablehlo.reduce"(')


def test_nothing_suspicious(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(SUSPICIOUS.with_name("argmax.current.mlirbc")), "--lint"]) == 0
    assert capsys.readouterr().out == "no violations (strict)\nnothing suspicious\n"
