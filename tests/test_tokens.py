"""Programs with tokens, which JAX adds for ordered effects: every verb passes over them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from interp.engine.tensor import Tensor
from spec.errors import Malformed

TOKEN = "!stablehlo.token"
SUM = f"""func.func @main(%t: {TOKEN}, %x: tensor<2xi8>) -> ({TOKEN}, tensor<i8>) {{
  %c = stablehlo.constant dense<0> : tensor<i8>
  %sum = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0]
    : (tensor<2xi8>, tensor<i8>) -> tensor<i8>
  %u = stablehlo.after_all %t : {TOKEN}
  return %u, %sum : {TOKEN}, tensor<i8>
}}"""
DYNAMIC = f"""func.func @main(%t: {TOKEN}, %x: tensor<?xi8>) -> ({TOKEN}, tensor<?xi8>) {{
  %0 = stablehlo.add %x, %x : tensor<?xi8>
  return %t, %0 : {TOKEN}, tensor<?xi8>
}}"""
X = np.int8([100, 100])


@pytest.mark.parametrize("args", [(X,), ((), X), (None, X)])
def test_unknown_sizes_are_refined_beside_tokens(args: tuple[object, ...]) -> None:
    token, result = interp.run(DYNAMIC, *args)
    assert token == ()
    assert isinstance(result, Tensor)
    assert result.tolist() == [-56, -56]
    refined = interp.refine(interp.load(DYNAMIC), *args)
    assert [repr(value.type) for value in refined.main.inputs] == [TOKEN, "tensor<2xi8>"]


def test_a_witness_is_looked_for_beside_tokens() -> None:
    """It is replayed with the token: -128 and -128 wrap, as 127 and 127 do."""
    row = interp.prove(SUM)["%sum"]
    assert row.verdict == "refuted"
    assert row.witness
    token, x = row.witness.args
    assert token == ()
    assert not -128 <= int(x.astype(int).sum()) <= 127
    assert interp.trace(SUM, token, x).has("wrap")


def test_a_proof_says_why_no_run_looked_for_a_witness() -> None:
    assert "no run has looked for a witness" in repr(interp.prove(SUM, runs=0))
    other = SUM.replace(f"%t: {TOKEN}", f"%t: {TOKEN}, %z: tensor<complex<f32>>")
    row = interp.prove(other)["%sum"]
    assert row.verdict == "unknown"
    assert row.judgement.why == "no witness is looked for, as a parameter is a tensor<complex<f32>>"


def test_a_trace_with_tokens_is_stepped_through_and_written(tmp_path: Path) -> None:
    walk = interp.step(SUM, X)
    assert [repr(x.type) for x in walk.acc()] == ["tensor<2xi8>"]  # type: ignore[union-attr]
    assert "100 + 100 -> -56" in repr(walk.step(4))
    walk.step(100)
    assert [x.tolist() for x in walk.acc()] == [-56]  # type: ignore[union-attr]
    trace = interp.trace(SUM, X)
    assert f"{TOKEN}, tensor&lt;i8&gt;" in trace.report(tmp_path / "page.html").read_text()
    assert f'"{TOKEN}",\n  "tensor<i8>"' in trace.to_json()


@pytest.mark.parametrize(
    ("batches", "message"),
    [
        ([np.zeros((0, 4), np.float32)], "an empty batch"),
        ([np.ones((2, 4), np.float32), interp.Batch([np.ones((2, 4), np.float32)], count=0)], "in which 0"),
        ([interp.Batch([np.ones((2, 4), np.float32)], count=3)], "in which 3 samples .*\n.*from 1 to 2"),
    ],
)
def test_a_survey_refuses_batches_without_samples(batches: list[object], message: str) -> None:
    program = """func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
      %0 = stablehlo.add %x, %x : tensor<?x4xf32>
      return %0 : tensor<?x4xf32>
    }"""
    with pytest.raises(Malformed, match=message):
        interp.survey(program, batches)
