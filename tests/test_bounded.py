"""Sizes with bounds, and Python numbers as arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import interp

B4, ROWS = "tensor<?xf32, #stablehlo.bounds<4>>", "tensor<2x?xi8, #stablehlo.bounds<?, 4>>"
ADD = """func.func @main(%x: {0}) -> {0} {{
  %y = stablehlo.add %x, %x : {0}
  return %y : {0}
}}"""
RESIZED = f"""func.func @main(%x: tensor<4xf32>, %n: tensor<i32>) -> {B4} {{
  %y = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> {B4}
  %z = stablehlo.add %y, %y : {B4}
  return %z : {B4}
}}"""
LIKE_ANOTHER = f"""func.func @main(%x: {ROWS}, %y: tensor<2x4xi8>) -> ({ROWS}, tensor<i32>) {{
  %n = stablehlo.get_dimension_size %x, dim = 1 : ({ROWS}) -> tensor<i32>
  %cut = stablehlo.set_dimension_size %y, %n, dim = 1 : (tensor<2x4xi8>, tensor<i32>) -> {ROWS}
  %z = stablehlo.subtract %cut, %x : {ROWS}
  return %z, %n : {ROWS}, tensor<i32>
}}"""
COUNTED = f"""func.func @main(%x: tensor<4xf32>) -> {B4} {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.convert %x : (tensor<4xf32>) -> tensor<4xi32>
  %n = stablehlo.reduce(%i init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  %y = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, tensor<i32>) -> {B4}
  return %y : {B4}
}}"""
X = np.arange(4, dtype=np.float32)


@pytest.mark.parametrize("type", [B4, ROWS, "tensor<?x?xf32, #stablehlo.bounds<4, ?>>"])
def test_a_bounded_type_is_read_and_printed(type: str) -> None:
    module = interp.load(ADD.format(type))
    assert repr(module.main.inputs[0].type) == type
    assert interp.load(repr(module)) == module
    assert interp.verify(module) == interp.verify(module, mode="mlir") == []


def test_the_older_spelling_is_the_same_type() -> None:
    older = ADD.format(B4.replace("bounds<4>", "type_extensions<bounds = [4]>"))
    assert interp.load(older).main.inputs[0].type == interp.load(ADD.format(B4)).main.inputs[0].type


@pytest.mark.parametrize("size", range(5))
def test_a_program_runs_within_its_bounds(size: int) -> None:
    module, x = interp.load(ADD.format(B4)), X[:size]
    (result,) = interp.run(module, x)
    assert result.tolist() == (2 * x).tolist()
    assert np.asarray(interp.compile(module)(x)[0]).tolist() == (2 * x).tolist()
    assert interp.trace(module, x).results[0] == result


@pytest.mark.parametrize(("type", "shape"), [(B4, (5,)), (B4, (2, 2)), (ROWS, (2, 5)), (ROWS, (3, 4))])
def test_an_argument_beyond_is_refused_with_both_types(type: str, shape: tuple[int, ...]) -> None:
    element = np.int8 if type == ROWS else np.float32
    with pytest.raises(interp.Malformed) as caught:
        interp.run(ADD.format(type), np.zeros(shape, element))
    sizes = "x".join(map(str, shape))
    assert f"expected {type}" in str(caught.value)
    assert f"got tensor<{sizes}x" in str(caught.value)


def test_a_verifier_sees_bounds_that_differ() -> None:
    text = ADD.format(B4).replace(f"-> {B4}", "-> tensor<?xf32, #stablehlo.bounds<3>>")
    with pytest.raises(interp.Malformed, match="type of return operand"):
        interp.load(text)


@pytest.mark.parametrize("size", range(5))
def test_a_set_size_keeps_so_many_elements(size: int) -> None:
    module = interp.load(RESIZED)
    (result,) = interp.run(module, X, np.int32(size))
    assert result.tolist() == (2 * X[:size]).tolist()
    assert np.asarray(interp.compile(module)(X, np.int32(size))[0]).tolist() == result.tolist()


@pytest.mark.parametrize("size", [-1, 5])
def test_a_size_beyond_is_refused(size: int) -> None:
    with pytest.raises(interp.Malformed, match=f"limit index {size}"):
        interp.run(RESIZED, X, np.int32(size))


def test_a_size_that_an_operand_has_needs_no_refinement() -> None:
    """TensorFlow writes such operations behind `top_k`."""
    text = RESIZED.replace(B4, "tensor<4xf32>").replace("%n: tensor<i32>", "%m: tensor<i32>")
    text = text.replace("  %y =", "  %n = stablehlo.constant dense<{0}> : tensor<i32>\n  %y =", 1)
    assert interp.run(text.replace("{0}", "4"), X, 0)[0].tolist() == (2 * X).tolist()
    with pytest.raises(interp.Unsupported, match="set_dimension_size is not built"):
        interp.run(text.replace("{0}", "3"), X, 0)


def test_a_size_is_taken_from_another_tensor() -> None:
    x, y = np.int8([[1, 2, 3], [4, 5, 6]]), np.int8([[10, 20, 30, 40], [50, 60, 70, 80]])
    difference, size = interp.run(LIKE_ANOTHER, x, y)
    assert difference.tolist() == (y[:, :3] - x).tolist()
    assert size.tolist() == 3


SHAPED = """func.func @main(%x: {0}, %y: tensor<4xf32>) -> {1} {{
  {2}
  return %r : {1}
}}"""
COLUMN = "tensor<?x1xf32, #stablehlo.bounds<4, ?>>"
TABLE = "tensor<2x?xf32, #stablehlo.bounds<?, 4>>"
SHAPES: dict[str, tuple[str, str, Any]] = {
    "reshape": (COLUMN, f"%r = stablehlo.reshape %x : ({B4}) -> {COLUMN}", lambda x, y: x[:, None]),
    "broadcast": (
        TABLE,
        f"%r = stablehlo.broadcast_in_dim %x, dims = [1] : ({B4}) -> {TABLE}",
        lambda x, y: np.stack([x, x]),
    ),
    "mixed": (
        B4,
        f"%r = stablehlo.subtract %y, %x : (tensor<4xf32>, {B4}) -> {B4}",
        lambda x, y: y[: len(x)] - x,
    ),
    "pad": (
        "tensor<?xf32, #stablehlo.bounds<6>>",
        f"""%c = stablehlo.constant dense<7.0> : tensor<f32>
        %r = stablehlo.pad %x, %c, low = [1], high = [1], interior = [0]
          : ({B4}, tensor<f32>) -> tensor<?xf32, #stablehlo.bounds<6>>""",
        lambda x, y: np.pad(x, 1, constant_values=7),
    ),
    "concatenate": (
        "tensor<?xf32, #stablehlo.bounds<8>>",
        f"""%r = stablehlo.concatenate %x, %y, dim = 0
          : ({B4}, tensor<4xf32>) -> tensor<?xf32, #stablehlo.bounds<8>>""",
        lambda x, y: np.concatenate([x, y]),
    ),
}


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("size", [0, 1, 3, 4])
def test_an_operation_takes_the_size_of_its_operand(name: str, size: int) -> None:
    """An operand of a known size, the bound of the other, is cut to it, as XLA does."""
    result_type, line, wanted = SHAPES[name]
    module = interp.load(SHAPED.format(B4, result_type, line))
    assert interp.verify(module) == interp.verify(module, mode="mlir") == []
    x = np.float32([5, 6, 7, 8])[:size]
    (result,) = interp.run(module, x, X)
    assert result.tolist() == wanted(x, X).tolist()
    assert result.type.shape == wanted(x, X).shape


def test_a_size_that_numbers_decide_is_refused() -> None:
    with pytest.raises(interp.Unsupported, match="sizes remain unknown"):
        interp.run(COUNTED, X)


IDENTITY = "func.func @main(%x: tensor<{0}>) -> tensor<{0}> {{ return %x : tensor<{0}> }}"


@pytest.mark.parametrize(
    ("type", "value", "stored"),
    [
        ("f32", 2.5, 2.5),
        ("f32", 3, 3.0),
        ("f32", 0.1, float(np.float32(0.1))),
        ("bf16", 1.0 + 2.0**-8 + 2.0**-40, 1.0 + 2.0**-7),
        ("f16", float("-inf"), float("-inf")),
        ("f8E4M3FN", 300, 288.0),
        ("complex<f32>", 1 + 2j, 1 + 2j),
        ("i8", -128, -128),
        ("ui64", 2**64 - 1, 2**64 - 1),
        ("i1", True, True),
        ("!quant.uniform<i8:f32, 0.5>", 7, 7),
    ],
)
def test_a_python_number_is_an_argument(type: str, value: Any, stored: Any) -> None:
    """Rounded to a float type in one step: the bf16 lies beyond a tie by less than an f32 shows."""
    module = interp.load(IDENTITY.format(type))
    (result,) = interp.run(module, value)
    assert result.tolist() == stored
    assert np.asarray(interp.compile(module)(value)[0]).tobytes() == result.storage.tobytes()


@pytest.mark.parametrize(
    ("type", "value"),
    [
        ("f32", 1e39),
        ("f32", 10**400),
        ("f32", 1 + 2j),
        ("f8E4M3FN", float("inf")),
        ("f4E2M1FN", float("nan")),
        ("i8", 2.0),
        ("i8", 128),
        ("ui8", -1),
        ("i1", 1),
        ("!quant.uniform<i8:f32, 0.5>", 2.5),
        ("1xf32", 2.5),
    ],
)
def test_a_python_number_of_another_type_is_refused(type: str, value: Any) -> None:
    with pytest.raises(interp.Malformed, match="argument %x"):
        interp.run(IDENTITY.format(type), value)


def test_an_unknown_rank_is_refused_with_advice() -> None:
    with pytest.raises(interp.Unsupported, match=r"(?s)unranked tensor.*export it with one"):
        interp.load(IDENTITY.format("*xf32"))
