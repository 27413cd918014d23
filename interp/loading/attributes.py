"""MLIR attributes as the specification's inputs: parsed from their text, with defaults filled in."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Mapping
from typing import Any

from spec.attributes import (
    ALGORITHM,
    CHANNEL,
    DIMENSION_NUMBERS,
    ENUMERATIONS,
    READ_AS_FLAGS,
    REALS,
    SI32,
    SPECS,
    Dense,
    DimensionNumbers,
    Opaque,
    Symbol,
    container_bytes,
)
from spec.errors import InterpError, Malformed
from spec.quant_kinds import parse_specs
from spec.types import ElementType, TensorType, complex_part, parse_element_type, parse_type

_ENUM_WORD = re.compile(r"#stablehlo<\s*(\w+)\s+(\w+)\s*>")
_LIST = re.compile(r"\[\s*(?:-?\d{1,19}\s*,\s*)*(?:-?\d{1,19})?\s*\]")
_FIELDS = re.compile(rf"\s*(\w+)\s*=\s*({_LIST.pattern}|-?\d{{1,19}})\s*(?:,|$)")
_LABELS = re.compile(r"\[([^]]*)\]\s*x\s*\[([^]]*)\]\s*->\s*\[([^]]*)\]\s*")
_ALGORITHM_FIELD = re.compile(r"(\w+)\s*=\s*(.*?)\s*(?=,\s*\w+\s*=|$)", re.DOTALL)
_ARRAY = re.compile(r"array<(i64|i1)(?:: ([^>]*))?>")
_REAL = re.compile(r"(-?\d+\.\d*(?:[eE][-+]?\d+)?) : f32")
_SYMBOL = re.compile(r'@([A-Za-z_][\w$.]*|"(?:[^"\\]|\\.)*")')
# Elements of which jaxlib gives a view; for others it raises.
VIEWED = {"i1", "f16", "f32", "f64", *(f"{sign}i{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))}
_DENSE = re.compile(r"dense<(.*)> : (tensor<.*>)", re.DOTALL)


def python_value(name: str, text: str) -> Any:
    """Return the Python value of an attribute's text, or `Opaque`. Constants are read by `constant`."""
    if name in ENUMERATIONS and text.startswith(("#", "[")):
        return _words(ENUMERATIONS[name], text)
    if text in ("true", "false"):
        return text == "true"
    if text == "unit" and name in READ_AS_FLAGS:
        return True
    if match := re.fullmatch(r"(-?\d+) : i32" if name in SI32 else r"(-?\d+) : i64", text):
        return int(match[1])
    if match := _ARRAY.fullmatch(text):
        item = int if match[1] == "i64" else (lambda word: word == "true")
        return tuple(item(word.strip()) for word in match[2].split(",")) if match[2] else ()
    if match := _REAL.fullmatch(text):
        return float(match[1])
    if name in SPECS | REALS and text.startswith("["):
        return _types_or_reals(name, text)
    if re.fullmatch(r'"(?:[^"\\]|\\.)*"', text):
        return unquote(text)
    if match := _SYMBOL.fullmatch(text):
        return Symbol(unquote(match[1]))
    return Opaque(text)


def _words(mnemonic: str, text: str) -> Any:
    """Return a word of an enumeration, or the tuple of a list's words; `Opaque` for anything else."""
    is_list = text.startswith("[") and text.endswith("]")
    items = text[1:-1].split(", ") if is_list else [text]
    matches = [_ENUM_WORD.fullmatch(item) for item in items if item]
    words = tuple(match[2] for match in matches if match and match[1] == mnemonic)
    if len(words) != len(matches):
        return Opaque(text)
    return words if is_list else words[0]


def _types_or_reals(name: str, text: str) -> Any:
    """Return the tuple of types or of floats in `[...]`, or `Opaque` if it holds anything else."""
    if name in REALS:
        words = text[1:-1].split(", ")
        reals = [_REAL.fullmatch(word) for word in words if word]
        return tuple(float(real[1]) for real in reals if real) if all(reals) else Opaque(text)
    try:
        return parse_specs(text)
    except InterpError:
        return Opaque(text)


def unquote(text: str) -> str:
    """Return a string literal's content, or a bare word itself; bytes not in UTF-8 become surrogates."""
    if not text.startswith('"'):
        return text
    raw = re.sub(
        rb"\\([0-9A-Fa-f]{2}|.)",
        lambda m: (
            bytes.fromhex(m[1].decode()) if len(m[1]) == 2 else {b"n": b"\n", b"t": b"\t"}.get(m[1], m[1])
        ),
        text[1:-1].encode("utf-8", "surrogateescape"),
    )
    return raw.decode("utf-8", "surrogateescape")


def unbundle(bundle: DimensionNumbers, text: str) -> dict[str, Any] | None:
    """Return the inputs in a bundle such as `#stablehlo.dot<lhs_contracting_dimensions = [1], ...>`.

    None if the text is not one: MLIR has parsed it only if it knows the dialect.
    """
    body = _body(text)
    if bundle.mnemonic == "conv" and not body.startswith("raw "):
        return _convolution_inputs(body)
    return _fields(body.removeprefix("raw "), bundle.inputs)


def _body(text: str) -> str:
    """Return the text between the first `<` and the last `>`."""
    return text.partition("<")[2].rpartition(">")[0].strip()


def _fields(body: str, defaults: Mapping[str, int | tuple[int, ...]]) -> dict[str, Any] | None:
    """Return the fields `name = 1, other = [0, 1]`; None for other text, an unknown name or another kind."""
    found: dict[str, Any] = {}
    at = 0
    while at < len(body):
        field = _FIELDS.match(body, at)
        if field is None or field[1] in found or field[1] not in defaults:
            return None
        found[field[1]] = _integers(field[2])
        if type(found[field[1]]) is not type(defaults[field[1]]):
            return None
        at = field.end()
    return {**defaults, **found}


def _integers(text: str) -> int | tuple[int, ...]:
    return tuple(map(int, re.findall(r"-?\d+", text))) if text.startswith("[") else int(text)


def _convolution_inputs(body: str) -> dict[str, Any] | None:
    """Return the inputs in `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`; None for other text."""
    match = _LABELS.fullmatch(body)
    if match is None:
        return None
    inputs, kernel, output = ([label.strip() for label in part.split(",")] for part in match.groups())
    found: dict[str, Any] = {}
    for name, labels, (first, second) in (
        ("input", inputs, ("batch", "feature")),
        ("kernel", kernel, ("input_feature", "output_feature")),
        ("output", output, ("batch", "feature")),
    ):
        letters = [label for label in labels if not re.fullmatch(r"\d{1,9}|\?", label)]
        numbers = sorted((int(label), d) for d, label in enumerate(labels) if re.fullmatch(r"\d{1,9}", label))
        if sorted(letters) != [first[0], second[0]] or [n for n, _ in numbers] != [*range(len(numbers))]:
            return None
        found[f"{name}_{first}_dimension"] = labels.index(first[0])
        found[f"{name}_{second}_dimension"] = labels.index(second[0])
        found[f"{name}_spatial_dimensions"] = tuple(d for _, d in numbers)
    return found


def _window_defaults(rank: int) -> dict[str, Any]:
    ones = (1,) * rank
    return {
        "window_strides": ones,
        "base_dilations": ones,
        "window_dilations": ones,
        "padding": ((0, 0),) * rank,
    }


def _scatter_window_defaults(rank: int) -> dict[str, Any]:
    return {"window_dimensions": (), "window_strides": (1,) * rank, "padding": ((0, 0),) * rank}


def _convolution_defaults(rank: int) -> dict[str, Any]:
    ones = (1,) * max(rank - 2, 0)
    return {
        "window_strides": ones,
        "padding": ((0, 0),) * len(ones),
        "lhs_dilation": ones,
        "rhs_dilation": ones,
        "window_reversal": (False,) * len(ones),
        "precision_config": ("DEFAULT", "DEFAULT"),
    }


_NO_CHANNEL = {"channel_id": 0, "channel_type": 0}


def _by_device(rank: int) -> dict[str, Any]:
    return {**_NO_CHANNEL, "use_global_device_ids": False}


def _root_defaults(rank: int) -> dict[str, Any]:
    return {**_NO_CHANNEL, "has_dynamic_root": False}


def _transfer_defaults(rank: int) -> dict[str, Any]:
    return {"is_host_transfer": False, "source_target_pairs": ()}


def _dynamic_convolution_defaults(rank: int) -> dict[str, Any]:
    return {name: value for name, value in _convolution_defaults(rank).items() if name != "padding"}


# By op: the attributes MLIR may omit, for a first operand of the given rank.
DEFAULTS: dict[str, Callable[[int], dict[str, Any]]] = {
    "stablehlo.reduce_window": _window_defaults,
    "stablehlo.select_and_scatter": _scatter_window_defaults,
    "stablehlo.convolution": _convolution_defaults,
    "stablehlo.dynamic_conv": _dynamic_convolution_defaults,
    "stablehlo.sort": lambda rank: {"dimension": -1, "is_stable": False},
    "stablehlo.dot_general": lambda rank: {"precision_config": ("DEFAULT", "DEFAULT")},
    "stablehlo.gather": lambda rank: {"indices_are_sorted": False},
    "stablehlo.scatter": lambda rank: {"indices_are_sorted": False, "unique_indices": False},
    **dict.fromkeys(("stablehlo.all_gather", "stablehlo.all_reduce", "stablehlo.reduce_scatter"), _by_device),
    **dict.fromkeys(("stablehlo.all_to_all", "stablehlo.collective_permute"), lambda rank: _NO_CHANNEL),
    **dict.fromkeys(("stablehlo.collective_broadcast", "stablehlo.collective_reduce"), _root_defaults),
    **dict.fromkeys(("stablehlo.send", "stablehlo.recv"), _transfer_defaults),
}


def spec_attributes(op: str, attributes: Mapping[str, Any], rank: int) -> dict[str, Any]:
    """Unbundle dimension numbers, and fill in defaults for what is missing or, as in MLIR, an empty list."""
    defaults = DEFAULTS[op](rank) if op in DEFAULTS else {}
    if "channel_handle" in attributes:
        handle = _text(attributes["channel_handle"], "channel_handle")
        channel = _fields(_body(handle), dict.fromkeys(CHANNEL, 0)) if handle else None
        if channel is None:  # which is judged: the inputs are missing
            defaults = {name: value for name, value in defaults.items() if name not in _NO_CHANNEL}
        else:
            attributes = {**attributes, **{name: channel[field] for field, name in CHANNEL.items()}}
            del attributes["channel_handle"]
    result = {**attributes, **{k: v for k, v in defaults.items() if attributes.get(k, ()) == ()}}
    bundle = DIMENSION_NUMBERS.get(op)
    text = _text(result.get(bundle.attribute), bundle.mnemonic) if bundle else None
    if bundle and text and (inputs := unbundle(bundle, text)) is not None:
        del result[bundle.attribute]
        result |= inputs
    text = _text(result.get("algorithm"), "dot_algorithm")
    if text and (fields := algorithm_fields(text)):
        del result["algorithm"]
        result |= fields
    return result


def _text(attribute: Any, mnemonic: str) -> str | None:
    """Return the text of an attribute that is an `Opaque` of this kind; None for any other."""
    is_one = isinstance(attribute, Opaque) and attribute.text.startswith(f"#stablehlo.{mnemonic}<")
    return attribute.text if is_one else None


def algorithm_fields(text: str) -> dict[str, Any]:
    """Return the inputs in `#stablehlo.dot_algorithm<lhs_precision_type = tf32, ...>`, if all are given."""
    fields = dict(_ALGORITHM_FIELD.findall(_body(text)))
    return {name: _field(fields[name]) for name in ALGORITHM} if fields.keys() == {*ALGORITHM} else {}


def _field(text: str) -> Any:
    """Return a count, a boolean or a type; a type that `spec.types` does not know becomes `Opaque`."""
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?\d{1,19}", text):
        return int(text)
    try:
        return parse_element_type(text)
    except InterpError:
        return Opaque(text)


def constant(text: str, buffer: Callable[[], bytes], type: TensorType | None = None) -> Dense | Opaque:
    """Return the constant in `dense<...> : tensor<...>`.

    type: the type of its value, which may be quantized; the text then has the storage type. buffer: gives the
    elements of a constant that is not a splat and has a common type, else b"".
    """
    match = _DENSE.fullmatch(text)
    if match is None or not _readable(match[2]):
        return Opaque(text)
    own = parse_type(match[2])
    type = type if type and _stores(type, own) else own
    return Dense(type, *_data(match[1], buffer, type))


def _stores(type: TensorType, text: TensorType) -> bool:
    """Return whether a constant of a type is written with the type in its text, which is its storage type.

    MLIR writes stored integers without their signedness.
    """
    stored, written = type.storage_type, text.storage_type
    integers = type.is_quantized and stored.is_integer and written.is_integer and stored.bits == written.bits
    return type.shape == text.shape and (stored == written or integers)


def index_list(dense: Dense) -> tuple[Any, ...]:
    """Read a constant of i64: `dense<1> : tensor<2x2xi64>` is `((1, 1), (1, 1))`, a scalar `(1,)`."""
    numbers = [n for (n,) in struct.iter_unpack("<q", dense.data)] * (dense.type.size if dense.splat else 1)
    if dense.type.rank < 2:
        return tuple(numbers)
    columns = dense.type.shape[-1]
    return tuple(tuple(numbers[i : i + columns]) for i in range(0, len(numbers), columns))


def _readable(type: str) -> bool:
    try:
        return parse_type(type).storage_type.numpy != ""
    except InterpError:
        return False


def _data(body: str, buffer: Callable[[], bytes], type: TensorType) -> tuple[bytes, bool]:
    """Return the elements of `body`, the text between `dense<` and `>`, and whether it is a splat."""
    element = type.storage_type
    if body.startswith('"0x'):
        data, size = bytes.fromhex(body[3:-1]), type.size * container_bytes(element)
        if len(data) != size:
            raise Malformed(f"{len(data)} bytes for a constant of type {type!r}", f"its elements take {size}")
        return _sign_extend(data, element), False
    splat = bool(body) and not body.startswith("[") and type.rank > 0
    if not splat and type.size > 16 and element.name in VIEWED and (data := buffer()):
        return data, False
    part = complex_part(element) if element.kind == "complex" else element
    return b"".join(encode_element(word, part) for word in re.findall(r"[^\s,()\[\]]+", body)), splat


def _sign_extend(data: bytes, element: ElementType) -> bytes:
    """Sign-extend elements of fewer than 8 bits, which MLIR holds one to a byte and zero-extended."""
    if element.bits >= 8 or element.kind != "signed":
        return data
    sign = 1 << (element.bits - 1)
    return bytes((((byte & (2 * sign - 1)) ^ sign) - sign) & 0xFF for byte in data)


def encode_element(word: str, element: ElementType) -> bytes:
    """Return one element of MLIR's text as the bytes of its container: `-3`, `true`, `1.5e-01`, `0x7FC0`."""
    width = container_bytes(element)
    if element.kind == "boolean":
        return bytes([word == "true"])
    if element.is_integer:
        wrapped = int(word) & ((1 << element.bits) - 1)
        signed = element.kind == "signed" and wrapped >> (element.bits - 1)
        return (wrapped - (1 << element.bits) * signed).to_bytes(width, "little", signed=bool(signed))
    bits = int(word, 16) if word.startswith("0x") else _float_bits(float(word), element)
    return bits.to_bytes(width, "little")


def _float_bits(value: float, element: ElementType) -> int:
    """Return the bits of the nearest number in a float format; MLIR prints enough digits to identify it."""
    sign = math.copysign(1, value) < 0
    if value == 0:
        return sign << (element.bits - 1)
    least = 1 - element.bias
    exponent = max(math.frexp(value)[1] - 1, least)
    significand = round(math.ldexp(abs(value), element.mantissa - exponent))
    return (sign << (element.bits - 1)) | ((exponent - least) << element.mantissa) + significand
