"""`read_onnx`: an ONNX model as a StableHLO module, in the child process of `warm.py`.

The graph is walked once, in its order. Each node becomes the operations that its function in
`operators.TABLE` appends; what constants determine becomes arrays, which are written where they are used.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from google.protobuf.message import DecodeError
from onnx import ModelProto, TensorProto, ValueInfoProto, checker, shape_inference

from interp.apps.onnx.loading.functions import (
    add_defaults,
    inline_functions,
    name_domains,
    nodes_of,
    opsets,
    subgraphs_of,
)
from interp.apps.onnx.loading.graphs import Walk
from interp.apps.onnx.loading.node import Demand, Symbol, element_of, elements, plain, take_in, value_in
from interp.apps.onnx.loading.operators import TABLE, key
from interp.apps.onnx.loading.signature import bound, declared_type, dynamic, inputs_of
from interp.loading.on_demand import Arguments, Onnx, Question
from interp.loading.writer import drop_unused
from spec.errors import Location, Malformed, Unsupported
from spec.ir import Func, Module, Op, Region, Value
from spec.rules.verify import verify


def read_onnx(
    data: bytes,
    name: str,
    options: Onnx,
    checked_too: bool = True,
    arguments: Arguments | None = None,
) -> Module | Question:
    """Return the program of an ONNX model.

    arguments: what is known of those of the program. If its sizes depend on more, the answer is a question.
    """
    where = Location(name)
    model = parse(bytes(data), where)
    for graph in [model.graph, *subgraphs_of(model)]:
        for tensor in graph.initializer:
            take_in(tensor, options.directory)
    is_static = bound(model, options.dims, arguments.types if arguments else None, where)
    model = ready(model, where)
    if not is_static:
        return dynamic(model, name)
    answers = {name: elements(dense) for name, dense in (arguments.answers if arguments else ())}
    try:
        main = whole(Walk(model, where, answers=answers))
    except Demand as demand:
        return demand.question if arguments else dynamic(model, name, demand.question)
    module = Module({"main": main})
    if violations := verify(module):
        first = violations[0]
        raise Malformed(f"{first.where.name}: {first.code}: {first.formula}", first.evidence, where)
    return module


def whole(walk: Walk) -> Func:
    """Return the program of a model's graph."""
    graph = walk.model.graph
    weights = {tensor.name for tensor in graph.initializer}
    for info in graph.input:
        if info.name not in weights:  # before IR version 4, inputs also list the weights
            argument = Value(walk.b.fresh(info.name), declared_type(info, walk.where), info.name)
            walk.arguments += (argument,)
            walk.symbols[info.name] = Symbol(argument)
    walk.nodes(graph)
    results = [value for info in graph.output for value in result(walk, info)]
    last = Op("func.return", tuple(results), ())
    body = Region(walk.arguments, drop_unused([*walk.b.ops, last]))
    return Func("main", body, tuple(v.type for v in results))


def result(walk: Walk, info: Any) -> list[Value]:
    """Return an output of the graph, with the type that the model declares; all tensors of a sequence.

    Its shape is the computed one: as runtimes do, this takes files whose declared shapes are wrong.
    """
    symbol = walk.find(info.name, "output of the graph")
    walk.b.location = Location(walk.where.file, name=f"output '{info.name}'")
    walk.b.hint = info.name
    if not symbol.is_tensor:
        items = symbol.items or ()
        if not all(item.is_tensor for item in items):
            raise Unsupported(f"output '{info.name}' is {symbol!r}", "expected tensors", walk.where)
        return [plain(walk.b, value_in(walk.b, item)) for item in items]
    value = plain(walk.b, value_in(walk.b, symbol))
    wanted = info.type.tensor_type.elem_type
    if wanted and element_of(wanted) != value.type.element_type:
        evidence = f"declared {element_of(wanted)!r}\ncomputed {value.type!r}"
        raise Malformed(f"output '{info.name}' has another type", evidence, walk.where)
    return [value]


# A model made ready for the walk: parsed, checked, its functions inlined, its operators known


MISTYPED = ("MeanVarianceNormalization",)  # inference takes its function, which has types of older opsets
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
    name_domains(model)
    for info in inputs_of(model):
        declared_type(info, where)  # one that is too large, and inference would not come to an end
    outputs = _copies(model.graph.output)
    try:
        check(model)
        for node in [node for node in nodes_of(model) if key(node) == ("", "STFT")]:
            add_defaults(node, opsets(model))  # shape inference takes an absent `onesided` for 0
        model = inline_functions(shape_inference.infer_shapes(model, data_prop=True))
        refuse_unsupported(model, where)
        model = infer_types(model)
        for info, declared in zip(model.graph.output, outputs, strict=True):
            if declared.type.tensor_type.HasField("shape"):
                info.CopyFrom(declared)
        return model
    except (checker.ValidationError, shape_inference.InferenceError, RuntimeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise Malformed("not a valid ONNX model", reason[:500], where) from None


def check(model: ModelProto) -> None:
    """Raise `ValidationError` for what the onnx package forbids, but for outputs without types or shapes.

    Runtimes take these.
    """
    outputs = _copies(model.graph.output)
    for info in model.graph.output:
        if info.type.WhichOneof("value") in (None, "tensor_type"):
            tensor = info.type.tensor_type
            tensor.elem_type = tensor.elem_type or TensorProto.FLOAT
            tensor.shape.SetInParent()
    try:
        checker.check_model(model)
    finally:
        del model.graph.output[:]
        model.graph.output.extend(outputs)


def _copies(infos: Iterable[ValueInfoProto]) -> list[ValueInfoProto]:
    return [ValueInfoProto.FromString(info.SerializeToString()) for info in infos]


def infer_types(model: ModelProto) -> ModelProto:
    """Return the model with the types of all its tensors; an error if operands of a node do not fit.

    Shapes are premises of inputs only: inference contradicts the text of some operators (pooling with
    `ceil_mode`, ConvTranspose with `output_shape`), and files have what an inference gave.
    """
    for info in [*model.graph.output, *model.graph.value_info]:
        if info.type.HasField("tensor_type"):
            info.type.tensor_type.ClearField("shape")
    strict = not any(node.op_type in MISTYPED for node in nodes_of(model))
    return shape_inference.infer_shapes(model, check_type=True, strict_mode=strict, data_prop=True)


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
    if any(title.startswith("com.microsoft.nchwc.") for title in found):
        lines.append("com.microsoft.nchwc has the layouts of one CPU: save the model at ORT_ENABLE_EXTENDED")
    verdict = f"{count} node{'s' * (count > 1)} of unsupported operators: {', '.join(sorted(found))}"
    raise Unsupported(verdict, "\n".join(lines), where)


def _list_names(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(map(repr, names[:SHOWN])) + more
