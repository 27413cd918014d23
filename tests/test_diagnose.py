"""`diagnose` names the deviation of made-up devices, and none for a device whose results are noise."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import interp
from interp.__main__ import main
from interp.apps.diagnosing.diagnosis import Diagnosis
from tests.library.devices import devices
from tests.library.devices import devices_quantized as quantized
from tests.library.devices import devices_simple as simple

Make = Callable[[], devices.Device]
DEVICES: list[Make] = [
    devices.wrapping,
    devices.saturating,
    devices.half_accumulators,
    devices.bfloat_accumulators,
    devices.wide_accumulators,
    devices.in_blocks,
    devices.in_pairs,
    devices.backwards,
    devices.in_lanes,
    devices.init_per_block,
    quantized.tflite,
    quantized.gemmlowp,
    quantized.truncating,
    quantized.wrapping_results,
    quantized.reading_integers,
    devices.half_products,
    devices.bfloat_factors,
    devices.fused,
    devices.flushing,
    devices.clamped_once,
    devices.pooling,
    devices.convolving,
    simple.truncating_after_the_zero_point,
    simple.away_after_the_zero_point,
    simple.multiplying_by_the_reciprocal,
    simple.quantizing_without_zero_point,
    simple.dequantizing_without_zero_point,
    simple.multiplying_without_zero_point,
    simple.eighteen_bits,
    simple.in_halves,
    simple.unsigned_sixteen_bits,
    simple.adding_wider_numbers,
    simple.adding_modulo_256,
]


def diagnose(*args: Any, **options: Any) -> Diagnosis:
    """Return a diagnosis that has all the time."""
    return interp.diagnose(*args, **{"seconds": None, **options})


def names(found: Diagnosis) -> list[str]:
    return [trial.name for trial in found.explanations]


@pytest.mark.parametrize("make", DEVICES)
def test_a_device_with_one_deviation(make: Make) -> None:
    device = make()
    found = diagnose(device.program, device.args, (device.results,))
    assert device.deviation in names(found)
    assert len(found.explanations) <= (19 if make is devices.clamped_once else 2)
    assert found.differing > 0
    assert found.ok


def test_the_simplest_explanation_stands_first() -> None:
    device = simple.counting_init_twice()
    found = diagnose(device.program, device.args, (device.results,))
    assert names(found) == [device.deviation, "blocks(8)"]  # 12 elements are two blocks of 8


def test_a_declared_result_needs_no_explanation() -> None:
    device = devices.in_lanes()
    outs = interp.run(device.program, *device.args)
    found = diagnose(device.program, device.args, outs)
    assert found.ok
    assert not found.tried
    assert "no difference: all 12 elements" in repr(found)


@pytest.mark.parametrize("make", [devices.wrapping, devices.in_blocks, quantized.reading_integers])
def test_noise_has_no_explanation(make: Make) -> None:
    device, rng = make(), np.random.default_rng(0)
    (out,) = interp.run(device.program, *device.args)
    x = np.asarray(out).copy()
    if x.dtype.kind == "f":
        x += (rng.standard_normal(x.shape) * np.spacing(x) * 3).astype(x.dtype)
    else:
        x += rng.integers(-1, 2, x.shape).astype(x.dtype)
    found = diagnose(device.program, device.args, (x,))
    assert not found.ok
    assert not found.explanations
    assert not found.untried
    assert sum(len(trial.deviations) == 2 for trial in found.tried) > 50
    assert "none found" in repr(found)


def test_a_deviation_of_one_operation_is_located() -> None:
    args, values = quantized.network(quantized.Layer(), quantized.Layer(quantized.clamped))
    found = diagnose(quantized.NETWORK, args, (values["y"],))
    assert names(found) == ["accumulator i16 saturate, at dot_general %y alone"]
    assert found.explanations[0].operations == 1


def test_an_explanation_everywhere_says_where_it_is_enough() -> None:
    """The second product of this network does not leave 16 bits for these results of the first."""
    (x, w, v), _ = quantized.network(quantized.Layer(), quantized.Layer())
    h = quantized.Layer(quantized.clamped).of(x, 0, w, 0.02 * 0.011 / 0.05, -3)
    y = quantized.Layer(quantized.clamped).of(np.maximum(h, -3), -3, v // 16, 0.05 * 0.013 / 0.5, 2)
    found = diagnose(quantized.NETWORK, (x, w, v // 16), (y,))
    assert names(found) == ["accumulator i16 saturate"]
    assert found.explanations[0].alone == ("dot_general %h",)
    assert "it is enough at dot_general %h alone" in repr(found)


KINDS = """func.func @main(%x: tensor<4x96xi8>, %w: tensor<96x3xi8>, %v: tensor<96x3xi8>) -> tensor<3xi32> {
  %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<4x96xi8>, tensor<96x3xi8>) -> tensor<4x3xi32>
  %b = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0]
    : (tensor<4x96xi8>, tensor<96x3xi8>) -> tensor<4x3xi32>
  %c = stablehlo.subtract %a, %b : tensor<4x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %d = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %d : tensor<3xi32>
}"""


def test_a_deviation_of_one_kind_of_operation() -> None:
    """Both products clamp their sums to 16 bits, the reduction does not."""
    x, w, v = devices.drawn(23, (4, 96), (96, 3), (96, 3), low=-100)
    v = -np.maximum(v, -127)
    clamped = quantized.Layer(quantized.clamped)
    sums = [clamped.total(x, 0, each) for each in (w, v)]
    d = (sums[0] - sums[1]).sum(0).astype("i4")
    assert abs(d).max() > 32767
    found = diagnose(KINDS, (x, w, v), (d,))
    assert names(found) == ["accumulator i16 saturate, at every dot_general"]
    assert found.explanations[0].operations == 2


def test_intermediates_name_the_operation_that_deviates() -> None:
    args, values = quantized.network(quantized.Layer(quantized.clamped), quantized.Layer())
    found = diagnose(quantized.NETWORK, args, (values["y"],), {"%h": values["h"]})
    assert names(found) == ["accumulator i16 saturate, at dot_general %h alone"]
    assert found.first
    assert (found.first.name, found.first.here, found.first.equal) == ("%h", True, ())
    assert found.size == 6 * 24 + 6 * 10
    args, values = quantized.network(quantized.Layer(), quantized.Layer(quantized.clamped))
    found = diagnose(quantized.NETWORK, args, (values["y"],), {"relu": values["relu"]})
    assert found.first
    assert (found.first.name, found.first.here, found.first.equal) == ("result 0", True, ("%relu",))
    unknown = diagnose(quantized.NETWORK, args, (values["y"],), {"h": values["h"]})
    assert unknown.first
    assert not unknown.first.here  # %relu may deviate as well


def test_what_explains_the_results_must_explain_the_intermediates() -> None:
    args, values = quantized.network(quantized.Layer(quantized.clamped), quantized.Layer())
    wrong = values["h"].copy()
    wrong[0, 0] ^= 1
    found = diagnose(quantized.NETWORK, args, (values["y"],), {"h": wrong}, limit=300)
    assert not found.explanations
    assert found.untried
    assert f"{found.untried:,} candidates not tried (limit)" in repr(found)


@pytest.mark.slow("tries 1,800 pairs")
def test_two_deviations_at_once() -> None:
    layer = quantized.Layer(quantized.clamped, np.trunc)
    args, values = quantized.network(layer, layer)
    found = diagnose(quantized.NETWORK, args, (values["y"],))
    assert names(found) == ["accumulator i16 saturate with rounding toward zero"]


def test_a_deviation_is_from_the_declared_meaning() -> None:
    """A deviation from one declared meaning is none from another, and the other way round."""
    device = quantized.reading_integers()
    declared = diagnose(device.program, device.args, (device.results,), reading="integer")
    assert declared.first is None
    outs = interp.run(device.program, *device.args)
    found = diagnose(device.program, device.args, outs, reading="integer")
    assert names(found)[0] == "reading dequantize"
    pairs = devices.in_pairs()
    outs = interp.run(pairs.program, *pairs.args)
    found = diagnose(pairs.program, pairs.args, outs, schedule="balanced")
    assert names(found) == ["left", "init last", "init twice", "no init"]  # it is zero
    blocked = devices.in_blocks()
    same = diagnose(blocked.program, blocked.args, (blocked.results,), schedule="blocks(32)")
    assert same.first is None


def test_random_arguments_tell_explanations_apart() -> None:
    device = quantized.tflite()
    found = diagnose(device.program, device.args, (device.results,))
    assert names(found) == ["recipe tflite_double", "recipe gemmlowp"]
    assert found.telling is None  # with scales that are powers of two they are the same function
    device = devices.in_blocks()
    found = diagnose(device.program, device.args, (device.results,))
    assert names(found) == ["blocks(32)", "blocks(32), one init"]
    assert found.telling
    assert found.telling.groups == (("blocks(32)",), ("blocks(32), one init",))
    results = [
        interp.run(device.program, *found.telling.arguments, schedule=s)[0] for s in ("left", "blocks(32)")
    ]
    assert not np.array_equal(*results)


def test_accumulators_of_groups_have_no_lanes() -> None:
    device = devices.saturating()
    found = diagnose(device.program, device.args, (device.results + 1,))
    pairs = [{each.name for each in trial.deviations} for trial in found.tried if len(trial.deviations) > 1]
    assert {"accumulator i16 saturate", "lanes(8)"} in pairs
    assert not any(names > {"accumulator maddubs"} and "lanes(8)" in names for names in pairs)
    assert all(
        len({each.aspect for each in trial.deviations}) == len(trial.deviations) for trial in found.tried
    )


def test_a_diagnosis_as_json() -> None:
    device = devices.saturating()
    found = diagnose(device.program, device.args, (device.results,))
    read = json.loads(found.to_json())
    assert read["explanations"][0]["deviations"] == ["accumulator i16 saturate"]
    assert len(read["tried"]) == len(found.tried)
    assert (read["first"]["value"], read["first"]["here"]) == ("result 0", True)


def test_what_cannot_be_diagnosed_is_refused() -> None:
    device = devices.saturating()
    with pytest.raises(interp.Malformed, match="no value %z in @main"):
        diagnose(device.program, device.args, (device.results,), {"z": device.results})
    with pytest.raises(interp.Malformed, match="%y is not a"):
        diagnose(device.program, device.args, (device.results,), {"y": device.results[:1]})
    with pytest.raises(interp.Malformed, match="result 0 is not a"):
        diagnose(device.program, device.args, (device.results[:1],))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args, values = quantized.network(quantized.Layer(), quantized.Layer(quantized.clamped))
    (tmp_path / "m.mlir").write_text(quantized.NETWORK)
    np.savez(tmp_path / "args.npz", **{f"arg{k}": x for k, x in enumerate(args)})
    np.savez(tmp_path / "values.npz", **values)
    np.save(tmp_path / "y.npy", values["y"])
    noise = values["y"] + np.arange(60).reshape(6, 10).astype("i1") % 3
    np.save(tmp_path / "noise.npy", noise)
    begin = ["diagnose", f"{tmp_path}/m.mlir", f"{tmp_path}/args.npz", "--results"]
    relu = [f"{tmp_path}/y.npy", "--intermediate", f"%relu={tmp_path}/values.npz:relu"]
    assert main([*begin, *relu, "--json", f"{tmp_path}/found.json"]) == 0
    assert "its operands are as declared: this operation deviates" in capsys.readouterr().out
    read = json.loads((tmp_path / "found.json").read_text())
    assert read["explanations"][0]["where"] == "at dot_general %y alone"
    assert main([*begin, f"{tmp_path}/noise.npy", "--limit", "90"]) == 1
    assert "none found" in capsys.readouterr().out
    assert main([*begin, f"{tmp_path}/y.npy", "--intermediate", "relu"]) == 2
    assert "expected NAME=FILE" in capsys.readouterr().err


def products(rows: int) -> tuple[str, tuple[np.ndarray, ...], np.ndarray, np.ndarray]:
    """Return a product of samples and weights, its arguments, its sums, and those kept in 16 bits."""
    x, w = devices.drawn(11, (rows, 96), (96, 3))
    total = x.astype(int) @ w.astype(int)
    wraps = (total + 32768) % 65536 - 32768
    return devices.dot(f"{rows}x96xi8", "96x3xi8", f"{rows}x3xi32"), (x, w), total, wraps


def test_many_samples_are_searched_on_some_and_confirmed_on_all() -> None:
    program, args, _, wraps = products(360)
    found = diagnose(program, args, (wraps.astype(np.int32),))
    assert names(found)[0] == "accumulator i16 wrap"
    assert found.sample is not None
    assert found.sample.total == 360
    assert found.sample.elements < 360 * 3
    assert found.size == 360 * 3
    assert "reproduces all 1,080 elements" in repr(found)
    assert f"searched on {len(found.sample.rows)} of 360 samples" in repr(found)


def test_what_explains_some_samples_is_no_explanation_if_another_refutes_it() -> None:
    program, args, total, wraps = products(360)
    device = wraps.copy()
    counts = (device != total).sum(1)
    (odd, *_) = np.flatnonzero(counts == 1)  # others differ more, so that the search begins without this one
    (column,) = np.flatnonzero(device[odd] != total[odd])
    device[odd, column] ^= 1  # no accumulator gives this
    found = diagnose(program, args, (device.astype(np.int32),), seconds=None, limit=99)
    assert not found.ok
    assert not found.explanations
    assert found.sample is not None
    assert odd in found.sample.rows, "the sample that refutes the explanation is searched, too"
    nearest = found.nearest[0]
    assert nearest.name == "accumulator i16 wrap"
    assert nearest.unequal == 1


def test_samples_that_cannot_be_told_apart_are_all_searched() -> None:
    text = """func.func @main(%x: tensor<40x40xi32>) -> tensor<40x40xi32> {
      %t = stablehlo.transpose %x, dims = [1, 0] : (tensor<40x40xi32>) -> tensor<40x40xi32>
      %y = stablehlo.dot_general %x, %t, contracting_dims = [1] x [0]
        : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi32>
      return %y : tensor<40x40xi32>
    }"""
    x = np.random.default_rng(3).integers(-99, 100, (40, 40), np.int32)
    device = (x.astype(int) @ x.T + 32768) % 65536 - 32768
    found = diagnose(text, (x,), (device.astype(np.int32),))
    assert names(found)[0] == "accumulator i16 wrap"
    assert found.sample is None


def test_without_time_nothing_was_tried() -> None:
    program, args, _, wraps = products(4)
    found = diagnose(program, args, (wraps.astype(np.int32),), seconds=0)
    assert not found.ok
    assert not found.tried
    assert found.partial
    assert "no deviation that was tried reproduces all elements" in repr(found)
    assert found.shortfall == f"partial: 0 of {found.covered[0].total} deviations looked at in 0 s"
    assert f"{found.shortfall}: seconds=None tries all" in repr(found)
