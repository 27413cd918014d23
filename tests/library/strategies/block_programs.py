"""Random programs of one operation whose types have scales per block, with arguments, from a seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from random import Random
from typing import Any, NamedTuple

from spec.ir import Module, Op
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized
from tests.library.builders import combining, convolving, module, num_windows, operands, operation, results
from tests.library.oracles.blocks_by_hand import moves, parameters
from tests.library.oracles.exact_model import fl

Shape = tuple[int, ...]
KINDS = "quantize dequantize requantize elementwise move choose reduce dot convolve".split()


class BlockProgram(NamedTuple):
    """A program, the arguments as numbers by their index, and the kind of its operation."""

    module: Module
    arguments: list[dict[Shape, Any]]
    kind: str

    @property
    def op(self) -> Op:
        return self.module.main.body.ops[0]

    def flat(self) -> list[tuple[Any, ...]]:
        """Return the arguments in row-major order, floats as floats."""
        number = lambda x: float(x) if isinstance(x, Fraction) else x
        return [tuple(map(number, x.values())) for x in self.arguments]


def draw(seed: int) -> BlockProgram:
    """Return the program of a seed."""
    rng = Random(seed)
    kind = rng.choice(KINDS)
    base = _baseline(rng)
    op = getattr(_Drawing(rng, base), kind)()
    program = module(op)
    values = [_numbers(rng, x.type) for x in program.main.inputs]
    return BlockProgram(program, values, kind)


def _baseline(rng: Random) -> QuantizedType:
    storage = rng.choice(["i4", "i8", "u8", "u4", "i8", "i16"])
    expressed = rng.choice(["f32", "f32", "f32", "bf16", "f16"])
    type = make_quantized(storage, expressed, 1.0)
    if rng.random() < 0.2:
        return replace(type, storage_min=type.storage_min + 1, storage_max=type.storage_max - 1)
    return type


def _numbers(rng: Random, type: TensorType) -> dict[Shape, Any]:
    element = type.element_type
    index = list(product(*map(range, type.shape)))
    if isinstance(element, QuantizedType):
        low, high = element.storage_min, element.storage_max
        return {i: rng.choice([low, high, rng.randint(low, high), rng.randint(low, high)]) for i in index}
    if element.name == "i1":
        return {i: rng.random() < 0.5 for i in index}
    return {i: fl(Fraction(rng.choice([rng.gauss(0, 8), rng.gauss(0, 100), 0.5])), element) for i in index}


class _Drawing(NamedTuple):
    rng: Random
    base: QuantizedType

    def shape(self, rank: int = 0) -> Shape:
        return tuple(self.rng.choice([1, 2, 3, 4, 4, 6]) for _ in range(rank or self.rng.randint(1, 3)))

    def scale(self) -> float:
        rng = self.rng
        return rng.choice([0.5, 0.25, rng.uniform(0.001, 3), rng.uniform(0.01, 0.2)])

    def zero_point(self) -> int:
        rng, type = self.rng, self.base
        zero = min(max(0, type.storage_min), type.storage_max)
        return rng.choice([zero, zero, rng.randint(type.storage_min, type.storage_max)])

    def blocked(self, shape: Shape) -> TensorType:
        """Return a type of rng blocks; sometimes per axis, or per tensor."""
        rng, draw = self.rng, self.rng.random()
        if not shape or draw < 0.1:
            return TensorType(
                shape, replace(self.base, scales=(self.scale(),), zero_points=(self.zero_point(),))
            )
        axes = [d for d in range(len(shape)) if rng.random() < 0.6]
        sizes = {d: rng.choice([n for n in range(1, shape[d] + 1) if shape[d] % n == 0]) for d in axes}
        counts = tuple(n // sizes.get(d, n) for d, n in enumerate(shape))
        count = prod(counts)
        shared = self.scale() if rng.random() < 0.1 else 0.0
        scales = tuple(shared or self.scale() for _ in range(count))
        points = tuple(self.zero_point() for _ in range(count))
        order = list(sizes.items())
        rng.shuffle(order)
        scales = tuple(float(fl(Fraction(s), self.base.expressed_type)) for s in scales)
        element = replace(
            self.base, scales=scales, zero_points=points, block_sizes=tuple(order), parameters_shape=counts
        )
        return TensorType(shape, element)

    def single(self) -> TensorType:
        return self.blocked(())

    def floats(self, shape: Shape) -> TensorType:
        return TensorType(shape, self.base.expressed_type)

    def quantize(self) -> Op:
        shape = self.shape()
        return operation("uniform_quantize", [self.floats(shape)], self.blocked(shape))

    def dequantize(self) -> Op:
        shape = self.shape()
        return operation("uniform_dequantize", [self.blocked(shape)], self.floats(shape))

    def requantize(self) -> Op:
        shape = self.shape()
        return operation("uniform_quantize", [self.blocked(shape)], self.blocked(shape))

    def elementwise(self) -> Op:
        name = self.rng.choice("abs add maximum minimum multiply negate subtract".split())
        shape, count = self.shape(), 1 if name in ("abs", "negate") else 2
        return operation(name, [self.blocked(shape) for _ in range(count)], self.blocked(shape))

    def choose(self) -> Op:
        shape = self.shape()
        type = self.blocked(shape)
        if self.rng.random() < 0.5:
            return operation("select", [TensorType(shape, ELEMENT_TYPES["i1"]), type, type], type)
        return operation("clamp", [type, type, type], type)

    def move(self) -> Op:
        """Return an operation that moves elements; its result has the table of what it moves."""
        name = self.rng.choice("slice transpose reverse broadcast_in_dim reshape concatenate pad".split())
        inputs, shape, attributes = getattr(self, f"_{name}")()
        baseline = TensorType(shape, replace(self.base, scales=(1.0,), zero_points=(0,)))
        op = operation(name, inputs, baseline, **attributes)
        sources = moves(op)
        pairs = [parameters(inputs[k], j) for k, j in (sources[i] for i in product(*map(range, shape)))]
        return operation(name, inputs, self.type_of(shape, pairs), **attributes)

    def type_of(self, shape: Shape, pairs: Sequence[tuple[Fraction, int]]) -> TensorType:
        """Return the type with these parameters for each element, in the largest blocks that write them."""
        table = dict(zip(product(*map(range, shape)), pairs, strict=True))
        sizes = []
        for d, n in enumerate(shape):
            same = lambda s, d=d: all(table[i] == table[*i[:d], i[d] // s * s, *i[d + 1 :]] for i in table)
            sizes.append(max(s for s in range(1, n + 1) if n % s == 0 and same(s)))
        starts = product(*(range(0, n, s) for n, s in zip(shape, sizes, strict=True)))
        scales, points = zip(*(table[i] for i in starts), strict=True)
        counts = tuple(n // s for n, s in zip(shape, sizes, strict=True))
        element = replace(
            self.base,
            scales=tuple(map(float, scales)),
            zero_points=points,
            block_sizes=tuple(enumerate(sizes)),
            parameters_shape=counts,
        )
        return TensorType(shape, element)

    def _slice(self) -> Any:
        shape = self.shape()
        starts = tuple(self.rng.randrange(n) for n in shape)
        limits = tuple(self.rng.randint(s + 1, n) for s, n in zip(starts, shape, strict=True))
        strides = tuple(self.rng.randint(1, 2) for _ in shape)
        result = tuple(-(-(e - s) // t) for s, e, t in zip(starts, limits, strides, strict=True))
        return (
            [self.blocked(shape)],
            result,
            {"start_indices": starts, "limit_indices": limits, "strides": strides},
        )

    def _transpose(self) -> Any:
        shape = self.shape()
        order = self.rng.sample(range(len(shape)), len(shape))
        return [self.blocked(shape)], tuple(shape[d] for d in order), {"permutation": tuple(order)}

    def _reverse(self) -> Any:
        shape = self.shape()
        return (
            [self.blocked(shape)],
            shape,
            {"dimensions": tuple(d for d in range(len(shape)) if self.rng.random() < 0.6)},
        )

    def _broadcast_in_dim(self) -> Any:
        result = self.shape()
        dimensions = tuple(sorted(self.rng.sample(range(len(result)), self.rng.randint(1, len(result)))))
        shape = tuple(self.rng.choice([1, result[d]]) for d in dimensions)
        return [self.blocked(shape)], result, {"broadcast_dimensions": dimensions}

    def _reshape(self) -> Any:
        shape = self.shape()
        parts = [f for n in shape for f in ((2, n // 2) if n % 2 == 0 else (n,))]
        cut = self.rng.randint(0, len(parts) - 1)
        result = (*parts[:cut], prod(parts[cut : cut + 2]), *parts[cut + 2 :])
        return [self.blocked(shape)], result, {}

    def _concatenate(self) -> Any:
        shape = self.shape()
        d = self.rng.randrange(len(shape))
        shapes = [(*shape[:d], self.rng.randint(1, 3), *shape[d + 1 :]) for _ in range(2)]
        result = (*shape[:d], sum(s[d] for s in shapes), *shape[d + 1 :])
        return [self.blocked(s) for s in shapes], result, {"dimension": d}

    def _pad(self) -> Any:
        shape = self.shape()
        low, high = (tuple(self.rng.choice([-1, 0, 1, 2]) for _ in shape) for _ in range(2))
        inner = tuple(self.rng.choice([0, 0, 1]) for _ in shape)
        result = tuple(
            n + a + max(n - 1, 0) * i + b for n, a, b, i in zip(shape, low, high, inner, strict=True)
        )
        if min(result) < 1:
            low, high, result = (
                (0,) * len(shape),
                (0,) * len(shape),
                tuple(n + (n - 1) * i for n, i in zip(shape, inner, strict=True)),
            )
        names = "edge_padding_low", "edge_padding_high", "interior_padding"
        return [self.blocked(shape), self.single()], result, dict(zip(names, (low, high, inner), strict=True))

    def reduce(self) -> Op:
        shape = self.shape()
        dimensions = tuple(d for d in range(len(shape)) if self.rng.random() < 0.7)
        kept = tuple(n for d, n in enumerate(shape) if d not in dimensions)
        own = self.single().element_type
        body = combining(self.rng.choice(["add", "maximum", "minimum"]), own)
        source = self.blocked(shape).quantized_element_type
        inputs = operands(shape, [source if source.block_sizes else own], [own])
        return Op("stablehlo.reduce", inputs, results(kept, [own]), {"dimensions": dimensions}, (body,))

    def dot(self) -> Op:
        rng = self.rng
        batch, k, m, n = (
            tuple(rng.choice([1, 2, 4]) for _ in range(rng.choice(c)))
            for c in ([0, 0, 1], [1, 1, 2], [0, 1], [0, 1])
        )
        sides = (*batch, *m, *k), (*batch, *k, *n)
        free = len(batch)
        attributes = {
            "lhs_batching_dimensions": tuple(range(free)),
            "rhs_batching_dimensions": tuple(range(free)),
            "lhs_contracting_dimensions": tuple(range(free + len(m), free + len(m) + len(k))),
            "rhs_contracting_dimensions": tuple(range(free, free + len(k))),
        }
        return self.contraction("dot_general", sides, (*batch, *m, *n), attributes)

    def contraction(self, name: str, sides: Sequence[Shape], result: Shape, attributes: dict[str, Any]) -> Op:
        rhs = self.blocked(sides[1])
        while not rhs.quantized_element_type.block_sizes:
            rhs = self.blocked(sides[1])
        hybrid = self.rng.random() < 0.25
        lhs = self.floats(sides[0]) if hybrid else self.blocked(sides[0])
        out = self.floats(result) if hybrid else self.blocked(result)
        return operation(name, [lhs, rhs], out, **attributes)

    def convolve(self) -> Op:
        rng = self.rng
        size, window, features = rng.randint(2, 4), rng.randint(1, 2), rng.choice([2, 4])
        padding = rng.randint(0, 1), rng.randint(0, 1)
        lhs, rhs = (1, size, features), (window, features, 2)
        steps = num_windows(size, *padding, window, 1)
        attributes = convolving("b0f 0io b0f", padding=(padding,))
        return self.contraction("convolution", (lhs, rhs), (1, steps, 2), attributes)
