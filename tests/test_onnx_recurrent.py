"""Recurrent networks of ONNX models against onnxruntime: every option, random weights."""

# ruff: noqa: E402

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper, numpy_helper, shape_inference

import interp

GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
FUNCTIONS = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}
TIME, BATCH, INPUTS, HIDDEN = 5, 3, 4, 2
# Sums of at most 4 products in two orders, through 5 steps of functions that are within 2 ulps each: the
# results are near 1, and differ by less than 5 * (4 + 2 * 2) ulps.
TOLERANCE = 40 * 2.0**-23


def network(op: str, rng: Any, given: str, **options: Any) -> tuple[Any, dict[str, Any]]:
    """Return a model of one node and its arguments; given: letters of optional inputs."""
    directions = 2 if options.get("direction") == "bidirectional" else 1
    rows, draw = GATES[op] * HIDDEN, lambda *shape: rng.standard_normal(shape).astype(np.float32)
    arrays = {"W": draw(directions, rows, INPUTS), "R": draw(directions, rows, HIDDEN)}
    optional = {
        "B": draw(directions, 2 * rows),
        "S": rng.integers(1, TIME + 1, BATCH).astype(np.int32),
        "H": draw(directions, BATCH, HIDDEN),
        "C": draw(directions, BATCH, HIDDEN),
        "P": draw(directions, 3 * HIDDEN),
    }
    arrays |= {name: optional[name] for name in given}
    names = ["X", "W", "R", *(name if name in given else "" for name in ("BSHCP" if op == "LSTM" else "BSH"))]
    outputs = ["Y", "Y_h", "Y_c"][: 3 if op == "LSTM" else 2]
    node = helper.make_node(op, names, outputs, hidden_size=HIDDEN, **options)
    x = draw(TIME, BATCH, INPUTS)
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        [node],
        "g",
        [info("X", TensorProto.FLOAT, x.shape)],
        [info(name, TensorProto.FLOAT, None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in arrays.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 14)], ir_version=8)
    return shape_inference.infer_shapes(model), {"X": x}


def outputs_of_runtime(model: Any, arguments: dict[str, Any]) -> list[Any]:
    session = ort.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return list(session.run(None, arguments))


OPTIONS: list[tuple[str, str, dict[str, Any]]] = [
    ("RNN", "", {}),
    ("RNN", "BSH", {"direction": "reverse"}),
    ("RNN", "BSH", {"direction": "bidirectional", "activations": ["Relu", "Softsign"], "clip": 0.7}),
    ("RNN", "BH", {"activations": ["LeakyRelu"], "activation_alpha": [0.3]}),
    ("RNN", "BH", {"activations": ["ThresholdedRelu"], "activation_alpha": [0.3]}),
    ("RNN", "BH", {"activations": ["ScaledTanh"], "activation_alpha": [0.3], "activation_beta": [1.5]}),
    ("RNN", "BH", {"activations": ["Affine"], "activation_alpha": [0.3], "activation_beta": [0.5]}),
    ("RNN", "BH", {"activations": ["Elu"], "activation_alpha": [0.3]}),
    ("RNN", "BH", {"activations": ["HardSigmoid"]}),
    ("GRU", "", {}),
    ("GRU", "BSH", {"direction": "reverse", "linear_before_reset": 1}),
    ("GRU", "BSH", {"direction": "bidirectional", "clip": 0.7}),
    ("GRU", "BS", {"direction": "bidirectional", "linear_before_reset": 1}),
    ("LSTM", "", {}),
    ("LSTM", "BSHCP", {"direction": "reverse"}),
    ("LSTM", "BSHCP", {"direction": "bidirectional"}),
    ("LSTM", "BHC", {"clip": 0.5}),
    ("LSTM", "BHC", {"input_forget": 1}),
    (
        "LSTM",
        "BSC",
        {
            "direction": "bidirectional",
            "activations": ["HardSigmoid", "Softsign", "Softplus", "Sigmoid", "Tanh", "LeakyRelu"],
            "activation_alpha": [0.3, 0.2],
            "activation_beta": [0.4],
        },
    ),
]


@pytest.mark.parametrize(
    ("op", "given", "options"), OPTIONS, ids=[f"{op}-{given}-{k}" for k, (op, given, _) in enumerate(OPTIONS)]
)
def test_options_of_recurrent_networks(op: str, given: str, options: Any) -> None:
    model, arguments = network(op, np.random.default_rng(1), given, **options)
    for mine, theirs in zip(
        interp.run(model, *arguments.values()), outputs_of_runtime(model, arguments), strict=True
    ):
        np.testing.assert_allclose(np.asarray(mine), theirs, rtol=TOLERANCE, atol=TOLERANCE)


@pytest.mark.parametrize("op", ["RNN", "GRU", "LSTM"])
def test_after_no_step_the_state_is_the_initial_one(op: str) -> None:
    """Of a sequence of length 0, onnxruntime has zeros in Y_h, and the initial cell in Y_c."""
    model, arguments = network(op, np.random.default_rng(1), "SHC" if op == "LSTM" else "SH")
    arrays = {tensor.name: tensor for tensor in model.graph.initializer}
    arrays["S"].CopyFrom(numpy_helper.from_array(np.int32([0, 2, 5]), "S"))
    y, *states = map(np.asarray, interp.run(model, *arguments.values()))
    theirs = outputs_of_runtime(model, arguments)
    assert np.array_equal(y[:, :, 0], np.zeros_like(y[:, :, 0]))
    for state, name in zip(states, "HC", strict=False):
        assert np.array_equal(state[:, 0], numpy_helper.to_array(arrays[name])[:, 0])
    np.testing.assert_allclose(y, theirs[0], rtol=TOLERANCE, atol=TOLERANCE)
    np.testing.assert_allclose(states[0][:, 1:], theirs[1][:, 1:], rtol=TOLERANCE, atol=TOLERANCE)
    assert not theirs[1][:, 0].any()
