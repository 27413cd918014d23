"""LiteRT: models of one operator, written as flatbuffers, and their runs.

The default resolver takes the optimized kernels, and XNNPACK's where they apply; the reference resolver takes
the plain loops of TensorFlow Lite. The two may round differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray
RESOLVERS = {
    "optimized": "BUILTIN_WITHOUT_DEFAULT_DELEGATES",
    "delegated": "AUTO",
    "reference": "BUILTIN_REF",
}


class Slot(NamedTuple):
    """A tensor of a model: its NumPy type and shape, its quantization, and its elements if it is constant.

    Without scales it is not quantized. Several scales are along `axis`.
    """

    dtype: str
    shape: Sequence[int]
    scales: Sequence[float] = ()
    zero_points: Sequence[int] = ()
    axis: int = 0
    data: Array | None = None


class Operator(NamedTuple):
    """A built-in operator by its name in the schema (`ADD`), and its table of options, if it has one."""

    name: str
    options: str = ""
    values: Mapping[str, Any] = {}
    version: int = 1


def available() -> str:
    """Return why LiteRT cannot run here, or "" if it can."""
    try:
        import ai_edge_litert.interpreter  # noqa: F401
        import flatbuffers  # noqa: F401
    except ImportError as error:
        return f"{error.name} is not installed"
    return ""


def model(operator: Operator, operands: Sequence[Slot | None], result: Slot) -> bytes:
    """Return the bytes of a .tflite file; its inputs are the operands that are not constant.

    An operand that is None is an optional one that is left out, such as a bias.
    """
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    given = [slot for slot in operands if slot is not None]
    buffers = [schema.BufferT()]
    tensors = [_tensor(schema, slot, buffers) for slot in (*given, result)]
    places = iter(range(len(given)))
    code, node, graph, whole = schema.OperatorCodeT(), schema.OperatorT(), schema.SubGraphT(), schema.ModelT()
    code.builtinCode = getattr(schema.BuiltinOperator, operator.name)
    code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), operator.version
    node.inputs = [-1 if slot is None else next(places) for slot in operands]
    node.outputs = [len(given)]
    if operator.options:
        node.builtinOptionsType = getattr(schema.BuiltinOptions, operator.options)
        node.builtinOptions = getattr(schema, operator.options + "T")()
        vars(node.builtinOptions).update(operator.values)
    graph.tensors, graph.operators = tensors, [node]
    graph.inputs = [k for k, slot in enumerate(given) if slot.data is None]
    graph.outputs = node.outputs
    whole.version, whole.operatorCodes, whole.subgraphs, whole.buffers = 3, [code], [graph], buffers
    builder = flatbuffers.Builder(1024)
    builder.Finish(whole.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def _tensor(schema: Any, slot: Slot, buffers: list[Any]) -> Any:
    """Return a tensor of the schema; a constant's bytes are appended to the buffers."""
    tensor = schema.TensorT()
    tensor.type, tensor.shape = getattr(schema.TensorType, slot.dtype.upper()), list(slot.shape)
    if slot.scales:
        tensor.quantization = schema.QuantizationParametersT()
        tensor.quantization.scale = list(slot.scales)
        tensor.quantization.zeroPoint = list(slot.zero_points) or [0] * len(slot.scales)
        tensor.quantization.quantizedDimension = slot.axis
    if slot.data is not None:
        tensor.buffer = len(buffers)
        buffers.append(schema.BufferT())
        buffers[-1].data = np.ascontiguousarray(slot.data, slot.dtype).reshape(-1).view(np.uint8)
    return tensor


def run(content: bytes, args: Sequence[Array], resolver: str = "optimized") -> Array:
    """Return the result of a model by the kernels of a resolver, a key of `RESOLVERS`."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    kind = getattr(OpResolverType, RESOLVERS[resolver])
    session = Interpreter(model_content=content, num_threads=1, experimental_op_resolver_type=kind)
    session.allocate_tensors()
    for detail, x in zip(session.get_input_details(), args, strict=True):
        session.set_tensor(detail["index"], x)
    session.invoke()
    return np.asarray(session.get_tensor(session.get_output_details()[0]["index"]))
