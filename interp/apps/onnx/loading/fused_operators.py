"""Operators of com.microsoft that several operators of ONNX were fused into, by onnxruntime or its optimizer.

Where ONNX leaves the order of a sum open, so do these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from interp.apps.onnx.loading import contractions, pooling
from interp.apps.onnx.loading.node import Build, Node, Result, Symbol
from interp.apps.onnx.loading.normalization import along, layer_normalization, standardize
from interp.apps.onnx.loading.reductions import mean_along
from interp.loading.build import F32, I32, Builder, expand_chlo
from interp.loading.folding import fold
from spec.ir import Value

# Channels last: the same operators on (batch, ..., features).


def channels_last(build: Build, n: Node) -> Value:
    """Return an operator of (batch, features, ...) on an operand and a result with the features behind."""
    x = n.raw_value(0)
    if x.type.rank < 3:
        raise n.malformed_error(f"expected (batch, ..., features), got {x.type!r}")
    last = x.type.rank - 1
    first = n.b.transpose(x, (0, last, *range(1, last)))
    y = single(build(replace(n, inputs=[Symbol(first), *n.inputs[1:]])))
    return n.b.transpose(y, (0, *range(2, last + 1), 1))


def either_layout(build: Build, n: Node) -> Value:
    """Return an operator on (batch, features, ...), or with `channels_last` on (batch, ..., features)."""
    if n.attribute("channels_last", 0):
        return channels_last(build, n)
    return single(build(n))


def single(built: Result | Sequence[Result]) -> Value:
    """Return the one result that a function has appended."""
    (y,) = built if isinstance(built, Sequence) else [built]
    assert isinstance(y, Value)
    return y


# Products and convolutions with what follows them


def fused_matmul(n: Node) -> Value:
    """Return alpha * A B, of operands transposed as the attributes say."""
    x, y = (_turn(n, k, side) for k, side in ((0, "A"), (1, "B")))
    out = contractions.in_f32(n, x, y, contractions.product)
    alpha = n.attribute("alpha", 1.0)
    return out if alpha == 1 else n.b.binary_scalar("multiply", out, alpha)


def _turn(n: Node, k: int, side: str) -> Value:
    """Return an operand with its first dimension behind its batch, and its last two swapped, where asked."""
    x = n.value(k)
    rank = x.type.rank
    order = list(range(rank))
    if n.attribute(f"transBatch{side}", 0) and rank > 2:
        order = [*range(1, rank - 1), 0, rank - 1]
    if n.attribute(f"trans{side}", 0) and rank > 1:
        order[-2:] = order[:-3:-1]
    return n.b.transpose(x, order)


def fused_conv(n: Node) -> Value:
    """Return activation(Conv(X, W, B) + Z)."""
    out = contractions.conv(replace(n, inputs=n.inputs[:3]))
    out = n.b.binary("add", out, n.value(3)) if n.has(3) else out
    return activate(n, out, n.attribute("activation_params", []))


def nhwc_conv(n: Node) -> Value:
    """Return activation(Conv(X, W, B) + Z) with the features of X, Z and the result behind."""
    out = channels_last(contractions.conv, replace(n, inputs=n.inputs[:3]))
    out = n.b.binary("add", out, n.value(3)) if n.has(3) else out
    return activate(n, out, n.attribute("activation_params", []))


def fused_gemm(n: Node) -> Value:
    """Return activation(alpha * A B + beta * C)."""
    names = ("activation_alpha", "activation_beta", "activation_gamma")
    return activate(n, contractions.gemm(n), [n.attributes[name] for name in names if name in n.attributes])


def activate(n: Node, x: Value, parameters: Sequence[float]) -> Value:
    """Return the function of x that the attribute `activation` names, with its parameters."""
    name = n.attribute("activation") or ""
    if not name:
        return x
    if name in PLAIN and not parameters:
        return PLAIN[name](n.b, x)
    if name not in WITH_PARAMETERS or len(parameters) > len(WITH_PARAMETERS[name][1]):
        advice = f"expected one of {', '.join(sorted({*PLAIN, *WITH_PARAMETERS}))}"
        raise n.unsupported_error(f"activation {name!r} with parameters {list(parameters)}", advice)
    function, defaults = WITH_PARAMETERS[name]
    return function(n.b, x, *parameters, *defaults[len(parameters) :])


def _leaky_relu(b: Builder, x: Value, alpha: float) -> Value:
    small = b.binary_scalar("multiply", x, alpha)
    return b.select(b.compare("LT", x, b.full(0, x.type)), small, x)


def _hard_sigmoid(b: Builder, x: Value, alpha: float, beta: float) -> Value:
    return b.clamp(0, b.binary_scalar("add", b.binary_scalar("multiply", x, alpha), beta), 1)


PLAIN: dict[str, Callable[[Builder, Value], Value]] = {
    "Relu": lambda b, x: b.binary_scalar("maximum", x, 0),
    "Sigmoid": lambda b, x: b.unary("logistic", x),
    "Tanh": lambda b, x: b.unary("tanh", x),
}
WITH_PARAMETERS: dict[str, tuple[Callable[..., Value], tuple[float, ...]]] = {
    "Clip": (lambda b, x, low, high: b.clamp(low, x, high), (-np.inf, np.inf)),
    "HardSigmoid": (_hard_sigmoid, (0.2, 0.5)),
    "LeakyRelu": (_leaky_relu, (0.01,)),
}


# Gelu and its kin


def gelu(b: Builder, x: Value) -> Value:
    """Return x / 2 * (1 + erf(x / sqrt(2)))."""
    wave = expand_chlo(b, "erf", b.binary_scalar("multiply", x, np.sqrt(0.5)))
    return b.binary("multiply", b.binary_scalar("multiply", x, 0.5), b.binary_scalar("add", wave, 1))


def fast_gelu(b: Builder, x: Value) -> Value:
    """Return x / 2 * (1 + tanh(0.797885 x + 0.035677 x^3))."""
    cube = b.binary("multiply", b.binary("multiply", x, x), b.binary_scalar("multiply", x, 0.035677408136))
    wave = b.unary("tanh", b.binary("add", b.binary_scalar("multiply", x, 0.7978845608), cube))
    return b.binary("multiply", b.binary_scalar("multiply", x, 0.5), b.binary_scalar("add", wave, 1))


def after_bias(function: Callable[[Builder, Value], Value], n: Node) -> Value:
    """Return a function of the first input plus the second, if there is one."""
    x = n.value(0)
    return function(n.b, n.b.binary("add", x, n.value(1)) if n.has(1) else x)


def quick_gelu(n: Node) -> Value:
    """Return x * sigmoid(alpha x)."""
    x = n.value(0)
    gate = n.b.unary("logistic", n.b.binary_scalar("multiply", x, n.attribute("alpha", 1.702)))
    return n.b.binary("multiply", x, gate)


def bias_split_gelu(n: Node) -> Value:
    """Return the left half of X + bias times Gelu of its right half."""
    x = n.b.binary("add", n.value(0), n.value(1))
    last, size = x.type.rank - 1, x.type.shape[-1]
    if size % 2:
        raise n.malformed_error(f"the hidden size is {size}", "expected an even number")
    left, right = (n.b.slice_in(x, last, k * size // 2, (k + 1) * size // 2) for k in (0, 1))
    return n.b.binary("multiply", left, gelu(n.b, right))


# Layer normalization with what comes before it


def skip_layer_normalization(n: Node) -> Sequence[Result]:
    """Return the layer norm of input + skip + bias, its mean and inverse deviation, and that sum."""
    total = _sum_with_skip(n, 4)
    out, *rest = _standardize(n, total)
    out = n.b.binary("multiply", out, n.value(2))
    return _up_to(n, [n.b.binary("add", out, n.value(3)) if n.has(3) else out, *rest, total])


def skip_simplified_layer_normalization(n: Node) -> Sequence[Result]:
    """Return the root mean square norm of input + skip + bias, and that sum."""
    total = _sum_with_skip(n, 3)
    out, inverse = scale_to_one(n, total, [total.type.rank - 1])
    return _up_to(n, [n.b.binary("multiply", out, n.value(2)), inverse, inverse, total], absent=(1,))


def _sum_with_skip(n: Node, bias: int) -> Value:
    total = n.b.binary("add", n.value(0), n.value(1))
    return n.b.binary("add", total, n.value(bias)) if n.has(bias) else total


def _up_to(n: Node, results: list[Value], absent: Sequence[int] = ()) -> Sequence[Result]:
    """Return the results; `Unsupported` if the node names one that the operator does not say."""
    names = list(n.proto.output)
    for k in absent:
        if k < len(names) and names[k]:
            raise n.unsupported_error(f"output {k} ('{names[k]}')", "it is for training")
    return results


def _standardize(n: Node, x: Value) -> tuple[Value, Value, Value]:
    """Return x standardized along its last dimension in f32, with the mean and the inverse deviation."""
    element, last = x.type.tensor_element_type, x.type.rank - 1
    wide = n.b.convert(x, F32) if element.bits < 32 else x
    out, *rest = standardize(n.b, wide, [last], n.attribute("epsilon", 1e-12))
    mean, inverse = (n.b.reshape(v, (*x.type.shape[:-1], 1)) for v in rest)
    return n.b.convert(out, element), mean, inverse


def simplified_layer_normalization(n: Node) -> Sequence[Result]:
    """Return x / sqrt(mean(x^2) + epsilon) * scale, and the factor."""
    x = n.value(0)
    axis = n.axis(-1, x.type.rank)
    out, inverse = scale_to_one(n, x, list(range(axis, x.type.rank)), 1e-5)
    return _up_to(n, [n.b.binary("multiply", out, n.value(1)), inverse])


def scale_to_one(n: Node, x: Value, dimensions: Sequence[int], epsilon: float = 1e-12) -> tuple[Value, Value]:
    """Return x divided by its root mean square along dimensions, computed in f32, and the factor."""
    element = x.type.tensor_element_type
    wide = n.b.convert(x, F32) if element.bits < 32 else x
    square = mean_along(n.b, n.b.binary("multiply", wide, wide), dimensions)
    root = n.b.unary("sqrt", n.b.binary_scalar("add", square, n.attribute("epsilon", epsilon)))
    inverse = n.b.binary("divide", n.b.full(1, root.type), root)
    out = n.b.binary("multiply", wide, along(n.b, inverse, wide, dimensions))
    shape = [1 if d in dimensions else size for d, size in enumerate(x.type.shape)]
    return n.b.convert(out, element), n.b.reshape(inverse, shape)


def embed_layer_normalization(n: Node) -> Sequence[Result]:
    """Return the layer norm of the sum of embeddings of words, positions and segments, and that sum.

    Between them stands how many words of each row the mask keeps.
    """
    batch, tokens = n.type(0).shape
    total = n.b.gather(n.value(2), n.value(0), 0)
    if n.has(8):
        places = n.b.broadcast(n.b.gather(n.value(3), n.value(8), 0), total.type.shape)
    else:
        places = n.b.slice_in(n.value(3), 0, 0, tokens)
    total = n.b.binary("add", total, places)
    if n.has(1) and n.has(4):
        total = n.b.binary("add", total, n.b.gather(n.value(4), n.value(1), 0))
    out, *_ = _standardize(n, total)
    out = n.b.binary("add", n.b.binary("multiply", out, n.value(5)), n.value(6))
    if n.has(7):
        words = n.b.convert(n.b.compare("EQ", n.value(7), n.b.full(1, n.type(7))), I32)
        counts = fold(n.b, words, "add", [1])
    else:
        counts = n.b.array(np.zeros(batch, np.int32), I32)
    return _up_to(n, [out, counts, total])


def q_embed_layer_normalization(n: Node) -> Sequence[Result]:
    """Return the same of tables, scales and offsets that are quantized; their types follow the mask."""

    def real(k: int, scale: int) -> Symbol | None:
        if not n.has(k):
            return None
        x, point = (n.b.convert(n.value(j), F32) for j in (k, scale + 5))
        return Symbol(n.b.binary("multiply", n.b.binary("subtract", x, point), n.value(scale)))

    tables = [real(k, k + 6) for k in range(2, 7)]
    return embed_layer_normalization(replace(n, inputs=[*n.inputs[:2], *tables, *n.inputs[7:8]]))


MICROSOFT: dict[str, Build] = {
    "BiasGelu": partial(after_bias, gelu),
    "BiasSplitGelu": bias_split_gelu,
    "EmbedLayerNormalization": embed_layer_normalization,
    "FastGelu": partial(after_bias, fast_gelu),
    "FusedConv": fused_conv,
    "FusedGemm": fused_gemm,
    "FusedMatMul": fused_matmul,
    "Gelu": partial(after_bias, gelu),
    "LayerNormalization": layer_normalization,
    "NhwcConv": nhwc_conv,
    "NhwcFusedConv": nhwc_conv,
    "NhwcMaxPool": partial(channels_last, pooling.max_pool),
    "QEmbedLayerNormalization": q_embed_layer_normalization,
    "QuickGelu": quick_gelu,
    "SimplifiedLayerNormalization": simplified_layer_normalization,
    "SkipLayerNormalization": skip_layer_normalization,
    "SkipSimplifiedLayerNormalization": skip_simplified_layer_normalization,
    "TransposeMatMul": fused_matmul,
}
