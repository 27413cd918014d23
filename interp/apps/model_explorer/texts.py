"""Types and attributes of operations as text for Model Explorer, which shows them in a narrow column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from spec.ir import Dense, Op, Value
from spec.printer import Style, attribute_text
from spec.types import QuantizedType, TensorType, is_tensor

LONGEST = 400  # characters of an attribute
LISTED = 4  # scales of a type
SMALL = 16  # elements of a constant that are shown, unless Model Explorer's settings say otherwise

Pairs = list[dict[str, Any]]


def pairs(**texts: str) -> Pairs:
    """Return texts under their names as Model Explorer's list of keys and values."""
    return [{"key": key, "value": text} for key, text in texts.items()]


def type_text(type: TensorType) -> str:
    """Return a type as MLIR writes it, with the first few of many scales."""
    return re.sub(r"\{[^{}]+\}", _first_scales, repr(type))


def _first_scales(found: re.Match[str]) -> str:
    scales = [text.strip() for text in found[0].strip("{}").split(",")]
    if len(scales) <= LISTED:
        return found[0]
    return f"{{{', '.join(scales[:LISTED])}, ... {len(scales):,} in all}}"


def shape_text(type: TensorType) -> str:
    """Return the label of an edge: `8x12xf32`, for a quantized type `8x12xi8:f32`."""
    if not is_tensor(type):
        return repr(type)
    element = type.element_type
    name = f"{element.spelling}:{element.expressed_type}" if isinstance(element, QuantizedType) else element
    return "x".join([*("?" if n is None else str(n) for n in type.shape), str(name)])


def output(number: int, value: Value) -> dict[str, Any]:
    """Return the metadata of a value, output `number` of its node."""
    known = {"tensor_name": value.name, "shape": shape_text(value.type), "type": type_text(value.type)}
    return {"id": str(number), "attrs": pairs(**known)}


def attributes(op: Op, limit: int | None) -> Pairs:
    """Return an operation's attributes, constants of more than `limit` elements abbreviated."""
    return [{"key": key, "value": text} for key, text in _attributes(op, Style(limit=limit))]


def _attributes(op: Op, style: Style) -> Iterator[tuple[str, str]]:
    yield "operation", op.name
    if op.location != type(op.location)():
        yield "location", str(op.location)
    for name, value in op.attributes.items():
        yield name, shortened(attribute_text(name, value, style))
        if isinstance(value, Dense):
            yield f"{name}: elements", f"{value.type.size:,}"
            yield f"{name}: bytes", f"{len(value.data):,}"


def shortened(text: str) -> str:
    """Return a text, or its beginning and its length if it is long."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}... ({len(text):,} characters)"
