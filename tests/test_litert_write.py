"""Programs written as LiteRT models: the bits of LiteRT's reference kernels, and what has no form.

`tools/litert_written.py` runs written files in LiteRT itself; so does one test here, where it is installed.
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import interp
import interp.litert
from interp.__main__ import main

DATA = Path(__file__).resolve().parent.parent / "testdata" / "litert"
NETWORKS = ["attention", "cnn", "mixed", "mobilenet", "squeeze_excite"]
Q = "!quant.uniform<i8:f32, {}>"


def program(body: str, signature: str) -> interp.Module:
    return interp.load(f"func.func @main({signature} {{\n{body}\n}}")


@pytest.mark.parametrize("name", [*(f"{name}.int8" for name in NETWORKS), "conv1d.uint8_io"])
def test_a_network_that_is_loaded_and_written_has_the_bits_that_litert_gave(name: str) -> None:
    known, module = np.load(DATA / f"{name}.npz"), interp.load(DATA / f"{name}.tflite")
    again = interp.load(interp.litert.write(module))
    (result,) = interp.run(again, known["x0"][1])
    assert np.array_equal(result.storage, known["y0"][1])
    assert [v.type for v in again.main.inputs] == [v.type for v in module.main.inputs]


def test_a_written_network_keeps_operators_and_layers() -> None:
    module = interp.load(DATA / "cnn.int8.tflite")
    first = interp.load(interp.litert.write(module))
    second = interp.litert.write(first)
    assert interp.litert.write(interp.load(second)) == second
    names = [re.fullmatch(r"operator #\d+ (.*)", op.location.name) for op in first.main.body.ops]
    kept = dict.fromkeys(name[1] for name in names if name)
    wanted = [re.fullmatch(r"operator #\d+ (.*)", op.location.name) for op in module.main.body.ops]
    assert [x for x in kept if "RESHAPE" not in x] == list(dict.fromkeys(x[1] for x in wanted if x))


FLOAT = """
    %w = stablehlo.constant dense<[[[[0.5, -0.25, 0.75], [0.3, -0.6, 0.2]]]]> : tensor<1x1x2x3xf32>
    %c = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 1], pad = [[1, 0], [0, 0]]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<1x4x4x2xf32>, tensor<1x1x2x3xf32>) -> tensor<1x5x4x3xf32>
    %b = stablehlo.constant dense<[0.1, 0.2, -0.1]> : tensor<3xf32>
    %bb = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<3xf32>) -> tensor<1x5x4x3xf32>
    %s = stablehlo.add %c, %bb : tensor<1x5x4x3xf32>
    %z = stablehlo.constant dense<0.0> : tensor<1x5x4x3xf32>
    %r = stablehlo.maximum %s, %z : tensor<1x5x4x3xf32>
    %f = stablehlo.reshape %r : (tensor<1x5x4x3xf32>) -> tensor<1x60xf32>
    %k = stablehlo.constant dense<0.02> : tensor<60x3xf32>
    %d = stablehlo.dot_general %f, %k, contracting_dims = [1] x [0]
      : (tensor<1x60xf32>, tensor<60x3xf32>) -> tensor<1x3xf32>
    return %d : tensor<1x3xf32>"""
SIGNATURE = "%x: tensor<1x4x4x2xf32>) -> tensor<1x3xf32>"


def inputs(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((1, 4, 4, 2)).astype(np.float32)


def quantized() -> interp.Module:
    return interp.quantize(program(FLOAT, SIGNATURE), [(inputs(k),) for k in range(4)]).module


def test_a_quantized_program_means_the_same_in_the_integer_reading() -> None:
    module = quantized()
    again = interp.load(interp.litert.write(module))
    for seed in range(10, 20):
        (ours,) = interp.run(module, inputs(seed), reading="integer", recipe="tflite_double")
        assert interp.run(again, inputs(seed))[0] == ours


def test_a_float_program_is_written_with_its_activation() -> None:
    module = program(FLOAT, SIGNATURE)
    again = interp.load(interp.litert.write(module))
    assert interp.run(again, inputs(3)) == interp.run(module, inputs(3))
    (conv,) = [op for op in again.ops() if op.name == "stablehlo.convolution"]
    assert "operator #1 CONV_2D" in conv.location.name  # behind the padding; %r is its activation


def test_an_error_names_all_operations_without_a_form_with_their_counts() -> None:
    q = Q.format(0.5)
    body = f"""
    %t = stablehlo.tanh %x : tensor<4x{q}>
    %u = stablehlo.tanh %t : tensor<4x{q}>
    %v = stablehlo.uniform_dequantize %u : (tensor<4x{q}>) -> tensor<4xf32>
    %w = stablehlo.atan2 %v, %v : tensor<4xf32>
    return %w : tensor<4xf32>"""
    with pytest.raises(interp.Unsupported) as error:
        interp.litert.write(program(body, f"%x: tensor<4x{q}>) -> tensor<4xf32>"))
    assert error.value.verdict == "3 operations without a form in LiteRT: atan2, tanh"
    assert error.value.evidence.splitlines() == [
        "2 tanh: LiteRT rounds it in another way: %t, %u",
        "1 atan2: no operator that `load` reads: %w",
    ]


def test_other_multipliers_than_litert_computes_are_refused() -> None:
    text = repr(interp.load(DATA / "conv1d.uint8_io.tflite"))
    first = text.index("multiplier = array<i64: ") + len("multiplier = array<i64: ")
    other = text[: first + 9] + ("1" if text[first + 9] != "1" else "2") + text[first + 10 :]
    with pytest.raises(interp.Unsupported, match="1 operation without a form"):
        interp.litert.write(interp.load(other))


def test_constants_inside_of_a_composite_have_no_form() -> None:
    with pytest.raises(interp.Unsupported) as error:
        interp.litert.write(interp.load(DATA / "cnn.int16x8.tflite"))
    assert error.value.evidence.splitlines()[0].startswith(
        "2 litert.CONV_2D: its constants are in the decomposition: %functional_1_1_conv2d_1_Relu, "
    )


def test_a_command_writes_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "float.mlir", tmp_path / "q.tflite"
    source.write_text(f"func.func @main({SIGNATURE} {{{FLOAT}\n}}")
    assert main(["quantize", str(source), "--random", "2", "-o", str(out)]) == 0
    assert out.read_bytes()[4:8] == b"TFL3"
    assert interp.load(out).main.inputs[0].label == "x"


IN_LITERT = """
import sys, numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType
known = np.load(sys.argv[2])
ran = Interpreter(sys.argv[1], experimental_op_resolver_type=OpResolverType.BUILTIN_REF, num_threads=1)
ran.allocate_tensors()
ran.set_tensor(ran.get_input_details()[0]["index"], known["x0"][0])
ran.invoke()
assert (ran.get_tensor(ran.get_output_details()[0]["index"]) == known["y0"][0]).all()
"""


@pytest.mark.skipif(find_spec("ai_edge_litert") is None, reason="ai-edge-litert is not installed")
def test_litert_itself_gives_the_same_bits(tmp_path: Path) -> None:
    written = tmp_path / "again.tflite"
    interp.litert.write(interp.load(DATA / "cnn.int8.tflite"), written)
    subprocess.run([sys.executable, "-c", IN_LITERT, written, DATA / "cnn.int8.npz"], check=True)


def test_a_multiplier_that_the_scales_do_not_give_has_no_form() -> None:
    """Every multiplier of a network with another last bit: LiteRT would compute the one that was there."""
    text = repr(interp.load(DATA / "squeeze_excite.int8.tflite"))
    other = re.sub(r"(multiplier = array<i64: )(\d+)", lambda m: f"{m[1]}{int(m[2]) ^ 1}", text)
    assert other != text
    interp.litert.write(interp.load(text))
    with pytest.raises(interp.Unsupported, match="other multipliers than LiteRT computes"):
        interp.litert.write(interp.load(other))
