"""Exploration: new examples for the property tests, round after round; a plugin of pytest and its runner.

Each round is a run of pytest with a seed of its own, which is printed.
"""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
BLOB = re.compile(r"@reproduce_failure\(.*?\)(?=\s)", re.DOTALL)
FINE, FAILED, NO_TESTS = 0, 1, 5  # pytest's


def workers() -> int:
    """Return in how many processes pytest runs: one a processor, from two to four, which take 6 GB."""
    return min(max(os.cpu_count() or 2, 2), 4)


def explore(minutes: float, arguments: Sequence[str], root: Path) -> int:
    """Run rounds until the time is over; return 1 if a test failed. Failed tests are skipped afterwards."""
    until, failed, rounds = time.time() + 60 * minutes, set[str](), 0
    while time.time() < until:
        seed, rounds = secrets.randbelow(1 << 32), rounds + 1
        print(f"round {rounds}, seed {seed}", flush=True)
        found = root / f".explored-{os.getpid()}"
        status = subprocess.run(_pytest(seed, until, found, failed, arguments), cwd=root, env=_environment())
        failed |= _taken(found)
        if status.returncode == NO_TESTS and failed:
            break
        if status.returncode not in (FINE, FAILED):
            return 1
    print(f"{rounds} rounds, {len(failed)} tests failed", *sorted(failed), sep="\n  ")
    return 1 if failed else 0


def _pytest(
    seed: int, until: float, found: Path, failed: Iterable[str], arguments: Sequence[str]
) -> list[str]:
    profile = ["--hypothesis-profile", "explore", "--hypothesis-seed", str(seed)]
    plugin = ["-p", "exploring", "--until", str(until), "--found", str(found)]
    left_out = [f"--deselect={name}" for name in sorted(failed)]
    return [sys.executable, "-m", "pytest", "-n", str(workers()), *plugin, *profile, *left_out, *arguments]


def _environment() -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path}


def _taken(found: Path) -> set[str]:
    """Return the names of the tests that failed in a round."""
    if not found.exists():
        return set()
    names = set(found.read_text().splitlines())
    found.unlink()
    return names


# The plugin


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("explore")
    group.addoption("--until", type=float, help="skip tests after this time, in seconds since 1970")
    group.addoption("--found", type=Path, help="file for the names of tests that failed")


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Keep property tests."""
    kept = [item for item in items if draws(item.function)]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def draws(function: Any) -> bool:
    """Return whether a test is a property test, or a test that creates and calls one."""
    return hasattr(function, "hypothesis") or "given" in function.__code__.co_names


def pytest_runtest_setup(item: Any) -> None:
    import pytest

    if time.time() > item.config.getoption("--until"):
        pytest.skip("the time is over")


def pytest_terminal_summary(terminalreporter: Any, config: Any) -> None:
    """Print, for each failure, text to paste: the command with the seed, and the decorator for the test."""
    reports = terminalreporter.stats.get("failed", [])
    if hasattr(config, "workerinput") or not reports:
        return
    terminalreporter.section("again")
    for report in reports:
        seed = config.getoption("--hypothesis-seed")
        profile = f"--hypothesis-profile explore --hypothesis-seed {seed}"
        terminalreporter.write_line(f"tools/test '{report.nodeid}' {profile}")
        for blob in BLOB.findall(f"{report.longreprtext}\n"):
            terminalreporter.write_line(f"  or, above the test's @given: {blob}")
    with config.getoption("--found").open("a") as file:
        file.writelines(f"{report.nodeid}\n" for report in reports)
