"""Calls. Terminators end `Context.run`'s loop and need no kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.evaluate import Context
from interp.namespace import Array, State
from spec.ir import Op


def call(ctx: Context, op: Op, *operands: Array) -> State:
    """The results of `callee` on the operands."""
    return ctx.call(op["callee"].name, operands)


KERNELS: dict[str, Callable[..., Any]] = {"func.call": call}
