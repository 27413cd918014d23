"""Property tests draw the same examples each time; `tools/test --explore` draws others, and says which."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "tools"))

import exploring  # noqa: E402

DRAWN = """
import hashlib, sys
import tests.conftest
{loaded}
from hypothesis import given, settings
from tests.library.strategies import indexing_programs, kernel_programs, op_programs, programs

digest = hashlib.sha256()
for strategy in (programs.PROGRAMS, indexing_programs.gathers(), op_programs.quantized_elementwise(),
                 op_programs.dots(), kernel_programs.specials()):
    @settings(max_examples=10)
    @given(strategy)
    def draw(program):
        digest.update(repr((program.module, [x.tolist() for x in program.args])).encode())
    draw()
print(digest.hexdigest())
"""
PLAIN = "import interp"
MORE = "import interp.questions.lint, interp.apps.suite.fuzz, tests.test_permits"


def test_draws_depend_neither_on_hashes_of_strings_nor_on_what_else_is_loaded() -> None:
    """Hypothesis draws numbers from the source of loaded modules, too, unless it is told not to."""
    started = [
        subprocess.Popen(
            [sys.executable, "-c", DRAWN.format(loaded=loaded)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed, loaded in (("1", PLAIN), ("2", MORE))
    ]
    first, second = (process.communicate()[0] for process in started)
    assert len(first.strip()) == 64
    assert first == second


def test_the_profile_holds_and_no_test_draws_otherwise() -> None:
    if settings.get_current_profile_name() == "explore":
        pytest.skip("the other profile")
    assert settings.default.derandomize
    assert settings.default.database is None
    assert settings.default.print_blob
    random = re.compile(r"derandomize|register_profile|load_profile|np\.random\.(?!default_rng\(|Generator)")
    unseeded = re.compile(
        r"default_rng\(\)|Random\(\)|(?<![\w.])random\.(random|randint|choice|shuffle|sample)\("
    )
    for path in sorted((ROOT / "tests").rglob("*.py")):
        if path.name not in ("conftest.py", Path(__file__).name):
            assert not [m[0] for p in (random, unseeded) for m in p.finditer(path.read_text())], path


FAILING = """
from hypothesis import given, settings, strategies as st

@settings(max_examples=200)
@given(st.integers(0, 1000))
def test_small(n):
    assert n < 990

def test_inside():
    @settings(max_examples=5)
    @given(st.booleans())
    def check(b):
        assert b is None
    check()

def test_no_property():
    assert False
"""


@pytest.mark.slow("starts processes")
def test_exploring_prints_what_to_paste(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "conftest.py").write_text((ROOT / "tests" / "conftest.py").read_text())
    (tmp_path / "test_it.py").write_text(FAILING)
    assert exploring.explore(5, ["-n", "0", "--no-header"], tmp_path) == 1
    said = capfd.readouterr().out
    assert "no_property" not in said
    seed = re.search(r"round 1, seed (\d+)", said)
    assert seed
    again = f"tools/test 'test_it.py::test_small' --hypothesis-profile explore --hypothesis-seed {seed[1]}"
    assert again in said
    blob = re.search(
        re.escape(again) + r"\n  or, above the test's @given: (@reproduce_failure\('.*', b'.*'\))", said
    )
    assert blob
    assert re.search(r"2 rounds, 2 tests failed\n  test_it.py::test_inside\n  test_it.py::test_small\n", said)
    pasted = FAILING.replace("@settings(max_examples=200)", f"@settings(max_examples=200)\n{blob[1]}")
    (tmp_path / "test_it.py").write_text("from hypothesis import reproduce_failure" + pasted)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py::test_small"]
    once = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert "assert 990 < 990" in once.stdout
