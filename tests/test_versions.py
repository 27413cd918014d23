"""The versions that pyproject.toml admits are those that tools/versions tests and docs/versions.md names."""

from __future__ import annotations

import re
import tomllib

import jaxlib
import pytest
from jaxlib.mlir import ir

from interp.loading import reader
from spec.errors import Unsupported
from tests.test_demo import TOOLS, script

ROOT = TOOLS.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
BOUNDS = dict(requirement.split(">=") for requirement in PROJECT["dependencies"])


def test_the_page_names_the_lower_bounds() -> None:
    """docs/versions.md has what `tools/versions` printed."""
    page = (ROOT / "docs/versions.md").read_text()
    oldest = next(line for line in page.splitlines() if line.startswith("oldest: "))
    for package in ("jax", "jaxlib", "numpy", "ml_dtypes"):
        assert re.search(rf"\b{package} {re.escape(BOUNDS[package])}\b", oldest), package
    assert re.search(rf"\bPython {re.escape(PROJECT['requires-python'].removeprefix('>='))}\b", oldest)


def test_the_oldest_versions_are_the_lower_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    pins = script("versions", monkeypatch).lower_bounds()
    assert sorted(pins) == sorted(f"{package}=={bound}" for package, bound in BOUNDS.items())


def test_versions_says_what_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each name once, failures counted; anything else is answered with the help."""
    tool = script("versions", monkeypatch)
    asked: list[str] = []
    monkeypatch.setattr(tool, "passes", lambda name, pins: asked.append(name) or name == "newest")
    assert tool.main([]) == 1
    assert tool.main(["newest"]) == 0
    assert asked == ["oldest", "newest", "newest"]
    with pytest.raises(SystemExit, match="tools/versions newest"):
        tool.main(["0.8"])


def test_a_jaxlib_without_quantized_types_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pass that loads the `quant` dialect is made to be missing."""
    monkeypatch.delattr(reader._stablehlo, "register_stablehlo_passes")
    with ir.Context() as context, pytest.raises(Unsupported) as caught:
        reader.load_dialects(context, checked=True)
    assert caught.value.verdict == f"jaxlib {jaxlib.__version__} cannot read quantized types"
    assert "docs/versions.md" in caught.value.evidence
