"""Shrinking: smaller programs that fail in the same way, with fewer operands, elements, digits and so on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from interp.apps.suite.generate import (
    DOT,
    SCATTER,
    SELECT_AND_SCATTER,
    SORT,
    Element,
    Program,
    fit_types,
    slices,
    with_shape,
)
from interp.backends.dtypes import numpy_dtype
from interp.engine.storage import storage_range
from spec.ir import Op, Region, Value, return_only
from spec.rules.verify import verify
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, make_quantized

WINDOW = ("window_dimensions", "window_strides", "base_dilations", "window_dilations", "padding")
NEUTRAL = {"padding": (0, 0)}  # of these; the others: 1
Change = Callable[[Op, Sequence[np.ndarray]], Iterator["Program"]]
PLAIN = tuple(ELEMENT_TYPES[name] for name in ("i8", "i32", "f32"))


def shrink_program(program: Program, fails: Callable[[Program], bool], until: float = inf) -> Program:
    """Return the smallest valid program found that `fails` as `program` does.

    `until` is a time of `time.monotonic`.
    """
    tried: set[str] = set()

    def is_better(candidate: Program) -> bool:
        if measure(candidate) >= measure(program) or time.monotonic() > until or repr(candidate) in tried:
            return False
        tried.add(repr(candidate))
        return is_valid(candidate) and fails(candidate)

    while better := next(filter(is_better, smaller(program)), None):
        program = better
    return program


def is_valid(program: Program) -> bool:
    return not verify(program.module, "strict")


def measure(program: Program) -> tuple[int, ...]:
    """Return a sort key for the length of a program to its reader, the most important measure first."""
    op, args = program
    types = {repr(value.type.element_type) for value in (*op.operands, *op.results)}
    return (
        len(args),
        sum(x.ndim for x in args),
        sum(x.size for x in args),
        sum(len(region.ops) for region in op.regions),
        sum(value != neutral for value, neutral in windows_and_neutral(op)),
        sum(sum(np.abs(value).ravel()) for value, _ in windows_and_neutral(op)),
        len(types),
        sum(map(len, types)),
        sum(len(repr(number)) for x in args for number in x.ravel().tolist()),
    )


def windows_and_neutral(op: Op) -> Iterator[tuple[Any, Any]]:
    for name in [name for name in op.attributes if name in WINDOW]:
        yield from ((value, NEUTRAL.get(name, 1)) for value in op[name])


def smaller(program: Program) -> Iterator[Program]:
    """Yield candidates, the boldest reductions first; some are not valid, and some are not smaller."""
    if program.op.name == DOT:
        changes: tuple[Change, ...] = (sides, types, numbers)
    else:
        changes = (operands, dimensions, sizes, attributes, bodies, types, numbers)
    for change in changes:
        yield from change(*program)


def sides(op: Op, args: Sequence[np.ndarray]) -> Iterator[Program]:
    """Yield a product without a row or column, or with fewer of these or fewer terms."""
    lhs, rhs = args
    if lhs.ndim > 1 and len(lhs):
        yield rebuild(with_contracted(op, 0), [lhs[0], rhs])
    if rhs.ndim > 1 and rhs.shape[1]:
        yield rebuild(op, [lhs, rhs[:, 0]])
    for part in parts(len(rhs)):
        yield rebuild(op, [lhs[..., part], rhs[part]])
    for part in parts(len(lhs)) if lhs.ndim > 1 else ():
        yield rebuild(op, [lhs[part], rhs])
    for part in parts(rhs.shape[1]) if rhs.ndim > 1 else ():
        yield rebuild(op, [lhs, rhs[:, part]])


def with_contracted(op: Op, dimension: int) -> Op:
    return replace(op, attributes={**op.attributes, "lhs_contracting_dimensions": (dimension,)})


def operands(op: Op, args: Sequence[np.ndarray]) -> Iterator[Program]:
    """Yield the program without one of its several inputs."""
    n, body = len(op.results), op.regions[0]
    for k in range(n if n > 1 else 0):
        keep = lambda values, k=k: tuple(value for i, value in enumerate(values) if i % n != k)
        if op.name == SORT:
            own = tuple(x for i, x in enumerate(body.arguments) if i // 2 != k)
            region = Region(own, body.ops)  # no program any more, if it is what is compared
        else:
            region = replace(return_only(body, keep(body.returns)), arguments=keep(body.arguments))
        given = lambda values, keep=keep: (
            (*keep(values[:n]), values[n], *keep(values[n + 1 :])) if op.name == SCATTER else keep(values)
        )
        less = replace(op, operands=given(op.operands), results=keep(op.results), regions=(region,))
        yield rebuild(less, given(args))


def dimensions(op: Op, args: Sequence[np.ndarray]) -> Iterator[Program]:
    """Yield the program without one dimension, along which only the first element is kept."""
    n = len(op.results)
    for d in range(args[0].ndim):
        cut = [x[(slice(None),) * d + (0,)] if x.ndim > d and x.shape[d] else x for x in args]
        less = replace(op, attributes=without(op, d))
        if cut[0].ndim < args[0].ndim and (op.name != SCATTER or cut[0].ndim):
            yield rebuild(less, [*cut[:n], args[n], *cut[n + 1 :]] if op.name == SCATTER else cut)


def without(op: Op, d: int) -> dict[str, Any]:
    """Return the attributes of the operation without a dimension of its first operand."""
    if op.name == "stablehlo.reduce":
        return {"dimensions": tuple(k - (k > d) for k in op["dimensions"] if k != d)}
    if op.name == SORT:
        return {**op.attributes, "dimension": max(0, op["dimension"] - (op["dimension"] >= d))}
    if op.name == SCATTER:
        rank, (along,) = op.operands[0].type.rank, op["inserted_window_dims"]
        (place,) = set(range(rank)) - set(op["update_window_dims"])
        return slices(rank - 1, max(0, along - (along >= d)), max(0, place - (place >= d)))
    return {name: (*values[:d], *values[d + 1 :]) for name, values in op.attributes.items()}


def sizes(op: Op, args: Sequence[np.ndarray]) -> Iterator[Program]:
    """Yield the program with half of a dimension, or one element less."""
    inputs = 1 if op.name == SELECT_AND_SCATTER else len(op.results)
    for d, n in enumerate(args[0].shape):
        for part in parts(n):
            index = (slice(None),) * d + (part,)
            yield rebuild(op, [x[index] if k < inputs else x for k, x in enumerate(args)])
    if op.name == SCATTER:
        (place,) = set(range(args[0].ndim)) - set(op["update_window_dims"])
        for part in parts(len(args[inputs])):
            updates = [x[(slice(None),) * place + (part,)] for x in args[inputs + 1 :]]
            yield rebuild(op, [*args[:inputs], args[inputs][part], *updates])


def parts(n: int) -> tuple[slice, ...]:
    """Return slices of a dimension: its halves, and all but one element."""
    return slice(n // 2), slice(n // 2, n), slice(1, n), slice(n - 1)


def attributes(op: Op, args: Sequence[np.ndarray]) -> Iterator[Program]:
    """Yield the program with a window of 1, a step of 1 or no padding, or with one of these reduced by 1."""
    for name in [name for name in op.attributes if name in WINDOW]:
        values = op[name]
        for d, value in enumerate(values):
            low, *high = value if name == "padding" else (value,)
            less = (low - np.sign(low), *high), (low, *(h - np.sign(h) for h in high))
            steps = [tuple(map(int, pair)) for pair in less] if high else [max(1, value - 1)]
            for other in (NEUTRAL.get(name, 1), *steps):
                changed = {**op.attributes, name: (*values[:d], other, *values[d + 1 :])}
                yield rebuild(replace(op, attributes=changed), args)


def bodies(op: Op, args: Sequence[np.ndarray]) -> Iterator[Program]:
    """Yield the program with one operation of a body replaced by one of its operands."""
    for r, region in enumerate(op.regions):
        for at, inner in enumerate(region.ops[:-1]):
            for operand in inner.operands:
                use = lambda value, old=inner.result, new=operand: new if value == old else value
                rest = (*region.ops[:at], *region.ops[at + 1 :])
                ops = tuple(replace(o, operands=tuple(map(use, o.operands))) for o in rest)
                less = return_only(Region(region.arguments, ops), ops[-1].operands)
                regions = (*op.regions[:r], less, *op.regions[r + 1 :])
                yield rebuild(replace(op, regions=regions), args)


def types(op: Op, args: Sequence[np.ndarray]) -> Iterator[Program]:
    """Yield the program with two element types made equal, or with one made plainer."""
    used = {value.type.element_type for value in (*op.operands, *op.results)}
    for old in sorted(used, key=repr):
        for new in (*sorted(used - {old}, key=repr), *plainer(old)):
            yield rebuild(retype(op, old, new), args)


def plainer(type: Element) -> Iterator[Element]:
    """Yield plain types; for a quantized type also one with a parameter in its usual form."""
    if not isinstance(type, QuantizedType):
        yield from PLAIN
        return
    name, expressed, scale, point = type.spelling, type.expressed_type.name, type.scale, type.zero_point
    bounds = {"storage_min": type.storage_min, "storage_max": type.storage_max}
    yield from (make_quantized("i8", "f32", scale, 0) for scale in (1.0, 0.5, scale))
    yield make_quantized(name, expressed, scale, point)
    yield from (make_quantized(name, expressed, usual, point, **bounds) for usual in (1.0, 0.5))
    yield make_quantized(name, expressed, scale, 0, **bounds)
    yield make_quantized(name, "f32", scale, point, **bounds)


def retype(op: Op, old: Element, new: Element) -> Op:
    """Replace one element type by another, everywhere."""

    def values(several: Sequence[Value]) -> tuple[Value, ...]:
        types = (new if value.type.element_type == old else value.type.element_type for value in several)
        pairs = zip(several, types, strict=True)
        return tuple(Value(value.name, TensorType(value.type.shape, type)) for value, type in pairs)

    regions = tuple(
        Region(values(region.arguments), tuple(retype(inner, old, new) for inner in region.ops))
        for region in op.regions
    )
    return replace(op, operands=values(op.operands), results=values(op.results), regions=regions)


def numbers(op: Op, args: Sequence[np.ndarray]) -> Iterator[Program]:
    """Yield the program with all elements of an argument, or one of them, replaced by simple numbers."""
    for k, x in enumerate(args):
        for places in (range(x.size), *([i] for i in range(x.size))):
            for plain in PLAINER:
                flat = x.ravel().copy()
                with np.errstate(all="ignore"):
                    flat[places] = [fit(plain(number), flat.dtype) for number in flat[places].tolist()]
                yield rebuild(op, [*args[:k], flat.reshape(x.shape), *args[k + 1 :]])


PLAINER: tuple[Callable[[float], float], ...] = (
    lambda x: 0,
    lambda x: 1,
    lambda x: -1,
    lambda x: 2,
    lambda x: int(x) if abs(x) < 1e15 else 1e15,
    lambda x: int(x / 2) if abs(x) < 1e15 else x,
    lambda x: x - (1 if x > 0 else -1),
)


def fit(x: float, dtype: np.dtype) -> float:
    """Return the numbers clamped to an integer dtype."""
    return min(max(x, np.iinfo(dtype).min), np.iinfo(dtype).max) if dtype.kind in "iu" else x


def rebuild(op: Op, args: Sequence[np.ndarray]) -> Program:
    """Return the operation and arguments for the given shapes, elements within their types."""
    given = (with_shape(value, x.shape) for value, x in zip(op.operands, args, strict=True))
    op = fit_types(replace(op, operands=tuple(given)))
    return Program(op, tuple(refit(x, value.type) for x, value in zip(args, op.operands, strict=True)))


def refit(x: np.ndarray, type: TensorType) -> np.ndarray:
    x = x if x.shape == type.shape else np.resize(x, type.shape)
    with np.errstate(all="ignore"):
        if type.storage_type.kind == "float":
            return x.astype(numpy_dtype(type.storage_type))
        finite = np.nan_to_num(x.astype(np.float64), posinf=0, neginf=0)
        return np.clip(finite, *storage_range(type.element_type)).astype(numpy_dtype(type.storage_type))
