"""`raise_qdq` of weights with a scale per block: types of constants, composites of values, and reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from spec.ir import Module, Op

FOLDER = Path(__file__).resolve().parent.parent / "testdata" / "blocks"
SHARE = 5e-7  # of the largest number: the frameworks add in other orders

HEAD = "func.func @main(%x: tensor<2x4xf32>, %s: tensor<2x1x3xf32>, %p: tensor<4x3xi4>) -> tensor<2x3xf32> {"
INTEGERS = """%q = stablehlo.constant dense<[[1, -2, 3], [4, -5, 6], [-7, 7, -8], [0, 1, 2]]> : tensor<4x3xi4>
  %k = stablehlo.constant dense<[[[0.5, 0.3, 0.25]], [[0.1, 0.7, 2.0]]]> : tensor<2x1x3xf32>"""
TILES = """%f = stablehlo.convert {q} : (tensor<4x3xi4>) -> tensor<4x3xf32>
  %t = stablehlo.reshape %f : (tensor<4x3xf32>) -> tensor<2x2x3xf32>
  %b = stablehlo.broadcast_in_dim {s}, dims = [0, 1, 2] : (tensor<2x1x3xf32>) -> tensor<2x2x3xf32>
  %m = stablehlo.multiply %t, %b : tensor<2x2x3xf32>
  %w = stablehlo.reshape %m : (tensor<2x2x3xf32>) -> tensor<4x3xf32>"""
DOT = """%y = stablehlo.dot_general {x}, %w, contracting_dims = [1] x [0]
    : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>"""
TAIL = "return %y : tensor<2x3xf32> }"
X8, Y8 = "tensor<2x4x!quant.uniform<i8:f32, 0.05:3>>", "tensor<2x3x!quant.uniform<i8:f32, 0.1:-7>>"
RNG = np.random.default_rng(7)
ARGUMENTS = (
    RNG.standard_normal((2, 4)).astype(np.float32),
    RNG.uniform(0.1, 1, (2, 1, 3)).astype(np.float32),
    RNG.integers(-8, 8, (4, 3)).astype(np.int8),
)


def program(*lines: str) -> Module:
    return interp.load("\n".join([HEAD, INTEGERS, *lines, TAIL]))


def bits(module: Module, *arguments: Any) -> bytes:
    return b"".join(np.asarray(x).tobytes() for x in interp.run(module, *arguments))


def only(module: Module, name: str) -> Op:
    (op,) = [op for op in module.main.body.ops if op.name == f"stablehlo.{name}"]
    return op


def check_same(given: Module, *arguments: Any) -> interp.Raised:
    """Return what `raise_qdq` makes, after checking that it verifies, prints, and has the same bits."""
    raised = interp.raise_qdq(given)
    assert interp.verify(raised.module) == []
    assert bits(raised.module, *arguments) == bits(given, *arguments)
    assert bits(interp.load(repr(raised.module)), *arguments) == bits(given, *arguments)
    return raised


def exported(name: str) -> tuple[Module, np.ndarray, np.ndarray]:
    (path,) = [path for path in FOLDER.glob(f"{name}.*") if path.suffix != ".npz"]
    data = np.load(FOLDER / f"{name}.npz")
    return interp.load(path), data["arg0"], data["out0"]


def share(found: Any, wanted: np.ndarray) -> float:
    return float(np.abs(np.asarray(found) - wanted).max() / np.abs(wanted).max())


def test_weights_of_qwix_are_a_constant_with_blocks() -> None:
    given, x, wanted = exported("qwix_weights")
    raised = check_same(given, x)
    stored, scales = [op for op in given.main.body.ops if op.name == "stablehlo.constant"][:2]
    weights = raised.module.main.body.ops[0]
    type = weights.result.type.quantized_element_type
    assert (type.storage_type.name, type.block_sizes) == ("i4", ((0, 16), (1, 1)))
    assert weights["value"].data == stored["value"].data
    assert np.float32(type.scales).tobytes() == scales["value"].data
    assert "blocks of 16 x 1: merges convert, reshape" in str(raised.rewrites[0])
    assert share(interp.run(raised.module, x)[0], wanted) <= SHARE


def test_scales_of_the_data_are_operands_of_a_composite() -> None:
    """Qwix's small tiles: both sides are scaled, and the left one's scales follow from the data."""
    given, x, _ = exported("qwix_small_tiles")
    raised = check_same(given, x)
    composite = only(raised.module, "composite")
    assert composite["name"] == "interp.scaled_dot"
    types = [v.type.brief for v in composite.operands]
    assert types[0] == "tensor<3x64xi8>"
    assert types[1].startswith("tensor<64x4x!quant.uniform<i4:f32:{0:16, 1:1}")
    assert types[2:] == ["tensor<3x4xf32>"]
    assert "interp.scaled_dot, the left operand in blocks of 16" in raised.rewrites[-1].kernel
    assert "dot_general" not in {each.operation for each in raised.left}


def test_products_of_integers_by_blocks_are_a_composite() -> None:
    """Qwix's large tiles: a batching dimension of blocks, which a later sum adds up."""
    given, x, _ = exported("qwix_large_tiles")
    raised = check_same(given, x)
    composite = only(raised.module, "composite")
    types = [repr(v.type) for v in composite.operands]
    assert types[0] == "tensor<3x256xi8>"
    assert types[1] == "tensor<2x128x4xi8>"  # a constant, which was reshaped
    assert sorted(types[2:]) == ["tensor<2x4xf32>", "tensor<3x2xf32>"]
    inside = raised.module.functions[composite["decomposition"].name].body.ops
    assert [op.name.partition(".")[2] for op in inside if op.operands][-2:] == ["reduce", "return"]
    assert raised.rewrites[-1].kernel.endswith("both operands in blocks of 128, each summed in i32")
    assert raised.contractions.integers == 1


@pytest.mark.slow("XLA compiles a network")
@pytest.mark.parametrize("name", ["qwix_small_tiles", "qwix_large_tiles"])
def test_what_quantizes_data_is_xlas_as_written(name: str) -> None:
    """By default XLA multiplies by the reciprocal of 127.5: see the finding Q1."""
    jax = pytest.importorskip("jax")
    from interp.execute.xla import options

    given, x, by_default = exported(name)
    call = jax.export.deserialize(bytearray((FOLDER / f"{name}.export").read_bytes())).call
    as_written = np.asarray(jax.jit(call, compiler_options=options())(x))
    assert share(interp.run(given, x)[0], as_written) <= SHARE < share(by_default, as_written)


def test_weights_of_torchao_are_a_constant_with_blocks() -> None:
    pytest.importorskip("onnx", reason="reads a model of ONNX")
    given, x, wanted = exported("torchao_int4")
    raised = check_same(given, x)
    assert "blocks of 1 x 16" in raised.rewrites[0].kernel
    assert share(interp.run(raised.module, x)[0], wanted) <= SHARE


def test_scales_that_are_arguments_are_operands() -> None:
    raised = check_same(program(TILES.format(q="%p", s="%s"), DOT.format(x="%x")), *ARGUMENTS)
    composite = only(raised.module, "composite")
    assert [v.name for v in composite.operands] == ["%x", "%p", "%s"]
    assert raised.rewrites[0].kernel == "interp.scaled_dot, the right operand in blocks of 2"


def test_scales_of_rows_alone_are_no_composite() -> None:
    rows = """%f = stablehlo.convert %p : (tensor<4x3xi4>) -> tensor<4x3xf32>
      %r = stablehlo.slice %s [0:1, 0:1, 0:3] : (tensor<2x1x3xf32>) -> tensor<1x1x3xf32>
      %n = stablehlo.reshape %r : (tensor<1x1x3xf32>) -> tensor<3xf32>
      %b = stablehlo.broadcast_in_dim %n, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
      %w = stablehlo.multiply %f, %b : tensor<4x3xf32>"""
    raised = check_same(program(rows, DOT.format(x="%x")), *ARGUMENTS)
    assert not any(op.name == "stablehlo.composite" for op in raised.module.ops())


def test_floats_of_few_bits_are_elements_of_a_composite() -> None:
    """`xla.scaled_dot` is taken apart, and becomes the same product again."""
    given = interp.load(FOLDER / "scaled_dot.export")
    raised = interp.raise_qdq(given)
    composite = only(raised.module, "composite")
    assert [repr(v.type.storage_type) for v in composite.operands] == [*["f8E4M3FN"] * 2, *["f8E8M0FNU"] * 2]
    a, b = (RNG.integers(0, 256, shape).astype(np.uint8).view("V1") for shape in ((2, 64), (64, 3)))
    import ml_dtypes

    a, b = (np.nan_to_num(x.view(ml_dtypes.float8_e4m3fn).astype(np.float32)) for x in (a, b))
    a, b = (x.astype(ml_dtypes.float8_e4m3fn) for x in (a, b))
    s, t = (
        RNG.integers(120, 130, n).astype(np.uint8).view(ml_dtypes.float8_e8m0fnu) for n in ((2, 2), (2, 3))
    )
    assert bits(raised.module, a, b, s, t) == bits(given, a, b, s, t)


# Weights that have no such type, each with its reason


def reason(*lines: str) -> str:
    raised = check_same(program(*lines), *ARGUMENTS)
    (why,) = [each.reason for each in raised.left if each.operation == "dot_general"]
    return why


def test_numbers_that_are_multiplied_twice_have_no_type() -> None:
    twice = (
        TILES.format(q="%q", s="%k")
        .replace("%m : (", "%n : (")
        .replace("%w = ", "%n = stablehlo.multiply %m, %b : tensor<2x2x3xf32>\n  %w = ")
    )
    why = reason(twice, DOT.format(x="%x"))
    assert why.startswith("%w has no type with blocks: its integers are multiplied twice: (q * s) * t")


def test_a_block_that_does_not_divide_has_no_type() -> None:
    five = """%i = stablehlo.constant dense<[[1, 2], [4, 5], [7, 1], [1, 2], [4, 5]]> : tensor<5x2xi4>
      %c = stablehlo.constant
        dense<[[0.5, 3.0], [0.5, 3.0], [0.1, 7.0], [0.1, 7.0], [2.0, 1.0]]> : tensor<5x2xf32>
      %f = stablehlo.convert %i : (tensor<5x2xi4>) -> tensor<5x2xf32>
      %m = stablehlo.multiply %f, %c : tensor<5x2xf32>
      %z = stablehlo.constant dense<1.0> : tensor<2x5xf32>
      %d = stablehlo.dot_general %z, %m, contracting_dims = [1] x [0]
        : (tensor<2x5xf32>, tensor<5x2xf32>) -> tensor<2x2xf32>
      %e = stablehlo.slice %d [0:2, 0:1] : (tensor<2x2xf32>) -> tensor<2x1xf32>
      %y = stablehlo.broadcast_in_dim %e, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>"""
    why = "%m has no type with blocks: blocks of 2 do not divide 5 elements: the last one is shorter"
    assert reason(five) == why


def test_a_shorter_last_block_is_written_in_smaller_blocks() -> None:
    """6 elements in blocks of 4: three blocks of 2, of which two have one scale."""
    six = """%i = stablehlo.constant dense<[[1], [2], [3], [-4], [5], [6]]> : tensor<6x1xi4>
      %c = stablehlo.constant dense<[[0.3], [0.3], [0.3], [0.3], [0.7], [0.7]]> : tensor<6x1xf32>
      %f = stablehlo.convert %i : (tensor<6x1xi4>) -> tensor<6x1xf32>
      %m = stablehlo.multiply %f, %c : tensor<6x1xf32>
      %b = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %l = stablehlo.slice %b [0:2, 0:2] : (tensor<2x4xf32>) -> tensor<2x2xf32>
      %z = stablehlo.concatenate %b, %l, dim = 1 : (tensor<2x4xf32>, tensor<2x2xf32>) -> tensor<2x6xf32>
      %d = stablehlo.dot_general %z, %m, contracting_dims = [1] x [0]
        : (tensor<2x6xf32>, tensor<6x1xf32>) -> tensor<2x1xf32>
      %y = stablehlo.broadcast_in_dim %d, dims = [0, 1] : (tensor<2x1xf32>) -> tensor<2x3xf32>"""
    raised = check_same(program(six), *ARGUMENTS)
    (op,) = [op for op in raised.module.main.body.ops if op.name == "stablehlo.dot_general"]
    type = op.operands[1].type.quantized_element_type
    assert (type.block_sizes, len(type.scales)) == (((0, 2),), 3)
    assert type.scales[0] == type.scales[1] != type.scales[2]


@pytest.mark.parametrize("point", ["0.5", "0x7FC00000", "0x7F800000", "1.0e+30"])
def test_a_zero_point_that_is_not_whole_or_too_large_has_no_type(point: str) -> None:
    half = """%f = stablehlo.convert %q : (tensor<4x3xi4>) -> tensor<4x3xf32>
      %h = stablehlo.constant dense<POINT> : tensor<4x3xf32>
      %d = stablehlo.subtract %f, %h : tensor<4x3xf32>
      %b = stablehlo.broadcast_in_dim %k, dims = [0, 1, 2] : (tensor<2x1x3xf32>) -> tensor<2x2x3xf32>
      %r = stablehlo.reshape %b : (tensor<2x2x3xf32>) -> tensor<4x3xf32>
      %w = stablehlo.multiply %d, %r : tensor<4x3xf32>"""
    why = "zero points beyond i4" if "e" in point else "a zero point is not a whole number"
    assert reason(half.replace("POINT", point), DOT.format(x="%x")).endswith(why)


def test_products_that_are_rounded_to_another_float_have_no_type() -> None:
    narrow = (
        TILES.format(q="%q", s="%k").replace("%w = ", "%v = ")
        + """
      %h = stablehlo.convert %v : (tensor<4x3xf32>) -> tensor<4x3xf16>
      %w = stablehlo.convert %h : (tensor<4x3xf16>) -> tensor<4x3xf32>"""
    )
    assert "its products are rounded to f" in reason(narrow, DOT.format(x="%x"))


def test_weights_of_two_contractions_are_two_constants() -> None:
    """Scales that two contractions share are copied: each has a type of its own."""
    second = """%v = stablehlo.transpose %w, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
      %u = stablehlo.dot_general %y0, %v, contracting_dims = [1] x [0]
        : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
      %y = stablehlo.dot_general %u, %w, contracting_dims = [1] x [0]
        : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>"""
    first = DOT.format(x="%x").replace("%y =", "%y0 =")
    raised = check_same(program(TILES.format(q="%q", s="%k"), first, second), *ARGUMENTS)
    dots = [op for op in raised.module.main.body.ops if op.name == "stablehlo.dot_general"]
    sizes = [op.operands[1].type.quantized_element_type.block_sizes for op in dots]
    assert sizes == [((0, 2), (1, 1)), ((0, 1), (1, 2)), ((0, 2), (1, 1))]
    assert len({op.operands[1].name for op in dots}) == 2


# Beside a quantized operand, and on the left


def quantized(body: str) -> Module:
    """Return a program of pairs: x and y are quantized to i8."""
    return interp.load(f"""func.func @main(%q8: {X8}) -> {Y8} {{
      %x = stablehlo.uniform_dequantize %q8 : ({X8}) -> tensor<2x4xf32>
      {INTEGERS}
      {TILES.format(q="%q", s="%k")}
      {body}
      %r = stablehlo.uniform_quantize %y : (tensor<2x3xf32>) -> {Y8}
      return %r : {Y8} }}""")


def test_a_product_of_quantized_operands_is_rounded_once() -> None:
    given = quantized(DOT.format(x="%x"))
    x = np.arange(-128, 128).reshape(32, 2, 4).astype(np.int8)
    raised = check_same(given, x[0])
    dot = only(raised.module, "dot_general")
    assert [v.type.quantized_element_type.storage_type.name for v in (*dot.operands, dot.result)] == [
        "i8"
    ] * 3
    assert raised.contractions.integers == raised.contractions.total == 1
    assert [bits(raised.module, each) for each in x] == [bits(given, each) for each in x]
    assert raised.rewrites[-1].steps == 0


BIAS = """%c = stablehlo.constant dense<[0.37, -1.21, 2.5]> : tensor<3xf32>
      %bb = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
      %y = stablehlo.add %d, %bb : tensor<2x3xf32>"""


def test_a_bias_is_added_in_i32_in_steps_of_a_power_of_two() -> None:
    given = quantized(DOT.format(x="%x").replace("%y =", "%d =") + "\n" + BIAS)
    raised = interp.raise_qdq(given)
    dot = only(raised.module, "dot_general")
    type = dot.result.type.quantized_element_type
    mantissa, _ = np.frexp(type.scale)
    assert (type.storage_type.name, mantissa, type.zero_point) == ("i32", 0.5, 0)
    # |x - 3| <= 131; the largest column of |w| is 0.75 + 1.5 + 16 + 4, of f32 numbers: so 22.25 * 131 * 0.05
    most = 22.25 * 131 * 0.05
    assert 2**18 < most / type.scale <= 2**19
    differences = set()
    for seed in range(200):
        x = np.random.default_rng(seed).integers(-128, 128, (2, 4)).astype(np.int8)
        one, other = (np.asarray(interp.run(module, x)[0].storage, int) for module in (given, raised.module))
        differences |= set(np.abs(one - other).ravel().tolist())
    assert max(differences) <= raised.rewrites[-1].steps == 1
    assert interp.prove(raised.module).rows


def test_without_a_quantized_result_the_weights_alone_have_blocks() -> None:
    given = quantized(DOT.format(x="%x")).main
    text = repr(
        interp.load(f"""func.func @main(%q8: {X8}) -> tensor<2x3xf32> {{
      %x = stablehlo.uniform_dequantize %q8 : ({X8}) -> tensor<2x4xf32>
      {INTEGERS}
      {TILES.format(q="%q", s="%k")}
      {DOT.format(x="%x")}
      return %y : tensor<2x3xf32> }}""")
    )
    raised = check_same(interp.load(text), np.arange(8, dtype=np.int8).reshape(2, 4) * 15)
    assert [v.type.is_quantized for v in only(raised.module, "dot_general").operands] == [False, True]
    assert given.inputs


def test_a_left_operand_with_blocks_changes_places() -> None:
    """W^T x is the transpose of x^T W: the same products, in the same order."""
    left = """%wt = stablehlo.transpose %w, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
      %yt = stablehlo.dot_general %wt, %x, contracting_dims = [1] x [1]
        : (tensor<3x4xf32>, tensor<2x4xf32>) -> tensor<3x2xf32>
      %y = stablehlo.transpose %yt, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>"""
    raised = check_same(program(TILES.format(q="%q", s="%k"), left), *ARGUMENTS)
    dot = only(raised.module, "dot_general")
    assert dot.operands[1].type.quantized_element_type.block_sizes == ((0, 1), (1, 2))


@pytest.mark.parametrize(("summed", "type"), [("1", "tensor<2x5xf32>"), ("0, 1", "tensor<5xf32>")])
def test_sums_of_rows_are_no_sums_of_blocks(summed: str, type: str) -> None:
    """A sum over another dimension than that of batches adds results, not blocks of one."""
    given = interp.load(f"""func.func @main(%a: tensor<2x3x4xi8>, %b: tensor<2x4x5xi8>, %s: tensor<2x1x5xf32>)
        -> {type} {{
      %d = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
        : (tensor<2x3x4xi8>, tensor<2x4x5xi8>) -> tensor<2x3x5xi32>
      %f = stablehlo.convert %d : (tensor<2x3x5xi32>) -> tensor<2x3x5xf32>
      %t = stablehlo.broadcast_in_dim %s, dims = [0, 1, 2] : (tensor<2x1x5xf32>) -> tensor<2x3x5xf32>
      %m = stablehlo.multiply %f, %t : tensor<2x3x5xf32>
      %z = stablehlo.constant dense<0.0> : tensor<f32>
      %y = stablehlo.reduce(%m init: %z) applies stablehlo.add across dimensions = [{summed}]
        : (tensor<2x3x5xf32>, tensor<f32>) -> {type}
      return %y : {type} }}""")
    raised = interp.raise_qdq(given)
    assert not any(op.name == "stablehlo.composite" for op in raised.module.ops())


def test_weights_that_others_move_keep_their_numbers() -> None:
    """What is moved, and then quantized, has no blocks: the type would have to move, too."""
    both = f"""{DOT.format(x="%x").replace("%y", "%d")}
      %v = stablehlo.transpose %w, dims = [1, 0] : (tensor<4x3xf32>) -> tensor<3x4xf32>
      %l = stablehlo.slice %v [0:2, 0:3] : (tensor<3x4xf32>) -> tensor<2x3xf32>
      %y = stablehlo.add %d, %l : tensor<2x3xf32>"""
    given, x = quantized(both), np.arange(-4, 4, dtype=np.int8).reshape(2, 4) * 9
    raised = interp.raise_qdq(given)
    one, other = (np.asarray(interp.run(module, x)[0].storage, int) for module in (given, raised.module))
    assert np.abs(one - other).max() <= 1


def test_plain_integers_have_no_blocks_beside_quantized_results() -> None:
    """Sums of integers with scales of their own are not those of the program: floats are added."""
    lines = [
        "func.func @main(%x0: tensor<2x4xf32>) -> tensor<2x3xf32> {",
        f"%q8 = stablehlo.uniform_quantize %x0 : (tensor<2x4xf32>) -> {X8}",
        f"%x = stablehlo.uniform_dequantize %q8 : ({X8}) -> tensor<2x4xf32>",
        INTEGERS,
        TILES.format(q="%q", s="%k"),
        DOT.format(x="%x").replace("%y", "%d"),
        f"%r = stablehlo.uniform_quantize %d : (tensor<2x3xf32>) -> {Y8}",
        f"%y = stablehlo.uniform_dequantize %r : ({Y8}) -> tensor<2x3xf32>",
        TAIL,
    ]
    given = interp.load("\n".join(lines))
    raised = interp.raise_qdq(given, flow="codegen")
    assert bits(raised.module, ARGUMENTS[0]) == bits(given, ARGUMENTS[0])


def test_plain_integers_have_no_blocks() -> None:
    """The flow of plain integers writes the weights as floats are computed of them, block by block."""
    text = "\n".join(
        [
            "func.func @main(%x0: tensor<2x4xf32>) -> tensor<2x3xf32> {",
            f"%q8 = stablehlo.uniform_quantize %x0 : (tensor<2x4xf32>) -> {X8}",
            f"%x = stablehlo.uniform_dequantize %q8 : ({X8}) -> tensor<2x4xf32>",
            INTEGERS,
            TILES.format(q="%q", s="%k"),
            DOT.format(x="%x"),
            TAIL,
        ]
    )
    given = interp.load(text)
    raised = interp.raise_qdq(given, flow="codegen")
    assert not any(v.type.is_quantized for op in raised.module.ops() for v in op.results)
    assert bits(raised.module, ARGUMENTS[0]) == bits(given, ARGUMENTS[0])


# Models of ONNX, beside onnxruntime with floats where the model has floats: accuracy level 0


def model_of(kind: str, columns: int = 64) -> Any:
    """Return a model of one product of x (3, columns) with weights in blocks of 32."""
    onnx = pytest.importorskip("onnx", reason="makes models of ONNX")
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    random, count, rows = np.random.default_rng(1), -(-columns // 32), 8
    scales = random.uniform(0.1, 1, (rows, count)).astype(np.float32)
    if kind == "blocked QDQ":
        q, z = random.integers(-8, 8, (columns, rows)), random.integers(-3, 4, (count, rows))
        weights = [
            helper.make_tensor("q", onnx.TensorProto.INT4, q.shape, q.ravel()),
            numpy_helper.from_array(np.ascontiguousarray(scales.T), "s"),
            helper.make_tensor("z", onnx.TensorProto.INT4, z.shape, z.ravel()),
        ]
        nodes = [
            helper.make_node("DequantizeLinear", ["q", "s", "z"], ["w"], axis=0, block_size=32),
            helper.make_node("MatMul", ["x", "w"], ["y"]),
        ]
    else:
        packed = random.integers(0, 256, (rows, count, 16)).astype(np.uint8)
        weights = [numpy_helper.from_array(packed, "q"), numpy_helper.from_array(scales, "s")]
        ways = {"K": columns, "N": rows, "bits": 4, "block_size": 32}
        nodes = [helper.make_node("MatMulNBits", ["x", "q", "s"], ["y"], domain="com.microsoft", **ways)]
    ends = [
        helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [3, k])
        for n, k in (("x", columns), ("y", rows))
    ]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], weights)
    opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=10)


@pytest.mark.parametrize(
    ("kind", "columns", "blocks", "zero_points"),
    [
        ("blocked QDQ", 64, ((0, 32), (1, 1)), range(-3, 4)),
        ("MatMulNBits", 64, ((0, 1), (1, 32)), [8]),  # the default is half of 16
        ("MatMulNBits", 60, ((0, 1), (1, 4)), [8]),  # the last block is shorter
    ],
)
def test_models_of_onnx_have_blocks(kind: str, columns: int, blocks: Any, zero_points: Any) -> None:
    model, x = (
        model_of(kind, columns),
        np.random.default_rng(2).standard_normal((3, columns)).astype(np.float32),
    )
    raised = check_same(interp.load(model), x)
    type = only(raised.module, "dot_general").operands[1].type.quantized_element_type
    assert type.block_sizes == blocks
    assert set(type.zero_points) <= set(zero_points)
    ort = pytest.importorskip("onnxruntime", reason="computes the model, too")
    options = ort.SessionOptions()
    options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "0")
    theirs = ort.InferenceSession(model.SerializeToString(), options).run(None, {"x": x})[0]
    assert share(interp.run(raised.module, x)[0], theirs) <= 2e-6


def test_onnxruntime_quantizes_what_the_model_does_not() -> None:
    """Its default for a blocked DequantizeLinear before a MatMul is accuracy level 4: finding O1."""
    ort = pytest.importorskip("onnxruntime", reason="computes the model, too")
    model, x = model_of("blocked QDQ"), np.random.default_rng(2).standard_normal((3, 64)).astype(np.float32)
    theirs = ort.InferenceSession(model.SerializeToString()).run(None, {"x": x})[0]
    assert 1e-3 < share(interp.run(interp.load(model), x)[0], theirs) < 0.1
