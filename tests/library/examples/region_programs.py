"""Programs of one `quant.region` each, by name: contractions, sums, maxima, elementwise, movement."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

import interp
from spec.attributes import Dense
from spec.ir import Module, Op

X, Y, Z = (
    "!quant.uniform<i8:f32, 0.05:-128>",
    "!quant.uniform<i8:f32, 0.031:7>",
    "!quant.uniform<i8:f32, 0.4:-9>",
)
W = "!quant.uniform<i8<-127:127>:f32:1, {0.01,0.02}>"
V = "!quant.uniform<i8<-127:127>:f32, 0.013>"
WIDE = "!quant.uniform<i16:f32, 0.001>"
DOT = (
    "dot_dimension_numbers ="
    " #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
)
BATCH = (
    "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0],"
    " lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>"
)
ATLEAST = "comparison_direction = #stablehlo<comparison_direction GE>"
WINDOW = "window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>"
SCALAR = '"stablehlo.constant"() {value = dense<%s> : $} : () -> $'


def expanded(text: str) -> str:
    """Return a text with `$2x4` written out as tensor<2x4xf32>."""
    return re.sub(r"\$((?:\d+x)*\d+|)", lambda m: f"tensor<{m[1] + 'x' if m[1] else ''}f32>", text)


def folding(name: str, x: str, type: str, attributes: str, result: str, start: str = "0.0") -> str:
    """Return a reduction of one operand by one operation."""
    return f"""
      %start = {SCALAR % start}
      %out = "stablehlo.{type}"({x}, %start) ({{
      ^bb0(%p: $, %q: $):
        %r = "stablehlo.{name}"(%p, %q) : ($, $) -> $
        "stablehlo.return"(%r) : ($) -> ()
      }}) {{{attributes}}} : ($2x4, $) -> {result}"""


# By name: the types of the ports and the operations between %a, %b and %out, which have the last type.
KERNELS = {
    "product": (
        [("2x4", X), ("4x2", W), ("2x2", Y)],
        f'%out = "stablehlo.dot_general"(%a, %b) {{{DOT}}} : ($2x4, $4x2) -> $2x2',
    ),
    "dense": (
        [("2x4", X), ("4x2", W), ("2x2", Y)],
        f"""
      %bias = "stablehlo.constant"() {{value = dense<[0.3, -1.7]> : $2}} : () -> $2
      %wide = "stablehlo.broadcast_in_dim"(%bias) {{broadcast_dimensions = array<i64: 1>}} : ($2) -> $2x2
      %sum = "stablehlo.dot_general"(%a, %b) {{{DOT}}} : ($2x4, $4x2) -> $2x2
      %biased = "stablehlo.add"(%sum, %wide) : ($2x2, $2x2) -> $2x2
      %low = {SCALAR % "-0.5"}
      %high = {SCALAR % "6.0"}
      %out = "stablehlo.clamp"(%low, %biased, %high) : ($, $2x2, $) -> $2x2""",
    ),
    "both_dynamic": (
        [("2x4", X), ("4x2", Y), ("2x2", Z)],
        f'%out = "stablehlo.dot_general"(%a, %b) {{{DOT}}} : ($2x4, $4x2) -> $2x2',
    ),
    "sum_of_two": (
        [("2x4", X), ("2x4", Y), ("2x4", Z)],
        '%out = "stablehlo.add"(%a, %b) : ($2x4, $2x4) -> $2x4',
    ),
    "product_of_two": (
        [("2x4", X), ("2x4", WIDE), ("2x4", Z)],
        '%out = "stablehlo.multiply"(%a, %b) : ($2x4, $2x4) -> $2x4',
    ),
    "shifted": (
        [("2x4", X), ("2x4", X), ("2x4", Y)],
        """
      %c = "stablehlo.constant"() {value = dense<[0.3, -0.7, 1.1, 0.01]> : $4} : () -> $4
      %d = "stablehlo.broadcast_in_dim"(%c) {broadcast_dimensions = array<i64: 1>} : ($4) -> $2x4
      %out = "stablehlo.subtract"(%a, %d) : ($2x4, $2x4) -> $2x4""",
    ),
    "tanh": (
        [("2x4", Y), ("2x4", X), ("2x4", "!quant.uniform<i8:f32, 0.0078125>")],
        '%out = "stablehlo.tanh"(%a) : ($2x4) -> $2x4',
    ),
    "mean": (
        [("2x4", X), ("2x4", X), ("2", Y)],
        folding("add", "%a", "reduce", "dimensions = array<i64: 1>", "$2").replace("%out", "%sum")
        + """
      %n = "stablehlo.constant"() {value = dense<4.0> : $2} : () -> $2
      %out = "stablehlo.divide"(%sum, %n) : ($2, $2) -> $2""",
    ),
    "sums": (
        [("2x4", Y), ("2x4", X), ("2x2", Z)],
        folding("add", "%a", "reduce_window", WINDOW, "$2x2"),
    ),
    "maxima": (
        [("2x4", Y), ("2x4", X), ("2x2", X)],
        folding("maximum", "%a", "reduce_window", WINDOW, "$2x2", "0xFF800000"),
    ),
    "maxima_of_a_sum": (
        [("2x4", X), ("2x4", Y), ("2x2", Z)],
        '%s = "stablehlo.add"(%a, %b) : ($2x4, $2x4) -> $2x4'
        + folding("maximum", "%s", "reduce_window", WINDOW, "$2x2", "0xFF800000"),
    ),
    "swapped": (
        [("2x4", W.replace(":f32:1", ":f32:0")), ("4x3", X), ("2x3", Y)],
        f'%out = "stablehlo.dot_general"(%a, %b) {{{DOT}}} : ($2x4, $4x3) -> $2x3',
    ),
    "batched": (
        [("3x2x4", X), ("3x2x4", Y), ("3x2x2", Z)],
        f'%out = "stablehlo.dot_general"(%a, %b) {{{BATCH}}} : ($3x2x4, $3x2x4) -> $3x2x2',
    ),
    "placed": (
        [("2x4", Y), ("2x5", X), ("2x5", Z)],
        f"""
      %edge = {SCALAR % "0.25"}
      %padded = "stablehlo.pad"(%a, %edge) {{edge_padding_low = array<i64: 0, 1>,
        edge_padding_high = array<i64: 1, 1>, interior_padding = array<i64: 0, 0>}} : ($2x4, $) -> $3x6
      %back = "stablehlo.reverse"(%padded) {{dimensions = array<i64: 1>}} : ($3x6) -> $3x6
      %part = "stablehlo.slice"(%back) {{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 5>,
        strides = array<i64: 1, 1>}} : ($3x6) -> $2x5
      %p = "stablehlo.constant"() {{value = dense<[[1, 0, 1, 0, 1], [0, 1, 1, 1, 0]]> : tensor<2x5xi1>}} : ()
        -> tensor<2x5xi1>
      %out = "stablehlo.select"(%p, %part, %b) : (tensor<2x5xi1>, $2x5, $2x5) -> $2x5""",
    ),
    "moved": (
        [("2x4", Y), ("2x4", X), ("8x2", Z)],
        """
      %both = "stablehlo.concatenate"(%a, %b) {dimension = 0 : i64} : ($2x4, $2x4) -> $4x4
      %flat = "stablehlo.reshape"(%both) : ($4x4) -> $2x8
      %out = "stablehlo.transpose"(%flat) {permutation = array<i64: 1, 0>} : ($2x8) -> $8x2""",
    ),
    "scattered": (
        [("2x4", Y), ("2x2", X), ("2x4", Z)],
        f"""
      %start = {SCALAR % "0.0"}
      %out = "stablehlo.select_and_scatter"(%a, %b, %start) ({{
      ^bb0(%p: $, %q: $):
        %r = "stablehlo.compare"(%p, %q) {{{ATLEAST}}} : ($, $) -> tensor<i1>
        "stablehlo.return"(%r) : (tensor<i1>) -> ()
      }}, {{
      ^bb0(%p: $, %q: $):
        %r = "stablehlo.add"(%p, %q) : ($, $) -> $
        "stablehlo.return"(%r) : ($) -> ()
      }}) {{{WINDOW}}} : ($2x4, $2x2, $) -> $2x4""",
    ),
    "unquantizable": (
        [("2x4", Y), ("2x4", X), ("2x4", Z)],
        """
      %exp = "stablehlo.exponential"(%a) : ($2x4) -> $2x4
      %out = "stablehlo.add"(%exp, %b) : ($2x4, $2x4) -> $2x4""",
    ),
}


def function(name: str, ports: list[tuple[str, str]], body: str) -> str:
    """Return the text of a function that is one region."""
    shapes = [f"${shape}" for shape, _ in ports]
    types = [spec for _, spec in ports]
    variables = [f"%{x}: {shape}" for x, shape in zip("xyz", shapes[:-1], strict=False)]
    arguments = [f"%{x}: {shape}" for x, shape in zip("abc", shapes[:-1], strict=False)]
    specs = f"input_specs = [{', '.join(types[:-1])}], output_specs = [{types[-1]}]"
    return expanded(f"""
  func.func @{name}({", ".join(variables)}) -> {shapes[-1]} {{
    %0 = "quant.region"({", ".join(x[:2] for x in variables)}) ({{
    ^bb0({", ".join(arguments)}):
      {body}
      "quant.return"(%out) : ({shapes[-1]}) -> ()
    }}) {{{specs}, logical_kernel = "generic.{name}"}} : ({", ".join(shapes[:-1])}) -> {shapes[-1]}
    return %0 : {shapes[-1]}
  }}""")


def program() -> Module:
    """Return a module with a function for each kernel."""
    texts = (function(name, ports, body) for name, (ports, body) in KERNELS.items())
    return interp.load(f"module {{{''.join(texts)}\n}}")


def arguments(module: Module, name: str, scale: float = 4.0) -> list[np.ndarray]:
    """Return random arguments of a function."""
    draw = np.random.default_rng(7)
    return [(draw.normal(size=v.type.shape) * scale).astype(np.float32) for v in module[name].inputs]


def with_constant(module: Module, name: str, array: np.ndarray) -> Module:
    """Return one function as @main, its second argument a constant."""
    func = module[name]
    x, y = func.inputs
    dense = Dense(y.type, np.ascontiguousarray(array, np.float32).tobytes())
    constant = Op("stablehlo.constant", (), (y,), {"value": dense})
    body = replace(func.body, arguments=(x,), ops=(constant, *func.body.ops))
    return Module({"main": replace(func, name="main", body=body)})
