"""Readings: ways to execute quantized operations, a choice that the specification leaves open.

See "Execution semantics of quantized operation" in the specification (docs/spec.md:7429 of StableHLO 1.20).
The default is `READING`. A verdict names the reading for which it holds, or any reading if a program has no
operation on which readings may differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spec.accumulator import DEQUANTIZE, INTEGER, LITERAL, Reading
from spec.errors import InterpError
from spec.integer_reading import refusal
from spec.ir import Module, Op, Value, nested_ops
from spec.recipe_scope import out_of_scope
from spec.verify import callees

READING, ANY = DEQUANTIZE, "any"
NOT_JUDGED = "the integer reading is not judged"
NOT_PERMITTED = f"not permitted in the {READING} reading; {NOT_JUDGED}"
OPEN = f"not permitted in the {READING} reading, and not known of the {INTEGER} reading"
ELSEWHERE = f"permitted in the {INTEGER} reading"

# From a float or to one, or of the storage alone: one meaning. From quantized to quantized they may differ.
CONVERSIONS = {f"quant.{name}" for name in ("qcast", "dcast", "scast")} | {
    f"stablehlo.{name}" for name in ("uniform_quantize", "uniform_dequantize", "custom_call")
}
CONTRACTIONS = {f"stablehlo.{name}" for name in ("dot_general", "convolution")}
# What hands elements on as they are stored. The operations of a body are looked at by themselves.
MOVES = (
    {"arith.constant", "func.call", "func.return"}
    | {f"quant.{name}" for name in ("coupled_ref", "region", "return", "stats", "stats_ref")}
    | {
        f"stablehlo.{name}"
        for name in """bitcast_convert broadcast_in_dim case concatenate constant dynamic_broadcast_in_dim
        dynamic_gather dynamic_pad dynamic_reshape dynamic_slice dynamic_update_slice gather
        get_dimension_size if map optimization_barrier pad real_dynamic_slice reduce reduce_window reshape
        return reverse scatter select_and_scatter slice sort transpose while""".split()
    }
)


def reading_of(module: Module, function: str = "main", reading: Reading = LITERAL) -> str:
    """Return the reading for which a verdict on a function's run holds, or `ANY` if all readings agree."""
    name = module.main.name if function == "main" else function  # the only public one has any name
    return reading.name if any(map(may_differ, _operations(module, name))) else ANY


def reading_error(module: Module, function: str, reading: Reading) -> InterpError | None:
    """Return the reason why a function cannot run in a reading, or None if it can."""
    if not reading.is_integer:
        return None
    errors = (refusal(op) or out_of_scope(op, reading) for op in _operations(module, function))
    return next(filter(None, errors), None)


def in_reading(reading: str) -> str:
    """Return the words ` in the dequantize reading`, or "" for any reading."""
    return "" if reading == ANY else f" in the {reading} reading"


def may_differ(op: Op) -> bool:
    """Return whether readings may give different results for an operation, apart from its regions.

    False is certain: no value is quantized, or elements are only moved, or an operand is a float (the
    specification defines a contraction of a float and a quantized operand). True is not certain.
    """
    arguments = [value for region in op.regions for value in region.arguments]
    values = [value.type for value in (*op.operands, *op.results, *arguments)]
    if op.name in CONVERSIONS:
        return all(any(_is_quantized(side)) for side in (op.operands, op.results))
    if op.name in CONTRACTIONS:
        return all(_is_quantized(op.operands))
    quantized = {type.element_type for type in values if type.is_quantized}
    return len(quantized) > (op.name in MOVES)


def _is_quantized(values: Iterable[Value]) -> Iterator[bool]:
    return (value.type.is_quantized for value in values)


def _operations(module: Module, function: str) -> Iterator[Op]:
    """Yield the operations of a function and of those that it calls."""
    for name in (function, *sorted(callees(module, function))):
        yield from nested_ops(module[name].body)
