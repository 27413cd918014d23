"""A block program held against the oracle, the engine, the compiled run and the evaluator in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

import interp
from interp.backends.dtypes import numpy_dtype
from spec.accumulator import Reading
from spec.integer_reading import has_products, refusal, sums_blocks
from spec.ir import Func, Module, Op, Region, Value
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
    (found,) = faults([p], compiled, text)
    return found


def faults(programs: Sequence[BlockProgram], compiled: bool = False, text: bool = False) -> list[str]:
    """Return what differs for each program, or "". They run as one module, so that XLA compiles once.

    If that is refused, or raises, each runs alone, and an error is what differs.
    """
    try:
        joint = join(programs)
        if text and _types(interp.load(str(joint))) != _types(joint):
            raise ValueError("the program that its text says is another one")
        found = [""] * len(programs)
        for integers in (False, True):
            chosen = [k for k, p in enumerate(programs) if not integers or _sums_integers(p.op)]
            texts = _compare_runs([programs[k] for k in chosen], integers, compiled) if chosen else []
            for k, difference in zip(chosen, texts, strict=True):
                found[k] = found[k] or difference
    except Exception as error:  # a program that some run refuses is a finding, too
        if len(programs) == 1:
            return [f"{type(error).__name__}: {error}"]
        return [fault(p, compiled, text) for p in programs]
    return found


def join(programs: Sequence[BlockProgram]) -> Module:
    """Return one program that takes the arguments of all, and returns the results of all."""
    arguments, ops, returned = list[Value](), list[Op](), list[Value]()
    for k, p in enumerate(programs):
        own = lambda values, k=k: tuple(replace(v, name=f"%p{k}_{v.name[1:]}") for v in values)
        *body, last = p.module.main.body.ops
        arguments += own(p.module.main.inputs)
        ops += [replace(op, operands=own(op.operands), results=own(op.results)) for op in body]
        returned += own(last.operands)
    body = Region(tuple(arguments), (*ops, Op("func.return", tuple(returned), ())))
    return Module({"main": Func("main", body, tuple(v.type for v in returned))})


def _sums_integers(op: Op) -> bool:
    """Return whether an operation is a contraction that the integer reading computes."""
    sums = (has_products(op) or sums_blocks(op)) and op.name != "stablehlo.multiply"
    return sums and not refusal(op)


def _compare_runs(programs: Sequence[BlockProgram], integers: bool, compiled: bool) -> list[str]:
    """Return which run of each program gives other elements than the evaluator in fractions, or ""."""
    module = join(programs)
    if violations := verify(module):
        raise violations[0]
    flat = [x for p in programs for x in p.flat()]
    tensors = [Tensor(x.type, x_) for x, x_ in zip(module.main.inputs, flat, strict=True)]
    arrays = [_array(x, v.type) for x, v in zip(flat, module.main.inputs, strict=True)]
    reading = "integer" if integers else "dequantize"
    runs = {
        "oracle": [x.elements for x in in_oracle(module, tensors, reading=Reading(reading))],
        "engine": [_flat(x) for x in interp.run(module, *arrays, reading=reading)],
    }
    if compiled:
        runs["compiled"] = [_flat(x) for x in interp.compile(module, reading=reading)(*arrays)]
    found = []
    for k, p in enumerate(programs):
        expected = [_number(x) for x in evaluate(p.op, p.arguments, integers).values()]
        wrong = (name for name in runs if _differ(runs[name][k], expected))
        found.append(next((f"{x}, reading {reading}: {list(runs[x][k])}, not {expected}" for x in wrong), ""))
    return found


def _differ(elements: Sequence[Any], expected: Sequence[Any]) -> bool:
    return any(x != y and (x == x or y == y) for x, y in zip(elements, expected, strict=True))


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
