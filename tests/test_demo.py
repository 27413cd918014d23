"""The demo runs to the end on the repository's own inputs, and the environment is not set up twice."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import io
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from rich.console import Console

TOOLS = Path(__file__).resolve().parent.parent / "tools"


def script(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(TOOLS))
    loader = importlib.machinery.SourceFileLoader(f"tool_{name}", str(TOOLS / name))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.slow("runs the demo")
def test_the_demo_runs_on_its_own_inputs(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    assert script("demo", monkeypatch).small_programs(Console(file=screen, width=200))
    text = screen.getvalue()
    for program in TOOLS.parent.glob("testdata/programs/*.current.mlirbc"):
        assert program.name.split(".")[0] in text
    assert "reduce %0: saturate x 55" in text
    assert "FAILS" not in text


def test_versions_of_the_documentation_are_built_once_and_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A build that fails leaves nothing behind, so that it can be repeated."""
    tool, statuses = script("docs", monkeypatch), iter([0, 1, 0, 0])

    def build(pages: Path) -> int:
        pages.mkdir(parents=True)
        (pages / "index.html").touch()
        return next(statuses)

    monkeypatch.setattr(tool, "build", build)
    assert [tool.build_version(x, tmp_path) for x in ("0.9.0", "0.10.0", "0.10.0", "0.10.0rc1")] == [
        0,
        1,
        0,
        0,
    ]
    assert tool.build_version("0.9.0", tmp_path) == 2
    assert capsys.readouterr().out.endswith("is there: the pages of a release are built once\n")
    page = (tmp_path / "versions.html").read_text()
    links = ["0.10.0", "0.10.0rc1", "0.9.0"]
    assert re.findall('<a href="(.*?)/index.html">', page) == links


def test_the_environment_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = script("_venv.py", monkeypatch)
    commands: list[list[str]] = []
    for name, path in {"ROOT": ".", "HOME": ".venv", "PIP": ".venv/bin/pip", "STAMP": ".venv/stamp"}.items():
        monkeypatch.setattr(tool, name, tmp_path / path)
    monkeypatch.setattr(tool.venv, "create", lambda home, with_pip: (home / "bin").mkdir(parents=True))
    monkeypatch.setattr(tool.subprocess, "run", lambda command, check: commands.append(command))
    (tmp_path / "pyproject.toml").write_text("one")
    assert tool.install()
    tool.PIP.touch()
    assert not tool.install()
    (tmp_path / "pyproject.toml").write_text("two")
    assert tool.install()
    assert len(commands) == 2
    assert commands[0][-1] == f"{tmp_path}[test,lint,docs]"


def test_a_linked_environment_is_not_installed_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = script("_venv.py", monkeypatch)
    (tmp_path / "other").mkdir()
    (tmp_path / ".venv").symlink_to("other")
    monkeypatch.setattr(tool, "HOME", tmp_path / ".venv")
    monkeypatch.setattr(tool.subprocess, "run", lambda *_, **__: pytest.fail("installs"))
    assert not tool.install()
    monkeypatch.setenv("PYTHONPATH", "before")
    monkeypatch.setattr(tool.os, "execv", lambda *_: None)
    tool.enter()
    assert tool.os.environ["PYTHONPATH"].split(tool.os.pathsep) == [str(tool.ROOT), "before"]


def test_an_old_python_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    tool = script("_venv.py", monkeypatch)
    monkeypatch.setattr(sys, "version_info", (3, 10, 0))
    with pytest.raises(SystemExit, match=r"needs Python 3\.11"):
        tool.enter()
