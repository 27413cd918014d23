"""`materialize`: regions become quantized operations that jaxlib accepts, in accumulators that are proven."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

import interp
from interp.apps.quantization.accumulators import contraction_range, sum_range
from interp.apps.quantization.materialize import Materialized, materialization, materialize
from interp.apps.quantization.symbols import Stored, whole_range
from interp.execute.lower import artifact
from interp.rewrite.inlining import inline_calls
from spec.ir import Module
from spec.types import make_quantized, parse_element_type
from tests.library.examples.region_programs import (
    DOT,
    KERNELS,
    WIDE,
    V,
    W,
    X,
    Y,
    Z,
    arguments,
    expanded,
    function,
    program,
    with_constant,
)


@pytest.fixture(scope="module")
def regions() -> Module:
    return program()


@pytest.fixture(scope="module")
def made(regions: Module) -> Materialized:
    return materialization(regions)


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


@pytest.mark.parametrize("name", sorted(set(KERNELS) - {"unquantizable"}))
def test_a_kernel_computes_on_quantized_values_alone(made: Materialized, name: str) -> None:
    quantizing = {"stablehlo.uniform_quantize", "stablehlo.uniform_dequantize", "func.return"}
    for op in made.module[name].body.ops:
        if op.name not in quantizing:
            assert not any(repr(v.type).endswith("xf32>") for v in (*op.operands, *op.results)), op


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
    small = replace(make_quantized("i2", "f32", 0.5, -1), storage_min=-2, storage_max=1)
    weights = np.array([[3, -1], [0, 2], [-5, -5], [1, 7]], np.int8)
    left = Stored(None, (2, 4), small, whole_range(small))
    right = Stored(None, (4, 2), parse_element_type(V), (weights.min(), weights.max()), weights)
    found = contraction_range(op, left, right)
    inputs = np.array(list(itertools.product(range(-1, 3), repeat=4)))
    sums = inputs @ weights.astype(int)
    assert found.least.tolist() == [sums.min(0).tolist()]
    assert found.greatest.tolist() == [sums.max(0).tolist()]
    assert found.basis == "constants"
    apart = replace(left, steps=(np.array([[0, -1, 0, 0]]), np.array([[0, 1, 2, 0]])))  # by channel
    assert contraction_range(op, apart, right).greatest.tolist() == found.greatest.tolist()
    assert (sum_range(4, left).least, sum_range(4, left).greatest) == (-4, 8)


def dot(k: int, weights: str = V) -> Module:
    """Return a contraction of k elements of i16 with others."""
    body = f'%out = "stablehlo.dot_general"(%a, %b) {{{DOT}}} : ($2x{k}, ${k}x2) -> $2x2'
    return interp.load(
        f"module {{{function('main', [(f'2x{k}', WIDE), (f'{k}x2', weights), ('2x2', WIDE)], body)}}}"
    )


def test_i16_by_8_bits_is_proven_up_to_516_elements_by_type() -> None:
    for k, kind in ((516, "accumulator"), (517, "split")):
        made = materialization(dot(k))
        choices = [
            c for c in made.choices if c.operation == "dot_general" and c.kind in ("accumulator", "split")
        ]
        assert [c.kind for c in choices] == [kind]
        assert all(c.holds for c in choices)


def test_i16_by_8_bits_is_proven_by_small_weights_beyond() -> None:
    made = materialization(with_constant(dot(2000), "main", np.full((2000, 2), 0.2)))
    (choice,) = (c for c in made.choices if c.kind == "accumulator")
    assert "proven by the constant weights" in choice.text
    assert f"{2000 * 15 * 32768:,}" in choice.text


def test_a_split_sum_is_within_its_bound_of_the_exact_one() -> None:
    module = dot(512, WIDE.replace("0.001", "0.0001"))  # more than 2 products of i16 are beyond i32
    made = materialization(module)
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
        c for c in materialization(interp.load(f"module {{{text}}}")).choices if c.kind == "accumulator"
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
    module = inline_calls(module, module.main)
    made = materialize(module)
    names = [op.name.partition(".")[2] for op in made.main.body.ops]
    wanted = "uniform_quantize negate uniform_quantize uniform_dequantize abs uniform_dequantize"
    assert sorted(names) == sorted([*wanted.split(), "exponential", "return"])
    x = np.array([-1.5, 0.2, 3.0, 9.0], np.float32)
    assert interp.run(made, x) == interp.run(module, x)
    assert interp.load(repr(made)) == made


def test_a_bias_is_added_in_the_accumulators_type_and_its_premise_is_checked() -> None:
    """Quantized add is computed in f32, which is exact up to 2^20: beyond, the decision says so."""
    accumulator = "!quant.uniform<i32:f32:1, {0.0005,0.001}>"
    body = f"""
      %s = "stablehlo.dot_general"(%a, %b) {{{DOT}}} : ($2x4, $4x2) -> $2x2
      %out = "stablehlo.add"(%s, %c) : ($2x2, $2x2) -> $2x2"""
    for size, holds in ((40.0, True), (1000.0, False)):
        text = function("main", [("2x4", X), ("4x2", W), ("2x2", accumulator), ("2x2", Y)], body)
        numbers = f"dense<[[{size}, -1.0], [2.0, 3.0]]> : $2x2"
        bias = f'%z = "stablehlo.constant"() {{value = {numbers}}} : () -> $2x2'
        text = text.replace(", %z: tensor<2x2xf32>", "").replace("%0 =", f"{expanded(bias)}\n    %0 =")
        made = materialization(interp.load(f"module {{{text}}}"))
        (choice,) = (c for c in made.choices if c.kind == "bias")
        assert choice.holds == holds
        assert ("where f32 is exact" in choice.text) == holds
        assert f"{round(size / 0.0005) + 4 * 255 * 127:,}" in choice.text
        assert not any(c.kind == "float" for c in made.choices)


def test_regions_in_a_branch_use_values_from_outside() -> None:
    first = function("main", [("4", X), ("4", Y)], '%out = "stablehlo.negate"(%a) : ($4) -> $4')
    inner = function("inner", [("4", Y), ("4", Z)], '%out = "stablehlo.abs"(%a) : ($4) -> $4')
    region = inner[inner.index('"quant.region"(%x)') : inner.index("return %0")].replace("(%x)", "(%0)")
    branch = f"""
    %p = "stablehlo.constant"() {{value = dense<true> : tensor<i1>}} : () -> tensor<i1>
    %1 = "stablehlo.if"(%p) ({{
      %2 = {region}
      "stablehlo.return"(%2) : ($4) -> ()
    }}, {{
      "stablehlo.return"(%0) : ($4) -> ()
    }}) : (tensor<i1>) -> $4
    return %1"""
    module = interp.load(f"module {{{first.replace('return %0', expanded(branch))}}}")
    made = materialize(module)
    assert interp.load(repr(made)) == made
    x = np.array([-1.5, 0.2, 3.0, 9.0], np.float32)
    assert interp.run(made, x) == interp.run(module, x)
    (branching,) = (op for op in made.main.body.ops if op.name == "stablehlo.if")
    assert "stablehlo.abs" in [op.name for op in branching.regions[0].ops]


def test_an_unknown_flow_is_refused() -> None:
    with pytest.raises(interp.Malformed, match="is not a flow"):
        materialize(dot(4), flow="assembler")
