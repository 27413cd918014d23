#!/usr/bin/env python3
"""Print in which order and arithmetic the libraries of this machine add: `tools/machine.py [--sizes 16 100]`.

A row for each library, operation and type, with what `interp.reveal` states at each size. Sizes that have the
same statement share a row.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import interp
from tools.devices import REDUCE

ROWS, COLUMNS = 4, 4
DOT = """func.func @main(%x: tensor<{m}x{n}x{t}>, %y: tensor<{n}x{k}x{t}>) -> tensor<{m}x{k}x{r}> {{
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
    : (tensor<{m}x{n}x{t}>, tensor<{n}x{k}x{t}>) -> tensor<{m}x{k}x{r}>
  return %0 : tensor<{m}x{k}x{r}>
}}"""


class Target(NamedTuple):
    """An operation of a library on rows of a type: a sum of rows, or a product of matrices."""

    library: str
    operation: str
    type: str
    result: str
    function: Callable[..., Any]

    def program(self, n: int) -> Any:
        zero = "0" if self.type.startswith("i") else "0.0"
        if not self.result:
            return interp.load(REDUCE.format(m=ROWS, n=n, t=self.type).replace("<0>", f"<{zero}>"))
        return interp.load(DOT.format(m=ROWS, n=n, k=COLUMNS, t=self.type, r=self.result))


def each_row(f: Callable[[np.ndarray], Any]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda x: np.stack([np.asarray(f(row)) for row in x]).astype(x.dtype)


def numpy_targets() -> Iterator[Target]:
    for type in ("f32", "f64", "f16"):
        yield Target("NumPy", "sum of a vector", type, "", each_row(np.sum))
        yield Target("NumPy", "sum of rows", type, "", lambda x: x.sum(axis=1))
        yield Target("NumPy", "sum of columns", type, "", lambda x: np.ascontiguousarray(x.T).sum(axis=0))
        yield Target("NumPy", "last of cumsum", type, "", each_row(lambda row: row.cumsum()[-1]))
        yield Target("NumPy", "einsum i->", type, "", each_row(lambda row: np.einsum("i->", row)))
        yield Target("NumPy", "matmul", type, type, np.matmul)
        yield Target("NumPy", "einsum ij,jk->ik", type, type, lambda x, y: np.einsum("ij,jk->ik", x, y))
        yield Target("NumPy", "dot of vectors", type, type, _dots)
    yield Target("NumPy", "matmul", "i8", "i32", lambda x, y: np.matmul(x.astype("i4"), y.astype("i4")))


def _dots(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    columns = np.ascontiguousarray(y.T)
    return np.array([[np.dot(row, column) for column in columns] for row in x], x.dtype)


def xla_targets() -> Iterator[Target]:
    import jax
    import jax.numpy as jnp

    one = lambda f: jax.jit(f)
    jax.config.update("jax_enable_x64", True)
    for type in ("f32", "f64", "bf16", "f16"):
        yield Target("XLA", "sum of rows", type, "", one(lambda x: x.sum(axis=1)))
        yield Target("XLA", "sum of a vector", type, "", each_row(one(lambda row: row.sum())))
        yield Target("XLA", "sum of columns", type, "", one(lambda x: x.T.sum(axis=0)))
        yield Target("XLA", "last of cumsum", type, "", each_row(one(lambda row: jnp.cumsum(row)[-1])))
        yield Target("XLA", "matmul", type, type, one(jnp.matmul))
    yield Target("XLA", "bf16 matmul to f32", "bf16", "f32", one(_wide))
    yield Target(
        "XLA", "matmul", "i8", "i32", one(lambda x, y: jnp.matmul(x, y, preferred_element_type="int32"))
    )


def _wide(x: Any, y: Any) -> Any:
    import jax.numpy as jnp

    return jnp.matmul(x, y, preferred_element_type=jnp.float32)


def onnx_targets() -> Iterator[Target]:
    import onnxruntime
    from onnx import TensorProto, helper

    def session(op: str, inputs: int, **attributes: Any) -> Any:
        types = [helper.make_tensor_value_info(f"x{k}", TensorProto.FLOAT, None) for k in range(inputs)]
        extra = []
        names = [f"x{k}" for k in range(inputs)]
        if op == "ReduceSum":
            extra = [helper.make_tensor("axes", TensorProto.INT64, [1], [1])]
            names.append("axes")
        node = helper.make_node(op, names, ["y"], **attributes)
        out = [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)]
        model = helper.make_model(helper.make_graph([node], "g", types, out, extra), ir_version=9)
        model.opset_import[0].version = 17
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        made = onnxruntime.InferenceSession(model.SerializeToString(), options)
        return lambda *args: made.run(None, {f"x{k}": x for k, x in enumerate(args)})[0]

    yield Target("onnxruntime", "ReduceSum of rows", "f32", "", session("ReduceSum", 1, keepdims=0))
    yield Target("onnxruntime", "MatMul", "f32", "f32", session("MatMul", 2))


def torch_targets() -> Iterator[Target]:
    import torch

    torch.set_num_threads(1)
    tensor = lambda x: torch.from_numpy(x)
    yield Target("PyTorch", "sum of rows", "f32", "", lambda x: tensor(x).sum(dim=1).numpy())
    yield Target("PyTorch", "sum of a vector", "f32", "", each_row(lambda row: tensor(row).sum().numpy()))
    yield Target("PyTorch", "matmul", "f32", "f32", lambda x, y: (tensor(x) @ tensor(y)).numpy())


LIBRARIES = {"jax": xla_targets, "onnxruntime": onnx_targets, "torch": torch_targets}


def targets() -> Iterator[Target]:
    """Yield the operations of the libraries that are installed."""
    yield from numpy_targets()
    for package, make in LIBRARIES.items():
        if find_spec(package):
            yield from make()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[3, 16, 100])
    parser.add_argument("--check", type=int, default=1000)
    parser.add_argument("--only", default="", help="a library")
    parser.add_argument("--type", default="", help="a type of leaves")
    options = parser.parse_args()
    print("| library | operation | type | n | accumulation | equal |\n| --- | --- | --- | --- | --- | --- |")
    for target in targets():
        if options.only not in ("", target.library) or options.type not in ("", target.type):
            continue
        said = dict[str, list[int]]()
        for n in options.sizes:
            start = time.monotonic()
            found = interp.reveal(target.program(n), target.function, check=options.check)
            text = _text(found)
            said.setdefault(text, []).append(n)
            print(f"{target.operation} {n}: {time.monotonic() - start:.1f} s", file=sys.stderr, flush=True)
        type = (
            target.type
            if not target.result or target.result == target.type
            else f"{target.type} to {target.result}"
        )
        for text, sizes in said.items():
            numbers = ", ".join(map(str, sizes))
            print(f"| {target.library} | {target.operation} | {type} | {numbers} | {text} |", flush=True)
    return 0


def _text(found: Any) -> str:
    """Return the statement in two cells."""
    if found.ok:
        text = repr(found.accumulation)
        stated = f"`{text}`" if len(text) < 100 else f"an explicit tree, `{text[:48]} ...`"
        order = "; every order" if any("the order" in x for x in found.unseen) else ""
        return f"{stated}{order} | {found.equal:,} of {found.checked:,}"
    if len(found.groups) > 1:
        return f"{len(found.groups)} trees, by row | each {found.groups[0].checked:,}"
    return f"*refused*: {found.reason[:80]} | -"


if __name__ == "__main__":
    sys.exit(main())
