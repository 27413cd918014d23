"""Quantized element types: printed and parsed as MLIR's quant dialect does, with its error messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

from spec.elements import ELEMENT_TYPES, ElementType, decimal, element_type, integer
from spec.errors import Malformed, Unsupported
from spec.formats import float_text, largest, least_exponent, power_of_two, round_all, wrap
from spec.scanner import Scanner

LONG = 64  # scales by block that a message shows
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

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:  # a table may have 2^19 scales
        return hash((self.spelling, self.storage_min, self.expressed_type, self.scales, self.zero_points))

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

    @property
    def brief(self) -> str:
        """The type as MLIR's text, in which a long table of blocks is its first scale and their number."""
        if self.block_sizes is None or len(self.scales) <= LONG:
            return repr(self)
        first = replace(self, scales=self.scales[:1], zero_points=self.zero_points[:1], parameters_shape=(1,))
        return repr(first).replace("}>", f", ... {len(self.scales):,} in all}}>")

    def __repr__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
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


# Parser of `uniform<...>`, with the language and the error messages of MLIR's quant dialect.

Parameter = tuple[float, int]
Parameters = tuple[tuple[int, ...], list[Parameter]]
Blocks = tuple[tuple[int, int], ...]

_STORAGE_TEXT = re.compile(r"(si|ui|u|i)([0-9]+)")
_FLOAT_STORAGE = ("f8E4M3FN", "f8E5M2", "f4E2M1FN")
_WIDER_THAN_F64 = ("f80", "f128")
_DEEPEST = 64


def uniform_type(scanner: Scanner) -> QuantizedType:
    """Return the type from the text after `uniform<`, up to its `>`."""
    storage, spelling = storage_type(scanner)
    storage_min, storage_max = bounds_of(scanner, storage)
    scanner.expect(":")
    expressed = float_type(scanner)
    dimension, blocks = _read_dimensions(scanner)
    scanner.expect(",")
    held = ELEMENT_TYPES["f64"] if blocks is None else expressed
    shape, parameters = _read_parameters(scanner, held, per_tensor=dimension is None and blocks is None)
    scanner.expect(">")
    _check(scanner, parameters, expressed, held)
    scales, zero_points = zip(*parameters, strict=True)
    if blocks is not None:  # MLIR's tensors hold them in the expressed and the storage type
        scales = scales if expressed.name in _WIDER_THAN_F64 else round_all(scales, expressed)
        zero_points = tuple(wrap(point, storage) if point else 0 for point in zero_points)
    parameters_shape = () if blocks is None else shape
    return QuantizedType(
        storage,
        storage_min,
        storage_max,
        expressed,
        scales,
        zero_points,
        dimension,
        blocks,
        parameters_shape,
        spelling,
    )


def storage_type(scanner: Scanner) -> tuple[ElementType, str]:
    """Return the storage type and its spelling."""
    if scanner.peek("!quant"):
        raise scanner.error("a storage that is itself quantized", "use an integer storage type", Unsupported)
    name = scanner.word()
    if match := _STORAGE_TEXT.fullmatch(name):
        bits = decimal(match[2])
        if not 1 <= bits <= 32:
            raise scanner.error(f"illegal storage type size: {bits}")
        return integer(bits, not match[1].startswith("u")), f"{match[1]}{bits}"
    if name in _FLOAT_STORAGE:
        return ELEMENT_TYPES[name], name
    if name.startswith("u"):
        raise scanner.error("expected storage type width")
    raise scanner.error("illegal storage type prefix" if name else "expected valid keyword")


def bounds_of(scanner: Scanner, storage: ElementType) -> tuple[int, int]:
    """Return the storage range: `<-127:127>`, or the whole range of the storage type."""
    least, most = storage_range(storage)
    if not scanner.accept("<"):
        return least, most
    storage_min = scanner.integer_literal(64)
    if storage_min < least:
        raise scanner.error(f"illegal storage type minimum: {storage_min}")
    scanner.expect(":")
    storage_max = scanner.integer_literal(64)
    if storage_max > most:
        raise scanner.error(f"illegal storage type maximum: {storage_max}")
    scanner.expect(">")
    if storage_max <= storage_min:
        raise scanner.error(f"illegal storage min and storage max: ({storage_min}:{storage_max})")
    return storage_min, storage_max


def float_type(scanner: Scanner) -> ElementType:
    """Return the expressed type, which is a float."""
    name = scanner.word()
    type = element_type(name)
    if type and type.kind == "float":
        return type
    is_type = scanner.names_type(name)
    raise scanner.error("invalid kind of type specified" if is_type else "expected non-function type")


def _read_dimensions(scanner: Scanner) -> tuple[int | None, Blocks | None]:
    """Return the quantization dimension, or sub-channel block sizes `:{0:2, 1:4}`, or nothing."""
    if not scanner.accept(":"):
        return None, None
    if not scanner.accept("{"):
        return _axis(scanner), None
    blocks: list[tuple[int, int]] = []
    if not scanner.accept("}"):
        blocks = scanner.read_items(lambda: _block(scanner))
        scanner.expect("}")
    return None, tuple(blocks)


def _axis(scanner: Scanner) -> int:
    axis = scanner.integer_literal(32)
    if axis < 0:
        raise scanner.error(f"illegal quantized dimension: {axis}")
    return axis


def _block(scanner: Scanner) -> tuple[int, int]:
    axis = _axis(scanner)
    scanner.expect(":")
    size = scanner.integer_literal(64)
    if size <= 0:
        raise scanner.error(f"illegal block size: {size}")
    return axis, size


def _read_parameters(scanner: Scanner, type: ElementType, per_tensor: bool) -> Parameters:
    if per_tensor:
        return (), [_parameter(scanner, type)]
    if not scanner.peek("{"):
        raise scanner.error("expected '{'")
    return _list(scanner, type)


def _parameter(scanner: Scanner, type: ElementType) -> Parameter:
    """Return a scale and a zero point (default 0): `0.5:3`."""
    scale = scanner.float_literal(type)
    return scale, scanner.integer_literal(64) if scanner.accept(":") else 0


def _list(scanner: Scanner, type: ElementType, depth: int = 0) -> Parameters:
    """Return the shape of a nested list of parameters, and its leaves; one parameter's shape is ()."""
    if not scanner.accept("{"):
        return (), [_parameter(scanner, type)]
    if depth == _DEEPEST:
        raise scanner.error("tensor literal is nested too deeply")
    if (row := scanner.row()) is not None:
        return (len(row),), row
    items = scanner.read_items(lambda: _list(scanner, type, depth + 1))
    shape = items[0][0]
    if any(other != shape for other, _ in items):
        raise scanner.error("tensor literal is invalid; ranks are not consistent between elements")
    scanner.expect("}")
    return (len(items), *shape), [parameter for _, parameters in items for parameter in parameters]


def _check(scanner: Scanner, parameters: list[Parameter], type: ElementType, held: ElementType) -> None:
    """Raise `Malformed` unless scales lie within the positive range of the expressed type; NaN passes.

    The digits that MLIR prints for either bound may lie beyond it, and are accepted.
    """
    bounds, printed = (0.0, inf), []
    if type.name not in _WIDER_THAN_F64:
        bounds = float(power_of_two(least_exponent(type) - type.mantissa)), largest(type)
        printed = [float(float_text(bound, held)) for bound in bounds]
    for scale, _ in parameters:
        if (scale < bounds[0] or scale > bounds[1]) and scale not in printed:
            shown = [f"{x:.6e}".replace("inf", "INF") for x in (scale, *bounds)]
            raise scanner.error("scale {} out of expressed type range [{}, {}]".format(*shown))
