"""The signature of a target that fits a kernel, and constraints that none fits."""

from __future__ import annotations

from interp.apps.quantization.decisions import brief
from interp.apps.quantization.kernels import is_float
from interp.apps.quantization.port_rules import Rule
from interp.apps.quantization.states import Kernel, State
from interp.apps.quantization.targets import Port, Signature, Target
from spec.errors import Unsupported


def matched(target: Target, kernel: Kernel) -> tuple[tuple[Signature, Rule] | None, str]:
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
        return f"{value.name} is not to be quantized" if port.storage is not None else ""
    if port.constant and state.constant is None:
        return f"{value.name} is not constant"
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
        return _refused(target, state, f"at least {state.bits} bits")
    if state.immutable and state.type and not any(port.holds(state.type) for port in taken):
        return _refused(target, state, brief(state.type))
    return None


def _refused(target: Target, state: State, wanted: str) -> Unsupported:
    lines = []
    for kernel, k in state.ports:
        ports = {repr(kernel.ports(signature)[k]) for signature, _ in target[kernel.name]}
        lines.append(f"{kernel.title} takes {', '.join(sorted(ports)) or 'floats'}")
    where = state.ports[0][0].op.location
    advice = f"target {target.name}: {'; '.join(lines)}\nchange the constraint, or the target"
    return Unsupported(f"{state.name} cannot have {wanted}", advice, where)
