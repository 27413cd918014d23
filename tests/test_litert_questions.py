"""Questions about LiteRT models: float functions, bits, wraps, layers, and devices that differ."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.apps.litert.model import read_litert
from interp.apps.litert.writing.model import write_model
from interp.apps.runtimes.litert_model import Node, Operator, Slot, Subgraph
from interp.rewrite.float_reference import float_reference

DATA = Path(__file__).resolve().parent.parent / "testdata" / "litert"
OPERATORS = dict(np.load(DATA / "operators.npz"))


def operator(title: str, **options: str) -> interp.Module:
    return read_litert(OPERATORS[f"{title}.model"].tobytes(), "<bytes>", **options)


def fully_connected(
    w: np.ndarray, bias: np.ndarray, *, x: str = "int8", scales: tuple[float, float, float] = (0.5, 0.25, 2.0)
) -> interp.Module:
    """Return a model of one FULLY_CONNECTED with a zero point of 3; scales: of x, weights and result."""
    slots = [
        Slot(x, (1, w.shape[1]), [scales[0]], [3 if x == "int8" else 0], name="x"),
        Slot("int8", w.shape, [scales[1]], data=w, name="w"),
        Slot(bias.dtype.name, bias.shape, [scales[0] * scales[1]], data=bias, name="b"),
        Slot(x, (1, w.shape[0]), [scales[2]], [0], name="net/dense/MatMul"),
    ]
    node = Node(Operator("FULLY_CONNECTED", "FullyConnectedOptions"), [0, 1, 2], [3])
    return read_litert(write_model(Subgraph(slots, [node], [0], [3]), ["x"], ["y"]), "<bytes>")


# Float functions: each operator on integers stands for one, which its results approximate.

INTEGERS = "063.ADD 071.RELU 074.LOGISTIC 075.LEAKY_RELU 076.HARD_SWISH 092.TANH 129.SQUARED_DIFFERENCE"
INTEGERS += " 131.PRELU 134.QUANTIZE 149.MEAN 161.AVERAGE_POOL_2D 167.SOFTMAX 012.CONV_2D 250.RESIZE_BILINEAR"


@pytest.mark.parametrize("title", INTEGERS.split())
def test_the_results_of_an_operator_are_within_two_steps_of_its_float_function(title: str) -> None:
    module = operator(title)
    args = [OPERATORS[key] for key in sorted(OPERATORS) if key.startswith(f"{title}.x")]
    reals = [interp.Tensor(v.type, x).dequantize() for v, x in zip(module.main.inputs, args, strict=True)]
    (result,), (real,) = interp.run(module, *args), interp.run(float_reference(module), *reals)
    type = result.type.quantized_element_type
    ends = [(end - type.zero_point) * type.scale for end in (type.storage_min, type.storage_max)]
    assert np.abs(result.dequantize() - np.clip(real.storage, *ends)).max() <= 2 * type.scale
    assert real.type.storage_type.name == "f32"


def test_the_float_function_of_a_softmax_is_that_of_numpy() -> None:
    module, x = operator("167.SOFTMAX"), OPERATORS["167.SOFTMAX.x0"]
    real = interp.Tensor(module.main.inputs[0].type, x).dequantize()
    powers = np.exp(real - real.max(-1, keepdims=True))
    (found,) = interp.run(float_reference(module), real)
    assert np.allclose(found.storage, powers / powers.sum(-1, keepdims=True), atol=1e-6)


def test_a_survey_names_the_layers_of_the_file_beside_their_float_functions() -> None:
    module, x = interp.load(DATA / "cnn.int8.tflite"), np.load(DATA / "cnn.int8.npz")["x0"][0]
    for program in (module, interp.load(repr(module))):  # the text keeps the float functions
        found = interp.survey(program, [(x,)])
        layers = {each.op: each for each in found.layers}
        assert layers["composite"].name.endswith("StatefulPartitionedCall_1")  # the softmax, last of two
        assert 15 < layers["composite"].sqnr < 60
        assert not found.left_out


def test_a_comparison_has_no_bound_behind_a_composite() -> None:
    module, x = operator("074.LOGISTIC"), OPERATORS["074.LOGISTIC.x0"]
    found = interp.compare(module, x, reading="dequantize")
    assert found.results[0].verdict == "no bound"
    assert found.results[0].largest_steps < 1


def test_a_float_function_of_other_types_is_malformed() -> None:
    text = repr(operator("074.LOGISTIC")).replace("@logistic_0.float}", "@logistic_0}")
    with pytest.raises(interp.Malformed, match="not the float function"):
        float_reference(interp.load(text))


def test_a_comparison_with_the_float_model_pairs_tensors_of_one_name() -> None:
    module, other = (interp.load(DATA / f"cnn.{way}.tflite") for way in ("int8", "float16"))
    found = interp.compare(module, other, np.load(DATA / "cnn.int8.npz")["x0"][0])
    rows = {row.left: row for row in found.rows}
    pool = rows["%functional_1_1_average_pooling2d_1_AvgPool"]
    assert (pool.how, pool.op) == ("name", "divide")
    assert min(row.report.sqnr for row in found.rows) > 15  # dB: none is in other units


# Bits


def test_the_proved_sums_of_a_layer_are_those_of_all_inputs() -> None:
    w = np.array([[100, -90], [-128, 127]], np.int8)
    module = fully_connected(w, bias := np.array([5, -7], np.int32))
    (row,) = interp.prove(module).rows
    needed = row.judgement.needed
    x = np.array(list(product(range(-128, 128), repeat=2))) - 3  # all inputs
    for channel, weights in enumerate(w.astype(int)):
        terms = x * weights
        partial = np.stack([terms[:, 0], terms[:, 1], terms.sum(1), 0 * terms[:, 0]])
        ends = needed.least.reshape(-1)[channel], needed.greatest.reshape(-1)[channel]
        partial = np.stack([partial, partial + bias[channel]])
        assert ends == (partial.min(), partial.max())


def test_sums_of_64_bits_have_the_bits_that_their_weights_need() -> None:
    w = np.array([[127, -128, 3]], np.int8)
    module = fully_connected(w, np.array([1], np.int64), x="int16")
    (row,) = interp.widths(module).rows
    most = 32768 * (128 + 127 + 3)
    assert (row.present.name, row.bits_proved, row.suggested) == ("i64", most.bit_length() + 1, "i25")


def test_a_bias_that_wraps_has_an_event_at_its_layer() -> None:
    module = fully_connected(np.array([[1]], np.int8), np.array([2**31 - 1], np.int32))
    x = np.array([[127]], np.int8)
    (result,) = interp.run(module, x)
    assert result.storage.tolist() == [[-128]]  # (124 + 2^31 - 1) wraps to -2^31 + 123
    (event,) = [e for e in interp.trace(module, x).events if e.kind == "wrap"]
    assert event.layer == "dense"
    assert event.exact == 2**31 + 123


def test_a_result_that_is_cut_to_32_bits_is_an_event() -> None:
    slots = [
        Slot("int16", (1, 1, 1, 1), [1.0], [0], name="x"),
        Slot("int8", (1, 1, 1, 1), [1.0], data=np.ones((1, 1, 1, 1), np.int8), name="w"),
        Slot("int64", (1,), [1.0], data=np.array([1 << 50]), name="b"),
        Slot("int16", (1, 1, 1, 1), [1.0], [0], name="y"),
    ]
    node = Node(Operator("CONV_2D", "Conv2DOptions", {"strideW": 1, "strideH": 1}), [0, 1, 2], [3])
    module = read_litert(write_model(Subgraph(slots, [node], [0], [3]), ["x"], ["y"]), "<bytes>")
    traced = interp.trace(module, np.ones((1, 1, 1, 1), np.int16))
    assert traced.results[0].storage.tolist() == [[[[1]]]]  # LiteRT: the low 32 bits of 2^50 + 1
    assert "wrap" in {event.kind for event in traced.events}


# Devices

CONV = "004.DEPTHWISE_CONV_2D"


def single(module: interp.Module) -> interp.Module:
    return interp.load(repr(module).replace('rounding = "double"', 'rounding = "single"'))


def per_tensor(module: interp.Module) -> interp.Module:
    def repeat(found: re.Match[str]) -> str:
        numbers = found[2].split(", ")
        return f"{found[1]} = array<i64: {', '.join(numbers[:1] * len(numbers))}>"

    return interp.load(re.sub(r"(multiplier|shift) = array<i64: ([^>]+)>", repeat, repr(module)))


@pytest.mark.parametrize(
    ("title", "make", "name"),
    [
        (CONV, single, "multipliers single"),
        (CONV, per_tensor, "multipliers the first"),
        ("152.SUM", lambda module: operator("152.SUM", kernels="micro"), "no fault"),
    ],
    ids=["single", "per-tensor", "sum"],
)
def test_a_device_is_named(title: str, make: Callable[[interp.Module], interp.Module], name: str) -> None:
    module, x = operator(title), OPERATORS[f"{title}.x0"]
    (theirs,) = interp.run(make(module), x)
    (ours,) = interp.run(module, x)
    assert not np.array_equal(ours.storage, theirs.storage)
    found = interp.diagnose(module, [x], [theirs.storage])
    assert name in [deviation.name for each in found.explanations for deviation in each.deviations]


def test_what_litert_gives_is_permitted_where_the_program_gives_its_multipliers() -> None:
    known = np.load(DATA / "conv1d.uint8_io.npz")
    module = interp.load(DATA / "conv1d.uint8_io.tflite")
    assert interp.permits(module, [known["x0"][0]], [known["y0"][0]]).counts == {"exact": 4}


def test_a_quantized_model_has_nothing_to_raise() -> None:
    with pytest.raises(interp.Unsupported, match="multipliers of 5 requantizations"):
        interp.raise_qdq(interp.load(DATA / "conv1d.uint8_io.tflite"))


def test_a_layer_without_a_float_function_is_in_integers_beside_all_others() -> None:
    text = repr(interp.load(DATA / "cnn.int8.tflite"))
    module = interp.load(text.replace(", interp.float = @average_pool_2d_3.float", ""))
    x = np.load(DATA / "cnn.int8.npz")["x0"][0]
    found = interp.survey(module, [(x,)])
    name = "%functional_1_1_average_pooling2d_1_AvgPool"
    assert f"no float function of {name}: integers there, too" in found.reference
    ratios = {layer.name: layer.sqnr for layer in found.layers}
    assert 20 < ratios[name] < 60  # what was lost before the layer
    assert ratios["%StatefulPartitionedCall_1"] < 60
