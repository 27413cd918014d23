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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from interp.apps.quantization.block_scales import block_note, contraction_of, per_block
from interp.apps.quantization.constants import array
from interp.apps.quantization.decisions import Decision, Open, Rescale
from interp.apps.quantization.graph import Graph, Kernel, State, graph, is_owned, tie_group, view
from interp.apps.quantization.matching import match_signature, unreachable, with_remedies
from interp.apps.quantization.materialize import resolve
from interp.apps.quantization.patterns import channel_dimension
from interp.apps.quantization.port_rules import Rule, channels, uniform
from interp.apps.quantization.ranges import range_parameters
from interp.apps.quantization.targets import Port, Target, target_named, width
from spec.errors import Bug, Malformed, Unsupported
from spec.ir import Module, Op
from spec.quant_kinds import AnyQuantizedType
from spec.types import ElementType, QuantizedType


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
    solver = solve(module, device)
    rescales = solver.rescales()
    if rescales:
        count = functools.partial(conflicts, device)
        rescales = with_remedies(module, solver.graph, solver.decisions, rescales, count)
    found = resolve(module, solver.graph, rescales)
    return Propagation(found, tuple(solver.decisions), tuple(rescales), tuple(solver.open()))


def conflicts(target: Target, module: Module) -> int:
    """Return how many conflicts a program has; of one that no kernel fits, more than any program."""
    try:
        return len(solve(module, target).rescales())
    except (Malformed, Unsupported):
        return sys.maxsize


def solve(module: Module, target: Target) -> Solver:
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
            kernel.row, kernel.reason = match_signature(self.target, kernel)
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

    def assign(
        self,
        state: State,
        type: QuantizedType,
        constraint: str,
        kernel: str,
        neighbour: str,
        note: str = "",
    ) -> None:
        """Decide the type of a value, and queue the kernels around it."""
        state.type = type
        self.record(state, constraint, kernel, neighbour, note)
        for other, _ in state.ports:
            if other.place not in self.queue:
                heapq.heappush(self.queue, other.place)

    def record(self, state: State, constraint: str, kernel: str, neighbour: str, note: str = "") -> None:
        assert state.type is not None
        range = state.range if constraint in ("calibrated", "constant") else None
        location = state.ports[0][0].op.location
        self.decisions.append(
            Decision(state.name, state.type, constraint, kernel, neighbour, range, location, note=note)
        )

    def decide(self, state: State) -> None:
        """Give a value the type that its range needs, and that of those that must have the same type."""
        group = list(tie_group(state))
        ports = [(kernel, k) for each in group for kernel, k in each.ports if kernel.is_quantizable(k)]
        known = [each for each in group if each.range is not None]
        if not ports or not known or any(each.is_partly_seen for each in group):
            return
        if any(is_owned(kernel, k) for kernel, k in state.ports):
            return
        found = choose_storage([kernel.port(k) for kernel, k in ports], max(each.bits for each in group))
        if found is None:
            return
        for kernel, _ in ports:
            kernel.committed = True
        low = min(each.range[0] for each in known if each.range)
        high = max(each.range[1] for each in known if each.range)
        widest = max(known, key=lambda s: s.range[1] - s.range[0] if s.range else 0.0).name
        kernel, k = next((pair for pair in ports if pair in state.ports), ports[0])
        type = type_in_storage(state, kernel, k, *found, (low, high))
        state.range = low, high
        constraint = "constant" if state.constant is not None and len(known) == 1 else "calibrated"
        note = block_note(self.target, kernel, k, type)
        self.assign(state, type, constraint, kernel.title, "" if widest == state.name else widest, note)

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


# The uniform type that a value gets from its range, in a storage that every kernel around it takes


HALF = 2.0**30  # of i32


def choose_storage(ports: Sequence[Port], bits: int) -> tuple[AnyQuantizedType, bool] | None:
    """Return the storage of the first port that is wide enough, one that suits the most other ports.

    Also return whether one of them takes no zero point.
    """
    storages = [(p.storage, p.symmetric) for p in ports if p.storage is not None]
    wide = [storage for storage, _ in storages if width(storage) >= bits]
    if not wide:
        return None
    chosen, symmetric = wide[0], False
    for storage, centred in storages:
        if storage.storage_type != chosen.storage_type:
            continue
        least, most = (
            max(storage.storage_min, chosen.storage_min),
            min(storage.storage_max, chosen.storage_max),
        )
        narrower = replace(chosen, storage_min=least, storage_max=most)
        if least < most and width(narrower) >= bits:
            chosen, symmetric = narrower, symmetric or centred
    return chosen, symmetric


def type_in_storage(
    state: State,
    kernel: Kernel,
    k: int,
    storage: AnyQuantizedType,
    symmetric: bool,
    range: tuple[float, float],
) -> QuantizedType:
    """Return the type that a value of a range gets in a storage, at a port of a kernel."""
    expressed = state.values[0].type.tensor_element_type
    if state.constant is None:
        return from_range(*range, storage, expressed, symmetric)
    if kernel.port(k).block:
        type = per_block(contraction_of(kernel), state.constant, storage, kernel.port(k).block)
    elif is_per_axis(kernel, k, state):
        type = per_axis(state.constant, storage, expressed, channel_axis(kernel) or 0)
    else:
        type = from_range(*range, storage, expressed, symmetric)
    return with_room(type, kernel) if k == 1 else type


def from_range(
    low: float, high: float, storage: AnyQuantizedType, expressed: ElementType, symmetric: bool
) -> QuantizedType:
    """Return the type in which a range, zero included, just fits the storage."""
    found = range_parameters(low, high, storage, symmetric)
    return uniform(storage, expressed, [found[0]], [found[1]])


def per_axis(constant: Op, storage: AnyQuantizedType, expressed: ElementType, axis: int) -> QuantizedType:
    """Return the type of constant weights with a scale for each slice along a dimension."""
    data = array(constant)
    others = tuple(d for d in range(data.ndim) if d != axis)
    lows, highs = data.min(axis=others), data.max(axis=others)
    found = [range_parameters(float(a), float(b), storage, True) for a, b in zip(lows, highs, strict=True)]
    return uniform(storage, expressed, [scale for scale, _ in found], [point for _, point in found], axis)


def with_room(type: QuantizedType, kernel: Kernel) -> QuantizedType:
    """Return the type of weights with scales so large that i32 holds the bias, in steps of the products.

    TensorFlow's rule: where a channel's weights are so small against its bias, half of i32 is for the bias.
    """
    left, bias = kernel.type(0), kernel.states[2] if kernel.count > 2 else None
    if bias is None or bias.constant is None or left is None or not left.is_per_tensor:
        return type
    if not is_owned(kernel, 2):
        return type
    data = np.abs(array(bias.constant).astype(np.float64))
    axis = channels(data.shape, len(type.scales)) if type.is_per_axis else None
    most = data.max(axis=tuple(d for d in range(data.ndim) if d != axis), initial=0.0).reshape(-1)
    least = most / HALF / left.scale
    scales = [max(scale, float(low)) for scale, low in zip(type.scales, least, strict=True)]
    return replace(type, scales=tuple(scales))


def channel_axis(kernel: Kernel) -> int | None:
    """Return the dimension of a contraction's weights that has a slice for each output channel."""
    op = contraction_of(kernel)
    if op is None:
        return None
    if op.name == "stablehlo.convolution":
        return int(op["kernel_output_feature_dimension"])
    summed = {*op["rhs_contracting_dimensions"], *op["rhs_batching_dimensions"]}
    free = [d for d in range(op.operands[1].type.rank) if d not in summed]
    return free[-1] if free and channel_dimension(op) == op.result.type.rank - 1 else None


def is_per_axis(kernel: Kernel, k: int, state: State) -> bool:
    """Return whether a port takes constant weights with a scale for each channel."""
    return state.constant is not None and kernel.port(k).per_axis and channel_axis(kernel) is not None


def real_range(type: QuantizedType) -> tuple[float, float]:
    """Return the least and the greatest number that a type represents."""
    ends = [
        (bound - point) * scale
        for bound in (type.storage_min, type.storage_max)
        for scale, point in zip(type.scales, type.zero_points, strict=True)
    ]
    return min(ends), max(ends)


def covers(type: QuantizedType, range: tuple[float, float] | None) -> bool:
    """Return whether a type represents a range to within one step; true if no range is known."""
    if range is None:
        return True
    low, high = real_range(type)
    return low - max(type.scales) <= range[0] and range[1] <= high + max(type.scales)
