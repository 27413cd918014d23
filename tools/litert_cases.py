"""Models of one operator of LiteRT each, which `tools/litert_operators.py` runs on random elements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from interp.apps.runtimes.litert_model import Node as GraphNode
from interp.apps.runtimes.litert_model import Operator, Slot, Subgraph, model

SCALES = {"int8": 0.05, "uint8": 0.04, "int16": 0.0007}
POINTS = {"int8": 3, "uint8": 120, "int16": 0}
QUANTIZED = tuple(SCALES)
ALL = (*QUANTIZED, "float32")
TABLES = {"TANH": (1 / 128, 0), "LOGISTIC": (1 / 256, -128), "SOFTMAX": (1 / 256, -128)}
LARGEST = 1 << 22  # elements of an operand
# Operators of floats that call functions of the C library, which differ from one to the next.
LIBRARY = "TANH LOGISTIC SOFTMAX EXP LOG LOG_SOFTMAX GELU ELU SIN COS POW".split()


class Draw(NamedTuple):
    """What differs from one trial of a case to the next: scales, zero points, and the number of rows.

    rows: by what the first dimension of operands is multiplied.
    """

    rng: np.random.Generator
    scales: Mapping[str, float] = SCALES
    points: Mapping[str, int] = POINTS
    rows: int = 1

    def slot(
        self, dtype: str, shape: Sequence[int], by: float = 1.0, data: Any = None, of: Any = None
    ) -> Slot:
        """Return a tensor with the usual scale times `by`, or with the pair `of`."""
        if dtype not in self.scales:
            return Slot(dtype, shape, data=None if data is None else np.asarray(data))
        scale, point = of or (self.scales[dtype] * by, self.points[dtype])
        return Slot(dtype, shape, [scale], [point], data=None if data is None else np.asarray(data))


def draw(seed: Sequence[int], rows: int, is_usual: bool) -> Draw:
    """Return the usual scales and zero points, or random ones."""
    rng = np.random.default_rng(seed)
    if is_usual:
        return Draw(rng, rows=rows)
    scales = {dtype: float(scale * 2 ** rng.uniform(-1.5, 1.5)) for dtype, scale in SCALES.items()}
    points = {"int8": int(rng.integers(-128, 128)), "uint8": int(rng.integers(256)), "int16": 0}
    return Draw(rng, scales, points, rows)


class Case(NamedTuple):
    """A model of one operator: its operands and results, and tensors of which it only has the scales."""

    operator: Operator
    operands: Sequence[Slot | None]
    results: Sequence[Slot]
    between: Sequence[Slot] = ()

    @property
    def fed(self) -> list[Slot]:
        """The operands that are arguments of the model."""
        return [slot for slot in self.operands if slot and slot.data is None and not slot.is_variable]

    @property
    def title(self) -> str:
        shown = {k: v for k, v in self.operator.values.items() if v}
        types = "-".join(slot.dtype for slot in self.operands[:2] if slot)
        return f"{self.operator.name} {types} {shown or ''}".strip()

    @property
    def types(self) -> str:
        """The types of the first operands, each once."""
        held = [slot.dtype for slot in self.operands if slot and (slot.data is None or slot.scales)]
        return " by ".join(dict.fromkeys(held))

    @property
    def content(self) -> bytes:
        known = [slot for slot in self.operands if slot is not None]
        places = iter(range(len(known)))
        inputs = [-1 if slot is None else next(places) for slot in self.operands]
        outputs = list(range(len(known), len(known) + len(self.results)))
        fed = [k for k, slot in enumerate(known) if slot.data is None and not slot.is_variable]
        slots = [*known, *self.results, *self.between]
        node = GraphNode(self.operator, inputs, outputs, list(range(len(slots)))[len(known) + len(outputs) :])
        return model(Subgraph(slots, [node], fed, outputs))


def constant(*numbers: int) -> Slot:
    return Slot("int32", np.shape(numbers), data=np.array(numbers, np.int32))


def scalar(number: int) -> Slot:
    return Slot("int32", (), data=np.array(number, np.int32))


def unit(name: str, dtype: str) -> tuple[float, int] | None:
    """Return the scale and zero point that LiteRT wants of a function's results."""
    if name not in TABLES or dtype == "float32":
        return None
    scale, point = TABLES[name]
    return (1 / 32768, 0) if dtype == "int16" else (scale, point + 128 * (dtype == "uint8"))


def contractions(d: Draw) -> Iterator[Case]:
    for dtype in (*ALL, "hybrid"):
        for per_channel in (True, False):
            if (dtype in ("uint8", "float32") and per_channel) or (dtype == "hybrid" and not per_channel):
                continue
            yield fully_connected(d, dtype, per_channel)
            for name in ("CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV"):
                for padding, stride, dilation, act in ((0, 1, 1, 0), (1, 2, 1, 3), (0, 1, 2, 1)):
                    if name == "TRANSPOSE_CONV" and (dtype == "hybrid" or dilation > 1):
                        continue
                    yield convolution(d, name, dtype, per_channel, padding, stride, dilation, act)
    for adj in (False, True):
        operands = [d.slot("int8", (2 * d.rows, 4, 5)), d.slot("int8", (1, 6, 5) if adj else (1, 5, 6), 0.3)]
        operator = Operator("BATCH_MATMUL", "BatchMatMulOptions", {"adjY": adj}, 2)
        yield Case(operator, operands, [d.slot("int8", (2 * d.rows, 4, 6), 1.9)])


def parameters(
    d: Draw, dtype: str, shape: Sequence[int], axis: int, per_channel: bool, outputs: int
) -> tuple[Slot, Slot]:
    """Return weights and a bias."""
    count = outputs if per_channel else 1
    scales = np.float32(d.rng.uniform(0.001, 0.02, count))
    if dtype == "float32":
        weights = Slot(dtype, shape, data=d.rng.standard_normal(shape).astype(np.float32))
    else:
        held = "uint8" if dtype == "uint8" else "int8"
        low, high, point = (0, 255, 131) if held == "uint8" else (-127, 127, 0)
        data = d.rng.integers(low, high, shape, endpoint=True)
        weights = Slot(held, shape, scales.tolist(), [point] * count, axis, data)
    if dtype in ("float32", "hybrid"):
        return weights, Slot("float32", (outputs,), data=d.rng.standard_normal(outputs))
    kind = "int64" if dtype == "int16" else "int32"
    of_bias = (np.float32(d.scales[dtype]) * scales).tolist()
    return weights, Slot(kind, (outputs,), of_bias, [0] * count, 0, d.rng.integers(-3000, 3000, outputs))


def fully_connected(d: Draw, dtype: str, per_channel: bool) -> Case:
    weights, bias = parameters(d, dtype, (6, 40), 0, per_channel, 6)
    held = "float32" if dtype == "hybrid" else dtype
    values = {"asymmetricQuantizeInputs": dtype == "hybrid", "fusedActivationFunction": 1}
    operator = Operator("FULLY_CONNECTED", "FullyConnectedOptions", values, 12 if dtype == "hybrid" else 4)
    return Case(operator, [d.slot(held, (9 * d.rows, 40)), weights, bias], [d.slot(held, (9 * d.rows, 6), 6)])


def convolution(
    d: Draw,
    name: str,
    dtype: str,
    per_channel: bool,
    padding: int,
    stride: int,
    dilation: int,
    act: int,
) -> Case:
    size, kernel, channels = (7, 6), (3, 2), 3
    outputs = 6 if name == "DEPTHWISE_CONV_2D" else 4
    shape = (1, *kernel, outputs) if name == "DEPTHWISE_CONV_2D" else (outputs, *kernel, channels)
    axis = 3 if name == "DEPTHWISE_CONV_2D" else 0
    weights, bias = parameters(d, dtype, shape, axis, per_channel, outputs)
    pairs = list(zip(size, kernel, strict=True))
    if name == "TRANSPOSE_CONV":
        out = [n * stride if padding == 0 else n * stride + max(k - stride, 0) for n, k in pairs]
    else:
        out = [-(-(n - (0 if padding == 0 else (k - 1) * dilation)) // stride) for n, k in pairs]
    values: dict[str, Any] = {"padding": padding, "strideW": stride, "strideH": stride}
    values["fusedActivationFunction"] = act
    if name != "TRANSPOSE_CONV":
        values |= {"dilationWFactor": dilation, "dilationHFactor": dilation}
    if name == "DEPTHWISE_CONV_2D":
        values["depthMultiplier"] = outputs // channels
    if name == "CONV_2D" and dtype == "int16":
        values["quantizedBiasType"] = 4
    held = "float32" if dtype == "hybrid" else dtype
    x, y = d.slot(held, (2 * d.rows, *size, channels)), d.slot(held, (2 * d.rows, *out, outputs), 2.3)
    version = {"CONV_2D": 5, "DEPTHWISE_CONV_2D": 6}.get(name, 3) if dtype == "hybrid" else 3
    title = {"CONV_2D": "Conv2D", "DEPTHWISE_CONV_2D": "DepthwiseConv2D", "TRANSPOSE_CONV": "TransposeConv"}
    operands = [x, weights, bias]
    if name == "TRANSPOSE_CONV":
        operands = [constant(2 * d.rows, *out, outputs), weights, x, bias]
    return Case(Operator(name, f"{title[name]}Options", values, version), operands, [y])


def elementwise(d: Draw) -> Iterator[Case]:
    shape = (2 * d.rows, 3, 50)
    for dtype in ALL:
        for name, act in (("ADD", 0), ("SUB", 1), ("MUL", 3)):
            values: dict[str, Any] = {"fusedActivationFunction": act}
            values |= {} if name == "MUL" else {"potScaleInt16": False}
            by = 3 if name != "MUL" else 20 if dtype == "int16" else 0.3
            operator = Operator(name, f"{name.title()}Options", values, 3)
            yield Case(
                operator, [d.slot(dtype, shape), d.slot(dtype, (3, 1), 1.3)], [d.slot(dtype, shape, by)]
            )
        for name in ("MAXIMUM", "MINIMUM"):
            operator = Operator(name, "MaximumMinimumOptions", {}, 3)
            yield Case(operator, [d.slot(dtype, shape), d.slot(dtype, shape)], [d.slot(dtype, shape)])
        for name in ("EQUAL", "LESS", "GREATER_EQUAL"):
            operator = Operator(name, f"{name.title().replace('_', '')}Options", {}, 2)
            yield Case(operator, [d.slot(dtype, shape), d.slot(dtype, shape, 1.3)], [Slot("bool", shape)])
        for name, version, values in (
            ("RELU", 2, {}),
            ("RELU6", 2, {}),
            ("TANH", 3, {}),
            ("LOGISTIC", 3, {}),
            ("LEAKY_RELU", 2, {"alpha": 0.3}),
            ("HARD_SWISH", 1, {}),
            ("ABS", 2, {}),
            ("GELU", 1, {}),
            ("GELU", 1, {"approximate": True}),
            ("EXP", 1, {}),
            ("LOG", 1, {}),
        ):
            absent = {
                "int16": ("HARD_SWISH", "GELU", "EXP", "LOG"),
                "uint8": ("ABS", "EXP", "LOG"),
                "float32": ("GELU",),
            }
            if name in absent.get(dtype, ()):
                continue
            options = {"LEAKY_RELU": "LeakyReluOptions", "GELU": "GeluOptions", "EXP": "ExpOptions"}
            options |= {"ABS": "AbsOptions"}
            operator = Operator(name, options.get(name, ""), values, version)
            result = d.slot(dtype, (400 * d.rows,), 1.7, of=unit(name, dtype))
            yield Case(operator, [d.slot(dtype, (400 * d.rows,))], [result])
    for dtype in ("int8", "float32"):
        operator = Operator("SQUARED_DIFFERENCE", "SquaredDifferenceOptions", {}, 2)
        yield Case(operator, [d.slot(dtype, shape), d.slot(dtype, shape, 1.3)], [d.slot(dtype, shape, 30)])
    for dtype in ("int8", "uint8", "float32"):
        yield Case(
            Operator("PRELU"), [d.slot(dtype, shape), d.slot(dtype, (50,), 0.3)], [d.slot(dtype, shape, 1.2)]
        )
    for source in ALL:
        for target in QUANTIZED:
            if source == "int16" and target == "uint8":
                continue
            operator = Operator("QUANTIZE", "QuantizeOptions", {}, 2)
            yield Case(operator, [d.slot(source, shape)], [d.slot(target, shape, 1.7)])
    for source in (*QUANTIZED, "float16"):
        operator = Operator("DEQUANTIZE", "DequantizeOptions", {}, 3)
        yield Case(operator, [d.slot(source, shape)], [d.slot("float32", shape)])


def reductions(d: Draw) -> Iterator[Case]:
    shape = (2 * d.rows, 5, 6, 7)
    for dtype in ALL:
        for name in ("MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"):
            if (name, dtype) == ("SUM", "int16"):
                continue
            for axes, keeps in (((1, 2), True), ((-1,), False), ((0, 1, 2, 3), True)):
                reduced = [axis % 4 for axis in axes]
                kept = [1 if d in reduced else n for d, n in enumerate(shape)]
                out = kept if keeps else [n for d, n in enumerate(shape) if d not in reduced]
                by = {"MEAN": 1.3, "SUM": 4.0}.get(name, 1.0)
                operator = Operator(name, "ReducerOptions", {"keepDims": keeps}, 2)
                yield Case(operator, [d.slot(dtype, shape), constant(*axes)], [d.slot(dtype, out, by)])
        for name in ("AVERAGE_POOL_2D", "MAX_POOL_2D"):
            for padding, stride, act in ((0, 1, 0), (1, 2, 1), (0, 3, 3)):
                sizes = [
                    -(-(n - (0 if padding == 0 else k - 1)) // stride)
                    for n, k in zip((9, 8), (3, 2), strict=True)
                ]
                values = {"padding": padding, "strideH": stride, "strideW": stride}
                values |= {"filterHeight": 3, "filterWidth": 2, "fusedActivationFunction": act}
                operator = Operator(name, "Pool2DOptions", values, 3 if dtype == "int16" else 2)
                yield Case(
                    operator, [d.slot(dtype, (2 * d.rows, 9, 8, 3))], [d.slot(dtype, (2 * d.rows, *sizes, 3))]
                )
        for (count, size), by in (((4, 10), 1.0), ((3, 77), 3.0), ((2, 2), 0.2)):
            shape_ = (count * d.rows, size)
            operator = Operator("SOFTMAX", "SoftmaxOptions", {"beta": 1.0}, 3)
            yield Case(
                operator, [d.slot(dtype, shape_, by)], [d.slot(dtype, shape_, of=unit("SOFTMAX", dtype))]
            )
        if dtype != "int16":
            operator = Operator("ARG_MAX", "ArgMaxOptions", {"outputType": 2}, 2)
            yield Case(
                operator, [d.slot(dtype, (4 * d.rows, 5, 6)), constant(1)], [Slot("int32", (4 * d.rows, 6))]
            )


def movement(d: Draw) -> Iterator[Case]:
    pads = Slot("int32", (2, 2), data=np.array([[1, 2], [0, 3]]))
    blocks = Slot("int32", (2, 2), data=np.array([[0, 0], [1, 0]]))
    for dtype in ALL:
        s = lambda *shape, dtype=dtype: d.slot(dtype, shape)
        r = d.rows
        table: list[tuple[str, str, Mapping[str, Any], list[Slot], list[Slot], int]] = [
            (
                "RESHAPE",
                "Reshape",
                {"newShape": [6 * r, 4]},
                [s(2 * r, 3, 4), constant(6 * r, 4)],
                [s(6 * r, 4)],
                1,
            ),
            ("TRANSPOSE", "Transpose", {}, [s(2 * r, 3, 4), constant(2, 0, 1)], [s(4, 2 * r, 3)], 2),
            ("PAD", "Pad", {}, [s(2 * r, 3), pads], [s(2 * r + 3, 6)], 2),
            ("MIRROR_PAD", "MirrorPad", {"mode": 1}, [s(4 * r, 5), pads], [s(4 * r + 3, 8)], 2),
            ("SLICE", "Slice", {}, [s(4 * r, 5), constant(1, 2), constant(2 * r, -1)], [s(2 * r, 3)], 2),
            ("CONCATENATION", "Concatenation", {"axis": -1}, [s(2 * r, 3), s(2 * r, 4)], [s(2 * r, 7)], 2),
            ("PACK", "Pack", {"axis": 1, "valuesCount": 2}, [s(2 * r, 3), s(2 * r, 3)], [s(2 * r, 2, 3)], 2),
            ("UNPACK", "Unpack", {"axis": 1, "num": 3}, [s(2 * r, 3, 2)], [s(2 * r, 2)] * 3, 2),
            ("SPLIT", "Split", {"numSplits": 2}, [scalar(1), s(2 * r, 6)], [s(2 * r, 3)] * 2, 2),
            ("GATHER", "Gather", {"axis": 1}, [s(2 * r, 5), constant(3, 0, 4)], [s(2 * r, 3)], 2),
            ("REVERSE_V2", "ReverseV2", {}, [s(2 * r, 3), constant(1)], [s(2 * r, 3)], 2),
            (
                "STRIDED_SLICE",
                "StridedSlice",
                {"beginMask": 1, "endMask": 2, "shrinkAxisMask": 4},
                [s(6 * r, 7, 4), constant(2, 1, -1), constant(6 * r - 1, 3, 0), constant(2, 3, 1)],
                [s(3 * r, 2)],
                2,
            ),
            (
                "SPACE_TO_BATCH_ND",
                "SpaceToBatchND",
                {},
                [s(r, 4, 5, 3), constant(2, 3), blocks],
                [s(6 * r, 2, 2, 3)],
                3,
            ),
            (
                "BATCH_TO_SPACE_ND",
                "BatchToSpaceND",
                {},
                [s(6 * r, 2, 2, 3), constant(2, 3), blocks],
                [s(r, 4, 5, 3)],
                3,
            ),
        ]
        for name, options, values, operands, results, version in table:
            yield Case(Operator(name, f"{options}Options", values, version), operands, results)
        for values in ({}, {"alignCorners": True}, {"halfPixelCenters": True}):
            for name in ("RESIZE_NEAREST_NEIGHBOR", "RESIZE_BILINEAR"):
                title = f"{name.title().replace('_', '')}Options"
                operator = Operator(name, title, values, 4 if dtype == "int16" else 3)
                yield Case(operator, [s(2 * r, 5, 6, 3), constant(7, 9)], [s(2 * r, 7, 9, 3)])
