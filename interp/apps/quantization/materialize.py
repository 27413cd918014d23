"""`materialize`: regions with decided types become quantized operations, without regions and statistics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from interp.apps.quantization.choices import Choice, Choices
from interp.apps.quantization.codegen_flow import Codegen
from interp.apps.quantization.stablehlo_flow import StableHLO
from interp.apps.quantization.translate import Translator
from interp.loading.writer import Writer, names_of, used
from spec.ir import Func, Module, Region
from spec.options import one_of
from spec.verify import callees

FLOWS: dict[str, type[StableHLO]] = {"stablehlo": StableHLO, "codegen": Codegen}


@dataclass(frozen=True)
class Materialized:
    """A quantized program, and the decisions that were made for it."""

    module: Module
    choices: tuple[Choice, ...]


def materialize(module: Module, target: Any = None, flow: str = "stablehlo") -> Module:
    """Return the program that `materialized` makes."""
    return materialized(module, target, flow).module


def materialized(module: Module, target: Any = None, flow: str = "stablehlo") -> Materialized:
    """Return a program whose `quant.region`s are quantized operations, with the decisions.

    flow: "stablehlo", quantized types that jaxlib's verifier accepts, or "codegen", plain integers. Arguments
    and results keep their types.
    """
    one_of(FLOWS, flow, "flow")
    choices = Choices()
    functions = {name: _function(func, flow, choices) for name, func in module.functions.items()}
    return Materialized(_reached(replace(module, functions=functions)), tuple(choices.made))


def _function(func: Func, flow: str, choices: Choices) -> Func:
    writer = Writer({v.name for v in func.inputs} | names_of(_nested(func.body)))
    translator = Translator(writer, FLOWS[flow](writer), choices)
    body = translator.block(func.body, {})
    return replace(func, body=replace(body, ops=used(body.ops)))


def _nested(region: Region) -> Sequence[Region]:
    """Return the regions inside a block, whose arguments keep their names."""
    return [inner for op in region.ops for inner in op.regions]


def _reached(module: Module) -> Module:
    """Return a module without the private functions that nothing calls."""
    public = {f.name for f in module.functions.values() if f.public}
    kept = public | {name for f in public for name in callees(module, f)}
    return replace(module, functions={name: f for name, f in module.functions.items() if name in kept})
