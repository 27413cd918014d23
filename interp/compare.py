"""`compare`: a program beside the float computation that it stands for, which XLA compiles and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.comparing.bound import bounded
from interp.comparing.bounded import given
from interp.comparing.comparison import Comparison, report
from interp.comparing.twin import entered, twin
from interp.comparing.twin_rules import plain
from interp.evaluate import Context, Listener, listening
from interp.limits import refuse_sizes
from interp.namespace import NUMPY
from interp.run import accepted, runnable
from interp.tensor import Tensor, jax_dtype
from spec.errors import Malformed, Unsupported
from spec.ir import Func, Module
from spec.options import shown
from spec.schedule import Schedule, parse
from spec.types import TensorType

Array = np.ndarray


def compare(
    module: Module,
    *args: Any,
    against: Callable[..., Any] | None = None,
    schedule: str | Schedule = "left",
    function: str = "main",
    mode: str = "mlir",
    listeners: Iterable[Listener] = (),
) -> Comparison:
    """Run a program, and beside it its float twin: every quantized type replaced by its expressed type.

    The twin runs on XLA's CPU backend. against: your own JAX function instead; it is jitted and called on the
    dequantized arguments, and the bound is what it may differ by if it computes the same reals. Other
    arguments as for `run`. A bound that fails is a finding: `Comparison.ok` is false. Raises what `run` does,
    and `Unsupported` where storage is reinterpreted or XLA refuses the twin.
    """
    func = runnable(module, function, mode)
    refuse_sizes(module, func)
    stored = accepted(func, args)
    inputs = [Tensor(v.type, x) for x, v in zip(stored, func.inputs, strict=True)]
    reals = [_as_jax(x.dequantize(), plain(x.type)) for x in inputs]
    if against is None:
        reference, name = run_on_xla(twin(entered(module, func)), reals), "its float twin"
    else:
        reference, name = _run_yours(against, func, reals), getattr(against, "__name__", repr(against))
    title = f"@{func.name} against {name} on XLA, schedule {parse(schedule)}"
    ctx = Context(NUMPY, module, parse(schedule), listening(listeners))
    with np.errstate(all="ignore"):
        carried = [given(NUMPY.decode(x.storage, x.type.storage_type), x.type) for x in inputs]
        known = bounded(ctx, func.body, carried)
        outputs = tuple(
            Tensor(t, NUMPY.encode(x.value, t.storage_type)) for x, t in zip(known, func.results, strict=True)
        )
        bounds = tuple(np.asarray(x.error) for x in known)
        reports = tuple(map(report, outputs, reference, bounds))
    return Comparison(reports, title, outputs, tuple(reference), bounds)


def run_on_xla(module: Module, args: Sequence[Array]) -> list[Array]:
    """The results of a float program's @main on XLA's CPU backend, 64-bit types included."""
    import jax

    func = module.main
    with jax.enable_x64(True), jax.default_device(jax.devices("cpu")[0]):
        try:
            results = callable_on_xla(module)(*map(_as_jax, args, (v.type for v in func.inputs)))
        except Exception as error:  # whatever jaxlib or XLA raises, it is about the program
            evidence = "\n".join(str(error).splitlines()[:4])
            raise Unsupported("XLA does not run the float twin", evidence, func.location) from error
        return [_contained(x, t) for x, t in zip(results, func.results, strict=True)]


def _run_yours(against: Callable[..., Any], func: Func, args: Sequence[Array]) -> list[Array]:
    """The results of a JAX function on dequantized arguments, with 64-bit types if the program has any."""
    if not callable(against):
        raise Malformed(
            f"{shown(against)} is no function", "against: your JAX function of the float arguments"
        )
    import jax

    results = [plain(type) for type in func.results]
    wide = any(jax_dtype(plain(type)).itemsize > 4 for type in (*(v.type for v in func.inputs), *results))
    with jax.enable_x64(wide):
        found = jax.tree.leaves(jax.jit(against)(*args))
    shapes, wanted = [x.shape for x in found], [type.shape for type in results]
    if shapes != wanted:
        raise Malformed("your function returns other shapes", f"wanted {wanted}\ngiven {shapes}")
    return [_contained(x, type) for x, type in zip(found, results, strict=True)]


def _contained(x: Any, type: TensorType) -> Array:
    """JAX's array in the dtype in which NumPy holds such elements here; any other dtype as it is."""
    x = np.asarray(x)
    return x.astype(np.dtype(type.storage_type.numpy)) if x.dtype == jax_dtype(type) else x


def callable_on_xla(module: Module) -> Callable[..., Any]:
    """The program as a JAX function: an exported function of that signature, its module replaced."""
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
    return jax.jit(replace(template, mlir_module_serialized=artifact, module_kept_var_idx=kept).call)


def _aval(type: TensorType) -> Any:
    import jax

    return jax.ShapeDtypeStruct(type.shape, jax_dtype(type))


def _as_jax(x: Array, type: TensorType) -> Array:
    return x.astype(jax_dtype(type))
