"""`judge`: each layer of a device on the inputs that it had, by a dump of its tensors."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import combinations
from math import comb, inf
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import interp
from interp.__main__ import main
from interp.apps.judging.judgement import least_share, miss_probability
from interp.apps.suite.implementations import InProcess
from interp.questions.permitted.any_order import bound, likely_bound
from spec.errors import Malformed
from spec.types import ELEMENT_TYPES
from tests.library import builders
from tests.library.devices.judged_faults import Device, planted, program

Captured = pytest.CaptureFixture[str]
F32 = ELEMENT_TYPES["f32"]
A, B = "!quant.uniform<i8:f32, 0.05:3>", "!quant.uniform<i8:f32, 0.9:-4>"
W = "!quant.uniform<i8:f32, 0.02>"
DENSE = f"""func.func @main(%x: tensor<6x8x{A}>, %w: tensor<8x5x{W}>) -> tensor<6x5x{B}> {{
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<6x8x{A}>, tensor<8x5x{W}>) -> tensor<6x5x{B}>
  return %y : tensor<6x5x{B}> }}"""
CHAIN = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = stablehlo.constant dense<2.0> : tensor<4xf32>
  %a = stablehlo.multiply %x, %two : tensor<4xf32> loc("net/first/mul")
  %b = stablehlo.add %a, %x : tensor<4xf32> loc("net/first/add")
  %c = stablehlo.negate %b : tensor<4xf32> loc("net/second/neg")
  %d = stablehlo.multiply %c, %x : tensor<4xf32> loc("net/third/mul")
  return %d : tensor<4xf32> }"""
SUM = """func.func @main(%x: tensor<4x{n}x{t}>, %zero: tensor<{t}>) -> tensor<4x{t}> {{
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<4x{n}x{t}>, tensor<{t}>) -> tensor<4x{t}>
  return %s : tensor<4x{t}> }}"""
x = np.float32([1.5, -2, 0.25, 3])
RIGHT = {"x": x, "a": 2 * x, "b": 3 * x, "c": -3 * x, "d": -3 * x * x}


def dense(seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {
        name: rng.integers(-128, 128, n).astype(np.int8) for name, n in {"x": (6, 8), "w": (8, 5)}.items()
    }


# Faults of one layer.


@pytest.mark.parametrize("seed", range(6))
def test_a_planted_fault_is_named_and_no_other_layer(seed: int) -> None:
    """`tools/judge_planted` does this for 100."""
    device = planted(seed)
    found = interp.judge(program(), device.dump(), explain=False)
    assert [each.value for each in found.layers if each.is_faulty] == [f"%{device.layer}"]
    assert found.first is not None
    assert found.first.given != found.first.expected
    assert not found.ok


@pytest.mark.parametrize("seed", range(3))
def test_a_device_without_a_fault_has_none(seed: int) -> None:
    found = interp.judge(program(), Device(seed).dump())
    assert found.first is None
    assert found.ok
    assert [each.value for each in found.layers] == ["%h", "%g", "%f", "%p", "%r", "%s"]


def test_the_deviation_is_that_of_diagnose() -> None:
    args = dense(0)
    wrong = interp.run(DENSE, *args.values(), accumulator="i14 saturate")[0].storage
    found = interp.judge(DENSE, {**args, "y": wrong})
    assert found.deviations == tuple(
        trial.name for trial in interp.diagnose(DENSE, list(args.values()), [wrong]).explanations
    )
    assert any("saturate" in name for name in found.deviations)


# Verbs that answer the same question.


@pytest.mark.parametrize("reading", ["dequantize", "integer"])
@pytest.mark.parametrize("step", [0, 1, 2])
def test_verdicts_are_those_of_permits(reading: str, step: int) -> None:
    args = dense(step)
    (right,) = interp.run(DENSE, *args.values(), reading=reading)
    given = np.clip(right.storage.astype(int) + step * (np.arange(30) % 3 == 0).reshape(6, 5), -128, 127)
    found = interp.judge(DENSE, {**args, "y": given.astype(np.int8)}, readings=reading, explain=False)
    judged = interp.permits(DENSE, list(args.values()), [given.astype(np.int8)], reading=reading)
    (layer,) = found.layers
    assert layer.counts["exact"] == judged.counts["exact"]
    assert layer.counts["permitted"] == judged.counts["permitted"]
    refused = judged.counts["not permitted"]
    assert layer.counts["wrong"] + layer.counts["not permitted"] == refused
    assert (refused > 0) == (step == 2) or step == 1


def test_the_reading_is_said_that_gives_the_elements() -> None:
    """A fine result shows that sums in f32 are rounded, and those of integers not."""
    text, rng = DENSE.replace("i8:f32, 0.9:-4", "i32:f32, 1.0e-8"), np.random.default_rng(0)
    shapes = {"x": (6, 8), "w": (8, 5)}
    args = {name: rng.integers(-40, 40, shape).astype(np.int8) for name, shape in shapes.items()}
    outs = {r: interp.run(text, *args.values(), reading=r)[0].storage for r in ("dequantize", "integer")}
    assert (outs["dequantize"] != outs["integer"]).any()
    for reading, out in outs.items():
        (layer,) = interp.judge(text, {**args, "y": out}).layers
        assert (layer.verdict, layer.reading) == ("exact", reading)


def test_blame_names_the_operation_of_the_layer_that_judge_names() -> None:
    def device(module: interp.Module, mode: str, args: list[np.ndarray]) -> list[np.ndarray]:
        return [
            t.storage for t in interp.run(repr(module).replace("stablehlo.negate", "stablehlo.abs"), *args)
        ]

    c = np.abs(3 * x)
    blamed = interp.blame(CHAIN, x, against=InProcess(device))
    found = interp.judge(CHAIN, {**RIGHT, "c": c, "d": c * x})
    assert found.first is not None
    assert blamed.slices[0].operations[0].endswith(found.first.value)


# Names.


def test_a_layer_is_judged_on_the_inputs_that_the_device_had() -> None:
    found = interp.judge(CHAIN, {**RIGHT, "a": RIGHT["a"] + 1, "b": RIGHT["b"] + 1, "c": -(RIGHT["b"] + 1)})
    assert [each.verdict for each in found.layers] == ["wrong", "exact", "exact", "wrong"]


def test_what_is_between_two_values_is_one_layer() -> None:
    found = interp.judge(CHAIN, {"x": x, "d": RIGHT["d"]})
    assert [(each.value, each.verdict) for each in found.layers] == [("%d", "exact")]
    assert not found.left


def test_a_layer_without_files_is_listed_and_not_guessed() -> None:
    found = interp.judge(CHAIN, {"c": RIGHT["c"], "d": RIGHT["d"], "b": RIGHT["b"], "wrong name": x})
    assert [each.value for each in found.layers] == ["%c"]
    assert ("first (%b)", "no file has %x, which it reads") in found.left
    assert ("third (%d)", "no file has %x, which it reads") in found.left
    assert found.unknown == ("wrong name",)
    assert not found.ok
    assert "names of the dump that mean nothing here: wrong name" in repr(found)


def test_names_are_those_of_values_layers_arguments_and_results() -> None:
    by_layer = {"arg0": x, "first": RIGHT["b"], "%c": RIGHT["c"], "out0": RIGHT["d"]}
    found = interp.judge(CHAIN, by_layer)
    assert [(each.name, each.array) for each in found.layers] == [
        ("first (%b)", "first"),
        ("second (%c)", "%c"),
        ("third (%d)", "out0"),
    ]
    assert found.ok


def test_a_layer_may_have_read_something_else_than_what_was_written() -> None:
    stale = x + 5
    found = interp.judge(CHAIN, {**RIGHT, "second.in0": stale})
    assert [each.value for each in found.layers if each.is_faulty] == ["%c"]
    assert interp.judge(CHAIN, {**RIGHT, "second.in0": stale, "c": -stale, "d": -stale * x}).ok


def test_two_names_of_one_value_and_wrong_shapes_are_told() -> None:
    with pytest.raises(Malformed, match="two arrays of the dump for one value"):
        interp.judge(CHAIN, {**RIGHT, "out0": x})
    found = interp.judge(CHAIN, {**RIGHT, "c": np.zeros(5, np.float32)})
    assert dict(found.left)["second (%c)"].startswith("c of the dump has another shape")


def test_a_constant_of_the_dump_is_judged_and_used() -> None:
    found = interp.judge(CHAIN, {"x": x, "two": np.full(4, 3, np.float32), "a": 3 * x})
    assert [(each.value, each.verdict) for each in found.layers] == [("%two", "wrong"), ("%a", "exact")]


# Files.


def test_a_folder_an_archive_and_a_mapping_are_the_same_dump(tmp_path: Path) -> None:
    folder = tmp_path / "dump"
    (folder / "sub").mkdir(parents=True)
    for name, array in RIGHT.items():
        np.save(folder / f"{name}.npy", array)
    np.savez(tmp_path / "all.npz", **RIGHT)
    mapping = {f"%{name}": f"all.npz:{name}" for name in RIGHT} | {"%d": "dump/d.npy"}
    (tmp_path / "names.json").write_text(json.dumps(mapping))
    for dump in (folder, str(folder), tmp_path / "all.npz", tmp_path / "names.json"):
        found = interp.judge(CHAIN, dump)
        assert found.ok
        assert len(found.layers) == 4


def test_bf16_travels_as_its_bits(tmp_path: Path) -> None:
    text = CHAIN.replace("f32", "bf16")
    narrow = x.astype(ml_dtypes.bfloat16)
    values = {"x": narrow, "a": narrow + narrow, "b": narrow + narrow + narrow}
    for name, array in values.items():
        np.save(tmp_path / f"{name}.npy", array)
    assert [each.verdict for each in interp.judge(text, tmp_path).layers] == ["exact", "exact"]


def test_several_arrays_in_one_file_are_the_results(tmp_path: Path) -> None:
    """IREE appends one result after the other."""
    text = CHAIN.replace("-> tensor<4xf32> {", "-> (tensor<4xf32>, tensor<4xf32>) {").replace(
        "return %d : tensor<4xf32>", "return %c, %d : tensor<4xf32>, tensor<4xf32>"
    )
    np.save(tmp_path / "x.npy", x)
    with (tmp_path / "results.npy").open("wb") as stream:
        np.save(stream, RIGHT["c"])
        np.save(stream, RIGHT["d"] + 1)
    found = interp.judge(text, tmp_path)
    assert [(each.array, each.verdict) for each in found.layers] == [("out0", "exact"), ("out1", "wrong")]


@pytest.mark.parametrize("content", [b"", b"\x93NUMPY", b"text"])
def test_a_damaged_file_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.npy").write_bytes(content)
    with pytest.raises(Malformed) as caught:
        interp.judge(CHAIN, tmp_path)
    assert "x.npy" in str(caught.value)


@pytest.mark.parametrize("content", [b"PK\3\4 garbage", b"text", b"", None])
def test_a_damaged_archive_is_told(tmp_path: Path, content: bytes | None) -> None:
    np.savez(tmp_path / "all.npz", **RIGHT)
    whole = (tmp_path / "all.npz").read_bytes()
    (tmp_path / "all.npz").write_bytes(whole[:-9] if content is None else content)
    with pytest.raises(Malformed, match=r"all\.npz: not an archive of arrays"):
        interp.judge(CHAIN, tmp_path)


def test_an_archive_whose_member_is_damaged_leaves_its_layers(tmp_path: Path) -> None:
    np.savez(tmp_path / "all.npz", **RIGHT)
    whole = (tmp_path / "all.npz").read_bytes()
    (tmp_path / "all.npz").write_bytes(whole.replace(RIGHT["d"].tobytes(), b"\0" * 16))
    found = interp.judge(CHAIN, tmp_path)
    assert [each.value for each in found.layers] == ["%a", "%b", "%c"]
    assert "'d.npy'" in found.left[0].reason


def test_safetensors_are_archives_too(tmp_path: Path) -> None:
    safetensors = pytest.importorskip("safetensors.numpy", reason="reads a file of safetensors")
    safetensors.save_file(RIGHT, tmp_path / "all.safetensors")
    mapping = {name: f"all.safetensors:{name}" for name in RIGHT}
    (tmp_path / "names.json").write_text(json.dumps(mapping))
    for dump in (tmp_path, tmp_path / "all.safetensors", tmp_path / "names.json"):
        assert interp.judge(CHAIN, dump).ok


def test_a_file_that_ends_early_is_told(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", x)
    whole = (tmp_path / "x.npy").read_bytes()
    (tmp_path / "x.npy").write_bytes(whole[:-1])
    with pytest.raises(Malformed, match="the file ends before its array does"):
        interp.judge(CHAIN, tmp_path)


@pytest.mark.parametrize("dump", ["missing", 3, {}.keys()])
def test_what_is_not_a_dump_is_told(dump: object) -> None:
    with pytest.raises(Malformed):
        interp.judge(CHAIN, dump)


def test_the_command_has_the_status_of_the_answer(tmp_path: Path, capsys: Captured) -> None:
    np.savez(tmp_path / "right.npz", **RIGHT)
    np.savez(tmp_path / "wrong.npz", **{**RIGHT, "c": RIGHT["c"] + 1})
    (tmp_path / "m.mlir").write_text(CHAIN)
    assert main(["judge", str(tmp_path / "m.mlir"), str(tmp_path / "right.npz")]) == 0
    assert main(["judge", str(tmp_path / "m.mlir"), str(tmp_path / "wrong.npz")]) == 1
    assert "first fault: second (%c): 4 wrong of 4 drawn of 4" in capsys.readouterr().out
    assert main(["judge", str(tmp_path / "m.mlir"), str(tmp_path / "missing")]) == 2


# What was asked for.


def test_an_accumulation_that_is_asked_for_is_outside_the_specification() -> None:
    rng = np.random.default_rng(0)
    text = SUM.format(n=3000, t="f32")
    leaves, zero = rng.standard_normal((4, 3000)).astype(np.float32), np.float32(0)
    asked = "lanes(16: left; balanced)"
    (sums,) = interp.run(text, leaves, zero, accumulator=asked)
    dump = {"x": leaves, "zero": zero, "s": sums.storage}
    assert interp.judge(text, dump).layers[0].verdict == "within the bound"
    found = interp.judge(text, dump, accumulations=asked)
    assert found.layers[0].verdict == "outside the specification"
    assert not found.ok
    assert found.first is None


def test_a_recipe_that_nothing_uses_is_said() -> None:
    found = interp.judge(CHAIN, RIGHT, recipes="tflite_double")
    assert "tflite_double" in repr(found)
    assert found.unused.lines
    found = interp.judge(CHAIN, RIGHT, accumulations="lanes(8)")
    assert found.notes == ("the accumulation lanes(8) is not used: the program has no sum",)
    assert not interp.judge(CHAIN, RIGHT).unused.lines


def test_a_sample_is_drawn_and_what_it_misses_is_said() -> None:
    args = dense(1)
    (right,) = interp.run(DENSE, *args.values())
    found = interp.judge(DENSE, {**args, "y": right.storage}, elements=10)
    (layer,) = found.layers
    assert (layer.drawn, layer.size) == (10, 30)
    assert layer.miss_probability(0.1) == float(Fraction(comb(27, 10), comb(30, 10)))
    assert "would have been missed" in repr(found)
    assert interp.judge(DENSE, {**args, "y": right.storage}, elements=None).layers[0].drawn == 30


# Chances.


@given(st.integers(1, 9), st.data())
def test_the_chance_of_a_miss_is_counted(size: int, data: st.DataObject) -> None:
    drawn, wrong = data.draw(st.integers(0, size)), data.draw(st.integers(1, size))
    sets = list(combinations(range(size), drawn))
    free = sum(all(k >= wrong for k in each) for each in sets)
    assert miss_probability(size, drawn, wrong / size) == pytest.approx(free / len(sets), abs=1e-12)


def test_the_least_share_is_the_first_that_is_seldom_missed() -> None:
    share = least_share(10_000, 1000, 0.01)
    assert miss_probability(10_000, 1000, share) <= 0.01 < miss_probability(10_000, 1000, share - 2e-4)
    assert least_share(24, 24, 0.01) == 1 / 24


# The likely bound.


def sums_in(leaves: np.ndarray) -> np.ndarray:
    """Return sums in f32, left to right, of rows."""
    total = np.zeros(len(leaves), np.float32)
    for column in leaves.T:
        total = total + column
    return total


@pytest.mark.parametrize("n", [2, 50, 3000])
@pytest.mark.parametrize("positive", [False, True])
def test_random_orders_keep_the_likely_bound(n: int, positive: bool) -> None:
    rng = np.random.default_rng(n)
    leaves = rng.standard_normal((500, n)).astype(np.float32)
    leaves = np.abs(leaves) if positive else leaves
    wide = leaves.astype(np.float64)
    exact, sizes = wide.sum(1), np.abs(wide).sum(1)
    limit = likely_bound(F32, sizes, np.abs(exact), np.full(500, n), 1e-9)
    error = np.abs(sums_in(leaves) - exact)
    assert (error <= limit).all()
    assert error.max() > limit.max() / 1000  # the bound is of the size of what it bounds
    assert (limit <= bound(F32, sizes, n)).all()


def test_the_likely_bound_is_ten_times_narrower_than_the_worst_case() -> None:
    """Of products of 4,096 factors; the worst case is gamma(n) sum |x w|."""
    rng, n, u = np.random.default_rng(0), 4096, 2.0**-24
    products = rng.standard_normal((300, n)) * rng.standard_normal((300, n))
    sizes, sums = np.abs(products).sum(1), np.abs(products.sum(1))
    worst = n * u / (1 - n * u) * sizes
    assert np.median(worst / likely_bound(F32, sizes, sums, np.full(300, n), 1e-12, True)) > 10


def test_the_likely_bound_claims_nothing_where_the_proved_one_does_not() -> None:
    bf16 = ELEMENT_TYPES["bf16"]
    assert likely_bound(bf16, np.float64(10), np.float64(1), np.array(300), 1e-9) == inf
    assert likely_bound(bf16, np.float64(10), np.float64(1), np.array(100), 1e-9) < inf


def test_roundings_that_depend_on_each_other_break_the_premise() -> None:
    """Ones after 2048 have no effect in f16. In order that is exact; in an unknown order it is improbable."""
    text = SUM.format(n=1000, t="f16")
    leaves, zero = np.ones((4, 1000), np.float16), np.float16(0)
    leaves[:, 0] = 2048
    (left,) = interp.run(text, leaves, zero)
    assert np.asarray(left.storage, np.float32).tolist() == [2048] * 4
    assert interp.judge(text, {"x": leaves, "zero": zero, "s": left.storage}).layers[0].verdict == "exact"
    other = np.roll(leaves, 499, axis=1)  # the device adds the large one first
    found = interp.judge(text, {"x": other, "zero": zero, "s": left.storage}, explain=False)
    assert found.layers[0].verdict == "improbable"


@pytest.mark.parametrize("name", ["maximum", "add"])
@pytest.mark.parametrize("columns", [1, 40], ids=["whole", "rows"])
def test_a_number_in_place_of_a_limit_is_a_fault_however_long_the_sum(name: str, columns: int) -> None:
    """As XLA's maximum of many numbers on a CPU loses a NaN: in a layer computed whole, or by rows."""
    n, f32 = 5000, ELEMENT_TYPES["f32"]
    module = builders.module(builders.reduce(name, f32, f32, (columns, n), (1,)))
    x = np.random.default_rng(0).normal(size=(columns, n)).astype(np.float32)
    numbers = x.max(1) if name == "maximum" else x.sum(1)
    x[0, 7] = np.nan
    dump = dict(zip((v.name for v in module.main.inputs), (x, np.float32(0)), strict=True))
    (output,) = (v.name for v in module.main.body.returns)
    layer, *_ = interp.judge(module, {**dump, output: numbers}).layers
    assert layer.verdict == "not permitted"
    assert layer.counts["not permitted"] == 1
    infinite = {**dump, next(iter(dump)): np.where(np.isnan(x), np.inf, x)}
    layer, *_ = interp.judge(module, {**infinite, output: numbers}).layers
    assert layer.counts["not permitted"] == 1


def test_a_fault_of_floats_beyond_the_likely_bound_only_is_improbable() -> None:
    rng = np.random.default_rng(0)
    text = SUM.format(n=5000, t="f32")
    leaves, zero = rng.standard_normal((4, 5000)).astype(np.float32), np.float32(0)
    wide = leaves.astype(np.float64)
    exact, sizes = wide.sum(1), np.abs(wide).sum(1)
    likely = likely_bound(F32, sizes, np.abs(exact), np.full(4, 5000), 1e-9 / 4)
    proved = bound(F32, sizes, 5000)
    for factor, verdict in ((0.5, "within the bound"), (2.0, "improbable")):
        sums = (exact + factor * likely).astype(np.float32)
        found = interp.judge(text, {"x": leaves, "zero": zero, "s": sums}, explain=False)
        assert found.layers[0].verdict == verdict
    sums = (exact + 1.5 * proved).astype(np.float32)
    assert interp.judge(text, {"x": leaves, "zero": zero, "s": sums}).layers[0].verdict == "wrong"
