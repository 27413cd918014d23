"""The listener that keeps what is noteworthy about a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import prod
from typing import NamedTuple

import numpy as np

from interp.evaluate import Listener, Place
from interp.namespace import State
from interp.ops import contraction
from interp.tracing import judge
from interp.tracing.events import KINDS, Event, Finding, Group, known_kinds, signature, totals
from interp.tracing.exact import Array
from interp.tracing.identity import combining, identity
from interp.tracing.judge import Judgement
from spec.ir import Op
from spec.types import QuantizedType

_SCATTER = "stablehlo.select_and_scatter"


class Recorder(Listener):
    """Keeps by operation and kind the number of events, the first and the worst.

    `Recorder(["saturate"])` is a counter of saturated results: `recorder.counts["saturate"]`.
    """

    def __init__(self, kinds: str | Iterable[str] = tuple(KINDS)) -> None:
        self.kinds = known_kinds(kinds)
        self.groups: dict[tuple[int, int, str], Group] = {}

    @property
    def counts(self) -> Counter[str]:
        return totals(self.groups.values())

    def refuse(self) -> None:
        """Raises the first event as a `Finding`, if there was one."""
        if self.groups:
            counted = ", ".join(f"{kind} x {n:,}" for kind, n in self.counts.items())
            event = next(iter(self.groups.values())).first
            evidence = f"first at {event.place} of {signature(event.op)}: {event.story}"
            raise Finding(counted, evidence, event.location)

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if len(results) == 1:
            site = Site(op if place is None else place.op, op, operands, results[0], place)
            rounding = place is not None and "inexact" in self.kinds  # floats: where it adds up
            self._note(site, judge.of_op(op, operands, results[0], rounding))

    def on_node(self, place: Place, lhs: State, rhs: State, results: State) -> None:
        if place.op.name in contraction.KERNELS:
            result = place.op.result.type.element_type
            element = result.expressed_type if isinstance(result, QuantizedType) else result
            site = Site(place.op, place.op, (lhs[0], rhs[0]), results[0], place)
            self._note(site, judge.of_sum(element, lhs[0], rhs[0], results[0], "inexact" in self.kinds))

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        value, first = op.operands[operand], 1 if op.name == _SCATTER else 0
        argument = op.regions[-1].arguments[operand - first]
        site = Site(op, op, (before,), after, None, f"operand {value.name}")
        types = value.type.element_type, argument.type.element_type
        self._note(site, judge.of_conversion(*types, before, after, lossless=True))
        n = len(op.results)
        if operand - first >= n:
            self._check_init(op, operand - first - n, value.name, after)

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        destination = op.results[result].type.element_type
        if op.regions:
            source = op.regions[-1].returns[result].type.element_type
        else:
            source = destination.expressed_type if isinstance(destination, QuantizedType) else destination
        site = Site(op, op, (before,), after, None)
        self._note(site, judge.of_conversion(source, destination, before, after, lossless=False))

    def on_empty_window(self, op: Op, where: Array) -> None:
        site = Site(op, op, (), None, None, "window")
        self._note(site, [Judgement("empty_window", where, where, judge.no_value)])

    def _check_init(self, op: Op, k: int, name: str, init: Array) -> None:
        inner = combining(op.regions[-1], k)
        neutral = identity(inner) if inner else None
        if inner and neutral is not None and init.item() != neutral:
            mask = np.ones((), bool)
            site = Site(op, inner, (init,), None, None, f"init value {name}")
            self._note(site, [Judgement("non_identity_init", mask, mask, lambda at: neutral)])

    def _note(self, site: Site, judgements: Iterable[Judgement]) -> None:
        for found in judgements:
            mask = site.present(found.mask) if found.kind in self.kinds else None
            if mask is None or not (count := int(np.count_nonzero(mask))):
                continue
            severity = np.where(mask, found.severity, -1.0)
            worst, first = int(severity.argmax()), int(mask.argmax())
            key = id(site.op), id(site.inner), found.kind
            group = self.groups.get(key)
            if group is None:
                event = site.event(found, first)
                self.groups[key] = group = Group(0, event, event, severity.flat[first])
            group.count += count
            if severity.flat[worst] > group.severity:
                group.worst, group.severity = site.event(found, worst), severity.flat[worst]


class Site(NamedTuple):
    """Where something was noted: at `inner`, an operation (in the body) of `op`, in the tensor `what`."""

    op: Op
    inner: Op
    operands: State
    stored: Array | None
    place: Place | None
    what: str = "result"

    def present(self, mask: Array) -> Array:
        """Without the positions at which the node has an absent child."""
        if self.place is None or self.place.node.present is None:
            return mask
        present = self.place.node.present
        return mask & present if mask.shape == present.shape else np.zeros(mask.shape, bool)

    def event(self, found: Judgement, at: int) -> Event:
        """The event at a flat position of the batch."""
        shape = found.mask.shape
        index, leaves = self._position(at, shape)
        operands = tuple(np.broadcast_to(x, shape).flat[at].item() for x in self.operands)
        stored = None if self.stored is None else np.broadcast_to(self.stored, shape).flat[at].item()
        what = "window" if self._selects else self.what
        return Event(found.kind, self.op, self.inner, what, index, leaves, operands, found.exact(at), stored)

    @property
    def _selects(self) -> bool:
        """Whether this is the choice of a window's element, not the result's own reduction."""
        return self.place is not None and self.op.name == _SCATTER and self.place.region == 0

    def _position(
        self, at: int, shape: tuple[int, ...]
    ) -> tuple[tuple[int, ...] | None, tuple[int, int] | None]:
        """Result index and node of a flat position of the batch."""
        if self.place is None:
            return _unravel(at, shape), None
        node = self.place.node
        if node.stacked:
            k, at = divmod(at, prod(shape[1:]))
            shape, leaves = shape[1:], (int(node.first[k]), int(node.last[k]))
        else:
            leaves = int(node.first), int(node.last)
        if self.place.columns is not None:
            return _unravel(int(self.place.columns[at]), self.op.result.type.shape), leaves
        target = self.op.operands[1].type.shape if self._selects else self.op.results[0].type.shape
        if prod(shape) != prod(target):
            return None, leaves  # of a body that runs element by element
        return _result_index(self.op, at, target), leaves


def _result_index(op: Op, at: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """A flat position as an index; a convolution works on [batch, *spatial, feature]."""
    if op.name != "stablehlo.convolution":
        return _unravel(at, shape)
    order = op["output_batch_dimension"], *op["output_spatial_dimensions"], op["output_feature_dimension"]
    index = dict(zip(order, _unravel(at, tuple(shape[d] for d in order)), strict=True))
    return tuple(index[d] for d in range(len(shape)))


def _unravel(at: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(int(i) for i in np.unravel_index(at, shape))
