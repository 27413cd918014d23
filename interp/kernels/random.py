"""rng_bit_generator with XLA's generators, and rng with one of them and a fixed state (E33, E34)."""

from __future__ import annotations

from collections.abc import Callable
from math import pi, prod
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.kernels.elementwise import plain
from spec.ir import Op
from spec.types import ELEMENT_TYPES, ElementType

Shape = tuple[int, ...]
F64 = ELEMENT_TYPES["f64"]


def _halves(xp: Namespace, x: Array) -> tuple[Array, Array]:
    """Return the low and the high 32 bits of 64-bit numbers."""
    return x.astype(xp.uint32), (x >> 32).astype(xp.uint32)


def _join_halves(xp: Namespace, low: Array, high: Array) -> Array:
    return low.astype(xp.uint64) | (high.astype(xp.uint64) << 32)


def _threefry(xp: Namespace, counter: tuple[Array, Array], key: tuple[Array, Array]) -> tuple[Array, Array]:
    """Encrypt a counter of two words by Threefry-2x32 with 20 rounds."""
    keys = (*key, key[0] ^ key[1] ^ xp.asarray(0x1BD11BDA, xp.uint32))
    x, y = counter[0] + keys[0], counter[1] + keys[1]
    for k in range(5):
        for distance in ((13, 15, 26, 6), (17, 29, 16, 24))[k % 2]:
            x = x + y
            y = x ^ ((y << distance) | (y >> (32 - distance)))
        x, y = x + keys[(k + 1) % 3], y + keys[(k + 2) % 3] + xp.asarray(k + 1, xp.uint32)
    return x, y


def _philox(xp: Namespace, counter: State, key: tuple[Array, Array]) -> State:
    """Encrypt a counter of four words by Philox-4x32 with 10 rounds."""
    a, b, c, d = counter
    for _ in range(10):
        (low0, high0), (low1, high1) = (
            _halves(xp, x.astype(xp.uint64) * xp.asarray(m, xp.uint64))
            for x, m in ((a, 0xD2511F53), (c, 0xCD9E8D57))
        )
        a, b, c, d = high1 ^ b ^ key[0], low1, high0 ^ d ^ key[1], low0
        key = key[0] + xp.asarray(0x9E3779B9, xp.uint32), key[1] + xp.asarray(0xBB67AE85, xp.uint32)
    return a, b, c, d


def _count(xp: Namespace, shape: Shape) -> Array:
    return xp.arange(prod(shape), dtype=xp.uint64).reshape(shape)


def _threefry_bits(xp: Namespace, state: Array, shape: Shape, bits: int) -> tuple[Array, Array]:
    """Return random bits of a shape, and the new state; neighbours along one dimension share a counter."""
    key, start = _halves(xp, state[:1].reshape(())), state[1]
    if bits == 64:
        words = _threefry(xp, _halves(xp, start + _count(xp, shape)), key)
        return _join_halves(xp, *words), _advance(xp, state, prod(shape))
    split = _split(shape)
    halved = tuple(-(-n // 2) if d == split else n for d, n in enumerate(shape)) or (1,)
    words = _threefry(xp, _halves(xp, start + _count(xp, halved)), key)
    pairs = xp.stack(words, axis=split + 1)
    whole = pairs.reshape([2 * n if d == split else n for d, n in enumerate(halved)])
    kept = whole[tuple(slice(n) for n in shape)] if shape else whole[0]
    return kept, _advance(xp, state, prod(halved))


def _advance(xp: Namespace, state: Array, n: int) -> Array:
    return xp.stack([state[0], state[1] + xp.asarray(n, xp.uint64)])


def _split(shape: Shape) -> int:
    """Return the first dimension of even size, else the first of the largest size."""
    even = [d for d, n in enumerate(shape) if n % 2 == 0]
    return even[0] if even else shape.index(max(shape)) if shape else 0


def _philox_bits(xp: Namespace, state: Array, shape: Shape, bits: int) -> tuple[Array, Array]:
    """Return random bits of a shape, and the new state; a 128-bit counter gives four words."""
    key, n = _halves(xp, state[:1].reshape(())), prod(shape)
    low, high = state[1], state[2] if len(state) == 3 else state[0]
    count = -(-n * max(bits, 32) // 128)
    lows, highs = _wide_sum(xp, low, high, _count(xp, (count,)))
    words = xp.stack(_philox(xp, (*_halves(xp, lows), *_halves(xp, highs)), key), axis=-1)
    numbers = _join_halves(xp, words[:, ::2], words[:, 1::2]) if bits == 64 else words
    after = _wide_sum(xp, low, high, xp.asarray(count, xp.uint64))
    return numbers.reshape(-1)[:n].reshape(shape), xp.stack([state[0], *after[: len(state) - 1]])


def _wide_sum(xp: Namespace, low: Array, high: Array, n: Array) -> tuple[Array, Array]:
    """Add 64-bit numbers to a 128-bit number."""
    total = low + n
    return total, high + (total < low).astype(xp.uint64)


GENERATORS: dict[str, Callable[..., tuple[Array, Array]]] = {
    "THREE_FRY": _threefry_bits,
    "PHILOX": _philox_bits,
    "DEFAULT": _philox_bits,
}


def rng_bit_generator(ctx: Context, op: Op, state: Array) -> State:
    """Return the new state, and `output` whose elements are random bits."""
    xp, output = ctx.xp, op.results[1].type
    type = output.tensor_element_type
    found, after = GENERATORS[op["rng_algorithm"]](xp, state, output.shape, type.bits)
    word = xp.uint64 if type.bits == 64 else xp.uint32
    mask = xp.asarray((1 << type.bits) - 1, word)
    return after, xp.from_bits(found & mask, type)


# rng


def _draw(xp: Namespace, n: int) -> Array:
    """Return n numbers of 64 random bits by Threefry from the state (0, 0)."""
    return _threefry_bits(xp, xp.zeros((2,), xp.uint64), (n,), 64)[0]


def rng(ctx: Context, op: Op, a: Array, b: Array, shape: Array) -> State:
    """Return uniform numbers between a and b, or normal ones of mean a and standard deviation b."""
    xp, result = ctx.xp, op.result.type
    type = result.tensor_element_type
    if type.kind == "boolean":
        return (xp.broadcast_to(a, result.shape),)
    if op["rng_distribution"] == "NORMAL":
        pairs = _draw(xp, 2 * result.size).reshape(*result.shape, 2)
        return (_normal(xp, pairs, a, b, type),)
    draw = _uniform if type.kind == "float" else _between
    return (draw(xp, _draw(xp, result.size).reshape(result.shape), a, b, type),)


def _between(xp: Namespace, bits: Array, a: Array, b: Array, type: ElementType) -> Array:
    """Return `a + bits mod (b - a)`, or a where the range is empty."""
    span = (b.astype(xp.uint64) - a.astype(xp.uint64)) & xp.asarray((1 << type.bits) - 1, xp.uint64)
    steps = bits % xp.where(a < b, span, xp.ones_like(span))
    return (a.astype(xp.uint64) + steps).astype(xp.carrier(type))


def _uniform(xp: Namespace, bits: Array, a: Array, b: Array, type: ElementType) -> Array:
    """Return `a (1 - u) + b u`, every operation rounded, or a where rounding leads out of the range."""
    add, subtract, multiply = (plain(xp, name, type, type) for name in ("add", "subtract", "multiply"))
    u = (bits >> (64 - type.precision)).astype(xp.float64) * 2.0**-type.precision
    u = xp.round_to(u, type)
    a, b = xp.broadcast_to(a, u.shape), xp.broadcast_to(b, u.shape)
    x = add(multiply(a, subtract(xp.ones_like(u), u)), multiply(b, u))
    return xp.where((a <= x) & (x < b), x, a)


def _normal(xp: Namespace, pairs: Array, a: Array, b: Array, type: ElementType) -> Array:
    """Return normal numbers by the Box-Muller transform, computed in f64 and rounded once to the type."""
    u, v = ((pairs[..., k] >> 11).astype(xp.float64) * 2.0**-53 for k in (0, 1))
    add, multiply = (plain(xp, name, type, type) for name in ("add", "multiply"))
    radius = xp.sqrt(-2 * xp.log(u + 2.0**-53))
    z = xp.round_to(radius * xp.cos(2 * pi * v), type)
    return add(xp.broadcast_to(a, z.shape), multiply(xp.broadcast_to(b, z.shape), z))


KERNELS: dict[str, Callable[..., Any]] = {
    "stablehlo.rng": rng,
    "stablehlo.rng_bit_generator": rng_bit_generator,
}
