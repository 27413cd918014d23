"""Operands that depend on constants alone: they are computed once, by the kernels on NumPy."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from interp.backends import NUMPY, Array
from interp.engine.evaluate import Context
from interp.engine.facts import facts
from interp.engine.memo import once
from interp.engine.prepared import function_of
from spec.ir import Module, Op, Value, nested_ops
from spec.schedule import LEFT

FAMILIES = ("elementwise", "conversion", "structure")


def constant_operand(ctx: Context, op: Op, k: int) -> Array | None:
    """Return the value of an operand, as a NumPy carrier, or None if it may depend on arguments."""
    table = _definitions(ctx.module).get(id(op))
    if table is None:
        return None
    ctx = Context(NUMPY, ctx.module, LEFT, ctx.operations)
    with np.errstate(all="ignore"):
        return _value(ctx, table, op.operands[k])


@once
def _definitions(module: Module) -> dict[int, Mapping[str, Op | None]]:
    """Return, by `id(op)`, the operation that defines each name of its function; None if it is not one."""
    found: dict[int, Mapping[str, Op | None]] = {}
    for func in module.functions.values():
        table: dict[str, Op | None] = {value.name: None for value in func.inputs}
        for op in nested_ops(func.body):
            found[id(op)] = table
            for region in op.regions:
                table.update({value.name: None for value in region.arguments})
            for value in op.results:
                table[value.name] = None if value.name in table else op
    return found


def _value(ctx: Context, table: Mapping[str, Op | None], value: Value) -> Array | None:
    op = table.get(value.name)
    if op is None or op.regions or facts(op).family not in FAMILIES or op.name == "stablehlo.custom_call":
        return None
    operands = [_value(ctx, table, each) for each in op.operands]
    if any(x is None for x in operands) or op.name not in ctx.operations.kernels:
        return None
    function, alone = function_of(op, ctx.xp, ctx.operations)
    results = (function(*operands),) if alone else function(ctx, op, *operands)
    return results[[each.name for each in op.results].index(value.name)]
