"""A program on some of its result's elements: one row for each, with all that the row's sums need.

A value of the whole program becomes one with a row for each chosen element: of each dimension it has either
the one position that the row needs, or all positions, which a sum of the row runs through. So 1,000 elements
of a product of large matrices are 1,000 products of a row and a column. Sums have the same leaves in the same
order, so that every schedule, reading and recipe gives the chosen elements the same bits.

PREMISE: each operation is one of `RULES`, or acts element by element. Others are refused by `Unsupported`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any

import numpy as np

from interp.backends import Array
from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import facts
from interp.recorder.event import short
from interp.rewrite.windows_of_elements import Windows, kernel_windows, window_of
from spec.attributes import Dense
from spec.errors import Unsupported
from spec.ir import Func, Module, Op, Region, Value, captures
from spec.types import QuantizedType, TensorType

Positions = tuple[Array | None, ...]  # by dimension: the position that each row needs, or None for all
FAMILIES = ("elementwise", "conversion")


@dataclass(frozen=True, eq=False)
class Argument:
    """An argument of the smaller program: the elements of a value of the whole one that rows need."""

    value: Value
    positions: Positions
    windows: Windows | None = None

    @property
    def is_chosen(self) -> bool:
        """Return whether it has a row for each element; else it is a whole value."""
        return self.windows is not None or any(at is not None for at in self.positions)

    def take(self, x: Array) -> Array:
        """Return the elements of the whole array; of a file that is mapped, only what they need is read."""
        if self.windows:
            return self.windows.take(x)
        return take(x, self.positions)


@dataclass(frozen=True, eq=False)
class FewerElements:
    """A program of chosen elements, and where its arguments are in those of the whole program."""

    module: Module
    arguments: tuple[Argument, ...]

    def args(self, arrays: Callable[[str], Array]) -> list[Array]:
        """Return the arguments. arrays: returns an argument of the whole program by its name."""
        return [each.take(arrays(each.value.name)) for each in self.arguments]


def take(x: Array, positions: Positions) -> Array:
    """Return rows of an array: the positions that rows need lead, and all others follow."""
    chosen = {d: at for d, at in enumerate(positions) if at is not None}
    if not chosen:
        return np.asarray(x)
    if len(chosen) == 1:
        ((d, at),) = chosen.items()
        return np.ascontiguousarray(np.moveaxis(np.take(x, at, d), d, 0))
    rest = [d for d in range(x.ndim) if d not in chosen]
    return np.ascontiguousarray(np.transpose(x, [*chosen, *rest])[tuple(chosen.values())])


def fewer_elements(module: Module, flat: Array) -> FewerElements:
    """Return the program of some elements of @main's only result, by their flat indices.

    Raise `Unsupported` if an operation mixes elements in a way that has no rule.
    """
    main = module.main
    (result,) = main.body.returns
    shape = result.type.shape
    positions = tuple(np.unravel_index(np.asarray(flat), shape)) if shape else ()
    writer = _Writer(main, len(flat))
    value = writer.value(result, positions)
    end = replace(main.body.ops[-1], operands=(value,))
    body = Region(tuple(v for v, _ in writer.arguments), (*writer.ops, end))
    small = replace(main, body=body, results=(value.type,))
    functions = {**module.functions, main.name: small}
    return FewerElements(
        Module(functions, module.dialect, module.source), tuple(each for _, each in writer.arguments)
    )


@dataclass
class _Writer:
    """Writer of operations on rows."""

    main: Func
    rows: int
    ops: list[Op] = field(default_factory=list)
    arguments: list[tuple[Value, Argument]] = field(default_factory=list)
    values: dict[Any, Value] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    held: list[Positions] = field(default_factory=list)  # whose arrays are told apart by `id`

    def __post_init__(self) -> None:
        self.makers: Mapping[str, Op] = {v.name: op for op in self.main.body.ops for v in op.results}
        self.first = np.zeros(self.rows, np.int64)  # the position in a dimension of size 1

    def value(self, value: Value, positions: Positions) -> Value:
        """Return the rows of a value, and write the operations that compute them."""
        key = (value.name, *map(id, positions))
        self.held.append(positions)
        if key not in self.values:
            op = self.makers.get(value.name)
            if op is None:
                self.values[key] = self.argument(value, positions)
            else:
                self._write(op, value, positions)
        return self.values[key]

    def argument(self, value: Value, positions: Positions, windows: Windows | None = None) -> Value:
        new = self.name_value(value, windows.type if windows else self.type(value.type, positions))
        self.arguments.append((new, Argument(value, positions, windows)))
        return new

    def name_value(self, value: Value, type: TensorType) -> Value:
        """Return a value of another type, with a name of its own."""
        stem = name = value.name.replace("#", "_")
        while name in self.names:
            name = f"{stem}_{len(self.names)}"
        self.names.add(name)
        return replace(value, name=name, type=type)

    def type(self, type: TensorType, positions: Positions) -> TensorType:
        """Return the type of rows."""
        if not any(at is not None for at in positions):
            return type
        shape = (self.rows, *(n for n, at in zip(type.shape, positions, strict=True) if at is None))
        return TensorType(shape, self._element(type.element_type, positions))

    def _element(self, element: Any, positions: Positions) -> Any:
        if not isinstance(element, QuantizedType) or element.is_per_tensor:
            return element
        axis = element.quantization_dimension
        if axis is None:
            raise Unsupported("elements of a value with a scale for each block", "expected scales by axis")
        at = positions[axis]
        if at is None:
            return replace(element, quantization_dimension=place_of(positions, axis))
        scales, points = ([row[k] for k in at] for row in (element.scales, element.zero_points))
        return replace(
            element, quantization_dimension=0, scales=tuple(scales), zero_points=tuple(map(int, points))
        )

    def _write(self, op: Op, value: Value, positions: Positions) -> None:
        if captures(op):
            raise _refusal(op)
        if not any(at is not None for at in positions):
            return self._copy(op)
        name, row = short(op), facts(op)
        if rule := RULES.get(name):
            return rule(self, op, value, positions)
        if row.family not in FAMILIES or not row.batches or op.regions or len(op.results) != 1:
            raise _refusal(op)
        return self.emit(op, [self._alike(op, v, positions) for v in op.operands], positions)

    def _alike(self, op: Op, operand: Value, positions: Positions) -> Value:
        """Return the rows of an operand of an elementwise operation; one number for all stays so."""
        if operand.type.shape == op.result.type.shape:
            return self.value(operand, positions)
        if operand.type.rank:
            raise _refusal(op)
        return self.value(operand, ())

    def _copy(self, op: Op) -> None:
        """Write an operation on whole values as it is."""
        operands = tuple(self.value(v, (None,) * v.type.rank) for v in op.operands)
        results = tuple(self.name_value(v, v.type) for v in op.results)
        self.ops.append(replace(op, operands=operands, results=results))
        for old, new in zip(op.results, results, strict=True):
            self.values[old.name, *map(id, (None,) * old.type.rank)] = new

    def emit(
        self, op: Op, operands: Sequence[Value], positions: Positions, name: str = "", **attributes: Any
    ) -> None:
        """Write an operation on rows, whose results have these positions; attributes replace its own."""
        results = tuple(self.name_value(v, self.type(v.type, positions)) for v in op.results)
        new = {**op.attributes, **attributes} if not name else attributes
        self.ops.append(
            replace(op, name=name or op.name, operands=tuple(operands), results=results, attributes=new)
        )
        for old, made in zip(op.results, results, strict=True):
            self.values[(old.name, *map(id, positions))] = made


def place_of(positions: Positions, d: int) -> int:
    """Return the dimension of rows that has all positions of a dimension."""
    return any(at is not None for at in positions) + sum(at is None for at in positions[:d])


def _refusal(op: Op) -> Unsupported:
    return Unsupported(f"some elements of {short(op)} alone", "it is computed as a whole", op.location)


# Rules: each writes an operation on rows.
def _constant(self: _Writer, op: Op, value: Value, positions: Positions) -> None:
    dense, type = op["value"], self.type(value.type, positions)
    if not isinstance(dense, Dense):
        raise _refusal(op)
    if dense.splat:
        return self.emit(op, (), positions, value=Dense(type, dense.data, True))
    whole = np.frombuffer(dense.data, numpy_dtype(value.type.storage_type)).reshape(value.type.shape)
    rows = take(whole, positions)
    return self.emit(op, (), positions, value=Dense(type, rows.tobytes()))


def _broadcast(self: _Writer, op: Op, value: Value, positions: Positions) -> None:
    operand, to = op.operands[0], [*op["broadcast_dimensions"]]
    pairs = list(zip(operand.type.shape, to, strict=True))
    stretched = [n == 1 and value.type.shape[d] != 1 for n, d in pairs]
    own: Positions = tuple(
        self.first if stretch and positions[d] is not None else positions[d]
        for stretch, (_, d) in zip(stretched, pairs, strict=True)
    )
    is_chosen = any(at is not None for at in own)
    places = [place_of(positions, d) for at, d in zip(own, to, strict=True) if at is None]
    places = [0] * is_chosen + places
    self.emit(op, [self.value(operand, own)], positions, broadcast_dimensions=tuple(places))


def _transpose(self: _Writer, op: Op, value: Value, positions: Positions) -> None:
    permutation = [*op["permutation"]]
    own: Positions = tuple(positions[permutation.index(d)] for d in range(len(permutation)))
    places = [place_of(own, d) for at, d in zip(positions, permutation, strict=True) if at is None]
    self.emit(op, [self.value(op.operands[0], own)], positions, permutation=(0, *places))


def _reshape(self: _Writer, op: Op, value: Value, positions: Positions) -> None:
    """Write a reshape of rows, if the positions that rows need are those of the first dimensions."""
    operand, shape = op.operands[0], value.type.shape
    leading = next((d for d, at in enumerate(positions) if at is None), len(shape))
    if any(at is not None for at in positions[leading:]):
        raise _refusal(op)
    before, own = prod(shape[:leading]), operand.type.shape
    split = next((d for d in range(len(own) + 1) if prod(own[:d]) == before), None)
    if split is None or leading == 0:
        raise _refusal(op)
    if leading == len(shape):
        split = len(own)
    flat = np.ravel_multi_index([np.asarray(at) for at in positions[:leading]], shape[:leading])
    chosen = tuple(np.unravel_index(flat, own[:split])) if split else ()
    rows = self.value(operand, (*chosen, *(None,) * (len(own) - split)))
    if not split:
        return self.emit(
            op,
            [rows],
            positions,
            "stablehlo.broadcast_in_dim",
            broadcast_dimensions=(*range(1, len(own) + 1),),
        )
    return self.emit(op, [rows], positions)


def _slice(self: _Writer, op: Op, value: Value, positions: Positions) -> None:
    operand = op.operands[0]
    for d, at in enumerate(positions):
        if at is None and value.type.shape[d] != operand.type.shape[d]:
            raise _refusal(op)
    moved: Positions = tuple(
        None if at is None else at * int(stride) + int(start)
        for at, start, stride in zip(positions, op["start_indices"], op["strides"], strict=True)
    )
    rows = self.value(operand, moved)
    self.values[(value.name, *map(id, positions))] = rows


def _reduce(self: _Writer, op: Op, value: Value, positions: Positions) -> None:
    half, summed, left = len(op.results), {*op["dimensions"]}, list(positions)
    rank = op.operands[0].type.rank
    own: Positions = tuple(None if d in summed else left.pop(0) for d in range(rank))
    inputs = [self.value(v, own) for v in op.operands[:half]]
    inits = [self.value(v, ()) for v in op.operands[half:]]
    self.emit(op, [*inputs, *inits], positions, dimensions=tuple(place_of(own, d) for d in sorted(summed)))


def _contract(self: _Writer, op: Op, value: Value, positions: Positions) -> None:
    sides, owns = ("lhs", "rhs"), list[Positions]()
    batched = len(op["lhs_batching_dimensions"])
    rest = list(positions[batched:])
    for k, side in enumerate(sides):
        batching, summed = [*op[f"{side}_batching_dimensions"]], [*op[f"{side}_contracting_dimensions"]]
        at = dict(zip(batching, positions, strict=False))
        free = [d for d in range(op.operands[k].type.rank) if d not in (*batching, *summed)]
        at |= {d: rest.pop(0) for d in free}
        owns.append(tuple(at.get(d) for d in range(op.operands[k].type.rank)))
    chosen = [any(at is not None for at in own) for own in owns]
    whole_batches = any(at is None for at in positions[:batched])
    if not chosen[0] or (not chosen[1] and whole_batches):
        raise _refusal(op)
    new: dict[str, Any] = {}
    for side, own in zip(sides, owns, strict=True):
        for what in ("batching", "contracting"):
            name = f"{side}_{what}_dimensions"
            new[name] = tuple(place_of(own, d) for d in op[name] if own[d] is None)
        if all(chosen):
            new[f"{side}_batching_dimensions"] = (0, *new[f"{side}_batching_dimensions"])
    self.emit(op, [self.value(v, own) for v, own in zip(op.operands, owns, strict=True)], positions, **new)


def _convolve(self: _Writer, op: Op, value: Value, positions: Positions) -> None:
    """Write a convolution as products of windows and kernels, in the order of the convolution's sums."""
    if any(v.name in self.makers for v in op.operands) or any(at is None for at in positions):
        raise _refusal(op)
    windows = window_of(op, positions)
    if windows is None:
        raise _refusal(op)
    n, kernel = len(windows[0].type.shape) - 1, op.operands[1]
    output, element = positions[op["output_feature_dimension"]], kernel.type.element_type
    channel: Positions = tuple(
        output if d == op["kernel_output_feature_dimension"] else None for d in range(kernel.type.rank)
    )
    lhs = self.argument(op.operands[0], (), windows[0])
    if isinstance(element, QuantizedType) or element.is_integer:
        rhs, order = self.value(kernel, channel), tuple(place_of(channel, d) for d in windows[1])
    else:
        rhs = self.argument(kernel, (), kernel_windows(kernel.type, windows, output))
        order = tuple(range(1, n + 1))
    sides = lhs, rhs
    sums = {"batching": ((0,), (0,)), "contracting": (tuple(range(1, n + 1)), order)}
    numbers = {
        f"{side}_{what}_dimensions": pair[k]
        for k, side in enumerate(("lhs", "rhs"))
        for what, pair in sums.items()
    }
    self.emit(op, sides, positions, "stablehlo.dot_general", **numbers)


RULES: dict[str, Callable[[_Writer, Op, Value, Positions], None]] = {
    "constant": _constant,
    "broadcast_in_dim": _broadcast,
    "transpose": _transpose,
    "reshape": _reshape,
    "slice": _slice,
    "reduce": _reduce,
    "dot_general": _contract,
    "convolution": _convolve,
}
