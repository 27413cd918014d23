#!/usr/bin/env python3
"""The README's generated tables. Prints them; `--write` puts them between their markers, `--check` compares.

A table NAME stands between `<!-- NAME -->` and `<!-- /NAME -->`. `--conformance` adds the one that runs every
implementation, which takes minutes.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"
sys.path.insert(0, str(README.parent))

import coverage  # noqa: E402
from mutation.survivors import listed  # noqa: E402

import interp.suite.conformance  # noqa: E402
from interp.engine.files import write_text  # noqa: E402
from interp.execute.agreement import AGREEMENT  # noqa: E402
from interp.suite.cases import Case, discover  # noqa: E402
from interp.suite.conformance import CASES  # noqa: E402
from interp.suite.conformance_report import counted  # noqa: E402
from interp.suite.report import VERDICTS, Report  # noqa: E402
from spec.errata import ERRATA  # noqa: E402


def markdown(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def errata() -> str:
    rows = [(row.id, row.text, row.we_do, row.why, row.section) for row in ERRATA]
    return markdown(("id", "the text", "we do", "why", "where"), rows)


def agreement() -> str:
    """Rows that differ in the operation only are one."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for row in AGREEMENT:
        operation, on, type = row.what.partition(" on ")
        cells = f"`{row.left}`", f"`{row.right}`", f"{row.figure} {row.unit}", row.why
        alike.setdefault((on + type, *cells), []).append(operation)
    rows = [(", ".join(operations) + on, *cells) for (on, *cells), operations in alike.items()]
    return markdown(("what", "this", "against", "at most", "because"), rows)


def conformance() -> str:
    """The last line of `interp conformance --impl NAME` for each."""
    reports = [interp.suite.conformance.conformance(name) for name in IMPLEMENTATIONS]
    rows = [
        (
            f"`{report.name}`",
            *(counted(report.counts()[v], report.open() * (v == "wrong")) for v in VERDICTS),
            conforming(report),
        )
        for report in reports
    ]
    return markdown(("implementation", *VERDICTS, "conform"), rows)


def reasons(case: Case) -> str:
    """Return the reason of a case's expectation that does not come from the oracle."""
    derivation = case.text.partition("// derivation: ")[2]
    known = ("by hand", "exact arithmetic")
    return next((reason for reason in known if derivation.startswith(reason)), "the oracle alone")


def derivations() -> str:
    """How many expectations have which reason, by the folder of their cases."""
    cases = [case for case in discover(CASES) if case.expect]
    columns = ("by hand", "exact arithmetic", "the oracle alone")
    found = Counter((folder, reasons(case)) for case in cases for folder in (case.op, "all"))
    folders = [*sorted({case.op for case in cases}), "all"]
    rows = [(f"`{f}`" if f != "all" else f, *(str(found[f, c] or "") for c in columns)) for f in folders]
    return markdown(("cases of", *columns), rows)


def conforming(report: Report) -> str:
    return f"{sum(o.conforms for o in report.outcomes)} of {len(report.outcomes)}"


def survivors() -> str:
    """The mutants of the kernels that nothing can notice: those of one reason in one function together."""
    alike: dict[tuple[str, str], list[str]] = {}
    for (where, before, after), reason in listed().items():
        file, function, _ = where.split()
        alike.setdefault((f"`{file}`, `{function}`", reason), []).append(changed(before[2:], after[2:]))
    rows = [(where, "; ".join(changes), reason) for (where, reason), changes in alike.items()]
    return markdown(("where", "change", "nothing notices, because"), rows)


def changed(before: str, after: str) -> str:
    """The words that differ between two lines."""
    old, new = before.split(), after.split()
    for at in (0, -1):
        while old and new and old[at] == new[at]:
            del old[at], new[at]
    return " → ".join(f"`{' '.join(words).replace('|', chr(92) + '|')}`" for words in (old, new))


IMPLEMENTATIONS = ("numpy", "compiled", "oracle", "stablehlo", "xla")
TABLES: dict[str, Callable[[], str]] = {
    "agreement": agreement,
    "coverage": coverage.table,
    "derivations": derivations,
    "errata": errata,
    "survivors": survivors,
}


def embedded(readme: str) -> str:
    """The README with every table as it is now."""
    for name, table in TABLES.items():
        before, begin, rest = readme.partition(f"<!-- {name} -->")
        _, end, after = rest.partition(f"<!-- /{name} -->")
        if not end:
            raise SystemExit(f"README.md lacks <!-- {name} --> ... <!-- /{name} -->")
        readme = f"{before}{begin}\n{table()}\n{end}{after}"
    return readme


def main(arguments: list[str]) -> int:
    if "--conformance" in arguments:
        arguments.remove("--conformance")
        TABLES["conformance"] = conformance
    readme = README.read_text()
    if arguments == ["--write"]:
        write_text(README, embedded(readme))
    elif arguments == ["--check"]:
        if readme != embedded(readme):
            print("README.md is out of date: tools/tables.py --write")
            return 1
    else:
        print("\n\n".join(table() for table in TABLES.values()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
