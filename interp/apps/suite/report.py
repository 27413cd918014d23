"""Results of a conformance run: an outcome for each case, and the report of all of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from typing import Any
from xml.etree import ElementTree

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from interp.apps.runtimes.translation import NOT_EXPRESSIBLE
from interp.apps.suite.cases import Case
from interp.apps.suite.causes import Cause, causes_of, hint_of
from interp.apps.suite.outcome import VERDICTS, Outcome, headline
from interp.engine.work import Covered, Partly
from spec.accumulator import READINGS
from spec.readings import ANY, ELSEWHERE, OPEN, READING
from spec.recipes import RECIPES


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

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """The causes of wrong answers, the worst first; the first use runs `diagnose` for at most 20 s."""
        return causes_of(self.outcomes)

    @property
    def hint(self) -> str:
        """Advice about the cases that are not supported; "" if there are none."""
        return hint_of(self.outcomes)

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

        return as_text(self)


def constraint_codes(ops: Sequence[str]) -> list[str]:
    """Return the codes of all constraints of the ops, in the specification's order."""
    from spec.rules.quant_dialect import QUANTIZED_TYPE
    from spec.rules.verify import CONSTRAINTS

    rows = {name.removeprefix("stablehlo."): rows for name, rows in CONSTRAINTS.items()}
    rows["quantized_type"] = QUANTIZED_TYPE
    return [f"{op}_{row.label}" for op in ops for row in rows.get(op, ())]


def constraint_of(case: Case) -> str:
    """Return the code of the constraint that a case violates, as it states or as its file is named."""
    named = f"{case.op}_{case.id.partition('/')[2].partition('_')[0]}"
    return next(filter(None, case.violations.values()), named)


# A conformance report as a table, as JSON and as JUnit's XML.
#
# Answers that are wrong in the dequantize reading, but permitted in the integer reading, or not known to be
# wrong there, are always marked.


WIDTH = 120  # columns, where no terminal says how many
FAILURES = ("wrong", "refused", "crashed", "timed out")


def show(report: Report, console: Console) -> None:
    """Print what is wrong, by cause, then verdicts by op and constraints on a console."""
    if report.causes:
        console.print(wrong_things(report))
    if report.hint:
        console.print(f"{report.hint}\n", markup=False, soft_wrap=True)
    console.print(verdicts(report))
    has_operators = any(outcome.how for outcome in report.outcomes)
    console.print(operators(report) if has_operators else constraints(report))
    console.print(f"{report.name}: {report.conclusion}", markup=False)


def as_text(report: Report) -> str:
    """Return the tables of `show` as plain text."""
    console = Console(file=StringIO(), width=WIDTH, color_system=None)
    with console.capture() as shown:
        show(report, console)
    return shown.get().rstrip()


def plain(title: str, *columns: str) -> Table:
    return Table(*columns, title=escape(title), title_justify="left", box=SIMPLE_HEAD, pad_edge=False)


def verdicts(report: Report) -> Table:
    table = plain(f"conformance of {report.name} in the {READING} reading", "op", *report.verdicts, "conform")
    for column in table.columns:
        column.no_wrap, column.justify = True, "left" if column.header == "op" else "right"
    for op in [*report.ops, ""]:
        counts, outcomes = report.counts(op), report.expressible(op)
        conform = f"{sum(o.conforms for o in outcomes)} of {len(outcomes)}"
        marked = {"permitted": report.elsewhere(op), "wrong": report.open(op)}
        cells = [count_cell(counts[v], marked.get(v, 0)) for v in report.verdicts]
        table.add_row(op or "all", *cells, conform, style="" if op else "bold")
    marks = [ELSEWHERE] * (report.elsewhere() > 0) + [OPEN] * (report.open() > 0)
    if marks:
        table.caption, table.caption_justify = f"in brackets: {'; '.join(marks)}", "left"
    return table


def count_cell(count: int, open: int) -> str:
    """Return `37 (30)`: a number of cases, and how many of them the integer reading permits or may permit."""
    return (str(count) if count else "") + (f" ({open})" if open else "")


def wrong_things(report: Report) -> Table:
    """Return what does not conform, by cause."""
    table = plain("what is wrong", "verdict", "cause", "cases", "for example")
    for cause in report.causes:
        text = cause.name + f"\n  {cause.text}" * bool(cause.text)
        table.add_row(cause.verdict, escape(text), str(len(cause.outcomes)), cause.example)
    return table


def operators(report: Report) -> Table:
    """Return verdicts by the operators that a runtime ran; a case counts for each of its operators."""
    occurring = {outcome.verdict for outcome in report.outcomes if outcome.how}
    judged = [v for v in report.verdicts if v in occurring]
    table = plain("operators that ran", "operator", *judged, "recipes of what conforms", "for example")
    for name in sorted({name for outcome in report.outcomes for name in outcome.how}):
        found = [o for o in report.outcomes if name in o.how]
        counts = Counter(o.verdict for o in found)
        cells = (str(counts[v] or "") for v in judged)
        table.add_row(name, *cells, recipes(found), min(found, key=conforms).case.id)
    return table


def recipes(outcomes: Sequence[Outcome]) -> str:
    """Return the recipes of requantization that give every result that conforms, where they matter."""
    asked = [set(o.recipes) for o in outcomes if o.recipes is not None and o.conforms]
    common = set.intersection(*asked) if asked else set()
    return "any" if common == set(RECIPES) else ", ".join(name for name in RECIPES if name in common)


def conforms(outcome: Outcome) -> bool:
    return outcome.conforms


def constraints(report: Report) -> Table:
    """Return, per op, how many constraints have a violating case, and how many of those are refused."""
    table = plain("constraints", "op", "constraints", "covered", "upheld", "not covered")
    found = report.constraints()
    for op in report.ops:
        codes = [code for code in found if code.rpartition("_")[0] == op]
        covered = [code for code in codes if found[code]]
        upheld = [code for code in covered if all(o.conforms for o in found[code])]
        missing = ", ".join(code.rpartition("_")[2] for code in codes if not found[code])
        table.add_row(op, str(len(codes)), str(len(covered)), str(len(upheld)), missing)
    return table


def as_dict(report: Report) -> dict[str, Any]:
    """Return the report as JSON values; `conforms` is null for cases that the integer reading may permit."""
    return {
        "implementation": report.name,
        "reading": READING,
        "reading means": READINGS[READING],
        "counts": {op: dict(report.counts(op)) for op in report.ops},
        "conform": sum(o.conforms for o in report.outcomes),
        "wrong": {ANY: report.counts()["wrong"] - report.open(), READING: report.open()},
        ELSEWHERE: report.elsewhere(),
        "conclusion": report.conclusion,
        "mistakes": dict(report.mistakes()),
        "causes": [cause.to_dict() for cause in report.causes],
        "constraints": {code: [o.case.id for o in found] for code, found in report.constraints().items()},
        "cases": case_rows(report),
    }


def case_rows(report: Report) -> list[dict[str, Any]]:
    """Return the outcome of each case as JSON values."""
    return [
        {
            "case": o.case.id,
            "clause": o.case.clause,
            "verdict": o.verdict,
            "reading": o.reading,
            "conforms": None if o.is_open or not o.is_expressible else o.conforms,
            "mistake": o.mistake,
            "detail": o.detail,
            "how": list(o.how),
            "recipes": None if o.recipes is None else list(o.recipes),
            "seconds": round(o.seconds, 4),
        }
        for o in report.outcomes
    ]


def as_json(report: Report) -> str:
    return json.dumps(as_dict(report), indent=1) + "\n"


def as_junit(report: Report) -> str:
    """Return a test suite for each op; programs that an implementation does not support are skipped."""
    top = ElementTree.Element("testsuites", name=f"conformance of {report.name}")
    for op in report.ops:
        outcomes = [o for o in report.outcomes if o.case.op == op]
        failures = sum(not o.conforms and o.verdict in FAILURES for o in outcomes)
        skipped = sum(not o.conforms and o.verdict not in FAILURES for o in outcomes)
        totals = {"name": op, "tests": len(outcomes), "failures": failures, "skipped": skipped, "errors": 0}
        suite = ElementTree.SubElement(top, "testsuite", {k: str(v) for k, v in totals.items()})
        add_reading(suite, READING)
        for o in outcomes:
            name = o.case.id.partition("/")[2]
            case = ElementTree.SubElement(suite, "testcase", classname=op, name=name, time=f"{o.seconds:.4f}")
            add_reading(case, o.reading)
            if not o.conforms:
                kind = "failure" if o.verdict in FAILURES else "skipped"
                verdict = OPEN if o.is_open else o.verdict
                message = printable(f"{verdict}: {o.mistake or headline(o)}")
                ElementTree.SubElement(case, kind, message=message).text = printable(
                    f"{o.case.clause}\n{o.detail}"
                )
    ElementTree.indent(top)
    return ElementTree.tostring(top, encoding="unicode", xml_declaration=True) + "\n"


def add_reading(element: ElementTree.Element, reading: str) -> None:
    """Return a note about the reading of quantized operations for which a verdict holds."""
    properties = ElementTree.SubElement(element, "properties")
    ElementTree.SubElement(properties, "property", name="reading", value=reading)


def printable(text: str) -> str:
    """Return the text without the control characters that XML 1.0 cannot hold."""
    return "".join(c for c in text if c in "\t\n" or " " <= c < "\ufffe" or c > "\uffff")
