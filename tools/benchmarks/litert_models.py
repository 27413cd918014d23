"""Whole LiteRT models: how long `load` and `run` take, beside LiteRT's reference kernels on one thread."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import interp
from interp.apps.runtimes.litert_model import Node, Operator, Slot, Subgraph, model, session

DATA = Path(__file__).resolve().parent.parent.parent / "testdata" / "litert"
NAMES = ("cnn.int8", "cnn.int16x8", "cnn.float16", "mobilenet.int8", "attention.int8", "unet.int16x8")
LOADED, TIMES = 0.1, 5.0  # the targets: seconds for a model of 2.5 MB, and times LiteRT's reference kernels
LAYERS, CHANNELS, SIDE = 10, 512, 7


class ModelTimes(NamedTuple):
    """Seconds of one model: of loading, of a run, and of LiteRT's run."""

    name: str
    size: int
    load: float
    run: float
    reference: float

    @property
    def ratio(self) -> float:
        return self.run / self.reference

    @property
    def met(self) -> bool:
        return self.load <= LOADED and self.ratio <= TIMES


def pointwise() -> bytes:
    """Return a network of 1 x 1 convolutions in i8, of 2.6 MB."""
    rng, shape = np.random.default_rng(0), (1, SIDE, SIDE, CHANNELS)
    values = {"strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1}
    convolution = Operator("CONV_2D", "Conv2DOptions", values | {"fusedActivationFunction": 1}, 3)
    slots, nodes = [Slot("int8", shape, [0.05], [-3])], []
    for _ in range(LAYERS):
        scales = np.float32(rng.uniform(0.002, 0.004, CHANNELS))
        weights = rng.integers(-127, 128, (CHANNELS, 1, 1, CHANNELS))
        of_bias, bias = (scales * np.float32(0.05)).tolist(), rng.integers(-3000, 3000, CHANNELS)
        slots += [
            Slot("int8", weights.shape, scales.tolist(), [0] * CHANNELS, 0, weights),
            Slot("int32", (CHANNELS,), of_bias, [0] * CHANNELS, 0, bias),
            Slot("int8", shape, [0.05], [-3]),
        ]
        k = len(slots) - 1
        nodes.append(Node(convolution, [k - 3, k - 2, k - 1], [k]))
    return model(Subgraph(slots, nodes, [0], [len(slots) - 1]))


def model_times(say: Callable[[str], object], rounds: int) -> Iterator[ModelTimes]:
    """Yield the times of some models, the least of all rounds, in turns with LiteRT."""
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "pointwise.int8.tflite"
        large.write_bytes(pointwise())
        for path in [large, *(DATA / f"{name}.tflite" for name in NAMES)]:
            say(path.stem)
            yield times(path, rounds)


def times(path: Path, rounds: int) -> ModelTimes:
    started = session(path.read_bytes(), "reference")
    details = started.get_input_details()
    args = [arguments(detail) for detail in details]
    for detail, x in zip(details, args, strict=True):
        started.set_tensor(detail["index"], x)
    module = interp.load(path)
    calls = {
        "load": lambda: interp.load(path),
        "run": lambda: interp.run(module, *args),
        "reference": started.invoke,
    }
    seconds: dict[str, float] = dict.fromkeys(calls, np.inf)
    for _ in range(rounds + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            seconds[name] = min(seconds[name], time.perf_counter() - start)
    result = np.asarray(interp.run(module, *args)[0].storage)
    if not np.array_equal(result, started.get_tensor(started.get_output_details()[0]["index"])):
        raise ValueError(f"{path.name}: the result is not LiteRT's")
    return ModelTimes(path.stem, path.stat().st_size, **seconds)


def arguments(detail: dict[str, Any]) -> np.ndarray:
    rng, dtype = np.random.default_rng(0), np.dtype(detail["dtype"])
    if dtype.kind == "f":
        return rng.standard_normal(detail["shape"]).astype(dtype)
    return rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max, detail["shape"], dtype, True)


def rows(found: list[ModelTimes]) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows of a table."""
    heading = ["model", "kB", f"load (at most {LOADED} s)", "run", "LiteRT's", f"ratio (at most {TIMES:g})"]
    return heading, [
        [
            x.name,
            f"{x.size / 1000:,.0f}",
            f"{x.load * 1000:.0f} ms",
            f"{x.run * 1000:.2f} ms",
            f"{x.reference * 1000:.2f} ms",
            f"{x.ratio:.1f} x {'met' if x.met else 'not met'}",
        ]
        for x in found
    ]
