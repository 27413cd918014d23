"""`raise_qdq` around control flow: what loops and branches read from outside, and floats inside."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp
from interp.apps.quantization.raise_qdq import raise_qdq
from spec.ir import Module

F, N = "tensor<4xf32>", "tensor<i32>"
Q, S = "!quant.uniform<i8:f32, 0.05:3>", "!quant.uniform<i8:f32, 0.25:-1>"

# Values that blocks read: %x is an argument; %d is dequantized; %e is quantized after a sum of two quantized
# values; %t is the float result of a region; %w is dequantized and constant; %k is a float constant.
BEFORE = f"""
  %k = stablehlo.constant dense<[1.0, -0.5, 0.25, 2.0]> : {F}
  %wq = stablehlo.constant() {{value = dense<[3, -4, 5, 120]> : tensor<4xi8>}} : () -> tensor<4x{Q}>
  %w = stablehlo.uniform_dequantize %wq : (tensor<4x{Q}>) -> {F}
  %xq = stablehlo.uniform_quantize %x : ({F}) -> tensor<4x{Q}>
  %d = stablehlo.uniform_dequantize %xq : (tensor<4x{Q}>) -> {F}
  %sum = stablehlo.add %d, %w : {F}
  %eq = stablehlo.uniform_quantize %sum : ({F}) -> tensor<4x{S}>
  %e = stablehlo.uniform_dequantize %eq : (tensor<4x{S}>) -> {F}
  %m = stablehlo.multiply %e, %k : {F}
  %t = stablehlo.tanh %m : {F}
  %i0 = stablehlo.constant dense<0> : {N}
  %i1 = stablehlo.constant dense<1> : {N}
  %i3 = stablehlo.constant dense<3> : {N}
"""
AFTER = f"""
  %rq = stablehlo.uniform_quantize %r : ({F}) -> tensor<4x{S}>
  %out = stablehlo.uniform_dequantize %rq : (tensor<4x{S}>) -> {F}
  return %out : {F}
}}"""


def program(middle: str) -> str:
    return f"func.func @main(%x: {F}, %p: tensor<i1>, %n: {N}) -> {F} {{{BEFORE}{middle}{AFTER}"


def loop(body: str, result: str = "%r") -> str:
    """Return a loop of three rounds over %i and %a, whose body gives %next."""
    at = result.removeprefix("%")
    return f"""
  %{at}.both:2 = stablehlo.while(%{at}.i = %i0, %{at}.a = %k) : {N}, {F}
    cond {{
      %{at}.c = stablehlo.compare LT, %{at}.i, %i3 : ({N}, {N}) -> tensor<i1>
      stablehlo.return %{at}.c : tensor<i1>
    }} do {{
      %{at}.n = stablehlo.add %{at}.i, %i1 : {N}
      {body}
      stablehlo.return %{at}.n, %next{at} : {N}, {F}
    }}
  {result} = stablehlo.add %{at}.both#1, %t : {F}"""


def branches(operation: str, index: str, type: str, *bodies: str, result: str = "%r") -> str:
    blocks = ", ".join(f"{{ {body}\n    stablehlo.return %b{k} : {F} }}" for k, body in enumerate(bodies))
    return f'{result} = "stablehlo.{operation}"({index}) ({blocks}) : ({type}) -> {F}'


def value(name: str, operation: str, *operands: str) -> str:
    return f"%{name} = stablehlo.{operation} {', '.join(operands)} : {F}"


IF = branches("if", "%p", "tensor<i1>", value("b0", "add", "%d", "%t"), value("b1", "multiply", "%e", "%w"))
CASE = branches(
    "case",
    "%n",
    N,
    value("b0", "add", "%x", "%k"),
    value("b1", "maximum", "%w", "%t"),
    value("b2", "subtract", "%e", "%m"),
)
WHILE = loop(f"{value('u', 'add', '%r.a', '%t')}\n{value('nextr', 'multiply', '%u', '%d')}")
SCAN = f"""
  %rows = stablehlo.concatenate %t, %e, %d, dim = 0 : ({F}, {F}, {F}) -> tensor<12xf32>
  {
    loop(
        f'''%first = stablehlo.multiply %r.i, %i3 : {N}
      %row = stablehlo.dynamic_slice %rows, %first, sizes = [4] : (tensor<12xf32>, {N}) -> {F}
      {value("nextr", "add", "%row", "%r.a")}'''
    )
}"""
INNER = branches(
    "if",
    "%p",
    "tensor<i1>",
    value("b0", "add", "%t", "%r.a"),
    value("b1", "subtract", "%y.a", "%e"),
    result="%nexty",
)
# A loop in a loop, and in it a branch that reads a region's result, and the variables of both loops.
NESTED = loop(f"{loop(INNER, '%y')}\n      {value('nextr', 'add', '%y', '%w')}")
TWO = f"{IF.replace('%r =', '%first =')}\n  {WHILE.replace('%d', '%first')}"  # one reads the other's result
# What is simulated within a block keeps its floats.
SIMULATED = loop(
    f"""%rq0 = stablehlo.uniform_quantize %r.a : ({F}) -> tensor<4x{Q}>
      %rd0 = stablehlo.uniform_dequantize %rq0 : (tensor<4x{Q}>) -> {F}
      {value("v", "add", "%rd0", "%d")}
      %vq = stablehlo.uniform_quantize %v : ({F}) -> tensor<4x{S}>
      %nextr = stablehlo.uniform_dequantize %vq : (tensor<4x{S}>) -> {F}"""
)
STORED = f"""%rq1 = "stablehlo.if"(%p) ({{ stablehlo.return %eq : tensor<4x{S}> }}, {{
      %fq = stablehlo.uniform_quantize %t : ({F}) -> tensor<4x{S}>
      stablehlo.return %fq : tensor<4x{S}> }}) : (tensor<i1>) -> tensor<4x{S}>
  %r = stablehlo.uniform_dequantize %rq1 : (tensor<4x{S}>) -> {F}"""
PROGRAMS = {
    "if": IF,
    "case": CASE,
    "while": WHILE,
    "scan": SCAN,
    "nested": NESTED,
    "two": TWO,
    "simulated": SIMULATED,
    "stored": STORED,
}


@pytest.mark.parametrize("flow", ["stablehlo", "codegen"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_blocks_read_what_regions_give(name: str, flow: str) -> None:
    """The result may be a step apart, by each of the two sums that integers now compute."""
    module = interp.load(program(PROGRAMS[name]))
    if (name, flow) == ("stored", "codegen"):  # whose integers have no type that a branch could return
        with pytest.raises(interp.Unsupported, match="codegen writes plain integers"):
            raise_qdq(module, flow=flow)
        return
    raised = raise_qdq(module, flow=flow)
    assert interp.load(repr(raised.module)) == raised.module
    random = np.random.default_rng(0)
    apart: list[np.ndarray] = []
    for n in range(24):
        args = [random.normal(0, 2, 4).astype(np.float32), np.bool_(n % 2), np.int32(n % 3)]
        wanted, got = (np.asarray(interp.run(m, *args)[0]) for m in (module, raised.module))
        apart.append(np.abs(wanted - got) / 0.25)
    assert np.max(apart) <= 1
    assert np.mean(np.asarray(apart) == 0) > 0.9


def inner_ops(module: Module) -> list[Any]:
    """Return the operations of the body of the only loop."""
    (op,) = (op for op in module.main.body.ops if op.name == "stablehlo.while")
    return list(op.regions[1].ops)


def test_a_sum_within_a_loop_reads_stored_numbers_of_outside() -> None:
    module = interp.load(program(SIMULATED))
    raised = raise_qdq(module)
    (quantize, added) = (
        op for op in inner_ops(raised.module) if any(v.type.is_quantized for v in op.results)
    )
    assert (quantize.name, added.name) == ("stablehlo.uniform_quantize", "stablehlo.add")
    (stored,) = (op for op in raised.module.main.body.ops if op.operands[:1] == (module.main.inputs[0],))
    assert added.operands == (quantize.result, stored.result)
    assert [each.operation for each in raised.left] == ["multiply", "tanh", "add"]


# A cell of a recurrent network whose state is quantized in every round, and whose weights stand outside.
CELL, WEIGHTS = "tensor<1x4xf32>", "!quant.uniform<i8:f32:1, {0.01,0.02,0.03}>"
ROUND = """
      %cq = stablehlo.uniform_quantize %s : (tensor<1x3xf32>) -> tensor<1x3x$Q>
      %cd = stablehlo.uniform_dequantize %cq : (tensor<1x3x$Q>) -> tensor<1x3xf32>
      %next = stablehlo.dot_general %cd, %wd, contracting_dims = [1] x [0]
        : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<1x3xf32>
      %biased = stablehlo.add %next, %bd : tensor<1x3xf32>
      %nq = stablehlo.uniform_quantize %biased : (tensor<1x3xf32>) -> tensor<1x3x$Q>
      %nd = stablehlo.uniform_dequantize %nq : (tensor<1x3x$Q>) -> tensor<1x3xf32>"""
ARITHMETIC = """
      %scale = stablehlo.constant dense<0.05> : tensor<1x3xf32>
      %zero = stablehlo.constant dense<3.0> : tensor<1x3xf32>
      %div = stablehlo.divide %s, %scale : tensor<1x3xf32>
      %near = stablehlo.round_nearest_even %div : tensor<1x3xf32>
      %moved = stablehlo.add %near, %zero : tensor<1x3xf32>
      %low = stablehlo.constant dense<-128.0> : tensor<f32>
      %high = stablehlo.constant dense<127.0> : tensor<f32>
      %in = stablehlo.clamp %low, %moved, %high
        : (tensor<f32>, tensor<1x3xf32>, tensor<f32>) -> tensor<1x3xf32>
      %back = stablehlo.subtract %in, %zero : tensor<1x3xf32>
      %cd = stablehlo.multiply %back, %scale : tensor<1x3xf32>"""


def cell(quantized: str = ROUND) -> str:
    return f"""func.func @main(%x: tensor<1x3xf32>) -> tensor<1x3xf32> {{
  %wq = stablehlo.constant() {{value = dense<[[1, 2, 3], [-4, 5, 6], [70, 8, -9]]> : tensor<3x3xi8>}}
    : () -> tensor<3x3x{WEIGHTS}>
  %wd = stablehlo.uniform_dequantize %wq : (tensor<3x3x{WEIGHTS}>) -> tensor<3x3xf32>
  %bd = stablehlo.constant dense<[[0.1, -0.2, 0.3]]> : tensor<1x3xf32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %i1 = stablehlo.constant dense<1> : tensor<i32>
  %i5 = stablehlo.constant dense<5> : tensor<i32>
  %all:2 = stablehlo.while(%i = %i0, %s = %x) : tensor<i32>, tensor<1x3xf32>
    cond {{
      %c = stablehlo.compare LT, %i, %i5 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    }} do {{
      %n = stablehlo.add %i, %i1 : tensor<i32>
      {quantized.replace("$Q", Q)}
      stablehlo.return %n, %nd : tensor<i32>, tensor<1x3xf32>
    }}
  return %all#1 : tensor<1x3xf32>
}}"""


@pytest.mark.parametrize("flow", ["stablehlo", "codegen"])
@pytest.mark.parametrize("spelling", ["pairs", "arithmetic"])
def test_a_contraction_within_a_loop_becomes_integers(flow: str, spelling: str) -> None:
    """Weights of outside are constants there. The result is a step apart where a sum is near a tie."""
    body = ROUND if spelling == "pairs" else ARITHMETIC + ROUND.partition("-> tensor<1x3xf32>")[2]
    module = interp.load(cell(body))
    raised = raise_qdq(module, flow=flow)
    assert (raised.contractions, raised.left) == ((1, 1, 1), ())
    proof = interp.prove(raised.module)
    assert proof.counts == {"proved": len(proof.rows)}
    random = np.random.default_rng(1)
    for _ in range(20):
        x = random.normal(0, 3, (1, 3)).astype(np.float32)
        (wanted,), (got,) = (interp.run(m, x) for m in (module, raised.module))
        assert np.abs(np.asarray(wanted) - np.asarray(got)).max() <= 0.05 * 1.001


def test_a_loop_of_floats_is_one_island() -> None:
    """Its sums say which operand has no quantized type, and why."""
    dot = """%nd = stablehlo.dot_general %s, %wd, contracting_dims = [1] x [0]
        : (tensor<1x3xf32>, tensor<3x3xf32>) -> tensor<1x3xf32>"""
    raised = raise_qdq(interp.load(cell(dot)))
    (left,) = raised.left
    assert (left.operation, left.reason) == (
        "while",
        "an island of 2 operations, computed in float as in the program",
    )
    (product,) = raised.sums
    found = product.unquantized
    assert found == "its operand %s_1 is a float: %s_1 is a variable of a while, which has no quantized type"
    assert raised.contractions == (0, 0, 1)
