"""Elementwise operations on operands of several scales, by the recipes of other systems."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interp.backends import Array, Namespace
from interp.engine.entering import between
from interp.engine.in_integers import integers, scales, store
from interp.engine.memo import once
from interp.engine.recipes import F32, Requantize, in_f32, single_multipliers, to_f32, to_integers
from interp.engine.two_inputs import two_inputs
from interp.kernels.elementwise import PREPARED, plain
from spec.ir import Op
from spec.recipe_scope import TWO_INPUTS
from spec.recipes import FLOAT, ONNX, SPECIFICATION
from spec.types import QuantizedType

Function = Callable[..., Array]  # of integers


def by_recipe(xp: Namespace, op: Op, recipe: str, function: Function) -> Callable[..., Array]:
    """Return an operation on stored elements, whose scales differ, by a recipe that defines it."""
    if recipe == SPECIFICATION:
        return PREPARED[op.name](xp, op)
    if recipe == FLOAT:
        return lambda *operands: _store(xp, op, function(*_each(_apart, xp, op, operands)))
    if recipe == ONNX:
        return partial(by_onnx, xp, op)
    if op.name in TWO_INPUTS[recipe]:
        return partial(_in_fixed_point, xp, op, recipe, function)
    return lambda x: _requantize(op, recipe)(xp, xp.abs(_integers(xp, op, 0, x)))


def by_onnx(xp: Namespace, op: Op, *operands: Array) -> Array:
    """Return `QuantizeLinear(op(DequantizeLinear(operands)...))`, in f32."""
    real = plain(xp, op.name.removeprefix("stablehlo."), F32, F32)
    wide = real(*(x.astype(xp.carrier(F32)) for x in _each(_number, xp, op, operands)))
    return _store(xp, op, _leaving(op)(xp, wide.astype(xp.float64)))


def _in_fixed_point(xp: Namespace, op: Op, recipe: str, function: Function, *operands: Array) -> Array:
    """Return a sum or an extreme in finer units of the larger scale."""
    by = two_inputs(op, recipe)
    finer = (enter(xp, _integers(xp, op, k, operands[k])) for k, enter in enumerate(by.enter))
    return _store(xp, op, by.leave(xp, function(*finer)))


def _each(
    change: Callable[[Op, int], Requantize], xp: Namespace, op: Op, operands: tuple[Array, ...]
) -> list[Array]:
    """Return the operands' integers, changed; an operand that is not quantized is left as it is."""
    quantized = [isinstance(value.type.element_type, QuantizedType) for value in op.operands]
    return [change(op, k)(xp, _integers(xp, op, k, x)) if quantized[k] else x for k, x in enumerate(operands)]


@once
def _apart(op: Op, k: int) -> Requantize:
    """Return the function that rescales operand k by one multiplier of f32."""
    return partial(in_f32, single_multipliers((_scales(op, k), _scales(op)), op.location))


@once
def _number(op: Op, k: int) -> Requantize:
    return to_f32(_scales(op, k), op.location)


@once
def _leaving(op: Op) -> Requantize:
    return to_integers(_scales(op), op.location)


@once
def _requantize(op: Op, recipe: str) -> Requantize:
    source, type = op.operands[0].type.quantized_element_type, op.result.type.quantized_element_type
    return between(source, type, recipe, op.result.type.shape, op.location, op.name)


def _scales(op: Op, k: int | None = None) -> Array:
    type = op.result.type if k is None else op.operands[k].type
    return scales(type.quantized_element_type, type.shape)


def _integers(xp: Namespace, op: Op, k: int, x: Array) -> Array:
    return integers(xp, x, op.operands[k].type.quantized_element_type)


def _store(xp: Namespace, op: Op, m: Array) -> Array:
    return store(xp, m, op.result.type.quantized_element_type)
