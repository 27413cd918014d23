"""Cases of single operations: programs from short signatures, results by exact arithmetic and the oracle."""

from __future__ import annotations

import random
import textwrap
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cases.drafts import REASON, Stored, array, dense, flat, module
from cases.exact.contractions import INEXACT
from cases.exact.evaluate import evaluate as exactly
from cases.mistakes import MISTAKES
from interp.suite.cases import same
from spec.evaluate import evaluate
from spec.index import Tensor
from spec.ir import Func, Module, Op, Region, Value
from spec.types import QuantizedType, TensorType, parse_type

REDUCTIONS = "stablehlo.reduce", "stablehlo.reduce_window", "stablehlo.select_and_scatter"


class Operation(NamedTuple):
    """A case to be written to testdata/<family>/<name>.mlir.

    `text` is the program, `args` nested lists of stored elements. `mistakes` are names of `MISTAKES`, of
    which those are listed that give another result; at least one has to, if there are any.
    """

    family: str
    name: str
    clause: str
    why: str
    text: str
    args: Sequence[Any]
    mistakes: Sequence[str] = ()
    mode: str = ""


def types(text: str) -> list[TensorType]:
    """`2x3xi8; f32` as types of tensors."""
    return [parse_type(f"tensor<{word.strip()}>") for word in text.split(";") if word.strip()]


def op(name: str, signature: str, regions: Sequence[Region] = (), **attributes: Any) -> Op:
    """`op("add", "2xf32; 2xf32 -> 2xf32")`"""
    operands, results = (types(side) for side in signature.split("->"))
    values = tuple(Value(f"%arg{i}", type) for i, type in enumerate(operands))
    outputs = tuple(Value(f"%r{i}", type) for i, type in enumerate(results))
    return Op(name if "." in name else f"stablehlo.{name}", values, outputs, attributes, tuple(regions))


def program(operation: Op) -> str:
    """The text of a main function around one operation on its arguments."""
    code = Region(operation.operands, (operation, Op("func.return", operation.results, ())))
    main = Func("main", code, tuple(v.type for v in operation.results))
    return f"{Module({'main': main})!r}\n"


def edges(type: TensorType) -> list[Any]:
    """Values at which implementations go wrong: zeros, ones, bounds and their neighbours, specials."""
    storage, E = type.storage_type, type.element_type
    if storage.kind == "boolean":
        return [False, True]
    if storage.kind == "float":
        return list(FLOATS[storage.name])
    if storage.kind == "complex":
        return [1 + 2j, -3 + 0.5j, 0j, 1j, complex(-2, -0.0), 4 - 3j, complex(INF, 1), complex(0.0, -1)]
    low, high = storage.min_value, storage.max_value
    if isinstance(E, QuantizedType):
        low, high = E.storage_min, E.storage_max
    bits = storage.bits
    wanted = (low, low + 1, -7, -3, -2, -1, 0, 1, 2, 3, 7, bits - 1, bits, high - 1, high)
    return sorted({x for x in wanted if low <= x <= high})


INF, NAN = float("inf"), float("nan")
_COMMON = (0.0, -0.0, 1.0, -1.5, 2.5, -0.5, 3.0, INF, -INF, NAN)
FLOATS = {
    "f32": (*_COMMON, 0.1, 16777217.0, 3.4028234663852886e38, -1e-30, 7.25),
    "f64": (*_COMMON, 0.1, 9007199254740993.0, 1e200, -1e-90, 7.25),
    "f16": (*_COMMON, 0.1, 2049.0, 65504.0, -6e-8, 7.25),
    "bf16": (*_COMMON, 0.1, 257.0, 3.3895313892515355e38, -1e-30, 7.25),
    "f8E4M3FN": (0.0, -0.0, 1.0, -1.5, 2.5, 448.0, -448.0, 0.0625, NAN, 17.0),
    "f8E5M2": (0.0, -0.0, 1.0, -1.5, 2.5, 57344.0, -3.5, INF, -INF, NAN),
}


def pairs(type: TensorType) -> tuple[list[Any], list[Any]]:
    """Every pair of edges, as two flat lists."""
    values = edges(type)
    return [a for a in values for _ in values], [b for _ in values for b in values]


def drawn(name: str, type: TensorType, spread: int = 0) -> list[Any]:
    """Elements drawn from a seed that the name is: small numbers, or any of an integer type."""
    rng = random.Random(zlib.crc32(name.encode()))
    storage, E = type.storage_type, type.element_type
    if storage.kind == "boolean":
        return [rng.random() < 0.5 for _ in range(type.size)]
    if storage.kind == "float":
        return [rng.randint(-24, 24) / 4 for _ in range(type.size)]
    if storage.kind == "complex":
        return [complex(rng.randint(-4, 4), rng.randint(-4, 4)) for _ in range(type.size)]
    low, high = storage.min_value, storage.max_value
    if isinstance(E, QuantizedType):
        low, high = E.storage_min, E.storage_max
    if spread:
        centre = E.zero_points[0] if isinstance(E, QuantizedType) else 0
        low, high = max(low, centre - spread), min(high, centre + spread)
    return [rng.randint(low, high) for _ in range(type.size)]


def shaped(values: Sequence[Any], type: TensorType) -> np.ndarray:
    """A flat list of elements, or nested lists, as elements of the type."""
    if len(values) == type.size and not any(isinstance(v, list) for v in values):
        nested = np.empty(type.size, object)
        nested[:] = list(values)
        return nested.reshape(type.shape)
    return np.array(values, object)


def written(operation: Operation) -> str:
    """The text of the case's file: both derivations have to agree."""
    m = module(operation.text, "stablehlo")
    inputs, results = [v.type for v in m.main.inputs], m.main.results
    given = [x if isinstance(x, list) else [x] for x in operation.args]
    args: Stored = tuple(flat(shaped(x, t), t) for x, t in zip(given, inputs, strict=True))
    expect = oracle(m, args)
    INEXACT.clear()
    again = exactly(m, [array(x, t) for x, t in zip(args, inputs, strict=True)])
    for x, y, t in zip(expect, again, results, strict=True):
        assert same(array(x, t), y), f"{operation.family}/{operation.name}: oracle {x}, exactly {y.ravel()}"
    wrong: dict[str, list[str]] = {}
    joined = "; ".join(map(dense, expect, results))
    for name in operation.mistakes:
        with MISTAKES[name]():
            answer = "; ".join(map(dense, oracle(m, args), results))
        if answer != joined:
            wrong.setdefault(answer, []).append(name)
    assert wrong or not operation.mistakes, f"{operation.family}/{operation.name}: no mistake shows"
    head = [f"clause: {operation.clause}", *textwrap.wrap(operation.why, 106), f"derivation: {REASON}"]
    head += [f"mode: {operation.mode}"] if operation.mode else []
    if not INEXACT and not any(o.name in REDUCTIONS for o in m.ops()):
        head += ["schedules: any"]
    head += [f"args: {dense(x, t)}" for x, t in zip(args, inputs, strict=True)]
    head += [f"expect: {dense(x, t)}" for x, t in zip(expect, results, strict=True)]
    head += [f"wrong ({'; '.join(names)}): {answer}" for answer, names in wrong.items()]
    return "".join(f"// {line}\n" for line in head) + operation.text


def oracle(m: Module, args: Stored) -> Stored:
    tensors = [Tensor(v.type, x) for v, x in zip(m.main.inputs, args, strict=True)]
    return tuple(x.elements for x in evaluate(m, tensors))
