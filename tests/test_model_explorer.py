"""Graphs for Model Explorer: every operation once, every edge, every type, in files and random programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from interp.apps import model_explorer
from interp.apps.model_explorer.graphs import common_length, namespace
from interp.recorder.layers import layers_of
from spec.ir import Func, Module, Op, Region, Value, callee_names, nested_ops
from spec.types import QuantizedType, make_quantized, parse_type
from tests.library.builders import function
from tests.library.examples.region_programs import program as regions
from tests.library.strategies.chain_programs import chain
from tests.library.strategies.programs import reduce_windows, reduces, select_and_scatters

TESTDATA = Path(__file__).resolve().parent.parent / "testdata"
FILES = [
    "programs/overflowing_pool.mlir",
    "programs/max_pool_gradient.current.mlirbc",
    "programs/argmax.mlir",
    "exports/qwix_digits_int8.export",
    "exports/jax_gru.export",
    "exports/jax_branches.export",
    "exports/jax_convnet_training_step.export",
    "exports/torch_cnn_static_int8.mlirbc",
    "exports/tensorflow_lstm.stablehlo",
]


def blocks(region: Region) -> Iterator[Region]:
    """Yield a region and all regions inside."""
    yield region
    for op in region.ops:
        for inner in op.regions:
            yield from blocks(inner)


def sources(func: Func) -> dict[str, tuple[Any, int]]:
    """Return what defines each value: an argument itself or an operation, and the number of its result."""
    found: dict[str, tuple[Any, int]] = {}
    for block in blocks(func.body):
        found |= {v.name: (v, 0) for v in block.arguments}
        found |= {v.name: (op, k) for op in block.ops for k, v in enumerate(op.results)}
    return found


def texts(items: list[dict[str, Any]]) -> dict[str, Any]:
    return {item["key"]: item["value"] for item in items}


def check_function(module: Module, func: Func, graph: dict[str, Any]) -> None:
    """Compare one graph with its function: in the order of the program, each node is one definition."""
    defined = sources(func)
    expected: list[Value | Op] = [*func.inputs, *in_order(func.body)]
    nodes = graph["nodes"]
    assert len(nodes) == len(expected)
    ids = {id(x): node["id"] for x, node in zip(expected, nodes, strict=True)}
    assert len(set(ids.values())) == len(nodes)
    for x, node in zip(expected, nodes, strict=True):
        outputs = [x] if isinstance(x, Value) else list(x.results)
        known = [texts(output["attrs"]) for output in node["outputsMetadata"]]
        assert [output["id"] for output in node["outputsMetadata"]] == [str(k) for k in range(len(outputs))]
        assert [output["tensor_name"] for output in known] == [v.name for v in outputs]
        for value, output in zip(outputs, known, strict=True):
            element = value.type.element_type
            if not isinstance(element, QuantizedType) or len(element.scales) <= 4:
                assert output["type"] == repr(value.type)
        operands = () if isinstance(x, Value) else x.operands
        edges = [
            {
                "sourceNodeId": ids[id(defined[v.name][0])],
                "sourceNodeOutputId": str(defined[v.name][1]),
                "targetNodeInputId": str(k),
            }
            for k, v in enumerate(operands)
        ]
        assert node.get("incomingEdges", []) == edges
        if isinstance(x, Op):
            assert texts(node["attrs"])["operation"] == x.name
            assert node["subgraphIds"] == list(callee_names(x))


def in_order(region: Region) -> Iterator[Value | Op]:
    """Yield a region's operations, each followed by the arguments and operations of its regions."""
    for op in region.ops:
        yield op
        for inner in op.regions:
            yield from inner.arguments
            yield from in_order(inner)


def check(module: Module) -> None:
    found = model_explorer.graphs(module)
    assert sorted(graph["id"] for graph in found) == sorted(module.functions)
    assert found[0]["id"] == "main" or "main" not in module.functions
    for graph in found:
        check_function(module, module[graph["id"]], graph)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


@pytest.mark.parametrize("name", FILES)
def test_a_graph_has_every_operation_and_edge_of_a_file(name: str) -> None:
    check(interp.load(TESTDATA / name))


def test_a_graph_has_every_operation_of_an_onnx_model() -> None:
    pytest.importorskip("onnx", reason="no onnx: pip install onnx")
    module = interp.load(TESTDATA / "onnx/residual_qdq_i8.onnx")
    check(module)
    layers = {node["namespace"] for node in model_explorer.graphs(module)[0]["nodes"]}
    assert "conv2" in layers


@settings(max_examples=30)
@given(st.one_of(reduces(), reduce_windows(), select_and_scatters()))
def test_a_graph_has_every_operation_of_a_random_reduction(program: Any) -> None:
    check(program.module)


@pytest.mark.parametrize("seed", range(12))
def test_a_graph_has_every_operation_of_a_random_chain(seed: int) -> None:
    check(chain(Random(seed)).module)


def test_a_graph_has_every_operation_of_regions_with_captures() -> None:
    check(regions())


def test_bodies_are_groups_inside_of_their_operation_s() -> None:
    (graph,) = model_explorer.graphs(TESTDATA / "programs/overflowing_pool.mlir")
    groups = {node["id"]: node["namespace"] for node in graph["nodes"]}
    assert groups["%sum"] == "reduce_window %sum"
    assert groups["%lhs"] == groups["%add"] == groups["return 1"] == "reduce_window %sum/body"
    assert groups["%arg0"] == groups["%pooled"] == groups["GraphOutputs"] == ""
    for file in FILES:
        module = interp.load(TESTDATA / file)
        for graph in model_explorer.graphs(module):
            groups = {node["id"]: node["namespace"] for node in graph["nodes"]}
            for op in nested_ops(module[graph["id"]].body):
                inside = [x.results[0].name for r in op.regions for x in nested_ops(r) if x.results]
                prefix = groups[op.results[0].name] + "/" if op.results else ""
                assert all(groups[name].startswith(prefix) for name in inside)


def test_regions_have_the_specification_s_names() -> None:
    spaces = {
        node["namespace"].rpartition("/")[2]
        for file in ("exports/jax_gru.export", "programs/max_pool_gradient.current.mlirbc")
        for graph in model_explorer.graphs(TESTDATA / file)
        for node in graph["nodes"]
    }
    assert {"cond", "body", "select", "scatter"} <= spaces


def test_layers_come_from_the_exporter_s_scopes() -> None:
    (graph,) = model_explorer.graphs(TESTDATA / "exports/qwix_digits_int8.export")
    spaces = {node["id"]: node["namespace"] for node in graph["nodes"]}
    assert (spaces["%2"], spaces["%12"], spaces["%24"]) == ("Conv_0", "Conv_1", "Dense_0")
    layer = {node["id"]: texts(node.get("attrs", [])).get("layer") for node in graph["nodes"]}
    assert (layer["%2"], layer["%24"]) == ("Conv_0", "Dense_0")
    assert common_length([("a", "b", "c"), ("a", "b"), ("a", "b", "d")]) == 2
    assert common_length([("a",), ("b",)]) == common_length([]) == 0
    assert namespace(("a/b", "c;d")) == "a\\/b/c,d"


def located(text: str, path: str) -> str:
    return f'{text} loc("{path}")'


def test_layers_of_numbered_modules_regions_and_functions_are_groups() -> None:
    """A graph of each function, and the body of a loop, which both have values of the same name."""
    negate = "%y = stablehlo.negate %x : tensor<i8>"
    text = f"""
    func.func @main(%x: tensor<i8>) -> tensor<i8> {{
      {located(negate, "node '/blocks.0/dense/Neg' (Neg)")}
      {located("%z = func.call @half(%y) : (tensor<i8>) -> tensor<i8>", "node '/blocks.1' (Half)")}
      %w = "stablehlo.if"(%p) ({{
        {located("%a = stablehlo.negate %z : tensor<i8>", "node '/blocks.2/If/inner' (Neg)")}
        {located("%b = stablehlo.abs %a : tensor<i8>", "node '/blocks.2/If' (If)")}
        stablehlo.return %b : tensor<i8>
      }}, {{
        stablehlo.return %z : tensor<i8>
      }}) : (tensor<i1>) -> tensor<i8> loc("node '/blocks.2/If' (If)")
      return %w : tensor<i8>
    }}
    func.func private @half(%x: tensor<i8>) -> tensor<i8> {{
      {located(negate, "node '/inner/Neg' (Neg)")}
      {located("%z = stablehlo.abs %y : tensor<i8>", "node '/outer/Abs' (Abs)")}
      return %z : tensor<i8>
    }}""".replace("%w =", "%p = stablehlo.constant dense<true> : tensor<i1>\n%w =")
    module = interp.load(text)
    main, half = model_explorer.graphs(module)
    groups = {node["id"]: node["namespace"] for node in main["nodes"]}
    assert (groups["%y"], groups["%z"], groups["%p"]) == ("blocks.0/dense", "blocks.1", "")
    assert groups["%w"] == "blocks.2/if %w"
    assert groups["%a"] == "blocks.2/if %w/true_branch/If/inner"
    assert groups["%b"] == "blocks.2/if %w/true_branch"
    assert {node["id"]: node["namespace"] for node in half["nodes"]}["%y"] == "inner"
    ours, theirs = layers_of(module, "main"), layers_of(module, "half")
    assert (ours["%y"], ours["%z"], ours["%b"]) == ("dense", "blocks.1", "blocks.2")
    assert (theirs["%y"], theirs["%z"]) == ("blocks.1/inner", "outer")


def test_arguments_are_named_as_the_exporter_names_them() -> None:
    (graph, *_) = model_explorer.graphs(TESTDATA / "exports/jax_mlp_training_step.export")
    assert any("'" in node["label"] for node in graph["nodes"] if node["id"].startswith("%arg"))


def test_constants_have_their_size_and_are_abbreviated() -> None:
    constant = "%c = stablehlo.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi16>"
    module = function("() -> tensor<5xi16>", constant, "return %c : tensor<5xi16>")
    known = {
        limit: texts(model_explorer.graphs(module, limit)[0]["nodes"][0]["attrs"]) for limit in (4, 16, None)
    }
    assert (known[4]["value: elements"], known[4]["value: bytes"]) == ("5", "10")
    assert known[4]["value"] == "dense<[1, 2, 3, ...]> : tensor<5xi16>"
    assert known[16]["value"] == known[None]["value"] == "dense<[1, 2, 3, 4, 5]> : tensor<5xi16>"


def test_types_of_many_scales_name_the_first_and_their_number() -> None:
    from interp.apps.model_explorer.graphs import shape_text, type_text

    scales = tuple((k + 1) / 8 for k in range(9))
    wide = parse_type(f"tensor<2x9x!quant.uniform<i8:f32:1, {{{', '.join(map(str, scales))}}}>>")
    shown = "tensor<2x9x!quant.uniform<i8:f32:1, {1.250000e-01, 2.500000e-01, 3.750000e-01, 5.000000e-01, "
    assert type_text(wide) == shown + "... 9 in all}>>"
    assert shape_text(wide) == "2x9xi8:f32"
    assert shape_text(parse_type("tensor<?x3xf32>")) == "?x3xf32"
    assert shape_text(parse_type("!stablehlo.token")) == "!stablehlo.token"
    assert repr(make_quantized("i8", "f32", 0.5, 3)) in type_text(
        parse_type("tensor<!quant.uniform<i8:f32, 0.5:3>>")
    )
