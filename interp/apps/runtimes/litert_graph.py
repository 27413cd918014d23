"""A model of LiteRT while a program is translated into it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version

import numpy as np

from interp.apps.runtimes.litert_model import Node, Operator, Slot, Subgraph, model, run
from interp.apps.runtimes.translation import Operand, Refused, need
from spec.quantized import storage_range
from spec.types import TensorType

# Element types as the schema names them; those it has in packed form are left out.
SIZES = (8, 16, 32, 64)
INTEGERS = {f"i{bits}": f"int{bits}" for bits in SIZES} | {f"ui{bits}": f"uint{bits}" for bits in SIZES}
NAMES = {"i1": "bool", "f16": "float16", "f32": "float32", "f64": "float64", **INTEGERS}
QUANTIZED = ("i8", "ui8", "i16")  # storage of quantized tensors; i32 is of biases alone


def slot_of(type: TensorType, data: np.ndarray | None = None) -> Slot:
    """Return a tensor of the model for a type of the program."""
    storage = type.storage_type
    need(storage.name in NAMES, f"element type {storage}")
    if not type.is_quantized:
        return Slot(NAMES[storage.name], type.shape, data=data)
    need(storage.name in QUANTIZED, f"quantized {storage}")
    element = type.quantized_element_type
    bounds = element.storage_min, element.storage_max
    need(bounds == storage_range(storage), "storage bounds narrower than the type")
    need(element.expressed_type.name == "f32", f"expressed type {element.expressed_type}")
    need(element.block_sizes is None, "scales per block")
    axis = element.quantization_dimension or 0
    scales = np.array(element.scales, np.float32).tolist()
    return Slot(NAMES[storage.name], type.shape, scales, element.zero_points, axis, data)


class LitertGraph:
    """Tensors and operators of a model, and the values of its inputs."""

    resolver = "delegated"

    def __init__(self) -> None:
        self.slots: list[Slot] = []
        self.nodes: list[Node] = []
        self.inputs: list[int] = []
        self.feeds: list[np.ndarray] = []
        self.bodies: list[Subgraph] = []
        self.how: list[str] = []

    def argument(self, name: str, type: TensorType, x: np.ndarray) -> Operand:
        place = self.hold(slot_of(type))
        self.inputs.append(place)
        self.feeds.append(x)
        return Operand(place, type, x)

    def constant(self, type: TensorType, x: np.ndarray) -> Operand:
        full = np.broadcast_to(x, type.shape)
        return Operand(self.hold(slot_of(type, full)), type, full)

    def integers(self, values: Sequence[int]) -> int:
        """Keep a list of int32, as operators take axes and shapes."""
        return self.hold(Slot("int32", (len(values),), data=np.array(values, np.int32)))

    def hold(self, slot: Slot) -> int:
        self.slots.append(slot)
        return len(self.slots) - 1

    def add(
        self,
        name: str,
        inputs: Sequence[int],
        type: TensorType,
        options: str = "",
        values: Mapping[str, object] | None = None,
        version: int = 1,
    ) -> Operand:
        """Add an operator with a result of this type."""
        place = self.hold(slot_of(type))
        self.nodes.append(Node(Operator(name, options, values or {}, version), inputs, [place]))
        return Operand(place, type)

    def run(self, results: Sequence[Operand]) -> list[np.ndarray]:
        graph = Subgraph(self.slots, self.nodes, self.inputs, [x.handle for x in results])
        try:
            arrays = run(model(graph, *self.bodies), self.feeds, self.resolver)
        except (ValueError, RuntimeError) as error:  # that no kernel is registered, or what a kernel says
            raise Refused(str(error)) from None
        return [np.asarray(x) for x in arrays]


class ReferenceGraph(LitertGraph):
    """A model that the reference kernels run."""

    resolver = "reference"


def versions() -> str:
    """Return the versions of what runs."""
    return f"ai-edge-litert {version('ai-edge-litert')}"
