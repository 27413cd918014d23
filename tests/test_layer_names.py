"""Names of layers: what exporters write of the places of operations, and where it is printed."""

from __future__ import annotations

import contextlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import onnx
import pytest

import interp
from interp.apps.prompt.session import Session
from interp.apps.prompt.words import WORDS, spelled_out
from interp.command.data import as_csv
from interp.execute.lower import save
from interp.loading.load import load
from interp.recorder.layers import layer_of, scopes
from interp.recorder.names import title_of
from spec.errors import Location
from spec.ir import NAMED, Module, module_text

TESTDATA = Path(__file__).parent.parent / "testdata"


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("", ()),
        ("conv2", ("conv2",)),
        ("jit(f)/conv2/dot_general", ("conv2",)),
        ("jit(f)/reduce_sum", ()),
        ("jit(f)/jit(main)/Net/Dense_0/dot_general", ("Net", "Dense_0")),
        ("jit(f)/jvp(block/a)/conv2/mul", ("block", "a", "conv2")),
        ("jit(f)/jvp()/mul", ()),
        ("jit(f)/vmap(conv1)/mul", ("conv1",)),
        ("jit(f)/transpose(jvp(block/a))/conv2/mul", ("block", "a", "conv2 backward")),
        ("jit(f)/rnn/while/body/closed_call/cell/tanh", ("rnn", "cell")),
        ("jit(f)/rnn/while/cond/lt", ("rnn",)),
        ("jit(f)/head/cond/branch_1_fun/cos", ("head",)),
        ("jit(f)/body/cond/mul", ("body", "cond")),
        ("jit(f)/attention/bqhd,bkhd->bhqk/dot_general", ("attention",)),
        ("jit(f)/layers/3/mul", ("layers.3",)),
        ("jit(f)/conv1/jit(relu)/max", ("conv1", "relu")),
        ("max, called at a.py:3:4 (jit(f)/conv1/jit(relu))", ("conv1", "relu")),
        (
            "max, called at a.py:3:4 (inner/jit(relu)), called at b (jit(f)/conv1/jit(g))",
            ("conv1", "g", "inner", "relu"),
        ),
        ("max, called at a.mlir:3:4", ()),
        ("called at a.py:3:4 (jit(f)/conv1/jit(relu))", ("conv1", "relu")),
        ("Net/torch.nn.modules.conv.Conv2d_conv1;", ("conv1",)),
        ("a.b.Net/torch.nn.Sequential_features/torch.nn.Conv2d_0;", ("features.0",)),
        ("a.b.Net;", ()),
        ("model/conv1/Conv2D@__inference_call_12", ("model", "conv1")),
        ("node 'conv0' (Conv)", ("conv0",)),
        ("node '/block/conv1/Conv' (Conv)", ("block", "conv1")),
        ("node '/block/conv1/Conv_1' (Conv)", ("block", "conv1")),
        ("node 'Conv_3' (Conv)", ("Conv_3",)),
        ("node '/features/features.0/Conv' (Conv)", ("features", "features.0")),
    ],
)
def test_scopes_are_what_somebody_chose(name: str, path: tuple[str, ...]) -> None:
    assert scopes(name, is_from_jax=name.startswith("max")) == path


def program(*names: str) -> Module:
    """Return negations of one argument after another, at places of these names."""
    lines = [
        f'%y{k} = stablehlo.negate %{f"y{k - 1}" if k else "x"} : tensor<2xf32> loc("{name}")'
        for k, name in enumerate(names)
    ]
    return load(
        "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        + "\n".join([*lines, f"return %y{len(names) - 1} : tensor<2xf32>\n}}"])
    )


def layers(module: Module) -> list[str]:
    return [layer_of(module, op) for op in module.main.body.ops[:-1]]


def test_a_layer_is_named_by_the_shortest_end_that_tells_it_apart() -> None:
    names = "jit(f)/a/conv/neg", "jit(f)/b/conv/neg", "jit(f)/b/conv/mul", "jit(f)/b/fc/neg", "jit(f)/neg"
    assert layers(program(*names)) == ["a/conv", "b/conv", "b/conv", "fc", ""]


def test_the_scope_around_all_others_is_no_layer() -> None:
    assert layers(program("jit(f)/Net/conv/neg", "jit(f)/Net/neg", "jit(f)/neg")) == ["conv", "", ""]
    assert layers(program("jit(f)/Net/neg", "jit(f)/Net/mul")) == ["Net", "Net"]


def network(x: Any, w: Any) -> Any:
    with jax.named_scope("conv1"):
        x = jax.nn.relu(x @ w)
    with jax.named_scope("conv2"):
        x = jax.jit(lambda x: (x @ w).sum(0))(x)
    return x.sum()


@pytest.fixture(scope="module")
def exported() -> bytes:
    shapes = [jax.ShapeDtypeStruct((3, 3), jnp.int8)] * 2
    return bytes(jax.export.export(jax.jit(network))(*shapes).serialize())


def test_a_function_that_is_called_once_is_in_the_layer_of_its_call(exported: bytes) -> None:
    module = load(exported)
    found = {layer_of(module, op) for name in module.functions for op in module[name].body.ops}
    assert found == {"conv1", "relu", "conv2", ""}
    sums = [op for op in module.ops() if op.name == "stablehlo.reduce"]
    assert {layer_of(module, op) for op in sums} == {"conv2", ""}


def layers_by_kind(module: Module) -> dict[tuple[str, str], int]:
    """Return the number of sums and maxima of each layer."""
    kinds = "dot_general", "reduce", "maximum", "tanh"
    ops = [(op.name.partition(".")[2], layer_of(module, op)) for op in module.ops()]
    return Counter(pair for pair in ops if pair[0] in kinds)


def test_lower_compile_and_save_keep_the_names(exported: bytes, tmp_path: Path) -> None:
    module = load(exported)
    expected = {("dot_general", "conv1"): 1, ("maximum", "relu"): 1, ("dot_general", "conv2"): 1}
    expected |= {("reduce", "conv2"): 1, ("reduce", ""): 1}
    lowered = interp.lower(module)
    save(lowered, tmp_path / "lowered.mlirbc")
    shapes = [jax.ShapeDtypeStruct((3, 3), jnp.int8)] * 2
    again = jax.export.export(jax.jit(interp.compile(module)))(*shapes).serialize()
    for program in (module, lowered, load(tmp_path / "lowered.mlirbc"), load(bytes(again))):
        assert layers_by_kind(program) == expected


def test_lower_keeps_the_names_in_loops_and_shared_functions() -> None:
    def network(x: Any) -> Any:
        with jax.named_scope("rnn"):
            with jax.named_scope("cell"):
                x = jnp.tanh(x)
            return jax.lax.fori_loop(0, 3, step, x)

    def step(k: Any, x: Any) -> Any:
        with jax.named_scope("cell"):
            return jnp.tanh(x)

    module = interp.load(jax.jit(network).lower(jnp.zeros(2)))
    assert layers_by_kind(module) == layers_by_kind(interp.lower(module)) == {("tanh", "cell"): 2}
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %a = func.call @f(%x) : (tensor<2xf32>) -> tensor<2xf32> loc("node '/blocks.0/dense' (MatMul)")
      %b = func.call @f(%a) : (tensor<2xf32>) -> tensor<2xf32> loc("node '/blocks.1/dense' (MatMul)")
      %c = stablehlo.tanh %b : tensor<2xf32> loc("Net/torch.nn.modules.Linear_head;")
      return %c : tensor<2xf32>
    }
    func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
      %y = stablehlo.tanh %x : tensor<2xf32> loc("node '/inner' (Tanh)")
      return %y : tensor<2xf32>
    }"""
    lowered = interp.lower(load(text))
    assert layers_by_kind(lowered) == {("tanh", "inner"): 2, ("tanh", "head"): 1}
    assert layers_by_kind(load(module_text(lowered, NAMED))) == layers_by_kind(lowered)


def test_the_names_are_in_trace_tables_prove_and_questions(exported: bytes) -> None:
    module = load(exported)
    x = np.full((3, 3), 100, np.int8)
    t = interp.trace(module, x, x)
    assert json.loads(t.to_json())["groups"][0]["first"]["layer"] == "conv1"
    assert "dot_general conv1 (@main/%0): wrap x 27" in repr(t)
    assert as_csv("trace", t).splitlines()[1].startswith("error,wrap,@main/%0,conv1,stablehlo.dot_general")
    assert t.reduction("conv1") is t.reduction("@main/%0") is t.reduction("conv1 (@main/%0)")
    assert repr(t.explain("conv1", (0, 0))).startswith("dot_general conv1 (@main/%0)")
    assert "conv1 (@main/%0) dot_general" in repr(t.summary())
    with pytest.raises(interp.InterpError, match=r"no reduction conv3(.|\n)*did you mean (.|\n)*conv1"):
        t.reduction("conv3")
    row = interp.prove(module)["conv1"]
    assert (row.name, row.layer) == ("@main/%0", "conv1")


def titles(module: Module) -> list[str]:
    """Return the names of all operations of the function `@main`, with those of their layers."""
    return [title_of(module, op) for op in module.main.body.ops if op.results]


@pytest.mark.parametrize("suffix", [".mlir", ".mlirbc"])
def test_save_keeps_the_names(exported: bytes, tmp_path: Path, suffix: str) -> None:
    module = load(exported)
    save(module, tmp_path / f"m{suffix}")
    again = load(tmp_path / f"m{suffix}")
    assert again == module
    assert titles(again) == titles(module)
    places = [[op.location for op in x.ops() if op.location.name] for x in (again, module)]
    assert places[0] == places[1] != []


def test_names_of_values_and_of_layers_both_survive_in_text(tmp_path: Path) -> None:
    module = program("net/conv1/neg", "net/conv2/neg")
    assert titles(module) == ["conv1 (%y0)", "conv2 (%y1)"]
    save(module, tmp_path / "m.mlir")
    assert titles(load(tmp_path / "m.mlir")) == ["conv1 (%y0)", "conv2 (%y1)"]


def test_a_text_may_state_locations_by_aliases_in_strings_and_comments() -> None:
    module = load(
        'func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { // loc("comment")\n'
        "%a:2 = stablehlo.custom_call @f(%x)"
        ' {backend_config = "loc(\\"no\\")"} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)'
        " loc(#l)\n"
        '%b = stablehlo.negate %a#1 : tensor<2xf32> loc(fused<"m">["Neg:", "m/fc/Neg@f"("a.py":3:4)])\n'
        "%c = stablehlo.negate %b : tensor<2xf32>\n"
        "return %c : tensor<2xf32> loc(unknown)\n} loc(#l)\n"
        '#m = loc("model.py":7:8)\n#l = loc("m/conv/f"(#m))\n'
    )
    assert titles(module) == ["conv (%a#0)", "fc (%b)", "%c"]
    places = [op.location for op in module.main.body.ops]
    assert places[0] == Location("model.py", 7, 8, "m/conv/f")
    assert places[1] == Location("a.py", 3, 4, "m/fc/Neg@f")
    assert places[2] == Location("<text>", 4, 6)
    assert places[3] == Location()


def test_a_binary_file_has_no_lines(tmp_path: Path) -> None:
    text = "func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {\n%y = stablehlo.add %x, %x : tensor<2xi8>\n"
    save(load(text + "return %y : tensor<2xi8>\n}"), tmp_path / "m.mlirbc")
    module = load(tmp_path / "m.mlirbc")
    assert {op.location for op in module.ops()} == {Location(str(tmp_path / "m.mlirbc"))}
    t = interp.trace(module, np.full(2, 100, np.int8))
    assert repr(t).startswith(f"{Location(str(tmp_path / 'm.mlirbc')).short} add %0: wrap x 2")


def test_quantize_and_the_onnx_model_of_its_program_keep_the_names(tmp_path: Path) -> None:
    def f(x: Any) -> Any:
        for k in range(2):
            with jax.named_scope(f"fc{k}"):
                x = jax.nn.relu(x @ np.eye(3, dtype=np.float32))
        return x

    x = np.eye(3, dtype=np.float32)
    quantized = interp.quantize(load(bytes(jax.export.export(jax.jit(f))(x).serialize())), [(x,)], "int8")
    dots = [op for op in quantized.module.ops() if op.name == "stablehlo.dot_general"]
    assert [layer_of(quantized.module, op) for op in dots] == ["fc0", "fc1"]
    quantized.save(tmp_path / "q.onnx")
    nodes = onnx.load(tmp_path / "q.onnx").graph.node
    products = [node.name for node in nodes if node.op_type in ("MatMul", "Gemm")]
    assert [name.rpartition("/")[0] for name in products] == ["/fc0", "/fc1"]
    names = [node.name for node in nodes if node.name]
    assert len(names) == len(set(names))
    again = load(tmp_path / "q.onnx")
    assert {"fc0", "fc1"} <= {layer_of(again, op) for op in again.ops()}


def test_a_chain_has_the_names(exported: bytes) -> None:
    x = np.full((3, 3), 100, np.int8)
    found = interp.trace(load(exported), x, x).explain("@relu/%1", (0, 0))
    lines = repr(found).splitlines()
    assert lines[0].startswith("maximum relu (@relu/%1) at")
    assert any("conv1 (@main/%0) [0, 0]" in line for line in lines)


def test_raise_qdq_prints_the_names() -> None:
    found = interp.raise_qdq(load(TESTDATA / "exports/qwix_digits_int8.export"))
    layers = ["Conv_0", "Conv_1", "Dense_0"]
    products = [x for x in found.rewrites if x.kernel.endswith((".convolution", ".dot_general"))]
    assert [str(x).partition(" ")[0] for x in products] == layers
    assert [x.layer for x in found.sums if x.kind == "contraction"] == layers
    assert all(f"{x} (%" in found.table() for x in layers)
    rows = [line.split(",")[:2] for line in as_csv("raise-qdq", found).splitlines()]
    assert rows[0] == ["value", "layer"]
    assert {layer for _, layer in rows[1:]} == set(layers)


def test_operations_that_quantize_and_raise_qdq_leave_in_float_have_the_names() -> None:
    def net(x: Any) -> Any:
        with jax.named_scope("head"):
            return jnp.exp(jnp.sin(x))

    x = np.float32([[1, 2, 3], [4, 5, 6]])
    module = load(jax.export.export(jax.jit(lambda x: net(x) + net(2 * x)))(x).serialize())
    left = interp.raise_qdq(module).left
    assert {each.layer for each in left if each.operation in ("exponential", "sine")} == {"head"}
    assert "head: 4 operations, of which %" in repr(interp.raise_qdq(module))
    quantized = interp.quantize(module, [(x,)])
    assert {each.layer for each in quantized.left if each.operation in ("exponential", "sine")} == {"head"}


def test_what_quantize_decides_has_the_names(tmp_path: Path) -> None:
    """A parameter is in no layer; the product and what follows it are."""

    def net(x: Any) -> Any:
        with jax.named_scope("head"):
            return jnp.tanh(x @ np.float32([[1, -2], [3, 4], [5, 6]]))

    x = np.float32([[1, 2, 3], [4, 5, 6]])
    module = load(jax.export.export(jax.jit(net))(x).serialize())
    found = interp.quantize(module, [(x,)])
    product, tanh = (op.result.name for op in module.ops() if op.name.endswith((".dot_general", ".tanh")))
    assert {name: found.decision(name).layer for name in (product, tanh)} == {product: "head", tanh: "head"}
    assert found.decision(module.main.inputs[0].name).layer == ""
    assert repr(found.decision(product)).startswith(f"head ({product}): ")
    assert {each.layer for each in found.choices if each.value in (product, tanh)} == {"head"}
    row = next(line for line in as_csv("quantize", found).splitlines() if line.startswith(product))
    assert row.split(",")[:2] == [product, "head"]
    assert f"head ({product})" in found.report(tmp_path / "q.html").read_text()


def test_raise_qdq_keeps_the_names() -> None:
    raised = interp.raise_qdq(load(TESTDATA / "exports/qwix_digits_int8.export")).module
    kernels = ("stablehlo.convolution", "stablehlo.dot_general")
    assert [layer_of(raised, op) for op in raised.ops() if op.name in kernels] == [
        "Conv_0",
        "Conv_1",
        "Dense_0",
    ]


def test_with_accumulator_keeps_the_names(exported: bytes) -> None:
    module = load(exported)
    wider = interp.with_accumulator(module, "conv2 (%2)", "i64", function="<lambda>")
    sums = [op for op in wider.ops() if op.name == "stablehlo.reduce"]
    assert [layer_of(wider, op) for op in sums if op.result.type.storage_type.name == "i64"] == ["conv2"]


def test_a_function_called_twice_has_the_layer_of_each_call_in_a_survey() -> None:
    """Its operations are named as in a trace: the second run of `%0` of `@pool` is `@pool/%0#2`."""
    type = "tensor<4x!quant.uniform<i8:f32, 1.0>>"
    text = f"""
    func.func private @pool(%x: {type}) -> {type} {{
      %0 = stablehlo.add %x, %x : {type}
      return %0 : {type}
    }}
    func.func @main(%x: {type}) -> {type} {{
      %a = call @pool(%x) : ({type}) -> {type} loc("jit(f)/one/jit(pool)")
      %b = call @pool(%a) : ({type}) -> {type} loc("jit(f)/two/jit(pool)")
      return %b : {type}
    }}"""
    found = interp.survey(text, [(np.full(4, 50, np.int8),)])
    assert [(x.name, x.layer) for x in found.layers[:2]] == [
        ("@pool/%0", "one/pool"),
        ("@pool/%0#2", "two/pool"),
    ]
    (event,) = found.events
    assert (event.layer, event.name, event.title) == ("@pool/%0#2", "@pool/%0#2", "two/pool (@pool/%0#2)")
    assert "two/pool (@pool/%0#2)  add" in repr(found)
    assert [row["name"] for row in found.rows()] == ["one/pool", "two/pool", ""]
    assert found["two/pool"] is found["@pool/%0#2"]


def test_the_prompt_says_the_layer_and_takes_its_name(exported: bytes) -> None:
    x = np.full((3, 3), 100, np.int8)
    session = Session(load(exported), [x, x], {}, lambda: contextlib.nullcontext([]))
    assert "conv1" in session.candidates("explain")
    assert spelled_out("explain conv1 0 2", session.verbs, WORDS) == "explain('conv1', (0, 2))"
    assert repr(session.verbs["explain"]("conv1", (0, 2))).startswith(
        "dot_general conv1 (@main/%0) at (0, 2)"
    )
    session.verbs["until"]("@main/%0")
    assert session.prompt.startswith("conv1 (@main/%0)")


def test_pages_have_the_names_in_graph_profile_and_tables(tmp_path: Path) -> None:
    module = load(TESTDATA / "exports/qwix_digits_int8.export")
    x = np.zeros(module.main.inputs[0].type.shape, np.float32)
    page = interp.trace(module, x).report(tmp_path / "t.html").read_text()
    assert "<h3>convolution Conv_0 (%2)</h3>" in page
    assert "<h3>argument %arg0</h3>" in page
    assert ">Conv_0 convolu" in page  # the title of the node, as far as there is room beside its number
    assert 'aria-label="convolution, Conv_0 (%2), ' in page
    assert '<h3 id="title-0">Conv_0 (%2) convolution</h3>' in page
    surveyed = interp.survey(module, [(x,)]).report(tmp_path / "s.html", module).read_text()
    assert 'href="#op/%24">Dense_0 (%24)</a>' in surveyed
