"""Calibration: references in the program, statistics of what they see, and ranges in their place."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import interp
from interp.apps.quantization import on_device
from interp.apps.quantization.calibrate import (
    Calibration,
    Uncalibrated,
    calibrate,
    collect,
    merged,
    with_statistics,
)
from interp.apps.quantization.instrument import STATS, STATS_REF, instrument, observe
from interp.apps.quantization.methods import METHODS
from interp.apps.quantization.statistics import Extent, Statistics, statistics_of
from interp.backends import State
from interp.engine.evaluate import Listener, Place
from spec.errors import Malformed, Unsupported
from spec.ir import Module, Op

PROGRAM = """
module {
  func.func @main(%x: tensor<4x3xf32>, %k: tensor<i32>) -> (tensor<4x3xf32>, tensor<12xbf16>) {
    %c = stablehlo.constant dense<[0.5, -1.0, 2.0]> : tensor<3xf32>
    %w = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
    %0 = stablehlo.multiply %x, %w : tensor<4x3xf32>
    %1 = func.call @shifted(%0) : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %2 = func.call @shifted(%1) : (tensor<4x3xf32>) -> tensor<4x3xf32>
    %i = stablehlo.add %k, %k : tensor<i32>
    %3 = stablehlo.reshape %2 : (tensor<4x3xf32>) -> tensor<12xf32>
    %4 = stablehlo.convert %3 : (tensor<12xf32>) -> tensor<12xbf16>
    %5 = stablehlo.log %2 : tensor<4x3xf32>
    return %5, %4 : tensor<4x3xf32>, tensor<12xbf16>
  }
  func.func private @shifted(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %one = stablehlo.constant dense<1.0> : tensor<4x3xf32>
    %s = stablehlo.add %a, %one : tensor<4x3xf32>
    return %s : tensor<4x3xf32>
  }
}
"""
KEYS = ["x", "0", "shifted.s", "shifted_2.s", "3", "4", "5"]
RNG = np.random.default_rng(3)
SAMPLES = [(RNG.uniform(0, 0.5 + k / 4, (4, 3)).astype(np.float32), np.int32(k)) for k in range(4)]


@cache
def program() -> Module:
    return interp.load(PROGRAM)


@cache
def calibration(method: str, per_axis: int | None = None) -> Calibration:
    """Return a calibration that has seen all samples; each compiles once."""
    found = Calibration(program(), method, per_axis, bins=64)
    for sample in SAMPLES:
        found.add(*sample)
    return found


class Watching(Listener):
    """Statistics of what references see in a run of the engine."""

    def __init__(self, axis: int | None, bins: int | None) -> None:
        self.axis, self.bins = axis, bins
        self.seen: dict[str, Statistics] = {}

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if op.name == STATS_REF:
            x = np.asarray(operands[0], np.float64)
            fits = self.axis is not None and x.ndim
            self.seen[op["statsKey"]] = statistics_of(x, self.axis % x.ndim if fits else None, self.bins)


def by_engine(axis: int | None, bins: int | None) -> dict[str, Statistics]:
    found: dict[str, Statistics] = {}
    for sample in SAMPLES:
        watching = Watching(axis, bins)
        interp.run(instrument(program()), *sample, listeners=[watching])
        found = merged(found, watching.seen)
    return found


def ranges(module: Module) -> dict[str, Any]:
    """Return the attributes of `quant.stats` by the name of the operand."""
    return {op.operand.name[1:]: op.attributes for op in module.ops() if op.name == STATS}


def layer(attributes: Any) -> list[float]:
    return np.frombuffer(attributes["layerStats"].data, "<f4").tolist()


def test_every_float_value_that_depends_on_an_argument_gets_a_reference() -> None:
    module = instrument(program())
    assert [op["statsKey"] for op in module.ops() if op.name == STATS_REF] == KEYS
    assert interp.verify(module) == []
    assert interp.load(repr(module)) == module
    assert instrument(module) == module
    assert not any(op.name == "func.call" for op in module.ops())


def test_an_instrumented_program_computes_the_same() -> None:
    plain, seen = (interp.run(m, *SAMPLES[0]) for m in (program(), instrument(program())))
    assert all(a == b for a, b in zip(plain, seen, strict=True))


@pytest.mark.slow("compiles each method")
@pytest.mark.parametrize(("method", "axis", "bins"), [("rms", None, None), ("entropy", -1, 64)])
def test_statistics_are_those_of_the_values_in_a_run(method: str, axis: int | None, bins: int | None) -> None:
    """Exactly where XLA can neither reassociate sums nor contract them with products."""
    found, expected = calibration(method, axis).statistics, by_engine(axis, bins)
    assert list(found) == list(expected) == KEYS
    for key in KEYS:
        agree(found[key].layer, expected[key].layer, exactly=key in ("x", "0"))
        ours, theirs = found[key].slices, expected[key].slices
        assert (ours is None) == (theirs is None) == (axis is None)
        if ours is not None and theirs is not None:
            agree(ours, theirs, exactly=key in ("x", "0"))


def agree(a: Extent, b: Extent, exactly: bool) -> None:
    assert (a.count.tolist(), a.samples.tolist()) == (b.count.tolist(), b.samples.tolist())
    for name in ("low", "high", "low_sum", "moving_high"):
        assert getattr(a, name) == pytest.approx(getattr(b, name), rel=1e-5)
    assert np.isnan(a.squares).all() or a.squares == pytest.approx(b.squares)
    if exactly:
        assert (a.low.tolist(), a.high.tolist()) == (b.low.tolist(), b.high.tolist())
    if exactly and a.histogram is not None and b.histogram is not None:
        for ours, theirs in zip(a.histogram.fields, b.histogram.fields, strict=True):
            assert np.array_equal(ours, theirs)


def test_the_ranges_stand_in_the_program() -> None:
    module = calibration("minmax").with_statistics()
    found = ranges(module)
    every = np.stack([x for x, _ in SAMPLES])
    assert layer(found["x"]) == [every.min(), every.max()]
    weighted = every * np.array([0.5, -1, 2], np.float32)
    assert layer(found["0"]) == [weighted.min(), weighted.max()]
    assert layer(found["shifted.s"]) == [np.float32(1) + weighted.min(), np.float32(1) + weighted.max()]
    assert layer(found["3"]) == layer(found["shifted_2.s"])
    assert interp.verify(module) == []
    assert interp.load(repr(module)) == module
    assert interp.run(module, *SAMPLES[1])[1] == interp.run(program(), *SAMPLES[1])[1]


@pytest.mark.slow("compiles another statistic")
def test_slices_have_ranges_of_their_own() -> None:
    module = calibration("entropy", -1).with_statistics()
    attributes = ranges(module)["x"]
    per_slice = np.frombuffer(attributes["axisStats"].data, "<f4").reshape(-1, 2)
    assert (attributes["axis"], per_slice.shape) == (1, (3, 2))
    assert interp.verify(module) == []


def test_large_constants_are_arguments_of_what_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same statistics; their numbers are no part of the text that XLA reads."""
    text = """func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
      %w = stablehlo.constant dense<[[1.5, 2.0, -3.0], [0.5, 4.0, 1.0]]> : tensor<2x3xf32>
      %0 = stablehlo.multiply %x, %w : tensor<2x3xf32>
      %1 = stablehlo.add %0, %w : tensor<2x3xf32>
      return %1 : tensor<2x3xf32>
    }"""
    seen, sample = observe(instrument(interp.load(text))), np.arange(6, dtype=np.float32).reshape(2, 3)
    found = []
    for limit, count in ((1 << 20, 0), (24, 1)):
        monkeypatch.setattr(on_device, "LARGE", limit)
        compiled = on_device.Compiled(seen, 64, True)
        assert len(compiled.weights) == count
        found.append(compiled([sample]))
    for one, other in zip(*found, strict=True):
        assert np.array_equal(one, other)
    assert (found[1].low.min(), found[1].high.max()) == (-9, 20)


@pytest.mark.parametrize("method", METHODS)
def test_every_method_gives_a_range_within_reach_of_the_data(method: str) -> None:
    source = calibration("rms") if METHODS[method].needs == "squares" else calibration("entropy", -1)
    statistics = {key: Statistics(x.layer) for key, x in source.statistics.items()}
    module = with_statistics(instrument(program()), statistics, method)
    for key, attributes in ranges(module).items():
        low, high = layer(attributes)
        assert low <= high, key
        assert np.isfinite([low, high]).all()
    low, high = layer(ranges(module)["x"])
    assert -6 <= low <= 0.2
    assert 0.4 <= high <= 6


def test_shards_give_what_all_samples_give() -> None:
    whole, instrumented = calibration("minmax").with_statistics(), instrument(program())
    shards = [collect(instrumented, SAMPLES[:1]), collect(instrumented, iter(SAMPLES[1:]))]
    assert with_statistics(instrumented, merged(*shards)) == whole
    assert calibrate(program(), SAMPLES[1:], start=shards[0]) == whole


def test_progress_is_told_after_every_sample() -> None:
    told: list[tuple[str, int, int]] = []
    calibrate(program(), SAMPLES[:2], progress=lambda *now: told.append(now))
    assert told == [("calibrate", 1, 2), ("calibrate", 2, 2)]


# Bad samples
# -------------------------------------------------------------------------------------------------

GOOD = SAMPLES[0]


def changed(index: tuple[int, int], number: float) -> tuple[Any, ...]:
    x = GOOD[0].copy()
    x[index] = number
    return x, GOOD[1]


@pytest.mark.slow("compiles each", rows=2)
@pytest.mark.parametrize(
    ("sample", "message"),
    [
        (changed((1, 2), np.nan), r"sample 1 is not of finite numbers\n  %x\[1, 2\] is nan; 1 of 12"),
        (changed((0, 0), np.inf), r"sample 1 is not of finite numbers\n  %x\[0, 0\] is inf"),
        ((GOOD[0][:2], GOOD[1]), r"sample 1 does not fit the program\n.*another shape\n.*expected \(4, 3\)"),
        ((GOOD[0],), r"sample 1 does not fit the program\n  @main takes 2 arguments, 1 given"),
        (GOOD[0], r"sample 1 is not a tuple of arguments\n.*give \(x,\)"),
        (changed((0, 0), -9.0), r"sample 1 makes the program compute NaN\n  NaN in 5"),  # log of a negative
    ],
)
def test_a_bad_sample_is_named_and_those_before_it_are_kept(sample: Any, message: str) -> None:
    with pytest.raises(Uncalibrated, match=message) as caught:
        calibrate(program(), [GOOD, sample, GOOD])
    assert "statistics of the 1 sample before it" in str(caught.value) or "not a tuple" in message
    assert caught.value.sample == 1
    kept = caught.value.statistics
    assert list(kept) == KEYS
    assert kept["x"].layer.samples[0] == 1
    assert layer(ranges(calibrate(program(), [], start=kept))["x"]) == [GOOD[0].min(), GOOD[0].max()]


def test_what_the_iterator_raises_keeps_what_was_seen() -> None:
    def samples() -> Iterator[Any]:
        yield GOOD
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone") as caught:
        calibrate(program(), samples())
    assert list(caught.value.statistics) == KEYS  # type: ignore[attr-defined]
    assert caught.value.__notes__ == ["error.statistics has the statistics of 1 sample"]


def test_no_samples_and_constant_ones_are_refused() -> None:
    with pytest.raises(Uncalibrated, match="there are no samples"):
        calibrate(program(), iter(()))
    same = np.full((4, 3), 2.0, np.float32), np.int32(0)
    with pytest.raises(
        Uncalibrated, match=r"the samples are constant\n  every element of every sample is 2"
    ) as caught:
        calibrate(program(), [same, same])
    assert caught.value.statistics["x"].layer.samples[0] == 2


@pytest.mark.slow("compiles another statistic")
def test_infinities_of_the_program_itself_are_left_out() -> None:
    """Minus infinity, which a mask contains, moves no end of a range."""
    text = """func.func @main(%x: tensor<12xf32>) -> tensor<12xf32> {
      %0 = stablehlo.log %x : tensor<12xf32>
      return %0 : tensor<12xf32>
    }"""
    x = np.append(np.float32(0), GOOD[0].ravel()[1:])
    found = collect(interp.load(text), [(x,), (x + 1,)], "percentile", bins=64)["0"].layer
    finite = np.append(np.log(x[1:]), np.log(x + 1))
    assert (found.infinities.tolist(), found.count.tolist()) == ([1], [23])
    assert found.low == pytest.approx(finite.min())
    assert found.histogram is not None
    assert found.histogram.counts.sum() == 23


def test_a_value_without_finite_numbers_keeps_its_reference() -> None:
    text = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      %c = stablehlo.constant dense<0xFF800000> : tensor<2xf32>
      %0 = stablehlo.add %x, %c : tensor<2xf32>
      return %0 : tensor<2xf32>
    }"""
    module = calibrate(interp.load(text), [(np.array([1, 2], np.float32),)])
    assert [op.name for op in module.ops() if op.name.startswith("quant.")] == [STATS, STATS_REF]


def test_programs_that_cannot_be_observed_say_why() -> None:
    loop = """func.func @main(%x: tensor<f32>) -> tensor<f32> {
      %0 = stablehlo.while(%a = %x) : tensor<f32>
      cond {
        %c = stablehlo.constant dense<9.0> : tensor<f32>
        %p = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
        stablehlo.return %p : tensor<i1>
      } do {
        %b = "quant.stats_ref"(%a) {statsKey = "inner"} : (tensor<f32>) -> tensor<f32>
        %d = stablehlo.add %b, %b : tensor<f32>
        stablehlo.return %d : tensor<f32>
      }
      return %0 : tensor<f32>
    }"""
    with pytest.raises(Malformed, match=r"no quant.stats_ref .*\n.*instrument"):
        observe(program())
    with pytest.raises(Unsupported, match="inside of a region"):
        observe(instrument(interp.load(loop)))
    with pytest.raises(Malformed, match=r"for 7 of 7 keys\n.*among them 0"):
        with_statistics(instrument(program()), {})
    with pytest.raises(Unsupported, match=r"take \d+.\d GB\n.*per_axis for the keys"):
        Calibration(program(), "mse", per_axis=0, bins=2**30)
    with pytest.raises(Malformed, match="no sums of squares"):
        with_statistics(instrument(program()), calibration("minmax").statistics, "rms")
    with pytest.raises(Malformed, match="x has no axis 5"):
        Calibration(program(), per_axis={"x": 5})


def test_one_key_on_several_values_is_one_statistic() -> None:
    text = """func.func @main(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
      %0 = "quant.stats_ref"(%x) {statsKey = "both"} : (tensor<3xf32>) -> tensor<3xf32>
      %1 = "quant.stats_ref"(%y) {statsKey = "both"} : (tensor<3xf32>) -> tensor<3xf32>
      %2 = stablehlo.add %0, %1 : tensor<3xf32>
      return %2 : tensor<3xf32>
    }"""
    x, y = np.array([1, 2, 3], np.float32), np.array([-5, 0, 1], np.float32)
    for axis in (None, 0):
        found = collect(interp.load(text), [(x, y)], "entropy", axis, bins=64)["both"]
        assert (found.layer.low[0], found.layer.high[0], found.layer.count[0], found.layer.samples[0]) == (
            -5,
            3,
            6,
            1,
        )
        assert found.layer.histogram is not None
        assert found.layer.histogram.counts.sum() == 6
    assert found.slices is not None
    assert found.slices.low.tolist() == [-5, 0, 1]
