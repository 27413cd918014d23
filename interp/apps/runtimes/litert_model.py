"""Models of LiteRT (TensorFlow Lite), written as flatbuffers, and their runs.

The default resolver takes the optimized kernels, and XNNPACK's where they apply; the reference resolver takes
the plain loops of TensorFlow Lite. The two may round differently.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

RESOLVERS = {  # as LiteRT names them
    "delegated": "AUTO",
    "optimized": "BUILTIN_WITHOUT_DEFAULT_DELEGATES",
    "reference": "BUILTIN_REF",
}
LEFT_OUT = -1  # the place of an optional operand that an operator does not get


class Sparse(NamedTuple):
    """Layout of a sparse constant, which stores only some of its elements.

    order: the dimensions, then the blocks, as they are passed through. blocks: the dimensions with blocks.
    levels: for each in that order a size, or the ends of segments and the indices in them.
    """

    order: Sequence[int]
    blocks: Sequence[int]
    levels: Sequence[int | tuple[Sequence[int], Sequence[int]]]


class Slot(NamedTuple):
    """A tensor of a model: its NumPy type and shape, quantization, name, and its elements if it is constant.

    Without scales it is not quantized. Several scales are along `axis`. A size of -1 is unknown, and 1. A
    variable keeps its elements from call to call.
    """

    dtype: str
    shape: Sequence[int]
    scales: Sequence[float] = ()
    zero_points: Sequence[int] = ()
    axis: int = 0
    data: np.ndarray | None = None
    is_variable: bool = False
    sparsity: Sparse | None = None
    name: str = ""


class Operator(NamedTuple):
    """A built-in operator by its name in the schema (`ADD`), and its table of options, if it has one."""

    name: str
    options: str = ""
    values: Mapping[str, Any] = {}
    version: int = 1


class Node(NamedTuple):
    """An operator with the places of its operands and results among the slots of its graph.

    intermediates: the places of tensors that only have scales.
    """

    operator: Operator
    inputs: Sequence[int]
    outputs: Sequence[int]
    intermediates: Sequence[int] = ()


class Subgraph(NamedTuple):
    """Tensors and nodes; the first graph of a model is the one that runs."""

    slots: Sequence[Slot]
    nodes: Sequence[Node]
    inputs: Sequence[int]
    outputs: Sequence[int]


def model(*graphs: Subgraph) -> bytes:
    """Return the bytes of a .tflite file."""
    import flatbuffers
    from ai_edge_litert import schema_py_generated as schema

    whole = schema.ModelT()
    whole.version, whole.operatorCodes, whole.buffers = 3, [], [schema.BufferT()]
    whole.subgraphs = [_subgraph(schema, graph, whole) for graph in graphs]
    builder = flatbuffers.Builder(1024)
    builder.Finish(whole.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def one_operator(operator: Operator, operands: Sequence[Slot | None], result: Slot) -> bytes:
    """Return a model of one operator; its inputs are the operands that are not constant.

    An operand that is None is an optional one that is left out, such as a bias.
    """
    given = [slot for slot in operands if slot is not None]
    places = iter(range(len(given)))
    inputs = [LEFT_OUT if slot is None else next(places) for slot in operands]
    fed = [k for k, slot in enumerate(given) if slot.data is None]
    return model(Subgraph([*given, result], [Node(operator, inputs, [len(given)])], fed, [len(given)]))


def _subgraph(schema: Any, graph: Subgraph, whole: Any) -> Any:
    table = schema.SubGraphT()
    table.tensors = [_tensor(schema, slot, whole.buffers) for slot in graph.slots]
    table.operators = [_node(schema, node, whole.operatorCodes) for node in graph.nodes]
    table.inputs, table.outputs = list(graph.inputs), list(graph.outputs)
    return table


def _node(schema: Any, node: Node, codes: list[Any]) -> Any:
    """Return a node of the schema; the code of its operator is appended to the codes."""
    table, code = schema.OperatorT(), schema.OperatorCodeT()
    code.builtinCode = getattr(schema.BuiltinOperator, node.operator.name)
    code.deprecatedBuiltinCode, code.version = min(code.builtinCode, 127), node.operator.version
    table.opcodeIndex = len(codes)
    codes.append(code)
    table.inputs, table.outputs = list(node.inputs), list(node.outputs)
    table.intermediates = list(node.intermediates)
    if name := node.operator.options:
        options = getattr(schema, f"{name}T")()
        vars(options).update(node.operator.values)
        if hasattr(schema.BuiltinOptions, name):
            table.builtinOptionsType, table.builtinOptions = getattr(schema.BuiltinOptions, name), options
        else:
            table.builtinOptions2Type, table.builtinOptions2 = getattr(schema.BuiltinOptions2, name), options
    return table


def _tensor(schema: Any, slot: Slot, buffers: list[Any]) -> Any:
    """Return a tensor of the schema; a constant's bytes are appended to the buffers."""
    tensor = schema.TensorT()
    tensor.type, tensor.shape = getattr(schema.TensorType, slot.dtype.upper()), [abs(n) for n in slot.shape]
    tensor.isVariable = slot.is_variable
    if -1 in slot.shape:
        tensor.shapeSignature = list(slot.shape)
    if slot.scales:
        tensor.quantization = schema.QuantizationParametersT()
        tensor.quantization.scale = list(slot.scales)
        tensor.quantization.zeroPoint = list(slot.zero_points) or [0] * len(slot.scales)
        tensor.quantization.quantizedDimension = slot.axis
    if slot.sparsity is not None:
        tensor.sparsity = _sparsity(schema, slot.sparsity)
    if slot.data is not None:
        tensor.buffer = len(buffers)
        buffers.append(schema.BufferT())
        buffers[-1].data = np.ascontiguousarray(slot.data, slot.dtype).reshape(-1).view(np.uint8)
    return tensor


def _sparsity(schema: Any, layout: Sparse) -> Any:
    table = schema.SparsityParametersT()
    table.traversalOrder, table.blockMap, table.dimMetadata = list(layout.order), list(layout.blocks), []
    for level in layout.levels:
        metadata = schema.DimensionMetadataT()
        if isinstance(level, int):
            metadata.format, metadata.denseSize = schema.DimensionType.DENSE, level
        else:
            metadata.format, kind = schema.DimensionType.SPARSE_CSR, schema.SparseIndexVector.Int32Vector
            metadata.arraySegmentsType = metadata.arrayIndicesType = kind
            metadata.arraySegments, metadata.arrayIndices = (schema.Int32VectorT() for _ in level)
            metadata.arraySegments.values, metadata.arrayIndices.values = map(list, level)
        table.dimMetadata.append(metadata)
    return table


def session(content: bytes, resolver: str = "delegated") -> Any:
    """Return an interpreter for a model with the kernels of a resolver, a key of `RESOLVERS`."""
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    kind = getattr(OpResolverType, RESOLVERS[resolver])
    started = Interpreter(model_content=content, num_threads=1, experimental_op_resolver_type=kind)
    started.allocate_tensors()
    return started


def run(content: bytes, args: Sequence[np.ndarray], resolver: str = "delegated") -> list[np.ndarray]:
    """Return the results of a model."""
    started = session(content, resolver)
    for detail, x in zip(started.get_input_details(), args, strict=True):
        started.set_tensor(detail["index"], x)
    started.invoke()
    return [np.asarray(started.get_tensor(detail["index"])) for detail in started.get_output_details()]
