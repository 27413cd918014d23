"""`materialize`: regions become quantized operations that jaxlib accepts, in accumulators that are proven."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

import numpy as np
import pytest

import interp
from interp.execute.lower import artifact
from interp.quantization.accumulators import of_contraction, of_sum
from interp.quantization.materialize import Materialized, materialize, materialized
from interp.quantization.symbols import Stored, whole_range
from interp.rewrite.inlined import inlined
from spec.ir import Dense, Module, Op
from spec.types import parse_element_type, quantized

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
    variables = [f"%{x}: {shape}" for x, shape in zip("xy", shapes[:-1], strict=False)]
    arguments = [f"%{x}: {shape}" for x, shape in zip("ab", shapes[:-1], strict=False)]
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


@pytest.fixture(scope="module")
def regions() -> Module:
    texts = (function(name, ports, body) for name, (ports, body) in KERNELS.items())
    return interp.load(f"module {{{''.join(texts)}\n}}")


@pytest.fixture(scope="module")
def made(regions: Module) -> Materialized:
    return materialized(regions)


def arguments(module: Module, name: str, scale: float = 4.0) -> list[np.ndarray]:
    draw = np.random.default_rng(7)
    return [(draw.normal(size=v.type.shape) * scale).astype(np.float32) for v in module[name].inputs]


def of_kind(made: Materialized, kind: str) -> dict[str, object]:
    """Return the decisions of a kind by the kernel's name."""
    return {c.operation: c for c in made.choices if c.kind == kind}


def test_jaxlib_accepts_and_serializes_the_programs(made: Materialized) -> None:
    assert interp.verify(made.module, mode="strict") == []
    assert interp.load(repr(made.module)) == made.module
    assert interp.load(artifact(made.module)) == made.module
    assert "quant.region" not in repr(made.module)


@pytest.mark.parametrize("name", KERNELS)
def test_a_kernel_differs_from_its_simulation_by_the_steps_that_are_said(
    regions: Module, made: Materialized, name: str
) -> None:
    given = arguments(regions, name)
    (simulated,) = interp.run(regions, *given, function=name)
    (result,) = interp.run(made.module, *given, function=name)
    rescale = of_kind(made, "rescale")[name]
    spec = parse_element_type(KERNELS[name][0][-1][1])
    steps = np.rint((result.storage - simulated.storage) / np.float32(spec.scale))
    if name == "unquantizable":
        assert rescale.steps == 0
    assert np.abs(steps).max() <= rescale.steps
    assert len(np.unique(result.storage)) > 1


@pytest.mark.parametrize("name", set(KERNELS) - {"unquantizable"})
def test_a_kernel_computes_on_quantized_values_alone(made: Materialized, name: str) -> None:
    quantizing = {"stablehlo.uniform_quantize", "stablehlo.uniform_dequantize", "func.return"}
    for op in made.module[name].body.ops:
        if op.name not in quantizing:
            assert all(v.type.is_quantized for v in (*op.operands, *op.results)), op


def test_what_stays_in_float_is_named(made: Materialized) -> None:
    left = [c for c in made.choices if c.kind == "float"]
    assert {c.operation for c in left} == {"exponential", "add"}
    assert all("computed in float" in c.text and not c.holds for c in left)


def test_maxima_are_not_rescaled_before_they_are_taken(made: Materialized) -> None:
    (pool,) = (op for op in made.module["maxima"].body.ops if op.name == "stablehlo.reduce_window")
    assert repr(pool.result.type.element_type) == repr(parse_element_type(Y))


def test_a_range_of_sums_is_exact() -> None:
    """Every input of a small type is tried: the proof's ends are the extreme sums, channel by channel."""
    module = interp.load(f"module {{{function('product', *KERNELS['product'])}\n}}")
    op = module["product"].body.ops[0].regions[0].ops[0]
    small = replace(quantized("i2", "f32", 0.5, -1), storage_min=-2, storage_max=1)
    weights = np.array([[3, -1], [0, 2], [-5, -5], [1, 7]], np.int8)
    left = Stored(None, (2, 4), small, whole_range(small))
    right = Stored(None, (4, 2), parse_element_type(V), (weights.min(), weights.max()), weights)
    found = of_contraction(op, left, right)
    inputs = np.array(list(itertools.product(range(-1, 3), repeat=4)))
    sums = inputs @ weights.astype(int)
    assert found.least.tolist() == [sums.min(0).tolist()]
    assert found.greatest.tolist() == [sums.max(0).tolist()]
    assert found.basis == "constants"
    assert (of_sum(4, left).least, of_sum(4, left).greatest) == (-4, 8)


def dot(k: int, weights: str = V) -> Module:
    """Return a contraction of k elements of i16 with others."""
    body = f'%out = "stablehlo.dot_general"(%a, %b) {{{DOT}}} : ($2x{k}, ${k}x2) -> $2x2'
    return interp.load(
        f"module {{{function('main', [(f'2x{k}', WIDE), (f'{k}x2', weights), ('2x2', WIDE)], body)}}}"
    )


def test_i16_by_8_bits_is_proven_up_to_516_elements_by_type() -> None:
    for k, kind in ((516, "accumulator"), (517, "split")):
        made = materialized(dot(k))
        choices = [
            c for c in made.choices if c.operation == "dot_general" and c.kind in ("accumulator", "split")
        ]
        assert [c.kind for c in choices] == [kind]
        assert all(c.holds for c in choices)


def test_i16_by_8_bits_is_proven_by_small_weights_beyond() -> None:
    module = dot(2000)
    main = module.main
    weights = Dense(main.inputs[1].type, np.float32(0.2).tobytes(), splat=True)
    constant = Op("stablehlo.constant", (), main.inputs[1:], {"value": weights})
    body = replace(main.body, arguments=main.inputs[:1], ops=(constant, *main.body.ops))
    made = materialized(replace(module, functions={"main": replace(main, body=body)}))
    (choice,) = (c for c in made.choices if c.kind == "accumulator")
    assert "proven by the constant weights" in choice.text
    assert f"{2000 * 15 * 32768:,}" in choice.text


def test_a_split_sum_is_within_its_bound_of_the_exact_one() -> None:
    module = dot(700, WIDE.replace("0.001", "0.0001"))
    made = materialized(module)
    assert interp.verify(made.module, mode="strict") == []
    draw = np.random.default_rng(3)
    x, w = (draw.normal(size=v.type.shape).astype(np.float32) for v in module.main.inputs)
    (result,) = interp.run(made.module, x, w, reading="integer")
    (simulated,) = interp.run(module, x, w)
    (choice,) = (c for c in made.choices if c.kind == "rescale")
    assert choice.steps is not None
    assert np.abs(result.storage - simulated.storage).max() <= choice.steps * 0.001 * 1.0001


def test_an_accumulator_that_nothing_proves_is_named() -> None:
    kernel = "window_strides = array<i64: 1>, batch_group_count = 1 : i64, feature_group_count = 1 : i64"
    kernel += ", dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>"
    body = f'%out = "stablehlo.convolution"(%a, %b) {{{kernel}}} : ($1x1x600, $1x1x600) -> $1x1x1'
    text = function("main", [("1x1x600", WIDE), ("1x1x600", WIDE), ("1x1x1", X)], body)
    (choice,) = (
        c for c in materialized(interp.load(f"module {{{text}}}")).choices if c.kind == "accumulator"
    )
    assert not choice.holds
    assert "not proven" in choice.text
    assert "by calibration" in choice.text


def test_the_program_between_regions_stays_and_values_are_rescaled_once_on_their_way() -> None:
    first = function("first", [("4", X), ("4", Y)], '%out = "stablehlo.negate"(%a) : ($4) -> $4')
    second = function("second", [("4", Z), ("4", "f32")], '%out = "stablehlo.abs"(%a) : ($4) -> $4')
    text = expanded(f"""module {{ func.func @main(%x: $4) -> ($4, $4) {{
    %s = "quant.stats"(%x) {{layerStats = dense<[-1.0, 1.0]> : tensor<2xf32>}} : ($4) -> $4
    %0 = func.call @first(%s) : ($4) -> $4
    %1 = func.call @second(%0) : ($4) -> $4
    %2 = "stablehlo.exponential"(%0) : ($4) -> $4
    return %1, %2 : $4, $4 }} {first} {second} }}""")
    module = interp.load(text)
    module = inlined(module, module.main)
    made = materialize(module)
    names = [op.name.partition(".")[2] for op in made.main.body.ops]
    wanted = "uniform_quantize negate uniform_quantize uniform_dequantize abs uniform_dequantize"
    assert sorted(names) == sorted([*wanted.split(), "exponential", "return"])
    x = np.array([-1.5, 0.2, 3.0, 9.0], np.float32)
    assert interp.run(made, x) == interp.run(module, x)
    assert interp.load(repr(made)) == made


def test_an_unknown_flow_is_refused() -> None:
    with pytest.raises(interp.Malformed, match="is not a flow"):
        materialize(dot(4), flow="assembler")
