"""Operators of com.microsoft that onnxruntime's optimizer and quantizer write, against its kernels."""

# ruff: noqa: E402

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

from onnx import helper, numpy_helper

import interp
from spec.errors import InterpError, Unsupported

RANDOM = np.random.default_rng(11)


@pytest.fixture(autouse=True)
def _seed() -> None:
    """Give each test the same numbers, whichever tests run before it."""
    RANDOM.bit_generator.state = np.random.default_rng(12).bit_generator.state


def floats(*shape: int) -> np.ndarray:
    return RANDOM.normal(0, 1, shape).astype(np.float32)


def u8(*shape: int) -> np.ndarray:
    return RANDOM.integers(0, 256, shape).astype(np.uint8)


def i8(*shape: int) -> np.ndarray:
    return RANDOM.integers(-128, 128, shape).astype(np.int8)


def model_of(
    op: str, inputs: Any, weights: Any, outputs: int = 1, domain: str = "com.microsoft", **attributes: Any
) -> Any:
    """Return a model of one node; inputs, weights: arrays by name, the node's in order; "" is absent."""
    names = [*inputs, *weights]
    order = sorted(names, key=lambda name: int(name.partition("_")[0][1:]))
    places = [int(name[1:].partition("_")[0]) for name in order]
    operands = [""] * (max(places) + 1)
    for k, name in zip(places, order, strict=True):
        operands[k] = name
    results = [f"y{k}" for k in range(outputs)]
    kinds = {name: helper.np_dtype_to_tensor_dtype(x.dtype) for name, x in inputs.items()}
    graph = helper.make_graph(
        [helper.make_node(op, operands, results, name="n", domain=domain, **attributes)],
        "g",
        [helper.make_tensor_value_info(name, kinds[name], x.shape) for name, x in inputs.items()],
        [helper.make_empty_tensor_value_info(name) for name in results],
        [numpy_helper.from_array(np.asarray(x), name) for name, x in weights.items()],
    )
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


def both(op: str, inputs: Any, weights: Any = (), outputs: int = 1, **attributes: Any) -> Any:
    """Return pairs of our results and onnxruntime's."""
    model = model_of(op, inputs, dict(weights), outputs, **attributes)
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    theirs = ort.InferenceSession(model.SerializeToString(), options).run(None, dict(inputs))
    typed = [
        helper.make_tensor_value_info(f"y{k}", helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for k, x in enumerate(theirs)
    ]
    del model.graph.output[:]
    model.graph.output.extend(typed)
    mine = interp.run(interp.load(model), *inputs.values())
    return [(np.asarray(x), y) for x, y in zip(mine, theirs, strict=True)]


def near(
    op: str, inputs: Any, weights: Any = (), outputs: int = 1, rtol: float = 2e-6, **attributes: Any
) -> None:
    """Demand results within few units of the largest: sums have another order, exp and tanh other digits."""
    for mine, theirs in both(op, inputs, weights, outputs, **attributes):
        assert mine.dtype == theirs.dtype
        most = np.abs(theirs).max(initial=0)
        assert np.abs(mine - theirs).max(initial=0) <= rtol * max(most, 1e-30), (op, attributes)


def equal(op: str, inputs: Any, weights: Any = (), outputs: int = 1, **attributes: Any) -> None:
    for mine, theirs in both(op, inputs, weights, outputs, **attributes):
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine, theirs), (op, attributes)


# Fused products, convolutions, activations


@pytest.mark.parametrize("turned", range(16))
def test_fused_matmul(turned: int) -> None:
    flags = {
        name: turned >> k & 1 for k, name in enumerate(("transA", "transB", "transBatchA", "transBatchB"))
    }
    # (2, 3, 4, 5) by (2, 3, 5, 4), before they are turned
    shapes = []
    for side, (m, k) in (("A", (4, 5)), ("B", (5, 6))):
        matrix = (k, m) if flags[f"trans{side}"] else (m, k)
        shapes.append((matrix[0], 2, 3, matrix[1]) if flags[f"transBatch{side}"] else (2, 3, *matrix))
    near("FusedMatMul", {"x0": floats(*shapes[0]), "x1": floats(*shapes[1])}, alpha=0.25, **flags)


@pytest.mark.parametrize(
    ("activation", "parameters"),
    [
        ("Relu", ()),
        ("Tanh", ()),
        ("Sigmoid", ()),
        ("LeakyRelu", (0.2,)),
        ("Clip", (-0.3, 0.6)),
        ("HardSigmoid", (0.3, 0.4)),
    ],
)
def test_activations_of_fused_operators(activation: str, parameters: Any) -> None:
    ways = (
        {"activation": activation, "activation_params": parameters}
        if parameters
        else {"activation": activation}
    )
    image, w, b = floats(2, 3, 6, 7), floats(4, 3, 3, 3), floats(4)
    near("FusedConv", {"x0": image}, {"w1": w, "w2": b}, pads=[1, 0, 1, 2], strides=[1, 2], **ways)
    more = dict(zip(("activation_alpha", "activation_beta"), parameters, strict=False))
    if activation != "Clip":  # onnxruntime has no such Gemm
        weights = {"w1": floats(6, 5), "w2": floats(6)}
        near("FusedGemm", {"x0": floats(4, 5)}, weights, transB=1, activation=activation, **more)


def test_a_sum_in_a_fused_convolution() -> None:
    image, w, b, z = floats(1, 3, 5, 5), floats(4, 3, 3, 3), floats(4), floats(1, 4, 5, 5)
    near("FusedConv", {"x0": image, "x3": z}, {"w1": w, "w2": b}, pads=[1] * 4, activation="Relu")


@pytest.mark.parametrize("op", ["Gelu", "QuickGelu", "FastGelu", "BiasGelu"])
def test_gelu_and_its_kin(op: str) -> None:
    x = np.linspace(-6, 6, 301, dtype=np.float32)
    near(op, {"x0": x}, rtol=3e-6) if op != "BiasGelu" else None
    if op in ("FastGelu", "BiasGelu"):
        near(op, {"x0": floats(2, 5, 8)}, {"w1": floats(8)}, rtol=3e-6)
    if op == "QuickGelu":
        near(op, {"x0": x}, rtol=3e-6, alpha=1.3)


def test_bias_split_gelu_is_its_formula() -> None:
    """onnxruntime has no kernel for it on a CPU."""
    from math import erf

    x, bias = floats(2, 3, 8), floats(8)
    model = model_of("BiasSplitGelu", {"x0": x}, {"w1": bias})
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y0", 1, (2, 3, 4)))
    left, right = np.split((x + bias).astype(np.float64), 2, axis=-1)
    expected = left * right / 2 * (1 + np.vectorize(erf)(right / np.sqrt(2)))
    assert np.allclose(interp.run(interp.load(model), x)[0], expected, rtol=1e-5, atol=1e-6)


# Normalizations


def test_layer_normalizations_with_what_comes_before() -> None:
    x, skip, gamma, beta, bias = floats(2, 5, 8), floats(2, 5, 8), floats(8), floats(8), floats(8)
    everything = {"w2": gamma, "w3": beta, "w4": bias}
    near("SkipLayerNormalization", {"x0": x, "x1": skip}, {"w2": gamma, "w3": beta}, epsilon=1e-3)
    near("SkipLayerNormalization", {"x0": x, "x1": skip[0]}, everything)
    near("SkipSimplifiedLayerNormalization", {"x0": x, "x1": skip}, {"w2": gamma, "w3": bias}, epsilon=1e-5)
    near("SimplifiedLayerNormalization", {"x0": x}, {"w1": gamma}, domain="", epsilon=1e-5)


def test_the_sum_before_a_normalization_is_an_output() -> None:
    x, skip, gamma = floats(2, 5, 8), floats(2, 5, 8), floats(8)
    for op in ("SkipLayerNormalization", "SkipSimplifiedLayerNormalization"):
        model = model_of(op, {"x0": x, "x1": skip}, {"w2": gamma}, 4)
        model.graph.node[0].output[1:3] = ["", ""]
        del model.graph.output[:]
        infos = [helper.make_tensor_value_info(name, 1, x.shape) for name in ("y0", "y3")]
        model.graph.output.extend(infos)
        theirs = ort.InferenceSession(model.SerializeToString()).run(None, {"x0": x, "x1": skip})
        mine = interp.run(interp.load(model), x, skip)
        assert np.array_equal(mine[1], theirs[1])
        assert np.allclose(mine[0], theirs[0], rtol=1e-5, atol=1e-6)


def test_embeddings_and_their_norm() -> None:
    words, segments = (
        RANDOM.integers(0, 9, (2, 5)).astype(np.int32),
        RANDOM.integers(0, 2, (2, 5)).astype(np.int32),
    )
    tables = {"w2": floats(9, 8), "w3": floats(7, 8), "w4": floats(2, 8), "w5": floats(8), "w6": floats(8)}
    mask = np.int32([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    inputs = {"x0": words, "x1": segments, "x7": mask}
    near("EmbedLayerNormalization", inputs, tables, 3, epsilon=1e-6)
    without = {name: x for name, x in tables.items() if name != "w4"}
    near("EmbedLayerNormalization", {"x0": words}, without, 2)
    places = RANDOM.integers(0, 7, (2, 5)).astype(np.int32)
    near("EmbedLayerNormalization", {"x0": words, "x8": places}, without, 2)


def test_quantized_embeddings_and_their_norm() -> None:
    words, segments = (RANDOM.integers(0, n, (2, 5)).astype(np.int32) for n in (9, 2))
    tables = {"w2": u8(9, 8), "w3": u8(7, 8), "w4": u8(2, 8), "w5": u8(8), "w6": u8(8)}
    tables |= {f"w{k}": np.float32(0.01 * k) for k in range(8, 13)}
    tables |= {f"w{k}": np.uint8(90 + k) for k in range(13, 18)}
    mask = np.int32([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]])
    near("QEmbedLayerNormalization", {"x0": words, "x1": segments, "x7": mask}, tables, 2, epsilon=1e-6)


# Attention


BIAS = {"w1": floats(12, 24), "w2": floats(24)}


@pytest.mark.parametrize(
    "mask",
    [
        np.int32([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]),
        np.int32([3, 5]),
        np.int32([3, 5, 0, 1]),
        RANDOM.integers(0, 2, (2, 5, 5)).astype(np.int32),
    ],
    ids=["keys", "ends", "ends and starts", "pairs"],
)
@pytest.mark.parametrize("causal", [0, 1])
def test_attention_with_masks(mask: np.ndarray, causal: int) -> None:
    near("Attention", {"x0": floats(2, 5, 12), "x3": mask}, BIAS, num_heads=2, unidirectional=causal)


def test_attention() -> None:
    x = floats(2, 5, 12)
    near("Attention", {"x0": x}, BIAS, num_heads=4)
    near("Attention", {"x0": x}, BIAS, num_heads=2, scale=0.7)
    near("Attention", {"x0": x, "x5": floats(1, 2, 5, 5)}, BIAS, num_heads=2)
    sizes = {"w1": floats(12, 20), "w2": floats(20)}
    near("Attention", {"x0": x}, sizes, num_heads=2, qkv_hidden_sizes=[8, 8, 4])
    past = floats(2, 2, 2, 3, 4)
    near("Attention", {"x0": x, "x4": past}, BIAS, 2, num_heads=2, unidirectional=1)
    near("Attention", {"x0": x}, BIAS, 2, num_heads=2)


def test_attention_of_quantized_operands() -> None:
    x = u8(2, 5, 12)
    for w, point, scales in (
        (u8(12, 24), np.uint8(100), np.float32(0.01)),
        (i8(12, 24), np.int8(3), floats(24) ** 2 / 99),
    ):
        weights = {"w1": w, "w2": floats(24), "w3": np.float32(0.01), "w4": scales, "w6": np.uint8(120)}
        weights["w7"] = np.full(scales.shape, point, w.dtype)
        x = np.clip(x, 0, 127) if w.dtype == np.int8 else x  # pairs of products that do not saturate 16 bits
        near("QAttention", {"x0": x}, weights, num_heads=2, rtol=1e-5)
        near(
            "QAttention", {"x0": x, "x5": np.int32([3, 5])}, weights, num_heads=2, unidirectional=1, rtol=1e-5
        )


def test_attention_of_several_heads() -> None:
    q, k, v = floats(2, 4, 12), floats(2, 6, 12), floats(2, 6, 8)
    near("MultiHeadAttention", {"x0": q, "x1": k, "x2": v}, num_heads=2)
    near("MultiHeadAttention", {"x0": q, "x1": k, "x2": v}, {"w3": floats(32)}, num_heads=2)
    mask = np.int32([[1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1]])
    near("MultiHeadAttention", {"x0": q, "x1": k, "x2": v, "x4": mask}, num_heads=2, mask_filter_value=-1e9)
    near("MultiHeadAttention", {"x0": q, "x1": k, "x2": v, "x5": floats(2, 1, 4, 6)}, num_heads=2)
    near("MultiHeadAttention", {"x0": q, "x1": q, "x2": q}, num_heads=3, unidirectional=1)
    near("MultiHeadAttention", {"x0": q, "x1": floats(2, 2, 6, 6), "x2": floats(2, 2, 6, 6)}, num_heads=2)
    past = {"x6": floats(2, 2, 3, 6), "x7": floats(2, 2, 3, 6)}
    near("MultiHeadAttention", {"x0": q, "x1": q, "x2": q, **past}, outputs=3, num_heads=2)


def test_heads_side_by_side_mean_the_same() -> None:
    """onnxruntime has no kernel for them on a CPU: it gets the parts."""
    parts = [floats(2, 4, 12) for _ in range(3)]
    q, k, v = (x.reshape(2, 4, 3, 1, 4) for x in parts)
    (_, theirs), *_ = both(
        "MultiHeadAttention", dict(zip(("x0", "x1", "x2"), parts, strict=True)), num_heads=3
    )
    for inputs in ({"x0": np.concatenate([q, k, v], 3)}, {"x0": parts[0], "x1": np.concatenate([k, v], 3)}):
        model = model_of("MultiHeadAttention", inputs, {}, num_heads=3)
        model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y0", 1, (2, 4, 12)))
        mine = interp.run(interp.load(model), *inputs.values())[0]
        assert np.allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def caches(rows: int, half: int) -> tuple[np.ndarray, np.ndarray]:
    angles = np.arange(rows)[:, None] / 10 ** np.linspace(0, 1, half)
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


@pytest.mark.parametrize("interleaved", [0, 1])
def test_rotary_embedding(interleaved: int) -> None:
    cos, sin = caches(9, 4)
    tables = {"w2": cos, "w3": sin}
    places = RANDOM.integers(0, 9, (2, 5)).astype(np.int64)
    near("RotaryEmbedding", {"x0": floats(2, 5, 16), "x1": places}, tables, interleaved=interleaved)
    near("RotaryEmbedding", {"x0": floats(2, 3, 5, 8), "x1": np.int64([2])}, tables, interleaved=interleaved)
    part = {"num_heads": 2, "rotary_embedding_dim": 8}
    near("RotaryEmbedding", {"x0": floats(2, 5, 24), "x1": places}, tables, interleaved=interleaved, **part)


@pytest.mark.parametrize(
    "ways",
    [
        {},
        {"local_window_size": 2},
        {"softcap": 1.5},
        {"do_rotary": 1},
        {"do_rotary": 1, "rotary_interleaved": 1},
        {"smooth_softmax": 1},
        {"scale": 0.3},
        {"packed": 1},
    ],
    ids=repr,
)
def test_attention_of_groups(ways: dict[str, Any]) -> None:
    cos, sin = caches(9, 8)
    tables = {"w5": np.int32([4, 4]), "w6": np.int32(5)}
    tables |= {"w7": cos, "w8": sin} if "do_rotary" in ways else {}
    inputs = {"x0": floats(2, 5, 64), "x1": floats(2, 5, 32), "x2": floats(2, 5, 32)}
    inputs = {"x0": floats(2, 5, 128)} if "packed" in ways else inputs
    rest = {name: value for name, value in ways.items() if name != "packed"}
    near("GroupQueryAttention", inputs, tables, 3, num_heads=4, kv_num_heads=2, rtol=4e-6, **rest)


def test_attention_of_groups_takes_lengths_that_are_arguments() -> None:
    inputs = {"x0": floats(2, 5, 64), "x1": floats(2, 5, 32), "x2": floats(2, 5, 32), "x5": np.int32([4, 4])}
    near("GroupQueryAttention", inputs, {"w6": np.int32(5)}, 3, num_heads=4, kv_num_heads=2, rtol=4e-6)


# Weights in blocks


def packed(numbers: np.ndarray, bits: int) -> np.ndarray:
    """Return numbers in bytes along the last dimension, the first ones in the low bits."""
    per = 8 // bits
    padded = np.pad(numbers, [(0, 0)] * (numbers.ndim - 1) + [(0, -numbers.shape[-1] % per)])
    parts = padded.reshape(*padded.shape[:-1], -1, per).astype(np.uint8)
    return (parts << (np.arange(per) * bits).astype(np.uint8)).sum(-1).astype(np.uint8)


@pytest.mark.parametrize("bits", [2, 4, 8])
@pytest.mark.parametrize("points", ["none", "packed", "floats"])
@pytest.mark.parametrize("columns", [64, 40])
def test_products_with_weights_in_blocks(bits: int, points: str, columns: int) -> None:
    if bits != 4 and points == "floats":
        pytest.skip("onnxruntime has no kernel for it on a CPU")
    rows, size = 6, 16
    count = -(-columns // size)
    stored = RANDOM.integers(0, 1 << bits, (rows, count, size))
    weights = {"w1": packed(stored, bits), "w2": np.abs(floats(rows, count)) + np.float32(0.1)}
    if points == "packed":
        weights["w3"] = packed(RANDOM.integers(0, 1 << bits, (rows, count)), bits)
    elif points == "floats":
        weights["w3"] = np.float32(RANDOM.uniform(0, 1 << bits, (rows, count)))
    weights["w5"] = floats(rows)
    ways = {"N": rows, "K": columns, "bits": bits, "block_size": size}
    near("MatMulNBits", {"x0": floats(2, 3, columns)}, weights, rtol=2e-6, **ways)


@pytest.mark.parametrize("kind", ["uint4", "int4", "packed"])
def test_gathered_weights_in_blocks(kind: str) -> None:
    import ml_dtypes

    stored = RANDOM.integers(-8 if kind == "int4" else 0, 8 if kind == "int4" else 16, (7, 3, 32))
    scales = np.abs(floats(7, 3, 2)) + np.float32(0.1)
    points = RANDOM.integers(0, 8, (7, 3, 2))
    indices = np.int64([[1, 6, -1], [0, 3, 2]])
    for given in (False, True):
        if kind == "packed":
            weights = {"w0": packed(stored, 4), "w2": scales}
            weights |= {"w3": packed(points, 4)} if given else {}
        else:
            dtype = getattr(ml_dtypes, kind)
            weights = {"w0": stored.astype(dtype), "w2": scales}
            weights |= {"w3": points.astype(dtype)} if given else {}
        equal(
            "GatherBlockQuantized",
            {"x1": indices},
            weights,
            gather_axis=0,
            quantize_axis=2,
            block_size=16,
            bits=4,
        )


# Quantized operators


def test_integer_products_that_become_floats() -> None:
    for a, b in ((u8(2, 3, 16), u8(16, 5)), (i8(3, 16), i8(16, 5)), (u8(3, 16) // 2, i8(16, 5))):
        for scales, points in ((np.float32(0.03), b[0, 0]), (np.abs(floats(5)), b[0])):
            weights = {"w1": b, "w2": np.float32(0.02), "w3": scales, "w4": a.reshape(-1)[0], "w5": points}
            equal("MatMulIntegerToFloat", {"x0": a}, weights)
            near("MatMulIntegerToFloat", {"x0": a}, {**weights, "w6": floats(5)}, rtol=2e-7)
        equal("MatMulIntegerToFloat", {"x0": a}, {"w1": b, "w2": np.float32(0.02), "w3": np.float32(0.3)})


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_quantized_gemm(dtype: Any) -> None:
    a, b = (RANDOM.integers(0, 256, shape).astype(np.uint8).view(dtype) for shape in ((7, 16), (5, 16)))
    own = {
        "w1": np.float32(0.02),
        "w2": a[0, 0],
        "w3": b,
        "w6": RANDOM.integers(-999, 999, 5).astype(np.int32),
    }
    out = {"w7": np.float32(0.31), "w8": a[0, 1]}
    for scales, points in ((np.float32(0.03), b[0, 0]), (np.abs(floats(5)) / 9, np.zeros(5, dtype))):
        weights = {**own, "w4": scales, "w5": points}
        equal("QGemm", {"x0": a}, {**weights, **out}, transB=1)
        equal("QGemm", {"x0": a}, weights, transB=1, alpha=0.5)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_quantized_functions_of_many_types(dtype: Any) -> None:
    """Every number of 8 bits: tables in onnxruntime, and no sum whose order could matter."""
    every = np.arange(256).astype(np.uint8).view(dtype)
    for _ in range(6):
        points = RANDOM.choice(every, 3)
        scales = np.float32(10 ** RANDOM.uniform(-3, 0, 3))
        own = {"w1": scales[0], "w2": points[0], "w3": scales[1], "w4": points[1]}
        equal("QLinearLeakyRelu", {"x0": every}, own, alpha=0.07)
        equal("QLinearSigmoid", {"x0": every}, {**own, "w3": np.float32(1 / 256)})
        types = {
            "w0": scales[2],
            "w1": points[2],
            "w3": scales[0],
            "w4": points[0],
            "w6": scales[1],
            "w7": points[1],
        }
        equal("QLinearConcat", {"x2": every, "x5": every[::3].copy()}, types, axis=0)


def test_products_of_16_bits() -> None:
    x, y = (RANDOM.integers(-999, 999, shape).astype(np.int16) for shape in ((2, 3, 5), (5, 4)))
    equal("MatMulInteger16", {"x0": x, "x1": y})


def test_products_of_what_is_quantized_when_it_runs() -> None:
    for b, point in ((u8(16, 5), u8(5)), (i8(16, 5) // 2, np.int8(2))):
        weights = {"w1": b, "w2": np.abs(floats(*point.shape)), "w3": point}
        equal("DynamicQuantizeMatMul", {"x0": floats(2, 3, 16)}, weights)
        near("DynamicQuantizeMatMul", {"x0": floats(3, 16)}, {**weights, "w4": floats(5)}, rtol=2e-7)


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_quantized_operators_with_features_behind(dtype: Any) -> None:
    x = RANDOM.integers(0, 256, (2, 6, 7, 4)).astype(np.uint8).view(dtype)
    own = {"w1": np.float32(0.02), "w2": x[0, 0, 0, 0], "w3": np.float32(0.03), "w4": x[0, 0, 0, 1]}
    pool = {"kernel_shape": [3, 2], "pads": [1, 0, 1, 1], "channels_last": 1}
    equal("QLinearAveragePool", {"x0": x}, own, **pool)
    equal("QLinearAveragePool", {"x0": x}, own, count_include_pad=1, **pool)
    equal("QLinearGlobalAveragePool", {"x0": x}, own, channels_last=1)
    equal("NhwcMaxPool", {"x0": x}, kernel_shape=[3, 2], strides=[2, 1], pads=[1, 0, 1, 1])
    weights = {
        "w1": np.float32(0.02),
        "w2": x[0, 0, 0, 0],
        "w3": i8(5, 4, 3, 3) // 2,
        "w4": np.abs(floats(5)),
        "w5": np.zeros(5, np.int8),
    }
    weights |= {
        "w6": np.float32(0.9),
        "w7": x[0, 0, 0, 1],
        "w8": RANDOM.integers(-99, 99, 5).astype(np.int32),
    }
    few = x // 2 if dtype == np.uint8 else x  # pairs of products that do not saturate 16 bits
    equal("QLinearConv", {"x0": few}, weights, channels_last=1, pads=[1, 1, 0, 2], strides=[1, 2])
    first = few.transpose(0, 3, 1, 2).copy()
    equal("QLinearConv", {"x0": first}, weights, channels_last=0, pads=[1, 1, 0, 2])


@pytest.mark.parametrize("scale", [1 / 256, 1 / 200, 0.0043])
def test_quantized_softmax(scale: float) -> None:
    """onnxruntime divides by `1 / floor(1 / y_scale)`, which is `y_scale` where that is a whole number."""
    x, own = u8(3, 40, 12), {"w1": np.float32(0.05), "w2": np.uint8(9)}
    results = []
    for y_scale in (scale, 1 / np.floor(1 / scale)):
        quantized = {**own, "w3": np.float32(y_scale), "w4": np.uint8(2)}
        results += both("QLinearSoftmax", {"x0": x}, quantized, axis=-1, opset=13)
    (mine, theirs), (with_whole, _) = ((x.astype(int), y.astype(int)) for x, y in results)
    assert np.abs(with_whole - theirs).max() <= 1
    assert (with_whole != theirs).mean() < 0.002  # a quotient near a tie: their exp is that of f64 in f32
    assert np.abs(mine - theirs).max() <= 1


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_elements_of_two_quantized_tensors(dtype: Any) -> None:
    x, y = (RANDOM.integers(0, 256, shape).astype(np.uint8).view(dtype) for shape in ((64, 5), (5,)))
    chosen = RANDOM.integers(0, 2, (64, 1)).astype(bool)
    types = {"w2": np.float32(0.02), "w3": x[0, 0], "w5": np.float32(0.05), "w6": y[0]}
    types |= {"w7": np.float32(0.03), "w8": x[0, 1]}
    equal("QLinearWhere", {"x0": chosen, "x1": x, "x4": y}, types)


def test_a_mean_of_quantized_numbers_is_its_formula() -> None:
    """onnxruntime has no kernel for it on a CPU; sums and scales are exact here."""
    x = u8(4, 6, 8)
    own = {"w1": np.float32(0.25), "w2": np.uint8(7), "w3": np.float32(0.125), "w4": np.uint8(9)}
    model = model_of("QLinearReduceMean", {"x0": x}, own, axes=[2], keepdims=0)
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y0", 2, (4, 6)))
    mean = (x.astype(np.float64) - 7).mean(2) * 0.25
    expected = np.clip(np.rint(mean / 0.125) + 9, 0, 255)
    assert np.array_equal(np.asarray(interp.run(interp.load(model), x)[0]), expected)


@pytest.mark.parametrize("kind", ["uint8", "int8", "uint16", "int16", "uint4", "int4"])
def test_quantization_as_quantizers_write_it_before_opset_21(kind: str) -> None:
    import ml_dtypes

    dtype = np.dtype(getattr(ml_dtypes, kind, None) or kind)
    x = floats(6, 5) * 9
    for axis, shape in ((None, ()), (1, (5,))):
        scale = np.full(shape, 0.31, np.float32)
        point = np.ones(shape, dtype)
        ways = {} if axis is None else {"axis": axis}
        models = (model_of("QuantizeLinear", {"x0": x}, {"w1": scale, "w2": point}, **ways),)
        models[0].graph.node.append(
            helper.make_node("DequantizeLinear", ["y0", "w1", "w2"], ["z"], domain="com.microsoft", **ways)
        )
        models[0].graph.output[0].CopyFrom(helper.make_tensor_value_info("z", 1, x.shape))
        theirs = ort.InferenceSession(models[0].SerializeToString()).run(None, {"x0": x})[0]
        assert np.array_equal(interp.run(interp.load(models[0]), x)[0], theirs)


# Others


@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("rows", [1, 20])
def test_recurrence_of_integers(direction: str, rows: int) -> None:
    """Weights have 7 bits: without VNNI, onnxruntime's sums of larger ones saturate."""
    count = 2 if direction == "bidirectional" else 1
    parameters = (count,) if rows == 1 else (count, rows)

    def stored(*shape: int) -> np.ndarray:
        return RANDOM.integers(-64, 64, shape).astype(np.int8)

    weights = {"w1": stored(count, 6, 20), "w2": stored(count, 5, 20), "w3": floats(count, 40)}
    for k in (8, 10):
        weights |= {f"w{k}": RANDOM.uniform(0.002, 0.01, parameters).astype(np.float32)}
        weights |= {f"w{k + 1}": np.zeros(parameters, np.int8)}
    inputs = {"x0": floats(7, 3, 6), "x5": floats(count, 3, 5), "x6": floats(count, 3, 5)}
    near("DynamicQuantizeLSTM", inputs, weights, 3, hidden_size=5, direction=direction)


def test_operators_that_onnx_has_today_too() -> None:
    x = floats(2, 3, 4)
    equal("Pad", {"x0": x}, {"w1": np.int64([0, 1, 2, 1, 0, 0]), "w2": np.float32([7])}, mode="constant")
    equal("Pad", {"x0": x}, {"w1": np.int64([0, 1, 2, 1, 0, 0])}, mode="edge")
    for axis in (-4, -1, 0, 2):
        equal("ExpandDims", {"x0": x}, {"w1": np.int32(axis)})
    equal("Range", {}, {"w0": np.float32(1), "w1": np.float32(3), "w2": np.float32(0.25)})
    equal("Range", {}, {"w0": np.int64(5), "w1": np.int64(9)})
    equal("GatherND", {"x0": x}, {"w1": np.int64([[1, 2], [0, -1]])})
    grid = RANDOM.uniform(-1.2, 1.2, (2, 5, 6, 2)).astype(np.float32)
    for mode, padding in (("bilinear", "zeros"), ("nearest", "border"), ("bicubic", "reflection")):
        ways = {"mode": mode, "padding_mode": padding, "align_corners": 1}
        near("GridSample", {"x0": floats(2, 3, 4, 7), "x1": grid}, rtol=4e-6, **ways)


def test_matrices() -> None:
    near("Inverse", {"x0": floats(2, 5, 5)}, rtol=1e-5)
    near("Inverse", {"x0": RANDOM.normal(0, 1, (3, 3))}, rtol=1e-13)
    swapped = np.float32(
        [[0, 2, 0], [0, 0, 4], [8, 0, 0]]
    )  # without rows that change places, it divides by 0
    equal("Inverse", {"x0": swapped})
    for metric in ("euclidean", "sqeuclidean"):
        near("CDist", {"x0": floats(4, 6), "x1": floats(5, 6)}, metric=metric, rtol=4e-6)


def loaded(op: str, results: Any, inputs: Any, weights: Any, **attributes: Any) -> Any:
    """Return our results of an operator without a kernel on a CPU; results: arrays of their shapes."""
    model = model_of(op, inputs, weights, len(results), **attributes)
    for info, y in zip(model.graph.output, results, strict=True):
        info.CopyFrom(helper.make_tensor_value_info(info.name, 1, y.shape))
    return [np.asarray(y) for y in interp.run(interp.load(model), *inputs.values())]


@pytest.mark.parametrize("is_last", [0, 1])
@pytest.mark.parametrize("activation", [0, 1])
def test_normalization_of_groups_is_its_formula(is_last: int, activation: int) -> None:
    x, skip, bias, gamma, beta = floats(2, 6, 3, 4), floats(2, 6, 3, 4), *(floats(6) for _ in range(3))
    total = (x + skip + bias[:, None, None]).astype(np.float64)
    grouped = total.reshape(2, 3, -1)
    unit = (grouped - grouped.mean(2, keepdims=True)) / np.sqrt(grouped.var(2, keepdims=True) + 1e-5)
    y = unit.reshape(total.shape) * gamma[:, None, None] + beta[:, None, None]
    y = y / (1 + np.exp(-y)) if activation else y
    if is_last:
        x, skip, y, total = (np.ascontiguousarray(v.transpose(0, 2, 3, 1)) for v in (x, skip, y, total))
    ways = {"groups": 3, "activation": activation, "channels_last": is_last}
    weights = {"w1": gamma, "w2": beta}
    if is_last:
        mine = loaded("SkipGroupNorm", [y, total], {"x0": x, "x3": skip}, weights | {"w4": bias}, **ways)
        np.testing.assert_allclose(mine[1], total, rtol=1e-6, atol=1e-6)
    else:
        mine = loaded("GroupNorm", [y], {"x0": total.astype(np.float32)}, weights, **ways)
    np.testing.assert_allclose(mine[0], y, rtol=1e-5, atol=1e-5)


def test_sums_and_products_without_kernels_are_their_formulas() -> None:
    x, bias, skip, w = floats(2, 3, 4), floats(4), floats(2, 3, 4), floats(4, 4)
    (y,) = loaded("BiasAdd", [x], {"x0": x, "x2": skip}, {"w1": bias})
    assert np.array_equal(y, x + bias + skip)
    (y,) = loaded("GemmFastGelu", [x], {"x0": x}, {"w1": w, "w2": bias})
    z = (x.astype(np.float64) @ w + bias).astype(np.float64)
    gelu = z / 2 * (1 + np.tanh(0.7978845608 * z + 0.035677408136 * z**3))
    np.testing.assert_allclose(y, gelu, rtol=1e-5, atol=1e-6)
    image, kernel = floats(1, 5, 4, 3), floats(2, 3, 2, 2)
    turned = {"x0": np.ascontiguousarray(image.transpose(0, 3, 1, 2))}
    ((conv, _),) = both("Conv", turned, {"w1": kernel, "w2": bias[:2]}, domain="", strides=[2, 1])
    conv = conv.transpose(0, 2, 3, 1)
    (y,) = loaded("NhwcConv", [conv], {"x0": image}, {"w1": kernel, "w2": bias[:2]}, strides=[2, 1])
    assert np.array_equal(y, conv)


# What is refused


BLOCKS = {"K": 16, "N": 4, "block_size": 16}
ROWS = {"x0": floats(2, 16)}
SCALES = {"w2": floats(4, 1)}
TOKENS = {"x0": floats(2, 5, 12)}
WIDE_MASK = np.zeros((2, 1, 9, 9), np.int32)
TURNS = {"w2": floats(9, 4), "w3": floats(9, 4)}
GROUPS = {"num_heads": 2, "kv_num_heads": 1}
BNB4 = {"K": 16, "N": 16, "block_size": 16, "quant_type": 1}


@pytest.mark.parametrize(
    ("op", "inputs", "weights", "attributes", "reason"),
    [
        ("MatMulBnb4", ROWS, {"w1": u8(128), "w2": floats(16)}, BNB4, "floats of a table"),
        ("MatMulNBits", ROWS, {"w1": u8(4, 1, 8), "w4": np.zeros(16, np.int32), **SCALES}, BLOCKS, "g_idx"),
        ("MatMulNBits", ROWS, {"w1": u8(4, 1, 7), **SCALES}, BLOCKS, r"weights of shape \[4, 1, 7\]"),
        ("MatMulNBits", ROWS, {"w1": u8(4, 1, 8), **SCALES}, {**BLOCKS, "bits": 3}, "3 bits"),
        ("MatMulNBits", ROWS, {"w1": u8(4, 1, 8), **SCALES}, {**BLOCKS, "weight_prepacked": 1}, "one device"),
        (
            "FusedConv",
            {"x0": floats(1, 2, 3, 3)},
            {"w1": floats(2, 2, 1, 1)},
            {"activation": "Mish"},
            "activation 'Mish'",
        ),
        ("Attention", TOKENS, BIAS, {"num_heads": 2, "do_rotary": 1}, "do_rotary"),
        ("Attention", {"x3": WIDE_MASK, **TOKENS}, BIAS, {"num_heads": 2}, "a mask of shape"),
        ("Attention", TOKENS, BIAS, {"num_heads": 5}, "in 5 heads"),
        (
            "GroupQueryAttention",
            {"x0": floats(1, 1, 32), "x3": floats(1, 1, 4, 8), "x4": floats(1, 1, 4, 8)},
            {"w5": np.int32([4]), "w6": np.int32(5)},
            GROUPS,
            "a past",
        ),
        (
            "RotaryEmbedding",
            {"x0": floats(1, 5, 16), "x1": np.int64([0])},
            TURNS,
            {"is_packed_batching": 1},
            "is_packed_batching",
        ),
    ],
)
def test_refusals_name_the_node_and_the_reason(
    op: str, inputs: Any, weights: Any, attributes: Any, reason: str
) -> None:
    model = model_of(op, inputs, weights, **attributes)
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y0", 1, ["a", "b"]))
    with pytest.raises(InterpError, match=rf"node 'n' \({op}\)(.|\n)*{reason}"):
        interp.load(model)


def test_layouts_of_one_cpu_are_refused_with_advice() -> None:
    weights = {"w1": floats(8, 8, 1, 1)}
    model = model_of("Conv", {"x0": floats(1, 8, 3, 3)}, weights, domain="com.microsoft.nchwc")
    model.opset_import.append(helper.make_opsetid("com.microsoft.nchwc", 1))
    model.graph.output[0].CopyFrom(helper.make_tensor_value_info("y0", 1, (1, 8, 3, 3)))
    with pytest.raises(Unsupported, match=r"com\.microsoft\.nchwc\.Conv(.|\n)*ORT_ENABLE_EXTENDED"):
        interp.load(model)
