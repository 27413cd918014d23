"""The float reference on XLA's CPU backend: the float program as written, every operation kept.

By default XLA rewrites algebra: `(a / b) / c` becomes `a / (b * c)`, `x / c` becomes a product, `a * b + c`
is rounded once, and a bf16 result that is converted to f32 is not rounded to bf16. A bound on the roundings
of one program does not hold for another. XLA silently accepts unknown names of passes, so `keeps_operations`
checks the numbers that it computes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

import ml_dtypes
import numpy as np

from interp.engine.tensor import jax_dtype
from spec.errors import Unsupported
from spec.ir import Module, walk
from spec.types import TensorType

Array = np.ndarray
# Verified with jaxlib 0.8.1 and 0.10.2; `algsimp` alone leaves products contracted with sums.
AS_WRITTEN = {"xla_disable_hlo_passes": "algsimp,fusion", "xla_allow_excess_precision": False}


def run_on_xla(module: Module, args: Sequence[Array], as_written: bool = True) -> list[Array]:
    """Return the results of a float program's @main on XLA's CPU backend, with 64-bit types enabled.

    as_written: keep every operation; otherwise XLA may rewrite the program, as it does by default.
    """
    func = module.main
    if as_written:
        _refuse_what_ends_the_process(module)
    with _on_cpu(wide=True):
        try:
            function = callable_on_xla(module, options() if as_written else None)
            results = function(*(x.astype(jax_dtype(v.type)) for x, v in zip(args, func.inputs, strict=True)))
        except Exception as error:  # whatever jaxlib or XLA raises, it is about the program
            evidence = "\n".join(str(error).splitlines()[:4])
            raise Unsupported("XLA does not run the float reference", evidence, func.location) from error
        return [contained(x, t) for x, t in zip(results, func.results, strict=True)]


def _refuse_what_ends_the_process(module: Module) -> None:
    """Raise `Unsupported` for operations on which XLA crashes when it must keep every operation."""
    for func in module.functions.values():
        for op in walk(func.body):
            kinds = {value.type.storage_type.kind for value in (*op.operands, *op.results)}
            if op.name == "stablehlo.bitcast_convert" and "complex" in kinds:
                what = "a bitcast_convert of complex numbers"
            elif op.name == "stablehlo.scatter" and not op.results[0].type.rank:
                what = "a scatter into a scalar"
            else:
                continue
            evidence = f"XLA's compiler ends the process on {what}"
            raise Unsupported("XLA does not run the float reference", evidence, op.location)


def run_function(function: Callable[..., Any], args: Sequence[Array], wide: bool) -> list[Any]:
    """Return the results of a JAX function on XLA's CPU backend; `wide`: with 64-bit types."""
    import jax

    with _on_cpu(wide):
        return list(jax.tree.leaves(jax.jit(function, compiler_options=options())(*args)))


def _on_cpu(wide: bool) -> Any:
    return on_platform("cpu", wide)


def on_platform(platform: str, wide: bool) -> Any:
    """Return a context in which JAX computes on the first device of a platform; `wide`: with 64-bit types."""
    from contextlib import ExitStack

    import jax

    stack = ExitStack()
    stack.enter_context(jax.enable_x64(wide))
    stack.enter_context(jax.default_device(jax.devices(platform)[0]))
    return stack


def contained(x: Any, type: TensorType) -> Array:
    """Return a JAX array as a NumPy array in our dtype for such elements; other dtypes are unchanged."""
    x = np.asarray(x)
    return x.astype(np.dtype(type.storage_type.numpy)) if x.dtype == jax_dtype(type) else x


def callable_on_xla(
    module: Module, options: dict[str, Any] | None = None, platform: str = "cpu"
) -> Callable[..., Any]:
    """Return the program as a JAX function: an exported function of its signature whose module is replaced.

    options: the options of XLA's compiler; None lets XLA rewrite the program as it does by default.
    """
    import jax

    inputs, wide = tuple(v.type for v in module.main.inputs), jax.dtypes.canonicalize_dtype("f8") == "f8"
    named = None if options is None else tuple(options.items())
    return _callable(repr(module), inputs, tuple(module.main.results), named, wide, platform)


@lru_cache(maxsize=32)
def _callable(
    text: str,
    inputs: tuple[TensorType, ...],
    results: tuple[TensorType, ...],
    options: tuple[tuple[str, Any], ...] | None,
    wide: bool,
    platform: str,
) -> Callable[..., Any]:
    """Return the function of a program's text, cached so that XLA compiles equal programs once.

    wide: whether 64-bit types are enabled, on which the function depends.
    """
    import jax
    from jax import export
    from jaxlib.mlir.dialects import stablehlo

    avals = [_aval(type) for type in results]
    template = export.export(
        jax.jit(lambda *_: [jax.numpy.zeros(r.shape, r.dtype) for r in avals]), platforms=(platform,)
    )(*map(_aval, inputs))
    artifact = stablehlo.serialize_portable_artifact_str(text, stablehlo.get_current_version())
    kept = tuple(range(len(inputs)))
    exported = replace(template, mlir_module_serialized=artifact, module_kept_var_idx=kept)
    return jax.jit(exported.call, compiler_options=None if options is None else dict(options))


def _aval(type: TensorType) -> Any:
    import jax

    return jax.ShapeDtypeStruct(type.shape, jax_dtype(type))


def options() -> dict[str, Any] | None:
    """Return the compiler's options that keep every operation, or None if they do not work here."""
    return AS_WRITTEN if keeps_operations(tuple(AS_WRITTEN.items())) else None


@cache
def keeps_operations(options: tuple[tuple[str, Any], ...] = tuple(AS_WRITTEN.items())) -> bool:
    """Return whether XLA with `options` rounds each operation of a few chains once, as NumPy does.

    The chains are those that XLA rewrites by default. NumPy's arithmetic rounds correctly in each type.
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


def _chains(single: Any, double: Any, half: Any, brain: Any) -> list[Any]:
    """Return chains of operations on three rows of numbers of each type, on arrays of JAX or NumPy."""
    (a, b, c), tiny = single, half[0] * np.float16(2.0**-15)
    chains = [(a / b) / c, a / np.float32(50176), (a * np.float32(0.1)) * np.float32(0.7), a * b - c]
    return [
        *chains,
        (double[0] / double[1]) / double[2],
        tiny + tiny,
        (brain[0] / brain[1]).astype(np.float32),
    ]


_ROWS = 1 + np.arange(48) * np.array([[0.01], [0.013], [0.017]])
_CANARY = [_ROWS.astype(dtype) for dtype in (np.float32, np.float64, np.float16, ml_dtypes.bfloat16)]
