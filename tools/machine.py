#!/usr/bin/env python3
"""Print in which order and arithmetic the libraries of this machine add: `tools/machine.py [--sizes 16 100]`.

A row for each library, operation and type: one text for all sizes where there is one, with the sizes at which
the tree changes (`where n < 16`: 16 is the first size of those tried at which it is another). Types other
than f32 are left out at the largest size. `--write` puts the rows into docs/accumulations.md. Libraries that
are not installed are left out.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import interp
from interp.apps.revealing.sizes import one_text
from interp.engine.files import write_text
from tools.devices import DOT, REDUCE

ROWS, COLUMNS = 4, 4
PAGE = Path(__file__).resolve().parent.parent / "docs/accumulations.md"
BEGIN, END = "<!-- tools/machine.py -->", "<!-- end of tools/machine.py -->"
CONVOLUTION = """
func.func @main(%x: tensor<{m}x{n}x1x{t}>, %y: tensor<{n}x1x{k}x{t}>) -> tensor<{m}x1x{k}x{r}> {{
  %0 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}}
    {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
    : (tensor<{m}x{n}x1x{t}>, tensor<{n}x1x{k}x{t}>) -> tensor<{m}x1x{k}x{r}>
  return %0 : tensor<{m}x1x{k}x{r}>
}}"""
WINDOW = """func.func @main(%x: tensor<{m}x{n}x{t}>) -> tensor<{m}x1x{t}> {{
  %c = stablehlo.constant dense<0.0> : tensor<{t}>
  %0 = "stablehlo.reduce_window"(%x, %c) <{{window_dimensions = array<i64: 1, {n}>}}> ({{
    ^bb0(%a: tensor<{t}>, %b: tensor<{t}>):
      %1 = stablehlo.add %a, %b : tensor<{t}>
      stablehlo.return %1 : tensor<{t}>
    }}) : (tensor<{m}x{n}x{t}>, tensor<{t}>) -> tensor<{m}x1x{t}>
  return %0 : tensor<{m}x1x{t}>
}}"""
MEAN = """func.func @main(%x: tensor<{m}x{n}x{t}>) -> tensor<{m}x{t}> {{
  %c = stablehlo.constant dense<0.0> : tensor<{t}>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<{m}x{n}x{t}>, tensor<{t}>) -> tensor<{m}x{t}>
  %d = stablehlo.constant dense<{n}.0> : tensor<{m}x{t}>
  %1 = stablehlo.divide %0, %d : tensor<{m}x{t}>
  return %1 : tensor<{m}x{t}>
}}"""
MEAN_BY_RECIPROCAL = MEAN.replace("{n}.0", "{inverse}").replace("divide", "multiply")
MEAN_IN_F32 = """func.func @main(%x: tensor<{m}x{n}x{t}>) -> tensor<{m}x{t}> {{
  %a = stablehlo.convert %x : (tensor<{m}x{n}x{t}>) -> tensor<{m}x{n}xf32>
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [1]
    : (tensor<{m}x{n}xf32>, tensor<f32>) -> tensor<{m}xf32>
  %d = stablehlo.constant dense<{n}.0> : tensor<{m}xf32>
  %1 = stablehlo.divide %0, %d : tensor<{m}xf32>
  %2 = stablehlo.convert %1 : (tensor<{m}xf32>) -> tensor<{m}x{t}>
  return %2 : tensor<{m}x{t}>
}}"""
Function = Callable[..., Any]


class Target(NamedTuple):
    """An operation of a library: on rows of a type, or on two matrices; and the program that it computes."""

    library: str
    operation: str
    type: str
    result: str
    function: Function
    text: str = ""

    def program(self, n: int) -> Any:
        text = self.text or (DOT if self.result else REDUCE)
        text = text.format(m=ROWS, n=n, k=COLUMNS, t=self.type, r=self.result, inverse=_inverse(n))
        return interp.load(text.replace("<0>", "<0>" if self.type.startswith("i") else "<0.0>"))


def _inverse(n: int) -> str:
    return repr(float(np.float32(1) / np.float32(n)))


def each_row(f: Callable[[np.ndarray], Any]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: np.stack([np.asarray(f(row)) for row in x]).astype(x.dtype)


def _dots(dot: Function) -> Function:
    def function(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        columns = np.ascontiguousarray(y.T)
        return np.array([[np.asarray(dot(row, column)) for column in columns] for row in x], x.dtype)

    return function


def numpy_targets() -> Iterator[Target]:
    for type in ("f32", "f64", "f16"):
        yield Target("NumPy", "sum of a vector", type, "", each_row(np.sum))
        yield Target("NumPy", "sum of rows", type, "", lambda x: x.sum(axis=1))
        yield Target("NumPy", "sum of columns", type, "", lambda x: np.ascontiguousarray(x.T).sum(axis=0))
        text = MEAN_IN_F32 if type == "f16" else MEAN
        yield Target("NumPy", "mean of rows", type, "", lambda x: x.mean(axis=1), text)
        yield Target("NumPy", "last of cumsum", type, "", each_row(lambda row: row.cumsum()[-1]))
        yield Target("NumPy", "einsum i->", type, "", each_row(lambda row: np.einsum("i->", row)))
        yield Target("NumPy", "matmul", type, type, np.matmul)
        yield Target("NumPy", "einsum ij,jk->ik", type, type, lambda x, y: np.einsum("ij,jk->ik", x, y))
        yield Target("NumPy", "dot of vectors", type, type, _dots(np.dot))
    yield Target("NumPy", "matmul", "i8", "i32", lambda x, y: np.matmul(x.astype("i4"), y.astype("i4")))


def xla_targets() -> Iterator[Target]:
    import jax
    import jax.numpy as jnp
    from jax import lax

    one = lambda f: jax.jit(f)
    jax.config.update("jax_enable_x64", True)
    rows = lambda x: lax.reduce_window(x, x.dtype.type(0), lax.add, (1, x.shape[1]), (1, 1), "VALID")
    wide = lambda type: lambda x, y: jnp.matmul(x, y, preferred_element_type=type)
    numbers = ("NWC", "WIO", "NWC")
    for type in ("f32", "f64", "bf16", "f16"):
        yield Target("XLA", "sum of rows", type, "", one(lambda x: x.sum(axis=1)))
        yield Target("XLA", "sum of a vector", type, "", each_row(one(lambda row: row.sum())))
        yield Target("XLA", "sum of columns", type, "", one(lambda x: x.T.sum(axis=0)))
        yield Target("XLA", "last of cumsum", type, "", each_row(one(lambda row: jnp.cumsum(row)[-1])))
        yield Target("XLA", "reduce_window", type, "", one(rows), WINDOW)
        yield Target("XLA", "matmul", type, type, one(jnp.matmul))
        yield Target("XLA", "dot of vectors", type, type, _dots(one(jnp.dot)))
        slide = lambda x, y: lax.conv_general_dilated(x, y, (1,), "VALID", dimension_numbers=numbers)
        yield Target("XLA", "convolution", type, type, one(slide), CONVOLUTION)
    yield Target("XLA", "matmul", "bf16", "f32", one(wide("float32")))
    yield Target("XLA", "matmul", "i8", "i32", one(wide("int32")))


def onnx_targets() -> Iterator[Target]:
    import onnxruntime
    from onnx import TensorProto, helper

    def session(op: str, inputs: int, **attributes: Any) -> Any:
        types = [helper.make_tensor_value_info(f"x{k}", TensorProto.FLOAT, None) for k in range(inputs)]
        extra, names = [], [f"x{k}" for k in range(inputs)]
        if op.startswith("Reduce"):
            extra = [helper.make_tensor("axes", TensorProto.INT64, [1], [1])]
            names.append("axes")
        node = helper.make_node(op, names, ["y"], **attributes)
        out = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
        model = helper.make_model(helper.make_graph([node], "g", types, out, extra), ir_version=9)
        model.opset_import[0].version = 18
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        made = onnxruntime.InferenceSession(model.SerializeToString(), options)
        return lambda *args: made.run(None, {f"x{k}": x for k, x in enumerate(args)})[0]

    yield Target("onnxruntime", "ReduceSum of rows", "f32", "", session("ReduceSum", 1, keepdims=0))
    yield Target("onnxruntime", "ReduceMean of rows", "f32", "", session("ReduceMean", 1, keepdims=0), MEAN)
    yield Target("onnxruntime", "MatMul", "f32", "f32", session("MatMul", 2))


def litert_targets() -> Iterator[Target]:
    from interp.apps.runtimes.litert_model import Operator, Slot, one_operator, session

    float32, sessions = "float32", dict[Any, Any]()

    def function(operator: Operator, axes: bool, resolver: str) -> Function:
        def call(*args: np.ndarray) -> np.ndarray:
            key = (operator.name, resolver, *(x.shape for x in args))
            if key not in sessions:
                operands = [Slot(float32, x.shape) for x in args]
                operands += [Slot("int32", (1,), data=np.int32([1]))] * axes
                shape = (ROWS,) if axes else (ROWS, COLUMNS)
                sessions[key] = session(one_operator(operator, operands, Slot(float32, shape)), resolver)
                sessions[key].allocate_tensors()
            made = sessions[key]
            for place, x in zip(made.get_input_details(), args, strict=False):
                made.set_tensor(place["index"], x)
            made.invoke()
            return np.array(made.get_tensor(made.get_output_details()[0]["index"]))

        return call

    rows = Operator("SUM", "ReducerOptions", {"keepDims": False})
    mean = Operator("MEAN", "ReducerOptions", {"keepDims": False})
    product = Operator("BATCH_MATMUL", "BatchMatMulOptions", {})
    for resolver in ("delegated", "optimized", "reference"):
        yield Target("LiteRT", f"SUM of rows, {resolver}", "f32", "", function(rows, True, resolver))
        text = MEAN_BY_RECIPROCAL if resolver == "delegated" else MEAN
        yield Target("LiteRT", f"MEAN of rows, {resolver}", "f32", "", function(mean, True, resolver), text)
        yield Target("LiteRT", f"BATCH_MATMUL, {resolver}", "f32", "f32", function(product, False, resolver))


def torch_targets() -> Iterator[Target]:
    import torch

    torch.set_num_threads(1)
    tensor = lambda x: torch.from_numpy(x)
    yield Target("PyTorch", "sum of rows", "f32", "", lambda x: tensor(x).sum(dim=1).numpy())
    yield Target("PyTorch", "sum of a vector", "f32", "", each_row(lambda row: tensor(row).sum().numpy()))
    yield Target(
        "PyTorch", "sum of columns", "f32", "", lambda x: tensor(x).T.contiguous().sum(dim=0).numpy()
    )
    yield Target("PyTorch", "mean of rows", "f32", "", lambda x: tensor(x).mean(dim=1).numpy(), MEAN)
    yield Target("PyTorch", "matmul", "f32", "f32", lambda x, y: (tensor(x) @ tensor(y)).numpy())
    dot = lambda x, y: torch.dot(tensor(x), tensor(y)).numpy()
    yield Target("PyTorch", "dot of vectors", "f32", "f32", _dots(dot))


LIBRARIES = {
    "jax": xla_targets,
    "onnxruntime": onnx_targets,
    "ai_edge_litert": litert_targets,
    "torch": torch_targets,
}


def targets() -> Iterator[Target]:
    """Yield the operations of the libraries that are installed."""
    yield from numpy_targets()
    for package, make in LIBRARIES.items():
        if find_spec(package):
            yield from make()


# One text for several sizes.


def describe(found: Mapping[int, Any]) -> tuple[str, str]:
    """Return the cells of a target: what it does at all sizes, and on how many inputs it was equal."""
    stated = {n: x.accumulation for n, x in found.items() if x.ok}
    refused = dict[str, list[int]]()
    for n, x in found.items():
        if not x.ok:
            refused.setdefault(_reason(x), []).append(n)
    parts = list[str]()
    if stated and (whole := one_text(stated)):
        parts.append(f"`{whole!r}`" + (f" at {_sizes(stated)}" if refused else ""))
    else:
        texts = dict[str, list[int]]()
        for n, a in stated.items():
            text = repr(a)
            texts.setdefault(f"`{text}`" if len(text) < 100 else "an explicit tree", []).append(n)
        parts += [f"{text} at {_sizes(sizes)}" for text, sizes in texts.items()]
    parts += [f"{reason} at {_sizes(sizes)}" for reason, sizes in refused.items()]
    if any("the order" in x for each in found.values() for x in each.unseen):
        parts.append("every order gives this")
    if any("infinities and NaN" in x for each in found.values() for x in each.unseen):
        parts.append("infinities and NaN differ")
    checked = [x.checked for x in found.values() if x.ok]
    return "; ".join(parts), f"{min(checked):,} each" if checked else "-"


def _sizes(sizes: Any) -> str:
    return ", ".join(f"{n:,}" for n in sorted(sizes))


def _reason(found: Any) -> str:
    if len(found.groups) > 1:
        return f"{len(found.groups)} trees, by row,"
    reason = found.reason
    short = "no arithmetic that is known" if "no arithmetic" in reason else reason.split(":")[0][:60]
    return f"*refused* ({short})"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[3, 16, 100, 1000, 4096])
    parser.add_argument("--check", type=int, default=1000)
    parser.add_argument("--only", default="", help="a library")
    parser.add_argument("--type", default="", help="a type of leaves")
    parser.add_argument("--write", action="store_true", help="into docs/accumulations.md")
    options = parser.parse_args()
    lines, whole, seconds = list[str](), 0, list[float]()
    head = "| library | operation | type | accumulation | equal |\n| --- | --- | --- | --- | --- |"
    print(head, flush=True)
    for target in targets():
        if options.only not in ("", target.library) or options.type not in ("", target.type):
            continue
        found = dict[int, Any]()
        for n in options.sizes[: None if target.type == "f32" else -1] or options.sizes:
            start = time.process_time()
            found[n] = interp.reveal(target.program(n), target.function, check=options.check)
            took = time.process_time() - start
            seconds += [took] if n == options.sizes[-1] else []
            print(f"{target.operation} {target.type} {n}: {took:.1f} s", file=sys.stderr, flush=True)
        type = target.type if target.result in ("", target.type) else f"{target.type} to {target.result}"
        text, equal = describe(found)
        whole += all(x.ok for x in found.values()) and " at " not in text
        lines.append(f"| {target.library} | {target.operation} | {type} | {text} | {equal} |")
        print(lines[-1], flush=True)
    if not lines:
        return 0
    summary = f"{whole} of {len(lines)} operations have one text for all of the sizes {_sizes(options.sizes)}"
    if seconds:
        summary += f"; the median time at n = {options.sizes[-1]:,} was {median(seconds):.1f} s of CPU"
    print(summary)
    if options.write:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        after = rest.partition(END)[2]
        write_text(PAGE, "\n".join([f"{before}{BEGIN}", head, *lines, "", summary, END]) + after)
    return 0


if __name__ == "__main__":
    sys.exit(main())
