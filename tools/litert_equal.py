"""Compare the networks that `tools/litert_networks.py` wrote with what `interp.load` makes of them.

    python tools/litert_equal.py FOLDER

The table has a row for each way to convert. Functions of floats that LiteRT takes from the C library or from
Eigen differ in last places. A network that differs and has none of them is printed, and the exit status is 1.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
from litert_cases import LIBRARY

import interp
from interp.apps.litert.contents import parse
from spec.errors import Location


def main() -> int:
    rows: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    functions, status = Counter[str](), 0
    for path in sorted(Path(sys.argv[1]).glob("*.tflite")):
        name, _, way = path.stem.rpartition(".")
        try:
            bad, total = differences(path)
        except interp.InterpError as error:
            print(f"{path.stem}: {type(error).__name__}: {error}", flush=True)
            continue
        rows[way].append((name, bad, total))
        found = library_functions(path) if bad else []
        functions.update(found)
        if bad and not found:
            print(f"{path.stem}: {bad:,} of {total:,} elements differ", flush=True)
            status = 1
    print("| written as | networks | elements | with every bit |", "| --- " * 4 + "|", sep="\n")
    for way, networks in rows.items():
        equal, total = sum(not bad for _, bad, _ in networks), sum(total for _, _, total in networks)
        print(f"| {way} | {len(networks)} | {total:,} | {equal} |")
    everything = [network for networks in rows.values() for network in networks]
    equal = sum(not bad for _, bad, _ in everything)
    print(f"{len(everything)} networks, {equal} with every bit")
    print("functions in the others: " + ", ".join(f"{name} {n}" for name, n in functions.most_common()))
    return status


def library_functions(path: Path) -> list[str]:
    """Return the operators of floats in a model whose last places differ by library."""
    contents = parse(path.read_bytes(), Location(path.name))
    found = {
        node.operator
        for graph in contents.graphs
        for node in graph.nodes
        if node.operator in LIBRARY and graph.tensors[node.inputs[0]].storage.name == "f32"
    }
    return sorted(found)


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
