"""Verdicts on all elements of all results, each with its evidence and its place from exact to wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite, isnan
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.backends.functions import correctly_rounded
from interp.engine.evaluate import Listener, Place
from interp.engine.storage import expressed_type
from interp.execute.agreement import AGREEMENT
from interp.kernels import folds
from interp.questions.permitted.dataflow import MANY, NOWHERE, dataflow, sharing
from interp.questions.permitted.enclosure import Enclosure
from interp.questions.permitted.function_accuracy import away, is_open
from interp.questions.permitted.members import Members
from interp.questions.permitted.results import Program, Results, equal, number
from interp.questions.permitted.search import text_of
from spec.ir import Func, Module, Op, inner_regions, reads
from spec.permitted import Membership
from spec.schedule import Schedule
from spec.types import TensorType, is_tensor

# The place of each result element on the ladder from exact to wrong, by the bound on every accumulation.
#
# `within`: some schedule of the specification gives it. `outside the specification`: none does, but another
# accumulation, which is printed. `wrong`: no accumulation of the family of `any_order` gives it. `unknown`:
# none of this is known.

WITHIN, OUTSIDE, WRONG, NOT_KNOWN = PLACES = ("within", "outside the specification", "wrong", "unknown")


def refutations(program: Program, places: Sequence[int], any_inits: bool) -> dict[int, str]:
    """Return, for each element that no accumulation of the family gives, the bound and the family."""
    if not places:
        return {}
    module, func = program.module, program.module[program.function]
    carriers = [NUMPY.decode(x, v.type.storage_type) for x, v in zip(program.args, func.inputs, strict=True)]
    walk = Enclosure(module, any_inits)
    spans, given = walk.result_spans(func, carriers), Results(program.given)
    found = {}
    for place in places:
        k, at = given.at(place)
        span, type = spans[k], func.results[k]
        if span is not None:
            ends = (np.broadcast_to(end, type.shape).reshape(-1)[at] for end in span)
            x = number(given[place], type.storage_type)
            if reason := _outside(type, x, *ends):
                found[place] = f"{reason} in {family(walk.types)}"
    return found


def family(types: Sequence[str]) -> str:
    """Return the name of the family whose sums are made in these types."""
    if not types:
        return "any order"
    return f"any order, plain or fma, of nodes in {' and '.join(types)} or wider"


def _outside(type: TensorType, x: float, low: Array, high: Array) -> str:
    """Return how far an element lies outside of its span, or "" if it does not."""
    ends = low.item(), high.item()
    if type.storage_type.kind == "float" and not np.isfinite(ends).all():
        return ""
    if ends[0] <= x <= ends[1]:  # false for NaN
        return ""
    if type.storage_type.kind != "float" or ends[0] == ends[1] or not np.isfinite(x):
        what = repr(ends[0]) if ends[0] == ends[1] else f"[{ends[0]!r}, {ends[1]!r}]"
        return f"only {what} is possible"
    middle = ends[0] / 2 + ends[1] / 2
    return f"{abs(x - middle):.2g} off where {ends[1] / 2 - ends[0] / 2:.2g} is possible"


# Functions whose results in `run` may differ within a row of the agreement table, or of which the
# specification guarantees no accuracy, and their effects.

ROWS = {row.what: row for row in AGREEMENT if (row.left, row.right) == ("run", "oracle")}


class Doubted(NamedTuple):
    """Why the digits of a result refute nothing; `function` is the operation if it is the result itself."""

    reason: str
    function: Op | None = None

    @property
    def text(self) -> str:
        return f"named schedules do not give it, but {self.reason}"


def doubts(module: Module, func: Func) -> list[Doubted | None]:
    """Return, for each result of a function, why its digits refute nothing, or None."""
    known: dict[str, Doubted] = {}
    for op in func.body.ops[:-1]:
        before = [known.get(v.name) for v in reads(op)]
        earlier = next((found for found in before if found), None)
        if earlier:
            known.update((value.name, Doubted(earlier.reason)) for value in op.results)
        elif reason := reason_of(module, op):
            known.update((value.name, Doubted(reason, op if is_open(op) else None)) for value in op.results)
    return [known.get(value.name) for value in func.body.returns]


def reason_of(module: Module, op: Op) -> str:
    """Return why the digits of an operation, or of one in its regions or callees, refute nothing, or ""."""
    types = {
        expressed_type(v.type.element_type).name for v in (*op.operands, *op.results) if is_tensor(v.type)
    }
    name = op.name.removeprefix("stablehlo.")
    row = next((ROWS[what] for what in (f"{name} on {type}" for type in sorted(types)) if what in ROWS), None)
    if row:
        return f"`run` gives {row.what} only within {row.figure} {row.unit}"
    if is_open(op):
        return f"the specification guarantees no accuracy of `{name}`"
    inside = (reason_of(module, inner) for region in inner_regions(module, op) for inner in region.ops)
    return next(filter(None, inside), "")


@dataclass(eq=False)
class Function(Listener):
    """Listener that keeps the operands and the result of an operation, a function of plain f64."""

    op: Op
    seen: tuple[State, Any] | None = field(default=None)

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if op is self.op:
            self.seen = operands, results[0]

    def judge(self, at: int, given: Any) -> Membership | None:
        """Judge the element at a flat index by the correctly rounded result, or return None: not of reals."""
        types = [v.type for v in (*self.op.operands, self.op.result)]
        if self.seen is None or any(t.is_quantized or t.storage_type.kind != "float" for t in types):
            return None
        operands, result = self.seen
        x = [float(np.broadcast_to(operand, result.shape).flat[at]) for operand in operands]
        y = float(result.flat[at])
        if len(x) == 1 and isnan(x[0]) and not isnan(float(given)):
            return Membership("not permitted", "a function of NaN is NaN")
        if not (y and isfinite(y) and all(map(isfinite, x))):
            return None
        wide = self.op.result.type.storage_type.name == "f64"
        right = correctly_rounded(self.op.name.removeprefix("stablehlo."), *x) if wide else y
        if right == float(given):
            return Membership(
                "permitted", "the correctly rounded result of a function that `run` gives nearly"
            )
        return Membership("unknown", away(self.op, right, float(given)))


# Verdicts on all elements of all results in one row, each with its evidence.

EXACT, PERMITTED, NOT_PERMITTED, NOT_TOGETHER, UNKNOWN = KINDS = (
    "exact",
    "permitted",
    "not permitted",
    "not permitted together",
    "unknown",
)
APART = "a named schedule gives it, but none gives it together with others that may come from the same sums"
Places = Mapping[int, Sequence[int]]  # of result elements, by the reduced element that they come from


class Judged:
    """Judge of a function's results, first by named schedules, then by its reduction's permitted results."""

    def __init__(
        self, module: Module, func: Func, given: list[np.ndarray], runs: dict[Schedule, list[np.ndarray]]
    ) -> None:
        self.module, self.func, self.given = module, func, Results(given)
        self.whole = dataflow(module, func)
        self.origin = self._origins()
        self.same = {tree: self._same(outs) for tree, outs in runs.items()}
        explained = {tree: self._is_explained(same) for tree, same in self.same.items()}
        self.apart = self._keep_best(explained)
        self.names = np.full(self.origin.shape, "", object)
        self.by_count = sorted(explained, key=lambda tree: -int(explained[tree].sum()))
        for tree in reversed(self.by_count):  # what explains most prevails, of equals what was named first
            self.names[explained[tree]] = repr(tree)
        self.kinds = np.where(self.names == "", UNKNOWN, EXACT).astype(object)
        self.found: dict[int, tuple[Membership, Program | None]] = {}
        self.places: dict[int, list[int]] = {}  # that are open, by the reduction's element
        for place in ((self.kinds == UNKNOWN) & (self.origin >= 0)).nonzero()[0]:
            self.places.setdefault(int(self.origin[place]), []).append(int(place))
        self.place = np.full(self.kinds.shape, NOT_KNOWN, object)
        for place in self.apart.nonzero()[0]:
            self._set(int(place), Membership(UNKNOWN, APART))
        self._reason(NOWHERE, NOT_PERMITTED, "the schedule does not matter here")
        self._reason(MANY, UNKNOWN, "named schedules do not give it, and not one reduction alone makes it")

    def _origins(self) -> np.ndarray:
        """Return the flat index of the reduction's element that each result element comes from."""
        if self.whole:
            return np.concatenate([np.zeros(0, int), *(origin.ravel() for origin in self.whole.origins)])
        somewhere = any(True for _ in folds(self.module, self.func.body))
        return np.full(int(self.given.starts[-1]), MANY if somewhere else NOWHERE)

    def _same(self, outs: list[np.ndarray]) -> np.ndarray:
        """Return where one run has the given element."""
        pairs = zip(self.given.arrays, outs, strict=True)
        return np.concatenate([np.zeros(0, bool), *(equal(x, y).ravel() for x, y in pairs)])

    def _is_explained(self, same: np.ndarray) -> np.ndarray:
        """Return where that run has the given element and all others from the same reduced element."""
        same, inside = same.copy(), self.origin >= 0
        wrong = np.bincount(self.origin[inside], weights=~same[inside])
        same[inside] = wrong[self.origin[inside]] == 0
        return same

    def _keep_best(self, explained: dict[Schedule, np.ndarray]) -> np.ndarray:
        """Explain elements from several reduced ones by one schedule, and return where another gives them.

        Results that may share a sum are explained by the schedule that gives most of their elements, as no
        other one is known to give an element together with these. Nor is it known to give an element together
        with those that come from one of its reduced elements alone, unless it gives all of these, too.
        """
        apart, groups = np.zeros(self.origin.shape, bool), np.array(sharing(self.module, self.func), int)
        sizes = np.diff(self.given.starts)
        for group in np.unique(groups):
            inside = (self.origin == MANY) & np.repeat(groups == group, sizes)
            together = [inside & self._with_cluster(tree) for tree in explained]
            best = max(together, key=lambda same: int(same.sum()), default=inside)
            for same in explained.values():
                apart |= inside & same & ~best
                same[inside] &= best[inside]
        return apart

    def _with_cluster(self, tree: Schedule) -> np.ndarray:
        """Return where a run has the given element, and those that come from one of its reduced elements."""
        same = self.same[tree]
        if not self.whole:
            return same
        cluster = np.concatenate([np.zeros(0, int), *(x.ravel() for x in self.whole.clusters)])
        missed = cluster[(self.origin >= 0) & ~same]
        return same & ~np.isin(cluster, missed)

    def _reason(self, origin: int, kind: str, reason: str) -> None:
        for place in ((self.kinds == UNKNOWN) & (self.origin == origin) & ~self.apart).nonzero()[0]:
            self._set(int(place), Membership(kind, reason))

    def _set(self, place: int, member: Membership, program: Program | None = None) -> None:
        self.kinds[place], self.found[place] = member.kind, (member, program)
        self.names[place] = text_of(member.schedule) if member.schedule else ""

    def settle(self, members_of: Callable[[Places], Members]) -> None:
        """Judge every element of the reduction that no named schedule gives.

        If no schedule gives all elements that come from one reduced element, those that no schedule gives at
        all are taken out, and the others are judged without them.
        """
        pending: Places = self.places
        while pending:
            members, rest = members_of(pending), dict[int, list[int]]()
            for column, member, program in members.judge():
                shown = program if members.targets.is_direct else None
                refuted = self._refutations(members, column) if member.kind == NOT_PERMITTED else {}
                others = [place for place in pending[column] if place not in refuted]
                for place, refusal in refuted.items():
                    self._set(place, refusal, shown)
                if refuted and others and not self._is_named(others):
                    rest[column] = others
                elif not refuted:
                    for place in others:
                        self._set(place, member, shown)
            pending = rest

    def _refutations(self, members: Members, column: int) -> dict[int, Membership]:
        """Return the elements that no schedule gives alone, or, if there are none, all together."""
        refutation = members.refutations[column]
        if alone := refutation.alone():
            return {place: Membership(NOT_PERMITTED, reason) for place, reason in alone.items()}
        together = refutation.together(self.given.name)
        return {place: Membership(NOT_TOGETHER, reason) for place, reason in together.items()}

    def _is_named(self, places: list[int]) -> bool:
        """Return whether a named schedule gives all of these elements; if so, record it."""
        tree = next((tree for tree in self.by_count if self.same[tree][places].all()), None)
        if tree is not None:
            self.kinds[places], self.names[places] = EXACT, repr(tree)
        return tree is not None

    def refuse(self) -> None:
        """Refuse every element that no named schedule gives; these were stated to be the only ones."""
        names = ", ".join(repr(tree) for tree in self.same)
        for place in ((self.names == "") & ~self.apart).nonzero()[0]:
            alone = any(same[place] for same in self.same.values())
            kind = NOT_TOGETHER if alone else NOT_PERMITTED
            reason = (
                f"{names} does not give it{', together with the others' * alone}: no other schedule is stated"
            )
            self._set(int(place), Membership(kind, reason))

    def locate(self, refutations: Callable[[list[int]], Mapping[int, str]], stated: bool = False) -> None:
        """Give each element its place: `refutations` has those that no accumulation gives, with the reason.

        stated: whether no other schedules than the named ones count, so that what is refused is wrong.
        """
        within = np.isin(self.kinds.astype(str), (EXACT, PERMITTED))
        self.place[within] = WITHIN
        for place, reason in refutations((~within).nonzero()[0].tolist()).items():
            member, program = self.found[place]
            before = f"{member.reason}; " if self._is_refusal(member) else ""
            self._set(place, Membership(NOT_PERMITTED, f"{before}wrong: {reason}"), program)
            self.place[place] = WRONG
        if stated:
            self.place[np.isin(self.kinds.astype(str), (NOT_PERMITTED, NOT_TOGETHER))] = WRONG

    def doubt(self, run: Callable[[Listener], object], most: int) -> None:
        """Withdraw refutations by digits of a function, which nobody guarantees, or `run` gives nearly.

        An element that is such a function of exact operands is compared with the correctly rounded result.
        """
        doubted = doubts(self.module, self.func)
        open_places = [place for place, (member, _) in sorted(self.found.items()) if self._is_refusal(member)]
        groups = {place: self._group(place) for place in open_places}
        for place in open_places:
            reasons = [doubted[self.given.at(other)[0]] for other in groups[place]]
            reason = next((reason for reason in reasons if reason), None)
            if reason:
                self._set(place, Membership(UNKNOWN, reason.text))
        self._by_digits(doubted, [p for p in open_places if self.kinds[p] == UNKNOWN][:most], run)

    @staticmethod
    def _is_refusal(member: Membership) -> bool:
        return member.kind in (NOT_PERMITTED, NOT_TOGETHER)

    def _group(self, place: int) -> list[int]:
        """Return the elements that were refuted together with this one, or this one alone."""
        if self.kinds[place] != NOT_TOGETHER:
            return [place]
        return [other for other in self.places[int(self.origin[place])] if self.kinds[other] == NOT_TOGETHER]

    def _by_digits(
        self, doubted: Sequence[Doubted | None], places: list[int], run: Callable[[Listener], object]
    ) -> None:
        functions: dict[int, Function] = {}
        for place in places:
            k, at = self.given.at(place)
            found = doubted[k]
            if found is not None and found.function is not None and self.origin[place] == NOWHERE:
                functions.setdefault(k, Function(found.function))
        for function in functions.values():
            run(function)
        for place in places:
            k, at = self.given.at(place)
            if k in functions and (member := functions[k].judge(at, self.given[place])):
                self._set(place, member)
