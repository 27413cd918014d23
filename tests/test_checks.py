"""Programs that carry their expectations: the check dialect, as operations and as custom calls."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import interp
from interp.__main__ import main
from spec.errors import Finding
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor

X = np.float32([1.0, 2.0, np.nan, np.inf])
# Checks of %x, [1, 2, nan, inf], and whether they hold; $ is its type. %y is three steps above 2.0 at [1],
# and %z is not infinite at [3].
CHECKS = {
    "check.expect_eq_const %x, dense<[1.0, 2.0, 0x7FC00000, 0x7F800000]> : $": False,  # NaN
    "check.expect_almost_eq_const %x, dense<[1.0, 2.0, 0x7FC00000, 0x7F800000]> : $": True,
    "check.expect_almost_eq_const %x, dense<[1.0, 2.00009, 0x7FC00000, 0x7F800000]> : $": True,
    "check.expect_almost_eq_const %x, dense<[1.0, 2.0002, 0x7FC00000, 0x7F800000]> : $": False,
    "check.expect_almost_eq_const %x, dense<[1.0, 2.4, 0x7FC00000, 0x7F800000]> : $"
    " {tolerance = 0.5 : f64}": True,
    "check.expect_almost_eq_const %x, dense<[1.0, 2.0, 0x7FC00000, 0xFF800000]> : $": False,
    "check.expect_almost_eq_const %x, dense<[1.0, 2.0, 3.0, 0x7F800000]> : $": False,
    "check.expect_almost_eq %x, %x : $": True,
    "check.expect_almost_eq %x, %x, tolerance = 0.0 : $": True,
    "check.expect_close %x, %x,\n    max_ulp_difference = 0 : $, $": True,
    "check.expect_close %x, %y, max_ulp_difference = 3 : $, $": True,
    "check.expect_close %x, %y, max_ulp_difference = 2 : $, $": False,
    "check.expect_close %x, %y, max_ulp_difference = 3, min_ulp_difference = 1 : $, $": False,
    "check.expect_close %x, %z, max_ulp_difference = 3 : $, $": False,
    '"check.expect_close"(%x, %y) <{max_ulp_difference = 3 : ui64}> : ($, $) -> ()': True,
    '"check.expect_close"(%x, %y) : ($, $) -> ()': False,  # the dialect's default is 1
    "stablehlo.custom_call @check.expect_close(%x, %y) : ($, $) -> ()": True,  # a call's 3
    "%b = stablehlo.custom_call @check.eq(%x, %x) : ($, $) -> tensor<i1>": True,
    "%b = stablehlo.custom_call @check.eq(%x, %z) : ($, $) -> tensor<i1>": False,
    '%p = interpreter.probe %x, probe_id = "x" : $': True,
}
PROGRAM = """func.func @main(%x: tensor<4xf32>) {{
  %y = stablehlo.constant dense<[1.0, 0x40000003, 0x7FC00000, 0x7F800000]> : tensor<4xf32>
  %z = stablehlo.constant dense<[1.0, 2.0, 0x7FC00000, 3.4e38]> : tensor<4xf32>
  {}
  return
}}"""


def program(check: str) -> interp.Module:
    return interp.load(PROGRAM.format(check.replace("$", "tensor<4xf32>")))


@pytest.mark.parametrize(("check", "holds"), CHECKS.items())
def test_a_check_holds_or_is_a_finding_in_engine_and_oracle(check: str, holds: bool) -> None:
    module = program(check)
    assert interp.verify(module) == []
    argument = Tensor(module.main.inputs[0].type, tuple(map(float, X)))
    if holds:
        assert interp.run(module, X) == ()
        assert evaluate(module, [argument]) == ()
        return
    for verb in (lambda: interp.run(module, X), lambda: evaluate(module, [argument])):
        with pytest.raises(Finding) as caught:
            verb()
        assert "does not hold" in caught.value.verdict
        assert caught.value.where.line == 4


def test_a_failed_check_says_where_by_how_much_and_how_many() -> None:
    with pytest.raises(interp.Finding) as caught:
        interp.run(
            interp.load("""func.func @main(%x: tensor<2x3xi8>) {
              check.expect_eq_const %x, dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
              return
            }"""),
            np.int8([[1, 2, -3], [4, 4, 6]]),
        )
    assert str(caught.value).splitlines() == [
        "<text>:2:15: check.expect_eq_const does not hold: 2 of 6 elements differ",
        "  at [0, 2]: got -3, expected 3",
        "  at [1, 1]: got 4, expected 5",
        "  the worst at [0, 2]: apart by 6",
    ]


def test_signed_zeros_are_equal_and_complex_parts_are_judged_apart() -> None:
    m = interp.load("""func.func @main(%x: tensor<2xcomplex<f32>>) {
      check.expect_eq_const %x, dense<[(0.0, 1.0), (2.0, 3.0)]> : tensor<2xcomplex<f32>>
      return
    }""")
    assert interp.run(m, np.complex64([complex(-0.0, 1), 2 + 3j])) == ()
    with pytest.raises(interp.Finding, match="1 of 2"):
        interp.run(m, np.complex64([complex(-0.0, 1), 2 + 3.5j]))


def test_a_probe_is_remembered_for_a_check_of_the_same_run() -> None:
    text = """func.func @main(%x: tensor<2xi8>) {{
      %0 = interpreter.probe %x, probe_id = "first" : tensor<2xi8>
      %1 = stablehlo.add %0, %0 : tensor<2xi8>
      check.expect_serialized_eq {} : tensor<2xi8>
      return
    }}"""
    x = np.int8([1, 2])
    assert interp.run(interp.load(text.format('%x, probe_id = "first"')), x) == ()
    with pytest.raises(interp.Finding, match="2 of 2 elements differ"):
        interp.run(interp.load(text.format('%1, probe_id = "first"')), x)
    for missing in ('%x, probe_id = "second"', '%x, probe_id = "first", iter = 1'):
        with pytest.raises(interp.Malformed, match="no value"):
            interp.run(interp.load(text.format(missing)), x)


def test_a_program_with_checks_is_a_test_for_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "checked.mlir"
    text = "func.func @main() {{\n %x = stablehlo.constant dense<[1, 2]> : tensor<2xi8>\n {}\n return }}"
    path.write_text(text.format("check.expect_eq_const %x, dense<[1, 2]> : tensor<2xi8>"))
    assert main(["run", str(path)]) == 0
    path.write_text(text.format("check.expect_eq_const %x, dense<[1, 3]> : tensor<2xi8>"))
    assert main(["run", str(path)]) == 1
    assert f"{path}:3:2: check.expect_eq_const does not hold: 1 of 2" in capsys.readouterr().err


def test_a_check_of_values_is_refused_under_jit() -> None:
    compiled = interp.compile(program("check.expect_eq %x, %y : $"))
    with pytest.raises(interp.Unsupported, match=r"check\.expect_eq under jit"):
        compiled(X)


@pytest.mark.parametrize(
    ("operation", "error"),
    [
        ("check.expect_eq %x : tensor<4xf32>", interp.Violation),
        ("check.expect_eq %x, %x", interp.InterpError),
        ("check.expect_eq %x, dense<[1.0", interp.Malformed),
        ("stablehlo.custom_call @check.expect_eq(%x) : (tensor<4xf32>) -> ()", interp.Violation),
    ],
)
def test_a_check_that_compares_nothing_is_refused(operation: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        interp.run(program(operation), X)
