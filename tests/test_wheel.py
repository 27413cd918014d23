"""The wheel has all that the commands need: installed elsewhere, they work from any folder."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import interp
from tests.test_demo import script

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ("interp", "spec", "testdata", "pyproject.toml", "README.md", "LICENSE")
OLDEST = 77  # of setuptools: see pyproject.toml


pytestmark = pytest.mark.slow("builds and installs a wheel")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built without a network, from a copy of what a checkout has."""
    if importlib.util.find_spec("setuptools") is None or importlib.util.find_spec("pip") is None:
        pytest.skip("building a wheel needs setuptools and pip: pip install 'stablehlo-interp[test]'")
    if int(metadata.version("setuptools").partition(".")[0]) < OLDEST:
        pytest.skip(f"building a wheel needs setuptools {OLDEST}: pip install 'stablehlo-interp[test]'")
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=ignored)
        else:
            shutil.copy(ROOT / name, source)
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(out)]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(source)], check=True)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the wheel is installed in."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--no-deps", "--no-index", "--target", str(folder)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(wheel)], check=True)
    return folder


def run(site: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, "PYTHONPATH": str(site)},
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_has_the_cases_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    cases = {name.removeprefix("interp/apps/suite/") for name in names if name.endswith(".mlir")}
    wanted = {str(path.relative_to(ROOT)) for path in (ROOT / "testdata").glob("*/*.mlir")}
    assert cases == {name for name in wanted if not name.startswith("testdata/programs/")}
    assert "interp/py.typed" in names
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {
        *("interp", "spec", "stablehlo_interp")
    }


def test_commands_work_from_an_empty_folder(site: Path, tmp_path: Path) -> None:
    where = run(site, tmp_path, "-c", "import interp, spec; print(interp.__file__, spec.__file__)")
    assert where.stdout.split() == [str(site / "interp/__init__.py"), str(site / "spec/__init__.py")]
    assert run(site, tmp_path, "-m", "interp", "--version").stdout == f"interp {interp.__version__}\n"
    for implementation in ("numpy", "oracle"):
        words = ["conformance", "--impl", implementation, "--filter", "reduce/c5", "--filter", "sum_of_co"]
        found = run(site, tmp_path, "-m", "interp", *words)
        assert (found.returncode, found.stderr) == (0, "")
        assert found.stdout.rstrip().endswith("cases conform")
        assert f"{implementation}: 0 of" not in found.stdout


def test_a_report_has_its_scripts_and_styles(site: Path, tmp_path: Path) -> None:
    shutil.copy(ROOT / "testdata/programs/saturating_sum.mlir", tmp_path)
    words = ["trace", "saturating_sum.mlir", "--random", "7", "--html", "page.html"]
    found = run(site, tmp_path, "-m", "interp", *words)
    assert (found.returncode, found.stderr) == (0, "")
    assert "<script" in (tmp_path / "page.html").read_text()


def test_the_project_says_where_it_lives(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
    text = archive.read(name).decode()
    for label in ("Source", "Issues", "Changelog", "Documentation"):
        assert f"Project-URL: {label}, https://github.com/stablehlo-interp/stablehlo-interp" in text


def test_the_release_has_what_is_listed_and_its_heading(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = script("release", monkeypatch)
    names, metadata = tool.wheel_names(wheel), tool.read_metadata(wheel)
    of_wheel = lambda names: [x for x in tool.faults_of_contents(names, ()) if x.startswith("wheel: ")]
    assert of_wheel(names) == []
    assert of_wheel([*names, "interp/notes.txt"]) == ["wheel: interp/notes.txt is not in release.txt"]
    assert of_wheel([x for x in names if x != "interp/py.typed"]) == [
        r"wheel: nothing matches interp/py\.typed"
    ]
    assert tool.faults_of_metadata(metadata, "Unreleased") == []
    (fault,) = tool.faults_of_metadata({**metadata, "Summary": ""}, "Unreleased")
    assert fault == "metadata: Summary is missing"
    (fault,) = tool.faults_of_metadata(metadata, "9.9.9")
    assert fault.startswith("CHANGELOG.md has no heading `## 9.9.9`")
