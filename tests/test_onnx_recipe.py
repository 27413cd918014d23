"""A network with residual sums, quantized by onnxruntime, in its recipe: every tensor has its bits."""

# ruff: noqa: E402

from __future__ import annotations

import platform
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools"))

from onnx import helper
from onnx_models import Graph, Samples
from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

import interp

SHAPE = (1, 3, 20, 20)
RECIPE = {"reading": "integer", "recipe": "onnxruntime"}


def residual_network(width: int = 8, blocks: int = 4) -> Any:
    """Return blocks of convolutions and a sum; every second one halves the image, with twice the width."""
    g = Graph(7)
    x = g("Relu", g("Conv", "x", g.weight(width, 3, 3, 3), g.weight(width), pads=[1] * 4))
    for block in range(blocks):
        step = 1 + block % 2
        out = width * step
        inner = g("Conv", x, g.weight(out, width, 3, 3), g.weight(out), pads=[1] * 4, strides=[step] * 2)
        inner = g("Conv", g("Relu", inner), g.weight(out, out, 3, 3), g.weight(out), pads=[1] * 4)
        skip = x if step == 1 else g("Conv", x, g.weight(out, width, 1, 1), g.weight(out), strides=[2, 2])
        x, width = g("Relu", g("Add", inner, skip)), out
    x = g("Flatten", g("GlobalAveragePool", x))
    return g.model("residual", SHAPE, g("Gemm", x, g.weight(10, width), g.weight(10), transB=1), [1, 10])


def with_all_outputs(model: Any) -> tuple[Any, Any]:
    """Return a session and a model whose every tensor is an output."""
    del model.graph.output[:]
    names = [name for node in model.graph.node for name in node.output]
    model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in names)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = ort.InferenceSession(model.SerializeToString(), options)
    arrays = zip(names, session.run(None, {"x": np.zeros(SHAPE, np.float32)}), strict=True)
    types = [(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for name, x in arrays]
    del model.graph.output[:]
    model.graph.output.extend(helper.make_tensor_value_info(*type) for type in types)
    return session, model


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="another kernel adds elsewhere")
@pytest.mark.filterwarnings("ignore")  # of the quantizer
@pytest.mark.parametrize("storage", ["QUInt8", "QInt8"])  # of values and weights: summed exactly everywhere
def test_a_residual_network_has_onnxruntimes_bits(storage: str, tmp_path: Path) -> None:
    onnx.save(residual_network(), tmp_path / "float.onnx")
    type = getattr(QuantType, storage)
    ways = {"quant_format": QuantFormat.QOperator, "activation_type": type, "weight_type": type}
    quantize_static(tmp_path / "float.onnx", tmp_path / "int8.onnx", Samples(SHAPE), **ways)
    session, model = with_all_outputs(onnx.load(tmp_path / "int8.onnx"))
    assert sum(node.op_type == "QLinearAdd" for node in model.graph.node) == 4
    program = interp.load(model)
    for seed in range(4):
        x = np.random.default_rng(seed).normal(0, 1, SHAPE).astype(np.float32)
        mine, theirs = interp.run(program, x, **RECIPE), session.run(None, {"x": x})
        for info, ours, expected in zip(model.graph.output, mine, theirs, strict=True):
            assert np.array_equal(np.asarray(ours), expected), (info.name, seed)
