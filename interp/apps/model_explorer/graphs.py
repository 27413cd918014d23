"""A program as Model Explorer's graphs: one for each function, with a node for each operation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interp.loading.load import Program, as_module
from interp.recorder.event import short
from interp.recorder.layers import Path, layer_of, path_of
from spec.attributes import Dense, attribute_text
from spec.ir import (
    Func,
    Module,
    Op,
    Region,
    Value,
    callee_names,
)
from spec.types import QuantizedType, TensorType, is_tensor

# Types and attributes of operations as text for Model Explorer, which shows them in a narrow column


LONGEST = 400  # characters of an attribute
LISTED = 4  # scales of a type
SMALL = 16  # elements of a constant that are shown, unless Model Explorer's settings say otherwise

Pairs = list[dict[str, Any]]


def pairs(**texts: str) -> Pairs:
    """Return texts under their names as Model Explorer's list of keys and values."""
    return [{"key": key, "value": text} for key, text in texts.items()]


def type_text(type: TensorType) -> str:
    """Return a type as MLIR writes it, with the first few of many scales."""
    return re.sub(r"\{[^{}]+\}", _first_scales, repr(type))


def _first_scales(found: re.Match[str]) -> str:
    scales = [text.strip() for text in found[0].strip("{}").split(",")]
    if len(scales) <= LISTED:
        return found[0]
    return f"{{{', '.join(scales[:LISTED])}, ... {len(scales):,} in all}}"


def shape_text(type: TensorType) -> str:
    """Return the label of an edge: `8x12xf32`, for a quantized type `8x12xi8:f32`."""
    if not is_tensor(type):
        return repr(type)
    element = type.element_type
    name = f"{element.spelling}:{element.expressed_type}" if isinstance(element, QuantizedType) else element
    return "x".join([*("?" if n is None else str(n) for n in type.shape), str(name)])


def output(number: int, value: Value) -> dict[str, Any]:
    """Return the metadata of a value, output `number` of its node."""
    known = {"tensor_name": value.name, "shape": shape_text(value.type), "type": type_text(value.type)}
    return {"id": str(number), "attrs": pairs(**known)}


def attributes(op: Op, limit: int | None) -> Pairs:
    """Return an operation's attributes, constants of more than `limit` elements abbreviated."""
    return [{"key": key, "value": text} for key, text in _attributes(op, limit)]


def _attributes(op: Op, limit: int | None) -> Iterator[tuple[str, str]]:
    yield "operation", op.name
    if op.location != type(op.location)():
        yield "location", str(op.location)
    for name, value in op.attributes.items():
        yield name, shorten(attribute_text(name, value, limit))
        if isinstance(value, Dense):
            yield f"{name}: elements", f"{value.type.size:,}"
            yield f"{name}: bytes", f"{len(value.data):,}"


def shorten(text: str) -> str:
    """Return a text, or its beginning and its length if it is long."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}... ({len(text):,} characters)"


Node = dict[str, Any]
RETURN = "GraphOutputs"  # the node that returns from a function: Model Explorer knows it by this name
# The regions of operations that have several, or one with a name of its own.
REGIONS = {
    "stablehlo.while": ("cond", "body"),
    "stablehlo.if": ("true_branch", "false_branch"),
    "stablehlo.select_and_scatter": ("select", "scatter"),
    "stablehlo.sort": ("comparator",),
    "stablehlo.scatter": ("update_computation",),
}


def graphs(program: Program, limit: int | None = SMALL) -> list[dict[str, Any]]:
    """Return the graphs of a program as JSON values, that of its entry first.

    A node's id is the name of its operation's first result, or of the argument. Constants of more than
    `limit` elements are abbreviated; None shows them in full.
    """
    module = as_module(program)
    return [_Writer(module, func, limit).graph() for func in in_order(module)]


def in_order(module: Module) -> list[Func]:
    """Return the functions, `@main` or else the public ones first, since the first graph is shown first."""
    return sorted(module.functions.values(), key=lambda f: (f.name != "main", not f.public))


class _Writer:
    """Writer of one function's graph; `sources` has the node and the output that each value comes from."""

    def __init__(self, module: Module, func: Func, limit: int | None) -> None:
        self.module, self.func, self.limit = module, func, limit
        self.nodes: list[Node] = []
        self.sources: dict[str, tuple[str, str]] = {}
        self.unnamed = Counter[str]()

    def graph(self) -> dict[str, Any]:
        self._arguments(self.func.inputs, ())
        self._block(self.func.body, ())
        self.nodes[-1]["id"] = RETURN
        return {"id": self.func.name, "nodes": self.nodes, "groupNodeAttributes": {"": self._facts()}}

    def _facts(self) -> dict[str, str]:
        """Return what is shown of the whole graph."""
        counts = Counter(node["label"] for node in self.nodes)
        counted = ", ".join(f"{name} x {count:,}" for name, count in counts.most_common(8))
        results = shorten(", ".join(map(type_text, self.func.results)))
        return {"function": f"@{self.func.name}", "results": results or "none", "nodes": counted}

    def _block(self, region: Region, path: Path, around: Path | None = None) -> None:
        """Write the operations of a region; a graph's edges follow values, whatever region they come from."""
        group = groups(self.module, region.ops, around)
        for op in region.ops:
            self._operation(op, (*path, *group[id(op)]))

    def _arguments(self, values: tuple[Value, ...], path: Path) -> None:
        for value in values:
            self.sources[value.name] = value.name, "0"
            label = f"{value.label} {value.name}" if value.label and value in self.func.inputs else value.name
            node = self._node(value.name, label, path, [output(0, value)])
            node["attrs"] = pairs(operation="argument", type=type_text(value.type))

    def _operation(self, op: Op, path: Path) -> None:
        name = self._name(op)
        inside = (*path, f"{short(op)} {name}") if op.regions else path
        outputs = [output(k, value) for k, value in enumerate(op.results)]
        node = self._node(name, short(op), inside, outputs)
        layer = layer_of(self.module, op)
        node["attrs"] = [*(pairs(layer=layer) if layer else ()), *attributes(op, self.limit)]
        node["incomingEdges"] = [self._edge(k, value) for k, value in enumerate(op.operands)]
        node["subgraphIds"] = [x for x in callee_names(op) if x in self.module.functions]
        self.sources |= {value.name: (name, str(k)) for k, value in enumerate(op.results)}
        if op.regions:
            node["config"] = {"pinToGroupTop": True}
        for region, title in zip(op.regions, region_names(op), strict=True):
            self._arguments(region.arguments, (*inside, title))
            self._block(region, (*inside, title), path_of(self.module, op))

    def _name(self, op: Op) -> str:
        """Return the id of an operation's node: its first result, or its kind and a number."""
        if op.results:
            return op.results[0].name
        self.unnamed[short(op)] += 1
        return f"{short(op)} {self.unnamed[short(op)]}"

    def _edge(self, number: int, value: Value) -> dict[str, str]:
        node, result = self.sources[value.name]
        return {"sourceNodeId": node, "sourceNodeOutputId": result, "targetNodeInputId": str(number)}

    def _node(self, id: str, label: str, path: Path, outputs: list[dict[str, Any]]) -> Node:
        node = {"id": id, "label": label, "namespace": namespace(path), "outputsMetadata": outputs}
        self.nodes.append(node)
        return node


def region_names(op: Op) -> tuple[str, ...]:
    """Return the names of an operation's regions, as the specification calls them where it does."""
    known = REGIONS.get(op.name, ("body",))
    return known if len(known) == len(op.regions) else tuple(f"branch {k}" for k in range(len(op.regions)))


# The layer of each operation, as nested groups


def groups(module: Module, ops: Sequence[Op], around: Path | None) -> Mapping[int, Path]:
    """Return the group of each operation of a block, by `id(op)`, as the names of nested scopes.

    around: the scopes of the operation whose region the block is; a group says what there is beyond them.
    In a function's own block, what all named layers begin with is left out.
    """
    paths = {id(op): path_of(module, op) for op in ops}
    named = [path for path in paths.values() if path]
    if around is None:
        common = common_length(named)
        return {key: path[common:] for key, path in paths.items()}
    return {key: path[common_length([path, around]) :] for key, path in paths.items()}


def common_length(paths: list[Path]) -> int:
    """Return how many names all paths begin with."""
    differing = (k for k, names in enumerate(zip(*paths, strict=False)) if len(set(names)) > 1)
    return next(differing, min(map(len, paths), default=0))


def namespace(path: Path) -> str:
    """Return a path in Model Explorer's form, in which `/` and `;` separate."""
    return "/".join(name.replace("/", "\\/").replace(";", ",") for name in path)
