"""The uniform type that a value gets from its range, in a storage that every kernel around it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from interp.apps.quantization.folding import array
from interp.apps.quantization.patterns import CONTRACTIONS, channel_dimension
from interp.apps.quantization.port_rules import channels, uniform
from interp.apps.quantization.ranges import parameters
from interp.apps.quantization.states import Kernel, State, owned
from interp.apps.quantization.targets import Port, width
from spec.ir import Op
from spec.quant_kinds import AnyQuantizedType
from spec.types import ElementType, QuantizedType

HALF = 2.0**30  # of i32
# Formulas of `ranges.FORMULAS`.
ASYMMETRIC, SYMMETRIC = "tflite", "ai_edge_symmetric"


def shared(ports: Sequence[Port], bits: int) -> tuple[AnyQuantizedType, bool] | None:
    """Return the storage of the first port that is wide enough, one that suits the most other ports.

    Also return whether one of them takes no zero point.
    """
    storages = [(p.storage, p.symmetric) for p in ports if p.storage is not None]
    wide = [storage for storage, _ in storages if width(storage) >= bits]
    if not wide:
        return None
    chosen, symmetric = wide[0], False
    for storage, centred in storages:
        if storage.storage_type != chosen.storage_type:
            continue
        least, most = (
            max(storage.storage_min, chosen.storage_min),
            min(storage.storage_max, chosen.storage_max),
        )
        narrower = replace(chosen, storage_min=least, storage_max=most)
        if least < most and width(narrower) >= bits:
            chosen, symmetric = narrower, symmetric or centred
    return chosen, symmetric


def suited(
    state: State,
    kernel: Kernel,
    k: int,
    storage: AnyQuantizedType,
    symmetric: bool,
    range: tuple[float, float],
) -> QuantizedType:
    """Return the type that a value of a range gets in a storage, at a port of a kernel."""
    expressed = state.values[0].type.tensor_element_type
    if state.constant is None:
        return from_range(*range, storage, expressed, symmetric)
    if is_per_axis(kernel, k, state):
        type = per_axis(state.constant, storage, expressed, channel_axis(kernel) or 0)
    else:
        type = from_range(*range, storage, expressed, symmetric)
    return with_room(type, kernel) if k == 1 else type


def from_range(
    low: float, high: float, storage: AnyQuantizedType, expressed: ElementType, symmetric: bool
) -> QuantizedType:
    """Return the type in which a range, zero included, just fits the storage."""
    found = _parameters(low, high, storage, symmetric)
    return uniform(storage, expressed, [found[0]], [found[1]])


def _parameters(low: float, high: float, storage: AnyQuantizedType, symmetric: bool) -> tuple[float, int]:
    least, most = storage.storage_min, storage.storage_max
    if low == high == 0:
        return 1.0, 0 if least < 0 or not symmetric else (most + 1) // 2
    return parameters(low, high, least, most, SYMMETRIC if symmetric else ASYMMETRIC)


def per_axis(constant: Op, storage: AnyQuantizedType, expressed: ElementType, axis: int) -> QuantizedType:
    """Return the type of constant weights with a scale for each slice along a dimension."""
    data = array(constant).astype(np.float64)
    others = tuple(d for d in range(data.ndim) if d != axis)
    lows, highs = data.min(axis=others), data.max(axis=others)
    found = [_parameters(float(a), float(b), storage, True) for a, b in zip(lows, highs, strict=True)]
    return uniform(storage, expressed, [scale for scale, _ in found], [point for _, point in found], axis)


def with_room(type: QuantizedType, kernel: Kernel) -> QuantizedType:
    """Return the type of weights with scales so large that i32 holds the bias, in steps of the products.

    TensorFlow's rule: where a channel's weights are so small against its bias, half of i32 is for the bias.
    """
    left, bias = kernel.type(0), kernel.states[2] if kernel.count > 2 else None
    if bias is None or bias.constant is None or left is None or not left.is_per_tensor:
        return type
    if not owned(kernel, 2):
        return type
    data = np.abs(array(bias.constant).astype(np.float64))
    axis = channels(data.shape, len(type.scales)) if type.is_per_axis else None
    most = data.max(axis=tuple(d for d in range(data.ndim) if d != axis), initial=0.0).reshape(-1)
    least = most / HALF / left.scale
    scales = [max(scale, float(low)) for scale, low in zip(type.scales, least, strict=True)]
    return replace(type, scales=tuple(scales))


def channel_axis(kernel: Kernel) -> int | None:
    """Return the dimension of a contraction's weights that has a slice for each output channel."""
    body = kernel.op.regions[0].ops
    op = next((op for op in body if op.name.removeprefix("stablehlo.") in CONTRACTIONS), None)
    if op is None:
        return None
    if op.name == "stablehlo.convolution":
        return int(op["kernel_output_feature_dimension"])
    summed = {*op["rhs_contracting_dimensions"], *op["rhs_batching_dimensions"]}
    free = [d for d in range(op.operands[1].type.rank) if d not in summed]
    return free[-1] if free and channel_dimension(op) == op.result.type.rank - 1 else None


def is_per_axis(kernel: Kernel, k: int, state: State) -> bool:
    """Return whether a port takes constant weights with a scale for each channel."""
    return state.constant is not None and kernel.port(k).per_axis and channel_axis(kernel) is not None


def real_range(type: QuantizedType) -> tuple[float, float]:
    """Return the least and the greatest number that a type represents."""
    ends = [
        (bound - point) * scale
        for bound in (type.storage_min, type.storage_max)
        for scale, point in zip(type.scales, type.zero_points, strict=True)
    ]
    return min(ends), max(ends)


def covers(type: QuantizedType, range: tuple[float, float] | None) -> bool:
    """Return whether a type represents a range to within one step; true if no range is known."""
    if range is None:
        return True
    low, high = real_range(type)
    return low - max(type.scales) <= range[0] and range[1] <= high + max(type.scales)
