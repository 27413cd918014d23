"""Constants as MLIR text: exact, and in hexadecimal beyond a certain length."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

from spec.ir import Dense
from spec.types import ElementType, QuantizedType, TensorType, complex_part

_HEX_FROM = 64  # elements; longer constants are written as one hexadecimal string, as MLIR itself does


def dense_text(dense: Dense, limit: int | None = None) -> str:
    """Return `dense<[1, 2]> : tensor<2xi8>`; quantized constants are written in their storage type."""
    element, shape = dense.type.storage_type, dense.type.shape
    type = f"tensor<{''.join(f'{n}x' for n in shape)}{_storage_text(dense.type)}>"
    width = container_bytes(element)
    count = len(dense.data) // width
    if limit is not None and count > limit:
        first = ", ".join(_element_texts(bytes(dense.data[: 3 * width]), element))
        return f"dense<[{first}, ...]> : {type}"
    if count > _HEX_FROM and element.kind != "boolean":
        return f'dense<"0x{_pack(dense.data, element).hex().upper()}"> : {type}'
    texts = list(_element_texts(bytes(dense.data), element))
    return f"dense<{texts[0] if dense.splat else _nest(texts, shape)}> : {type}"


def _storage_text(type: TensorType) -> str:
    """Return the element type of a constant in MLIR, which writes `u8` storage as the signless `i8`."""
    if not isinstance(type.element_type, QuantizedType):
        return type.element_type.name
    spelling = type.element_type.spelling
    return spelling if spelling[:2] in ("ui", "si") else f"i{type.element_type.storage_type.bits}"


def container_bytes(element: ElementType) -> int:
    """Return the bytes of an element's container in `Dense`: a power of two, at least one."""
    return next(size for size in (1, 2, 4, 8, 16) if 8 * size >= element.bits)


def _pack(data: bytes | memoryview, element: ElementType) -> bytes | memoryview:
    """Return the bytes of narrow integers without their sign extension, as MLIR holds them."""
    return data if element.bits >= 8 else bytes(byte & ((1 << element.bits) - 1) for byte in data)


def _nest(texts: list[str], shape: Sequence[int]) -> str:
    if 0 in shape:
        return ""
    for size in reversed(shape):
        texts = [f"[{', '.join(texts[i : i + size])}]" for i in range(0, len(texts), size)]
    return texts[0]


def _element_texts(data: bytes, element: ElementType) -> Iterator[str]:
    width = container_bytes(element)
    for start in range(0, len(data), width):
        yield _element_text(data[start : start + width], element)


def _element_text(data: bytes, element: ElementType) -> str:
    if element.kind == "boolean":
        return "true" if data[0] else "false"
    if element.is_integer:
        return str(int.from_bytes(data, "little", signed=element.kind == "signed"))
    if element.kind == "complex":
        part, half = complex_part(element).name, len(data) // 2
        return f"({_float_text(data[:half], part)},{_float_text(data[half:], part)})"
    return _float_text(data, element.name)


_STRUCT = {"bf16": "<f", "f16": "<e", "f32": "<f", "f64": "<d"}


def _float_text(data: bytes, name: str) -> str:
    """Return the shortest decimal that reads back as the same float, or its bits if there is none."""
    if name in _STRUCT:
        code, padded = _STRUCT[name], bytes(2 * (name == "bf16")) + data
        (value,) = struct.unpack(code, padded)
        if abs(value) < float("inf"):
            texts = (f"{value:.{digits}g}" for digits in range(1, 18))
            return decimal(next(t for t in texts if _reads_back(t, code, padded)))
    return "0x" + data[::-1].hex().upper()


def _reads_back(text: str, code: str, data: bytes) -> bool:
    try:
        return struct.pack(code, float(text)) == data
    except OverflowError:  # so few digits that it rounds up past the largest
        return False


def decimal(text: str) -> str:
    """Return a float literal, with the point that MLIR demands."""
    mantissa, e, exponent = text.partition("e")
    return (mantissa if "." in mantissa else f"{mantissa}.0") + e + exponent
