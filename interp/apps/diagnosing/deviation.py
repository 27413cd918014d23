"""A deviation from a program's declared meaning: a sentence, where it can occur, and a way to compute."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from interp.apps.diagnosing.way import Way
from spec.ir import Op


@dataclass(frozen=True, eq=False)
class Deviation:
    """One deviation from the declared meaning.

    aspect: deviations of one aspect exclude each other, so that pairs are of two aspects. applies: whether
    it can occur at an operation. fields: what it sets in a `Way`.
    """

    name: str
    sentence: str
    aspect: str
    applies: Callable[[Op], bool]
    fields: dict[str, Any]

    def __repr__(self) -> str:
        return self.name

    def of(self, way: Way) -> Way:
        """Return a way with this deviation."""
        return replace(way, **self.fields)

    def goes_with(self, other: Deviation) -> bool:
        """Return whether a device may have both: an accumulator of groups leaves nothing to lanes."""
        fields = {**self.fields, **other.fields}
        machine = fields.get("machine")
        grouped = machine is not None and machine.grouping and "lanes" in fields
        return self.aspect != other.aspect and not grouped
