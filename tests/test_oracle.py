"""The oracle's notation, and what the conformance cases do not say of its operations."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spec.attributes import Dense, Symbol
from spec.errors import Location, Unspecified, Unsupported
from spec.ir import Func, Module, Op, Region, Value
from spec.meaning.evaluate import MEANINGS, evaluate
from spec.meaning.index import Context, Tensor
from spec.meaning.notation import convert, dequantize, fold, quantize, to_destination_type
from spec.rules.members import baseline_type, is_promotable
from spec.schedule import BALANCED, LEFT, Schedule, blocks, random
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, make_quantized

Element = ElementType | QuantizedType | str
HALF = make_quantized("i8", "f32", 0.5, 3)
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
    (output,) = MEANINGS[name](op, operands, Context(schedule, (), lambda name, args: ()))
    assert output.type == result
    return list(output.elements)


def elementwise(name: str, *operands: Tensor, to: Element | None = None, **attributes: Any) -> list[Any]:
    """An op whose result has the last operand's shape and, unless said otherwise, its element type."""
    shape = max((x.type.shape for x in operands), key=len)
    result = tensor_type(shape, operands[-1].type.element_type if to is None else to)
    return execute(f"stablehlo.{name}", operands, result, **attributes)


# Notation


def test_dequantize_subtracts_exactly() -> None:
    x = tensor(make_quantized("i8", "f32", 1.0, -128), [127, -128, 0])
    assert dequantize(x).elements == (255.0, 0.0, 128.0)


def test_dequantize_rounds_difference_then_product() -> None:
    # bf16: 259 lies midway between 258 and 260; 260 * fl(0.3) = 260 * 0.30078125 = 78.203125, near 78.
    x = tensor(make_quantized("i16", "bf16", 0.3), [259])
    assert dequantize(x).elements == (78.0,)


def test_dequantize_per_axis_and_per_block() -> None:
    per_axis = make_quantized("i8", "f32", (0.5, 2.0), (1, 0), quantization_dimension=1)
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
        (make_quantized("i8", "f32", 1.0, 1), 0.5, 2),  # 1.5 rounds to 2: the zero point is added before
        (make_quantized("i32", "f32", 1.0), 3e9, 2**31 - 1),  # erratum E3
        (make_quantized("u32", "f16", 1.0), inf, 2**32 - 1),  # fl(storage_max) is an infinity of f16
        (make_quantized("i8", "f32", 1.0, 3), nan, 0),  # erratum E4
        (make_quantized("i8", "f32", 1.0, 7, storage_min=5), nan, 5),
        (make_quantized("i4", "f32", 1.0), 2.5, 2),
        (make_quantized("u8", "bf16", 0.1), 1.0, 10),
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
    assert to_destination_type(x, make_quantized("i32", "f32", 0.25)).elements == (20, -262)
    assert to_destination_type(tensor("f32", [5.0]), HALF).elements == (13,)
    assert to_destination_type(tensor("i8", [-1]), ELEMENT_TYPES["i32"]).elements == (-1,)
    with pytest.raises(Unspecified, match="expressed type f32 only"):
        to_destination_type(x, ELEMENT_TYPES["bf16"])


def test_is_promotable() -> None:
    i8, i16, ui8, f32, f16, i1 = (ELEMENT_TYPES[name] for name in ("i8", "i16", "ui8", "f32", "f16", "i1"))
    wider, other = make_quantized("i32", "f32", 1.0), make_quantized("i32", "bf16", 1.0)
    yes = [(i8, i8), (i8, ui8), (i8, i16), (f16, f32), (i1, i1), (HALF, wider)]
    no = [(i16, i8), (f32, f16), (i8, f32), (i1, i8), (HALF, other), (wider, HALF), (HALF, f32), (i8, HALF)]
    assert all(is_promotable(*pair) for pair in yes)
    assert not any(is_promotable(*pair) for pair in no)


def test_baseline_type_forgets_scales_and_zero_points_only() -> None:
    other = make_quantized("i8", "f32", 2.0)
    assert baseline_type(tensor_type((2,), HALF)) == baseline_type(tensor_type((2,), other))
    assert baseline_type(tensor_type((2,), HALF)) != baseline_type(tensor_type((3,), HALF))
    narrow = make_quantized("i8", "f32", 2.0, storage_min=-127)
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


# Operations: tests/test_confirm_cases.py holds the results of each against exact arithmetic


def test_add_per_axis() -> None:
    per_axis = make_quantized("i8", "f32", (0.5, 2.0), (1, 0), quantization_dimension=0)
    x = tensor(per_axis, [[3, 5], [1, 2]])  # 1 2 / 2 4
    assert elementwise("add", x, x) == [5, 9, 2, 4]
    assert elementwise("add", x, tensor(HALF, [[3, 5], [3, 5]]), to=per_axis) == [3, 7, 1, 2]


def test_an_op_without_meaning_for_a_kind_says_where_and_for_which_it_has_one() -> None:
    with pytest.raises(Unsupported) as error:
        elementwise("remainder", tensor("complex<f32>", [1j]), tensor("complex<f32>", [1j]))
    assert str(error.value) == (
        "m.mlir:4:2: stablehlo.remainder on complex<f32> has no meaning here\n  it has one on: integer, float"
    )


def test_a_broadcast_moves_the_quantization_dimension() -> None:
    per_axis = make_quantized("i8", "f32", (0.5, 2.0), quantization_dimension=0)
    moved = make_quantized("i8", "f32", (0.5, 2.0), quantization_dimension=1)
    moving = {"operands": [tensor(per_axis, [7, 9])], "result": tensor_type((2, 2), moved)}
    assert execute("stablehlo.broadcast_in_dim", **moving, broadcast_dimensions=(1,)) == [7, 9, 7, 9]


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
