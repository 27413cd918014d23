"""A node of an exporter's graph: what those of ONNX and of LiteRT have in common."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from interp.loading.build import Folds
from spec.errors import InterpError, Location, Malformed, Unsupported
from spec.ir import Value

Symbol = TypeVar("Symbol")  # a tensor of the graph


class GraphNode(Generic[Symbol]):
    """A node with its inputs, and the writer of the program. An input that is left out is None."""

    inputs: list[Symbol | None]
    b: Folds
    title: Any  # what errors call the node

    def has(self, k: int) -> bool:
        """Return whether an optional input is given."""
        return k < len(self.inputs) and self.inputs[k] is not None

    def symbol(self, k: int) -> Symbol:
        symbol = self.inputs[k] if k < len(self.inputs) else None
        if symbol is None:
            raise self.malformed_error(f"input {k} is missing")
        return symbol

    def value(self, k: int) -> Value:
        """Return an input as a value of the program."""
        raise NotImplementedError

    def values(self) -> list[Value]:
        """Return all inputs that are given."""
        return [self.value(k) for k in range(len(self.inputs)) if self.has(k)]

    def place(self, axis: int, rank: int) -> int:
        """Return an axis counted from the front; `Malformed` if the rank is smaller."""
        if not -rank <= axis < rank:
            raise self.malformed_error(f"axis {axis} is out of range for rank {rank}")
        return axis % rank

    def malformed_error(self, reason: str, evidence: str = "") -> InterpError:
        return Malformed(f"{self.title}: {reason}", evidence, Location(self.b.location.file))

    def unsupported_error(self, reason: str, evidence: str = "") -> InterpError:
        return Unsupported(f"{self.title}: {reason}", evidence, Location(self.b.location.file))
