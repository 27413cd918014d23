"""Each program of docs/findings.md prints what stands below it, on the versions that the page names."""

from __future__ import annotations

import re
from importlib import metadata

import pytest

from spec.errata import ERRATA
from tests.test_demo import script

with pytest.MonkeyPatch.context() as patch:
    TOOL = script("findings", patch)
FINDINGS = {finding.name: finding for finding in TOOL.findings()}
BY_MACHINE = {"X8", "X11"}  # say how fast it is, and what its processor has
OTHER = {name: v for name, v in TOOL.versions().items() if metadata.version(name) != v}


@pytest.mark.slow("starts a process for each finding")
@pytest.mark.skipif(bool(OTHER), reason=f"the page speaks of {OTHER}: run tools/findings, and rewrite it")
@pytest.mark.parametrize("name", sorted(set(FINDINGS) - BY_MACHINE))
def test_a_finding_is_still_there(name: str) -> None:
    if FINDINGS[name].lacks:
        pytest.skip(f"needs {', '.join(FINDINGS[name].lacks)}")
    assert TOOL.printed(FINDINGS[name].program) == FINDINGS[name].printed


def test_every_finding_has_a_program_or_says_that_it_needs_none() -> None:
    without = [
        title for name, title, body in TOOL.SECTION.findall(TOOL.PAGE.read_text()) if name not in FINDINGS
    ]
    assert without == ["A quantized type is read as a float by quantize"]
    assert len(FINDINGS) > 30


def test_every_finding_has_a_state_which_is_that_of_its_erratum() -> None:
    rows = {row.id: row.state.replace(": ", ", ") for row in ERRATA}
    for name, _, body in TOOL.SECTION.findall(TOOL.PAGE.read_text()):
        state, rest = re.match(r"\nState: ([^\n]*)\.\n\n(.*)", body, re.S).groups()
        assert re.fullmatch(r"not reported|reported, \S+ issues? \d+( and \d+)?|fixed in .+", state), name
        named = re.findall(r"issues? ([\d]+)", rest.partition("```")[0])
        assert all(number in state for number in named), name
        if name.startswith("S"):
            assert {rows[f"E{k}"] for k in re.findall(r"\bE(\d+)", rest)} == {state}, name


def test_a_program_is_shown_as_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TOOL._venv, "enter", lambda: None)
    assert TOOL.main(["--show", "S1"]) == 0
    program = capsys.readouterr().out
    assert program.startswith("# dequantize subtracts")
    assert TOOL.printed(program) == "-1\n"
    with pytest.raises(SystemExit, match="no finding Q7"):
        TOOL.main(["Q7"])


def test_a_finding_names_the_packages_that_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert FINDINGS["O2"].needs == ("torch", "torchao")
    assert FINDINGS["X1"].needs == ()
    other = FINDINGS["X1"]._replace(needs=("no_such_package",))
    assert TOOL.shown(other)
    assert capsys.readouterr().out == f"X1  needs no_such_package  {other.title}\n"


def test_an_ended_process_is_told() -> None:
    assert TOOL.printed("print(1, flush=True); import os; os.abort()") == "1\nended by SIGSEGV or SIGABRT\n"
    assert TOOL.printed("print(1, flush=True); import os; os.kill(os.getpid(), 8)") == "1\nended by SIGFPE\n"
    assert TOOL.printed("print(2); raise ValueError('x')") == "2\nValueError: x\n"
