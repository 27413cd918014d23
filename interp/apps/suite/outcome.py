"""The outcome of one conformance case: a verdict on an implementation's answer, and the evidence."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from interp.apps.runtimes.translation import NOT_EXPRESSIBLE
from interp.apps.suite.cases import Arrays, Case
from interp.engine.markup import Display
from spec.accumulator import INTEGER
from spec.ir import Module
from spec.readings import ANY, in_reading

# What can be text of an answer, best first. `refused` conforms where the program breaks a constraint.
VERDICTS = ("exact", "permitted", "unknown", "wrong", "refused", "unsupported", "crashed", "timed out")


class Evidence(NamedTuple):
    """Results that are wrong, in the form of stored elements, with the program and its arguments."""

    module: Module
    args: Arrays
    results: Arrays
    mode: str


@dataclass(frozen=True)
class Outcome(Display):
    """The verdict on one case. `mistake` is the known mistake that gives the same wrong answer, if any.

    `conforms` is true if the answer is shown to conform. `reading` is the reading of quantized operations for
    which the verdict holds, or "any" (`spec.readings`). `how` names the operators that a runtime with a
    format of its own ran, and `recipes` the recipes of requantization with which the integer reading gives
    its results, or None if none of them was asked. `evidence` has
    the results that are wrong.
    """

    case: Case
    verdict: str
    conforms: bool
    mistake: str = ""
    detail: str = ""
    seconds: float = 0.0
    reading: str = ANY
    how: tuple[str, ...] = ()
    recipes: tuple[str, ...] | None = None
    evidence: Evidence | None = field(default=None, repr=False, compare=False)

    @property
    def is_expressible(self) -> bool:
        """Return whether the implementation's format can express the program, so that it can conform."""
        return self.verdict != NOT_EXPRESSIBLE

    @property
    def is_elsewhere(self) -> bool:
        """Return whether the integer reading permits the answer, which is wrong in the dequantize reading."""
        return self.verdict == "permitted" and self.reading == INTEGER

    @property
    def is_open(self) -> bool:
        """Return whether it is not known if the integer reading permits a wrong answer."""
        return self.verdict == "wrong" and self.reading != ANY


def verdict_of(outcome: Outcome) -> str:
    """Return the verdict, for a wrong answer together with the reading in which it is wrong."""
    return f"wrong{in_reading(outcome.reading)}" if outcome.verdict == "wrong" else outcome.verdict


def headline(outcome: Outcome) -> str:
    """Return the main line of a message, without its location and its program."""
    lines = [line.strip() for line in outcome.detail.splitlines() if line.strip()] or [""]
    if outcome.verdict == "wrong":
        return re.sub(r"(breaks) (\w+)_[a-z]\d+$", r"\1 a constraint of \2", lines[0])[:90]
    telling = next((x for x in lines if re.search(r"error:|ERROR|failed|cannot|must be", x)), lines[0])
    telling = re.sub(r'^.*?error: (?:"?[^" ]*"?:\d+:\d+: )?|"[^"]*":\d+:\d+: ', "", telling)
    telling = re.sub(r" \('[^']*'\)", "", telling)
    return re.split(r" that was|: %|: tensor| but got| #0|: [a-z0-9]+\[\]", telling)[0][:110]
