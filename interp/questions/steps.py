"""Numbers of a sum as steps of an accumulator: of its types, its constants and its inputs, clamped or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, fl, max_finite
from interp.backends.dtypes import numpy_dtype
from interp.engine.bodies import only_op
from interp.engine.quant import Type, beyond, convert, dequantize, scaled_and_moved
from interp.engine.storage import convert_leaves, is_stored_as_integer, storage, storage_range, zero_point
from interp.execute.run import run
from interp.recorder.detect import conversion_events
from interp.recorder.event import number
from interp.recorder.recorded import Reduction
from interp.theory.sums import WIDE
from spec.errors import InterpError, Unsupported
from spec.ir import Func, Module, Op, Region, Value, nested_ops
from spec.types import QuantizedType

# Values that a program computes from constants alone.


def constant(value: Value, definitions: Mapping[str, Op]) -> np.ndarray | None:
    """Return the value if it is a constant or computed from constants alone, else None."""
    needed: set[str] = set()
    todo = [value.name]
    while todo:
        name = todo.pop()
        op = definitions.get(name)
        if op is None or op.regions or op.name == "func.call":
            return None
        needed.add(name)
        todo += [operand.name for operand in op.operands]
    ops = tuple(op for name, op in definitions.items() if name in needed)
    body = Region((), (*ops, Op("func.return", (value,), ())))
    try:
        (result,) = run(Module({"main": Func("main", body, (value.type,))}))
    except InterpError:
        return None
    return NUMPY.decode(result.storage, value.type.storage_type)


# Losses of a conversion when it is applied to all stored values of a type.

TRIED = 1 << 16  # stored values of a type that are converted to see what is lost: all of 16 bits


def losses(name: str, source: Type, destination: Type) -> Iterator[str]:
    """Return, in words, the losses when a conversion is applied to all stored values of a type."""
    if source == destination or "complex" in repr(source):
        return
    before = stored_values(source)
    after = convert_leaves(before, source, destination)
    low, high = storage_range(source)
    tried = " that were tried" if high - low >= TRIED else ""
    for found in conversion_events(source, destination, before, after, lossless=True):
        if found.kind == "erratum":
            continue
        at = int(found.at[found.sizes.argmax()])
        exact = found.exact(at)
        shown = "" if exact is None else f" (exact {number(exact)})"
        explanation = f"{number(before[at].item())} -> {number(after[at].item())}{shown}"
        share = f"{found.kind} for {len(found.at)} of {len(before)} stored values{tried}"
        yield f"{name} from {source!r} to {destination!r}: {share}, {explanation}"


def stored_values(type: Type) -> np.ndarray:
    """Return all finite stored values of a type; for a wide type, both ends and many evenly spaced ones."""
    low, high = storage_range(type)
    last = min(high - low, TRIED - 1)
    integers = [low + (high - low) * i // last for i in range(last + 1)]
    dtype = numpy_dtype(storage(type))
    if is_stored_as_integer(type):
        return np.array(integers, dtype)
    with np.errstate(all="ignore"):
        x = NUMPY.decode(np.array(integers, f"u{dtype.itemsize}").view(dtype), storage(type))
    return x[np.isfinite(x)]


# Least and greatest stored numbers after conversion, both clamped to the storage range and unclamped.

FAR = 1 << WIDE  # steps beyond which nothing is counted
TABULATED = 16  # bits of storage up to which every stored value is converted


class Endless(Unsupported):
    """Exception: no storage is known to hold all numbers, as some become NaN, infinite or huge."""


def convert_unclamped(x: Array, source: Type, type: Type) -> Array:
    """Return stored numbers of `source` as steps of `type`: converted but unclamped, minus the zero point.

    THEOREM: conversion to `type` stores such a number if its storage can hold it and `has_bounds(type)`. The
    clamp compares with rounded storage bounds, and rounding keeps order: a float between two integers also
    lies between their roundings, and if fractions exist next to a bound, that bound is exact.

    Raise `Endless` if there is no such number.
    """
    if not isinstance(type, QuantizedType) or not isinstance(source, QuantizedType):
        return np.asarray(x).astype(object) if x.dtype == np.uint64 else x.astype(np.int64)
    if source == type:
        return x.astype(np.int64) - zero_point(type)
    with np.errstate(all="ignore"):
        moved = _before_clamping(x, source, type).astype(np.float64)
        if _may_be_largest(x, moved, source, type):
            raise Endless(f"{source!r} has elements beyond {type.expressed_type!r}, which saturates")
        if not np.isfinite(moved).all():
            raise Endless(f"{source!r} has elements that become NaN or infinite in {type.expressed_type!r}")
        if (np.abs(moved) >= FAR).any():
            raise Endless(f"{source!r} has elements beyond 2^{WIDE} steps")
        return np.rint(moved).astype(np.int64) - zero_point(type)


def saturates(x: Array, source: Type, type: Type) -> bool:
    """Return whether `quantize` is asked for a number beyond the storage of `type`: a `saturate` event.

    An expressed type of few bits may round such a number to the bound: `convert_unclamped` hides it then.
    """
    if not isinstance(type, QuantizedType) or not isinstance(source, QuantizedType) or source == type:
        return False
    with np.errstate(all="ignore"):
        return bool(beyond(NUMPY, _real(x, source, type), type).any())


def unclamped_ends(source: Type, type: Type) -> tuple[int, int]:
    """Return the least and the greatest of `convert_unclamped` over all stored values of `source`.

    THEOREM: they are the results for its two bounds. Every step of the conversion keeps order, and none gives
    NaN or infinity between two numbers for which it gives neither.
    """
    ends = convert_unclamped(np.array(storage_range(source), _dtype(source)), source, type)
    return int(ends.min()), int(ends.max())


def clamped_ends(source: Type, type: Type) -> tuple[int, int]:
    """Return the least and the greatest stored result of conversion to `type`, minus its zero point.

    If there are few stored values, all are tried. Else conversion keeps order as long as no NaN arises, and
    NaN arises only beyond some distance from the zero point, so that the ends are at a bound or at the last
    number before NaN. Plain integers that wrap reach both ends of `type`.
    """
    if storage(source).bits <= TABULATED:
        stored = stored_values(source)
    else:
        stored = np.array([*storage_range(source), *_before_nan(source, type)], _dtype(source))
    ends = convert_leaves(stored, source, type)
    least, greatest = int(ends.min()), int(ends.max())
    if not isinstance(source, QuantizedType) and (least, greatest) != storage_range(source):
        least, greatest = storage_range(type)
    return least - zero_point(type), greatest - zero_point(type)


def _before_clamping(x: Array, source: QuantizedType, type: QuantizedType) -> Array:
    """Return x converted to `type`, before `quantize` clamps it."""
    return scaled_and_moved(NUMPY, _real(x, source, type), type)


def _real(x: Array, source: QuantizedType, type: QuantizedType) -> Array:
    """Return the numbers that x stands for, in the expressed type of `type`."""
    return convert(NUMPY, dequantize(NUMPY, x, source), source.expressed_type, type.expressed_type)


def _may_be_largest(x: Array, moved: Array, source: QuantizedType, type: QuantizedType) -> bool:
    """Return whether a float may be the largest of a format that has neither infinity nor NaN."""
    floats = [
        (dequantize(NUMPY, x, source), element) for element in (source.expressed_type, type.expressed_type)
    ]
    floats.append((moved, type.expressed_type))
    return any((np.abs(y) >= max_finite(e)).any() for y, e in floats if e.special == "finite")


def _before_nan(source: Type, type: Type) -> list[int]:
    """Return the number farthest from the zero point, towards each bound of `source`, that is not NaN."""
    if not isinstance(source, QuantizedType) or not isinstance(type, QuantizedType):
        return []
    return [_last_number(source, type, bound) for bound in storage_range(source)]


def _last_number(source: QuantizedType, type: QuantizedType, bound: int) -> int:
    near, far = source.zero_point, bound
    if not isfinite(fl(type.zero_point, type.expressed_type)) or not _is_nan(far, source, type):
        return far
    while abs(far - near) > 1:
        middle = (near + far) // 2
        near, far = (near, middle) if _is_nan(middle, source, type) else (middle, far)
    return near


def _is_nan(q: int, source: QuantizedType, type: QuantizedType) -> bool:
    with np.errstate(all="ignore"):
        return bool(np.isnan(_before_clamping(np.array([q], _dtype(source)), source, type)).any())


def _dtype(type: Type) -> np.dtype:
    return np.dtype(NUMPY.carrier(storage(type)))


class Steps(NamedTuple):
    """Inputs and init value as steps of an accumulator: exact integers that no storage clamps.

    A scatter and a collective have an init value for each element.
    """

    inputs: Array
    init: int | Array

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the greatest element, including those that no window reads."""
        known = [x for x in (self.inputs, np.asarray(self.init)) if x.size]
        return min((int(x.min()) for x in known), default=0), max((int(x.max()) for x in known), default=0)

    def seeds(self, reduction: Reduction, dtype: np.dtype) -> Array:
        """Return the init value of every element, one after the other."""
        return np.broadcast_to(np.asarray(self.init, dtype), reduction.shape).reshape(-1)


def is_bounded(reduction: Reduction) -> bool:
    """Return whether the range of every node is known, as for sums, maxima and minima of stored integers."""
    known = only_op(reduction.body) in ("add", "maximum", "minimum")
    types = [*reduction.types, *(v.type.element_type for v in (*reduction.inputs, *reduction.init_values))]
    return known and all(is_stored_as_integer(type) for type in types)


def run_inputs(reduction: Reduction, type: Type) -> Steps:
    """Return the inputs of the run as steps of an accumulator of this type, or raise `Endless`.

    Of a contraction's products these are only the ends of their range.
    """
    if reduction.products:
        return Steps(np.array(reduction.products.possible, object), 0)
    input, init = sources(reduction)
    first = convert_unclamped(np.asarray(reduction.init_before[0]), init, type)
    return Steps(
        convert_unclamped(reduction.before[0], input, type), first if reduction.has_own_inits else int(first)
    )


def any_data(reduction: Reduction, type: Type) -> tuple[Steps, Steps]:
    """Return all inputs at the least and at the greatest stored value of their type, or raise `Endless`.

    The init value is also at an end of its range, unless the program computes it from constants.
    """
    if reduction.products:
        return tuple(Steps(np.array(end, object), 0) for end in reduction.products.possible)  # type: ignore
    input, init = sources(reduction)
    known = constant_init(reduction)
    if known is None or not known.size:
        starts = unclamped_ends(init, type)
    else:
        start = convert_unclamped(known, init, type)
        starts = int(start.min()), int(start.max())
    ends = unclamped_ends(input, type) if reduction.inputs[0].type.size else (0, 0)
    shape = reduction.inputs[0].type.shape
    least, greatest = (
        Steps(np.broadcast_to(np.array(end, np.int64 if abs(end) < 1 << 63 else object), shape), start)
        for end, start in zip(ends, starts, strict=True)
    )
    return least, greatest


def sources(reduction: Reduction) -> tuple[Type, Type]:
    """Return the types of the input and of the init value."""
    (input,), (init,) = reduction.inputs, reduction.init_values
    return input.type.element_type, init.type.element_type


def constant_init(reduction: Reduction) -> Array | None:
    """Return the init value if the program computes it from constants, else None."""
    if reduction.products:
        return reduction.init[0]
    if reduction.group:
        return None
    (init,) = reduction.init_values
    return constant(init, _definitions(reduction))


def is_computed(reduction: Reduction) -> bool:
    """Return whether the left operand of a contraction is a result, of which not every value may occur."""
    return reduction.products is not None and has_computed_input(reduction)


def has_computed_input(reduction: Reduction) -> bool:
    """Return whether the first operand is a result."""
    return reduction.written.operands[0].name in _definitions(reduction)


def _definitions(reduction: Reduction) -> dict[str, Op]:
    """Return the operations of the function that has the reduction, by the names of their results."""
    for function in reduction.module.functions.values():
        ops = [*nested_ops(function.body)]
        if any(op is reduction.written for op in ops):
            return {result.name: op for op in ops for result in op.results}
    return {}
