"""Operators of com.microsoft on all pairs of 8-bit numbers, against onnxruntime's kernels."""

# ruff: noqa: E402

from __future__ import annotations

import platform
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

onnx = pytest.importorskip("onnx")
ort = pytest.importorskip("onnxruntime")

from onnx import helper, numpy_helper

import interp

DYADIC = ((0.5, 0), (0.25, 0), (0.5, 1))  # many ties, an odd zero point
OTHERS = ((0.021, 3), (0.017, 100), (0.03, 5))


RECIPE = {"reading": "integer", "recipe": "onnxruntime"}


def differing(
    op: str, operands: list[np.ndarray], types: Any, ways: Any = None, **attributes: Any
) -> np.ndarray:
    """Return by how many steps each element differs; types: scale and zero point of operands and result."""
    dtype = operands[0].dtype
    element = helper.np_dtype_to_tensor_dtype(dtype)
    used = [*types[: len(operands)], types[2]]
    weights = {f"s{k}": np.float32(s) for k, (s, _) in enumerate(used)}
    weights |= {f"z{k}": np.asarray(z, dtype) for k, (_, z) in enumerate(used)}
    inputs = [name for k in range(len(operands)) for name in (f"x{k}", f"s{k}", f"z{k}")]
    result = [f"s{len(operands)}", f"z{len(operands)}"]
    names = [*result, *inputs] if op == "QLinearConcat" else [*inputs, *result]
    graph = helper.make_graph(
        [helper.make_node(op, names, ["y"], domain="com.microsoft", **attributes)],
        "g",
        [helper.make_tensor_value_info(f"x{k}", element, x.shape) for k, x in enumerate(operands)],
        [helper.make_tensor_value_info("y", element, list("abcd"[: max(x.ndim for x in operands)]))],
        [numpy_helper.from_array(array, name) for name, array in weights.items()],
    )
    opsets = [helper.make_opsetid("", 18), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8).SerializeToString()
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 3
    session = ort.InferenceSession(model, options)
    theirs = session.run(None, {f"x{k}": x for k, x in enumerate(operands)})[0]
    mine = np.asarray(interp.run(interp.load(model), *operands, **(ways or {}))[0])
    return np.abs(mine.astype(int) - theirs.astype(int))


@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
@pytest.mark.parametrize("types", [DYADIC, OTHERS])
def test_operators_on_quantized_tensors(dtype: Any, types: Any) -> None:
    numbers = np.arange(256).astype(np.uint8).view(dtype)
    first, second = (x.reshape(1, 256, 256) for x in (np.repeat(numbers, 256), np.tile(numbers, 256)))
    image = first.reshape(4, 16, 32, 32)
    pool = {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1], "channels_last": 0}
    assert not differing("QLinearMul", [first, second], types).any()
    assert not differing("QLinearConcat", [first, second], types, axis=1).any()
    assert not differing("QLinearSigmoid", [numbers], [types[0], types[0], (1 / 256, 0)]).any()
    assert not differing("QLinearLeakyRelu", [numbers], types, alpha=0.1).any()
    assert not differing("QLinearAveragePool", [image], types, **pool).any()
    assert not differing("QLinearGlobalAveragePool", [image], types, channels_last=0).any()
    apart = differing("QLinearAdd", [first, second], types)
    if types is DYADIC:  # every step is exact, so that only ties could tell
        assert not apart.any()
    else:  # onnxruntime multiplies by ratios of scales: the recipe `onnxruntime`
        assert apart.max() <= 1
        assert (apart > 0).mean() < 0.01


ANY = st.floats(1e-3, 2.0) | st.integers(-8, 1).map(lambda k: 2.0**k)
SHAPES = [
    ((256, 256), (256, 256)),
    ((1, 256), (256, 1)),
    ((256, 1), (256,)),
    ((256, 1, 1), (1, 256, 1)),
    ((1,), (256, 1)),
    ((256,), (1, 1)),
    ((), (1,)),
]


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="another kernel adds elsewhere")
@pytest.mark.filterwarnings("ignore:.*the recipe onnxruntime is not used")  # of equal scales
@given(
    st.sampled_from([np.uint8, np.int8]),
    st.lists(st.tuples(ANY.map(np.float32), st.integers(0, 255)), min_size=3, max_size=3),
    st.sampled_from(SHAPES),
    st.integers(0, 9),
)
def test_sums_by_the_recipe_have_onnxruntimes_bits(dtype: Any, types: Any, shapes: Any, seed: int) -> None:
    """Pairs of all numbers; which operand is added first depends on which one is repeated."""
    types = [(scale, point + np.iinfo(dtype).min) for scale, point in types]
    numbers = np.arange(256).astype(np.uint8).view(dtype)
    rng = np.random.default_rng(seed)
    if shapes == SHAPES[0]:
        operands = [np.repeat(numbers, 256).reshape(256, 256), np.tile(numbers, (256, 1))]
    else:
        operands = [np.resize(rng.permutation(numbers), shape) for shape in shapes]
    assert not differing("QLinearAdd", operands, types, RECIPE).any()


def test_the_recipe_is_not_the_documented_formula() -> None:
    numbers = np.arange(256).astype(np.uint8)
    pairs = [np.repeat(numbers, 256).reshape(256, 256), np.tile(numbers, (256, 1))]
    steps = [
        differing("QLinearAdd", pairs, OTHERS, ways).sum()
        for ways in ({}, RECIPE, {**RECIPE, "recipe": "onnx"})
    ]
    assert steps[0] > 0
    assert steps[1] == 0 or platform.machine() not in ("x86_64", "AMD64")
    assert steps[2] > 0
