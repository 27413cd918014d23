"""Operations whose geometry is an operand, by the static ones with the operands' elements as attributes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from cases.exact.evaluate import Array, Program
from spec.ir import Op


def of_operands(rule: Callable[..., Any], **positions: int) -> Callable[..., Any]:
    """Return the rule of a static operation with operands in place of attributes."""

    def resolved(p: Program, op: Op, *operands: Array) -> Any:
        found = {name: geometry(operands[k]) for name, k in positions.items()}
        kept = [k for k in range(len(operands)) if k not in positions.values()]
        values = tuple(op.operands[k] for k in kept)
        made = replace(op, operands=values, attributes={**op.attributes, **found})
        return rule(p, made, *(operands[k] for k in kept))

    return resolved


def geometry(x: Array) -> Any:
    if x.type.rank == 1:
        return tuple(x.at.values())
    return tuple(tuple(x.at[i, k] for k in range(x.type.shape[1])) for i in range(x.type.shape[0]))
