"""The files that a conformance report is written to."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import NamedTuple

from interp.apps.suite.outcome import Outcome, headline
from interp.apps.suite.report import Report, as_json, as_junit
from interp.engine.files import write_text
from interp.engine.inputs import writable
from interp.engine.markup import Html, document, tag
from spec.accumulator import INTEGER, READINGS
from spec.readings import ELSEWHERE, OPEN, READING, in_reading


class ReportFiles(NamedTuple):
    """Files of the report, by format; None for a format that is not wanted."""

    junit: str | Path | None = None
    json: str | Path | None = None
    html: str | Path | None = None

    def check(self) -> None:
        """Raise `Malformed` if a file's folder cannot be written to; called before a long run."""
        for path in self:
            if path:
                writable(Path(path).parent)

    def write(self, report: Report) -> list[Path]:
        """Write the report in every wanted format, and return the files."""
        formats = zip(self, (as_junit, as_json, as_html), strict=True)
        wanted = [(Path(path), text) for path, text in formats if path]
        for path, text in wanted:
            write_text(path, text(report))
        return [path for path, _ in wanted]


# A conformance report as one HTML page.
#
# It can be read without network, scripts and mouse, and has a light and a dark theme.


STYLE = """\
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #c62828; --other: #8a6100; }
@media (prefers-color-scheme: dark) { :root { --good: #5fd383; --bad: #ff8a80; --other: #e6b450; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 0 0 2rem; }
caption { text-align: left; font-weight: 600; font-size: 1.15rem; padding: .5rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .7rem; text-align: left; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0; font-size: .85rem; }
summary { cursor: pointer; }
:focus-visible { outline: 3px solid; outline-offset: 2px; }
.good { color: var(--good); } .bad { color: var(--bad); } .other { color: var(--other); }
[hidden] { display: none; }
label { margin-right: 1rem; }
h1, th, td { overflow-wrap: anywhere; }
@media (max-width: 820px) {
  body { margin: 1rem auto; }
  thead { position: absolute; left: -100rem; }
  table, tbody, caption { display: block; }
  tr:not([hidden]) {
    display: grid; gap: .25rem 1rem; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr));
  }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  th, td, td.n { display: block; border: 0; padding: 0; text-align: left; }
  td:empty { display: none; }
  tbody th, td:has(details) { grid-column: 1 / -1; }
  td::before { content: attr(data-head); display: block; font-size: .8rem; opacity: .75; }
  label { display: block; margin: .5rem 0; }
}
"""
# Filters by verdict and by words; without it every case is shown.
SCRIPT = """
const form = document.querySelector("form"), rows = [...document.querySelectorAll("tr[data-verdict]")];
form.hidden = false;
const filter = () => {
  const words = form.words.value.toLowerCase().split(/\\s+/), verdict = form.verdict.value;
  let shown = 0;
  for (const row of rows) {
    const text = row.dataset.text;
    row.hidden = !(words.every(word => text.includes(word)) && ["", row.dataset.verdict].includes(verdict));
    shown += !row.hidden;
  }
  form.querySelector("output").textContent = `${shown} of ${rows.length} cases`;
};
form.addEventListener("input", filter);
form.addEventListener("submit", event => event.preventDefault());
filter();
"""


def as_html(report: Report) -> str:
    """Return the report as an HTML page."""
    title = f"Conformance of {report.name}"
    speaks = f"Verdicts on quantized operations speak of the {READING} reading: {READINGS[READING]}."
    speaks += f" What is wrong there is judged in the integer reading, too: {READINGS[INTEGER]}."
    head = tag("h1", title), tag("p", f"{report.conclusion}."), tag("p", speaks)
    parts = (
        *head,
        by_cause(report),
        by_op(report),
        known_mistakes(report),
        by_constraint(report),
        by_case(report),
    )
    content = "\n".join(["<main>", *parts, "</main>"])
    return document(title, STYLE, content, f"<script>{SCRIPT}</script>")


def table(caption: str, head: list[str], rows: list[Html]) -> Html:
    """Return a table; on a narrow screen a row is a card, whose cells have their columns' heads in front."""
    columns = tag("tr", *(tag("th", name, scope="col") for name in head))
    body = tag("tbody", *(part for row in rows for part in (Html("\n"), _with_heads(row, head[1:]))))
    return tag("table", tag("caption", caption), tag("thead", columns), body)


def _with_heads(row: Html, heads: list[str]) -> Html:
    start, *cells = row.split("<td")
    named = (f'<td data-head="{escape(head)}"{cell}' for head, cell in zip(heads, cells, strict=True))
    return Html(start + "".join(named))


def row(first: str, *cells: str | int) -> Html:
    """Return a row of a table, with numbers aligned right and zeros left out."""
    rest = (tag("td", str(x or ""), class_="n") if isinstance(x, int) else tag("td", x) for x in cells)
    return tag("tr", tag("th", first, scope="row"), *rest)


def by_op(report: Report) -> str:
    """Return a table of verdicts, and of how many wrong answers another reading may permit."""
    verdicts = report.verdicts
    at = verdicts.index("wrong") + 1
    head = ["op", *verdicts[:at], f"of these{in_reading(READING)}", *verdicts[at:]]
    rows = []
    for op in [*report.ops, ""]:
        numbers = [report.counts(op)[v] for v in verdicts]
        rows.append(row(op or "all", *numbers[:at], report.open(op), *numbers[at:]))
    return table("Verdicts", head, rows)


def by_cause(report: Report) -> Html:
    """Return a table of what is wrong, by cause, and what to do about cases that are not supported."""
    rows = []
    for cause in report.causes:
        cases = ", ".join(outcome.case.id for outcome in cause.outcomes)
        evidence = tag("details", tag("summary", cause.text or "cases"), tag("pre", cases))
        cells = tag("td", cause.name, evidence), tag("td", str(len(cause.outcomes)), class_="n")
        rows.append(tag("tr", tag("th", cause.verdict, scope="row"), *cells))
    found = table("What is wrong", ["verdict", "cause", "cases"], rows) if rows else Html("")
    return Html(found + tag("p", report.hint)) if report.hint else found


def known_mistakes(report: Report) -> str:
    found = report.mistakes().most_common()
    rows = [row(name, count) for name, count in found]
    title = f"Wrong answers{in_reading(READING)} that a known mistake, or another arithmetic, explains"
    return table(title, ["mistake or arithmetic", "cases"], rows) if rows else ""


def by_constraint(report: Report) -> str:
    def state(outcomes: list[Outcome]) -> str:
        if not outcomes:
            return "not covered"
        return "upheld" if all(o.conforms for o in outcomes) else "not upheld"

    rows = [
        row(code, state(found), ", ".join(o.case.id.partition("/")[2] for o in found))
        for code, found in report.constraints().items()
    ]
    content = table("Constraints and their violating cases", ["constraint", "state", "cases"], rows)
    return tag("details", tag("summary", f"Constraints: {len(rows)}"), content)


def by_case(report: Report) -> str:
    options = "".join(f"<option>{verdict}</option>" for verdict in report.verdicts)
    form = (
        '<form hidden="hidden"><label>Words <input name="words" type="search"/></label>'
        f'<label>Verdict <select name="verdict"><option value="">all</option>{options}</select></label>'
        '<output aria-live="polite"></output></form>'
    )
    rows = [case_row(outcome) for outcome in report.outcomes]
    return form + table("Cases", ["case", "verdict", "clause and evidence"], rows)


def case_row(outcome: Outcome) -> Html:
    case = outcome.case
    is_bad = outcome.verdict in ("wrong", "crashed") and not outcome.is_open
    color = "good" if outcome.conforms else "bad" if is_bad else "other"
    verdict = OPEN if outcome.is_open else ELSEWHERE if outcome.is_elsewhere else outcome.verdict
    cause = outcome.mistake or ("" if outcome.verdict == "exact" else headline(outcome))
    words = f"{case.id} {case.clause} {outcome.verdict} {cause}".lower()
    texts = (tag("pre", text) for text in (outcome.detail, case.text) if text)
    evidence = tag("details", tag("summary", cause or "program"), *texts)
    cells = tag("td", verdict, class_=color), tag("td", case.clause, evidence)
    head = tag("th", case.id, scope="row")
    return tag("tr", head, *cells, data_verdict=outcome.verdict, data_text=words)
