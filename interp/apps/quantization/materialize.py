"""`materialize`: regions with decided types become quantized operations, without regions and statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from interp.apps.quantization.choices import Choice, Choices
from interp.apps.quantization.codegen_flow import Codegen
from interp.apps.quantization.decisions import Rescale
from interp.apps.quantization.graph import Graph
from interp.apps.quantization.kernels import IDENTITIES, REGION, Names, rebuild, with_specs, without
from interp.apps.quantization.stablehlo_flow import StableHLO
from interp.apps.quantization.states import Kernel
from interp.apps.quantization.translate import Translator
from interp.loading.writer import Writer, names_of, drop_unused
from spec.ir import Func, Module, Op, Region, Value
from spec.options import one_of
from spec.types import QuantizedType, TensorType
from spec.verify import callees

FLOWS: dict[str, type[StableHLO]] = {"stablehlo": StableHLO, "codegen": Codegen}


@dataclass(frozen=True)
class Materialized:
    """A quantized program, and the decisions that were made for it."""

    module: Module
    choices: tuple[Choice, ...]


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
    return Materialized(_drop_uncalled(replace(module, functions=functions)), tuple(choices.made))


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
