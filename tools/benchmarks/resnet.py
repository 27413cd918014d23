"""ResNet-18 as MLIR text, without averages: types of activations and weights are given, weights parameters.

Normalization is part of the weights; the last features are the greatest of each channel.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.programs import Shape, tensor

STAGES = ((64, 1), (128, 2), (256, 2), (512, 2))  # channels, and the stride of the first block
CLASSES = 1000


def convolution(name: str, x: str, w: str, stride: int, pad: int, types: Sequence[str]) -> str:
    """Return the line of a square convolution of tensors [batch, *spatial, feature]."""
    left, right, result = types
    return (
        f"{name} = stablehlo.convolution({x}, {w}) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "
        f"window = {{stride = [{stride}, {stride}], pad = [[{pad}, {pad}], [{pad}, {pad}]]}} "
        f"{{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({left}, {right}) -> {result}"
    )


class Writer:
    """Lines of a program, the shape of each value, and the shape and element type of each parameter."""

    def __init__(self, types: Sequence[str], side: int) -> None:
        self.activation, self.weight = types
        self.lines: list[str] = []
        self.shapes: dict[str, Shape] = {"%x": (1, side, side, 3)}
        self.parameters = [(self.shapes["%x"], self.activation)]

    def add(self, shape: Shape, text: str) -> str:
        name = f"%{len(self.lines)}"
        self.lines.append(text.replace("%result", name, 1))
        self.shapes[name] = shape
        return name

    def parameter(self, *shape: int) -> str:
        self.parameters.append((shape, self.weight))
        return f"%w{len(self.parameters) - 1}"

    def type(self, x: str) -> str:
        return tensor(self.shapes[x], self.activation)

    def convolved(self, x: str, channels: int, window: int, stride: int) -> str:
        batch, side, _, inputs = self.shapes[x]
        kernel = window, window, inputs, channels
        weight, result = self.parameter(*kernel), (batch, *[(side - 1) // stride + 1] * 2, channels)
        types = self.type(x), tensor(kernel, self.weight), tensor(result, self.activation)
        return self.add(result, convolution("%result", x, weight, stride, window // 2, types))

    def positive(self, x: str) -> str:
        zero = self.constant(self.shapes[x], 0)
        return self.add(self.shapes[x], f"%result = stablehlo.maximum {x}, {zero} : {self.type(x)}")

    def constant(self, shape: Shape, value: int) -> str:
        plain = tensor(shape, "i8" if self.activation.startswith("!") else self.activation)
        number = value if self.activation.startswith("!") else float(value)
        text = f'%result = "stablehlo.constant"() {{value = dense<{number}> : {plain}}}'
        return self.add(shape, f"{text} : () -> {tensor(shape, self.activation)}")

    def greatest(self, x: str, window: int, stride: int, pad: int) -> str:
        batch, side, _, channels = self.shapes[x]
        least, scalar = self.constant((), -127), tensor((), self.activation)
        shape = batch, *[(side + 2 * pad - window) // stride + 1] * 2, channels
        edges = f"dense<[[0, 0], [{pad}, {pad}], [{pad}, {pad}], [0, 0]]> : tensor<4x2xi64>"
        return self.add(
            shape,
            f"""%result = "stablehlo.reduce_window"({x}, {least}) ({{
  ^body(%a: {scalar}, %b: {scalar}):
    %c = stablehlo.maximum %a, %b : {scalar}
    stablehlo.return %c : {scalar}
  }}) {{window_dimensions = array<i64: 1, {window}, {window}, 1>,
        window_strides = array<i64: 1, {stride}, {stride}, 1>, padding = {edges}}}
    : ({self.type(x)}, {scalar}) -> {tensor(shape, self.activation)}""",
        )

    def block(self, x: str, channels: int, stride: int) -> str:
        """Add two convolutions to their operand, which a third one brings to their shape if need be."""
        inner = self.convolved(self.positive(self.convolved(x, channels, 3, stride)), channels, 3, 1)
        if self.shapes[x] != self.shapes[inner]:
            x = self.convolved(x, channels, 1, stride)
        both = self.add(self.shapes[inner], f"%result = stablehlo.add {inner}, {x} : {self.type(inner)}")
        return self.positive(both)

    def classified(self, x: str) -> str:
        x = self.greatest(x, self.shapes[x][1], 1, 0)
        shape, kernel = (1, self.shapes[x][-1]), (self.shapes[x][-1], CLASSES)
        flat = self.add(
            shape, f"%result = stablehlo.reshape {x} : ({self.type(x)}) -> {tensor(shape, self.activation)}"
        )
        types = (
            f"({self.type(flat)}, {tensor(kernel, self.weight)}) -> {tensor((1, CLASSES), self.activation)}"
        )
        weight = self.parameter(*kernel)
        return self.add(
            (1, CLASSES),
            f"%result = stablehlo.dot_general {flat}, {weight}, contracting_dims = [1] x [0] : {types}",
        )

    def text(self, result: str) -> str:
        """Return the program that gives a result."""
        names = ["%x", *(f"%w{k}" for k in range(1, len(self.parameters)))]
        parameters = [
            f"{name}: {tensor(*parameter)}" for name, parameter in zip(names, self.parameters, strict=True)
        ]
        body = "\n  ".join([*self.lines, f"return {result} : {self.type(result)}"])
        return f"func.func @main({', '.join(parameters)}) -> {self.type(result)} {{\n  {body}\n}}"


def program(types: Sequence[str], side: int) -> tuple[str, list[tuple[Shape, str]]]:
    """Return the text for the types of activations and of weights, and shape and type of each parameter."""
    writer = Writer(types[:2], side)
    x = writer.greatest(writer.positive(writer.convolved("%x", 64, 7, 2)), 3, 2, 1)
    for channels, stride in STAGES:
        x = writer.block(writer.block(x, channels, stride), channels, 1)
    return writer.text(writer.classified(x)), writer.parameters
