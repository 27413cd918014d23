"""`interp.load` of ONNX models: versions of operators, shapes, functions, files."""

# ruff: noqa: E402

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

from onnx import TensorProto, helper

import interp
from tests.library.onnx.onnx_cases import model

X = np.linspace(-2, 3, 24, dtype=np.float32).reshape(2, 3, 4)


def evaluated(m: Any, *arrays: Any) -> list[Any]:
    from onnx.reference import ReferenceEvaluator

    names = [info.name for info in m.graph.input]
    return ReferenceEvaluator(m).run(None, dict(zip(names, arrays, strict=True)))


AXES, SIZES, PADS = np.int64([1]), np.int64([0, -1]), np.int64([0, 1, 0, 1, 0, 2])
BACKWARDS = np.int64([[3], [-9], [2], [-2]])  # start, end, axis, step
VERSIONS = [
    (6, helper.make_node("Clip", ["x"], ["y"], min=-1.0, max=0.5), {}),
    (18, helper.make_node("Clip", ["x", "", "m"], ["y"]), {"m": np.float32(0.5)}),
    (11, helper.make_node("ReduceSum", ["x"], ["y"], axes=[-1], keepdims=0), {}),
    (18, helper.make_node("ReduceSum", ["x", "a"], ["y"]), {"a": AXES}),
    (18, helper.make_node("ReduceMax", ["x", "a"], ["y"]), {"a": AXES}),
    (13, helper.make_node("ReduceMean", ["x"], ["y"], axes=[0, 2]), {}),
    (13, helper.make_node("Softmax", ["x"], ["y"]), {}),
    (11, helper.make_node("Unsqueeze", ["x"], ["y"], axes=[0, -1]), {}),
    (13, helper.make_node("Unsqueeze", ["x", "a"], ["y"]), {"a": AXES}),
    (10, helper.make_node("Slice", ["x", *"abcd"], ["y"]), dict(zip("abcd", BACKWARDS, strict=True))),
    (11, helper.make_node("Pad", ["x", "p", "v"], ["y"]), {"p": PADS, "v": np.float32(7)}),
    (13, helper.make_node("Pad", ["x", "p"], ["y"], mode="reflect"), {"p": np.int64([0, 1, 0, 0, 0, 2])}),
    (18, helper.make_node("Reshape", ["x", "s"], ["y"]), {"s": SIZES}),
    (18, helper.make_node("Split", ["x"], ["y", "z"], axis=2, num_outputs=2), {}),
    (13, helper.make_node("Split", ["x", "s"], ["y", "z"], axis=2), {"s": np.int64([1, 3])}),
    (13, helper.make_node("Resize", ["x", "", "r"], ["y"], mode="nearest"), {"r": np.float32([1, 1, 2.5])}),
    (20, helper.make_node("Gelu", ["x"], ["y"]), {}),
    (14, helper.make_node("HardSwish", ["x"], ["y"]), {}),
    (18, helper.make_node("Elu", ["x"], ["y"]), {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("opset", "node", "weights"), VERSIONS, ids=[f"{n.op_type}{v}" for v, n, _ in VERSIONS]
)
def test_operators_of_several_versions(opset: int, node: Any, weights: Any) -> None:
    m = model(node, {"x": [2, 3, 4]}, weights, opset, " ".join(node.output))
    for mine, theirs in zip(interp.run(m, X), evaluated(m, X), strict=True):
        np.testing.assert_allclose(np.asarray(mine), theirs, rtol=1e-6, atol=1e-7)


def test_negative_pads_cut() -> None:
    weights = {"p": np.int64([0, 1, -1, 0, -2, 1]), "v": np.float32(7)}
    m = model(helper.make_node("Pad", ["x", "p", "v"], ["y"]), {"x": [2, 3, 4]}, weights)
    wanted = np.pad(X[:, :1, 1:], ((0, 0), (1, 0), (0, 1)), constant_values=7)
    assert np.asarray(interp.run(m, X)[0]).tolist() == wanted.tolist()


def test_a_bound_that_clip_lacks_is_the_largest_number() -> None:
    """Infinity exceeds it, in the standard's words and in onnxruntime."""
    x = np.float32([[[np.inf, -np.inf, 2, 0]] * 3] * 2)
    given = {"m": np.float32(0.5)}
    (y,) = interp.run(
        interp.load(model(helper.make_node("Clip", ["x", "m"], ["y"]), {"x": [2, 3, 4]}, given)), x
    )
    assert y.storage[0, 0].tolist() == [np.finfo(np.float32).max, 0.5, 2, 0.5]


def test_softmax_before_version_13_normalizes_all_dimensions_from_the_axis_on() -> None:
    m = model(helper.make_node("Softmax", ["x"], ["y"]), {"x": [2, 3, 4]}, opset=11)
    powers = np.exp(X.reshape(2, 12) - X.reshape(2, 12).max(1, keepdims=True))
    wanted = (powers / powers.sum(1, keepdims=True)).reshape(X.shape)
    np.testing.assert_allclose(np.asarray(interp.run(m, X)[0]), wanted, rtol=1e-6)


def flattening() -> Any:
    """Return a model that computes a shape as exporters do: Shape, Gather, Concat, Reshape."""
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]),
        helper.make_node("Gather", ["s", "zero"], ["n"]),
        helper.make_node("Unsqueeze", ["n", "axes"], ["m"]),
        helper.make_node("Concat", ["m", "rest"], ["shape"], axis=0),
        helper.make_node("Reshape", ["x", "shape"], ["y"]),
    ]
    weights = {"zero": np.int64(0), "axes": np.int64([0]), "rest": np.int64([-1])}
    return model(nodes, {"x": ["N", 3, "M"]}, weights)


def test_symbolic_sizes_come_from_arguments_or_from_dims() -> None:
    m = interp.load(flattening())
    assert m.is_dynamic
    assert np.asarray(interp.run(m, X)[0]).tolist() == X.reshape(2, 12).tolist()
    named = interp.load(flattening(), dims={"N": 5, "M": 2})
    assert repr(named.main.results[0]) == "tensor<5x6xf32>"
    assert [op.name for op in named.ops()] == ["stablehlo.reshape", "func.return"]
    with pytest.raises(interp.Malformed, match=r"no dimension is named 'K'\n  symbolic dimensions: M, N"):
        interp.load(flattening(), dims={"K": 5})


def test_one_name_is_one_size() -> None:
    m = interp.load(model(helper.make_node("Add", ["x", "z"], ["y"]), {"x": ["N", 2], "z": ["N", 2]}))
    with pytest.raises(interp.Malformed, match="dimension 'N' is 3 and 1"):
        interp.run(m, np.ones((3, 2), np.float32), np.ones((1, 2), np.float32))


def test_own_functions_are_inlined() -> None:
    double = helper.make_function(
        "mine",
        "Double",
        ["a"],
        ["b"],
        [helper.make_node("Add", ["a", "a"], ["b"])],
        [helper.make_opsetid("", 18)],
    )
    m = model(helper.make_node("Double", ["x"], ["y"], domain="mine"), {"x": [2, 3, 4]}, functions=[double])
    assert (np.asarray(interp.run(m, X)[0]) == 2 * X).all()


def test_unsupported_operators_are_named_all_at_once() -> None:
    nodes = [
        helper.make_node("RandomNormalLike", ["x"], ["a"], "first"),
        helper.make_node("RandomNormalLike", ["x"], ["b"], "second"),
    ]
    nodes.append(helper.make_node("Multinomial", ["x"], ["y"], "third"))
    wanted = """3 nodes of unsupported operators: Multinomial, RandomNormalLike
  1 Multinomial: 'third'
  2 RandomNormalLike: 'first', 'second'"""
    with pytest.raises(interp.Unsupported) as error:
        interp.load(model(nodes, {"x": [1, 4]}, output_type=TensorProto.INT32))
    assert str(error.value).endswith(wanted)


def test_a_size_that_numbers_decide_follows_from_arguments() -> None:
    nodes = [
        helper.make_node("Cast", ["x"], ["n"], to=TensorProto.INT64),
        helper.make_node("Expand", ["w", "n"], ["y"], "shaped"),
    ]
    m = interp.load(model(nodes, {"x": [1]}, {"w": np.float32(7)}))
    for size in (0, 3):
        assert interp.run(m, np.float32([size]))[0].tolist() == [7] * size
    says = r"sizes are unknown.*node 'shaped' \(Expand\): input 1 \('n'\) follows from the values of 'x'"
    with pytest.raises(interp.Unsupported, match=re.compile(says, re.DOTALL)):
        interp.trace(m)
    with pytest.raises(interp.Unsupported, match=r"sizes depend on numbers(.|\n)*interp.refine\(m, x\)"):
        interp.refine(m, "tensor<1xf32>")


def test_a_batch_of_minus_one_is_an_unknown_size() -> None:
    m = interp.load(model(helper.make_node("Neg", ["x"], ["y"]), {"x": [-1, 3]}))
    assert repr(m.main.inputs[0].type) == "tensor<?x3xf32>"
    assert interp.run(m, np.ones((2, 3), np.float32))[0].shape == (2, 3)


# Files


def test_weights_in_other_files(tmp_path: Path) -> None:
    m = model(helper.make_node("Add", ["x", "w"], ["y"]), {"x": [2, 3, 4]}, {"w": X})
    onnx.save(m, tmp_path / "m.onnx", save_as_external_data=True, location="w.bin", size_threshold=0)
    assert (np.asarray(interp.run(tmp_path / "m.onnx", X)[0]) == 2 * X).all()
    with pytest.raises(interp.Malformed, match=r"stands in another file, 'w.bin'"):
        interp.load((tmp_path / "m.onnx").read_bytes())
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "m.onnx").write_bytes(
        (tmp_path / "m.onnx").read_bytes().replace(b"w.bin", b"../wb")
    )
    (tmp_path / "wb").write_bytes((tmp_path / "w.bin").read_bytes())
    with pytest.raises(interp.Malformed, match="no file with the data of tensor 'w'"):
        interp.load(tmp_path / "below" / "m.onnx")


def test_the_command_takes_onnx(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", X)
    onnx.save(model(helper.make_node("Neg", ["x"], ["y"]), {"x": ["N", 3, 4]}), tmp_path / "m.onnx")
    command = [sys.executable, "-m", "interp", "run", str(tmp_path / "m.onnx"), str(tmp_path / "x.npy")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "tensor<2x3x4xf32>" in done.stdout


def test_dims_are_for_onnx() -> None:
    with pytest.raises(interp.Malformed, match="expected an ONNX or LiteRT model"):
        interp.load(b"module {}", dims={"N": 1})
