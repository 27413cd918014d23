"""State of a soak: counts, failures, and where it goes on. Written beside, then replaced."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from interp.engine.files import write_text
from soaking.outcome import Counts, Failure

KINDS = ("program", "damaged")
KEPT = 20  # failures of one sort that are kept


@dataclass
class State:
    """The work done with one seed: of each kind, all items below `next`, and the blocks in `ahead`."""

    seed: int = 0
    next: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    ahead: dict[str, list[list[int]]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    counts: Counts = field(default_factory=Counter)
    sorts: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    cpu: dict[str, float] = field(default_factory=lambda: dict.fromkeys(KINDS, 0.0))
    wall: float = 0.0

    def done(self, kind: str) -> int:
        """Return how many items of a kind are done."""
        return self.next[kind] + sum(len(block) for block in self.ahead[kind])

    def found(self, failure: Failure) -> bool:
        """Keep a failure; return whether it is the first of its sort."""
        self.sorts[failure.sort] += 1
        if self.sorts[failure.sort] <= KEPT:
            self.failures.append(failure)
        return self.sorts[failure.sort] == 1

    def finish(self, kind: str, numbers: tuple[int, ...]) -> None:
        """Count a block as done."""
        self.ahead[kind].append(list(numbers))
        self.ahead[kind].sort()
        while self.ahead[kind] and self.ahead[kind][0][0] == self.next[kind]:
            self.next[kind] += len(self.ahead[kind].pop(0))

    def save(self, path: Path) -> None:
        """Write the file, or leave the old one as it was."""
        write_text(path, json.dumps(vars(self), indent=1))

    @staticmethod
    def load(path: Path, seed: int | None) -> State:
        """Return the state in a file, or a new one where there is none."""
        if not path.exists():
            return State(seed or 0)
        fields = json.loads(path.read_text())
        state = State(**fields)
        state.counts, state.sorts = Counter(state.counts), Counter(state.sorts)
        state.failures = [Failure(*failure) for failure in state.failures]
        if seed not in (None, state.seed):
            raise SystemExit(
                f"{path}: expected seed {state.seed}, with which it was begun, got {seed}\n"
                f"  leave out --seed to go on, or name another file with --state"
            )
        return state
