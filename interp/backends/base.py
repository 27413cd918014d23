"""The base of the namespaces: functions that an array module lacks, and rounding by the table of types."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import cache, partial
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from interp.backends import windows
from interp.backends.dtypes import numpy_dtype
from interp.backends.lapack import Call
from spec.types import ElementType, TensorType

Array = Any
State = tuple[Array, ...]
Dtypes = Sequence[np.dtype]
Combine = Callable[[Any, State, State], State]  # combine(xp, state, leaf) -> state, over any namespace
# loop(state, blocks of leaves along a first axis, look) -> state; look(chunk), if given, sees a few at a time
Loop = Callable[..., State]
DIRECTIONS: dict[str, Callable[[Array, Array], Array]] = {
    "EQ": operator.eq,
    "NE": operator.ne,
    "GE": operator.ge,
    "GT": operator.gt,
    "LE": operator.le,
    "LT": operator.lt,
}


class Namespace:
    """Array module and the functions it lacks: its own are attributes (`xp.where`), the others methods."""

    in_place = False  # whether arrays can be written to
    lasting = False  # whether arrays outlive the run that made them: those of a compiler's trace do not
    looks_up = False  # whether it pays to look results up in a table
    chains = False  # whether machine code may compute chains of elementwise operations

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.carriers: dict[str, np.dtype] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.module, name)
        setattr(self, name, value)  # looked up once: a left fold asks a million times
        return value

    def carrier(self, type: ElementType) -> np.dtype:
        """Return the dtype that values of `type` are computed in."""
        if type.name not in self.carriers:
            self.carriers[type.name] = np.dtype(self.carrier_name(type))
        return self.carriers[type.name]

    def carrier_name(self, type: ElementType) -> str:
        raise NotImplementedError

    def decode(self, storage: Array, type: ElementType) -> Array:
        """Return stored elements in their carrier."""
        raise NotImplementedError

    def traced_once(self, f: Callable[..., Array], **known: Any) -> Callable[..., Array]:
        """Return `f(self, *arrays, **known)` as a function of arrays, traced once for each of their shapes.

        f: a function of a module. known: values that can be hashed.
        """
        return partial(f, self, **known)

    def keep_stored(self, x: Array, stored: Callable[[], Array | None]) -> Array:
        """Return x; where it is compiled, `stored()` may stand for it: the same numbers, as stored."""
        return x

    def maker(self, x: Array) -> Callable[[], Array | None] | None:
        """Return the function that `keep_stored` kept of an array, or None."""
        return None

    def storage(self, x: Array) -> Array | None:
        """Return what `keep_stored` kept of an array, or None."""
        return None

    def keep_spread(
        self, x: Array, source: Array, order: Sequence[int], sizes: Sequence[int], shape: Sequence[int]
    ) -> Array:
        """Return x; where it is compiled, it is known to repeat `source`: see `platforms.Spread`."""
        return x

    def encode(self, x: Array, type: ElementType) -> Array:
        """Return the stored elements of a carrier; every NaN becomes the one quiet NaN."""
        raise NotImplementedError

    def round_to(self, x: Array, type: ElementType) -> Array:
        """Round floats (a carrier of `type`, or f64) once to `type`, and return its carrier."""
        raise NotImplementedError

    def computes_in(self, type: ElementType) -> bool:
        """Return whether a float type is its own carrier, so that its arithmetic needs no rounding."""
        return False

    def divide_exactly(self, x: Array, y: Array) -> Array:
        """Return the IEEE quotient; no compiler may turn it into a product with the reciprocal."""
        raise NotImplementedError

    def certain(self, name: str, y: Array, type: ElementType, operands: State) -> Array:
        """Return the function `name` of f64 operands, accurate enough to be rounded correctly to `type`.

        y: the result in f64, a few units in the last place off. A namespace that compiles returns y itself,
        which next to a tie between two numbers of `type` may be rounded to the wrong one.
        """
        return y

    def plus(self, x: Array, y: Array) -> Array:
        """Return the IEEE sum of floats."""
        return self.add(x, y)

    def minus(self, x: Array, y: Array) -> Array:
        """Return the IEEE difference of floats."""
        return self.subtract(x, y)

    def float_maximum(self, x: Array, y: Array) -> Array:
        """Return the maximum of floats: NaN propagates, -0 < +0."""
        z = self.where((x > y) | ((x == y) & ~self.signbit(x)), x, y)
        return self.where(self.isnan(x) | self.isnan(y), np.nan, z)

    def float_minimum(self, x: Array, y: Array) -> Array:
        """Return the minimum of floats: NaN propagates, -0 < +0."""
        z = self.where((x < y) | ((x == y) & self.signbit(x)), x, y)
        return self.where(self.isnan(x) | self.isnan(y), np.nan, z)

    def known_values(self, x: Array) -> Array | None:
        """Return the elements as a NumPy array, or None while a compiler traces: they have no values then."""
        raise NotImplementedError

    def stable_order(self, x: Array) -> Array:
        """Return the indices that sort integers along the last axis, equal ones in their order."""
        raise NotImplementedError

    def opaque(self, x: Array) -> Array:
        """Return `x` behind an optimization barrier: a compiler neither folds it nor computes it again."""
        raise NotImplementedError

    def values(self, x: Array, what: str) -> Array:
        """Return an array whose elements can be read; `Unsupported` where it is only traced.

        what: the name of the operation that reads them, for the error.
        """
        raise NotImplementedError

    def callback(self, f: Callable[..., State], types: Sequence[TensorType], arrays: State) -> State:
        """Return `f(*arrays)`, results of these types, for a Python function on stored NumPy arrays."""
        raise NotImplementedError

    def on_devices(self, f: Callable[..., State], count: int, arrays: State) -> State:
        """Return the results of `f(number, *arrays)` on `count` devices, stacked along a new first axis.

        Raise `Unsupported` if there are fewer devices. Within `f`, `from_all(x)` stacks the x of all devices.
        """
        raise NotImplementedError

    def from_all(self, x: Array) -> Array:
        """Return the x of every device, stacked along a new first axis; to be called within `on_devices`."""
        raise NotImplementedError

    def join_complex(self, real: Array, imag: Array, dtype: np.dtype) -> Array:
        """Return `real + i imag` without arithmetic, which would spoil infinities and signed zeros."""
        raise NotImplementedError

    def sum_in(self, dtype: np.dtype, x: Array, y: Array) -> Array:
        """Return `x + y` in an integer dtype that holds it."""
        return x.astype(dtype) + y.astype(dtype)

    def fori_loop(
        self, lower: int, upper: int, step: Callable[[Any, State], State], state: State, unrolled: int = 0
    ) -> State:
        """Run `step` for `lower`, ..., `upper - 1`, one after the other.

        A compiler sees at most `unrolled` steps one by one, and fuses them.
        """
        for i in range(lower, upper):
            state = step(i, state)
        return state

    def loop(self, combine: Combine, state: Dtypes, leaf: Dtypes, n: int, columns: int) -> Loop | None:
        """Return a left fold of n leaves that is faster than step by step, or None.

        combine: the step, elementwise. state, leaf: the dtypes of the accumulators and of one leaf.
        """
        return None

    def while_loop(
        self, cond: Callable[[State], Array], body: Callable[[State], State], state: State
    ) -> State:
        """`while cond(state): state = body(state)`."""
        raise NotImplementedError

    def switch(self, index: Array, branches: Sequence[Callable[[], State]]) -> State:
        """Return `branches[index]()`."""
        raise NotImplementedError

    def pad_with(self, x: Array, value: Array, edges: Sequence[windows.Edge]) -> Array:
        """Return the array dilated, and padded with a scalar; a negative edge cuts elements off."""
        raise NotImplementedError

    def by_box(
        self, f: Callable[[windows.Box], State], shape: windows.Shape, least: windows.Shape, held: int = 1
    ) -> State:
        """Split an index space into boxes of at least this size, and join the results `f(box)`.

        A namespace that compiles uses one box. NumPy's boxes are so small that a cache can hold the `held`
        arrays of that size which `f` works on.
        """
        raise NotImplementedError

    def look_up(self, table: Array, index: Array) -> Array:
        """Return the entries of a NumPy vector at indices that lie in it."""
        raise NotImplementedError

    def replace_at(self, x: Array, index: Any, values: Array) -> Array:
        """Return `x` with `values` at an index; positions beyond the end are ignored."""
        raise NotImplementedError

    def combined_at(self, name: str, x: Array, index: Array, values: Array) -> Array:
        """Combine elements of a vector with values by `add`, `multiply`, `maximum` or `minimum`.

        index: the element for each value; one beyond the end is ignored. NumPy applies the values in order.
        """
        raise NotImplementedError

    def start(self, index: Array, most: int) -> Any:
        """Return a start index clamped to 0, ..., `most`, for `slice_of` and `slice_replaced`."""
        raise NotImplementedError

    def slice_of(self, x: Array, starts: Sequence[Any], sizes: Sequence[int]) -> Array:
        """Return the elements of `x` from `starts` on; the slice lies in `x`."""
        raise NotImplementedError

    def slice_replaced(self, x: Array, values: Array, starts: Sequence[Any]) -> Array:
        """Return `x` with `values` from `starts` on; all of them lie in `x`."""
        raise NotImplementedError

    def per_element(self, f: Callable[..., State], arrays: State) -> State:
        """Apply `f` element by element to equally shaped arrays, for bodies that are not elementwise."""
        raise NotImplementedError

    def lapack(self, call: Call, operands: Sequence[Array]) -> State:
        """Return the results of a custom call of JAX to LAPACK, on stored elements."""
        raise NotImplementedError

    def bits_of(self, x: Array, dtype: np.dtype) -> Array:
        """Return the bits of stored elements as an integer dtype of the same size."""
        raise NotImplementedError

    def to_bits(self, x: Array, type: ElementType) -> Array:
        """Return a carrier's elements as unsigned integers of the type's width."""
        container = numpy_dtype(type)
        bits = self.bits_of(self.encode(x, type), np.dtype(f"uint{container.itemsize * 8}"))
        return bits & np.asarray((1 << type.bits) - 1, bits.dtype)

    def from_bits(self, bits: Array, type: ElementType) -> Array:
        """Return the inverse of `to_bits`."""
        container = numpy_dtype(type)
        stored = self.bits_of(bits.astype(np.dtype(f"uint{container.itemsize * 8}")), container)
        spare = container.itemsize * 8 - type.bits
        return stored << spare >> spare if type.is_integer and spare else self.decode(stored, type)

    def constant(self, data: bytes, type: ElementType, shape: tuple[int, ...], splat: bool) -> Array:
        """Return the carrier of elements that are given as little-endian bytes of their containers."""
        stored = np.frombuffer(data, numpy_dtype(type).newbyteorder("<"))
        carried = stored.reshape(() if splat else shape).astype(self.carrier(type), copy=False)
        return self.asarray(carried)

    def constant_tensor(self, data: bytes, type: ElementType, shape: tuple[int, ...], splat: bool) -> Array:
        """Return the same in the whole shape, where one element may stand for all."""
        value = self.constant(data, type, shape, splat)
        return self.broadcast_to(value, shape) if shape else value

    def round_by_row(self, x: Array, type: ElementType) -> Array:
        """Round to a narrower float format, as its row in the table of element types describes it."""
        unsigned = type.special == "fnu"  # powers of two, and neither zero nor subnormals
        least = -type.bias if unsigned else 1 - type.bias
        y = self.on_grid(x, type.mantissa, least)
        largest = max_finite(type)
        beyond = {"ieee": np.inf, "finite": largest}.get(type.special, np.nan)
        y = self.where(self.abs(y) > largest, self.copysign(beyond, x), y)
        if type.special == "fnuz":  # has no -0
            y = self.where(y == 0, 0.0, y)
        if unsigned:
            y = self.where(x > 0, self.maximum(y, 2.0**least), np.nan)
        if type.special == "fnuz":  # its only zero
            y = self.where(y == 0, 0.0, y)
        return self.where(self.isnan(x), -0.0 if type.special == "finite" else np.nan, y)

    def on_grid(self, x: Array, mantissa: int, least: int) -> Array:
        """Round f64 to `mantissa` bits after the leading one, or those that a number 2**least would have.

        Scale the last place to 1, round, scale back.
        """
        _, exponent = self.frexp(x)
        last_place = self.maximum(exponent - 1, least) - mantissa
        return self.ldexp(self.rint(self.ldexp(x, -last_place)), last_place)

    def integer_to_float(self, x: Array, type: ElementType) -> Array:
        """Convert integers to a float type with one rounding; beyond 53 bits through round-to-odd."""
        if x.dtype.itemsize < 8 or type.name == "f64":
            return self.round_to(x.astype(self.float64), type)
        sticky = ((x >> 11) | (x & 2047 != 0).astype(x.dtype)) if type.bits < 64 else x
        small = (x >> 53 == 0) | (x >> 53 == -1)
        return self.round_to(
            self.where(small, x, sticky).astype(self.float64) * self.where(small, 1.0, 2.0**11), type
        )


@cache
def max_finite(type: ElementType) -> float:
    """Return the largest finite value of a float type."""
    top = 2**type.exponent - 1 - type.bias - (type.special in ("ieee", "fnu"))
    odd = 2 - 2.0**-type.mantissa - (2.0**-type.mantissa if type.special == "fn" else 0)
    return odd * 2.0**top


# Some leaves of a fold that a compiled loop has just taken, to be looked at again.

Numbers = np.ndarray


class Chunk(NamedTuple):
    """Consecutive leaves of some columns, after the loop took them.

    first: how many leaves came before. column: the first one, flat. leaves: [leaf, column]. before, after:
    the state, by column; `after` may be written to, to begin counts anew. loop: it takes leaves.
    """

    first: int
    column: int
    leaves: State
    before: State
    after: State
    loop: Callable[..., Any]

    def earliest(self, holds: Callable[[State], Numbers], columns: Numbers) -> Moment:
        """Return where, leaf by leaf, a state first `holds`, which it does at the end in all these columns.

        What holds goes on to hold. Leaves are taken once more: one, two, four, and so on, as it may be soon;
        then half of those among which it is.
        """
        low, high, step = 0, len(self.leaves[0]), 1
        state = tuple(x[columns] for x in self.before)
        while high - low > 1:
            middle = min(low + step, (low + high) // 2)
            step *= 2
            later = tuple(x.copy() for x in state)
            taken = [np.ascontiguousarray(x[low:middle, columns]) for x in self.leaves]
            self.loop(middle - low, len(columns), *taken, *later)
            if (here := holds(later)).any():
                high, columns, state = middle, columns[here], tuple(x[here] for x in state)
            else:
                low, state = middle, later
        column = int(columns[0])
        leaf = tuple(x[low, column] for x in self.leaves)
        return Moment(self.first + low + 1, self.column + column, tuple(x[0] for x in state), leaf)


class Moment(NamedTuple):
    """A node of a left fold: its last leaf, leaf 0 being the init value, its column, its state and leaf."""

    leaf: int
    column: int
    state: State
    taken: State
