"""Compare the networks that `tools/litert_networks.py` wrote with what `interp.load` makes of them.

    python tools/litert_equal.py FOLDER

The table has a row for each way to convert, and the networks that differ, with the elements that do.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

import interp


def main() -> int:
    rows: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    status = 0
    for path in sorted(Path(sys.argv[1]).glob("*.tflite")):
        name, _, way = path.stem.rpartition(".")
        try:
            bad, total = differences(path)
        except interp.InterpError as error:
            print(f"{path.stem}: {type(error).__name__}: {error}", flush=True)
            status = 1
            continue
        rows[way].append((name, bad, total))
    print("| written as | networks | elements | with every bit | the others |", "| --- " * 5 + "|", sep="\n")
    for way, networks in rows.items():
        equal = sum(not bad for _, bad, _ in networks)
        others = "; ".join(f"{name} ({bad:,} of {total:,})" for name, bad, total in networks if bad)
        total = sum(total for _, _, total in networks)
        print(f"| {way} | {len(networks)} | {total:,} | {equal} | {others} |")
    everything = [network for networks in rows.values() for network in networks]
    equal = sum(not bad for _, bad, _ in everything)
    print(f"{len(everything)} networks, {equal} with every bit")
    return status


def differences(path: Path) -> tuple[int, int]:
    """Return how many elements of all runs differ, and how many there are; state stays from run to run."""
    module, known = interp.load(path), np.load(path.with_suffix(".npz"))
    count, bad, total = sum(key.startswith("y") for key in known), 0, 0
    states = interp.run(module, function="init") if "init" in module.functions else ()
    for run in range(len(known["y0"])):
        args = [known[f"x{k}"][run] for k in range(sum(key.startswith("x") for key in known))]
        results = interp.run(module, *args, *(state.storage for state in states))
        for k in range(count):
            x, y = np.asarray(results[k].storage), known[f"y{k}"][run]
            bad += int(((x != y) & ~((x != x) & (y != y))).sum())
            total += y.size
        states = results[count:]
    return bad, total


if __name__ == "__main__":
    sys.exit(main())
