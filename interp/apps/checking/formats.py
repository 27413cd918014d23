"""A check as text, as SARIF for tools that show findings beside code, and as annotations of code hosts.

SARIF is OASIS's "Static Analysis Results Interchange Format", version 2.1.0. Rule ids are those of the
remarks: a constraint's code (`reduce_c5`), a suspicion's (`lint_...`), or what a proof or a run says.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from interp.apps.checking.check import LEVELS, Check, Remark
from spec.errors import Location

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json"
HOME = "https://github.com/stablehlo-interp/stablehlo-interp"
Checks = Mapping[str, Check]  # by the path of the model


def as_text(checks: Checks) -> str:
    """Return the remarks about each model, and a line that counts them."""
    parts = [f"{path}: {'fine' if check.ok else 'NOT FINE'}\n{check!r}" for path, check in checks.items()]
    counts = {level: sum(check.counts[level] for check in checks.values()) for level in LEVELS}
    total = ", ".join(f"{n} {level}{'s' * (n != 1)}" for level, n in counts.items())
    return "\n\n".join([*parts, f"{len(checks)} model{'s' * (len(checks) != 1)}: {total}"])


def as_annotations(checks: Checks) -> str:
    """Return a workflow command of GitHub for each remark: `::error file=m.mlir,line=3,title=...::...`."""
    lines = [_annotation(path, each) for path, check in checks.items() for each in check.remarks]
    return "\n".join(lines)


def _annotation(path: str, remark: Remark) -> str:
    level = "notice" if remark.level == "note" else remark.level
    file, line, column = _place(path, remark.where)
    place = f"file={_property(file)}" + (f",line={line},col={column}" if line else "")
    text = _data("\n".join(filter(None, [_name(remark.where), remark.summary, remark.text])))
    return f"::{level} {place},title={_property(remark.rule)}::{text}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _place(path: str, where: Location) -> tuple[str, int, int]:
    """Return the file, line and column: those of the model if it is text, else the model alone.

    A model of another form has locations of the source that it was exported from, which may not be here.
    """
    file = Path(where.file).as_posix() if where.file else path
    return (file, where.line, where.column) if where.line and Path(file).is_file() else (path, 0, 0)


def _name(where: Location) -> str:
    """Return a location in words, if it names more than a place in the file."""
    return str(where) if where.name or (where.line and not Path(where.file).is_file()) else ""


def as_sarif(checks: Checks) -> str:
    """Return a log of SARIF with one run: its rules, and a result for each remark."""
    remarks = [(path, each) for path, check in checks.items() for each in check.remarks]
    rules = {each.rule: each.summary for _, each in reversed(remarks)}
    driver = {
        "name": "stablehlo-interp",
        "version": _version(),
        "informationUri": HOME,
        "rules": [{"id": rule, "shortDescription": {"text": text}} for rule, text in sorted(rules.items())],
    }
    results = [_result(path, each, sorted(rules)) for path, each in remarks]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _version() -> str:
    try:
        return metadata.version("stablehlo-interp")
    except metadata.PackageNotFoundError:
        return "0"


def _result(path: str, remark: Remark, rules: list[str]) -> dict[str, Any]:
    file, line, column = _place(path, remark.where)
    physical: dict[str, Any] = {"artifactLocation": {"uri": file}}
    if line:
        physical["region"] = {"startLine": line, "startColumn": max(1, column)}
    location: dict[str, Any] = {"physicalLocation": physical}
    if name := _name(remark.where):
        location["logicalLocations"] = [{"fullyQualifiedName": name}]
    return {
        "ruleId": remark.rule,
        "ruleIndex": rules.index(remark.rule),
        "level": remark.level,
        "message": {"text": "\n".join(filter(None, [remark.summary, remark.text]))},
        "locations": [location],
    }


FORMATS = {"text": as_text, "sarif": as_sarif, "github": as_annotations}
