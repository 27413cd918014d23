"""ONNX's names and numbers of element types, and the version since which each operator takes a type."""

from __future__ import annotations

from collections.abc import Mapping

from spec.elements import ELEMENT_TYPES, ElementType
from spec.errors import Malformed

# By ONNX's name: the number in TensorProto.DataType, and the element type.
_NUMBERED = {
    "float": (1, "f32"),
    "uint8": (2, "ui8"),
    "int8": (3, "i8"),
    "uint16": (4, "ui16"),
    "int16": (5, "i16"),
    "int32": (6, "i32"),
    "int64": (7, "i64"),
    "bool": (9, "i1"),
    "float16": (10, "f16"),
    "double": (11, "f64"),
    "uint32": (12, "ui32"),
    "uint64": (13, "ui64"),
    "bfloat16": (16, "bf16"),
    "float8e4m3fn": (17, "f8E4M3FN"),
    "float8e4m3fnuz": (18, "f8E4M3FNUZ"),
    "float8e5m2": (19, "f8E5M2"),
    "float8e5m2fnuz": (20, "f8E5M2FNUZ"),
    "uint4": (21, "ui4"),
    "int4": (22, "i4"),
    "float4e2m1": (23, "f4E2M1FN"),
    "float8e8m0": (24, "f8E8M0FNU"),
    "uint2": (25, "ui2"),
    "int2": (26, "i2"),
    "float6e2m3": (27, "f6E2M3FN"),
    "float6e3m2": (28, "f6E3M2FN"),
}
NUMBERS = {name: number for name, (number, _) in _NUMBERED.items()}
ONNX_NAMES = {element: name for name, (_, element) in _NUMBERED.items()}
BY_NUMBER = {number: ELEMENT_TYPES[element] for number, element in _NUMBERED.values()}

Since = Mapping[str, int]  # versions by the name of an element type

FLOAT8 = ("f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ")
INT8: Since = {"i8": 10, "ui8": 10}
QUANTIZED: Since = {
    **INT8,
    **dict.fromkeys(FLOAT8, 19),
    **dict.fromkeys(("i16", "ui16", "i4", "ui4"), 21),
    "f4E2M1FN": 23,
    **dict.fromkeys(("i2", "ui2"), 25),
    **dict.fromkeys(("f6E2M3FN", "f6E3M2FN"), 28),
}
REAL: Since = {"f32": 10, "f16": 19, "bf16": 19}
SCALE: Since = {**REAL, "f8E8M0FNU": 24}


def number_of(type: ElementType) -> int:
    """Return the number of an element type in TensorProto.DataType."""
    return NUMBERS[ONNX_NAMES[type.name]]


def type_number(given: int | str) -> int:
    """Return the number for a number, ONNX's name ("uint8") or an element type's ("ui8"); 0 is undefined."""
    if isinstance(given, int):
        return given
    name = ONNX_NAMES.get(given, given)
    if name not in NUMBERS:
        raise Malformed(f"{given!r} is not an element type of ONNX", f"expected one of {', '.join(NUMBERS)}")
    return NUMBERS[name]


def type_names(table: Since, version: int) -> tuple[str, ...]:
    """Return the names of the types that a version takes."""
    return tuple(name for name, since in table.items() if since <= version)
