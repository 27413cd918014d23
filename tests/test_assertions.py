"""`interp.testing`: assertions, their messages, and the plugin in pytest processes of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import traceback
import unittest
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import interp
from interp.testing import assert_close_to_float, assert_permitted

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parent.parent
# Products of i8, added up in i32, in steps of 1/4.
DOT = """!x = tensor<3x64x!quant.uniform<i8:f32, 0.5:3>>
!w = tensor<64x5x!quant.uniform<i8:f32, 0.5>>
!y = tensor<3x5x!quant.uniform<i32:f32, 0.25>>
func.func @main(%x: !x, %w: !w) -> !y {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (!x, !w) -> !y
  return %0 : !y
}"""
SUM = """func.func @main(%x: tensor<2x6xf32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<2x6xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}"""
# A sum of i8 that saturates at 127.
NARROW = """!q = tensor<4x!quant.uniform<i8:f32, 1.0>>
func.func @main(%x: !q, %y: !q) -> !q {
  %0 = stablehlo.add %x, %y : !q
  return %0 : !q
}"""


def two_sums(x: Any) -> Any:
    return jnp.sum(x, axis=1) * jnp.sum(x, axis=0)


def operands() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.integers(-128, 128, (3, 64)).astype("i1"), rng.integers(-128, 128, (64, 5)).astype("i1")


def device(x: Any, w: Any) -> np.ndarray:
    return (np.asarray(x).astype("i4") - 3) @ np.asarray(w).astype("i4")


def in_16_bits(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """A device whose accumulator has 16 bits and saturates, one leaf after the other."""
    total = np.zeros((3, 5), "i8")
    for k in range(64):
        total = np.clip(total + np.outer(x[:, k].astype(int) - 3, w[k].astype(int)), -(2**15), 2**15 - 1)
    return total.astype("i4")


def failure(check: Any, *args: Any, **options: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check(*args, **options)
    return str(caught.value)


def test_an_implementation_or_its_results_are_permitted() -> None:
    x, w = operands()
    for got in (device, device(x, w), [device(x, w)], (device(x, w),), jnp.asarray(device(x, w))):
        assert assert_permitted(DOT, x, w, got=got).counts == {"exact": 15}


def test_a_failure_says_verdict_worst_element_both_numbers_cause_and_reproduction(tmp_path: Path) -> None:
    x, w = operands()
    expected, wrong = device(x, w), in_16_bits(x, w)
    lines = failure(assert_permitted, DOT, x, w, got=in_16_bits, save=tmp_path).splitlines()
    differing = int((expected != wrong).sum())
    at = np.unravel_index(np.abs(expected - wrong).argmax(), wrong.shape)
    assert lines[0].startswith(f"not permitted: {differing} of 15 elements are given by no schedule")
    numbers = (
        f"got {wrong[at]} ({wrong[at] / 4:.6g}), schedule left gives {expected[at]} ({expected[at] / 4:.6g})"
    )
    assert lines[1] == f"worst: result 0{list(map(int, at))}: {numbers}"
    assert lines[2].startswith("bound: ")
    assert any("explanation: accumulator i16 saturate: reproduces all 15" in line for line in lines)
    command = next(line for line in lines if line.startswith("reproduce: interp "))
    words = command.removeprefix("reproduce: interp ").split()
    done = subprocess.run([sys.executable, "-m", "interp", *words], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 1
    assert done.stdout.startswith(f"{15 - differing} exact, {differing} not permitted")


def test_a_short_reproduction_is_code_that_gives_the_verdict() -> None:
    x = np.float32([[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]])
    text = failure(assert_permitted, SUM, x, got=np.float32([21, 22]), diagnose=0)
    assert "diagnose" not in text
    code = text.partition("reproduce: ")[2].splitlines()
    scope: dict[str, Any] = {}
    exec("\n".join(line.strip() for line in code[:-1]), scope)
    assert eval(code[-1].strip(), scope).is_refuted


def test_any_schedule_is_permitted_and_only_the_stated_one_if_asked() -> None:
    x = np.float32([[1, 2**24, -(2**24), 1, 1, 1], [0, 0, 0, 0, 0, 1]])
    other = np.float32([3, 1])  # from the right: ((1 + 1) + 1) - 2^24, ...
    backwards = np.float32([sum_in_order(row[::-1]) for row in x])
    assert backwards[0] != sum_in_order(x[0])
    for got in (other, backwards):
        assert assert_permitted(SUM, x, got=got).ok
    text = failure(assert_permitted, SUM, x, got=backwards, schedules="left", only=True, diagnose=0)
    assert text.startswith("not permitted: 1 of 2 elements")


def sum_in_order(row: np.ndarray) -> np.float32:
    total = np.float32(0)
    for x in row:
        total = np.float32(total + x)
    return total


def test_a_jax_function_with_trees_is_the_program() -> None:
    def f(x: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        return x["a"] + x["b"], {"sum": jnp.sum(x["a"])}

    x = {"a": np.float32([1, 2]), "b": np.float32([3, 4])}
    right = (np.float32([4, 6]), {"sum": np.float32(3)})
    wrong = (np.float32([4, 6]), {"sum": np.float32(4)})
    for program in (f, jax.jit(f).lower(x), jax.export.export(jax.jit(f))(x)):
        assert assert_permitted(program, x, got=right).ok
        assert assert_permitted(program, x, got=f).ok
        assert "worst: result 1: got 4.0, schedule left gives 3.0" in failure(
            assert_permitted, program, x, got=wrong
        )


def test_diagnose_takes_the_trees_of_a_function() -> None:
    x, observed = {"a": np.float32([1, 2])}, {"sum": np.float32(4)}
    found = interp.diagnose(lambda x: {"sum": jnp.sum(x["a"])}, (x,), observed)
    assert found.differing == 1
    assert found.first is not None
    assert found.first.observed == 4


def test_unknown_fails_unless_it_may_pass_and_something_is_proved() -> None:
    x = np.float32([[0.5, 1.5], [2.5, 3.25]])
    near = x.sum(1) * x.sum(0)
    near[1] = np.nextafter(near[1], np.float32(9))
    text = failure(assert_permitted, two_sums, x, got=near)
    assert text.startswith("unknown: of 1 of 2 elements nothing is proved")
    assert 'unknown="pass" accepts these' in text
    assert assert_permitted(two_sums, x, got=near, unknown="pass").counts["unknown"] == 1


def test_nothing_proved_fails_even_if_unknown_may_pass() -> None:
    x, w = operands()
    for ways in ({"unknown": "pass"}, {}):
        text = failure(assert_permitted, DOT, x, w, got=device, seconds=0, diagnose=0, **ways)
        assert text.startswith("unknown: of 15 of 15 elements nothing is proved")
        assert "a test that cannot fail is none; assert_close_to_float asks for less" in text
        assert "accepts these" not in text  # it would not


def test_close_to_float_holds_results_against_the_bound() -> None:
    x, w = operands()
    assert assert_close_to_float(DOT, x, w).ok
    assert assert_close_to_float(DOT, x, w, got=device).ok
    wrong = device(x, w)
    wrong[2, 4] += 1
    text = failure(assert_close_to_float, DOT, x, w, got=wrong)
    assert text.startswith("too far from float: 1 of 15 elements are beyond the bound")
    real = device(x, w)[2, 4] / 4
    assert f"worst: result 0[2, 4]: got {real + 0.25:.6g}, float {real:.6g}; error 0.25, bound 0" in text
    assert "diagnose: first difference" in text


def test_close_to_a_function_of_the_caller() -> None:
    x, w = operands()
    assert assert_close_to_float(DOT, x, w, against=lambda x, w: x @ w, got=device).ok
    text = failure(assert_close_to_float, DOT, x, w, against=lambda x, w: x @ w + 1, diagnose=0)
    assert text.startswith("too far from float: 15 of 15")
    assert "error 1, " in text
    with pytest.raises(interp.Malformed, match="expected a JAX function"):
        assert_close_to_float(DOT, x, w, against=DOT)


def test_saturated_elements_have_no_bound() -> None:
    x, y = np.int8([100, 1, 2, 3]), np.int8([100, 1, 2, 3])
    text = failure(assert_close_to_float, NARROW, x, y)
    assert text.startswith("unknown: 1 of 4 elements have no bound: 1 saturate")
    assert "worst: result 0[0]: got 127, float 200; error 73, no bound" in text
    assert assert_close_to_float(NARROW, x, y, unknown="pass").ok
    large = x[:1].repeat(4)
    assert "cannot fail" in failure(assert_close_to_float, NARROW, large, large, unknown="pass")


def test_results_of_other_types_and_unknown_options_are_refused() -> None:
    x, w = operands()
    with pytest.raises(interp.Malformed, match=r"expected \(3, 5\) int32\n  got \(2, 5\) int32"):
        assert_permitted(DOT, x, w, got=device(x, w)[:2])
    with pytest.raises(interp.Malformed, match="no option 'secnds'"):
        assert_permitted(DOT, x, w, got=device, secnds=1)
    with pytest.raises(interp.Malformed, match="unknown"):
        assert_permitted(DOT, x, w, got=device, unknown="maybe")
    with pytest.raises(interp.Malformed, match="expected a number of seconds"):
        assert_permitted(DOT, x, w, got=device, diagnose="long")


def frames(error: BaseException) -> list[str]:
    """Return the functions that a failure shows: those that do not ask pytest to hide them."""
    walked = traceback.walk_tb(error.__traceback__)
    return [frame.f_code.co_name for frame, _ in walked if "__tracebackhide__" not in frame.f_locals]


def broken(*_: Any) -> Any:
    raise TypeError("a fault of the implementation")


X = np.ones((2, 6), "f4")
MISTAKES: dict[str, Callable[[], Any]] = {
    "a result's shape": lambda: assert_permitted(SUM, X, got=X),
    "an argument's shape": lambda: assert_permitted(SUM, X[:, 1:], got=X[:, 0]),
    "an option": lambda: assert_permitted(SUM, X, got=X[:, 0], secnds=5),
    "a program": lambda: assert_permitted("nowhere.mlir", X, got=X[:, 0]),
    "a result's shape, beside float": lambda: assert_close_to_float(SUM, X, got=X),
    "a wrong result": lambda: assert_permitted(SUM, X, got=X[:, 0], diagnose=0),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_failure_shows_no_frame_of_ours(mistake: str) -> None:
    with pytest.raises((AssertionError, interp.Malformed)) as caught:
        MISTAKES[mistake]()
    assert frames(caught.value) == ["test_a_failure_shows_no_frame_of_ours", "<lambda>"]
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None or caught.value.__suppress_context__


def test_an_implementation_s_error_shows_its_frames_and_a_bug_of_ours_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(TypeError) as caught:
        assert_permitted(SUM, X, got=broken)
    here = "test_an_implementation_s_error_shows_its_frames_and_a_bug_of_ours_all"
    assert frames(caught.value) == [here, "broken"]
    monkeypatch.setattr("interp.apps.assertions.judge.permits", lambda *_, **__: int([]))  # type: ignore[call-overload]
    monkeypatch.setitem(globals(), "__name__", "interp.fault")  # as if this file's lambda were ours
    with pytest.raises(TypeError) as caught:
        assert_permitted(SUM, X, got=X[:, 0])
    assert frames(caught.value) == [here, "judge_permitted", "<lambda>"]


def test_unittest_shows_no_frame_of_ours_either() -> None:
    result = unittest.TestResult()
    unittest.FunctionTestCase(MISTAKES["a wrong result"]).run(result)
    ((_, text),) = result.failures
    files = re.findall('File "(.*)", line', text)
    assert files == [__file__]
    assert "not permitted: 2 of 2 elements" in text


# The plugin, in processes of their own.

TESTS = f"""
import numpy as np, pytest
from interp.testing import assert_permitted
SUM = '''{SUM}'''
X = np.float32([[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6]])

def test_right(): assert_permitted(SUM, X, got=np.float32([21, 21]))

def test_wrong(): assert_permitted(SUM, X, got=np.float32([21, 22]))

@pytest.mark.interp(seconds=0)
def test_late(): assert_permitted(SUM, X, got=np.float32([21, 21]))

@pytest.mark.interp(seconds=0)
class TestClass:
    @pytest.mark.interp(seconds=9)
    def test_nearest(self): assert_permitted(SUM, X, got=np.float32([21, 21]))

    def test_own(self): assert_permitted(SUM, X, got=np.float32([21, 21]), seconds=9)

    def test_class(self): assert_permitted(SUM, X, got=np.float32([21, 21]))

def test_fixture(interp_check):
    assert interp_check.assert_permitted(SUM, X, got=np.float32([21, 21])).ok
    assert interp_check.assert_close_to_float(SUM, X).ok
    assert len(interp_check.answers) == 2

@pytest.mark.interp(secnds=5)
def test_misspelt(): pass
"""
WANTED = {"passed": 4, "failed": 3, "errors": 1}


def run_pytest(pytester: pytest.Pytester, *options: str) -> pytest.RunResult:
    pytester.makepyfile(test_it=TESTS)
    monkeypatch = pytester._monkeypatch
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    plugins = ["-p", "interp.testing.plugin", "-p", "no:cacheprovider", "--strict-markers"]
    return pytester.runpytest_subprocess(*plugins, *options, timeout=240)


def test_the_plugin_has_a_marker_and_a_fixture(pytester: pytest.Pytester) -> None:
    result = run_pytest(pytester, "--junitxml=report.xml", "--basetemp=base")
    result.assert_outcomes(**WANTED)
    result.stdout.fnmatch_lines(["E*AssertionError: not permitted: 1 of 2 elements*", "E*reproduce: *"])
    result.stdout.fnmatch_lines(["*@pytest.mark.interp: no option 'secnds'*"])
    result.stdout.no_fnmatch_line("*asserts.py*")  # the traceback ends in the test
    assert 'name="interp: permitted" value="2 exact' in (pytester.path / "report.xml").read_text()


def test_the_plugin_works_in_workers(pytester: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    run_pytest(pytester, "-n", "2").assert_outcomes(**WANTED)


def test_a_project_sets_options_for_all_tests(pytester: pytest.Pytester) -> None:
    pytester.makepyprojecttoml(
        "[tool.interp]\nstrict = true\n[tool.interp.testing]\nseconds = 0\ndiagnose = 0\n"
    )
    result = run_pytest(pytester)
    result.assert_outcomes(passed=2, failed=5, errors=1)
    result.stdout.fnmatch_lines(["*unknown: of 2 of 2 elements nothing is proved*"])
    pytester.makepyprojecttoml("[tool.interp.testing]\nsecnds = 0\n")
    run_pytest(pytester, "-k", "right").stdout.fnmatch_lines(["*tool.interp.testing*no option 'secnds'*"])


def test_check_reads_the_rest_of_the_table(tmp_path: Path) -> None:
    from interp.apps.checking.project import Config, read_config

    (tmp_path / "pyproject.toml").write_text(
        "[tool.interp]\nstrict = true\n[tool.interp.testing]\nseconds = 1\n"
    )
    assert read_config(tmp_path / "pyproject.toml") == Config(strict=True)
    (tmp_path / "pyproject.toml").write_text("[tool.interp]\ntesting = 1\n")
    with pytest.raises(interp.Malformed, match="expected a table"):
        read_config(tmp_path / "pyproject.toml")


def test_starting_pytest_with_the_plugin_loads_no_numbers() -> None:
    code = "import sys, interp.testing.plugin, interp.testing; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert {"numpy", "jax", "jaxlib", "ml_dtypes", "rich"}.isdisjoint(done.stdout.split())


def test_assertions_need_no_pytest() -> None:
    code = f"""
import sys
sys.modules["pytest"] = None
import numpy as np
from interp.testing import assert_permitted
x = np.ones((2, 6), "f4")
assert_permitted('''{SUM}''', x, got=np.float32([6, 6]))
try: assert_permitted('''{SUM}''', x, got=np.float32([6, 7]))
except AssertionError as error: print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("not permitted: 1 of 2 elements")
