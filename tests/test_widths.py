"""`widths`: extremes, first clips and costs against plain recomputation in Python's integers."""

from __future__ import annotations

import csv
import io
import json
import operator
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.apps.accumulator_study.widths import Trial, widths
from interp.recorder.recorder import Recorder
from spec.errors import Malformed, Unsupported
from spec.ir import Module

ROOT = Path(__file__).resolve().parent.parent
DIGITS = ROOT / "testdata" / "exports" / "torch_digits_int8.mlirbc"
RNG = np.random.default_rng(28)
W = RNG.integers(-128, 128, (12, 3)).astype(np.int8)
X = [RNG.integers(-128, 128, (4, 12)).astype(np.int8) for _ in range(3)]


def dense(x: np.ndarray) -> str:
    return str(x.tolist())


def plain(weights: np.ndarray = W) -> Module:
    """A product of plain i8 numbers with constant weights, summed in i32."""
    return interp.load(f"""func.func @main(%x: tensor<4x12xi8>) -> tensor<4x3xi32> {{
  %w = stablehlo.constant dense<{dense(weights)}> : tensor<12x3xi8>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<4x12xi8>, tensor<12x3xi8>) -> tensor<4x3xi32>
  return %y : tensor<4x3xi32>
}}""")


def quantized(groups: int = 1) -> Module:
    """A quantized convolution with zero points and padding, and a product of its results."""
    rng = np.random.default_rng(7)
    kernel = dense(rng.integers(-127, 128, (2, 2, 4 // groups, 6)))
    weights = dense(rng.integers(-127, 128, (6, 5)))
    x, y = "tensor<2x3x3x4x!quant.uniform<i8:f32, 0.5:-9>>", "tensor<2x3x3x6x!quant.uniform<i8:f32, 40.0:3>>"
    k = f"tensor<2x2x{4 // groups}x6x!quant.uniform<i8:f32, 0.5>>"
    w, last = "tensor<6x5x!quant.uniform<i8:f32, 0.25>>", "tensor<2x3x3x5x!quant.uniform<i8:f32, 90.0>>"
    return interp.load(f"""func.func @main(%x: {x}) -> {last} {{
  %k = stablehlo.constant() {{value = dense<{kernel}> : tensor<2x2x{4 // groups}x6xi8>}} : () -> {k}
  %w = stablehlo.constant() {{value = dense<{weights}> : tensor<6x5xi8>}} : () -> {w}
  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {{pad = [[0, 1], [1, 0]]}} {{batch_group_count = 1 : i64, feature_group_count = {groups} : i64}}
    : ({x}, {k}) -> {y}
  %d = stablehlo.dot_general %c, %w, contracting_dims = [3] x [0] : ({y}, {w}) -> {last}
  return %d : {last}
}}""")


def nodes(leaves: Sequence[int]) -> Iterator[int]:
    """Yield what an accumulator holds of leaves that are added one after the other, from 0."""
    total = 0
    yield 0
    for leaf in leaves:
        total += int(leaf)
        yield total
        yield int(leaf)


def bits(numbers: Sequence[int]) -> int:
    return next(b for b in range(1, 65) if all(-(2 ** (b - 1)) <= x < 2 ** (b - 1) for x in numbers))


def holds(outer: tuple[int, int] | None, inner: tuple[int, int] | None) -> bool:
    return outer is not None and inner is not None and outer[0] <= inner[0] <= inner[1] <= outer[1]


def products(x: np.ndarray, weights: np.ndarray, row: int, channel: int) -> list[int]:
    return [int(a) * int(b) for a, b in zip(x[row], weights[:, channel], strict=True)]


def test_observed_extremes_are_those_of_python_integers() -> None:
    found = widths(plain(), [(x,) for x in X])
    assert (found.samples, len(found.rows)) == (12, 3)
    for channel, row in enumerate(found["%y"]):
        leaves = [products(x, W, k, channel) for x in X for k in range(4)]
        held = [node for each in leaves for node in nodes(each)]
        assert row.observed == (min(held), max(held))
        least = min(sum(min(x, 0) for x in each) for each in leaves)
        greatest = max(sum(max(x, 0) for x in each) for each in leaves)
        assert row.observed_in_any_order == (least, greatest)
        ends = [sorted((-128 * int(w), 127 * int(w))) for w in W[:, channel]]
        assert row.proved == (sum(min(a, 0) for a, _ in ends), sum(max(b, 0) for _, b in ends))
        assert (row.bits_observed, row.bits_proved) == (bits(held), bits(row.proved))
        assert (row.terms, row.channel, repr(row.present)) == (12, (channel,), "i32")
        assert row.headroom == 32 - bits(held)
        assert row.suggested == f"i{bits(row.proved)}"


def test_a_convolution_and_its_padding() -> None:
    module, x = quantized(), np.random.default_rng(3).integers(-128, 128, (2, 3, 3, 4)).astype(np.int8)
    found = widths(module, [x])
    kernel = np.random.default_rng(7).integers(-127, 128, (2, 2, 4, 6))
    padded = np.pad(x.astype(int) + 9, ((0, 0), (0, 1), (1, 0), (0, 0)))
    for o, row in enumerate(found["%c"]):
        held = list[int]()
        for n, i, j in product(range(2), range(3), range(3)):
            window = padded[n, i : i + 2, j : j + 2]
            held += nodes((window * kernel[..., o]).reshape(-1).tolist())
        assert row.observed == (min(held), max(held))
        assert row.terms == 16
    assert [row.channel for row in found["%d"]] == [(k,) for k in range(5)]


@pytest.mark.parametrize("module", [plain(), quantized(), quantized(2)])
def test_what_is_proved_holds_what_is_observed(module: Module) -> None:
    shape = module.main.inputs[0].type.shape
    data = [np.random.default_rng(k).integers(-128, 128, shape).astype(np.int8) for k in range(4)]
    found = widths(module, [*data, np.full(shape, -128, np.int8), np.full(shape, 127, np.int8)])
    for row in found.rows:
        assert holds(row.observed_in_any_order, row.observed)
        assert holds(row.proved, row.observed_in_any_order)


def test_proved_extremes_are_reached() -> None:
    """Each end is the sum of the leaves of one sign, for the arguments that make them largest."""
    for row in widths(plain())["%y"]:
        column = W[:, row.channel[0]].astype(int)
        for side, end in zip((-1, 1), row.proved or (), strict=True):
            best = [max((side * a * w, a) for a in (-128, 0, 127))[1] for w in column]
            assert sum(a * w for a, w in zip(best, column, strict=True)) == end


def kept(total: int, width: int, saturates: bool) -> int:
    low, high = -(2 ** (width - 1)), 2 ** (width - 1) - 1
    return min(max(total, low), high) if saturates else (total - low) % 2**width + low


def in_blocks(
    leaves: Sequence[int], width: int, saturates: bool, k: int
) -> tuple[int, list[tuple[int, int]]]:
    """Return the sum of blocks, each in a narrow accumulator, and (group, leaf) of each node that clips."""
    clips, sums = list[tuple[int, int]](), list[int]()
    for first in range(0, len(leaves), k):
        held = 0
        for number, leaf in enumerate(leaves[first : first + k], first + 1):
            exact = held + leaf
            held = kept(exact, width, saturates)
            if held != exact:
                clips.append((first // k, number))
        sums.append(held)
    return sum(sums), clips


@pytest.mark.parametrize("mode", ["saturate", "wrap"])
@pytest.mark.parametrize("k", [12, 5])
def test_the_first_clip_and_the_results_are_those_of_python_integers(mode: str, k: int) -> None:
    text = f"i16 {mode} blocks({k}) i32"
    found = widths(plain(), [(x,) for x in X], [text])
    noise = 0
    for row in found["%y"]:
        by_sample = list[list[tuple[int, int]]]()
        for x, at in product(X, range(4)):
            leaves = products(x, W, at, row.channel[0])
            total, clips = in_blocks(leaves, 16, mode == "saturate", k)
            by_sample.append(clips)
            noise += (total - sum(leaves)) ** 2
        (clipping,) = row.clippings.values()
        assert clipping.count == sum(map(len, by_sample))
        firsts = [(*clips[0][::-1], sample) for sample, clips in enumerate(by_sample) if clips]
        assert (clipping.first is None) == (not firsts)
        if clipping.first:
            leaf, group, sample = min(firsts)
            assert (clipping.first.leaf, clipping.first.group) == (leaf, group)
            assert clipping.first.samples == (sample, sample)
            assert clipping.first.kind == mode
    assert noise
    assert found.cost(text).effect.noise == found.cost(text, "%y").effect.noise == noise


@pytest.mark.parametrize(
    "text", ["i16 saturate", "i17 wrap", "i14 saturate blocks(4) i18 wrap", "i15 split(3) i32"]
)
def test_first_clips_agree_with_the_events_of_run(text: str) -> None:
    module, x = quantized(), np.random.default_rng(5).integers(-128, 128, (2, 3, 3, 4)).astype(np.int8)
    found = widths(module, [x], text)
    for layer, rows in found.layers.items():
        recorder = Recorder(("saturate", "wrap"))
        accumulators: dict[str, Any] = dict.fromkeys(found.layers, "i64") | {layer: text}
        (result,) = interp.run(module, x, accumulator=accumulators, listeners=[recorder])
        (exact,) = interp.run(module, x, accumulator=dict.fromkeys(found.layers, "i64"))
        groups = [g for g in recorder.groups.values() if g.first.name == layer and g.first.leaves]
        clippings = [clipping for row in rows for clipping in row.clippings.values()]
        assert sum(x.count for x in clippings) == sum(g.count for g in groups)
        first = [x.first for x in clippings if x.first]
        assert bool(first) == bool(groups)
        if groups:
            earliest = min(first, key=lambda x: (x.order, x.index))
            event = groups[0].first
            assert event.leaves
            assert earliest.leaf == event.leaves[1]
            assert (earliest.exact, earliest.stored, earliest.kind) == (event.exact, event.stored, event.kind)
        errors = result.dequantize().astype(float) - exact.dequantize()
        assert float(found.cost(text, layer).effect.noise) == pytest.approx(float((errors**2).sum()))
    (result,) = interp.run(module, x, accumulator=dict.fromkeys(found.layers, text))
    errors = result.dequantize().astype(float) - exact.dequantize()
    assert float(found.cost(text).effect.noise) == pytest.approx(float((errors**2).sum()))


def test_runs_that_are_known_to_be_exact_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    module, x = quantized(), np.random.default_rng(5).integers(-128, 128, (2, 3, 3, 4)).astype(np.int8)
    texts = ["i24 saturate", "i17 wrap", "i20 saturate blocks(4) i24", "lanes(3) in i24 wrap"]
    found = widths(module, [x], texts)
    monkeypatch.setattr(Trial, "_keeps_exact", lambda *_: False)
    assert widths(module, [x], texts).to_json() == found.to_json()
    assert any(not cost.effect.noise for cost in found.costs)


def test_widths_that_are_proved_never_clip_and_one_bit_less_does() -> None:
    """The extreme arguments of one channel need all of its bits in the order of its signs."""
    column = W[:, 0].astype(int)
    module = plain(W[:, [0, 0, 0]])
    (row, *_) = widths(module)["%y"]
    worst = [np.where(side * column > 0, 127, -128) for side in (-1, 1)]
    halves = [np.where(side * column > 0, x, 0) for side, x in zip((-1, 1), worst, strict=True)]
    data = np.stack([*worst, *halves]).astype(np.int8)
    assert row.bits_proved
    for width, clips in ((row.bits_proved, False), (row.bits_proved - 1, True)):
        found = widths(module, [data], f"i{width} saturate")
        assert any(x.count for each in found.rows for x in each.clippings.values()) == clips


def test_shards_add_up() -> None:
    module, texts = plain(), ("i16 saturate", "i15 wrap blocks(5) i32")
    pairs = [((x,), None) for x in X]
    whole = widths(module, pairs, texts, metric)
    parts = [widths(module, [pair], texts, metric, first=4 * k) for k, pair in enumerate(pairs)]
    for total in (sum(parts[1:], parts[0]), 0 + parts[0] + parts[1] + parts[2], reduce(operator.add, parts)):
        assert total.to_json() == whole.to_json()
    with pytest.raises(Malformed, match="studies of other programs"):
        _ = whole + widths(module, X)


def metric(results: Sequence[np.ndarray], target: Any) -> np.ndarray:
    return results[0].sum(axis=1) > 0


def test_samples_that_fill_up_a_batch_do_not_count() -> None:
    module, text = plain(), "i16 saturate"
    filled = np.concatenate([X[0][:3], np.full((1, 12), -128, np.int8)])
    found = widths(module, [interp.Batch([filled], None, 3)], text)
    rows = np.concatenate([X[0][:3], X[0][2:3]])
    expected = widths(module, [interp.Batch([rows], None, 3)], text)
    assert found.to_json() == expected.to_json()
    assert found.samples == 3


@pytest.fixture(scope="module")
def digits() -> tuple[Module, list[Any]]:
    module, data = interp.load(DIGITS), np.load(DIGITS.with_suffix(".npz"))
    return module, list(interp.batched(module, data["arg0"], targets=data["labels"]))


def test_the_metric_is_that_of_runs(digits: tuple[Module, list[Any]]) -> None:
    module, batches = digits
    found = interp.widths(module, batches, "i16 wrap", "accuracy", raise_qdq=True)
    raised = interp.raise_qdq(module).module
    labels = np.load(DIGITS.with_suffix(".npz"))["labels"]

    def accuracy(accumulator: dict[str, str]) -> float:
        (result,) = interp.run(raised, *batches[0].args, accumulator=accumulator)
        return float((result.dequantize().argmax(1) == labels).mean())

    exact = dict.fromkeys(found.layers, "i64")
    for layer in found.layers:
        cost = found.cost("i16", layer).metric
        assert cost
        assert cost.means == (accuracy(exact | {layer: "i16 wrap"}), accuracy(exact))
    whole = found.cost("i16").metric
    assert whole
    assert whole.means[0] == accuracy(dict.fromkeys(found.layers, "i16 wrap")) < 0.5
    assert found.suggested == dict(zip(found.layers, ("i19", "i21", "i11", "i20"), strict=True))
    proof = interp.prove(raised, accumulator=dict.fromkeys(found.layers, "i64"), runs=0)
    assert {row.name: f"i{row.judgement.bits}" for row in proof.rows} == found.suggested


@pytest.mark.parametrize(
    "name", ["convolutional_qdq_u8", "residual_qdq_i8", "residual_qoperator_u8", "transformer_qoperator_u8"]
)
@pytest.mark.parametrize("raises", [False, True])
def test_onnx_models(name: str, raises: bool) -> None:
    module = interp.load(ROOT / "testdata" / "onnx" / f"{name}.onnx")
    shape = [size or 2 for size in module.main.inputs[0].type.shape]
    x = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    found = widths(module, [x], "i16 saturate", raise_qdq=raises)
    assert len(found.layers) > 3
    for row in found.rows:
        assert holds(row.proved, row.observed_in_any_order)


def test_a_deadline_leaves_batches_out() -> None:
    told = list[tuple[str, int, int]]()
    found = widths(plain(), X, "i16", seconds=0, progress=lambda *each: told.append(each))
    assert (found.partial, found.samples) == (True, 4)
    assert "partial: 1 of 3 batches looked at in 0 s" in repr(found)
    assert ("runs", 2, 2) in told


def test_a_program_of_floats_is_refused_with_what_to_do() -> None:
    text = """func.func @main(%x: tensor<2x3xf32>, %w: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}"""
    with pytest.raises(Unsupported, match="no sums of integers") as error:
        interp.widths(text)
    assert "raise_qdq=True" in str(error.value)
    with pytest.raises(Malformed, match="accumulators without data"):
        interp.widths(plain(), accumulators="i16")
    with pytest.raises(Malformed, match="no batches"):
        interp.widths(plain(), [])
    with pytest.raises(Malformed, match="99 is not a valid"):
        interp.widths(plain(), X, "i99")


def test_the_command_writes_csv_json_and_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program, data, page = tmp_path / "m.mlir", tmp_path / "x.npy", tmp_path / "w.html"
    program.write_text(repr(plain()))
    np.save(data, np.concatenate(X))
    words = f"widths {program} {data} --html {page} --json {tmp_path}/w.json --csv {tmp_path}/w.csv".split()
    words += ["--accumulator", "i16 saturate", "--accumulator", "i15 blocks(4) i32"]
    assert main(words) == 0
    found = widths(plain(), X, ["i16 saturate", "i15 blocks(4) i32"])
    assert repr(found) in capsys.readouterr().out
    written = json.loads((tmp_path / "w.json").read_text())
    assert [x["bits observed"] for x in written["channels"]] == [row.bits_observed for row in found.rows]
    rows = list(csv.DictReader(io.StringIO((tmp_path / "w.csv").read_text())))
    assert [int(row["i16 saturate: clips"]) for row in rows] == [
        row.clippings["i16 saturate"].count for row in found.rows
    ]
    text = page.read_text()
    assert "Channels of %y" in text
    assert "i15 wrap blocks(4) i32 wrap: sums clip in" in text
    assert main(["widths", str(program)]) == 0
    assert "0 samples" in capsys.readouterr().out


def test_a_layer_has_the_name_of_its_source() -> None:
    found = interp.widths(interp.load("testdata/onnx/residual_qdq_i8.onnx"))
    scopes = {rows[0].scope: rows[0].layer for rows in found.layers.values()}
    assert all(scopes)
    assert len(scopes) == len(found.layers) > 1
    for scope, layer in scopes.items():
        assert f"{scope} ({layer})" in repr(found)
        assert f"{layer},{scope}," in found.to_csv()
