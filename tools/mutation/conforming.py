"""The conformance suite alone as the killer: which mutants of the engine it calls nonconforming, and where.

A mutant runs in a process of its own, eagerly on every case that executes the mutated line. The parent, whose
engine is unchanged, judges each answer that the case does not list. What is left alive is then compiled, but
only where the lowered text of a case differs from that of the unchanged engine.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mutation.lines import Line, executed, lines_of
from mutation.operators import ROOT, Mutant, files
from mutation.trial import FORK, Outcome, forget, put_in_place

SECONDS = 15, 60  # of a mutant's own time, eagerly and then compiled: it may loop forever
ORDERS = "left", "balanced", "blocks(2)", "random(3)"  # each is an implementation for the suite
FOLDS = "reduce", "reduce_window", "select_and_scatter"
LOWERED, COMPILED = 40, 6  # cases of a mutant whose text is compared, and which are compiled, at most
ENGINE = ("spec/**/*.py", "interp/**/*.py", "tools/mutation/*.py")


class Question(NamedTuple):
    """A case with its program, put to the engine in one of its orders, which gives `answer`.

    `eager` and `traced`: the lines it executes; `text`: a digest as lowered.
    """

    case: Any
    module: Any
    order: str
    answer: Any = None
    eager: frozenset[Line] = frozenset()
    traced: frozenset[Line] = frozenset()
    text: str = ""


class Killers(NamedTuple):
    """All cases with results, and the lines that importing the engine executes."""

    questions: Sequence[Question]
    always: frozenset[Line]


def killers(compiled: bool = True) -> Killers:
    """Return the suite with what every case executes, from the file where that is kept."""
    digest = hashlib.sha256()
    for file in sorted(path for pattern in ENGINE for path in ROOT.glob(pattern)):
        digest.update(file.read_bytes())
    kept = ROOT / "build" / f"conforming-{digest.hexdigest()[:16]}{'-compiled' * compiled}.pickle"
    kept.parent.mkdir(exist_ok=True)
    in_a_child(_record, kept, compiled)
    return pickle.loads(kept.read_bytes())[0]


def in_a_child(function: Any, *args: Any) -> None:
    """Call a function in a process of its own, since MLIR and XLA start threads."""
    process = FORK.Process(target=function, args=args)
    process.start()
    process.join()
    if process.exitcode:
        raise SystemExit(f"{function.__name__} failed")


def _record(kept: Path, compiled: bool) -> None:
    """Find what new and changed cases execute, and keep it with what is known of the others."""
    from interp.suite.conformance import CASES, discover, program

    cases = [case for case in discover(CASES) if case.expect]
    known = pickle.loads(kept.read_bytes())[1] if kept.exists() else {}
    imported = dict(sys.modules)
    forget()
    always = executed(_afresh)
    orders = ((case, order) for order in ORDERS for case in cases if order == "left" or case.op in FOLDS)
    found = {}
    for case, order in orders:
        key = case.text, order
        module = known[key].module if key in known else program(case.path, case.dialect, case.checked)
        found[key] = known.get(key) or _covered(Question(case, module, order), compiled)
    sys.modules.update(imported)  # pickle looks up the classes of cases
    kept.write_bytes(pickle.dumps((Killers(list(found.values()), always), found)))


def _covered(question: Question, compiled: bool) -> Question:
    """Add what a case executes, each time on an engine that remembers nothing of other cases."""
    _forget_results()
    found: list[Any] = []
    eager = executed(lambda: found.append(answered(question, compiled=False)))
    if not conforms(question, found[0]):
        raise SystemExit(f"{question.case.id}, {question.order}: fails without any mutation: {found[0]}")
    question = question._replace(answer=found[0], eager=eager)
    if question.order != "left" or not compiled:
        return question
    _forget_results()
    traced = executed(lambda: found.append(lowered(question)))
    return question._replace(traced=traced, text=found[1])


def _afresh() -> None:
    forget()
    importlib.import_module("interp.ops")
    importlib.import_module("interp.run")


def _forget_results() -> None:
    """Empty the caches of the engine's functions, so that a case executes all lines that it needs."""
    for name, module in list(sys.modules.items()):
        if name.startswith("interp."):
            for value in vars(module).values():
                if hasattr(value, "cache_clear"):
                    value.cache_clear()


def answered(question: Question, compiled: bool) -> list[np.ndarray] | str:
    """Return the engine's results, or how it failed."""
    case, order = question.case, {"schedule": question.order, "mode": question.case.mode}
    try:
        if compiled:
            from interp.compile import compile

            return [np.asarray(x) for x in compile(question.module, **order)(*case.args)]
        from interp.run import run

        return [x.storage for x in run(question.module, *case.args, **order)]
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def lowered(question: Question) -> str:
    """Return a digest of the case as plain StableHLO, as JAX hands it to XLA."""
    try:
        from interp.compile import lowered

        options = {"schedule": "left", "function": "main", "mode": question.case.mode}
        text = lowered(question.module, **options, contractions="fold").as_text()
    except Exception as error:
        text = type(error).__name__
    return hashlib.sha256(text.encode()).hexdigest()


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
    return f"{suite.questions[k].case.id}{how}"


def conforms(question: Question, answer: list[np.ndarray] | str) -> bool:
    """Whether the suite accepts the answer to a case, which has to run."""
    from interp.suite.conformance import judged

    if isinstance(answer, str):
        return False
    with np.errstate(all="ignore"):
        return judged(question.case, question.module, question.case.args, tuple(answer))[1]


def _attempt(
    connection: Connection, mutant: Mutant, suite: Killers, recent: list[int], compiled: bool
) -> None:
    """In the child: ask the parent about answers that no case lists, then send "" where none was wrong."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.setitimer(signal.ITIMER_PROF, SECONDS[0])
    try:
        put_in_place(mutant)
    except Exception as error:
        connection.send(f"import: {type(error).__name__}")
        return
    lines = lines_of(mutant)
    everywhere = bool(lines & suite.always) or not mutant.scope
    number = range(len(suite.questions))
    chosen = [k for k in number if everywhere or lines & suite.questions[k].eager]
    for k in sorted(chosen, key=lambda k: recent.index(k) if k in recent else len(recent) + k):
        if _is_wrong(connection, suite, k, False):
            return
    if compiled:
        signal.setitimer(signal.ITIMER_PROF, SECONDS[1])
        chosen = [k for k in number if everywhere or lines & suite.questions[k].traced]
        if _fails_compiled(connection, suite, chosen):
            return
    connection.send("")


def _fails_compiled(connection: Connection, suite: Killers, chosen: Sequence[int]) -> bool:
    """Whether a compiled case is wrong, of those that the mutant lowers to another text."""
    left = COMPILED
    for k in chosen[:: -(-len(chosen) // LOWERED) or 1]:
        if left and lowered(suite.questions[k]) != suite.questions[k].text:
            left -= 1
            if _is_wrong(connection, suite, k, True):
                return True
    return False


def _is_wrong(connection: Connection, suite: Killers, k: int, compiled: bool) -> bool:
    from interp.suite.cases import same

    question = suite.questions[k]
    answer = answered(question, compiled)
    listed = (question.answer, question.case.expect, *(p.results for p in question.case.permitted))
    if not isinstance(answer, str) and any(
        len(answer) == len(results) and all(map(same, answer, results)) for results in listed
    ):
        return False
    connection.send((k, ", compiled" if compiled else "", answer))
    return connection.recv()


def control(suite: Killers, compiled: bool) -> None:
    """Raise unless the unchanged engine conforms, without which every kill would mean nothing."""
    unchanged = Mutant(files()[0], 1, "none", "", 0, 0, 0, "")
    for outcome in outcomes(suite, [unchanged], 1, compiled):
        if outcome.killer:
            raise SystemExit(f"{outcome.killer}: fails without any mutation")
