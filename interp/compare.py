"""`compare`: a program beside the float computation that it stands for, which XLA compiles and runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from interp.bound import bounded
from interp.bounded import given
from interp.evaluate import Context, Listener
from interp.namespace import NUMPY, enable_x64, fl
from interp.quant import spread
from interp.run import accepted, function_named, refuse_violations
from interp.tensor import Tensor
from interp.twin import twin
from interp.twin_rules import plain
from spec.errors import Malformed, Unsupported
from spec.ir import Func, Module, Op, Region, Symbol
from spec.schedule import Schedule, parse
from spec.types import QuantizedType, TensorType

Array = np.ndarray


@dataclass(frozen=True)
class ResultReport:
    """How one result differs from the float computation.

    Errors are absolute, in real units and in steps (scales of the result; None where it is not quantized).
    `sqnr` is
    in dB, infinite where nothing differs. For integers and booleans these are None, and `disagreeing` counts.
    `saturated` elements have a saturation in their past and no bound; `bound` is the largest bound of the
    others, None
    where there is none (after a comparison or a selection); `beyond` elements are further off than their
    bound. `not_finite` elements are infinite or NaN on one side only.
    """

    type: TensorType
    largest_error: float | None
    mean_error: float | None
    largest_steps: float | None
    mean_steps: float | None
    sqnr: float | None
    disagreeing: int
    not_finite: int
    saturated: int
    bound: float | None
    beyond: int

    @property
    def ok(self) -> bool:
        """No element is further off than its bound."""
        return self.beyond == 0

    def cells(self) -> list[str]:
        """The row of the report's table."""
        numbers = [self.largest_error, self.mean_error, self.largest_steps, self.mean_steps, self.sqnr]
        verdict = "no bound" if self.bound is None else "holds" if self.ok else f"FAILS at {self.beyond}"
        counts = [self.disagreeing, self.not_finite, self.saturated]
        return [*map(_number, numbers), *map(str, counts), _number(self.bound), verdict, repr(self.type)]


HEADINGS = [
    "result",
    "largest error",
    "mean",
    "in steps",
    "mean",
    "SQNR dB",
    "unequal",
    "not finite",
    "saturated",
    "bound",
    "",
    "type",
]


@dataclass(frozen=True)
class Comparison:
    """What `compare` found: a report per result, and the arrays that it is about.

    `bounds` has the bound of every element: infinite where there is none, NaN where something saturated.
    """

    results: tuple[ResultReport, ...]
    title: str
    outputs: tuple[Tensor, ...] = field(repr=False)
    reference: tuple[Array, ...] = field(repr=False)
    bounds: tuple[Array, ...] = field(repr=False)

    @property
    def ok(self) -> bool:
        """No bound fails."""
        return all(report.ok for report in self.results)

    def __repr__(self) -> str:
        rows = [HEADINGS, *([str(k), *report.cells()] for k, report in enumerate(self.results))]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if k >= len(widths) - 2 else cell.rjust(width)
                for k, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([self.title, *lines])


def _number(x: float | None) -> str:
    return "-" if x is None else f"{x:.4g}"


def compare(
    module: Module,
    *args: Any,
    against: Callable[..., Any] | None = None,
    schedule: str | Schedule = "left",
    function: str = "main",
    mode: str = "mlir",
    listeners: Iterable[Listener] = (),
) -> Comparison:
    """Run a program, and beside it its float twin (every quantized type replaced by its expressed type) on
    XLA's CPU.

    against: your own JAX function instead of the twin; it is jitted and called on the dequantized
    arguments. The bound
    is then what it may differ by if it computes the same reals. Other arguments as for `run`. A bound that
    fails is a
    finding: `Comparison.ok` is false. Raises what `run` does, and `Unsupported` where storage is
    reinterpreted or XLA refuses the twin.
    """
    refuse_violations(module, mode)
    func = function_named(module, function)
    stored = accepted(func, args)
    inputs = [Tensor(v.type, x) for x, v in zip(stored, func.inputs, strict=True)]
    reals = [_as_jax(x.dequantize(), plain(x.type)) for x in inputs]
    if against is None:
        reference = run_on_xla(twin(module), reals, function)
        title = f"@{func.name} against its float twin on XLA, schedule {parse(schedule)}"
    else:
        reference = _run_yours(against, func, reals)
        name = getattr(against, "__name__", repr(against))
        title = f"@{func.name} against {name} on XLA, schedule {parse(schedule)}"
    ctx = Context(NUMPY, module, parse(schedule), tuple(listeners))
    with np.errstate(all="ignore"):
        carried = [given(NUMPY.decode(x.storage, x.type.storage_type), x.type) for x in inputs]
        known = bounded(ctx, func.body, carried)
        outputs = tuple(
            Tensor(t, NUMPY.encode(x.value, t.storage_type)) for x, t in zip(known, func.results, strict=True)
        )
        bounds = tuple(np.asarray(x.error) for x in known)
        reports = tuple(map(_report, outputs, reference, bounds))
    return Comparison(reports, title, outputs, tuple(reference), bounds)


def _report(output: Tensor, reference: Array, bound: Array) -> ResultReport:
    ours = output.dequantize()
    saturated, known = np.isnan(bound), np.isfinite(bound)
    bound = np.where(known, bound * _SLACK, np.inf)
    numeric = output.type.is_quantized or output.type.storage_type.kind in ("float", "complex")
    error = _distance(ours, reference) if numeric else (ours != reference).astype(np.float64)
    finite = error[np.isfinite(error)] if numeric else np.zeros(0)
    steps = error / _scales(output.type) if output.type.is_quantized else None
    return ResultReport(
        type=output.type,
        largest_error=float(error.max(initial=0)) if numeric else None,
        mean_error=_mean(finite) if numeric else None,
        largest_steps=None if steps is None else float(steps.max(initial=0)),
        mean_steps=None if steps is None else _mean(steps[np.isfinite(steps)]),
        sqnr=_sqnr(np.abs(reference[np.isfinite(error)]).astype(np.float64), finite) if numeric else None,
        disagreeing=int(np.count_nonzero(error)),
        not_finite=int(np.count_nonzero(np.isinf(error))),
        saturated=int(np.count_nonzero(saturated)),
        bound=float(bound[known].max(initial=0)) if known.any() or not bound.size else None,
        beyond=int(np.count_nonzero(error > bound)),
    )


_SLACK = 1 + 2.0**-30  # bounds are computed in f64


def _distance(ours: Array, reference: Array) -> Array:
    """Absolute differences in f64; 0 for the same infinity or NaN on both sides, infinite where one side is
    finite."""
    wide = np.complex128 if np.iscomplexobj(ours) else np.float64
    ours, reference = np.asarray(ours).astype(wide), np.asarray(reference).astype(wide)
    same = (ours == reference) | (np.isnan(ours) & np.isnan(reference))
    error = np.abs(ours - reference)
    return np.where(same, 0, np.where(np.isnan(error), np.inf, error))


def _scales(type: TensorType) -> Array:
    element = type.element_type
    assert isinstance(element, QuantizedType)
    scales = tuple(fl(scale, element.expressed_type) for scale in element.scales)
    return np.asarray(spread(NUMPY, scales, np.float64, element, type.shape))


def _mean(x: Array) -> float:
    return float(x.mean()) if x.size else 0.0


def _sqnr(signal: Array, noise: Array) -> float:
    """`10 log10(sum signal^2 / sum noise^2)`."""
    powers = float((signal**2).sum()), float((noise**2).sum())
    return float("inf") if powers[1] == 0 else float(10 * (np.log10(powers[0]) - np.log10(powers[1])))


# Running the twin
# -------------------------------------------------------------------------------------------------


def run_on_xla(module: Module, args: Sequence[Array], function: str = "main") -> list[Array]:
    """The results of a float program on XLA's CPU backend, 64-bit types included. Never through our
    kernels."""
    import jax

    func = function_named(module, function)
    with enable_x64(), jax.default_device(jax.devices("cpu")[0]):
        try:
            results = _callable(module, func)(*args)
        except Exception as error:  # whatever jaxlib or XLA raises, it is about the program
            evidence = "\n".join(str(error).splitlines()[:4])
            raise Unsupported("XLA does not run the float twin", evidence, func.location) from error
        return [_contained(x, t) for x, t in zip(results, func.results, strict=True)]


def _run_yours(against: Callable[..., Any], func: Func, args: Sequence[Array]) -> list[Array]:
    """The results of a JAX function on the dequantized arguments; 64-bit types only where the program has
    them."""
    import jax

    results = [plain(type) for type in func.results]
    wide = any(_dtype(plain(type)).itemsize > 4 for type in (*(v.type for v in func.inputs), *results))
    with enable_x64(wide):
        found = jax.tree.leaves(jax.jit(against)(*args))
    shapes, wanted = [x.shape for x in found], [type.shape for type in results]
    if shapes != wanted:
        raise Malformed("your function returns other shapes", f"wanted {wanted}\ngiven {shapes}")
    return [_contained(x, type) for x, type in zip(found, results, strict=True)]


def _contained(x: Any, type: TensorType) -> Array:
    """An array of JAX in the dtype in which NumPy holds such elements here; a float for an integer stays
    one."""
    x = np.asarray(x)
    return x.astype(np.dtype(type.storage_type.numpy)) if x.dtype == _dtype(type) else x


def _callable(module: Module, func: Func) -> Callable[..., Any]:
    """The program as a JAX function: an exported function of the same signature, its module replaced by
    this one."""
    import jax
    from jax import export
    from jaxlib.mlir.dialects import stablehlo

    inputs, results = ([_aval(t) for t in types] for types in ([v.type for v in func.inputs], func.results))
    template = export.export(
        jax.jit(lambda *_: [jax.numpy.zeros(r.shape, r.dtype) for r in results]), platforms=("cpu",)
    )(*inputs)
    artifact = stablehlo.serialize_portable_artifact_str(
        repr(_entered(module, func)), stablehlo.get_current_version()
    )
    kept = tuple(range(len(inputs)))
    return jax.jit(replace(template, mlir_module_serialized=artifact, module_kept_var_idx=kept).call)


def _entered(module: Module, entry: Func) -> Module:
    """The module with `entry` as its one public function, which jax.export wants to be `@main`."""
    names = {name: "main" if name == entry.name else f"part.{name}" for name in module.functions}

    def renamed(region: Region) -> Region:
        return replace(region, ops=tuple(map(called, region.ops)))

    def called(op: Op) -> Op:
        op = replace(op, regions=tuple(map(renamed, op.regions)))
        if op.name != "func.call":
            return op
        return replace(op, attributes={**op.attributes, "callee": Symbol(names[op["callee"].name])})

    functions = [
        replace(f, name=names[f.name], body=renamed(f.body), public=f is entry)
        for f in module.functions.values()
    ]
    return Module({f.name: f for f in functions})


def _dtype(type: TensorType) -> np.dtype:
    """JAX's dtype: i4 has one of its own there, where NumPy holds it in a byte."""
    import ml_dtypes

    element = type.storage_type
    if element.is_integer and element.bits < 8:
        return np.dtype(getattr(ml_dtypes, f"{'u' * (element.kind == 'unsigned')}int{element.bits}"))
    return np.dtype(element.numpy)


def _aval(type: TensorType) -> Any:
    import jax

    return jax.ShapeDtypeStruct(type.shape, _dtype(type))


def _as_jax(x: Array, type: TensorType) -> Array:
    return x.astype(_dtype(type))
