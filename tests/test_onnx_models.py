"""Quantized ONNX models against onnxruntime, onnx's own node tests, and damaged models."""

# ruff: noqa: E402

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper

import interp
from tests.library.onnx.onnx_cases import (
    MODELS,
    Case,
    damaged,
    judged,
    model,
    node_cases,
    outcome,
    reaction,
    with_unsigned_weights,
)


def with_all_outputs(path: Path) -> Any:
    """Return a model whose every tensor is an output."""
    model = onnx.shape_inference.infer_shapes(onnx.load(path))
    made = {name for node in model.graph.node for name in node.output}
    made -= {info.name for info in model.graph.output}
    model.graph.output.extend(info for info in model.graph.value_info if info.name in made)
    return model


def differences(name: str) -> tuple[Counter[int], list[str]]:
    """Return how many stored numbers differ from onnxruntime's by how many steps, and where, in order."""
    ort = pytest.importorskip("onnxruntime")
    model = with_all_outputs(MODELS / f"{name}.onnx")
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = ort.InferenceSession(with_unsigned_weights(model).SerializeToString(), options)
    shape = [d.dim_value or 2 for d in model.graph.input[0].type.tensor_type.shape.dim]
    x = np.random.default_rng(8).normal(0, 1, shape).astype(np.float32)
    steps, where = Counter[int](), []
    for info, mine, theirs in zip(
        model.graph.output, interp.run(interp.load(model), x), session.run(None, {"x": x}), strict=True
    ):
        if theirs.dtype.kind in "iu":
            apart = np.abs(np.asarray(mine).astype(int) - theirs.astype(int))
            steps.update(apart.reshape(-1).tolist())
            where += [info.name] if apart.any() else []
    return steps, where


@pytest.mark.parametrize(
    "name",
    [
        "convolutional_qdq_u8",
        "residual_qoperator_i8",
        "transformer_qdq_i8",
        *(
            pytest.param(name, marks=pytest.mark.slow("one of nine models"))
            for name in (
                "convolutional_qoperator_u8",
                "residual_qdq_i8",
                "residual_qoperator_u8",
                "transformer_qoperator_u8",
            )
        ),
    ],
)
def test_every_quantized_tensor_equals_onnxruntimes(name: str) -> None:
    """Switch off the optimizations, which put other kernels in the place of the nodes.

    onnxruntime gets weights of i8 for values of u8 as `unsigned` ones: it sums these exactly everywhere.
    """
    steps, where = differences(name)
    assert (where, set(steps)) == ([], {0}), steps
    assert steps.total() > 500


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("convolutional_qoperator_u8", 4),
        ("transformer_qoperator_u8", 6),
        ("residual_qoperator_i8", 0),  # values of i8
        ("residual_qoperator_u8", 0),  # weights of u8
    ],
)
def test_unsigned_weights_mean_the_same(name: str, count: int) -> None:
    """The test above is as good as `with_unsigned_weights`: our engine gives all tensors the same bits."""
    model = with_all_outputs(MODELS / f"{name}.onnx")
    other = with_unsigned_weights(model)
    pairs = zip(model.graph.initializer, other.graph.initializer, strict=True)
    assert sum(a.data_type != b.data_type and len(a.dims) > 1 for a, b in pairs) == count
    if count:
        shape = [d.dim_value or 2 for d in model.graph.input[0].type.tensor_type.shape.dim]
        x = np.random.default_rng(8).normal(0, 1, shape).astype(np.float32)
        results = [interp.run(interp.load(m), x) for m in (model, other)]
        assert all(np.array_equal(np.asarray(a), np.asarray(b)) for a, b in zip(*results, strict=True))


@pytest.mark.parametrize(
    ("name", "first"),
    [("transformer_qdq_i16", "matmul"), ("convolutional_qdq_i16", "relu1")],  # the name that a Conv took over
)
def test_sixteen_bits_show_the_order_of_a_float_sum(name: str, first: str) -> None:
    """A step is 1e-4: a float product that is summed in another order may fall into the next one."""
    steps, where = differences(name)
    assert max(steps) <= 2
    assert steps[0] > 0.98 * steps.total()
    assert not where or where[0].startswith(first)


@pytest.fixture(scope="module")
def residual() -> interp.Module:
    return interp.load(MODELS / "residual_qdq_i8.onnx")


def test_reductions_of_a_raised_model_are_quantized_and_explained(residual: interp.Module) -> None:
    raised = interp.raise_qdq(residual).module
    x = np.random.default_rng(8).normal(0, 1, (1, 3, 14, 14)).astype(np.float32)
    trace = interp.trace(raised, x)
    sums = [op.result.type for op in raised.ops() if op.name.startswith("stablehlo.reduce")]
    assert len(sums) == 3
    assert {repr(type.storage_type) for type in sums} == {"i32"}
    name = next(name for name in trace.reductions if "averagepool" in name)
    assert repr(trace.bounds(name).suggested).startswith("!quant.uniform<i16:f32")
    assert "294 safe" in repr(trace.verdict(name))
    assert "[0, 0, 1, 1]" in repr(trace.explain(name, (0, 0, 0, 0)))
    assert np.abs(np.asarray(interp.run(raised, x)[0]) - np.asarray(interp.run(residual, x)[0])).max() < 0.02


def test_zero_points_are_added_after_rounding() -> None:
    """1/2 and 3/2 are ties: the zero point 3 would turn them around."""
    node = helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"])
    m = model(node, {"x": [4]}, {"s": np.float32(1), "z": np.int8(3)}, output_type=TensorProto.INT8)
    x = np.float32([0.5, 1.5, -0.5, np.nan])
    assert np.asarray(interp.run(m, x)[0]).tolist() == [3, 5, 3, -128]


def test_merging_two_roundings_into_one_is_reported() -> None:
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s", "z"], ["a"]),
        helper.make_node("Add", ["x", "a"], ["b"]),
        helper.make_node("QuantizeLinear", ["b", "s", "z"], ["c"]),
        helper.make_node("DequantizeLinear", ["c", "s", "z"], ["y"]),
    ]
    weights = {"s": np.float32(1), "z": np.int8(3), "w": np.int8([1, 2])}
    m = interp.load(model(nodes, {"x": [2]}, weights))
    raised = interp.raise_qdq(m)
    assert [r.steps for r in raised.rewrites if r.kernel == "uniform_quantize"] == [1]
    x = np.float32([2.5, 0.5])
    apart = np.asarray(interp.run(m, x)[0]) - np.asarray(interp.run(raised.module, x)[0])
    assert np.abs(apart).max() == 1


# Node tests and damaged models

SAMPLE = "clip conv gemm mod pad qlinearconv reducesum slice transpose".split()  # made at once


def test_a_sample_of_onnxs_node_tests() -> None:
    count, failed = judged(node_cases(SAMPLE))
    assert failed == {}
    assert count["equal"] >= 40


@pytest.mark.slow("runs 100 models")
def test_a_larger_sample_of_onnxs_node_tests() -> None:
    """All of them are run by tools/onnx_checks.py."""
    more = "batch_normalization convtranspose dequantizelinear expand gather groupnormalization hardswish"
    more += " instance_normalization matmul meanvariancenormalization pow quantizelinear"
    more += " reducemean reshape resize split squeeze unsqueeze where"
    count, failed = judged(node_cases(more.split()))
    assert failed == {}
    assert count["equal"] >= 100


def test_a_wrong_result_of_a_node_test_is_seen() -> None:
    """The tests above are as good as `outcome`."""
    m = model(helper.make_node("Neg", ["x"], ["y"]), {"x": [3]})
    x = np.float32([1, 2, 3])
    assert outcome(Case("neg", m, [x], [-x], 1e-3, 1e-7)) == "equal"
    assert outcome(Case("neg", m, [x], [x], 1e-3, 1e-7)) == "wrong"


def test_damaged_models_are_refused_or_load() -> None:
    """Any number of them is run by tools/onnx_checks.py."""
    reactions = Counter(reaction(data).partition(":")[0] for _, data in damaged(100, seed=3))
    assert set(reactions) <= {"Malformed", "Unsupported", "Violation", "loads", "large"}, reactions
    assert reactions["Malformed"] > 50


@pytest.mark.slow("reads many damaged models")
def test_other_damaged_models_are_refused_or_load() -> None:
    broken = [(name, said) for name, data in damaged(100, 4) if (said := reaction(data)).startswith("broken")]
    assert broken == []
