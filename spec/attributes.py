"""Values of attributes, and their text as MLIR writes it, which reads back as the same values."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from spec.types import ElementType, QuantizedType, TensorType, complex_part


@dataclass(frozen=True)
class Dense:
    """A constant tensor: its type and its elements as little-endian bytes, row-major, unpacked.

    An element takes the bytes of its NumPy container (i4: one byte, sign-extended; i1: one byte, 0 or 1); a
    quantized constant has its quantized type and holds storage integers. A splat holds one element. Large
    constants are views of the file that they were read from.
    """

    type: TensorType
    data: bytes | memoryview
    splat: bool = False

    def __reduce__(self) -> tuple[Any, ...]:
        return Dense, (self.type, bytes(self.data), self.splat)  # a view cannot be pickled

    def __repr__(self) -> str:
        return dense_text(self)


@dataclass(frozen=True)
class Symbol:
    """A reference to a function: `@name`."""

    name: str

    def __repr__(self) -> str:
        return symbol_text(self.name)


@dataclass(frozen=True)
class Opaque:
    """An attribute that is not interpreted, kept as MLIR's text so that printing loses nothing."""

    text: str

    def __repr__(self) -> str:
        return self.text


class Algorithm(NamedTuple):
    """The inputs of dot_general that make up its algorithm; they are set together or not at all."""

    lhs_precision_type: ElementType
    rhs_precision_type: ElementType
    accumulation_type: ElementType
    lhs_component_count: int
    rhs_component_count: int
    num_primitive_operations: int
    allow_imprecise_accumulation: bool

    @property
    def precision_types(self) -> tuple[ElementType, ElementType]:
        return self.lhs_precision_type, self.rhs_precision_type


ALGORITHM = Algorithm._fields


# Constants as MLIR text: exact, and in hexadecimal beyond a certain length.

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


# Attributes whose value is a word of one of StableHLO's enumerations, and that enumeration's name in MLIR.
ENUMERATIONS = {
    "comparison_direction": "comparison_direction",
    "compare_type": "comparison_type",
    "precision_config": "precision",
    "fft_type": "fft_type",
    "transpose_a": "transpose",
    "rng_distribution": "rng_distribution",
    "rng_algorithm": "rng_algorithm",
}
# Attributes that are lists of types, and lists of floats.
SPECS = {"input_specs", "output_specs"}
REALS = {"min", "max"}
# Attributes that are lists of lists of integers, whatever they have, and flags that are there or not.
TABLES = {"padding", "replica_groups", "source_target_pairs"}
FLAGS = {"use_global_device_ids"}
READ_AS_FLAGS = FLAGS | {"has_dynamic_root"}
# The inputs that the attribute `channel_handle` bundles, by the names of its fields.
CHANNEL = {"handle": "channel_id", "type": "channel_type"}
# Inputs of type si32; every other integer is an si64.
SI32 = {"exponent_bits", "mantissa_bits", "index", "version"}


class DimensionNumbers(NamedTuple):
    """An MLIR attribute that bundles inputs of the specification; `inputs` has their defaults."""

    attribute: str
    mnemonic: str
    inputs: Mapping[str, int | tuple[int, ...]]


_DOT = DimensionNumbers(
    "dot_dimension_numbers",
    "dot",
    {
        "lhs_batching_dimensions": (),
        "rhs_batching_dimensions": (),
        "lhs_contracting_dimensions": (),
        "rhs_contracting_dimensions": (),
    },
)
_CONVOLUTION = DimensionNumbers(
    "dimension_numbers",
    "conv",
    {
        "input_batch_dimension": 0,
        "input_feature_dimension": 0,
        "input_spatial_dimensions": (),
        "kernel_input_feature_dimension": 0,
        "kernel_output_feature_dimension": 0,
        "kernel_spatial_dimensions": (),
        "output_batch_dimension": 0,
        "output_feature_dimension": 0,
        "output_spatial_dimensions": (),
    },
)
_GATHER = DimensionNumbers(
    "dimension_numbers",
    "gather",
    {
        "offset_dims": (),
        "collapsed_slice_dims": (),
        "operand_batching_dims": (),
        "start_indices_batching_dims": (),
        "start_index_map": (),
        "index_vector_dim": 0,
    },
)
_SCATTER = DimensionNumbers(
    "scatter_dimension_numbers",
    "scatter",
    {
        "update_window_dims": (),
        "inserted_window_dims": (),
        "input_batching_dims": (),
        "scatter_indices_batching_dims": (),
        "scatter_dims_to_operand_dims": (),
        "index_vector_dim": 0,
    },
)
DIMENSION_NUMBERS = {
    "stablehlo.dot_general": _DOT,
    "stablehlo.convolution": _CONVOLUTION,
    "stablehlo.dynamic_conv": _CONVOLUTION,
    "stablehlo.gather": _GATHER,
    "stablehlo.dynamic_gather": _GATHER,
    "stablehlo.scatter": _SCATTER,
}


def attributes_text(op: str, attributes: Mapping[str, Any], limit: int | None) -> str:
    """Return the dictionary of an operation's attributes, which MLIR bundles in other ways, or nothing."""
    attributes = dict(attributes)
    bundle = DIMENSION_NUMBERS.get(op)
    if bundle and all(name in attributes for name in bundle.inputs):
        inputs = {name: attributes.pop(name) for name in bundle.inputs}
        attributes[bundle.attribute] = Opaque(_bundle_text(bundle.mnemonic, inputs))
    if all(name in attributes for name in CHANNEL.values()):
        fields = ", ".join(f"{field} = {attributes.pop(name)}" for field, name in CHANNEL.items())
        attributes["channel_handle"] = Opaque(f"#stablehlo.channel_handle<{fields}>")
    for name in FLAGS & attributes.keys():
        if attributes.pop(name):
            attributes[name] = Opaque("unit")
    if all(name in attributes for name in ALGORITHM):
        fields = ", ".join(f"{name} = {_word(attributes.pop(name))}" for name in ALGORITHM)
        attributes["algorithm"] = Opaque(f"#stablehlo.dot_algorithm<{fields}>")
    items = (f"{_key(name)} = {attribute_text(name, value, limit)}" for name, value in attributes.items())
    return f" {{{', '.join(items)}}}" if attributes else ""


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value)


def _bundle_text(mnemonic: str, inputs: Mapping[str, Any]) -> str:
    texts = (f"{n} = {list(v) if isinstance(v, tuple) else v}" for n, v in inputs.items())
    return f"#stablehlo.{mnemonic}<{'raw ' if mnemonic == 'conv' else ''}{', '.join(texts)}>"


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_][\w.$]*", name) else quote(name)


def attribute_text(name: str, value: Any, limit: int | None = None) -> str:
    """Return an attribute as MLIR writes it; its name shows whether it is an enumeration or padding."""
    if name in ENUMERATIONS and isinstance(value, str):
        return f"#stablehlo<{ENUMERATIONS[name]} {value}>"
    if isinstance(value, tuple):
        return _tuple_text(name, value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return f"{value} : {'i32' if name in SI32 else 'i64'}"
    if isinstance(value, float):
        return f"{decimal(repr(value))} : f32"
    if isinstance(value, str):
        return quote(value)
    return dense_text(value, limit) if isinstance(value, Dense) else repr(value)


def _tuple_text(name: str, value: tuple[Any, ...]) -> str:
    if name in ENUMERATIONS:
        return f"[{', '.join(attribute_text(name, word) for word in value)}]"
    if name in SPECS:
        return f"[{', '.join(map(repr, value))}]"
    if name in REALS:
        return f"[{', '.join(attribute_text(name, item) for item in value)}]"
    if (name in TABLES and not value) or (value and isinstance(value[0], tuple)):
        columns = len(value[0]) if value else 2
        return f"dense<{[list(row) for row in value] or ''}> : tensor<{len(value)}x{columns}xi64>"
    boolean = name == "window_reversal" or (bool(value) and isinstance(value[0], bool))
    texts = ", ".join(str(item).lower() for item in value)
    return f"array<{'i1' if boolean else 'i64'}{': ' if value else ''}{texts}>"


def symbol_text(name: str) -> str:
    return f"@{name}" if re.fullmatch(r"[A-Za-z_][\w$.]*", name) else f"@{quote(name)}"


def quote(text: str) -> str:
    """Return a string literal of MLIR, in which all but plain ASCII is written as `\\XX` bytes."""
    escaped = (
        chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}"
        for b in text.encode("utf-8", "surrogateescape")
    )
    return f'"{"".join(escaped)}"'
