"""Compare single operators of LiteRT, on random elements, with what `interp.load` makes of their models.

    python tools/litert_operators.py [--elements N] [--only CONV_2D] [--write FILE.npz]

Each operator runs in LiteRT's reference kernels, in a process of its own, since some of them abort. An
operator has several trials, each with other scales, zero points, weights and arguments. The table has a row
for each operator and element type that differs, and one for all others. --write: keep small trials as test
data, of all operators on i8, of later ones, and of every fourth on other types.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import count, islice
from math import prod
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from litert_cases import LARGEST, LIBRARY, Case, draw
from litert_more_cases import FAMILIES, RARE

import interp
from interp.apps.litert.model import read_litert
from interp.apps.runtimes.litert_model import run

TRIALS = 4
SLOW, KEPT = "UNIDIRECTIONAL_SEQUENCE_LSTM", (3, 4, 6)  # of which test data has a few cases
FEW = 100  # calls for an operator with few elements, at most


class Compared(NamedTuple):
    """Elements that differ, those that were compared, and the largest difference in stored numbers."""

    different: int = 0
    total: int = 0
    furthest: float = 0.0

    def __add__(self, other: Compared) -> Compared:  # type: ignore[override]
        return Compared(
            self.different + other.different, self.total + other.total, max(self.furthest, other.furthest)
        )


def case_at(k: int, rows: int, trial: int) -> Case:
    """Return a case with that many rows; trial 0 has the usual scales."""
    d = draw((k, trial), rows, trial == 0)
    return next(islice((case for family in FAMILIES for case in family(d)), k, None))


def rows_of(k: int, elements: int) -> int:
    """Return how many rows give a case that many elements in its results."""
    sizes = [[prod(s.shape) for s in slots if s] for slots in case_at(k, 1, 0)[1:]]
    twice = [[prod(s.shape) for s in slots if s] for slots in case_at(k, 2, 0)[1:]]
    grows = sum(twice[1]) > sum(sizes[1])
    return max(1, min(elements // max(sum(sizes[1]), 1), LARGEST // max(sizes[0]))) if grows else 1


def arguments(case: Case, rng: np.random.Generator) -> list[np.ndarray]:
    """Draw the arguments of a case; integers at the ends of their range, too."""
    drawn = []
    for operand in case.fed:
        dtype = np.dtype(operand.dtype)
        if dtype.kind == "b":
            x = rng.random(operand.shape) < 0.5
        elif dtype.kind in "iu":
            low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
            x = rng.integers(low, high, operand.shape, endpoint=True, dtype=dtype)
            point = operand.zero_points[0] if operand.zero_points else 0
            near = np.clip(point + rng.integers(-3, 4, operand.shape), low, high)
            x = np.where(rng.random(operand.shape, np.float32) < 0.1, near, x)
            if case.operator.name == "RSQRT":  # which refuses numbers below 0
                x = np.maximum(x, point)
        else:
            x = rng.standard_normal(operand.shape, np.float32) * 3
        drawn.append(x.astype(dtype))
    return drawn


def differences(ours: Sequence[Any], theirs: Sequence[np.ndarray]) -> Compared:
    """Return how many elements differ, and how many there are."""
    found = Compared()
    for x, y in zip((np.asarray(t.storage) for t in ours), theirs, strict=True):
        if x.shape != y.shape or x.dtype != y.dtype:
            raise ValueError(f"{x.dtype}{x.shape} and {y.dtype}{y.shape}")
        differ = (x != y) & ~((x != x) & (y != y))
        far = np.abs(x[differ].astype(np.float64) - y[differ].astype(np.float64)).max(initial=0)
        found += Compared(int(differ.sum()), y.size, float(far))
    return found


def compare(pool: ProcessPoolExecutor, k: int, elements: int) -> Compared:
    """Return what differs in trials of a case that have some number of elements together."""
    found, rows = Compared(), rows_of(k, -(-elements // TRIALS))
    for trial in range(FEW):
        if found.total >= elements:
            break
        case = case_at(k, rows, trial)
        content, args = case.content, arguments(case, np.random.default_rng((k, trial, 1)))
        theirs = pool.submit(run, content, args, "reference")
        program = read_litert(content, "<case>")
        states = interp.run(program, function="init") if "init" in program.functions else ()
        ours = interp.run(program, *args, *(state.storage for state in states))
        found += differences(ours[: len(case.results)], theirs.result())
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--elements", type=int, default=10_000, help="of each case")
    options.add_argument("--only", default="", help="cases with this in their titles")
    options.add_argument("--cases", action="store_true", help="print each case, not only the table")
    options.add_argument("--write", help="keep small trials as test data")
    asked = options.parse_args()
    number = sum(1 for family in FAMILIES for _ in family(draw((0, 0), 1, True)))
    wanted = [k for k in range(number) if asked.only in case_at(k, 1, 0).title]
    if asked.write:
        write(asked.write, wanted)
        return
    rows: dict[tuple[str, str], Compared] = defaultdict(Compared)
    pool, start = ProcessPoolExecutor(1), perf_counter()
    for k in wanted:
        case = case_at(k, 1, 0)
        try:
            found = compare(pool, k, asked.elements)
        except BrokenProcessPool:
            pool.shutdown()
            pool = ProcessPoolExecutor(1)
            print(f"LiteRT ended its process: {case.title}", flush=True)
            continue
        except (interp.InterpError, ValueError, RuntimeError) as error:
            print(f"{case.title}: {type(error).__name__}: {str(error)[:300]}", flush=True)
            continue
        rows[case.operator.name, case.types] += found
        if asked.cases:
            print(f"{found.different:6} of {found.total:9,} differ: {case.title}", flush=True)
    pool.shutdown()
    report(rows, perf_counter() - start)


def report(rows: dict[tuple[str, str], Compared], seconds: float) -> None:
    """Print a row for each operator that differs, and one for all others."""
    print("| operator | types | elements | differ | by at most |", "| --- " * 5 + "|", sep="\n")
    equal = Compared()
    for (name, types), found in sorted(rows.items()):
        if found.different:
            library = " (C library)" if name in LIBRARY and "float32" in types else ""
            share = f"{found.different:,}{library}"
            print(f"| {name} | {types} | {found.total:,} | {share} | {found.furthest:.3g} |")
        else:
            equal += found
    kinds = sum(1 for found in rows.values() if not found.different)
    names = len({name for (name, _), found in rows.items() if not found.different})
    print(f"| {names} operators | {kinds} pairs of operator and types | {equal.total:,} | 0 | |")
    print(f"{sum(found.total for found in rows.values()):,} elements in {seconds:.0f} s")


def write(path: str, wanted: Sequence[int]) -> None:
    """Keep a small trial of each case as test data."""
    known, seen = dict[str, np.ndarray](), Counter[str]()
    with ProcessPoolExecutor(1) as pool:
        for k, place in zip(wanted, count(), strict=False):
            case = case_at(k, 1, 0)
            is_library = case.operator.name in LIBRARY and case.operands[0].dtype == "float32"
            is_rare = " int8" not in case.title and k < RARE and place % 4
            seen[case.operator.name] += 1
            is_slow = case.operator.name == SLOW and seen[SLOW] not in KEPT
            if is_library or is_rare or is_slow:
                continue
            args = arguments(case, np.random.default_rng((k, 0, 1)))
            theirs = pool.submit(run, case.content, args, "reference").result()
            title = f"{k:03}.{case.operator.name}"
            known[f"{title}.model"] = np.frombuffer(case.content, np.uint8)
            known |= {f"{title}.x{j}": x for j, x in enumerate(args)}
            known |= {f"{title}.y{j}": y for j, y in enumerate(theirs)}
    np.savez_compressed(path, **known)


if __name__ == "__main__":
    main()
