"""`instrument`: a program with a `quant.stats_ref` on every value whose range quantization may need."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import replace

from interp.rewrite.inlined import CALL, inline_calls
from spec.ir import Module, Op, Region, Value
from spec.types import is_tensor

STATS, STATS_REF, COUPLED_REF = "quant.stats", "quant.stats_ref", "quant.coupled_ref"
# Operations whose result does not depend on any argument.
CONSTANTS = {"stablehlo.constant", "stablehlo.iota"}
# Operations that hand a value on, which then has its statistics already.
OBSERVING = {STATS, STATS_REF, COUPLED_REF}


def instrument(module: Module) -> Module:
    """Return the program with a `quant.stats_ref` on every float value that depends on the arguments.

    The key is the value's name, and users of the value read the result of the `stats_ref`. Calls are replaced
    by what they call, so that every call has statistics of its own. Values inside of regions (bodies of
    reductions and loops) get none; neither do values that have statistics, or a reference to them.
    """
    whole = inline(module)
    body = whole.main.body
    inner = (v for op in whole.ops() for v in op.results)
    taken = {v.name for v in itertools.chain(body.arguments, inner)}
    body = Region(body.arguments, tuple(_operations(body, taken)))
    return replace(whole, functions={**whole.functions, "main": replace(whole.main, body=body)})


def inline(module: Module) -> Module:
    """Return the program as a `@main` without calls; one that has none is returned unchanged."""
    calls = any(op.name == CALL for op in module.main.body.ops)
    return inline_calls(module, module.main) if calls or module.main.name != "main" else module


def _operations(body: Region, taken: set[str]) -> Iterator[Op]:
    """Yield the operations of a function and its references; `taken` are the names in use."""
    known: dict[str, Value] = {}
    wanted = _varying_floats(body)
    for value in body.arguments:
        yield from _reference(value, wanted, known, taken)
    for op in body.ops:
        yield substitute(op, known)
        for value in op.results:
            yield from _reference(value, wanted, known, taken)


def _reference(value: Value, wanted: set[str], known: dict[str, Value], taken: set[str]) -> Iterator[Op]:
    """Yield the reference to a value, if it needs one, which is then read in its place."""
    if value.name in wanted:
        name = value.name.removeprefix("%").replace("#", "_")
        spellings = (f"%seen{k or ''}.{name}" for k in itertools.count())
        result = Value(next(name for name in spellings if name not in taken), value.type)
        taken.add(result.name)
        known[value.name] = result
        yield Op(STATS_REF, (value,), (result,), {"statsKey": value.name.removeprefix("%")})


def _varying_floats(body: Region) -> set[str]:
    """Return the names of float values that depend on an argument and have no statistics."""
    varying = {v.name for v in body.arguments}
    seen = {v.name for op in body.ops if op.name in OBSERVING for v in (*op.operands, *op.results)}
    values = list(body.arguments)
    for op in body.ops:
        read = {v.name for v in op.operands} | {v.name for inner in _inside(op) for v in inner.operands}
        if op.name not in CONSTANTS and (read & varying or not read):
            varying |= {v.name for v in op.results}
            values += op.results
    return {v.name for v in values if is_float(v) and v.name not in seen}


def _inside(op: Op) -> Iterator[Op]:
    for region in op.regions:
        for inner in region.ops:
            yield inner
            yield from _inside(inner)


def is_float(value: Value) -> bool:
    """Return whether a value is a tensor of plain floats with at least one element."""
    if not is_tensor(value.type) or value.type.is_quantized or 0 in value.type.shape:
        return False
    return value.type.storage_type.kind == "float"


def substitute(op: Op, known: Mapping[str, Value]) -> Op:
    """Return an operation that reads other values in place of the known ones, in its regions too."""
    regions = tuple(
        Region(region.arguments, tuple(substitute(inner, known) for inner in region.ops))
        for region in op.regions
    )
    return replace(op, operands=tuple(known.get(v.name, v) for v in op.operands), regions=regions)
