"""Threefry-2x32 with 20 rounds and Philox-4x32 with 10 (Salmon et al., SC 2011), in XLA's order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from spec.meaning.index import Index, index_space

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
