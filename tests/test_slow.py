"""`--quick` leaves out the tests marked slow, lists them, and draws less; a run without any test fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
SOME = """
import pytest

@pytest.mark.slow("waits for paint")
@pytest.mark.parametrize("k", range(3))
def test_slow(k): pass

@pytest.mark.slow("alike", rows=2)
@pytest.mark.parametrize("k", range(5))
def test_rows(k): pass

def test_fast(): pass
"""
DRAWN = """
from hypothesis import given, settings, strategies as st

@settings(max_examples=9)
@given(st.integers())
def test_drawn(n): print("drawn" if n < 2**200 else "", end=" ")
"""
REASONLESS = "import pytest\n\n@pytest.mark.slow\ndef test_slow(): pass\n"
RUNS = """
import pytest
for arguments in (
    "--quick -s test_drawn.py", "--quick test_some.py", "--quick test_some.py::test_slow", "test_some.py",
    "test_bare.py",
):
    print(f"ended with {int(pytest.main(['-q', '-rs', '-p', 'no:cacheprovider', *arguments.split()]))}.")
"""


def test_slow_tests_are_left_out_and_listed_and_half_the_examples_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_bytes((TESTS / "conftest.py").read_bytes())
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow(reason): long\n")
    (tmp_path / "test_some.py").write_text(SOME)
    (tmp_path / "test_drawn.py").write_text(DRAWN)
    (tmp_path / "test_bare.py").write_text(REASONLESS)
    command = [sys.executable, "-c", RUNS]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    drawn, quick, none, every, bare = ran.stdout.split("ended with ")[:5]
    assert drawn.count("drawn") == 5, "half of 9"
    assert "3 passed, 6 skipped" in quick
    assert "6 slow tests are left out: tools/test --all runs them, too" in quick
    assert "SKIPPED [3] test_some.py:4: slow (waits for paint): tools/test --all runs it" in quick
    assert "SKIPPED [3] test_some.py:8: slow (alike): tools/test --all runs it" in quick
    assert none.startswith("0.")
    assert "3 skipped" in none
    assert every.startswith("5."), "no test ran"
    assert "9 passed" in every
    assert bare.startswith("0.")
    assert ran.stdout.rstrip().endswith("ended with 4.")
    assert "expected a reason, as in @pytest.mark.slow('compiles')" in ran.stderr
