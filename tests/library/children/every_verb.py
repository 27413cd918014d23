"""Calls of every verb, in a process that has imported every module.

`python -m tests.library.children.every_verb` prints the name of each verb that has answered.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import interp

ROOT = Path(interp.__file__).resolve().parent.parent
FLOAT = """func.func @main(%x: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = stablehlo.constant dense<[[1.0, -0.5], [0.25, 2.0]]> : tensor<2x2xf32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<4x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return %p : tensor<4x2xf32>
}"""
SUM = """!q = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<4x!q>, %init: tensor<!q>) -> tensor<!q> {
  %sum = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0]
    : (tensor<4x!q>, tensor<!q>) -> tensor<!q>
  return %sum : tensor<!q>
}"""
PLAIN = """func.func @main(%x: tensor<4x2xf32>) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<4x2xf32>, tensor<f32>) -> tensor<4xf32>
  return %sum : tensor<4xf32>
}"""
BATCH = PLAIN.replace("4x2xf32", "?x2xf32").replace("4xf32", "?xf32")
QDQ = """!q = !quant.uniform<i8:f32, 0.5>
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %q = stablehlo.uniform_quantize %x : (tensor<4xf32>) -> tensor<4x!q>
  %d = stablehlo.uniform_dequantize %q : (tensor<4x!q>) -> tensor<4xf32>
  return %d : tensor<4xf32>
}"""
x = np.arange(8, dtype=np.float32).reshape(4, 2)
leaves, zero = np.int8([100, 27, 5, -3]), np.int8(0)


def save_part() -> Path:
    """Write the part of a survey, and return its path."""
    survey = interp.survey(FLOAT, [(x,)], shard=(0, 1))
    return interp.save_survey(survey, Path(tempfile.mkdtemp(), "part.json"))


CALLS: dict[str, Callable[[], Any]] = {
    "batched": lambda: list(interp.batched(interp.load(FLOAT), x)),
    "check": lambda: interp.check(SUM),
    "blame": lambda: interp.blame(FLOAT, x, slices=False, seconds=60),
    "compare": lambda: interp.compare(FLOAT, x),
    "compile": lambda: interp.compile(SUM)(leaves, zero),
    "conformance": lambda: interp.conformance(filter="integer/abs_i8"),
    "diagnose": lambda: interp.diagnose(SUM, (leaves, zero), (np.int8(1),), seconds=1),
    "fuzz": lambda: interp.fuzz(seconds=0),
    "invariant": lambda: interp.invariant(BATCH, impl=lambda x: x.sum(axis=1), sizes=[1, 2], check=6),
    "judge": lambda: interp.judge(SUM, {"x": leaves, "init": zero, "sum": np.int8(127)}),
    "lint": lambda: interp.lint(SUM),
    "load": lambda: interp.load(SUM),
    "lower": lambda: interp.lower(SUM),
    "permits": lambda: interp.permits(SUM, (leaves, zero), (np.int8(127),)),
    "plan": lambda: interp.plan(SUM),
    "bind": lambda: interp.bind(FLOAT, {0: x}),
    "prove": lambda: interp.prove(SUM),
    "quant_pass": lambda: interp.quant_pass(QDQ, "lower-quant-ops"),
    "quantize": lambda: interp.quantize(FLOAT, [(x,)]),
    "raise_qdq": lambda: interp.raise_qdq(QDQ),
    "refine": lambda: interp.refine(FLOAT.replace("4x2", "?x2"), x),
    "register": lambda: interp.register("nothing", lambda x: x) or (),
    "reveal": lambda: interp.reveal(PLAIN, lambda x: x.sum(axis=1), check=12),
    "run": lambda: interp.run(SUM, leaves, zero),
    "run_parallel": lambda: interp.run_parallel(SUM, [[leaves, zero]]),
    "step": lambda: interp.step(SUM, leaves, zero),
    "survey": lambda: interp.survey(FLOAT, [(x,)]),
    "columns": lambda: interp.columns(x),
    "merge_surveys": lambda: interp.merge_surveys([interp.survey(FLOAT, [(x,)], shard=(0, 1))]),
    "read_survey": lambda: interp.read_survey(save_part()),
    "save_survey": lambda: [save_part()],
    "to_storage": lambda: interp.to_storage([0.5, 1.0], "!quant.uniform<i8:f32, 0.5>"),
    "trace": lambda: interp.trace(SUM, leaves, zero),
    "trace_parallel": lambda: interp.trace_parallel(SUM, [[leaves, zero]]),
    "verify": lambda: interp.verify(SUM),
    "widths": lambda: interp.widths(SUM, [(leaves, zero)], "i8 saturate"),
    "with_accumulator": lambda: interp.with_accumulator(SUM, "%sum", "!quant.uniform<i32:f32, 0.5>"),
}


def import_all() -> None:
    """Import every module; a folder named like a verb would take its place."""
    for package in ("spec", "interp"):
        for path in sorted((ROOT / package).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            try:
                importlib.import_module(name.removesuffix(".__init__"))
            except Exception:  # a library that is not installed
                continue


if __name__ == "__main__":
    import_all()
    for name, call in CALLS.items():
        assert call() is not None, name
        print(name, flush=True)
