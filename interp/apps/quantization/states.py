"""States of propagation: of a value, and of a kernel with the values at its ports."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from interp.apps.quantization.kernels import is_float, ports_of
from interp.apps.quantization.port_rules import Ports, Rule
from interp.apps.quantization.targets import Port, Signature
from spec.ir import Op, Value
from spec.types import QuantizedType


@dataclass
class State:
    """State of a value, or of several that must have one type: `values`, in program order.

    type: the uniform type, once it is decided; immutable if the program gives it. range: the numbers that it
    takes, and where that is known from. bits: how many it takes at least. changing: whether a
    loop changes it.
    """

    key: str
    values: list[Value] = field(default_factory=list)
    ports: list[tuple[Kernel, int]] = field(default_factory=list)
    type: QuantizedType | None = None
    immutable: bool = False
    range: tuple[float, float] | None = None
    source: str = ""
    bits: int = 0
    constant: Op | None = None
    changing: bool = False

    @property
    def is_partly_seen(self) -> bool:
        """True if a loop changes the value, so that samples gave only its first and its last range."""
        return self.changing and self.source != "calibration"

    @property
    def name(self) -> str:
        return self.values[0].name if self.values else self.key

    def join(self, low: float, high: float, source: str) -> None:
        """Widen the range."""
        known = self.range or (low, high)
        self.range, self.source = (min(known[0], low), max(known[1], high)), source


@dataclass
class Kernel:
    """A region, its place in the program, and the state of the value at each port.

    row: the signature and the rule that it was found to have. forced: the types of ports whose value has
    another. floats: ports that are not to be quantized. reason: why it stays in float.
    """

    place: int
    op: Op
    states: list[State] = field(default_factory=list)
    floats: set[int] = field(default_factory=set)
    immutable: set[int] = field(default_factory=set)
    row: tuple[Signature, Rule] | None = None
    committed: bool = False
    forced: dict[int, QuantizedType] = field(default_factory=dict)
    reason: str = ""

    @property
    def name(self) -> str:
        return str(self.op["logical_kernel"])

    @property
    def title(self) -> str:
        """The kernel and the name of its first result."""
        return f"{self.name} {self.op.results[0].name}"

    @property
    def values(self) -> tuple[Value, ...]:
        return ports_of(self.op)

    @property
    def count(self) -> int:
        """The number of inputs."""
        return len(self.op.operands)

    def ports(self, signature: Signature) -> list[Port]:
        return signature.ports(self.count, len(self.op.results))

    def port(self, k: int) -> Port:
        """Return the port of the signature that was found."""
        assert self.row is not None
        return self.ports(self.row[0])[k]

    def is_quantizable(self, k: int) -> bool:
        """Return whether the kernel takes a port quantized."""
        return self.row is not None and is_float(self.values[k]) and self.port(k).storage is not None

    def type(self, k: int) -> QuantizedType | None:
        """Return the type at a port, or None while it is open, and for a port that is not quantized."""
        return self.forced.get(k) or self.states[k].type if self.is_quantizable(k) else None


def tie_group(state: State) -> Iterator[State]:
    """Yield a state and those that a kernel's rule makes equal to it, nearest first."""
    found = {id(state): state}
    todo = [state]
    for each in todo:
        yield each
        for kernel, k in each.ports:
            if kernel.row is None or not kernel.row[1].ties or not kernel.is_quantizable(k):
                continue
            for other in (kernel.states[j] for j in range(len(kernel.values)) if kernel.is_quantizable(j)):
                if id(other) not in found:
                    found[id(other)] = other
                    todo.append(other)


def view(kernel: Kernel) -> Ports:
    """Return a kernel as its rule sees it."""
    count = len(kernel.values)
    quantizable = [kernel.is_quantizable(k) for k in range(count)]
    return Ports(
        kernel.title,
        kernel.count,
        [v.type for v in kernel.values],
        [kernel.type(k) for k in range(count)],
        [kernel.port(k).storage if quantizable[k] else None for k in range(count)],
        frozenset(k for k in range(count) if kernel.states[k].immutable),
    )


def is_owned(kernel: Kernel, k: int) -> bool:
    """Return whether a rule alone decides a port: the bias of a contraction, whose scale is a product."""
    return kernel.row is not None and kernel.row[1].owns == k and k < kernel.count
