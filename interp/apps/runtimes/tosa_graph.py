"""A graph of TOSA 1.0 while it is written, and its run by TOSA's reference model.

TOSA's integers have no sign: 8 bits that are stored unsigned are so only where RESCALE reads or writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from math import frexp
from typing import Any

import numpy as np
import tosa_reference_model
import tosa_serializer as tosa

from interp.apps.runtimes.translation import NotExpressible, Operand, Refused, need
from interp.backends.dtypes import numpy_dtype
from spec.quantized import storage_range
from spec.types import ELEMENT_TYPES, ElementType, TensorType

TYPES = {
    "i1": "BOOL", "i8": "INT8", "ui8": "INT8", "i16": "INT16", "i32": "INT32",
    "f16": "FP16", "bf16": "BF16", "f32": "FP32",
}  # fmt: skip
I8, I32 = ELEMENT_TYPES["i8"], ELEMENT_TYPES["i32"]
BIAS = 128  # by which 8 bits without a sign exceed those with one
SHIFTED = {"i8": 2**20, "ui8": 2**20, "i16": 2**15}  # the precision that sums of two operands are given


def tosa_type(type: ElementType) -> Any:
    """Return TOSA's type of an element type."""
    need(type.name in TYPES, f"element type {type}")
    return getattr(tosa.DType, TYPES[type.name])


def multiplier(scale: float) -> tuple[int, int]:
    """Return the multiplier, of 31 bits, and the shift of a scale, which is `multiplier / 2^shift`."""
    fraction, exponent = frexp(scale)
    number = round(fraction * 2**31)
    if number == 2**31:
        number, exponent = number // 2, exponent + 1
    shift = 31 - exponent
    if shift > 62:
        number, shift = number >> min(31, shift - 62), 62
    need(shift >= 2, f"RESCALE by {scale}")
    return number, shift


class TosaGraph:
    """Operators of a graph; its arguments are its inputs."""

    def __init__(self) -> None:
        self.serializer = tosa.TosaSerializer(
            "", tosa.ConstMode.EMBED, targetMajor=1, targetMinor=0, targetPatch=0, targetDraft=False
        )
        self.feeds: list[np.ndarray] = []
        self.how: list[str] = []

    def argument(self, name: str, type: TensorType, x: np.ndarray) -> Operand:
        if type.storage_type.name == "bf16":  # which the model takes in constants alone
            return self.constant(type, x)
        check_type(type)
        dtype = tosa_type(type.storage_type)
        placed = self.serializer.addPlaceholder(list(type.shape), dtype, None)
        self.feeds.append(np.array(x, order="C"))
        return Operand(placed.name, type, x)

    def constant(self, type: TensorType, x: np.ndarray) -> Operand:
        check_type(type)
        full = np.broadcast_to(x, type.shape).copy()
        dtype = tosa_type(type.storage_type)
        signless = full.view(np.int8) if full.dtype == np.uint8 else full
        return Operand(self.serializer.addConst(list(type.shape), dtype, signless).name, type, full)

    def numbers(self, values: Sequence[int], dtype: str) -> str:
        """Keep a list of integers, as operators take zero points, shifts and multipliers."""
        kind = getattr(tosa.DType, dtype.upper())
        held = np.array(values, np.uint8).view(np.int8) if max(values) > 127 and dtype == "int8" else values
        return str(self.serializer.addConst([len(values)], kind, np.array(held, dtype)).name)

    def shape(self, values: Sequence[int]) -> str:
        """Keep a list of sizes."""
        held = np.array(values, np.int64)
        return str(self.serializer.addConst([len(values)], tosa.DType.SHAPE, held).name)

    def add(self, name: str, inputs: Sequence[str], type: TensorType, *attribute: Any) -> Operand:
        """Add an operator with a result of this type; `attribute` are its attributes, in TOSA's order."""
        made = tosa.TosaSerializerAttribute()
        getattr(made, ATTRIBUTES.get(name, name.title().replace("_", "")) + "Attribute")(*attribute)
        result = self.serializer.addIntermediate(list(type.shape), tosa_type(type.storage_type))
        self.serializer.addOperator(getattr(tosa.Op, name), list(inputs), [result.name], made)
        return Operand(result.name, type)

    def rescale(self, x: Operand, scale: float, type: TensorType, points: tuple[int, int]) -> Operand:
        """Write RESCALE of a whole tensor, rounded once, as StableHLO's own legalization does.

        RESCALE takes unsigned numbers to and from other 8 bits only, and so in a step of its own.
        """
        narrow, (first, last) = TensorType(type.shape, I8), points
        if x.type.storage_type.kind == "unsigned":
            return self.rescale(
                self.one_rescale(x, 1.0, narrow, (first, first - BIAS)), scale, type, (first - BIAS, last)
            )
        if type.storage_type.kind == "unsigned":
            y = self.one_rescale(x, scale, narrow, (first, last - BIAS))
            return self.one_rescale(y, 1.0, type, (last - BIAS, last))
        return self.one_rescale(x, scale, type, points)

    def one_rescale(self, x: Operand, scale: float, type: TensorType, points: tuple[int, int]) -> Operand:
        """Write one RESCALE."""
        number, shift = multiplier(scale)
        inputs = [x.handle, self.numbers([number], "int32"), self.numbers([shift], "int8")]
        wide = [numpy_dtype(each.storage_type).name.removeprefix("u") for each in (x.type, type)]
        inputs += [self.numbers([z], name) for z, name in zip(points, wide, strict=True)]
        unsigned = [each.storage_type.kind == "unsigned" for each in (x.type, type)]
        return self.add("RESCALE", inputs, type, True, tosa.RoundingMode.SINGLE_ROUND, False, *unsigned)

    def run(self, results: Sequence[Operand]) -> list[np.ndarray]:
        for result in results:  # an output must be the result of an operator
            kind, made = tosa_type(result.type.storage_type), tosa.TosaSerializerAttribute()
            output = self.serializer.addOutput(list(result.type.shape), kind)
            made.IdentityAttribute()
            self.serializer.addOperator(tosa.Op.IDENTITY, [result.handle], [output.name], made)
        try:
            arrays, status = tosa_reference_model.run(self.serializer.serialize(), self.feeds)
        except ValueError as error:  # of a graph that breaks TOSA's specification
            raise Refused(str(error)) from None
        if status.name != "TOSA_VALID":
            raise Refused(status.name)
        return [
            np.frombuffer(np.asarray(x).tobytes(), numpy_dtype(y.type.storage_type)).reshape(y.type.shape)
            for x, y in zip(arrays, results, strict=True)
        ]


ATTRIBUTES = {
    "INTDIV": "IntDiv", "MATMUL": "MatMul", "CONV2D": "Conv2d", "MAX_POOL2D": "MaxPool2d",
}  # fmt: skip


def check_type(type: TensorType) -> None:
    """Require what tensors, and integers with a scale, can be in TOSA."""
    need(all(type.shape), "an empty tensor")
    if not type.is_quantized:
        return
    element = type.quantized_element_type
    bounds = element.storage_min, element.storage_max
    need(bounds == storage_range(element.storage_type), "storage bounds narrower than the type")
    need(element.is_per_tensor, "scales per axis")
    if element.storage_type.bits > 8 and element.zero_point:
        raise NotExpressible(f"a zero point of {element.storage_type}")


def versions() -> str:
    """Return the versions of what runs."""
    return f"tosa-tools {version('tosa-tools')}"
