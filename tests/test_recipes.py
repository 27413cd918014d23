"""Recipes of requantization: by hand, against the oracle, compiled, and what they do not define."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import interp
from spec.accumulator import Accumulator, Reading
from spec.errors import Unspecified
from spec.evaluate import evaluate
from spec.quantized import QuantizedType
from spec.recipes import RECIPES
from spec.schedule import parse
from spec.types import TensorType, quantized
from tests.builders import contracting, module, operation
from tests.programs import PROGRAMS, Program, leaves
from tests.test_engine import RANDOM, SCHEDULES, oracle_tensor, same
from tests.test_engine import stored as storage_of

STORAGE = ("i8", "u8", "i16", "i32")
SCALES = st.one_of(
    st.sampled_from([1.0, 0.5, 0.25, 2.0**-20, 2.0**20, 0.3, 1e-9, 1e9, 2.0**-31, 2.0**-32, 2.0**-33]),
    st.floats(1e-4, 10.0),
).map(lambda x: float(np.float32(x)))
BINARY = ("add", "maximum", "minimum", "multiply", "subtract")
UNARY = ("abs", "negate", "uniform_quantize")
WIDTHS = st.sampled_from([32, 32, 32, 16, 48, 64])
WAYS = st.builds(
    Reading, st.just("integer"), st.builds(Accumulator, WIDTHS, st.booleans()), st.sampled_from([*RECIPES])
)


@st.composite
def types(draw: st.DrawFn, storage: str | None = None, channels: int = 0) -> QuantizedType:
    """Draw parameters of a type, of several channels along dimension 1, or per tensor."""
    held = storage or draw(st.sampled_from(STORAGE))
    points = st.integers(-3, 3).map(lambda x: x + 128 * (held == "u8")) if held[1:] == "8" else st.just(0)
    if not channels:
        return quantized(held, "f32", draw(SCALES), draw(points))
    scales = draw(st.lists(SCALES, min_size=channels, max_size=channels))
    return quantized(held, "f32", tuple(scales), (0,) * channels, quantization_dimension=1)


def elements(type: QuantizedType, shape: tuple[int, ...], seed: int) -> np.ndarray:
    """Return elements of which half are ends of the range, the zero point, or near to them."""
    rng, low, high = np.random.default_rng(seed), type.storage_min, type.storage_max
    edges = [low, low + 1, high - 1, high, *(type.zero_points[0] + d for d in (-1, 0, 1))]
    drawn = rng.integers(low, high, shape, endpoint=True)
    x = np.where(rng.random(shape) < 0.5, rng.choice(edges, shape), drawn)
    return np.asarray(np.clip(x, low, high), type.storage_type.numpy)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Draw a program of one operation that a recipe is about, on operands of several scales."""
    name = draw(st.sampled_from((*BINARY, *UNARY, "dot_general")))
    storage = None if name == "uniform_quantize" else draw(st.sampled_from(STORAGE))
    if name == "dot_general":
        channels = draw(st.sampled_from([0, 3]))
        lhs = draw(types(draw(st.sampled_from(["i8", "i16", "i8"]))))
        rhs = draw(types(lhs.storage_type.name, channels))
        rhs = replace(rhs, zero_points=(0,) * len(rhs.scales))
        shapes, attributes = [(2, 5), (5, 3)], contracting(1)
        inputs = [lhs, rhs]
        result = TensorType((2, 3), draw(types()))
    else:
        inputs = [draw(types(storage)) for _ in range(1 if name in UNARY else 2)]
        shapes, attributes, result = [(7,)] * len(inputs), {}, TensorType((7,), draw(types(storage)))
    operands = [TensorType(shape, type) for shape, type in zip(shapes, inputs, strict=True)]
    seeds = draw(st.integers(0, 99))
    args = tuple(elements(type, shape, seeds) for type, shape in zip(inputs, shapes, strict=True))
    return Program(module(operation(name, operands, result, **attributes)), args)


def outcome(compute: Any) -> Any:
    """Return results, or `Unspecified` where a recipe does not define them."""
    try:
        return [np.asarray(x) for x in compute()]
    except Unspecified:
        return Unspecified


def ours(program: Program, tree: Any, reading: Reading) -> Any:
    results = lambda: interp.run(program.module, *program.args, schedule=tree, reading=reading)
    return outcome(lambda: [x.storage for x in results()])


def theirs(program: Program, tree: Any, reading: Reading) -> Any:
    pairs = zip(program.args, program.module.main.inputs, strict=True)
    args = [oracle_tensor(x, value.type) for x, value in pairs]
    return outcome(lambda: map(storage_of, evaluate(program.module, args, parse(tree), reading=reading)))


def agree(program: Program, tree: Any, reading: Reading) -> None:
    found, expected = ours(program, tree, reading), theirs(program, tree, reading)
    if found is Unspecified or expected is Unspecified:
        assert found is expected
    else:
        assert all(same(x, y) for x, y in zip(found, expected, strict=True))


@settings(RANDOM, max_examples=500)
@given(programs(), WAYS)
def test_every_recipe_equals_the_oracle(program: Program, reading: Reading) -> None:
    agree(program, "left", reading)


@settings(RANDOM, max_examples=60)
@given(PROGRAMS, SCHEDULES, WAYS)
def test_reductions_by_a_recipe_equal_the_oracle(program: Program, tree: Any, reading: Reading) -> None:
    results = program.module.main.results
    if leaves(program) < 500 and all(type.size for type in results):
        agree(program, tree, reading)
