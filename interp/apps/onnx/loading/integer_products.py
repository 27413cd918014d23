"""Products of integer matrices that become floats: MatMulIntegerToFloat, DynamicQuantizeMatMul."""

from __future__ import annotations

from interp.apps.onnx.loading import quantized_operators as operators
from interp.apps.onnx.loading.build import F32, I32
from interp.apps.onnx.loading.node import Build, Node
from spec.ir import Value


def scaled_product(
    n: Node, a: Value, b: Value, scales: tuple[Value, Value], points: tuple[Value | None, ...]
) -> Value:
    """Return the sums of products of integers less their zero points, times the product of the scales.

    Sums have 32 bits. A vector of scales or zero points has one number for each column of b.
    """
    left, right = operators.matrices(a, b)
    lhs = operators.center(n.b, a, left, points[0])
    total = operators.product(n.b, lhs, operators.center(n.b, b, right, points[1]), I32)
    unit = n.b.binary("multiply", *(_scalar_or_vector(n, x) for x in scales))
    real = n.b.binary("multiply", n.b.convert(total, F32), unit)
    return n.b.reshape(real, operators.result_shape(a, b))


def _scalar_or_vector(n: Node, x: Value) -> Value:
    return n.b.reshape(x, ()) if x.type.size == 1 else x


def matmul_integer_to_float(n: Node) -> Value:
    """Return (A - a_zero_point) (B - b_zero_point) * (a_scale * b_scale) + bias."""
    points = tuple(_scalar_or_vector(n, n.value(k)) if n.has(k) else None for k in (4, 5))
    out = scaled_product(n, n.value(0), n.value(1), (n.value(2), n.value(3)), points)
    return n.b.binary("add", out, n.value(6)) if n.has(6) else out


def dynamic_quantize_matmul(n: Node) -> Value:
    """Return the product of A, quantized by its range as DynamicQuantizeLinear does it, and B; plus bias."""
    a, scale, point = operators.quantize_by_range(n.b, n.value(0))
    points = point, _scalar_or_vector(n, n.value(3)) if n.has(3) else None
    out = scaled_product(n, a, n.value(1), (scale, n.value(2)), points)
    return n.b.binary("add", out, n.value(4)) if n.has(4) else out


MICROSOFT: dict[str, Build] = {
    "DynamicQuantizeMatMul": dynamic_quantize_matmul,
    "MatMulIntegerToFloat": matmul_integer_to_float,
}
