"""`reveal`: the accumulation of an implementation, recovered by probes and executed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from interp.apps.revealing.arithmetic import Fitting, tree_of
from interp.apps.revealing.counting import calibrate, has_any_order
from interp.apps.revealing.device import Device, Function, Refused
from interp.apps.revealing.execution import NUMBER, draw, fill, kinds_of, refuse_other_program, rerun
from interp.apps.revealing.revealed import Group, Revealed
from interp.apps.revealing.site import NOWHERE, Site, site_of
from interp.apps.revealing.statement import explicit, patterns_of, with_init_last
from interp.apps.revealing.tree import Inconsistent, recover
from interp.apps.suite.cases import Case
from interp.apps.suite.implementations import Named, Question, implementation
from interp.backends import Array
from interp.backends.dtypes import numpy_dtype
from interp.engine.arguments import accept_arguments
from interp.engine.limits import refuse_sizes
from interp.questions.permitted.results import equal
from spec.accumulation import Accumulation
from spec.errors import Malformed, Unsupported, whole
from spec.ir import Module
from spec.trees import Arithmetic, Tree

CHECK = 1000
SCREENED = 8  # vectors of each kind by which arithmetics are chosen
SEEN = 64  # results that are compared
GROUPS = 16  # accumulations of several results of one call


def reveal(
    module: Module,
    f: Named,
    *args: Any,
    of: str | None = None,
    check: int = CHECK,
    function: str = "main",
    seed: int = 0,
) -> Revealed:
    """Return the accumulation that an implementation has for a sum of a program, or why none is stated.

    f: a function of the program's arguments, as NumPy arrays, that returns its results; or the name, the
    command or the server of an implementation, as `conformance` takes it. args: arguments whose shapes and
    dtypes must be those of the program; their values do not count. of: the name of the sum, where the program
    has several. check: on how many inputs both must have the same bits before anything is stated.

    Raises `Malformed` or `Unsupported` for a program whose sum is not probed: its leaves must be elements of
    arguments, moved, converted, or scaled by a power of two. An `f` that fails is an answer.
    """
    check = whole(check, "check")
    if check < NUMBER:
        raise Malformed(
            "too few inputs to check", f"expected {NUMBER} or more, one of each kind, got {check}"
        )
    site = site_of(module, of, function)
    refuse_sizes(module, site.func)
    if args:
        accept_arguments(site.func, args)
    with _function_of(f, module) as g:
        return _Search(site, g, check, seed).answer()


@contextmanager
def _function_of(f: Named, module: Module) -> Iterator[Function]:
    """Yield an implementation as a function of arrays."""
    if not isinstance(f, str):
        if not callable(f):
            raise Malformed(
                f"{type(f).__name__} is not an implementation", "expected a function of arrays, or a name"
            )
        yield f
        return
    case = Case("reveal", Path("reveal.mlir"), repr(module), "", "mlir", "stablehlo", (), (), (), (), {}, "")
    with closing(implementation(f)) as impl:

        def call(*args: Array) -> Sequence[Array]:
            reply = impl(Question(case, module, args))
            if reply.kind != "results":
                raise Refused(f"{f}: {reply.kind}: {reply.message[:200]}")
            return reply.results

        yield call


class _Search:
    """The search for the accumulation of one site's sum in one implementation."""

    def __init__(self, site: Site, function: Function, check: int, seed: int) -> None:
        self.site, self.number, self.rng = site, check, np.random.default_rng(seed)
        self.function, self.unseen = function, list[str]()
        self.device: Device | None = None

    def answer(self) -> Revealed:
        groups, reason = list[Group](), ""
        try:
            self.device = device = Device(self.site, self.function)
            self._refuse_other_results(device)
            groups = self.groups(device)
            for group in groups:
                drawn = [self.arguments(device, kind, self.rng) for kind in range(NUMBER)]
                refuse_other_program(device, group.accumulation, group.results, drawn)
        except Refused as error:
            is_changed = self.device is not None and self.device.is_changed()
            reason, groups = OTHER if is_changed else str(error), []
        single = len(groups) == 1 and not reason
        if len(groups) > 1 and not reason:
            reason = f"results are added in {len(groups)} ways, each of which is equal on every input"
        device_counts = (self.device.probes, self.device.calls) if self.device else (0, 0)
        return Revealed(
            self.site.name,
            self.site.n,
            self.site.declared.name,
            groups[0].accumulation if single else None,
            reason,
            groups[0].equal if single else 0,
            groups[0].checked if single else 0,
            kinds_of(self.device.own_type) if self.device else (),
            *device_counts,
            tuple(dict.fromkeys(self.unseen)),
            tuple(groups),
        )

    def _refuse_other_results(self, device: Device) -> None:
        """Raise `Refused` if the same call has other results a second time."""
        args = self.arguments(device, 0, self.rng)
        device.first = args, device.call(args)
        if device.is_changed():
            raise Refused(OTHER)
        given = device.first[1][device.rows].astype(np.float64)
        if self.site.is_direct and self.site.declared.bits > 8 and not np.isfinite(given).all():
            bad = given[~np.isfinite(given)]
            raise Refused(f"{len(bad):,} of {len(given):,} results for normal numbers are {bad[0]}")

    # Results that are added alike.

    def groups(self, device: Device) -> list[Group]:
        """Return the accumulations of the results that are compared, each with its results."""
        remaining, groups = self._choose_results(device), list[Group]()
        everything = len(self._whole())
        if len(remaining) < everything:
            self.unseen.append(
                f"{everything - len(remaining):,} of {everything:,} results, which were not compared"
            )
        if everything < self.site.results:
            self.unseen.append(f"{self.site.results - everything:,} results that also add padding")
        alone = False
        while remaining:
            rows = [remaining[0]] if alone else []
            try:
                accumulation = self.recover(device, rows)
            except Inconsistent:
                if alone or len(device.rows) == 1:
                    raise
                alone = True
                continue
            results = remaining
            same = self.compare(device, accumulation, results, self.number)
            alike = [r for r, row in zip(results, same.T, strict=True) if row.all()]
            if not alike:
                if not alone and len(remaining) > 1:
                    alone = True
                    continue
                total = int(same.sum())
                raise Refused(
                    f"the accumulation that its probes show, {_short(accumulation)}, gives {total:,} of"
                    f" {same.size:,} results"
                )
            if len(alike) < len(results):
                same = self.compare(device, accumulation, alike, self.number)
                if not same.all():
                    raise Refused(
                        f"{_short(accumulation)} is equal on {int(same.sum()):,} of {same.size:,} inputs"
                    )
            groups.append(Group(accumulation, tuple(alike), int(same.sum()), int(same.size)))
            remaining, alone = [r for r in remaining if r not in alike], True
            if remaining and len(groups) == GROUPS:
                raise Refused(f"results are added in more than {GROUPS} ways")
        return groups

    def _whole(self) -> Array:
        """Return the results of which no leaf is padding."""
        holes = [(side.places == NOWHERE).any(axis=1) for side in self.site.sides]
        return np.flatnonzero(~np.logical_or.reduce(holes))

    def _choose_results(self, device: Device) -> list[int]:
        """Return the results that are compared: those that probes use, and others."""
        rows = device.rows[: SEEN // 2] if len(self._whole()) > SEEN else device.rows[:SEEN]
        others = np.setdiff1d(self._whole(), rows)
        chosen = self.rng.permutation(others)[: SEEN - len(rows)]
        return [*rows, *sorted(chosen.tolist())]

    # Recovery.

    def recover(self, device: Device, rows: Sequence[int]) -> Accumulation:
        """Return an accumulation that gives a few results; `Refused` if none that is known does."""
        probing = calibrate(device, self.rng, rows)
        screen = _Screen(self, device, rows)
        if probing is None:
            return self._in_any_order(screen)
        tree = tree_of(recover(self.site.n, probing, self.rng))
        fitting = Fitting(device, tree, self.rng, rows)
        if self.site.declared.is_integer:
            saturating = Arithmetic(rounding="saturate")
            trees = iter([Tree(tree.n, tuple(replace(node, arithmetic=saturating) for node in tree.nodes))])
        else:
            trees = fitting.alike()
        for chosen in self._with_flushes(trees, screen):
            return self._state(*chosen, screen)
        if not self.site.declared.is_integer:
            for chosen in self._with_flushes([fitting.one_by_one()], screen):
                return self._state(*chosen, screen)
        best = screen.best
        raise Refused(
            f"units are counted as along {_short(explicit(tree, False))}, but no arithmetic that is known"
            f" gives its results there: the nearest gives {best} of {screen.size}"
        )

    def _with_flushes(self, trees: Iterable[Tree], screen: _Screen) -> Iterator[tuple[Tree, bool]]:
        """Yield the trees that give the results on the screen, and whether inputs are flushed."""
        flushes = ((False, False), (True, True), (True, False), (False, True))
        for tree in trees:
            for inputs, results in flushes[:1] if self.site.declared.is_integer else flushes:
                nodes = [
                    replace(node, arithmetic=replace(node.arithmetic, flush=results)) if results else node
                    for node in tree.nodes
                ]
                flushed = Tree(tree.n, tuple(nodes))
                if screen.gives(replace(explicit(flushed, False), flushes_inputs=inputs)):
                    yield flushed, inputs

    def _state(self, tree: Tree, flushes_inputs: bool, screen: _Screen) -> Accumulation:
        """Return the shortest accumulation of a tree with the device's sign of zero."""
        negative = screen.negative_zero
        candidates = list(patterns_of(tree))
        candidates += [with_init_last(each, tree) for each in candidates if not each.start]
        candidates += [explicit(tree, adds_init) for adds_init in (not negative, negative)]
        candidates = [replace(each, flushes_inputs=flushes_inputs) for each in candidates]
        if self.site.declared.is_integer:
            return candidates[0]
        signed = [each for each in candidates if screen.has_sign(each)]
        if not signed:
            self.unseen.append("the sign of a sum of zeros, which no init explains")
        return (signed or candidates)[0]

    def _in_any_order(self, screen: _Screen) -> Accumulation:
        """Return an accumulation where nothing is absorbed, so that probes do not tell the order."""
        texts = list(_exact(self.site, screen.device))
        found = [Accumulation.parse(text) for text in texts if screen.gives(Accumulation.parse(text))]
        if not found:
            raise Refused(
                "no large number absorbs a unit, and no sum in an exact, wide or narrow type has"
                f" its results: the nearest has {screen.best} of {screen.size}"
            )
        if has_any_order(self.site, found[0]):
            self.unseen.append(ANY_ORDER)
            return found[0]
        holds = lambda each: bool(self.compare(screen.device, each, screen.rows, self.number).all())
        chosen = next(filter(holds, found), found[0])
        level = lambda text: Accumulation.parse(text).level.with_arithmetic(chosen.arithmetics[0])
        others = [text for text in ORDERS if text != chosen.level.name]
        if all(holds(Accumulation(level(text))) for text in others):
            raise Refused(f"no probe tells its order: {', '.join((repr(chosen), *others))} have its results")
        return chosen

    # Execution.

    def arguments(self, device: Device, kind: int, rng: np.random.Generator) -> list[Array]:
        """Return arguments with leaves of a kind where probes have theirs, and usual numbers elsewhere."""
        args = [x.copy() for x in device.blank]
        for side in self.site.sides:
            args[side.argument] = fill(args[side.argument].shape, side.type, rng)
        rows = device.rows
        x, other = draw(kind, len(rows), self.site.n, device.own_type, device.other_type, rng)
        device.place(args, rows, device.side, x)
        if other is not None:
            device.place(args, rows, 1 - device.side, other)
        return args

    def leaves(self, args: Sequence[Array], results: Sequence[int]) -> list[Array]:
        """Return the leaves of results, of each side, as numbers."""
        found = list[Array]()
        for side in self.site.sides:
            numbers = args[side.argument].reshape(-1)[side.places[list(results)]]
            numbers = numbers.astype(np.int64 if side.type.is_integer else np.float64)
            found.append(numbers * side.scale if side.scale != 1 else numbers)
        return found

    def compare(
        self, device: Device, accumulation: Accumulation, results: Sequence[int], number: int
    ) -> Array:
        """Return where the device has the accumulation's bits, [calls, results], on so many inputs."""
        calls = max(NUMBER, -(-number // len(results)))
        rng = np.random.default_rng(self.rng.integers(1 << 62))
        given, leaves = list[Array](), list[list[Array]]()
        for k in range(calls):
            args = self.arguments(device, k % NUMBER, rng)
            given.append(device.call(args)[list(results)])
            leaves.append(self.leaves(args, results))
        sides = [np.concatenate(parts) for parts in zip(*leaves, strict=True)]
        sums = rerun(self.site, accumulation, *sides).reshape(calls, len(results))
        return equal(np.stack(given), self.read(sums, results))

    def read(self, sums: Array, results: Sequence[int]) -> Array:
        """Return what the program's results are for these sums, [calls, results]."""
        if self.site.is_direct:
            return self.site.finish(sums)
        every = np.zeros((len(sums), self.site.results))
        every[:, list(results)] = sums
        return self.site.finish(every)[:, list(results)]


OTHER = "it has other results for the same arguments when it is called again"
ANY_ORDER = "the order: every order has the same results for these types and so many leaves"
ORDERS = ("left", "right", "balanced", "random(1)")


def _exact(site: Site, device: Device) -> Iterator[str]:
    """Yield the accumulations to try where nothing is absorbed."""
    if site.declared.is_integer:
        for mode in ("", " saturate"):
            for bits in range(site.declared.bits, 7, -1):
                for order in (*ORDERS[:3], "lanes(4)", "lanes(8)", "lanes(16)") if mode else ORDERS[:1]:
                    yield order if not mode and bits == site.declared.bits else f"{order} in i{bits}{mode}"
        return
    yield from ("left", "right", "balanced", "star exact", "left in f64", "left in f32", "pairwise in f64")
    yield "left fma"


def _short(accumulation: Accumulation) -> str:
    from interp.apps.revealing.revealed import text

    return text(accumulation)


def _zeros(device: Device, n: int) -> list[tuple[Array, Array]]:
    """Return vectors of negative zeros, and of negative products that are too small to be other numbers."""
    vectors = [(-np.zeros(n), np.ones(n))]
    type = device.own_type
    if device.other_type is not None and not (type.is_integer or device.other_type.is_integer):
        import ml_dtypes

        least = float(ml_dtypes.finfo(numpy_dtype(type)).smallest_subnormal)
        vectors.append((np.full(n, -least), np.full(n, 0.25)))
    return vectors


class _Screen:
    """A few vectors of each kind with the device's results, by which accumulations are chosen."""

    def __init__(self, search: _Search, device: Device, rows: Sequence[int]) -> None:
        self.search, self.device = search, device
        self.rows = list(rows) or device.rows
        rng, few = np.random.default_rng(search.rng.integers(1 << 62)), max(1, SCREENED // len(self.rows))
        results, leaves = list[Array](), list[list[Array]]()
        for k in range(NUMBER * few):
            args = search.arguments(device, k % NUMBER, rng)
            chosen = self.rows[:SCREENED]
            results.append(device.call(args)[chosen])
            leaves.append(search.leaves(args, chosen))
        self.chosen = self.rows[:SCREENED]
        self.results = np.stack(results)
        self.sides = [np.concatenate(parts) for parts in zip(*leaves, strict=True)]
        self.best = 0
        self.zeros = _zeros(device, search.site.n)
        self.zero = np.concatenate([device.ask(x[None], y, self.rows[:1]) for x, y in self.zeros])

    @property
    def size(self) -> int:
        return self.results.size

    @property
    def negative_zero(self) -> bool:
        """Return whether the sum of negative zeros is one."""
        return bool(np.signbit(self.zero.astype(np.float64))[0])

    def has_sign(self, accumulation: Accumulation) -> bool:
        sides = [np.stack(part) for part in zip(*self.zeros, strict=True)][: len(self.search.site.sides)]
        if self.device.side:
            sides.reverse()
        sums = rerun(self.search.site, accumulation, *sides)[:, None]
        return bool(equal(self.search.read(sums, self.rows[:1])[:, 0], self.zero).all())

    def gives(self, accumulation: Accumulation) -> bool:
        """Return whether an accumulation has all results, but for signs of zero; the most are counted."""
        try:
            sums = rerun(self.search.site, accumulation, *self.sides).reshape(self.results.shape)
        except Unsupported:
            return False
        read = self.search.read(sums, self.chosen)
        same = equal(self.results, read) | ((self.results == 0) & (read == 0))
        self.best = max(self.best, int(same.sum()))
        return bool(same.all())
