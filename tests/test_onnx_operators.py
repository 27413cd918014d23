"""ONNX's quantization operators: engine = oracle bit for bit, compiled too; and ONNX's own node tests."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import given as drawing

import interp
import interp.onnx
from interp.apps.onnx.array_functions import call, program, to_tensor
from interp.apps.onnx.loading.static import quantized_to, requantizes_exactly, wide
from spec.elements import ELEMENT_TYPES
from spec.errors import Malformed, Violation
from spec.formats import power_of_two, round_to
from spec.meaning.index import Tensor
from spec.meaning.onnx.evaluate import evaluate
from spec.onnx.node import QUANTIZED, REAL, SIGNATURES, Node, number_of
from spec.quantized import QuantizedType
from spec.rules.onnx.verify import verify
from spec.types import TensorType, make_quantized
from tests.library.onnx import onnx_products
from tests.library.onnx.onnx_nodes import Drawn, array, dequantizing, dynamic, given, known, node, quantizing
from tests.library.onnx.onnx_nodes import program as program_of

FEW = settings(max_examples=25, suppress_health_check=list(HealthCheck))
F32 = ELEMENT_TYPES["f32"]
FAMILIES = (
    "quantizelinear",
    "dequantizelinear",
    "dynamicquantizelinear",
    "qlinearconv",
    "qlinearmatmul",
    "matmulinteger",
    "convinteger",
)


def bits(x: Any) -> tuple[tuple[int, ...], bytes]:
    stored = np.ascontiguousarray(x)
    return np.shape(x), stored.tobytes()


def agree(drawn: Drawn) -> None:
    """Run a node with parameters that the program takes, and with known ones, against the oracle."""
    bare, inputs = drawn
    assert verify(bare) == []
    expected = [bits(array(x)) for x in evaluate(bare, inputs)]
    for each in (bare, known(bare, inputs)):
        results = interp.run(program_of(each), *map(given, inputs.values()))
        assert [bits(x.storage) for x in results] == expected


@FEW
@drawing(quantizing())
def test_quantize_linear_gives_the_bits_of_the_oracle(drawn: Drawn) -> None:
    agree(drawn)


@FEW
@drawing(dequantizing())
def test_dequantize_linear_gives_the_bits_of_the_oracle(drawn: Drawn) -> None:
    agree(drawn)


@FEW
@drawing(dynamic())
def test_dynamic_quantize_linear_gives_the_bits_of_the_oracle(drawn: Drawn) -> None:
    agree(drawn)


@FEW
@drawing(onnx_products.multiplying())
def test_matmul_integer_gives_the_bits_of_the_oracle(drawn: Drawn) -> None:
    agree(drawn)


@FEW
@drawing(onnx_products.qmultiplying())
def test_qlinear_matmul_gives_the_bits_of_the_oracle(drawn: Drawn) -> None:
    agree(drawn)


@FEW
@drawing(onnx_products.convolving())
def test_convolutions_give_the_bits_of_the_oracle(drawn: Drawn) -> None:
    agree(drawn)


def edges(zero_point: int, type: str) -> tuple[float, ...]:
    """Return quotients around every tie and every bound of a storage type, and special numbers."""
    T = ELEMENT_TYPES[type]
    low, high = (T.min_value, T.max_value) if T.is_integer else (-8, 8)
    around = (low - zero_point, high - zero_point, 0, zero_point)
    ties = [at + k / 4 for at in around for k in range(-6, 7)]
    special = (
        np.nan,
        np.inf,
        -np.inf,
        1e10,
        -1e10,
        2.0**31,
        3e38,
        1e-45,
        -0.0,
        464,
        480,
        61440,
        61441,
        0.0625,
    )
    return tuple(round_to(float(x), F32) for x in (*ties, *special))


@pytest.mark.parametrize("type", sorted(QUANTIZED))
def test_edges_of_every_type(type: str) -> None:
    """Each in one run with f32, saturating and not, of odd zero points where there are integers."""
    T = ELEMENT_TYPES[type]
    zero_point = T.max_value // 2 | 1 if T.is_integer else 0
    x = edges(zero_point, type)
    inputs = {
        "x": Tensor(TensorType((len(x),), F32), x),
        "y_scale": Tensor(TensorType((), F32), (1.0,)),
        "y_zero_point": Tensor(TensorType((), T), (zero_point,)),
    }
    for saturate in (0, 1):
        agree((node("QuantizeLinear", 28, inputs, {"saturate": saturate}), inputs))


def test_node_tests_of_onnx() -> None:
    """All that its backend tests generate for these operators: 42 nodes, and bits, not tolerances."""
    cases = pytest.importorskip("onnx.backend.test.case.node", reason="onnx is not installed")
    for family in FAMILIES:
        import_module(f"onnx.backend.test.case.node.{family}")
    ran = 0
    for case in cases._NodeTestCases:
        node = case.model.graph.node[0]
        if node.op_type in SIGNATURES and len(case.model.graph.node) == 1:
            assert ran_equal(case, node), case.name
            ran += 1
    assert ran >= 42


def ran_equal(case: Any, node: Any) -> bool:
    """Return whether a node gives the expected bits for each of its data sets."""
    from onnx import helper, numpy_helper

    attributes = {a.name: plain(helper.get_attribute_value(a)) for a in node.attribute}
    equal = True
    for data, expected in case.data_sets:
        names = [n for n, given in zip(SIGNATURES[node.op_type].inputs, node.input, strict=False) if given]
        arrays = [numpy_helper.to_array(x) if hasattr(x, "data_type") else x for x in data]
        inputs = {n: to_tensor(np.asarray(x), n, F32) for n, x in zip(names, arrays, strict=True)}
        results = call(node.op_type, case.model.opset_import[0].version, inputs, attributes)
        for result, x in zip(results, expected, strict=True):
            wanted = np.asarray(numpy_helper.to_array(x) if hasattr(x, "data_type") else x)
            equal &= bits(np.asarray(result).astype(wanted.dtype)) == bits(wanted)
    return equal


def plain(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else tuple(value) if isinstance(value, list) else value


def test_compiled_and_lowered_programs_give_the_same_bits(unoptimized_module: None) -> None:
    """One program quantizes by known parameters, the other by those of the run, per axis, ties among x."""
    x = Tensor(TensorType((3, 9), F32), (*(k / 4 - 3.0 for k in range(25)), float("nan"), 1e10))
    inputs = {
        "x": x,
        "y_scale": Tensor(TensorType((3,), F32), (0.5, 0.1, 2.0)),
        "y_zero_point": Tensor(TensorType((3,), ELEMENT_TYPES["i8"]), (1, -3, 7)),
    }
    bare = node("QuantizeLinear", 13, inputs, {"axis": 0})
    (expected,) = evaluate(bare, inputs)
    arguments = [array(each) for each in inputs.values()]
    for each in (bare, known(bare, inputs)):
        module = program_of(each)
        assert bits(interp.compile(module)(*arguments)[0]) == bits(array(expected))
        assert bits(interp.run(interp.lower(module), *arguments)[0].storage) == bits(array(expected))


def test_known_parameters_become_quantized_types() -> None:
    """The zero point is added after the rounding: by a second quantization, unless it is 0."""
    for zero_point, steps in ((3, 2), (0, 1)):
        inputs = quantization(0.5, zero_point)
        module = program_of(known(node("QuantizeLinear", 13, inputs, {}), inputs))
        assert [op.name for op in module.ops()].count("stablehlo.uniform_quantize") == steps


def quantization(scale: float, zero_point: int, type: str = "i8", real: str = "f32") -> dict[str, Tensor]:
    R, T = ELEMENT_TYPES[real], ELEMENT_TYPES[type]
    x = (scale * 1.5, -scale * 2.5, scale * (T.max_value - zero_point))
    return {
        "x": Tensor(TensorType((3,), R), tuple(round_to(e, R) for e in x)),
        "y_scale": Tensor(TensorType((), R), (round_to(scale, R),)),
        "y_zero_point": Tensor(TensorType((), T), (zero_point,)),
    }


@pytest.mark.parametrize(
    ("real", "type", "zero_point", "holds"),
    [("f32", "i8", 127, True), ("f32", "ui16", 65535, True), ("f16", "ui8", 255, True),
     ("f16", "i16", 9, False), ("bf16", "i4", 7, True), ("bf16", "i8", 1, False)],
)  # fmt: skip
def test_premise_of_two_quantizations(real: str, type: str, zero_point: int, holds: bool) -> None:
    """Every q that could be stored comes back where the premise holds, at the least normal scale too."""
    R, T = ELEMENT_TYPES[real], ELEMENT_TYPES[type]
    for scale in (1 / 3, float(power_of_two(1 - R.bias))):
        s = round_to(scale, R)
        target = QuantizedType(T, T.min_value, T.max_value, R, (s,), (zero_point,))
        assert requantizes_exactly(target) == holds
        if holds:
            q = np.arange(T.min_value - zero_point - 2, T.max_value - zero_point + 3, dtype=np.int32)
            q = q if len(q) < 2000 else np.concatenate([q[:900], q[-900:]])
            back = requantized(q, wide(target), target)
            assert (back == np.clip(q + zero_point, T.min_value, T.max_value)).all()


def requantized(q: np.ndarray, source: QuantizedType, target: QuantizedType) -> np.ndarray:
    from tests.library.builders import module, operation

    types = [TensorType(q.shape, type) for type in (source, target)]
    (y,) = interp.run(module(operation("uniform_quantize", types[:1], types[1])), q)
    return np.asarray(y).astype(np.int64)


def test_beyond_the_premise_bits_differ() -> None:
    """bf16 has 8 bits: of i8 and the zero point 1 some q do not come back. f32 overflows at a huge scale."""
    B = make_quantized("i8", "bf16", round_to(1 / 3, ELEMENT_TYPES["bf16"]), 1)
    q = np.arange(-129, 127, dtype=np.int32)
    assert (requantized(q, wide(B), B) != q + 1).any()
    huge = make_quantized("i8", "f32", 3e38, 1)
    assert not requantizes_exactly(huge)
    assert requantized(np.array([2], np.int32), wide(huge), huge).tolist() == [127]


@pytest.mark.parametrize(
    ("type", "scale", "result", "quantized"),
    [("i8", "f16", "f16", True), ("ui16", "f16", "f16", False), ("ui16", "f32", "f32", True),
     ("ui8", "bf16", "bf16", True), ("i8", "f32", "f16", False), ("i32", "f32", "f32", True)],
)  # fmt: skip
def test_dequantization_by_a_quantized_type(type: str, scale: str, result: str, quantized: bool) -> None:
    """Its scale and the difference are numbers of the result's type, else plain operations compute."""
    T, S = ELEMENT_TYPES[type], ELEMENT_TYPES[scale]
    x = (T.min_value, T.max_value, T.max_value // 3, T.max_value // 7)
    inputs = {
        "x": Tensor(TensorType((4,), T), x),
        "x_scale": Tensor(TensorType((), S), (round_to(0.1, S),)),
    }
    drawn = node("DequantizeLinear", 23, inputs, {"output_dtype": number_of(ELEMENT_TYPES[result])})
    agree((drawn, inputs))
    names = [op.name for op in program_of(known(drawn, inputs)).ops()]
    assert ("stablehlo.uniform_dequantize" in names) == quantized


@pytest.mark.parametrize("auto_pad", ["SAME_UPPER", "SAME_LOWER", "VALID", "NOTSET"])
def test_padding_of_an_odd_total(auto_pad: str) -> None:
    """SAME_UPPER puts the odd one behind, SAME_LOWER before."""
    U8 = ELEMENT_TYPES["ui8"]
    inputs = {
        "x": Tensor(TensorType((1, 1, 5), U8), (1, 2, 3, 4, 5)),
        "w": Tensor(TensorType((1, 1, 2), U8), (1, 10)),
    }
    by_hand = {"SAME_UPPER": (21, 32, 43, 54, 5), "SAME_LOWER": (10, 21, 32, 43, 54)}
    drawn = node("ConvInteger", 10, inputs, {"auto_pad": auto_pad})
    assert evaluate(drawn, inputs)[0].elements == by_hand.get(auto_pad, (21, 32, 43, 54))
    agree((drawn, inputs))


@pytest.mark.parametrize("scale", [0.0, -0.5, float("inf"), float("nan"), 1e-40])
def test_other_scales_have_no_quantized_type(scale: float) -> None:
    inputs = quantization(scale, 3)
    given = known(node("QuantizeLinear", 13, inputs, {}), inputs)
    assert quantized_to(given, ELEMENT_TYPES["i8"], F32) is None
    agree((node("QuantizeLinear", 13, inputs, {}), inputs))


def test_every_version_has_its_types() -> None:
    """A type of a later version is a violation that says since when it exists."""
    x = np.array([1.0], np.float32)
    for type, since in QUANTIZED.items():
        assert interp.onnx.quantize_linear(x, 1.0, version=max(since, 21), output_dtype=type).shape == (1,)
        if since > 21:
            with pytest.raises(Violation, match=f"since version {since}|output_dtype"):
                interp.onnx.quantize_linear(x, 1.0, version=since - 1, output_dtype=type)
    assert set(REAL) == {"f32", "f16", "bf16"}


def test_programs_are_kept_by_types() -> None:
    program.cache_clear()
    for x in ([1.0, 2.0], [3.0, 4.0]):
        interp.onnx.quantize_linear(x, 0.5)
    assert program.cache_info().misses == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: interp.onnx.quantize_linear([1.0], 1.0, version=9), "no version for opset 9"),
        (lambda: interp.onnx.quantize_linear([1.0], 1.0, output_dtype="int7"), "not an element type of ONNX"),
        (lambda: interp.onnx.quantize_linear(np.array(["a"]), 1.0), "x is an array of <U1"),
    ],
)
def test_bad_arguments_are_named(call: Any, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        call()


def test_a_block_may_be_larger_than_x() -> None:
    """No more is computed for it: 2**40 elements would not fit into memory."""
    x, scale = np.float32([[1, 2, 3]]), np.float32([[0.5]])
    y = interp.onnx.quantize_linear(x, scale, block_size=2**40)
    assert y.tolist() == [[2, 4, 6]]
    assert interp.onnx.dequantize_linear(y, scale, block_size=2**40).tolist() == x.tolist()


def test_flags_may_be_booleans_and_integers_of_numpy() -> None:
    x = np.float32([[480.0, 1.0]])
    y = interp.onnx.quantize_linear(x, 1.0, output_dtype="float8e4m3fn", saturate=False, axis=np.int64(0))
    assert np.isnan(y.tolist()).tolist() == [[True, False]]


def test_arrays_of_narrow_integers_are_taken() -> None:
    """ml_dtypes' int4 is stored in 8 bits here."""
    x = np.array([-8, 7], ml_dtypes.int4)
    assert interp.onnx.dequantize_linear(x, 0.5, np.array(1, ml_dtypes.int4)).tolist() == [-4.5, 3.0]
    assert isinstance(verify(Node("DequantizeLinear", 21, {"x": TensorType((2,), F32)})), list)
