"""The walk through a graph and its subgraphs, which appends operations for each node or computes it here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import onnx
from onnx import AttributeProto, ModelProto, helper

from interp.apps.onnx.loading.functions import opsets
from interp.apps.onnx.loading.node import Demand, Node, Symbol, array_of, element_of_dtype
from interp.apps.onnx.loading.operators import TABLE, key
from interp.loading.build import Folds
from interp.loading.on_demand import Question
from spec.errors import Location, Malformed
from spec.ir import Func, Module, Op, Region, Value, needed_ops, reads


@dataclass
class Walk:
    """The walk through a graph: its tensors that were met so far, by name; `outer` has those around it.

    answers: arrays of values that a `Demand` asked for, by the names of these values.
    """

    model: ModelProto
    where: Location
    b: Folds = field(default_factory=lambda: Folds(set()))
    answers: Mapping[str, np.ndarray] = field(default_factory=dict)
    outer: Walk | None = None
    symbols: dict[str, Symbol] = field(default_factory=dict)
    arguments: tuple[Value, ...] = ()  # of the program, in the outermost walk

    def __post_init__(self) -> None:
        self.versions = opsets(self.model)

    def nodes(self, graph: Any) -> None:
        """Append the operations of a graph, whose inputs are known."""
        for tensor in graph.initializer:
            self.symbols.setdefault(tensor.name, Symbol(array=array_of(tensor)))
        for node in graph.node:
            self.node(node)

    def graph(self, graph: Any, inputs: Sequence[Symbol], b: Folds) -> list[Symbol]:
        """Append the operations of a subgraph to a block, and return its outputs."""
        names = [info.name for info in graph.input]
        if len(names) != len(inputs):
            verdict = f"subgraph '{graph.name}' takes {len(names)} inputs, {len(inputs)} given"
            raise Malformed(verdict, "", self.where)
        walk = replace(self, b=b, outer=self, symbols=dict(zip(names, inputs, strict=True)), arguments=())
        place = b.location
        walk.nodes(graph)
        outputs = [walk.find(info.name, f"output of subgraph '{graph.name}'") for info in graph.output]
        b.location = place
        return outputs

    def node(self, proto: Any) -> None:
        """Append the operations of one node."""
        title = f"node '{proto.name}' ({proto.op_type})"
        inputs = [self.find(name, title) if name else None for name in proto.input]
        version = version_of(proto, self.versions, self.where)
        node = Node(proto, inputs, self.b, version, self)
        self.b.location = Location(self.where.file, name=node.title_in_module)
        self.b.hint = next(iter(proto.output), "") or proto.op_type
        arrays = self.fold(node)
        if arrays and all(map(is_exact, arrays)):
            results: Sequence[Any] = arrays
        else:
            results = self.build(node)
        for k, name in enumerate(proto.output):
            if name and k >= len(results):
                raise node.unsupported_error(f"its output {k} ('{name}')")
            if name:
                self.symbols[name] = symbol = as_symbol(results[k])
                symbol.array = arrays[k] if arrays else symbol.array

    def build(self, node: Node) -> Sequence[Any]:
        """Return what a node's function makes; what it cannot make sense of is the model's fault.

        The `onnx` package has checked types and shapes, but not those of other domains.
        """
        try:
            built = TABLE[key(node.proto)](node)
        except (ValueError, TypeError, LookupError, ArithmeticError, AssertionError) as error:
            inputs = [repr(symbol) for symbol in node.inputs if symbol is not None]
            raise node.malformed_error("its inputs do not fit", "\n".join([str(error), *inputs])) from None
        return [built] if isinstance(built, Value | np.ndarray | Symbol) else list(built)

    def fold(self, node: Node) -> list[np.ndarray]:
        """Return the results of a node that constants determine, or none."""
        if not folds(node.proto, node.inputs):
            return []
        arrays = [symbol.to_array() for symbol in node.inputs if symbol is not None]
        try:
            results = compute(node.proto, arrays, self.model.opset_import)
        except ValueError:  # the evaluator does not know all that is valid: the program computes it
            return []
        return results if node.proto.op_type not in ROUNDED or all(map(is_exact, results)) else []

    def find(self, name: str, user: str) -> Symbol:
        """Return a tensor by its name, here or around; `user`, which names it, is for the error."""
        if name not in self.symbols and self.outer is not None:
            self.symbols[name] = self.outer.find(name, user).copy()
        if name not in self.symbols:
            raise Malformed(f"{user}: no tensor '{name}'", "", self.where)
        return self.symbols[name]

    def ask(self, value: Value, title: str) -> np.ndarray | None:
        """Return the elements of a value that arguments determine; None for one that differs by iteration.

        title: what the value is. Raises `Demand` with the program that computes it, until an answer is there.
        """
        if self.outer is not None:
            return self.outer.ask(value, title)
        if value not in self.arguments and ("maker", value.name) not in self.b.known:
            return None
        if value.name not in self.answers:
            ops = (*needed_ops(self.b.ops, [value]), Op("func.return", (value,), ()))
            read = {v.name for op in ops for v in reads(op)}
            names = [f"'{v.label}'" for v in self.arguments if v.name in read]
            reason = f"{title} follows from the values of {', '.join(names) or 'no argument'}"
            func = Func("main", Region(self.arguments, ops), (value.type,))
            raise Demand(Question(Module({"main": func}), value.name, reason))
        return self.answers[value.name]


def as_symbol(result: Any) -> Symbol:
    """Return what a node's function made as a tensor of the graph."""
    if isinstance(result, Symbol):
        return result
    return Symbol(array=result) if isinstance(result, np.ndarray) else Symbol(result)


def version_of(node: Any, versions: dict[str, int], where: Location) -> int:
    """Return the version of a node's operator."""
    domain, name = key(node)
    if domain:
        return versions.get(domain, 1)
    try:
        return int(onnx.defs.get_schema(name, versions[""], "").since_version)
    except (onnx.defs.SchemaError, KeyError):
        raise Malformed(f"no operator {name} in opset {versions.get('')}", "", where) from None


# Nodes that constants determine: their results, computed by the `onnx` package's own reference evaluator.
#
# Exporters compute shapes in the graph (Shape, Gather, Concat, Reshape). With static sizes all of that is
# known here, so the program has only its results.


SMALL = 1 << 12  # elements of an input, above which a tensor is data and not a shape
# Operators whose results are not much larger than their inputs.
FOLDED = frozenset(
    "Abs Add And Cast CastLike Ceil Clip Concat Div Equal Flatten Floor Gather GatherElements Greater "
    "GreaterOrEqual Identity Less LessOrEqual Max Min Mod Mul Neg Not Or Pow Reciprocal ReduceMax ReduceMin "
    "ReduceProd ReduceSum Reshape Round Sign Slice Split Sqrt Squeeze Sub Sum Transpose Unsqueeze Where "
    "Xor".split()
)

# Those whose floats are not correctly rounded: the program computes them, also where shapes need them.
ROUNDED = frozenset("Pow ReduceProd ReduceSum".split())


def folds(node: Any, inputs: Sequence[Any]) -> bool:
    """Return whether a node is computed here: all its inputs are known and small."""
    given = [symbol for symbol in inputs if symbol is not None]
    if node.domain not in ("", "ai.onnx") or node.op_type not in FOLDED or not given:
        return False
    if "" in node.output:
        return False
    if any(a.type in (AttributeProto.GRAPH, AttributeProto.GRAPHS) for a in node.attribute):
        return False
    return all(symbol.is_known and symbol.to_array().size <= SMALL for symbol in given)


def compute(node: Any, arrays: Sequence[np.ndarray], opsets: Any) -> list[np.ndarray]:
    """Return the results of a node on arrays; whatever the evaluator raises is a ValueError."""
    from onnx.reference import ReferenceEvaluator

    names = [name for name in node.input if name]
    typed = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for name, x in dict(zip(names, arrays, strict=True)).items()
    ]
    outputs = [helper.make_empty_tensor_value_info(name) for name in node.output if name]
    graph = helper.make_graph([node], "node", typed, outputs)
    try:
        evaluator = ReferenceEvaluator(helper.make_model(graph, opset_imports=opsets))
        with np.errstate(all="ignore"):
            results = evaluator.run(None, dict(zip(names, arrays, strict=True)))
    except Exception as error:  # the evaluator checks nothing: any exception of Python or NumPy may come
        raise ValueError(f"{type(error).__name__}: {error}") from None
    return [np.asarray(x) for x in results]


def is_exact(array: np.ndarray) -> bool:
    """Return whether an array has no floats, which the program's own operations are to compute."""
    return element_of_dtype(array.dtype).kind not in ("float", "complex")
