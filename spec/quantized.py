"""Quantized element types, printed as MLIR prints them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from spec.elements import ELEMENT_TYPES, ElementType, decimal, integer
from spec.errors import Malformed
from spec.float_text import float_text
from spec.formats import largest, wrap

_STORAGE = re.compile(r"(si|ui|s|u|i|)([0-9]+)")


@dataclass(frozen=True)
class QuantizedType:
    """A quantized element type: storage integers that represent `(storage - zero_point) * scale`.

    It is per tensor (one scale), per axis (`quantization_dimension`, one scale for each slice) or sub-channel
    (`block_sizes`, pairs of axis and block size, and `parameters_shape`, the shape of the row-major
    `scales` and `zero_points`). Scales are the binary64 numbers that MLIR holds; operations round them to the
    expressed type. `spelling` is the storage type as MLIR writes it: `u8` and `ui8` are two MLIR types, both
    unsigned here (erratum E11).
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "spelling", self.spelling or self.storage_type.name)

    @property
    def is_per_tensor(self) -> bool:
        return self.quantization_dimension is None and self.block_sizes is None

    @property
    def is_per_axis(self) -> bool:
        return self.quantization_dimension is not None

    @property
    def scale(self) -> float:
        """The only scale of a per-tensor type."""
        (scale,) = self.scales
        return scale

    @property
    def zero_point(self) -> int:
        """The only zero point of a per-tensor type."""
        (zero_point,) = self.zero_points
        return zero_point

    def __repr__(self) -> str:
        bounds = self.storage_min, self.storage_max
        storage = self.spelling + (
            f"<{bounds[0]}:{bounds[1]}>" if bounds != storage_range(self.storage_type) else ""
        )
        return f"!quant.uniform<{storage}:{self.expressed_type}{_dimensions(self)}, {_parameters(self)}>"


def storage_range(type: ElementType) -> tuple[int, int]:
    """Return the default storage_min and storage_max; for float storage, plus and minus its largest value."""
    if type.kind == "float":
        return -int(largest(type)), int(largest(type))
    return type.min_value, type.max_value


def _dimensions(type: QuantizedType) -> str:
    if type.block_sizes is not None:
        return ":{" + ", ".join(f"{axis}:{size}" for axis, size in type.block_sizes) + "}"
    return "" if type.quantization_dimension is None else f":{type.quantization_dimension}"


def _parameters(type: QuantizedType) -> str:
    held, points = ELEMENT_TYPES["f64"], type.zero_points
    if (
        type.block_sizes is not None
    ):  # a tensor of the expressed type and one of storage, whose signedness is lost
        signed = integer(type.storage_type.bits, True)
        held, points = type.expressed_type, tuple(wrap(point, signed) for point in points)
    texts = [_pair(*pair, held) for pair in zip(type.scales, points, strict=False)]
    if type.block_sizes is not None:
        return _nest(texts, type.parameters_shape)
    return f"{{{','.join(texts)}}}" if type.is_per_axis else ",".join(texts)


def _pair(scale: float, zero_point: int, type: ElementType) -> str:
    return float_text(scale, type) + (f":{zero_point}" if zero_point else "")


def _nest(texts: Sequence[str], shape: Sequence[int]) -> str:
    for size in reversed(shape):
        texts = [f"{{{', '.join(texts[i : i + size])}}}" for i in range(0, len(texts), size)]
    return ", ".join(texts)


def make_quantized(
    storage: str,
    expressed: str,
    scale: float | Iterable[float],
    zero_point: int | Iterable[int] = 0,
    *,
    storage_min: int | None = None,
    storage_max: int | None = None,
    quantization_dimension: int | None = None,
) -> QuantizedType:
    """Build a per-tensor or per-axis type: `make_quantized("i8", "f32", 0.5, 3)`.

    `Malformed` for a storage that is not an integer of 1 to 64 bits, and for an unknown expressed type.
    """
    match = _STORAGE.fullmatch(storage)
    bits = decimal(match[2]) if match else 0
    if match is None or not 1 <= bits <= 64:
        raise Malformed(
            f"no storage type {storage!r}", "expected an integer of 1 to 64 bits, such as i8 or ui4"
        )
    if expressed not in ELEMENT_TYPES:
        raise Malformed(f"no expressed type {expressed!r}", "expected a float, such as f32")
    element = integer(bits, not match[1].startswith("u"))
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
