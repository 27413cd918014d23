"""Each constraint of the reductions, the quantizations and the types is violated by a file that says so.

The head of a file in testdata states what is expected: `// expect: violation reduce_c5 (strict)`, `//
expect: no
violation (mlir)`, in the modes strict and mlir and in the RFC's dialect (rfc); or `// expect: malformed
<message>`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import pytest

from interp.loading.load import load
from spec.errors import UNKNOWN, Malformed
from spec.ir import Module
from spec.rules.constraint import Constraint, violations
from spec.rules.quant_dialect import QUANTIZED_TYPE
from spec.rules.verify import CONSTRAINTS, verify
from spec.types import TensorType, make_quantized

TESTDATA = Path(__file__).parent.parent / "testdata"
RULED = {
    "quantized_type": QUANTIZED_TYPE,
    **{
        name: CONSTRAINTS[f"stablehlo.{name}"]
        for name in (
            "reduce",
            "reduce_window",
            "select_and_scatter",
            "uniform_quantize",
            "uniform_dequantize",
            "dynamic_slice",
            "dynamic_update_slice",
            "gather",
            "scatter",
            "batch_norm_grad",
            "batch_norm_inference",
            "batch_norm_training",
            "rng",
            "rng_bit_generator",
            "cholesky",
            "fft",
            "triangular_solve",
        )
    },
}


class Case(NamedTuple):
    file: str  # "reduce/c5_duplicate.mlir"
    code: str  # "reduce_c5", or "" where nothing is violated
    mode: str  # "strict", "mlir", or "rfc"

    def __repr__(self) -> str:
        return f"{self.file}-{self.mode}"


EXPECT = re.compile(r"// expect: (?:violation (\w+)|no violation) \((\w+)\)")
MALFORMED = re.compile(r"// expect: malformed (.+)")
FILES = {
    str(path.relative_to(TESTDATA)): path.read_text()
    for name in RULED
    for path in sorted((TESTDATA / name).glob("*.mlir"))
}
CASES = [Case(file, code, mode) for file, text in FILES.items() for code, mode in EXPECT.findall(text)]
REFUSED = {file: message[1] for file, text in FILES.items() if (message := MALFORMED.search(text))}
ROWS = [(name, row) for name, rows in RULED.items() for row in rows]


@lru_cache
def unchecked(file: str) -> Module:
    return load(TESTDATA / file, checked=False)


def program(case: Case) -> Module:
    return load(TESTDATA / case.file, dialect="rfc") if case.mode == "rfc" else unchecked(case.file)


@pytest.mark.parametrize("case", CASES, ids=repr)
def test_first_violation_is_the_expected_one(case: Case) -> None:
    found = verify(program(case), "strict" if case.mode == "rfc" else case.mode)
    assert [violation.code for violation in found][:1] == ([case.code] if case.code else [])


@pytest.mark.parametrize("file", REFUSED)
def test_the_parser_of_types_refuses_what_mlir_refuses(file: str) -> None:
    for checked in (False, True):
        with pytest.raises(Malformed, match=re.escape(REFUSED[file])):
            load(TESTDATA / file, checked=checked)


def accepted(file: str) -> bool:
    """Return whether jaxlib's own verifier takes the file."""
    try:
        load(TESTDATA / file)
    except Malformed:
        return False
    return True


# MLIR checks no type of a function's signature; run refuses them in both modes.
JUDGED = [case for case in CASES if case.mode == "mlir" and not case.file.startswith("quantized_type")]


@pytest.mark.parametrize("case", JUDGED, ids=repr)
def test_mlir_mode_accepts_what_jaxlib_accepts(case: Case) -> None:
    assert accepted(case.file) == (case.code == "")


# Types that no text has: MLIR's parser refuses them, or the text cannot say them.
I8 = make_quantized("i8", "f32", 0.5)
FLOAT_STORAGE = replace(I8, storage_type=make_quantized("i8", "f32", 0.5).expressed_type)
BUILT = {
    "c2": TensorType((), FLOAT_STORAGE),
    "c3": TensorType((), replace(I8, storage_min=5, storage_max=5)),
    "c6": TensorType((), replace(I8, scales=(float("inf"),))),
    "c8": TensorType((), FLOAT_STORAGE),
    "c9": TensorType((), replace(I8, zero_points=(0, 0))),
    "c10": TensorType((), replace(I8, scales=(0.5, 0.5), zero_points=(0, 0))),
    "c11": TensorType((1,), replace(I8, quantization_dimension=-1)),
    "s1": TensorType((2,), replace(I8, block_sizes=((0, 1),), parameters_shape=(2,))),
    "s5": TensorType((2,), replace(I8, block_sizes=((0, 0),), parameters_shape=(1,))),
}


@pytest.mark.parametrize("label", BUILT)
def test_types_that_no_text_has(label: str) -> None:
    found = violations(QUANTIZED_TYPE, BUILT[label], "quantized_type", UNKNOWN, "strict", "stablehlo")
    assert f"quantized_type_{label}" in [violation.code for violation in found]


@pytest.mark.parametrize(("name", "row"), ROWS, ids=lambda x: x.label if isinstance(x, Constraint) else x)
def test_every_row_is_violated_by_a_case_of_its_name(name: str, row: Constraint) -> None:
    code, mode = f"{name}_{row.label}", "rfc" if row.letter == "r" else "strict"
    named = any(
        case.code == code and case.mode == mode and case.file.startswith(f"{name}/{row.label}_")
        for case in CASES
    )
    assert named or (name == "quantized_type" and row.label in BUILT)


@pytest.mark.parametrize("name", RULED)
def test_every_op_has_a_case_without_violation(name: str) -> None:
    assert any(case.file.startswith(f"{name}/ok_") and not case.code for case in CASES)


@pytest.mark.parametrize(("name", "row"), ROWS, ids=lambda x: x.label if isinstance(x, Constraint) else x)
def test_labels_are_unique(name: str, row: Constraint) -> None:
    assert [other.label for other in RULED[name]].count(row.label) == 1


def test_a_violation_prints_its_place_its_rule_and_its_evidence() -> None:
    violation = verify(unchecked("reduce/c4_out_of_range.mlir"))[0]
    assert str(violation) == (
        f"{TESTDATA}/reduce/c4_out_of_range.mlir:7:10: reduce_c4: 0 <= dimensions < rank(inputs[0])\n"
        "  dimensions = (2,), rank(inputs[0]) = 2"
    )


def test_what_is_missing_is_named() -> None:
    (violation,) = verify(unchecked("reduce/i3_no_dimensions.mlir"))
    assert violation.evidence == "dimensions is missing"


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(Malformed, match="known: strict, mlir"):
        verify(unchecked("reduce/ok_sum_wider.mlir"), "lenient")
