"""Inputs of the implementation and their leaves, and a few of them by which accumulations are chosen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from interp.apps.revealing.device import Device
from interp.apps.revealing.execution import NUMBER, draw, fill, rerun
from interp.apps.revealing.site import Site
from interp.backends import Array
from interp.backends.dtypes import numpy_dtype
from interp.questions.permitted.results import equal
from spec.accumulation import Accumulation
from spec.errors import Unsupported

SCREENED = 8  # vectors of each kind by which arithmetics are chosen


def arguments(device: Device, kind: int, rng: np.random.Generator) -> list[Array]:
    """Return arguments with leaves of a kind where probes have theirs, and usual numbers elsewhere."""
    args = [x.copy() for x in device.blank]
    for side in device.site.sides:
        args[side.argument] = fill(args[side.argument].shape, side.type, rng)
    rows = device.rows
    x, other = draw(kind, len(rows), device.site.n, device.own_type, device.other_type, rng)
    device.place(args, rows, device.side, x)
    if other is not None:
        device.place(args, rows, 1 - device.side, other)
    return args


def leaves(site: Site, args: Sequence[Array], results: Sequence[int]) -> list[Array]:
    """Return the leaves of results, of each side, as numbers."""
    found = list[Array]()
    for side in site.sides:
        numbers = args[side.argument].reshape(-1)[side.places[list(results)]]
        numbers = numbers.astype(np.int64 if side.type.is_integer else np.float64)
        found.append(numbers * side.scale if side.scale != 1 else numbers)
    return found


def read(site: Site, sums: Array, results: Sequence[int]) -> Array:
    """Return what the program's results are for these sums, [calls, results]."""
    if site.is_direct:
        return site.finish(sums)
    every = np.zeros((len(sums), site.results))
    every[:, list(results)] = sums
    return site.finish(every)[:, list(results)]


def _zeros(device: Device, n: int) -> list[tuple[Array, Array]]:
    """Return vectors of negative zeros, and of negative products that are too small to be other numbers."""
    vectors = [(-np.zeros(n), np.ones(n))]
    type = device.own_type
    if device.other_type is not None and not (type.is_integer or device.other_type.is_integer):
        import ml_dtypes

        least = float(ml_dtypes.finfo(numpy_dtype(type)).smallest_subnormal)
        vectors.append((np.full(n, -least), np.full(n, 0.25)))
    return vectors


class Screen:
    """A few vectors of each kind with the device's results, by which accumulations are chosen."""

    def __init__(self, device: Device, rows: Sequence[int], rng: np.random.Generator) -> None:
        self.site, self.device = device.site, device
        self.rows = list(rows) or device.rows
        own, few = np.random.default_rng(rng.integers(1 << 62)), max(1, SCREENED // len(self.rows))
        results, sides = list[Array](), list[list[Array]]()
        for k in range(NUMBER * few):
            args = arguments(device, k % NUMBER, own)
            chosen = self.rows[:SCREENED]
            results.append(device.call(args)[chosen])
            sides.append(leaves(device.site, args, chosen))
        self.chosen = self.rows[:SCREENED]
        self.results = np.stack(results)
        self.sides = [np.concatenate(parts) for parts in zip(*sides, strict=True)]
        self.best = 0
        self.zeros = _zeros(device, device.site.n)
        self.zero = np.concatenate([device.ask(x[None], y, self.rows[:1]) for x, y in self.zeros])

    @property
    def size(self) -> int:
        return self.results.size

    @property
    def negative_zero(self) -> bool:
        """Return whether the sum of negative zeros is one."""
        return bool(np.signbit(self.zero.astype(np.float64))[0])

    def has_sign(self, accumulation: Accumulation) -> bool:
        sides = [np.stack(part) for part in zip(*self.zeros, strict=True)][: len(self.site.sides)]
        if self.device.side:
            sides.reverse()
        sums = rerun(self.site, accumulation, *sides)[:, None]
        return bool(equal(read(self.site, sums, self.rows[:1])[:, 0], self.zero).all())

    def gives(self, accumulation: Accumulation) -> bool:
        """Return whether an accumulation has all results, but for signs of zero; the most are counted."""
        try:
            sums = rerun(self.site, accumulation, *self.sides).reshape(self.results.shape)
        except Unsupported:
            return False
        ours = read(self.site, sums, self.chosen)
        same = equal(self.results, ours) | ((self.results == 0) & (ours == 0))
        self.best = max(self.best, int(same.sum()))
        return bool(same.all())
