"""Programs of older exporters: deprecated operations without a pass of jaxlib's, and the names of mhlo."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.loading.legalize import rename_mhlo

RNG = np.random.default_rng(7)


def tensor(shape: tuple[int, ...], element: str = "f32") -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{element}>"


def einsum(config: str, shapes: list[tuple[int, ...]], result: tuple[int, ...], element: str) -> str:
    types = [tensor(shape, element) for shape in shapes]
    inputs = ", ".join(f"%{k}: {type}" for k, type in enumerate(types))
    name, operands = ("einsum", "%0, %1") if len(shapes) == 2 else ("unary_einsum", "%0")
    return f"""func.func @main({inputs}) -> {tensor(result, element)} {{
      %r = "stablehlo.{name}"({operands}) {{einsum_config = "{config}"}}
        : ({", ".join(types)}) -> {tensor(result, element)}
      return %r : {tensor(result, element)}
    }}"""


@pytest.mark.parametrize(
    ("config", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("bij,jkb->ikb", [(5, 2, 3), (3, 4, 5)]),
        ("bij,jkb->ib", [(5, 2, 3), (3, 4, 5)]),
        ("ij,kl->", [(2, 3), (4, 5)]),
        ("i,j->ji", [(2,), (3,)]),
        (",ij->ji", [(), (2, 3)]),
        ("...ij,jk...->...ki", [(5, 2, 3), (3, 4, 5)]),
        ("a...b, b... -> ...a", [(2, 6, 5, 3), (3, 5)]),
        ("ijk->kij", [(2, 3, 4)]),
        ("ijk->ki", [(2, 3, 4)]),
        ("ij->", [(2, 3)]),
    ],
)
@pytest.mark.parametrize("element", ["i32", "f32"])
def test_an_einsum_is_numpys(config: str, shapes: list[tuple[int, ...]], element: str) -> None:
    """Small integers: their sums are exact in f32, too."""
    arrays = [
        RNG.integers(-9, 9, shape).astype({"i32": np.int32, "f32": np.float32}[element]) for shape in shapes
    ]
    wanted = np.einsum(config, *arrays)
    module = interp.load(einsum(config, shapes, wanted.shape, element))
    assert interp.verify(module, mode="mlir") == []
    (result,) = interp.run(module, *arrays)
    assert result.storage.dtype == wanted.dtype
    assert result.tolist() == wanted.tolist()


@pytest.mark.parametrize(
    ("config", "shapes", "result"),
    [
        ("ii,ij->ij", [(3, 3), (3, 3)], (3, 3)),
        ("ij,jk->ik", [(2, 3), (4, 5)], (2, 5)),
        ("ij,jk->ix", [(2, 3), (3, 4)], (2, 4)),
    ],
    ids=["diagonal", "sizes", "label"],
)
def test_an_einsum_that_has_no_successor_is_refused(
    config: str, shapes: list[tuple[int, ...]], result: tuple[int, ...]
) -> None:
    module = interp.load(einsum(config, shapes, result, "f32"))
    with pytest.raises(interp.Unsupported, match=r"2:12: stablehlo\.einsum is not built"):
        interp.run(module, *(np.ones(shape, np.float32) for shape in shapes))


@pytest.mark.parametrize("batch", [0, 1, 2])
@pytest.mark.parametrize("dim", [0, 1, 2, 3])
def test_a_torch_index_select_takes_slices(dim: int, batch: int) -> None:
    """PyTorch documents it for one batch: `result[b][i, j, ...] = operand[b][i, index[b][j], ...]`."""
    if dim < batch:
        pytest.skip("dim is not a batch dimension")
    operand = RNG.integers(-99, 99, (2, 3, 4, 5)).astype(np.int32)
    index = RNG.integers(0, operand.shape[dim], (*operand.shape[:batch], 6)).astype(np.int64)
    parts = [np.take(operand[b], index[b], dim - batch) for b in np.ndindex(*operand.shape[:batch])]
    wanted = np.reshape(parts, operand.shape[:batch] + parts[0].shape)
    types = tensor(operand.shape, "i32"), tensor(index.shape, "i64"), tensor(wanted.shape, "i32")
    (result,) = interp.run(
        f"""func.func @main(%a: {types[0]}, %i: {types[1]}) -> {types[2]} {{
          %0 = "stablehlo.torch_index_select"(%a, %i) {{dim = {dim} : i64, batch_dims = {batch} : i64}}
            : ({types[0]}, {types[1]}) -> {types[2]}
          return %0 : {types[2]}
        }}""",
        operand,
        index,
    )
    assert result.tolist() == wanted.tolist()


CALL = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{
  %0 = stablehlo.custom_call @{0}(%x) {{mhlo.attributes = {{}}, mhlo.version = 1 : i64}}
    : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}}"""
FUNCTIONS = {
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
    "atanh": math.atanh,
    "asinh": math.asinh,
    "cosh": math.cosh,
    "erf": math.erf,
    "sinh": math.sinh,
    "tan": math.tan,
}


@pytest.mark.parametrize("dialect", ["mhlo", "chlo"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_custom_call_named_after_an_operation_is_that_operation(name: str, dialect: str) -> None:
    x = np.float32([-0.75, -0.125, 0.25, 0.5])
    (result,) = interp.run(CALL.format(f"{dialect}.{name}"), x)
    wanted = np.float32([FUNCTIONS[name](float(v)) for v in x])
    assert np.abs(result.storage - wanted).max() <= 4 * np.spacing(np.abs(wanted).max())


TOPK = """func.func @main(%x: tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>) {{
  %0:2 = stablehlo.custom_call @mhlo.topk(%x) {{mhlo.attributes = {{k = 3 : i64, largest = {0}}}}}
    : (tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0#0, %0#1 : tensor<2x3xf32>, tensor<2x3xi32>
}}"""
ROWS = np.float32([[3, 1, 4, 1], [5, -9, 2, 6]])


def test_a_top_k_of_mhlo_gives_values_and_places() -> None:
    values, places = interp.run(TOPK.format("true"), ROWS)
    assert values.tolist() == [[4, 3, 1], [6, 5, 2]]
    assert places.tolist() == [[2, 0, 1], [3, 0, 2]]


@pytest.mark.parametrize(
    "text", [TOPK.format("false"), CALL.format("mhlo.stochastic"), CALL.format("mhlo.topk")]
)
def test_one_without_a_successor_is_refused_by_name(text: str) -> None:
    module = interp.load(text)
    (x,) = [np.zeros(value.type.shape, np.float32) for value in module.main.inputs]
    with pytest.raises(interp.Unsupported, match=r"2:\d+: custom_call @mhlo\.\w+ is not known"):
        interp.run(module, x)


MHLO = """#precision = #mhlo<precision DEFAULT>
module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(
      %arg0: tensor<2x3xf32> {mhlo.sharding = "{replicated}"}, %arg1: tensor<3x4xf32>) -> tensor<f32> {
    %0 = "mhlo.dot_general"(%arg0, %arg1) {
      dot_dimension_numbers = #mhlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>,
      precision_config = [#precision, #precision]
    } : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
    %1 = mhlo.constant dense<0.000000e+00> : tensor<f32>
    %2 = mhlo.compare  GT, %0, %0,  FLOAT : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
    %3 = mhlo.select %2, %0, %0 : tensor<2x4xi1>, tensor<2x4xf32>
    %4 = mhlo.reduce(%3 init: %1) applies mhlo.add across dimensions = [0, 1]
      : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
    %5 = mhlo.compare  GE, %4, %4,  FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = "mhlo.if"(%5) ({
      mhlo.return %4 : tensor<f32>
    }, {
      mhlo.return %1 : tensor<f32>
    }) : (tensor<i1>) -> tensor<f32>
    return %6 : tensor<f32>
  }
}"""


def test_a_text_in_mhlo_is_read_as_stablehlo(tmp_path: Path) -> None:
    (file := tmp_path / "old.mlir").write_text(MHLO)
    x, y = np.float32([[1, 2, 3], [4, 5, 6]]), np.ones((3, 4), np.float32)
    assert interp.run(file, x, y)[0].tolist() == 4 * 21.0


SHORT = """func.func @main(%x: tensor<2x4xf32>, %i: tensor<2xi8>)
    -> (tensor<2x4xf32>, tensor<2xi8>, tensor<2x3xf32>, tensor<2x3xi32>) {
  %copy = mhlo.copy %x : tensor<2x4xf32>
  %0 = mhlo.erf %copy : tensor<2x4xf32> loc("erf")
  %1 = mhlo.mulhi %i, %i {a = "b"} : tensor<2xi8>
  %2:2 = mhlo.topk(%x, k=3, largest=true) : tensor<2x4xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %0, %1, %2#0, %2#1 : tensor<2x4xf32>, tensor<2xi8>, tensor<2x3xf32>, tensor<2x3xi32>
}"""


def test_operations_of_mhlo_between_those_of_stablehlo_are_chlos() -> None:
    """TensorFlow writes them with one type, where chlo writes two."""
    erf, high, values, places = interp.run(SHORT, ROWS / 8, np.int8([64, -128]))
    wanted = np.float32([[math.erf(v) for v in row] for row in (ROWS / 8).tolist()])
    assert np.abs(erf.storage - wanted).max() <= 4 * np.spacing(np.float32(1))
    assert high.tolist() == [64 * 64 >> 8, 128 * 128 >> 8]
    assert (values.storage * 8).tolist() == [[4, 3, 1], [6, 5, 2]]
    assert places.tolist() == [[2, 0, 1], [3, 0, 2]]


def test_attributes_that_bear_mhlos_name_keep_it() -> None:
    text = '%0 = stablehlo.custom_call @a(%x) {\n  mhlo.sharding = "{manual}", mhlo.version = 1 : i64}'
    assert rename_mhlo(text) == text
    assert (
        rename_mhlo('%0 = mhlo.add %a, %b {mhlo.sharding = ""}')
        == '%0 = stablehlo.add %a, %b {mhlo.sharding = ""}'
    )
    assert rename_mhlo("%0:2 = mhlo.topk(%a, k = 2)") == "%0:2 = chlo.top_k(%a, k = 2)"
