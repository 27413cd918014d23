"""Units as an implementation counts them: which numbers absorb, and up to how many units are exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from interp.apps.revealing.device import Device, Inconsistent, Meeting, Probing, Refused
from interp.apps.revealing.execution import Range
from interp.apps.revealing.site import Site
from interp.backends import Array
from interp.backends.dtypes import numpy_dtype
from spec.accumulation import Accumulation
from spec.trees import Tree
from spec.types import ElementType

CAPS = (1 << 24, 1 << 11, 1 << 8, 16, 8)  # numbers of units that types of 24, 11, 8, 4 and 3 bits count
HALF = 2.0**15  # the largest power of two in f16
TRIED = 6  # subsets of leaves, and pairs, of a calibration
NEAR = 2.0**30  # times the unit: type f32 holds the sum of a nearer large number and a unit
TRIPLES = 48  # of leaves, by which it is seen how many units are lost
FEWEST = 4
ASKED = 256  # nodes, those of the most leaves, of which it is asked whether they are compensated
CHUNK = 1 << 22  # leaves of probes that are built at a time


class Numbers(NamedTuple):
    """The number that absorbs, and the unit."""

    large: float
    unit: float


def numbers(leaf: ElementType, declared: ElementType) -> list[Numbers]:
    """Return what to try: the largest power of two of a type, or integer, and units far below it."""
    if leaf.is_integer:
        return [Numbers(float(leaf.max_value), 1.0)]
    large = 2.0 ** (int(np.frexp(_most(leaf))[1]) - 1)
    large = min(large, 2.0 ** (int(np.frexp(_most(declared))[1]) - 1))
    least, normal = _least(leaf)
    units = [1.0, normal, least] if large > 2.0**60 else [least, normal]
    found = [Numbers(large, unit) for unit in units]
    if large > HALF:  # nodes may have the range of f16
        found += [Numbers(HALF, 2.0**-24), Numbers(HALF, 2.0**-14)]
    return found


def _most(type: ElementType) -> float:
    import ml_dtypes

    return float(ml_dtypes.finfo(numpy_dtype(type)).max)


def _least(type: ElementType) -> tuple[float, float]:
    """Return the least positive number of a type, and the least normal one."""
    import ml_dtypes

    info = ml_dtypes.finfo(numpy_dtype(type))
    return float(info.smallest_subnormal), float(info.smallest_normal)


class Counter:
    """Counts of units of a device, by what its program makes of so many."""

    def __init__(self, device: Device, numbers: Numbers, rows: Sequence[int] = ()) -> None:
        self.device, self.numbers, self.rows = device, numbers, rows
        self.table = self._table()

    def _table(self) -> dict[bytes, int]:
        """Return the number of units that a result means; those that have the same result are left out."""
        site, most = self.device.site, self.device.site.n if self.device.site.is_direct else 256
        sums = np.arange(min(most, site.n) + 1) * self.numbers.unit
        if site.is_direct:
            flat = site.finish(sums.astype(np.float64))
        else:
            flat = site.finish(np.repeat(sums[:, None], site.results, axis=1))[:, self.device.rows[0]]
        found, several = dict[bytes, int](), set[bytes]()
        for count, x in enumerate(flat):
            key = (x + 0).tobytes() if x == 0 else x.tobytes()
            several |= {key} if key in found else set()
            found[key] = count
        first = min((found[key] for key in several), default=len(flat))
        return {key: count for key, count in found.items() if count < first and key not in several}

    def decode(self, results: Array) -> Array:
        """Return the number of units of each result, -1 where it is not one."""
        found = np.array(results)
        found[found == 0] = 0  # of any sign
        several, at = np.unique(found.view(f"u{found.itemsize}"), return_inverse=True)
        return np.array([self.table.get(bits.tobytes(), -1) for bits in several], int)[at]

    def vectors(self, meetings: Sequence[Meeting]) -> Array:
        found = np.zeros((len(meetings), self.device.site.n))
        for row, meeting in zip(found, meetings, strict=True):
            row[meeting.units] = self.numbers.unit
        pairs = np.array([meeting[:2] for meeting in meetings], int).reshape(-1, 2)
        (meet,) = np.nonzero(pairs[:, 0] >= 0)
        found[meet, pairs[meet, 0]] = self.numbers.large
        found[meet, pairs[meet, 1]] = -self.numbers.large
        return found

    def ask(self, meetings: Sequence[Meeting]) -> Array:
        """Return the count of each probe, -1 where the result is not a number of units."""
        step, found = max(1, CHUNK // self.device.site.n), [np.zeros(0, int)]
        for start in range(0, len(meetings), step):
            vectors = self.vectors(meetings[start : start + step])
            found.append(self.decode(self.device.ask(vectors, rows=self.rows)))
        return np.concatenate(found)

    def counts(self, meetings: Sequence[Meeting]) -> Array:
        found = self.ask(meetings)
        if (found < 0).any():
            raise Inconsistent("a sum of units, a large number and its negative is not a number of units")
        return found

    def signs(self, meetings: Sequence[Meeting]) -> Array:
        """Return 1 where the unit of a probe is not absorbed, else 0, whatever the result is."""
        return (self.ask(meetings) == 1).astype(int)


def calibrate(device: Device, rng: np.random.Generator, rows: Sequence[int] = ()) -> Probing | None:
    """Return how to count units, None where none is ever absorbed; `Refused` if they are not counted."""
    leaf, n, is_counted = device.own_type, device.site.n, False
    if n == 1:
        return None
    for each in numbers(leaf, device.site.declared):
        counter = Counter(device, each, rows)
        cap = _cap(counter, n, rng)
        if cap < min(3, n):
            continue
        if device.site.declared.is_integer:
            return _probing_of_integers(counter, n, cap)
        if leaf.is_integer and each.large < 2.0**device.site.declared.precision:
            return None
        if not _is_finite(counter, n, rng):
            continue
        cap, is_near = _limit_units(counter, n, cap, rng)
        probing = _probing(counter, n, cap, rng)
        if probing is not None:
            return probing._replace(is_near=is_near)
        is_counted = True
    if not is_counted:
        raise Refused("units alone are not counted: it is no sum of its leaves, or flushes or rounds them")
    return None


def _cap(counter: Counter, n: int, rng: np.random.Generator) -> int:
    """Return how many units are counted exactly: all, or as many as a type of few bits does."""
    table = len(counter.table) - 1
    for cap in (n, *CAPS):
        if cap > table or (cap != n and cap >= n):
            cap = min(cap, table, n)
        if cap < 1:
            return 0
        sizes = rng.integers(max(1, cap // 2), cap + 1, TRIED) | 1
        sizes = np.array([cap, *np.minimum(sizes, cap)])
        units = [rng.choice(n, int(size), replace=False) for size in sizes if size <= n]
        found = counter.ask([Meeting(-1, -1, each) for each in units])
        if (found == [len(each) for each in units]).all():
            return cap
    return 0


def _is_finite(counter: Counter, n: int, rng: np.random.Generator) -> bool:
    """Return whether the large number and its negative cancel to a finite number, wherever they meet."""
    pairs = [rng.choice(n, 2, replace=False) for _ in range(TRIED)] + [np.array([0, n - 1])]
    vectors = counter.vectors([Meeting(int(i), int(j), np.zeros(0, int)) for i, j in pairs])
    return bool(np.isfinite(counter.device.ask(vectors, rows=counter.rows).astype(np.float64)).all())


def _limit_units(counter: Counter, n: int, cap: int, rng: np.random.Generator) -> tuple[int, bool]:
    """Return how many units are lost beside the large number, as one is; and whether the large one is near.

    A node of few bits loses a unit, but not the sum of many.
    """
    large, unit = counter.numbers
    if large / unit > NEAR or n < 3:
        return cap, False
    triples = np.stack([rng.choice(n, 3, replace=False) for _ in range(TRIPLES)])
    vectors = counter.vectors([Meeting(int(i), int(j), np.array([k])) for i, j, k in triples])
    is_lost = counter.device.ask(vectors, rows=counter.rows) == 0
    while cap > FEWEST:
        sums = np.where(vectors == unit, 2.0 ** int(np.log2(cap)) * unit, vectors)
        if (counter.device.ask(sums, rows=counter.rows)[is_lost] == 0).all():
            break
        cap //= 2
    return cap, True


def _probing(counter: Counter, n: int, cap: int, rng: np.random.Generator) -> Probing | None:
    """Return how to count units below a meeting; None if none is absorbed."""
    pairs = [rng.choice(n, 2, replace=False) for _ in range(TRIED)]
    pairs += [np.array([0, n - 1]), np.array([n - 1, 0])]
    meetings = list[Meeting]()
    for i, j in pairs:
        others = np.setdiff1d(np.arange(n), [i, j])
        units = rng.choice(others, min(len(others), cap - 1), replace=False)
        meetings.append(Meeting(int(i), int(j), units))
    found = counter.ask(meetings)
    if n == 2:
        return Probing(counter.counts, cap) if (found == 0).all() else None
    if (found < 0).any():
        return Probing(counter.signs, cap, signs=True)
    if all(count == len(meeting.units) for count, meeting in zip(found, meetings, strict=True)):
        return None
    return Probing(counter.counts, cap)


def _probing_of_integers(counter: Counter, n: int, cap: int) -> Probing | None:
    """Return how to count units beside a large integer; None if nothing saturates."""
    large = counter.numbers.large
    vector = np.zeros((1, n))
    vector[0, :2] = large, 1
    (total,) = counter.device.ask(vector, rows=counter.rows)
    return Probing(counter.counts, cap, child=True) if total == large else None


def has_any_order(site: Site, accumulation: Accumulation) -> bool:
    """Return whether sums of all leaves of these types are exact, or integers that do not saturate."""
    own = accumulation.arithmetics[0]
    if site.n == 1 or accumulation.level.name == "star":
        return True
    if site.declared.is_integer:
        return own.rounding != "saturate"
    digits = sum(range.high - range.low + range.bits for range in (Range.of(x.type) for x in site.sides))
    bits = {"f32": 24, "f64": 53}.get(own.type, site.declared.precision)
    return digits + site.n.bit_length() <= bits


# Compensated sums.


class Compensated(NamedTuple):
    """At how many nodes, of those that were asked, two numbers have Kahan's sum."""

    nodes: int
    asked: int

    def __str__(self) -> str:
        where = f"{self.nodes:,} of {self.asked:,} nodes that were asked"
        return f"at {where} u/2, then 1 + u, have the sum 1 + u, and 3u/2 have 1 + 3u, as Kahan's sums"


def find_compensated(device: Device, tree: Tree, rows: Sequence[int] = ()) -> Compensated:
    """Return at how many nodes of a recovered tree a sum is compensated; leaves are of the declared type.

    Kahan's sum of t and y loses what `(fl(t + y) - t) - y` says, and the next number is corrected by it.
    Where y is the larger, that is not what was lost: let u be the distance of numbers at 1. After t = u/2,
    y = 1 + u becomes 1 + u, and after t = 3u/2 it becomes 1 + 3u; a sum that is rounded once, half to even,
    is 1 + 2u.
    """
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
