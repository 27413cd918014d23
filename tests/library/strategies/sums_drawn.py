"""Random reductions by seed: every expressed type, odd storage, extreme scales, zero points and leaves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from math import isfinite
from random import Random
from typing import Any, NamedTuple

import numpy as np

from spec.attributes import Dense
from spec.ir import Func, Module, Op, Region, Value
from spec.types import ELEMENT_TYPES, FLOATS, ElementType, QuantizedType, TensorType, integer, make_quantized
from tests.library.builders import combining, selecting, windowing
from tests.library.oracles.exact_model import finite, fl, greatest_float, modelled, windowed

Type = QuantizedType | ElementType
EXPRESSED = [t.name for t in FLOATS if t.special != "fnu"]  # nothing is said of f8E8M0FNU, which has no zero
USUAL = ["f32", "f32", "f16", "bf16", "f64", "f8E4M3FN", "f8E5M2"]


ABSENT = -1
NOTHING = Module({"main": Func("main", Region((), ()), ())})
Row = list[int | None]


class Drawn(NamedTuple):
    """A reduction of `values` and `init` into `type` by `body`; `windows` has every element's leaves but the
    init: positions in the input, None for padding, `ABSENT` where a source selected another element.

    `known` says whether the init is a constant, `selected` whether it is a select_and_scatter, `unordered`
    whether an element of its operand is NaN, so that other schedules may select others.
    """

    module: Module
    args: tuple[np.ndarray, ...]
    source: Type
    start: Type
    type: Type
    body: str
    windows: list[Row]
    values: list[int]
    init: int
    known: bool
    selected: bool = False
    unordered: bool = False

    def leaves(self, values: list[Any], init: Any) -> list[list[Any]]:
        """Return the leaves of every element, from converted inputs and init."""
        rows = ([k for k in row if k != ABSENT] for row in self.windows)
        return [[init, *(init if k is None else values[k] for k in row)] for row in rows]


def storage(rng: Random, least: int) -> tuple[str, int, int]:
    """A spelling, and bounds: often those of the type."""
    bits = rng.choice([b for b in (2, 3, 4, 4, 5, 8, 8, 8, 8, 12, 16, 16, 24, 32, 32) if b >= least])
    sign = rng.choice("iiu")
    element = integer(bits, sign == "i")
    low, high = element.min_value, element.max_value
    if rng.random() < 0.3:
        ends = [rng.randint(low, high) for _ in range(2)] + [rng.choice((low, high))] * (rng.random() < 0.5)
        if min(ends) < max(ends):
            low, high = min(ends), max(ends)
    return f"{sign}{bits}", low, high


def scale(rng: Random, T: ElementType, near: float = 0.0) -> float:
    """Mostly ordinary; else near the ends of the format. Positive and finite in it."""
    while True:
        kind = rng.random()
        if near and kind < 0.7:
            s = near * rng.choice((1, 1, 1, 0.5, 2, 0.25, 3, 1.0001))
        elif kind < 0.6:
            s = rng.choice((1.0, 1.0, 0.5, 2.0, 4.0, 0.25, 0.1, 0.3, 0.75, 1.7, 3.0, 12.5))
        elif kind < 0.8:
            s = float(greatest_float(T) / rng.choice((1, 2, 3, 4, 10, 100, 128, 255, 256)))
        else:
            s = float(
                Fraction(2) ** (1 - T.bias)
                * Fraction(rng.choice((1, 2, 3, 8, 100)), rng.choice((1, 2, 3, 4)))
            )
        held = fl(Fraction(s), T) if isfinite(s) else s
        if finite(held) and held > 0 and fl(Fraction(1), T) == 1:
            return s


def point(rng: Random, low: int, high: int) -> int:
    zero, near = (min(max(z, low), high) for z in (0, rng.randint(-9, 9)))
    return rng.choice((zero, zero, zero, low, high, near, rng.randint(low, high)))


def quantized_type(rng: Random, T: str, least: int = 2, near: float = 0.0) -> QuantizedType:
    spelling, low, high = storage(rng, least)
    s = scale(rng, ELEMENT_TYPES[T], near)
    return make_quantized(spelling, T, s, point(rng, low, high), storage_min=low, storage_max=high)


def types(rng: Random) -> tuple[Type, Type, Type]:
    """Draw the types of input, init value and accumulator."""
    if rng.random() < 0.08:
        names = [t for t in ELEMENT_TYPES.values() if t.is_integer]
        source = rng.choice(names)
        return source, source, rng.choice([t for t in names if t.bits >= source.bits])
    T = rng.choice(USUAL if rng.random() < 0.5 else EXPRESSED)
    source = quantized_type(rng, T)
    start = type = source
    if rng.random() < 0.7:
        type = quantized_type(rng, T, source.storage_type.bits, source.scale)
    if rng.random() < 0.2:
        held = scale(rng, ELEMENT_TYPES[T], source.scale), point(rng, source.storage_min, source.storage_max)
        start = replace(source, scales=held[:1], zero_points=held[1:])
    return source, start, type


def number(rng: Random, type: Type) -> int:
    model = modelled(type)
    kind = rng.random()
    if kind < 0.3:
        return rng.choice((model.low, model.high))
    if kind < 0.6:
        return min(max(model.z + rng.randint(-6, 6), model.low), model.high)
    return rng.randint(model.low, model.high)


def drawn(rng: Random) -> Drawn:
    source, start, type = types(rng)
    body = rng.choice(("add", "add", "add", "maximum", "minimum"))
    size = rng.choice((0, 1, 2, 3, 3, 4, 5, 5, 9))
    kind = rng.choice(("reduce", "reduce", "reduce_window", "reduce_window", "select_and_scatter"))
    values, init = [number(rng, source) for _ in range(size)], number(rng, start)
    if rng.random() < 0.5:
        init = modelled(start).z
    found = Drawn(NOTHING, (), source, start, type, body, [], values, init, rng.random() < 0.3)
    return {"reduce": reduce, "reduce_window": reduce_window, "select_and_scatter": scatter}[kind](rng, found)


def reduce(rng: Random, found: Drawn) -> Drawn:
    return program(found._replace(windows=[list(range(len(found.values)))]), (), {"dimensions": (0,)})


def reduce_window(rng: Random, found: Drawn) -> Drawn:
    size = len(found.values)
    window, stride, base, dilation = (rng.randint(1, most) for most in (4, 2, 2, 2))
    dilated = (size - 1) * base + 1 if size else 0
    pads = rng.randint(-1, 2), rng.randint(-1, 2)
    if dilated + min(pads[0], 0) + min(pads[1], 0) < 0:
        pads = 0, 0
    windows = list(windowed(size, *pads, base, window, stride, dilation)) if dilated + sum(pads) else []
    attributes = windowing((window,), (stride,), (base,), (dilation,), (pads,))
    return program(found._replace(windows=windows), (len(windows),), attributes)


def scatter(rng: Random, found: Drawn) -> Drawn:
    """The source has an element for each window of the operand, which selects its first greatest element."""
    size, window, stride = rng.randint(1, 5), rng.randint(1, 3), rng.randint(1, 2)
    pads = rng.randint(0, 1), rng.randint(0, 1)
    operand, model = [number(rng, found.source) for _ in range(size)], modelled(found.source)
    real = model.real if model.quantized else int
    rows: list[Row] = [[] for _ in operand]
    windows = list(windowed(size, *pads, 1, window, stride, 1)) if size + sum(pads) else []
    for k, positions in enumerate(windows):
        inside = [i for i in positions if i is not None]
        chosen = inside[:1]
        for i in inside[1:]:
            chosen = chosen if real(operand[chosen[0]]) >= real(operand[i]) else [i]
        for i in inside:
            rows[i].append(k if [i] == chosen else ABSENT)
    values = [number(rng, found.source) for _ in windows]
    attributes = {"window_dimensions": (window,), "window_strides": (stride,), "padding": (pads,)}
    unordered = any(x != x for x in map(real, operand))
    changed = found._replace(windows=rows, values=values, selected=True, unordered=unordered)
    return program(changed, (size,), attributes, operand)


def program(
    found: Drawn, shape: tuple[int, ...], attributes: dict[str, Any], operand: Sequence[int] = ()
) -> Drawn:
    """Build a module and its arguments; with an `operand` it is a select_and_scatter."""
    x = Value("%x", TensorType((len(found.values),), found.source))
    first = Value("%init", TensorType((), found.start))
    before = (Value("%operand", TensorType(shape, found.source)),) if found.selected else ()
    result = Value("%0", TensorType(shape, found.type))
    name = "select_and_scatter" if found.selected else "reduce_window" if shape else "reduce"
    regions = (*((selecting(found.source),) if found.selected else ()), combining(found.body, found.type))
    op = Op(f"stablehlo.{name}", (*before, x, first), (result,), attributes, regions)
    args = [*([operand] if found.selected else []), found.values, found.init]
    arrays = [np.array(v, value.type.storage_type.numpy) for v, value in zip(args, op.operands, strict=True)]
    constant = Op("stablehlo.constant", (), (first,), {"value": Dense(first.type, arrays[-1].tobytes())})
    code = (*((constant,) if found.known else ()), op, Op("func.return", (result,), ()))
    count = len(arrays) - found.known
    main = Func("main", Region(op.operands[:count], code), (result.type,))
    return found._replace(module=Module({"main": main}), args=tuple(arrays[:count]))
