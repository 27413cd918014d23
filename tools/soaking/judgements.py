"""Judgements of a reduction, against all trees over the leaves of its elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

import numpy as np

import interp
from interp.recorder.recorded import Reduction
from soaking.drawing import REDUCTIONS, Trial, storage_ends
from soaking.outcome import Counts, Finding, claiming
from tests.library.oracles.trees import MOST, Brute, State, key

ELEMENTS = 2  # of a reduction, for which all trees are tried
SEARCHED = 2000  # applications of a body, where any number of inits makes the set large


def traced(trial: Trial) -> Any:
    """Return the trace of a program that is one reduction with a result; None of another."""
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
    """Return the indices of elements of few leaves, shuffled."""
    indices = list(np.ndindex(reduction.shape))
    rng.shuffle(indices)
    for index in indices[:8]:
        if 2 <= len(reduction.element(index).leaves) <= MOST:
            yield index


def leaves_of(reduction: Reduction, index: tuple[int, ...]) -> list[tuple[Any, ...]]:
    """Return the stored leaves of one element, the init first."""
    return [leaf.after for leaf in reduction.element(index).leaves]


def results_of(reduction: Reduction, index: tuple[int, ...]) -> dict[str, State]:
    """Return what the trees over one element's leaves give, with the body as the oracle evaluates it."""
    return Brute(reduction.body).results(leaves_of(reduction, index))


def verdict_of(verdicts: Any, index: tuple[int, ...], counts: Counts) -> None:
    """Hold one verdict against what the body gives along every tree."""
    kind = str(verdicts.kinds[index])
    counts[f"verdicts: {kind}"] += 1
    if kind in ("inexact", "unknown"):
        return
    results = results_of(verdicts.reduction, index)
    say = lambda why: Finding(
        "verdict", f"element {index} is {kind}: {why}; leaves {leaves_of(verdicts.reduction, index)}"
    )
    counts["verdicts replayed"] += 1
    if kind == "safe" and len(results) > 1:
        raise say(f"orders give {sorted(results)}")
    if kind == "order-dependent" and verdicts.total is None and len(results) < 2:
        raise say(f"every schedule gives {sorted(results)}")


def permitted(trial: Trial, reduction: Reduction, small: list[tuple[int, ...]], counts: Counts) -> None:
    """Ask about results of other schedules, with more inits, and of none; compare with all trees."""
    module, args = trial.program
    outs = [out.storage for out in interp.run(module, *args, schedule=f"random({trial.rng.randrange(99)})")]
    inits = trial.rng.choice(("one", "any"))
    sound = interp.permits(module, args, outs, inits=inits, schedules=["left"], limit=SEARCHED)
    counts["permits: results of random orders"] += 1
    if sound.is_refuted:
        raise Finding("permits", f"what an order gives is refuted:\n{sound!r}")
    candidates, sets = [x.copy() for x in outs], {}
    for index in small:
        sets[index] = results_of(reduction, index)
        for x, value in zip(candidates, _candidate(reduction, index, sets[index], trial.rng), strict=True):
            x[index] = value
    given = interp.permits(module, args, candidates, inits="one", schedules=["left"])
    again = interp.permits(module, args, candidates, inits="any", schedules=["left"], limit=SEARCHED)
    for index, states in sets.items():
        state = tuple(np.asarray(x[index]).item() for x in candidates)
        kind, any_kind = (_worst(judged.verdicts, index) for judged in (given, again))
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


def _worst(verdicts: Sequence[np.ndarray], index: Any) -> str:
    """Return the verdict on all operands' results at an index: several refuted together are refuted."""
    kinds = {str(kinds[index]).removesuffix(" together") for kinds in verdicts}
    return next(kind for kind in ("not permitted", "unknown", "permitted", "exact") if kind in kinds)
