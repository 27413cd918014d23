"""The list of a program's operations on a page: all of them, to be searched, and what is known of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf

from interp.apps.pages.mark import Mark
from interp.apps.pages.picture import brief
from interp.apps.pages.profile import Layer
from interp.apps.pages.rows import Column, rows_of
from interp.apps.pages.shell import Section
from interp.engine.markup import tag
from interp.engine.storage import storage_range
from interp.recorder.event import short
from interp.recorder.names import with_layer
from spec.attributes import attributes_text
from spec.ir import Func, Op, nested_ops, reads
from spec.types import TensorType

FEW = 64  # operations that the graph and the text of the program show well enough
CUT = 400  # characters of an operation's attributes
LIMIT = 4  # numbers of a constant that are shown

Marked = Callable[[str], Mark | None]


def operations(
    func: Func,
    names: Mapping[str, str],
    marked: Marked,
    scopes: Mapping[str, str],
    layers: Iterable[Layer],
) -> Iterator[Section]:
    """Yield the section that lists the operations of a function without calls, if they are many.

    `names` are those to show for its values, and `marked` returns what is known of the value of such a name.
    `scopes` are the names of layers by the values in them, and `layers` the rows of the profile.
    """
    if not are_many(func):
        return
    ops = [op for op in nested_ops(func.body) if op.results]
    shown = [names.get(op.results[0].name, op.results[0].name) for op in ops]
    marks = [marked(name) or Mark() for name in shown]
    titles = [
        with_layer(name, scopes.get(op.results[0].name, "")) for op, name in zip(ops, shown, strict=True)
    ]
    columns = [
        Column("operation", titles, [f"operation/{name}" for name in shown]),
        Column("kind", [short(op) for op in ops]),
        Column("type", [brief(op.results[0].type) for op in ops]),
        Column("reads", [" ".join(names.get(v.name, v.name) for v in reads(op)) for op in ops]),
        Column("events", [mark.events for mark in marks]),
        *_numbers(marks),
        *_extremes(ops, shown, layers),
        Column("where", [str(op.location) for op in ops]),
        Column("attributes", [_attributes(op) for op in ops], is_shown=False),
    ]
    listed = rows_of("operations", "Operations in program order", columns)
    panel = tag("div", id="operation", class_="operation", aria_live="polite", tabindex="-1")
    yield Section("operations", "Operations", [listed, panel])


def are_many(func: Func) -> bool:
    """Return whether a function has more operations than its graph and its text show well."""
    return sum(1 for op in nested_ops(func.body) if op.results) > FEW


def _numbers(marks: Sequence[Mark]) -> Iterator[Column]:
    """Yield the columns of numbers of which any is known."""
    known = (
        Column("signal to noise, dB", [_decibels(mark.sqnr) for mark in marks]),
        Column("headroom, bits", [_bits(mark.headroom) for mark in marks]),
        Column("accumulator, bits", [None if mark.room is None else int(mark.room) for mark in marks]),
    )
    return (column for column in known if any(cell is not None for cell in column.cells))


def _extremes(ops: Sequence[Op], names: Sequence[str], layers: Iterable[Layer]) -> Iterator[Column]:
    """Yield the column of the extreme stored numbers of the layers, if any are known."""
    known = {layer.name: layer.mark.used for layer in layers if layer.mark.used is not None}
    if known:
        spans = (known.get(name) for name in names)
        yield Column("stored", [_span(op.results[0].type, x) for op, x in zip(ops, spans, strict=True)])


def _decibels(x: float | None) -> float | str | None:
    """Return a ratio for a cell, to a tenth; text where it is not finite."""
    return None if x is None else "exact" if x == inf else "none" if x == -inf else round(x, 1)


def _bits(x: float | None) -> float | str | None:
    return None if x is None else "any" if x == inf else "none" if x == -inf else round(x, 1)


def _span(type: TensorType, used: tuple[float, float] | None) -> str:
    """Return the extreme stored numbers, of their shares of the range: `−128 to 127`; "" if unknown."""
    if used is None:
        return ""
    low, high = storage_range(type.element_type)
    least, most = (round(low + share * (high - low)) for share in used)
    return f"{least:,} to {most:,}".replace("-", "−")


def _attributes(op: Op) -> str:
    text = attributes_text(op.name, op.attributes, LIMIT).strip()
    return text if len(text) <= CUT else f"{text[: CUT - 1]}…"


def fragment(name: str, pictured: bool = False) -> str:
    """Return the fragment of an operation's description, or of the pictures of a reduction."""
    return f"{'reduction' if pictured else 'operation'}/{name}"
