"""Functions of the standard whose body depends on the node that calls them: which inputs and types it has.

The inliner of the onnx package fails at such a node if one of its inputs is absent, and another one behind
it is not. Here each such node becomes the call of a function of the model, which the inliner takes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import onnx
from onnx import FunctionProto, ModelProto, TypeProto, helper

DOMAIN = "stablehlo-interp.functions"


def define_functions(model: ModelProto, nodes: Iterable[Any]) -> bool:
    """Define a function for each of the nodes that has absent inputs; return whether there is one."""
    types = types_of(model.graph)
    versions = {o.domain: o.version for o in model.opset_import}
    count = len(model.functions)
    for node in nodes:
        if "" in node.input and (body := function_of(node, types, versions)):
            body.domain, body.name = DOMAIN, f"{node.op_type}_{len(model.functions)}"
            model.functions.append(body)
            node.domain, node.op_type = body.domain, body.name
    if DOMAIN not in versions and len(model.functions) > count:
        model.opset_import.append(helper.make_opsetid(DOMAIN, 1))
    return len(model.functions) > count


def function_of(node: Any, types: dict[str, TypeProto], versions: dict[str, int]) -> FunctionProto | None:
    """Return the body of the function that a node calls, or None if it has none that depends on the node."""
    version = versions.get(node.domain)
    if version is None or not onnx.defs.has(node.op_type, version, node.domain):
        return None
    schema = onnx.defs.get_schema(node.op_type, version, node.domain)
    if not schema.has_context_dependent_function or any(name and name not in types for name in node.input):
        return None
    given = [(types[name] if name else TypeProto()).SerializeToString() for name in node.input]
    bodies = [v for v in schema.context_dependent_function_opset_versions if v <= version]
    build = schema.get_context_dependent_function_with_opset_version
    data = build(max(bodies), node.SerializeToString(), given)
    body = FunctionProto.FromString(data)
    for opset in body.opset_import:  # as the inliner reads other functions
        opset.version = versions.get(opset.domain, opset.version)
    return body if body.node else None


def types_of(graph: Any) -> dict[str, TypeProto]:
    """Return the types of a graph's tensors, as far as they are known."""
    types = {info.name: info.type for info in [*graph.input, *graph.output, *graph.value_info]}
    for tensor in graph.initializer:
        types[tensor.name] = helper.make_tensor_type_proto(tensor.data_type, list(tensor.dims))
    return types
