"""Sessions of the pages: run the examples in README.md and docs/*.md, and compare what they print.

A page is one session, in a folder of its own beside `testdata`. Blocks marked `python` hold `>>>` lines,
blocks marked `console` hold `$ interp` commands, which promise exit status 0 or end in `# exit status N`.
Output that stands below a line must be what the line prints; `...` stands for any text, as in doctest.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from interp.__main__ import main

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.M | re.S)
COMMAND = re.compile(r"^\$ (.*?)(?:\s+# exit status (\d+))?\n((?:(?!\$ ).*\n)*)", re.M)
SHELL = re.compile(r"[|<>;&$*]")
FLAGS = doctest.ELLIPSIS
SECONDS = 300


class Outcome(NamedTuple):
    """One line of a session: the offsets of the output on the page, and the output that it has now."""

    source: str
    begin: int
    end: int
    got: str
    fine: bool


def outcomes(page: str) -> list[Outcome]:
    """Run the page's session and return what each of its lines printed."""
    globs: dict[str, Any] = {"__name__": "__main__"}
    found: list[Outcome] = []
    with _folder() as folder:
        for block in BLOCK.finditer(page):
            if block[1] == "console":
                found += _commands(block[2], block.start(2), folder)
            elif ">>>" in block[2]:
                found += _examples(block[2], block.start(2), globs)
    return found


def updated(page: str) -> str:
    """Return the page with the output of its session as it is now."""
    for outcome in reversed(outcomes(page)):
        if not outcome.fine:
            got = abridged(page[outcome.begin : outcome.end], outcome.got)
            page = page[: outcome.begin] + got + page[outcome.end :]
    return page


def abridged(expected: str, got: str) -> str:
    """Return the output with the `...` of the old one, where their neighbours are still there."""
    old, new = expected.splitlines(keepends=True), got.splitlines(keepends=True)
    for k, line in enumerate(old):
        if line == "...\n":
            begin = new.index(old[k - 1]) + 1 if k and old[k - 1] in new else 0
            end = (
                new.index(old[k + 1], begin) if old[k + 1 : k + 2] and old[k + 1] in new[begin:] else len(new)
            )
            if (begin or not k) and (end < len(new) or k == len(old) - 1):
                new[begin:end] = [line]
        elif "..." in line:
            alike = [
                n for n, text in enumerate(new) if doctest.OutputChecker().check_output(line, text, FLAGS)
            ]
            for n in alike[:1]:
                new[n] = line
    return "".join(new)


def described(page: Path) -> str:
    """Return, as text, the differences between the page and what its session prints."""
    text = page.read_text()
    wrong = [outcome for outcome in outcomes(text) if not outcome.fine]
    return "".join(
        f"{page.relative_to(ROOT)}:{text.count(chr(10), 0, o.begin)}: {o.source.strip()}\n"
        f"expected\n{text[o.begin : o.end]}got\n{o.got}"
        for o in wrong
    )


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """Yield a working folder with `testdata` in it, and a command `interp` beside it."""
    with tempfile.TemporaryDirectory() as name:
        work, bin = Path(name, "work"), Path(name, "bin")
        work.mkdir()
        bin.mkdir()
        (work / "testdata").symlink_to(ROOT / "testdata")
        (bin / "python").symlink_to(sys.executable)
        (bin / "interp").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m interp "$@"\n')
        (bin / "interp").chmod(0o755)
        with contextlib.chdir(work):
            yield work


def _commands(text: str, start: int, folder: Path) -> Iterator[Outcome]:
    """Run the `$ interp` lines; other commands are shown, not run."""
    environment = {"PYTHONPATH": str(ROOT), "COLUMNS": "100", "NO_COLOR": "1"}
    environment["PATH"] = f"{folder.parent / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for line in COMMAND.finditer(text):
        command, status, expected = line[1], int(line[2] or 0), line[3]
        if not command.startswith("interp "):
            continue
        with mock.patch.dict(os.environ, environment):
            returned, printed = (_by_shell if SHELL.search(command) else _in_process)(command)
        got = re.sub(r"[ \t]+$", "", printed, flags=re.M)
        fine = not expected.strip() or doctest.OutputChecker().check_output(expected, got, FLAGS)
        if returned != status:
            fine, got = False, f"{got}(exit status {returned}, promised {status})\n"
        yield Outcome(command, start + line.start(3), start + line.end(3), got, fine)


def _by_shell(command: str) -> tuple[int, str]:
    """Return a command's exit status and what it printed, run by a shell."""
    run = subprocess.run(
        command,
        shell=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
    )
    return run.returncode, run.stdout


def _in_process(command: str) -> tuple[int, str]:
    """Return the same without a shell and a start of Python, which takes longer than most commands."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        status = main(shlex.split(command)[1:])
    return status, printed.getvalue()


class _Runner(doctest.DocTestRunner):
    """Runner that keeps what each example prints."""

    def __init__(self, text: str, start: int) -> None:
        super().__init__(optionflags=FLAGS, verbose=False)
        lengths = [len(line) for line in text.splitlines(keepends=True)]
        self.offsets = [start + sum(lengths[:n]) for n in range(len(lengths) + 1)]
        self.found: list[Outcome] = []

    def report_start(self, out: Any, test: Any, example: doctest.Example) -> None:
        pass

    def report_success(self, out: Any, test: Any, example: doctest.Example, got: str) -> None:
        self._keep(example, got, True)

    def report_failure(self, out: Any, test: Any, example: doctest.Example, got: str) -> None:
        self._keep(example, got, False)

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        error = "".join(traceback.format_exception_only(*exc_info[:2]))
        self._keep(example, f"Traceback (most recent call last):\n    ...\n{error}", False)

    def _keep(self, example: doctest.Example, got: str, fine: bool) -> None:
        first = example.lineno + example.source.count("\n")
        begin, end = self.offsets[first], self.offsets[first + example.want.count("\n")]
        got = re.sub(r"^$\n", "<BLANKLINE>\n", got, flags=re.M)
        self.found.append(Outcome(example.source, begin, end, got, fine))


def _examples(text: str, start: int, globs: dict[str, Any]) -> list[Outcome]:
    """Run a block of `>>>` lines; `globs` are the names of the session."""
    test = doctest.DocTestParser().get_doctest(text, globs, "session", None, 0)
    runner = _Runner(text, start)
    runner.run(test, out=lambda _: None, clear_globs=False)
    globs.update(test.globs)
    return runner.found
