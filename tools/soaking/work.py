"""The work of one process: items checked one after another, reported as they begin and as they end."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from random import Random
from typing import NamedTuple

import jax

from soaking import bounding, damage, equality, judgements, proving, reading
from soaking.children import end_with_parent
from soaking.drawing import Trial, trial
from soaking.outcome import Counts, Failure, Finding, sort_of
from soaking.smaller import fewest, smallest
from tests.library.strategies.programs import joined

COMPILED, COMPARED, BUDGETED, READ, COMMANDED = 4, 25, 50, 4, 20  # one item in so many
TOGETHER = 4  # programs in one compilation


class Block(NamedTuple):
    """Items to check, of kind "program" or "damaged". `thorough`: leave no check out."""

    seed: int
    kind: str
    numbers: tuple[int, ...]
    thorough: bool = False


class Begun(NamedTuple):
    """The item that a process is at."""

    item: str


class Done(NamedTuple):
    """Message: one item is done, with what it gave."""

    item: str
    counts: Counts
    failures: tuple[Failure, ...]
    seconds: float


Check = Callable[[Trial, Counts], None]
Tell = Callable[[Begun | Done], None]


def name_of(kind: str, number: int) -> str:
    """`p12` is program 12, `d12` damaged input 12."""
    return f"{kind[0]}{number}"


def work(block: Block, known: set[str], tell: Tell) -> None:
    """Check every item of a block. Findings of a sort in `known` are not made small."""
    check = _program if block.kind == "program" else _damaged
    for number in block.numbers:
        item = name_of(block.kind, number)
        tell(Begun(item))
        start = time.process_time()
        counts, failures = check(block, number, known)
        tell(Done(item, counts, tuple(failures), time.process_time() - start))
    if block.kind == "program":
        _compile(block, known, tell)


def _program(block: Block, number: int, known: set[str]) -> tuple[Counts, list[Failure]]:
    counts, failures = Counts(), []
    every = lambda n: block.thorough or number % n == 0
    drawn = trial(block.seed, number)
    checks = [equality.against_oracle, judgements.verdicts, bounding.bounds, judgements.permits]
    checks += [proving.proofs]
    checks += [bounding.read_back] * every(READ)
    checks += [bounding.compared] * every(COMPARED)
    checks += [bounding.budgeted] * every(BUDGETED)
    for check in checks:
        try:
            check(_with_own_numbers(drawn, check, block.seed, number), counts)
        except Finding as finding:
            failures.append(_failure(block, number, drawn, check, finding, known))
    return counts, failures


def _with_own_numbers(drawn: Trial, check: Check, seed: int, number: int) -> Trial:
    """Give a check random numbers of its own: what others draw does not change them."""
    return drawn._replace(rng=Random(f"soak {seed}, program {number}, {check.__name__}"))


def _failure(
    block: Block, number: int, drawn: Trial, check: Check, finding: Finding, known: set[str]
) -> Failure:
    sort = sort_of(finding, drawn.op.name)
    item = name_of(block.kind, number)
    if sort in known:
        return Failure(item, finding.kind, finding.evidence, sort)
    known.add(sort)
    program, finding = smallest(_with_own_numbers(drawn, check, block.seed, number), check, finding)
    return Failure(item, finding.kind, finding.evidence, sort, reproduction(drawn._replace(program=program)))


def reproduction(drawn: Trial) -> str:
    """Return the program and its arguments, to be pasted."""
    module, args = drawn.program
    given = ", ".join(f"np.array({x.tolist()!r}, {x.dtype.name!r})" for x in args)
    return f"args = [{given}]; schedule = {str(drawn.schedule)!r}\nm = interp.load('''\n{module!r}''')"


def _compile(block: Block, known: set[str], tell: Tell) -> None:
    """Compile some programs of the block, several at a time; one by one where they disagree."""
    numbers = [n for n in block.numbers if block.thorough or n % COMPILED == 0]
    drawn = {n: trial(block.seed, n) for n in numbers}
    for schedule in dict.fromkeys(t.schedule for t in drawn.values() if equality.can_compile(t)):
        some = [n for n, t in drawn.items() if t.schedule == schedule and equality.can_compile(t)]
        for first in range(0, len(some), TOGETHER):
            _compiled(block, {n: drawn[n] for n in some[first : first + TOGETHER]}, known, tell)
    jax.clear_caches()


def _compiled(block: Block, trials: dict[int, Trial], known: set[str], tell: Tell) -> None:
    start, counts, failures = time.process_time(), Counts(), []
    item = f"p{min(trials)}-{max(trials)}"
    tell(Begun(item))
    schedule = next(iter(trials.values())).schedule
    try:
        equality.compiled(joined([t.program for t in trials.values()]), schedule, counts)
        counts["programs compiled"] += len(trials) * (not counts)
    except Finding as together:
        for number, drawn in trials.items():
            try:
                _alone(drawn, counts)
            except Finding as finding:
                failures.append(_failure(block, number, drawn, _alone, finding, known))
        if not failures:
            evidence = f"{together.evidence}\neach alone agrees, together they do not: {list(trials)}"
            failures.append(Failure(item, "compile together", evidence, sort_of(together, "together")))
    tell(Done(item, counts, tuple(failures), time.process_time() - start))


def _alone(drawn: Trial, counts: Counts) -> None:
    equality.compiled(drawn.program, drawn.schedule, counts)
    counts["programs compiled"] += 1


def _damaged(block: Block, number: int, known: set[str]) -> tuple[Counts, list[Failure]]:
    counts, failures = Counts(), []
    item = damage.damaged(block.seed, number)
    rng = Random(number)
    checks = [reading.read] + [reading.command] * (block.thorough or number % COMMANDED == 0)
    for check in checks:
        try:
            check(item, rng, counts)
        except Finding as finding:
            sort = sort_of(finding, "damaged")
            shorter = "" if sort in known else shown(fewest(item, check, rng, finding))
            known.add(sort)
            failures.append(
                Failure(name_of("damaged", number), finding.kind, finding.evidence, sort, shorter)
            )
    return counts, failures


def shown(item: damage.Damaged) -> str:
    """Return the damaged input, to be pasted."""
    return f"{item.source}: {item.how}\ninterp.load({item.data!r})"


def serve(pipe: Connection) -> None:
    """Work on the blocks that come through the pipe, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent to handle
    os.nice(5)
    end_with_parent()
    try:
        while True:
            block, known = pipe.recv()
            work(block, known, pipe.send)
            pipe.send(None)
    except (EOFError, OSError):
        return
