"""Targets: the kernels that a device has, each with the signatures that it takes and what ties its ports.

>>> from interp.quantization.port_rules import free
>>> Target("mine").kernel("generic.add", "i8, i8 -> i8", free)
target mine
  generic.add: i8, i8 -> i8 (free)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from interp.apps.quantization.port_rules import (
    Rule,
    UserRule,
    fixed_scale,
    free,
    multiplier_accumulator_scale,
    multiplier_scale,
    rule_of,
    same_scale,
)
from spec.errors import Malformed, one_of, short_text
from spec.quant_kinds import AnyQuantizedType, parse_quant_type
from spec.quantized import QuantizedType

FLOAT, WILDCARD = "float", "_"
OPTIONS = {"symmetric", "per_axis", "constant"}
BLOCKS = re.compile(r"blocks\((\d+)\)")
_SYNTAX = "a port is `float`, `_`, or a storage with options: i8, i8<-127:127> symmetric per_axis"


@dataclass(frozen=True)
class Port:
    """The types that a kernel takes at one input or gives at one output.

    storage: None for a float port, or for a wildcard, whose `storage` the kernel's rule decides.
    symmetric: its zero point is 0 (the middle, for unsigned storage). per_axis: constant weights have a scale
    for each output channel. constant: it takes constants alone. block: it takes constants with a scale for
    each block of so many elements along the sums; 0 without blocks.
    """

    text: str
    storage: AnyQuantizedType | None = None
    symmetric: bool = False
    per_axis: bool = False
    constant: bool = False
    block: int = 0

    @property
    def is_float(self) -> bool:
        return self.text == FLOAT

    def holds(self, type: QuantizedType) -> bool:
        """Return whether values of a type can be stored in the port's storage, whatever their parameters."""
        if self.storage is None:
            return not self.is_float
        if self.block and type.block_sizes is None:
            return False
        own = self.storage
        inside = own.storage_min <= type.storage_min and type.storage_max <= own.storage_max
        return own.storage_type == type.storage_type and inside and (not self.symmetric or is_centred(type))

    def is_wide_enough(self, bits: int) -> bool:
        """Return whether the port has at least `bits` bits."""
        return self.storage is not None and width(self.storage) >= bits

    def __repr__(self) -> str:
        return self.text


def width(type: AnyQuantizedType | QuantizedType) -> int:
    """Return how many bits the storage range takes: 4 for `i8<-8:7>`, 8 for the narrow `i8<-127:127>`."""
    return (type.storage_max - type.storage_min).bit_length()


def is_centred(type: QuantizedType) -> bool:
    """Return whether every zero point is 0, or for unsigned storage the number in the middle."""
    middle = 0 if type.storage_min < 0 else (type.storage_max + 1) // 2
    return all(point == middle for point in type.zero_points)


def port(text: str) -> Port:
    """Return the port that a text describes; `Malformed` if it does not."""
    *words, last = text.split() or [""]
    block = BLOCKS.fullmatch(last)
    words += [last] * (block is None and bool(last))
    if words in ([FLOAT], [WILDCARD]):
        return Port(words[0])
    if not words or set(words[1:]) - OPTIONS:
        raise Malformed(f"{text.strip()!r} does not describe a port", _SYNTAX)
    storage = parse_quant_type(f"!quant.any<{words[0]}>")
    assert isinstance(storage, AnyQuantizedType)
    size = int(block[1]) if block else 0
    if block and size < 2:
        raise Malformed(
            f"{text.strip()!r} does not describe a port", "expected blocks of at least 2 elements"
        )
    return Port(" ".join(text.split()), storage, **dict.fromkeys(words[1:], True), block=size)


@dataclass(frozen=True)
class Signature:
    """The ports of a kernel: inputs, then outputs. The last one of each repeats, as in `concatenate`."""

    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]

    def ports(self, inputs: int, outputs: int) -> list[Port]:
        """Return the ports of a kernel with these numbers of inputs and outputs."""
        return [*_repeat_last(self.inputs, inputs), *_repeat_last(self.outputs, outputs)]

    def __repr__(self) -> str:
        return f"{', '.join(map(repr, self.inputs))} -> {', '.join(map(repr, self.outputs))}"


def _repeat_last(ports: Sequence[Port], count: int) -> list[Port]:
    return [ports[min(k, len(ports) - 1)] for k in range(count)]


def signature(text: str) -> Signature:
    """Return the signature in `i8, i8<-127:127> symmetric per_axis, i32 -> i8`."""
    sides = text.split("->")
    if len(sides) != 2:
        raise Malformed(f"{text!r} is not a signature", "expected inputs -> outputs: i8, i8 -> i8")
    inputs, outputs = (tuple(map(port, side.split(","))) for side in sides)
    return Signature(inputs, outputs)


@dataclass(frozen=True)
class Target:
    """The kernels of a device: for each name its signatures, the preferred one first, each with its rule.

    A kernel is named after the operations that it stands for (`generic.dot_general_add_clamp`), after a
    composite (`odml.softmax`), or after a function that JAX calls (`jax.silu`).
    """

    name: str
    kernels: Mapping[str, tuple[tuple[Signature, Rule], ...]] = field(default_factory=dict)

    def kernel(self, name: str, ports: str | Signature, rule: Rule | UserRule) -> Target:
        """Return the target with one signature more for a kernel, after those that it has."""
        taken = signature(ports) if isinstance(ports, str) else ports
        known = (*self.kernels.get(name, ()), (taken, rule_of(rule)))
        return replace(self, kernels={**self.kernels, name: known})

    def with_blocks(self, size: int) -> Target:
        """Return the target whose products take weights with a scale for each block of `size` elements.

        Constants that such blocks do not fit are taken as before. Beside weights with blocks a bias is a
        float. Raises `Malformed` for a size below 2, and if no kernel has weights of its own.
        """
        if not isinstance(size, int) or isinstance(size, bool) or size < 2:
            raise Malformed(f"blocks of {short_text(size)}", "expected a number of elements, at least 2")
        name, kernels = f"{self.name}, blocks({size})", dict(self.kernels)
        for kernel in (k for k in kernels if k.startswith("generic.dot_general")):
            rows = [_by_blocks(*row, size) for row in kernels[kernel] if _has_weights(row[0])]
            kernels[kernel] = (*rows, *kernels[kernel])
        if kernels == dict(self.kernels):
            advice = "blocks are for products whose second input is per_axis or constant"
            raise Malformed(f"the target {self.name} takes no weights by blocks", advice)
        return Target(name, kernels)

    def without(self, *names: str) -> Target:
        """Return the target without some kernels, which then stay in float."""
        for name in names:
            one_of(tuple(self.kernels), name, f"kernel of the target {self.name}")
        return replace(self, kernels={k: x for k, x in self.kernels.items() if k not in names})

    def __or__(self, other: Target) -> Target:
        """Return the target with the kernels of both; signatures of the other come after its own."""
        names = dict.fromkeys((*self.kernels, *other.kernels))
        return Target(f"{self.name}|{other.name}", {name: (*self[name], *other[name]) for name in names})

    def __getitem__(self, kernel: str) -> tuple[tuple[Signature, Rule], ...]:
        return self.kernels.get(kernel, ())

    def __contains__(self, kernel: object) -> bool:
        return kernel in self.kernels

    def __repr__(self) -> str:
        lines = [
            f"  {name}: {ports!r} ({rule.name})" for name, all in self.kernels.items() for ports, rule in all
        ]
        return "\n".join([f"target {self.name}", *lines])


def _has_weights(ports: Signature) -> bool:
    weights = ports.inputs[1] if len(ports.inputs) > 1 else None
    return weights is not None and (weights.per_axis or weights.constant)


def _by_blocks(ports: Signature, rule: Rule, size: int) -> tuple[Signature, Rule]:
    """Return a signature whose weights have blocks; the scale of no product is that of a bias."""
    left, weights, *bias = ports.inputs
    words = [word for word in weights.text.split() if word not in ("per_axis", "constant")]
    inputs = left, port(f"{' '.join(words)} blocks({size})"), *(port(FLOAT) for _ in bias)
    return Signature(inputs, ports.outputs), free if rule.owns is not None else rule


# The targets that ship: int8, int8_weights, int16x8, int4_weights, int4_weight_only.
#
# A contraction wants one storage type of both operands, so that narrower weights take the storage of the
# activations within their own bounds. Its right operand has no zero point. One that is no constant, as the
# keys and values of attention, is no weight: it has the bits of activations. Biases are i32, in the scale of
# the products. Softmax and other functions whose results int8 does not hold well stay in float.

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


def integer_target(name: str, activations: str, *rights: str) -> Target:
    """Return a target whose kernels take and give `activations`, and whose contractions take `rights`.

    rights: the right operands of contractions, the preferred one first: weights, and what is no constant if
    the weights' port takes constants alone. logistic and tanh have the scales that TFLite's kernels fix for a
    storage of 8 or 16 signed bits.
    """
    target = Target(name)
    for kernel in CONTRACTIONS:
        for suffix, right in product(("", "_clamp"), rights):
            plain, biased = f"{activations}, {right}", f"{activations}, {right}, i32"
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
    "int4_weights": integer_target(
        "int4_weights", "i8", "i8<-8:7> symmetric per_axis constant", "i8<-127:127> symmetric"
    ),
    "int4_weight_only": weights_target("int4_weight_only", "i4 symmetric per_axis"),
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
