"""Each erratum demonstrated by the oracle: the test that its row names."""

from __future__ import annotations

import ast
import math
import re
from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import interp
from interp.apps import onnx
from interp.execute.run import run
from spec.errata import COMMIT, ERRATA, VERSION, look_up, table
from spec.ir import Module
from spec.meaning.evaluate import evaluate
from spec.meaning.index import Tensor
from spec.meaning.notation import quantize, to_destination_type
from spec.readings import reading_of
from spec.rules.members import is_promotable
from spec.rules.verify import verify
from spec.schedule import BALANCED, LEFT
from spec.types import ELEMENT_TYPES, TensorType
from spec.types import make_quantized as quantized_type
from tests.library.builders import (
    contracting,
    conversion,
    convolution,
    function,
    load,
    oracle,
    quantized,
    reduction,
    select_and_scatter,
    single,
)
from tests.library.builders import module as program
from tests.library.strategies.scatter_programs import scattering as updating

I8 = quantized("i8:f32, 1.0")
ALL = "dimensions = array<i64: 0>"
TESTS = ast.parse(Path(__file__).read_text()).body


def codes(module: Module, mode: str = "strict") -> list[str]:
    return [violation.code for violation in verify(module, mode)]


@pytest.mark.parametrize("row", ERRATA, ids=lambda row: row.id)
def test_every_row_has_its_demonstration(row: object) -> None:
    names = {node.name for node in TESTS if isinstance(node, ast.FunctionDef)}
    assert row.test.partition("::")[2] in names
    assert row.id in table()


def test_rows_are_numbered_without_a_gap() -> None:
    assert [row.id for row in ERRATA] == [f"E{k}" for k in range(1, len(ERRATA) + 1)]


def test_a_row_is_found_by_its_number_and_by_an_operation() -> None:
    assert look_up("E7") == look_up("e7") == look_up("7") == (ERRATA[6],)
    about = {row.id for row in look_up("reduce") if "spec.md" in row.section}
    assert about >= {"E7", "E9", "E12", "E14", "E25"}
    assert {"E1", "E2", "E6"} <= about  # of dequantize, to_destination_type, is_promotable, which it calls
    assert "E10" not in about
    assert [row.id for row in look_up("stablehlo.reduce_window")] == ["E10", "E12", "E14", "E25"]
    assert look_up("tanh", ["tanh"]) == ()
    open_ones = look_up("not reported")
    assert 0 < len(open_ones) < len(ERRATA)
    assert {*ERRATA} - {*open_ones} == {row for row in ERRATA if "issue" in row.state}
    with pytest.raises(interp.Malformed, match="no erratum E99\n  known: E1 to E49"):
        look_up("E99")
    with pytest.raises(interp.Malformed, match="did you mean reduce"):
        look_up("redcue")


def test_a_row_has_a_state_and_the_commit_of_the_text_that_it_quotes() -> None:
    for row in ERRATA:
        assert re.fullmatch(r"not reported|reported: \S+ issue \d+|fixed in .+", row.state), row.id
        assert row.to_dict()["commit"] == (COMMIT if "spec.md" in row.section else ""), row.id
    states = {row.id: row.state for row in ERRATA}
    assert states["E8"] == "reported: openxla/stablehlo issue 731"
    for page in ("errata", "findings"):
        text = (Path(__file__).parent.parent / "docs" / f"{page}.md").read_text()
        assert re.search(rf"{re.escape(VERSION)}, commit\s+`{COMMIT}`", text), page


def test_e1_subtraction_does_not_wrap() -> None:
    """127 - (-128) in i8 would wrap to -1."""
    module = conversion("stablehlo.uniform_dequantize", quantized("i8:f32, 1.0:-128"), "f32")
    assert oracle(module, [127]) == (255.0,)


def test_e2_requantizing_dequantizes_first() -> None:
    """(5 - 3) * 0.5 is 1.0, which is 4 quarters; the stored 5 taken for a number would be 20."""
    source, target = quantized_type("i8", "f32", 0.5, 3), quantized_type("i32", "f32", 0.25)
    x = Tensor(TensorType((), source), (5,))
    assert to_destination_type(x, target).elements == (4,)
    module = conversion("stablehlo.uniform_quantize", quantized("i8:f32, 0.5:3"), quantized("i32:f32, 0.25"))
    assert oracle(module, [5]) == (4,)


def test_e3_rounded_bounds_saturate() -> None:
    """2147483647 rounds to 2147483648.0 in f32, which no i32 holds."""
    module = conversion("stablehlo.uniform_quantize", "f32", quantized("i32:f32, 1.0"))
    assert oracle(module, [3e9]) == (2147483647,)


@pytest.mark.parametrize(("storage", "expected"), [("i8", 0), ("i8<5:9>", 5), ("i8<-9:-5>", -5)])
def test_e4_nan_quantizes_to_clamped_zero(storage: str, expected: int) -> None:
    zero_point = expected
    module = conversion("stablehlo.uniform_quantize", "f32", quantized(f"{storage}:f32, 1.0:{zero_point}"))
    assert oracle(module, [float("nan")]) == (expected,)


def test_e5_quantize_stores_the_integer() -> None:
    """1.5 / 0.5 + 3 is stored as 6, in a tensor whose type is quantized."""
    type = TensorType((), quantized_type("i8", "f32", 0.5, 3))
    assert quantize(Tensor(TensorType((), ELEMENT_TYPES["f32"]), (1.5,)), type) == Tensor(type, (6,))


def test_e6_booleans_promote() -> None:
    """jnp.any is legal; a narrower float body and an integer body of a boolean are so for jaxlib only."""
    i1 = ELEMENT_TYPES["i1"]
    assert is_promotable(i1, i1)
    assert codes(reduction("reduce", "3xi1", "i1", "i1", "i1", ALL, "or")) == []
    for input, body in (("f32", "f16"), ("i1", "i8")):
        module = reduction("reduce", f"3x{input}", input, body, body, ALL, "maximum")
        assert codes(module) == ["reduce_c6"]
        assert codes(module, "mlir") == []


RFC = (quantized("ui8:f32, 0.5:128"), quantized("i32:f32, 0.25"), quantized("ui8:f32, 1.0:128"))


def test_e7_rfc_example_runs_in_its_dialect() -> None:
    """Five rows of one column, as in the RFC: (138 - 128) * 0.5 is 5.0, stored as 133 with scale 1."""
    input, body, result = RFC
    attributes = "dimensions = dense<1> : tensor<i64>"
    module = reduction("reduce", f"5x1x{input}", input, body, f"5x{result}", attributes, dialect="rfc")
    assert codes(module) == []
    assert oracle(module, [138, 128, 130, 0, 255], [128]) == (133, 128, 129, 64, 192)


def scattering(
    sources: int, padding: tuple[int, int], element: object = quantized_type("i8", "f32", 1.0)
) -> Module:
    """Windows of one position over three elements."""
    op = select_and_scatter("add", element, element, (3,), (1,), padding=(padding,))
    assert op.operands[1].type.shape == (sources,)
    return program(op)


def test_e8_empty_window_scatters_nothing() -> None:
    """The first window lies in the padding: its source, 50, arrives nowhere."""
    module = scattering(4, (1, 0))
    assert oracle(module, [7, 8, 9], [50, 1, 2, 3], [0]) == (1, 2, 3)


def test_e9_init_occurs_once_leftmost() -> None:
    """An init of 10 under subtraction: ((10 - 1) - 2) - 3, and (10 - 1) - (2 - 3)."""
    module = reduction("reduce", f"3x{I8}", I8, I8, I8, ALL, "subtract")
    assert oracle(module, [1, 2, 3], [10], schedule=LEFT) == (4,)
    assert oracle(module, [1, 2, 3], [10], schedule=BALANCED) == (10,)
    nothing = reduction("reduce", f"0x{I8}", I8, I8, I8, ALL)
    assert oracle(nothing, [], [10]) == (10,)


def test_e10_padding_is_a_converted_leaf() -> None:
    """The init 1.0 is 4 quarters: once as init, once as padding; the element 2.0 is 8."""
    halves, quarters = quantized("i8:f32, 0.5"), quantized("i32:f32, 0.25")
    attributes = "window_dimensions = array<i64: 2>, padding = dense<[[1, 0]]> : tensor<1x2xi64>"
    module = reduction("reduce_window", f"1x{halves}", halves, quarters, f"1x{quarters}", attributes)
    assert oracle(module, [4], [2]) == (4 + 4 + 8,)


@pytest.mark.parametrize("storage", ["u8", "ui8"])
def test_e11_both_spellings_are_unsigned(storage: str) -> None:
    """200 halves are 100.0; read as signed, 200 would be -56."""
    type = quantized(f"{storage}:f32, 0.5")
    assert oracle(conversion("stablehlo.uniform_dequantize", type, "f32"), [200]) == (100.0,)
    assert oracle(conversion("stablehlo.uniform_quantize", "f32", type), [100.0]) == (200,)


def test_e12_init_of_another_scale() -> None:
    """The stored init 8 is 2.0 with its own scale, and 2 with the input's and the body's."""
    module = reduction("reduce", f"2x{I8}", quantized("i8:f32, 0.25"), I8, I8, ALL)
    assert codes(module) == ["reduce_c2"]
    assert codes(module, "mlir") == []
    assert oracle(module, [10, 20], [8]) == (32,)


def test_e13_scatter_counts_init_once() -> None:
    """The reference interpreter gives 1 + 1 + source."""
    module = scattering(3, (0, 0))
    assert oracle(module, [7, 8, 9], [10, 20, 30], [1]) == (11, 21, 31)


def test_e14_result_of_another_scale() -> None:
    """The accumulator 30 means 30.0: 60 halves."""
    module = reduction("reduce", f"2x{I8}", I8, I8, quantized("i8:f32, 0.5"), ALL)
    assert codes(module) == ["reduce_c8"]
    assert codes(module, "mlir") == []
    assert oracle(module, [10, 20], [0]) == (60,)


@pytest.mark.parametrize(
    ("input", "body", "expected"),
    [
        (I8, quantized("i4:f32, 1.0"), []),
        ("f32", "f16", []),
        ("i32", "i8", []),
        (I8, "f32", ["reduce_c6"]),
        ("f32", I8, ["reduce_c6"]),
        ("f32", "i32", ["reduce_c6"]),
        ("i32", "f32", ["reduce_c6"]),
    ],
)
def test_e15_rfc_body_is_of_the_same_kind(input: str, body: str, expected: list[str]) -> None:
    """Rows A, F and G; the RFC's formula admits the others too: is_complex is false of all these types."""
    module = reduction("reduce", f"2x{input}", input, body, input, ALL, dialect="rfc")
    assert codes(module) == expected


@pytest.mark.parametrize(
    ("x", "parameters", "expected"),
    [
        (0.05, "i8:f32, 0.1:3", 4),  # 3.5, which the lowering of MLIR truncates
        (-0.19, "i8:f32, 0.1", -2),
        (20.0, "i8:f32, 0.1:3", 127),
        (20.0, "i8<-127:100>:f32, 0.1:3", 100),
        (-1.0, "u8:f32, 1.0", 0),
        (float("nan"), "i8<5:9>:f32, 1.0:5", 5),
    ],
)
def test_e16_qcast_rounds_to_nearest(x: float, parameters: str, expected: int) -> None:
    assert oracle(conversion("quant.qcast", "f32", quantized(parameters)), [x]) == (expected,)


def test_e16_dcast_subtracts_exactly() -> None:
    """2^24 + 1 would round to 2^24 before 1 is subtracted."""
    type = quantized("i32:f32, 1.0:1")
    assert oracle(conversion("quant.dcast", type, "f32"), [2**24 + 1]) == (2.0**24,)


@pytest.mark.parametrize(
    ("operand", "result", "given", "expected"),
    [
        ("ui64", "4xui16", [0x0123456789ABCDEF], (0xCDEF, 0x89AB, 0x4567, 0x0123)),
        ("4xui16", "ui64", [0xCDEF, 0x89AB, 0x4567, 0x0123], (0x0123456789ABCDEF,)),
        ("f32", "ui32", [-1.5], (0xBFC00000,)),
        ("f16", "ui16", [float("nan")], (0x7E00,)),
        ("bf16", "ui16", [-float("nan")], (0x7FC0,)),
        ("ui32", "f32", [0x00000001], (2.0**-149,)),
        ("complex<f32>", "complex<f32>", [1 - 2j], (1 - 2j,)),
        ("complex<f64>", "complex<f64>", [1 - 2j], (1 - 2j,)),
        ("i8", "2xi4", [0x7F], (-1, 7)),
        (quantized("i8:f32, 1.0"), quantized("u8:f32, 1.0"), [-1], (255,)),
    ],
)
def test_e17_bits_are_little_endian(
    operand: str, result: str, given: list[object], expected: tuple[object, ...]
) -> None:
    assert oracle(conversion("stablehlo.bitcast_convert", operand, result), given) == expected


@pytest.mark.parametrize("mode", ["strict", "mlir"])
def test_e18_bitcast_keeps_the_number_of_bits(mode: str) -> None:
    """jaxlib's own verifier lets this through, or `load` would not."""
    assert codes(conversion("stablehlo.bitcast_convert", "2xi16", "2x2xi16"), mode) == ["bitcast_convert_c1"]


def dot(operands: str, result: str) -> Module:
    return single("dot_general", f"2x{operands}; 2x{operands} -> {result}", **contracting())


def test_e19_contractions_widen() -> None:
    """100 * 100 + 100 * 100 wraps in i8 and not in i32; no i32 holds a product of floats."""
    assert oracle(dot("i8", "i32"), [100, 100], [100, 100]) == (20000,)
    assert oracle(dot("i8", "i8"), [100, 100], [100, 100]) == (20000 - 78 * 256,)
    for mode in ("strict", "mlir"):
        assert codes(dot("i8", "i32"), mode) == []
        assert codes(dot("f32", "i32"), mode) == ["dot_general_o1"]


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [("i8:f32, 0.5:300", "quantized_type_c7"), ("i8:f32:0, {0.5}", "quantized_type_c13")],
)
def test_e20_types_of_signatures_are_checked(parameters: str, expected: str) -> None:
    """jaxlib's own verifier lets these through, or `load` would not."""
    type = f"tensor<2x{quantized(parameters)}>"
    module = load(f"func.func @main(%x: {type}) -> {type} {{ return %x : {type} }}")
    assert codes(module) == codes(module, "mlir") == [expected]


@pytest.mark.parametrize("mode", ["strict", "mlir"])
def test_e21_select_sees_the_operands_type(mode: str) -> None:
    """jaxlib's own verifier lets this through, or `load` would not."""
    f32 = ELEMENT_TYPES["f32"]
    text = repr(program(select_and_scatter("add", f32, f32, (3,), (1,))))
    lines = text.splitlines(keepends=True)
    head = next(k for k, line in enumerate(lines) if "^bb0" in line and "compare" in lines[k + 1])
    lines[head : head + 2] = [line.replace("f32", "f64") for line in lines[head : head + 2]]
    module = load("".join(lines))
    assert codes(module, mode) == ["select_and_scatter_c9"]


@pytest.mark.parametrize(
    ("name", "x", "y", "expected"),
    [
        ("multiply", 1 + 2j, 3 - 1j, 5 + 5j),
        ("divide", 5 + 5j, 3 - 1j, 1 + 2j),
        ("multiply", complex(2**24, 1), complex(1, 1), complex(2**24 - 1, 2**24)),  # 2^24 + 1 rounds to even
    ],
)
def test_e22_complex_operations_are_schoolbook(name: str, x: complex, y: complex, expected: complex) -> None:
    module = single(name, "complex<f32>; complex<f32> -> complex<f32>")
    assert oracle(module, [x], [y]) == (expected,)


def test_e23_padding_is_zero_products() -> None:
    """One position of the window is padding, and its weight is infinite."""
    signature = "1x1x1xf32; 1x1x2xf32 -> 1x1x1xf32"
    module = convolution(signature, "bf0 oi0 bf0", padding=((1, 0),))
    assert oracle(module, [3.0], [math.inf, 2.0]) == (6.0,)


@pytest.mark.parametrize(
    ("low", "high"),
    [(-math.nan, -math.inf), (-math.inf, -1.0), (-0.0, 0.0), (1.0, math.inf), (math.inf, math.nan)],
)
def test_e24_total_order(low: float, high: float) -> None:
    order = {"comparison_direction": "LT", "compare_type": "TOTALORDER"}
    module = single("compare", "f32; f32 -> i1", **order)
    assert oracle(module, [low], [high]) == (True,)
    assert oracle(module, [high], [low]) == (False,)


def test_e25_an_odd_operand_is_a_violation() -> None:
    """jaxlib accepts the program."""
    module = load("""
      func.func @main(%x: tensor<2xf32>, %init: tensor<f32>, %odd: tensor<f32>) -> tensor<f32> {
        %0 = "stablehlo.reduce"(%x, %init, %odd) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          stablehlo.return %a : tensor<f32>
        }) {dimensions = array<i64: 0>} : (tensor<2xf32>, tensor<f32>, tensor<f32>) -> tensor<f32>
        return %0 : tensor<f32>
      }""")
    assert {"reduce_c3"} <= set(codes(module, "mlir")) <= set(codes(module))


def test_e26_ties_without_mantissa_bits() -> None:
    """1.5 * 2 lies between 1 * 2 and 2 * 2; of 1 and 2 the even one is 2."""
    module = single("reduce_precision", "f32 -> f32", exponent_bits=5, mantissa_bits=0)
    assert oracle(module, [3.0]) == (4.0,)


@pytest.mark.parametrize(
    ("type", "bits", "expected"),
    [
        ("f32", (5, 0), math.inf),
        ("f64", (11, 0), math.inf),
        ("bf16", (2, 0), math.inf),
        ("f32", (5, 1), math.nan),
        ("f8E4M3FN", (2, 0), math.nan),  # a format without infinities
        ("f8E8M0FNU", (2, 0), math.nan),  # 0 mantissa bits are all that this format has
    ],
)
def test_e27_nan_without_mantissa_bits(type: str, bits: tuple[int, int], expected: float) -> None:
    """The all-ones exponent without a mantissa is an infinity, with the sign that a NaN has: none."""
    exponent, mantissa = bits
    signature = f"2x{type} -> 2x{type}"
    module = single("reduce_precision", signature, exponent_bits=exponent, mantissa_bits=mantissa)
    given = np.full(2, math.nan, ELEMENT_TYPES[type].numpy)
    results = [*oracle(module, [math.nan, -math.nan]), *run(module, given)[0].storage]
    assert [repr(float(x)) for x in results] == [repr(expected)] * 4


ALGORITHM = (
    "algorithm = <lhs_precision_type = {0}, rhs_precision_type = {0}, accumulation_type = {1}, "
    "lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, "
    "allow_imprecise_accumulation = false>"
)


def dot_with(words: str, operands: str, result: str) -> Module:
    pair = f"tensor<2x{operands}>, tensor<2x{operands}>"
    return function(
        f"(%lhs: tensor<2x{operands}>, %rhs: tensor<2x{operands}>) -> tensor<{result}>",
        f"%0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0], {words}"
        f" : ({pair}) -> tensor<{result}>",
    )


@pytest.mark.parametrize("word", ["DEFAULT", "HIGH", "HIGHEST"])
def test_e28_precision_config_changes_nothing(word: str) -> None:
    """4097 squared has 25 bits and is a tie in f32's 24; rounded to bf16 or tf32 it would be 2^24."""
    module = dot_with(f"precision = [{word}, {word}]", "f32", "f32")
    assert oracle(module, [4097.0, 0.0], [4097.0, 0.0]) == (16785408.0,)


@pytest.mark.parametrize(
    ("precision", "accumulation", "result", "expected"),
    [
        ("bf16", "bf16", "f32", 66048.0),  # 258 * 256, and 1 is lost
        ("bf16", "f32", "f32", 66049.0),
        ("bf16", "f32", "bf16", 66048.0),
        ("f16", "f16", "f32", math.inf),  # beyond 65504
    ],
)
def test_e29_algorithm_rounds_operands_products_sums_and_result(
    precision: str, accumulation: str, result: str, expected: float
) -> None:
    """258 is a bf16 as it is; 258 * 256 + 1 has 17 bits."""
    module = dot_with(ALGORITHM.format(precision, accumulation), "f32", result)
    assert oracle(module, [258.0, 1.0], [256.0, 1.0]) == (expected,)


def test_e30_algorithm_applies_to_dequantized_operands() -> None:
    """257 steps of 1.0 are 257.0, in bf16 256.0; the stored 257 would have been multiplied as it is."""
    type = quantized("i32:f32, 1.0")
    assert oracle(dot_with(ALGORITHM.format("bf16", "f32"), type, type), [257, 0], [3, 0]) == (768,)
    assert oracle(dot_with(ALGORITHM.format("f32", "f32"), type, type), [257, 0], [3, 0]) == (771,)


def test_e31_readings_of_quantized_operations_differ() -> None:
    """fl(-125 * 0.3) is -37.25 in bf16, and fl(-37.25 / 0.3) is -124; in integers -125 stays."""
    q = quantized("i8:bf16, 0.3")
    module = single("maximum", f"{q}; {q} -> {q}")
    assert oracle(module, [-125], [-125]) == (-124,)
    assert reading_of(module) == "dequantize"


def test_e32_complex_functions_round_both_parts() -> None:
    """exp(i pi/2) has a small real part, which a quotient or product of rounded parts would not give."""
    t = "complex<f64>"
    exponential = single("exponential", f"{t} -> {t}")
    (turned,) = oracle(exponential, [complex(0, 1.5707963267948966)])
    assert turned == complex(6.123233995736766e-17, 1.0)
    assert repr(oracle(exponential, [complex(-np.inf, np.inf)])[0]) == "0j"
    assert oracle(single("power", f"{t}; {t} -> {t}"), [3 + 4j], [2 + 0j]) == (-7 + 24j,)


def test_e33_random_bits_are_those_of_xla() -> None:
    """The example of the specification."""
    draw = single("rng_bit_generator", "2xui64 -> 2xui64; 2x2xui64", rng_algorithm="THREE_FRY")
    state, bits = evaluate(draw, [Tensor(draw.main.inputs[0].type, (1, 2))])
    assert state.elements == (1, 6)
    assert bits.elements[:2] == (9236835810183407956, 16087790271692313299)
    assert bits.elements[2:] == (18212823393184779219, 2658481902456610144)


def test_e34_rng_is_deterministic_and_in_range() -> None:
    draw = single("rng", "f16; f16; 1xi64 -> 999xf16", rng_distribution="UNIFORM")
    numbers = oracle(draw, [2047.0], [2048.0], [999])
    assert set(numbers) == {2047.0}  # there is nothing between them, and 2048 is not below 2048
    assert oracle(draw, [-1.0], [1.0], [999]) == oracle(draw, [-1.0], [1.0], [999])
    assert set(oracle(draw, [1.0], [-1.0], [999])) == {1.0}


def test_e35_substitution_is_row_by_row() -> None:
    """2048 + 1 is 2048 in f16: the row's products are subtracted from the left."""
    flags = {"left_side": True, "lower": True, "unit_diagonal": True, "transpose_a": "NO_TRANSPOSE"}
    solve = single("triangular_solve", "3x3xf16; 3x1xf16 -> 3x1xf16", **flags)
    a = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, -2048.0, -1.0, 1.0]
    assert oracle(solve, a, [1.0, 1.0, 1.0]) == (1.0, 1.0, 2048.0)  # (1 + 2048) + 1
    factor = single("cholesky", "2x2xf32 -> 2x2xf32", lower=True)
    assert oracle(factor, [4.0, 99.0, 2.0, 10.0]) == (2.0, 0.0, 1.0, 3.0)


def test_e36_a_transform_rounds_once() -> None:
    """2^24 + 1 is no number of f32, and is not lost before 2^24 is subtracted."""
    transform = single("fft", "3xcomplex<f32> -> 3xcomplex<f32>", fft_type="FFT", fft_length=(3,))
    x = [complex(2.0**24, 0), complex(1, 0), complex(-(2.0**24), 0)]
    assert oracle(transform, x)[0] == 1.0
    nan = oracle(transform, [complex(np.inf, 0), 1j, 0j])
    assert all(np.isnan(v.real) and np.isnan(v.imag) for v in nan)


def test_e37_a_broken_promise_folds_all_the_same() -> None:
    """1 + 1 + 2 of two updates that were promised not to meet; the second of them is an event."""
    op = updating("add", ELEMENT_TYPES["i32"], (3,), 3)
    module = program(replace(op, attributes={**op.attributes, "unique_indices": True}))
    args = np.array([1, -2, -9], np.int32), np.array([[0], [0], [1]], np.int32), np.array([1, 2, 3], np.int32)
    tensors = [
        Tensor(v.type, tuple(x.ravel().tolist())) for v, x in zip(module.main.inputs, args, strict=True)
    ]
    assert evaluate(module, tensors)[0].elements == (4, 1, -9)
    assert interp.run(module, *args)[0].storage.tolist() == [4, 1, -9]
    (event,) = interp.trace(module, *args).events
    assert (event.kind, event.what, event.index) == ("unspecified", "operand %arg2", (1,))


def test_e38_onnx_nan_is_the_least_integer() -> None:
    """Compare E4: `uniform_quantize` gives 0, clamped."""
    for type, least in (("int8", -128), ("uint8", 0), ("int4", -8)):
        assert onnx.quantize_linear([math.nan], 1.0, output_dtype=type).tolist() == [least]


def test_e39_onnx_saturates_beyond_int32() -> None:
    x = [1e10, -1e10, math.inf, -math.inf]
    assert onnx.quantize_linear(x, 1.0, np.int8(3)).tolist() == [127, -128, 127, -128]
    assert onnx.quantize_linear([1.0, -1.0, 0.0], 0.0, np.int8(3)).tolist() == [127, -128, -128]


def test_e40_onnx_precision_of_scales_without_quotients() -> None:
    """16777217 / 33554432 is more than 1/2, but not in f32; 6 / 2 is 3, which is no power of two.

    The sum of a quotient and a zero point rounds to f32: 1 + 0.25 + 2**-25 is a tie of float4e2m1.
    """
    x, scale = np.array([2**24 + 1], np.int32), np.array(2**25, np.int32)
    assert onnx.quantize_linear(x, scale, np.int8(0)).tolist() == [1]
    power = np.array(2.0, ml_dtypes.float8_e8m0fnu)
    assert onnx.quantize_linear([6.0], power, np.int8(0), version=24).tolist() == [3]
    more, zero_point = [0.5 + 2**-24], np.array(1.0, ml_dtypes.float4_e2m1fn)
    assert onnx.quantize_linear(more, power, zero_point, version=24).tolist() == [1.0]


def test_e41_onnx_operands_round_to_the_precision() -> None:
    """2049 is no f16: it rounds to 2048, and 2048 / 4096 is a tie, 2049 / 4096 is beyond it."""
    x, scale = np.array([2049.0], np.float32), np.array(4096.0, np.float16)
    assert onnx.quantize_linear(x, scale, np.int8(0)).tolist() == [0]
    assert onnx.quantize_linear(x, scale, np.int8(0), precision="float").tolist() == [1]


def test_e42_onnx_dequantizes_in_f32() -> None:
    x, scale = np.array([65535], np.uint16), np.array(0.5, np.float16)
    assert onnx.dequantize_linear(x, scale).tolist() == [32768.0]


def test_e43_onnx_dynamic_range_of_zero() -> None:
    y, scale, zero_point = onnx.dynamic_quantize_linear([0.0, 0.0])
    assert (y.tolist(), scale.item(), zero_point.item()) == ([0, 0], float(np.float32(1 / 255)), 0)
    y, scale, zero_point = onnx.dynamic_quantize_linear([math.nan, 1.0])
    assert (y.tolist(), math.isnan(scale.item()), zero_point.item()) == ([0, 0], True, 255)


def test_e44_onnx_accumulators_wrap() -> None:
    """33,026 products of 255 * 255 are 2,147,515,650, and the most that i32 holds is 2,147,483,647."""
    count = 33026
    a, b = np.full((1, count), 255, np.uint8), np.full((count, 1), 255, np.uint8)
    assert onnx.matmul_integer(a, b).tolist() == [[count * 255 * 255 - 2**32]]


def test_e45_onnx_zero_points_follow_the_rounding() -> None:
    """0.5 rounds to 0, and 1 is added; 0.5 + 1 would round to 2."""
    assert onnx.qlinear_matmul([[1]], 0.5, 0, [[1]], 1.0, 0, 1.0, 1).tolist() == [[1]]


def test_e46_onnx_a_vector_of_one_is_a_scalar() -> None:
    scale, zero_point = np.array([0.5], np.float32), np.int8(1)
    assert onnx.quantize_linear([1.0, 2.0, 3.0], scale, zero_point).tolist() == [3, 5, 7]


def test_e47_onnx_zero_points_of_floats() -> None:
    f4, f8 = np.array(1.0, ml_dtypes.float4_e2m1fn), np.array(1.0, ml_dtypes.float8_e5m2)
    stored = onnx.quantize_linear([2.0], 1.0, f4)
    assert stored.tolist() == [3.0]
    assert onnx.dequantize_linear(stored, 1.0, f4).tolist() == [2.0]
    x, scale = np.float16([0.25 + 2**-12]), np.array(1.0, np.float16)
    assert onnx.quantize_linear(x, scale, f4).tolist() == [1.5]  # in f16 the sum would be 1.25, a tie
    with pytest.raises(interp.Violation, match="onnx_quantize_linear_c7"):
        onnx.quantize_linear([2.0], 1.0, f8)


def test_e48_parts_are_leading_bits() -> None:
    """The parts of 1 + 2^-8 + 2^-9 by their bits are 1 and 3 * 2^-9; to nearest, 1 + 2^-7 and -2^-9."""
    words = ALGORITHM.format("bf16", "f32").replace(
        "num_primitive_operations = 1", "num_primitive_operations = 3"
    )
    x = 1 + 2.0**-8 + 2.0**-9
    assert oracle(dot_with(words, "f32", "f32"), [x, -1.0], [x, 1.0]) == (6 * 2.0**-9,)


def test_e49_blocks_are_an_extension() -> None:
    blocks = "!quant.uniform<i8:f32:{0:2}, {0.5:1, 0.25}>"
    module = function(
        f"(%lhs: tensor<4xf32>, %rhs: tensor<4x{blocks}>) -> tensor<f32>",
        "%0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [0] x [0]"
        f" : (tensor<4xf32>, tensor<4x{blocks}>) -> tensor<f32>",
    )
    assert oracle(module, [1.0, 2.0, 3.0, 4.0], [3, 2, 1, 4]) == (1 * 1 + 2 * 0.5 + 3 * 0.25 + 4 * 1,)
