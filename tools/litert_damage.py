"""Damage LiteRT models at random, and see that `interp.load` answers each with a clear error or a program.

    python tools/litert_damage.py [--files N] [--seed K]

Models are those of `testdata/litert`, operators among them. The table has what became of the files, and the
exit status is 1 if a file raised another exception, or took more than a second and one for each 10 kB.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from time import perf_counter

import numpy as np

import interp
from interp.apps.litert.model import read_litert

DATA = Path(__file__).resolve().parent.parent / "testdata" / "litert"
WORDS = (0, 1, 2**15, 2**31 - 1, 2**31, 2**32 - 1)


def models() -> list[bytes]:
    operators = np.load(DATA / "operators.npz")
    few = [operators[key].tobytes() for key in operators.files if key.endswith(".model")]
    return [path.read_bytes() for path in sorted(DATA.glob("*.tflite"))] + few


def damage(data: bytes, rng: np.random.Generator) -> bytes:
    """Return a file that is cut, has other bytes or words, lacks some bytes, or has some twice."""
    mutant = bytearray(data)
    for _ in range(int(rng.integers(1, 4))):
        at, way = int(rng.integers(max(len(mutant) - 8, 1))), int(rng.integers(6))
        if way == 0 and rng.random() < 0.3:
            del mutant[at:]
        elif way <= 2:
            mutant[at] = int(rng.integers(256))
        elif way == 3:
            mutant[at & ~3 : (at & ~3) + 4] = int(rng.choice(WORDS)).to_bytes(4, "little")
        elif way == 4:
            del mutant[at : at + int(rng.integers(1, 64))]
        else:
            mutant[at:at] = mutant[at : at + int(rng.integers(1, 64))]
        if len(mutant) < 16:
            break
    return bytes(mutant)


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--files", type=int, default=6000)
    options.add_argument("--seed", type=int, default=0)
    asked = options.parse_args()
    rng, known = np.random.default_rng(asked.seed), models()
    counts, slowest, status = Counter[str](), 0.0, 0
    for k in range(asked.files):
        data = damage(known[k % len(known)], rng)
        start = perf_counter()
        try:
            module = read_litert(data, "damaged.tflite")
            counts["a program that breaks a rule" if interp.verify(module) else "another program"] += 1
        except interp.InterpError as error:
            counts[type(error).__name__] += 1
            if "damaged.tflite" not in str(error) or isinstance(error, interp.Bug):
                status = report(k, data, error)
        except Exception as error:
            status = report(k, data, error)
        seconds = perf_counter() - start
        if seconds > slowest:
            slowest = seconds
            if seconds > 1 + len(data) / 1e4:
                status = report(k, data, TimeoutError(f"{seconds:.1f} s"))
    print("| became | files |", "| --- | --- |", sep="\n")
    for name, count in counts.most_common():
        print(f"| {name} | {count:,} |")
    print(f"{asked.files:,} damaged files, the slowest in {slowest * 1000:.0f} ms")
    return status


def report(k: int, data: bytes, error: Exception) -> int:
    print(f"file {k} ({len(data):,} bytes): {type(error).__name__}: {str(error)[:300]}", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
