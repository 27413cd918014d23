"""LiteRT as a peer, where it is installed: one int8 operator, run by XNNPACK where that can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.cases import Case
from benchmarks.measure import Call, Unavailable, local

Options = tuple[str, dict[str, int]]


def prepare(operator: str, options: Options, axes: Sequence[int], case: Case) -> Call:
    """Prepare the operator; input and result have the same parameters. `axes` may be the second operand."""
    try:
        from ai_edge_litert.interpreter import Interpreter
    except ImportError:
        raise Unavailable("ai-edge-litert is not installed") from None
    x, _ = case.args
    session = Interpreter(model_content=model(operator, options, axes, x.shape), num_threads=1)
    session.allocate_tensors()
    session.set_tensor(session.get_input_details()[0]["index"], x)
    session.invoke()
    result = session.get_tensor(session.get_output_details()[0]["index"])
    return local(session.invoke)._replace(result=result)


def model(operator: str, options: Options, axes: Sequence[int], shape: Sequence[int]) -> bytes:
    """Return the bytes of a .tflite file."""
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    tensors = [_int8(schema, shape)]
    buffers = [schema.BufferT(), schema.BufferT()]
    if axes:
        buffers[1].data = np.array(axes, np.int32).view(np.uint8)
        tensors.append(_tensor(schema, schema.TensorType.INT32, [len(axes)], 1))
    tensors.append(_int8(schema, []))
    code, node, graph, model = schema.OperatorCodeT(), schema.OperatorT(), schema.SubGraphT(), schema.ModelT()
    code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, operator)
    node.inputs, node.outputs = list(range(len(tensors) - 1)), [len(tensors) - 1]
    kind, values = options
    node.builtinOptionsType = getattr(schema.BuiltinOptions, kind)
    node.builtinOptions = getattr(schema, kind + "T")()
    vars(node.builtinOptions).update(values)
    graph.tensors, graph.operators = tensors, [node]
    graph.inputs, graph.outputs = [0], node.outputs
    model.version, model.operatorCodes, model.subgraphs, model.buffers = 3, [code], [graph], buffers
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _int8(schema: Any, shape: Sequence[int]) -> Any:
    tensor = _tensor(schema, schema.TensorType.INT8, shape, 0)
    tensor.quantization = schema.QuantizationParametersT()
    tensor.quantization.scale, tensor.quantization.zeroPoint = [1.0], [0]
    return tensor


def _tensor(schema: Any, type: int, shape: Sequence[int], buffer: int) -> Any:
    tensor = schema.TensorT()
    tensor.type, tensor.shape, tensor.buffer = type, list(shape), buffer
    return tensor
