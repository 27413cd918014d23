"""The targets that ship: int8, int8_weights, int16x8, int4_weights.

A contraction wants one storage type of both operands, so that narrower weights take the storage of the
activations within their own bounds. Its right operand has no zero point. Biases are i32, in the scale of the
products. Softmax and other functions whose results int8 does not hold well stay in float.
"""

from __future__ import annotations

from interp.apps.quantization.port_rules import (
    Rule,
    fixed_scale,
    free,
    multiplier_accumulator_scale,
    multiplier_scale,
    same_scale,
)
from interp.apps.quantization.targets import Target, port
from spec.errors import Malformed
from spec.options import one_of, short_text

# Kernels that move elements, or choose among them: the result is stored in the operands' type.
MOVING = (
    "reshape transpose broadcast_in_dim slice dynamic_slice dynamic_update_slice gather pad concatenate"
    " select reverse reduce_maximum reduce_minimum reduce_window_maximum reduce_window_minimum"
).split()
# Kernels that rescale each operand, or the sum of many.
RESCALING = (
    "add subtract maximum minimum negate abs clamp reduce_add reduce_window_add reduce_mean"
    " reduce_window_mean select_and_scatter"
).split()
CONTRACTIONS = ("dot_general", "convolution")


def integer_target(name: str, activations: str, weights: str) -> Target:
    """Return a target whose kernels take and give `activations`, and whose contractions take `weights`.

    logistic and tanh have the scales that TFLite's kernels fix for a storage of 8 or 16 signed bits.
    """
    target = Target(name)
    for kernel in CONTRACTIONS:
        for suffix in ("", "_clamp"):
            plain, biased = f"{activations}, {weights}", f"{activations}, {weights}, i32"
            rule = multiplier_accumulator_scale
            target = target.kernel(f"generic.{kernel}{suffix}", f"{plain} -> {activations}", rule)
            target = target.kernel(f"generic.{kernel}_add{suffix}", f"{biased} -> {activations}", rule)
    target = target.kernel(
        "generic.multiply", f"{activations}, {activations} -> {activations}", multiplier_scale
    )
    rules: list[tuple[list[str], Rule]] = [(MOVING, same_scale), (RESCALING, free)]
    for kernels, rule in rules:
        for kernel in kernels:
            target = target.kernel(f"generic.{kernel}", f"{activations} -> {activations}", rule)
    for kernel, scale in _fixed_scales(activations).items():
        target = target.kernel(
            f"generic.{kernel}", f"{activations} -> {activations}", fixed_scale({0: scale})
        )
    return target


def _fixed_scales(activations: str) -> dict[str, tuple[float, int]]:
    """Return the scale and zero point of kernels whose results have a range of their own."""
    storage = port(activations).storage
    if storage is not None and storage.storage_type.bits == 16:
        return {"logistic": (2.0**-15, 0), "tanh": (2.0**-15, 0)}
    return {"logistic": (2.0**-8, -128), "tanh": (2.0**-7, 0)}


def weights_target(name: str, weights: str) -> Target:
    """Return a target that stores constant weights alone: it computes in float."""
    target = Target(name)
    for kernel in CONTRACTIONS:
        target = target.kernel(f"generic.{kernel}", f"float, {weights} constant -> float", free)
    return target


TARGETS = {
    "int8": integer_target("int8", "i8", "i8<-127:127> symmetric per_axis"),
    "int8_weights": weights_target("int8_weights", "i8<-127:127> symmetric per_axis"),
    "int16x8": integer_target("int16x8", "i16 symmetric", "i16<-127:127> symmetric per_axis"),
    "int4_weights": integer_target("int4_weights", "i8", "i8<-8:7> symmetric per_axis"),
}


def target_named(target: str | Target) -> Target:
    """Return a target, given itself or the name of one that ships."""
    if isinstance(target, Target):
        return target
    if not isinstance(target, str):
        raise Malformed(
            f"expected a target, got {short_text(target)}", f"a Target, or one of {', '.join(TARGETS)}"
        )
    return TARGETS[one_of(tuple(TARGETS), target, "target")]
