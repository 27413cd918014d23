"""Target constraints: how the parameters of some ports of a kernel follow from those of others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from spec.errors import Malformed, short_text
from spec.quant_kinds import AnyQuantizedType
from spec.quantized import QuantizedType
from spec.types import ElementType, TensorType

# The RFC's QuantFn: it replaces specs in the two lists, and returns the positions of those that it replaced.
UserRule = Callable[[list[Any], list[Any]], tuple[Sequence[int], Sequence[int]]]


@dataclass(frozen=True)
class Ports:
    """A kernel as its rule sees it: inputs, then outputs, of which the first `count` are inputs.

    types: the type of each port's value. specs: what is known of each: a uniform type once it is decided,
    a calibrated range or a width that is wanted before. storages: the storage of the signature, None where
    a rule decides it, and for ports that are not quantized. immutable: ports whose type the program gives.
    """

    name: str
    count: int
    types: Sequence[TensorType]
    specs: Sequence[Any]
    storages: Sequence[AnyQuantizedType | None]
    immutable: frozenset[int] = frozenset()

    @property
    def uniform(self) -> list[int]:
        """The ports that have a uniform type."""
        return [k for k, spec in enumerate(self.specs) if isinstance(spec, QuantizedType)]

    @property
    def quantizable(self) -> list[int]:
        """The ports that hold floats which the kernel takes quantized."""
        return [k for k, storage in enumerate(self.storages) if storage is not None]


Derived = dict[int, QuantizedType]


@dataclass(frozen=True)
class Rule:
    """A rule by name; `derive` returns the types that it demands of ports, as far as they can be known.

    ties: all ports have one type, so that a range of one is a range of all. owns: the input that no range
    decides, but the rule alone.
    """

    name: str
    derive: Callable[[Ports], Derived]
    ties: bool = False
    owns: int | None = None

    def __repr__(self) -> str:
        return self.name


def rule_of(rule: Rule | UserRule) -> Rule:
    """Return a rule; a user's function becomes one of its name."""
    return rule if isinstance(rule, Rule) else custom(rule)


def _nothing(ports: Ports) -> Derived:
    return {}


def _same(ports: Ports) -> Derived:
    """Return the type of the port that decides, for all: what the program gives before what was derived."""
    chosen = next(_deciding(ports), None)
    if chosen is None:
        return {}
    type = ports.specs[chosen]
    alike = all(ports.types[k].shape == ports.types[chosen].shape for k in ports.quantizable)
    return dict.fromkeys(ports.quantizable, type) if type.is_per_tensor or alike else {}


def _deciding(ports: Ports) -> Iterator[int]:
    """Yield ports in the order in which they may decide: the only input, the only result, then the first."""
    for known in ([k for k in ports.uniform if k in ports.immutable], ports.uniform):
        inputs = [k for k in ports.quantizable if k < ports.count]
        results = [k for k in ports.quantizable if k >= ports.count]
        for single in (inputs, results):
            if len(single) == 1 and single[0] in known:
                yield single[0]
        yield from (k for k in known if k in ports.quantizable)


def _bias(ports: Ports) -> Derived:
    """Return the type of the bias, the third input: the product of the scales of the other two."""
    if ports.count < 3 or ports.storages[2] is None:
        return {}
    left, right = ports.specs[:2]
    if not isinstance(left, QuantizedType) or not isinstance(right, QuantizedType):
        return {}
    storage, expressed = ports.storages[2], left.expressed_type
    scales = tuple(prod(pair) for pair in _pairs(left.scales, right.scales))
    axis = channels(ports.types[2].shape, len(scales)) if right.is_per_axis or left.is_per_axis else None
    return {2: uniform(storage, expressed, scales, (0,) * len(scales), axis)}


def _pairs(left: Sequence[float], right: Sequence[float]) -> list[tuple[float, float]]:
    count = max(len(left), len(right))
    a, b = (x * count if len(x) == 1 else x for x in (tuple(left), tuple(right)))
    return list(zip(a, b, strict=True))


def channels(shape: Sequence[int], count: int) -> int:
    """Return the dimension of a bias that counts channels: the only one of that size, else the last."""
    fitting = [d for d, size in enumerate(shape) if size == count]
    return fitting[-1] if fitting else len(shape) - 1


def uniform(
    storage: AnyQuantizedType,
    expressed: ElementType,
    scales: Sequence[float],
    zero_points: Sequence[int],
    axis: int | None = None,
) -> QuantizedType:
    """Return the uniform type in a storage, per axis where `axis` is a dimension."""
    return QuantizedType(
        storage.storage_type,
        storage.storage_min,
        storage.storage_max,
        expressed,
        tuple(map(float, scales)),
        tuple(map(int, zero_points)),
        axis,
        spelling=storage.spelling,
    )


free = Rule("free", _nothing)
same_scale = Rule("same_scale", _same, ties=True)
multiplier_scale = Rule("multiplier_scale", _nothing)
multiplier_accumulator_scale = Rule("multiplier_accumulator_scale", _bias, owns=2)


def fixed_scale(
    outputs: Mapping[int, tuple[float, int]], inputs: Mapping[int, tuple[float, int]] | None = None
) -> Rule:
    """Return the rule that gives ports a scale and a zero point: `fixed_scale({0: (2**-8, -128)})`."""
    given = dict(inputs or {})

    def derive(ports: Ports) -> Derived:
        fixed = {**given, **{ports.count + k: pair for k, pair in outputs.items()}}
        derived = {}
        for k, (scale, zero_point) in fixed.items():
            if k >= len(ports.types) or ports.storages[k] is None:
                known = f"{ports.name} has quantized ports {ports.quantizable} (inputs, then results)"
                raise Malformed(f"fixed_scale names port {k}, which {ports.name} does not quantize", known)
            expressed = ports.types[k].tensor_element_type
            derived[k] = uniform(ports.storages[k], expressed, (scale,), (zero_point,))  # type: ignore[arg-type]
        return derived

    pairs = ", ".join(f"{scale:g}:{point}" for scale, point in [*given.values(), *outputs.values()])
    return Rule(f"fixed_scale({pairs})", derive)


def custom(function: UserRule) -> Rule:
    """Return a user's function as a rule, which checks that it names positions of uniform types."""
    name = getattr(function, "__name__", "custom")

    def derive(ports: Ports) -> Derived:
        inputs, outputs = list(ports.specs[: ports.count]), list(ports.specs[ports.count :])
        answer = function(inputs, outputs)
        try:
            changed = [*answer[0], *(ports.count + k for k in answer[1])]
            derived = {k: [*inputs, *outputs][k] for k in changed}
        except (TypeError, IndexError, KeyError):
            raise Malformed(
                f"the rule {name} of {ports.name} returned {short_text(answer)}",
                "expected the positions of the inputs and of the outputs that it gave a type: ([2], [])",
            ) from None
        for k, type in derived.items():
            if not isinstance(type, QuantizedType):
                raise Malformed(
                    f"the rule {name} of {ports.name} gave port {k} {short_text(type)}",
                    "expected a uniform type: !quant.uniform<i8:f32, 0.5>",
                )
        return derived

    return Rule(name, derive)
