"""Writer of .tflite files: graphs of tensors and operators as the tables of the schema."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from interp.apps.litert.contents import MAGIC
from interp.apps.litert.schema import ELEMENTS, OPERATORS, OPTIONS, TABLES, Fields
from interp.apps.litert.writing.flatbuffer import Number, Table, file_of
from interp.apps.runtimes.litert_graph import NAMES
from interp.apps.runtimes.litert_model import LEFT_OUT, Node, Operator, Slot, Subgraph
from interp.apps.runtimes.translation import NotExpressible

WRITER = "stablehlo-interp"
ELEMENT_NUMBERS = {dtype: ELEMENTS.index(name) for name, dtype in NAMES.items() if name in ELEMENTS}
# Names of options in the schema that are other words here; the rest is spelled in another case only.
SHORT = {
    "fusedActivationFunction": "activation",
    "filterWidth": "filter_w",
    "filterHeight": "filter_h",
    "dilationWFactor": "dilation_w",
    "dilationHFactor": "dilation_h",
    "keepNumDims": "keep_num_dims",
}


def write_model(graph: Subgraph, inputs: Sequence[str], outputs: Sequence[str]) -> bytes:
    """Return the bytes of a model of one graph; inputs, outputs: their names in its signature."""
    graph = _without_unused(graph)
    codes: dict[tuple[str, int], int] = {}
    buffers: list[Table] = [{}]
    taken: set[str] = set()
    tensors = [_tensor(slot, k, buffers, taken) for k, slot in enumerate(graph.slots)]
    places = lambda names, found: [
        {Fields.MAP_NAME: name, Fields.MAP_TENSOR: Number("<I", k)}
        for name, k in zip(names, found, strict=True)
    ]
    main = {
        Fields.TENSORS: tensors,
        Fields.INPUTS: np.asarray(graph.inputs, np.int32),
        Fields.OUTPUTS: np.asarray(graph.outputs, np.int32),
        Fields.NODES: [_node(node, codes) for node in graph.nodes],
        Fields.NAME: "main",
    }
    signature = {
        Fields.KEY_INPUTS: places(inputs, graph.inputs),
        Fields.KEY_OUTPUTS: places(outputs, graph.outputs),
        Fields.KEY: "serving_default",
    }
    root = {
        Fields.VERSION: Number("<I", 3),
        Fields.CODES: [_code(*code) for code in codes],
        Fields.SUBGRAPHS: [main],
        Fields.DESCRIPTION: WRITER,
        Fields.BUFFERS: buffers,
        Fields.SIGNATURES: [signature],
    }
    return file_of(root, MAGIC)


def _without_unused(graph: Subgraph) -> Subgraph:
    """Return the graph without tensors that nothing names, such as init values that a pool leaves out."""
    named = {*graph.inputs, *graph.outputs}.union(*([*n.inputs, *n.outputs] for n in graph.nodes)) - {
        LEFT_OUT
    }
    places = {old: new for new, old in enumerate(sorted(named))} | {LEFT_OUT: LEFT_OUT}
    move = lambda olds: [places[old] for old in olds]
    nodes = [node._replace(inputs=move(node.inputs), outputs=move(node.outputs)) for node in graph.nodes]
    slots = [graph.slots[old] for old in sorted(named)]
    return Subgraph(slots, nodes, move(graph.inputs), move(graph.outputs))


def _tensor(slot: Slot, k: int, buffers: list[Table], taken: set[str]) -> Table:
    """Return a tensor; a constant's bytes are appended to the buffers."""
    place = 0
    if slot.data is not None and slot.data.size:
        place = len(buffers)
        data = np.ascontiguousarray(slot.data, slot.dtype).reshape(-1)
        buffers.append({Fields.DATA: data.view(np.uint8)})
    table = {
        Fields.SHAPE: np.asarray(slot.shape, np.int32),
        Fields.TYPE: Number("<b", ELEMENT_NUMBERS[slot.dtype]),
        Fields.BUFFER: Number("<I", place),
        Fields.TENSOR_NAME: _fresh_name(slot.name or f"tensor_{k}", taken),
    }
    if slot.scales:
        points = list(slot.zero_points) or [0] * len(slot.scales)
        table[Fields.QUANTIZATION] = {
            Fields.SCALE: np.asarray(slot.scales, np.float32),
            Fields.ZERO_POINT: np.asarray(points, np.int64),
            Fields.AXIS: Number("<i", slot.axis),
        }
    return table


def _fresh_name(stem: str, taken: set[str]) -> str:
    name, k = stem, 0
    while name in taken:
        k += 1
        name = f"{stem}.{k}"
    taken.add(name)
    return name


def _node(node: Node, codes: dict[tuple[str, int], int]) -> Table:
    operator = node.operator
    code = codes.setdefault((operator.name, operator.version), len(codes))
    table: dict[int, Any] = {
        Fields.OPCODE: Number("<I", code),
        Fields.NODE_INPUTS: np.asarray(node.inputs, np.int32),
        Fields.NODE_OUTPUTS: np.asarray(node.outputs, np.int32),
    }
    name = operator.options.removesuffix("Options")
    if name and operator.name in OPTIONS:
        table[Fields.OPTIONS_TYPE] = Number("<B", TABLES.index(name))
        table[Fields.OPTIONS] = options_table(operator)
    return table


def options_table(operator: Operator) -> Mapping[int, Number]:
    """Return the options of an operator as a table."""
    known, found = OPTIONS[operator.name], dict[int, Number]()
    for name, value in operator.values.items():
        short = SHORT.get(name) or re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
        if short not in known:
            raise NotExpressible(f"{operator.name} has no option {name}")
        found[known[short].field] = Number(known[short].form, value)
    return found


def _code(operator: str, version: int) -> Table:
    number = OPERATORS.index(operator)
    return {
        0: Number("<b", min(number, 127)),
        Fields.CODE_VERSION: Number("<i", version),
        Fields.CODE: Number("<i", number),
    }
