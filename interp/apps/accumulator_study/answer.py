"""The answer of `widths`: a row for each channel of each layer, and what each accumulator costs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any, Literal

from interp.apps.accumulator_study.observation import Clipping
from interp.apps.accumulator_study.rows import ALL, Cost, Row, cost_cells, first_clip, widest_row
from interp.engine.files import write_page
from interp.engine.markup import align, join_lines
from interp.engine.work import Covered, Partly
from interp.execute.accumulating import Given, asked_for
from spec.errors import Malformed
from spec.schedule import LEFT


@dataclass(frozen=True, eq=False, repr=False)
class Widths(Partly):
    """The accumulator study of a program; `a + b` is that of both sets of samples.

    rows: the channels of all layers, in program order. accumulators: those asked for. costs: for each, every
    layer alone and "all", the other sums being exact. left_out: the sums that are none of integers, each with
    the reason. is_raised: whether the program is that of `raise_qdq`. samples: how many, 0 without data.
    """

    function: str
    samples: int
    rows: tuple[Row, ...]
    accumulators: tuple[str, ...] = ()
    costs: tuple[Cost, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    is_raised: bool = False
    covered: tuple[Covered, ...] = ()

    def __add__(self, other: Widths) -> Widths:
        mine, theirs = ([(x.layer, x.channel, x.terms) for x in each.rows] for each in (self, other))
        costs = [[(x.accumulator, x.layer, x.metric is None) for x in each.costs] for each in (self, other)]
        if mine != theirs or costs[0] != costs[1]:
            raise Malformed(
                "studies of other programs", "only studies of one program and its accumulators add up"
            )
        return replace(
            self,
            samples=self.samples + other.samples,
            rows=tuple(x + y for x, y in zip(self.rows, other.rows, strict=True)),
            costs=tuple(x + y for x, y in zip(self.costs, other.costs, strict=True)),
            covered=(*self.covered, *other.covered),
        )

    def __radd__(self, other: Literal[0]) -> Widths:
        """Return the study itself, so that `sum(shards)` adds them up."""
        return self if other == 0 else NotImplemented

    @property
    def layers(self) -> dict[str, list[Row]]:
        """The rows of each layer, by its name."""
        found = dict[str, list[Row]]()
        for row in self.rows:
            found.setdefault(row.layer, []).append(row)
        return found

    def __getitem__(self, layer: str) -> list[Row]:
        """Return the rows of a layer."""
        if layer not in self.layers:
            raise Malformed(f"no layer {layer}", f"layers: {', '.join(self.layers)}")
        return self.layers[layer]

    def cost(self, accumulator: Given, layer: str = ALL) -> Cost:
        """Return what an accumulator costs in a layer alone, or in all."""
        name = repr(asked_for(accumulator, LEFT))
        for cost in self.costs:
            if (cost.accumulator, cost.layer) == (name, layer):
                return cost
        known = (
            f"accumulators: {', '.join(self.accumulators) or 'none'}\nlayers: {', '.join(self.layers)}, all"
        )
        raise Malformed(f"no cost of {accumulator} in {layer}", known)

    @property
    def suggested(self) -> dict[str, str]:
        """The narrowest type that is proved to hold every sum of a layer, by its name; "" if unknown."""
        return {name: widest_row(rows).suggested for name, rows in self.layers.items()}

    def table(self) -> list[dict[str, Any]]:
        """Return a dictionary for each row, with the columns of the CSV."""
        return [self._columns(row) for row in self.rows]

    def _columns(self, row: Row) -> dict[str, Any]:
        found: dict[str, Any] = {
            "layer": row.layer,
            "scope": row.scope,
            "operation": row.operation,
            "channel": row.channel_text,
            "terms": row.terms,
            "bits proved": row.bits_proved,
            "bits observed": row.bits_observed,
            "present": repr(row.present),
            "headroom": row.headroom,
            "suggested": row.suggested,
        }
        for name, clipping in row.clippings.items():
            cost, whole = self.cost(name, row.layer), self.cost(name)
            found[f"{name}: clips"] = clipping.count
            found[f"{name}: first clip"] = str(clipping.first or "")
            found[f"{name}: SQNR alone"] = cost.effect.sqnr
            found[f"{name}: SQNR of all"] = whole.effect.sqnr
            if cost.metric and whole.metric:
                found[f"{name}: metric alone"] = cost.metric.means[0]
                found[f"{name}: metric of all"] = whole.metric.means[0]
        return found

    def to_csv(self) -> str:
        """Return the rows as comma-separated values, with a line of headings."""
        text, rows = io.StringIO(), self.table()
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    def to_json(self) -> str:
        """Return rows, costs and what was left out as JSON; infinities are strings."""
        found = {
            "function": self.function,
            "samples": self.samples,
            "raised": self.is_raised,
            "suggested": self.suggested,
            "accumulators": list(self.accumulators),
            "channels": [_plain(row) for row in self.rows],
            "costs": [_plain_cost(cost) for cost in self.costs],
            "left out": [{"sum": name, "reason": why} for name, why in self.left_out],
        }
        return json.dumps(found, indent=1)

    def report(self, path: str | Path) -> Path:
        """Write the study as an HTML page, which opens without a network; return its path."""
        from interp.apps.accumulator_study.page import page

        return write_page(path, page(self))

    @property
    def headline(self) -> str:
        """The bits that hold every sum: for every input, and over the data."""
        proved = [row.bits_proved for row in self.rows]
        seen = [row.bits_observed for row in self.rows if row.bits_observed is not None]
        known = [x for x in proved if x is not None]
        every = f"{max(known)} bits hold every sum, for any input" if len(known) == len(proved) else ""
        data = f"{max(seen)} bits hold those of these {self.samples:,} samples" if seen else ""
        return "; ".join(filter(None, [every or "how many bits hold every sum is not proved", data]))

    def _repr_text_(self) -> str:
        layers = f"{len(self.layers)} layer{'s' * (len(self.layers) != 1)}"
        raised = ", raised from simulated quantization" if self.is_raised else ""
        lines = [
            f"@{self.function}: {layers} of {len(self.rows):,} channels, {self.samples:,} samples{raised}"
        ]
        lines += [self.headline, *align([list(HEADS), *map(_layer_cells, self.layers.values())], left=(0, 1))]
        for name in self.accumulators:
            lines += align(self._cost_rows(name), left=(0, 2))
        lines += [f"left out: {name} ({why})" for name, why in self.left_out]
        return join_lines([*lines, *([self.shortfall] if self.partial else [])])

    def _cost_rows(self, accumulator: str) -> list[list[str]]:
        """Return the table of an accumulator: every layer alone, and all."""
        has_metric = any(cost.metric for cost in self.costs)
        rows = [[accumulator, "clips", "first", "SQNR alone", *["metric alone"] * has_metric]]
        for name, own in self.layers.items():
            clips, cells = (
                sum(row.clippings[accumulator].count for row in own),
                cost_cells(self.cost(accumulator, name)),
            )
            rows.append([own[0].title, f"{clips:,}", first_clip(own, accumulator), *cells])
        whole = self.cost(accumulator)
        rows.append([ALL, "", "", *cost_cells(whole)])
        if whole.metric:
            rows.append(["exact sums", "", "", "", f"{whole.metric.means[1]:.4g}"])
        return rows


HEADS = (
    *("layer", "operation", "channels", "terms", "bits proved", "bits observed"),
    *("present", "headroom", "suggested", "widest channel"),
)


def _layer_cells(rows: Sequence[Row]) -> list[str]:
    worst = widest_row(rows)
    seen = [row.bits_observed for row in rows if row.bits_observed is not None]
    room = [row.headroom for row in rows if row.headroom is not None]
    cells = [len(rows), worst.terms, worst.bits_proved, max(seen, default=None), repr(worst.present)]
    cells += [min(room, default=None), worst.suggested or None, worst.channel_text or None]
    return [worst.title, worst.operation, *("-" if x is None else str(x) for x in cells)]


def _plain(row: Row) -> dict[str, Any]:
    return {
        "layer": row.layer,
        "scope": row.scope,
        "operation": row.operation,
        "channel": list(row.channel),
        "terms": row.terms,
        "present": repr(row.present),
        "proved": row.proved,
        "observed": row.observed,
        "observed in any order": row.observed_in_any_order,
        "bits proved": row.bits_proved,
        "bits observed": row.bits_observed,
        "headroom": row.headroom,
        "suggested": row.suggested,
        "clips": {name: _plain_clipping(x) for name, x in row.clippings.items()},
    }


def _plain_clipping(clipping: Clipping) -> dict[str, Any]:
    first = clipping.first
    if first is None:
        return {"count": clipping.count, "first": None}
    kept = {"kind": first.kind, "leaf": first.leaf, "group": first.group, "samples": list(first.samples)}
    numbers = {"index": list(first.index), "exact": first.exact, "stored": first.stored}
    return {"count": clipping.count, "first": {**kept, **numbers}}


def _plain_cost(cost: Cost) -> dict[str, Any]:
    sqnr, means = cost.effect.sqnr, cost.metric.means if cost.metric else (None, None)
    return {
        "accumulator": cost.accumulator,
        "layer": cost.layer,
        "SQNR dB": str(sqnr) if abs(sqnr) == inf else sqnr,
        "metric": means[0],
        "metric of exact sums": means[1],
    }
