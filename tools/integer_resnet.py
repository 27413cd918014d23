#!/usr/bin/env python3
"""Runs ResNet-18 in the integer reading beside a program of its own, in NumPy's int64 and Python's integers.

    PYTHONPATH=. python tools/integer_resnet.py                          224 x 224 pixels
    PYTHONPATH=. python tools/integer_resnet.py --side 64 --channels 4   a smaller one
    PYTHONPATH=. python tools/integer_resnet.py --compiled               the compiled program, too

Every activation has a real scale and a zero point, every weight a scale for each channel. Every accumulator
and every logit is compared. Exit status 1 if a number differs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from benchmarks.integer_network import Network

import interp


def main() -> int:
    options = parsed()
    start = perf_counter()
    network = Network(options.side, options.channels, options.classes)
    print(f"NumPy and Python's integers: {perf_counter() - start:.1f} s")
    module = interp.load(network.text)
    args = [value.stored for value in network.arguments]
    wrong = differing("run", network, lambda: interp.run(module, *args, reading="integer"))
    if options.compiled:
        compiled = interp.compile(module, reading="integer")
        wrong += differing("compile", network, lambda: compiled(*args))
    return int(wrong > 0)


def differing(what: str, network: Network, run: Any) -> int:
    """Return how many numbers differ, and print it."""
    start = perf_counter()
    results: Sequence[Any] = run()
    seconds = perf_counter() - start
    pairs = list(zip(results, network.outputs, strict=True))
    wrong = sum(int((np.asarray(found) != value.stored).sum()) for found, value in pairs)
    total = sum(value.stored.size for value in network.outputs)
    print(f"interp.{what}: {seconds:.1f} s; {wrong} of {total} accumulators and logits differ")
    return wrong


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--side", type=int, default=224, help="pixels of the image")
    parser.add_argument("--channels", type=int, default=64, help="channels of the first stage")
    parser.add_argument("--classes", type=int, default=1000)
    parser.add_argument("--compiled", action="store_true", help="the compiled program, too")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
