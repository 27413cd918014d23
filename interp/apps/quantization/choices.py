"""Decisions of preparation and materialization, each with its value and its evidence."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Choice:
    """One decision: the value it is about, the operation, the kind of decision, and what is known.

    kind: "accumulator", "bias", "zero point", "split", "float", "rescale", "batch norm". holds: whether what
    it relies on is proven. steps: the most steps of its type by which the value may differ from the float
    program's, given the same inputs of its region; None where no bound is known.
    """

    value: str
    operation: str
    kind: str
    text: str
    holds: bool = True
    steps: int | None = 0

    def __str__(self) -> str:
        return f"{self.value} ({self.operation}), {self.kind}: {self.text}"


@dataclass
class Choices:
    """The decisions of one materialization, in program order."""

    made: list[Choice] = field(default_factory=list)

    def note(
        self, value: str, operation: str, kind: str, text: str, holds: bool = True, steps: int | None = 0
    ) -> None:
        choice = Choice(value, operation.partition(".")[2] or operation, kind, text, holds, steps)
        if choice not in self.made:
            self.made.append(choice)
