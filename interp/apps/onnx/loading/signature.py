"""Inputs and outputs of a model: their declared types, with symbolic sizes bound to numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from interp.apps.onnx.loading.build import LARGEST, Builder
from interp.apps.onnx.loading.tensors import element_of
from spec.errors import Location, Malformed, Unsupported
from spec.ir import Func, Module, Op, Region, Value
from spec.types import TensorType, parse_type


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


def declared(info: Any, where: Location) -> TensorType:
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
        wanted = declared(info, where)
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
    inputs = [Value(b.fresh(i.name), declared(i, where), i.name) for i in inputs_of(model)]
    outputs = [Value(b.fresh(i.name), declared(i, where), i.name) for i in model.graph.output]
    call = Op("stablehlo.custom_call", tuple(inputs), tuple(outputs), {"call_target_name": "onnx.model"})
    body = Region(tuple(inputs), (call, Op("func.return", tuple(outputs), ())))
    return Module({"main": Func("main", body, tuple(v.type for v in outputs))})
