"""`float_reference`: a program with expressed types in place of quantized ones, for XLA to run.

Where a result's type clips at zero (`engine.clipping`), the reference does, too: that is the program's
activation. Nothing is clipped where a result cannot have the other sign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from interp.backends import NUMPY, max_finite
from interp.backends.dtypes import numpy_dtype
from interp.engine.facts import Reference as Rule
from interp.engine.facts import facts
from interp.engine.quant import spread
from interp.engine.registry import gives_nothing
from interp.engine.storage import GREATEST, LEAST, ends_at_zero, may_clip
from interp.rewrite import float_reference_rules
from interp.rewrite.float_reference_rules import Original, Rewritten, dense_of, plain
from interp.rewrite.integers_as_reals import (
    integer_composites,
    keep_integers,
    name_twin,
    needless_functions,
    with_reals,
)
from spec.attributes import Dense, Symbol
from spec.errors import InterpError, Unsupported
from spec.ir import (
    CALLEES,
    Func,
    Mention,
    Module,
    Op,
    Region,
    Value,
    callee_names,
    callees,
    nested_ops,
)
from spec.op_attributes import FORMS
from spec.twins import NAME, twin_in, twin_of
from spec.types import BundleType, QuantizedType, TensorType

# The activation in a result's type: its float reference clips at zero where the type does.

CHOICES = {LEAST: "stablehlo.maximum", GREATEST: "stablehlo.minimum"}


def clipping(at: Original, ops: Sequence[Op], results: Sequence[Value]) -> Rewritten | None:
    """Return the operations and the results with a clip at the end, or None where nothing is to be clipped.

    `ops` are all operations of the block so far, those of the result last: which then gets another name.
    """
    if not clips(at.op):
        return None
    type, (value,) = at.op.result.type.quantized_element_type, results
    ends = set(ends_at_zero(type)) - {0}
    known = {v.name: op for op in ops for v in op.results}
    if ends == {LEAST} and is_nonnegative(value, known):
        return None
    before, new = list(ops), value
    if value.name == at.op.result.name:
        new = at.fresh("unclipped", value.type)
        before[-1] = replace(before[-1], results=(new,))
    result = Value(at.op.result.name, value.type)
    return Rewritten((*before, *clip(at, new, result, [0.0] * len(type.zero_points))), (result,))


def clips(op: Op) -> bool:
    """Return whether the reference clips the result of an operation, unless it shows that it need not."""
    return may_clip(op) and not _is_clipped_already(op)


def clip(at: Original, value: Value, result: Value, zeros: Sequence[float]) -> list[Op]:
    """Return operations that clip a value at zero as its type does: `zeros` stand for its zero points."""
    type = at.op.result.type.quantized_element_type
    ends, ops = sorted(set(ends_at_zero(type)) - {0}), list[Op]()
    for end in ends:
        clipped = result if end == ends[-1] else at.fresh("partly", value.type)
        bound = at.fresh(f"zero{end + 1}.", value.type)
        dense = _bounds(type, value.type, end, zeros)
        ops.append(at.new("stablehlo.constant", [], [bound], value=dense))
        ops.append(at.new(CHOICES[end], [value, bound], [clipped]))
        value = clipped
    return ops


def _is_clipped_already(op: Op) -> bool:
    """Return whether an operation moves or rescales numbers that the same ends have clipped before."""
    row = facts(op)
    if row.error in ("constant", "iota") or not op.operands:
        return True
    element, before = op.result.type.quantized_element_type, op.operands[0].type.element_type
    if not isinstance(before, QuantizedType) or not (row.moves or row.error == "converted"):
        return False
    if row.moves:
        return before == element
    return len({*ends_at_zero(before)} | {*ends_at_zero(element)}) == 1


def is_nonnegative(value: Value, known: Mapping[str, Op]) -> bool:
    """Return whether a value is never negative, as its operation shows; `known` has operations by results."""
    op = known.get(value.name)
    if op is None:
        return False
    if facts(op).nonnegative:
        return True
    if op.name == "stablehlo.constant":
        return _least(op["value"]) >= 0
    if op.name == "stablehlo.maximum":
        return any(is_nonnegative(x, known) for x in op.operands)
    if op.name == "stablehlo.clamp":
        return is_nonnegative(op.operands[0], known) and is_nonnegative(op.operands[2], known)
    row = facts(op)
    if row.error == "converted" or (row.moves and op.name != "stablehlo.pad"):
        return all(is_nonnegative(x, known) for x in op.operands)
    return False


def _least(dense: Any) -> float:
    """Return the least number of a constant of floats or integers; not a number of others."""
    if not isinstance(dense, Dense) or dense.type.storage_type.kind not in ("float", "signed", "unsigned"):
        return float("nan")
    numbers = np.frombuffer(dense.data, numpy_dtype(dense.type.storage_type)).astype(np.float64)
    return float(numbers.min(initial=0.0))


def _bounds(type: QuantizedType, plain: TensorType, end: int, zeros: Sequence[float]) -> Dense:
    """Return zero where the type clips at this end, and the last number or infinity where it does not."""
    ends = ends_at_zero(type)
    if all(x == end for x in ends):
        return Dense(plain, dense_of(zeros[0], TensorType((), plain.element_type)).data, splat=True)
    element = plain.storage_type
    beyond = np.inf if element.special == "ieee" else max_finite(element)  # an infinity may be NaN
    pairs = zip(zeros, ends, strict=True)
    limits = tuple(float(zero) if x == end else end * beyond for zero, x in pairs)
    return dense_of(np.broadcast_to(spread(NUMPY, limits, np.float64, type, plain.shape), plain.shape), plain)


# By `Facts.reference`.
RULES: dict[Rule, Callable[[Original], Rewritten]] = {
    "alias": float_reference_rules.alias,
    "body": float_reference_rules.body,
    "compared": float_reference_rules.compare,
    "composed": name_twin,
    "constant": float_reference_rules.constant,
    "contracted": float_reference_rules.contraction,
    "reduced": float_reference_rules.reduction,
    "reinterpreted": float_reference_rules.bitcast_convert,
    "none": float_reference_rules.none,
    "same": float_reference_rules.same,
    "landed": float_reference_rules.scatter,
    "scattered": float_reference_rules.select_and_scatter,
}


@dataclass(frozen=True)
class Stripped:
    """A program without quantized types, and the names of its values that are clipped at zero points.

    integers: the values that are computed on stored integers there, too, as they have no float function.
    """

    module: Module
    clipped: tuple[str, ...]
    integers: tuple[str, ...] = ()


def float_reference(module: Module) -> Module:
    """Return the same functions on expressed values; `Unsupported` if the program reinterprets storage."""
    return strip_types(module).module


def strip_types(module: Module) -> Stripped:
    """Return the float reference of a program, and the values that it clips; errors as `float_reference`."""
    kept = {name: module[name] for name in integer_composites(module)}
    module = with_reals(module)
    writer = _Stripper(module, any(map(may_clip, module.ops())), kept=kept)
    left = {*needless_functions(module), *kept}
    others = {name: func for name, func in module.functions.items() if name not in left}
    functions = {name: writer.function(func, writer.clips) for name, func in others.items()} | kept
    whole = Module(functions | writer.accumulating, source=module.source)
    entries = [func.name for func in functions.values() if func.public]
    reached = {*entries}.union(*(callees(whole, name) for name in entries))
    names = (name for func, name in writer.clipped if func in reached)
    inside = (op for func in others.values() for op in nested_ops(func.body) if {*callee_names(op)} & {*kept})
    return Stripped(whole, tuple(dict.fromkeys(names)), tuple(op.results[0].name for op in inside))


def entry_module(module: Module, entry: Func) -> Module:
    """Return the module that running `entry` needs: `entry` as the public `@main`, and its callees.

    The float functions of composites are there, too.
    """
    reached = {entry.name: entry}
    for func in (todo := [entry]):
        ops = list(nested_ops(func.body))
        parts = [module[name] for op in ops for name in callee_names(op)]
        parts += [module[name] for op in ops if (name := twin_in(module, op))]
        todo += [f for f in parts if f.name not in reached]
        reached |= {f.name: f for f in parts}
    names = {name: "main" if name == entry.name else f"part.{name}" for name in reached}
    functions = [
        replace(f, name=names[f.name], body=_calling(names, f.body), public=f is entry)
        for f in reached.values()
    ]
    return Module({f.name: f for f in functions}, module.dialect, module.source)


def _calling(names: Mapping[str, str], region: Region) -> Region:
    """Return a region whose calls use the functions' new names."""
    ops = []
    for op in region.ops:
        op = replace(op, regions=tuple(_calling(names, inner) for inner in op.regions))
        if attribute := CALLEES.get(op.name):
            op = replace(op, attributes={**op.attributes, attribute: Symbol(names[op[attribute].name])})
            if (twin := twin_of(op)) and twin in names:
                op = replace(op, attributes={**op.attributes, NAME: Symbol(names[twin])})
        ops.append(op)
    return Region(region.arguments, tuple(ops))


@dataclass
class _Stripper:
    """Writer of float references; `clips` tells whether any of its types may clip at zero.

    `clipped` collects the values that it clips, by function. `accumulating`: the functions that bodies of
    reductions call, in which nothing is clipped.
    """

    module: Module
    clips: bool
    clipped: list[tuple[str, str]] = field(default_factory=list)
    accumulating: dict[str, Func] = field(default_factory=dict)
    kept: Mapping[str, Func] = field(default_factory=dict)

    def function(self, func: Func, clips: bool) -> Func:
        results = tuple(plain(type) for type in func.results)
        return replace(func, body=self._region(func.name, func.body, {}, clips), results=results)

    def _without_clips(self, op: Op) -> Op:
        """Return an operation of an accumulation that calls, if anything, a function that does not clip."""
        attribute = CALLEES.get(op.name)
        if attribute is None:
            return op
        name = f"{op[attribute].name}.unclipped"
        if name not in self.accumulating:
            func = self.function(self.module[op[attribute].name], False)
            self.accumulating[name] = replace(func, name=name, public=False)
        return replace(op, attributes={**op.attributes, attribute: Symbol(name)})

    def _region(self, func: str, region: Region, outer: Mapping[str, Value], clips: bool) -> Region:
        """Return a region on expressed values; one in which a reduction accumulates is not clipped."""
        arguments = tuple(Value(v.name, plain(v.type)) for v in region.arguments)
        env = {**outer, **{v.name: v for v in arguments}}
        ops: list[Op] = []
        for op in region.ops:
            operands = tuple(env[v.name] for v in op.operands)
            inner = clips and not facts(op).reduces
            regions = tuple(self._region(func, inside, env, inner) for inside in op.regions)
            rule = float_reference_rules.skip_callback if gives_nothing(op) else RULES[facts(op).reference]
            rule = keep_integers if {*callee_names(op)} & {*self.kept} else rule
            at = Original(self.module, op, operands, regions)
            new, results = rule(at)
            if clips and (clipped := clipping(at, (*ops, *new), results)):
                kept, (new, results) = len(ops), clipped
                new = new[kept:]
                self.clipped.append((func, op.result.name))
            ops += map(self._without_clips, new) if self.clips and not clips else new
            env.update((old.name, value) for old, value in zip(op.results, results, strict=True))
        return Region(arguments, tuple(ops))


# The float reference of a function, and its name in answers.
#
# It is the program that a quantized one was made from, if it carries one (`Module.reference`). Else the types
# alone speak: expressed types in place of quantized ones, clipped where these clip at zero. Whatever reads a
# program as another's float reference asks here, so that all answers speak of the same.


NAMES = 4  # values that a name lists


@dataclass(frozen=True)
class Reference:
    """The float reference of a function, as the `@main` of a module, and its name in answers.

    `bare`: the same function with types stripped, which is the reference where nothing better is known; what
    is proved about errors is proved of it. It is None where the program reinterprets storage, but carries a
    reference. `quantizes`: whether there is anything to lose against the reference. `clips` tells, in words,
    the values that were clipped where types are stripped.
    """

    module: Module
    name: str
    bare: Module | None
    quantizes: bool
    clips: str = ""

    @property
    def floats(self) -> Module:
        """The reference without quantized types, which a program that was carried may still have."""
        return self.module if self.is_bare else float_reference(self.module)

    @property
    def is_bare(self) -> bool:
        """Return whether the reference is the program itself, its types stripped."""
        return self.module is self.bare


ITSELF = "the program itself (no quantized types: nothing to lose against float)"


def reference_of(module: Module, func: Func) -> Reference:
    """Return the float reference of a function; `Unsupported` if there is none: it reinterprets storage."""
    whole = entry_module(module, func)
    own, why = _carried_program(module, func)
    if own is not None:
        return Reference(own, module.origin, _bare(whole), True)
    bare = strip_types(whole)
    quantizes = is_quantized(whole)
    told = _clips(bare.clipped), _integers(bare.integers)
    name = ", ".join(filter(None, ["types stripped", *told])) if quantizes else ITSELF
    whole_name = "; ".join(filter(None, [why, name]))
    return Reference(bare.module, whole_name, bare.module, quantizes, _clips(bare.clipped))


def _bare(whole: Module) -> Module | None:
    try:
        return strip_types(whole).module
    except Unsupported:
        return None


def _clips(clipped: tuple[str, ...]) -> str:
    """Return in words which values a program clips as its own float reference."""
    if not clipped:
        return ""
    names = ", ".join(clipped[:NAMES]) + (f" and {len(clipped) - NAMES} more" if clipped[NAMES:] else "")
    return f"clipped at the zero point{'s' * (len(clipped) > 1)} of {names}"


def _integers(names: tuple[str, ...]) -> str:
    """Return in words which values have no float function."""
    return f"no float function of {', '.join(names[:NAMES])}: integers there, too" if names else ""


def _carried_program(module: Module, func: Func) -> tuple[Module | None, str]:
    """Return the float program that a module carries for a function; or None, and why it has none now."""
    reference = module.reference
    if isinstance(reference, Mention):
        return None, f"{reference.origin} is in the file {reference.file}, which was not read"
    if reference is None:
        return None, module.origin
    if func.name != module.main.name:
        return None, f"{module.origin} is that of @{module.main.name} alone"
    own = entry_module(reference, reference.main)
    if _signature(own.main) != _signature(func):
        return None, f"{module.origin} takes or gives other types than the program does now"
    return own, ""


def _signature(func: Func) -> list[object]:
    """Return the types of a function's arguments and results, as numbers alone have them."""
    types = [*(v.type for v in func.inputs), *func.results]
    return [type if isinstance(type, BundleType) else plain(type) for type in types]


def is_quantized(module: Module) -> bool:
    """Return whether a program has quantized types, or simulates them, or names what it approximates."""
    simulates = any(op.name in FORMS or twin_of(op) for op in module.ops())
    return simulates or any(v.type.is_quantized for v in module.values())


def with_reference(module: Module, given: Module, origin: str) -> Module:
    """Return a program that was made from a float one with that as its reference.

    What `given` simulates of quantization is no part of the reference. Where it has none, neither has the
    program.
    """
    if not is_quantized(given):
        return replace(module, reference=entry_module(given, given.main), origin=origin)
    try:
        known = reference_of(given, given.main)
    except InterpError:
        return module
    return replace(module, reference=known.module, origin="; ".join(filter(None, [origin, known.clips])))
