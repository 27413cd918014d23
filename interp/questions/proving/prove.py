"""`prove`: for every input, whether an accumulation of a program can overflow."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from interp.backends import NUMPY
from interp.engine.arguments import function_named
from interp.engine.evaluate import Context
from interp.engine.markup import join_lines
from interp.engine.processes import ProcessGrid as OneProcess
from interp.engine.storage import is_stored_as_integer, storage
from interp.engine.tensor import accept
from interp.engine.walk import walk
from interp.engine.work import Covered, Partly, Progress, Work
from interp.execute.accumulating import NO_WAYS, Given, Ways
from interp.execute.run import reading_and_ways, runnable
from interp.execute.unused import NOTHING, Unused, has_accumulator, unused_options, why_not_judged
from interp.kernels import OPERATIONS
from interp.questions.proving.forward import Forward
from interp.questions.proving.judgement import (
    ANY_ORDER,
    ANY_SCHEDULE,
    LATE,
    NOT_JUDGED,
    PROVED,
    REFUTED,
    UNKNOWN,
    Judgement,
)
from interp.questions.proving.ranges import Range, compact, finite_range, value_range
from interp.questions.proving.witness import Search, Witness
from interp.recorder.event import heading, number
from interp.recorder.names import ALONE, Qualifier, qualify
from interp.theory.sums import narrowest
from spec.accumulator import LITERAL, Reading
from spec.errors import Malformed
from spec.grid import ONE
from spec.ir import Func, Module, Value
from spec.schedule import Schedule, parse

# The ranges of a program's parameters: those of their types, or those that the caller gives.

EXPECTED = "expected (least, greatest) as stored elements, or an array for a value that is known"


def ranges_of(func: Func, given: Mapping[str | int, Any]) -> list[Range]:
    """Return the range of every parameter; `given` has some by name (`%x`, `x`) or position."""
    known: dict[int, Any] = {}
    for key, wanted in given.items():
        known[_position(func, key)] = wanted
    return [
        _range(value, k, known[k]) if k in known else finite_range(value.type)
        for k, value in enumerate(func.inputs)
    ]


def parse_range(text: str) -> tuple[str, tuple[float, float]]:
    """Return the parameter's name and the ends in `x=-4:4`."""
    name, _, ends = text.rpartition("=")
    try:
        least, greatest = (float(end) if not _is_whole(end) else int(end) for end in ends.split(":"))
    except ValueError:
        raise Malformed(f"{text!r} is not a range", "expected a parameter and two numbers: x=-4:4") from None
    return name, (least, greatest)


def _is_whole(text: str) -> bool:
    return text.strip().removeprefix("-").isdigit()


def _position(func: Func, key: str | int) -> int:
    names = [value.name.removeprefix("%") for value in func.inputs]
    titles = [value.title for value in func.inputs]
    if isinstance(key, str) and key.removeprefix("%") in names:
        return names.index(key.removeprefix("%"))
    if isinstance(key, str) and key in titles:
        return titles.index(key)
    if isinstance(key, int) and not isinstance(key, bool) and 0 <= key < len(names):
        return key
    raise Malformed(
        f"no parameter {key!r}", "parameters: " + (", ".join(value.title for value in func.inputs))
    )


def _range(value: Value, k: int, given: Any) -> Range:
    """Return a parameter's range from two ends, each a number or an array, or from its value."""
    if isinstance(given, tuple):
        if len(given) != 2:
            raise Malformed(f"{len(given)} ends for parameter {value.title}", EXPECTED)
        least, greatest = (
            compact(NUMPY.decode(_store(value, k, end), value.type.storage_type)) for end in given
        )
        if not bool(np.all(least <= greatest)):
            raise Malformed(f"the range of parameter {value.title} is empty", "expected least <= greatest")
        return Range(value.type, least, greatest)
    known = compact(NUMPY.decode(_store(value, k, given), value.type.storage_type))
    return value_range(value.type, known)


def _store(value: Value, k: int, x: Any) -> np.ndarray:
    """Return a number or an array as stored elements of a parameter, in its shape."""
    array = np.asarray(x)
    if not array.ndim and value.type.rank:
        scalar = Value(value.name, type(value.type)((), value.type.element_type))
        return np.broadcast_to(accept(array.item(), scalar, k), value.type.shape)
    return accept(x, value, k)


# The answer of `prove`, as text and as JSON.

VERDICTS = (REFUTED, NOT_JUDGED, UNKNOWN, PROVED)


@dataclass(frozen=True, eq=False)
class Row:
    """One accumulation: its judgement, and the witness if it is refuted."""

    judgement: Judgement
    qualifier: Qualifier = ALONE
    witness: Witness | None = None

    @property
    def verdict(self) -> str:
        """The verdict: "proved", "refuted", "unknown" or "not judged"."""
        return self.judgement.verdict

    @property
    def name(self) -> str:
        """The name of the operation: `%4`, or `@pool/%4`."""
        return qualify(self.judgement.op.results[0].name, self.qualifier)

    @property
    def layer(self) -> str:
        """The name of the layer in which the operation stands, or ""."""
        return self.qualifier.layer

    @property
    def place(self) -> str:
        """The elements whose sums lie farthest beyond the accumulator's range: `(:, 37, :, :)`, or ""."""
        if not self.judgement.beyond:
            return ""
        return f"({', '.join(':' if i is None else str(i) for i in self.judgement.beyond[0])})"

    def __repr__(self) -> str:
        return "\n".join(_lines(self))


@dataclass(frozen=True, eq=False, repr=False)
class Proof(Partly):
    """The accumulations of a function in program order, each with its verdict for every input.

    `unused` are the options that were asked for and that the program does not use. `covered` says how many
    accumulations, and how many searches for a witness, were done before the deadline.
    """

    function: Func
    rows: tuple[Row, ...]
    schedule: str
    reading: Reading
    unused: Unused = NOTHING
    covered: tuple[Covered, ...] = ()

    @property
    def ok(self) -> bool:
        """Return whether every accumulation was looked at, and none is refuted; some may be unknown."""
        return not (self.counts[REFUTED] or self.counts[NOT_JUDGED])

    @property
    def counts(self) -> Counter[str]:
        """The number of rows of each verdict."""
        return Counter(row.verdict for row in self.rows)

    def __getitem__(self, name: str) -> Row:
        """Return the row of an operation, by the name of its result, or by that of its layer."""
        return next(
            row for row in self.rows if name.removeprefix("%") in (row.name.removeprefix("%"), row.layer)
        )

    def _repr_text_(self) -> str:
        counts = ", ".join(f"{n} {verdict}" for verdict in VERDICTS if (n := self.counts[verdict]))
        plural = "" if len(self.rows) == 1 else "s"
        head = f"@{self.function.name}, schedule {self.schedule}, reading {self.reading!r}"
        head = f"{head}: {len(self.rows)} accumulation{plural}: {counts or 'none'}"
        late = ", ".join(str(each) for each in self.covered if each.partial)
        partial = [f"partial, the deadline came first: {late}"] if late else []
        return join_lines([head, *partial, *map(repr, self.rows), *self._notes()])

    def _notes(self) -> list[str]:
        """Return the unused options that no row mentions."""
        rows = any(row.verdict == NOT_JUDGED for row in self.rows)
        return [line for line in self.unused.lines if not (rows and line.startswith("the accumulator"))]

    def to_dict(self) -> dict[str, Any]:
        """Return the rows in plain Python values."""
        return {
            "function": self.function.name,
            "schedule": self.schedule,
            "reading": repr(self.reading),
            "ok": self.ok,
            "counts": {verdict: n for verdict in VERDICTS if (n := self.counts[verdict])},
            "partial": self.partial,
            "covered": [{"what": x.what, "done": x.done, "total": x.total} for x in self.covered],
            "unused": self.unused.plain,
            "rows": [_plain(row, self.function) for row in self.rows],
        }

    def to_json(self) -> str:
        """Return the rows as JSON."""
        return json.dumps(self.to_dict(), indent=1)


def _lines(self: Row) -> Iterator[str]:
    judgement = self.judgement
    name = heading(judgement.op, self.qualifier)
    yield f"{name} {f'along {judgement.along}' if judgement.along else f'in {_type(self)}'}: {_verdict(self)}"
    for held, ends in judgement.nodes:
        low, high = map(int, ends.hull)
        there = f"{narrowest(low, high, True)} bits needed, {held.type.bits} there"
        yield f"  in {held!r} from {low:,} to {high:,}; {there}"
    if judgement.ends is not None and judgement.ends.least.size and not judgement.along:
        least, greatest = (number(end) for end in judgement.ends.hull)
        worst = f", worst at result {self.place}" if self.place else ""
        yield f"  sums from {_group_digits(least)} to {_group_digits(greatest)}{worst}{_room(self)}"
    if self.witness:
        yield f"  witness: {self.witness!r}"


def _type(self: Row) -> str:
    text = repr(self.judgement.type)
    head, _, tail = text.partition("{")
    return text if not tail else f"{head}{{...}}>"


def _verdict(self: Row) -> str:
    judgement = self.judgement
    scope = f" in {'' if judgement.scope.startswith('any') else 'the '}{judgement.scope}"
    why = f": {judgement.why}" if judgement.why else ""
    return f"{judgement.verdict}{scope if judgement.verdict == PROVED and judgement.scope else ''}{why}"


def _group_digits(text: str) -> str:
    return f"{int(text):,}" if text.lstrip("-").isdigit() else text


def _room(self: Row) -> str:
    """Return the bits that every order needs as an integer, and those that there are."""
    judgement = self.judgement
    if judgement.bits is None:
        return ""
    if not is_stored_as_integer(judgement.type):
        return f"; as integers {judgement.bits} bits"
    return f"; {judgement.bits} bits needed, {storage(judgement.type).bits} there"


def _plain(row: Row, function: Func) -> dict[str, Any]:
    judgement, seen = row.judgement, row.witness
    ends = None if judgement.ends is None else [_finite(end) for end in judgement.ends.hull]
    return {
        "name": row.name,
        "layer": row.layer,
        "operation": judgement.op.name,
        "location": str(judgement.op.location),
        "verdict": row.verdict,
        "scope": judgement.scope,
        "why": judgement.why,
        "type": repr(judgement.type),
        "ends": ends,
        "place": row.place,
        "bits": judgement.bits,
        **({"along": judgement.along, "nodes": _nodes(judgement)} if judgement.along else {}),
        "event": repr(seen.event) if seen else None,
        "witness": _arguments(seen.args, function) if seen else None,
    }


def _nodes(judgement: Judgement) -> list[dict[str, Any]]:
    return [{"type": repr(held), "ends": [*map(int, ends.hull)]} for held, ends in judgement.nodes]


def _finite(x: float) -> float | str:
    """Return a number as JSON has it: an infinity or NaN as text."""
    return x if isinstance(x, int) or isfinite(x) else str(x)


def _arguments(args: tuple[Any, ...], function: Func) -> dict[str, Any]:
    pairs = zip(function.inputs, args, strict=True)
    return {value.title: np.asarray(x).tolist() for value, x in pairs}


ORDER = (REFUTED, NOT_JUDGED, UNKNOWN, PROVED)
OWN_TYPE = "in its own type, the accumulator was not looked at"
NO_TIME = "the deadline came before the runs that may find a witness"


def prove(
    module: Module,
    ranges: Mapping[str | int, Any] | None = None,
    *,
    function: str = "main",
    schedule: str | Schedule = "left",
    mode: str = "mlir",
    reading: str | Reading = "dequantize",
    accumulator: Given | Mapping[Any, Given] | None = None,
    recipe: str | None = None,
    runs: int = 16,
    seconds: float | None = None,
    progress: Progress | None = None,
) -> Proof:
    """Return, for each accumulation, whether it is free of overflow for every input, without sampling.

    ranges: of parameters, by name or position: `(least, greatest)` as stored elements, or an array for one
    that is known; by default all that a type holds, but neither NaN nor infinities. The verdicts are
    "proved", "refuted" (a run of the row's witness has overflowed), "unknown", and "not judged" (its sums do
    not use the `accumulator` that was asked for, or round along it, or the deadline came first). runs: how
    many runs may look for witnesses. seconds: the time after which no other operation is looked at, and no
    other run begins. progress: called with what is looked at, how many operations are done, and of how many.
    The other options are those of `run`. Along an accumulation a sum is proved if no partial sum of any group
    exceeds the type of its node. Raises as `run` does.
    """
    options: dict[str, Any] = {"schedule": parse(schedule), "function": function, "mode": mode}
    work, asked = Work(seconds, progress), (reading, accumulator, recipe)
    read, ways = reading_and_ways(module, [function], options["schedule"], asked)
    forward = walk_forward(module, ranges, work=work, **options, reading=read, ways=ways)
    judged = _worst(forward.judgements)
    own = read._replace(is_asked=False)  # its runs need not use the accumulator everywhere
    along = {"accumulator": accumulator} if ways else {}
    search = Search(module, forward.steps, forward.given, {**options, "reading": own} | along, runs, work)
    still = [judgement for judgement, _ in judged if judgement.verdict == UNKNOWN]
    search.search(sorted(still, key=lambda judgement: not has_accumulator(judgement.op, read)))
    late = sum(judgement.why == LATE for judgement, _ in judged)
    work.covered.insert(0, Covered("accumulations", len(judged) - late, len(judged)))
    rows = tuple(_row(*each, search, read) for each in judged)
    func = function_named(module, function)
    said = unused_options(module, func.name, read), tuple(work.covered)
    return Proof(func, rows, repr(options["schedule"]), read, *said)


def walk_forward(
    module: Module,
    ranges: Mapping[str | int, Any] | None = None,
    *,
    function: str = "main",
    schedule: str | Schedule = "left",
    mode: str = "mlir",
    reading: Reading = LITERAL,
    work: Work | None = None,
    ways: Ways = NO_WAYS,
) -> Forward:
    """Return the walk through a program, with the ranges of all its values."""
    func = runnable(module, function, mode, ONE, reading._replace(is_asked=False))
    context = Context(
        NUMPY, module, parse(schedule), OPERATIONS, process=OneProcess().processes[0], reading=reading
    )
    forward = Forward(context, ranges_of(func, ranges or {}), work, ways)
    walk(forward, func.body, forward.given)
    return forward


def _worst(judgements: list[tuple[Judgement, Qualifier]]) -> list[tuple[Judgement, Qualifier]]:
    """Return one judgement for each result of an operation, of all the ways in which it is reached."""
    found: dict[tuple[int, int], tuple[Judgement, Qualifier]] = {}
    for judgement, name in judgements:
        key = id(judgement.op), judgement.result
        found[key] = (_worse(found[key][0], judgement) if key in found else judgement), name
    return list(found.values())


def _worse(first: Judgement, second: Judgement) -> Judgement:
    """Return the worse of two judgements of one accumulation; of two proofs, that of the narrower scope."""
    width = lambda x: (ORDER.index(x.verdict), x.scope in (ANY_SCHEDULE, ANY_ORDER), x.scope == ANY_ORDER)
    worse = min(first, second, key=width)
    if not first.verdict == second.verdict == PROVED:
        return worse
    pairs = (first.ends, second.ends), (first.needed, second.needed)
    ends, needed = (one and other and one.join(other) for one, other in pairs)
    nodes = tuple((held, x.join(dict(second.nodes).get(held, x))) for held, x in first.nodes)
    return replace(worse, ends=ends, needed=needed, nodes=nodes)


def _row(judgement: Judgement, qualifier: Qualifier, search: Search, reading: Reading) -> Row:
    """Return a row: refuted if some arguments are seen to overflow, not judged if it uses no accumulator."""
    unused = reading.is_asked and not has_accumulator(judgement.op, reading)
    if seen := search.found.get(id(judgement)):
        return Row(replace(judgement, verdict=REFUTED, why=OWN_TYPE if unused else ""), qualifier, seen)
    if unused and judgement.verdict != NOT_JUDGED:
        return Row(replace(judgement, verdict=NOT_JUDGED, why=why_not_judged(judgement.op)), qualifier)
    if judgement.verdict == UNKNOWN and not judgement.why:
        made = f"no overflow in {search.made} run{'s' * (search.made != 1)} of likely arguments"
        late = NO_TIME if search.is_late else "no run has looked for a witness"
        why = search.refused or (made if search.made and not search.is_late else late)
        return Row(replace(judgement, why=why), qualifier)
    return Row(judgement, qualifier)
