"""Constraint rows of operations with sub-channel types, an extension: StableHLO's rows allow them nowhere.

An operation with such a type satisfies its own rows with the parameters erased, that is, with types that have
one scale, 1, and zero point 0; S10 to S14 judge the parameters. They compare expanded tables: the scale and
the zero point of every element. Two types are the same for a tensor if their tables are equal, whichever
blocks they write. What dequantizes its operands and quantizes its result has no row: each has its own table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import gcd
from typing import NamedTuple

from spec.errors import Violation
from spec.ir import Op, Value
from spec.parameter_tables import Parameter, Table, table
from spec.quantized import QuantizedType
from spec.rules.constraint import SHOWN, C, Constraint, show
from spec.rules.members import baseline_of, is_quantized, is_sub_channel, values
from spec.types import TensorType

# Of a dimension of an operand: the result's dimension that it becomes, None if its coordinate is 0
# throughout, and its coordinate for each one of the result, None outside the operand.
Coordinates = tuple[int | None, Sequence[int | None]]


# Where the elements of a result come from: for each operand that is moved, its dimensions.

Places = list[list[Coordinates]]


def _identity(shape: Sequence[int]) -> list[Coordinates]:
    return [(d, range(n)) for d, n in enumerate(shape)]


def _from_slice(op: Op) -> Places:
    steps = zip(op["start_indices"], op["strides"], op.result.type.shape, strict=True)
    return [[(j, [start + i * stride for i in range(n)]) for j, (start, stride, n) in enumerate(steps)]]


def _from_transpose(op: Op) -> Places:
    return [[(op["permutation"].index(d), range(n)) for d, n in enumerate(op.operands[0].type.shape)]]


def _from_reverse(op: Op) -> Places:
    sizes = enumerate(op.result.type.shape)
    return [[(d, range(n)[::-1] if d in op["dimensions"] else range(n)) for d, n in sizes]]


def _from_broadcast(op: Op) -> Places:
    dimensions = zip(op.operands[0].type.shape, op["broadcast_dimensions"], strict=True)
    return [[(j, [0] * op.result.type.shape[j] if n == 1 else range(n)) for n, j in dimensions]]


def _from_pad(op: Op) -> Places:
    found: list[Coordinates] = []
    edges = zip(op.operands[0].type.shape, op["edge_padding_low"], op["interior_padding"], strict=True)
    for d, (n, low, interior) in enumerate(edges):
        places = [divmod(i - low, interior + 1) for i in range(op.result.type.shape[d])]
        found.append((d, [k if rest == 0 and 0 <= k < n else None for k, rest in places]))
    return [found, []]


def _from_concatenate(op: Op) -> Places:
    dimension, found, start = op["dimension"], [], 0
    for x in op.operands:
        along = [i - start for i in range(op.result.type.shape[dimension])]
        places = _identity(x.type.shape)
        places[dimension] = dimension, [i if 0 <= i < x.type.shape[dimension] else None for i in along]
        found.append(places)
        start += x.type.shape[dimension]
    return found


def _from_choice(op: Op) -> Places:
    """Return the coordinates of operands from which elements are chosen; a scalar is everywhere."""
    return [_identity(x.type.shape) for x in op.operands]


def _from_window(op: Op) -> Places:
    return [_identity(op.result.type.shape)]


def _from_gather(op: Op) -> Places:
    gone, offsets = {*op["collapsed_slice_dims"], *op["operand_batching_dims"]}, iter(op["offset_dims"])
    return [[(None, ()) if d in gone else (next(offsets), range(n)) for d, n in enumerate(op["slice_sizes"])]]


MOVES: dict[str, Callable[[Op], Places]] = {
    "stablehlo.broadcast_in_dim": _from_broadcast,
    "stablehlo.concatenate": _from_concatenate,
    "stablehlo.pad": _from_pad,
    "stablehlo.reverse": _from_reverse,
    "stablehlo.slice": _from_slice,
    "stablehlo.transpose": _from_transpose,
}
WINDOWS: dict[str, Callable[[Op], Places]] = {
    "stablehlo.dynamic_slice": _from_window,
    "stablehlo.gather": _from_gather,
}
CHOICES = ("stablehlo.clamp", "stablehlo.select")


# Comparison of tables, one element of each cell in which no table changes.


def first_difference(
    result: TensorType, operands: Sequence[TensorType], places: Places, every: bool = False
) -> str:
    """Return the first element whose parameters are not those where it comes from, or "".

    Without `every`, it comes from the first operand that has a place for it.
    """
    wanted, tables = table(result), [table(x) if x.is_quantized else None for x in operands]
    cells = [_starts(result, tables, places, j) for j in range(result.rank)]
    for index in product(*cells):
        for k, (known, dimensions) in enumerate(zip(tables, places, strict=True)):
            at = [0 if j is None else along[index[j]] for j, along in dimensions]
            if known is None or None in at:
                continue
            if (found := known.at(at)) != wanted.at(index):  # type: ignore[arg-type]
                return _difference(index, wanted.at(index), f"operand {k} at {at}", found)
            if not every:
                break
    return ""


def _starts(result: TensorType, tables: Sequence[Table | None], places: Places, j: int) -> list[int]:
    """Return the coordinates of the result along dimension j at which a block begins in any table."""
    rows = [[i // table(result).sizes[j] for i in range(result.shape[j])]]
    for known, dimensions in zip(tables, places, strict=True):
        for d, (to, along) in enumerate(dimensions):
            if to == j and known is not None:
                rows.append([-1 if i is None else i // known.sizes[d] for i in along])
    marks = list(zip(*rows, strict=True))
    return [i for i, mark in enumerate(marks) if i == 0 or mark != marks[i - 1]]


def _difference(index: Sequence[int], wanted: Parameter, where: str, found: Parameter) -> str:
    pair = lambda x: f"{x[0]!r}:{x[1]}"
    return f"result at {list(index)} has {pair(wanted)}, and {where} has {pair(found)}"


def difference_in_order(operand: TensorType, result: TensorType) -> str:
    """Return the first element of a reshape whose parameters change, or "". The order of elements stays."""
    for flat in range(0, operand.size, gcd(_run(operand), _run(result))):
        at, index = _index(flat, operand.shape), _index(flat, result.shape)
        if (found := table(operand).at(at)) != (wanted := table(result).at(index)):
            return _difference(index, wanted, f"operand 0 at {list(at)}", found)
    return ""


def _run(type: TensorType) -> int:
    """Return how many elements in order have the same parameters, wherever a block begins."""
    known, length = table(type), 1
    for n, size, count in zip(type.shape[::-1], known.sizes[::-1], known.counts[::-1], strict=True):
        if count > 1:
            return length * size
        length *= n
    return max(length, 1)


def _index(flat: int, shape: Sequence[int]) -> tuple[int, ...]:
    index: list[int] = []
    for n in reversed(shape):
        flat, i = divmod(flat, n)
        index.append(i)
    return tuple(reversed(index))


def _moved_difference(op: Op) -> str:
    """Return where S10 does not hold, or ""."""
    types = [x.type for x in op.operands]
    if op.name == "stablehlo.reshape":
        return difference_in_order(types[0], op.result.type)
    places = {**MOVES, **WINDOWS}[op.name](op) if op.name != UPDATE else [_identity(types[0].shape)]
    if op.name == UPDATE and (text := first_difference(types[1], types[:1], [_identity(types[1].shape)])):
        return text.replace("result", "the update", 1)
    return first_difference(op.result.type, types[: len(places)], places)


def _sliding_dimension(op: Op) -> str:
    """Return where S11 does not hold: a window moves along a dimension over other parameters; or ""."""
    type = op.operands[0].type
    sizes = op.operands[1].type.shape if op.name == UPDATE else op["slice_sizes"]
    for d, (n, size) in enumerate(zip(type.shape, sizes, strict=True)):
        if n != size and not table(type).is_constant_along(d):
            return f"the slice has {size} of {n} elements along dimension {d}, along which parameters change"
    return ""


def _chosen_difference(op: Op) -> str:
    """Return where S12 does not hold, or ""."""
    if op.name == "stablehlo.optimization_barrier":
        pairs = [(x.type, y.type) for x, y in zip(op.operands, op.results, strict=True) if is_quantized(x)]
        return next(filter(None, (first_difference(y, [x], [_identity(x.shape)]) for x, y in pairs)), "")
    return first_difference(op.result.type, [x.type for x in op.operands], _from_choice(op), every=True)


UPDATE = "stablehlo.dynamic_update_slice"
FOLDS = ("stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.select_and_scatter")
CONTRACTIONS = ("stablehlo.convolution", "stablehlo.dot_general")
# Each quantized operand and result has a table of its own: it is dequantized, or quantized, by itself.
FREE = {
    f"stablehlo.{name}"
    for name in """abs add atan2 bitcast_convert cbrt ceil compare constant cosine divide exponential
    exponential_minus_one floor is_finite log log_plus_one logistic maximum minimum multiply negate power
    reduce_precision remainder round_nearest_afz round_nearest_even rsqrt sign sine sqrt subtract tan tanh
    uniform_dequantize uniform_quantize""".split()
}
# Their own rows, or the signature of what they run, demand equal types.
PASSING = (
    "func.call",
    "func.return",
    "interpreter.print",
    "stablehlo.case",
    "stablehlo.composite",
    "stablehlo.custom_call",
    "stablehlo.get_tuple_element",
    "stablehlo.if",
    "stablehlo.return",
    "stablehlo.tuple",
    "stablehlo.while",
)


class Row(NamedTuple):
    """A row about the tables of operations, and the function that returns where it does not hold."""

    row: Constraint
    operations: tuple[str, ...]
    find: Callable[[Op], str]


def _row(number: int, formula: str) -> Constraint:
    return C(number, formula, show=SHOWN)._replace(letter="s")


ROWS = (
    Row(
        _row(
            11,
            "the parameters of operand are constant along a dimension of which a slice takes a part",
        ),
        (UPDATE, *WINDOWS),
        _sliding_dimension,
    ),
    Row(
        _row(10, "parameters(result)[i] = parameters(operand)[where i comes from]"),
        (UPDATE, *WINDOWS, *MOVES, "stablehlo.reshape"),
        _moved_difference,
    ),
    Row(
        _row(12, "parameters(operands...)[i] = parameters(result)[i]"),
        (*CHOICES, "stablehlo.optimization_barrier"),
        _chosen_difference,
    ),
    Row(
        _row(13, "init_values, body and results of a reduction have one scale: a scalar has no blocks"),
        FOLDS,
        lambda op: "the result has scales per block" if any(map(is_sub_channel, op.results)) else "",
    ),
    Row(
        _row(14, "the operation takes types with a scale per block"),
        (),
        lambda op: "dequantize its operands first, and quantize its result",
    ),
)


def uses_blocks(op: Op) -> bool:
    """Return whether rows of this chapter judge an operation."""
    return (
        op.name.startswith("stablehlo.") and op.name not in PASSING and any(map(is_sub_channel, values(op)))
    )


def block_violations(op: Op, name: str) -> list[Violation]:
    """Return the first violation of S10 to S14 by an operation that satisfies its own rows."""
    applicable = [row for row in ROWS if op.name in row.operations]
    if not applicable and op.name not in FREE and op.name not in CONTRACTIONS:
        applicable = [ROWS[-1]]
    for row in applicable:
        if evidence := row.find(op):
            shown = f"{evidence}\n{show(op, SHOWN)}"
            return [Violation(f"{name}_{row.row.label}", row.row.formula, shown, op.location)]
    return []


def without_parameters(op: Op) -> Op:
    """Return the operation that its own rows judge: without the parameters that S10 to S14 are about.

    Inputs of a reduction with blocks get the parameters of the init value, results those of the body. In a
    contraction, types with blocks lose theirs, and the result as well if rhs has blocks: (C15) and (C16) do
    not apply to blocks.
    """
    if op.name in FOLDS:
        half = (len(op.operands) + 1) // 2 if op.name != FOLDS[2] else 2
        inits = op.operands[half:] * (half if op.name == FOLDS[2] else 1)
        inputs = tuple(map(_as_scalar, op.operands[:half], inits))
        results = tuple(map(_as_scalar, op.results, op.regions[-1].returns)) if op.regions else op.results
        return replace(op, operands=(*inputs, *op.operands[half:]), results=results)
    if op.name in CONTRACTIONS:
        lhs, rhs = op.operands
        everywhere = is_sub_channel(rhs)
        erase = lambda x: _erase(x) if is_sub_channel(x) else x
        results = tuple(map(_erase if everywhere else erase, op.results))
        return replace(op, operands=(erase(lhs), erase(rhs)), results=results)
    return replace(op, operands=tuple(map(_erase, op.operands)), results=tuple(map(_erase, op.results)))


def _as_scalar(value: Value, scalar: Value) -> Value:
    """Return a value with the parameters of a scalar, if it has blocks and all else agrees."""
    if not is_sub_channel(value) or baseline_of(_erase(value)) != baseline_of(scalar):
        return value
    return replace(value, type=replace(value.type, element_type=scalar.type.element_type))


def _erase(value: Value) -> Value:
    """Return the value with one scale, 1, and zero point 0, if it is quantized."""
    element = value.type.element_type
    if not isinstance(element, QuantizedType):
        return value
    plain = replace(
        element,
        scales=(1.0,),
        zero_points=(0,),
        quantization_dimension=None,
        block_sizes=None,
        parameters_shape=(),
    )
    return replace(value, type=replace(value.type, element_type=plain))
