"""The types that training chose: pairs of `uniform_quantize` and `uniform_dequantize` in a program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from interp.quantization.kernels import CONTROL, REGION, rebuilt, renamed
from spec.ir import Module, Op, Region, Value, walk
from spec.types import QuantizedType

QUANTIZE, DEQUANTIZE = "stablehlo.uniform_quantize", "stablehlo.uniform_dequantize"


@dataclass
class Trained:
    """A program without the pairs that only regions read, and the types that these ports have for that.

    read: by a region's first result, the types of values that it reads. made: by a value's name, the type
    that it has wherever it is read, so that the region which gives it may store it so.
    """

    module: Module
    read: dict[tuple[str, str], QuantizedType] = field(default_factory=dict)
    made: dict[str, QuantizedType] = field(default_factory=dict)

    def type(self, value: Value, op: Op, is_result: bool) -> QuantizedType | None:
        """Return the type of a region's port, if training chose one."""
        if is_result:
            return self.made.get(value.name)
        return self.read.get((op.results[0].name, value.name))


def trained(module: Module) -> Trained:
    """Return the program without its quantize-dequantize pairs, as far as regions read them."""
    found = Trained(module)
    pairs = _pairs(module)
    readers = _readers(module)
    merged = {name: pair for name, pair in pairs.items() if _read_by_regions(readers.get(name, []))}
    names: dict[str, Value] = {}
    for name, (value, _) in merged.items():
        names[name] = names.get(value.name, value)

    def change(op: Op) -> Sequence[Op]:
        if op.name == REGION:
            for v in op.operands:
                if v.name in merged:
                    found.read[op.results[0].name, merged[v.name][0].name] = merged[v.name][1]
        if op.name == DEQUANTIZE and op.result.name in merged:
            return ()
        return (renamed(op, names),)

    short = rebuilt(module, change)
    left = _readers(short)
    found.module = rebuilt(
        short, lambda op: () if op.name == QUANTIZE and op.result.name not in left else (op,)
    )
    for name, (value, type) in merged.items():
        if {id(op) for op in readers.get(value.name, [])} <= _quantizers(module, name):
            found.made[value.name] = type
    return found


def _pairs(module: Module) -> dict[str, tuple[Value, QuantizedType]]:
    """Return, by the dequantized value's name, the float that was quantized and its type."""
    stored: dict[str, tuple[Value, QuantizedType]] = {}
    found: dict[str, tuple[Value, QuantizedType]] = {}
    for op in module.ops():
        if op.name == QUANTIZE and not op.operand.type.is_quantized:
            stored[op.result.name] = op.operand, op.result.type.quantized_element_type
        elif op.name == DEQUANTIZE and op.operand.name in stored:
            found[op.result.name] = stored[op.operand.name]
    return found


def _quantizers(module: Module, name: str) -> set[int]:
    """Return the operation that quantizes what a dequantized value stands for, by identity."""
    stored = {op.operand.name for op in module.ops() if op.name == DEQUANTIZE and op.result.name == name}
    return {id(op) for op in module.ops() if op.name == QUANTIZE and op.result.name in stored}


def _readers(module: Module) -> dict[str, list[Op]]:
    """Return the operations that read each value, those in blocks of control flow included."""
    found: dict[str, list[Op]] = {}

    def block(body: Region) -> None:
        for op in body.ops:
            for v in op.operands:
                found.setdefault(v.name, []).append(op)
            for inner in op.regions:
                if op.name in CONTROL:
                    block(inner)
                else:
                    for each in walk(inner):
                        for v in each.operands:
                            found.setdefault(v.name, []).append(each)

    for function in module.functions.values():
        block(function.body)
    return found


def _read_by_regions(readers: Sequence[Op]) -> bool:
    return bool(readers) and all(op.name == REGION for op in readers)
