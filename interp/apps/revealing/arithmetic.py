"""The arithmetic of nodes: which one gives what a device gives for a few leaves of a node.

A few leaves below a node, and one beside it that nearly cancels their sum, are random numbers; all others are
zero. The engine adds the same numbers in every arithmetic that is known; those with the device's results fit.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice, product
from typing import Any, NamedTuple

import numpy as np

from interp.apps.revealing.device import Device
from interp.apps.revealing.execution import Range, rerun
from interp.backends import Array
from interp.backends.dtypes import numpy_dtype
from spec.accumulation import Accumulation
from spec.errors import Unsupported
from spec.patterns import Level
from spec.trees import PLAIN, ZERO, Arithmetic, Node, Tree, canonical
from spec.types import ElementType

Way = tuple[Arithmetic, int | None]  # of a node, and which child enters unrounded
TRIED = 24  # probes at a node
SAMPLES = 6  # nodes of a kind that are looked at, before all are
BRANCHES = 4  # children of a node that probes use
COMBINED = 16  # choices of an arithmetic for each kind of nodes that are executed
KNOWN = 2  # arithmetics of each kind of nodes that leaves of other nodes are thought to pass
SUMS = ("f32", "f64", "f16", "bf16")
THE_LEAF = -1  # the mark of the only child that is a leaf
FURTHEST = 60  # bits below the largest term of a fused node that are looked for


class Probe(NamedTuple):
    """Numbers of a few leaves of nodes alike: leaves [nodes, leaves], the last below the node's sibling.

    own: which of them are children of the node. x: the numbers [nodes * probes, leaves].
    """

    leaves: Array
    own: list[bool]
    x: Array


class Fitting:
    """The nodes of a recovered tree, and what a device gives for a few of their leaves."""

    def __init__(
        self,
        device: Device,
        tree: Tree,
        rng: np.random.Generator,
        rows: Sequence[int] = (),
        inputs: Arithmetic = PLAIN,
    ) -> None:
        self.inputs = inputs
        self.device, self.site, self.tree, self.rng, self.rows = device, device.site, tree, rng, rows
        self.parent = {c: k for k, node in enumerate(tree.nodes, tree.n) for c in node.children}
        self.contracts = len(self.site.sides) > 1
        self.fixed = self._factors()
        self.bits = list[int]()  # fraction bits that nodes of several children keep
        self.known = list[Arithmetic]()  # of nodes that were looked at, which leaves may pass below others

    def _factors(self) -> Array | None:
        """Return factors for the other side, whose products need more bits than their type has."""
        if self.device.other_type is None:
            return None
        if self.device.other_type.is_integer:
            return np.ones(self.site.n)
        dtype = numpy_dtype(self.device.other_type)
        return (1 + self.rng.random(self.site.n)).astype(dtype).astype(np.float64)

    @cached_property
    def types(self) -> list[str]:
        """The types that nodes may have, the declared one as ""."""
        declared = self.site.declared.name
        return ["", *(name for name in SUMS if name != declared)]

    @cached_property
    def rounds_products(self) -> bool:
        """Return whether a product may not fit the declared type, so that it matters where it is rounded."""
        if not self.contracts or any(type.is_integer for type in self.site.leaf):
            return False
        bits = sum(type.precision for type in self.site.leaf)
        return bits > self.site.declared.precision

    def children(self, node: int) -> tuple[int, ...]:
        return self.tree.nodes[node - self.tree.n].children

    def leaf_below(self, child: int) -> int:
        while child >= self.tree.n:
            inner = self.children(child)
            child = inner[int(self.rng.integers(len(inner)))]
        return child

    def candidates(self, node: int) -> Iterator[Way]:
        """Yield the arithmetics that a node may have, those first that are most usual."""
        children = self.children(node)
        if len(children) > 2:
            yield from self._fusions(node)
            return
        products = [p for p, child in enumerate(children) if child < self.tree.n]
        marks = products[::-1] if len(products) == 2 else [THE_LEAF] * len(products)
        for rounding in ("", "toward zero"):
            for type in self.types:
                yield Arithmetic(type=type, rounding=rounding), None
                if self.rounds_products:
                    for mark in marks:
                        yield Arithmetic("fma", type=type, rounding=rounding), mark
                    if type == "f64" or (not type and self.site.declared.name == "f64"):
                        yield Arithmetic(type=type, rounding=rounding, products="f32"), None
        if self.contracts:
            yield Arithmetic("exact"), None
            yield Arithmetic("exact", rounding="toward zero"), None
        for bits in self.bits:
            yield from self._cuts(bits)

    def _fusions(self, node: int) -> Iterator[Way]:
        for rounding in ("", "toward zero"):
            for type in self.types:
                yield Arithmetic("exact", type=type, rounding=rounding), None
        for bits in self._bits(node):
            yield from self._cuts(bits)

    def _cuts(self, bits: int) -> Iterator[Way]:
        for rounding in ("toward zero", ""):
            for type in self.types:
                if type == "f64" or (not type and self.site.declared.name == "f64"):
                    continue
                for nearest in (False, True):
                    for normalized in (False, True) if self.contracts else (False,):
                        for cut in (None, bits, bits - 1):
                            modes: dict[str, Any] = {
                                "bits": bits,
                                "nearest": nearest,
                                "normalized": normalized,
                                "cut": cut,
                            }
                            yield Arithmetic("fused", type=type, rounding=rounding, **modes), None

    def _bits(self, node: int) -> list[int]:
        """Return how many fraction bits below the largest of its terms a node may keep."""
        children = self.children(node)
        if len(children) < 3:
            return []
        a, b, c = (self.leaf_below(child) for child in self.rng.permutation(children)[:3])
        low = _lowest(self.device.own_type)
        large = 0 if low < -FURTHEST else min(10, -low, Range.of(self.device.own_type).high)
        depths = range(1, min(FURTHEST, large - low) + 1)
        vectors = np.zeros((len(depths), self.site.n))
        for row, k in zip(vectors, depths, strict=True):
            row[a], row[b], row[c] = 2.0**large, -(2.0**large), 2.0 ** (large - k)
        found = self.device.ask(vectors, rows=self.rows)
        survived = [k for k, x in zip(depths, found, strict=True) if x != 0]
        last = survived[-1] if survived else 0
        bits = [] if last >= depths[-1] else [k for k in (last, last - 1) if k > 0]
        self.bits += [k for k in bits if k not in self.bits]
        return bits

    # Probes at a node.

    def probes(self, node: int, number: int) -> tuple[list[int], list[bool], Array]:
        """Return the leaves of probes, which of them are children of the node, and their numbers.

        The last leaf is below the node's sibling, unless the node is the root.
        """
        children = list(self.children(node))
        chosen = sorted(self.rng.permutation(len(children))[:BRANCHES].tolist())
        leaves = [self.leaf_below(children[k]) for k in chosen]
        own = [children[k] < self.tree.n for k in chosen]
        spread = min(3 if len(chosen) == 2 else 8, Range.of(self.device.own_type).high // 2)
        x = self.rng.normal(size=(number, len(leaves))) * 2.0 ** self.rng.integers(
            -spread, spread, (number, len(leaves))
        )
        if node in self.parent:
            others = [c for c in self.children(self.parent[node]) if c != node]
            beside = others[int(self.rng.integers(len(others)))]
            leaves.append(self.leaf_below(beside))
            own.append(beside < self.tree.n)
            factors = self.fixed if self.fixed is not None else np.ones(self.site.n)
            total = (x * factors[leaves[:-1]]).sum(axis=1) / factors[leaves[-1]]
            x = np.concatenate([x, -total[:, None]], axis=1)
        dtype = numpy_dtype(self.device.own_type)
        return leaves, own, x.astype(dtype).astype(np.float64)

    def results(self, leaves: Sequence[int], x: Array) -> Array:
        vectors = np.zeros((len(x), self.site.n))
        vectors[:, list(leaves)] = x
        return self.device.ask(vectors, self.fixed, self.rows)

    def fit(self, nodes: Sequence[int], number: int = TRIED, alike: bool = False) -> dict[int, list[Way]]:
        """Return the arithmetics that give the device's results at these nodes; if `alike`, at all.

        Nodes whose probes have the same tree are executed together.
        """
        probes = {node: self.probes(node, number) for node in nodes}
        vectors = np.zeros((number * len(nodes), self.site.n))
        for k, node in enumerate(nodes):
            leaves, _, x = probes[node]
            vectors[k * number : (k + 1) * number, leaves] = x
        found = self.device.ask(vectors, self.fixed, self.rows).reshape(len(nodes), number)
        fitting, ways = dict[int, list[Way]](), list[Way]()
        groups = dict[Any, list[int]]()
        for k, node in enumerate(nodes):
            same = tuple(probes[node][1]), node in self.parent, self.kind(node), self._first_leaf(node)
            groups.setdefault(k if alike else same, []).append(k)
        for places in groups.values():
            chosen = [nodes[k] for k in places]
            candidates = ways if alike and fitting else list(self.candidates(chosen[0]))
            below = np.array([probes[node][0] for node in chosen])
            probe = Probe(below, probes[chosen[0]][1], np.concatenate([probes[node][2] for node in chosen]))
            fits = [(way, self._gives(chosen[0], way, probe, found[places])) for way in candidates]
            for j, node in enumerate(chosen):
                fitting[node] = ways = [way for way, gives in fits if gives[j]]
        return fitting

    def _first_leaf(self, node: int) -> int:
        """Return the position of the first child that is a leaf, -1 if there is none."""
        return next((p for p, child in enumerate(self.children(node)) if child < self.tree.n), -1)

    def _gives(self, node: int, way: Way, probe: Probe, results: Array) -> Array:
        """Return whether an arithmetic of nodes gives the results of their probes, whatever is above them."""
        gives = np.zeros(len(results), bool)
        for tree in self._local_trees(node, way, probe):
            accumulation = Accumulation(Level("tree", tree=tree), (), "without init", inputs=self.inputs)
            gives |= self.equal(accumulation, probe, results)
            if gives.all():
                break
        return gives

    def _local_trees(self, node: int, way: Way, probe: Probe) -> Iterator[Tree]:
        """Yield the tree over the leaves of a probe, with each arithmetic that the node above may have."""
        own = probe.own
        rounded = _without_fma(way[0])
        for below in dict.fromkeys((rounded, *(() if all(own) else self.known))):
            yield from self._local_trees_over(below, node, way, probe)

    def _local_trees_over(self, below: Arithmetic, node: int, way: Way, probe: Probe) -> Iterator[Tree]:
        """Yield those trees in which leaves that are further below pass a node of one arithmetic."""
        leaves, own = probe.leaves[0].tolist(), probe.own
        (arithmetic, mark), m, rounded = way, len(leaves), _without_fma(way[0])
        number, nodes = m - (node in self.parent), list[Node]()
        passes = self.contracts or below != rounded

        def enter(k: int) -> int:
            if own[k] or not passes:
                return k
            nodes.append(Node((ZERO, k), below))
            return m + len(nodes) - 1

        unrounded = None if mark is None else leaves.index(self._factor(node, mark))
        nodes.append(Node(tuple(enter(k) for k in range(number)), arithmetic, unrounded))
        top = m + len(nodes) - 1
        if number == m:
            yield canonical(m, nodes, top)
            if arithmetic.kind == "fused":  # the node above cuts its sum, too
                yield canonical(m, [*nodes, Node((top, ZERO), arithmetic)], top + 1)
            return
        beside = enter(m - 1)
        marked = 1 if own[m - 1] and arithmetic.kind == "fma" else None
        usual = (arithmetic if marked else rounded, rounded, Arithmetic(type=arithmetic.type), PLAIN)
        wider = [Arithmetic(type=type) for type in ("f32", "f64") if type in self.types]
        for above in dict.fromkeys((*usual, *wider, *self.known)):
            last = Node((top, beside), above, marked if above.kind == "fma" else None)
            yield canonical(m, [*nodes, last], m + len(nodes))

    def _factor(self, node: int, mark: int) -> int:
        """Return the child that a mark means."""
        children = self.children(node)
        return next(c for c in children if c < self.tree.n) if mark == THE_LEAF else children[mark]

    def equal(self, accumulation: Accumulation, probe: Probe, results: Array) -> Array:
        """Return of which nodes an accumulation of their few leaves gives all results [nodes, probes]."""
        second, first = None, probe.x
        if self.fixed is not None:
            second = np.repeat(self.fixed[probe.leaves], results.shape[1], axis=0)
            if self.device.side:
                first, second = second, first
        try:
            sums = rerun(self.site, accumulation, first, second)
        except Unsupported:  # fused nodes of too many bits
            return np.zeros(len(results), bool)
        return np.asarray((self.read(sums).reshape(results.shape) == results).all(axis=1))

    def read(self, sums: Array) -> Array:
        """Return what a device's results would be for these sums."""
        if self.site.is_direct:
            return self.site.finish(sums)
        rows = np.repeat(sums[:, None], self.site.results, axis=1)
        return self.site.finish(rows)[:, self.device.rows[0]]

    # All nodes.

    def kind(self, node: int) -> tuple[int, int]:
        """Return how many children a node has, up to three, and how many of two are leaves."""
        children = self.children(node)
        leaves = sum(child < self.tree.n for child in children)
        return min(len(children), 3), leaves if len(children) == 2 else 0

    @property
    def nodes(self) -> list[int]:
        return list(range(self.tree.n, self.tree.n + len(self.tree.nodes)))

    def alike(self) -> Iterator[Tree]:
        """Yield the trees with one arithmetic for all nodes of a kind, of those that fit a few of each.

        A node rounds what enters it, so that a wider node below it fits, too.
        """
        by_kind = dict[tuple[int, int], list[int]]()
        for node in self.nodes:
            by_kind.setdefault(self.kind(node), []).append(node)
        fits = dict[tuple[int, int], list[Way]]()
        for kind in sorted(by_kind, reverse=True):
            nodes = by_kind[kind]
            few = self.rng.permutation(nodes)[:SAMPLES].tolist()
            fitting = self.fit([int(node) for node in few], alike=True)
            fits[kind] = fitting[int(few[-1])]
            if not fits[kind]:
                return
            self.known += dict.fromkeys(_without_fma(way[0]) for way in fits[kind][:KNOWN])
        common = set.intersection(*({way[0] for way in ways} for ways in fits.values()))
        ranked = [sorted(ways, key=lambda way: way[0] not in common) for ways in fits.values()]
        several = [
            list(dict.fromkeys([*ways[:2], fit[0]])) for ways, fit in zip(ranked, fits.values(), strict=True)
        ]
        choices = list(islice(product(*several), COMBINED))
        for ways in sorted(choices, key=lambda ways: len({arithmetic for arithmetic, _ in ways})):
            chosen = dict(zip(fits, ways, strict=True))
            yield self.with_ways({node: chosen[self.kind(node)] for node in self.nodes})

    def one_by_one(self, number: int) -> Iterator[Tree]:
        """Yield trees in which each node has an arithmetic that fits: the most usual one, and that of most.

        A few probes leave a node more arithmetics than it has: those of its kind that have fewer decide.
        """
        fitting, step = dict[int, list[Way]](), max(1, (1 << 22) // (number * self.site.n))
        for start in range(0, len(self.nodes), step):
            fitting |= self.fit(self.nodes[start : start + step], number)
        alike = Tally((self.kind(node), tuple(ways)) for node, ways in fitting.items() if ways)
        votes = Tally((self.kind(node), way[0]) for node, ways in fitting.items() for way in ways)
        usual, voted = dict[int, Way](), dict[int, Way]()
        for node, ways in fitting.items():
            kind = self.kind(node)
            choices = [
                (count, fits) for (k, fits), count in alike.items() if k == kind and {*fits} <= {*ways}
            ]
            usual[node] = max(choices, key=lambda each: each[0])[1][0] if choices else (PLAIN, None)
            voted[node] = max(ways, key=lambda way: votes[kind, way[0]]) if ways else (PLAIN, None)
        root = self.nodes[-1]
        yield self.with_ways(usual)
        for way in fitting[root]:  # a root that is wider than the result is not seen
            if way != usual[root]:
                yield self.with_ways({**usual, root: way})
        if voted != usual:
            yield self.with_ways(voted)

    def with_ways(self, ways: dict[int, Way]) -> Tree:
        nodes = list[Node]()
        for k, node in enumerate(self.tree.nodes, self.tree.n):
            arithmetic, mark = ways[k]
            if mark is not None:
                mark = node.children.index(self._factor(k, mark))
            nodes.append(Node(node.children, arithmetic, mark))
        return Tree(self.tree.n, tuple(nodes))


def _without_fma(arithmetic: Arithmetic) -> Arithmetic:
    """Return the arithmetic of a node without a product that enters unrounded."""
    if arithmetic.kind != "fma":
        return arithmetic
    return Arithmetic(type=arithmetic.type, rounding=arithmetic.rounding)


def _lowest(type: ElementType) -> int:
    """Return the exponent of the least number of a type."""
    import ml_dtypes

    return int(np.frexp(float(ml_dtypes.finfo(numpy_dtype(type)).smallest_subnormal))[1]) - 1
