"""A chain as text: a row for each element, indented under the one that was computed from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interp.engine.markup import align
from interp.questions.links import Link
from interp.recorder.accumulator import in_steps, real
from interp.recorder.accumulator import short as shortened
from interp.recorder.event import number, short
from spec.types import QuantizedType

SHOWN = 40  # rows
DEEP = 12  # levels that are indented
HEADER = ("element", "operation", "stored", "value", "exact", "lost", "")


def text(links: Sequence[Link]) -> str:
    """Return a chain, the explained element first, as a table between a heading and what was lost."""
    return "\n".join(_lines(links))


def _lines(links: Sequence[Link]) -> Iterator[str]:
    link = links[0]
    operation = f"{short(link.op)} " if link.op else ""
    yield f"{operation}{link.name} at {link.index} in {link.type!r}"
    rows = list(_rows(link, 0, set()))
    table = [HEADER, *rows[:SHOWN]]
    keep = [c for c in range(len(HEADER)) if any(row[c] for row in table[1:])]
    left = [k for k, c in enumerate(keep) if c in (0, 1, 6)]
    yield from (f"  {line}" for line in align([[row[c] for c in keep] for row in table], left))
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
    place = f"{'  ' * min(depth, DEEP)}{link.name}{index}"
    return place, operation, number(link.stored), value, exact, lost, note


def _ending(links: Sequence[Link]) -> str:
    """Return a line with the stored number, and with the operations that lost something on the way."""
    link = links[0]
    stored = number(link.stored) + (f" = {real(link.value)}" if isinstance(link.type, QuantizedType) else "")
    lossy = [each for each in reversed(links) if each.lost or each.kinds]
    if not lossy:
        return f"  result {stored}; nothing was lost since {_ends(links)}"
    places = ", ".join(dict.fromkeys(f"{each.name} ({_loss(each)})" for each in lossy[:SHOWN]))
    return f"  result {stored}; lost at {places}"


def _loss(link: Link) -> str:
    kinds = ", ".join(link.kinds)
    lost = real(link.lost) if link.lost else ""
    return " ".join(part for part in (kinds or "rounding", lost) if part)


def _ends(links: Sequence[Link]) -> str:
    names = list(dict.fromkeys(link.name for link in links if link.stops))
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
