"""Random programs that simulate quantization, one kernel each, with scales at which numbers meet in ties."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

ROWS = 64
KINDS = (
    "add", "subtract", "multiply", "maximum", "added constant", "scaled", "divided", "clamp", "relu",
    "negate", "sum", "mean", "mean by a factor", "average pool", "sum and constant", "max pool", "dot",
    "dot and bias",
    "dot and addition", "added and scaled", "function", "moved function", "leaky", "softmax", "layer norm",
)  # fmt: skip


def tensor(shape: Sequence[int], element: str = "f32") -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"


class Kernel:
    """Writes the text of one program."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.arguments: list[tuple[Sequence[int], str]] = []

    def emit(self, text: str) -> str:
        self.lines.append(f"%v{len(self.lines)} = {text}")
        return f"%v{len(self.lines) - 1}"

    def scale(self) -> float:
        """Return a scale: often a power of two, so that rescaled numbers lie in the middle of two others."""
        rng = self.rng
        draws = (
            lambda: 2.0 ** rng.randint(-6, 1),
            lambda: rng.randint(1, 9) * 2.0 ** rng.randint(-5, 0),
            lambda: rng.choice([0.1, 0.3, 1 / 3, 0.05]),
            lambda: rng.uniform(0.01, 2),
        )
        return float(np.float32(rng.choice(draws)()))

    def element(self, storages: Sequence[str] = ("i8", "i8", "u8", "i16")) -> str:
        storage = self.rng.choice(storages)
        zero = self.rng.choice([0, self.rng.randint(0, 20)])
        return f"!quant.uniform<{storage}:f32, {self.scale():.9e}:{zero}>"

    def simulated(self, x: str, shape: Sequence[int], element: str) -> str:
        """Return a value quantized and dequantized."""
        plain, type = tensor(shape), tensor(shape, element)
        q = self.emit(f"stablehlo.uniform_quantize {x} : ({plain}) -> {type}")
        return self.emit(f"stablehlo.uniform_dequantize {q} : ({type}) -> {plain}")

    def argument(self, shape: Sequence[int]) -> str:
        element = self.element()
        self.arguments.append((shape, element))
        return self.simulated(f"%arg{len(self.arguments) - 1}", shape, element)

    def constant(self, number: float, shape: Sequence[int]) -> str:
        return self.emit(f"stablehlo.constant dense<{float(np.float32(number)):.9e}> : {tensor(shape)}")

    def of(self, name: str, x: str, y: str, shape: Sequence[int]) -> str:
        return self.emit(f"stablehlo.{name} {x}, {y} : {tensor(shape)}")

    def summed(self, x: str, n: int) -> str:
        zero, types = self.constant(0, ()), f"({tensor((ROWS, n))}, tensor<f32>) -> {tensor((ROWS,))}"
        return self.emit(
            f"stablehlo.reduce({x} init: {zero}) applies stablehlo.add across dimensions = [1] : {types}"
        )

    def pooled(self, x: str, n: int, window: int, body: str, init: float) -> str:
        start, pair = self.constant(init, ()), "tensor<f32>"
        region = f"({{ ^b(%a: {pair}, %b: {pair}): %c = stablehlo.{body} %a, %b : {pair} "
        region += f"stablehlo.return %c : {pair} }}) {{window_dimensions = array<i64: 1, {window}>}}"
        types = f"({tensor((ROWS, n))}, {pair}) -> {tensor((ROWS, n - window + 1))}"
        return self.emit(f'"stablehlo.reduce_window"({x}, {start}) {region} : {types}')

    def dot(self, x: str, n: int) -> str:
        numbers = [[round(self.rng.uniform(-3, 3), 3) for _ in range(2)] for _ in range(n)]
        weights = self.emit(f"stablehlo.constant dense<{numbers}> : {tensor((n, 2))}")
        weights = self.simulated(weights, (n, 2), f"!quant.uniform<i8:f32, {self.scale():.9e}>")
        types = f"({tensor((ROWS, n))}, {tensor((n, 2))}) -> {tensor((ROWS, 2))}"
        return self.emit(f"stablehlo.dot_general {x}, {weights}, contracting_dims = [1] x [0] : {types}")

    def function(self, x: str, shape: Sequence[int]) -> str:
        """Return a random elementwise function of one value, in which some operations meet it again."""
        type, y = tensor(shape), x
        for _ in range(self.rng.randint(2, 5)):
            name = self.rng.choice(
                "logistic tanh exponential add multiply divide maximum cosine floor".split()
            )
            if name in ("add", "multiply", "divide", "maximum"):
                other = self.rng.choice([x, y, self.constant(self.number(), shape)])
                y = self.of(name, y, other, shape)
            else:
                y = self.emit(f"stablehlo.{name} {y} : {type}")
        return y

    def leaky(self, x: str, shape: Sequence[int]) -> str:
        scaled = self.of("multiply", x, self.constant(self.number(), shape), shape)
        types = f"({tensor(shape)}, {tensor(shape)}) -> {tensor(shape, 'i1')}"
        positive = self.emit(f"stablehlo.compare GE, {x}, {self.constant(0, shape)} : {types}")
        return self.emit(
            f"stablehlo.select {positive}, {x}, {scaled} : {tensor(shape, 'i1')}, {tensor(shape)}"
        )

    def transposed(self, x: str, shape: Sequence[int]) -> str:
        types = f"({tensor(shape)}) -> {tensor(shape[::-1])}"
        return self.emit(f"stablehlo.transpose {x}, dims = [1, 0] : {types}")

    def spread(self, x: str, n: int) -> str:
        types = f"({tensor((ROWS,))}) -> {tensor((ROWS, n))}"
        return self.emit(f"stablehlo.broadcast_in_dim {x}, dims = [0] : {types}")

    def normalized(self, x: str, n: int, kind: str) -> str:
        """Return the softmax of rows, or rows less their mean, divided by their deviation."""
        shape, rows = (ROWS, n), (ROWS,)
        if kind == "softmax":
            powers = self.emit(f"stablehlo.exponential {x} : {tensor(shape)}")
            return self.of("divide", powers, self.spread(self.summed(powers, n), n), shape)
        mean = self.of("divide", self.summed(x, n), self.constant(n, rows), rows)
        centred = self.of("subtract", x, self.spread(mean, n), shape)
        total = self.summed(self.of("multiply", centred, centred, shape), n)
        root = self.emit(
            f"stablehlo.rsqrt {self.of('add', total, self.constant(1e-3, rows), rows)} : {tensor(rows)}"
        )
        return self.of("multiply", centred, self.spread(root, n), shape)

    def number(self) -> float:
        return self.rng.choice([0.5, 2.0, 0.25, 0.3, 1 / 3, 3.0, 0.125 * self.rng.randint(1, 20)])


def drawn(rng: Random, kind: str) -> tuple[str, list[np.ndarray]]:
    """Return the text of a program with one kernel, and arguments that are numbers of its input types."""
    k = Kernel(rng)
    y, shape = _body(k, kind)
    if rng.random() < 0.8:  # else the kernel's result is a float
        y = k.simulated(y, shape, k.element())
    inputs = ", ".join(f"%arg{i}: {tensor(shape)}" for i, (shape, _) in enumerate(k.arguments))
    body = "\n".join([*k.lines, f"return {y} : {tensor(shape)}"])
    arguments = [_numbers(rng, shape, element) for shape, element in k.arguments]
    return f"func.func @main({inputs}) -> {tensor(shape)} {{\n{body}\n}}", arguments


def _body(k: Kernel, kind: str) -> tuple[str, Sequence[int]]:
    n = k.rng.choice([2, 3, 4, 8])
    one = (ROWS * 4,)
    if kind in ("add", "subtract", "multiply", "maximum"):
        return k.of(kind, k.argument(one), k.argument(one), one), one
    if kind == "added and scaled":
        return k.of(
            "multiply", k.of("add", k.argument(one), k.argument(one), one), k.constant(0.5, one), one
        ), one
    if kind in ("added constant", "scaled", "divided"):
        name = {"added constant": "add", "scaled": "multiply", "divided": "divide"}[kind]
        return k.of(name, k.argument(one), k.constant(k.number(), one), one), one
    if kind == "clamp":
        low, high = k.constant(-1, one), k.constant(k.number(), one)
        return k.emit(f"stablehlo.clamp {low}, {k.argument(one)}, {high} : {tensor(one)}"), one
    if kind == "relu":
        return k.of("maximum", k.argument(one), k.constant(0, one), one), one
    if kind == "negate":
        return k.emit(f"stablehlo.negate {k.argument(one)} : {tensor(one)}"), one
    if kind == "function":
        return k.function(k.argument(one), one), one
    if kind == "leaky":
        return k.leaky(k.argument(one), one), one
    x = k.argument((ROWS, n))
    if kind == "moved function":
        y = k.function(k.transposed(x, (ROWS, n)), (n, ROWS))
        return k.transposed(y, (n, ROWS)), (ROWS, n)
    if kind in ("softmax", "layer norm"):
        return k.normalized(x, n, kind), (ROWS, n)
    if kind in ("average pool", "max pool"):
        window, shape = k.rng.randint(1, n), None
        shape = (ROWS, n - window + 1)
        body, init = ("add", 0.0) if kind == "average pool" else ("maximum", -1e9)
        y = k.pooled(x, n, window, body, init)
        return (k.of("divide", y, k.constant(window, shape), shape) if body == "add" else y), shape
    if kind.startswith("dot"):
        y, shape = k.dot(x, n), (ROWS, 2)
        if kind == "dot and bias":
            y = k.of("add", y, k.constant(k.number(), shape), shape)
        return (k.of("add", y, k.argument(shape), shape) if kind == "dot and addition" else y), shape
    y, shape = k.summed(x, n), (ROWS,)
    if kind == "mean":
        y = k.of("divide", y, k.constant(n, shape), shape)
    if kind == "mean by a factor":
        y = k.of("multiply", y, k.constant(1 / n, shape), shape)
    if kind == "sum and constant":
        y = k.of("add", y, k.constant(k.number(), shape), shape)
    return y, shape


def _numbers(rng: Random, shape: Sequence[int], element: str) -> np.ndarray:
    """Return random numbers of a quantized type, the ends of its range among them."""
    storage, rest = element.removeprefix("!quant.uniform<").split(":f32, ")
    scale, _, zero = rest.rstrip(">").partition(":")
    bits = int(storage[1:])
    least = 0 if storage[0] == "u" else -(2 ** (bits - 1))
    draw = np.random.default_rng(rng.randrange(1 << 30))
    steps = draw.integers(least, least + 2**bits, shape)
    steps.reshape(-1)[:2] = least, least + 2**bits - 1
    return ((steps - int(zero or 0)) * np.float32(scale)).astype(np.float32)
