"""A computation in two forms under JAX: one for CPUs of this process, and one for everything else."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from interp.backends.base import Array

Form = Callable[..., Array]


def on_cpu(here: Form, elsewhere: Form, *arrays: Array) -> Array:
    """Return what `elsewhere` makes of arrays; a program that this process compiles for its CPU calls `here`.

    Neither may use traced values but its arguments. An exported program has the form `elsewhere`.
    """
    import jax

    out = jax.eval_shape(elsewhere, *arrays)
    return _primitive().bind(*arrays, here=here, elsewhere=elsewhere, shape=out.shape, dtype=out.dtype)


@cache
def _primitive() -> Any:
    import jax
    from jax.extend.core import Primitive
    from jax.interpreters import batching, mlir

    two = Primitive("interp_on_cpu")
    two.def_impl(lambda *arrays, elsewhere, **_: elsewhere(*arrays))
    two.def_abstract_eval(lambda *_, shape, dtype, **__: jax.core.ShapedArray(shape, dtype))

    def batched(arrays: Any, axes: Any, **forms: Any) -> tuple[Array, int]:
        """Take one after the other: both forms are for large arrays."""
        moved = [
            (k, jax.numpy.moveaxis(x, axis, 0))
            for k, (x, axis) in enumerate(zip(arrays, axes, strict=True))
            if axis is not None
        ]

        def one(rows: Any) -> Array:
            given = dict(zip((k for k, _ in moved), rows, strict=True))
            return two.bind(*(given.get(k, x) for k, x in enumerate(arrays)), **forms)

        return jax.lax.map(one, [x for _, x in moved]), 0

    def lowered(ctx: Any, *arrays: Any, here: Form, elsewhere: Form, **_: Any) -> Any:
        is_exported = getattr(ctx.module_context.lowering_parameters, "for_export", True)
        return _lowered(elsewhere if is_exported else here)(ctx, *arrays)

    def _lowered(form: Form) -> Any:
        def f(*arrays: Array) -> Array:
            with (
                jax.enable_x64(True),
                jax.numpy_dtype_promotion("standard"),
                jax.numpy_rank_promotion("allow"),
            ):
                return form(*arrays)

        return mlir.lower_fun(f, multiple_results=False)

    batching.primitive_batchers[two] = batched
    mlir.register_lowering(two, lambda ctx, *x, elsewhere, **_: _lowered(elsewhere)(ctx, *x))
    mlir.register_lowering(two, lowered, platform="cpu")
    return two
