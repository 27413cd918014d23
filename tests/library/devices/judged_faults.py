"""A device of six layers in NumPy, with its dump, and faults that are planted in one of its layers.

The device sums floats in an order that its seed draws, which is mostly none of the specification's. A layer
behind a faulty one is computed from what that gave, so that only one layer is at fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

import interp

X, H, G = "!quant.uniform<i8:f32, 0.05:3>", "!quant.uniform<i8:f32, 0.9:-4>", "!quant.uniform<i8:f32, 3.0:5>"
SCALES = tuple(round(0.01 + 0.0005 * k, 4) for k in range(32))
W = f"!quant.uniform<i8:f32:1, {{{', '.join(map(str, SCALES))}}}>"
V = "!quant.uniform<i8:f32, 0.03>"
TEXT = f"""func.func @main(%x: tensor<24x48x{X}>, %w: tensor<48x32x{W}>, %v: tensor<32x40x{V}>,
    %u: tensor<40x64xf32>, %b: tensor<64xf32>) -> tensor<24xf32> {{
  %h = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<24x48x{X}>, tensor<48x32x{W}>) -> tensor<24x32x{H}>
  %g = stablehlo.dot_general %h, %v, contracting_dims = [1] x [0]
    : (tensor<24x32x{H}>, tensor<32x40x{V}>) -> tensor<24x40x{G}>
  %f = stablehlo.uniform_dequantize %g : (tensor<24x40x{G}>) -> tensor<24x40xf32>
  %p = stablehlo.dot_general %f, %u, contracting_dims = [1] x [0]
    : (tensor<24x40xf32>, tensor<40x64xf32>) -> tensor<24x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<f32>) -> tensor<24x64xf32>
  %biases = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<64xf32>) -> tensor<24x64xf32>
  %sums = stablehlo.add %p, %biases : tensor<24x64xf32>
  %r = stablehlo.maximum %sums, %zeros : tensor<24x64xf32>
  %s = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [1]
    : (tensor<24x64xf32>, tensor<f32>) -> tensor<24xf32>
  return %s : tensor<24xf32> }}"""
LAYERS = "hgfprs"
Array = np.ndarray
Arrays = dict[str, Array]


def program() -> interp.Module:
    return interp.load(TEXT)


def store(total: Array, scale: Any, zero_point: int) -> Array:
    """Quantize reals by the exact quotient in f64, to nearest even."""
    return np.clip(np.rint(total * scale) + zero_point, -128, 127).astype(np.int8)


def add(leaves: Array, order: Array) -> Array:
    """Add along the last dimension in f32, in blocks of eight lanes, in an order."""
    lanes = [leaves[..., order[k::8]] for k in range(8)]
    totals = []
    for lane in lanes:
        total = np.zeros(leaves.shape[:-1], np.float32)
        for k in range(lane.shape[-1]):
            total = total + lane[..., k]
        totals.append(total)
    while len(totals) > 1:
        totals = [a + b for a, b in zip(totals[::2], totals[1::2], strict=True)]
    return totals[0]


@dataclass
class Device:
    """A device, and a fault of one of its layers: `fault` changes what that layer does."""

    seed: int
    layer: str = ""
    fault: Callable[[Device, str, Arrays], Array] | None = None

    def dump(self) -> Arrays:
        """Return the tensors that the device had."""
        self.rng = np.random.default_rng(self.seed)
        x, w, v = (self.rng.integers(-128, 128, s).astype(np.int8) for s in ((24, 48), (48, 32), (32, 40)))
        u, b = self.rng.normal(size=(40, 64)).astype(np.float32), self.rng.normal(size=64).astype(np.float32)
        values = {"x": x, "w": w, "v": v, "u": u, "b": b}
        self.orders = {n: self.rng.permutation(n) for n in (40, 64)}
        for layer in LAYERS:
            right = self.compute(layer, values)
            values[layer] = right
            if layer == self.layer and self.fault:
                values[layer] = self.fault(self, layer, {**values, "right": right})
        return values

    def compute(
        self, layer: str, a: Mapping[str, Array], leaves: Callable[[Array], Array] = lambda x: x
    ) -> Array:
        """Return what a layer gives. leaves: what becomes of the leaves of its sums, the last dimension."""
        if layer in "hg":
            return self.requantize(layer, leaves(self.leaves(layer, a)).sum(-1))
        if layer == "f":
            return ((a["g"].astype(np.float32) - np.float32(5)) * np.float32(3)).astype(np.float32)
        if layer == "p":
            return add(leaves(self.leaves(layer, a)), self.orders[40])
        if layer == "r":
            return np.maximum(a["p"] + a["b"], np.float32(0))
        return add(leaves(a["r"]), self.orders[64])

    def leaves(self, layer: str, a: Mapping[str, Array]) -> Array:
        """Return the leaves of a layer's sums, [rows, columns, leaves]."""
        lhs, rhs, zero_point = {
            "h": ("x", "w", 3),
            "g": ("h", "v", -4),
            "p": ("f", "u", 0),
            "s": ("r", "", 0),
        }[layer]
        if not rhs:
            return a[lhs]
        if layer == "p":
            return (a[lhs][:, None, :] * a[rhs].T[None]).astype(np.float32)
        return (a[lhs][:, None, :].astype(int) - zero_point) * a[rhs].T[None].astype(int)

    def requantize(self, layer: str, total: Array) -> Array:
        if layer == "h":
            return store(total, 0.05 * np.array(SCALES) / 0.9, -4)
        return store(total, 0.9 * 0.03 / 3.0, 5)


# Faults: of the device, of one layer, with all arrays by name and the layer's `right` ones.


def saturate(device: Device, layer: str, a: Arrays) -> Array:
    bits = 13 if layer == "h" else 12
    total, bound = 0, 1 << bits
    for k in range(device.leaves(layer, a).shape[-1]):
        total = np.clip(total + device.leaves(layer, a)[..., k], -bound, bound - 1)
    return device.requantize(layer, total)


def wrap(device: Device, layer: str, a: Arrays) -> Array:
    bits = 13 if layer == "h" else 12
    total = device.leaves(layer, a).sum(-1)
    return device.requantize(layer, (total + (1 << bits)) % (2 << bits) - (1 << bits))


def truncate(device: Device, layer: str, a: Arrays) -> Array:
    """Round what is stored toward zero, twice as coarsely."""
    return (a["right"] // 4 * 4).astype(a["right"].dtype)


def omit_zero_point(device: Device, layer: str, a: Arrays) -> Array:
    lhs, zero_point = ("x", 3) if layer == "h" else ("h", -4)
    return device.compute(layer, {**a, lhs: a[lhs].astype(int) + zero_point})


def forget_last_leaf(device: Device, layer: str, a: Arrays) -> Array:
    def without(leaves: Array) -> Array:
        leaves = leaves.copy()
        leaves[..., -1] = 0
        return leaves

    return device.compute(layer, a, without)


def keep_a_tile(device: Device, layer: str, a: Arrays) -> Array:
    """Leave a tile of rows unwritten."""
    wrong = a["right"].copy()
    wrong[8:16] = 0
    return wrong


def swap_rows(device: Device, layer: str, a: Arrays) -> Array:
    return a["right"][::-1].copy()


def flip_bits(device: Device, layer: str, a: Arrays) -> Array:
    """Flip a high bit of a tenth of the elements."""
    wrong = a["right"].copy()
    bits = wrong.view(np.uint8 if wrong.dtype == np.int8 else np.uint32)
    mask = device.rng.random(bits.shape) < 0.1
    mask.reshape(-1)[0] = True
    bits[mask] ^= bits.dtype.type(1 << (5 if bits.itemsize == 1 else 20))
    return wrong


def sum_in_bf16(device: Device, layer: str, a: Arrays) -> Array:
    leaves, total = device.leaves(layer, a), np.zeros((), ml_dtypes.bfloat16)
    for k in range(leaves.shape[-1]):
        total = (total.astype(np.float32) + leaves[..., k]).astype(ml_dtypes.bfloat16)
    return total.astype(np.float32)


def round_operands(device: Device, layer: str, a: Arrays) -> Array:
    """Round the leaves' factors to 8 bits, as a unit for bf16 does."""
    narrow = {
        name: x.astype(ml_dtypes.bfloat16).astype(np.float32)
        for name, x in a.items()
        if x.dtype == np.float32
    }
    return device.compute(layer, {**a, **narrow})


def move_a_bias(device: Device, layer: str, a: Arrays) -> Array:
    return device.compute(layer, {**a, "b": np.roll(a["b"], 1)})


FAULTS = {
    "h": (saturate, wrap, truncate, omit_zero_point, forget_last_leaf, keep_a_tile, swap_rows, flip_bits),
    "g": (saturate, wrap, truncate, omit_zero_point, forget_last_leaf, keep_a_tile, swap_rows, flip_bits),
    "f": (keep_a_tile, swap_rows, flip_bits),
    "p": (forget_last_leaf, keep_a_tile, swap_rows, flip_bits, sum_in_bf16, round_operands),
    "r": (keep_a_tile, swap_rows, flip_bits, move_a_bias, round_operands),
    "s": (forget_last_leaf, keep_a_tile, swap_rows, flip_bits, sum_in_bf16, round_operands),
}


def planted(seed: int) -> Device:
    """Return a device with a fault that changes some element, drawn from a seed."""
    rng = np.random.default_rng([7, seed])
    while True:
        layer = LAYERS[rng.integers(len(LAYERS))]
        fault = FAULTS[layer][rng.integers(len(FAULTS[layer]))]
        device = Device(seed, layer, fault)
        if not np.array_equal(device.dump()[layer], device.compute(layer, device.dump())):
            return device
