"""Observation of a run: the extremes of partial sums, and the sum of each channel that clips first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from typing import Any

import numpy as np

from interp.apps.accumulator_study.layers import Layer
from interp.apps.surveys.layer import Span
from interp.apps.surveys.measure import Samples
from interp.backends import NUMPY, Array
from interp.engine.additions import WIDE, Addition
from interp.engine.evaluate import Place
from interp.engine.fold import Sums, Tally
from interp.engine.work import beat
from interp.kernels.contraction import geometry_of
from interp.recorder.batch import Batch, Judgement
from interp.recorder.blocks import ByBlocks
from interp.recorder.names import name_of
from interp.recorder.products import Products, product_terms
from interp.recorder.recorded import Reduction
from interp.recorder.recorder import Recorder
from interp.rewrite.fewer_samples import Axes
from interp.theory.sums import Ends, ends_of, integer_dtype, prefixes, subset_sums
from spec.accumulation import Accumulation
from spec.ir import Op
from spec.trees import Tree

CLIPS = ("saturate", "wrap")

# The extremes of the partial sums of a run.


def extremes(reduction: Reduction) -> tuple[Ends, Ends]:
    """Return the extremes of partial sums for each result: one leaf after the other, and in any order.

    The leaves are nodes, too. An absent leaf of a window counts as 0 in the sums in any order.
    """
    if reduction.products:
        return _contraction_extremes(reduction.products)
    if reduction.by_blocks:
        return _extremes_of_blocks(reduction.by_blocks)
    largest = [int(end) for x in _numbers(reduction) if x.size for end in (x.min(), x.max())]
    dtype = integer_dtype(reduction.n + 1, *largest, 0)
    ordered, anyhow = (Ends(*(reduction.seeds().astype(dtype) for _ in range(2))) for _ in range(2))
    for part in reduction.parts:
        init = ordered.least[part.columns]
        blocks = [(x.astype(dtype), present) for x, present in part.blocks()]
        full = [(x if present is None else np.where(present, x, 0), None) for x, present in blocks]
        every = subset_sums(init, full)
        found = prefixes(init, blocks), Ends(every.least, every.greatest)
        for ends, own in zip((ordered, anyhow), found, strict=True):
            ends.least[part.columns], ends.greatest[part.columns] = own
    return _in_shape(ordered, reduction.shape), _in_shape(anyhow, reduction.shape)


def _in_shape(ends: Ends, shape: tuple[int, ...]) -> Ends:
    return Ends(*(end.reshape(shape) for end in ends))


def _numbers(reduction: Reduction) -> Iterator[Array]:
    """Yield the init value, and the leaves in blocks."""
    yield np.asarray(reduction.init[0])
    for _, values, _ in reduction.blocks():
        yield values


def _contraction_extremes(products: Products) -> tuple[Ends, Ends]:
    """Return the extremes of the sums of a contraction's products, which start from 0."""
    dtype = integer_dtype(products.n, *products.possible)
    terms, shape, arrange = product_terms(geometry_of(NUMPY, products.op), products.numbers, [WIDE, WIDE])
    total, least, greatest, below, above = (np.zeros(shape, dtype) for _ in range(5))
    for i in range(terms.n):
        beat("leaves", i, terms.n)
        leaf = terms.at(i).astype(dtype, copy=False)
        total += leaf
        np.minimum(least, np.minimum(total, leaf), out=least)
        np.maximum(greatest, np.maximum(total, leaf), out=greatest)
        below += np.minimum(leaf, 0)
        above += np.maximum(leaf, 0)
    return Ends(arrange(least), arrange(greatest)), Ends(arrange(below), arrange(above))


def _extremes_of_blocks(blocks: ByBlocks) -> tuple[Ends, Ends]:
    """Return the extremes of the sums of products within blocks of scales, each of which starts from 0."""
    found, shape = list[tuple[Ends, Ends]](), blocks.op.result.type.shape
    for k in range(len(blocks.edges)):
        leaves = blocks.leaves_of(k)
        init = np.zeros(leaves.shape[1], leaves.dtype)
        every = subset_sums(init, iter([(leaves, None)]))
        ends = prefixes(init, iter([(leaves, None)])), Ends(every.least, every.greatest)
        found.append((_in_shape(ends[0], shape), _in_shape(ends[1], shape)))
    ordered, anyhow = zip(*found, strict=True)
    return reduce(Ends.join, ordered), reduce(Ends.join, anyhow)


def join_runs(layer: Layer, runs: Iterable[Reduction], samples: Samples) -> tuple[Ends, Ends] | None:
    """Return both extremes by channel, of the samples that count in all runs of a layer; None if none."""
    found: tuple[Ends, Ends] | None = None
    for reduction in runs:
        ordered, anyhow = (
            layer.by_channel(ends_of(*(_rows(end, samples) for end in ends))) for ends in extremes(reduction)
        )
        found = (ordered.join(found[0]), anyhow.join(found[1])) if found else (ordered, anyhow)
    return found


def _rows(x: Array, samples: Samples) -> Array:
    """Return the results of the samples that count, if they lie along a dimension."""
    if samples.size is None or samples.axis is None or samples.count == samples.size:
        return x
    return x.take(range(samples.count), axis=samples.axis)


# What clips first.


@dataclass(frozen=True)
class Clip:
    """The sum of a channel that clips first: after which leaf, in which group, and where.

    leaf: the last leaf that was added, counted from 1. group: the number of its group, or of its block of
    scales, from 0; None where the node adds groups, or the accumulation has none. samples: those that the sum
    may belong to; `index`: its place in the batch's result. exact and stored: the sum of what entered, and
    what the accumulator kept. order: the place of the node in the order of the additions.
    """

    kind: str
    leaf: int
    group: int | None
    samples: Span
    index: tuple[int, ...]
    exact: Any
    stored: Any
    order: int

    def __str__(self) -> str:
        group = "" if self.group is None else f"group {self.group}, "
        first, last = self.samples
        sample = f"sample {first}" if first == last else f"samples {first} to {last}"
        return f"{self.kind} at {group}leaf {self.leaf} of {sample}: {self.exact:,} -> {self.stored:,}"


@dataclass(frozen=True)
class Clipping:
    """Number of nodes of a channel that clip in an accumulator, and the first of them, if there is one."""

    count: int = 0
    first: Clip | None = None

    def __add__(self, other: Clipping) -> Clipping:
        both = [x for x in (self.first, other.first) if x is not None]
        first = min(both, key=lambda x: (x.order, x.samples, x.index), default=None)
        return Clipping(self.count + other.count, first)


class ClipRecorder(Recorder):
    """Recorder of the nodes of one layer that clip, by channel, in the samples that count."""

    def __init__(self, layer: Layer, accumulation: Accumulation, samples: Samples, axes: Axes) -> None:
        super().__init__(CLIPS)
        self.layer, self.accumulation = layer, accumulation
        self.samples = replace(samples, axis=axes.get(layer.op.results[0].name))
        self.found = [Clipping() for _ in layer.channels]
        self.number: int | None = None  # of the node of a tree that is being added

    def tally(self, op: Op) -> Tally | None:
        return None

    def sums(self, op: Op) -> Sums | None:
        return Sums(self.kinds_of_sums(op))

    def on_addition(self, place: Place, addition: Addition) -> None:
        self.number = addition.number
        super().on_addition(place, addition)
        self.number = None

    def note(self, batch: Batch, found: Judgement) -> None:
        places = batch.columns(found)
        assert self.module
        is_node = batch.place is not None and name_of(self.module, batch.op) == self.layer.key
        if not is_node or places is None:
            return
        samples, shape = self.samples, self.layer.op.results[0].type.shape
        counts = np.ones(len(places), bool)
        if samples.size is not None and samples.axis is not None:
            counts = np.unravel_index(places, shape)[samples.axis] < samples.count
        chosen = np.flatnonzero(counts)
        channels, leaves = self.layer.channel_of(places[chosen]), self._leaves(batch, found)[chosen]
        for channel in np.unique(channels):
            own = chosen[channels == channel]
            earliest = leaves[channels == channel].argmin()
            self._add(int(channel), len(own), batch, found, int(own[earliest]), places)

    def _leaves(self, batch: Batch, found: Judgement) -> Array:
        """Return the last leaf of the node of each event."""
        assert batch.place
        node = batch.place.node
        if not node.stacked:
            return np.full(len(found.at), int(node.last))
        size = prod((batch.whole or batch.shape)[1:])
        return np.asarray(node.last)[(found.at + batch.offset) // size]

    def _add(self, channel: int, count: int, batch: Batch, found: Judgement, at: int, places: Array) -> None:
        """Add events of a channel, the earliest of which has this number."""
        last, known = int(self._leaves(batch, found)[at]), self.found[channel].first
        block = batch.place.block if batch.place else None
        order, new = last if self.number is None else self.number, Clipping(count)
        if block is not None:  # the blocks are summed one after the other
            order += block * self.layer.op.operands[1].type.size * 2
        if known is None or order < known.order:
            event, index = batch.event(found, at), self._index(places[at])
            leaf, where = last + self.accumulation.without_init, self.samples.at(index)
            seen = where, index, event.exact, event.stored, order
            group = self._group(self.number) if block is None else block
            new = Clipping(count, Clip(event.kind, leaf, group, *seen))
        self.found[channel] += new

    def _index(self, place: Any) -> tuple[int, ...]:
        return tuple(map(int, np.unravel_index(int(place), self.layer.op.results[0].type.shape)))

    def _group(self, number: int | None) -> int | None:
        """Return the group of a node; None if its leaves are of several groups, or there are no groups."""
        n, has_init = self.layer.terms, not self.accumulation.without_init
        level = next((x.level for x in self.accumulation.where if x.holds(n)), self.accumulation.level)
        if number is None or level.name not in ("blocks", "lanes") or level.tail:
            return None
        (k,) = level.numbers
        below = leaves_below(self.accumulation.tree(n + has_init, has_init), number)
        elements = [leaf - has_init for leaf in below if leaf >= has_init]
        groups = {element // k if level.name == "blocks" else element % k for element in elements}
        return groups.pop() if len(groups) == 1 else None


def leaves_below(tree: Tree, number: int) -> set[int]:
    """Return the leaves below a node of a tree."""
    found, todo = set[int](), [number]
    while todo:
        child = todo.pop()
        if child >= tree.n:
            todo += tree.nodes[child - tree.n].children
        elif child >= 0:
            found.add(child)
    return found
