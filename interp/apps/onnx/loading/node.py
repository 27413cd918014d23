"""One node of an ONNX graph, as the function that builds it sees it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from interp.apps.onnx.loading.build_folds import Folds
from interp.apps.onnx.loading.tensors import attribute_value, element_of_dtype, to_storage
from spec.errors import InterpError, Location, Malformed, Unsupported
from spec.ir import Value
from spec.types import ElementType, TensorType

Result = Value | np.ndarray


@dataclass
class Symbol:
    """A tensor of the graph: a value of the program, an array that is known, or both.

    compute: returns the array of a value that constants determine, once somebody must know it.
    """

    value: Value | None = None
    array: np.ndarray | None = None
    compute: Callable[[], np.ndarray] | None = None

    @property
    def is_known(self) -> bool:
        return self.array is not None or self.compute is not None

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


@dataclass
class Node:
    """A node, its inputs, and the writer of the program.

    version: the version of its operator, which is that of the model's opset or older.
    """

    proto: Any
    inputs: list[Symbol | None]
    b: Folds
    version: int

    # Inputs

    def has(self, k: int) -> bool:
        """Return whether an optional input is given."""
        return k < len(self.inputs) and self.inputs[k] is not None

    def symbol(self, k: int) -> Symbol:
        symbol = self.inputs[k] if k < len(self.inputs) else None
        if symbol is None:
            raise self.malformed_error(f"input {k} is missing")
        return symbol

    def type(self, k: int) -> TensorType:
        return self.symbol(k).type

    def raw_value(self, k: int) -> Value:
        """Return an input as the value that it is, which may have a quantized type."""
        symbol = self.symbol(k)
        if symbol.value is None:
            array, type = symbol.to_array(), symbol.type
            symbol.value = self.b.array(to_storage(array, type.storage_type), type.element_type)
        return symbol.value

    def value(self, k: int) -> Value:
        """Return an input with the element type that it has in ONNX."""
        return self.plain(self.raw_value(k))

    def plain(self, x: Value) -> Value:
        """Return the stored numbers of a quantized value; any other value unchanged."""
        return self.b.bitcast(x, x.type.storage_type)

    def values(self) -> list[Value]:
        return [self.value(k) for k in range(len(self.inputs)) if self.has(k)]

    def constant(self, k: int) -> np.ndarray:
        """Return an input that constants and shapes determine; `Unsupported` if they do not."""
        symbol = self.symbol(k)
        if not symbol.is_known:
            advice = "shapes, axes and parameters must follow from constants and from the shapes of inputs"
            raise self.unsupported_error(f"input {k} ('{self.proto.input[k]}') is not constant", advice)
        return symbol.to_array()

    def integers(self, k: int) -> list[int]:
        return [int(n) for n in self.constant(k).reshape(-1)]

    # Attributes

    @cached_property
    def attributes(self) -> dict[str, Any]:
        return {a.name: attribute_value(a) for a in self.proto.attribute}

    def attribute(self, name: str, default: Any = None) -> Any:
        return self.attributes.get(name, default)

    def parameter(self, name: str, k: int, default: Any = None) -> Any:
        """Return integers that are an attribute in older versions, and an input in newer ones."""
        if name in self.attributes:
            return self.attributes[name]
        return self.integers(k) if self.has(k) else default

    def axis(self, default: int, rank: int, name: str = "axis") -> int:
        return self.place(self.attribute(name, default), rank)

    def place(self, axis: int, rank: int) -> int:
        """Return an axis counted from the front; `Malformed` if the rank is smaller."""
        if not -rank <= axis < rank:
            raise self.malformed_error(f"axis {axis} is out of range for rank {rank}")
        return axis % rank

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

    def malformed_error(self, reason: str, evidence: str = "") -> InterpError:
        return Malformed(f"{self.title}: {reason}", evidence, Location(self.b.location.file))

    def unsupported_error(self, reason: str, evidence: str = "") -> InterpError:
        return Unsupported(f"{self.title}: {reason}", evidence, Location(self.b.location.file))


def numeric(element: ElementType) -> bool:
    return element.kind in ("signed", "unsigned", "float")


Build = Callable[[Node], "Result | Sequence[Result]"]
