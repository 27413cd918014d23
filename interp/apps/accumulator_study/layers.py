"""The layers of an accumulator study: sums of integers, their channels and their proved extremes."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from interp.backends import Array
from interp.engine.quant import Type
from interp.engine.storage import is_stored_as_integer, storage
from interp.execute.accumulating import TOO_WIDE
from interp.execute.along import is_contraction, is_counted, leaves, sums_integers
from interp.execute.run import reading_and_ways
from interp.execute.unused import adds
from interp.kernels.block_sums import edges_of
from interp.questions.proving.prove import prove
from interp.recorder.layers import layer_of
from interp.recorder.names import Named, operations
from interp.speed.exact_contraction import accumulation_type
from interp.theory.sums import Ends, narrowest
from spec.accumulation import Accumulation
from spec.accumulator import Accumulator, Reading, reading_named
from spec.errors import Unsupported
from spec.integer_reading import sums_blocks
from spec.ir import Module, Op, reads
from spec.recipes import TFLITE_DOUBLE, TFLITE_SINGLE, TOSA
from spec.types import ElementType

EXACT, NARROWER = "i64", "i48"  # accumulators in which every sum of a study is exact


def exact_accumulator(options: Mapping[str, Any]) -> str:
    """Return an accumulator in which sums are exact, and that the recipe of a run takes: 48 bits at most."""
    reading, recipe = options["reading"], options["recipe"]
    chosen = recipe or (reading.chosen if isinstance(reading, Reading) else "")
    return NARROWER if chosen in (TFLITE_DOUBLE, TFLITE_SINGLE, TOSA) else EXACT


def is_by_blocks(op: Op, options: Mapping[str, Any]) -> bool:
    """Return whether a run sums a contraction by blocks of scales."""
    return reading_named(options["reading"]).is_integer and is_contraction(op) and sums_blocks(op)


def accumulator_for(op: Op, accumulator: str, options: Mapping[str, Any]) -> str:
    """Return an accumulator of integers as a run takes it for a layer: that within its blocks of scales."""
    return f"scales({Accumulation.of(accumulator)!r}; left)" if is_by_blocks(op, options) else accumulator


NO_COUNT = "how many leaves it adds depends on the data"


@dataclass(frozen=True, eq=False)
class Layer:
    """A sum of integers: its name, its name for `run(accumulator=)`, its scope in the source, its channels.

    dimensions: those of the result that tell channels apart, none if all its sums are one row. terms: the
    leaves of a sum. present: the integers in which the program sums, i32 if it leaves that open. proved: the
    extremes of partial sums in any order, for every input, by channel; None if they are not known. is_tried:
    whether runs have the sum in other accumulators; integers of more than 32 bits are proved only.
    """

    name: str
    key: str
    scope: str
    op: Op
    dimensions: tuple[int, ...]
    terms: int
    present: ElementType
    proved: Ends | None
    is_tried: bool = True

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of channels in each dimension."""
        return tuple(self.op.results[0].type.shape[d] for d in self.dimensions)

    @property
    def channels(self) -> list[tuple[int, ...]]:
        """The index of each channel, in the order of the rows."""
        return [tuple(map(int, at)) for at in np.ndindex(self.sizes)]

    def channel_of(self, places: Array) -> Array:
        """Return the number of the channel of each flat index of the result."""
        if not self.dimensions:
            return np.zeros(len(places), np.int64)
        index = np.unravel_index(places, self.op.results[0].type.shape)
        return np.asarray(np.ravel_multi_index([index[d] for d in self.dimensions], self.sizes))

    def by_channel(self, ends: Ends) -> Ends:
        """Return the extremes of each channel, of ends that broadcast to the result."""
        rank = self.op.results[0].type.rank
        least, greatest = (end.reshape((1,) * (rank - end.ndim) + end.shape) for end in ends)
        axes = tuple(d for d in range(rank) if d not in self.dimensions)
        both = least.min(axis=axes, keepdims=True), greatest.max(axis=axes, keepdims=True)
        shape = [size if d in self.dimensions else 1 for d, size in enumerate(self.op.results[0].type.shape)]
        return Ends(*(np.broadcast_to(end, shape).reshape(-1) for end in both))


def bits(present: ElementType, least: int, greatest: int) -> int:
    """Return the fewest bits of integers like the present ones, signed if a number is negative."""
    return narrowest(least, greatest, present.kind == "signed" or least < 0)


def layers_of(
    program: Module, names: Mapping[str, str], options: Mapping[str, Any]
) -> tuple[list[Layer], list[tuple[str, str]]]:
    """Return the sums of integers of a program without calls, and the other sums, each with the reason.

    names: what values are called in the program that was given. options: those of `prove` and `run`.
    """
    given, wide = {key: options[key] for key in ("reading", "recipe")}, set[int]()
    sums, others = list[Named](), list[tuple[str, str]]()
    for named in operations(program):
        if adds(program, named.op) and named.op.results[0].type.size:
            why = _refusal(program, named, given)
            if why == TOO_WIDE:
                wide.add(id(named.op))
            if why and why != TOO_WIDE:
                others.append((_name(named, names), why))
            else:
                sums.append(named)
    if not sums:
        return [], others
    exact = {
        str(x): accumulator_for(x.op, exact_accumulator(options), options)
        for x in sums
        if id(x.op) not in wide
    }
    proof = prove(program, runs=0, accumulator=exact or None, **options)
    needed = {id(row.judgement.op): row.judgement.needed for row in proof.rows}
    static = _static_values(program)
    rows = [(x, (_name(x, names), str(x), layer_of(program, x.op)), needed.get(id(x.op))) for x in sums]
    layers = [_layer(x.op, titles, static, ends, _terms(x.op, options)) for x, titles, ends in rows]
    return [replace(x, is_tried=id(x.op) not in wide) for x in layers], others


def _name(named: Named, names: Mapping[str, str]) -> str:
    return names.get(named.op.results[0].name, str(named))


def _refusal(program: Module, named: Named, given: Mapping[str, Any]) -> str:
    """Return why a sum cannot be kept in integers, or ""."""
    if not is_counted(named.op):
        return NO_COUNT
    try:
        exact = accumulator_for(named.op, exact_accumulator(given), given)
        asked = given["reading"], {str(named): exact}, given["recipe"]
        reading_and_ways(program, ["main"], "left", asked)
    except Unsupported as error:
        return error.verdict.rpartition(": ")[2]
    return ""


def _terms(op: Op, options: Mapping[str, Any]) -> int:
    """Return the leaves of a sum; by blocks of scales, of the longest block."""
    return max(b - a for a, b in edges_of(op)) if is_by_blocks(op, options) else leaves(op)


def _layer(
    op: Op, titles: tuple[str, str, str], static: Collection[str], needed: Ends | None, terms: int
) -> Layer:
    known = *titles, op, channel_dimensions(op, static), terms, present_type(op)
    layer = Layer(*known, None)
    if needed is None or not needed.least.size:
        return layer
    return Layer(*known, layer.by_channel(needed))


def present_type(op: Op) -> ElementType:
    """Return the integers in which a program sums: those that it declares, else the integer reading's i32."""
    type: Type = accumulation_type(op) if is_contraction(op) else op.regions[-1].returns[0].type.element_type
    declares = sums_integers(op) and is_stored_as_integer(type)
    return storage(type) if declares else Accumulator().type


def channel_dimensions(op: Op, static: Collection[str]) -> tuple[int, ...]:
    """Return the dimensions of the result that tell output channels apart.

    Those of a convolution are its output features, those of a `dot_general` the free dimensions of the
    weights: the operand that depends on no argument, or the right one. A reduction has no channels.
    """
    if op.name in ("stablehlo.convolution", "stablehlo.dynamic_conv"):
        return (op["output_feature_dimension"],)
    if op.name != "stablehlo.dot_general":
        return ()
    shared = len(op["lhs_batching_dimensions"])
    left = op.operands[0].type.rank - shared - len(op["lhs_contracting_dimensions"])
    right = op.operands[1].type.rank - shared - len(op["rhs_contracting_dimensions"])
    weights_first = op.operands[0].name in static and op.operands[1].name not in static
    return tuple(range(shared, shared + left)) if weights_first else _last(shared + left, right)


def _last(first: int, count: int) -> tuple[int, ...]:
    return tuple(range(first, first + count))


def _static_values(program: Module) -> set[str]:
    """Return the names of the values in @main that depend on no argument."""
    varying = {value.name for value in program.main.inputs}
    static = set[str]()
    for op in program.main.body.ops:
        depends = any(value.name in varying for value in reads(op))
        (varying if depends else static).update(value.name for value in op.results)
    return static
