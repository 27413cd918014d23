"""`diagnose`: which deviation from a program's declared meaning reproduces the wrong results of a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from interp.apps.diagnosing.deviations import Deviation, Way
from interp.apps.diagnosing.diagnosis import Diagnosis, Difference, Telling
from interp.apps.diagnosing.runner import Runner
from interp.apps.diagnosing.sampling import Sample, Sampled, informative, refuting, runner_on_samples
from interp.apps.diagnosing.search import LOCALISED, Candidate, Search, Trial, differing
from interp.backends import Array
from interp.engine.arguments import accept_arguments
from interp.engine.inputs import random_arguments
from interp.engine.limits import refuse_sizes
from interp.engine.work import Progress, Work
from interp.execute.along import is_sum
from interp.execute.refusals import refuse_bundles
from interp.execute.run import runnable
from interp.execute.unused import called_functions, unused_options
from interp.questions.permitted.results import accept_array, accept_results, equal
from interp.recorder.event import heading
from interp.recorder.layers import layer_of
from interp.recorder.names import Named, Qualifier, find, operations
from spec.accumulation import Accumulation
from spec.accumulator import Accumulator, Reading, reading_named
from spec.errors import InterpError, Malformed, several, short_text, whole
from spec.grid import ONE
from spec.ir import Func, Module, Op, Value, reads
from spec.schedule import Schedule, parse

LIMIT = 5000
SECONDS = 15.0  # that the search may take, unless it is given more
REFUTED = 8  # samples of refuted explanations are added so often
SEEDS = 8  # random arguments that are tried to tell explanations apart
MOST = 16  # explanations that are told apart
NAMED = 120  # characters of an accumulation that are printed


class Known(Protocol):
    """The name of a sum and the accumulation of an implementation, as `Revealed` has them."""

    @property
    def name(self) -> str: ...
    @property
    def accumulation(self) -> Accumulation | None: ...


Revealed = Known | list[Known] | tuple[Known, ...] | Mapping[str, str | Accumulation]


def diagnose(
    module: Module,
    args: Sequence[Any],
    observed: Sequence[Any],
    intermediates: Mapping[str, Any] | None = None,
    *,
    function: str = "main",
    mode: str = "mlir",
    schedule: str | Schedule = "left",
    reading: str | Reading = "dequantize",
    accumulator: int | str | Accumulator | None = None,
    recipe: str | None = None,
    revealed: Revealed | None = None,
    limit: int = LIMIT,
    seconds: float | None = SECONDS,
    progress: Progress | None = None,
) -> Diagnosis:
    """Return which deviations reproduce the `observed` results of a device for `args`, bit for bit.

    Deviations are the rows of `apps/diagnosing/deviations.py`: accumulators, readings and recipes, schedules,
    numbers of init values, roundings. Each is tried everywhere; if none explains the results, each at one
    kind of operation and at one operation alone; and then pairs, everywhere. An explanation reproduces every
    element of the results, and all `intermediates`: arrays by the names of values of the function (`%sum`).
    All explanations of the first of these stages that has any are listed: the data do not tell them apart.

    A program of many samples is searched on some of them (`Diagnosis.sample`); what explains these is an
    explanation only if a run on all samples confirms it.

    schedule, reading, accumulator, recipe: the declared meaning, as for `run`. revealed: how the device adds:
    an answer of `reveal`, several, or accumulations by the names of sums. It is tried first, then with each
    other deviation on top of it; those of sums that are not executed are left out, and the program must run
    along the others. limit: the largest number of runs. seconds: how long the search may go on, None for any
    time; the answer says what was not tried.
    progress: called with what is tried, the runs done and their number.
    """
    work = Work(seconds, progress)
    read = reading_named(reading, accumulator, recipe)
    limit = whole(limit, "limit")
    func = runnable(module, function, mode, ONE, read)
    refuse_bundles(func, "diagnosed")
    refuse_sizes(module, func)
    stored = accept_arguments(func, several(args, "arguments"))
    given = accept_results(func, several(observed, "results"))
    values = _select_values(func, intermediates or {})
    seen = [accept_array(np.asarray(x), value.type, value.name) for value, x in values]
    runner = Runner(module, func, stored, Way(read, parse(schedule)), {v.name: v for v, _ in values})
    declared, arrays = runner.run({}), [*seen, *given]
    known = _keep_executed(revealed_accumulations(module, func, revealed), runner)
    first = _first(runner, declared, arrays)
    search, found = _search(runner, declared, arrays, limit, work, first, known)
    few = search.runner
    sample = None
    if isinstance(few, Sampled):
        wrong = differing(search.declared, search.observed)
        sample = Sample(few.rows, few.fewer.size, sum(x.size for x in search.observed), wrong)
    return Diagnosis(
        func.name,
        f"schedule {parse(schedule)!r}, reading {read!r}",
        sum(x.size for x in arrays),
        differing(declared, arrays),
        first,
        tuple(found),
        tuple(search.trials),
        search.untried,
        work.attempt(lambda: _telling(search, found, runner)),
        unused_options(module, func.name, read),
        sample,
        tuple(work.covered),
    )


def _search(
    whole: Runner,
    declared: Sequence[Array],
    observed: Sequence[Array],
    limit: int,
    work: Work,
    first: Difference | None,
    known: tuple[Deviation, ...],
) -> tuple[Search, list[Trial]]:
    """Return the search, on some samples if there are many, and the explanations, confirmed on all of them.

    A sample that refutes an explanation is added to those that are searched.
    """
    names = len(whole.watched)
    rows, before = informative(declared[names:], observed[names:]) if first else (), _before(whole, first)
    for _ in range(REFUTED):
        few = runner_on_samples(whole, declared, rows) if rows else None
        if few is None:
            break
        parts = few.of(observed), few.of(declared)
        search = Search(few, *parts, limit, work, whole.module, before, known)
        found, wrong = _confirm_explanations(search, whole, observed)
        if found or not wrong:
            return search, found
        work.covered.clear()
        rows = tuple(sorted({*rows, *refuting(wrong[names:], observed[names:], few.fewer.size)}))
    search = Search(whole, observed, declared, limit, work, whole.module, before, known)
    found = search.explanations() if first else []
    always = lambda candidate: True
    return search, [search.localise(x, always) for x in found[:LOCALISED]] + found[LOCALISED:]


def _confirm_explanations(
    search: Search, whole: Runner, observed: Sequence[Array]
) -> tuple[list[Trial], list[Array]]:
    """Return the explanations of samples that explain everything, and a run of one that does not."""
    wrong = list[Array]()

    def confirm(candidate: Candidate) -> bool:
        try:
            found = whole.run(candidate.ways(whole.declared))
        except InterpError:
            return False
        if differing(found, observed):
            wrong[:] = wrong or found
            return False
        return True

    known = search.explanations()
    found = [x for x in known if confirm(search.candidates[x])]
    refuted = list(wrong)
    some = [search.localise(x, confirm) for x in found[:LOCALISED]]
    return some + found[LOCALISED:], refuted


def _select_values(func: Func, given: Mapping[str, Any]) -> list[tuple[Value, Any]]:
    """Return the values of a function with these names, in program order, with the arrays given for them."""
    if not isinstance(given, Mapping):
        raise Malformed("intermediates are not a mapping", 'expected arrays by name, {"%sum": array}')
    known = {v.name: v for op in func.body.ops for v in op.results}
    wanted = {f"%{name.removeprefix('%')}": x for name, x in given.items()}
    if missing := [name for name in wanted if name not in known]:
        evidence = f"expected names of values of @{func.name}: {', '.join(known)}"
        raise Malformed(f"no value {missing[0]} in @{func.name}", evidence)
    return [(value, wanted[name]) for name, value in known.items() if name in wanted]


def _first(runner: Runner, declared: Sequence[Array], observed: Sequence[Array]) -> Difference | None:
    """Return the first difference, of intermediates in program order, then of results."""
    names, returned = list(runner.watched), runner.func.body.returns
    values = [*runner.watched.values(), *returned]
    names += [f"result {k}" for k in range(len(returned))]
    for k, (value, x, y) in enumerate(zip(values, declared, observed, strict=True)):
        unequal = np.argwhere(np.atleast_1d(~equal(x, y)))
        if len(unequal):
            index = tuple(map(int, unequal[0])) if x.ndim else ()
            found = index, x[index].item(), y[index].item(), len(unequal), x.size, tuple(names[:k])
            op = _defining(runner.func, value)
            operation = (
                heading(op, Qualifier(layer=layer_of(runner.module, op))) if op else f"argument {value.name}"
            )
            return Difference(names[k], operation, *found, _deviates(runner.func, op, values[:k]))
    return None


def _defining(func: Func, value: Value) -> Op | None:
    return next((op for op in func.body.ops if any(v.name == value.name for v in op.results)), None)


def _deviates(func: Func, op: Op | None, equal: Sequence[Value]) -> bool:
    """Return whether all that an operation reads is given, constant, or among these equal values."""
    known = {v.name for v in (*func.inputs, *equal)}
    known |= {v.name for each in func.body.ops if not each.operands for v in each.results}
    return op is not None and {v.name for v in reads(op)} <= known


def _before(runner: Runner, first: Difference | None) -> int | None:
    """Return how many operations had begun when the first value that differs was known."""
    return runner.times.get(first.name) if first else None


def _telling(search: Search, found: Sequence[Trial], whole: Runner) -> Telling | None:
    """Return random arguments on which some explanations give other results than others.

    They are chosen by runs of the search's samples, and then all of them run.
    """
    best: Telling | None = None
    for seed in range(SEEDS) if 1 < len(found) <= MOST else ():
        telling = _groups(search, found, search.runner, whole, seed)
        if telling and len(telling.groups) > max(1, len(best.groups) if best else 0):
            best = telling
    return _groups(search, found, whole, whole, best.seed) if best and search.runner is not whole else best


def _groups(
    search: Search, found: Sequence[Trial], runner: Runner, whole: Runner, seed: int
) -> Telling | None:
    """Return random arguments with the explanations that give the same results on them."""
    args = random_arguments(whole.func, seed)
    groups: dict[bytes, list[str]] = {}
    for trial in found:
        try:
            outs = runner.run(search.candidates[trial].ways(whole.declared), args)
        except InterpError:
            return None
        groups.setdefault(b"".join(x.tobytes() for x in outs), []).append(trial.name)
    return Telling(seed, tuple(args), tuple(map(tuple, groups.values())))


# Accumulations of single sums that were revealed, or are supposed.


def revealed_accumulations(module: Module, func: Func, given: Revealed | None) -> list[Deviation]:
    """Return a deviation for each sum whose accumulation is given: it adds along that."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        pairs = [(name, Accumulation.parse(each)) for name, each in given.items()]
    else:
        several = given if isinstance(given, list | tuple) else [given]
        pairs = [_known_pair(each) for each in several]
    reachable = called_functions(module, func)
    sums = [each for each in operations(module) if is_sum(each.op) and each.function in reachable]
    found = [(find(name, sums, "sum"), accumulation) for name, accumulation in pairs]
    for k, (each, _) in enumerate(found):
        if any(each.op is other.op for other, _ in found[:k]):
            raise Malformed(f"two accumulations of {each}", "expected one for each sum")
    return [_deviation(each, accumulation) for each, accumulation in found]


def _keep_executed(known: Sequence[Deviation], runner: Runner) -> tuple[Deviation, ...]:
    """Return the accumulations of sums that were executed; raise `Malformed` if there are only others."""
    found = tuple(each for each in known if any(map(each.applies, runner.operations)))
    if known and not found:
        raise Malformed(f"{known[0]}: this sum is not executed", "it is in a branch that is not taken")
    return found


def _known_pair(known: Known) -> tuple[str, Accumulation]:
    """Return the name of a sum and its accumulation."""
    if not isinstance(getattr(known, "accumulation", None), Accumulation):
        advice = 'expected an answer of `reveal` that states one, or {"%0": "lanes(16: left fma; balanced)"}'
        raise Malformed(f"no accumulation is known: {short_text(known)}", advice)
    assert known.accumulation
    return known.name, known.accumulation


def _deviation(found: Named, accumulation: Accumulation) -> Deviation:
    whole = repr(accumulation)
    text = whole if len(whole) <= NAMED else f"an explicit tree, {whole[: NAMED // 2]} ..."
    said = f"the numbers of {found} are added along the accumulation that was given for it"
    same = lambda op: op is found.op
    return Deviation(f"{found} along {text}", said, "revealed", same, {"along": accumulation})
