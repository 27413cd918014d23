"""The answer of `reveal`, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from interp.engine.files import write_page
from interp.engine.markup import Display, Html, tag, terms
from spec.accumulation import Accumulation

SHOWN = 160  # characters of an accumulation that are printed
LISTED = 8  # groups of results that are printed
PREMISE = (
    "What is stated was executed again, and has the implementation's bits on all of these inputs. It is not"
    " proved for others, nor for other shapes, numbers of threads or builds."
)


@dataclass(frozen=True, eq=False)
class Group:
    """Results that are added alike: their flat numbers, and on how many inputs they were equal."""

    accumulation: Accumulation
    results: tuple[int, ...]
    equal: int
    checked: int


@dataclass(frozen=True, eq=False)
class Revealed(Display):
    """Result of `reveal`: the accumulation of a sum, as an implementation computes it.

    name: the sum in the program; n: its number of leaves; declared: the type of its sums. accumulation: what
    was recovered and executed again, None if nothing was; reason: then why. equal of checked: inputs, of
    these kinds, on which both had the same bits. probes, calls: how often vectors were added, and the
    implementation was called. unseen: what no input can tell, or none was asked about. groups: results that
    are added alike, each group with its accumulation. sizes: the answer at each of several sizes.
    """

    name: str
    n: int
    declared: str
    accumulation: Accumulation | None
    reason: str
    equal: int
    checked: int
    kinds: tuple[str, ...]
    probes: int
    calls: int
    unseen: tuple[str, ...]
    groups: tuple[Group, ...] = ()
    sizes: Mapping[int, Revealed] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Return whether one accumulation was recovered, and equal on every input."""
        return self.accumulation is not None

    @property
    def statement(self) -> str:
        """Return the statement in one line, or the reason why there is none."""
        if self.accumulation is None:
            return f"nothing is stated: {self.reason}"
        where = f" at n = {', '.join(f'{n:,}' for n in self.sizes)}" if self.sizes else ""
        return f"{_begin(self.accumulation)} {equality(self.equal, self.checked, self.kinds)}{where}"

    def __repr__(self) -> str:
        head = f"{self.name}: {self.n:,} leaves in {self.declared}: {self.statement}"
        lines = [head]
        if len(self.groups) > 1:
            for group in self.groups[:LISTED]:
                counted = equality(group.equal, group.checked, self.kinds)
                lines.append(f"  results {_results(group)}: {_begin(group.accumulation)} {counted}")
        lines += [f"  n = {n:,}: {each.statement}" for n, each in self.sizes.items()]
        lines += [f"  not seen: {each}" for each in self.unseen]
        lines.append(f"  {self.probes:,} probes, {self.calls:,} calls")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the answer in plain Python values."""
        return {
            "name": self.name,
            "leaves": self.n,
            "declared": self.declared,
            "accumulation": None if self.accumulation is None else repr(self.accumulation),
            "reason": self.reason,
            "equal": self.equal,
            "checked": self.checked,
            "kinds": list(self.kinds),
            "probes": self.probes,
            "calls": self.calls,
            "unseen": list(self.unseen),
            "groups": [
                {
                    "accumulation": repr(x.accumulation),
                    "results": list(x.results),
                    "equal": x.equal,
                    "checked": x.checked,
                }
                for x in self.groups
            ],
            **({"sizes": {str(n): x.to_dict() for n, x in self.sizes.items()}} if self.sizes else {}),
        }

    def table(self) -> list[dict[str, Any]]:
        """Return a row for each group of results that are added alike; one without, if nothing is stated."""
        rows = [
            {
                "accumulation": repr(x.accumulation),
                "results": len(x.results),
                "equal": x.equal,
                "checked": x.checked,
                "reason": "",
            }
            for x in self.groups
        ]
        return rows or [
            {
                "accumulation": "",
                "results": 0,
                "equal": self.equal,
                "checked": self.checked,
                "reason": self.reason,
            }
        ]

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2)

    def report(self, path: str | Path) -> Path:
        """Write the statement and its tree as an HTML page, which loads nothing; return its path."""
        from interp.apps.pages.shell import Section, Verdict, frame

        facts = [
            ("equal", equality(self.equal, self.checked, self.kinds) if self.ok else "nothing is stated"),
            ("kinds of inputs", ", ".join(self.kinds)),
            ("probes", f"{self.probes:,}, in {self.calls:,} calls"),
            *[("not seen", each) for each in self.unseen],
        ]
        name = f"{self.name}: {self.n:,} leaves in {self.declared}"
        said = self.statement if self.ok else self.statement.capitalize()
        verdict = Verdict("fine" if self.ok else "warning", said, [], PREMISE)
        trees = [Section("trees", "Tree", self._pictures())] if self.groups or self.sizes else []
        return write_page(
            path,
            frame("Revealed", name, verdict, None, [*trees, Section("facts", "Evidence", [terms(facts)])]),
        )

    def _repr_html_(self) -> str:
        return tag("div", tag("pre", repr(self)), *self._pictures())

    def _pictures(self) -> list[Html]:
        """Return the drawing of the tree of each group of results."""
        from interp.apps.pages.tree_drawing import draw

        found = list[Html]()
        for n, each in self.sizes.items():
            if each.accumulation:
                head = tag("h3", f"n = {n:,}: {text(each.accumulation)}")
                found.append(tag("div", head, draw(each.accumulation, each.n)))
        for group in self.groups[:LISTED]:
            which = f"results {_results(group)}: " if len(self.groups) > 1 else ""
            head = tag("h3", f"{which}{text(group.accumulation)}")
            found.append(tag("div", head, draw(group.accumulation, self.n)))
        return found


def _results(group: Group) -> str:
    """Return the numbers of the results of a group, of which the first six are listed."""
    return ", ".join(map(str, group.results[:6])) + ", ..." * (len(group.results) > 6)


def text(accumulation: Accumulation) -> str:
    """Return an accumulation as it is printed: an explicit tree of many leaves is shortened."""
    whole = repr(accumulation)
    if len(whole) <= SHOWN:
        return whole
    return f"an explicit tree, {whole[: SHOWN // 2]} ... {whole[-24:]}"


def _begin(accumulation: Accumulation) -> str:
    """Return an accumulation and the semicolon that ends it; a level for some sizes ends with one itself."""
    return f"{text(accumulation).removesuffix(';')};"


def equality(equal: int, checked: int, kinds: tuple[str, ...]) -> str:
    number = {6: "six", 7: "seven"}.get(len(kinds), str(len(kinds)))
    return f"equal on {equal:,} of {checked:,} inputs of {number} kinds"
