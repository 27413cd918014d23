"""Attention as com.microsoft has it: Attention, MultiHeadAttention, GroupQueryAttention, RotaryEmbedding.

Scores are sums of products, scaled; masks and biases are added; their softmax weighs the values. All of it
is in f32. Caches that a runtime shares between its steps, and lengths that are not constant, are refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

import numpy as np

from interp.apps.onnx.loading import contractions
from interp.apps.onnx.loading.fused_operators import scale_to_one
from interp.apps.onnx.loading.integer_operators import scaled_product
from interp.apps.onnx.loading.node import Build, Node, Result
from interp.apps.onnx.loading.normalization import along
from interp.loading.build import F32, I1, I32, Folds
from interp.loading.folding import fold
from spec.ir import Value

LOWEST = float(np.finfo(np.float32).min)  # the score of what a token does not see


class Heads(NamedTuple):
    """Queries, keys and values of shape (batch, heads, tokens, size of a head)."""

    query: Value
    key: Value
    value: Value


def attend(
    n: Node, heads: Heads, biases: Sequence[Value], hidden: np.ndarray | None, sink: Value | None = None
) -> tuple[Value, Value]:
    """Return softmax(scale * Q K^T + biases) V, the heads of a token side by side, and the softmax.

    biases: broadcast to (batch, heads, tokens, keys). hidden: the keys that a token does not see. sink: a
    score for each head that takes part in the softmax, without a value.
    """
    b, element = n.b, heads.query.type.tensor_element_type
    q, k, v = (b.convert(x, F32) for x in heads)
    scale = n.attribute("scale", 0.0) or 1 / sqrt(max(q.type.shape[-1], 1))
    scores = b.dot_general(q, k, ((0, 1), (0, 1)), ((3,), (3,)))
    scores = b.binary_scalar("multiply", scores, scale)
    if softcap := n.attribute("softcap", 0.0):
        waves = b.unary("tanh", b.binary_scalar("divide", scores, softcap))
        scores = b.binary_scalar("multiply", waves, softcap)
    for bias in biases:
        scores = b.binary("add", scores, b.convert(bias, F32))
    if hidden is not None and hidden.any():
        mask = b.broadcast(b.array(hidden, I1), scores.type.shape)
        scores = b.select(mask, b.full(LOWEST, scores.type), scores)
    weights = softmax(b, scores, sink)
    out = b.dot_general(weights, v, ((0, 1), (0, 1)), ((3,), (2,)))
    return join_heads(b, b.convert(out, element)), weights


def softmax(b: Folds, x: Value, sink: Value | None) -> Value:
    """Return exp(x) over its sum along the last dimension, to which a sink adds a number for each head."""
    last = [x.type.rank - 1]
    most = along(b, fold(b, x, "maximum", last), x, last)
    if sink is not None:
        sink = b.reshape(b.convert(sink, F32), (1, sink.type.size, 1, 1))
        most = b.binary("maximum", most, sink)
    powers = b.unary("exponential", b.binary("subtract", x, most))
    total = along(b, fold(b, powers, "add", last), x, last)
    if sink is not None:
        total = b.binary("add", total, b.unary("exponential", b.binary("subtract", sink, most)))
    return b.binary("divide", powers, total)


def split_heads(n: Node, x: Value, count: int) -> Value:
    """Return (batch, tokens, hidden) as (batch, heads, tokens, size of a head)."""
    if x.type.rank != 3 or count < 1 or x.type.shape[2] % count:
        raise n.malformed_error(f"expected (batch, tokens, hidden) in {count} heads, got {x.type!r}")
    batch, tokens, hidden = x.type.shape
    return n.b.transpose(n.b.reshape(x, (batch, tokens, count, hidden // count)), (0, 2, 1, 3))


def join_heads(b: Folds, x: Value) -> Value:
    batch, heads, tokens, size = x.type.shape
    return b.reshape(b.transpose(x, (0, 2, 1, 3)), (batch, tokens, heads * size))


def not_before(tokens: int, keys: int, window: int = -1) -> np.ndarray:
    """Return which keys a token does not see: later ones, and those beyond a window of earlier ones."""
    distance = np.arange(tokens)[:, None] + (keys - tokens) - np.arange(keys)
    return (distance < 0) | ((distance >= window) if window > 0 else False)


def mask_bias(n: Node, mask: Value, batch: int, keys: int) -> Value:
    """Return what a mask adds to the scores, in a shape that broadcasts against them.

    A mask has numbers above 0 for what is seen, (batch, keys) or (batch, tokens, keys); or the end of what is
    seen for each batch, or all ends and then all starts.
    """
    shape = mask.type.shape
    if shape == (batch, keys) or (len(shape) == 3 and shape[0] == batch and shape[2] == keys):
        seen = n.b.compare("GT", mask, n.b.full(0, mask.type))
        seen = n.b.reshape(seen, (batch, 1, *shape[1:]) if len(shape) == 3 else (batch, 1, 1, keys))
    elif shape in ((batch,), (2 * batch,)):
        places = n.b.iota((batch, 1, 1, keys), 3, mask.type.tensor_element_type)
        ends = n.b.reshape(n.b.slice_in(mask, 0, 0, batch), (batch, 1, 1, 1))
        seen = n.b.compare("LT", places, ends)
        if shape == (2 * batch,):
            starts = n.b.reshape(n.b.slice_in(mask, 0, batch, 2 * batch), (batch, 1, 1, 1))
            seen = n.b.binary("and", seen, n.b.compare("GE", places, starts))
    else:
        advice = f"expected ({batch}, {keys}), ({batch}, tokens, {keys}), ({batch},) or ({2 * batch},)"
        raise n.unsupported_error(f"a mask of shape {list(shape)}", advice)
    filter_value = n.attribute("mask_filter_value", -10000.0)
    return n.b.select(seen, n.b.full(0, F32), n.b.full(filter_value, F32))


# Attention with its projection: one matrix for queries, keys and values


def attention(n: Node) -> Sequence[Result]:
    """Return attention of the projected input, and the keys and values with those of the past."""
    refuse(n, ("do_rotary", "past_present_share_buffer"), (6,))
    total = contractions.in_f32(n, n.value(0), n.value(1), contractions.product)
    total = n.b.binary("add", total, n.value(2)) if n.has(2) else total
    return attend_projected(n, total, 3, 4, 5)


def q_attention(n: Node) -> Sequence[Result]:
    """Return the same for quantized input and weights, whose products are summed as integers."""
    refuse(n, ("do_rotary", "past_present_share_buffer"), ())
    points = tuple(n.value(k) if n.has(k) else None for k in (6, 7))
    points = tuple(p if p is None or p.type.size > 1 else n.b.reshape(p, ()) for p in points)
    total = scaled_product(n, n.value(0), n.value(1), (n.value(3), n.value(4)), points)
    return attend_projected(n, n.b.binary("add", total, n.value(2)), 5, 8, None)


def attend_projected(n: Node, total: Value, mask: int, past: int, bias: int | None) -> Sequence[Result]:
    """Return attention of queries, keys and values side by side; mask, past, bias: optional inputs."""
    heads, hidden = n.attribute("num_heads", 0), total.type.shape[-1]
    sizes = n.attribute("qkv_hidden_sizes") or [hidden // 3] * 3
    if sum(sizes) != hidden:
        raise n.malformed_error(f"{hidden} projected numbers for hidden sizes {list(sizes)}")
    ends = [0, *(int(e) for e in np.cumsum(sizes))]
    parts = [n.b.slice_in(total, 2, low, high) for low, high in pairwise(ends)]
    q, k, v = (split_heads(n, part, heads) for part in parts)
    if n.has(past):
        before = [n.b.slice_in(n.value(past), 0, j, j + 1) for j in (0, 1)]
        before = [n.b.reshape(x, x.type.shape[1:]) for x in before]
        k, v = (n.b.concatenate([x, y], 2) for x, y in zip(before, (k, v), strict=True))
    batch, tokens, keys = q.type.shape[0], q.type.shape[2], k.type.shape[2]
    biases = [mask_bias(n, n.value(mask), batch, keys)] if n.has(mask) else []
    biases += [n.value(bias)] if bias is not None and n.has(bias) else []
    causal = not_before(tokens, keys) if n.attribute("unidirectional", 0) else None
    out, _ = attend(n, Heads(q, k, v), biases, causal)
    if len([name for name in n.proto.output if name]) < 2:
        return [out]
    stacked = [n.b.reshape(x, (1, *x.type.shape)) for x in (k, v)]
    return [out, n.b.concatenate(stacked, 0)]


def refuse(n: Node, attributes: Sequence[str], inputs: Sequence[int]) -> None:
    """Raise `Unsupported` for an attribute that is set, or an input that is given, of those named."""
    for name in attributes:
        if n.attribute(name, 0):
            raise n.unsupported_error(f"{name} {n.attribute(name)}", "expected a model without it")
    for k in inputs:
        if n.has(k):
            advice = "caches that steps share, and what belongs to them, are not known here"
            raise n.unsupported_error(f"input {k} ('{n.proto.input[k]}')", advice)


# Attention of queries, keys and values that are given


def multi_head_attention(n: Node) -> Sequence[Result]:
    """Return attention, the keys and values with those of the past, and the softmax."""
    refuse(n, (), (8, 9))
    heads = n.attribute("num_heads", 0)
    q, k, v = (split_heads(n, x, heads) if x.type.rank == 3 else x for x in _with_bias(n, _apart(n), 3))
    if n.has(6) and n.has(7):
        k, v = (n.b.concatenate([n.value(j), x], 2) for j, x in ((6, k), (7, v)))
    batch, tokens, keys = q.type.shape[0], q.type.shape[2], k.type.shape[2]
    biases = [mask_bias(n, n.value(4), batch, keys)] if n.has(4) else []
    biases += [n.value(5)] if n.has(5) else []
    causal = not_before(tokens, keys) if n.attribute("unidirectional", 0) else None
    out, weights = attend(n, Heads(q, k, v), biases, causal)
    return [out, k, v, weights]


def _apart(n: Node) -> list[Value]:
    """Return queries, keys and values, which may come side by side for each head."""
    if n.type(0).rank == 5:
        return _unpack(n, n.value(0), 3)
    if n.has(1) and n.type(1).rank == 5:
        return [n.value(0), *_unpack(n, n.value(1), 2)]
    return [n.value(k) for k in range(3)]


def _unpack(n: Node, x: Value, count: int) -> list[Value]:
    batch, tokens, heads, parts, size = x.type.shape
    if parts != count:
        raise n.malformed_error(f"expected {count} parts for each head, got {x.type!r}")
    slices = (n.b.slice_in(x, 3, k, k + 1) for k in range(count))
    return [n.b.reshape(part, (batch, tokens, heads * size)) for part in slices]


def _with_bias(n: Node, parts: list[Value], k: int) -> list[Value]:
    """Return queries, keys and values with the bias of their projection."""
    if not n.has(k):
        return parts
    if any(part.type.rank != 3 for part in parts):
        raise n.unsupported_error("a bias of keys that are in heads already")
    ends = [0, *(int(e) for e in np.cumsum([part.type.shape[2] for part in parts]))]
    if n.type(k).shape != (ends[-1],):
        raise n.malformed_error(f"a bias of {n.type(k)!r} for {ends[-1]} projected numbers")
    biases = (n.b.slice_in(n.value(k), 0, low, high) for low, high in pairwise(ends))
    return [n.b.binary("add", part, bias) for part, bias in zip(parts, biases, strict=True)]


def group_query_attention(n: Node) -> Sequence[Result]:
    """Return attention in which heads of queries share those of keys and values, and these.

    What is supported is a whole prompt: no past, and constant lengths that equal its length.
    """
    refuse(n, ("sliding_window_cache", "qk_output", "kv_cache_bit_width"), (12, 13, 16))
    heads, shared = n.attribute("num_heads", 0), n.attribute("kv_num_heads", 0)
    if shared < 1 or heads % shared:
        raise n.malformed_error(f"{heads} heads share {shared} of keys")
    q, k, v = (split_heads(n, x, c) for x, c in zip(_group_parts(n), (heads, shared, shared), strict=True))
    tokens, keys = q.type.shape[2], k.type.shape[2]
    if any(n.has(j) and n.type(j).shape[2] for j in (3, 4)):
        raise n.unsupported_error("a past", "load the step that reads a whole prompt")
    lengths = {*(length + 1 for length in n.integers(5)), *n.integers(6)}
    if lengths != {tokens} or keys != tokens:
        raise n.unsupported_error(f"lengths {sorted(lengths)} of {tokens} tokens", "expected whole prompts")
    if n.has(14) and n.has(15):
        q, k = (_norm(n, x, j) for x, j in ((q, 14), (k, 15)))
    if n.attribute("do_rotary", 0):
        q, k = (
            rotate(n, x, _positions(n, x), (n.value(7), n.value(8)), "rotary_interleaved") for x in (q, k)
        )
    wide = [_repeat(n.b, x, heads // shared) for x in (k, v)]
    causal = (
        not_before(tokens, keys, n.attribute("local_window_size", -1)) if n.attribute("causal", 1) else None
    )
    sink = n.value(11) if n.has(11) else None
    if sink is None and n.attribute("smooth_softmax", 0) > 0:
        sink = n.b.full(0, n.b.array(np.zeros(heads, np.float32), F32).type)
    biases = [n.value(10)] if n.has(10) else []
    out, _ = attend(n, Heads(q, *wide), biases, causal, sink)
    return [out, k, v]


def _group_parts(n: Node) -> list[Value]:
    """Return queries, keys and values, which may come side by side."""
    if n.has(1):
        return [n.value(k) for k in range(3)]
    heads, shared = n.attribute("num_heads", 0), n.attribute("kv_num_heads", 0)
    x = n.value(0)
    size = x.type.shape[-1] // (heads + 2 * shared)
    ends = [0, heads * size, (heads + shared) * size, x.type.shape[-1]]
    return [n.b.slice_in(x, 2, low, high) for low, high in pairwise(ends)]


def _norm(n: Node, x: Value, k: int) -> Value:
    """Return the root mean square norm of each head, times the weights at input k."""
    epsilon = n.attribute(
        "q_norm_epsilon" if k == 14 else "k_norm_epsilon", n.attribute("qk_norm_epsilon", 1e-6)
    )
    out, _ = scale_to_one(n, x, [3], epsilon)
    return n.b.binary("multiply", out, n.value(k))


def _repeat(b: Folds, x: Value, times: int) -> Value:
    """Return each head so many times, one after the other."""
    batch, heads, tokens, size = x.type.shape
    wide = b.place(x, (batch, heads, times, tokens, size), (0, 1, 3, 4))
    return b.reshape(wide, (batch, heads * times, tokens, size))


def _positions(n: Node, x: Value) -> Value:
    batch, tokens = x.type.shape[0], x.type.shape[2]
    places = np.broadcast_to(np.arange(tokens, dtype=np.int32), (batch, tokens))
    return n.b.array(places, I32)


# Rotary embedding: each pair of numbers of a head is turned by an angle that grows with the position


def rotary_embedding(n: Node) -> Value:
    """Return x with its pairs turned; of shape (batch, tokens, hidden) or (batch, heads, tokens, size)."""
    refuse(n, ("is_packed_batching",), ())
    if n.attribute("scale", 1.0) != 1:
        raise n.unsupported_error(f"scale {n.attribute('scale')}", "expected 1")
    x, cos = n.value(0), n.value(2)
    size = 2 * cos.type.shape[1]
    if n.attribute("rotary_embedding_dim", 0) and x.type.rank == 3:
        size = x.type.shape[2] // max(n.attribute("num_heads", 0), 1)
    heads = split_heads(n, x, x.type.shape[2] // size) if x.type.rank == 3 else x
    batch, tokens = heads.type.shape[0], heads.type.shape[2]
    positions = n.value(1)
    if positions.type.shape == (1,):
        steps = n.b.iota((tokens,), 0, positions.type.tensor_element_type)
        positions = n.b.broadcast(n.b.binary("add", steps, positions), (batch, tokens))
    out = rotate(n, heads, positions, (cos, n.value(3)), "interleaved")
    return join_heads(n.b, out) if x.type.rank == 3 else out


def rotate(n: Node, x: Value, positions: Value, caches: tuple[Value, Value], interleaved: str) -> Value:
    """Return heads with pairs of their first numbers turned: of halves, or of neighbours if `interleaved`."""
    b, half, size = n.b, caches[0].type.shape[1], x.type.shape[3]
    if 2 * half > size:
        raise n.malformed_error(f"angles for {2 * half} numbers of a head of {size}")
    cos, sin = (_angles(b, cache, positions) for cache in caches)
    turned, rest = b.slice_in(x, 3, 0, 2 * half), b.slice_in(x, 3, 2 * half, size)
    shape = turned.type.shape
    apart, at = ((*shape[:3], half, 2), 4) if n.attribute(interleaved, 0) else ((*shape[:3], 2, half), 3)
    pairs = b.reshape(turned, apart)
    first, second = (b.reshape(b.slice_in(pairs, at, k, k + 1), (*shape[:3], half)) for k in (0, 1))
    products = [
        b.binary("multiply", *pair) for pair in ((first, cos), (second, sin), (second, cos), (first, sin))
    ]
    parts = b.binary("subtract", *products[:2]), b.binary("add", *products[2:])
    single = tuple(1 if d == at else s for d, s in enumerate(apart))
    whole = b.reshape(b.concatenate([b.reshape(part, single) for part in parts], at), shape)
    return b.concatenate([whole, rest], 3) if rest.type.shape[3] else whole


def _angles(b: Folds, cache: Value, positions: Value) -> Value:
    """Return the rows of a table at the positions, for every head."""
    rows = b.gather(cache, positions, 0)
    batch, tokens, half = rows.type.shape
    return b.reshape(rows, (batch, 1, tokens, half))


MICROSOFT: dict[str, Build] = {
    "Attention": attention,
    "GroupQueryAttention": group_query_attention,
    "MultiHeadAttention": multi_head_attention,
    "QAttention": q_attention,
    "RotaryEmbedding": rotary_embedding,
}
