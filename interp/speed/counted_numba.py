"""Ordered sums of products, compiled by numba, with counts of the sums that are not exact or leave a range.

The sums are those of `product_code`. Beside them are kept, for each column, how many sums had an event, the
largest error, and the four products among which it was first met; a scalar loop then finds the one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numba
import numpy as np

from interp.backends import scalar_functions
from interp.backends.compiling import OPTIONS, jit_cached, jit_inner
from interp.speed.numpy_products import ROWS

# Rounding of products and sums in loops that numba compiles, and variants of such loops for each type.
#
# numba neither reorders nor contracts floats unless `fastmath` asks for it.

jit: Any = numba.njit
callable_too: Any = jit(**OPTIONS)  # by Python, as functions that are `inlined` are not
f32, u32 = np.float32, np.uint32
LEAST_POWER, MOST_POWER = u32(0x38800000), u32(0x47800000)  # the bits of 2^-14 and 2^16


def _same(x: Any) -> Any:
    """Return a float of the carrier, which hardware has rounded; narrower types have another `fl`."""
    return x


def _bf16(x: Any) -> Any:
    """Round an f32 to bf16, the upper half of its bits, nearest even; a NaN of bf16 stays what it is."""
    bits = f32(x).view(u32)
    return u32((bits + u32(0x7FFF) + ((bits >> u32(16)) & u32(1))) & u32(0xFFFF0000)).view(f32)


def _f16(x: Any) -> Any:
    """Round an f32 to f16 by adding, then subtracting, a number whose last place is that of the result.

    From 2^16 on a product with 2^112 is infinite. A zero may lose its sign, which no sum keeps.
    """
    power = f32(x).view(u32) & u32(0x7F800000)
    power = min(max(power, LEAST_POWER), MOST_POWER)
    away = u32(power).view(f32) * f32(3 * 2**12)
    return (((x + away) - away) * f32(2.0**112)) * f32(2.0**-112)


fl, _to_bf16, _to_f16 = (callable_too(f) for f in (_same, _bf16, _f16))
ROUNDING = {"f32": fl, "f64": fl, "bf16": _to_bf16, "f16": _to_f16}


def variant_of(function: Any, name: str, names: dict[str, Any], compiler: Any = jit_cached) -> Any:
    """Return a function compiled with other meanings of some of its global names.

    Its name tells compiled code on disk apart, as all of that name have the same meanings here.
    """
    variant = FunctionType(
        function.__code__, {**function.__globals__, **names}, f"{function.__code__.co_name}_{name}"
    )
    variant.__module__, variant.__qualname__ = function.__module__, variant.__name__
    return compiler(variant, f"{variant.__name__} {text()}")


@cache
def text() -> str:
    """Return the source of all modules that a loop may call into: those beside this one."""
    return "".join(path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("*.py")))


Array = np.ndarray
f64, select = np.float64, scalar_functions.FUNCTIONS["select"]
# What these names mean in a variant: see `counting`.
largest: Any = None
event: Any = None
multiplied: Any = None
least = most = span = 0
saturates = products = False


def _event_exact(total: Any, product: Any) -> Any:
    """Return the rounded sum, and its error (Knuth): a float of the same format, if nothing overflows."""
    after = total + product
    part = after - total
    return after, abs((total - (after - part)) + (product - part))


def _event_narrow(total: Any, product: Any) -> Any:
    """Return the sum rounded to a narrower format, and its error, rounded to f64."""
    after = fl(total + product)
    a, b = f64(total), f64(product)
    wide = a + b
    part = wide - a
    return after, abs((wide - f64(after)) + ((a - (wide - part)) + (b - part)))


def _event_held(total: Any, product: Any) -> Any:
    """Return what an accumulator holds of a sum of integers, and how far that is from it."""
    exact = total + product
    after = min(max(exact, least), most) if saturates else ((exact - least) & span) + least
    return after, abs(exact - after)


def _product_held(x: Any, w: Any) -> Any:
    return ((x * w - least) & span) + least if products else x * w


def _product_rounded(x: Any, w: Any) -> Any:
    return fl(x * w)


def _count(totals: Array, left: Array, right: Array, sizes: Array, by_row: int, by_column: int) -> Any:
    """Add products of left [m, k] and right [k, n] to totals [m, n], zeros; m and k are multiples of 4.

    Return how many sums had an event, the largest error, its leaf and its key, `row * by_row + column *
    by_column`; of equal errors the first leaf, then the least key. sizes: of n zeros, of the errors' dtype.
    """
    n, columns = right.shape
    numbers, leaves = np.zeros(columns, np.int32), np.zeros(columns, np.int32)
    count, worst, worst_leaf, worst_key = 0, sizes.dtype.type(0), 0, 0
    for i in range(0, len(left), ROWS):
        for j in range(columns):
            numbers[j], leaves[j], sizes[j] = 0, 0, 0
        for k in range(0, n, 4):
            for row in range(i, i + ROWS):
                x = left[row, k], left[row, k + 1], left[row, k + 2], left[row, k + 3]
                for j in range(columns):
                    total, e = event(totals[row, j], multiplied(x[0], right[k, j]))
                    total, f = event(total, multiplied(x[1], right[k + 1, j]))
                    total, g = event(total, multiplied(x[2], right[k + 2, j]))
                    total, h = event(total, multiplied(x[3], right[k + 3, j]))
                    totals[row, j] = total
                    numbers[j] += np.int32(e != 0) + np.int32(f != 0) + np.int32(g != 0) + np.int32(h != 0)
                    size = largest(largest(e, f), largest(g, h))
                    leaves[j] = select(size > sizes[j], np.int32(k), leaves[j])
                    sizes[j] = largest(size, sizes[j])
        for j in range(columns):
            count += numbers[j]
            if sizes[j] > worst or (sizes[j] == worst and worst > 0 and leaves[j] <= worst_leaf):
                leaf, key = _find(left, right, i, j, sizes[j], leaves[j] + 4, by_row, by_column)
                if sizes[j] > worst or leaf < worst_leaf or (leaf == worst_leaf and key < worst_key):
                    worst, worst_leaf, worst_key = sizes[j], leaf, key
    return count, worst, worst_leaf, worst_key


def _larger(x: Any, y: Any) -> Any:
    return select(x > y, x, y)


def _find(left: Array, right: Array, i: int, j: int, size: Any, end: int, by_row: int, by_column: int) -> Any:
    """Return the first leaf, below `end`, and the key of a sum in a column that is so far from exact."""
    leaf, key = end, 0
    for row in range(i, i + ROWS):
        total = left.dtype.type(0)
        for k in range(leaf):
            total, e = event(total, multiplied(left[row, k], right[k, j]))
            if e == size:
                leaf, key = k, row * by_row + j * by_column
                break
    return leaf, key


def _first(left: Array, right: Array, end: int, by_row: int, by_column: int) -> Any:
    """Return the first leaf below `end` at which a sum has an event, and the least key there; or end, 0."""
    totals = np.zeros((len(left), right.shape[1]), left.dtype)
    for k in range(end):
        count = 0
        for i in range(len(left)):
            for j in range(right.shape[1]):
                totals[i, j], e = event(totals[i, j], multiplied(left[i, k], right[k, j]))
                count += e != 0
        if count:
            return k, _least_key(left, right, k, by_row, by_column)
    return end, 0


def _least_key(left: Array, right: Array, end: int, by_row: int, by_column: int) -> int:
    """Return the least key of a sum that has an event at leaf `end`."""
    least_key = len(left) * by_row + right.shape[1] * by_column
    for i in range(len(left)):
        for j in range(right.shape[1]):
            if i * by_row + j * by_column < least_key:
                total = left.dtype.type(0)
                for k in range(end):
                    total, e = event(total, multiplied(left[i, k], right[k, j]))
                total, e = event(total, multiplied(left[i, end], right[end, j]))
                if e != 0:
                    least_key = i * by_row + j * by_column
    return least_key


class Counting(NamedTuple):
    """Compiled functions: `counted`, `first`, and `steps`, which gives a sum and the product added to it."""

    counted: Callable[..., Any]
    first: Callable[..., Any]
    steps: Callable[..., Any]


def _steps(left: Array, right: Array, leaf: int) -> Any:
    """Return the sum of the products before `leaf`, of a row and a column, and the product there."""
    total = left.dtype.type(0)
    for k in range(leaf):
        total = event(total, multiplied(left[k], right[k]))[0]
    return total, multiplied(left[leaf], right[leaf])


@cache
def counting(name: str, held: Any = None) -> Counting:
    """Return the loops for sums of a float type in its carrier; held: how an accumulator holds integers."""
    if held is None:
        parts: dict[str, Any] = {"fl": ROUNDING[name]}
        exact = name in ("f32", "f64")
        parts["event"] = jit_inner(_event_exact) if exact else variant_of(_event_narrow, name, parts)
        parts["multiplied"] = variant_of(_product_rounded, name, parts)
    else:
        known = {**held._asdict(), "span": held.most - held.least}
        parts = {"event": variant_of(_event_held, name, known)}
        parts["multiplied"] = variant_of(_product_held, name, known)
    parts["largest"] = jit_inner(_larger)
    for helper in (_find, _least_key):
        parts[helper.__name__] = variant_of(helper, name, dict(parts))
    return Counting(*(variant_of(f, name, parts) for f in (_count, _first, _steps)))
