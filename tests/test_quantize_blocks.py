"""`quantize` with a scale per block of weights: the types, their reason, and that the verbs agree on them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.apps.quantization.quantize import Quantized
from interp.apps.quantization.ranges import range_parameters, symmetric_scales
from interp.quantization.port_rules import free
from interp.quantization.targets import TARGETS, Target
from spec.errors import Malformed, Unsupported
from spec.quant_kinds import AnyQuantizedType, parse_quant_type

RNG = np.random.default_rng(3)
W = (RNG.standard_normal((8, 3)) * [[1], [1], [1], [1], [8], [8], [8], [8]]).astype(np.float32)
V = RNG.standard_normal((3, 2)).astype(np.float32)
C = RNG.standard_normal(3).astype(np.float32)
SAMPLES = [(RNG.standard_normal((5, 8)).astype(np.float32),) for _ in range(3)]
STORAGE = {
    "int8": ("i8", -127, 127),
    "int4_weights": ("i8", -8, 7),
    "int8_weights": ("i8", -127, 127),
    "int4_weight_only": ("i4", -8, 7),
}


def dense(array: np.ndarray) -> str:
    return f"dense<{array.tolist()}> : tensor<{'x'.join(map(str, array.shape))}xf32>"


NETWORK = f"""func.func @main(%x: tensor<5x8xf32>) -> tensor<5x2xf32> {{
  %w = stablehlo.constant {dense(W)}
  %v = stablehlo.constant {dense(V)}
  %c = stablehlo.constant {dense(C)}
  %b = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<3xf32>) -> tensor<5x3xf32>
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<5x8xf32>, tensor<8x3xf32>) -> tensor<5x3xf32>
  %s = stablehlo.add %d, %b : tensor<5x3xf32>
  %t = stablehlo.tanh %s : tensor<5x3xf32>
  %y = stablehlo.dot_general %t, %v, contracting_dims = [1] x [0]
    : (tensor<5x3xf32>, tensor<3x2xf32>) -> tensor<5x2xf32>
  return %y : tensor<5x2xf32>
}}"""


@pytest.fixture(scope="module", params=STORAGE)
def found(request: pytest.FixtureRequest) -> Quantized:
    return interp.quantize(interp.load(NETWORK), SAMPLES, request.param, block=4)


def weights(found: Quantized) -> Any:
    (op,) = [
        op
        for op in found.module.main.body.ops
        if op.name == "stablehlo.constant" and getattr(op.result.type.element_type, "block_sizes", None)
    ]
    return op


def test_scales_are_the_largest_magnitude_of_a_block(found: Quantized) -> None:
    storage, least, most = STORAGE[found.target.name.partition(",")[0]]
    type, stored = weights(found).result.type.quantized_element_type, weights(found)["value"].data
    scales = np.abs(W.reshape(2, 4, 3)).max(1).astype(np.float64) / most
    assert (type.storage_type.name, type.storage_min, type.storage_max) == (storage, least, most)
    assert (type.block_sizes, type.parameters_shape) == (((0, 4), (1, 1)), (2, 3))
    assert type.scales == tuple(scales.reshape(-1).tolist())
    assert set(type.zero_points) == {0}
    whole = np.rint(W / scales.astype(np.float32).repeat(4, 0)).clip(least, most).astype(np.int8)
    assert stored == whole.tobytes()


def test_the_reason_is_what_weights_keep(found: Quantized) -> None:
    _, least, most = STORAGE[found.target.name.partition(",")[0]]

    def decibels(scales: np.ndarray) -> float:
        near = np.float32(np.rint(W / scales).clip(least, most)) * scales
        return float(10 * np.log10((W.astype(float) ** 2).sum() / ((near.astype(float) - W) ** 2).sum()))

    by_block = decibels((np.abs(W.reshape(2, 4, 3)).max(1) / most).astype(np.float32).repeat(4, 0))
    by_channel = decibels((np.abs(W).max(0) / most).astype(np.float32))
    assert by_block > by_channel
    expected = (
        f"each scale is the largest magnitude of its block / {most}: so weights keep {by_block:.1f} dB, "
        f"with a scale for each channel {by_channel:.1f} dB"
    )
    assert found.decision("%w").note == expected
    assert expected in str(found.decision("%w"))


def test_weights_that_no_block_fits_have_a_scale_for_each_channel(found: Quantized) -> None:
    assert found.decision("%v").type.quantization_dimension == 1
    assert found.decision("%v").note == "blocks of 4 do not divide the 3 elements of a sum"


def test_the_program_verifies_and_is_its_simulation_to_a_step(found: Quantized) -> None:
    assert interp.verify(found.module) == []
    assert found.fully_quantized
    steps = [each.type.scale for each in found.decisions if each.value == "%y"]
    for sample in SAMPLES:
        real, simulated = (
            np.asarray(interp.run(found.stages[name], *sample)[0], float)
            for name in ("materialize", "propagate")
        )
        assert np.abs(real - simulated).max() <= (2 * steps[0] if steps else 1e-6 * np.abs(real).max())


def test_verbs_agree_on_it(found: Quantized) -> None:
    (x,) = SAMPLES[0]
    (result,) = interp.run(found.module, x)
    assert interp.run(interp.load(repr(found.module)), x)[0] == result
    assert np.asarray(interp.compile(found.module)(x)[0]).tobytes() == np.asarray(result).tobytes()
    comparison = interp.compare(found.module, x)
    assert comparison.reference_name == "the float program of quantize"
    assert comparison.results[0].verdict.startswith("holds")
    layer = interp.survey(found.module, SAMPLES).layers[-1]
    assert layer.signal > 10 * layer.noise
    if "float" not in str(found.choices):  # of floats that are any, no sum is proved
        assert {row.verdict for row in interp.prove(found.module).rows} == {"proved"}


def test_sums_of_quantized_operands_are_proven_in_i32(found: Quantized) -> None:
    kinds = [each for each in found.choices if each.kind == "accumulator" and "blocks of 4 x 1" in each.text]
    is_static = found.target.name.startswith(("int8,", "int4_weights"))
    assert len(kinds) == is_static
    if is_static:
        (x,) = SAMPLES[0]
        dot = next(op for op in found.module.main.body.ops if op.name == "stablehlo.dot_general")
        trace = interp.trace(found.module, x)
        assert not [e for e in trace.events if e.kind in ("wrap", "saturate") and e.op is dot]
        wide = dot.result.type.quantized_element_type
        real = np.frombuffer(weights(found)["value"].data, np.int8).reshape(8, 3) * table(found)
        left = found.decision("%x").type
        far = max(left.storage_max - left.zero_point, left.zero_point - left.storage_min)
        most = float(np.abs(real).sum(0).max()) * far * left.scale  # of any input
        assert 2**18 < most / wide.scale <= 2**19
        assert np.frexp(wide.scale)[0] == 0.5


def table(found: Quantized) -> np.ndarray:
    """Return the scale of every weight."""
    return np.float64(weights(found).result.type.quantized_element_type.scales).reshape(2, 3).repeat(4, 0)


def test_the_integer_reading_sums_by_blocks() -> None:
    """Each block in integers, its sum times both scales rounded once: within the sum's own rounding."""
    found = interp.quantize(interp.load(NETWORK), SAMPLES, "int8", block=4)
    (x,) = SAMPLES[0]
    one, other = (interp.run(found.module, x, reading=way)[0] for way in ("dequantize", "integer"))
    assert np.abs(np.asarray(one) - np.asarray(other)).max() <= found.decision("%y").type.scale
    narrow = interp.trace(found.module, x, reading="integer", accumulator="i12")
    assert any(event.kind == "wrap" for event in narrow.events)


def test_blocks_that_fit_nothing_are_refused() -> None:
    with pytest.raises(Malformed, match=r"block=5 fits no weights(.|\n)*%w: blocks of 5 do not divide the 8"):
        interp.quantize(interp.load(NETWORK), SAMPLES, block=5)
    with pytest.raises(Malformed, match=r"%w: a block of 8 is the whole sum: one scale for each channel"):
        interp.quantize(interp.load(NETWORK), SAMPLES, block=8)
    for size in (1, 0, -4, True, "4"):
        with pytest.raises(Malformed, match="expected a number of elements, at least 2"):
            interp.quantize(interp.load(NETWORK), SAMPLES, block=size)  # type: ignore[arg-type]
    plain = Target("plain").kernel("generic.dot_general", "i8, i8 -> i8", free)
    with pytest.raises(Malformed, match="the target plain takes no weights by blocks"):
        interp.quantize(interp.load(NETWORK), SAMPLES, plain, block=4)


def test_a_target_prints_its_blocks() -> None:
    rows = repr(TARGETS["int4_weights"].with_blocks(32)).splitlines()
    assert rows[0] == "target int4_weights, blocks(32)"
    assert "  generic.dot_general_add: i8, i8<-8:7> symmetric blocks(32), float -> i8 (free)" in rows
    own = Target("own").kernel("generic.dot_general", "float, i4 symmetric blocks(4) -> float", free)
    assert interp.quantize(interp.load(NETWORK), SAMPLES, own).decision("%w").type.block_sizes
    with pytest.raises(Malformed, match="blocks of at least 2"):
        Target("own").kernel("generic.dot_general", "float, i4 blocks(1) -> float", free)


@pytest.mark.parametrize("block", [None, 4])
def test_operands_that_are_no_weights_keep_the_bits_of_activations(block: int | None) -> None:
    """Scores of attention: the right operand is computed, and 4 bits are for constants alone."""

    def attention(x: Any) -> Any:
        keys = x @ W
        return (x[:, :3] @ keys.T) @ (keys + keys)

    found = interp.quantize(attention, SAMPLES, "int4_weights", block=block)
    least = {each.constraint: set[int]() for each in found.decisions}
    for each in found.decisions:
        least[each.constraint].add(each.type.storage_min)
    assert least.pop("constant") == {-8}
    assert set.union(*least.values()) <= {-127, -128}
    (x,) = SAMPLES[0]
    right = [op.operands[1].type.quantized_element_type for op in found.module.ops() if "dot" in op.name]
    assert [(type.storage_min, set(type.zero_points)) for type in right[1:]] == [(-127, {0})] * 2
    assert interp.compare(found.module, x).results[0].verdict.startswith("holds")


@pytest.mark.parametrize("storage", ["i8<-127:127>", "i8<-8:7>", "i4", "u8", "u4<0:12>"])
def test_scales_of_a_table_are_those_of_each_range(storage: str) -> None:
    """One by one by the formula of ranges, which the table computes at once."""
    type = parse_quant_type(f"!quant.any<{storage}>")
    assert isinstance(type, AnyQuantizedType)
    bounds = np.concatenate([[0, 1e-12, 1e-9, 2.5e-9, 3e38, 1e300], np.exp(RNG.normal(0, 9, 200))])
    one_by_one = [range_parameters(-float(m), float(m), type, True).scale for m in bounds]
    assert symmetric_scales(bounds, type).tolist() == one_by_one
    for bound in (np.inf, np.nan, 1.5e308):
        with pytest.raises(Malformed, match=r"no (range of finite numbers|scale for)"):
            symmetric_scales(np.array([1.0, bound]), type)


def test_the_command_quantizes_by_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "net.mlir").write_text(NETWORK)
    np.save(tmp_path / "x.npy", SAMPLES[0][0])
    names = ["quantize", "net.mlir", "x.npy", "--block", "4", "--decisions", "-o", "q.mlir"]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path)
        assert main(names) == 0
        assert "each scale is the largest magnitude of its block / 127" in capsys.readouterr().out
        assert "{0:4, 1:1}" in repr(interp.load("q.mlir"))


def test_a_file_of_onnx_has_blocks_and_other_formats_refuse_them(tmp_path: Path) -> None:
    found = interp.quantize(interp.load(NETWORK), SAMPLES, "int4_weight_only", block=4)
    with pytest.raises(Unsupported, match="a portable artifact with scales per block"):
        found.save(tmp_path / "q.mlirbc")
    ort = pytest.importorskip("onnxruntime", reason="runs the file")
    found.save(tmp_path / "q.onnx")
    options = ort.SessionOptions()
    options.add_session_config_entry("session.qdq_matmulnbits_accuracy_level", "0")
    session = ort.InferenceSession(str(tmp_path / "q.onnx"), options)
    theirs = session.run(None, {session.get_inputs()[0].name: SAMPLES[0][0]})[0]
    (ours,) = interp.run(found.module, *SAMPLES[0])
    assert np.abs(np.asarray(ours) - theirs).max() <= 1e-6 * np.abs(theirs).max()
    (again,) = interp.run(interp.load(tmp_path / "q.onnx"), *SAMPLES[0])
    assert np.asarray(again).tobytes() == np.asarray(ours).tobytes()


@pytest.mark.parametrize("seed", range(8))
def test_random_layers_are_their_simulation_to_a_step(seed: int) -> None:
    """Blocks of zeros, of very different scales, biases of any size, clamps; one feature and several."""
    rng = np.random.default_rng(seed)
    rows, columns, block = (int(rng.choice(x)) for x in ((8, 16), (1, 3), (2, 4)))
    w = rng.standard_normal((rows, columns)) * np.exp(2 * rng.standard_normal((rows, 1)))
    w[:block] *= seed % 3 != 0
    bias = rng.standard_normal(columns) * 10 ** rng.uniform(-3, 3)
    target = str(rng.choice(["int8", "int4_weights", "int16x8"]))
    layer = f"""func.func @main(%x: tensor<2x{rows}xf32>) -> tensor<2x{columns}xf32> {{
      %w = stablehlo.constant {dense(w.astype(np.float32))}
      %c = stablehlo.constant {dense(bias.astype(np.float32))}
      %b = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<{columns}xf32>) -> tensor<2x{columns}xf32>
      %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
        : (tensor<2x{rows}xf32>, tensor<{rows}x{columns}xf32>) -> tensor<2x{columns}xf32>
      %s = stablehlo.add %d, %b : tensor<2x{columns}xf32>
      %z = stablehlo.constant dense<0.0> : tensor<2x{columns}xf32>
      %y = stablehlo.maximum %s, %z : tensor<2x{columns}xf32>
      return %y : tensor<2x{columns}xf32>
    }}"""
    samples = [(rng.standard_normal((2, rows)).astype(np.float32),) for _ in range(3)]
    found = interp.quantize(interp.load(layer), samples, target, block=block)
    assert interp.verify(found.module) == []
    step = found.decision("%y").type.scale
    for sample in samples:
        one, other = (
            np.asarray(interp.run(found.stages[n], *sample)[0]) for n in ("propagate", "materialize")
        )
        assert np.abs(one.astype(float) - other).max() <= 1.01 * step
