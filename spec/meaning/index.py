"""Index vectors, index spaces, the oracle's tensor, and the context in which an operation is evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any, NamedTuple

from spec.accumulation import Accumulation
from spec.accumulator import LITERAL, Reading
from spec.ir import Module, Op
from spec.processes import Process
from spec.schedule import Schedule
from spec.types import TensorType


class Index(tuple[int, ...]):
    """An index vector. Arithmetic is per dimension, and integers broadcast: `Index((1, 2)) * 2 + (0, 1)`."""

    def _zip(self, other: Sequence[int] | int) -> Iterator[tuple[int, int]]:
        return zip(self, [other] * len(self) if isinstance(other, int) else other, strict=True)

    def __add__(self, other: Any) -> Index:
        return Index(a + b for a, b in self._zip(other))

    def __sub__(self, other: Sequence[int] | int) -> Index:
        return Index(a - b for a, b in self._zip(other))

    def __mul__(self, other: Any) -> Index:
        return Index(a * b for a, b in self._zip(other))

    def inside(self, shape: Sequence[int]) -> bool:
        """Return whether `0 <= index < shape` in every dimension."""
        return all(0 <= i < n for i, n in zip(self, shape, strict=True))


def index_space(shape: Sequence[int]) -> Iterator[Index]:
    """Return all indices of a shape in lexicographic order."""
    return (Index(i) for i in product(*map(range, shape)))


@dataclass(frozen=True)
class Tensor:
    """A value of the oracle: elements in row-major order, as Python numbers.

    bool for booleans; int for integers and for the storage of quantized elements; float for every
    floating-point format (a binary64 holds each of them exactly); complex for complex.
    """

    type: TensorType
    elements: tuple[Any, ...]

    def __getitem__(self, index: Sequence[int]) -> Any:
        flat = 0
        for i, n in zip(index, self.type.shape, strict=True):
            flat = flat * n + i
        return self.elements[flat]

    @property
    def item(self) -> Any:
        """Return the element of a 0-dimensional tensor."""
        (element,) = self.elements
        return element


def build(type: TensorType, element: Callable[[Index], Any]) -> Tensor:
    """Return a tensor with `result[index] = element(index)` for all indices of `type`."""
    result = Tensor(type, tuple(element(index) for index in index_space(type.shape)))
    assert len(result.elements) == prod(type.shape)
    return result


# Context in which an operation is evaluated, besides its operands.

Order = Schedule | Accumulation
Results = tuple[Tensor, ...]
EMPTY = Module({})
ALONE = Process()  # says nothing to anybody: for operations that are looked at one by one


class Context(NamedTuple):
    """Everything that the meaning of an operation may use besides its operands."""

    schedule: Order
    bodies: tuple[Callable[..., Results], ...]  # the op's regions, as functions on tensors
    call: Callable[[str, Sequence[Tensor]], Results]  # a function of the module, by name
    process: Process = ALONE
    module: Module = EMPTY
    reading: Reading = LITERAL
    at: Callable[[Process], Any] = lambda process: None  # the same context in another process


Meaning = Callable[[Op, Sequence[Tensor], Context], Results]
