"""Random valid reductions with arguments, from a seed.

They use Python's `random` alone, so that a seed always gives the same program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.engine.bodies import alone
from interp.engine.leaf_counts import windows
from interp.engine.stored import storage_range
from spec.ir import Module, Op, Region, Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, quantized

Element = ElementType | QuantizedType
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i4", "i8", "i16", "i32", "ui4", "ui8", "ui16", "ui32")
SCALES = (0.5, 0.25, 1.0, 2.0**-7, 0.1, 0.3, 1.7, 3.0, 12.5)
COMBINING = ("add", "add", "maximum", "minimum", "multiply", "subtract")
SIZES = (3, 2, 4, 5, 1, 6, 0)
SCATTER = "stablehlo.select_and_scatter"


class Program(NamedTuple):
    """A function of one reduction, whose operands are the function's parameters, and their arguments."""

    op: Op
    args: tuple[np.ndarray, ...]

    @property
    def module(self) -> Module:
        return Module({"main": alone(self.op)})


def program(seed: int) -> Program:
    """Return one of reduce, reduce_window and select_and_scatter on a few elements."""
    rng = Random(seed)
    shape = tuple(rng.choice(SIZES) for _ in range(rng.choice((1, 2, 2, 3))))
    op = fitted(rng.choice((reduce, reduce_window, select_and_scatter))(rng, shape))
    return Program(op, tuple(stored(rng, value.type) for value in op.operands))


def reduce(rng: Random, shape: tuple[int, ...]) -> Op:
    dimensions = tuple(sorted(rng.sample(range(len(shape)), rng.randint(1, len(shape)))))
    return reducer(rng, "stablehlo.reduce", shape, {"dimensions": dimensions})


def reduce_window(rng: Random, shape: tuple[int, ...]) -> Op:
    few = lambda most: tuple(rng.randint(1, most) for _ in shape)
    attributes = {
        "window_dimensions": few(3),
        "window_strides": few(2),
        "base_dilations": few(2),
        "window_dilations": few(2),
        "padding": tuple(padding(rng) for _ in shape),
    }
    return reducer(rng, "stablehlo.reduce_window", shape, attributes)


def reducer(rng: Random, name: str, shape: tuple[int, ...], attributes: Mapping[str, object]) -> Op:
    """Return a random body on one or two inputs."""
    pairs = [accumulation(rng) for _ in range(rng.choice((1, 1, 2)))]
    inputs = [Value(f"%x{k}", TensorType(shape, given)) for k, (given, _) in enumerate(pairs)]
    inits = [Value(f"%init{k}", TensorType((), given)) for k, (given, _) in enumerate(pairs)]
    region = body(rng, [E for _, E in pairs])
    results = tuple(Value(f"%result{k}", value.type) for k, value in enumerate(region.returns))
    return Op(name, (*inputs, *inits), results, attributes, (region,))


def select_and_scatter(rng: Random, shape: tuple[int, ...]) -> Op:
    given, E = accumulation(rng)
    names = ("%operand", "%source", "%init")
    operands = tuple(Value(name, TensorType(shape, given)) for name in names)
    few = lambda most: tuple(rng.randint(1, most) for _ in shape)
    attributes = {
        "window_dimensions": few(3),
        "window_strides": few(3),
        "padding": tuple(padding(rng) for _ in shape),
    }
    a, b = Value("%a", TensorType((), given)), Value("%b", TensorType((), given))
    selected = Value("%selected", TensorType((), ELEMENT_TYPES["i1"]))
    direction = {"comparison_direction": rng.choice(("GE", "GT", "LE", "LT"))}
    compare = Op("stablehlo.compare", (a, b), (selected,), direction)
    select = Region((a, b), (compare, Op("stablehlo.return", (selected,), ())))
    result = Value("%result", TensorType(shape, E))
    return Op(SCATTER, operands, (result,), attributes, (select, body(rng, [E])))


def fitted(op: Op) -> Op:
    """Return the operation with the shapes that follow from its first operand and its attributes."""
    shape, n = op.operands[0].type.shape, len(op.results)
    if op.name == "stablehlo.reduce":
        out = tuple(size for d, size in enumerate(shape) if d not in op["dimensions"])
    else:
        out = tuple(map(len, windows(op)))
    shapes = [shape, out, ()] if op.name == SCATTER else [shape] * n + [()] * n
    operands = tuple(map(reshaped, op.operands, shapes))
    types = [value.type.element_type for value in op.regions[-1].returns]
    shaped = TensorType(shape if op.name == SCATTER else out, types[0])
    results = tuple(
        Value(value.name, replace(shaped, element_type=type))
        for value, type in zip(op.results, types, strict=True)
    )
    return replace(op, operands=operands, results=results)


def reshaped(value: Value, shape: tuple[int, ...]) -> Value:
    return Value(value.name, replace(value.type, shape=shape))


def padding(rng: Random) -> tuple[int, int]:
    """Return random padding of either sign, which sometimes cuts off more than there is."""
    return rng.randint(-1, 2), rng.randint(-1, 2)


def accumulation(rng: Random) -> tuple[Element, Element]:
    """Return a random element type, and one that it may be accumulated in."""
    kind = rng.choice(("quantized", "quantized", "float", "integer"))
    if kind == "quantized":
        given = quantized_type(rng, rng.choice(FLOATS), 2)
        wide = quantized_type(rng, given.expressed_type.name, given.storage_type.bits)
        return given, rng.choice((given, wide))
    names = FLOATS if kind == "float" else INTEGERS
    element = ELEMENT_TYPES[rng.choice(names)]
    return element, rng.choice([t for t in map(ELEMENT_TYPES.get, names) if t and t.bits >= element.bits])


def quantized_type(rng: Random, expressed: str, least_bits: int) -> QuantizedType:
    """Return a random per-tensor type, of any width and sign, often with part of the storage range."""
    name = rng.choice("iu") + str(rng.choice([b for b in (2, 4, 8, 8, 16, 32) if b >= least_bits]))
    full = ELEMENT_TYPES[name.replace("u", "ui")]
    low, high = full.min_value, full.max_value
    if rng.random() < 0.3:
        low, high = sorted(rng.sample(range(low, high + 1), 2))
    zero_point = rng.choice((min(max(0, low), high), rng.randint(low, high)))
    return quantized(name, expressed, rng.choice(SCALES), zero_point, storage_min=low, storage_max=high)


def body(rng: Random, types: Sequence[Element]) -> Region:
    """Return one operation for each operand, or two; of two operands one sometimes decides for both."""
    lhs = [Value(f"%l{k}", TensorType((), E)) for k, E in enumerate(types)]
    rhs = [Value(f"%r{k}", TensorType((), E)) for k, E in enumerate(types)]
    ops: list[Op] = []

    def emit(name: str, type: TensorType, *operands: Value, **attributes: object) -> Value:
        result = Value(f"%v{len(ops)}", type)
        ops.append(Op(f"stablehlo.{name}", operands, (result,), attributes))
        return result

    if len(types) > 1 and rng.random() < 0.5:
        boolean = TensorType((), ELEMENT_TYPES["i1"])
        first = emit("compare", boolean, lhs[0], rhs[0], comparison_direction=rng.choice(("GE", "LT")))
        results = [emit("select", a.type, first, a, b) for a, b in zip(lhs, rhs, strict=True)]
    else:
        results = [emit(rng.choice(COMBINING), a.type, a, b) for a, b in zip(lhs, rhs, strict=True)]
        if rng.random() < 0.2:
            results[0] = emit(rng.choice(COMBINING), lhs[0].type, results[0], rng.choice((lhs[0], rhs[0])))
    return Region((*lhs, *rhs), (*ops, Op("stablehlo.return", tuple(results), ())))


def stored(rng: Random, type: TensorType) -> np.ndarray:
    """Return random stored elements: any, or only such near zero."""
    storage, size = type.storage_type, type.size
    if storage.kind == "float":
        if rng.random() < 0.7:
            return (
                np.array([rng.randint(-40, 40) / 8 for _ in range(size)])
                .astype(numpy_dtype(storage))
                .reshape(type.shape)
            )
        bits = np.array([rng.getrandbits(storage.bits) for _ in range(size)], f"u{storage.bits // 8}")
        return bits.view(numpy_dtype(storage)).reshape(type.shape)
    low, high = storage_range(type.element_type)
    if rng.random() < 0.3:
        low, high = min(max(low, -5), high), max(min(high, 5), low)
    return np.array([rng.randint(low, high) for _ in range(size)], numpy_dtype(storage)).reshape(type.shape)
