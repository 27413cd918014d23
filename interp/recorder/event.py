"""Events: noteworthy elements of a run, with their severity, their places and their printed form."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from interp.engine.evaluate import ACROSS
from interp.engine.markup import Display
from interp.engine.storage import is_at_zero, may_clip
from interp.recorder.names import ALONE, Qualifier, qualify, with_layer
from spec.errors import UNKNOWN, Location, one_of, several
from spec.faults import fault_of
from spec.ir import Op

# The severity of events: errors, warnings, and information, which is shown only where it is asked for.

ERROR, WARNING, INFORMATION = "error", "warning", "information"
SEVERITIES = (ERROR, WARNING, INFORMATION)
OVERFLOWS = ("saturate", "wrap", "inf", "nan")  # kinds
# By kind: within an accumulation, and elsewhere.
_BY_KIND = {
    "saturate": (ERROR, WARNING),
    "wrap": (ERROR, WARNING),
    "nan": (ERROR, ERROR),
    "inf": (ERROR, ERROR),
    "lossy_convert": (WARNING, WARNING),
    "empty_window": (WARNING, WARNING),
    "non_identity_init": (WARNING, WARNING),
    "fault": (WARNING, WARNING),
    "inexact": (INFORMATION, INFORMATION),
    "absorbed": (WARNING, INFORMATION),
    "erratum": (INFORMATION, INFORMATION),
    "unspecified": (INFORMATION, INFORMATION),
}


def severity(kind: str, accumulates: bool, inner: Op, clips: bool = False) -> str:
    """Return the severity of an event at `inner`; `accumulates` if that is at a node of a fold.

    Outside of accumulations unsigned integers wrap by design, as in hashes, and what `clips` at the zero
    point saturates by design, as an activation.
    """
    if clips:
        return INFORMATION
    if kind == "wrap" and not accumulates and inner.results[0].type.storage_type.kind != "signed":
        return INFORMATION
    return _BY_KIND.get(kind, (INFORMATION, INFORMATION))[not accumulates]


KINDS = {
    "saturate": "the exact result lies beyond the storage range, and its bound was stored, or what that"
    " rounds to in the expressed type; at a bound that is the zero point it is information: an activation",
    "wrap": "an integer result does not fit its type",
    "inexact": "a quantized result that is neither the exact one, rounded, nor saturated; in a reduction or"
    " contraction a float sum, difference or product that is not exact",
    "absorbed": "additions of a sum of floats whose result is one of two operands, though neither is zero:"
    " 256 + 1 in bf16; counted per sum, a warning where what is lost is more than half a step of the result",
    "nan": "a NaN that no operand brought in, or a NaN that became an integer (erratum E4)",
    "inf": "an infinity that no operand brought in; on the way to a quantized result one that changed it",
    "lossy_convert": "a leaf changed value when converted to the accumulation type, or an operand when"
    " rounded to an algorithm's precision type",
    "empty_window": "a select_and_scatter window without any element (erratum E8)",
    "non_identity_init": "an init value that is not the body's identity (erratum E9)",
    "fault": "the kernel that a program reproduces has a fault here, or would stop: the operation's attribute"
    " `interp.fault` says which ([LiteRT](litert.md))",
    "unspecified": "integer division by zero, a shift by the width or more, or an update of a scatter with"
    " unique_indices that lands where an earlier one does (erratum E37)",
    "erratum": "`dequantize` read literally would wrap (erratum E1)",
}
Ids = tuple[int, int]  # of replica and partition
MOST = int(sys.float_info.max)
_SYMBOLS = {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"}


@dataclass(frozen=True, eq=False)
class Event(Display):
    """One noteworthy element.

    `op` is the operation of the program; `inner` is the operation that computed the element, which is another
    one in a reduction's body. `what` names the tensor that `index` points into. `leaves` are the first and
    the last leaf that the node covers, the same one for a product of a contraction; leaf 0 is the init value.
    `operands` and `stored` are stored numbers;
    `exact` is the exact result as a stored number, neither rounded nor clamped. `run` counts how often the
    operation had run before, and `qualifier` is the function and the layer beside its name (see `names`).
    `process` is the process in which the event happened, if the grid has several. `within` is, of a
    contraction that is summed by blocks of scales, the number of the block whose integers are added, or
    `ACROSS`; then the leaves are the blocks from 1.
    """

    kind: str
    op: Op
    inner: Op
    what: str
    index: tuple[int, ...] | None
    leaves: tuple[int, int] | None
    operands: tuple[Any, ...]
    exact: int | float | Fraction | None
    stored: Any
    qualifier: Qualifier = ALONE
    run: int = 0
    process: Ids | None = None
    within: int | None = None

    @property
    def name(self) -> str:
        """The name of the operation, without the number of its run: `%4`, `@pool/%4`."""
        return qualify(self.op.results[0].name, self.qualifier)

    @property
    def name_of_run(self) -> str:
        """The name of the operation, with the number of its run unless that is the first: `@pool/%4#2`."""
        return qualify(self.op.results[0].name, self.qualifier, self.run)

    @property
    def layer(self) -> str:
        """The name of the layer in which the operation stands, or ""."""
        return self.qualifier.layer

    @property
    def location(self) -> Location:
        return self.op.location

    @cached_property
    def severity(self) -> str:
        """The severity: `error`, `warning` or `information`."""
        return severity(self.kind, self.leaves is not None, self.inner, self.clips)

    @property
    def clips(self) -> bool:
        """Return whether the number was clipped at its type's zero point, which acts as an activation."""
        if self.kind != "saturate" or self.leaves is not None or self.what != "result":
            return False
        if not may_clip(self.inner) or self.inner is not self.op or self.index is None:
            return False
        type, shape = self.op.result.type.quantized_element_type, self.op.result.type.shape
        at = np.ravel_multi_index(self.index, shape) if shape else 0
        return bool(is_at_zero(type, np.asarray(self.stored), shape, np.array([at]))[0])

    def __repr__(self) -> str:
        head = heading(self.op, self.qualifier, self.run)
        return f"{head}: {self.kind} at {self.place}: {self.explanation}"

    @property
    def is_product(self) -> bool:
        """Return whether this is a product of a contraction, before any sum."""
        return self.leaves is not None and self.leaves[0] == self.leaves[1]

    @property
    def place(self) -> str:
        """Place of the event: `result (0, 2), leaves 0..17`, and on a grid `, process (1, 0)`.

        Of a result with scales per block it names the block: `result (0, 2) in block (0, 1)`. Of a sum by
        blocks of scales: `result (0, 2), block 1, leaves 0..17`, or `across blocks 0..1`.
        """
        index = "" if self.index is None else f" {self.index}"
        leaves = f", leaves {self.leaves[0]}..{self.leaves[1]}" if self.leaves else ""
        if self.within is not None and self.leaves:
            first, last = (max(0, leaf - 1) for leaf in self.leaves)
            across = f", across blocks {first}..{last}"
            leaves = across if self.within == ACROSS else f", block {self.within}{leaves}"
            leaves = f", scaled block {first}" if self.is_product else leaves
        elif self.is_product:
            leaves = f", leaf {self.leaves[0]}" if self.leaves else ""
        block = "" if self.block is None else f" in block {self.block}"
        process = f", process {self.process}" if self.process else ""
        return f"{self.what}{index}{block}{leaves}{process}"

    @property
    def block(self) -> tuple[int, ...] | None:
        """The block of the element, if it is a result with scales per block: its place among the scales."""
        value = self.op.results[0] if self.op.results and self.what == "result" else None
        type: Any = value.type.element_type if value else None
        if self.index is None or getattr(type, "block_sizes", None) is None:
            return None
        sizes = dict(type.block_sizes)
        return tuple(i // sizes[axis] if axis in sizes else 0 for axis, i in enumerate(self.index))

    @cached_property
    def explanation(self) -> str:
        """The computation in numbers: `120 + 15 -> 127 (exact 135)`."""
        if self.kind == "empty_window":
            return "nothing is scattered"
        if self.kind == "unspecified" and self.op.name == "stablehlo.scatter" and self.inner is self.op:
            return "it lands where an earlier update does, and unique_indices is true"
        operands = [number(x) for x in self.operands]
        if self.kind == "non_identity_init":
            return f"{operands[0]}, the identity of {short(self.inner)} is {number(self.exact)}"
        if self.kind == "fault":
            return f"{fault_of(self.op)}: {' against '.join(operands)}"
        stored = "" if self.stored is None else f" -> {number(self.stored)}"
        exact = "" if self.exact is None else f" (exact {number(self.exact)})"
        if self.kind == "erratum":
            return (
                f"q - zero_point is {number(self.exact)}, beyond the storage type, in {self._call(operands)}"
            )
        return f"{self._call(operands)}{stored}{exact}"

    def _call(self, operands: Sequence[str]) -> str:
        is_sum = self.leaves is not None and self.inner is self.op  # a contraction, which has no body
        name = "multiply" if self.is_product else "add" if is_sum else short(self.inner)
        if len(operands) == 2 and name in _SYMBOLS:
            return f" {_SYMBOLS[name]} ".join(operands)
        return (
            operands[0] if len(operands) == 1 and self.op is self.inner else f"{name}({', '.join(operands)})"
        )


@dataclass
class Group(Display):
    """All events of one kind and severity at one operation: their number, the first and the worst.

    `size` is the size of the worst event's error, infinite for NaN.
    """

    count: int
    first: Event
    worst: Event
    size: float

    @property
    def kind(self) -> str:
        return self.first.kind

    @property
    def severity(self) -> str:
        """The severity of these events: `error`, `warning` or `information`."""
        return self.first.severity

    @property
    def run(self) -> int:
        """Return how often the operation had run before the first event, in loops and calls."""
        return self.first.run

    def __repr__(self) -> str:
        first, worst = self.first, self.worst
        head = f"{heading(first.op, first.qualifier)}: {self.kind} x {self.count:,}"
        line = f"{head}, first at {self._place(first)}: {first.explanation}"
        if worst is first:
            return line
        return f"{line}; worst at {self._place(worst)}: {worst.explanation}"

    @staticmethod
    def _place(event: Event) -> str:
        """Return the place of an event, preceded by the name of the run unless that is the first."""
        return f"{event.name_of_run} {event.place}" if event.run else event.place


def totals(groups: Iterable[Group]) -> Counter[str]:
    """Return the number of events of each kind."""
    total: Counter[str] = Counter()
    for group in groups:
        total[group.kind] += group.count
    return total


def heading(op: Op, qualifier: Qualifier = ALONE, run: int = 0) -> str:
    """Return `model.mlir:12:8 reduce %4`; see `names` for the function and the run in the name.

    A layer's name stands for the longer one in the location: `model.py:12:8 reduce pool1 (%4)`.
    """
    where = op.location._replace(name="") if qualifier.layer else op.location
    name = signature(op, qualifier, run)
    return name if where == UNKNOWN else f"{where.short} {name}"


def signature(op: Op, qualifier: Qualifier = ALONE, run: int = 0) -> str:
    """Return the operation and its qualified name: `reduce %4`, `reduce @pool/%4#2`, `reduce pool1 (%4)`."""
    names = ", ".join(qualify(value.name, qualifier, run) for value in op.results)
    return f"{short(op)} {with_layer(names, qualifier.layer)}"


def short(op: Op) -> str:
    """Return the operation's name without its dialect; for a custom call, the name of its target."""
    return op.attributes.get("call_target_name") or op.name.partition(".")[2] or op.name


def number(x: Any) -> str:
    """Return a number as text: integers in full, others to ten digits."""
    if isinstance(x, Fraction) and x.denominator == 1:
        x = x.numerator
    if isinstance(x, Fraction) and abs(x) > MOST:  # of f64
        return f"{Decimal(x.numerator) / x.denominator:.10g}"
    if isinstance(x, float | Fraction):
        return f"{float(x):.10g}"
    return str(x)


def known_kinds(kinds: str | Iterable[str]) -> frozenset[str]:
    """Check one or several kinds of events, and return them as a set; `Malformed` for an unknown one."""
    return frozenset(one_of(KINDS, kind, "kind of event") for kind in several(kinds, "kinds of events"))
