"""Types: a table of MLIR's answers, jaxlib asked again, round trips, the constraints of quantized types."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import isnan, prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spec.elements import FOREIGN_FLOATS
from spec.errors import UNKNOWN, InterpError, Malformed, Unsupported
from spec.formats import largest, round_to
from spec.quantized import storage_range
from spec.rules.constraint import violations
from spec.rules.quant_dialect import QUANTIZED_TYPE
from spec.types import (
    ELEMENT_TYPES,
    FLOATS,
    ElementType,
    QuantizedType,
    TensorType,
    integer,
    make_quantized,
    parse_element_type,
    parse_type,
)
from tests.library.jaxlibs import CURRENT_QUANT_DIALECT

TABLE = [
    tuple(line.split(" => "))
    for line in (Path(__file__).parent / "data" / "type_strings.txt").read_text().splitlines()
    if not line.startswith("#")
]
I8 = ELEMENT_TYPES["i8"]
FLOAT_STORAGE = ("f8E4M3FN", "f8E5M2", "f4E2M1FN")


def parse(text: str) -> ElementType | QuantizedType | TensorType:
    return parse_type(text) if text.startswith("tensor") else parse_element_type(text)


def has_nan(type: ElementType | QuantizedType | TensorType) -> bool:
    """A type with a NaN scale, which MLIR reads, is not equal to itself."""
    element = type.element_type if isinstance(type, TensorType) else type
    return isinstance(element, QuantizedType) and any(map(isnan, element.scales))


@pytest.fixture(scope="module")
def mlir() -> Callable[[str], str]:
    """Return what jaxlib prints for a type, or its complaint."""
    from jaxlib.mlir import ir

    from interp.loading.reader import load_dialects

    with ir.Context() as context:
        load_dialects(context, checked=True)

    def answer(text: str) -> str:
        with context:
            try:
                return str(ir.Type.parse(text))
            except ir.MLIRError as error:
                return f"ERR {error}"

    return answer


@pytest.mark.parametrize(("text", "expected"), TABLE, ids=[text for text, _ in TABLE])
def test_table(text: str, expected: str) -> None:
    """Acceptance, printing and messages of jaxlib 0.10.2; what it prints reads back as the same type."""
    if expected == "UNSUPPORTED":
        with pytest.raises(Unsupported):
            parse(text)
    elif expected.startswith("ERR "):
        with pytest.raises(Malformed) as caught:
            parse(text)
        assert caught.value.verdict == expected.removeprefix("ERR ")
    else:
        type = parse(text)
        assert repr(type) == (text if expected == "=" else expected)
        assert has_nan(type) or parse(repr(type)) == type


@CURRENT_QUANT_DIALECT
def test_jaxlib_answers_as_the_table_says(mlir: Callable[[str], str]) -> None:
    """The table is no copy of our own output."""
    for text, expected in TABLE:
        answer = mlir(text)
        if expected.startswith("ERR "):
            assert expected.removeprefix("ERR ") in answer, text
        elif expected != "UNSUPPORTED":
            assert answer == (text if expected == "=" else expected)


@cache
def positive(type: ElementType) -> st.SearchStrategy[float]:
    """Scales that MLIR accepts: any binary64 in the format's range, often a short decimal or an integer."""
    most = largest(type) if type in FLOATS else 3.4e38
    least = 2.0 ** (1 - type.bias - type.mantissa) if type in FLOATS else 1e-30
    decimals = st.builds(lambda digits, e: digits * 10.0**e, st.integers(1, 10**9), st.integers(-12, 3))
    whole = st.integers(1, 10**10).map(float)
    drawn = st.one_of(st.floats(least, most), st.floats(0.001, 1.0), decimals, whole)
    return drawn.filter(lambda scale: least <= scale <= most)


@st.composite
def storages(draw: st.DrawFn, float_storage: bool = True) -> tuple[str, ElementType, int, int]:
    """Spelling, type, least and largest value."""
    if float_storage and draw(st.integers(0, 5)) == 0:
        spelling = draw(st.sampled_from(FLOAT_STORAGE))
        type = ELEMENT_TYPES[spelling]
    else:
        prefix, bits = draw(st.sampled_from(("i", "u", "si", "ui"))), draw(st.integers(1, 32))
        spelling, type = f"{prefix}{bits}", integer(bits, prefix in ("i", "si"))
    low, high = storage_range(type)
    if draw(st.booleans()):
        low = draw(st.integers(low, high - 1))
        high = draw(st.integers(low + 1, high))
    return spelling, type, low, high


INT64 = st.integers(-(1 << 63), (1 << 63) - 1)
EXPRESSED = st.sampled_from((*FLOATS, *FOREIGN_FLOATS))


@st.composite
def quantized_types(draw: st.DrawFn) -> QuantizedType:
    """Per-tensor and per-axis types of everything that MLIR reads."""
    spelling, storage, low, high = draw(storages())
    expressed = draw(EXPRESSED)
    axis = draw(st.none() | st.integers(0, (1 << 31) - 1))
    scales = tuple(draw(st.lists(positive(expressed), min_size=1, max_size=1 if axis is None else 4)))
    points = tuple(draw(st.one_of(st.just(0), st.integers(-200, 200), INT64)) for _ in scales)
    return QuantizedType(storage, low, high, expressed, scales, points, axis, spelling=spelling)


@st.composite
def sub_channel_types(draw: st.DrawFn, float_storage: bool = True) -> QuantizedType:
    """Sub-channel types, whose scales and zero points are values of the expressed and the storage type."""
    spelling, storage, low, high = draw(storages(float_storage))
    expressed = draw(st.sampled_from(FLOATS))
    blocks = tuple(draw(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 1 << 40)), max_size=3)))
    shape = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    size = prod(shape)
    scales = tuple(round_to(draw(positive(expressed)), expressed) for _ in range(size))
    least = 0 if storage.kind != "signed" else storage.min_value
    points = tuple(draw(st.integers(least, least + (1 << storage.bits) - 1)) for _ in range(size))
    return QuantizedType(storage, low, high, expressed, scales, points, None, blocks, shape, spelling)


ELEMENTS = st.one_of(
    quantized_types(), sub_channel_types(), st.sampled_from((*ELEMENT_TYPES.values(), *FOREIGN_FLOATS))
)
SHAPES = st.lists(st.none() | st.integers(0, (1 << 63) - 1), max_size=4).map(tuple)


@settings(max_examples=60, deadline=None)
@given(ELEMENTS, SHAPES)
def test_round_trip(element: ElementType | QuantizedType, shape: tuple[int, ...]) -> None:
    assert parse_element_type(repr(element)) == element
    assert parse_type(repr(TensorType(shape, element))) == TensorType(shape, element)


def hex64(value: float) -> str:
    return f"0x{struct.pack('>d', value).hex()}"


def raw_text(type: QuantizedType) -> str:
    """The type as nobody prints it: scales as the bits of a binary64, the range and zero points spelt out."""
    pairs = [f"{hex64(s)}:{z}" for s, z in zip(type.scales, type.zero_points, strict=True)]
    axes, parameters = "", pairs[0]
    if type.quantization_dimension is not None:
        axes, parameters = f":{type.quantization_dimension}", f"{{{', '.join(pairs)}}}"
    if type.block_sizes is not None:
        axes = f":{{{', '.join(f'{a}:{n}' for a, n in type.block_sizes)}}}"
        for n in reversed(type.parameters_shape):
            pairs = [f"{{{','.join(pairs[i : i + n])}}}" for i in range(0, len(pairs), n)]
        parameters = pairs[0]
    storage = f"{type.spelling} <{type.storage_min} : {type.storage_max}>"
    return f"!quant.uniform<{storage} : {type.expressed_type}{axes},{parameters}>"


@CURRENT_QUANT_DIALECT
@settings(max_examples=75, deadline=None)
@given(st.one_of(quantized_types(), sub_channel_types(float_storage=False)))
def test_prints_as_jaxlib(mlir: Callable[[str], str], type: QuantizedType) -> None:
    """jaxlib reads the same text. On a sub-channel type with float storage it hangs: those are left out."""
    assert repr(parse_element_type(raw_text(type))) == mlir(raw_text(type))


@CURRENT_QUANT_DIALECT
@settings(max_examples=50, deadline=None)
@given(sub_channel_types(float_storage=False), st.data())
def test_sub_channel_rounds_as_jaxlib(
    mlir: Callable[[str], str], type: QuantizedType, data: st.DataObject
) -> None:
    """Any binary64 as a scale, any i64 as a zero point: MLIR narrows both.

    A multiple of the modulus is left out: for i3 and 8, jaxlib prints `1.000000e+00:` and no number.
    """
    scales = tuple(data.draw(positive(type.expressed_type)) for _ in type.scales)
    points = tuple(data.draw(INT64.filter(lambda z: z % (1 << type.storage_type.bits))) for _ in type.scales)
    text = raw_text(replace(type, scales=scales, zero_points=points))
    assert repr(parse_element_type(text)) == mlir(text)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([text for text, _ in TABLE]), st.data())
def test_any_text_is_read_or_refused(text: str, data: st.DataObject) -> None:
    """Nothing but the errors of this project, whatever is cut, repeated or inserted."""
    start, stop = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    middle = data.draw(st.sampled_from(("", text[start:stop] * 2, "9" * 5000, "{" * 5000, "٣", "x", "<")))
    changed = text[:start] + middle + text[stop:]
    try:
        type = parse(changed)
    except InterpError:
        return
    assert has_nan(type) or parse(repr(type)) == type


def test_a_sub_channel_scale_in_the_bits_of_f32() -> None:
    """MLIR prints 1234567.0 so and refuses its own text, as a subnormal binary64; we read what it prints."""
    text = "!quant.uniform<i8:f32:{0:1}, {{0x4996B438}}>"
    assert parse_element_type(text).scales == (1234567.0,)
    with pytest.raises(Malformed, match="scale 6\\.099800e-315 out of expressed type range"):
        parse_element_type("!quant.uniform<i8:f32, 0x4996B438>")


@pytest.mark.parametrize(
    ("expressed", "literal", "scale"),
    [
        ("f32", "3.40282347E+38", (2 - 2.0**-23) * 2.0**127),
        ("f16", "5.960460e-08", 2.0**-24),
        ("f8E4M3FNUZ", "9.765620e-04", 2.0**-10),
    ],
)
def test_a_sub_channel_scale_at_the_bounds_of_its_format(expressed: str, literal: str, scale: float) -> None:
    """MLIR prints the largest or the least value so, and refuses it: the digits lie outside of the range."""
    text = f"!quant.uniform<i8:{expressed}:{{0:1}}, {{{{{literal}}}}}>"
    assert parse_element_type(text).scales == (scale,)
    with pytest.raises(Malformed, match="out of expressed type range"):
        parse_element_type(f"!quant.uniform<i8:{expressed}, {literal}>")


def test_sub_channel_zero_points_are_values_of_the_storage_type() -> None:
    """300 wraps to 44 in eight bits; MLIR prints the unsigned 200 as -56, and both mean 200."""
    point = lambda text: parse_element_type(f"!quant.uniform<{text}>").zero_point
    assert point("i8:f32:{0:1}, {{0.5:300}}") == 44
    assert point("u8:f32:{0:1}, {{0.5:200}}") == point("u8:f32:{0:1}, {{0.5:-56}}") == 200


def test_spellings() -> None:
    """u8 and ui8 are two types, as are i8 and si8; each pair has the same numbers (E11)."""
    for first, second, signed in (("u8", "ui8", False), ("i8", "si8", True)):
        a, b = make_quantized(first, "f32", 0.5, 3), make_quantized(second, "f32", 0.5, 3)
        assert a != b
        assert a.storage_type == b.storage_type == integer(8, signed)
        assert repr(b) == f"!quant.uniform<{second}:f32, 5.000000e-01:3>"
    assert parse_element_type("si8") != parse_element_type("i8")


def test_odd_widths() -> None:
    assert parse_type("tensor<2xi3>").storage_type == integer(3, True)
    type = parse_element_type("!quant.uniform<u24:f32, 0.5>")
    assert (type.storage_min, type.storage_max) == (0, 2**24 - 1)


def test_an_error_points_at_its_place() -> None:
    with pytest.raises(Malformed) as caught:
        parse_type("tensor<2x!quant.uniform<i8<-129:127>:f32, 0.1>>")
    assert str(caught.value).splitlines() == [
        "illegal storage type minimum: -129",
        "  tensor<2x!quant.uniform<i8<-129:127>:f32, 0.1>>",
        "                             ^",
    ]


@pytest.mark.parametrize(
    "kind", ["any<i8:f32>", "calibrated<f32<-1.0:1.0>>", "quantile<i8:f32, {1.0,2.0}, <0:1>>"]
)
def test_kinds_without_a_meaning(kind: str) -> None:
    with pytest.raises(Unsupported, match=r"no arithmetic meaning(.|\n)*use !quant\.uniform"):
        parse_type(f"tensor<2x!quant.{kind}>")


TENSOR = TensorType((2, 3), make_quantized("i8", "f32", 0.5, 3))
AXIS = TensorType((2, 3), make_quantized("i8", "f32", (0.5, 1.0, 2.0), 3, quantization_dimension=1))
BLOCK = TensorType(
    (2, 4),
    QuantizedType(I8, -128, 127, ELEMENT_TYPES["f32"], (0.5,) * 4, (0,) * 4, None, ((0, 1), (1, 2)), (2, 2)),
)


def but(base: TensorType, shape: tuple[int, ...] | None = None, **changes: object) -> TensorType:
    """A type with some fields changed."""
    return TensorType(base.shape if shape is None else shape, replace(base.element_type, **changes))


def blocks(
    pairs: tuple[tuple[int, int], ...], counts: tuple[int, ...], size: int, shape: tuple[int, ...] = (2, 4)
) -> TensorType:
    return but(
        BLOCK,
        shape,
        block_sizes=pairs,
        parameters_shape=counts,
        scales=(0.5,) * size,
        zero_points=(0,) * size,
    )


# Each breaks one row, and no row before it.
BROKEN = [
    ("c1", but(TENSOR, storage_min=-1.5)),
    ("c1", TensorType((), parse_element_type("!quant.uniform<f8E4M3FN:f32, 0.5>"))),
    ("c2", but(TENSOR, storage_max=99.5)),
    ("c3", but(TENSOR, storage_min=-129)),
    ("c3", but(TENSOR, storage_max=128)),
    ("c3", but(TENSOR, storage_min=3, storage_max=3)),
    ("c4", but(TENSOR, expressed_type=FOREIGN_FLOATS[1])),
    ("c4", but(TENSOR, scales=(1,))),
    ("c5", but(TENSOR, scales=(0.0,))),
    ("c5", but(TENSOR, scales=(-0.5,))),
    ("c5", but(TENSOR, scales=(float("nan"),))),
    ("c5", but(TENSOR, scales=(1e-9,), expressed_type=ELEMENT_TYPES["f16"])),
    ("c6", but(TENSOR, scales=(float("inf"),))),
    ("c6", but(TENSOR, scales=(1e6,), expressed_type=ELEMENT_TYPES["f16"])),
    ("c7", but(TENSOR, zero_points=(128,))),
    ("c7", but(TENSOR, zero_points=(3,), storage_min=4)),
    ("c8", but(TENSOR, zero_points=(1.5,))),
    ("c9", but(TENSOR, zero_points=(1, 2))),
    ("c10", but(TENSOR, scales=(0.5, 1.0), zero_points=(1, 2))),
    ("c11", but(AXIS, quantization_dimension=-1)),
    ("c12", but(AXIS, quantization_dimension=2)),
    ("c13", but(AXIS, quantization_dimension=0)),
    ("s1", but(BLOCK, scales=(0.5,) * 3, zero_points=(0,) * 3)),
    ("s2", blocks((), (), 1, ())),
    ("s3", blocks(((2, 1),), (1, 1), 1)),
    ("s3", blocks(((-1, 4),), (1, 1), 1)),
    ("s4", blocks(((0, 1), (0, 2)), (1, 1), 1)),
    ("s5", blocks(((0, 0),), (1, 1), 1)),
    ("s6", blocks(((1, 3),), (1, 1), 1)),
    ("s7", blocks(((0, 1),), (0, 1), 0, (0, 4))),
    ("s8", blocks(((0, 1),), (2,), 2)),
    ("s9", blocks(((0, 1), (1, 2)), (1, 2), 2)),
    ("s9", blocks(((0, 1),), (2, 2), 4)),
]


def judged(type: TensorType, mode: str = "strict") -> list[str]:
    found = violations(QUANTIZED_TYPE, type, "quantized_type", UNKNOWN, mode, "stablehlo")
    assert all(str(violation) for violation in found)
    return [violation.code for violation in found]


@pytest.mark.parametrize(
    ("label", "type"), BROKEN, ids=[f"quantized_type_{label}-{n}" for n, (label, _) in enumerate(BROKEN)]
)
def test_violated(label: str, type: TensorType) -> None:
    """Both modes refuse: no program computes with such a type."""
    for mode in ("strict", "mlir"):
        assert judged(type, mode)[0] == f"quantized_type_{label}"


@pytest.mark.parametrize("type", [TENSOR, AXIS, BLOCK, blocks(((1, 4),), (1, 1), 1), blocks((), (1, 1), 1)])
def test_satisfied(type: TensorType) -> None:
    assert judged(type) == []


def test_each_constraint_has_a_violating_case() -> None:
    assert {row.label for row in QUANTIZED_TYPE} == {label for label, _ in BROKEN}


def test_evidence() -> None:
    (found,) = violations(QUANTIZED_TYPE, BROKEN[-1][1], "quantized_type", UNKNOWN, "strict", "stablehlo")
    assert "parameters_shape = (2, 2), shape(self) = (2, 4), block_sizes = ((0, 1),)" in str(found)
