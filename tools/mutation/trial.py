"""Each mutant in a process of its own: forked with the corpus loaded, the mutated module in place of the
original, the engine imported anew."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import CodeType
from typing import NamedTuple

from mutation import judges
from mutation.corpus import Entry, passes
from mutation.operators import ROOT, Mutant, files

Place = tuple[str, int]  # a file and the first line of a function in it

# Tests of what the corpus does not hold, for kernels whose tests `mutation.judges` does not name.
TESTS = "tests/test_kernels.py", "tests/test_geometry.py", "tests/test_windows.py"
FAST_PATHS = (
    "tests/test_quantized_theorems.py",
    "tests/test_left_folds.py",
    "tests/test_fast_paths_by_data.py",
    "tests/test_fast_paths_on_numpy.py",
    "tests/test_fast_path_ranges.py",
    "tests/test_fast_paths_by_type.py",
    "tests/test_fast_paths.py",
    "tests/test_saturating_runs.py",
)
OTHER = "not equal_the_oracle and not compiled_windows_are and not compiled_ties and not jax"
COMPILATIONS = 6  # a mutant at most
FAULTS = 5  # entries of the corpus for which the unchanged engine may give another result than the oracle
SECONDS = 20, 120  # of its own time, for the corpus and then for the rest: a mutant may loop forever
FORK = get_context("fork")


class Outcome(NamedTuple):
    """Outcome of a trial; `killer` names the test that noticed the mutant, "" if it survived."""

    mutant: Mutant
    killer: str
    seconds: float


class Suite(NamedTuple):
    """The corpus, and which functions of the kernels each of its entries calls; `always`: those called at
    import."""

    entries: Sequence[Entry]
    reached: Sequence[frozenset[Place]]
    always: frozenset[Place]

    def for_(self, mutant: Mutant) -> list[int]:
        """Return the entries that run the function that the mutant is in."""
        place = mutant.file, mutant.scope
        if not mutant.scope or place in self.always:
            return list(range(len(self.entries)))
        return [k for k, places in enumerate(self.reached) if place in places]


def suite(entries: Sequence[Entry]) -> Suite:
    """Return which kernels every entry needs, found by running it.

    An entry that fails by itself is named and left out; `SystemExit` if these are more than `FAULTS`.
    """
    forget()
    always = _called(lambda: importlib.import_module("interp.execute.run"))
    passing, reached = [], []
    for entry in entries:
        results: list[bool] = []
        places = _called(lambda entry=entry, results=results: results.append(passes(entry)))
        if results[0]:
            passing.append(entry)
            reached.append(places)
        else:
            print(f"{entry.name}, {entry.schedule}: fails without any mutation", file=sys.stderr)
    if len(entries) - len(passing) > FAULTS:
        raise SystemExit("the engine is not that of the oracle")
    return Suite(passing, reached, always)


def _called(function) -> frozenset[Place]:
    """Return the functions of the kernels that a call ends up in."""
    kernels = {str(ROOT / file): file for file in files()}
    places: set[Place] = set()

    def look(frame, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename in kernels:
            places.add((kernels[code.co_filename], code.co_firstlineno))

    sys.setprofile(look)
    try:
        function()
    finally:
        sys.setprofile(None)
    return frozenset(places)


def outcomes(suite: Suite, mutants: Iterable[Mutant], thorough: bool, jobs: int) -> Iterator[Outcome]:
    """Yield every mutant's outcome as it comes, `jobs` at a time. What killed lately is tried first."""
    todo, running, recent, kernels = deque(mutants), {}, deque(maxlen=40), set(files())
    while todo or running:
        while todo and len(running) < jobs:
            mutant = todo.popleft()
            chosen = suite.for_(mutant) if mutant.file in kernels else []
            first = [k for k in recent if k in chosen]
            receiver, sender = FORK.Pipe(duplex=False)
            arguments = sender, mutant, suite.entries, [*first, *chosen], thorough
            process = FORK.Process(target=_attempt, args=arguments)
            process.start()
            sender.close()
            running[process.sentinel] = process, receiver, mutant, time.monotonic()
        for sentinel in wait(running):
            process, receiver, mutant, start = running.pop(sentinel)
            process.join()
            try:
                killer = receiver.recv()
            except EOFError:  # the time limit, or a crash
                killer = f"exit status {process.exitcode}"
            if isinstance(killer, int):
                if killer in recent:
                    recent.remove(killer)
                recent.appendleft(killer)
                killer = suite.entries[killer].name
            yield Outcome(mutant, killer, time.monotonic() - start)


def control(suite: Suite, thorough: bool) -> None:
    """Raise `SystemExit` if the unchanged engine fails, since then a kill would mean nothing."""
    unchanged = Mutant(files()[0], 1, "none", "", 0, 0, 0, "")
    for outcome in outcomes(suite, [unchanged], thorough, 1):
        if outcome.killer:
            raise SystemExit(f"{outcome.killer}: fails without any mutation")


def is_begun(sender: Connection, mutant: Mutant, seconds: float) -> bool:
    """Silence this child, limit its time, and put the mutant in place; else send the error of its import."""
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        put_in_place(mutant)
    except Exception as error:
        sender.send(f"import: {type(error).__name__}")
        return False
    return True


def _attempt(
    sender: Connection, mutant: Mutant, entries: Sequence[Entry], chosen: list[int], thorough: bool
) -> None:
    """Send, from the child, the number of the entry that failed, what else failed, or "" if nothing did."""
    if not is_begun(sender, mutant, SECONDS[0]):
        return
    killer = next((k for k in chosen if not passes(entries[k])), "")
    if killer == "" and thorough:
        signal.setitimer(signal.ITIMER_PROF, SECONDS[1])
        killer = _judging_tests(mutant)
        if not killer and mutant.file in files():
            killer = _thoroughly(mutant, entries, chosen)
    sender.send(killer)


def _judging_tests(mutant: Mutant) -> str:
    """Return the first test file that fails, of those that `mutation.judges` names for the mutant's file."""
    groups = judges.groups(judges.killers(mutant))
    return next((names[0].partition("::")[0] for names in groups if names and judges.fail(names)), "")


def _thoroughly(mutant: Mutant, entries: Sequence[Entry], chosen: Sequence[int]) -> str:
    """Return what no result of `run` shows: what listeners are told, and the engine's compiled form."""
    import pytest

    tests = FAST_PATHS if "/speed/" in mutant.file or "/theory/" in mutant.file else TESTS
    paths = (str(ROOT / file) for file in tests)
    if pytest.main([*judges.PYTEST, "-k", OTHER, *paths]):
        return "tests"
    compiled = [entries[k] for k in chosen if entries[k].compiled]
    failed = (entry.name for entry in compiled[:COMPILATIONS] if not passes(entry, compiled=True))
    return next(failed, "")


def put_in_place(mutant: Mutant) -> None:
    """Make this process run the mutated module from here on."""
    path = ROOT / mutant.file
    code = compile(mutant.applied(path.read_bytes()), str(path), "exec")
    name = ".".join(Path(mutant.file).with_suffix("").parts).removesuffix(".__init__")
    sys.meta_path.insert(0, _Finder(name, path, code))
    forget()
    importlib.import_module("interp.execute.run")


def forget() -> None:
    """Remove the engine and the tests from the imported modules, so that they are imported again."""
    for name in [n for n in sys.modules if n.split(".")[0] in ("interp", "tests")]:
        del sys.modules[name]


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module, with other code than its file holds."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self.name, self.path, self.code = name, path, code

    def find_spec(self, fullname, path=None, target=None):
        if fullname != self.name:
            return None
        loader = _Loader(fullname, str(self.path))
        loader.code = self.code
        submodules = [str(self.path.parent)] if self.path.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self.path, loader=loader, submodule_search_locations=submodules
        )


class _Loader(importlib.machinery.SourceFileLoader):
    code: CodeType

    def get_code(self, fullname: str) -> CodeType:
        return self.code
