"""`interp completion`: scripts for shells, made of the parser's verbs and options."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interp.__main__ import main
from interp.command.options import verbs_of
from interp.command.status import complete_parser
from interp.command.verbs import SHELLS, VERBS

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def script(request: pytest.FixtureRequest, capsys: Captured) -> str:
    pytest.importorskip("shtab")
    assert main(["completion", request.param]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("script", SHELLS, indirect=True)
def test_verbs_and_options_are_completed(script: str) -> None:
    for verb in VERBS:
        assert verb in script
    for option in ("accumulator", "quantize-inputs", "in-schedule", "csv"):
        assert option in script


@pytest.mark.parametrize(("script", "shell"), [(x, x) for x in SHELLS], indirect=["script"])
def test_the_shell_accepts_the_script(script: str, shell: str, tmp_path: Path) -> None:
    if not (program := shutil.which(shell)):
        pytest.skip(f"{shell} is not installed")
    path = tmp_path / "interp"
    path.write_text(script)
    assert subprocess.run([program, "-n", str(path)], check=False).returncode == 0


@pytest.mark.parametrize("script", ["bash"], indirect=True)
def test_bash_completes(script: str, tmp_path: Path) -> None:
    """The words that bash offers after `interp ver` and `interp bounds m.mlir --quant`."""
    path = tmp_path / "interp"
    path.write_text(script)

    def offered(*words: str) -> list[str]:
        line = f"COMP_WORDS=({' '.join(map(repr, words))}); COMP_CWORD={len(words) - 1}; COMP_TYPE=9"
        function = '$(complete -p interp | sed "s/.*-F \\([^ ]*\\).*/\\1/")'
        command = f"source {path}; {line}; {function} interp {words[-1]} {words[-2]}; echo ${{COMPREPLY[@]}}"
        ran = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        return ran.stdout.split()

    assert set(offered("interp", "ver")) == {"verify", "verdict"}
    assert offered("interp", "bounds", "m.mlir", "--quant") == ["--quantize-inputs"]


def test_every_verb_has_its_options() -> None:
    """The parser that is completed has what `interp VERB --help` shows."""
    for name, verb in verbs_of(complete_parser()).items():
        names = {word for action in verb._actions for word in action.option_strings}
        assert ("--csv" in names) == VERBS[name].has_data


def test_shtab_is_an_extra(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    assert "pip install 'stablehlo-interp[completion]'" in capsys.readouterr().err
