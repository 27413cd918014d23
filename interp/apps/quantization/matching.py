"""The signature of a target that fits a kernel, and constraints that none fits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from interp.apps.quantization.block_scales import misfit_of_blocks
from interp.apps.quantization.decisions import Decision, Rescale, brief, not_quantized
from interp.apps.quantization.graph import Graph, Kernel, State
from interp.apps.quantization.kernels import REGION, is_float, ports_of, rebuild, specs_of, with_specs
from interp.apps.quantization.port_rules import Rule
from interp.apps.quantization.targets import Port, Signature, Target
from spec.errors import Unsupported
from spec.ir import Module, Op
from spec.types import QuantizedType


def match_signature(target: Target, kernel: Kernel) -> tuple[tuple[Signature, Rule] | None, str]:
    """Return the first signature that fits what is known, else the first that fits with a conversion.

    Where there is none, also return why not.
    """
    rows = target[kernel.name]
    if not rows:
        return None, f"the target {target.name} has no kernel {kernel.name}"
    for exactly in (True, False):
        for row in rows:
            if not any(_misfit(kernel, k, port, exactly) for k, port in enumerate(kernel.ports(row[0]))):
                return row, ""
    misfits = (_misfit(kernel, k, port, False) for k, port in enumerate(kernel.ports(rows[0][0])))
    return None, next(filter(None, misfits), "no signature fits")


def _misfit(kernel: Kernel, k: int, port: Port, exactly: bool) -> str:
    """Return why a port does not fit what is known of its value, or ""."""
    value, state = kernel.values[k], kernel.states[k]
    if not is_float(value):
        return ""
    if k in kernel.floats:
        return not_quantized(value.name) if port.storage is not None else ""
    if (port.constant or port.block) and state.constant is None:
        return f"{value.name} is not constant"
    if port.block and (why := misfit_of_blocks(kernel, port.block)):
        return why
    if state.bits and not port.is_wide_enough(state.bits):
        return f"{value.name} needs {state.bits} bits, and the port is {port!r}"
    type = kernel.forced.get(k) or state.type
    if exactly and type is not None and not port.holds(type):
        return f"{value.name} has the type {brief(type)}, and the port is {port!r}"
    return ""


def unreachable(target: Target, state: State) -> Unsupported | None:
    """Return an error if a constraint wants a type or a width that no kernel at the value has."""
    known = [kernel for kernel, k in state.ports if target[kernel.name] and k not in kernel.floats]
    if not known:
        return None
    taken = [kernel.port(k) for kernel, k in state.ports if kernel.is_quantizable(k)]
    if state.bits and not any(port.is_wide_enough(state.bits) for port in taken):
        return _refusal(target, state, f"at least {state.bits} bits")
    if state.immutable and state.type and not any(port.holds(state.type) for port in taken):
        return _refusal(target, state, brief(state.type))
    return None


def _refusal(target: Target, state: State, wanted: str) -> Unsupported:
    lines = []
    for kernel, k in state.ports:
        ports = {repr(kernel.ports(signature)[k]) for signature, _ in target[kernel.name]}
        lines.append(f"{kernel.title} takes {', '.join(sorted(ports)) or 'floats'}")
    where = state.ports[0][0].op.location
    advice = f"target {target.name}: {'; '.join(lines)}\nchange the constraint, or the target"
    return Unsupported(f"{state.name} cannot have {wanted}", advice, where)


# The constraint that would remove a conflict: found by trying it


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
            if type.is_per_tensor and count(_annotate(module, _members(graph, name), type)) < len(rescales):
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


def _annotate(module: Module, names: Collection[str], type: QuantizedType) -> Module:
    """Return the program with a type as the spec of every port that holds one of the values."""

    def change(op: Op) -> Sequence[Op]:
        if op.name != REGION:
            return (op,)
        ports = zip(ports_of(op), specs_of(op), strict=True)
        return (with_specs(op, [type if v.name in names else spec for v, spec in ports]),)

    return rebuild(module, change)
