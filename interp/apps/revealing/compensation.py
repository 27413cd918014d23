"""Sums that are compensated, as Kahan's: what came before is rounded alone, to the grid of a larger number.

Kahan's sum of t and y loses what `(fl(t + y) - t) - y` says, and the next number is corrected by it. Where y
is the larger, that is not what was lost: let u be the distance of numbers at 1. After t = u/2, y = 1 + u
becomes 1 + u, and after t = 3u/2 it becomes 1 + 3u; a sum that is rounded once, half to even, is 1 + 2u.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from interp.apps.revealing.device import Device
from spec.trees import Tree

ASKED = 256  # nodes, those of the most leaves


class Compensated(NamedTuple):
    """At how many nodes, of those that were asked, two numbers have Kahan's sum."""

    nodes: int
    asked: int

    def __str__(self) -> str:
        where = f"{self.nodes:,} of {self.asked:,} nodes that were asked"
        return f"at {where} u/2, then 1 + u, have the sum 1 + u, and 3u/2 have 1 + 3u, as Kahan's sums"


def find_compensated(device: Device, tree: Tree, rows: Sequence[int] = ()) -> Compensated:
    """Return at how many nodes of a recovered tree a sum is compensated; leaves are of the declared type."""
    site = device.site
    if not site.is_direct or site.declared.kind != "float" or {*site.leaf, site.declared} != {site.declared}:
        return Compensated(0, 0)
    every, u = _pairs(tree), 2.0 ** (1 - site.declared.precision)
    pairs = every
    for part, whole in ((0.5, 1.0), (1.5, 3.0)):
        vectors = np.zeros((len(pairs), tree.n))
        for vector, (before, after) in zip(vectors, pairs, strict=True):
            vector[before], vector[after] = part * u, 1 + u
        given = device.ask(vectors, rows=rows)
        pairs = [pair for pair, total in zip(pairs, given, strict=True) if float(total) == 1 + whole * u]
    return Compensated(len(pairs), len(every))


def _pairs(tree: Tree) -> list[tuple[int, int]]:
    """Return a leaf below the first child, and one below the last, of the nodes of the most leaves."""
    first, sizes = list(range(tree.n)), [1] * tree.n
    for node in tree.nodes:
        first.append(min(first[c] for c in node.children))
        sizes.append(sum(sizes[c] for c in node.children))
    largest = sorted(range(len(tree.nodes)), key=lambda k: -sizes[tree.n + k])[:ASKED]
    ends = (sorted(first[c] for c in tree.nodes[k].children) for k in largest)
    return [(leaves[0], leaves[-1]) for leaves in ends]
