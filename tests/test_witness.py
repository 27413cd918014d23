"""XLA as a witness: its results are checked, its faults are told, and the comparison goes on without it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.comparison.comparison import Comparison
from interp.execute.xla_child import Answer
from interp.execute.xla_process import Running, XlaFailed, run_apart
from interp.rewrite.float_reference import ITSELF
from spec.ir import Module
from tests.library.builders import chained, reduced

ENGINE = "this engine, schedule left"


def of_rows(n: int) -> Module:
    """The lowered form of jax's issue 39103: three products a row, and the sum of their squares."""
    return interp.load(f"""
    func.func @main(%x: tensor<{n}x3xf32>, %e: tensor<3x3xf32>) -> tensor<{n}xf32> {{
      %0 = stablehlo.dot_general %e, %x, contracting_dims = [1] x [1]
        : (tensor<3x3xf32>, tensor<{n}x3xf32>) -> tensor<3x{n}xf32>
      %1 = stablehlo.multiply %0, %0 : tensor<3x{n}xf32>
      %i = stablehlo.constant dense<0.0> : tensor<f32>
      %2 = stablehlo.reduce(%1 init: %i) applies stablehlo.add across dimensions = [0]
        : (tensor<3x{n}xf32>, tensor<f32>) -> tensor<{n}xf32>
      return %2 : tensor<{n}xf32>
    }}""")


def rows(n: int) -> list[np.ndarray]:
    i = np.arange(n, dtype=np.float32)
    return [np.stack([i, 0 * i, 0 * i], axis=1), np.eye(3, dtype=np.float32)]


@pytest.mark.parametrize("n", [32_768, 32_769])
def test_sums_of_more_than_32768_rows_are_right_whatever_xla_says(n: int) -> None:
    """jax's issue 39103: in jaxlib 0.10.2 the rows from 32,768 on are wrong; in other versions none is."""
    exact = np.arange(n, dtype=np.float64) ** 2
    (theirs,) = run_apart(of_rows(n), rows(n))
    wrong = np.count_nonzero(np.abs(theirs - exact) > 6 * 2.0**-24 * exact)  # six roundings at most
    found = interp.compare(of_rows(n), *rows(n))
    assert found.ok
    assert (np.abs(found.reference[0] - exact) <= 6 * 2.0**-24 * exact).all()
    if wrong:
        assert found.witness.startswith(f"{ENGINE} (XLA's result is ")
        assert found.witness.endswith(f" is possible, at {wrong:,} of {n:,} elements)")
        assert found.witness in repr(found)
    else:
        assert found.witness == "XLA"


@pytest.mark.slow("XLA's process dies and is started again")
def test_a_reduction_of_rank_7_is_right_even_if_xla_dies_of_it() -> None:
    """jax's issue 40412: jaxlib 0.10.2 dies of a product, then a sum over one of seven dimensions."""
    shape = (3, 1, 2, 2, 8, 8, 8)
    type, result = (f"tensor<{'x'.join(map(str, s))}xf32>" for s in (shape, shape[:3] + shape[4:]))
    program = interp.load(f"""
    func.func @main(%a: {type}, %b: {type}) -> {result} {{
      %0 = stablehlo.multiply %a, %b : {type}
      %i = stablehlo.constant dense<0.0> : tensor<f32>
      %1 = stablehlo.reduce(%0 init: %i) applies stablehlo.add across dimensions = [3]
        : ({type}, tensor<f32>) -> {result}
      return %1 : {result}
    }}""")
    args = list(np.random.default_rng(0).integers(-9, 9, (2, *shape)).astype(np.float32))
    found = interp.compare(program, *args)
    assert found.ok
    assert found.witness in ("XLA", f"{ENGINE} (XLA's process died (signal 11))")
    assert found.reference[0].tolist() == (args[0] * args[1]).sum(axis=3).tolist()  # small whole numbers


def says(monkeypatch: pytest.MonkeyPatch, results: Sequence[Any] | Exception, kept: bool = True) -> None:
    """Make XLA give these results, or this error."""

    def answer(self: Running) -> Answer:
        if isinstance(results, Exception):
            raise results
        return Answer(tuple(map(np.asarray, results)), kept)

    monkeypatch.setattr(Running, "_ask", lambda self, request: None)
    monkeypatch.setattr(Running, "answer", answer)


SUM = reduced("3xf32")
LEAVES = np.float32([1, 2.0**-24, 2.0**-24]), np.float32(0)  # from the left 1, in another order one ulp more


def test_the_bound_is_the_edge_between_possible_and_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two additions on each side: four roundings of at most half an ulp, and what the bound adds to these."""
    possible = interp.compare(SUM, *LEAVES).bounds[0]
    assert 4 * 2.0**-24 < possible < 4.2 * 2.0**-24
    above = float(np.float32(1 + possible))
    assert above - 1 < possible < np.nextafter(np.float32(above), np.float32(2)) - 1
    for value, witness in (
        (1 + 2.0**-23, "XLA"),
        (above, "XLA"),
        (above + 2.0**-23, ENGINE),
        (np.nan, ENGINE),
    ):
        says(monkeypatch, [np.float32(value)])
        found = interp.compare(SUM, *LEAVES)
        assert found.ok
        assert found.witness.partition(" (")[0] == witness
        assert found.reference[0] == (value if witness == "XLA" else 1)
    assert "XLA's result is inf off where 2.459e-07 is possible, at 1 of 1 elements" in found.witness


def test_a_quantized_program_that_is_right_passes_when_xla_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    """And one that is wrong still fails: here the reference is another function than the program."""
    program = reduced("3x!quant.uniform<i8:f32, 0.5>", "!quant.uniform<i32:f32, 0.5>")
    says(monkeypatch, [np.float32(1000)])
    args = np.int8([1, 2, 3]), np.int8(0)
    found = interp.compare(program, *args)
    assert found.ok
    assert found.reference[0] == 3
    assert found.witness.startswith(f"{ENGINE} (XLA's result is 997 off where ")
    monkeypatch.undo()
    other = interp.compare(program, *args, against=lambda x, i: x.sum() + 1)
    assert (other.ok, other.witness) == (False, "XLA")


@pytest.mark.parametrize("verdict", ["XLA's process died (signal 11)", "XLA gave no results within 120 s"])
def test_without_xla_the_engine_runs_the_float_program(verdict: str, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, XlaFailed(verdict))
    found = interp.compare(SUM, *LEAVES)
    assert (found.ok, found.witness, found.reference[0]) == (True, f"{ENGINE} ({verdict})", 1)
    assert found.title == f"@main against {ITSELF} on this engine, schedule left"
    assert found.note.startswith("not judged")
    assert found.results[0].verdict == "no bound"


def sorting(n: int, more: str = "", types: str = "") -> Module:
    type = f"tensor<{n}xf32>"
    return interp.load(f"""
    func.func @main(%x: {type}) -> ({type}{types}) {{
      %s = "stablehlo.sort"(%x) ({{
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %less = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %less : tensor<i1>
      }}) {{dimension = 0 : i64, is_stable = true}} : ({type}) -> {type}
      %y = stablehlo.add %x, %x : {type}
      return %s{more} : {type}{types}
    }}""")


def test_what_has_no_bound_is_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    x = np.float32([3, 1, 2])
    found = interp.compare(sorting(3), x)
    assert (found.witness, found.reference[0].tolist()) == ("XLA, unchecked", [1, 2, 3])
    assert repr(found).splitlines()[-1] == "reference: XLA, unchecked"
    both = interp.compare(sorting(3, ", %y", ", tensor<3xf32>"), x)
    assert both.witness == "XLA, unchecked at 3 of 6 elements"
    says(monkeypatch, [x, x + x], kept=False)
    rewritten = interp.compare(sorting(3, ", %y", ", tensor<3xf32>"), x)
    assert rewritten.witness == "XLA, unchecked"
    assert rewritten.results[1].bound is None


def test_your_function_is_checked_as_the_program_that_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three times the sum is no fault of XLA's; a number that is neither is."""
    function: Callable[..., Any] = lambda x, i: 3 * x.sum()
    found = interp.compare(SUM, *LEAVES, against=function)
    assert (found.ok, found.witness, found.reference[0].round(3)) == (False, "XLA", 3)
    says(monkeypatch, [np.float32(7)])
    found = interp.compare(SUM, *LEAVES, against=function)
    assert found.witness.startswith(f"{ENGINE} (XLA's result is 4 off where ")
    assert found.reference[0].round(3) == 3


def test_a_function_that_only_this_process_can_run_is_unchecked() -> None:
    import jax

    def called_back(x: Any, i: Any) -> Any:
        return jax.pure_callback(lambda v: np.float32(v.sum()), jax.ShapeDtypeStruct((), "float32"), x)

    assert interp.compare(SUM, *LEAVES, against=called_back).witness == "XLA, unchecked"


def test_json_has_the_reference_and_its_witness(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    (tmp_path / "a.mlir").write_text(repr(sorting(3)))
    np.save(tmp_path / "x.npy", np.float32([3, 1, 2]))
    assert main(["compare", str(tmp_path / "a.mlir"), str(tmp_path / "x.npy"), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["witness"] == "XLA, unchecked"
    assert found["reference"].startswith("the program itself")


def test_random_chains_of_floats_are_possible_on_xla() -> None:
    """A check that accuses XLA of a chain of operations, each rounded once, would be too strict."""
    program = chained("a b c: 512xf32", "0 = divide a b", "1 = multiply 0 c", "2 = tanh 1", "add 2 a")
    args = np.random.default_rng(0).normal(size=(3, 512)).astype(np.float32)
    found = interp.compare(program, *args)
    assert isinstance(found, Comparison)
    assert (found.ok, found.witness) == (True, "XLA")
