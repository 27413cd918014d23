"""Random programs of one quantized operation, with arguments that include the edges of their types."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

Array = np.ndarray
STORAGE = {"int8": "i8", "uint8": "u8", "int16": "i16", "int32": "i32"}


class Quantized(NamedTuple):
    """A tensor's NumPy type, scales, which f32 holds, and zero point; several scales are along `axis`."""

    dtype: str
    scales: tuple[float, ...]
    zero_point: int = 0
    axis: int = 0

    @property
    def scale(self) -> float:
        (scale,) = self.scales
        return scale

    def text(self, shape: Sequence[int]) -> str:
        """Return a tensor type of StableHLO."""
        if len(self.scales) == 1:
            dimension, parameters = "", f"{self.scale!r}:{self.zero_point}"
        else:
            dimension = f":{self.axis}"
            parameters = "{" + ", ".join(f"{scale!r}:{self.zero_point}" for scale in self.scales) + "}"
        sizes = "".join(f"{size}x" for size in shape)
        return f"tensor<{sizes}!quant.uniform<{STORAGE[self.dtype]}:f32{dimension}, {parameters}>>"


class Draw(NamedTuple):
    """A source of random parameters and elements."""

    rng: np.random.Generator

    def scale(self, low: float = -3, high: float = 0) -> float:
        """Return a scale of f32 between powers of ten; one in five is a power of two, which makes ties."""
        if self.rng.random() < 0.2:
            return 2.0 ** int(self.rng.integers(round(low * 3.3), round(high * 3.3), endpoint=True))
        return float(np.float32(10 ** self.rng.uniform(low, high)))

    def times(self, scale: float, low: float, high: float) -> float:
        """Return a scale so many powers of ten larger than another."""
        return float(np.float32(scale * self.scale(low, high)))

    def zero_point(self, dtype: str) -> int:
        """Return a zero point, which types of more than 8 bits do not have."""
        info = np.iinfo(dtype)
        return int(self.rng.integers(info.min, info.max, endpoint=True)) if info.bits == 8 else 0

    def elements(self, dtype: str, shape: Sequence[int], zero_point: int = 0) -> Array:
        """Return elements, some of which are the ends of the type, the zero point and its neighbours."""
        info = np.iinfo(dtype)
        x = self.rng.integers(info.min, info.max, shape, dtype, endpoint=True)
        edges = np.array([info.min, info.min + 1, info.max - 1, info.max])
        near = np.clip([zero_point - 1, zero_point, zero_point + 1], info.min, info.max)
        flat = x.reshape(-1)
        places = self.rng.integers(0, max(flat.size, 1), flat.size // 20)
        flat[places] = self.rng.choice(np.concatenate([edges, near]), places.size).astype(dtype)
        return x


def program(name: str, operands: Sequence[str], result: str, attributes: str = "") -> str:
    """Return the text of a program of one operation."""
    names = [f"%x{k}" for k in range(len(operands))]
    parameters = ", ".join(f"{x}: {type}" for x, type in zip(names, operands, strict=True))
    return (
        f"func.func @main({parameters}) -> {result} {{\n"
        f'  %0 = "stablehlo.{name}"({", ".join(names)}) {attributes}: ({", ".join(operands)}) -> {result}\n'
        f"  return %0 : {result}\n}}"
    )


def matrix_product() -> str:
    """Return the attributes of a product of two matrices."""
    dimensions = "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]"
    return f"{{dot_dimension_numbers = #stablehlo.dot<{dimensions}>}} "


class Trial(NamedTuple):
    """A program, its arguments, and what a kernel gives for them."""

    program: str
    args: Sequence[Array]
    theirs: Array


class Kernel(NamedTuple):
    """A kernel of another runtime, its recipe, what makes trials of it, and how it departs from that."""

    name: str
    recipe: str
    make: Callable[[Draw, int], Trial]
    accumulator: str = "i32"
    departs: str = ""
