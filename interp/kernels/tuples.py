"""Tuples and tokens: a tuple is a Python tuple of its values, and a token is an empty tuple."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.backends import Array, State
from interp.engine.evaluate import Context
from spec.ir import Op


def tuple_(ctx: Context, op: Op, *val: Array) -> State:
    """`result = (val...)`."""
    return (val,)


def get_tuple_element(ctx: Context, op: Op, operand: State) -> State:
    """`result = operand[index]`."""
    return (operand[op["index"]],)


def after_all(ctx: Context, op: Op, *inputs: State) -> State:
    """`result` is a token, which holds nothing."""
    return ((),)


TUPLES: dict[str, Callable[..., Any]] = {
    "stablehlo.tuple": tuple_,
    "stablehlo.get_tuple_element": get_tuple_element,
    "stablehlo.after_all": after_all,
    "stablehlo.create_token": after_all,
}
