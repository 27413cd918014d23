"""The types that training chose: pairs of `uniform_quantize` and `uniform_dequantize` in a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from interp.apps.quantization.kernels import REGION, STATS, rebuilt, renamed
from spec.ir import Module, Op, Value
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
    found, roots = Trained(module), _roots(module)
    pairs = _pairs(module, roots)
    readers = _readers(module, roots)
    merged = {name: pair for name, pair in pairs.items() if _read_by_regions(readers.get(name, []))}
    names: dict[str, Value] = {}
    for name, (value, _) in merged.items():
        names[name] = names.get(value.name, value)

    def change(op: Op) -> Sequence[Op]:
        if op.name == REGION:
            for name in (roots.get(v.name, v).name for v in op.operands):
                if name in merged:
                    found.read[op.results[0].name, merged[name][0].name] = merged[name][1]
        if op.name == DEQUANTIZE and op.result.name in merged:
            return ()
        return (renamed(op, names),)

    short = rebuilt(module, change)
    left = _readers(short, {})
    found.module = rebuilt(
        short, lambda op: () if op.name == QUANTIZE and op.result.name not in left else (op,)
    )
    found.made = {
        value.name: type
        for name, (value, type) in merged.items()
        if {id(op) for op in readers.get(value.name, [])} <= _quantizers(module, name)
    }
    return found


def _roots(module: Module) -> dict[str, Value]:
    """Return, by the name of a statistic's result, the value that it is of."""
    found: dict[str, Value] = {}
    for op in module.ops():
        if op.name in STATS:
            found[op.result.name] = found.get(op.operand.name, op.operand)
    return found


def _pairs(module: Module, roots: Mapping[str, Value]) -> dict[str, tuple[Value, QuantizedType]]:
    """Return, by the dequantized value's name, the float that was quantized and its type."""
    stored: dict[str, tuple[Value, QuantizedType]] = {}
    found: dict[str, tuple[Value, QuantizedType]] = {}
    for op in module.ops():
        if op.name == QUANTIZE and not op.operand.type.is_quantized:
            value = roots.get(op.operand.name, op.operand)
            stored[op.result.name] = value, op.result.type.quantized_element_type
        elif op.name == DEQUANTIZE and op.operand.name in stored:
            found[op.result.name] = stored[op.operand.name]
    return found


def _quantizers(module: Module, name: str) -> set[int]:
    """Return the operation that quantizes what a dequantized value stands for, by identity."""
    stored = {op.operand.name for op in module.ops() if op.name == DEQUANTIZE and op.result.name == name}
    return {id(op) for op in module.ops() if op.name == QUANTIZE and op.result.name in stored}


def _readers(module: Module, roots: Mapping[str, Value]) -> dict[str, list[Op]]:
    """Return the operations that read each value, in bodies too; statistics of it do not count."""
    found: dict[str, list[Op]] = {}
    for op in module.ops():
        for v in op.operands if op.name not in STATS else ():
            found.setdefault(roots.get(v.name, v).name, []).append(op)
    return found


def _read_by_regions(readers: Sequence[Op]) -> bool:
    return bool(readers) and all(op.name == REGION for op in readers)
