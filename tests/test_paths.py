"""Paths that users import: every one in the documentation, each the same object as where it lives now."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import interp
from tests.library.children.every_verb import CALLS

ROOT = Path(__file__).resolve().parent.parent
FACES = ("quantization", "onnx", "model_explorer")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
WRITTEN = re.compile(r"(?<![\w./@%!-])(?:interp|spec)(?:\.[A-Za-z_]\w*)+")  # `interp.onnx.write`
IMPORTED = re.compile(r"\bfrom ((?:interp|spec)[\w.]*) import (\w+(?:, \w+)*)")
ATTRIBUTES = {"interp.defaults", "interp.fault", "interp.float", "interp.requantize", "interp.scaled_dot"}
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for face in FACES
    for path in (ROOT / "interp" / face).glob("*.py")
    if path.stem not in ("__init__", "main")
)


def resolve(path: str) -> object:
    """Return what a dotted path names: modules as far as they go, then attributes."""
    parts = path.split(".")
    named = import_module(parts[0])
    for k, part in enumerate(parts[1:], 2):
        if not hasattr(named, part):
            import_module(".".join(parts[:k]))
        named = getattr(named, part)
    return named


def paths_of(page: str) -> set[str]:
    """Return the paths that a page names, and those of the names that it imports."""
    imported = {f"{module}.{name}" for module, names in IMPORTED.findall(page) for name in names.split(", ")}
    return imported | set(WRITTEN.findall(page))


def test_every_path_in_the_documentation_names_something() -> None:
    paths = {path for page in PAGES for path in paths_of(page.read_text())}
    assert {
        "interp.quantization.calibrate.calibrate",
        "interp.onnx.quantize_linear",
        "interp.trace",
        "spec.accumulation.Accumulation",
        "interp.jax.fake_quant",
    } <= paths
    for path in sorted(paths - ATTRIBUTES):
        resolve(path)


@pytest.mark.parametrize("name", MODULES)
def test_the_old_path_and_the_new_one_give_the_same_object(name: str) -> None:
    home = import_module(name.replace("interp.", "interp.apps.", 1))
    public = [
        n
        for n, x in vars(home).items()
        if not n.startswith("_") and getattr(x, "__module__", "") in (home.__name__, name)
    ]
    assert public
    for each in public:
        assert getattr(import_module(name), each) is getattr(home, each)


@pytest.mark.parametrize("name", FACES)
def test_a_package_and_its_app_give_the_same_objects(name: str) -> None:
    face, app = import_module(f"interp.{name}"), import_module(f"interp.apps.{name}")
    for public in getattr(face, "__all__", ()):
        assert getattr(face, public) is getattr(app, public)


def test_every_public_name_is_the_object_of_its_home() -> None:
    assert {*interp.HOMES, *interp.VERBS} == {*interp.__all__} - {"errata", "schedules"}
    for name, home in interp.HOMES.items():
        assert getattr(interp, name) is getattr(import_module(home), name), name
    for name, home in interp.VERBS.items():
        assert getattr(interp, name).__wrapped__ is getattr(import_module(home), name), name


def test_no_module_shadows_a_verb() -> None:
    """Every module is imported first; a folder named like a verb would take its place."""
    code = """
import interp
from tests.library.children.every_verb import import_all
import_all()
assert [name for name in interp.__all__ if type(getattr(interp, name)).__name__ == "module"] == ["schedules"]
assert all(callable(getattr(interp, name)) for name in interp.VERBS)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)


def test_every_verb_has_a_call() -> None:
    assert {*CALLS} == {name for name in interp.__all__ if name.islower()} - {"errata", "schedules"}


@pytest.mark.slow("XLA, a suite and a search in one process")
def test_every_verb_answers_after_every_module_is_imported() -> None:
    command = [sys.executable, "-m", "tests.library.children.every_verb"]
    child = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert child.stdout.split() == [*CALLS], child.stderr
