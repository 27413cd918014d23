"""Paths that users import: every one in the documentation, each the same object as where it lives now."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import interp

ROOT = Path(__file__).resolve().parent.parent
FACES = ("quantization", "onnx", "model_explorer")
PAGES = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
WRITTEN = re.compile(rf"\binterp\.(?:{'|'.join((*FACES, 'jax'))})(?:\.\w+)*")
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for face in FACES
    for path in (ROOT / "interp" / face).glob("*.py")
    if path.stem not in ("__init__", "main")
)


def resolve(path: str) -> object:
    """Return what a dotted path names: modules as far as they go, then attributes."""
    parts, found = path.split("."), interp
    for k, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            import_module(".".join(parts[:k]))
        found = getattr(found, part)
    return found


def test_every_path_in_the_documentation_names_something() -> None:
    paths = {match for page in PAGES for match in WRITTEN.findall(page.read_text())}
    assert {"interp.quantization.calibrate", "interp.onnx.quantize_linear"} <= paths
    for path in sorted(paths):
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


def test_no_module_shadows_a_verb() -> None:
    """Every module is imported first; a folder named like a verb would take its place."""
    code = """
import importlib, pathlib, interp
for path in sorted(pathlib.Path(interp.__file__).parent.rglob("*.py")):
    name = ".".join(path.relative_to(pathlib.Path(interp.__file__).parent.parent).with_suffix("").parts)
    try: importlib.import_module(name.removesuffix(".__init__"))
    except Exception: pass  # a library that is not installed
assert [name for name in interp.__all__ if type(getattr(interp, name)).__name__ == "module"] == ["schedules"]
assert all(callable(getattr(interp, name)) for name in interp.VERBS)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
