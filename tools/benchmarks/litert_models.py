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
NAMES = ("cnn.float16", "mobilenet.int8")
LOADED, TIMES = 0.1, 5.0  # the targets: seconds for a model of 2.5 MB, and times LiteRT's reference kernels


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


class Layers(NamedTuple):
    """A network of equal convolutions: its type, layers, channels, the side of images and of kernels."""

    dtype: str
    layers: int
    channels: int
    side: int
    kernel: int


# The first is of 2.8 MB.
GENERATED = {
    "pointwise.int8": Layers("int8", 10, 512, 7, 1),
    "pointwise.int16x8": Layers("int16", 10, 256, 14, 1),
    "pointwise.float32": Layers("float32", 10, 256, 7, 1),
    "convolutions.int8": Layers("int8", 5, 64, 28, 3),
    "convolutions.float32": Layers("float32", 5, 32, 28, 3),
}


def convolutions(of: Layers) -> bytes:
    """Return a network of convolutions with random weights, per channel."""
    rng, shape = np.random.default_rng(0), (1, of.side, of.side, of.channels)
    values = {"strideW": 1, "strideH": 1, "dilationWFactor": 1, "dilationHFactor": 1}
    values |= {"fusedActivationFunction": 1, "quantizedBiasType": 4 if of.dtype == "int16" else 0}
    convolution = Operator("CONV_2D", "Conv2DOptions", values, 3)
    image = Slot(of.dtype, shape, *{"int8": ([0.05], [-3]), "int16": ([2e-4], [0])}.get(of.dtype, ()))
    slots, nodes = [image], []
    for _ in range(of.layers):
        slots += [*weights_of(of, rng, image), image]
        k = len(slots) - 1
        nodes.append(Node(convolution, [k - 3, k - 2, k - 1], [k]))
    return model(Subgraph(slots, nodes, [0], [len(slots) - 1]))


def weights_of(of: Layers, rng: np.random.Generator, image: Slot) -> list[Slot]:
    """Return weights and the bias of a layer."""
    n, shape = of.channels, (of.channels, of.kernel, of.kernel, of.channels)
    if of.dtype == "float32":
        data = rng.standard_normal(shape).astype(np.float32) / (n * of.kernel)
        return [Slot("float32", shape, data=data), Slot("float32", (n,), data=rng.standard_normal(n))]
    scales = np.float32(rng.uniform(0.002, 0.004, n) / of.kernel)
    of_bias = (scales * np.float32(image.scales[0])).tolist()
    bias, kind = rng.integers(-3000, 3000, n), "int64" if of.dtype == "int16" else "int32"
    data = rng.integers(-127, 128, shape)
    zeros = [0] * n
    return [Slot("int8", shape, scales.tolist(), zeros, 0, data), Slot(kind, (n,), of_bias, zeros, 0, bias)]


def model_times(say: Callable[[str], object], rounds: int) -> Iterator[ModelTimes]:
    """Yield the times of some models, the least of all rounds, in turns with LiteRT."""
    with tempfile.TemporaryDirectory() as folder:
        for name, layers in GENERATED.items():
            path = Path(folder) / f"{name}.tflite"
            path.write_bytes(convolutions(layers))
            say(name)
            yield times(path, rounds)
    for name in NAMES:
        say(name)
        yield times(DATA / f"{name}.tflite", rounds)


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
