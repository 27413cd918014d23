"""Links of a chain: one element each, with its exact result and its events, and the chain as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.facts import facts
from interp.engine.markup import Display, align, join_lines
from interp.engine.quant import Type, spread
from interp.recorder.accumulator import in_steps, real
from interp.recorder.accumulator import short as shortened
from interp.recorder.batch import Batch, Judgement
from interp.recorder.element import Mark
from interp.recorder.event import number, short
from interp.recorder.exact import FORMULAS, Number, Unit, formula, unit_at
from interp.recorder.names import with_layer
from interp.recorder.watcher import Watcher
from spec.accumulator import Reading
from spec.ir import Op, Value
from spec.types import QuantizedType, TensorType

Index = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Link(Display):
    """One element of a chain: `stored`, and its `sources`, the elements that it was computed from.

    `type` is its element type, of one scale. `exact` is the exact result of the operation on the stored
    operands, in expressed units; None where that is unknown, and where the operation only moves elements.
    `marks` are the events that the element caused. `stops` says why nothing before it is shown, or is "".
    `op` is None for an element that no operation of the program computed. `layer` is the name of its layer.
    """

    name: str
    op: Op | None
    index: Index
    type: Type
    stored: Any
    exact: Number | None = None
    marks: tuple[Mark, ...] = ()
    sources: tuple[Link, ...] = ()
    stops: str = ""
    layer: str = ""

    @property
    def title(self) -> str:
        """The name with that of the layer."""
        return with_layer(self.name, self.layer)

    @property
    def unit(self) -> Unit:
        return unit_at(self.type, (), ())

    @property
    def value(self) -> Number:
        """The number that the element represents, in expressed units."""
        return self.unit.number(self.stored)

    @property
    def lost(self) -> Number:
        """The exact result of the operation minus the stored one, in expressed units; 0 if not known."""
        known = isinstance(self.exact, Fraction) and isinstance(self.value, Fraction)
        return self.exact - self.value if known else Fraction(0)  # type: ignore[operator]

    @property
    def kinds(self) -> list[str]:
        """The kinds of events, except erratum E1, which concerns a literal reading."""
        return [kind for kind in dict.fromkeys(mark.kind for mark in self.marks) if kind != "erratum"]


def type_at(value: Value, index: Index) -> Type:
    """Return the element type of one element: of a type with several scales, the one with its own."""
    type, shape = value.type.element_type, value.type.shape
    if not isinstance(type, QuantizedType) or type.is_per_tensor:
        return type

    def own(parameters: tuple[Any, ...], dtype: Any) -> tuple[Any, ...]:
        return (np.broadcast_to(spread(NUMPY, parameters, dtype, type, shape), shape)[index].item(),)

    scales, points = own(type.scales, np.float64), own(type.zero_points, np.int64)
    alone = replace(type, quantization_dimension=None, block_sizes=None, parameters_shape=())
    return replace(alone, scales=scales, zero_points=points)


def exact_result(op: Op, types: Sequence[Type], stored: Sequence[Any], result: Type) -> Number | None:
    """Return the exact result of an operation on stored operands, in expressed units, or None."""
    name = formula(op)
    divides = name == "divide" and not isinstance(result, QuantizedType) and result.is_integer
    storages = [t.storage_type if isinstance(t, QuantizedType) else t for t in (*types, result)]
    plain = any(t.kind == "complex" for t in storages) or storages[-1].kind == "boolean"
    if not facts(op).computes or name not in FORMULAS or divides or plain:
        return None
    reals = [unit_at(type, (), ()).number(x) for type, x in zip(types, stored, strict=True)]
    with np.errstate(all="ignore"), suppress(ZeroDivisionError):
        found = FORMULAS[name](*reals)
        return found.item() if isinstance(found, np.ndarray | np.generic) else found
    return None


class _Marking(Watcher):
    """Listener that keeps the events of one element."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.marks: list[Mark] = []
        self.on_reading(reading)

    def note(self, batch: Batch, found: Judgement) -> None:
        self.marks.append(Mark(found.kind, batch.inner, found.exact(0)))


def marks_of(
    op: Op, types: Sequence[Type], stored: Sequence[Any], result: Type, out: Any, reading: Reading
) -> tuple[Mark, ...]:
    """Return the events of an elementwise operation at one element, as a trace finds them."""
    if not facts(op).computes:
        return ()
    operands = tuple(_alone(value, type) for value, type in zip(op.operands, types, strict=True))
    alone = replace(op, operands=operands, results=(_alone(op.result, result),))
    marking = _Marking(reading)
    with np.errstate(all="ignore"):
        arrays = tuple(map(_array, operands, stored))
        marking.on_op(alone, arrays, (_array(alone.result, out),), None)
    return tuple(marking.marks)


def _alone(value: Value, type: Type) -> Value:
    return Value(value.name, TensorType((1,), type))


def _array(value: Value, stored: Any) -> np.ndarray:
    return np.array([stored], NUMPY.carrier(value.type.storage_type))


# A chain as text: a row for each element, indented under the one that was computed from it.

SHOWN = 40  # rows
DEEP = 12  # levels that are indented
HEADER = ("element", "operation", "stored", "value", "exact", "lost", "")


def text(links: Sequence[Link]) -> str:
    """Return a chain, the explained element first, as a table between a heading and what was lost."""
    return join_lines(_lines(links))


def _lines(links: Sequence[Link]) -> Iterator[str]:
    link = links[0]
    operation = f"{short(link.op)} " if link.op else ""
    yield f"{operation}{link.title} at {link.index} in {link.type!r}"
    rows = list(_rows(link, 0, set()))
    table = [HEADER, *rows[:SHOWN]]
    keep = [c for c in range(len(HEADER)) if any(row[c] for row in table[1:])]
    left = [k for k, c in enumerate(keep) if c in (0, 1, 6)]
    yield from align([[row[c] for c in keep] for row in table], left, indent=2)
    if len(rows) > SHOWN:
        yield f"  ... {len(rows) - SHOWN:,} more rows: .links has every element ..."
    yield _ending(links)


def _rows(link: Link, depth: int, shown: set[int]) -> Iterator[tuple[str, ...]]:
    """Yield the row of an element and those before it; one that was shown already has no rows below it."""
    stack = [(link, depth)]
    while stack:
        link, depth = stack.pop()
        again = id(link) in shown and bool(link.sources)
        yield _cells(link, depth, again)
        if not again:
            shown.add(id(link))
            stack += [(source, depth + 1) for source in reversed(link.sources)]


def _cells(link: Link, depth: int, again: bool) -> tuple[str, ...]:
    index = f" [{', '.join(map(str, link.index))}]" if link.index else ""
    quantized = isinstance(link.type, QuantizedType)
    value = real(link.value) if quantized else ""
    exact = shortened(in_steps(link.exact, link.unit)) if link.exact is not None and link.lost else ""
    lost = real(link.lost) if link.lost else ""
    note = f"! {', '.join(link.kinds)}" if link.kinds else "as above" if again else link.stops
    operation = short(link.op) if link.op else ""
    place = f"{'  ' * min(depth, DEEP)}{link.title}{index}"
    return place, operation, number(link.stored), value, exact, lost, note


def _ending(links: Sequence[Link]) -> str:
    """Return a line with the stored number, and with the operations that lost something on the way."""
    link = links[0]
    stored = number(link.stored) + (f" = {real(link.value)}" if isinstance(link.type, QuantizedType) else "")
    lossy = [each for each in reversed(links) if each.lost or each.kinds]
    if not lossy:
        return f"  result {stored}; nothing was lost since {_ends(links)}"
    places = ", ".join(dict.fromkeys(f"{each.title} ({_loss(each)})" for each in lossy[:SHOWN]))
    return f"  result {stored}; lost at {places}"


def _loss(link: Link) -> str:
    kinds = ", ".join(link.kinds)
    lost = real(link.lost) if link.lost else ""
    return " ".join(part for part in (kinds or "rounding", lost) if part)


def _ends(links: Sequence[Link]) -> str:
    names = list(dict.fromkeys(link.name for link in links if link.stops))
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
