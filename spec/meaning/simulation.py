"""The operations that the quant dialect had once: statistics, and regions that simulate quantization."""

from __future__ import annotations

from collections.abc import Sequence

from spec.ir import Op
from spec.meaning.context import Context, Meaning, Results
from spec.meaning.index import Tensor
from spec.meaning.notation import dequantize, quantize
from spec.quant_kinds import Spec
from spec.quantized import QuantizedType
from spec.types import TensorType


def identity(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """result = arg"""
    return tuple(operands)


def simulate(value: Tensor, spec: Spec) -> Tensor:
    """Return dequantize(quantize(value)) for a uniform spec, else the value itself."""
    if not isinstance(spec, QuantizedType):
        return value
    return dequantize(quantize(value, TensorType(value.type.shape, spec)))


def region(op: Op, operands: Sequence[Tensor], context: Context) -> Results:
    """outputs = simulated(body(simulated(inputs)...))"""
    (body,) = context.bodies
    results = body(*map(simulate, operands, op["input_specs"]))
    return tuple(map(simulate, results, op["output_specs"]))


SIMULATION_MEANINGS: dict[str, Meaning] = {
    "quant.stats": identity,
    "quant.stats_ref": identity,
    "quant.coupled_ref": identity,
    "quant.region": region,
}
