"""Long checks of the ONNX reader: all node tests of the onnx package, and many damaged models.

python tools/onnx_checks.py nodes
python tools/onnx_checks.py mutants 1000
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.library.onnx.onnx_cases import Case, damaged, judged, node_cases, outcome, reaction


def nodes() -> int:
    cases = node_cases()
    count, failed = judged(cases)
    print(f"{len(cases)} data sets of node tests: " + ", ".join(f"{n} {said}" for said, n in count.items()))
    print(*(f"  unsupported: {operators} x {n}" for operators, n in refusals(cases)), sep="\n")
    for name, said in failed.items():
        print(f"  {name}: {said}")
    return len(failed)


def refusals(cases: list[Case]) -> list[tuple[str, int]]:
    """Return how many node tests are refused, by the operators of their models."""
    found = Counter(
        ", ".join(sorted({node.op_type for node in case.model.graph.node})[:3])
        for case in cases
        if outcome(case) == "unsupported"
    )
    return found.most_common()


def mutants(count: int) -> int:
    found, broken = Counter[str](), 0
    for name, data in damaged(count, seed=1):
        said = reaction(data)
        found[said.partition(":")[0]] += 1
        if said.startswith("broken"):
            broken += 1
            print(f"  {name}: {said}")
    print(f"{count} damaged models: " + ", ".join(f"{n} {said}" for said, n in found.most_common()))
    return broken


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["nodes"]:
            sys.exit(nodes() > 0)
        case ["mutants", number]:
            sys.exit(mutants(int(number)) > 0)
        case _:
            sys.exit(__doc__)
