"""The answer of `judge`, as text and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, comb
from typing import Any

from interp.apps.diagnosing.diagnosis import Diagnosis
from interp.apps.judging.layers import Left
from interp.apps.judging.verdicts import EXACT, FAULTS, LADDER, PERMITTED, WITHIN
from interp.engine.markup import align, join_lines
from interp.engine.work import Covered, Partly
from interp.execute.unused import NOTHING, Unused
from interp.recorder.event import number
from spec.errors import Malformed
from spec.readings import ANY

SHOWN = 24  # layers of one kind that are printed
SHARES = (0.001, 0.01, 0.1)
SURE = 0.01  # probability of a miss beyond which a share of wrong elements is called found


@dataclass(frozen=True, eq=False)
class JudgedLayer:
    """The judgement of one layer: the worst verdict on its elements.

    name: the value with its layer. operation: what gives it, with its place. array: its name in the dump.
    size: the number of its elements, `drawn` of which are judged; counts: by verdict. reading: in which the
    verdicts hold, "any" where all agree. ways: how many elements the ways give that give most. index, given,
    expected, reason: the worst element, the device's number and that of the first way, as stored; given is
    None if all are exact or permitted. narrower: how many times narrower the likely bound on sums of floats
    is than the proved one, the median over elements; None if it was not needed. failures: ways that could
    not run.
    """

    name: str
    value: str
    operation: str
    array: str
    size: int
    drawn: int
    verdict: str
    counts: Counter[str]
    reading: str
    ways: Counter[str]
    index: tuple[int, ...]
    given: Any
    expected: Any
    reason: str
    narrower: float | None
    failures: tuple[str, ...]

    @property
    def is_faulty(self) -> bool:
        """Return whether some element is improbable, not permitted or wrong."""
        return self.verdict in FAULTS

    @property
    def by(self) -> str:
        """The way that gives most elements, and how many if it does not give all."""
        if not self.ways:
            return "-"
        text, n = self.ways.most_common(1)[0]
        return text if n == self.drawn else f"{text}: {n:,}"

    def miss_probability(self, share: float) -> float:
        """Return the probability that a fault of a share of the elements is in none that was drawn."""
        return miss_probability(self.size, self.drawn, share)


@dataclass(frozen=True, eq=False, repr=False)
class Judgement(Partly):
    """Result of `judge`: `layers` in program order, and what is `left`: layers without files, with reasons.

    dump: where the device's tensors are from. unknown: names in it that mean nothing in the program.
    diagnosis: of the first layer with a fault, None if there is none. unused: options that the program
    does not use. notes: what else was asked for in vain.
    """

    function: str
    dump: str
    layers: tuple[JudgedLayer, ...]
    left: tuple[Left, ...]
    unknown: tuple[str, ...]
    diagnosis: Diagnosis | None
    seed: int
    risk: float
    unused: Unused = NOTHING
    notes: tuple[str, ...] = ()
    covered: tuple[Covered, ...] = ()

    @property
    def ok(self) -> bool:
        """Return whether every layer was judged, and is exact, permitted, or within the bound."""
        good = (EXACT, PERMITTED, WITHIN)
        return bool(self.layers) and not self.left and all(each.verdict in good for each in self.layers)

    @property
    def first(self) -> JudgedLayer | None:
        """The first layer with a fault."""
        return next((each for each in self.layers if each.is_faulty), None)

    @property
    def counts(self) -> Counter[str]:
        """The number of layers by verdict, the best first."""
        found = Counter(each.verdict for each in self.layers)
        return Counter({name: found[name] for name in LADDER if found[name]})

    @property
    def deviations(self) -> tuple[str, ...]:
        """The names of the deviations that reproduce the first faulty layer."""
        return tuple(trial.name for trial in self.diagnosis.explanations) if self.diagnosis else ()

    def miss_probability(self, share: float) -> float:
        """Return the largest probability, over layers, that a fault of a share of the elements was missed."""
        return max((each.miss_probability(share) for each in self.layers), default=1.0)

    def _repr_text_(self) -> str:
        return join_lines(_lines(self))

    def table(self) -> list[dict[str, Any]]:
        """Return a row for each layer, judged or not."""
        rows = [
            {
                "layer": each.name,
                "value": each.value,
                "operation": each.operation,
                "array": each.array,
                "verdict": each.verdict,
                "elements": each.size,
                "drawn": each.drawn,
                **{name: each.counts[name] for name in LADDER},
                "reading": each.reading,
                "by": each.by,
                "index": list(each.index),
                "given": each.given,
                "expected": each.expected,
                "reason": each.reason,
                "narrower": each.narrower,
                "missed": each.miss_probability(SHARES[1]),
            }
            for each in self.layers
        ]
        empty = dict.fromkeys(rows[0] if rows else ("layer", "verdict", "reason"))
        return rows + [
            {**empty, "layer": x.name, "verdict": NOT_JUDGED, "reason": x.reason} for x in self.left
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the judgement in plain Python values."""
        return {**self.fields(), "unused": self.unused.plain, "rows": self.table()}

    def fields(self) -> dict[str, Any]:
        """Return what the judgement says as a whole, in plain Python values."""
        return {
            "function": self.function,
            "dump": self.dump,
            "ok": self.ok,
            "counts": dict(self.counts),
            "first": self.first.name if self.first else None,
            "missed": {str(share): self.miss_probability(share) for share in SHARES},
            "seed": self.seed,
            "risk": self.risk,
            "unknown": list(self.unknown),
            "diagnosis": self.diagnosis.to_dict() if self.diagnosis else None,
            "notes": list(self.notes),
        }

    def to_json(self) -> str:
        """Return the judgement as JSON."""
        return json.dumps(self.to_dict(), indent=1, default=number) + "\n"


NOT_JUDGED = "not judged"


def _lines(self: Judgement) -> Iterator[str]:
    counts = ", ".join(f"{n} {name}" for name, n in self.counts.items()) or "no layer judged"
    rest = f"; {len(self.left)} not judged" if self.left else ""
    yield f"@{self.function} on {self.dump}: {counts}{rest}"
    yield from (*self.unused.lines, *self.notes)
    yield from _table(self)
    if first := self.first:
        yield from _fault(self, first)
    for each in self.left[:SHOWN]:
        yield f"not judged: {each.name}: {each.reason}"
    if len(self.left) > SHOWN:
        yield f"... {len(self.left) - SHOWN} more in .left"
    if self.unknown:
        yield f"names of the dump that mean nothing here: {', '.join(self.unknown[:SHOWN])}"
    if self.layers:
        yield from _chances(self)
    if self.partial:
        yield self.shortfall


def _table(self: Judgement) -> Iterator[str]:
    """Yield a row for each layer; of many the worst, in program order."""
    shown = sorted(range(len(self.layers)), key=lambda k: -LADDER.index(self.layers[k].verdict))[:SHOWN]
    rows = [["layer", "verdict", "elements", "drawn", "given by"]]
    for k in sorted(shown):
        each = self.layers[k]
        rows.append([each.name, each.verdict, f"{each.size:,}", f"{each.drawn:,}", each.by])
    yield from align(rows, [0, 1, 4], indent=2)
    if len(self.layers) > SHOWN:
        yield f"  ... {len(self.layers) - SHOWN} more in .layers, none of them worse"


def _fault(self: Judgement, layer: JudgedLayer) -> Iterator[str]:
    some = ", ".join(f"{n:,} {name}" for name, n in layer.counts.items())
    yield f"first fault: {layer.name}: {some} of {layer.drawn:,} drawn of {layer.size:,}"
    place = f" at {layer.index}" if layer.index else ""
    yield f"  {layer.operation}{place}: the device has {number(layer.given)}, not {number(layer.expected)}"
    if layer.reason:
        yield f"  {layer.reason}"
    if layer.reading != ANY:
        yield f"  in the {layer.reading} reading, which comes nearest"
    if self.diagnosis is None:
        return
    if found := self.diagnosis.explanations:
        what = f"reproduces all {self.diagnosis.size:,} elements that were looked at"
        yield f"  explanation: {found[0].name}: {what}"
        yield from (f"    {each.name}: {each.sentence}" for each in found[0].deviations)
        yield from (f"  or: {trial.name}" for trial in found[1:4])
    else:
        yield f"  no deviation that is known reproduces it ({len(self.diagnosis.tried):,} tried)"


def _chances(self: Judgement) -> Iterator[str]:
    """Yield what would have been missed."""
    if all(each.drawn == each.size for each in self.layers):
        yield "every element was looked at"
        return
    shares = ", ".join(f"{share:.1%} with {self.miss_probability(share):.2g}" for share in SHARES)
    yield "a fault of a share of a layer's elements would have been missed with a probability of at most:"
    yield f"  {shares}"
    some = [each for each in self.layers if each.drawn < each.size]
    least = max(least_share(each.size, each.drawn, SURE) for each in some)
    yield f"  so {1 - SURE:.0%} of faults of {least:.2%} or more are found (drawn with seed {self.seed})"


# The probability that a fault is in none of the elements that were drawn.


def miss_probability(size: int, drawn: int, share: float) -> float:
    """Return the probability that none of `drawn` elements of `size` is among a share of wrong ones.

    THEOREM: elements are drawn without replacement, each set with the same probability. Of all comb(size,
    drawn) sets, comb(size - wrong, drawn) have none of the wrong ones. PREMISE: a wrong element that is drawn
    is judged to be wrong. A share means at least one element.
    """
    if not 0 < share <= 1:
        raise Malformed(f"a share of {share}", "expected a number above 0, up to 1")
    if not size:
        return 1.0
    wrong = max(1, ceil(Fraction(share).limit_denominator(10**9) * size))
    return float(Fraction(comb(size - wrong, drawn), comb(size, drawn)))


def least_share(size: int, drawn: int, risk: float) -> float:
    """Return the least share of wrong elements that is missed with a probability of at most `risk`."""
    low, high = 0, size
    while high - low > 1:
        middle = (low + high) // 2
        if float(Fraction(comb(size - middle, drawn), comb(size, drawn))) <= risk:
            high = middle
        else:
            low = middle
    return high / size if size else 1.0
