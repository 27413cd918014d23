"""Results that the integer reading permits: intervals of stored elements, rescaled to either neighbour.

The rules give the interval of one operation's result; `Propagation` is the domain that walks by them.

An element lies between `low` and `high`. Where `full` is true, every number between them is permitted,
independently of other elements, since each was rounded on its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np

from interp.backends import NUMPY, Array, State
from interp.engine.bodies import code_of
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.in_integers import hold_sum, integers, scales
from interp.engine.memo import once
from interp.engine.quant import spread
from interp.engine.requantizing import multipliers
from interp.engine.storage import storage_range
from interp.engine.walk import LOOP, Domain, Env
from interp.kernels import OPERATIONS, SCHEDULED
from interp.kernels.integer_reading import WIDE
from interp.recorder.exact import FORMULAS, formula
from interp.theory.ranges import exact_bracket, extremes
from interp.theory.sums import Ends
from spec.accumulator import LITERAL, Accumulator, Reading
from spec.integer_reading import CONTRACTIONS, has_integers, reads_integers, requantizes, sums_blocks
from spec.ir import Module, Op, Region, Value, captures
from spec.ir import nested_ops as every
from spec.multipliers import has_multipliers
from spec.schedule import LEFT
from spec.types import QuantizedType, TensorType

NARROW = 16  # bits of storage whose sums of products surely fit into 64
_FLOOR = np.frompyfunc(lambda x, ratio: floor(x * ratio), 2, 1)
_CEIL = np.frompyfunc(lambda x, ratio: ceil(x * ratio), 2, 1)


class Possible(NamedTuple):
    """The interval of permitted elements of a value; `single` is true if low equals high everywhere."""

    low: Array
    high: Array
    full: bool = True

    @property
    def single(self) -> bool:
        return self.low is self.high or bool(np.all(self.low == self.high))


def exactly(x: Array) -> Possible:
    return Possible(x, x)


def anything(type: QuantizedType, shape: tuple[int, ...]) -> Possible:
    """Return the interval of all stored elements; none of them is known to be permitted."""
    dtype = NUMPY.carrier(type.storage_type)
    return Possible(np.full(shape, type.storage_min, dtype), np.full(shape, type.storage_max, dtype), False)


def elementwise_results(op: Op, operands: list[Possible], accumulator: Accumulator) -> Possible:
    """Return the permitted results of an operation, except compare, that is computed with integers."""
    if op.name == "stablehlo.multiply":
        return _product(op, operands, accumulator)
    ends = [_in_units(op, k, x) for k, x in enumerate(operands)]
    full = all(_is_full(op, k, x, ends[k]) for k, x in enumerate(operands))
    whole = Ends(*(np.broadcast_to(end, op.result.type.shape) for end in _extremes(op, ends)))
    return _store(whole, op.result.type.quantized_element_type, full)


def _extremes(op: Op, operands: list[Ends]) -> Ends:
    """Return the extremes of an operation on exact numbers."""
    return extremes(facts(op), exact_bracket(FORMULAS[formula(op)]), operands)


def _quotients(op: Op, k: int) -> Array:
    """Return the scales of an operand over those of the result."""
    operand, result = op.operands[k].type, op.result.type
    source, target = operand.quantized_element_type, result.quantized_element_type
    return np.asarray(scales(source, operand.shape) / scales(target, result.shape), object)


def _in_units(op: Op, k: int, x: Possible) -> Ends:
    """Return the ends of an operand's integers, rescaled to either neighbour; a plain operand unchanged."""
    type = op.operands[k].type.element_type
    return (
        _neighbours(_integers(x, type), _quotients(op, k))
        if isinstance(type, QuantizedType)
        else Ends(*x[:2])
    )


def _is_full(op: Op, k: int, x: Possible, ends: Ends) -> bool:
    """Return whether all numbers between the ends are permitted, independently of other elements.

    They are not if rescaling leaves gaps between neighbours, or if one element is used for several results.
    """
    shared = op.operands[k].type.shape != op.result.type.shape and bool(np.any(ends[0] != ends[1]))
    apart = op.operands[k].type.is_quantized and not x.single and bool(np.any(_quotients(op, k) > 1))
    return x.full and not shared and not apart


def _integers(x: Possible, type: QuantizedType) -> Ends:
    """Return the ends of `q - zero_point` as integers of any size."""
    low, high = (integers(NUMPY, end, type).astype(object) for end in (x.low, x.high))
    return Ends(low, high)


def _neighbours(ends: Ends, quotients: Array) -> Ends:
    """Return the lower neighbour of the least quotient, and the upper one of the greatest."""
    return Ends(np.asarray(_FLOOR(ends[0], quotients), object), np.asarray(_CEIL(ends[1], quotients), object))


def _product(op: Op, operands: list[Possible], accumulator: Accumulator) -> Possible:
    type, shape = op.result.type.quantized_element_type, op.result.type.shape
    pairs = zip(operands, op.operands, strict=True)
    ends = [_integers(x, value.type.quantized_element_type) for x, value in pairs]
    products = _extremes(op, ends)
    (low, high), (least, most) = products.hull, storage_range(accumulator.type)
    if not (least <= low and high <= most):
        return anything(type, shape)
    return _requantize(op, products, accumulator, all(x.single for x in operands))


def contraction_results(ctx: Context, op: Op, operands: list[Possible], accumulator: Accumulator) -> Possible:
    """Return the permitted results of a contraction of known elements.

    A sum is exact in any schedule if neither the sum of the positive products nor that of the negative ones
    leaves the accumulator's range. Else it is the wrapped sum, or lies between these two sums, clamped.
    """
    type, shape = op.result.type.quantized_element_type, op.result.type.shape
    bits = [v.type.quantized_element_type.storage_type.bits for v in op.operands[:2]]
    if not all(x.single for x in operands) or max(bits) > NARROW:
        return anything(type, shape)
    lhs, rhs = (
        integers(NUMPY, x.low, v.type.quantized_element_type)
        for x, v in zip(operands[:2], op.operands, strict=False)
    )
    rest = [x.low for x in operands[2:]]
    plain, ctx = _plain_integers(op), ctx._replace(reading=LITERAL)
    kernel: Callable[..., Any] = OPERATIONS.kernels[op.name]
    sums = lambda x, y: kernel(ctx, plain, x, y, *rest)[0]
    up = lambda x: np.maximum(x, 0)
    positive = sums(up(lhs), up(rhs)) + sums(up(-lhs), up(-rhs))
    negative = -sums(up(lhs), up(-rhs)) - sums(up(-lhs), up(rhs))
    total, least, most = positive + negative, accumulator.type.min_value, accumulator.type.max_value
    safe = (negative >= least) & (positive <= most)
    wrapped = hold_sum(NUMPY, total, Accumulator(accumulator.bits))
    low = np.where(safe, total, np.minimum(wrapped, np.maximum(negative, least)))
    high = np.where(safe, total, np.maximum(wrapped, np.minimum(positive, most)))
    return _requantize(op, Ends(low, high), accumulator, bool(safe.all()))


@once
def _plain_integers(op: Op) -> Op:
    """Return the same contraction on tensors of plain integers."""
    retyped = lambda value: Value(value.name, TensorType(value.type.shape, WIDE))
    operands = (*map(retyped, op.operands[:2]), *op.operands[2:])
    return replace(op, operands=operands, results=(retyped(op.result),))


def _requantize(op: Op, ends: Ends, accumulator: Accumulator, full: bool) -> Possible:
    quotients, shape = multipliers(op, accumulator)
    table = np.asarray(quotients, object).reshape(shape)
    wide = Ends(*(end.astype(object) for end in ends))
    return _store(_neighbours(wide, table), op.result.type.quantized_element_type, full)


def requantization_results(op: Op, operand: Possible) -> Possible:
    """Return the permitted results of a requantization in integers: the neighbours of the exact quotient."""
    source, type = op.operands[0].type.quantized_element_type, op.result.type.quantized_element_type
    ends = _neighbours(_integers(operand, source), _quotients(op, 0))
    return _store(ends, type, _is_full(op, 0, operand, ends))


def conversion_results(op: Op, operand: Possible, given: Array) -> Possible:
    """Return the permitted results of a requantization: `dequantize`'s, or a neighbour of the quotient."""
    found = requantization_results(op, operand)
    return Possible(np.minimum(found.low, given), np.maximum(found.high, given), False)


def _store(ends: Ends, type: QuantizedType, full: bool) -> Possible:
    """Return stored elements for integers of any size: the zero point added, and saturated."""
    zero_points = spread(NUMPY, type.zero_points, np.int64, type, ends[0].shape)
    dtype = NUMPY.carrier(type.storage_type)
    low, high = (np.clip(m + zero_points, type.storage_min, type.storage_max).astype(dtype) for m in ends)
    return Possible(low, high, full)


# The domain of these intervals.

Known = Possible | None  # None: nothing is known of a value that is not quantized
IN_PLACE = {f"stablehlo.{name}" for name in ("concatenate", "reshape", "reverse", "slice", "transpose")}


class Propagation(Domain[Known]):
    """The domain of intervals; `choices` counts the operations with several permitted results."""

    rounds = 1 << 8

    def __init__(self, module: Module, reading: Reading) -> None:
        self.module, self.reading, self.choices = module, reading, 0
        self.ctx = Context(NUMPY, module, LEFT, OPERATIONS, reading=reading)
        self.alone = dict(row for func in module.functions.values() for row in _read_alone(func.body))

    def read(self, op: Op, env: Env[Known]) -> list[Known]:
        """Return what an operation reads; if a value is read several times, its choices are dependent."""
        pairs = zip(super().read(op, env), self.alone[id(op)], strict=True)
        return [x._replace(full=x.full and (x.single or alone)) if x else x for x, alone in pairs]

    def decide(self, op: Op, x: Known) -> int | None:
        return int(x.low) if x and x.single else None

    def join(self, value: Value, values: Sequence[Known], by: Known) -> Known:
        """Return an interval that holds the permitted elements of all branches."""
        known = [x for x in values if x is not None]
        if len(known) < len(values) or not value.type.is_quantized:
            return None
        low, high = np.minimum.reduce([x.low for x in known]), np.maximum.reduce([x.high for x in known])
        return Possible(low, high, False)

    def branches(self, op: Op, by: Known, env: Env[Known]) -> Sequence[Known]:
        self.choices += 1
        return super().branches(op, by, env)

    def loop(self, op: Op, state: list[Known], by: Known, env: Env[Known]) -> Sequence[Known]:
        return self._leave_open(op)

    def apply(self, op: Op, operands: list[Known], env: Env[Known]) -> list[Known]:
        known = [x for x in operands if x is not None]
        if len(known) < len(operands) or captures(op) or (self.reading.is_integer and sums_blocks(op)):
            return self._leave_open(op)
        if op.name != "stablehlo.compare" and reads_integers(op, self.reading):
            if has_multipliers(op):
                single = known[0].single
                return [exactly(x) for x in self._of(op, [known[0].low])] if single else self._leave_open(op)
            self.choices += 1
            return [self._integers(op, known)]
        if all(x.single for x in known):
            return self._compute(op, known)
        if facts(op).error == "moved" and not op.regions:
            low, high = (self._of(op, [x[end] for x in known]) for end in (0, 1))
            full = op.name in IN_PLACE and all(x.full for x in known)
            return [Possible(a, b, full) for a, b in zip(low, high, strict=True)]
        return self._leave_open(op)

    def _compute(self, op: Op, known: list[Possible]) -> list[Known]:
        """Return the results of an operation on known elements if no reading or schedule changes them."""
        source = op.operands[0].type.element_type if op.operands else None
        both = isinstance(source, QuantizedType) and all(value.type.is_quantized for value in op.results)
        if facts(op).family == "conversion" and both and op.name == "stablehlo.uniform_quantize":
            self.choices += 1
            (given,) = self._of(op, [x.low for x in known])
            return [conversion_results(op, known[0], given)]
        if op.name in SCHEDULED or (op.regions and has_integers(op)):
            return self._leave_open(op)
        return [exactly(x) for x in self._of(op, [x.low for x in known])]

    def _integers(self, op: Op, known: list[Possible]) -> Possible:
        if requantizes(op):
            return requantization_results(op, known[0])
        if op.name in CONTRACTIONS:
            return contraction_results(self.ctx, op, known, self.reading.accumulator)
        return elementwise_results(op, known, self.reading.accumulator)

    def _leave_open(self, op: Op) -> list[Known]:
        self.choices += 1
        types = (value.type for value in op.results)
        return [anything(t.quantized_element_type, t.shape) if t.is_quantized else None for t in types]

    def _of(self, op: Op, operands: Sequence[Array]) -> State:
        with np.errstate(all="ignore"):
            return self.ctx.run(code_of(op), operands)


def _read_alone(body: Region) -> Iterator[tuple[int, list[bool]]]:
    """Yield, by the identity of each operation, whether it is the only one that reads each of its operands.

    What a loop captures is read in every round.
    """
    uses = Counter(value.name for op in every(body) for value in op.operands)
    uses.update(value.name for op in every(body) if op.name == LOOP for value in captures(op))
    for op in every(body):
        yield id(op), [uses[value.name] == 1 for value in op.operands]
