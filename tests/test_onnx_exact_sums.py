"""Quantized contractions stand for integer operators of ONNX only where their sums are proven exact."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp
import interp.onnx
from interp.apps.onnx.loading.integer_operators import adds_exactly, contracts_exactly, reach, sums_exactly
from spec.ir import Op, Value
from spec.types import ELEMENT_TYPES, TensorType, make_quantized
from tests.library.builders import module

F32, I8, U8 = np.float32, np.int8, np.uint8
LEFT, RIGHT = (
    make_quantized("i8", "f32", float(F32(0.013)), -11),
    make_quantized("i8", "f32", float(F32(0.021))),
)


def product(a: np.ndarray, b: np.ndarray, schedule: str) -> np.ndarray:
    """Return the stored sums of a quantized product in a schedule."""
    scale = float(F32(F32(LEFT.scale) * F32(RIGHT.scale)))
    out = TensorType((a.shape[0], b.shape[1]), make_quantized("i32", "f32", scale))
    operands = Value("%a", TensorType(a.shape, LEFT)), Value("%b", TensorType(b.shape, RIGHT))
    dimensions = {
        "lhs_batching_dimensions": (),
        "rhs_batching_dimensions": (),
        "lhs_contracting_dimensions": (1,),
        "rhs_contracting_dimensions": (0,),
        "precision_config": ("DEFAULT", "DEFAULT"),
    }
    op = Op("stablehlo.dot_general", operands, (Value("%y", out),), dimensions)
    return np.asarray(interp.run(module(op), a, b, schedule=schedule)[0]).astype(np.int64)


def largest_weights(count: int) -> np.ndarray:
    """Return as many weights whose magnitudes sum up to the most that the theorem takes."""
    most = next(
        m for m in range(127 * count, 0, -1) if sums_exactly(count, m * reach(LEFT), (LEFT.scale, 0.02))
    )
    each = np.full(count, most // count, np.int64)
    each[: most - each.sum()] += 1
    return each * np.where(np.arange(count) % 3 == 0, -1, 1)


@pytest.mark.parametrize("count", [1, 27, 144])
@pytest.mark.parametrize("schedule", ["left", "balanced", "random(7)"])
def test_sums_are_exact_up_to_the_edge(count: int, schedule: str) -> None:
    column = largest_weights(count).clip(-127, 127)
    b = np.stack([column, -column, np.roll(column, 1)], axis=1).astype(I8)
    rng = np.random.default_rng(count)
    a = np.concatenate([rng.integers(-128, 128, (40, count)), np.full((1, count), 127)]).astype(I8)
    assert contracts_exactly(LEFT, RIGHT, b, 1)
    assert (product(a, b, schedule) == (a.astype(np.int64) + 11) @ b.astype(np.int64)).all()


def test_beyond_the_edge_sums_are_not_exact() -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-127, 128, shape).astype(I8) for shape in ((16, 4608), (4608, 16)))
    assert not contracts_exactly(LEFT, RIGHT, b, 1)
    assert (product(a, b, "left") != (a.astype(np.int64) + 11) @ b.astype(np.int64)).any()


def test_a_vector_of_weights_is_summed_whole() -> None:
    long, short = np.full(3000, 100, I8), np.full(3, 100, I8)
    assert not contracts_exactly(LEFT, RIGHT, long, -1)
    assert contracts_exactly(LEFT, RIGHT, short, -1)


def test_scales_that_are_too_small_or_too_large() -> None:
    assert not sums_exactly(1, 1, (1e-20, 1e-20))
    assert not sums_exactly(2, 4, (1e19, 1e19))
    assert not adds_exactly(make_quantized("i8", "f32", 1e33), 10)


def test_additions_are_exact_up_to_2_to_the_20() -> None:
    type = make_quantized("ui8", "f32", float(F32(0.37)), 0)
    assert adds_exactly(type, 4112)
    assert not adds_exactly(type, 4113)


@pytest.mark.parametrize(("count", "storage"), [(16, "!quant"), (4608, "i32")])
def test_a_loaded_product_has_the_bits_of_the_function(count: int, storage: str) -> None:
    """Weights of which one half cancels the other: a float sum is off by some units of 4,608 large terms."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed")
    rng = np.random.default_rng(0)
    half = rng.integers(128, 255, (64, count // 2))
    a = np.concatenate([half, half + rng.integers(0, 2, half.shape)], axis=1).astype(U8)
    weights = rng.integers(1, 127, (count // 2, 64)) // (1 if count > 99 else 16) + 1
    b = np.concatenate([weights, -weights]).clip(-127, 127).astype(I8)
    mean = abs(((a.astype(int) - 117) @ b.astype(int)).mean())
    parameters = {
        "a_scale": F32(0.013),
        "a_zero_point": U8(117),
        "b": b,
        "b_scale": F32(0.021),
        "b_zero_point": I8(0),
        "y_scale": F32(0.013 * 0.021 * mean / 90),
        "y_zero_point": U8(200),
    }
    loaded = interp.load(model(onnx, a, parameters))
    (contraction,) = [op for op in loaded.ops() if op.name == "stablehlo.dot_general"]
    assert repr(contraction.result.type.element_type).startswith(storage)
    (result,) = interp.run(loaded, a)
    arrays = [np.asarray(x) for x in parameters.values()]
    assert result.storage.tobytes() == interp.onnx.qlinear_matmul(a, *arrays).storage.tobytes()
    assert result.type.element_type == ELEMENT_TYPES["ui8"]


def model(onnx: Any, a: np.ndarray, parameters: dict[str, Any]) -> Any:
    """Return a model of one QLinearMatMul with known parameters."""
    from onnx import TensorProto, helper, numpy_helper

    shape = (a.shape[0], parameters["b"].shape[1])
    graph = helper.make_graph(
        [helper.make_node("QLinearMatMul", ["a", *parameters], ["y"])],
        "g",
        [helper.make_tensor_value_info("a", TensorProto.UINT8, a.shape)],
        [helper.make_tensor_value_info("y", TensorProto.UINT8, shape)],
        [numpy_helper.from_array(np.asarray(x), name) for name, x in parameters.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 10)], ir_version=8)
