"""Faults about scales that are operands: tables of `xla.scaled_dot` and `__op$block_scaled_dot`, changed.

The table has other scales before the composite's decomposition runs. Where blocks are cut, the table has more
scales, and so has the decomposition.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from interp.apps.diagnosing.block_faults import FAULTS, OPERANDS, Fault, dimension_of, main_dimension
from interp.backends import Array, State
from interp.engine.evaluate import Context
from interp.engine.memo import once
from interp.loading.scaled_dots import COMPOSITE, OURS, Numbers, numbers_of
from spec.ir import Op, Region, Value
from spec.types import TensorType

NAME = "stablehlo.composite"


def is_scaled_dot(op: Op) -> bool:
    """Return whether an operation is a product with scales as operands."""
    return op.name == NAME and op.attributes.get("name") in (OURS, COMPOSITE)


def may_have(name: str, op: Op) -> bool:
    """Return whether a fault concerns a table of scales, and no other name means the same ones."""
    if not is_scaled_dot(op):
        return False
    concerned = [
        side for k, side in enumerate(OPERANDS) if k + 2 < len(op.operands) and _concerns(op, name, k)
    ]
    side = FAULTS[name].side
    return side in concerned if side and len(concerned) > 1 else not side and bool(concerned)


def run(ctx: Context, op: Op, operands: State, name: str) -> State:
    """Return the results of the decomposition with the tables of scales that a fault gives it."""
    fault, region = FAULTS[name], ctx.module[op["decomposition"].name].body
    changed = list(operands)
    for k, side in enumerate(OPERANDS):
        if k + 2 < len(operands) and fault.side in ("", side) and _concerns(op, name, k):
            changed[k + 2] = _table(op, fault, operands, k)
            if fault.cut > 1:
                region = _cut(region, k + 2, *_blocks(op, k), fault.cut)
    return ctx.run(region, changed)


def _blocks(op: Op, k: int) -> tuple[int, int]:
    """Return the dimension of the blocks of a table, and their size."""
    (d, *_) = numbers_of(op).contracting[k]
    return d, op.operands[k].type.shape[d] // max(op.operands[k + 2].type.shape[d], 1)


def _sizes(op: Op, k: int) -> list[int]:
    (d, size), rank = _blocks(op, k), op.operands[k + 2].type.rank
    return [size if j == d else 1 for j in range(rank)]


def _concerns(op: Op, name: str, k: int) -> bool:
    """Return whether a fault may change the table of operand k."""
    fault, scales = FAULTS[name], op.operands[k + 2].type
    if fault.is_other:
        return len(op.operands) > 3 and op.operands[2].type.element_type == op.operands[3].type.element_type
    if not fault.scales or fault.leaves_out:
        return fault.leaves_out
    d = _dimension(op, fault, k)
    return d is not None and _sizes(op, k)[d] % fault.cut == 0 and scales.shape[d] >= fault.least


def _dimension(op: Op, fault: Fault, k: int) -> int | None:
    """Return the dimension along which a fault moves: the contracted one, if it has several blocks."""
    (d, _), counts = _blocks(op, k), op.operands[k + 2].type.shape
    main = d if counts[d] > 1 else main_dimension(_sizes(op, k), counts)
    return dimension_of(fault, main, counts)


def _table(op: Op, fault: Fault, operands: State, k: int) -> Array:
    """Return the table of scales of operand k that a fault gives it."""
    scales = np.asarray(operands[k + 2])
    if fault.is_other:
        return _from_other(op, operands, k)
    if fault.leaves_out:
        return np.ones_like(scales)
    d = _dimension(op, fault, k)
    assert d is not None
    assert fault.move is not None
    size, count = _sizes(op, k)[d], scales.shape[d]
    step = size // fault.cut
    places = [fault.move(i * step, size, count) // size for i in range(count * fault.cut)]
    return np.take(scales, places, d)


def _from_other(op: Op, operands: State, k: int) -> Array:
    """Return the other table, its rows and blocks counted again, in the layout of operand k's."""
    numbers = numbers_of(op)
    mine, other = np.asarray(operands[k + 2]), np.asarray(operands[3 - k])
    order, others = _order(numbers, k, mine.ndim), _order(numbers, 1 - k, other.ndim)
    wanted = [mine.shape[d] for d in order]
    theirs = other.transpose(others)
    theirs = theirs.reshape(*theirs.shape[: len(wanted) - 1], -1) if theirs.ndim >= len(wanted) else theirs
    for axis, n in enumerate(wanted):
        theirs = np.take(theirs, np.arange(n) % theirs.shape[axis], axis)
    return theirs.transpose(np.argsort(order))


def _order(numbers: Numbers, k: int, rank: int) -> list[int]:
    """Return the dimensions of a table: batches, contracted ones, the others."""
    first = [*numbers.batching[k], *numbers.contracting[k]]
    return [*first, *(d for d in range(rank) if d not in first)]


@once
def _cut(region: Region, k: int, d: int, size: int, cut: int) -> Region:
    """Return a decomposition whose operand k has `cut` times as many scales, of blocks so much shorter."""
    place = {region.arguments[k].name: d}
    types = {region.arguments[k].name: _more(region.arguments[k].type, d, cut)}
    ops = []
    for op in region.ops:
        source = op.operands[0].name if op.operands else ""
        if source in place and op.name != "stablehlo.multiply":
            type = _through(op, types[source], place[source], size // cut)
            if type != op.result.type:
                types[op.result.name], place[op.result.name] = type, _dimension_after(op, place[source])
        ops.append(_retype(op, types))
    return Region(tuple(_value(v, types) for v in region.arguments), tuple(ops))


def _more(type: TensorType, d: int, cut: int) -> TensorType:
    return replace(type, shape=tuple(n * cut if k == d else n for k, n in enumerate(type.shape)))


def _through(op: Op, operand: TensorType, d: int, size: int) -> TensorType:
    """Return the result's type of an operation that spreads scales, from that of its operand."""
    type = op.result.type
    if op.name == "stablehlo.convert":
        return replace(type, shape=operand.shape)
    if op.name != "stablehlo.broadcast_in_dim":
        return type  # a reshape back to all elements, of which there are as many
    places, shape = op["broadcast_dimensions"], list(type.shape)
    at = places[d]
    shape[at] = operand.shape[d]
    if at + 1 < len(shape):
        before = operand.shape[places.index(at + 1)] if at + 1 in places else 1
        shape[at + 1] = shape[at + 1] if shape[at + 1] == before else size
    return replace(type, shape=tuple(shape))


def _dimension_after(op: Op, d: int) -> int:
    return int(op["broadcast_dimensions"][d]) if op.name == "stablehlo.broadcast_in_dim" else d


def _retype(op: Op, types: dict[str, TensorType]) -> Op:
    of = lambda values: tuple(_value(v, types) for v in values)
    return replace(op, operands=of(op.operands), results=of(op.results))


def _value(value: Value, types: dict[str, TensorType]) -> Value:
    return replace(value, type=types[value.name]) if value.name in types else value
