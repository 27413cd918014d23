"""Makes the quantized models of testdata/onnx with onnxruntime's own quantizer, from fixed seeds.

    python tools/onnx_models.py

Needs onnx and onnxruntime. Each float model is built with onnx.helper and calibrated on random images or
tokens; what onnxruntime computes with the result is not kept: the tests ask it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

PLACE = Path(__file__).resolve().parent.parent / "testdata" / "onnx"
OPSET = 21  # whose QuantizeLinear has 16-bit types


class Graph:
    """A float graph while it is built: nodes, and weights from one generator."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def weight(self, *shape: int, scale: float = 1.0) -> str:
        fan_in = int(np.prod(shape[1:])) or 1
        return self.constant(self.random.normal(0, scale / fan_in**0.5, shape).astype(np.float32))

    def constant(self, array: np.ndarray) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def __call__(self, op: str, *inputs: str, **attributes: Any) -> str:
        name = f"{op.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(op, list(inputs), [f"{name}_out"], name, **attributes))
        return f"{name}_out"

    def model(self, name: str, input_shape: Sequence[Any], out: str, out_shape: Sequence[Any]) -> Any:
        self.nodes[-1].output[0] = "y"
        assert out == f"{self.nodes[-1].name}_out"
        x, y = (
            helper.make_tensor_value_info(each, TensorProto.FLOAT, shape)
            for each, shape in (("x", input_shape), ("y", out_shape))
        )
        graph = helper.make_graph(self.nodes, name, [x], [y], self.weights)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10)


def convolutional() -> Any:
    """Return convolutions, a depthwise one, max pooling, and a dense layer; the batch has no fixed size."""
    g = Graph(1)
    x = g("Relu", g("Conv", "x", g.weight(8, 3, 3, 3), g.weight(8), pads=[1] * 4, kernel_shape=[3, 3]))
    x = g("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = g("Conv", x, g.weight(8, 1, 3, 3), g.weight(8), pads=[1] * 4, group=8, kernel_shape=[3, 3])
    x = g("Clip", x, g.constant(np.float32(0)), g.constant(np.float32(6)))
    x = g("Conv", x, g.weight(12, 8, 1, 1), g.weight(12), strides=[2, 2], kernel_shape=[1, 1])
    x = g("GlobalAveragePool", g("LeakyRelu", x, alpha=0.1))
    x = g("Gemm", g("Flatten", x), g.weight(10, 12), g.weight(10), transB=1)
    return g.model("convolutional", ["N", 3, 12, 12], x, ["N", 10])


def residual() -> Any:
    """Return two residual blocks with padded average pools, and a mean over the image."""
    g = Graph(2)
    x = g("Relu", g("Conv", "x", g.weight(6, 3, 3, 3), g.weight(6), pads=[1] * 4))
    for count_include_pad in (0, 1):
        inner = g("Relu", g("Conv", x, g.weight(6, 6, 3, 3), g.weight(6), pads=[1] * 4))
        inner = g("Conv", inner, g.weight(6, 6, 3, 3), g.weight(6), pads=[1] * 4)
        x = g("Relu", g("Add", x, inner))
        pool = {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1] * 4}
        x = g("AveragePool", x, **pool, count_include_pad=count_include_pad)
    x = g("ReduceMean", x, g.constant(np.int64([2, 3])), keepdims=0)
    x = g("MatMul", x, g.weight(6, 5))
    return g.model("residual", [1, 3, 14, 14], x, [1, 5])


def transformer(tokens: int = 6, width: int = 16, heads: int = 2) -> Any:
    """Return one block: attention with two heads, layer normalizations, a perceptron with Gelu."""
    g = Graph(3)

    def normalized(x: str) -> str:
        scale, bias = (g.constant(np.full(width, v, np.float32)) for v in (1.0, 0.1))
        return g("LayerNormalization", x, scale, bias, axis=-1)

    def split(x: str, order: Sequence[int]) -> str:
        x = g("Reshape", x, g.constant(np.int64([1, tokens, heads, width // heads])))
        return g("Transpose", x, perm=list(order))

    n = normalized("x")
    q, k, v = (g("Add", g("MatMul", n, g.weight(width, width)), g.weight(width)) for _ in range(3))
    scores = g("MatMul", split(q, (0, 2, 1, 3)), split(k, (0, 2, 3, 1)))
    scores = g("Softmax", g("Div", scores, g.constant(np.float32((width / heads) ** 0.5))), axis=-1)
    mixed = g("Transpose", g("MatMul", scores, split(v, (0, 2, 1, 3))), perm=[0, 2, 1, 3])
    mixed = g("Reshape", mixed, g.constant(np.int64([1, tokens, width])))
    x = g("Add", "x", g("MatMul", mixed, g.weight(width, width)))
    hidden = g("Gelu", g("MatMul", normalized(x), g.weight(width, 2 * width)))
    x = g("Add", x, g("MatMul", hidden, g.weight(2 * width, width)))
    return g.model("transformer", [1, tokens, width], x, [1, tokens, width])


class Samples(CalibrationDataReader):
    """Random inputs of a model, for calibration."""

    def __init__(self, shape: Sequence[int], count: int = 8) -> None:
        random = np.random.default_rng(5)
        self.left = iter([{"x": random.normal(0, 1, shape).astype(np.float32)} for _ in range(count)])

    def get_next(self) -> Any:
        return next(self.left, None)


def cases() -> Iterator[tuple[str, Any, Sequence[int], QuantFormat, QuantType, QuantType, bool]]:
    """Yield the name of each file, its float model, shape, format, and types of activations and weights."""
    i8, u8, i16 = QuantType.QInt8, QuantType.QUInt8, QuantType.QInt16
    qdq, operator = QuantFormat.QDQ, QuantFormat.QOperator
    conv, res, block = convolutional(), residual(), transformer()
    image, large, tokens = (2, 3, 12, 12), (1, 3, 14, 14), (1, 6, 16)
    yield "convolutional_qdq_u8", conv, image, qdq, u8, i8, True
    yield "convolutional_qdq_i16", conv, image, qdq, i16, i8, False
    yield "convolutional_qoperator_u8", conv, image, operator, u8, i8, True
    yield "residual_qdq_i8", res, large, qdq, i8, i8, False
    yield "residual_qoperator_u8", res, large, operator, u8, u8, False
    yield "residual_qoperator_i8", res, large, operator, i8, i8, False
    yield "transformer_qdq_i8", block, tokens, qdq, i8, i8, True
    yield "transformer_qdq_i16", block, tokens, qdq, i16, i8, False
    yield "transformer_qoperator_u8", block, tokens, operator, u8, i8, False


def main() -> None:
    PLACE.mkdir(exist_ok=True)
    for name, model, shape, form, activations, weights, per_channel in cases():
        onnx.checker.check_model(model, full_check=True)
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "float.onnx"
            onnx.save(model, source)
            file = PLACE / f"{name}.onnx"
            options = {"per_channel": per_channel, "activation_type": activations, "weight_type": weights}
            quantize_static(source, file, Samples(shape), quant_format=form, **options)
        ops = sorted({f"{n.domain}.{n.op_type}".lstrip(".") for n in onnx.load(file).graph.node})
        print(f"{name}: {file.stat().st_size} bytes: {', '.join(ops)}")


if __name__ == "__main__":
    main()
