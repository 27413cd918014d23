"""rng_bit_generator with XLA's generators, and rng with one of them and a fixed state (E33, E34)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi
from typing import Any

from spec.formats import round_to, wrap
from spec.ir import Op
from spec.meaning import numbers, transcendental
from spec.meaning.bits import from_bits
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Tensor
from spec.meaning.random_bits import GENERATORS, threefry_bits
from spec.types import ELEMENT_TYPES, ElementType

F64 = ELEMENT_TYPES["f64"]
START = 0, 0  # the state from which every rng draws


def rng_bit_generator(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return the new state, and `output` whose elements are random bits."""
    state, output = operands[0].elements, op.results[1].type
    type = output.tensor_element_type
    found, after = GENERATORS[op["rng_algorithm"]](state, output.shape, type.bits)
    return Tensor(op.results[0].type, tuple(after)), Tensor(output, tuple(from_bits(b, type) for b in found))


def rng(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """Return uniform numbers between a and b, or normal ones of mean a and standard deviation b."""
    (a,), (b,) = operands[0].elements, operands[1].elements
    type, kind = op.result.type, op.result.type.tensor_element_type
    if op["rng_distribution"] == "NORMAL":
        long, _ = threefry_bits(START, (2 * type.size,), 64)
        pairs = zip(long[::2], long[1::2], strict=True)
        return (Tensor(type, tuple(normal(*pair, a, b, kind) for pair in pairs)),)
    draw: Callable[..., Any] = uniform if kind.kind == "float" else between
    return (Tensor(type, tuple(draw(x, a, b, kind) for x in threefry_bits(START, (type.size,), 64)[0])),)


def between(bits: int, a: int, b: int, type: ElementType) -> int:
    """a + bits mod (b - a), or a if the range is empty"""
    if type.kind == "boolean":
        return a
    return wrap(a + bits % (b - a), type) if a < b else a


def uniform(bits: int, a: float, b: float, type: ElementType) -> float:
    """a (1 - u) + b u, each operation rounded; a if the result is not in [a, b)"""
    u = fraction(bits, type)
    low = numbers.multiply(a, numbers.subtract(1.0, u, type), type)
    x = numbers.add(low, numbers.multiply(b, u, type), type)
    return x if a <= x < b else a


def fraction(bits: int, type: ElementType) -> float:
    """Return the leading bits, as many as the type's precision, as a number below 1."""
    return round_to((bits >> (64 - type.precision)) * 2.0**-type.precision, type)


def normal(first: int, second: int, a: float, b: float, type: ElementType) -> float:
    """a + b sqrt(-2 log(u)) cos(2 pi v), the root and the cosine in f64, u > 0 (Box and Muller)"""
    u, v = ((bits >> 11) * 2.0**-53 for bits in (first, second))
    u += 2.0**-53
    radius = transcendental.sqrt(numbers.multiply(-2.0, transcendental.log(u, F64), F64), F64)
    turn = transcendental.cosine(numbers.multiply(2 * pi, v, F64), F64)
    z = round_to(numbers.multiply(radius, turn, F64), type)
    return numbers.add(a, numbers.multiply(b, z, type), type)


MEANINGS: dict[str, Meaning] = {"stablehlo.rng": rng, "stablehlo.rng_bit_generator": rng_bit_generator}
