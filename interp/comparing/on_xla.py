"""The float reference on XLA's CPU backend: the float program as written, every operation kept.

By default XLA rewrites algebra: `(a / b) / c` becomes `a / (b * c)`, `x / c` a product, `a * b + c` one
rounding. No bound on the roundings of a program can hold for another program. XLA accepts names of passes
that it does not know without a word, so `keeps_operations` looks at what it computes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from interp.tensor import jax_dtype
from spec.errors import Unsupported
from spec.ir import Module
from spec.types import TensorType

Array = np.ndarray
# Verified with jaxlib 0.8.1 and 0.10.2; `algsimp` alone leaves products contracted with sums.
AS_WRITTEN = {"xla_disable_hlo_passes": "algsimp,fusion"}


def run_on_xla(module: Module, args: Sequence[Array], as_written: bool = True) -> list[Array]:
    """Return the results of a float program's @main on XLA's CPU backend, 64-bit types included.

    `as_written`: keep every operation; otherwise XLA may rewrite the program, as it does by default.
    """
    func = module.main
    with _on_cpu(wide=True):
        try:
            function = callable_on_xla(module, options() if as_written else None)
            results = function(*(x.astype(jax_dtype(v.type)) for x, v in zip(args, func.inputs, strict=True)))
        except Exception as error:  # whatever jaxlib or XLA raises, it is about the program
            evidence = "\n".join(str(error).splitlines()[:4])
            raise Unsupported("XLA does not run the float twin", evidence, func.location) from error
        return [contained(x, t) for x, t in zip(results, func.results, strict=True)]


def run_function(function: Callable[..., Any], args: Sequence[Array], wide: bool) -> list[Any]:
    """Return the results of a JAX function on XLA's CPU backend; `wide`: with 64-bit types."""
    import jax

    with _on_cpu(wide):
        return list(jax.tree.leaves(jax.jit(function, compiler_options=options())(*args)))


def _on_cpu(wide: bool) -> Any:
    from contextlib import ExitStack

    import jax

    stack = ExitStack()
    stack.enter_context(jax.enable_x64(wide))
    stack.enter_context(jax.default_device(jax.devices("cpu")[0]))
    return stack


def contained(x: Any, type: TensorType) -> Array:
    """Return JAX's array in the dtype in which NumPy holds such elements here; any other dtype as it is."""
    x = np.asarray(x)
    return x.astype(np.dtype(type.storage_type.numpy)) if x.dtype == jax_dtype(type) else x


def callable_on_xla(module: Module, options: dict[str, Any] | None = None) -> Callable[..., Any]:
    """Return the program as a JAX function: an exported function of that signature, its module replaced.

    `options`: of XLA's compiler; None lets XLA rewrite the program as it does by default.
    """
    import jax
    from jax import export
    from jaxlib.mlir.dialects import stablehlo

    inputs = [_aval(v.type) for v in module.main.inputs]
    results = [_aval(type) for type in module.main.results]
    template = export.export(
        jax.jit(lambda *_: [jax.numpy.zeros(r.shape, r.dtype) for r in results]), platforms=("cpu",)
    )(*inputs)
    artifact = stablehlo.serialize_portable_artifact_str(repr(module), stablehlo.get_current_version())
    kept = tuple(range(len(inputs)))
    exported = replace(template, mlir_module_serialized=artifact, module_kept_var_idx=kept)
    return jax.jit(exported.call, compiler_options=options)


def _aval(type: TensorType) -> Any:
    import jax

    return jax.ShapeDtypeStruct(type.shape, jax_dtype(type))


def options() -> dict[str, Any] | None:
    """Return the compiler's options that keep every operation, or None where they do not work."""
    return AS_WRITTEN if keeps_operations(tuple(AS_WRITTEN.items())) else None


@cache
def keeps_operations(options: tuple[tuple[str, Any], ...] = tuple(AS_WRITTEN.items())) -> bool:
    """Return whether XLA with `options` rounds each operation of a few chains once, as NumPy does.

    The chains are those that XLA rewrites by default. NumPy's f16, f32 and f64 arithmetic rounds correctly.
    Subnormals of f16 must be kept: the bound presumes it.
    """
    import jax

    with _on_cpu(wide=True):
        try:
            found = jax.jit(_chains, compiler_options=dict(options))(*_CANARY)
        except Exception:  # XLA refuses the options
            return False
    with np.errstate(all="ignore"):
        return all(np.array_equal(x, y) for x, y in zip(found, _chains(*_CANARY), strict=True))


def _chains(*arguments: Any) -> list[Any]:
    """Return chains of operations on three arguments of each type; of JAX or of NumPy."""
    results = []
    for a, b, c in zip(arguments[::3], arguments[1::3], arguments[2::3], strict=True):
        third, seventh = a.dtype.type(1 / 3), a.dtype.type(1 / 7)
        results += [(a / b) / c, a / (b / c), a / third, (a * third) * seventh, a * b + c, a * b - a * c]
    tiny = arguments[0] * arguments[0].dtype.type(2.0**-15)
    return [*results, tiny, tiny + tiny]


_NUMBERS = [1 + np.arange(48) * step for step in (0.01, 0.013, 0.017)]
_CANARY = [x.astype(dtype) for dtype in (np.float16, np.float32, np.float64) for x in _NUMBERS]
