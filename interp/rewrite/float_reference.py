"""`float_reference`: the float program that a quantized one stands for, as IR, for XLA to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from interp.engine.callbacks import gives_nothing
from interp.engine.facts import Reference, facts
from interp.rewrite import float_reference_folds, float_reference_rules
from interp.rewrite.float_reference_rules import Original, Rewritten, plain
from spec.ir import CALLEES, Func, Module, Op, Region, Symbol, Value, called, walk

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


def float_reference(module: Module) -> Module:
    """Return the same functions on expressed values; `Unsupported` where storage is reinterpreted."""
    functions = {name: _function(module, func) for name, func in module.functions.items()}
    return Module(functions, source=module.source)


def entered(module: Module, entry: Func) -> Module:
    """Return the module that running `entry` needs: `entry` as the public `@main`, and its callees."""
    reached = {entry.name: entry}
    for func in (todo := [entry]):
        parts = [module[name] for op in walk(func.body) for name in called(op)]
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


def _function(module: Module, func: Func) -> Func:
    results = tuple(plain(type) for type in func.results)
    return replace(func, body=_region(module, func.body, {}), results=results)


def _region(module: Module, region: Region, outer: Mapping[str, Value]) -> Region:
    arguments = tuple(Value(v.name, plain(v.type)) for v in region.arguments)
    env = {**outer, **{v.name: v for v in arguments}}
    ops: list[Op] = []
    for op in region.ops:
        operands = tuple(env[v.name] for v in op.operands)
        regions = tuple(_region(module, inner, env) for inner in op.regions)
        rule = float_reference_rules.skipped if gives_nothing(op) else RULES[facts(op).reference]
        new, results = rule(Original(module, op, operands, regions))
        ops += new
        env.update((old.name, value) for old, value in zip(op.results, results, strict=True))
    return Region(arguments, tuple(ops))
