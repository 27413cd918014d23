"""Single ONNX operators on random inputs, against onnxruntime and onnx's reference evaluator.

Integers and moved elements must be equal, floats within a tolerance.
"""

# ruff: noqa: E402

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from onnx import helper, numpy_helper

import interp

RNG = np.random.default_rng(27)


def floats(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


def integers(low: int, high: int, *shape: int, dtype: Any = np.int64) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(dtype)


class Case(NamedTuple):
    """A node, its inputs by position, and which of them are constants of the model; None: an absent one."""

    operator: str
    inputs: Sequence[Any]
    attributes: Mapping[str, Any] = MappingProxyType({})
    constant: Sequence[int] = ()
    opset: int = 21
    outputs: int = 1
    domain: str = ""
    judges: str = "both"  # or "runtime", or "reference", where the other one lacks the case
    rtol: float = 1e-5


def value_info(name: str, x: np.ndarray) -> Any:
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)


def model_of(case: Case) -> tuple[Any, dict[str, np.ndarray]]:
    """Return a model of one node, and its inputs that are not constants."""
    names = [f"x{k}" if x is not None else "" for k, x in enumerate(case.inputs)]
    outputs = [f"y{k}" for k in range(case.outputs)]
    node = helper.make_node(case.operator, names, outputs, "tested", domain=case.domain, **case.attributes)
    arrays = {name: np.asarray(x) for name, x in zip(names, case.inputs, strict=True) if name}
    fixed = {f"x{k}" for k in case.constant}
    graph = helper.make_graph(
        [node],
        "g",
        [value_info(name, x) for name, x in arrays.items() if name not in fixed],
        [helper.make_empty_tensor_value_info(name) for name in outputs],
        [numpy_helper.from_array(x, name) for name, x in arrays.items() if name in fixed],
    )
    opsets = [helper.make_opsetid("", case.opset)]
    if case.domain:
        opsets.append(helper.make_opsetid(case.domain, 5))
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    return model, {name: x for name, x in arrays.items() if name not in fixed}


def by_reference(model: Any, arrays: dict[str, np.ndarray]) -> list[np.ndarray]:
    from onnx.reference import ReferenceEvaluator

    with np.errstate(all="ignore"):
        return [np.asarray(y) for y in ReferenceEvaluator(model).run(None, arrays)]


def by_runtime(model: Any, arrays: dict[str, np.ndarray]) -> list[np.ndarray]:
    ort = pytest.importorskip("onnxruntime")
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return list(session.run(None, arrays))


JUDGES = {"both": (by_reference, by_runtime), "reference": (by_reference,), "runtime": (by_runtime,)}


def check(case: Case) -> None:
    model, arrays = model_of(case)
    expected = {judge.__name__: judge(model, arrays) for judge in JUDGES[case.judges]}
    for info, y in zip(model.graph.output, next(iter(expected.values())), strict=True):
        info.CopyFrom(value_info(info.name, y))
    results = [np.asarray(y) for y in interp.run(interp.load(model), *arrays.values())]
    for judge, arrays_of_judge in expected.items():
        for mine, theirs in zip(results, arrays_of_judge, strict=True):
            assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape), judge
            if case.operator in EXACT or mine.dtype.kind != "f":
                assert np.array_equal(mine, theirs), f"{judge}: {theirs}, here {mine}"
            else:
                np.testing.assert_allclose(mine, theirs, rtol=case.rtol, atol=case.rtol, err_msg=judge)


EXACT = (
    "ArgMax ArgMin Compress CenterCropPad GatherElements GatherND Hardmax MaxPool MaxUnpool OneHot Scatter "
    "ScatterElements ScatterND TensorScatter TopK Trilu".split()
)
X, Y = floats(3, 4, 5), floats(3, 4, 5)
TIES = integers(0, 4, 3, 7, 5).astype(np.float32)
SMALL = integers(-9, 9, 3, 4, 5, dtype=np.int32)
IMAGE = floats(2, 3, 9, 8)
POOL = {"kernel_shape": [3, 2], "strides": [2, 1], "pads": [1, 0, 1, 1]}
DILATED = {"kernel_shape": [2, 3], "dilations": [3, 2]}
NEAR = integers(-4, 4, 3, 4, 5).astype(np.float32)
GATHER = [
    Case("GatherElements", [X, integers(-4, 4, 3, 2, 5)], {"axis": 1}),
    Case("GatherElements", [X, integers(-5, 5, 2, 3, 9)], {"axis": -1}, judges="runtime"),
    Case("GatherElements", [SMALL, integers(-3, 3, 6, 1, 4, dtype=np.int32)], judges="runtime"),
    Case("GatherElements", [X, integers(-4, 4, 3, 6, 5)], {"axis": 1}, constant=[1]),
    Case("GatherElements", [X, integers(0, 1, 3, 0, 5)], {"axis": 1}),
    Case("GatherElements", [floats(7), integers(-7, 7, 3)]),
    Case("GatherND", [X, integers(-3, 3, 2, 6, 2)]),
    Case("GatherND", [X, integers(-3, 3, 6, 3)]),
    Case("GatherND", [X, integers(-4, 4, 3, 2, 1)], {"batch_dims": 1}),
    Case("GatherND", [X, integers(-5, 5, 3, 4, 2, 1)], {"batch_dims": 2}),
    Case("GatherND", [SMALL, integers(-3, 3, 2)], constant=[1]),
]
SCATTER = [
    Case("ScatterElements", [X, np.int64([[[-1], [0], [2]]]), floats(1, 3, 1)], {"axis": 1}),
    Case("ScatterElements", [X, np.stack([RNG.permutation(3) - 3] * 2)[:, :, None].transpose(1, 0, 2),
                             floats(3, 2, 1)]),
    Case("Scatter", [floats(5), np.int64([3, -5]), floats(2)], opset=10, judges="runtime"),
    Case("ScatterND", [X, np.int64([[0, -1], [2, 0]]), floats(2, 5)], opset=18),
    Case("ScatterND", [X, np.int64([[[2]], [[-3]]]), floats(2, 1, 4, 5)], opset=18, constant=[1]),
    *(Case("ScatterElements", [SMALL, integers(-4, 4, 3, 7, 5), integers(-9, 9, 3, 7, 5, dtype=np.int32)],
           {"axis": 1, "reduction": how}) for how in ("add", "mul", "max", "min")),
    *(Case("ScatterElements", [X, integers(-5, 5, 2, 3, 9), floats(2, 3, 9)], {"axis": 2, "reduction": how})
      for how in ("max", "min")),
    *(Case("ScatterND", [SMALL, integers(-3, 3, 8, 2), integers(-9, 9, 8, 5, dtype=np.int32)],
           {"reduction": how}, opset=18) for how in ("add", "mul", "max", "min")),
    Case("TensorScatter", [floats(2, 3, 6, 4), floats(2, 3, 2, 4), np.int64([1, 4])], opset=24,
         judges="reference"),
    Case("TensorScatter", [floats(2, 6, 4), floats(2, 3, 4), np.int64([5, 2])],
         {"axis": 1, "mode": "circular"}, opset=24, judges="reference"),
    Case("TensorScatter", [floats(2, 3, 6, 4), floats(2, 3, 5, 4)], opset=24, judges="reference"),
]  # fmt: skip
PLACES = [
    *(Case("Trilu", [X, np.int64(k)], {"upper": up}) for k in (-9, -1, 0, 2) for up in (0, 1)),
    Case("Trilu", [SMALL]),
    Case("OneHot", [integers(-9, 9, 3, 4), np.int64(5), np.float32([2, -1])], {"axis": 1}, constant=[1]),
    Case("OneHot", [integers(-4, 7, 6), np.int64([4]), np.int64([0, 3])], constant=[1], judges="runtime"),
    Case("OneHot", [np.float32([1, -2, 7, 0]), np.float32(3), np.int32([5, 6])], {"axis": 0}, constant=[1],
         judges="reference"),
    Case("Compress", [X, np.bool_([0, 1, 1])], {"axis": 1}, constant=[1]),
    Case("Compress", [X, np.bool_([0, 1, 1, 0, 1] * 4)], constant=[1]),
    Case("CenterCropPad", [X, np.int64([5, 3])], {"axes": [0, -1]}, constant=[1], judges="reference"),
]  # fmt: skip
ORDER = [
    *(Case(op, [TIES], {"axis": axis, "keepdims": keep, "select_last_index": last})
      for op in ("ArgMax", "ArgMin") for axis, keep, last in ((1, 1, 0), (-2, 0, 1), (0, 1, 1), (2, 0, 0))),
    Case("ArgMax", [SMALL], {"axis": 2}, judges="reference"),
    Case("ArgMax", [integers(0, 9, 4, 6, dtype=np.uint8)], {"axis": 1}),
    Case("Hardmax", [TIES], {"axis": 1}),
    Case("Hardmax", [TIES], {"axis": 1}, opset=11, judges="runtime"),
    *(Case("TopK", [TIES, np.int64([k])], {"axis": axis, "largest": largest}, constant=[1], outputs=2)
      for k, axis, largest in ((3, 1, 1), (5, -1, 1), (7, 1, 0), (2, 0, 0))),
    Case("TopK", [integers(-9, 9, 4, 9, dtype=np.int32), np.int64([6])], constant=[1], outputs=2),
    Case("TopK", [TIES, np.int64([3])], {"axis": 1}, constant=[1], outputs=2, opset=10),
    *(Case("CumSum", [SMALL, np.int64(axis)], {"exclusive": e, "reverse": r}, constant=[1], opset=14)
      for axis in (0, -1) for e in (0, 1) for r in (0, 1)),
    Case("CumSum", [X, np.int32(1)], {"reverse": 1}, constant=[1]),
    *(Case("CumProd", [SMALL.astype(np.int64), np.int64(1)], {"exclusive": e, "reverse": r}, constant=[1],
           opset=26, judges="reference") for e in (0, 1) for r in (0, 1)),
]  # fmt: skip
POOLS = [
    *(Case("MaxPool", [IMAGE], {**POOL, "storage_order": s}, outputs=2) for s in (0, 1)),
    Case("MaxPool", [integers(0, 3, 2, 3, 9, 8).astype(np.float32)], {**DILATED, "ceil_mode": 1}, outputs=2),
    Case("MaxPool", [integers(0, 9, 1, 2, 6, dtype=np.uint8)], {"kernel_shape": [2]}, outputs=2, opset=12,
         judges="runtime"),
    Case("MaxPool", [floats(1, 2, 5, 4, 6)], {"kernel_shape": [2, 2, 3], "strides": [1, 2, 1]}, outputs=2),
    Case("MaxUnpool", [floats(1, 6, 2, 2), np.arange(0, 96, 4).reshape(1, 6, 2, 2) + integers(0, 4, 6, 2, 2)],
         {"kernel_shape": [2, 2], "strides": [2, 2]}),
    *(Case("LpPool", [IMAGE], {**POOL, "p": p}, judges="runtime") for p in (1, 2, 3)),
    Case("LpPool", [IMAGE], {**DILATED, "p": 2}, judges="runtime"),
    *(Case("GlobalLpPool", [IMAGE], {"p": p}, judges="runtime") for p in (1, 2, 3)),
    *(Case("LpNormalization", [X], {"p": p, "axis": 1}, judges="runtime") for p in (1, 2)),
    *(Case("LRN", [floats(2, 7, 3, 2)], {"size": s, "alpha": 0.3, "bias": 1.5}, judges="runtime")
      for s in (3, 5)),
    Case("Col2Im", [floats(2, 12, 12), np.int64([5, 5]), np.int64([2, 3])], opset=18, constant=[1, 2]),
    Case("Col2Im", [floats(1, 12, 6), np.int64([6, 7]), np.int64([2, 3])],
         {"strides": [2, 3], "pads": [0, 1, 1, 1], "dilations": [2, 2]}, opset=18, constant=[1, 2]),
    Case("Col2Im", [floats(1, 16, 8), np.int64([3, 3, 3]), np.int64([2, 2, 2])], opset=18, constant=[1, 2]),
]  # fmt: skip
EQUATIONS = {
    "ij,jk->ik": [(3, 4), (4, 5)],
    "bij,bjk,bkl->bil": [(2, 3, 4), (2, 4, 5), (2, 5, 2)],
    "...ij,...jk": [(2, 1, 3, 4), (1, 5, 4, 2)],
    "...i,i->...": [(2, 3, 4), (4,)],
    "ii->i": [(4, 4)],
    "iij,jk": [(3, 3, 2), (2, 4)],
    "ijk->": [(2, 3, 4)],
    "ba": [(2, 3)],
    "a,b->ba": [(3,), (4,)],
    "i...,i...->...": [(3, 2, 4), (3, 2, 4)],
    "bhqd,bkhd->bhqk": [(2, 3, 4, 5), (2, 6, 3, 5)],
    "iji,i->j": [(3, 2, 3), (3,)],
    "Ab,bC->AC": [(2, 3), (3, 4)],
}
ALGEBRA = [
    *(Case("Einsum", [floats(*s) for s in shapes], {"equation": text}) for text, shapes in EQUATIONS.items()),
    Case("Einsum", [integers(-9, 9, 3, 4), integers(-9, 9, 4, 2)], {"equation": "ij,jk->k"}),
    *(Case("Det", [floats(*shape)], rtol=1e-4) for shape in ((3, 3), (2, 5, 5), (2, 3, 1, 1))),
    Case("Det", [np.float32([[0, 2], [3, 4]])]),
    Case("Det", [np.ones((3, 3), np.float32)]),
]
FLOATS = [
    *(Case(op, [X * 20], {}) for op in ("Elu", "Softplus", "Mish", "Celu", "HardSwish")),
    Case("Elu", [X], {"alpha": 2.5}),
    Case("Celu", [X], {"alpha": 0.5}),
    Case("Shrink", [X], {"lambd": 0.4, "bias": 0.1}),
    Case("Shrink", [SMALL], {"lambd": 3.0, "bias": 2.0}, judges="runtime"),
    Case("Swish", [X], {"alpha": 0.7}, opset=24, judges="reference"),
    *(Case(op, [np.int64(size)], {"periodic": p}, constant=[0])
      for op in ("HannWindow", "HammingWindow", "BlackmanWindow") for size, p in ((9, 0), (10, 1))),
    Case("MelWeightMatrix", [np.int64(8), np.int64(64), np.int64(8192), np.float32(10), np.float32(4000)],
         constant=range(5)),
    Case("BatchNormalization", [floats(4, 3, 5), *(floats(3) for _ in range(3)), np.abs(floats(3))],
         {"training_mode": 1, "momentum": 0.7}, outputs=3, opset=15, judges="reference"),
]  # fmt: skip
LABELS = integers(0, 4, 3, 6)
LOSSES = [
    Case(op, [floats(3, 4, 6), LABELS, w], {"reduction": how, "ignore_index": ignored}, opset=13,
         outputs=1 + (op == "SoftmaxCrossEntropyLoss"), judges="runtime")
    for op in ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
    for how, w, ignored in (("mean", None, -1), ("sum", np.abs(floats(4)), 2), ("none", np.abs(floats(4)), 0))
]  # fmt: skip
LEARNING = {"domain": "ai.onnx.ml", "opset": 21}
OF_FLOATS = {"keys_floats": [1.0, -2.0, 0.0, np.nan], "values_int64s": [4, 5, 6, 7], "default_int64": 9}
MACHINE_LEARNING = [
    Case("Binarizer", [X], {"threshold": 0.25}, **LEARNING),
    Case("ArrayFeatureExtractor", [X, np.int64([[3, 0, 4]])], **LEARNING),
    Case("ArrayFeatureExtractor", [floats(6), np.int64([5])], **LEARNING),
    Case("LabelEncoder", [integers(-3, 3, 4, 5)],
         {"keys_int64s": [-1, 0, 2], "values_floats": [0.5, 1.5, 2.5], "default_float": -7.0}, **LEARNING),
    Case("LabelEncoder", [np.float32([0, -0.0, np.nan, 1, -1, -2])], OF_FLOATS, judges="runtime",
         **LEARNING),
    Case("LabelEncoder", [integers(-3, 3, 9)],
         {"keys_int64s": [1, 2, 1], "values_int64s": [10, 20, 30]}, judges="reference", **LEARNING),
]  # fmt: skip
CASES = [*GATHER, *SCATTER, *PLACES, *ORDER, *POOLS, *ALGEBRA, *FLOATS, *LOSSES, *MACHINE_LEARNING]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.operator}-{k}" for k, case in enumerate(CASES)])
def test_operators_give_what_others_give(case: Case) -> None:
    check(case)
