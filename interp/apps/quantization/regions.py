"""`quant.region`: a logical kernel, whose ports have the types that quantization decided on."""

from __future__ import annotations

from collections.abc import Sequence

from interp.engine.quant import Type
from spec.errors import UNKNOWN, Location
from spec.ir import Op, Region, Value

REGION, RETURN = "quant.region", "quant.return"


def region_op(
    operands: Sequence[Value],
    results: Sequence[Value],
    body: Region,
    specs: tuple[Sequence[Type], Sequence[Type]],
    kernel: str,
    location: Location = UNKNOWN,
) -> Op:
    """Return a region of a kernel; `specs` are the types of its inputs and of its outputs."""
    inputs, outputs = specs
    attributes = {"input_specs": tuple(inputs), "output_specs": tuple(outputs), "logical_kernel": kernel}
    return Op(REGION, tuple(operands), tuple(results), attributes, (body,), location)


def input_specs(op: Op) -> tuple[Type, ...]:
    """Return the type of each input port: uniform, or the element type itself for a float."""
    return tuple(op["input_specs"])


def output_specs(op: Op) -> tuple[Type, ...]:
    """Return the type of each output port."""
    return tuple(op["output_specs"])
