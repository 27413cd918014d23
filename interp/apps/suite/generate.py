"""Random valid reductions, matrix products, scatters and sorts with arguments, from a seed.

They use Python's `random` alone, so that a seed always gives the same program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import NamedTuple

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.engine.bodies import alone
from interp.engine.leaf_counts import windows
from interp.engine.storage import storage_range
from spec.ir import Module, Op, Region, Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, make_quantized

Element = ElementType | QuantizedType
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i4", "i8", "i16", "i32", "ui4", "ui8", "ui16", "ui32")
SCALES = (0.5, 0.25, 1.0, 2.0**-7, 0.1, 0.3, 1.7, 3.0, 12.5)
COMBINING = ("add", "add", "maximum", "minimum", "multiply", "subtract")
SIZES = (3, 2, 4, 5, 1, 6, 0)
SCATTER, SORT, DOT = "stablehlo.scatter", "stablehlo.sort", "stablehlo.dot_general"
SELECT_AND_SCATTER = "stablehlo.select_and_scatter"


class Program(NamedTuple):
    """A function of one operation, whose operands are the parameters, and the arguments for them."""

    op: Op
    args: tuple[np.ndarray, ...]

    @property
    def module(self) -> Module:
        return Module({"main": alone(self.op)})


def program(seed: int, ops: Sequence[str] = ()) -> Program:
    """Return a program of one of these operations (keys of `MAKERS`), or of any, on a few elements."""
    rng = Random(seed)
    shape = tuple(rng.choice(SIZES) for _ in range(rng.choice((1, 2, 2, 3))))
    makers = [MAKERS[name] for name in ops or USUAL]
    op = fit_types(rng.choice(makers)(rng, shape))
    args = [random_elements(rng, value.type) for value in op.operands]
    if op.name == SCATTER:
        args[len(op.results)] = indices(rng, op)
    return Program(op, tuple(args))


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
    return Op(SELECT_AND_SCATTER, operands, (result,), attributes, (select, body(rng, [E])))


def scatter(rng: Random, shape: tuple[int, ...]) -> Op:
    """Return a scatter of slices along one dimension, whose indices mostly lie in the operand."""
    pairs = [accumulation(rng) for _ in range(rng.choice((1, 1, 2)))]
    inputs = [Value(f"%x{k}", TensorType(shape, given)) for k, (given, _) in enumerate(pairs)]
    updates = [Value(f"%update{k}", x.type) for k, x in enumerate(inputs)]
    count = rng.choice((2, 3, 5, 1))
    indices = Value("%indices", TensorType((count, 1), ELEMENT_TYPES["i8"]))
    region = body(rng, [E for _, E in pairs])
    attributes = slices(len(shape), rng.randrange(len(shape)), rng.randrange(len(shape)))
    results = tuple(Value(f"%result{k}", value.type) for k, value in enumerate(region.returns))
    return Op(SCATTER, (*inputs, indices, *updates), results, attributes, (region,))


def indices(rng: Random, op: Op) -> np.ndarray:
    """Return random indices of a scatter: in the operand, or just before or after."""
    (dimension,), type = op["inserted_window_dims"], op.operands[len(op.results)].type
    size = op.operands[0].type.shape[dimension]
    return np.array([rng.randint(-1, size) for _ in range(type.size)], np.int8).reshape(type.shape)


def slices(rank: int, dimension: int, place: int) -> dict[str, object]:
    """Return attributes of a scatter along `dimension`; `place` is the updates' dimension of the indices."""
    return {
        "update_window_dims": tuple(d for d in range(rank) if d != place),
        "inserted_window_dims": (dimension,),
        "input_batching_dims": (),
        "scatter_indices_batching_dims": (),
        "scatter_dims_to_operand_dims": (dimension,),
        "index_vector_dim": 1,
        "indices_are_sorted": False,
        "unique_indices": False,
    }


def sort(rng: Random, shape: tuple[int, ...]) -> Op:
    """Return a stable sort by the first of one or two operands."""
    types = [accumulation(rng)[0] for _ in range(rng.choice((1, 2)))]
    inputs = tuple(Value(f"%x{k}", TensorType(shape, type)) for k, type in enumerate(types))
    arguments = tuple(Value(f"%{side}{k}", TensorType((), t)) for k, t in enumerate(types) for side in "ab")
    less = Value("%less", TensorType((), ELEMENT_TYPES["i1"]))
    how = {"comparison_direction": rng.choice(("LT", "GT"))}
    if inputs[0].type.storage_type.kind == "float":
        how["compare_type"] = "TOTALORDER"  # an order of NaNs, too
    ops = Op("stablehlo.compare", arguments[:2], (less,), how), Op("stablehlo.return", (less,), ())
    attributes = {"dimension": rng.randrange(len(shape)), "is_stable": True}
    results = tuple(Value(f"%result{k}", x.type) for k, x in enumerate(inputs))
    return Op(SORT, inputs, results, attributes, (Region(arguments, ops),))


def dot_general(rng: Random, shape: tuple[int, ...]) -> Op:
    """Return a product of a matrix or vector with another; its sums have up to 70 terms."""
    terms = rng.choice((*SIZES, 16, 70))
    sides = [tuple(rng.sample((1, 2, 3), rng.choice((0, 1, 1)))) for _ in range(2)]
    left, right, result = factors(rng)
    lhs = Value("%lhs", TensorType((*sides[0], terms), left))
    rhs = Value("%rhs", TensorType((terms, *sides[1]), right))
    attributes = {
        "lhs_batching_dimensions": (),
        "rhs_batching_dimensions": (),
        "lhs_contracting_dimensions": (len(sides[0]),),
        "rhs_contracting_dimensions": (0,),
    }
    return Op(DOT, (lhs, rhs), (Value("%result", TensorType((), result)),), attributes)


def factors(rng: Random) -> tuple[Element, Element, Element]:
    """Return random element types of the two operands of a product, and of its result."""
    given, wide = accumulation(rng)
    if isinstance(given, ElementType):
        is_alike = isinstance(wide, ElementType) and wide.kind == given.kind
        return given, given, wide if is_alike else given
    name, expressed = given.spelling, given.expressed_type.name
    low, high = storage_range(given)
    if not low <= 0 <= high:
        given = make_quantized(name, expressed, given.scale, 0)
    return given, make_quantized(name, expressed, rng.choice(SCALES), 0), wide


def fit_types(op: Op) -> Op:
    """Return the operation with the types that follow from its first operand, attributes and bodies."""
    of_operands, of_result = shapes(op)
    operands = tuple(map(with_shape, op.operands, of_operands))
    made_by = operands if op.name == SORT else op.results if op.name == DOT else op.regions[-1].returns
    results = tuple(
        Value(value.name, TensorType(of_result, made.type.element_type))
        for value, made in zip(op.results, made_by, strict=True)
    )
    return replace(op, operands=operands, results=results)


def shapes(op: Op) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
    """Return the shapes of the operands, and the shape of the results."""
    shape, n = op.operands[0].type.shape, len(op.results)
    if op.name == SORT:
        return [shape] * n, shape
    if op.name == DOT:
        columns = op.operands[1].type.shape[1:]
        return [shape, (*shape[-1:], *columns)], (*shape[:-1], *columns)
    if op.name == SCATTER:
        indices, (dimension,) = op.operands[n].type.shape, op["inserted_window_dims"]
        window = iter((*shape[:dimension], *shape[dimension + 1 :]))
        inside = op["update_window_dims"]
        updates = tuple(next(window) if d in inside else indices[0] for d in range(len(shape)))
        return [*[shape] * n, indices, *[updates] * n], shape
    if op.name == SELECT_AND_SCATTER:
        return [shape, tuple(map(len, windows(op))), ()], shape
    if op.name == "stablehlo.reduce":
        out = tuple(size for d, size in enumerate(shape) if d not in op["dimensions"])
    else:
        out = tuple(map(len, windows(op)))
    return [shape] * n + [()] * n, out


def with_shape(value: Value, shape: tuple[int, ...]) -> Value:
    return Value(value.name, replace(value.type, shape=shape))


def padding(rng: Random) -> tuple[int, int]:
    """Return random padding of either sign, which sometimes cuts off more than there is."""
    return rng.randint(-1, 2), rng.randint(-1, 2)


def accumulation(rng: Random) -> tuple[Element, Element]:
    """Return a random element type, and a type in which it may be accumulated."""
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
    return make_quantized(name, expressed, rng.choice(SCALES), zero_point, storage_min=low, storage_max=high)


def body(rng: Random, types: Sequence[Element]) -> Region:
    """Return a body of one or two operations per operand; with two operands, one may decide for both."""
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


def random_elements(rng: Random, type: TensorType) -> np.ndarray:
    """Return random stored elements, either any or only numbers near zero."""
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


MAKERS: dict[str, Callable[[Random, tuple[int, ...]], Op]] = {
    "reduce": reduce,
    "reduce_window": reduce_window,
    "select_and_scatter": select_and_scatter,
    "dot_general": dot_general,
    "scatter": scatter,
    "sort": sort,
}
USUAL = ("reduce", "reduce_window", "select_and_scatter", *MAKERS)  # reductions twice as often as the others
