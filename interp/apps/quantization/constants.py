"""Constants of a program: their arrays, what they alone determine, and the program without that."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from interp.apps.quantization.kernels import CONTROL, DEQUANTIZE, QUANTIZE, REGION, Names, rebuild, rename
from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import facts
from interp.execute.run import run
from spec.attributes import Dense
from spec.ir import (
    Func,
    Module,
    Op,
    Region,
    Value,
    captures,
    needed_ops,
    nested_ops,
)
from spec.types import ElementType

BROADCAST = "stablehlo.broadcast_in_dim"
CONSTANTS = ("stablehlo.constant", "arith.constant")
ROUNDING = (QUANTIZE, DEQUANTIZE, "stablehlo.round_nearest_even")  # parts of a simulated quantization
FOLDED = 1 << 20  # elements of a constant that is computed here


def array_of(op: Op) -> np.ndarray:
    """Return the stored numbers of a constant, a view that repeats where it is a splat."""
    dense, type = op["value"], op.result.type
    stored = np.frombuffer(dense.data, numpy_dtype(type.storage_type))
    return np.broadcast_to(stored.reshape(() if dense.splat else type.shape), type.shape)


def folds(op: Op) -> bool:
    """Return whether an operation on constants is computed here."""
    if not op.operands or op.regions or op.name == "stablehlo.custom_call":
        return False
    if facts(op).family not in ("elementwise", "structure", "conversion"):
        return False
    small = all(v.type.size <= FOLDED and not v.type.is_quantized for v in op.results)
    return op.name == BROADCAST or small


def fold_operation(op: Op, arrays: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return the results of an operation on constants; a broadcast is a view."""
    if op.name == BROADCAST:
        return [broadcast(arrays[0], op)]
    return [x.storage for x in run_operation(op, arrays)]


def broadcast(array: np.ndarray, op: Op) -> np.ndarray:
    """Return a view of an array that repeats along the dimensions of a broadcast."""
    shape = op.result.type.shape
    placed = [1] * len(shape)
    for d, n in zip(op["broadcast_dimensions"], array.shape, strict=True):
        placed[d] = n
    return np.broadcast_to(array.reshape(placed), shape)


def run_operation(op: Op, arrays: Sequence[np.ndarray]) -> Sequence[Any]:
    """Return the results of one operation, run on constants."""
    arguments = tuple(Value(f"%arg{k}", v.type) for k, v in enumerate(op.operands))
    last = Op("func.return", op.results, ())
    body = Region(arguments, (replace(op, operands=arguments), last))
    return run(Module({"main": Func("main", body, tuple(v.type for v in op.results))}), *arrays)


def constants_of(region: Region) -> dict[str, np.ndarray]:
    """Return the arrays of the values of a block that depend on constants alone."""
    found: dict[str, np.ndarray] = {}
    for op in region.ops:
        if op.name in CONSTANTS and not op.result.type.is_quantized:
            found[op.result.name] = array_of(op)
        elif folds(op) and all(v.name in found for v in op.operands):
            results = fold_operation(op, [found[v.name] for v in op.operands])
            found |= {v.name: x for v, x in zip(op.results, results, strict=True)}
    return found


# Constants in the blocks that read them


def with_own_constants(region: Region, names: Names) -> Region:
    """Return a block whose control flow, where it quantizes, has copies of what it reads of constants."""
    ops, known = list[Op](), dict[str, Op]()
    for op in region.ops:
        if op.name in CONTROL and any(inner.name in ROUNDING for r in op.regions for inner in nested_ops(r)):
            blocks = (_with_copies(op, each, known, names) for each in op.regions)
            op = replace(op, regions=tuple(with_own_constants(each, names) for each in blocks))
        elif op.name in CONSTANTS or (
            (folds(op) or op.name == DEQUANTIZE) and all(v.name in known for v in op.operands)
        ):
            known |= {v.name: op for v in op.results}
        ops.append(op)
    return replace(region, ops=tuple(ops))


def _with_copies(op: Op, block: Region, known: Mapping[str, Op], names: Names) -> Region:
    """Return a block of an operation that begins with copies of the constants that it captures."""
    captured = [v for v in captures(replace(op, regions=(block,))) if v.name in known]
    copies, own = list[Op](), dict[str, Value]()
    for each in needed_ops([*known.values()], captured):
        results = tuple(replace(v, name=names.fresh(v.name)) for v in each.results)
        copies.append(replace(rename(each, own), results=results))
        own |= {v.name: x for v, x in zip(each.results, results, strict=True)}
    return replace(block, ops=(*copies, *(rename(each, own) for each in block.ops)))


# `fold_constants`: a program without the operations that constants alone determine.

CONSTANT = "stablehlo.constant"
FAMILIES = ("elementwise", "conversion", "structure", "indexing", "contraction")
_KEPT = ("stablehlo.custom_call", QUANTIZE, DEQUANTIZE, CONSTANT)


def fold_constants(module: Module) -> Module:
    """Return the program with such operations as constants, where these are not larger than their operands.

    A number that is broadcast becomes a splat. `maximum(x, -inf)` and `minimum(x, inf)` become x. Operations
    that nothing uses any more are gone.
    """
    table = Constants()
    found = rebuild(module, table.change)
    values = _compute(table.folded, _values_in_use(found, table.folded))
    placed = rebuild(found, lambda op: _place_constant(op, values))
    return without_unused(placed)


class Constants:
    """The constants of a program as they are met, and the operations that they determine."""

    def __init__(self) -> None:
        self.known: dict[str, Op] = {}
        self.folded: dict[str, Op] = {}
        self.names: dict[str, Value] = {}

    def change(self, op: Op) -> tuple[Op, ...]:
        """Return an operation, its splat, or nothing for one that is an identity."""
        op = rename(op, self.names) if self.names else op
        op = self._splat(op)
        if (same := self._identity(op)) is not None:
            self.names[op.result.name] = same
            return ()
        if op.name == CONSTANT:
            self.known[op.result.name] = self.folded[op.result.name] = op
        elif self._is_determined(op):
            self.folded[op.result.name] = op
        return (op,)

    def _splat(self, op: Op) -> Op:
        if op.name != "stablehlo.broadcast_in_dim" or op.operand.name not in self.known:
            return op
        value = self.known[op.operand.name]["value"]
        if not isinstance(value, Dense) or (value.type.size != 1 and not value.splat):
            return op
        splat = Dense(op.result.type, value.data, True)
        return Op(CONSTANT, (), op.results, {"value": splat}, location=op.location)

    def _identity(self, op: Op) -> Value | None:
        """Return the other operand of a maximum with -inf, or of a minimum with inf."""
        infinity = {"stablehlo.maximum": -np.inf, "stablehlo.minimum": np.inf}.get(op.name)
        if infinity is None:
            return None
        for one, other in (op.operands, op.operands[::-1]):
            constant = self.known.get(one.name)
            if constant is not None and (array(constant) == infinity).all():
                return other
        return None

    def _is_determined(self, op: Op) -> bool:
        if op.regions or not op.operands or op.name in _KEPT or facts(op).family not in FAMILIES:
            return False
        if not all(v.name in self.folded for v in op.operands) or len(op.results) != 1:
            return False
        return op.result.type.size <= sum(v.type.size for v in op.operands)


def array(constant: Op) -> np.ndarray:
    """Return the elements of a constant, a splat's broadcast."""
    value = constant["value"]
    element = value.type.element_type
    dtype = numpy_dtype(element if isinstance(element, ElementType) else element.storage_type)
    flat = np.frombuffer(value.data, dtype)
    return np.broadcast_to(flat.reshape(() if value.splat else value.type.shape), value.type.shape)


def _values_in_use(module: Module, folded: Mapping[str, Op]) -> list[Value]:
    """Return the folded values that operations which are not folded use."""
    used: dict[str, Value] = {}
    for function in module.functions.values():
        for op in nested_ops(function.body):
            if not (op.results and op.results[0].name in folded):
                used |= {v.name: v for v in op.operands if v.name in folded}
    return [v for v in used.values() if folded[v.name].name != CONSTANT]


def _compute(folded: Mapping[str, Op], wanted: list[Value]) -> dict[str, Dense]:
    """Return the wanted values as constants."""
    if not wanted:
        return {}
    needed: set[str] = set()
    todo = [v.name for v in wanted]
    while todo:
        if (name := todo.pop()) not in needed:
            needed.add(name)
            todo += [v.name for v in folded[name].operands]
    ops = [op for name, op in folded.items() if name in needed]
    end = Op("func.return", tuple(wanted), ())
    main = Func("main", Region((), (*ops, end)), tuple(v.type for v in wanted))
    results = run(Module({"main": main}), contractions="library")
    return {v.name: Dense(v.type, x.storage.tobytes()) for v, x in zip(wanted, results, strict=True)}


def _place_constant(op: Op, values: Mapping[str, Dense]) -> tuple[Op, ...]:
    if op.results and (dense := values.get(op.results[0].name)) is not None:
        return (Op(CONSTANT, (), op.results, {"value": dense}, location=op.location),)
    return (op,)


def without_unused(module: Module) -> Module:
    """Return the program without operations that only compute what nothing uses."""
    functions = module.functions
    used = {v.name for f in functions.values() for op in nested_ops(f.body) for v in op.operands}
    shorter = rebuild(module, lambda op: () if _is_unused(op, used) else (op,))
    same = len(list(shorter.ops())) == len(list(module.ops()))
    return module if same else without_unused(shorter)


def _is_unused(op: Op, used: Iterable[str]) -> bool:
    pure = facts(op).family in FAMILIES and op.name != "stablehlo.custom_call" and not op.regions
    return (pure or op.name == REGION) and not any(v.name in used for v in op.results)
