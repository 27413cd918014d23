"""Parser of `uniform<...>`, with the language and the error messages of MLIR's quant dialect."""

from __future__ import annotations

import re
from math import inf

from spec.elements import ELEMENT_TYPES, ElementType, decimal, element_type, integer
from spec.errors import Unsupported
from spec.float_text import float_text
from spec.formats import largest, least_exponent, power_of_two, round_to, wrap
from spec.quantized import QuantizedType, storage_range
from spec.scanner import Scanner

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
    if blocks is not None:
        parameters = [_narrow(*parameter, expressed, storage) for parameter in parameters]
    scales, zero_points = zip(*parameters, strict=True)
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


def _narrow(scale: float, zero_point: int, expressed: ElementType, storage: ElementType) -> Parameter:
    """Return sub-channel parameters as MLIR's tensors hold them, in the expressed and the storage type."""
    fits = expressed.name in _WIDER_THAN_F64
    return scale if fits else round_to(scale, expressed), wrap(zero_point, storage)
