"""Operators that normalize: Softmax, BatchNormalization, LayerNormalization; and Dropout, the identity."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from interp.apps.onnx.loading.node import Build, Node, Result
from interp.apps.onnx.loading.reductions import mean_along
from interp.loading.build import F32, Builder, Folds
from interp.loading.folding import fold
from spec.ir import Value


def along(b: Builder, x: Value, like: Value, dimensions: Sequence[int]) -> Value:
    """Return a reduction's result repeated along the dimensions that it folded."""
    return b.place(x, like.type.shape, [d for d in range(like.type.rank) if d not in dimensions])


def softmax(is_log: bool, n: Node) -> Value:
    """Return exp(x) / sum(exp(x)) along an axis, or its log; before version 13, along all axes from there."""
    x = n.value(0)
    axis = n.axis(-1 if n.version >= 13 else 1, x.type.rank)
    return soften(n.b, x, [axis] if n.version >= 13 else list(range(axis, x.type.rank)), is_log)


def soften(b: Folds, x: Value, dimensions: Sequence[int], is_log: bool = False) -> Value:
    """Return exp(x) / sum(exp(x)) along dimensions, or its log, shifted so that nothing overflows."""
    largest = fold(b, x, "maximum", dimensions)
    shifted = b.binary("subtract", x, along(b, largest, x, dimensions))
    powers = b.unary("exponential", shifted)
    total = fold(b, powers, "add", dimensions)
    if is_log:
        return b.binary("subtract", shifted, along(b, b.unary("log", total), x, dimensions))
    return b.binary("divide", powers, along(b, total, x, dimensions))


def batch_normalization(n: Node) -> Value | Sequence[Value]:
    x = n.value(0)
    scale, offset, mean, variance = (n.value(k) for k in range(1, 5))
    if x.type.rank < 2 or any(v.type.shape != x.type.shape[1:2] for v in (scale, offset, mean, variance)):
        raise n.malformed_error(f"expected one parameter for each feature of {x.type!r}")
    if n.version >= 14 and n.attribute("training_mode", 0):
        return batch_normalization_of_training(n)
    if len([name for name in n.proto.output if name]) > 1 or n.attribute("training_mode", 0):
        raise n.unsupported_error("training before version 14", "export the model for inference")
    operands = [x, *(n.b.convert(v, x.type.tensor_element_type) for v in (scale, offset, mean, variance))]
    return n.b.emit("batch_norm_inference", operands, x.type, (), **batch_attributes(n))


def batch_attributes(n: Node) -> dict[str, Any]:
    return {"epsilon": float(np.float32(n.attribute("epsilon", 1e-5))), "feature_index": 1}


def batch_normalization_of_training(n: Node) -> Sequence[Value]:
    """Return x normalized by its own mean and variance, and the running ones; floats of 16 bits in f32."""
    x, scale, offset, *running = (n.value(k) for k in range(5))
    element = x.type.tensor_element_type
    wide = F32 if element.bits <= 16 else element
    operands = [n.b.convert(v, wide) for v in (x, scale, offset)]
    types = [v.type for v in (operands[0], operands[1], operands[1])]
    out, *current = n.b.emit_all("batch_norm_training", operands, types, (), **batch_attributes(n))
    momentum = n.attribute("momentum", 0.9)
    results = [n.b.convert(out, element)]
    for before, now in zip(running, current, strict=True):
        kept = n.b.binary_scalar("multiply", n.b.convert(before, wide), momentum)
        mixed = n.b.binary("add", kept, n.b.binary_scalar("multiply", now, 1 - momentum))
        results.append(n.b.convert(mixed, before.type.tensor_element_type))
    return results[: len(n.proto.output)]


def standardize(b: Folds, x: Value, dimensions: Sequence[int], epsilon: float) -> tuple[Value, Value, Value]:
    """Return (x - mean) / sqrt(variance + epsilon), the mean and the inverse deviation, not yet repeated."""
    mean = mean_along(b, x, dimensions)
    centred = b.binary("subtract", x, along(b, mean, x, dimensions))
    variance = mean_along(b, b.binary("multiply", centred, centred), dimensions)
    deviation = b.unary("sqrt", b.binary_scalar("add", variance, epsilon))
    inverse = b.binary("divide", b.full(1, deviation.type), deviation)
    return b.binary("multiply", centred, along(b, inverse, x, dimensions)), mean, inverse


def layer_normalization(n: Node) -> Sequence[Value]:
    """Return x standardized from an axis on, scaled and moved; computed in float32, as `stash_type` says."""
    x = n.value(0)
    element = x.type.tensor_element_type
    axis = n.axis(-1, x.type.rank)
    dimensions = list(range(axis, x.type.rank))
    wide = n.b.convert(x, F32) if n.attribute("stash_type", 1) == 1 and element.bits < 32 else x
    out, mean, inverse = standardize(n.b, wide, dimensions, n.attribute("epsilon", 1e-5))
    out = n.b.binary("multiply", n.b.convert(out, element), n.value(1))
    out = n.b.binary("add", out, n.value(2)) if n.has(2) else out
    shape = [1 if d in dimensions else size for d, size in enumerate(x.type.shape)]
    rest = [n.b.reshape(v, shape) for v in (mean, inverse)]
    return [out, *rest][: len(n.proto.output)]


def instance_normalization(n: Node) -> Value:
    x = n.value(0)
    dimensions = list(range(2, x.type.rank))
    out, *_ = standardize(n.b, x, dimensions, n.attribute("epsilon", 1e-5))
    scale, offset = (n.b.place(n.value(k), x.type.shape, (1,)) for k in (1, 2))
    return n.b.binary("add", n.b.binary("multiply", out, scale), offset)


def mean_variance_normalization(n: Node) -> Value:
    """Return (x - mean) / (deviation + 1e-9); the variance is mean(x^2) - mean^2, as the function has it."""
    x, b = n.value(0), n.b
    dimensions = n.places(n.attribute("axes", [0, 2, 3]), x.type.rank)
    mean, squares = (mean_along(b, v, dimensions) for v in (x, b.binary("multiply", x, x)))
    variance = b.binary("subtract", squares, b.binary("multiply", mean, mean))
    deviation = b.binary_scalar("add", b.unary("sqrt", variance), 1e-9)
    centred = b.binary("subtract", x, along(b, mean, x, dimensions))
    return b.binary("divide", centred, along(b, deviation, x, dimensions))


def dropout(n: Node) -> Sequence[Result]:
    """Return x and a mask that keeps all of it: only training drops."""
    if n.has(2) and n.constant(2).any() and not (n.has(1) and n.constant(1) == 0):
        raise n.unsupported_error("training drops at random", "export the model for inference")
    x = n.raw_value(0)
    keeps = np.ones(x.type.shape, bool) if len(n.proto.output) > 1 else None
    return [x] if keeps is None else [x, keeps]


TABLE: dict[str, Build] = {
    "BatchNormalization": batch_normalization,
    "Dropout": dropout,
    "InstanceNormalization": instance_normalization,
    "LayerNormalization": layer_normalization,
    "LogSoftmax": partial(softmax, True),
    "MeanVarianceNormalization": mean_variance_normalization,
    "Softmax": partial(softmax, False),
}
