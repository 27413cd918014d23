"""Models that onnxruntime's optimizers wrote: its own results, on the same file."""

# ruff: noqa: E402

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

import interp
from tests.library.onnx.onnx_cases import MODELS, with_unsigned_weights

FUSED = Path(__file__).resolve().parent.parent / "testdata" / "onnx_fused"
RECIPE = {"reading": "integer", "recipe": "onnxruntime"}


def options(level: str) -> Any:
    """Return options of a session with a level of optimizations, on one thread."""
    new = ort.SessionOptions()
    new.graph_optimization_level = getattr(ort.GraphOptimizationLevel, level)
    new.intra_op_num_threads, new.log_severity_level = 1, 3
    return new


def results(model: Any, ways: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return our result and onnxruntime's, of a model run as it is written."""
    session = ort.InferenceSession(model.SerializeToString(), options("ORT_DISABLE_ALL"))
    shape = [size if isinstance(size, int) else 2 for size in session.get_inputs()[0].shape]
    x = np.random.default_rng(3).normal(0, 1, shape).astype(np.float32)
    return np.asarray(interp.run(interp.load(model), x, **ways)[0]), session.run(None, {"x": x})[0]


@pytest.mark.parametrize(
    ("name", "operators"),
    [
        ("encoder", {"Attention", "SkipLayerNormalization", "BiasGelu"}),
        ("encoder_dynamic", {"QAttention", "SkipLayerNormalization", "BiasGelu"}),
        ("encoder_4_bits", {"Attention", "MatMulNBits"}),
        ("encoder_8_bits", {"Attention", "MatMulNBits"}),
    ],
)
def test_models_of_the_transformer_optimizer(name: str, operators: set[str]) -> None:
    """Floats differ by few units of the largest one: sums have another order."""
    model = onnx.load(FUSED / f"{name}.onnx")
    assert operators <= {node.op_type for node in model.graph.node if node.domain == "com.microsoft"}
    mine, theirs = results(model, {})
    assert np.abs(mine - theirs).max() <= 2e-6 * np.abs(theirs).max()


@pytest.mark.filterwarnings("ignore:.*not used")  # the recipe, by models in floats
@pytest.mark.parametrize("level", ["ORT_ENABLE_EXTENDED", "ORT_ENABLE_ALL"])
@pytest.mark.parametrize(
    "name",
    ["convolutional_qdq_u8", "convolutional_qoperator_u8", "residual_qdq_i8", "residual_qoperator_u8"],
)
def test_optimized_quantized_models_have_its_bits(name: str, level: str, tmp_path: Path) -> None:
    """At the last level, convolutions and pools have their features behind."""
    ways = options(level)
    ways.optimized_model_filepath = str(tmp_path / "optimized.onnx")
    ort.InferenceSession(str(MODELS / f"{name}.onnx"), ways)
    model = with_unsigned_weights(onnx.load(tmp_path / "optimized.onnx"))
    assert any(node.domain == "com.microsoft" for node in model.graph.node)
    mine, theirs = results(model, RECIPE)
    assert np.array_equal(mine, theirs)
