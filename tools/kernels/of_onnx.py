"""Trials of ONNX Runtime's kernels: QOperators, and float operators between QDQ pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from kernels import ort
from kernels.trials import Draw, Kernel, Quantized, Trial, matrix_product, program
from spec.recipes import ONNX, ONNXRUNTIME

NAMES = {
    "Add": "add",
    "Sub": "subtract",
    "Mul": "multiply",
    "Max": "maximum",
    "Min": "minimum",
    "Neg": "negate",
    "Abs": "abs",
}


def parameters(label: str, type: Quantized) -> dict[str, np.ndarray]:
    """Return the scale and zero point of a tensor as constants."""
    scale = np.float32(type.scale if len(type.scales) == 1 else type.scales)
    zero_points = np.full(np.shape(scale), type.zero_point, type.dtype)
    return {f"{label}_scale": np.asarray(scale), f"{label}_zero_point": zero_points}


def all_parameters(types: Mapping[str, Quantized]) -> dict[str, np.ndarray]:
    return {name: x for label, type in types.items() for name, x in parameters(label, type).items()}


def operands(*labels: str) -> list[str]:
    return [f"{label}{part}" for label in labels for part in ("", "_scale", "_zero_point")]


def simulated(name: str, dtype: str, draw: Draw, n: int) -> Trial:
    """An operator in f32 between DequantizeLinear and QuantizeLinear; without a name, nothing between."""
    count = 1 if name in ("Neg", "Abs", "") else 2
    sources = [Quantized(dtype, (draw.scale(),), draw.zero_point(dtype)) for _ in range(count)]
    unit = sources[0].scale * sources[1].scale if name == "Mul" else max(type.scale for type in sources)
    z = Quantized(
        dtype, (draw.times(unit, *((1, 4) if name == "Mul" else (-0.5, 1))),), draw.zero_point(dtype)
    )
    types = dict(zip("xy", sources, strict=False))
    args = {label: draw.elements(dtype, (n,), type.zero_point) for label, type in types.items()}
    nodes: list[ort.Node] = [("DequantizeLinear", operands(label), f"real_{label}", {}) for label in types]
    reals = [f"real_{label}" for label in types]
    nodes += [(name, reals, "real", {})] if name else []
    last = ["real" if name else reals[0], "z_scale", "z_zero_point"]
    theirs = ort.run([*nodes, ("QuantizeLinear", last, "z", {})], args, all_parameters({**types, "z": z}))
    ours = NAMES.get(name, "uniform_quantize")
    text = program(ours, [type.text((n,)) for type in sources], z.text((n,)))
    return Trial(text, list(args.values()), theirs)


def addition(dtype: str, draw: Draw, n: int) -> Trial:
    """QLinearAdd, which another kernel computes on CPUs other than x86 with AVX2."""
    x, y = (Quantized(dtype, (draw.scale(),), draw.zero_point(dtype)) for _ in range(2))
    z = Quantized(dtype, (draw.times(max(x.scale, y.scale), -0.5, 1),), draw.zero_point(dtype))
    args = [draw.elements(dtype, (n,), type.zero_point) for type in (x, y)]
    inputs = [*operands("x", "y"), "z_scale", "z_zero_point"]
    nodes = [("QLinearAdd", inputs, "z", {"domain": "com.microsoft"})]
    theirs = ort.run(nodes, dict(zip("xy", args, strict=True)), all_parameters({"x": x, "y": y, "z": z}))
    return Trial(program("add", [x.text((n,)), y.text((n,))], z.text((n,))), args, theirs)


def matmul(dtype: str, draw: Draw, n: int) -> Trial:
    """QLinearMatMul."""
    depth, units = 32, 16
    rows = max(n // units, 1)
    x, w = Quantized(dtype, (draw.scale(),), draw.zero_point(dtype)), Quantized(dtype, (draw.scale(-2, 0),))
    y = Quantized(dtype, (draw.times(x.scale * w.scale, 1.5, 3),), draw.zero_point(dtype))
    args = [draw.elements(dtype, (rows, depth), x.zero_point), draw.elements(dtype, (depth, units))]
    nodes = [("QLinearMatMul", [*operands("x", "w"), "y_scale", "y_zero_point"], "y", {})]
    theirs = ort.run(nodes, dict(zip("xw", args, strict=True)), all_parameters({"x": x, "w": w, "y": y}))
    types = [x.text((rows, depth)), w.text((depth, units))]
    return Trial(program("dot_general", types, y.text((rows, units)), matrix_product()), args, theirs)


def convolution(dtype: str, per_channel: bool, draw: Draw, n: int) -> Trial:
    """QLinearConv, whose layout is NCHW with OIHW."""
    inputs, outputs, filter_size = 4, 8, 3
    side = max(int((n / outputs) ** 0.5), 1)
    x = Quantized(dtype, (draw.scale(),), draw.zero_point(dtype))
    w = Quantized("int8", tuple(draw.scale(-2, 0) for _ in range(outputs if per_channel else 1)))
    y = Quantized(dtype, (draw.times(x.scale * max(w.scales), 1.5, 3),), draw.zero_point(dtype))
    shapes: Sequence[tuple[int, ...]] = [
        (1, inputs, side + filter_size - 1, side + filter_size - 1),
        (outputs, inputs, filter_size, filter_size),
        (1, outputs, side, side),
    ]
    args = [draw.elements(dtype, shapes[0], x.zero_point), draw.elements("int8", shapes[1])]
    nodes = [("QLinearConv", [*operands("x"), *operands("w"), "y_scale", "y_zero_point"], "y", {})]
    constants = {**all_parameters({"x": x, "w": w, "y": y}), "w": args[1]}
    theirs = ort.run(nodes, {"x": args[0]}, constants)
    layout = (
        "{dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, "
        "batch_group_count = 1 : i64, feature_group_count = 1 : i64} "
    )
    types = [x.text(shapes[0]), w.text(shapes[1])]
    return Trial(program("convolution", types, y.text(shapes[2]), layout), args, theirs)


def kernels() -> list[Kernel]:
    """Return the kernels to compare."""
    rows = [
        Kernel(f"{name or 'requantization'} {dtype}, QDQ", ONNX, partial(simulated, name, dtype))
        for dtype in ("int8", "uint8", "int16")
        for name in (*NAMES, "")
    ]
    rows += [Kernel(f"QLinearMatMul {dtype}", ONNX, partial(matmul, dtype)) for dtype in ("int8", "uint8")]
    rows += [
        Kernel(f"QLinearAdd {dtype}", ONNXRUNTIME, partial(addition, dtype)) for dtype in ("int8", "uint8")
    ]
    rows.append(Kernel("QLinearConv int8", ONNX, partial(convolution, "int8", False)))
    return [*rows, Kernel("QLinearConv int8 per channel", ONNX, partial(convolution, "int8", True))]
