"""The coverage table of docs/coverage.md is what the code covers."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

import interp

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def coverage() -> ModuleType:
    found = importlib.util.spec_from_file_location("coverage_table", ROOT / "tools" / "operations.py")
    assert found
    assert found.loader
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_every_op_is_in_the_oracle_and_in_the_engine(coverage: ModuleType) -> None:
    assert set(coverage.MEANINGS) == set(coverage.KERNELS)


def test_what_compile_refuses_is_not_called_compiled(coverage: ModuleType) -> None:
    program = interp.load("testdata/parallel/infeed_outfeed.mlir")
    with pytest.raises(interp.Unsupported, match=r"\w+ under jit"):
        interp.compile(program)
    assert coverage.row("stablehlo.infeed")[2:] == ("yes", "yes", "no")
    assert coverage.row("sdy.manual_computation")[4] == "equal"
    assert coverage.row("stablehlo.all_gather")[4] == "equal, as one process or in sdy.manual_computation"
    assert coverage.row("stablehlo.collective_reduce")[4] == "equal, as one process"


def test_a_missing_kernel_shows(coverage: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "stablehlo.reduce"
    assert coverage.row(name)[2:] == ("yes", "yes", "equal")
    monkeypatch.delitem(coverage.KERNELS, name)
    assert coverage.row(name)[2:] == ("yes", "no", "no")
    assert f"| `{name}` | {len(coverage.CONSTRAINTS[name])} | yes | no | no |" in coverage.table()
