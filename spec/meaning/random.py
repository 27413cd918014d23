"""rng_bit_generator with XLA's generators, and rng with one of them and a fixed state (E33, E34)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import pi, prod
from typing import Any

from spec.formats import round_to, wrap
from spec.ir import Op
from spec.meaning import numbers, transcendental
from spec.meaning.index import Context, Index, Meaning, Results, Tensor, index_space
from spec.meaning.structure import from_bits
from spec.types import ELEMENT_TYPES, ElementType

# Threefry-2x32 with 20 rounds and Philox-4x32 with 10 (Salmon et al., SC 2011), in XLA's order.

WORD, LONG = 1 << 32, 1 << 64
ROTATIONS = ((13, 15, 26, 6), (17, 29, 16, 24))
PARITY = 0x1BD11BDA
MULTIPLIERS = 0xD2511F53, 0xCD9E8D57
WEYL = 0x9E3779B9, 0xBB67AE85

Words = tuple[int, ...]


def halves(number: int) -> tuple[int, int]:
    """Return the low and the high word of a 64-bit number."""
    return number % WORD, number // WORD % WORD


def threefry(counter: Words, key: Words) -> Words:
    """Return two random words for a counter of two words."""
    keys = (*key, PARITY ^ key[0] ^ key[1])
    x, y = (counter[0] + keys[0]) % WORD, (counter[1] + keys[1]) % WORD
    for k in range(5):
        for distance in ROTATIONS[k % 2]:
            x = (x + y) % WORD
            y = x ^ ((y << distance | y >> (32 - distance)) % WORD)
        x, y = (x + keys[(k + 1) % 3]) % WORD, (y + keys[(k + 2) % 3] + k + 1) % WORD
    return x, y


def philox(counter: Words, key: Words) -> Words:
    """Return four random words for a counter of four words."""
    a, b, c, d = counter
    for k in range(10):
        first, second = (key[i] + k * WEYL[i] for i in (0, 1))
        low0, high0 = halves(a * MULTIPLIERS[0])
        low1, high1 = halves(c * MULTIPLIERS[1])
        a, b, c, d = high1 ^ b ^ first % WORD, low1, high0 ^ d ^ second % WORD, low0
    return a, b, c, d


def threefry_bits(state: Sequence[int], shape: Sequence[int], bits: int) -> tuple[list[int], list[int]]:
    """Return random numbers for an array of that shape in row-major order, and the new state.

    A counter gives one number of 64 bits, or two of at most 32 bits: neighbours along `split_dimension`.
    """
    key, start = halves(state[0]), state[1]
    split = split_dimension(shape)
    halved = tuple(-(-n // 2) if d == split else n for d, n in enumerate(shape))
    counters = tuple(shape) if bits == 64 else halved

    def number(index: Index) -> int:
        place = index if bits == 64 else [i // 2 if d == split else i for d, i in enumerate(index)]
        flat = 0
        for i, n in zip(place, counters, strict=True):
            flat = flat * n + i
        low, high = threefry(halves((start + flat) % LONG), key)
        if bits == 64:
            return low + high * WORD
        return (high if shape and index[split] % 2 else low) % (1 << bits)

    return [number(i) for i in index_space(shape)], [state[0], (start + prod(counters)) % LONG]


def split_dimension(shape: Sequence[int]) -> int:
    """Return the first dimension of even size, else the first largest."""
    even = [d for d, n in enumerate(shape) if n % 2 == 0]
    return even[0] if even else max(range(len(shape)), key=lambda d: shape[d], default=0)


def philox_bits(state: Sequence[int], shape: Sequence[int], bits: int) -> tuple[list[int], list[int]]:
    """Return random numbers for an array in row-major order, four words per counter, and the new state.

    The counter has 128 bits. In a state of three numbers, it is the last two, low half first; in one of two
    numbers, state[1] is its low half and state[0], the key, its high half.
    """
    key, n = halves(state[0]), prod(shape)
    start = state[1] + (state[2] if len(state) == 3 else state[0]) * LONG
    count = -(-n * max(bits, 32) // 128)

    def words() -> Iterator[int]:
        for k in range(count):
            low, high = (start + k) % LONG, (start + k) // LONG % LONG
            yield from philox((*halves(low), *halves(high)), key)

    made = list(words())
    if bits == 64:
        numbers = [a + b * WORD for a, b in zip(made[::2], made[1::2], strict=True)]
    else:
        numbers = [word % (1 << bits) for word in made]
    after = [(start + count) % LONG, (start + count) // LONG % LONG]
    return numbers[:n], [state[0], *after[: len(state) - 1]]


GENERATORS = {"THREE_FRY": threefry_bits, "PHILOX": philox_bits, "DEFAULT": philox_bits}


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
