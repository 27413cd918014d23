"""The types of the quant dialect that have no arithmetic meaning: any, calibrated, quantile."""

from __future__ import annotations

from math import isnan
from pathlib import Path

import pytest
from jaxlib.mlir import ir

from interp.loading.reader import load_dialects
from spec.errors import Malformed, Unsupported
from spec.quant_kinds import CalibratedType, parse_quant_type, parse_specs
from spec.types import parse_type
from tests.library.jaxlibs import CURRENT_QUANT_DIALECT

TABLE = [
    tuple(line.split(" => "))
    for line in (Path(__file__).parent / "data" / "quant_kinds.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[text for text, _ in TABLE])
def test_table(text: str, expected: str) -> None:
    """Acceptance, printing and messages of jaxlib; what is printed reads back as the same type."""
    if expected.startswith("ERR "):
        with pytest.raises(Malformed) as caught:
            parse_quant_type(text)
        assert caught.value.verdict == expected.removeprefix("ERR ")
        return
    type = parse_quant_type(text)
    assert repr(type) == (text if expected == "=" else expected)
    has_nan = isinstance(type, CalibratedType) and isnan(type.min + type.max)
    assert has_nan or parse_quant_type(repr(type)) == type


@CURRENT_QUANT_DIALECT
def test_jaxlib_answers_as_the_table_says() -> None:
    with ir.Context() as context:
        load_dialects(context, checked=True)
        for text, expected in TABLE:
            if expected.startswith("ERR "):
                with pytest.raises(ir.MLIRError) as caught:
                    ir.Type.parse(text)
                assert caught.value.error_diagnostics[0].message == expected.removeprefix("ERR ")
            else:
                assert str(ir.Type.parse(text)) == (text if expected == "=" else expected)


def test_no_tensor_has_such_a_type() -> None:
    with pytest.raises(Unsupported, match=r"!quant\.calibrated has no arithmetic meaning"):
        parse_type("tensor<2x!quant.calibrated<f32<-1.0:1.0>>>")
    with pytest.raises(Malformed, match="illegal min and max"):
        parse_type("tensor<2x!quant.calibrated<f32<1.0:1.0>>>")


def test_a_list_of_specs_reads_and_prints() -> None:
    text = "[f32, !quant.any<i8<-127:127>:f32>, !quant.uniform<i8:f32, 5.000000e-01:3>]"
    assert f"[{', '.join(map(repr, parse_specs(text)))}]" == text
    assert parse_specs("[]") == ()
    with pytest.raises(Malformed, match="tensor is not a type of elements"):
        parse_specs("[tensor<2xf32>]")
