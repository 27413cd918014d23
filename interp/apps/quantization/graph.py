"""The kernels of a program and the values between them, with their states, as propagation sees both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from interp.apps.quantization.constants import CONSTANT, array
from interp.apps.quantization.kernels import (
    CONTROL,
    REGION,
    STATS,
    changed_by_loop,
    is_float,
    is_unconstrained,
    ports_of,
    specs_of,
)
from interp.apps.quantization.port_rules import Ports, Rule
from interp.apps.quantization.targets import Port, Signature, width
from interp.engine.walk import LOOP
from spec.attributes import Dense
from spec.errors import Malformed
from spec.ir import Func, Op, Region, Value
from spec.quant_kinds import AnyQuantizedType, CalibratedType
from spec.types import ElementType, QuantizedType

# States of propagation: of a value, and of a kernel with the values at its ports.


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


COUPLED = "quant.coupled_ref"


@dataclass
class Graph:
    """The kernels in program order, and the states of values by the values' names."""

    kernels: list[Kernel]
    states: dict[str, State]
    definitions: dict[str, Op]

    @property
    def distinct(self) -> list[State]:
        """The states, once each, in program order of the first kernel that uses them."""
        return list({id(s): s for kernel in self.kernels for s in kernel.states}.values())

    def is_made_by_a_kernel(self, state: State) -> bool:
        """Return whether a kernel gives the value, or control flow carries it, so that it is stored."""
        given = any(k >= kernel.count and kernel.row for kernel, k in state.ports)
        return given or self.is_carried(state)

    def is_carried(self, state: State) -> bool:
        """Return whether control flow carries the value: several values that have one type."""
        makers = (self.definitions.get(v.name) for v in state.values)
        return len(state.values) > 1 and any(op is None or op.name in CONTROL for op in makers)


def graph(main: Func) -> Graph:
    """Return the graph of a function: values that control flow or a key couples share a state."""
    found = _Builder()
    found.block(main.body)
    return found.graph()


class _Builder:
    def __init__(self) -> None:
        self.parents: dict[str, str] = {}
        self.coupled: dict[str, str] = {}
        self.definitions: dict[str, Op] = {}
        self.regions: list[Op] = []
        self.ranges: list[tuple[str, Op]] = []
        self.changing: list[str] = []  # values that a loop changes
        self.values: dict[str, Value] = {}

    def block(self, body: Region) -> None:
        self.values |= {v.name: v for v in body.arguments}
        for op in body.ops:
            self.values |= {v.name: v for v in op.results}
            self.definitions |= {v.name: op for v in op.results}
            if op.name == REGION:
                self.regions.append(op)
            elif op.name in CONTROL:
                for inner in op.regions:
                    self.block(inner)
                self.control(op)
            elif op.name in (*STATS, COUPLED):
                self.identity(op)
            elif op.name == "stablehlo.optimization_barrier":
                self.alike(op.operands, op.results)

    def control(self, op: Op) -> None:
        """Couple the values that an iteration or a branch passes on."""
        if op.name == LOOP:
            self.changing += [v.name for v in changed_by_loop(op)]
            for values in (op.regions[0].arguments, op.regions[1].arguments, op.regions[1].returns):
                self.alike(op.operands, values)
            self.alike(op.operands, op.results)
            return
        for inner in op.regions:
            self.alike(op.results, inner.returns)

    def identity(self, op: Op) -> None:
        self.alike(op.operands, op.results)
        if op.name == COUPLED:
            first = self.coupled.setdefault(str(op["coupledKey"]), op.operand.name)
            self.union(first, op.operand.name)
        if op.name == "quant.stats":
            self.ranges.append((op.operand.name, op))

    def alike(self, one: Sequence[Value], other: Sequence[Value]) -> None:
        for a, b in zip(one, other, strict=True):
            self.union(a.name, b.name)

    def union(self, one: str, other: str) -> None:
        a, b = self.root(one), self.root(other)
        if a != b:
            self.parents[b] = a

    def root(self, name: str) -> str:
        while (parent := self.parents.get(name, name)) != name:
            name = parent
        return name

    def graph(self) -> Graph:
        states: dict[str, State] = {}
        members: dict[str, list[Value]] = {}
        for value in self.values.values():
            members.setdefault(self.root(value.name), []).append(value)
        kernels = []
        for place, op in enumerate(self.regions):
            kernel = Kernel(place, op)
            for k, value in enumerate(kernel.values):
                state = self.state(states, members, kernel, k, value)
                state.ports.append((kernel, k))
                kernel.states.append(state)
            kernels.append(kernel)
        for name, op in self.ranges:
            if (found := states.get(self.root(name))) is not None:
                found.join(*layer_range(op), "quant.stats")
        for name in self.changing:
            if (found := states.get(self.root(name))) is not None:
                found.changing = True
        for kernel in kernels:
            for k, spec in enumerate(specs_of(kernel.op)):
                _constrain(kernel, k, spec)
        return Graph(kernels, states, self.definitions)

    def state(
        self, states: dict[str, State], members: dict[str, list[Value]], kernel: Kernel, k: int, value: Value
    ) -> State:
        """Return the state of a value; a constant has one for each port that reads it."""
        root = self.root(value.name)
        constant = self.definitions.get(value.name)
        if constant is not None and constant.name == CONSTANT and len(members[root]) == 1 and is_float(value):
            return _constant_state(f"{value.name} at {kernel.title}, port {k}", value, constant)
        return states.setdefault(root, State(root, members[root]))


def _constant_state(key: str, value: Value, constant: Op) -> State:
    state = State(key, [value], constant=constant)
    data = array(constant)
    if data.size:
        state.join(float(data.min()), float(data.max()), "the constant")
    return state


def _constrain(kernel: Kernel, k: int, spec: object) -> None:
    """Enter the spec of a port into the state of its value."""
    state, value = kernel.states[k], kernel.values[k]
    if not is_float(value) or is_unconstrained(spec):  # type: ignore[arg-type]
        return
    if isinstance(spec, QuantizedType):
        if state.type not in (None, spec):
            kernel.forced[k] = spec
        state.type, state.immutable = state.type or spec, True
        kernel.immutable.add(k)
    elif isinstance(spec, AnyQuantizedType):
        state.bits = max(state.bits, width(spec))
    elif isinstance(spec, CalibratedType):
        state.join(spec.min, spec.max, "calibration")
    elif isinstance(spec, ElementType):
        kernel.floats.add(k)


def layer_range(op: Op) -> tuple[float, float]:
    """Return the range in `layerStats` of a `quant.stats`."""
    stats = op["layerStats"]
    if not isinstance(stats, Dense):
        raise Malformed(
            "layerStats is not a tensor", "expected dense<[min, max]> : tensor<2xf32>", op.location
        )
    low, high = array(Op(CONSTANT, (), (), {"value": stats})).astype(float).reshape(-1)
    return float(low), float(high)
