"""Layout of a directed graph in ranks from top to bottom, with few crossings and straight edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

SWEEPS, SMOOTHINGS = 8, 60
NODE, BEND = 1.0, 0.22  # widths, with the gap beside them
STRAIGHT = 8.0  # weight of edges between bends: long edges are straight

Edge = tuple[int, int]
Point = tuple[float, int]  # place within a rank, in widths of a node, and the rank


class Layout(NamedTuple):
    """The place of each node, the points of each edge, and the number of widths and ranks.

    An edge goes through a point of each rank between its ends.
    """

    nodes: tuple[Point, ...]
    routes: dict[Edge, tuple[Point, ...]]
    width: float
    ranks: int


def lay_out(count: int, edges: Iterable[Edge]) -> Layout:
    """Return the layout of nodes `0..count-1`; every edge goes from a smaller to a greater number."""
    edges = sorted(set(edges))
    if not count:
        return Layout((), {}, 0, 0)
    rank = ranks(count, edges)
    routes, places = _with_bends(rank, edges)
    rows = [[k for k, at in enumerate(places) if at == r] for r in range(max(places) + 1)]
    links = _links(len(places), [link for route in routes.values() for link in pairwise(route)])
    rows = _order_rows(rows, links)
    x = _place(rows, links, count)
    points = [(place, at) for place, at in zip(x, places, strict=True)]
    drawn = {edge: tuple(points[k] for k in route) for edge, route in routes.items()}
    return Layout(tuple(points[:count]), drawn, max(x) + NODE / 2, len(rows))


def ranks(count: int, edges: Sequence[Edge]) -> list[int]:
    """Return the rank of each node: below all that it reads; without those, above its first reader."""
    rank = [0] * count
    for above, below in sorted(edges, key=lambda edge: edge[1]):
        rank[below] = max(rank[below], rank[above] + 1)
    reads = {below for _, below in edges}
    for node in set(range(count)) - reads:
        rank[node] = max(0, min((rank[b] for a, b in edges if a == node), default=1) - 1)
    return rank


Links = tuple[dict[int, list[int]], dict[int, list[int]]]  # of each node: those above, those below


def _with_bends(rank: Sequence[int], edges: Sequence[Edge]) -> tuple[dict[Edge, list[int]], list[int]]:
    """Return the nodes and bends on each edge, and the ranks of all; bends are numbered after the nodes."""
    places = list(rank)
    routes = {}
    for above, below in edges:
        bends = range(len(places), len(places) + rank[below] - rank[above] - 1)
        places.extend(range(rank[above] + 1, rank[below]))
        routes[above, below] = [above, *bends, below]
    return routes, places


def _links(count: int, pairs: Sequence[Edge]) -> Links:
    above, below = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
    for a, b in pairs:
        above[b].append(a)
        below[a].append(b)
    return above, below


def _order_rows(rows: list[list[int]], links: Links) -> list[list[int]]:
    """Return the rows in the sequence with the fewest crossings that sweeps down and up have found."""
    best, least = rows, _crossings(rows, links[1])
    for sweep in range(SWEEPS):
        if not least:
            break
        near = links[sweep % 2]
        order = rows if sweep % 2 == 0 else rows[::-1]
        known: dict[int, float] = {}
        swept = []
        for row in order:
            middle = {k: _mean([known[n] for n in near[k] if n in known], at) for at, k in enumerate(row)}
            swept.append(sorted(row, key=middle.__getitem__))
            known |= {k: at for at, k in enumerate(swept[-1])}
        rows = swept if sweep % 2 == 0 else swept[::-1]
        if (found := _crossings(rows, links[1])) < least:
            best, least = rows, found
    return best


def _mean(places: Sequence[float], default: float) -> float:
    return sum(places) / len(places) if places else default


def _crossings(rows: Sequence[Sequence[int]], below: dict[int, list[int]]) -> int:
    """Return how many pairs of edges between neighbouring rows cross."""
    total = 0
    for upper, lower in pairwise(rows):
        at = {k: place for place, k in enumerate(lower)}
        ends = [place for k in upper for place in sorted(at[b] for b in below[k])]
        total += sum(a > b for k, a in enumerate(ends) for b in ends[k + 1 :])
    return total


def _place(rows: Sequence[Sequence[int]], links: Links, count: int) -> list[float]:
    """Return the place of each node and bend within its row: near the middle of its neighbours."""
    widths = [NODE if k < count else BEND for k in range(sum(map(len, rows)))]
    x = [0.0] * len(widths)
    for row in rows:
        _put(x, row, [0.0] * len(row), [1.0] * len(row), widths)
    for sweep in range(SMOOTHINGS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            near = [(*links[0][k], *links[1][k]) for k in row]
            weights = [
                [STRAIGHT if n >= count and k >= count else 1.0 for n in ns]
                for k, ns in zip(row, near, strict=True)
            ]
            wanted = [
                sum(w * x[n] for w, n in zip(ws, ns, strict=True)) / sum(ws) if ns else x[k]
                for k, ns, ws in zip(row, near, weights, strict=True)
            ]
            _put(x, row, wanted, [sum(ws) or 1.0 for ws in weights], widths)
    left = min(x[k] - widths[k] / 2 for row in rows for k in row)
    return [place - left for place in x]


def _put(
    x: list[float],
    row: Sequence[int],
    wanted: Sequence[float],
    weights: Sequence[float],
    widths: Sequence[float],
) -> None:
    """Set the places of a row, as near to the wanted ones as its widths allow."""
    for k, place in zip(row, space_apart(wanted, weights, _gaps(row, widths)), strict=True):
        x[k] = place


def _gaps(row: Sequence[int], widths: Sequence[float]) -> list[float]:
    return [(widths[a] + widths[b]) / 2 for a, b in pairwise(row)]


def space_apart(wanted: Sequence[float], weights: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """Return places at least `gaps` apart with the least weighted sum of squared distances from `wanted`.

    Without the gaps, that is isotonic regression: neighbours in the wrong order are pooled at their mean.
    """
    offsets = [0.0]
    for gap in gaps:
        offsets.append(offsets[-1] + gap)
    pools: list[list[float]] = []  # sum of weights, weighted mean, number
    for place, weight, offset in zip(wanted, weights, offsets, strict=True):
        pools.append([weight, place - offset, 1])
        while len(pools) > 1 and pools[-2][1] > pools[-1][1]:
            w, mean, n = pools.pop()
            total = pools[-1][0] + w
            pools[-1] = [total, (pools[-1][0] * pools[-1][1] + w * mean) / total, pools[-1][2] + n]
    means = [mean for _, mean, n in pools for _ in range(int(n))]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
