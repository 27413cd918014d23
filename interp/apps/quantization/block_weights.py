"""Weights with a scale for each block, as exporters spell them, as constants of a sub-channel type.

Qwix's tiles, ONNX's blocked DequantizeLinear and torchao's groups are exported as operations on constants:
integers are converted, less zero points, multiplied with scales that are spread over blocks, and reshaped. Of
a contraction's operand that is computed so, this makes one constant. An element is `fl((q - zero_point) * s)`
either way, and a contraction of floats and quantized numbers multiplies and adds the same numbers, so that
the program's results keep every bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import gcd, prod
from typing import Any, NamedTuple

import numpy as np

from interp.apps.quantization.kernels import DEQUANTIZE, Names
from interp.backends.dtypes import numpy_dtype
from interp.engine.markup import Display
from interp.loading.writer import drop_unused, names_of
from interp.theory.contractions import channels
from spec.attributes import Dense
from spec.ir import Func, Module, Op, Region, Value
from spec.types import QuantizedType, TensorType, make_quantized

Array = np.ndarray
CONTRACTIONS = ("stablehlo.dot_general", "stablehlo.convolution")
SUBTRACT, MULTIPLY, CONVERT = "stablehlo.subtract", "stablehlo.multiply", "stablehlo.convert"
ARGUMENTS = "scales or zero points that are arguments have no type"
COMPUTED = "scales or zero points come from"


class Weights(NamedTuple):
    """Stored integers, zero points and scales, each for every element; the storage type's name."""

    stored: Array
    zero_points: Array
    scales: Array
    storage: str


class Unfit(Exception):
    """Reason why an operand has no type with blocks."""


class NotConstant(Unfit):
    """Unfit since parameters are values: they may be operands, see `scaled_contractions.py`."""


@dataclass(frozen=True)
class BlockWeights(Display):
    """The program with blocked weights. raised: its operands, by name; left: others, each with the reason."""

    module: Module
    raised: tuple[str, ...]
    left: tuple[tuple[str, str], ...]

    def __repr__(self) -> str:
        lines = [f"{len(self.raised)} weights with scales per block"]
        lines += [f"  {name}" for name in self.raised]
        return "\n".join([*lines, *(f"  {name} stays in floats: {why}" for name, why in self.left)])


def raise_blocks(module: Module) -> BlockWeights:
    """Return the program in which operands of contractions that are computed from integers have blocks."""
    raised, left = list[str](), list[tuple[str, str]]()
    functions = {name: _raise_function(function, raised, left) for name, function in module.functions.items()}
    return BlockWeights(replace(module, functions=functions), tuple(raised), tuple(left))


def _raise_function(function: Func, raised: list[str], left: list[tuple[str, str]]) -> Func:
    made = {value.name: op for op in function.body.ops for value in op.results}
    taken = names_of([function.body])
    ops: list[Op] = []
    for op in function.body.ops:
        operands = list(op.operands)
        for k, value in enumerate(op.operands[:2] if op.name in CONTRACTIONS else ()):
            if value.name not in made or not _has_scales(value, made):
                continue
            try:
                weights = _weights(value, made)
                constant = _constant(value, weights, taken)
            except Unfit as reason:
                left.append((value.name, str(reason)))
                continue
            if k == 0:
                left.append((value.name, "only a right operand may have blocks beside a float operand"))
                continue
            ops.append(constant)
            operands[k] = constant.result
            raised.append(f"{value.name}: {constant.result.type.brief}")
        ops.append(replace(op, operands=tuple(operands)))
    return replace(function, body=Region(function.body.arguments, drop_unused(ops)))


@dataclass(frozen=True)
class Blocks:
    """Findings of `dequantize_blocks` in a region.

    weights: by the name of the value that was computed, the constant and the operations that it stands for.
    unfit: by the name of a contraction's result, its operand and why that has no such type.
    """

    weights: dict[str, tuple[Op, tuple[str, ...]]]
    unfit: dict[str, tuple[Value, str]]


def dequantize_blocks(region: Region, names: Names) -> tuple[Region, Blocks]:
    """Return a block in which weights with a scale per block are constants of such a type, dequantized.

    They are operands of contractions, computed from integers by scales that change along the sums. Every
    number stays the same.
    """
    made = {value.name: op for op in region.ops for value in op.results}
    found = Blocks({}, {})
    for op in region.ops:
        for k, value in enumerate(op.operands[:2] if op.name in CONTRACTIONS else ()):
            if value.name in found.weights or value.name not in made or not _has_scales(value, made):
                continue
            try:
                constant = _constant(value, _weights(value, made), names.used)
            except NotConstant:
                continue
            except Unfit as reason:
                found.unfit[op.result.name] = value, str(reason)
                continue
            sizes = constant.result.type.quantized_element_type.block_sizes or ()
            if {d for d, _ in sizes} & set(summed_dimensions(op, k)):  # else a scale for each channel
                merged = tuple(each.name.partition(".")[2] for each in _chain(value, made))
                found.weights[value.name] = replace(constant, location=made[value.name].location), merged
    ops: list[Op] = []
    for op in region.ops:
        if op.results and op.results[0].name in found.weights:
            constant = found.weights[op.results[0].name][0]
            ops += constant, Op(DEQUANTIZE, constant.results, op.results, location=op.location)
        else:
            ops.append(op)
    return replace(region, ops=tuple(ops)), found


def summed_dimensions(op: Op, k: int) -> tuple[int, ...]:
    """Return the dimensions of operand k over which a contraction sums."""
    if k:
        return channels(op)[0]
    if op.name == "stablehlo.convolution":
        return (*op["input_spatial_dimensions"], op["input_feature_dimension"])
    return tuple(op["lhs_contracting_dimensions"])


def _chain(value: Value, made: Mapping[str, Op]) -> list[Op]:
    """Return the operations that compute a value from constants, in program order, less the constants."""
    chain: dict[str, Op] = {}
    todo = [value.name]
    while todo:
        op = made[todo.pop()]
        if op.operands:
            chain[op.result.name] = op
            todo += [v.name for v in op.operands]
    return [op for name, op in made.items() if name in chain]


def _has_scales(value: Value, made: Mapping[str, Op]) -> bool:
    """Return whether a value is moved, and multiplied from converted integers: else nothing is said of it."""
    op = made.get(value.name)
    while op is not None and op.name in (*MOVES, CONVERT):
        op = made.get(op.operands[0].name)
    if op is None or op.name != MULTIPLY:
        return False
    return any(_is_integer(x, made) or _has_scales(x, made) for x in op.operands)


def _is_integer(value: Value, made: Mapping[str, Op]) -> bool:
    op = made.get(value.name)
    while op is not None and op.name in (*MOVES, SUBTRACT):
        op = made.get(op.operands[0].name)
    return op is not None and op.name == CONVERT and op.operand.type.storage_type.is_integer


def _weights(value: Value, made: Mapping[str, Op]) -> Weights:
    """Return the parameters of every element, in the shape of a value."""
    op = made[value.name]
    if op.name in MOVES:
        inner = _weights(op.operands[0], made)
        stored, points, scales = (MOVES[op.name](op, x) for x in inner[:3])
        return Weights(stored, points, scales, inner.storage)
    if op.name == CONVERT:
        first, second = (v.type.storage_type.name for v in (op.operand, op.result))
        raise Unfit(f"its products are rounded to {first} and then to {second}, in a type once")
    if not any(_is_integer(x, made) for x in op.operands):
        raise Unfit("its integers are multiplied twice: (q * s) * t is rounded twice, in a type once")
    elements, factors = op.operands if _is_integer(op.operands[0], made) else op.operands[::-1]
    stored, points, storage = _integers(elements, made)
    return Weights(stored, points, _numbers(factors, made), storage)


def _integers(value: Value, made: Mapping[str, Op]) -> tuple[Array, Array, str]:
    """Return stored integers and their zero points, from before they were converted."""
    op = made.get(value.name)
    if op is None:
        raise NotConstant("its integers are no constant")
    if op.name in MOVES:
        stored, points, storage = _integers(op.operands[0], made)
        return MOVES[op.name](op, stored), MOVES[op.name](op, points), storage
    if op.name == SUBTRACT:
        stored, points, storage = _integers(op.operands[0], made)
        if points.any():
            raise Unfit("zero points are subtracted twice")
        return stored, _numbers(op.operands[1], made), storage
    if op.name != CONVERT:
        raise Unfit(f"its integers come from {op.name}")
    source = op.operand.type.storage_type
    if source.bits > 16:  # whose difference is computed as integers
        return (*_differences(op.operand, made), _storage_of(op.operand, made))
    if source.bits > 8:  # more digits than some expressed types have
        raise Unfit(f"{source!r} is converted before zero points are subtracted")
    stored = _numbers(op.operand, made)
    return stored, np.zeros_like(stored), source.name


def _differences(value: Value, made: Mapping[str, Op]) -> tuple[Array, Array]:
    """Return stored integers and zero points of a difference in a wide integer type, as ONNX writes it."""
    op = made.get(value.name)
    if op is not None and op.name == SUBTRACT:
        return _numbers(op.operands[0], made), _numbers(op.operands[1], made)
    numbers = _numbers(value, made)
    return numbers, np.zeros_like(numbers)


def _storage_of(value: Value, made: Mapping[str, Op]) -> str:
    """Return the type that integers had before they were widened."""
    op = made.get(value.name)
    while op is not None and op.name in (*MOVES, SUBTRACT):
        value = op.operands[0]
        op = made.get(value.name)
    source = op.operand if op is not None and op.name == CONVERT else value
    return source.type.storage_type.name


def _numbers(value: Value, made: Mapping[str, Op]) -> Array:
    """Return the numbers of a value that constants determine by moving and converting alone."""
    op = made.get(value.name)
    if op is None:
        raise NotConstant(ARGUMENTS)
    if op.name == "stablehlo.constant":
        dense, type = op["value"], op.result.type
        data = np.frombuffer(bytes(dense.data), numpy_dtype(type.storage_type))
        return np.broadcast_to(data, type.shape) if dense.splat else data.reshape(type.shape)
    if op.name in MOVES:
        return MOVES[op.name](op, _numbers(op.operands[0], made))
    if op.name == CONVERT:
        numbers = _numbers(op.operand, made)
        return numbers.astype(numpy_dtype(op.result.type.storage_type))
    raise NotConstant(f"{COMPUTED} {op.name}: they have no type")


def _broadcast(op: Op, x: Array) -> Array:
    shape = [1] * op.result.type.rank
    order = np.argsort(op["broadcast_dimensions"])
    for d in op["broadcast_dimensions"]:
        shape[d] = x.shape[op["broadcast_dimensions"].index(d)]
    return np.broadcast_to(x.transpose(order).reshape(shape), op.result.type.shape)


def _slices(op: Op) -> tuple[slice, ...]:
    ends = zip(op["start_indices"], op["limit_indices"], op["strides"], strict=True)
    return tuple(slice(*each) for each in ends)


MOVES: dict[str, Any] = {
    "stablehlo.broadcast_in_dim": _broadcast,
    "stablehlo.reshape": lambda op, x: x.reshape(op.result.type.shape),
    "stablehlo.slice": lambda op, x: x[_slices(op)],
    "stablehlo.transpose": lambda op, x: x.transpose(op["permutation"]),
}


def _constant(value: Value, weights: Weights, taken: set[str]) -> Op:
    """Return a constant of a type with blocks for a value; `Unfit` where no such type has its numbers."""
    type = _type(value, weights)
    name = next(n for n in (f"{value.name}.q{k or ''}" for k in range(len(taken) + 1)) if n not in taken)
    taken.add(name)
    shape = TensorType(value.type.shape, type)
    stored = np.ascontiguousarray(weights.stored.astype(numpy_dtype(type.storage_type)))
    attributes = {"value": Dense(shape, stored.tobytes())}
    return Op("stablehlo.constant", (), (Value(name, shape),), attributes)


def _type(value: Value, weights: Weights) -> QuantizedType:
    expressed, shape = value.type.storage_type, value.type.shape
    scales = np.broadcast_to(weights.scales, shape).astype(np.float64)
    real = np.broadcast_to(weights.zero_points, shape).astype(np.float64)
    if not (np.isfinite(real) & (real == np.rint(real))).all():
        raise Unfit("a zero point is not a whole number")
    if not (np.isfinite(scales) & (scales > 0)).all():
        raise Unfit("a scale is not positive and finite")
    base = make_quantized(weights.storage, expressed.name, 1.0)
    if real.min() < base.storage_min or real.max() > base.storage_max:
        raise Unfit(f"zero points beyond {weights.storage}")
    points = real.astype(np.int64)
    tiles = [_tile(d, scales, points) for d in range(len(shape))]
    sizes = [gcd(n, *starts) for n, starts in zip(shape, tiles, strict=True)]
    for size, n, starts in zip(sizes, shape, tiles, strict=True):
        if size == 1 and starts and starts[0] > 1:
            raise Unfit(f"blocks of {starts[0]} do not divide {n} elements: the last one is shorter")
    if all(size == 1 for size in sizes):
        raise Unfit("each element has a scale of its own")
    first = tuple(slice(None, None, size) for size in sizes)
    counts = tuple(n // size for n, size in zip(shape, sizes, strict=True))
    return replace(
        base,
        scales=tuple(scales[first].ravel().tolist()),
        zero_points=tuple(points[first].ravel().tolist()),
        block_sizes=tuple((d, s) for d, (s, n) in enumerate(zip(sizes, shape, strict=True)) if s < n),
        parameters_shape=counts,
    )


def _tile(d: int, *tables: Array) -> list[int]:
    """Return where a table changes along a dimension, for any place in the others."""
    n = tables[0].shape[d]
    changes = np.zeros(n, bool)
    for table in tables:
        rows = np.moveaxis(table, d, 0).reshape(n, prod(table.shape) // n)
        changes[1:] |= (rows[1:] != rows[:-1]).any(axis=1)
    return [int(k) for k in np.flatnonzero(changes)]
