"""A transformer of two layers as MLIR text: attention of several heads, and two products behind it.

Normalization is part of the weights, as in `resnet`; every value has the type of the activations.
"""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.programs import Shape, tensor
from benchmarks.resnet import Writer

LAYERS = 2
HEADS = 8
WIDER = 4  # times as many features between the two products of a layer


class Layers(Writer):
    """A writer whose parameter %x are the features of each token."""

    def __init__(self, types: Sequence[str], tokens: int, features: int) -> None:
        super().__init__(types, tokens)
        self.shapes["%x"] = (tokens, features)
        self.parameters = [(self.shapes["%x"], self.activation)]

    def product(self, x: str, w: str, shape: Shape, weight: str, dims: str) -> str:
        signature = f"({self.type(x)}, {weight}) -> {tensor(shape, self.activation)}"
        return self.add(shape, f"%result = stablehlo.dot_general {x}, {w}, {dims} : {signature}")

    def projected(self, x: str, outputs: int) -> str:
        tokens, features = self.shapes[x]
        w, weight = self.parameter(features, outputs), tensor((features, outputs), self.weight)
        return self.product(x, w, (tokens, outputs), weight, "contracting_dims = [1] x [0]")

    def reshaped(self, x: str, *shape: int) -> str:
        types = f"({self.type(x)}) -> {tensor(shape, self.activation)}"
        return self.add(shape, f"%result = stablehlo.reshape {x} : {types}")

    def combined(self, name: str, x: str, y: str) -> str:
        return self.add(self.shapes[x], f"%result = stablehlo.{name} {x}, {y} : {self.type(x)}")

    def along_rows(self, name: str, x: str, least: int) -> str:
        """Reduce the last of three dimensions, and repeat the result along it."""
        shape, scalar = self.shapes[x], tensor((), self.activation)
        init, kept = self.constant((), least), tensor(shape[:-1], self.activation)
        reduced = self.add(
            shape[:-1],
            f"%result = stablehlo.reduce({x} init: {init}) applies stablehlo.{name} across dimensions = [2] "
            f": ({self.type(x)}, {scalar}) -> {kept}",
        )
        types = f"({kept}) -> {self.type(x)}"
        return self.add(shape, f"%result = stablehlo.broadcast_in_dim {reduced}, dims = [0, 1] : {types}")

    def attended(self, x: str) -> str:
        """Add the attention of each head, and the product that joins them."""
        tokens, features = self.shapes[x]
        split = tokens, HEADS, features // HEADS
        q, k, v = (self.reshaped(self.projected(x, features), *split) for _ in range(3))
        batches = "batching_dims = [1] x [1], contracting_dims = [2] x [2]"
        scores = self.product(q, k, (HEADS, tokens, tokens), self.type(k), batches)
        moved = self.combined("subtract", scores, self.along_rows("maximum", scores, -127))
        powers = self.add(self.shapes[moved], f"%result = stablehlo.exponential {moved} : {self.type(moved)}")
        shares = self.combined("divide", powers, self.along_rows("add", powers, 0))
        batches = "batching_dims = [0] x [1], contracting_dims = [2] x [0]"
        heads = self.product(shares, v, (HEADS, tokens, split[-1]), self.type(v), batches)
        types = f"({self.type(heads)}) -> {tensor(split, self.activation)}"
        turned = self.add(split, f"%result = stablehlo.transpose {heads}, dims = [1, 0, 2] : {types}")
        return self.projected(self.reshaped(turned, tokens, features), features)

    def layer(self, x: str) -> str:
        features = self.shapes[x][-1]
        x = self.combined("add", x, self.attended(x))
        inner = self.positive(self.projected(x, WIDER * features))
        return self.combined("add", x, self.projected(inner, features))


def program(types: Sequence[str], tokens: int, features: int) -> tuple[str, list[tuple[Shape, str]]]:
    """Return the text for the types of activations and of weights, and shape and type of each parameter."""
    writer, x = Layers(types[:2], tokens, features), "%x"
    for _ in range(LAYERS):
        x = writer.layer(x)
    return writer.text(x), writer.parameters
