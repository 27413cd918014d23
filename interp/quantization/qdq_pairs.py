"""Exporters' quantization as `uniform_quantize` and `uniform_dequantize`: custom calls, composites, casts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from interp.backends.dtypes import numpy_dtype
from interp.quantization.arithmetic_qdq import arithmetic_raised
from interp.quantization.constants import constants_of
from interp.quantization.writer import used
from interp.reading.names import RESERVED
from interp.rewrite.inlined import inlined
from spec.ir import Dense, Func, Module, Op, Region, Value
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
    constants = constants_of(main.body)
    body = replace(main.body, ops=tuple(new for op in main.body.ops for new in spelled(op, flat, constants)))
    return replace(flat, functions={**flat.functions, "main": replace(main, body=body)})


def _decomposed(func: Func) -> Func:
    """Return a function whose composites are calls, but for those that quantize."""

    def changed(op: Op) -> Op:
        op = replace(op, regions=tuple(replace(r, ops=tuple(map(changed, r.ops))) for r in op.regions))
        if op.name != "stablehlo.composite" or fake_quant_type(op) is not None:
            return op
        return replace(op, name="func.call", attributes={"callee": op["decomposition"]})

    return replace(func, body=replace(func.body, ops=tuple(map(changed, func.body.ops))))


def spelled(op: Op, module: Module, constants: Mapping[str, np.ndarray]) -> Iterator[Op]:
    """Yield the operation, or those that quantize as it does."""
    name = op.attributes.get("call_target_name", op.name)
    if name in SPELLINGS:
        yield replace(op, name=SPELLINGS[name], attributes={})
        return
    type = fake_quant_type(op)
    if type is None:
        yield op
        return
    type = decomposed_type(op, module, constants) or type
    x, stem = op.operands[-1], op.result.name.removeprefix("%").replace("#", ".")
    held = Value(f"%stored{RESERVED}{stem}", TensorType(x.type.shape, type))
    yield Op("stablehlo.uniform_quantize", (x,), (held,), location=op.location)
    yield Op("stablehlo.uniform_dequantize", (held,), op.results, location=op.location)


def decomposed_type(op: Op, module: Module, constants: Mapping[str, np.ndarray]) -> QuantizedType | None:
    """Return the type that a composite's decomposition quantizes to, if it is arithmetic that is recognized.

    The decomposition is what the composite means: Qwix's names a narrow range and does not clamp to it.
    """
    func = inlined(module, module[op["decomposition"].name]).main
    given = list(zip(func.inputs, op.operands, strict=True))
    known = [(v, constants[x.name]) for v, x in given[:-1] if x.name in constants]
    written = [
        Op("stablehlo.constant", (), (v,), {"value": Dense(v.type, np.ascontiguousarray(x).tobytes())})
        for v, x in known
    ]
    region, _ = arithmetic_raised(Region(func.inputs[-1:], (*written, *func.body.ops)))
    found = [each.result.type for each in used(region.ops) if each.name == "stablehlo.uniform_quantize"]
    return found[0].quantized_element_type if len(found) == 1 else None


def fake_quant_type(op: Op) -> QuantizedType | None:
    """Return the type that a composite `quant.fake_quant` names; None if it has no static scale."""
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
        element.min_value + ("narrow_range = true" in held),
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
