"""`read_onnx`: an ONNX model as a StableHLO module, in the child process of `worker.py`.

The graph is walked once, in its order. Each node becomes the operations that its function in
`operators.TABLE` appends; what constants determine becomes arrays, which are written where they are used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import ModelProto

from interp.apps.onnx.loading.build_folds import Folds
from interp.apps.onnx.loading.known import computed, folds, is_exact
from interp.apps.onnx.loading.node import Node, Symbol
from interp.apps.onnx.loading.operators import TABLE, key
from interp.apps.onnx.loading.prepared import opsets, parsed, ready, version_of
from interp.apps.onnx.loading.signature import bound, declared, dynamic, fits
from interp.apps.onnx.loading.tensors import array_of, take_in
from interp.loading.onnx_bytes import Onnx
from interp.loading.writer import used
from spec.errors import Location, Malformed
from spec.ir import Func, Module, Op, Region, Value
from spec.verify import verify


def read_onnx(
    data: bytes,
    name: str,
    options: Onnx,
    checked_too: bool = True,
    arguments: tuple[Sequence[str], Mapping[int, str]] | None = None,
) -> Module:
    """Return the program of an ONNX model; arguments: the static types of its inputs, once they are known."""
    where = Location(name)
    model = parsed(bytes(data), where)
    for tensor in model.graph.initializer:
        take_in(tensor, options.directory)
    is_static = bound(model, options.dims, arguments[0] if arguments else None, where)
    model = ready(model, where)
    if not is_static:
        return dynamic(model, name)
    main = Walk(model, where).main()
    module = Module({"main": main})
    if violations := verify(module):
        first = violations[0]
        raise Malformed(f"{first.where.name}: {first.code}: {first.formula}", first.evidence, where)
    return module


@dataclass
class Walk:
    """The walk through a graph: the tensors that are known so far, by name."""

    model: ModelProto
    where: Location

    def __post_init__(self) -> None:
        self.b = Folds(set())
        self.symbols: dict[str, Symbol] = {}
        self.versions = opsets(self.model)

    def main(self) -> Func:
        graph = self.model.graph
        for tensor in graph.initializer:
            self.symbols[tensor.name] = Symbol(array=array_of(tensor))
        arguments = []
        for info in graph.input:
            if info.name in self.symbols:  # before IR version 4, inputs also list the weights
                continue
            name = self.b.fresh(info.name)
            arguments.append(Value(name, declared(info, self.where), info.name))
            self.symbols[info.name] = Symbol(arguments[-1])
        for node in graph.node:
            self.node(node)
        results = [self.result(info) for info in graph.output]
        last = Op("func.return", tuple(results), ())
        body = Region(tuple(arguments), used([*self.b.ops, last]))
        return Func("main", body, tuple(v.type for v in results))

    def node(self, proto: Any) -> None:
        """Append the operations of one node."""
        inputs = [self.symbol(name, proto) if name else None for name in proto.input]
        version = version_of(proto, self.versions, self.where)
        node = Node(proto, inputs, self.b, version)
        self.b.location = Location(self.where.file, name=node.title)
        self.b.hint = next(iter(proto.output), "") or proto.op_type
        arrays = self.folded(node)
        if arrays and all(map(is_exact, arrays)):
            results: Sequence[Any] = arrays
        else:
            results = self.built(node)
        names = [name for name in proto.output if name]
        for k, (name, result) in enumerate(zip(names, results, strict=False)):
            is_array = isinstance(result, np.ndarray)
            known = result if is_array else arrays[k] if arrays else None
            self.symbols[name] = Symbol(None if is_array else result, known)
        if len(results) < len(names):
            raise node.unsupported(f"its output {len(results)} ('{names[len(results)]}')")

    def built(self, node: Node) -> Sequence[Any]:
        """Return what a node's function makes; what it cannot make sense of is the model's fault.

        The `onnx` package has checked types and shapes, but not those of other domains.
        """
        try:
            built = TABLE[key(node.proto)](node)
        except (ValueError, TypeError, LookupError, ArithmeticError, AssertionError) as error:
            types = [repr(symbol.type) for symbol in node.inputs if symbol is not None]
            raise node.malformed("its inputs do not fit", "\n".join([str(error), *types])) from None
        return [built] if isinstance(built, Value | np.ndarray) else list(built)

    def folded(self, node: Node) -> list[np.ndarray]:
        """Return the results of a node that constants determine, or none."""
        if not folds(node.proto, node.inputs):
            return []
        arrays = [symbol.known() for symbol in node.inputs if symbol is not None]
        try:
            return computed(node.proto, arrays, self.model.opset_import)
        except ValueError as error:
            raise node.malformed("cannot be computed", str(error)) from None

    def symbol(self, name: str, proto: Any) -> Symbol:
        if name not in self.symbols:
            raise Malformed(f"node '{proto.name}' ({proto.op_type}): no tensor '{name}'", "", self.where)
        return self.symbols[name]

    def result(self, info: Any) -> Value:
        """Return an output of the graph, with the type that the model declares."""
        if info.name not in self.symbols:
            raise Malformed(f"no tensor '{info.name}', which is an output", "", self.where)
        self.b.location = Location(self.where.file, name=f"output '{info.name}'")
        self.b.hint = info.name
        holder = Node(_Output(info.name), [self.symbols[info.name]], self.b, 1)
        value = holder.value(0)
        fits(info, value.type, self.where)
        return value


class _Output:
    """An output of the graph, in the place of a node."""

    def __init__(self, name: str) -> None:
        self.name, self.op_type, self.input, self.output = name, "output", [name], [name]
        self.attribute: list[Any] = []
