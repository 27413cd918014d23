"""A case: the program, arguments and size of a workload, on one data set in one shape."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from compileall import compile_dir
from functools import partial
from math import prod
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks import programs
from benchmarks.measure import Unavailable
from benchmarks.programs import Padding, Shape, quantized, windows

ROOT = Path(__file__).resolve().parent.parent.parent
SMALL_FILE = ROOT / "testdata" / "programs" / "global_sum.current.mlirbc"
QWIX_DIGITS = ROOT / "testdata" / "exports" / "qwix_digits_int8.export"
DIGITS = ROOT.parent / "shared" / "exports" / "digits_a.mlirbc"
VALID: Padding = ((0, 0),) * 4


class DataSet(NamedTuple):
    """Uniformly distributed stored integers, and the scale of their type."""

    name: str
    scale: float
    low: int
    high: int

    def draw(self, shape: Shape, seed: int = 0) -> np.ndarray:
        return np.random.default_rng(seed).integers(self.low, self.high, shape, np.int8, endpoint=True)


SYMMETRIC = DataSet("symmetric", 0.3, -127, 127)
UNIFORM = DataSet("uniform", 1.0, -128, 127)
RELU = DataSet("ReLU-like", 0.3, 0, 127)
ZEROS = DataSet("zeros", 0.3, 0, 0)  # which never saturate
OWN = DataSet("its own", 1.0, 0, 0)  # of workloads that bring their data
EVERY = (SYMMETRIC, UNIFORM, RELU)


class Case(NamedTuple):
    """A case: `program` is what `interp.load` takes, `plain` the same on plain types, not quantized ones.

    element: the plain type that the reference interpreter takes.
    """

    program: str | Path
    args: tuple[np.ndarray, ...]
    elements: int
    plain: Callable[[str], str] | None = None
    element: str = "i32"


Cases = Callable[[Shape, DataSet], Case]


class Family(NamedTuple):
    """The shapes of a workload, the smallest first, and the one that has about a given number of elements."""

    shapes: tuple[Shape, ...]
    of: Callable[[int], Shape]


def _square(elements: int) -> Shape:
    side = round(elements**0.5)
    return side, side


def _image(elements: int) -> Shape:
    """Return an even side: it divides into windows of two."""
    side = 2 * max(2, round((elements / 64) ** 0.5 / 2))
    return 1, side, side, 64


SQUARES = Family(((64, 64), (256, 256), (1024, 1024), (4096, 4096)), _square)
IMAGES = Family(((1, 8, 8, 64), (2, 28, 28, 64), (8, 112, 112, 64)), _image)
TINY = Family(((16, 16),), _square)
ROWS = Family(((100, 8), (1000, 8)), lambda elements: (elements, 8))
CHAINS = Family(((25, 8),), lambda elements: (elements // 4, 8))
WHOLE = Family(((),), lambda elements: ())  # nothing to choose
SAMPLES = Family(((10_000,),), lambda elements: (elements,))


def reduction(body: str, dimensions: Sequence[int], accumulator: str, start: int = 0) -> Cases:
    """Return a `reduce` of i8; `start` is its init, in the accumulator's type if i8 cannot hold it."""

    def case(shape: Shape, data: DataSet) -> Case:
        narrow, wide = quantized("i8", data.scale), quantized(accumulator, data.scale)
        init, init_type = (np.int32(start), wide) if start else (np.int8(0), narrow)
        write = partial(programs.reduce, body, shape, dimensions)
        args = data.draw(shape), np.array(init)
        return Case(write(narrow, init_type, wide), args, prod(shape), lambda plain: write(*[plain] * 3))

    return case


def window_reduction(body: str, window: Shape, strides: Shape, padding: Padding, accumulator: str) -> Cases:
    def case(shape: Shape, data: DataSet) -> Case:
        narrow, wide = quantized("i8", data.scale), quantized(accumulator, data.scale)
        write = partial(programs.reduce_window, body, shape, window, strides, padding)
        args = data.draw(shape), np.array(-128 if body == "maximum" else 0, np.int8)
        return Case(write(narrow, wide), args, prod(shape), lambda plain: write(plain, plain))

    return case


def selection(window: Shape, strides: Shape) -> Cases:
    """Return a `select_and_scatter` with sources so small that four of them neither saturate nor wrap."""

    def case(shape: Shape, data: DataSet) -> Case:
        scattered = windows(shape, window, strides, VALID)
        source = data.draw(scattered, seed=1) // 5
        write = partial(programs.select_and_scatter, shape, scattered, window, strides, VALID)
        args = data.draw(shape), source, np.array(0, np.int8)
        return Case(write(quantized("i8", data.scale)), args, prod(shape), write)

    return case


def as_a_whole(cases: Cases) -> Cases:
    """Return a case that is timed by the call, not by the element."""
    return lambda shape, data: cases(shape, data)._replace(elements=1)


def scan(shape: Shape, data: DataSet) -> Case:
    """Return running sums, timed by the row."""
    write = partial(programs.scan, *shape)
    args = data.draw(shape).astype(np.int32), np.zeros(shape[1:], np.int32)
    return Case(write("i32"), args, shape[0], write)


def chain(element: str) -> Cases:
    """Return a chain of operations on a few elements, timed by the operation; numbers stay in range."""

    def case(shape: Shape, data: DataSet) -> Case:
        write, (times, columns) = partial(programs.chain, *shape), shape
        args = tuple(data.draw((columns,), seed) / np.float32(128) for seed in (0, 1))
        if element == "i32":
            args = tuple(data.draw((columns,), seed).astype(np.int32) for seed in (0, 1))
        return Case(write(element), args, 4 * times, write, element)

    return case


def small_file(shape: Shape, data: DataSet) -> Case:
    """Return a case for processes; our packages are byte-compiled, as jaxlib's are and an installation's."""
    for package in ("interp", "spec"):
        compile_dir(ROOT / package, quiet=1)
    return Case(SMALL_FILE, (), 1)


def digits(shape: Shape, data: DataSet) -> Case:
    if not DIGITS.exists():
        raise Unavailable("there is no ../shared/exports/digits_a.mlirbc")
    images = np.load(DIGITS.with_suffix(".npz"))["inputs"]
    return Case(DIGITS, (images,), len(images))


def many_digits(shape: Shape, data: DataSet) -> Case:
    """Return a network of digits on so many images, in batches of the size that it takes."""
    images = np.load(QWIX_DIGITS.with_suffix(".npz"))["arg0"]
    (samples,) = shape
    return Case(QWIX_DIGITS, (np.resize(images, (samples, *images.shape[1:])),), samples)
