"""Records of what the stages decided: types, conflicts, open ports, and choices with their evidence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import isinf
from typing import Any, TypeVar

from interp.apps.quantization.sums import Form
from interp.recorder.layers import layers_of
from interp.recorder.names import with_layer
from spec.errors import UNKNOWN, Location
from spec.ir import Module
from spec.types import QuantizedType

PER_TENSOR: dict[str, Any] = {"quantization_dimension": None, "block_sizes": None, "parameters_shape": ()}
MOST_SCALES = 4  # that a decision shows one by one


def brief(type: QuantizedType) -> str:
    """Return a type for readers; many scales are told by their number and their extremes."""
    if len(type.scales) <= MOST_SCALES:
        return repr(type)
    whole = repr(replace(type, scales=(1.0,), zero_points=(0,), **PER_TENSOR)).rpartition(",")[0]
    blocks = ", ".join(f"{axis}:{size}" for axis, size in type.block_sizes or ())
    where = f"blocks of {blocks}" if blocks else f"per axis {type.quantization_dimension}"
    scales = f"{len(type.scales)} scales from {min(type.scales):.2g} to {max(type.scales):.2g}"
    text = f"{whole}> {where}, {scales}"
    points = type.zero_points
    return f"{text}, zero points from {min(points)} to {max(points)}" if any(points) else text


@dataclass(frozen=True)
class Decision:
    """The type of a value and the reason for it.

    constraint: what demanded it: "uniform" (the program gives the type), "calibrated", "constant", or a rule
    of the target, "same_scale". kernel: the kernel at whose port it was decided. neighbour: the value that it
    follows from. range: the numbers that the value takes, where the type comes from them. layer: the name of
    the value's layer, or "". note: why weights have these scales, if they were to have one for each block.
    """

    value: str
    type: QuantizedType
    constraint: str
    kernel: str = ""
    neighbour: str = ""
    range: tuple[float, float] | None = None
    location: Location = UNKNOWN
    layer: str = ""
    note: str = ""

    def __repr__(self) -> str:
        said = [self.constraint]
        if self.range is not None:
            said.append(f"range [{self.range[0]:.6g}, {self.range[1]:.6g}]")
        if self.neighbour:
            said.append(f"from {self.neighbour}")
        if self.kernel:
            said.append(f"at {self.kernel}")
        text = f"{with_layer(self.value, self.layer)}: {brief(self.type)}: {', '.join(said)}"
        return f"{text}\n  {self.note}" if self.note else text


@dataclass(frozen=True)
class Rescale:
    """A conflict: a kernel takes or gives a value in another type than it has, so that it is converted.

    was: the type of the value. becomes: that of the kernel's port, an input or, for `is_result`, a result.
    remedy: a value and the type to give it, with which there would be fewer conflicts; None where no single
    constraint does that.
    """

    value: str
    kernel: str
    was: QuantizedType
    becomes: QuantizedType
    constraint: str
    is_result: bool = False
    remedy: tuple[str, QuantizedType] | None = None
    location: Location = UNKNOWN
    layer: str = ""

    def __repr__(self) -> str:
        types = (self.becomes, self.was) if self.is_result else (self.was, self.becomes)
        value = with_layer(self.value, self.layer)
        text = f"{value}: {brief(types[0])} to {brief(types[1])}: {self.constraint} of {self.kernel}"
        return f"{text}\n  {self.advice}"

    @property
    def advice(self) -> str:
        """The constraint that would remove the conflict, as it is written."""
        if self.remedy is None:
            return "no single constraint removes it"
        value, type = self.remedy
        return f'removed by the constraint {{"{value}": Uniform("{type!r}")}}'


@dataclass(frozen=True)
class Open:
    """A port that stays in float though the target could take it quantized, or a kernel that stays so."""

    value: str
    kernel: str
    reason: str
    location: Location = UNKNOWN
    layer: str = ""

    def __repr__(self) -> str:
        return f"{with_layer(self.value, self.layer)} of {self.kernel}: {self.reason}"


def not_quantized(name: str) -> str:
    """Return the reason of a port whose value a constraint keeps in float."""
    return f"{name} is not to be quantized"


@dataclass(frozen=True)
class Mask:
    """A value with a mask, and what the mask would leave of a type.

    fill: the number of the mask there. others: bounds of the numbers beside it. steps: how many of `of` steps
    these would have, 0 if the mask is infinite. origin: the value in which the mask comes in. layer: the name
    of the value's layer, or "".
    """

    value: str
    fill: float
    others: tuple[float, float]
    steps: float
    of: int
    origin: str
    layer: str = ""

    @property
    def reason(self) -> str:
        """Why the value stays in float, beginning with its name."""
        numbers = f"the numbers beside it, {self.others[0]:.4g} to {self.others[1]:.4g}"
        name = f"{with_layer(self.value, self.layer)} has a mask of {self.fill:.4g}"
        if isinf(self.fill):
            return f"{name}, which no type has: stored as the end of {numbers}, it would be one of them"
        return f"{name}: {numbers}, would have {self.steps:.2g} of {self.of} steps"

    def __str__(self) -> str:
        return self.reason


Row = TypeVar("Row", Decision, Rescale, Open, "Choice", Mask)


def name_layers(module: Module, rows: Iterable[Row]) -> tuple[Row, ...]:
    """Return what is said of values of a module, with the names of their layers."""
    layers = layers_of(module, module.main.name)
    return tuple(replace(each, layer=layers.get(each.value, "")) for each in rows)


# Decisions of preparation and materialization, each with its value and its evidence.


@dataclass(frozen=True)
class Choice:
    """One decision: the value it is about, the operation, the kind of decision, and what is known.

    kind: "accumulator", "bias", "zero point", "split", "float", "rescale", "batch norm", "table". holds:
    whether what it relies on is proven. steps: the most steps of its type by which the value may differ from
    the float program's, given the same inputs of its region; None where no bound is known.
    """

    value: str
    operation: str
    kind: str
    text: str
    holds: bool = True
    steps: int | None = 0
    layer: str = ""

    def __str__(self) -> str:
        return f"{with_layer(self.value, self.layer)} ({self.operation}), {self.kind}: {self.text}"


@dataclass
class Choices:
    """The decisions of one materialization, in program order, and the forms of its sums by their names."""

    made: list[Choice] = field(default_factory=list)
    forms: dict[str, Form] = field(default_factory=dict)

    def note(
        self, value: str, operation: str, kind: str, text: str, holds: bool = True, steps: int | None = 0
    ) -> None:
        choice = Choice(value, operation.partition(".")[2] or operation, kind, text, holds, steps)
        if choice not in self.made:
            self.made.append(choice)
