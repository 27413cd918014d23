"""Trials of LiteRT's kernels: each returns a program of ours and the kernel's result for random arguments."""

from __future__ import annotations

import numpy as np

from kernels import litert
from kernels.litert import Operator, Slot
from kernels.trials import Draw, Quantized, Trial, matrix_product, program

FILTER = 3
STRIDES = {"padding": 1, "strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1}
CHANNELS = {"CONV_2D": (4, 8), "DEPTHWISE_CONV_2D": (4, 4)}


def slot(type: Quantized, shape: tuple[int, ...], data: np.ndarray | None = None) -> Slot:
    return Slot(type.dtype, shape, type.scales, [type.zero_point] * len(type.scales), type.axis, data)


def quantize(source: str, target: str, resolver: str, draw: Draw, n: int) -> Trial:
    """QUANTIZE of quantized numbers."""
    scale = draw.scale()
    coarser = (3, 7) if source == "int32" else (-1, 1)
    x = Quantized(source, (scale,), draw.zero_point(source))
    y = Quantized(target, (draw.times(scale, *coarser),), draw.zero_point(target))
    arg = draw.elements(source, (n,), x.zero_point)
    content = litert.model(Operator("QUANTIZE", "QuantizeOptions"), [slot(x, (n,))], slot(y, (n,)))
    text = program("uniform_quantize", [x.text((n,))], y.text((n,)))
    return Trial(text, [arg], litert.run(content, [arg], resolver))


def elementwise(name: str, dtype: str, resolver: str, draw: Draw, n: int) -> Trial:
    """ADD, SUB and MUL."""
    title, options = name.title(), {} if name == "MUL" else {"potScaleInt16": False}
    x, y = (Quantized(dtype, (draw.scale(),), draw.zero_point(dtype)) for _ in range(2))
    unit = x.scale * y.scale if name == "MUL" else max(x.scale, y.scale)
    coarser = {"MUL": (3, 5) if dtype == "int16" else (1, 3)}.get(name, (-0.5, 1))
    result = Quantized(dtype, (draw.times(unit, *coarser),), draw.zero_point(dtype))
    args = [draw.elements(dtype, (n,), type.zero_point) for type in (x, y)]
    operator = Operator(name, f"{title}Options", options, {"ADD": 4, "SUB": 5, "MUL": 2}[name])
    content = litert.model(operator, [slot(x, (n,)), slot(y, (n,))], slot(result, (n,)))
    ours = {"ADD": "add", "SUB": "subtract", "MUL": "multiply"}[name]
    text = program(ours, [x.text((n,)), y.text((n,))], result.text((n,)))
    return Trial(text, args, litert.run(content, args, resolver))


def absolute(dtype: str, resolver: str, draw: Draw, n: int) -> Trial:
    """ABS."""
    x = Quantized(dtype, (draw.scale(),), draw.zero_point(dtype))
    y = Quantized(dtype, (draw.times(x.scale, -0.5, 1),), draw.zero_point(dtype))
    arg = draw.elements(dtype, (n,), x.zero_point)
    content = litert.model(Operator("ABS", "AbsOptions"), [slot(x, (n,))], slot(y, (n,)))
    text = program("abs", [x.text((n,))], y.text((n,)))
    return Trial(text, [arg], litert.run(content, [arg], resolver))


def weights(dtype: str, channels: int, axis: int, per_channel: bool, draw: Draw) -> Quantized:
    """Draw the parameters of weights: of 8 bits, with zero point 0."""
    held = "uint8" if dtype == "uint8" else "int8"
    scales = tuple(draw.scale(-2, 0) for _ in range(channels if per_channel else 1))
    return Quantized(held, scales, 0, axis)


def numbers(type: Quantized, shape: tuple[int, ...], draw: Draw) -> np.ndarray:
    """Draw weights; signed ones are at least -127."""
    x = draw.elements(type.dtype, shape, type.zero_point)
    return np.maximum(x, -127) if type.dtype == "int8" else x


def result_of(x: Quantized, w: Quantized, draw: Draw) -> Quantized:
    """Draw the parameters of a contraction's result."""
    coarser = (3, 5) if x.dtype == "int16" else (1.5, 3)
    return Quantized(x.dtype, (draw.times(x.scale * max(w.scales), *coarser),), draw.zero_point(x.dtype))


def fully_connected(dtype: str, per_channel: bool, resolver: str, draw: Draw, n: int) -> Trial:
    """FULLY_CONNECTED without a bias."""
    depth, units = 32, 16
    rows = max(n // units, 1)
    x, w = (
        Quantized(dtype, (draw.scale(),), draw.zero_point(dtype)),
        weights(dtype, units, 0, per_channel, draw),
    )
    y = result_of(x, w, draw)
    args = [draw.elements(dtype, (rows, depth), x.zero_point), numbers(w, (units, depth), draw)]
    operator = Operator("FULLY_CONNECTED", "FullyConnectedOptions", {}, 5 if per_channel else 4)
    operands = [slot(x, (rows, depth)), slot(w, (units, depth), args[1]), None]
    theirs = litert.run(litert.model(operator, operands, slot(y, (rows, units))), args[:1], resolver)
    types = x.text((rows, depth)), w._replace(axis=1, dtype=dtype).text((depth, units))
    text = program("dot_general", types, y.text((rows, units)), matrix_product())
    return Trial(text, [args[0], np.ascontiguousarray(args[1].T).astype(dtype)], theirs)


def convolution(name: str, dtype: str, per_channel: bool, resolver: str, draw: Draw, n: int) -> Trial:
    """CONV_2D and DEPTHWISE_CONV_2D with a bias of zeros."""
    (inputs, outputs), deep = CHANNELS[name], name == "DEPTHWISE_CONV_2D"
    side = max(int((n / outputs) ** 0.5), 1)
    sizes = (1, side + FILTER - 1, side + FILTER - 1, inputs)
    window, shape = (FILTER, FILTER, 1 if deep else inputs, outputs), (1, side, side, outputs)
    x = Quantized(dtype, (draw.scale(),), draw.zero_point(dtype))
    w = weights(dtype, outputs, 3, per_channel, draw)
    y = result_of(x, w, draw)
    args = [draw.elements(dtype, sizes, x.zero_point), numbers(w, window, draw)]
    kernel = args[1].reshape(1, FILTER, FILTER, outputs) if deep else args[1].transpose(3, 0, 1, 2)
    held = slot(w._replace(axis=3 if deep else 0), kernel.shape, kernel)
    operands = [slot(x, sizes), held, bias(x, w, outputs)]
    title, more = ("DepthwiseConv2DOptions", {"depthMultiplier": 1}) if deep else ("Conv2DOptions", {})
    content = litert.model(Operator(name, title, {**STRIDES, **more}, 3), operands, slot(y, shape))
    types = x.text(sizes), w._replace(dtype=dtype).text(window)  # StableHLO wants one storage type
    text = program("convolution", types, y.text(shape), layout(inputs if deep else 1))
    return Trial(text, [args[0], args[1].astype(dtype)], litert.run(content, args[:1], resolver))


def bias(x: Quantized, w: Quantized, channels: int) -> Slot:
    """Return a bias of zeros, which has 64 bits where x has 16."""
    scales = tuple(float(np.float32(x.scale * scale)) for scale in w.scales)
    held = "int64" if x.dtype == "int16" else "int32"
    return Slot(held, (channels,), scales, [0] * len(scales), 0, np.zeros(channels, held))


def layout(groups: int) -> str:
    """Return the attributes of a convolution of NHWC with HWIO."""
    return (
        "{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, "
        f"batch_group_count = 1 : i64, feature_group_count = {groups} : i64}} "
    )


def reduced(name: str, dtype: str, resolver: str, draw: Draw, n: int) -> Trial:
    """SUM and MEAN of 64 numbers: a reduction in i32, then a requantization.

    The stored integers of a sum, in units of the scale divided by 64, are the mean.
    """
    leaves = 64
    x = Quantized(dtype, (draw.scale(),), draw.zero_point(dtype))
    y = Quantized(dtype, (draw.times(x.scale, -0.3, 2 if name == "SUM" else 1),), draw.zero_point(dtype))
    arg = draw.elements(dtype, (n, leaves), x.zero_point)
    axes = Slot("int32", [1], data=np.array([1], np.int32))
    operator = Operator(name, "ReducerOptions", {"keepDims": False}, 2)
    content = litert.model(operator, [slot(x, arg.shape), axes], slot(y, (n,)))
    unit = x.scale if name == "SUM" else float(np.float32(x.scale / leaves))
    return Trial(summing(x, y, unit, arg.shape), [arg], litert.run(content, [arg], resolver))


def summing(x: Quantized, y: Quantized, unit: float, shape: tuple[int, ...]) -> str:
    """Return a program that sums rows in i32, reads the sums in another unit, and requantizes."""
    (rows, _), wide = shape, Quantized("int32", x.scales)
    own, zero, sums = x.text(shape), wide.text(()), wide.text((rows,))
    named = wide._replace(scales=(unit,)).text((rows,))
    return f"""func.func @main(%x: {own}) -> {y.text((rows,))} {{
  %zero = stablehlo.constant() {{value = dense<0> : tensor<i32>}} : () -> {zero}
  %sum = "stablehlo.reduce"(%x, %zero) ({{
    ^bb0(%a: {zero}, %b: {zero}):
      %c = stablehlo.add %a, %b : {zero}
      stablehlo.return %c : {zero}
  }}) {{dimensions = array<i64: 1>}} : ({own}, {zero}) -> {sums}
  %named = stablehlo.bitcast_convert %sum : ({sums}) -> {named}
  %0 = stablehlo.uniform_quantize %named : ({named}) -> {y.text((rows,))}
  return %0 : {y.text((rows,))}
}}"""
