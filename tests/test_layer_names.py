"""Names of layers: what exporters write of the places of operations, and where it is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp
from interp.command.data import as_csv
from interp.loading.load import load
from interp.recorder.layers import layer_of, scopes
from spec.ir import Module

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
    assert scopes(name, is_from_jax=", called at" in name) == path


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


def test_the_names_are_in_trace_tables_prove_and_questions(exported: bytes) -> None:
    module = load(exported)
    x = np.full((3, 3), 100, np.int8)
    t = interp.trace(module, x, x)
    assert json.loads(t.to_json())["groups"][0]["first"]["layer"] == "conv1"
    assert " dot_general conv1 (@main/%0): wrap x 27" in repr(t)
    assert as_csv("trace", t).splitlines()[1].startswith("error,wrap,@main/%0,conv1,stablehlo.dot_general")
    assert t.reduction("conv1") is t.reduction("@main/%0") is t.reduction("conv1 (@main/%0)")
    assert repr(t.explain("conv1", (0, 0))).startswith("dot_general conv1 (@main/%0)")
    assert "conv1 (@main/%0) dot_general" in repr(t.summary())
    with pytest.raises(interp.InterpError, match=r"no reduction conv3(.|\n)*did you mean (.|\n)*conv1"):
        t.reduction("conv3")
    row = interp.prove(module)["conv1"]
    assert (row.name, row.layer) == ("@main/%0", "conv1")
