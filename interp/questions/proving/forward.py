"""The domain of ranges: the walk that finds the range of every value, and judges every accumulation.

Every branch is walked through, for the sake of what it accumulates. Where it is not known whether a loop goes
on, its values get the range of their type as soon as one round may change their range: a fixed point.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.prepared import function_of
from interp.engine.walk import LOOP, Domain, Env, chosen_branch, walk
from interp.engine.work import Work
from interp.execute.accumulating import NO_WAYS, Ways
from interp.execute.unused import adds, type_of_sum
from interp.kernels import OPERATIONS
from interp.questions.proving.along import judge_along
from interp.questions.proving.contractions import (
    MULTIPLY,
    continues,
    judge_addition,
    judge_contraction,
    judge_products,
)
from interp.questions.proving.elementwise import elementwise, movement_range, moves, sort_ranges
from interp.questions.proving.judgement import LATE, PROVED, Judgement, not_judged
from interp.questions.proving.ranges import Range, anywhere, has_order, hull, type_range, value_range
from interp.questions.proving.reductions import accumulates, judge_sums
from interp.recorder.event import heading
from interp.recorder.names import Qualifier, qualifier
from spec.integer_reading import uses_accumulator
from spec.ir import Op, Value
from spec.types import is_tensor

FOLDED = {"elementwise", "conversion", "structure", "indexing"}
MAP = "stablehlo.map"
SAME = {"stablehlo.optimization_barrier", "quant.stats", "quant.coupled_ref", "quant.stats_ref"}


class Step(NamedTuple):
    """An operation that was walked through, with the ranges of its operands and of its results."""

    op: Op
    operands: tuple[Range, ...]
    results: tuple[Range, ...]


class Forward(Domain[Range]):
    """The walk: `steps` in program order, calls and branches inlined, and the `judgements` on the way.

    given: the ranges of the parameters. work: told of each operation before it is walked through. After its
    deadline values have the ranges of their types, and accumulations are not judged. ways: the sums that are
    kept along an accumulation.
    """

    rounds = 1 << 6

    def __init__(
        self, context: Context, given: Sequence[Range], work: Work | None = None, ways: Ways = NO_WAYS
    ) -> None:
        self.context, self.given, self.work, self.ways = context, given, work or Work(), ways
        self.module = context.module
        self.steps: list[Step] = []
        self.judgements: list[tuple[Judgement, Qualifier]] = []
        self.sums: dict[str, Op] = {}  # what summed the integers that a value holds, by the value's name
        self.trying = False

    def apply(self, op: Op, operands: list[Range], env: Env[Range]) -> list[Range]:
        """Return the ranges of an operation's results; note what it accumulates."""
        self._tell(op)
        if op.name == MAP:
            return self._map(op, operands, env)
        with np.errstate(all="ignore"):
            results = self._passed_over(op) if self.work.is_over else self._compute(op, operands)
            self._add_on(op, operands)
        self.steps.append(Step(op, tuple(operands), tuple(results)))
        return results

    def _passed_over(self, op: Op) -> list[Range]:
        """Return all that the results' types hold, without a judgement of what the operation accumulates."""
        if adds(self.module, op):
            self._note([not_judged(op, type_of_sum(op), LATE)], op)
        return [type_range(value.type) for value in op.results]

    def _compute(self, op: Op, operands: list[Range]) -> list[Range]:
        family = facts(op).family
        if way := self.ways.get(id(op)):
            along, results = judge_along(self.context, op, operands, way)
            self._note([along], op)
            return results
        if facts(op).contracts:
            judgement, result = judge_contraction(self.context, op, *operands)
            self._note([judgement] if judgement else [], op)
            return [result]
        if accumulates(op):
            judgements, results = judge_sums(self.context, op, operands)
            self._note(judgements, op)
            return results
        if op.name in SAME or _reinterprets(op):
            pairs = zip(op.results, operands, strict=True)
            return [Range(value.type, x.least, x.greatest, x.nan) for value, x in pairs]
        if op.name == "stablehlo.sort":
            return sort_ranges(op, operands)
        if len(op.results) != 1 or not is_tensor(op.result.type) or op.name == "sdy.sharding_group":
            return [type_range(value.type) for value in op.results]
        return [self._single(op, operands, family)]

    def _add_on(self, op: Op, operands: list[Range]) -> None:
        """Follow a sum of integers, and judge the addition of another term to it, such as a bias."""
        if len(op.results) != 1:
            return
        before = [k for k, value in enumerate(op.operands) if value.name in self.sums]
        if facts(op).contracts or accumulates(op):
            self.sums[op.result.name] = op
        elif before and (op.name in SAME or _reinterprets(op)):
            self.sums[op.result.name] = self.sums[op.operand.name]
        elif before and continues(op) and not self.trying:
            source = self.sums[op.operands[before[0]].name]
            own = max((k for k, (x, _) in enumerate(self.judgements) if x.op is source), default=None)
            if own is not None:
                judgement, name = self.judgements[own]
                wide, added = judge_addition(op, operands, operands[1 - before[0]], judgement)
                self.judgements[own] = wide, name
                self._note([added] if added.verdict != PROVED else [], op)
            self.sums[op.result.name] = source

    def _single(self, op: Op, operands: list[Range], family: str) -> Range:
        function = self._function(op)
        if op.name == MULTIPLY and uses_accumulator(op, self.context.reading):
            judgement, result = judge_products(self.context, op, operands, function)
            self._note([judgement] if self.context.reading.is_asked else [], op)
            return result
        if family in ("elementwise", "conversion") and (facts(op).trend or facts(op).batches):
            return elementwise(op, operands, function)
        if moves(op) and family != "parallel":
            return movement_range(op, operands, function)
        if family in FOLDED and all(has_order(x.type) and x.is_point for x in operands):
            return value_range(op.result.type, np.asarray(function(*(x.full[0] for x in operands))))
        return type_range(op.result.type)

    def _function(self, op: Op) -> Callable[..., Array]:
        """Return the kernel of an operation with one result, as a function of its operands alone."""
        function, alone = function_of(op, NUMPY, OPERATIONS, self.context.reading)
        return function if alone else lambda *operands: function(self.context, op, *operands)[0]

    def _tell(self, op: Op) -> None:
        """Tell how far the walk is; operations in functions count once, although they may be met again."""
        if self.work.progress and not self.trying:
            total = sum(1 for _ in self.module.ops())
            name = heading(op, qualifier(self.module, op)) if op.results else op.name
            self.work.tell(name, min(len(self.steps), total), total)

    def _note(self, judgements: Sequence[Judgement], op: Op) -> None:
        if not self.trying:
            name = qualifier(self.module, op)
            self.judgements += ((judgement, name) for judgement in judgements)

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Walk without leaving steps and judgements behind."""
        before, count = self.trying, len(self.steps)
        self.trying = True
        yield
        self.trying = before
        del self.steps[count:]

    def decide(self, op: Op, x: Range) -> int | None:
        return int(x.least) if op.name == LOOP and x.is_point else None

    def branches(self, op: Op, by: Range, env: Env[Range]) -> list[Range]:
        """Return the ranges of one branch where that is known, but walk through all of them."""
        results = [walk(self, region, (), env) for region in op.regions]
        if by.is_point:
            return results[chosen_branch(op, int(by.least))]
        return [hull(ranges) for ranges in zip(*results, strict=True)]

    def widen(self, value: Value, outer: Range, inner: Range, by: Range) -> Range:
        """Return the outer range if it holds the inner one; a zero of known sign may become the other one."""
        if not _within(inner, outer):
            return type_range(outer.type)
        if not has_order(outer.type) or not outer.is_point or outer.least.dtype.kind != "f":
            return outer
        if inner.is_point and np.array_equal(np.signbit(inner.least), np.signbit(outer.least)):
            return outer
        return Range(outer.type, outer.least, outer.greatest.copy())

    def _map(self, op: Op, operands: list[Range], env: Env[Range]) -> list[Range]:
        """Walk through a map's computation once, for an element that may be any of those of the operands."""
        (region,) = op.regions
        pairs = zip(region.arguments, operands, strict=True)
        results = walk(self, region, [anywhere(value.type, x) for value, x in pairs], env)
        return [anywhere(v.type, x) for v, x in zip(op.results, results, strict=True)]


def _reinterprets(op: Op) -> bool:
    """Return whether an operation hands stored integers on as they are, under another type."""
    if op.name not in ("stablehlo.bitcast_convert", "quant.scast"):
        return False
    before, after = op.operand.type, op.result.type
    return before.storage_type == after.storage_type and before.shape == after.shape and has_order(after)


def _within(inner: Range, outer: Range) -> bool:
    if not has_order(outer.type) or (inner.nan and not outer.nan):
        return not has_order(outer.type)
    return bool((inner.least >= outer.least).all() and (inner.greatest <= outer.greatest).all())
