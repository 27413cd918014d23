"""Compare the recipes of requantization with the kernels of LiteRT, TOSA's reference model and ONNX Runtime.

    python tools/recipes.py                       10,000 elements for each kernel
    python tools/recipes.py --elements 1000000    as in docs/recipes.md
    python tools/recipes.py --only CONV_2D        kernels whose names contain this

Exit status 1 if a kernel that is not known to depart from its recipe does. What is not installed is skipped:
ai-edge-litert, tosa-tools, onnx with onnxruntime.
"""

from __future__ import annotations

import argparse
import sys

from kernels import litert, litert_kernels, of_onnx, of_tosa, ort, tosa
from kernels.evidence import Found, compared
from kernels.trials import Kernel

from interp.engine.markup import align

PEERS = {
    "LiteRT": (litert.available, litert_kernels.kernels),
    "TOSA reference model": (tosa.available, of_tosa.kernels),
    "ONNX Runtime": (ort.available, of_onnx.kernels),
}
HEAD = ["kernel", "recipe", "elements", "mismatches", "by at most", ""]


def main() -> int:
    """Print a table for each runtime."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=10_000, metavar="N", help="elements for each kernel")
    parser.add_argument("--only", default="", metavar="TEXT", help="kernels whose names contain this")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    wrong = 0
    for peer, (available, kernels) in PEERS.items():
        if reason := available():
            print(f"{peer}: skipped, {reason}")
            continue
        rows = [HEAD]
        for kernel in kernels():
            if options.only in kernel.name:
                found = compared(kernel, options.elements, options.seed)
                rows.append(row(kernel, found))
                wrong += bool(found.mismatches and not kernel.departs)
        print(peer, *align(rows), sep="\n  ")
    return 1 if wrong else 0


def row(kernel: Kernel, found: Found) -> list[str]:
    counts = [f"{found.elements:,}", f"{found.mismatches:,}", f"{found.largest:,}"]
    return [kernel.name, kernel.recipe, *counts, kernel.departs]


if __name__ == "__main__":
    sys.exit(main())
