"""The table of LiteRT's operators: a function for each, by name."""

from __future__ import annotations

from interp.apps.litert import (
    contractions,
    elementwise,
    indexing,
    lstm,
    movement,
    reductions,
    resizing,
    softmax,
    state,
    tables,
)
from interp.apps.litert.node import Build

FAMILIES = (contractions, elementwise, indexing, lstm, movement, reductions, resizing, softmax, state, tables)
TABLE: dict[str, Build] = {name: build for family in FAMILIES for name, build in family.TABLE.items()}
