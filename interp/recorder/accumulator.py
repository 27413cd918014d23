"""Accumulators of a reduction: as stored, in expressed units, and in exact arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import reduce
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.bodies import combining
from interp.engine.facts import facts
from interp.engine.markup import Display, join_lines
from interp.engine.quant import Type
from interp.engine.tensor import Tensor
from interp.recorder.element import Element, Taken
from interp.recorder.event import MOST, number
from interp.recorder.exact import FORMULAS, Number, Unit, formula, unit_at
from spec.ir import Op
from spec.types import QuantizedType, TensorType

_DIGITS = 300  # of what is printed in full


@dataclass(frozen=True, eq=False, repr=False)
class Accumulators(Display):
    """Accumulators of one element: `stored` has a 0-d tensor for each operand of the reduction.

    `exact` has the exact result on the same leaves, in expressed units; None if the body is not one known
    operation.
    """

    stored: tuple[Tensor, ...]
    exact: tuple[Number | None, ...]

    @property
    def values(self) -> tuple[Any, ...]:
        """The accumulators in expressed units, as the expressed type has them."""
        return tuple(np.asarray(tensor.dequantize()).item() for tensor in self.stored)

    def _repr_text_(self) -> str:
        return join_lines(map(_line, self.stored, self.values, self.exact))


def accumulators(types: Sequence[Type], state: Sequence[Any], exact: Sequence[Number | None]) -> Accumulators:
    """Return the state of a fold as `Accumulators`."""
    tensors = []
    for type, x in zip(types, state, strict=True):
        whole = TensorType((), type)
        with np.errstate(all="ignore"):
            carried = np.asarray(x, NUMPY.carrier(whole.storage_type))
            tensors.append(Tensor(whole, np.asarray(NUMPY.encode(carried, whole.storage_type))))
    return Accumulators(tuple(tensors), tuple(exact))


def exact_nodes(element: Element, nodes: Sequence[Taken]) -> list[tuple[Number | None, ...]]:
    """Return the exact value of every node of a tree, the leaves first."""
    operations = [_exactly(element, k) for k in range(len(element.reduction.types))]
    exact: list[tuple[Number | None, ...]] = [leaf.exact_after for leaf in element.leaves]
    with np.errstate(all="ignore"):
        for node in nodes:
            columns = zip(*(exact[child] for child in node.children), strict=True)
            exact.append(tuple(reduce(f, column) for f, column in zip(operations, columns, strict=True)))
    return exact


def _exactly(element: Element, k: int) -> Callable[[Any, Any], Number | None]:
    """Return the operation that combines operand k as a function of exact numbers, or None."""
    inner = combining(element.reduction.body, k)
    if inner is None or not _is_known(inner) or inner.result.type.storage_type.kind == "complex":
        return lambda a, b: None
    exactly = FORMULAS[formula(inner)]
    if inner.operands[0] == element.reduction.body.arguments[k]:
        return exactly
    return lambda a, b: exactly(b, a)


def _is_known(op: Op) -> bool:
    """Return whether the operation's exact result is known for any two numbers."""
    return facts(op).exact and len(op.operands) == 2 and not facts(op).undefined


def _line(stored: Tensor, value: Any, exact: Number | None) -> str:
    """Return the line `stored 127, value 63.75, exact 82.25: 74 steps off`."""
    type = stored.type.element_type
    text = f"stored {number(stored.storage.item())}"
    if isinstance(type, QuantizedType):
        text += f", value {number(value)}"
    text += f", exact {'unknown' if exact is None else short(exact)}"
    return f"{text}{_distance(type, stored, exact)}, {type!r}"


def _distance(type: Type, stored: Tensor, exact: Number | None) -> str:
    """Return the distance of the stored number from the exact one as text, in steps if quantized."""
    if not isinstance(exact, Fraction):
        return ""
    unit = unit_at(type, (), ())
    held = unit.number(stored.storage.item())
    if not isinstance(held, Fraction) or held == exact:
        return ""
    steps = (held - exact) / unit.scale
    return f" ({short(steps)} steps)" if isinstance(type, QuantizedType) else f" ({short(steps)})"


def short(x: Number) -> str:
    """Return a number as text; for an enormous one, its order of magnitude."""
    if isinstance(x, Fraction) and max(x.numerator.bit_length(), x.denominator.bit_length()) > 3 * _DIGITS:
        bits = x.numerator.bit_length() - x.denominator.bit_length()
        return f"about {'-' if x < 0 else ''}2**{bits}"
    return number(x)


def in_steps(exact: Number, unit: Unit) -> Number:
    """Return a number in expressed units as a stored number, neither rounded nor clamped."""
    return exact / unit.scale + unit.zero_point if isinstance(exact, Fraction) else exact


def real(x: Number) -> str:
    """Return a number in expressed units as text, to six digits."""
    if isinstance(x, Fraction) and abs(x) > MOST:
        return f"{Decimal(x.numerator) / x.denominator:.6g}"
    return f"{x:.6g}" if isinstance(x, complex) else f"{float(x):.6g}"
