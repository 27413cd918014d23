"""The constraints of each operator by its name, and `verify`, which returns what a node violates."""

from __future__ import annotations

from spec.errors import Violation
from spec.onnx.node import Node
from spec.rules.onnx import linear as linear_constraints
from spec.rules.onnx import products as product_constraints
from spec.rules.onnx.rows import Row, refusals, snake

CONSTRAINTS: dict[str, tuple[Row, ...]] = {
    "QuantizeLinear": linear_constraints.QUANTIZE_LINEAR,
    "DequantizeLinear": linear_constraints.DEQUANTIZE_LINEAR,
    "DynamicQuantizeLinear": linear_constraints.DYNAMIC_QUANTIZE_LINEAR,
    "MatMulInteger": product_constraints.MATMUL_INTEGER,
    "ConvInteger": product_constraints.CONV_INTEGER,
    "QLinearMatMul": product_constraints.QLINEAR_MATMUL,
    "QLinearConv": product_constraints.QLINEAR_CONV,
}


def verify(node: Node) -> list[Violation]:
    """Return the constraints of its version that a node violates, in order; a missing input comes first."""
    required = [name for name in node.signature.inputs if name not in node.signature.optional]
    if missing := [name for name in required if not node.has(name)]:
        code, given = f"onnx_{snake(node.operator)}_i0", ", ".join(node.inputs) or "none"
        fix = f"given inputs: {given}\ngive {', '.join(missing)}"
        return [Violation(code, f"inputs: {', '.join(required)}", fix, node.location)]
    return refusals(CONSTRAINTS[node.operator], node)
