"""JAX, the namespace that traces, so that the kernels can be compiled.

Every float is carried in f64, because XLA may fuse `a*b+c`: since 53 >= 2 * 24 + 2 bits, rounding once more
by `round_to` gives the right result whether it fused or not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property, lru_cache, partial
from typing import Any

import numpy as np

from interp.backends import lapack, windows
from interp.backends.base import Array, Namespace, State
from interp.backends.dtypes import numpy_dtype
from interp.backends.platforms import Origins, Spread
from spec.errors import Unsupported
from spec.types import ElementType, TensorType, complex_part

HALF_A_BYTE = "float4_e2m1fn"
UNROLLED = 16  # steps of a loop that XLA sees one by one, and fuses: the positions of a window, mostly
DEVICES = "devices"  # the axis of a mesh


class OnJax(Namespace):
    origins = Origins()  # of arrays of f32

    def carrier_name(self, type: ElementType) -> str:
        return {"float": "float64", "complex": "complex128"}.get(type.kind, type.numpy)

    def decode(self, storage: Array, type: ElementType) -> Array:
        if type.kind == "complex":
            real, imag = (self.decode(f(storage), complex_part(type)) for f in (self.real, self.imag))
            return self.join_complex(real, imag, self.carrier(type))
        if type.kind != "float" or type.name == "f64":
            return self.asarray(storage)
        if type.bits < 16:  # by table: XLA flushes the subnormals that some of these meet on the way
            codes = np.arange(2**type.bits, dtype=np.uint8).view(numpy_dtype(type)).astype(np.float64)
            code = self.lax.bitcast_convert_type(storage, code_dtype(type))
            return self.asarray(codes)[code.astype(np.int32)]
        return self.keep_stored(self.traced_once(_decode_floats, type=type)(storage), lambda: storage)

    def traced_once(self, f: Callable[..., Array], **known: Any) -> Callable[..., Array]:
        return _jit(self, f, tuple(known.items()))

    def keep_stored(self, x: Array, stored: Callable[[], Array | None]) -> Array:
        return self.origins.keep(x, stored)

    def maker(self, x: Array) -> Callable[[], Array | None] | None:
        return self.origins.maker(x)

    def keep_spread(
        self, x: Array, source: Array, order: Sequence[int], sizes: Sequence[int], shape: Sequence[int]
    ) -> Array:
        return self.keep_stored(x, Spread(source, self.maker(source), order, sizes, shape))

    def constant_tensor(self, data: bytes, type: ElementType, shape: tuple[int, ...], splat: bool) -> Array:
        found = super().constant_tensor(data, type, shape, splat)
        if not self.chains or type.name != "f32":
            return found
        stored = np.frombuffer(data, "<f4").astype(np.float32).reshape(() if splat else shape)
        sizes = [1] * len(shape) if splat else shape
        return self.keep_stored(found, Spread(stored, lambda: stored, range(stored.ndim), sizes, shape))

    def storage(self, x: Array) -> Array | None:
        return self.origins.of(x)

    def encode(self, x: Array, type: ElementType) -> Array:
        if type.kind == "complex":
            parts = (self.encode(part, complex_part(type)) for part in (self.real(x), self.imag(x)))
            return self.lax.complex(*parts)
        if type.kind != "float":
            return x.astype(numpy_dtype(type))
        if type.bits < 16:
            code_dtype(type)
            if type.special == "fnu":  # has no zero, of which XLA makes the least number
                x = self.where(x > 0, x, np.nan)
            return self.where(self.isnan(x), np.nan, x).astype(numpy_dtype(type))
        if type.name == "f32" and (known := self.storage(x)) is not None and known.dtype == np.float32:
            return self.where(self.isnan(known), np.float32(np.nan), known)
        stored = x.astype(numpy_dtype(type))
        unsigned = np.dtype(f"uint{type.bits}")
        bits = self.lax.bitcast_convert_type(stored, unsigned)
        if type.name != "f64":  # XLA flushes what is subnormal in the narrow type: assemble it
            tiny = (self.abs(x) * 2.0 ** (type.bias + type.mantissa - 1)).astype(unsigned)
            tiny |= self.signbit(x).astype(unsigned) << (type.bits - 1)
            bits = self.where(self.abs(x) < 2.0 ** (1 - type.bias), tiny, bits)
        quiet = ((2**type.exponent - 1) * 2 + 1) << (type.mantissa - 1)
        bits = self.where(self.isnan(x), unsigned.type(quiet), bits)
        return self.lax.bitcast_convert_type(bits, numpy_dtype(type))

    def round_to(self, x: Array, type: ElementType) -> Array:
        if type.name == "f64":
            return self.prevent_contraction(x)
        x = x.astype(np.float64)
        if type.special != "ieee":
            return self.round_by_row(x, type)
        # reduce_precision flushes subnormals: round those to a multiple of the least one.
        least = 2.0 ** (1 - type.bias - type.mantissa)
        tiny = self.rint(x * (1 / least)) * least
        normal = self.lax.reduce_precision(x, type.exponent, type.mantissa)
        return self.where(self.abs(x) < 2.0 ** (1 - type.bias), tiny, normal)

    def prevent_contraction(self, x: Array) -> Array:
        """Return x, hidden behind a minimum of bits so that LLVM does not fuse it with a later sum.

        A choice between two floats would not do: LLVM removes it where one of them is never taken, as for a
        converted integer, which is never NaN.
        """
        integer = np.dtype(f"int{8 * x.dtype.itemsize}")
        bits = self.lax.bitcast_convert_type(x, integer)
        nan = np.asarray(np.nan, x.dtype).view(integer)  # as signed integers, all numbers are below
        return self.lax.bitcast_convert_type(self.minimum(bits, nan), x.dtype)

    def plus(self, x: Array, y: Array) -> Array:
        """Return the IEEE sum; XLA replaces `x + 0` by x, so the bits decide the sign of a sum of zeros."""
        integer = np.dtype(f"int{8 * x.dtype.itemsize}")
        a, b = (self.lax.bitcast_convert_type(number, integer) for number in (x, y))
        zero = self.lax.bitcast_convert_type(a & b, x.dtype)
        return self.where(((a | b) << 1) == 0, zero, x + y)

    def minus(self, x: Array, y: Array) -> Array:
        return self.plus(x, -y)

    def divide_exactly(self, x: Array, y: Array) -> Array:
        shape = np.broadcast_shapes(x.shape, np.shape(y))
        x, y = (self.broadcast_to(self.asarray(number, x.dtype), shape) for number in (x, y))
        return self.quotient(x, y)

    @cached_property
    def quotient(self) -> Callable[[Array, Array], Array]:
        """Return a division of equal shapes: if XLA saw a divisor broadcast, it would multiply instead."""

        @self.jax.custom_batching.custom_vmap
        def quotient(x: Array, y: Array) -> Array:
            return x / self.lax.optimization_barrier(y)

        @quotient.def_vmap
        def _(size: int, batched: Sequence[bool], *operands: Array) -> tuple[Array, bool]:
            pairs = zip(operands, batched, strict=True)
            whole = [x if has_size else self.broadcast_to(x, (size, *x.shape)) for x, has_size in pairs]
            return quotient(*whole), True

        return quotient

    def known_values(self, x: Array) -> Array | None:
        return None if isinstance(x, self.jax.core.Tracer) else np.asarray(x)

    def stable_order(self, x: Array) -> Array:
        return self.argsort(x, axis=-1, stable=True)

    def opaque(self, x: Array) -> Array:
        return self.lax.optimization_barrier(x)

    def values(self, x: Array, what: str) -> Array:
        if isinstance(x, self.jax.core.Tracer):
            raise Unsupported(
                f"not supported: {what} under jit", "it reads values, which only interp.run has"
            )
        return x

    def callback(self, f: Callable[..., State], types: Sequence[TensorType], arrays: State) -> State:
        shapes = [self.jax.ShapeDtypeStruct(t.shape, numpy_dtype(t.storage_type)) for t in types]
        return tuple(self.jax.pure_callback(f, tuple(shapes), *arrays, vmap_method="sequential"))

    def on_devices(self, f: Callable[..., State], count: int, arrays: State) -> State:
        mesh = self.jax.sharding.Mesh(np.array(devices(self.jax, count)), (DEVICES,))
        spec = self.jax.sharding.PartitionSpec

        def on_one(*arrays: Array) -> State:
            return tuple(x[None] for x in f(self.lax.axis_index(DEVICES), *arrays))

        options = {"in_specs": spec(), "out_specs": spec(DEVICES), "check_vma": False}
        return self.jax.shard_map(on_one, mesh=mesh, **options)(*arrays)

    def from_all(self, x: Array) -> Array:
        return self.lax.all_gather(x, DEVICES)

    def join_complex(self, real: Array, imag: Array, dtype: np.dtype) -> Array:
        part = np.dtype(f"float{dtype.itemsize * 4}")
        return self.lax.complex(*self.broadcast_arrays(real.astype(part), imag.astype(part)))

    def bits_of(self, x: Array, dtype: np.dtype) -> Array:
        if np.dtype(bool) in (x.dtype, dtype):
            return x.astype(dtype)
        if x.dtype.name == HALF_A_BYTE:
            return self.lax.bitcast_convert_type(x, nibble()).astype(dtype)
        narrow = np.dtype(dtype).name == HALF_A_BYTE
        return self.lax.bitcast_convert_type(x.astype(nibble()) if narrow else x, dtype)

    def lapack(self, call: lapack.Call, operands: Sequence[Array]) -> State:
        return lapack.on_jax(self.jax, call, operands)

    def fori_loop(
        self,
        lower: int,
        upper: int,
        step: Callable[[Any, State], State],
        state: State,
        unrolled: int = UNROLLED,
    ) -> State:
        if upper - lower <= unrolled:
            return super().fori_loop(lower, upper, step, state)
        return self.lax.fori_loop(lower, upper, step, state)

    def while_loop(
        self, cond: Callable[[State], Array], body: Callable[[State], State], state: State
    ) -> State:
        return self.lax.while_loop(cond, body, state)

    def switch(self, index: Array, branches: Sequence[Callable[[], State]]) -> State:
        return self.lax.switch(index, branches)

    def pad_with(self, x: Array, value: Array, edges: Sequence[windows.Edge]) -> Array:
        if not any(map(any, edges)):
            return x
        shape = [windows.placement(size, edge)[0] for size, edge in zip(x.shape, edges, strict=True)]
        box, edges = windows.trim(x.shape, edges)
        part = x if box == windows.whole(x.shape) else x[box]
        return self.lax.pad(part, value, edges) if all(shape) else self.zeros(shape, x.dtype)

    def by_box(
        self, f: Callable[[windows.Box], State], shape: windows.Shape, least: windows.Shape, held: int = 1
    ) -> State:
        return f(windows.whole(shape))

    def look_up(self, table: Array, index: Array) -> Array:
        return self.asarray(table).at[index.astype(np.int32)].get(mode="promise_in_bounds")

    def replace_at(self, x: Array, index: Any, values: Array) -> Array:
        return x.at[index].set(values, mode="drop")

    def combined_at(self, name: str, x: Array, index: Array, values: Array) -> Array:
        short = {"maximum": "max", "minimum": "min"}.get(name, name)
        return getattr(x.at[index], short)(values, mode="drop")

    def start(self, index: Array, most: int) -> Any:
        least = min(most, np.iinfo(index.dtype).max)  # `most` may be beyond the index's type
        return self.clip(index, 0, least).astype(np.int64)

    def slice_of(self, x: Array, starts: Sequence[Any], sizes: Sequence[int]) -> Array:
        return self.lax.dynamic_slice(x, list(starts), sizes, allow_negative_indices=False) if x.ndim else x

    def slice_replaced(self, x: Array, values: Array, starts: Sequence[Any]) -> Array:
        return self.lax.dynamic_update_slice(x, values, list(starts)) if x.ndim else values

    def per_element(self, f: Callable[..., State], arrays: State) -> State:
        for _ in arrays[0].shape:
            f = self.jax.vmap(f)
        return f(*arrays)


@lru_cache(maxsize=1024)
def _jit(xp: OnJax, f: Callable[..., Array], known: tuple[tuple[str, Any], ...]) -> Callable[..., Array]:
    return xp.jax.jit(partial(f, xp, **dict(known)))


def _decode_floats(xp: OnJax, storage: Array, type: ElementType) -> Array:
    """Return stored floats in f64; XLA would flush subnormal ones."""
    bits = xp.lax.bitcast_convert_type(storage, np.dtype(f"uint{type.bits}")).astype(np.uint64)
    magnitude = (bits & (2 ** (type.bits - 1) - 1)).astype(np.uint64)
    tiny = magnitude.astype(np.float64) * 2.0 ** (1 - type.bias - type.mantissa)
    value = xp.where(magnitude < 2**type.mantissa, tiny, xp.abs(storage.astype(np.float64)))
    return xp.where(bits != magnitude, -value, value)


def devices(jax: Any, count: int) -> list[Any]:
    """Return the first devices that JAX has; `Unsupported` if it has fewer than `count`."""
    known = jax.devices()
    if len(known) < count:
        flag = f"XLA_FLAGS=--xla_force_host_platform_device_count={count}"
        what_to_do = f"on a CPU set {flag} before JAX starts, or use interp.run, which needs no devices"
        raise Unsupported(f"{count} devices are needed under jit, and JAX has {len(known)}", what_to_do)
    return list(known[:count])


def nibble() -> np.dtype:
    """Return the dtype of 4-bit integers: converted to bytes, two 4-bit floats would share one in XLA."""
    import ml_dtypes

    return np.dtype(ml_dtypes.uint4)


def code_dtype(type: ElementType) -> np.dtype:
    """Return the integer dtype as wide as a narrow float; `Unsupported` if XLA lacks one of the two."""
    if type.bits == 8:
        return np.dtype(np.uint8)
    if type.bits == 4:
        return nibble()
    raise Unsupported(f"not supported: {type} under jit", f"XLA has no {type}; use interp.run")


@cache
def jax_namespace(native: bool = True) -> Namespace:
    """Return the JAX namespace, importing JAX on the first call.

    native: whether a program may call code of this process; one that is to be read or kept may not.
    """
    import jax
    import jax.custom_batching
    import jax.numpy

    xp = OnJax(jax.numpy)
    xp.jax, xp.lax, xp.native = jax, jax.lax, native  # type: ignore[attr-defined]
    xp.looks_up = xp.chains = native  # tables and machine code are nothing to read
    return xp
