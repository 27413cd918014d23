"""`materialize`: regions with decided types become quantized operations, and all else stays as it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from interp.apps.quantization.claims import differing, has_same_bits
from interp.apps.quantization.codegen_flow import Codegen
from interp.apps.quantization.constants import CONSTANTS, array_of, fold_operation, folds
from interp.apps.quantization.decisions import Choice, Choices, Rescale
from interp.apps.quantization.graph import Graph, Kernel
from interp.apps.quantization.kernels import (
    IDENTITIES,
    REGION,
    Names,
    input_specs,
    output_specs,
    program_name,
    rebuild,
    with_specs,
    without,
)
from interp.apps.quantization.region_kinds import ENTRIES, ISLAND, TABLE, entries, variable_ops
from interp.apps.quantization.rules import RULES
from interp.apps.quantization.rules_elementwise import move
from interp.apps.quantization.stablehlo_flow import StableHLO
from interp.apps.quantization.sums import Form, form_of, is_sum
from interp.apps.quantization.symbols import (
    Constant,
    Forms,
    Pending,
    Plain,
    Stored,
    Symbol,
    has_blocks,
    reason,
)
from interp.loading.writer import RETURNS, Writer, drop_unused, names_of
from spec.errors import one_of
from spec.ir import Func, Module, Op, Region, Value, callees, captures
from spec.types import QuantizedType, TensorType, is_tensor

# Rewrites a block: `quant.region`s become quantized operations, what stands between them stays as it is.

QUANTIZE = {"stablehlo.uniform_quantize", "quant.qcast"}
DEQUANTIZE = {"stablehlo.uniform_dequantize", "quant.dcast"}
STATISTICS = {"quant.stats", "quant.stats_ref", "quant.coupled_ref"}
Env = dict[str, Symbol]


class Translator(Forms):
    """Evaluates blocks over symbols, and writes what it decides on."""

    # Blocks

    def block(self, region: Region, env: Env) -> Region:
        """Return a block of the new program, around which `env` is known."""
        env = {**env, **{v.name: self.symbol(v) for v in region.arguments}}
        self.origins |= {v.name: f"{v.name} is a float, an argument" for v in region.arguments}
        with self.inside() as writer:
            self.evaluate(region, env)
            last = region.ops[-1]
            operands = tuple(self.as_typed(env[v.name], v.type) for v in last.operands)
            return Region(region.arguments, (*writer.ops, replace(last, operands=operands)))

    @contextmanager
    def inside(self) -> Iterator[Writer]:
        """Write into a nested block meanwhile."""
        outer = self.writer
        self.writer = self.flow.writer = outer.inner()
        try:
            yield self.writer
        finally:
            self.writer = self.flow.writer = outer

    def evaluate(self, region: Region, env: Env, quantizing: bool = False) -> None:
        """Evaluate the operations of a block, all but the last."""
        for op in region.ops:
            if op.name in RETURNS:
                continue
            self.writer.location = op.location
            self.writer.hint = program_name(op.results[0].name) if op.results else "q"
            results = self.operation(op, env, quantizing)
            env.update((v.name, x) for v, x in zip(op.results, results, strict=True))

    def operation(self, op: Op, env: Env, quantizing: bool) -> Sequence[Symbol]:
        """Return the results of one operation, and note what became of a sum."""
        start = len(self.writer.ops)
        results = self.rewrite(op, env, quantizing)
        if is_sum(op):
            written = self.writer.ops[start:]
            self.choices.forms[op.results[0].name] = form_of(op, written, self.in_island)
        return results

    def rewrite(self, op: Op, env: Env, quantizing: bool) -> Sequence[Symbol]:
        """Return the results of one operation."""
        operands = [env[v.name] for v in op.operands]
        if op.name == REGION:
            return self.kernel(op, operands)
        if op.name in STATISTICS or (op.name in DEQUANTIZE and isinstance(operands[0], Stored)):
            return operands
        if op.name in QUANTIZE and not has_blocks(op.result.type):
            return [self.requantize(op, operands[0])]
        if op.name in CONSTANTS:
            return [self.constant(op)]
        if folded := self.fold(op, operands):
            return folded
        rule = RULES.get(op.name) if quantizing else None
        if rule and any(isinstance(x, Stored | Pending) for x in operands):
            results = rule(self, op, operands)
            if results is not None:
                return results
        return self.plain(op, operands, env, quantizing)

    def kernel(self, op: Op, operands: Sequence[Symbol]) -> Sequence[Symbol]:
        """Return the outputs of a region, in the types of its ports."""
        body = op.regions[0]
        ports = zip(body.arguments, operands, input_specs(op), strict=True)
        env: Env = {v.name: self.port(x, spec) for v, x, spec in ports}
        for v, outer in zip(body.arguments, op.operands, strict=True):
            float_ = f"{program_name(outer.name)} is a float, which has no quantized type"
            self.origins[v.name] = self.origins.get(outer.name, float_)
        self.lost, self.specs, self.returned = False, output_specs(op), {v.name for v in body.returns}
        form, _, name = op["logical_kernel"].partition(".")
        self.in_island = form == ISLAND
        if form == TABLE and isinstance(x := env[body.arguments[0].name], Stored):
            env |= self.look_up(op, x)
        else:
            self.evaluate(body, env, quantizing=not self.in_island)
        if self.in_island:
            text = f"an island of {len(variable_ops(body))} operations, computed in float as in the program"
            self.choices.note(op.results[0].name, name, "float", text)
            self.in_island = False
        outputs = []
        for v, result, spec in zip(body.returns, op.results, output_specs(op), strict=True):
            self.writer.hint = program_name(result.name)
            outputs.append(self.port(env[v.name], spec))
            if isinstance(spec, QuantizedType):
                steps = differing(env[v.name], spec, self.lost, self.flow.ties)
                if steps != 0 or source(env[v.name]) != short(spec):
                    text = f"{source(env[v.name])} becomes {short(spec)}"
                    self.choices.note(result.name, op["logical_kernel"], "rescale", text, steps=steps)
            elif not has_same_bits(env[v.name], self.lost):
                text = f"{source(env[v.name])} becomes {spec!r}"
                self.choices.note(result.name, op["logical_kernel"], "rescale", text, steps=None)
        return outputs

    def look_up(self, op: Op, x: Stored) -> Env:
        """Return the outputs of a region that is a table, of its entries for each stored number."""
        env: Env = {}
        for k, (v, spec) in enumerate(zip(op.regions[0].returns, output_specs(op), strict=True)):
            assert isinstance(spec, QuantizedType)
            numbers, moves = entries(op, k)
            settled = self.flow.look_up(self.as_stored(x, x.type), numbers, spec)
            for each in moves:
                results = move(self, each, [settled])
                assert results is not None
                (settled,) = results
            env[v.name] = settled
            text = f"a table of {ENTRIES} entries, which the float operations gave for every stored number"
            self.choices.note(op.results[k].name, op["logical_kernel"], "table", text)
        return env

    def requantize(self, op: Op, x: Symbol) -> Symbol:
        """Return the result of a quantization that stands between two regions."""
        type = op.result.type.quantized_element_type
        steps = differing(x, type, False, self.flow.ties) if isinstance(x, Stored) else 0
        if steps != 0:
            text = f"{source(x)} becomes {short(type)}"
            self.choices.note(op.result.name, op.name, "rescale", text, steps=steps)
        return self.as_stored(x, type)

    def port(self, x: Symbol, spec: Any) -> Symbol:
        if isinstance(spec, QuantizedType):
            return self.as_stored(x, spec)
        return x if isinstance(x, Constant) else Plain(self.as_float(x))

    # Operations that stay

    def constant(self, op: Op) -> Symbol:
        type, array = op.result.type, array_of(op)
        return self.flow.constant(array, type.element_type) if type.is_quantized else Constant(type, array)

    def fold(self, op: Op, operands: Sequence[Symbol]) -> list[Symbol] | None:
        """Return the results of an operation on constants, or None if it is not computed here."""
        arrays = [x.array for x in operands if isinstance(x, Constant)]
        if not folds(op) or len(arrays) < len(operands):
            return None
        return [Constant(v.type, x) for v, x in zip(op.results, fold_operation(op, arrays), strict=True)]

    def plain(self, op: Op, operands: Sequence[Symbol], env: Env, quantizing: bool) -> Sequence[Symbol]:
        """Return the results of an operation that stays as it is, on floats where its operands are floats."""
        if quantizing and operands:
            why = reason(op, operands, self.origins, op.name in RULES)
            self.choices.note(self.writer.hint, op.name, "float", f"computed in float: {why}", holds=False)
        values = [self.as_typed(x, v.type) for x, v in zip(operands, op.operands, strict=True)]
        outer = {v.name: self.capture(env[v.name], v.type) for v in captures(op)}
        regions = tuple(self.block(region, {**env, **outer}) for region in op.regions)
        names = [self.writer.fresh(v.name) for v in op.results[:1]]
        if len(op.results) > 1:
            stem = self.writer.fresh(op.results[0].name.partition("#")[0])
            names = [f"{stem}#{k}" for k in range(len(op.results))]
        results = tuple(Value(name, v.type) for name, v in zip(names, op.results, strict=True))
        short = op.name.partition(".")[2]
        self.origins |= {
            v.name: f"{program_name(v.name)} is a float, the result of {short}" for v in op.results
        }
        self.writer.ops.append(replace(op, operands=tuple(values), results=results, regions=regions))
        return [self.symbol(v) for v in results]

    def capture(self, x: Symbol, type: TensorType) -> Symbol:
        """Return a value as blocks read it: written before them; a stored one in both forms."""
        value = self.as_typed(x, type)
        return x if isinstance(x, Stored) else Plain(value)

    def symbol(self, value: Value) -> Symbol:
        """Return the symbol of a value of the program."""
        if is_tensor(value.type) and value.type.is_quantized and not has_blocks(value.type):
            return self.flow.symbol(value, value.type.quantized_element_type)
        return Plain(value)


def source(x: Symbol) -> str:
    """Return the form of a value in words."""
    if isinstance(x, Stored):
        return short(x.type)
    return "a waiting " + x.op.name.partition(".")[2] if isinstance(x, Pending) else "a float"


def short(type: QuantizedType) -> str:
    """Return a type in few words: its scale, or the number of its scales."""
    if type.is_per_tensor:
        return repr(type)
    return f"{type.spelling} with {len(type.scales)} scales"


FLOWS: dict[str, type[StableHLO]] = {"stablehlo": StableHLO, "codegen": Codegen}


@dataclass(frozen=True)
class Materialized:
    """A quantized program, and the decisions that were made for it."""

    module: Module
    choices: tuple[Choice, ...]
    forms: Mapping[str, Form]


def materialize(module: Module, target: Any = None, flow: str = "stablehlo") -> Module:
    """Return the program that `materialization` makes."""
    return materialization(module, target, flow).module


def materialization(module: Module, target: Any = None, flow: str = "stablehlo") -> Materialized:
    """Return a program whose `quant.region`s are quantized operations, with the decisions.

    flow: "stablehlo", quantized types that jaxlib's verifier accepts, or "codegen", plain integers. Arguments
    and results keep their types.
    """
    one_of(FLOWS, flow, "flow")
    choices = Choices()
    functions = {name: _function(func, flow, choices) for name, func in module.functions.items()}
    made = _drop_uncalled(replace(module, functions=functions))
    return Materialized(made, tuple(choices.made), choices.forms)


def _function(func: Func, flow: str, choices: Choices) -> Func:
    writer = Writer({v.name for v in func.inputs} | names_of(_inner_regions(func.body)))
    translator = Translator(writer, FLOWS[flow](writer), choices)
    body = translator.block(func.body, {})
    return replace(func, body=replace(body, ops=drop_unused(body.ops)))


def _inner_regions(region: Region) -> Sequence[Region]:
    """Return the regions inside a block, whose arguments keep their names."""
    return [inner for op in region.ops for inner in op.regions]


def _drop_uncalled(module: Module) -> Module:
    """Return a module without the private functions that nothing calls."""
    public = {f.name for f in module.functions.values() if f.public}
    kept = public | {name for f in public for name in callees(module, f)}
    return replace(module, functions={name: f for name, f in module.functions.items() if name in kept})


# The program in which regions have the types that were decided, and conversions stand where these differ


def resolve(module: Module, graph: Graph, rescales: Sequence[Rescale]) -> Module:
    """Return the program with the decided types as specs; statistics and references are gone.

    A value `x` of one type that a kernel takes in another is quantized to the first, by `uniform_quantize`
    requantized to the second, and dequantized for the region, which fake-quantizes it again without change.
    """
    names = Names.of(module)
    kernels = {kernel.op.results[0].name: kernel for kernel in graph.kernels}
    converted = {(r.value, r.kernel) for r in rescales}

    def change(op: Op) -> Sequence[Op]:
        if op.name != REGION:
            return (op,)
        return _place_region(kernels[op.results[0].name], op, names, converted)

    return without(rebuild(module, change), lambda op: op.name in IDENTITIES)


def _place_region(kernel: Kernel, op: Op, names: Names, converted: set[tuple[str, str]]) -> list[Op]:
    """Return a region with its types, between the conversions of its ports."""
    before: list[Op] = []
    after: list[Op] = []
    operands, results = list(op.operands), list(op.results)
    specs = [kernel.type(k) or v.type.element_type for k, v in enumerate(kernel.values)]
    for k, becomes in kernel.forced.items():
        value, was = kernel.values[k], kernel.states[k].type
        if was is None or (value.name, kernel.title) not in converted or not kernel.is_quantizable(k):
            continue
        if k < kernel.count:
            operands[k] = _append_conversion(before, names, value, (was, becomes))
        else:
            inner = replace(value, name=names.fresh(f"{value.name}.{kernel.place}"))
            results[k - kernel.count] = inner
            _append_conversion(after, names, inner, (becomes, was), value)
    region = replace(with_specs(op, specs), operands=tuple(operands), results=tuple(results))
    return [*before, region, *after]


def _append_conversion(
    ops: list[Op],
    names: Names,
    value: Value,
    types: tuple[QuantizedType, QuantizedType],
    result: Value | None = None,
) -> Value:
    """Append the conversion of a float from one stored type to another, and return the float after it."""
    stored = value
    for type in types:
        name = names.fresh(f"{value.name}.q")
        stored, operand = Value(name, TensorType(value.type.shape, type)), stored
        ops.append(Op("stablehlo.uniform_quantize", (operand,), (stored,)))
    back = result or replace(value, name=names.fresh(f"{value.name}.dq"))
    ops.append(Op("stablehlo.uniform_dequantize", (stored,), (back,)))
    return back
