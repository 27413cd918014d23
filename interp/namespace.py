"""NUMPY and JAX: an array namespace, and the few things in which the two differ. No other file asks.

A *carrier* is the array in which a value is computed. Integers, booleans and storage integers are their own
carriers. Floats: NumPy carries f64 and f32 natively and everything narrower in f32. JAX carries every float
in f64, because XLA fuses `a*b+c`: a second rounding by `round_to` is then right whatever XLA fused, since
53 >= 2 * 24 + 2 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import chain
from types import ModuleType
from typing import Any

import ml_dtypes  # noqa: F401  (registers bfloat16 and the 8-bit floats with NumPy)
import numpy as np

from interp import windows
from spec.types import ElementType, complex_part

Array = Any
State = tuple[Array, ...]
BOX = 2**19  # elements that NumPy works on at once: few arrays of them stay in a cache, a box costs 0.2 ms
MANY = 2**12  # elements from which on NumPy had better choose between two arrays without branches
UNROLLED = 16  # steps of a loop that XLA sees one by one, and fuses: the positions of a window, mostly


class Namespace:
    """Functions of the array module by attribute (`xp.where`), and below what the module lacks."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.carriers: dict[str, np.dtype] = {}

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.module, name)
        setattr(self, name, value)  # looked up once: a left fold asks a million times
        return value

    def carrier(self, type: ElementType) -> np.dtype:
        """The dtype that values of `type` are computed in."""
        if type.name not in self.carriers:
            self.carriers[type.name] = np.dtype(self.carrier_name(type))
        return self.carriers[type.name]

    def carrier_name(self, type: ElementType) -> str:
        raise NotImplementedError

    def decode(self, storage: Array, type: ElementType) -> Array:
        """Stored elements to their carrier."""
        raise NotImplementedError

    def encode(self, x: Array, type: ElementType) -> Array:
        """A carrier to stored elements; every NaN becomes the one quiet NaN."""
        raise NotImplementedError

    def round_to(self, x: Array, type: ElementType) -> Array:
        """`fl`: a float array, in the carrier of `type` or in f64, rounded once to `type`, in its carrier."""
        raise NotImplementedError

    def divide_exactly(self, x: Array, y: Array) -> Array:
        """IEEE division that no compiler turns into a multiplication by the reciprocal."""
        raise NotImplementedError

    def opaque(self, x: Array) -> Array:
        """What no compiler sees through: XLA replaces `x + 0` by x, which is wrong for -0.

        Nor does it compute x again wherever it is used.
        """
        raise NotImplementedError

    def join_complex(self, real: Array, imag: Array, dtype: np.dtype) -> Array:
        """`real + i imag` without arithmetic, which would spoil infinities and signed zeros."""
        raise NotImplementedError

    def fori_loop(self, lower: int, upper: int, step: Callable[[Any, State], State], state: State) -> State:
        """`for i in range(lower, upper): state = step(i, state)`."""
        raise NotImplementedError

    def while_loop(
        self, cond: Callable[[State], Array], body: Callable[[State], State], state: State
    ) -> State:
        """`while cond(state): state = body(state)`."""
        raise NotImplementedError

    def switch(self, index: Array, branches: Sequence[Callable[[], State]]) -> State:
        """`branches[index]()`."""
        raise NotImplementedError

    def padded(self, x: Array, value: Array, edges: Sequence[windows.Edge]) -> Array:
        """Padding with a scalar, cutting (negative edges) and dilation of an array."""
        raise NotImplementedError

    def by_box(
        self, f: Callable[[windows.Box], State], shape: windows.Shape, least: windows.Shape, held: int = 1
    ) -> State:
        """`f(box)` for boxes of at least that size that make up an index space, joined.

        Where a compiler arranges the work, one box; else of a size that caches hold, `f` keeping `held`
        arrays of it.
        """
        raise NotImplementedError

    def per_element(self, f: Callable[..., State], arrays: State) -> State:
        """`f` element by element on equally shaped arrays, for bodies that are not elementwise."""
        raise NotImplementedError

    def bits_of(self, x: Array, dtype: np.dtype) -> Array:
        """The bits of stored elements as an integer dtype of the same size."""
        raise NotImplementedError

    def to_bits(self, x: Array, type: ElementType) -> Array:
        """A carrier's elements as unsigned integers of the type's width."""
        container = np.dtype(type.numpy)
        bits = self.bits_of(self.encode(x, type), np.dtype(f"uint{container.itemsize * 8}"))
        return bits & np.asarray((1 << type.bits) - 1, bits.dtype)

    def from_bits(self, bits: Array, type: ElementType) -> Array:
        """The inverse of `to_bits`."""
        container = np.dtype(type.numpy)
        stored = self.bits_of(bits.astype(np.dtype(f"uint{container.itemsize * 8}")), container)
        spare = container.itemsize * 8 - type.bits
        return stored << spare >> spare if type.is_integer and spare else self.decode(stored, type)

    def constant(self, data: bytes, type: ElementType, shape: tuple[int, ...], splat: bool) -> Array:
        """Elements written as little-endian bytes of their containers, in their carrier."""
        stored = np.frombuffer(data, np.dtype(type.numpy).newbyteorder("<"))
        return self.asarray(
            NUMPY.decode(stored.reshape(() if splat else shape), type).astype(self.carrier(type))
        )

    def round_by_row(self, x: Array, type: ElementType) -> Array:
        """f64 to a narrower format by its row: scale the last place to 1, round, scale back."""
        _, exponent = self.frexp(x)
        last_place = self.maximum(exponent - 1, 1 - type.bias) - type.mantissa
        y = self.ldexp(self.rint(self.ldexp(x, -last_place)), last_place)
        largest = max_finite(type)
        beyond = {"ieee": np.inf, "finite": largest}.get(type.special, np.nan)
        y = self.where(self.abs(y) > largest, self.copysign(beyond, x), y)
        return self.where(self.isnan(x), np.nan, y)

    def integer_to_float(self, x: Array, type: ElementType) -> Array:
        """Integers to a float type with one rounding: beyond 53 bits through round-to-odd."""
        if x.dtype.itemsize < 8 or type.name == "f64":
            return self.round_to(x.astype(self.float64), type)
        sticky = ((x >> 11) | (x & 2047 != 0).astype(x.dtype)) if type.bits < 64 else x
        small = (x >> 53 == 0) | (x >> 53 == -1)
        return self.round_to(
            self.where(small, x, sticky).astype(self.float64) * self.where(small, 1.0, 2.0**11), type
        )


class _Numpy(Namespace):
    @cached_property
    def closed(self) -> ModuleType:
        """How closed forms run here."""
        from interp import closed_numpy

        return closed_numpy

    def carrier_name(self, type: ElementType) -> str:
        return "float32" if type.kind == "float" and type.bits < 64 else type.numpy

    def decode(self, storage: Array, type: ElementType) -> Array:
        return np.asarray(storage).astype(self.carrier(type), copy=False)

    def encode(self, x: Array, type: ElementType) -> Array:
        x = np.asarray(x)
        if type.kind == "complex":
            real, imag = (self.encode(part, complex_part(type)) for part in (x.real, x.imag))
            return self.join_complex(real, imag, np.dtype(type.numpy))
        if type.kind == "float":
            x = np.where(np.isnan(x), x.dtype.type(np.nan), x)
        return x.astype(np.dtype(type.numpy), copy=False)

    def round_to(self, x: Array, type: ElementType) -> Array:
        if type.name in ("f32", "f64"):
            carrier = self.carrier(type)
            return x if x.dtype == carrier else x.astype(carrier)
        if type.name == "f16":
            return x.astype(np.float16).astype(np.float32)
        return self.round_by_row(x.astype(np.float64), type).astype(np.float32)

    def divide_exactly(self, x: Array, y: Array) -> Array:
        return np.divide(x, y)

    def opaque(self, x: Array) -> Array:
        return x

    def join_complex(self, real: Array, imag: Array, dtype: np.dtype) -> Array:
        parts = np.stack(np.broadcast_arrays(real, imag), -1)
        return parts.astype(f"float{dtype.itemsize * 4}").view(dtype)[..., 0]

    def bits_of(self, x: Array, dtype: np.dtype) -> Array:
        return np.asarray(x).view(dtype)

    def where(self, condition: Array, x: Any, y: Any) -> Array:
        """NumPy's own branches element by element, which costs ten times the bits' way on many mixed ones."""
        arrays = isinstance(x, np.ndarray) and isinstance(y, np.ndarray)
        if not (arrays and x.size >= MANY and x.dtype == y.dtype and x.dtype.kind in "biuf"):
            return np.where(condition, x, y)
        bits = np.dtype(f"int{x.itemsize * 8}")
        mask = np.negative(np.asarray(condition).view(np.int8)).astype(bits, copy=False)
        x, y, dtype = x.view(bits), y.view(bits), x.dtype
        return (((x ^ y) & mask) ^ y).view(dtype)

    def fori_loop(self, lower: int, upper: int, step: Callable[[Any, State], State], state: State) -> State:
        for i in range(lower, upper):
            state = step(i, state)
        return state

    def while_loop(
        self, cond: Callable[[State], Array], body: Callable[[State], State], state: State
    ) -> State:
        while cond(state):
            state = body(state)
        return state

    def switch(self, index: Array, branches: Sequence[Callable[[], State]]) -> State:
        return branches[int(index)]()

    def padded(self, x: Array, value: Array, edges: Sequence[windows.Edge]) -> Array:
        if not any(map(any, edges)):
            return x
        shape, taken, there = zip(*map(windows.placed, x.shape, edges), strict=True)
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

    def per_element(self, f: Callable[..., State], arrays: State) -> State:
        shape = arrays[0].shape
        columns = zip(*(f(*(a[i] for a in arrays)) for i in np.ndindex(shape)), strict=True)
        return tuple(np.array([np.asarray(x) for x in column]).reshape(shape) for column in columns)


class _Jax(Namespace):
    @cached_property
    def closed(self) -> ModuleType:
        """How closed forms run here."""
        from interp import closed_jax

        return closed_jax

    def carrier_name(self, type: ElementType) -> str:
        return {"float": "float64", "complex": "complex128"}.get(type.kind, type.numpy)

    def decode(self, storage: Array, type: ElementType) -> Array:
        if type.kind == "complex":
            real, imag = (self.decode(f(storage), complex_part(type)) for f in (self.real, self.imag))
            return self.join_complex(real, imag, self.carrier(type))
        if type.kind != "float" or type.name == "f64":
            return self.asarray(storage)
        if type.bits < 16:  # by table: XLA flushes the subnormals that some of these meet on the way
            codes = np.arange(2**type.bits, dtype=np.uint8).view(np.dtype(type.numpy)).astype(np.float64)
            return self.asarray(codes)[self.lax.bitcast_convert_type(storage, np.uint8).astype(np.int32)]
        bits = self.lax.bitcast_convert_type(storage, np.dtype(f"uint{type.bits}")).astype(np.uint64)
        magnitude = (bits & (2 ** (type.bits - 1) - 1)).astype(np.uint64)
        tiny = magnitude.astype(np.float64) * 2.0 ** (1 - type.bias - type.mantissa)
        value = self.where(magnitude < 2**type.mantissa, tiny, self.abs(storage.astype(np.float64)))
        return self.where(bits != magnitude, -value, value)

    def encode(self, x: Array, type: ElementType) -> Array:
        if type.kind == "complex":
            parts = (self.encode(part, complex_part(type)) for part in (self.real(x), self.imag(x)))
            return self.lax.complex(*parts)
        if type.kind != "float":
            return x.astype(np.dtype(type.numpy))
        stored = x.astype(np.dtype(type.numpy))
        if type.bits < 16:
            return stored
        unsigned = np.dtype(f"uint{type.bits}")
        bits = self.lax.bitcast_convert_type(stored, unsigned)
        if type.name != "f64":  # XLA flushes what is subnormal in the narrow type: assemble it
            tiny = (self.abs(x) * 2.0 ** (type.bias + type.mantissa - 1)).astype(unsigned)
            tiny |= self.signbit(x).astype(unsigned) << (type.bits - 1)
            bits = self.where(self.abs(x) < 2.0 ** (1 - type.bias), tiny, bits)
        quiet = ((2**type.exponent - 1) * 2 + 1) << (type.mantissa - 1)
        bits = self.where(self.isnan(x), unsigned.type(quiet), bits)
        return self.lax.bitcast_convert_type(bits, np.dtype(type.numpy))

    def round_to(self, x: Array, type: ElementType) -> Array:
        if type.name == "f64":
            # An unseen NaN between a product and a later sum keeps LLVM from contracting the two.
            return self.where(self.isnan(x), self.opaque(self.float64(np.nan)), x)
        x = x.astype(np.float64)
        if type.special != "ieee":
            return self.round_by_row(x, type)
        # reduce_precision flushes subnormals: round those to a multiple of the least one.
        least = 2.0 ** (1 - type.bias - type.mantissa)
        tiny = self.rint(x * (1 / least)) * least
        normal = self.lax.reduce_precision(x, type.exponent, type.mantissa)
        return self.where(self.abs(x) < 2.0 ** (1 - type.bias), tiny, normal)

    def divide_exactly(self, x: Array, y: Array) -> Array:
        shape = np.broadcast_shapes(x.shape, np.shape(y))
        return x / self.lax.optimization_barrier(self.broadcast_to(self.asarray(y, x.dtype), shape))

    def opaque(self, x: Array) -> Array:
        return self.lax.optimization_barrier(x)

    def join_complex(self, real: Array, imag: Array, dtype: np.dtype) -> Array:
        part = np.dtype(f"float{dtype.itemsize * 4}")
        return self.lax.complex(*self.broadcast_arrays(real.astype(part), imag.astype(part)))

    def bits_of(self, x: Array, dtype: np.dtype) -> Array:
        boolean = np.dtype(bool) in (x.dtype, dtype)
        return x.astype(dtype) if boolean else self.lax.bitcast_convert_type(x, dtype)

    def fori_loop(self, lower: int, upper: int, step: Callable[[Any, State], State], state: State) -> State:
        if upper - lower > UNROLLED:
            return self.lax.fori_loop(lower, upper, step, state)
        for i in range(lower, upper):
            state = step(i, state)
        return state

    def while_loop(
        self, cond: Callable[[State], Array], body: Callable[[State], State], state: State
    ) -> State:
        return self.lax.while_loop(cond, body, state)

    def switch(self, index: Array, branches: Sequence[Callable[[], State]]) -> State:
        return self.lax.switch(index, branches)

    def padded(self, x: Array, value: Array, edges: Sequence[windows.Edge]) -> Array:
        return self.lax.pad(x, value, list(edges)) if any(map(any, edges)) else x

    def by_box(
        self, f: Callable[[windows.Box], State], shape: windows.Shape, least: windows.Shape, held: int = 1
    ) -> State:
        return f(windows.whole(shape))

    def per_element(self, f: Callable[..., State], arrays: State) -> State:
        for _ in arrays[0].shape:
            f = self.jax.vmap(f)
        return f(*arrays)


@cache
def max_finite(type: ElementType) -> float:
    """Largest finite value of a float type."""
    top = 2**type.exponent - 1 - type.bias - (type.special in ("ieee", "fnu"))
    odd = 2 - 2.0**-type.mantissa - (2.0**-type.mantissa if type.special == "fn" else 0)
    return odd * 2.0**top


@cache
def fl(value: float | int, type: ElementType) -> float:
    """A number rounded once to a float type: scales, zero points and storage bounds."""
    exact = np.asarray(value, np.int64 if isinstance(value, int) else np.float64)
    with np.errstate(over="ignore"):
        rounded = (
            NUMPY.integer_to_float(exact, type) if isinstance(value, int) else NUMPY.round_to(exact, type)
        )
    return float(rounded)


NUMPY = _Numpy(np)


@cache
def jax_namespace() -> Namespace:
    """JAX, imported when first asked for."""
    import jax
    import jax.numpy

    xp = _Jax(jax.numpy)
    xp.jax, xp.lax = jax, jax.lax  # type: ignore[attr-defined]
    return xp
