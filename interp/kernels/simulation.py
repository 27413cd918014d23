"""The operations that the quant dialect had once: statistics, and regions that simulate quantization."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interp.backends import Array, Namespace, State
from interp.engine.evaluate import Context
from interp.engine.prepared import Preparation
from interp.engine.quant import dequantize, quantize
from spec.ir import Op
from spec.quant_kinds import Spec
from spec.types import QuantizedType


def identity(xp: Namespace, op: Op) -> Callable[..., Array]:
    """`result = arg`."""
    return lambda arg: arg


def simulate(xp: Namespace, x: Array, spec: Spec) -> Array:
    """Return `dequantize(quantize(x))` for a uniform spec, else x itself."""
    return dequantize(xp, quantize(xp, x, spec), spec) if isinstance(spec, QuantizedType) else x


def region(ctx: Context, op: Op, *inputs: Array) -> State:
    """Return what the body gives for the simulated inputs, simulated itself."""
    (body,) = op.regions
    taken = [simulate(ctx.xp, *pair) for pair in zip(inputs, op["input_specs"], strict=True)]
    given = ctx.run(body, taken)
    return tuple(simulate(ctx.xp, *pair) for pair in zip(given, op["output_specs"], strict=True))


STATISTICS: dict[str, Preparation] = {
    "quant.stats": identity,
    "quant.stats_ref": identity,
    "quant.coupled_ref": identity,
}
REGIONS: dict[str, Callable[..., Any]] = {"quant.region": region}
