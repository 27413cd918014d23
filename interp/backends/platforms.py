"""A computation in two forms under JAX: one for CPUs of this process, and one for everything else."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from interp.backends.base import Array

Form = Callable[..., Array]


def on_cpu(
    shape: Sequence[int], dtype: Any, here: Form, elsewhere: Form, *arrays: Array, divided: bool = False
) -> Array:
    """Return what `elsewhere` makes of arrays; a program that this process compiles for its CPU calls `here`.

    Neither may use traced values but its arguments. An exported program has the form `elsewhere`; so has one
    for several devices if XLA divides that form among them (`divided`), which it does to no call.
    """
    form = {"here": here, "elsewhere": elsewhere, "shape": tuple(shape), "dtype": np.dtype(dtype)}
    return _primitive().bind(*arrays, **form, divided=divided)


def is_divided(x: Array) -> bool:
    """Return whether the type of an array says how it is divided among devices."""
    sharding = getattr(getattr(x, "aval", None), "sharding", None)
    return any(part is not None for part in getattr(sharding, "spec", ()))


@cache
def _primitive() -> Any:
    import jax
    from jax.extend.core import Primitive
    from jax.interpreters import batching, mlir

    two = Primitive("interp_on_cpu")
    two.def_impl(lambda *arrays, elsewhere, **_: elsewhere(*arrays))
    two.def_abstract_eval(lambda *_, shape, dtype, **__: jax.core.ShapedArray(shape, dtype))

    def batch(arrays: Any, axes: Any, **forms: Any) -> tuple[Array, int]:
        """Compute the batch one element after the other, since both forms are for large arrays."""
        moved = [
            (k, jax.numpy.moveaxis(x, axis, 0))
            for k, (x, axis) in enumerate(zip(arrays, axes, strict=True))
            if axis is not None
        ]

        def one(rows: Any) -> Array:
            given = dict(zip((k for k, _ in moved), rows, strict=True))
            return two.bind(*(given.get(k, x) for k, x in enumerate(arrays)), **forms)

        return jax.lax.map(one, [x for _, x in moved]), 0

    def lower(ctx: Any, *arrays: Any, here: Form, elsewhere: Form, divided: bool, **_: Any) -> Any:
        is_exported = getattr(ctx.module_context.lowering_parameters, "for_export", True)
        count = getattr(ctx.module_context.axis_context, "num_devices", 1) or 1
        return lower_form(elsewhere if is_exported or (divided and count > 1) else here)(ctx, *arrays)

    def lower_form(form: Form) -> Any:
        def f(*arrays: Array) -> Array:
            with (
                jax.enable_x64(True),
                jax.numpy_dtype_promotion("standard"),
                jax.numpy_rank_promotion("allow"),
            ):
                return form(*arrays)

        return mlir.lower_fun(f, multiple_results=False)

    batching.primitive_batchers[two] = batch
    mlir.register_lowering(two, lambda ctx, *x, elsewhere, **_: lower_form(elsewhere)(ctx, *x))
    mlir.register_lowering(two, lower, platform="cpu")
    return two


def register(name: str, address: int) -> None:
    """Let XLA on a CPU call the handler at an address by a name."""
    import jax

    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    jax.ffi.register_ffi_target(name, capsule(address, None, None), platform="cpu")


def try_handler(call: Form, *arrays: Any) -> np.ndarray | None:
    """Return the result of a call of a handler that XLA compiles, or None where XLA does not call it."""
    import jax

    try:
        with jax.ensure_compile_time_eval(), jax.enable_x64(True), jax.default_device(jax.devices("cpu")[0]):
            return np.asarray(jax.jit(call)(*arrays))
    except Exception:  # of whatever kind: another jaxlib may refuse the handler at any point
        return None


def tracing() -> object:
    """Return what tells the function that JAX is tracing from every other: no other may use its values."""
    from jax.extend.core import get_opaque_trace_state

    return get_opaque_trace_state()


class Origins:
    """Stored elements of decoded arrays, as long as these live: some code needs no decoding."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Callable[[], Array | None]]] = {}

    def keep(self, decoded: Array, stored: Callable[[], Array | None]) -> Array:
        """Remember how to make an array's stored elements, and return it."""
        key = id(decoded)
        self._known[key] = weakref.ref(decoded, lambda _: self._known.pop(key, None)), stored
        return decoded

    def maker(self, decoded: Array) -> Callable[[], Array | None] | None:
        """Return what makes the stored elements of an array, or None if nothing is known to."""
        known = self._known.get(id(decoded))
        return known[1] if known and known[0]() is decoded else None

    def of(self, decoded: Array) -> Array | None:
        """Return the stored elements of an array, or None if they are not known."""
        make = self.maker(decoded)
        return make() if make else None


class Spread:
    """Maker of the stored elements of an array that repeats those of another.

    carried, stored: the other one, and what makes its stored elements, if known. order: of its dimensions.
    sizes: those that it then has, 1 where it is repeated. shape: that of the array.
    """

    def __init__(
        self,
        carried: Array,
        stored: Callable[[], Array | None] | None,
        order: Sequence[int],
        sizes: Sequence[int],
        shape: Sequence[int],
    ) -> None:
        self.carried, self.stored = carried, stored
        self.order, self.sizes, self.shape = order, sizes, shape

    def place(self, xp: Any, x: Array) -> Array:
        """Return the elements of the other array where they are repeated from."""
        return xp.transpose(x, self.order).reshape(self.sizes)

    def __call__(self) -> Array | None:
        import jax.numpy

        stored = self.stored() if self.stored else None
        return None if stored is None else jax.numpy.broadcast_to(self.place(jax.numpy, stored), self.shape)
