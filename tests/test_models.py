"""Functions and models of libraries as programs; stand-ins of their classes where a library is missing."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp
from interp.loading import models
from interp.recorder.layers import layer_of
from spec.errors import Malformed, Unsupported
from spec.ir import Module

EXPORTS = Path(__file__).resolve().parent.parent / "testdata" / "exports"
X = np.arange(-6, 6, dtype=np.float32).reshape(2, 6) / 4


def class_named(kind: str, base: type = object, **members: Any) -> Any:
    """A subclass of a class that has this name and module, as the classes of a library have."""
    module, _, name = kind.rpartition(".")
    library = type(name, (base,), {"__module__": module, "__qualname__": name})
    return type("Net", (library,), members)


def layers(program: Module, *operations: str) -> list[str]:
    ops = (op for func in program.functions.values() for op in func.body.ops)
    return [layer_of(program, op) for op in ops if op.name.partition(".")[2] in operations]


def scaled(onnx: Any, factor: float, names: str = "") -> Any:
    """A model that multiplies its input by a factor, in a node with these scopes."""
    helper, kind = onnx.helper, onnx.TensorProto.FLOAT
    node = helper.make_node("Mul", ["x", "w"], ["y"], name="node_mul")
    if names:
        node.metadata_props.add(key="pkg.torch.onnx.name_scopes", value=names)
    ends = [[helper.make_tensor_value_info(name, kind, [2, 6])] for name in "xy"]
    graph = helper.make_graph([node], "g", *ends, [helper.make_tensor("w", kind, [], [factor])])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A stand-in for `torch`, whose exporter writes a model of one product; what it was called with."""
    onnx, calls = pytest.importorskip("onnx"), list[Any]()

    class OnnxExporterError(Exception):
        pass

    class ConversionError(OnnxExporterError):
        pass

    def export(
        model: Any, args: Any, *, kwargs: Any, dynamo: bool, verbose: bool, optimize: bool = True
    ) -> Any:
        calls.append((model, args, kwargs, dynamo, *(() if optimize else ("as written",))))
        if getattr(model, "fault", ""):
            raise ConversionError("Failed to convert") from ValueError(model.fault)
        return types.SimpleNamespace(model_proto=scaled(onnx, 3, "['', 'body', 'body.2', 'mul']"))

    torch = types.ModuleType("torch")
    errors = types.SimpleNamespace(OnnxExporterError=OnnxExporterError)
    torch.onnx = types.SimpleNamespace(export=export, errors=errors)  # type: ignore[attr-defined]
    torch.from_numpy = lambda x: ("tensor", x)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setattr(models, "find_spec", lambda name: name)
    return calls


def test_a_torch_module_is_what_its_exporter_writes_of_its_inputs(exporter: list[Any]) -> None:
    net = class_named(models.TORCH, __call__=None)()
    program = interp.load(net, X)
    assert np.array_equal(interp.run(program, X)[0], 3 * X)
    assert layers(program, "multiply") == ["body.2"]
    assert np.array_equal(interp.run(net, X)[0], 3 * X)
    assert np.array_equal(interp.run((net, (X,)), X)[0], 3 * X)
    model, ((kind, given),), kwargs, dynamo = exporter[0]
    assert (model, kind, kwargs, dynamo) == (net, "tensor", None, True)
    assert given is X
    with pytest.raises(Malformed, match=r"got a Net alone\n  give its inputs, too: \(f, inputs\)"):
        interp.prove(net)


def test_an_exported_program_of_torch_needs_no_inputs(exporter: list[Any]) -> None:
    exported = class_named(models.EXPORTED, __call__=None)()  # calling one raises
    assert np.array_equal(interp.run(exported, X)[0], 3 * X)
    assert exporter == [(exported, (), None, True)]
    with pytest.raises(Malformed, match="example inputs belong to a function or a model"):
        interp.load(exported, X)


def test_integers_of_torchao_are_exported_as_written(exporter: list[Any]) -> None:
    """The exporter's optimizer would compute floats of them."""
    weight = type("IntxUnpackedToInt8Tensor", (), {"__module__": "torchao.quantization"})()
    net = class_named(models.TORCH, __call__=None, parameters=lambda self: [weight])()
    interp.load(net, X)
    node = types.SimpleNamespace(target="torchao.dequantize_affine.default")
    graph = types.SimpleNamespace(graph=types.SimpleNamespace(nodes=[node]))
    interp.load(class_named(models.EXPORTED, __call__=None, graph_module=graph)())
    interp.load(class_named(models.TORCH, __call__=None, parameters=lambda self: [X])(), X)
    assert [call[4:] for call in exporter] == [("as written",), ("as written",), ()]


@pytest.mark.slow("PyTorch's exporter loads for ten seconds")
@pytest.mark.parametrize("form", ["module", "exported"])
def test_weights_of_torchao_stay_integers(form: str) -> None:
    torch: Any = pytest.importorskip("torch", reason="torch is not installed")
    for name in ("onnx", "onnxscript", "torchao"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    from torchao.quantization import IntxWeightOnlyConfig, PerGroup, quantize_

    net = torch.nn.Sequential(torch.nn.Linear(64, 8)).eval()
    quantize_(net, IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=PerGroup(16)))
    x = torch.randn(2, 64)
    program = interp.load((net, (x.numpy(),)) if form == "module" else torch.export.export(net, (x,)))
    assert interp.raise_qdq(program).rewrites[0].kernel == "blocks of 1 x 16"
    expected = net(x).detach().numpy()
    assert np.allclose(interp.run(program, x.numpy())[0], expected, atol=1e-6)


def test_errors_of_torchs_exporter_are_told_with_their_cause(exporter: list[Any]) -> None:
    net = class_named(models.TORCH, __call__=None, fault="no decomposition of aten.bessel_j0")()
    with pytest.raises(Unsupported, match=r"refuses Net\n  no decomposition of aten.bessel_j0\n  litert"):
        interp.load(net, X)


def test_packages_that_torchs_exporter_lacks_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "find_spec", lambda name: None)
    with pytest.raises(Unsupported, match="lacks onnx and onnxscript\n  pip install onnx onnxscript"):
        interp.load(class_named(models.EXPORTED)())


def test_a_torch_model_is_a_reference(exporter: list[Any]) -> None:
    text = """func.func @main(%x: tensor<2x6xf32>) -> tensor<2x6xf32> {
      %w = stablehlo.constant dense<2.0> : tensor<2x6xf32>
      %y = stablehlo.multiply %x, %w : tensor<2x6xf32>
      return %y : tensor<2x6xf32>
    }"""
    net = class_named(models.TORCH, __call__=None)()
    error = np.square(X.astype(np.float64)).sum()  # of 2 x beside 3 x
    assert float(interp.survey(text, [X], against=net)["result 0"].noise) == error
    row = interp.compare(text, X, against=net).rows[-1]
    assert row.report.largest_error == np.abs(X).max()


def test_what_litert_torch_lowers_is_its_bytecode() -> None:
    data, arrays = (EXPORTS / "torch_mlp.mlirbc").read_bytes(), np.load(EXPORTS / "torch_mlp.npz")
    lowered = class_named("litert_torch.backend.export.MlirLowered", module_bytecode=data, __call__=None)()
    args = [arrays[f"arg{k}"] for k in range(sum(name.startswith("arg") for name in arrays))]
    assert repr(interp.load(lowered)) == repr(interp.load(data))
    assert np.array_equal(interp.run(lowered, *args)[0], interp.run(data, *args)[0])


@pytest.mark.parametrize(
    ("names", "layer"),
    [
        ("['', 'body', 'body.2', 'mul']", "body.2"),
        ("['', 'encoder', 'encoder.attention', 'mul']", "encoder/attention"),
        ("['', 'mul']", "node_mul"),
        ("nonsense", "node_mul"),
        ("", "node_mul"),
    ],
)
def test_a_node_that_torch_exported_is_in_its_module(names: str, layer: str) -> None:
    onnx = pytest.importorskip("onnx")
    program = interp.load(scaled(onnx, 2, names))
    assert layers(program, "multiply") == [layer.rpartition("/")[2]]


def test_an_object_that_is_no_program_says_which_call_gives_one() -> None:
    traced = jax.jit(jnp.sin).trace(X)
    with pytest.raises(Malformed, match=r"got Traced\n  call lower\(\) of it"):
        interp.load(traced)
    assert np.allclose(interp.run(traced.lower(), X), np.sin(X))
    with pytest.raises(Malformed, match=r"give what was compiled: jax.jit\(f\).lower\(\*inputs\)"):
        interp.load(traced.lower().compile())
    with pytest.raises(Unsupported, match="KERAS_BACKEND=jax"):
        interp.load(class_named(models.KERAS, __call__=None)(), X)
    with pytest.raises(Malformed, match=r"module\.apply, "):
        interp.load(class_named(models.LINEN, scope=None, __call__=None)(), X)
    with pytest.raises(Malformed, match=r"options by name \(dialect=\)"):
        interp.load("program.mlir", "rfc")


def test_a_model_that_jax_cannot_hash_is_called() -> None:
    def forward(self: Any, x: Any, factor: float = 1) -> Any:
        with jax.named_scope("conv"):
            return factor * x

    bound = class_named(models.LINEN, scope=1, __call__=forward, __hash__=None)()
    program = interp.jax.program(bound, X, factor=2.0)
    assert np.array_equal(interp.run(program, X, factor=2.0), 2 * X)
    assert "conv" in layers(interp.load(bound, X), "multiply") + layers(interp.load(program), "multiply")


def test_a_survey_beside_a_function_is_that_beside_its_program() -> None:
    text = """func.func @main(%x: tensor<2x6x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x6xf32> {
      %y = stablehlo.uniform_dequantize %x : (tensor<2x6x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x6xf32>
      %z = stablehlo.tanh %y : tensor<2x6xf32>
      return %z : tensor<2x6xf32>
    }"""

    def third(x: Any) -> Any:
        return jnp.tanh(x) / 3

    stored = np.arange(-6, 6, dtype=np.int8).reshape(2, 6)
    real = np.float32(0.5) * stored
    found = interp.survey(text, [stored, stored], against=third)
    errors = np.tanh(real.astype(np.float64)) * 2 / 3
    assert np.isclose(float(found["result 0"].noise), 2 * np.square(errors).sum(), rtol=1e-6)
    assert repr(found).startswith("@main beside third: 4 samples")
    program = interp.load(third, real)
    assert found["result 0"].noise == interp.survey(text, [stored, stored], against=program)["result 0"].noise


# The libraries themselves, where they are installed


def test_an_nnx_module_has_its_paths_and_its_own_results() -> None:
    nnx = pytest.importorskip("flax.nnx", reason="flax is not installed")

    class Block(nnx.Module):  # type: ignore[misc, name-defined]
        def __init__(self, rngs: Any) -> None:
            self.dense, self.norm = nnx.Linear(6, 6, rngs=rngs), nnx.BatchNorm(6, rngs=rngs)

        def __call__(self, x: Any) -> Any:
            return self.norm(self.dense(x))

    class Net(nnx.Module):  # type: ignore[misc, name-defined]
        def __init__(self, rngs: Any) -> None:
            self.blocks = nnx.List([Block(rngs), Block(rngs)])

        def __call__(self, x: Any) -> Any:
            return self.blocks[1](self.blocks[0](x))

    net = Net(nnx.Rngs(0))
    before = net.blocks[0].norm.mean[...]
    program = interp.load(net, X)
    assert layers(program, "dot_general") == ["blocks.0/dense", "blocks.1/dense"]
    assert np.array_equal(net.blocks[0].norm.mean[...], before)  # tracing in training leaves it as it is
    assert type(net.blocks[0]) is Block
    net.eval()
    assert np.allclose(interp.run(net, X), net(X), atol=1e-6)


def test_a_bound_module_of_linen_has_its_paths_and_its_own_results() -> None:
    nn = pytest.importorskip("flax.linen", reason="flax is not installed")
    net = nn.Sequential([nn.Dense(4), nn.relu, nn.Dense(3)])
    variables = net.init(jax.random.key(0), X)
    bound = net.bind(variables)
    assert layers(interp.load(bound, X), "dot_general") == ["layers_0", "layers_2"]
    assert np.allclose(interp.run(bound, X), bound(X), atol=1e-6)
    with pytest.raises(Malformed, match="a flax module without its variables: Sequential"):
        interp.load(net, X)


def test_a_keras_model_has_the_names_of_its_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERAS_BACKEND", "jax")
    keras = pytest.importorskip("keras", reason="keras is not installed")
    x = keras.Input((6,))
    hidden = keras.layers.Dense(4, name="first", activation="relu")(x)
    net = keras.Model(x, keras.layers.Dense(3, name="second")(hidden))
    assert layers(interp.load(net, X), "dot_general") == ["first", "second"]
    assert np.allclose(interp.run(net, X), net(X), atol=1e-6)


@pytest.mark.slow("PyTorch's exporter loads for ten seconds")
@pytest.mark.parametrize("form", ["module", "exported"])
def test_a_module_of_pytorch_has_its_paths_and_its_own_results(form: str) -> None:
    torch: Any = pytest.importorskip("torch", reason="torch is not installed")
    for name in ("onnx", "onnxscript"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    net = torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.ReLU(), torch.nn.Linear(4, 3)).eval()
    source = (net, (X,)) if form == "module" else torch.export.export(net, (torch.from_numpy(X),))
    program = interp.load(source)
    assert layers(program, "dot_general") == ["0", "2"]
    expected = net(torch.from_numpy(X)).detach().numpy()
    assert np.allclose(interp.run(program, X)[0], expected, atol=1e-6)


@pytest.mark.slow("litert-torch loads for ten seconds")
def test_what_litert_torch_lowers_has_its_paths_and_its_own_results() -> None:
    export = pytest.importorskip("litert_torch.backend.export", reason="litert-torch is not installed")
    torch: Any = importlib.import_module("torch")
    net = torch.nn.Sequential(torch.nn.Linear(6, 4), torch.nn.ReLU(), torch.nn.Linear(4, 3)).eval()
    lowered = export.exported_program_to_mlir(torch.export.export(net, (torch.from_numpy(X),)))
    expected = net(torch.from_numpy(X)).detach().numpy()
    assert np.allclose(interp.run(lowered, X)[0], expected, atol=1e-6)


def test_other_functions_import_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("torch", "flax", "keras"):
        monkeypatch.setitem(sys.modules, name, None)  # whose import raises

    class Twice:
        def __call__(self, x: Any) -> Any:
            return 2 * x

    calls: list[Callable[..., Any]] = [Twice(), jax.jit(Twice())]
    assert all(np.array_equal(interp.run(f, X), 2 * X) for f in calls)
