"""Each row of the table of divergences, by this package, ONNX's ReferenceEvaluator and onnxruntime."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from interp.apps.onnx.array_functions import call
from interp.backends.dtypes import numpy_dtype
from interp.engine.tensor import Tensor
from spec.errors import Violation
from spec.onnx.node import BY_NUMBER, NUMBERS, SIGNATURES
from spec.types import TensorType
from tests.library.onnx.onnx_divergences import NO_KERNEL, REFUSED, ROWS, Row

rows = pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.operator}: {row.what}")


def text(output: Any) -> str:
    """Return the numbers of an output; f32 in as many digits as it has."""
    array = np.asarray(output)
    whole = array.astype(np.int64 if array.dtype.name.strip("0123456789") in ("int", "uint") else np.float64)
    return str(whole.item() if array.ndim == 0 and whole.dtype == np.int64 else listed(array, whole))


def listed(array: np.ndarray, whole: np.ndarray) -> Any:
    if array.ndim:
        return whole.tolist()
    return float(np.format_float_positional(np.float32(whole), unique=True)) if np.isfinite(whole) else "nan"


@rows
def test_ours(row: Row) -> None:
    inputs = {
        name: Tensor(TensorType(np.shape(given[0]), type), np.asarray(given[0]).astype(numpy_dtype(type)))
        for name, given in zip(SIGNATURES[row.operator].inputs, row.inputs, strict=False)
        if given and (type := BY_NUMBER[NUMBERS[given[1]]])
    }
    try:
        outputs = call(row.operator, row.opset, inputs, row.attributes)
    except Violation:
        assert row.ours == REFUSED
        return
    assert text(outputs[row.shown]) == row.ours


@rows
def test_reference_evaluator(row: Row) -> None:
    pytest.importorskip("onnx", reason="onnx is not installed")
    from onnx.reference import ReferenceEvaluator

    model, inputs = modelled(row)
    try:
        with np.errstate(all="ignore"):
            outputs = ReferenceEvaluator(model).run(None, inputs)
    except (ValueError, RuntimeError, NotImplementedError):
        assert row.reference == REFUSED
        return
    assert text(outputs[row.shown]) == row.reference


@rows
def test_onnxruntime(row: Row) -> None:
    pytest.importorskip("onnx", reason="onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    if tuple(map(int, runtime.__version__.split(".")[:2])) < (1, 32):
        pytest.skip("the table is that of onnxruntime 1.32: before, opset 23 divided in f32")
    runtime.set_default_logger_severity(4)
    model, inputs = modelled(row, wide=True)
    try:
        session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    except Exception:  # onnxruntime's own kinds
        assert row.runtime == NO_KERNEL
        return
    try:
        outputs = session.run(None, inputs)
    except Exception:
        assert row.runtime == REFUSED
        return
    assert text(outputs[row.shown]) == row.runtime


def modelled(row: Row, wide: bool = False) -> tuple[Any, dict[str, np.ndarray]]:
    """Return a model of one node; wide: parameters inside, and a first output that NumPy has."""
    import onnx
    from onnx import helper, numpy_helper

    names = SIGNATURES[row.operator].inputs
    arrays = {n: array(given) for n, given in zip(names, row.inputs, strict=False) if given}
    inside = {n: x for n, x in arrays.items() if wide and n != names[0] and x.dtype.isbuiltin != 1}
    typed = lambda n: helper.make_tensor_value_info(n, number(row, names, n), arrays[n].shape)
    outputs = list(SIGNATURES[row.operator].outputs)
    nodes = [helper.make_node(row.operator, list(arrays), outputs, **row.attributes)]
    if wide and inside:
        narrow = next(iter(inside.values())).dtype.name
        to = onnx.TensorProto.INT32 if "int" in narrow else onnx.TensorProto.FLOAT
        nodes.append(helper.make_node("Cast", [outputs[0]], ["wide"], to=to))
        outputs[0] = "wide"
    graph = helper.make_graph(
        nodes,
        "g",
        [typed(n) for n in arrays if n not in inside],
        [helper.make_empty_tensor_value_info(name) for name in outputs],
        [numpy_helper.from_array(x, n) for n, x in inside.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", row.opset)], ir_version=10)
    return onnx.shape_inference.infer_shapes(model), {n: x for n, x in arrays.items() if n not in inside}


def number(row: Row, names: tuple[str, ...], name: str) -> int:
    given = row.inputs[names.index(name)]
    assert given is not None
    return NUMBERS[given[1]]


def array(given: tuple[Any, str]) -> np.ndarray:
    """Return an input as ONNX's own helpers have it."""
    from onnx import helper

    return np.asarray(given[0]).astype(helper.tensor_dtype_to_np_dtype(NUMBERS[given[1]]))
