"""The program in which regions have the types that were decided, and conversions stand where these differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from interp.apps.quantization.decisions import Rescale
from interp.apps.quantization.graph import Graph
from interp.apps.quantization.kernels import IDENTITIES, REGION, Names, rebuilt, with_specs, without
from interp.apps.quantization.states import Kernel
from spec.ir import Module, Op, Value
from spec.types import QuantizedType, TensorType


def resolved(module: Module, graph: Graph, rescales: Sequence[Rescale]) -> Module:
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
        return _placed(kernels[op.results[0].name], op, names, converted)

    return without(rebuilt(module, change), lambda op: op.name in IDENTITIES)


def _placed(kernel: Kernel, op: Op, names: Names, converted: set[tuple[str, str]]) -> list[Op]:
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
            operands[k] = _converted(before, names, value, (was, becomes))
        else:
            inner = replace(value, name=names.fresh(f"{value.name}.{kernel.place}"))
            results[k - kernel.count] = inner
            _converted(after, names, inner, (becomes, was), value)
    region = replace(with_specs(op, specs), operands=tuple(operands), results=tuple(results))
    return [*before, region, *after]


def _converted(
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
