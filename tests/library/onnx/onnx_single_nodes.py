"""Models of a single ONNX node, and what onnxruntime and onnx's reference evaluator make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import onnxruntime
from onnx import helper, numpy_helper, shape_inference

import interp

RNG = np.random.default_rng(27)


def floats(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


def integers(low: int, high: int, *shape: int, dtype: Any = np.int64) -> np.ndarray:
    return RNG.integers(low, high, shape).astype(dtype)


def permutation(count: int) -> np.ndarray:
    return RNG.permutation(count)


DOMAINS = {"ai.onnx.ml": 5, "ai.onnx.preview.training": 1}
DEPRECATED = {"TreeEnsembleClassifier": 3, "TreeEnsembleRegressor": 3}  # the last version of the domain
LEARNING: Any = {"domain": "ai.onnx.ml", "opset": 21}


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
        version = DEPRECATED.get(case.operator, DOMAINS[case.domain])
        opsets.append(helper.make_opsetid(case.domain, version))
    model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
    return model, {name: x for name, x in arrays.items() if name not in fixed}


def declare(model: Any, results: Sequence[np.ndarray] = ()) -> Any:
    """Return the model with types of outputs: those of results, else the inferred ones, else scalars."""
    for info, y in zip(model.graph.output, results, strict=False):
        info.CopyFrom(value_info(info.name, y))
    model = model if results else shape_inference.infer_shapes(model)
    for info in model.graph.output:
        if not info.type.tensor_type.HasField("shape"):
            info.CopyFrom(value_info(info.name, np.float32(0)))
    return model


def by_reference(model: Any, arrays: dict[str, np.ndarray]) -> list[np.ndarray]:
    from onnx.reference import ReferenceEvaluator

    with np.errstate(all="ignore"):
        return [np.asarray(y) for y in ReferenceEvaluator(model).run(None, arrays)]


def by_runtime(model: Any, arrays: dict[str, np.ndarray]) -> list[np.ndarray]:
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 4
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    return list(session.run(None, arrays))


JUDGES = {"both": (by_reference, by_runtime), "reference": (by_reference,), "runtime": (by_runtime,)}


def check(case: Case) -> None:
    model, arrays = model_of(case)
    expected = {judge.__name__: judge(model, arrays) for judge in JUDGES[case.judges]}
    module = interp.load(declare(model, next(iter(expected.values()))))
    results = [np.asarray(y) for y in interp.run(module, *arrays.values())]
    for judge, arrays_of_judge in expected.items():
        for mine, theirs in zip(results, arrays_of_judge, strict=True):
            assert (mine.dtype, mine.shape) == (theirs.dtype, theirs.shape), judge
            if case.operator in EXACT or mine.dtype.kind != "f":
                assert equal(mine, theirs), f"{judge}: {theirs}, here {mine}"
            else:
                np.testing.assert_allclose(mine, theirs, rtol=case.rtol, atol=case.rtol, err_msg=judge)


def equal(x: np.ndarray, y: np.ndarray) -> bool:
    return np.array_equal(x, y, equal_nan=x.dtype.kind == "f")


class Single(NamedTuple):
    """A node whose floats are compared relative to the largest; integers are equal.

    Of its inputs, None are absent, and those in `known` are weights of the model. against: who must give the
    same numbers, where only one of the two can, or does what ONNX says.
    """

    operator: str
    opset: int
    inputs: Sequence[Any]
    attributes: dict[str, Any]
    known: Sequence[int] = ()
    outputs: int = 1
    against: Sequence[str] = ("onnxruntime", "reference")
    tolerance: float = 2e-6

    def model(self) -> Any:
        return shape_inference.infer_shapes(model_of(self.case())[0], data_prop=True)

    def case(self) -> Case:
        return Case(self.operator, self.inputs, self.attributes, self.known, self.opset, self.outputs)


RUNTIME, REFERENCE = "onnxruntime", "reference"


def check_single(single: Single) -> None:
    """Run a node, and compare its results with those of others."""
    model, arrays = single.model(), model_of(single.case())[1]
    results = [np.asarray(x) for x in interp.run(interp.load(model), *arrays.values())]
    for other in single.against:
        judge = {RUNTIME: by_runtime, REFERENCE: by_reference}[other]
        for mine, theirs in zip(results, judge(model, arrays), strict=True):
            _compare(mine, np.asarray(theirs), single.tolerance, f"{other}: {single}")


def _compare(mine: np.ndarray, theirs: np.ndarray, tolerance: float, note: str) -> None:
    assert (mine.shape, mine.dtype) == (theirs.shape, theirs.dtype), note
    if mine.dtype.kind in "biu":
        np.testing.assert_array_equal(mine, theirs, note)
        return
    largest = float(np.abs(theirs, where=np.isfinite(theirs), out=np.zeros_like(theirs)).max(initial=0))
    np.testing.assert_allclose(mine, theirs, 0, tolerance * largest, err_msg=note)


EXACT = (
    "ArgMax ArgMin Compress CenterCropPad GatherElements GatherND Hardmax MaxPool MaxUnpool OneHot Scatter "
    "ScatterElements ScatterND TensorScatter TopK Trilu".split()
)


def ensemble(modes: Sequence[int], how: int, dtype: Any, missing: bool) -> Case:
    """Return four trees of at most four levels on five features, with tests of these modes."""
    nodes: list[Any] = []
    leaves: list[tuple[float, int]] = []

    def grow(levels: int) -> tuple[int, int]:
        if levels < 4 and (levels == 0 or RNG.random() < 0.2):
            leaves.append((RNG.standard_normal(), int(RNG.integers(0, 3))))
            return len(leaves) - 1, 1
        place = len(nodes)
        nodes.append(None)
        nodes[place] = (grow(levels - 1), grow(levels - 1))
        return place, 0

    roots = [grow(4)[0] for _ in range(4)]
    mode = RNG.choice(np.uint8(modes), len(nodes))
    sets = [x for k in mode if k == 6 for x in (*RNG.permutation(5)[:2] + 1.0, np.nan)]
    attributes = {
        "n_targets": 3,
        "aggregate_function": how,
        "tree_roots": roots,
        "nodes_featureids": RNG.integers(0, 5, len(nodes)).tolist(),
        "nodes_splits": numpy_helper.from_array(integers(-3, 4, len(nodes), dtype=dtype)),
        "nodes_modes": numpy_helper.from_array(mode),
        "leaf_weights": numpy_helper.from_array(np.array([w for w, _ in leaves], dtype)),
        "leaf_targetids": [target for _, target in leaves],
    }
    for k, way in enumerate(("true", "false")):
        attributes |= {f"nodes_{way}nodeids": [n[k][0] for n in nodes]}
        attributes |= {f"nodes_{way}leafs": [n[k][1] for n in nodes]}
    x = integers(-4, 5, 9, 5, dtype=dtype)
    if sets:
        attributes["membership_values"] = numpy_helper.from_array(np.array(sets, dtype))
    if missing:
        x = np.where(RNG.random(x.shape) < 0.3, np.nan, x).astype(dtype)
        attributes["nodes_missing_value_tracks_true"] = RNG.integers(0, 2, len(nodes)).tolist()
    return Case("TreeEnsemble", [x], attributes, judges="both" if how < 2 else "runtime", **LEARNING)
