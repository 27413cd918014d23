"""Workloads of contractions: matrix products, convolutions and a network, against XLA's own float program."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from benchmarks import peers, resnet, transformer
from benchmarks.cases import OWN, Case, DataSet, Family
from benchmarks.programs import Shape, tensor
from benchmarks.workload import Workload
from spec.types import parse_type

FLOATS = "it adds in another order, in floats"


class Kind(NamedTuple):
    """Element types of the operands and the result, and the targets for eager and compiled runs."""

    name: str
    types: tuple[str, str, str]
    dot: tuple[float, float]
    convolution: tuple[float, float]


def quantized(scale: float) -> str:
    return f"!quant.uniform<i8<-127:127>:f32, {scale!r}>"


KINDS = (
    Kind("i8 to i32", ("i8", "i8", "i32"), (1.5, 1.1), (2, 1.2)),
    Kind("binary scales", (quantized(2**-4), quantized(2**-7), quantized(2.0)), (1.5, 1.1), (2, 1.2)),
    Kind("real scales", (quantized(0.061), quantized(0.0083), quantized(2.1)), (5, 8), (5, 8)),
    Kind("f32", ("f32", "f32", "f32"), (5, 8), (5, 8)),
    Kind("bf16", ("bf16", "bf16", "bf16"), (20, 20), (20, 20)),
)
TOKENS = Family(((16, 32), (128, 256)), lambda elements: (128, 256))
SQUARES = Family(((256,), (1024,)), lambda elements: (round(elements ** (1 / 3)),))
ROWS = Family(((256,), (2048,)), lambda elements: (round(elements**0.5),))
HIDDEN = Family(((8, 64), (64, 3072)), lambda elements: (64, max(1, elements // 64)))
IMAGES = Family(((28,), (56,)), lambda elements: (round((elements / (9 * 64**2)) ** 0.5),))
NETWORKS = Family(((32,), (224,)), lambda elements: (224,))


def drawn(shape: Shape, element: str, seed: int) -> np.ndarray:
    """Return stored numbers of about the distribution that trained weights have."""
    numbers = np.random.default_rng(seed).normal(size=shape)
    storage = parse_type(tensor(shape, element)).storage_type
    return (np.rint(np.clip(30 * numbers, -127, 127)) if storage.is_integer else numbers).astype(
        storage.numpy
    )


def dot(types: Sequence[str], side: int) -> str:
    left, right, result = (tensor((side, side), type) for type in types)
    return f"""func.func @main(%x: {left}, %w: {right}) -> {result} {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({left}, {right}) -> {result}
  return %0 : {result}
}}"""


def convolution(types: Sequence[str], side: int) -> str:
    image, kernel = (1, side, side, 64), (3, 3, 64, 64)
    left, right, result = (tensor(s, type) for s, type in zip((image, kernel, image), types, strict=True))
    line = resnet.convolution("%0", "%x", "%w", 1, 1, (left, right, result))
    return f"func.func @main(%x: {left}, %w: {right}) -> {result} {{\n  {line}\n  return %0 : {result}\n}}"


def contraction(
    write: Callable[[Sequence[str], int], str], types: Sequence[str], shapes: Callable[[int], Sequence[Shape]]
) -> Callable[[Shape, DataSet], Case]:
    def case(shape: Shape, data: DataSet) -> Case:
        (side,) = shape
        sizes = shapes(side)
        args = tuple(drawn(size, type, k) for k, (size, type) in enumerate(zip(sizes, types, strict=False)))
        products = prod(sizes[0]) * prod(sizes[1]) // sizes[1][-2]
        return Case(write(types, side), args, products, lambda plain: write([plain] * 3, side))

    return case


def row_times_matrix(shape: Shape, data: DataSet) -> Case:
    """Return a product of f32 of one row, as a decoder computes it for each token."""
    (side,) = shape
    row, matrix = tensor((1, side), "f32"), tensor((side, side), "f32")
    program = f"""func.func @main(%x: {row}, %w: {matrix}) -> {row} {{
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : ({row}, {matrix}) -> {row}
  return %0 : {row}
}}"""
    args = drawn((1, side), "f32", 0), drawn((side, side), "f32", 1)
    return Case(program, args, side**2, lambda plain: program)


def gelu(shape: Shape, data: DataSet) -> Case:
    """Return `x / 2 (1 + tanh(0.798 (x + 0.0447 x^3)))` of f32, with the bias that comes before it."""
    type, vector = tensor(shape, "f32"), tensor(shape[1:], "f32")
    numbers = {"half": 0.5, "one": 1.0, "scale": 0.7978846, "cubic": 0.044715}
    constants = [f"%{name} = stablehlo.constant dense<{x}> : {type}" for name, x in numbers.items()]
    steps = (
        *(("add", "%x, %wide"), ("multiply", "%0, %0"), ("multiply", "%1, %0"), ("multiply", "%cubic, %2")),
        *(("add", "%0, %3"), ("multiply", "%scale, %4"), ("tanh", "%5"), ("add", "%one, %6")),
        *(("multiply", "%half, %7"), ("multiply", "%0, %8")),
    )
    lines = "\n  ".join(
        [
            *constants,
            f"%wide = stablehlo.broadcast_in_dim %b, dims = [1] : ({vector}) -> {type}",
            *(f"%{k} = stablehlo.{name} {operands} : {type}" for k, (name, operands) in enumerate(steps)),
        ]
    )
    program = f"func.func @main(%x: {type}, %b: {vector}) -> {type} {{\n  {lines}\n  return %9 : {type}\n}}"
    args = drawn(shape, "f32", 0), drawn(shape[1:], "f32", 1)
    return Case(program, args, prod(shape), lambda plain: program)


def blocked_dot(shape: Shape, data: DataSet) -> Case:
    """Return a product of f32 with weights of 4 bits, of which every 32 along the sum have a scale."""
    (side,) = shape
    scales = np.random.default_rng(2).uniform(0.001, 0.1, (side // 32, side)).astype(np.float32)
    rows = ", ".join("{" + ", ".join(f"{x:.6e}" for x in row) + "}" for row in scales.tolist())
    weights = f"!quant.uniform<i4:f32:{{0:32, 1:1}}, {{{rows}}}>"
    args = drawn((side, side), "f32", 0), np.clip(drawn((side, side), "i8", 1) // 4, -8, 7)
    return Case(dot(("f32", weights, "f32"), side), args, side**3, lambda plain: dot([plain] * 3, side))


def network(types: Sequence[str]) -> Callable[[Shape, DataSet], Case]:
    def case(shape: Shape, data: DataSet) -> Case:
        (side,) = shape
        program, parameters = resnet.program(types, side)
        args = tuple(drawn(size, type, k) for k, (size, type) in enumerate(parameters))
        return Case(program, args, 1, lambda plain: resnet.program([plain] * 2, side)[0])

    return case


def attention(types: Sequence[str]) -> Callable[[Shape, DataSet], Case]:
    def case(shape: Shape, data: DataSet) -> Case:
        program, parameters = transformer.program(types, *shape)
        args = tuple(drawn(size, type, k) for k, (size, type) in enumerate(parameters))
        return Case(program, args, 1, lambda plain: transformer.program([plain] * 2, *shape)[0])

    return case


XLA = peers.xla_program("XLA f32", "f32", np.float32)._replace(differs=FLOATS)


def _workload(
    id: str, what: str, family: Family, case: Callable, limits: Sequence[float], unit: str
) -> Workload:
    eager, compiled = limits
    return Workload(
        id, what, family, [OWN], case, [XLA], {"XLA f32": eager}, {"XLA f32": compiled}, unit=unit
    )


def _of(kind: Kind) -> list[Workload]:
    product = contraction(dot, kind.types, lambda side: [(side, side)] * 2)
    windows = contraction(convolution, kind.types, lambda side: [(1, side, side, 64), (3, 3, 64, 64)])
    return [
        _workload(f"D {kind.name}", "1024^3 dot", SQUARES, product, kind.dot, "product"),
        _workload(
            f"C {kind.name}", "convolution 56x56x64, 3x3", IMAGES, windows, kind.convolution, "product"
        ),
    ]


def _by_library(workload: Workload) -> Workload:
    """Return the same contraction as one product of a library, against NumPy's and XLA's own."""
    product = peers.numpy("NumPy", np.matmul)._replace(differs=FLOATS)
    others = [product, XLA] if workload.id.startswith("D") else [XLA]
    limits = {peer.name: 1.3 for peer in others}
    return workload._replace(
        id=f"{workload.id} library",
        what=f"{workload.what}, contractions=library",
        ours=peers.BY_LIBRARY,
        peers=others,
        eager=limits,
        compiled={"XLA f32": 1.3},
    )


BLOCKS = _workload("D blocks of 32", "1024^3 dot", SQUARES, blocked_dot, (3, 2), "product")
ROW = _workload("D f32 row", "1x2048 by 2048x2048 dot", ROWS, row_times_matrix, (5, 1.5), "product")
GELU = _workload("E f32", "a bias and gelu, 64x3072", HIDDEN, gelu, (12, 6), "element")
LIBRARY = tuple(_by_library(workload) for workload in _of(KINDS[3]))
RESNETS = (
    _workload(
        "R binary scales",
        "ResNet-18",
        NETWORKS,
        network([quantized(2**-4), quantized(2**-7)]),
        (2, 1.2),
        "image",
    ),
    _workload(
        "R real scales",
        "ResNet-18",
        NETWORKS,
        network([quantized(0.061), quantized(0.0083)]),
        (5, 8),
        "image",
    ),
    _workload("R f32", "ResNet-18", NETWORKS, network(["f32", "f32"]), (5, 8), "image"),
)
TRANSFORMER = _workload(
    "T real scales",
    "transformer, 2 layers, 128x256",
    TOKENS,
    attention([quantized(0.061), quantized(0.0083)]),
    (6, 6),
    "pass",
)
WORKLOADS = (
    *(workload for kind in KINDS for workload in _of(kind)),
    ROW,
    GELU,
    BLOCKS,
    *LIBRARY,
    *RESNETS,
    TRANSFORMER,
)
