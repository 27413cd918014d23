"""`survey`: sums over samples against plain recomputation, shards that add up, and planted faults."""

from __future__ import annotations

import csv
import io
import json
import math
import multiprocessing
import operator
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import interp
from interp.apps.surveys.batches import Batch, batched
from interp.apps.surveys.result import Survey
from interp.apps.surveys.survey import survey
from spec.errors import Malformed
from spec.ir import Module
from tests.library.builders import function

DIGITS = Path(__file__).resolve().parents[2] / "shared" / "exports" / "digits_a.mlirbc"
Q = "!quant.uniform<i8:f32, 0.5:3>"
R = "!quant.uniform<i8:f32, 0.25>"
T, S = "tensor<3x4xf32>", "tensor<3x4x{}>"


def simulated(first: str = Q, second: str = R) -> Module:
    """A program of two layers, each quantized and dequantized; "" leaves one in float."""
    lines = ["%w = stablehlo.constant dense<[0.3, -1.7, 2.2, 0.9]> : tensor<4xf32>"]
    lines += [f"%b = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<4xf32>) -> {T}"]
    lines += [f"%product = stablehlo.multiply %x, %b : {T}"]
    last = "%product"
    for name, type in (("p", first), ("t", second)):
        if type:
            stored = S.format(type)
            lines += [f"%{name}q = stablehlo.uniform_quantize {last} : ({T}) -> {stored}"]
            lines += [f"%{name}d = stablehlo.uniform_dequantize %{name}q : ({stored}) -> {T}"]
            last = f"%{name}d"
        if name == "p":
            lines += [f"%bent = stablehlo.tanh {last} : {T}"]
            last = "%bent"
    return function(f"(%x: {T}) -> {T}", *lines, f"return {last} : {T}")


RNG = np.random.default_rng(16)
ROOT = Path(__file__).resolve().parent.parent
BATCHES = [RNG.normal(0, 20, (3, 4)).astype(np.float32) for _ in range(4)]


def squares(x: np.ndarray) -> Fraction:
    return sum((Fraction(v) ** 2 for v in x.ravel().tolist()), Fraction(0))


def test_a_layer_sums_what_two_runs_differ_by() -> None:
    found = survey(simulated(), BATCHES)
    expected = [interp.run(simulated("", ""), x)[0].storage for x in BATCHES]
    errors = [
        interp.run(simulated(), x)[0].storage.astype(np.float64) - y
        for x, y in zip(BATCHES, expected, strict=True)
    ]
    last = found["result 0"]
    assert float(last.noise) == pytest.approx(float(sum(map(squares, errors))), rel=1e-12)
    assert float(last.signal) == pytest.approx(float(sum(map(squares, expected))), rel=1e-12)
    assert last.unequal == sum(map(np.count_nonzero, errors))
    assert last.elements == 48
    assert last.sqnr == pytest.approx(10 * math.log10(last.signal / last.noise))
    worst = max(range(4), key=lambda k: np.abs(errors[k]).max())
    assert last.worst is not None
    assert last.worst.error == np.abs(errors[worst]).max()
    assert last.worst.samples[0] == 3 * worst + last.worst.place[0]


def test_stored_numbers_have_a_range_a_histogram_and_headroom() -> None:
    x = np.full((3, 4), 1.0, np.float32)  # products 0.3, -1.7, 2.2, 0.9: stored 4, 0, 7, 5
    layer = survey(simulated(), [x])["%product"]
    assert (layer.least, layer.most) == (0, 7)
    assert layer.range_used == 7 / 255
    # Numbers around zero, -3 and 4, fit as long as they are at least -131 and at most 124.
    assert layer.headroom == min(math.log2(131 / 3), math.log2(124 / 4))
    assert layer.histogram is not None
    assert {k: n for k, n in enumerate(layer.histogram.tolist()) if n} == {32: 3, 33: 9}  # 4 numbers a bin
    assert layer.rmse == pytest.approx(math.sqrt((0.2**2 + 0.2**2 + 0.2**2 + 0.1**2) / 4))
    assert layer.steps == pytest.approx(layer.rmse / 0.5)


def test_the_headroom_of_accumulators_is_that_of_bounds(tmp_path: Path) -> None:
    """The sum of the pool ends at the storage bound, beyond which it is one bit short."""
    pool = interp.load(ROOT / "testdata/programs/overflowing_pool.mlir")
    x = np.load(ROOT / "testdata/programs/overflowing_pool.npz")["arg0"]
    batches = [x // 4, x, x // 16]
    shards = [survey(pool, [each], sums=True) for each in batches]
    rooms = [interp.trace(pool, each).bounds().headroom for each in batches]
    assert [shard["%sum"].room for shard in shards] == rooms
    assert rooms[1] == -1 < rooms[0] < rooms[2]
    assert sum(shards)["%sum"].room == survey(pool, batches, sums=True)["%sum"].room == -1
    assert shards[1]["%sum"].headroom == 0.0
    assert [row["accumulator headroom"] for row in shards[1].rows()] == [-1, None, None]
    assert "accumulator headroom" not in survey(pool, [x]).rows()[0]
    page = shards[1].report(tmp_path / "page.html", pool).read_text()
    row = page.partition('id="layer/%sum"')[2].partition("</tr>")[0]
    assert "−1 bit" in row
    assert "0 bits" not in row


def test_shards_add_up_in_any_order() -> None:
    whole = survey(simulated(), [(x, None) for x in BATCHES], argmax_metric)
    shards = [survey(simulated(), [(x, None)], argmax_metric, first=3 * k) for k, x in enumerate(BATCHES)]
    there = shards[0] + shards[1] + shards[2] + shards[3]
    back = shards[3] + (shards[2] + shards[0]) + shards[1]
    assert rows(there) == rows(back) == rows(whole)
    assert there.metric == back.metric == whole.metric
    assert set(there.events) == set(back.events) == set(whole.events)
    assert whole.samples == 12


def test_shards_in_other_processes_add_up_to_the_same() -> None:
    module, whole = simulated(), survey(simulated(), BATCHES)
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as pool:
        shards = pool.map(partial(survey, module), ([x] for x in BATCHES))
        found = sum(shards)
    assert isinstance(found, Survey)
    assert [x.noise for x in found.layers] == [x.noise for x in whole.layers]
    assert found.samples == 12


@pytest.mark.slow("starts processes, as the test before")
def test_shards_on_dask_add_up_to_the_same() -> None:
    bag = pytest.importorskip("dask.bag", reason="Dask is not installed")
    shards = [(x, 3 * k) for k, x in enumerate(BATCHES)]
    lazy = bag.from_sequence(shards, npartitions=2).map(lambda s: survey(simulated(), [s[0]], first=s[1]))
    for scheduler in ("threads", "processes"):
        found = lazy.fold(operator.add).compute(scheduler=scheduler)
        assert repr(found) == repr(survey(simulated(), BATCHES))


def argmax_metric(results: list[np.ndarray], _: object) -> np.ndarray:
    return results[0].argmax(axis=1)


def rows(found: Survey) -> list[dict[str, object]]:
    return found.rows()


def test_a_planted_overflow_is_found_in_its_sample_and_layer() -> None:
    images = np.ones((1300, 4), np.float32)
    images[1203, 2] = 31.0  # 2.2 * 31 = 68.2, and Q ends at 62
    found = survey(simulated(), batched(simulated(), images))
    layer = found["%product"]
    assert layer.worst is not None
    assert layer.worst.samples == (1203, 1203)
    assert layer.noisiest.samples == (1203, 1203)
    assert (layer.worst.value, layer.worst.reference) == (62.0, pytest.approx(68.2))
    (event,) = [e for e in found.events if e.kind == "saturate"]
    assert (event.layer, event.count, event.worst_at) == ("%product", 1, (1203, 1203))
    assert found.samples == 1300  # the last batch of 3 was filled up, and its filling is not counted
    assert layer.elements == 5200


def test_the_cost_of_a_layer_alone_is_that_of_a_program_in_which_only_it_is_quantized() -> None:
    found = survey(simulated(), BATCHES, ranking=True).ranking
    assert found is not None
    by_name = {x.layer: x for x in found.layers}
    assert set(by_name) == {"%product", "%bent"}
    alone = {"%product": simulated(Q, ""), "%bent": simulated("", R)}
    for name, program in alone.items():
        other = next(x for x in alone if x != name)
        noise = survey(program, BATCHES, against=simulated("", ""))["result 0"].noise
        assert by_name[name].alone.noise == by_name[other].without.noise == noise
    assert found.whole.noise == survey(simulated(), BATCHES)["result 0"].noise
    assert found.layers[0].alone.sqnr <= found.layers[1].alone.sqnr


def test_constants_that_the_program_has_otherwise_belong_to_their_layer() -> None:
    """Weights of 2 and 3 in the reference are 2 and 4 in the program, whose only loss they are."""

    def weighted(*weights: float) -> Module:
        return function(
            "(%x: tensor<1x2xf32>) -> tensor<1x2xf32>",
            f"%w = stablehlo.constant dense<{[list(map(float, weights))]}> : tensor<1x2xf32>",
            "%y = stablehlo.multiply %x, %w : tensor<1x2xf32>",
            "return %y : tensor<1x2xf32>",
        )

    found = survey(weighted(2, 4), [np.ones((1, 2), np.float32)], against=weighted(2, 3), ranking=True)
    assert found.ranking is not None
    (layer,) = found.ranking.layers
    assert (layer.layer, layer.alone.noise, layer.without.noise) == ("%y", 1, 0)


def test_rows_that_fill_up_a_batch_count_nowhere() -> None:
    """Three samples a batch and four samples: the last one is there three times, and counts once."""
    x = np.ones((4, 4), np.float32)
    x[3] = 1000  # products 300, -1700, 2200, 900: all beyond 64
    target = np.array([0, 0, 0, 1])

    def loss(results: list[np.ndarray], wanted: np.ndarray) -> float:
        assert len(results[0]) == len(wanted)
        return float(np.mean(wanted))

    found = survey(simulated(), batched(simulated(), x, targets=target), loss)
    assert [(e.name, e.kind, e.count) for e in found.events] == [("%pq", "saturate", 4)]
    assert found.events[0].worst_at == (3, 3)
    assert found["%product"].elements == 16
    assert found.metric is not None
    assert found.metric.means == (1 / 4, 1 / 4)  # of samples, not of batches
    assert sum(survey(simulated(), [x[k : k + 3]]) for k in (0, 1)).samples == 6


def test_a_metric_is_of_the_program_and_of_its_reference() -> None:
    x = np.eye(3, 4, dtype=np.float32)
    found = survey(simulated(), [(x, [0, 3, 2])], "accuracy")
    assert found.metric is not None
    # Row 1 has -1.7 at index 1, so that 0 is its largest; the first of equal numbers counts.
    assert found.metric.means == (2 / 3, 2 / 3)
    ours = survey(simulated(), [Batch([x], 5.0)], lambda results, target: target + results[0].size)
    assert ours.metric is not None
    assert ours.metric.means == (17.0, 17.0)


def test_tables_have_a_row_for_each_layer() -> None:
    found = survey(simulated(), BATCHES)
    table = list(csv.DictReader(io.StringIO(found.to_csv())))
    assert [row["layer"] for row in table] == ["%product", "%bent", "result 0"]
    assert float(table[0]["SQNR dB"]) == found["%product"].sqnr
    read = json.loads(found.to_json())
    assert read["samples"] == 12
    assert [layer["layer"] for layer in read["layers"]] == [row["layer"] for row in table]
    assert list(found.frame()["layer"]) == [row["layer"] for row in table]
    assert "worst: " in repr(found)


def test_infinities_on_one_side_are_counted_apart() -> None:
    x = np.zeros((3, 4), np.float32)
    x[1, 0] = np.inf
    layer = survey(simulated(), [x])["%product"]  # infinity is stored as 127, which is 62
    assert (layer.not_finite, layer.noise) == (1, 0)
    assert layer.worst is not None
    assert (layer.worst.error, layer.worst.samples) == (np.inf, (1, 1))


@pytest.mark.parametrize(
    ("batches", "metric", "message"),
    [
        ([], None, "no batches"),
        ([BATCHES[0]], "accuracy", "without target"),
        ([(BATCHES[0], [0, 1, 2])], "loss", "no metric 'loss'"),
        ([(BATCHES[0], [0, 1])], "accuracy", "index for each"),
        ([Batch([BATCHES[0]], count=4)], None, "in which 4 samples count"),
        ([(BATCHES[0], 1)], lambda results, target: math.nan, "no number"),
    ],
)
def test_errors(batches: list[object], metric: object, message: str) -> None:
    with pytest.raises(Malformed, match=message):
        survey(simulated(), batches, metric)  # type: ignore[arg-type]


def test_unknown_sizes_large_numbers_and_tokens() -> None:
    """Sizes come from the first batch, squares may be beyond f64, and a token has no numbers."""
    any_size = function(
        "(%x: tensor<?xf64>) -> tensor<?xf64>",
        "%0 = stablehlo.abs %x : tensor<?xf64>",
        "return %0 : tensor<?xf64>",
    )
    doubled = function(
        "(%x: tensor<2xf64>) -> tensor<2xf64>",
        "%0 = stablehlo.add %x, %x : tensor<2xf64>",
        "return %0 : tensor<2xf64>",
    )
    found = interp.survey(any_size, [np.array([1e200, 3.0])], against=doubled)
    layer = found["result 0"]
    assert layer.rmse == pytest.approx(1e200 / math.sqrt(2))  # of 1e200 and 3
    assert layer.sqnr == pytest.approx(20 * math.log10(2))
    ordered = function(
        "(%x: tensor<2xf32>, %t: !stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)",
        "%0 = stablehlo.abs %x : tensor<2xf32>",
        "%1 = stablehlo.after_all %t : !stablehlo.token",
        "return %0, %1 : tensor<2xf32>, !stablehlo.token",
    )
    x = np.float32([1, -3])
    assert [layer.name for layer in survey(ordered, [x]).layers] == ["%0", "result 0"]
    both = interp.compare(ordered, ordered, x)
    assert [row.left for row in both.rows] == ["%0", "result 0"]


def test_surveys_of_other_programs_do_not_add_up() -> None:
    with pytest.raises(Malformed, match="other programs"):
        survey(simulated(), BATCHES) + survey(simulated(Q, ""), BATCHES)


def test_a_page_has_every_layer_the_ranking_and_the_worst_samples(tmp_path: Path) -> None:
    module = simulated()
    found = survey(module, BATCHES, ranking=True)
    text = found.report(tmp_path / "survey.html", module).read_text("utf-8")
    for layer in found.layers:
        assert f'id="layer/{layer.name}"' in text
    assert found.worst is not None
    assert f"Least signal-to-noise ratio: {found.worst.sqnr:.1f} dB at {found.worst.name}" in text
    assert f"{found.samples} samples" in text
    assert all(f'id="{part}"' in text for part in ("graph", "ranking", "histograms", "samples", "program"))
    alone = found.report(tmp_path / "alone.html").read_text("utf-8")
    assert 'id="graph"' not in alone
    assert 'href="#op/' not in alone


@pytest.mark.skipif(not DIGITS.exists(), reason="there is no ../shared/exports/digits_a.mlirbc")
def test_the_accuracy_and_the_overflows_of_a_real_network() -> None:
    data = np.load(DIGITS.with_suffix(".npz"))
    m = interp.load(DIGITS)
    found = interp.survey(m, batched(m, data["inputs"], targets=data["labels"]), "accuracy")
    assert found.metric is not None
    # As its authors report: 0.9500 quantized, 0.9583 in float.
    assert [round(x, 4) for x in found.metric.means] == [0.95, 0.9583]
    # 35 numbers saturate where the program quantizes, and every logit differs from the float program's.
    quantized = [interp.run(m, data["inputs"])[0].storage, data["quantized_logits"]]
    assert np.array_equal(*quantized)
    assert found["result 0"].worst is not None


def test_numbers_of_bf16_are_taken_to_the_reference() -> None:
    """By hand: -128 in steps of 0.5, negated, is 64, clipped to 63.5: the ratio is (64^2 + 1) / 0.5^2."""
    type = "tensor<2x!quant.uniform<i8:bf16, 0.5>>"
    m = interp.load(
        f"func.func @main(%a: {type}) -> {type} {{ %r = stablehlo.negate %a : {type} return %r : {type} }}"
    )
    x = np.array([-128, 2], np.int8)
    decibels = pytest.approx(10 * math.log10(4097 / 0.25))
    assert survey(m, [(x,)])["result 0"].sqnr == decibels
    assert interp.compare(m, x).results[0].sqnr == decibels


def test_a_survey_says_its_accumulator_and_reading(tmp_path: Path) -> None:
    raised = interp.raise_qdq(
        interp.load(Path(__file__).parent.parent / "testdata/exports/qwix_digits_int8.export")
    ).module
    x = np.zeros(raised.main.inputs[0].type.shape, np.float32)
    found = interp.survey(raised, [(x,)], accumulator="i20 saturate", reading="integer")
    assert (found.accumulator, found.reading) == ("i20 saturate", "integer")
    assert repr(found).splitlines()[0].endswith("100 samples, accumulator i20 saturate, integer reading")
    assert json.loads(found.to_json())["accumulator"] == "i20 saturate"
    page = found.report(tmp_path / "s.html").read_text()
    assert "with the accumulator i20 saturate and the integer reading" in page
    own = interp.survey(raised, [(x,)])
    assert (own.accumulator, own.reading, own.manner) == ("", "dequantize", [])
    assert (
        "with the program&#x27;s own accumulators and the dequantize reading"
        in own.report(tmp_path / "o.html").read_text()
    )


def test_a_batch_whose_size_is_unknown_has_at_most_32_samples() -> None:
    m = interp.load("""func.func @main(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {
      %0 = stablehlo.add %x, %x : tensor<?x2xf32>
      return %0 : tensor<?x2xf32>
    }""")
    x = np.arange(74, dtype=np.float32).reshape(37, 2)
    for number, sizes in ((37, [(32, 32), (32, 5)]), (3, [(3, 3)])):
        batches = list(batched(m, x[:number]))
        assert [(len(batch.args[0]), batch.count) for batch in batches] == sizes
        assert survey(m, batches).samples == number


def test_sums_of_several_devices_have_their_headroom() -> None:
    """Of each device's sum and of the one over devices, as `bounds` has it; over batches the least."""
    jax = pytest.importorskip("jax")
    mesh, part = jax.sharding.AbstractMesh((4,), ("i",)), jax.sharding.PartitionSpec
    add = lambda x: jax.lax.psum(x.sum(axis=1, dtype="int16"), "i")
    divided = jax.shard_map(add, mesh=mesh, in_specs=part(None, "i"), out_specs=part())
    small = np.full((3, 8), 100, np.int16)
    module = interp.load(jax.export.export(jax.jit(divided))(small))
    batches = [(small,), (small * 20,)]
    found = [survey(module, [batch], sums=True) for batch in batches]
    for batch, one in zip(batches, found, strict=True):
        trace = interp.trace(module, *batch)
        expected = {name: trace.bounds(name).headroom for name in trace.reductions}
        assert len(one.inner) == 2
        assert {room for _, room in one.inner} == set(expected.values())
    both = survey(module, batches, sums=True)
    assert both.inner == found[1].inner == sum(found).inner != found[0].inner
    assert all(f"sum {name} in a region: {room} bits of headroom" in repr(both) for name, room in both.inner)
    assert not survey(module, batches).inner


def test_a_sum_that_some_batches_do_not_run_keeps_its_headroom(tmp_path: Path) -> None:
    module = interp.load("""func.func @main(%x: tensor<2x8xi32>, %k: tensor<2xi32>) -> tensor<2x8xi32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %last = stablehlo.slice %k [1:2] : (tensor<2xi32>) -> tensor<1xi32>
      %one = stablehlo.reshape %last : (tensor<1xi32>) -> tensor<i32>
      %r = "stablehlo.case"(%one) ({
        stablehlo.return %x : tensor<2x8xi32>
      }, {
        %u = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
          : (tensor<2x8xi32>, tensor<i32>) -> tensor<2xi32>
        %v = stablehlo.broadcast_in_dim %u, dims = [0] : (tensor<2xi32>) -> tensor<2x8xi32>
        stablehlo.return %v : tensor<2x8xi32>
      }) : (tensor<i32>) -> tensor<2x8xi32>
      return %r : tensor<2x8xi32> }""")
    x = np.repeat(np.int32([[100], [1000], [10]]), 16, axis=1).reshape(6, 8)
    k = np.int32([0, 0, 1, 1, 1, 1])
    rooms = dict(survey(module, interp.batched(module, x[2:4], k[2:4]), sums=True).inner)
    whole = survey(module, interp.batched(module, x, k), sums=True)
    assert rooms == {"%u": 31 - 13} == dict(whole.inner)  # 8 * 1000 has 13 bits
    parts = [survey(module, interp.batched(module, x, k), shard=(j, 3), sums=True) for j in (1, 2, 0)]
    saved = [interp.save_survey(part, tmp_path / f"{j}.json") for j, part in enumerate(parts)]
    assert interp.merge_surveys(saved).inner == whole.inner
    assert not survey(module, interp.batched(module, x[:2], k[:2]), sums=True).inner
