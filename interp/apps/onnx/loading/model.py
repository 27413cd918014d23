"""`read_onnx`: an ONNX model as a StableHLO module, in the child process of `warm.py`.

The graph is walked once, in its order. Each node becomes the operations that its function in
`operators.TABLE` appends; what constants determine becomes arrays, which are written where they are used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from onnx import AttributeProto, ModelProto, checker, helper, shape_inference

from interp.apps.onnx.loading.build import LARGEST, Builder, Folds
from interp.apps.onnx.loading.functions import add_defaults, inline_functions, nodes_of, opsets
from interp.apps.onnx.loading.node import Node, Symbol, array_of, element_of, element_of_dtype, take_in
from interp.apps.onnx.loading.operators import TABLE, key
from interp.loading.on_demand import Onnx
from interp.loading.writer import drop_unused
from spec.errors import Location, Malformed, Unsupported
from spec.ir import Func, Module, Op, Region, Value
from spec.rules.verify import verify
from spec.types import TensorType, parse_type


def read_onnx(
    data: bytes,
    name: str,
    options: Onnx,
    checked_too: bool = True,
    arguments: tuple[Sequence[str], Mapping[int, str]] | None = None,
) -> Module:
    """Return the program of an ONNX model; arguments: the static types of its inputs, once they are known."""
    where = Location(name)
    model = parse(bytes(data), where)
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
            arguments.append(Value(name, declared_type(info, self.where), info.name))
            self.symbols[info.name] = Symbol(arguments[-1])
        for node in graph.node:
            self.node(node)
        results = [self.result(info) for info in graph.output]
        last = Op("func.return", tuple(results), ())
        body = Region(tuple(arguments), drop_unused([*self.b.ops, last]))
        return Func("main", body, tuple(v.type for v in results))

    def node(self, proto: Any) -> None:
        """Append the operations of one node."""
        inputs = [self.symbol(name, proto) if name else None for name in proto.input]
        version = version_of(proto, self.versions, self.where)
        node = Node(proto, inputs, self.b, version)
        self.b.location = Location(self.where.file, name=node.title)
        self.b.hint = next(iter(proto.output), "") or proto.op_type
        arrays = self.fold(node)
        if arrays and all(map(is_exact, arrays)):
            results: Sequence[Any] = arrays
        else:
            results = self.build(node)
        names = [name for name in proto.output if name]
        for k, (name, result) in enumerate(zip(names, results, strict=False)):
            is_array = isinstance(result, np.ndarray)
            known = result if is_array else arrays[k] if arrays else None
            self.symbols[name] = Symbol(None if is_array else result, known)
        if len(results) < len(names):
            raise node.unsupported_error(f"its output {len(results)} ('{names[len(results)]}')")

    def build(self, node: Node) -> Sequence[Any]:
        """Return what a node's function makes; what it cannot make sense of is the model's fault.

        The `onnx` package has checked types and shapes, but not those of other domains.
        """
        try:
            built = TABLE[key(node.proto)](node)
        except (ValueError, TypeError, LookupError, ArithmeticError, AssertionError) as error:
            types = [repr(symbol.type) for symbol in node.inputs if symbol is not None]
            raise node.malformed_error("its inputs do not fit", "\n".join([str(error), *types])) from None
        return [built] if isinstance(built, Value | np.ndarray) else list(built)

    def fold(self, node: Node) -> list[np.ndarray]:
        """Return the results of a node that constants determine, or none."""
        if not folds(node.proto, node.inputs):
            return []
        arrays = [symbol.to_array() for symbol in node.inputs if symbol is not None]
        try:
            return compute(node.proto, arrays, self.model.opset_import)
        except ValueError as error:
            raise node.malformed_error("cannot be computed", str(error)) from None

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


# Inputs and outputs of a model: their declared types, with symbolic sizes bound to numbers


def inputs_of(model: Any) -> list[Any]:
    """Return the inputs that are no weights: before IR version 4, weights are listed among them."""
    weights = {tensor.name for tensor in model.graph.initializer}
    return [info for info in model.graph.input if info.name not in weights]


def bound(model: Any, dims: Mapping[str, int], types: Sequence[str] | None, where: Location) -> bool:
    """Write sizes in the place of symbolic dimensions; return whether all sizes of inputs are known.

    dims: sizes by name. types: the types of all inputs, whose sizes also bind the names.
    """
    sizes = dict(dims)
    inputs = inputs_of(model)
    for info, text in zip(inputs, types or (), strict=False):
        _bind(info, parse_type(text), sizes, where)
    symbols = {d.dim_param for info in inputs for d in _dims(info) if d.dim_param}
    if unknown := sorted(set(dims) - symbols):
        known = ", ".join(sorted(symbols)) or "none"
        raise Malformed(f"no dimension is named {unknown[0]!r}", f"symbolic dimensions: {known}", where)
    for info in [*inputs, *model.graph.output, *model.graph.value_info]:
        for d in _dims(info):
            if d.dim_param in sizes:
                d.dim_value = sizes[d.dim_param]  # which takes the name's place
    return all(d.HasField("dim_value") for info in inputs for d in _dims(info))


def _dims(info: Any) -> list[Any]:
    return list(info.type.tensor_type.shape.dim)


def _bind(info: Any, type: TensorType, sizes: dict[str, int], where: Location) -> None:
    """Take the sizes of one input's type for its symbolic dimensions, one number for each name."""
    for d, size in zip(_dims(info), type.shape, strict=True):
        if d.dim_param and sizes.setdefault(d.dim_param, size) != size:
            verdict = f"dimension {d.dim_param!r} is {sizes[d.dim_param]} and {size}"
            raise Malformed(verdict, f"input '{info.name}': {type!r}", where)
        if not d.HasField("dim_value") and not d.dim_param:
            d.dim_value = size


def declared_type(info: Any, where: Location) -> TensorType:
    """Return the type that an input or output declares; sizes that are not known are None."""
    kind = info.type.WhichOneof("value")
    if kind != "tensor_type":
        raise Unsupported(f"'{info.name}' is a {str(kind).partition('_')[0]}", "expected a tensor", where)
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        raise Unsupported(f"'{info.name}' has no shape", "declare one, with names for unknown sizes", where)
    sizes = [d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim]
    if any(size is not None and size < 0 for size in sizes):
        raise Malformed(f"'{info.name}' has a negative size", f"shape: {sizes}", where)
    if prod(size or 1 for size in sizes) > LARGEST:
        raise Unsupported(f"'{info.name}' is too large", f"shape: {sizes}, at most {LARGEST} elements", where)
    return TensorType(tuple(sizes), element_of(tensor.elem_type))  # type: ignore[arg-type]


def fits(info: Any, type: TensorType, where: Location) -> None:
    """Raise `Malformed` unless an output has the type that the model declares, as far as it does."""
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        said, same = "", tensor.elem_type == 0 or element_of(tensor.elem_type) == type.element_type
    else:
        wanted = declared_type(info, where)
        sizes = zip(wanted.shape, type.shape, strict=False)
        same = wanted.rank == type.rank and all(size in (None, got) for size, got in sizes)
        same, said = same and wanted.element_type == type.element_type, repr(wanted)
    if not same:
        raise Malformed(
            f"output '{info.name}' has another type", f"declared {said}\ncomputed {type!r}", where
        )


def dynamic(model: Any, name: str) -> Module:
    """Return the signature of a model with unknown sizes; its body is made once arguments give them."""
    where, b = Location(name), Builder(set())
    inputs = [Value(b.fresh(i.name), declared_type(i, where), i.name) for i in inputs_of(model)]
    outputs = [Value(b.fresh(i.name), declared_type(i, where), i.name) for i in model.graph.output]
    call = Op("stablehlo.custom_call", tuple(inputs), tuple(outputs), {"call_target_name": "onnx.model"})
    body = Region(tuple(inputs), (call, Op("func.return", tuple(outputs), ())))
    return Module({"main": Func("main", body, tuple(v.type for v in outputs))})


# A model made ready for the walk: parsed, checked, its functions inlined, its operators known


SHOWN = 5  # nodes of an operator that an error names


def parse(data: bytes, where: Location) -> ModelProto:
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
        for node in [node for node in nodes_of(model) if key(node) == ("", "STFT")]:
            add_defaults(node, opsets(model))  # shape inference takes an absent `onesided` for 0
        model = inline_functions(shape_inference.infer_shapes(model, data_prop=True))
        refuse_unsupported(model, where)
        return shape_inference.infer_shapes(model, check_type=True, strict_mode=True, data_prop=True)
    except (checker.ValidationError, shape_inference.InferenceError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise Malformed("not a valid ONNX model", reason[:500], where) from None


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
    lines = [f"{len(names)} {title}: {_list_names(names)}" for title, names in sorted(found.items())]
    count = sum(map(len, found.values()))
    verdict = f"{count} node{'s' * (count > 1)} of unsupported operators: {', '.join(sorted(found))}"
    raise Unsupported(verdict, "\n".join(lines), where)


def _list_names(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more


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


def folds(node: Any, inputs: Sequence[Any]) -> bool:
    """Return whether a node is computed here: all its inputs are known and small."""
    given = [symbol for symbol in inputs if symbol is not None]
    if node.domain not in ("", "ai.onnx") or node.op_type not in FOLDED or not given:
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
