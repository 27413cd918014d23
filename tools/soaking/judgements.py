"""What is said about a reduction, against all trees over the leaves of its elements."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import numpy as np

import interp
from interp.tracing.reductions import Reduction
from interp.tracing.suggestion import with_storage
from soaking.brute import MOST, Trees, by_body, by_integers, key
from soaking.drawing import REDUCTIONS, Trial, storage_ends
from soaking.equality import unequal
from soaking.outcome import Counts, Finding, claiming
from spec.errors import InterpError, Unsupported, Violation
from spec.ir import Module
from spec.types import QuantizedType, integer
from tests.programs import stored

ELEMENTS = 2  # of a reduction, for which all trees are tried
SEARCHED = 2000  # applications of a body, where any number of inits makes the set large
ORDERS = ("left", "balanced", "random(7)", "random(8)")
REPEATING = ("blocks(2)", "windows(2)")  # they have the init value several times
WRONG = ("saturate", "wrap", "inexact", "inf", "nan")


def traced(trial: Trial) -> Any:
    """The trace of a program that is one reduction with a result; None of another."""
    if trial.family not in REDUCTIONS or not trial.program.module.main.results[0].size:
        return None
    with claiming("trace"), np.errstate(all="ignore"):
        return interp.trace(trial.program.module, *trial.program.args, kinds=(), schedule=trial.schedule)


def verdicts(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where a verdict contradicts all trees."""
    if trace := traced(trial):
        with claiming("verdict"), np.errstate(all="ignore"):
            found = trace.verdict()
            for index in _few(trace.reduction(), trial.rng):
                verdict_of(found, index, counts)


def bounds(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where a bound or a suggested type contradicts the sums."""
    if trace := traced(trial):
        with claiming("bounds"), np.errstate(all="ignore"):
            bounds_of(trial, trace.bounds(), counts)


def permits(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where `permits` contradicts all trees."""
    if trial.schedule.may_repeat_init or not (trace := traced(trial)):
        return
    with claiming("permits"), np.errstate(all="ignore"):
        if few := _few(trace.reduction(), trial.rng):
            permitted(trial, trace.reduction(), few, counts)


def _few(reduction: Reduction, rng: Random) -> list[tuple[int, ...]]:
    return list(islice(_small(reduction, rng), ELEMENTS))


def _small(reduction: Reduction, rng: Random) -> Iterator[tuple[int, ...]]:
    """Indices of elements of few leaves, in random order."""
    indices = list(np.ndindex(reduction.shape))
    rng.shuffle(indices)
    for index in indices[:8]:
        if 2 <= len(reduction.element(index).leaves) <= MOST:
            yield index


def leaves_of(reduction: Reduction, index: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """The stored leaves of one element, the init first."""
    return [leaf.after for leaf in reduction.element(index).leaves]


def body_trees(reduction: Reduction, index: tuple[int, ...]) -> Trees:
    return by_body(leaves_of(reduction, index), reduction.body)


def verdict_of(verdicts: Any, index: tuple[int, ...], counts: Counts) -> None:
    """Replay one verdict: by integers what overflows, by the body what comes out."""
    reduction, kind = verdicts.reduction, str(verdicts.kinds[index])
    counts[f"verdicts: {kind}"] += 1
    if kind in ("inexact", "unknown"):
        return
    results, type = body_trees(reduction, index).states, reduction.types[0]
    say = lambda why: Finding(
        "verdict", f"element {index} is {kind}: {why}; leaves {leaves_of(reduction, index)}"
    )
    counts["verdicts replayed"] += 1
    if kind == "safe" and len(results) > 1:
        raise say(f"orders give {sorted(results)}")
    if verdicts.total is None:
        if kind == "order-dependent" and len(results) < 2:
            raise say(f"every order gives {sorted(results)}")
        return
    z = getattr(type, "zero_point", 0)
    low, high = storage_ends(type)
    numbers = [leaf[0] - z for leaf in leaves_of(reduction, index)]
    exact = by_integers(numbers, low - z, high - z, not isinstance(type, QuantizedType))
    if exact.kind != kind:
        raise say(f"integer sums are {exact.kind}")
    shifted = {key((state[0] + z,)) for state in exact.states.values()}
    if shifted != set(results):
        raise say(f"the body gives {sorted(results)}, integers {sorted(shifted)}")
    total = int(verdicts.total[index])
    order = verdicts.schedule(index)
    if total != sum(numbers) + z or (order is None) != (key((total,)) not in results):
        raise say(f"total {total}, schedule {order!r}, orders give {sorted(results)}")


def bounds_of(trial: Trial, found: Any, counts: Counts) -> None:
    """Rerun the program in the suggested type; sum all contiguous leaves for the bound by value."""
    if not found.is_known:
        counts["bounds: unknown"] += 1
        return
    counts["bounds: known"] += 1
    _by_value(trial, found, counts)
    suggested = found.suggestion
    if suggested.type is None:
        if not suggested.why:
            raise Finding("bounds", "there is no suggestion, and no reason")
        return
    reduction = found.reduction
    module = interp.with_accumulator(trial.program.module, reduction.name, suggested.type)
    counts["bounds: suggestions rerun"] += 1
    identity = reduction.init[0] == getattr(reduction.types[0], "zero_point", 0)
    orders = [*ORDERS, *(REPEATING if identity else ())]
    data = [trial.program.args]
    if suggested.scope == "any data":
        data += [extreme(trial, module) for _ in range(2)]
        orders = list(ORDERS)
    for args in data:
        order = trial.rng.choice(orders)
        _is_clean(module, args, reduction.name, order, repr(suggested))


def extreme(trial: Trial, module: Module) -> tuple[np.ndarray, ...]:
    """Return other arguments of the same types: each all least, all greatest, or any."""
    values = np.random.default_rng(trial.rng.getrandbits(32))

    def one(type: Any) -> np.ndarray:
        x = stored(values, type)
        ends = storage_ends(type.element_type)
        return np.full_like(x, trial.rng.choice(ends)) if trial.rng.random() < 0.7 else x

    return tuple(one(value.type) for value in module.main.inputs)


def _is_clean(module: Module, args: Any, name: str, order: str, suggested: str) -> None:
    """Raise `Finding` where a sum is wrong in the suggested type, or its result is not the exact sum."""
    trace = interp.trace(module, *args, schedule=order, kinds=WRONG)
    events = [event for event in trace.events if event.op.result.name == name]
    if events:
        raise Finding("bounds", f"suggested {suggested}, and in it under {order}: {events[0]!r}")
    reduction = trace.reduction(name)
    if not reduction.is_sum or order in REPEATING:
        return
    z = getattr(reduction.types[0], "zero_point", 0)
    for index in np.ndindex(reduction.shape):
        total = sum(leaf[0] - z for leaf in leaves_of(reduction, index)) + z
        if int(reduction.accumulators[0][index]) != total:
            raise Finding("bounds", f"suggested {suggested}, and in it {index} is not {total} under {order}")


def _by_value(trial: Trial, found: Any, counts: Counts) -> None:
    """Raise `Finding` unless the bound by value is the reach of all contiguous sums of unclamped leaves."""
    reduction, bound = found.reduction, found.by_value
    type = reduction.types[0]
    if not reduction.is_sum or bound is None or max(map(abs, bound[:2])) >= 2**31:
        return
    wide = reduction
    if {value.type.element_type for value in (*reduction.inputs, *reduction.init_values)} != {type}:
        if not isinstance(type, QuantizedType):
            return
        try:
            module = interp.with_accumulator(
                trial.program.module, reduction.name, with_storage(type, integer(32, True))
            )
        except (Violation, Unsupported):
            return
        wide = interp.trace(module, *trial.program.args, kinds=(), schedule=trial.schedule).reduction()
    z, sums = getattr(type, "zero_point", 0), set()
    for index in np.ndindex(wide.shape):
        numbers = [leaf[0] - z for leaf in leaves_of(wide, index)]
        if len(numbers) > 40:
            return
        sums |= {sum(numbers[i:j]) for i in range(len(numbers)) for j in range(i + 1, len(numbers) + 1)}
    counts["bounds: by value replayed"] += 1
    if (bound.least, bound.greatest) != (min(sums) + z, max(sums) + z):
        raise Finding("bounds", f"by value {bound}, the sums reach {min(sums) + z} to {max(sums) + z}")


def permitted(trial: Trial, reduction: Reduction, small: list[tuple[int, ...]], counts: Counts) -> None:
    """Ask about results of other orders, of orders with more inits, and of none; compare with all trees."""
    module, args = trial.program
    outs = [out.storage for out in interp.run(module, *args, schedule=f"random({trial.rng.randrange(99)})")]
    inits = trial.rng.choice(("one", "any"))
    sound = interp.permits(module, args, outs, inits=inits, schedules=["left"], limit=SEARCHED)
    counts["permits: results of random orders"] += 1
    if sound.counts["not permitted"]:
        raise Finding("permits", f"what an order gives is refuted:\n{sound!r}")
    candidates, sets = [x.copy() for x in outs], {}
    for index in small:
        sets[index] = body_trees(reduction, index).states
        for x, value in zip(candidates, _candidate(reduction, index, sets[index], trial.rng), strict=True):
            x[index] = value
    given = interp.permits(module, args, candidates, inits="one", schedules=["left"])
    again = interp.permits(module, args, candidates, inits="any", schedules=["left"], limit=SEARCHED)
    for index, states in sets.items():
        state = tuple(np.asarray(x[index]).item() for x in candidates)
        kind, any_kind = str(given.verdicts[0][index]), str(again.verdicts[0][index])
        counts[f"permits: {kind}"] += 1
        is_member = key(state) in states
        wrong = kind == "not permitted" if is_member else kind in ("exact", "permitted")
        if wrong or (is_member and any_kind == "not permitted"):
            evidence = (
                f"{index}: {kind} ({any_kind} of any inits), given {state}, orders give {sorted(states)}"
            )
            raise Finding("permits", f"{evidence}; leaves {leaves_of(reduction, index)}")
        if kind == "unknown":
            counts[f"permits: unknown of {len(reduction.types)} operands"] += 1


def _candidate(reduction: Reduction, index: Any, states: Any, rng: Random) -> tuple[Any, ...]:
    """Return a member, or a neighbour of one, or any stored number."""
    member = rng.choice(list(states.values()))
    if rng.random() < 0.4:
        return member
    changed = []
    for x, type in zip(member, reduction.types, strict=True):
        if isinstance(x, int) and not isinstance(x, bool):
            low, high = storage_ends(type)
            x = (
                min(max(x + rng.choice((-1, 1, 2, -3)), low), high)
                if rng.random() < 0.7
                else rng.randint(low, high)
            )
        changed.append(x)
    return tuple(changed)


def compared(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where the bound of `compare` does not hold."""
    module, args = trial.program
    try:
        with claiming("compare", Unsupported):
            found = interp.compare(module, *args, schedule=trial.schedule)
    except Unsupported:
        counts["compare: XLA has no such program"] += 1
        return
    counts["compare: bounds checked"] += 1
    if not found.ok:
        raise Finding("compare", repr(found))


def budgeted(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` where the parts of the error do not sum to it exactly."""
    module, args = trial.program
    try:
        with claiming("budget", Unsupported):
            budget = interp.trace(module, *args, kinds=(), schedule=trial.schedule).budget()
    except Unsupported:
        counts["budget: XLA has no such program"] += 1
        return
    counts["budgets summed"] += 1
    for result in budget.results:
        for index in np.argwhere(result.total.counted):
            at = tuple(map(int, index))
            if sum(part.at(at) for part in result.parts) != result.total.at(at):
                raise Finding(
                    "budget", f"result {result.number}{list(at)}: the parts do not sum to the total"
                )


def read_back(trial: Trial, counts: Counts) -> None:
    """Raise `Finding` unless the text of the program is read as a program of the same results."""
    text = repr(trial.program.module)
    try:
        with claiming("text", InterpError):
            module = interp.load(text)
    except InterpError as error:
        raise Finding("text", f"{text}\n{error}") from None
    counts["texts read back"] += 1
    with claiming("text"):
        ours, theirs = (
            [out.storage for out in interp.run(m, *trial.program.args, schedule=trial.schedule)]
            for m in (trial.program.module, module)
        )
        unequal("text", "as built", ours, "read back", theirs)
        if interp.load(repr(module)) != module:
            raise Finding("text", f"{text}\nread twice it is another program")
