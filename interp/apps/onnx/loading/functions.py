"""Functions: a model's own, and those of the standard that have no builder, inlined by the onnx package.

Its inliner fails where an input is absent, and another one behind it is not, in calls of functions whose body
depends on inputs and types. Here each such node first becomes the call of a function of the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import onnx
from onnx import AttributeProto, FunctionProto, ModelProto, TypeProto, helper, inliner, shape_inference

from interp.apps.onnx.loading.operators import TABLE, key

DOMAIN = "stablehlo-interp.functions"
DEPTH = 8  # functions of the standard in one another


def inline_functions(model: ModelProto) -> ModelProto:
    """Return the model with its own functions, and those of the standard that have no builder, inlined.

    A function that cannot be inlined stays, and is named among the operators that are not supported.
    """
    with suppress(RuntimeError, ValueError, onnx.defs.SchemaError):
        model = _without_absent(inliner.inline_local_functions(model) if model.functions else model)
        for _ in range(DEPTH):
            wanted = {key(node) for node in nodes_of(model) if key(node) not in TABLE and is_standard(node)}
            if not wanted:
                break
            inlined = _inline(model, wanted)
            if len(inlined.graph.node) == len(model.graph.node):
                break
            model = shape_inference.infer_shapes(inlined, data_prop=True)
    return model


def is_standard(node: Any) -> bool:
    """Return whether the standard has an operator of this name."""
    return bool(onnx.defs.has(node.op_type, key(node)[0]))


def _inline(model: ModelProto, wanted: set[tuple[str, str]]) -> ModelProto:
    """Return the model with functions of the standard inlined."""
    model = ModelProto.FromString(model.SerializeToString())
    _prepare(model, wanted)
    if define_functions(model, [node for node in model.graph.node if key(node) in wanted]):
        model = _without_absent(inliner.inline_local_functions(model))
    return _without_absent(
        inliner.inline_selected_functions(model, sorted(wanted), inline_schema_functions=True)
    )


def _without_absent(model: ModelProto) -> ModelProto:
    """Return the model without attributes of inlined functions that are not given where these are called."""
    for node in nodes_of(model):
        for attribute in [a for a in node.attribute if a.ref_attr_name]:
            node.attribute.remove(attribute)
    return model


def _prepare(model: ModelProto, wanted: set[tuple[str, str]]) -> None:
    """Give functions of the standard what the inliner does not see.

    These are attributes that have defaults, the types of weights, and absent inputs at the end.
    """
    graph = model.graph
    infos = {info.name for info in (*graph.value_info, *graph.input, *graph.output)}
    for tensor in graph.initializer:
        if tensor.name not in infos:
            graph.value_info.append(helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims))
    for node in nodes_of(model):
        if key(node) in wanted:
            while node.input and not node.input[-1]:
                del node.input[-1]
            add_defaults(node, opsets(model))


def add_defaults(node: Any, versions: dict[str, int]) -> None:
    """Give a node of the standard the attributes that have defaults."""
    domain, name = key(node)
    given = {attribute.name for attribute in node.attribute}
    known = onnx.defs.get_schema(name, versions.get(domain, 1), domain).attributes
    defaults = [a.default_value for name, a in known.items() if name not in given]
    node.attribute.extend(value for value in defaults if value.type)


def define_functions(model: ModelProto, nodes: Iterable[Any]) -> bool:
    """Define a function for each of the nodes that has absent inputs; return whether there is one."""
    graph, versions = model.graph, opsets(model)
    types = {info.name: info.type for info in [*graph.input, *graph.output, *graph.value_info]}
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
    domain, name = key(node)
    version = versions.get(domain, 1)
    schema: Any = onnx.defs.get_schema(name, version, domain)
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


def nodes_of(model: ModelProto) -> Iterator[Any]:
    """Yield every node of the graph, of its subgraphs and of the model's functions."""
    yield from _nodes(model.graph.node)
    for function in model.functions:
        yield from _nodes(function.node)


def subgraphs_of(model: ModelProto) -> Iterator[Any]:
    """Yield every subgraph of a node."""
    for node in nodes_of(model):
        yield from _graphs(node)


def _nodes(nodes: Iterable[Any]) -> Iterator[Any]:
    for node in nodes:
        yield node
        for graph in _graphs(node):
            yield from _nodes(graph.node)


def _graphs(node: Any) -> Iterator[Any]:
    for attribute in node.attribute:
        yield from [attribute.g] if attribute.type == AttributeProto.GRAPH else attribute.graphs


def opsets(model: ModelProto) -> dict[str, int]:
    """Return the version of each domain that the model imports."""
    return {"" if o.domain == "ai.onnx" else o.domain: o.version for o in model.opset_import}


# Operators that onnxruntime writes without a domain, also in opsets that lack them.
UNNAMED = ("LayerNormalization", "SimplifiedLayerNormalization")


def name_domains(model: ModelProto) -> None:
    """Write the domain of onnxruntime's operators where it leaves it out and the opset lacks the name."""
    opset = opsets(model).get("", 1)
    for node in nodes_of(model):
        if not key(node)[0] and node.op_type in UNNAMED and not _is_defined(node.op_type, opset):
            node.domain = "com.microsoft"
            if "com.microsoft" not in opsets(model):
                model.opset_import.append(helper.make_opsetid("com.microsoft", 1))


def _is_defined(name: str, opset: int) -> bool:
    """Return whether an opset of the standard has an operator of that name."""
    return onnx.defs.has(name, max_inclusive_version=opset)
