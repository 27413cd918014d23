"""Applications may be deleted: the core works without all of them, and each is missed by nobody else."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_layers import APPS

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "testdata/programs/overflowing_pool.mlir"
CORE = f"""
import interp
m = interp.load({str(PROGRAM)!r})
x = __import__("numpy").full(m.main.inputs[0].type.shape, 100, "int8")
rest = [__import__("numpy").int8(3) for _ in m.main.inputs[1:]]
assert interp.verify(m) == []
interp.run(m, x, *rest)
t = interp.trace(m, x, *rest)
assert t.events
t.summary(), t.bounds(), t.verdict(), interp.lint(m), interp.prove(m), interp.compare(m, x, *rest)
assert interp.permits(m, [x, *rest], interp.run(m, x, *rest)).ok
from interp.__main__ import main
assert main(["show", {str(PROGRAM)!r}]) == 0
assert main(["run", {str(PROGRAM)!r}, "--random", "1"]) == 0
"""
# A public name of each app, and one that says what is missing.
NAMES = {
    "blaming": "blame",
    "diagnosing": "diagnose",
    "judging": "judge",
    "quantization": "quantize",
    "revealing": "reveal",
    "suite": "conformance",
    "surveys": "survey",
}


def without(tmp_path: Path, *apps: str) -> Path:
    """Return a folder with a copy of the packages, compiled, in which these applications are missing."""
    for package in ("spec", "interp"):
        ignored = shutil.ignore_patterns("*.pyc.*", "testdata")  # another process may be compiling
        shutil.copytree(ROOT / package, tmp_path / package, ignore=ignored)
    for app in apps:
        shutil.rmtree(tmp_path / "interp/apps" / app)
    return tmp_path


def run(place: Path, code: str) -> None:
    env = {**os.environ, "PYTHONPATH": str(place)}
    done = subprocess.run([sys.executable, "-c", code], cwd=place, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_core_works_without_any_application(tmp_path: Path) -> None:
    place = without(tmp_path, *APPS)
    missing = f"""
from spec.errors import Unsupported
for name in {sorted(NAMES.values())!r}:
    try: getattr(interp, name)
    except Unsupported as error: assert "this installation lacks" in str(error), error
    else: raise AssertionError(name)
try: t.report("page.html")
except Unsupported as error: assert "lacks reports" in str(error), error
else: raise AssertionError("report")
"""
    run(place, CORE + missing)


@pytest.mark.parametrize("app", APPS)
def test_an_application_is_missed_by_those_only_that_declare_it(app: str, tmp_path: Path) -> None:
    users = {app}
    for _ in APPS:
        users |= {name for name, others in APPS.items() if users & {*others}}
    names = [name for other, name in NAMES.items() if other not in users]
    run(without(tmp_path, app), f"import interp\nfor name in {names!r}: getattr(interp, name)")
