"""Time of the calls that took minutes: a search for deviations, and the verdicts on large convolutions."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

AT_MOST = 20.0  # seconds
SAMPLES, WIDTH, LEAVES = 360, 64, 12_000
CONVOLUTION = (
    "batch_group_count = 1 : i64, feature_group_count = 1 : i64, padding = dense<1> : tensor<2x2xi64>, "
    "window_strides = array<i64: 1, 1>, "
    "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>"
)


class LongCall(NamedTuple):
    """Seconds of one call, of the clock and of the processor, and what its answer says of its extent."""

    call: str
    seconds: float
    processor: float
    extent: str

    @property
    def met(self) -> bool:
        return self.seconds <= AT_MOST


def long_calls(say: Callable[[str], object], quick: bool) -> Iterator[LongCall]:
    """Yield the four calls, each once."""
    import interp

    net, x, w = network(60 if quick else SAMPLES)
    device = np.asarray(interp.run(net, x, *w, accumulator="i16 saturate")[0])
    noise = device + np.random.default_rng(1).integers(-1, 2, device.shape, np.int8)
    for name, wrong in (("planted", device), ("noise", noise)):
        text = f"diagnose, {len(x)} samples, {name}"
        say(text)
        yield timed(text, lambda wrong=wrong: interp.diagnose(net, (x, *w), (wrong,)))  # type: ignore[misc]
    leaves = 600 if quick else LEAVES
    text = f"diagnose, a sum of 6 x {leaves:,}, noise"
    say(text)
    given = np.random.default_rng(0).standard_normal((6, leaves)).astype("f4"), np.float32(0)
    wrong = given[0].astype(float).sum(1).astype("f4") + np.float32(0.001)
    yield timed(text, lambda: interp.diagnose(reduction(leaves), given, (wrong,)))
    size = 8 if quick else 32
    trace = interp.trace(*convolutions(size))
    path = Path(tempfile.mkdtemp()) / "page.html"
    calls: dict[str, Callable[[], object]] = {
        "summary": trace.summary,
        "report": lambda: trace.report(path),
    }
    for name, call in calls.items():
        text = f"{name}, 10 convolutions of {WIDTH} channels, {size} x {size}"
        say(text)
        yield timed(text, call)


def timed(name: str, call: Callable[[], object]) -> LongCall:
    clock, processor = time.monotonic(), time.process_time()
    found = call()
    spent = time.monotonic() - clock, time.process_time() - processor
    said = found.read_text() if isinstance(found, Path) else ""
    partial = getattr(found, "shortfall", "") or ("partial" if "looked at in" in said else "")
    return LongCall(name, *spent, partial or "whole")


def rows(found: list[LongCall]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of a table."""
    heading = ["call", "seconds", "of the processor", f"at most {AT_MOST:g}", "answer"]
    return heading, [
        [x.call, f"{x.seconds:.1f}", f"{x.processor:.1f}", "yes" if x.met else "no", x.extent] for x in found
    ]


def network(samples: int) -> tuple[str, np.ndarray, list[np.ndarray]]:
    """Return a program of two quantized products, its samples, and its weights."""
    rng = np.random.default_rng(0)
    types = [f"!quant.uniform<i8:f32, {scale}>" for scale in (0.02, 0.011, 0.5, 0.013, 2.0)]
    x, w, h, v, y = (
        f"tensor<{a}x{b}x{type}>"
        for a, b, type in zip((samples, 256, samples, 64, samples), (256, 64, 64, 10, 10), types, strict=True)
    )
    text = f"""func.func @main(%x: {x}, %w: {w}, %v: {v}) -> {y} {{
      %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({x}, {w}) -> {h}
      %r = stablehlo.maximum %h, %h : {h}
      %y = stablehlo.dot_general %r, %v, contracting_dims = [1] x [0] : ({h}, {v}) -> {y}
      return %y : {y}
    }}"""
    draw = lambda *shape: rng.integers(-128, 128, shape).astype("i1")
    return text, draw(samples, 256), [draw(256, 64), draw(64, 10)]


def reduction(leaves: int) -> str:
    return f"""func.func @main(%x: tensor<6x{leaves}xf32>, %init: tensor<f32>) -> tensor<6xf32> {{
      %y = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [1]
        : (tensor<6x{leaves}xf32>, tensor<f32>) -> tensor<6xf32>
      return %y : tensor<6xf32>
    }}"""


def convolutions(size: int) -> tuple[str, *tuple[np.ndarray, ...]]:
    """Return a program of ten convolutions, and its arguments."""
    rng = np.random.default_rng(0)
    x = f"tensor<1x{size}x{size}x{WIDTH}x!quant.uniform<i8:f32, 0.05>>"
    w = f"tensor<3x3x{WIDTH}x{WIDTH}x!quant.uniform<i8:f32, 0.01>>"
    values = ["%x", *(f"%y{k}" for k in range(10))]
    lines = [
        f'{new} = "stablehlo.convolution"({old}, %w{k}) {{{CONVOLUTION}}} : ({x}, {w}) -> {x}'
        for k, (old, new) in enumerate(itertools.pairwise(values))
    ]
    inputs = ", ".join([f"%x: {x}", *(f"%w{k}: {w}" for k in range(10))])
    text = "\n".join([f"func.func @main({inputs}) -> {x} {{", *lines, f"return %y9 : {x}", "}"])
    weights = [np.clip(rng.normal(0, 20, (3, 3, WIDTH, WIDTH)), -127, 127).astype("i1") for _ in range(10)]
    return text, rng.integers(-128, 128, (1, size, size, WIDTH)).astype("i1"), *weights
