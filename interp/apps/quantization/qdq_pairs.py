"""Exporters' quantization as `uniform_quantize` and `uniform_dequantize`: custom calls and casts."""

from __future__ import annotations

from dataclasses import replace

from interp.rewrite.inlined import inline_calls
from spec.ir import Func, Module, Op

SPELLINGS = {
    "odml_torch.uniform_quantize": "stablehlo.uniform_quantize",
    "odml_torch.uniform_dequantize": "stablehlo.uniform_dequantize",
    "quant.qcast": "stablehlo.uniform_quantize",
    "quant.dcast": "stablehlo.uniform_dequantize",
}


def spell_out(module: Module, entry: Func) -> Module:
    """Return the program without calls, its quantization spelled as StableHLO's own operations.

    Composites become calls: the reader has rewritten those that it knows, and arithmetic is recognized later.
    """
    functions = {name: _decompose(func) for name, func in module.functions.items()}
    flat = inline_calls(replace(module, functions=functions), functions[entry.name])
    main = flat.main
    body = replace(main.body, ops=tuple(map(spell, main.body.ops)))
    return replace(flat, functions={**flat.functions, "main": replace(main, body=body)})


def _decompose(func: Func) -> Func:
    """Return a function whose composites are calls."""

    def change(op: Op) -> Op:
        op = replace(op, regions=tuple(replace(r, ops=tuple(map(change, r.ops))) for r in op.regions))
        if op.name != "stablehlo.composite":
            return op
        return replace(op, name="func.call", attributes={"callee": op["decomposition"]})

    return replace(func, body=replace(func.body, ops=tuple(map(change, func.body.ops))))


def spell(op: Op) -> Op:
    """Return the operation, or the one that quantizes as it does; types with blocks have none."""
    name = SPELLINGS.get(op.attributes.get("call_target_name", op.name))
    if name is None:
        return op
    types = [v.type.quantized_element_type for v in (*op.operands, *op.results) if v.type.is_quantized]
    if any(type.block_sizes is not None for type in types):
        return op
    return replace(op, name=name, attributes={})
