"""Random bits as sequences of 32-bit words, and rng from them."""

from __future__ import annotations

from math import ceil, prod
from typing import Any

import numpy as np

from cases.exact.evaluate import Array, Index, Program, indices
from cases.exact.floats import Unknown, add, fl, multiply, subtract
from cases.exact.quantization import wrapped
from spec.ir import Op

MASK = 0xFFFFFFFF


def encrypted(low: int, high: int, key: int) -> list[int]:
    """Return Threefry's two words for a counter, with NumPy's wrapping integers."""
    with np.errstate(over="ignore"):
        parts = [key & MASK, key >> 32]
        parts.append(parts[0] ^ parts[1] ^ 0x1BD11BDA)
        x = np.array([low, high], np.uint32) + np.array(parts[:2], np.uint32)
        for turn, distance in enumerate([13, 15, 26, 6, 17, 29, 16, 24] * 2 + [13, 15, 26, 6]):
            x[0] += x[1]
            x[1] = x[0] ^ (x[1] << np.uint32(distance) | x[1] >> np.uint32(32 - distance))
            if turn % 4 == 3:
                k = turn // 4 + 1
                x += np.array([parts[k % 3], (parts[(k + 1) % 3] + k) & MASK], np.uint32)
    return [int(word) for word in x]


def scrambled(counter: int, key: int) -> list[int]:
    """Return Philox's four words for a 128-bit counter."""
    words, keys = [counter >> 32 * k & MASK for k in range(4)], [key & MASK, key >> 32]
    for _ in range(10):
        first, second = words[0] * 0xD2511F53, words[2] * 0xCD9E8D57
        left, right = second >> 32 ^ words[1] ^ keys[0], first >> 32 ^ words[3] ^ keys[1]
        words = [left, second & MASK, right, first & MASK]
        keys = [(keys[0] + 0x9E3779B9) & MASK, (keys[1] + 0xBB67AE85) & MASK]
    return words


def rng_bit_generator(p: Program, op: Op, state: Array) -> list[dict[Index, Any]]:
    type = op.results[1].type
    element, shape = type.tensor_element_type, type.shape
    if element.kind == "float":
        raise Unknown("random floats")
    given = list(state.at.values())
    if op["rng_algorithm"] == "THREE_FRY":
        numbers, used = of_threefry(given, shape, element.bits)
        after = [given[0], (given[1] + used) % 2**64]
    else:
        high = given[2] if len(given) == 3 else given[0]
        start, per = given[1] + (high << 64), max(element.bits, 32) // 32
        used = ceil(prod(shape) * per / 4)
        words = [w for k in range(used) for w in scrambled((start + k) % 2**128, given[0])]
        pieces = [words[k : k + per] for k in range(0, len(words), per)]
        found = [sum(w << 32 * k for k, w in enumerate(piece)) for piece in pieces]
        numbers = dict(zip(indices(shape), found, strict=False))
        end = (start + used) % 2**128
        after = [given[0], end % 2**64, end >> 64][: len(given)]
    bits = {i: wrapped(numbers[i] % 2**element.bits, element) for i in indices(shape)}
    return [{(k,): x for k, x in enumerate(after)}, bits]


def of_threefry(state: list[int], shape: Index, bits: int) -> tuple[dict[Index, int], int]:
    """Return numbers by index, and how many counters were used."""
    wide = bits == 64
    d = next((d for d, n in enumerate(shape) if n % 2 == 0), None)
    d = d if d is not None else shape.index(max(shape)) if shape else None
    sizes = [n if wide or k != d else (n + 1) // 2 for k, n in enumerate(shape)]
    counters = {i: k for k, i in enumerate(indices(sizes))}
    found = {}
    for i in indices(shape):
        place = i if wide else tuple(x // 2 if k == d else x for k, x in enumerate(i))
        counter = (state[1] + counters[place]) % 2**64
        pair = encrypted(counter & MASK, counter >> 32, state[0])
        found[i] = pair[0] | pair[1] << 32 if wide else pair[i[d] % 2 if d is not None else 0]
    return found, len(counters)


def rng(p: Program, op: Op, a: Array, b: Array, shape: Array) -> dict[Index, Any]:
    """Draw uniform numbers; normal ones are left to the oracle and the engine."""
    t, places = op.result.type.tensor_element_type, indices(op.result.type.shape)
    if op["rng_distribution"] != "UNIFORM" or t.kind == "boolean":
        raise Unknown("rng of normal numbers, or of booleans")
    drawn, _ = of_threefry([0, 0], (len(places),), 64)
    found = {}
    for i, bits in zip(places, drawn.values(), strict=True):
        if t.kind != "float":
            found[i] = wrapped(a.item + bits % (b.item - a.item), t) if a.item < b.item else a.item
            continue
        u = fl(float(bits >> (64 - t.precision)) / 2**t.precision, t.name)
        x = add(multiply(a.item, subtract(1.0, u, t.name), t.name), multiply(b.item, u, t.name), t.name)
        found[i] = x if a.item <= x < b.item else a.item
    return found
