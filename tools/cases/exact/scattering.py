"""scatter under the schedule `left`: one update after the other, each into the element it lands on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cases.exact.quantization import to_destination_type
from cases.exact.reductions import finished
from spec.ir import Op

if TYPE_CHECKING:
    from cases.exact.evaluate import Array, Index, Program


def scatter(p: Program, op: Op, *operands: Array) -> list[dict[Index, Any]]:
    """Apply the updates in order; one that lands outside changes nothing."""
    from cases.exact.evaluate import body

    n, f = len(operands) // 2, body(p, op.regions[0], ())
    inputs, indices, updates = operands[:n], operands[n], operands[n + 1 :]
    types = [v.type.element_type for v in op.regions[0].arguments[:n]]

    def converted(values: tuple[Array, ...], at: Index) -> tuple:
        pairs = zip(values, types, strict=True)
        return tuple(to_destination_type(x.at[at], x.type.element_type, t) for x, t in pairs)

    totals = {i: converted(inputs, i) for i in inputs[0].at}
    for u in updates[0].at:
        i = place(op, indices, u)
        if i in totals:
            totals[i] = f(totals[i], converted(updates, u))
    return finished(op, totals)


def place(op: Op, indices: Array, u: Index) -> Index:
    """Return where an update lands: the sum of its window's start, its batch and its place in the window."""
    windows, vector = op["update_window_dims"], op["index_vector_dim"]
    outer = [k for d, k in enumerate(u) if d not in windows]
    inner = [u[d] for d in windows]
    found = []
    for d in range(op.operands[0].type.rank):
        total = 0
        if d in op["scatter_dims_to_operand_dims"]:
            k = op["scatter_dims_to_operand_dims"].index(d)
            whole = [*outer[:vector], k, *outer[vector:]] if vector < indices.type.rank else outer
            total += indices.at[tuple(whole)]
        if d in op["input_batching_dims"]:
            batching = op["scatter_indices_batching_dims"][op["input_batching_dims"].index(d)]
            total += outer[batching - (batching > vector)]
        elif d not in op["inserted_window_dims"]:
            total += inner.pop(0)
        found.append(total)
    return tuple(found)
