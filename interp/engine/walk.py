"""The walk over a program with an environment: calls, branches and loops, written once for every domain.

A domain says what a value is: a range, an error bound, a dimension, a set of origins. `walk` follows the
operations of a region; a function is walked through at every call. Where the domain decides a predicate or
an index, only that branch is walked through, and a loop round by round. Where it does not, a branch gives
what holds the values of all branches, and a loop what one more round does not change.

THEOREM: if `apply` holds the results of an operation for all operands that its own operands hold, `join`
holds what each of its values holds, `decide` is right, and `widen` holds both of its values, then a walk
holds the results of the region. For a loop that is not decided: the state holds what enters, and its body
gives nothing that the state does not hold, so that by induction it holds the values after any round.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Generic, TypeVar

from spec.ir import CALLEES, Module, Op, Region, Value, callee_names

LOOP = "stablehlo.while"
BRANCHES = ("stablehlo.if", "stablehlo.case")

V = TypeVar("V")
Env = Mapping[str, V]


class Domain(ABC, Generic[V]):
    """Domain of a walk: the values that stand for tensors, and the operations on them.

    rounds: how many rounds of a loop are walked through one by one, as long as its condition is decided.
    """

    module: Module
    rounds: ClassVar[int] = 0

    @abstractmethod
    def apply(self, op: Op, operands: list[V], env: Env[V]) -> Sequence[V]:
        """Return the results of an operation that is neither a call, nor a branch, nor a loop."""

    def read(self, op: Op, env: Env[V]) -> list[V]:
        """Return the operands of an operation, or what a region's last operation returns."""
        return [env[value.name] for value in op.operands]

    def decide(self, op: Op, x: V) -> int | None:
        """Return the number that a branch's index or a loop's condition certainly is, or None."""
        return None

    def join(self, value: Value, values: Sequence[V], by: V) -> V:
        """Return what holds each of these values, of which a run takes one as `by` says."""
        raise NotImplementedError

    def widen(self, value: Value, outer: V, inner: V, by: V) -> V:
        """Return `outer` itself if it holds `inner`, else what holds both, never growing without end.

        by: the condition that decides how often `outer` is replaced by `inner`.
        """
        raise NotImplementedError

    def call(self, op: Op, operands: list[V], env: Env[V]) -> Sequence[V]:
        """Return the results of the function that a call or a composite runs."""
        return walk(self, self.module[callee_names(op)[0]].body, operands)

    def hear(self, op: Op, results: Sequence[V]) -> None:
        """Hear of the results of every operation, calls, branches and loops included."""

    @contextmanager
    def trial(self) -> Iterator[None]:
        """Walk without leaving traces: what is walked through is walked through again."""
        yield

    def branches(self, op: Op, by: V, env: Env[V]) -> Sequence[V]:
        """Return the results of a branch that is not decided."""
        results = [walk(self, region, (), env) for region in op.regions]
        pairs = zip(op.results, zip(*results, strict=True), strict=True)
        return [self.join(value, values, by) for value, values in pairs]

    def loop(self, op: Op, state: list[V], by: V | None, env: Env[V]) -> Sequence[V]:
        """Return the results of a loop from a state on.

        by: its condition in that state, which is not decided; None where `rounds` are over.
        """
        is_stable = False
        while not is_stable:
            with self.trial():
                (by,) = walk(self, op.regions[0], state, env)
                after = walk(self, op.regions[1], state, env)
            triples = zip(op.results, state, after, strict=True)
            wider = [self.widen(value, outer, inner, by) for value, outer, inner in triples]
            is_stable = all(new is old for new, old in zip(wider, state, strict=True))
            state = wider
        for region in op.regions:
            walk(self, region, state, env)
        return state


def walk(domain: Domain[V], region: Region, arguments: Sequence[V], around: Env[V] | None = None) -> list[V]:
    """Return what a region returns in a domain; `around` has the values that it may capture."""
    env = dict(around or {})
    env.update(zip((value.name for value in region.arguments), arguments, strict=True))
    for op in region.ops[:-1]:
        operands, form = domain.read(op, env), CONTROL.get(op.name)
        results = form(domain, op, operands, env) if form else domain.apply(op, operands, env)
        domain.hear(op, results)
        env.update(zip((value.name for value in op.results), results, strict=True))
    return domain.read(region.ops[-1], env)


def _call(domain: Domain[V], op: Op, operands: list[V], env: Env[V]) -> Sequence[V]:
    return domain.call(op, operands, env)


def _branch(domain: Domain[V], op: Op, operands: list[V], env: Env[V]) -> Sequence[V]:
    """Return the results of `if` or `case`."""
    index = domain.decide(op, operands[0])
    if index is None:
        return domain.branches(op, operands[0], env)
    return walk(domain, op.regions[chosen_branch(op, index)], (), env)


def chosen_branch(op: Op, index: int) -> int:
    """Return which region of `if` or `case` runs: the last one if the index is out of range."""
    if op.name == "stablehlo.if":
        return 0 if index else 1
    return index if 0 <= index < len(op.regions) else len(op.regions) - 1


def is_passed_on(loop: Op, k: int) -> bool:
    """Return whether a loop's body returns its argument k as it is."""
    body = loop.regions[1]
    return body.returns[k].name == body.arguments[k].name


def _loop(domain: Domain[V], op: Op, operands: list[V], env: Env[V]) -> Sequence[V]:
    """Return the results of `while`."""
    condition, body = op.regions
    state = operands
    for _ in range(domain.rounds):
        (by,) = walk(domain, condition, state, env)
        goes_on = domain.decide(op, by)
        if goes_on is None:
            return domain.loop(op, state, by, env)
        if not goes_on:
            return state
        state = walk(domain, body, state, env)
    return domain.loop(op, state, None, env)


CONTROL: dict[str, Callable[..., Sequence[Any]]] = {
    **dict.fromkeys(CALLEES, _call),
    **dict.fromkeys(BRANCHES, _branch),
    LOOP: _loop,
}
