"""Search for the switches of XLA's compiler that make the difference: one by one, then by halves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from interp.apps.diagnosing.search import differing
from interp.backends import Array
from interp.comparison.comparison import distance
from interp.engine.work import Covered, Work
from spec.errors import InterpError
from spec.ir import Module

# Switches of XLA's compiler: its passes by name, and flags that change what a program computes.
#
# XLA accepts unknown names of passes in silence. So the names come from a dump of the compilation itself,
# which has a file for each pass that changed the program (`xla_process.passes_apart`).

DISABLED = "xla_disable_hlo_passes"
# Passes that make a program fit for code generation: without them there is no program to compare with.
NEEDED = frozenset(
    "pipeline-start call-inliner flatten-call-graph dce copy-insertion layout-assignment tuple-simplifier "
    "optimize-input-output-buffer-alias cpu-parallel-task-assigner sub-byte-size-setter "
    "adding_copies_to_resolve_interference removing_unnecessary_copies adding_special-case_copies "
    "spmd-partitioner sharding-remover sharding-propagation".split()
)
# Passes that often change numbers, the most frequent first; others are first switched off together.
USUAL = (
    "algsimp fusion dot-library-rewriter simplify-fp-conversions constant_folding tree_reduction_rewriter "
    "reduce-window-rewriter float-normalization-bf16"
).split()
LETHAL = "dot-library-rewriter"  # the pass of most programs that end XLA's process
# Passes that changed an export of testdata: where compiling a program ends the process, no dump tells them.
SEEN = (
    *USUAL,
    *"shape-canonicalizer simplification fusion-wrapper cse reshape-mover scatter_simplifier".split(),
    *"simplification_after_layout_assignment post_scatter_expansion_simplification".split(),
    *"gather_simplifier simplify-while-loops transpose-folding small-while-loop-hoisting".split(),
    *"while-loop-constant-sinking while-loop-invariant-code-motion batch-dot-simplification".split(),
)
FLAGS: dict[str, Any] = {"xla_allow_excess_precision": False}


@dataclass(frozen=True)
class Switch:
    """A pass that is switched off, or a flag with its value."""

    name: str
    is_pass: bool = True

    def __str__(self) -> str:
        return self.name if self.is_pass else f"{self.name}={FLAGS[self.name]}"


def options(base: Mapping[str, Any], off: Iterable[Switch]) -> dict[str, Any]:
    """Return options of XLA's compiler with switches added to those of `base`."""
    off = list(off)
    names = [name for name in str(base.get(DISABLED, "")).split(",") if name]
    names += [each.name for each in off if each.is_pass and each.name not in names]
    flags = {each.name: FLAGS[each.name] for each in off if not each.is_pass}
    passes = {DISABLED: ",".join(names)} if names else {}
    return {**base, **flags, **passes}


# Delta debugging: a smallest part of a sequence that still fails (Zeller and Hildebrandt, 2002).

T = TypeVar("T")


@dataclass
class Delta(Generic[T]):
    """Search for a smallest part of a sequence for which `fails` is true.

    `fails` is asked once for each part, until the deadline of `work`: then the part known by then stands.
    what: the items in the plural, for progress.
    """

    fails: Callable[[Sequence[T]], bool]
    work: Work
    what: str
    known: dict[tuple[int, ...], bool] = field(default_factory=dict)
    items: Sequence[T] = ()
    late: bool = False

    def smallest(self, items: Sequence[T]) -> list[T]:
        """Return a part of `items`, which fail, from which no single item can be left out.

        That holds unless the deadline came before: then `work.covered` says how many items are left.
        """
        self.items = items
        part = self._minimize(self._window(tuple(range(len(items)))))
        done = len(items) - (len(part) if self.late else 0)
        self.work.covered.append(Covered(self.what, done, len(items)))
        return [items[k] for k in part]

    def _fails(self, part: tuple[int, ...]) -> bool:
        if not part:
            return False
        if part not in self.known:
            self.late = self.late or self.work.is_over
            if self.late:
                return False
            found = self.work.attempt(lambda: self.fails([self.items[k] for k in part]))
            self.late = found is None
            if found is None:
                return False
            self.known[part] = found
            self.work.tell(f"smallest of {len(self.items)} {self.what}", len(self.known), 0)
        return self.known[part]

    def _window(self, part: tuple[int, ...]) -> tuple[int, ...]:
        """Return a shorter part without a head and a tail, each found by halving."""
        low, high = 0, len(part)  # part[:high] fails, part[:low] does not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._fails(part[:middle]) else (middle, high)
        part = part[:high]
        low, high = 0, len(part)  # part[low:] fails, part[high:] does not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._fails(part[middle:]) else (low, middle)
        return part[low:]

    def _minimize(self, part: tuple[int, ...]) -> tuple[int, ...]:
        """Return a part without pieces that can be left out, of ever smaller sizes, until none can."""
        size = max(1, len(part) // 2)
        while True:
            before, place = part, 0
            while place < len(part):
                rest = part[:place] + part[place + size :]
                part, place = (rest, place) if self._fails(rest) else (part, place + size)
            if size == 1 and part == before:
                return part
            size = max(1, size // 2)


NOT_TRIED = "not tried"
Xla = Callable[[Module, Sequence[Array], Mapping[str, Any]], list[Array]]
Passes = Callable[[Module, Mapping[str, Any]], list[str]]


@dataclass(frozen=True)
class Tried:
    """XLA's results with some switches: how far they are from those that are expected.

    unequal: the number of unequal elements, None if there are no results, for the reason `error`. largest:
    the largest distance of two finite numbers, 0.0 if there is none. changes: whether any result is not XLA's
    default one.
    """

    off: tuple[Switch, ...]
    unequal: int | None
    largest: float = 0.0
    changes: bool = False
    error: str = ""

    @property
    def name(self) -> str:
        """The switches, as XLA names them."""
        return ", ".join(map(str, self.off))


@dataclass
class Search:
    """Search for the fewest passes without which XLA gives the expected results.

    module, args, base: what XLA runs, and the options with which it makes the difference. engine: the results
    of the program as written, by the engine. `expected` are these, if XLA can give them; else XLA's own with
    every switch off (`by_engine` is false), as it sums in other orders and has other functions. `repeats` is
    false if XLA does not give the same results twice: then nothing is searched.
    """

    xla: Xla
    passes: Passes
    module: Module
    args: Sequence[Array]
    base: Mapping[str, Any]
    engine: Sequence[Array]
    work: Work
    default: Sequence[Array] = ()
    expected: Sequence[Array] = ()
    by_engine: bool = True
    repeats: bool = True
    rows: list[Tried] = field(default_factory=list)
    together: Tried | None = None
    results: dict[frozenset[Switch], list[Array] | str] = field(default_factory=dict)
    _switches: list[Switch] = field(default_factory=list)

    def culprits(self) -> tuple[Switch, ...]:
        """Return passes without which XLA gives the expected results, none of which can be left out.

        The program runs once, whatever the deadline of `work` is; at the deadline there may be no pass.
        """
        self.default, self.expected = self.xla(self.module, self.args, self.base), self.engine
        if not differing(self.default, self.engine):
            return ()
        found = self.work.attempt(self._search)
        if self.repeats:
            tried = sum(frozenset([each]) in self.results for each in self._switches)
            self.work.covered.append(Covered("switches", tried, len(self._switches)))
            if found is None and tried == len(self._switches):
                self.work.covered.append(Covered("switches together", 0, tried))
            self.rows = [self._outcome((switch,)) for switch in self._switches]
        return found or ()

    def _search(self) -> tuple[Switch, ...]:
        """Return the same for results that differ; `OutOfTime` at the deadline."""
        self._switches = self._effective_switches(USUAL)
        if differing(self.default, self.xla(self.module, self.args, self.base)):
            self.repeats = False
            return ()
        self._switches = self._effective_switches(self._pass_names())
        usual = sum(each.name in USUAL or not each.is_pass for each in self._switches)
        usable = [each for each in self._switches[:usual] if self._gives_results(each)]
        usable += self._by_halves(self._switches[usual:])
        every = self._every(usable)
        runs = [x for x in self.results.values() if not isinstance(x, str)]
        if every and all(differing(x, self.engine) for x in runs):
            self.expected, self.by_engine = self.results[frozenset(every)], False
        self.together = self._outcome(tuple(every)) if every else None
        self.rows = [self._outcome((switch,)) for switch in self._switches]
        return self._fewest(usable, every)

    def _effective_switches(self, names: Iterable[str]) -> list[Switch]:
        """Return switches that change the options: the usual ones first, then the flags, then others."""
        switches = [*map(Switch, names), *(Switch(name, False) for name in FLAGS)]
        switches = [each for each in switches if options(self.base, [each]) != dict(self.base)]
        return sorted(switches, key=lambda each: (each.is_pass and each.name not in USUAL, not each.is_pass))

    def _gives_results(self, switch: Switch) -> bool:
        """Return whether there are results with a switch alone."""
        found = self.run([switch])
        self.work.tell("switches", len(self.results), len(self._switches))
        return not isinstance(found, str)

    def _by_halves(self, switches: Sequence[Switch]) -> list[Switch]:
        """Return those of several switches without which there are results.

        Where they change nothing together, they are taken to change nothing one by one.
        """
        if not switches:
            return []
        found = self.run(switches)
        if isinstance(found, str) or differing(found, self.default):
            if len(switches) == 1:
                return [] if isinstance(found, str) else list(switches)
            half = len(switches) // 2
            return [*self._by_halves(switches[:half]), *self._by_halves(switches[half:])]
        self.results |= {frozenset([each]): found for each in switches}
        return list(switches)

    def _pass_names(self) -> list[str]:
        try:
            names = self.passes(self.module, self.base)
        except InterpError:
            return []
        return self._optional(names)

    def _optional(self, names: Iterable[str]) -> list[str]:
        return [name for name in names if name not in NEEDED]

    def _every(self, usable: Sequence[Switch]) -> list[Switch]:
        """Return switches to be off together: those that change results, if that is enough, or all."""
        telling = [each for each in usable if self._changes([each])]
        passes = [each for each in telling if each.is_pass]
        if not differing_or_none(self.run(passes), self.engine):
            return passes
        for part in (usable, telling, passes):
            if not isinstance(self.run(part), str):
                return list(part)
        return []

    def _fewest(self, usable: Sequence[Switch], every: Sequence[Switch]) -> tuple[Switch, ...]:
        """Return the fewest switches with the expected results, () if there are none."""
        if not differing(self.default, self.expected):
            return ()
        for each in usable:
            if self._agrees([each]):
                return (each,)
        if not every or not self._agrees(every):
            return ()
        order = sorted(every, key=self._rank)
        return tuple(Delta(self._agrees, self.work, "switches together").smallest(order))

    def _rank(self, switch: Switch) -> tuple[bool, bool, int]:
        """Return what orders switches: passes first, those that bring the results nearest before others."""
        row = next(row for row in self.rows if row.off == (switch,))
        return not switch.is_pass, not row.changes, row.unequal or 0

    def run(self, off: Iterable[Switch]) -> list[Array] | str:
        """Return XLA's results with switches off, or the reason that there are none."""
        key = frozenset(off)
        if key not in self.results:
            try:
                self.results[key] = self.xla(self.module, self.args, options(self.base, key))
            except InterpError as error:
                self.results[key] = str(error)
        return self.results[key]

    def _agrees(self, off: Sequence[Switch]) -> bool:
        return not differing_or_none(self.run(off), self.expected)

    def _changes(self, off: Sequence[Switch]) -> bool:
        found = self.run(off)
        return not isinstance(found, str) and differing(found, self.default) > 0

    def _outcome(self, off: tuple[Switch, ...]) -> Tried:
        if frozenset(off) not in self.results:
            return Tried(off, None, error=NOT_TRIED)
        found = self.run(off)
        if isinstance(found, str):
            return Tried(off, None, error=found)
        changes = differing(found, self.default) > 0
        return Tried(off, differing(found, self.expected), largest(found, self.expected), changes)


def differing_or_none(found: list[Array] | str, expected: Sequence[Array]) -> bool:
    """Return whether results differ from those that are expected, or there are none."""
    return isinstance(found, str) or differing(found, expected) > 0


def largest(xs: Sequence[Array], ys: Sequence[Array]) -> float:
    """Return the largest distance of two finite numbers at the same place."""
    return max((_largest(x, y) for x, y in zip(xs, ys, strict=True)), default=0.0)


def _largest(x: Array, y: Array) -> float:
    return float(distance(x, y).max(initial=0.0))
