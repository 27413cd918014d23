"""Masks: constants far from all other numbers of a value, which would take the whole range of its type.

Scores that softmax is not to see are set to -1e9, to the least number of f32 or to minus infinity, or such a
number is added to them. A quantized type with room for it has no steps left for the others; one without room
stores it as the least of the others, whose exponential is not 0. So a value with a mask stays in float.

A mask is found by dataflow and samples: a constant is selected, padded, joined or added, the samples have
taken it, it is so far from the other numbers that softmax ignores it, and beside it these would have too few
steps of the type. Operations that move or combine numbers pass it on. A finite one is a mask only where it
may be ignored: on the way to an exponential, a sort or a largest number, or below the others in a result. So
a bias with an outlier before a product is none.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isinf, isnan

import numpy as np

from interp.apps.quantization.constants import CONSTANT, array
from interp.apps.quantization.decisions import Mask, Open, not_quantized
from interp.apps.quantization.graph import layer_range
from interp.apps.quantization.instrument import OBSERVING, STATS
from interp.apps.quantization.kernels import is_float, kernels, ports_of, specs_of
from interp.apps.quantization.statistics import Statistics
from interp.apps.quantization.targets import Port, Target, width
from spec.ir import Module, Op, Value
from spec.types import ElementType

Interval = tuple[float, float]
LEAST = 128  # steps that numbers beside a mask must have: half of those of 8 bits
FAR = 17  # a mask is so far from the others at least: exp(-17) < 2**-24, and softmax in f32 adds nothing
ROUNDED = 2.0**-7  # relative error by which a mask that was computed may be off, in bf16 too
MOVES = {
    f"stablehlo.{name}"
    for name in "reshape transpose broadcast_in_dim slice dynamic_slice reverse convert".split()
}
CHOICES = {"stablehlo.select": 1, "stablehlo.concatenate": 0, "stablehlo.pad": 0}  # their first number
IGNORING = {  # masks, or may do so within; besides reductions to a largest number
    f"stablehlo.{name}" for name in "exponential sort composite custom_call while case if".split()
} | {"chlo.top_k"}
ENDS = ("stablehlo.maximum", "stablehlo.minimum")


@dataclass(frozen=True)
class Numbers:
    """The numbers of a value: those beside a mask, and those of a mask, if it has one; `origin` of a mask."""

    others: Interval
    fill: Interval | None = None
    constant: bool = False
    origin: str = ""


def masks_of(module: Module, statistics: Mapping[str, Statistics], target: Target) -> tuple[Mask, ...]:
    """Return the values of a calibrated program that masks leave too few steps of a target's results.

    statistics: by key, as `collect` returns them. A target whose results are floats has no masks.
    """
    levels = 1 << max((width(p.storage) for p in _results(target) if p.storage is not None), default=0)
    search = _Search(levels, dict(statistics), *_ignoring(module.main.body.ops))
    if levels > 1:
        for op in module.main.body.ops:
            search.read(op)
    return tuple(search.found)


def masks_left(module: Module, masks: Iterable[Mask]) -> Iterator[Mask]:
    """Yield the masks of values that a constrained program keeps in float at a port of a kernel."""
    roots: dict[str, str] = {}
    for op in module.ops():
        if op.name in OBSERVING:
            roots[op.result.name] = roots.get(op.operand.name, op.operand.name)
    ports = (pair for op in kernels(module) for pair in zip(ports_of(op), specs_of(op), strict=True))
    floats = {roots.get(v.name, v.name) for v, spec in ports if isinstance(spec, ElementType)}
    yield from (each for each in masks if each.value in floats)


def explain_masks(ports: Iterable[Open], masks: Iterable[Mask]) -> tuple[Open, ...]:
    """Return ports that stay in float, each that does so for a mask with what the mask would do."""
    reasons = {not_quantized(each.value): each.reason for each in masks}
    return tuple(replace(each, reason=reasons.get(each.reason, each.reason)) for each in ports)


def _ignoring(ops: Sequence[Op]) -> tuple[set[str], set[str]]:
    """Return the values on the way to operations that ignore masks, and to results or `logistic`."""
    ignored, returned = set[str](), {v.name for v in ops[-1].operands}
    returned |= {op.operand.name for op in ops if op.name == "stablehlo.logistic"}
    for op in reversed(ops[:-1]):
        names = {v.name for v in op.results}
        for found, passing in ((ignored, PASSING | {"stablehlo.negate"}), (returned, PASSING)):
            if op.name in passing and names & found:
                found.update(v.name for v in op.operands)
        if op.name in IGNORING or (
            op.name == "stablehlo.reduce" and (len(op.results) > 1 or _is_extreme(op))
        ):
            ignored.update(v.name for v in op.operands)
    return ignored, returned


def _results(target: Target) -> Iterator[Port]:
    return (port for rows in target.kernels.values() for ports, _ in rows for port in ports.outputs)


@dataclass
class _Search:
    """The numbers of the values so far, by name, and the masks that were found."""

    levels: int
    statistics: dict[str, Statistics]
    ignored: set[str]
    returned: set[str]
    known: dict[str, Numbers | None] = field(default_factory=dict)
    constants: dict[str, Op] = field(default_factory=dict)
    ranges: dict[str, Interval] = field(default_factory=dict)
    found: list[Mask] = field(default_factory=list)

    def read(self, op: Op) -> None:
        """Enter the results of an operation."""
        if op.name == CONSTANT:
            self.constants[op.result.name] = op
        elif op.name in OBSERVING:
            if op.name == STATS:
                self.ranges[op.operand.name] = layer_range(op)
            self.known[op.result.name] = self.numbers(op.operand)
        elif len(op.results) == 1 and is_float(op.result):
            self.enter(op.result, self.combine(op))

    def enter(self, value: Value, numbers: Numbers | None) -> None:
        """Keep what is known of a value, and its mask, if the samples have taken one."""
        seen = self.span(value)
        if numbers is None or numbers.fill is None or not self.is_taken(value, numbers.fill):
            is_constant = numbers is not None and seen is None
            self.known[value.name] = numbers if is_constant else seen and Numbers(seen)
            return
        mask = self.mask(value, numbers)
        if mask is not None:
            numbers = replace(numbers, origin=mask.origin)
            self.found.append(mask)
        self.known[value.name] = numbers

    def mask(self, value: Value, numbers: Numbers) -> Mask | None:
        """Return the mask of a value, if it leaves too few steps for the others."""
        assert numbers.fill is not None
        low, high = numbers.others
        whole = _hull(numbers.others, numbers.fill)
        steps = 0.0 if whole[1] - whole[0] == inf else (high - low) / (whole[1] - whole[0]) * self.levels
        gap = max(low - numbers.fill[1], numbers.fill[0] - high)
        if low == high or steps >= LEAST or gap < FAR or not self.may_ignore(value, numbers.fill, low):
            return None
        fill = max(numbers.fill, key=abs)
        return Mask(value.name, fill, numbers.others, steps, self.levels, numbers.origin or value.name)

    def may_ignore(self, value: Value, fill: Interval, low: float) -> bool:
        """Return whether what follows may ignore the numbers of a mask, if it is one."""
        return (
            isinf(max(fill, key=abs))
            or value.name in self.ignored
            or (value.name in self.returned and fill[1] < low)
        )

    def numbers(self, value: Value) -> Numbers | None:
        """Return what is known of a value's numbers, or None."""
        if value.name in self.constants:
            self.known[value.name] = _constant_numbers(self.constants.pop(value.name))
        if value.name not in self.known:
            seen = self.span(value)
            self.known[value.name] = seen and Numbers(seen)
        return self.known[value.name]

    def span(self, value: Value) -> Interval | None:
        """Return the least and the greatest finite number that samples gave a value, or None."""
        found = self.statistics.get(value.name.removeprefix("%"))
        if found is None or not found.layer.count[0]:
            return self.ranges.get(value.name)
        return float(found.layer.low[0]), float(found.layer.high[0])

    def is_taken(self, value: Value, fill: Interval) -> bool:
        """Return whether the numbers of a mask may be among those that samples gave a value."""
        found, seen = self.statistics.get(value.name.removeprefix("%")), self.span(value)
        if isinf(fill[0]) or isinf(fill[1]):
            return found is None or bool(found.layer.infinities[0])
        slack = ROUNDED * max(map(abs, fill))
        return seen is None or (seen[0] <= fill[1] + slack and fill[0] - slack <= seen[1])

    def combine(self, op: Op) -> Numbers | None:
        """Return the numbers of an operation's result, as far as masks pass through it; else None."""
        if op.name in CHOICES:
            return _choice([self.numbers(v) for v in op.operands[CHOICES[op.name] :]])
        if op.name == "stablehlo.convert" and op.operand.type.storage_type.kind != "float":
            is_boolean = op.operand.type.storage_type.kind == "boolean"
            is_truth = is_boolean or self.span(op.result) == (0.0, 1.0)  # of integers: no number between
            return Numbers((0.0, 0.0), (1.0, 1.0)) if is_truth else None
        if op.name in MOVES or _is_extreme(op):
            return self.numbers(op.operands[0])
        if op.name == "stablehlo.negate":
            return _arithmetic(np.subtract, Numbers((0.0, 0.0)), self.numbers(op.operand))
        if op.name in ARITHMETIC:
            one, other = map(self.numbers, op.operands)
            return _arithmetic(ARITHMETIC[op.name], one, other)
        return None


ARITHMETIC: dict[str, Callable[..., np.ndarray]] = {
    "stablehlo.add": np.add,
    "stablehlo.subtract": np.subtract,
    "stablehlo.multiply": np.multiply,
    "stablehlo.divide": np.divide,
    "stablehlo.maximum": np.maximum,
    "stablehlo.minimum": np.minimum,
}
PASSING = {*OBSERVING, *MOVES, *CHOICES, *ARITHMETIC}


def _is_extreme(op: Op) -> bool:
    """Return whether an operation reduces by the maximum or the minimum."""
    return op.name == "stablehlo.reduce" and op.regions[0].ops[0].name in ENDS and len(op.results) == 1


def _constant_numbers(op: Op) -> Numbers | None:
    """Return the numbers of a constant; of several, that of the largest magnitude may be a mask."""
    if not is_float(op.result):
        return None
    numbers = array(op)
    least, most = float(numbers.min()), float(numbers.max())
    if isnan(least) or isnan(most):
        return None
    if least == most:
        return Numbers((least, most), constant=True)
    fill = least if -least > most else most
    others = numbers[numbers != fill]
    return Numbers((float(others.min()), float(others.max())), (fill, fill), constant=True)


def _choice(each: Sequence[Numbers | None]) -> Numbers | None:
    """Return the numbers of a value whose elements are those of several; a single constant may be a mask."""
    known = [x for x in each if x is not None]
    if len(known) < len(each):
        return None
    single = [x.others for x in known if x.constant and x.fill is None]
    several = [x.others for x in known if not (x.constant and x.fill is None)]
    fills = [x.fill for x in known if x.fill is not None]
    if not several:
        single.sort(key=lambda x: abs(x[0]))
        several, single = single[:1], single[1:]
    fills += single
    origin = next((x.origin for x in known if x.origin), "")
    return Numbers(_hull(*several), _hull(*fills) if fills else None, origin=origin)


def _arithmetic(
    function: Callable[..., np.ndarray], one: Numbers | None, other: Numbers | None
) -> Numbers | None:
    """Return the numbers of a function of two values; of two levels, the larger may be a mask."""
    if one is None or other is None or (one.fill is None and other.fill is None):
        return None
    others = _corners(function, one.others, other.others)
    pairs = [(one.fill, other.others), (one.others, other.fill), (one.fill, other.fill)]
    fill = _hull(*(_corners(function, a, b) for a, b in pairs if a is not None and b is not None))
    if others[0] == others[1] and fill[0] == fill[1] and abs(others[0]) > abs(fill[0]):
        others, fill = fill, others
    return Numbers(others, fill, one.constant and other.constant, one.origin or other.origin)


def _corners(function: Callable[..., np.ndarray], one: Interval, other: Interval) -> Interval:
    """Return bounds of a function that is monotonous in each argument; all numbers where one is no number."""
    with np.errstate(all="ignore"):
        found = [float(function(np.float64(a), np.float64(b))) for a, b in itertools.product(one, other)]
    if any(map(isnan, found)) or (function is np.divide and other[0] <= 0 <= other[1]):
        return -inf, inf
    return min(found), max(found)


def _hull(*intervals: Interval) -> Interval:
    return min(low for low, _ in intervals), max(high for _, high in intervals)
