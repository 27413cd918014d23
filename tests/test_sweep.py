"""`fuzz(sweep=True)`: chains of plain operations with sizes at the thresholds of kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np
import pytest

import interp
from interp.apps.runtimes.translation import Reply
from interp.apps.suite import fuzz as fuzzing
from interp.apps.suite.fuzz import fuzz
from interp.apps.suite.implementations import Question
from interp.apps.suite.sweep import Chain, Step, chain, judge, numbers, shrunk_chain, writer
from spec.rules.verify import verify

SEEDS = range(2000)


def test_sizes_ranks_and_dimensions_of_1_are_swept() -> None:
    chains = [chain(seed) for seed in SEEDS]
    sizes = {n for each in chains for n in each.shape}
    assert {len(each.shape) for each in chains} == set(range(1, 9))
    assert {2**k + d for k in (12, 14, 15, 16) for d in (-1, 0, 1)} | {1, 1000, 100_000} <= sizes
    assert max(sizes) == 100_000
    assert any(1 in each.shape and len(each.shape) > 6 for each in chains)
    assert max(prod(each.shape) for each in chains) <= 200_000
    assert [chain(seed) for seed in range(50)] == chains[:50]


def test_every_chain_is_valid_and_numpy_gives_what_the_engine_gives() -> None:
    """The numbers that the judge expects are NumPy's, and this engine's where every result is exact."""
    small = [each for each in map(chain, range(150)) if prod(each.shape) < 20_000][:25]
    for each in small:
        assert not list(verify(each.module, "strict"))
        (result,) = interp.run(each.module, *each.args)
        assert judge(each, [result.storage])[0] in ("exact", "unknown")
        assert np.allclose(result.storage, writer(each).expected, rtol=1e-5)


SUMS = Chain("f32", (2000, 3), (Step("dot", (1, 2, 1)), Step("negate"), Step("reduce add", (0,))))


def test_one_element_that_is_off_by_one_is_wrong() -> None:
    right = writer(SUMS).expected.astype(np.float32)
    assert judge(SUMS, [right]) == ("exact", "")
    verdict, why = judge(SUMS, [right + np.eye(1, 2000, 7, dtype=np.float32)[0]])
    assert (verdict, why) == ("wrong", "a result is 1 off where 0 is possible, at 1 of 2,000 elements")
    assert judge(SUMS, [right[:-1]])[0] == "wrong"


def test_another_order_of_a_sum_that_rounds_is_not_wrong() -> None:
    """Squares of squares of squares: sums of numbers up to 8^8 = 2^24, of which many are odd."""
    square = Step("multiply", (1,))
    rounding = Chain("f32", (5000,), (square, square, square, Step("reduce add", (0,))))
    exact = writer(rounding).expected
    assert exact > 2**24
    forth, back = (x.astype(np.float32)[np.argsort(x)] for x in (rounding.args[0], -rounding.args[0]))
    sums = {float(np.add.accumulate(x**8, dtype=np.float32)[-1]) for x in (forth, back)}
    assert len(sums) == 2
    assert {judge(rounding, [np.float32(x)])[0] for x in sums} <= {"exact", "unknown"}
    assert judge(rounding, [np.float32(exact * 1.01)])[0] == "wrong"


def test_shrinking_finds_the_threshold() -> None:
    """A fault of dots from 1,234 elements along a dimension on."""
    big = Chain("f32", (3, 40_000), (Step("abs"), Step("dot", (0, 4, 0)), Step("reduce add", (1,))))
    fails = lambda trial: max(trial.shape) >= 1234 and any(step.kind == "dot" for step in trial.steps)
    small = shrunk_chain(big, fails)
    assert small == Chain("f32", (1, 1234), (Step("dot", (0, 1, 0)),), small.edges)
    assert small.edges == ("dimension 1 of %x0: fails from 1,234 on, not at 1,233",)


def test_a_threshold_is_not_claimed_where_time_ran_out() -> None:
    assert shrunk_chain(SUMS, lambda trial: True, until=0.0) == SUMS


class Faulty:
    """An implementation that is right, except for what `fault` does to its results."""

    def __init__(self, fault: Callable[[np.ndarray], Reply | np.ndarray]) -> None:
        self.fault = fault

    def __call__(self, question: Question) -> Reply:
        assert question.module is not None
        reply = self.fault(interp.run(question.module, *question.args)[0].storage)
        return reply if isinstance(reply, Reply) else Reply("results", (reply,))

    def close(self) -> None:
        pass


def late(result: np.ndarray) -> np.ndarray:
    """Change the element before the last where there are more than 1,000."""
    changed = result.copy()
    if changed.size > 1000:
        changed.reshape(-1)[-2] += 1
    return changed


def run_with(
    fault: Callable[[np.ndarray], Reply | np.ndarray], monkeypatch: pytest.MonkeyPatch, seed: int
) -> str:
    monkeypatch.setattr(fuzzing, "implementation", lambda name, timeout, jobs: Faulty(fault))
    return repr(fuzz("mine", sweep=True, seconds=0, seed=seed))


def seed_of(condition: Callable[[Sequence[int], Chain], bool]) -> int:
    return next(s for s in SEEDS if condition(writer(chain(s)).expected.shape, chain(s)))


def test_a_failure_prints_its_threshold_and_its_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = seed_of(lambda shape, each: prod(shape) > 1000 and prod(each.shape) < 9000)
    text = run_with(late, monkeypatch, seed)
    assert f"seed {seed}: wrong" in text
    assert "fails from " in text
    assert ", not at " in text
    assert "1 wrong" in text
    made = next(line for line in text.splitlines() if line.startswith("// x0 = "))
    shape, element, k = eval(made.partition("numbers")[2])
    assert numbers(shape, element, k).shape == shape


def test_a_crash_is_a_failure_too(monkeypatch: pytest.MonkeyPatch) -> None:
    died = lambda result: Reply("crashed", message="crashed (signal 11)")
    seed = seed_of(lambda shape, each: prod(each.shape) < 2000)
    text = run_with(died, monkeypatch, seed)
    assert f"seed {seed}: crashed" in text
    assert "crashed (signal 11)" in text


def test_our_engine_is_exact() -> None:
    found = fuzz("numpy", sweep=True, seconds=0, seed=3)
    assert found.ok
    assert repr(found).startswith("1 exact")
