"""LiteRT's reference kernels at the edges of their formulas, each beside LiteRT itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import interp

m: Any = pytest.importorskip("interp.apps.runtimes.litert_model")
pytest.importorskip("ai_edge_litert")
I16, UNIT = np.arange(-32768, 32768, 129, np.int16), [2.0**-15]


def sum_of_powers(name: str) -> tuple[bytes, list[np.ndarray]]:
    """Scales that are powers of two: the kernel shifts one operand, and does not multiply."""
    x, y, out = (m.Slot("int16", I16.shape, [2.0**k], [0]) for k in (-12, -10, -10))
    operator = m.Operator(name, f"{name.title()}Options", {"fusedActivationFunction": 3}, 3)
    return m.one_operator(operator, [x, y], out), [I16, I16[::-1] // 3]


def sum_of_near_powers() -> tuple[bytes, list[np.ndarray]]:
    slots = [
        m.Slot("int16", I16.shape, [2.0**k * by], [0]) for k, by in ((-12, 1.0004), (-10, 0.9998), (-10, 1))
    ]
    return m.one_operator(m.Operator("ADD", "AddOptions", {}, 3), slots[:2], slots[2]), [I16, I16[::-1] // 3]


def sigmoid_near_a_power(name: str) -> tuple[bytes, list[np.ndarray]]:
    """A scale within 0.07 % of 2^-12 is taken for 2^-12."""
    x, out = m.Slot("int16", I16.shape, [2.0**-12 * 1.0003], [0]), m.Slot("int16", I16.shape, UNIT, [0])
    return m.one_operator(m.Operator(name, "", {}, 3), [x], out), [I16]


def sigmoid_at_a_tie() -> tuple[bytes, list[np.ndarray]]:
    """8 steps of 2^-10: 1 / (1 + e^-x) is a tie if it is rounded once, and below it if every step is."""
    x, out = m.Slot("int8", (256,), [2.0**-10], [-12]), m.Slot("int8", (256,), [1 / 256], [-128])
    return m.one_operator(m.Operator("LOGISTIC", "", {}, 2), [x], out), [np.arange(-128, 128, dtype=np.int8)]


def beyond_16_bits(name: str, scale: float, unit: float) -> tuple[bytes, list[np.ndarray]]:
    """Numbers of a table that are infinite, or whose differences need 17 bits, which wrap."""
    q = np.arange(-300, 300, dtype=np.int16)
    slots = m.Slot("int16", q.shape, [scale], [0]), m.Slot("int16", q.shape, [unit], [0])
    return m.one_operator(m.Operator(name, "", {}, 2), slots[:1], slots[1]), [q]


def steep_softmax() -> tuple[bytes, list[np.ndarray]]:
    """A scale so large that one step is as good as none: only the largest of a row count."""
    x, out = m.Slot("int8", (2, 3), [136.0], [5]), m.Slot("int8", (2, 3), [1 / 256], [-128])
    content = m.one_operator(m.Operator("SOFTMAX", "SoftmaxOptions", {"beta": 1.0}, 2), [x], out)
    return content, [np.array([[4, 5, 5], [-128, 127, 126]], np.int8)]


def slice_that_drops_an_open_start() -> tuple[bytes, list[np.ndarray]]:
    """A dropped dimension whose start is open gives its first element, not the one that is named."""
    numbers = [m.Slot("int32", (2,), data=np.array(pair, np.int32)) for pair in ([2, 1], [3, 4], [1, 1])]
    operator = m.Operator("STRIDED_SLICE", "StridedSliceOptions", {"beginMask": 1, "shrinkAxisMask": 1}, 2)
    x, out = m.Slot("float32", (4, 5)), m.Slot("float32", (3,))
    return m.one_operator(operator, [x, *numbers], out), [np.arange(20, dtype=np.float32).reshape(4, 5)]


def transposed_without_bias(bias_type: int) -> tuple[bytes, list[np.ndarray]]:
    """Without a bias, the options say whether sums have 32 bits and are rounded twice, or 64 and once."""
    rng = np.random.default_rng(3)
    shape = m.Slot("int32", (4,), data=np.array([1, 11, 13, 2], np.int32))
    w = m.Slot("int8", (2, 4, 4, 5), [0.0005], [0], data=rng.integers(-127, 128, (2, 4, 4, 5)))
    x, out = m.Slot("int16", (1, 6, 7, 5), [0.0344], [0]), m.Slot("int16", (1, 11, 13, 2), [0.05], [0])
    values = {"strideW": 2, "strideH": 2, "quantizedBiasType": bias_type}
    operator = m.Operator("TRANSPOSE_CONV", "TransposeConvOptions", values, 3)
    return m.one_operator(operator, [shape, w, x], out), [
        rng.integers(-32768, 32768, x.shape).astype(np.int16)
    ]


def draw(dtype: str, *shape: int) -> np.ndarray:
    ends = np.iinfo(dtype)
    return np.random.default_rng(7).integers(ends.min, ends.max, shape, dtype, endpoint=True)


def product_of_16_bits() -> tuple[bytes, list[np.ndarray]]:
    """Sums of 64 bits: 20 products of 2^30 each leave 32 bits."""
    x, y = m.Slot("int16", (2, 4, 20), [0.001], [0]), m.Slot("int16", (5, 20), [0.0003], [0])
    operator = m.Operator("BATCH_MATMUL", "BatchMatMulOptions", {"adjY": True}, 2)
    content = m.one_operator(operator, [x, y], m.Slot("int16", (2, 4, 5), [0.03], [0]))
    return content, [draw("int16", *x.shape), draw("int16", *y.shape)]


def rectifier_by_bytes() -> tuple[bytes, list[np.ndarray]]:
    x, out = (m.Slot("int16", (4, 9), [scale], [0]) for scale in (0.001, 0.0003))
    alpha = m.Slot("int8", (9,), [0.01], [3], data=draw("int8", 9))
    return m.one_operator(m.Operator("PRELU"), [x, alpha], out), [draw("int16", 4, 9)]


def softmax_to_16_bits() -> tuple[bytes, list[np.ndarray]]:
    x, out = m.Slot("int8", (9, 40), [0.05], [5]), m.Slot("int16", (9, 40), [2.0**-16], [-32768])
    return m.one_operator(m.Operator("SOFTMAX", "SoftmaxOptions", {"beta": 1.0}, 2), [x], out), [
        draw("int8", 9, 40)
    ]


def quantized_by_channel() -> tuple[bytes, list[np.ndarray]]:
    x, out = m.Slot("float32", (40, 3)), m.Slot("int8", (40, 3), [0.1, 0.5, 0.001], [3, -4, 0], 1)
    numbers = np.arange(-60, 60, dtype=np.float32).reshape(40, 3) / 4
    return m.one_operator(m.Operator("QUANTIZE", "QuantizeOptions", {}, 3), [x], out), [numbers]


def quantized_to_32_bits() -> tuple[bytes, list[np.ndarray]]:
    x, out = m.Slot("int16", I16.shape, [0.0123], [0]), m.Slot("int32", I16.shape, [0.01], [7])
    return m.one_operator(m.Operator("QUANTIZE", "QuantizeOptions", {}, 3), [x], out), [I16]


def scattered(dtype: str, **scales: Any) -> tuple[bytes, list[np.ndarray]]:
    """Two updates of one row are added; of integers of 8 bits, the sum wraps."""
    shape = m.Slot("int32", (2,), data=np.array([4, 2], np.int32))
    places, x = m.Slot("int32", (3, 1)), m.Slot(dtype, (3, 2), **scales)
    updates = np.array([[100, 1], [100, 2], [5, 6]], dtype)
    content = m.one_operator(
        m.Operator("SCATTER_ND", "ScatterNdOptions"), [places, x, shape], x._replace(shape=(4, 2))
    )
    return content, [np.array([[3], [3], [0]], np.int32), updates]


def quotients(name: str, dtype: str) -> tuple[bytes, list[np.ndarray]]:
    x, y = np.array([7, -7, 7, -7, 6, -6, 0], dtype), np.array([2, 2, -2, -2, 3, 3, -5], dtype)
    slot = m.Slot(dtype, x.shape)
    options = f"{'FloorDiv' if name == 'FLOOR_DIV' else 'Div'}Options"
    return m.one_operator(m.Operator(name, options, {}, 2), [slot, slot], slot), [x, y]


def no_copies() -> tuple[bytes, list[np.ndarray]]:
    counts = m.Slot("int32", (2,), data=np.array([2, 0], np.int32))
    content = m.one_operator(
        m.Operator("TILE"), [m.Slot("float32", (2, 3)), counts], m.Slot("float32", (4, 0))
    )
    return content, [np.ones((2, 3), np.float32)]


CASES: dict[str, Callable[[], tuple[bytes, list[np.ndarray]]]] = {
    "ADD of powers": lambda: sum_of_powers("ADD"),
    "SUB of powers": lambda: sum_of_powers("SUB"),
    "ADD of near powers": sum_of_near_powers,
    "TANH near a power": lambda: sigmoid_near_a_power("TANH"),
    "LOGISTIC near a power": lambda: sigmoid_near_a_power("LOGISTIC"),
    "LOGISTIC at a tie": sigmoid_at_a_tie,
    "EXP beyond floats": lambda: beyond_16_bits("EXP", 0.5, 0.01),
    "LOG with steps of 17 bits": lambda: beyond_16_bits("LOG", 4.0, 0.0001),
    "GELU with steps of 17 bits": lambda: beyond_16_bits("GELU", 4.0, 0.0007),
    "a steep SOFTMAX": steep_softmax,
    "a slice": slice_that_drops_an_open_start,
    "sums of 32 bits": lambda: transposed_without_bias(2),
    "sums of 64 bits": lambda: transposed_without_bias(4),
    "BATCH_MATMUL of i16": product_of_16_bits,
    "PRELU of i16 by i8": rectifier_by_bytes,
    "SOFTMAX of i8 to i16": softmax_to_16_bits,
    "QUANTIZE by channel": quantized_by_channel,
    "QUANTIZE of i16 to i32": quantized_to_32_bits,
    "SCATTER_ND of i8": lambda: scattered("int8", scales=[0.1], zero_points=[3]),
    "SCATTER_ND of f32": lambda: scattered("float32"),
    "DIV of i32": lambda: quotients("DIV", "int32"),
    "FLOOR_DIV of i32": lambda: quotients("FLOOR_DIV", "int32"),
    "FLOOR_DIV of i8": lambda: quotients("FLOOR_DIV", "int8"),
    "TILE by 0": no_copies,
}


@pytest.mark.parametrize("name", CASES)
def test_an_edge_has_the_bits_of_the_reference_kernels(name: str) -> None:
    content, args = CASES[name]()
    (ours,) = interp.run(interp.load(content), *args)
    (theirs,) = m.run(content, args, "reference")
    assert np.array_equal(ours.storage, theirs)


@pytest.mark.parametrize("name", ["ADD", "MUL"])
def test_a_fused_tanh_is_left_out_as_in_litert_and_has_an_event(name: str) -> None:
    slots = [m.Slot("float32", (3,)) for _ in range(3)]
    operator = m.Operator(name, f"{name.title()}Options", {"fusedActivationFunction": 4})
    content = m.one_operator(operator, slots[:2], slots[2])
    x = np.array([3, 0.5, -2], np.float32)
    trace = interp.trace(interp.load(content), x, x)
    assert np.array_equal(trace.results[0].storage, m.run(content, [x, x], "reference")[0])
    assert trace.counts == {"fault": 3}


def test_a_difference_beyond_the_range_of_the_kernel_is_exact_and_has_an_event() -> None:
    x, out = m.Slot("int8", (2,), [1024.0], [3]), m.Slot("int8", (2,), [2.0**-11], [0])
    content = m.one_operator(m.Operator("SUB", "SubOptions", {}, 2), [x, x], out)
    trace = interp.trace(interp.load(content), np.array([5, 7], np.int8), np.array([5, 6], np.int8))
    assert np.asarray(trace.results[0].storage).tolist() == [0, 127]
    assert trace.counts["fault"] == 2


def test_an_index_out_of_range_at_which_litert_stops_has_an_event() -> None:
    places, x = m.Slot("int32", (4,)), m.Slot("float32", (3,))
    content = m.one_operator(m.Operator("GATHER", "GatherOptions"), [x, places], m.Slot("float32", (4,)))
    x = np.array([5, 6, 7], np.float32)
    trace = interp.trace(interp.load(content), x, np.array([0, 3, -1, 2], np.int32))
    assert trace.counts == {"fault": 2}
    assert trace.results[0].tolist() == [5, 7, 5, 7]
    content, args = scattered("float32")
    assert interp.trace(interp.load(content), *args).counts["fault"] == 0
    args[0][1] = 4
    assert interp.trace(interp.load(content), *args).counts["fault"] == 1


def refused() -> dict[str, tuple[bytes, str]]:
    weights = m.Slot("int8", (2, 3), [0.1, 0.2], [3, -4], 0, np.ones((2, 3)))
    types = [m.Slot("int8", (1, n), [0.1], [0]) for n in (3, 2)]
    dense = m.Operator("FULLY_CONNECTED", "FullyConnectedOptions", {}, 4)
    ints, wide = m.Slot("int32", (3,)), m.Slot("int16", (3,), [0.1], [0])
    pads = m.Slot("int32", (1, 2), data=np.array([[1, 1]]))
    fill = m.Slot("float32", (1,), data=np.zeros(1))
    padded = m.one_operator(
        m.Operator("PADV2", "PadV2Options", {}, 2), [wide, pads, fill], wide._replace(shape=(5,))
    )
    return {
        "zero points of channels": (
            m.one_operator(dense, [types[0], weights, None], types[1]),
            "zero points",
        ),
        "PRELU of i32": (m.one_operator(m.Operator("PRELU"), [ints, ints], ints), "PRELU of tensor<3xi32>"),
        "PRELU by i16": (m.one_operator(m.Operator("PRELU"), [wide, wide], wide), "16 by 8 bits"),
        "PADV2 with another type": (padded, "expected one storage type"),
    }


@pytest.mark.parametrize(
    "name", ["zero points of channels", "PRELU of i32", "PRELU by i16", "PADV2 with another type"]
)
def test_what_litert_refuses_or_leaves_out_is_refused_when_it_is_loaded(name: str) -> None:
    content, reason = refused()[name]
    with pytest.raises(interp.InterpError, match=reason):
        interp.load(content)


def test_a_batch_that_is_known_late_joins_other_sizes() -> None:
    """`tf.reshape(x, [tf.shape(x)[0], -1])`: SHAPE, STRIDED_SLICE to a scalar, PACK with -1, RESHAPE."""
    one = lambda k: m.Slot("int32", (1,), data=np.array([k], np.int32))
    slots = [
        m.Slot("float32", (-1, 2, 3)),
        m.Slot("int32", (3,)),
        one(0),
        one(1),
        one(1),
        m.Slot("int32", ()),
    ]
    slots += [
        m.Slot("int32", (), data=np.array(-1, np.int32)),
        m.Slot("int32", (2,)),
        m.Slot("float32", (-1, -1)),
    ]
    slice_of = m.Operator("STRIDED_SLICE", "StridedSliceOptions", {"shrinkAxisMask": 1})
    nodes = [
        m.Node(m.Operator("SHAPE", "ShapeOptions", {"outType": 2}), [0], [1]),
        m.Node(slice_of, [1, 2, 3, 4], [5]),
        m.Node(m.Operator("PACK", "PackOptions", {"valuesCount": 2}), [5, 6], [7]),
        m.Node(m.Operator("RESHAPE"), [0, 7], [8]),
    ]
    content = m.model(m.Subgraph(slots, nodes, [0], [8]))
    module = interp.load(content, dims={"arg0.0": 4})
    x = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
    assert np.array_equal(interp.run(module, x)[0].storage, x.reshape(4, 6))
