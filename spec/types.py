"""Types: the table of element types, quantized element types and tensor types. `repr` is MLIR's text and parses back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod


@dataclass(frozen=True)
class ElementType:
    """A row of `ELEMENT_TYPES`.

    `kind` is boolean, signed, unsigned, float or complex. For floats: a sign bit (but in f8E8M0FNU), `exponent` and
    `mantissa` bits, `bias`, and `special`, what the all-ones exponent means: "ieee" (infinities and NaNs), "fn" (no
    infinity, one NaN), "fnuz" (no infinity, no -0, whose code is the NaN), "finite" (nothing), "fnu" (unsigned powers
    of two, one NaN). `numpy` names the array dtype that stores it (ml_dtypes names included).
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
        """Signed or unsigned; booleans are not integers in the specification."""
        return self.kind in ("signed", "unsigned")

    @property
    def precision(self) -> int:
        """Significant bits of a normal float, the hidden one included."""
        return self.mantissa + 1

    @property
    def min_value(self) -> int:
        """Least value of an integer type."""
        return -(1 << (self.bits - 1)) if self.kind == "signed" else 0

    @property
    def max_value(self) -> int:
        """Largest value of an integer type."""
        return (1 << (self.bits - (self.kind == "signed"))) - 1


def integer(bits: int, signed: bool) -> ElementType:
    """The integer type of that width; `quant` storage may have widths that the table does not name."""
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
# Expressed types that MLIR reads and StableHLO cannot compute with: no array dtype.
FOREIGN_FLOATS = (
    _float("tf32", 19, 8, 10, 127, "ieee", ""),
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
    """The element type of the real and the imaginary part."""
    return ELEMENT_TYPES[type.name.removeprefix("complex<").removesuffix(">")]


@dataclass(frozen=True)
class QuantizedType:
    """A quantized element type: storage integers that stand for `(storage - zero_point) * scale`.

    Per tensor (one scale), per axis (`quantization_dimension`, one scale a slice) or sub-channel (`block_sizes`, pairs
    of axis and block size, and `parameters_shape`, the shape of the row-major `scales` and `zero_points`). Scales are
    the binary64 that MLIR holds; meaning rounds them to the expressed type. `spelling` is the storage as MLIR writes
    it: `u8` and `ui8` are two MLIR types, both unsigned here (erratum E11).
    """

    storage_type: ElementType
    storage_min: int
    storage_max: int
    expressed_type: ElementType
    scales: tuple[float, ...]
    zero_points: tuple[int, ...]
    quantization_dimension: int | None = None
    block_sizes: tuple[tuple[int, int], ...] | None = None
    parameters_shape: tuple[int, ...] = ()
    spelling: str = ""

    @property
    def is_per_tensor(self) -> bool:
        return self.quantization_dimension is None and self.block_sizes is None

    @property
    def is_per_axis(self) -> bool:
        return self.quantization_dimension is not None

    @property
    def scale(self) -> float:
        """The one scale of a per-tensor type."""
        (scale,) = self.scales
        return scale

    @property
    def zero_point(self) -> int:
        """The one zero point of a per-tensor type."""
        (zero_point,) = self.zero_points
        return zero_point


def quantized(
    storage: str,
    expressed: str,
    scale: float | Iterable[float],
    zero_point: int | Iterable[int] = 0,
    *,
    storage_min: int | None = None,
    storage_max: int | None = None,
    quantization_dimension: int | None = None,
) -> QuantizedType:
    """Build a per-tensor or per-axis type: `quantized("i8", "f32", 0.5, 3)`."""
    element = integer(int(storage.lstrip("siu")), not storage.startswith("u"))
    scales = (scale,) if isinstance(scale, float | int) else tuple(scale)
    points = (zero_point,) * len(scales) if isinstance(zero_point, int) else tuple(zero_point)
    return QuantizedType(
        element,
        element.min_value if storage_min is None else storage_min,
        element.max_value if storage_max is None else storage_max,
        ELEMENT_TYPES[expressed],
        tuple(map(float, scales)),
        points,
        quantization_dimension,
        spelling=storage,
    )


@dataclass(frozen=True)
class TensorType:
    """`tensor<2x3xf32>`. A dynamic dimension size is None: it parses and prints, nothing runs it."""

    shape: tuple[int, ...]
    element_type: ElementType | QuantizedType

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def is_quantized(self) -> bool:
        return isinstance(self.element_type, QuantizedType)

    @property
    def storage_type(self) -> ElementType:
        """The element type of the stored numbers: the storage type where quantized, else the element type."""
        return (
            self.element_type.storage_type
            if isinstance(self.element_type, QuantizedType)
            else self.element_type
        )

    def __repr__(self) -> str:
        sizes = "".join(f"{'?' if n is None else n}x" for n in self.shape)
        return f"tensor<{sizes}{self.element_type!r}>"
