"""Models whose declared shapes are absent, or contradict their operators: onnxruntime decides."""

# ruff: noqa: E402

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx import helper, shape_inference

import interp
from tests.library.onnx.onnx_single_nodes import Case, by_runtime, check, floats, model_of

IMAGE, KERNEL = floats(1, 2, 6), floats(2, 2, 3)
HANGING = {"kernel_shape": [1], "strides": [2], "ceil_mode": 1}
CONTRADICTED = [  # operators whose text gives a size that the inference of onnx does not
    Case("AveragePool", [floats(1, 2, 8)], HANGING | {"dilations": [1]}, opset=19),
    Case("LpPool", [IMAGE], HANGING | {"dilations": [2]}, opset=18),
    Case("ConvTranspose", [IMAGE, KERNEL], {"strides": [2], "output_shape": [10]}, opset=11),
]


def with_results(model: Any, *infos: Any) -> Any:
    del model.graph.output[:]
    model.graph.output.extend(infos)
    return model


@pytest.mark.parametrize("case", CONTRADICTED, ids=lambda case: case.operator)
def test_inferred_shapes_do_not_refuse_a_model(case: Case) -> None:
    model, arrays = model_of(case)
    model.graph.node.append(helper.make_node("Identity", ["y0"], ["z"]))
    model = with_results(model, helper.make_tensor_value_info("z", 1, None))
    (expected,) = by_runtime(model, arrays)
    for written in (model, shape_inference.infer_shapes(model)):
        (mine,) = interp.run(interp.load(written), *arrays.values())
        assert mine.shape == expected.shape
        np.testing.assert_allclose(np.asarray(mine), expected, rtol=1e-5, atol=1e-5)


def test_a_wrong_shape_of_an_output_decides_nothing_but_a_wrong_type_is_refused() -> None:
    model, arrays = model_of(Case("Neg", [IMAGE]))
    model = with_results(model, helper.make_tensor_value_info("y0", 1, (7,)))
    assert np.array_equal(by_runtime(model, arrays)[0], -IMAGE)
    assert np.array_equal(np.asarray(interp.run(interp.load(model), IMAGE)[0]), -IMAGE)
    with pytest.raises(interp.Malformed, match="Inferred elem type differs"):
        interp.load(with_results(model, helper.make_tensor_value_info("y0", 7, IMAGE.shape)))


def test_shapes_of_other_tensors_than_inputs_and_outputs_decide_nothing() -> None:
    model, arrays = model_of(Case("Neg", [IMAGE]))
    model.graph.node.append(helper.make_node("Neg", ["y0"], ["z"]))
    model.graph.value_info.append(helper.make_tensor_value_info("y0", 1, (3, 3)))
    model = with_results(model, helper.make_tensor_value_info("z", 1, None))
    assert np.array_equal(by_runtime(model, arrays)[0], IMAGE)
    assert np.array_equal(np.asarray(interp.run(interp.load(model), IMAGE)[0]), IMAGE)


@pytest.mark.parametrize("sizes", [(1, 2, 6), ("N", 2, "L")], ids=str)
def test_outputs_need_neither_shape_nor_type(sizes: Any) -> None:
    model, _ = model_of(Case("Neg", [IMAGE]))
    model.graph.input[0].CopyFrom(helper.make_tensor_value_info("x0", 1, sizes))
    m = interp.load(with_results(model, helper.make_empty_tensor_value_info("y0")))
    assert np.array_equal(np.asarray(interp.run(m, IMAGE)[0]), -IMAGE)


def test_an_input_without_a_shape_says_what_to_do() -> None:
    model, _ = model_of(Case("Neg", [IMAGE]))
    model.graph.input[0].CopyFrom(helper.make_tensor_value_info("x0", 1, None))
    with pytest.raises(
        interp.Unsupported, match="'x0' has no shape\n  declare one, with names for unknown sizes"
    ):
        interp.load(model)


@pytest.mark.parametrize("operator", ["MaxPool", "AveragePool", "LpPool"])
def test_a_last_window_hangs_over_without_padding(operator: str) -> None:
    """The text of `auto_pad` VALID gives a position less than onnxruntime and inference."""
    pool = {"kernel_shape": [3], "strides": [2], "ceil_mode": 1, "auto_pad": "VALID"}
    check(Case(operator, [IMAGE], pool, opset=22, judges="runtime"))
