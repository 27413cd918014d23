"""Programs written as ONNX models: read back, and run by onnxruntime without its optimizations."""

# ruff: noqa: E402

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")

import interp
from interp.__main__ import main
from tests.library.digits_model import TRAINING, accuracy, images, initial, logits, trained
from tests.library.onnx.onnx_cases import MODELS
from tests.library.onnx.onnx_programs import OPERATORS, SHAPES, dense, quantized


def theirs(model: Any, *args: np.ndarray) -> list[np.ndarray]:
    """Return the results of onnxruntime, without graph optimizations."""
    ort = pytest.importorskip("onnxruntime")
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads, options.log_severity_level = 1, 3
    session = ort.InferenceSession(model.SerializeToString(), options)
    names = [info.name for info in session.get_inputs()]
    return session.run(None, dict(zip(names, args, strict=True)))


def kinds(model: Any) -> Counter[str]:
    return Counter(node.op_type for node in model.graph.node)


def stored(result: Any) -> np.ndarray:
    return np.asarray(getattr(result, "storage", result))


def steps(q: Any, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return how many steps of the last type two results are apart, which both are multiples of it."""
    return np.rint(abs(stored(x).astype(np.float64) - stored(y)) / q.decisions[-1].type.scale).astype(int)


@pytest.mark.parametrize("model", SHAPES)
@pytest.mark.parametrize(
    "target",
    [
        "int8",
        pytest.param("int16x8", marks=pytest.mark.slow("another target")),
        pytest.param("int4_weights", marks=pytest.mark.slow("another target")),
    ],
)
def test_a_quantized_model_gives_its_results_in_onnx(model: Any, target: str) -> None:
    """At most a step apart: the float sum in the accumulator's place is rounded."""
    q, x = quantized(model, target)
    written = interp.onnx.write(q.module)
    assert kinds(written).items() >= OPERATORS[model].items()
    assert kinds(written)["QuantizeLinear"] >= 2
    mine = interp.run(q.module, x)[0]
    for other in (interp.run(written, x)[0], *theirs(written, x)):
        apart = steps(q, mine, other)
        assert apart.max() <= 1
        assert (apart > 0).mean() <= 0.02


def test_a_bias_is_of_32_bits_for_each_channel() -> None:
    """Quantizers write it so: the product of the scales, and an input of the operator."""
    q, _ = quantized(dense)
    model = interp.onnx.write(q.module)
    (gemm,) = (node for node in model.graph.node if node.op_type == "Gemm")
    x, w, bias = (next(n for n in model.graph.node if name in n.output) for name in gemm.input)
    arrays = {each.name: onnx.numpy_helper.to_array(each) for each in model.graph.initializer}
    assert arrays[bias.input[0]].dtype == np.int32
    assert arrays[bias.input[0]].shape == (16,)
    product = arrays[x.input[1]] * arrays[w.input[1]]
    np.testing.assert_allclose(arrays[bias.input[1]], product, rtol=1e-6)


POWERS = """func.func @main(%x: tensor<4x8x!quant.uniform<i8:f32, 0.5:3>>)
    -> tensor<4x2x!quant.uniform<i8:f32, 16.0>> {
  %w = stablehlo.constant() {value = dense<[[1, -7], [2, 5], [-3, 127], [4, 1],
    [9, 9], [-8, 3], [2, 2], [5, -127]]> : tensor<8x2xi8>}
    : () -> tensor<8x2x!quant.uniform<i8<-127:127>:f32:1, {0.25,0.5}>>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<4x8x!quant.uniform<i8:f32, 0.5:3>>, tensor<8x2x!quant.uniform<i8<-127:127>:f32:1, {0.25,0.5}>>)
    -> tensor<4x2x!quant.uniform<i32:f32:1, {0.125,0.25}>>
  %q = stablehlo.uniform_quantize %p : (tensor<4x2x!quant.uniform<i32:f32:1, {0.125,0.25}>>)
    -> tensor<4x2x!quant.uniform<i8:f32, 16.0>>
  return %q : tensor<4x2x!quant.uniform<i8:f32, 16.0>>
}""".replace("stablehlo.constant()", '"stablehlo.constant"()')


def test_powers_of_two_give_every_bit() -> None:
    """Products and sums below 2**24 steps are exact in f32, and so is what is stored."""
    x = np.random.default_rng(1).integers(-128, 128, (4, 8)).astype(np.int8)
    model = interp.onnx.write(POWERS)
    mine = stored(interp.run(POWERS, x)[0])
    assert len(set(mine.ravel().tolist())) > 4
    assert mine.dtype == np.int8
    np.testing.assert_array_equal(mine, theirs(model, x)[0])
    np.testing.assert_array_equal(mine, stored(interp.run(model, x)[0]))


def quantization(zero_point: int) -> str:
    type = f"tensor<5x!quant.uniform<i8:f32, 1.0:{zero_point}>>"
    return f"""func.func @main(%x: tensor<5xf32>) -> {type} {{
      %0 = stablehlo.uniform_quantize %x : (tensor<5xf32>) -> {type}
      return %0 : {type}
    }}"""


NEAR_TIES = np.float32([0.5, 1.5, -2.5, 1.4999999, 7])


@pytest.mark.parametrize(
    ("zero_point", "mine", "onnx_s"),
    [
        (0, [0, 2, -2, 1, 7], [0, 2, -2, 1, 7]),
        (1, [2, 2, -2, 2, 8], [1, 3, -1, 2, 8]),  # 0.5 + 1 is the tie 1.5, which goes to 2
        (100, [100, 102, 98, 102, 107], [100, 102, 98, 101, 107]),  # 1.4999999 + 100 is rounded to 101.5
    ],
)
def test_a_zero_point_may_move_what_is_near_a_tie(
    zero_point: int, mine: list[int], onnx_s: list[int]
) -> None:
    """ONNX adds it after the rounding; `exact` writes the program's order."""
    program = quantization(zero_point)
    assert stored(interp.run(program, NEAR_TIES)[0]).tolist() == mine
    assert theirs(interp.onnx.write(program), NEAR_TIES)[0].tolist() == onnx_s
    exact = interp.onnx.write(program, exact=True)
    assert theirs(exact, NEAR_TIES)[0].tolist() == mine
    assert stored(interp.run(exact, NEAR_TIES)[0]).tolist() == mine


FIRST = "convolutional_qdq_u8", "residual_qoperator_i8"
KEPT = [
    pytest.param(path.stem, marks=() if path.stem in FIRST else pytest.mark.slow("one of nine models"))
    for path in sorted(MODELS.glob("*.onnx"))
]


@pytest.mark.parametrize("name", KEPT)
def test_kept_models_come_back_with_their_bits(name: str) -> None:
    dims = {"N": 2} if name.startswith("convolutional") else {}
    module = interp.load(MODELS / f"{name}.onnx", dims=dims)
    x = np.random.default_rng(8).normal(0, 1, module.main.inputs[0].type.shape).astype(np.float32)
    model = interp.onnx.write(module)
    mine = stored(interp.run(module, x)[0])
    np.testing.assert_array_equal(mine, stored(interp.run(model, x)[0]))
    np.testing.assert_array_equal(mine, theirs(model, x)[0])


@pytest.mark.parametrize("storage", ["i8", "u8"])
def test_a_table_is_written_as_a_gather(storage: str) -> None:
    """What `raise_qdq` makes of a function of 8 bits: every stored number finds its entry."""
    type = f"tensor<256x!quant.uniform<{storage}:f32, 0.05:3>>"
    raised = interp.raise_qdq(f"""func.func @main(%q: {type}) -> {type} {{
      %x = stablehlo.uniform_dequantize %q : ({type}) -> tensor<256xf32>
      %s = stablehlo.logistic %x : tensor<256xf32>
      %y = stablehlo.multiply %x, %s : tensor<256xf32>
      %r = stablehlo.uniform_quantize %y : (tensor<256xf32>) -> {type}
      return %r : {type}
    }}""").module
    assert "stablehlo.gather" in {op.name for op in raised.ops()}
    x = np.arange(256).astype(np.uint8).view(np.int8 if storage == "i8" else np.uint8)
    model, mine = interp.onnx.write(raised), stored(interp.run(raised, x)[0])
    assert "Gather" in {node.op_type for node in model.graph.node}
    np.testing.assert_array_equal(mine, stored(interp.run(model, x)[0]))
    np.testing.assert_array_equal(mine, theirs(model, x)[0])


def test_other_gathers_are_refused() -> None:
    program = """func.func @main(%t: tensor<8xf32>, %i: tensor<4xi32>) -> tensor<4xf32> {
      %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
        start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}>
        : (tensor<8xf32>, tensor<4xi32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }"""
    with pytest.raises(interp.Unsupported, match="gather: a table that is not of 256 single entries"):
        interp.onnx.write(program)


def test_all_that_has_no_counterpart_is_named_at_once() -> None:
    program = """func.func @main(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
      %0 = stablehlo.cholesky %x, lower = true : tensor<4x4xf32>
      %1 = stablehlo.cbrt %0 : tensor<4x4xf32>
      %2 = stablehlo.cbrt %1 : tensor<4x4xf32>
      return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
    }"""
    with pytest.raises(interp.Unsupported) as caught:
        interp.onnx.write(program)
    assert str(caught.value).splitlines() == [
        "3 operations without a counterpart in ONNX: cbrt, cholesky",
        "  1 cholesky: no operator for it: %0",
        "  2 cbrt: no operator for it: %1, %2",
    ]


def test_sums_of_other_types_than_the_operands_are_refused() -> None:
    program = """func.func @main(%x: tensor<2x3xbf16>, %y: tensor<3x2xbf16>) -> tensor<2x2xf32> {
      %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
        : (tensor<2x3xbf16>, tensor<3x2xbf16>) -> tensor<2x2xf32>
      return %0 : tensor<2x2xf32>
    }"""
    with pytest.raises(interp.Unsupported, match="several types"):
        interp.onnx.write(program)


def test_narrower_bounds_are_clipped_and_results_of_32_bits_are_whole() -> None:
    program = """func.func @main(%x: tensor<3xf32>) -> (tensor<3x!quant.uniform<i8<-7:9>:f32, 0.1:1>>,
        tensor<3x!quant.uniform<i32:f32, 0.25>>, tensor<3xi1>) {
      %0 = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i8<-7:9>:f32, 0.1:1>>
      %1 = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<3x!quant.uniform<i32:f32, 0.25>>
      %2 = stablehlo.compare LT, %x, %x : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
      return %0, %1, %2 : tensor<3x!quant.uniform<i8<-7:9>:f32, 0.1:1>>,
        tensor<3x!quant.uniform<i32:f32, 0.25>>, tensor<3xi1>
    }"""
    x = np.float32([-100, 0.33, 100])
    found = theirs(interp.onnx.write(program), x)
    assert [y.tolist() for y in found] == [[-7, 4, 9], [-400, 1, 400], [False] * 3]
    assert [stored(y).tolist() for y in interp.run(program, x)] == [y.tolist() for y in found]


@pytest.mark.parametrize(("bits", "number", "holds"), [(16, 128, True), (16, 129, False), (32, 4096, True)])
def test_an_accumulator_that_may_saturate_is_refused(bits: int, number: int, holds: bool) -> None:
    """A leaf has up to 255 steps: 128 of them fit in i16, and 129 do not."""
    leaf, sum = "!quant.uniform<i8:f32, 0.5:-128>", f"!quant.uniform<i{bits}:f32, 0.5>"
    program = f"""func.func @main(%x: tensor<{number}x{leaf}>) -> tensor<{sum}> {{
      %0 = "stablehlo.constant"() {{value = dense<-128> : tensor<i8>}} : () -> tensor<{leaf}>
      %1 = "stablehlo.reduce"(%x, %0) ({{
        ^bb0(%a: tensor<{sum}>, %b: tensor<{sum}>):
          %c = stablehlo.add %a, %b : tensor<{sum}>
          stablehlo.return %c : tensor<{sum}>
      }}) {{dimensions = array<i64: 0>}} : (tensor<{number}x{leaf}>, tensor<{leaf}>) -> tensor<{sum}>
      return %1 : tensor<{sum}>
    }}"""
    if not holds:
        with pytest.raises(interp.Unsupported, match="may saturate at each step"):
            interp.onnx.write(program)
        return
    x = np.full(number, 127, np.int8)
    model = interp.onnx.write(program)
    assert theirs(model, x)[0] == stored(interp.run(program, x)[0]) == 255 * number


def test_the_command_writes_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "float.mlir", tmp_path / "int8.onnx"
    source.write_text("""func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %w = stablehlo.constant dense<[[1.0, -0.5], [0.25, 2.0]]> : tensor<2x2xf32>
      %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
      return %p : tensor<2x2xf32>
    }""")
    assert main(["quantize", str(source), "--random", "2", "-o", str(target)]) == 0
    capsys.readouterr()
    assert kinds(onnx.load(target))["MatMul"] == 1
    raised = tmp_path / "raised.onnx"
    assert main(["raise-qdq", str(target), "-o", str(raised)]) == 0
    assert kinds(onnx.load(raised))["MatMul"] == 1


@pytest.mark.slow("trains the network of docs/quantization.md")
def test_the_digits_network_keeps_its_accuracy() -> None:
    params, x = trained(initial()), images()[0]
    samples = [(x[k : k + 120],) for k in range(0, TRAINING, 120)]
    q = interp.quantize(lambda x: logits(params, x), samples)
    model, test = interp.onnx.write(q.module), x[TRAINING:]
    assert kinds(model).items() >= {"Conv": 1, "MaxPool": 1, "Gemm": 1, "QuantizeLinear": 3}.items()
    mine, (other,) = stored(interp.run(q.module, test)[0]), theirs(model, test)
    assert steps(q, mine, other).max() <= 1
    assert accuracy(other) == accuracy(mine) > 0.8
