"""Single ONNX operators on random inputs, against onnxruntime and onnx's reference evaluator.

Integers and moved elements must be equal, floats within a tolerance.
"""

# ruff: noqa: E402

from __future__ import annotations

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper

import interp
from tests.library.onnx.onnx_cases import judged, node_cases
from tests.library.onnx.onnx_single_nodes import (
    LEARNING,
    Case,
    by_reference,
    by_runtime,
    check,
    declare,
    ensemble,
    equal,
    floats,
    integers,
    model_of,
    permutation,
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
    Case("GatherElements", [SMALL, integers(-4, 4, 2, 1, 4)], {"axis": 1}, constant=[0, 1], judges="runtime"),
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
    Case("ScatterElements", [X, np.stack([permutation(3) - 3] * 2)[:, :, None].transpose(1, 0, 2),
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
    Case("ScatterElements", [X, integers(-4, 4, 3, 7, 5), floats(3, 7, 5)], {"axis": 1}),
    Case("ScatterND", [X, integers(-3, 3, 9, 2), floats(9, 5)], opset=18),
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
EDGES = np.float32([-np.inf, np.inf, np.nan, 0, -0.0, 100, -100])
FLOATS = [
    *(Case(op, [X * 20], {}) for op in ("Elu", "Softplus", "Mish", "Celu", "HardSwish")),
    *(Case(op, [X * 3], {}, opset=13) for op in ("Selu", "Softsign", "ThresholdedRelu")),
    Case("Slice", [X, *map(np.int64, ([-99], [-(2**63)], [-1], [-1]))], judges="runtime"),
    Case("Elu", [X], {"alpha": 2.5}),
    Case("Celu", [X], {"alpha": 0.5}),
    Case("Shrink", [X], {"lambd": 0.4, "bias": 0.1}),
    Case("Shrink", [SMALL], {"lambd": 3.0, "bias": 2.0}, judges="runtime"),
    Case("Swish", [X], {"alpha": 0.7}, opset=24, judges="reference"),
    *(Case(op, [np.int64(size)], {"periodic": p}, constant=[0])
      for op in ("HannWindow", "HammingWindow", "BlackmanWindow") for size, p in ((9, 0), (10, 1))),
    Case("MelWeightMatrix", [np.int64(8), np.int64(64), np.int64(8192), np.float32(10), np.float32(4000)],
         constant=range(5)),
    *(Case(op, [EDGES], judges="runtime") for op in ("Elu", "Softplus", "Mish", "Shrink")),
    Case("Shrink", [integers(0, 9, 12, dtype=np.uint8)], {"lambd": 3.0, "bias": 1.0}, judges="runtime"),
    Case("BatchNormalization", [floats(4, 3, 5), *(floats(3) for _ in range(3)), np.abs(floats(3))],
         {"training_mode": 1, "momentum": 0.7}, outputs=3, opset=15, judges="reference"),
]  # fmt: skip
OPTIMIZERS = [
    Case(op, [np.float32(0.1), np.int64(count), *np.abs(floats(tensors * (results + 1), 3))], attributes,
         outputs=tensors * results, judges="reference", domain="ai.onnx.preview.training")
    for op, results, attributes in (
        ("Momentum", 2, {"alpha": 0.9, "beta": 0.7, "mode": "standard", "norm_coefficient": 0.01}),
        ("Momentum", 2, {"alpha": 0.9, "beta": 0.7, "mode": "nesterov", "norm_coefficient": 0.01}),
        ("Adagrad", 2, {"decay_factor": 0.1, "norm_coefficient": 0.01, "epsilon": 1e-3}),
        ("Adam", 3, {"alpha": 0.9, "beta": 0.8, "norm_coefficient": 0.01, "norm_coefficient_post": 0.1}),
    )
    for count, tensors in ((0, 1), (0, 2), (3, 2))
]  # fmt: skip
EMPTY = [
    Case("GatherND", [X, integers(-3, 3, 0, 2)]),
    Case("GatherElements", [SMALL, integers(0, 3, 0, 4, 5)]),
    Case("ScatterElements", [X, integers(0, 1, 0, 4, 5), floats(0, 4, 5)], judges="runtime"),
    Case("TopK", [X, np.int64([0])], constant=[1], outputs=2),
    Case("CumSum", [floats(3, 0), np.int64(1)], constant=[1]),
    Case("Compress", [X, np.bool_([0, 0])], {"axis": 0}, constant=[1]),
    Case("Einsum", [floats(3, 0), floats(0, 2)], {"equation": "ij,jk->ik"}),
    Case("Einsum", [floats(0, 0)], {"equation": "ii->i"}, judges="reference"),
    Case("Det", [floats(0, 3, 3)], judges="reference"),
    Case("Trilu", [floats(2, 0, 3)], judges="reference"),
]
NAN = np.float32(
    [[np.nan, 1, 2, np.nan], [-0.0, 0, 0, -0.0], [np.inf, -np.inf, 3, 3], [-np.nan, np.nan, np.inf, 1]]
)
SPECIAL = [
    *(Case(op, [NAN], {"axis": axis}, judges="reference") for op in ("ArgMax", "ArgMin") for axis in (0, 1)),
    *(Case("TopK", [NAN, np.int64([4])], {"axis": 1, "largest": k}, constant=[1], outputs=2,
           judges="reference") for k in (0, 1)),
    Case("Einsum", [np.float32([[1, -0.0], [np.nan, np.inf]]), np.float32([-0.0, 2])],
         {"equation": "ij,j->ij"}),
    Case("CumSum", [np.float32([1, np.inf, -np.inf, 2, np.nan, 1]), np.int64(0)], {"exclusive": 1},
         constant=[1]),
    Case("LpNormalization", [np.zeros((2, 3), np.float32)], opset=22),
    Case("GatherElements", [np.bool_([[1, 0], [0, 1]]), integers(-2, 2, 2, 2)], {"axis": 1}),
    Case("ScatterND", [np.bool_([1, 0, 1, 0]), np.int64([[1]]), np.bool_([1])], opset=18),
    Case("Einsum", [floats(3, 40, dtype=np.float64), floats(40, 2, dtype=np.float64)],
         {"equation": "ij,jk->ik"}, rtol=1e-12),
    Case("Einsum", [floats(3, 40, dtype=np.float16), floats(40, 2, dtype=np.float16)],
         {"equation": "ij,jk->ik"}, judges="reference", rtol=4e-3),
    Case("Det", [floats(4, 4, dtype=np.float64)], judges="reference", rtol=1e-12),
]  # fmt: skip
LABELS = integers(0, 4, 3, 6)
LOSSES = [
    Case(op, [floats(3, 4, 6), LABELS, w], {"reduction": how, "ignore_index": ignored}, opset=13,
         outputs=1 + (op == "SoftmaxCrossEntropyLoss"), judges="runtime")
    for op in ("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
    for how, w, ignored in (("mean", None, -1), ("sum", np.abs(floats(4)), 2), ("none", np.abs(floats(4)), 0))
]  # fmt: skip
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


ENSEMBLES = [
    ensemble(modes, how, dtype, missing)
    for dtype in (np.float32, np.float64)
    for modes, how, missing in (
        ((0,), 1, False),
        ((0, 1, 2, 3, 4, 5), 1, True),
        ((6,), 1, False),
        ((1, 6), 0, False),
        ((2,), 2, False),
        ((3,), 3, False),
    )
]
UNSIGNED, COUNTS = integers(0, 9, 3, 4, dtype=np.uint8), integers(1, 9, 3, 4)
KINDS = [  # types and versions that few models have
    *(Case(op, [UNSIGNED.astype(kind)], opset=13) for op in ("Abs", "Sign")
      for kind in (np.uint8, np.uint64)),
    *(Case(f"Reduce{op}", [COUNTS.astype(kind), np.int64([1])], judges="runtime", opset=18)
      for op in ("L1", "L2", "LogSum", "Mean", "Prod", "SumSquare") for kind in (np.int32, np.int64)),
    Case("ReduceLogSumExp", [np.int32([[1, 5, 3], [7, 7, -2]]), np.int64([1])], judges="runtime", opset=18),
    *(Case("Cast", [np.float32([-1.5, 0, 3e9, -2])], {"to": to}, judges="runtime") for to in (12, 13)),
    *(Case(op, [X.astype(np.float64)], opset=18, judges="runtime", rtol=1e-12)
      for op in ("LeakyRelu", "HardSigmoid")),
    *(Case("MeanVarianceNormalization", [IMAGE.astype(kind)], opset=opset, judges="runtime", rtol=rtol)
      for kind, opset, rtol in ((np.float16, 22, 5e-3), (np.float32, 24, 1e-5))),
]  # fmt: skip
MOVES, SUMS = [*GATHER, *SCATTER, *PLACES, *ORDER], [*POOLS, *ALGEBRA, *FLOATS, *LOSSES]
CASES = [*MOVES, *SUMS, *KINDS, *EMPTY, *SPECIAL, *MACHINE_LEARNING, *ENSEMBLES, *OPTIMIZERS]


@pytest.mark.parametrize("case", CASES, ids=[f"{case.operator}-{k}" for k, case in enumerate(CASES)])
def test_operators_give_what_others_give(case: Case) -> None:
    check(case)


NARROW = {
    "FLOAT8E4M3FN": (448, 464, 480, -1e6),
    "FLOAT8E4M3FNUZ": (240, 248, 256, -1e6),
    "FLOAT8E5M2": (57344, 61440, 61441, -1e6),
    "FLOAT8E5M2FNUZ": (57344, 61440, 61441, -1e6),
    "FLOAT4E2M1": (6, 7, 5, -1e6),
}


@pytest.mark.parametrize("saturate", [0, 1])
@pytest.mark.parametrize("name", NARROW)
@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", "int32", "int8", "uint8", "bool"])
def test_casts_to_narrow_floats(name: str, dtype: str, saturate: int) -> None:
    """The reference evaluator gives the same numbers; 4 bits always saturate."""
    to = TensorProto.DataType.Value(name)
    rng = np.random.default_rng(7)
    x = np.concatenate([rng.normal(0, 10 ** rng.normal(0, 2, 99)), NARROW[name], [0, -0.0]])
    if dtype.startswith("f"):
        x = np.concatenate([x, [np.inf, -np.inf, np.nan]])
    with np.errstate(all="ignore"):
        x = x.astype(dtype)
    model, arrays = model_of(Case("Cast", [x], {"to": to, "saturate": saturate}, opset=23))
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y0", to, x.shape))
    (y,) = interp.run(interp.load(model), x)
    assert equal(np.asarray(y).astype(np.float32), by_reference(model, arrays)[0].astype(np.float32))


@pytest.mark.parametrize(
    ("mode", "saturate", "wanted"),
    [
        ("up", 1, [2.0**-127, 2.0**-127, 2.0**-126, 1, 2, 2, 4, 4, 2.0**127, 2.0**127, np.nan]),
        ("down", 1, [2.0**-127, 2.0**-127, 2.0**-127, 1, 1, 1, 2, 2, 2.0**127, 2.0**127, np.nan]),
        ("nearest", 1, [2.0**-127, 2.0**-127, 2.0**-126, 1, 1, 2, 2, 4, 2.0**127, 2.0**127, np.nan]),
        ("nearest", 0, [np.nan, 2.0**-127, 2.0**-126, 1, 1, 2, 2, 4, np.nan, np.nan, np.nan]),
    ],
)
def test_casts_to_powers_of_two(mode: str, saturate: int, wanted: list[float]) -> None:
    """The table of the standard: 0, infinity and numbers out of range; a tie of two powers goes up."""
    x = np.float32([0, 2.0**-127, 1.5 * 2.0**-127, 1, 1.25, 1.5, 2.75, 3, 3e38, np.inf, np.nan])
    to = TensorProto.FLOAT8E8M0
    model, _ = model_of(Case("Cast", [x], {"to": to, "saturate": saturate, "round_mode": mode}, opset=25))
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y0", to, x.shape))
    (y,) = interp.run(interp.load(model), x)
    assert equal(np.asarray(y).astype(np.float64), np.array(wanted))


COMPILED = (GATHER[0], GATHER[9], SCATTER[4], SCATTER[6], ORDER[0], ORDER[12], ORDER[20], POOLS[0], POOLS[-1])


@pytest.mark.parametrize("case", COMPILED, ids=[case.operator for case in COMPILED])
def test_compiled_programs_give_the_same(case: Case, unoptimized_module: None) -> None:
    model, arrays = model_of(case)
    module = interp.load(declare(model, by_runtime(model, arrays)))
    expected = [np.asarray(y) for y in interp.run(module, *arrays.values())]
    for mine, theirs in zip(interp.compile(module)(*arrays.values()), expected, strict=True):
        assert equal(np.asarray(mine), theirs)


TREES = ENSEMBLES[0].attributes
CIRCLES = dict.fromkeys(("nodes_trueleafs", "nodes_truenodeids"), [0] * len(TREES["nodes_featureids"]))
LEAF = {"keys_floats": [1.0], "values_strings": ["a"]}
REFUSED = [
    (Case("GatherElements", [X, np.int64([[[3]]])], constant=[1]), "indices are out of range"),
    (Case("GatherND", [X, np.int64([[0, -5]])], constant=[1]), r"indices are out of range .* \[3, 4\]"),
    (Case("Det", [floats(200, 200)]), "matrices of 200 rows\n  expected at most 128"),
    (Case("Dropout", [X, np.float32(0.5), np.bool_(1)], constant=[1, 2]), "training drops at random"),
    (Case("TreeEnsemble", [floats(2, 5)], {**TREES, "post_transform": 9}, **LEARNING), "post_transform 9"),
    (Case("TreeEnsemble", [floats(2, 3)], TREES, **LEARNING), "nodes_featureids out of range"),
    (Case("TreeEnsemble", [floats(2, 5)], {**TREES, "tree_roots": [99]}, **LEARNING), "tree_roots out"),
    (Case("TreeEnsemble", [floats(2, 5)], {**TREES, **CIRCLES}, **LEARNING), "lead in circles"),
    (Case("LabelEncoder", [X], LEAF, **LEARNING), "attribute values_strings\n  expected numbers"),
]  # fmt: skip


@pytest.mark.parametrize(("case", "message"), REFUSED, ids=[f"{c.operator}-{m}" for c, m in REFUSED])
def test_what_has_no_meaning_here_is_refused(case: Case, message: str) -> None:
    model, _ = model_of(case)
    with pytest.raises(interp.InterpError, match=message):
        interp.load(declare(model))


FAMILY = "bitcast celu cumprod lpnormalization maxunpool swiglu swish ai_onnx_ml.tree_ensemble"


def test_node_tests_of_onnx() -> None:
    """All of them are run by tools/onnx_checks.py; onnxruntime lacks most of these, or expands them."""
    count, failed = judged(node_cases(FAMILY.split()))
    assert failed == {}
    assert count["equal"] >= 40
