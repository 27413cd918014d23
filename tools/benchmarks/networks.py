"""Networks from files: loaded, run, raised and proved, beside the runtime that they are for."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import interp
from benchmarks.measure import Call, interleaved, local
from benchmarks.report import machine, markdown_table
from interp.apps.quantization.sums import Tally
from interp.backends.dtypes import numpy_dtype
from interp.execute.xla import callable_on_xla
from interp.rewrite.float_reference import entry_module, float_reference

SUFFIXES = (".onnx", ".mlir", ".mlirbc", ".stablehlo", ".tflite")
ROUNDS = 5
EQUAL = "equal"
RECIPE: dict[str, Any] = {"reading": "integer", "recipe": "onnxruntime"}
QUANTIZERS = ("stablehlo.uniform_quantize", "stablehlo.uniform_dequantize")
FLAGS = ("avx2", "avx512f", "avx_vnni", "avx512_vnni", "amx_int8")


@dataclass
class Row:
    """What was measured of one model; what does not apply is None."""

    name: str
    error: str = ""
    operations: int = 0
    load: float | None = None
    first: float | None = None
    eager: float | None = None
    against: float | None = None
    compiled: float | None = None
    result: str = ""
    contractions: str = ""
    pools: str = ""
    proof: str = ""

    def __repr__(self) -> str:
        cells = zip(HEADINGS[1:], self.cells()[1:], strict=True)
        return f"{self.name}: " + (self.error or ", ".join(f"{head} {cell}" for head, cell in cells if cell))

    def cells(self) -> list[str]:
        if self.error:
            return [self.name, self.error] + [""] * (len(HEADINGS) - 2)
        ratio = lambda x: "" if x is None else f"{x:.1f} x"
        seconds = lambda x: "" if x is None else f"{x:.2f} s"
        milliseconds = "" if self.eager is None else f"{1e3 * self.eager:.1f} ms"
        times = [
            seconds(self.load),
            seconds(self.first),
            milliseconds,
            ratio(self.against),
            ratio(self.compiled),
        ]
        return [
            self.name,
            str(self.operations),
            *times,
            self.result,
            self.contractions,
            self.pools,
            self.proof,
        ]

    def numbers(self) -> dict[str, Any]:
        return asdict(self)


HEADINGS = (
    "model",
    "operations",
    "load",
    "first run",
    "eager",
    "/ onnxruntime",
    "compiled / XLA float",
    "result",
    "contractions",
    "pools",
    "proved",
)


def table(rows: Sequence[Row]) -> str:
    return markdown_table(HEADINGS, [row.cells() for row in rows])


def headings() -> str:
    """Return what the columns mean, and the machine."""
    return (
        "result: elements that differ from onnxruntime's without graph optimizations, and the largest"
        " difference as a share of the largest number. A model of integer operators is run in the recipe"
        " `onnxruntime`; where its sums saturate in onnxruntime, as sums of u8 x i8 do on processors"
        " without VNNI, it is compared once more, with its weights as u8, which changes no product."
        " contractions, pools: how many `raise_qdq` made integers, of those that the model quantizes; the"
        " others of the model. proved: sums that no input can overflow, of all, and the most bits of one."
        f"\n{machine()}\n{flags()}"
    )


def flags() -> str:
    """Return which of the instructions for products of integers the processor has."""
    try:
        words = set(Path("/proc/cpuinfo").read_text().split())
    except OSError:
        return "The processor's instructions are unknown."
    return "Instructions: " + ", ".join(flag if flag in words else f"no {flag}" for flag in FLAGS) + "."


def files(folder: Path, prefixes: Sequence[str] = ()) -> list[Path]:
    """Return the models in a folder, or those whose names begin with one of the prefixes."""
    paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES)
    return [path for path in paths if not prefixes or path.name.startswith(tuple(prefixes))]


def examine(path: Path, compiled: bool = False) -> Row:
    """Return the row of a model; what fails is its `error`."""
    row = Row(path.name)
    try:
        module, row.load = clock(lambda: interp.load(path))
        args = arguments(module)
        module = interp.refine(module, *args) if module.is_dynamic else module
        row.operations = len(module.main.body.ops)
        results, row.first = clock(lambda: interp.run(module, *args))
        compare(row, path, module, args, results)
        row.compiled = compiled_ratio(module, args) if compiled else None
        judge(row, module)
    except interp.InterpError as error:
        row.error = f"{type(error).__name__}: {str(error).splitlines()[0].replace(f'{path}: ', '')}"
    return row


def arguments(module: interp.Module) -> list[np.ndarray]:
    """Return drawn arguments: floats from the normal distribution, integers 0 and 1; unknown sizes are 2."""
    random = np.random.default_rng(0)
    args = []
    for value in module.main.inputs:
        shape = [2 if size is None else size for size in value.type.shape]
        dtype = numpy_dtype(value.type.storage_type)
        is_float = value.type.storage_type.kind == "float"
        drawn = random.normal(size=shape) if is_float else random.integers(0, 2, shape)
        args.append(drawn.astype(dtype))
    return args


def clock(call: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    result = call()
    return result, time.perf_counter() - start


def compare(
    row: Row, path: Path, module: interp.Module, args: list[np.ndarray], results: Sequence[Any]
) -> None:
    """Time runs, beside the runtime's where there is one, and compare the results with the runtime's."""
    calls: dict[str, Call] = {"eager": local(lambda: interp.run(module, *args))}
    if path.suffix == ".onnx" and (runtime := _runtime()):
        try:
            row.result = beside_runtime(runtime, path, module, args, results)
            calls["runtime"] = local(session(runtime, path, args, "ORT_ENABLE_ALL"))
        except Exception as error:  # of any kind: it refuses a node, or a file
            row.result = f"onnxruntime: {str(error).splitlines()[0]}"
    timings = interleaved(calls, dict.fromkeys(calls, 1), ROUNDS, lambda: None)
    row.eager = timings["eager"].median
    row.against = timings["eager"].ratios(timings["runtime"]).median if "runtime" in timings else None


def _runtime() -> Any:
    """Return onnxruntime, or None if it is not installed."""
    try:
        import onnxruntime
    except ImportError:
        return None
    onnxruntime.set_default_logger_severity(4)
    return onnxruntime


def session(
    runtime: Any, model: Path | bytes, args: Sequence[np.ndarray], level: str = "ORT_DISABLE_ALL"
) -> Callable[[], Any]:
    """Return the call of a model in onnxruntime on one thread, with the graph optimizations of a level."""
    options = runtime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = getattr(runtime.GraphOptimizationLevel, level)
    made = runtime.InferenceSession(model, options, ["CPUExecutionProvider"])
    return partial(made.run, None, dict(zip([x.name for x in made.get_inputs()], args, strict=True)))


def beside_runtime(
    runtime: Any, path: Path, module: interp.Module, args: list[np.ndarray], results: Sequence[Any]
) -> str:
    """Return how far results are from onnxruntime's; those of integer operators are in its recipe."""
    import onnx

    from tests.library.onnx.onnx_cases import with_unsigned_weights

    model = onnx.load(path)
    in_integers = any(node.op_type.startswith("QLinear") for node in model.graph.node)
    ours = interp.run(module, *args, **RECIPE) if in_integers else results
    found = difference(ours, session(runtime, path, args)())
    unsigned = with_unsigned_weights(model)
    if found == EQUAL or unsigned == model:
        return found
    exact = difference(ours, session(runtime, unsigned.SerializeToString(), args)())
    return found if exact == found else f"{exact} with u8 weights ({found} with i8)"


def difference(ours: Sequence[Any], theirs: Sequence[np.ndarray]) -> str:
    """Return that they are equal, or how many elements differ and by how much of the largest number."""
    count = size = 0
    most = 0.0
    for x, y in zip(ours, theirs, strict=True):
        a, b = np.asarray(x).astype(np.float64), np.asarray(y).astype(np.float64)
        if a.shape != b.shape:
            return f"shapes {a.shape} and {b.shape}"
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        count, size = count + int((~same).sum()), size + a.size
        if not same.all():
            most = max(most, float(np.max(np.abs(a - b)[~same]) / max(np.max(np.abs(b)), 1e-300)))
    return f"{count} of {size} differ, {most:.1e}" if count else EQUAL


def compiled_ratio(module: interp.Module, args: list[np.ndarray]) -> float:
    """Return what a compiled program takes, as a multiple of the same program, types stripped, in XLA."""
    reference = float_reference(entry_module(module, module.main))
    functions = {"ours": interp.compile(module), "xla": callable_on_xla(reference)}
    calls = {name: local(partial(_ready, f, args)) for name, f in functions.items()}
    timings = interleaved(calls, dict.fromkeys(calls, 1), ROUNDS, lambda: None)
    return timings["ours"].ratios(timings["xla"]).median


def _ready(function: Callable[..., Any], args: Sequence[Any]) -> Any:
    """Return the results of a jitted function when they are there."""
    import jax

    return jax.block_until_ready(function(*args))


def judge(row: Row, module: interp.Module) -> None:
    """Raise quantized networks to integers, and prove their sums."""
    if not any(op.name in QUANTIZERS for op in module.main.body.ops):
        return
    raised = interp.raise_qdq(module)
    row.contractions, row.pools = count(raised.contractions), count(raised.pools)
    proof = interp.prove(raised.module)
    bits = [bits for each in proof.rows if (bits := each.judgement.bits) is not None]
    row.proof = f"{proof.counts['proved']} of {len(proof.rows)}, {max(bits, default=0)} bits"


def count(tally: Tally) -> str:
    """Return how many sums are integers, and how many of floats the model has beside them."""
    others = tally.total - tally.quantized
    return f"{tally}, {others} of floats" if others else str(tally) if tally.total else ""
