"""The domain of spans: for every value of a program, all that the family of `any_order` may give.

Every float sum may be accumulated in any way of the family, each on its own. Every other float operation is
exact, or rounded to its type, to a wider one, or to a wider one and then to its type: those of quantizing and
dequantizing, too. Where no rule speaks, for functions such as `exponential`, nothing is known, and nothing
that depends on it is claimed. What is only likely also supposes that functions are as accurate as documented.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import ClassVar

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.bodies import body_ops, code_of
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.quant import float_to_integer, spread, to_destination_type
from interp.engine.quant import round_parameters as in_expressed
from interp.engine.storage import convert_leaves as leaf_converted
from interp.engine.storage import storage_range
from interp.engine.walk import Domain, Env, walk
from interp.kernels import OPERATIONS
from interp.questions.permitted import span_folds
from interp.questions.permitted.any_order import down, up
from interp.questions.permitted.function_accuracy import function_span, is_open
from interp.questions.permitted.spans import (
    BRACKETS,
    clear,
    exact,
    flush,
    has_order,
    holds,
    is_float,
    nothing,
    rescale,
    round_ends,
    round_span,
    value_span,
)
from interp.recorder.event import short
from interp.recorder.exact import FORMULAS
from interp.speed.exact_contraction import accumulation_type
from interp.theory.ranges import exact_bracket, extremes
from interp.theory.sums import Ends
from spec.ir import Func, Module, Op, Value
from spec.op_attributes import expressed_element, has_algorithm
from spec.schedule import BALANCED
from spec.types import ElementType, QuantizedType, TensorType

Known = Ends | None  # None: a value without order
FOLDS = {"stablehlo.reduce", "stablehlo.reduce_window"}
EXACT = {"add", "subtract", "multiply", "maximum", "minimum", "negate", "abs", "clamp", "select", "compare"}
EXACT |= {"and", "or", "not", "xor", "sign", "is_finite", "iota", "constant"}


@dataclass
class Enclosure(Domain[Known]):
    """The walk through one function; `types` are those in which floats were accumulated.

    risk: the probability with which a sum of floats may lie outside of its span, by the premise of
    `any_order.likely_bound`, and of functions as accurate as documented; None for never. sums: the number of
    sums of floats. functions: those whose documented accuracy was used.
    """

    module: Module
    any_inits: bool
    risk: float | None = None
    sums: int = 0
    types: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    rounds: ClassVar[int] = 1 << 8

    def __post_init__(self) -> None:
        self.ctx = Context(NUMPY, self.module, BALANCED, OPERATIONS)

    def result_spans(self, func: Func, args: Sequence[Array]) -> list[Known]:
        """Return the spans of a function's results for known arguments, which are carriers."""
        with np.errstate(all="ignore"):
            spans = [value_span(v.type, x) for v, x in zip(func.inputs, args, strict=True)]
            return walk(self, func.body, spans)

    def decide(self, op: Op, x: Known) -> int | None:
        return int(x.least) if x is not None and x.is_point else None

    def join(self, value: Value, values: Sequence[Known], by: Known) -> Known:
        known = [x for x in values if x is not None]
        return reduce(Ends.join, known) if len(known) == len(values) else None

    def widen(self, value: Value, outer: Known, inner: Known, by: Known) -> Known:
        return outer if outer is None or inner is None or holds(outer, inner) else nothing(value.type)

    def apply(self, op: Op, operands: list[Known], env: Env[Known]) -> list[Known]:
        unknown = [nothing(v.type) for v in op.results]
        known = [x for x in operands if x is not None]
        if len(known) < len(operands) or any(x is None for x in unknown):
            return unknown
        if op.name == "stablehlo.optimization_barrier":
            return list(known)
        if op.name in FOLDS:
            found = self._fold(op, known)
        elif len(op.results) == 1:
            found = [self._single(op, known)]
        else:
            found = unknown
        return [x or none for x, none in zip(found, unknown, strict=True)]

    def _single(self, op: Op, known: list[Ends]) -> Known:
        row = facts(op)
        if row.family == "contraction":
            return self._contract(op, known)
        if op.name == "stablehlo.scatter":
            self._note(op.operands[0].type, op.result.type.size)
            return span_folds.scatter_span(self.ctx, op, known, self.risk)
        if is_open(op):
            return self._function(op, known) if self.risk is not None else None
        if row.error == "converted":
            return conversion_span(op.operands[0].type, op.result.type, known[0])
        if row.error == "moved":
            return Ends(*(self._run(op, ends) for ends in zip(*known, strict=True))) if known else None
        if row.error == "placed":
            return self._place(op, known)
        if op.name == "stablehlo.compare" and not any(v.type.is_quantized for v in op.operands):
            return comparison_span(op, *known)
        if op.name == "stablehlo.select" and not op.result.type.is_quantized:  # which requantizes
            return selection_span(op, *known)
        floats = all(is_float(v.type) for v in (*op.operands, op.result))
        if short(op) in BRACKETS and floats:
            return arithmetic_span(op, op.result.type.storage_type, known)
        return self._constant(op, known)

    def _constant(self, op: Op, known: list[Ends]) -> Known:
        """Return the results of an operation on known elements that are not floats: one, if it is exact."""
        name, floats = op.name.split(".")[-1], any(v.type.storage_type.kind == "float" for v in op.operands)
        if op.regions or name not in EXACT or floats or not all(np.array_equal(*x) for x in known):
            return None
        literal = value_span(op.result.type, self._run(op, [x.least for x in known]))
        quantized = [v.type.is_quantized for v in (*op.operands, op.result)]
        if literal is None or not any(quantized) or name == "constant":
            return literal
        if name == "compare":
            return self._alike(op, known, literal)
        if name not in BRACKETS and name != "select":
            return None
        again = requantization_span(op, known)
        return again and again.join(literal)

    def _alike(self, op: Op, known: list[Ends], literal: Ends) -> Known:
        """Return the span of a comparison of numbers that are stored, and converted, alike.

        Conversions keep order, but may make two numbers equal: not where the type holds every stored integer.
        """
        type, other = (v.type.element_type for v in op.operands)
        if not isinstance(type, QuantizedType) or type != other or not type.storage_type.is_integer:
            return None
        if type.storage_type.bits > type.expressed_type.precision:
            return None
        wide = [Ends(*(np.asarray(end).astype(np.float64) for end in x)) for x in known]
        return comparison_span(op, *wide).join(literal)

    def _place(self, op: Op, known: list[Ends]) -> Known:
        n = 2 if op.name == "stablehlo.dynamic_update_slice" else 1  # what follows are indices
        if not all(np.array_equal(*x) for x in known[n:]):
            return None
        indices = [x.least for x in known[n:]]
        return Ends(*(self._run(op, [*ends, *indices]) for ends in zip(*known[:n], strict=True)))

    def _fold(self, op: Op, known: list[Ends]) -> list[Known]:
        body = op.regions[0].arguments[0].type.element_type
        if len(op.results) == 1 and isinstance(body, QuantizedType):
            (combine,) = body_ops(self.module, op.regions[0])
            adds = combine is not None and combine.name == "stablehlo.add"
            return [self._quantized_sum(op, body, *known) if adds else None]
        for value, result in zip(op.regions[0].arguments, op.results, strict=False):
            self._note(value.type, result.type.size)
        return list(span_folds.reduction_spans(self.ctx, op, known, self.any_inits, self.risk))

    def _quantized_sum(self, op: Op, type: QuantizedType, x: Ends, init: Ends) -> Known:
        """Return the span of a quantized sum of known leaves, each converted to the body's type."""
        if not (np.array_equal(*x) and np.array_equal(*init)):
            return None
        pairs = zip((x.least, init.least), op.operands, strict=True)
        leaves = [leaf_converted(end, v.type.element_type, type) for end, v in pairs]
        found = span_folds.quantized_sum(self.ctx, op, type, *(Ends(leaf, leaf) for leaf in leaves))
        result = op.results[0].type.element_type
        if found is None or result == type:
            return found
        return Ends(*(leaf_converted(end, type, result) for end in found))

    def _contract(self, op: Op, known: list[Ends]) -> Known:
        types, result = [v.type for v in op.operands[:2]], op.result.type
        if has_algorithm(op) or not all(map(has_order, (*types, result))):
            return None
        if not result.is_quantized and result.storage_type.is_integer:
            whole = all(not t.is_quantized and t.storage_type.is_integer for t in types)
            return span_folds.whole_products(self.ctx, op, *known[:2]) if whole else None
        reals = [self._reals(t, x) for t, x in zip(types, known, strict=False)]
        floats = [x for x in reals if x is not None]
        expressed = TensorType(result.shape, expressed_element(result))
        if len(floats) < 2 or not is_float(expressed):
            return None
        self._note(TensorType((), accumulation_type(op)), result.size)
        found = span_folds.contraction_span(self.ctx, op, floats[0], floats[1], self.risk)
        if found is None:
            return None
        element = expressed.storage_type
        real = (round_ends if element == accumulation_type(op) else round_span)(element, found)
        return conversion_span(expressed, result, rescale(element, real) if result.is_quantized else real)

    def _function(self, op: Op, known: list[Ends]) -> Known:
        reals = [self._reals(v.type, x) for v, x in zip(op.operands, known, strict=True)]
        floats = [x for x in reals if x is not None]
        found = function_span(op, floats) if len(floats) == len(reals) else None
        if found is None:
            return None
        if short(op) not in self.functions:
            self.functions.append(short(op))
        expressed = TensorType(op.result.type.shape, expressed_element(op.result.type))
        return conversion_span(expressed, op.result.type, found)

    def _reals(self, type: TensorType, x: Ends) -> Known:
        """Return an operand of a contraction or a function as floats."""
        real = TensorType(type.shape, expressed_element(type))
        return conversion_span(type, real, x) if is_float(real) else None

    def _note(self, type: TensorType, sums: int) -> None:
        """Note a type in which floats are accumulated, and the number of sums."""
        self.sums += is_float(type) * sums
        if is_float(type) and type.storage_type.name not in self.types:
            self.types.append(type.storage_type.name)

    def _run(self, op: Op, operands: Sequence[Array]) -> Array:
        (found,) = self.ctx.run(code_of(op), operands)
        return np.asarray(found)


# Spans of elementwise operations and conversions, by interval arithmetic rounded outward.


def arithmetic_span(op: Op, type: ElementType, operands: list[Ends]) -> Ends:
    """Return the span of an operation of `BRACKETS` that is computed in a float type."""
    with np.errstate(all="ignore"):
        ends = exact(short(op), *operands)
        known = np.logical_and.reduce([np.broadcast_to(x.finite, op.result.type.shape) for x in operands])
        low, high = (np.broadcast_to(end, op.result.type.shape) for end in ends)
    found = Ends(np.where(known, low, -np.inf), np.where(known, high, np.inf))
    return clear(round_span(type, found))


def requantization_span(op: Op, operands: list[Ends]) -> Ends | None:
    """Return the span of an operation on quantized elements: on the numbers that they represent."""
    result, n = op.result.type.element_type, op.name == "stablehlo.select"
    types = [v.type.element_type for v in op.operands[n:]]
    if not isinstance(result, QuantizedType) or not has_numbers(result):
        return None
    reals = []
    for type, x in zip(types, operands[n:], strict=True):
        if not isinstance(type, QuantizedType) or not has_numbers(type):
            return None
        if type.expressed_type != result.expressed_type:
            return None
        reals.append(dequantized_span(type, x))
    real = selection_span(op, operands[0], *reals) if n else arithmetic_span(op, result.expressed_type, reals)
    return quantized_span(result, real)


def selection_span(op: Op, pred: Ends, x: Ends, y: Ends) -> Ends:
    """Return the chosen span of each element, or both where the choice is not known."""
    return extremes(facts(op), exact_bracket(FORMULAS["select"]), (pred, x, y))


def comparison_span(op: Op, x: Ends, y: Ends) -> Ends:
    """Return the span of a comparison: False to True where the operands' spans overlap."""
    known = np.ones((), bool)
    if op.operands[0].type.storage_type.kind == "float":
        known = x.finite & y.finite
        if op.attributes.get("compare_type") == "TOTALORDER":  # tells -0 from +0
            known = known & ~((x.least <= 0) & (x.greatest >= 0) & (y.least <= 0) & (y.greatest >= 0))
    less, greater = (
        (x.greatest < y.least, x.least >= y.greatest),
        (x.least > y.greatest, x.greatest <= y.least),
    )
    same = (x.least == x.greatest) & (y.least == y.greatest) & (x.least == y.least)
    apart = less[0] | greater[0]
    true, false = {
        "EQ": (same, apart),
        "NE": (apart, same),
        "LT": less,
        "GE": less[::-1],
        "GT": greater,
        "LE": greater[::-1],
    }[op["comparison_direction"]]
    return Ends(known & true, ~(known & false))


def conversion_span(source: TensorType, destination: TensorType, x: Ends) -> Ends | None:
    """Return the span of a conversion, which keeps order; an unknown float gives anything."""
    before, after = source.element_type, destination.element_type
    if before == after:
        return x
    unknown = nothing(destination)
    if unknown is None or not has_order(source):
        return unknown
    if isinstance(before, ElementType) and isinstance(after, ElementType):
        return _plain(before, after, x, unknown)
    if any(isinstance(t, QuantizedType) and not has_numbers(t) for t in (before, after)):
        return unknown
    if isinstance(before, QuantizedType):
        x, before = dequantized_span(before, x), before.expressed_type
    if isinstance(after, QuantizedType):
        return quantized_span(after, x) if before == after.expressed_type else unknown
    return x if before == after else unknown


def _plain(before: ElementType, after: ElementType, x: Ends, unknown: Ends) -> Ends:
    if before.kind == "float" and after.kind == "float":
        return clear(round_span(after, clear(x)))
    if before.kind == "float" and after.is_integer:
        with np.errstate(all="ignore"):
            ends = [float_to_integer(NUMPY, np.asarray(end, np.float64), after) for end in x]
        return Ends(*(np.where(x.finite, end, none) for end, none in zip(ends, unknown, strict=True)))
    if after.kind == "float":
        wide = [np.asarray(end).astype(np.float64) for end in x]
        if before.bits > 52:  # which f64 may have rounded
            wide = [
                np.where(np.abs(wide[0]) < 2.0**52, wide[0], down(wide[0])),
                np.where(np.abs(wide[1]) < 2.0**52, wide[1], up(wide[1])),
            ]
        return round_span(after, Ends(*wide))
    least, most = storage_range(after) if after.is_integer else (1, 0)
    if np.all(x.least >= least) and np.all(x.greatest <= most):
        return Ends(*(to_destination_type(NUMPY, end, before, after) for end in x))
    if np.array_equal(*x):
        end = to_destination_type(NUMPY, x.least, before, after)
        return Ends(end, end)
    return unknown


# Quantizing and dequantizing: each of their float operations is exact, rounded, or kept wider.


def has_numbers(type: QuantizedType) -> bool:
    """Return whether f64 holds what is stored, and the scales and what is expressed are numbers."""
    storage, expressed = type.storage_type, type.expressed_type
    whole = storage.is_integer and storage.bits <= 32
    return whole and expressed.special == "ieee" and all(0 < s < np.inf for s in in_expressed(type).scales)


def dequantized_span(type: QuantizedType, x: Ends) -> Ends:
    """Return the span of the numbers that stored elements represent: the product, and the rounded one."""
    zero_points = spread(NUMPY, type.zero_points, np.float64, type, x.least.shape)
    moved = Ends(*(np.asarray(end).astype(np.float64) - zero_points for end in x))
    with np.errstate(all="ignore"):
        product = exact("multiply", round_span(type.expressed_type, moved), _scales(type, x.least.shape))
        return clear(round_span(type.expressed_type, product))


def quantized_span(type: QuantizedType, x: Ends) -> Ends:
    """Return the span of stored elements: of the quotient, moved, clamped and rounded to an integer."""
    expressed, shape = type.expressed_type, x.least.shape
    kinds = type.zero_points, in_expressed(type).zero_points
    zero_points = [spread(NUMPY, points, np.float64, type, shape) for points in kinds]
    moves = Ends(np.minimum(*zero_points), np.maximum(*zero_points))
    with np.errstate(all="ignore"):
        quotient = round_span(expressed, exact("divide", x, _scales(type, shape)))
        moved = clear(round_span(expressed, exact("add", quotient, moves)))
    own, held = (type.storage_min, type.storage_max), in_expressed(type).bounds
    within = [
        [np.clip(np.rint(np.clip(end, *bounds)), *own) for bounds in (own, held)]  # a bound may be rounded
        for end in moved
    ]
    carrier = NUMPY.carrier(type.storage_type)
    low, high = np.minimum(*within[0]), np.maximum(*within[1])
    ends = np.where(x.finite, low, own[0]), np.where(x.finite, high, own[1])
    return Ends(*(np.broadcast_to(end, shape).astype(carrier) for end in ends))


def _scales(type: QuantizedType, shape: tuple[int, ...]) -> Ends:
    scales: Array = np.asarray(spread(NUMPY, in_expressed(type).scales, np.float64, type, shape), np.float64)
    return flush(type.expressed_type, Ends(scales, scales))
