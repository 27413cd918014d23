"""A block program held against the oracle, the engine, the compiled run and the evaluator in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

import interp
from interp.backends.dtypes import numpy_dtype
from spec.accumulator import Reading
from spec.integer_reading import has_products, refusal, sums_blocks
from spec.ir import Module
from spec.meaning.evaluate import evaluate as in_oracle
from spec.meaning.index import Tensor
from spec.rules.verify import verify
from spec.types import TensorType
from tests.library.oracles.blocks_by_hand import evaluate
from tests.library.oracles.proofs_checked import around, finite, wrong
from tests.library.strategies.block_programs import BlockProgram


def fault(p: BlockProgram, compiled: bool = False, text: bool = False) -> str:
    """Return what differs from the evaluator in fractions, or "".

    compiled: XLA compiles the program, too. text: the program is printed and read again first.
    """
    if violations := verify(p.module):
        return f"violation: {violations[0]}"
    if text and _types(interp.load(str(p.module))) != _types(p.module):
        return "the program that its text says is another one"
    sums = (has_products(p.op) or sums_blocks(p.op)) and p.op.name != "stablehlo.multiply"
    readings = [False, True] if sums and not refusal(p.op) else [False]
    for integers in readings:
        expected = [_number(x) for x in evaluate(p.op, p.arguments, integers).values()]
        reading = Reading("integer") if integers else Reading()
        tensors = [Tensor(x.type, x_) for x, x_ in zip(p.module.main.inputs, p.flat(), strict=True)]
        runs = {"oracle": in_oracle(p.module, tensors, reading=reading)[0].elements}
        arrays = [_array(x, v.type) for x, v in zip(p.flat(), p.module.main.inputs, strict=True)]
        options: dict[str, Any] = {"reading": "integer"} if integers else {}
        runs["engine"] = _flat(interp.run(p.module, *arrays, **options)[0])
        if compiled and not integers:
            runs["compiled"] = _flat(interp.compile(p.module)(*arrays)[0])
        for name, elements in runs.items():
            if any(x != y and (x == x or y == y) for x, y in zip(elements, expected, strict=True)):
                return f"{name}{' of integers' * integers}: {list(elements)}, not {expected}"
    return ""


def contradiction(p: BlockProgram) -> str:
    """Return what a run shows that contradicts a proof about arguments like these, or ""."""
    arrays = [_array(x, v.type) for x, v in zip(p.flat(), p.module.main.inputs, strict=True)]
    types = [v.type for v in p.module.main.inputs]
    arrays = list(finite(arrays, types))
    ranges = around(arrays, types)
    for reading in ("dequantize", "integer"):
        proof = interp.prove(p.module, ranges, reading=reading)
        if found := wrong(p.module, arrays, ranges, proof, reading=Reading(reading)):
            return f"{reading}: {found[0]}"
    return ""


def _types(module: Module) -> list[TensorType]:
    ops = module.main.body.ops
    return [v.type for op in ops for v in (*module.main.inputs, *op.operands, *op.results)]


def _number(x: Any) -> Any:
    return float(x) if isinstance(x, Fraction) else x


def _array(elements: Sequence[Any], type: TensorType) -> Any:
    return np.array(elements, numpy_dtype(type.storage_type)).reshape(type.shape)


def _flat(x: Any) -> list[Any]:
    flat = np.asarray(x.tolist(), object).ravel().tolist()
    return [v if isinstance(v, int | bool) else float(v) for v in flat]
