"""Subjects of the conformance suite: every erratum, event and operation has its case.

Every expectation has a reason that does not come from the oracle.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.apps.suite.conformance import judge_results, program
from interp.recorder.event import KINDS
from spec.errata import ERRATA
from spec.rules.control import RESHARDINGS
from spec.rules.verify import CONSTRAINTS
from tests.test_conformance import ALL as CASES
from tests.test_conformance import VALUED

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from cases.exact import floats  # noqa: E402
from cases.exact.contractions import is_exact  # noqa: E402
from tables import reasons  # noqa: E402

ALL = {case.id: case for case in CASES}

EVENT_CASES = {
    "saturate": "reduce/saturating_and_back",
    "wrap": "reduce/product_wraps",
    "inexact": "reduce/f32_accumulator",
    "absorbed": "dot_general/algorithm_bf16_accumulation",
    "nan": "reduce/infinities_cancel",
    "inf": "reduce/overflow_in_order",
    "lossy_convert": "reduce/formula_i8",
    "empty_window": "select_and_scatter/empty_window",
    "non_identity_init": "reduce/init_once_or_more",
    "unspecified": "integer/divide_i8",
    "erratum": "reduce/exact_subtraction_i8",
}
# An exporter's call, typed by the loader, and MLIR's constant: they say what another operation says.
WITHOUT_CASES = {"stablehlo.custom_call", "arith.constant"}
# Advice on sharding that says what `sdy.reshard` says; a region that only has a name; an operation that no
# jaxlib reads yet.
WITHOUT_CASES |= {f"sdy.{name}" for name in (*RESHARDINGS, "named_computation", "sharding_group")}
WITHOUT_CASES |= {"stablehlo.collective_reduce"}


def test_every_erratum_of_stablehlo_has_a_case() -> None:
    """The programs of the suite are StableHLO; tests/test_errata.py has the errata of ONNX."""
    assert [row.id for row in ERRATA if row.section.startswith("ONNX:") == bool(row.case)] == []
    assert {row.case for row in ERRATA if row.case} <= set(ALL)


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"fault"}))
def test_every_event_has_a_case_that_shows_it(kind: str) -> None:
    """All but `fault`, which is about kernels of LiteRT, and no program of StableHLO has it."""
    assert kind in EVENT_CASES, f"write a case in testdata/ that shows {kind}, and name it in EVENT_CASES"
    case = ALL[EVENT_CASES[kind]]
    trace = interp.trace(program(case.path, case.dialect, case.is_verified), *case.args)
    assert trace.counts[kind] > 0


def test_every_operation_has_a_case() -> None:
    text = "".join(case.text for case in VALUED)
    found = set(re.findall(r"\b(?:stablehlo|quant|tf|func|interpreter|sdy)\.\w+", text))
    assert set(CONSTRAINTS) - WITHOUT_CASES - found == set()


def test_every_expectation_has_a_reason_beside_the_oracle() -> None:
    found = Counter(reasons(case) for case in VALUED)
    assert set(found) == {"by hand", "exact arithmetic"}
    assert sum(found.values()) == len(VALUED)


def test_exact_arithmetic_shares_none_with_the_oracle() -> None:
    """The files import the types and the IR of `spec`, nothing else of it and nothing of the engine."""
    for file in (ROOT / "tools" / "cases" / "exact").glob("*.py"):
        imported = set(re.findall(r"^\s*from ((?:spec|interp)[.\w]*)", file.read_text(), re.M))
        assert imported <= {"spec.types", "spec.attributes", "spec.ir"}, file


@pytest.mark.parametrize("name", ["contraction/dot_type_i32", "integer/add_i8", "quantized/multiply"])
def test_where_every_order_gives_one_answer_another_is_wrong(name: str) -> None:
    case = ALL[name]
    module = program(case.path, case.dialect, case.is_verified)
    assert case.any_schedule
    given = tuple(x ^ np.array(1, x.dtype) for x in case.expect)
    assert judge_results(case, module, case.args, given)[:2] == ("wrong", False)


def test_sums_are_called_exact_up_to_the_precision_only() -> None:
    f32 = program(ALL["float/add_f32"].path, "stablehlo", True).main.results[0].element_type
    assert is_exact([2.0**23, 2.0**23 - 1, 1.0], f32)
    assert not is_exact([2.0**23, 2.0**23, 1.0], f32)
    assert is_exact([float("inf"), 1.0], f32)
    assert not is_exact([float("inf"), 2.0**24, 1.0], f32)


@pytest.mark.parametrize(
    ("x", "name", "expected"),
    [
        (Fraction(2**24 + 1), "f32", 2.0**24),
        (Fraction(2**24 + 3), "f32", 2.0**24 + 4),
        (Fraction(65519), "f16", 65504.0),
        (Fraction(65520), "f16", float("inf")),
        (Fraction(1, 2**25), "f16", 0.0),
        (Fraction(3, 2**26), "f16", 2.0**-24),
        (Fraction(464), "f8E4M3FN", 448.0),
    ],
)
def test_a_number_is_rounded_once_to_even(x: Fraction, name: str, expected: float) -> None:
    assert floats.nearest(x, 1.0, name) == expected
    assert floats.nearest(-x, 1.0, name) == -expected
