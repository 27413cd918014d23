"""Inputs and outputs of a model: their declared types, with symbolic sizes bound to numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import prod
from typing import Any

from onnx import helper

from interp.apps.onnx.loading.node import element_of
from interp.loading.build import I64, Builder
from interp.loading.on_demand import Question
from interp.loading.writer import LARGEST
from spec.errors import Location, Malformed, Unsupported
from spec.ir import Func, Module, Op, Region, Value
from spec.types import TensorType, parse_type


def inputs_of(model: Any) -> list[Any]:
    """Return the inputs that are no weights: before IR version 4, weights are listed among them."""
    weights = {tensor.name for tensor in model.graph.initializer}
    return [info for info in model.graph.input if info.name not in weights]


def bound(model: Any, dims: Mapping[str, Any], types: Sequence[str] | None, where: Location) -> bool:
    """Write sizes in the place of symbolic dimensions; return whether all sizes of inputs are known.

    dims: sizes by name. types: the types of all inputs, whose sizes also bind the names.
    """
    sizes = open_sequences(model, dims, where)
    inputs = inputs_of(model)
    for info in [*inputs, *model.graph.output, *model.graph.value_info]:
        for d in _dims(info):
            if d.dim_value == -1:  # which older exporters write for an unknown size
                d.ClearField("dim_value")
    symbols = {d.dim_param for info in inputs for d in _dims(info) if d.dim_param}
    if unknown := sorted(set(sizes) - symbols):
        known = ", ".join(sorted(symbols)) or "none"
        raise Malformed(f"no dimension is named {unknown[0]!r}", f"symbolic dimensions: {known}", where)
    for info, text in zip(inputs, types or (), strict=False):
        _bind(info, parse_type(text), sizes, where)
    for info in [*inputs, *model.graph.output, *model.graph.value_info]:
        for d in _dims(info):
            if d.dim_param in sizes:
                d.dim_value = sizes[d.dim_param]  # which takes the name's place
    return all(d.HasField("dim_value") for info in inputs for d in _dims(info))


def open_sequences(model: Any, dims: Mapping[str, Any], where: Location) -> dict[str, int]:
    """Put tensors in the place of inputs that are sequences or optionals; return the other sizes of `dims`.

    dims has the shapes of the tensors, `{"x": [(2, 3), (4,)]}`; an optional without an entry is empty.
    """
    rest, graph = dict(dims), model.graph
    for place, info in reversed(list(enumerate(graph.input))):
        if info.type.WhichOneof("value") in (None, "tensor_type"):
            continue
        is_optional = info.type.HasField("optional_type")
        inner = info.type.optional_type.elem_type if is_optional else info.type
        is_sequence = inner.HasField("sequence_type")
        element = inner.sequence_type.elem_type if is_sequence else inner
        shapes = rest.pop(info.name, [] if is_optional else None)
        is_list = isinstance(shapes, list | tuple) and all(isinstance(s, list | tuple) for s in shapes)
        if not is_list or not element.HasField("tensor_type") or (len(shapes) > 1 and not is_sequence):
            what = "a sequence of tensors" if is_sequence else "an optional"
            what_to_do = f"give the shapes of its tensors, each an argument: dims={{{info.name!r}: [(2, 3)]}}"
            raise Unsupported(f"'{info.name}' is {what}", what_to_do, where)
        kind = element.tensor_type.elem_type
        shapes_by_name = {f"{info.name}.{k}": shape for k, shape in enumerate(shapes)}
        parts = [helper.make_tensor_value_info(name, kind, shape) for name, shape in shapes_by_name.items()]
        del graph.input[place]
        for part in reversed(parts):
            graph.input.insert(place, part)
        for node in reversed(_collect(info.name, list(shapes_by_name), inner, kind, is_optional)):
            graph.node.insert(0, node)
    return rest


def _collect(name: str, parts: list[str], type: Any, kind: int, is_optional: bool) -> list[Any]:
    """Return the nodes that make a sequence or an optional of its tensors."""
    if is_optional and not parts:
        return [helper.make_node("Optional", [], [name], type=type)]
    nodes, inner = [], parts[0] if parts else ""
    if type.HasField("sequence_type"):
        inner = f"{name}.sequence" if is_optional else name
        make = partial(helper.make_node, outputs=[inner])
        nodes.append(make("SequenceConstruct", parts) if parts else make("SequenceEmpty", [], dtype=kind))
    return [*nodes, helper.make_node("Optional", [inner], [name])] if is_optional else nodes


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
    refuse_large(info, where)
    return TensorType(tuple(sizes), element_of(tensor.elem_type))  # type: ignore[arg-type]


def refuse_large(info: Any, where: Location) -> None:
    """Raise `Unsupported` if a tensor has more elements than a value may have."""
    sizes = [d.dim_value for d in _dims(info)]
    if prod(size or 1 for size in sizes) > LARGEST:
        raise Unsupported(f"'{info.name}' is too large", f"shape: {sizes}, at most {LARGEST} elements", where)


def dynamic(model: Any, name: str, question: Question | None = None) -> Module:
    """Return the signature of a model whose sizes are unknown; its body is made once arguments give them.

    question: the first one that decides sizes, if all sizes of the inputs are known.
    """
    where, b = Location(name), Builder(set())
    inputs = [Value(b.fresh(i.name), declared_type(i, where), i.name) for i in inputs_of(model)]
    declared = model.graph.output
    if not all(i.type.tensor_type.HasField("shape") for i in declared):
        declared = []  # of some, not even the rank or the number is known yet
    outputs = [Value(b.fresh(i.name), declared_type(i, where), i.name) for i in declared]
    names = {d.dim_param: 1 for info in inputs_of(model) for d in _dims(info) if d.dim_param}
    options = " ".join(f"--dims {name}=1" for name in names)
    named = f"or give sizes to names: interp.load(path, dims={names}); {options}" if names else ""
    extra: list[Value] = []
    attributes = {"call_target_name": "onnx.model", "backend_config": question.reason if question else named}
    if (
        question or not outputs
    ):  # a value of unknown size makes the module dynamic, even if all outputs have known sizes
        extra = [Value(b.fresh("sizes"), TensorType((None,), I64))]  # type: ignore[arg-type]
    call = Op("stablehlo.custom_call", tuple(inputs), (*outputs, *extra), attributes)
    body = Region(tuple(inputs), (call, Op("func.return", tuple(outputs), ())))
    return Module({"main": Func("main", body, tuple(v.type for v in outputs))})
