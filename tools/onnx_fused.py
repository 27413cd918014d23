"""Makes the models of testdata/onnx_fused with onnxruntime's transformer optimizer and weight quantizer.

    python tools/onnx_fused.py

Needs onnx, onnxruntime, sympy and onnx_ir. The float model is an encoder of two layers as exporters write it,
in opset 16, whose layer norms and Gelu are several operators; its weights are drawn from a fixed seed.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnx_models
from onnx import TensorProto
from onnx_models import Graph
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer
from onnxruntime.transformers.optimizer import optimize_model

PLACE = Path(__file__).resolve().parent.parent / "testdata" / "onnx_fused"
TOKENS, WIDTH, HEADS = 6, 16, 2


class Encoder(Graph):
    """A graph with the parts of an encoder."""

    def numbers(self, *shape: int) -> str:
        return self.constant(self.random.normal(0, shape[0] ** -0.5, shape).astype(np.float32))

    def scalar(self, number: float) -> str:
        return self.constant(np.float32(number))

    def linear(self, x: str, inputs: int, outputs: int) -> str:
        return self("Add", self("MatMul", x, self.numbers(inputs, outputs)), self.numbers(outputs))

    def norm(self, x: str) -> str:
        centred = self("Sub", x, self("ReduceMean", x, axes=[-1]))
        variance = self("ReduceMean", self("Pow", centred, self.scalar(2)), axes=[-1])
        deviation = self("Sqrt", self("Add", variance, self.scalar(1e-5)))
        scaled = self("Mul", self("Div", centred, deviation), self.numbers(WIDTH))
        return self("Add", scaled, self.numbers(WIDTH))

    def heads(self, x: str, order: list[int]) -> str:
        shape = self.constant(np.int64([0, 0, HEADS, WIDTH // HEADS]))
        return self("Transpose", self("Reshape", self.linear(x, WIDTH, WIDTH), shape), perm=order)

    def attention(self, x: str) -> str:
        q, k, v = (self.heads(x, order) for order in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]))
        scores = self("Div", self("MatMul", q, k), self.scalar((WIDTH / HEADS) ** 0.5))
        mixed = self("MatMul", self("Softmax", scores, axis=-1), v)
        shape = self.constant(np.int64([0, 0, WIDTH]))
        return self.linear(self("Reshape", self("Transpose", mixed, perm=[0, 2, 1, 3]), shape), WIDTH, WIDTH)

    def gelu(self, x: str) -> str:
        wave = self("Add", self("Erf", self("Div", x, self.scalar(2**0.5))), self.scalar(1))
        return self("Mul", self("Mul", x, wave), self.scalar(0.5))


def encoder() -> Any:
    """Return two layers of attention and a perceptron, each after a sum that is normalized."""
    g = Encoder(4)
    x = g.norm("x")
    for _ in range(2):
        x = g.norm(g("Add", g.attention(x), x))
        hidden = g.linear(g.gelu(g.linear(x, WIDTH, 2 * WIDTH)), 2 * WIDTH, WIDTH)
        x = g.norm(g("Add", hidden, x))
    return g.model("encoder", [2, TOKENS, WIDTH], g("Add", x, g.numbers(WIDTH)), [2, TOKENS, WIDTH])


def main() -> None:
    PLACE.mkdir(exist_ok=True)
    onnx_models.OPSET = 16
    model = encoder()
    with tempfile.TemporaryDirectory() as folder:
        source = str(Path(folder) / "float.onnx")
        onnx.save(model, source)
        fused = optimize_model(source, model_type="bert", num_heads=HEADS, hidden_size=WIDTH, opt_level=0)
        fused.save_model_to_file(str(PLACE / "encoder.onnx"))
    options = {"DefaultTensorType": TensorProto.FLOAT}
    dynamic = PLACE / "encoder_dynamic.onnx"
    quantize_dynamic(PLACE / "encoder.onnx", dynamic, weight_type=QuantType.QUInt8, extra_options=options)
    for bits in (4, 8):
        quantizer = MatMulNBitsQuantizer(onnx.load(PLACE / "encoder.onnx"), bits, 16, is_symmetric=bits == 8)
        quantizer.process()
        onnx.save(quantizer.model.model, PLACE / f"encoder_{bits}_bits.onnx")
    for file in sorted(PLACE.glob("*.onnx")):
        ops = sorted({f"{n.domain}.{n.op_type}".lstrip(".") for n in onnx.load(file).graph.node})
        print(f"{file.name}: {file.stat().st_size} bytes: {', '.join(ops)}")


if __name__ == "__main__":
    main()
