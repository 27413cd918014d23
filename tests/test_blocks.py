"""Types with a scale per block in StableHLO's operations: read, judged, run, and summed by blocks."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.loading import reader, sub_channel
from interp.loading.load import load
from spec.errors import Malformed, Unsupported
from spec.parameter_tables import table
from spec.rules.verify import verify
from spec.types import TensorType, make_quantized, parse_type
from tests.library.builders import module, operation
from tests.library.oracles.blocks_checked import contradiction, fault
from tests.library.strategies.block_programs import BlockProgram, draw

CASES = sorted((Path(__file__).parent.parent / "testdata/blocks").glob("s1[0-4]_*.mlir"))
B = "!quant.uniform<i8:f32:{1:2}, {{0.5, 0.25}}>"
U, ONE = "!quant.uniform<u8:f32:{0:2}, {0.5:200, 0.25}>", "!quant.uniform<u8:f32, 1.0>"
SUM = f"""
!q = {U}
!x = tensor<4x!q>
!r = tensor<{ONE}>
func.func @main(%x: !x, %i: !r) -> !r {{
  %sum = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (!x, !r) -> !r
  return %sum : !r
}}"""


# Reading


def test_the_pretty_form_its_alias_and_short_reduce_mean_what_the_generic_form_says() -> None:
    pretty = load(SUM)
    assert load(str(pretty)) == pretty
    assert pretty.main.inputs[0].type.quantized_element_type.zero_points == (200, 0)
    (total,) = interp.run(pretty, np.array([203, 201, 8, 8], np.uint8), np.uint8(0))
    assert total.item() == 6  # 1.5 is 2, 0.5 is 0, and twice 2


def test_a_constant_has_the_parameters_that_the_text_says() -> None:
    text = f"""func.func @main() -> tensor<1x4x{B}> {{
      %0 = stablehlo.constant() {{value = dense<[[1, 2, 3, 4]]> : tensor<1x4xi8>}} : () -> tensor<1x4x{B}>
      return %0 : tensor<1x4x{B}> }}"""
    assert interp.run(load(text))[0].dequantize().tolist() == [[0.5, 1.0, 0.75, 1.0]]


def test_errors_of_jaxlib_show_the_text_s_types_at_their_place() -> None:
    text = f"func.func @main(%x: tensor<1x4x{B}>) -> tensor<1x4x{B}> {{\n return %y : tensor<1x4x{B}> }}"
    with pytest.raises(Malformed, match=re.escape("<text>:2:9: use of undeclared SSA value name")):
        load(text)
    wrong = text.replace("return %y : tensor<1x4x", "return %x : tensor<1x3x")
    with pytest.raises(Malformed, match=re.escape(f"'tensor<1x3x{B}>' vs 'tensor<1x4x{B}>'")):
        load(wrong)


def test_bounds_beside_blocks_are_refused() -> None:
    with pytest.raises(Unsupported, match="bounds of sizes beside scales per block"):
        load(f"func.func @main(%x: tensor<?x4x{B}, #stablehlo.bounds<3, ?>>) {{ return }}")


def test_a_storage_range_without_zero_is_read() -> None:
    """jaxlib demands zero points in that range, and 0 of weights; neither is about blocks."""
    program = draw(21600)
    element = program.op.operands[1].type.quantized_element_type
    assert (element.storage_min, program.op.name) == (1, "stablehlo.dot_general")
    assert fault(program, text=True) == ""


def test_unknown_sizes_beside_blocks_are_refused() -> None:
    with pytest.raises(Unsupported, match="scales per block beside unknown sizes"):
        load(f"func.func @main(%x: tensor<1x4x{B}>, %n: tensor<?xf32>) {{ return }}")


def test_portable_artifacts_are_read_and_bytecode_says_what_to_write() -> None:
    from jaxlib.mlir import ir
    from jaxlib.mlir._mlir_libs import _stablehlo

    program = load(SUM)
    encoded = sub_channel.encode(str(program), "")
    assert encoded
    real = lambda text: ir.Type.parse(sub_channel._PLACEHOLDER.sub(lambda m: encoded.types[int(m[1])], text))
    with ir.Context() as context:
        reader.load_dialects(context, True)
        known = ir.Module.parse(encoded.text)
        function = known.body.operations[0]
        block = function.regions[0].blocks[0]
        inner = block.operations[0].operation
        for value in (*block.arguments, *inner.results, *inner.regions[0].blocks[0].arguments):
            value.set_type(real(str(value.type)))
        inner.regions[0].blocks[0].operations[0].results[0].set_type(
            real("tensor<!quant.uniform<u8:f32, 1.0>, 1 : i64>")
        )
        function.attributes["function_type"] = ir.TypeAttr.get(
            real(str(ir.TypeAttr(function.attributes["function_type"]).value))
        )
        bytecode = io.BytesIO()
        known.operation.write_bytecode(bytecode)
        artifact = _stablehlo.serialize_portable_artifact(known, "1.10.0")
    again = load(artifact)
    assert [x.type for x in again.main.inputs] == [x.type for x in program.main.inputs]
    with pytest.raises(Unsupported, match="write a portable artifact"):
        load(bytecode.getvalue())


def test_a_long_table_is_parsed_once_and_abbreviated() -> None:
    scales = ", ".join("{" + ", ".join(f"0.{k + 1}" for k in range(9)) + "}" for _ in range(8))
    type = f"tensor<16x9x!quant.uniform<i8:f32:{{0:2, 1:1}}, {{{scales}}}>>"
    text = (
        f"func.func @main(%x: {type}) -> {type} {{ %0 = stablehlo.negate %x : {type}\n return %0 : {type} }}"
    )
    known = load(text)
    (argument,) = known.main.inputs
    assert argument.type.element_type is known.main.body.ops[0].result.type.element_type
    brief = "tensor<16x9x!quant.uniform<i8:f32:{0:2, 1:1}, {1.000000e-01, ... 72 in all}>>"
    assert argument.type.brief == brief
    assert brief in repr(interp.run(known, np.zeros((16, 9), np.int8))[0])
    assert parse_type(repr(argument.type)) == argument.type


# Constraints


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_each_row_is_violated_by_its_case(file: Path) -> None:
    (code,) = {*re.findall(r"// expect: violation (\w+)", file.read_text())}
    for mode in ("strict", "mlir"):
        assert [violation.code for violation in verify(load(file, checked=False), mode)] == [code]


def test_a_violation_names_the_first_element() -> None:
    (violation,) = verify(load(CASES[0].with_name("s10_pad.mlir")))
    assert violation.evidence.startswith("result at [0, 2] has 0.25:0, and operand 0 at [0, 1] has 0.5:0\n")


def test_blocks_that_write_one_table_are_the_same() -> None:
    whole = make_quantized("i8", "f32", 0.5)
    halves = replace(
        whole, scales=(0.5, 0.5), zero_points=(0, 0), block_sizes=((0, 2),), parameters_shape=(2,)
    )
    flip = operation("reverse", [TensorType((4,), halves)], TensorType((4,), whole), dimensions=(0,))
    assert not verify(module(flip))
    assert table(TensorType((4,), halves)).is_constant_along(0)


DRAWN = [p for p in map(draw, range(300)) if p.kind == "move"]
MOVES = [p for p in DRAWN if p.op.result.type.quantized_element_type.block_sizes]


@pytest.mark.parametrize("program", MOVES[::4], ids=lambda p: p.op.name[10:])
def test_another_scale_of_a_moved_block_violates_s10(program: BlockProgram) -> None:
    type = program.op.result.type
    element = type.quantized_element_type
    other = replace(element, scales=(element.scales[0] * 2, *element.scales[1:]))
    result = replace(program.op.result, type=TensorType(type.shape, other))
    found = [v.code for v in verify(module(replace(program.op, results=(result,))))]
    assert found == [f"{program.op.name[10:]}_s10"]


# Meaning


@pytest.mark.parametrize("seed", range(24))
def test_oracle_engine_and_fractions_agree(seed: int) -> None:
    assert fault(draw(seed), compiled=seed == 3, text=seed % 8 == 0) == ""


@pytest.mark.parametrize("seed", range(100, 106))
def test_no_run_contradicts_a_proof(seed: int) -> None:
    assert contradiction(draw(seed)) == ""


X, R = "tensor<1x4x!quant.uniform<i16:f32, 0.7450029>>", "tensor<1x1x!quant.uniform<i32:f32, 0.0078125>>"
W = "tensor<4x1x!quant.uniform<i16:f32:{0:2}, {{0.42317522}, {1.0}}>>"
DOT = f"""func.func @main(%x: {X}, %w: {W}) -> tensor<1x1xf32> {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({X}, {W}) -> {R}
  %1 = stablehlo.uniform_dequantize %0 : ({R}) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}}"""


def test_the_triple_product_of_a_block_is_rounded_once() -> None:
    """-396579 * 0.7450029 * 0.42317522 is -125028.1796875; rounded step by step, .171875 or .1875."""
    lhs, rhs = [[32767, -3375, 0, 0]], [[-12], [1], [0], [0]]
    (result,) = interp.run(load(DOT), np.array(lhs, np.int16), np.array(rhs, np.int16), reading="integer")
    assert result.item() == -125028.1796875


def test_every_block_has_its_own_scale() -> None:
    """The second block is 13 * 0.7450029 * 1.0, rounded; what f32 holds there are multiples of 1/128."""
    lhs, rhs = [[32767, -3375, 3, 1]], [[-12], [1], [5], [-2]]
    (result,) = interp.run(load(DOT), np.array(lhs, np.int16), np.array(rhs, np.int16), reading="integer")
    second = np.float32(13 * np.float64(np.float32(0.7450029)))
    assert result.item() == np.float32(-125028.1796875 + np.float64(second))


def test_a_block_that_leaves_its_accumulator_is_an_event() -> None:
    args = np.array([[32767, -3375, 0, 0]], np.int16), np.array([[-12], [1], [0], [0]], np.int16)
    trace = interp.trace(load(DOT), *args, reading="integer", accumulator="i16")
    assert {(e.kind, e.exact, e.stored) for e in trace.events if e.kind == "wrap"} == {("wrap", -393204, 12)}


def test_an_event_names_the_block_of_its_element() -> None:
    text = f"""func.func @main(%x: tensor<1x4xf32>) -> tensor<1x4x{B}> {{
      %0 = stablehlo.uniform_quantize %x : (tensor<1x4xf32>) -> tensor<1x4x{B}>
      return %0 : tensor<1x4x{B}> }}"""
    (group,) = interp.trace(text, np.array([[40, 20, 31, 40]], np.float32)).groups
    assert group.first.place == "result (0, 3) in block (0, 1)"


@pytest.mark.parametrize("name", ["dot_general", "reduce", "slice", "concatenate"])
def test_a_broken_operation_on_blocks_is_a_violation(name: str) -> None:
    """Without operands, attributes or regions: what is missing is named, and nothing else happens."""
    type = parse_type(f"tensor<1x4x{B}>")
    for operands in ([], [type], [type] * 3):
        found = verify(module(operation(name, operands, type)))
        assert [violation.code.startswith(f"{name}_") for violation in found][:1] == [True]


@pytest.mark.parametrize("points", [(0, 0, 0), (3, 3, 3), (3, -4, 0)])
def test_rows_with_scales_of_their_own_compile_to_integer_products(points: tuple[int, ...]) -> None:
    """Scales are powers of two, so that NumPy's integers are the results; none changes along a sum."""
    rng = np.random.default_rng(1)
    x, w = rng.integers(-128, 128, (3, 4)).astype(np.int8), rng.integers(-128, 128, (4, 2)).astype(np.int8)
    rows = ", ".join(f"{{{s}:{z}}}" for s, z in zip((0.25, 0.5, 2.0), points, strict=True))
    lhs = f"tensor<3x4x!quant.uniform<i8:f32:{{0:1}}, {{{rows}}}>>"
    rhs, out = "tensor<4x2x!quant.uniform<i8:f32, 0.5>>", "tensor<3x2x!quant.uniform<i32:f32, 0.125>>"
    module = interp.load(f"""func.func @main(%x: {lhs}, %w: {rhs}) -> {out} {{
      %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({lhs}, {rhs}) -> {out}
      return %y : {out} }}""")
    wanted = (x - np.array(points)[:, None]) @ w.astype(int) * np.array([[1], [2], [8]])
    for reading in ("dequantize", "integer"):
        assert np.array_equal(np.asarray(interp.compile(module, reading=reading)(x, w)[0]), wanted)
        assert np.array_equal(interp.run(module, x, w, reading=reading)[0].storage, wanted)


@pytest.mark.parametrize("points", [(5, 5), (5, -2)])
def test_padding_of_images_with_scales_of_their_own_is_their_zero_point(points: tuple[int, ...]) -> None:
    """A sum of three neighbours, of which the padding is zero in every image."""
    rng = np.random.default_rng(2)
    x, w = rng.integers(-128, 128, (2, 4, 1)).astype(np.int8), np.int8([1, -2, 3]).reshape(3, 1, 1)
    lhs = (
        f"tensor<2x4x1x!quant.uniform<i8:f32:{{0:1}}, {{{{{{0.5:{points[0]}}}}}, {{{{1.0:{points[1]}}}}}}}>>"
    )
    rhs, out = "tensor<3x1x1x!quant.uniform<i8:f32, 0.5>>", "tensor<2x4x1x!quant.uniform<i32:f32, 0.25>>"
    module = interp.load(f"""func.func @main(%x: {lhs}, %w: {rhs}) -> {out} {{
      %y = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
        window = {{stride = [1], pad = [[1, 1]]}}
        {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}}
        : ({lhs}, {rhs}) -> {out}
      return %y : {out} }}""")
    moved = np.pad(x[:, :, 0] - np.array(points)[:, None], ((0, 0), (1, 1)))
    wanted = (moved[:, :-2] - 2 * moved[:, 1:-1] + 3 * moved[:, 2:]) * np.array([[1], [2]])
    for reading in ("dequantize", "integer"):
        assert np.array_equal(np.asarray(interp.compile(module, reading=reading)(x, w)[0])[:, :, 0], wanted)
        assert np.array_equal(interp.run(module, x, w, reading=reading)[0].storage[:, :, 0], wanted)
