"""`diagnose`: which deviation from a program's declared meaning reproduces the wrong results of a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from interp.backends import Array
from interp.diagnosing.diagnosis import Diagnosis, Difference, Telling
from interp.diagnosing.runner import Runner
from interp.diagnosing.search import Progress, Search, Trial, differing
from interp.engine.arguments import accepted
from interp.engine.inputs import random_arguments
from interp.engine.limits import refuse_sizes
from interp.events.event import heading
from interp.execute.run import runnable
from interp.execute.supported import refuse_bundles
from interp.execute.unused import unused
from interp.execute.way import Way
from interp.permitted.foreign import equal, taken, taken_as
from spec.accumulator import Accumulator, Reading, reading_named
from spec.errors import InterpError, Malformed
from spec.grid import ONE
from spec.ir import Func, Module, Op, Value, captures
from spec.options import several, whole
from spec.schedule import Schedule, parse

LIMIT = 5000
SEEDS = 8  # random arguments that are tried to tell explanations apart
MOST = 16  # explanations that are told apart


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
    limit: int = LIMIT,
    progress: Progress | None = None,
) -> Diagnosis:
    """Return which deviations reproduce the `observed` results of a device for `args`, bit for bit.

    Deviations are the rows of `interp.diagnosing.deviations`: accumulators, readings and recipes, schedules,
    numbers of init values, roundings. Each is tried everywhere; if none explains the results, each at one
    kind of operation and at one operation alone; and then pairs, everywhere. An explanation reproduces every
    element of the results, and all `intermediates`: arrays by the names of values of the function (`%sum`).
    All explanations of the first of these stages that has any are listed: the data do not tell them apart.

    schedule, reading, accumulator, recipe: the declared meaning, as for `run`. limit: the largest number of
    runs. progress: called with a text, the runs done and their number.
    """
    read = reading_named(reading, accumulator, recipe)
    limit = whole(limit, "limit")
    func = runnable(module, function, mode, ONE, read)
    refuse_bundles(func, "diagnosed")
    refuse_sizes(module, func)
    stored = accepted(func, several(args, "arguments"))
    given = taken(func, several(observed, "results"))
    values = _named(func, intermediates or {})
    seen = [taken_as(np.asarray(x), value.type, value.name) for value, x in values]
    runner = Runner(module, func, stored, Way(read, parse(schedule)), {v.name: v for v, _ in values})
    declared, arrays = runner.run({}), [*seen, *given]
    first = _first(runner, declared, arrays)
    search = Search(runner, arrays, declared, limit, progress, _before(runner, first))
    found = search.explanations() if first else []
    return Diagnosis(
        func.name,
        f"schedule {parse(schedule)!r}, reading {read!r}",
        sum(x.size for x in arrays),
        differing(declared, arrays),
        first,
        tuple(found),
        tuple(search.trials),
        search.untried,
        _telling(search, found),
        unused(module, func.name, read),
    )


def _named(func: Func, given: Mapping[str, Any]) -> list[tuple[Value, Any]]:
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
            operation = heading(op, "") if op else f"argument {value.name}"
            return Difference(names[k], operation, *found, _deviates(runner.func, op, values[:k]))
    return None


def _defining(func: Func, value: Value) -> Op | None:
    return next((op for op in func.body.ops if any(v.name == value.name for v in op.results)), None)


def _deviates(func: Func, op: Op | None, equal: Sequence[Value]) -> bool:
    """Return whether all that an operation reads is given, constant, or among these equal values."""
    known = {v.name for v in (*func.inputs, *equal)}
    known |= {v.name for each in func.body.ops if not each.operands for v in each.results}
    return op is not None and {v.name for v in (*op.operands, *captures(op))} <= known


def _before(runner: Runner, first: Difference | None) -> int | None:
    """Return how many operations had begun when the first value that differs was known."""
    return runner.times.get(first.name) if first else None


def _telling(search: Search, found: Sequence[Trial]) -> Telling | None:
    """Return random arguments on which some explanations give other results than others."""
    best: Telling | None = None
    for seed in range(SEEDS) if 1 < len(found) <= MOST else ():
        args = random_arguments(search.runner.func, seed)
        groups: dict[bytes, list[str]] = {}
        for trial in found:
            try:
                ways = search.candidates[trial].ways(search.runner.declared)
                outs = search.runner.run(ways, args)
            except InterpError:
                break
            groups.setdefault(b"".join(x.tobytes() for x in outs), []).append(trial.name)
        else:
            if len(groups) > max(1, len(best.groups) if best else 0):
                best = Telling(seed, tuple(args), tuple(map(tuple, groups.values())))
    return best
