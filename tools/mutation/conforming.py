"""The conformance suite alone as the killer of mutants: those of the engine that it finds nonconforming.

A mutant runs in a process of its own, eagerly on every case that executes the mutated line. The parent, whose
engine is unchanged, judges each answer that the case does not list. A surviving mutant is then compiled, but
only where the lowered text of a case differs from that of the unchanged engine. Witnesses come last: a mutant
that a witness notices, but not the suite, is one that the suite should notice.
"""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from mutation.lines import lines_of
from mutation.operators import Mutant, files
from mutation.questions import Killers, answered, conforms, lowered
from mutation.trial import FORK, Outcome, is_begun

SECONDS = 15, 60  # of a mutant's own time, eagerly and then compiled: it may loop forever
LOWERED, COMPILED = 40, 6  # cases of a mutant whose text is compared, and which are compiled, at most
WITNESS = "witness: "


def outcomes(suite: Killers, mutants: Sequence[Mutant], jobs: int, compiled: bool) -> Iterator[Outcome]:
    """Yield every mutant's outcome as it comes, `jobs` at a time. Cases that killed lately come first."""
    todo, running, recent = deque(mutants), {}, deque(maxlen=30)
    while todo or running:
        while todo and len(running) < jobs:
            mutant = todo.popleft()
            here, there = FORK.Pipe()
            process = FORK.Process(target=_attempt, args=(there, mutant, suite, list(recent), compiled))
            process.start()
            there.close()
            running[here] = process, mutant, time.monotonic()
        for connection in wait(running):
            process, mutant, start = running[connection]  # type: ignore[index]
            killer = _heard(connection, process, suite, recent)  # type: ignore[arg-type]
            if killer is not None:
                del running[connection]  # type: ignore[arg-type]
                yield Outcome(mutant, killer, time.monotonic() - start)


def _heard(connection: Connection, process: Any, suite: Killers, recent: deque[int]) -> str | None:
    """Judge one answer; return the killer, "" for none, once the mutant's process has ended."""
    try:
        message = connection.recv()
    except (EOFError, ConnectionError):
        process.join()
        return f"exit status {process.exitcode}"
    if isinstance(message, str):
        process.join()
        return message
    k, how, answer = message
    wrong = not conforms(suite.questions[k], answer)
    connection.send(wrong)
    if not wrong:
        return None
    process.join()
    if k in recent:
        recent.remove(k)
    recent.appendleft(k)
    question = suite.questions[k]
    return f"{question.name}{how}" if question.case else f"{WITNESS}{question.name}"


def _attempt(
    connection: Connection, mutant: Mutant, suite: Killers, recent: list[int], compiled: bool
) -> None:
    """Ask the parent, from the child, about answers that no case lists; then send "" if none was wrong."""
    if not is_begun(connection, mutant, SECONDS[0]):
        return
    lines = lines_of(mutant)
    everywhere = bool(lines & suite.always) or not mutant.scope
    number, cases = range(len(suite.questions)), range(suite.cases)
    chosen = [k for k in number if everywhere or lines & suite.questions[k].eager]
    chosen.sort(key=lambda k: recent.index(k) if k in recent else len(recent) + k)
    if any(_is_wrong(connection, suite, k, False) for k in chosen if k in cases):
        return
    signal.setitimer(signal.ITIMER_PROF, SECONDS[1])
    traced = [k for k in cases if everywhere or lines & suite.questions[k].traced]
    if compiled and _fails_compiled(connection, suite, traced):
        return
    if not any(_is_wrong(connection, suite, k, False) for k in chosen if k not in cases):
        connection.send("")


def _fails_compiled(connection: Connection, suite: Killers, chosen: Sequence[int]) -> bool:
    """Return whether a compiled case is wrong, of those that the mutant lowers to another text."""
    left = COMPILED
    for k in chosen[:: -(-len(chosen) // LOWERED) or 1]:
        if left and lowered(suite.questions[k]) != suite.questions[k].text:
            left -= 1
            if _is_wrong(connection, suite, k, True):
                return True
    return False


def _is_wrong(connection: Connection, suite: Killers, k: int, compiled: bool) -> bool:
    from interp.apps.suite.cases import same

    question = suite.questions[k]
    answer = answered(question, compiled)
    if isinstance(answer, str) and answer == question.answer:
        return False
    results = [] if isinstance(question.answer, str) else question.answer
    if not isinstance(answer, str) and len(answer) == len(results) and all(map(same, answer, results)):
        return False
    connection.send((k, ", compiled" if compiled else "", answer))
    return connection.recv()


def control(suite: Killers, compiled: bool) -> None:
    """Raise `SystemExit` unless the unchanged engine conforms, since otherwise a kill would mean nothing."""
    unchanged = Mutant(files()[0], 1, "none", "", 0, 0, 0, "")
    for outcome in outcomes(suite, [unchanged], 1, compiled):
        if outcome.killer:
            raise SystemExit(f"{outcome.killer}: fails without any mutation")


def score(outcomes: Sequence[Outcome]) -> list[str]:
    """Return lines: killed of the mutants that change a result, file by file, and in all.

    A mutant changes a result if a case or a witness notices it. The others (in speed, in calls of listeners,
    in code that no program reaches) are counted separately.
    """
    lines = []
    for file in [*sorted({outcome.mutant.file for outcome in outcomes}), ""]:
        of = [outcome for outcome in outcomes if file in ("", outcome.mutant.file)]
        changing = [outcome for outcome in of if outcome.killer]
        killed = sum(not outcome.killer.startswith(WITNESS) for outcome in changing)
        percent = f"{killed / len(changing):.0%}" if changing else "none"
        unchanged = len(of) - len(changing)
        lines.append(
            f"{file or 'all'}: {killed} of {len(changing)} ({percent}); {unchanged} change no result"
        )
    return lines
