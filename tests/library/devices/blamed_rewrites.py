"""Implementations that are the engine but for one rewrite of one operation of a program: 25 of them.

A device runs any program: where the operation with the planted name is in it (and those that the rewrite
needs), it computes that in another way. So a slice shows the rewrite if and only if it has these operations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np

from interp.apps.diagnosing.deviations import Way, deviations, unusual
from interp.apps.diagnosing.runner import Runner
from interp.apps.suite.implementations import InProcess
from interp.execute.run import run
from interp.loading.load import load
from spec.accumulator import LITERAL
from spec.attributes import Dense
from spec.ir import Module, Op, Region, Value
from spec.schedule import LEFT
from spec.types import ELEMENT_TYPES, TensorType

F32, BF16 = ELEMENT_TYPES["f32"], ELEMENT_TYPES["bf16"]
T = "tensor<4x16xf32>"
FLOATS = f"""
func.func @main(%a: {T}, %b: {T}, %c: {T}) -> {T} {{
  %seven = stablehlo.constant dense<7.0> : {T}
  %low = stablehlo.constant dense<-1.5> : {T}
  %high = stablehlo.constant dense<1.5> : {T}
  %half = stablehlo.constant dense<0.5> : {T}
  %eight = stablehlo.constant dense<8.0> : {T}
  %scaled = stablehlo.divide %a, %seven : {T}
  %once = stablehlo.divide %scaled, %b : {T}
  %twice = stablehlo.divide %once, %c : {T}
  %product = stablehlo.multiply %twice, %a : {T}
  %sum = stablehlo.add %product, %c : {T}
  %narrow = stablehlo.convert %sum : ({T}) -> tensor<4x16xbf16>
  %wide = stablehlo.convert %narrow : (tensor<4x16xbf16>) -> {T}
  %grown = stablehlo.exponential %scaled : {T}
  %bent = stablehlo.tanh %scaled : {T}
  %squashed = stablehlo.logistic %b : {T}
  %root = stablehlo.rsqrt %b : {T}
  %moved = stablehlo.subtract %a, %b : {T}
  %eighths = stablehlo.multiply %moved, %eight : {T}
  %whole = stablehlo.floor %eighths : {T}
  %halves = stablehlo.multiply %whole, %half : {T}
  %even = stablehlo.round_nearest_even %halves : {T}
  %ratio = stablehlo.divide %b, %c : {T}
  %long = stablehlo.sqrt %c : {T}
  %is_less = stablehlo.compare LT, %halves, %even : ({T}, {T}) -> tensor<4x16xi1>
  %chosen = stablehlo.select %is_less, %bent, %squashed : tensor<4x16xi1>, {T}
  %clipped = stablehlo.clamp %low, %moved, %high : {T}
  %log = stablehlo.log_plus_one %scaled : {T}
  %all = stablehlo.concatenate %wide, %sum, %grown, %chosen, %root, %halves, %even, %ratio, %long, %clipped,
    %log, %bent, %squashed, %twice, dim = 0 : ({", ".join([T] * 14)}) -> tensor<56x16xf32>
  %firsts = stablehlo.slice %all [0:56, 0:16] : (tensor<56x16xf32>) -> tensor<56x16xf32>
  return %firsts : tensor<56x16xf32>
}}""".replace(f"-> {T} {{", "-> tensor<56x16xf32> {", 1)

ADD = """({{
    ^bb0(%l{0}: tensor<{1}>, %r{0}: tensor<{1}>):
      %s{0} = stablehlo.add %l{0}, %r{0} : tensor<{1}>
      stablehlo.return %s{0} : tensor<{1}>
  }})"""
DOT = "contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]"
SUMS = f"""
func.func @main(%x: tensor<4x96xf32>, %w: tensor<96x8xf32>, %k: tensor<4x96xi8>, %m: tensor<96x8xi8>)
    -> (tensor<4xf32>, tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x8xi32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %third = stablehlo.constant dense<0.3> : tensor<4x96xf32>
  %small = stablehlo.multiply %x, %third : tensor<4x96xf32>
  %squares = stablehlo.multiply %small, %x : tensor<4x96xf32>
  %total = "stablehlo.reduce"(%squares, %zero) {ADD.format(0, "f32")} {{dimensions = array<i64: 1>}}
    : (tensor<4x96xf32>, tensor<f32>) -> tensor<4xf32>
  %shown = stablehlo.negate %total : tensor<4xf32>
  %features = stablehlo.dot_general %small, %w, {DOT}
    : (tensor<4x96xf32>, tensor<96x8xf32>) -> tensor<4x8xf32>
  %positive = stablehlo.abs %features : tensor<4x8xf32>
  %pools = "stablehlo.reduce_window"(%small, %zero) {ADD.format(1, "f32")}
    {{window_dimensions = array<i64: 1, 4>, window_strides = array<i64: 1, 4>}}
    : (tensor<4x96xf32>, tensor<f32>) -> tensor<4x24xf32>
  %counts = stablehlo.dot_general %k, %m, {DOT} : (tensor<4x96xi8>, tensor<96x8xi8>) -> tensor<4x8xi32>
  %less = stablehlo.negate %counts : tensor<4x8xi32>
  return %shown, %positive, %pools, %less
    : tensor<4xf32>, tensor<4x8xf32>, tensor<4x24xf32>, tensor<4x8xi32>
}}"""
Q, K, Y = (
    "!quant.uniform<i8:f32, 0.031:-7>",
    "!quant.uniform<i8:f32, 0.013:0>",
    "!quant.uniform<i8:f32, 0.09:5>",
)
QUANTIZED = f"""
func.func @main(%x: tensor<8x24xf32>, %w: tensor<24x8x{K}>, %b: tensor<8x8x{Y}>) -> tensor<8x8xf32> {{
  %stored = stablehlo.uniform_quantize %x : (tensor<8x24xf32>) -> tensor<8x24x{Q}>
  %features = stablehlo.dot_general %stored, %w, {DOT}
    : (tensor<8x24x{Q}>, tensor<24x8x{K}>) -> tensor<8x8x{Y}>
  %biased = stablehlo.add %features, %b : tensor<8x8x{Y}>
  %positive = stablehlo.maximum %biased, %b : tensor<8x8x{Y}>
  %real = stablehlo.uniform_dequantize %positive : (tensor<8x8x{Y}>) -> tensor<8x8xf32>
  return %real : tensor<8x8xf32>
}}"""
TEXTS = {"floats": FLOATS, "sums": SUMS, "quantized": QUANTIZED}


@dataclass(frozen=True)
class Planted:
    """A device: its rewrite in words, its program, and the operations that it computes in another way.

    rewrite: returns the operations in place of the last of `operations`, or None where others are missing.
    deviation: the name of one of ours, in place of a rewrite.
    """

    name: str
    program: str
    operations: tuple[str, ...]
    rewrite: Callable[[Op, dict[str, Op]], Sequence[Op] | None] | None = None
    deviation: str = ""

    def run(self, module: Module, mode: str, args: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Run a program as the device does."""
        if self.rewrite is not None:
            return [x.storage for x in run(rewritten(module, self), *args, mode=mode)]
        declared = Way(LITERAL, LEFT)
        chosen = next(d for d in (*deviations(declared), *unusual(declared)) if d.name == self.deviation)
        ops = [op for op in module.main.body.ops if any(v.name in self.operations for v in op.results)]
        ways = {id(op): chosen.of(declared) for op in ops if chosen.applies(op)}
        return Runner(module, module.main, list(args), declared, {}).run(ways)

    @property
    def device(self) -> InProcess:
        """The device as an implementation of the suite's protocol."""
        return InProcess(self.run)


@cache
def program(name: str) -> Module:
    """Return the program that some devices run."""
    return load(TEXTS[name])


@cache
def arguments(name: str) -> tuple[np.ndarray, ...]:
    """Return arguments on which every rewrite shows."""
    random = np.random.default_rng(5)
    if name == "floats":
        return tuple(random.uniform(0.5, 4.0, (4, 16)).astype(np.float32) for _ in range(3))
    if name == "sums":
        floats = [random.normal(0, 1, shape).astype(np.float32) for shape in ((4, 96), (96, 8))]
        return (*floats, *(random.integers(40, 120, shape).astype(np.int8) for shape in ((4, 96), (96, 8))))
    x = random.normal(0, 1.5, (8, 24)).astype(np.float32)
    x[:, ::3] = (np.round(x[:, ::3] / 0.031) + 0.5) * np.float32(0.031)
    return x, *(random.integers(-100, 100, shape).astype(np.int8) for shape in ((24, 8), (8, 8)))


def rewritten(module: Module, planted: Planted) -> Module:
    """Return a program with one operation computed by others; unchanged where it is not, or others miss."""
    assert planted.rewrite is not None
    main = module.main
    made = {v.name: op for op in main.body.ops for v in op.results}
    ops: list[Op] = []
    for op in main.body.ops:
        new = planted.rewrite(op, made) if any(v.name == planted.operations[-1] for v in op.results) else None
        ops += [op] if new is None else new
    body = Region(main.body.arguments, tuple(ops))
    return replace(module, functions={**module.functions, main.name: replace(main, body=body)})


class Writer:
    """Writer of operations on values of one operation's shape; the last one has that operation's result."""

    def __init__(self, op: Op) -> None:
        self.op, self.ops = op, list[Op]()

    def __call__(self, name: str, *operands: Value, element: Any = None, **attributes: Any) -> Value:
        kind = element or self.op.result.type.element_type
        type = TensorType(self.op.result.type.shape, kind)
        result = Value(f"{self.op.result.name}.{len(self.ops)}", type)
        self.ops.append(Op(f"stablehlo.{name}", operands, (result,), attributes))
        return result

    def constant(self, number: float) -> Value:
        type = TensorType(self.op.result.type.shape, F32)
        return self("constant", value=Dense(type, np.float32(number).tobytes(), splat=True))

    def done(self) -> list[Op]:
        self.ops[-1] = replace(self.ops[-1], results=self.op.results)
        return self.ops


def by_reciprocal_constant(op: Op, made: dict[str, Op]) -> list[Op] | None:
    divisor = made.get(op.operands[1].name)
    if divisor is None or divisor.name != "stablehlo.constant":
        return None
    (number,) = np.frombuffer(divisor["value"].data[:4], np.float32)
    w = Writer(op)
    w("multiply", op.operands[0], w.constant(np.float32(1) / number))
    return w.done()


def by_product_of_divisors(op: Op, made: dict[str, Op]) -> list[Op] | None:
    first = made.get(op.operands[0].name)
    if first is None or first.name != "stablehlo.divide":
        return None
    w = Writer(op)
    w("divide", first.operands[0], w("multiply", first.operands[1], op.operands[1]))
    return w.done()


def fused(op: Op, made: dict[str, Op]) -> list[Op] | None:
    product = made.get(op.operands[0].name)
    if product is None or product.name != "stablehlo.multiply":
        return None
    w, wide = Writer(op), ELEMENT_TYPES["f64"]
    a, b, c = (w("convert", v, element=wide) for v in (*product.operands, op.operands[1]))
    w("convert", w("add", w("multiply", a, b, element=wide), c, element=wide))
    return w.done()


def without_narrow(op: Op, made: dict[str, Op]) -> list[Op] | None:
    narrow = made.get(op.operand.name)
    if narrow is None:
        return None
    w = Writer(op)
    w("convert", *narrow.operands)
    return w.done()


def written(write: Callable[[Writer, Op], Any]) -> Callable[[Op, dict[str, Op]], list[Op]]:
    """Return the rewrite that computes one operation by what `write` writes."""

    def rewrite(op: Op, made: dict[str, Op]) -> list[Op]:
        w = Writer(op)
        write(w, op)
        return w.done()

    return rewrite


def exp_by_power(w: Writer, op: Op) -> None:
    w("power", w.constant(2.0), w("multiply", op.operand, w.constant(1.4426950408889634)))


def tanh_by_exp(w: Writer, op: Op) -> None:
    e = w("exponential", w("multiply", op.operand, w.constant(2.0)))
    w("divide", w("subtract", e, w.constant(1.0)), w("add", e, w.constant(1.0)))


def logistic_by_exp(w: Writer, op: Op) -> None:
    e = w("exponential", w("negate", op.operand))
    w("divide", w.constant(1.0), w("add", e, w.constant(1.0)))


def root_by_division(w: Writer, op: Op) -> None:
    w("divide", w.constant(1.0), w("sqrt", op.operand))


def toward_zero(w: Writer, op: Op) -> None:
    w("multiply", w("sign", op.operand), w("floor", w("abs", op.operand)))


def away_from_zero(w: Writer, op: Op) -> None:
    w("round_nearest_afz", op.operand)


def by_reciprocal(w: Writer, op: Op) -> None:
    w("multiply", op.operands[0], w("divide", w.constant(1.0), op.operands[1]))


def root_in_bf16(w: Writer, op: Op) -> None:
    w("convert", w("sqrt", w("convert", op.operand, element=BF16), element=BF16))


def or_equal(op: Op, made: dict[str, Op]) -> list[Op]:
    return [replace(op, attributes={**op.attributes, "comparison_direction": "LE"})]


def without_upper(w: Writer, op: Op) -> None:
    w("maximum", op.operands[0], op.operands[1])


def log_of_sum(w: Writer, op: Op) -> None:
    w("log", w("add", op.operand, w.constant(1.0)))


PLANTED = (
    Planted("x / 7 as x * fl(1 / 7)", "floats", ("%scaled",), by_reciprocal_constant),
    Planted("(a / b) / c as a / (b * c)", "floats", ("%once", "%twice"), by_product_of_divisors),
    Planted("a * b + c rounded once", "floats", ("%product", "%sum"), fused),
    Planted("bf16 rounding dropped", "floats", ("%narrow", "%wide"), without_narrow),
    Planted("exp as a power of 2", "floats", ("%grown",), written(exp_by_power)),
    Planted("tanh by exp", "floats", ("%bent",), written(tanh_by_exp)),
    Planted("logistic by exp", "floats", ("%squashed",), written(logistic_by_exp)),
    Planted("rsqrt as 1 / sqrt", "floats", ("%root",), written(root_by_division)),
    Planted("floor toward zero", "floats", ("%whole",), written(toward_zero)),
    Planted("ties away from zero", "floats", ("%even",), written(away_from_zero)),
    Planted("a / b as a * (1 / b)", "floats", ("%ratio",), written(by_reciprocal)),
    Planted("sqrt in bf16", "floats", ("%long",), written(root_in_bf16)),
    Planted("< as <=", "floats", ("%is_less",), or_equal),
    Planted("clamp without its upper bound", "floats", ("%clipped",), written(without_upper)),
    Planted("log1p as log(1 + x)", "floats", ("%log",), written(log_of_sum)),
    Planted("a sum in pairs", "sums", ("%total",), deviation="balanced"),
    Planted("a sum in bf16", "sums", ("%total",), deviation="accumulator bf16"),
    Planted("a product with fused sums", "sums", ("%features",), deviation="fused products"),
    Planted("a product of tf32 factors", "sums", ("%features",), deviation="factors tf32"),
    Planted("windows summed in f16", "sums", ("%pools",), deviation="accumulator f16"),
    Planted("an accumulator that wraps", "sums", ("%counts",), deviation="accumulator i16 wrap"),
    Planted("an accumulator that saturates", "sums", ("%counts",), deviation="accumulator i16 saturate"),
    Planted("quantized by the reciprocal", "quantized", ("%stored",), deviation="reciprocal scale"),
    Planted(
        "a zero point left out", "quantized", ("%features",), deviation="no zero point of the first operand"
    ),
    Planted("results that wrap", "quantized", ("%biased",), deviation="results wrap"),
)
