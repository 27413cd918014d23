"""One node of a LiteRT graph, as the function that builds it sees it: its tensors, options and writer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from interp.apps.litert.contents import NodeContent, Tensor
from interp.apps.litert.schema import ACTIVATIONS
from interp.loading.build import Element, Folds
from interp.loading.graph_node import GraphNode
from spec.faults import NAME
from spec.ir import Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType

F32, F64, I1, I8, I16, I32, I64 = (ELEMENT_TYPES[n] for n in ("f32", "f64", "i1", "i8", "i16", "i32", "i64"))


@dataclass
class Symbol:
    """A tensor of a graph: a value of the program, an array that is known, or both."""

    tensor: Tensor
    value: Value | None = None
    array: np.ndarray | None = None


Result = Value | np.ndarray
Build = Callable[["Node"], "Result | Sequence[Result]"]


class Scope(Protocol):
    """The walk through the graph of a node, and through the others that it names."""

    kernels: str

    def region(self, graph: int, inputs: Sequence[Value], b: Folds) -> list[Value]: ...

    def declare(self, place: int, name: str) -> None: ...

    def state(self, place: int, n: Node) -> Value: ...

    def assign(self, place: int, value: Value, n: Node) -> None: ...


@dataclass
class Node(GraphNode[Symbol]):
    """A node, its tensors, and the writer of the program. An input that is left out is None."""

    content: NodeContent
    inputs: list[Symbol | None]
    outputs: list[Tensor]
    intermediates: list[Tensor]
    b: Folds
    scope: Scope

    # Inputs

    def tensor(self, k: int) -> Tensor:
        return self.symbol(k).tensor

    def value(self, k: int) -> Value:
        """Return an input as a value of the program; a quantized one has its quantized type."""
        return value_in(self.b, self.symbol(k))

    def storage(self, k: int) -> Value:
        """Return the stored numbers of an input."""
        return storage_of(self.b, self.value(k))

    def is_known(self, k: int) -> bool:
        return self.has(k) and self.symbol(k).array is not None

    def constant(self, k: int) -> np.ndarray:
        """Return the stored numbers of an input on which the program depends."""
        array = self.symbol(k).array
        if array is None:
            raise self.unsupported_error(f"input {k} ('{self.tensor(k).name}') is not constant")
        return array

    def integers(self, k: int) -> list[int]:
        array = self.constant(k)
        if array.dtype.kind not in "iu":
            raise self.malformed_error(f"input {k} has elements of {array.dtype}", "expected integers")
        return [int(n) for n in array.reshape(-1)]

    def type(self, k: int) -> TensorType:
        """Return the type of an input, with the shape that it has here."""
        symbol = self.symbol(k)
        if symbol.value is not None:
            return symbol.value.type
        assert symbol.array is not None
        return TensorType(symbol.array.shape, symbol.tensor.element)

    def quantized_type(self, k: int) -> QuantizedType:
        """Return the quantized type of an input, which has one scale."""
        return self.per_tensor(self.tensor(k))

    def result(self, k: int = 0) -> QuantizedType:
        """Return the quantized type of an output, which has one scale."""
        return self.per_tensor(self.out(k))

    def out(self, k: int = 0) -> Tensor:
        if k >= len(self.outputs):
            raise self.malformed_error(f"output {k} is missing")
        return self.outputs[k]

    def per_tensor(self, tensor: Tensor) -> QuantizedType:
        element = tensor.element
        if not isinstance(element, QuantizedType) or not element.is_per_tensor:
            raise self.unsupported_error(
                f"'{tensor.name}' of {tensor.type!r}", "expected integers with one scale"
            )
        return element

    # Options

    def option(self, name: str) -> Any:
        return self.content.options[name]

    @property
    def activation(self) -> str:
        number = self.option("activation")
        if not 0 <= number < len(ACTIVATIONS):
            raise self.malformed_error(f"activation {number} is unknown")
        return ACTIVATIONS[number]

    def axes(self, k: int, rank: int) -> list[int]:
        """Return the axes that a constant input names, each once."""
        return sorted({self.place(axis, rank) for axis in self.integers(k)})

    # Errors

    def compare_at_fault(
        self, fault: str, direction: str, x: Value, y: Value, b: Folds | None = None
    ) -> Value:
        """Return a comparison that is true where the kernel has a fault, which an event names.

        b: the writer of the block, if it is one inside of the node's.
        """
        type = TensorType(x.type.shape, I1)
        attributes = {NAME: fault, "comparison_direction": direction}
        return (b or self.b).emit("compare", [x, y], type, (), **attributes)

    @property
    def title(self) -> str:
        name = self.outputs[0].name.partition(";")[0] if self.outputs else ""
        return f"operator #{self.content.place} ({self.content.operator}, '{name}')"


def value_in(b: Folds, symbol: Symbol) -> Value:
    """Return a tensor as a value; a constant is written where it is first used."""
    if symbol.value is None:
        assert symbol.array is not None
        symbol.value = b.array(symbol.array, symbol.tensor.element)
    return symbol.value


def storage_of(b: Folds, x: Value) -> Value:
    """Return the stored numbers of a quantized value; any other value unchanged."""
    return b.bitcast(x, x.type.storage_type)


def with_element(b: Folds, x: Value, element: Element) -> Value:
    """Return the same stored numbers as another type of the same storage."""
    if x.type.element_type == element:
        return x
    return b.bitcast(storage_of(b, x), element)


def differences(b: Folds, x: Value, wide: ElementType = I32) -> Value:
    """Return `q - zero_point` as integers of another type."""
    type = x.type.quantized_element_type
    numbers = b.convert(storage_of(b, x), wide)
    if type.is_per_tensor:
        return b.binary_scalar("subtract", numbers, type.zero_point) if type.zero_point else numbers
    points = b.array(np.asarray(type.zero_points), wide)
    return b.binary(
        "subtract", numbers, b.place(points, numbers.type.shape, (type.quantization_dimension or 0,))
    )


def accumulator_type(scales: Any, axis: int | None = None) -> QuantizedType:
    """Return the type of i32 sums with these scales, of which the last bits do not matter."""
    numbers = np.clip(np.asarray(scales, np.float32).reshape(-1), np.float32(2.0**-126), np.float32(3e38))
    points = (0,) * numbers.size
    low, high = I32.min_value, I32.max_value
    dimension = axis if numbers.size > 1 else None
    return QuantizedType(I32, low, high, F32, tuple(map(float, numbers)), points, dimension)


def retype(type: TensorType, element: Element) -> TensorType:
    return replace(type, element_type=element)
