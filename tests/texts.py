"""Programs as text, and the oracle on plain numbers: what the tests of single numbers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interp.reading.load import load
from spec.evaluate import evaluate
from spec.index import Tensor
from spec.ir import Module
from spec.schedule import LEFT, Schedule


def oracle(module: Module, *args: Sequence[Any], schedule: Schedule = LEFT) -> tuple[Any, ...]:
    """The stored elements of the first result, from stored elements in row-major order."""
    tensors = [Tensor(x.type, tuple(arg)) for x, arg in zip(module.main.inputs, args, strict=True)]
    return evaluate(module, tensors, schedule)[0].elements


def quantized(parameters: str) -> str:
    return f"!quant.uniform<{parameters}>"


def reduction(
    op: str,
    input: str,
    init: str,
    body: str,
    result: str,
    attributes: str,
    combine: str = "add",
    dialect: str = "stablehlo",
) -> Module:
    """One reduction. Tensor types are MLIR's text inside `tensor<>`, `body` an element type."""
    text = f"""
      module {{
        "func.func"() ({{
        ^bb0(%input: tensor<{input}>, %init: tensor<{init}>):
          %0 = "stablehlo.{op}"(%input, %init) ({{
          ^bb0(%a: tensor<{body}>, %b: tensor<{body}>):
            %1 = "stablehlo.{combine}"(%a, %b) : (tensor<{body}>, tensor<{body}>) -> tensor<{body}>
            "stablehlo.return"(%1) : (tensor<{body}>) -> ()
          }}) {{{attributes}}} : (tensor<{input}>, tensor<{init}>) -> tensor<{result}>
          "func.return"(%0) : (tensor<{result}>) -> ()
        }}) {{function_type = (tensor<{input}>, tensor<{init}>) -> tensor<{result}>, sym_name = "main"}}
          : () -> ()
      }}"""
    return load(text, dialect=dialect)


def conversion(op: str, operand: str, result: str) -> Module:
    """One op on one tensor."""
    text = f"""
      func.func @main(%operand: tensor<{operand}>) -> tensor<{result}> {{
        %0 = "{op}"(%operand) : (tensor<{operand}>) -> tensor<{result}>
        return %0 : tensor<{result}>
      }}"""
    return load(text)
