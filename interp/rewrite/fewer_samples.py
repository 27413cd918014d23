"""A program on some of its samples: along which axis of each value they lie, and fewer rows of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod

import numpy as np

from interp.backends import Array
from interp.engine.facts import facts
from interp.engine.walk import Domain, Env, walk
from interp.loading.source import RESERVED
from interp.recorder.event import short
from interp.rewrite.inlining import inlined_with_originals
from spec.ir import Func, Module, Op, Value, captures, nested_ops, reads
from spec.types import QuantizedType, TensorType, is_tensor

# The dimension of each value of a program along which its samples lie.

Axes = Mapping[str, int | None]  # by name; None: not in one dimension; values without samples are left out
WITHOUT = -1  # in place of a dimension: a value without samples
Given = Sequence[tuple[Value, int]]  # what an operation reads of the samples


def sample_axes(module: Module, size: int | None, inputs: Sequence[str] | None = None) -> Axes:
    """Return where the samples lie that are along the first dimension, of this size, of these arguments.

    inputs: the names of @main's arguments that have samples, by default of all.
    """
    body = module.main.body
    names = {v.name for v in body.arguments} if inputs is None else {*inputs}
    given = [0 if size is not None and v.name in names else WITHOUT for v in body.arguments]
    sampling = _Sampling(module, size)
    walk(sampling, body, given)
    axes = {v.name: axis for v, axis in zip(body.arguments, given, strict=True)} | sampling.axes
    return {name: axis for name, axis in axes.items() if axis != WITHOUT}


class _Sampling(Domain["int | None"]):
    """Domain of the dimensions along which samples lie; `axes` has those of all results in @main."""

    def __init__(self, module: Module, size: int | None) -> None:
        self.module, self.size, self.axes = module, size, dict[str, int | None]()
        self.own = {id(op) for op in nested_ops(module.main.body)}

    def apply(self, op: Op, operands: list[int | None], env: Env[int | None]) -> list[int | None]:
        return [self._result(op, k, env) for k in range(len(op.results))]

    def _result(self, op: Op, k: int, env: Env[int | None]) -> int | None:
        passes = short(op) == "optimization_barrier"
        read = [(v, env[v.name]) for v in (op.operands[k : k + 1] if passes else reads(op))]
        given = [(v, axis) for v, axis in read if axis is not None and axis != WITHOUT]
        if not given or any(axis is None for _, axis in read):
            return WITHOUT if all(axis == WITHOUT for _, axis in read) else None
        found = _axis(op, op.results[k], given)
        return found if found is not None and _size(op.results[k], found) == self.size else None

    def join(self, value: Value, values: Sequence[int | None], by: int | None) -> int | None:
        axes = {axis for axis in values if axis != WITHOUT} or {WITHOUT}
        return axes.pop() if by == WITHOUT and len(axes) == 1 else None

    def widen(self, value: Value, outer: int | None, inner: int | None, by: int | None) -> int | None:
        return self.join(value, (outer, inner), by)

    def hear(self, op: Op, results: Sequence[int | None]) -> None:
        if id(op) in self.own:
            self.axes.update(zip((value.name for value in op.results), results, strict=True))


def _size(value: Value, axis: int) -> int | None:
    shape = value.type.shape if is_tensor(value.type) else ()
    return shape[axis] if axis < len(shape) else None


def _axis(op: Op, result: Value, given: Given) -> int | None:
    """Return the dimension of a result, which `sample_axes` checks to have the samples' size."""
    if rule := RULES.get(short(op)):
        return rule(op, given)
    axes = {axis for _, axis in given}
    axis = axes.pop()
    return None if axes or not _keeps(op, axis) or not is_tensor(result.type) else axis


ALONG = {"reverse": "dimensions", "concatenate": "dimension", "sort": "dimension"}  # what mixes samples


def _keeps(op: Op, axis: int) -> bool:
    """Return whether an operation acts on each sample apart, where its operands have it."""
    name = short(op)
    if name in ALONG:
        rank = op.operands[0].type.rank  # a sort may count its dimension from the last one
        return axis not in [d % rank for d in _numbers(op[ALONG[name]])]
    if name == "pad":
        return not any(op[f"edge_padding_{end}"][axis] for end in ("low", "high"))
    if name == "reduce_window":
        return int(op["window_dimensions"][axis]) == 1 and not any(op["padding"][axis])
    return facts(op).batches or name in ("slice", "optimization_barrier")


def _numbers(x: int | Sequence[int]) -> Sequence[int]:
    return (x,) if isinstance(x, int) else x


def _transpose(op: Op, given: Given) -> int | None:
    return [*op["permutation"]].index(given[0][1])


def _broadcast(op: Op, given: Given) -> int | None:
    return int(op["broadcast_dimensions"][given[0][1]])


def _reshape(op: Op, given: Given) -> int | None:
    """Return the dimension of the same size with as many elements before it."""
    (value, axis), shape = given[0], op.result.type.shape
    assert isinstance(value.type, TensorType)
    before = prod(value.type.shape[:axis])
    alike = (d for d in range(len(shape)) if prod(shape[:d]) == before and shape[d] == value.type.shape[axis])
    return next(alike, None)


def _reduce(op: Op, given: Given) -> int | None:
    axes = {axis for _, axis in given}
    axis = axes.pop()
    return None if axes or axis in op["dimensions"] else axis - sum(d < axis for d in op["dimensions"])


def _contract(op: Op, given: Given) -> int | None:
    """Return the place of a batching or of a free dimension; samples of both operands must be batched."""
    found = set()
    batched = len(op["lhs_batching_dimensions"])
    for k, side in enumerate(("lhs", "rhs")):
        batching, summed = op[f"{side}_batching_dimensions"], op[f"{side}_contracting_dimensions"]
        free = [d for d in range(op.operands[k].type.rank) if d not in (*batching, *summed)]
        start = batched + (len(op.result.type.shape) - batched - len(free)) * k
        places = {d: i for i, d in enumerate(batching)} | {d: start + i for i, d in enumerate(free)}
        found |= {places.get(axis) for value, axis in given if value.name == op.operands[k].name}
    return found.pop() if len(found) == 1 else None


def _convolve(op: Op, given: Given) -> int | None:
    (value, axis), *others = given
    kept = (
        value.name == op.operands[0].name
        and axis == op["input_batch_dimension"]
        and op["batch_group_count"] == 1
    )
    return int(op["output_batch_dimension"]) if kept and not others else None


def _recast(op: Op, given: Given) -> int | None:
    """Return the same dimension, if the bits of each element become one other element."""
    return given[0][1] if op.operand.type.rank == op.result.type.rank else None


RULES: dict[str, Callable[[Op, Given], int | None]] = {
    "bitcast_convert": _recast,
    "transpose": _transpose,
    "broadcast_in_dim": _broadcast,
    "reshape": _reshape,
    "reduce": _reduce,
    "dot_general": _contract,
    "convolution": _convolve,
}


# A program on some of its samples: every operation as before, on fewer rows.
#
# The samples lie along one dimension of every value that depends on them (`sample_axis`), and no operation
# mixes them. Constants that have a number for each sample lose the same rows. Who uses the rewritten
# program checks it: on the rows that were taken, its results are those of the whole program, bit for bit.

PLAIN = ("elementwise", "conversion", "contraction")  # families
ALIKE = ("sort", "optimization_barrier")  # operands have the same size along the samples


@dataclass(frozen=True, eq=False)
class Fewer:
    """A function whose values with samples have fewer of them; `axes` has the dimension by the value's name.

    size: the number of all samples. originals: the operation of the whole program by the `id` of the new one;
    several new ones may have the same, if a function is called several times.
    """

    module: Module
    size: int
    axes: Mapping[str, int]
    originals: Mapping[int, Op]

    @property
    def func(self) -> Func:
        return self.module.main

    def of(self, value: Value, x: Array, rows: Sequence[int]) -> Array:
        """Return the rows of a value of the whole program."""
        axis = self.axes.get(value.name)
        return x if axis is None else np.take(x, rows, axis)


class _Refused(Exception):
    """An operation of which it is not known what it does with fewer samples."""


def fewer_samples(module: Module, func: Func, rows: Sequence[int]) -> Fewer | None:
    """Return the function on some samples, None if samples cannot be told apart in every operation.

    Samples lie along the first dimension of all results, and of all arguments of that size, or of the first.
    """
    firsts = {t.shape[0] if is_tensor(t) and t.shape else None for t in func.results}
    size = firsts.pop() if len(firsts) == 1 else None
    if not size:
        return None
    program, originals = inlined_with_originals(module, func)
    main = program.main
    inputs = [v.name for v in main.inputs if is_tensor(v.type) and v.type.shape[:1] == (size,)]
    for names in dict.fromkeys((tuple(inputs), tuple(inputs[:1]))):
        try:
            found = _Writer(program, size, names, rows, originals)
            return Fewer(replace_main(program, found.func()), size, found.known, found.originals)
        except _Refused:
            continue
    return None


def replace_main(program: Module, main: Func) -> Module:
    return Module({**program.functions, "main": main}, program.dialect, program.source)


class _Writer:
    """Copier of a function's operations with fewer samples."""

    def __init__(
        self,
        program: Module,
        size: int,
        names: Sequence[str],
        rows: Sequence[int],
        originals: Mapping[str, Op],
    ) -> None:
        self.main, self.size, self.rows, self.ops = program.main, size, rows, list[Op]()
        axes = sample_axes(program, size, names)
        if not names or any(axis is None for axis in axes.values()):
            raise _Refused
        self.known = {name: axis for name, axis in axes.items() if axis is not None}
        self.sources, self.originals = originals, dict[int, Op]()

    def func(self) -> Func:
        """Return the function."""
        inputs = tuple(map(self._new, self.main.inputs))
        for op in self.main.body.ops[:-1]:
            new = self._op(op)
            self.ops.append(new)
            if op.results and op.results[0].name in self.sources:
                self.originals[id(new)] = self.sources[op.results[0].name]
        if any(self.known.get(v.name) != 0 for v in self.main.body.returns):
            raise _Refused
        last = self.main.body.ops[-1]
        returned = replace(last, operands=tuple(map(self._new, last.operands)))
        body = replace(self.main.body, arguments=inputs, ops=(*self.ops, returned))
        return replace(self.main, body=body, results=tuple(v.type for v in body.returns))

    def _new(self, value: Value) -> Value:
        axis = self.known.get(value.name)
        return value if axis is None else _with_rows(value, axis, len(self.rows))

    def _op(self, op: Op) -> Op:
        sampled = [v for v in op.operands if v.name in self.known]
        if captures(op) and any(v.name in self.known for v in captures(op)):
            raise _Refused
        if not sampled:
            return op
        name, row = short(op), facts(op)
        moves = row.moves and row.family == "structure"
        usual = row.family in PLAIN or moves or row.folds or name in ALIKE
        if not usual or (op.regions and not (row.folds or name == "sort")):
            raise _Refused
        operands = tuple(self._operand(op, v, sampled[0]) for v in op.operands)
        attributes = dict(op.attributes)
        if name == "slice":
            axis = self.known[op.operands[0].name]
            limits = [*op["limit_indices"]]
            if op["start_indices"][axis] or op["strides"][axis] != 1:
                raise _Refused
            limits[axis] = len(self.rows)
            attributes["limit_indices"] = tuple(limits)
        return replace(
            op, operands=operands, results=tuple(map(self._new, op.results)), attributes=attributes
        )

    def _operand(self, op: Op, value: Value, sampled: Value) -> Value:
        """Return an operand; of one without samples, the rows, where the operation reads one for each."""
        shape = value.type.shape
        if value.name in self.known or not shape or facts(op).family == "contraction":
            return self._new(value)
        axis = self.known[sampled.name]
        if len(shape) != len(sampled.type.shape) or shape[axis] != self.size:
            raise _Refused
        return self._take_rows(value, axis)

    def _take_rows(self, value: Value, axis: int) -> Value:
        """Return the rows of a constant value, taken by operations that move data only."""
        parts, k = list[Value](), len(self.ops)
        for at, row in enumerate(self.rows):
            starts, limits = [0] * value.type.rank, [*value.type.shape]
            starts[axis], limits[axis] = row, row + 1
            part = _with_rows(_rename(value, f"row{k}{RESERVED}{at}"), axis, 1)
            places = {"start_indices": tuple(starts), "limit_indices": tuple(limits)}
            strides = {"strides": (1,) * value.type.rank}
            self.ops.append(Op("stablehlo.slice", (value,), (part,), places | strides))
            parts.append(part)
        whole = _with_rows(_rename(value, f"rows{k}"), axis, len(self.rows))
        self.ops.append(Op("stablehlo.concatenate", tuple(parts), (whole,), {"dimension": axis}))
        return whole


def _rename(value: Value, what: str) -> Value:
    return replace(value, name=f"%{what}{RESERVED}{value.name.removeprefix('%')}")


def _with_rows(value: Value, axis: int, rows: int) -> Value:
    assert isinstance(value.type, TensorType)
    type = value.type.element_type
    if isinstance(type, QuantizedType) and not type.is_per_tensor and type.quantization_dimension == axis:
        raise _Refused
    shape = [*value.type.shape]
    shape[axis] = rows
    return replace(value, type=replace(value.type, shape=tuple(shape)))
