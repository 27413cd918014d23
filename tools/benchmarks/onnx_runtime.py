"""ONNX Runtime as a peer, where it is installed, and `onnx` to make the models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.cases import Case
from benchmarks.measure import Call, Unavailable, local

CHANNELS_FIRST = (0, 3, 1, 2)


def total(axes: Sequence[int], case: Case) -> Call:
    """Convert, then ReduceSum, which does not take i8."""
    onnx = _installed()
    nodes = [
        onnx.helper.make_node("Cast", ["x"], ["wide"], to=onnx.TensorProto.INT32),
        onnx.helper.make_node("ReduceSum", ["wide", "axes"], ["y"], keepdims=0),
    ]
    return _call(nodes, axes, onnx.TensorProto.INT32, case.args[0])


def greatest(axes: Sequence[int], case: Case) -> Call:
    onnx = _installed()
    node = onnx.helper.make_node("ReduceMax", ["x", "axes"], ["y"], keepdims=0)
    return _call([node], axes, onnx.TensorProto.INT8, case.args[0])


def window_max(width: int, stride: int, case: Case) -> Call:
    """Run in ONNX's layout, channels first; the result is moved back only to be compared."""
    onnx = _installed()
    node = onnx.helper.make_node("MaxPool", ["x"], ["y"], kernel_shape=[width] * 2, strides=[stride] * 2)
    call = _call([node], (), onnx.TensorProto.INT8, case.args[0].transpose(CHANNELS_FIRST).copy())
    return call._replace(result=call.result.transpose(0, 2, 3, 1))


def _installed() -> Any:
    try:
        import onnx
        import onnxruntime  # noqa: F401
    except ImportError:
        raise Unavailable("onnxruntime or onnx is not installed") from None
    return onnx


def _call(nodes: Sequence[Any], axes: Sequence[int], type: int, x: Any) -> Call:
    import onnxruntime
    from onnx import TensorProto, helper

    inputs = [helper.make_tensor_value_info("x", TensorProto.INT8, x.shape)]
    outputs = [helper.make_tensor_value_info("y", type, None)]
    constants = [helper.make_tensor("axes", TensorProto.INT64, [len(axes)], axes)] if axes else []
    graph = helper.make_graph(nodes, "graph", inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, ["CPUExecutionProvider"])
    bound = session.io_binding()
    bound.bind_cpu_input("x", x)
    bound.bind_output("y")
    call = local(lambda: session.run_with_iobinding(bound))
    return call._replace(result=bound.copy_outputs_to_cpu()[0])
