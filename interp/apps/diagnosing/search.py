"""Search for the deviations that reproduce observed results: single ones, at fewer operations, and pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from interp.apps.diagnosing.deviations import Deviation, Way, deviations, unusual
from interp.apps.diagnosing.runner import Runner
from interp.backends import Array
from interp.engine.work import Work
from interp.questions.permitted.results import equal
from interp.recorder.event import short
from interp.recorder.names import title_of
from spec.errors import InterpError, Malformed
from spec.ir import Module, Op


@dataclass(frozen=True, eq=False)
class Trial:
    """A run with deviations at some operations.

    where: "everywhere", a kind of operation, or one operation alone. unequal: the number of elements that are
    not as observed, None if the program cannot run so, for the reason `error`. changes: whether
    any result is not the declared one. operations: the number of operations at which something deviates.
    alone: of an explanation, the operations of which each is enough, if nothing deviates elsewhere.
    """

    deviations: tuple[Deviation, ...]
    where: str
    operations: int
    unequal: int | None
    changes: bool = True
    error: str = ""
    alone: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The names of the deviations, and where they are if that is not everywhere."""
        names = " with ".join(each.name for each in self.deviations)
        return names if self.where == EVERYWHERE else f"{names}, {self.where}"

    @property
    def explains(self) -> bool:
        """Return whether the run reproduces everything that was observed, bit for bit."""
        return self.unequal == 0

    def __repr__(self) -> str:
        return self.name


EVERYWHERE = "everywhere"
REVEALED = "revealed accumulations"
LOCALISED = 8  # explanations that are tried at one operation after the other


@dataclass(frozen=True, eq=False)
class Candidate:
    """Deviations to try at some operations."""

    deviations: tuple[Deviation, ...]
    ops: tuple[Op, ...]
    where: str = EVERYWHERE

    def ways(self, declared: Way) -> dict[int, Way]:
        """Return a way for each operation at which a deviation applies, by `id(op)`."""
        found = {}
        for op in self.ops:
            way = declared
            for each in self.deviations:
                way = each.of(way) if each.applies(op) else way
            if way != declared:
                found[id(op)] = way
        return found


@dataclass
class Search:
    """Search for explanations of observed arrays, with at most `limit` runs, until the work's deadline.

    module: the program whose operations deviate. before: only operations that began by then can have caused
    the first difference, if that is known. revealed: the accumulations of some sums, which are tried first.
    """

    runner: Runner
    observed: Sequence[Array]
    declared: Sequence[Array]
    limit: int
    work: Work
    module: Module
    before: int | None = None
    revealed: tuple[Deviation, ...] = ()
    trials: list[Trial] = field(default_factory=list)
    candidates: dict[Trial, Candidate] = field(default_factory=dict)
    untried: int = 0

    def explanations(self) -> list[Trial]:
        """Return what reproduces the observed arrays: stage after stage, until one has an explanation."""
        stages = {**AS_REVEALED, **STAGES} if self.revealed else STAGES
        for what, stage in stages.items():
            trials = list(self._try_all(what, list(stage(self))))
            if what == REVEALED and trials and trials[0].error:
                raise Malformed("the program does not run along what was revealed", trials[0].error)
            found = [trial for trial in trials if trial.explains]
            if found or self.work.partial:
                return found
        return []

    def localise(self, trial: Trial, confirm: Confirm) -> Trial:
        """Return an explanation with the operations of which each is enough, as far as there is time."""
        candidate = self.candidates[trial]
        if trial.operations < 2:
            return trial
        alone = []
        for op in self.work.through("operations alone", candidate.ops):
            one = Candidate(candidate.deviations, (op,))
            tried = self.work.attempt(lambda one=one: self.trial(one))  # type: ignore[misc]
            if tried is None:
                break
            if tried.explains and confirm(one):
                alone.append(self._name(op))
        found = replace(trial, alone=tuple(alone))
        self.candidates[found] = candidate
        return found

    def _name(self, op: Op) -> str:
        return f"{short(op)} {title_of(self.module, op)}"

    def _try_all(self, what: str, candidates: Sequence[Candidate]) -> Iterator[Trial]:
        room = max(0, self.limit - len(self.trials))
        self.untried += max(0, len(candidates) - room)
        for candidate in self.work.through(what, candidates[:room]):
            trial = self.work.attempt(lambda one=candidate: self.trial(one))  # type: ignore[misc]
            if trial is None:
                return
            self.trials.append(trial)
            self.candidates[trial] = candidate
            yield trial

    def trial(self, candidate: Candidate) -> Trial:
        """Run a candidate, and count the elements that are not as observed."""
        ways = candidate.ways(self.runner.declared)
        try:
            found = self.runner.run(ways)
        except InterpError as error:
            return Trial(candidate.deviations, candidate.where, len(ways), None, False, str(error))
        return Trial(
            candidate.deviations,
            candidate.where,
            len(ways),
            differing(found, self.observed),
            differing(found, self.declared) > 0,
        )

    @property
    def ops(self) -> list[Op]:
        """The operations that were executed, in order."""
        return self.runner.operations

    def as_revealed(self) -> Iterator[Candidate]:
        """Yield the accumulations that were given, all of them together."""
        yield Candidate(self.revealed, self._revealed_ops)

    def beside_revealed(self) -> Iterator[Candidate]:
        """Yield the accumulations that were given with each other deviation, everywhere."""
        for each in self._at_all(deviations(self.runner.declared)):
            others = tuple(op for op in each.ops if not any(op is own for own in self._revealed_ops))
            yield Candidate((*self.revealed, *each.deviations), (*self._revealed_ops, *others))

    @property
    def _revealed_ops(self) -> tuple[Op, ...]:
        return tuple(op for op in self.ops if any(each.applies(op) for each in self.revealed))

    def everywhere(self) -> Iterator[Candidate]:
        """Yield each deviation at all operations to which it applies."""
        yield from self._at_all(deviations(self.runner.declared))

    def unusual(self) -> Iterator[Candidate]:
        """Yield deviations that are in no pair, everywhere."""
        yield from self._at_all(unusual(self.runner.declared))

    def _at_all(self, known: Sequence[Deviation]) -> Iterator[Candidate]:
        for each in known:
            ops = tuple(filter(each.applies, self.ops))
            if ops:
                yield Candidate((each,), ops)

    def somewhere(self) -> Iterator[Candidate]:
        """Yield each deviation at one kind of operation, and at one operation alone; effective ones first."""
        for trial in self._effective_first():
            (deviation,) = trial.deviations
            concerned = self.candidates[trial].ops
            kinds = dict.fromkeys(op.name for op in concerned)
            for name in kinds if len(kinds) > 1 else ():
                ops = tuple(op for op in concerned if op.name == name)
                if len(ops) > 1:
                    yield Candidate((deviation,), ops, f"at every {short(ops[0])}")
            early = self.ops[: self.before]
            for op in concerned if len(concerned) > 1 else ():
                if any(op is other for other in early):
                    yield Candidate((deviation,), (op,), f"at {self._name(op)} alone")

    def pairs(self) -> Iterator[Candidate]:
        """Yield pairs of deviations of different aspects, everywhere; those that have effects first."""
        singles = self._effective_first()
        pairs = combinations(range(len(singles)), 2)
        for i, j in sorted(pairs, key=lambda pair: (not singles[pair[1]].changes, sum(pair))):
            (one,), (other,) = singles[i].deviations, singles[j].deviations
            if one.goes_with(other):
                both = (*self.candidates[singles[i]].ops, *self.candidates[singles[j]].ops)
                ops = tuple({id(op): op for op in both}.values())
                yield Candidate((one, other), ops)

    def _effective_first(self) -> list[Trial]:
        """Return the usual trials everywhere that could run, with those first that change something."""
        usual = {each.name for each in deviations(self.runner.declared)}
        singles = [x for x in self.trials if x.where == EVERYWHERE and len(x.deviations) == 1]
        known = [x for x in singles if x.deviations[0].name in usual]
        return sorted((x for x in known if x.unequal is not None), key=lambda x: not x.changes)


Confirm = Callable[[Candidate], bool]  # whether the whole program gives what was observed
AS_REVEALED = {
    REVEALED: Search.as_revealed,
    "deviations beside revealed accumulations": Search.beside_revealed,
}
STAGES = {
    "deviations": Search.everywhere,
    "deviations at fewer operations": Search.somewhere,
    "accumulators of other widths": Search.unusual,
    "pairs": Search.pairs,
}


def differing(found: Sequence[Array], others: Sequence[Array]) -> int:
    """Return the number of elements that are not equal bit for bit; any NaN equals any NaN."""
    return sum(int(np.count_nonzero(~equal(x, y))) for x, y in zip(found, others, strict=True))
