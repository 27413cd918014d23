"""Random programs for the property tests: modules, and the stored arrays to run them on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from math import prod
from typing import NamedTuple

import ml_dtypes  # noqa: F401
import numpy as np
from hypothesis import strategies as st

from spec.ir import Func, Module, Op, Region, Value
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType, make_quantized
from tests.library.builders import Element, module, operands, results, selecting, windowing, windows_in

SCALES = (0.5, 0.25, 1.0, 2.0**-7, 0.1, 0.3, 0.0039215688593685627, 1.7, 3.0, 12.5)
FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i2", "i4", "i8", "i16", "i32", "i64", "ui2", "ui4", "ui8", "ui16", "ui32", "ui64")
BINARY = ("add", "multiply", "maximum", "minimum", "subtract")


among = cache(st.sampled_from)  # Hypothesis examines a strategy anew wherever one is made
POSITIVE = st.one_of(among(SCALES), st.floats(2.0**-10, 100.0))


class Program(NamedTuple):
    module: Module
    args: tuple[np.ndarray, ...]


def storage_range(draw: st.DrawFn, element: ElementType) -> tuple[int, int]:
    """The full range of a storage type, or often a part of it."""
    if draw(st.booleans()):
        return element.min_value, element.max_value
    low = draw(st.integers(element.min_value, element.max_value - 1))
    return low, draw(st.integers(low + 1, element.max_value))


@cache
@st.composite
def quantized_types(draw: st.DrawFn, expressed: str = "", least_bits: int = 2) -> QuantizedType:
    """Per-tensor types of every width, sign, range and expressed type."""
    bits = draw(among(tuple(b for b in (2, 4, 8, 16, 32) if b >= least_bits)))
    name = draw(among("iu")) + str(bits)
    element = ELEMENT_TYPES[name.replace("u", "ui")]
    low, high = storage_range(draw, element)
    scale = draw(POSITIVE)
    zero_point = draw(st.one_of(st.just(min(max(0, low), high)), st.integers(low, high)))
    expressed = expressed or draw(among(FLOATS))
    return make_quantized(name, expressed, scale, zero_point, storage_min=low, storage_max=high)


@cache
@st.composite
def reductions(
    draw: st.DrawFn, kinds: tuple[str, ...] = ("quantized", "float", "integer")
) -> tuple[Element, Element]:
    """An element type and one that it may be accumulated in."""
    kind = draw(among(kinds))
    if kind == "quantized":
        element = draw(quantized_types())
        if draw(st.booleans()):
            return element, element
        wider = quantized_types(element.expressed_type.name, element.storage_type.bits)
        return element, draw(wider)
    names = FLOATS if kind == "float" else INTEGERS
    element = ELEMENT_TYPES[draw(among(names))]
    wider = tuple(n for n in names if ELEMENT_TYPES[n].bits >= element.bits)
    return element, ELEMENT_TYPES[draw(among(wider))]


PAIRS = st.lists(reductions(), min_size=1, max_size=2)


def stored(rng: np.random.Generator, type: TensorType) -> np.ndarray:
    """Stored elements of a type: any bits for floats in half of the draws, else small friendly numbers."""
    storage, dtype = type.storage_type, np.dtype(type.storage_type.numpy)
    if storage.kind == "boolean":
        return rng.integers(0, 2, type.shape).astype(bool)
    if storage.kind == "complex":
        part = TensorType(type.shape, ELEMENT_TYPES[storage.name[8:-1]])
        return np.stack([stored(rng, part), stored(rng, part)], -1).view(dtype)[..., 0]
    if storage.kind == "float":
        if rng.random() < 0.5:
            return (rng.integers(-40, 40, type.shape) / 8).astype(dtype)
        bits = rng.integers(0, 2 ** min(storage.bits, 8), (*type.shape, dtype.itemsize), dtype=np.uint8)
        return np.ascontiguousarray(bits).view(dtype)[..., 0].reshape(type.shape)
    low, high = storage.min_value, storage.max_value
    if isinstance(type.element_type, QuantizedType):
        low, high = type.element_type.storage_min, type.element_type.storage_max
    if rng.random() < 0.3:
        low, high = max(low, -5), min(high, 5) if low <= 5 else high
        low = min(low, high)
    return rng.integers(low, high, type.shape, endpoint=True, dtype=dtype)


def body(draw: st.DrawFn, elements: list[Element]) -> Region:
    """A reduction body on one or more operands: single operations, and composed ones."""
    lhs = [Value(f"%l{i}", TensorType((), e)) for i, e in enumerate(elements)]
    rhs = [Value(f"%r{i}", TensorType((), e)) for i, e in enumerate(elements)]
    ops: list[Op] = []

    def emit(name: str, element: Element, *operands: Value, **attributes: object) -> Value:
        result = Value(f"%b{len(ops)}", TensorType((), element))
        ops.append(Op(f"stablehlo.{name}", operands, (result,), attributes))
        return result

    if len(elements) > 1 and draw(st.booleans()):  # one operand decides for all: argmax and its like
        direction = draw(among(("GE", "GT", "LE", "LT", "EQ", "NE")))
        pred = emit("compare", ELEMENT_TYPES["i1"], lhs[0], rhs[0], comparison_direction=direction)
        results = [emit("select", e, pred, a, b) for e, a, b in zip(elements, lhs, rhs, strict=True)]
    else:
        results = []
        for e, a, b in zip(elements, lhs, rhs, strict=True):
            x = emit(draw(among(BINARY)), e, a, b)
            if draw(st.integers(0, 3)) == 0:
                x = emit(draw(among(BINARY)), e, x, draw(st.sampled_from([a, b, x])))
            if draw(st.integers(0, 5)) == 0 and getattr(e, "kind", "signed") != "unsigned":
                x = emit(draw(among(("negate", "abs"))), e, x)
            results.append(x)
    return Region((*lhs, *rhs), (*ops, Op("stablehlo.return", tuple(results), ())))


def with_data(draw: st.DrawFn, op: Op) -> Program:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    return Program(module(op), tuple(stored(rng, v.type) for v in op.operands))


SIZES = st.sampled_from((3, 2, 4, 5, 1, 6, 0))  # zero and one occur, but do not rule
SHAPES = st.sampled_from((2, 1, 3, 0)).flatmap(lambda rank: st.tuples(*[SIZES] * rank))


@st.composite
def reduces(draw: st.DrawFn) -> Program:
    """`reduce` over any dimensions, one or two operands."""
    shape = draw(SHAPES)
    pairs = draw(PAIRS)
    dimensions = tuple(draw(st.lists(st.sampled_from(range(len(shape))), unique=True)) if shape else ())
    kept = tuple(n for d, n in enumerate(shape) if d not in dimensions)
    inputs, wide = [a for a, _ in pairs], [b for _, b in pairs]
    region = body(draw, wide)
    op = Op(
        "stablehlo.reduce",
        operands(shape, inputs),
        results(kept, wide),
        {"dimensions": dimensions},
        (region,),
    )
    return with_data(draw, op)


def padding(draw: st.DrawFn) -> tuple[int, int]:
    """Draw padding of either sign; sometimes more is cut off than there is."""
    return draw(st.integers(-1, 2)), draw(st.integers(-1, 2))


@st.composite
def reduce_windows(draw: st.DrawFn) -> Program:
    """`reduce_window` with strides, both dilations, padding of either sign, one or two operands."""
    shape = draw(SHAPES)
    pairs = draw(PAIRS)
    few = lambda most: tuple(draw(st.integers(1, most)) for _ in shape)
    window, strides, base, dilations = few(3), few(3), few(2), few(2)
    pads = tuple(padding(draw) for _ in shape)
    inputs, wide = [a for a, _ in pairs], [b for _, b in pairs]
    attributes = windowing(window, strides, base, dilations, pads)
    out = windows_in(shape, attributes)
    region = body(draw, wide)
    op = Op("stablehlo.reduce_window", operands(shape, inputs), results(out, wide), attributes, (region,))
    return with_data(draw, op)


@st.composite
def select_and_scatters(draw: st.DrawFn) -> Program:
    """`select_and_scatter` with overlapping windows, empty windows and a wider scatter body."""
    shape = draw(SHAPES)[:2]
    element, wide = draw(reductions())
    window = tuple(draw(st.integers(1, 3)) for _ in shape)
    strides = tuple(draw(st.integers(1, 3)) for _ in shape)
    pads = tuple(padding(draw) for _ in shape)
    attributes = {"window_dimensions": window, "window_strides": strides, "padding": pads}
    source = windows_in(shape, attributes)
    select = selecting(element, draw(among(("GE", "GT", "LE", "LT"))))
    args = (
        Value("%arg0", TensorType(shape, element)),
        Value("%arg1", TensorType(source, element)),
        Value("%arg2", TensorType((), element)),
    )
    result = results(shape, [wide])
    op = Op("stablehlo.select_and_scatter", args, result, attributes, (select, body(draw, [wide])))
    return with_data(draw, op)


PROGRAMS = st.one_of(reduces(), reduce_windows(), select_and_scatters())


def leaves(program: Program) -> int:
    """Roughly how much work the literal oracle has with a program."""
    op = program.module.main.body.ops[0]
    window = prod(op.attributes.get("window_dimensions", (1,)))
    return prod(op.operands[0].type.shape) * window


def joined(programs: Sequence[Program]) -> Program:
    """Return one program that computes what several do, side by side: it compiles in less time than they."""
    arguments: list[Value] = []
    ops: list[Op] = []
    results: list[Value] = []
    for k, program in enumerate(programs):
        region = prefixed(program.module.main.body, f"p{k}_")
        arguments += region.arguments
        ops += region.ops[:-1]
        results += region.returns
    body = Region(tuple(arguments), (*ops, Op("func.return", tuple(results), ())))
    args = tuple(x for program in programs for x in program.args)
    return Program(Module({"main": Func("main", body, tuple(v.type for v in results))}), args)


def prefixed(region: Region, prefix: str) -> Region:
    """Return the region with other names for all its values."""

    def renamed(values: Sequence[Value]) -> tuple[Value, ...]:
        return tuple(Value(f"%{prefix}{v.name[1:]}", v.type) for v in values)

    ops = tuple(
        replace(
            op,
            operands=renamed(op.operands),
            results=renamed(op.results),
            regions=tuple(prefixed(inner, prefix) for inner in op.regions),
        )
        for op in region.ops
    )
    return Region(renamed(region.arguments), ops)
