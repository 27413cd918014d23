"""Results of a conformance run: an outcome for each case, and the report of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from interp.engine.work import Covered, Partly
from interp.suite.cases import Case
from interp.suite.reply import NOT_EXPRESSIBLE
from spec.accumulator import INTEGER
from spec.readings import ANY, OPEN

# What can be text of an answer, best first. `refused` conforms where the program breaks a constraint.
VERDICTS = ("exact", "permitted", "unknown", "wrong", "refused", "unsupported", "crashed", "timed out")


@dataclass(frozen=True)
class Outcome:
    """The verdict on one case. `mistake` is the known mistake that gives the same wrong answer, if any.

    `conforms` is true if the answer is shown to conform. `reading` is the reading of quantized operations for
    which the verdict holds, or "any" (`spec.readings`). `how` names the operators that a runtime with a
    format of its own ran, and `recipes` the recipes of requantization with which the integer reading gives
    its results, or None if none of them was asked.
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


@dataclass(frozen=True, repr=False)
class Report(Partly):
    """All outcomes of an implementation. A case that does not conform may be open: see `Outcome.is_open`."""

    name: str
    outcomes: tuple[Outcome, ...]
    covered: tuple[Covered, ...] = ()

    @property
    def ok(self) -> bool:
        """Return whether every case conforms that the implementation's format can express."""
        return not self.partial and all(outcome.conforms for outcome in self.expressible())

    @property
    def verdicts(self) -> tuple[str, ...]:
        """The verdicts of a table: `NOT_EXPRESSIBLE` among them only if it occurs."""
        return VERDICTS + (NOT_EXPRESSIBLE,) * (len(self.expressible()) < len(self.outcomes))

    def expressible(self, op: str = "") -> list[Outcome]:
        """Return the outcomes of an op, or all, whose programs the implementation's format can express."""
        return [o for o in self.outcomes if o.is_expressible and op in ("", o.case.op)]

    def counts(self, op: str = "") -> Counter[str]:
        """Return the number of cases of an op, or of all, with each verdict."""
        return Counter(o.verdict for o in self.outcomes if op in ("", o.case.op))

    def open(self, op: str = "") -> int:
        """Return the number of wrong answers of an op, or of all, that the integer reading may permit."""
        return sum(o.is_open for o in self.outcomes if op in ("", o.case.op))

    def elsewhere(self, op: str = "") -> int:
        """Return the number of answers of an op, or of all, that the integer reading alone permits."""
        return sum(o.is_elsewhere for o in self.outcomes if op in ("", o.case.op))

    @property
    def conclusion(self) -> str:
        """Summary: `184 of 503 cases conform, 9 of them in the integer reading; 37 are wrong, ...`."""
        conform, wrong = sum(o.conforms for o in self.outcomes), self.counts()["wrong"]
        text = f"{conform} of {len(self.expressible())} cases conform"
        text += f", {self.elsewhere()} of them in the integer reading" * (self.elsewhere() > 0)
        text += f"; {wrong} are wrong" * (wrong > 0)
        which = "which" if wrong == self.open() else f"of which {self.open()}"
        text += f", {which} are {OPEN}" * (self.open() > 0)
        others = len(self.outcomes) - len(self.expressible())
        text += f"; {self.shortfall}" if self.partial else ""
        return text + f"; {others} more are {NOT_EXPRESSIBLE}" * (others > 0)

    @property
    def ops(self) -> list[str]:
        return sorted({o.case.op for o in self.outcomes})

    def mistakes(self) -> Counter[str]:
        """Return the number of wrong answers that each known mistake explains, alone or beside others."""
        return Counter(name for o in self.outcomes for name in o.mistake.split("; ") if name)

    def constraints(self) -> dict[str, list[Outcome]]:
        """Return, for each constraint of the ops, the outcomes of its violating cases; [] if it has none."""
        found: dict[str, list[Outcome]] = {code: [] for code in constraint_codes(self.ops)}
        for outcome in self.outcomes:
            if outcome.case.constraint:
                found.setdefault(constraint_of(outcome.case), []).append(outcome)
        return found

    def __repr__(self) -> str:
        """Return the tables that `interp conformance` prints."""
        from interp.suite.conformance_report import as_text

        return as_text(self)


def constraint_codes(ops: Sequence[str]) -> list[str]:
    """Return the codes of all constraints of the ops, in the specification's order."""
    from spec.rules.quantized_type import QUANTIZED_TYPE
    from spec.rules.table import CONSTRAINTS

    rows = {name.removeprefix("stablehlo."): rows for name, rows in CONSTRAINTS.items()}
    rows["quantized_type"] = QUANTIZED_TYPE
    return [f"{op}_{row.label}" for op in ops for row in rows.get(op, ())]


def constraint_of(case: Case) -> str:
    """Return the code of the constraint that a case violates, as it states or as its file is named."""
    named = f"{case.op}_{case.id.partition('/')[2].partition('_')[0]}"
    return next(filter(None, case.violations.values()), named)
