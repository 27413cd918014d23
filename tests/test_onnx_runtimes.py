"""Random elements of ONNX's quantization operators have the bits that onnxruntime gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp.onnx
from spec.onnx.node import ONNX_NAMES, SIGNATURES
from tests.library.onnx.onnx_products import unsigned

COUNT = 20_000
F32, F16, U8, I8 = np.float32, np.float16, np.uint8, np.int8
EDGES = (0.0, -0.0, 0.5, 1.5, 2.5, -0.5, 1e-45, 3e38, 1e10, -1e10, np.inf, -np.inf, np.nan)


@pytest.fixture(scope="module")
def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def by_runtime(operator: str, opset: int, *inputs: np.ndarray, **attributes: Any) -> list[np.ndarray]:
    """Return onnxruntime's outputs of one node."""
    pytest.importorskip("onnx", reason="onnx is not installed")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    model, given = model_of(operator, opset, inputs, attributes)
    session = runtime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return list(session.run(None, given))


def model_of(operator: str, opset: int, inputs: Any, attributes: Any) -> tuple[Any, dict[str, np.ndarray]]:
    import onnx
    from onnx import helper

    given = dict(zip(SIGNATURES[operator].inputs, inputs, strict=False))
    number = helper.np_dtype_to_tensor_dtype
    outputs = SIGNATURES[operator].outputs
    graph = helper.make_graph(
        [helper.make_node(operator, list(given), outputs, **attributes)],
        "g",
        [helper.make_tensor_value_info(n, number(x.dtype), x.shape) for n, x in given.items()],
        [helper.make_empty_tensor_value_info(name) for name in outputs],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    return onnx.shape_inference.infer_shapes(model), given


def numbers(rng: np.random.Generator) -> np.ndarray:
    """Return normally distributed numbers, quarters (of which half are ties of a power of two), and edges."""
    normal, quarters = rng.normal(0, 30, COUNT // 2), rng.integers(-1600, 1600, COUNT // 2) / 4
    return np.concatenate([normal, quarters, EDGES]).astype(F32)


@pytest.mark.parametrize("scale", [0.25, 0.0371])
@pytest.mark.parametrize(("type", "zero_point"), [("i8", 3), ("ui8", 127), ("i16", -77), ("ui16", 32769)])
def test_quantize_linear(rng: np.random.Generator, type: str, zero_point: int, scale: float) -> None:
    x, parameters = numbers(rng), (np.array(scale, F32), np.array(zero_point, ONNX_NAMES[type]))
    (expected,) = by_runtime("QuantizeLinear", 21, x, *parameters)
    y = interp.onnx.quantize_linear(x, *parameters)
    assert (np.asarray(y) == expected).all()
    back = by_runtime("DequantizeLinear", 21, expected, *parameters)
    assert (np.asarray(interp.onnx.dequantize_linear(y, *parameters)) == back[0]).all()


def test_f16_is_divided_in_f16_since_version_23(rng: np.random.Generator) -> None:
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    if tuple(map(int, runtime.__version__.split(".")[:2])) < (1, 32):
        pytest.skip("before 1.32 onnxruntime divided in f32")
    with np.errstate(over="ignore"):
        x = numbers(rng).astype(F16)
    parameters = np.array(0.0371, F16), np.array(3, I8)
    (expected,) = by_runtime("QuantizeLinear", 23, x, *parameters)
    assert (np.asarray(interp.onnx.quantize_linear(x, *parameters)) == expected).all()


def test_per_axis_and_blocked(rng: np.random.Generator) -> None:
    x = rng.normal(0, 30, (500, 10)).astype(F32)
    for shape, attributes in (((10,), {"axis": -1}), ((500, 4), {"axis": 1, "block_size": 3})):
        scale = (np.abs(rng.normal(0, 1, shape)) + 0.01).astype(F32)
        point = rng.integers(-128, 128, shape).astype(I8)
        (expected,) = by_runtime("QuantizeLinear", 21, x, scale, point, **attributes)
        assert (np.asarray(interp.onnx.quantize_linear(x, scale, point, **attributes)) == expected).all()


def test_dynamic_quantize_linear(rng: np.random.Generator) -> None:
    for _ in range(5):
        x = rng.normal(rng.normal(), 10 ** rng.uniform(-3, 3), 500).astype(F32)
        expected = by_runtime("DynamicQuantizeLinear", 11, x)
        results = interp.onnx.dynamic_quantize_linear(x)
        assert all((np.asarray(y) == e).all() for y, e in zip(results, expected, strict=True))


def test_products(rng: np.random.Generator) -> None:
    """A matrix product and a convolution, quantized, with padding and biases.

    The runtime gets the weights, which are i8, as `unsigned` ones: it sums these exactly on every processor.
    """
    a, b = rng.integers(0, 256, (100, 80)).astype(U8), rng.integers(-128, 128, (80, 100)).astype(I8)
    scale, point = (lambda x: np.array(x, F32)), (lambda x, dtype=U8: np.array(x, dtype))
    values, rest = (a, scale(0.013), point(117)), (scale(1.7), point(9))
    (expected,) = by_runtime("QLinearMatMul", 10, *values, unsigned(b), scale(0.02), point(128), *rest)
    y = interp.onnx.qlinear_matmul(*values, b, scale(0.02), point(0, I8), *rest)
    assert (np.asarray(y) == expected).all()
    x, w = rng.integers(0, 256, (1, 4, 20, 20)).astype(U8), rng.integers(-128, 128, (6, 4, 3, 3)).astype(I8)
    scales, bias = (
        (np.abs(rng.normal(0, 0.01, 6)) + 0.001).astype(F32),
        rng.integers(-999, 999, 6).astype(np.int32),
    )
    values, rest = (x, scale(0.013), point(117)), (scale(0.05), point(9), bias)
    points = np.zeros(6, I8)
    (expected,) = by_runtime(
        "QLinearConv", 10, *values, unsigned(w), scales, unsigned(points), *rest, pads=[1, 1, 1, 1]
    )
    y = interp.onnx.qlinear_conv(*values, w, scales, points, *rest, pads=[1, 1, 1, 1])
    assert (np.asarray(y) == expected).all()


def test_products_of_u8_by_i8_are_exact_or_saturate_in_pairs(rng: np.random.Generator) -> None:
    """The processor decides. Both sums are ours, one by the accumulator `maddubs`, and by NumPy.

    The convention `unsigned` of the tests above is needed where pairs saturate, and right in any case.
    """
    a, b = rng.integers(0, 256, (20, 80)).astype(U8), rng.integers(-128, 128, (80, 30)).astype(I8)
    products = a.astype(int)[:, :, None] * b.astype(int)
    pairs = np.clip(products[:, 0::2] + products[:, 1::2], -(2**15), 2**15 - 1)
    model = interp.load(model_of("MatMulInteger", 10, (a, b), {})[0])
    exact, saturated = (
        np.asarray(interp.run(model, a, b, accumulator=accumulator)[0]) for accumulator in (None, "maddubs")
    )
    assert (exact == products.sum(1)).all()
    assert (saturated == pairs.sum(1)).all()
    assert (exact != saturated).mean() > 0.2
    (theirs,) = by_runtime("MatMulInteger", 10, a, b)
    assert (theirs == exact).all() or (theirs == saturated).all()
    (moved,) = by_runtime("MatMulInteger", 10, a, unsigned(b), np.array(0, U8), np.array(128, U8))
    assert (moved == exact).all()
