"""ONNX Runtime: models of a few nodes, run as written, without graph optimizations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Array = np.ndarray
Node = tuple[str, Sequence[str], str, dict[str, Any]]  # operator, operands, result, attributes
OPSET, IR = 21, 10


def available() -> str:
    """Return why ONNX Runtime cannot run here, or "" if it can."""
    try:
        import onnx  # noqa: F401
        import onnxruntime  # noqa: F401
    except ImportError as error:
        return f"{error.name} is not installed"
    return ""


def run(nodes: Sequence[Node], arguments: Mapping[str, Array], constants: Mapping[str, Array]) -> Array:
    """Return the result of the last node."""
    import onnx
    import onnxruntime

    helper = onnx.helper
    kind = lambda x: helper.np_dtype_to_tensor_dtype(x.dtype)
    inputs = [helper.make_tensor_value_info(name, kind(x), x.shape) for name, x in arguments.items()]
    output = onnx.ValueInfoProto(name=nodes[-1][2])
    made = [helper.make_node(name, operands, [result], **rest) for name, operands, result, rest in nodes]
    held = [onnx.numpy_helper.from_array(x, name) for name, x in constants.items()]
    graph = helper.make_graph(made, "graph", inputs, [output], held)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=IR)
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    return np.asarray(session.run(None, dict(arguments))[0])
