#!/usr/bin/env python3
"""Whether `interp.invariant` predicts equal bits: `tools/invariance.py [--trials 10000]`.

For each operation of a library, the accumulations of a row in batches of several sizes are recovered. Then
random rows are computed in two batches each, and the results are compared with what executing both
accumulations predicts: equal bits, or not. The exit status is 1 where one prediction fails.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import interp
from interp.questions.permitted.results import equal

SIZES = (1, 2, 8, 32, 64, 128)


class Target(NamedTuple):
    """An operation of a library on rows; `weights` is the shape of its second argument, if it has one."""

    name: str
    function: Callable[..., Any]
    program: Callable[..., Any]
    n: int
    weights: tuple[int, ...] = ()


def targets() -> Iterator[Target]:
    import jax

    matmul, total = (lambda x, w: x @ w), (lambda x: x.sum(axis=1))
    for n, m in ((64, 32), (256, 16), (100, 100), (784, 10)):
        yield Target(f"XLA x @ w, {n} x {m}", jax.jit(matmul), matmul, n, (n, m))
        yield Target(f"NumPy x @ w, {n} x {m}", np.matmul, matmul, n, (n, m))
    for n in (40, 300, 1000):
        yield Target(f"XLA sum of {n}", jax.jit(total), total, n)
        yield Target(f"NumPy sum of {n}", lambda x: np.sum(x, axis=1), total, n)


def numbers(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return rng.normal(size=shape).astype(np.float32)


def trials(target: Target, found: Any, count: int, rng: np.random.Generator) -> tuple[int, int, int]:
    """Return how many rows were computed in two batches, how many were equal, and how many predictions fail.

    A row is equal if all its results are; a prediction is of each result.
    """
    stated = [call.number for call in found.calls if call.revealed.ok]
    made = same = wrong = 0
    while made < count and len(stated) > 1:
        few, many = sorted(rng.choice(stated, 2, replace=False).tolist())
        x, rest = numbers(rng, (many, target.n)), [numbers(rng, target.weights)] * bool(target.weights)
        rows = np.arange(few) + rng.integers(many - few + 1)
        first = np.asarray(target.function(np.ascontiguousarray(x[rows]), *rest))
        second = np.asarray(target.function(x, *rest))[rows]
        actual = equal(first, second).reshape(few, -1)
        predicted = found.predict(x[rows], *rest, numbers=(few, many)).reshape(few, -1)
        made, same = made + few, same + int(actual.all(axis=1).sum())
        wrong += int((actual != predicted).any(axis=1).sum())
    return made, same, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=10_000, help="rows in two batches (default: 10000)")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    rng, every = np.random.default_rng(options.seed), list(targets())
    total = failed = 0
    for k, target in enumerate(every):
        args = [np.zeros((1, target.n), np.float32)]
        args += [np.zeros(target.weights, np.float32)] * bool(target.weights)
        found = interp.invariant(target.program, *args, sizes=SIZES, impl=target.function, check=300)
        count = -(-(options.trials - total) // (len(every) - k))  # what is not stated leaves more to others
        made, same, wrong = trials(target, found, count, rng)
        where = f"changes at {found.change[1]}" if found.change else found.verdict
        print(f"{target.name:26} {where:22} {made:6,} rows {same:6,} equal {wrong:3} wrong", flush=True)
        total, failed = total + made, failed + wrong
    print(f"{total:,} rows in two batches: {failed} predictions are wrong")
    return int(failed > 0 or total < options.trials)


if __name__ == "__main__":
    raise SystemExit(main())
