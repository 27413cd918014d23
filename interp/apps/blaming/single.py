"""A slice of elementwise operations on one element: the operands of the first result that differs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import numpy as np

from interp.backends import Array
from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import facts
from interp.questions.permitted.foreign import equal
from interp.recorder.event import short
from spec.ir import Dense, Module, Op, Region, Value
from spec.types import TensorType, is_tensor

Index = tuple[int, ...]
FAMILIES = ("elementwise", "conversion")


def one_element(
    module: Module, args: Sequence[Array], xs: Sequence[Array], ys: Sequence[Array]
) -> tuple[Module, list[Array]] | None:
    """Return the program of one element of a result in which `xs` and `ys` differ, and its arguments.

    None if an operation is not elementwise, a broadcast or a reshape, or an element needs two of one value.
    """
    body = module.main.body
    for value, x, y in zip(body.returns, xs, ys, strict=True):
        if len(places := np.argwhere(np.atleast_1d(~equal(x, y)))):
            index = tuple(map(int, places[0])) if x.ndim else ()
            chosen = _choose_elements(body.ops[:-1], value, index)
            return None if chosen is None else _program(module, args, value, chosen)
    return None


def _choose_elements(ops: Sequence[Op], value: Value, index: Index) -> dict[str, Index] | None:
    """Return the element of each value on which one element of a result depends, by name."""
    chosen = {value.name: index}
    for op in reversed(ops):
        if not any(v.name in chosen for v in op.results):
            continue
        if len(op.results) > 1 or op.regions:
            return None
        for operand in op.operands:
            at = _operand_index(op, operand, chosen[op.result.name])
            if at is None or chosen.setdefault(operand.name, at) != at:
                return None
    return chosen


def _operand_index(op: Op, operand: Value, index: Index) -> Index | None:
    """Return which element of an operand an element of the result needs, None if that is not known."""
    types = [v.type for v in (operand, op.result)]
    if any(not is_tensor(t) or t.is_quantized or None in t.shape for t in types):
        return None
    shape, name = operand.type.shape, short(op)
    if name == "broadcast_in_dim":
        places = (index[d] for d in op["broadcast_dimensions"])
        return tuple(0 if size == 1 else k for size, k in zip(shape, places, strict=True))
    if name == "reshape":
        flat = int(np.ravel_multi_index(index, op.result.type.shape)) if index else 0
        return tuple(map(int, np.unravel_index(flat, shape))) if shape else ()
    row = facts(op)
    if row.family not in FAMILIES or not row.batches:
        return None
    return index if shape == op.result.type.shape else () if not shape else None


def _program(
    module: Module, args: Sequence[Array], value: Value, chosen: Mapping[str, Index]
) -> tuple[Module, list[Array]]:
    """Return the program on tensors of one element each, and its arguments."""
    main = module.main
    body = _Body(chosen)
    pairs = [(v, x) for v, x in zip(main.inputs, args, strict=True) if v.name in chosen]
    ops = [body.op(op) for op in main.body.ops[:-1] if op.results[0].name in chosen]
    end = replace(main.body.ops[-1], operands=(body.value(value),))
    region = Region(tuple(body.value(v) for v, _ in pairs), (*ops, end))
    functions = {**module.functions, main.name: replace(main, body=region, results=(body.value(value).type,))}
    arrays = [np.ascontiguousarray(x[chosen[v.name]]).reshape(1) for v, x in pairs]
    return replace(module, functions=functions), arrays


@dataclass
class _Body:
    """Writer of operations whose values have one element each."""

    chosen: Mapping[str, Index]
    values: dict[str, Value] = field(default_factory=dict)

    def value(self, old: Value) -> Value:
        type = TensorType((1,), old.type.element_type)
        return self.values.setdefault(old.name, replace(old, type=type))

    def op(self, op: Op) -> Op:
        results = tuple(map(self.value, op.results))
        operands = tuple(map(self.value, op.operands))
        attributes = dict(op.attributes)
        if short(op) == "broadcast_in_dim":
            attributes["broadcast_dimensions"] = (0,)
        if isinstance(dense := attributes.get("value"), Dense):
            attributes["value"] = _element(dense, self.chosen[op.result.name], results[0].type)
        return replace(op, operands=operands, results=results, attributes=attributes)


def _element(dense: Dense, index: Index, type: TensorType) -> Dense:
    """Return the constant of one element of a constant."""
    size = numpy_dtype(type.storage_type).itemsize
    shape = dense.type.shape
    assert prod(shape) > 0
    place = 0 if dense.splat or not shape else int(np.ravel_multi_index(index, shape))
    return Dense(type, bytes(dense.data)[place * size : (place + 1) * size], splat=True)
