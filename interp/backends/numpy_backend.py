"""NUMPY, the namespace that runs eagerly. It carries f64 in f64, and f32 and most narrower floats in f32."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache
from itertools import chain
from math import copysign
from typing import Any

import numpy as np

from interp.backends import lapack, windows
from interp.backends.base import Array, Combine, Dtypes, Loop, Namespace, State
from interp.backends.dtypes import numpy_dtype
from interp.backends.functions import rounded_to_odd, unsure
from spec.types import ElementType, TensorType, complex_part

TABLE = 64  # numbers from which on it pays to round them at once
BOX = 2**19  # elements that NumPy works on at once: few arrays of them stay in a cache, a box costs 0.2 ms
MANY = 2**12  # elements from which on NumPy had better choose between two arrays without branches


class OnNumpy(Namespace):
    """NumPy; 0-d values are NumPy scalars, on which Python's operators are ten times as fast."""

    in_place = lasting = looks_up = True
    # Builtin functions, which do not become methods.
    add = plus = operator.add  # type: ignore[assignment]
    subtract = minus = operator.sub  # type: ignore[assignment]
    multiply, negative = operator.mul, operator.neg
    divide_exactly = operator.truediv  # type: ignore[assignment]

    def carrier_name(self, type: ElementType) -> str:
        if type.kind != "float" or type.bits == 64:
            return type.numpy
        # Without a zero, a product below every f32 is still the least number of the type.
        return "float64" if type.special == "fnu" else "float32"

    def decode(self, storage: Array, type: ElementType) -> Array:
        return np.asarray(storage).astype(self.carrier(type), copy=False)[()]

    def encode(self, x: Array, type: ElementType) -> Array:
        x = np.asarray(x)
        if type.kind == "complex":
            real, imag = (self.encode(part, complex_part(type)) for part in (x.real, x.imag))
            return self.join_complex(real, imag, numpy_dtype(type))
        if type.kind == "float" and (unknown := np.isnan(x)).any():
            x = np.where(unknown, x.dtype.type(np.nan), x)
        return x.astype(numpy_dtype(type), copy=False)

    def round_to(self, x: Array, type: ElementType) -> Array:
        if type.name in ("f32", "f64"):
            carrier = self.carrier(type)
            return x if x.dtype == carrier else x.astype(carrier)
        if type.name == "f16":
            return x.astype(np.float16).astype(np.float32)
        return self.round_by_row(x.astype(np.float64), type).astype(self.carrier(type))

    def certain(self, name: str, y: Array, type: ElementType, operands: State) -> Array:
        """Recompute results that are too near to a tie to be rounded from f64; f64 itself needs none."""
        if type.name == "f64":
            return y
        at = unsure(self, y, type)
        if not at.size:
            return y
        y = np.array(y)
        columns = ((np.broadcast_to(x, y.shape).flat[at]).tolist() for x in operands)
        y.flat[at] = [rounded_to_odd(name, *x) for x in zip(*columns, strict=True)]
        return y

    def computes_in(self, type: ElementType) -> bool:
        return type.name in ("f32", "f64")

    def float_maximum(self, x: Array, y: Array) -> Array:
        return _repair(np.maximum(x, y), x, y, lambda: x + y)

    def float_minimum(self, x: Array, y: Array) -> Array:
        return _repair(np.minimum(x, y), x, y, lambda: -(-x - y))

    def known_values(self, x: Array) -> Array | None:
        return np.asarray(x)

    def stable_order(self, x: Array) -> Array:
        """Sort 64-bit words made of number and index, which is four times as fast as a stable sort.

        Where a word is too short for both, each number is replaced by its rank among the different numbers.
        """
        if not x.size:
            return np.zeros(x.shape, np.int64)
        least, places = x.min(), max(x.shape[-1] - 1, 0).bit_length()
        if (int(x.max()) - int(least)).bit_length() + places < 64:
            words, order = x.astype(np.int64), np.arange(x.shape[-1])
            words -= least.astype(np.int64)
        else:
            order = np.argsort(x, axis=-1)
            ordered = np.take_along_axis(x, order, -1)
            words = np.zeros(x.shape, np.int64)
            np.cumsum(ordered[..., 1:] != ordered[..., :-1], axis=-1, out=words[..., 1:])
        words <<= places
        words |= order
        words.sort(axis=-1)
        return words & ((1 << places) - 1)

    def opaque(self, x: Array) -> Array:
        return x

    def values(self, x: Array, what: str) -> Array:
        return np.asarray(x)

    def callback(self, f: Callable[..., State], types: Sequence[TensorType], arrays: State) -> State:
        return f(*arrays)

    def join_complex(self, real: Array, imag: Array, dtype: np.dtype) -> Array:
        parts = np.stack(np.broadcast_arrays(real, imag), -1)
        return parts.astype(f"float{dtype.itemsize * 4}").view(dtype)[..., 0]

    def sum_in(self, dtype: np.dtype, x: Array, y: Array) -> Array:
        return np.add(x, y, dtype=dtype)

    def bits_of(self, x: Array, dtype: np.dtype) -> Array:
        return np.asarray(x).view(dtype)

    def lapack(self, call: lapack.Call, operands: Sequence[Array]) -> State:
        return lapack.on_numpy(call, operands)

    def clip(self, x: Array, low: Any, high: Any) -> Array:
        """Clamp; faster than `np.clip` on few elements."""
        if np.size(x) > MANY:
            return np.clip(x, low, high)
        return np.minimum(np.maximum(x, low), high)

    def constant(self, data: bytes, type: ElementType, shape: tuple[int, ...], splat: bool) -> Array:
        return super().constant(data, type, shape, splat)[()]

    def full_like(self, x: Array, value: Any) -> Array:
        """Return a filled array; faster than `np.full_like`, which is written in Python."""
        whole = np.empty(x.shape, x.dtype)
        whole.fill(value)
        return whole

    def where(self, condition: Array, x: Any, y: Any) -> Array:
        """Choose by bit masks: `np.where` branches for each element, ten times slower on mixed conditions.

        Where the condition holds nowhere, as for NaN mostly, y itself is the result.
        """
        if condition.__class__ is np.bool_ and x.__class__ is y.__class__:
            return x if condition else y
        arrays = isinstance(x, np.ndarray) and isinstance(y, np.ndarray)
        if _keeps(condition, x, y) and not condition.any():
            return y
        if not (arrays and x.size >= MANY and x.dtype == y.dtype and x.dtype.kind in "biuf"):
            return np.where(condition, x, y)
        bits = np.dtype(f"int{x.itemsize * 8}")
        mask = np.negative(np.asarray(condition).view(np.int8)).astype(bits, copy=False)
        x, y, dtype = x.view(bits), y.view(bits), x.dtype
        return (((x ^ y) & mask) ^ y).view(dtype)

    def loop(self, combine: Combine, state: Dtypes, leaf: Dtypes, n: int, columns: int) -> Loop | None:
        from interp.backends.loops import loop_of

        return loop_of(self, combine, state, leaf, n, columns)

    def while_loop(
        self, cond: Callable[[State], Array], body: Callable[[State], State], state: State
    ) -> State:
        while cond(state):
            state = body(state)
        return state

    def switch(self, index: Array, branches: Sequence[Callable[[], State]]) -> State:
        return branches[int(index)]()

    def pad_with(self, x: Array, value: Array, edges: Sequence[windows.Edge]) -> Array:
        if not any(map(any, edges)):
            return x
        shape, taken, there = zip(*map(windows.placement, x.shape, edges), strict=True)
        whole = np.full(shape, value, x.dtype)
        whole[there] = x[taken]
        return whole

    def by_box(
        self, f: Callable[[windows.Box], State], shape: windows.Shape, least: windows.Shape, held: int = 1
    ) -> State:
        first, *others = windows.boxes(shape, least, BOX // held)
        parts = f(first)
        if not others:
            return parts
        results = tuple(np.empty(shape, x.dtype) for x in parts)
        for box, state in chain([(first, parts)], ((box, f(box)) for box in others)):
            for result, part in zip(results, state, strict=True):
                result[box] = part
        return results

    def look_up(self, table: Array, index: Array) -> Array:
        return table.take(index)

    def replace_at(self, x: Array, index: Any, values: Array) -> Array:
        x = np.array(x)  # also of a scalar, which cannot be written to
        x[index] = values
        return x

    def combined_at(self, name: str, x: Array, index: Array, values: Array) -> Array:
        inside = index < len(x)
        if not inside.all():
            index, values = index[inside], values[inside]
        x = x.copy()
        getattr(np, name).at(x, index, values)
        return x

    def start(self, index: Array, most: int) -> Any:
        return min(max(int(index), 0), most)

    def slice_of(self, x: Array, starts: Sequence[Any], sizes: Sequence[int]) -> Array:
        return x[tuple([slice(start, start + size) for start, size in zip(starts, sizes, strict=True)])]

    def slice_replaced(self, x: Array, values: Array, starts: Sequence[Any]) -> Array:
        first = zip(starts, values.shape, strict=True)
        return self.replace_at(x, tuple([slice(start, start + size) for start, size in first]), values)

    def per_element(self, f: Callable[..., State], arrays: State) -> State:
        shape = arrays[0].shape
        columns = zip(*(f(*(a[i] for a in arrays)) for i in np.ndindex(shape)), strict=True)
        return tuple(np.array([np.asarray(x) for x in column]).reshape(shape) for column in columns)


def _keeps(condition: Any, x: Any, y: Any) -> bool:
    """Return whether a choice between x and a large y has the dtype and the shape of y."""
    if not isinstance(y, np.ndarray) or y.size < MANY or np.shape(condition) != y.shape:
        return False
    if isinstance(x, np.ndarray):
        return x.dtype == y.dtype and x.shape in ((), y.shape)
    return type(x) is float and y.dtype.kind == "f"


def _repair(z: Array, x: Array, y: Array, of_zeros: Callable[[], Array]) -> Array:
    """Return the extreme z of x and y with NaN in one form, and with `of_zeros()` where x and y are zeros."""
    if np.count_nonzero(z) < z.size:
        both = (x == 0) & (y == 0)
        z = NUMPY.where(both, of_zeros(), z) if np.count_nonzero(both) else z
    return NUMPY.where(np.isnan(z), np.nan, z) if np.count_nonzero(np.isnan(z)) else z


NUMPY = OnNumpy(np)


def fl(value: float | int, type: ElementType) -> float:
    """Return a number rounded once to a float type; for scales, zero points and storage bounds."""
    return _fl(value, type, copysign(1.0, value))


@cache
def _fl(value: float | int, type: ElementType, sign: float) -> float:
    """The same; sign: that of the number, as -0 equals 0."""
    return float(_round(np.asarray(value, np.int64 if isinstance(value, int) else np.float64), type))


def fl_all(values: Sequence[float] | Sequence[int], type: ElementType) -> tuple[float, ...]:
    """Return `fl` of each number of a list: a table of blocks has many."""
    if len(values) < TABLE:
        return tuple(fl(value, type) for value in values)
    exact = np.asarray(values)  # int64, or f64
    return tuple(map(float, _round(exact, type).tolist()))


def _round(exact: Array, type: ElementType) -> Array:
    with np.errstate(over="ignore"):
        if exact.dtype.kind == "i":
            return NUMPY.integer_to_float(exact, type)
        return NUMPY.round_to(exact, type)
