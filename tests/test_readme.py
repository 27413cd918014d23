"""Every line of the README: its session, its commands, its tables."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import interp.engine.tensor
import spec.errors
from interp.suite.conformance import VERDICTS, conformance
from spec.types import quantized

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
SESSION = "\n".join(re.findall(r"```python\n(.*?)```", README, re.S))
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.S)
COMMANDS = [line.removeprefix("$ ") for block in BLOCKS for line in block.splitlines()]
EXIT_STATUS = {"interp verify testdata/reduce": 1}


@pytest.mark.slow
def test_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every `>>>` line, in order, in one session, prints exactly what stands below it."""
    monkeypatch.chdir(ROOT)
    test = doctest.DocTestParser().get_doctest(SESSION, {}, "README", "README.md", 0)
    assert len(test.examples) > 20
    results = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert results.failed == 0


@pytest.mark.parametrize("module", [spec.errors, interp.engine.tensor], ids=lambda module: module.__name__)
def test_examples_in_docstrings(module: ModuleType) -> None:
    results = doctest.testmod(module, extraglobs={"quantized": quantized})
    assert results.attempted
    assert not results.failed


@pytest.mark.parametrize("command", [c for c in COMMANDS if c.startswith("interp ")])
def test_commands(command: str, tmp_path: Path) -> None:
    """Every `$ interp` line ends with the exit status that the text around it promises."""
    (tmp_path / "testdata").symlink_to(ROOT / "testdata")
    run = subprocess.run(
        [sys.executable, "-m", *command.split()],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    expected = next((status for start, status in EXIT_STATUS.items() if command.startswith(start)), 0)
    assert run.returncode == expected, run.stderr
    assert run.stdout


def test_tables_are_what_the_tool_prints() -> None:
    """`tools/tables.py --check`: coverage, errata and agreement between the README's markers."""
    command = [sys.executable, "tools/tables.py", "--check"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_the_conformance_table_is_what_the_command_finds() -> None:
    """Ours; the others take minutes: `tools/tables.py --conformance --check`."""
    report = conformance("numpy")
    conforming = sum(outcome.conforms for outcome in report.outcomes)
    assert conforming == len(report.outcomes)
    row = next(line for line in README.splitlines() if line.startswith("| `numpy` |"))
    counts = [cell.strip() for cell in row.split("|")[2:-1]]
    assert counts == [*(str(report.counts()[v] or "") for v in VERDICTS), f"{conforming} of {conforming}"]
