"""The constraint that would remove a conflict: found by trying it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from interp.apps.quantization.decisions import Decision, Rescale
from interp.apps.quantization.graph import Graph
from interp.apps.quantization.kernels import REGION, ports_of, rebuilt, specs_of, with_specs
from spec.ir import Module, Op
from spec.types import QuantizedType

# Conflicts of a program for which a remedy is looked for; each try is a propagation of its own.
TRIED = 12
Count = Callable[[Module], int]


def with_remedies(
    module: Module,
    graph: Graph,
    decisions: Sequence[Decision],
    rescales: Sequence[Rescale],
    count: Count,
) -> list[Rescale]:
    """Return conflicts with a constraint that leaves fewer of them; None where no single one does.

    count: how many conflicts the propagation of a program has. Tried are the value in the type that is
    wanted, the value that its own type follows from, and each other value of the kernel in the value's type.
    """
    found = list(rescales)
    for k, rescale in enumerate(rescales[:TRIED]):
        kernel = next(each for each in graph.kernels if each.title == rescale.kernel)
        others = [(v.name, rescale.was) for v in kernel.values if v.name != rescale.value]
        values = (rescale.value, _origin(decisions, rescale.value))
        for name, type in [*((value, rescale.becomes) for value in values), *others]:
            if type.is_per_tensor and count(_annotated(module, _members(graph, name), type)) < len(rescales):
                found[k] = replace(rescale, remedy=(name, type))
                break
    return found


def _origin(decisions: Sequence[Decision], value: str) -> str:
    """Return the value from which the type of a value follows, and which itself follows from none."""
    neighbours = {each.value: each.neighbour for each in decisions}
    seen = {value}
    while (neighbour := neighbours.get(value, "")) and neighbour not in seen:
        seen.add(neighbour)
        value = neighbour
    return value


def _members(graph: Graph, name: str) -> set[str]:
    """Return the names of the values that share a state with a value."""
    states = (s for s in graph.distinct if any(v.name == name for v in s.values))
    return {v.name for state in states for v in state.values}


def _annotated(module: Module, names: Collection[str], type: QuantizedType) -> Module:
    """Return the program with a type as the spec of every port that holds one of the values."""

    def change(op: Op) -> Sequence[Op]:
        if op.name != REGION:
            return (op,)
        ports = zip(ports_of(op), specs_of(op), strict=True)
        return (with_specs(op, [type if v.name in names else spec for v, spec in ports]),)

    return rebuilt(module, change)
