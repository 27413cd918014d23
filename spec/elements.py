"""The table of element types: integers, floats, complex numbers. A new format is a new row."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class ElementType:
    """A row of `ELEMENT_TYPES`.

    `kind` is boolean, signed, unsigned, float or complex. A float has a sign bit (except f8E8M0FNU),
    `exponent` and `mantissa` bits, `bias`, and `special`, the meaning of the all-ones exponent: "ieee"
    (infinities and NaNs), "fn" (no infinity, one NaN), "fnuz" (no infinity, no -0, whose code is the NaN),
    "finite" (ordinary numbers), "fnu" (unsigned powers of two, one NaN). `numpy` names the array dtype that
    stores it, which may be one of ml_dtypes.
    """

    name: str
    kind: str
    bits: int
    numpy: str
    exponent: int = 0
    mantissa: int = 0
    bias: int = 0
    special: str = ""

    def __repr__(self) -> str:
        return self.name

    @property
    def is_integer(self) -> bool:
        """Return whether it is signed or unsigned; booleans are not integers in the specification."""
        return self.kind in ("signed", "unsigned")

    @property
    def precision(self) -> int:
        """The number of significant bits of a normal float, including the hidden one."""
        return self.mantissa + 1

    @property
    def min_value(self) -> int:
        """The least value of an integer type."""
        return -(1 << (self.bits - 1)) if self.kind == "signed" else 0

    @property
    def max_value(self) -> int:
        """The largest value of an integer type."""
        return (1 << (self.bits - (self.kind == "signed"))) - 1


def integer(bits: int, signed: bool) -> ElementType:
    """Return the integer type of that width; `quant` storage may have widths that are not in the table."""
    container = next(size for size in (8, 16, 32, 64) if size >= bits)
    name, kind = ("i", "signed") if signed else ("ui", "unsigned")
    return ElementType(f"{name}{bits}", kind, bits, f"{'u' * (not signed)}int{container}")


def _float(
    name: str, bits: int, exponent: int, mantissa: int, bias: int, special: str, numpy: str
) -> ElementType:
    return ElementType(name, "float", bits, numpy, exponent, mantissa, bias, special)


FLOATS = (
    _float("f4E2M1FN", 4, 2, 1, 1, "finite", "float4_e2m1fn"),
    _float("f6E2M3FN", 6, 2, 3, 1, "finite", "float6_e2m3fn"),
    _float("f6E3M2FN", 6, 3, 2, 3, "finite", "float6_e3m2fn"),
    _float("f8E3M4", 8, 3, 4, 3, "ieee", "float8_e3m4"),
    _float("f8E4M3", 8, 4, 3, 7, "ieee", "float8_e4m3"),
    _float("f8E4M3FN", 8, 4, 3, 7, "fn", "float8_e4m3fn"),
    _float("f8E4M3FNUZ", 8, 4, 3, 8, "fnuz", "float8_e4m3fnuz"),
    _float("f8E4M3B11FNUZ", 8, 4, 3, 11, "fnuz", "float8_e4m3b11fnuz"),
    _float("f8E5M2", 8, 5, 2, 15, "ieee", "float8_e5m2"),
    _float("f8E5M2FNUZ", 8, 5, 2, 16, "fnuz", "float8_e5m2fnuz"),
    _float("f8E8M0FNU", 8, 8, 0, 127, "fnu", "float8_e8m0fnu"),
    _float("bf16", 16, 8, 7, 127, "ieee", "bfloat16"),
    _float("f16", 16, 5, 10, 15, "ieee", "float16"),
    _float("f32", 32, 8, 23, 127, "ieee", "float32"),
    _float("f64", 64, 11, 52, 1023, "ieee", "float64"),
)
# Of quantized types alone: there are no tensors of it, and a number takes the array dtype of f32.
TF32 = _float("tf32", 19, 8, 10, 127, "ieee", "float32")
EXPRESSED_TYPES = (*FLOATS, TF32)
# Expressed types that MLIR reads and StableHLO cannot compute with: no array dtype.
FOREIGN_FLOATS = (
    TF32,
    _float("f80", 80, 15, 63, 16383, "ieee", ""),
    _float("f128", 128, 15, 112, 16383, "ieee", ""),
)
ELEMENT_TYPES: dict[str, ElementType] = {
    t.name: t
    for t in (
        ElementType("i1", "boolean", 1, "bool"),
        *(integer(bits, True) for bits in (2, 4, 8, 16, 32, 64)),
        *(integer(bits, False) for bits in (2, 4, 8, 16, 32, 64)),
        *FLOATS,
        ElementType("complex<f32>", "complex", 64, "complex64"),
        ElementType("complex<f64>", "complex", 128, "complex128"),
    )
}


def complex_part(type: ElementType) -> ElementType:
    """Return the element type of the real and the imaginary part."""
    return ELEMENT_TYPES[type.name.removeprefix("complex<").removesuffix(">")]


_INTEGER = re.compile(r"(si|ui|i)([0-9]+)")


def element_type(name: str) -> ElementType | None:
    """Return the element type with this name, in any integer width up to 64; None if there is none.

    A name with explicit signedness is another type: `si8` is signed like `i8`, but not equal to it.
    """
    if name in ELEMENT_TYPES:
        return ELEMENT_TYPES[name]
    match = _INTEGER.fullmatch(name)
    if match and 1 <= decimal(match[2]) <= 64:
        bits = decimal(match[2])
        return replace(integer(bits, match[1] != "ui"), name=f"{match[1]}{bits}")
    return next((t for t in FOREIGN_FLOATS if t.name == name), None)


def decimal(digits: str) -> int:
    """Return the integer in a decimal text; for over 26 digits, which Python may refuse, one as large."""
    return int(digits.lstrip("0")[:26] or "0")
