"""`twin`: the float program that a quantized one stands for. A transformation of the IR, for XLA to run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from interp import twin_folds, twin_rules
from interp.twin_rules import Original, Rewritten, plain, same
from spec.ir import Func, Module, Op, Region, Value

RULES: dict[str, Callable[[Original], Rewritten]] = {
    "stablehlo.uniform_quantize": twin_rules.alias,
    "stablehlo.uniform_dequantize": twin_rules.alias,
    "quant.qcast": twin_rules.alias,
    "quant.dcast": twin_rules.alias,
    "quant.scast": twin_rules.bitcast_convert,
    "stablehlo.custom_call": twin_rules.custom_call,
    "stablehlo.constant": twin_rules.constant,
    "arith.constant": twin_rules.constant,
    "stablehlo.iota": twin_rules.iota,
    "stablehlo.compare": twin_rules.compare,
    "stablehlo.bitcast_convert": twin_rules.bitcast_convert,
    "stablehlo.dot_general": twin_rules.contraction,
    "stablehlo.convolution": twin_rules.contraction,
    "stablehlo.reduce": twin_folds.reduction,
    "stablehlo.reduce_window": twin_folds.reduction,
    "stablehlo.select_and_scatter": twin_folds.select_and_scatter,
}


def twin(module: Module) -> Module:
    """The same functions on expressed values. Raises `Unsupported` where storage is reinterpreted."""
    functions = {name: _function(module, func) for name, func in module.functions.items()}
    return Module(functions, source=module.source)


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
        new, results = RULES.get(op.name, same)(Original(module, op, operands, regions))
        ops += new
        env.update((old.name, value) for old, value in zip(op.results, results, strict=True))
    return Region(arguments, tuple(ops))
