"""Runs on some samples only, in which deviations are sought that are then confirmed on all of them.

PREMISE: the samples lie along the first dimension, and no operation mixes them (`rewrite.fewer_samples`). It
is checked on the run as declared, whose rows must be those of the whole program, bit for bit. An explanation
is claimed only after a run of the whole program, so that a wrong premise could only hide explanations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from interp.apps.diagnosing.deviations import Way
from interp.apps.diagnosing.runner import Runner
from interp.backends import Array
from interp.questions.permitted.results import equal
from interp.rewrite.fewer_samples import Fewer, fewer_samples
from spec.errors import InterpError
from spec.ir import Op, Value

MANY = 16  # samples; a program of fewer runs on all of them
FEW = 4  # samples that differ, and as many that do not
ENOUGH = 32  # differing elements


@dataclass(frozen=True)
class Sample:
    """Samples on which deviations were sought: their numbers, of how many, and how many elements they have.

    differing: the number of their elements that are not as declared.
    """

    rows: tuple[int, ...]
    total: int
    elements: int
    differing: int

    def __repr__(self) -> str:
        numbers = ", ".join(map(str, self.rows))
        return f"{len(self.rows)} of {self.total:,} samples ({numbers})"


class Sampled(Runner):
    """A runner on some samples, with the operations of the whole program."""

    def __init__(self, whole: Runner, fewer: Fewer, rows: Sequence[int]) -> None:
        main = fewer.func
        values = {v.name: v for op in main.body.ops for v in op.results}
        watched = {name: values[name] for name in whole.watched}
        self.fewer, self.rows, self.whole = fewer, tuple(rows), whole
        stored = [fewer.of(v, x, rows) for v, x in zip(main.inputs, whole.stored, strict=True)]
        super().__init__(fewer.module, main, stored, whole.declared, watched)

    def run(self, ways: Mapping[int, Way], args: Sequence[Array] | None = None) -> list[Array]:
        """Return the values and results on these samples; `ways` and `args` are of the whole program."""
        own = {new: ways[id(op)] for new, op in self.fewer.originals.items() if id(op) in ways}
        if args is not None:
            args = [self.fewer.of(v, x, self.rows) for v, x in zip(self.func.inputs, args, strict=True)]
        return super().run(own, args)

    def of(self, arrays: Sequence[Array]) -> list[Array]:
        """Return these samples of the values and the results of the whole program."""
        values: list[Value] = [*self.watched.values(), *self.func.body.returns]
        return [self.fewer.of(v, x, self.rows) for v, x in zip(values, arrays, strict=True)]

    @property
    def operations(self) -> list[Op]:
        """The operations of the whole program that were executed, in order."""
        return self.whole.operations


def runner_on_samples(whole: Runner, declared: Sequence[Array], rows: Sequence[int]) -> Sampled | None:
    """Return a runner on some samples; None if they cannot be told apart, or give other results there."""
    if any(value.name != name for name, value in whole.watched.items()):
        return None
    fewer = fewer_samples(whole.module, whole.func, rows)
    if fewer is None:
        return None
    known = {v.name for op in fewer.func.body.ops for v in op.results}
    if not set(whole.watched) <= known or not set(map(id, whole.operations)) <= {
        id(op) for op in fewer.originals.values()
    }:
        return None
    try:
        runner = Sampled(whole, fewer, rows)
        alike = zip(runner.run({}), runner.of(declared), strict=True)
        return runner if all(x.shape == y.shape and equal(x, y).all() for x, y in alike) else None
    except (InterpError, ValueError):  # a shape that does not follow the samples
        return None


def informative(declared: Sequence[Array], observed: Sequence[Array]) -> tuple[int, ...]:
    """Return the numbers of some samples: those with the most differences, and some without any.

    () if there are few samples, or the results have no dimension of samples in common.
    """
    sizes = {x.shape[0] if x.ndim else 0 for x in declared}
    size = sizes.pop() if len(sizes) == 1 else 0
    if size <= MANY:
        return ()
    counts = np.zeros(size, np.int64)
    for x, y in zip(declared, observed, strict=True):
        counts += np.count_nonzero(~equal(x, y).reshape(size, -1), axis=1)
    order = np.argsort(-counts, kind="stable")
    needed = int(np.searchsorted(np.cumsum(counts[order]), ENOUGH)) + 1
    worst = [int(k) for k in order[: max(FEW, min(needed, ENOUGH))] if counts[k]]
    agreeing = np.flatnonzero(counts == 0)[:FEW]
    return tuple(sorted({*worst, *map(int, agreeing)}))


def refuting(found: Sequence[Array], observed: Sequence[Array], size: int) -> list[int]:
    """Return the numbers of some samples in which results differ."""
    rows = np.zeros(size, bool)
    for x, y in zip(found, observed, strict=True):
        rows |= (~equal(x, y)).reshape(size, -1).any(axis=1)
    return [int(k) for k in np.flatnonzero(rows)[:FEW]]
