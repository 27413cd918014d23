"""`reveal`: the accumulation of an implementation, recovered by probes and executed again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from interp.apps.revealing.arithmetic import Fitting
from interp.apps.revealing.counting import calibrate, find_compensated, has_any_order
from interp.apps.revealing.device import Device, Function, Inconsistent, Refused
from interp.apps.revealing.execution import NUMBER, SPECIAL, kinds_of, refuse_other_program, rerun
from interp.apps.revealing.nodes import join_chains, tree_of, with_fma
from interp.apps.revealing.revealed import Group, Revealed, text
from interp.apps.revealing.screen import Screen, arguments, leaves, read
from interp.apps.revealing.site import NOWHERE, Site, fill, site_of
from interp.apps.revealing.sizes import reveal_sizes
from interp.apps.revealing.statement import explicit, patterns_of
from interp.apps.revealing.tree import recover
from interp.apps.suite.cases import Case
from interp.apps.suite.implementations import Named, Question, implementation
from interp.backends import Array
from interp.engine.arguments import accept_arguments
from interp.engine.limits import refuse_sizes
from interp.questions.permitted.results import equal
from spec.accumulation import Accumulation
from spec.errors import Malformed, whole
from spec.ir import Module
from spec.trees import PLAIN, Arithmetic, Tree

CHECK = 1000
SEEN = 64  # results that are compared
NARROW = (  # how tensor cores round factors of f32
    *(Arithmetic(type="tf32", rounding="toward zero"), Arithmetic(type="tf32"), Arithmetic(type="bf16")),
)
FEW, MANY = 12, 64  # probes at each node, where those of a few nodes do not tell the arithmetic of all
LARGEST = 1 << 16  # probes of all nodes
HELD = 6  # accumulations that are compared on all inputs, of those that have the results on the screen
GROUPS = 16  # accumulations of several results of one call


def reveal(
    module: Module,
    f: Named,
    *args: Any,
    of: str | None = None,
    check: int = CHECK,
    function: str = "main",
    seed: int = 0,
    sizes: Sequence[int] | None = None,
) -> Revealed:
    """Return the accumulation that an implementation has for a sum of a program, or why none is stated.

    f: a function of the program's arguments, as NumPy arrays, that returns its results; or the name, the
    command or the server of an implementation, as `conformance` takes it. args: arguments whose shapes and
    dtypes must be those of the program; their values do not count. of: the name of the sum, where the program
    has several. check: on how many inputs both must have the same bits before anything is stated. sizes:
    numbers that the program's unknown sizes (`tensor<4x?xf32>`) have in turn: the answer is one text for all.

    Raises `Malformed` or `Unsupported` for a program whose sum is not probed: its leaves must be elements of
    arguments, moved, converted, or scaled by a power of two. An `f` that fails is an answer.
    """
    check = whole(check, "check")
    if check < NUMBER:
        raise Malformed(
            "too few inputs to check", f"expected {NUMBER} or more, one of each kind, got {check}"
        )
    if sizes is not None:
        is_several = isinstance(sizes, Sequence) and len(sizes) > 0
        if args or not is_several or min(whole(n, "size") for n in sizes) < 1:
            raise Malformed("not sizes to reveal", f"expected numbers from 1, and no arguments, got {sizes}")
        options: dict[str, Any] = {"of": of, "check": check, "function": function, "seed": seed}
        return reveal_sizes(sizes, lambda n: reveal(fill(module, n, function), f, **options))
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
        self.has_specials = True

    def answer(self) -> Revealed:
        groups, reason = list[Group](), ""
        try:
            self.device = device = Device(self.site, self.function)
            self._refuse_other_results(device)
            groups = self.groups(device)
            if hidden := self.site.unseen_bits:
                self.unseen.append(hidden)
            for group in groups:
                drawn = [arguments(device, kind, self.rng) for kind in range(NUMBER)]
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
            kinds_of(self.device.own_type, self.has_specials) if self.device else (),
            *device_counts,
            tuple(dict.fromkeys(self.unseen)),
            tuple(groups),
        )

    def _refuse_other_results(self, device: Device) -> None:
        """Raise `Refused` if the same call has other results a second time."""
        args = arguments(device, 0, self.rng)
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
            results = remaining
            try:
                accumulation, same = self._first_that_holds(device, rows, results)
            except Inconsistent:
                if alone or len(device.rows) == 1:
                    raise
                alone = True
                continue
            alike = [r for r, row in zip(results, same.T, strict=True) if row.all()]
            if not alike:
                if not alone and len(remaining) > 1:
                    alone = True
                    continue
                total = int(same.sum())
                raise Refused(
                    f"the accumulation that its probes show, {text(accumulation)}, gives {total:,} of"
                    f" {same.size:,} results"
                )
            if len(alike) < len(results):
                same = self.compare(device, accumulation, alike, self.number)
                if not same.all():
                    raise Refused(
                        f"{text(accumulation)} is equal on {int(same.sum()):,} of {same.size:,} inputs"
                    )
            groups.append(Group(accumulation, tuple(alike), int(same.sum()), int(same.size)))
            remaining, alone = [r for r in remaining if r not in alike], True
            if remaining and len(groups) == GROUPS:
                raise Refused(f"results are added in more than {GROUPS} ways")
        return groups

    def _first_that_holds(
        self, device: Device, rows: Sequence[int], results: Sequence[int]
    ) -> tuple[Accumulation, Array]:
        """Return the first accumulation that every result has on every input, and where they are equal.

        Where there is none, return the first that every result has on all inputs without infinities and NaN,
        else the one that is equal on the most. rows: results that were probed alone, which decide then.
        """
        best: tuple[Accumulation, Array] | None = None
        has_specials, unseen = self.has_specials, [*self.unseen]
        finite = list[str]()  # what is unseen of the best one, if it is of finite numbers alone
        for recovered in islice(self.recover(device, rows), HELD):
            noted = [*self.unseen]
            for accumulation in _roundings(recovered):
                self.has_specials, self.unseen = has_specials, [*noted]
                same = self.compare(device, accumulation, results, self.number)
                asked = same[:, [k for k, r in enumerate(results) if r in rows]] if rows else same
                if asked.all() and self.has_specials == has_specials:
                    return accumulation, same
                if best is None or (not finite and (same.all() or same.sum() > best[1].sum())):
                    best, finite = (accumulation, same), [*self.unseen] if same.all() else []
            self.unseen = [*unseen]
        assert best is not None
        self.has_specials, self.unseen = has_specials and not finite, finite or unseen
        return best

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

    def recover(self, device: Device, rows: Sequence[int]) -> Iterator[Accumulation]:
        """Yield accumulations that give a few results; `Refused` if none that is known does."""
        probing = calibrate(device, self.rng, rows)
        screen = Screen(device, rows, self.rng)
        if probing is None:
            yield self._in_any_order(screen)
            return
        is_known = False
        for presume in (True, False):
            tree = tree_of(recover(self.site.n, probing, self.rng, presume))
            for inputs, trees in self._trees(device, tree, rows, probing.is_near):
                for chosen, flushes in self._with_flushes(trees, inputs, screen):
                    is_known = True
                    yield self._state(chosen, flushes, inputs, screen)
            if is_known or all(len(node.children) == 2 for node in tree.nodes):
                break  # nothing was presumed
        if is_known:
            return
        best, compensated = screen.best, find_compensated(device, tree, rows)
        why = f"; {compensated}" if compensated.nodes else ""
        raise Refused(
            f"units are counted as along {text(explicit(tree, False))}, but no arithmetic that is known"
            f" gives its results there: the nearest gives {best} of {screen.size}{why}"
        )

    def _trees(
        self, device: Device, tree: Tree, rows: Sequence[int], is_near: bool
    ) -> Iterator[tuple[Arithmetic, Iterable[Tree]]]:
        """Yield the trees of an order to try, and how inputs are rounded: those of few arithmetics first."""
        if self.site.declared.is_integer:
            saturating = Arithmetic(rounding="saturate")
            yield PLAIN, [Tree(tree.n, tuple(replace(node, arithmetic=saturating) for node in tree.nodes))]
            return
        orders = [*(join_chains(tree) if is_near else ()), tree]
        fitting = [Fitting(device, order, self.rng, rows) for order in orders]
        for each in fitting:
            yield PLAIN, each.alike()
        if [type.name for type in self.site.leaf] == ["f32", "f32"]:
            for inputs in NARROW:
                yield inputs, Fitting(device, tree, self.rng, rows, inputs).alike()
        for number in (FEW, MANY):  # the program of what is done with a sum runs once a probe
            if number * self.site.n <= (LARGEST if self.site.is_direct else LARGEST >> 8):
                yield PLAIN, fitting[0].one_by_one(number)

    def _with_flushes(
        self, trees: Iterable[Tree], rounded: Arithmetic, screen: Screen
    ) -> Iterator[tuple[Tree, bool]]:
        """Yield the trees that give the results on the screen, and whether inputs are flushed."""
        flushes = ((False, False), (True, True), (True, False), (False, True))
        for tree in trees:
            for inputs, results in flushes[:1] if self.site.declared.is_integer else flushes:
                nodes = [
                    replace(node, arithmetic=replace(node.arithmetic, flush=results)) if results else node
                    for node in tree.nodes
                ]
                flushed = Tree(tree.n, tuple(nodes))
                for each in (
                    (flushed, with_fma(flushed)) if results and len(self.site.sides) > 1 else (flushed,)
                ):
                    if screen.gives(replace(explicit(each, False), flushes_inputs=inputs, inputs=rounded)):
                        yield each, inputs

    def _state(self, tree: Tree, flushes_inputs: bool, inputs: Arithmetic, screen: Screen) -> Accumulation:
        """Return the shortest accumulation of a tree with the device's sign of zero."""
        negative = screen.negative_zero
        trees = [explicit(tree, adds_init) for adds_init in (not negative, negative)]
        first: Accumulation | None = None
        for find in (lambda: patterns_of(tree), lambda: patterns_of(tree, every=True), lambda: trees):
            for each in find():
                candidate = replace(each, flushes_inputs=flushes_inputs, inputs=inputs)
                first = first or candidate
                if self.site.declared.is_integer or screen.has_sign(candidate):
                    return candidate
        assert first is not None
        self.unseen.append("the sign of a sum of zeros, which no init explains")
        return first

    def _in_any_order(self, screen: Screen) -> Accumulation:
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

    def compare(
        self, device: Device, accumulation: Accumulation, results: Sequence[int], number: int
    ) -> Array:
        """Return where the device has the accumulation's bits, [calls, results], on so many inputs."""
        kinds = self.kinds(device)
        calls = max(len(kinds), -(-number // len(results)))
        rng = np.random.default_rng(self.rng.integers(1 << 62))
        given, parts = list[Array](), list[list[Array]]()
        for k in range(calls):
            args = arguments(device, kinds[k % len(kinds)], rng)
            given.append(device.call(args)[list(results)])
            parts.append(leaves(self.site, args, results))
        sides = [np.concatenate(each) for each in zip(*parts, strict=True)]
        sums = rerun(self.site, accumulation, *sides).reshape(calls, len(results))
        same = equal(np.stack(given), read(self.site, sums, results))
        special = np.array([kinds[k % len(kinds)] == SPECIAL for k in range(calls)])
        if same[~special].all() and not same.all():
            few = f"{int(same[special].sum()):,} of {same[special].size:,}"
            self.unseen.append(f"infinities and NaN: of inputs with them, {few} had the same results")
            self.has_specials = False
            return self.compare(device, accumulation, results, number)
        return same

    def kinds(self, device: Device) -> list[int]:
        """Return the numbers of the kinds of inputs that are compared."""
        special = [SPECIAL] * (self.has_specials and not device.own_type.is_integer)
        return [*range(NUMBER), *special]


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


def _roundings(accumulation: Accumulation) -> Iterator[Accumulation]:
    """Yield an accumulation, and one whose fused nodes are rounded otherwise, as seen where they overflow."""
    yield accumulation
    if any(each.kind == "fused" for each in accumulation.arithmetics):
        turn = {"": "toward zero", "toward zero": ""}
        yield accumulation.change(
            lambda a: replace(a, rounding=turn.get(a.rounding, a.rounding)) if a.kind == "fused" else a
        )
