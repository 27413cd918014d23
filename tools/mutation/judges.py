"""Files whose answers no result of `run` shows, such as bounds and proofs: the tests that have to notice
their mutants, and which of these tests execute which lines.

A mutant is tried on the tests that execute its line, the quickest test file first. The lines of a test are
measured once, without the tests marked slow, and kept below `build/` until a test or a judged file changes.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
from collections.abc import Iterator, Sequence
from functools import lru_cache
from inspect import CO_OPTIMIZED
from itertools import accumulate
from multiprocessing import get_context
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from mutation.lines import Line, executed, lines_of
from mutation.operators import ROOT, Mutant

PROVE = "test_judgement", "test_prov*", "test_contracted*", "test_unused", "test_premises"
BOUND = (
    "test_bound",
    "test_error_bound_rules",
    "test_as_written",
    "test_fact*",
    "test_budget_by_hand",
    "test_witness",
)
COMPARE = "test_tails", "test_sqnr", "test_compare", "test_pairs", "test_survey"
TESTS = {
    "interp/theory/*.py": ("test_theory*", "test_quantized_theorems", "test_verdicts", "test_bound*", *PROVE),
    "interp/questions/permitted/*.py": (
        "test_permit*",
        "test_any_order",
        "test_reasons",
        "test_readings",
        "test_scatter",
        "test_span*",
    ),
    "interp/questions/proving/*.py": PROVE,
    "interp/engine/storage.py": ("test_clipping", *BOUND, "test_severity", "test_statistics"),
    "interp/engine/work.py": ("test_work", "test_permits", "test_verdicts"),
    "interp/execute/unused.py": ("test_unused", "test_calling", "test_callbacks"),
    "interp/comparison/witness.py": (*BOUND, "test_compare", "test_sweep"),
    "interp/comparison/comparison.py": COMPARE,
    "interp/comparison/tails.py": COMPARE,
    "interp/comparison/matching.py": COMPARE,
    "interp/comparison/error_bound*.py": (*BOUND, "test_compare", "test_pairs"),
    "interp/rewrite/float_reference.py": (*BOUND, *COMPARE, "test_module_reference"),
    "interp/rewrite/fewer_samples.py": ("test_sample_axis", "test_fewer_samples"),
}
FORK = get_context("fork")
# Rewriting assertions, pytest would read our modules, which have a plugin of it, from their files: unmutated.
PYTEST = "-x", "-q", "-p", "no:cacheprovider", "--assert=plain"
CPU_SECONDS = 120.0  # of one mutant's tests, as measured (traced, which takes twice as long), at most


class Test(NamedTuple):
    """`name`: pytest's, from the root of the repository; `lines`: those of judged files that it executes."""

    name: str
    seconds: float
    lines: frozenset[Line]


def judged() -> list[str]:
    """Return the files of `TESTS`, as paths in the repository."""
    return sorted({str(path.relative_to(ROOT)) for pattern in TESTS for path in ROOT.glob(pattern)})


def killers(mutant: Mutant) -> list[Test]:
    """Return the tests that execute a mutant's line; those of its file if an import executes it."""
    tests = [test for file in _test_files(mutant.file) for test in _measured(file)]
    lines, imported = lines_of(mutant), _import_lines(mutant.file)
    if lines & imported:  # by whichever test was the first
        return [test for test in tests if any(line[0] == mutant.file for line in test.lines - imported)]
    return [test for test in tests if lines & test.lines]


@lru_cache(None)
def _import_lines(file: str) -> frozenset[Line]:
    """Return the lines that importing a file executes: of the module, classes and heads of functions."""
    todo, lines = [compile((ROOT / file).read_bytes(), file, "exec")], set()
    while todo:
        code = todo.pop()
        lines |= {(file, line) for _, _, line in code.co_lines() if line}
        inner = (x for x in code.co_consts if isinstance(x, CodeType))
        todo += [x for x in inner if not x.co_flags & CO_OPTIMIZED]
    return frozenset(lines)


def groups(tests: Sequence[Test]) -> Iterator[list[str]]:
    """Yield the names of tests by test file, the quickest file first; each has its part of the time left."""
    files: dict[str, list[Test]] = {}
    for test in sorted(tests, key=lambda test: test.seconds):
        files.setdefault(test.name.partition("::")[0], []).append(test)
    order, left = sorted(files.values(), key=lambda group: sum(test.seconds for test in group)), CPU_SECONDS
    for k, group in enumerate(order):
        sums = list(accumulate(test.seconds for test in group))
        count = sum(spent <= left / (len(order) - k) for spent in sums)
        left -= sums[count - 1] if count else 0.0
        yield [test.name for test in group[:count]]


def fail(names: Sequence[str]) -> bool:
    """Return whether any of these tests fails in this process."""
    import pytest

    os.chdir(ROOT)
    return pytest.main([*PYTEST, "--quick", *names]) != 0


def measure(files: Sequence[str]) -> None:
    """Measure what has not been measured of the tests of these judged files."""
    for test_file in sorted({test for file in files for test in _test_files(file)}):
        _measured(test_file)


def _test_files(file: str) -> list[Path]:
    from fnmatch import fnmatch

    globs = [glob for pattern, globs in TESTS.items() if fnmatch(file, pattern) for glob in globs]
    return sorted({path for glob in globs for path in (ROOT / "tests").glob(f"{glob}.py")})


@lru_cache(None)
def _measured(test_file: Path) -> tuple[Test, ...]:
    record = ROOT / "build" / f"lines-{test_file.stem}-{_digest(test_file)}.pickle"
    if not record.exists():
        process = FORK.Process(target=_record, args=(test_file, record))
        process.start()
        process.join()
        if process.exitcode:
            raise SystemExit(f"{test_file.name}: fails without any mutation")
    return pickle.loads(record.read_bytes())


def _digest(test_file: Path) -> str:
    digest = hashlib.sha256(test_file.read_bytes())
    for file in judged():
        digest.update(file.encode() + (ROOT / file).read_bytes())
    return digest.hexdigest()[:16]


def _record(test_file: Path, record: Path) -> None:
    """Run one test file in this process, and write the lines of each test."""
    import pytest

    from mutation.trial import forget

    forget()
    recorder, nowhere = _Recorder(judged()), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.chdir(ROOT)
    name = str(test_file.relative_to(ROOT))
    arguments = ["-q", "-p", "no:cacheprovider", "--quick", name]
    status = pytest.main(arguments, plugins=[recorder])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        os._exit(1)
    files = importlib.import_module("interp.engine.files")
    record.parent.mkdir(exist_ok=True)
    files.write_bytes(record, pickle.dumps(tuple(recorder.tests)))
    os._exit(0)


class _Recorder:
    """Plugin of pytest that notes the lines of each test, fixtures included."""

    def __init__(self, files: list[str]) -> None:
        self.files = files
        self.lines: dict[str, set[Line]] = {}
        self.seconds: dict[str, float] = {}

    @property
    def tests(self) -> list[Test]:
        return [Test(name, self.seconds[name], frozenset(lines)) for name, lines in self.lines.items()]

    def pytest_runtest_protocol(self, item: Any, nextitem: Any) -> bool:
        """Run the test here, so that nothing else is traced."""
        import time

        from _pytest.runner import runtestprotocol

        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        start = time.process_time()
        lines = executed(lambda: runtestprotocol(item, nextitem=nextitem), self.files)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        self.seconds[item.nodeid] = time.process_time() - start
        self.lines.setdefault(item.nodeid, set()).update(lines)
        return True
