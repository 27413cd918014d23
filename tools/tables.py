#!/usr/bin/env python3
"""Generated tables of the pages. Prints them; `--write` puts them into their pages, `--check` compares.

tools/tables.py --write                 every table, between `<!-- NAME -->` and `<!-- /NAME -->` of one page
tools/tables.py --check                 exit status 1 where a page says otherwise
tools/tables.py --conformance --check   and the one that runs every implementation, which takes minutes
tools/tables.py --runtimes --write      and the one of runtimes with other formats: all must be installed
tools/tables.py --runtimes=tosa,torch --write    ... of which only these rows are new
tools/tables.py --compilers --write     and the one of compilers of StableHLO, which takes half an hour
tools/tables.py --mutants --write       and the one of mutants of sums, which takes minutes
tools/tables.py --tolerances --write    and the one of mutants that tolerances miss, which takes minutes
tools/tables.py --sessions              what the pages' sessions print otherwise than the pages say
tools/tables.py --sessions --write      ... and write it there: read the difference before you commit it
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import operations  # noqa: E402
import sessions  # noqa: E402

import interp  # noqa: E402
import interp.apps.suite.conformance  # noqa: E402
from interp.apps.runtimes.runtimes import RUNTIMES, require, runtime  # noqa: E402
from interp.apps.suite.cases import (  # noqa: E402
    CASES,
    Case,
    discover,
)
from interp.apps.suite.compilers import iree_versions, require_iree  # noqa: E402
from interp.apps.suite.report import (  # noqa: E402
    VERDICTS,
    Report,
    count_cell,
)
from interp.command.verbs import VERBS  # noqa: E402
from interp.command.which import HAVE, QUESTIONS, verbs_in  # noqa: E402
from interp.engine.files import write_text  # noqa: E402
from interp.execute.agreement import AGREEMENT  # noqa: E402
from interp.recorder.event import KINDS  # noqa: E402
from spec.errata import ERRATA  # noqa: E402
from spec.hardware import PROFILES  # noqa: E402
from tests.library.onnx import onnx_divergences  # noqa: E402
from tests.test_layers import APPS, ROOMS  # noqa: E402


def markdown(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def errata() -> str:
    """Return the rows of the errata, with the files of their cases."""
    cases = {row.id: f"`testdata/{row.case}.mlir`" if row.case else "" for row in ERRATA}
    rows = [(x.id, x.text, x.we_do, x.why, x.section, cases[x.id], x.state) for x in ERRATA]
    return markdown(("id", "the text", "we do", "why", "where", "case", "state"), rows)


def questions() -> str:
    """Return the table of questions, each with what answers it in Python and as a command."""
    rows = [(x.have, x.question, x.python, x.command) for x in QUESTIONS]
    return markdown(("you have", "question", "in Python", "command"), rows)


def which() -> str:
    """Return the table of questions in few words, one row for all that may be asked about one thing."""
    asked = {
        have: "; ".join(
            f"{x.short}: {', '.join(f'`{verb}`' for verb in verbs_in(x))}"
            for x in QUESTIONS
            if x.have == have and x.short
        )
        for have in HAVE
    }
    return markdown(("you have", "you ask, and the verb"), list(asked.items()))


def agreement() -> str:
    """Return rows of the table, joining those that differ in the operation only."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for row in AGREEMENT:
        operation, on, type = row.what.partition(" on ")
        cells = f"`{row.left}`", f"`{row.right}`", f"{row.figure} {row.unit}", row.why
        alike.setdefault((on + type, *cells), []).append(operation)
    rows = [(", ".join(operations) + on, *cells) for (on, *cells), operations in alike.items()]
    return markdown(("what", "this", "against", "at most", "because"), rows)


def conformance() -> str:
    """Return the last line of `interp conformance --impl NAME` for each."""
    reports = [interp.apps.suite.conformance.conformance(name) for name in IMPLEMENTATIONS]
    rows = [
        (
            f"`{report.name}`",
            *(count_cell(report.counts()[v], report.open() * (v == "wrong")) for v in VERDICTS),
            conforming(report),
        )
        for report in reports
    ]
    return markdown(("implementation", *VERDICTS, "conform"), rows)


def runtimes(names: Sequence[str] = tuple(RUNTIMES)) -> str:
    """Return the verdicts on each runtime that has a format of its own, with the versions that ran.

    The rows of runtimes that are not among `names` are those of the page.
    """
    for name in names:
        require(name)
    page = (ROOT / "docs/conformance.md").read_text()
    rows = {line.split("`")[1]: line for line in inner(page, "runtimes").splitlines()[2:]}
    for name in names:
        report = interp.apps.suite.conformance.conformance(name)
        counts, marked = report.counts(), {"permitted": report.elsewhere(), "wrong": report.open()}
        cells = [count_cell(counts[v], marked.get(v, 0)) for v in JUDGED]
        expressible = f"{len(report.expressible())} of {len(report.outcomes)}"
        row = (f"`{name}`", runtime(name).versions(), expressible, *cells, conforming(report))
        rows[name] = f"| {' | '.join(row)} |"
    heading = markdown(("implementation", "versions", "expressible", *JUDGED, "conform"), [])
    return "\n".join([heading, *(rows[name] for name in RUNTIMES if name in rows)])


def compilers() -> str:
    """Return the verdicts on compilers that read StableHLO, with the versions that ran."""
    require_iree()
    return compiler_table({iree_versions(): interp.apps.suite.conformance.conformance("iree")})


def compiler_table(reports: dict[str, Report]) -> str:
    judged = [v for v in VERDICTS if any(report.counts()[v] for report in reports.values())]
    rows = []
    for versions, report in reports.items():
        counts, marked = report.counts(), {"permitted": report.elsewhere(), "wrong": report.open()}
        cells = [count_cell(counts[v], marked.get(v, 0)) for v in judged]
        rows.append((f"`{report.name}`", versions, *cells, conforming(report)))
    return markdown(("implementation", "versions", *judged, "conform"), rows)


def tolerances() -> str:
    """Return the mutants of functions that tests with a tolerance kill, and assertions."""
    from tools.tolerating.trials import table

    return table()


def mutants() -> str:
    """Return the table of `tools/permits`."""
    from tools.placing.mutants import table

    return table()


def reasons(case: Case) -> str:
    """Return the reason of a case's expectation that does not come from the oracle."""
    derivation = case.text.partition("// derivation: ")[2]
    known = ("by hand", "exact arithmetic")
    return next((reason for reason in known if derivation.startswith(reason)), "the oracle alone")


def derivations() -> str:
    """Return the number of expectations with each reason, by the folder of their cases."""
    cases = [case for case in discover(CASES) if case.expect]
    columns = ("by hand", "exact arithmetic", "the oracle alone")
    found = Counter((folder, reasons(case)) for case in cases for folder in (case.op, "all"))
    folders = [*sorted({case.op for case in cases}), "all"]
    rows = [(f"`{f}`" if f != "all" else f, *(str(found[f, c] or "") for c in columns)) for f in folders]
    return markdown(("cases of", *columns), rows)


def conforming(report: Report) -> str:
    return f"{sum(o.conforms for o in report.outcomes)} of {len(report.expressible())}"


def verbs() -> str:
    """Return the public names of `interp` by group, with the first line of their docstrings."""
    names = [name for group in GROUPS.values() for name in group.split()]
    if sorted([*names, *NOT_DESCRIBED]) != sorted(interp.__all__):
        unlike = {*names, *NOT_DESCRIBED} ^ {*interp.__all__}
        raise SystemExit(f"GROUPS: expected each public name once, got {sorted(unlike) or 'one twice'}")
    parts = []
    for title, group in GROUPS.items():
        rows = [(f"`interp.{name}`", cell(describe(name))) for name in group.split()]
        parts.append(f"### {title}\n\n{markdown(('name', 'what it is or does'), rows)}")
    return "\n\n".join(parts)


def describe(name: str) -> str:
    return ALIASES.get(name) or inspect.getdoc(getattr(interp, name)) or ""


def commands() -> str:
    """Return the verbs of the command line with their help."""
    return markdown(("command", "what it does"), [(f"`interp {n}`", cell(v.help)) for n, v in VERBS.items()])


def hardware() -> str:
    """Return the profiles of hardware: names of the same accumulation share a row."""
    alike: dict[tuple[str, str], list[str]] = {}
    for row in PROFILES.values():
        text = row.text if len(row.text) <= 100 else f"{row.text[:48]} ... (32 products)"
        alike.setdefault((f"`{text}`", row.source), []).append(f"`{row.name}`")
    rows = [(", ".join(names), *cells) for cells, names in alike.items()]
    return markdown(("names", "accumulation", "source"), rows)


def kinds() -> str:
    """Return the kinds of events and their meanings."""
    return markdown(("kind", "what happened"), [(f"`{kind}`", text) for kind, text in KINDS.items()])


def divergences() -> str:
    """Return the cases in which ONNX's standard and its runtimes differ."""
    heading = ("case", "operator", "here", "ReferenceEvaluator", "onnxruntime", "erratum")
    return markdown(heading, onnx_divergences.table())


def rooms() -> str:
    """Return the folders of `interp` in the order of their imports, with the first sentence of each."""
    names = [name for room in ROOMS for name in (room, *(f"apps/{app}" for app in APPS if room == "apps"))]
    modules = [importlib.import_module(f"interp.{name.replace('/', '.')}") for name in names]
    named = [(name, module.__doc__ or "") for name, module in zip(names, modules, strict=True)]
    return markdown(
        ("room", "what belongs there"), [(f"`interp/{name}/`", cell(text)) for name, text in named]
    )


def chapters() -> str:
    """Return the files of `spec` and of every room of `interp`, each with the first line of its docstring."""
    rooms = [ROOT / "spec", *(ROOT / "interp" / room for room in ROOMS)]
    return "\n\n".join(part for room in rooms for folder in folders(room) if (part := files(folder)))


def folders(room: Path) -> list[Path]:
    """Return a folder and those below it that hold code."""
    return [room, *sorted(path for path in room.rglob("*") if (path / "__init__.py").exists())]


def files(folder: Path) -> str:
    """Return a heading and a table of the files of a folder, or nothing if it has none."""
    paths = [path for path in sorted(folder.glob("*.py")) if path.name != "__init__.py"]
    texts = [ast.get_docstring(ast.parse(path.read_text())) or "" for path in paths]
    rows = [(f"`{path.name}`", cell(text)) for path, text in zip(paths, texts, strict=True)]
    heading = f"### `{folder.relative_to(ROOT)}/`"
    return f"{heading}\n\n{markdown(('file', 'what it is about'), rows)}" if rows else ""


def cell(text: str) -> str:
    """Return the first paragraph of a text as one line of a table."""
    return " ".join(text.partition("\n\n")[0].split()).replace("|", r"\|")


NOT_DESCRIBED = {"errata", "schedules"}  # a table and a module
# Every other public name, once: the verbs of a group first, then what they return.
GROUPS = {
    "Programs": "load verify lint refine bind with_accumulator quant_pass register "
    "Program Module Func Op Value Suspicion",
    "Run": "run run_parallel compile lower plan to_storage Tensor Parallel Plan Schedule Listener",
    "Look into a run": "trace trace_parallel Trace Summary Event Group Reduction Accumulators Explanation "
    "Chain Link Verdicts Bounds Matrix WhatIf Shrunk",
    "Walk through a run": "step Stepper Position Listing Backtrace Breakpoint Stopped",
    "Prove and check": "prove widths check Proof Widths Check",
    "Compare with floats": "compare survey batched columns merge_surveys read_survey save_survey "
    "Comparison ResultReport SideBySide Budget RecipeCosts "
    "Batch Batches Column Survey Rate Ranking",
    "Judge other implementations": "permits conformance fuzz diagnose judge blame reveal invariant "
    "Permits Report Outcome Fuzzed Diagnosis Judgement Blame Revealed Invariance",
    "Quantize": "quantize raise_qdq Quantized Raised",
    "Errors": "InterpError Malformed Violation Unspecified Unsupported Finding Bug",
}
# Names of unions of types, which have no docstring of their own.
ALIASES = {
    "Program": "What a verb takes as a program: a file, bytes, text, a `Module`, a function of JAX, ..."
}
IMPLEMENTATIONS = ("numpy", "compiled", "oracle", "stablehlo", "xla")
JUDGED = ("exact", "permitted", "unknown", "wrong", "unsupported", "crashed")
TABLES: dict[str, Callable[[], str]] = {
    "agreement": agreement,
    "chapters": chapters,
    "commands": commands,
    "coverage": operations.table,
    "derivations": derivations,
    "divergences": divergences,
    "errata": errata,
    "events": kinds,
    "hardware": hardware,
    "questions": questions,
    "rooms": rooms,
    "verbs": verbs,
    "which": which,
}


def embedded(pages: dict[Path, str]) -> dict[Path, str]:
    """Return the pages with every table as it is now."""
    pages = dict(pages)
    for name, table in TABLES.items():
        begin, end = marks(name)
        holders = [page for page, text in pages.items() if begin in text and end in text]
        if len(holders) != 1:
            raise SystemExit(f"expected one page with {begin} ... {end}, got {holders or 'none'}")
        before, _, rest = pages[holders[0]].partition(begin)
        _, _, after = rest.partition(end)
        pages[holders[0]] = f"{before}{begin}\n{table()}\n{end}{after}"
    return pages


def marks(name: str) -> tuple[str, str]:
    return f"<!-- {name} -->", f"<!-- /{name} -->"


def inner(page: str, name: str) -> str:
    """Return a table that stands on a page."""
    begin, end = marks(name)
    return page.partition(begin)[2].partition(end)[0].strip()


def main(arguments: list[str]) -> int:
    if "--conformance" in arguments:
        arguments.remove("--conformance")
        TABLES["conformance"] = conformance
    if "--mutants" in arguments:
        arguments.remove("--mutants")
        TABLES["mutants"] = mutants
    if "--tolerances" in arguments:
        arguments.remove("--tolerances")
        TABLES["tolerances"] = tolerances
    if "--compilers" in arguments:
        arguments.remove("--compilers")
        TABLES["compilers"] = compilers
    for argument in [x for x in arguments if x.partition("=")[0] == "--runtimes"]:
        arguments.remove(argument)
        names = argument.partition("=")[2].split(",") if "=" in argument else [*RUNTIMES]
        if unknown := [name for name in names if name not in RUNTIMES]:
            raise SystemExit(f"{argument}: no runtime {unknown[0]!r}: the runtimes are {', '.join(RUNTIMES)}")
        TABLES["runtimes"] = partial(runtimes, names)
    pages = {page: page.read_text() for page in sessions.PAGES}
    if "--sessions" in arguments:
        return of_sessions(pages, "--write" in arguments)
    if arguments == ["--write"]:
        replace(pages, embedded(pages))
    elif arguments == ["--check"]:
        wrong = [page.name for page, text in embedded(pages).items() if text != pages[page]]
        if wrong:
            print(f"{', '.join(wrong)} out of date: tools/tables.py --write")
            return 1
    else:
        print("\n\n".join(table() for table in TABLES.values()))
    return 0


def of_sessions(pages: dict[Path, str], write: bool) -> int:
    """Print what the sessions print otherwise than the pages say, or write it into the pages."""
    if write:
        replace(pages, {page: sessions.updated(text) for page, text in pages.items()})
        return 0
    wrong = [text for page in pages if (text := sessions.described(page))]
    print(*wrong, sep="\n", end="")
    return 1 if wrong else 0


def replace(before: dict[Path, str], after: dict[Path, str]) -> None:
    """Write the pages that have changed."""
    for page, text in after.items():
        if text != before[page]:
            write_text(page, text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
