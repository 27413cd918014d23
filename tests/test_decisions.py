"""Decisions as text: types of many scales are abbreviated, and no others."""

from __future__ import annotations

from interp.apps.quantization.decisions import Decision, Rescale, brief
from spec.types import QuantizedType, parse_element_type


def quantized(text: str) -> QuantizedType:
    """Return the type `!quant.uniform<text>`."""
    found = parse_element_type(f"!quant.uniform<{text}>")
    assert isinstance(found, QuantizedType)
    return found


FIVE = quantized("i8<-127:127>:f32:1, {0.1, 0.25, 0.00276, 0.5, 0.125}")


def test_a_type_of_many_scales_is_told_in_short() -> None:
    assert brief(FIVE) == "!quant.uniform<i8<-127:127>:f32> per axis 1, 5 scales from 0.0028 to 0.5"
    pointed = quantized("i8:f32:0, {0.5:3, 0.5, 0.5:-2, 0.5, 0.5}")
    assert brief(pointed) == (
        "!quant.uniform<i8:f32> per axis 0, 5 scales from 0.5 to 0.5, zero points from -2 to 3"
    )
    blocks = quantized("i8:f32:{0:2, 1:1}, {{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}")
    assert brief(blocks) == "!quant.uniform<i8:f32> blocks of 0:2, 1:1, 6 scales from 1 to 6"


def test_few_scales_are_written_out() -> None:
    for text in ("i8:f32, 0.1:3", "i8:f32:1, {0.1, 0.2, 0.3, 0.4}"):
        assert brief(quantized(text)) == repr(quantized(text))


def test_decisions_and_conflicts_show_types_in_short() -> None:
    assert repr(Decision("%w", FIVE, "constant")) == f"%w: {brief(FIVE)}: constant"
    conflict = Rescale("%w", "generic.add %2", FIVE, quantized("i8:f32, 0.5"), "free")
    assert str(conflict).startswith(f"%w: {brief(FIVE)} to !quant.uniform<i8:f32, 5.000000e-01>: free")
    assert "2.760000e-03" in repr(FIVE)
