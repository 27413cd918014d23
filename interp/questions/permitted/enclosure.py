"""The domain of spans: for every value of a program, all that the family of `any_order` may give.

Every float sum may be accumulated in any way of the family, each on its own. Every other float operation is
exact, or rounded to its type, to a wider one, or to a wider one and then to its type: those of quantizing and
dequantizing, too. Where no rule speaks, for functions such as `exponential`, nothing is known, and nothing
that depends on it is claimed.
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
from interp.engine.storage import convert_leaves as leaf_converted
from interp.engine.walk import Domain, Env, walk
from interp.kernels import OPERATIONS
from interp.questions.permitted import span_elementwise, span_folds
from interp.questions.permitted.spans import (
    BRACKETS,
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
from interp.speed.exact_contraction import accumulation_type
from interp.theory.sums import Ends
from spec.ir import Func, Module, Op, Value
from spec.op_attributes import expressed_element, has_algorithm
from spec.schedule import BALANCED
from spec.types import QuantizedType, TensorType

Known = Ends | None  # None: a value without order
FOLDS = {"stablehlo.reduce", "stablehlo.reduce_window"}
EXACT = {"add", "subtract", "multiply", "maximum", "minimum", "negate", "abs", "clamp", "select", "compare"}
EXACT |= {"and", "or", "not", "xor", "sign", "is_finite", "iota", "constant"}


@dataclass
class Enclosure(Domain[Known]):
    """The walk through one function; `types` are those in which floats were accumulated."""

    module: Module
    any_inits: bool
    types: list[str] = field(default_factory=list)
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
            self._note(op.operands[0].type)
            return span_folds.scatter_span(self.ctx, op, known)
        if row.error == "converted":
            return span_elementwise.conversion_span(op.operands[0].type, op.result.type, known[0])
        if row.error == "moved":
            return Ends(*(self._run(op, ends) for ends in zip(*known, strict=True))) if known else None
        if row.error == "placed":
            return self._place(op, known)
        if op.name == "stablehlo.compare" and not any(v.type.is_quantized for v in op.operands):
            return span_elementwise.comparison_span(op, *known)
        if op.name == "stablehlo.select" and not op.result.type.is_quantized:  # which requantizes
            return span_elementwise.selection_span(op, *known)
        floats = all(is_float(v.type) for v in (*op.operands, op.result))
        if short(op) in BRACKETS and floats:
            return span_elementwise.arithmetic_span(op, op.result.type.storage_type, known)
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
        again = span_elementwise.requantization_span(op, known)
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
        return span_elementwise.comparison_span(op, *wide).join(literal)

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
        for value in op.regions[0].arguments[: len(op.results)]:
            self._note(value.type)
        return list(span_folds.reduction_spans(self.ctx, op, known, self.any_inits))

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
        self._note(TensorType((), accumulation_type(op)))
        found = span_folds.contraction_span(self.ctx, op, *floats)
        if found is None:
            return None
        element = expressed.storage_type
        real = (round_ends if element == accumulation_type(op) else round_span)(element, found)
        return span_elementwise.conversion_span(
            expressed, result, rescale(element, real) if result.is_quantized else real
        )

    def _reals(self, type: TensorType, x: Ends) -> Known:
        """Return an operand of a contraction as floats."""
        real = TensorType(type.shape, expressed_element(type))
        return span_elementwise.conversion_span(type, real, x) if is_float(real) else None

    def _note(self, type: TensorType) -> None:
        """Note a type in which floats are accumulated."""
        if is_float(type) and type.storage_type.name not in self.types:
            self.types.append(type.storage_type.name)

    def _run(self, op: Op, operands: Sequence[Array]) -> Array:
        (found,) = self.ctx.run(code_of(op), operands)
        return np.asarray(found)
