"""Programs that add, and their results in the oracle, for tests of accumulations."""

from __future__ import annotations

from typing import Any

import numpy as np

import interp
from spec.accumulation import Accumulation
from spec.accumulator import Reading, reading_named
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor

DOT = """
func.func @main(%x: tensor<{m}x{k}x{lhs}>, %w: tensor<{k}x{n}x{rhs}>) -> tensor<{m}x{n}x{result}> {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<{m}x{k}x{lhs}>, tensor<{k}x{n}x{rhs}>) -> tensor<{m}x{n}x{result}>
  return %0 : tensor<{m}x{n}x{result}>
}}"""
QDQ = """
func.func @main(%x: tensor<2x9x{lhs}>, %w: tensor<9x2x{rhs}>) -> tensor<2x2xf32> {{
  %a = stablehlo.uniform_dequantize %x : (tensor<2x9x{lhs}>) -> tensor<2x9xf32>
  %b = stablehlo.uniform_dequantize %w : (tensor<9x2x{rhs}>) -> tensor<9x2xf32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<2x9xf32>, tensor<9x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}}"""
REDUCE = """
func.func @main(%x: tensor<{m}x{k}x{type}>, %init: tensor<{type}>) -> tensor<{m}x{type}> {{
  %0 = stablehlo.reduce(%x init: %init) applies stablehlo.{op} across dimensions = [1]
    : (tensor<{m}x{k}x{type}>, tensor<{type}>) -> tensor<{m}x{type}>
  return %0 : tensor<{m}x{type}>
}}"""
WINDOW = """
func.func @main(%x: tensor<{k}x{type}>, %init: tensor<{type}>) -> tensor<{k}x{type}> {{
  %0 = "stablehlo.reduce_window"(%x, %init) <{{
    window_dimensions = array<i64: 5>, padding = dense<[[2, 2]]> : tensor<1x2xi64>}}> ({{
    ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
      %1 = stablehlo.add %a, %b : tensor<{type}>
      stablehlo.return %1 : tensor<{type}>
    }}) : (tensor<{k}x{type}>, tensor<{type}>) -> tensor<{k}x{type}>
  return %0 : tensor<{k}x{type}>
}}"""
CONVOLUTION = """
func.func @main(%x: tensor<1x6x2x{lhs}>, %w: tensor<3x2x2x{rhs}>) -> tensor<1x6x2x{result}> {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {{pad = [[1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<1x6x2x{lhs}>, tensor<3x2x2x{rhs}>) -> tensor<1x6x2x{result}>
  return %0 : tensor<1x6x2x{result}>
}}"""
SCATTER = """
func.func @main(%x: tensor<4x{type}>, %i: tensor<9x1xi32>, %u: tensor<9x{type}>) -> tensor<4x{type}> {{
  %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<
    inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> ({{
    ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
      %1 = stablehlo.add %a, %b : tensor<{type}>
      stablehlo.return %1 : tensor<{type}>
    }}) : (tensor<4x{type}>, tensor<9x1xi32>, tensor<9x{type}>) -> tensor<4x{type}>
  return %0 : tensor<4x{type}>
}}"""
SELECT = """
func.func @main(%x: tensor<9x{type}>, %s: tensor<9x{type}>, %init: tensor<{type}>) -> tensor<9x{type}> {{
  %0 = "stablehlo.select_and_scatter"(%x, %s, %init) <{{
    window_dimensions = array<i64: 5>, padding = dense<[[2, 2]]> : tensor<1x2xi64>}}> ({{
    ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
      %1 = stablehlo.compare GE, %a, %b : (tensor<{type}>, tensor<{type}>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    }}, {{
    ^bb0(%a: tensor<{type}>, %b: tensor<{type}>):
      %1 = stablehlo.add %a, %b : tensor<{type}>
      stablehlo.return %1 : tensor<{type}>
    }}) : (tensor<9x{type}>, tensor<9x{type}>, tensor<{type}>) -> tensor<9x{type}>
  return %0 : tensor<9x{type}>
}}"""


def oracle(
    module: Module, args: Any, accumulation: str | Accumulation, reading: str | Reading = "dequantize"
) -> list[Any]:
    """Return the stored elements of the program's one result, in row-major order, by the oracle."""
    tensors = [
        Tensor(value.type, tuple(np.asarray(x).astype(object).reshape(-1).tolist()))
        if np.asarray(x).dtype.kind not in "fV"
        else Tensor(value.type, tuple(np.asarray(x).astype(np.float64).reshape(-1).tolist()))
        for x, value in zip(args, module.main.inputs, strict=True)
    ]
    schedule = Accumulation.of(accumulation)
    (result,) = evaluate(module, tensors, schedule, reading=reading_named(reading))
    return list(result.elements)


def dot(lhs: Any, rhs: Any, accumulation: str, type: str = "f32", result: str = "") -> Any:
    """Return the dot product of two vectors, by the oracle."""
    k = len(lhs)
    text = DOT.format(m=1, n=1, k=k, lhs=type, rhs=type, result=result or type)
    (total,) = oracle(interp.load(text), [np.array([lhs]), np.array(rhs).reshape(k, 1)], accumulation)
    return total


def reduce(x: Any, accumulation: str, type: str = "f32", init: Any = 0, op: str = "add") -> Any:
    """Return the fold of a vector, by the oracle."""
    text = REDUCE.format(m=1, k=len(x), type=type, op=op)
    (total,) = oracle(interp.load(text), [np.array([x]), np.array(init)], accumulation)
    return total
