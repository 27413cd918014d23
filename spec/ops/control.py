"""Calls. The terminators func.return and stablehlo.return have no row: the loop reads their operands."""

from __future__ import annotations

from collections.abc import Sequence

from spec.constraint import OpSpec
from spec.evaluate import Context, Results
from spec.index import Tensor
from spec.ir import Op


def call(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """The results of the function that `callee` names."""
    return context.call(op["callee"].name, operands)


OPS = {"func.call": OpSpec((), call)}
