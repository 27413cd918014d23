"""Operators that change the element type: Cast and CastLike, also to floats of 8 bits and less, BitCast."""

from __future__ import annotations

import numpy as np

from interp.apps.onnx.loading.node import Build, Node, element_of
from interp.backends import max_finite
from interp.loading.build import F64, I1, I32, I64, Builder
from spec.ir import Value
from spec.types import ELEMENT_TYPES, ElementType

UI64 = ELEMENT_TYPES["ui64"]
FRACTION = 52  # bits of the fraction of an f64
LEAST, MOST = 2.0**-127, 2.0**127  # of f8E8M0FNU


def cast(n: Node) -> Value:
    return convert(n, n.value(0), element_of(n.attribute("to")))


def cast_like(n: Node) -> Value:
    return convert(n, n.value(0), n.type(1).storage_type)


def convert(n: Node, x: Value, target: ElementType) -> Value:
    """Return x in another element type; floats of 8 bits saturate unless an attribute says otherwise."""
    source = x.type.tensor_element_type
    if source == target:
        return x
    if target == I1:
        return n.b.compare("NE", x, n.b.full(0, x.type))
    if target.name == "f8E8M0FNU":
        return to_power_of_two(n, x, target)
    if target.kind == "float" and target.bits <= 8:
        return to_narrow_float(n, x, target)
    if source.kind == "float" and target.is_integer:
        return to_integer(n.b, x, target)
    return n.b.convert(x, target)


def to_integer(b: Builder, x: Value, target: ElementType) -> Value:
    """Return floats cut off to integers; narrow and unsigned types wrap around, as they do in NumPy."""
    if target.bits < 32:
        return b.convert(b.convert(x, I32), target)
    if target.kind == "signed":
        return b.convert(x, target)
    wrapped = b.convert(b.convert(x, I64), target)
    if target.bits < 64:
        return wrapped
    return b.select(b.compare("LT", x, b.full(0, x.type)), wrapped, b.convert(x, target))


def to_narrow_float(n: Node, x: Value, target: ElementType) -> Value:
    """Return x rounded to a float of 8 bits or less, clamped to its finite numbers first if it saturates.

    Floats of 4 and 6 bits have neither infinity nor NaN and always saturate.
    """
    source = x.type.tensor_element_type
    if n.attribute("saturate", 1) and source != I1:
        most = max_finite(target)
        least = -most
        if source.is_integer:
            least, most = max(int(least), source.min_value), min(int(most), source.max_value)
        elif most > max_finite(source):
            return n.b.convert(x, target)
        x = n.b.clamp(least, x, most)
    return n.b.convert(x, target)


def to_power_of_two(n: Node, x: Value, target: ElementType) -> Value:
    """Return x rounded to a power of two: up, down, or to the nearest, upwards if two are as near.

    A number beyond the least or the largest power becomes that one if it saturates, and else NaN.
    """
    x = n.b.convert(x, F64)
    if n.attribute("saturate", 1):
        x = n.b.clamp(LEAST, x, MOST)
    else:
        inside = [n.b.compare(way, x, n.b.full(end, F64)) for way, end in (("GE", LEAST), ("LE", MOST))]
        x = n.b.select(n.b.binary("and", *inside), x, n.b.full(np.nan, x.type))
    x = n.b.select(n.b.compare("EQ", x, x), round_to_power(n, x), x)
    return n.b.convert(x, target)


def round_to_power(n: Node, x: Value) -> Value:
    """Return positive normal numbers of f64 rounded to powers of two, on their bits."""
    steps = {"up": (1 << FRACTION) - 1, "nearest": 1 << FRACTION - 1, "down": 0}
    mode = n.attribute("round_mode", "up")
    if mode not in steps:
        raise n.malformed_error(f"round_mode {mode!r}", f"expected {', '.join(steps)}")
    bits = n.b.binary("add", n.b.bitcast(x, UI64), n.b.full(np.uint64(steps[mode]), UI64))
    mask = np.uint64((1 << 64) - (1 << FRACTION))
    return n.b.bitcast(n.b.binary("and", bits, n.b.full(mask, UI64)), F64)


def bit_cast(n: Node) -> Value:
    """Return the same bits as another type of the same width; a boolean has 8, of which the last counts."""
    x, target = n.value(0), element_of(n.attribute("to"))
    source = x.type.tensor_element_type
    if width(source) != width(target):
        raise n.malformed_error(f"{source} has {width(source)} bits, {target} has {width(target)}")
    return bits_as(n.b, x, target)


def bits_as(b: Builder, x: Value, target: ElementType) -> Value:
    if x.type.element_type == I1:
        x = b.convert(x, ELEMENT_TYPES["ui8"])
    if target == I1:
        return b.compare("NE", x, b.full(0, x.type))
    return b.bitcast(x, target)


def width(element: ElementType) -> int:
    """Return the bits of an element as ONNX stores it."""
    return 8 if element == I1 else element.bits


TABLE: dict[str, Build] = {"BitCast": bit_cast, "Cast": cast, "CastLike": cast_like}
