"""Models of one node, run by this package, by onnxruntime and by ONNX's ReferenceEvaluator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pytest
from onnx import helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator

import interp

RUNTIME, REFERENCE = "onnxruntime", "reference"


class Single(NamedTuple):
    """A node with its inputs, of which None are absent, and those in `known` are weights of the model.

    against: who must give the same numbers, where only one of the two can, or does what ONNX says.
    tolerance: of floats, relative to the largest; integers are equal.
    """

    operator: str
    opset: int
    inputs: Sequence[Any]
    attributes: dict[str, Any]
    known: Sequence[int] = ()
    outputs: int = 1
    against: Sequence[str] = (RUNTIME, REFERENCE)
    tolerance: float = 2e-6

    def model(self) -> Any:
        names = [f"x{k}" if x is not None else "" for k, x in enumerate(self.inputs)]
        arrays = {name: np.asarray(x) for name, x in zip(names, self.inputs, strict=True) if name}
        weights = [numpy_helper.from_array(arrays[names[k]], names[k]) for k in self.known if names[k]]
        outputs = [f"y{k}" for k in range(self.outputs)]
        graph = helper.make_graph(
            [helper.make_node(self.operator, names, outputs, **self.attributes)],
            "g",
            [
                helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
                for name, x in arrays.items()
                if name not in {w.name for w in weights}
            ],
            [helper.make_empty_tensor_value_info(name) for name in outputs],
            weights,
        )
        opsets = [helper.make_opsetid("", self.opset)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        return shape_inference.infer_shapes(model, data_prop=True)

    def feeds(self) -> dict[str, np.ndarray]:
        pairs = enumerate(self.inputs)
        return {f"x{k}": np.asarray(x) for k, x in pairs if x is not None and k not in self.known}


def check(single: Single) -> None:
    """Run a node, and compare its results with those of others."""
    model, feeds = single.model(), single.feeds()
    results = [np.asarray(x) for x in interp.run(interp.load(model), *feeds.values())]
    for other in single.against:
        for got, expected in zip(results, _by(other, model, feeds), strict=True):
            _compare(got, np.asarray(expected), single.tolerance, f"{other}: {single}")


def _by(other: str, model: Any, feeds: dict[str, np.ndarray]) -> list[Any]:
    if other == REFERENCE:
        return list(ReferenceEvaluator(model).run(None, feeds))
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    options = runtime.SessionOptions()
    options.log_severity_level = 4
    session = runtime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    return list(session.run(None, feeds))


def _compare(got: np.ndarray, expected: np.ndarray, tolerance: float, note: str) -> None:
    assert (got.shape, got.dtype) == (expected.shape, expected.dtype), note
    if got.dtype.kind in "biu":
        np.testing.assert_array_equal(got, expected, note)
    else:
        largest = float(
            np.abs(expected, where=np.isfinite(expected), out=np.zeros_like(expected)).max(initial=0)
        )
        np.testing.assert_allclose(got, expected, 0, tolerance * largest, err_msg=note)
