"""Delta debugging: a smallest part of a sequence that still fails (Zeller and Hildebrandt, 2002)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from interp.engine.work import Covered, Work

T = TypeVar("T")


@dataclass
class Delta(Generic[T]):
    """Search for a smallest part of a sequence for which `fails` is true.

    `fails` is asked once for each part, until the deadline of `work`: then the part known by then stands.
    what: the items in the plural, for progress.
    """

    fails: Callable[[Sequence[T]], bool]
    work: Work
    what: str
    known: dict[tuple[int, ...], bool] = field(default_factory=dict)
    items: Sequence[T] = ()
    late: bool = False

    def smallest(self, items: Sequence[T]) -> list[T]:
        """Return a part of `items`, which fail, from which no single item can be left out.

        That holds unless the deadline came before: then `work.covered` says how many items are left.
        """
        self.items = items
        part = self._minimize(self._window(tuple(range(len(items)))))
        done = len(items) - (len(part) if self.late else 0)
        self.work.covered.append(Covered(self.what, done, len(items)))
        return [items[k] for k in part]

    def _fails(self, part: tuple[int, ...]) -> bool:
        if not part:
            return False
        if part not in self.known:
            self.late = self.late or self.work.is_over
            if self.late:
                return False
            found = self.work.attempt(lambda: self.fails([self.items[k] for k in part]))
            self.late = found is None
            if found is None:
                return False
            self.known[part] = found
            self.work.tell(f"smallest of {len(self.items)} {self.what}", len(self.known), 0)
        return self.known[part]

    def _window(self, part: tuple[int, ...]) -> tuple[int, ...]:
        """Return a shorter part without a head and a tail, each found by halving."""
        low, high = 0, len(part)  # part[:high] fails, part[:low] does not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._fails(part[:middle]) else (middle, high)
        part = part[:high]
        low, high = 0, len(part)  # part[low:] fails, part[high:] does not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._fails(part[middle:]) else (low, middle)
        return part[low:]

    def _minimize(self, part: tuple[int, ...]) -> tuple[int, ...]:
        """Return a part without pieces that can be left out, of ever smaller sizes, until none can."""
        size = max(1, len(part) // 2)
        while True:
            before, place = part, 0
            while place < len(part):
                rest = part[:place] + part[place + size :]
                part, place = (rest, place) if self._fails(rest) else (part, place + size)
            if size == 1 and part == before:
                return part
            size = max(1, size // 2)
