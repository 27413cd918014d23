"""Stages between a program's float reference and itself; each one switches on one more source of error.

Between operations a quantized value is the real number that it represents, in f64. The first stages change
the inside of reductions and contractions, each of which becomes a function of its own:

exact         the program with types stripped (`float_reference`), in f64
stored        operands of reductions are first rounded to their own type, and arguments are quantized where
              the program quantizes them
converted     these operands are also converted to the accumulation type
accumulated   and accumulated in that type, as specified; in a contraction, products and sums are rounded
              to the expressed type
rounded       every operation is the program's own: all results are rounded to their types

All stages clip at zero points where that reference does, and nowhere else: storage is f64, which also holds
numbers beyond the storage range (`retyped.unbounded`). So the program itself differs from the last stage by
all other clipping, wherever it happens.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from interp.engine.bodies import outline, remove_bounds, retype, retype_function
from interp.engine.facts import facts
from interp.engine.quant import UNBOUNDED, in_f64
from interp.kernels import FOLDS
from interp.rewrite.float_reference import clip, clipping, clips, float_reference
from interp.rewrite.float_reference_rules import Original, Rewritten, plain
from spec.attributes import Symbol
from spec.errors import Unsupported
from spec.ir import CALLEES, Func, Module, Op, Region, Value, callees, reads
from spec.types import TensorType

STAGES = ("exact", "stored", "converted", "accumulated", "rounded")
QUANTIZE = {"stablehlo.uniform_quantize", "quant.qcast", "odml_torch.uniform_quantize"}


def real(type: TensorType) -> TensorType:
    """Return f64 for a quantized type; any other type unchanged."""
    return plain(retype(type, in_f64))


def exact_reference(module: Module) -> Module:
    """Return the float reference with f64 for quantized values; `Unsupported` if there is none."""
    whole = Module({name: retype_function(f, in_f64) for name, f in module.functions.items()})
    return float_reference(whole)


def make_stage(module: Module, stage: str) -> Module:
    """Return the program at a stage, from reals to reals; `@main` must be its only public function.

    Raises `Unsupported` for control flow, and if there is no float reference.
    """
    _refuse_control_flow(module)
    apart, taken = _outline_operations(module)
    functions = dict(exact_reference(apart).functions)
    if stage == "exact":
        return Module(functions)
    variants = {func.name: func for func in map(_without_bounds, module.functions.values())}
    if stage == "rounded":
        acting = {func.name: func for func in map(_clip_function, variants.values())}
        main = _around(module.main, acting[_clipping_name(_without_bounds(module.main).name)])
        return _reachable(Module({"main": main, **acting, **variants}))
    for name, op in taken.items():
        inner = _inner(op, name, stage, functions[name])
        functions[name], functions[inner.name] = _wrapping(op, name, stage, inner), inner
    return _reachable(Module(functions | variants))


def _reachable(module: Module) -> Module:
    reached = {"main"} | callees(module, "main")
    return Module({name: func for name, func in module.functions.items() if name in reached})


def _without_bounds(func: Func) -> Func:
    """Return the function on storage without bounds."""
    return replace(retype_function(func, remove_bounds, ".unbounded"), public=False)


def _clip_function(func: Func) -> Func:
    """Return a function on unbounded storage that clips at zero points, outside of accumulations."""
    ops = [each for op in func.body.ops for each in _clipped_operation(op)]
    return replace(func, name=_clipping_name(func.name), body=replace(func.body, ops=tuple(ops)))


def _clipping_name(name: str) -> str:
    return f"{name}.clipped"


def _clipped_operation(op: Op) -> list[Op]:
    """Return an operation, and what clips its stored result where the reference clips."""
    if attribute := CALLEES.get(op.name):
        callee = Symbol(_clipping_name(op[attribute].name))
        op = replace(op, attributes={**op.attributes, attribute: callee})
    if not clips(op):
        return [op]
    at = Original(Module({}), op, op.operands, op.regions)
    numbers = replace(op.result.type, element_type=UNBOUNDED)
    free, stored, bounded = (
        at.fresh("unclipped", op.result.type),
        at.fresh("stored", numbers),
        at.fresh("bounded", numbers),
    )
    return [
        replace(op, results=(free,)),
        at.new("stablehlo.bitcast_convert", [free], [stored]),
        *clip(at, stored, bounded, op.result.type.quantized_element_type.zero_points),
        at.new("stablehlo.bitcast_convert", [bounded], op.results),
    ]


def _around(main: Func, inner: Func) -> Func:
    """Return the program on reals: they are quantized, the program runs, and its results are dequantized."""
    writer = _Writer()
    parameters = tuple(Value(f"%real{k}", real(v.type)) for k, v in enumerate(main.inputs))
    arguments = tuple(writer.to(x, v.type) for x, v in zip(parameters, inner.inputs, strict=True))
    results = tuple(writer.fresh(type) for type in inner.results)
    writer.ops.append(Op("func.call", arguments, results, {"callee": Symbol(inner.name)}))
    reals = tuple(writer.dequantize(x) for x in results)
    body = Region(parameters, (*writer.ops, Op("func.return", reals, ())))
    return replace(main, body=body, results=tuple(v.type for v in reals))


def _refuse_control_flow(module: Module) -> None:
    for op in module.ops():
        if op.regions and op.name not in FOLDS:
            evidence = "on numbers other than its own, the program may take another branch or never end"
            raise Unsupported(f"{op.name} cannot run at a stage", evidence, op.location)


def _outline_operations(module: Module) -> tuple[Module, dict[str, Op]]:
    """Return the module with the operations that differ between stages as functions, and these by name."""
    functions: dict[str, Func] = {}
    taken: dict[str, Op] = {}
    for func in module.functions.values():
        ops = []
        for op in func.body.ops:
            if _differs(op, func):
                name = f"{op.name.partition('.')[2]}.{len(taken)}"
                taken[name], functions[name] = op, outline(op, name)
                operands, callee = reads(op), {"callee": Symbol(name)}
                op = Op("func.call", operands, op.results, callee, location=op.location)
            ops.append(op)
        functions[func.name] = replace(func, body=replace(func.body, ops=tuple(ops)))
    return Module(functions), taken


def _differs(op: Op, func: Func) -> bool:
    if _quantizes(op):
        return func.public and op.operands[0] in func.inputs and not op.operands[0].type.is_quantized
    inner = (v for region in op.regions for v in region.arguments)
    return op.name in FOLDS and any(v.type.is_quantized for v in (*op.operands, *op.results, *inner))


def _quantizes(op: Op) -> bool:
    return op.attributes.get("call_target_name", op.name) in QUANTIZE


def _inner(op: Op, name: str, stage: str, exact: Func) -> Func:
    """Return the form of an operation that a stage computes: on reals, or on storage without bounds."""
    if not _quantizes(op) and stage in ("stored", "converted"):
        return replace(exact, name=f"{name}.exact")
    results = tuple(replace(v, type=type) for v, type in zip(op.results, _accumulator_types(op), strict=True))
    operands = op.operands
    if not _quantizes(op):
        operands = tuple(replace(v, type=type) for v, type in zip(operands, _operand_types(op), strict=True))
    return _without_bounds(outline(replace(op, operands=operands, results=results), name))


def _accumulator_types(op: Op) -> list[TensorType]:
    """Return the operation with the accumulators as results, not converted to the results' types."""
    if facts(op).family == "contraction":
        return [plain(op.result.type)]
    if _quantizes(op):
        return [op.result.type]
    elements = [v.type.element_type for v in op.regions[-1].returns]
    return [replace(v.type, element_type=element) for v, element in zip(op.results, elements, strict=True)]


def _operand_types(op: Op) -> list[TensorType]:
    """Return the operation with its quantized operands converted to the accumulation types."""
    types = [v.type for v in op.operands]
    arguments = op.regions[-1].arguments if op.regions else ()
    first = len(types) - len(arguments)
    for k, argument in enumerate(arguments, first):
        if types[k].is_quantized:
            types[k] = replace(types[k], element_type=argument.type.element_type)
    return types


def _wrapping(op: Op, name: str, stage: str, inner: Func) -> Func:
    """Return a function on reals: conversion to stored numbers, the inner function, and back to reals."""
    whole, writer = outline(op, name), _Writer()
    parameters = tuple(Value(f"%real{k}", real(v.type)) for k, v in enumerate(whole.inputs))
    paths = [[*path, v.type] for path, v in zip(_paths(op, whole, stage), inner.inputs, strict=True)]
    arguments = tuple(writer.path(x, path) for x, path in zip(parameters, paths, strict=True))
    results = tuple(writer.fresh(type) for type in inner.results)
    writer.ops.append(Op("func.call", arguments, results, {"callee": Symbol(inner.name)}))
    reals = tuple(writer.path(x, [real(type)]) for x, type in zip(results, whole.results, strict=True))
    if clipped := _clipped_reals(op, writer, reals):
        writer.ops[:], reals = clipped
    body = Region(parameters, (*writer.ops, Op("func.return", reals, ())))
    return replace(whole, body=body, results=tuple(v.type for v in reals))


def _clipped_reals(op: Op, writer: _Writer, reals: tuple[Value, ...]) -> Rewritten | None:
    """Return what was written with the real result clipped at zero points; None where it is not clipped."""
    named = tuple(replace(v, name=f"%real.{k}") for k, v in enumerate(op.results))
    return clipping(Original(Module({}), replace(op, results=named), (), ()), writer.ops, reals)


def _paths(op: Op, whole: Func, stage: str) -> list[list[TensorType]]:
    """Return the types through which each parameter is converted: its own, and then the accumulator's."""
    if _quantizes(op):
        return [[] for _ in whole.inputs]
    paths = [[v.type] for v in whole.inputs]
    if stage != "stored":
        for path, type in zip(paths, _operand_types(op), strict=False):
            path.append(type)
    return [[retype(type, remove_bounds) for type in path] for path in paths]


@dataclass
class _Writer:
    """Collector of operations that convert a value between types."""

    ops: list[Op] = field(default_factory=list)
    values: int = 0

    def fresh(self, type: TensorType) -> Value:
        self.values += 1
        return Value(f"%{self.values - 1}", type)

    def emit(self, name: str, operand: Value, type: TensorType) -> Value:
        result = self.fresh(type)
        self.ops.append(Op(f"stablehlo.{name}", (operand,), (result,)))
        return result

    def path(self, x: Value, types: Sequence[TensorType]) -> Value:
        for type in types:
            x = self.to(x, type)
        return x

    def dequantize(self, x: Value) -> Value:
        """Return a value dequantized as specified and converted to f64; a plain value is unchanged."""
        if not x.type.is_quantized:
            return x
        expressed = self.emit("uniform_dequantize", x, plain(x.type))
        return self.to(expressed, real(x.type))

    def to(self, x: Value, type: TensorType) -> Value:
        """Return a value converted to a type, through f64, which holds every plain number."""
        if x.type == type:
            return x
        if x.type.is_quantized and type.is_quantized:
            return self.emit("uniform_quantize", x, type)
        if x.type.is_quantized:
            wide = self.emit("bitcast_convert", x, retype(x.type, in_f64))
            return self.emit("uniform_dequantize", wide, type)
        if type.is_quantized:
            wide = self.emit("uniform_quantize", x, retype(type, in_f64))
            return self.emit("bitcast_convert", wide, type)
        return self.emit("convert", x, type)
