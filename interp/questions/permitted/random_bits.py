"""Results of other random bits than those that were given: `permits` of programs that round stochastically.

THEOREM: a rounding by k random bits has two results, that of zeros and that of ones, since one carry decides.
If nothing depends on a schedule, and every result element comes from one such rounding alone, by operations
on that element only, these two runs give the set of its permitted values. Elsewhere only a run as a whole
shows what is permitted, and nothing shows that a result is not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.kernels import folds
from interp.questions.permitted.element_verdicts import (
    NOT_KNOWN,
    NOT_PERMITTED,
    NOT_TOGETHER,
    PERMITTED,
    UNKNOWN,
    WITHIN,
)
from interp.questions.permitted.results import Program, equal
from spec.attributes import Dense
from spec.errors import Malformed
from spec.ir import Func, Module, Op, Region, Value, nested_ops

ONE_TO_ONE = {
    f"stablehlo.{name}"
    for name in """abs bitcast_convert convert negate reshape reverse transpose uniform_dequantize
    uniform_quantize""".split()
}
Run = Callable[[Module], list[np.ndarray]]
NAME, BITS = "interp.stochastic_round", "random_bits"  # the composite and its attribute


def is_stochastic(op: Op) -> bool:
    """Return whether an operation rounds by random bits."""
    return op.name == "stablehlo.composite" and op.attributes.get("name") == NAME


def random_bits(op: Op) -> int:
    """Return how many random bits a rounding takes."""
    found = re.search(rf"{BITS} = (\d+)", repr(op.attributes.get("composite_attributes", "")))
    if found is None:
        raise Malformed(f"a composite {NAME} without {BITS}", "with_random_bits writes them", op.location)
    return int(found[1])


def with_fixed_bits(module: Module, are_ones: bool) -> Module:
    """Return the module in which every random bit is 1, or 0: what is farther from zero, or nearer to it."""
    functions = dict(module.functions)
    for op in filter(is_stochastic, module.ops()):
        func = functions[op["decomposition"].name]
        ops = tuple(_fix(inner, func.inputs[-1], random_bits(op), are_ones) for inner in func.body.ops)
        functions[func.name] = replace(func, body=Region(func.inputs, ops))
    return replace(module, functions=functions)


def _fix(op: Op, random: Value, bits: int, are_ones: bool) -> Op:
    """Return a constant in place of the operation that takes the lowest random bits."""
    if op.name != "stablehlo.and" or op.operands[0].name != random.name:
        return op
    type = op.result.type
    number = np.array([(1 << bits) - 1 if are_ones else 0], numpy_dtype(type.storage_type))
    dense = Dense(type, number.tobytes(), splat=True)
    return Op("stablehlo.constant", (), op.results, {"value": dense}, (), op.location)


def rounds_stochastically(module: Module) -> bool:
    """Return whether a program rounds by random bits."""
    return any(map(is_stochastic, module.ops()))


def are_apart(module: Module, func: Func) -> bool:
    """Return whether each result of a rounding is used once, by operations on its elements alone.

    Not where a rounding stands inside of a region, or of another function, nor where a region uses one.
    """
    own = {id(op) for op in func.body.ops}
    inner = any(is_stochastic(op) and id(op) not in own for op in module.ops())
    if inner or any(True for _ in folds(module, func.body)):
        return False
    alone = {v.name for op in func.body.ops if is_stochastic(op) for v in op.results}
    uses: dict[str, int] = {}
    for op in func.body.ops:
        used = [
            v.name for each in (op, *(x for r in op.regions for x in nested_ops(r))) for v in each.operands
        ]
        for name in used:
            uses[name] = uses.get(name, 0) + 1
        if alone.intersection(used) and op.name != "func.return" and not _is_one_to_one(op):
            return False
        if _is_one_to_one(op) and op.operands[0].name in alone:
            alone |= {v.name for v in op.results}
    return all(uses.get(name, 0) <= 1 for name in alone)


def _is_one_to_one(op: Op) -> bool:
    """Return whether each result element comes from one element: bits of several may become one number."""
    return op.name in ONE_TO_ONE and op.operands[0].type.size == op.result.type.size


def permit_any_bits(found: Any, program: Program, run: Run) -> Any:
    """Return a judgement, a `Permits`, in which the implementation may have had any random bits."""
    runs = [run(with_fixed_bits(program.module, ones)) for ones in (False, True)]
    same = [[equal(x, y) for x, y in zip(program.given, outs, strict=True)] for outs in runs]
    apart = are_apart(program.module, program.module[program.function])
    if not apart:
        whole = any(all(bool(x.all()) for x in outs) for outs in same)
        same = [[np.full_like(x, whole) for x in same[0]]]
    shown = [np.logical_or.reduce(parts) for parts in zip(*same, strict=True)]
    refused = (NOT_PERMITTED, NOT_TOGETHER)
    verdicts, places = [], []
    for kinds, place, here in zip(found.verdicts, found.place, shown, strict=True):
        given_so = np.isin(kinds, (*refused, UNKNOWN)) & here
        doubtful = np.isin(kinds, refused) & ~here & (not apart)
        verdicts.append(np.where(given_so, PERMITTED, np.where(doubtful, UNKNOWN, kinds)))
        places.append(np.where(given_so, WITHIN, np.where(doubtful, NOT_KNOWN, place)))
    elements = tuple(
        replace(
            element,
            kind=str(verdicts[element.result][element.index]),
            place=str(places[element.result][element.index]),
            reason=_reason(str(verdicts[element.result][element.index]), element.reason, apart),
        )
        for element in found.elements
    )
    return replace(found, verdicts=tuple(verdicts), place=tuple(places), elements=elements)


def _reason(kind: str, before: str, apart: bool) -> str:
    if kind == PERMITTED:
        return "other random bits give it"
    if kind in (NOT_PERMITTED, NOT_TOGETHER):
        return f"no random bits give it; with those given, {before}"
    return before if apart else "other random bits may give it"
