"""One node of an ONNX graph, as the function that builds it sees it: its tensors, attributes and windows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper

from interp.backends.dtypes import numpy_dtype
from interp.loading.build import F32, F64, Folds
from interp.loading.graph_node import GraphNode
from interp.loading.on_demand import Question
from spec.attributes import Dense
from spec.errors import Malformed, Unsupported
from spec.ir import Value
from spec.types import ELEMENT_TYPES, ElementType, TensorType

# ONNX's element types, and the arrays of its tensors, whose data may stand in files beside the model.

NAME_SCOPES = "pkg.torch.onnx.name_scopes"  # the modules around a node, and its name, in PyTorch's exporter
LARGEST = 1 << 31  # bytes of all weights: protobuf holds no more in one message

# The names of ONNX's element types, as those of MLIR.
ELEMENTS = {
    "FLOAT": "f32",
    "UINT8": "ui8",
    "INT8": "i8",
    "UINT16": "ui16",
    "INT16": "i16",
    "INT32": "i32",
    "INT64": "i64",
    "BOOL": "i1",
    "FLOAT16": "f16",
    "DOUBLE": "f64",
    "UINT32": "ui32",
    "UINT64": "ui64",
    "COMPLEX64": "complex<f32>",
    "COMPLEX128": "complex<f64>",
    "BFLOAT16": "bf16",
    "FLOAT8E4M3FN": "f8E4M3FN",
    "FLOAT8E4M3FNUZ": "f8E4M3FNUZ",
    "FLOAT8E5M2": "f8E5M2",
    "FLOAT8E5M2FNUZ": "f8E5M2FNUZ",
    "FLOAT8E8M0": "f8E8M0FNU",
    "FLOAT4E2M1": "f4E2M1FN",
    "FLOAT6E2M3": "f6E2M3FN",
    "FLOAT6E3M2": "f6E3M2FN",
    "UINT4": "ui4",
    "INT4": "i4",
    "UINT2": "ui2",
    "INT2": "i2",
}


def element_of(data_type: int) -> ElementType:
    """Return the element type for a number of `TensorProto.DataType`."""
    if data_type not in TensorProto.DataType.values():
        raise Malformed(f"unknown element type {data_type}", "expected a number of TensorProto.DataType")
    name = TensorProto.DataType.Name(data_type)
    if name == "UNDEFINED":
        raise Malformed("a tensor without an element type", "expected data_type")
    if name not in ELEMENTS:
        raise Unsupported(f"tensors of {name}", "expected numbers or booleans")
    return ELEMENT_TYPES[ELEMENTS[name]]


def element_of_dtype(dtype: np.dtype) -> ElementType:
    """Return the element type of an array of `onnx.numpy_helper`."""
    return element_of(onnx.helper.np_dtype_to_tensor_dtype(dtype))


def to_storage(array: np.ndarray, element: ElementType) -> np.ndarray:
    """Return an array in the container of its elements."""
    return np.asarray(array).astype(numpy_dtype(element))


def array_of(tensor: TensorProto) -> np.ndarray:
    """Return the elements of a tensor."""
    element_of(tensor.data_type)
    if tensor.data_location == TensorProto.EXTERNAL:
        raise Malformed(f"tensor '{tensor.name}' stands in another file", "only weights of graphs may")
    if any(n < 0 for n in tensor.dims):
        raise Malformed(f"tensor '{tensor.name}' has a negative size", f"dims: {list(tensor.dims)}")
    try:
        return numpy_helper.to_array(tensor)
    except (ValueError, TypeError) as error:
        raise Malformed(f"tensor '{tensor.name}' cannot be read", str(error)) from None


def elements(dense: Dense) -> np.ndarray:
    """Return the stored numbers of a constant as an array."""
    return np.frombuffer(dense.data, numpy_dtype(dense.type.storage_type)).reshape(dense.type.shape)


def take_in(tensor: TensorProto, directory: str) -> None:
    """Read the data of a tensor that stand in another file, which must be beside the model or below.

    directory: that of the model, "" if it is not a file.
    """
    if tensor.data_location != TensorProto.EXTERNAL:
        return
    said = {entry.key: entry.value for entry in tensor.external_data}
    where = said.get("location", "")
    if not directory:
        advice = "load the model from its path, or with its data inside"
        raise Malformed(f"tensor '{tensor.name}' stands in another file, {where!r}", advice)
    root = os.path.realpath(directory)
    path = os.path.realpath(os.path.join(root, where))
    if not where or os.path.commonpath([root, path]) != root or not os.path.isfile(path):
        advice = f"expected a file in the directory of the model, got {where!r}"
        raise Malformed(f"no file with the data of tensor '{tensor.name}'", advice)
    offset, length = int(said.get("offset") or 0), int(said.get("length") or os.path.getsize(path))
    if offset < 0 or length < 0 or offset + length > os.path.getsize(path):
        raise Malformed(f"the data of tensor '{tensor.name}' end behind the file", f"file: {where!r}")
    with open(path, "rb") as file:
        file.seek(offset)
        tensor.raw_data = file.read(length)
    tensor.ClearField("external_data")
    tensor.data_location = TensorProto.DEFAULT


def attribute_value(attribute: Any) -> Any:
    """Return the value of an attribute, text decoded."""
    value = onnx.helper.get_attribute_value(attribute)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, list) and value and isinstance(value[0], bytes):
        return [text.decode("utf-8", "replace") for text in value]
    return value


@dataclass
class Symbol:
    """A tensor of the graph: a value of the program, an array that is known, or both; else a sequence.

    compute: returns the array of a value that constants determine, once somebody must know it. items: the
    elements of a sequence. An optional is what it holds, or a symbol without anything.
    """

    value: Value | None = None
    array: np.ndarray | None = None
    compute: Callable[[], np.ndarray] | None = None
    items: tuple[Symbol, ...] | None = None

    @property
    def is_known(self) -> bool:
        return self.array is not None or self.compute is not None

    @property
    def is_tensor(self) -> bool:
        return self.value is not None or self.is_known

    def copy(self) -> Symbol:
        """Return a symbol whose value may come to stand in another block."""
        items = None if self.items is None else tuple(item.copy() for item in self.items)
        return replace(self, items=items)

    def to_array(self) -> np.ndarray:
        if self.array is None:
            assert self.compute is not None
            self.array = self.compute()
        return self.array

    @property
    def type(self) -> TensorType:
        if self.value is not None:
            return self.value.type
        array = self.to_array()
        return TensorType(array.shape, element_of_dtype(array.dtype))

    def __repr__(self) -> str:
        if self.items is not None:
            return f"a sequence of {list(self.items)}"
        return repr(self.type) if self.is_tensor else "an empty optional"


Result = Value | np.ndarray | Symbol


def value_in(b: Folds, symbol: Symbol) -> Value:
    """Return a tensor as a value of a block, which may have a quantized type."""
    if symbol.value is None:
        array, type = symbol.to_array(), symbol.type
        symbol.value = b.array(to_storage(array, type.storage_type), type.element_type)
    return symbol.value


def plain(b: Folds, x: Value) -> Value:
    """Return the stored numbers of a quantized value; any other value unchanged."""
    return b.bitcast(x, x.type.storage_type)


class Demand(Exception):
    """The end of a walk that cannot go on without the answer to a question."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.reason)
        self.question = question


class Scope(Protocol):
    """The walk through the graph of a node."""

    def graph(self, graph: Any, inputs: Sequence[Symbol], b: Folds) -> list[Symbol]: ...

    def ask(self, value: Value, title: str) -> np.ndarray | None: ...


@dataclass
class Node(GraphNode[Symbol]):
    """A node, its inputs, and the writer of the program.

    version: the version of its operator, which is that of the model's opset or older.
    """

    proto: Any
    inputs: list[Symbol | None]
    b: Folds
    version: int
    scope: Scope

    # Inputs

    def symbol(self, k: int) -> Symbol:
        symbol = super().symbol(k)
        if not symbol.is_tensor:
            raise self.malformed_error(f"input {k} is {symbol!r}", "expected a tensor")
        return symbol

    def items(self, k: int) -> tuple[Symbol, ...]:
        """Return the elements of an input that is a sequence."""
        symbol = self.inputs[k] if k < len(self.inputs) else None
        if symbol is None or symbol.items is None:
            raise self.malformed_error(f"input {k} is {symbol!r}", "expected a sequence")
        return symbol.items

    def type(self, k: int) -> TensorType:
        return self.symbol(k).type

    def raw_value(self, k: int) -> Value:
        """Return an input as the value that it is, which may have a quantized type."""
        return value_in(self.b, self.symbol(k))

    def value(self, k: int) -> Value:
        """Return an input with the element type that it has in ONNX."""
        return self.plain(self.raw_value(k))

    def plain(self, x: Value) -> Value:
        """Return the stored numbers of a quantized value; any other value unchanged."""
        return plain(self.b, x)

    def constant(self, k: int) -> np.ndarray:
        """Return the elements of an input that the program's shapes depend on.

        Constants and shapes determine it, or arguments (`Demand`); `Unsupported` if it differs by iteration.
        """
        return self.constant_of(self.symbol(k), f"input {k} ('{self.proto.input[k]}')")

    def constant_of(self, symbol: Symbol, title: str) -> np.ndarray:
        """Return the elements of a tensor, as `constant` does; title: what it is to the node."""
        if not symbol.is_known:
            symbol.array = self.evaluate(self.plain(value_in(self.b, symbol)), title)
        return symbol.to_array()

    def evaluate(self, value: Value, title: str) -> np.ndarray:
        """Return the elements of a value that the program's shapes depend on, as `constant` does."""
        array = self.scope.ask(value, f"{self.title}: {title}")
        if array is None:
            advice = "shapes, axes and parameters must not depend on the iteration of a loop that stays one"
            raise self.unsupported_error(f"{title} is not constant", advice)
        return array

    def integers(self, k: int) -> list[int]:
        return [int(n) for n in self.constant(k).reshape(-1)]

    # Attributes

    @cached_property
    def attributes(self) -> dict[str, Any]:
        return {a.name: attribute_value(a) for a in self.proto.attribute}

    def attribute(self, name: str, default: Any = None) -> Any:
        """Return an attribute, or its default, which is rounded to f32 as floats in attributes are."""
        default = float(np.float32(default)) if isinstance(default, float) else default
        return self.attributes.get(name, default)

    def parameter(self, name: str, k: int, default: Any = None) -> Any:
        """Return integers that are an attribute in older versions, and an input in newer ones."""
        if name in self.attributes:
            return self.attributes[name]
        return self.integers(k) if self.has(k) else default

    def axis(self, default: int, rank: int, name: str = "axis") -> int:
        return self.place(self.attribute(name, default), rank)

    def places(self, axes: Sequence[int], rank: int) -> list[int]:
        found = [self.place(axis, rank) for axis in axes]
        if len(set(found)) < len(found):
            raise self.malformed_error(f"axes repeat: {list(axes)}")
        return found

    # Errors

    @property
    def title(self) -> str:
        name = self.proto.name or next(iter(self.proto.output), "")
        return f"node '{name}' ({self.proto.op_type})"

    @property
    def title_in_module(self) -> str:
        """The title, and the module of PyTorch that the node stands in, if its exporter says so."""
        props = {prop.key: prop.value for prop in self.proto.metadata_props}
        *modules, _ = re.findall(r"'([\w.]*)'", props.get(NAME_SCOPES, "")) or [""]
        return f"{self.title} in {modules[-1]}" if modules and modules[-1] else self.title


def numeric(element: ElementType) -> bool:
    return element.kind in ("signed", "unsigned", "float")


def to_float(n: Node, x: Value) -> Value:
    """Return numbers in the float type that they are interpolated in: f32, or f64 where f32 is too narrow."""
    element = x.type.tensor_element_type
    if not numeric(element):
        raise n.unsupported_error(f"interpolation of {element}", "expected integers or floats")
    return n.b.convert(x, F64 if element.bits > (24 if element.is_integer else 32) else F32)


Build = Callable[[Node], "Result | Sequence[Result]"]


# Geometry of windows as ONNX's attributes give it: padding, dilation, and positions beyond the end.


def window_reach(sizes: Sequence[int], dilations: Sequence[int]) -> list[int]:
    """Return how far a window reaches along each dimension."""
    return [(size - 1) * d + 1 for size, d in zip(sizes, dilations, strict=True)]


def spatial_padding(
    n: Node, sizes: Sequence[int], reach: Sequence[int], strides: Sequence[int]
) -> list[tuple[int, int]]:
    """Return the padding of each spatial dimension, from `pads` or `auto_pad`."""
    how = n.attribute("auto_pad", "NOTSET")
    rank = len(sizes)
    if how in ("NOTSET", "VALID"):
        pads = n.attribute("pads", [0] * 2 * rank) if how == "NOTSET" else [0] * 2 * rank
        return [(pads[d], pads[d + rank]) for d in range(rank)]
    if how not in ("SAME_UPPER", "SAME_LOWER"):
        raise n.malformed_error(f"auto_pad {how!r}", "expected NOTSET, VALID, SAME_UPPER or SAME_LOWER")
    found = []
    for size, r, stride in zip(sizes, reach, strides, strict=True):
        total = max(0, (-(-size // stride) - 1) * stride + r - size)
        less, more = total // 2, total - total // 2
        found.append((less, more) if how == "SAME_UPPER" else (more, less))
    return found
