"""`bounded`: a run in which every element carries an a-priori bound on its distance from the float twin on
XLA.

The bound holds for any order in which XLA sums, and for sums that it keeps wider than their type. An error
is an f64
in real units; infinite where there is no bound (after a comparison, a selection, a body of several
operations), and NaN where something saturated on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import NamedTuple

import numpy as np

from interp.evaluate import Context, Listener, Place
from interp.identity import identity
from interp.judge import Judgement, of_conversion, of_op
from interp.namespace import NUMPY, Array, State
from interp.ops import conversion, elementwise, structure
from interp.quant import Type
from interp.rounding import (
    addition,
    flushed,
    deviation,
    holds_sums,
    magnitude,
    quantization,
    quantum,
    real,
    requantization,
    rounding,
    steps_on_integers,
    times,
)
from interp.twin import body_ops, plain, rescaling
from spec.ir import Op, Region, Value
from spec.schedule import BALANCED, LEFT
from spec.types import ELEMENT_TYPES, ElementType, QuantizedType, TensorType

F64 = ELEMENT_TYPES["f64"]


class Bounded(NamedTuple):
    """A value (a carrier) and, of the same shape, how far what it stands for may be from the twin's value."""

    value: Array
    error: Array


Rule = Callable[..., tuple[Bounded, ...]]
# Bodies whose result depends on how often the init value is counted.
COUNTING = {"stablehlo.add", "stablehlo.multiply", "stablehlo.xor"}


def bounded(ctx: Context, region: Region, args: Sequence[Bounded]) -> tuple[Bounded, ...]:
    """What a region returns, with bounds. The values are those of `ctx.run`."""
    env = {value.name: arg for value, arg in zip(region.arguments, args, strict=True)}
    for op in region.ops[:-1]:
        operands = tuple(env[value.name] for value in op.operands)
        scope = replace(ctx, env={name: known.value for name, known in env.items()}) if op.regions else ctx
        results = RULES.get(op.name, _opaque)(scope, op, *operands)
        env.update((value.name, result) for value, result in zip(op.results, results, strict=True))
    return tuple(env[value.name] for value in region.returns)


def given(value: Array, type: TensorType) -> Bounded:
    """A value that the twin has too, but for subnormals."""
    element = plain(type).storage_type
    if element.kind != "float":
        return Bounded(value, np.zeros(np.shape(value)))
    return Bounded(value, flushed(element, real(value, type.element_type)))


# Errors of conversions and elementwise operations
# ---------------------------------------------------------------


def _masked(judgements: Iterable[Judgement], shape: tuple[int, ...]) -> Array:
    masks = [f.mask for f in judgements if f.kind == "saturate"]
    return np.logical_or.reduce([np.zeros(shape, bool), *masks])


def _saturated(op: Op, operands: Sequence[Array], result: Array) -> Array:
    """Where an operation with a quantized result saturated."""
    if not op.result.type.is_quantized:
        return np.zeros(result.shape, bool)
    return _masked(of_op(op, operands, result, True), result.shape)


def _unknown(errors: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """No bound; and no claim where something saturated."""
    total = sum(errors, np.zeros(()))
    return np.broadcast_to(np.where(np.isnan(total), np.nan, np.inf), shape)


def _if_exact(errors: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """Nothing where every operand is the twin's own, else no bound."""
    total = np.broadcast_to(sum(errors, np.zeros(())), shape)
    return np.where(total == 0, 0, _unknown([total], shape))


def _converted(x: Bounded, after: Array, source: Type, destination: Type) -> Array:
    """The error of `after`, which is `x` converted from one element type to another."""
    if source == destination:
        return x.error
    if "complex" in (getattr(source, "kind", ""), getattr(destination, "kind", "")):
        return _unknown([x.error], after.shape)
    if isinstance(destination, QuantizedType):
        return _quantized(x, after, source, destination)
    if destination.kind != "float":
        return _if_exact([x.error], after.shape)
    return _rounded(x.error, destination, real(x.value, source), real(after, destination))


def _rounded(error: Array, type: ElementType, before: Array, after: Array) -> Array:
    """A number in another float type, on both sides."""
    total = error + np.where(
        before == after, flushed(type, after), rounding(type, magnitude(before) + error, 2)
    )
    return np.where(np.isfinite(after), total, _unknown([total], after.shape))


def _quantized(x: Bounded, after: Array, source: Type, destination: QuantizedType) -> Array:
    saturated = _masked(of_conversion(source, destination, x.value, after, False), after.shape)
    before, expressed = real(x.value, source), destination.expressed_type
    worst = requantization(source, destination) if isinstance(source, QuantizedType) else None
    if worst is not None:
        error = x.error + worst
    else:
        y = real(NUMPY.round_to(before, expressed), expressed)
        wanted = np.isfinite(y) & ~saturated
        error = _rounded(x.error, expressed, before, y) + quantization(destination, y, after, wanted)
    return np.where(saturated, np.nan, error)


def _conversion(ctx: Context, op: Op, operand: Bounded) -> tuple[Bounded, ...]:
    """convert, uniform_quantize, uniform_dequantize and their dialects."""
    (after,) = _values(ctx, op, [operand])
    types = op.operands[0].type.element_type, op.result.type.element_type
    return (Bounded(after, _converted(operand, after, *types)),)


def _custom_call(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    known = op["call_target_name"] in conversion.CUSTOM_CALLS
    return (_conversion if known else _opaque)(ctx, op, *operands)


def _bitcast(ctx: Context, op: Op, operand: Bounded) -> tuple[Bounded, ...]:
    """The mean idiom multiplies; any other reinterpretation is exact or nothing."""
    (after,) = _values(ctx, op, [operand])
    source, result = op.operands[0].type.element_type, op.result.type.element_type
    ratio = rescaling(source, result)
    if ratio is None or not isinstance(result, QuantizedType):
        error = np.zeros(()) if not np.any(operand.error) else _unknown([operand.error.max()], ())
        return (Bounded(after, np.broadcast_to(error, after.shape)),)
    before, x = real(operand.value, source), real(after, result)
    error = ratio * (operand.error + deviation(operand.value, source)) + deviation(after, result)
    same = (error == 0) & (before * ratio == x)
    return (
        Bounded(after, error + np.where(same, 0, rounding(result.expressed_type, magnitude(x) + error, 2))),
    )


Numbers = Sequence[Array]
Formula = Callable[[ElementType, Array, Numbers, Numbers], Array]


def _arithmetic(type: ElementType, y: Array, exactly: Array, error: Array, count: float) -> Array:
    """`error` and the rounding of y on both sides, unless both have the exact result."""
    same = (error == 0) & (y == exactly) & (type.name != "f64")
    return np.where(same, flushed(type, y), error + rounding(type, magnitude(y) + error, count))


def _multiplied(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    error = times(np.abs(x[0]), e[1]) + times(np.abs(x[1]), e[0]) + times(e[0], e[1])
    return _arithmetic(type, y, x[0] * x[1], error, 2)


def _divided(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    """XLA may multiply by the reciprocal: one rounding more."""
    away = np.abs(x[1]) - e[1]
    error = (e[0] + times(magnitude(y), e[1])) / away
    error = np.where(away > 0, error, _unknown(e, y.shape))
    return _arithmetic(type, y, x[0] / x[1], error, 3)


def _exponential(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    error = times(magnitude(y), np.expm1(e[0]))
    return error + rounding(type, magnitude(y) + error, _LIBRARY)


def _sum(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    return _arithmetic(type, y, x[0] + x[1], e[0] + e[1], 2)


def _difference(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    return _arithmetic(type, y, x[0] - x[1], e[0] + e[1], 2)


def _largest(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    """Changing every operand by at most some amount changes a choice among them by at most that."""
    return np.maximum.reduce(np.broadcast_arrays(*e))


def _to_integer(type: ElementType, y: Array, x: Numbers, e: Numbers) -> Array:
    return np.where(e[0] == 0, 0, e[0] + 1)


def _lipschitz(constant: float, count: float) -> Formula:
    """Functions into [-1, 1] of that slope at most, which XLA approximates to `count` roundings."""
    return lambda type, y, x, e: constant * e[0] + rounding(type, np.ones(y.shape), count)


_LIBRARY = 16  # roundings that XLA's elementary functions may be off by, generously

FORMULAS: dict[str, Formula] = {
    "abs": _largest,
    "add": _sum,
    "ceil": _to_integer,
    "clamp": _largest,
    "cosine": _lipschitz(1, _LIBRARY),
    "divide": _divided,
    "exponential": _exponential,
    "floor": _to_integer,
    "logistic": _lipschitz(0.25, _LIBRARY),
    "maximum": _largest,
    "minimum": _largest,
    "multiply": _multiplied,
    "negate": _largest,
    "round_nearest_afz": _to_integer,
    "round_nearest_even": _to_integer,
    "sine": _lipschitz(1, _LIBRARY),
    "subtract": _difference,
    "tanh": _lipschitz(1, _LIBRARY),
}


# Operations on floats that compute nothing: exact operands give the twin's result.
MOVING = {"complex", "imag", "real"}
# What integers may be combined with in any order.
ASSOCIATIVE = {f"stablehlo.{name}" for name in ("add", "and", "maximum", "minimum", "multiply", "or", "xor")}


def _elementwise(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """`dequantize_op_quantize`: the float operation's formula, then quantization."""
    (after,) = _values(ctx, op, operands)
    type = op.result.type.element_type
    if not isinstance(type, QuantizedType):
        return (Bounded(after, _plain_error(op, type, after, operands)),)
    expressed = replace(op, results=(Value(op.result.name, plain(op.result.type)),))
    (y,) = _values(replace(ctx, listeners=()), expressed, operands)
    saturated = _saturated(op, [x.value for x in operands], after)
    wanted = np.isfinite(y) & ~saturated
    error = _plain_error(expressed, type.expressed_type, y, operands)
    error = error + quantization(type, real(y, type.expressed_type), after, wanted)
    return (Bounded(after, np.where(saturated, np.nan, error)),)


def _plain_error(op: Op, type: Type, y: Array, operands: Sequence[Bounded]) -> Array:
    """The error of an elementwise operation whose result `y` is not quantized."""
    name, errors = op.name.removeprefix("stablehlo."), [x.error for x in operands]
    kinds = {plain(v.type).storage_type.kind for v in op.operands}
    if name == "select":
        chosen = np.where(operands[0].value, errors[1], errors[2])
        return np.where(errors[0] == 0, chosen, _unknown(errors, y.shape))
    assert isinstance(type, ElementType)
    if name in FORMULAS and kinds == {"float"} and type.kind == "float":
        x = [real(p.value, v.type.element_type) for p, v in zip(operands, op.operands, strict=True)]
        error = FORMULAS[name](type, real(y, type), x, errors)
        return np.where(np.isfinite(y), error, _unknown([error], y.shape))
    computes = type.kind in ("float", "complex") and name not in MOVING
    return _unknown(errors, y.shape) if computes else _if_exact(errors, y.shape)


def _values(ctx: Context, op: Op, operands: Sequence[Bounded]) -> State:
    """The engine's results of one operation."""
    code = Region(op.operands, (op, Op("func.return", op.results, ())))
    return ctx.run(code, [x.value for x in operands])


def _opaque(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Nothing is known of the operation."""
    results = _values(ctx, op, operands)
    worst = [np.max(x.error, initial=0) for x in operands]
    return tuple(Bounded(value, _unknown(worst, value.shape)) for value in results)


def _known(ctx: Context, op: Op) -> tuple[Bounded, ...]:
    """constant and iota."""
    (value,) = _values(ctx, op, ())
    return (given(value, op.result.type),)


def _moved(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Shape operations move errors as they move elements."""
    values = _values(ctx, op, operands)
    errors = _values(replace(ctx, listeners=()), op, [Bounded(x.error, x.error) for x in operands])
    return tuple(Bounded(*pair) for pair in zip(values, errors, strict=True))


def _call(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    return bounded(replace(ctx, env={}), ctx.module[op["callee"].name].body, operands)


# Reductions and contractions
# ------------------------------------------------------------------------------------


@dataclass
class Seen(Listener):
    """What one reduction converted, accumulated, and where a body saturated, per result element."""

    saturated: Array
    converted: dict[int, Array] = field(default_factory=dict)
    accumulated: dict[int, Array] = field(default_factory=dict)

    def on_convert(self, op: Op, operand: int, before: Array, after: Array) -> None:
        self.converted[operand] = after

    def on_result(self, op: Op, result: int, before: Array, after: Array) -> None:
        self.accumulated[result] = before

    def on_op(self, op: Op, operands: State, results: State, place: Place | None) -> None:
        if place is None or len(results) != 1:
            return
        mask = _saturated(op, operands, results[0])
        if place.node.present is not None:
            mask = mask & place.node.present
        mask = mask.any(axis=0) if place.node.stacked else mask
        if place.columns is not None:
            self.saturated.reshape(-1)[place.columns] |= mask
        elif mask.shape == self.saturated.shape:
            self.saturated |= mask
        else:  # a body that runs element by element, which does not say on which
            self.saturated |= mask.any()


def _seen(ctx: Context, op: Op, operands: Sequence[Bounded]) -> tuple[State, Seen]:
    seen = Seen(np.zeros(op.results[0].type.shape, bool))
    return _values(replace(ctx, listeners=(*ctx.listeners, seen)), op, operands), seen


def _leaves_of(op: Op, seen: Seen, region: int, operands: Sequence[Bounded]) -> list[Bounded]:
    """The last operands as the accumulation type holds them."""
    arguments, first = op.regions[region].arguments, len(operands) - len(seen.converted)
    return [
        Bounded(after, _converted(x, after, v.type.element_type, argument.type.element_type))
        for x, v, after, argument in zip(
            operands[first:], op.operands[first:], seen.converted.values(), arguments, strict=True
        )
    ]


def _finished(op: Op, k: int, results: State, seen: Seen, source: Type, error: Array) -> Bounded:
    """Result k, converted from what was accumulated in `source` with that error."""
    accumulated = Bounded(seen.accumulated[k], np.where(seen.saturated, np.nan, error))
    destination = op.results[k].type.element_type
    return Bounded(results[k], _converted(accumulated, results[k], source, destination))


def _reduction(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """Errors of the leaves, of our steps and of the twin's; for bodies that are one operation per operand."""
    results, seen = _seen(ctx, op, operands)
    leaves, half = _leaves_of(op, seen, 0, operands), len(results)
    found, combining = [], body_ops(ctx.module, op.regions[0])
    single = all(combine is not None and combine.name in ASSOCIATIVE for combine in combining)
    for k, combine in enumerate(combining):
        element = op.regions[0].arguments[k].type.element_type
        folded = Fold(ctx, op, element, leaves[k], leaves[half + k], seen.accumulated[k])
        rules = ACCUMULATED if _is_float(element) else INTEGRAL
        rule = rules.get(combine.name) if combine and single else None
        error = rule(folded) if rule and not _init_per_block(folded, combine) else _lost(folded)
        found.append(_finished(op, k, results, seen, element, error))
    return tuple(found)


class Fold(NamedTuple):
    """One operand of a reduction: its converted leaves and init value, and what was accumulated."""

    ctx: Context
    op: Op
    element: Type
    leaf: Bounded
    init: Bounded
    value: Array

    @property
    def n(self) -> int:
        """Leaves per result element, the init value apart."""
        if self.op.name == "stablehlo.reduce_window":
            return prod(self.op["window_dimensions"])
        shape = self.op.operands[0].type.shape
        return prod(shape[d] for d in self.op["dimensions"])

    @property
    def expressed(self) -> ElementType:
        return self.element.expressed_type if isinstance(self.element, QuantizedType) else self.element

    def over(self, name: str, f: Callable[[Bounded], Array]) -> Array:
        """The same reduction with the body `name`, in f64, over f of the leaves and of the init value."""
        a, b, c = (Value(name, TensorType((), F64)) for name in ("%a", "%b", "%c"))
        body = Region((a, b), (Op(name, (a, b), (c,)), Op("stablehlo.return", (c,), ())))
        x, init = np.asarray(f(self.leaf)), np.asarray(f(self.init))
        shape = self.op.results[0].type.shape
        operands = Value("%x", TensorType(x.shape, F64)), Value("%i", TensorType((), F64))
        op = replace(
            self.op, operands=operands, results=(Value("%r", TensorType(shape, F64)),), regions=(body,)
        )
        quiet = replace(self.ctx, listeners=(), schedule=BALANCED, env={})
        (result,) = _values(quiet, op, [Bounded(x, x), Bounded(init, init)])
        return np.asarray(result)

    def reals(self, x: Bounded) -> Array:
        return real(x.value, self.element)


def _is_float(element: Type) -> bool:
    return isinstance(element, QuantizedType) or element.kind == "float"


def _init_per_block(fold: Fold, combine: Op | None) -> bool:
    """Whether our schedule counts an init value more than once, which the twin does not."""
    if fold.ctx.schedule.name != "blocks" or combine is None or combine.name not in COUNTING:
        return False
    return bool(np.any(fold.init.value != identity(combine)) or np.any(fold.init.error))


def _lost(fold: Fold) -> Array:
    return _unknown([fold.over("stablehlo.add", lambda x: x.error)], fold.value.shape)


def _kept(fold: Fold) -> Array:
    """Integers in any order."""
    return _if_exact([fold.over("stablehlo.add", lambda x: x.error)], fold.value.shape)


def _added(fold: Fold) -> Array:
    """The leaves' errors, our steps, and the twin's (n - 1) u sum|x|, which holds in any order of
    summation."""
    size = fold.over("stablehlo.add", lambda x: magnitude(fold.reals(x)))
    error = fold.over("stablehlo.add", lambda x: x.error + deviation(x.value, fold.element))
    step = min(quantum(fold.reals(fold.leaf)), quantum(fold.reals(fold.init)))
    starts = np.any(fold.reals(fold.init)) or np.any(fold.init.error)
    additions = fold.n if starts else max(fold.n - 1, 0)
    sides = 2
    if isinstance(fold.element, QuantizedType):
        steps = steps_on_integers(fold.element, fold.n, size, addition(fold.element))
        error, sides = error + steps + deviation(fold.value, fold.element), 1
    if error.any() or not holds_sums(fold.expressed, step, size):
        error = error + rounding(fold.expressed, size + error, sides * additions)
    return error


def _chosen(fold: Fold) -> Array:
    """maximum and minimum: the worst leaf, and what requantizing at every step may change."""
    error = fold.over("stablehlo.maximum", lambda x: x.error)
    if not isinstance(fold.element, QuantizedType):
        return error
    size = fold.over("stablehlo.maximum", lambda x: magnitude(fold.reals(x)))
    each = requantization(fold.element, fold.element)
    return error + steps_on_integers(fold.element, fold.n, size, each)


ACCUMULATED: dict[str, Callable[[Fold], Array]] = {
    "stablehlo.add": _added,
    "stablehlo.maximum": _chosen,
    "stablehlo.minimum": _chosen,
}
INTEGRAL = dict.fromkeys(ASSOCIATIVE, _kept)


def _select_and_scatter(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """A selection, and XLA breaks its ties in its own way: no bound."""
    results, seen = _seen(ctx, op, operands)
    worst = [np.max(x.error, initial=0) for x in (operands[0], *_leaves_of(op, seen, 1, operands))]
    element = op.regions[1].arguments[0].type.element_type
    return (_finished(op, 0, results, seen, element, _unknown(worst, results[0].shape)),)


def _contraction(ctx: Context, op: Op, *operands: Bounded) -> tuple[Bounded, ...]:
    """`|a| e_b + e_a (|b| + e_b)` and 2 n u |a| |b|, the sums of products done by the same contraction."""
    results, seen = _seen(ctx, op, operands)
    element = plain(op.result.type).element_type
    assert isinstance(element, ElementType)
    if element.kind != "float":
        worst = [np.max(x.error, initial=0) for x in operands]
        rule = _if_exact if element.kind != "complex" else _unknown
        return (_finished(op, 0, results, seen, element, rule(worst, results[0].shape)),)
    x = [real(p.value, v.type.element_type) for p, v in zip(operands, op.operands, strict=True)]
    (a, b), (ea, eb) = map(magnitude, x), (p.error for p in operands)
    size = _in_reals(ctx, op, a, b)
    error = _in_reals(ctx, op, a, eb) + _in_reals(ctx, op, ea, b + eb)
    if error.any() or not holds_sums(element, quantum(a) * quantum(b), size):
        error = error + rounding(element, size + error, 2 * _products(op))
    return (_finished(op, 0, results, seen, element, error),)


def _products(op: Op) -> int:
    """Products per result element."""
    lhs, rhs = (v.type.shape for v in op.operands)
    if op.name == "stablehlo.convolution":
        return prod(rhs) // max(rhs[op["kernel_output_feature_dimension"]], 1)
    return prod(lhs[d] for d in op["lhs_contracting_dimensions"])


def _in_reals(ctx: Context, op: Op, lhs: Array, rhs: Array) -> Array:
    """The contraction in f64, of numbers that may be infinite: 0 times infinity is 0 here."""
    values = [
        Value(n, replace(v.type, element_type=F64)) for n, v in zip(("%a", "%b"), op.operands, strict=True)
    ]
    wide = replace(
        op, operands=tuple(values), results=(Value("%r", replace(op.result.type, element_type=F64)),)
    )
    finite = [Bounded(np.where(np.isinf(x), _HUGE, x), x) for x in (lhs, rhs)]
    (result,) = _values(replace(ctx, listeners=(), schedule=LEFT), wide, finite)
    return np.where(result > 2.0**-100 * _HUGE, np.inf, result)


_HUGE = 2.0**500  # for infinity; its square is infinite

RULES: dict[str, Rule] = {
    **dict.fromkeys(elementwise.KERNELS, _elementwise),
    **dict.fromkeys(structure.KERNELS, _moved),
    **dict.fromkeys(conversion.KERNELS, _conversion),
    "stablehlo.constant": _known,
    "arith.constant": _known,
    "stablehlo.iota": _known,
    "stablehlo.bitcast_convert": _bitcast,
    "quant.scast": _bitcast,
    "stablehlo.custom_call": _custom_call,
    "stablehlo.reduce": _reduction,
    "stablehlo.reduce_window": _reduction,
    "stablehlo.select_and_scatter": _select_and_scatter,
    "stablehlo.dot_general": _contraction,
    "stablehlo.convolution": _contraction,
    "func.call": _call,
}
