"""A program as Model Explorer's graphs: one for each function, with a node for each operation."""

from __future__ import annotations

from collections import Counter
from typing import Any

from interp.apps.model_explorer.layers import Path, layers, namespace
from interp.apps.model_explorer.texts import SMALL, attributes, output, pairs, shortened, type_text
from interp.loading.load import Program, as_module
from interp.recorder.event import short
from spec.ir import Func, Module, Op, Region, Value, called

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
        results = shortened(", ".join(map(type_text, self.func.results)))
        return {"function": f"@{self.func.name}", "results": results or "none", "nodes": counted}

    def _block(self, region: Region, path: Path) -> None:
        """Write the operations of a region; a graph's edges follow values, whatever region they come from."""
        of_layer = layers(region.ops)
        for op in region.ops:
            self._operation(op, (*path, *of_layer[id(op)]))

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
        node["attrs"] = attributes(op, self.limit)
        node["incomingEdges"] = [self._edge(k, value) for k, value in enumerate(op.operands)]
        node["subgraphIds"] = [x for x in called(op) if x in self.module.functions]
        self.sources |= {value.name: (name, str(k)) for k, value in enumerate(op.results)}
        if op.regions:
            node["config"] = {"pinToGroupTop": True}
        for region, title in zip(op.regions, region_names(op), strict=True):
            self._arguments(region.arguments, (*inside, title))
            self._block(region, (*inside, title))

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
