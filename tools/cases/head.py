"""The head comment of a conformance case, without its program; `apps/suite/cases.py` lists its lines."""

from __future__ import annotations

import re
from typing import NamedTuple

LINE = re.compile(r"// (schedules|args|expect|permitted|wrong)(?: \((.*?)\))?:(?: (.*))?")


class Head(NamedTuple):
    """A case in parts. `permitted` and `wrong` have results by name; "" means that they are to be derived.

    `prose` holds the lines that only an author can write: clause, reason, derivation, mode and dialect.
    """

    prose: list[str]
    any_schedule: bool
    args: list[str]
    expect: list[str]
    permitted: dict[str, str]
    wrong: dict[str, str]
    program: str

    @property
    def is_new(self) -> bool:
        """Return whether the author left all results to be derived."""
        return not self.expect

    @property
    def by_hand(self) -> bool:
        return any(line.startswith("// derivation: by hand") for line in self.prose)

    @property
    def dialect(self) -> str:
        return "rfc" if "// dialect: rfc" in self.prose else "stablehlo"


def parsed(text: str) -> Head:
    """Split a case's text."""
    lines = text.splitlines()
    length = next((k for k, line in enumerate(lines) if not line.startswith("//")), len(lines))
    derived = [found for line in lines[:length] if (found := LINE.fullmatch(line.rstrip()))]
    prose = [line for line in lines[:length] if not LINE.fullmatch(line.rstrip())]

    def values(key: str) -> list[str]:
        return [line[3] or "" for line in derived if line[1] == key]

    def named(key: str) -> dict[str, str]:
        return {name: line[3] or "" for line in derived if line[1] == key for name in line[2].split("; ")}

    program = "".join(line + "\n" for line in lines[length:])
    any_schedule = "any" in values("schedules")
    return Head(
        prose, any_schedule, values("args"), values("expect"), named("permitted"), named("wrong"), program
    )


def joined(head: Head) -> str:
    """Return the text of a case; names of the same results share a line."""
    lines = [*head.prose, *["// schedules: any"] * head.any_schedule]
    lines += [f"// args: {text}" for text in head.args] + [f"// expect: {text}" for text in head.expect]
    for key, answers in (("permitted", head.permitted), ("wrong", head.wrong)):
        names: dict[str, list[str]] = {}
        for name, results in answers.items():
            names.setdefault(results, []).append(name)
        lines += [f"// {key} ({'; '.join(alike)}): {results}" for results, alike in names.items()]
    return "\n".join(lines) + "\n" + head.program
