"""Further models of one operator of LiteRT each; new ones stand behind the others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from litert_cases import (
    ALL,
    Case,
    Draw,
    constant,
    contractions,
    convolution,
    elementwise,
    movement,
    parameters,
    reductions,
    scalar,
)

from interp.apps.runtimes.litert_model import Operator, Slot, Sparse


def later(d: Draw) -> Iterator[Case]:
    """Yield what came later; new cases stand behind the others, whose trials stay what they are."""
    values = {"axis": 1}
    parts = [
        d.slot("uint8", (4 * d.rows, n), of=of)
        for n, of in ((3, (0.04, 120)), (5, (0.07, 100)), (2, (0.01, 3)))
    ]
    operator = Operator("CONCATENATION", "ConcatenationOptions", values, 2)
    yield Case(operator, parts, [d.slot("uint8", (4 * d.rows, 10))])
    at = Slot("int32", (3, 2), data=np.array([[0, 4], [3, 3], [2, 1]], np.int32))
    for dtype in ALL:
        for axis, before in ((1, ()), (2, (2,))):
            operator = Operator("GATHER", "GatherOptions", {"axis": axis, "batchDims": 1}, 5)
            shapes = [(3, *before, 5, 4 * d.rows), (3, *before, 2, 4 * d.rows)]
            yield Case(operator, [d.slot(dtype, shapes[0]), at], [d.slot(dtype, shapes[1])])
    for dtype, by in (("int8", 6.0), ("int16", 14.0), ("float32", 1.0)):
        for axes, out in (((1,), (9 * d.rows, 4)), ((0, 2), (3,)), ((-1,), (9 * d.rows, 3))):
            shape = (2, 3, 4) if len(axes) > 1 else (9 * d.rows, 3, 4)
            operator = Operator("REDUCE_PROD", "ReducerOptions", {}, 2)
            yield Case(operator, [d.slot(dtype, shape), constant(*axes)], [d.slot(dtype, out, by)])


def functions(d: Draw) -> Iterator[Case]:
    """Yield functions of rows, tables of 16 bits, and hybrid contractions that quantize symmetrically."""
    for dtype, of in (("int8", (1 / 128, 0)), ("uint8", (1 / 128, 128)), ("float32", None)):
        for size in (7, 40):
            shape = (10 * d.rows, size)
            operator = Operator("L2_NORMALIZATION", "L2NormOptions", {}, 2)
            yield Case(operator, [d.slot(dtype, shape)], [d.slot(dtype, shape, of=of)])
    for dtype, of in (("int8", (1 / 16, 127)), ("float32", None)):
        for size, by in ((10, 1.0), (40, 3.0), (300, 0.2), (2, 0.2)):
            shape = (5 * d.rows, size)
            operator = Operator("LOG_SOFTMAX", "LogSoftmaxOptions", {}, 2)
            yield Case(operator, [d.slot(dtype, shape, by)], [d.slot(dtype, shape, of=of)])
    shape = (400 * d.rows,)
    for name, values, by, of in (
        ("GELU", {}, 5, 5),
        ("GELU", {"approximate": True}, 5, 5),
        ("EXP", {}, 0.2, 2.0),
        ("LOG", {}, 1.0, 0.4),
        ("RSQRT", {}, 1.0, 2.0),
    ):
        options = {"GELU": "GeluOptions", "EXP": "ExpOptions"}.get(name, "")
        for dtype in ("int16", "float32") if name == "GELU" else ("int16",):
            operator = Operator(name, options, values, 2 if dtype == "int16" else 1)
            yield Case(operator, [d.slot(dtype, shape, by)], [d.slot(dtype, shape, of)])
    operator = Operator("RSQRT", "", {}, 2)
    yield Case(operator, [d.slot("int8", shape)], [d.slot("int8", shape, 0.5)])
    for stride, act in ((1, 0), (2, 3)):
        yield convolution(d, "CONV_2D", "hybrid", False, 0, stride, 1, act)
    weights, bias = parameters(d, "hybrid", (6, 40), 0, False, 6)
    operator = Operator("FULLY_CONNECTED", "FullyConnectedOptions", {}, 3)
    results = [d.slot("float32", (9 * d.rows, 6))]
    yield Case(operator, [d.slot("float32", (9 * d.rows, 40)), weights, bias], results)


def sparse(d: Draw) -> Iterator[Case]:
    """Yield constants that are made dense: by rows, and in blocks."""
    rows = 4 * d.rows
    for blocks in (False, True):
        high, wide = (2, 3) if blocks else (1, 1)
        is_there = d.rng.random((rows, 5)) < 0.4
        ends, columns = np.append(0, np.cumsum(is_there.sum(1))), np.nonzero(is_there)[1]
        levels: list[Any] = [rows, (ends.tolist(), columns.tolist()), *((high, wide) if blocks else ())]
        layout = Sparse([0, 1, 2, 3] if blocks else [0, 1], [0, 1] if blocks else [], levels)
        for dtype in ("int8", "float32"):
            data = d.rng.integers(-127, 128, int(ends[-1]) * high * wide)
            shape = (rows * high, 5 * wide)
            constant_ = d.slot(dtype, shape, data=data)._replace(sparsity=layout)
            yield Case(Operator("DENSIFY"), [constant_], [d.slot(dtype, shape)])


def orders(d: Draw) -> Iterator[Case]:
    """Yield running sums, and the largest elements of rows."""
    shape = (3 * d.rows, 5, 4)
    for dtype in ("float32", "int32"):
        for values in ({}, {"exclusive": True}, {"reverse": True}, {"exclusive": True, "reverse": True}):
            operator = Operator("CUMSUM", "CumsumOptions", values, 1)
            yield Case(operator, [d.slot(dtype, shape), constant(-2)], [d.slot(dtype, shape)])
    for dtype in ALL:
        results = [d.slot(dtype, (10 * d.rows, 7)), Slot("int32", (10 * d.rows, 7))]
        operator = Operator("TOPK_V2", "TopKV2Options", {}, 3 if dtype == "int16" else 2)
        yield Case(operator, [d.slot(dtype, (10 * d.rows, 19)), scalar(7)], results)


def plain(d: Draw) -> Iterator[Case]:
    """Yield operators of floats, booleans and 32 bits, and more movement."""
    r, n = d.rows, 40 * d.rows
    s = lambda dtype, *shape, by=1.0, data=None: d.slot(dtype, shape, by, data)
    for name in ("SQRT", "SIN", "COS", "NEG", "SQUARE", "FLOOR"):
        yield Case(Operator(name, "", {}, 1), [s("float32", n)], [s("float32", n)])
    for name, options in (("DIV", "DivOptions"), ("FLOOR_DIV", "")):
        yield Case(Operator(name, options), [s("float32", n, 3), s("float32", 3)], [s("float32", n, 3)])
    for dtype in ALL:
        if dtype != "int16":
            yield Case(Operator("RELU_N1_TO_1"), [s(dtype, n)], [s(dtype, n)])
        for name in ("SELECT", "SELECT_V2"):
            operands = [s("bool", n, 3), s(dtype, n, 3), s(dtype, n, 3)]
            yield Case(Operator(name, "", {}, 2 if name == "SELECT" else 1), operands, [s(dtype, n, 3)])
        pads = Slot("int32", (2, 2), data=np.array([[1, 2], [0, 3]]))
        point = s(dtype, data=np.array(3))
        yield Case(Operator("PADV2", "", {}, 2), [s(dtype, n, 3), pads, point], [s(dtype, n + 3, 6)])
        yield Case(Operator("TILE", "", {}, 2), [s(dtype, n, 3), constant(1, 2)], [s(dtype, n, 6)])
        yield Case(Operator("BROADCAST_TO", "", {}, 2), [s(dtype, n, 1), constant(n, 5)], [s(dtype, n, 5)])
        blocks = {"blockSize": 2}
        if dtype != "int16":
            for name, title, shapes in (
                ("SPACE_TO_DEPTH", "SpaceToDepth", ((r, 4, 6, 3), (r, 2, 3, 12))),
                ("DEPTH_TO_SPACE", "DepthToSpace", ((r, 2, 3, 12), (r, 4, 6, 3))),
            ):
                operands = [s(dtype, *shapes[0])]
                yield Case(Operator(name, f"{title}Options", blocks), operands, [s(dtype, *shapes[1])])
            yield Case(
                Operator("ARG_MIN", "ArgMinOptions", {"outputType": 2}, 2),
                [s(dtype, n, 9), constant(1)],
                [Slot("int32", (n,))],
            )
    yield Case(Operator("POW"), [s("float32", n), s("float32", n)], [s("float32", n)])
    yield Case(Operator("SIGN"), [s("float32", n)], [s("float32", n)])
    yield Case(Operator("ADD_N"), [s("float32", n)] * 3, [s("float32", n)])
    for dtype in ("int8", "uint8", "float32"):
        yield Case(Operator("RELU_0_TO_1"), [s(dtype, n)], [s(dtype, n)])
        at = Slot("int32", (2, 2), data=np.array([[0, 2], [1, 0]], np.int32))
        yield Case(Operator("GATHER_ND", "", {}, 5), [s(dtype, 2, 3, n), at], [s(dtype, 2, n)])
        operands = [s(dtype, n, 6), s(dtype, n, 2), constant(0, 5)]
        yield Case(Operator("DYNAMIC_UPDATE_SLICE", "", {}, 2), operands, [s(dtype, n, 6)])
    for name in ("LOGICAL_AND", "LOGICAL_OR"):
        yield Case(Operator(name), [s("bool", n, 3), s("bool", 3)], [s("bool", n, 3)])
    yield Case(Operator("LOGICAL_NOT"), [s("bool", n)], [s("bool", n)])
    for name in ("REDUCE_ANY", "REDUCE_ALL"):
        yield Case(Operator(name, "ReducerOptions"), [s("bool", n, 3), constant(1)], [s("bool", n)])
    for name, title in (("ADD", "Add"), ("SUB", "Sub"), ("MUL", "Mul")):
        yield Case(Operator(name, f"{title}Options"), [s("int32", n, 3), s("int32", 3)], [s("int32", n, 3)])
    for name in ("SUM", "REDUCE_MAX", "MEAN"):
        yield Case(Operator(name, "ReducerOptions"), [s("int32", n, 3), constant(1)], [s("int32", n)])
    for source, target in (
        ("float32", "int32"),
        ("int32", "float32"),
        ("bool", "float32"),
        ("int32", "int64"),
    ):
        yield Case(Operator("CAST"), [s(source, n)], [s(target, n)])
    yield Case(
        Operator("BATCH_MATMUL", "BatchMatMulOptions", {"adjX": True}),
        [s("float32", r, 5, 4), s("float32", 1, 5, 6)],
        [s("float32", r, 4, 6)],
    )


def recurrent(d: Draw) -> Iterator[Case]:
    """Yield LSTM of i8: plain, and with what they may have besides."""
    for exponent in (-15, -12, -16):
        yield lstm(d, "", exponent, 0.0)
    for clips in (0.3, 0.0):
        yield lstm(d, "peepholes, no input gate", -11, clips)
        yield lstm(d, "peepholes, norms", -11, clips)
        yield lstm(d, "norms, projection", -11, clips)


def lstm(d: Draw, has: str, exponent: int, clips: float) -> Case:
    rows, steps, size, units = 2 * d.rows, 5, 6, 7
    outputs = 4 if "projection" in has else units
    scale = lambda: float(np.float32(d.rng.uniform(0.005, 0.02)))
    weights = lambda *shape: Slot("int8", shape, [scale()], [0], data=d.rng.integers(-127, 128, shape))
    wide = lambda most: Slot("int16", (units,), [scale() / 100], [0], data=d.rng.integers(-most, most, units))
    bias = lambda count: Slot("int32", (count,), [1e-4], [0], data=d.rng.integers(-3000, 3000, count))
    gates = [None if k == 0 and "no input gate" in has else k for k in range(4)]
    operands: list[Slot | None] = [d.slot("int8", (rows, steps, size))]
    operands += [None if k is None else weights(units, size) for k in gates]
    operands += [None if k is None else weights(units, outputs) for k in gates]
    operands += [None if k is None or "peepholes" not in has else wide(9000) for k in gates[:3]]
    operands += [None if k is None else bias(units) for k in gates]
    projected = "projection" in has
    operands += [weights(outputs, units) if projected else None, bias(outputs) if projected else None]
    of = (0.005, int(d.rng.integers(-20, 20)))
    hidden = Slot("int8", (1,), [0.004], [int(d.rng.integers(-20, 20)) if projected else of[1]])
    operands += [d.slot("int8", (rows, outputs), of=of)._replace(is_variable=True)]
    operands += [Slot("int16", (rows, units), [2.0**exponent], [0], is_variable=True)]
    operands += [None if k is None or "norms" not in has else wide(30000) for k in gates]
    between = [Slot("int16", (1,), [scale() / 50], [0]) for _ in range(4)]
    values = {"fusedActivationFunction": 4, "cellClip": clips, "projClip": clips}
    operator = Operator("UNIDIRECTIONAL_SEQUENCE_LSTM", "UnidirectionalSequenceLSTMOptions", values, 3)
    return Case(operator, operands, [d.slot("int8", (rows, steps, outputs), of=of)], [*between, hidden])


FAMILIES = (
    contractions,
    elementwise,
    reductions,
    movement,
    later,
    functions,
    sparse,
    recurrent,
    orders,
    plain,
)
RARE = 313  # cases before those of `later`
