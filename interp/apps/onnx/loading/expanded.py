"""Functions that StableHLO has no operation for, as the operations that jaxlib makes of `chlo`."""

from __future__ import annotations

from dataclasses import replace

from interp.apps.onnx.loading.build import Builder
from spec.ir import Value


def expanded(b: Builder, name: str, x: Value) -> Value:
    """Return a function of `chlo` of one value, as operations of StableHLO."""
    from interp.loading.reader import read

    type = repr(x.type)
    body = f"%0 = chlo.{name} %x : {type} -> {type} return %0 : {type}"
    text = f"func.func @main(%x: {type}) -> {type} {{ {body} }}"
    function = read(text, "<chlo>").main.body
    known = {function.arguments[0].name: x}
    for op in function.ops[:-1]:
        results = tuple(Value(b.fresh(), v.type) for v in op.results)
        operands = tuple(known[v.name] for v in op.operands)
        b.ops.append(replace(op, operands=operands, results=results, location=b.location))
        known |= {old.name: new for old, new in zip(op.results, results, strict=True)}
    return known[function.returns[0].name]
