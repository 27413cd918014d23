"""Quantization that a program spells with types and scales of its own, and that stays in float: its names.

Dynamic quantization computes a scale from the data; weights alone are stored as integers, whole or in tiles,
or as places in a table; floats of 8 bits stand where integers might.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from interp.apps.quantization.constants import CONSTANTS
from interp.engine.facts import facts
from spec.ir import Op, Region, Value, captures, nested_ops
from spec.types import is_tensor

DYNAMIC = "its scale is computed from the data"
SCALE = "it computes a scale from the data"
EXTREMES = "stablehlo.maximum", "stablehlo.minimum"
SCALING = "stablehlo.multiply", "stablehlo.divide"
FEW = 8  # bits of integers that stand for quantized numbers
SHIFTS = "stablehlo.add", "stablehlo.subtract"


class Stored(NamedTuple):
    """Numbers stored as integers: the integers, their scale, the operations between, the scaling the last.

    table: how many numbers the integers choose from; 0 if they are converted to floats.
    """

    integers: Value
    scale: Value
    ops: tuple[Op, ...]
    table: int = 0


def integer_forms(block: Region) -> Mapping[str, str]:
    """Return the form that an operation of a block is a part of, by its result's name, where it is known."""
    made = {v.name: op for op in nested_ops(block) for v in op.results}
    forms: dict[str, str] = {}

    def note(ops: tuple[Op, ...], form: str) -> None:
        forms.update({op.results[0].name: form for op in ops if op.results[0].name not in forms})

    for op in made.values():
        if _makes_few_bits(op) and _is_constant(op.operand, made):
            note(
                tuple(_slice(op.result, made)), f"it stores constants as {op.result.type.tensor_element_type}"
            )
        elif _makes_few_bits(op):
            ops, scale = _quantization(op, made)
            if scale and _is_data(scale, made):
                note(ops, DYNAMIC)
                note(tuple(_slice(scale, made)), SCALE)
        elif (stored := _dequantization(op, made)) and _is_data(stored.scale, made):
            note(stored.ops, DYNAMIC)
            note(tuple(_slice(stored.scale, made)), SCALE)
    for op in made.values():
        if facts(op).family == "contraction":
            if small := [v.type.tensor_element_type for v in op.operands if _is_small_float(v)]:
                note((op,), f"its operands are {small[0]}, a type of floats")
            chains = (_behind_moves(v, made) for v in op.operands)
            sides = [(x, held) for x in chains if x and (held := _dequantization(x[-1], made))]
            if len(sides) == 1 and (form := _one_operand(sides[0][1], made)):
                note((*sides[0][1].ops, *sides[0][0], op), form)
    return forms


def _one_operand(stored: Stored, made: Mapping[str, Op]) -> str:
    """Return the form of a product of which this operand alone is stored as integers of few bits, or ""."""
    value, element = _source(stored.integers, made), stored.integers.type.tensor_element_type
    is_constant = value.name in made and made[value.name].name in CONSTANTS
    if not 1 < element.bits <= FEW or (value.name in made and not is_constant):
        return ""
    alone = "weights only" if is_constant else "one operand alone is quantized"
    tile = _tile(stored, made)
    where = f" in tiles of {tile}, each" if tile else ","
    choice = f", by a table of {stored.table} numbers" if stored.table else ""
    return f"{alone}: {value.name} is stored as {element}{where} with a scale{choice}"


def _tile(stored: Stored, made: Mapping[str, Op]) -> int:
    """Return the elements along the part of a split axis that share a scale; 0 if no axis is split so."""
    shape, stretched = stored.ops[-1].result.type.shape, made.get(stored.scale.name)
    if len(shape) != len(stored.integers.type.shape) + 1 or stretched is None:
        return 0
    if stretched.name != "stablehlo.broadcast_in_dim":
        return 0
    sizes = zip(stretched["broadcast_dimensions"], stretched.operand.type.shape, strict=True)
    varies = {axis for axis, size in sizes if size > 1}
    for axis, size in enumerate(stored.integers.type.shape):
        is_split = shape[axis] * shape[axis + 1] == size and shape[axis + 1] > 1
        if is_split and axis in varies and axis + 1 not in varies:
            return int(shape[axis + 1])
    return 0


def _element(value: Value) -> str:
    return (
        value.type.tensor_element_type.kind if is_tensor(value.type) and not value.type.is_quantized else ""
    )


def _is_integer(value: Value) -> bool:
    return is_tensor(value.type) and not value.type.is_quantized and value.type.tensor_element_type.is_integer


def _is_small_float(value: Value) -> bool:
    return _element(value) == "float" and value.type.tensor_element_type.bits <= FEW


def _makes_few_bits(op: Op) -> bool:
    """Return whether an operation converts floats to integers, or to floats of few bits."""
    if op.name != "stablehlo.convert" or _element(op.operand) != "float":
        return False
    return _is_integer(op.result) or (_is_small_float(op.result) and not _is_small_float(op.operand))


def _quantization(op: Op, made: Mapping[str, Op]) -> tuple[tuple[Op, ...], Value | None]:
    """Return the operations from a scaling to a conversion to integers, with a rounding, and the scale."""
    ops, rounds = [op], _is_small_float(op.result)  # of which the conversion rounds
    while inner := _varying(ops[-1], made):
        ops.append(inner)
        rounds |= facts(inner).error == "rounded to integer"
        if inner.name in SCALING:
            return tuple(ops), inner.operands[1] if rounds else None
        if not (facts(inner).clips or facts(inner).moves or inner.name in (*EXTREMES, *SHIFTS) or rounds):
            break
    return tuple(ops), None


def _varying(op: Op, made: Mapping[str, Op]) -> Op | None:
    """Return what computes the only operand of an operation that is not constant."""
    varying = [v for v in op.operands if not _is_constant(v, made)]
    return made.get(varying[0].name) if len(varying) == 1 else None


def _dequantization(op: Op, made: Mapping[str, Op]) -> Stored | None:
    """Return the integers that an operation scales, converted to floats, or None if it is another one."""
    if op.name != "stablehlo.multiply" or _element(op.results[0]) != "float":
        return None
    for value, scale in (op.operands, op.operands[::-1]):
        ops = list[Op]()
        inner = made.get(value.name)
        while inner is not None and (facts(inner).moves or inner.name in SHIFTS):
            ops.append(inner)
            inner = made.get(inner.operands[0].name)
        if inner is None:
            continue
        if inner.name == "stablehlo.convert" and _is_integer(inner.operand):
            return Stored(inner.operand, scale, (inner, *reversed(ops), op))
        if inner.name == "stablehlo.gather" and _is_constant(inner.operands[0], made):
            integers = _behind_conversions(inner.operands[1], made)
            return Stored(integers, scale, (inner, *reversed(ops), op), inner.operands[0].type.size)
    return None


def _behind_moves(value: Value, made: Mapping[str, Op]) -> tuple[Op, ...]:
    """Return the operations that move what a value has, the last of them first, and what computes it."""
    ops = list[Op]()
    while (op := made.get(value.name)) is not None:
        ops.append(op)
        if not facts(op).moves:
            break
        value = op.operands[0]
    return tuple(ops)


def _source(value: Value, made: Mapping[str, Op]) -> Value:
    """Return the value whose elements are only moved to make another one."""
    while (op := made.get(value.name)) is not None and facts(op).moves:
        value = op.operands[0]
    return value


def _behind_conversions(value: Value, made: Mapping[str, Op]) -> Value:
    """Return the integers that are only moved, and held in other integers, to make another value."""
    source = _source(value, made)
    op = made.get(source.name)
    is_held = op is not None and op.name == "stablehlo.convert" and _is_integer(op.operand)
    return _behind_conversions(op.operand, made) if op and is_held else source


def _is_constant(value: Value, made: Mapping[str, Op]) -> bool:
    return (
        all(op.name in CONSTANTS or op.operands for op in _slice(value, made))
        and not any(v.name not in made for op in _slice(value, made) for v in op.operands)
        and value.name in made
    )


def _is_data(scale: Value, made: Mapping[str, Op]) -> bool:
    """Return whether a scale follows from the largest or smallest of numbers that are not constant."""
    return any(
        op.name == "stablehlo.reduce"
        and {inner.name for inner in op.regions[0].ops[:-1]} <= set(EXTREMES)
        and not _is_constant(op.operands[0], made)
        for op in _slice(scale, made)
    )


def _slice(value: Value, made: Mapping[str, Op]) -> Iterator[Op]:
    """Yield the operations that a value is computed by, each once."""
    seen, waiting = set[str](), [value]
    while waiting:
        op = made.get(waiting.pop().name)
        if op is not None and op.results[0].name not in seen:
            seen.add(op.results[0].name)
            yield op
            waiting += [*op.operands, *captures(op)]
