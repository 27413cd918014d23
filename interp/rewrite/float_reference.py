"""`float_reference`: a program with expressed types in place of quantized ones, for XLA to run.

Where a result's type clips at zero (`engine.clipping`), the reference does, too: that is the program's
activation. Nothing is clipped where a result cannot have the other sign.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from interp.engine.callbacks import gives_nothing
from interp.engine.clipping import may_clip
from interp.engine.facts import Reference, facts
from interp.rewrite import float_reference_folds, float_reference_rules
from interp.rewrite.float_reference_clips import clipping
from interp.rewrite.float_reference_rules import Original, Rewritten, plain
from spec.ir import CALLEES, Func, Module, Op, Region, Symbol, Value, callee_names, nested_ops
from spec.verify import callees

# By `Facts.reference`.
RULES: dict[Reference, Callable[[Original], Rewritten]] = {
    "alias": float_reference_rules.alias,
    "body": float_reference_rules.body,
    "compared": float_reference_rules.compare,
    "constant": float_reference_rules.constant,
    "contracted": float_reference_rules.contraction,
    "reduced": float_reference_folds.reduction,
    "reinterpreted": float_reference_rules.bitcast_convert,
    "none": float_reference_rules.none,
    "same": float_reference_rules.same,
    "landed": float_reference_folds.scatter,
    "scattered": float_reference_folds.select_and_scatter,
}


@dataclass(frozen=True)
class Stripped:
    """A program without quantized types, and the names of its values that are clipped at zero points."""

    module: Module
    clipped: tuple[str, ...]


def float_reference(module: Module) -> Module:
    """Return the same functions on expressed values; `Unsupported` if the program reinterprets storage."""
    return strip_types(module).module


def strip_types(module: Module) -> Stripped:
    """Return the float reference of a program, and the values that it clips; errors as `float_reference`."""
    writer = _Stripper(module, any(map(may_clip, module.ops())))
    functions = {name: writer.function(func, writer.clips) for name, func in module.functions.items()}
    whole = Module(functions | writer.accumulating, source=module.source)
    entries = [func.name for func in functions.values() if func.public]
    reached = {*entries}.union(*(callees(whole, name) for name in entries))
    names = (name for func, name in writer.clipped if func in reached)
    return Stripped(whole, tuple(dict.fromkeys(names)))


def entry_module(module: Module, entry: Func) -> Module:
    """Return the module that running `entry` needs: `entry` as the public `@main`, and its callees."""
    reached = {entry.name: entry}
    for func in (todo := [entry]):
        parts = [module[name] for op in nested_ops(func.body) for name in callee_names(op)]
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
            at = Original(self.module, op, operands, regions)
            new, results = rule(at)
            if clips and (clipped := clipping(at, (*ops, *new), results)):
                kept, (new, results) = len(ops), clipped
                new = new[kept:]
                self.clipped.append((func, op.result.name))
            ops += map(self._without_clips, new) if self.clips and not clips else new
            env.update((old.name, value) for old, value in zip(op.results, results, strict=True))
        return Region(arguments, tuple(ops))
