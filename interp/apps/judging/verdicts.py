"""Verdicts on the chosen elements of one layer, from exact to wrong, each with its premise.

exact: a schedule of the specification gives it that was asked for. permitted: some schedule does, or, in the
integer reading, rescaling to a neighbour of the exact quotient. within the bound: no schedule was found, but
it lies where sums in any order do, but for the stated risk, by the premise of `any_order`, and functions as
accurate as JAX documents. outside the specification: no schedule gives it, or none that is known, but a
recipe or an accumulation that was asked for does, or a known one, or it is within that bound. unknown: none
of this is known. improbable: beyond that bound, though some order or some device may give it. not permitted:
no schedule gives it. wrong: neither does any accumulation of the family of `any_order`, or no reading permits
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from interp.apps.judging.rows import Rows, number_of_leaves
from interp.backends import NUMPY, Array
from interp.engine.arguments import function_named
from interp.kernels import folds
from interp.questions.permitted import element_verdicts as places
from interp.questions.permitted.enclosure import Enclosure
from interp.questions.permitted.function_accuracy import is_open
from interp.questions.permitted.permits import Permits, permits
from spec.accumulator import DEQUANTIZE, is_width
from spec.errors import InterpError, Unsupported
from spec.ir import Module
from spec.readings import ANY, reading_of
from spec.types import TensorType

EXACT, PERMITTED, WITHIN, OUTSIDE, UNKNOWN, IMPROBABLE, NOT_PERMITTED, WRONG = LADDER = (
    *("exact", "permitted", "within the bound", "outside the specification", "unknown", "improbable"),
    *("not permitted", "wrong"),
)
FAULTS = (IMPROBABLE, NOT_PERMITTED, WRONG)
RANK = {name: k for k, name in enumerate(LADDER)}
SEARCHED = 32  # elements of a layer of which a schedule is looked for, if no named one gives them
LEAVES = 1 << 12  # of these elements, beyond which none is looked for
MOST = 8  # elements for which `permits` searches
LIMIT = 1 << 12  # applications of a body by such a search, of each kind
BLOCK = 1 << 20  # numbers of the rows that are bounded at a time
TRIED, LARGE = 32, 1 << 20  # rows on which ways are tried first, where sums have more leaves


class Asked(NamedTuple):
    """Freedoms of a device, each combination of which is tried.

    readings: of quantized operations. schedules: named ones. recipes: of requantization. accumulations: of
    sums. risk: the probability of an improbable element in a layer that keeps the premise. own: the recipe
    that the module says itself, "" for none.
    """

    readings: tuple[str, ...]
    schedules: tuple[str, ...]
    recipes: tuple[str, ...]
    accumulations: tuple[str, ...]
    mode: str
    risk: float
    own: str = ""


class Way(NamedTuple):
    """One way to compute a layer; `declared`: the specification has it."""

    reading: str
    text: str
    options: dict[str, Any]
    declared: bool


@dataclass(frozen=True, eq=False)
class Verdicts:
    """Verdicts on chosen elements: `kinds` has a number of `LADDER` for each.

    reading: the reading in which they hold. ways: how many elements each way gives that gives any. reasons:
    of elements that are not exact, where known. narrower: by what factor the likely bound is narrower than
    the proved one, the median over elements; None without sums of floats. failures: ways that could not run.
    """

    kinds: Array
    reading: str
    ways: Counter[str]
    reasons: dict[int, str]
    narrower: float | None = None
    failures: tuple[str, ...] = ()

    @property
    def counts(self) -> Counter[str]:
        """Return how many elements have each verdict, the best first."""
        return Counter({name: n for k, name in enumerate(LADDER) if (n := int((self.kinds == k).sum()))})

    @property
    def worst(self) -> str:
        return LADDER[int(self.kinds.max(initial=0))]


def ways_of(module: Any, asked: Asked) -> Iterator[Way]:
    """Yield the ways to compute a program, those of the specification first."""
    is_open = reading_of(module, "main") != ANY
    readings = asked.readings if is_open else (DEQUANTIZE,)
    for reading in readings:
        name = reading if is_open else ANY
        for schedule in asked.schedules:
            text = f"{reading} reading, schedule {schedule}" if is_open else f"schedule {schedule}"
            recipe = asked.own if reading == "integer" and asked.own else None
            yield Way(name, text, {"reading": reading, "schedule": schedule, "recipe": recipe}, True)
    for recipe in asked.recipes if is_open else ():
        yield Way("integer", f"recipe {recipe}", {"reading": "integer", "recipe": recipe}, False)
    for accumulation in asked.accumulations:
        wide = is_width(accumulation) and is_open
        for reading in readings if not wide else ("integer",):
            name = reading if is_open else ANY
            options = {"reading": reading, "accumulator": accumulation}
            yield Way(name, f"accumulation {accumulation}", options, False)


def judge_rows(rows: Rows, asked: Asked) -> Verdicts:
    """Return the verdicts on rows."""
    size, ways = len(rows.own), Counter[str]()
    exact, other, failures = dict[str, Array](), dict[str, dict[str, Array]](), list[str]()
    sample = _sample(rows)
    for way in ways_of(rows.module, asked):
        options = {"mode": asked.mode, **way.options}
        try:
            few = sample.same(sample.run(**options))
            if sample is rows:
                same = few
            else:
                many = 2 * few.sum() >= len(few)
                same = rows.same(rows.run(**options)) if many else np.zeros(size, bool)
        except InterpError as error:
            failures.append(f"{way.text}: {error.verdict}")
            continue
        if same.any():
            ways[way.text] = int(same.sum())
        if way.declared:
            exact[way.reading] = exact.get(way.reading, np.zeros(size, bool)) | same
            if exact[way.reading].all():
                break
        else:
            other.setdefault(way.reading, {})[way.text] = same
    whole = [reading for reading, same in exact.items() if same.all()]
    answers = [_judge_in(rows, asked, reading, exact, other) for reading in whole[:1] or exact]
    if not answers:
        return Verdicts(np.full(size, RANK[UNKNOWN]), ANY, ways, {}, failures=tuple(failures))
    best = min(answers, key=lambda answer: _badness(answer.kinds))
    kinds = best.kinds.copy()
    refused = np.logical_and.reduce([answer.kinds >= RANK[NOT_PERMITTED] for answer in answers])
    kinds[refused & (len(answers) > 1)] = RANK[WRONG]
    ways = Counter({text: n for text, n in ways.items() if n == max(ways.values())})
    return Verdicts(kinds, best.reading, ways, best.reasons, best.narrower, tuple(failures))


def _sample(rows: Rows) -> Rows:
    """Return some rows on which ways are tried first: what gives less than half of them is left out."""
    if len(rows.own) <= TRIED or number_of_leaves(rows.module) <= LARGE:
        return rows
    return rows.pick(np.linspace(0, len(rows.own) - 1, TRIED).astype(int))


def _badness(kinds: Array) -> tuple[int, ...]:
    """Return what orders answers: how many elements have each verdict, the worst first."""
    return tuple(int((kinds == k).sum()) for k in reversed(range(len(LADDER))))


def _judge_in(
    rows: Rows,
    asked: Asked,
    reading: str,
    exact: dict[str, Array],
    other: dict[str, dict[str, Array]],
) -> Verdicts:
    """Return the verdicts in one reading; all but those on exact elements need a closer look."""
    kinds = np.where(exact[reading], RANK[EXACT], RANK[UNKNOWN])
    left = np.flatnonzero(kinds)
    if not len(left):
        return Verdicts(kinds, reading, Counter(), {})
    few = rows if len(left) == len(kinds) else rows.pick(left)
    found, reasons, narrower = (_integers if reading == "integer" else _floats)(few, asked)
    for text, same in other.get(reading, {}).items():
        mask = same[left] & (found > RANK[PERMITTED])
        found[mask] = RANK[OUTSIDE]
        reasons |= dict.fromkeys(map(int, np.flatnonzero(mask)), f"{text} gives it")
    kinds[left] = found
    return Verdicts(kinds, reading, Counter(), {int(left[k]): why for k, why in reasons.items()}, narrower)


Found = tuple[Array, dict[int, str], "float | None"]  # numbers of `LADDER`, reasons, and `narrower`


def _integers(rows: Rows, asked: Asked) -> Found:
    """Return the verdicts of the integer reading on elements that no run gives."""
    kinds, reasons = np.full(len(rows.own), RANK[UNKNOWN]), dict[int, str]()
    found = permits(
        rows.module, rows.args, [rows.given], reading="integer", mode=asked.mode, most=MOST, limit=LIMIT
    )
    _take_permits(kinds, reasons, found, rows.own, np.arange(len(rows.own)))
    return kinds, reasons, None


def _floats(rows: Rows, asked: Asked) -> Found:
    """Return the verdicts of the dequantize reading on elements that no named schedule gives."""
    kinds, reasons, narrower = np.full(len(rows.own), RANK[UNKNOWN]), dict[int, str](), None
    sums = number_of_sums(rows.module)
    if likely := _spans(rows, asked.risk / max(1, sums)) if sums or has_functions(rows.module) else None:
        narrower = _narrower(likely, rows)
    beyond = np.flatnonzero(likely.outside(rows)) if likely else np.arange(len(kinds))
    few = rows if len(beyond) == len(kinds) else rows.pick(beyond)
    if len(beyond):
        proved = _spans(few, None)
        kinds[beyond[proved.outside(few)]] = RANK[WRONG]
        reasons |= {int(beyond[k]): proved.reason(int(k)) for k in np.flatnonzero(proved.outside(few))}
    _search(kinds, reasons, rows, asked)
    if likely is not None:
        away, left = likely.outside(rows), kinds == RANK[UNKNOWN]
        kinds[left & away] = RANK[IMPROBABLE]
        kinds[left & ~away & likely.is_known] = RANK[WITHIN]
        kinds[(kinds == RANK[NOT_PERMITTED]) & ~away & likely.is_known] = RANK[OUTSIDE]
        for k in np.flatnonzero((kinds >= RANK[WITHIN]) & likely.is_known):
            reasons.setdefault(int(k), likely.reason(int(k), asked.risk))
    return kinds, reasons, narrower


def number_of_sums(module: Module) -> int:
    """Return how many results sums have, at most."""
    return sum(op.results[0].type.size for op in folds(module, function_named(module, "main").body))


def has_functions(module: Module) -> bool:
    """Return whether a program has functions of which the specification guarantees no accuracy."""
    return any(map(is_open, module.main.body.ops))


def _narrower(likely: Span, rows: Rows) -> float | None:
    """Return how many times wider the proved spans of some elements are than the likely ones, the median."""
    some = np.flatnonzero(likely.is_known & (likely.greatest > likely.least))[:TRIED]
    if not len(some):
        return None
    proved = _spans(rows.pick(some), None)
    with np.errstate(all="ignore"):
        ratios = (proved.greatest - proved.least) / (likely.greatest - likely.least)[some]
    finite = ratios[np.isfinite(ratios)]  # of functions nothing is proved
    return float(np.median(finite)) if len(finite) else None


def _search(kinds: Array, reasons: dict[int, str], rows: Rows, asked: Asked) -> None:
    """Ask `permits` about elements that nothing is known of, of small sums or in place of NaN or infinity."""
    left = np.flatnonzero(kinds == RANK[UNKNOWN])[:SEARCHED]
    few = rows.pick(left) if len(left) else None
    if few and number_of_leaves(few.module) > LEAVES:
        left = left[_have_limits(few, asked)][:MOST]
        few = _alone(rows, left) if len(left) else None
    if few is None:
        return
    found = permits(few.module, few.args, [few.given], mode=asked.mode, most=MOST, limit=LIMIT)
    _take_permits(kinds, reasons, found, few.own, left)


def _alone(rows: Rows, numbers: Array) -> Rows | None:
    try:
        return rows.alone(numbers)
    except Unsupported:
        return None


def _have_limits(rows: Rows, asked: Asked) -> Array:
    """Return where a run has NaN or infinity, as there are such operands; sums may be as long as they are."""
    pairs = zip(rows.args, rows.module.main.inputs, strict=True)
    if all(np.isfinite(NUMPY.decode(x, v.type.storage_type)).all() for x, v in pairs):
        return np.zeros(len(rows.own), bool)
    return ~np.isfinite(numbers_of(rows, rows.run(mode=asked.mode)))


def _take_permits(kinds: Array, reasons: dict[int, str], found: Permits, own: Array, at: Array) -> None:
    """Take the verdicts of `permits` on some elements."""
    verdicts, place = (np.asarray(x[0]).reshape(-1)[own] for x in (found.verdicts, found.place))
    for k, verdict, where in zip(at, verdicts, place, strict=True):
        if where in (places.WRONG, places.OUTSIDE):
            kinds[k] = RANK[WRONG if where == places.WRONG else OUTSIDE]
        elif str(verdict).startswith(places.NOT_PERMITTED):
            kinds[k] = RANK[NOT_PERMITTED]
        elif verdict in (places.EXACT, places.PERMITTED):
            kinds[k] = RANK[PERMITTED]
    said = {
        int(np.ravel_multi_index(e.index, found.verdicts[0].shape)) if e.index else 0: e.reason
        for e in found.elements
    }
    reasons.update({int(k): said[int(j)] for k, j in zip(at, own, strict=True) if int(j) in said})


class Span(NamedTuple):
    """Ends of what each element may be, infinite where nothing is known; types: of the sums of floats.

    functions: those that are supposed to be as accurate as JAX documents.
    """

    least: Array
    greatest: Array
    types: tuple[str, ...]
    functions: tuple[str, ...]

    @property
    def is_known(self) -> Array:
        return np.isfinite(self.least) & np.isfinite(self.greatest)

    def outside(self, rows: Rows) -> Array:
        """Return which of the device's numbers are not between the ends: NaN is not."""
        x = numbers_of(rows)
        return self.is_known & ~((self.least <= x) & (x <= self.greatest))

    def reason(self, k: int, risk: float | None = None) -> str:
        low, high = self.least[k], self.greatest[k]
        where = f"[{low:.9g}, {high:.9g}]" if low != high else f"{low:.9g}"
        family = places.family(self.types)
        if risk is None:
            return f"only {where} is possible in {family}"
        accurate = f"{', '.join(self.functions)} err no more than JAX documents" if self.functions else ""
        if not self.types:
            return f"{where} if {accurate}"
        also = f" and {accurate}" if accurate else ""
        return (
            f"{where} has {family}, if roundings err independently{also}, but for one layer in {1 / risk:.0e}"
        )


def numbers_of(rows: Rows, stored: Array | None = None) -> Array:
    """Return the device's numbers in f64, or other ones in their place; NaN for those that are complex."""
    type = rows.module.main.results[0].storage_type
    numbers = np.asarray(NUMPY.decode(rows.numbers if stored is None else stored, type))
    return np.full(numbers.shape, np.nan) if type.kind == "complex" else numbers.astype(np.float64)


def _spans(rows: Rows, risk: float | None) -> Span:
    """Return the spans of every accumulation, or of all but a share of `risk` of each sum."""
    parts = -(-sum(x.size for x in rows.args) // BLOCK)
    if parts > 1 and rows.layer_program:
        every = [_spans(rows.pick(k), risk) for k in np.array_split(np.arange(len(rows.own)), parts)]
        least, greatest = (
            np.concatenate(ends) for ends in ([x.least for x in every], [x.greatest for x in every])
        )
        return Span(least, greatest, every[0].types, every[0].functions)
    main = rows.module.main
    carriers = [NUMPY.decode(x, v.type.storage_type) for x, v in zip(rows.args, main.inputs, strict=True)]
    walk = Enclosure(rows.module, True, risk)
    (span,) = walk.result_spans(main, carriers)
    return Span(*_ends(span, main.results[0], rows.own), tuple(walk.types), tuple(walk.functions))


def _ends(span: Any, type: TensorType, own: Array) -> tuple[Array, Array]:
    if span is None:
        nothing = np.full(len(own), np.inf)
        return -nothing, nothing
    low, high = (np.broadcast_to(end, type.shape).reshape(-1)[own].astype(np.float64) for end in span)
    return low, high
