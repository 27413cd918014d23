"""The implementation as probes see it: vectors of leaves go in, the results of the sum come out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from interp.apps.revealing.site import NOWHERE, Site
from interp.backends import Array
from interp.backends.dtypes import numpy_dtype
from interp.engine.inputs import plain_array
from interp.engine.work import beat
from interp.questions.permitted.results import accept_array, equal
from spec.errors import InterpError, Malformed
from spec.types import ElementType

MOST_ROWS = 4096  # results that one call probes
Function = Callable[..., Any]


class Refused(Exception):
    """The reason why nothing is stated."""


class Meeting(NamedTuple):
    """A probe: M in leaf i, -M in leaf j, and units in those of `units` that are neither."""

    i: int
    j: int
    units: Array


Counts = Callable[[Sequence[Meeting]], Array]
Nested = int | tuple[Any, ...]  # a leaf, or the children of a node


class Inconsistent(Refused):
    """Counts that no tree explains."""


class Probing(NamedTuple):
    """Probing of meetings: `counts` gives the units outside, or MANY where they are not countable.

    cap: the most units that are counted. child: units are lost below i's child alone, as where sums saturate.
    signs: only one unit is told from none, as where sums are rounded toward zero. is_near: wide nodes hold
    the sum of a unit and the large number, so that they look exact.
    """

    counts: Counts
    cap: int
    child: bool = False
    signs: bool = False
    is_near: bool = False


class Device:
    """A function that computes a site's program, and the results that one call of it probes.

    rows: results whose leaves are elements of their own, so that each carries a probe of its own.
    """

    def __init__(self, site: Site, function: Function) -> None:
        self.site, self.function = site, function
        self.calls = self.probes = 0
        self.blank = [np.zeros(v.type.shape, numpy_dtype(v.type.storage_type)) for v in site.func.inputs]
        self.side = 0
        self.rows = self._independent()
        self.ones = np.ones(site.n)
        self.first: tuple[list[Array], Array] | None = None  # a call's arguments, and its results

    def is_changed(self) -> bool:
        """Return whether the first call has other results by now."""
        if self.first is None:
            return False
        args, results = self.first
        try:
            return not equal(results, self.call(args)).all()
        except Refused:
            return False

    def _independent(self) -> list[int]:
        """Choose the side that probes vary, and the results that do not share elements of it."""
        found = [_independent(self.site, side) for side in range(len(self.site.sides))]
        self.side = max(range(len(found)), key=lambda k: len(found[k]))
        if not found[self.side]:
            raise Refused("no result has leaves of its own that arguments give, without padding")
        return found[self.side]

    @property
    def own_type(self) -> ElementType:
        """The type of the argument that probes vary."""
        return self.site.sides[self.side].type

    @property
    def other_type(self) -> ElementType | None:
        """The type of the argument of the other factors, None if there are none."""
        return self.site.sides[1 - self.side].type if len(self.site.sides) > 1 else None

    def call(self, args: Sequence[Array]) -> Array:
        """Return the flat results of the function for these arguments, checked."""
        beat()
        self.calls += 1
        output = self.site.output
        try:
            with np.errstate(all="ignore"):
                given = self.function(*[x.copy() for x in args])
        except Refused:
            raise
        except Exception as error:
            first = str(error).strip().split("\n")[0][:200]
            raise Refused(f"it failed: {type(error).__name__}: {first}") from None
        several = given if isinstance(given, tuple | list) else (given,)
        wanted = self.site.func.results
        if len(several) != len(wanted):
            raise Refused(f"it returned {len(several)} results, and the program has {len(wanted)}")
        try:
            result = np.asarray(getattr(several[output], "storage", several[output]))
            if result.dtype.byteorder == ">":
                result = result.astype(f"{result.dtype.kind}{result.itemsize}", copy=False)
            result = plain_array(result)
            return accept_array(result, wanted[output], f"result {output}").reshape(-1)
        except Malformed as error:
            evidence = " ".join(error.evidence.split("\n"))
            raise Refused(f"{error.verdict}: {evidence}") from None
        except (InterpError, TypeError, ValueError) as error:
            raise Refused(f"its result is not an array: {error}") from None

    def place(self, args: list[Array], rows: Sequence[int], side: int, values: Array) -> None:
        """Write leaves of results into the arguments: [rows, leaves], or [leaves] for all."""
        own = self.site.sides[side]
        flat = args[own.argument].reshape(-1)
        with np.errstate(over="ignore"):  # a large number may not be some times an element
            flat[own.places[rows]] = (values / own.scale if own.scale != 1 else values).astype(flat.dtype)

    def ask(self, vectors: Array, fixed: Array | None = None, rows: Sequence[int] = ()) -> Array:
        """Return the result for each vector of leaves, or of factors beside the `fixed` ones, usually 1."""
        rows, found = list(rows) or self.rows[:MOST_ROWS], list[Array]()
        self.probes += len(vectors)
        fixed = self.ones if fixed is None else fixed
        for start in range(0, len(vectors), len(rows)):
            part = vectors[start : start + len(rows)]
            args = [x.copy() for x in self.blank]
            self.place(args, rows[: len(part)], self.side, part)
            if len(self.site.sides) > 1:
                self.place(args, rows[: len(part)], 1 - self.side, fixed)
            found.append(self.call(args)[rows[: len(part)]])
        return np.concatenate(found) if found else np.zeros(0)


def _independent(site: Site, side: int) -> list[int]:
    """Return results that share no element of one side, with the same or own elements of the other."""
    own, others = site.sides[side], [s for k, s in enumerate(site.sides) if k != side]
    if others and others[0].argument == own.argument:
        return []
    taken, taken_other = set[int](), set[int]()
    first: Array | None = None
    rows = list[int]()
    whole = ~(own.places == NOWHERE).any(axis=1)
    for row in np.flatnonzero(whole):
        if len(rows) == MOST_ROWS:
            break
        if own.places[row, 0] in taken or own.places[row, -1] in taken:
            continue
        leaves = own.places[row].tolist()
        if len(set(leaves)) != len(leaves) or not taken.isdisjoint(leaves):
            continue
        if others:
            factors = others[0].places[row]
            if len(set(factors.tolist())) != len(leaves):
                continue
            is_other = first is not None and not np.array_equal(first, factors)
            if is_other and not taken_other.isdisjoint(factors.tolist()):
                continue
            first = factors if first is None else first
            taken_other.update(factors.tolist())
        taken.update(leaves)
        rows.append(int(row))
    return rows
