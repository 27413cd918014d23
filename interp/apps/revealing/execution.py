"""An accumulation is executed again: random vectors of several kinds, and their sums by the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from interp.apps.revealing.device import Device, Refused
from interp.apps.revealing.revealed import text
from interp.apps.revealing.site import Site
from interp.backends import NUMPY, Array
from interp.backends.dtypes import numpy_dtype
from interp.engine import additions
from interp.engine.additions import WIDE, Terms, summands
from interp.engine.float_sums import exponents
from interp.execute.along import sum_products
from interp.execute.run import run
from interp.questions.permitted.results import equal
from interp.speed.problem import Dot, Geometry
from spec.accumulation import Accumulation
from spec.types import ElementType, TensorType

FLOATS = (
    *("normal", "wide exponents", "pairs that nearly cancel"),
    *("cancellation on many scales", "positive", "subnormal", "infinities and NaN"),
)
INTEGERS = (
    "all of the type",
    "small",
    "extremes",
    "pairs that cancel",
    "positive",
    "first positive, then negative",
)
NUMBER = len(FLOATS) - 1  # kinds of finite numbers, and of integers
SPECIAL = NUMBER  # the kind of floats with infinities and NaN
POSITIVE = 4  # the kind, of floats and of integers, in some of whose rows all numbers are equal
FEW = 4  # bits of types whose exponents are drawn from all that they have, so that products absorb others
HEADROOM = 4  # bits by which positive numbers, their sums and products are below the largest number
FEW_PAIRS = 2  # that cancel, on average, where others do not
CELLS = 1 << 24  # leaves that are added at a time


def kinds_of(type: ElementType, has_specials: bool = True) -> tuple[str, ...]:
    """Return the names of the kinds of numbers of a type; has_specials: with infinities and NaN."""
    return INTEGERS if type.is_integer else FLOATS if has_specials else FLOATS[:SPECIAL]


class Range(NamedTuple):
    """The exponents of the numbers of a type, from the least normal to the largest, and its bits."""

    low: int
    high: int
    bits: int

    @staticmethod
    def of(type: ElementType) -> Range:
        import ml_dtypes

        if type.is_integer:
            return Range(0, type.bits - 2, type.bits - 1)
        info = ml_dtypes.finfo(numpy_dtype(type))
        low, high = (int(np.frexp(float(x))[1]) - 1 for x in (info.smallest_normal, info.max))
        return Range(low, high, int(info.nmant) + 1)


def fill(shape: tuple[int, ...], type: ElementType, rng: np.random.Generator) -> Array:
    """Return usual numbers as elements of a type."""
    if type.is_integer:
        return _whole(rng, shape, type).astype(numpy_dtype(type))
    return rng.normal(size=shape).astype(numpy_dtype(type))


def draw(
    kind: int, rows: int, n: int, type: ElementType, fixed: ElementType | None, rng: np.random.Generator
) -> tuple[Array, Array | None]:
    """Return vectors of leaves [rows, n]; with `fixed`, vectors of factors, and the other factors [n]."""
    if type.is_integer:
        other = None if fixed is None else _integer_factors(kind, n, fixed, rng).astype(numpy_dtype(fixed))
        return _integers(kind, rows, n, type, rng).astype(numpy_dtype(type)), other
    dtype, order, range = numpy_dtype(type), rng.permutation(n), Range.of(type)
    other = None
    with np.errstate(all="ignore"):
        x = _DRAWN[kind](rng, (rows, n), order, range)
        if fixed is not None:
            other = _factors(kind, n, order, fixed, rng)
            if kind == 1 and range.bits <= FEW:
                x = x * 2.0 ** rng.integers(range.low + range.bits, range.high - range.bits, x.shape)
            if kind == 2:  # so that the products nearly cancel, and not the factors
                x = x / other.astype(np.float64)
        most = 2.0**range.high
        x = np.clip(_with_equal(x, rng) if kind == POSITIVE else x, -most, most)
        return (_with_specials(x, most, rng) if kind == SPECIAL else x).astype(dtype), other


def _with_specials(x: Array, most: float, rng: np.random.Generator) -> Array:
    """Return rows with an infinity, infinities of both signs, a NaN, or numbers whose sums overflow."""
    for k, row in enumerate(x):
        places = rng.permutation(len(row))
        chosen = (k + int(rng.integers(4))) % 4
        if chosen == 3:
            row[places[: 2 + len(row) // 4]] = rng.choice([most, -most], len(places[: 2 + len(row) // 4]))
        else:
            numbers = [[np.inf], [np.inf, -np.inf], [np.nan]][chosen]
            row[places[: len(numbers)]] = (rng.choice([1, -1]) * np.array(numbers))[: len(row)]
    return x


def _with_equal(x: Array, rng: np.random.Generator) -> Array:
    """Return rows of which some have one number throughout, and as many one number beside zeros."""
    drawn = rng.random(len(x))
    alone = np.arange(x.shape[1]) == rng.integers(x.shape[1], size=(len(x), 1))
    x = np.where(drawn[:, None] < 1 / 8, x[:, :1], x)
    return np.where((drawn[:, None] > 7 / 8) & ~alone, 0, x)


def _factors(kind: int, n: int, order: Array, type: ElementType, rng: np.random.Generator) -> Array:
    dtype = numpy_dtype(type)
    if type.is_integer:
        return _whole(rng, (n,), type).astype(dtype)
    w, range = rng.normal(size=n), Range.of(type)
    w = np.where(np.abs(w) < 0.25, w + np.copysign(0.25, w), w)
    if kind == 3:
        first, second = _pairs(order)
        w[second] = w[first]
    if kind == 5:
        scales = (0, min(20, range.high // 2), max(range.low // 2, -60))
        w *= 2.0 ** rng.choice(scales, n)
    if kind == 1:
        most = range.high if range.bits <= FEW else 4
        w *= 2.0 ** rng.integers(-min(most, -range.low), min(most, range.high) + 1, n)
    return w.astype(dtype)


def _pairs(order: Array) -> tuple[Array, Array]:
    third = max(1, len(order) // 3)
    return order[:third], order[third : 2 * third]


Drawing = Callable[[np.random.Generator, tuple[int, int], Array, Range], Array]


def _normal(rng: np.random.Generator, shape: tuple[int, int], order: Array, range: Range) -> Array:
    return rng.normal(size=shape)


def _wide(rng: np.random.Generator, shape: tuple[int, int], order: Array, range: Range) -> Array:
    reach = min(range.bits, range.high // 2, -range.low // 2)
    return rng.normal(size=shape) * 2.0 ** rng.integers(-reach, reach + 1, shape)


def _nearly_cancelling(rng: np.random.Generator, shape: tuple[int, int], order: Array, range: Range) -> Array:
    x = rng.normal(size=shape) * 2.0 ** rng.integers(-2, 3, shape)
    half = shape[1] // 2
    first, second = order[:half], order[half : 2 * half]
    x[:, second] = -x[:, first] * (1 + rng.integers(-2, 3, (shape[0], half)) * 2.0 ** (1 - range.bits))
    return x


def _many_scales(rng: np.random.Generator, shape: tuple[int, int], order: Array, range: Range) -> Array:
    """Large numbers and their negatives on several scales, so that small ones count where these cancel.

    In half of the rows there are a few such pairs, so that most groups of leaves have one at most.
    """
    reach = max(0, min(2 * range.bits, range.high - 12))
    x, (first, second) = rng.normal(size=shape), _pairs(order)
    scales = 2.0 ** rng.integers(0, reach + 1, (shape[0], len(first)))
    chosen = rng.random((shape[0], len(first))) < rng.choice([1.0, FEW_PAIRS / len(first)], (shape[0], 1))
    x[:, first] = np.where(chosen, x[:, first] * scales, x[:, first])
    pairs = chosen[:, : len(second)]
    x[:, second] = np.where(pairs, -x[:, first[: len(second)]], x[:, second])
    return x


def _positive(rng: np.random.Generator, shape: tuple[int, int], order: Array, range: Range) -> Array:
    """Positive numbers of one size in a row; the sums of a quarter of the rows are nearly the largest."""
    reach, most = range.high // 4, range.high - HEADROOM - int(np.log2(shape[1]))
    powers = rng.integers(-reach, reach + 1, (shape[0], 1))
    powers = np.where(rng.random((shape[0], 1)) < 0.25, max(most, reach), powers)
    return (rng.random(shape) + 0.25) * 2.0**powers


def _subnormal(rng: np.random.Generator, shape: tuple[int, int], order: Array, range: Range) -> Array:
    """Numbers about the least normal one; in half of the rows all are below it."""
    below = rng.choice([0, 4], (shape[0], 1))
    return rng.normal(size=shape) * 2.0 ** (range.low - below + rng.integers(-3, 3, shape))


_DRAWN: tuple[Drawing, ...] = (
    *(_normal, _wide, _nearly_cancelling, _many_scales, _positive, _subnormal),
    _normal,
)


def _whole(rng: np.random.Generator, shape: tuple[int, ...], type: ElementType) -> Array:
    return rng.integers(
        int(type.min_value), int(type.max_value), shape, dtype=numpy_dtype(type), endpoint=True
    )


def _integer_factors(kind: int, n: int, type: ElementType, rng: np.random.Generator) -> Array:
    """Return factors; extreme ones beside extremes, positive ones where the leaves have signs in order."""
    x = _whole(rng, (n,), type)
    if kind not in (2, 5):
        return x
    low = int(type.min_value) if kind == 2 else int(type.max_value)
    return np.where(rng.random(n) < 0.8, rng.choice([low, int(type.max_value)], n), x)


def _integers(kind: int, rows: int, n: int, type: ElementType, rng: np.random.Generator) -> Array:
    low, high, shape = int(type.min_value), int(type.max_value), (rows, n)
    x, half = _whole(rng, shape, type).astype(np.int64), n // 2
    if kind == 1:
        return rng.integers(max(low, -8), min(high, 8), shape, endpoint=True)
    if kind == 2:
        return np.where(rng.random(shape) < 0.5, low, high)
    x = x if kind == 0 or low == 0 else np.maximum(x, -high)
    if kind == 3 and low < 0:
        x[:, half : 2 * half] = -x[:, :half]
    if kind in (POSITIVE, 5):
        x = np.abs(x)
    if kind == POSITIVE:
        x = _with_equal(x, rng)
    if kind == 5 and low < 0:
        x = np.where(rng.random(shape) < 0.5, high, x)
        inside = rng.integers(0, n + 1, (rows, 1))
        ends = np.where(rng.random((rows, 1)) < 0.5, rng.choice([0, n], (rows, 1)), inside)
        x *= np.where(np.arange(n) < ends, 1, -1)
    return x


# Sums of many vectors along an accumulation.


def rerun(site: Site, accumulation: Accumulation, first: Array, second: Array | None = None) -> Array:
    """Return the sums of rows [vectors, leaves], of products if there are two, in the declared type."""
    step = max(1, CELLS // first.shape[1])
    parts = [
        _rerun(site, accumulation, first[k : k + step], None if second is None else second[k : k + step])
        for k in range(0, len(first), step)
    ]
    return np.concatenate(parts)


def _rerun(site: Site, accumulation: Accumulation, first: Array, second: Array | None) -> Array:
    type = site.declared
    with np.errstate(all="ignore"):
        total = (
            _reduce(site, accumulation, first)
            if second is None
            else _contract(site, accumulation, first, second)
        )
        if type.is_integer:
            low, bits = type.min_value, type.bits
            return np.asarray((total.astype(np.int64) - low) % (1 << bits) + low if bits < 64 else total)
        return np.asarray(NUMPY.round_to(total.astype(np.float64), type)).astype(np.float64)


def _reduce(site: Site, accumulation: Accumulation, x: Array) -> Array:
    (own,) = site.leaf
    numbers = np.ascontiguousarray(summands(x, own, accumulation).T)
    powers = lambda i, normalized: exponents(numbers[i].astype(np.float64), own)
    terms = Terms(x.shape[1], lambda i: numbers[i], WIDE if own.is_integer else own, powers)
    return additions.sums(accumulation, terms, np.zeros(len(x), numbers.dtype), site.declared)


def _contract(site: Site, accumulation: Accumulation, first: Array, second: Array) -> Array:
    pairs = Geometry(
        lambda x, hole: x[:, None, :], lambda x: x[:, :, None], Dot, lambda sums: sums.reshape(len(first))
    )
    whole = site.declared.is_integer
    sides = tuple(x.astype(np.int64 if whole else np.float64, copy=False) for x in (first, second))
    types = [WIDE, WIDE] if whole else list(site.leaf)
    return sum_products(accumulation, pairs, sides, types, (site.declared, False))


# The program itself, run along an accumulation.


def refuse_other_program(
    device: Device, accumulation: Accumulation, results: Sequence[int], drawn: Sequence[Sequence[Array]]
) -> None:
    """Raise `Refused` if the program along an accumulation has other finite results than the device.

    drawn: arguments of each kind, whose leaves are those of probes. The others are filled here, and those
    that the program converts or scales get numbers that are not rounded to the leaves' type.
    """
    site, rng = device.site, np.random.default_rng(len(results))
    chosen = list(results)
    kept = {
        side.argument
        for side, leaf in zip(site.sides, site.leaf, strict=True)
        if side.scale == 1 and side.type == leaf
    }
    for kind, args in enumerate(drawn):
        full = [
            x if k in kept else _numbers(kind, value.type, x, rng)
            for k, (x, value) in enumerate(zip(args, site.func.inputs, strict=True))
        ]
        given = device.call(full)[chosen]
        ran = run(site.module, *full, function=site.func.name, accumulator={site.name: accumulation})
        ours = np.asarray(ran[site.output].storage).reshape(-1)[chosen]
        finite = np.isfinite(ours.astype(np.float64))
        same = equal(given, ours.astype(given.dtype)) | ~finite
        if not same.all():
            raise Refused(
                f"{text(accumulation)} has its results for its leaves, but the program along it has others"
                f" ({int((~same).sum()):,} of {same.size:,}): they differ before the sum or after it"
            )


def _numbers(kind: int, type: TensorType, zeros: Array, rng: np.random.Generator) -> Array:
    """Return numbers of a kind for an argument of floats or booleans; an integer may be an index: it is 0."""
    element = type.element_type
    if isinstance(element, ElementType) and element.kind == "boolean":
        return rng.random(zeros.shape) < 0.5
    if not isinstance(element, ElementType) or element.kind != "float" or not zeros.size:
        return zeros
    x, _ = draw(kind % NUMBER, 1, zeros.size, element, None, rng)
    return x.reshape(zeros.shape)
