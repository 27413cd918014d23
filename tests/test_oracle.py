"""The oracle's notation and ops on cases computed by hand, by NumPy, or by XLA where that is exact."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isnan, nan
from typing import Any

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.context import Context
from spec.errors import Location, Unspecified, Unsupported
from spec.evaluate import evaluate
from spec.index import Tensor
from spec.ir import Dense, Func, Module, Op, Region, Symbol, Value
from spec.notation import (
    baseline_type,
    convert,
    dequantize,
    fold,
    is_promotable,
    quantize,
    to_destination_type,
)
from spec.ops import OPS
from spec.schedule import BALANCED, LEFT, Schedule, blocks, random
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, quantized
from tests.builders import contracting, convolving

Element = ElementType | QuantizedType | str
HALF = quantized("i8", "f32", 0.5, 3)
SCHEDULES = [LEFT, BALANCED, blocks(2), random(5)]


def tensor_type(shape: Sequence[int], element: Element) -> TensorType:
    return TensorType(tuple(shape), ELEMENT_TYPES[element] if isinstance(element, str) else element)


def tensor(element: Element, values: Any) -> Tensor:
    array = np.asarray(values, dtype=object)
    return Tensor(tensor_type(array.shape, element), tuple(array.reshape(-1).tolist()))


def execute(name: str, operands: Sequence[Tensor], result: TensorType, **attributes: Any) -> list[Any]:
    """The elements of the one result of an op."""
    schedule = attributes.pop("schedule", LEFT)
    values = tuple(Value(f"%{i}", x.type) for i, x in enumerate(operands))
    op = Op(name, values, (Value("%r", result),), attributes, location=Location("m.mlir", 4, 2))
    (output,) = OPS[name].meaning(op, operands, Context(schedule, (), lambda name, args: ()))
    assert output.type == result
    return list(output.elements)


def elementwise(name: str, *operands: Tensor, to: Element | None = None, **attributes: Any) -> list[Any]:
    """An op whose result has the last operand's shape and, unless said otherwise, its element type."""
    shape = max((x.type.shape for x in operands), key=len)
    result = tensor_type(shape, operands[-1].type.element_type if to is None else to)
    return execute(f"stablehlo.{name}", operands, result, **attributes)


# Notation


def test_dequantize_subtracts_exactly() -> None:
    x = tensor(quantized("i8", "f32", 1.0, -128), [127, -128, 0])
    assert dequantize(x).elements == (255.0, 0.0, 128.0)


def test_dequantize_rounds_difference_then_product() -> None:
    # bf16: 259 lies midway between 258 and 260; 260 * fl(0.3) = 260 * 0.30078125 = 78.203125, near 78.
    x = tensor(quantized("i16", "bf16", 0.3), [259])
    assert dequantize(x).elements == (78.0,)


def test_dequantize_per_axis_and_per_block() -> None:
    per_axis = quantized("i8", "f32", (0.5, 2.0), (1, 0), quantization_dimension=1)
    assert dequantize(tensor(per_axis, [[3, 3], [5, 5]])).elements == (1.0, 6.0, 2.0, 10.0)
    i8, f32 = ELEMENT_TYPES["i8"], ELEMENT_TYPES["f32"]
    blocked = QuantizedType(
        i8, -128, 127, f32, (1.0, 10.0), (0, 1), block_sizes=((1, 2),), parameters_shape=(1, 2)
    )
    assert dequantize(tensor(blocked, [[1, 2, 3, 4], [5, 6, 7, 8]])).elements == (
        *(1.0, 2.0, 20.0, 30.0),
        *(5.0, 6.0, 60.0, 70.0),
    )


@pytest.mark.parametrize(
    ("element", "number", "stored"),
    [
        (HALF, 5.0, 13),
        (HALF, 1000.0, 127),
        (HALF, -inf, -128),
        (quantized("i8", "f32", 1.0, 1), 0.5, 2),  # 1.5 rounds to 2: the zero point is added before
        (quantized("i32", "f32", 1.0), 3e9, 2**31 - 1),  # erratum E3
        (quantized("u32", "f16", 1.0), inf, 2**32 - 1),  # fl(storage_max) is an infinity of f16
        (quantized("i8", "f32", 1.0, 3), nan, 0),  # erratum E4
        (quantized("i8", "f32", 1.0, 7, storage_min=5), nan, 5),
        (quantized("i4", "f32", 1.0), 2.5, 2),
        (quantized("u8", "bf16", 0.1), 1.0, 10),
    ],
)
def test_quantize(element: QuantizedType, number: float, stored: int) -> None:
    assert quantize(tensor("f64", number), tensor_type((), element)).item == stored


def test_convert() -> None:
    def to(target: str, source: str, values: list[Any]) -> list[Any]:
        return list(convert(tensor(source, values), tensor_type((len(values),), target)).elements)

    assert to("i8", "f32", [nan, 300.0, -1.9, -inf]) == [0, 127, -1, -128]
    assert to("ui8", "i32", [-1, 256, 7]) == [255, 0, 7]
    assert to("i1", "f32", [nan, -0.0, 0.5]) == [True, False, True]
    assert to("f32", "i1", [True, False]) == [1.0, 0.0]
    assert to("f32", "i64", [2**24 + 1, 2**60 + 2**36 + 1]) == [2.0**24, 2.0**60 + 2.0**37]
    assert to("complex<f32>", "i64", [2**24 + 3]) == [complex(2**24 + 4, 0)]
    assert to("f32", "complex<f64>", [complex(0.1, 9)]) == [float(np.float32(0.1))]


def test_to_destination_type() -> None:
    x = tensor(HALF, [13, -128])
    assert to_destination_type(x, HALF) is x
    assert to_destination_type(x, ELEMENT_TYPES["f32"]).elements == (5.0, -65.5)
    assert to_destination_type(x, quantized("i32", "f32", 0.25)).elements == (20, -262)
    assert to_destination_type(tensor("f32", [5.0]), HALF).elements == (13,)
    assert to_destination_type(tensor("i8", [-1]), ELEMENT_TYPES["i32"]).elements == (-1,)
    with pytest.raises(Unspecified, match="expressed type f32 only"):
        to_destination_type(x, ELEMENT_TYPES["bf16"])


def test_is_promotable() -> None:
    i8, i16, ui8, f32, f16, i1 = (ELEMENT_TYPES[name] for name in ("i8", "i16", "ui8", "f32", "f16", "i1"))
    wider, other = quantized("i32", "f32", 1.0), quantized("i32", "bf16", 1.0)
    yes = [(i8, i8), (i8, ui8), (i8, i16), (f16, f32), (i1, i1), (HALF, wider)]
    no = [(i16, i8), (f32, f16), (i8, f32), (i1, i8), (HALF, other), (wider, HALF), (HALF, f32), (i8, HALF)]
    assert all(is_promotable(*pair) for pair in yes)
    assert not any(is_promotable(*pair) for pair in no)


def test_baseline_type_forgets_scales_and_zero_points_only() -> None:
    other = quantized("i8", "f32", 2.0)
    assert baseline_type(tensor_type((2,), HALF)) == baseline_type(tensor_type((2,), other))
    assert baseline_type(tensor_type((2,), HALF)) != baseline_type(tensor_type((3,), HALF))
    narrow = quantized("i8", "f32", 2.0, storage_min=-127)
    assert baseline_type(tensor_type((), HALF)) != baseline_type(tensor_type((), narrow))


def parenthesize(x: str, y: str) -> tuple[str]:
    return (f"({x}{y})",)


def test_fold_contracts_absent_leaves() -> None:
    def tree(schedule: Schedule, present: str) -> str:
        leaves = [(letter,) for letter in "abcde"]
        return fold(parenthesize, leaves, [p == "1" for p in present], schedule, seeded=False)[0]

    assert tree(LEFT, "11111") == "((((ab)c)d)e)"
    assert tree(LEFT, "01011") == "((bd)e)"
    assert tree(BALANCED, "11111") == "(((ab)(cd))e)"
    assert tree(BALANCED, "10110") == "(a(cd))"
    assert tree(BALANCED, "00100") == "c"


@given(st.lists(st.booleans(), min_size=1).filter(any), st.sampled_from([LEFT, BALANCED, random(3)]))
def test_fold_keeps_the_order_of_leaves(present: list[bool], schedule: Schedule) -> None:
    leaves = [(f"{i},",) for i in range(len(present))]
    concatenate = lambda x, y: (x + y,)
    expected = "".join(f"{i}," for i, here in enumerate(present) if here)
    assert fold(concatenate, leaves, present, schedule, seeded=True) == (expected,)


# Elementwise


def test_quantized_ops_dequantize_operate_and_quantize() -> None:
    x, y = tensor(HALF, [13, -128]), tensor(quantized("i8", "f32", 0.25), [4, 8])
    assert elementwise("add", x, y) == [24, -128]  # 5 + 1 = 6; -65.5 + 2 = -63.5 saturates
    assert elementwise("negate", x) == [-7, 127]  # -5 is -10 + 3
    assert elementwise("multiply", x, y, to=HALF) == [13, -128]
    assert elementwise("floor", tensor(HALF, [4]), to=HALF) == [3]  # 0.5 becomes 0


def test_quantized_maximum_can_change_a_value() -> None:
    x = tensor(quantized("i8", "bf16", 0.3), [-125])
    assert elementwise("maximum", x, x) == [-124]


def test_add_per_axis() -> None:
    per_axis = quantized("i8", "f32", (0.5, 2.0), (1, 0), quantization_dimension=0)
    x = tensor(per_axis, [[3, 5], [1, 2]])  # 1 2 / 2 4
    assert elementwise("add", x, x) == [5, 9, 2, 4]
    assert elementwise("add", x, tensor(HALF, [[3, 5], [3, 5]]), to=per_axis) == [3, 7, 1, 2]


def test_quantized_compare_and_is_finite_give_booleans() -> None:
    x, y = tensor(HALF, [13, 4]), tensor(quantized("i8", "f32", 0.25), [20, 4])
    assert elementwise("compare", x, y, to="i1", comparison_direction="EQ") == [True, False]
    huge = tensor(quantized("i16", "f16", 60000.0), [2, 1])
    assert elementwise("is_finite", huge, to="i1") == [False, True]


def test_select() -> None:
    on_true, on_false = tensor("i32", [1, 2]), tensor("i32", [3, 4])
    assert elementwise("select", tensor("i1", [True, False]), on_true, on_false) == [1, 4]
    assert elementwise("select", tensor("i1", False), on_true, on_false) == [3, 4]
    lossy = tensor(quantized("i8", "bf16", 0.3), [-125, 5])
    assert elementwise("select", tensor("i1", True), lossy, lossy) == [-124, 5]


def test_clamp() -> None:
    low, high = tensor("f32", -1.0), tensor("f32", 2.0)
    clamped = elementwise("clamp", low, tensor("f32", [-5.0, 0.5, inf]), high, to="f32")
    assert clamped == [-1.0, 0.5, 2.0]
    assert elementwise("clamp", tensor("i8", 5), tensor("i8", [4, 9]), tensor("i8", 3)) == [3, 3]
    bounds = [tensor(HALF, 3), tensor(HALF, [13, 13])]
    assert elementwise("clamp", bounds[0], tensor(HALF, [-9, 99]), bounds[1]) == [3, 13]


def test_compare() -> None:
    def compare(element: str, x: Any, y: Any, direction: str, **attributes: str) -> bool:
        operands = tensor(element, x), tensor(element, y)
        (result,) = elementwise("compare", *operands, to="i1", comparison_direction=direction, **attributes)
        return result

    assert not compare("f32", nan, nan, "EQ")
    assert compare("f32", nan, 1.0, "NE")
    assert not compare("f32", -0.0, 0.0, "LT")
    assert compare("f32", -0.0, 0.0, "LT", compare_type="TOTALORDER")
    assert compare("f32", inf, nan, "LT", compare_type="TOTALORDER")
    assert compare("i1", False, True, "LT")
    assert compare("ui8", 200, 100, "GT")
    assert compare("complex<f32>", 1 + 5j, 2 + 0j, "LT")
    assert compare("complex<f32>", 1 + 5j, 1 + 5j, "GE")
    assert compare("complex<f32>", complex(nan, 0), complex(nan, 0), "NE")


def test_booleans_add_by_or_and_multiply_by_and() -> None:
    x, y = tensor("i1", [False, False, True, True]), tensor("i1", [False, True, False, True])
    assert elementwise("add", x, y) == [False, True, True, True]
    assert elementwise("maximum", x, y) == [False, True, True, True]
    assert elementwise("multiply", x, y) == [False, False, False, True]
    assert elementwise("xor", x, y) == [False, True, True, False]
    assert elementwise("not", x) == [True, True, False, False]


def test_complex_parts() -> None:
    x = tensor("complex<f32>", [1 + 2j])
    assert elementwise("real", x, to="f32") == [1.0]
    assert elementwise("imag", x, to="f32") == [2.0]
    assert elementwise("imag", tensor("f32", [3.0])) == [0.0]
    assert elementwise("complex", tensor("f32", [1.0]), tensor("f32", [2.0]), to="complex<f32>") == [1 + 2j]
    assert elementwise("abs", tensor("complex<f32>", [3 + 4j]), to="f32") == [5.0]


def test_reduce_precision() -> None:
    bits = {"exponent_bits": 5, "mantissa_bits": 2}
    assert elementwise("reduce_precision", tensor("f32", [1.3, 1e9]), **bits) == [1.25, inf]


def test_every_op_on_floats_is_evaluated_in_their_type() -> None:
    assert elementwise("exponential", tensor("bf16", [1.0])) == [2.71875]
    assert elementwise("divide", tensor("f16", [1.0]), tensor("f16", [3.0])) == [float(np.float16(1 / 3))]
    assert elementwise("add", tensor("f8E4M3FN", [448.0]), tensor("f8E4M3FN", [8.0])) == [448.0]
    assert isnan(elementwise("add", tensor("f8E4M3FN", [448.0]), tensor("f8E4M3FN", [64.0]))[0])


def test_an_op_without_meaning_for_a_kind_says_where_and_for_which_it_has_one() -> None:
    with pytest.raises(Unsupported) as error:
        elementwise("remainder", tensor("complex<f32>", [1j]), tensor("complex<f32>", [1j]))
    assert str(error.value) == (
        "m.mlir:4:2: stablehlo.remainder on complex<f32> has no meaning here\n  it has one on: integer, float"
    )


# Structure


@given(st.permutations(range(3)), st.lists(st.booleans(), min_size=3, max_size=3))
def test_transpose_and_reverse_are_numpy(permutation: list[int], reversed: list[bool]) -> None:
    x = np.arange(24).reshape(2, 3, 4)
    expected = x.transpose(permutation)
    result = tensor_type(expected.shape, "i32")
    assert execute("stablehlo.transpose", [tensor("i32", x)], result, permutation=tuple(permutation)) == [
        *expected.flat
    ]
    dimensions = tuple(d for d in range(3) if reversed[d])
    flipped = execute(
        "stablehlo.reverse", [tensor("i32", x)], tensor_type(x.shape, "i32"), dimensions=dimensions
    )
    assert flipped == [*np.flip(x, dimensions).flat]


def test_broadcast_in_dim() -> None:
    x = tensor("i32", [[1], [2]])
    result = execute(
        "stablehlo.broadcast_in_dim", [x], tensor_type((3, 2), "i32"), broadcast_dimensions=(1, 0)
    )
    assert result == [1, 2, 1, 2, 1, 2]
    per_axis = quantized("i8", "f32", (0.5, 2.0), quantization_dimension=0)
    moved = quantized("i8", "f32", (0.5, 2.0), quantization_dimension=1)
    moving = {"operands": [tensor(per_axis, [7, 9])], "result": tensor_type((2, 2), moved)}
    assert execute("stablehlo.broadcast_in_dim", **moving, broadcast_dimensions=(1,)) == [7, 9, 7, 9]


def test_reshape_and_slice_and_concatenate() -> None:
    x = tensor("i32", np.arange(12).reshape(3, 4))
    assert execute("stablehlo.reshape", [x], tensor_type((2, 6), "i32")) == list(range(12))
    window = {"start_indices": (1, 0), "limit_indices": (3, 4), "strides": (1, 3)}
    assert execute("stablehlo.slice", [x], tensor_type((2, 2), "i32"), **window) == [4, 7, 8, 11]
    joined = execute("stablehlo.concatenate", [x, x], tensor_type((3, 8), "i32"), dimension=1)
    assert joined == [*np.concatenate([np.arange(12).reshape(3, 4)] * 2, axis=1).flat]


def test_pad() -> None:
    # The rows of the operand are one apart, the first column goes, two columns come.
    x, zero = tensor("i32", [[1, 2, 3], [4, 5, 6]]), tensor("i32", 0)
    padding = {"edge_padding_low": (0, -1), "edge_padding_high": (1, 2), "interior_padding": (1, 0)}
    expected = [2, 3, 0, 0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 0, 0]
    assert execute("stablehlo.pad", [x, zero], tensor_type((4, 4), "i32"), **padding) == expected


def test_iota() -> None:
    assert execute("stablehlo.iota", [], tensor_type((2, 3), "f32"), iota_dimension=1) == [0.0, 1.0, 2.0] * 2
    assert execute("stablehlo.iota", [], tensor_type((3,), HALF), iota_dimension=0) == [3, 5, 7]
    assert execute("stablehlo.iota", [], tensor_type((2,), "complex<f32>"), iota_dimension=0) == [0j, 1 + 0j]


@pytest.mark.parametrize(
    ("element", "array"),
    [
        ("i1", np.array([True, False])),
        ("i4", np.array([-8, 7], np.int8)),
        ("ui64", np.array([2**64 - 1, 5], np.uint64)),
        ("f32", np.array([-0.0, 1e-45], np.float32)),
        ("f64", np.array([1 / 3, -inf])),
        ("complex<f32>", np.array([1 - 2j, 0.5j], np.complex64)),
        (HALF, np.array([-128, 127], np.int8)),
    ],
)
def test_constant(element: Element, array: np.ndarray) -> None:
    type = tensor_type(array.shape, element)
    stored = tensor_type(array.shape, type.storage_type)
    assert execute("stablehlo.constant", [], type, value=Dense(stored, array.tobytes())) == array.tolist()
    splat = Dense(stored, array[:1].tobytes(), splat=True)
    assert execute("arith.constant", [], type, value=splat) == [array[0].item()] * 2


# Contraction


def dot(lhs: Tensor, rhs: Tensor, result: TensorType, **attributes: Any) -> list[Any]:
    return execute("stablehlo.dot_general", [lhs, rhs], result, **contracting(1) | attributes)


def test_dot_general_is_einsum_on_integers() -> None:
    draw = np.random.default_rng(0)
    lhs, rhs = draw.integers(-128, 128, (2, 3, 4, 5)), draw.integers(-128, 128, (5, 6, 3, 2))
    expected = np.einsum("bkil,ljkb->bij", lhs, rhs)
    result = dot(
        tensor("i8", lhs),
        tensor("i8", rhs),
        tensor_type(expected.shape, "i32"),
        lhs_batching_dimensions=(0,),
        rhs_batching_dimensions=(3,),
        lhs_contracting_dimensions=(3, 1),
        rhs_contracting_dimensions=(0, 2),
    )
    assert result == [*expected.flat]


def test_dot_general_wraps_in_the_result_type() -> None:
    assert dot(tensor("i8", [[100, 100]]), tensor("i8", [[1], [1]]), tensor_type((1, 1), "i8")) == [-56]


def test_dot_general_adds_in_the_order_of_the_schedule() -> None:
    # In f16 2048 + 1 is 2048, so that the order of additions shows; 0 is leaf 0.
    lhs, rhs = tensor("f16", [[2048.0, 1.0, 1.0, 1.0]]), tensor("f16", [[1.0]] * 4)
    results = {s: dot(lhs, rhs, tensor_type((1, 1), "f16"), schedule=s) for s in (LEFT, BALANCED)}
    assert results == {LEFT: [2048.0], BALANCED: [2052.0]}  # ((0 2048) (1 1)) 1 = 2050 + 1, to even


def test_dot_general_rounds_products_to_the_result_type() -> None:
    lhs, rhs = tensor("bf16", [[1.0078125]]), tensor("bf16", [[1.0078125]])
    assert dot(lhs, rhs, tensor_type((1, 1), "bf16")) == [1.015625]
    assert dot(lhs, rhs, tensor_type((1, 1), "f32")) == [1.0078125**2]


def test_dot_general_contracting_dimensions_in_listed_order() -> None:
    # Listed order (1, 0) visits 2048 -2048 first only where axis 1 is the outer one.
    lhs = tensor("f16", [[[2048.0, 1.0], [-2048.0, 0.0]]])
    ones = tensor("f16", [[1.0, 1.0], [1.0, 1.0]])
    order = {"lhs_contracting_dimensions": (1, 2), "rhs_contracting_dimensions": (0, 1)}
    assert dot(lhs, ones, tensor_type((1,), "f16"), **order) == [0.0]
    order = {"lhs_contracting_dimensions": (2, 1), "rhs_contracting_dimensions": (0, 1)}
    assert dot(lhs, ones, tensor_type((1,), "f16"), **order) == [1.0]


def test_dot_general_of_quantized_tensors() -> None:
    weights = quantized("i8", "f32", (0.5, 0.25), quantization_dimension=1)
    results = quantized("i8", "f32", (1.0, 2.0), (0, 1), quantization_dimension=1)
    lhs, rhs = tensor(HALF, [[5, 7]]), tensor(weights, [[2, 4], [6, 8]])  # 1 2 times 1 1 / 3 2
    assert dot(lhs, rhs, tensor_type((1, 2), results)) == [7, 4]  # 7 and 5: 5 / 2 + 1 to even
    assert dot(tensor("f32", [[1.0, 2.0]]), rhs, tensor_type((1, 2), "f32")) == [7.0, 5.0]


CONVOLUTIONS = [
    {"lhs": (1, 5, 5, 2), "rhs": (3, 3, 2, 3)},
    {"lhs": (2, 6, 5, 1), "rhs": (3, 2, 1, 2), "window_strides": (2, 1), "padding": ((1, 2), (0, 1))},
    {"lhs": (1, 4, 4, 1), "rhs": (2, 2, 1, 2), "lhs_dilation": (2, 3), "rhs_dilation": (2, 1)},
    {"lhs": (1, 6, 6, 1), "rhs": (2, 3, 1, 1), "padding": ((-1, 2), (2, -2))},
    {"lhs": (1, 4, 4, 4), "rhs": (2, 2, 2, 6), "feature_group_count": 2},
    {"lhs": (4, 3, 3, 2), "rhs": (2, 2, 2, 4), "batch_group_count": 2},
]


@pytest.mark.parametrize("case", CONVOLUTIONS)
@pytest.mark.parametrize("schedule", SCHEDULES, ids=repr)
def test_convolution_is_xla_on_small_integers(case: dict[str, Any], schedule: Schedule) -> None:
    """All sums of these are exact in f32, so that XLA's order does not matter."""
    draw = np.random.default_rng(1)
    geometry = {name: value for name, value in case.items() if name not in ("lhs", "rhs")}
    lhs, rhs = (draw.integers(-9, 10, case[name]).astype(np.float32) for name in ("lhs", "rhs"))
    full = {"window_strides": (1, 1), "padding": ((0, 0), (0, 0)), **geometry}
    expected = np.asarray(
        jax.lax.conv_general_dilated(lhs, rhs, dimension_numbers=("NHWC", "HWIO", "NWHC"), **full)
    )
    assert convolve(
        tensor("f32", lhs),
        tensor("f32", rhs),
        tensor_type(expected.shape, "f32"),
        schedule=schedule,
        **geometry,
    ) == [*expected.flat]


def convolve(lhs: Tensor, rhs: Tensor, result: TensorType, **attributes: Any) -> list[Any]:
    """A convolution with lhs NHWC, rhs HWIO and the result NWHC."""
    return execute("stablehlo.convolution", [lhs, rhs], result, **convolving("b01f 01io b10f", **attributes))


def test_convolution_reverses_windows() -> None:
    lhs, rhs = tensor("i32", [[[[1]], [[2]], [[3]]]]), tensor("i32", [[[[10]]], [[[1]]]])
    assert convolve(lhs, rhs, tensor_type((1, 1, 2, 1), "i32")) == [12, 23]
    assert convolve(lhs, rhs, tensor_type((1, 1, 2, 1), "i32"), window_reversal=(True, False)) == [21, 32]


def test_convolution_pads_quantized_tensors_with_the_number_zero() -> None:
    lhs = tensor(HALF, [[[[5]]]])  # 1
    rhs = tensor(quantized("i8", "f32", 1.0), [[[[2]]], [[[4]]]])
    result = tensor_type((1, 1, 2, 1), HALF)
    assert convolve(lhs, rhs, result, padding=((1, 1), (0, 0))) == [11, 7]  # 4 and 2


def test_padding_of_a_convolution_is_zero_products() -> None:
    lhs, rhs = tensor("f32", [[[[1.0]]]]), tensor("f32", [[[[inf]]], [[[2.0]]]])
    assert convolve(lhs, rhs, tensor_type((1, 1, 1, 1), "f32"), padding=((1, 0), (0, 0))) == [2.0]


def test_convolution_without_spatial_dimensions_is_a_product_of_matrices() -> None:
    nowhere = convolving("bf io bf")
    lhs, rhs = tensor("i32", [[1, 2], [3, 4]]), tensor("i32", [[5, 6], [7, 8]])
    result = tensor_type((2, 2), "i32")
    assert convolve(lhs, rhs, result, **nowhere) == [19, 22, 43, 50]


# The loop


def test_calls_and_captured_values() -> None:
    f32 = tensor_type((), "f32")
    x, y, z = (Value(name, f32) for name in ("%x", "%y", "%z"))
    double = Region((x,), (Op("stablehlo.add", (x, x), (y,)), Op("func.return", (y,), ())))
    call = Op("func.call", (x,), (y,), {"callee": Symbol("double")})
    main = Region((x,), (call, Op("stablehlo.multiply", (x, y), (z,)), Op("func.return", (z, y), ())))
    module = Module(
        {"main": Func("main", main, (f32, f32)), "double": Func("double", double, (f32,), public=False)}
    )
    results = evaluate(module, [tensor("f32", 3.0)])
    assert [r.item for r in results] == [18.0, 6.0]


def test_an_unknown_op_is_unsupported_where_it_stands() -> None:
    f32 = tensor_type((), "f32")
    x = Value("%x", f32)
    erf = Op("chlo.erf", (x,), (x,), location=Location("m.mlir", 2, 3))
    module = Module({"main": Func("main", Region((x,), (erf, Op("func.return", (x,), ()))), (f32,))})
    with pytest.raises(Unsupported, match=r"chlo\.erf has no meaning here") as error:
        evaluate(module, [tensor("f32", 3.0)])
    assert error.value.where == Location("m.mlir", 2, 3)
