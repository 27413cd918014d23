"""A model made ready for the walk: parsed, checked, its functions inlined, its operators known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, ModelProto, checker, inliner, shape_inference

from interp.apps.onnx.loading.operators import TABLE, key
from spec.errors import Location, Malformed, Unsupported

SHOWN = 5  # nodes of an operator that an error names


def parsed(data: bytes, where: Location) -> ModelProto:
    """Return the model in the bytes of a file."""
    try:
        model = ModelProto.FromString(data)
    except DecodeError as error:
        raise Malformed("not an ONNX model", f"protobuf: {error}", where) from None
    if not model.HasField("graph"):
        raise Malformed("not an ONNX model", "it has no graph", where)
    return model


def ready(model: ModelProto, where: Location) -> ModelProto:
    """Return the model without functions; `Malformed` with ONNX's words if its types or shapes conflict."""
    try:
        checker.check_model(model)
        model = inlined(shape_inference.infer_shapes(model, data_prop=True))
        refuse_unsupported(model, where)
        return shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    except (checker.ValidationError, shape_inference.InferenceError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise Malformed("not a valid ONNX model", reason[:500], where) from None


def inlined(model: ModelProto) -> ModelProto:
    """Return the model with its own functions, and those of the standard that have no builder, inlined.

    A function that cannot be inlined stays, and is named among the operators that are not supported.
    """
    before = model
    with suppress(RuntimeError, ValueError):
        model = before = _without_absent(inliner.inline_local_functions(model) if model.functions else model)
        wanted = {key(node) for node in nodes_of(model) if key(node) not in TABLE and not node.domain}
        if wanted:
            _with_defaults(model, wanted)
            model = inliner.inline_selected_functions(model, sorted(wanted), inline_schema_functions=True)
    unresolved = any(a.ref_attr_name for node in nodes_of(model) for a in node.attribute)
    return before if unresolved else model  # a function in a function: its defaults are not known here


def _without_absent(model: ModelProto) -> ModelProto:
    """Return the model without attributes of inlined functions that are not given where these are called."""
    for node in nodes_of(model):
        for attribute in [a for a in node.attribute if a.ref_attr_name]:
            node.attribute.remove(attribute)
    return model


def _with_defaults(model: ModelProto, wanted: set[tuple[str, str]]) -> None:
    """Give functions of the standard the attributes that have defaults, which the inliner leaves out."""
    versions = opsets(model)
    for node in nodes_of(model):
        if key(node) not in wanted or not onnx.defs.has(node.op_type):
            continue
        given = {attribute.name for attribute in node.attribute}
        known = onnx.defs.get_schema(node.op_type, versions.get("", 1), "").attributes
        defaults = [a.default_value for name, a in known.items() if name not in given]
        node.attribute.extend(value for value in defaults if value.type)


def refuse_unsupported(model: ModelProto, where: Location) -> None:
    """Raise `Unsupported` with every operator that has no builder, how often it occurs, and where."""
    found = defaultdict(list)
    for node in nodes_of(model):
        if key(node) not in TABLE:
            domain, name = key(node)
            title = f"{domain}.{name}" if domain else name
            found[title].append(node.name or next(iter(node.output), ""))
    if not found:
        return
    lines = [f"{len(names)} {title}: {_listed(names)}" for title, names in sorted(found.items())]
    count = sum(map(len, found.values()))
    verdict = f"{count} node{'s' * (count > 1)} of unsupported operators: {', '.join(sorted(found))}"
    raise Unsupported(verdict, "\n".join(lines), where)


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more


def nodes_of(model: ModelProto) -> Iterator[Any]:
    """Yield every node of the graph, of its subgraphs and of the model's functions."""
    yield from _nodes(model.graph.node)
    for function in model.functions:
        yield from _nodes(function.node)


def _nodes(nodes: Iterable[Any]) -> Iterator[Any]:
    for node in nodes:
        yield node
        for attribute in node.attribute:
            graphs = [attribute.g] if attribute.type == AttributeProto.GRAPH else attribute.graphs
            for graph in graphs:
                yield from _nodes(graph.node)


def opsets(model: ModelProto) -> dict[str, int]:
    """Return the version of each domain that the model imports."""
    return {"" if o.domain == "ai.onnx" else o.domain: o.version for o in model.opset_import}


def version_of(node: Any, versions: dict[str, int], where: Location) -> int:
    """Return the version of a node's operator."""
    domain, name = key(node)
    if domain:
        return versions.get(domain, 1)
    try:
        return int(onnx.defs.get_schema(name, versions[""], "").since_version)
    except (onnx.defs.SchemaError, KeyError):
        raise Malformed(f"no operator {name} in opset {versions.get('')}", "", where) from None
