"""Scales of constant weights by blocks, as `quantize` chooses them, and the reason in decibels."""

from __future__ import annotations

from math import prod

import numpy as np

from interp.apps.quantization.constants import array
from interp.apps.quantization.graph import Kernel
from interp.apps.quantization.ranges import symmetric_scales
from interp.apps.quantization.targets import Target
from interp.backends import fl_all
from interp.engine.facts import facts
from interp.theory.contractions import contracting
from spec.ir import Op
from spec.quant_kinds import AnyQuantizedType
from spec.types import QuantizedType

PART = 1 << 20  # weights that are looked at together
EXACT = 999.0  # decibels that are shown where every weight is exact


def contraction_of(kernel: Kernel) -> Op | None:
    """Return the contraction of a kernel, or None if it has none."""
    return next((op for op in kernel.op.regions[0].ops if facts(op).family == "contraction"), None)


def misfit_of_blocks(kernel: Kernel, size: int) -> str:
    """Return why the weights of a kernel cannot have blocks of a size along its sums, or ""."""
    op, weights = contraction_of(kernel), kernel.values[1]
    if op is None or op.name != "stablehlo.dot_general":
        return "blocks are along the sums of a dot_general"
    summed = contracting(op)
    if len(summed) != 1:
        return f"blocks are along one dimension, and {weights.name} is summed over {len(summed)}"
    count = weights.type.shape[summed[0]]
    if count % size:
        return f"blocks of {size} do not divide the {count} elements of a sum"
    return "" if count > size else f"a block of {size} is the whole sum: one scale for each channel"


def per_block(op: Op | None, constant: Op, storage: AnyQuantizedType, size: int) -> QuantizedType:
    """Return the type of constant weights with a scale for each block along the sums of a contraction.

    Along all other dimensions each index has scales of its own. A scale is the largest magnitude of the
    block over the largest stored number.
    """
    assert op is not None
    data, (d,) = array(constant), contracting(op)
    sizes = [size if k == d else 1 for k in range(data.ndim)]
    counts = tuple(n // s for n, s in zip(data.shape, sizes, strict=True))
    split = _split(data, counts)
    within = tuple(range(1, 2 * data.ndim, 2))
    most = np.maximum(split.max(axis=within), -split.min(axis=within)).astype(np.float64)
    scales = tuple(symmetric_scales(most.reshape(-1), storage).tolist())
    blocks = tuple((k, s) for k, (s, n) in enumerate(zip(sizes, data.shape, strict=True)) if s < n)
    return QuantizedType(
        storage.storage_type,
        storage.storage_min,
        storage.storage_max,
        constant.result.type.tensor_element_type,
        scales,
        (0,) * prod(counts),
        None,
        blocks,
        counts,
        storage.spelling,
    )


def block_note(target: Target, kernel: Kernel, k: int, type: QuantizedType) -> str:
    """Return why the weights of a kernel have the scales that they have; "" if no blocks were asked for."""
    sizes = [ports.inputs[1].block for ports, _ in target[kernel.name] if len(ports.inputs) > 1]
    size, constant = max(sizes, default=0), kernel.states[k].constant
    if k != 1 or not size or constant is None:
        return ""
    if type.block_sizes is None:
        return f"{misfit_of_blocks(kernel, size)}"
    op = contraction_of(kernel)
    assert op is not None
    (d,) = contracting(op)
    channels = per_block(op, constant, _storage(type), constant.result.type.shape[d])
    by_block, by_channel = (signal_to_noise(constant, each) for each in (type, channels))
    return (
        f"each scale is the largest magnitude of its block / {type.storage_max}: so weights keep "
        f"{by_block:.1f} dB, with a scale for each channel {by_channel:.1f} dB"
    )


def _storage(type: QuantizedType) -> AnyQuantizedType:
    return AnyQuantizedType(
        type.storage_type, type.storage_min, type.storage_max, type.expressed_type, type.spelling
    )


def signal_to_noise(constant: Op, type: QuantizedType) -> float:
    """Return 10 log10 of the weights' squares over those of what quantization changes, at most 999 dB.

    type: as `per_block` makes it, without zero points.
    """
    split = _split(array(constant), type.parameters_shape)
    scales = np.reshape(fl_all(type.scales, type.expressed_type), type.parameters_shape)
    scales = np.expand_dims(scales, tuple(range(1, split.ndim, 2)))
    rows = max(1, PART * len(split) // split.size)
    signal = noise = 0.0
    for k in range(0, len(split), rows):  # a large table takes several times its size otherwise
        exact, steps = split[k : k + rows].astype(np.float64), scales[k : k + rows]
        stored = np.clip(np.rint(exact / steps), type.storage_min, type.storage_max)
        signal += float(np.square(exact).sum())
        noise += float(np.square(stored * steps - exact).sum())
    return min(EXACT, 10 * float(np.log10(signal / noise))) if noise and signal else EXACT


def _split(data: np.ndarray, counts: tuple[int, ...]) -> np.ndarray:
    """Return an array with two dimensions for each: so many blocks, and the elements within."""
    return data.reshape(
        [n for size, count in zip(data.shape, counts, strict=True) for n in (count, size // count)]
    )
