"""Exporters' quantization as `uniform_quantize` and `uniform_dequantize`: custom calls, composites, casts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.reading.names import RESERVED
from interp.rewrite.inlined import inlined
from spec.ir import Func, Module, Op, Value
from spec.types import ELEMENT_TYPES, QuantizedType, TensorType, integer

FAKE_QUANT = "quant.fake_quant"
SPELLINGS = {
    "odml_torch.uniform_quantize": "stablehlo.uniform_quantize",
    "odml_torch.uniform_dequantize": "stablehlo.uniform_dequantize",
    "quant.qcast": "stablehlo.uniform_quantize",
    "quant.dcast": "stablehlo.uniform_dequantize",
}


def spelled_out(module: Module, entry: Func) -> Module:
    """Return the program without calls, its quantization spelled as StableHLO's own operations."""
    functions = {name: _decomposed(func) for name, func in module.functions.items()}
    flat = inlined(replace(module, functions=functions), functions[entry.name])
    main = flat.main
    body = replace(main.body, ops=tuple(new for op in main.body.ops for new in spelled(op)))
    return replace(flat, functions={**flat.functions, "main": replace(main, body=body)})


def _decomposed(func: Func) -> Func:
    """Return a function whose composites are calls, but for those that quantize."""

    def changed(op: Op) -> Op:
        op = replace(op, regions=tuple(replace(r, ops=tuple(map(changed, r.ops))) for r in op.regions))
        if op.name != "stablehlo.composite" or fake_quant_type(op) is not None:
            return op
        return replace(op, name="func.call", attributes={"callee": op["decomposition"]})

    return replace(func, body=replace(func.body, ops=tuple(map(changed, func.body.ops))))


def spelled(op: Op) -> Iterator[Op]:
    """Yield the operation, or those that quantize as it does."""
    name = op.attributes.get("call_target_name", op.name)
    type = fake_quant_type(op)
    if name in SPELLINGS:
        yield replace(op, name=SPELLINGS[name], attributes={})
    elif type is not None:
        x = op.operands[-1]
        stem = op.result.name.removeprefix("%").replace("#", ".")
        held = Value(f"%stored{RESERVED}{stem}", TensorType(x.type.shape, type))
        yield Op("stablehlo.uniform_quantize", (x,), (held,), location=op.location)
        yield Op("stablehlo.uniform_dequantize", (held,), op.results, location=op.location)
    else:
        yield op


def fake_quant_type(op: Op) -> QuantizedType | None:
    """Return the type that a composite `quant.fake_quant` quantizes to; None if it has no static scale."""
    if op.name != "stablehlo.composite" or op.attributes.get("name") != FAKE_QUANT or len(op.results) != 1:
        return None
    held = repr(op.attributes.get("composite_attributes", ""))
    dtype = re.search(r'dtype = "(u?)i?n?t?(\d+)"', held)
    scales, points = _numbers(held, "scale"), _numbers(held, "zero_point")
    if dtype is None or not scales or len(points) not in (0, 1, len(scales)):
        return None
    element = integer(int(dtype[2]), not dtype[1])
    axis = re.search(r"quantization_dimension = (\d+)", held)
    expressed = op.result.type.tensor_element_type
    return QuantizedType(
        element,
        element.min_value,
        element.max_value,
        expressed,
        tuple(scales),
        tuple(int(p) for p in points) * (len(scales) // len(points)) if points else (0,) * len(scales),
        int(axis[1]) if axis and len(scales) > 1 else None,
    )


def _numbers(held: str, name: str) -> list[float]:
    """Return the numbers of a dense attribute in the text of a dictionary."""
    found = re.search(rf"\b{name} = dense<(\[[^\]]*\]|[^>]*)> : tensor<(\d*)x?(\w+)>", held)
    if found is None:
        return []
    text, size, element = found.groups()
    if text.startswith('"0x'):
        dtype = numpy_dtype(ELEMENT_TYPES[element])
        return np.frombuffer(bytes.fromhex(text[3:-1]), dtype).astype(float).tolist()
    numbers = [float(x) for x in text.strip("[]").split(",") if x.strip()]
    return numbers * int(size or 1) if len(numbers) == 1 else numbers
