"""All events of a trace as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from interp.execute.record import Record
from interp.recorder.event import Event
from interp.recorder.severity import SEVERITIES
from spec.errors import Malformed, Unsupported
from spec.options import whole

if TYPE_CHECKING:
    import pandas

MOST = 1_000_000  # rows, where no limit is given
NO_LEAF = -1
OBJECTS = ("index", "operands", "exact", "stored")


def table(of: Record, limit: int | None = None) -> np.ndarray:
    """Return one row for each event that is shown, in the sequence in which they happened; the first `limit`.

    Fields: `kind`, `op` (its name), `location`, `what` and `index` (the tensor and a tuple, or None),
    `first` and `last` (the leaves under the node, -1 outside of a tree), `operands` (a tuple), `exact` and
    `stored`: see `Event`. `of.counts` has their number; beyond a million events a limit must be given.
    """
    total = sum(group.count for group in of.shown)
    if limit is None and total > MOST:
        raise Malformed(f"there are {total:,} events", "take the first ones: table(limit=100_000)")
    wanted = total if limit is None else min(whole(limit, "number of rows"), total)
    events = of.kept if len(of.kept) >= wanted else _again(of, wanted)
    rows = [_row(event) for event in events[:wanted]]
    widths = {name: max((len(row[k]) for row in rows), default=1) for k, name in enumerate(_TEXTS)}
    texts = [(name, f"U{width}") for name, width in widths.items()]
    return np.array(rows, [*texts, ("first", "i8"), ("last", "i8"), *((name, "O") for name in OBJECTS)])


def frame(of: Record, limit: int | None = None) -> pandas.DataFrame:
    """Return `table` as a pandas DataFrame."""
    try:
        import pandas
    except ImportError:
        raise Unsupported("pandas is not installed", "pip install 'stablehlo-interp[frame]'") from None
    return pandas.DataFrame.from_records(table(of, limit))


_TEXTS = ("kind", "op", "location", "what")


def _row(event: Event) -> tuple[Any, ...]:
    name, location = event.name, str(event.location)
    first, last = event.leaves or (NO_LEAF, NO_LEAF)
    texts = event.kind, name, location, event.what
    return (*texts, first, last, event.index, event.operands, event.exact, event.stored)


def _again(of: Record, keep: int) -> tuple[Event, ...]:
    """Run the program again, and return its events."""
    kinds = {group.kind for group in of.shown} if len(of.severities) == len(SEVERITIES) else None
    return of.first_events(keep, kinds)
