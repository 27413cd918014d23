"""`propagate`: every port of every kernel gets a uniform type, or stays in float, and the reason is kept.

The worklist of the RFC on quantization transformations: kernels are visited in program order, those around
types that the program gives before the others. A visit applies the rule of the kernel's signature to the
ports that are decided, and queues the kernels around each value that it decides. When no rule decides
anything more, the first value whose range is known gets its type from that, together with all values that
must have the same. A value is decided at most once, so that this ends.
"""

from __future__ import annotations

import functools
import heapq
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field

from interp.apps.quantization.chosen import covers, from_range, real_range, shared, suited
from interp.apps.quantization.decisions import Decision, Open, Rescale
from interp.apps.quantization.graph import Graph, graph
from interp.apps.quantization.matching import matched, unreachable
from interp.apps.quantization.port_rules import Rule
from interp.apps.quantization.remedies import with_remedies
from interp.apps.quantization.resolved import resolved
from interp.apps.quantization.shipped import target_named
from interp.apps.quantization.states import Kernel, State, owned, tied, view
from interp.apps.quantization.targets import Target
from spec.errors import Bug, Malformed, Unsupported
from spec.ir import Module
from spec.types import QuantizedType


@dataclass(frozen=True, eq=False)
class Propagation:
    """A program whose regions have their types, and how these came about."""

    module: Module
    decisions: tuple[Decision, ...]
    rescales: tuple[Rescale, ...]
    open: tuple[Open, ...]


def propagate(module: Module, target: str | Target = "int8") -> Module:
    """Return the program with a uniform type at every port that can be quantized; the others are floats.

    Where two kernels want a value in different types, `stablehlo.uniform_quantize` converts it on its way.
    Raises `Unsupported` where no kernel of the target fits a constraint.
    """
    return propagation(module, target).module


def propagation(module: Module, target: str | Target = "int8") -> Propagation:
    """Return what `propagate` does, with the decisions, the conflicts, and the ports that stay open."""
    device = target_named(target)
    solver = solved(module, device)
    rescales = solver.rescales()
    if rescales:
        count = functools.partial(conflicts, device)
        rescales = with_remedies(module, solver.graph, solver.decisions, rescales, count)
    found = resolved(module, solver.graph, rescales)
    return Propagation(found, tuple(solver.decisions), tuple(rescales), tuple(solver.open()))


def conflicts(target: Target, module: Module) -> int:
    """Return how many conflicts a program has; of one that no kernel fits, more than any program."""
    try:
        return len(solved(module, target).rescales())
    except (Malformed, Unsupported):
        return sys.maxsize


def solved(module: Module, target: Target) -> Solver:
    """Return the solver after its last step."""
    solver = Solver(target, graph(module.main))
    solver.run()
    return solver


@dataclass
class Solver:
    """The worklist, and what was decided."""

    target: Target
    graph: Graph
    decisions: list[Decision] = field(default_factory=list)
    conflicts: dict[tuple[int, int], Rule] = field(default_factory=dict)
    queue: list[int] = field(default_factory=list)
    steps: int = 0

    def run(self) -> None:
        """Visit the kernels around the types that the program gives, then all; then let ranges decide."""
        for state in self.graph.distinct:
            if state.type is not None:
                self.record(state, "uniform", "", "")
        given = {kernel.place for s in self.graph.distinct if s.immutable for kernel, _ in s.ports}
        for places in (given, range(len(self.graph.kernels))):
            self.queue = sorted(places)
            self.empty()
        for state in self.graph.distinct:
            if state.type is None:
                self.decide(state)
                self.empty()
        self.refuse_unreachable()

    def empty(self) -> None:
        """Visit kernels until none is queued."""
        while self.queue:
            self.visit(self.graph.kernels[heapq.heappop(self.queue)])

    def visit(self, kernel: Kernel) -> None:
        """Make the rule of a kernel hold, as far as its ports are decided."""
        self.steps += 1
        if not kernel.committed:
            kernel.row, kernel.reason = matched(self.target, kernel)
        if kernel.row is None:
            return
        rule = kernel.row[1]
        self.fit(kernel)
        if rule.ties:
            self.make_room(kernel, rule)
        for k, type in rule.derive(view(kernel)).items():
            self.set(kernel, k, type, rule)
        broken = {k: t for k, t in rule.derive(view(kernel)).items() if kernel.type(k) != t}
        if broken:
            raise Bug(f"{rule.name} does not hold for {kernel.title} after its visit", repr(broken))

    def fit(self, kernel: Kernel) -> None:
        """Convert, on the way to a kernel, each decided value that its port cannot take."""
        for k, state in enumerate(kernel.states):
            type = kernel.type(k)
            if type is None or kernel.port(k).holds(type):
                continue
            port, storage = kernel.port(k), kernel.port(k).storage
            assert storage is not None
            low, high = state.range or real_range(type)
            kernel.forced[k] = from_range(low, high, storage, type.expressed_type, port.symmetric)
            self.conflicts[kernel.place, k] = Rule(f"storage {port!r}", lambda ports: {})

    def make_room(self, kernel: Kernel, rule: Rule) -> None:
        """Let ranges decide what would have a type too small for them: a fixed scale beside larger numbers.

        Results come first, since the type of a result is that of operands, too.
        """
        ports = range(len(kernel.values))
        for k in (*range(kernel.count, len(ports)), *range(kernel.count)):
            type, state = rule.derive(view(kernel)).get(k), kernel.states[k]
            given = any(kernel.states[j].immutable and kernel.type(j) == type for j in ports)
            if type is not None and not given and state.type is None and not covers(type, state.range):
                self.decide(state)

    def set(self, kernel: Kernel, k: int, type: QuantizedType, rule: Rule) -> None:
        """Give a port a type: the value's if it has none yet, else the port's alone."""
        state = kernel.states[k]
        partly = self.graph.is_carried(state) and not covers(type, state.range)
        if state.type is None and partly:
            self.decide(state)
        if kernel.type(k) == type:
            return
        if not kernel.port(k).holds(type):
            verdict = f"the rule {rule.name} gives {kernel.values[k].name} of {kernel.title} {type!r}"
            raise Malformed(verdict, f"port {k} of the target {self.target.name} is {kernel.port(k)!r}")
        kernel.committed = True
        if state.type is None and not partly:
            neighbours = [j for j in range(len(kernel.values)) if j != k and kernel.type(j) is not None]
            neighbour = next(
                (j for j in neighbours if kernel.type(j) == type), neighbours[:1] and neighbours[0]
            )
            names = kernel.values[neighbour].name if isinstance(neighbour, int) else ""
            self.assign(state, type, rule.name, kernel.title, names)
        else:
            kernel.forced[k] = type
            self.conflicts[kernel.place, k] = rule

    def assign(self, state: State, type: QuantizedType, constraint: str, kernel: str, neighbour: str) -> None:
        """Decide the type of a value, and queue the kernels around it."""
        state.type = type
        self.record(state, constraint, kernel, neighbour)
        for other, _ in state.ports:
            if other.place not in self.queue:
                heapq.heappush(self.queue, other.place)

    def record(self, state: State, constraint: str, kernel: str, neighbour: str) -> None:
        assert state.type is not None
        range = state.range if constraint in ("calibrated", "constant") else None
        location = state.ports[0][0].op.location
        self.decisions.append(
            Decision(state.name, state.type, constraint, kernel, neighbour, range, location)
        )

    def decide(self, state: State) -> None:
        """Give a value the type that its range needs, and that of those that must have the same type."""
        group = list(tied(state))
        ports = [(kernel, k) for each in group for kernel, k in each.ports if kernel.is_quantizable(k)]
        known = [each for each in group if each.range is not None]
        if not ports or not known or any(each.is_partly_seen for each in group):
            return
        if any(owned(kernel, k) for kernel, k in state.ports):
            return
        found = shared([kernel.port(k) for kernel, k in ports], max(each.bits for each in group))
        if found is None:
            return
        for kernel, _ in ports:
            kernel.committed = True
        low = min(each.range[0] for each in known if each.range)
        high = max(each.range[1] for each in known if each.range)
        widest = max(known, key=lambda s: s.range[1] - s.range[0] if s.range else 0.0).name
        kernel, k = next((pair for pair in ports if pair in state.ports), ports[0])
        type = suited(state, kernel, k, *found, (low, high))
        state.range = low, high
        constraint = "constant" if state.constant is not None and len(known) == 1 else "calibrated"
        self.assign(state, type, constraint, kernel.title, "" if widest == state.name else widest)

    def refuse_unreachable(self) -> None:
        """Raise `Unsupported` if a constraint wants a type or a width that no kernel at its value has."""
        for state in self.graph.distinct:
            if (error := unreachable(self.target, state)) is not None:
                raise error

    def rescales(self) -> list[Rescale]:
        """Return the conflicts in program order."""
        return list(self._rescales())

    def _rescales(self) -> Iterator[Rescale]:
        for (place, k), rule in sorted(self.conflicts.items(), key=lambda pair: pair[0]):
            kernel = self.graph.kernels[place]
            state, becomes = kernel.states[k], kernel.forced[k]
            if state.type is None or not (state.immutable or self.graph.is_made_by_a_kernel(state)):
                continue
            name = kernel.values[k].name
            at = kernel.op.location
            is_result = k >= kernel.count
            yield Rescale(name, kernel.title, state.type, becomes, rule.name, is_result, location=at)

    def open(self) -> Iterator[Open]:
        """Yield the ports without a type whose kernel takes them quantized, and the kernels in float."""
        for kernel in self.graph.kernels:
            at = kernel.op.location
            if kernel.row is None:
                yield Open(kernel.op.results[0].name, kernel.title, kernel.reason, at)
                continue
            for k, value in enumerate(kernel.values):
                if kernel.is_quantizable(k) and kernel.type(k) is None:
                    yield Open(value.name, kernel.title, "no range is known, and no rule decides", at)
