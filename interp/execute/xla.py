"""The float reference on XLA's CPU backend: the float program as written, every operation kept.

By default XLA rewrites algebra: `(a / b) / c` becomes `a / (b * c)`, `x / c` becomes a product, `a * b + c`
is rounded once, and a bf16 result that is converted to f32 is not rounded to bf16. A bound on the roundings
of one program does not hold for another. XLA silently accepts unknown names of passes, so `keeps_operations`
checks the numbers that it computes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from functools import cache, lru_cache
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from interp.engine.tensor import jax_dtype
from interp.loading.models import MODELS, kind_of
from interp.loading.models import program as lower
from spec.errors import UNKNOWN, Unsupported
from spec.ir import Module
from spec.types import ELEMENT_TYPES, TensorType

Array = np.ndarray
# Verified with jaxlib 0.8.1 and 0.10.2; `algsimp` alone leaves products contracted with sums.
AS_WRITTEN = {"xla_disable_hlo_passes": "algsimp,fusion", "xla_allow_excess_precision": False}


class Artifact(NamedTuple):
    """A program as a portable artifact of StableHLO, and the types of its arguments and results.

    kept: the positions of the arguments that the artifact takes.
    """

    data: bytes
    inputs: tuple[TensorType, ...]
    results: tuple[TensorType, ...]
    kept: tuple[int, ...]


def run_on_xla(module: Module, args: Sequence[Array], as_written: bool = True) -> list[Array]:
    """Return the results of a float program's @main on XLA's CPU backend, with 64-bit types enabled.

    It runs in this process, which XLA may end: see `xla_process`. as_written: keep every operation;
    otherwise XLA may rewrite the program, as it does by default.
    """
    return run_with_options(module, args, options() if as_written else None)


def run_with_options(
    program: Module | Artifact, args: Sequence[Array], options: Mapping[str, Any] | None
) -> list[Array]:
    """Return the results of a program on XLA's CPU backend with these options of the compiler."""
    types, results = signature(program)
    with _on_cpu(wide=True):
        try:
            function = callable_on_xla(program, None if options is None else dict(options))
            found = function(*(x.astype(jax_dtype(type)) for x, type in zip(args, types, strict=True)))
            return [to_container(x, t) for x, t in zip(found, results, strict=True)]
        except Exception as error:  # whatever jaxlib or XLA raises, it is about the program
            evidence = "\n".join(str(error).splitlines()[:4])
            where = program.main.location if isinstance(program, Module) else UNKNOWN
            raise Unsupported("XLA does not run the float reference", evidence, where) from error


def signature(program: Module | Artifact) -> tuple[Sequence[TensorType], Sequence[TensorType]]:
    """Return the types of the arguments and of the results of a program's @main."""
    if isinstance(program, Artifact):
        return program.inputs, program.results
    return [v.type for v in program.main.inputs], program.main.results


def changing_passes(program: Module | Artifact, options: Mapping[str, Any] | None) -> list[str]:
    """Return the names of XLA's passes that change a program when it compiles it, in their order.

    These are the names that the option `xla_disable_hlo_passes` takes, of which XLA accepts unknown ones in
    silence. A pass that contains others, a pipeline, is among them.
    """
    types, _ = signature(program)
    with TemporaryDirectory() as folder, _on_cpu(wide=True):
        dump = {**(options or {}), "xla_dump_to": folder, "xla_dump_hlo_pass_re": ".*"}
        callable_on_xla(program, dump).lower(*map(_aval, types)).compile()
        files = sorted(os.listdir(folder))
    names = (match[1] for file in files if (match := _AFTER.search(file)))
    return [name for name in dict.fromkeys(names) if name != "pipeline-start"]


# module_0000.jit_f.0014.dot-library-passes.after_dot-library-rewriter.before_pipeline-end.txt
_AFTER = re.compile(r"\.\d{4}\.[^.]*\.after_([^.]+)\.(?:before_[^.]+\.)?txt$")


def run_function(function: Callable[..., Any], args: Sequence[Array], wide: bool) -> list[Any]:
    """Return the results of a JAX function on XLA's CPU backend; `wide`: with 64-bit types."""
    import jax

    with _on_cpu(wide):
        return list(jax.tree.leaves(jax.jit(function, compiler_options=options())(*args)))


def lower_function(function: Any, args: Sequence[Array], wide: bool) -> Any:
    """Return a function or model for the CPU as a program of all its arguments; `wide`: with 64-bit types."""
    import jax

    is_model = kind_of(function, MODELS)
    with on_platform("cpu", wide):
        return lower(function if is_model else jax.jit(function, keep_unused=True), *args)


def artifact_of(function: Callable[..., Any], args: Sequence[Array], wide: bool) -> Artifact | None:
    """Return a JAX function for the CPU as an artifact, or None if `jax.export` refuses it.

    It refuses what only this process can run, such as callbacks. Tracing the function runs nothing on XLA;
    errors of the function itself are raised. wide: with 64-bit types.
    """
    import jax
    from jax import export

    with _on_cpu(wide):
        jitted = jax.jit(function)
        traced = jitted.trace(*args)
        try:
            exported = export.export(jitted, platforms=("cpu",))(*args)
        except Exception:
            traced.lower()  # raises what is the function's own fault
            return None
        inputs, results = (tuple(map(type_of, avals)) for avals in (exported.in_avals, exported.out_avals))
        if None in (*inputs, *results) or exported.ordered_effects or exported.unordered_effects:
            return None
    kept = exported.module_kept_var_idx
    return Artifact(exported.mlir_module_serialized, inputs, results, kept)  # type: ignore[arg-type]


def type_of(aval: Any) -> TensorType | None:
    """Return our type for an array of JAX's, or None if we have none for its elements."""
    for element in ELEMENT_TYPES.values():
        type = TensorType(tuple(aval.shape), element)
        with suppress(Unsupported):
            if jax_dtype(type) == aval.dtype and element.name != "tf32":
                return type
    return None


def _on_cpu(wide: bool) -> AbstractContextManager[None]:
    return on_platform("cpu", wide)


@contextmanager
def on_platform(platform: str, wide: bool) -> Iterator[None]:
    """Make JAX compute on the first device of a platform; `wide`: with 64-bit types."""
    import jax

    with jax.enable_x64(wide), jax.default_device(jax.devices(platform)[0]):
        yield


def to_container(x: Any, type: TensorType) -> Array:
    """Return a JAX array as a NumPy array in our dtype for such elements; other dtypes are unchanged."""
    x = np.asarray(x)
    return x.astype(np.dtype(type.storage_type.numpy)) if x.dtype == jax_dtype(type) else x


def callable_on_xla(
    program: Module | Artifact, options: dict[str, Any] | None = None, platform: str = "cpu"
) -> Any:
    """Return the program as a JAX function: an exported function of its signature whose module is replaced.

    options: the options of XLA's compiler; None lets XLA rewrite the program as it does by default.
    """
    import jax

    wide = jax.dtypes.canonicalize_dtype("f8") == "f8"
    named = None if options is None else tuple(options.items())
    if isinstance(program, Artifact):
        return _callable(*program, named, wide, platform)
    inputs, results = (tuple(types) for types in signature(program))
    return _callable(repr(program), inputs, results, tuple(range(len(inputs))), named, wide, platform)


@lru_cache(maxsize=32)
def _callable(
    source: str | bytes,
    inputs: tuple[TensorType, ...],
    results: tuple[TensorType, ...],
    kept: tuple[int, ...],
    options: tuple[tuple[str, Any], ...] | None,
    wide: bool,
    platform: str,
) -> Any:
    """Return the function of a program's text or artifact, cached so that XLA compiles equal programs once.

    wide: whether 64-bit types are enabled, on which the function depends.
    """
    import jax
    from jaxlib.mlir.dialects import stablehlo

    template = _template(inputs, results, wide, platform)
    if isinstance(source, str):
        source = stablehlo.serialize_portable_artifact_str(source, stablehlo.get_current_version())
    exported = replace(template, mlir_module_serialized=source, module_kept_var_idx=kept)
    return jax.jit(exported.call, compiler_options=None if options is None else dict(options))


@lru_cache(maxsize=256)
def _template(
    inputs: tuple[TensorType, ...], results: tuple[TensorType, ...], wide: bool, platform: str
) -> Any:
    """Return an exported function of a signature, which takes longer than compiling a small program."""
    import jax
    from jax import export

    avals = [_aval(type) for type in results]
    zeros = jax.jit(lambda *_: [jax.numpy.zeros(r.shape, r.dtype) for r in avals])
    return export.export(zeros, platforms=(platform,))(*map(_aval, inputs))


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
