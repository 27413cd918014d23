"""Overflows planted in a channel, a sample, a schedule, or an input nobody sampled: found, proved, shrunk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import interp
from interp.questions.shrink import case_events, event_text
from interp.recorder.event import Event
from spec.ir import Module
from tests.library.builders import contracting, convolution, single

CHANNEL = 36  # the 37th of 64
SAMPLE = 1202  # the 1,203rd of 1,300


def confirmed(trace: interp.Trace, path: Path) -> list[Any]:
    """Return the arguments of the fewest leaves that show the worst event, in a file that shows it again."""
    small = trace.shrink()
    assert small.minimal
    assert event_text(small.event) in map(event_text, case_events(small.save(path)))
    return [np.asarray(x).tolist() for x in small.args]


def weights(shape: tuple[int, ...], large: int) -> np.ndarray:
    """Small weights, of which no sum of 27 products overflows i16, but for those of one channel."""
    found = np.random.default_rng(5).integers(-3, 4, shape)
    found[..., CHANNEL] = large * np.where(found[..., CHANNEL] < 0, -1, 1)
    return found.astype(np.int8)


def test_in_the_37th_channel_of_a_convolution(tmp_path: Path) -> None:
    module = convolution("1x6x6x3xi8; 3x3x3x64xi8 -> 1x4x4x64xi16", "b01f 01io b01f")
    kernel = weights((3, 3, 3, 64), 30)
    x = np.full((1, 6, 6, 3), 3, np.int8)
    x[0, 2:5, 1:4] = np.where(kernel[..., CHANNEL] > 0, 127, -128)
    trace = interp.trace(module, x, kernel)
    (group,) = trace.shown
    assert {event.index[3] for event in (group.first, group.worst) if event.index} == {CHANNEL}
    counts = np.zeros((1, 4, 4, 64), bool)
    counts[0, 2, 1, CHANNEL] = True
    assert (trace.verdict().wrong == counts).all()
    assert trace.explain().element.index == (0, 2, 1, CHANNEL)
    channels = trace.bounds().channels
    assert channels
    beyond = (channels.greatest > 2**15 - 1) | (channels.least < -(2**15))
    assert np.flatnonzero(beyond).tolist() == [CHANNEL]

    row = interp.prove(module, {1: kernel}).rows[0]
    assert (row.verdict, row.place) == ("refuted", f"(:, :, :, {CHANNEL})")
    assert row.witness
    assert interp.trace(module, *row.witness.args).has("wrap")
    small = np.where(np.arange(64) == CHANNEL, np.sign(kernel), kernel)
    (other,) = interp.prove(module, {1: small}).rows
    assert other.verdict == "proved"

    lhs, rhs = confirmed(trace, tmp_path / "case.mlir")
    assert {abs(w) for w in rhs} == {30}
    assert len(lhs) == 9  # 8 products of at most 30 * 128 fit, and 9 do not


Q = "!quant.uniform<i8:f32, 0.5>"
WEIGHTS = np.random.default_rng(7).integers(-100, 101, (27, 8))
INTEGERS: dict[str, Any] = {"reading": "integer", "accumulator": "i16"}


def network() -> Module:
    """Two layers: a quantized product with constant weights, and the greater of it and zero."""
    real, y = (0.5 * WEIGHTS).tolist(), "!quant.uniform<i8:f32, 64.0>"
    return interp.load(
        f"""func.func @main(%x: tensor<100x27x{Q}>) -> tensor<100x8x{y}> {{
          %real = stablehlo.constant dense<{real}> : tensor<27x8xf32>
          %w = stablehlo.uniform_quantize %real : (tensor<27x8xf32>) -> tensor<27x8x{Q}>
          %hidden = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
            : (tensor<100x27x{Q}>, tensor<27x8x{Q}>) -> tensor<100x8x{y}>
          %out = stablehlo.maximum %hidden, %hidden : tensor<100x8x{y}>
          return %out : tensor<100x8x{y}>
        }}"""
    )


def test_in_the_1203rd_sample_of_a_data_set(tmp_path: Path) -> None:
    """All samples but one are too small to overflow i16; that one has the signs of a channel's weights."""
    module = network()
    samples = np.random.default_rng(8).integers(-10, 11, (1300, 27)).astype(np.int8)
    samples[SAMPLE] = np.where(WEIGHTS[:, 3] < 0, -120, 120)
    batches = [samples[k : k + 100] for k in range(0, 1300, 100)]
    found = interp.survey(module, batches, **INTEGERS)
    (event,) = [each for each in found.events if each.kind == "wrap"]
    assert (event.layer, event.first_at, event.worst_at) == ("%hidden", (SAMPLE,) * 2, (SAMPLE,) * 2)

    trace = interp.trace(module, batches[SAMPLE // 100], **INTEGERS)
    verdict = trace.verdict("%hidden")
    at = {int(row) for row in np.argwhere(verdict.kinds != "safe")[:, 0]}
    assert at == {SAMPLE % 100}
    assert trace.explain("%hidden").element.index[0] == SAMPLE % 100

    assert interp.prove(module, {"x": (-10, 10)}, **INTEGERS)["%hidden"].verdict == "proved"
    row = interp.prove(module, **INTEGERS)["%hidden"]
    assert row.verdict == "refuted"
    assert row.witness
    assert interp.trace(module, *row.witness.args, **INTEGERS).has("wrap")
    leaves, init = confirmed(trace, tmp_path / "case.mlir")
    assert init == 0
    assert abs(sum(leaves)) > 2**15 - 1


def test_in_one_schedule_alone(tmp_path: Path) -> None:
    """100 + 100 saturates from the left; in pairs the second 100 meets -100 first."""
    module = interp.load(
        f"""func.func @main(%x: tensor<1x4x{Q}>) -> tensor<1x{Q}> {{
          %c = stablehlo.constant dense<0> : tensor<i8>
          %zero = stablehlo.bitcast_convert %c : (tensor<i8>) -> tensor<{Q}>
          %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
            : (tensor<1x4x{Q}>, tensor<{Q}>) -> tensor<1x{Q}>
          return %sum : tensor<1x{Q}>
        }}"""
    )
    x = np.int8([[100, 100, -100, -20]])
    traces = {order: interp.trace(module, x, schedule=order) for order in ("left", "balanced")}
    assert {order: trace.has("saturate") for order, trace in traces.items()} == {
        "left": True,
        "balanced": False,
    }
    for trace in traces.values():
        verdict = trace.verdict()
        assert verdict.counts == {"order-dependent": 1}
        witness = verdict.witness(0)
        fine, bad = witness.schedules  # type: ignore[union-attr]
        assert trace.reduction().element(0).result(fine) == (80,)
        assert trace.reduction().element(0).result(bad) != (80,)

    rows = {order: interp.prove(module, {"x": x}, schedule=order)["%sum"] for order in traces}
    assert {order: row.verdict for order, row in rows.items()} == {"left": "refuted", "balanced": "proved"}
    assert rows["balanced"].judgement.scope == "schedule balanced"
    assert confirmed(traces["left"], tmp_path / "case.mlir") == [[100, 100], 0]


def test_for_an_input_that_nobody_sampled(tmp_path: Path) -> None:
    """2,000 random rows stay within seven standard deviations, far from the end of i16; one row does not."""
    module = single("dot_general", "2000x27xi8; 27x64xi8 -> 2000x64xi16", **contracting(1))
    w = weights((27, 64), 11)
    sampled = np.random.default_rng(1).integers(-128, 128, (2000, 27)).astype(np.int8)
    assert not interp.trace(module, sampled, w).has("wrap")

    (row,) = interp.prove(module, {1: w}).rows
    assert (row.verdict, row.place) == ("refuted", f"(:, {CHANNEL})")
    assert row.witness
    event: Event = row.witness.event
    assert event.kind == "wrap"
    trace = interp.trace(module, *row.witness.args)  # replayed
    assert trace.explain().element.index[1] == CHANNEL  # type: ignore[index]
    lhs, rhs = confirmed(trace, tmp_path / "case.mlir")
    assert {abs(x) for x in rhs} == {11}
    assert len(lhs) == 24  # 23 products of at most 11 * 128 fit
